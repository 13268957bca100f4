//! The impact of a change: the functions that use a definition, their callers, and so on, within bounds; and what a
//! removed definition or file leaves behind.

use rustc_hash::{FxHashMap, FxHashSet};
use syntax::{Import, ImportIdx, LangId, Qualifier, RefIdx, Role, SymbolKind};

use crate::{
    engine::{
        meaning::{Meaning, Rule},
        resolver::{At, Resolver},
    },
    files::FileIdx,
    lang::{LanguageRules, related},
    modules::{Target, is_directory_file},
    queries::{
        calls::Caller,
        references::{LIKELY, Origin, Use},
    },
    types::ty::Base,
    view::{SymbolId, View},
};

/// The transitive dependents of a definition, nearest first.
#[derive(Debug, Default)]
pub struct Reach {
    pub dependents: Vec<Caller>,
    /// Dependents whose own users were not searched, because a bound was reached.
    pub unexplored: FxHashSet<SymbolId>,
}

/// The bounds of the search.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    pub depth: u32,
    /// The number of definitions whose uses are searched.
    pub lookups: usize,
    /// The number of files that are searched for all of them together: a common name costs more than a hundred others.
    pub files: usize,
}

/// A name in more files than this is too common to identify a definition.
const MAX_FILES: usize = 200;

/// The state of a search for dependents.
#[derive(Default)]
struct Search {
    /// The index of each definition in `dependents`; `None` for the targets, which are not listed.
    places: FxHashMap<SymbolId, Option<usize>>,
    dependents: Vec<Caller>,
    /// Dependents whose uses have not been searched yet.
    open: Vec<SymbolId>,
}

/// A removed definition.
#[derive(Debug, Clone, Copy)]
pub struct Gone<'a> {
    pub name: &'a str,
    /// Its owner, if it was a member of a type.
    pub owner: Option<&'a str>,
    /// The file that defined it.
    pub path: &'a str,
    pub lang: LangId,
}

