//! Nix.

use super::{DEFAULT, Declared, Definition, Hooks, Lang, Syntax, lang};
use crate::{facts::SymbolKind, tree::Node};

pub(super) const LANG: Lang = lang("nix", &[], &["nix"], &[], &[]).with(&SYNTAX);

static SYNTAX: Syntax = Syntax::new(
    tree_sitter_nix::LANGUAGE,
    include_str!("nix.scm"),
    Hooks {
        kind,
        declared,
        ..DEFAULT
    },
);

/// Attributes deeper inside are arguments and settings.
const MAX_LEVELS: usize = 2;

fn kind(definition: &Definition<'_>) -> SymbolKind {
    let around = definition.node.parent().and_then(|bindings| bindings.parent());
    let in_let = around.is_some_and(|around| around.kind() == "let_expression");
    match definition.kind {
        SymbolKind::Property if in_let => SymbolKind::Variable,
        kind => kind,
    }
}

/// A binding is a definition in the upper levels of a file; what a named function binds inside is its own business.
fn declared(binding: Node<'_>) -> Option<Declared<'_>> {
    let mut levels = 1;
    let mut around = binding.parent();
    // The functions, applications and sets between two bindings; more is nobody's code.
    for _ in 0..32 {
        let Some(node) = around else { break };
        if node.kind() == "binding" {
            levels += 1;
            let value = node.child_by_field_name("expression");
            if levels > MAX_LEVELS || value.is_some_and(|value| value.kind() == "function_expression") {
                return None;
            }
        }
        around = node.parent();
    }
    Some(Declared {
        name: binding.child_by_field_name("attrpath")?,
        owner: None,
    })
}
