//! Scala.

mod names;

use syntax::{LangId, Literal, Reference, Role};

use crate::{
    engine::{
        meaning::Meaning,
        resolver::{At, Resolver},
    },
    files::{FileIdx, Files},
    lang::FieldNames,
    lang::Namespaces,
    lang::Overloads,
    lang::{
        CallbackArg, DEFAULT, InferRules, Language, LibraryResult, MemberRules, OverloadRules, QueryRules, ScopeRules,
        Semantics, TypeRules,
        java::{COMMON, result_type},
    },
    overload::{arg_type::ArgType, conversions::Conversions},
    types::ty::Ty,
    view::SymbolId,
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
        match found {
            Meaning::Missing => resolver.of_implicit_wrapper(place, reference).unwrap_or(found),
            found => found,
        }
    }

    fn imported_from_value(&self, resolver: &Resolver<'_>, place: At<'_>, name: &str) -> Option<Meaning> {
        resolver.in_import_of_value(place, name)
    }

    fn member_of_imported_value(&self, resolver: &Resolver<'_>, place: At<'_>, name: &str) -> Option<Meaning> {
        resolver.of_imported_value(place, name)
    }

    fn package_member(&self, resolver: &Resolver<'_>, place: At<'_>, name: &str) -> Option<Meaning> {
        resolver.of_package_object(place, name)
    }

    fn members_of_self_type(&self, resolver: &Resolver<'_>, ty: SymbolId, name: &str) -> Vec<SymbolId> {
        resolver.in_self_type(ty, name)
    }

    fn missing_on_this(&self, resolver: &Resolver<'_>, place: At<'_>, name: &str, role: Role) -> Option<Meaning> {
        // `this` has the members of the self-type too, which a bare name sees.
        Some(resolver.lookup(place, name, role))
    }
}

impl TypeRules for Scala {}

impl MemberRules for Scala {
    fn order_for_super(&self, supertypes: &mut [Vec<SymbolId>]) {
        // The trait that is mixed in last comes first.
        supertypes.reverse();
    }
}

impl InferRules for Scala {
    fn calls_without_parentheses(&self) -> bool {
        true
    }

