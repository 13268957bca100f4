//! Scala, 2 and 3.

use super::{CONVENTIONS, Conventions, DEFAULT, Definition, Hooks, Lang, Syntax, java, lang};
use crate::{
    extract::{Apart, Handed, TakenFrom, Walk, Whole, span_of},
    facts::{ArgValue, ArgumentSlot, LocalKind, PatternStep, SymbolKind, Visibility},
    tree::Node,
};

pub(super) const LANG: Lang = lang("scala", &[], &["scala", "sc", "sbt"], &[], &["scala"])
    .with(&SYNTAX)
    .with_conventions(Conventions {
        implicit_package: true,
        ..CONVENTIONS
    });

static SYNTAX: Syntax = Syntax::new(
    tree_sitter_scala::LANGUAGE,
    include_str!("scala.scm"),
    Hooks {
        visibility,
        is_test,
        kind,
        imports: Some(imports),
        local_kind,
        handed,
        apart,
        valued,
        given,
        has_function_values: true,
        has_operators: true,
        masked: Some(masked),
        attributes: &["@"],
        reserved: RESERVED,
        argument_label,
        named_by_callers: |_, _| true,
        ..DEFAULT
    },
);

/// Words of Scala 3 that are names in Scala 2, and to the grammar words wherever they stand. Where nothing is behind them
/// that they could be about they are names, which it gets to see written in another way.
fn masked(text: &str) -> Option<String> {
    let mut masked: Option<Vec<u8>> = None;
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
    for word in ["enum", "given", "inline"] {
        for (at, _) in text.match_indices(word) {
            let (before, behind) = (&text[..at], &text[at + word.len()..]);
            if before.ends_with(is_word) || behind.starts_with(is_word) {
                continue;
            }
            let line = before.rsplit('\n').next().unwrap_or(before).trim_start();
            if line.starts_with("import ") || line.starts_with("export ") {
                continue;
            }
            let declared = before.trim_end_matches(' ');
            let is_declared =
                declared.len() < before.len() && ["def", "val", "var"].iter().any(|begins| declared.ends_with(begins));
            let next = behind.trim_start_matches(' ');
            let goes_on =
                next.starts_with(|c: char| is_word(c) || matches!(c, '`' | '[' | '(' | '{' | '\n' | '\r' | '/'));
            if is_declared || before.ends_with('.') || behind.starts_with('(') || !goes_on {
                let last = at + word.len() - 1;
                let masked = masked.get_or_insert_with(|| text.as_bytes().to_vec());
                masked[last] = masked[last].to_ascii_uppercase();
            }
        }
    }
    masked.and_then(|masked| String::from_utf8(masked).ok())
}

/// A call gives one list of arguments; those of further lists are given by what is behind it, or by nobody.
fn local_kind(node: Node<'_>, _: &str) -> LocalKind {
    let list = node
        .parent()
        .filter(|list| node.kind() == "parameter" && list.kind() == "parameters");
    let before = list.and_then(|list| list.prev_named_sibling());
    match before {
        Some(before) if before.kind() == "parameters" => LocalKind::Optional,
        _ => LocalKind::Plain,
    }
}

/// How far out patterns and functions are looked for that a name is a part of.
const MAX_OUT: usize = 12;

/// The place of a node among those beside it.
fn place_in(list: Node<'_>, wanted: Node<'_>) -> Option<usize> {
    let mut all = list.named_children().filter(|one| !one.is_extra());
    all.position(|one| one.id() == wanted.id())
}

/// What hands a function its parameter; one without a name stands in the function itself: `_.name`.
fn handed(parameter: Node<'_>, _: &str) -> Option<Handed> {
    let outer = parameter.parent()?;
    match (parameter.kind(), outer.kind()) {
        ("wildcard", _) => handed_to_hole(parameter),
        (_, "lambda_expression") => handed_to(outer, 0),
        (_, "binding") => {
            let list = outer.parent()?;
            handed_to(list.parent()?, place_in(list, outer)?)
        }
        _ => None,
    }
}

/// The expression that a parameter without a name is in is the function.
fn handed_to_hole(hole: Node<'_>) -> Option<Handed> {
    let mut function = hole;
    for _ in 0..MAX_OUT {
        let outer = function.parent()?;
        let is_function = match outer.kind() {
            "arguments" | "parenthesized_expression" => function.id() != hole.id(),
            "block" => true,
            _ => false,
        };
        if is_function {
            let nth = holes_before(function, hole);
            return handed_to(function, nth);
        }
        function = outer;
    }
    None
}

