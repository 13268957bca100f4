//! Likelihood that an unresolved reference is a use of a definition, from names alone: which types have a member of
//! this name, which of them the file mentions, and how much the receiver is called like them. Start at `confidence`.

use rustc_hash::FxHashMap;
use syntax::{Modifier, Qualifier, RefIdx, Reference, Role, SymbolKind};

use crate::{
    engine::{
        meaning::Meaning,
        resolver::{At, Resolver},
    },
    files::FileIdx,
    queries::references::LIKELY,
    types::ty::Base,
    view::{SymbolId, View},
};

/// Weighs unresolved references as uses of some definitions, within one query.
pub(crate) struct Likelihood<'r, 'w> {
    resolver: &'r Resolver<'w>,
    targets: &'r [SymbolId],
    /// By member name: the types that have such a member, and how many of them are namesakes of the targets' owners:
    /// different types with the same name.
    owners: FxHashMap<String, (Vec<Owner>, usize)>,
    own: Vec<String>,
    /// Memo of `is_unrelated_type`.
    unrelated: FxHashMap<SymbolId, bool>,
    /// All targets are test code.
    is_of_tests: bool,
}

/// A type that has a member of the name in question.
struct Owner {
    name: String,
    /// It is test code, and so is every other type of this name that has the member.
    is_of_tests: bool,
}

impl<'r, 'w> Likelihood<'r, 'w> {
    pub fn new(resolver: &'r Resolver<'w>, targets: &'r [SymbolId]) -> Likelihood<'r, 'w> {
        let owners = targets.iter().filter_map(|target| match resolver.owner(*target) {
            Base::Symbol(owner) => Some(resolver.name_of(owner)),
            _ => None,
        });
        let mut own: Vec<String> = owners.collect();
        own.sort();
        own.dedup();
        Likelihood {
            resolver,
            targets,
            owners: FxHashMap::default(),
            own,
            unrelated: FxHashMap::default(),
            is_of_tests: targets.iter().all(|target| resolver.is_test(*target)),
        }
    }

    /// Whether the receiver's type is known and unrelated to the types that own the targets. What such a type does not
    /// declare itself comes from a library.
    fn has_unrelated_receiver(&mut self, file: FileIdx, view: &View, reference: &Reference) -> bool {
        let resolver = self.resolver;
        let of = match reference.on {
            Qualifier::Value(value) => resolver.value(file, value).head,
            Qualifier::This => resolver.own_type(At {
                file,
                view,
                at: reference.at,
            }),
            // `Kind::Round` is not a constant of another enum.
            Qualifier::Path(path) => {
                let at = reference.at;
                let place = At { file, view, at };
                let path = view.facts.names.get(path);
                resolver.rules(file).type_of_qualifier(resolver, place, path)
            }
            _ => return false,
        };
        let Base::Symbol(own) = of else { return false };
        if let Some(known) = self.unrelated.get(&own) {
            return *known;
        }
        let is_unrelated = self.is_unrelated_type(own);
        self.unrelated.insert(own, is_unrelated);
        is_unrelated
    }

    fn is_unrelated_type(&self, own: SymbolId) -> bool {
        let resolver = self.resolver;
        // An embedded type may be in this workspace under a path that was not resolved, so embedding proves nothing.
        if resolver.rules(own.file).implicit_interfaces().is_some()
            || !resolver.kind_of(own).is_some_and(SymbolKind::has_members)
        {
            return false;
        }
        let owners = self.targets.iter().filter_map(|target| match resolver.owner(*target) {
            Base::Symbol(owner) => Some(owner),
            _ => None,
        });
        // A common subtype of both relates them: `class C : A, B`.
        let derived = resolver.derived(own);
        let mut owners = owners.peekable();
        owners.peek().is_some()
            && owners.all(|owner| {
                let is_one = |one: SymbolId| one == owner || resolver.is_derived(one, owner);
                !is_one(own) && !resolver.is_derived(owner, own) && !derived.iter().any(|one| is_one(one.symbol))
            })
    }

