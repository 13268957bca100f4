//! Rust.

use std::ops::Range;

use source::Span;

use super::{DEFAULT, Definition, Foreign, Hooks, Lang, Syntax, TokenSink, is_behind, lang};
use crate::{
    extract::{Walk, Whole},
    facts::{Role, SymbolKind, Visibility},
    locals::Interpolated,
    signature_shape::SignatureShape,
    tree::Node,
};

pub(super) const LANG: Lang = lang("rust", &["rs"], &["rs"], &[], &[]).with(&SYNTAX);

static SYNTAX: Syntax = Syntax::new(
    tree_sitter_rust::LANGUAGE,
    include_str!("rust.scm"),
    Hooks {
        separator: "::",
        reserved: RESERVED,
        visibility,
        is_test,
        imports: Some(imports),
        derived,
        tokens,
        path,
        embedded,
        foreign,
        whole,
        has_tuples: true,
        interpolated,
        interpolation_mark: Some('{'),
        signature_shape,
        ..DEFAULT
    },
);

/// Words that no name can be.
const RESERVED: &str = "\
    abstract as async await become box break const continue crate do dyn else enum extern false final fn for gen if \
    impl in let loop macro match mod move mut override priv pub ref return Self self static struct super trait true \
    try type typeof unsafe unsized use virtual where while yield";

/// The names in `#[derive(Debug, serde::Serialize)]`, without their modules.
fn derived(attributes: &str) -> Vec<&str> {
    let lists = attributes.match_indices("#[derive(").filter_map(|(at, mark)| {
        let list = &attributes[at + mark.len()..];
        list.split_once(')').map(|(list, _)| list)
    });
    let names = lists.flat_map(|list| list.split(','));
    let names = names.map(|name| name.rsplit("::").next().unwrap_or(name).trim());
    names.filter(|name| !name.is_empty()).collect()
}

fn visibility(definition: &Definition<'_>) -> Option<Visibility> {
    let modifier = definition
        .node
        .children()
        .find(|child| child.kind() == "visibility_modifier");
    match modifier.map(|modifier| &definition.text[modifier.byte_range()]) {
        Some("pub") => Some(Visibility::Public),
        Some(_) => Some(Visibility::Internal),
        // A trait's members and an enum's variants are as visible as what they belong to.
        None if matches!(
            definition.parent,
            Some(SymbolKind::Trait | SymbolKind::Enum | SymbolKind::Variant)
        ) =>
        {
            None
        }
        None if definition.parent == Some(SymbolKind::Impl) && definition.parent_head.contains(" for ") => None,
        None if definition.kind == SymbolKind::Impl => None,
        None if definition.kind == SymbolKind::Macro => {
            definition.lead.contains("macro_export").then_some(Visibility::Public)
        }
        None => Some(Visibility::Private),
    }
}

/// `#[test]`, `#[tokio::test]`, `#[rstest]`, `#[test_case(..)]`, `#[cfg(test)]`, benchmarks.
fn is_test(definition: &Definition<'_>) -> bool {
    definition.lead.lines().map(str::trim).any(|line| {
        let Some(attribute) = line.strip_prefix("#[") else {
            return false;
        };
        let path = attribute.split(['(', ']', ' ']).next().unwrap_or_default();
        let name = path.rsplit("::").next().unwrap_or(path);
        matches!(
            name,
            "test" | "rstest" | "test_case" | "bench" | "quickcheck" | "proptest"
        ) || attribute.starts_with("cfg(test)")
    })
}

/// `use a::{b, c::{self, d as e}, f::*}` is one import for each leaf.
fn imports(node: Node<'_>, walk: &mut Walk<'_>) {
    match node.kind() {
        "use_declaration" => {
            let reexport = node.children().any(|child| child.kind() == "visibility_modifier");
            if let Some(tree) = node.child_by_field_name("argument") {
                use_tree(tree, "", reexport, walk, 0);
            }
        }
        // `extern crate a as b;`
        _ => {
            if let Some(name) = node.child_by_field_name("name") {
                let alias = node.child_by_field_name("alias");
                walk.import(name, None, alias, false, false, node.start_byte() as u32);
            }
        }
    }
}