/// How many parameters without a name are in an expression before one.
fn holes_before(function: Node<'_>, hole: Node<'_>) -> usize {
    let before = function.with_inside().take_while(|node| *node != hole);
    before.filter(|node| node.kind() == "wildcard").count()
}

/// What hands a function one of its parameters.
fn handed_to(function: Node<'_>, nth: usize) -> Option<Handed> {
    let holder = function.parent()?;
    let key = None;
    let (list, place) = match holder.kind() {
        "arguments" => (holder, place_in(holder, function)?),
        // `all.foreach { one => .. }`, `all foreach (..)`
        "block" | "parenthesized_expression" => (holder, 0),
        "call_expression" | "infix_expression" => (function, 0),
        "val_definition" | "var_definition" => {
            let whole = Whole::Type(span_of(holder.child_by_field_name("type")?));
            return Some(Handed { whole, key, nth });
        }
        _ => return None,
    };
    let call = list.parent()?;
    let whole = match call.kind() {
        "infix_expression" => Whole::Taken(
            call.child_by_field_name("operator")?.start_byte() as u32,
            ArgumentSlot::Nth(0),
        ),
        "call_expression" => {
            let (name, before) = called(call.child_by_field_name("function")?)?;
            let slot = ArgumentSlot::Nth((before + place) as u32);
            Whole::Taken(name.start_byte() as u32, slot)
        }
        _ => return None,
    };
    Some(Handed { whole, key, nth })
}

/// The name of what is called, and how much it is given by lists before.
fn called(callee: Node<'_>) -> Option<(Node<'_>, usize)> {
    let mut callee = callee;
    let mut before = 0;
    for _ in 0..MAX_OUT {
        callee = match callee.kind() {
            "call_expression" => {
                let list = callee.child_by_field_name("arguments")?;
                before += match list.kind() {
                    "arguments" => list.named_child_count(),
                    _ => 1,
                };
                callee.child_by_field_name("function")?
            }
            "generic_function" => callee.child_by_field_name("function")?,
            "field_expression" => callee.child_by_field_name("field")?,
            "identifier" => return Some((callee, before)),
            _ => return None,
        };
    }
    None
}

/// What a name in a pattern is taken out of.
fn apart<'t>(local: Node<'t>, text: &str) -> Option<Apart<'t>> {
    let mut steps = Vec::new();
    let mut inner = local;
    for _ in 0..MAX_OUT {
        let outer = inner.parent()?;
        let is = |field: &str| {
            outer
                .child_by_field_name(field)
                .is_some_and(|part| part.id() == inner.id())
        };
        let whole = match outer.kind() {
            "tuple_pattern" => {
                steps.push(PatternStep::Component(place_in(outer, inner)? as u32));
                None
            }
            "case_class_pattern" => {
                let ty = outer.child_by_field_name("type")?;
                // The type comes first.
                let nth = place_in(outer, inner)?.checked_sub(1)?;
                let pattern = ty.byte_range();
                steps.push(PatternStep::NamedComponent {
                    pattern,
                    index: nth as u32,
                });
                None
            }
            "infix_pattern" => {
                let operator = outer.child_by_field_name("operator")?;
                let is_one = match &text[operator.byte_range()] {
                    "::" | "+:" => is("left"),
                    ":+" => is("right"),
                    _ => return None,
                };
                steps.extend(is_one.then_some(PatternStep::Element));
                None
            }
            "capture_pattern" if is("name") => {
                let pattern = outer.child_by_field_name("pattern")?;
                let ty = pattern.child_by_field_name("type");
                steps.extend(ty.map(|ty| PatternStep::As(ty.byte_range())));
                None
            }
            "capture_pattern" | "alternative_pattern" => None,
            "case_clause" if is("pattern") => Some(matched(outer.parent()?)?),
            "enumerator" if place_in(outer, inner) == Some(0) => {
                let is_given = outer.child(1).is_some_and(|mark| mark.kind() == "=");
                steps.extend((!is_given).then_some(PatternStep::Element));
                let value = outer.named_children().last()?;
                Some(TakenFrom::Value(value))
            }
            "val_definition" | "var_definition" if !steps.is_empty() => {
                Some(TakenFrom::Value(outer.child_by_field_name("value")?))
            }
            _ => return None,
        };
        if let Some(whole) = whole {
            return Some(Apart::climbed(steps, whole));
        }
        inner = outer;
    }
    None
}

