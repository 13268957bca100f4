//! Lookup of a program's public names from outside: by a path from the root of a crate, and by the alias of a
//! re-export.

use syntax::{Import, ImportIdx, SymbolKind};

use crate::{
    engine::{
        meaning::{Meaning, Rule},
        resolver::{At, Resolver, sorted},
    },
    files::FileIdx,
    modules::Target,
    scope::imports::PathItem,
    view::{SymbolId, View},
};

/// A name in more files than this is not looked up in their imports.
const MANY: usize = 1_000;

impl Resolver<'_> {
    /// The definitions that a path from the root of a crate leads to, through re-exports.
    pub fn public_path(&self, root: FileIdx, path: &str, item: &str) -> Vec<SymbolId> {
        let Some(view) = self.view(root) else {
            return Vec::new();
        };
        let place = At {
            file: root,
            view: &view,
            at: 0,
        };
        let found = match self.modules.resolve_path(root, &view.facts, path, Some(item), 0) {
            Target::Local(files) => {
                let item = PathItem {
                    files: &files,
                    path,
                    name: item,
                    rule: Rule::Path,
                };
                self.path_item(place, &item)
            }
            _ => Meaning::Unknown,
        };
        match found {
            // An exported macro is at the root, wherever it is written.
            Meaning::Unknown | Meaning::Missing if !path.contains("::") => self.macros(root, item),
            // A definition is preferred to a module of the same name.
            Meaning::Symbols(mut found, _) => {
                let is_module = |id: &SymbolId| self.kind_of(*id) == Some(SymbolKind::Module);
                if !found.iter().all(is_module) {
                    found.retain(|id| !is_module(id));
                }
                found
            }
            _ => Vec::new(),
        }
    }

    /// The definitions that files re-export under an alias: `pub use Circle as Round;`.
    pub fn reexported_as(&self, name: &str, is_meant: impl Fn(FileIdx) -> bool) -> Vec<SymbolId> {
        let mut files = self.world.mentioning(name);
        files.retain(|file| is_meant(*file));
        if files.len() > MANY {
            return Vec::new();
        }
        let mut found = Vec::new();
        for file in self.in_turn(files) {
            let Some(view) = self.view(file) else { continue };
            for (index, import) in ImportIdx::enumerate(&view.facts.imports) {
                if self.reexport_alias(file, &view, import) != Some(name) {
                    continue;
                }
                if let Meaning::Symbols(symbols, _) = self.import(file, index) {
                    found.extend(symbols);
                }
            }
        }
        sorted(found)
    }

    /// The aliases under which files re-export a definition.
    pub(crate) fn other_names(&self, id: SymbolId) -> Vec<String> {
        let name = self.name_of(id);
        let mut names = Vec::new();
        for (file, known) in self.spots(&name, self.world.mentioning(&name)) {
            let Some(view) = self.view(file).filter(|_| known.is_renamed) else {
                continue;
            };
            for (index, import) in ImportIdx::enumerate(&view.facts.imports) {
                let is_it =
                    || matches!(self.import(file, index), Meaning::Symbols(symbols, _) if symbols.contains(&id));
                if let Some(alias) = self.reexport_alias(file, &view, import).filter(|_| is_it()) {
                    names.push(alias.to_owned());
                }
            }
        }
        names
    }

    /// The alias under which an import re-exports something.
    fn reexport_alias<'v>(&self, file: FileIdx, view: &'v View, import: &Import) -> Option<&'v str> {
        let names = &view.facts.names;
        let alias = import.alias.map(|alias| names.get(alias))?;
        let is_reexported = import.reexport || self.semantics(file).imports_are_exports();
        (is_reexported && names.get(import.taken()) != alias).then_some(alias)
    }
}
