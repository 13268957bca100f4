//! C, C++ and Objective-C.

pub(crate) mod conversions;
mod declarations;
pub(crate) mod includes;
pub(crate) mod macros;
pub(crate) mod modules;
mod namespaces;
mod operators;
mod overloads;
mod scope;
mod types;

use std::{rc::Rc, sync::Arc};

use rustc_hash::{FxHashMap, FxHashSet};
use syntax::{
    ArgValue, Binding, BindingIdx, LangId, Literal, LocalKind, Qualifier, RefIdx, Reference, Role, Symbol, SymbolIdx,
    SymbolKind, TypeRef,
};

use crate::{
    engine::resolver::Global,
    lang::{c_family::conversions::library_type, prelude::*},
    members::own,
    overload::{
        arg_type::{ArgType, Shape},
        rank::{ConversionRank, Specialization},
    },
    scope::lookup::Lookup,
    types::{generics::StandsFor, type_names::last_part},
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

/// The rules of one of the three languages.
pub(crate) struct CFamily(Semantics);

pub(crate) const C: CFamily = CFamily(SEMANTICS);

pub(crate) const CPP: CFamily = CFamily(Semantics {
    languages: &[LangId::Cpp],
    ..SEMANTICS
});

pub(crate) const OBJC: CFamily = CFamily(Semantics {
    languages: &[LangId::ObjC],
    ..SEMANTICS
});

impl CFamily {
    fn is(&self, lang: LangId) -> bool {
        self.0.languages.contains(&lang)
    }
}

impl Language for CFamily {
    fn semantics(&'static self) -> &'static Semantics {
        &self.0
    }
}

impl ScopeRules for CFamily {
    fn usable_candidates(&self, lookup: &Lookup<'_>, candidates: Vec<SymbolId>, rule: Rule) -> Option<Meaning> {
        lookup.applicable_in_c(candidates, rule)
    }

    /// `struct buffer *buffer`: a variable is no type, but the parameter of a macro may be one.
    fn local_at<'v>(&self, place: At<'v>, name: &str, role: Role) -> Option<(BindingIdx, &'v Binding)> {
        let may_be_type = |binding: &Binding| binding.kind == LocalKind::Generic || binding.ty.is_none();
        let is_type = matches!(role, Role::Type | Role::Implementation);
        let local = place.view.binding_at(name, place.at);
        local.filter(|(_, binding)| !is_type || may_be_type(binding))
    }

    /// What stands before `::` is no function, even where one hides the type of its name.
    fn hides_outer(&self, kind: SymbolKind, role: Role) -> bool {
        !matches!(role, Role::Type | Role::Implementation) || !kind.is_function()
    }

    fn before_members(&self, lookup: &Lookup<'_>) -> Option<Meaning> {
        lookup.by_using_declaration()
    }

    /// The return type of a method stands before its qualifier, and so outside of the class: `Index Value::size() {}`.
    fn member_of_enclosing(
        &self,
        lookup: &Lookup<'_>,
        outer: (SymbolIdx, &Symbol),
        innermost: bool,
    ) -> Option<Meaning> {
        let (_, symbol) = outer;
        if symbol.owner.is_some() && lookup.place.at < symbol.name_at {
            return None;
        }
        lookup
            .in_members(outer, innermost)
            .or_else(|| lookup.member_of_undeclared(outer))
    }

    fn members_in_body(&self, resolver: &Resolver<'_>, own: SymbolId, name: &str) -> Vec<SymbolId> {
        resolver.in_nested_types(own, name)
    }

    fn top_level_definitions(&self, lookup: &Lookup<'_>, found: Vec<SymbolId>) -> Vec<SymbolId> {
        let own = lookup.resolver.own_file(lookup.place, found);
        lookup.with_overloads_elsewhere(own)
    }

    fn without_import(&self, lookup: &Lookup<'_>) -> Option<Meaning> {
        lookup.friend().or_else(|| lookup.of_program())
    }

    fn visible_globals(&self, resolver: &Resolver<'_>, place: At<'_>, globals: &[Global]) -> Vec<SymbolId> {
        resolver.seen_globals(place, globals)
    }

    fn needs_include(&self, resolver: &Resolver<'_>, file: FileIdx, view: &View, symbol: &Symbol) -> bool {
        resolver.is_local_to_source(file, view, symbol)
    }

    fn is_in_named_namespace(&self, resolver: &Resolver<'_>, view: &View, symbol: &Symbol) -> bool {
        resolver.is_of_namespace(view, symbol)
    }

    fn is_visible_outside_type(&'static self, view: &View, symbol: &Symbol) -> bool {
        let is_kept = self.is(LangId::Cpp) && scope::is_enumerator_of_class(view, symbol);
        (!is_kept && own::is_open_inside(view, symbol, &self.0)) || scope::is_type_in_structure(view, symbol)
    }

    fn special_meaning(
        &self,
        resolver: &Resolver<'_>,
        place: At<'_>,
        reference: &Reference,
        index: RefIdx,
    ) -> Option<Meaning> {
        let name = place.view.facts.names.get(reference.name);
        match (reference.on, reference.role) {
            (Qualifier::Nothing, Role::Member) => Some(resolver.initialised_name(place, name)),
            (Qualifier::Nothing, Role::Variable) => Some(resolver.variable_or_macro_argument(place, index, name)),
            _ => None,
        }
    }

    fn global_name(&self, lookup: &Lookup<'_>) -> Meaning {
        lookup.in_global_namespace()
    }

    fn expand_path<'v>(&self, resolver: &Resolver<'_>, place: At<'v>, path: &mut Vec<&'v str>) {
        resolver.expand_alias(place, path, None);
    }

    fn member_in_path(&self, resolver: &Resolver<'_>, base: &Ty, name: &str) -> Option<Meaning> {
        resolver.member_behind_scope(base, name)
    }

    fn has_file_namespaces(&self) -> bool {
        false
    }

    fn visible_qualified(&self, resolver: &Resolver<'_>, file: FileIdx, found: Vec<SymbolId>) -> Vec<SymbolId> {
        resolver.seen_through_includes(file, found)
    }

    fn qualified_fallback(&self, resolver: &Resolver<'_>, file: FileIdx, path: &[&str], name: &str) -> Vec<SymbolId> {
        resolver.without_macro_namespaces(file, path, name)
    }

    fn path_fallback(&self, lookup: &Lookup<'_>, path: &str, found: Meaning) -> Meaning {
        lookup.without_namespaces_of_macros(path, found)
    }

    /// `using shapes::Circle`.
    fn unresolved_import(&self, resolver: &Resolver<'_>, file: FileIdx, path: &[&str], name: &str) -> Vec<SymbolId> {
        resolver.qualified(file, path, name)
    }

    fn name_in_import(&self, resolver: &Resolver<'_>, place: At<'_>, name: &str) -> Option<Meaning> {
        Some(resolver.lookup(place, name, Role::Type))
    }

    fn fallback(&self, resolver: &Resolver<'_>, place: At<'_>, reference: &Reference, found: Meaning) -> Meaning {
        resolver.name_in_macro_call(place, reference, found)
    }
}

