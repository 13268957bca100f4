//! Dockerfiles.

use super::{Content, DEFAULT, Hooks, Lang, Syntax, lang};
use crate::tree::Node;

pub(super) const LANG: Lang = lang(
    "dockerfile",
    &["docker", "containerfile"],
    &["dockerfile"],
    &["Dockerfile", "Containerfile"],
    &[],
)
.with(&SYNTAX)
.of_content(Content::Build);

static SYNTAX: Syntax = Syntax::new(
    tree_sitter_containerfile::LANGUAGE,
    include_str!("dockerfile.scm"),
    Hooks { extent, ..DEFAULT },
);

/// A stage goes on to the next.
fn extent(node: Node<'_>, _: &str) -> Option<usize> {
    if node.kind() != "from_instruction" {
        return None;
    }
    let mut last = node;
    while let Some(next) = last
        .next_named_sibling()
        .filter(|next| next.kind() != "from_instruction")
    {
        last = next;
    }
    // Comments at the end introduce the next stage.
    while last.kind() == "comment" {
        last = last.prev_named_sibling()?;
    }
    Some(last.end_byte())
}
