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
    lang::{
        DEFAULT, Gives, Hands, LanguageRules, Semantics,
        java::{COMMON, result_type},
        same_space,
    },
    types::ty::Ty,
    view::SymbolId,
};

pub(crate) struct Kotlin;

impl LanguageRules for Kotlin {
    fn semantics(&self) -> &'static Semantics {
        &SEMANTICS
    }

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

    fn type_of_this(&self, resolver: &Resolver<'_>, place: At<'_>) -> Option<Ty> {
        resolver.lambda_receiver(place)
    }

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
    boxing: Some("valueOf"),
    implicit_this: true,
    has_functional_interfaces: true,
    is_strict: true,
    has_overloads: true,
    heeds_access: true,
    makes_constants: true,
    has_separate_types: true,
    dotted_packages: true,
    has_open_types: true,
    has_extensions: true,
    has_companions: true,
    gives_fields: true,
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
    any_type: &["Any"],
    implied: &[
        (SymbolKind::Enum, "Comparable"),
        (SymbolKind::Enum, "Enum"),
        (SymbolKind::Enum, "Serializable"),
    ],
    widening: WIDENING,
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
    library_members: GIVES,
    library_hands: HANDS,
    overrides_fields: true,
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

const GIVES: &[(&str, Gives)] = &[
    ("also", Gives::Whole),
    ("apply", Gives::Whole),
    ("asFlow", Gives::Whole),
    ("asIterable", Gives::Whole),
    ("asReversed", Gives::Whole),
    ("asSequence", Gives::Whole),
    ("associateBy", Gives::ByMade),
    ("associateWith", Gives::ToMade),
    ("async", Gives::AllMade),
    ("await", Gives::One),
    ("chunked", Gives::Many),
    ("component1", Gives::Part(0)),
    ("component2", Gives::Part(1)),
    ("component3", Gives::Part(2)),
    ("distinct", Gives::Whole),
    ("distinctBy", Gives::Whole),
    ("drop", Gives::Whole),
    ("dropLast", Gives::Whole),
    ("dropLastWhile", Gives::Whole),
    ("dropWhile", Gives::Whole),
    ("elementAt", Gives::One),
    ("elementAtOrElse", Gives::One),
    ("elementAtOrNull", Gives::One),
    ("entries", Gives::Whole),
    ("filter", Gives::Whole),
    ("filterIndexed", Gives::Whole),
    ("filterIsInstance", Gives::Whole),
    ("filterKeys", Gives::Whole),
    ("filterNot", Gives::Whole),
    ("filterNotNull", Gives::Whole),
    ("filterValues", Gives::Whole),
    ("find", Gives::One),
    ("findLast", Gives::One),
    ("first", Gives::One),
    ("firstNotNullOf", Gives::One),
    ("firstNotNullOfOrNull", Gives::One),
    ("firstOrNull", Gives::One),
    ("flatMap", Gives::Made),
    ("flatten", Gives::One),
    ("fold", Gives::Made),
    ("get", Gives::Held),
    ("getOrDefault", Gives::Held),
    ("getOrElse", Gives::Held),
    ("getOrNull", Gives::Held),
    ("getOrPut", Gives::Held),
    ("getOrThrow", Gives::One),
    ("getValue", Gives::Held),
    ("groupBy", Gives::Groups),
    ("ifEmpty", Gives::Whole),
    ("intersect", Gives::Whole),
    ("invoke", Gives::Whole),
    ("iterator", Gives::Whole),
    ("join", Gives::One),
    ("key", Gives::Part(0)),
    ("keys", Gives::AllParts(0)),
    ("last", Gives::One),
    ("lastOrNull", Gives::One),
    ("let", Gives::Made),
    ("listIterator", Gives::Whole),
    ("map", Gives::AllMade),
    ("mapIndexed", Gives::AllMade),
    ("mapIndexedNotNull", Gives::AllMade),
    ("mapNotNull", Gives::AllMade),
    ("mapTo", Gives::AllMade),
    ("mapValues", Gives::ValuesMade),
    ("max", Gives::One),
    ("maxBy", Gives::One),
    ("maxByOrNull", Gives::One),
    ("maxOrNull", Gives::One),
    ("maxWith", Gives::One),
    ("maxWithOrNull", Gives::One),
    ("min", Gives::One),
    ("minBy", Gives::One),
    ("minByOrNull", Gives::One),
    ("minOrNull", Gives::One),
    ("minWith", Gives::One),
    ("minWithOrNull", Gives::One),
    ("minus", Gives::Whole),
    ("next", Gives::One),
    ("onEach", Gives::Whole),
    ("onEachIndexed", Gives::Whole),
    ("onFailure", Gives::Whole),
    ("onSuccess", Gives::Whole),
    ("orElseThrow", Gives::One),
    ("orEmpty", Gives::Whole),
    ("partition", Gives::Halves),
    ("peek", Gives::One),
    ("plus", Gives::Whole),
    ("poll", Gives::One),
    ("pop", Gives::One),
    ("random", Gives::One),
    ("randomOrNull", Gives::One),
    ("reduce", Gives::One),
    ("reduceOrNull", Gives::One),
    ("remove", Gives::Held),
    ("removeAt", Gives::One),
    ("removeFirst", Gives::One),
    ("removeFirstOrNull", Gives::One),
    ("removeLast", Gives::One),
    ("removeLastOrNull", Gives::One),
    ("reversed", Gives::Whole),
    ("run", Gives::Made),
    ("runBlocking", Gives::Made),
    ("runCatching", Gives::Made),
    ("second", Gives::Part(1)),
    ("shuffled", Gives::Whole),
    ("single", Gives::One),
    ("singleOrNull", Gives::One),
    ("slice", Gives::Whole),
    ("sorted", Gives::Whole),
    ("sortedBy", Gives::Whole),
    ("sortedByDescending", Gives::Whole),
    ("sortedDescending", Gives::Whole),
    ("sortedWith", Gives::Whole),
    ("subList", Gives::Whole),
    ("subtract", Gives::Whole),
    ("synchronized", Gives::Made),
    ("take", Gives::Whole),
    ("takeIf", Gives::Whole),
    ("takeLast", Gives::Whole),
    ("takeLastWhile", Gives::Whole),
    ("takeUnless", Gives::Whole),
    ("takeWhile", Gives::Whole),
    ("third", Gives::Part(2)),
    ("toList", Gives::Whole),
    ("toMap", Gives::Whole),
    ("toMutableList", Gives::Whole),
    ("toMutableMap", Gives::Whole),
    ("toMutableSet", Gives::Whole),
    ("toSet", Gives::Whole),
    ("toSortedMap", Gives::Whole),
    ("toSortedSet", Gives::Whole),
    ("toTypedArray", Gives::Whole),
    ("union", Gives::Whole),
    ("use", Gives::Made),
    ("value", Gives::Whole),
    ("values", Gives::AllParts(1)),
    ("windowed", Gives::Many),
    ("with", Gives::Made),
    ("withContext", Gives::Made),
    ("withIndex", Gives::Numbered),
    ("zip", Gives::Zipped),
];

