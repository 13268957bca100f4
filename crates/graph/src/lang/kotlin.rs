//! Kotlin.

mod calls;
mod narrowing;
mod receivers;

use syntax::{Binding, LangId, Literal, Qualifier, Reference, SymbolKind};

use crate::{
    engine::{
        meaning::Meaning,
        resolver::{At, Resolver},
    },
    lang::FieldNames,
    lang::Namespaces,
    lang::Overloads,
    lang::{
        CallbackArg, DEFAULT, InferRules, Language, LibraryResult, MemberRules, OverloadRules, QueryRules, ScopeRules,
        Semantics, TypeRules,
        java::{COMMON, result_type},
        same_space,
    },
    overload::conversions::Conversions,
    types::ty::Ty,
    view::SymbolId,
};

pub(crate) struct Kotlin;

impl Language for Kotlin {
    fn semantics(&self) -> &'static Semantics {
        &SEMANTICS
    }
}

impl ScopeRules for Kotlin {
    fn sees_local(&self, place: At<'_>, binding: &Binding) -> bool {
        calls::sees_constructor_parameter(place, binding)
    }

    fn skips_uncallable(&self, resolver: &Resolver<'_>, place: At<'_>, found: &Meaning) -> bool {
        resolver.is_uncallable(place, found)
    }

    fn implicit_receiver_member(&self, resolver: &Resolver<'_>, place: At<'_>, name: &str) -> Option<Meaning> {
        resolver.member_of_lambda_receiver(place, name)
    }

