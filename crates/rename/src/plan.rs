//! Another name for a definition: every place that must change, what cannot be proven, and what is in the way.
//!
//! Whether the new name is free is not told by rules of its own: the changed files are read and resolved as if they were
//! on disk, and every use of either name must mean what it meant before.

use std::{collections::BTreeMap, sync::Arc};

use graph::{Family, FileIdx, Meaning, Resolver, SymbolId, Use, View};
use index::content_hash;
use queries::{CodeGraph, Mention, SourceFile, Subject, places_of};
use refresh::MissedFiles;
use rustc_hash::FxHashMap;
use sandbox::Change;
use source::{Edit, PathGlobs};
use syntax::{Filled, Role, SymbolKind, Visibility, file_facts, filled, lang_id, n_faults, shorthands};
use workspace::Error;

use crate::{
    edits::{Moved, Site, Written, unified, written},
    locals::local_mentions,
    overlay::{Changed, compare, compare_locals},
    shorthand_log::{FileShorthands, ShorthandLog},
};

/// What is asked for.
#[derive(Debug)]
pub struct RenameRequest<'a> {
    pub name: &'a str,
    pub scope: RenameScope,
    /// Uses that are less sure are left as they are.
    pub least: f32,
}

/// The files that may be changed.
#[derive(Debug)]
pub enum RenameScope {
    Workspace,
    /// The one with the definition.
    File,
    Paths(PathGlobs),
}

/// A rename that has not happened yet.
#[derive(Debug, Default)]
pub struct Renaming {
    /// By path.
    pub files: Vec<RenamedFile>,
    /// Uses that may mean it and are left as they are, most likely first.
    pub left: Vec<LeftUse>,
    /// Words in comments, strings and documents, and in code that is not understood; nothing if the name is too common.
    pub mentions: Option<Vec<Mention>>,
    pub conflicts: Vec<Conflict>,
    /// What is worth knowing and in nobody's way.
    pub notes: Vec<String>,
    /// The file of a local name.
    pub(crate) local: Option<String>,
}

#[derive(Debug)]
pub struct RenamedFile {
    pub sites: Vec<RenamedSite>,
    /// Unified, without the lines that name the files.
    pub diff: String,
    pub change: Change,
    /// What cannot be seen of the result, if it has members at all that are given something.
    pub(crate) members: Option<FileShorthands>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct RenamedSite {
    pub line: u32,
    /// From 1, in characters.
    pub column: u32,
    pub kind: SiteKind,
    pub confidence: f32,
    /// Where the new name will be.
    pub(crate) at: u32,
}

#[derive(Debug, Clone, PartialEq)]
pub struct LeftUse {
    pub path: String,
    pub line: u32,
    pub column: u32,
    pub kind: SiteKind,
    pub confidence: f32,
}

/// What a name is at a place where it is, or may be, renamed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SiteKind {
    Definition,
    Use(Role),
    /// A parameter's name in a call.
    Argument,
    /// In a text that a macro fills in.
    Interpolation,
}

impl SiteKind {
    pub fn as_str(self) -> &'static str {
        match self {
            SiteKind::Definition => "definition",
            SiteKind::Use(role) => role.as_str(),
            SiteKind::Argument => "argument",
            SiteKind::Interpolation => "interpolation",
        }
    }
}

/// Why a rename must not happen.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Conflict {
    pub path: String,
    pub line: u32,
    pub reason: String,
}

/// What became of a rename that was applied.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RenameCheck {
    /// Places whose meaning was known before.
    pub known: usize,
    /// Those that lead to the renamed definition now.
    pub resolved: usize,
    /// The others, as `path:line`.
    pub unresolved: Vec<String>,
}

/// What is known by a rule of the language, and by none that says what is only likely.
pub const PROVEN: f32 = 0.9;

/// Definitions that uses may mean besides, and that are told of.
const MAX_OTHERS: usize = 5;

/// How much of a line is searched for a comment.
const MAX_LINE: usize = 400;

/// How likely `{ name }` is to fill in the member of that name of a type that is not known.
const SHORTHAND: f32 = 0.3;

