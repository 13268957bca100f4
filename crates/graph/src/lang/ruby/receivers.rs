//! What is asked of an object or of its class: methods, setters, instance variables, names of methods as symbols.

use syntax::{Modifier, Qualifier, RefIdx, Reference, Role, SymbolKind};

use crate::{
    engine::{
        meaning::{Meaning, Rule},
        resolver::{At, Resolver},
    },
    lang::ruby::{INSTANCE_VARIABLE, OWN_TYPE, SETTER},
    types::ty::{Base, Ty},
    view::{SymbolId, View},
};

/// Assignments of attributes, instance variables, and symbols that name methods.
pub(super) fn special_meaning(resolver: &Resolver<'_>, place: At<'_>, reference: &Reference) -> Option<Meaning> {
    let text = |id| place.view.facts.names.get(id);
    let name = text(reference.name);
    match (reference.role, reference.on) {
        (Role::Member, Qualifier::This) => Some(assigned(resolver, &resolver.this(place), name)),
        (Role::Member, Qualifier::Value(value)) => Some(assigned(resolver, &resolver.value(place.file, value), name)),
        (Role::Member, Qualifier::Nothing) if name.starts_with(INSTANCE_VARIABLE) => {
            Some(resolver.member_of(&Ty::new(resolver.own_type(place)), name))
        }
        (Role::Call, Qualifier::Path(on)) => {
            symbolic_receiver(place.view, reference).map(|_| named_by_symbol(resolver, place, text(on), name))
        }
        _ => None,
    }
}

/// An attribute that is assigned: `shape.size = 3` calls `size=`.
fn assigned(resolver: &Resolver<'_>, ty: &Ty, name: &str) -> Meaning {
    let setter = resolver.member_of(ty, &format!("{name}{SETTER}"));
    if setter.is_found() {
        return setter;
    }
    match resolver.member_of(ty, name) {
        Meaning::Symbols(mut symbols, rule) => {
            symbols.retain(|id| {
                let is_function = resolver.kind_of(*id).is_some_and(SymbolKind::is_function);
                !is_function && resolver.modifier_of(*id) != Some(Modifier::ReadOnly)
            });
            Meaning::of(symbols, rule).unwrap_or(Meaning::Missing)
        }
        found => found,
    }
}

/// The receiver in `delegate :size, to: :shape`, which the fact about `size` has as its path.
pub(super) fn symbolic_receiver<'v>(view: &'v View, reference: &Reference) -> Option<&'v str> {
    // What is before `::` is a constant.
    match reference.on {
        Qualifier::Path(path) => {
            Some(view.facts.names.get(path)).filter(|path| path.starts_with(|c: char| c.is_lowercase() || c == '_'))
        }
        _ => None,
    }
}

/// A symbol that is the name of a method: of the enclosing class (`before_action :load`, where receiver and name are one),
/// or of what another of its methods returns (`delegate :size, to: :shape`).
fn named_by_symbol(resolver: &Resolver<'_>, place: At<'_>, on: &str, name: &str) -> Meaning {
    let Base::Symbol(own) = resolver.own_type(place) else {
        return Meaning::External;
    };
    if on != name {
        let receiver = resolver.member_result_type(&Ty::new(Base::Symbol(own)), &[on]);
        return receiver.map_or(Meaning::Unknown, |receiver| resolver.member_of(&receiver, name));
    }
    let mut found = resolver.members(own, name);
    // Not the definition that the symbol is part of: `attr_reader :size`. A method that says its own name in its body means
    // the methods of that name of others.
    found.retain(|id| !resolver.is_around(place, *id));
    Meaning::of(found, Rule::Likely).unwrap_or(Meaning::External)
}

/// The variable that `attr_reader :size` and its like read or set: `@size`.
pub(super) fn instance_variables(resolver: &Resolver<'_>, property: SymbolId) -> Vec<SymbolId> {
    if resolver.kind_of(property) != Some(SymbolKind::Property) {
        return Vec::new();
    }
    match resolver.owner(property) {
        Base::Symbol(owner) => {
            let name = resolver.name_of(property);
            resolver.members(owner, &format!("{INSTANCE_VARIABLE}{name}"))
        }
        _ => Vec::new(),
    }
}

/// Of the methods of one name that a class has for itself and for its values, those that the receiver can have.
pub(super) fn of_receiver(
    resolver: &Resolver<'_>,
    place: At<'_>,
    reference: &Reference,
    symbols: Vec<SymbolId>,
) -> Vec<SymbolId> {
    let mut symbols = of_class_or_value(resolver, place, reference, symbols);
    if reference.role == Role::Call {
        symbols.retain(|id| resolver.modifier_of(*id) != Some(Modifier::WriteOnly));
    }
    symbols
}

fn of_class_or_value(
    resolver: &Resolver<'_>,
    place: At<'_>,
    reference: &Reference,
    symbols: Vec<SymbolId>,
) -> Vec<SymbolId> {
    let is_static = |id: &SymbolId| resolver.is_static(*id);
    if !symbols.iter().any(is_static) {
        return symbols;
    }
    let facts = &place.view.facts;
    let is_class = |id: &SymbolId| matches!(resolver.kind_of(*id), Some(SymbolKind::Class | SymbolKind::Module));
    let name_of = |value: RefIdx| facts.names.get(facts.references[value].name);
    let of_class = match reference.on {
        // `self.class.count`
        Qualifier::Value(value) if OWN_TYPE.contains(&name_of(value)) => true,
        // `Shape.new.count`
        Qualifier::Value(value) if facts.references[value].role == Role::Call => false,
        Qualifier::Value(value) => match resolver.meaning(place.file, value) {
            Meaning::Symbols(on, _) => on.iter().any(is_class),
            _ => false,
        },
        Qualifier::This | Qualifier::Super => resolver.is_in_static(place, true),
        Qualifier::Nothing if reference.role == Role::Call => resolver.is_in_static(place, true),
        _ => return symbols,
    };
    let has_any = symbols.iter().any(|id| is_static(id) == of_class);
    // Without a receiver only the enclosing class and its superclasses are asked, not classes further out in the text.
    let own = match (reference.on, resolver.own_type(place)) {
        (Qualifier::Nothing, Base::Symbol(own)) => Some(own),
        _ => None,
    };
    let first_piece = |id| resolver.rules(place.file).canonical_declaration(resolver, id);
    let is_of = |id: &SymbolId| match (own, resolver.owner(*id)) {
        (Some(own), Base::Symbol(owner)) => first_piece(own) == first_piece(owner) || resolver.is_derived(own, owner),
        _ => true,
    };
    let stays = |id: &SymbolId| {
        // A class may have methods of its values through `extend`.
        let fits = is_static(id) == of_class || (of_class && !has_any);
        fits && (!is_static(id) || is_of(id))
    };
    symbols.into_iter().filter(stays).collect()
}
