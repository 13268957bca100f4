//! Go.

use std::ops::Range;

use super::{CONVENTIONS, Conventions, DEFAULT, Definition, Hooks, Lang, Syntax, lang};
use crate::{
    facts::{Shape, SymbolKind, Visibility},
    tree::Node,
};

pub(super) const LANG: Lang = lang("go", &["golang"], &["go"], &[], &[])
    .with(&SYNTAX)
    .with_conventions(Conventions {
        implicit_package: true,
        ..CONVENTIONS
    });

static SYNTAX: Syntax = Syntax::new(
    tree_sitter_go::LANGUAGE,
    include_str!("go.scm"),
    Hooks {
        visibility,
        is_test,
        has_tuples: true,
        shape,
        made_type,
        condition,
        reserved: RESERVED,
        ..DEFAULT
    },
);

/// A name is exported by its first letter; any other is known to its whole package.
fn visibility(definition: &Definition<'_>) -> Option<Visibility> {
    if definition.kind == SymbolKind::Namespace {
        return None;
    }
    let is_exported = definition.name.starts_with(char::is_uppercase);
    Some(if is_exported {
        Visibility::Public
    } else {
        Visibility::Internal
    })
}

/// Types that need no import. They are no references, and are told apart by their names.
const BUILTIN: &[&str] = &[
    "bool",
    "byte",
    "chan",
    "comparable",
    "complex128",
    "complex64",
    "error",
    "float32",
    "float64",
    "int",
    "int16",
    "int32",
    "int64",
    "int8",
    "interface",
    "map",
    "rune",
    "string",
    "struct",
    "uint",
    "uint16",
    "uint32",
    "uint64",
    "uint8",
    "uintptr",
];

/// `(_;[]byte)error` for `Write(to Place, data []byte) error`: whichever other types there are, the graph knows.
fn shape(method: Node<'_>, text: &str) -> Option<Shape> {
    let mut shape = String::from("(");
    let parameters = method.child_by_field_name("parameters")?;
    add_types(parameters, text, &mut shape);
    shape.push(')');
    if let Some(result) = method.child_by_field_name("result") {
        match result.kind() {
            "parameter_list" => add_types(result, text, &mut shape),
            _ => shape.push_str(&type_shape(&text[result.byte_range()])),
        }
    }
    Some(Shape::Signature(shape))
}

/// The types of a list, each as often as it has names.
fn add_types(list: Node<'_>, text: &str, shape: &mut String) {
    let mut is_first = true;
    for one in list.named_children() {
        let Some(ty) = one.child_by_field_name("type") else {
            continue;
        };
        let count = one.children_by_field_name("name").count().max(1);
        let dots = if one.kind().starts_with("variadic") { "..." } else { "" };
        let ty = type_shape(&text[ty.byte_range()]);
        for _ in 0..count {
            if !std::mem::take(&mut is_first) {
                shape.push(';');
            }
            shape.push_str(dots);
            shape.push_str(&ty);
        }
    }
}

fn type_shape(text: &str) -> String {
    // Parameters of functions may have names, and fields do.
    if text.starts_with("func") {
        return "func".to_owned();
    }
    if text.contains("func") || text.contains(" {") || text.contains("{ ") {
        return "?".to_owned();
    }
    let mut shape = String::new();
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = if is_word(first) {
            rest.find(|c| !is_word(c) && c != '.').unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        match &rest[..end] {
            "any" => shape.push_str("interface{}"),
            word if !is_word(first) || BUILTIN.contains(&word) => shape.push_str(word.trim()),
            _ => shape.push('_'),
        }
        rest = &rest[end..];
    }
    shape
}

/// The type of a list, a map, a channel or a struct that is made where it has no other name: `[]Shape{..}`, `make(chan Shape)`.
fn made_type(value: Node<'_>, text: &str) -> Option<Range<usize>> {
    let ty = match value.kind() {
        "composite_literal" => value.child_by_field_name("type")?,
        "call_expression" if &text[value.child_by_field_name("function")?.byte_range()] == "make" => {
            value.child_by_field_name("arguments")?.named_child(0)?
        }
        _ => return None,
    };
    let is_written_out = matches!(
        ty.kind(),
        "slice_type" | "array_type" | "implicit_length_array_type" | "map_type" | "channel_type" | "struct_type"
    );
    is_written_out.then(|| ty.byte_range())
}

/// Longer conditions are nobody's.
const MAX_CONDITION: usize = 200;

/// What must hold for a file to be built: `//go:build linux && !cgo`.
fn condition(text: &str) -> Option<&str> {
    let before = text.lines().take_while(|line| !line.starts_with("package "));
    let mut conditions = before.filter_map(|line| line.strip_prefix("//go:build "));
    conditions
        .next()
        .map(str::trim)
        .filter(|one| one.len() <= MAX_CONDITION)
}

/// What `go test` runs, and the methods of test suites that take nothing.
fn is_test(definition: &Definition<'_>) -> bool {
    let is_named = |prefix: &str| {
        let rest = definition.name.strip_prefix(prefix);
        rest.is_some_and(|rest| !rest.starts_with(char::is_lowercase))
    };
    let takes_nothing = || definition.head.trim_end().ends_with("()");
    match definition.kind {
        SymbolKind::Function if ["Test", "Benchmark", "Fuzz"].into_iter().any(is_named) => {
            // One that takes a `testing.TB`, or something more, is called by tests.
            let head = definition.head.trim_end();
            ["*testing.T)", "*testing.B)", "*testing.F)", "*testing.M)"]
                .into_iter()
                .any(|taken| head.ends_with(taken))
        }
        SymbolKind::Function => is_named("Example") && takes_nothing(),
        SymbolKind::Method => is_named("Test") && takes_nothing() && definition.parent.is_none(),
        _ => false,
    }
}

/// Words that no name can be.
const RESERVED: &str = "\
    break case chan const continue default defer else fallthrough for func go goto if import interface map package \
    range return select struct switch type var";
