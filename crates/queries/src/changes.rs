//! Which definitions a change touches: the uncommitted one, or what lies between two revisions.
//!
//! Git's own files are read (`git` says how, and why `git` is not run); who depends on a definition is told by the working
//! tree. Where the change leads elsewhere, to a branch that is not checked out, it is still told as it is there.

mod before;

use git::{Id, Index, Repository};
use graph::{FileIdx, SymbolId};
use imara_diff::{Algorithm, Diff, InternedInput};
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use rustc_hash::{FxHashMap, FxHashSet};
use sandbox::Unreadable;
use source::Span;
use syntax::{
    ChunkOptions, Code, FileFacts, Import, Lang, Region, Role, Symbol, SymbolIdx, SymbolKind, detect, file_facts,
    lang_id,
};
use workspace::Error;

use self::before::Before;
use crate::{
    code_graph::CodeGraph,
    submodules::{Part, Range, index_of, last_commit},
    symbols::rank,
};

/// What a change is between.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Revisions {
    /// The last commit and the files on disk.
    Uncommitted,
    /// The last commit and what the next one would hold.
    Staged,
    /// A revision and the files on disk.
    Since(String),
    Between(String, String),
    /// From where the second left the first.
    Fork(String, String),
}

impl Revisions {
    /// As git writes them: `HEAD~3`, `a..b`, `a...b`, `a^!`.
    pub fn parse(text: &str) -> Revisions {
        let or_head = |name: &str| match name {
            "" => "HEAD".to_owned(),
            name => name.to_owned(),
        };
        if let Some(one) = text.strip_suffix("^!") {
            return Revisions::Between(format!("{}^", or_head(one)), or_head(one));
        }
        if let Some((from, to)) = text.split_once("...") {
            return Revisions::Fork(or_head(from), or_head(to));
        }
        match text.split_once("..") {
            Some((from, to)) => Revisions::Between(or_head(from), or_head(to)),
            None => Revisions::Since(text.to_owned()),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChangeKind {
    Removed,
    Modified,
    Added,
}

impl ChangeKind {
    pub fn as_str(self) -> &'static str {
        match self {
            ChangeKind::Added => "added",
            ChangeKind::Modified => "modified",
            ChangeKind::Removed => "removed",
        }
    }
}

/// Everything that a change touches, by path.
#[derive(Debug, Default)]
pub struct ChangeSet {
    pub files: Vec<ChangedFile>,
    /// Files that differ and were not looked into: too many, or too large.
    pub unread: usize,
    /// Files that differ and are not indexed: left out on purpose (then what git has stored of them counts for nothing
    /// either), or not yet reached.
    pub unindexed: usize,
    /// Submodules that may differ and were not looked into: their history is not here.
    pub unread_submodules: usize,
    /// Whether it leads to what the working tree neither is nor was made from.
    pub is_elsewhere: bool,
    /// What files were whose functions have other signatures now, where calls are told apart by what they give.
    before: FxHashMap<FileIdx, Before>,
}

impl ChangeSet {
    /// Whether there is nothing that was not looked into.
    pub fn is_all_read(&self) -> bool {
        self.unread + self.unindexed + self.unread_submodules == 0
    }
}

#[derive(Debug)]
pub struct ChangedFile {
    pub path: String,
    pub lang: &'static str,
    pub kind: ChangeKind,
    pub added_lines: u32,
    pub removed_lines: u32,
    /// In the order of the text, those that are gone last.
    pub symbols: Vec<ChangedSymbol>,
    /// Names that it handed on from elsewhere and does not any more, with the lines of the old text.
    pub removed_reexports: Vec<(String, u32)>,
    /// Whether statements that belong to no definition differ.
    pub is_loose: bool,
    /// Of a change that leads elsewhere: the names that it uses there.
    pub uses: Option<FxHashSet<String>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedSymbol {
    /// Nothing if it is not in the working tree.
    pub id: Option<SymbolId>,
    pub name: String,
    pub qualified_name: String,
    pub kind: SymbolKind,
    pub change: ChangeKind,
    /// Of a function or type that was modified: whether what others see of it was.
    pub has_new_signature: Option<bool>,
    /// Of one that was modified: nothing differs but comments, documentation and white space.
    pub is_layout: bool,
    /// What it took and gave before, in the language's own terms.
    pub old_shape: Option<String>,
    /// Where its name is: now, or in the old text.
    pub line: u32,
    pub is_test: bool,
    /// Which one it was in the old text.
    was: Option<SymbolIdx>,
}

/// A version of a file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Content {
    Stored(Id),
    OnDisk,
}

struct Sides {
    path: String,
    old: Option<Content>,
    new: Option<Content>,
}

/// The files of the last commit.
fn committed_files(repository: &Repository, head: Option<Id>, index: &Index) -> Result<FxHashMap<String, Id>, Error> {
    Ok(match head {
        None => FxHashMap::default(),
        Some(head) if index.tree == Some(head) => {
            let plain = index.entries.iter().filter(|entry| entry.is_plain);
            plain.map(|entry| (entry.path.clone(), entry.id)).collect()
        }
        Some(head) => {
            let files = repository.files(head)?.into_iter();
            files.map(|file| (file.path, file.id)).collect()
        }
    })
}

/// Whether a change leads to what the working tree neither is nor was made from.
fn leads_elsewhere(repository: &Repository, revisions: &Revisions) -> Result<bool, Error> {
    let to = match revisions {
        Revisions::Uncommitted | Revisions::Since(_) => return Ok(false),
        Revisions::Staged => return Ok(true),
        Revisions::Between(_, to) | Revisions::Fork(_, to) => repository.resolve(to)?,
    };
    let head = match repository.resolve("HEAD") {
        Err(git::Error::NoSuchRevision { .. }) => return Ok(true),
        head => head?,
    };
    Ok(repository.merge_base(to, head)? != Some(to))
}

/// What revisions mean in a repository.
fn range(repository: &Repository, revisions: &Revisions) -> Result<Range, Error> {
    let tree = |revision: &str| repository.tree(repository.resolve(revision)?);
    Ok(match revisions {
        Revisions::Uncommitted => Range::Disk(None),
        Revisions::Staged => Range::Staged,
        Revisions::Since(from) => Range::Disk(Some(tree(from)?)),
        Revisions::Between(from, to) => Range::Trees(tree(from)?, tree(to)?),
        Revisions::Fork(from, to) => {
            let (one, other) = (repository.resolve(from)?, repository.resolve(to)?);
            let base = repository.merge_base(one, other)?.unwrap_or(one);
            Range::Trees(repository.tree(base)?, repository.tree(other)?)
        }
    })
}

/// What differs between the last commit and git's list of the next one.
fn staged(repository: &Repository) -> Result<Vec<Sides>, Error> {
    let mut committed: FxHashMap<String, Id> = FxHashMap::default();
    if let Some(head) = last_commit(repository)? {
        committed.extend(repository.files(head)?.into_iter().map(|file| (file.path, file.id)));
    }
    let mut sides = Vec::new();
    for entry in repository.index()?.entries {
        let old = committed.remove(&entry.path);
        if entry.is_plain && old != Some(entry.id) {
            sides.push(Sides {
                path: entry.path,
                old: old.map(Content::Stored),
                new: Some(Content::Stored(entry.id)),
            });
        }
    }
    sides.extend(committed.into_iter().map(|(path, id)| Sides {
        path,
        old: Some(Content::Stored(id)),
        new: None,
    }));
    sides.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(sides)
}

/// A change of more files is looked into as far as this.
const MAX_FILES: usize = 300;

impl CodeGraph<'_> {
    /// Any change of whole files; and those of them that are not indexed.
    pub fn changes_of_files(&self, paths: &[String]) -> Result<(ChangeSet, Vec<String>), Error> {
        let mut set = ChangeSet::default();
        let mut unknown = Vec::new();
        let mut files: Vec<FileIdx> = Vec::new();
        for path in paths {
            match self.file_at(path) {
                Ok(file) if files.contains(&file) => {}
                Ok(file) => files.push(file),
                Err(Error::NoSuchFile { .. } | Error::Refused { .. }) => unknown.push(path.clone()),
                Err(error) => return Err(error),
            }
        }
        for file in files {
            let source = self.source(file)?;
            let facts = &source.facts;
            let is_code = |symbol: &Symbol| {
                let is_value = matches!(
                    symbol.kind,
                    SymbolKind::Constant | SymbolKind::Variable | SymbolKind::Macro
                );
                symbol.kind.is_function() || symbol.kind.is_type() || is_value
            };
            let symbols = SymbolIdx::enumerate(&facts.symbols).filter(|(_, symbol)| is_code(symbol));
            set.files.push(ChangedFile {
                symbols: symbols
                    .map(|(at, symbol)| ChangedSymbol {
                        id: Some(SymbolId { file, symbol: at }),
                        name: facts.name(symbol).to_owned(),
                        qualified_name: source.lang.qualified_name(facts, symbol),
                        kind: symbol.kind,
                        change: ChangeKind::Modified,
                        has_new_signature: None,
                        is_layout: false,
                        old_shape: None,
                        line: facts.lines.line(symbol.name_at),
                        is_test: source::is_test_path(&source.path) || crate::symbols::in_test(facts, symbol),
                        was: None,
                    })
                    .collect(),
                path: source.path.clone(),
                lang: source.lang.name,
                kind: ChangeKind::Modified,
                added_lines: 0,
                removed_lines: 0,
                removed_reexports: Vec::new(),
                is_loose: true,
                uses: None,
            });
        }
        set.files.sort_by(|one, other| one.path.cmp(&other.path));
        Ok((set, unknown))
    }

    pub fn changes(&self, revisions: &Revisions) -> Result<ChangeSet, Error> {
        let root = self.snapshot.workspace().root().path();
        let repository = Repository::find(root)?.ok_or_else(|| Error::NoRepository { path: root.to_owned() })?;
        let mut set = ChangeSet {
            is_elsewhere: leads_elsewhere(&repository, revisions)?,
            ..ChangeSet::default()
        };
        let whole = Part {
            range: range(&repository, revisions)?,
            at: String::new(),
            repository,
        };
        let (parts, unread_submodules) = whole.with_submodules(root)?;
        set.unread_submodules = unread_submodules;
        let mut texts = Vec::new();
        for part in &parts {
            for sides in self.sides(part)? {
                if texts.len() >= MAX_FILES {
                    set.unread += 1;
                    continue;
                }
                match self.texts(&part.repository, sides) {
                    // What such a file has now is not known, nor what it has lost.
                    Ok(Some(found)) if !self.is_indexed(&found.path) && !self.is_gone(&found.path) => {
                        set.unindexed += 1;
                    }
                    Ok(found) => texts.extend(found),
                    Err(Error::Git(git::Error::TooLarge { .. })) => set.unread += 1,
                    Err(Error::Refused { .. }) => set.unindexed += 1,
                    Err(error) => return Err(error),
                }
            }
        }
        texts.sort_by(|a, b| a.path.cmp(&b.path));
        // Parsing is most of the work.
        let compared: Vec<Compared> = texts.into_par_iter().map(Texts::compared).collect();
        for compared in compared {
            let file = self.changed(&compared, set.is_elsewhere);
            let has_new_signature = |symbol: &ChangedSymbol| symbol.has_new_signature == Some(true);
            let is_told_apart =
                graph::counts_arguments(lang_id(file.lang)) && file.symbols.iter().any(has_new_signature);
            if let Ok(at) = self.file_at(&file.path)
                && is_told_apart
                && !set.is_elsewhere
            {
                let before = Before::new(compared.old_facts, compared.added, compared.removed);
                set.before.insert(at, before);
            }
            set.files.push(file);
        }
        Ok(set)
    }

    fn sides(&self, part: &Part) -> Result<Vec<Sides>, Error> {
        let (old, new) = match part.range {
            Range::Disk(from) => return self.uncommitted(part, from),
            Range::Staged => return staged(&part.repository),
            Range::Trees(old, new) => (old, new),
        };
        let changes = part.repository.changes(old, new)?.into_iter();
        let sides = changes.map(|change| Sides {
            path: format!("{}{}", part.at, change.path),
            old: change.old.map(Content::Stored),
            new: change.new.map(Content::Stored),
        });
        Ok(sides.collect())
    }

    /// What differs between a tree, or else that of the last commit, and the disk.
    fn uncommitted(&self, part: &Part, from: Option<Id>) -> Result<Vec<Sides>, Error> {
        let repository = &part.repository;
        let head = last_commit(repository)?;
        // Without the list every file is compared by content.
        let index = index_of(repository)?;
        let committed = committed_files(repository, head, &index)?;
        // Older versions of what has been committed since.
        let mut older: FxHashMap<String, Option<Id>> = FxHashMap::default();
        if let (Some(from), Some(head)) = (from, head) {
            let changes = repository.changes(from, head)?.into_iter();
            older.extend(changes.map(|change| (change.path, change.old)));
        }
        let mut sides = self.differing_here(&part.at, &index, &committed, &older);
        let committed = committed.into_iter().map(|(path, id)| (path, Some(id)));
        let then: FxHashMap<String, Option<Id>> = committed.chain(older).collect();
        for (path, id) in then {
            let path = format!("{}{path}", part.at);
            if let Some(id) = id.filter(|_| self.is_gone(&path)) {
                sides.push(Sides {
                    path,
                    old: Some(Content::Stored(id)),
                    new: None,
                });
            }
        }
        sides.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(sides)
    }

    /// The files of the repository at a place that are here and may be others than they were.
    fn differing_here(
        &self,
        at: &str,
        index: &Index,
        committed: &FxHashMap<String, Id>,
        older: &FxHashMap<String, Option<Id>>,
    ) -> Vec<Sides> {
        let others = index.entries.iter().filter(|entry| entry.is_repository);
        let others: Vec<String> = others.map(|entry| format!("{}/", entry.path)).collect();
        let listed: FxHashMap<&str, &git::IndexEntry> =
            index.entries.iter().map(|entry| (entry.path.as_str(), entry)).collect();
        let mut sides = Vec::new();
        for row in self.snapshot.reader().files().indexed() {
            let Some(path) = row.path.strip_prefix(at) else {
                continue;
            };
            if others.iter().any(|other| path.starts_with(other.as_str())) {
                continue;
            }
            let last = committed.get(path).copied();
            let old = match older.get(path) {
                Some(old) => *old,
                None => {
                    let entry = listed.get(path).filter(|entry| Some(entry.id) == last);
                    if entry.is_some_and(|entry| entry.is_as_on_disk(index, row.stat.size, row.stat.mtime_ns)) {
                        continue;
                    }
                    last
                }
            };
            sides.push(Sides {
                path: row.path.to_string(),
                old: old.map(Content::Stored),
                new: Some(Content::OnDisk),
            });
        }
        sides
    }

    fn is_indexed(&self, path: &str) -> bool {
        let row = self.snapshot.reader().files().by_path(path);
        row.is_some_and(|row| row.is_indexed())
    }

    /// What is there and not indexed is left out on purpose.
    fn is_gone(&self, path: &str) -> bool {
        let is_known = self.snapshot.reader().files().by_path(path).is_some();
        !is_known && matches!(self.snapshot.workspace().root().read(path, 0), Err(Unreadable::Gone))
    }

    /// Both versions of a file; nothing if they are the same, or no text.
    fn texts(&self, repository: &Repository, sides: Sides) -> Result<Option<Texts>, Error> {
        let row = self.snapshot.reader().files().by_path(&sides.path);
        let read = |content: Option<Content>| -> Result<Option<Vec<u8>>, Error> {
            Ok(match content {
                None => None,
                Some(Content::Stored(id)) => {
                    let blob = self.snapshot.workspace().root().read_blob(repository, &sides.path, id);
                    Some(blob.map_err(Error::blob(&sides.path))?)
                }
                Some(Content::OnDisk) => Some(self.snapshot.current_bytes(row.ok_or(Error::Stale)?)?),
            })
        };
        let (old, new) = (read(sides.old)?, read(sides.new)?);
        if old == new {
            return Ok(None);
        }
        let text = |bytes: Option<Vec<u8>>| -> Option<Option<String>> {
            match bytes {
                None => Some(None),
                // As git may have done when it took the file in; to those who use a definition it is no change.
                Some(bytes) => Some(Some(source::decode(&bytes)?.text.replace("\r\n", "\n"))),
            }
        };
        let (Some(old), Some(new)) = (text(old), text(new)) else {
            return Ok(None);
        };
        let path = sides.path;
        Ok((old != new).then_some(Texts { path, old, new }))
    }

    fn changed(&self, compared: &Compared, is_elsewhere: bool) -> ChangedFile {
        let old = Version::new(&compared.old_facts, &compared.old_text);
        let new = Version::new(&compared.new_facts, &compared.new_text);
        let symbols = self.symbols(compared, &old, &new, is_elsewhere);
        let used = |facts: &FileFacts| {
            let used = facts.references.iter();
            used.map(|one| facts.names.get(one.name).to_owned()).collect()
        };
        let uses = is_elsewhere.then(|| used(new.facts));
        let offered = |version: &Version<'_>| -> Vec<(String, u32)> {
            let facts = version.facts;
            let hands_on = graph::imports_are_exports(compared.lang.id);
            let outside = |import: &&Import| facts.enclosing(import.at).is_none();
            let handed = facts
                .imports
                .iter()
                .filter(outside)
                .filter(|import| import.reexport || hands_on);
            let named = handed.filter_map(|import| Some((import.alias.or(import.item)?, import.at)));
            named
                .map(|(name, at)| (facts.names.get(name).to_owned(), facts.lines.line(at)))
                .collect()
        };
        let still: FxHashSet<String> = offered(&new).into_iter().map(|(name, _)| name).collect();
        let mut removed_reexports = offered(&old);
        removed_reexports.retain(|(name, _)| {
            !still.contains(name) && !new.facts.symbols.iter().any(|one| new.facts.name(one) == name)
        });
        if compared.kind == ChangeKind::Removed {
            removed_reexports.clear();
        }
        let is_loose = compared.kind == ChangeKind::Modified
            && (compared.added.iter().any(|line| new.is_loose(*line))
                || compared.removed.iter().any(|line| old.is_loose(*line)))
            && !compared.says_the_same(&old.loose(), &new.loose());
        ChangedFile {
            removed_reexports,
            is_loose,
            uses,
            lang: compared.lang.name,
            kind: compared.kind,
            added_lines: compared.added.len() as u32,
            removed_lines: compared.removed.len() as u32,
            symbols,
            path: compared.path.clone(),
        }
    }

