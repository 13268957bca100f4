//! TypeScript, with and without elements (TSX).

use std::ops::Range;

use source::Span;

use super::{CONVENTIONS, Conventions, Definition, Hooks, Lang, Syntax, javascript, lang, places};
use crate::{
    extract::{Apart, Handed, TakenFrom, Whole, tag_value},
    facts::{ArgumentSlot, PatternStep, SymbolKind},
    tree::Node,
};

/// What a package tells others of code that is not written in TypeScript, or that is built.
pub(super) const DECLARATIONS: &[&str] = &[".d.ts", ".d.mts", ".d.cts"];

pub(super) const LANG: Lang = lang(
    "typescript",
    &["ts", "tsx"],
    &["ts", "tsx", "mts", "cts"],
    &[],
    &["ts-node", "deno", "bun"],
)
.with(&SYNTAX)
.with_conventions(Conventions {
    declaration_files: DECLARATIONS,
    has_shorthand_members: true,
    ..CONVENTIONS
});

static SYNTAX: Syntax = Syntax::new(
    tree_sitter_typescript::LANGUAGE_TYPESCRIPT,
    concat!(
        include_str!("typescript.scm"),
        include_str!("ecmascript.scm"),
        // Where there are tags, `<T>value` is none.
        "(type_assertion (type_arguments (_) @through))\n"
    ),
    Hooks {
        dialect: Some((has_elements, &TSX)),
        masked: Some(masked),
        whole,
        tags,
        handed,
        apart,
        written,
        made_type,
        is_definition,
        ..javascript::HOOKS
    },
);

pub(super) static TSX: Syntax = Syntax::new(
    tree_sitter_typescript::LANGUAGE_TSX,
    concat!(
        include_str!("typescript.scm"),
        include_str!("ecmascript.scm"),
        include_str!("jsx.scm")
    ),
    Hooks {
        masked: Some(masked),
        whole,
        tags,
        handed,
        apart,
        written,
        made_type,
        is_definition,
        ..javascript::HOOKS
    },
);

/// What is given to a field says what it is, and not that there is one.
fn is_definition(definition: &Definition<'_>) -> bool {
    match definition.node.kind() {
        "assignment_expression" => match (javascript::owner_named(definition), definition.kind) {
            (Some(owner), SymbolKind::Field | SymbolKind::Method) => javascript::is_added(definition, owner, false),
            (_, kind) => kind != SymbolKind::Field,
        },
        "pair" if definition.kind == SymbolKind::Property => javascript::is_definition(definition),
        // What a class is given or derived from has members that are none of the class.
        "property_signature" | "method_signature" if definition.parent == Some(SymbolKind::Class) => {
            let outer = std::iter::successors(definition.node.parent(), |node| node.parent()).take(MAX_OUT);
            !outer
                .take_while(|outer| outer.kind() != "class_body")
                .any(|outer| matches!(outer.kind(), "type_parameters" | "class_heritage"))
        }
        _ => true,
    }
}

/// Further out no type is looked for.
const MAX_OUT: usize = 8;

/// The type that an object or a function is held against; or whose an object is that is held against none.
fn whole(value: Node<'_>, text: &str) -> Whole {
    match wanted(value, text) {
        Whole::Unknown if value.kind() == "object" => javascript::returned(value),
        whole => whole,
    }
}

/// The type of what an object or a function is given to.
fn wanted(value: Node<'_>, text: &str) -> Whole {
    if matches!(value.kind(), "jsx_opening_element" | "jsx_self_closing_element") {
        return props(value, text);
    }
    let mut node = value;
    // From the inside.
    let mut steps: Vec<Step> = Vec::new();
    for _ in 0..MAX_OUT {
        match said_around(node, value, &mut steps, text) {
            Said::Further(outer) => node = outer,
            Said::By(whole) => return within(whole, &steps),
            Said::Written(ty) => {
                let is_list = |step: &&Step| **step == Step::Element;
                let lists = steps.iter().rev().take_while(is_list).count();
                steps.truncate(steps.len() - lists);
                let ty = element(ty, lists, text);
                return ty.map_or(Whole::Unknown, |ty| within(Whole::Type(ty), &steps));
            }
            Said::Nowhere => break,
        }
    }
    Whole::Unknown
}

