//! Questions about how definitions hang together: who uses one, who calls it, what stands in for it.

use std::{
    cell::RefCell,
    rc::Rc,
    sync::{Arc, Mutex, PoisonError},
};

use graph::{
    Bounds, CallGraph, Callee, Caller, Drawing, Exact, FileIdx, Gone, Implementation, Meaning, Named, Reach, Resolver,
    SymbolId, Use, Uses, View, Way, World,
};
use index::FileRow;
use rustc_hash::{FxHashMap, FxHashSet};
use search::{Likeness, SymbolName};
use syntax::{FileFacts, PLAINTEXT, Role, Symbol, SymbolKind, lang_by_name};

use crate::{
    definition::What,
    dependencies::ImportGraph,
    error::{Error, QueryProblem},
    exact::{Asking, ExactMeaning},
    snapshot::Snapshot,
    symbols::{SourceFile, SymbolHit, in_test},
};

/// What a question is about.
#[derive(Debug, Clone, Copy)]
pub enum Asked<'a> {
    Name {
        name: &'a SymbolName,
        /// Only what this file declares.
        path: Option<&'a str>,
    },
    /// What is defined or used at a line, or at a column of it (in characters, from 1). A name only checks.
    At {
        path: &'a str,
        line: u32,
        column: Option<u32>,
        name: Option<&'a str>,
    },
}

/// Namesakes that an answer names.
const SHOWN_NAMESAKES: usize = 3;

/// One thing that a question can be about, with all its declarations.
#[derive(Debug, Clone, PartialEq)]
pub struct Subject {
    /// None of a local name.
    pub ids: Vec<SymbolId>,
    /// The definition that is shown for it.
    pub hit: SymbolHit,
    /// Its other declarations: a prototype, overloads, further parts.
    pub others: Vec<SymbolHit>,
    /// A few of the members of that name, where a name without an owner was taken to mean what has none.
    pub namesakes: Vec<SymbolHit>,
    pub namesakes_total: usize,
}

/// A use, ready to be shown.
#[derive(Debug, Clone, PartialEq)]
pub struct UseHit {
    pub path: String,
    pub line: u32,
    /// From 1, in characters.
    pub column: u32,
    pub role: Role,
    /// In words: `parameter of f()`, `call in g()`.
    pub role_text: String,
    /// The qualified name of the symbol that it is in, its kind, and the line of its name.
    pub enclosing: Option<(String, SymbolKind, u32)>,
    pub is_test: bool,
}

/// A word in a comment, a string or a document that is the name of what was asked about.
#[derive(Debug, Clone, PartialEq)]
pub struct Mention {
    pub path: String,
    pub line: u32,
    pub column: u32,
    pub place: MentionPlace,
    pub confidence: f32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MentionPlace {
    /// A link to it, in a comment.
    Link,
    /// A value that is put into a string where it is named.
    Interpolation,
    Comment,
    String,
    Document,
    Text,
}

impl MentionPlace {
    /// Whether it is known that the name means what was asked about.
    pub fn is_exact(self) -> bool {
        matches!(self, MentionPlace::Link | MentionPlace::Interpolation)
    }

    pub fn as_str(self) -> &'static str {
        match self {
            MentionPlace::Link => "link",
            MentionPlace::Interpolation => "interpolation",
            MentionPlace::Comment => "comment",
            MentionPlace::String => "string",
            MentionPlace::Document => "document",
            MentionPlace::Text => "text",
        }
    }
}

/// What stands in the directory of a package.
const MANIFESTS: &[&str] = &[
    "Cargo.toml",
    "package.json",
    "go.mod",
    "pyproject.toml",
    "setup.py",
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
];

/// Names that are in more files are common words; reading all of them for a comment tells nobody anything.
const MAX_MENTIONING: usize = 300;

/// A name that more files define is looked for with what it belongs to, or not at all.
const MAX_DEFINING: usize = 300;

/// So many files are looked at without asking which of them matter.
const FEW_FILES: usize = 8;

/// What views of one half of the cache may weigh, in bytes, roughly.
const CACHE_BYTES: usize = 7 << 20;

/// What views that one answer holds on to may weigh. Where a name is in a thousand files, each leads to others again and
/// again.
const HELD_BYTES: usize = 64 << 20;

/// Views of files by content, so that a commit only costs what has changed. Two halves: when the younger one is full the
/// older one goes.
#[derive(Default)]
pub(crate) struct ViewCache {
    young: FxHashMap<[u8; 32], Arc<View>>,
    old: FxHashMap<[u8; 32], Arc<View>>,
    weight: usize,
}

impl ViewCache {
    fn get(&mut self, hash: &[u8; 32]) -> Option<Arc<View>> {
        if let Some(view) = self.young.get(hash) {
            return Some(view.clone());
        }
        let view = self.old.remove(hash)?;
        self.put(*hash, view.clone());
        Some(view)
    }

    fn put(&mut self, hash: [u8; 32], view: Arc<View>) {
        self.weight += weight(&view);
        self.young.insert(hash, view);
        if self.weight > CACHE_BYTES {
            self.old = std::mem::take(&mut self.young);
            self.weight = 0;
        }
    }
}

/// What a view takes up, in bytes, roughly.
fn weight(view: &View) -> usize {
    let facts = &view.facts;
    1024 + facts.names.len() * 44
        + facts.symbols.len() * 160
        + facts.references.len() * 32
        + facts.bindings.len() * 40
        + facts.lines.count() as usize * 4
}

/// Views that one answer has asked for.
#[derive(Default)]
struct Held {
    views: FxHashMap<FileIdx, Arc<View>>,
    weight: usize,
}

