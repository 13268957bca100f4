//! PowerShell.

use super::{DEFAULT, Declared, Definition, Hooks, Lang, Syntax, lang};
use crate::{
    extract::Walk,
    facts::{SymbolKind, Visibility},
    tree::Node,
};

pub(super) const LANG: Lang =
    lang("powershell", &["ps1", "pwsh"], &["ps1", "psm1", "psd1"], &[], &["pwsh"]).with(&SYNTAX);

static SYNTAX: Syntax = Syntax::new(
    tree_sitter_powershell::LANGUAGE,
    include_str!("powershell.scm"),
    Hooks {
        visibility,
        is_test: |definition| definition.kind == SymbolKind::Test,
        kind,
        imports: Some(imports),
        declared,
        name: bare,
        ..DEFAULT
    },
);

fn visibility(definition: &Definition<'_>) -> Option<Visibility> {
    match definition.kind {
        SymbolKind::Variant | SymbolKind::Test => None,
        SymbolKind::Field | SymbolKind::Method if definition.modifiers().any(|word| word == "hidden") => {
            Some(Visibility::Private)
        }
        SymbolKind::Variable => None,
        _ if definition.head.contains(" script:") || definition.head.contains(" private:") => Some(Visibility::Private),
        _ => Some(Visibility::Public),
    }
}

fn kind(definition: &Definition<'_>) -> SymbolKind {
    match definition.kind {
        SymbolKind::Method if definition.parent_head.split_whitespace().nth(1) == Some(definition.name) => {
            SymbolKind::Constructor
        }
        kind => kind,
    }
}

/// `$script:Cache` is `Cache`: members are named without the sign.
fn bare(name: &str) -> &str {
    let bare = name.strip_prefix('$').unwrap_or(name);
    let scopes = ["script:", "global:", "local:", "private:"];
    scopes.iter().find_map(|scope| bare.strip_prefix(scope)).unwrap_or(bare)
}

/// The variable under the levels of precedence that the grammar puts around every expression.
fn declared(left: Node<'_>) -> Option<Declared<'_>> {
    let mut name = left;
    for _ in 0..24 {
        name = match name.kind() {
            "variable" => return Some(Declared { name, owner: None }),
            // `[string] $name`
            "cast_expression" => name.named_child(1)?,
            _ if name.named_child_count() == 1 => name.named_child(0)?,
            _ => return None,
        };
    }
    None
}

/// `using module A`, `Import-Module A`, `. ./a.ps1`.
fn imports(node: Node<'_>, walk: &mut Walk<'_>) {
    let mut words = walk.text(node).split_whitespace();
    let command = words.next().unwrap_or_default().to_ascii_lowercase();
    let path = match command.as_str() {
        "using" => words.nth(1),
        _ => words.find(|word| !word.starts_with('-')),
    };
    if let Some(path) = path {
        let wildcard = command != "using" || walk.text(node).to_ascii_lowercase().starts_with("using namespace");
        walk.import_text(path, None, None, wildcard, false, node.start_byte() as u32);
    }
}
