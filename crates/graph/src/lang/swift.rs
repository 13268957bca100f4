//! Swift.

mod extensions;
mod labels;
mod library;
pub(crate) mod modules;
mod patterns;

use syntax::{Context, LangId, Qualifier, RefIdx, Reference, Role, Symbol, SymbolKind, TypeKind, TypeRef};

use crate::{
    lang::prelude::*,
    overload::arg_type::{ArgType, Shape},
    types::{ty::UNKNOWN, type_names::last_part},
};

pub(crate) struct Swift;

impl Language for Swift {
    fn semantics(&self) -> &'static Semantics {
        &SEMANTICS
    }
}

impl ScopeRules for Swift {
    fn special_meaning(
        &self,
        resolver: &Resolver<'_>,
        place: At<'_>,
        reference: &Reference,
        _: RefIdx,
    ) -> Option<Meaning> {
        let facts = &place.view.facts;
        let context = match reference.on {
            Qualifier::Path(ty) => Context::Type(ty),
            Qualifier::Context(context) => facts.context(context),
            _ => return None,
        };
        let name = facts.names.get(reference.name);
        match reference.role {
            role @ (Role::Member | Role::Call) => Some(resolver.implied_member(place, context, name, role)),
            _ => None,
        }
    }

    fn external_use(&self, resolver: &Resolver<'_>, place: At<'_>, index: RefIdx) -> Meaning {
        let facts = &place.view.facts;
        let reference = &facts.references[index];
        let name = facts.names.get(reference.name);
        match reference.on {
            Qualifier::Nothing if reference.role == Role::Call => resolver.made_of_others(place.file, name, index),
            Qualifier::Value(_) | Qualifier::Literal if resolver.is_added(place.file, name) => Meaning::Unknown,
            _ => Meaning::External,
        }
    }

    fn unmatched_call(&self, _: &Reference) -> Meaning {
        // The library may have a function with these labels.
        Meaning::External
    }
}

impl TypeRules for Swift {}

impl MemberRules for Swift {
    fn library_extension(&self, resolver: &Resolver<'_>, file: FileIdx, name: &str) -> Option<SymbolId> {
        resolver.first_extension(file, name)
    }

    fn adds_to_library(&self, resolver: &Resolver<'_>, file: FileIdx, name: &str) -> bool {
        resolver.is_added(file, name)
    }

    fn named_owner(&self, resolver: &Resolver<'_>, place: At<'_>, definition: &Symbol, path: &str) -> Meaning {
        match definition.kind == SymbolKind::Impl && definition.owner.is_some() {
            true => resolver.at_path(place, path, place.view.facts.name(definition), Role::Type),
            false => resolver.lookup(place, last_part(path), Role::Type),
        }
    }
}

impl InferRules for Swift {
    fn undeclared_type(&self, resolver: &Resolver<'_>, place: At<'_>, name: &str) -> Option<Ty> {
        Some(resolver.payload(place).unwrap_or_else(|| {
            // `if let shape {` unwraps the variable of that name.
            let outer = resolver.lookup(place, name, Role::Variable);
            resolver.trail.deeper(UNKNOWN, || resolver.ty_of(place, &outer))
        }))
    }

    fn special_type(&self, _: &Resolver<'_>, place: At<'_>, call: RefIdx, receiver: Option<&Ty>) -> Option<Ty> {
        // `kind.init()` makes a value of the type that is in a variable.
        let facts = &place.view.facts;
        let reference = &facts.references[call];
        let is_constructor = SEMANTICS.constructors.contains(&facts.names.get(reference.name));
        let is_call = reference.role == Role::Call;
        receiver
            .filter(|ty| is_call && is_constructor && ty.is_known())
            .cloned()
    }

    fn element_part(&self, element: &Ty, nth: usize) -> Option<Ty> {
        // `shapes.forEach { key, shape in .. }`: an element is a tuple.
        element.given.get(nth).filter(|_| nth > 0).cloned()
    }
}

impl OverloadRules for Swift {
    fn narrow_by_labels(
        &self,
        resolver: &Resolver<'_>,
        found: Vec<SymbolId>,
        file: FileIdx,
        call: RefIdx,
    ) -> Vec<SymbolId> {
        resolver.by_labels(found, file, call)
    }

