//! Python.

mod expressions;
mod fixtures;
mod imports;
mod members;
pub(crate) mod modules;
mod protocols;
mod scope;
mod tuples;
mod types;

use syntax::{Binding, BindingIdx, Import, LangId, Literal, RefIdx, Reference, Role, Symbol};

use crate::{lang::prelude::*, queries::references::Use};

/// Words for the enclosing class, and names of the parameter that is a value of it.
const OWN_TYPE: &[&str] = &["Self", "__class__", "cls", "self"];

/// The name of the file that stands for a package.
const PACKAGE: &str = "__init__";

pub(crate) struct Python;

impl Language for Python {
    fn semantics(&self) -> &'static Semantics {
        &SEMANTICS
    }
}

impl ScopeRules for Python {
    fn special_meaning(
        &self,
        resolver: &Resolver<'_>,
        place: At<'_>,
        reference: &Reference,
        _: RefIdx,
    ) -> Option<Meaning> {
        match reference.role {
            Role::Import => imports::part_of_path(resolver, place),
            _ => None,
        }
    }

    fn local_at<'v>(&self, place: At<'v>, name: &str, _: Role) -> Option<(BindingIdx, &'v Binding)> {
        scope::local_at(place, name)
    }

    fn body_members(&self, resolver: &Resolver<'_>, place: At<'_>, body: SymbolId, name: &str) -> Vec<SymbolId> {
        scope::body_members(resolver, place, body, name)
    }

    fn implicit_name(&self, resolver: &Resolver<'_>, place: At<'_>, name: &str, _: Role) -> Option<Meaning> {
        scope::loaded_submodule(resolver, place, name)
    }

    fn receiver_at(&self, place: At<'_>) -> u32 {
        scope::receiver_at(place)
    }

    fn imported_module(
        &self,
        resolver: &Resolver<'_>,
        place: At<'_>,
        import: &Import,
        files: &[FileIdx],
        rule: Rule,
    ) -> Option<Meaning> {
        imports::imported_module(resolver, place, import, files, rule)
    }

    fn submodule(&self, resolver: &Resolver<'_>, package: FileIdx, name: &str) -> Option<Vec<FileIdx>> {
        scope::submodule(resolver, package, name)
    }

    fn has_fixed_exports(&self, module: &View) -> bool {
        module.symbols_named("__getattr__").next().is_none()
    }
}

impl TypeRules for Python {}

impl MemberRules for Python {
    /// A field that a base class has is one with that.
    fn declaration_group(&self, resolver: &Resolver<'_>, id: SymbolId) -> Option<Vec<SymbolId>> {
        let declared = resolver.symbol(id, |_, symbol| members::inherited_field(resolver, id, symbol));
        declared
            .flatten()
            .map(|declared| resolver.trail.deeper(vec![id], || resolver.same_thing(declared)))
    }

    fn inherited_declaration(
        &self,
        resolver: &Resolver<'_>,
        own: SymbolId,
        found: &[SymbolId],
        name: &str,
    ) -> Option<Vec<SymbolId>> {
        members::inherited_declaration(resolver, own, found, name)
    }

    fn first_inherited(&self, resolver: &Resolver<'_>, found: Vec<Vec<SymbolId>>, _: bool) -> Vec<SymbolId> {
        members::first_in_resolution_order(resolver, found)
    }

    fn member_of_element(&self, resolver: &Resolver<'_>, ty: &Ty, own: SymbolId, name: &str) -> Option<Meaning> {
        protocols::member_of_element(resolver, ty, own, name)
    }

    fn alias_target(&self, resolver: &Resolver<'_>, variable: SymbolId) -> Vec<SymbolId> {
        members::alias_target(resolver, variable)
    }
}

impl InferRules for Python {
    fn special_type(&self, resolver: &Resolver<'_>, place: At<'_>, reference: RefIdx, on: Option<&Ty>) -> Option<Ty> {
        expressions::built_in_value(resolver, place, reference, on)
    }

    fn undeclared_type(&self, resolver: &Resolver<'_>, place: At<'_>, name: &str) -> Option<Ty> {
        fixtures::injected_type(resolver, place, name)
    }

    fn narrowed_to_library(&self, resolver: &Resolver<'_>, place: At<'_>, binding: BindingIdx, known: Ty) -> Ty {
        types::narrowed_to_library(resolver, place, binding, known)
    }

    fn entered_type(&self, resolver: &Resolver<'_>, ty: &Ty) -> Option<Ty> {
        protocols::entered_type(resolver, ty)
    }

    fn read_type(&self, resolver: &Resolver<'_>, ty: &Ty) -> Option<Ty> {
        protocols::read_type(resolver, ty)
    }

    fn constant_subscript(&self, resolver: &Resolver<'_>, on: &Ty, nth: usize) -> Option<Ty> {
        Some(tuples::subscript(resolver, on, nth))
    }

