//! R.

use crate::lang::{DEFAULT, Semantics, same_dir};
use syntax::LangId;

pub(crate) const SEMANTICS: Semantics = Semantics {
    languages: &[LangId::R],
    is_global: true,
    follows_wildcards: true,
    has_open_types: true,
    shares_scope: same_dir,
    ..DEFAULT
};
