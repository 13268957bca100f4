//! R.

use crate::lang::{DEFAULT, Semantics, same_dir};

pub(crate) const SEMANTICS: Semantics = Semantics {
    languages: &["r"],
    is_global: true,
    follows_wildcards: true,
    has_open_types: true,
    shares_scope: same_dir,
    ..DEFAULT
};
