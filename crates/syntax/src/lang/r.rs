//! R.

use super::{DEFAULT, Definition, Hooks, Lang, Syntax, lang};
use crate::facts::{SymbolKind, Visibility};

pub(super) const LANG: Lang = lang("r", &[], &["r"], &[".Rprofile"], &["Rscript"]).with(&SYNTAX);

static SYNTAX: Syntax = Syntax::new(
    tree_sitter_r::LANGUAGE,
    include_str!("r.scm"),
    Hooks {
        separator: "$",
        visibility,
        is_test,
        kind,
        ..DEFAULT
    },
);

/// A dot hides a name from listings; roxygen says what a package exports. Else only its `NAMESPACE` knows.
fn visibility(definition: &Definition<'_>) -> Option<Visibility> {
    if definition.lead.contains("@export") {
        Some(Visibility::Public)
    } else if definition.name.starts_with('.') {
        Some(Visibility::Private)
    } else {
        None
    }
}

fn is_test(definition: &Definition<'_>) -> bool {
    definition.kind == SymbolKind::Test || (definition.kind.is_function() && definition.name.starts_with("test_"))
}

fn kind(definition: &Definition<'_>) -> SymbolKind {
    let is_constant = || {
        let mut bytes = definition.name.bytes();
        bytes.all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || matches!(byte, b'_' | b'.'))
    };
    match definition.kind {
        SymbolKind::Function if definition.head.starts_with("setMethod") => SymbolKind::Method,
        SymbolKind::Method if definition.name == "initialize" => SymbolKind::Constructor,
        SymbolKind::Variable if definition.name.len() > 1 && is_constant() => SymbolKind::Constant,
        kind => kind,
    }
}
