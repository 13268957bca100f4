//! Kotlin.

mod calls;
mod library;
mod narrowing;
mod receivers;

use syntax::{Binding, BindingIdx, LangId, Literal, Qualifier, RefIdx, Reference, Role, SymbolKind};

use crate::{
    lang::{java::COMMON, prelude::*, same_space},
    scope::lookup::Lookup,
};

pub(crate) struct Kotlin;

impl Language for Kotlin {
    fn semantics(&self) -> &'static Semantics {
        &SEMANTICS
    }
}

impl ScopeRules for Kotlin {
    fn local_at<'v>(&self, place: At<'v>, name: &str, _: Role) -> Option<(BindingIdx, &'v Binding)> {
        let local = place.view.binding_at(name, place.at);
        local.filter(|(_, binding)| calls::sees_constructor_parameter(place, binding))
    }

    fn skips_uncallable(&self, resolver: &Resolver<'_>, place: At<'_>, found: &Meaning) -> bool {
        resolver.is_uncallable(place, found)
    }

    fn before_members(&self, lookup: &Lookup<'_>) -> Option<Meaning> {
        lookup.resolver.member_of_lambda_receiver(lookup.place, lookup.name)
    }

    fn implicit_receiver_extension(&self, resolver: &Resolver<'_>, place: At<'_>, index: RefIdx) -> Option<Meaning> {
        let same = resolver.extension_of_same_type(place, index);
        same.or_else(|| resolver.extension_of_lambda_receiver(place, index))
    }
}

impl TypeRules for Kotlin {}

impl MemberRules for Kotlin {
    fn related_language_member(
        &self,
        resolver: &Resolver<'_>,
        place: At<'_>,
        reference: &Reference,
        found: Meaning,
    ) -> Meaning {
        resolver.read_getter(place, reference, found)
    }

    fn names_in_related_languages(&self, resolver: &Resolver<'_>, id: SymbolId) -> Vec<String> {
        resolver.accessor_names(id)
    }
}

impl InferRules for Kotlin {
    fn type_of_this(&self, resolver: &Resolver<'_>, place: At<'_>) -> Option<Ty> {
        resolver.lambda_receiver(place)
    }

    fn narrowed_member(&self, resolver: &Resolver<'_>, place: At<'_>, reference: &Reference) -> Option<Ty> {
        resolver.smart_cast_member(place, reference)
    }

    fn special_type(&self, resolver: &Resolver<'_>, place: At<'_>, call: RefIdx, _: Option<&Ty>) -> Option<Ty> {
        // `apply { .. }` and `also { .. }` return their receiver: here the implicit one.
        let facts = &place.view.facts;
        let reference = &facts.references[call];
        let is_it = reference.on == Qualifier::Nothing
            && reference.role == Role::Call
            && matches!(facts.names.get(reference.name), "also" | "apply")
            && !resolver.meaning(place.file, call).is_found();
        is_it.then(|| resolver.this(place))
    }

    fn component_type(&self, resolver: &Resolver<'_>, whole: &Ty, own: SymbolId, nth: usize) -> Option<Ty> {
        let declared = resolver.member_result_type(whole, &[&format!("component{}", nth + 1)]);
        declared.or_else(|| resolver.field_in_head(whole, own, nth))
    }
}

impl OverloadRules for Kotlin {}

impl QueryRules for Kotlin {
    fn likelihood_of_missing(
        &self,
        resolver: &Resolver<'_>,
        place: At<'_>,
        reference: &Reference,
        targets: &[SymbolId],
    ) -> Option<f32> {
        resolver.likelihood_after_smart_cast(place, reference, targets)
    }
}

static SEMANTICS: Semantics = Semantics {
    languages: &[LangId::Kotlin],
    implicit_this: true,
    has_functional_interfaces: true,
    is_strict: true,
    overloads: Overloads::OfVisible,
    namespaces: Namespaces::Types,
    field_names: FieldNames::OfArguments,
    enumerators_call_constructors: true,
    dotted_packages: true,
    has_open_types: true,
    has_extensions: true,
    has_companions: true,
    literal_type,
    shares_scope: same_space,
    common_members: COMMON,
    indexer: Some("get"),
    call_member: Some("invoke"),
    has_function_types: true,
    accessor_words: &["field", "value"],
    operator_member: |operator| {
        Some(match operator {
            "+" => "plus",
            "-" => "minus",
            "*" => "times",
            "/" => "div",
            "%" => "rem",
            _ => return None,
        })
    },
    overrides_fields: true,
    conversions: Conversions {
        top_types: &["Any"],
        widening: WIDENING,
        implied_supertypes: &[
            (SymbolKind::Enum, "Comparable"),
            (SymbolKind::Enum, "Enum"),
            (SymbolKind::Enum, "Serializable"),
        ],
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
        Literal::Class => None,
        Literal::Null => None,
    }
}

/// A literal is of whichever of these is wanted.
const WIDENING: &[&[&str]] = &[
    &["Int", "Long", "Short", "Byte", "Number", "Comparable"],
    &["Long", "Number", "Comparable"],
    &["Short", "Number", "Comparable"],
    &["Byte", "Number", "Comparable"],
    &["Double", "Float", "Number", "Comparable"],
    &["Float", "Number", "Comparable"],
    &["Char", "Comparable"],
    &["Boolean", "Comparable"],
    &["String", "CharSequence", "Comparable"],
];