/// Where it is said of what type something is.
enum Said<'n> {
    /// Of what this is part of.
    Further(Node<'n>),
    /// Beside it.
    Written(Node<'n>),
    /// By the declaration of something that is named.
    By(Whole),
    Nowhere,
}

impl<'n> Said<'n> {
    fn written(ty: Option<Node<'n>>) -> Said<'n> {
        ty.map_or(Said::Nowhere, Said::Written)
    }
}

/// Where the type of a node is said, by what is around it. The steps from there to the value are added to.
fn said_around<'n>(node: Node<'n>, value: Node<'n>, steps: &mut Vec<Step>, text: &str) -> Said<'n> {
    let Some(parent) = node.parent() else {
        return Said::Nowhere;
    };
    let field = |name: &str| parent.child_by_field_name(name);
    let is = |name: &str| field(name).is_some_and(|child| child.id() == node.id());
    match parent.kind() {
        "parenthesized_expression" | "non_null_expression" | "ternary_expression" => Said::Further(parent),
        "binary_expression" if is_choice(parent) => Said::Further(parent),
        "array" => {
            steps.push(Step::Element);
            Said::Further(parent)
        }
        // `{ ...(seen && { at: 1 }) }`
        "spread_element" => match parent.parent() {
            Some(outer) if outer.kind() == "object" => Said::Further(outer),
            _ => Said::Nowhere,
        },
        "pair" if is("value") => {
            let key = field("key").filter(|key| matches!(key.kind(), "property_identifier" | "string"));
            let (Some(key), Some(outer)) = (key, parent.parent()) else {
                return Said::Nowhere;
            };
            steps.push(Step::Member(key.byte_range()));
            Said::Further(outer)
        }
        // `as const` says nothing of the type.
        "as_expression" | "satisfies_expression" => Said::written(parent.named_child(1)),
        // `<Shape>{ .. }`
        "type_assertion" => Said::written(parent.named_child(0).and_then(|types| types.named_child(0))),
        "variable_declarator" | "public_field_definition" | "required_parameter" | "optional_parameter"
            if is("value") =>
        {
            Said::written(field("type").and_then(|ty| ty.named_child(0)))
        }
        "assignment_expression" | "augmented_assignment_expression" if is("right") => {
            said_by_assigned(field("left"), steps)
        }
        "return_statement" => said_of_result(node, value, steps),
        "arrow_function" if is("body") => said_of_result(node, value, steps),
        "jsx_expression" => said_by_attribute(parent, steps, text),
        "arguments" => said_by_call(node, parent, text),
        _ => Said::Nowhere,
    }
}

/// What is assigned is what the other side was declared to be.
fn said_by_assigned<'n>(left: Option<Node<'n>>, steps: &mut Vec<Step>) -> Said<'n> {
    let mut left = left;
    // `all[0] = { .. }`
    if let Some(all) = left.filter(|left| left.kind() == "subscript_expression") {
        steps.push(Step::Element);
        left = all.child_by_field_name("object");
    }
    let name = left.map(|left| left.child_by_field_name("property").unwrap_or(left));
    let name = name.filter(|name| name.kind().ends_with("identifier"));
    name.map_or(Said::Nowhere, |name| {
        Said::By(Whole::Assigned(name.start_byte() as u32))
    })
}

/// What a function is held against says what it gives back.
fn said_of_result<'n>(node: Node<'n>, value: Node<'n>, steps: &mut Vec<Step>) -> Said<'n> {
    let Some(function) = javascript::function_around(node) else {
        return Said::Nowhere;
    };
    if let Some(result) = result_of(function) {
        return Said::Written(result);
    }
    let (member, held) = match function.kind() {
        "arrow_function" | "function_expression" => (None, function),
        "method_definition" => {
            let name = function.child_by_field_name("name");
            let outer = function.parent().filter(|outer| outer.kind() == "object");
            let (Some(name), Some(outer)) = (name, outer) else {
                return Said::Nowhere;
            };
            (Some(Step::Member(name.byte_range())), outer)
        }
        _ => return Said::Nowhere,
    };
    if is_result(value, steps) {
        steps.push(Step::Result);
    }
    steps.extend(member);
    Said::Further(held)
}

/// `<Shape at={{ x: 1 }} />`
fn said_by_attribute<'n>(expression: Node<'n>, steps: &mut Vec<Step>, text: &str) -> Said<'n> {
    let attribute = expression.parent().filter(|outer| outer.kind() == "jsx_attribute");
    let name = attribute.and_then(|attribute| attribute.named_child(0));
    let element = attribute.and_then(|attribute| attribute.parent());
    let (Some(name), Some(element)) = (name, element) else {
        return Said::Nowhere;
    };
    steps.push(Step::Member(name.byte_range()));
    match props(element, text) {
        Whole::Unknown => Said::Nowhere,
        whole => Said::By(whole),
    }
}

