//! C, C++ and Objective-C.

pub(crate) mod conversions;
mod declarations;
pub(crate) mod includes;
pub(crate) mod macros;
pub(crate) mod modules;
mod namespaces;

use std::{rc::Rc, sync::Arc};

use rustc_hash::{FxHashMap, FxHashSet};
use syntax::{LangId, Literal};

use crate::{
    files::FileIdx,
    lang::{DEFAULT, Semantics},
    view::SymbolId,
};

/// What is memoised of this family's files.
#[derive(Default)]
pub(crate) struct Memo {
    direct_includes: FxHashMap<FileIdx, Arc<[FileIdx]>>,
    transitive_includes: FxHashMap<FileIdx, Rc<FxHashSet<FileIdx>>>,
    includers: FxHashMap<FileIdx, Rc<[FileIdx]>>,
    visited: includes::VisitedFiles,
    /// All declarations of a name, by the language that asks for them.
    declarations: FxHashMap<LangId, FxHashMap<Box<str>, Rc<[declarations::Declaration]>>>,
    /// The namespaces around a definition.
    namespaces: FxHashMap<SymbolId, Rc<[String]>>,
    /// The files in which a macro opens a namespace, by its name.
    namespace_macros: FxHashMap<Box<str>, Rc<[FileIdx]>>,
}

pub(crate) const CPP: Semantics = Semantics {
    languages: &[LangId::Cpp],
    has_inner_types: true,
    has_constants_by_file: true,
    has_free_overloads: true,
    has_one_of_a_name: false,
    ..SEMANTICS
};

pub(crate) const OBJC: Semantics = Semantics {
    languages: &[LangId::ObjC],
    has_one_of_a_name: false,
    ..SEMANTICS
};

pub(crate) const SEMANTICS: Semantics = Semantics {
    derived_from: &[],
    languages: &[LangId::C],
    implicit_this: true,
    is_global: true,
    is_strict: true,
    has_open_types: true,
    has_headers: true,
    has_bare_variants: true,
    has_one_of_a_name: true,
    binds_in_macros: true,
    literal_type,
    result_type,
    calculated,
    own_type: &["this", "instancetype"],
    passing: &[
        "alloc",
        "autorelease",
        "copy",
        "first",
        "get",
        "init",
        "lock",
        "new",
        "retain",
        "second",
        "value",
    ],
    of_first: &[
        "deque",
        "forward_list",
        "list",
        "multiset",
        "priority_queue",
        "set",
        "shared_ptr",
        "unique_ptr",
        "unordered_multiset",
        "unordered_set",
        "vector",
    ],
    taking_out: &[
        "at",
        "back",
        "begin",
        "cbegin",
        "cend",
        "end",
        "find",
        "front",
        "lower_bound",
        "rbegin",
        "rend",
        "top",
        "upper_bound",
    ],
    pointers: &[
        "const_iterator",
        "const_reference",
        "const_reverse_iterator",
        "iterator",
        "reference",
        "reverse_iterator",
        "value_type",
    ],
    wrappers: &[
        "QPointer",
        "QScopedPointer",
        "QSharedPointer",
        "RefPtr",
        "auto_ptr",
        "com_ptr",
        "intrusive_ptr",
        "not_null",
        "optional",
        "reference_wrapper",
        "scoped_ptr",
        "scoped_refptr",
        "shared_ptr",
        "unique_ptr",
        "weak_ptr",
    ],
    common_members: &[
        "append",
        "at",
        "back",
        "begin",
        "c_str",
        "clear",
        "close",
        "compare",
        "copy",
        "count",
        "data",
        "empty",
        "end",
        "erase",
        "find",
        "first",
        "front",
        "get",
        "insert",
        "length",
        "load",
        "lock",
        "name",
        "open",
        "pop",
        "pop_back",
        "push",
        "push_back",
        "read",
        "release",
        "reserve",
        "reset",
        "resize",
        "second",
        "size",
        "store",
        "str",
        "substr",
        "swap",
        "top",
        "unlock",
        "value",
        "wait",
        "what",
        "write",
    ],
    ..DEFAULT
};

fn literal_type(literal: Literal) -> Option<&'static str> {
    match literal {
        Literal::Text => Some("const char*"),
        Literal::Joined => Some("std::string"),
        Literal::Character => Some("char"),
        Literal::Integer => Some("int"),
        Literal::Long => Some("long"),
        Literal::Float => Some("double"),
        Literal::Boolean => Some("bool"),
        Literal::Class | Literal::Null => None,
    }
}

/// What means the same in all of the library.
fn result_type(name: &str) -> Option<&'static str> {
    Some(match name {
        "c_str" | "getenv" | "what" => "const char*",
        "str" | "string" | "substr" | "to_string" => "std::string",
        "capacity" | "length" | "max_size" | "size" | "strlen" => "size_t",
        "empty" => "bool",
        _ => return None,
    })
}

/// Numbers from the narrowest that is calculated with.
const WIDTHS: &[&str] = &[
    "int",
    "unsigned int",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "float",
    "double",
    "long double",
];

fn calculated(operator: &str, left: Option<&str>, right: Option<&str>) -> Option<&'static str> {
    if operator == "+" && (left == Some("string") || right == Some("string")) {
        return Some("std::string");
    }
    let width = |one: &str| match one {
        "bool" | "char" | "char16_t" | "char8_t" | "short" | "signed char" | "unsigned char" | "unsigned short"
        | "wchar_t" => Some(0),
        one => WIDTHS.iter().position(|width| *width == one),
    };
    let left = left.and_then(width)?;
    match operator {
        "<<" | ">>" => Some(WIDTHS[left]),
        _ => Some(WIDTHS[left.max(right.and_then(width)?)]),
    }
}