/// A snapshot as resolution sees it.
pub(crate) struct Stored<'s> {
    snapshot: &'s Snapshot,
    graph: &'s ImportGraph,
    asking: Option<Asking<'s>>,
    held: RefCell<Held>,
    /// The first thing that went wrong; what is answered after it is not to be trusted.
    error: RefCell<Option<Error>>,
}

impl<'s> Stored<'s> {
    pub fn row(&self, file: FileIdx) -> Option<&'s FileRow> {
        self.snapshot.reader.files().by_id(self.graph.id(file)?)
    }

    /// A view of a file that earlier answers may have read.
    fn cached(&self, file: FileIdx) -> Option<Arc<View>> {
        let row = self.row(file)?;
        let cache = || {
            self.snapshot
                .workspace
                .views
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
        };
        if let Some(view) = cache().get(&row.hash) {
            return Some(view);
        }
        let facts = self.noted(self.snapshot.facts_at(row).map(Some))?;
        let view = Arc::new(View::new(Arc::new(facts)));
        cache().put(row.hash, view.clone());
        Some(view)
    }

    /// What knows a file's language exactly, and how it calls the file.
    fn asked_of(&self, file: FileIdx) -> Option<(&Asking<'s>, &str)> {
        let files = self.graph.modules.files();
        let asking = self
            .asking
            .as_ref()
            .filter(|asking| asking.lang() == files.lang(file))?;
        Some((asking, files.path(file)))
    }

    fn files(&self, ids: &FxHashSet<u64>) -> Vec<FileIdx> {
        let mut files: Vec<FileIdx> = ids.iter().filter_map(|id| self.graph.file(*id)).collect();
        files.sort_unstable();
        files
    }

    fn noted<T: Default>(&self, result: Result<T, Error>) -> T {
        result.unwrap_or_else(|error| {
            self.error.borrow_mut().get_or_insert(error);
            T::default()
        })
    }

    fn members(&self, owner: &str, name: &str) -> Vec<FileIdx> {
        let found = self.snapshot.reader.files_with_member(owner, name);
        self.files(&self.noted(found.map_err(|error| QueryProblem::Scan(error.to_string()).into())))
    }

    fn naming(&self, name: &str) -> (FxHashSet<u64>, FxHashSet<u64>) {
        let found = self.snapshot.reader.files_naming(name);
        self.noted(found.map_err(|error| QueryProblem::Scan(error.to_string()).into()))
    }
}

impl World for Stored<'_> {
    fn view(&self, file: FileIdx) -> Option<Arc<View>> {
        if let Some(view) = self.held.borrow().views.get(&file) {
            return Some(view.clone());
        }
        let view = self.cached(file)?;
        let mut held = self.held.borrow_mut();
        if held.weight < HELD_BYTES {
            held.weight += weight(&view);
            held.views.insert(file, view.clone());
        }
        Some(view)
    }

    fn defining(&self, name: &str) -> Vec<FileIdx> {
        self.files(&self.naming(name).0)
    }

    fn extending(&self, name: &str) -> Vec<FileIdx> {
        self.files(&self.naming(name).1)
    }

    fn mentioning(&self, name: &str) -> Vec<FileIdx> {
        // `empty?`, `#items`: the word in it.
        let Some(word) = index::token::words(name).max_by_key(|word| word.len()) else {
            // `_`, `$`: there is no word to find it by.
            let all = self.snapshot.reader.files().indexed().map(|row| row.id);
            return self.files(&all.collect());
        };
        let found = self.snapshot.reader.files_mentioning(word);
        let ids = self.noted(found.map_err(|error| QueryProblem::Scan(error.to_string()).into()));
        self.files(&ids)
    }

    fn exact(&self, file: FileIdx, at: u32) -> Option<Exact> {
        let (asking, path) = self.asked_of(file)?;
        let file_at = |path: &str| self.graph.file(self.snapshot.reader.files().by_path(path)?.id);
        match asking.meaning(path, at)? {
            ExactMeaning::Definitions(places) => {
                let names = places.iter().filter_map(|(path, at)| Some((file_at(path)?, *at)));
                Some(Exact::Names(names.collect()))
            }
            ExactMeaning::Elsewhere => Some(Exact::Elsewhere),
            ExactMeaning::Unknown => None,
        }
    }

    fn expect(&self, file: FileIdx, places: &mut dyn Iterator<Item = u32>) {
        if let Some((asking, path)) = self.asked_of(file) {
            asking.expect(path, places);
        }
    }
}

/// The graph of one snapshot, for one answer.
pub struct CodeGraph<'s> {
    pub(crate) snapshot: &'s Snapshot,
    pub(crate) graph: &'s ImportGraph,
    pub(crate) stored: &'s Stored<'s>,
    resolver: Resolver<'s>,
    sources: RefCell<FxHashMap<FileIdx, Rc<SourceFile>>>,
}

