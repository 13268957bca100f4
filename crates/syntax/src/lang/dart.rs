//! Dart.

use super::{DEFAULT, Declared, Definition, Hooks, Lang, Syntax, TokenSink, lang};
use crate::{
    extract::Walk,
    facts::{Role, SymbolKind, Visibility},
    tree::Node,
};

pub(super) const LANG: Lang = lang("dart", &[], &["dart"], &[], &["dart"]).with(&SYNTAX);

static SYNTAX: Syntax = Syntax::new(
    tree_sitter_dart::LANGUAGE,
    include_str!("dart.scm"),
    Hooks {
        visibility,
        is_test: |definition| matches!(definition.kind, SymbolKind::Test | SymbolKind::Block),
        kind,
        imports: Some(imports),
        declared,
        tokens,
        attributes: &["@"],
        argument_label,
        named_by_callers: |_, _| true,
        ..DEFAULT
    },
);

/// A name that begins with an underscore is known in its library only.
fn visibility(definition: &Definition<'_>) -> Option<Visibility> {
    match definition.kind {
        SymbolKind::Test | SymbolKind::Block => None,
        _ if definition.name.starts_with('_') => Some(Visibility::Private),
        _ => Some(Visibility::Public),
    }
}

fn kind(definition: &Definition<'_>) -> SymbolKind {
    let mut words = definition.head.split_whitespace();
    match definition.kind {
        SymbolKind::Function | SymbolKind::Method => {
            let before = words.take_while(|word| word.split(['(', '<']).next() != Some(definition.name));
            match before.last() {
                Some("get" | "set") => SymbolKind::Property,
                _ => definition.kind,
            }
        }
        SymbolKind::Variable | SymbolKind::Field if words.by_ref().take(3).any(|word| word == "const") => {
            SymbolKind::Constant
        }
        kind => kind,
    }
}

/// `Circle.zero(..)` is the constructor `zero`, and `Circle(..)` has the name of its class.
fn declared(node: Node<'_>) -> Option<Declared<'_>> {
    let names = node.children_by_field_name("name");
    let mut names = names.filter(|name| name.kind() == "identifier");
    let first = names.next();
    let name = names.last().or(first)?;
    Some(Declared { name, owner: None })
}

/// Types, and the types that others inherit from.
fn tokens<'t>(node: Node<'t>, sink: &mut TokenSink<'_, 't>) {
    if node.kind() == "type" {
        return named(node, Role::Type, sink);
    }
    for ty in node.named_children().filter(|child| child.kind() == "type") {
        named(ty, Role::Implementation, sink);
    }
}

/// `Foo`, or `prefix.Foo`.
fn named<'t>(ty: Node<'t>, role: Role, sink: &mut TokenSink<'_, 't>) {
    let names = ty.named_children();
    let mut names = names.filter(|child| child.kind() == "type_identifier");
    match (names.next(), names.next()) {
        (Some(prefix), Some(name)) => sink(name, role, None, Some(prefix)),
        (Some(name), None) => sink(name, role, None, None),
        _ => {}
    }
}

/// `import 'a.dart' as b show C;` brings in what it shows, or everything; under a prefix if it gives one.
fn imports(node: Node<'_>, walk: &mut Walk<'_>) {
    let at = node.start_byte() as u32;
    // A part has all that its library has.
    if node.kind() == "part_of_directive" {
        let library = node.named_child(0).filter(|library| library.kind() == "uri");
        if let Some(library) = library {
            walk.import(library, None, None, true, false, at);
        }
        return;
    }
    // The statement, the import, its specification.
    let mut inner = node;
    for _ in 0..3 {
        if inner.child_by_field_name("uri").is_some() {
            break;
        }
        let Some(next) = inner.named_child(0) else { return };
        inner = next;
    }
    let Some(uri) = inner.child_by_field_name("uri") else {
        return;
    };
    // Conditional imports follow the main one.
    let uri = if uri.kind() == "configurable_uri" {
        uri.named_child(0).unwrap_or(uri)
    } else {
        uri
    };
    let alias = inner.child_by_field_name("alias");
    let reexport = matches!(inner.kind(), "library_export" | "part_directive");
    let mut shown = Vec::new();
    for combinator in inner.children().filter(|child| child.kind() == "combinator") {
        if combinator.child(0).is_some_and(|word| word.kind() == "show") {
            shown.extend(combinator.named_children());
        }
    }
    match alias {
        Some(_) => walk.import(uri, None, alias, false, reexport, at),
        None if shown.is_empty() => walk.import(uri, None, None, true, reexport, at),
        None => {}
    }
    for name in shown.into_iter().filter(|_| alias.is_none()) {
        walk.import(uri, Some(name), None, false, reexport, at);
    }
}

/// `f(name: 1)`
fn argument_label(node: Node<'_>) -> Option<Node<'_>> {
    let is_given = node.kind() == "label" && node.parent()?.kind() == "named_argument";
    is_given.then(|| node.named_child(0))?
}
