//! YAML.

use super::{Content, DEFAULT, Declared, Hooks, Lang, Syntax, json, lang};
use crate::tree::Node;

pub(super) const LANG: Lang = lang(
    "yaml",
    &["yml"],
    &["yaml", "yml"],
    &[".clang-format", ".clang-tidy"],
    &[],
)
.with(&SYNTAX)
.of_content(Content::Data);

static SYNTAX: Syntax = Syntax::new(
    tree_sitter_yaml::LANGUAGE,
    include_str!("yaml.scm"),
    Hooks {
        declared,
        masked: Some(masked),
        ..DEFAULT
    },
);

fn declared(pair: Node<'_>) -> Option<Declared<'_>> {
    json::is_structure(pair).then_some(Declared {
        name: pair.child_by_field_name("key")?,
        owner: None,
    })
}

/// The grammar's scanner keeps the open indentations in a buffer of a fixed size and runs over its end.
const MAX_INDENTS: usize = 100;

/// A text that nests deeper than the scanner can bear is not shown to it.
fn masked(text: &str) -> Option<String> {
    let mut open: Vec<usize> = Vec::new();
    for line in text.lines() {
        let bytes = line.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            let is_mark =
                matches!(bytes[at], b'-' | b'?' | b':') && matches!(bytes.get(at + 1), None | Some(b' ' | b'\t'));
            if matches!(bytes[at], b' ' | b'\t') {
                at += 1;
                continue;
            }
            while open.last().is_some_and(|column| *column > at) {
                open.pop();
            }
            if open.last() != Some(&at) {
                open.push(at);
            }
            if open.len() > MAX_INDENTS {
                return Some(" ".repeat(text.len()));
            }
            if !is_mark {
                break;
            }
            at += 1;
        }
    }
    None
}
