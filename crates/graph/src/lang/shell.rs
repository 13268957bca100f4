//! Shells, whose scripts run each other.

use crate::lang::Visibility;
use crate::lang::{DEFAULT, Semantics};
use syntax::LangId;

pub(crate) const SEMANTICS: Semantics = Semantics {
    languages: &[LangId::Bash, LangId::PowerShell],
    implicit_this: true,
    visibility: Visibility::GlobalAfterImports,
    has_open_types: true,
    own_type: &["this"],
    ..DEFAULT
};
