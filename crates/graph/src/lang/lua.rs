//! Lua.

use crate::lang::{DEFAULT, Semantics};
use syntax::LangId;

pub(crate) const SEMANTICS: Semantics = Semantics {
    derived_from: &[],
    languages: &[LangId::Lua],
    exports_apart: true,
    keeps_base_arguments: true,
    own_type: &["self"],
    ..DEFAULT
};
