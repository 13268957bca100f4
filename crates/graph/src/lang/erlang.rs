//! Erlang.

use syntax::{LangId, NameId, Qualifier, RefIdx, Reference, Role};

use crate::lang::prelude::*;

pub(crate) struct Erlang;

impl Language for Erlang {
    fn semantics(&self) -> &'static Semantics {
        &SEMANTICS
    }
}

impl ScopeRules for Erlang {
    fn special_meaning(
        &self,
        resolver: &Resolver<'_>,
        place: At<'_>,
        reference: &Reference,
        _: RefIdx,
    ) -> Option<Meaning> {
        match (reference.role, reference.on) {
            (Role::Member, Qualifier::Path(ty)) => Some(resolver.record_field(place, reference, ty)),
            _ => None,
        }
    }
}

impl TypeRules for Erlang {}

impl MemberRules for Erlang {}

impl InferRules for Erlang {}

impl OverloadRules for Erlang {}

impl QueryRules for Erlang {}

impl Resolver<'_> {
    /// A field of a record: `#shape{size = 1}`.
    fn record_field(&self, place: At<'_>, reference: &Reference, record: NameId) -> Meaning {
        let names = &place.view.facts.names;
        let (record, field) = (names.get(record), names.get(reference.name));
        let found = self.member_of(&self.type_of_text(place, record), field);
        match self.without_functions(found) {
            Some(found) => found,
            None if self.type_meaning(place, record) == Meaning::External => Meaning::External,
            None => self.lookup(place, field, Role::Variable),
        }
    }
}

static SEMANTICS: Semantics = Semantics {
    languages: &[LangId::Erlang],
    is_strict: true,
    namespaces: Namespaces::ByUse,
    has_global_modules: true,
    exports: Exports::Listed,
    module_is_receiver: true,
    ..DEFAULT
};
