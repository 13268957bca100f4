//! Python.

use super::{CONVENTIONS, Conventions, DEFAULT, Definition, Hooks, Lang, Syntax, lang};
use crate::{
    extract::{Apart, TakenFrom, Walk},
    facts::{PatternStep, SymbolKind, Visibility},
    tree::Node,
};

pub(super) const LANG: Lang = lang(
    "python",
    &["py"],
    &["py", "pyi", "pyw"],
    &["SConstruct", "SConscript", "wscript"],
    &["python", "python2", "python3"],
)
.with(&SYNTAX)
.with_conventions(Conventions {
    file_is_module: true,
    ..CONVENTIONS
});

static SYNTAX: Syntax = Syntax::new(
    tree_sitter_python::LANGUAGE,
    include_str!("python.scm"),
    Hooks {
        visibility,
        is_test,
        kind,
        imports: Some(imports),
        masked: Some(without_deep_lines),
        attributes: &["@"],
        reserved: RESERVED,
        written,
        apart,
        has_plain_literals: true,
        argument_label,
        named_by_callers: |_, _| true,
        ..DEFAULT
    },
);

/// By convention: one underscore is private, two at both ends belong to the language.
fn visibility(definition: &Definition<'_>) -> Option<Visibility> {
    let is_special = definition.name.starts_with("__") && definition.name.ends_with("__");
    if definition.name.starts_with('_') && !is_special {
        Some(Visibility::Private)
    } else {
        Some(Visibility::Public)
    }
}

fn is_test(definition: &Definition<'_>) -> bool {
    match definition.kind {
        SymbolKind::Class => definition.name.starts_with("Test") || definition.head.contains("TestCase"),
        kind => kind.is_function() && definition.name.starts_with("test"),
    }
}

fn kind(definition: &Definition<'_>) -> SymbolKind {
    match definition.kind {
        SymbolKind::Method if definition.name == "__init__" => SymbolKind::Constructor,
        SymbolKind::Method if is_property(definition.head) => SymbolKind::Property,
        SymbolKind::Variable if is_constant(definition.name) => SymbolKind::Constant,
        SymbolKind::Class if definition.head.contains("Enum)") => SymbolKind::Enum,
        SymbolKind::Field if definition.parent == Some(SymbolKind::Enum) && is_given(definition.node) => {
            SymbolKind::Variant
        }
        kind => kind,
    }
}

/// Whether what a method gives back is asked for as a value: `@property`, `@functools.cached_property`, `@classproperty`.
fn is_property(head: &str) -> bool {
    let decorators = head.lines().filter_map(|line| line.trim_start().strip_prefix('@'));
    let mut names =
        decorators.filter_map(|line| line.split(|c: char| !(c.is_alphanumeric() || "._".contains(c))).next());
    names.any(|name| name.ends_with("property"))
}

/// `RED = 1` in a class, and not `self.red = 1` in one of its methods.
fn is_given(node: Node<'_>) -> bool {
    node.child_by_field_name("left")
        .is_some_and(|left| left.kind() == "identifier")
        && node.child_by_field_name("right").is_some()
}

fn is_constant(name: &str) -> bool {
    name.bytes()
        .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
        && name.bytes().any(|byte| byte.is_ascii_uppercase())
}

fn imports(node: Node<'_>, walk: &mut Walk<'_>) {
    let at = node.start_byte() as u32;
    let names: Vec<Node<'_>> = node.children_by_field_name("name").collect();
    let module = node.child_by_field_name("module_name");
    let wildcard = node.children().any(|child| child.kind() == "wildcard_import");
    for name in names {
        let (name, alias) = match name.kind() {
            "aliased_import" => (name.child_by_field_name("name"), name.child_by_field_name("alias")),
            _ => (Some(name), None),
        };
        let Some(name) = name else { continue };
        match (node.kind(), module) {
            ("import_statement", _) => walk.import(name, None, alias, false, false, at),
            (_, Some(module)) => walk.import(module, Some(name), alias, false, false, at),
            // `from __future__ import annotations`
            (_, None) => {}
        }
    }
    if let Some(module) = module.filter(|_| wildcard) {
        walk.import(module, None, None, true, false, at);
    }
}

