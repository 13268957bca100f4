//! Kotlin.

mod masked;

use std::ops::Range;

use super::{
    Before, CONVENTIONS, Conventions, DEFAULT, Declared, Definition, Hooks, Lang, Syntax, TokenSink, WordSink,
    is_path_of_type, java, lang, path_of_type,
};
use crate::{
    extract::{Apart, Handed, TakenFrom, Walk, Whole, span_of},
    facts::{ArgumentSlot, LocalKind, Modifier, PatternStep, RefIdx, Role, Shape, SymbolKind, Visibility},
    locals::Interpolated,
    tree::Node,
};

pub(super) const LANG: Lang = lang("kotlin", &["kt"], &["kt", "kts"], &[], &["kotlin"])
    .with(&SYNTAX)
    .with_conventions(Conventions {
        implicit_package: true,
        ..CONVENTIONS
    });

static SYNTAX: Syntax = Syntax::new(
    tree_sitter_kotlin_ng::LANGUAGE,
    include_str!("kotlin.scm"),
    Hooks {
        visibility,
        is_test,
        kind,
        imports: Some(imports),
        declared,
        tokens,
        local_kind,
        name,
        words,
        path: path_of_type,
        made_type,
        masked: Some(masked::masked),
        handed,
        apart,
        valued,
        written,
        shape: |node, _| (node.kind() == "companion_object").then_some(Shape::Modifier(Modifier::Static)),
        has_function_values: true,
        has_operators: true,
        has_arity: true,
        narrows_members: true,
        attributes: &["@"],
        reserved: RESERVED,
        argument_label,
        named_by_callers: |_, _| true,
        interpolated,
        interpolation_mark: Some('$'),
        ..DEFAULT
    },
);

/// A companion without a name is found by its keyword, which nothing else can be named; the only parameter of a lambda
/// that names none, by its brace.
fn name(name: &str) -> &str {
    match name {
        "object" => "Companion",
        "{" => "it",
        name => name,
    }
}

/// A class as a value: `Shape::class`, `Shape::class.java`.
fn written(argument: Node<'_>, text: &str) -> Option<String> {
    let text = text[argument.byte_range()].trim();
    let (class, rest) = text.split_once("::class")?;
    let is_name = is_path_of_type(class);
    match rest {
        "" if is_name => Some(format!("KClass<{class}>")),
        ".java" | ".javaObjectType" if is_name => Some(format!("Class<{class}>")),
        _ => None,
    }
}

/// What comes before the annotations and modifiers at the end of a text.
fn without_modifiers(text: &str) -> &str {
    let mut text = text.trim_end();
    for _ in 0..16 {
        let modifier = ["public", "internal", "private", "protected"]
            .iter()
            .find_map(|word| text.strip_suffix(word));
        let name = modifier.is_none().then(|| {
            let open = text.ends_with(')').then(|| text.rfind('(')).flatten();
            let name = open.map_or(text, |open| &text[..open]);
            let name = name.trim_end_matches(|c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ':'));
            name.strip_suffix('@')
        });
        match modifier.or(name.flatten()) {
            Some(before) => text = before.trim_end(),
            None => break,
        }
    }
    text
}

/// `$name` in a text; what is in braces has nodes of its own.
fn words(text: &str, found: &mut WordSink<'_>) -> Option<RefIdx> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    for (at, _) in text.match_indices('$') {
        let name = &text[at + 1..];
        let end = name.find(|c| !is_word(c)).unwrap_or(name.len());
        let is_escaped = text[..at].ends_with('\\');
        if end > 0 && !is_escaped && !name.starts_with(|c: char| c.is_ascii_digit()) {
            found(at + 1..at + 1 + end, Role::Variable, Before::Nothing);
        }
    }
    None
}

/// A parameter's default and its `vararg` stand beside it.
fn local_kind(node: Node<'_>, text: &str) -> LocalKind {
    let is_optional = || node.next_sibling().is_some_and(|next| next.kind() == "=");
    let is_rest = || {
        let before = node
            .prev_sibling()
            .filter(|before| before.kind() == "parameter_modifiers");
        before.is_some_and(|before| text[before.byte_range()].contains("vararg"))
    };
    match node.kind() {
        "parameter" if is_rest() => LocalKind::Rest,
        "parameter" if is_optional() => LocalKind::Optional,
        _ => LocalKind::Plain,
    }
}

