//! JavaScript, and what TypeScript shares with it.

use std::ops::Range;

use super::{CONVENTIONS, Conventions, DEFAULT, Definition, Hooks, Lang, Syntax, jsdoc, lang, places, typescript};
use crate::{
    extract::{Walk, Whole},
    facts::{Modifier, STATIC, Shape, SymbolKind, Visibility},
    tree::Node,
};

pub(super) const LANG: Lang = lang(
    "javascript",
    &["js", "jsx"],
    &["js", "jsx", "mjs", "cjs"],
    &[],
    &["node", "nodejs"],
)
.with(&SYNTAX)
.with_conventions(Conventions {
    declaration_files: typescript::DECLARATIONS,
    has_shorthand_members: true,
    ..CONVENTIONS
});

static SYNTAX: Syntax = Syntax::new(
    tree_sitter_javascript::LANGUAGE,
    concat!(
        include_str!("javascript.scm"),
        include_str!("ecmascript.scm"),
        include_str!("jsx.scm")
    ),
    Hooks {
        dialect: Some((is_flow, &typescript::TSX)),
        is_untyped: true,
        doc_type: jsdoc::doc_type,
        comment: Some(jsdoc::read),
        has_prototypes: true,
        masked: Some(masked),
        ..HOOKS
    },
);

/// Further out no function is looked for.
const MAX_OUT: usize = 64;

/// How far into a file its `@flow` may be.
const PRAGMA: usize = 2 << 10;

/// Flow's types are written much like TypeScript's.
fn is_flow(text: &str) -> bool {
    let head = &text[..text.floor_char_boundary(PRAGMA)];
    head.contains("@flow")
}

pub(super) const HOOKS: Hooks = Hooks {
    visibility,
    is_test: |definition| definition.kind == SymbolKind::Test,
    kind,
    is_definition,
    imports: Some(imports),
    exports,
    binds_at_once: true,
    attributes: &["@"],
    shape,
    made_type,
    name,
    whole: |literal, _| returned(literal),
    ..DEFAULT
};

/// The object that a function gives back, if the function has a name: `function make() { return { run } }`.
pub(super) fn returned(literal: Node<'_>) -> Whole {
    let name = name_of_giver(literal);
    name.map_or(Whole::Unknown, |name| Whole::Returned(name.start_byte() as u32))
}

