//! Perl.

use super::{DEFAULT, Definition, Hooks, Lang, Syntax, lang};
use crate::{
    extract::Walk,
    facts::{SymbolKind, Visibility},
    tree::Node,
};

pub(super) const LANG: Lang = lang("perl", &["pl"], &["pl", "pm", "t"], &[], &["perl"]).with(&SYNTAX);

static SYNTAX: Syntax = Syntax::new(
    ts_parser_perl::LANGUAGE,
    include_str!("perl.scm"),
    Hooks {
        separator: "::",
        has_long_calls: true,
        visibility,
        is_test,
        kind,
        imports: Some(imports),
        ..DEFAULT
    },
);

fn visibility(definition: &Definition<'_>) -> Option<Visibility> {
    let is_lexical = definition.kind == SymbolKind::Variable
        && definition
            .head
            .split_whitespace()
            .next()
            .is_some_and(|word| matches!(word, "my" | "state"));
    match definition.kind {
        SymbolKind::Test => None,
        _ if is_lexical || definition.name.starts_with('_') => Some(Visibility::Private),
        _ => Some(Visibility::Public),
    }
}

/// Test::More's `subtest`, Test::Class's `: Test`, and names.
fn is_test(definition: &Definition<'_>) -> bool {
    match definition.kind {
        SymbolKind::Test => true,
        kind => kind.is_function() && (definition.name.starts_with("test_") || definition.head.contains(": Test")),
    }
}

fn kind(definition: &Definition<'_>) -> SymbolKind {
    match definition.kind {
        SymbolKind::Function if definition.name == "new" => SymbolKind::Constructor,
        SymbolKind::Field if definition.head.starts_with("our") => SymbolKind::Variable,
        kind => kind,
    }
}

/// `use A`, `use A qw(f g)`, `use parent 'A'`, `require A`, `require "a.pl"`; pragmas bring nothing in.
fn imports(node: Node<'_>, walk: &mut Walk<'_>) {
    let at = node.start_byte() as u32;
    let Some(module) = node.child_by_field_name("module") else {
        if let Some(path) = node.named_child(0) {
            walk.import(path, None, None, false, false, at);
        }
        return;
    };
    let path = walk.text(module);
    if matches!(
        path,
        "strict" | "warnings" | "utf8" | "feature" | "vars" | "lib" | "integer" | "bytes" | "overload" | "experimental"
    ) {
        return;
    }
    // Strings of the list, at most two levels down: `('a', 'b')`, `qw(a b)`.
    let mut names = Vec::new();
    for child in node.named_children() {
        let children: Vec<Node<'_>> = match child.kind() {
            "list_expression" => child.named_children().collect(),
            _ => vec![child],
        };
        for part in children {
            if matches!(
                part.kind(),
                "quoted_word_list" | "string_literal" | "interpolated_string_literal"
            ) {
                let content = part.child_by_field_name("content").map(|content| walk.text(content));
                names.extend(content.unwrap_or_default().split_whitespace());
            }
        }
    }
    let inherits = matches!(path, "parent" | "base");
    for name in &names {
        if inherits {
            walk.import_text(name, None, None, false, false, at);
        } else if !name.starts_with([':', '-', '!', '/']) {
            walk.import_text(path, Some(name.trim_start_matches('&')), None, false, false, at);
        }
    }
    // A tag stands for what the module puts under it: `use POSIX ':sys_wait_h'`.
    let is_tagged = names.iter().any(|name| name.starts_with(':'));
    if (names.is_empty() || is_tagged) && !inherits {
        walk.import_text(path, None, None, true, false, at);
    }
}
