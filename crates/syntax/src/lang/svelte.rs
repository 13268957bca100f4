//! Svelte.

use super::{DEFAULT, Hooks, Lang, Syntax, html, lang};

pub(super) const LANG: Lang = lang("svelte", &[], &["svelte"], &[], &[]).with(&SYNTAX);

static SYNTAX: Syntax = Syntax::new(
    tree_sitter_svelte_ng::LANGUAGE,
    include_str!("svelte.scm"),
    Hooks {
        embedded: html::embedded,
        declared: html::declared,
        ..DEFAULT
    },
);
