//! Lua.

use crate::lang::prelude::*;
use syntax::LangId;

pub(crate) const SEMANTICS: Semantics = Semantics {
    super_words: &[],
    languages: &[LangId::Lua],
    exports: Exports::Object,
    own_type: &["self"],
    ..DEFAULT
};
