//! Exports of a file: its own definitions, and those that it re-exports from other files.
//!
//! In most languages a file exports what it defines. Where it has an export object (`has_export_object`), the exports are the
//! members of that, and the object itself can be a definition: `module.exports = Shape`, Lua's `return Shape`. Facts have it
//! as an export with the name `EXPORT_OBJECT`. Start at `offered`.

use syntax::{Import, ImportIdx, Symbol, SymbolKind, Visibility};

use crate::{
    engine::{
        meaning::{Meaning, Rule},
        resolver::{Resolver, ids},
    },
    files::FileIdx,
    modules::Target,
    scope::bare_names::can_be_named,
    view::{SymbolId, View},
};

/// The name of a file's export object: `module.exports`.
const EXPORT_OBJECT: &str = "exports";

/// The name of an export that importers name as they like: `export default Shape`.
pub(crate) const DEFAULT_EXPORT: &str = "default";

/// Whether an export is imported without its name: `const Shape = require("./shape")`.
pub(crate) fn is_unnamed_export(name: &str) -> bool {
    matches!(name, DEFAULT_EXPORT | EXPORT_OBJECT)
}

impl Resolver<'_> {
    /// The definition that a file's export object is: `module.exports = Shape`. Empty where it is an object of named exports.
    pub(crate) fn export_object(&self, files: &[FileIdx]) -> Vec<SymbolId> {
        match files {
            [file] if self.semantics(*file).has_export_object() => {
                let mut found = self.exported(*file, EXPORT_OBJECT);
                found.retain(|id| {
                    let is_object = self.symbol(*id, |view, symbol| {
                        view.facts.name(symbol) == EXPORT_OBJECT && symbol.value.is_none() && !symbol.kind.is_type()
                    });
                    is_object == Some(false) || self.kind_of(*id).is_some_and(SymbolKind::is_function)
                });
                found
            }
            _ => Vec::new(),
        }
    }

    /// The type in a file that an import path ends with: `Outer.Inner` in `shapes.Outer.Inner`.
    pub(crate) fn path_end(&self, file: FileIdx, path: &str) -> Vec<SymbolId> {
        let mut parts = path.rsplit(['.', ':', '\\', '/']).filter(|part| !part.is_empty());
        let mut inner: Vec<&str> = Vec::new();
        // Types are nested at most a few levels deep; the parts before them are the path of the module.
        while let Some(outer) = parts.next().filter(|_| inner.len() < 4) {
            let mut found = self.exported(file, outer);
            for name in inner.iter().rev() {
                found = found.into_iter().flat_map(|owner| self.members(owner, name)).collect();
            }
            if !found.is_empty() {
                return found;
            }
            inner.push(outer);
        }
        Vec::new()
    }

    /// The definitions that a file exports under a name, also those that it re-exports.
    pub(crate) fn exported(&self, file: FileIdx, name: &str) -> Vec<SymbolId> {
        match self.offered(file, name) {
            Meaning::Symbols(found, _) => found,
            _ => Vec::new(),
        }
    }

    /// The meaning of a name that a file exports: definitions, or another file (`export * as shapes from "./shapes"`).
    pub(crate) fn offered(&self, file: FileIdx, name: &str) -> Meaning {
        let key = (file, Box::from(name));
        self.known
            .exported
            .get(&self.trail, key, Meaning::Unknown, || self.offered_by(file, name))
    }

    /// Drops definitions that are private to a file, where its language does not let other files import them.
    pub(crate) fn retain_importable(&self, file: FileIdx, symbols: &mut Vec<SymbolId>) {
        if self.semantics(file).hides_private {
            let is_private = |_: &View, symbol: &Symbol| symbol.visibility == Some(Visibility::Private);
            symbols.retain(|id| self.symbol(*id, is_private) != Some(true));
        }
    }

    fn offered_by(&self, file: FileIdx, name: &str) -> Meaning {
        let semantics = self.semantics(file);
        let mut own = self.outer_symbols(file, name);
        self.retain_importable(file, &mut own);
        // A module and a re-exported function may have one name.
        let has_own = own.iter().any(|id| self.kind_of(*id) != Some(SymbolKind::Module));
        if has_own && !semantics.has_export_object() && !semantics.imports_are_exports() {
            return Meaning::Symbols(own, Rule::Import);
        }
        let Some(view) = self.view(file) else {
            return Meaning::Unknown;
        };
        self.exported_by_name(file, &view, name, own)
            .or_else(|| self.exported_by_wildcard(file, &view, name))
            .or_else(|| self.member_of_export_object(file, name))
            .unwrap_or(Meaning::Unknown)
    }

    /// The meaning of a name that a file defines, or re-exports by name.
    fn exported_by_name(&self, file: FileIdx, view: &View, name: &str, mut own: Vec<SymbolId>) -> Option<Meaning> {
        let facts = &view.facts;
        let semantics = self.semantics(file);
        let all = semantics.imports_are_exports();
        let mut is_others = false;
        for (index, import) in self.reexports(file, view, name) {
            let local = import.alias.or(import.item).map(|local| facts.names.get(local));
            if local != Some(name) || import.wildcard || (all && facts.enclosing(import.at).is_some()) {
                continue;
            }
            match self.import(file, index) {
                // `try: from fast import run`, `except ImportError: from slow import run`: either may be it.
                Meaning::Symbols(found, _) if all => {
                    own.extend(found.into_iter().filter(|id| !own.contains(id)).collect::<Vec<_>>());
                }
                Meaning::Symbols(found, rule) => {
                    if semantics.has_export_object() {
                        own.clear();
                    }
                    own.extend(found);
                    return Some(Meaning::Symbols(own, rule));
                }
                found @ Meaning::Files(_) if semantics.has_export_object() => return Some(found),
                // Names of external modules are re-exported, too.
                Meaning::External => is_others |= all,
                _ => {}
            }
        }
        Meaning::of(own, Rule::Import).or(is_others.then_some(Meaning::External))
    }

    /// The imports of a file that may re-export a name.
    fn reexports<'v>(
        &self,
        file: FileIdx,
        view: &'v View,
        name: &str,
    ) -> impl Iterator<Item = (ImportIdx, &'v Import)> {
        let semantics = self.semantics(file);
        let all = semantics.imports_are_exports() || (semantics.lists_exports() && view.lists(name));
        let imports = ImportIdx::enumerate(&view.facts.imports);
        imports.filter(move |(_, import)| all || import.reexport)
    }

    /// The meaning of a name that a file re-exports by a wildcard: `export * from "./shapes"`.
    fn exported_by_wildcard(&self, file: FileIdx, view: &View, name: &str) -> Option<Meaning> {
        // A wildcard does not re-export the default export.
        if name == DEFAULT_EXPORT {
            return None;
        }
        let has_export_object = self.semantics(file).has_export_object();
        let mut private = None;
        for (_, import) in self.reexports(file, view, name).filter(|(_, import)| import.wildcard) {
            let Target::Local(files) = self.modules.resolve(file, &view.facts, import) else {
                continue;
            };
            for other in files.into_iter().filter(|other| *other != file) {
                // A definition that the other file does not export is the last resort.
                let is_private = |id: &SymbolId| {
                    let visibility = self.symbol(*id, |_, symbol| symbol.visibility);
                    id.file == other && visibility == Some(Some(Visibility::Private))
                };
                match self.offered(other, name) {
                    Meaning::Symbols(found, rule) if has_export_object && found.iter().all(is_private) => {
                        private.get_or_insert(Meaning::Symbols(found, rule));
                    }
                    found if found.is_found() => return Some(found),
                    _ => {}
                }
            }
        }
        private
    }

    /// A member of a file's export object.
    fn member_of_export_object(&self, file: FileIdx, name: &str) -> Option<Meaning> {
        if !self.semantics(file).has_export_object() || name == EXPORT_OBJECT {
            return None;
        }
        let mut object = self.outer_symbols(file, EXPORT_OBJECT);
        if object.is_empty() {
            // `module.exports = keys`
            object = self.exported(file, EXPORT_OBJECT);
            object.retain(|id| matches!(self.kind_of(*id), Some(SymbolKind::Constant | SymbolKind::Variable)));
        }
        let members = object.iter().flat_map(|object| self.own_members(*object, name));
        Meaning::of(members.collect(), Rule::Import)
    }

    /// The definitions of a name at the top level of a file.
    pub(crate) fn outer_symbols(&self, file: FileIdx, name: &str) -> Vec<SymbolId> {
        let Some(view) = self.view(file) else {
            return Vec::new();
        };
        let semantics = self.semantics(file);
        // The members of a namespace or nested module are exported by that, and not by the file.
        let nests = semantics.has_export_object() || semantics.nests_modules;
        let is_inner = |symbol: &Symbol| !can_be_named(symbol) || (nests && symbol.parent.is_some());
        let outer = view.symbols_named(name).filter(|(_, symbol)| {
            let adds = semantics.has_extensions && symbol.owner.is_some() && symbol.parent.is_none();
            adds || (view.is_outer(symbol) && !is_inner(symbol))
                || self.rules(file).is_visible_outside_type(&view, symbol)
        });
        ids(file, outer)
    }
}
