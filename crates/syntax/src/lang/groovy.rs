//! Groovy.

use super::{CONVENTIONS, Conventions, DEFAULT, Declared, Definition, Hooks, Lang, Syntax, lang};
use crate::{
    extract::Walk,
    facts::{SymbolKind, Visibility},
    tree::Node,
};

pub(super) const LANG: Lang = lang("groovy", &[], &["groovy", "gradle"], &["Jenkinsfile"], &["groovy"])
    .with(&SYNTAX)
    .with_conventions(Conventions {
        implicit_package: true,
        ..CONVENTIONS
    });

static SYNTAX: Syntax = Syntax::new(
    tree_sitter_groovy::LANGUAGE,
    include_str!("groovy.scm"),
    Hooks {
        visibility,
        is_test,
        kind,
        imports: Some(imports),
        declared,
        attributes: &["@"],
        ..DEFAULT
    },
);

/// Everything is public unless it says otherwise.
fn visibility(definition: &Definition<'_>) -> Option<Visibility> {
    if matches!(
        definition.kind,
        SymbolKind::Variant | SymbolKind::Block | SymbolKind::Target | SymbolKind::Stage | SymbolKind::Variable
    ) {
        return None;
    }
    definition.stated_visibility().or(Some(Visibility::Public))
}

/// JUnit's annotations, and the classes that other frameworks derive from.
fn is_test(definition: &Definition<'_>) -> bool {
    match definition.kind {
        SymbolKind::Class => definition.head.contains("Specification") || definition.head.contains("TestCase"),
        kind if kind.is_function() => {
            definition.head.contains("@Test")
                || (definition.name.starts_with("test") && definition.parent_head.contains("Test"))
        }
        _ => false,
    }
}

fn kind(definition: &Definition<'_>) -> SymbolKind {
    let is_fixed =
        || definition.modifiers().any(|word| word == "final") && definition.modifiers().any(|word| word == "static");
    match definition.kind {
        SymbolKind::Field if is_fixed() => SymbolKind::Constant,
        kind => kind,
    }
}

fn imports(node: Node<'_>, walk: &mut Walk<'_>) {
    let at = node.start_byte() as u32;
    let (mut path, mut alias, mut wildcard) = (None, None, false);
    for child in node.named_children() {
        match child.kind() {
            "scoped_identifier" | "identifier" if path.is_none() => path = Some(child),
            "identifier" => alias = Some(child),
            "asterisk" => wildcard = true,
            _ => {}
        }
    }
    let Some(path) = path else { return };
    match (path.child_by_field_name("scope"), path.child_by_field_name("name")) {
        (Some(scope), Some(name)) if !wildcard => walk.import(scope, Some(name), alias, false, false, at),
        _ => walk.import(path, None, alias, wildcard, false, at),
    }
}

/// `dependencies { .. }` at the top of a script is a part of it; anywhere else it is a call with a closure.
fn declared(call: Node<'_>) -> Option<Declared<'_>> {
    let statement = call.parent()?;
    let around = match statement.kind() {
        "expression_statement" => statement.parent()?,
        _ => statement,
    };
    // A script with a mistake in it has no `program`.
    let is_top = around.kind() == "program" || (around.is_error() && around.parent().is_none());
    is_top.then_some(Declared {
        name: call.child_by_field_name("name")?,
        owner: None,
    })
}
