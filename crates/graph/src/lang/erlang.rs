//! Erlang.

use crate::lang::{DEFAULT, Semantics};
use syntax::LangId;

pub(crate) const SEMANTICS: Semantics = Semantics {
    languages: &[LangId::Erlang],
    is_strict: true,
    has_separate_names: true,
    has_literals: true,
    has_global_modules: true,
    lists_exports: true,
    asks_module: true,
    ..DEFAULT
};
