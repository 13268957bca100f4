//! Markdown.

use super::{Content, DEFAULT, Hooks, Lang, Syntax, lang};
use crate::tree::Node;

pub(super) const LANG: Lang = lang(
    "markdown",
    &["md"],
    &["md", "markdown", "mdx", "rmd"],
    &["README", "CHANGELOG"],
    &[],
)
.with(&SYNTAX)
.of_content(Content::Prose);

static SYNTAX: Syntax = Syntax::new(
    tree_sitter_md::LANGUAGE,
    include_str!("markdown.scm"),
    Hooks { extent, ..DEFAULT },
);

/// Underlined headings have no sections in the grammar: theirs goes on to the next of the same or a higher level.
fn extent(node: Node<'_>, _: &str) -> Option<usize> {
    if node.kind() != "setext_heading" {
        return None;
    }
    let level = level(node)?;
    let mut last = node;
    while let Some(next) = last.next_named_sibling() {
        let heading = match next.kind() {
            "section" => next.named_child(0).unwrap_or(next),
            _ => next,
        };
        if self::level(heading).is_some_and(|next| next <= level) {
            break;
        }
        last = next;
    }
    Some(last.end_byte())
}

fn level(heading: Node<'_>) -> Option<usize> {
    let mut marks = heading.named_children().map(|mark| mark.kind());
    marks.find_map(|mark| match mark {
        "atx_h1_marker" | "setext_h1_underline" => Some(1),
        "atx_h2_marker" | "setext_h2_underline" => Some(2),
        "atx_h3_marker" => Some(3),
        "atx_h4_marker" => Some(4),
        "atx_h5_marker" => Some(5),
        "atx_h6_marker" => Some(6),
        _ => None,
    })
}
