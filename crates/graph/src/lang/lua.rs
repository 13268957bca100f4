//! Lua.

use crate::lang::{DEFAULT, Semantics};

pub(crate) const SEMANTICS: Semantics = Semantics {
    derived_from: &[],
    languages: &["lua"],
    exports_apart: true,
    own_type: &["self"],
    ..DEFAULT
};
