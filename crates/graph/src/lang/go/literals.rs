//! Keys of composite literals: `Shape{Radius: 1}`, `[]Shape{{Radius: 1}}`, `map[string]int{name: 1}`.

use syntax::{NameId, Reference, Role, SymbolKind};

use crate::{
    engine::{
        meaning::{Meaning, Rule},
        resolver::{At, Resolver, ids},
    },
    infer::symbol::has_anonymous_struct,
    scope::paths::without_arguments,
    types::ty::Base,
};

impl Resolver<'_> {
    /// What the key of a composite literal means behind the literal's type.
    pub(super) fn literal_key(&self, place: At<'_>, reference: &Reference, ty: NameId) -> Meaning {
        let names = &place.view.facts.names;
        let (path, name) = (names.get(ty), names.get(reference.name));
        let written = place.view.type_expr(ty);
        let ty = self.type_from(place, written);
        let found = self.member_of(&ty, name);
        // The type of an element may be left out. A list itself has no fields.
        let is_list = ty.head == Base::External;
        let of_element = self.member_of(&self.indexed(ty), name);
        let both = if is_list {
            [of_element, found]
        } else {
            [found, of_element]
        };
        for found in both {
            if let Some(found) = self.without_functions(found) {
                return found;
            }
        }
        // A field of a type without a name: `[]struct{ Radius int }{{Radius: 1}}`.
        if has_anonymous_struct(written) {
            let view = place.view;
            let mut around = view.around(place.at).map(|(outer, _)| {
                let inner = view
                    .symbols_named(name)
                    .filter(|(_, field)| field.parent == Some(outer));
                ids(place.file, inner.filter(|(_, field)| field.kind == SymbolKind::Field))
            });
            let found = around.find(|found| !found.is_empty()).unwrap_or_default();
            return Meaning::of(found, Rule::Member).unwrap_or(Meaning::External);
        }
        // A type from elsewhere has fields of its own.
        let bare = without_arguments(path);
        if !path.contains('[') && self.type_meaning(place, bare.trim_start_matches(['&', '*'])) == Meaning::External {
            return Meaning::External;
        }
        // The key of a map, or the index of an array.
        self.lookup(place, name, Role::Variable)
    }
}
