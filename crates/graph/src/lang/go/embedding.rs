//! Embedded types: `type Circle struct { Shape }` has a field that is called `Shape`.

use syntax::{Role, SymbolKind};

use crate::{
    engine::{meaning::Meaning, resolver::Resolver},
    view::SymbolId,
};

impl Resolver<'_> {
    /// The fields that embed a type, and so are called as it is.
    pub(super) fn fields_that_embed(&self, id: SymbolId) -> Vec<SymbolId> {
        if !self.kind_of(id).is_some_and(SymbolKind::is_type) {
            return Vec::new();
        }
        let name = self.name_of(id);
        let mut fields = Vec::new();
        for file in self.defining(&name).iter() {
            let Some(view) = self.view(*file) else { continue };
            let named = view
                .symbols_named(&name)
                .map(|(symbol, _)| SymbolId { file: *file, symbol });
            fields.extend(named.filter(|field| self.embedded_type(*field) == Some(id)));
        }
        fields
    }

    /// The type that a field embeds.
    pub(super) fn embedded_type(&self, field: SymbolId) -> Option<SymbolId> {
        if self.kind_of(field) != Some(SymbolKind::Field) {
            return None;
        }
        let view = self.view(field.file)?;
        let at = view.facts.symbols[field.symbol].name_at;
        let reference = view.reference_at(at)?;
        if view.facts.references[reference].role != Role::Implementation {
            return None;
        }
        match self.meaning(field.file, reference) {
            Meaning::Symbols(symbols, _) => symbols
                .into_iter()
                .find(|id| self.kind_of(*id).is_some_and(SymbolKind::is_type)),
            _ => None,
        }
    }
}