fn use_tree(tree: Node<'_>, prefix: &str, reexport: bool, walk: &mut Walk<'_>, depth: usize) {
    // Deeper than anyone writes; the tree is the file's choice.
    if depth > 64 {
        return;
    }
    let joined = |part: &str| {
        if prefix.is_empty() {
            part.to_owned()
        } else if part.is_empty() {
            // `use shapes::{Area, *}`
            prefix.to_owned()
        } else {
            format!("{prefix}::{part}")
        }
    };
    let text = |node: Node<'_>, walk: &Walk<'_>| walk.text(node).split_whitespace().collect::<String>();
    let at = tree.start_byte() as u32;
    match tree.kind() {
        "scoped_use_list" => {
            let path = tree.child_by_field_name("path").map(|path| text(path, walk));
            let prefix = path.map_or_else(|| prefix.to_owned(), |path| joined(&path));
            if let Some(list) = tree.child_by_field_name("list") {
                use_tree(list, &prefix, reexport, walk, depth + 1);
            }
        }
        "use_list" => {
            for child in tree.named_children() {
                use_tree(child, prefix, reexport, walk, depth + 1);
            }
        }
        "use_wildcard" => {
            let path = tree.named_child(0).map(|path| text(path, walk)).unwrap_or_default();
            walk.import_text(&joined(&path), None, None, true, reexport, at);
        }
        "use_as_clause" => {
            let path = tree
                .child_by_field_name("path")
                .map(|path| text(path, walk))
                .unwrap_or_default();
            let alias = tree
                .child_by_field_name("alias")
                .map(|alias| walk.text(alias).to_owned());
            leaf(&joined(&path), alias.as_deref(), reexport, at, walk);
        }
        "identifier" | "scoped_identifier" | "crate" | "super" | "self" => {
            let path = joined(&text(tree, walk));
            leaf(&path, None, reexport, at, walk);
        }
        _ => {}
    }
}

fn leaf(path: &str, alias: Option<&str>, reexport: bool, at: u32, walk: &mut Walk<'_>) {
    let path = path.strip_suffix("::self").unwrap_or(path);
    match path.rsplit_once("::") {
        Some((module, item)) => walk.import_text(module, Some(item), alias, false, reexport, at),
        None => walk.import_text(path, None, alias, false, reexport, at),
    }
}

/// The trait that the name of a type in its arguments is of.
fn whole(name: Node<'_>, _: &str) -> Whole {
    let mut around = std::iter::successors(name.parent(), |node| node.parent()).take(3);
    let outer = around.find(|outer| outer.kind() == "generic_type");
    match outer.and_then(|outer| outer.child_by_field_name("type")) {
        Some(outer) => Whole::Type(Span {
            start: outer.start_byte() as u32,
            end: outer.end_byte() as u32,
        }),
        None => Whole::Unknown,
    }
}

