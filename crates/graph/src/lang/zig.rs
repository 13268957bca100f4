//! Zig.

use crate::lang::{DEFAULT, Semantics};

pub(crate) const SEMANTICS: Semantics = Semantics {
    languages: &["zig"],
    is_strict: true,
    hides_private: true,
    own_type: &["Self", "this"],
    ..DEFAULT
};
