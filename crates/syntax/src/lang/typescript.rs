//! TypeScript, with and without elements (TSX).

use super::{Definition, Hooks, Lang, Syntax, javascript, lang};
use crate::facts::SymbolKind;

pub(super) const LANG: Lang = lang(
    "typescript",
    &["ts", "tsx"],
    &["ts", "tsx", "mts", "cts"],
    &[],
    &["ts-node", "deno", "bun"],
)
.with(&SYNTAX);

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
        is_definition,
        ..javascript::HOOKS
    },
);

/// What is given to a field says what it is, and not that there is one.
fn is_definition(definition: &Definition<'_>) -> bool {
    definition.kind != SymbolKind::Field || definition.node.kind() != "assignment_expression"
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
    masked
}

/// Whether a line of a type begins here with `<T>(`, without anything that ends the one before.
fn is_signature(text: &str, at: usize) -> bool {
    let before = text[..at].trim_end_matches([' ', '\t']);
    let starts_line = before.ends_with('\n') && before.len() < at;
    let goes_on = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '>' | ']' | '}' | ')');
    let line = || text[at..].lines().next().unwrap_or_default();
    let has_parameters = || line().find('>').is_some_and(|end| line()[end + 1..].starts_with('('));
    let is_typed = || {
        before
            .trim_end()
            .lines()
            .next_back()
            .is_some_and(|line| line.contains("):"))
    };
    starts_line && before.trim_end().ends_with(goes_on) && has_parameters() && is_typed()
}

/// Signs of elements that are looked at, and how far back on their line.
const SIGNS: usize = 256;
const LINE: usize = 400;

/// The grammars differ in what `<` may begin: a type assertion or an element. Names of files do not come this far, so
/// the text itself has to tell: by the end of an element that is neither in a comment nor in a string.
fn has_elements(text: &str) -> bool {
    let ends = text.match_indices("</").chain(text.match_indices("/>")).take(SIGNS);
    for (at, sign) in ends {
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
