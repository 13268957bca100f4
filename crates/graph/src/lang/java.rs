//! Java and Groovy.

mod overload;

use syntax::{LangId, Literal, Modifier, Reference, SymbolKind};

use crate::{
    lang::{prelude::*, same_space},
    overload::{arg_type::ArgType, candidates::Candidate, rank::Phase},
};

pub(crate) struct Java;

impl Language for Java {
    fn semantics(&self) -> &'static Semantics {
        &SEMANTICS
    }
}

impl ScopeRules for Java {
    fn imports_members_only(&self, resolver: &Resolver<'_>, file: FileIdx, path: &str) -> bool {
        resolver.is_path_of_type(file, path)
    }
}

impl TypeRules for Java {}

impl MemberRules for Java {
    fn related_language_member(
        &self,
        resolver: &Resolver<'_>,
        place: At<'_>,
        reference: &Reference,
        found: Meaning,
    ) -> Meaning {
        resolver.called_property(place, reference, found)
    }

    fn names_in_related_languages(&self, resolver: &Resolver<'_>, id: SymbolId) -> Vec<String> {
        resolver.property_names(id)
    }

    fn fields_with_accessors(&self, resolver: &Resolver<'_>, members: &[SymbolId]) -> Vec<SymbolId> {
        resolver.record_components(members)
    }
}

impl InferRules for Java {}

impl OverloadRules for Java {
    fn applicability_phase(
        &self,
        resolver: &Resolver<'_>,
        file: FileIdx,
        arguments: &[ArgType],
        candidate: &Candidate<'_>,
    ) -> Phase {
        overload::applicability_phase(resolver, file, arguments, candidate)
    }

    fn may_override(&self, resolver: &Resolver<'_>, member: SymbolId, base: SymbolId) -> bool {
        // A static method hides one of its name, and never overrides it.
        let is_static = |id| resolver.modifier_of(id) == Some(Modifier::Static);
        !is_static(member) && !is_static(base)
    }
}

impl QueryRules for Java {}

static SEMANTICS: Semantics = Semantics {
    languages: &[LangId::Java, LangId::Groovy],
    implicit_this: true,
    has_functional_interfaces: true,
    is_strict: true,
    overloads: Overloads::OfVisible,
    namespaces: Namespaces::ByUse,
    field_names: FieldNames::InInitialiser,
    enumerators_call_constructors: true,
    dotted_packages: true,
    has_array_types: true,
    literal_type,
    operator_result_type: calculated,
    constructor_words: (&["super"], &["this"]),
    shares_scope: same_space,
    common_members: COMMON,
    conversions: Conversions {
        top_types: &["Object"],
        widening: WIDENING,
        library_subtypes: LIBRARY,
        root_types: &[
            "Appendable",
            "AutoCloseable",
            "Callable",
            "CharSequence",
            "Cloneable",
            "Comparable",
            "Comparator",
            "Enumeration",
            "Iterable",
            "Iterator",
            "Map",
            "Readable",
            "Runnable",
            "Serializable",
        ],
        implied_supertypes: &[
            (SymbolKind::Interface, "Annotation"),
            (SymbolKind::Enum, "Comparable"),
            (SymbolKind::Enum, "Enum"),
            (SymbolKind::Enum, "Serializable"),
        ],
        primitives: &["boolean", "byte", "char", "double", "float", "int", "long", "short"],
        boxes: &[
            ("Boolean", "boolean"),
            ("Byte", "byte"),
            ("Character", "char"),
            ("Double", "double"),
            ("Float", "float"),
            ("Integer", "int"),
            ("Long", "long"),
            ("Short", "short"),
        ],
        boxing_method: Some("valueOf"),
        arity_of_library_interface,
    },
    library: Library {
        results: &[(
            LibraryResult::Element,
            &[
                "element",
                "elementAt",
                "first",
                "get",
                "getFirst",
                "getLast",
                "getOrDefault",
                "getValue",
                "last",
                "next",
                "orElse",
                "orElseGet",
                "orElseThrow",
                "peek",
                "poll",
                "pop",
                "previous",
                "remove",
                "take",
            ],
        )],
        result_type,
        iteration: Some(("iterator", "next")),
        ..Library::NONE
    },
    ..DEFAULT
};

fn literal_type(literal: Literal) -> Option<&'static str> {
    match literal {
        Literal::Text | Literal::Joined => Some("String"),
        Literal::Character => Some("char"),
        Literal::Integer => Some("int"),
        Literal::Long => Some("long"),
        Literal::Float => Some("double"),
        Literal::Boolean => Some("boolean"),
        Literal::Class => Some("Class"),
        Literal::Null => None,
    }
}

/// Methods that mean the same in every class of the library.
pub(crate) fn result_type(method: &str) -> Option<&'static str> {
    Some(match method {
        "asList" | "emptyList" | "singletonList" | "unmodifiableList" => "List",
        "getBytes" => "byte[]",
        "getClass" => "Class",
        "toFile" => "File",
        "toPath" => "Path",
        "toURI" => "URI",
        "toURL" => "URL",
        "toCharArray" => "char[]",
        "concat" | "format" | "getMessage" | "lineSeparator" | "replaceAll" | "substring" | "toLowerCase"
        | "toString" | "toUpperCase" | "trim" => "String",
        "charAt" => "char",
        "compareTo" | "hashCode" | "indexOf" | "intValue" | "lastIndexOf" | "length" | "parseInt" | "size" => "int",
        "longValue" | "parseLong" => "long",
        "byteValue" => "byte",
        "charValue" => "char",
        "shortValue" => "short",
        "floatValue" | "parseFloat" => "float",
        "elements" | "keys" => "Enumeration",
        "entrySet" | "keySet" => "Set",
        "iterator" => "Iterator",
        "doubleValue" | "parseDouble" => "double",
        "contains" | "containsKey" | "endsWith" | "equals" | "equalsIgnoreCase" | "hasNext" | "isEmpty"
        | "startsWith" => "boolean",
        _ => return None,
    })
}

