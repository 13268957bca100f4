//! Which local names and which callables a place sees.

use syntax::{Binding, LocalKind, Role, SymbolKind};

use crate::{
    engine::{
        meaning::Meaning,
        resolver::{At, Resolver},
    },
    overload::arg_type::Shape,
};

/// The parameters of a primary constructor are visible in initialisers, and not in methods: `class Circle(radius: Int)`.
pub(super) fn sees_constructor_parameter(place: At<'_>, binding: &Binding) -> bool {
    let At { view, at, .. } = place;
    let Some((class, declaring)) = view.around(binding.at).next() else {
        return true;
    };
    if !declaring.kind.has_members() || binding.at >= declaring.signature.end || binding.kind == LocalKind::Generic {
        return true;
    }
    let inside = view.around(at).take_while(|(outer, _)| *outer != class);
    inside.last().is_none_or(|(_, outer)| match outer.kind {
        // The initialiser of a property stands before its accessors.
        SymbolKind::Property => !outer.runs() || at < outer.signature.end,
        kind => !kind.is_function() && !kind.has_members(),
    })
}

impl Resolver<'_> {
    /// Whether a call cannot mean what was found: a variable whose type has no `invoke`, functions that take fewer or more
    /// arguments.
    pub(crate) fn is_uncallable(&self, place: At<'_>, found: &Meaning) -> bool {
        let At { view, at, .. } = place;
        match found {
            Meaning::Local(binding) => self.is_value_without_invoke(place, &view.facts.bindings[*binding]),
            Meaning::Symbols(symbols, _) => view.reference_at(at).is_some_and(|call| {
                let call = &view.facts.references[call];
                call.role == Role::Call && !self.any_accepts_count(symbols, call)
            }),
            _ => false,
        }
    }

    fn is_value_without_invoke(&self, place: At<'_>, binding: &Binding) -> bool {
        let semantics = self.semantics(place.file);
        match self.arg_type_of_local(place, binding, 0).shape {
            Shape::Type(own) => {
                let is_class = self.kind_of(own).is_some_and(SymbolKind::has_members);
                let mut invoke = semantics.call_member.into_iter();
                is_class && invoke.all(|name| self.members(own, name).is_empty())
            }
            Shape::Named(name) => semantics.conversions.is_closed(&name),
            _ => false,
        }
    }
}