impl Resolver<'_> {
    /// The transitive dependents of some definitions: the functions that contain `uses`, their callers, and so on. The
    /// search does not continue beyond definitions for which `is_end` is true, such as tests.
    pub fn dependents(
        &self,
        targets: &[SymbolId],
        uses: &[Use],
        bounds: Bounds,
        is_end: &dyn Fn(SymbolId) -> bool,
    ) -> Reach {
        let mut reach = Reach::default();
        // A removed definition has no symbol; its first dependent stands for it.
        let first = targets.first().copied();
        let Some(first) = first.or_else(|| uses.iter().find_map(|used| self.caller_of(used))) else {
            return reach;
        };
        let mut search = Search {
            places: targets.iter().map(|id| (*id, None)).collect(),
            ..Search::default()
        };
        let likely: Vec<Use> = uses.iter().filter(|used| used.confidence >= LIKELY).cloned().collect();
        self.add_dependents(&likely, first, 1, &mut search);
        let (mut lookups, mut files) = (0, bounds.files);
        for depth in 2..=bounds.depth {
            for symbol in std::mem::take(&mut search.open) {
                if is_end(symbol) {
                    continue;
                }
                // After the last lookup nothing is weighed any more: tens of thousands of dependents may be left.
                let weight = (lookups < bounds.lookups).then(|| self.weight(symbol));
                let Some(weight) = weight.filter(|weight| *weight <= files) else {
                    reach.unexplored.insert(symbol);
                    continue;
                };
                lookups += 1;
                files -= weight;
                let mut uses = self.uses(&self.same_thing(symbol)).uses;
                // A function passed as a value is called by the receiver; a property access may run its getter.
                let kind = self.kind_of(symbol);
                let is_run = kind.is_some_and(SymbolKind::is_function) || kind == Some(SymbolKind::Property);
                uses.retain(|used| {
                    let depends = match used.role {
                        Role::Call => true,
                        Role::Variable | Role::Member => is_run,
                        _ => false,
                    };
                    depends && used.confidence >= LIKELY
                });
                self.add_dependents(&uses, symbol, depth, &mut search);
            }
        }
        let open = search.open.into_iter().filter(|symbol| !is_end(*symbol));
        reach.unexplored.extend(open);
        reach.dependents = search.dependents;
        reach
    }

    /// An estimate of the number of files that a search for the uses of a definition reads.
    pub fn weight(&self, id: SymbolId) -> usize {
        let files = self.world.mentioning(&self.name_of(id)).len();
        match self.type_around(id) {
            Some(own) if files <= MAX_FILES => files.min(self.world.mentioning(&self.name_of(own)).len()),
            _ => files,
        }
    }

    /// Adds the functions that contain some uses of `calls` to the dependents at a depth.
    fn add_dependents(&self, uses: &[Use], calls: SymbolId, depth: u32, search: &mut Search) {
        for used in uses {
            let Some(symbol) = self.caller_of(used) else { continue };
            match search.places.get(&symbol) {
                Some(Some(at)) => {
                    let known = &mut search.dependents[*at];
                    if known.depth == depth && known.calls == calls {
                        known.sites.push(used.at);
                        if used.confidence > known.confidence {
                            known.confidence = used.confidence;
                            known.origin = used.origin;
                        }
                    }
                }
                Some(None) => {}
                None => {
                    search.places.insert(symbol, Some(search.dependents.len()));
                    search.open.push(symbol);
                    search.dependents.push(Caller {
                        file: used.file,
                        symbol: Some(symbol),
                        sites: vec![used.at],
                        depth,
                        calls,
                        origin: used.origin,
                        confidence: used.confidence,
                    });
                }
            }
        }
    }

    /// Whether a file imports the removed name from its module, or imports that module and it is removed as well.
    fn imports_removed(&self, file: FileIdx, view: &View, gone: &Gone<'_>) -> bool {
        let stems = module_names(gone.path);
        view.facts
            .imports
            .iter()
            .any(|import| match self.modules.resolve(file, &view.facts, import) {
                Target::Local(found) => {
                    let is_there = found.iter().any(|one| self.modules.files().path(*one) == gone.path);
                    let item = import.item.map(|item| view.facts.names.get(item));
                    let is_it = gone.owner.is_none() && item == Some(gone.name);
                    // Resolution of a path stops at the last module that still exists.
                    let leads_past = || {
                        names_module(self.rules(file), view, import, &stems) && self.is_stale_import(file, view, import)
                    };
                    is_it && (is_there || leads_past())
                }
                Target::External(_) | Target::Unknown => names_module(self.rules(file), view, import, &stems),
                Target::Candidates(_) => false,
            })
    }

    /// Whether an import names something that its module in this workspace does not define.
    fn is_stale_import(&self, file: FileIdx, view: &View, import: &Import) -> bool {
        let index = view.facts.imports.iter().position(|one| one == import);
        index.is_some_and(|index| self.is_lost(file, view, ImportIdx::new(index)))
    }

    /// Whether the receiver of a reference is the module that defined the removed name, even if that is removed too:
    /// `prices.total()`.
    fn is_member_of_removed_module(&self, file: FileIdx, view: &View, index: RefIdx, gone: &Gone<'_>) -> bool {
        let Qualifier::Value(value) = view.facts.references[index].on else {
            return false;
        };
        if gone.owner.is_some() {
            return false;
        }
        if let Meaning::Files(modules) = self.meaning(file, value) {
            let paths = self.modules.files();
            return modules.iter().any(|module| paths.path(*module) == gone.path);
        }
        let asked = &view.facts.references[value];
        let place = At {
            file,
            view,
            at: asked.at,
        };
        let stems = module_names(gone.path);
        let mut imports = self.imports_named(place, view.facts.names.get(asked.name));
        asked.on == Qualifier::Nothing
            && imports.any(|(index, import)| {
                names_module(self.rules(file), view, import, &stems) && self.is_lost(file, view, index)
            })
    }

    /// The imports of a file, or the unresolved imports of a removed one. `None` if the name is too common.
    pub fn imports_of(&self, path: &str, lang: LangId) -> Option<Vec<Use>> {
        let stems = module_names(path);
        let name = crate::files::name_of(path);
        let wanted = self.modules.files().at(path);
        let is_data = lang.lang().is_data();
        let mut files: Vec<FileIdx> = stems.iter().flat_map(|(stem, _)| self.world.mentioning(stem)).collect();
        files.extend(
            wanted
                .into_iter()
                .flat_map(|wanted| self.modules.files().around(wanted)),
        );
        files.sort_unstable();
        files.dedup();
        if files.len() > MAX_FILES {
            return None;
        }
        let mut found = Vec::new();
        for file in files {
            // Any language imports a data file, by its name with the extension.
            if !is_data && !related(lang, self.lang(file)) {
                continue;
            }
            let Some(view) = self.view(file) else { continue };
            let facts = &view.facts;
            let is_it = |import: &&Import| {
                let names_it = || match is_data {
                    true => facts.names.get(import.path).ends_with(name),
                    false => names_module(self.rules(file), &view, import, &stems),
                };
                match (wanted, self.modules.resolve(file, facts, import)) {
                    (Some(wanted), Target::Local(found)) => found.contains(&wanted),
                    (None, Target::External(_) | Target::Unknown) => names_it(),
                    // `from shop import prices`, where the package still exists.
                    (None, Target::Local(_)) => names_it() && self.is_stale_import(file, &view, import),
                    _ => false,
                }
            };
            let mut places: Vec<u32> = facts.imports.iter().filter(is_it).map(|import| import.at).collect();
            let held = self.modules.declared(file, facts);
            let declared = facts.symbols.iter().filter(|symbol| {
                let held = held.iter().find(|one| one.at == symbol.name_at).map(|one| one.file);
                symbol.kind == SymbolKind::Module
                    && symbol.span.end <= symbol.signature.end + 1
                    && stems.iter().any(|(stem, _)| *stem == facts.name(symbol))
                    && held == wanted
            });
            places.extend(declared.map(|symbol| symbol.name_at));
            places.sort_unstable();
            // An import of several names is one statement.
            places.dedup_by_key(|at| facts.lines.line(*at));
            let (origin, confidence) = match wanted {
                Some(_) => (Origin::Resolved(Rule::Import), 1.0),
                None => (Origin::Name, 0.85),
            };
            found.extend(places.into_iter().map(|at| Use {
                file,
                reference: None,
                at,
                role: Role::Import,
                enclosing: facts.enclosing(at),
                origin,
                confidence,
            }));
        }
        Some(found)
    }

    /// Whether the receiver's type is the one that the removed member belonged to, or a subtype.
    fn has_receiver_of_removed_type(&self, file: FileIdx, view: &View, index: RefIdx, gone: &Gone<'_>) -> bool {
        let Some(owner) = gone.owner else { return false };
        let reference = &view.facts.references[index];
        let at = reference.at;
        let place = At { file, view, at };
        let asked = match reference.on {
            Qualifier::Value(value) => self.value(file, value).head,
            Qualifier::This | Qualifier::Super => self.own_type(place),
            _ => return false,
        };
        let Base::Symbol(own) = asked else { return false };
        let mut open = vec![own];
        let mut seen = Vec::new();
        while let Some(one) = open.pop() {
            if self.name_of(one) == owner {
                return true;
            }
            if !seen.contains(&one) && seen.len() < 64 {
                seen.push(one);
                open.extend(self.supertypes(one).known.iter().copied());
            }
        }
        false
    }

    /// The uses that a removed definition leaves behind: references with its name, in files of its language, that
    /// resolve to nothing. `None` if the name is too common.
    pub fn left_over(&self, gone: &Gone<'_>) -> Option<Vec<Use>> {
        let &Gone { name, lang, .. } = gone;
        let mut found = Vec::new();
        let is_defined = !self.defining(name).is_empty();
        let files = self.world.mentioning(name);
        if files.len() > MAX_FILES {
            return None;
        }
        for file in files {
            if !related(lang, self.lang(file)) {
                continue;
            }
            let Some(view) = self.view(file) else { continue };
            let is_taken = self.imports_removed(file, &view, gone);
            for index in view.references_named(name) {
                let reference = &view.facts.references[*index];
                let confidence = match self.meaning(file, *index) {
                    Meaning::Missing | Meaning::Unknown | Meaning::External if is_taken => 0.85,
                    Meaning::Missing | Meaning::Unknown | Meaning::External
                        if self.is_member_of_removed_module(file, &view, *index, gone) =>
                    {
                        0.85
                    }
                    Meaning::Missing if self.has_receiver_of_removed_type(file, &view, *index, gone) => 0.85,
                    // Another definition has the name, and may be meant.
                    Meaning::Missing | Meaning::Unknown if is_defined => 0.3,
                    Meaning::Missing => 0.8,
                    Meaning::Unknown => 0.6,
                    // An import of the removed module looks like one of a library.
                    Meaning::External if !is_defined && reference.role != Role::Import => 0.5,
                    _ => continue,
                };
                found.push(Use {
                    file,
                    reference: Some(*index),
                    at: reference.at,
                    role: reference.role,
                    enclosing: view.facts.enclosing(reference.at),
                    origin: Origin::Name,
                    confidence,
                });
            }
        }
        found.sort_by_key(|used| (used.file, used.at));
        Some(found)
    }
}

