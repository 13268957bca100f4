//! JavaScript, TypeScript, and the languages that embed them: Vue, Svelte.

mod aliases;
mod ambient;
mod class_objects;
mod components;
mod declarations;
mod expressions;
mod jsdoc;
pub(crate) mod json;
pub(crate) mod modules;
mod object_literals;
mod type_operators;

use syntax::{
    Context, Import, LangId, Literal, NameId, Qualifier, RefIdx, Reference, Role, Symbol, SymbolKind, TypeExpr,
    TypeKind, TypeRef,
};

use crate::{
    infer::contextual::ParameterIndex,
    lang::{ecmascript::class_objects::CLASS_MEMBER, prelude::*},
    queries::references::implementations::Implementation,
    scope::lookup::Lookup,
    types::{generics::StandsFor, ty::UNKNOWN},
};

/// JavaScript, TypeScript and the languages that embed them.
pub(crate) struct EcmaScript {
    semantics: &'static Semantics,
    /// Types are named in JSDoc comments, and nowhere else.
    has_jsdoc_types: bool,
}

pub(crate) static TYPESCRIPT: EcmaScript = EcmaScript {
    semantics: &SEMANTICS,
    has_jsdoc_types: false,
};

pub(crate) static JAVASCRIPT: EcmaScript = EcmaScript {
    semantics: &Semantics {
        languages: &[LangId::JavaScript],
        ..SEMANTICS
    },
    has_jsdoc_types: true,
};

const SEMANTICS: Semantics = Semantics {
    languages: &[LangId::TypeScript, LangId::Vue, LangId::Svelte],
    is_strict: true,
    keeps_base_arguments: true,
    exports: Exports::Object,
    hoists_variables: true,
    overloads: Overloads::Signatures,
    null_types: &["null", "undefined"],
    receiver_type: Some("this"),
    class_member: Some(CLASS_MEMBER),
    literal_type,
    separates_static_members: true,
    own_type: &["this"],
    constructors: &["constructor"],
    call_member: Some("()"),
    constructor_words: (&["super"], &[]),
    // Utility types that have the members of their first argument, more or less.
    wrappers: &[
        "Awaited",
        "InstanceType",
        "NonNullable",
        "Omit",
        "Partial",
        "Pick",
        "Readonly",
        "Required",
        "ReturnType",
    ],
    container_members: Some(CONTAINER_MEMBERS),
    common_members: &[
        "add",
        "apply",
        "at",
        "bind",
        "call",
        "catch",
        "charAt",
        "clear",
        "concat",
        "delete",
        "endsWith",
        "entries",
        "every",
        "exec",
        "fill",
        "filter",
        "finally",
        "find",
        "findIndex",
        "flat",
        "flatMap",
        "forEach",
        "get",
        "has",
        "includes",
        "indexOf",
        "join",
        "keys",
        "length",
        "map",
        "match",
        "message",
        "name",
        "next",
        "parse",
        "pop",
        "push",
        "reduce",
        "replace",
        "resolve",
        "reverse",
        "set",
        "shift",
        "size",
        "slice",
        "some",
        "sort",
        "splice",
        "split",
        "startsWith",
        "test",
        "then",
        "toLowerCase",
        "toString",
        "toUpperCase",
        "trim",
        "unshift",
        "value",
        "values",
    ],
    overrides_fields: true,
    conversions: Conversions {
        top_types: &["any", "object", "unknown"],
        widening: &[&["string"], &["number"], &["boolean"], &["bigint"]],
        ..Conversions::NONE
    },
    library: Library {
        results: &[
            (
                LibraryResult::SameElements,
                &[
                    "concat",
                    "filter",
                    "reverse",
                    "slice",
                    "sort",
                    "splice",
                    "toReversed",
                    "toSorted",
                    "toSpliced",
                ],
            ),
            (
                LibraryResult::Element,
                &["at", "find", "findLast", "get", "pop", "shift"],
            ),
            (LibraryResult::CallbackResult, &["flatMap"]),
            (LibraryResult::CallbackResults, &["map"]),
            (LibraryResult::Values, &["values"]),
        ],
        inserting: &["push", "set", "unshift"],
        ..Library::NONE
    },
    ..DEFAULT
};

fn literal_type(literal: Literal) -> Option<&'static str> {
    match literal {
        Literal::Text | Literal::Joined | Literal::Character => Some("string"),
        Literal::Integer | Literal::Long | Literal::Float => Some("number"),
        Literal::Boolean => Some("boolean"),
        Literal::Class | Literal::Null => None,
    }
}