    fn symbols(
        &self,
        compared: &Compared,
        old: &Version<'_>,
        new: &Version<'_>,
        is_elsewhere: bool,
    ) -> Vec<ChangedSymbol> {
        let row = self.snapshot.reader().files().by_path(&compared.path);
        let current = row.and_then(|row| self.graph.file(row.id));
        let current = current.and_then(|file| Some((file, self.resolver().view(file)?)));
        let now = current
            .as_ref()
            .map(|(file, view)| (*file, Version::new(&view.facts, "")));
        // The definition that there is now of what another version has.
        let current = |version: &Version<'_>, at: SymbolIdx| -> Option<SymbolId> {
            let (file, now) = now.as_ref()?;
            let symbol = now.named(version, at)?;
            Some(SymbolId { file: *file, symbol })
        };
        let mut symbols = Vec::new();
        for at in compared.touched(old, new) {
            let change = match old.named(new, at) {
                None => ChangeKind::Added,
                Some(_) => ChangeKind::Modified,
            };
            symbols.push(match current(new, at) {
                Some(id) => {
                    let mut one = compared.symbol(new, at, change, Some(id));
                    one.is_layout = change == ChangeKind::Modified && compared.is_layout(old, new, at);
                    if one.kind.is_function() || one.kind.is_type() {
                        let before = old.named(new, at);
                        one.was = before;
                        one.has_new_signature = before.map(|before| old.signature(before) != new.signature(at));
                        one.old_shape = before
                            .and_then(|before| old.facts.signature_of(before))
                            .map(str::to_owned);
                    }
                    // It may have moved since that revision.
                    let name_at = self.symbol(id, |symbol| symbol.name_at);
                    one.line = name_at.map_or(0, |at| self.line(id.file, at));
                    one
                }
                None if is_elsewhere => ChangedSymbol {
                    is_layout: change == ChangeKind::Modified && compared.is_layout(old, new, at),
                    ..compared.symbol(new, at, change, None)
                },
                // It has been taken away since.
                None => compared.symbol(new, at, ChangeKind::Removed, None),
            });
        }
        for at in compared.gone(old, new) {
            let id = current(old, at);
            // What was taken away in that change may have come back since.
            if is_elsewhere || id.is_none() {
                symbols.push(compared.symbol(old, at, ChangeKind::Removed, id));
            }
        }
        symbols
    }
}