impl Snapshot {
    /// Asks the graph.
    pub fn graph<T, E: From<Error>>(&self, ask: impl FnOnce(&CodeGraph<'_>) -> Result<T, E>) -> Result<T, E> {
        let graph = self.import_graph()?;
        let stored = Stored {
            snapshot: self,
            graph: &graph,
            asking: Asking::new(self),
            held: RefCell::default(),
            error: RefCell::default(),
        };
        let answer = ask(&CodeGraph {
            snapshot: self,
            graph: &graph,
            stored: &stored,
            resolver: Resolver::new(&stored, &graph.modules),
            sources: RefCell::default(),
        });
        self.keep_exact();
        match stored.error.take() {
            Some(error) => Err(error.into()),
            None => answer,
        }
    }
}

impl CodeGraph<'_> {
    /// The things that a question can be about: none, the one, or several to choose from, in the order of `find_symbol`.
    /// Overloads and declarations in one place are one thing unless a position says which. The first `limit` of them, and
    /// how many there are.
    pub fn subjects(&self, asked: Asked<'_>, limit: usize) -> Result<(Vec<Subject>, usize), Error> {
        let mut namesakes = Vec::new();
        let mut groups = match asked {
            Asked::Name { name, path } => {
                let path = path.map(|path| self.file_at(path)).transpose()?;
                let groups = |name: &SymbolName| {
                    let files = path.map_or_else(|| self.files_defining(name), |path| vec![path]);
                    self.groups_named(name, files)
                };
                let mut groups = match groups(name) {
                    none if none.is_empty() => {
                        let mut modules = name.as_modules().map(|name| groups(&name));
                        modules.find(|found| !found.is_empty()).unwrap_or_default()
                    }
                    found => found,
                };
                if name.kind.is_none() {
                    self.without_packages(&mut groups);
                }
                if name.owners.is_empty() {
                    namesakes = self.without_members(&mut groups);
                }
                groups
            }
            Asked::At {
                path,
                line,
                column,
                name,
            } => self.groups_at(path, line, column, name)?,
        };
        let total = groups.len();
        if total > 1 {
            groups.sort_by_cached_key(|ids| ids.first().is_some_and(|id| self.is_aside(id.file)));
        }
        let mut subjects = Vec::new();
        for ids in groups.into_iter().take(limit) {
            subjects.extend(self.subject(ids)?);
        }
        if let [subject] = subjects.as_mut_slice() {
            subject.namesakes_total = namesakes.len();
            for id in namesakes.into_iter().take(SHOWN_NAMESAKES) {
                subject.namesakes.push(self.hit(id)?);
            }
        }
        Ok((subjects, total))
    }

    /// Whether a file is none that people mean first: a test, an example, what others wrote.
    fn is_aside(&self, file: FileIdx) -> bool {
        let path = self.graph.modules.files().path(file);
        source::is_test_path(path) || source::is_beside_path(path) || source::is_vendored_path(path)
    }

    fn subject(&self, ids: Vec<SymbolId>) -> Result<Option<Subject>, Error> {
        let mut hits = Vec::with_capacity(ids.len());
        for id in &ids {
            hits.push(self.hit(*id)?);
        }
        // A definition stands for its declarations.
        let main = hits.iter().position(|hit| !hit.is_declaration).unwrap_or(0);
        if hits.is_empty() {
            return Ok(None);
        }
        let hit = hits.remove(main);
        Ok(Some(Subject {
            ids,
            hit,
            others: hits,
            namesakes: Vec::new(),
            namesakes_total: 0,
        }))
    }

    /// Whether so many files define a name that looking at all of them takes its time, and tells nothing.
    pub fn is_everywhere(&self, name: &SymbolName) -> bool {
        self.stored.defining(self.spelling(name)).len() > MAX_DEFINING
    }

    /// The files that can define what a name means.
    fn files_defining(&self, name: &SymbolName) -> Vec<FileIdx> {
        let spelling = self.spelling(name);
        let mut files = self.stored.defining(spelling);
        // A member of a type is mostly known with its type; then the many others of that name need not be looked at.
        if let Some(owner) = name.owners.last().filter(|_| files.len() > FEW_FILES) {
            let members = self.stored.members(owner, spelling);
            if !members.is_empty() {
                return members;
            }
            // Or its owner is a module, which a file is named after.
            if files.len() > MAX_DEFINING {
                files.retain(|file| name.fits(&[spelling], self.path(*file)));
            }
        }
        files
    }

