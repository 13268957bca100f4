//! Scala.

mod names;

use syntax::{LangId, Literal, Reference, Role};

use crate::{
    engine::{
        meaning::Meaning,
        resolver::{At, Resolver},
    },
    files::{FileIdx, Files},
    lang::{
        DEFAULT, Gives, Hands, LanguageRules, Semantics,
        java::{COMMON, result_type},
    },
    overload::arg_type::Described,
    types::ty::Ty,
    view::SymbolId,
};

pub(crate) struct Scala;

impl LanguageRules for Scala {
    fn semantics(&self) -> &'static Semantics {
        &SEMANTICS
    }

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

    fn order_for_super(&self, supertypes: &mut [Vec<SymbolId>]) {
        // The trait that is mixed in last comes first.
        supertypes.reverse();
    }

    fn calls_without_parentheses(&self) -> bool {
        true
    }

    fn type_of_called_library_value(&self, resolver: &Resolver<'_>, ty: Ty) -> Ty {
        // `all(0)` is an element of a sequence, or the value of a key.
        resolver.indexed(ty)
    }

    fn may_convert(&self, _: &Resolver<'_>, _: &Described, _: &Described) -> bool {
        // Implicit conversions may come from any import.
        true
    }

    fn may_adapt_arguments(&self, arguments: usize, parameters: usize) -> bool {
        // `draw(1, 2)` passes a tuple to `def draw(point: (Int, Int))`.
        parameters == 1 && arguments > 1
    }
}

static SEMANTICS: Semantics = Semantics {
    languages: &[LangId::Scala],
    boxing: Some("valueOf"),
    implicit_this: true,
    has_functional_interfaces: true,
    is_strict: true,
    has_overloads: true,
    heeds_access: true,
    has_separate_types: true,
    dotted_packages: true,
    has_open_types: true,
    has_companions: true,
    gives_fields: true,
    literal_type,
    result_type: |method| match result_type(method)? {
        "int" => Some("Int"),
        "char" => Some("Char"),
        "boolean" => Some("Boolean"),
        other => Some(other),
    },
    any_type: &["Any", "AnyRef", "AnyVal", "Object"],
    widening: WIDENING,
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

const GIVES: &[(&str, Gives)] = &[
    ("_1", Gives::Part(0)),
    ("_2", Gives::Part(1)),
    ("_3", Gives::Part(2)),
    ("_4", Gives::Part(3)),
    ("appended", Gives::Whole),
    ("apply", Gives::Held),
    ("await", Gives::One),
    ("collect", Gives::AllMade),
    ("collectFirst", Gives::One),
    ("combinations", Gives::Many),
    ("concat", Gives::Whole),
    ("diff", Gives::Whole),
    ("distinct", Gives::Whole),
    ("distinctBy", Gives::Whole),
    ("drop", Gives::Whole),
    ("dropRight", Gives::Whole),
    ("dropWhile", Gives::Whole),
    ("filter", Gives::Whole),
    ("filterKeys", Gives::Whole),
    ("filterNot", Gives::Whole),
    ("find", Gives::One),
    ("flatMap", Gives::Made),
    ("flatten", Gives::One),
    ("fold", Gives::Made),
    ("foldLeft", Gives::Made),
    ("foldRight", Gives::Made),
    ("force", Gives::Whole),
    ("get", Gives::Held),
    ("getOrDefault", Gives::Held),
    ("getOrElse", Gives::Held),
    ("getOrElseUpdate", Gives::Held),
    ("groupBy", Gives::Groups),
    ("grouped", Gives::Many),
    ("head", Gives::One),
    ("headOption", Gives::One),
    ("init", Gives::Whole),
    ("intersect", Gives::Whole),
    ("invoke", Gives::Whole),
    ("iterator", Gives::Whole),
    ("keySet", Gives::AllParts(0)),
    ("keys", Gives::AllParts(0)),
    ("keysIterator", Gives::AllParts(0)),
    ("last", Gives::One),
    ("lastOption", Gives::One),
    ("left", Gives::Whole),
    ("map", Gives::AllMade),
    ("mapValues", Gives::ValuesMade),
    ("max", Gives::One),
    ("maxBy", Gives::One),
    ("min", Gives::One),
    ("minBy", Gives::One),
    ("next", Gives::One),
    ("orElse", Gives::One),
    ("orNull", Gives::One),
    ("par", Gives::Whole),
    ("partition", Gives::Halves),
    ("permutations", Gives::Many),
    ("prepended", Gives::Whole),
    ("recover", Gives::Whole),
    ("reduce", Gives::One),
    ("reduceLeft", Gives::One),
    ("reduceOption", Gives::One),
    ("reduceRight", Gives::One),
    ("remove", Gives::Held),
    ("result", Gives::One),
    ("reverse", Gives::Whole),
    ("right", Gives::Whole),
    ("seq", Gives::Whole),
    ("sliding", Gives::Many),
    ("sortBy", Gives::Whole),
    ("sortWith", Gives::Whole),
    ("sorted", Gives::Whole),
    ("span", Gives::Halves),
    ("splitAt", Gives::Halves),
    ("tail", Gives::Whole),
    ("take", Gives::Whole),
    ("takeRight", Gives::Whole),
    ("takeWhile", Gives::Whole),
    ("tapEach", Gives::Whole),
    ("toArray", Gives::Whole),
    ("toBuffer", Gives::Whole),
    ("toIndexedSeq", Gives::Whole),
    ("toIterator", Gives::Whole),
    ("toList", Gives::Whole),
    ("toMap", Gives::Whole),
    ("toSeq", Gives::Whole),
    ("toSet", Gives::Whole),
    ("toStream", Gives::Whole),
    ("toVector", Gives::Whole),
    ("value", Gives::One),
    ("values", Gives::AllParts(1)),
    ("valuesIterator", Gives::AllParts(1)),
    ("view", Gives::Whole),
    ("withFilter", Gives::Whole),
    ("zip", Gives::Zipped),
    ("zipWithIndex", Gives::WithNumber),
];

const HANDS: &[(&str, &[Hands])] = &[
    ("corresponds", &[Hands::One, Hands::One]),
    ("fold", &[Hands::One, Hands::One]),
    ("foldLeft", &[Hands::Start, Hands::One]),
    ("foldRight", &[Hands::One, Hands::Start]),
    ("getOrElse", &[Hands::Nothing]),
    ("getOrElseUpdate", &[Hands::Nothing]),
    ("orElse", &[Hands::Nothing]),
    ("pipe", &[Hands::Whole]),
    ("recover", &[Hands::Nothing]),
    ("recoverWith", &[Hands::Nothing]),
    ("reduce", &[Hands::One, Hands::One]),
    ("reduceLeft", &[Hands::One, Hands::One]),
    ("reduceOption", &[Hands::One, Hands::One]),
    ("reduceRight", &[Hands::One, Hands::One]),
    ("sortWith", &[Hands::One, Hands::One]),
    ("tap", &[Hands::Whole]),
];
