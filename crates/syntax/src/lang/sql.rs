//! SQL.

use super::{DEFAULT, Definition, Hooks, Lang, Syntax, lang};
use crate::facts::SymbolKind;

pub(super) const LANG: Lang = lang("sql", &[], &["sql", "ddl", "psql"], &[], &[]).with(&SYNTAX);

static SYNTAX: Syntax = Syntax::new(
    tree_sitter_sequel::LANGUAGE,
    include_str!("sql.scm"),
    Hooks { kind, ..DEFAULT },
);

/// A schema owns its functions, but that makes them no methods.
fn kind(definition: &Definition<'_>) -> SymbolKind {
    match definition.kind {
        SymbolKind::Method => SymbolKind::Function,
        kind => kind,
    }
}
