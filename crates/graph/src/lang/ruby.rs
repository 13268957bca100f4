//! Ruby.

pub(crate) mod modules;

use syntax::LangId;

use crate::{
    lang::{DEFAULT, LanguageRules, Semantics},
    view::View,
};

pub(crate) struct Ruby;

impl LanguageRules for Ruby {
    fn semantics(&self) -> &'static Semantics {
        &SEMANTICS
    }

    /// What a file loads may be anywhere in it.
    fn has_fixed_exports(&self, _: &View) -> bool {
        false
    }
}

static SEMANTICS: Semantics = Semantics {
    languages: &[LangId::Ruby],
    implicit_this: true,
    is_global: true,
    follows_wildcards: true,
    has_open_types: true,
    reopens: true,
    has_scoped_modules: true,
    sets_outer_variables: true,
    has_class_methods: true,
    has_marked_methods: true,
    implied_suffix: Some("="),
    delegates: (&["super"], &["new"]),
    field_mark: Some('@'),
    own_type: &["class", "self"],
    constructors: &["initialize"],
    passing: &["clone", "dup", "freeze", "itself", "tap"],
    common_members: &[
        "<<",
        "all?",
        "any?",
        "begin",
        "bytes",
        "call",
        "chars",
        "clear",
        "clone",
        "compact",
        "concat",
        "day",
        "delete",
        "dig",
        "drop",
        "dup",
        "each",
        "empty?",
        "end",
        "end_with?",
        "fetch",
        "first",
        "flatten",
        "freeze",
        "group_by",
        "gsub",
        "hash",
        "hour",
        "include?",
        "inject",
        "insert",
        "inspect",
        "join",
        "key?",
        "keys",
        "last",
        "length",
        "lines",
        "map",
        "max",
        "merge",
        "min",
        "month",
        "name",
        "new",
        "nil?",
        "pop",
        "push",
        "puts",
        "read",
        "reduce",
        "reject",
        "reverse",
        "sec",
        "select",
        "send",
        "shift",
        "size",
        "slice",
        "sort",
        "split",
        "start_with?",
        "strip",
        "sum",
        "synchronize",
        "take",
        "tap",
        "then",
        "to_a",
        "to_date",
        "to_f",
        "to_h",
        "to_i",
        "to_proc",
        "to_s",
        "to_sym",
        "to_time",
        "uniq",
        "unshift",
        "utc",
        "values",
        "wday",
        "write",
        "yday",
        "year",
        "zip",
    ],
    ..DEFAULT
};
