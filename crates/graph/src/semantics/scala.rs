//! Scala.

use syntax::Literal;

use super::{
    DEFAULT, Semantics,
    java::{COMMON, result_type},
};
use crate::files::{FileIdx, Files};

pub(super) const SEMANTICS: Semantics = Semantics {
    languages: &["scala"],
    implicit_this: true,
    has_functional_interfaces: true,
    is_strict: true,
    has_overloads: true,
    has_separate_types: true,
    dotted_packages: true,
    has_open_types: true,
    has_companions: true,
    has_views: true,
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