pub(crate) struct Rename<'r, 'g> {
    pub(crate) graph: &'r CodeGraph<'g>,
    pub(crate) subject: &'r Subject,
    pub(crate) request: &'r RenameRequest<'r>,
    pub(crate) family: Family,
    /// Where it is, if it is a local name.
    pub(crate) local: Option<FileIdx>,
    pub(crate) sites: BTreeMap<FileIdx, Vec<Site>>,
    pub(crate) filled: FxHashMap<FileIdx, Vec<Filled>>,
    pub(crate) written_out: ShorthandLog,
    pub(crate) outside_scope: Vec<(FileIdx, u32)>,
    pub(crate) found: Renaming,
}

/// What another name for a subject would change.
pub fn plan(graph: &CodeGraph<'_>, subject: &Subject, request: &RenameRequest<'_>) -> Result<Renaming, Error> {
    let mut rename = Rename::new(graph, subject, request);
    rename.family = graph.resolver().family(&subject.ids);
    rename.check_name()?;
    rename.add_definitions()?;
    rename.add_uses()?;
    rename.check_definitions()?;
    rename.finish()
}

impl<'r, 'g> Rename<'r, 'g> {
    pub(crate) fn new(
        graph: &'r CodeGraph<'g>,
        subject: &'r Subject,
        request: &'r RenameRequest<'r>,
    ) -> Rename<'r, 'g> {
        Rename {
            graph,
            subject,
            request,
            family: Family::default(),
            local: None,
            sites: BTreeMap::new(),
            filled: FxHashMap::default(),
            written_out: ShorthandLog::load(graph.snapshot().workspace().session_dir()),
            outside_scope: Vec::new(),
            found: Renaming::default(),
        }
    }