fn name_of_giver(literal: Node<'_>) -> Option<Node<'_>> {
    let around = holder(literal)?;
    let function = match around.kind() {
        "arrow_function" => around,
        "return_statement" => function_around(around)?,
        _ => return None,
    };
    if !matches!(function.kind(), "arrow_function" | "function_expression") {
        return function.child_by_field_name("name");
    }
    let mut around = holder(function)?;
    // Called where it stands: `const api = (() => { .. })()`.
    if around.kind() == "call_expression"
        && around.child_by_field_name("arguments")?.start_byte() >= function.end_byte()
    {
        around = holder(around)?;
    }
    match around.kind() {
        "variable_declarator" | "public_field_definition" => around.child_by_field_name("name"),
        "field_definition" => around.child_by_field_name("property"),
        "pair" => around.child_by_field_name("key"),
        "assignment_expression" => {
            let left = around.child_by_field_name("left")?;
            Some(left.child_by_field_name("property").unwrap_or(left))
        }
        _ => None,
    }
}

/// What a value is written in, but for what leaves it as it is.
fn holder(value: Node<'_>) -> Option<Node<'_>> {
    let mut outer = std::iter::successors(value.parent(), |node| node.parent()).take(MAX_OUT);
    outer.find(|outer| {
        !matches!(
            outer.kind(),
            "parenthesized_expression" | "as_expression" | "await_expression"
        )
    })
}

/// The function that a place is in, if that is not too far out.
pub(super) fn function_around(node: Node<'_>) -> Option<Node<'_>> {
    let mut outer = std::iter::successors(node.parent(), |node| node.parent()).take(MAX_OUT);
    outer.find(|outer| {
        matches!(
            outer.kind(),
            "function_declaration"
                | "function_expression"
                | "generator_function"
                | "generator_function_declaration"
                | "arrow_function"
                | "method_definition"
        )
    })
}

/// What is called itself has no name: `interface Ajax { (url: string): Reply }`.
fn name(text: &str) -> &str {
    if text == "(" { "()" } else { text }
}

/// Words of the language that others may take from a file as names; the grammars know no more than `default`.
const RESERVED: &[&str] = &[
    "break",
    "case",
    "catch",
    "class",
    "const",
    "continue",
    "debugger",
    "delete",
    "do",
    "else",
    "enum",
    "export",
    "extends",
    "false",
    "finally",
    "for",
    "function",
    "if",
    "import",
    "in",
    "instanceof",
    "new",
    "null",
    "return",
    "super",
    "switch",
    "this",
    "throw",
    "true",
    "try",
    "typeof",
    "var",
    "void",
    "while",
    "with",
    "yield",
];

/// Where words of the language are names in lists of what is imported or exported: `export { make as new }`.
fn reserved_names(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for at in ["export", "import"].into_iter().flat_map(|word| places(text, word)) {
        let behind = text[at + 6..].trim_start();
        let behind = behind.strip_prefix("type").map_or(behind, str::trim_start);
        let Some(list) = behind.strip_prefix('{') else { continue };
        let list = &list[..list.floor_char_boundary(EXPORT_LIST)];
        let Some((list, _)) = list.split_once('}') else {
            continue;
        };
        let place = |word: &str| word.as_ptr() as usize - text.as_ptr() as usize;
        let is_renamed = |one: &str| words(one).nth(1) == Some("as");
        for name in list.split(',').filter(|one| is_renamed(one)).flat_map(words) {
            if RESERVED.contains(&name) {
                found.push(place(name)..place(name) + name.len());
            }
        }
    }
    found
}

/// `using` declares like `const`, a quote that a template escapes is one more character of it, and words of the language may be
/// names: the grammars know none of it everywhere.
pub(super) fn masked(text: &str) -> Option<String> {
    let mut masked: Option<Vec<u8>> = None;
    let bytes = text.as_bytes();
    let word = "using ";
    for at in places(text, word) {
        let before = text[..at].trim_end_matches([' ', '\t']);
        let waits = before.strip_suffix("await").filter(|before| !before.ends_with('.'));
        let start = waits.map_or(at, str::len);
        let before = waits.unwrap_or(before).trim_end_matches([' ', '\t']);
        let begins = before.is_empty() || before.ends_with(['\n', '\r', '{', '}', ';', '(']);
        let name = text[at + word.len()..].trim_start();
        let behind = name.trim_start_matches(|c: char| c.is_alphanumeric() || matches!(c, '_' | '$'));
        let is_name = behind.len() < name.len() && !name.starts_with("of ");
        let behind = behind.trim_start();
        if begins
            && is_name
            && (behind.starts_with("of ") || behind.starts_with([':', '=']) && !behind.starts_with("=>"))
        {
            let masked = masked.get_or_insert_with(|| bytes.to_vec());
            masked[start..at + word.len()].fill(b' ');
            masked[start..start + 5].copy_from_slice(b"const");
        }
    }
    for name in reserved_names(text) {
        masked.get_or_insert_with(|| bytes.to_vec())[name].fill(b'_');
    }
    for at in places(text, "\\`") {
        let slashes = bytes[..at].iter().rev().take_while(|byte| **byte == b'\\').count();
        if slashes % 2 == 0 {
            masked.get_or_insert_with(|| bytes.to_vec())[at..at + 2].fill(b'_');
        }
    }
    masked.and_then(|masked| String::from_utf8(masked).ok())
}

/// A method of the class itself may stand beside one of its values that has the same name.
fn shape(method: Node<'_>, _: &str) -> Option<Shape> {
    let mut children = method.children().take(8);
    let is_static = children.any(|child| child.kind() == STATIC);
    is_static.then_some(Shape::Modifier(Modifier::Static))
}

pub(super) fn made_type(value: Node<'_>, _: &str) -> Option<Range<usize>> {
    let made = value.child_by_field_name("constructor")?;
    let held = value.child_by_field_name("type_arguments")?;
    Some(made.start_byte()..held.end_byte())
}

/// How much of the end of a file is searched for a list of exports, and how many lists.
const EXPORTS_TAIL: usize = 16 << 10;
const EXPORTS_SEEN: usize = 64;
const EXPORT_LIST: usize = 4 << 10;

fn visibility(definition: &Definition<'_>) -> Option<Visibility> {
    if definition.name.starts_with('#') {
        return Some(Visibility::Private);
    }
    match definition.parent {
        _ if definition.kind == SymbolKind::Test => None,
        Some(SymbolKind::Class) => Some(match modifier(definition) {
            Some("private") => Visibility::Private,
            Some("protected") => Visibility::Protected,
            _ => Visibility::Public,
        }),
        None | Some(SymbolKind::Namespace | SymbolKind::Module) => {
            let is_exported = definition.is_exported || matches!(definition.name, "default" | "exports");
            match definition.node.kind() {
                _ if is_exported => Some(Visibility::Public),
                // The value of `exports.name`, a method given to a class from outside.
                "assignment_expression" => {
                    let is_exports = definition.head.starts_with("exports.") || definition.head.starts_with("module.");
                    is_exports.then_some(Visibility::Public)
                }
                // What exists elsewhere is as visible as it is there.
                _ if definition.head.starts_with("declare ") || definition.parent_head.contains("declare ") => None,
                _ if definition.parent.is_some() => Some(Visibility::Private),
                _ => listed(definition.text, definition.name),
            }
        }
        // As visible as what they belong to.
        Some(_) => None,
    }
}

/// What TypeScript says of a member.
fn modifier<'a>(definition: &Definition<'a>) -> Option<&'a str> {
    let mut children = definition.node.children().take(8);
    let found = children.find(|child| child.kind() == "accessibility_modifier")?;
    definition.text.get(found.byte_range())
}

/// Public if the name is in `export { .. }`, `export default name` or `module.exports`; unknown if nothing is exported,
/// for then it may be a script, whose names are everybody's. Only the end of the file is searched, which is where such
/// lists are: this is asked for every name.
fn listed(text: &str, name: &str) -> Option<Visibility> {
    let tail = &text[text.ceil_char_boundary(text.len().saturating_sub(EXPORTS_TAIL))..];
    let mut visibility = None;
    let mut lists = 0;
    let word = "export";
    let found: Vec<usize> = places(tail, word).collect();
    for at in found.into_iter().rev().take(EXPORTS_SEEN) {
        let is_word = !tail[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let rest = &tail[at + word.len()..];
        if !is_word {
            continue;
        }
        visibility = Some(Visibility::Private);
        let (rest, is_commonjs) = match rest.strip_prefix('s') {
            Some(rest) => (rest.trim_start(), true),
            None => (rest.trim_start(), false),
        };
        let default = rest.strip_prefix("default").map(str::trim_start);
        let given = rest.strip_prefix('=').map_or(rest, str::trim_start);
        let given = default.unwrap_or(given);
        let list = given.strip_prefix('{').filter(|_| default.is_none());
        let is_listed = if let Some(list) = list {
            lists += 1;
            let list = &list[..list.floor_char_boundary(EXPORT_LIST)];
            let list = list.split_once('}').map_or(list, |(list, _)| list);
            lists <= 8 && words(list).any(|word| word == name)
        } else if is_commonjs && rest.starts_with('.') {
            let line = rest[..rest.floor_char_boundary(200)].lines().next();
            line.is_some_and(|line| words(line).any(|word| word == name))
        } else {
            words(&given[..given.floor_char_boundary(name.len() + 1)]).next() == Some(name)
        };
        if is_listed {
            return Some(Visibility::Public);
        }
    }
    visibility
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'))
        .filter(|word| !word.is_empty())
}

fn kind(definition: &Definition<'_>) -> SymbolKind {
    match definition.kind {
        SymbolKind::Method if definition.name == "constructor" && definition.parent == Some(SymbolKind::Class) => {
            SymbolKind::Constructor
        }
        SymbolKind::Method if is_accessor(definition.node) => SymbolKind::Property,
        SymbolKind::Variable => {
            let before = definition.head.split(['=', ':', '{', '[']).next().unwrap_or_default();
            let is_constant = before.split_whitespace().any(|word| word == "const");
            if is_constant {
                SymbolKind::Constant
            } else {
                SymbolKind::Variable
            }
        }
        kind => kind,
    }
}

/// Further in no keys are looked for.
const MAX_IN: usize = 12;

/// Among more members no setter is looked for.
const MAX_MEMBERS: usize = 256;

/// What a key of an object is given is told of objects that a file has for itself: others are values among values.
pub(super) fn is_definition(definition: &Definition<'_>) -> bool {
    if definition.kind == SymbolKind::Field && definition.node.kind() == "assignment_expression" {
        return match owner_named(definition) {
            Some(owner) => owner.starts_with(char::is_uppercase) || is_added(definition, owner, true),
            None => !is_member(definition),
        };
    }
    if definition.node.kind() != "pair" || definition.kind != SymbolKind::Property {
        return true;
    }
    // `Shape.prototype = { constructor: Shape, size: 0 }`
    if definition.parent == Some(SymbolKind::Impl) && definition.name != "constructor" {
        let object = definition.node.parent().and_then(|object| object.parent());
        return object.is_some_and(|object| object.kind() == "assignment_expression");
    }
    let is_inside = matches!(
        definition.parent,
        Some(SymbolKind::Constant | SymbolKind::Variable | SymbolKind::Property | SymbolKind::Field)
    );
    if !is_inside {
        return false;
    }
    let mut outer = std::iter::successors(definition.node.parent(), |node| node.parent()).take(MAX_IN);
    let constant = outer.find(|outer| !leaves_as_is(*outer, definition.text));
    let Some(constant) = constant else { return false };
    // `module.exports = { levels: { .. } }`
    if constant.kind() == "assignment_expression" {
        let left = constant.child_by_field_name("left");
        let left = left.map_or("", |left| &definition.text[left.byte_range()]);
        let around = constant.parent().and_then(|statement| statement.parent());
        // What has a name elsewhere is offered under this one.
        let value = definition.node.child_by_field_name("value");
        let is_own = value.is_some_and(|value| {
            let is_named = value.kind().ends_with("identifier") || value.kind() == "member_expression";
            !is_named && !definition.text[value.byte_range()].starts_with("require(")
        });
        let is_outer = around.is_some_and(|around| around.kind() == "program");
        return match left {
            "module.exports" | "exports" => is_own && is_outer,
            // Of what a value of a class keeps, or what a file adds to what it has: `this.state = { at: 0 }`.
            left => left.starts_with("this.") || is_outer,
        };
    }
    // What says its type has the keys of that.
    let is_typed = constant.child_by_field_name("type").is_some();
    let around = constant.parent().and_then(|declaration| declaration.parent());
    let is_outer = || around.is_some_and(|around| matches!(around.kind(), "program" | "export_statement"));
    match constant.kind() {
        "variable_declarator" => !is_typed && is_outer(),
        "public_field_definition" | "field_definition" => !is_typed,
        _ => false,
    }
}

/// The name of what a member is given to: `internals` in `internals.size = 1`.
pub(super) fn owner_named<'a>(definition: &Definition<'a>) -> Option<&'a str> {
    let object = definition
        .node
        .child_by_field_name("left")?
        .child_by_field_name("object")?;
    (object.kind() == "identifier").then(|| &definition.text[object.byte_range()])
}

