//! PHP.

use super::{DEFAULT, Semantics, same_space};

pub(super) const SEMANTICS: Semantics = Semantics {
    languages: &["php"],
    is_strict: true,
    shares_scope: same_space,
    own_type: &["self", "static", "$this"],
    constructors: &["__construct"],
    common_members: &[
        "add",
        "count",
        "current",
        "format",
        "get",
        "getMessage",
        "has",
        "key",
        "next",
        "set",
        "valid",
    ],
    ..DEFAULT
};
