//! GraphQL.

use super::{DEFAULT, Declared, Hooks, Lang, Syntax, lang};
use crate::tree::Node;

pub(super) const LANG: Lang = lang("graphql", &["gql"], &["graphql", "gql"], &[], &[]).with(&SYNTAX);

static SYNTAX: Syntax = Syntax::new(
    tree_sitter_graphql::LANGUAGE,
    include_str!("graphql.scm"),
    Hooks { declared, ..DEFAULT },
);

/// The fields of an input are written like arguments, which are no definitions.
fn declared(value: Node<'_>) -> Option<Declared<'_>> {
    let is_field = value
        .parent()
        .is_some_and(|around| around.kind() == "input_fields_definition");
    let mut children = value.named_children();
    let name = children.find(|child| child.kind() == "name");
    name.filter(|_| is_field).map(|name| Declared { name, owner: None })
}
