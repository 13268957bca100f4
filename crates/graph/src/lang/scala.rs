//! Scala.

mod library;
mod names;
mod patterns;

use syntax::{LangId, Literal, Qualifier, Reference};

use crate::{
    lang::{java::COMMON, prelude::*},
    overload::arg_type::ArgType,
    scope::lookup::Lookup,
};

pub(crate) struct Scala;

impl Language for Scala {
    fn semantics(&self) -> &'static Semantics {
        &SEMANTICS
    }
}

impl ScopeRules for Scala {
    fn replace_candidates(
        &self,
        resolver: &Resolver<'_>,
        place: At<'_>,
        reference: &Reference,
        found: Meaning,
    ) -> Meaning {
        let found = match (found, reference.on) {
            // `this` has the members of the self-type too, which a bare name sees.
            (Meaning::Missing | Meaning::Unknown, Qualifier::This) => {
                resolver.lookup(place, place.view.facts.names.get(reference.name), reference.role)
            }
            (found, _) => found,
        };
        match found {
            Meaning::Missing => resolver.of_implicit_wrapper(place, reference).unwrap_or(found),
            found => found,
        }
    }

    fn imported_from_value(&self, resolver: &Resolver<'_>, place: At<'_>, name: &str) -> Option<Meaning> {
        resolver.in_import_of_value(place, name)
    }

    fn inner_import(&self, lookup: &Lookup<'_>) -> Option<Meaning> {
        lookup.resolver.of_imported_value(lookup.place, lookup.name)
    }

    fn package_member(&self, resolver: &Resolver<'_>, place: At<'_>, name: &str) -> Option<Meaning> {
        resolver.of_package_object(place, name)
    }

    fn members_of_self_type(&self, resolver: &Resolver<'_>, ty: SymbolId, name: &str) -> Vec<SymbolId> {
        resolver.in_self_type(ty, name)
    }
}

impl TypeRules for Scala {}

impl MemberRules for Scala {
    fn first_inherited(&self, _: &Resolver<'_>, found: Vec<Vec<SymbolId>>, by_super: bool) -> Vec<SymbolId> {
        let mut found = found.into_iter();
        // `super` looks in the trait first that is mixed in last.
        let first = if by_super { found.next_back() } else { found.next() };
        first.unwrap_or_default()
    }
}

impl InferRules for Scala {
    fn named_component(&self, resolver: &Resolver<'_>, place: At<'_>, whole: &Ty, of: (&str, usize)) -> Option<Ty> {
        Some(resolver.extracted_component(place, whole, of))
    }

    fn calls_without_parentheses(&self) -> bool {
        true
    }
}

impl OverloadRules for Scala {
    fn may_convert(&self, _: &Resolver<'_>, _: &ArgType, _: &ArgType) -> bool {
        // Implicit conversions may come from any import.
        true
    }

    fn may_adapt_arguments(&self, arguments: usize, parameters: usize) -> bool {
        // `draw(1, 2)` passes a tuple to `def draw(point: (Int, Int))`.
        parameters == 1 && arguments > 1
    }
}

impl QueryRules for Scala {}

static SEMANTICS: Semantics = Semantics {
    languages: &[LangId::Scala],
    implicit_this: true,
    has_functional_interfaces: true,
    is_strict: true,
    overloads: Overloads::OfVisible,
    namespaces: Namespaces::Types,
    field_names: FieldNames::OfArguments,
    dotted_packages: true,
    has_open_types: true,
    has_companions: true,
    literal_type,
    shares_scope,
    common_members: COMMON,
    call_member: Some("apply"),
    has_function_types: true,
    overrides_fields: true,
    conversions: Conversions {
        top_types: &["Any", "AnyRef", "AnyVal", "Object"],
        widening: WIDENING,
        boxing_method: Some("valueOf"),
        ..Conversions::NONE
    },
    library: library::LIBRARY,
    ..DEFAULT
};

fn literal_type(literal: Literal) -> Option<&'static str> {
    match literal {
        Literal::Text | Literal::Joined => Some("String"),
        Literal::Character => Some("Char"),
        Literal::Integer => Some("Int"),
        Literal::Long => Some("Long"),
        Literal::Float => Some("Double"),
        Literal::Boolean => Some("Boolean"),
        Literal::Class => Some("Class"),
        Literal::Null => None,
    }
}

const WIDENING: &[&[&str]] = &[
    &["Byte", "Short", "Int", "Long", "Float", "Double"],
    &["Short", "Int", "Long", "Float", "Double"],
    &["Char", "Int", "Long", "Float", "Double"],
    &["Int", "Long", "Float", "Double", "BigInt", "BigDecimal"],
    &["Long", "Float", "Double", "BigInt", "BigDecimal"],
    &["Float", "Double"],
    &["Double", "BigDecimal"],
    &["Boolean"],
    &["String", "CharSequence", "Comparable"],
];

/// A file sees the packages that it names one inside of the other: `package a` and below it `package b`. An object with the
/// name of a package is that package's own.
fn shares_scope(files: &Files, one: FileIdx, other: FileIdx) -> bool {
    let seen = files.outline(one);
    match files.outline(other).spaces.last() {
        Some(space) => seen.spaces.contains(space) || seen.names.contains(space),
        None => seen.spaces.is_empty(),
    }
}
