//! Shells, whose scripts run each other.

use crate::lang::{DEFAULT, Semantics};

pub(crate) const SEMANTICS: Semantics = Semantics {
    languages: &["bash", "powershell"],
    implicit_this: true,
    is_global: true,
    follows_wildcards: true,
    has_open_types: true,
    own_type: &["this"],
    ..DEFAULT
};
