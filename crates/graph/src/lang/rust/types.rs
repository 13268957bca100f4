//! Types that traits and bounds say: of type parameters, of items of iterators, of derived functions.

use syntax::{Binding, BindingIdx, LocalKind, Qualifier, RefIdx, Reference, SymbolKind};

use crate::{
    engine::resolver::{At, Resolver},
    types::ty::{Base, Ty, UNKNOWN},
    view::SymbolId,
};

/// The associated type that says what an iterator yields.
const ITEM: &str = "Item";

impl Resolver<'_> {
    /// The bounds of a type parameter, which several places may state: `fn run<T: Shape>(shape: T) where T: Clone`.
    pub(super) fn bounds(&self, place: At<'_>, index: BindingIdx) -> Option<Ty> {
        let facts = &place.view.facts;
        let binding = &facts.bindings[index];
        if binding.value.is_some() {
            return None;
        }
        let all = place.view.bindings_named(facts.names.get(binding.name));
        let all = all.iter().map(|at| &facts.bindings[*at]);
        let all: Vec<&Binding> = all.filter(|one| one.scope.end == binding.scope.end).collect();
        let generic = all.iter().find(|one| one.kind == LocalKind::Generic)?;
        let (_, around) = place.view.around(generic.at).next()?;
        if all.len() < 2 || binding.at > around.signature.end {
            return None;
        }
        let stated = all
            .iter()
            .filter(|one| one.at < around.signature.end && one.value.is_none());
        let stated = stated.filter_map(|one| Some((one.at, place.view.type_expr(one.type_expr()?))));
        let types = stated.map(|(at, ty)| self.type_from(At { at, ..place }, ty));
        types.reduce(Ty::or)
    }

    /// What an iterator yields: `type Item = Shape;`.
    pub(super) fn item_type(&self, own: SymbolId) -> Option<Ty> {
        let items = self.own_members(own, ITEM).into_iter();
        let mut items = items.map(|id| self.trail.deeper(UNKNOWN, || self.value_of_symbol(id, None)));
        items.find(|item| matches!(item.head, Base::Symbol(other) if other != own))
    }

    /// What an adapter that is not of this workspace passes to a closure: an item of the iterator that it is called on.
    pub(super) fn closure_parameter(&self, place: At<'_>, call: RefIdx) -> Option<Ty> {
        let Qualifier::Value(on) = place.view.facts.references[call].on else {
            return None;
        };
        if self.meaning(place.file, call).is_found() {
            return None;
        }
        let Base::Symbol(own) = self.value(place.file, on).head else {
            return None;
        };
        let item = self.item_type(own)?;
        let held = item.heads().chain(item.rest.iter().copied()).collect();
        Some(Ty::holding(Base::Unknown, held))
    }

    /// What an associated function returns that a macro derives: a value of its type, or something with one in it.
    /// `Shape::default()`
    pub(super) fn associated_function_type(&self, place: At<'_>, call: &Reference) -> Ty {
        let Qualifier::Path(path) = call.on else {
            return UNKNOWN;
        };
        match self.type_from(place, place.view.type_expr(path)) {
            Ty {
                head: Base::Symbol(own),
                mut rest,
                ..
            } if self.kind_of(own).is_some_and(SymbolKind::is_type) => {
                rest.insert(0, own);
                Ty::holding(Base::Unknown, rest)
            }
            Ty { head, .. } => Ty::new(head),
        }
    }
}
