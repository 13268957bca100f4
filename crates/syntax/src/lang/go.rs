//! Go.

use super::{DEFAULT, Definition, Hooks, Lang, Syntax, lang};
use crate::facts::{SymbolKind, Visibility};

pub(super) const LANG: Lang = lang("go", &["golang"], &["go"], &[], &[]).with(&SYNTAX);

static SYNTAX: Syntax = Syntax::new(
    tree_sitter_go::LANGUAGE,
    include_str!("go.scm"),
    Hooks {
        visibility,
        is_test,
        has_tuples: true,
        ..DEFAULT
    },
);

/// A name is exported by its first letter; any other is known to its whole package.
fn visibility(definition: &Definition<'_>) -> Option<Visibility> {
    if definition.kind == SymbolKind::Namespace {
        return None;
    }
    let is_exported = definition.name.starts_with(char::is_uppercase);
    Some(if is_exported {
        Visibility::Public
    } else {
        Visibility::Internal
    })
}

/// What `go test` runs, and the methods of test suites that take nothing.
fn is_test(definition: &Definition<'_>) -> bool {
    let is_named = |prefix: &str| {
        let rest = definition.name.strip_prefix(prefix);
        rest.is_some_and(|rest| !rest.starts_with(char::is_lowercase))
    };
    let takes_nothing = || definition.head.trim_end().ends_with("()");
    match definition.kind {
        SymbolKind::Function if ["Test", "Benchmark", "Fuzz"].into_iter().any(is_named) => {
            definition.head.contains("testing.")
        }
        SymbolKind::Function => is_named("Example") && takes_nothing(),
        SymbolKind::Method => is_named("Test") && takes_nothing() && definition.parent.is_none(),
        _ => false,
    }
}
