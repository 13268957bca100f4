//! Swift.

use super::{
    CONVENTIONS, Conventions, DEFAULT, Declared, Definition, Hooks, Lang, Syntax, TokenSink, conditions,
    is_path_of_type, lang, path_of_type,
};
use crate::{
    extract::{Apart, Handed, TakenFrom, Walk, Whole, span_of},
    facts::{ArgValue, ArgumentSlot, BEHIND, PatternStep, Role, SymbolKind, Visibility},
    tree::Node,
};

pub(super) const LANG: Lang = lang("swift", &[], &["swift"], &[], &["swift"])
    .with(&SYNTAX)
    .with_conventions(Conventions {
        implicit_package: true,
        imports_everything: true,
        ..CONVENTIONS
    });

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
        handed,
        apart,
        valued,
        given,
        written,
        has_function_values: true,
        has_operators: true,
        path: path_of_type,
        owner: |owner, text| text.get(path_of_type(owner, text)).map(str::to_owned),
        labels,
        labelled: Some(labelled),
        masked: Some(|text| conditions::without_conditions(text, false)),
        attributes: &["@"],
        reserved: RESERVED,
        argument_label,
        // A name for callers may stand before it: `at index: Int`.
        named_by_callers: |before, _| before.ends_with(['(', ',']),
        ..DEFAULT
    },
);

/// What a function without parameters is handed, found by its brace.
fn name(name: &str) -> &str {
    match name {
        "{" => "$0",
        name => name,
    }
}

/// What hands a function its parameter: one that is named, or `$0`, which is found by the brace, or those behind it.
fn handed(parameter: Node<'_>, text: &str) -> Option<Handed> {
    let outer = parameter.parent()?;
    match (parameter.kind(), outer.kind()) {
        ("{", _) => handed_to(outer, 0),
        // `all.map(\.name)`
        ("key_path_expression", _) => {
            let mut outwards = std::iter::successors(Some(outer), |node| node.parent()).take(MAX_OUT);
            let given = outwards.find(|node| node.kind() == "value_argument")?;
            known(argument(given), 0)
        }
        (_, "lambda_parameter") => {
            let list = outer.parent()?;
            let mut all = list.named_children();
            let nth = all.position(|one| one.id() == outer.id())?;
            let mut outwards = std::iter::successors(Some(list), |node| node.parent()).take(4);
            handed_to(outwards.find(|node| node.kind() == "lambda_literal")?, nth)
        }
        _ => {
            let nth = text[parameter.byte_range()].strip_prefix('$')?.parse().ok()?;
            let mut outwards = std::iter::successors(Some(outer), |node| node.parent()).take(MAX_OUT * 4);
            handed_to(outwards.find(|node| node.kind() == "lambda_literal")?, nth)
        }
    }
}

/// What hands a function one of its parameters.
fn handed_to(lambda: Node<'_>, nth: usize) -> Option<Handed> {
    let holder = lambda.parent()?;
    let whole = match holder.kind() {
        "call_suffix" => {
            let callee = holder.parent()?.child(0)?;
            let call = match callee.kind() {
                "call_expression" => callee.child(0)?,
                _ => callee,
            };
            Whole::Taken(last_name(call)?.start_byte() as u32, ArgumentSlot::Trailing)
        }
        "value_argument" => argument(holder),
        "assignment" => {
            let target = holder.child_by_field_name("target")?;
            let target = target
                .named_child(0)
                .filter(|_| target.kind() == "directly_assignable_expression");
            Whole::Assigned(last_name(target?)?.start_byte() as u32)
        }
        "property_declaration" => {
            let mut parts = holder.children();
            let annotation = parts.find(|part| part.kind() == "type_annotation")?;
            Whole::Type(span_of(annotation.named_child(0)?))
        }
        _ => return None,
    };
    known(whole, nth)
}

fn known(whole: Whole, nth: usize) -> Option<Handed> {
    let key = None;
    (whole != Whole::Unknown).then_some(Handed { whole, key, nth })
}

