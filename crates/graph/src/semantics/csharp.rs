//! C#.

use syntax::Literal;

use super::{DEFAULT, Semantics};
use crate::files::{FileIdx, Files};

pub(super) const SEMANTICS: Semantics = Semantics {
    derived_from: &["base"],
    languages: &["csharp"],
    implicit_this: true,
    is_strict: true,
    has_overloads: true,
    has_separate_types: true,
    dotted_packages: true,
    names_members: true,
    has_bare_arrays: true,
    has_open_types: true,
    has_extensions: true,
    has_arity: true,
    has_parts: true,
    root: Some("global"),
    implied_suffix: Some("Attribute"),
    literal_type,
    result_type,
    any_type: &["object", "Object", "dynamic"],
    delegates: (&["base"], &["this"]),
    widening: WIDENING,
    primitives: PRIMITIVES,
    shares_scope,
    common_members: &[
        "Add",
        "Any",
        "Append",
        "AppendLine",
        "Clear",
        "Close",
        "CompareTo",
        "Contains",
        "ContainsKey",
        "Count",
        "Dispose",
        "Equals",
        "First",
        "FirstOrDefault",
        "Format",
        "Get",
        "GetHashCode",
        "GetType",
        "Insert",
        "Invoke",
        "Join",
        "Length",
        "Message",
        "Name",
        "Read",
        "Remove",
        "Replace",
        "Select",
        "Set",
        "Split",
        "Substring",
        "ToArray",
        "ToList",
        "ToString",
        "Trim",
        "TryGetValue",
        "Value",
        "Where",
        "Write",
        "WriteLine",
    ],
    indexer: Some("this"),
    ..DEFAULT
};

fn literal_type(literal: Literal) -> Option<&'static str> {
    match literal {
        Literal::Text | Literal::Joined => Some("string"),
        Literal::Character => Some("char"),
        Literal::Integer => Some("int"),
        Literal::Long => Some("long"),
        Literal::Float => Some("double"),
        Literal::Boolean => Some("bool"),
        Literal::Class => Some("Type"),
        Literal::Null => None,
    }
}

/// Methods and properties that mean the same in every class of the library.
fn result_type(method: &str) -> Option<&'static str> {
    Some(match method {
        "Replace" | "Substring" | "ToLower" | "ToLowerInvariant" | "ToString" | "ToUpper" | "ToUpperInvariant"
        | "Trim" => "string",
        "CompareTo" | "Count" | "GetHashCode" | "IndexOf" | "LastIndexOf" => "int",
        "Contains" | "ContainsKey" | "EndsWith" | "Equals" | "IsNullOrEmpty" | "StartsWith" => "bool",
        "GetType" => "Type",
        _ => return None,
    })
}

const PRIMITIVES: &[&str] = &[
    "bool", "byte", "char", "decimal", "double", "float", "int", "long", "sbyte", "short", "uint", "ulong", "ushort",
];

const WIDENING: &[&[&str]] = &[
    &["sbyte", "short", "int", "long", "float", "double", "decimal"],
    &[
        "byte", "short", "ushort", "int", "uint", "long", "ulong", "float", "double", "decimal",
    ],
    &["short", "int", "long", "float", "double", "decimal"],
    &["ushort", "int", "uint", "long", "ulong", "float", "double", "decimal"],
    // A literal that is small enough is of a smaller type too.
    &[
        "int",
        "long",
        "float",
        "double",
        "decimal",
        "byte",
        "sbyte",
        "short",
        "ushort",
        "uint",
        "ulong",
        "IComparable",
    ],
    &["uint", "long", "ulong", "float", "double", "decimal"],
    &["long", "float", "double", "decimal"],
    &["ulong", "float", "double", "decimal"],
    &[
        "char", "ushort", "int", "uint", "long", "ulong", "float", "double", "decimal",
    ],
    &["float", "double"],
    &["double"],
    &["decimal"],
    &["bool"],
    &["string", "String", "IEnumerable", "IComparable", "ReadOnlySpan"],
    &["String", "string", "IEnumerable", "IComparable", "ReadOnlySpan"],
];

/// A namespace sees what is in it and in those around it.
fn shares_scope(files: &Files, one: FileIdx, other: FileIdx) -> bool {
    let inner = &files.outline(one).spaces;
    let outer = &files.outline(other).spaces;
    if outer.is_empty() {
        return true;
    }
    let holds = |outer: &str, inner: &str| {
        let rest = inner.strip_prefix(outer);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    outer.iter().any(|outer| inner.iter().any(|inner| holds(outer, inner)))
}
