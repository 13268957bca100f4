//! Which declarations are of one and the same thing.

use syntax::{Symbol, SymbolKind};

use crate::{
    engine::{
        meaning::{Meaning, Rule},
        resolver::{At, MANY_FILES, Resolver, ids, sorted},
    },
    files::FileIdx,
    modules::Target,
    scope::imports::PathItem,
    view::{SymbolId, View},
};

impl Resolver<'_> {
    /// A definition and its other declarations: a prototype, another part of it, further signatures.
    pub fn same_thing(&self, id: SymbolId) -> Vec<SymbolId> {
        if let Some(group) = self.rules(id.file).declaration_group(self, id) {
            return group;
        }
        // What files add to from outside is looked for in all of them.
        if self.semantics(id.file).merges && self.kind_of(id).is_some_and(is_added_to) {
            let same = &self.known.same;
            return same.get(&self.trail, id, vec![id], || self.same_by_name(id));
        }
        self.same_by_name(id)
    }

    /// The definitions that stand in for one in other builds of the program: `open_linux.go`, `open_windows.go`.
    pub fn built_instead(&self, id: SymbolId) -> Vec<SymbolId> {
        self.rules(id.file).build_variants(self, id)
    }

    fn same_by_name(&self, id: SymbolId) -> Vec<SymbolId> {
        let Some(view) = self.view(id.file) else {
            return vec![id];
        };
        let symbol = &view.facts.symbols[id.symbol as usize];
        let name = view.facts.name(symbol);
        if let Some(declared) = self.rules(id.file).inherited_field(self, id, symbol) {
            return self.trail.deeper(vec![id], || self.same_thing(declared));
        }
        let has_overloads = self.semantics(id.file).has_overloads;
        // A method of a class itself is none of its values', whatever it is called.
        let is_static = |symbol: u32| self.is_static(SymbolId { symbol, ..id });
        let has_separate_names = self.semantics(id.file).has_separate_names;
        // Where a file says which package it is part of, that is none of what the package holds.
        let merges = self.semantics(id.file).merges;
        let is_package = |kind: SymbolKind| kind == SymbolKind::Namespace && !merges;
        let rules = self.rules(id.file);
        let arity = rules.generic_arity(self, id);
        let alike = |index: u32, other: &Symbol| {
            other.parent == symbol.parent
                && rules.may_be_one(symbol.kind, other.kind)
                && is_package(other.kind) == is_package(symbol.kind)
                && !(has_separate_names && other.kind.is_function() != symbol.kind.is_function())
                && is_static(index) == is_static(id.symbol)
                && other.owner == symbol.owner
                && rules.generic_arity(self, SymbolId { symbol: index, ..id }) == arity
                && (other.name_at == symbol.name_at
                    || !has_overloads
                    || !(symbol.kind.is_function() || other.kind.is_function()))
        };
        let here = view.symbols_named(name).filter(|(index, other)| alike(*index, other));
        let mut found = ids(id.file, here);
        if self.semantics(id.file).reopens && (symbol.kind.is_type() || symbol.kind == SymbolKind::Module) {
            found.extend(self.pieces(id).iter().copied());
        }
        found.extend(rules.partial_declarations(self, id));
        found.extend(self.declared_beside(id, &view, symbol, name));
        if merges && is_added_to(symbol.kind) {
            found.extend(self.augmenting(id, &view, symbol, name));
        }
        sorted(found)
    }

    /// The same in the file of that name which declares what this one defines, or the other way round.
    fn declared_beside(&self, id: SymbolId, view: &View, symbol: &Symbol, name: &str) -> Vec<SymbolId> {
        let Some((defines, declares)) = self.semantics(id.file).declares_in else {
            return Vec::new();
        };
        let files = self.modules.files();
        let Some((stem, ending)) = files.path(id.file).rsplit_once('.') else {
            return Vec::new();
        };
        let other = if ending == defines { declares } else { defines };
        let Some(other) = files.at(&format!("{stem}.{other}")) else {
            return Vec::new();
        };
        let Some(other_view) = self.view(other) else {
            return Vec::new();
        };
        let path = view.facts.path_of(symbol);
        let alike = other_view
            .symbols_named(name)
            .filter(|(_, one)| one.kind.is_type() == symbol.kind.is_type() && other_view.facts.path_of(one) == path);
        ids(other, alike)
    }

    /// The other parts of a type or namespace that files add to from outside: `declare module "./shape" { interface Shape
    /// { .. } }`, `declare global { namespace Shapes { .. } }`.
    fn augmenting(&self, id: SymbolId, view: &View, symbol: &Symbol, name: &str) -> Vec<SymbolId> {
        let defining = self.defining(name);
        if defining.len() < 2 || defining.len() > MANY_FILES {
            return Vec::new();
        }
        if let Some(path) = self.ambient_path(id.file, view, symbol) {
            let mut parts = self.ambient_at(&path);
            parts.retain(|part| self.kind_of(*part).is_some_and(is_added_to));
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

    /// The type that a part in a module of another name adds to.
    fn augmented(&self, file: FileIdx, view: &View, part: &Symbol) -> Option<SymbolId> {
        let module = &view.facts.symbols[part.parent? as usize];
        if module.kind != SymbolKind::Module || !is_added_to(part.kind) {
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

/// Whether files may go on with what another begins, where declarations merge.
pub(crate) fn is_added_to(kind: SymbolKind) -> bool {
    kind.has_members() || kind == SymbolKind::Namespace
}

/// As `qualified_parts`, with the namespace that a file declares for all that is in it.
pub(crate) fn whole_path<'v>(view: &'v View, symbol: &Symbol) -> Vec<&'v str> {
    let path = view.facts.path_of(symbol);
    let mut outer = view.facts.symbols.iter();
    let space = outer.find(|symbol| symbol.kind == SymbolKind::Namespace && symbol.parent.is_none());
    let space = space.map(|space| view.facts.name(space));
    let space = space.filter(|space| path[0] != *space);
    let whole = space
        .into_iter()
        .chain(path)
        .flat_map(|part| part.split([':', '.', '\\']));
    whole.filter(|part| !part.is_empty()).collect()
}