/// The name that a member goes by, or what has nothing before it.
fn last_name(expression: Node<'_>) -> Option<Node<'_>> {
    match expression.kind() {
        "navigation_expression" => expression
            .child_by_field_name("suffix")
            .and_then(|suffix| suffix.child_by_field_name("suffix")),
        "prefix_expression" => expression.child_by_field_name("target"),
        "simple_identifier" => Some(expression),
        _ => None,
    }
}

/// `let (a, b) = pair`, `for (key, value) in all`, `case let circle as Circle`
fn apart<'t>(local: Node<'t>, _: &str) -> Option<Apart<'t>> {
    let mut inner = local.parent().filter(|pattern| pattern.kind() == "pattern")?;
    let mut steps = Vec::new();
    for _ in 0..MAX_OUT {
        let outer = inner.parent()?;
        let field = |name: &str| outer.child_by_field_name(name);
        let value = match outer.kind() {
            "pattern" => {
                let cast = field("name").filter(|ty| ty.kind().ends_with("_type"));
                let is_case = outer.child(0).is_some_and(|first| first.kind() != "(");
                match cast {
                    Some(ty) => steps.push(PatternStep::As(ty.byte_range())),
                    None if is_case => return None,
                    None => steps.push(PatternStep::Component(patterns_before(inner) as u32)),
                }
                None
            }
            "switch_pattern" | "switch_entry" => None,
            "catch_block" if steps.iter().any(|step| matches!(step, PatternStep::As(_))) => Some(outer),
            "switch_statement" if !steps.is_empty() => Some(field("expr")?),
            "property_declaration" if !steps.is_empty() => Some(field("value")?),
            "for_statement" if !steps.is_empty() => {
                steps.push(PatternStep::Element);
                Some(field("collection")?)
            }
            // `if let (a, b) = pair`
            "if_statement" | "guard_statement" | "while_statement" => {
                let before = inner.prev_sibling()?;
                let outwards = std::iter::successors(Some(before), |node| node.prev_sibling());
                let open = outwards
                    .take_while(|node| node.kind() != "=")
                    .find(|node| node.kind() == "(")?;
                // Not what a case holds.
                if !matches!(before.kind(), "(" | ",") || open.prev_sibling()?.kind() == "simple_identifier" {
                    return None;
                }
                steps.push(PatternStep::Component(patterns_before(inner) as u32));
                let mut behind = std::iter::successors(inner.next_sibling(), |node| node.next_sibling());
                behind.by_ref().find(|node| node.kind() == "=")?;
                Some(behind.next()?)
            }
            _ => return None,
        };
        if let Some(value) = value {
            return Some(Apart::climbed(steps, TakenFrom::Value(value)));
        }
        inner = outer;
    }
    None
}

/// How many patterns stand before one, back to the bracket that opens.
fn patterns_before(pattern: Node<'_>) -> usize {
    let before = std::iter::successors(pattern.prev_sibling(), |node| node.prev_sibling());
    let inside = before.take_while(|node| node.kind() != "(");
    inside.filter(|node| node.kind() == ",").count()
}

