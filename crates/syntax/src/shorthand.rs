//! Members that are given a value of their own name: `{ name }`, or written out `{ name: name }`.

use crate::{extract::each_node, lang::Lang, tree::Node};

/// A member of a literal or a pattern, and what it is given or gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Filled {
    /// Where the member's name is, and how long it is.
    pub at: u32,
    pub len: u32,
    /// Where the name of the value is, and its length; nothing if one name stands for both.
    pub value: Option<(u32, u32)>,
}

/// All of a text, in its order. Not what a file offers to others, which is one thing: `module.exports = { name }`.
pub fn filled(lang: &'static Lang, text: &str) -> Vec<Filled> {
    let mut found = Vec::new();
    each_node(lang, text, |node| found.extend(filled_at(node, text)));
    found
}

/// Where one name stands for a member and for its value.
pub fn shorthands(lang: &'static Lang, text: &str) -> Vec<u32> {
    // Most grammars have none: then there is no need to parse.
    let has_shorthands = lang.syntax.is_some_and(|syntax| {
        let language = &syntax.for_text(text).compiled().language;
        SHORTHANDS.iter().any(|kind| language.id_for_node_kind(kind, true) != 0)
    });
    if !has_shorthands {
        return Vec::new();
    }
    let both = filled(lang, text).into_iter().filter(|one| one.value.is_none());
    both.map(|one| one.at).collect()
}

const SHORTHANDS: &[&str] = &[
    "shorthand_property_identifier",
    "shorthand_property_identifier_pattern",
    "shorthand_field_identifier",
    "shorthand_field_initializer",
];

fn filled_at(node: Node<'_>, text: &str) -> Option<Filled> {
    let place = |node: Node<'_>| (node.start_byte() as u32, node.byte_range().len() as u32);
    let (member, value) = match node.kind() {
        "shorthand_property_identifier" | "shorthand_property_identifier_pattern" | "shorthand_field_identifier" => {
            (node, None)
        }
        // Attributes may stand before it.
        "shorthand_field_initializer" => (node.named_children().last()?, None),
        "pair" | "pair_pattern" => {
            let value = node.child_by_field_name("value")?;
            let value = match value.kind() {
                "assignment_pattern" => value.child_by_field_name("left")?,
                _ => value,
            };
            (node.child_by_field_name("key")?, Some(value))
        }
        "field_initializer" => (node.child_by_field_name("field")?, node.child_by_field_name("value")),
        "field_pattern" => (node.child_by_field_name("name")?, node.child_by_field_name("pattern")),
        _ => return None,
    };
    let is_name = |node: Node<'_>| node.kind().ends_with("identifier");
    if !is_name(member) && !node.kind().starts_with("shorthand") {
        return None;
    }
    let given_to = node.parent().and_then(|object| object.parent());
    let left = given_to.and_then(|outer| outer.child_by_field_name("left"));
    if left.is_some_and(|left| text[left.byte_range()].ends_with("exports")) {
        return None;
    }
    let value = match value {
        Some(value) if is_name(value) => Some(place(value)),
        None if node.kind().starts_with("shorthand") => None,
        _ => return None,
    };
    let (at, len) = place(member);
    Some(Filled { at, len, value })
}
