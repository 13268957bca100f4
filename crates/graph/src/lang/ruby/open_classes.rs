//! Open classes: any file can go on with a class or module that another one begins.

use std::rc::Rc;

use syntax::SymbolKind;

use crate::{
    engine::resolver::{MANY_FILES, Resolver, ids, sorted},
    files::FileIdx,
    scope::paths::qualified_parts,
    view::SymbolId,
};

/// Whether definitions of a kind can be gone on with.
pub(super) fn is_open(kind: SymbolKind) -> bool {
    kind.is_type() || kind == SymbolKind::Module
}

/// All places where a class or module is declared.
pub(super) fn pieces(resolver: &Resolver<'_>, id: SymbolId) -> Rc<[SymbolId]> {
    resolver.known.pieces.get(&resolver.trail, id, Rc::from([id]), || {
        let Some(view) = resolver.view(id.file) else {
            return Rc::from([id]);
        };
        let symbol = &view.facts.symbols[id.symbol];
        let (name, path) = (view.facts.name(symbol), qualified_parts(&view, symbol));
        let mut found = Vec::new();
        for other in files_with_pieces(resolver, id, name) {
            let Some(view) = resolver.view(other) else { continue };
            let same = view
                .symbols_named(name)
                .filter(|(_, one)| is_open(one.kind) && qualified_parts(&view, one) == path);
            found.extend(ids(other, same));
        }
        sorted(found).into()
    })
}

/// The files that may have something of a class under a name. A name that very many files define is that of a namespace,
/// or says nothing.
fn files_with_pieces(resolver: &Resolver<'_>, own: SymbolId, name: &str) -> Vec<FileIdx> {
    let defining = resolver.defining(name);
    if defining.len() > MANY_FILES {
        return vec![own.file];
    }
    let lang = resolver.lang(own.file);
    let files = defining.iter().copied();
    files.filter(|other| resolver.lang(*other) == lang).collect()
}

/// The declaration that stands for a class or module.
pub(super) fn first_piece(resolver: &Resolver<'_>, id: SymbolId) -> SymbolId {
    match resolver.kind_of(id).is_some_and(is_open) {
        true => pieces(resolver, id).first().copied().unwrap_or(id),
        false => id,
    }
}

/// The members of a name in all declarations of a class or module.
pub(super) fn own_members(resolver: &Resolver<'_>, own: SymbolId, name: &str) -> Option<Vec<SymbolId>> {
    let view = resolver.view(own.file)?;
    let path = qualified_parts(&view, &view.facts.symbols[own.symbol]);
    let mut found = Vec::new();
    for other in files_with_pieces(resolver, own, name) {
        let Some(view) = resolver.view(other) else { continue };
        let members = view.symbols_named(name).filter(|(_, member)| {
            let of = qualified_parts(&view, member);
            of.len() == path.len() + 1 && of.starts_with(&path)
        });
        found.extend(ids(other, members));
    }
    Some(found)
}

/// A concern of Ruby on Rails: what the module `ClassMethods` in it has are methods of the classes that include it.
pub(super) fn members_of_concerns(resolver: &Resolver<'_>, own: SymbolId, name: &str) -> Vec<SymbolId> {
    let supertypes = resolver.supertypes(own);
    let modules = supertypes.known.iter();
    let modules = modules.flat_map(|outer| resolver.own_members(*outer, "ClassMethods"));
    sorted(modules.flat_map(|module| resolver.own_members(module, name)).collect())
}