impl TypeRules for CFamily {
    fn type_operator(
        &self,
        resolver: &Resolver<'_>,
        place: At<'_>,
        ty: TypeRef<'_>,
        known: &[StandsFor],
    ) -> Option<Ty> {
        resolver.element_of_iterator(place, ty, known)
    }

    fn path_with_arguments(
        &self,
        resolver: &Resolver<'_>,
        place: At<'_>,
        written: (&str, TypeRef<'_>),
        known: &[StandsFor],
    ) -> Option<Ty> {
        resolver.alias_in_template(place, written, known)
    }

    fn member_alias(
        &self,
        resolver: &Resolver<'_>,
        member: SymbolId,
        ty: TypeRef<'_>,
        known: &[StandsFor],
    ) -> Option<Ty> {
        resolver.member_alias(member, ty, known)
    }

    fn holds_first_argument(&self, container: &str) -> bool {
        types::CONTAINERS_OF_FIRST.contains(&container)
    }
}

impl MemberRules for CFamily {
    fn declaration_group(&self, resolver: &Resolver<'_>, id: SymbolId) -> Option<Vec<SymbolId>> {
        let known = &resolver.known.same;
        Some(known.get(&resolver.trail, id, vec![id], || resolver.declarations_of(id)))
    }

    fn is_member_of(&self, resolver: &Resolver<'_>, member: SymbolId, own: SymbolId) -> bool {
        resolver.is_member_of(member, own)
    }

    fn keeps_inherited(&self, resolver: &Resolver<'_>, own: SymbolId, name: &str) -> bool {
        resolver.has_using_declaration(own, name)
    }

    fn macros_in_body(&self, resolver: &Resolver<'_>, own: SymbolId, view: &View) -> Vec<SymbolId> {
        resolver.member_macros(own, view)
    }

    /// `void shapes::Circle::draw() {}`
    fn named_owner(&self, resolver: &Resolver<'_>, place: At<'_>, _: &Symbol, path: &str) -> Meaning {
        let last = last_part(path);
        match path[..path.len() - last.len()].trim_end_matches(['.', ':', '\\']) {
            "" => resolver.lookup(place, last, Role::Type),
            outer => resolver.at_path(place, outer, last, Role::Type),
        }
    }
}

impl InferRules for CFamily {
    fn subscript_type(&self, resolver: &Resolver<'_>, file: FileIdx, reference: &Reference, value: Ty) -> Ty {
        resolver.subscript_type(file, reference, value)
    }

    fn loop_variable(&self, resolver: &Resolver<'_>, place: At<'_>, _: BindingIdx, value: RefIdx) -> Ty {
        resolver.indexed(resolver.value(place.file, value))
    }

