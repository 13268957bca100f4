//! Namespaces: what is visible in all of them, and names that are qualified by one.

use syntax::{Symbol, SymbolIdx, SymbolKind};

use crate::{
    engine::{
        meaning::{Meaning, Rule},
        resolver::{At, Resolver, sorted},
    },
    files::FileIdx,
    lang::related,
    members::declaration_groups::whole_path,
    modules::Target,
    view::{SymbolId, View},
};

/// A name behind a namespace, or behind a class in one: `Shapes\area`, `Shapes\Circle::MAX`.
pub(super) fn in_namespace(
    resolver: &Resolver<'_>,
    place: At<'_>,
    (namespace, class): (&str, &str),
    name: &str,
) -> Meaning {
    if class.is_empty() {
        return at_namespace(resolver, place, namespace, name);
    }
    let class = at_namespace(resolver, place, namespace, class);
    match resolver.member_of(&resolver.ty_of(place, &class), name) {
        Meaning::Symbols(symbols, Rule::Member) => Meaning::Symbols(symbols, Rule::Path),
        Meaning::Unknown if class == Meaning::External => class,
        member => member,
    }
}

/// A name in a namespace, which ends with a backslash: imported (`use A\B; B\name`), absolute (`\A\name`), or relative to the
/// enclosing namespace.
fn at_namespace(resolver: &Resolver<'_>, place: At<'_>, path: &str, name: &str) -> Meaning {
    let At { file, view, at } = place;
    let facts = &view.facts;
    let text = |id| facts.names.get(id);
    let mut around = view.around(at).map(|(_, symbol)| symbol);
    let is_space = |symbol: &&Symbol| symbol.kind == SymbolKind::Namespace;
    let before = || {
        let before = facts.symbols.iter().filter(|symbol| symbol.span.start <= at);
        before.rev().find(is_space)
    };
    let own = around
        .find(is_space)
        .or_else(before)
        .map_or("", |space| facts.name(space));
    let bare = path.trim_matches('\\');
    let (first, rest) = bare.split_once('\\').unwrap_or((bare, ""));
    let used = facts.imports.iter().find(|import| {
        let known_as = import.alias.or(import.item).unwrap_or(import.path);
        !import.wildcard && text(known_as) == first
    });
    let mut spaces = Vec::new();
    if !path.starts_with('\\') {
        spaces.push(match used {
            _ if first == "namespace" => format!("{own}\\{rest}"),
            Some(import) => {
                let item = import.item.map_or("", text);
                format!("{}\\{item}\\{rest}", text(import.path))
            }
            None => format!("{own}\\{bare}"),
        });
    }
    spaces.push(bare.to_owned());
    let mut is_outside = true;
    for space in spaces {
        let parts: Vec<&str> = space.split('\\').filter(|part| !part.is_empty()).collect();
        let space = format!("\\{}", parts.join("\\"));
        let files = match resolver.modules.resolve_path(file, facts, &space, Some(name), at) {
            Target::Local(files) => files,
            Target::External(_) => continue,
            _ => {
                is_outside = false;
                continue;
            }
        };
        let found = files.iter().flat_map(|file| resolver.exported(*file, name));
        let is_in = |id: &SymbolId| {
            let is_in = resolver.symbol(*id, |view, symbol| {
                let whole = whole_path(view, symbol);
                whole.len() == parts.len() + 1 && whole.starts_with(&parts)
            });
            is_in == Some(true)
        };
        if let Some(found) = Meaning::of(sorted(found.filter(is_in).collect()), Rule::Path) {
            return found;
        }
    }
    if is_outside {
        Meaning::External
    } else {
        Meaning::Unknown
    }
}

/// A function of no namespace is visible in every namespace.
pub(super) fn function_without_namespace(resolver: &Resolver<'_>, file: FileIdx, name: &str) -> Option<Meaning> {
    let lang = resolver.lang(file);
    let is_free = |view: &View, symbol: &Symbol, file: FileIdx| {
        let symbols = &view.facts.symbols;
        let is_namespace = |parent: SymbolIdx| symbols[parent].kind == SymbolKind::Namespace;
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