fn visibility(definition: &Definition<'_>) -> Option<Visibility> {
    let mut children = definition.node.children();
    let modifiers = children.find(|child| child.kind() == "modifiers");
    let modifiers = modifiers.map_or("", |modifiers| &definition.text[modifiers.byte_range()]);
    let stated = modifiers.split_whitespace().find_map(|word| match word {
        "public" => Some(Visibility::Public),
        "protected" => Some(Visibility::Protected),
        "internal" => Some(Visibility::Internal),
        "private" => Some(Visibility::Private),
        _ => None,
    });
    if stated.is_some() {
        return stated;
    }
    match (definition.kind, definition.parent) {
        (SymbolKind::Namespace | SymbolKind::Variant | SymbolKind::Test, _) => None,
        (_, Some(parent)) if !parent.has_members() => None,
        _ => Some(Visibility::Public),
    }
}

/// JUnit, kotlin.test, Kotest.
fn is_test(definition: &Definition<'_>) -> bool {
    match definition.kind {
        SymbolKind::Test => true,
        SymbolKind::Class => {
            let name = definition.name;
            name.ends_with("Test")
                || name.ends_with("Tests")
                || [
                    "FunSpec",
                    "StringSpec",
                    "DescribeSpec",
                    "ShouldSpec",
                    "BehaviorSpec",
                    "FreeSpec",
                    "WordSpec",
                ]
                .iter()
                .any(|spec| definition.head.contains(spec))
        }
        SymbolKind::Function | SymbolKind::Method => {
            let written = java::annotations(definition.head).chain(java::annotations(definition.lead));
            written.into_iter().any(java::is_test_annotation)
        }
        _ => false,
    }
}

fn kind(definition: &Definition<'_>) -> SymbolKind {
    let in_members = definition
        .parent
        .is_some_and(|parent| parent.has_members() || parent == SymbolKind::Variant);
    match definition.node.kind() {
        "property_declaration" => {
            // By the language's word, or by the convention for what never changes.
            let is_shared = matches!(definition.parent, None | Some(SymbolKind::Object));
            let mut words = definition.modifiers();
            let is_constant =
                words.any(|word| word == "const" || (word == "val" && is_shared && is_loud(definition.name)));
            match definition.kind {
                _ if is_constant => SymbolKind::Constant,
                SymbolKind::Variable if !in_members => SymbolKind::Variable,
                _ => SymbolKind::Property,
            }
        }
        // In the body of an enum's entry, or of an object inside a function.
        "function_declaration" if definition.kind == SymbolKind::Function && definition.parent.is_some() => {
            let around = definition.node.parent().map(|around| around.kind());
            match around {
                Some("class_body") => SymbolKind::Method,
                _ => SymbolKind::Function,
            }
        }
        _ => definition.kind,
    }
}

fn is_loud(name: &str) -> bool {
    name.bytes()
        .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
}

/// `import a.b.C`, `import a.b.*`, `import a.b.C as D`
fn imports(node: Node<'_>, walk: &mut Walk<'_>) {
    let at = node.start_byte() as u32;
    let (mut path, mut alias, mut wildcard) = (None, None, false);
    for child in node.children() {
        match child.kind() {
            "qualified_identifier" => path = Some(child),
            "identifier" if path.is_none() => path = Some(child),
            "identifier" => alias = Some(walk.text(child)),
            "*" => wildcard = true,
            _ => {}
        }
    }
    let Some(path) = path else { return };
    let path: String = walk.text(path).split_whitespace().collect();
    match path.rsplit_once('.') {
        Some((module, item)) if !wildcard => walk.import_text(module, Some(item), alias, false, false, at),
        _ => walk.import_text(&path, None, alias, wildcard, false, at),
    }
}

