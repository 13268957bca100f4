//! Clojure.

use super::{DEFAULT, Semantics};

pub(super) const SEMANTICS: Semantics = Semantics {
    languages: &["clojure"],
    is_strict: true,
    has_open_types: true,
    has_bare_members: true,
    has_global_modules: true,
    ..DEFAULT
};
