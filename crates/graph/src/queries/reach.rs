//! How far a change reaches: who uses a definition, who calls those, and so on, with bounded work.

use rustc_hash::{FxHashMap, FxHashSet};
use syntax::{Import, ImportIdx, LangId, Qualifier, RefIdx, Role, SymbolKind};

use crate::{
    engine::{
        meaning::{Meaning, Rule},
        resolver::{At, Resolver},
    },
    files::FileIdx,
    lang::related,
    modules::{Target, is_directory_file},
    queries::{
        calls::Caller,
        references::{LIKELY, Origin, Use},
    },
    types::ty::Base,
    view::{SymbolId, View},
};

/// Who depends on something, nearest first.
#[derive(Debug, Default)]
pub struct Reach {
    pub dependents: Vec<Caller>,
    /// Those among them whose own users were not looked for any more.
    pub unexplored: FxHashSet<SymbolId>,
}

/// How far to look.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    pub depth: u32,
    /// How many definitions' uses may be looked for.
    pub lookups: usize,
    /// In how many files all together: a name that is everywhere costs more than a hundred others.
    pub files: usize,
}

/// A name that is in more files says too little by itself.
const MAX_FILES: usize = 200;

/// A definition that is not there any more.
#[derive(Debug, Clone, Copy)]
pub struct Gone<'a> {
    pub name: &'a str,
    /// The type that it was a member of.
    pub owner: Option<&'a str>,
    /// The file that it was in.
    pub path: &'a str,
    pub lang: LangId,
}

