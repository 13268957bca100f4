//! Constants: where they are looked for, and from where they are visible.

use crate::{
    engine::{
        meaning::{Meaning, Rule},
        resolver::{At, Global, Resolver},
    },
    scope::{lookup::Lookup, paths::qualified_parts},
    view::SymbolId,
};

/// `::Name` is a constant of the top level.
pub(super) fn at_top_level(lookup: &Lookup<'_>) -> Meaning {
    let found = lookup.resolver.outermost_named(lookup.place.file, lookup.name);
    Meaning::of(found, Rule::Path).unwrap_or(Meaning::External)
}

/// Definitions of the innermost enclosing class or module that has any.
pub(super) fn in_nesting(resolver: &Resolver<'_>, place: At<'_>, globals: &[Global]) -> Vec<SymbolId> {
    let view = place.view;
    let around = view
        .around(place.at)
        .find(|(_, outer)| resolver.has_members(place.file, outer.kind));
    let around = around.map_or_else(Vec::new, |(_, outer)| qualified_parts(view, outer));
    let depth = |id: &SymbolId| {
        let depth = resolver.symbol(*id, |view, symbol| {
            let path = qualified_parts(view, symbol);
            let outer = &path[..path.len() - 1];
            around.starts_with(outer).then_some(outer.len())
        });
        depth.flatten()
    };
    let found = globals.iter().map(|one| one.id);
    let deepest = found.clone().filter_map(|id| depth(&id)).max();
    found.filter(|id| deepest.is_some() && depth(id) == deepest).collect()
}

/// A constant that is found in no enclosing module is a library's, unless a file includes a module at the top level: what
/// that defines is visible everywhere.
pub(super) fn is_foreign_constant(resolver: &Resolver<'_>, place: At<'_>, name: &str) -> bool {
    if !name.starts_with(char::is_uppercase) {
        return false;
    }
    let view = place.view;
    let is_in_type = |at: u32| {
        view.around(at)
            .any(|(_, outer)| resolver.has_members(place.file, outer.kind))
    };
    let mut includes = view.references_named("include").iter();
    includes.all(|include| is_in_type(view.facts.references[*include].at))
}