    /// The name as it is defined.
    fn spelling<'n>(&self, name: &'n SymbolName) -> &'n str {
        let mut defined = name.spellings().filter(|one| !self.stored.defining(one).is_empty());
        defined.next().unwrap_or(&name.name)
    }

    fn groups_named(&self, name: &SymbolName, files: Vec<FileIdx>) -> Vec<Vec<SymbolId>> {
        let mut groups: Vec<Vec<SymbolId>> = Vec::new();
        let mut order = Vec::new();
        let spelling = self.spelling(name);
        for file in files {
            let Some(view) = self.resolver.view(file) else { continue };
            let path = self.path(file);
            for (index, symbol) in view.symbols_named(spelling) {
                if name.kind.is_some_and(|kind| !kind.allows(symbol.kind))
                    || !name.fits_symbol(&view.facts, symbol, path)
                {
                    continue;
                }
                let id = SymbolId { file, symbol: index };
                if groups.iter().any(|group| group.contains(&id)) {
                    continue;
                }
                let mut group = self.resolver.same_thing(id);
                let overloads = overloads(&view, index).map(|symbol| SymbolId { file, symbol });
                // Those of a class itself are no overloads of what its values have.
                group.extend(overloads.filter(|other| self.resolver.is_static(*other) == self.resolver.is_static(id)));
                group.sort_unstable();
                group.dedup();
                // Another declaration of it was found before.
                let known = groups
                    .iter_mut()
                    .find(|known| known.iter().any(|one| group.contains(one)));
                match known {
                    Some(known) => {
                        known.extend(group);
                        known.sort_unstable();
                        known.dedup();
                    }
                    None => {
                        let is_test = source::is_test_path(path) || in_test(&view.facts, symbol);
                        order.push((is_test, crate::symbols::rank(&view.facts, symbol), groups.len()));
                        groups.push(group);
                    }
                }
            }
        }
        order.sort_unstable();
        // What a name is for people comes first; headings and keys only count where there is no code of that name.
        let best = order.iter().map(|(_, rank, _)| *rank).min().unwrap_or(0);
        let kept = order.into_iter().filter(|(_, rank, _)| *rank < 2 || best >= 2);
        let mut groups: Vec<Vec<SymbolId>> = kept.map(|(_, _, at)| std::mem::take(&mut groups[at])).collect();
        self.without_constructors(&mut groups);
        // Outer names may be left out; who gives them all means that one.
        if !name.owners.is_empty() && groups.iter().any(|group| self.is_whole(group, name)) {
            groups.retain(|group| self.is_whole(group, name));
        }
        if let Some(mark) = name.mark {
            let fits = |group: &Vec<SymbolId>| group.iter().any(|id| self.resolver.fits_mark(*id, mark));
            if groups.iter().any(fits) {
                groups.retain(fits);
            }
        }
        groups
    }

    /// A type and its constructors have one name, which means the type.
    fn without_constructors(&self, groups: &mut Vec<Vec<SymbolId>>) {
        let kind = |id: &SymbolId| {
            let view = self.resolver.view(id.file)?;
            Some(view.facts.symbols[id.symbol as usize].kind)
        };
        let is = |group: &[SymbolId], of: fn(SymbolKind) -> bool| group.iter().any(|id| kind(id).is_some_and(of));
        if groups.iter().any(|group| is(group, SymbolKind::is_type)) {
            groups.retain(|group| !is(group, |kind| kind == SymbolKind::Constructor));
        }
    }

    /// The clause that says which package a file is part of is hardly meant where something else has the name.
    fn without_packages(&self, groups: &mut Vec<Vec<SymbolId>>) {
        let is_package = |group: &Vec<SymbolId>| {
            let mut kinds = group.iter().map(|id| self.symbol(*id, |symbol| symbol.kind));
            kinds.all(|kind| kind == Some(SymbolKind::Namespace))
        };
        if !groups.iter().all(is_package) {
            groups.retain(|group| !is_package(group));
        }
    }

    /// Where one function or type of the product has a name for itself, the name alone means that; leaves it, and gives
    /// the members that have the name too.
    fn without_members(&self, groups: &mut Vec<Vec<SymbolId>>) -> Vec<SymbolId> {
        let mut free = (0..groups.len()).filter(|at| self.is_free(&groups[*at]));
        let (Some(only), None) = (free.next(), free.next()) else {
            return Vec::new();
        };
        let only = groups.swap_remove(only);
        let members = std::mem::replace(groups, vec![only]);
        let mut members: Vec<SymbolId> = members.iter().map(|group| group[0]).collect();
        members.sort_unstable();
        members
    }

    fn is_free(&self, group: &[SymbolId]) -> bool {
        group.iter().any(|id| {
            let Some(view) = self.resolver.view(id.file) else {
                return false;
            };
            let symbol = &view.facts.symbols[id.symbol as usize];
            let mut outer = view.outwards(symbol.parent);
            crate::symbols::rank(&view.facts, symbol) == 0
                && !self.is_test(*id)
                && symbol.owner.is_none()
                && outer.all(|(_, one)| matches!(one.kind, SymbolKind::Module | SymbolKind::Namespace))
        })
    }

    fn is_whole(&self, group: &[SymbolId], name: &SymbolName) -> bool {
        group.iter().any(|id| {
            let Some(view) = self.resolver.view(id.file) else {
                return false;
            };
            let path = view.facts.path_of(&view.facts.symbols[id.symbol as usize]);
            let steps = path[..path.len() - 1]
                .iter()
                .flat_map(|part| part.split(['.', '\\', ':']));
            steps
                .filter(|step| !step.is_empty())
                .eq(name.owners.iter().map(String::as_str))
        })
    }

    fn groups_at(
        &self,
        path: &str,
        line: u32,
        column: Option<u32>,
        name: Option<&str>,
    ) -> Result<Vec<Vec<SymbolId>>, Error> {
        let file = self.file_at(path)?;
        let source = self.source(file)?;
        source.check_line(line)?;
        // Where a definition is told to begin it is meant, not the decorator that stands there.
        let begins = |symbol: &Symbol| source.facts.lines.line(symbol.span.start) == line;
        let is_called = |symbol: &Symbol| name.is_none_or(|name| source.facts.name(symbol) == name);
        let is_decorated = |symbol: &Symbol| source.facts.lines.line(symbol.name_at) > line;
        let mut symbols = (0..).zip(&source.facts.symbols);
        let decorated = symbols.find(|(_, one)| begins(one) && is_decorated(one) && is_called(one));
        if let Some((symbol, _)) = decorated.filter(|_| column.is_none()) {
            return Ok(vec![self.resolver.same_thing(SymbolId { file, symbol })]);
        }
        let spots = source.spots_meant(line, column, name);
        let mut groups: Vec<Vec<SymbolId>> = Vec::new();
        let mut used: Vec<Vec<SymbolId>> = Vec::new();
        // What a function's own line declares inside of it is a part of how it is declared.
        let mut defined = spots.iter().filter_map(|spot| match spot.what {
            What::Symbol(at) => Some(&source.facts.symbols[at as usize]),
            _ => None,
        });
        let first = defined
            .next()
            .filter(|first| first.kind.is_function() && column.is_none());
        let is_function =
            first.is_some_and(|first| defined.all(|other| first.span.range().contains(&(other.name_at as usize))));
        for spot in spots {
            match spot.what {
                What::Symbol(_) if is_function && !groups.is_empty() => {}
                What::Symbol(at) => groups.push(self.resolver.same_thing(SymbolId { file, symbol: at })),
                What::Binding(_) => {}
                What::Reference(at) => {
                    if let Meaning::Symbols(symbols, _) = self.resolver.meaning(file, at) {
                        let same = symbols.iter().flat_map(|id| self.resolver.same_thing(*id));
                        let mut same: Vec<SymbolId> = same.collect();
                        same.sort_unstable();
                        same.dedup();
                        used.push(same);
                    }
                }
            }
        }
        // What is defined on a line is meant before what is used there.
        if groups.is_empty() {
            groups = used;
        }
        groups.sort();
        groups.dedup();
        Ok(groups)
    }

    /// The innermost definition that a line is part of.
    pub fn around(&self, path: &str, line: u32) -> Option<SymbolHit> {
        let file = self.file_at(path).ok()?;
        let source = self.source(file).ok()?;
        let span = source.facts.lines.span(line);
        let text = source.text.get(span.range())?;
        let at = span.start + (text.len() - text.trim_start().len()) as u32;
        let symbol = source.facts.enclosing(at)?;
        self.hit(SymbolId { file, symbol }).ok()
    }

    pub fn uses(&self, subject: &Subject) -> Uses {
        self.resolver.uses(&subject.ids)
    }

    pub fn callers(&self, subject: &Subject, depth: u32) -> Vec<Caller> {
        self.resolver.callers(&subject.ids, depth)
    }

    /// The calls among some uses of a subject, by the function that they are in.
    pub fn direct_callers(&self, subject: &Subject, uses: &Uses) -> Vec<Caller> {
        self.resolver.grouped(&uses.uses, subject.ids[0], 1)
    }

    pub fn callees(&self, subject: &Subject, depth: u32) -> Vec<Callee> {
        self.resolver.callees(&subject.ids, depth)
    }

    pub fn implementations(&self, subject: &Subject) -> Vec<Implementation> {
        self.resolver.implementations(&subject.ids)
    }

    /// Whether functions without a name can stand in for a subject; they are not among its implementations.
    pub fn is_functional(&self, subject: &Subject) -> bool {
        self.resolver.is_functional(&subject.ids)
    }

    /// The lines on which something without a name is derived from a subject, or written for it.
    pub fn unnamed(&self, subject: &Subject) -> Result<Vec<(String, u32)>, Error> {
        let mut lines = Vec::new();
        for (file, at) in self.resolver.unnamed(&subject.ids) {
            let source = self.source(file)?;
            // The type of a member is none: `Options['run']`.
            if !source.text[..at as usize].ends_with('[') {
                lines.push((self.path(file).to_owned(), source.facts.lines.line(at)));
            }
        }
        Ok(lines)
    }

    pub fn way(&self, from: &Subject, to: &Subject, hops: u32) -> Way {
        self.resolver.way(&from.ids, &to.ids, hops)
    }

    /// Everything that depends on definitions, through their uses; tests are where it ends.
    pub fn reach(&self, ids: &[SymbolId], uses: &[Use], bounds: Bounds) -> Reach {
        self.resolver.dependents(ids, uses, bounds, &|id| self.runs_as_test(id))
    }

    /// The tests among dependents: what is run as one or is inside of that, and what belongs to tests and nothing calls.
    pub fn tests_among(&self, reach: &Reach) -> Vec<Caller> {
        let called: FxHashSet<SymbolId> = reach.dependents.iter().map(|one| one.calls).collect();
        let is_helper = |id: SymbolId| called.contains(&id) || reach.unexplored.contains(&id);
        // Where a file says what its tests are, nothing else in it is one.
        let says_tests = |id: SymbolId| {
            let view = self.resolver.view(id.file);
            let n = view.map_or(0, |view| view.facts.symbols.len() as u32);
            (0..n).any(|symbol| self.runs_as_test(SymbolId { symbol, ..id }))
        };
        let is_free = |id: SymbolId| self.symbol(id, |symbol| symbol.kind) == Some(SymbolKind::Function);
        let may_be_test = |id: SymbolId| self.is_test(id) && is_free(id) && !is_helper(id) && !says_tests(id);
        let mut found: Vec<Caller> = Vec::new();
        let mut seen: FxHashMap<SymbolId, usize> = FxHashMap::default();
        for one in &reach.dependents {
            let Some(id) = one.symbol else { continue };
            let test = self.test_around(id).or_else(|| may_be_test(id).then_some(id));
            let Some(test) = test else { continue };
            let caller = Caller {
                symbol: Some(test),
                ..one.clone()
            };
            match seen.get(&test) {
                Some(at) if found[*at].depth <= caller.depth => {}
                Some(at) => found[*at] = caller,
                None => {
                    seen.insert(test, found.len());
                    found.push(caller);
                }
            }
        }
        found
    }

    /// The test that a definition is, or is written inside of.
    pub fn test_around(&self, id: SymbolId) -> Option<SymbolId> {
        let mut id = id;
        loop {
            if self.runs_as_test(id) {
                return Some(id);
            }
            let symbol = self.symbol(id, |symbol| symbol.parent).flatten()?;
            id = SymbolId { symbol, ..id };
        }
    }

    /// Whether a definition is a test itself, and not what tests share.
    pub fn runs_as_test(&self, id: SymbolId) -> bool {
        let is_one = |symbol: &Symbol| symbol.kind == SymbolKind::Test || (symbol.is_test && symbol.kind.is_function());
        self.symbol(id, is_one) == Some(true)
    }

    /// The directory of the package that a file belongs to, by the nearest manifest; empty at the root.
    pub fn package(&self, file: FileIdx) -> &str {
        let files = self.snapshot.reader.files();
        let mut dir = self.path(file);
        while let Some((outer, _)) = dir.rsplit_once('/') {
            dir = outer;
            if MANIFESTS
                .iter()
                .any(|name| files.by_path(&format!("{dir}/{name}")).is_some())
            {
                return dir;
            }
        }
        ""
    }

    /// How many files must be looked at to know who uses a definition, roughly.
    pub fn weight(&self, id: SymbolId) -> usize {
        self.resolver.weight(id)
    }

    /// A definition with its other declarations, and who uses them.
    pub fn uses_of(&self, id: SymbolId) -> (Vec<SymbolId>, Uses) {
        let ids = self.resolver.same_thing(id);
        let uses = self.resolver.uses(&ids);
        (ids, uses)
    }

    pub fn implementations_of(&self, ids: &[SymbolId]) -> Vec<Implementation> {
        self.resolver.implementations(ids)
    }

    /// What does not stand in for changed definitions any more, as far as their names and shapes tell.
    pub fn left_behind(&self, ids: &[SymbolId], was: Option<&str>) -> Vec<Implementation> {
        self.resolver.left_behind(ids, was)
    }

    /// What changed definitions do not stand in for any more.
    pub fn deserted(&self, ids: &[SymbolId], was: Option<&str>) -> Vec<SymbolId> {
        self.resolver.deserted(ids, was)
    }

    /// Types that have to have a member which is new, and have not.
    pub fn lacking(&self, id: SymbolId) -> Result<Vec<Implementation>, Error> {
        let hit = self.hit(id)?;
        // `name?(): void` need not be there.
        let is_optional = hit.signature.contains(&format!("{}?", hit.name));
        Ok(if is_optional {
            Vec::new()
        } else {
            self.resolver.lacking(id)
        })
    }

    /// The members that a subject stands in for.
    pub fn overridden(&self, subject: &Subject) -> Result<Vec<SymbolHit>, Error> {
        let found = self.resolver.overridden(&subject.ids);
        found.into_iter().map(|id| self.hit(id)).collect()
    }

    /// Uses of a name that is not defined any more.
    pub fn left_over(&self, gone: &Gone<'_>) -> Option<Vec<Use>> {
        self.resolver.left_over(gone)
    }

    /// Whether what is used comes from outside of the workspace.
    pub fn is_from_outside(&self, used: &Use) -> bool {
        let meaning = used
            .reference
            .map(|reference| self.resolver.meaning(used.file, reference));
        meaning == Some(Meaning::External)
    }

    /// Imports of a file, or of one that is gone.
    pub fn imports_of(&self, path: &str, lang: &str) -> Option<Vec<Use>> {
        self.resolver.imports_of(path, lang)
    }

    /// Where the type of a constructor is constructed, and not by another constructor of it.
    pub fn constructions(&self, id: SymbolId) -> Vec<Use> {
        let Some(owner) = self.resolver.constructed(id) else {
            return Vec::new();
        };
        let others = self.resolver.all_members(&[owner]).into_iter();
        let others = others.filter(|other| *other != id && self.resolver.constructed(*other) == Some(owner));
        let by_others = others.flat_map(|other| self.resolver.uses(&[other]).uses);
        let by_others: FxHashSet<(FileIdx, u32)> = by_others.map(|used| (used.file, used.at)).collect();
        let mut uses = self.uses_of(owner).1.uses;
        uses.retain(|used| used.role == Role::Call && !by_others.contains(&(used.file, used.at)));
        uses
    }

    /// What belongs to a type.
    pub fn members(&self, subject: &Subject) -> Vec<SymbolId> {
        self.resolver.all_members(&subject.ids)
    }

    /// Whether a definition is written inside of a subject, or is a member of it.
    pub fn is_part(&self, id: SymbolId, subject: &Subject) -> bool {
        let span = |id: SymbolId| self.symbol(id, |symbol| symbol.span);
        let inner = span(id);
        let is_inside = |outer: &SymbolId| match (inner, span(*outer)) {
            (Some(inner), Some(outer_span)) => {
                outer.file == id.file && outer_span.start <= inner.start && inner.end <= outer_span.end
            }
            _ => false,
        };
        let is_member = || {
            let own = self.resolver.type_around(id);
            own.is_some_and(|own| subject.ids.contains(&own))
        };
        subject.ids.iter().any(is_inside) || is_member()
    }

    /// What a type is derived from or implements, by its own words.
    pub fn bases(&self, subject: &Subject) -> Vec<Named> {
        self.resolver.bases(&subject.ids)
    }

    /// The types that a definition's signature names.
    pub fn types_in_signature(&self, subject: &Subject) -> Vec<Named> {
        let mut found: Vec<Named> = Vec::new();
        for named in subject.ids.iter().flat_map(|id| self.resolver.named_types(*id)) {
            if !found.iter().any(|one| one.name == named.name) {
                found.push(named);
            }
        }
        found
    }

    /// The files that a module is in, and what is directly in it.
    pub fn module(&self, subject: &Subject) -> (Vec<FileIdx>, Vec<SymbolId>) {
        let (mut files, mut inside) = (Vec::new(), Vec::new());
        for id in &subject.ids {
            let (file, found) = self.resolver.inside_module(*id);
            files.push(file);
            inside.extend(found);
        }
        files.sort_unstable();
        files.dedup();
        (files, inside)
    }

    /// Some facts of a definition that need no file to be read.
    pub fn symbol<T>(&self, id: SymbolId, read: impl FnOnce(&Symbol) -> T) -> Option<T> {
        let view = self.resolver.view(id.file)?;
        view.facts.symbols.get(id.symbol as usize).map(read)
    }

    /// The calls around a subject.
    pub fn call_graph(&self, subject: &Subject, drawing: Drawing) -> CallGraph {
        self.resolver.call_graph(&subject.ids, drawing)
    }

    /// The calls around all that a file defines.
    pub fn call_graph_of_file(&self, file: FileIdx, drawing: Drawing) -> CallGraph {
        self.resolver.call_graph_of_file(file, drawing)
    }

    /// The function that a use is in, or else the outermost definition around it.
    pub fn function_around(&self, used: &Use) -> Option<SymbolId> {
        self.resolver.caller_of(used)
    }

    /// The resolver itself, for what has no method here.
    pub(crate) fn resolver(&self) -> &Resolver<'_> {
        &self.resolver
    }

    /// A file, by a path as a user gives it.
    pub fn file_at(&self, path: &str) -> Result<FileIdx, Error> {
        let row = self.snapshot.indexed_row(path)?;
        self.graph.file(row.id).ok_or(Error::Stale)
    }

    /// The files in whose text a name is written as a word.
    pub(crate) fn mentioning(&self, name: &str) -> Vec<FileIdx> {
        self.stored.mentioning(name)
    }

    pub fn path(&self, file: FileIdx) -> &str {
        self.graph.modules.files().path(file)
    }

    /// A definition, as it is shown.
    pub fn hit(&self, id: SymbolId) -> Result<SymbolHit, Error> {
        let source = self.source(id.file)?;
        let symbol = source.facts.symbols.get(id.symbol as usize).ok_or(Error::Stale)?;
        Ok(source.hit(symbol, Likeness::Exact))
    }

    pub fn is_function(&self, id: SymbolId) -> bool {
        let view = self.resolver.view(id.file);
        view.is_some_and(|view| view.facts.symbols[id.symbol as usize].kind.is_function())
    }

    /// Whether a definition is a test or belongs to tests.
    pub fn is_test(&self, id: SymbolId) -> bool {
        let view = self.resolver.view(id.file);
        source::is_test_path(self.path(id.file))
            || view.is_some_and(|view| in_test(&view.facts, &view.facts.symbols[id.symbol as usize]))
    }

    /// The line of a place in a file.
    pub fn line(&self, file: FileIdx, at: u32) -> u32 {
        self.resolver.view(file).map_or(0, |view| view.facts.lines.line(at))
    }

    /// The text and facts of a file, checked against the disk.
    pub fn source(&self, file: FileIdx) -> Result<Rc<SourceFile>, Error> {
        if let Some(source) = self.sources.borrow().get(&file) {
            return Ok(source.clone());
        }
        let row = self.stored.row(file).ok_or(Error::Stale)?;
        let view = self.stored.view(file).ok_or(Error::Stale)?;
        let bytes = self.snapshot.current_bytes(row)?;
        let text = source::decode(&bytes).ok_or(Error::Stale)?.text.into_owned();
        let source = Rc::new(SourceFile {
            path: row.path.to_string(),
            lang: lang_by_name(row.lang).unwrap_or(&PLAINTEXT),
            text,
            facts: view.facts.clone(),
        });
        self.sources.borrow_mut().insert(file, source.clone());
        Ok(source)
    }

    /// A use, as it is shown.
    pub fn use_hit(&self, used: &Use) -> Result<UseHit, Error> {
        let source = self.source(used.file)?;
        let facts = &source.facts;
        let line = facts.lines.line(used.at);
        let around = used.enclosing.map(|at| &facts.symbols[at as usize]);
        let enclosing = around.map(|symbol| {
            let name = source.lang.qualified_name(facts, symbol);
            (name, symbol.kind, facts.lines.line(symbol.name_at))
        });
        Ok(UseHit {
            path: source.path.clone(),
            line,
            column: source.column(used.at),
            role: used.role,
            role_text: role_text(&source, used, around),
            is_test: source::is_test_path(&source.path) || around.is_some_and(|symbol| in_test(facts, symbol)),
            enclosing,
        })
    }

    /// Lines of a file around one, without their line breaks; and the number of the first.
    pub fn lines_around(&self, file: FileIdx, line: u32, context: u32) -> Result<(u32, Vec<String>), Error> {
        let source = self.source(file)?;
        let lines = &source.facts.lines;
        let from = line.saturating_sub(context).max(1);
        let to = line.saturating_add(context).min(lines.count());
        Ok((from, crate::snapshot::lines_between(&source.text, lines, from, to)))
    }

    fn is_meant(&self, meant: &Exact, subject: &Subject) -> bool {
        let Exact::Names(names) = meant else { return false };
        names.iter().any(|(file, at)| {
            self.symbol_named_at(*file, *at)
                .is_some_and(|id| subject.ids.contains(&id))
        })
    }

    fn symbol_named_at(&self, file: FileIdx, at: u32) -> Option<SymbolId> {
        let symbol = self.resolver.view(file)?.symbol_named_at(at)?;
        Some(SymbolId { file, symbol })
    }

    /// What a word of a comment links to.
    pub(crate) fn linked(&self, file: FileIdx, at: u32) -> Vec<SymbolId> {
        match self.stored.exact(file, at) {
            Some(Exact::Names(names)) => names
                .iter()
                .filter_map(|(file, at)| self.symbol_named_at(*file, *at))
                .collect(),
            _ => Vec::new(),
        }
    }

    /// The words in comments, strings and documents that are the subject's name; nothing if the name is so common that
    /// they would tell nothing.
    pub fn mentions(&self, subject: &Subject) -> Result<Option<Vec<Mention>>, Error> {
        let name = subject.hit.name.as_str();
        let files = self.stored.mentioning(name);
        if files.len() > MAX_MENTIONING {
            return Ok(None);
        }
        // Of several things of one name a comment does not say which it is about.
        let namesakes = self.stored.defining(name).len().max(1);
        let mut found = Vec::new();
        for file in files {
            let source = self.source(file)?;
            for at in places_of(&source.text, name) {
                if is_code(&source.facts, at) {
                    continue;
                }
                let mut place = mention_place(&source, at);
                let known = match place {
                    MentionPlace::Comment => MentionPlace::Link,
                    MentionPlace::String => MentionPlace::Interpolation,
                    other => other,
                };
                if known != place
                    && let Some(meant) = self.stored.exact(file, at)
                {
                    if !self.is_meant(&meant, subject) {
                        continue;
                    }
                    place = known;
                }
                let mut confidence: f32 = match place {
                    MentionPlace::Link | MentionPlace::Interpolation => 1.0,
                    MentionPlace::Comment => 0.3,
                    MentionPlace::String => 0.4,
                    MentionPlace::Document => 0.35,
                    MentionPlace::Text => 0.3,
                };
                if source::is_test_path(&source.path) && !place.is_exact() {
                    confidence += 0.05;
                }
                if namesakes > 1 && !place.is_exact() {
                    confidence /= 2.0;
                }
                found.push(Mention {
                    path: source.path.clone(),
                    line: source.facts.lines.line(at),
                    column: source.column(at),
                    place,
                    confidence,
                });
            }
        }
        Ok(Some(found))
    }
}

