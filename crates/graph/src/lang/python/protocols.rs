//! What special methods say of the values of a class: `__iter__`, `__getitem__`, `__enter__`, `__await__`, `__get__`.

use syntax::SymbolKind;

use crate::{
    engine::{
        meaning::{Meaning, Rule},
        resolver::{Resolver, sorted},
    },
    types::ty::{Base, Ty, UNKNOWN},
    view::SymbolId,
};

/// Methods by which a value gives what it holds.
const HOLDING: &[&str] = &["__enter__", "__aenter__", "__iter__", "__aiter__", SUBSCRIPT];
const SUBSCRIPT: &str = "__getitem__";

/// What the target of a `with` is: `with session() as s`.
pub(super) fn entered_type(resolver: &Resolver<'_>, ty: &Ty) -> Option<Ty> {
    resolver.member_result_type(ty, &["__enter__", "__aenter__"])
}

/// The result of `await`, which is the last type argument of what `__await__` returns: `Generator[Any, None, Shape]`.
pub(super) fn awaited_type(resolver: &Resolver<'_>, ty: &Ty) -> Option<Ty> {
    let generator = resolver.member_result_type(ty, &["__await__"])?;
    generator.given.last().cloned().filter(Ty::is_known)
}

/// A field whose value is a descriptor is read through the `__get__` of that.
pub(super) fn read_type(resolver: &Resolver<'_>, descriptor: &Ty) -> Option<Ty> {
    let Base::Symbol(own) = descriptor.head else {
        return None;
    };
    let results = resolver.members(own, "__get__").into_iter().map(|getter| {
        resolver.trail.deeper(UNKNOWN, || {
            let result = resolver.of_value(getter, descriptor);
            result.unwrap_or_else(|| resolver.value_of_symbol(getter, None))
        })
    });
    let mut results: Vec<Ty> = results.collect();
    // An overload gives the descriptor itself where the class, not a value of it, is asked.
    let other = results
        .iter()
        .position(|result| result.is_known() && result.head != descriptor.head);
    match other {
        Some(other) => Some(results.swap_remove(other)),
        None => results.into_iter().next(),
    }
}

/// An element of a value of a class, by its special methods.
pub(super) fn element_type(resolver: &Resolver<'_>, own: SymbolId, ty: &Ty) -> Option<Ty> {
    let methods: Vec<SymbolId> = HOLDING.iter().flat_map(|name| resolver.members(own, name)).collect();
    if methods.is_empty() {
        // A class without any is no container: the value is itself what a generator function yields.
        let is_class = resolver.kind_of(own).is_some_and(SymbolKind::has_members);
        let is_element = is_class && resolver.result_without_member(own) == Meaning::Missing;
        return is_element.then(|| ty.clone());
    }
    let mut rest = Vec::new();
    let results = methods.into_iter();
    let results = results.map(|id| {
        resolver
            .trail
            .deeper(UNKNOWN, || resolver.value_of_symbol(id, Some(ty)))
    });
    for result in results {
        if let Base::Symbol(head) = result.head
            && head != own
        {
            rest.push(head);
        }
        rest.extend(result.rest);
    }
    rest.extend(&ty.rest);
    Some(Ty::holding(Base::Unknown, rest))
}

/// `value[0]` for a value of a class.
pub(super) fn indexed_type(resolver: &Resolver<'_>, own: SymbolId, ty: &Ty) -> Option<Ty> {
    let result = resolver.member_result_type(ty, &[SUBSCRIPT]).filter(Ty::is_known);
    if result.is_some() {
        return result;
    }
    let mut methods = HOLDING.iter().map(|name| resolver.members(own, name));
    if methods.any(|found| !found.is_empty()) {
        return Some(resolver.element_of(ty.clone()));
    }
    // `class Jobs(list[Job])`
    let is_derived = resolver.has_other_supertypes(own);
    is_derived.then(|| resolver.indexed(resolver.as_library_base(own)))
}

/// A member of what a value holds, where the value has none of the name.
pub(super) fn member_of_element(resolver: &Resolver<'_>, ty: &Ty, own: SymbolId, name: &str) -> Option<Meaning> {
    if HOLDING.contains(&name) {
        return None;
    }
    let methods = HOLDING.iter().flat_map(|holding| resolver.members(own, holding));
    let mut held = methods.map(|id| {
        resolver
            .trail
            .deeper(UNKNOWN, || resolver.value_of_symbol(id, Some(ty)))
    });
    held.find_map(|held| {
        let types = match held.head {
            Base::Symbol(head) if head != own => vec![head],
            Base::Symbol(_) => Vec::new(),
            _ => held.rest,
        };
        let found = types.iter().flat_map(|held| resolver.members(*held, name));
        Meaning::of(sorted(found.collect()), Rule::Element)
    })
}
