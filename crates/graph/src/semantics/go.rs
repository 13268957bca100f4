//! Go.

use super::{DEFAULT, Semantics, same_dir};

pub(super) const SEMANTICS: Semantics = Semantics {
    languages: &["go"],
    is_strict: true,
    has_open_types: true,
    implicit_interfaces: true,
    hides_package: true,
    has_literals: true,
    has_defined_types: true,
    names_package: true,
    shapes: &["chan", "interface", "map", "struct"],
    shares_scope: same_dir,
    common_members: &[
        "Add",
        "Bytes",
        "Close",
        "Done",
        "Error",
        "Fatal",
        "Fatalf",
        "Len",
        "Lock",
        "Log",
        "Name",
        "Print",
        "Printf",
        "Read",
        "Reset",
        "Run",
        "String",
        "Unlock",
        "Wait",
        "Write",
        "WriteByte",
        "WriteString",
    ],
    ..DEFAULT
};