/// The number of parameters of a functional interface of the library.
fn arity_of_library_interface(name: &str) -> Option<usize> {
    // `ToIntFunction`, `LongSupplier`
    let mut bare = name;
    while let Some(rest) = ["Boolean", "Double", "Int", "Long", "To"]
        .iter()
        .find_map(|of| bare.strip_prefix(of))
    {
        bare = rest;
    }
    Some(match bare {
        "Callable" | "Runnable" | "Supplier" => 0,
        "Consumer" | "Function" | "Predicate" | "UnaryOperator" => 1,
        "BiConsumer" | "BiFunction" | "BiPredicate" | "BinaryOperator" | "Comparator" => 2,
        "ObjDoubleConsumer" | "ObjIntConsumer" | "ObjLongConsumer" => 2,
        _ => return None,
    })
}

fn calculated(operator: &str, left: Option<&str>, right: Option<&str>) -> Option<&'static str> {
    if operator == "+" && (left == Some("String") || right == Some("String")) {
        return Some("String");
    }
    let is_logical = |one: Option<&str>| matches!(one, Some("boolean" | "Boolean"));
    if is_logical(left) && is_logical(right) {
        return Some("boolean");
    }
    let width = |one: &str| match one {
        "byte" | "Byte" | "char" | "Character" | "int" | "Integer" | "short" | "Short" => Some(0),
        "long" | "Long" => Some(1),
        "float" | "Float" => Some(2),
        "double" | "Double" => Some(3),
        _ => None,
    };
    let (left, right) = (left.and_then(width), right.and_then(width));
    let widest = match (left, right) {
        (left, _) if matches!(operator, "<<" | ">>" | ">>>") => left?,
        (Some(left), Some(right)) => left.max(right),
        // A wide one is seldom beside one that is wider.
        (one, other) => one.or(other).filter(|width| *width > 0)?,
    };
    Some(["int", "long", "float", "double"][widest])
}

const WIDENING: &[&[&str]] = &[
    &["byte", "short", "int", "long", "float", "double", "Byte", "Number"],
    &["short", "int", "long", "float", "double", "Short", "Number"],
    &["char", "int", "long", "float", "double", "Character"],
    &["int", "long", "float", "double", "Integer", "Number", "Comparable"],
    &["long", "float", "double", "Long", "Number", "Comparable"],
    &["float", "double", "Float", "Number"],
    &["double", "Double", "Number"],
    &["boolean", "Boolean"],
    &["Byte", "byte", "short", "int", "long", "float", "double", "Number"],
    &["Short", "short", "int", "long", "float", "double", "Number"],
    &["Character", "char", "int", "long", "float", "double"],
    &["Integer", "int", "long", "float", "double", "Number", "Comparable"],
    &["Long", "long", "float", "double", "Number", "Comparable"],
    &["Float", "float", "double", "Number"],
    &["Double", "double", "Number"],
    &["Boolean", "boolean"],
    &["String", "CharSequence", "Comparable", "Serializable"],
];

const LIBRARY: &[(&str, &[&str])] = &[
    ("Appendable", &["Buffer", "Builder", "PrintStream", "Writer"]),
    ("AutoCloseable", &["Closeable", "Reader", "Stream", "Writer"]),
    ("CharSequence", &["CharBuffer", "StringBuffer", "StringBuilder"]),
    ("Closeable", &["InputStream", "OutputStream", "Reader", "Writer"]),
    ("ChronoLocalDate", &["LocalDate"]),
    ("ChronoLocalDateTime", &["LocalDateTime"]),
    ("ChronoZonedDateTime", &["ZonedDateTime"]),
    ("Collection", &["Collection", "Deque", "List", "Queue", "Set"]),
    ("Date", &["Timestamp"]),
    ("Iterable", &["Collection", "Deque", "List", "Queue", "Set"]),
    ("Number", &["BigDecimal", "BigInteger"]),
    ("Throwable", &["Error", "Exception"]),
    ("Type", &["Class"]),
];

/// Of the classes that every program on the JVM uses.
pub(crate) const COMMON: &[&str] = &[
    "add",
    "addAll",
    "all",
    "any",
    "append",
    "apply",
    "charAt",
    "clear",
    "clone",
    "close",
    "collect",
    "compareTo",
    "computeIfAbsent",
    "contains",
    "containsKey",
    "count",
    "entrySet",
    "equals",
    "filter",
    "find",
    "findFirst",
    "first",
    "flatMap",
    "forEach",
    "format",
    "get",
    "getClass",
    "getKey",
    "getMessage",
    "getName",
    "getOrDefault",
    "getValue",
    "hasNext",
    "hashCode",
    "indexOf",
    "isEmpty",
    "iterator",
    "join",
    "keySet",
    "last",
    "length",
    "limit",
    "map",
    "matches",
    "max",
    "min",
    "name",
    "next",
    "of",
    "orElse",
    "peek",
    "put",
    "putAll",
    "read",
    "reduce",
    "remove",
    "removeAll",
    "replace",
    "reverse",
    "run",
    "set",
    "size",
    "skip",
    "sort",
    "sorted",
    "split",
    "stream",
    "substring",
    "test",
    "toArray",
    "toLowerCase",
    "toString",
    "trim",
    "valueOf",
    "values",
    "write",
];