/// Whether a member is added to a function that the file has, or to an object where those can be added to.
pub(super) fn is_added(definition: &Definition<'_>, owner: &str, to_objects: bool) -> bool {
    let text = definition.text;
    let statement = definition.node.parent();
    let statement = statement.filter(|statement| statement.kind() == "expression_statement");
    let program = statement.and_then(|statement| statement.parent());
    let Some(program) = program.filter(|outer| outer.kind() == "program") else {
        return false;
    };
    let is_called = |node: Node<'_>, field: &str, name: &str| {
        let named = node.child_by_field_name(field);
        named.is_some_and(|named| &text[named.byte_range()] == name)
    };
    let is_made = |declared: Node<'_>| match declared.child_by_field_name("value") {
        Some(value) if value.kind() == "object" => {
            let mut keys = value.named_children().take(MAX_MEMBERS);
            to_objects && !keys.any(|key| is_called(key, "key", definition.name))
        }
        Some(value) => matches!(value.kind(), "arrow_function" | "function_expression"),
        None => false,
    };
    let mut statements = program.named_children();
    statements.any(|other| {
        let declared = other.child_by_field_name("declaration").unwrap_or(other);
        match declared.kind() {
            "function_declaration" => is_called(declared, "name", owner),
            "lexical_declaration" | "variable_declaration" => declared
                .named_children()
                .any(|one| is_called(one, "name", owner) && is_made(one)),
            _ => false,
        }
    })
}

