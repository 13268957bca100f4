//! Zig.

use super::{DEFAULT, Semantics};

pub(super) const SEMANTICS: Semantics = Semantics {
    languages: &["zig"],
    is_strict: true,
    hides_private: true,
    own_type: &["Self", "this"],
    ..DEFAULT
};
