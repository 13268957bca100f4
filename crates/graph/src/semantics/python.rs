//! Python.

use syntax::Literal;

use super::{DEFAULT, Semantics};
use crate::files::{FileIdx, Files, joined, upwards};

pub(super) const SEMANTICS: Semantics = Semantics {
    languages: &["python"],
    body_scope: true,
    is_strict: true,
    has_module_paths: true,
    is_linearised: true,
    imports_are_exports: true,
    has_type_variables: true,
    gives_fields: true,
    own_type: &["Self", "__class__", "cls", "self"],
    wrappers: &[
        "Annotated",
        "Awaitable",
        "ClassVar",
        "Final",
        "InitVar",
        "NotRequired",
        "Optional",
        "ReadOnly",
        "Required",
        "Type",
        "Union",
        "type",
    ],
    holders: &["__enter__", "__aenter__", "__iter__", "__aiter__", "__getitem__"],
    taking_out: &["get", "pop", "popitem", "popleft", "setdefault"],
    keeping: &["copy", "difference", "intersection", "union", "values"],
    hands_over: false,
    fixtures: Some(fixtures),
    constructors: &["__init__", "__new__"],
    common_members: &[
        "add",
        "append",
        "clear",
        "close",
        "copy",
        "count",
        "decode",
        "encode",
        "endswith",
        "extend",
        "find",
        "flush",
        "format",
        "get",
        "group",
        "index",
        "insert",
        "items",
        "join",
        "keys",
        "lower",
        "match",
        "name",
        "open",
        "pop",
        "put",
        "read",
        "readline",
        "remove",
        "replace",
        "reverse",
        "search",
        "seek",
        "send",
        "setdefault",
        "sort",
        "split",
        "splitlines",
        "start",
        "startswith",
        "strip",
        "sub",
        "update",
        "upper",
        "values",
        "wait",
        "write",
    ],
    has_signatures: true,
    literal_type,
    widening: WIDENING,
    call_member: Some("__call__"),
    ..DEFAULT
};

fn literal_type(literal: Literal) -> Option<&'static str> {
    match literal {
        Literal::Text | Literal::Joined | Literal::Character => Some("str"),
        Literal::Integer | Literal::Long => Some("int"),
        Literal::Float => Some("float"),
        Literal::Boolean => Some("bool"),
        Literal::Class | Literal::Null => None,
    }
}

/// What else a value of a type of the language is.
const WIDENING: &[&[&str]] = &[
    &[
        "bool",
        "int",
        "float",
        "complex",
        "Number",
        "Integral",
        "SupportsInt",
        "SupportsIndex",
    ],
    &[
        "int",
        "float",
        "complex",
        "Number",
        "Integral",
        "SupportsInt",
        "SupportsIndex",
    ],
    &["float", "complex", "Number", "Real", "SupportsFloat"],
    &["str", "Sequence", "Iterable", "Collection", "Container", "Sized"],
    &["bytes", "Sequence", "Iterable", "Collection", "Buffer", "ByteString"],
    &[
        "list",
        "List",
        "Sequence",
        "MutableSequence",
        "Iterable",
        "Collection",
        "Container",
        "Sized",
    ],
    &[
        "tuple",
        "Tuple",
        "Sequence",
        "Iterable",
        "Collection",
        "Container",
        "Sized",
    ],
    &[
        "dict",
        "Dict",
        "Mapping",
        "MutableMapping",
        "Iterable",
        "Collection",
        "Container",
        "Sized",
    ],
    &[
        "set",
        "Set",
        "AbstractSet",
        "MutableSet",
        "Iterable",
        "Collection",
        "Container",
        "Sized",
    ],
];

/// pytest looks for a test's parameters in its own file and in each `conftest.py` on the way up.
fn fixtures(files: &Files, file: FileIdx) -> Vec<FileIdx> {
    let shared = upwards(files.dir(file)).filter_map(|dir| files.at(&joined(dir, "conftest.py")?));
    std::iter::once(file)
        .chain(shared.filter(|shared| *shared != file))
        .collect()
}
