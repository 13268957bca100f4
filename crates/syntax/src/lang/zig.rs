//! Zig.

use super::{DEFAULT, Definition, Hooks, Lang, Syntax, lang};
use crate::facts::{SymbolKind, Visibility};

pub(super) const LANG: Lang = lang("zig", &[], &["zig", "zon"], &[], &[]).with(&SYNTAX);

static SYNTAX: Syntax = Syntax::new(
    tree_sitter_zig::LANGUAGE,
    include_str!("zig.scm"),
    Hooks {
        visibility,
        is_test: |definition| definition.kind == SymbolKind::Test,
        kind,
        ..DEFAULT
    },
);

fn visibility(definition: &Definition<'_>) -> Option<Visibility> {
    match definition.kind {
        // They are as visible as what they belong to.
        SymbolKind::Property | SymbolKind::Variant | SymbolKind::Test => None,
        _ if definition.modifiers().any(|word| matches!(word, "pub" | "export")) => Some(Visibility::Public),
        _ => Some(Visibility::Private),
    }
}

fn kind(definition: &Definition<'_>) -> SymbolKind {
    let is_capital = definition.name.starts_with(|c: char| c.is_ascii_uppercase());
    let has_small = definition.name.bytes().any(|byte| byte.is_ascii_lowercase());
    match definition.kind {
        // The query says property: a field would leave a function that returns a type.
        SymbolKind::Property if definition.parent == Some(SymbolKind::Enum) => SymbolKind::Variant,
        SymbolKind::Property => SymbolKind::Field,
        // A variable of a container is no part of its values.
        SymbolKind::Field => SymbolKind::Variable,
        // Types are values; by convention they alone have names like this.
        SymbolKind::Constant if is_capital && has_small => SymbolKind::Type,
        kind => kind,
    }
}