    fn implicit_receiver_extension(&self, resolver: &Resolver<'_>, place: At<'_>, index: u32) -> Option<Meaning> {
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

    fn library_call_type(&self, resolver: &Resolver<'_>, place: At<'_>, call: u32, _: Option<&Ty>) -> Option<Ty> {
        // `apply { .. }` and `also { .. }` return their receiver: here the implicit one.
        let facts = &place.view.facts;
        let reference = &facts.references[call as usize];
        let is_it = reference.on == Qualifier::Nothing
            && SEMANTICS.passing.contains(&facts.names.get(reference.name))
            && !resolver.meaning(place.file, call).is_found();
        is_it.then(|| resolver.this(place))
    }

    fn library_field_type(&self, name: &str, receiver: &Ty) -> Option<Ty> {
        // `pair.first`, where `list.first` is one of many.
        let is_of_pair = name == "first" && receiver.given.len() > 1;
        is_of_pair.then(|| receiver.given[0].clone())
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
    makes_constants: true,
    dotted_packages: true,
    has_open_types: true,
    has_extensions: true,
    has_companions: true,
    copying: &["copy"],
    literal_type,
    result_type: |method| {
        Some(match method {
            "toByte" => "Byte",
            "toDouble" => "Double",
            "toFloat" => "Float",
            "toInt" => "Int",
            "toLong" => "Long",
            "toShort" => "Short",
            _ => match result_type(method)? {
                "int" => "Int",
                "char" => "Char",
                "boolean" => "Boolean",
                other => other,
            },
        })
    },
    shares_scope: same_space,
    common_members: COMMON,
    indexer: Some("get"),
    call_member: Some("invoke"),
    passing: &["also", "apply"],
    makers: &[
        "Pair",
        "Triple",
        "arrayListOf",
        "arrayOf",
        "flowOf",
        "hashMapOf",
        "hashSetOf",
        "linkedMapOf",
        "linkedSetOf",
        "listOf",
        "listOfNotNull",
        "mapOf",
        "mutableListOf",
        "mutableMapOf",
        "mutableSetOf",
        "mutableStateOf",
        "sequenceOf",
        "setOf",
        "sortedMapOf",
        "to",
    ],
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
    library_results: LIBRARY_RESULTS,
    library_callbacks: LIBRARY_CALLBACKS,
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

const LIBRARY_RESULTS: &[(&str, LibraryResult)] = &[
    ("also", LibraryResult::Receiver),
    ("apply", LibraryResult::Receiver),
    ("asFlow", LibraryResult::Receiver),
    ("asIterable", LibraryResult::Receiver),
    ("asReversed", LibraryResult::Receiver),
    ("asSequence", LibraryResult::Receiver),
    ("associateBy", LibraryResult::MapByCallback),
    ("associateWith", LibraryResult::MapToCallback),
    ("async", LibraryResult::CallbackResults),
    ("await", LibraryResult::Element),
    ("chunked", LibraryResult::Nested),
    ("component1", LibraryResult::TypeArgument(0)),
    ("component2", LibraryResult::TypeArgument(1)),
    ("component3", LibraryResult::TypeArgument(2)),
    ("distinct", LibraryResult::Receiver),
    ("distinctBy", LibraryResult::Receiver),
    ("drop", LibraryResult::Receiver),
    ("dropLast", LibraryResult::Receiver),
    ("dropLastWhile", LibraryResult::Receiver),
    ("dropWhile", LibraryResult::Receiver),
    ("elementAt", LibraryResult::Element),
    ("elementAtOrElse", LibraryResult::Element),
    ("elementAtOrNull", LibraryResult::Element),
    ("entries", LibraryResult::Receiver),
    ("filter", LibraryResult::Receiver),
    ("filterIndexed", LibraryResult::Receiver),
    ("filterIsInstance", LibraryResult::Receiver),
    ("filterKeys", LibraryResult::Receiver),
    ("filterNot", LibraryResult::Receiver),
    ("filterNotNull", LibraryResult::Receiver),
    ("filterValues", LibraryResult::Receiver),
    ("find", LibraryResult::Element),
    ("findLast", LibraryResult::Element),
    ("first", LibraryResult::Element),
    ("firstNotNullOf", LibraryResult::Element),
    ("firstNotNullOfOrNull", LibraryResult::Element),
    ("firstOrNull", LibraryResult::Element),
    ("flatMap", LibraryResult::CallbackResult),
    ("flatten", LibraryResult::Element),
    ("fold", LibraryResult::CallbackResult),
    ("get", LibraryResult::Value),
    ("getOrDefault", LibraryResult::Value),
    ("getOrElse", LibraryResult::Value),
    ("getOrNull", LibraryResult::Value),
    ("getOrPut", LibraryResult::Value),
    ("getOrThrow", LibraryResult::Element),
    ("getValue", LibraryResult::Value),
    ("groupBy", LibraryResult::Groups),
    ("ifEmpty", LibraryResult::Receiver),
    ("intersect", LibraryResult::Receiver),
    ("invoke", LibraryResult::Receiver),
    ("iterator", LibraryResult::Receiver),
    ("join", LibraryResult::Element),
    ("key", LibraryResult::TypeArgument(0)),
    ("keys", LibraryResult::TypeArguments(0)),
    ("last", LibraryResult::Element),
    ("lastOrNull", LibraryResult::Element),
    ("let", LibraryResult::CallbackResult),
    ("listIterator", LibraryResult::Receiver),
    ("map", LibraryResult::CallbackResults),
    ("mapIndexed", LibraryResult::CallbackResults),
    ("mapIndexedNotNull", LibraryResult::CallbackResults),
    ("mapNotNull", LibraryResult::CallbackResults),
    ("mapTo", LibraryResult::CallbackResults),
    ("mapValues", LibraryResult::MappedValues),
    ("max", LibraryResult::Element),
    ("maxBy", LibraryResult::Element),
    ("maxByOrNull", LibraryResult::Element),
    ("maxOrNull", LibraryResult::Element),
    ("maxWith", LibraryResult::Element),
    ("maxWithOrNull", LibraryResult::Element),
    ("min", LibraryResult::Element),
    ("minBy", LibraryResult::Element),
    ("minByOrNull", LibraryResult::Element),
    ("minOrNull", LibraryResult::Element),
    ("minWith", LibraryResult::Element),
    ("minWithOrNull", LibraryResult::Element),
    ("minus", LibraryResult::Receiver),
    ("next", LibraryResult::Element),
    ("onEach", LibraryResult::Receiver),
    ("onEachIndexed", LibraryResult::Receiver),
    ("onFailure", LibraryResult::Receiver),
    ("onSuccess", LibraryResult::Receiver),
    ("orElseThrow", LibraryResult::Element),
    ("orEmpty", LibraryResult::Receiver),
    ("partition", LibraryResult::Pair),
    ("peek", LibraryResult::Element),
    ("plus", LibraryResult::Receiver),
    ("poll", LibraryResult::Element),
    ("pop", LibraryResult::Element),
    ("random", LibraryResult::Element),
    ("randomOrNull", LibraryResult::Element),
    ("reduce", LibraryResult::Element),
    ("reduceOrNull", LibraryResult::Element),
    ("remove", LibraryResult::Value),
    ("removeAt", LibraryResult::Element),
    ("removeFirst", LibraryResult::Element),
    ("removeFirstOrNull", LibraryResult::Element),
    ("removeLast", LibraryResult::Element),
    ("removeLastOrNull", LibraryResult::Element),
    ("reversed", LibraryResult::Receiver),
    ("run", LibraryResult::CallbackResult),
    ("runBlocking", LibraryResult::CallbackResult),
    ("runCatching", LibraryResult::CallbackResult),
    ("second", LibraryResult::TypeArgument(1)),
    ("shuffled", LibraryResult::Receiver),
    ("single", LibraryResult::Element),
    ("singleOrNull", LibraryResult::Element),
    ("slice", LibraryResult::Receiver),
    ("sorted", LibraryResult::Receiver),
    ("sortedBy", LibraryResult::Receiver),
    ("sortedByDescending", LibraryResult::Receiver),
    ("sortedDescending", LibraryResult::Receiver),
    ("sortedWith", LibraryResult::Receiver),
    ("subList", LibraryResult::Receiver),
    ("subtract", LibraryResult::Receiver),
    ("synchronized", LibraryResult::CallbackResult),
    ("take", LibraryResult::Receiver),
    ("takeIf", LibraryResult::Receiver),
    ("takeLast", LibraryResult::Receiver),
    ("takeLastWhile", LibraryResult::Receiver),
    ("takeUnless", LibraryResult::Receiver),
    ("takeWhile", LibraryResult::Receiver),
    ("third", LibraryResult::TypeArgument(2)),
    ("toList", LibraryResult::Receiver),
    ("toMap", LibraryResult::Receiver),
    ("toMutableList", LibraryResult::Receiver),
    ("toMutableMap", LibraryResult::Receiver),
    ("toMutableSet", LibraryResult::Receiver),
    ("toSet", LibraryResult::Receiver),
    ("toSortedMap", LibraryResult::Receiver),
    ("toSortedSet", LibraryResult::Receiver),
    ("toTypedArray", LibraryResult::Receiver),
    ("union", LibraryResult::Receiver),
    ("use", LibraryResult::CallbackResult),
    ("value", LibraryResult::Receiver),
    ("values", LibraryResult::TypeArguments(1)),
    ("windowed", LibraryResult::Nested),
    ("with", LibraryResult::CallbackResult),
    ("withContext", LibraryResult::CallbackResult),
    ("withIndex", LibraryResult::IndexFirst),
    ("zip", LibraryResult::Zipped),
];

const LIBRARY_CALLBACKS: &[(&str, &[CallbackArg])] = &[
    ("also", &[CallbackArg::Receiver]),
    ("apply", &[CallbackArg::Receiver]),
    ("filterIndexed", &[CallbackArg::Unknown, CallbackArg::Element]),
    ("fold", &[CallbackArg::Initial, CallbackArg::Element]),
    (
        "foldIndexed",
        &[CallbackArg::Unknown, CallbackArg::Initial, CallbackArg::Element],
    ),
    ("foldRight", &[CallbackArg::Element, CallbackArg::Initial]),
    ("forEachIndexed", &[CallbackArg::Unknown, CallbackArg::Element]),
    ("getOrElse", &[CallbackArg::Unknown]),
    ("getOrPut", &[CallbackArg::Unknown]),
    ("let", &[CallbackArg::Receiver]),
    ("mapIndexed", &[CallbackArg::Unknown, CallbackArg::Element]),
    ("mapIndexedNotNull", &[CallbackArg::Unknown, CallbackArg::Element]),
    ("maxWith", &[CallbackArg::Element, CallbackArg::Element]),
    ("maxWithOrNull", &[CallbackArg::Element, CallbackArg::Element]),
    ("minWith", &[CallbackArg::Element, CallbackArg::Element]),
    ("minWithOrNull", &[CallbackArg::Element, CallbackArg::Element]),
    ("onEachIndexed", &[CallbackArg::Unknown, CallbackArg::Element]),
    ("orElseGet", &[CallbackArg::Unknown]),
    ("reduce", &[CallbackArg::Element, CallbackArg::Element]),
    ("reduceOrNull", &[CallbackArg::Element, CallbackArg::Element]),
    ("repeat", &[CallbackArg::Unknown]),
    ("run", &[CallbackArg::Receiver]),
    ("runCatching", &[CallbackArg::Receiver]),
    ("sortWith", &[CallbackArg::Element, CallbackArg::Element]),
    ("sortedWith", &[CallbackArg::Element, CallbackArg::Element]),
    ("takeIf", &[CallbackArg::Receiver]),
    ("takeUnless", &[CallbackArg::Receiver]),
    ("use", &[CallbackArg::Receiver]),
    ("with", &[CallbackArg::Receiver]),
    ("zip", &[CallbackArg::Element, CallbackArg::OtherElement]),
];
