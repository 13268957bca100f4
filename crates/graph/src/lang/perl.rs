//! Perl.

use crate::lang::{DEFAULT, Semantics};
use syntax::LangId;

pub(crate) const SEMANTICS: Semantics = Semantics {
    languages: &[LangId::Perl],
    has_open_types: true,
    has_global_modules: true,
    asks_module: true,
    ..DEFAULT
};
