//! PHP.

pub(crate) mod modules;
mod scope;

use syntax::{LangId, Role};

use crate::{
    engine::{
        meaning::Meaning,
        resolver::{At, Resolver},
    },
    lang::{DEFAULT, LanguageRules, Semantics, same_space},
};

pub(crate) struct Php;

impl LanguageRules for Php {
    fn semantics(&self) -> &'static Semantics {
        &SEMANTICS
    }

    fn implicit_name(&self, resolver: &Resolver<'_>, place: At<'_>, name: &str, role: Role) -> Option<Meaning> {
        match role {
            Role::Call => scope::function_without_namespace(resolver, place.file, name),
            _ => None,
        }
    }
}

static SEMANTICS: Semantics = Semantics {
    derived_from: &["parent"],
    languages: &[LangId::Php],
    is_strict: true,
    open_variables: true,
    hoists_variables: true,
    sets_outer_variables: true,
    shares_scope: same_space,
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
