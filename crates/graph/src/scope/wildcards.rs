//! What imports of everything bring in.

use syntax::{Import, Symbol, SymbolKind};

use crate::{
    engine::{
        meaning::{Meaning, Rule},
        resolver::{At, Resolver, ids},
    },
    files::FileIdx,
    modules::Target,
    view::{SymbolId, View},
};

impl Resolver<'_> {
    /// What a wildcard brings in; or only one that a function around the place has for itself.
    pub(crate) fn by_wildcard(&self, place: At<'_>, name: &str, in_function: bool) -> Meaning {
        let At { file, view, .. } = place;
        let semantics = self.semantics(file);
        if semantics.is_global && !semantics.follows_wildcards {
            return Meaning::Unknown;
        }
        let facts = &view.facts;
        let mut leads_out = false;
        let defining = self.defining(name);
        // One inside a module or function is for that one.
        let is_seen = |import: &&Import| {
            if !import.wildcard {
                return false;
            }
            let around = view.around_import(import).map(|around| &facts.symbols[around as usize]);
            let is_inside = |around: &Symbol| around.span.start <= place.at && place.at < around.span.end;
            match around {
                Some(around) => is_inside(around) && (!in_function || around.kind.is_function()),
                None => !in_function,
            }
        };
        let mut seen: Vec<&Import> = facts.imports.iter().filter(is_seen).collect();
        // A module's own before those of the modules around it.
        if semantics.has_namespaces {
            seen.sort_by_key(|import| std::cmp::Reverse(view.around_import(import)));
        }
        for import in seen {
            if let Some(found) = self.of_type_beside(place, import, name) {
                return found;
            }
            let files = match self.modules.resolve(file, facts, import) {
                Target::Local(files) | Target::Candidates(files) => files,
                Target::External(_) => {
                    leads_out = true;
                    continue;
                }
                Target::Unknown => continue,
            };
            // A package may be many files; only those matter that have the name, or hand others' names on.
            let hands_on = files.len() <= 4;
            for other in files.iter().filter(|other| hands_on || defining.contains(other)) {
                match self.brought_from(place, *other, import, name) {
                    found @ (Meaning::Symbols(..) | Meaning::Files(_)) => return found,
                    Meaning::External => leads_out = true,
                    _ => {}
                }
            }
        }
        if leads_out { Meaning::External } else { Meaning::Unknown }
    }

    /// A variant of a type that a function has to itself: `enum Kind { .. } use Kind::*;`.
    fn of_type_beside(&self, place: At<'_>, import: &Import, name: &str) -> Option<Meaning> {
        let At { file, view, .. } = place;
        let around = view
            .around_import(import)
            .filter(|_| self.semantics(file).has_namespaces)?;
        let beside = view.symbols_named(view.facts.names.get(import.path));
        let beside = beside.filter(|(_, one)| one.parent == Some(around) && one.kind.is_type());
        let found = ids(file, beside).into_iter().flat_map(|id| self.members(id, name));
        let variants = found.filter(|id| self.kind_of(*id) == Some(SymbolKind::Variant));
        Meaning::of(variants.collect(), Rule::Wildcard)
    }

    /// What a wildcard brings from one of the files that it leads to.
    fn brought_from(&self, place: At<'_>, other: FileIdx, import: &Import, name: &str) -> Meaning {
        let At { file, view, .. } = place;
        let path = view.facts.names.get(import.path);
        let semantics = self.semantics(file);
        // The variants of a type, and nothing beside it: `use Kind::*`.
        let types = match semantics.has_namespaces {
            true => self.exported(other, path.rsplit("::").next().unwrap_or_default()),
            false => Vec::new(),
        };
        let is_type = |id: &SymbolId| self.kind_of(*id).is_some_and(SymbolKind::has_members);
        if types.iter().any(is_type) {
            let found = types.into_iter().flat_map(|id| self.members(id, name));
            let variants = found.filter(|id| self.kind_of(*id) == Some(SymbolKind::Variant));
            return Meaning::of(variants.collect(), Rule::Wildcard).unwrap_or(Meaning::Unknown);
        }
        if other == file {
            // `use super::*` in a module of the same file.
            let written = At { at: import.at, ..place };
            let own = view.symbols_named(name).filter(|(_, symbol)| view.is_outer(symbol));
            let own = self.in_module(ids(file, own), written, path);
            if let Some(found) = Meaning::of(own, Rule::Wildcard) {
                return found;
            }
        }
        // What a type has, and nothing beside it: `using static Geo.Shapes;`.
        let mut found = match self.rules(file).imports_members_only(self, other, path) {
            true => Vec::new(),
            false => self.exported(other, name),
        };
        if semantics.has_namespaces && other != file {
            found.retain(|id| id.file != other || self.leaves_module(*id, path));
        }
        if found.is_empty() {
            let owners = self.path_end(other, path).into_iter();
            found = owners.flat_map(|owner| self.members(owner, name)).collect();
            self.retain_importable(other, &mut found);
        }
        // A module passes on to those inside of it what it imported itself: `use super::*`.
        Meaning::of(found, Rule::Wildcard)
            .or_else(|| self.imported_around(place, other, path, name))
            .unwrap_or(Meaning::Unknown)
    }

    /// Whether a path that leads to a file names a type in it, and no package or namespace.
    pub(crate) fn is_path_of_type(&self, file: FileIdx, path: &str) -> bool {
        let spaces = &self.modules.files().outline(file).spaces;
        let is_type = |id: &SymbolId| self.kind_of(*id).is_some_and(SymbolKind::has_members);
        !spaces.iter().any(|space| **space == *path) && self.path_end(file, path).iter().any(is_type)
    }

    /// Whether a definition in a module that is written in a file can be had by a path to the file: the path leads into the
    /// module, or the file takes names out of it.
    fn leaves_module(&self, id: SymbolId, path: &str) -> bool {
        let leaves = |view: &View, symbol: &Symbol| {
            let mut around = view.outwards(symbol.parent);
            let Some((_, module)) = around.find(|(_, outer)| outer.kind == SymbolKind::Module) else {
                return true;
            };
            let module = view.facts.name(module);
            let names = |path: &str| path.split("::").any(|part| part == module);
            let mut imports = view.facts.imports.iter();
            path.ends_with(module) || imports.any(|import| names(view.facts.names.get(import.path)))
        };
        self.symbol(id, leaves).unwrap_or(true)
    }
}
