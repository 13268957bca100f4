//! Rust.

mod imports;
mod library;
mod members;
pub(crate) mod modules;
mod names;
mod paths;
mod types;

use syntax::{Binding, BindingIdx, Import, LangId, Qualifier, RefIdx, Reference, Role, SymbolKind};

use crate::{
    lang::prelude::*,
    scope::{imports::PathItem, lookup::Lookup, paths::Qualified},
};

pub(crate) struct Rust;

impl Language for Rust {
    fn semantics(&self) -> &'static Semantics {
        &SEMANTICS
    }
}

impl ScopeRules for Rust {
    fn replace_candidates(
        &self,
        resolver: &Resolver<'_>,
        place: At<'_>,
        reference: &Reference,
        found: Meaning,
    ) -> Meaning {
        let found = resolver.function_not_macro(reference, found);
        let found = resolver.of_extension_trait(place, reference, found);
        resolver.inherent_member(place, reference, found)
    }

    fn fallback(&self, resolver: &Resolver<'_>, place: At<'_>, reference: &Reference, found: Meaning) -> Meaning {
        resolver.const_argument(place, reference, found)
    }

    fn special_meaning(
        &self,
        resolver: &Resolver<'_>,
        place: At<'_>,
        reference: &Reference,
        _: RefIdx,
    ) -> Option<Meaning> {
        match (reference.role, reference.on) {
            (Role::Import, _) => Some(resolver.name_in_use(place, reference)),
            (Role::Member, Qualifier::Path(ty)) => Some(resolver.struct_field(place, reference, ty)),
            (_, Qualifier::Path(mark)) => resolver.macro_by_mark(place, reference, mark),
            _ => None,
        }
    }

    fn qualified_name(&self, resolver: &Resolver<'_>, place: At<'_>, qualified: &Qualified<'_>) -> Meaning {
        resolver.rust_path(place, qualified)
    }

    fn path_item(&self, resolver: &Resolver<'_>, place: At<'_>, item: &PathItem<'_>) -> Meaning {
        resolver.item_of_modules(place, item)
    }

    fn imported_meaning(&self, resolver: &Resolver<'_>, place: At<'_>, import: &Import) -> Meaning {
        resolver.used_item(place, import)
    }

    fn wildcard_meaning(&self, resolver: &Resolver<'_>, place: At<'_>, import: &Import, name: &str) -> Meaning {
        resolver.glob_import(place, import, name)
    }

    fn inner_import(&self, lookup: &Lookup<'_>) -> Option<Meaning> {
        match lookup.resolver.by_wildcard(lookup.place, lookup.name, true) {
            Meaning::Symbols(found, rule) => lookup.fitting(found, rule),
            _ => None,
        }
    }

    fn local_at<'v>(&self, place: At<'v>, name: &str, role: Role) -> Option<(BindingIdx, &'v Binding)> {
        // No path begins with a variable, and type parameters are not written in lower case.
        let may_be_local = role != Role::Type || !name.starts_with(char::is_lowercase);
        may_be_local.then(|| place.view.binding_at(name, place.at))?
    }

    fn in_namespace(
        &self,
        resolver: &Resolver<'_>,
        mut found: Vec<SymbolId>,
        role: Role,
        is_member: bool,
    ) -> Vec<SymbolId> {
        found.retain(|id| {
            let kind = resolver.kind_of(*id);
            kind.is_none_or(|kind| names::is_in_namespace(kind, role, is_member))
        });
        found
    }

    fn is_relative_path_part(&self, part: &str) -> bool {
        paths::ROOTS.contains(&part)
    }

    fn writes_all_definitions(&self) -> bool {
        false
    }
}

impl TypeRules for Rust {}

impl MemberRules for Rust {
    fn members_by_convention(&self, resolver: &Resolver<'_>, own: SymbolId, name: &str) -> Vec<SymbolId> {
        resolver.members_by_deref(own, name)
    }
}

impl InferRules for Rust {
    fn type_parameter_bounds(&self, resolver: &Resolver<'_>, place: At<'_>, binding: BindingIdx) -> Option<Ty> {
        resolver.bounds(place, binding)
    }

