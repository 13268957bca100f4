//! Members of anonymous classes: `new Visitor() { .. }`, `object : Visitor { .. }`, the body of an enum constant.

use syntax::{RefIdx, Role, SymbolKind};

use crate::{
    engine::{
        meaning::{Meaning, Rule},
        resolver::Resolver,
    },
    files::FileIdx,
    queries::references::{implementations::Implementation, type_around},
    view::SymbolId,
};

impl Resolver<'_> {
    /// The supertypes of the anonymous class that contains a member; empty if there is no such class.
    pub(crate) fn unnamed_bases(&self, member: SymbolId) -> Vec<SymbolId> {
        let Some(view) = self.view(member.file) else {
            return Vec::new();
        };
        let symbols = &view.facts.symbols;
        let symbol = &symbols[member.symbol];
        let outer = symbol.parent.map(|parent| &symbols[parent]);
        let Some(outer) = outer.filter(|_| symbol.kind == SymbolKind::Method) else {
            return Vec::new();
        };
        if outer.kind == SymbolKind::Variant {
            let of = outer.parent.map(|symbol| SymbolId { symbol, ..member });
            return of.into_iter().collect();
        }
        if outer.kind.has_members() || matches!(outer.kind, SymbolKind::Module | SymbolKind::Namespace) {
            return Vec::new();
        }
        // Facts have no symbol for the class: its supertype is the last one mentioned before the member that is not
        // part of a type declaration.
        let references = &view.facts.references;
        let first = references.partition_point(|reference| reference.at < outer.span.start);
        let before = RefIdx::enumerate_from(references, first);
        let before = before
            .take_while(|(_, reference)| reference.at < symbol.span.start)
            .filter(|(_, reference)| reference.role == Role::Implementation)
            .filter(|(_, reference)| type_around(&view, reference.at).is_none());
        match before.last().map(|(index, _)| self.meaning(member.file, index)) {
            Some(Meaning::Symbols(found, _)) => found,
            _ => Vec::new(),
        }
    }

    /// The offsets of supertype clauses of anonymous classes that extend one of some types, and of object literals that
    /// implement a target.
    pub fn unnamed(&self, targets: &[SymbolId]) -> Vec<(FileIdx, u32)> {
        let mut found = Vec::new();
        let types = targets.iter().copied();
        let types: Vec<SymbolId> = types
            .filter(|id| self.kind_of(*id).is_some_and(SymbolKind::is_type))
            .collect();
        self.each_clause(&types, |file, view, index, _| {
            let at = view.facts.references[index].at;
            if type_around(view, at).is_none() {
                found.push((file, at));
            }
        });
        for target in targets {
            found.extend(self.rules(target.file).unnamed_implementing(self, *target));
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The members of anonymous classes that override `target`, a member of `owner`; `derived` are the subtypes of
    /// `owner`.
    pub(crate) fn unnamed_members(
        &self,
        target: SymbolId,
        owner: SymbolId,
        derived: &[Implementation],
    ) -> Vec<Implementation> {
        let name = self.name_of(target);
        if self.is_everywhere(&name) {
            return Vec::new();
        }
        let mut found = Vec::new();
        for file in self.defining(&name).iter().copied() {
            let Some(view) = self.view(file) else { continue };
            for (symbol, _) in view.symbols_named(&name) {
                let member = SymbolId { file, symbol };
                let bases = self.unnamed_bases(member);
                let distance = bases
                    .iter()
                    .find_map(|base| match derived.iter().find(|one| one.symbol == *base) {
                        _ if *base == owner => Some(1),
                        Some(between) => Some(between.distance + 1),
                        None => None,
                    });
                if let Some(distance) = distance.filter(|_| self.overrides(member, target)) {
                    let rule = Rule::Member;
                    found.push(Implementation {
                        symbol: member,
                        distance,
                        rule,
                    });
                }
            }
        }
        found
    }
}
