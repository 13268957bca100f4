//! What types owe to those that they stand in for: what overrides what, interfaces that a type has by its methods alone, and
//! what a change of a member leaves undone.

use rustc_hash::FxHashSet;
use syntax::{Qualifier, Role, SymbolKind};

use crate::{
    engine::{
        meaning::{Meaning, Rule},
        resolver::{Resolver, sorted},
    },
    queries::references::implementations::Implementation,
    types::ty::Base,
    view::{SymbolId, View},
};

impl Resolver<'_> {
    /// The members that the wanted ones stand in for.
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
                        found.extend(members.filter(|member| self.stands_in(*target, *member)));
                        open.extend(self.supertypes(outer).known.iter().copied());
                    }
                }
            }
        }
        found.retain(|symbol| !targets.contains(symbol));
        sorted(found)
    }

    /// Whether a definition is of a kind that is asked of a value, which may be of a derived type: a function or a property,
    /// and a field where those of a base are not hidden by it.
    fn may_override(&self, id: SymbolId) -> bool {
        match self.kind_of(id) {
            Some(SymbolKind::Property) => true,
            Some(SymbolKind::Field | SymbolKind::Variable | SymbolKind::Constant) => {
                self.semantics(id.file).overrides_fields
            }
            kind => kind.is_some_and(SymbolKind::is_function),
        }
    }

    /// The types that a member's type is derived from, interfaces that it has without saying so among them.
    pub(crate) fn implemented_by(&self, member: SymbolId, owner: SymbolId) -> Vec<SymbolId> {
        let mut found = self.supertypes(owner).known.clone();
        if self.semantics(owner.file).implicit_interfaces {
            // What a struct embeds does not know of it.
            found.retain(|outer| self.kind_of(*outer) == Some(SymbolKind::Interface));
            let name = self.name_of(member);
            for (other, of) in self.members_named(member.file, &name).iter().copied() {
                if other != member
                    && self.kind_of(of) == Some(SymbolKind::Interface)
                    && self.has_methods_of(owner, of, None)
                {
                    found.push(of);
                }
            }
        }
        found
    }

    /// Members of derived types that have a declared member's name and stand in for nothing: what a change of what it takes
    /// leaves behind. `was` is its shape before.
    pub fn left_behind(&self, targets: &[SymbolId], was: Option<&str>) -> Vec<Implementation> {
        let mut found = Vec::new();
        for target in targets {
            // What has a body may have been changed in it alone.
            let Some((owner, name)) = self.declared_in(*target) else {
                continue;
            };
            if self.semantics(target.file).implicit_interfaces {
                let behind = self.once_alike(*target, &name, was).into_iter().filter(|(_, of)| {
                    self.kind_of(*of) != Some(SymbolKind::Interface) && self.has_methods_of(*of, owner, Some(&name))
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
                let behind = members.filter(|member| !all.iter().any(|base| self.stands_in(*member, *base)));
                found.extend(behind.map(|symbol| Implementation { symbol, ..derived }));
            }
        }
        found
    }

    /// Members of its name, and whose they are, that a member was like before it took something else.
    fn once_alike(&self, member: SymbolId, name: &str, was: Option<&str>) -> Vec<(SymbolId, SymbolId)> {
        let mut found = match was {
            Some(_) => self.all_members_named(member.file, name),
            None => Vec::new(),
        };
        found.retain(|(other, _)| self.signature_of(*other).as_deref() == was && !self.are_alike(*other, member));
        found
    }

    /// Declared members that some no longer stand in for since they take something else. `was` is their shape before.
    pub fn deserted(&self, targets: &[SymbolId], was: Option<&str>) -> Vec<SymbolId> {
        let mut found = Vec::new();
        for target in targets {
            let Base::Symbol(owner) = self.owner(*target) else {
                continue;
            };
            let name = self.name_of(*target);
            if self.semantics(target.file).implicit_interfaces {
                let owed = self.once_alike(*target, &name, was).into_iter().filter(|(_, of)| {
                    self.kind_of(*of) == Some(SymbolKind::Interface)
                        && *of != owner
                        && self.has_methods_of(owner, *of, Some(&name))
                });
                found.extend(owed.map(|(other, _)| other));
                continue;
            }
            let own = self.own_members(owner, &name);
            for outer in &self.supertypes(owner).known {
                let owed = self.own_members(*outer, &name).into_iter();
                found.extend(owed.filter(|base| {
                    self.declared_in(*base).is_some() && !own.iter().any(|member| self.stands_in(*member, *base))
                }));
            }
        }
        sorted(found)
    }

    /// Types that have to have a declared member, since they are derived from its type, and have not.
    pub fn lacking(&self, target: SymbolId) -> Vec<Implementation> {
        let Some((owner, name)) = self.declared_in(target) else {
            return Vec::new();
        };
        let is_abstract = |id| matches!(self.kind_of(id), Some(SymbolKind::Interface | SymbolKind::Trait));
        if !is_abstract(owner) {
            return Vec::new();
        }
        let mut found = if self.semantics(target.file).implicit_interfaces {
            let derived = self.implicitly_derived(owner, Some(&name)).into_iter();
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
            !is_abstract(derived.symbol) && !has.iter().any(|has| *has != target && self.stands_in(*has, target))
        });
        found
    }

    /// Whether a function can stand in for a type: an interface with one method that has no body.
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

    /// The type and name of a member that has no body.
    fn declared_in(&self, member: SymbolId) -> Option<(SymbolId, String)> {
        let is_declaration = self.symbol(member, |_, symbol| symbol.is_declaration)?;
        match self.owner(member) {
            Base::Symbol(owner) if is_declaration => Some((owner, self.name_of(member))),
            _ => None,
        }
    }

    /// The types that have all methods of an interface, but for one.
    pub(crate) fn implicitly_derived(&self, interface: SymbolId, but: Option<&str>) -> Vec<SymbolId> {
        let mut methods = self.methods_of(interface, 0);
        methods.retain(|name| Some(name.as_str()) != but);
        // What comes from elsewhere is defined by nobody who embeds it.
        methods.sort_by_cached_key(|name| (self.members(interface, name).is_empty(), self.defining(name).len()));
        let Some(rarest) = methods.first() else {
            return Vec::new();
        };
        // Who has it with other parameters has another method, and so has who embeds that one.
        let wanted = self.members(interface, rarest).first().copied();
        let has_it = |member: SymbolId| wanted.is_none_or(|wanted| member == wanted || self.are_alike(member, wanted));
        let having = self.all_members_named(interface.file, rarest).into_iter();
        let having = having.filter(|(member, _)| has_it(*member));
        let mut owners = sorted(having.map(|(_, owner)| owner).collect());
        // Who embeds one that has the method has it too.
        let mut next = 0;
        while let Some(owner) = owners.get(next).copied() {
            next += 1;
            if owners.len() > 2000 {
                break;
            }
            for embedding in self.declared_with(owner) {
                if !owners.contains(&embedding) {
                    owners.push(embedding);
                }
            }
        }
        let is_type = |owner: SymbolId| self.kind_of(owner).is_some_and(SymbolKind::is_type);
        owners.retain(|owner| *owner != interface && is_type(*owner) && self.has_methods_of(*owner, interface, but));
        owners
    }

    /// The types that are declared with another in them.
    fn declared_with(&self, embedded: SymbolId) -> Vec<SymbolId> {
        let name = self.name_of(embedded);
        let mut found = Vec::new();
        for file in self.world.mentioning(&name) {
            let Some(view) = self.view(file) else { continue };
            for index in view.references_named(&name) {
                let reference = &view.facts.references[*index as usize];
                if reference.role == Role::Implementation
                    && let Some(around) = view.declaring(reference.at)
                    && let Meaning::Symbols(symbols, _) = self.meaning(file, *index)
                    && symbols.contains(&embedded)
                {
                    found.push(SymbolId { file, symbol: around });
                }
            }
        }
        found
    }

    /// The interfaces that a type has by its methods alone, of whatever package. Nothing where types say what they are.
    pub(crate) fn interfaces_of(&self, own: SymbolId) -> Option<Vec<SymbolId>> {
        if !self.semantics(own.file).implicit_interfaces {
            return None;
        }
        let is_interface = |id: &SymbolId| *id != own && self.kind_of(*id) == Some(SymbolKind::Interface);
        let mut open: Vec<SymbolId> = Vec::new();
        for name in self.method_names(own) {
            let others = self.members_named(own.file, &name);
            open.extend(others.iter().map(|(_, of)| *of).filter(is_interface));
        }
        let mut seen = FxHashSet::default();
        let mut found = Vec::new();
        while let Some(interface) = open.pop() {
            if seen.insert(interface) && self.has_methods_of(own, interface, None) {
                found.push(interface);
                // One may be made of others alone.
                open.extend(self.declared_with(interface).into_iter().filter(is_interface));
            }
        }
        Some(sorted(found))
    }

    /// The names of a type's methods, with those of what it embeds.
    fn method_names(&self, own: SymbolId) -> Vec<String> {
        let mut types = vec![own];
        let mut next = 0;
        while let Some(one) = types.get(next).copied().filter(|_| types.len() < 64) {
            next += 1;
            let embedded = self.supertypes(one).known.clone();
            types.extend(
                embedded
                    .into_iter()
                    .filter(|one| !types.contains(one))
                    .collect::<Vec<_>>(),
            );
        }
        let members = self.all_members(&types).into_iter();
        let methods = members.filter(|id| self.kind_of(*id).is_some_and(SymbolKind::is_function));
        let mut names: Vec<String> = methods.map(|id| self.name_of(id)).collect();
        names.sort();
        names.dedup();
        names
    }

    /// The names of an interface's methods, with those of the interfaces in it.
    fn methods_of(&self, interface: SymbolId, depth: u32) -> Vec<String> {
        let Some(view) = self.view(interface.file) else {
            return Vec::new();
        };
        let own = view
            .facts
            .symbols
            .iter()
            .filter(|symbol| symbol.parent == Some(interface.symbol) && symbol.kind.is_function());
        let mut names: Vec<String> = own.map(|symbol| view.facts.name(symbol).to_owned()).collect();
        if depth < 8 {
            for outer in &self.supertypes(interface).known {
                names.extend(self.methods_of(*outer, depth + 1));
            }
        }
        names.extend(self.methods_of_library(interface, &view));
        names
    }

    /// The methods that a type has of what it embeds from elsewhere, itself or in what it embeds.
    fn embedded_methods(&self, own: SymbolId, depth: u32) -> Vec<String> {
        let Some(view) = self.view(own.file) else {
            return Vec::new();
        };
        let mut names = self.methods_of_library(own, &view);
        if depth < 8 {
            for embedded in &self.supertypes(own).known {
                names.extend(self.embedded_methods(*embedded, depth + 1));
            }
        }
        names
    }

    /// The methods of interfaces from elsewhere that are in an interface, as far as they are known: `io.Writer`.
    fn methods_of_library(&self, interface: SymbolId, view: &View) -> Vec<String> {
        let known = self.semantics(interface.file).library_methods;
        let facts = &view.facts;
        let span = facts.symbols[interface.symbol as usize].span;
        let first = facts.references.partition_point(|reference| reference.at < span.start);
        let inside = facts.references[first..].iter();
        let inside = inside.take_while(|reference| reference.at < span.end && !known.is_empty());
        let embedded = inside.filter_map(|reference| match reference.on {
            Qualifier::Path(package) if reference.role == Role::Implementation => {
                Some((facts.names.get(package), facts.names.get(reference.name)))
            }
            Qualifier::Nothing if reference.role == Role::Implementation => Some(("", facts.names.get(reference.name))),
            _ => None,
        });
        let methods = embedded.filter_map(|embedded| {
            let is_it = |(package, name, _): &&(&str, &str, _)| (*package, *name) == embedded;
            known.iter().find(is_it).map(|(_, _, methods)| methods.iter())
        });
        methods.flatten().map(|name| (*name).to_owned()).collect()
    }

    fn has_methods_of(&self, own: SymbolId, interface: SymbolId, but: Option<&str>) -> bool {
        let methods = self.methods_of(interface, 0);
        let embedded = self.embedded_methods(own, 0);
        !methods.is_empty()
            && methods.iter().filter(|name| Some(name.as_str()) != but).all(|name| {
                let is_method = |id: &&SymbolId| self.kind_of(**id).is_some_and(SymbolKind::is_function);
                let found = self.members(own, name);
                if found.is_empty() && embedded.contains(name) {
                    return true;
                }
                let wanted = self.members(interface, name);
                match (found.iter().find(is_method), wanted.first()) {
                    (Some(found), Some(wanted)) => found == wanted || self.are_alike(*found, *wanted),
                    (found, _) => found.is_some(),
                }
            })
    }

    /// Whether two methods take and give the same types, as far as they are named.
    fn are_alike(&self, one: SymbolId, other: SymbolId) -> bool {
        if let (Some(one), Some(other)) = (self.signature_of(one), self.signature_of(other)) {
            let (one, other) = (one.split([';', '(', ')']), other.split([';', '(', ')']));
            let is_same = one.clone().count() == other.clone().count()
                && one
                    .zip(other)
                    .all(|(one, other)| one == other || one == "?" || other == "?");
            if !is_same {
                return false;
            }
        }
        let (mut one, mut other) = (self.types_in_signature(one), self.types_in_signature(other));
        // Several parameters may share a type that is written once.
        one.dedup();
        other.dedup();
        one.len() == other.len()
            && one
                .iter()
                .zip(&other)
                .all(|((name, meaning), (other_name, other_meaning))| {
                    let is_parameter = |meaning: &Meaning| matches!(meaning, Meaning::Local(_));
                    // Two packages may have a type of one name.
                    let is_apart = match (meaning, other_meaning) {
                        (Meaning::Symbols(one, _), Meaning::Symbols(other, _)) => {
                            let own = |all: &[SymbolId]| all.first().map(|id| self.canonical(*id));
                            own(one) != own(other)
                        }
                        (Meaning::Symbols(..), Meaning::External) | (Meaning::External, Meaning::Symbols(..)) => true,
                        _ => false,
                    };
                    let is_known = matches!(meaning, Meaning::Symbols(..));
                    (name == other_name && !is_apart)
                        || (is_known && meaning == other_meaning)
                        || is_parameter(meaning)
                        || is_parameter(other_meaning)
                })
    }

    /// The types that a method's signature names, in their order; those of the language are not among them.
    fn types_in_signature(&self, id: SymbolId) -> Vec<(String, Meaning)> {
        let Some(view) = self.view(id.file) else {
            return Vec::new();
        };
        let facts = &view.facts;
        let symbol = &facts.symbols[id.symbol as usize];
        let end = match symbol.is_declaration {
            true => symbol.span.end,
            false => symbol.signature.end,
        };
        let first = facts
            .references
            .partition_point(|reference| reference.at <= symbol.name_at);
        let inside = facts.references[first..].iter().enumerate();
        let inside = inside.take_while(|(_, reference)| reference.at < end);
        let types = inside.filter(|(_, reference)| reference.role == Role::Type);
        types
            .map(|(offset, reference)| {
                let name = facts.names.get(reference.name).to_owned();
                (name, self.meaning(id.file, (first + offset) as u32))
            })
            .collect()
    }
}