/// A name that is given one of the parts of a value, `first, last = ends()`, or of each that a loop goes through.
fn apart<'t>(local: Node<'t>, text: &str) -> Option<Apart<'t>> {
    let mut local = local;
    let mut pattern = local.parent()?;
    // `self.last`
    if pattern.kind() == "attribute" {
        (local, pattern) = (pattern, pattern.parent()?);
    }
    let nth = place_in(pattern, local)?;
    let holder = pattern.parent()?;
    // `at, (first, last)`
    match place_in(holder, pattern) {
        Some(outer) => {
            let Apart { mut steps, whole } = part(holder, outer, text, true)?;
            steps.push(PatternStep::Component(nth as u32));
            Some(Apart { steps, whole })
        }
        None => part(pattern, nth, text, false),
    }
}

/// Which one of several names something is.
fn place_in(pattern: Node<'_>, part: Node<'_>) -> Option<usize> {
    let is_pattern = matches!(pattern.kind(), "pattern_list" | "tuple_pattern" | "tuple" | "list");
    let mut before = pattern.named_children().take_while(|other| other.id() != part.id());
    // `*rest, last = all`
    let is_known = is_pattern && before.all(|other| other.kind() != "list_splat_pattern");
    is_known.then(|| {
        pattern
            .named_children()
            .take_while(|other| other.id() != part.id())
            .count()
    })
}

/// How what is at a place of a pattern is reached.
fn part<'t>(pattern: Node<'t>, nth: usize, text: &str, is_outer: bool) -> Option<Apart<'t>> {
    let holder = pattern.parent()?;
    let (steps, value) = match holder.kind() {
        "assignment" => {
            let given = holder.child_by_field_name("right")?;
            match given.kind() {
                // Each has its own: `left, right = Left(), Right()`.
                "expression_list" | "tuple" => (Vec::new(), given.named_children().nth(nth)?),
                _ => (vec![PatternStep::Component(nth as u32)], given),
            }
        }
        "for_statement" | "for_in_clause" => {
            let all = holder.child_by_field_name("right")?;
            let called = all.child_by_field_name("function");
            // What is numbered has each as a whole.
            match called.is_some_and(|called| &text[called.byte_range()] == "enumerate") {
                true if is_outer && nth == 1 => (vec![PatternStep::Element], all),
                true => return None,
                false => (vec![PatternStep::ElementComponent(nth as u32)], all),
            }
        }
        "as_pattern_target" => {
            let entered = holder.parent()?.named_children().next()?;
            (vec![PatternStep::ElementComponent(nth as u32)], entered)
        }
        _ => return None,
    };
    let whole = TakenFrom::Value(value);
    Some(Apart { steps, whole })
}

/// The grammar's scanner keeps two bytes for each open indentation in a buffer of a fixed size.
const MAX_INDENT: usize = 400;

/// Lines that are indented deeper than the scanner can bear are not shown to it.
fn without_deep_lines(text: &str) -> Option<String> {
    let is_deep =
        |line: &str| line.len() > MAX_INDENT && line.bytes().take(MAX_INDENT).all(|byte| byte.is_ascii_whitespace());
    if !text.lines().any(is_deep) {
        return None;
    }
    let lines = text.split_inclusive('\n').map(|line| {
        let ending = line.len() - line.trim_end_matches(['\n', '\r']).len();
        if is_deep(line) {
            " ".repeat(line.len() - ending) + &line[line.len() - ending..]
        } else {
            line.to_owned()
        }
    });
    Some(lines.collect())
}

/// What the signs around values say of them.
fn written(argument: Node<'_>, _: &str) -> Option<String> {
    let ty = match argument.kind() {
        "dictionary" | "dictionary_comprehension" => "dict",
        "list" | "list_comprehension" => "list",
        "set" | "set_comprehension" => "set",
        "tuple" => "tuple",
        _ => return None,
    };
    Some(ty.to_owned())
}

/// Words that no name can be.
const RESERVED: &str = "\
    and as assert async await break class continue def del elif else except False finally for from global if import \
    in is lambda None nonlocal not or pass raise return True try while with yield";

/// `f(name=1)`
fn argument_label(node: Node<'_>) -> Option<Node<'_>> {
    let is_given = node.kind() == "keyword_argument";
    is_given.then(|| node.child_by_field_name("name"))?
}