    /// The likelihood, from 0 to 1, that an unresolved reference means one of the targets. `is_missing`: the receiver's
    /// type is known and has no such member.
    pub fn confidence(
        &mut self,
        file: FileIdx,
        view: &View,
        reference: &Reference,
        name: &str,
        is_missing: bool,
    ) -> f32 {
        let resolver = self.resolver;
        let is_in_test = is_in_test(resolver, file, view, reference.at);
        // Production code does not use test code, unless it mentions the type.
        if self.is_of_tests && !is_in_test && !self.own.iter().any(|owner| view.has_name(owner)) {
            return TEST_CODE;
        }
        let symbolic_receiver = resolver.rules(file).symbolic_receiver(view, reference);
        if !is_on_value(reference) && symbolic_receiver.is_none() {
            let defining = resolver.defining(name);
            let defining = defining.iter();
            let count = defining.filter(|other| is_in_test || !resolver.is_test_file(**other));
            let likely = 0.75 / count.count().max(1) as f32;
            let is_unrelated = self.has_unrelated_receiver(file, view, reference);
            return (likely * if is_unrelated { 0.3 } else { 1.0 }).max(0.05);
        }
        if self.own.is_empty() {
            return 0.1;
        }
        if is_missing
            && let at = reference.at
            && let Some(confidence) =
                resolver
                    .rules(file)
                    .likelihood_of_missing(resolver, At { file, view, at }, reference, self.targets)
        {
            return confidence;
        }
        if resolver.is_everywhere(name) {
            // One of thousands of members with this name; one of a few if the file mentions the owner.
            return if self.own.iter().any(|owner| view.has_name(owner)) {
                0.2
            } else {
                0.02
            };
        }
        let receiver = receiver_of(view, reference).or(symbolic_receiver);
        let at = reference.at;
        let mut confidence = self.weigh_owners(At { file, view, at }, is_in_test, name, receiver);
        if is_missing || self.has_unrelated_receiver(file, view, reference) {
            confidence *= 0.3;
        }
        confidence *= self.key_factor(file, view, reference);
        if !resolver.any_accepts_count(self.targets, reference) {
            confidence *= 0.4;
        }
        confidence *= self.static_factor(file, receiver);
        confidence.clamp(0.02, 0.9)
    }

    /// Weighs the types that have a member of this name: how many there are, which of them the file mentions, and how
    /// much the receiver is called like them (`printer.print()` and `Printer`).
    fn weigh_owners(&mut self, place: At<'_>, is_in_test: bool, name: &str, receiver: Option<&str>) -> f32 {
        let At { file, view, .. } = place;
        let resolver = self.resolver;
        let owners = self.owners.entry(name.to_owned());
        let (owners, namesakes) = owners.or_insert_with(|| {
            let namesakes = namesakes_of(resolver, (self.targets, &self.own), file, name);
            (owners_of(resolver, file, name), namesakes)
        });
        let mentions = |owner: &str| view.has_name(owner);
        // Ignore test doubles unless this file mentions the double's type.
        let owners = owners.iter();
        let owners = owners.filter(|owner| is_in_test || !owner.is_of_tests || mentions(&owner.name));
        let owners: Vec<&str> = owners.map(|owner| owner.name.as_str()).collect();
        let mentioned = owners.iter().filter(|owner| mentions(owner)).count();
        let own_mentioned = self.own.iter().any(|owner| mentions(owner));
        // A type that the file mentions beats one that is only called more like the receiver.
        let alike = |owner: &str| {
            Some((
                mentions(owner),
                receiver.and_then(|receiver| likeness(receiver, owner))?,
            ))
        };
        let own_alike = self.own.iter().filter_map(|owner| alike(owner)).max();
        let others = owners.iter().filter(|owner| !self.own.iter().any(|own| own == **owner));
        let others_alike: Vec<(bool, Likeness)> = others.clone().filter_map(|owner| alike(owner)).collect();
        let others = others.count();
        let mut confidence: f32 = match (others, own_mentioned) {
            (0, true) => 0.85,
            (0, false) => 0.7,
            (_, true) => 0.65 / mentioned.max(1) as f32,
            (others, false) => 0.3 / (others + 1) as f32,
        };
        if resolver.semantics(file).common_members.contains(&name) {
            confidence *= 0.5;
        }
        let confidence = match own_alike {
            None if others_alike.is_empty() => confidence,
            Some(own) if others_alike.iter().all(|other| *other <= own) => match own {
                _ if others == 0 => confidence.max(0.8),
                (false, Likeness::Part) => confidence,
                _ => confidence.max(0.7 / (others_alike.iter().filter(|other| **other == own).count() + 1) as f32),
            },
            _ => confidence * 0.3,
        };
        // The receiver's name cannot distinguish types that share a name; what the type name resolves to in this file
        // can.
        match *namesakes {
            0 => confidence,
            namesakes => match self.names_target_type_here(place) {
                Some(true) => confidence,
                Some(false) => confidence * 0.3,
                None => confidence / (namesakes + 1) as f32,
            },
        }
    }

