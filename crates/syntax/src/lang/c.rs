//! C, and what C++ and Objective-C have from it.

use super::{
    CONVENTIONS, Conventions, DEFAULT, Declared, Definition, Hooks, Lang, Syntax, lang, macro_body, macro_members,
    macros,
};
use crate::{
    extract::{Walk, Whole, span_of},
    facts::{SymbolKind, Visibility},
    tree::Node,
};

pub(super) const LANG: Lang = lang("c", &[], &["c"], &[], &["tcc"])
    .with(&SYNTAX)
    .with_conventions(Conventions {
        imports_everything: true,
        ..CONVENTIONS
    })
    .sharing(&["h"]);

static SYNTAX: Syntax = Syntax::new(
    tree_sitter_c::LANGUAGE,
    include_str!("c.scm"),
    Hooks {
        has_supertypes: false,
        visibility,
        is_test,
        kind,
        imports: Some(includes),
        declared,
        is_definition,
        words: macro_body::words,
        members: macro_members::members,
        masked: Some(macros::masked),
        has_macros: true,
        whole: |list, _| whole(list),
        reserved: RESERVED,
        ..DEFAULT
    },
);

/// What has the name of a keyword was torn apart by a macro or a `#if`.
pub(super) fn is_definition(definition: &Definition<'_>) -> bool {
    !is_block(definition)
        && !is_statement(definition)
        && !matches!(
            definition.name,
            "if" | "else" | "for" | "while" | "switch" | "return" | "sizeof" | "do" | "case" | "goto" | "defined"
        )
}

/// A macro inside of a function with a block behind it, `foreach (item) { .. }`, reads like a function without a type.
fn is_block(definition: &Definition<'_>) -> bool {
    let declarator = || definition.node.child_by_field_name("declarator");
    definition.parent.is_some_and(SymbolKind::is_function)
        && definition.node.kind() == "function_definition"
        && declarator().is_some_and(|declarator| declarator.kind() == "parenthesized_declarator")
}

/// A macro inside of a function with one statement behind it, `locked(item) use(item);`, reads like a declaration
/// of what is called there, with the macro for its type.
fn is_statement(definition: &Definition<'_>) -> bool {
    let ty = || definition.node.child_by_field_name("type");
    definition.parent.is_some_and(SymbolKind::is_function)
        && definition.node.kind() == "declaration"
        && definition.kind.is_function()
        && ty().is_some_and(|ty| ty.kind() == "macro_type_specifier")
}

/// `static` is the file's own; the rest is for whoever declares it.
pub(super) fn visibility(definition: &Definition<'_>) -> Option<Visibility> {
    match definition.kind {
        SymbolKind::Variant | SymbolKind::Macro | SymbolKind::Namespace | SymbolKind::Impl | SymbolKind::Test => None,
        _ if definition.parent.is_some_and(SymbolKind::is_function) => None,
        _ if definition.modifiers().any(|word| word == "static") => Some(Visibility::Private),
        _ => Some(Visibility::Public),
    }
}

/// C has no framework that all agree on; most find tests by this name.
pub(super) fn is_test(definition: &Definition<'_>) -> bool {
    definition.kind.is_function() && definition.kind != SymbolKind::Macro && definition.name.starts_with("test_")
}

pub(super) fn kind(definition: &Definition<'_>) -> SymbolKind {
    match definition.kind {
        SymbolKind::Struct | SymbolKind::Union | SymbolKind::Enum | SymbolKind::Class => named_with_type(definition),
        SymbolKind::Variable if is_constant(definition) => SymbolKind::Constant,
        kind => kind,
    }
}

/// `struct a { .. } b;` defines `a` and `b`; `typedef struct { .. } a, *b;` gives the struct its first name.
fn named_with_type(definition: &Definition<'_>) -> SymbolKind {
    let node = definition.node;
    let other = match node.kind() {
        "declaration" => SymbolKind::Variable,
        "field_declaration" => SymbolKind::Field,
        "type_definition" => SymbolKind::Type,
        _ => return definition.kind,
    };
    let specifier = node.child_by_field_name("type");
    let name = specifier
        .and_then(|specifier| specifier.child_by_field_name("name"))
        .or_else(|| node.child_by_field_name("declarator"));
    let is_name = name.is_some_and(|name| definition.text.get(name.byte_range()) == Some(definition.name));
    if is_name { definition.kind } else { other }
}