/// The names of a file as a module, each with the name of the enclosing directory: `shop/mod.rs` is `mod` in `shop`,
/// and `shop` in its parent directory.
fn module_names(path: &str) -> Vec<(&str, &str)> {
    let name = crate::files::name_of(path);
    let stem = name.split('.').next().unwrap_or(name);
    let mut dirs = path.rsplit('/').skip(1);
    let (dir, outer) = (dirs.next().unwrap_or(""), dirs.next().unwrap_or(""));
    let mut names = vec![(stem, dir)];
    if is_directory_file(stem) {
        names.push((dir, outer));
    }
    names
}

/// Whether an import names one of some modules, by name and enclosing directory, as its last part or as its item. An
/// import path without a directory (`./prices`) may be in any.
fn names_module(rules: &dyn LanguageRules, view: &View, import: &Import, modules: &[(&str, &str)]) -> bool {
    let path = view.facts.names.get(import.path);
    // A module's name has no file extension.
    let mut parts: Vec<&str> = match path.rsplit_once('/') {
        Some((dirs, name)) => dirs.split('/').chain(name.split('.').next()).collect(),
        None => path.split(['.', ':', '\\']).collect(),
    };
    parts.retain(|part| !part.is_empty());
    let fits = |parts: &[&str]| {
        let Some((last, outer)) = parts.split_last() else {
            return false;
        };
        let is_anywhere = |part: &str| {
            matches!(part, "." | "..") || rules.is_relative_path_part(part) || part.starts_with(['@', '~', '#', '$'])
        };
        let mut known = modules.iter().filter(|(name, _)| name == last);
        known.any(|(_, dir)| outer.last().is_none_or(|outer| outer == dir || is_anywhere(outer)))
    };
    let item = import.item.map(|item| view.facts.names.get(item));
    let with_item: Vec<&str> = parts.iter().copied().chain(item).collect();
    // `config.h` has an extension too.
    let bare = path.split('.').next().filter(|_| !path.contains('/'));
    fits(&parts) || fits(&with_item) || bare.is_some_and(|bare| fits(&[bare]))
}