/// The definitions of one name in one place: a caller by name means all of them.
fn overloads(view: &View, of: u32) -> impl Iterator<Item = u32> {
    let facts = &view.facts;
    let symbol = &facts.symbols[of as usize];
    let same = view.symbols_named(facts.name(symbol)).filter(move |(_, other)| {
        other.parent == symbol.parent
            && other.owner == symbol.owner
            && other.kind.is_function() == symbol.kind.is_function()
            && (other.kind == SymbolKind::Macro) == (symbol.kind == SymbolKind::Macro)
    });
    same.map(|(at, _)| at)
}

fn role_text(source: &SourceFile, used: &Use, around: Option<&Symbol>) -> String {
    let Some(symbol) = around else {
        return match used.role {
            Role::Import => "import",
            Role::Call => "call at top level",
            Role::Type => "type at top level",
            _ => "use at top level",
        }
        .to_owned();
    };
    let name = source.facts.name(symbol);
    let shown = if symbol.kind.is_function() {
        format!("{name}()")
    } else {
        name.to_owned()
    };
    let in_signature = symbol.signature.start <= used.at && used.at < symbol.signature.end;
    match used.role {
        Role::Import => "import".to_owned(),
        Role::Implementation => format!("base of {shown}"),
        Role::Call => format!("call in {shown}"),
        Role::Type if in_signature && symbol.kind.is_function() => {
            let rest = &source.text[used.at as usize..symbol.signature.end as usize];
            let depth = rest.bytes().fold((0i32, 0i32), |(depth, least), byte| match byte {
                b'(' => (depth + 1, least),
                b')' => (depth - 1, least.min(depth - 1)),
                _ => (depth, least),
            });
            if depth.1 < 0 {
                format!("parameter of {shown}")
            } else {
                format!("return type of {shown}")
            }
        }
        Role::Type if in_signature => format!("type of {shown}"),
        Role::Type => format!("type in {shown}"),
        Role::Member => format!("member access in {shown}"),
        Role::Variable => format!("use in {shown}"),
    }
}