/// `const` speaks of the variable itself only if it stands behind the last `*`.
pub(super) fn is_constant(definition: &Definition<'_>) -> bool {
    let head = definition.head;
    let before = head.find(definition.name).map_or(head, |at| &head[..at]);
    let own = before.rfind('*').map_or(before, |at| &before[at..]);
    let has = |text: &str, wanted: &str| {
        text.split(|c: char| !(c.is_alphanumeric() || c == '_'))
            .any(|word| word == wanted)
    };
    has(own, "const") || has(before, "constexpr")
}

/// `#include <path>` and `#include "path"`: everything in the other file.
pub(super) fn includes(node: Node<'_>, walk: &mut Walk<'_>) {
    let Some(path) = node.child_by_field_name("path") else {
        return;
    };
    let path = walk.text(path).trim();
    let path = path.trim_start_matches(['<', '"']).trim_end_matches(['>', '"']);
    walk.import_text(path, None, None, true, false, node.start_byte() as u32);
}

/// The name behind pointers, arrays, parameters and qualifiers.
pub(super) fn declared<'t>(declarator: Node<'t>) -> Option<Declared<'t>> {
    let mut node = declarator;
    if let Some(outer) = declarator.parent() {
        if is_given(declarator, outer) {
            return None;
        }
        if declarator.kind() == "field_identifier" && outer.kind() == "function_declarator" {
            return annotated(outer).map(|name| Declared { name, owner: None });
        }
        node = before_macro(declarator, outer).unwrap_or(declarator);
    }
    let mut owner = None;
    // Deeper than anyone writes; the tree is the file's choice.
    for _ in 0..64 {
        node = match node.kind() {
            "identifier"
            | "field_identifier"
            | "type_identifier"
            | "primitive_type"
            | "operator_name"
            | "operator_cast"
            | "destructor_name"
            | "namespace_identifier" => return Some(Declared { name: node, owner }),
            "template_type" | "template_function" | "template_method" => node.child_by_field_name("name")?,
            "qualified_identifier" => {
                owner = node.child_by_field_name("scope").map(template_name).or(owner);
                node.child_by_field_name("name")?
            }
            _ => match node.child_by_field_name("declarator") {
                Some(inner) => after_macro(node, inner).unwrap_or(inner),
                None => inner_declarator(node)?,
            },
        };
    }
    None
}

/// The name of a type that its typedef or variable has given already: `struct a { .. } b`.
fn is_given(name: Node<'_>, specifier: Node<'_>) -> bool {
    name.kind() == "type_identifier"
        && specifier.kind().ends_with("_specifier")
        && specifier.parent().is_some_and(|outer| {
            matches!(outer.kind(), "declaration" | "field_declaration" | "type_definition")
                && outer.child_by_field_name("type") == Some(specifier)
                && outer.child_by_field_name("declarator").is_some()
        })
}

/// Macros that the grammar takes for a name push the real one aside, into an error before the declarator:
/// `class EXPORT Name : Base { .. }`, `void name() LOCKS(mutex) { .. }`.
fn before_macro<'t>(declarator: Node<'t>, outer: Node<'t>) -> Option<Node<'t>> {
    let can_have = matches!(
        outer.kind(),
        "declaration" | "field_declaration" | "function_definition" | "preproc_def"
    );
    if !can_have || !outer.has_error() {
        return None;
    }
    let error = outer
        .children()
        .take_while(|child| child.start_byte() < declarator.start_byte())
        .find(|child| child.is_error())?;
    let pushed = error.named_child(0)?;
    let fits = match declarator.kind() {
        "identifier" => pushed.kind() == "identifier" && matches!(outer.kind(), "function_definition" | "preproc_def"),
        "function_declarator" => pushed.kind() == "function_declarator",
        _ => false,
    };
    fits.then_some(pushed)
}

