//! Julia.

use crate::lang::{DEFAULT, Semantics};

pub(crate) const SEMANTICS: Semantics = Semantics {
    languages: &["julia"],
    is_global: true,
    follows_wildcards: true,
    has_open_types: true,
    nests_modules: true,
    sets_outer_variables: true,
    ..DEFAULT
};
