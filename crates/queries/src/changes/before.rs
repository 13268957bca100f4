//! Who used a function as it was: what they give it may fit nothing any more.

use std::sync::Arc;

use graph::{FileIdx, Resolver, SymbolId, Use, Uses, View};
use rustc_hash::FxHashMap;
use syntax::{FileFacts, RefIdx};

use super::{ChangeSet, ChangedSymbol};
use crate::code_graph::CodeGraph;

/// A file as it was.
#[derive(Debug)]
pub(super) struct Before {
    view: Arc<View>,
    /// Lines that are new, and those that are gone, by the numbers of their own version.
    added: Vec<u32>,
    removed: Vec<u32>,
}

impl Before {
    pub fn new(facts: FileFacts, mut added: Vec<u32>, mut removed: Vec<u32>) -> Before {
        added.sort_unstable();
        removed.sort_unstable();
        Before {
            view: Arc::new(View::new(Arc::new(facts))),
            added,
            removed,
        }
    }

    /// Where a line is now; nothing if it is gone.
    fn line_now(&self, line: u32) -> Option<u32> {
        let gone = self.removed.partition_point(|removed| *removed < line);
        if self.removed.get(gone) == Some(&line) {
            return None;
        }
        let mut now = line - gone as u32;
        for added in &self.added {
            if *added > now {
                break;
            }
            now += 1;
        }
        Some(now)
    }

    /// A use of the old version in the new one, if its line is still there.
    fn now(&self, used: &Use, view: &View) -> Option<Use> {
        let old = &self.view.facts.lines;
        let line = old.line(used.at);
        let now = self.line_now(line)?;
        let lines = &view.facts.lines;
        let at = (now <= lines.count()).then(|| lines.span(now).start + used.at - old.span(line).start)?;
        let reference = view.reference_at(at)?;
        let name = |view: &View, reference: RefIdx| {
            let reference = &view.facts.references[reference];
            view.facts.names.get(reference.name).to_owned()
        };
        let is_same = name(view, reference) == name(&self.view, used.reference?);
        is_same.then(|| Use {
            reference: Some(reference),
            at,
            enclosing: view.facts.enclosing(at),
            ..used.clone()
        })
    }
}

impl CodeGraph<'_> {
    /// What uses a definition that a change has touched: as it is, and as it was if it had another signature.
    pub fn uses_through(&self, set: &ChangeSet, symbol: &ChangedSymbol, id: SymbolId) -> (Vec<SymbolId>, Uses) {
        let (ids, mut uses) = self.uses_of(id);
        let was = symbol
            .was
            .filter(|_| symbol.has_new_signature == Some(true) && symbol.kind.is_function());
        let Some(was) = was.filter(|_| set.before.contains_key(&id.file)) else {
            return (ids, uses);
        };
        let changed = set.before.iter().map(|(file, before)| (*file, before.view.clone()));
        let overlay = self.overlay(changed.collect(), false);
        let resolver = Resolver::new(&overlay, &self.graph.modules);
        let was = resolver.same_thing(SymbolId { symbol: was, ..id });
        let before = resolver.uses(&was).uses;
        let mut known: FxHashMap<(FileIdx, u32), usize> = FxHashMap::default();
        known.extend((0..).zip(&uses.uses).map(|(n, used)| ((used.file, used.at), n)));
        let n_known = uses.uses.len();
        for used in before {
            let now = match set.before.get(&used.file) {
                Some(before) => self
                    .resolver()
                    .view(used.file)
                    .and_then(|view| before.now(&used, &view)),
                None => Some(used),
            };
            let Some(now) = now else { continue };
            match known.get(&(now.file, now.at)) {
                Some(at) if uses.uses[*at].confidence < now.confidence => uses.uses[*at] = now,
                Some(_) => {}
                None => uses.uses.push(now),
            }
        }
        uses.others = uses.others.saturating_sub(uses.uses.len() - n_known);
        uses.uses.sort_by_key(|used| (used.file, used.at));
        (ids, uses)
    }
}
