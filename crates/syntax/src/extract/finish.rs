//! The end of a walk: records in the order of the text, with indexes that follow.

use super::Walk;
use crate::facts::{FileFacts, Note, Qualifier, RefIdx, SymbolIdx};

impl Walk<'_> {
    pub(super) fn finish(mut self, facts: &mut FileFacts) {
        // Embedded languages come after their surroundings, and fields after the method that sets them.
        if !self.symbols.is_sorted_by_key(|symbol| symbol.span.start) {
            self.sort_symbols();
        }
        if !self.references.is_sorted_by_key(|reference| reference.at) {
            self.sort_references();
        }
        // Those of an inner call are marked after those of the one around it.
        self.arguments.sort_by_key(|argument| argument.call);
        self.imports.sort_by_key(|import| import.at);
        self.bindings.sort_by_key(|binding| binding.at);
        self.annotations.sort_by_key(|annotation| annotation.at);
        facts.names = self.names;
        facts.symbols = self.symbols;
        facts.references = self.references;
        facts.arguments = self.arguments;
        facts.imports = self.imports;
        facts.bindings = self.bindings;
        facts.annotations = self.annotations;
        facts.contexts = self.contexts;
        facts.patterns = self.patterns;
        facts.tags = self.tags;
        facts.comment_lines = self.comment_lines;
    }

    pub(super) fn sort_references(&mut self) {
        let (order, place) = sorted(self.references.len(), |at| self.references[at].at);
        let references = order.iter().map(|old| {
            let mut reference = self.references[*old as usize];
            if let Qualifier::Value(value) = &mut reference.on {
                *value = RefIdx(place[value.as_usize()]);
            }
            reference
        });
        self.references = references.collect();
        let symbols = self.symbols.iter_mut().filter_map(|symbol| symbol.value.as_mut());
        let bindings = self.bindings.iter_mut().filter_map(|binding| binding.value.as_mut());
        let further = self.annotations.iter_mut().filter_map(|one| match &mut one.note {
            Note::FurtherValue(value) => Some(value),
            _ => None,
        });
        symbols
            .chain(bindings)
            .chain(further)
            .for_each(|value| *value = RefIdx(place[value.as_usize()]));
        for argument in &mut self.arguments {
            argument.call = RefIdx(place[argument.call.as_usize()]);
            if let Some(value) = argument.value.reference() {
                argument.value = argument.value.of(RefIdx(place[value.as_usize()]));
            }
        }
    }

    pub(super) fn sort_symbols(&mut self) {
        let (order, place) = sorted(self.symbols.len(), |at| self.symbols[at].span.start);
        let symbols = order.iter().map(|old| {
            let mut symbol = self.symbols[*old as usize].clone();
            symbol.parent = symbol.parent.map(|parent| SymbolIdx(place[parent.as_usize()]));
            symbol
        });
        self.symbols = symbols.collect();
    }
}

/// The old places in their new order, and the new place of each old one.
pub(super) fn sorted(count: usize, key: impl Fn(usize) -> u32) -> (Vec<u32>, Vec<u32>) {
    let mut order: Vec<u32> = (0..count as u32).collect();
    order.sort_by_key(|at| key(*at as usize));
    let mut place = vec![0; count];
    for (new, old) in order.iter().enumerate() {
        place[*old as usize] = new as u32;
    }
    (order, place)
}