/// Whether an object inside of a node keeps its keys: it is part of another, held against a type, or copied or frozen.
fn leaves_as_is(node: Node<'_>, text: &str) -> bool {
    let call = match node.kind() {
        "object" | "pair" | "as_expression" | "satisfies_expression" | "parenthesized_expression" => return true,
        "arguments" => node.parent(),
        "call_expression" => Some(node),
        _ => None,
    };
    let function = call.and_then(|call| call.child_by_field_name("function"));
    function.is_some_and(|function| gives_back(&text[function.byte_range()]))
}

/// Whether a function of the language gives back what is in the objects that it is given.
pub(super) fn gives_back(function: &str) -> bool {
    matches!(function, "Object.assign" | "Object.freeze" | "Object.seal")
}

/// Whether what is assigned to is there already: `this.run = this.run.bind(this)` of a method, `this.size = 1` where
/// `set size` takes it.
fn is_member(definition: &Definition<'_>) -> bool {
    let given = definition.node.child_by_field_name("right");
    let given = given.map_or("", |given| &definition.text[given.byte_range()]);
    let own = given
        .strip_prefix("this.")
        .and_then(|own| own.strip_prefix(definition.name));
    if own.is_some_and(|rest| rest.starts_with(".bind(")) {
        return true;
    }
    let mut outer = std::iter::successors(definition.node.parent(), |node| node.parent()).take(MAX_OUT);
    let function = outer.find(|outer| {
        matches!(
            outer.kind(),
            "method_definition" | "function_declaration" | "function_expression" | "generator_function"
        )
    });
    let method = function.filter(|function| function.kind() == "method_definition");
    let Some(body) = method.and_then(|method| method.parent()) else {
        return false;
    };
    let is_named = |member: &Node<'_>| {
        let name = member.child_by_field_name("name");
        name.is_some_and(|name| &definition.text[name.byte_range()] == definition.name)
    };
    let mut members = body.named_children().take(MAX_MEMBERS);
    members.any(|member| is_named(&member) && is_accessor(member))
}

