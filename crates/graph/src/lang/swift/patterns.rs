//! Patterns of enumeration cases: `case .circle(let radius)`.

use syntax::{Qualifier, RefIdx, Reference, Role, SymbolKind};

use crate::{
    engine::{
        meaning::Meaning,
        resolver::{At, Resolver},
    },
    types::ty::Ty,
};

/// The bytes between the name of a case and a name that it binds.
const MAX_PATTERN: u32 = 120;

impl Resolver<'_> {
    /// The payload of a case of the library: `case .some(let person)`, `case .success(let person)`.
    fn payload_of_library_case(&self, place: At<'_>, variant: &Reference) -> Option<Ty> {
        let Qualifier::Value(value) = variant.on else {
            return None;
        };
        let whole = self.value(place.file, value);
        match place.view.facts.names.get(variant.name) {
            "some" => Some(whole),
            "success" => whole.given.first().cloned(),
            "failure" => whole.given.get(1).cloned(),
            _ => None,
        }
    }

    /// The type of a name in the pattern of an enumeration's case, whose name is before it: `case .ok(let person)`.
    pub(super) fn payload(&self, place: At<'_>) -> Option<Ty> {
        let facts = &place.view.facts;
        let before = facts
            .references
            .partition_point(|reference| reference.at < place.at)
            .checked_sub(1)?;
        let variant = &facts.references[before];
        if variant.role == Role::Call || place.at - variant.at > MAX_PATTERN {
            return None;
        }
        let Meaning::Symbols(found, _) = self.meaning(place.file, RefIdx::new(before)) else {
            return self.payload_of_library_case(place, variant);
        };
        let id = found
            .into_iter()
            .find(|id| self.kind_of(*id) == Some(SymbolKind::Variant))?;
        let first = facts.bindings.partition_point(|binding| binding.at < variant.at);
        let names = facts.bindings[first..]
            .iter()
            .take_while(|binding| binding.at < place.at);
        let nth = names.count();
        // The types behind its name, up to that of the next variant.
        let view = self.view(id.file)?;
        let symbol = &view.facts.symbols[id.symbol];
        let behind = view.facts.symbols.iter().skip(id.symbol.next().as_usize());
        let next = behind.map(|next| next.name_at).find(|next| *next < symbol.span.end);
        let end = next.unwrap_or(symbol.span.end);
        let types = RefIdx::enumerate(&view.facts.references).filter(|(_, reference)| {
            reference.role == Role::Type && symbol.name_at < reference.at && reference.at < end
        });
        let (index, _) = types.into_iter().nth(nth)?;
        match self.meaning(id.file, index) {
            Meaning::Symbols(types, _) => types.first().map(|id| self.value_of_symbol(*id, None)),
            _ => None,
        }
    }
}
