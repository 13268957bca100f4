//! Type variables, and types that `isinstance` has found.

use syntax::{BindingIdx, RefIdx, Role, Symbol, SymbolKind, TypeKind, TypeRef};

use crate::{
    engine::{
        meaning::Meaning,
        resolver::{At, Resolver},
    },
    infer::contextual::first_parameter,
    lang::python::OWN_TYPE,
    types::{
        ty::{Base, Ty, UNKNOWN},
        type_names::last_part,
    },
    view::{SymbolId, View},
};

/// The type variables of a function or class: those in its signature, or among its bases.
pub(super) fn type_variables(resolver: &Resolver<'_>, id: SymbolId) -> Vec<String> {
    let Some(view) = resolver.view(id.file) else {
        return Vec::new();
    };
    let symbol = &view.facts.symbols[id.symbol];
    let references = &view.facts.references;
    let first = references.partition_point(|reference| reference.at < symbol.name_at);
    let inside = RefIdx::enumerate_from(references, first);
    let inside = inside.take_while(|(_, reference)| reference.at < symbol.signature.end);
    let mut found: Vec<String> = Vec::new();
    for (index, reference) in inside.filter(|(_, one)| matches!(one.role, Role::Type | Role::Variable)) {
        let name = view.facts.names.get(reference.name);
        let is_variable = || match resolver.meaning(id.file, index) {
            Meaning::Symbols(symbols, _) => symbols.iter().any(|id| is_type_variable(resolver, *id)),
            // `from typing import AnyStr`
            _ => false,
        };
        if !found.iter().any(|known| known == name) && is_variable() {
            found.push(name.to_owned());
        }
    }
    found
}

/// `T = TypeVar("T")`: facts keep no value of a variable that is constructed.
fn is_type_variable(resolver: &Resolver<'_>, id: SymbolId) -> bool {
    let is_one = resolver.symbol(id, |_, symbol| match symbol.kind {
        SymbolKind::Type => true,
        SymbolKind::Variable | SymbolKind::Constant => symbol.ty.is_none() && symbol.value.is_none(),
        _ => false,
    });
    is_one == Some(true)
}

/// Whether a name is the type variable that a method binds to its receiver: `T` in `def copy(self: T) -> T`.
pub(super) fn is_receiver_type(view: &View, symbol: &Symbol, name: &str) -> bool {
    if !symbol.kind.is_function() || symbol.parent.is_none() {
        return false;
    }
    let receiver = first_parameter(view, symbol).filter(|first| {
        let is_self = OWN_TYPE.contains(&view.facts.names.get(first.name));
        is_self && first.at > symbol.name_at
    });
    let written = receiver
        .and_then(|first| first.type_expr())
        .map(|ty| view.type_expr(ty).inside_of(|kind| kind == TypeKind::Quoted));
    // `cls: type[T]`
    let inner = |ty: TypeRef<'_>| ty.arguments().next().is_some_and(|argument| argument.text() == name);
    written.is_some_and(|ty| ty.text() == name || inner(ty))
}

/// A variable that a test has found to be of a library's type: of its declared types those that may be derived from that.
pub(super) fn narrowed_to_library(resolver: &Resolver<'_>, place: At<'_>, index: BindingIdx, known: Ty) -> Ty {
    let view = place.view;
    // A binding that stands for a test is at a use of the name.
    if view.reference_at(place.at).is_none() {
        return known;
    }
    let Some((outer, _)) = resolver.shadowed_binding(view, index) else {
        return known;
    };
    // The declaration may name the tested type itself.
    let facts = &view.facts;
    let text_of = |ty| facts.names.get(ty);
    let binding = &facts.bindings[index];
    let tested = binding.type_expr().map(text_of).unwrap_or_default();
    let is_named = |ty: TypeRef<'_>| ty.names().any(|path| last_part(path) == last_part(tested));
    let mut over = view.bindings_over(text_of(binding.name), place.at);
    if over.any(|(_, one)| {
        view.reference_at(one.at).is_none() && one.type_expr().map(|ty| view.type_expr(ty)).is_some_and(is_named)
    }) {
        return known;
    }
    let outer = resolver.trail.deeper(UNKNOWN, || resolver.binding(place.file, outer));
    let derived = outer.heads().filter(|own| resolver.has_other_supertypes(*own));
    let derived: Vec<SymbolId> = derived.collect();
    let head = match derived[..] {
        [] => return known,
        [one] => Base::Symbol(one),
        _ => Base::Any(derived),
    };
    Ty { head, ..outer }
}
