//! Protocol Buffers.

use super::{DEFAULT, Hooks, Lang, Syntax, TokenSink, lang};
use crate::{extract::Walk, facts::Role, tree::Node};

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
    let reexport = node.children().any(|child| child.kind() == "public");
    if let Some(path) = node.child_by_field_name("path") {
        walk.import(path, None, None, false, reexport, node.start_byte() as u32);
    }
}

/// `google.protobuf.Timestamp` uses the last of its names.
fn tokens<'t>(path: Node<'t>, sink: &mut TokenSink<'_, 't>) {
    let name = path.named_children().filter(|part| part.kind() == "identifier").last();
    if let Some(name) = name {
        sink(name, Role::Type, None, None);
    }
}
