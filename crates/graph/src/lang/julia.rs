//! Julia.

use crate::lang::prelude::*;
use syntax::LangId;

pub(crate) const SEMANTICS: Semantics = Semantics {
    languages: &[LangId::Julia],
    visibility: Visibility::GlobalAfterImports,
    has_open_types: true,
    nests_modules: true,
    sets_outer_variables: true,
    ..DEFAULT
};
