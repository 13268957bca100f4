//! Constructors: `new` without a class before it, and `super`.

use syntax::{RefIdx, Symbol, SymbolIdx, SymbolKind};

use crate::{
    engine::resolver::{At, Resolver},
    files::FileIdx,
    queries::references::COMMON,
    types::ty::Base,
    view::SymbolId,
};

/// The enclosing class, or the one that a group of RSpec is about: `describe Shape do .. end`.
pub(super) fn constructed_type(resolver: &Resolver<'_>, place: At<'_>) -> Base {
    let own = resolver.own_type(place);
    if matches!(own, Base::Symbol(_)) {
        return own;
    }
    let references = &place.view.facts.references;
    let groups = place
        .view
        .around(place.at)
        .filter(|(_, outer)| outer.kind == SymbolKind::Block);
    let mut subjects = groups.filter_map(|(_, group)| {
        let at = references.partition_point(|reference| reference.at < group.name_at);
        references.get(at).filter(|reference| reference.at == group.name_at)?;
        Some(RefIdx::new(at))
    });
    let subject = subjects.next().map(|at| resolver.meaning(place.file, at));
    subject.map_or(own, |subject| resolver.ty_of(place, &subject).head)
}

/// `super` calls the superclass's method of the same name: its constructor in a constructor alone.
pub(super) fn super_is_constructor(resolver: &Resolver<'_>, place: At<'_>) -> bool {
    let mut functions = place
        .view
        .around(place.at)
        .filter(|(_, outer)| outer.kind.is_function());
    let is_constructor = |(symbol, _): (SymbolIdx, &Symbol)| {
        let file = place.file;
        resolver.is_constructor(SymbolId { file, symbol })
    };
    functions.next().is_some_and(is_constructor)
}

/// Files that may go on with a class, or have a group of RSpec about it, and call `new` there.
pub(super) fn callers(resolver: &Resolver<'_>, class: SymbolId) -> Vec<FileIdx> {
    let files = resolver.world.mentioning(&resolver.name_of(class));
    files.into_iter().take(COMMON).collect()
}
