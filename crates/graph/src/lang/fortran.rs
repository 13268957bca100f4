//! Fortran.

use crate::lang::{DEFAULT, Semantics};
use syntax::LangId;

pub(crate) const SEMANTICS: Semantics = Semantics {
    languages: &[LangId::Fortran],
    implicit_this: true,
    is_global: true,
    follows_wildcards: true,
    has_open_types: true,
    ..DEFAULT
};