/// `name` of `type name GUARDED_BY(mutex)`, where the macro is taken for a method.
fn annotated(macro_call: Node<'_>) -> Option<Node<'_>> {
    let field = macro_call.parent()?;
    let error = field
        .children()
        .take_while(|child| child.start_byte() < macro_call.start_byte())
        .find(|child| child.is_error())?;
    error.named_child(0)
}

/// Macros before a type make the type look like the name: `API type name(..)`, `API type (name)(..)`.
fn after_macro<'t>(function: Node<'t>, taken: Node<'t>) -> Option<Node<'t>> {
    if function.kind() != "function_declarator" {
        return None;
    }
    if taken.kind() == "function_declarator" {
        let parameters = taken.child_by_field_name("parameters")?;
        return parameters.named_child(0)?.child_by_field_name("type");
    }
    if taken.kind() != "identifier" || !function.has_error() {
        return None;
    }
    let parameters = function.child_by_field_name("parameters")?;
    let error = function
        .children()
        .take_while(|child| child.start_byte() < parameters.start_byte())
        .find(|child| child.is_error())?;
    error.named_child(0).filter(|name| name.kind() == "identifier")
}

/// Lists inside of each other that are looked through.
const MAX_LISTS: usize = 16;

/// What the members that a list in braces names are of: `struct op run = { .exec = f };`.
pub(super) fn whole(list: Node<'_>) -> Whole {
    let names_member = list
        .named_children()
        .find(|item| item.kind() != "comment")
        .is_some_and(|item| item.kind() == "initializer_pair");
    match names_member.then(|| filled(list, MAX_LISTS)).flatten() {
        Some((whole, 0)) => whole,
        _ => Whole::Unknown,
    }
}

/// What a list fills, and how many lists inside of each other it takes until members of that can be named.
fn filled(list: Node<'_>, most: usize) -> Option<(Whole, usize)> {
    let outer = list.parent()?;
    match outer.kind() {
        "init_declarator" | "declaration" => {
            let declaration = if outer.kind() == "declaration" {
                outer
            } else {
                outer.parent()?
            };
            let declarator = outer.child_by_field_name("declarator")?;
            Some((written_type(declaration)?, arrays(declarator)))
        }
        "compound_literal_expression" => {
            let written = outer.child_by_field_name("type")?;
            let declarator = written.child_by_field_name("declarator");
            Some((written_type(outer)?, declarator.map_or(0, arrays)))
        }
        "initializer_list" => {
            let (whole, lists) = filled(outer, most.checked_sub(1)?)?;
            Some((whole, lists.checked_sub(1)?))
        }
        "initializer_pair" => {
            let (mut whole, mut lists) = filled(outer.parent()?, most.checked_sub(1)?)?;
            for designator in outer.children_by_field_name("designator") {
                match designator.kind() {
                    "field_designator" if lists == 0 => {
                        whole = Whole::Member(Box::new(whole), designator.named_child(0)?.byte_range());
                    }
                    "field_identifier" if lists == 0 => {
                        whole = Whole::Member(Box::new(whole), designator.byte_range());
                    }
                    "field_designator" | "field_identifier" => return None,
                    _ => lists = lists.checked_sub(1)?,
                }
            }
            Some((whole, lists))
        }
        _ => None,
    }
}

/// The type before a list or a declarator.
fn written_type(node: Node<'_>) -> Option<Whole> {
    let mut ty = node.child_by_field_name("type")?;
    if ty.kind() == "type_descriptor" {
        ty = ty.child_by_field_name("type")?;
    }
    if matches!(ty.kind(), "struct_specifier" | "union_specifier" | "class_specifier") {
        ty = ty.child_by_field_name("name")?;
    }
    Some(Whole::Type(span_of(ty)))
}

/// How many arrays inside of each other are declared.
fn arrays(declarator: Node<'_>) -> usize {
    let mut inner = Some(declarator);
    let mut arrays = 0;
    // Deeper than anyone writes.
    for _ in 0..MAX_LISTS {
        let Some(node) = inner else { break };
        arrays += usize::from(matches!(node.kind(), "array_declarator" | "abstract_array_declarator"));
        inner = node.child_by_field_name("declarator");
    }
    arrays
}

/// `Type` of `Type<T>`.
pub(super) fn template_name(scope: Node<'_>) -> Node<'_> {
    match scope.kind() {
        "template_type" => scope.child_by_field_name("name").unwrap_or(scope),
        _ => scope,
    }
}

/// Parentheses, references and attributes have what they are about as a child without a field.
fn inner_declarator(node: Node<'_>) -> Option<Node<'_>> {
    node.named_children().find(|child| {
        child.kind().ends_with("declarator") || child.kind().ends_with("identifier") || child.kind() == "operator_name"
    })
}

/// Words that no name can be.
pub(super) const RESERVED: &str = "\
    auto break case char const continue default do double else enum extern float for goto if inline int long \
    register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while";
