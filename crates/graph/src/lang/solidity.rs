//! Solidity.

use crate::lang::{DEFAULT, Semantics};
use syntax::LangId;

pub(crate) const SEMANTICS: Semantics = Semantics {
    languages: &[LangId::Solidity],
    implicit_this: true,
    has_open_types: true,
    imports_are_exports: true,
    own_type: &["this"],
    ..DEFAULT
};
