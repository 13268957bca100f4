//! Java.

use super::{CONVENTIONS, Conventions, DEFAULT, Definition, Hooks, Lang, Syntax, TokenSink, lang};
use crate::{
    extract::Walk,
    facts::{Modifier, Role, STATIC, Shape, SymbolKind, Visibility},
    tree::Node,
};

pub(super) const LANG: Lang = lang("java", &[], &["java"], &[], &[])
    .with(&SYNTAX)
    .with_conventions(Conventions {
        implicit_package: true,
        public_type_names_file: true,
        ..CONVENTIONS
    });

static SYNTAX: Syntax = Syntax::new(
    tree_sitter_java::LANGUAGE,
    include_str!("java.scm"),
    Hooks {
        visibility,
        is_test,
        kind,
        imports: Some(imports),
        tokens,
        written,
        shape,
        has_operations: true,
        attributes: &["@"],
        reserved: RESERVED,
        ..DEFAULT
    },
);

/// What belongs to a class itself stands in for nothing.
fn shape(member: Node<'_>, text: &str) -> Option<Shape> {
    let modifiers = member.child(0).filter(|first| first.kind() == "modifiers")?;
    let mut words = text[modifiers.byte_range()].split_whitespace();
    let is_static = words.any(|word| word == STATIC);
    is_static.then_some(Shape::Modifier(Modifier::Static))
}

/// `new int[3]`, `(byte) size`, `1f`, `Shape.class`, `Arrays.asList(a, b)`; how many a lambda takes.
fn written(argument: Node<'_>, text: &str) -> Option<String> {
    let ty = argument.child_by_field_name("type").map(|ty| &text[ty.byte_range()]);
    let is_primitive = |ty: &&str| ty.starts_with(|c: char| c.is_ascii_lowercase()) && !ty.contains(['.', '<']);
    match argument.kind() {
        "parenthesized_expression" => written(argument.named_child(0)?, text),
        "array_creation_expression" => {
            let dimensions = argument.children().map(|child| match child.kind() {
                "dimensions_expr" => 1,
                "dimensions" => text[child.byte_range()].matches('[').count(),
                _ => 0,
            });
            Some(format!("{}{}", ty?, "[]".repeat(dimensions.sum())))
        }
        "lambda_expression" => {
            let parameters = argument.child_by_field_name("parameters")?;
            let count = match parameters.kind() {
                "identifier" => 1,
                _ => parameters.named_child_count(),
            };
            Some(format!("({}) ->", vec!["_"; count].join(", ")))
        }
        "class_literal" => Some(format!("Class<{}>", &text[argument.named_child(0)?.byte_range()])),
        "instanceof_expression" => Some("boolean".to_owned()),
        "unary_expression" if text[argument.byte_range()].starts_with('!') => Some("boolean".to_owned()),
        // `all.toArray(new Shape[0])`
        "method_invocation" if is_to_array(argument, text) => {
            let arguments = argument.child_by_field_name("arguments")?;
            written(arguments.named_child(0)?, text)
        }
        // What holds its arguments is none of them.
        "method_invocation" => {
            let part = |name| argument.child_by_field_name(name).map(|part| &text[part.byte_range()]);
            let ty = match (part("object")?, part("name")?) {
                ("Arrays", "asList") | ("Collections", "singletonList" | "unmodifiableList") => "List",
                ("Collections", "singleton" | "unmodifiableSet") => "Set",
                ("Collections", "unmodifiableCollection") => "Collection",
                ("ImmutableList" | "List", "copyOf" | "of") => "List",
                ("ImmutableSet" | "Set", "copyOf" | "of") => "Set",
                ("Optional", "of" | "ofNullable") => "Optional",
                ("Stream", "of") | ("Arrays", "stream") => "Stream",
                _ => return None,
            };
            Some(ty.to_owned())
        }
        "cast_expression" => ty.filter(|ty| is_primitive(ty) || ty.ends_with(']')).map(str::to_owned),
        "decimal_floating_point_literal" => {
            let is_single = text[argument.byte_range()].ends_with(['f', 'F']);
            is_single.then(|| "float".to_owned())
        }
        _ => None,
    }
}

fn is_to_array(call: Node<'_>, text: &str) -> bool {
    let is_named = |name: Node<'_>| &text[name.byte_range()] == "toArray";
    let arguments = call.child_by_field_name("arguments");
    call.child_by_field_name("name").is_some_and(is_named)
        && arguments.is_some_and(|arguments| arguments.named_child_count() == 1)
}

fn visibility(definition: &Definition<'_>) -> Option<Visibility> {
    let modifiers = modifiers(definition);
    let has = |word| modifiers.split_whitespace().any(|one| one == word);
    if has("public") {
        return Some(Visibility::Public);
    }
    if has("protected") {
        return Some(Visibility::Protected);
    }
    if has("private") {
        return Some(Visibility::Private);
    }
    match (definition.kind, definition.parent) {
        (SymbolKind::Namespace | SymbolKind::Module | SymbolKind::Variant, _) => None,
        (_, Some(SymbolKind::Interface)) => Some(Visibility::Public),
        (SymbolKind::Constructor, Some(SymbolKind::Enum)) => Some(Visibility::Private),
        // A record's component is read from outside.
        (SymbolKind::Field, _) if definition.node.kind() == "formal_parameter" => Some(Visibility::Public),
        (_, None | Some(SymbolKind::Class | SymbolKind::Enum)) => Some(Visibility::Internal),
        // Inside a method, an anonymous class or the body of an enum's constant.
        _ => None,
    }
}