fn is_accessor(node: Node<'_>) -> bool {
    matches!(
        node.kind(),
        "method_definition" | "method_signature" | "abstract_method_signature"
    ) && node
        .children()
        .take_while(|child| !child.is_named() || child.kind() != "property_identifier")
        .any(|child| matches!(child.kind(), "get" | "set"))
}

fn imports(node: Node<'_>, walk: &mut Walk<'_>) {
    let at = node.start_byte() as u32;
    match node.kind() {
        "import_statement" => import_statement(node, at, walk),
        "export_statement" => reexports(node, at, walk),
        "import_alias" => {
            let (alias, path) = (node.named_child(0), node.named_child(1));
            if let (Some(alias), Some(path)) = (alias, path) {
                walk.import(path, None, Some(alias), false, false, at);
            }
        }
        "call_expression" => {
            if let Some(path) = required(node).filter(|_| !is_named(node)) {
                walk.import(path, None, None, false, false, at);
            }
        }
        _ => required_names(node, at, walk),
    }
}

fn import_statement(node: Node<'_>, at: u32, walk: &mut Walk<'_>) {
    let clauses: Vec<Node<'_>> = node.named_children().collect();
    // `import fs = require("fs")`
    if let Some(clause) = clauses.iter().find(|clause| clause.kind() == "import_require_clause") {
        if let Some(path) = clause.child_by_field_name("source") {
            walk.import(path, None, clause.named_child(0), false, false, at);
        }
        return;
    }
    let Some(path) = node.child_by_field_name("source") else {
        return;
    };
    let Some(clause) = clauses.iter().find(|clause| clause.kind() == "import_clause") else {
        walk.import(path, None, None, false, false, at);
        return;
    };
    for part in clause.named_children() {
        match part.kind() {
            "identifier" => {
                let (path, alias) = (walk.text(path), walk.text(part));
                walk.import_text(path, Some("default"), Some(alias), false, false, at);
            }
            "namespace_import" => walk.import(path, None, part.named_child(0), false, false, at),
            _ => specifiers(part, path, false, at, walk),
        }
    }
}

