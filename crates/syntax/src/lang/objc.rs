//! Objective-C.

use super::{
    CONVENTIONS, Conventions, DEFAULT, Definition, Hooks, Lang, Syntax, c, lang, macro_body, macro_members, macros,
};
use crate::{
    extract::Walk,
    facts::{SymbolKind, Visibility},
    tree::Node,
};

pub(super) const LANG: Lang = lang("objc", &["objective-c"], &["m", "mm"], &[], &[])
    .with(&SYNTAX)
    .with_conventions(Conventions {
        imports_everything: true,
        ..CONVENTIONS
    });

pub(super) static SYNTAX: Syntax = Syntax::new(
    tree_sitter_objc::LANGUAGE,
    include_str!("objc.scm"),
    Hooks {
        visibility,
        is_test,
        kind: c::kind,
        imports: Some(imports),
        declared: c::declared,
        is_definition: c::is_definition,
        words: macro_body::words,
        members: macro_members::members,
        masked: Some(macros::masked),
        has_macros: true,
        whole: |list, _| c::whole(list),
        ..DEFAULT
    },
);

/// Instance variables are protected, what else an interface says is for all.
fn visibility(definition: &Definition<'_>) -> Option<Visibility> {
    match (definition.kind, definition.parent) {
        (SymbolKind::Field, Some(SymbolKind::Class | SymbolKind::Impl)) => Some(instance_variable(definition)),
        // An implementation repeats what its interface may have said.
        (SymbolKind::Method, Some(SymbolKind::Impl)) if definition.node.kind() == "method_definition" => None,
        (SymbolKind::Method | SymbolKind::Property, _) => Some(Visibility::Public),
        _ => c::visibility(definition),
    }
}

/// By the last `@public` and the like before it.
fn instance_variable(definition: &Definition<'_>) -> Visibility {
    let stated = || {
        let variable = definition.node;
        let list = variable.parent()?;
        let before = list
            .named_children()
            .take_while(|child| child.start_byte() < variable.start_byte());
        let words = before.filter_map(|child| match definition.text.get(child.byte_range())?.trim() {
            "@public" => Some(Visibility::Public),
            "@package" => Some(Visibility::Internal),
            "@protected" => Some(Visibility::Protected),
            "@private" => Some(Visibility::Private),
            _ => None,
        });
        words.last()
    };
    stated().unwrap_or(Visibility::Protected)
}

/// XCTest runs the methods that are named so.
fn is_test(definition: &Definition<'_>) -> bool {
    match definition.kind {
        SymbolKind::Method => definition.name.starts_with("test") && definition.node.kind() == "method_definition",
        SymbolKind::Class => definition.head.contains("XCTestCase"),
        _ => c::is_test(definition),
    }
}

fn imports(node: Node<'_>, walk: &mut Walk<'_>) {
    if node.kind() != "module_import" {
        return c::includes(node, walk);
    }
    // `@import Module.Part;`
    let parts: Vec<&str> = node
        .children_by_field_name("path")
        .map(|part| walk.text(part))
        .collect();
    walk.import_text(&parts.concat(), None, None, true, false, node.start_byte() as u32);
}