/// Items that are given to a macro as they are: `cfg_unix! { pub fn f() {} }`, `cfg_unix!( impl Shape {} );`.
fn embedded(tree: Node<'_>, text: &str) -> Option<&'static Lang> {
    let inner = text[tree.byte_range()].strip_prefix(['{', '('])?.trim_start();
    let (word, behind) = inner.split_at(inner.find(|c: char| !c.is_alphanumeric() && c != '_')?);
    let is_item = match word {
        "" => ["#[", "#![", "//"].iter().any(|start| inner.starts_with(start)),
        "pub" | "fn" | "use" | "mod" | "struct" | "enum" | "union" | "impl" | "trait" | "type" | "const" | "static"
        | "unsafe" | "async" | "extern" | "macro_rules" => true,
        // Another macro that is given items.
        _ => {
            let given = behind.strip_prefix('!').map(str::trim_start);
            given.is_some_and(|given| given.starts_with(['{', '(']))
        }
    };
    if !is_item {
        return None;
    }
    let call = tree.parent().filter(|call| call.kind() == "macro_invocation")?;
    let mut around = call.parent()?;
    if around.kind() == "expression_statement" {
        around = around.parent()?;
    }
    matches!(around.kind(), "source_file" | "declaration_list").then_some(&LANG)
}

/// What functions are given in words of the macro around them: `fn small(size in sizes()) {`, `fn pair()(a in any()) {`.
/// They are read as parameters without what they are taken from.
fn foreign<'t>(tree: Node<'t>, text: &str) -> Vec<Foreign<'t>> {
    let tokens: Vec<Node<'t>> = tree.children().collect();
    let is_list = |token: &&Node<'t>| token.kind() == "token_tree" && text[token.byte_range()].starts_with('(');
    let mut found = Vec::new();
    for at in 2..tokens.len() {
        if tokens[at - 2].kind() != "fn" {
            continue;
        }
        let lists = tokens[at..].iter().take_while(is_list);
        let mut lists: Vec<Foreign<'t>> = lists.map(|list| taken_from(*list, text)).collect();
        if lists.iter().all(|one| one.replaced.is_empty()) {
            continue;
        }
        for at in 1..lists.len() {
            let (before, list) = (lists[at - 1].list, lists[at].list);
            let joint = if before.children().count() > 2 { "," } else { "" };
            let between = before.end_byte() - 1..list.start_byte() + 1;
            lists[at].replaced.push((between, joint));
        }
        found.extend(lists);
    }
    found
}

fn taken_from<'t>(list: Node<'t>, text: &str) -> Foreign<'t> {
    let tokens: Vec<Node<'t>> = list.children().collect();
    let mut foreign = Foreign {
        list,
        expressions: Vec::new(),
        replaced: Vec::new(),
    };
    let mut from: Option<Node<'t>> = None;
    for (at, token) in tokens.iter().enumerate() {
        let is_end = token.kind() == "," || at + 1 == tokens.len();
        if let Some(word) = from.filter(|_| is_end) {
            foreign.expressions.push(word.end_byte()..token.start_byte());
            foreign.replaced.push((word.start_byte()..token.start_byte(), ":_"));
            from = None;
        } else if from.is_none() && text[token.byte_range()] == *"in" {
            from = Some(*token);
        }
    }
    foreign
}

/// The arguments of a macro are tokens, yet mostly read like expressions: `assert_eq!(Circle::new(1).area(), 3)`.
fn tokens<'t>(tree: Node<'t>, sink: &mut TokenSink<'_, 't>) {
    let tokens: Vec<Node<'t>> = tree.children().collect();
    // An attribute in a macro: `#[test]`.
    if let [open, name, ..] = tokens.as_slice()
        && (open.kind(), name.kind()) == ("[", "identifier")
        && let Some(mark) = tree.prev_sibling().filter(|mark| mark.kind() == "#")
    {
        sink(*name, Role::Variable, None, Some(mark));
        return;
    }
    fields(tree, &tokens, sink);
    names(&tokens, sink);
}

/// The fields of a value that is made among tokens: `assert_eq!(made, Circle { radius: 1 })`.
fn fields<'t>(tree: Node<'t>, tokens: &[Node<'t>], sink: &mut TokenSink<'_, 't>) {
    if tokens.first().is_none_or(|open| open.kind() != "{") {
        return;
    }
    let Some(made) = tree.prev_sibling().filter(|made| made.kind() == "identifier") else {
        return;
    };
    for three in tokens.windows(3) {
        if let [before, field, behind] = three
            && matches!(before.kind(), "{" | ",")
            && (field.kind(), behind.kind()) == ("identifier", ":")
        {
            sink(*field, Role::Member, None, Some(made));
        }
    }
}