    fn resolver(&self) -> &Resolver<'_> {
        self.graph.resolver()
    }

    fn old(&self) -> &str {
        &self.subject.hit.name
    }

    fn conflict(&mut self, id: SymbolId, reason: String) -> Result<(), Error> {
        let hit = self.graph.hit(id)?;
        self.found.conflicts.push(Conflict {
            path: hit.path,
            line: hit.line,
            reason,
        });
        Ok(())
    }

    /// What no name can be in any language; the rest is seen when the result is read.
    pub(crate) fn check_name(&self) -> Result<(), Error> {
        let (old, new) = (self.old(), self.request.name);
        let bad = |reason: String| {
            Err(Error::BadName {
                name: new.to_owned(),
                reason,
            })
        };
        let is_new_sign = |c: char| !(index::token::is_word_char(c) || c == '$' || old.contains(c));
        if new == old {
            return bad("it is called that already".into());
        }
        if new.is_empty() || new.chars().count() > 200 {
            return bad("a name has 1 to 200 characters".into());
        }
        if let Some(sign) = new.chars().find(|c| is_new_sign(*c)) {
            return bad(format!("`{}` cannot be part of a name", sign.escape_debug()));
        }
        if new.starts_with(|c: char| c.is_ascii_digit()) {
            return bad("a name does not begin with a digit".into());
        }
        Ok(())
    }

    fn add_definitions(&mut self) -> Result<(), Error> {
        for id in self.family.ids.clone() {
            let Some(name_at) = self.graph.symbol(id, |symbol| symbol.name_at) else {
                continue;
            };
            let source = self.graph.source(id.file)?;
            if let Some(view) = self.resolver().view(id.file) {
                let clauses: Vec<u32> = view.clauses(&view.facts.symbols[id.symbol]).collect();
                for at in clauses {
                    if let Written::Name(offset) = written(&source.text, at, self.old(), None) {
                        self.add(id.file, &source, at + offset, SiteKind::Definition, 1.0);
                    }
                }
            }
            match written(&source.text, name_at, self.old(), None) {
                Written::Name(offset) => self.add(id.file, &source, name_at + offset, SiteKind::Definition, 1.0),
                _ if self.family.fixed.contains(&id) => {}
                _ => self.conflict(id, "its name is written in another way here".into())?,
            }
        }
        Ok(())
    }

    fn add_uses(&mut self) -> Result<(), Error> {
        let uses = self.resolver().uses_of_family(&self.family);
        let suffix = self.resolver().implied_suffix(self.subject.ids[0]);
        let mut aliased = 0;
        let mut others: BTreeMap<SymbolId, usize> = BTreeMap::new();
        for used in &uses.uses {
            let source = self.graph.source(used.file)?;
            let place = written(&source.text, used.at, self.old(), suffix);
            if used.confidence < self.request.least {
                if place != Written::Other {
                    self.leave(used, &source);
                }
                continue;
            }
            match place {
                Written::Name(offset) => {
                    for other in self.also_meant(used) {
                        *others.entry(other).or_default() += 1;
                    }
                    self.add(
                        used.file,
                        &source,
                        used.at + offset,
                        SiteKind::Use(used.role),
                        used.confidence,
                    );
                }
                Written::Short => self.add_short(used, &source, suffix.unwrap_or_default()),
                Written::Other => aliased += 1,
            }
        }
        if aliased > 0 {
            self.found
                .notes
                .push(format!("{aliased} uses by another name stay as they are."));
        }
        for (id, count) in others.into_iter().take(MAX_OTHERS) {
            let hit = self.graph.hit(id)?;
            let note = format!(
                "{count} of the uses may as well mean `{}` at {}:{}, which keeps its name.",
                hit.name, hit.path, hit.line
            );
            self.found.notes.push(note);
        }
        if uses.unseen > 0 {
            let note = format!(
                "{} files have this common name and not that of its type; they were not looked at.",
                uses.unseen
            );
            self.found.notes.push(note);
        }
        self.tell_unparsed();
        self.leave_shorthands()
    }

    /// What files that could not be parsed do with the name is not known.
    fn tell_unparsed(&mut self) {
        let MissedFiles { shown, total } = self.graph.snapshot().not_looked_into();
        let named = shown.iter().map(|file| format!("{} ({})", file.path, file.reason));
        let named: Vec<String> = named.collect();
        let more = match total - shown.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        if total > 0 {
            self.found.notes.push(format!(
                "Not parsed, and left as it is: {}{more}; what uses `{}` there has to be renamed by hand.",
                named.join(", "),
                self.subject.hit.name
            ));
        }
    }

    /// Definitions that a use may mean besides, and that are not renamed: those of the other branch of an import.
    fn also_meant(&self, used: &Use) -> Vec<SymbolId> {
        let meaning = used.reference.map(|index| self.resolver().meaning(used.file, index));
        match meaning {
            Some(Meaning::Symbols(symbols, _)) if symbols.iter().any(|id| self.family.ids.contains(id)) => {
                let others = symbols.into_iter().filter(|id| !self.family.ids.contains(id));
                others.collect()
            }
            _ => Vec::new(),
        }
    }

    /// An attribute is used without its suffix, as long as it has one.
    fn add_short(&mut self, used: &Use, source: &SourceFile, suffix: &str) {
        let text = self.request.name.strip_suffix(suffix).unwrap_or(self.request.name);
        let edit = Edit {
            at: used.at,
            len: (self.old().len() - suffix.len()) as u32,
            text: text.to_owned(),
        };
        if self.is_in_scope(used.file, &source.path) {
            self.sites.entry(used.file).or_default().push(Site {
                edit,
                offset: 0,
                was_at: used.at,
                kind: SiteKind::Use(used.role),
                confidence: used.confidence,
            });
        } else {
            self.outside_scope.push((used.file, used.at));
        }
    }

    fn is_in_scope(&self, file: FileIdx, path: &str) -> bool {
        match &self.request.scope {
            RenameScope::Workspace => true,
            RenameScope::File => self.local == Some(file) || self.subject.ids.iter().any(|id| id.file == file),
            RenameScope::Paths(globs) => globs.matches(path),
        }
    }

    pub(crate) fn add(&mut self, file: FileIdx, source: &SourceFile, at: u32, kind: SiteKind, confidence: f32) {
        if !self.is_in_scope(file, &source.path) {
            self.outside_scope.push((file, at));
            return;
        }
        let (old, new) = (self.subject.hit.name.as_str(), self.request.name);
        let name_of = |(at, len): (u32, u32)| &source.text[at as usize..(at + len) as usize];
        let own_len = old.len() as u32;
        let (edit_at, len, text, offset) = match self.filled_at(file, source, at) {
            // An import takes what is called so: there it is one thing.
            _ if matches!(
                kind,
                SiteKind::Use(Role::Import) | SiteKind::Argument | SiteKind::Interpolation
            ) =>
            {
                (at, own_len, new.to_owned(), 0)
            }
            // Of one name for two things the other keeps it.
            Some(Filled { value: None, .. }) if self.is_member() => (at, own_len, format!("{new}: {old}"), 0),
            Some(Filled { value: None, .. }) => (at, own_len, format!("{old}: {new}"), old.len() + 2),
            // Two things of one name need it once, as they would have been written.
            Some(Filled {
                at: member,
                len: member_len,
                value: Some(value),
            }) if name_of(if at == member { value } else { (member, member_len) }) == new
                && self.would_be_short(file, source, (member, member_len), value) =>
            {
                (member, value.0 + value.1 - member, new.to_owned(), 0)
            }
            _ => (at, own_len, new.to_owned(), 0),
        };
        let sites = self.sites.entry(file).or_default();
        let overlaps = |site: &Site| site.edit.at < edit_at + len && edit_at < site.edit.at + site.edit.len;
        if sites.iter().any(overlaps) {
            return;
        }
        sites.push(Site {
            edit: Edit { at: edit_at, len, text },
            offset: offset as u32,
            was_at: at,
            kind,
            confidence,
        });
    }

    /// Whether it is asked of something, rather than standing for itself.
    fn is_member(&self) -> bool {
        let kind = self.subject.hit.kind;
        matches!(kind, SymbolKind::Field | SymbolKind::Property | SymbolKind::Method)
    }

    /// Whether a member would not have been written out, were it given something of its own name: it was not before a
    /// rename, or none in the file is.
    fn would_be_short(&self, file: FileIdx, source: &SourceFile, member: (u32, u32), value: (u32, u32)) -> bool {
        if let Some(known) = self.members_of(file) {
            return known.at().contains(&member.0);
        }
        let text = |(at, len): (u32, u32)| &source.text[at as usize..(at + len) as usize];
        let mut all = self.filled.get(&file).into_iter().flatten();
        let writes_out = all.any(|one| one.value.is_some_and(|value| text(value) == text((one.at, one.len))));
        !writes_out && value.0 == member.0 + member.1 + 2
    }

    /// What the last rename has left behind in a file, if nothing else has changed it since.
    fn members_of(&self, file: FileIdx) -> Option<&FileShorthands> {
        self.written_out.of(&self.graph.row(file)?.hash)
    }

    /// The same for what this rename leaves behind.
    fn members_after(&self, file: FileIdx, sites: &[Site], moved: &Moved, after: [u8; 32]) -> Option<FileShorthands> {
        let known = self.members_of(file);
        let has_members = self.filled.get(&file).is_some_and(|filled| !filled.is_empty());
        if known.is_none() && !has_members {
            return None;
        }
        let old_len = self.old().len() as u32;
        let is_short_now = |at: u32| sites.iter().any(|site| site.edit.at == at && site.edit.len > old_len);
        let before = known.map_or(&[][..], FileShorthands::at).iter();
        let kept = before.filter(|at| !is_short_now(**at)).map(|at| moved.to(*at));
        let new = sites.iter().filter(|site| site.writes_out());
        let new = new.map(|site| moved.to(site.was_at) - site.offset);
        Some(FileShorthands::new(&after, kept.chain(new).collect()))
    }

    /// The member of a literal or a pattern that a name at a place is part of.
    fn filled_at(&mut self, file: FileIdx, source: &SourceFile, at: u32) -> Option<Filled> {
        let known = self.filled.entry(file);
        let known = known.or_insert_with(|| filled(source.lang, &source.text));
        let is_it = |one: &&Filled| one.at == at || one.value.is_some_and(|(value, _)| value == at);
        known.iter().find(is_it).copied()
    }

    fn leave(&mut self, used: &Use, source: &SourceFile) {
        self.found.left.push(LeftUse {
            path: source.path.clone(),
            line: source.facts.lines.line(used.at),
            column: source.column(used.at),
            kind: SiteKind::Use(used.role),
            confidence: used.confidence,
        });
    }

    /// `{ name }` may fill in a member, which no use of the variable tells.
    fn leave_shorthands(&mut self) -> Result<(), Error> {
        if !self.is_member() || !lang_id(self.subject.hit.lang).lang().conventions.has_shorthand_members {
            return Ok(());
        }
        let word = self.old().to_owned();
        for file in self.graph.mentioning(&word) {
            let source = self.graph.source(file)?;
            // Most files have none, and reading one takes long.
            if !places_of(&source.text, &word).any(|at| may_be_short(&source.text, at as usize, word.len())) {
                continue;
            }
            for at in shorthands(source.lang, &source.text) {
                let is_it = written(&source.text, at, &word, None) == Written::Name(0);
                let sites = self.sites.get(&file);
                let is_edited = sites.is_some_and(|sites| sites.iter().any(|site| site.edit.at == at));
                if is_it && !is_edited && SHORTHAND < self.request.least {
                    self.found.left.push(LeftUse {
                        path: source.path.clone(),
                        line: source.facts.lines.line(at),
                        column: source.column(at),
                        kind: SiteKind::Use(Role::Member),
                        confidence: SHORTHAND,
                    });
                }
            }
        }
        Ok(())
    }

    /// What can be said of the definitions without looking at the result.
    fn check_definitions(&mut self) -> Result<(), Error> {
        let new = self.request.name.to_owned();
        for id in self.family.fixed.clone() {
            self.conflict(
                id,
                "the language, or the type that is constructed, gives it its name".into(),
            )?;
        }
        for id in self.family.files.clone() {
            self.conflict(id, format!("it is a file: move that to `{new}`, and this with it"))?;
        }
        for id in self.family.foreign.clone() {
            self.conflict(id, "it stands in for something that is not of this workspace".into())?;
        }
        let mut unsure = Vec::new();
        for id in self.family.perhaps_foreign.clone() {
            let source = self.graph.source(id.file)?;
            let symbol = &source.facts.symbols[id.symbol];
            let before = &source.text[symbol.lead as usize..symbol.name_at as usize];
            let mut words = before.split(|c: char| !c.is_alphanumeric());
            if words.any(|word| word.eq_ignore_ascii_case("override")) {
                self.conflict(id, "it overrides something that is not of this workspace".into())?;
            } else {
                unsure.push(format!("{}:{}", source.path, source.facts.lines.line(symbol.name_at)));
            }
        }
        if let Some(first) = unsure.first() {
            let more = match unsure.len() {
                1 => String::new(),
                n => format!(" and {} more", n - 1),
            };
            self.found.notes.push(format!(
                "{first}{more}: its type is derived from something that is not of this workspace, and may get it from there."
            ));
        }
        for id in self.resolver().in_the_way(&self.family, &new) {
            self.conflict(id, format!("`{new}` is defined here already"))?;
        }
        self.tell_declared();
        self.check_scope()?;
        self.check_file_name()
    }

    /// What tells others of it has its name, too, and may be made by a tool.
    fn tell_declared(&mut self) {
        let declared = self
            .subject
            .others
            .iter()
            .skip(self.subject.ids.len().saturating_sub(1));
        let places: Vec<String> = declared.map(|hit| format!("{}:{}", hit.path, hit.line)).collect();
        if !places.is_empty() {
            let note = format!("Declared for others at {}, which stays as it is.", places.join(", "));
            self.found.notes.push(note);
        }
    }

    /// That nothing must change that may not.
    pub(crate) fn check_scope(&mut self) -> Result<(), Error> {
        if let Some((file, at)) = self.outside_scope.first().copied() {
            let source = self.graph.source(file)?;
            self.found.conflicts.push(Conflict {
                path: source.path.clone(),
                line: source.facts.lines.line(at),
                reason: match self.outside_scope.len() {
                    1 => "1 use lies outside the scope".to_owned(),
                    uses => format!("{uses} uses lie outside the scope; this is the first"),
                },
            });
        }
        Ok(())
    }

    /// A file may be named after what it defines.
    fn check_file_name(&mut self) -> Result<(), Error> {
        let hit = &self.subject.hit;
        let name = hit.path.rsplit('/').next().unwrap_or_default();
        let (stem, extension) = name.split_once('.').unwrap_or((name, ""));
        if stem != hit.name || !hit.kind.is_type() {
            return Ok(());
        }
        let should = format!("{}.{extension}", self.request.name);
        if lang_id(hit.lang).lang().conventions.public_type_names_file && hit.visibility == Some(Visibility::Public) {
            let reason = format!("the file of a public type is named after it: it must become `{should}`");
            return self.conflict(self.subject.ids[0], reason);
        }
        self.found.notes.push(format!(
            "{} is named after it: perhaps it should become `{should}`.",
            hit.path
        ));
        Ok(())
    }

    /// Reads and resolves the result, and makes it into what is shown.
    pub(crate) fn finish(mut self) -> Result<Renaming, Error> {
        let all = std::mem::take(&mut self.sites);
        let of_local = self.local.and_then(|file| all.get(&file)).into_iter().flatten();
        let of_local: Vec<u32> = of_local.map(|site| site.was_at).collect();
        let mut changed = FxHashMap::default();
        for (file, sites) in all {
            if let Some(one) = self.change_file(file, sites)? {
                changed.insert(file, one);
            }
        }
        let (old, new) = (self.old(), self.request.name);
        let differing = match self.local {
            Some(file) => compare_locals(self.graph, file, &changed, [old, new])?,
            None => compare(self.graph, &self.family, changed, old, new)?,
        };
        self.found.mentions = match self.local {
            Some(file) => Some(local_mentions(self.graph, file, old, &of_local)?),
            None => self.graph.mentions(self.subject)?,
        };
        self.found.conflicts.extend(differing);
        self.found.sort();
        Ok(self.found)
    }

    /// Changes a file, and reads the result. Nothing if it cannot be written as it would have to be.
    fn change_file(&mut self, file: FileIdx, mut sites: Vec<Site>) -> Result<Option<Changed>, Error> {
        sites.sort_by_key(|site| site.edit.at);
        let source = self.graph.source(file)?;
        let edits: Vec<Edit> = sites.iter().map(|site| site.edit.clone()).collect();
        let text = source::edited(&source.text, &edits);
        let row = self.graph.row(file).ok_or(Error::Stale)?;
        let before = self.graph.snapshot().current_bytes(row)?;
        let after = source::edited_bytes(&before, &edits);
        let is_same = |after: &Vec<u8>| source::decode(after).is_some_and(|decoded| decoded.text == text);
        let Some(after) = after.filter(is_same) else {
            self.found.conflicts.push(Conflict {
                path: source.path.clone(),
                line: 1,
                reason: "its encoding does not survive an edit".into(),
            });
            return Ok(None);
        };
        self.check_word(&source, &text, edits[0].at);
        let facts = file_facts(source.lang, &text, self.graph.snapshot().chunk_options());
        self.check_reading(&source, &sites, &facts)?;
        let moved = Moved::new(&sites);
        let members = self.members_after(file, &sites, &moved, content_hash(source.lang, &after));
        let shown = sites.iter().map(|site| RenamedSite {
            line: source.facts.lines.line(site.was_at),
            column: source.column(site.was_at),
            kind: site.kind,
            confidence: site.confidence,
            at: moved.to(site.was_at),
        });
        self.found.files.push(RenamedFile {
            sites: shown.collect(),
            diff: unified(&source.text, &text),
            change: Change {
                path: source.path.clone(),
                before,
                after,
            },
            members,
        });
        let proven = sites.iter().filter(|site| site.confidence >= PROVEN);
        Ok(Some(Changed {
            text,
            view: Arc::new(View::new(Arc::new(facts))),
            proven: proven.map(|site| site.was_at).collect(),
            moved,
        }))
    }

    /// That a word is a name where it is used as one: some words of a language are, in places.
    fn check_word(&mut self, source: &SourceFile, text: &str, at: u32) {
        let name = self.request.name;
        let is_keyword = source.lang.is_keyword(name);
        if n_faults(source.lang, text) > n_faults(source.lang, &source.text) {
            let reason = match is_keyword {
                true => format!("`{name}` is a reserved word in {}", source.lang.name),
                false => format!("{} does not read `{name}` as a name here", source.lang.name),
            };
            self.found.conflicts.push(Conflict {
                path: source.path.clone(),
                line: source.facts.lines.line(at),
                reason,
            });
        }
    }

    /// That the changed text is read as it was, but for the name.
    fn check_reading(&mut self, source: &SourceFile, sites: &[Site], facts: &syntax::FileFacts) -> Result<(), Error> {
        if source.lang.is_reserved(self.request.name) {
            return Err(Error::BadName {
                name: self.request.name.to_owned(),
                reason: format!("it is a reserved word in {}", source.lang.name),
            });
        }
        let moved = Moved::new(sites);
        let definitions = sites.iter().filter(|site| site.kind == SiteKind::Definition);
        for site in definitions {
            let at = moved.to(site.was_at);
            let is_there = |symbol: &syntax::Symbol| {
                symbol.name_at <= at
                    && at <= symbol.name_at + 1
                    && facts.name(symbol).trim_start_matches(['~', '@']) == self.request.name
            };
            let is_new = |name| facts.names.get(name) == self.request.name;
            let is_bound = |binding: &syntax::Binding| binding.at == at && is_new(binding.name);
            let is_clause = |note| matches!(note, syntax::Note::FurtherClause(name) if is_new(name));
            let is_read = match self.local.is_some() {
                true => facts.bindings.iter().any(is_bound),
                false => facts.notes_at(at).any(is_clause),
            };
            if !is_read && !facts.symbols.iter().any(is_there) {
                return Err(Error::BadName {
                    name: self.request.name.to_owned(),
                    reason: format!("{} does not read it as one", source.lang.name),
                });
            }
        }
        // A key that was written out, or is one with its value again, may be a definition on one side alone.
        let written_out: Vec<&Site> = sites.iter().filter(|site| site.writes_out()).collect();
        let is_own = |symbol: &&syntax::Symbol| {
            let is_at = |site: &&Site| symbol.name_at + site.offset == moved.to(site.was_at);
            !written_out.iter().any(is_at)
        };
        let was_own = |symbol: &&syntax::Symbol| {
            let is_at = |site: &&Site| symbol.name_at == site.edit.at;
            !moved.is_joined(symbol.name_at) && !written_out.iter().any(is_at)
        };
        let n_before = source.facts.symbols.iter().filter(was_own).count();
        if facts.symbols.iter().filter(is_own).count() != n_before {
            self.found.conflicts.push(Conflict {
                path: source.path.clone(),
                line: source.facts.lines.line(sites[0].was_at),
                reason: "the file would be read as something else".into(),
            });
        }
        Ok(())
    }
}

