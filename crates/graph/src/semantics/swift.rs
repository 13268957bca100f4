//! Swift.

use super::{DEFAULT, Semantics};

pub(super) const SEMANTICS: Semantics = Semantics {
    languages: &["swift"],
    implicit_this: true,
    is_global: true,
    is_strict: true,
    has_overloads: true,
    has_labels: true,
    has_open_types: true,
    rebinds: true,
    lists_in_brackets: true,
    extends_others: true,
    wrappers: &["Optional", "ImplicitlyUnwrappedOptional"],
    own_type: &["Self", "self"],
    constructors: &["init"],
    common_members: &[
        "append",
        "contains",
        "count",
        "description",
        "filter",
        "first",
        "forEach",
        "index",
        "insert",
        "isEmpty",
        "joined",
        "last",
        "map",
        "name",
        "reduce",
        "remove",
        "removeAll",
        "reversed",
        "sort",
        "sorted",
        "split",
        "value",
    ],
    ..DEFAULT
};
