//! Dart.

pub(crate) mod modules;

use crate::lang::prelude::*;
use syntax::LangId;

pub(crate) const SEMANTICS: Semantics = Semantics {
    languages: &[LangId::Dart],
    implicit_this: true,
    has_open_types: true,
    own_type: &["this"],
    overrides_fields: true,
    ..DEFAULT
};
