//! Fortran.

use crate::lang::{DEFAULT, Semantics};

pub(crate) const SEMANTICS: Semantics = Semantics {
    languages: &["fortran"],
    implicit_this: true,
    is_global: true,
    follows_wildcards: true,
    has_open_types: true,
    ..DEFAULT
};
