//! Scala, 2 and 3.

use tree_sitter::Node;

use super::{DEFAULT, Definition, Hooks, Lang, Syntax, java, lang};
use crate::{
    extract::Walk,
    facts::{LocalKind, SymbolKind, Visibility},
};

pub(super) const LANG: Lang = lang("scala", &[], &["scala", "sc", "sbt"], &[], &["scala"]).with(&SYNTAX);

static SYNTAX: Syntax = Syntax::new(
    tree_sitter_scala::LANGUAGE,
    include_str!("scala.scm"),
    Hooks {
        visibility,
        is_test,
        kind,
        imports: Some(imports),
        local_kind,
        attributes: &["@"],
        reserved: RESERVED,
        ..DEFAULT
    },
);

/// A call gives one list of arguments; those of further lists are given by what is behind it, or by nobody.
fn local_kind(node: Node<'_>, _: &str) -> LocalKind {
    let list = node
        .parent()
        .filter(|list| node.kind() == "parameter" && list.kind() == "parameters");
    let before = list.and_then(|list| list.prev_named_sibling());
    match before {
        Some(before) if before.kind() == "parameters" => LocalKind::Optional,
        _ => LocalKind::Plain,
    }
}

fn visibility(definition: &Definition<'_>) -> Option<Visibility> {
    // `private val (a, b)` has its modifiers around the pattern.
    let is_member = definition.parent.is_some_and(|parent| parent.has_members());
    let is_pattern = is_member && definition.node.kind().ends_with("_pattern");
    let whole = is_pattern.then(|| definition.node.parent()).flatten();
    let head = whole.map_or(definition.head, |whole| &definition.text[whole.byte_range()]);
    // In the words before the name: `private[this] lazy val x`.
    let before = head.find(definition.name).map_or(head, |at| &head[..at]);
    for word in before.split_whitespace() {
        match word
            .split_once('[')
            .map_or((word, None), |(word, rest)| (word, Some(rest)))
        {
            ("private" | "protected", Some(within)) if !within.starts_with("this") => {
                return Some(Visibility::Internal);
            }
            ("private", _) => return Some(Visibility::Private),
            ("protected", _) => return Some(Visibility::Protected),
            _ => {}
        }
    }
    match (definition.kind, definition.parent) {
        (SymbolKind::Namespace | SymbolKind::Variant | SymbolKind::Test | SymbolKind::Impl, _) => None,
        // Inside a function, or in the block that makes a value.
        (_, Some(parent))
            if !(parent.has_members() || matches!(parent, SymbolKind::Namespace | SymbolKind::Variant)) =>
        {
            None
        }
        // Without `val` a parameter of a class is seen inside only, unless it is a case class.
        (_, Some(SymbolKind::Class | SymbolKind::Trait | SymbolKind::Enum))
            if definition.node.kind() == "class_parameter" =>
        {
            let is_value = before.split_whitespace().any(|word| word == "val" || word == "var");
            let is_case = definition.parent_head.split_whitespace().any(|word| word == "case");
            Some(if is_value || is_case {
                Visibility::Public
            } else {
                Visibility::Private
            })
        }
        _ => Some(Visibility::Public),
    }
}

/// ScalaTest, MUnit, specs2, utest, ZIO, JUnit.
fn is_test(definition: &Definition<'_>) -> bool {
    match definition.kind {
        SymbolKind::Test => true,
        SymbolKind::Class | SymbolKind::Object => {
            let name = definition.name;
            let inherits = definition.head.split_once("extends").is_some_and(|(_, bases)| {
                bases.split(|c: char| !c.is_alphanumeric()).any(|base| {
                    base.ends_with("Spec") || base.ends_with("Suite") || base == "Specification" || base == "TestSuite"
                })
            });
            inherits || ["Test", "Tests", "Spec", "Suite"].iter().any(|end| name.ends_with(end))
        }
        SymbolKind::Function | SymbolKind::Method => java::annotations(definition.head).any(java::is_test_annotation),
        _ => false,
    }
}