impl Resolver<'_> {
    /// Everything that depends on what is used: the functions that the uses are in, their callers, and so on. Where
    /// `is_end` is true nothing calls further, as with tests.
    pub fn dependents(
        &self,
        targets: &[SymbolId],
        uses: &[Use],
        bounds: Bounds,
        is_end: &dyn Fn(SymbolId) -> bool,
    ) -> Reach {
        let mut reach = Reach::default();
        // What is gone cannot be named; those that used it stand for it.
        let first = targets.first().copied();
        let Some(first) = first.or_else(|| uses.iter().find_map(|used| self.caller_of(used))) else {
            return reach;
        };
        // Where each is in the list; what was asked about is in none.
        let mut places: FxHashMap<SymbolId, Option<usize>> = targets.iter().map(|id| (*id, None)).collect();
        let mut open = Vec::new();
        let likely: Vec<Use> = uses.iter().filter(|used| used.confidence >= LIKELY).cloned().collect();
        self.add_dependents(&likely, first, 1, &mut places, &mut reach.dependents, &mut open);
        let (mut lookups, mut files) = (0, bounds.files);
        for depth in 2..=bounds.depth {
            for symbol in std::mem::take(&mut open) {
                if is_end(symbol) {
                    continue;
                }
                // Of a type that is everywhere there are tens of thousands: those that are left are not weighed.
                let weight = (lookups < bounds.lookups).then(|| self.weight(symbol));
                let Some(weight) = weight.filter(|weight| *weight <= files) else {
                    reach.unexplored.insert(symbol);
                    continue;
                };
                lookups += 1;
                files -= weight;
                let mut uses = self.uses(&self.same_thing(symbol)).uses;
                // Who hands a function on has it called, and who asks for a property has it computed.
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
                self.add_dependents(&uses, symbol, depth, &mut places, &mut reach.dependents, &mut open);
            }
        }
        reach
            .unexplored
            .extend(open.into_iter().filter(|symbol| !is_end(*symbol)));
        reach
    }

    /// How many files must be looked at to know who uses a definition, roughly.
    pub fn weight(&self, id: SymbolId) -> usize {
        let files = self.world.mentioning(&self.name_of(id)).len();
        match self.type_around(id) {
            Some(own) if files <= MAX_FILES => files.min(self.world.mentioning(&self.name_of(own)).len()),
            _ => files,
        }
    }

    fn add_dependents(
        &self,
        uses: &[Use],
        calls: SymbolId,
        depth: u32,
        places: &mut FxHashMap<SymbolId, Option<usize>>,
        found: &mut Vec<Caller>,
        open: &mut Vec<SymbolId>,
    ) {
        for used in uses {
            let Some(symbol) = self.caller_of(used) else { continue };
            match places.get(&symbol) {
                Some(Some(at)) => {
                    let known = &mut found[*at];
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
                    places.insert(symbol, Some(found.len()));
                    open.push(symbol);
                    found.push(Caller {
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

    /// Whether a file takes the name from where it was, or the module that it was in, which is not there either.
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
                    // What is left of a path leads to what is around it.
                    let leads_past = || names_module(view, import, &stems) && self.leads_nowhere(file, view, import);
                    is_it && (is_there || leads_past())
                }
                Target::External(_) | Target::Unknown => names_module(view, import, &stems),
                Target::Candidates(_) => false,
            })
    }

    /// Whether an import asks a module of this workspace for something that it does not have.
    fn leads_nowhere(&self, file: FileIdx, view: &View, import: &Import) -> bool {
        let index = view.facts.imports.iter().position(|one| one == import);
        index.is_some_and(|index| self.is_lost(file, view, ImportIdx::new(index)))
    }

    /// Whether what is asked for is asked of the module that it was in, which may be gone as well.
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
            && imports.any(|(index, import)| names_module(view, import, &stems) && self.is_lost(file, view, index))
    }

    /// Imports of a file; or of one that is gone, which lead nowhere now. Nothing is known of a name that is everywhere.
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
            // Data is asked for by its whole name, by anybody.
            if !is_data && !related(lang, self.lang(file)) {
                continue;
            }
            let Some(view) = self.view(file) else { continue };
            let facts = &view.facts;
            let is_it = |import: &&Import| {
                let names_it = || match is_data {
                    true => facts.names.get(import.path).ends_with(name),
                    false => names_module(&view, import, &stems),
                };
                match (wanted, self.modules.resolve(file, facts, import)) {
                    (Some(wanted), Target::Local(found)) => found.contains(&wanted),
                    (None, Target::External(_) | Target::Unknown) => names_it(),
                    // `from shop import prices`, where the package is there.
                    (None, Target::Local(_)) => names_it() && self.leads_nowhere(file, &view, import),
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
            // One that takes several names is one statement.
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

    /// Whether a member is asked of the type that it was one of.
    fn is_on_gone(&self, file: FileIdx, view: &View, index: RefIdx, gone: &Gone<'_>) -> bool {
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

    /// Uses of a name that mean nothing any more, in files of a language: of a definition that is gone. Nothing is known
    /// of a name that is everywhere.
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
                    Meaning::Missing if self.is_on_gone(file, &view, *index, gone) => 0.85,
                    // Something else has the name.
                    Meaning::Missing | Meaning::Unknown if is_defined => 0.3,
                    Meaning::Missing => 0.8,
                    Meaning::Unknown => 0.6,
                    // Looked for where it was, and taken for something that comes from elsewhere.
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

/// What a file is called as a module, with the directory that it is in: one that stands for its directory goes by that name too.
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

/// Whether an import ends in a module of one of these names, or takes one, and nothing says that it is in another directory.
fn names_module(view: &View, import: &Import, modules: &[(&str, &str)]) -> bool {
    let path = view.facts.names.get(import.path);
    // The ending of a file is no part of what it is called.
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
            matches!(part, "." | ".." | "crate" | "self" | "super") || part.starts_with(['@', '~', '#', '$'])
        };
        let mut known = modules.iter().filter(|(name, _)| name == last);
        known.any(|(_, dir)| outer.last().is_none_or(|outer| outer == dir || is_anywhere(outer)))
    };
    let item = import.item.map(|item| view.facts.names.get(item));
    let with_item: Vec<&str> = parts.iter().copied().chain(item).collect();
    // `config.h` is a name with its ending.
    let bare = path.split('.').next().filter(|_| !path.contains('/'));
    fits(&parts) || fits(&with_item) || bare.is_some_and(|bare| fits(&[bare]))
}
