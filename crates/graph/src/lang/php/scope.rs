//! Namespaces: what is visible in all of them, and names that are qualified by one.

use syntax::{Symbol, SymbolKind};

use crate::{
    engine::{
        meaning::{Meaning, Rule},
        resolver::Resolver,
    },
    files::FileIdx,
    lang::related,
    view::View,
};

/// A function of no namespace is visible in every namespace.
pub(super) fn function_without_namespace(resolver: &Resolver<'_>, file: FileIdx, name: &str) -> Option<Meaning> {
    let lang = resolver.lang(file);
    let is_free = |view: &View, symbol: &Symbol, file: FileIdx| {
        let symbols = &view.facts.symbols;
        let is_namespace = |parent: u32| symbols[parent as usize].kind == SymbolKind::Namespace;
        let has_blocks = || symbols.iter().any(|inner| inner.parent.is_some_and(is_namespace));
        // `namespace A;` holds the rest of the file, `namespace A { .. }` its block.
        symbol.kind == SymbolKind::Function
            && symbol.parent.is_none()
            && (resolver.modules.files().outline(file).spaces.is_empty() || has_blocks())
    };
    let defining = resolver.defining(name);
    let files = defining.iter().copied();
    let files = files.filter(|other| related(lang, resolver.lang(*other)));
    let functions = files.flat_map(|other| resolver.outer_symbols(other, name));
    let free = functions
        .filter(|id| resolver.symbol(*id, |view, symbol| is_free(view, symbol, id.file)) == Some(true))
        .collect();
    Meaning::of(free, Rule::Global)
}