/// The names among tokens.
fn names<'t>(tokens: &[Node<'t>], sink: &mut TokenSink<'_, 't>) {
    // The name whose value the tokens so far are, and what joins it to the next.
    let mut before: Option<Node<'t>> = None;
    let mut joint = "";
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        match token.kind() {
            "identifier" => {
                let behind = turbofish(tokens, at + 1).unwrap_or(at + 1);
                let next = tokens.get(behind).map(|next| (next.kind(), next.child(0)));
                let is_call = matches!(next, Some(("token_tree", Some(open))) if open.kind() == "(");
                let is_macro = next.is_some_and(|(kind, _)| kind == "!")
                    && tokens.get(at + 2).is_some_and(|tree| tree.kind() == "token_tree");
                // Behind the dot of what has no name there is still a member of something: `$shape.size()`, `(a + b).size()`.
                let something = at.checked_sub(2).map(|at| tokens[at]);
                match (joint, before) {
                    (".", receiver) => {
                        let role = if is_call { Role::Call } else { Role::Member };
                        sink(*token, role, receiver.or(something), None);
                    }
                    ("::", Some(path)) => {
                        let role = if is_call { Role::Call } else { Role::Variable };
                        sink(*token, role, None, Some(path));
                    }
                    _ if is_call => sink(*token, Role::Call, None, None),
                    _ if is_macro => sink(*token, Role::Call, None, Some(tokens[at + 1])),
                    _ => {}
                }
                before = Some(*token);
                joint = "";
                // `make::<Shape>()`
                if behind > at + 1 {
                    names(&tokens[at + 2..behind], sink);
                    at = behind;
                    continue;
                }
            }
            // `$crate` is what the grammar takes for a parameter of the macro.
            "metavariable" if tokens.get(at + 1).is_some_and(|next| next.kind() == "::") => {
                before = Some(*token);
                joint = "";
            }
            "self" | "crate" | "super" => {
                before = Some(*token);
                joint = "";
            }
            joined @ ("." | "::") => joint = joined,
            // An element of the name before: `all[0].size()`.
            "token_tree" if before.is_some() && token.child(0).is_some_and(|open| open.kind() == "[") => {
                let open = token.child(0);
                if let (Some(open), Some(of)) = (open, before) {
                    sink(open, Role::Member, Some(of), None);
                }
                before = open;
                joint = "";
            }
            // A call's arguments, `?`: the value is still that of the name before.
            "token_tree" | "?" if before.is_some() => joint = "",
            _ => {
                before = None;
                joint = "";
            }
        }
        at += 1;
    }
}

