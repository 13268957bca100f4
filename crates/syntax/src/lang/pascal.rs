//! Pascal: Free Pascal and Delphi.

use super::{DEFAULT, Declared, Definition, Hooks, Lang, Syntax, lang};
use crate::{
    extract::Walk,
    facts::{SymbolKind, Visibility},
    tree::Node,
};

pub(super) const LANG: Lang = lang(
    "pascal",
    &["delphi"],
    &["pas", "pp", "dpr", "lpr", "dpk"],
    &[],
    &["instantfpc"],
)
.with(&SYNTAX);

static SYNTAX: Syntax = Syntax::new(
    tree_sitter_pascal::LANGUAGE,
    include_str!("pascal.scm"),
    Hooks {
        visibility,
        is_test,
        is_definition,
        kind,
        declared,
        imports: Some(imports),
        ..DEFAULT
    },
);

/// What a section of a class says (`private`, `strict protected`, `published`); otherwise whether the unit shows it to others.
fn visibility(definition: &Definition<'_>) -> Option<Visibility> {
    let is_member = |node: Node<'_>| {
        let name = node
            .child_by_field_name("header")
            .and_then(|header| header.child_by_field_name("name"));
        name.is_some_and(|name| name.kind() == "genericDot")
    };
    // A method's body is as visible as its declaration in the class.
    if matches!(definition.kind, SymbolKind::Variant | SymbolKind::Module) || is_member(definition.node) {
        return None;
    }
    let mut around = definition.node.parent();
    while let Some(node) = around {
        match node.kind() {
            "declSection" => {
                let stated = node.named_children().find_map(|child| match child.kind() {
                    "kPrivate" => Some(Visibility::Private),
                    "kProtected" => Some(Visibility::Protected),
                    "kPublic" | "kPublished" => Some(Visibility::Public),
                    _ => None,
                });
                return stated.or(Some(Visibility::Public));
            }
            "declClass" | "declIntf" | "declHelper" | "interface" => return Some(Visibility::Public),
            "implementation" | "program" => return Some(Visibility::Private),
            _ => around = node.parent(),
        }
    }
    None
}

/// fpcunit and DUnit: published methods `Test...` of classes whose name says that they are tests.
fn is_test(definition: &Definition<'_>) -> bool {
    let is_method = matches!(definition.kind, SymbolKind::Method | SymbolKind::Function);
    let name = definition.name.as_bytes();
    is_method && name.len() > 4 && name[..4].eq_ignore_ascii_case(b"test") && definition.parent_head.contains("Test")
}

/// The head of a procedure with a body is part of that procedure.
fn is_definition(definition: &Definition<'_>) -> bool {
    let is_head = |node: Node<'_>| node.kind() == "defProc";
    definition.node.kind() != "declProc" || !definition.node.parent().is_some_and(is_head)
}

fn kind(definition: &Definition<'_>) -> SymbolKind {
    let begins = |kind: &str| {
        let header = definition.node.child_by_field_name("header").unwrap_or(definition.node);
        header.named_children().any(|child| child.kind() == kind)
    };
    match definition.kind {
        SymbolKind::Function | SymbolKind::Method if begins("kConstructor") => SymbolKind::Constructor,
        kind => kind,
    }
}

/// `TList<T>`, `TShape.Draw`, `TList<T>.Add`.
fn declared(name: Node<'_>) -> Option<Declared<'_>> {
    match name.kind() {
        "genericDot" => {
            let inner = declared(name.child_by_field_name("rhs")?)?;
            let owner = declared(name.child_by_field_name("lhs")?)?;
            Some(Declared {
                name: inner.name,
                owner: Some(owner.name),
            })
        }
        "genericTpl" => declared(name.child_by_field_name("entity")?),
        _ => Some(Declared { name, owner: None }),
    }
}

/// `uses SysUtils, Shop.Items;`: everything that a unit shows is known by its bare name, and the unit by its own.
fn imports(node: Node<'_>, walk: &mut Walk<'_>) {
    for unit in node.named_children().filter(|child| child.kind() == "moduleName") {
        walk.import(unit, None, None, true, false, unit.start_byte() as u32);
    }
}
