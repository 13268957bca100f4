//! Clojure.

use crate::lang::prelude::*;
use syntax::LangId;

pub(crate) const SEMANTICS: Semantics = Semantics {
    languages: &[LangId::Clojure],
    is_strict: true,
    has_open_types: true,
    has_bare_members: true,
    has_global_modules: true,
    ..DEFAULT
};
