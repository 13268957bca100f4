//! Julia.

use super::{DEFAULT, Declared, Definition, Hooks, Lang, Syntax, TokenSink, lang};
use crate::{
    extract::Walk,
    facts::{Role, SymbolKind, Visibility},
    tree::Node,
};

pub(super) const LANG: Lang = lang("julia", &["jl"], &["jl"], &[], &["julia"]).with(&SYNTAX);

static SYNTAX: Syntax = Syntax::new(
    tree_sitter_julia::LANGUAGE,
    include_str!("julia.scm"),
    Hooks {
        visibility,
        is_test: |definition| definition.kind == SymbolKind::Test,
        kind,
        imports: Some(imports),
        declared,
        tokens,
        ..DEFAULT
    },
);

/// Nothing is hidden from who names the module; an underscore says by convention that it is not meant for others.
fn visibility(definition: &Definition<'_>) -> Option<Visibility> {
    definition.name.starts_with('_').then_some(Visibility::Private)
}

fn kind(definition: &Definition<'_>) -> SymbolKind {
    let parent_name = definition
        .parent_head
        .split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .find(|word| !matches!(*word, "" | "mutable" | "struct" | "Base" | "kwdef"));
    match definition.kind {
        // A struct holds functions only to make itself.
        SymbolKind::Method if parent_name == Some(definition.name) => SymbolKind::Constructor,
        SymbolKind::Field if definition.parent == Some(SymbolKind::Enum) => SymbolKind::Variant,
        SymbolKind::Variable if definition.head.starts_with("const ") => SymbolKind::Constant,
        kind => kind,
    }
}

/// The name in `f(x)::T where {T}`, `Base.f(x)`, `Type{T} <: Super`: always at the front.
fn declared(head: Node<'_>) -> Option<Declared<'_>> {
    let mut name = head;
    for _ in 0..8 {
        name = match name.kind() {
            "identifier" | "operator" => return Some(Declared { name, owner: None }),
            "field_expression" => last_named(name)?,
            _ => name.named_child(0)?,
        };
    }
    None
}

fn last_named(node: Node<'_>) -> Option<Node<'_>> {
    node.named_children().last()
}

/// `a.b` and `a.b()`: the grammar does not name the part behind the dot.
fn tokens<'t>(node: Node<'t>, sink: &mut TokenSink<'_, 't>) {
    let (field, role) = match node.kind() {
        "field_expression" => (Some(node), Role::Member),
        _ => (node.named_child(0), Role::Call),
    };
    let Some(field) = field.filter(|field| field.kind() == "field_expression") else {
        return;
    };
    if let Some(name) = last_named(field).filter(|name| name.kind() == "identifier") {
        sink(name, role, field.child_by_field_name("value"), None);
    }
}

/// `using A, B.C`, `using A: f, g as h`, `import A as B`, `include("a.jl")`.
fn imports(node: Node<'_>, walk: &mut Walk<'_>) {
    let at = node.start_byte() as u32;
    if node.kind() == "call_expression" {
        let path = node.named_child(1).and_then(|arguments| arguments.named_child(0));
        if let Some(path) = path {
            walk.import(path, None, None, true, false, at);
        }
        return;
    }
    let is_using = node.kind() == "using_statement";
    let parts = |node: Node<'_>, walk: &Walk<'_>| {
        let text = |child: usize| node.named_child(child).map(|child| walk.text(child).to_owned());
        match node.kind() {
            "import_alias" => (text(0).unwrap_or_default(), text(1)),
            _ => (walk.text(node).to_owned(), None),
        }
    };
    for part in node.named_children() {
        if part.kind() != "selected_import" {
            let (path, alias) = parts(part, walk);
            let wildcard = is_using && alias.is_none();
            walk.import_text(&path, None, alias.as_deref(), wildcard, false, at);
            continue;
        }
        let Some(module) = part.named_child(0) else { continue };
        let module = walk.text(module).to_owned();
        for item in part.named_children().skip(1) {
            let (item, alias) = parts(item, walk);
            walk.import_text(&module, Some(&item), alias.as_deref(), false, false, at);
        }
    }
}
