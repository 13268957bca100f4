//! Swift.

use tree_sitter::Node;

use super::{DEFAULT, Declared, Definition, Hooks, Lang, Syntax, TokenSink, lang, macros};
use crate::{
    extract::Walk,
    facts::{Role, SymbolKind, Visibility},
};

pub(super) const LANG: Lang = lang("swift", &[], &["swift"], &[], &["swift"]).with(&SYNTAX);

static SYNTAX: Syntax = Syntax::new(
    tree_sitter_swift::LANGUAGE,
    include_str!("swift.scm"),
    Hooks {
        visibility,
        is_test,
        kind,
        imports: Some(imports),
        declared,
        tokens,
        masked: Some(|text| macros::without_conditions(text, false)),
        attributes: &["@"],
        ..DEFAULT
    },
);

fn visibility(definition: &Definition<'_>) -> Option<Visibility> {
    let stated = modifiers(definition.node, definition.text).and_then(access);
    match (stated, definition.kind, definition.parent) {
        (Some(stated), _, _) => Some(stated),
        (None, SymbolKind::Impl | SymbolKind::Variant, _) | (None, _, Some(SymbolKind::Interface)) => None,
        // An extension's modifier is its members' default.
        (None, _, Some(SymbolKind::Impl)) => access(definition.parent_head).or(Some(Visibility::Internal)),
        _ => Some(Visibility::Internal),
    }
}

fn modifiers<'a>(node: Node<'_>, text: &'a str) -> Option<&'a str> {
    let mut cursor = node.walk();
    let found = node.children(&mut cursor).find(|child| child.kind() == "modifiers");
    found.and_then(|found| text.get(found.byte_range()))
}

/// `private(set)` speaks of writing only.
fn access(words: &str) -> Option<Visibility> {
    words.split_whitespace().find_map(|word| match word {
        "public" | "open" => Some(Visibility::Public),
        "package" | "internal" => Some(Visibility::Internal),
        "private" | "fileprivate" => Some(Visibility::Private),
        _ => None,
    })
}

/// XCTest, and Swift Testing's `@Test` and `@Suite`.
fn is_test(definition: &Definition<'_>) -> bool {
    match definition.kind {
        SymbolKind::Class if definition.head.contains("XCTestCase") => true,
        SymbolKind::Class | SymbolKind::Struct => definition.head.contains("@Suite"),
        SymbolKind::Method | SymbolKind::Function => {
            let in_case = definition.parent_head.contains("Test");
            (in_case && definition.name.starts_with("test")) || definition.head.contains("@Test")
        }
        _ => false,
    }
}

fn kind(definition: &Definition<'_>) -> SymbolKind {
    let node = definition.node;
    match (definition.kind, node.kind()) {
        (SymbolKind::Function | SymbolKind::Method, "property_declaration") => {
            if node.child_by_field_name("computed_value").is_some() {
                SymbolKind::Property
            } else if definition.kind == SymbolKind::Method {
                SymbolKind::Field
            } else {
                SymbolKind::Variable
            }
        }
        (SymbolKind::Variable, "property_declaration") if declares(definition, "let") => SymbolKind::Constant,
        (SymbolKind::Field, "property_declaration")
            if declares(definition, "let") && declares(definition, "static") =>
        {
            SymbolKind::Constant
        }
        (kind, _) => kind,
    }
}

/// Whether the word stands before the name.
fn declares(definition: &Definition<'_>, wanted: &str) -> bool {
    let mut words = definition.head.split_whitespace();
    words
        .by_ref()
        .take_while(|word| *word != definition.name)
        .take(12)
        .any(|word| word == wanted)
}

/// `extension A.B` adds to `B`, which belongs to `A`.
fn declared(node: Node<'_>) -> Option<Declared<'_>> {
    if node.kind() != "user_type" {
        return Some(Declared {
            name: node,
            owner: None,
        });
    }
    let (name, owner) = parts(node)?;
    Some(Declared { name, owner })
}

/// The last part of a type's path, and the one before.
fn parts(node: Node<'_>) -> Option<(Node<'_>, Option<Node<'_>>)> {
    let mut cursor = node.walk();
    let names: Vec<Node<'_>> = node
        .named_children(&mut cursor)
        .filter(|child| child.kind() == "type_identifier")
        .collect();
    let (name, before) = names.split_last()?;
    Some((*name, before.last().copied()))
}

/// Types, and the types that others inherit from.
fn tokens<'t>(node: Node<'t>, sink: &mut TokenSink<'_, 't>) {
    let (ty, role) = match node.kind() {
        "inheritance_specifier" => (node.child_by_field_name("inherits_from"), Role::Implementation),
        _ => (Some(node), Role::Type),
    };
    let Some(ty) = ty.filter(|ty| ty.kind() == "user_type") else {
        return;
    };
    if let Some((name, before)) = parts(ty) {
        sink(name, role, None, before);
    }
}

/// `import A`, `import struct A.B`: a module brings in all its names, a kind and a path bring in one.
fn imports(node: Node<'_>, walk: &mut Walk<'_>) {
    let mut cursor = node.walk();
    let children: Vec<Node<'_>> = node.children(&mut cursor).collect();
    let Some(path) = children.iter().find(|child| child.kind() == "identifier") else {
        return;
    };
    let at = node.start_byte() as u32;
    let reexport = children
        .iter()
        .any(|child| child.kind() == "modifiers" && walk.text(*child).contains("_exported"));
    let kinds = ["typealias", "struct", "class", "enum", "protocol", "let", "var", "func"];
    let is_one = children.iter().any(|child| kinds.contains(&child.kind()));
    let text = walk.text(*path);
    match text.rsplit_once('.').filter(|_| is_one) {
        Some((module, item)) => walk.import_text(module, Some(item), None, false, reexport, at),
        None => walk.import_text(text, None, None, true, reexport, at),
    }
}
