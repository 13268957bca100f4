//! Java and Groovy.

use syntax::Literal;

use super::{DEFAULT, Semantics, same_space};

pub(super) const SEMANTICS: Semantics = Semantics {
    languages: &["java", "groovy"],
    implicit_this: true,
    is_strict: true,
    has_overloads: true,
    dotted_packages: true,
    names_members: true,
    has_bare_arrays: true,
    has_separate_names: true,
    literal_type,
    result_type,
    any_type: &["Object"],
    widening: WIDENING,
    primitives: &["boolean", "byte", "char", "double", "float", "int", "long", "short"],
    shares_scope: same_space,
    common_members: COMMON,
    ..DEFAULT
};

fn literal_type(literal: Literal) -> Option<&'static str> {
    match literal {
        Literal::Text => Some("String"),
        Literal::Character => Some("char"),
        Literal::Integer => Some("int"),
        Literal::Float => Some("double"),
        Literal::Boolean => Some("boolean"),
        Literal::Null => None,
    }
}

/// Methods that mean the same in every class of the library.
pub(super) fn result_type(method: &str) -> Option<&'static str> {
    Some(match method {
        "concat" | "getMessage" | "replaceAll" | "substring" | "toLowerCase" | "toString" | "toUpperCase" | "trim" => {
            "String"
        }
        "charAt" => "char",
        "compareTo" | "hashCode" | "indexOf" | "lastIndexOf" | "length" | "parseInt" | "size" => "int",
        "contains" | "containsKey" | "endsWith" | "equals" | "equalsIgnoreCase" | "hasNext" | "isEmpty"
        | "startsWith" => "boolean",
        _ => return None,
    })
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

/// Of the classes that every program on the JVM uses.
pub(super) const COMMON: &[&str] = &[
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