/// Functions that make components of functions.
const MAKING: &[&str] = &["forwardRef", "memo"];

fn said_by_call<'n>(node: Node<'n>, arguments: Node<'n>, text: &str) -> Said<'n> {
    let Some(call) = arguments.parent() else {
        return Said::Nowhere;
    };
    let callee = call
        .child_by_field_name("function")
        .or(call.child_by_field_name("constructor"));
    let Some(callee) = callee else { return Said::Nowhere };
    let name = callee.child_by_field_name("property").unwrap_or(callee);
    if &text[name.byte_range()] == "freeze" || javascript::gives_back(&text[callee.byte_range()]) {
        return Said::Further(call);
    }
    // `const Box: FC<Props> = memo((props) => ..)`
    let is_typed =
        |holder: Node<'_>| holder.kind() == "variable_declarator" && holder.child_by_field_name("type").is_some();
    if MAKING.contains(&&text[name.byte_range()])
        && call.child_by_field_name("type_arguments").is_none()
        && call.parent().is_some_and(is_typed)
    {
        return Said::Further(call);
    }
    let mut given = arguments.named_children().filter(|one| !one.is_extra());
    let nth = given.position(|one| one.id() == node.id());
    nth.map_or(Said::Nowhere, |nth| {
        Said::By(Whole::Taken(name.start_byte() as u32, ArgumentSlot::Nth(nth as u32)))
    })
}

/// The way from what is held against a type to what is written inside of it.
#[derive(PartialEq, Eq)]
enum Step {
    Element,
    Member(Range<usize>),
    /// What a function gives back is a function; anything else is as if the function was it.
    Result,
}

fn is_result(value: Node<'_>, steps: &[Step]) -> bool {
    let is_function = matches!(value.kind(), "arrow_function" | "function_expression");
    is_function && steps.iter().all(|step| *step == Step::Result)
}

fn within(whole: Whole, steps: &[Step]) -> Whole {
    steps.iter().rev().fold(whole, |whole, step| match step {
        Step::Element => Whole::Element(Box::new(whole)),
        Step::Member(key) => Whole::Member(Box::new(whole), key.clone()),
        Step::Result => Whole::Result(Box::new(whole)),
    })
}

/// `a && b`, `a || b`, `a ?? b`: the value is one of the two.
fn is_choice(node: Node<'_>) -> bool {
    let operator = node.child_by_field_name("operator");
    operator.is_some_and(|operator| matches!(operator.kind(), "&&" | "||" | "??"))
}

/// Keys of an object that are looked at for what tells its type, and that may tell it.
const MAX_KEYS: usize = 24;
const MAX_TAGS: usize = 3;

/// What an object writes out that tells which of several types it is of: `{ kind: "circle", radius }`.
fn tags<'t>(object: Node<'_>, text: &'t str) -> Vec<(&'t str, &'t str)> {
    let pairs = object.named_children().take(MAX_KEYS);
    let tags = pairs.filter(|pair| pair.kind() == "pair").filter_map(|pair| {
        let (key, value) = (pair.child_by_field_name("key")?, pair.child_by_field_name("value")?);
        let value = match value.kind() {
            "as_expression" => value.named_child(0)?,
            _ => value,
        };
        let is_told = matches!(
            value.kind(),
            "string" | "number" | "true" | "false" | "member_expression"
        );
        let value = tag_value(&text[value.byte_range()]).filter(|_| is_told && key.kind() == "property_identifier")?;
        Some((&text[key.byte_range()], value))
    });
    tags.take(MAX_TAGS).collect()
}

/// The attributes of an element: what its component takes first.
fn props(element: Node<'_>, text: &str) -> Whole {
    let name = element.child_by_field_name("name");
    let name = name.map(|name| name.child_by_field_name("property").unwrap_or(name));
    let is_own = |name: &Node<'_>| !text[name.byte_range()].starts_with(char::is_lowercase);
    let is_component = |name: &Node<'_>| is_own(name) || name.kind() == "property_identifier";
    name.filter(is_component).map_or(Whole::Unknown, |name| {
        Whole::Taken(name.start_byte() as u32, ArgumentSlot::Nth(0))
    })
}

/// Longer values of the language are no keys.
const MAX_LITERAL: usize = 40;

