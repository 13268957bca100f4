//! Perl.

use crate::lang::{DEFAULT, Semantics};

pub(crate) const SEMANTICS: Semantics = Semantics {
    languages: &["perl"],
    has_open_types: true,
    has_global_modules: true,
    asks_module: true,
    ..DEFAULT
};
