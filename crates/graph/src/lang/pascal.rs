//! Pascal.

use syntax::{LangId, Symbol};

use crate::{engine::resolver::ids, lang::prelude::*};

pub(crate) struct Pascal;

impl Language for Pascal {
    fn semantics(&self) -> &'static Semantics {
        &SEMANTICS
    }
}

impl ScopeRules for Pascal {}

impl TypeRules for Pascal {}

impl MemberRules for Pascal {
    /// `procedure Draw;` in a class or in the interface part, and its body in the implementation part.
    fn partial_declarations(&self, resolver: &Resolver<'_>, id: SymbolId) -> Vec<SymbolId> {
        let Some(view) = resolver.view(id.file) else {
            return Vec::new();
        };
        let symbol = &view.facts.symbols[id.symbol];
        if !symbol.kind.is_function() {
            return Vec::new();
        }
        let is_other_part = |other: &Symbol| {
            other.kind.is_function()
                && other.is_declaration != symbol.is_declaration
                && class_of(&view, other) == class_of(&view, symbol)
        };
        let named = view.symbols_named(view.facts.name(symbol));
        let mut found = ids(id.file, named.filter(|(_, other)| is_other_part(other)));
        // Overloads: a body may leave its parameters out only where there is one declaration.
        if found.len() > 1 {
            found.retain(|other| resolver.has_same_parameter_types(id, *other));
        }
        found
    }
}

impl InferRules for Pascal {}

impl OverloadRules for Pascal {}

impl QueryRules for Pascal {}

/// The class that a function is a method of.
fn class_of<'v>(view: &'v View, function: &'v Symbol) -> Option<&'v str> {
    let owner = function.owner.map(|owner| view.facts.names.get(owner));
    let parent = view.parent(function).filter(|parent| parent.kind.is_type());
    owner.or_else(|| parent.map(|parent| view.facts.name(parent)))
}

static SEMANTICS: Semantics = Semantics {
    languages: &[LangId::Pascal],
    implicit_this: true,
    has_open_types: true,
    hides_private: true,
    own_type: &["Self", "self"],
    super_words: &["inherited"],
    constructors: &["Create"],
    ..DEFAULT
};
