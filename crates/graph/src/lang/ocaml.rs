//! OCaml.

use crate::lang::{DEFAULT, Semantics};
use syntax::LangId;

pub(crate) const SEMANTICS: Semantics = Semantics {
    languages: &[LangId::OCaml],
    is_strict: true,
    has_separate_types: true,
    has_bare_variants: true,
    has_bare_members: true,
    nests_modules: true,
    declares_in: Some(("ml", "mli")),
    ..DEFAULT
};
