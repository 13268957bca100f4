//! Elixir.

use crate::lang::prelude::*;
use syntax::LangId;

pub(crate) const SEMANTICS: Semantics = Semantics {
    languages: &[LangId::Elixir],
    has_open_types: true,
    has_global_modules: true,
    hides_private: true,
    module_is_receiver: true,
    ..DEFAULT
};
