//! How far a change reaches: who uses a definition, who calls those, and so on, with bounded work.

use rustc_hash::{FxHashMap, FxHashSet};
use syntax::{Import, On, Role, SymbolKind};

use crate::{
    calls::Caller,
    files::FileIdx,
    modules::Target,
    references::{LIKELY, Use},
    resolve::{At, Base, Meaning, Resolver},
    semantics::related,
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
    pub lang: &'a str,
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
                let weight = self.weight(symbol);
                if lookups >= bounds.lookups || weight > files {
                    reach.unexplored.insert(symbol);
                    continue;
                }
                lookups += 1;
                files -= weight;
                let mut uses = self.uses(&self.same_thing(symbol)).uses;
                // Who hands a function on has it called.
                let is_function = self.kind_of(symbol).is_some_and(SymbolKind::is_function);
                uses.retain(|used| {
                    let depends = match used.role {
                        Role::Call => true,
                        Role::Variable | Role::Member => is_function,
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
    fn takes_gone(&self, file: FileIdx, view: &View, gone: &Gone<'_>) -> bool {
        let stem = module_name(gone.path);
        view.facts
            .imports
            .iter()
            .any(|import| match self.modules.resolve(file, &view.facts, import) {
                Target::Local(found) => {
                    let is_there = found.iter().any(|one| self.modules.files().path(*one) == gone.path);
                    let item = import.item.map(|item| view.facts.names.get(item));
                    is_there && gone.owner.is_none() && item == Some(gone.name)
                }
                Target::External(_) | Target::Unknown => names_module(view, import, stem),
                Target::Candidates(_) => false,
            })
    }

    /// Imports that led to a file which is gone, and now lead nowhere. Nothing is known of a name that is everywhere.
    pub fn leading_nowhere(&self, path: &str, lang: &str) -> Option<Vec<Use>> {
        let stem = module_name(path);
        let files = self.world.mentioning(stem);
        if files.len() > MAX_FILES {
            return None;
        }
        let mut found = Vec::new();
        for file in files {
            if !related(lang, self.lang(file)) {
                continue;
            }
            let Some(view) = self.view(file) else { continue };
            let mut imports: Vec<&Import> = view.facts.imports.iter().collect();
            imports.retain(|import| {
                names_module(&view, import, stem)
                    && matches!(
                        self.modules.resolve(file, &view.facts, import),
                        Target::External(_) | Target::Unknown
                    )
            });
            // One that takes several names is one statement.
            imports.dedup_by_key(|import| view.facts.lines.line(import.at));
            found.extend(imports.into_iter().map(|import| Use {
                file,
                reference: None,
                at: import.at,
                role: Role::Import,
                enclosing: view.facts.enclosing(import.at),
                origin: crate::references::Origin::Name,
                confidence: 0.85,
            }));
        }
        Some(found)
    }

    /// Whether a member is asked of the type that it was one of.
    fn is_on_gone(&self, file: FileIdx, view: &View, index: u32, gone: &Gone<'_>) -> bool {
        let Some(owner) = gone.owner else { return false };
        let reference = &view.facts.references[index as usize];
        let at = reference.at;
        let place = At { file, view, at };
        let asked = match reference.on {
            On::Value(value) => self.value(file, value).head,
            On::This | On::Super => self.own_type(place),
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
            let is_taken = self.takes_gone(file, &view, gone);
            for index in view.references_named(name) {
                let reference = &view.facts.references[*index as usize];
                let confidence = match self.meaning(file, *index) {
                    Meaning::Missing | Meaning::Unknown | Meaning::External if is_taken => 0.85,
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
                    origin: crate::references::Origin::Name,
                    confidence,
                });
            }
        }
        found.sort_by_key(|used| (used.file, used.at));
        Some(found)
    }
}

/// What a file is called as a module: a package goes by the name of its directory.
fn module_name(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    match name.split('.').next().unwrap_or(name) {
        stem @ ("__init__" | "index" | "mod") => path.rsplit('/').nth(1).unwrap_or(stem),
        stem => stem,
    }
}

/// Whether an import ends in a module of this name, or takes one.
fn names_module(view: &View, import: &Import, stem: &str) -> bool {
    let path = view.facts.names.get(import.path);
    let last = path.rsplit(['/', '.', ':', '\\']).find(|part| !part.is_empty());
    let without_end = path.rsplit('/').next().and_then(|last| last.split('.').next());
    let item = import.item.map(|item| view.facts.names.get(item));
    [last, without_end, item].contains(&Some(stem))
}
