//! PHP.

mod iterators;
pub(crate) mod modules;
mod scope;

use syntax::{BindingIdx, LangId, Qualifier, RefIdx, Reference, Role, SymbolKind};

use crate::{
    lang::{prelude::*, same_space},
    scope::paths::Qualified,
    types::ty::UNKNOWN,
};

pub(crate) struct Php;

impl Language for Php {
    fn semantics(&self) -> &'static Semantics {
        &SEMANTICS
    }
}

impl ScopeRules for Php {
    /// Another file may have set a variable before it includes this one.
    fn is_foreign(&self, _: &Resolver<'_>, _: At<'_>, _: &str, role: Role) -> bool {
        role != Role::Variable
    }

    fn qualified_name(&self, resolver: &Resolver<'_>, place: At<'_>, qualified: &Qualified<'_>) -> Meaning {
        match qualified.path.rfind('\\') {
            Some(at) => {
                let (namespace, class) = qualified.path.split_at(at + 1);
                scope::in_namespace(resolver, place, (namespace, class), qualified.name)
            }
            None => resolver.by_path(place, qualified),
        }
    }

    fn implicit_name(&self, resolver: &Resolver<'_>, place: At<'_>, name: &str, role: Role) -> Option<Meaning> {
        match role {
            Role::Call => scope::function_without_namespace(resolver, place.file, name),
            _ => None,
        }
    }
}

impl TypeRules for Php {}

impl MemberRules for Php {
    /// `use SomeTrait;` comes before the class's base, and interfaces come last.
    fn order_supertypes(&self, resolver: &Resolver<'_>, supertypes: &mut [SymbolId]) {
        supertypes.sort_by_key(|id| match resolver.kind_of(*id) {
            Some(SymbolKind::Trait) => 0,
            Some(SymbolKind::Interface) => 2,
            _ => 1,
        });
    }
}

impl InferRules for Php {
    fn special_type(&self, resolver: &Resolver<'_>, place: At<'_>, reference: RefIdx, on: Option<&Ty>) -> Option<Ty> {
        let facts = &place.view.facts;
        let reference = &facts.references[reference];
        let is_own = matches!(facts.names.get(reference.name), "self" | "static");
        // `new static`
        (is_own && on.is_none() && reference.role == Role::Call).then(|| Ty::new(resolver.own_type(place)))
    }

    /// Libraries rarely declare what their methods return, so that the result may be anything, a value of ours included.
    fn library_value(&self, reference: &Reference) -> Option<Ty> {
        let is_method = matches!(reference.on, Qualifier::Value(_) | Qualifier::This);
        (is_method && reference.role == Role::Call).then_some(UNKNOWN)
    }

    fn loop_variable(&self, resolver: &Resolver<'_>, place: At<'_>, binding: BindingIdx, value: RefIdx) -> Ty {
        let known = resolver.type_of_all_values(place.file, place.view, value, place.at);
        let known = iterators::iterated_type(resolver, &known).unwrap_or(known);
        resolver.type_by_value_or_inserts(place, binding, known)
    }
}

impl OverloadRules for Php {}

impl QueryRules for Php {}

static SEMANTICS: Semantics = Semantics {
    super_words: &["parent"],
    languages: &[LangId::Php],
    is_strict: true,
    hoists_variables: true,
    sets_outer_variables: true,
    shares_scope: same_space,
    binds_behind_values: true,
    hides_package: true,
    namespaces: Namespaces::ByUse,
    constructor_words: (&["parent"], &["self", "static"]),
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
