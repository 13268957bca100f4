//! Perl.

use crate::lang::prelude::*;
use syntax::LangId;

pub(crate) const SEMANTICS: Semantics = Semantics {
    languages: &[LangId::Perl],
    has_open_types: true,
    has_global_modules: true,
    module_is_receiver: true,
    ..DEFAULT
};