/// Both versions of a file that differ.
struct Texts {
    path: String,
    old: Option<String>,
    new: Option<String>,
}

/// What they consist of, and the lines that differ.
struct Compared {
    path: String,
    lang: &'static Lang,
    kind: ChangeKind,
    old_text: String,
    new_text: String,
    old_facts: FileFacts,
    new_facts: FileFacts,
    /// The code of both, where there are both.
    code: Option<[Code; 2]>,
    /// In the new text, from 1.
    added: Vec<u32>,
    /// In the old text, from 1.
    removed: Vec<u32>,
}

impl Compared {
    /// The definitions of the new version that are new or other than they were. What is new with what it is in is part of
    /// that.
    fn touched(&self, old: &Version<'_>, new: &Version<'_>) -> Vec<SymbolIdx> {
        let mut touched: Vec<SymbolIdx> = self.added.iter().filter_map(|line| new.at_line(*line)).collect();
        let removed = self.removed.iter().filter_map(|line| old.at_line(*line));
        touched.extend(removed.filter_map(|symbol| new.named(old, symbol)));
        // A line may hold several.
        touched.extend(new.named_on(&self.added).filter(|symbol| {
            let before = old.named(new, *symbol);
            before.is_none_or(|before| old.written(before) != new.written(*symbol))
        }));
        touched.sort_unstable();
        touched.dedup();
        let all = touched.clone();
        touched.retain(|at| {
            let parent = new.facts.symbols[*at].parent;
            !parent.is_some_and(|parent| all.binary_search(&parent).is_ok() && old.named(new, parent).is_none())
        });
        touched
    }

