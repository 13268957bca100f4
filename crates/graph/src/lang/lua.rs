//! Lua.

use crate::lang::{DEFAULT, Semantics};
use syntax::LangId;

pub(crate) const SEMANTICS: Semantics = Semantics {
    derived_from: &[],
    languages: &[LangId::Lua],
    has_export_object: true,
    own_type: &["self"],
    ..DEFAULT
};
