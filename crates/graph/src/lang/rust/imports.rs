//! `use` declarations, and what modules see of each other's.

use syntax::{Import, Reference, Symbol, SymbolIdx, SymbolKind};

use crate::{
    engine::{
        meaning::{Meaning, Rule},
        resolver::{At, Resolver, ids},
    },
    files::{FileIdx, Files},
    scope::{
        bare_names::can_be_named,
        imports::{names_item, nearest_import},
    },
    view::{SymbolId, View},
};

impl Resolver<'_> {
    /// What a `use` declaration stands for.
    pub(super) fn used_item(&self, place: At<'_>, import: &Import) -> Meaning {
        let path = place.view.facts.names.get(import.path);
        // A name of the module itself: `pub use Circle as Round;`.
        if import.item.is_none() && import.alias.is_some() && !import.wildcard {
            let found = self.name_of_module(place, path);
            if found.is_found() {
                return found;
            }
        }
        match self.imported_by(place, import) {
            // `pub use area;` gives a macro a place among what can be imported.
            found @ (Meaning::Unknown | Meaning::External | Meaning::Missing) if import.item.is_none() => {
                Meaning::of(self.macros(place.file, path), Rule::Import).unwrap_or(found)
            }
            found => found,
        }
    }

    /// What has a name in the module that a place is in. A module that is a file is found by its path.
    fn name_of_module(&self, place: At<'_>, name: &str) -> Meaning {
        let view = place.view;
        let module =
            |inner: Option<SymbolIdx>| view.outwards(inner).find(|(_, outer)| outer.kind == SymbolKind::Module);
        let own = module(view.facts.enclosing(place.at)).map(|(at, _)| at);
        let beside = view.symbols_named(name).filter(|(_, symbol)| {
            can_be_named(symbol)
                && view.is_outer(symbol)
                && symbol.kind != SymbolKind::Module
                && module(symbol.parent).map(|(at, _)| at) == own
        });
        Meaning::of(ids(place.file, beside), Rule::Import).unwrap_or_else(|| self.by_import(place, name))
    }

    /// What a name in a `use` declaration means.
    pub(super) fn name_in_use(&self, place: At<'_>, reference: &Reference) -> Meaning {
        let At { file, view, .. } = place;
        let facts = &view.facts;
        let name = facts.names.get(reference.name);
        let names_macro = |import: &Import| {
            let is_bare = import.item.is_none() && !import.wildcard && facts.names.get(import.path) == name;
            is_bare && !self.macros(file, name).is_empty()
        };
        let says = |import: &Import| names_macro(import) || names_item(view, import, name);
        match nearest_import(place, says) {
            Some(import) => self.import(file, import),
            None => self.part_of_import(place, name, |file| self.is_module_named(file, name)),
        }
    }

    /// What one `use path::*;` brings in under a name.
    pub(super) fn glob_import(&self, place: At<'_>, import: &Import, name: &str) -> Meaning {
        let beside = self.variant_of_type_beside(place, import, name);
        beside.unwrap_or_else(|| {
            self.by_files(place, import, name, |other| {
                self.glob_from_file(place, other, import, name)
            })
        })
    }

    /// A variant of a type that is defined where the declaration is: `fn f() { enum Kind { .. } use Kind::*; }`.
    fn variant_of_type_beside(&self, place: At<'_>, import: &Import, name: &str) -> Option<Meaning> {
        let At { file, view, .. } = place;
        let around = view.around_import(import)?;
        let beside = view.symbols_named(view.facts.names.get(import.path));
        let beside = beside.filter(|(_, one)| one.parent == Some(around) && one.kind.is_type());
        self.variants(ids(file, beside), name)
    }

    fn variants(&self, types: Vec<SymbolId>, name: &str) -> Option<Meaning> {
        let found = types.into_iter().flat_map(|id| self.members(id, name));
        let variants = found.filter(|id| self.kind_of(*id) == Some(SymbolKind::Variant));
        Meaning::of(variants.collect(), Rule::Wildcard)
    }

    fn glob_from_file(&self, place: At<'_>, other: FileIdx, import: &Import, name: &str) -> Meaning {
        let At { file, view, .. } = place;
        let path = view.facts.names.get(import.path);
        // The variants of a type, and nothing beside it: `use Kind::*`.
        let types = self.exported(other, path.rsplit("::").next().unwrap_or_default());
        if types
            .iter()
            .any(|id| self.kind_of(*id).is_some_and(SymbolKind::has_members))
        {
            return self.variants(types, name).unwrap_or(Meaning::Unknown);
        }
        if other == file {
            // `use super::*` in an inline module.
            let declaration = At { at: import.at, ..place };
            let own = view.symbols_named(name).filter(|(_, symbol)| view.is_outer(symbol));
            let own = self.in_written_module(ids(file, own), declaration, path);
            if let Some(found) = Meaning::of(own, Rule::Wildcard) {
                return found;
            }
        }
        let mut found = self.exported(other, name);
        if other != file {
            found.retain(|id| id.file != other || self.is_reached_by(*id, path));
        }
        if found.is_empty() {
            let owners = self.path_end(other, path).into_iter();
            found = owners.flat_map(|owner| self.members(owner, name)).collect();
        }
        Meaning::of(found, Rule::Wildcard)
            .or_else(|| self.private_import(place, other, path, name))
            .unwrap_or(Meaning::Unknown)
    }

    /// Whether a path to a file reaches a definition in it: one in an inline module is reached by a path into the module, or
    /// where the file takes names out of the module.
    fn is_reached_by(&self, id: SymbolId, path: &str) -> bool {
        let is_reached = |view: &View, symbol: &Symbol| {
            let mut around = view.outwards(symbol.parent);
            let Some((_, module)) = around.find(|(_, outer)| outer.kind == SymbolKind::Module) else {
                return true;
            };
            let module = view.facts.name(module);
            let names = |path: &str| path.split("::").any(|part| part == module);
            let mut imports = view.facts.imports.iter();
            path.ends_with(module) || imports.any(|import| names(view.facts.names.get(import.path)))
        };
        self.symbol(id, is_reached).unwrap_or(true)
    }

    /// What a module imports for itself, which the modules inside of it see: `use super::*`. The path leads from one of them
    /// to the module. None where the place is not inside.
    pub(super) fn private_import(&self, place: At<'_>, module: FileIdx, path: &str, name: &str) -> Option<Meaning> {
        if !is_module_inside(self.modules.files(), place.file, module) && !path.starts_with("super") {
            return None;
        }
        let key = (module, Box::from(name));
        Some(self.known.private.get(&self.trail, key, Meaning::Unknown, || {
            let Some(view) = self.view(module) else {
                return Meaning::Unknown;
            };
            let outside = At {
                file: module,
                view: &view,
                at: 0,
            };
            match self.by_import(outside, name) {
                Meaning::Unknown => self.by_wildcard(outside, name, false),
                found => found,
            }
        }))
    }
}

/// Whether a file is a module inside of another, at whatever depth, or that one.
fn is_module_inside(files: &Files, file: FileIdx, outer: FileIdx) -> bool {
    let inner_dir = match files.stem(outer) {
        "lib" | "main" | "mod" => files.dir(outer),
        _ => files.path(outer).strip_suffix(".rs").unwrap_or_default(),
    };
    let behind = files.path(file).strip_prefix(inner_dir);
    file == outer || behind.is_some_and(|behind| inner_dir.is_empty() || behind.starts_with('/'))
}