    /// The definitions of the old version that the new one has not. What is gone with what it was in is part of that.
    fn gone(&self, old: &Version<'_>, new: &Version<'_>) -> Vec<SymbolIdx> {
        let removed = self.removed.iter().filter_map(|line| old.at_line(*line));
        // A line may hold several.
        let removed = removed.chain(old.named_on(&self.removed));
        let mut gone: Vec<SymbolIdx> = removed.filter(|symbol| new.named(old, *symbol).is_none()).collect();
        gone.sort_unstable();
        gone.dedup();
        let all = gone.clone();
        gone.retain(|at| {
            let parent = old.facts.symbols[*at].parent;
            parent.is_none_or(|parent| all.binary_search(&parent).is_err())
        });
        gone
    }

    /// Whether a definition that both versions have says the same in both.
    fn is_layout(&self, old: &Version<'_>, new: &Version<'_>, at: SymbolIdx) -> bool {
        let before = old.named(new, at);
        before.is_some_and(|before| self.says_the_same(&old.region(before), &new.region(at)))
    }

    fn says_the_same(&self, before: &Region<'_>, now: &Region<'_>) -> bool {
        let code = self.code.as_ref();
        code.is_some_and(|[old, new]| old.is_same(before, new, now))
    }

    /// A definition of one of the versions, as it is told of.
    fn symbol(&self, version: &Version<'_>, at: SymbolIdx, change: ChangeKind, id: Option<SymbolId>) -> ChangedSymbol {
        let facts = version.facts;
        let symbol = &facts.symbols[at];
        ChangedSymbol {
            id,
            name: facts.name(symbol).to_owned(),
            qualified_name: self.lang.qualified_name(facts, symbol),
            kind: symbol.kind,
            change,
            has_new_signature: None,
            is_layout: false,
            old_shape: None,
            line: facts.lines.line(symbol.name_at),
            is_test: source::is_test_path(&self.path) || crate::symbols::in_test(facts, symbol),
            was: None,
        }
    }
}