/// What is behind the types that a path gives a function, if there are any: `::<Shape>`.
fn turbofish(tokens: &[Node<'_>], at: usize) -> Option<usize> {
    if tokens.get(at)?.kind() != "::" || tokens.get(at + 1)?.kind() != "<" {
        return None;
    }
    let mut depth = 0i32;
    let end = tokens[at + 1..].iter().position(|token| {
        depth += match token.kind() {
            "<" => 1,
            ">" => -1,
            ">>" => -2,
            _ => 0,
        };
        depth <= 0
    });
    end.map(|end| at + 1 + end + 1)
}

/// All of the path that a name in tokens is the last one of.
fn path(last: Node<'_>, text: &str) -> Range<usize> {
    let mut first = last;
    if is_behind(last, text, "::") && last.parent().is_some_and(|tree| tree.kind() == "token_tree") {
        while let Some(joint) = first.prev_sibling().filter(|joint| joint.kind() == "::")
            && let Some(outer) = joint.prev_sibling().filter(|outer| {
                matches!(outer.kind(), "identifier" | "crate" | "super" | "self" | "metavariable")
                    && outer.end_byte() == joint.start_byte()
            })
        {
            first = outer;
        }
    }
    first.start_byte()..last.end_byte()
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

/// `println!("{name}")`
fn interpolated(node: Node<'_>, text: &str, name: &str) -> Vec<Interpolated> {
    let mut around = std::iter::successors(node.parent(), |node| node.parent()).take(6);
    let is_text = node.kind().ends_with("string_literal");
    let invocation = is_text
        .then(|| around.find(|node| node.kind() == "macro_invocation"))
        .flatten();
    let Some(called) = invocation.and_then(|invocation| invocation.child_by_field_name("macro")) else {
        return Vec::new();
    };
    let called = text[called.byte_range()].rsplit("::").next().unwrap_or_default();
    let is_sure = FORMATTING.contains(&called);
    let places = places_in(&text[node.byte_range()], name);
    let found = places.map(|at| Interpolated {
        at: (node.start_byte() + at) as u32,
        is_sure,
    });
    found.collect()
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

/// `fn run(&mut self, a: A) -> B`: a receiver, one parameter, a value.
fn signature_shape(signature: &str, name: &str) -> Option<SignatureShape> {
    let (before, behind) = signature.split_once(&format!("fn {name}"))?;
    let behind = behind.trim_start();
    // Bounds of type parameters may have parentheses.
    let open = match behind.starts_with('<') {
        true => cuts(&behind[1..]).1 + 2,
        false => 0,
    };
    let list = behind[open..].trim_start().strip_prefix('(')?;
    let (commas, end) = cuts(list);
    let (list, rest) = (list.get(..end)?, list.get(end + 1..).unwrap_or_default());
    let mut starts = vec![0];
    starts.extend(commas.iter().map(|comma| comma + 1));
    let ends = commas.iter().copied().chain([list.len()]);
    let parts = starts.iter().zip(ends).map(|(start, end)| list[*start..end].trim());
    // A comma may end the list.
    let mut parts = parts.filter(|part| !part.is_empty()).peekable();
    let receiver = parts.next_if(|first| is_receiver(first)).map(|first| {
        let words = first.split_whitespace().filter(|word| !word.starts_with("&'"));
        let by_reference = if first.starts_with("&'") { "&" } else { "" };
        let words = words.collect::<Vec<_>>().join(" ");
        // `mut self` is a matter of the body.
        let words = words
            .strip_prefix("mut ")
            .filter(|_| by_reference.is_empty())
            .unwrap_or(&words);
        format!("{by_reference}{words}")
    });
    let given = rest.trim_start().strip_prefix("->").map(str::trim_start);
    let gives = given.is_some_and(|given| given.split(" where ").next().map(str::trim) != Some("()"));
    let is_awaited = before.split_whitespace().any(|word| word == "async");
    Some(SignatureShape {
        receiver,
        n_parameters: parts.count(),
        returns_value: (!is_awaited).then_some(gives),
    })
}

fn is_receiver(part: &str) -> bool {
    let bare = part.split(':').next().unwrap_or(part);
    bare.rsplit([' ', '&']).next() == Some("self")
}

/// The commas of a list, and where it ends.
fn cuts(list: &str) -> (Vec<usize>, usize) {
    let (mut commas, mut depth, mut before) = (Vec::new(), 0, b' ');
    for (at, byte) in list.bytes().enumerate() {
        match byte {
            b'(' | b'[' | b'{' | b'<' => depth += 1,
            b'>' if before == b'-' => {}
            b')' | b']' | b'}' | b'>' if depth == 0 => return (commas, at),
            b')' | b']' | b'}' | b'>' => depth -= 1,
            b',' if depth == 0 => commas.push(at),
            _ => {}
        }
        before = byte;
    }
    (commas, list.len())
}

#[cfg(test)]
mod tests {
    use super::signature_shape;

    #[test]
    fn signatures_are_compared_without_types() {
        let fits = |one: &str, other: &str| {
            let [one, other] = [one, other].map(|signature| signature_shape(signature, "run").unwrap());
            one.fits(&other)
        };
        for (one, other, expected) in [
            ("fn run(&self, a: &Path)", "fn run(&self, _: &std::path::Path)", true),
            ("fn run(&self, a: A)", "fn run(&self, a: A, b: B)", false),
            ("fn run(&self, a: Map<A, B>)", "fn run(&self, a: C,)", true),
            ("fn run(&self, a: A)", "fn run(&mut self, a: A)", false),
            ("fn run(self)", "fn run(mut self)", true),
            ("fn run(&'a self)", "fn run(&self)", true),
            ("fn run(a: A)", "fn run(&self, a: A)", false),
            (
                "pub fn run<F: Fn(A, B) -> C>(f: F)",
                "fn run<F>(f: F) where F: Fn(A, B) -> C",
                true,
            ),
            ("fn run() -> A", "fn run()", false),
            ("fn run() -> ()", "fn run()", true),
            ("async fn run()", "fn run() -> impl Future<Output = ()>", true),
        ] {
            assert_eq!(fits(one, other), expected, "{one} / {other}");
        }
    }
}
