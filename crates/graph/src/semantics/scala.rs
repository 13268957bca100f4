//! Scala.

use super::{DEFAULT, Semantics, java::COMMON, same_space};

pub(super) const SEMANTICS: Semantics = Semantics {
    languages: &["scala"],
    implicit_this: true,
    is_strict: true,
    has_overloads: true,
    has_open_types: true,
    shares_scope: same_space,
    common_members: COMMON,
    ..DEFAULT
};
