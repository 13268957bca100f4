//! Kotlin.

use syntax::Literal;

use super::{
    DEFAULT, Semantics,
    java::{COMMON, result_type},
    same_space,
};

pub(super) const SEMANTICS: Semantics = Semantics {
    languages: &["kotlin"],
    implicit_this: true,
    has_functional_interfaces: true,
    is_strict: true,
    has_overloads: true,
    makes_constants: true,
    has_separate_types: true,
    dotted_packages: true,
    has_open_types: true,
    has_extensions: true,
    has_companions: true,
    narrows: true,
    gives_fields: true,
    block_parameter: Some("it"),
    literal_type,
    result_type: |method| match result_type(method)? {
        "int" => Some("Int"),
        "char" => Some("Char"),
        "boolean" => Some("Boolean"),
        other => Some(other),
    },
    any_type: &["Any"],
    widening: WIDENING,
    shares_scope: same_space,
    common_members: COMMON,
    indexer: Some("get"),
    call_member: Some("invoke"),
    passing: &["also", "apply"],
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
