//! Shells, whose scripts run each other.

use crate::lang::prelude::*;
use syntax::LangId;

pub(crate) const SEMANTICS: Semantics = Semantics {
    languages: &[LangId::Bash, LangId::PowerShell],
    implicit_this: true,
    visibility: Visibility::GlobalAfterImports,
    has_open_types: true,
    own_type: &["this"],
    ..DEFAULT
};
