//! PHP.

use std::{borrow::Cow, ops::Range};

use source::Span;

use super::{DEFAULT, Definition, Hooks, Lang, Syntax, lang};
use crate::{
    extract::Walk,
    facts::{Modifier, Shape, SymbolKind, Visibility},
    tree::Node,
};

pub(super) const LANG: Lang = lang("php", &[], &["php", "phtml", "php5"], &[], &["php"]).with(&SYNTAX);

static SYNTAX: Syntax = Syntax::new(
    tree_sitter_php::LANGUAGE_PHP,
    include_str!("php.scm"),
    Hooks {
        separator: "\\",
        member_separator: Some("::"),
        visibility,
        is_test,
        // What is given to a field says what it is, and not that there is one.
        is_definition: |definition| {
            definition.kind != SymbolKind::Field || definition.node.kind() != "assignment_expression"
        },
        kind,
        imports: Some(imports),
        path,
        doc_type,
        comment: Some(|comment, _, walk| {
            if let Some((name, ty, scope)) = commented(comment, walk.whole_text()) {
                walk.known_by_comment(name, &ty, comment, scope);
            }
        }),
        shape,
        written,
        only_written: true,
        attributes: &["#["],
        argument_label,
        named_by_callers: |_, _| true,
        ..DEFAULT
    },
);

/// A path before a name goes from the beginning of the whole to the last backslash, which tells it from a class.
fn path(before: Node<'_>, _: &str) -> Range<usize> {
    let whole = before.parent().filter(|_| before.kind() == "\\");
    let name = whole.and_then(|whole| whole.named_children().last());
    match whole.zip(name) {
        Some((whole, name)) => whole.start_byte()..name.start_byte(),
        None => before.byte_range(),
    }
}

/// A class that is handed over by its name: `$container->get(Shape::class)`.
fn written(argument: Node<'_>, text: &str) -> Option<String> {
    let access = argument.named_child(0).unwrap_or(argument);
    let mut parts = access.named_children();
    let (class, word) = (parts.next()?, parts.next()?);
    let is_class = access.kind() == "class_constant_access_expression" && &text[word.byte_range()] == "class";
    let is_named = matches!(class.kind(), "name" | "qualified_name" | "relative_name");
    (is_class && is_named).then(|| format!("Class<{}>", &text[class.byte_range()]))
}

/// What belongs to a class itself.
fn shape(member: Node<'_>, _: &str) -> Option<Shape> {
    let mut children = member.children();
    let is_static = children.any(|child| child.kind() == "static_modifier");
    is_static.then_some(Shape::Modifier(Modifier::Static))
}

/// `@return Shape[]`, `@var array<int, Shape>`, `@param Shape|null $shape`: of lists what is in them.
fn doc_type<'d>(doc: &'d str, parameter: Option<&str>) -> Option<Cow<'d, str>> {
    let words: &[&str] = match parameter {
        Some(_) => &["@param", "@phpstan-param", "@psalm-param"],
        None => &["@return", "@var"],
    };
    let mut tags = doc.lines().filter_map(|line| {
        let line = line.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '/' | '*'));
        let tag = words.iter().find_map(|word| line.strip_prefix(word))?;
        tag.starts_with([' ', '\t']).then(|| tag.trim())
    });
    let written = tags.find_map(|tag| {
        let end = ends_at(tag);
        let name = tag[end..].trim_start().trim_start_matches(['&', '.']);
        let name = name
            .split(|c: char| !(is_word(c) || c == '$'))
            .next()
            .unwrap_or_default();
        let is_it = parameter.is_none_or(|wanted| name.strip_prefix('$') == Some(wanted));
        is_it.then_some(&tag[..end])
    })?;
    let written = written.strip_suffix("[]").unwrap_or(written);
    let element = written.split_once('<').filter(|(list, _)| {
        let list = list.strip_prefix("non-empty-").unwrap_or(list);
        matches!(
            list.strip_prefix('\\').unwrap_or(list),
            "array" | "list" | "iterable" | "ArrayIterator" | "Generator" | "Iterator" | "Traversable"
        )
    });
    let element = element.and_then(|(_, inner)| inner.strip_suffix('>')?.rsplit(',').next());
    let ty = element.map_or(written, str::trim);
    let is_made_up = ty.contains(['{', '(', '<', '\'', '"']);
    (!ty.is_empty() && !is_made_up).then(|| ty.into())
}

/// `/** @var Shape $shape */` before or behind what gives the variable its value; without a name it speaks of what the
/// statement below gives one.
fn commented<'t>(comment: Node<'_>, text: &'t str) -> Option<(&'t str, Cow<'t, str>, Span)> {
    let doc = &text[comment.byte_range()];
    let block = comment.parent()?;
    let is_between = matches!(
        block.kind(),
        "compound_statement" | "colon_block" | "program" | "case_statement"
    );
    let (_, tag) = doc
        .split_once("@var ")
        .filter(|_| is_between && doc.starts_with("/**"))?;
    let tag = tag.trim_start();
    let named = tag[ends_at(tag)..].trim_start().strip_prefix('$');
    let named = named.map(|name| name.split(|c| !is_word(c)).next().unwrap_or_default());
    let next = comment.next_named_sibling().filter(|next| !next.is_extra());
    let given = next.and_then(|next| {
        let assignment = next
            .named_child(0)
            .filter(|inner| inner.kind() == "assignment_expression")?;
        text[assignment.child_by_field_name("left")?.byte_range()].strip_prefix('$')
    });
    let name = named.or(given).filter(|name| !name.is_empty())?;
    let body = next.and_then(|next| next.child_by_field_name("body"));
    let start = match (next, body) {
        (Some(next), _) if given == Some(name) => next.end_byte(),
        // `foreach ($all as $shape) {`
        (Some(next), Some(body)) if next.kind() == "foreach_statement" => {
            let head = &text[next.start_byte()..body.start_byte()];
            let is_given = head.split_once(" as ").is_some_and(|(_, given)| {
                let mut words = given.split(|c| !is_word(c) && c != '$');
                words.any(|word| word.strip_prefix('$') == Some(name))
            });
            if is_given {
                body.start_byte()
            } else {
                comment.end_byte()
            }
        }
        _ => comment.end_byte(),
    };
    let scope = Span {
        start: start as u32,
        end: block.end_byte() as u32,
    };
    Some((name, doc_type(doc, None)?, scope))
}

