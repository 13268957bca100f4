//! C#.

mod arity;
mod library;
mod members;
pub(crate) mod modules;

use syntax::{LangId, Literal, Modifier, Qualifier, RefIdx, Reference, Role};

use crate::{
    lang::prelude::*,
    overload::arg_type::{ArgType, Shape},
};

/// The alias of the outermost namespace: `global::Geo.Shape`.
const GLOBAL: &str = "global";

pub(crate) struct CSharp;

impl Language for CSharp {
    fn semantics(&self) -> &'static Semantics {
        &SEMANTICS
    }
}

impl ScopeRules for CSharp {
    fn special_meaning(
        &self,
        resolver: &Resolver<'_>,
        place: At<'_>,
        reference: &Reference,
        _: RefIdx,
    ) -> Option<Meaning> {
        let names = &place.view.facts.names;
        // `new Shape()` makes a type, whatever else has the name.
        let is_made = matches!(reference.on, Qualifier::Path(path) if names.get(path) == "new");
        let is_made = is_made && reference.role == Role::Call;
        is_made.then(|| resolver.lookup(place, names.get(reference.name), Role::Type))
    }

    fn narrow_candidates(
        &self,
        resolver: &Resolver<'_>,
        place: At<'_>,
        index: RefIdx,
        found: Vec<SymbolId>,
    ) -> Option<Vec<SymbolId>> {
        let arity = place.view.facts.references[index].arity;
        let mut found = resolver.of_arity(found, usize::from(arity));
        found.retain(|id| !resolver.is_explicit(*id));
        Some(resolver.type_of_same_name(place, &found, index).unwrap_or(found))
    }

    fn expand_path<'v>(&self, resolver: &Resolver<'_>, place: At<'v>, path: &mut Vec<&'v str>) {
        if path.first() == Some(&GLOBAL) {
            path.remove(0);
        }
        resolver.expand_alias(place, path, Some(GLOBAL));
    }

    fn imports_members_only(&self, resolver: &Resolver<'_>, file: FileIdx, path: &str) -> bool {
        resolver.is_path_of_type(file, path)
    }
}

impl TypeRules for CSharp {}

impl MemberRules for CSharp {
    fn partial_declarations(&self, resolver: &Resolver<'_>, id: SymbolId) -> Vec<SymbolId> {
        resolver.parts_in_other_files(id)
    }

    fn declarations_of_type(&self, resolver: &Resolver<'_>, id: SymbolId) -> Vec<SymbolId> {
        resolver.same_thing(id)
    }

    fn generic_arity(&self, resolver: &Resolver<'_>, id: SymbolId) -> usize {
        resolver.type_parameter_count(id)
    }

    fn narrow_by_arity(&self, resolver: &Resolver<'_>, found: Vec<SymbolId>, arity: usize) -> Vec<SymbolId> {
        resolver.of_arity(found, arity)
    }
}

impl InferRules for CSharp {
    fn component_type(&self, resolver: &Resolver<'_>, whole: &Ty, own: SymbolId, nth: usize) -> Option<Ty> {
        let field = resolver.field_in_head(whole, own, nth);
        field.or_else(|| resolver.parameter_of_deconstruct(whole, own, nth))
    }

    fn distinguishes_arity(&self) -> bool {
        true
    }

    fn is_alias(&self, _: &Resolver<'_>, _: SymbolId) -> bool {
        // A delegate is declared with the type that it returns.
        false
    }
}

impl OverloadRules for CSharp {
    fn may_convert(&self, resolver: &Resolver<'_>, argument: &ArgType, parameter: &ArgType) -> bool {
        // `implicit operator` of either type.
        let converts = |one: &ArgType| match one.shape {
            Shape::Type(id) => !resolver.members(id, "implicit").is_empty(),
            _ => false,
        };
        converts(argument) || converts(parameter)
    }

    fn passes_receiver(&self, resolver: &Resolver<'_>, id: SymbolId, file: FileIdx, call: &Reference) -> bool {
        resolver.is_called_as_extension(id, file, call)
    }

    fn may_override(&self, resolver: &Resolver<'_>, member: SymbolId, base: SymbolId) -> bool {
        let is_static = |id| resolver.modifier_of(id) == Some(Modifier::Static);
        let is_for_other = resolver.is_explicit(member) && !resolver.is_explicit_for(member, base);
        !is_for_other && (!is_static(member) || is_static(base))
    }
}

impl QueryRules for CSharp {
    fn is_reserved_name(&self, name: &str) -> bool {
        name == "this" || name.starts_with("operator")
    }

    fn follows_type_name(&self, _: &Resolver<'_>, _: SymbolId) -> bool {
        // No other member may have the name of its type; the finalizer `~Shape` has it too.
        true
    }
}

static SEMANTICS: Semantics = Semantics {
    super_words: &["base"],
    languages: &[LangId::CSharp],
    arguments_of_bare_constructor: Some(0),
    implicit_this: true,
    is_strict: true,
    overloads: Overloads::OfVisible,
    namespaces: Namespaces::Types,
    field_names: FieldNames::InInitialiser,
    dotted_packages: true,
    has_array_types: true,
    has_open_types: true,
    has_extensions: true,
    implied_suffix: Some("Attribute"),
    literal_type,
    constructor_words: (&["base"], &["this"]),
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
    has_function_types: true,
    accessor_words: &["value"],
    conversions: Conversions {
        top_types: &["object", "Object", "dynamic"],
        widening: WIDENING,
        primitives: PRIMITIVES,
        boxes: BOXES,
        ..Conversions::NONE
    },
    library: library::LIBRARY,
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