    fn labelled_parameters(
        &self,
        resolver: &Resolver<'_>,
        file: FileIdx,
        call: RefIdx,
        id: SymbolId,
    ) -> Option<Vec<usize>> {
        resolver.labelled(file, call, id)
    }

    fn accepts_argument_count(&self, _: &Resolver<'_>, _: SymbolId, _: usize) -> bool {
        // Labels decide.
        true
    }

    fn arg_type_of_type(&self, resolver: &Resolver<'_>, place: At<'_>, ty: TypeRef<'_>, steps: u32) -> Option<ArgType> {
        // `any Drawable & Named`
        if ty.unbracketed().any(|one| one.is(TypeKind::Intersection)) {
            return Some(ArgType::UNKNOWN);
        }
        // `[Shape]`, `[Name: Shape]`
        let list = ty.inside_of(|kind| kind == TypeKind::Optional);
        let element = list.is(TypeKind::List).then(|| list.item())?;
        Some(match element.filter(|element| !element.is(TypeKind::Labelled)) {
            Some(element) => ArgType {
                is_array: true,
                ..resolver.arg_type_within(place, element, steps)
            },
            None => ArgType::plain(Shape::Named("Dictionary".to_owned())),
        })
    }

    fn may_convert(&self, resolver: &Resolver<'_>, argument: &ArgType, parameter: &ArgType) -> bool {
        // An extension may make a library type conform to a protocol.
        match (&argument.shape, &parameter.shape) {
            (Shape::Named(_), Shape::Type(wanted)) => resolver.kind_of(*wanted) == Some(SymbolKind::Interface),
            _ => false,
        }
    }

    fn may_override(&self, resolver: &Resolver<'_>, member: SymbolId, base: SymbolId) -> bool {
        let labels = |id| resolver.signature_of(id).map(|labels| labels.replace(['?', '*'], ""));
        labels(member) == labels(base)
    }
}

impl QueryRules for Swift {
    fn is_reserved_name(&self, name: &str) -> bool {
        matches!(name, "init" | "deinit" | "subscript")
    }

    fn inherits_constructor(
        &self,
        resolver: &Resolver<'_>,
        own: SymbolId,
        constructor: SymbolId,
        call: Option<(FileIdx, RefIdx)>,
    ) -> bool {
        // A constructor hides none with other labels.
        call.is_none_or(|(file, call)| resolver.made_as_base(own, constructor, file, call))
    }

    fn constructors_called(
        &self,
        resolver: &Resolver<'_>,
        found: &[SymbolId],
        constructor: SymbolId,
        file: FileIdx,
        call: RefIdx,
    ) -> Vec<SymbolId> {
        let (Some(owner), Some(view)) = (resolver.constructed(constructor), resolver.view(file)) else {
            return found.to_vec();
        };
        let constructors = resolver.own_members(owner, &resolver.name_of(constructor));
        resolver.by_arguments(constructors, file, &view, call)
    }

    fn implies_receiver(&self, role: Role) -> bool {
        matches!(role, Role::Member | Role::Call)
    }
}

static SEMANTICS: Semantics = Semantics {
    languages: &[LangId::Swift],
    library_extension: Some(SymbolKind::Impl),
    implicit_this: true,
    visibility: Visibility::GlobalAfterImports,
    overloads: Overloads::Distinct,
    is_strict: true,
    has_open_types: true,
    lists_in_brackets: true,
    wrappers: &["Optional", "ImplicitlyUnwrappedOptional"],
    own_type: &["Self", "self"],
    constructors: &["init"],
    common_members: &[
        "append",
        "contains",
        "count",
        "description",
        "filter",
        "first",
        "forEach",
        "index",
        "insert",
        "isEmpty",
        "joined",
        "last",
        "map",
        "name",
        "reduce",
        "remove",
        "removeAll",
        "reversed",
        "sort",
        "sorted",
        "split",
        "value",
    ],
    indexer: Some("subscript"),
    metatypes: &["Type", "Protocol"],
    has_function_types: true,
    accessor_words: &["newValue", "oldValue"],
    call_member: Some("callAsFunction"),
    conversions: Conversions {
        top_types: &["Any", "AnyObject"],
        ..Conversions::NONE
    },
    library: library::LIBRARY,
    ..DEFAULT
};
