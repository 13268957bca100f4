//! OCaml: implementations and, by a grammar of their own, interfaces.

use super::{DEFAULT, Definition, Hooks, Lang, Syntax, lang};
use crate::{
    extract::Walk,
    facts::{SymbolKind, Visibility},
    tree::Node,
};

pub(super) const LANG: Lang = lang("ocaml", &["ml"], &["ml", "mli"], &[], &["ocaml"]).with(&SYNTAX);

const HOOKS: Hooks = Hooks {
    visibility,
    is_test,
    kind,
    imports: Some(imports),
    ..DEFAULT
};

static SYNTAX: Syntax = Syntax::new(
    tree_sitter_ocaml::LANGUAGE_OCAML,
    include_str!("ocaml.scm"),
    Hooks {
        dialect: Some((is_interface, &INTERFACE)),
        ..HOOKS
    },
);

static INTERFACE: Syntax = Syntax::new(
    tree_sitter_ocaml::LANGUAGE_OCAML_INTERFACE,
    include_str!("ocaml.scm"),
    HOOKS,
);

/// Only an interface has `val` at the very left, and only an implementation has `let` there.
fn is_interface(text: &str) -> bool {
    let mut has_values = false;
    for line in text.lines() {
        if line.starts_with("let ") || line.starts_with("let%") {
            return false;
        }
        has_values |= line.starts_with("val ");
    }
    has_values
}

fn visibility(definition: &Definition<'_>) -> Option<Visibility> {
    match definition.kind {
        SymbolKind::Method if definition.head.starts_with("method") => {
            let is_private = definition.head.split_whitespace().any(|word| word == "private");
            Some(if is_private {
                Visibility::Private
            } else {
                Visibility::Public
            })
        }
        // An object's variables are its own.
        SymbolKind::Field if definition.parent == Some(SymbolKind::Class) => Some(Visibility::Private),
        SymbolKind::Field | SymbolKind::Variant | SymbolKind::Test => None,
        _ => Some(Visibility::Public),
    }
}

fn is_test(definition: &Definition<'_>) -> bool {
    definition.kind == SymbolKind::Test || (definition.kind.is_function() && definition.name.starts_with("test_"))
}

fn kind(definition: &Definition<'_>) -> SymbolKind {
    let node = definition.node;
    match definition.kind {
        // What a signature promises: a function or a value.
        SymbolKind::Function | SymbolKind::Method if node.kind() == "value_specification" => {
            let ty = node.child_by_field_name("type");
            if ty.is_some_and(|ty| ty.kind() == "function_type") {
                definition.kind
            } else {
                SymbolKind::Constant
            }
        }
        // A value with local names of its own.
        SymbolKind::Function if node.kind() == "let_binding" && definition.name != "()" => {
            let body = node.child_by_field_name("body");
            let is_value = body.is_some_and(|body| body.kind() == "let_expression");
            if is_value && !node.children().any(|child| child.kind() == "parameter") {
                SymbolKind::Constant
            } else {
                SymbolKind::Function
            }
        }
        kind => kind,
    }
}

/// `open A.B` brings in all names of a module; `include` offers them to others too.
fn imports(node: Node<'_>, walk: &mut Walk<'_>) {
    // `module P = Path.Build`
    if node.kind() == "module_binding" {
        if let Some(path) = node.child_by_field_name("body") {
            walk.import(path, None, node.named_child(0), false, true, node.start_byte() as u32);
        }
        return;
    }
    let module = node.child_by_field_name("module");
    let Some(mut module) = module.or_else(|| node.child_by_field_name("module_type")) else {
        return;
    };
    // `include Map.Make (String)`, `include S with type t = int`
    for _ in 0..4 {
        let inner = module
            .child_by_field_name("functor")
            .or_else(|| module.child_by_field_name("module_type"));
        let Some(inner) = inner else { break };
        module = inner;
    }
    if module.kind().ends_with("_path") {
        let reexport = !node.kind().starts_with("open");
        walk.import(module, None, None, true, reexport, node.start_byte() as u32);
    }
}
