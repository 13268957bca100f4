//! Smart casts: `if (shape is Circle) shape.radius`.

use syntax::{Qualifier, Reference};

use crate::{
    engine::resolver::{At, Resolver},
    types::ty::{Base, Ty, UNKNOWN},
    view::SymbolId,
};

impl Resolver<'_> {
    /// The type that a test has given to a member of the enclosing type: it is named without `this`, also in the test.
    pub(crate) fn smart_cast_member(&self, place: At<'_>, reference: &Reference) -> Option<Ty> {
        let name = place.view.facts.names.get(reference.name);
        let (binding, _) = place.view.narrowed_member(&format!("this.{name}"), place.at)?;
        let found = self.binding(place.file, binding);
        (found != UNKNOWN).then_some(found)
    }

    /// A member that the receiver's declared type does not have is one of a derived type, which a smart cast has found.
    pub(crate) fn likelihood_after_smart_cast(
        &self,
        place: At<'_>,
        reference: &Reference,
        targets: &[SymbolId],
    ) -> Option<f32> {
        let At { file, view, .. } = place;
        let Qualifier::Value(receiver) = reference.on else {
            return None;
        };
        let Base::Symbol(declared) = self.value(file, receiver).head else {
            return None;
        };
        let name = view.facts.names.get(reference.name);
        let members = self.members_named(file, name);
        let members = members.iter().copied();
        let derived: Vec<SymbolId> = members
            .filter(|(_, owner)| self.is_derived(*owner, declared))
            .map(|(member, _)| member)
            .collect();
        let mut named = view.references_named(name).iter().copied();
        let index = named.find(|index| view.facts.references[*index].at == reference.at);
        let derived = match index {
            Some(index) => self.by_arguments(derived, file, view, index),
            None => derived,
        };
        let is_one = derived.iter().any(|member| targets.contains(member));
        is_one.then(|| (0.8 / derived.len() as f32).max(0.3))
    }
}
