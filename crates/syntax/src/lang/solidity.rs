//! Solidity.

use super::{DEFAULT, Definition, Hooks, Lang, Syntax, TokenSink, lang};
use crate::{
    extract::Walk,
    facts::{Role, SymbolKind, Visibility},
    tree::Node,
};

pub(super) const LANG: Lang = lang("solidity", &["sol"], &["sol"], &[], &[]).with(&SYNTAX);

static SYNTAX: Syntax = Syntax::new(
    tree_sitter_solidity::LANGUAGE,
    include_str!("solidity.scm"),
    Hooks {
        visibility,
        is_test,
        kind,
        imports: Some(imports),
        tokens,
        ..DEFAULT
    },
);

/// The modifiers stand behind a function's parameters, and before a variable's name.
fn visibility(definition: &Definition<'_>) -> Option<Visibility> {
    let mut children = definition.node.children();
    let stated = children.find(|child| child.kind() == "visibility");
    match (
        stated.and_then(|stated| definition.text.get(stated.byte_range())),
        definition.kind,
    ) {
        (Some("public" | "external"), _) => Some(Visibility::Public),
        (Some("private"), _) => Some(Visibility::Private),
        (Some(_), _) => Some(Visibility::Internal),
        (None, SymbolKind::Field) if definition.node.kind() == "state_variable_declaration" => {
            Some(Visibility::Internal)
        }
        (None, _) => None,
    }
}

/// Foundry: functions that begin with `test` in contracts that end in `Test`.
fn is_test(definition: &Definition<'_>) -> bool {
    match definition.kind {
        SymbolKind::Class => definition.name.ends_with("Test") || definition.name.starts_with("Test"),
        SymbolKind::Method => {
            let runs = definition.name.starts_with("test") || definition.name.starts_with("invariant");
            runs && definition.parent_head.contains("Test")
        }
        _ => false,
    }
}

fn kind(definition: &Definition<'_>) -> SymbolKind {
    match definition.kind {
        SymbolKind::Field if definition.head.split_whitespace().any(|word| word == "constant") => SymbolKind::Constant,
        kind => kind,
    }
}

/// Types, and the contracts that others inherit from; both may have a path.
fn tokens<'t>(node: Node<'t>, sink: &mut TokenSink<'_, 't>) {
    let (ty, role) = match node.kind() {
        "inheritance_specifier" => (node.child_by_field_name("ancestor"), Role::Implementation),
        _ => (Some(node), Role::Type),
    };
    let Some(ty) = ty else { return };
    let names: Vec<Node<'t>> = ty.named_children().collect();
    if let Some((name, before)) = names.split_last() {
        sink(*name, role, None, before.last().copied());
    }
}

/// `import "a"`, `import "a" as b`, `import {c as d} from "a"`
fn imports(node: Node<'_>, walk: &mut Walk<'_>) {
    let Some(source) = node.child_by_field_name("source") else {
        return;
    };
    let at = node.start_byte() as u32;
    let mut items: Vec<(Node<'_>, Option<Node<'_>>)> = Vec::new();
    let mut alias = None;
    for child in node.children() {
        match child.field_name() {
            Some("import_name") => items.push((child, None)),
            Some("alias") => match items.last_mut() {
                Some((_, renamed)) => *renamed = Some(child),
                None => alias = Some(child),
            },
            _ => {}
        }
    }
    if items.is_empty() {
        walk.import(source, None, alias, alias.is_none(), false, at);
    }
    for (item, renamed) in items {
        walk.import(source, Some(item), renamed, false, false, at);
    }
}
