//! Haskell and Elm.

use crate::lang::prelude::*;
use syntax::LangId;

pub(crate) const SEMANTICS: Semantics = Semantics {
    languages: &[LangId::Haskell, LangId::Elm],
    is_strict: true,
    has_open_types: true,
    namespaces: Namespaces::Types,
    has_bare_variants: true,
    has_bare_members: true,
    hides_private: true,
    exports: Exports::Listed,
    has_impl_blocks: true,
    ..DEFAULT
};
