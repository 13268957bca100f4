//! More of local names than facts keep: where they live, and by what names callers give them a value.

use source::Span;

use crate::{
    extract::{self, each_node},
    lang::Lang,
    tree::Node,
};

/// Where a local name lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Home {
    /// What it belongs to: a function, a block. Nothing if that is the file.
    pub frame: Option<Span>,
    /// It is written there as a name of its own; otherwise more is said of one that is known already.
    pub is_declared: bool,
    pub is_parameter: bool,
}

impl Home {
    pub(crate) fn narrowed(frame: Span) -> Home {
        Home {
            frame: Some(frame),
            is_declared: false,
            is_parameter: false,
        }
    }
}

/// The homes of a text's local names, in the order of `FileFacts::bindings`.
pub fn homes(lang: &'static Lang, text: &str) -> Vec<Home> {
    extract::homes(lang, text)
}

/// The nodes around one that still belong to what declares it.
fn around(local: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    std::iter::successors(local.parent(), |node| node.parent()).take(6)
}

pub(crate) fn is_parameter(local: Node<'_>) -> bool {
    around(local)
        .take_while(|node| !node.kind().ends_with("block") && !node.kind().contains("lambda_literal"))
        .any(|node| node.kind().contains("parameter"))
}

/// Whether a name is known in all of the function around it, whatever block it is written in: `var` of ECMAScript.
pub(crate) fn is_hoisted(local: Node<'_>) -> bool {
    around(local).any(|node| match node.kind() {
        "variable_declaration" => node.child(0).is_some_and(|first| first.kind() == "var"),
        "for_in_statement" => node
            .child_by_field_name("kind")
            .is_some_and(|kind| kind.kind() == "var"),
        _ => false,
    })
}

/// A parameter's name in a call: `f(name=1)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NamedArgument {
    pub at: u32,
    /// Where the name of what is called begins.
    pub callee: u32,
}

/// The arguments of a name that calls give by it, in the order of the text.
pub fn named_arguments(lang: &'static Lang, text: &str, name: &str) -> Vec<NamedArgument> {
    let mut found = Vec::new();
    each_node(lang, text, |node| {
        if let Some(label) = label_of(node)
            && &text[label.byte_range()] == name
            && let Some(callee) = callee_of(node)
        {
            found.push(NamedArgument {
                at: label.start_byte() as u32,
                callee: callee.start_byte() as u32,
            });
        }
    });
    found
}