impl Texts {
    fn compared(self) -> Compared {
        let kind = match (&self.old, &self.new) {
            (None, _) => ChangeKind::Added,
            (_, None) => ChangeKind::Removed,
            _ => ChangeKind::Modified,
        };
        let (old_text, new_text) = (self.old.unwrap_or_default(), self.new.unwrap_or_default());
        let any = if new_text.is_empty() { &old_text } else { &new_text };
        let name = self.path.rsplit('/').next().unwrap_or_default();
        let lang = detect(name, any.lines().next().unwrap_or_default().as_bytes());
        let input = InternedInput::new(old_text.as_str(), new_text.as_str());
        let mut diff = Diff::compute(Algorithm::Histogram, &input);
        diff.postprocess_lines(&input);
        let (mut added, mut removed) = (Vec::new(), Vec::new());
        for hunk in diff.hunks() {
            removed.extend(hunk.before.map(|line| line + 1));
            added.extend(hunk.after.map(|line| line + 1));
        }
        let has_definitions = lang.has_symbols() && !lang.is_data();
        let facts = |text: &str| match has_definitions {
            true => file_facts(lang, text, ChunkOptions { size: 2000, overlap: 0 }),
            false => FileFacts::default(),
        };
        let (old_facts, new_facts) = (facts(&old_text), facts(&new_text));
        let code = match kind == ChangeKind::Modified && has_definitions {
            true => Code::new(lang, &old_text, &old_facts).zip(Code::new(lang, &new_text, &new_facts)),
            false => None,
        };
        Compared {
            path: self.path,
            lang,
            kind,
            old_facts,
            new_facts,
            code: code.map(|(old, new)| [old, new]),
            old_text,
            new_text,
            added,
            removed,
        }
    }
}

