//! Ruby.

use std::borrow::Cow;

use super::{DEFAULT, Declared, Definition, Hooks, Lang, Syntax, TokenSink, lang};
use crate::{
    extract::Walk,
    facts::{Modifier, Role, Shape, SymbolKind, Visibility},
    tree::Node,
};

pub(super) const LANG: Lang = lang(
    "ruby",
    &["rb"],
    &["rb", "rake", "gemspec", "ru"],
    &["Rakefile", "Gemfile", "Vagrantfile", "Brewfile", "Podfile", "Guardfile"],
    &["ruby", "jruby"],
)
.with(&SYNTAX);

static SYNTAX: Syntax = Syntax::new(
    tree_sitter_ruby::LANGUAGE,
    include_str!("ruby.scm"),
    Hooks {
        separator: "::",
        visibility,
        is_test,
        kind,
        imports: Some(imports),
        declared,
        tokens,
        name: bare,
        shape,
        doc_type,
        has_bare_calls: true,
        reserved: RESERVED,
        argument_label,
        named_by_callers: |_, behind| behind.starts_with(':'),
        ..DEFAULT
    },
);

/// How far back `private` is looked for: every method of a class looks, so the distance has to have an end.
const SECTION_LINES: usize = 1000;

fn visibility(definition: &Definition<'_>) -> Option<Visibility> {
    match definition.kind {
        // Nobody else can see `@x`.
        SymbolKind::Field if definition.name.starts_with('@') => return Some(Visibility::Private),
        SymbolKind::Test | SymbolKind::Block | SymbolKind::Target | SymbolKind::Namespace => return None,
        SymbolKind::Function | SymbolKind::Method | SymbolKind::Property => {}
        _ => return Some(Visibility::Public),
    }
    let before = definition.text.get(..definition.node.start_byte())?;
    let line = before.rfind('\n').map_or(before, |at| &before[at + 1..]);
    // `private def x`, `private attr_reader :x`
    let word = line.trim_end().rsplit(|c: char| !is_word(c)).next().unwrap_or_default();
    if let Some(stated) = section(word) {
        return Some(stated);
    }
    let is_own = definition.node.kind() == "singleton_method";
    if is_own || definition.parent.is_none() || definition.name == "initialize" {
        return Some(Visibility::Public);
    }
    let indent = line.len() - line.trim_start().len();
    for line in before.lines().rev().skip(1).take(SECTION_LINES) {
        let code = line.trim_start();
        let at = line.len() - code.len();
        if at > indent || code.is_empty() {
            continue;
        }
        let code = code.split('#').next().unwrap_or_default().trim_end();
        if let Some(stated) = section(code) {
            return Some(stated);
        }
        let opens = ["class ", "module ", "class<<"]
            .iter()
            .any(|word| code.starts_with(word));
        if at < indent && (opens || code.ends_with(" do") || code.ends_with('|')) {
            break;
        }
    }
    Some(Visibility::Public)
}