    fn expansion_type(
        &self,
        resolver: &Resolver<'_>,
        place: At<'_>,
        reference: RefIdx,
        macros: &[SymbolId],
    ) -> Option<Ty> {
        resolver.type_of_expansion(place, reference, macros)
    }

    fn indexed_type(&self, resolver: &Resolver<'_>, own: SymbolId, value: &Ty) -> Option<Ty> {
        resolver.type_of_begin(own, value)
    }
}

impl OverloadRules for CFamily {
    fn conversion_rank(
        &self,
        resolver: &Resolver<'_>,
        _: FileIdx,
        argument: &ArgType,
        parameter: &ArgType,
    ) -> Option<ConversionRank> {
        match (parameter.is_array, &parameter.shape) {
            (true, Shape::Unknown) => Some(ConversionRank::Ellipsis),
            (true, _) => Some(ConversionRank::Template(Specialization::Pack)),
            (false, _) => resolver.c_conversion(argument, parameter),
        }
    }

    fn arg_type_of_type(&self, resolver: &Resolver<'_>, place: At<'_>, ty: TypeRef<'_>, steps: u32) -> Option<ArgType> {
        Some(resolver.describe_c_type(place, ty, steps))
    }

    fn arg_type_of_library_type(&self, name: &str) -> ArgType {
        library_type(name)
    }

    fn arg_type_of_element(&'static self, array: ArgType) -> Option<ArgType> {
        Some(array.pointed())
    }

    fn expanded_argument(
        &self,
        resolver: &Resolver<'_>,
        (file, view): (FileIdx, &View),
        call: RefIdx,
    ) -> Option<ArgValue> {
        resolver.literal_in_macro(file, view, call)
    }

    fn gives_type_arguments(&self, resolver: &Resolver<'_>, (file, view): (FileIdx, &View), call: RefIdx) -> bool {
        !resolver.behind(file, view, call, &[]).0.is_empty()
    }

    /// `max(1, 2.0)`: no `T` is both.
    fn types_differ(&self, resolver: &Resolver<'_>, one: &ArgType, other: &ArgType) -> Option<bool> {
        Some(resolver.are_apart(one, other))
    }

    fn narrow_by_receiver(
        &self,
        resolver: &Resolver<'_>,
        place: At<'_>,
        found: Vec<SymbolId>,
        receiver: Qualifier,
    ) -> Vec<SymbolId> {
        resolver.by_constness(place, found, receiver)
    }

    fn operator_type(&self, resolver: &Resolver<'_>, (file, view): (FileIdx, &View), step: RefIdx) -> Ty {
        resolver.type_of_overloaded_operator(file, view, step)
    }

    fn arg_type_of_operation(
        &self,
        resolver: &Resolver<'_>,
        file: (FileIdx, &View),
        step: RefIdx,
        operands: &[ArgType],
    ) -> Option<ArgType> {
        Some(resolver.operation_result(file, step, operands))
    }

    fn distinguishes_overloads(&'static self) -> bool {
        true
    }

    fn may_override(&self, resolver: &Resolver<'_>, member: SymbolId, base: SymbolId) -> bool {
        resolver.overrides_constness(member, base)
    }
}

impl QueryRules for CFamily {
    fn is_reserved_name(&self, name: &str) -> bool {
        name.starts_with("operator")
    }

    /// `@implementation Shape` and the categories of `Shape`.
    fn type_of_block(&self, resolver: &Resolver<'_>, block: SymbolId) -> Base {
        resolver.extended(block)
    }

    /// `typedef SetOf<int> Set;`
    fn names_of_base(&'static self, resolver: &Resolver<'_>, declarations: Vec<SymbolId>) -> Vec<SymbolId> {
        resolver.with_aliases(&declarations)
    }

    /// In C++ functions of one name differ by their parameters.
    fn functions_collide(&'static self, resolver: &Resolver<'_>, one: SymbolId, other: SymbolId) -> Option<bool> {
        Some(!self.is(LangId::Cpp) || resolver.has_same_parameters(one, other))
    }

    /// `Kind::Round` is no member of another type.
    fn type_of_qualifier(&self, resolver: &Resolver<'_>, place: At<'_>, path: &str) -> Base {
        resolver.type_of_text(place, path).head
    }
}

/// What the three have in common.
const SEMANTICS: Semantics = Semantics {
    max_open_overloads: 1.7,
    super_words: &[],
    languages: &[LangId::C],
    implicit_this: true,
    visibility: Visibility::Global,
    is_strict: true,
    has_open_types: true,
    has_bare_variants: true,
    binds_in_macros: true,
    literal_type,
    operator_result_type: calculated,
    own_type: &["this", "instancetype"],
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
    library: Library {
        results: &[
            (
                LibraryResult::Receiver,
                &[
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
            ),
            (
                LibraryResult::Element,
                &[
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
            ),
        ],
        result_type,
        ..Library::NONE
    },
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