/// A word in quotes is a type of its own, by which others are chosen: `on("close", ..)` takes `Events["close"]`.
fn written(argument: Node<'_>, text: &str) -> Option<String> {
    let word = Some(argument).filter(|argument| argument.kind() == "string" && argument.named_child_count() == 1)?;
    let word = &text[word.named_child(0)?.byte_range()];
    let is_in_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '-' | ':' | '.' | '/');
    (word.len() <= MAX_LITERAL && word.chars().all(is_in_word)).then(|| format!("'{word}'"))
}

/// A function that is a member of an object, or the value of something with a type.
fn handed(parameter: Node<'_>, text: &str) -> Option<Handed> {
    let outer = parameter.parent()?;
    let (function, nth) = match outer.kind() {
        "arrow_function" => (outer, 0),
        _ => {
            let list = outer.parent()?;
            let mut all = list.named_children().filter(|one| !one.is_extra());
            (list.parent()?, all.position(|one| one.id() == outer.id())?)
        }
    };
    let holder = function.parent()?;
    let (whole, key) = match (function.kind(), holder.kind()) {
        ("method_definition", "object") => (whole(holder, text), function.child_by_field_name("name")),
        (_, "pair") => (whole(holder.parent()?, text), holder.child_by_field_name("key")),
        (_, "variable_declarator" | "public_field_definition") => {
            let ty = holder.child_by_field_name("type")?.named_child(0)?;
            (element(ty, 0, text).map_or(Whole::Unknown, Whole::Type), None)
        }
        (_, "arguments" | "return_statement" | "arrow_function") => (whole(function, text), None),
        _ => return None,
    };
    let key = key.map(|key| key.byte_range());
    (whole != Whole::Unknown).then_some(Handed { whole, key, nth })
}

/// A name in a list that is taken apart: `all.map(([key, value]) => value.name)`, `const [first, last] = ends()`.
fn apart<'t>(local: Node<'t>, text: &str) -> Option<Apart<'t>> {
    let is_list = |node: &Node<'t>| node.kind() == "array_pattern";
    let outer = local.parent()?;
    // `[key, value = 1]`
    let (part, list) = match is_list(&outer) {
        true => (local, outer),
        false => (outer, outer.parent().filter(is_list)?),
    };
    let before = list.children().take_while(|child| child.id() != part.id());
    let nth = before.filter(|child| child.kind() == ",").count();
    let holder = list.parent()?;
    if holder.kind() == "variable_declarator" && part.kind() != "rest_pattern" {
        let value = holder.child_by_field_name("value")?;
        let has_each = value.kind() == "array" && !value.named_children().any(|one| one.kind() == "spread_element");
        let (steps, value) = match has_each {
            // Each has its own: `[left, right] = [new Left(), new Right()]`.
            true => (
                Vec::new(),
                value.named_children().filter(|one| !one.is_extra()).nth(nth)?,
            ),
            false => (vec![PatternStep::ListElement(nth as u32)], value),
        };
        let whole = TakenFrom::Value(value);
        return Some(Apart { steps, whole });
    }
    if holder.kind() != "required_parameter" || holder.child_by_field_name("type").is_some() {
        return None;
    }
    Some(Apart {
        steps: vec![PatternStep::Component(nth as u32)],
        whole: TakenFrom::Handed(handed(list, text)?),
    })
}

/// What is made has the type that is named there, and what is said to be of a type has that one: `all as Shape[]`.
fn made_type(value: Node<'_>, text: &str) -> Option<Range<usize>> {
    let said = match value.kind() {
        "parenthesized_expression" => return made_type(value.named_child(0)?, text),
        "as_expression" => value.named_child(1),
        "type_assertion" => value.named_child(0).and_then(|types| types.named_child(0)),
        _ => return javascript::made_type(value, text),
    };
    // Names are told as uses of them; `const`, `any` and the like say nothing.
    let is_composed = |said: &Node<'_>| {
        matches!(
            said.kind(),
            "array_type" | "tuple_type" | "readonly_type" | "generic_type" | "intersection_type" | "union_type"
        )
    };
    said.filter(is_composed).map(|said| said.byte_range())
}

