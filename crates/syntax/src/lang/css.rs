//! CSS.

use super::{Content, DEFAULT, Definition, Hooks, Lang, Syntax, lang};
use crate::facts::SymbolKind;

pub(super) const LANG: Lang = lang("css", &[], &["css"], &[], &[])
    .with(&SYNTAX)
    .of_content(Content::Data);

static SYNTAX: Syntax = Syntax::new(
    tree_sitter_css::LANGUAGE,
    include_str!("css.scm"),
    Hooks {
        is_definition,
        ..DEFAULT
    },
);

/// Of the properties that a rule sets, only the custom ones are new names.
fn is_definition(definition: &Definition<'_>) -> bool {
    definition.kind != SymbolKind::Variable || definition.name.starts_with("--")
}
