//! TOML.

use super::{Content, DEFAULT, Declared, Hooks, Lang, Syntax, lang};
use crate::tree::Node;

pub(super) const LANG: Lang = lang(
    "toml",
    &[],
    &["toml"],
    &["Cargo.lock", "poetry.lock", "uv.lock", "Pipfile"],
    &[],
)
.with(&SYNTAX)
.of_content(Content::Data);

static SYNTAX: Syntax = Syntax::new(
    tree_sitter_toml_ng::LANGUAGE,
    include_str!("toml.scm"),
    Hooks { declared, ..DEFAULT },
);

/// Lock files have a `[[package]]` for each of hundreds of packages: that is data.
const MAX_ELEMENTS: usize = 200;

/// About how many keys the outline of a file may have.
const MAX_KEYS: usize = 4000;

fn declared(node: Node<'_>) -> Option<Declared<'_>> {
    let around = node.parent()?;
    let siblings = around.named_child_count();
    let is_structure = match (node.kind(), around.kind()) {
        ("table_array_element", _) => siblings <= MAX_ELEMENTS,
        ("pair", "document") => siblings <= MAX_KEYS,
        ("pair", "table") => {
            let tables = around.parent().map_or(1, |document| document.named_child_count());
            siblings.saturating_mul(tables) <= MAX_KEYS
        }
        ("pair", _) => false,
        _ => siblings <= MAX_KEYS,
    };
    is_structure.then_some(Declared {
        name: node.named_child(0)?,
        owner: None,
    })
}
