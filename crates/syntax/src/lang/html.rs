//! HTML, and the scripts and styles inside elements that Vue and Svelte share with it.

use super::{Content, DEFAULT, Declared, Hooks, Lang, Syntax, lang, lang_by_name};
use crate::tree::Node;

pub(super) const LANG: Lang = lang("html", &[], &["html", "htm", "xhtml"], &[], &[])
    .with(&SYNTAX)
    .of_content(Content::Markup);

static SYNTAX: Syntax = Syntax::new(
    tree_sitter_html::LANGUAGE,
    include_str!("html.scm"),
    Hooks {
        embedded,
        declared,
        ..DEFAULT
    },
);

/// The language of a `<script>` or `<style>`, by its start tag.
pub(super) fn embedded(content: Node<'_>, text: &str) -> Option<&'static Lang> {
    let element = content.parent()?;
    match element.kind() {
        "script_element" | "style_element" => {}
        // Names of what a loop or a snippet gives.
        "each_start" if element.child_by_field_name("parameter") == Some(content) => return None,
        "snippet_start" | "attribute" => return None,
        "quoted_attribute_value" if !is_directive(element) => return None,
        _ => return expression(text),
    }
    let tag = text.get(element.child(0)?.byte_range())?.to_ascii_lowercase();
    let says = |attribute: &str| {
        let (_, value) = tag.split_once(&format!(" {attribute}="))?;
        let value = value.trim_start_matches(['"', '\'']);
        value.split(['"', '\'', '>', ' ']).next()
    };
    match (element.kind(), says("lang").or_else(|| says("type"))) {
        ("script_element", Some("ts" | "tsx" | "typescript" | "text/typescript" | "application/typescript")) => {
            lang_by_name("typescript")
        }
        (
            "script_element",
            None | Some("" | "js" | "jsx" | "module" | "javascript" | "text/javascript" | "text/babel" | "text/jsx"),
        )
        | ("script_element", Some("application/javascript" | "text/ecmascript")) => lang_by_name("javascript"),
        ("style_element", None | Some("" | "css" | "text/css" | "postcss")) => lang_by_name("css"),
        _ => None,
    }
}

/// `v-if="ready"`, `:class=".."`, `@click=".."`
fn is_directive(value: Node<'_>) -> bool {
    value
        .parent()
        .is_some_and(|attribute| attribute.kind() == "directive_attribute")
}

/// How far from the beginning or the end of a file its script is looked for: every expression looks.
const SCRIPT_NEAR: usize = 16 << 10;

/// The language of the expressions in a template: that of the file's script.
fn expression(text: &str) -> Option<&'static Lang> {
    let head = &text[..text.floor_char_boundary(SCRIPT_NEAR)];
    let tail = &text[text.ceil_char_boundary(text.len().saturating_sub(SCRIPT_NEAR))..];
    let script = [head, tail]
        .into_iter()
        .find_map(|part| part.find("<script").map(|at| &part[at..]));
    let tag = script.and_then(|script| script.split('>').next());
    let is_typed = tag.is_some_and(|tag| tag.contains("lang=\"ts") || tag.contains("lang='ts"));
    lang_by_name(if is_typed { "typescript" } else { "javascript" })
}

/// The value of a tag's `id`, of all attributes the one whose name has two letters.
pub(super) fn declared(tag: Node<'_>) -> Option<Declared<'_>> {
    let attribute = tag.named_children().find(|attribute| {
        attribute.kind() == "attribute"
            && attribute
                .named_child(0)
                .is_some_and(|name| name.byte_range().len() == 2)
    })?;
    let value = attribute.named_child(1)?;
    let name = match value.kind() {
        "quoted_attribute_value" => value.named_child(0)?,
        _ => value,
    };
    Some(Declared { name, owner: None })
}
