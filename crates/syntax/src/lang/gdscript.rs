//! GDScript.

use super::{DEFAULT, Definition, Hooks, Lang, Syntax, TokenSink, lang};
use crate::{
    facts::{Role, SymbolKind, Visibility},
    tree::Node,
};

pub(super) const LANG: Lang = lang("gdscript", &["gd"], &["gd"], &[], &[]).with(&SYNTAX);

static SYNTAX: Syntax = Syntax::new(
    tree_sitter_gdscript::LANGUAGE,
    include_str!("gdscript.scm"),
    Hooks {
        visibility,
        is_test,
        tokens,
        attributes: &["@"],
        ..DEFAULT
    },
);

/// By convention.
fn visibility(definition: &Definition<'_>) -> Option<Visibility> {
    match definition.kind {
        SymbolKind::Variant => None,
        SymbolKind::Constructor => Some(Visibility::Public),
        _ if definition.name.starts_with('_') => Some(Visibility::Private),
        _ => Some(Visibility::Public),
    }
}

fn is_test(definition: &Definition<'_>) -> bool {
    definition.kind.is_function() && definition.name.starts_with("test_")
}

/// `a.b.c(1).d`: each name is asked of what stands before it.
fn tokens<'t>(chain: Node<'t>, sink: &mut TokenSink<'_, 't>) {
    let mut before: Option<Node<'t>> = None;
    for part in chain.named_children() {
        let name = match part.kind() {
            "identifier" => Some((part, Role::Member)),
            "attribute_call" => part.named_child(0).map(|name| (name, Role::Call)),
            "attribute_subscript" => part.named_child(0).map(|name| (name, Role::Member)),
            _ => None,
        };
        if let (Some((name, role)), Some(receiver)) = (name, before) {
            sink(name, role, Some(receiver), None);
        }
        before = Some(part);
    }
}
