//! OCaml.

use syntax::LangId;

use crate::{engine::resolver::ids, lang::prelude::*};

pub(crate) struct OCaml;

impl Language for OCaml {
    fn semantics(&self) -> &'static Semantics {
        &SEMANTICS
    }
}

impl ScopeRules for OCaml {}

impl TypeRules for OCaml {}

impl MemberRules for OCaml {
    fn partial_declarations(&self, resolver: &Resolver<'_>, id: SymbolId) -> Vec<SymbolId> {
        in_counterpart(resolver, id).unwrap_or_default()
    }
}

impl InferRules for OCaml {}

impl OverloadRules for OCaml {}

impl QueryRules for OCaml {}

static SEMANTICS: Semantics = Semantics {
    languages: &[LangId::OCaml],
    is_strict: true,
    namespaces: Namespaces::Types,
    has_bare_variants: true,
    has_bare_members: true,
    nests_modules: true,
    ..DEFAULT
};

/// `shape.mli` declares what `shape.ml` defines.
fn in_counterpart(resolver: &Resolver<'_>, id: SymbolId) -> Option<Vec<SymbolId>> {
    let files = resolver.modules.files();
    let (stem, ending) = files.path(id.file).rsplit_once('.')?;
    let other = if ending == "ml" { "mli" } else { "ml" };
    let other = files.at(&format!("{stem}.{other}"))?;
    let (view, other_view) = (resolver.view(id.file)?, resolver.view(other)?);
    let symbol = &view.facts.symbols[id.symbol];
    let path = view.facts.path_of(symbol);
    let alike = other_view
        .symbols_named(view.facts.name(symbol))
        .filter(|(_, one)| one.kind.is_type() == symbol.kind.is_type() && other_view.facts.path_of(one) == path);
    Some(ids(other, alike))
}