/// What cases are held against: a value, or what is handed to the function that they are.
fn matched(cases: Node<'_>) -> Option<TakenFrom<'_>> {
    let outer = cases.parent()?;
    match outer.kind() {
        "match_expression" => Some(TakenFrom::Value(outer.child_by_field_name("value")?)),
        "call_expression" | "infix_expression" => handed_to(cases, 0).map(TakenFrom::Handed),
        _ => None,
    }
}

/// A block has the value of what is last in it, and what chooses that of its first case.
fn valued(node: Node<'_>) -> Option<Node<'_>> {
    let mut parts = node.named_children().filter(|part| !part.is_extra());
    match node.kind() {
        "block" | "indented_block" | "lambda_expression" => parts.last(),
        "match_expression" => node.child_by_field_name("body"),
        "case_block" | "indented_cases" => parts.find(|part| part.kind() == "case_clause"),
        "case_clause" | "for_expression" | "try_expression" => node.child_by_field_name("body"),
        _ => None,
    }
}

/// An expression with a parameter that has no name is a function.
fn given(argument: Node<'_>, _: &str) -> Option<ArgValue> {
    let mut open = vec![argument];
    for _ in 0..MAX_OUT {
        let node = open.pop()?;
        let parts: &[&str] = match node.kind() {
            "wildcard" if node.id() != argument.id() => return Some(ArgValue::Function),
            "field_expression" => &["value"],
            "call_expression" => &["function"],
            "infix_expression" => &["right", "left"],
            "parenthesized_expression" => {
                open.extend(node.named_child(0));
                continue;
            }
            _ => continue,
        };
        open.extend(parts.iter().filter_map(|part| node.child_by_field_name(part)));
    }
    None
}

fn visibility(definition: &Definition<'_>) -> Option<Visibility> {
    // `private val (a, b)` has its modifiers around the pattern.
    let is_member = definition.parent.is_some_and(|parent| parent.has_members());
    let is_pattern = is_member && definition.node.kind().ends_with("_pattern");
    let whole = is_pattern.then(|| definition.node.parent()).flatten();
    let head = whole.map_or(definition.head, |whole| &definition.text[whole.byte_range()]);
    // In the words before the name: `private[this] lazy val x`.
    let before = head.find(definition.name).map_or(head, |at| &head[..at]);
    for word in before.split_whitespace() {
        match word
            .split_once('[')
            .map_or((word, None), |(word, rest)| (word, Some(rest)))
        {
            ("private" | "protected", Some(within)) if !within.starts_with("this") => {
                return Some(Visibility::Internal);
            }
            ("private", _) => return Some(Visibility::Private),
            ("protected", _) => return Some(Visibility::Protected),
            _ => {}
        }
    }
    match (definition.kind, definition.parent) {
        (SymbolKind::Namespace | SymbolKind::Variant | SymbolKind::Test | SymbolKind::Impl, _) => None,
        // Inside a function, or in the block that makes a value.
        (_, Some(parent))
            if !(parent.has_members() || matches!(parent, SymbolKind::Namespace | SymbolKind::Variant)) =>
        {
            None
        }
        // Without `val` a parameter of a class is seen inside only, unless it is a case class.
        (_, Some(SymbolKind::Class | SymbolKind::Trait | SymbolKind::Enum))
            if definition.node.kind() == "class_parameter" =>
        {
            let is_value = before.split_whitespace().any(|word| word == "val" || word == "var");
            let is_case = definition.parent_head.split_whitespace().any(|word| word == "case");
            Some(if is_value || is_case {
                Visibility::Public
            } else {
                Visibility::Private
            })
        }
        _ => Some(Visibility::Public),
    }
}

/// ScalaTest, MUnit, specs2, utest, ZIO, JUnit.
fn is_test(definition: &Definition<'_>) -> bool {
    match definition.kind {
        SymbolKind::Test => true,
        SymbolKind::Class | SymbolKind::Object => {
            let name = definition.name;
            let inherits = definition.head.split_once("extends").is_some_and(|(_, bases)| {
                bases.split(|c: char| !c.is_alphanumeric()).any(|base| {
                    base.ends_with("Spec") || base.ends_with("Suite") || base == "Specification" || base == "TestSuite"
                })
            });
            inherits || ["Test", "Tests", "Spec", "Suite"].iter().any(|end| name.ends_with(end))
        }
        SymbolKind::Function | SymbolKind::Method => java::annotations(definition.head).any(java::is_test_annotation),
        _ => false,
    }
}

fn kind(definition: &Definition<'_>) -> SymbolKind {
    match definition.node.kind() {
        "class_parameter" => SymbolKind::Field,
        "function_definition" | "function_declaration" => match (definition.kind, definition.parent) {
            (SymbolKind::Method, _) if definition.name == "this" => SymbolKind::Constructor,
            // Inside a function it may yet belong to an anonymous class.
            (SymbolKind::Function, Some(_)) => match definition.node.parent().map(|around| around.kind()) {
                Some("template_body" | "with_template_body") if definition.parent != Some(SymbolKind::Namespace) => {
                    SymbolKind::Method
                }
                _ => SymbolKind::Function,
            },
            (kind, _) => kind,
        },
        // What cannot change and has a name like a type's, in one place for all.
        "val_definition" => {
            let is_shared = matches!(
                definition.parent,
                None | Some(SymbolKind::Object | SymbolKind::Namespace)
            );
            let is_named = definition.name.starts_with(|c: char| c.is_uppercase());
            if is_shared && is_named {
                SymbolKind::Constant
            } else {
                definition.kind
            }
        }
        _ => definition.kind,
    }
}

/// `import a.b.C, d.e._` and `import a.{b, c => d, e as _, *}` are one import for each name; `export` offers them too.
fn imports(node: Node<'_>, walk: &mut Walk<'_>) {
    let at = node.start_byte() as u32;
    let reexport = node.kind() == "export_declaration";
    let children: Vec<Node<'_>> = node.children().collect();
    for clause in children.split(|child| child.kind() == ",") {
        let mut path: Vec<&str> = Vec::new();
        let mut is_done = false;
        for child in clause {
            match child.kind() {
                "identifier" | "operator_identifier" => path.push(walk.text(*child)),
                // `given T`: instances by their type.
                "namespace_wildcard" | "given" => {
                    walk.import_text(&path.join("."), None, None, true, reexport, at);
                    is_done = true;
                }
                "namespace_selectors" => {
                    selectors(*child, &path.join("."), reexport, walk);
                    is_done = true;
                }
                "as_renamed_identifier" | "arrow_renamed_identifier" => {
                    selector(*child, &path.join("."), reexport, walk);
                    is_done = true;
                }
                _ => {}
            }
        }
        if let (false, Some((item, module))) = (is_done, path.split_last()) {
            if module.is_empty() {
                walk.import_text(item, None, None, false, reexport, at);
            } else {
                walk.import_text(&module.join("."), Some(item), None, false, reexport, at);
            }
        }
    }
}

fn selectors(node: Node<'_>, path: &str, reexport: bool, walk: &mut Walk<'_>) {
    let children: Vec<Node<'_>> = node.named_children().collect();
    for child in children {
        selector(child, path, reexport, walk);
    }
}

fn selector(node: Node<'_>, path: &str, reexport: bool, walk: &mut Walk<'_>) {
    let at = node.start_byte() as u32;
    match node.kind() {
        "identifier" | "operator_identifier" => {
            let item = walk.text(node);
            walk.import_text(path, Some(item), None, false, reexport, at);
        }
        "namespace_wildcard" | "wildcard" => walk.import_text(path, None, None, true, reexport, at),
        "as_renamed_identifier" | "arrow_renamed_identifier" => {
            let name = node.child_by_field_name("name").map(|name| walk.text(name));
            let alias = node.child_by_field_name("alias");
            // `{a => _}` hides a name.
            let (Some(name), Some(alias)) = (name, alias.filter(|alias| alias.kind() != "wildcard")) else {
                return;
            };
            let alias = walk.text(alias);
            walk.import_text(path, Some(name), Some(alias), false, reexport, at);
        }
        _ => {}
    }
}

/// Words that no name can be.
const RESERVED: &str = "\
    abstract case catch class def do else extends false final finally for forSome if implicit import lazy match new \
    null object override package private protected return sealed super this throw trait true try type val var while \
    with yield";

/// `f(name = 1)`
fn argument_label(node: Node<'_>) -> Option<Node<'_>> {
    let is_given = node.kind() == "assignment_expression" && node.parent()?.kind() == "arguments";
    let left = node.child_by_field_name("left").filter(|_| is_given)?;
    (left.kind() == "identifier").then_some(left)
}
