//! Vue.

use super::{DEFAULT, Hooks, Lang, Syntax, html, lang};

pub(super) const LANG: Lang = lang("vue", &[], &["vue"], &[], &[]).with(&SYNTAX);

static SYNTAX: Syntax = Syntax::new(
    tree_sitter_vue_next::LANGUAGE,
    include_str!("vue.scm"),
    Hooks {
        embedded: html::embedded,
        declared: html::declared,
        ..DEFAULT
    },
);
