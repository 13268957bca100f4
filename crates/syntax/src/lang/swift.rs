//! Swift.

use tree_sitter::Node;

use super::{DEFAULT, Declared, Definition, Hooks, Lang, Syntax, TokenSink, conditions, lang, path_of_type};
use crate::{
    extract::{Walk, Whole, span_of},
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
        name,
        whole,
        path: path_of_type,
        owner: |owner, text| text.get(path_of_type(owner, text)).map(str::to_owned),
        labels,
        labelled: Some(labelled),
        masked: Some(|text| conditions::without_conditions(text, false)),
        attributes: &["@"],
        reserved: RESERVED,
        ..DEFAULT
    },
);

/// What a function without parameters is handed, found by its brace. Nothing tells the second from the first.
fn name(name: &str) -> &str {
    match name {
        "{" | "$1" | "$2" | "$3" => "$0",
        name => name,
    }
}

/// `at,_?` of `func put(at place: Int, _ item: Item = .none)`.
fn labels(function: Node<'_>, text: &str) -> Option<String> {
    if matches!(function.kind(), "property_declaration" | "subscript_declaration") {
        return None;
    }
    let mut cursor = function.walk();
    let parameters = function
        .children(&mut cursor)
        .filter(|child| child.kind() == "parameter");
    let labels = parameters.map(|parameter| {
        let name = parameter
            .child_by_field_name("external_name")
            .or_else(|| parameter.child_by_field_name("name"));
        let name = name.map_or("_", |name| &text[name.byte_range()]);
        let is_optional = parameter.next_sibling().is_some_and(|next| next.kind() == "=");
        let is_rest = text[parameter.byte_range()].ends_with("...");
        let is_rest = is_rest || parameter.next_sibling().is_some_and(|next| next.kind() == "...");
        format!(
            "{name}{}{}",
            if is_optional { "?" } else { "" },
            if is_rest { "*" } else { "" }
        )
    });
    Some(labels.collect::<Vec<_>>().join(","))
}

/// The arguments of a call, or of what wraps a property, which is given the property's value too.
fn labelled<'t, 's>(list: Node<'t>, text: &'s str) -> Vec<(&'s str, Node<'t>)> {
    let mut cursor = list.walk();
    if list.kind() != "attribute" {
        let arguments = list.named_children(&mut cursor).filter(|argument| !argument.is_extra());
        let labelled = arguments.map(|argument| {
            let label = argument.child_by_field_name("name");
            (label.map_or("_", |label| text[label.byte_range()].trim()), argument)
        });
        return labelled.collect();
    }
    let property = list.parent().and_then(|modifiers| modifiers.parent());
    let value = property.and_then(|property| property.child_by_field_name("value"));
    let mut labelled: Vec<_> = value.map(|value| ("wrappedValue", value)).into_iter().collect();
    let mut label = "_";
    let mut children = list
        .children(&mut cursor)
        .skip_while(|child| child.kind() != "(")
        .peekable();
    while let Some(child) = children.next() {
        if children.peek().is_some_and(|next| next.kind() == ":") {
            label = text[child.byte_range()].trim();
        } else if child.is_named() && !child.is_extra() {
            labelled.push((std::mem::replace(&mut label, "_"), child));
        }
    }
    labelled
}

/// How far out the type is looked for that a `.name` is of.
const MAX_OUT: usize = 12;

/// The type that is wanted where a `.name` stands.
fn whole(value: Node<'_>, text: &str) -> Whole {
    let mut node = value;
    for _ in 0..MAX_OUT {
        let Some(parent) = node.parent() else { break };
        let field = |name: &str| parent.child_by_field_name(name);
        let is = |name: &str| field(name).is_some_and(|child| child.id() == node.id());
        let ty = match parent.kind() {
            "call_expression" if parent.child(0).is_some_and(|first| first.id() == node.id()) => None,
            "ternary_expression" | "tuple_expression" | "array_literal" | "try_expression" | "await_expression" => None,
            "statements" | "function_body" | "computed_getter" | "computed_property" => None,
            "value_argument" => return argument(parent),
            "property_declaration" => {
                let mut cursor = parent.walk();
                let mut children = parent.children(&mut cursor);
                let annotation = children.find(|child| child.kind() == "type_annotation");
                Some(annotation.and_then(|annotation| annotation.named_child(0)))
            }
            "control_transfer_statement" if is("result") => Some(result_of(parent)),
            "function_declaration" if is("default_value") => {
                let mut before = node.prev_sibling();
                while before.is_some_and(|before| before.kind() != "parameter") {
                    before = before.and_then(|before| before.prev_sibling());
                }
                Some(before.and_then(|before| before.named_child(before.named_child_count().checked_sub(1)? as u32)))
            }
            "function_declaration" => Some(returned(parent)),
            _ => break,
        };
        match ty {
            None => node = parent,
            Some(Some(ty)) if !text[ty.byte_range()].is_empty() => return Whole::Type(span_of(ty)),
            Some(_) => break,
        }
    }
    Whole::Unknown
}

/// Which argument of which call.
fn argument(argument: Node<'_>) -> Whole {
    let list = argument.parent().filter(|list| list.kind() == "value_arguments");
    let call = list.and_then(|list| list.parent()?.parent());
    let (Some(list), Some(callee)) = (list, call.and_then(|call| call.child(0))) else {
        return Whole::Unknown;
    };
    let name = match callee.kind() {
        "navigation_expression" => callee
            .child_by_field_name("suffix")
            .and_then(|suffix| suffix.child_by_field_name("suffix")),
        "prefix_expression" => callee.child_by_field_name("target"),
        _ => Some(callee),
    };
    let mut cursor = list.walk();
    let nth = list
        .named_children(&mut cursor)
        .position(|one| one.id() == argument.id());
    match name.zip(nth) {
        Some((name, nth)) => Whole::Taken(name.start_byte() as u32, nth as u32),
        None => Whole::Unknown,
    }
}

/// What the function around gives back.
fn result_of(inside: Node<'_>) -> Option<Node<'_>> {
    let mut outward = std::iter::successors(inside.parent(), |node| node.parent()).take(MAX_OUT * 2);
    let around = outward.find(|node| {
        matches!(
            node.kind(),
            "function_declaration" | "property_declaration" | "lambda_literal" | "init_declaration"
        )
    })?;
    match around.kind() {
        "function_declaration" => returned(around),
        "property_declaration" => {
            let mut cursor = around.walk();
            let annotation = around
                .children(&mut cursor)
                .find(|child| child.kind() == "type_annotation")?;
            annotation.named_child(0)
        }
        _ => None,
    }
}

/// The type behind the arrow.
fn returned(function: Node<'_>) -> Option<Node<'_>> {
    let mut cursor = function.walk();
    let mut behind = function.children(&mut cursor).skip_while(|child| child.kind() != "->");
    behind.next()?;
    behind.next()
}

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
    let mut before = None;
    let mut cursor = ty.walk();
    let names = ty
        .named_children(&mut cursor)
        .filter(|child| child.kind() == "type_identifier");
    let mut names = names.peekable();
    while let Some(name) = names.next() {
        let role = if names.peek().is_some() { Role::Type } else { role };
        sink(name, role, None, before);
        before = Some(name);
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

/// Words that no name can be.
const RESERVED: &str = "\
    Any as associatedtype await break case catch class continue default defer deinit do else enum extension \
    fallthrough false fileprivate for func guard if import in init inout internal is let nil open operator \
    precedencegroup private protocol public repeat rethrows return Self self static struct subscript super switch \
    throw throws true try typealias var where while";
