//! Elm.

use super::{DEFAULT, Declared, Definition, Hooks, Lang, Syntax, TokenSink, lang};
use crate::{
    extract::Walk,
    facts::{Role, SymbolKind, Visibility},
    tree::Node,
};

pub(super) const LANG: Lang = lang("elm", &[], &["elm"], &[], &[]).with(&SYNTAX);

static SYNTAX: Syntax = Syntax::new(
    tree_sitter_elm::LANGUAGE,
    include_str!("elm.scm"),
    Hooks {
        visibility,
        is_test,
        kind,
        imports: Some(imports),
        declared,
        tokens,
        ..DEFAULT
    },
);

/// A module says at its top what it exposes.
fn visibility(definition: &Definition<'_>) -> Option<Visibility> {
    if matches!(
        definition.kind,
        SymbolKind::Module | SymbolKind::Variant | SymbolKind::Field
    ) {
        return None;
    }
    let exposed = exposed(definition.text)?;
    // `Msg(..)` is `Msg`.
    let mut names = exposed
        .split(',')
        .map(|name| name.split('(').next().unwrap_or(name).trim());
    Some(if exposed.trim() == ".." || names.any(|name| name == definition.name) {
        Visibility::Public
    } else {
        Visibility::Private
    })
}

/// What is between the parentheses of the first `exposing`.
fn exposed(text: &str) -> Option<&str> {
    let list = text.get(text.find("exposing")?..)?.split_once('(')?.1;
    let mut depth = 1;
    for (at, c) in list.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => continue,
        }
        if depth == 0 {
            return Some(&list[..at]);
        }
    }
    None
}

/// The type annotation stands before a value, behind its comments.
fn annotation<'a>(definition: &Definition<'a>) -> &'a str {
    let at = definition.lead.rfind(&format!("{} :", definition.name));
    at.map_or("", |at| &definition.lead[at..])
}

fn is_test(definition: &Definition<'_>) -> bool {
    annotation(definition).trim_end().ends_with(": Test")
}

/// A value without parameters is a constant unless its type says that it is a function.
fn kind(definition: &Definition<'_>) -> SymbolKind {
    let head = definition.node.child_by_field_name("functionDeclarationLeft");
    let has_parameters = head.is_none_or(|head| head.child_by_field_name("pattern").is_some());
    match definition.kind {
        SymbolKind::Function if !has_parameters && !annotation(definition).contains("->") => SymbolKind::Constant,
        kind => kind,
    }
}

fn imports(node: Node<'_>, walk: &mut Walk<'_>) {
    let at = node.start_byte() as u32;
    let Some(module) = node.child_by_field_name("moduleName") else {
        return;
    };
    let alias = node.child_by_field_name("asClause");
    let alias = alias.and_then(|clause| clause.child_by_field_name("name"));
    walk.import(module, None, alias, false, false, at);
    let Some(exposing) = node.child_by_field_name("exposing") else {
        return;
    };
    for item in exposing.named_children() {
        match item.kind() {
            "double_dot" => walk.import(module, None, None, true, false, at),
            "exposed_type" | "exposed_value" | "exposed_operator" => {
                walk.import(module, item.named_child(0), None, false, false, at);
            }
            _ => {}
        }
    }
}

/// The values of a `let` are local names, and records outside of a type's own definition have no fields of interest.
fn declared(node: Node<'_>) -> Option<Declared<'_>> {
    let around = node.parent()?;
    let name = match node.kind() {
        "value_declaration" if around.kind() != "let_in_expr" => {
            let head = node.child_by_field_name("functionDeclarationLeft")?;
            head.named_child(0)?
        }
        "field_type" => {
            let outer = around.parent().and_then(|expression| expression.parent())?;
            let is_own = around.kind() == "record_type" && outer.kind() == "type_alias_declaration";
            is_own.then(|| node.child_by_field_name("name")).flatten()?
        }
        _ => return None,
    };
    Some(Declared { name, owner: None })
}

/// `Json.Decode.int`: the last name is what is used, as what stands around it says.
fn tokens<'t>(path: Node<'t>, sink: &mut TokenSink<'_, 't>) {
    let names: Vec<Node<'t>> = path.named_children().filter(|part| part.kind() != "dot").collect();
    let (Some(name), Some(around)) = (names.last(), path.parent()) else {
        return;
    };
    let role = match around.kind() {
        "module_declaration" => return,
        "import_clause" => Role::Import,
        "type_ref" => Role::Type,
        "value_expr" => {
            let call = around.parent().filter(|outer| outer.kind() == "function_call_expr");
            let target = call.and_then(|call| call.child_by_field_name("target"));
            if target == Some(around) {
                Role::Call
            } else {
                Role::Variable
            }
        }
        _ => Role::Variable,
    };
    let before = names.len().checked_sub(2).map(|at| names[at]);
    sink(*name, role, None, before.filter(|_| role != Role::Import));
}
