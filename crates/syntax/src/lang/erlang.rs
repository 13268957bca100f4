//! Erlang.

use super::{DEFAULT, Declared, Definition, Hooks, Lang, Syntax, TokenSink, lang};
use crate::{
    extract::Walk,
    facts::{Role, SymbolKind, Visibility},
    tree::Node,
};

pub(super) const LANG: Lang = lang("erlang", &["erl"], &["erl", "hrl"], &["rebar.config"], &["escript"]).with(&SYNTAX);

static SYNTAX: Syntax = Syntax::new(
    tree_sitter_erlang::LANGUAGE,
    include_str!("erlang.scm"),
    Hooks {
        separator: ":",
        has_clauses: true,
        visibility,
        is_test,
        kind,
        imports: Some(imports),
        declared,
        tokens,
        ..DEFAULT
    },
);

/// Exports stand at the top of a file; each definition looks for itself in no more than this.
const EXPORTS_BYTES: usize = 64 << 10;

/// Functions and types are public if the module exports them.
fn visibility(definition: &Definition<'_>) -> Option<Visibility> {
    let attribute = match definition.kind {
        SymbolKind::Type => "-export_type(",
        SymbolKind::Function if definition.node.kind() == "fun_decl" => "-export(",
        _ => return None,
    };
    let top = &definition.text[..definition.text.floor_char_boundary(EXPORTS_BYTES)];
    let exports_all = top.contains("-compile(export_all)") || top.contains("-compile([export_all");
    let is_exported = top.split(attribute).skip(1).any(|list| {
        let list = list.find(')').map_or(list, |end| &list[..end]);
        let mut names = list.split(['[', ']', ',']).map(|name| name.trim());
        names.any(|name| name.split('/').next().map(str::trim) == Some(definition.name))
    });
    Some(
        if is_exported || (exports_all && definition.kind == SymbolKind::Function) {
            Visibility::Public
        } else {
            Visibility::Private
        },
    )
}

/// What EUnit runs.
fn is_test(definition: &Definition<'_>) -> bool {
    definition.kind == SymbolKind::Function
        && (definition.name.ends_with("_test") || definition.name.ends_with("_test_"))
}

/// A macro without parameters is a constant.
fn kind(definition: &Definition<'_>) -> SymbolKind {
    let head = definition.node.child_by_field_name("lhs");
    match definition.kind {
        SymbolKind::Macro if head.is_some_and(|head| head.child_by_field_name("args").is_none()) => {
            SymbolKind::Constant
        }
        kind => kind,
    }
}

fn imports(node: Node<'_>, walk: &mut Walk<'_>) {
    let at = node.start_byte() as u32;
    if let Some(file) = node.child_by_field_name("file") {
        walk.import(file, None, None, true, false, at);
    }
    let Some(module) = node.child_by_field_name("module") else {
        return;
    };
    for function in node.children_by_field_name("funs") {
        if let Some(name) = function.child_by_field_name("fun") {
            walk.import(module, Some(name), None, false, false, at);
        }
    }
}

/// The fields of a record are written alike where it is declared and where it is used.
fn declared(field: Node<'_>) -> Option<Declared<'_>> {
    let is_declaration = field.parent().is_some_and(|around| around.kind() == "record_decl");
    is_declaration.then_some(Declared {
        name: field.child_by_field_name("name")?,
        owner: None,
    })
}

/// In types, `name()` is no call.
fn tokens<'t>(tree: Node<'t>, sink: &mut TokenSink<'_, 't>) {
    // `-spec name(..) -> ..` speaks of the function and does not call it.
    if let Some(name) = tree.child_by_field_name("fun").filter(|_| tree.kind() == "spec") {
        sink(name, Role::Import, None, None);
    }
    for call in tree.with_inside().filter(|node| node.kind() == "call") {
        let called = call.child_by_field_name("expr");
        if let Some(name) = called.filter(|name| name.kind() == "atom") {
            sink(name, Role::Type, None, None);
        }
    }
}
