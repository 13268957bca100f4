//! Partial types, extension methods, explicit interface implementations, and values that have the name of their type.

use syntax::{Modifier, Qualifier, RefIdx, Reference, Role, SymbolKind};

use crate::{
    engine::{
        meaning::Meaning,
        resolver::{At, Resolver, ids},
    },
    files::FileIdx,
    lang::related,
    members::declaration_groups::whole_path,
    types::{
        ty::{Base, Ty},
        type_names::last_part,
    },
    view::SymbolId,
};

impl Resolver<'_> {
    /// The type of an out parameter of `Deconstruct`, to which a value is destructured.
    pub(super) fn parameter_of_deconstruct(&self, whole: &Ty, own: SymbolId, nth: usize) -> Option<Ty> {
        let members = self.members(own, "Deconstruct");
        let known = members.first().map(|id| self.seen_from(whole, *id)).unwrap_or_default();
        members.iter().find_map(|id| self.parameter_type(*id, nth, &known))
    }

    /// The declarations of a partial type in other files.
    pub(crate) fn parts_in_other_files(&self, id: SymbolId) -> Vec<SymbolId> {
        let Some(view) = self.view(id.file) else {
            return Vec::new();
        };
        let symbol = &view.facts.symbols[id.symbol];
        let name = view.facts.name(symbol);
        let defining = self.defining(name);
        if !symbol.kind.has_members() || defining.len() < 2 {
            return Vec::new();
        }
        let (path, arity) = (whole_path(&view, symbol), self.type_parameter_count(id));
        let mut found = Vec::new();
        let lang = self.lang(id.file);
        let others = defining.iter().filter(|other| **other != id.file);
        for other in others.filter(|other| related(lang, self.lang(**other))) {
            let Some(other_view) = self.view(*other) else { continue };
            let parts = other_view
                .symbols_named(name)
                .filter(|(_, one)| one.kind == symbol.kind && whole_path(&other_view, one) == path);
            let parts = ids(*other, parts).into_iter();
            found.extend(parts.filter(|part| self.type_parameter_count(*part) == arity));
        }
        found
    }

    /// Whether a call passes its receiver as the first argument: `shape.Draw()` of `static void Draw(this Shape shape)`.
    pub(crate) fn is_called_as_extension(&self, id: SymbolId, file: FileIdx, reference: &Reference) -> bool {
        let is_extension = self.symbol(id, |view, symbol| {
            symbol.owner.is_some() && view.parent(symbol).is_some_and(|parent| parent.kind.has_members())
        });
        let is_type = match reference.on {
            Qualifier::Nothing | Qualifier::Path(_) | Qualifier::Context(_) => true,
            Qualifier::Value(value) => match self.meaning(file, value) {
                Meaning::Symbols(symbols, _) => {
                    let mut kinds = symbols.iter().filter_map(|id| self.kind_of(*id));
                    kinds.any(SymbolKind::is_type)
                }
                _ => false,
            },
            _ => false,
        };
        is_extension == Some(true) && !is_type
    }

    /// An explicit interface implementation, which is called through the interface only: `void IShape.Draw()`.
    pub(crate) fn is_explicit(&self, id: SymbolId) -> bool {
        let is_explicit = self.symbol(id, |view, symbol| {
            let is_in_type = view
                .parent(symbol)
                .is_some_and(|parent| matches!(parent.kind, SymbolKind::Class | SymbolKind::Struct));
            let is_code = symbol.kind.is_function() || symbol.kind == SymbolKind::Property;
            is_in_type && is_code && symbol.visibility.is_none() && symbol.owner.is_none()
        });
        is_explicit == Some(true)
    }

    /// Whether the interface that is written before such a member declares another, or one that it is derived from.
    pub(crate) fn is_explicit_for(&self, member: SymbolId, base: SymbolId) -> bool {
        let named = self.symbol(member, |view, symbol| {
            let before = view.facts.references.partition_point(|one| one.at < symbol.name_at);
            before.checked_sub(1).map(RefIdx::new)
        });
        let Some(named) = named.flatten() else { return true };
        match (self.meaning(member.file, named), self.owner(base)) {
            (Meaning::Symbols(symbols, _), Base::Symbol(owner)) => {
                symbols.contains(&owner) || symbols.iter().any(|one| self.is_derived(*one, owner))
            }
            _ => true,
        }
    }

    /// The type that a value has its name from, where the member behind it is a static one: `Color.Red` means the type also
    /// where there is a property `Color Color`.
    pub(crate) fn type_of_same_name(&self, place: At<'_>, values: &[SymbolId], index: RefIdx) -> Option<Vec<SymbolId>> {
        if values.is_empty() {
            return None;
        }
        let references = &place.view.facts.references;
        let member = references.get(index.next().as_usize())?;
        let name = place.view.facts.names.get(references[index].name);
        let has_type_of_same_name = |id: &SymbolId| {
            let ty = self.symbol(*id, |view, symbol| {
                let ty = symbol.type_expr().filter(|_| !symbol.kind.is_type())?;
                view.type_expr(ty).path().map(|path| last_part(path) == name)
            });
            ty.flatten() == Some(true)
        };
        if member.on != Qualifier::Value(index) || !values.iter().all(has_type_of_same_name) {
            return None;
        }
        let Meaning::Symbols(types, _) = self.lookup(place, name, Role::Type) else {
            return None;
        };
        let member = place.view.facts.names.get(member.name);
        let is_static = |id: &SymbolId| {
            let kind = self.kind_of(*id);
            kind.is_some_and(|kind| kind.is_type() || matches!(kind, SymbolKind::Variant | SymbolKind::Constant))
                || self.modifier_of(*id) == Some(Modifier::Static)
        };
        let has_it = types.iter().any(|ty| self.members(*ty, member).iter().any(is_static));
        has_it.then_some(types)
    }
}
