//! Shells, whose scripts run each other.

use super::{DEFAULT, Semantics};

pub(super) const SEMANTICS: Semantics = Semantics {
    languages: &["bash", "powershell"],
    implicit_this: true,
    is_global: true,
    follows_wildcards: true,
    has_open_types: true,
    own_type: &["this"],
    ..DEFAULT
};
