//! Dart.

use super::{DEFAULT, Semantics};

pub(super) const SEMANTICS: Semantics = Semantics {
    languages: &["dart"],
    implicit_this: true,
    has_open_types: true,
    own_type: &["this"],
    overrides_fields: true,
    ..DEFAULT
};