fn kind(definition: &Definition<'_>) -> SymbolKind {
    match definition.node.kind() {
        "class_parameter" => SymbolKind::Field,
        "function_definition" | "function_declaration" => match (definition.kind, definition.parent) {
            (SymbolKind::Method, _) if definition.name == "this" => SymbolKind::Constructor,
            // Inside a function it may yet belong to an anonymous class.
            (SymbolKind::Function, Some(_)) => match definition.node.parent().map(|around| around.kind()) {
                Some("template_body" | "with_template_body") if definition.parent != Some(SymbolKind::Namespace) => {
                    SymbolKind::Method
                }
                _ => SymbolKind::Function,
            },
            (kind, _) => kind,
        },
        // What cannot change and has a name like a type's, in one place for all.
        "val_definition" => {
            let is_shared = matches!(
                definition.parent,
                None | Some(SymbolKind::Object | SymbolKind::Namespace)
            );
            let is_named = definition.name.starts_with(|c: char| c.is_uppercase());
            if is_shared && is_named {
                SymbolKind::Constant
            } else {
                definition.kind
            }
        }
        _ => definition.kind,
    }
}

/// `import a.b.C, d.e._` and `import a.{b, c => d, e as _, *}` are one import for each name; `export` offers them too.
fn imports(node: Node<'_>, walk: &mut Walk<'_>) {
    let at = node.start_byte() as u32;
    let reexport = node.kind() == "export_declaration";
    let mut cursor = node.walk();
    let children: Vec<Node<'_>> = node.children(&mut cursor).collect();
    for clause in children.split(|child| child.kind() == ",") {
        let mut path: Vec<&str> = Vec::new();
        let mut is_done = false;
        for child in clause {
            match child.kind() {
                "identifier" | "operator_identifier" => path.push(walk.text(*child)),
                // `given T`: instances by their type.
                "namespace_wildcard" | "given" => {
                    walk.import_text(&path.join("."), None, None, true, reexport, at);
                    is_done = true;
                }
                "namespace_selectors" => {
                    selectors(*child, &path.join("."), reexport, walk);
                    is_done = true;
                }
                "as_renamed_identifier" | "arrow_renamed_identifier" => {
                    selector(*child, &path.join("."), reexport, walk);
                    is_done = true;
                }
                _ => {}
            }
        }
        if let (false, Some((item, module))) = (is_done, path.split_last()) {
            if module.is_empty() {
                walk.import_text(item, None, None, false, reexport, at);
            } else {
                walk.import_text(&module.join("."), Some(item), None, false, reexport, at);
            }
        }
    }
}

fn selectors(node: Node<'_>, path: &str, reexport: bool, walk: &mut Walk<'_>) {
    let mut cursor = node.walk();
    let children: Vec<Node<'_>> = node.named_children(&mut cursor).collect();
    for child in children {
        selector(child, path, reexport, walk);
    }
}

fn selector(node: Node<'_>, path: &str, reexport: bool, walk: &mut Walk<'_>) {
    let at = node.start_byte() as u32;
    match node.kind() {
        "identifier" | "operator_identifier" => {
            let item = walk.text(node);
            walk.import_text(path, Some(item), None, false, reexport, at);
        }
        "namespace_wildcard" | "wildcard" => walk.import_text(path, None, None, true, reexport, at),
        "as_renamed_identifier" | "arrow_renamed_identifier" => {
            let name = node.child_by_field_name("name").map(|name| walk.text(name));
            let alias = node.child_by_field_name("alias");
            // `{a => _}` hides a name.
            let (Some(name), Some(alias)) = (name, alias.filter(|alias| alias.kind() != "wildcard")) else {
                return;
            };
            let alias = walk.text(alias);
            walk.import_text(path, Some(name), Some(alias), false, reexport, at);
        }
        _ => {}
    }
}

/// Words that no name can be.
const RESERVED: &str = "\
    abstract case catch class def do else extends false final finally for forSome if implicit import lazy match new \
    null object override package private protected return sealed super this throw trait true try type val var while \
    with yield";