/// A function without a name has the value of what is last in it, and what chooses that of its first branch.
fn valued(node: Node<'_>) -> Option<Node<'_>> {
    let mut parts = node.named_children().filter(|part| !part.is_extra());
    match node.kind() {
        "statements" => parts.last(),
        "lambda_literal" | "if_statement" | "switch_entry" => parts.find(|part| part.kind() == "statements"),
        "switch_statement" => parts.find(|part| part.kind() == "switch_entry"),
        "control_transfer_statement" => node.child_by_field_name("result"),
        // `shape as? Outer.Inner`
        "as_expression" => {
            let ty = parts.find(|part| part.kind().ends_with("_type"))?;
            // `any Shape`
            let ty = match ty.kind() {
                "user_type" => ty,
                _ => ty.named_child(0).filter(|inner| inner.kind() == "user_type")?,
            };
            ty.named_children()
                .filter(|part| part.kind() == "type_identifier")
                .last()
        }
        _ => None,
    }
}

/// A type as a value: `Shape.self`.
fn written(argument: Node<'_>, text: &str) -> Option<String> {
    let value = argument.child_by_field_name("value")?;
    let class = text[value.byte_range()].strip_suffix(".self")?;
    is_path_of_type(class).then(|| format!("{class}.Type"))
}

/// A path to a member is a function: `all.map(\.name)`.
fn given(argument: Node<'_>, _: &str) -> Option<ArgValue> {
    let mut node = argument.child_by_field_name("value")?;
    if node.kind() == "lambda_literal" {
        return Some(ArgValue::Function);
    }
    for _ in 0..MAX_OUT {
        node = node.child_by_field_name("target")?;
        if node.kind() == "key_path_expression" {
            return Some(ArgValue::Function);
        }
    }
    None
}

/// `at,_?` of `func put(at place: Int, _ item: Item = .none)`.
fn labels(function: Node<'_>, text: &str) -> Option<String> {
    if matches!(function.kind(), "property_declaration" | "subscript_declaration") {
        return None;
    }
    let parameters = function.children().filter(|child| child.kind() == "parameter");
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
    if list.kind() != "attribute" {
        let arguments = list.named_children().filter(|argument| !argument.is_extra());
        let labelled = arguments.map(|argument| {
            let label = argument.child_by_field_name("name");
            (label.map_or("_", |label| text[label.byte_range()].trim()), argument)
        });
        let mut labelled: Vec<_> = labelled.collect();
        let behind = list
            .next_named_sibling()
            .filter(|behind| behind.kind() == "lambda_literal");
        labelled.extend(behind.map(|behind| (BEHIND, behind)));
        return labelled;
    }
    let property = list.parent().and_then(|modifiers| modifiers.parent());
    let value = property.and_then(|property| property.child_by_field_name("value"));
    let mut labelled: Vec<_> = value.map(|value| ("wrappedValue", value)).into_iter().collect();
    let mut label = "_";
    let mut children = list.children().skip_while(|child| child.kind() != "(").peekable();
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
                let mut children = parent.children();
                let annotation = children.find(|child| child.kind() == "type_annotation");
                Some(annotation.and_then(|annotation| annotation.named_child(0)))
            }
            "control_transfer_statement" if is("result") => Some(result_of(parent)),
            "function_declaration" if is("default_value") => {
                let mut before = node.prev_sibling();
                while before.is_some_and(|before| before.kind() != "parameter") {
                    before = before.and_then(|before| before.prev_sibling());
                }
                Some(before.and_then(|before| before.named_children().last()))
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
    let nth = list.named_children().position(|one| one.id() == argument.id());
    match name.zip(nth) {
        Some((name, nth)) => Whole::Taken(name.start_byte() as u32, ArgumentSlot::Nth(nth as u32)),
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
            let annotation = around.children().find(|child| child.kind() == "type_annotation")?;
            annotation.named_child(0)
        }
        _ => None,
    }
}

/// The type behind the arrow.
fn returned(function: Node<'_>) -> Option<Node<'_>> {
    let mut behind = function.children().skip_while(|child| child.kind() != "->");
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
    let found = node.children().find(|child| child.kind() == "modifiers");
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
    let names: Vec<Node<'_>> = node
        .named_children()
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
    let names = ty.named_children().filter(|child| child.kind() == "type_identifier");
    let mut names = names.peekable();
    while let Some(name) = names.next() {
        let role = if names.peek().is_some() { Role::Type } else { role };
        sink(name, role, None, before);
        before = Some(name);
    }
}

/// `import A`, `import struct A.B`: a module brings in all its names, a kind and a path bring in one.
fn imports(node: Node<'_>, walk: &mut Walk<'_>) {
    let children: Vec<Node<'_>> = node.children().collect();
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

/// `f(name: 1)`
fn argument_label(node: Node<'_>) -> Option<Node<'_>> {
    let first = node.named_child(0).filter(|_| node.kind() == "value_argument")?;
    let label = Some(first).filter(|first| first.kind() == "value_argument_label")?;
    label.named_child(0).or(Some(label))
}
