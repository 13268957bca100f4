//! Direct callers and callees of the functions that a search found.

use std::{cmp::Reverse, sync::atomic::Ordering};

use graph::{LIKELY, SymbolId};
use refresh::named;
use search::Question;
use workspace::Error;

use crate::{code_graph::CodeGraph, places::PlaceView, snapshot::Snapshot};

/// A direct caller or callee of a function.
#[derive(Debug, Clone)]
pub struct Neighbour {
    pub path: String,
    pub qualified_name: String,
    /// For a caller the line of its first call, for a callee the line where it is defined.
    pub line: u32,
}

/// Callers and callees of a function, those first whose names share words with the question.
#[derive(Debug, Clone, Default)]
pub struct Neighbours {
    pub callers: Vec<Neighbour>,
    pub callees: Vec<Neighbour>,
    /// Including those that are not listed.
    pub callers_total: usize,
    pub callees_total: usize,
}

/// Callers are not resolved if more files than this mention the function's name.
const MAX_MENTIONING: usize = 40;

/// Up to this many files the module graph is built while the answer waits, which takes milliseconds. A larger workspace builds
/// it in the background, and its first answers have no neighbours.
const FEW_FILES: usize = 2000;

/// How many callers, and how many callees, are listed.
const LISTED: usize = 3;

impl Snapshot {
    /// The neighbours of each place; empty while the index is incomplete or the module graph is not built yet.
    pub fn neighbours(&self, question: &Question, places: &[&PlaceView]) -> Result<Vec<Neighbours>, Error> {
        let none = vec![Neighbours::default(); places.len()];
        let has_functions = places.iter().any(|place| place.function.is_some());
        if !has_functions || !self.reader().complete() || !self.is_graph_at_hand() {
            return Ok(none);
        }
        self.graph(|graph| places.iter().map(|place| graph.neighbours(question, place)).collect())
    }

    /// Whether the module graph can be used without a noticeable wait. Starts to build it in the background if not.
    fn is_graph_at_hand(&self) -> bool {
        if self.has_import_graph() || self.reader().files().indexed().nth(FEW_FILES).is_none() {
            return true;
        }
        // One build a generation, however many searches ask meanwhile.
        let generation = self.reader().generation();
        let is_first = self.caches.modules_begun.swap(generation, Ordering::Relaxed) != generation;
        if self.workspace().is_server() && is_first {
            let detached = self.detached();
            let work = move || {
                if let Err(error) = detached.import_graph() {
                    tracing::debug!(%error, "no modules");
                    detached.caches.modules_begun.store(u64::MAX, Ordering::Relaxed);
                }
            };
            if self.workspace().background().spawn(named("modules"), work).is_err() {
                tracing::debug!("no thread for the modules");
            }
        }
        false
    }
}

impl CodeGraph<'_> {
    fn neighbours(&self, question: &Question, place: &PlaceView) -> Result<Neighbours, Error> {
        let Some((file, symbol)) = place.function else {
            return Ok(Neighbours::default());
        };
        let Some(file) = self.graph.file_of(file) else {
            return Ok(Neighbours::default());
        };
        let ids = self.resolver().same_thing(SymbolId { file, symbol });
        let is_inside =
            |path: &str, line: u32| path == self.path(file) && (place.first_line..=place.last_line).contains(&line);
        let mut callers = Vec::new();
        let own = self.hit(SymbolId { file, symbol })?;
        if self.mentioning(&own.name).len() <= MAX_MENTIONING {
            let uses = self.resolver().uses(&ids).uses;
            for caller in self.resolver().grouped(&uses, ids[0], 1) {
                let Some(id) = caller.symbol.filter(|id| !self.is_aside(caller.file, Some(*id))) else {
                    continue;
                };
                let (hit, line) = (self.hit(id)?, self.line(caller.file, caller.sites[0]));
                if !is_inside(&hit.path, line) {
                    callers.push(neighbour(hit.path, hit.qualified_name, line));
                }
            }
        }
        let mut callees = Vec::new();
        for callee in self.resolver().callees(&ids, 1) {
            if callee.confidence < LIKELY {
                continue;
            }
            let hits = callee.symbols.iter().map(|id| self.hit(*id));
            let hits = hits.collect::<Result<Vec<_>, _>>()?;
            let main = hits.iter().find(|hit| !hit.is_declaration).or(hits.first());
            if let Some(hit) = main.filter(|hit| !is_inside(&hit.path, hit.line)) {
                callees.push(neighbour(hit.path.clone(), hit.qualified_name.clone(), hit.line));
            }
        }
        Ok(Neighbours {
            callers_total: callers.len(),
            callees_total: callees.len(),
            callers: best(question, callers),
            callees: best(question, callees),
        })
    }
}

fn neighbour(path: String, qualified_name: String, line: u32) -> Neighbour {
    Neighbour {
        path,
        qualified_name,
        line,
    }
}

/// The first few, ordered by how much of the question their names share.
fn best(question: &Question, mut found: Vec<Neighbour>) -> Vec<Neighbour> {
    let weight = |one: &Neighbour| (question.weight_of_name(&one.qualified_name) * 1000.0) as u32;
    found.sort_by_cached_key(|one| Reverse(weight(one)));
    found.truncate(LISTED);
    found
}
