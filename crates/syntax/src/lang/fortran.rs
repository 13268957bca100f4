//! Fortran.

use super::{DEFAULT, Definition, Hooks, Lang, Syntax, lang};
use crate::{
    extract::Walk,
    facts::{SymbolKind, Visibility},
    tree::Node,
};

pub(super) const LANG: Lang =
    lang("fortran", &["f90"], &["f", "f90", "f95", "f03", "f08", "for"], &[], &[]).with(&SYNTAX);

static SYNTAX: Syntax = Syntax::new(
    tree_sitter_fortran::LANGUAGE,
    include_str!("fortran.scm"),
    Hooks {
        separator: "::",
        visibility,
        is_test,
        kind,
        imports: Some(imports),
        masked: Some(masked),
        ..DEFAULT
    },
);

/// As an attribute says, else as the module's `public` and `private` statements say.
fn visibility(definition: &Definition<'_>) -> Option<Visibility> {
    let head = definition.head.to_ascii_lowercase();
    let attributes = head.split("::").next().unwrap_or_default();
    let has = |wanted: &str| {
        attributes
            .split(|c: char| !c.is_alphanumeric())
            .any(|word| word == wanted)
    };
    if has("private") {
        return Some(Visibility::Private);
    } else if has("public") {
        return Some(Visibility::Public);
    }
    match definition.parent {
        Some(SymbolKind::Module) => Some(in_module(definition)),
        Some(SymbolKind::Struct) => Some(Visibility::Public),
        _ => None,
    }
}

fn in_module(definition: &Definition<'_>) -> Visibility {
    let mut module = definition.node.parent();
    // Between the two may be `contains`, an enumeration or an interface without a name.
    for _ in 0..2 {
        module = module.and_then(|node| match node.kind() {
            "module" | "submodule" => Some(node),
            _ => node.parent(),
        });
    }
    let mut default = Visibility::Public;
    let Some(module) = module else { return default };
    for statement in module.named_children() {
        let said = match statement.kind() {
            "private_statement" => Visibility::Private,
            "public_statement" => Visibility::Public,
            // The statements stand before what is defined.
            "internal_procedures" => break,
            _ => continue,
        };
        let mut names = statement.named_children();
        if statement.named_child_count() == 0 {
            default = said;
        } else if names.any(|name| definition.text[name.byte_range()].eq_ignore_ascii_case(definition.name)) {
            return said;
        }
    }
    default
}

fn is_test(definition: &Definition<'_>) -> bool {
    definition.kind.is_function() && definition.name.starts_with("test_")
}

fn kind(definition: &Definition<'_>) -> SymbolKind {
    let attributes = definition.head.split("::").next().unwrap_or_default();
    let mut words = attributes.split(|c: char| !c.is_alphanumeric());
    match definition.kind {
        SymbolKind::Variable if words.any(|word| word.eq_ignore_ascii_case("parameter")) => SymbolKind::Constant,
        kind => kind,
    }
}

/// `use a, only: b, c => d` brings in `b`, and `d` under the name `c`.
fn imports(node: Node<'_>, walk: &mut Walk<'_>) {
    let at = node.start_byte() as u32;
    if let Some(path) = node.child_by_field_name("path") {
        walk.import(path, None, None, false, false, at);
        return;
    }
    let (mut module, mut items) = (None, None);
    for child in node.named_children() {
        match child.kind() {
            "module_name" => module = Some(child),
            "included_items" => items = Some(child),
            _ => {}
        }
    }
    let Some(module) = module else { return };
    let Some(items) = items else {
        walk.import(module, None, None, true, false, at);
        return;
    };
    for item in items.named_children() {
        match item.kind() {
            "use_alias" => {
                let (alias, name) = (item.named_child(0), item.named_child(1));
                walk.import(module, name, alias, false, false, at);
            }
            _ => walk.import(module, Some(item), None, false, false, at),
        }
    }
}

/// The old form, by columns, as the new one: a comment begins with a mark in the first column, and a line that has one in
/// the sixth goes on with the line before.
fn masked(text: &str) -> Option<String> {
    let is_comment = |line: &str| line.starts_with(['*', '!']) || (line.starts_with(['C', 'c']) && !is_statement(line));
    let has_columns = |line: &str| {
        let label = line.bytes().take(5);
        is_comment(line)
            || line.starts_with(['#', '\t'])
            || label.into_iter().all(|byte| matches!(byte, b' ' | b'0'..=b'9'))
    };
    let lines = || text.split('\n').map(|line| line.trim_end());
    let is_marked = |line: &str| line.starts_with(['*', 'C', 'c']) || continues(line);
    if !lines().any(is_marked) || !lines().all(has_columns) {
        return None;
    }
    let mut masked = text.as_bytes().to_vec();
    // Where the last line of code ends, if another can be added to it.
    let mut last: Option<usize> = None;
    let mut start = 0;
    for line in text.split('\n') {
        if is_comment(line) {
            masked[start] = b'!';
        } else if continues(line)
            && let Some(end) = last
        {
            // What is between them is blank too: comments among the lines of one statement.
            for byte in &mut masked[end..start + 6] {
                *byte = b' ';
            }
        }
        if !is_comment(line) {
            let is_plain = !line.trim().is_empty() && !line.contains('!');
            last = is_plain.then_some(start + line.len());
        }
        start += line.len() + 1;
    }
    // Only whole lines and single letters were overwritten.
    String::from_utf8(masked).ok()
}

/// `call`, `character`, `common`: code that begins in the first column, as in the new form.
fn is_statement(line: &str) -> bool {
    let word: String = line.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    let next = line[word.len()..].trim_start().chars().next();
    let keywords = [
        "call",
        "case",
        "character",
        "class",
        "close",
        "common",
        "complex",
        "contains",
        "continue",
        "cycle",
    ];
    keywords.iter().any(|keyword| word.eq_ignore_ascii_case(keyword))
        || matches!(next, Some('=' | '%') if word.len() > 1)
}

fn continues(line: &str) -> bool {
    let bytes = line.as_bytes();
    bytes.get(5).is_some_and(|mark| !matches!(mark, b' ' | b'0' | b'\r'))
        && bytes[..5].iter().all(|byte| *byte == b' ')
        && bytes.len() > 6
}

#[cfg(test)]
mod tests {
    use super::masked;

    #[test]
    fn columns_become_the_new_form() {
        let text = "*  It doesn't.\n      CALL F( N,\nC     in between\n     $        M )\n 10   END\n";
        let expected = "!  It doesn't.\n      CALL F( N,                                M )\n 10   END\n";
        assert_eq!(masked(text).as_deref(), Some(expected));
        for other in [
            "program main\n  call f(n, &\n    m)\nend program\n",
            "call f(n)\ncount = 1\n",
            "      CALL F\n",
        ] {
            assert_eq!(masked(other), None, "{other}");
        }
    }
}