    fn iterator_item(&self, resolver: &Resolver<'_>, own: SymbolId) -> Option<Ty> {
        resolver.item_type(own)
    }

    fn callback_parameter(&self, resolver: &Resolver<'_>, place: At<'_>, call: RefIdx) -> Option<Ty> {
        resolver.closure_parameter(place, call)
    }

    fn unresolved_call(&self, resolver: &Resolver<'_>, place: At<'_>, call: RefIdx) -> Option<Ty> {
        // `text.parse::<Shape>()`
        resolver.library_result_by_type_arguments(place.file, call)
    }

    fn generated_function(&self, resolver: &Resolver<'_>, place: At<'_>, call: &Reference) -> Option<Ty> {
        Some(resolver.associated_function_type(place, call))
    }
}

impl OverloadRules for Rust {}

impl QueryRules for Rust {
    fn shadows_in_scope(&self, name: &str) -> bool {
        // What begins with a capital in a pattern is a constant or a variant.
        !name.starts_with(char::is_uppercase)
    }

    fn uses_unnamed_types(&self) -> bool {
        // Types are written in paths.
        false
    }

    fn may_coexist(&self, one: SymbolKind, other: SymbolKind) -> bool {
        one.is_function() != other.is_function() || one.is_type() != other.is_type()
    }
}

static SEMANTICS: Semantics = Semantics {
    super_words: &[],
    languages: &[LangId::Rust],
    is_strict: true,
    has_scoped_modules: true,
    type_argument_openers: (&["<"], &["<", "::<", "::<&"]),
    isolated_scopes: &[SymbolKind::Module],
    blank_name: Some("_"),
    has_open_types: true,
    binds_in_macros: true,
    has_impl_blocks: true,
    wrappers: &[
        "Arc",
        "Box",
        "Cow",
        "Lazy",
        "LazyCell",
        "LazyLock",
        "ManuallyDrop",
        "MutexGuard",
        "Pin",
        "Rc",
        "Ref",
        "RefMut",
        "RwLockReadGuard",
        "RwLockWriteGuard",
    ],
    wrapper_members: &["as_ref", "clone", "cmp", "deref", "eq", "fmt", "hash", "partial_cmp"],
    own_type: &["Self", "self"],
    indexer: Some("index"),
    common_members: &[
        "all",
        "and_modify",
        "and_then",
        "any",
        "append",
        "as_bytes",
        "as_deref",
        "as_mut",
        "as_ref",
        "as_slice",
        "as_str",
        "borrow",
        "borrow_mut",
        "chain",
        "chars",
        "clear",
        "clone",
        "cloned",
        "cmp",
        "collect",
        "contains",
        "contains_key",
        "copied",
        "count",
        "default",
        "deref",
        "drain",
        "drop",
        "end",
        "entry",
        "enumerate",
        "eq",
        "err",
        "expect",
        "extend",
        "filter",
        "filter_map",
        "find",
        "first",
        "flat_map",
        "flatten",
        "flush",
        "fmt",
        "fold",
        "for_each",
        "from",
        "from_str",
        "get",
        "get_mut",
        "hash",
        "index",
        "insert",
        "into",
        "into_iter",
        "is_empty",
        "is_err",
        "is_none",
        "is_ok",
        "is_some",
        "iter",
        "iter_mut",
        "join",
        "keys",
        "last",
        "len",
        "lines",
        "lock",
        "map",
        "map_err",
        "max",
        "min",
        "ne",
        "new",
        "next",
        "ok",
        "or_default",
        "or_else",
        "or_insert",
        "or_insert_with",
        "parse",
        "path",
        "peek",
        "pop",
        "position",
        "push",
        "push_str",
        "read",
        "recv",
        "remove",
        "replace",
        "rev",
        "send",
        "skip",
        "sort",
        "split",
        "start",
        "starts_with",
        "sum",
        "swap",
        "take",
        "to_owned",
        "to_string",
        "to_vec",
        "trim",
        "try_from",
        "try_into",
        "unwrap",
        "unwrap_or",
        "unwrap_or_default",
        "values",
        "with_capacity",
        "write",
        "write_all",
        "write_str",
        "zip",
    ],
    library: library::LIBRARY,
    ..DEFAULT
};
