//! Elixir.

use crate::lang::{DEFAULT, Semantics};

pub(crate) const SEMANTICS: Semantics = Semantics {
    languages: &["elixir"],
    has_open_types: true,
    has_global_modules: true,
    hides_private: true,
    asks_module: true,
    ..DEFAULT
};
