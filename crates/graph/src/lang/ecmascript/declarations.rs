//! Declaration merging: `class Shape` and `namespace Shape` beside each other are one definition, and its members are those of
//! all its declarations.

use syntax::{Import, ImportIdx, Symbol, SymbolIdx, SymbolKind};

use crate::{
    engine::{
        meaning::Meaning,
        resolver::{Resolver, ids, sorted},
    },
    lang::ecmascript::ambient::is_augmentable,
    members::own::is_owner,
    scope::bare_names::can_be_named,
    view::{SymbolId, View},
};

impl Resolver<'_> {
    /// The declarations that are merged with one, and itself.
    pub(super) fn merged_declarations(&self, id: SymbolId) -> Vec<SymbolId> {
        // Augmentations are looked for in every file that has the name.
        match self.kind_of(id).is_some_and(is_augmentable) {
            true => {
                let same = &self.known.same;
                same.get(&self.trail, id, vec![id], || self.declared_under_name(id))
            }
            false => self.declared_under_name(id),
        }
    }

    fn declared_under_name(&self, id: SymbolId) -> Vec<SymbolId> {
        let Some(view) = self.view(id.file) else {
            return vec![id];
        };
        let symbol = &view.facts.symbols[id.symbol];
        let name = view.facts.name(symbol);
        // A static method and a method of one name are two.
        let is_static = |symbol: SymbolIdx| self.is_static(SymbolId { symbol, ..id });
        let is_other_declaration = |index: SymbolIdx, other: &Symbol| {
            other.parent == symbol.parent && other.owner == symbol.owner && is_static(index) == is_static(id.symbol)
        };
        let here = view
            .symbols_named(name)
            .filter(|(index, other)| is_other_declaration(*index, other));
        let mut found = ids(id.file, here);
        if is_augmentable(symbol.kind) {
            found.extend(self.augmentations(id, &view, symbol, name));
        }
        sorted(found)
    }

    /// The other declarations of a type that name supertypes of it: merged ones, and what is assigned to its prototype:
    /// `Circle.prototype = Object.create(Shape.prototype)`.
    pub(super) fn pieces_with_supertypes(&self, own: SymbolId) -> Vec<SymbolId> {
        let mut found = self.same_thing(own);
        found.retain(|piece| *piece != own);
        if let Some(view) = self.view(own.file) {
            let name = view.facts.name(&view.facts.symbols[own.symbol]);
            found.extend(view.impls_of(name).map(|(symbol, _)| SymbolId { symbol, ..own }));
        }
        found
    }

    /// The members that the declarations of a type, namespace or object have.
    pub(super) fn declared_members(&self, own: SymbolId, name: &str) -> Vec<SymbolId> {
        let Some(view) = self.view(own.file) else {
            return Vec::new();
        };
        let symbol = &view.facts.symbols[own.symbol];
        if let Some(found) = self.functions_at_key(own, &view, symbol, name) {
            return found;
        }
        let here = view.symbols_named(name);
        let mut found = ids(own.file, here.filter(|(_, member)| is_member(&view, member, own)));
        if is_augmentable(symbol.kind) {
            found.extend(self.augmented_members(own, name));
        }
        if found.is_empty() {
            found = self.exported_by_namespace(own, &view, name);
        }
        found
    }

    /// Members of a type's declarations in other files.
    fn augmented_members(&self, own: SymbolId, name: &str) -> Vec<SymbolId> {
        let parts = self.trail.deeper(Vec::new(), || self.same_thing(own)).into_iter();
        let parts = parts.filter(|part| part.file != own.file).filter_map(|part| {
            let view = self.view(part.file)?;
            let members = view
                .symbols_named(name)
                .filter(|(_, member)| member.parent == Some(part.symbol));
            Some(ids(part.file, members))
        });
        parts.flatten().collect()
    }

    /// What a namespace re-exports from its scope: `namespace Client { export { Options }; }`.
    fn exported_by_namespace(&self, own: SymbolId, view: &View, name: &str) -> Vec<SymbolId> {
        let facts = &view.facts;
        let symbol = &facts.symbols[own.symbol];
        let is_it = |import: &Import| {
            let listed = import.alias.unwrap_or(import.taken());
            let around = facts.enclosing(import.at).map(|around| &facts.symbols[around]);
            let is_piece = |around: &Symbol| {
                around.kind == SymbolKind::Namespace
                    && around.parent == symbol.parent
                    && facts.name(around) == facts.name(symbol)
            };
            import.reexport && facts.names.get(listed) == name && around.is_some_and(is_piece)
        };
        let listed = ImportIdx::enumerate(&facts.imports).find(|(_, import)| is_it(import));
        let listed = listed.map(|(index, _)| self.trail.deeper(Meaning::Unknown, || self.import(own.file, index)));
        match listed {
            Some(Meaning::Symbols(found, _)) => found,
            _ => Vec::new(),
        }
    }

    /// The functions that a returned object has under a key: `start` in `return { run: start }`.
    fn functions_at_key(&self, own: SymbolId, view: &View, symbol: &Symbol, name: &str) -> Option<Vec<SymbolId>> {
        if symbol.kind.is_type() {
            return None;
        }
        let value = view.returned_member(symbol, name)?;
        let is_function = |id: &SymbolId| self.kind_of(*id).is_some_and(SymbolKind::is_function);
        match self.trail.deeper(Meaning::Unknown, || self.meaning(own.file, value)) {
            Meaning::Symbols(found, _) if found.iter().all(is_function) => Some(found),
            _ => None,
        }
    }
}

/// Whether a definition is a member of another of its file, or of what is merged with that.
fn is_member(view: &View, member: &Symbol, own: SymbolId) -> bool {
    if !can_be_named(member) {
        return false;
    }
    if member.parent == Some(own.symbol) {
        return true;
    }
    let symbol = &view.facts.symbols[own.symbol];
    let name = view.facts.name(symbol);
    match member.owner {
        Some(owner) => is_owner(view.type_expr(owner), name),
        None => view
            .parent(member)
            .is_some_and(|parent| view.facts.name(parent) == name && parent.parent == symbol.parent),
    }
}
