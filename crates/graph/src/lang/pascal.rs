//! Pascal.

use syntax::LangId;

use crate::lang::{DEFAULT, Semantics};

pub(crate) static SEMANTICS: Semantics = Semantics {
    languages: &[LangId::Pascal],
    implicit_this: true,
    has_open_types: true,
    hides_private: true,
    own_type: &["Self", "self"],
    derived_from: &["inherited"],
    constructors: &["Create"],
    ..DEFAULT
};
