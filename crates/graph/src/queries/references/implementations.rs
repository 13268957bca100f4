//! Subtypes of types, implementations and overrides of members, and aliases of types.

use rustc_hash::FxHashSet;
use syntax::{RefIdx, Role, SymbolKind};

use crate::{
    engine::{
        meaning::{Meaning, Rule},
        occurrences::Occurrence,
        resolver::{At, Resolver, sorted},
    },
    files::FileIdx,
    queries::references::type_around,
    types::ty::Base,
    view::{SymbolId, View},
};

/// The depth of a type hierarchy that is followed.
const MAX_DISTANCE: u32 = 12;

/// A subtype of a type, or an override of a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Implementation {
    /// The type, the block that declares the conformance (`impl Trait for Type`), or the member.
    pub symbol: SymbolId,
    /// 1 for a direct subtype, more for an indirect one.
    pub distance: u32,
    /// The rule that found it.
    pub rule: Rule,
}

impl Resolver<'_> {
    /// The subtypes of types, and the overrides of members.
    pub fn implementations(&self, targets: &[SymbolId]) -> Vec<Implementation> {
        let mut found = Vec::new();
        for target in targets {
            let Some(kind) = self.kind_of(*target) else { continue };
            if kind.is_type() || kind == SymbolKind::Module {
                found.extend(self.derived(*target));
                found.extend(self.rules(target.file).implementing_objects(self, *target, 1));
            } else if let Base::Symbol(owner) = self.owner(*target) {
                let name = self.name_of(*target);
                let promotes = self.rules(owner.file).implicit_interfaces().is_some();
                let all_derived = self.derived(owner);
                found.extend(self.unnamed_members(*target, owner, &all_derived));
                for derived in all_derived {
                    // Go: methods of embedded types are promoted.
                    let mut members = if promotes {
                        self.members(derived.symbol, &name)
                    } else {
                        self.own_members(derived.symbol, &name)
                    };
                    // The block that declares the conformance may be empty where another block has the member.
                    if let (true, Base::Symbol(own)) = (members.is_empty(), self.extended_type(derived.symbol)) {
                        members = self.own_members(own, &name);
                    }
                    members.retain(|member| !targets.contains(member) && self.overrides(*member, *target));
                    // Not an inherent method with the name of the trait's.
                    members.retain(|member| self.block_of(*member).is_none_or(|block| block.known.contains(&owner)));
                    let members = self.effective(members);
                    for member in &members {
                        let objects = self
                            .rules(member.file)
                            .implementing_objects(self, *member, derived.distance + 1);
                        found.extend(objects);
                    }
                    found.extend(members.into_iter().map(|symbol| Implementation { symbol, ..derived }));
                }
                found.extend(self.rules(target.file).implementing_objects(self, *target, 1));
            }
        }
        found.retain(|one| !targets.contains(&one.symbol));
        found.sort_by_key(|one| (one.symbol, one.distance));
        found.dedup_by_key(|one| one.symbol);
        self.drop_declared(&mut found);
        found.sort_by_key(|one| (one.distance, one.symbol));
        found
    }

    /// The type that a block adds members to: `Circle` of `impl Shape for Circle`.
    fn extended_type(&self, block: SymbolId) -> Base {
        match self.kind_of(block) {
            Some(SymbolKind::Impl) => self.rules(block.file).type_of_block(self, block),
            _ => Base::Unknown,
        }
    }

    /// Drops declarations whose definition is among the results.
    fn drop_declared(&self, found: &mut Vec<Implementation>) {
        let is_declaration = |id: SymbolId| self.symbol(id, |_, symbol| symbol.is_declaration) == Some(true);
        let all: Vec<SymbolId> = found.iter().map(|one| one.symbol).collect();
        found.retain(|one| {
            let is_defined = |other: &SymbolId| all.contains(other) && !is_declaration(*other);
            !is_declaration(one.symbol) || !self.same_thing(one.symbol).iter().any(is_defined)
        });
    }

    /// Where there are no overloads, a later definition replaces an earlier one in the same scope.
    fn effective(&self, members: Vec<SymbolId>) -> Vec<SymbolId> {
        let place = |id: SymbolId| (id.file, self.symbol(id, |_, symbol| symbol.parent));
        let is_replaced = |at: usize, id: SymbolId| {
            !self.semantics(id.file).has_overloads() && members[at + 1..].iter().any(|later| place(*later) == place(id))
        };
        let members_at = members.iter().copied().enumerate();
        members_at
            .filter(|(at, id)| !is_replaced(*at, *id))
            .map(|(_, id)| id)
            .collect()
    }

    /// All subtypes of a type, nearest first.
    pub(crate) fn derived(&self, target: SymbolId) -> Vec<Implementation> {
        let mut found: Vec<Implementation> = Vec::new();
        let mut seen = FxHashSet::from_iter([target]);
        let mut open = vec![target];
        for distance in 1..=MAX_DISTANCE {
            let mut next = Vec::new();
            for outer in std::mem::take(&mut open) {
                for (symbol, rule) in self.directly_derived(outer) {
                    if !seen.insert(symbol) {
                        continue;
                    }
                    found.push(Implementation { symbol, distance, rule });
                    let own = match self.kind_of(symbol) {
                        Some(SymbolKind::Impl) => self.extended(symbol),
                        _ => Base::Symbol(symbol),
                    };
                    if let Base::Symbol(own) = own {
                        next.push(own);
                    }
                }
            }
            if next.is_empty() {
                break;
            }
            open = next;
        }
        found
    }

    fn directly_derived(&self, target: SymbolId) -> Vec<(SymbolId, Rule)> {
        let same = self.same_thing(target);
        let is_interface = self.kind_of(target) == Some(SymbolKind::Interface);
        let mut found = Vec::new();
        if let Some(implicit) = self.rules(target.file).implicit_interfaces() {
            if is_interface {
                let derived = sorted(implicit.implementers(self, target, None));
                found.extend(derived.into_iter().map(|symbol| (symbol, Rule::Member)));
            }
            return found;
        }
        let same = self.rules(target.file).names_of_base(self, same);
        self.each_clause(&same, |file, view, index, rule| {
            let at = view.facts.references[index].at;
            found.extend(type_around(view, at).map(|symbol| (SymbolId { file, symbol }, rule)));
        });
        found.sort_unstable();
        found.dedup_by_key(|(symbol, _)| *symbol);
        found
    }

    /// Types and their aliases: `typedef SetOf<int> Set;`, `typealias Both = A & B`.
    pub(crate) fn with_aliases(&self, types: &[SymbolId]) -> Vec<SymbolId> {
        let mut all = types.to_vec();
        if let Some(first) = types.first() {
            let aliases = self.known_aliases(*first, || self.aliases_of(types));
            all.extend(aliases.iter().copied());
        }
        all
    }

    fn aliases_of(&self, types: &[SymbolId]) -> Vec<SymbolId> {
        let mut found = Vec::new();
        let Some(name) = types.first().map(|id| self.name_of(*id)) else {
            return found;
        };
        for (file, known) in self.spots(&name, self.world.mentioning(&name)) {
            for spot in known.spots.iter().filter(|spot| spot.is_in_alias) {
                let Some(view) = self.view(file) else { continue };
                let Some(symbol) = view.facts.enclosing(spot.at) else {
                    continue;
                };
                let alias = &view.facts.symbols[symbol];
                let ty = alias.type_expr().filter(|_| alias.kind == SymbolKind::Type);
                let Some(ty) = ty.map(|ty| view.type_expr(ty)) else {
                    continue;
                };
                let place = At {
                    file,
                    view: &view,
                    at: alias.end_of_signature(),
                };
                let id = SymbolId { file, symbol };
                let is_of = || self.type_from(place, ty).heads().any(|own| types.contains(&own));
                if !types.contains(&id) && !found.contains(&id) && is_of() {
                    found.push(id);
                }
            }
        }
        found
    }

    /// Calls `take` for each supertype clause that names one of some declarations of a type: `class Circle : Shape`.
    pub(crate) fn each_clause(&self, same: &[SymbolId], mut take: impl FnMut(FileIdx, &View, RefIdx, Rule)) {
        let mut names: Vec<String> = same.iter().map(|id| self.name_of(*id)).collect();
        names.sort();
        names.dedup();
        if names.is_empty() {
            return;
        }
        for mention in self.mentions(same, names, None) {
            let file = mention.file;
            for Occurrence { index, role, .. } in mention.spots {
                if role == Role::Implementation
                    && let Meaning::Symbols(symbols, rule) = self.meaning(file, index)
                    && symbols.iter().any(|symbol| same.contains(symbol))
                    && let Some(view) = self.view(file)
                {
                    take(file, &view, index, rule);
                }
            }
        }
    }
}
