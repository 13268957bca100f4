//! Protocol Buffers.

use tree_sitter::Node;

use super::{DEFAULT, Hooks, Lang, Syntax, TokenSink, lang};
use crate::{extract::Walk, facts::Role};

pub(super) const LANG: Lang = lang("protobuf", &["proto"], &["proto"], &[], &[]).with(&SYNTAX);

static SYNTAX: Syntax = Syntax::new(
    tree_sitter_proto::LANGUAGE,
    include_str!("protobuf.scm"),
    Hooks {
        imports: Some(imports),
        tokens,
        ..DEFAULT
    },
);

fn imports(node: Node<'_>, walk: &mut Walk<'_>) {
    let mut cursor = node.walk();
    let reexport = node.children(&mut cursor).any(|child| child.kind() == "public");
    if let Some(path) = node.child_by_field_name("path") {
        walk.import(path, None, None, false, reexport, node.start_byte() as u32);
    }
}

/// `google.protobuf.Timestamp` uses the last of its names.
fn tokens<'t>(path: Node<'t>, sink: &mut TokenSink<'_, 't>) {
    let mut cursor = path.walk();
    let name = path
        .named_children(&mut cursor)
        .filter(|part| part.kind() == "identifier")
        .last();
    if let Some(name) = name {
        sink(name, Role::Type, None, None);
    }
}
