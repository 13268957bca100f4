//! Questions about how definitions hang together: who uses one, who calls it, what stands in for it.

mod fitting;
mod mention;
mod overlay;
mod package;
mod stored;
mod subject;
mod undefined;

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
    sync::Arc,
};

use graph::{
    Bounds, CallGraph, Callee, Caller, Drawing, Exact, FileIdx, Gone, Implementation, LIKELY, Locals, Meaning, Modules,
    Named, Outline, Reach, Resolver, SymbolId, SymbolSummary, Use, Uses, View, Wanted, Way, World, related,
};
use index::FileRow;
use rustc_hash::{FxHashMap, FxHashSet};
use search::{Likeness, SymbolName};
use syntax::{Import, ImportIdx, PLAINTEXT, RefIdx, Role, Symbol, SymbolIdx, SymbolKind, lang_by_name, lang_id};
use workspace::Error;

pub(crate) use self::stored::{Stored, Views};
pub use self::{
    mention::{Mention, MentionPlace},
    package::Package,
    subject::{Subject, SymbolLocator},
    undefined::{UndefinedName, UndefinedUse},
};
pub use self::{
    mention::{is_code, mention_place, places_of},
    overlay::Overlay,
};
use crate::{
    dependencies::ImportGraph,
    snapshot::Snapshot,
    symbols::{SourceFile, SymbolHit, in_test, is_beside_sources},
};

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

/// What a use of a name resolves to.
#[derive(Debug, Clone, PartialEq)]
pub enum ResolvesTo {
    Symbols(Vec<SymbolId>),
    /// A module that is a file.
    Files,
    Local,
    /// Something that is not of this workspace.
    External,
    Unknown,
}

/// Of so many things of one name it is told who uses each, unless more files write the name.
const MAX_TOLD_APART: usize = 6;
const MAX_MENTIONING: usize = 200;

/// A macro of that name implements what it is called after, nearly always.
const DERIVED: f32 = 0.95;

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

/// The graph of one snapshot, for one answer.
pub struct CodeGraph<'s> {
    pub(crate) snapshot: &'s Snapshot,
    pub(crate) graph: &'s ImportGraph,
    pub(crate) stored: &'s Stored<'s>,
    resolver: Resolver<'s>,
    sources: RefCell<FxHashMap<FileIdx, Rc<SourceFile>>>,
    /// Of the files whose local names were asked for: that takes as long as parsing them.
    locals: RefCell<FxHashMap<FileIdx, Rc<Locals>>>,
    /// What stands in for subjects that were asked about.
    standing_in: RefCell<FxHashMap<Vec<SymbolId>, Vec<Implementation>>>,
}

impl Snapshot {
    /// Asks the graph.
    pub fn graph<T, E: From<Error>>(&self, ask: impl FnOnce(&CodeGraph<'_>) -> Result<T, E>) -> Result<T, E> {
        let graph = self.import_graph()?;
        let stored = Stored::new(self, &graph);
        let answer = ask(&CodeGraph {
            snapshot: self,
            graph: &graph,
            stored: &stored,
            resolver: Resolver::new(&stored, &graph.modules),
            sources: RefCell::default(),
            locals: RefCell::default(),
            standing_in: RefCell::default(),
        });
        self.keep_exact();
        match stored.error() {
            Some(error) => Err(error.into()),
            None => answer,
        }
    }
}

impl<'s> CodeGraph<'s> {
    pub fn snapshot(&self) -> &'s Snapshot {
        self.snapshot
    }