/// Whether a name may be a member and its value at once, by what is around it: `{ name }`, `{ one, name = 1 }`. What a
/// comment around it hides may be anything.
fn may_be_short(text: &str, at: usize, len: usize) -> bool {
    let (before, behind) = (text[..at].trim_end(), text[at + len..].trim_start());
    let line = before[before.ceil_char_boundary(before.len().saturating_sub(MAX_LINE))..]
        .lines()
        .next_back();
    let begins = before.ends_with(['{', ',', '/']) || line.is_some_and(|line| line.contains("//"));
    begins && behind.starts_with([',', '}', '=', '/'])
}

impl Renaming {
    /// Brings everything into an order that depends on nothing else, each thing once.
    fn sort(&mut self) {
        self.conflicts.sort();
        self.conflicts.dedup();
        self.files.sort_by(|a, b| a.change.path.cmp(&b.change.path));
        self.left.sort_by(|a, b| {
            b.confidence
                .total_cmp(&a.confidence)
                .then_with(|| (&a.path, a.line).cmp(&(&b.path, b.line)))
        });
        // What is changed is not left as it is.
        let files = &self.files;
        self.mentions.iter_mut().for_each(|mentions| {
            mentions.retain(|mention| {
                let file = files.iter().find(|file| file.change.path == mention.path);
                let is_site = |site: &RenamedSite| (site.line, site.column) == (mention.line, mention.column);
                !file.is_some_and(|file| file.sites.iter().any(is_site))
            });
        });
    }
}
