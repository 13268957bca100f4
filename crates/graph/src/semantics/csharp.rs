//! C#.

use super::{DEFAULT, Semantics};
use crate::files::{FileIdx, Files};

pub(super) const SEMANTICS: Semantics = Semantics {
    languages: &["csharp"],
    implicit_this: true,
    is_strict: true,
    has_overloads: true,
    has_open_types: true,
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
    ..DEFAULT
};

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
