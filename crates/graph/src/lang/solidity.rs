//! Solidity.

use crate::lang::{DEFAULT, Semantics};

pub(crate) const SEMANTICS: Semantics = Semantics {
    languages: &["solidity"],
    implicit_this: true,
    has_open_types: true,
    imports_are_exports: true,
    own_type: &["this"],
    ..DEFAULT
};