    fn type_of_called_library_value(&self, resolver: &Resolver<'_>, ty: Ty) -> Ty {
        // `all(0)` is an element of a sequence, or the value of a key.
        resolver.indexed(ty)
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
    copying: &["copy"],
    literal_type,
    result_type: |method| match result_type(method)? {
        "int" => Some("Int"),
        "char" => Some("Char"),
        "boolean" => Some("Boolean"),
        other => Some(other),
    },
    shares_scope,
    common_members: COMMON,
    call_member: Some("apply"),
    makers: &[
        "Array",
        "ArrayBuffer",
        "Future",
        "HashMap",
        "HashSet",
        "IndexedSeq",
        "Iterator",
        "Left",
        "List",
        "ListBuffer",
        "Map",
        "Option",
        "Queue",
        "Right",
        "Seq",
        "Set",
        "Some",
        "Stream",
        "Success",
        "Try",
        "Vector",
    ],
    has_function_types: true,
    library_results: LIBRARY_RESULTS,
    library_callbacks: LIBRARY_CALLBACKS,
    overrides_fields: true,
    conversions: Conversions {
        top_types: &["Any", "AnyRef", "AnyVal", "Object"],
        widening: WIDENING,
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

const LIBRARY_RESULTS: &[(&str, LibraryResult)] = &[
    ("_1", LibraryResult::TypeArgument(0)),
    ("_2", LibraryResult::TypeArgument(1)),
    ("_3", LibraryResult::TypeArgument(2)),
    ("_4", LibraryResult::TypeArgument(3)),
    ("appended", LibraryResult::Receiver),
    ("apply", LibraryResult::Value),
    ("await", LibraryResult::Element),
    ("collect", LibraryResult::CallbackResults),
    ("collectFirst", LibraryResult::Element),
    ("combinations", LibraryResult::Nested),
    ("concat", LibraryResult::Receiver),
    ("diff", LibraryResult::Receiver),
    ("distinct", LibraryResult::Receiver),
    ("distinctBy", LibraryResult::Receiver),
    ("drop", LibraryResult::Receiver),
    ("dropRight", LibraryResult::Receiver),
    ("dropWhile", LibraryResult::Receiver),
    ("filter", LibraryResult::Receiver),
    ("filterKeys", LibraryResult::Receiver),
    ("filterNot", LibraryResult::Receiver),
    ("find", LibraryResult::Element),
    ("flatMap", LibraryResult::CallbackResult),
    ("flatten", LibraryResult::Element),
    ("fold", LibraryResult::CallbackResult),
    ("foldLeft", LibraryResult::CallbackResult),
    ("foldRight", LibraryResult::CallbackResult),
    ("force", LibraryResult::Receiver),
    ("get", LibraryResult::Value),
    ("getOrDefault", LibraryResult::Value),
    ("getOrElse", LibraryResult::Value),
    ("getOrElseUpdate", LibraryResult::Value),
    ("groupBy", LibraryResult::Groups),
    ("grouped", LibraryResult::Nested),
    ("head", LibraryResult::Element),
    ("headOption", LibraryResult::Element),
    ("init", LibraryResult::Receiver),
    ("intersect", LibraryResult::Receiver),
    ("invoke", LibraryResult::Receiver),
    ("iterator", LibraryResult::Receiver),
    ("keySet", LibraryResult::TypeArguments(0)),
    ("keys", LibraryResult::TypeArguments(0)),
    ("keysIterator", LibraryResult::TypeArguments(0)),
    ("last", LibraryResult::Element),
    ("lastOption", LibraryResult::Element),
    ("left", LibraryResult::Receiver),
    ("map", LibraryResult::CallbackResults),
    ("mapValues", LibraryResult::MappedValues),
    ("max", LibraryResult::Element),
    ("maxBy", LibraryResult::Element),
    ("min", LibraryResult::Element),
    ("minBy", LibraryResult::Element),
    ("next", LibraryResult::Element),
    ("orElse", LibraryResult::Element),
    ("orNull", LibraryResult::Element),
    ("par", LibraryResult::Receiver),
    ("partition", LibraryResult::Pair),
    ("permutations", LibraryResult::Nested),
    ("prepended", LibraryResult::Receiver),
    ("recover", LibraryResult::Receiver),
    ("reduce", LibraryResult::Element),
    ("reduceLeft", LibraryResult::Element),
    ("reduceOption", LibraryResult::Element),
    ("reduceRight", LibraryResult::Element),
    ("remove", LibraryResult::Value),
    ("result", LibraryResult::Element),
    ("reverse", LibraryResult::Receiver),
    ("right", LibraryResult::Receiver),
    ("seq", LibraryResult::Receiver),
    ("sliding", LibraryResult::Nested),
    ("sortBy", LibraryResult::Receiver),
    ("sortWith", LibraryResult::Receiver),
    ("sorted", LibraryResult::Receiver),
    ("span", LibraryResult::Pair),
    ("splitAt", LibraryResult::Pair),
    ("tail", LibraryResult::Receiver),
    ("take", LibraryResult::Receiver),
    ("takeRight", LibraryResult::Receiver),
    ("takeWhile", LibraryResult::Receiver),
    ("tapEach", LibraryResult::Receiver),
    ("toArray", LibraryResult::Receiver),
    ("toBuffer", LibraryResult::Receiver),
    ("toIndexedSeq", LibraryResult::Receiver),
    ("toIterator", LibraryResult::Receiver),
    ("toList", LibraryResult::Receiver),
    ("toMap", LibraryResult::Receiver),
    ("toSeq", LibraryResult::Receiver),
    ("toSet", LibraryResult::Receiver),
    ("toStream", LibraryResult::Receiver),
    ("toVector", LibraryResult::Receiver),
    ("value", LibraryResult::Element),
    ("values", LibraryResult::TypeArguments(1)),
    ("valuesIterator", LibraryResult::TypeArguments(1)),
    ("view", LibraryResult::Receiver),
    ("withFilter", LibraryResult::Receiver),
    ("zip", LibraryResult::Zipped),
    ("zipWithIndex", LibraryResult::IndexLast),
];

const LIBRARY_CALLBACKS: &[(&str, &[CallbackArg])] = &[
    ("corresponds", &[CallbackArg::Element, CallbackArg::Element]),
    ("fold", &[CallbackArg::Element, CallbackArg::Element]),
    ("foldLeft", &[CallbackArg::Initial, CallbackArg::Element]),
    ("foldRight", &[CallbackArg::Element, CallbackArg::Initial]),
    ("getOrElse", &[CallbackArg::Unknown]),
    ("getOrElseUpdate", &[CallbackArg::Unknown]),
    ("orElse", &[CallbackArg::Unknown]),
    ("pipe", &[CallbackArg::Receiver]),
    ("recover", &[CallbackArg::Unknown]),
    ("recoverWith", &[CallbackArg::Unknown]),
    ("reduce", &[CallbackArg::Element, CallbackArg::Element]),
    ("reduceLeft", &[CallbackArg::Element, CallbackArg::Element]),
    ("reduceOption", &[CallbackArg::Element, CallbackArg::Element]),
    ("reduceRight", &[CallbackArg::Element, CallbackArg::Element]),
    ("sortWith", &[CallbackArg::Element, CallbackArg::Element]),
    ("tap", &[CallbackArg::Receiver]),
];
