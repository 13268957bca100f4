//! Ruby.

use super::{DEFAULT, Semantics};

pub(super) const SEMANTICS: Semantics = Semantics {
    languages: &["ruby"],
    implicit_this: true,
    is_global: true,
    has_open_types: true,
    reopens: true,
    has_class_methods: true,
    implied_suffix: Some("="),
    delegates: (&["super"], &["new"]),
    field_mark: Some('@'),
    own_type: &["class", "self"],
    constructors: &["initialize"],
    common_members: &[
        "all?", "any?", "call", "each", "empty?", "first", "freeze", "gsub", "include?", "inspect", "join", "key?",
        "keys", "last", "length", "map", "merge", "name", "new", "nil?", "push", "read", "reject", "select", "send",
        "size", "sort", "split", "strip", "to_a", "to_h", "to_s", "to_sym", "values", "write",
    ],
    ..DEFAULT
};
