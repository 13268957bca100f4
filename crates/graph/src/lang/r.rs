//! R.

use crate::lang::{prelude::*, same_dir};
use syntax::LangId;

pub(crate) const SEMANTICS: Semantics = Semantics {
    languages: &[LangId::R],
    visibility: Visibility::GlobalAfterImports,
    has_open_types: true,
    shares_scope: same_dir,
    ..DEFAULT
};
