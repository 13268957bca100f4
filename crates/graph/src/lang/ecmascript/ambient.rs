//! Declarations that are seen without an import: ambient ones, `declare global`, `declare module "shapes"`; and those that
//! augment a definition of another file.

use syntax::{Symbol, SymbolKind, Visibility};

use crate::{
    engine::{
        meaning::{Meaning, Rule},
        resolver::{At, MANY_FILES, Resolver, ids},
    },
    files::FileIdx,
    lang::ecmascript::is_ecmascript,
    modules::Target,
    scope::imports::PathItem,
    view::{SymbolId, View},
};

impl Resolver<'_> {
    /// The ambient declarations of a bare name.
    pub(super) fn ambient(&self, name: &str) -> Vec<SymbolId> {
        self.ambient_at(&[name])
    }

    /// The ambient declarations at a path of namespaces, which several files may add to.
    pub(super) fn ambient_at(&self, path: &[&str]) -> Vec<SymbolId> {
        let name = path.last().copied().unwrap_or_default();
        let defining = self.defining(name);
        let found = defining.iter().filter_map(|file| {
            let view = self.view(*file)?;
            let named = view.symbols_named(name);
            let ambient = named.filter(|(_, symbol)| self.ambient_path(*file, &view, symbol).as_deref() == Some(path));
            Some(ids(*file, ambient))
        });
        found.flatten().collect()
    }

    /// The path of an ambient declaration: one in a declaration file that neither imports nor exports anything, or in
    /// `declare global`.
    pub(super) fn ambient_path<'v>(&self, file: FileIdx, view: &'v View, symbol: &Symbol) -> Option<Vec<&'v str>> {
        if !is_ecmascript(self.lang(file)) || symbol.owner.is_some() {
            return None;
        }
        let mut path = view.facts.path_of(symbol);
        let outermost = view.outwards(symbol.parent).last();
        let is_global = |outer: &Symbol| outer.kind == SymbolKind::Namespace && view.facts.name(outer) == "global";
        if outermost.is_some_and(|(_, outer)| is_global(outer)) {
            path.remove(0);
            return Some(path);
        }
        let is_exported = |symbol: &Symbol| symbol.visibility == Some(Visibility::Public);
        let mut outer = view.facts.symbols.iter().filter(|symbol| symbol.parent.is_none());
        let is_script = self.modules.files().path(file).ends_with(".d.ts")
            && view.facts.imports.is_empty()
            && !outer.any(is_exported);
        is_script.then_some(path)
    }

    /// What the workspace declares an external module to have: `declare module "shapes" { .. }`.
    pub(super) fn declared_module(&self, path: &str, item: Option<&str>) -> Option<Meaning> {
        if path.is_empty() {
            return None;
        }
        let defining = self.defining(path);
        let mut found = Vec::new();
        for other in defining.iter() {
            let view = self.view(*other)?;
            let modules = view.symbols_named(path).filter(|(_, symbol)| {
                symbol.parent.is_none() && matches!(symbol.kind, SymbolKind::Module | SymbolKind::Namespace)
            });
            for (module, _) in modules {
                match item {
                    Some(item) => {
                        let inside = view.symbols_named(item).filter(|(_, one)| one.parent == Some(module));
                        found.extend(ids(*other, inside));
                    }
                    None => found.push(SymbolId {
                        file: *other,
                        symbol: module,
                    }),
                }
            }
        }
        Meaning::of(found, Rule::Import)
    }

    /// The declarations in all files that a type or namespace is merged of: `declare module "./shape" { interface Shape
    /// { .. } }`, `declare global { namespace Shapes { .. } }`.
    pub(super) fn augmentations(&self, id: SymbolId, view: &View, symbol: &Symbol, name: &str) -> Vec<SymbolId> {
        let defining = self.defining(name);
        if defining.len() < 2 || defining.len() > MANY_FILES {
            return Vec::new();
        }
        if let Some(path) = self.ambient_path(id.file, view, symbol) {
            let mut parts = self.ambient_at(&path);
            parts.retain(|part| self.kind_of(*part).is_some_and(is_augmentable));
            return parts;
        }
        let base = match self.augmented(id.file, view, symbol) {
            Some(base) => base,
            None if symbol.parent.is_none() => id,
            None => return Vec::new(),
        };
        let others = defining.iter().filter(|other| **other != base.file).flat_map(|other| {
            let Some(view) = self.view(*other) else {
                return Vec::new();
            };
            let parts = view
                .symbols_named(name)
                .filter(|(_, one)| self.augmented(*other, &view, one) == Some(base));
            ids(*other, parts)
        });
        others.chain([base]).collect()
    }

    /// The definition that a declaration in a `declare module` block augments.
    fn augmented(&self, file: FileIdx, view: &View, part: &Symbol) -> Option<SymbolId> {
        let module = &view.facts.symbols[part.parent?];
        if module.kind != SymbolKind::Module || !is_augmentable(part.kind) {
            return None;
        }
        let (path, name) = (view.facts.name(module), view.facts.name(part));
        let target = self
            .modules
            .resolve_path(file, &view.facts, path, Some(name), module.span.start);
        let (Target::Local(files) | Target::Candidates(files)) = target else {
            return None;
        };
        let place = At {
            file,
            view,
            at: module.span.start,
        };
        let item = PathItem {
            files: &files,
            path,
            name,
            rule: Rule::Path,
        };
        match self.path_item(place, &item) {
            Meaning::Symbols(symbols, _) => symbols.into_iter().find(|id| self.kind_of(*id) == Some(part.kind)),
            _ => None,
        }
    }
}

/// Whether other files can augment a definition of a kind.
pub(super) fn is_augmentable(kind: SymbolKind) -> bool {
    kind.has_members() || kind == SymbolKind::Namespace
}