fn section(word: &str) -> Option<Visibility> {
    match word {
        "private" | "private_class_method" => Some(Visibility::Private),
        "protected" => Some(Visibility::Protected),
        "public" | "module_function" => Some(Visibility::Public),
        _ => None,
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// RSpec, Minitest and test-unit.
fn is_test(definition: &Definition<'_>) -> bool {
    match definition.kind {
        SymbolKind::Test | SymbolKind::Block => true,
        SymbolKind::Class => {
            let base = definition.head.split_once('<').map_or("", |(_, base)| base.trim());
            base.ends_with("Test") || base.ends_with("TestCase") || base.ends_with("Spec")
        }
        SymbolKind::Method => definition.name.starts_with("test_"),
        _ => false,
    }
}

fn kind(definition: &Definition<'_>) -> SymbolKind {
    match definition.kind {
        SymbolKind::Method if definition.name == "initialize" => SymbolKind::Constructor,
        // Modules are mixed into classes; what they define are methods.
        SymbolKind::Function if definition.parent == Some(SymbolKind::Module) => SymbolKind::Method,
        kind => kind,
    }
}

/// A method of the class itself, and what of an attribute there is.
fn shape(definition: Node<'_>, text: &str) -> Option<Shape> {
    let is_own = || {
        let around = definition.parent().and_then(|body| body.parent());
        definition
            .parent()
            .into_iter()
            .chain(around)
            .any(|outer| outer.kind() == "singleton_class")
    };
    let modifier = match definition.kind() {
        "singleton_method" => Modifier::Static,
        "method" if is_own() => Modifier::Static,
        "call" => match text.get(definition.child_by_field_name("method")?.byte_range())? {
            "attr_reader" | "attr" => Modifier::ReadOnly,
            "attr_writer" => Modifier::WriteOnly,
            _ => return None,
        },
        _ => return None,
    };
    Some(Shape::Modifier(modifier))
}

/// YARD: `@return [Shape, nil]`, `@param shape [Shape]`, `@param [Shape] shape`.
fn doc_type<'d>(doc: &'d str, parameter: Option<&str>) -> Option<Cow<'d, str>> {
    let word = parameter.map_or("@return", |_| "@param");
    let mut tags = doc.lines().filter_map(|line| {
        let line = line.trim_start_matches(|c: char| c.is_whitespace() || c == '#');
        line.strip_prefix(word).filter(|tag| tag.starts_with([' ', '\t']))
    });
    let written = tags.find_map(|tag| {
        let (before, rest) = tag.split_once('[')?;
        let mut depth = 1;
        let end = rest.find(|c: char| {
            depth += i32::from(c == '[') - i32::from(c == ']');
            depth == 0
        })?;
        let behind = rest[end + 1..].split_whitespace().next();
        let named = Some(before.trim()).filter(|name| !name.is_empty()).or(behind);
        let is_it = parameter.is_none_or(|wanted| named == Some(wanted));
        is_it.then_some(&rest[..end])
    })?;
    let is_type = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':' | '<' | '>' | ',' | ' ');
    let ty = written.replace(", ", "|").replace("#self", "self");
    (!ty.is_empty() && ty.chars().all(|c| is_type(c) || c == '|') && !written.contains("<(")).then(|| ty.into())
}

/// `def self.x` belongs to the class around it, and `def Other.x` to the one it names.
fn declared(node: Node<'_>) -> Option<Declared<'_>> {
    let name = node.child_by_field_name("name")?;
    let object = node
        .child_by_field_name("object")
        .filter(|object| object.kind() == "constant");
    // The body of a class is between the two.
    let around = node.parent().and_then(|body| body.parent());
    let owner = object.filter(|_| around.is_none_or(|around| !matches!(around.kind(), "class" | "module")));
    Some(Declared { name, owner })
}

/// `require "json"`, `require_relative "../x"`, `autoload :Circle, "shapes/circle"`
fn imports(node: Node<'_>, walk: &mut Walk<'_>) {
    let (Some(method), Some(arguments)) = (
        node.child_by_field_name("method"),
        node.child_by_field_name("arguments"),
    ) else {
        return;
    };
    let mut given = arguments.named_children();
    let at = node.start_byte() as u32;
    match (walk.text(method), given.next(), given.next()) {
        ("autoload", Some(name), Some(path)) => {
            let name = bare(walk.text(name));
            walk.import_text(walk.text(path), Some(name), None, false, false, at);
        }
        ("require_relative", Some(path), _) if path.kind() == "string" => {
            let written = walk.text(path);
            let inner = written.get(1..written.len().saturating_sub(1)).unwrap_or_default();
            if inner.starts_with('.') {
                walk.import(path, None, None, false, false, at);
            } else {
                walk.import_text(&format!("./{inner}"), None, None, false, false, at);
            }
        }
        (_, Some(path), _) if path.kind() == "string" => walk.import(path, None, None, false, false, at),
        _ => {}
    }
}

/// Symbols among arguments: the path before such a name is the symbol itself, which no constant can be.
fn tokens<'t>(arguments: Node<'t>, sink: &mut TokenSink<'_, 't>) {
    for symbol in arguments.named_children().filter(|one| one.kind() == "simple_symbol") {
        sink(symbol, Role::Call, None, Some(symbol));
    }
}

/// A symbol without its mark: `:radius` names `radius`.
fn bare(name: &str) -> &str {
    let name = name.strip_prefix(':').unwrap_or(name);
    name.trim_matches('"')
}

/// Words that no name can be.
const RESERVED: &str = "\
    __FILE__ __LINE__ alias and BEGIN begin break case class def defined? do else elsif END end ensure false for if \
    in module next nil not or redo rescue retry return self super then true undef unless until when while yield";

/// `f(name: 1)`
fn argument_label(node: Node<'_>) -> Option<Node<'_>> {
    let is_given = node.kind() == "pair" && node.parent()?.kind() == "argument_list";
    let key = node.child_by_field_name("key").filter(|_| is_given)?;
    (key.kind() == "hash_key_symbol").then_some(key)
}