/// One version of a file.
struct Version<'v> {
    facts: &'v FileFacts,
    text: &'v str,
    /// Where each name is, by its full path.
    by_path: FxHashMap<Vec<&'v str>, Vec<SymbolIdx>>,
}

impl<'v> Version<'v> {
    fn new(facts: &'v FileFacts, text: &'v str) -> Version<'v> {
        let mut by_path: FxHashMap<Vec<&str>, Vec<SymbolIdx>> = FxHashMap::default();
        for (at, symbol) in SymbolIdx::enumerate(&facts.symbols) {
            by_path.entry(facts.path_of(symbol)).or_default().push(at);
        }
        Version { facts, text, by_path }
    }

    /// Whether a line is a statement that is part of no definition and no import.
    fn is_loose(&self, line: u32) -> bool {
        let lines = &self.facts.lines;
        if line == 0 || line > lines.count() || self.facts.references.is_empty() {
            return false;
        }
        let span = lines.span(line);
        let from = self.facts.references.partition_point(|one| one.at < span.start);
        let here = self.facts.references[from..].iter().take_while(|one| one.at < span.end);
        let mut here = here.filter(|one| one.role != Role::Import && self.facts.enclosing(one.at).is_none());
        here.next().is_some()
    }

    /// A definition with its attributes, less the definitions inside of its body that have lines of their own: what differs
    /// there is told of them.
    fn region(&self, symbol: SymbolIdx) -> Region<'v> {
        let own = &self.facts.symbols[symbol];
        let span = whole(own);
        let inside = SymbolIdx::enumerate(&self.facts.symbols).filter(|(at, one)| {
            own.signature.end <= one.lead && one.span.end <= span.end && *at != symbol && self.counts(*at)
        });
        let apart = inside.map(|(_, one)| whole(one)).filter(|one| self.begins_line(*one));
        Region {
            text: self.text,
            span,
            apart: apart.collect(),
        }
    }

    /// What is part of no definition.
    fn loose(&self) -> Region<'v> {
        let outer = self.facts.symbols.iter().filter(|symbol| symbol.parent.is_none());
        Region {
            text: self.text,
            span: Span {
                start: 0,
                end: self.text.len() as u32,
            },
            apart: outer.map(whole).collect(),
        }
    }

    fn begins_line(&self, span: Span) -> bool {
        let lines = &self.facts.lines;
        let start = lines.span(lines.line(span.start)).start;
        let before = self.text.get(start as usize..span.start as usize);
        before.is_some_and(|before| before.trim().is_empty())
    }

    fn signature(&self, symbol: SymbolIdx) -> String {
        self.facts.signature(&self.facts.symbols[symbol], self.text)
    }

    fn written(&self, symbol: SymbolIdx) -> &'v str {
        let span = self.facts.symbols[symbol].span;
        self.text.get(span.range()).unwrap_or_default()
    }

    /// Whether a change to it is a change to a definition: no heading, no `impl`, and no clause that says of which
    /// package the file is.
    fn counts(&self, symbol: SymbolIdx) -> bool {
        let (at, symbol) = (symbol, &self.facts.symbols[symbol]);
        let holds = |one: &Symbol| symbol.span.start <= one.span.start && one.span.end <= symbol.span.end;
        let is_clause = || {
            symbol.kind == SymbolKind::Namespace
                && !SymbolIdx::enumerate(&self.facts.symbols).any(|(n, one)| n != at && holds(one))
        };
        rank(self.facts, symbol) < 2 && symbol.kind != SymbolKind::Impl && !is_clause()
    }

    /// The definitions whose names are on some lines.
    fn named_on(&self, lines: &[u32]) -> impl Iterator<Item = SymbolIdx> {
        let is_named = |symbol: &Symbol| lines.binary_search(&self.facts.lines.line(symbol.name_at)).is_ok();
        let all = SymbolIdx::enumerate(&self.facts.symbols);
        all.filter(move |(at, symbol)| is_named(symbol) && self.counts(*at))
            .map(|(at, _)| at)
    }

    /// The innermost definition that a line is part of, if the line says anything: not blank, and no comment before it.
    fn at_line(&self, line: u32) -> Option<SymbolIdx> {
        let lines = &self.facts.lines;
        if line == 0 || line > lines.count() {
            return None;
        }
        let span = lines.span(line);
        let text = self.text.get(span.range())?;
        let blank = text.len() - text.trim_start().len();
        if blank == text.len() {
            return None;
        }
        let at = span.start + blank as u32;
        // What only closes something says nothing.
        if text.trim().chars().all(|c| matches!(c, '}' | ')' | ']' | ';' | ',')) {
            return None;
        }
        let wanted = |at: &SymbolIdx| self.counts(*at);
        // Above a definition attributes and decorators count, comments do not.
        let leads = |symbol: &Symbol| symbol.lead <= at && at < symbol.span.start;
        if let Some(below) = self.facts.symbols.iter().position(leads) {
            let is_attribute = text.trim_start().starts_with(['@', '[']) || text.trim_start().starts_with("#[");
            return Some(SymbolIdx::new(below)).filter(|_| is_attribute).filter(wanted);
        }
        self.facts.enclosing(at).filter(wanted)
    }

    /// The definition here that is another version's: of the same name in the same place, and the same one of several.
    fn named(&self, other: &Version<'_>, symbol: SymbolIdx) -> Option<SymbolIdx> {
        let wanted = &other.facts.symbols[symbol];
        let path = other.facts.path_of(wanted);
        let fits = |facts: &FileFacts, at: &SymbolIdx| {
            let kind = facts.symbols[*at].kind;
            kind == wanted.kind
                || (kind.is_function() && wanted.kind.is_function())
                || (kind.is_type() && wanted.kind.is_type())
        };
        let of = |version: &Version<'_>| -> Vec<SymbolIdx> {
            let all = version.by_path.get(&path).into_iter().flatten().copied();
            all.filter(|at| fits(version.facts, at)).collect()
        };
        let (theirs, ours) = (of(other), of(self));
        let nth = theirs.iter().position(|at| *at == symbol)?;
        ours.get(nth).or(ours.last()).copied()
    }
}

/// A definition with the comments and attributes before it.
fn whole(symbol: &Symbol) -> Span {
    Span {
        start: symbol.lead,
        end: symbol.span.end,
    }
}
