//! Loops over objects: `Iterator` and `IteratorAggregate`.

use crate::{
    engine::resolver::Resolver,
    types::ty::{Base, Ty},
};

/// What a loop over a value gives: what the `current()` of its class returns, or that of the iterator from `getIterator()`.
pub(super) fn iterated_type(resolver: &Resolver<'_>, ty: &Ty) -> Option<Ty> {
    if let Some(element) = resolver.member_result_type(ty, &["current"]) {
        return Some(element);
    }
    let iterator = resolver.member_result_type(ty, &["getIterator"])?;
    match iterator.head {
        // `@return Generator<Shape>` is known by the elements alone.
        Base::Symbol(other) if resolver.members(other, "current").is_empty() => Some(iterator),
        Base::Symbol(_) => resolver.member_result_type(&iterator, &["current"]),
        _ => None,
    }
}
