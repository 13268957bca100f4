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
    let Some(syntax) = lang.syntax else { return found };
    each_node(lang, text, |node| {
        if let Some(label) = (syntax.hooks.argument_label)(node)
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

/// Where strings name a variable that is filled in, in the order of the text.
pub fn interpolated(lang: &'static Lang, text: &str, name: &str) -> Vec<Interpolated> {
    let mut found = Vec::new();
    let Some(hooks) = lang.syntax.map(|syntax| &syntax.hooks) else {
        return found;
    };
    // Most texts have none: then there is no need to parse.
    let is_named = |mark: char| text.contains(&format!("{mark}{name}")) || text.contains(&format!("{name}$"));
    if hooks.interpolation_mark.is_some_and(is_named) {
        each_node(lang, text, |node| found.extend((hooks.interpolated)(node, text, name)));
    }
    found
}
