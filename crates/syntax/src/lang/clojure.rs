//! Clojure.

use super::{DEFAULT, Declared, Definition, Hooks, Lang, Syntax, lang};
use crate::{
    extract::Walk,
    facts::{SymbolKind, Visibility},
    tree::Node,
};

pub(super) const LANG: Lang = lang("clojure", &["clj"], &["clj", "cljs", "cljc", "edn"], &[], &["bb"]).with(&SYNTAX);

static SYNTAX: Syntax = Syntax::new(
    tree_sitter_clojure_orchard::LANGUAGE,
    include_str!("clojure.scm"),
    Hooks {
        separator: "/",
        visibility,
        is_test,
        is_definition,
        kind,
        imports: Some(imports),
        declared,
        ..DEFAULT
    },
);

fn visibility(definition: &Definition<'_>) -> Option<Visibility> {
    if matches!(definition.kind, SymbolKind::Namespace | SymbolKind::Impl) {
        return None;
    }
    let word = definition.head.split_whitespace().next().unwrap_or_default();
    let before = definition.head.find(definition.name).unwrap_or_default();
    let is_private = word.ends_with('-') || definition.head[..before].contains(":private");
    Some(if is_private {
        Visibility::Private
    } else {
        Visibility::Public
    })
}

fn is_test(definition: &Definition<'_>) -> bool {
    definition.kind == SymbolKind::Test
}

/// A method stands directly in its protocol, record or type.
fn is_definition(definition: &Definition<'_>) -> bool {
    let is_method = definition.kind == SymbolKind::Method;
    definition.node.kind() != "list_lit"
        || is_method
        || definition.head.starts_with("(def")
        || !definition.kind.is_function()
}

fn kind(definition: &Definition<'_>) -> SymbolKind {
    match definition.kind {
        SymbolKind::Variable if definition.head.contains("^:const") => SymbolKind::Constant,
        kind => kind,
    }
}

/// The name is the second part of the list.
fn declared(list: Node<'_>) -> Option<Declared<'_>> {
    let name = parts(list).nth(1)?;
    Some(Declared {
        name: name.child_by_field_name("name")?,
        owner: None,
    })
}

/// What is in a list or vector, without comments and what the reader drops.
fn parts(list: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    list.named_children()
        .filter(|child| !matches!(child.kind(), "comment" | "dis_expr" | "meta_lit" | "old_meta_lit"))
}

/// `(:require [a.b :as c :refer [d]] e)`, `(:import (java.util Date) java.io.File)`.
fn imports(node: Node<'_>, walk: &mut Walk<'_>) {
    let at = node.start_byte() as u32;
    let word = parts(node).next().map_or("", |first| walk.text(first));
    // `(:use a.b)` is `(:require [a.b :refer :all])`.
    let (is_import, uses) = (word.ends_with("import"), word.ends_with("use"));
    for spec in parts(node).skip(1) {
        // Outside of `ns` the parts are quoted.
        let spec = match spec.kind() {
            "quoting_lit" => spec.child_by_field_name("value").unwrap_or(spec),
            _ => spec,
        };
        match spec.kind() {
            "sym_lit" if is_import => class(walk.text(spec), at, walk),
            "sym_lit" => walk.import(spec, None, None, uses, false, at),
            "list_lit" | "vec_lit" if is_import => {
                let mut names = parts(spec);
                let Some(package) = names.next() else { continue };
                for name in names {
                    walk.import(package, Some(name), None, false, false, at);
                }
            }
            "list_lit" | "vec_lit" => required(spec, uses, at, walk),
            _ => {}
        }
    }
}

fn class(path: &str, at: u32, walk: &mut Walk<'_>) {
    match path.rsplit_once('.') {
        Some((package, name)) => walk.import_text(package, Some(name), None, false, false, at),
        None => walk.import_text(path, None, None, false, false, at),
    }
}

/// `[a.b :as c :refer [d e]]`, `[a.b :refer :all]`.
fn required(spec: Node<'_>, uses: bool, at: u32, walk: &mut Walk<'_>) {
    let parts: Vec<Node<'_>> = parts(spec).collect();
    let Some((module, options)) = parts.split_first() else {
        return;
    };
    let (mut alias, mut is_whole) = (None, true);
    for option in options.chunks_exact(2) {
        match (walk.text(option[0]), option[1].kind()) {
            (":as" | ":as-alias", "sym_lit") => alias = Some(option[1]),
            (":refer" | ":only" | ":refer-macros", "vec_lit" | "list_lit") => {
                is_whole = false;
                for name in self::parts(option[1]).filter(|name| name.kind() == "sym_lit") {
                    walk.import(*module, Some(name), None, false, false, at);
                }
            }
            (":refer", "kwd_lit") => {
                is_whole = false;
                walk.import(*module, None, None, true, false, at);
            }
            _ => {}
        }
    }
    if is_whole && uses {
        walk.import(*module, None, None, true, false, at);
    }
    if (is_whole && !uses) || alias.is_some() {
        walk.import(*module, None, alias, false, false, at);
    }
}