/// The type that a function says it gives back.
fn result_of(function: Node<'_>) -> Option<Node<'_>> {
    function.child_by_field_name("return_type")?.named_child(0)
}

/// A type without so many lists, and without what stands for it later.
fn element(ty: Node<'_>, lists: usize, text: &str) -> Option<Span> {
    let (mut ty, mut lists) = (ty, lists);
    loop {
        let name = ty
            .child_by_field_name("name")
            .map_or("", |name| &text[name.byte_range()]);
        let held = || ty.child_by_field_name("type_arguments")?.named_child(0);
        ty = match ty.kind() {
            "readonly_type" | "parenthesized_type" => ty.named_child(0)?,
            "generic_type" if matches!(name, "Promise" | "Readonly") => held()?,
            "generic_type" if lists > 0 && matches!(name, "Array" | "ReadonlyArray" | "Iterable") => {
                lists -= 1;
                held()?
            }
            "array_type" if lists > 0 => {
                lists -= 1;
                ty.named_child(0)?
            }
            _ => break,
        };
    }
    (lists == 0).then(|| Span {
        start: ty.start_byte() as u32,
        end: ty.end_byte() as u32,
    })
}

/// What the grammar takes for something else is written so that it does not, in as many bytes.
fn masked(text: &str) -> Option<String> {
    // `type extends X` names a parameter `type`, which is taken for a declaration. Any other name of that length will do: it
    // is read from the text.
    let named = "type extends ";
    let mut masked = text.contains(named).then(|| text.replace(named, "Type extends "));
    // A signature that begins with its parameters of type is taken for the arguments of the type before it.
    for (at, _) in text.match_indices('<') {
        if is_signature(text, at) {
            let masked = masked.get_or_insert_with(|| text.to_owned());
            masked.replace_range(at - 1..at, ";");
        }
    }
    javascript::masked(masked.as_deref().unwrap_or(text)).or(masked)
}

/// As far as a signature goes that begins with its parameters of type.
const SIGNATURE: usize = 4000;

/// Whether a line of a type begins here with `<T>(..):`, without anything that ends the one before.
fn is_signature(text: &str, at: usize) -> bool {
    let before = text[..at].trim_end_matches([' ', '\t']);
    if !before.ends_with('\n') || before.len() == at {
        return false;
    }
    let goes_on = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '>' | ']' | '}' | ')');
    let rest = &text[at..text.floor_char_boundary(at + SIGNATURE)];
    let is_typed = || {
        let types = closing(rest)?;
        let parameters = rest[types..].trim_start();
        let end = closing(parameters.strip_prefix('(').map(|_| parameters)?)?;
        parameters[end..].trim_start().strip_prefix(':')
    };
    without_comments(before).ends_with(goes_on) && is_typed().is_some()
}

/// Behind the bracket that closes the one that a text begins with.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0;
    let mut before = b' ';
    text.bytes()
        .position(|byte| {
            match byte {
                b'<' | b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' => depth -= 1,
                // Not that of an arrow.
                b'>' if before != b'=' => depth -= 1,
                _ => {}
            }
            before = byte;
            depth == 0
        })
        .map(|at| at + 1)
}

/// A text up to what is said last in it.
fn without_comments(text: &str) -> &str {
    let mut text = text.trim_end();
    loop {
        let line = text.lines().next_back().unwrap_or_default();
        text = if line.trim_start().starts_with("//") {
            text[..text.len() - line.len()].trim_end()
        } else if text.ends_with("*/") {
            match text.rfind("/*") {
                Some(start) => text[..start].trim_end(),
                None => return text,
            }
        } else {
            return text;
        };
    }
}

/// Signs of elements that are looked at, and how far back on their line.
const SIGNS: usize = 256;
const LINE: usize = 400;

/// The grammars differ in what `<` may begin: a type assertion or an element. Names of files do not come this far, so
/// the text itself has to tell: by the end of an element that is neither in a comment nor in a string.
fn has_elements(text: &str) -> bool {
    let ends = |sign| places(text, sign).map(move |at| (at, sign));
    for (at, sign) in ends("</").chain(ends("/>")).take(SIGNS) {
        let after = text[at + sign.len()..].chars().next();
        if sign == "</" && !after.is_some_and(|c| c.is_alphabetic() || c == '>') {
            continue;
        }
        let before = &text[text.floor_char_boundary(at.saturating_sub(LINE))..at];
        let line = before.rsplit('\n').next().unwrap_or(before).trim_start();
        let is_comment = line.starts_with('*') || line.starts_with("/*") || line.contains("//");
        let is_string = ['"', '\'', '`']
            .iter()
            .any(|quote| line.matches(*quote).count() % 2 == 1);
        if !is_comment && !is_string {
            return true;
        }
    }
    false
}
