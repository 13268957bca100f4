//! PHP.

pub(crate) mod modules;

use crate::lang::{DEFAULT, Semantics, same_space};
use syntax::LangId;

pub(crate) const SEMANTICS: Semantics = Semantics {
    derived_from: &["parent"],
    languages: &[LangId::Php],
    is_strict: true,
    open_variables: true,
    hoists_variables: true,
    sets_outer_variables: true,
    shares_scope: same_space,
    global_functions: true,
    hands_over: false,
    has_uses: true,
    hides_package: true,
    traits_first: true,
    has_separate_names: true,
    delegates: (&["parent"], &["self", "static"]),
    iterates: Some(("getIterator", "current")),
    own_type: &["self", "static", "this", "$this"],
    constructors: &["__construct"],
    common_members: &[
        "add",
        "count",
        "current",
        "format",
        "get",
        "getMessage",
        "has",
        "key",
        "next",
        "set",
        "valid",
    ],
    call_member: Some("__invoke"),
    overrides_fields: true,
    ..DEFAULT
};
