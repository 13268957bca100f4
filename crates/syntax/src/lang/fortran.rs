//! Fortran.

use tree_sitter::Node;

use super::{DEFAULT, Definition, Hooks, Lang, Syntax, lang};
use crate::{
    extract::Walk,
    facts::{SymbolKind, Visibility},
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
    let mut cursor = module.walk();
    for statement in module.named_children(&mut cursor) {
        let said = match statement.kind() {
            "private_statement" => Visibility::Private,
            "public_statement" => Visibility::Public,
            // The statements stand before what is defined.
            "internal_procedures" => break,
            _ => continue,
        };
        let mut names = statement.walk();
        let mut names = statement.named_children(&mut names);
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
    let mut cursor = node.walk();
    let (mut module, mut items) = (None, None);
    for child in node.named_children(&mut cursor) {
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
    let mut cursor = items.walk();
    for item in items.named_children(&mut cursor) {
        match item.kind() {
            "use_alias" => {
                let (alias, name) = (item.named_child(0), item.named_child(1));
                walk.import(module, name, alias, false, false, at);
            }
            _ => walk.import(module, Some(item), None, false, false, at),
        }
    }
}
