//! Julia.

use crate::lang::{DEFAULT, Semantics};
use syntax::LangId;

pub(crate) const SEMANTICS: Semantics = Semantics {
    languages: &[LangId::Julia],
    is_global: true,
    follows_wildcards: true,
    has_open_types: true,
    nests_modules: true,
    sets_outer_variables: true,
    ..DEFAULT
};
