//! OCaml.

use crate::lang::{DEFAULT, Semantics};

pub(crate) const SEMANTICS: Semantics = Semantics {
    languages: &["ocaml"],
    is_strict: true,
    has_separate_types: true,
    has_bare_variants: true,
    has_bare_members: true,
    nests_modules: true,
    declares_in: Some(("ml", "mli")),
    ..DEFAULT
};
