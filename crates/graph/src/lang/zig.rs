//! Zig.

use crate::lang::prelude::*;
use syntax::LangId;

pub(crate) const SEMANTICS: Semantics = Semantics {
    languages: &[LangId::Zig],
    is_strict: true,
    hides_private: true,
    own_type: &["Self", "this"],
    ..DEFAULT
};
