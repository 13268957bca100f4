//! Makefiles.

use super::{DEFAULT, Lang, Syntax, lang};

pub(super) const LANG: Lang = lang(
    "make",
    &["makefile"],
    &["mk", "mak", "make"],
    &["Makefile", "makefile", "GNUmakefile"],
    &["make"],
)
.with(&SYNTAX);

static SYNTAX: Syntax = Syntax::new(tree_sitter_make::LANGUAGE, include_str!("make.scm"), DEFAULT);