const HANDS: &[(&str, &[Hands])] = &[
    ("also", &[Hands::Whole]),
    ("apply", &[Hands::Whole]),
    ("filterIndexed", &[Hands::Nothing, Hands::One]),
    ("fold", &[Hands::Start, Hands::One]),
    ("foldIndexed", &[Hands::Nothing, Hands::Start, Hands::One]),
    ("foldRight", &[Hands::One, Hands::Start]),
    ("forEachIndexed", &[Hands::Nothing, Hands::One]),
    ("getOrElse", &[Hands::Nothing]),
    ("getOrPut", &[Hands::Nothing]),
    ("let", &[Hands::Whole]),
    ("mapIndexed", &[Hands::Nothing, Hands::One]),
    ("mapIndexedNotNull", &[Hands::Nothing, Hands::One]),
    ("maxWith", &[Hands::One, Hands::One]),
    ("maxWithOrNull", &[Hands::One, Hands::One]),
    ("minWith", &[Hands::One, Hands::One]),
    ("minWithOrNull", &[Hands::One, Hands::One]),
    ("onEachIndexed", &[Hands::Nothing, Hands::One]),
    ("orElseGet", &[Hands::Nothing]),
    ("reduce", &[Hands::One, Hands::One]),
    ("reduceOrNull", &[Hands::One, Hands::One]),
    ("repeat", &[Hands::Nothing]),
    ("run", &[Hands::Whole]),
    ("runCatching", &[Hands::Whole]),
    ("sortWith", &[Hands::One, Hands::One]),
    ("sortedWith", &[Hands::One, Hands::One]),
    ("takeIf", &[Hands::Whole]),
    ("takeUnless", &[Hands::Whole]),
    ("use", &[Hands::Whole]),
    ("with", &[Hands::Whole]),
    ("zip", &[Hands::One, Hands::Other]),
];
