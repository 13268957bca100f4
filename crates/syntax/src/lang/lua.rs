//! Lua.

use tree_sitter::Node;

use super::{DEFAULT, Declared, Definition, Hooks, Lang, Syntax, lang};
use crate::facts::{SymbolKind, Visibility};

pub(super) const LANG: Lang = lang("lua", &[], &["lua"], &[], &["lua", "luajit"]).with(&SYNTAX);

static SYNTAX: Syntax = Syntax::new(
    tree_sitter_lua::LANGUAGE,
    include_str!("lua.scm"),
    Hooks {
        visibility,
        is_test,
        kind,
        declared,
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
    if name.start_position().column > 0 {
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
