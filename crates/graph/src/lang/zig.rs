//! Zig.

use crate::lang::{DEFAULT, Semantics};
use syntax::LangId;

pub(crate) const SEMANTICS: Semantics = Semantics {
    languages: &[LangId::Zig],
    is_strict: true,
    hides_private: true,
    own_type: &["Self", "this"],
    ..DEFAULT
};