/// Members of arrays, maps, sets and promises.
const CONTAINER_MEMBERS: &[&str] = &[
    "add",
    "at",
    "catch",
    "clear",
    "concat",
    "delete",
    "entries",
    "every",
    "fill",
    "filter",
    "finally",
    "find",
    "findIndex",
    "flat",
    "flatMap",
    "forEach",
    "get",
    "has",
    "includes",
    "indexOf",
    "join",
    "keys",
    "length",
    "map",
    "pop",
    "push",
    "reduce",
    "reverse",
    "set",
    "shift",
    "size",
    "slice",
    "some",
    "sort",
    "splice",
    "then",
    "toString",
    "unshift",
    "values",
];

/// Whether a language is one of these.
fn is_ecmascript(lang: LangId) -> bool {
    SEMANTICS.languages.contains(&lang) || lang == LangId::JavaScript
}

impl Language for EcmaScript {
    fn semantics(&'static self) -> &'static Semantics {
        self.semantics
    }
}

impl ScopeRules for EcmaScript {
    fn replace_candidates(
        &self,
        resolver: &Resolver<'_>,
        place: At<'_>,
        reference: &Reference,
        found: Meaning,
    ) -> Meaning {
        match (found, reference.on) {
            // `const { width } = { width: new Shape() }`: the pattern may be of a key that the literal does not show.
            (Meaning::External, Qualifier::Literal) if reference.role == Role::Member => {
                let name = place.view.facts.names.get(reference.name);
                match self.semantics.common_members.contains(&name) {
                    true => Meaning::External,
                    false => Meaning::Unknown,
                }
            }
            (Meaning::Symbols(found, _), Qualifier::Value(value))
                if self.has_jsdoc_types && resolver.is_guessed(place, value) =>
            {
                Meaning::Symbols(found, Rule::Likely)
            }
            (found, _) => found,
        }
    }

    fn without_import(&self, lookup: &Lookup<'_>) -> Option<Meaning> {
        let ambient = || lookup.fitting(lookup.resolver.ambient(lookup.name), Rule::Global);
        lookup.anywhere().or_else(ambient)
    }

    fn imported_meaning(&self, resolver: &Resolver<'_>, place: At<'_>, import: &Import) -> Meaning {
        match resolver.imported_by(place, import) {
            // `declare module "shapes" { .. }` describes a module that is not in the workspace.
            found @ (Meaning::Unknown | Meaning::External | Meaning::Missing) => {
                let name = |id| place.view.facts.names.get(id);
                let declared = resolver.declared_module(name(import.path), import.item.map(name));
                declared.unwrap_or(found)
            }
            found => found,
        }
    }

    fn key_of_literal(&self, resolver: &Resolver<'_>, place: At<'_>, context: Context, name: &str) -> Option<Meaning> {
        Some(resolver.key_of_object(place, context, name))
    }

    fn narrow_candidates(
        &self,
        resolver: &Resolver<'_>,
        place: At<'_>,
        index: RefIdx,
        found: Vec<SymbolId>,
    ) -> Option<Vec<SymbolId>> {
        let reference = &place.view.facts.references[index];
        resolver.of_class_or_instance(place, reference, found)
    }
}

impl TypeRules for EcmaScript {
    fn conditional_type(
        &self,
        resolver: &Resolver<'_>,
        place: At<'_>,
        ty: TypeRef<'_>,
        known: &[StandsFor],
    ) -> Option<Ty> {
        resolver.conditional(place, ty, known)
    }

    fn type_operator(
        &self,
        resolver: &Resolver<'_>,
        place: At<'_>,
        ty: TypeRef<'_>,
        known: &[StandsFor],
    ) -> Option<Ty> {
        resolver.type_of_operator(place, ty, known)
    }

    fn path_with_arguments(
        &self,
        resolver: &Resolver<'_>,
        place: At<'_>,
        (path, written): (&str, TypeRef<'_>),
        known: &[StandsFor],
    ) -> Option<Ty> {
        resolver.alias_with_arguments(place, path, written, known)
    }

    fn is_anonymous_type(&self, ty: TypeRef<'_>) -> bool {
        // An index signature alone makes a map: `{ [name: string]: Shape }`.
        let is_keyed = |first: TypeRef<'_>| matches!(first.kind(), TypeKind::KeyedMember | TypeKind::MappedMember);
        ty.is(TypeKind::Object) && !ty.items().next().is_some_and(is_keyed)
    }

    fn type_out_of_scope(&self, resolver: &Resolver<'_>, place: At<'_>, path: &str) -> Option<Ty> {
        self.has_jsdoc_types.then(|| resolver.documented_type(place, path))
    }

    fn end_of_type_parameters(&self, symbol: &Symbol) -> u32 {
        // The signature of an alias is its first line alone.
        match symbol.kind {
            SymbolKind::Type => symbol.span.end,
            _ => symbol.signature.end,
        }
    }

    fn with_literal_types(
        &self,
        resolver: &Resolver<'_>,
        function: SymbolId,
        ty: TypeRef<'_>,
        call: (FileIdx, RefIdx),
    ) -> Option<TypeExpr> {
        resolver.with_string_parameters(function, ty, call)
    }
}

impl MemberRules for EcmaScript {
    fn declaration_group(&self, resolver: &Resolver<'_>, id: SymbolId) -> Option<Vec<SymbolId>> {
        Some(resolver.merged_declarations(id))
    }

