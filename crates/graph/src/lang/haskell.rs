//! Haskell and Elm.

use crate::lang::{DEFAULT, Semantics};

pub(crate) const SEMANTICS: Semantics = Semantics {
    languages: &["haskell", "elm"],
    is_strict: true,
    has_open_types: true,
    has_separate_types: true,
    has_bare_variants: true,
    has_bare_members: true,
    hides_private: true,
    lists_exports: true,
    implements_in_blocks: true,
    ..DEFAULT
};