/// Where a type in a comment ends: at white space that no bracket is around.
fn ends_at(text: &str) -> usize {
    let mut depth = 0;
    let end = text.find(|c: char| {
        match c {
            '<' | '{' | '(' | '[' => depth += 1,
            '>' | '}' | ')' | ']' => depth -= 1,
            _ => {}
        }
        depth <= 0 && c.is_whitespace()
    });
    end.unwrap_or(text.len())
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn visibility(definition: &Definition<'_>) -> Option<Visibility> {
    match definition.kind {
        SymbolKind::Namespace | SymbolKind::Test => return None,
        SymbolKind::Variant => return Some(Visibility::Public),
        _ => {}
    }
    let mut modifiers = definition
        .node
        .children()
        .filter(|child| child.kind() == "visibility_modifier")
        .filter_map(|child| definition.text.get(child.byte_range()));
    // `private(set)` speaks of writing only.
    Some(match modifiers.find(|modifier| !modifier.contains('(')) {
        Some("private") => Visibility::Private,
        Some("protected") => Visibility::Protected,
        _ => Visibility::Public,
    })
}

/// PHPUnit and Pest.
fn is_test(definition: &Definition<'_>) -> bool {
    match definition.kind {
        SymbolKind::Test => true,
        SymbolKind::Class => definition.name.ends_with("Test") || definition.head.contains("TestCase"),
        SymbolKind::Method => {
            let in_test = definition.parent_head.contains("Test");
            (in_test && definition.name.starts_with("test"))
                || definition.lead.contains("@test")
                || definition.head.contains("#[Test]")
        }
        _ => false,
    }
}

fn kind(definition: &Definition<'_>) -> SymbolKind {
    match definition.kind {
        SymbolKind::Method if definition.name == "__construct" => SymbolKind::Constructor,
        // Of a class without a name.
        SymbolKind::Function if definition.node.kind() == "method_declaration" => SymbolKind::Method,
        kind => kind,
    }
}

/// `use A\B as C, D`, `use A\{B, function c}`, and the files that are included.
fn imports(node: Node<'_>, walk: &mut Walk<'_>) {
    if node.kind() != "namespace_use_declaration" {
        return file(node, walk);
    }
    let group = node.child_by_field_name("body");
    let prefix = group.and_then(|_| {
        let mut children = node.named_children();
        children.find(|child| child.kind() == "namespace_name")
    });
    let prefix = prefix.map_or("", |prefix| walk.text(prefix));
    let clauses: Vec<Node<'_>> = group.unwrap_or(node).named_children().collect();
    for clause in clauses.iter().filter(|clause| clause.kind() == "namespace_use_clause") {
        let alias = clause.child_by_field_name("alias");
        let mut names = clause.named_children();
        let Some(name) = names.find(|name| matches!(name.kind(), "name" | "qualified_name")) else {
            continue;
        };
        let name = walk.text(name).trim_start_matches('\\');
        let whole = if prefix.is_empty() {
            name.to_owned()
        } else {
            format!("{}\\{name}", prefix.trim_matches('\\'))
        };
        let alias = alias.map(|alias| walk.text(alias));
        let at = clause.start_byte() as u32;
        match whole.rsplit_once('\\') {
            Some((path, item)) => walk.import_text(path, Some(item), alias, false, false, at),
            None => walk.import_text(&whole, None, alias, false, false, at),
        }
    }
}

/// `require 'x.php'`, `require __DIR__ . '/x.php'`
fn file(node: Node<'_>, walk: &mut Walk<'_>) {
    let at = node.start_byte() as u32;
    let mut given = node.named_child(0);
    if let Some(inner) = given.filter(|given| given.kind() == "parenthesized_expression") {
        given = inner.named_child(0);
    }
    let Some(given) = given else { return };
    match given.kind() {
        "string" | "encapsed_string" => walk.import(given, None, None, false, false, at),
        "binary_expression" => {
            let left = given.child_by_field_name("left").map(|left| walk.text(left));
            let right = given.child_by_field_name("right");
            let Some(right) = right.filter(|right| matches!(right.kind(), "string" | "encapsed_string")) else {
                return;
            };
            let path = walk.text(right).trim_matches(['"', '\'']);
            if matches!(left, Some("__DIR__" | "dirname(__FILE__)")) {
                walk.import_text(
                    &format!("./{}", path.trim_start_matches('/')),
                    None,
                    None,
                    false,
                    false,
                    at,
                );
            } else {
                walk.import_text(path, None, None, false, false, at);
            }
        }
        _ => {}
    }
}

/// `f(name: 1)`
fn argument_label(node: Node<'_>) -> Option<Node<'_>> {
    (node.kind() == "argument").then(|| node.child_by_field_name("name"))?
}
