//! Makefiles.

use super::{Content, DEFAULT, Lang, Syntax, lang};

pub(super) const LANG: Lang = lang(
    "make",
    &["makefile"],
    &["mk", "mak", "make"],
    &["Makefile", "makefile", "GNUmakefile"],
    &["make"],
)
.with(&SYNTAX)
.of_content(Content::Build);

static SYNTAX: Syntax = Syntax::new(tree_sitter_make::LANGUAGE, include_str!("make.scm"), DEFAULT);
