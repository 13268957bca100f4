//! CMake.

use super::{Content, DEFAULT, Declared, Hooks, Lang, Syntax, lang};
use crate::tree::Node;

pub(super) const LANG: Lang = lang("cmake", &[], &["cmake"], &["CMakeLists.txt"], &[])
    .with(&SYNTAX)
    .of_content(Content::Build);

static SYNTAX: Syntax = Syntax::new(
    tree_sitter_cmake::LANGUAGE,
    include_str!("cmake.scm"),
    Hooks { declared, ..DEFAULT },
);

/// `add_test(NAME name ..)`: the name is the second argument.
fn declared(arguments: Node<'_>) -> Option<Declared<'_>> {
    Some(Declared {
        name: arguments.named_child(1)?,
        owner: None,
    })
}