    /// Whether the name of the targets' owner resolves to that owner here; `None` if it resolves to no type.
    fn names_target_type_here(&self, place: At<'_>) -> Option<bool> {
        let resolver = self.resolver;
        let named = self.own.iter().filter(|own| place.view.has_name(own));
        let named = named.map(|own| resolver.lookup(place, own, Role::Type));
        let types: Vec<SymbolId> = named
            .flat_map(|meaning| match meaning {
                Meaning::Symbols(types, _) => types,
                _ => Vec::new(),
            })
            .collect();
        let mut owners = self.targets.iter().map(|target| resolver.owner(*target));
        let is_own = |owner: Base| match owner {
            Base::Symbol(owner) => types.iter().any(|ty| resolver.is_one_type(owner, *ty)),
            _ => false,
        };
        (!types.is_empty()).then(|| owners.any(is_own))
    }

    /// Factor for keys of object literals: `{ area: 1 }` initialises a field much more often than it overrides a
    /// method.
    fn key_factor(&self, file: FileIdx, view: &View, reference: &Reference) -> f32 {
        let is_key = reference.role == Role::Member
            && matches!(
                reference.on,
                Qualifier::Nothing | Qualifier::Path(_) | Qualifier::Context(_)
            );
        let is_function = |target: &SymbolId| self.resolver.kind_of(*target).is_some_and(SymbolKind::is_function);
        if is_key && self.targets.iter().any(is_function) {
            return 0.2;
        }
        match is_key {
            true => self.resolver.rules(file).likelihood_of_key(view, reference),
            false => 1.0,
        }
    }

    /// Factor for the receiver being a class name: `Shape.parse()` calls a static method, `shape.area()` an instance
    /// method. Modules are exempt.
    fn static_factor(&self, file: FileIdx, receiver: Option<&str>) -> f32 {
        let resolver = self.resolver;
        let is_static = |target: &SymbolId| resolver.modifier_of(*target) == Some(Modifier::Static);
        let semantics = resolver.semantics(file);
        let is_class = receiver.is_some() && receiver == semantics.class_member;
        let is_named = is_class || receiver.is_some_and(|receiver| receiver.starts_with(char::is_uppercase));
        // Only classes: functions of a module are called both ways.
        let is_of_class = |target: &SymbolId| match resolver.owner(*target) {
            Base::Symbol(owner) => resolver.kind_of(owner) == Some(SymbolKind::Class),
            _ => false,
        };
        let is_other = match is_named {
            false => self.targets.iter().all(is_static),
            true => {
                let is_sure = is_class || receiver.is_some_and(|receiver| resolver.rules(file).is_class_name(receiver));
                is_sure && self.targets.iter().all(|id| !is_static(id) && is_of_class(id))
            }
        };
        if is_other { 0.3 } else { 1.0 }
    }
}

/// The likely definitions of an unresolved call.
pub(crate) enum Namesakes {
    None,
    /// The most likely members, and their confidence.
    Likely(Vec<SymbolId>, f32),
    Several,
}

/// If more members than this have the name, only those are weighed whose owner the file mentions or the receiver is
/// called like: no other is likely.
const FEW_MEMBERS: usize = 8;