fn modifiers<'a>(definition: &Definition<'a>) -> &'a str {
    let modifiers = definition.node.children().find(|child| child.kind() == "modifiers");
    modifiers.map_or("", |modifiers| &definition.text[modifiers.byte_range()])
}

/// JUnit, TestNG, jqwik; classes by the names that build tools run.
fn is_test(definition: &Definition<'_>) -> bool {
    match definition.kind {
        SymbolKind::Class => {
            definition.name.ends_with("Test")
                || definition.name.ends_with("Tests")
                || definition.name.ends_with("TestCase")
                || definition.head.contains("extends TestCase")
                || annotations(definition.head).any(|name| matches!(name, "Nested" | "RunWith" | "SpringBootTest"))
        }
        SymbolKind::Method => {
            annotations(definition.head).any(is_test_annotation)
                || (definition.name.starts_with("test") && definition.parent_head.contains("extends TestCase"))
        }
        _ => false,
    }
}

pub(super) fn is_test_annotation(name: &str) -> bool {
    matches!(
        name,
        "Test" | "ParameterizedTest" | "RepeatedTest" | "TestFactory" | "TestTemplate" | "Property" | "Benchmark"
    )
}

/// The names of `@Name` and `@path.Name` in the head of a definition.
pub(super) fn annotations(head: &str) -> impl Iterator<Item = &str> {
    head.split('@').skip(1).map(|rest| {
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.'));
        let path = &rest[..end.unwrap_or(rest.len())];
        path.rsplit('.').next().unwrap_or(path)
    })
}

fn kind(definition: &Definition<'_>) -> SymbolKind {
    match definition.node.kind() {
        "field_declaration" => {
            let modifiers = modifiers(definition);
            let has = |word| modifiers.split_whitespace().any(|one| one == word);
            if has("static") && has("final") {
                SymbolKind::Constant
            } else {
                SymbolKind::Field
            }
        }
        // A file may be a class without saying so.
        "method_declaration" if definition.parent.is_none() => SymbolKind::Function,
        _ => definition.kind,
    }
}

/// `import a.b.C;`, `import a.b.*;`, `import static a.B.c;`, `import static a.B.*;`, a module's `requires a.b;`
fn imports(node: Node<'_>, walk: &mut Walk<'_>) {
    let at = node.start_byte() as u32;
    let mut wildcard = false;
    let mut path = None;
    for child in node.named_children() {
        match child.kind() {
            "scoped_identifier" | "identifier" => path = Some(child),
            "asterisk" => wildcard = true,
            _ => {}
        }
    }
    let Some(path) = path else { return };
    let scope = path.child_by_field_name("scope");
    let name = path.child_by_field_name("name");
    match (scope, name) {
        (Some(scope), Some(name)) if !wildcard && node.kind() == "import_declaration" => {
            walk.import(scope, Some(name), None, false, false, at);
        }
        _ => walk.import(path, None, None, wildcard, false, at),
    }
}

/// Names that stand last among children without fields: types with a path, what is inherited, method references.
fn tokens<'t>(node: Node<'t>, sink: &mut TokenSink<'_, 't>) {
    match node.kind() {
        "superclass" => {
            for child in node.named_children() {
                named_type(child, Role::Implementation, sink);
            }
        }
        "super_interfaces" | "extends_interfaces" => {
            let Some(list) = node.named_child(0) else { return };
            for child in list.named_children() {
                named_type(child, Role::Implementation, sink);
            }
        }
        "object_creation_expression" => {
            let is_class = node.named_children().any(|child| child.kind() == "class_body");
            let role = if is_class { Role::Implementation } else { Role::Call };
            if let Some(ty) = node.child_by_field_name("type") {
                named_type(ty, role, sink);
            }
        }
        "method_reference" => {
            let Some(first) = node.named_child(0) else { return };
            let last = node.child(node.child_count().saturating_sub(1));
            match last.filter(|last| last.id() != first.id()) {
                Some(last) if last.kind() == "identifier" => sink(last, Role::Call, Some(first), None),
                // `Type::new`
                Some(_) if first.kind() == "identifier" => sink(first, Role::Call, None, None),
                Some(_) => named_type(first, Role::Call, sink),
                None => {}
            }
        }
        _ => named_type(node, Role::Type, sink),
    }
}

fn named_type<'t>(node: Node<'t>, role: Role, sink: &mut TokenSink<'_, 't>) {
    let mut node = node;
    // `@A Outer.Inner<T>`: what is around the name is at most this deep.
    for _ in 0..4 {
        let parts: Vec<Node<'t>> = node.named_children().collect();
        let inner = |kinds: &[&str]| parts.iter().copied().find(|part| kinds.contains(&part.kind()));
        match node.kind() {
            "type_identifier" => return sink(node, role, None, None),
            "scoped_type_identifier" => {
                let name = parts.iter().copied().rfind(|part| part.kind() == "type_identifier");
                let path = parts.first().copied();
                let path = path.filter(|path| name.is_some_and(|name| name.id() != path.id()));
                if let Some(name) = name {
                    sink(name, role, None, path);
                }
                return;
            }
            "generic_type" => match inner(&["type_identifier", "scoped_type_identifier"]) {
                Some(inner) => node = inner,
                None => return,
            },
            "annotated_type" => match inner(&["type_identifier", "scoped_type_identifier", "generic_type"]) {
                Some(inner) => node = inner,
                None => return,
            },
            _ => return,
        }
    }
}

/// Words that no name can be.
const RESERVED: &str = "\
    _ abstract assert boolean break byte case catch char class const continue default do double else enum extends \
    false final finally float for goto if implements import instanceof int interface long native new null package \
    private protected public return short static strictfp super switch synchronized this throw throws transient true \
    try void volatile while";
