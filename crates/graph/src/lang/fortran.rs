//! Fortran.

use crate::lang::prelude::*;
use syntax::LangId;

pub(crate) const SEMANTICS: Semantics = Semantics {
    languages: &[LangId::Fortran],
    implicit_this: true,
    visibility: Visibility::GlobalAfterImports,
    has_open_types: true,
    ..DEFAULT
};