/// The name and the receiver's type of `fun A.f()` and `val A.p`.
fn declared(node: Node<'_>) -> Option<Declared<'_>> {
    let children: Vec<Node<'_>> = node.named_children().collect();
    let mut types = children.iter().copied().filter(|child| {
        matches!(
            child.kind(),
            "user_type" | "nullable_type" | "parenthesized_type" | "non_nullable_type"
        )
    });
    let receiver = types.next();
    if node.kind() == "function_declaration" {
        let name = node.child_by_field_name("name")?;
        let receiver = receiver.filter(|receiver| receiver.start_byte() < name.start_byte());
        return Some(Declared {
            name,
            owner: receiver.and_then(type_name),
        });
    }
    let variable = children.iter().find(|child| child.kind() == "variable_declaration")?;
    let name = variable
        .named_child(0)
        .filter(|name| name.kind() == "identifier" && !name.byte_range().is_empty());
    match name {
        Some(name) => Some(Declared {
            name,
            owner: receiver.and_then(type_name),
        }),
        // The grammar takes `A.p` for a type and misses the name.
        None => {
            let path = receiver.filter(|receiver| receiver.kind() == "user_type")?;
            let names: Vec<Node<'_>> = path
                .named_children()
                .filter(|part| part.kind() == "identifier")
                .collect();
            let (name, before) = names.split_last()?;
            Some(Declared {
                name: *name,
                owner: before.last().copied(),
            })
        }
    }
}

/// The last name of a type's path.
fn type_name(node: Node<'_>) -> Option<Node<'_>> {
    let mut node = node;
    // `(A.B<C>)?`: nobody wraps deeper.
    for _ in 0..4 {
        let inner: Vec<Node<'_>> = node.named_children().collect();
        if node.kind() == "user_type" {
            return inner.into_iter().rfind(|part| part.kind() == "identifier");
        }
        node = inner.into_iter().find(|part| part.kind().ends_with("_type"))?;
    }
    None
}

/// Names whose part is told by their place: the grammar has no fields for paths and members.
fn tokens<'t>(node: Node<'t>, sink: &mut TokenSink<'_, 't>) {
    let parts: Vec<Node<'t>> = node.named_children().filter(|part| !part.is_extra()).collect();
    match node.kind() {
        "navigation_expression" => member_of(node, Role::Member, sink),
        // `::f`, `A::f`
        "callable_reference" => match parts.as_slice() {
            [name] if name.kind() == "identifier" => sink(*name, Role::Variable, None, None),
            [first, .., name] if name.kind() == "identifier" => sink(*name, Role::Member, Some(*first), None),
            _ => {}
        },
        "delegation_specifier" => {
            let base = parts.into_iter().find(|part| part.kind() != "annotation");
            let base = base.and_then(|base| match base.kind() {
                "constructor_invocation" | "explicit_delegation" => base.named_child(0),
                _ => Some(base),
            });
            if let Some(name) = base.and_then(type_name) {
                let before = name.prev_named_sibling().filter(|before| before.kind() == "identifier");
                sink(name, Role::Implementation, None, before);
            }
        }
        // A type with a path.
        _ => {
            let names: Vec<Node<'t>> = parts.into_iter().filter(|part| part.kind() == "identifier").collect();
            if let Some((name, path)) = names.split_last() {
                sink(*name, Role::Type, None, path.last().copied());
                for part in path {
                    sink(*part, Role::Variable, None, None);
                }
            }
        }
    }
}

/// `ArrayList<Shape>()` and `mutableListOf<Shape>()` say what they hold.
fn made_type(value: Node<'_>, text: &str) -> Option<Range<usize>> {
    let made = value.child(0).filter(|made| made.kind() == "identifier")?;
    let held = made.next_sibling().filter(|held| held.kind() == "type_arguments")?;
    let name = &text[made.byte_range()];
    let is_holder = name.starts_with(char::is_uppercase) || name.ends_with("Of");
    is_holder.then(|| made.start_byte()..held.end_byte())
}

/// What hands a lambda its parameter, or the one that it does not name.
fn handed(parameter: Node<'_>, _: &str) -> Option<Handed> {
    if parameter.kind() == "{" {
        return handed_to(parameter.parent()?, 0);
    }
    let declared = parameter.parent()?;
    let list = declared.parent().filter(|list| list.kind() == "lambda_parameters")?;
    handed_to(list.parent()?, place_in(list, declared)?)
}

/// What hands a lambda one of its parameters.
fn handed_to(lambda: Node<'_>, nth: usize) -> Option<Handed> {
    let holder = lambda.parent()?;
    let whole = match holder.kind() {
        "annotated_lambda" => Whole::Taken(called(holder.parent()?)?.start_byte() as u32, ArgumentSlot::Trailing),
        "value_argument" => {
            let list = holder.parent()?;
            let call = called(list.parent()?)?;
            let slot = ArgumentSlot::Nth(place_in(list, holder)? as u32);
            Whole::Taken(call.start_byte() as u32, slot)
        }
        "assignment" => Whole::Assigned(last_name(holder.child_by_field_name("left")?)?.start_byte() as u32),
        "property_declaration" => {
            let mut parts = holder.named_children();
            let variable = parts.find(|part| part.kind() == "variable_declaration")?;
            let ty = variable.named_child(1)?;
            Whole::Type(span_of(ty))
        }
        _ => return None,
    };
    let key = None;
    Some(Handed { whole, key, nth })
}

/// The name of what is called.
fn called(call: Node<'_>) -> Option<Node<'_>> {
    let mut callee = call.child(0)?;
    // `f(1) { .. }` is a call of a call.
    if callee.kind() == "call_expression" {
        callee = callee.child(0)?;
    }
    last_name(callee)
}

fn last_name(expression: Node<'_>) -> Option<Node<'_>> {
    let name = match expression.kind() {
        "navigation_expression" => expression.named_children().last()?,
        _ => expression,
    };
    (name.kind() == "identifier").then_some(name)
}

/// The place of a node among those beside it.
fn place_in(list: Node<'_>, wanted: Node<'_>) -> Option<usize> {
    let mut all = list.named_children().filter(|one| !one.is_extra());
    all.position(|one| one.id() == wanted.id())
}

/// `val (a, b) = pair`, `for ((key, value) in map)`, `{ (a, b) -> .. }`
fn apart<'t>(local: Node<'t>, _: &str) -> Option<Apart<'t>> {
    let declared = local
        .parent()
        .filter(|declared| declared.kind() == "variable_declaration")?;
    let several = declared
        .parent()
        .filter(|several| several.kind() == "multi_variable_declaration")?;
    let holder = several.parent()?;
    let part = PatternStep::Component(place_in(several, declared)? as u32);
    let behind = |word: &str| {
        let mut children = holder.children().skip_while(|child| child.kind() != word);
        children.nth(1)
    };
    let (steps, whole) = match holder.kind() {
        "property_declaration" => (vec![part], TakenFrom::Value(behind("=")?)),
        "for_statement" => (vec![PatternStep::Element, part], TakenFrom::Value(behind("in")?)),
        "lambda_parameters" => {
            let handed = handed_to(holder.parent()?, place_in(holder, several)?)?;
            (vec![part], TakenFrom::Handed(handed))
        }
        _ => return None,
    };
    Some(Apart { steps, whole })
}

/// A block has the value of what is last in it, and what chooses that of the first branch which has one.
fn valued(node: Node<'_>) -> Option<Node<'_>> {
    let mut parts = node.named_children().filter(|part| !part.is_extra());
    let has_value = |part: &Node<'_>| {
        let is_null = part.kind() == "identifier" && part.byte_range().len() == 4;
        !is_null && !matches!(part.kind(), "throw_expression" | "return_expression")
    };
    match node.kind() {
        "annotated_lambda" => parts.find(|part| part.kind() == "lambda_literal"),
        "lambda_literal" | "block" | "when_entry" => parts.last().filter(|last| last.kind() != "lambda_parameters"),
        "if_expression" => {
            let branches: Vec<Node<'_>> = parts.skip(1).collect();
            branches.iter().copied().find(has_value).or(branches.first().copied())
        }
        "when_expression" => {
            let entries = parts.filter(|part| part.kind() == "when_entry");
            let mut entries = entries.filter(|entry| valued(*entry).is_some_and(|value| has_value(&value)));
            entries.next()
        }
        "try_expression" => parts.find(|part| part.kind() == "block"),
        "infix_expression" => parts.nth(1),
        // `shape as geo.Circle?`
        "as_expression" => type_name(node.child_by_field_name("right")?),
        _ => None,
    }
}

/// `a.b`, `a?.b`, `a::b`, and `A::class`, which has no name behind.
fn member_of<'t>(node: Node<'t>, role: Role, sink: &mut TokenSink<'_, 't>) {
    let parts: Vec<Node<'t>> = node.named_children().filter(|part| !part.is_extra()).collect();
    match parts.as_slice() {
        [only] if only.kind() == "identifier" => sink(*only, Role::Type, None, None),
        [first, .., name] if name.kind() == "identifier" => {
            sink(*name, role, Some(*first), None);
            if first.kind() == "identifier" {
                sink(*first, Role::Variable, None, None);
            }
        }
        _ => {}
    }
}

/// Words that no name can be.
const RESERVED: &str = "\
    as break class continue do else false for fun if in interface is null object package return super this throw \
    true try typealias typeof val var when while";

/// `f(name = 1)`
fn argument_label(node: Node<'_>) -> Option<Node<'_>> {
    let first = node.named_child(0).filter(|_| node.kind() == "value_argument")?;
    (first.next_sibling()?.kind() == "=").then_some(first)
}

/// `"$name"`; the grammar sees `"${name}"`.
fn interpolated(node: Node<'_>, text: &str, name: &str) -> Vec<Interpolated> {
    if !node.kind().ends_with("string_literal") {
        return Vec::new();
    }
    let inside = &text[node.byte_range()];
    let is_name = |at: &usize| {
        let behind = inside[at + 1 + name.len()..].chars().next();
        !inside[..*at].ends_with('\\') && !behind.is_some_and(|c| c.is_alphanumeric() || c == '_')
    };
    let marked = format!("${name}");
    let dollars = inside.match_indices(&marked).map(|(at, _)| at).filter(is_name);
    let places = dollars.map(|at| Interpolated {
        at: (node.start_byte() + at + 1) as u32,
        is_sure: true,
    });
    places.collect()
}