fn reexports(node: Node<'_>, at: u32, walk: &mut Walk<'_>) {
    let Some(path) = node.child_by_field_name("source") else {
        return;
    };
    for part in node.children() {
        match part.kind() {
            "export_clause" => specifiers(part, path, true, at, walk),
            "namespace_export" => walk.import(path, None, part.named_child(0), false, true, at),
            "*" => walk.import(path, None, None, true, true, at),
            _ => {}
        }
    }
}

/// What a file offers under another name than it has there, or has from elsewhere: `export { a as b }`, `export default a`,
/// `module.exports = { a, b: c }`. What `module.exports` itself is given is called `exports`.
fn exports(node: Node<'_>, walk: &mut Walk<'_>) {
    let at = node.start_byte() as u32;
    if node.kind() == "assignment_expression" {
        let (Some(left), Some(right)) = (node.child_by_field_name("left"), node.child_by_field_name("right")) else {
            return;
        };
        let name = walk.text(left);
        let name = name.strip_prefix("module.").unwrap_or(name);
        let name = name.strip_prefix("exports.").unwrap_or(name);
        // `const app = module.exports = {}`: what is added to one is added to the other.
        let chain = std::iter::successors(node.parent(), |outer| outer.parent());
        let mut chain = chain.skip_while(|outer| outer.kind() == "assignment_expression");
        let declared = chain.next().filter(|outer| outer.kind() == "variable_declarator");
        if let Some(declared) = declared.and_then(|outer| outer.child_by_field_name("name"))
            && name == "exports"
        {
            offered(declared, name, at, walk);
        }
        return offered(right, name, at, walk);
    }
    let parts: Vec<Node<'_>> = node.children().collect();
    let has = |word: &str| parts.iter().any(|part| part.kind() == word);
    if let Some(list) = parts.iter().find(|part| part.kind() == "export_clause") {
        for specifier in list.named_children() {
            if let Some(name) = specifier.child_by_field_name("name") {
                let alias = specifier.child_by_field_name("alias").map(|alias| walk.text(alias));
                let name = walk.text(name);
                walk.import_text("", Some(name), alias, false, true, at);
            }
        }
    } else if has("default") {
        let declared = node.child_by_field_name("declaration");
        let name = declared.and_then(|declared| declared.child_by_field_name("name"));
        if let Some(given) = name.or_else(|| node.child_by_field_name("value")) {
            offered(given, "default", at, walk);
        }
    } else if has("=")
        && let Some(given) = parts.iter().find(|part| part.is_named())
    {
        offered(*given, "exports", at, walk);
    }
}

/// A value that is offered under a name.
fn offered(given: Node<'_>, name: &str, at: u32, walk: &mut Walk<'_>) {
    match given.kind() {
        "identifier" | "type_identifier" | "property_identifier" => {
            let given = walk.text(given);
            walk.import_text("", Some(given), Some(name), false, true, at);
        }
        "assignment_expression" => {
            let (left, right) = (given.child_by_field_name("left"), given.child_by_field_name("right"));
            if let (Some(left), Some(right)) = (left, right) {
                offered(named_by(left, right), name, at, walk);
            }
        }
        "class" | "function_expression" => {
            if let Some(given) = given.child_by_field_name("name") {
                offered(given, name, at, walk);
            }
        }
        "call_expression" if is_require(given, walk) => {
            if let Some(path) = required(given) {
                let path = walk.text(path);
                let alias = Some(name).filter(|name| *name != "exports");
                walk.import_text(path, None, alias, alias.is_none(), true, at);
            }
        }
        // `exports.Runner = require("./runner").Runner`
        "member_expression" => {
            let (object, property) = (
                given.child_by_field_name("object"),
                given.child_by_field_name("property"),
            );
            if let (Some(object), Some(property)) = (object, property)
                && object.kind() == "call_expression"
                && is_require(object, walk)
                && let Some(path) = required(object)
            {
                let (path, item) = (walk.text(path), walk.text(property));
                walk.import_text(path, Some(item), Some(name), false, true, at);
            }
        }
        "object" if name == "exports" => {
            for part in given.named_children() {
                match part.kind() {
                    "shorthand_property_identifier" => {
                        let name = walk.text(part);
                        walk.import_text("", Some(name), None, false, true, at);
                    }
                    "pair" => {
                        let (key, value) = (part.child_by_field_name("key"), part.child_by_field_name("value"));
                        if let (Some(key), Some(value)) = (key, value) {
                            let key = walk.text(key).trim_matches(['"', '\'']);
                            offered(value, key, at, walk);
                        }
                    }
                    "spread_element" => {
                        let call = part.named_child(0).filter(|call| call.kind() == "call_expression");
                        if let Some(call) = call {
                            offered(call, "exports", at, walk);
                        }
                    }
                    _ => {}
                }
            }
        }
        _ => {}
    }
}

