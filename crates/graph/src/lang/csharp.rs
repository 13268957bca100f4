//! C#.

pub(crate) mod modules;

use syntax::{LangId, Literal};

use crate::{
    engine::resolver::Resolver,
    files::{FileIdx, Files},
    lang::{DEFAULT, Gives, Hands, LanguageRules, Semantics},
};

pub(crate) struct CSharp;

impl LanguageRules for CSharp {
    fn semantics(&self) -> &'static Semantics {
        &SEMANTICS
    }

    fn imports_members_only(&self, resolver: &Resolver<'_>, file: FileIdx, path: &str) -> bool {
        resolver.is_path_of_type(file, path)
    }
}

static SEMANTICS: Semantics = Semantics {
    derived_from: &["base"],
    languages: &[LangId::CSharp],
    implicit_this: true,
    shares_type_names: true,
    is_strict: true,
    has_overloads: true,
    heeds_access: true,
    has_separate_types: true,
    dotted_packages: true,
    names_members: true,
    has_bare_arrays: true,
    reserves_type_name: true,
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
    boxes: BOXES,
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
    makers: &["FromResult", "Repeat"],
    has_function_types: true,
    accessor_words: &["value"],
    passing: &["Invoke", "Value"],
    library_members: GIVES,
    library_hands: HANDS,
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
        "Split" => "string[]",
        "GetBytes" => "byte[]",
        "ToCharArray" => "char[]",
        "ToBoolean" => "bool",
        "ToDateTime" => "DateTime",
        "ToDecimal" => "decimal",
        "ToDouble" => "double",
        "ToInt16" => "short",
        "ToInt32" => "int",
        "ToInt64" => "long",
        "ToSingle" => "float",
        _ => return None,
    })
}

/// The names that the types of the language have in the library.
const BOXES: &[(&str, &str)] = &[
    ("Boolean", "bool"),
    ("Byte", "byte"),
    ("Char", "char"),
    ("Decimal", "decimal"),
    ("Double", "double"),
    ("Int16", "short"),
    ("Int32", "int"),
    ("Int64", "long"),
    ("SByte", "sbyte"),
    ("Single", "float"),
    ("UInt16", "ushort"),
    ("UInt32", "uint"),
    ("UInt64", "ulong"),
];

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

const GIVES: &[(&str, Gives)] = &[
    ("Aggregate", Gives::One),
    ("Append", Gives::Whole),
    ("AsEnumerable", Gives::Whole),
    ("AsNoTracking", Gives::Whole),
    ("AsParallel", Gives::Whole),
    ("AsQueryable", Gives::Whole),
    ("AsReadOnly", Gives::Whole),
    ("Cast", Gives::Whole),
    ("Chunk", Gives::Many),
    ("Concat", Gives::Whole),
    ("ConfigureAwait", Gives::Whole),
    ("Count", Gives::Nothing),
    ("Current", Gives::One),
    ("DefaultIfEmpty", Gives::Whole),
    ("Dequeue", Gives::One),
    ("Distinct", Gives::Whole),
    ("DistinctBy", Gives::Whole),
    ("ElementAt", Gives::One),
    ("ElementAtOrDefault", Gives::One),
    ("Except", Gives::Whole),
    ("Find", Gives::One),
    ("FindLast", Gives::One),
    ("First", Gives::One),
    ("FirstAsync", Gives::One),
    ("FirstOrDefault", Gives::One),
    ("FirstOrDefaultAsync", Gives::One),
    ("GetAwaiter", Gives::One),
    ("GetResult", Gives::One),
    ("GetValueOrDefault", Gives::One),
    ("GroupBy", Gives::Groups),
    ("Include", Gives::Whole),
    ("Intersect", Gives::Whole),
    ("Invoke", Gives::Whole),
    ("Item1", Gives::Part(0)),
    ("Item2", Gives::Part(1)),
    ("Item3", Gives::Part(2)),
    ("Key", Gives::Part(0)),
    ("Keys", Gives::AllParts(0)),
    ("Last", Gives::One),
    ("LastOrDefault", Gives::One),
    ("Length", Gives::Nothing),
    ("Max", Gives::One),
    ("MaxBy", Gives::One),
    ("Min", Gives::One),
    ("MinBy", Gives::One),
    ("OfType", Gives::Whole),
    ("OrderBy", Gives::Whole),
    ("OrderByDescending", Gives::Whole),
    ("Peek", Gives::One),
    ("Pop", Gives::One),
    ("Prepend", Gives::Whole),
    ("Result", Gives::One),
    ("Reverse", Gives::Whole),
    ("Select", Gives::AllMade),
    ("SelectMany", Gives::Made),
    ("Single", Gives::One),
    ("SingleAsync", Gives::One),
    ("SingleOrDefault", Gives::One),
    ("SingleOrDefaultAsync", Gives::One),
    ("Skip", Gives::Whole),
    ("SkipLast", Gives::Whole),
    ("SkipWhile", Gives::Whole),
    ("Take", Gives::Whole),
    ("TakeLast", Gives::Whole),
    ("TakeWhile", Gives::Whole),
    ("Target", Gives::One),
    ("ThenBy", Gives::Whole),
    ("ThenByDescending", Gives::Whole),
    ("ThenInclude", Gives::Whole),
    ("ToArray", Gives::Whole),
    ("ToArrayAsync", Gives::Whole),
    ("ToDictionary", Gives::ByMade),
    ("ToHashSet", Gives::Whole),
    ("ToImmutableArray", Gives::Whole),
    ("ToImmutableList", Gives::Whole),
    ("ToList", Gives::Whole),
    ("ToListAsync", Gives::Whole),
    ("ToLookup", Gives::Groups),
    ("Union", Gives::Whole),
    ("Value", Gives::Held),
    ("Values", Gives::AllParts(1)),
    ("Where", Gives::Whole),
    ("Zip", Gives::Zipped),
];

const HANDS: &[(&str, &[Hands])] = &[
    ("Aggregate", &[Hands::One, Hands::One]),
    ("GetOrAdd", &[Hands::Key]),
    ("GroupJoin", &[Hands::One, Hands::Other]),
    ("Join", &[Hands::One, Hands::Other]),
    ("Select", &[Hands::One, Hands::Nothing]),
    ("SelectMany", &[Hands::One, Hands::Nothing]),
    ("SkipWhile", &[Hands::One, Hands::Nothing]),
    ("Sort", &[Hands::One, Hands::One]),
    ("TakeWhile", &[Hands::One, Hands::Nothing]),
    ("Where", &[Hands::One, Hands::Nothing]),
    ("Zip", &[Hands::One, Hands::Other]),
];
