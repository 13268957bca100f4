//! JSON.

use super::{Content, DEFAULT, Declared, Hooks, Lang, Syntax, lang};
use crate::tree::Node;

pub(super) const LANG: Lang = lang(
    "json",
    &["jsonc"],
    &["json", "jsonc", "json5", "jsonl", "webmanifest"],
    &[".babelrc", ".eslintrc", ".prettierrc"],
    &[],
)
.with(&SYNTAX)
.of_content(Content::Data);

static SYNTAX: Syntax = Syntax::new(
    tree_sitter_json::LANGUAGE,
    include_str!("json.scm"),
    Hooks { declared, ..DEFAULT },
);

/// A key deeper inside is data rather than structure.
const MAX_LEVELS: usize = 3;

/// A file has at most about this many keys in its outline for each level.
const MAX_KEYS: usize = 4000;

fn declared(pair: Node<'_>) -> Option<Declared<'_>> {
    is_structure(pair).then_some(Declared {
        name: pair.child_by_field_name("key")?,
        owner: None,
    })
}

/// Whether a key tells how a file is built up: it is in the upper levels, not in a list, and not one of thousands. What
/// counts is how many keys there would be if every mapping of a level were as large as those around this key, so that the
/// whole outline is bounded however the keys are spread.
pub(super) fn is_structure(pair: Node<'_>) -> bool {
    let (mut levels, mut keys) = (1, 1_usize);
    let mut around = pair.parent();
    // In either language each level is a few nodes; more is broken text.
    for _ in 0..32 {
        let Some(node) = around else {
            return true;
        };
        match node.kind() {
            "pair" | "block_mapping_pair" | "flow_pair" => levels += 1,
            // Many values or documents in one file are a list too, and so may be what could not be read.
            "object" | "block_mapping" | "flow_mapping" | "document" | "stream" | "ERROR" => {
                keys = keys.saturating_mul(node.named_child_count().max(1));
            }
            "array" | "block_sequence" | "flow_sequence" => return false,
            _ => {}
        }
        if levels > MAX_LEVELS || keys > MAX_KEYS {
            return false;
        }
        around = node.parent();
    }
    false
}
