//! Parts of tuples, by index and by unpacking; named tuples.

use syntax::{SymbolIdx, SymbolKind};

use crate::{
    engine::resolver::Resolver,
    infer::containers::{list_element, part_of_tuple},
    types::ty::{Base, Ty, UNKNOWN},
    view::SymbolId,
};

/// `pair[0]`, where lists are subscripted in the same way.
pub(super) fn subscript(resolver: &Resolver<'_>, on: &Ty, nth: usize) -> Ty {
    let part = part_of_tuple(on, nth).or_else(|| field_of_named_tuple(resolver, on, nth));
    part.unwrap_or_else(|| resolver.indexed(on.clone()))
}

/// One of several targets: a part of a tuple (`a, b = pair`), or of each that a loop goes through (`for a, b in pairs`). Of
/// anything else it is an element.
pub(super) fn unpacked(resolver: &Resolver<'_>, whole: &Ty, nth: usize, is_loop: bool) -> Ty {
    let part = match list_element(whole) {
        Some(one) if is_loop => part_of_tuple(&one, nth),
        // A loop over the items of a dictionary has keys and values.
        _ => part_of_tuple(whole, nth),
    };
    part.or_else(|| field_of_named_tuple(resolver, whole, nth).filter(|_| !is_loop))
        .unwrap_or_else(|| resolver.element_of(whole.clone()))
}

/// The field at an index of a class that is derived from `typing.NamedTuple`, or from what `namedtuple(..)` makes.
fn field_of_named_tuple(resolver: &Resolver<'_>, ty: &Ty, nth: usize) -> Option<Ty> {
    let Base::Symbol(own) = ty.head else { return None };
    let is_tuple = resolver.kind_of(own).is_some_and(SymbolKind::has_members)
        && resolver
            .library_supertypes(own)
            .iter()
            .any(|name| matches!(name.as_str(), "NamedTuple" | "namedtuple"));
    let view = resolver.view(own.file).filter(|_| is_tuple)?;
    let inside = SymbolIdx::enumerate_from(&view.facts.symbols, own.symbol.next().as_usize());
    let mut fields = inside.filter(|(_, field)| field.parent == Some(own.symbol) && field.kind == SymbolKind::Field);
    let (symbol, _) = fields.nth(nth)?;
    let field = SymbolId { symbol, ..own };
    let ty = resolver
        .trail
        .deeper(UNKNOWN, || resolver.value_of_symbol(field, Some(ty)));
    Some(ty)
}
