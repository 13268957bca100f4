//! Fortran.

use super::{DEFAULT, Semantics};

pub(super) const SEMANTICS: Semantics = Semantics {
    languages: &["fortran"],
    implicit_this: true,
    is_global: true,
    follows_wildcards: true,
    has_open_types: true,
    ..DEFAULT
};
