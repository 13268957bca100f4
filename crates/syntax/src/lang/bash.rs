//! Bash and the shells like it.

use super::{DEFAULT, Declared, Definition, Hooks, Lang, Syntax, lang};
use crate::{
    facts::{SymbolKind, Visibility},
    tree::Node,
};

pub(super) const LANG: Lang = lang(
    "bash",
    &["sh", "shell", "zsh"],
    &["sh", "bash", "zsh", "ksh", "bats"],
    &[".bashrc", ".bash_profile", ".profile", ".zshrc", "PKGBUILD"],
    &["sh", "bash", "zsh", "ksh", "dash", "ash"],
)
.with(&SYNTAX);

static SYNTAX: Syntax = Syntax::new(
    tree_sitter_bash::LANGUAGE,
    include_str!("bash.scm"),
    Hooks {
        visibility,
        is_test,
        kind,
        declared,
        ..DEFAULT
    },
);

/// Everything is global; an underscore says by convention that it is not meant for others.
fn visibility(definition: &Definition<'_>) -> Option<Visibility> {
    if definition.name.starts_with('_') {
        Some(Visibility::Private)
    } else {
        Some(Visibility::Public)
    }
}

/// `test_it`, `testIt` of shunit2 and bash_unit, `@test` of bats.
fn is_test(definition: &Definition<'_>) -> bool {
    definition.kind == SymbolKind::Test || (definition.kind.is_function() && definition.name.starts_with("test"))
}

fn kind(definition: &Definition<'_>) -> SymbolKind {
    let mut words = definition.head.split_whitespace();
    let command = words.next().unwrap_or_default();
    let is_readonly = command == "readonly"
        || (matches!(command, "declare" | "typeset")
            && words
                .take_while(|word| word.starts_with('-'))
                .any(|word| word.contains('r')));
    match definition.kind {
        SymbolKind::Variable if is_readonly => SymbolKind::Constant,
        kind => kind,
    }
}

/// An assignment at the very left is at the top of the script and brings the variable into being. Elsewhere it may as
/// well change a variable of an outer scope, so that it counts as a use.
fn declared(name: Node<'_>) -> Option<Declared<'_>> {
    name.begins_line().then_some(Declared { name, owner: None })
}