/// What has the name of a value that is given to something: `Core` in `internals.Core = class { .. }`, where the value has none.
fn named_by<'n>(left: Node<'n>, value: Node<'n>) -> Node<'n> {
    let is_nameless = matches!(value.kind(), "class" | "function_expression" | "arrow_function")
        && value.child_by_field_name("name").is_none();
    match left.child_by_field_name("property") {
        Some(property) if is_nameless => property,
        _ => value,
    }
}

fn is_require(call: Node<'_>, walk: &Walk<'_>) -> bool {
    let function = call.child_by_field_name("function");
    function.is_some_and(|function| walk.text(function) == "require")
}

/// `{ a, b as c }`
fn specifiers(list: Node<'_>, path: Node<'_>, reexport: bool, at: u32, walk: &mut Walk<'_>) {
    for specifier in list.named_children() {
        let Some(name) = specifier.child_by_field_name("name") else {
            continue;
        };
        let alias = specifier.child_by_field_name("alias");
        walk.import(path, Some(name), alias, false, reexport, at);
    }
}

/// What a `require(..)` or `import(..)` asks for.
fn required(call: Node<'_>) -> Option<Node<'_>> {
    let arguments = call.child_by_field_name("arguments")?;
    // A comment may say what a bundler makes of it.
    let mut given = arguments.named_children().filter(|given| !given.is_extra());
    given.next().filter(|path| path.kind() == "string")
}

/// What is waited for: `await import("x")`, `(await import("x"))`.
fn awaited(value: Node<'_>) -> Node<'_> {
    let mut value = value;
    while matches!(value.kind(), "await_expression" | "parenthesized_expression")
        && let Some(inner) = value.named_child(0)
    {
        value = inner;
    }
    value
}

/// Whether the declaration around a call has told of this import, and more exactly.
fn is_named(call: Node<'_>) -> bool {
    let is_waiting = |outer: &Node<'_>| matches!(outer.kind(), "await_expression" | "parenthesized_expression");
    let mut outer = std::iter::successors(call.parent(), |node| node.parent()).take(MAX_OUT);
    let parent = outer.find(|outer| !is_waiting(outer));
    let member = parent.filter(|parent| parent.kind() == "member_expression");
    let around = member.map_or(parent, |member| member.parent());
    let name = around
        .filter(|around| around.kind() == "variable_declarator")
        .and_then(|around| around.child_by_field_name("name"));
    name.is_some_and(|name| name.kind() == "identifier" || (member.is_none() && name.kind() == "object_pattern"))
        && call
            .child_by_field_name("function")
            .is_some_and(|function| matches!(function.kind(), "identifier" | "import"))
}

/// `const { a, b: c } = require("x")`, `const d = require("x").e`
fn required_names(node: Node<'_>, at: u32, walk: &mut Walk<'_>) {
    let (Some(name), Some(value)) = (node.child_by_field_name("name"), node.child_by_field_name("value")) else {
        return;
    };
    let value = awaited(value);
    let member = value.child_by_field_name("property");
    let call = awaited(value.child_by_field_name("object").unwrap_or(value));
    let Some(path) = required(call) else { return };
    if name.kind() != "object_pattern" {
        walk.import(path, member, Some(name), false, false, at);
        return;
    }
    for part in name.named_children() {
        match part.kind() {
            "shorthand_property_identifier_pattern" => walk.import(path, Some(part), None, false, false, at),
            "pair_pattern" => {
                let alias = part
                    .child_by_field_name("value")
                    .filter(|alias| alias.kind() == "identifier");
                if let Some(item) = part.child_by_field_name("key") {
                    walk.import(path, Some(item), alias, false, false, at);
                }
            }
            _ => {}
        }
    }
}