/// Where a name is a word of its own.
pub(crate) fn places_of<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = u32> {
    text.match_indices(name).filter_map(move |(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + name.len()..].chars().next();
        let is_word = |c: Option<char>| c.is_some_and(index::token::is_word_char);
        (!is_word(before) && !is_word(after)).then_some(at as u32)
    })
}

/// Whether the facts know of a name at a place.
pub(crate) fn is_code(facts: &FileFacts, at: u32) -> bool {
    facts
        .references
        .binary_search_by_key(&at, |reference| reference.at)
        .is_ok()
        || facts.symbols.iter().any(|symbol| symbol.name_at == at)
        || facts.bindings.binary_search_by_key(&at, |binding| binding.at).is_ok()
}

/// What a word that is no code is part of, by the line that it is in.
pub(crate) fn mention_place(source: &SourceFile, at: u32) -> MentionPlace {
    if matches!(source.lang.name, "markdown" | "plaintext" | "html") || !source.lang.has_symbols() {
        return MentionPlace::Document;
    }
    let line = source.facts.lines.span(source.facts.lines.line(at));
    let before = &source.text[line.start as usize..at as usize];
    let begins = before.trim_start();
    let marks = ["//", "#", "/*", "*", "--", ";", "%", "'''", "\"\"\"", "<!--"];
    if marks.iter().any(|mark| begins.starts_with(mark)) || before.contains("//") || before.contains(" # ") {
        return MentionPlace::Comment;
    }
    let quotes = before
        .bytes()
        .filter(|byte| matches!(byte, b'"' | b'\'' | b'`'))
        .count();
    if quotes % 2 == 1 {
        MentionPlace::String
    } else {
        MentionPlace::Text
    }
}

/// Kept from answer to answer.
pub(crate) type Views = Mutex<ViewCache>;
