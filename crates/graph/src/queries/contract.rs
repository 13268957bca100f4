//! Overriding: which members a member overrides, which interfaces a type satisfies implicitly, and which overrides a
//! change of a signature breaks.

use rustc_hash::FxHashSet;
use syntax::SymbolKind;

use crate::{
    engine::{
        meaning::Rule,
        resolver::{Resolver, sorted},
    },
    queries::references::implementations::Implementation,
    types::ty::Base,
    view::SymbolId,
};

impl Resolver<'_> {
    /// The members that the targets override.
    pub fn overridden(&self, targets: &[SymbolId]) -> Vec<SymbolId> {
        let mut found = Vec::new();
        for target in targets {
            let outer = match self.owner(*target) {
                _ if !self.may_override(*target) => Vec::new(),
                Base::Symbol(owner) => self.implemented_by(*target, owner),
                _ => self.unnamed_bases(*target),
            };
            if !outer.is_empty() {
                let name = self.name_of(*target);
                let mut open = outer;
                let mut seen = FxHashSet::default();
                while let Some(outer) = open.pop() {
                    if seen.insert(outer) && seen.len() < 64 {
                        let members = self.own_members(outer, &name).into_iter();
                        found.extend(members.filter(|member| self.overrides(*target, *member)));
                        open.extend(self.supertypes(outer).known.iter().copied());
                    }
                }
            }
        }
        found.retain(|symbol| !targets.contains(symbol));
        sorted(found)
    }

    /// Whether a definition can override one of a supertype: functions and properties can, fields only where they do
    /// not hide that of the supertype.
    fn may_override(&self, id: SymbolId) -> bool {
        match self.kind_of(id) {
            Some(SymbolKind::Property) => true,
            Some(SymbolKind::Field | SymbolKind::Variable | SymbolKind::Constant) => {
                self.semantics(id.file).overrides_fields
            }
            kind => kind.is_some_and(SymbolKind::is_function),
        }
    }

    /// The supertypes of a member's type, with the interfaces that it satisfies implicitly and that declare the member.
    pub(crate) fn implemented_by(&self, member: SymbolId, owner: SymbolId) -> Vec<SymbolId> {
        let mut found = self.supertypes(owner).known.clone();
        if let Some(implicit) = self.rules(owner.file).implicit_interfaces() {
            // Go: an embedded struct does not call the methods of the outer one.
            found.retain(|outer| self.kind_of(*outer) == Some(SymbolKind::Interface));
            let name = self.name_of(member);
            for (other, of) in self.members_named(member.file, &name).iter().copied() {
                if other != member
                    && self.kind_of(of) == Some(SymbolKind::Interface)
                    && implicit.conforms(self, owner, of, None)
                {
                    found.push(of);
                }
            }
        }
        found
    }

    /// Members of subtypes that have the name of an abstract member and no longer override anything, since its
    /// parameters changed. `was`: its signature before.
    pub fn left_behind(&self, targets: &[SymbolId], was: Option<&str>) -> Vec<Implementation> {
        let mut found = Vec::new();
        for target in targets {
            // A member with a body may have been changed without its overrides.
            let Some((owner, name)) = self.declared_in(*target) else {
                continue;
            };
            if let Some(implicit) = self.rules(target.file).implicit_interfaces() {
                let alike = implicit.formerly_alike(self, *target, was).into_iter();
                let behind = alike.filter(|(_, of)| {
                    let is_interface = self.kind_of(*of) == Some(SymbolKind::Interface);
                    !is_interface && implicit.conforms(self, *of, owner, Some(&name))
                });
                found.extend(behind.map(|(symbol, _)| Implementation {
                    symbol,
                    distance: 1,
                    rule: Rule::Member,
                }));
                continue;
            }
            let all = self.own_members(owner, &name);
            for derived in self.derived(owner) {
                let members = self.own_members(derived.symbol, &name).into_iter();
                let behind = members.filter(|member| !all.iter().any(|base| self.overrides(*member, *base)));
                found.extend(behind.map(|symbol| Implementation { symbol, ..derived }));
            }
        }
        found
    }

    /// Abstract members that the targets no longer override since their parameters changed. `was`: their signature
    /// before.
    pub fn no_longer_overridden(&self, targets: &[SymbolId], was: Option<&str>) -> Vec<SymbolId> {
        let mut found = Vec::new();
        for target in targets {
            let Base::Symbol(owner) = self.owner(*target) else {
                continue;
            };
            let name = self.name_of(*target);
            if let Some(implicit) = self.rules(target.file).implicit_interfaces() {
                let alike = implicit.formerly_alike(self, *target, was).into_iter();
                let owed = alike.filter(|(_, of)| {
                    self.kind_of(*of) == Some(SymbolKind::Interface)
                        && *of != owner
                        && implicit.conforms(self, owner, *of, Some(&name))
                });
                found.extend(owed.map(|(other, _)| other));
                continue;
            }
            let own = self.own_members(owner, &name);
            for outer in &self.supertypes(owner).known {
                let owed = self.own_members(*outer, &name).into_iter();
                found.extend(owed.filter(|base| {
                    self.declared_in(*base).is_some() && !own.iter().any(|member| self.overrides(*member, *base))
                }));
            }
        }
        sorted(found)
    }

    /// Subtypes that must implement an abstract member and do not.
    pub fn lacking(&self, target: SymbolId) -> Vec<Implementation> {
        let Some((owner, name)) = self.declared_in(target) else {
            return Vec::new();
        };
        let is_abstract = |id| matches!(self.kind_of(id), Some(SymbolKind::Interface | SymbolKind::Trait));
        if !is_abstract(owner) {
            return Vec::new();
        }
        let mut found = if let Some(implicit) = self.rules(target.file).implicit_interfaces() {
            let derived = implicit.implementers(self, owner, Some(&name)).into_iter();
            let derived = derived.filter(|derived| self.members(*derived, &name).is_empty());
            derived
                .map(|symbol| Implementation {
                    symbol,
                    distance: 1,
                    rule: Rule::Member,
                })
                .collect()
        } else {
            self.derived(owner)
        };
        found.retain(|derived| {
            let mut has = self.members(derived.symbol, &name);
            has.extend(self.own_members(derived.symbol, &name));
            !is_abstract(derived.symbol) && !has.iter().any(|has| *has != target && self.overrides(*has, target))
        });
        found
    }

    /// Whether a lambda can implement a type: an interface with a single abstract method.
    pub fn is_functional(&self, types: &[SymbolId]) -> bool {
        let is_open = |id: &SymbolId| {
            let is_function = self.kind_of(*id).is_some_and(SymbolKind::is_function);
            is_function && self.declared_in(*id).is_some()
        };
        types.first().is_some_and(|first| {
            let is_abstract = matches!(self.kind_of(*first), Some(SymbolKind::Interface | SymbolKind::Trait));
            self.semantics(first.file).has_functional_interfaces
                && is_abstract
                && self.all_members(types).iter().filter(|id| is_open(id)).count() == 1
        })
    }

    /// The owner and name of a member without a body.
    fn declared_in(&self, member: SymbolId) -> Option<(SymbolId, String)> {
        let is_declaration = self.symbol(member, |_, symbol| symbol.is_declaration)?;
        match self.owner(member) {
            Base::Symbol(owner) if is_declaration => Some((owner, self.name_of(member))),
            _ => None,
        }
    }

    /// The interfaces that a type satisfies by its methods (Go), in all packages. `None` where types declare what they
    /// implement.
    pub(crate) fn interfaces_of(&self, own: SymbolId) -> Option<Vec<SymbolId>> {
        let implicit = self.rules(own.file).implicit_interfaces()?;
        Some(implicit.interfaces_of(self, own))
    }
}