    fn declarations_of_type(&self, resolver: &Resolver<'_>, own: SymbolId) -> Vec<SymbolId> {
        resolver.pieces_with_supertypes(own)
    }

    fn alias_in_clause(
        &self,
        resolver: &Resolver<'_>,
        (own, view): (SymbolId, &View),
        clause: RefIdx,
        alias: SymbolId,
    ) -> Option<Ty> {
        resolver.alias_of_clause(own, view, clause, alias)
    }

    fn own_members(&self, resolver: &Resolver<'_>, own: SymbolId, name: &str) -> Option<Vec<SymbolId>> {
        Some(resolver.declared_members(own, name))
    }

    fn is_constructor_function(&self, resolver: &Resolver<'_>, id: SymbolId) -> bool {
        resolver.makes_instances(id)
    }
}

impl InferRules for EcmaScript {
    fn special_type(&self, resolver: &Resolver<'_>, place: At<'_>, index: RefIdx, receiver: Option<&Ty>) -> Option<Ty> {
        let reference = &place.view.facts.references[index];
        let special = resolver.type_of_special_use(place, index, receiver);
        special.or_else(|| match reference.role {
            Role::Call => resolver.wrapped_argument(place, index),
            _ => None,
        })
    }

    fn type_of_undeclared(&self, resolver: &Resolver<'_>, own: SymbolId, name: &str) -> Option<Ty> {
        resolver.type_of_returned_key(own, name)
    }

    fn type_without_declared(&self, resolver: &Resolver<'_>, id: SymbolId) -> Option<Ty> {
        // A comment that names no known type says less than the value.
        let view = resolver.view(id.file).filter(|_| self.has_jsdoc_types)?;
        let symbol = &view.facts.symbols[id.symbol];
        Some(resolver.type_of_all_values(id.file, &view, symbol.value?, symbol.name_at))
    }

    fn returns_object(&self, view: &View, function: &Symbol) -> bool {
        view.returns_object_literal(function)
    }

    fn are_alternatives(&self, resolver: &Resolver<'_>, symbols: &[SymbolId]) -> bool {
        resolver.are_properties(symbols)
    }

    fn indexed_type(&self, resolver: &Resolver<'_>, own: SymbolId, _: &Ty) -> Option<Ty> {
        // A computed key may be that of any member.
        let has_members = resolver.kind_of(own).is_some_and(SymbolKind::has_members);
        has_members.then_some(UNKNOWN)
    }

    fn unpacked(&self, _: &Resolver<'_>, whole: &Ty, nth: usize, is_loop: bool) -> Option<Ty> {
        (!is_loop).then(|| expressions::part_of_array(whole, nth))
    }

    fn callback_argument(&self, resolver: &Resolver<'_>, file: FileIdx, call: RefIdx, nth: usize) -> Option<Ty> {
        resolver.element_for_callback(file, call, nth)
    }

    fn contextual_parameter(
        &self,
        resolver: &Resolver<'_>,
        place: At<'_>,
        (key, context): (Option<NameId>, Context),
        which: ParameterIndex,
    ) -> Option<Ty> {
        match (key, context) {
            (None, _) if which == ParameterIndex::from(0) => resolver.props_handed(place, context),
            (Some(_), Context::Type(ty)) => resolver.taken_by_any_key(place, place.view.type_expr(ty), which),
            _ => None,
        }
    }

    fn element_properties(
        &self,
        resolver: &Resolver<'_>,
        place: At<'_>,
        call: RefIdx,
        components: &[SymbolId],
    ) -> Option<Vec<Ty>> {
        resolver.props_of_element(place, call, components)
    }
}

impl OverloadRules for EcmaScript {}

impl QueryRules for EcmaScript {
    fn implies_receiver(&self, role: Role) -> bool {
        role == Role::Member
    }

    fn implementing_objects(&self, resolver: &Resolver<'_>, id: SymbolId, distance: u32) -> Vec<Implementation> {
        resolver.objects_implementing(id, distance)
    }

    fn unnamed_implementing(&self, resolver: &Resolver<'_>, id: SymbolId) -> Vec<(FileIdx, u32)> {
        resolver.unnamed_objects_implementing(id)
    }

    fn likelihood_of_key(&self, view: &View, key: &Reference) -> f32 {
        // Most keys belong to their object alone, above all where the code would say which type the object is of.
        let may_be_own = match key.on {
            Qualifier::Path(_) => false,
            Qualifier::Context(id) => matches!(view.facts.context(id), Context::ReturnedFrom(_)),
            _ => true,
        };
        if may_be_own && !self.has_jsdoc_types { 0.45 } else { 0.7 }
    }
}
