//! Lua.

use super::{DEFAULT, Declared, Definition, Hooks, Lang, Syntax, Walk, lang};
use crate::{
    facts::{SymbolKind, Visibility},
    tree::Node,
};

pub(super) const LANG: Lang = lang("lua", &[], &["lua"], &[], &["lua", "luajit"]).with(&SYNTAX);

static SYNTAX: Syntax = Syntax::new(
    tree_sitter_lua::LANGUAGE,
    include_str!("lua.scm"),
    Hooks {
        visibility,
        is_test,
        kind,
        declared,
        exports,
        ..DEFAULT
    },
);

fn visibility(definition: &Definition<'_>) -> Option<Visibility> {
    let is_local = definition.head.starts_with("local ");
    if is_local || (definition.name.starts_with('_') && !definition.name.starts_with("__")) {
        Some(Visibility::Private)
    } else {
        Some(Visibility::Public)
    }
}

/// busted's `describe` and `it`, luaunit's `testIt`.
fn is_test(definition: &Definition<'_>) -> bool {
    match definition.kind {
        SymbolKind::Test => true,
        kind => kind.is_function() && definition.name.to_ascii_lowercase().starts_with("test"),
    }
}

fn kind(definition: &Definition<'_>) -> SymbolKind {
    let is_method = || {
        let name = definition.node.child_by_field_name("name");
        name.is_some_and(|name| name.kind() == "method_index_expression")
    };
    match definition.kind {
        // `function M.make()` belongs to a module or is called without an object.
        SymbolKind::Method if !is_method() => SymbolKind::Function,
        SymbolKind::Variable if definition.head.contains("<const>") => SymbolKind::Constant,
        kind => kind,
    }
}

/// An assignment at the very left is at the top of the file and makes a global variable or a member of a module's
/// table. Elsewhere it may as well change a variable of an outer function, so that it counts as a use.
fn declared(name: Node<'_>) -> Option<Declared<'_>> {
    if !name.begins_line() {
        return None;
    }
    match name.kind() {
        "identifier" => Some(Declared { name, owner: None }),
        _ => Some(Declared {
            name: name.child_by_field_name("field")?,
            owner: name.child_by_field_name("table"),
        }),
    }
}

/// What a file is to those who require it: a table with its functions, also one that has a metatable, or that is written there.
fn exports(node: Node<'_>, walk: &mut Walk<'_>) {
    let is_outer = node.parent().is_some_and(|parent| parent.kind() == "chunk");
    let given = node.named_child(0).and_then(|list| list.named_child(0));
    let Some(given) = given.filter(|_| is_outer) else {
        return;
    };
    let at = node.start_byte() as u32;
    match given.kind() {
        "identifier" => {
            let name = walk.text(given);
            walk.import_text("", Some(name), Some("exports"), false, true, at);
        }
        "function_call" => {
            let called = given.child_by_field_name("name").map(|name| walk.text(name));
            let first = given
                .child_by_field_name("arguments")
                .and_then(|list| list.named_child(0));
            if let Some(first) = first.filter(|first| called == Some("setmetatable") && first.kind() == "identifier") {
                let name = walk.text(first);
                walk.import_text("", Some(name), Some("exports"), false, true, at);
            }
        }
        "table_constructor" => {
            for field in given.named_children() {
                let (name, value) = (field.child_by_field_name("name"), field.child_by_field_name("value"));
                if let Some((name, value)) = name.zip(value).filter(|(_, value)| value.kind() == "identifier") {
                    let name = walk.text(name).trim_matches(['"', '\'']);
                    let value = walk.text(value);
                    walk.import_text("", Some(value), Some(name), false, true, at);
                }
            }
        }
        _ => {}
    }
}
