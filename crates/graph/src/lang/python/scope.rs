//! Scopes: bodies of classes, closures, packages whose `__init__.py` stands for them.

use syntax::{Binding, BindingIdx, Import, Symbol, SymbolKind};

use crate::{
    engine::{
        meaning::Meaning,
        resolver::{At, Resolver},
    },
    files::FileIdx,
    lang::python::{OWN_TYPE, PACKAGE},
    modules::Target,
    types::ty::Base,
    view::{SymbolId, View},
};

/// A closure sees variables that its function sets after it: by the time that the closure runs they are set.
pub(super) fn local_at<'v>(place: At<'v>, name: &str) -> Option<(BindingIdx, &'v Binding)> {
    let At { view, at, .. } = place;
    view.binding_at(name, at).or_else(|| view.binding_later(name, at))
}

/// The body of a class runs from top to bottom and sees what it has defined so far. Its methods do not.
pub(super) fn body_members(resolver: &Resolver<'_>, place: At<'_>, body: SymbolId, name: &str) -> Vec<SymbolId> {
    let Base::Symbol(own) = resolver.type_of_body(body) else {
        return Vec::new();
    };
    let mut found = defined_in_body(resolver, own, name);
    let At { file, at, .. } = place;
    // The value is evaluated before the name is bound: `Parser = Parser`.
    let is_later = |view: &View, symbol: &Symbol| {
        let is_own_value = symbol.kind == SymbolKind::Field && at < symbol.span.end;
        view.facts.name(symbol) == name && (symbol.name_at > at || is_own_value)
    };
    found.retain(|id| id.file != file || resolver.symbol(*id, is_later) != Some(true));
    found
}

/// The members of a class that its body defines: neither inherited nor set by methods (`self.size = 1`).
pub(super) fn defined_in_body(resolver: &Resolver<'_>, own: SymbolId, name: &str) -> Vec<SymbolId> {
    let mut found = resolver.own_members(own, name);
    found.retain(|id| {
        let is_set = resolver.symbol(*id, |view, member| {
            let mut others = view.facts.symbols.iter();
            others.any(|other| {
                other.kind.is_function()
                    && other.name_at != member.name_at
                    && other.span.start <= member.name_at
                    && member.name_at < other.span.end
                    && other.parent == member.parent
            })
        });
        is_set == Some(false)
    });
    found
}

/// Importing from a submodule makes the submodule an attribute of the package: `from .loader import *; loader.load()` in
/// `__init__.py`.
pub(super) fn loaded_submodule(resolver: &Resolver<'_>, place: At<'_>, name: &str) -> Option<Meaning> {
    let At { file, view, at } = place;
    let modules = resolver.modules;
    if modules.files().stem(file) != PACKAGE {
        return None;
    }
    let facts = &view.facts;
    let path = format!(".{name}");
    let loads = |import: &Import| facts.names.get(import.path) == path;
    let is_loaded = facts.imports.iter().any(loads);
    match is_loaded.then(|| modules.resolve_path(file, facts, &path, None, at))? {
        Target::Local(files) => Some(Meaning::Files(files)),
        _ => None,
    }
}

/// The submodule of a package, by the package's `__init__.py`.
pub(super) fn submodule(resolver: &Resolver<'_>, package: FileIdx, name: &str) -> Option<Vec<FileIdx>> {
    if resolver.modules.files().stem(package) != PACKAGE {
        return None;
    }
    let view = resolver.view(package)?;
    match resolver.modules.resolve_path(package, &view.facts, ".", Some(name), 0) {
        Target::Local(files) if files != [package] => Some(files),
        _ => None,
    }
}

/// `self` is a parameter like others, and may be that of an outer function: `def visit(node): self.write(node)`.
pub(super) fn receiver_at(place: At<'_>) -> u32 {
    let receivers = OWN_TYPE.iter().filter_map(|name| place.view.binding_at(name, place.at));
    let receivers = receivers.map(|(_, parameter)| parameter.at);
    receivers.max().unwrap_or(place.at)
}