    fn unpacked(&self, resolver: &Resolver<'_>, whole: &Ty, nth: usize, is_loop: bool) -> Option<Ty> {
        Some(tuples::unpacked(resolver, whole, nth, is_loop))
    }

    fn element_type(&self, resolver: &Resolver<'_>, own: SymbolId, ty: &Ty) -> Option<Ty> {
        protocols::element_type(resolver, own, ty)
    }

    fn indexed_type(&self, resolver: &Resolver<'_>, own: SymbolId, ty: &Ty) -> Option<Ty> {
        protocols::indexed_type(resolver, own, ty)
    }

    fn type_variables(&self, resolver: &Resolver<'_>, id: SymbolId) -> Vec<String> {
        types::type_variables(resolver, id)
    }

    fn is_receiver_type(&self, view: &View, symbol: &Symbol, name: &str) -> bool {
        types::is_receiver_type(view, symbol, name)
    }
}

impl OverloadRules for Python {}

impl QueryRules for Python {
    fn is_reserved_name(&self, name: &str) -> bool {
        name.len() > 4 && name.starts_with("__") && name.ends_with("__")
    }

    fn alias_variables(&self, resolver: &Resolver<'_>, targets: &[SymbolId]) -> Vec<SymbolId> {
        members::alias_variables(resolver, targets)
    }

    fn injections(&self, resolver: &Resolver<'_>, targets: &[SymbolId], with_uses: bool) -> Vec<Use> {
        fixtures::injections(resolver, targets, with_uses)
    }

    fn is_declaration(&self, resolver: &Resolver<'_>, file: FileIdx, reference: RefIdx) -> bool {
        members::is_declaration(resolver, file, reference)
    }
}

static SEMANTICS: Semantics = Semantics {
    super_words: &[],
    languages: &[LangId::Python],
    hoists_variables: true,
    is_strict: true,
    path_binds: |path, name| path.split('.').next() == Some(name),
    exports: Exports::WithImports,
    overloads: Overloads::Signatures,
    field_names: FieldNames::OfArguments,
    keeps_base_arguments: true,
    own_type: OWN_TYPE,
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
    binds_behind_values: true,
    constructors: &["__init__", "__new__"],
    common_members: &[
        "acquire",
        "add",
        "append",
        "cancel",
        "capitalize",
        "casefold",
        "center",
        "clear",
        "close",
        "copy",
        "count",
        "decode",
        "difference",
        "difference_update",
        "discard",
        "done",
        "encode",
        "endswith",
        "expandtabs",
        "extend",
        "fileno",
        "find",
        "findall",
        "finditer",
        "flush",
        "format",
        "format_map",
        "fromkeys",
        "fullmatch",
        "get",
        "group",
        "groupdict",
        "groups",
        "hex",
        "index",
        "insert",
        "intersection",
        "intersection_update",
        "is_alive",
        "is_set",
        "isalnum",
        "isalpha",
        "isascii",
        "isatty",
        "isdecimal",
        "isdigit",
        "isdisjoint",
        "isidentifier",
        "islower",
        "isnumeric",
        "isoformat",
        "isprintable",
        "isspace",
        "issubset",
        "issuperset",
        "istitle",
        "isupper",
        "items",
        "join",
        "keys",
        "ljust",
        "lower",
        "lstrip",
        "maketrans",
        "match",
        "name",
        "open",
        "partition",
        "pop",
        "popitem",
        "put",
        "read",
        "readable",
        "readline",
        "readlines",
        "release",
        "remove",
        "removeprefix",
        "removesuffix",
        "replace",
        "result",
        "reverse",
        "rfind",
        "rindex",
        "rjust",
        "rpartition",
        "rsplit",
        "rstrip",
        "search",
        "seek",
        "seekable",
        "send",
        "setdefault",
        "shutdown",
        "sort",
        "split",
        "splitlines",
        "start",
        "startswith",
        "strftime",
        "strip",
        "sub",
        "submit",
        "swapcase",
        "symmetric_difference",
        "tell",
        "title",
        "total_seconds",
        "translate",
        "truncate",
        "union",
        "update",
        "upper",
        "values",
        "wait",
        "writable",
        "write",
        "writelines",
        "zfill",
    ],
    literal_type,
    call_member: Some("__call__"),
    overrides_fields: true,
    conversions: Conversions {
        top_types: &["Any", "Hashable", "Literal", "LiteralString", "object"],
        widening: WIDENING,
        ..Conversions::NONE
    },
    library: Library {
        results: &[
            (
                LibraryResult::SameElements,
                &["copy", "difference", "intersection", "items", "union"],
            ),
            (
                LibraryResult::Element,
                &["get", "pop", "popitem", "popleft", "setdefault"],
            ),
            (LibraryResult::Values, &["values"]),
        ],
        inserting: &["add", "append", "appendleft", "put", "put_nowait"],
        copying: &["_replace", "copy", "evolve", "replace"],
        ..Library::NONE
    },
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
