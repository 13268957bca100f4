//! Solidity.

use crate::lang::prelude::*;
use syntax::LangId;

pub(crate) const SEMANTICS: Semantics = Semantics {
    languages: &[LangId::Solidity],
    implicit_this: true,
    has_open_types: true,
    exports: Exports::WithImports,
    own_type: &["this"],
    ..DEFAULT
};