    /// What imports mean.
    pub fn modules(&self) -> &'s Arc<Modules> {
        &self.graph.modules
    }

    /// The same with other outlines of some files.
    pub fn modules_with(&self, outlines: FxHashMap<FileIdx, Outline>) -> Result<Arc<Modules>, Error> {
        let by_id = outlines.into_iter();
        let by_id = by_id.filter_map(|(file, outline)| Some((self.graph.id(file)?, outline)));
        self.snapshot.modules_with(self.graph, &by_id.collect())
    }

    /// The workspace with other versions of some files.
    pub fn overlay(&self, changed: FxHashMap<FileIdx, Arc<View>>, has_other_modules: bool) -> Overlay<'_> {
        Overlay {
            stored: self.stored,
            changed,
            has_other_modules,
        }
    }

    /// The row of a file in the index.
    pub fn row(&self, file: FileIdx) -> Option<&'s FileRow> {
        self.stored.row(file)
    }

    /// What a language's own engine says of a name, if that is known in time.
    pub fn exact(&self, file: FileIdx, at: u32) -> Option<Exact> {
        self.stored.exact(file, at)
    }

    /// Announces the places that `exact` will be asked about.
    pub fn expect_exact(&self, file: FileIdx, places: &mut dyn Iterator<Item = u32>) {
        self.stored.expect(file, places);
    }

    /// The local names of a file; nothing if they are not known.
    pub fn locals_of(&self, file: FileIdx, source: &SourceFile) -> Option<Rc<Locals>> {
        if let Some(known) = self.locals.borrow().get(&file) {
            return Some(known.clone());
        }
        let locals = Locals::new(source.lang, &source.text, self.resolver().view(file)?)?;
        let locals = Rc::new(locals);
        self.locals.borrow_mut().insert(file, locals.clone());
        Some(locals)
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

    /// Notes that an answer depends on who uses a definition.
    pub fn depends_on(&self, id: SymbolId) {
        let lang = self.graph.modules.files().lang(id.file);
        let name = self.resolver.view(id.file).map(|view| {
            let symbol = &view.facts.symbols[id.symbol];
            view.facts.name(symbol).to_owned()
        });
        self.depends_on_name(&name.unwrap_or_default(), lang.name());
    }

    /// The same of what has no definition, or has one in a file that could not be parsed.
    pub fn depends_on_name(&self, name: &str, lang: &str) {
        let lang = lang_id(lang);
        self.snapshot.depends_on(name, |row| related(lang, lang_id(row.lang)));
    }

    /// Whether there may be more in files that are not indexed yet.
    pub fn is_partial(&self) -> bool {
        !self.snapshot.is_complete()
    }

    /// How many files could not be parsed and mention what was asked about so far.
    pub fn n_unparsed(&self) -> usize {
        self.snapshot.not_looked_into().total
    }

    pub fn uses(&self, subject: &Subject) -> Uses {
        self.resolver.uses(&subject.ids)
    }

    /// Who uses each of the first things that have a name; of none where so many files write the name that it would take its
    /// time.
    pub fn uses_of_each(&self, subjects: &[Subject]) -> Vec<Uses> {
        let is_rare = |subject: &Subject| self.stored.mentioning(&subject.hit.name).len() <= MAX_MENTIONING;
        if !subjects.first().is_some_and(is_rare) {
            return Vec::new();
        }
        let first = subjects.iter().take(MAX_TOLD_APART);
        first.map(|subject| self.uses(subject)).collect()
    }

    /// How often each of several definitions of one name is used, roughly: what tells which are used most. All 0 where so
    /// many files contain the name that counting takes long.
    pub fn use_counts(&self, subjects: &[Subject]) -> Vec<usize> {
        let mut counts = vec![0; subjects.len()];
        let Some(first) = subjects.first() else { return counts };
        if self.stored.mentioning(&first.hit.name).len() > MAX_MENTIONING {
            return counts;
        }
        // The uses of one definition tell what all other uses of the name resolve to.
        let uses = self.uses(first);
        counts[0] = uses.uses.iter().filter(|used| used.confidence >= LIKELY).count();
        for (file, reference) in uses.other_uses {
            let ResolvesTo::Symbols(symbols) = self.resolves_to(file, reference) else {
                continue;
            };
            let used = subjects
                .iter()
                .position(|subject| symbols.iter().any(|id| subject.ids.contains(id)));
            if let Some(used) = used {
                counts[used] += 1;
            }
        }
        counts
    }

    pub fn callers(&self, subject: &Subject, depth: u32) -> Vec<Caller> {
        self.resolver.callers(&subject.ids, depth)
    }

    /// The calls among some uses of a subject, by the function that they are in.
    pub fn direct_callers(&self, subject: &Subject, uses: &Uses) -> Vec<Caller> {
        self.resolver.grouped(&uses.uses, subject.ids[0], 1)
    }

    /// What a place in a file's list of references resolves to.
    pub fn resolves_to(&self, file: FileIdx, reference: RefIdx) -> ResolvesTo {
        match self.resolver.meaning(file, reference) {
            Meaning::Symbols(symbols, _) => ResolvesTo::Symbols(symbols),
            Meaning::Files(_) => ResolvesTo::Files,
            Meaning::Local(_) => ResolvesTo::Local,
            Meaning::External => ResolvesTo::External,
            Meaning::Missing | Meaning::Unknown => ResolvesTo::Unknown,
        }
    }

    /// The line of a place in a file's list of references.
    pub fn line_of(&self, file: FileIdx, reference: RefIdx) -> u32 {
        self.resolver.view(file).map_or(0, |view| {
            let reference = &view.facts.references[reference];
            view.facts.lines.line(reference.at)
        })
    }

    /// The line of an offset.
    pub fn line_at(&self, file: FileIdx, at: u32) -> u32 {
        self.resolver.view(file).map_or(0, |view| view.facts.lines.line(at))
    }

    /// Whether a use of a definition has it run: a call, or any access to a property.
    pub fn runs(&self, used: &Use, of: SymbolId) -> bool {
        self.resolver.runs(used, of)
    }

    pub fn is_property(&self, id: SymbolId) -> bool {
        self.resolver.brief(id).map(|brief| brief.kind) == Some(SymbolKind::Property)
    }

    pub fn callees(&self, subject: &Subject, depth: u32) -> Vec<Callee> {
        self.resolver.callees(&subject.ids, depth)
    }

    pub fn implementations(&self, subject: &Subject) -> Vec<Implementation> {
        if let Some(known) = self.standing_in.borrow().get(&subject.ids) {
            return known.clone();
        }
        let mut found = self.resolver.implementations(&subject.ids);
        found.sort_by_cached_key(|one| self.is_aside(one.symbol.file, Some(one.symbol)));
        let mut known = self.standing_in.borrow_mut();
        known.insert(subject.ids.clone(), found.clone());
        found
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

    /// The shortest way from one to another. What the product calls is no test's, though a test may stand in for it: a way
    /// leads through tests where it begins or ends in one, or there is no other.
    pub fn way(&self, from: &Subject, to: &Subject, hops: u32) -> Way {
        let has_met_tests = Cell::new(false);
        let wanted = Wanted {
            from: &from.ids,
            to: &to.ids,
            hops,
            avoids: &|id| {
                let is_test = self.is_test(id);
                has_met_tests.set(has_met_tests.get() || is_test);
                is_test
            },
        };
        let is_of_tests = from.ids.iter().chain(&to.ids).any(|id| self.is_test(*id));
        let way = (!is_of_tests).then(|| self.resolver.way(&wanted));
        // Where there were no tests, nothing else would be found with them.
        way.filter(|way| way.steps.is_some() || !has_met_tests.get())
            .unwrap_or_else(|| {
                self.resolver.way(&Wanted {
                    avoids: &|_| false,
                    ..wanted
                })
            })
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
            view.is_some_and(|view| {
                let mut all = SymbolIdx::all(&view.facts.symbols);
                all.any(|symbol| self.runs_as_test(SymbolId { symbol, ..id }))
            })
        };
        let is_free = |id: SymbolId| self.resolver.brief(id).map(|brief| brief.kind) == Some(SymbolKind::Function);
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
            let symbol = self.resolver.brief(id)?.parent?;
            id = SymbolId { symbol, ..id };
        }
    }

    /// Whether a definition is a test itself, and not what tests share.
    pub fn runs_as_test(&self, id: SymbolId) -> bool {
        let is_one =
            |brief: SymbolSummary| brief.kind == SymbolKind::Test || (brief.is_test && brief.kind.is_function());
        self.resolver.brief(id).is_some_and(is_one)
    }

    /// The directory of the package that a file belongs to, by the nearest manifest; empty at the root.
    pub fn package(&self, file: FileIdx) -> &str {
        let files = self.snapshot.reader().files();
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
    pub fn left_behind(&self, ids: &[SymbolId], was: Option<&str>) -> Result<Vec<Implementation>, Error> {
        let mut found = self.resolver.left_behind(ids, was);
        found.extend(self.unlike(ids)?);
        Ok(found)
    }

    /// What changed definitions do not stand in for any more.
    pub fn no_longer_overridden(&self, ids: &[SymbolId], was: Option<&str>) -> Result<Vec<SymbolId>, Error> {
        let mut found = self.resolver.no_longer_overridden(ids, was);
        found.extend(self.unlike_outer(ids)?);
        Ok(found)
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
        self.resolver.imports_of(path, lang_id(lang))
    }

    /// Imports of a file that ask for something which is not there.
    pub(crate) fn lost_imports(&self, file: FileIdx) -> Vec<Import> {
        let Some(view) = self.resolver.view(file) else {
            return Vec::new();
        };
        let imports = ImportIdx::enumerate(&view.facts.imports);
        let lost = imports.filter(|(index, _)| self.resolver.is_lacking(file, &view, *index));
        lost.map(|(_, import)| *import).collect()
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
        let is_inside = |outer: &SymbolId| match outer.file == id.file {
            true => matches!((span(id), span(*outer)), (Some(inner), Some(outer))
                if outer.start <= inner.start && inner.end <= outer.end),
            false => false,
        };
        let is_member = || {
            let own = self.resolver.type_around(id);
            own.is_some_and(|own| subject.ids.contains(&own))
        };
        subject.ids.iter().any(is_inside) || is_member()
    }

    /// What a type is derived from or implements, by its own words and those of its attributes.
    pub fn bases(&self, subject: &Subject) -> Vec<Named> {
        let mut found = self.resolver.bases(&subject.ids);
        for id in &subject.ids {
            let Ok(source) = self.source(id.file) else { continue };
            let symbol = &source.facts.symbols[id.symbol];
            let attributes = source
                .text
                .get(symbol.lead.min(symbol.span.start) as usize..symbol.name_at as usize);
            for name in source.lang.derived(attributes.unwrap_or_default()) {
                if !found.iter().any(|known| known.name == name) {
                    found.push(Named {
                        name: name.to_owned(),
                        symbols: Vec::new(),
                        origin: graph::Origin::Name,
                        confidence: DERIVED,
                    });
                }
            }
        }
        found
    }

    /// The interfaces that a type has without saying so; nothing where types say what they are.
    pub fn interfaces_of(&self, subject: &Subject) -> Option<Vec<Named>> {
        self.resolver.interfaces(&subject.ids)
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
        if subject.ids.is_empty()
            && let Some(file) = self.graph.modules.files().at(&subject.hit.path)
        {
            return (vec![file], self.resolver.outermost(file));
        }
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
        view.facts.symbols.get(id.symbol.as_usize()).map(read)
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

    /// The function that a use is in, or else the definition directly around it.
    pub fn container(&self, used: &Use) -> Option<SymbolId> {
        let function = self.resolver.caller_of(used).filter(|id| self.is_function(*id));
        function.or(used.enclosing.map(|symbol| SymbolId {
            file: used.file,
            symbol,
        }))
    }

    /// The resolver itself, for what has no method here.
    pub fn resolver(&self) -> &Resolver<'_> {
        &self.resolver
    }

    /// A file, by a path as a user gives it.
    pub fn file_at(&self, path: &str) -> Result<FileIdx, Error> {
        let row = self.snapshot.indexed_row_ending(path)?;
        self.graph.file(row.id).ok_or(Error::Stale)
    }

    /// The only file that is a module of this name: `app.store` is `app/store.py`, or `app/store/__init__.py`.
    pub fn file_called(&self, name: &SymbolName) -> Option<&str> {
        let wanted = format!("{}/{}", name.owners.join("/"), name.name);
        let files = self.graph.modules.files();
        let is_called = |path: &&str| {
            let name_at = path.rfind('/').map_or(0, |at| at + 1);
            let end = path[name_at..].find('.').map_or(path.len(), |at| name_at + at);
            let stands_for_dir = match &path[end..] {
                ".py" | ".pyi" => "/__init__",
                ".rs" => "/mod",
                _ => "/index",
            };
            let dir = path[..end].strip_suffix(stands_for_dir);
            let outer = dir.unwrap_or(&path[..end]).strip_suffix(&wanted);
            outer.is_some_and(|outer| outer.is_empty() || outer.ends_with('/'))
        };
        let mut called = files.all().map(|file| files.path(file)).filter(is_called);
        called
            .next()
            .filter(|_| !name.owners.is_empty() && called.next().is_none())
    }

    /// The same as something to ask about, which has no definition of its own.
    pub fn module_called(&self, name: &SymbolName) -> Result<Option<Subject>, Error> {
        let Some(path) = self.file_called(name) else {
            return Ok(None);
        };
        let source = self.snapshot.source_file(path)?;
        let words: Vec<&str> = name.owners.iter().chain([&name.name]).map(String::as_str).collect();
        let qualified_name = words.join(".");
        let hit = SymbolHit {
            likeness: Likeness::Exact,
            name: name.name.clone(),
            signature: format!("module {qualified_name}"),
            qualified_name,
            kind: SymbolKind::Module,
            visibility: None,
            path: source.path,
            lang: source.lang.name,
            line: 1,
            column: 1,
            first_line: 1,
            last_line: source.facts.lines.count(),
            is_test: false,
            is_declaration: false,
            doc: None,
            rank: 0,
        };
        Ok(Some(Subject {
            ids: Vec::new(),
            hit,
            others: Vec::new(),
            namesakes: Vec::new(),
            namesakes_total: 0,
        }))
    }

    /// The files in whose text a name is written as a word.
    pub fn mentioning(&self, name: &str) -> Vec<FileIdx> {
        self.stored.mentioning(name)
    }

    pub fn path(&self, file: FileIdx) -> &str {
        self.graph.modules.files().path(file)
    }

    /// A definition, as it is shown.
    pub fn hit(&self, id: SymbolId) -> Result<SymbolHit, Error> {
        let source = self.source(id.file)?;
        let symbol = source.facts.symbols.get(id.symbol.as_usize()).ok_or(Error::Stale)?;
        Ok(source.hit(symbol, Likeness::Exact))
    }

    pub fn is_function(&self, id: SymbolId) -> bool {
        self.resolver.brief(id).is_some_and(|brief| brief.kind.is_function())
    }

    /// Whether a definition is a test or belongs to tests.
    pub fn is_test(&self, id: SymbolId) -> bool {
        self.resolver.is_test(id)
    }

    /// The same of a place in a file, by the symbol around it.
    pub fn is_in_tests(&self, file: FileIdx, symbol: Option<SymbolId>) -> bool {
        match symbol {
            Some(symbol) => self.is_test(symbol),
            None => source::is_test_path(self.path(file)),
        }
    }

    /// Whether a place is not where people look first: in a test, an example, in what others wrote.
    pub fn is_aside(&self, file: FileIdx, symbol: Option<SymbolId>) -> bool {
        self.is_in_tests(file, symbol) || is_beside_sources(self.path(file))
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
        let around = used.enclosing.map(|at| &facts.symbols[at]);
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
        Ok((from, crate::chunk_view::lines_between(&source.text, lines, from, to)))
    }
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
            let signature = &source.text[symbol.signature.range()];
            let behind = symbol.name_at as usize + name.len();
            let inside = |at: usize| at.saturating_sub(symbol.signature.start as usize);
            if is_parameter(signature, inside(behind), inside(used.at as usize)) {
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

/// Whether a place in a signature is in a list of what is taken: the first one behind the name and one that goes on with a
/// type, or what stands in brackets before the name.
fn is_parameter(signature: &str, name_end: usize, at: usize) -> bool {
    let bytes = signature.as_bytes();
    // Where the bracket closes that a place is in.
    let close_behind = |from: usize| {
        let mut depth = 1;
        let mut rest = bytes.iter().enumerate().skip(from);
        rest.find_map(|(at, byte)| {
            depth += i32::from(*byte == b'(') - i32::from(*byte == b')');
            (depth == 0).then_some(at)
        })
    };
    if at < name_end {
        return close_behind(at).is_some_and(|close| close < name_end);
    }
    let Some(open) = bytes.iter().skip(name_end).position(|byte| *byte == b'(') else {
        return false;
    };
    let close = close_behind(name_end + open + 1).unwrap_or(bytes.len());
    if at < close {
        return true;
    }
    // `def area(a: Shape)(b: Shape): Int`, not `func area(a Shape) (b Shape)`.
    let goes_on = |close: usize, with: char| signature[close + 1..].trim_start().starts_with(with);
    goes_on(close, '(') && close_behind(at).is_some_and(|close| goes_on(close, ':'))
}
