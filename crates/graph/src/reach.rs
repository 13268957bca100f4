//! How far a change reaches: who uses a definition, who calls those, and so on, with bounded work.

use rustc_hash::{FxHashMap, FxHashSet};
use syntax::Role;

use crate::{
    calls::Caller,
    references::{LIKELY, Use},
    resolve::{Meaning, Resolver},
    semantics::related,
    view::SymbolId,
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
        let Some(first) = targets.first() else { return reach };
        // Where each is in the list; what was asked about is in none.
        let mut places: FxHashMap<SymbolId, Option<usize>> = targets.iter().map(|id| (*id, None)).collect();
        let mut open = Vec::new();
        let likely: Vec<Use> = uses.iter().filter(|used| used.confidence >= LIKELY).cloned().collect();
        self.add_dependents(&likely, *first, 1, &mut places, &mut reach.dependents, &mut open);
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
                uses.retain(|used| used.role == Role::Call && used.confidence >= LIKELY);
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

    /// Uses of a name that mean nothing any more, in files of a language: of a definition that is gone. Nothing is known
    /// of a name that is everywhere.
    pub fn left_over(&self, name: &str, lang: &str) -> Option<Vec<Use>> {
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
            for index in view.references_named(name) {
                let reference = &view.facts.references[*index as usize];
                let confidence = match self.meaning(file, *index) {
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
                    reference: *index,
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
