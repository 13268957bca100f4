//! Elixir.

use crate::lang::{DEFAULT, Semantics};
use syntax::LangId;

pub(crate) const SEMANTICS: Semantics = Semantics {
    languages: &[LangId::Elixir],
    has_open_types: true,
    has_global_modules: true,
    hides_private: true,
    asks_module: true,
    ..DEFAULT
};
