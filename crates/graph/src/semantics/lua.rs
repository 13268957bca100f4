//! Lua.

use super::{DEFAULT, Semantics};

pub(super) const SEMANTICS: Semantics = Semantics {
    derived_from: &[],
    languages: &["lua"],
    exports_apart: true,
    own_type: &["self"],
    ..DEFAULT
};