/// The name that an argument is given by.
fn label_of(node: Node<'_>) -> Option<Node<'_>> {
    match node.kind() {
        // Python; C#, PHP.
        "keyword_argument" | "argument" => node.child_by_field_name("name"),
        // Swift has a node for it, Kotlin an equals sign behind it.
        "value_argument" => {
            let first = node.named_child(0)?;
            match first.kind() {
                "value_argument_label" => first.named_child(0).or(Some(first)),
                _ => (first.next_sibling()?.kind() == "=").then_some(first),
            }
        }
        // Ruby.
        "pair" => {
            let is_given = node.parent()?.kind() == "argument_list";
            let key = node.child_by_field_name("key").filter(|_| is_given)?;
            (key.kind() == "hash_key_symbol").then_some(key)
        }
        // Scala.
        "assignment_expression" if node.parent()?.kind() == "arguments" => node
            .child_by_field_name("left")
            .filter(|left| left.kind() == "identifier"),
        // Dart.
        "label" if node.parent()?.kind() == "named_argument" => node.named_child(0),
        _ => None,
    }
}

/// The name of what an argument is given to.
fn callee_of(argument: Node<'_>) -> Option<Node<'_>> {
    let call = around(argument).find(|node| {
        matches!(
            node.kind(),
            "call"
                | "call_expression"
                | "invocation_expression"
                | "object_creation_expression"
                | "instance_expression"
                | "function_call_expression"
                | "member_call_expression"
                | "nullsafe_member_call_expression"
                | "scoped_call_expression"
                | "constructor_invocation"
                | "constructor_delegation_call"
                | "decorator"
        )
    })?;
    let fields = ["function", "method", "name", "constructor", "type"];
    let mut callee = fields
        .into_iter()
        .find_map(|field| call.child_by_field_name(field))
        .or_else(|| call.named_child(0))?;
    // The last name of a path is what is called.
    for _ in 0..16 {
        let fields = ["attribute", "field", "name", "suffix", "method", "function", "type"];
        let inner = fields
            .into_iter()
            .find_map(|field| callee.child_by_field_name(field))
            .or_else(|| match callee.named_child_count() {
                0 => None,
                count if callee.kind().contains("navigation") => callee.named_child(count - 1),
                _ if callee.kind().contains("type") => callee.named_child(0),
                _ => None,
            });
        match inner {
            Some(inner) => callee = inner,
            None => break,
        }
    }
    Some(callee)
}

/// A variable in a text that is filled in, and that its grammar does not see: `println!("{name}")`, `"$name"`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interpolated {
    pub at: u32,
    /// Not by a macro that may do something else.
    pub is_sure: bool,
}

/// Macros whose first text names variables.
const FORMATTING: &[&str] = &[
    "anyhow",
    "assert",
    "assert_eq",
    "assert_ne",
    "bail",
    "debug",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "ensure",
    "eprint",
    "eprintln",
    "error",
    "format",
    "format_args",
    "info",
    "log",
    "panic",
    "print",
    "println",
    "todo",
    "trace",
    "unimplemented",
    "unreachable",
    "warn",
    "write",
    "writeln",
];

/// Where a name is put into texts by macros of Rust, or by a dollar, in the order of the text.
pub fn interpolated(lang: &'static Lang, text: &str, name: &str) -> Vec<Interpolated> {
    let mut found = Vec::new();
    let is_rust = lang.name == "rust";
    let mark = if is_rust { '{' } else { '$' };
    let has_some = text.contains(&format!("{mark}{name}")) || (is_rust && text.contains(&format!("{name}$")));
    if !has_some || !matches!(lang.name, "rust" | "kotlin") {
        return found;
    }
    each_node(lang, text, |node| {
        if node.kind().ends_with("string_literal") && !is_rust {
            let inside = &text[node.byte_range()];
            let is_name = |at: &usize| {
                let behind = inside[at + 1 + name.len()..].chars().next();
                !inside[..*at].ends_with('\\') && !behind.is_some_and(|c| c.is_alphanumeric() || c == '_')
            };
            let dollars = inside
                .match_indices(&format!("${name}"))
                .map(|(at, _)| at)
                .filter(is_name)
                .collect::<Vec<_>>();
            found.extend(dollars.into_iter().map(|at| Interpolated {
                at: (node.start_byte() + at + 1) as u32,
                is_sure: true,
            }));
        } else if node.kind().ends_with("string_literal")
            && let Some(invocation) = around(node).find(|node| node.kind() == "macro_invocation")
            && let Some(called) = invocation.child_by_field_name("macro")
        {
            let called = text[called.byte_range()].rsplit("::").next().unwrap_or_default();
            let is_sure = FORMATTING.contains(&called);
            let places = places_in(&text[node.byte_range()], name);
            found.extend(places.map(|at| Interpolated {
                at: (node.start_byte() + at) as u32,
                is_sure,
            }));
        }
    });
    found
}

/// Where a text has a name in braces, as a value or as a width; not in doubled braces, which stand for themselves.
fn places_in<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = usize> {
    let is_name = move |at: usize| {
        let before = &text[..at];
        let behind = &text[at + name.len()..];
        let opened = before.len() - before.trim_end_matches('{').len();
        let is_value = opened % 2 == 1 && behind.starts_with(['}', ':']);
        let is_width = behind.starts_with('$')
            && before.rfind('{').is_some_and(|open| {
                let inner = &before[open..];
                inner.contains(':')
                    && !inner.contains('}')
                    && !inner.ends_with(|c: char| c.is_alphanumeric() || c == '_')
            });
        is_value || is_width
    };
    text.match_indices(name)
        .map(|(at, _)| at)
        .filter(move |at| is_name(*at))
}