impl Resolver<'_> {
    /// The most likely definitions of an unresolved call, by the weights that a search for their uses applies.
    pub(crate) fn namesakes(&self, file: FileIdx, view: &View, index: RefIdx) -> Namesakes {
        let reference = &view.facts.references[index];
        let name = view.facts.names.get(reference.name);
        let members = self.members_named(file, name);
        let receiver = receiver_of(view, reference);
        let is_about = |owner: SymbolId| {
            let owner = self.name_of(owner);
            view.has_name(&owner) || receiver.is_some_and(|receiver| likeness(receiver, &owner).is_some())
        };
        let near = members
            .iter()
            .filter(|(_, owner)| members.len() <= FEW_MEMBERS || is_about(*owner));
        let near = near.map(|(member, _)| *member).collect();
        let is_missing = self.meaning(file, index) == Meaning::Missing;
        let mut likely = Vec::new();
        for member in self.fitting(file, near, reference.role, is_on_value(reference)) {
            let confidence = Likelihood::new(self, &[member]).confidence(file, view, reference, name, is_missing);
            if confidence >= LIKELY {
                likely.push((member, confidence));
            }
        }
        match likely.iter().map(|(_, confidence)| *confidence).max_by(f32::total_cmp) {
            Some(most) => {
                likely.retain(|(_, confidence)| *confidence == most);
                Namesakes::Likely(likely.into_iter().map(|(member, _)| member).collect(), most)
            }
            None if members.is_empty() => Namesakes::None,
            None => Namesakes::Several,
        }
    }
}

/// The name of the receiver: `shape` in `shape.area()`.
fn receiver_of<'v>(view: &'v View, reference: &Reference) -> Option<&'v str> {
    match reference.on {
        Qualifier::Value(value) => {
            let on = &view.facts.references[value];
            Some(view.facts.names.get(on.name))
        }
        _ => None,
    }
}

/// Likelihood that production code which does not mention a test type uses its members.
const TEST_CODE: f32 = 0.05;

/// The types that have a member of a name, one entry per type name.
fn owners_of(resolver: &Resolver<'_>, file: FileIdx, name: &str) -> Vec<Owner> {
    let members = resolver.members_named(file, name);
    let owners = members.iter().map(|(member, owner)| Owner {
        name: resolver.name_of(*owner),
        is_of_tests: resolver.is_test(*member),
    });
    let mut owners: Vec<Owner> = owners.collect();
    owners.sort_by(|a, b| (&a.name, a.is_of_tests).cmp(&(&b.name, b.is_of_tests)));
    owners.dedup_by(|later, first| later.name == first.name);
    owners
}

/// The number of types that have a member of this name and share the name of a target's owner without being it.
fn namesakes_of(resolver: &Resolver<'_>, (targets, own): (&[SymbolId], &[String]), file: FileIdx, name: &str) -> usize {
    let members = resolver.members_named(file, name);
    // A forward declaration is not a further type.
    let is_defined = |member: SymbolId| resolver.symbol(member, |_, symbol| !symbol.is_declaration) == Some(true);
    let defined = members.iter().filter(|(member, _)| is_defined(*member));
    let mut types: Vec<SymbolId> = defined.map(|(_, owner)| *owner).collect();
    types.sort_unstable();
    types.dedup();
    let is_own = |owner: SymbolId| {
        let mut owners = targets.iter().map(|target| resolver.owner(*target));
        owners.any(|of| matches!(of, Base::Symbol(of) if resolver.is_one_type(of, owner)))
    };
    let others = types
        .into_iter()
        .filter(|owner| own.contains(&resolver.name_of(*owner)));
    others.filter(|owner| !is_own(*owner)).count()
}

/// Whether an offset is in a test or in a file of tests.
fn is_in_test(resolver: &Resolver<'_>, file: FileIdx, view: &View, at: u32) -> bool {
    resolver.is_test_file(file) || view.around(at).any(|(_, symbol)| symbol.is_test)
}

pub(crate) fn is_on_value(reference: &Reference) -> bool {
    let is_written = matches!(
        reference.on,
        Qualifier::Nothing | Qualifier::Path(_) | Qualifier::Context(_)
    );
    !is_written || reference.role == Role::Member
}

/// How closely the name of a variable matches that of a type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Likeness {
    /// `first_printer` and `Printer`, `pretty` and `PrettyPrinter`.
    Part,
    /// `printer` and `PrettyPrinter`.
    End,
    Whole,
}

fn likeness(variable: &str, owner: &str) -> Option<Likeness> {
    let plain = |name: &str| -> String {
        let letters = name.chars().filter(|c| c.is_alphanumeric());
        letters.flat_map(char::to_lowercase).collect()
    };
    let (variable, owner) = (plain(variable), plain(owner));
    if variable.len() < 3 {
        None
    } else if variable == owner {
        Some(Likeness::Whole)
    } else if owner.ends_with(&variable) {
        Some(Likeness::End)
    } else {
        (variable.ends_with(&owner) || owner.starts_with(&variable)).then_some(Likeness::Part)
    }
}
