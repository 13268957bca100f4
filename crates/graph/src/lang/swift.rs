//! Swift.

mod extensions;
mod labels;
pub(crate) mod modules;

use syntax::{LangId, Qualifier, Reference, Role, Symbol, SymbolKind};

use crate::{
    engine::{
        meaning::Meaning,
        resolver::{At, Resolver},
    },
    files::FileIdx,
    lang::{DEFAULT, Gives, Hands, LanguageRules, Semantics},
    overload::arg_type::{Described, Shape},
    types::ty::{Ty, UNKNOWN},
    view::SymbolId,
};

pub(crate) struct Swift;

impl LanguageRules for Swift {
    fn semantics(&self) -> &'static Semantics {
        &SEMANTICS
    }

    fn special_meaning(&self, resolver: &Resolver<'_>, place: At<'_>, reference: &Reference) -> Option<Meaning> {
        let names = &place.view.facts.names;
        match (reference.role, reference.on) {
            (role @ (Role::Member | Role::Call), Qualifier::Path(path)) => {
                Some(resolver.implied_member(place, names.get(path), names.get(reference.name), role))
            }
            _ => None,
        }
    }

    fn external_use(&self, resolver: &Resolver<'_>, place: At<'_>, index: u32) -> Meaning {
        let facts = &place.view.facts;
        let reference = &facts.references[index as usize];
        let name = facts.names.get(reference.name);
        match reference.on {
            Qualifier::Nothing if reference.role == Role::Call => resolver.made_of_others(place.file, name, index),
            Qualifier::Value(_) | Qualifier::Literal if resolver.is_added(place.file, name) => Meaning::Unknown,
            _ => Meaning::External,
        }
    }

    fn unmatched_call(&self) -> Meaning {
        // The library may have a function with these labels.
        Meaning::External
    }

    fn library_extension(&self, resolver: &Resolver<'_>, file: FileIdx, name: &str) -> Option<SymbolId> {
        resolver.first_extension(file, name)
    }

    fn may_extend_library(&self, kind: SymbolKind) -> bool {
        kind == SymbolKind::Impl
    }

    fn adds_to_library(&self, resolver: &Resolver<'_>, file: FileIdx, name: &str) -> bool {
        resolver.is_added(file, name)
    }

    fn extended_type(&self, resolver: &Resolver<'_>, place: At<'_>, extension: &Symbol, path: &str) -> Option<Meaning> {
        let is_it = extension.kind == SymbolKind::Impl && extension.owner.is_some();
        let name = place.view.facts.name(extension);
        is_it.then(|| resolver.at_path(place, path, name, Role::Type))
    }

    fn undeclared_type(&self, resolver: &Resolver<'_>, place: At<'_>, name: &str) -> Option<Ty> {
        Some(resolver.payload(place).unwrap_or_else(|| {
            // `if let shape {` unwraps the variable of that name.
            let outer = resolver.lookup(place, name, Role::Variable);
            resolver.trail.deeper(UNKNOWN, || resolver.ty_of(place, &outer))
        }))
    }

    fn library_call_type(&self, _: &Resolver<'_>, place: At<'_>, call: u32, receiver: Option<&Ty>) -> Option<Ty> {
        // `kind.init()` makes a value of the type that is in a variable.
        let facts = &place.view.facts;
        let name = facts.names.get(facts.references[call as usize].name);
        let is_constructor = SEMANTICS.constructors.contains(&name);
        receiver.filter(|ty| is_constructor && ty.is_known()).cloned()
    }

    fn spread_element(&self, element: &Ty, nth: usize) -> Option<Ty> {
        // `shapes.forEach { key, shape in .. }`: an element is a tuple.
        element.given.get(nth).filter(|_| nth > 0).cloned()
    }

    fn narrow_by_labels(
        &self,
        resolver: &Resolver<'_>,
        found: Vec<SymbolId>,
        file: FileIdx,
        call: u32,
    ) -> Vec<SymbolId> {
        resolver.by_labels(found, file, call)
    }

    fn labelled_parameters(
        &self,
        resolver: &Resolver<'_>,
        file: FileIdx,
        call: u32,
        id: SymbolId,
    ) -> Option<Vec<usize>> {
        resolver.labelled(file, call, id)
    }

    fn accepts_count(&self, _: &Resolver<'_>, _: SymbolId, _: usize) -> bool {
        // Labels decide.
        true
    }

    fn may_convert(&self, resolver: &Resolver<'_>, argument: &Described, parameter: &Described) -> bool {
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

    fn inherits_constructor(&self, _: &Resolver<'_>, _: SymbolId, _: SymbolId) -> bool {
        // A constructor hides none with other labels.
        true
    }

    fn calls_inherited(
        &self,
        resolver: &Resolver<'_>,
        own: SymbolId,
        constructor: SymbolId,
        file: FileIdx,
        call: u32,
    ) -> bool {
        resolver.made_as_base(own, constructor, file, call)
    }

    fn constructors_called(
        &self,
        resolver: &Resolver<'_>,
        found: &[SymbolId],
        constructor: SymbolId,
        file: FileIdx,
        call: u32,
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
    implicit_this: true,
    is_global: true,
    follows_wildcards: true,
    is_strict: true,
    has_overloads: true,
    has_open_types: true,
    lists_in_brackets: true,
    wrappers: &["Optional", "ImplicitlyUnwrappedOptional"],
    any_type: &["Any", "AnyObject"],
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
    makers: &["Array", "Set", "zip"],
    has_function_types: true,
    accessor_words: &["newValue", "oldValue"],
    call_member: Some("callAsFunction"),
    library_members: GIVES,
    library_hands: HANDS,
    ..DEFAULT
};

const GIVES: &[(&str, Gives)] = &[
    ("assertNoFailure", Gives::Whole),
    ("chunks", Gives::Many),
    ("compactMap", Gives::AllMade),
    ("compactMapValues", Gives::ValuesMade),
    ("count", Gives::Nothing),
    ("dropFirst", Gives::Whole),
    ("dropLast", Gives::Whole),
    ("element", Gives::Part(1)),
    ("enumerated", Gives::Numbered),
    ("eraseToAnyPublisher", Gives::Whole),
    ("filter", Gives::Whole),
    ("first", Gives::One),
    ("flatMap", Gives::Made),
    ("get", Gives::One),
    ("intersection", Gives::Whole),
    ("invoke", Gives::Whole),
    ("isEmpty", Gives::Nothing),
    ("key", Gives::Part(0)),
    ("keys", Gives::AllParts(0)),
    ("last", Gives::One),
    ("lazy", Gives::Whole),
    ("map", Gives::AllMade),
    ("mapValues", Gives::ValuesMade),
    ("max", Gives::One),
    ("min", Gives::One),
    ("next", Gives::One),
    ("offset", Gives::Part(0)),
    ("popFirst", Gives::One),
    ("popLast", Gives::One),
    ("prefix", Gives::Whole),
    ("randomElement", Gives::One),
    ("receive", Gives::Whole),
    ("reduce", Gives::Made),
    ("remove", Gives::One),
    ("removeDuplicates", Gives::Whole),
    ("removeFirst", Gives::One),
    ("removeLast", Gives::One),
    ("removeValue", Gives::Held),
    ("reversed", Gives::Whole),
    ("shuffled", Gives::Whole),
    ("sorted", Gives::Whole),
    ("split", Gives::Many),
    ("subtracting", Gives::Whole),
    ("suffix", Gives::Whole),
    ("symmetricDifference", Gives::Whole),
    ("union", Gives::Whole),
    ("updateValue", Gives::Held),
    ("value", Gives::Part(1)),
    ("values", Gives::AllParts(1)),
];

const HANDS: &[(&str, &[Hands])] = &[
    ("elementsEqual", &[Hands::One, Hands::One]),
    ("lexicographicallyPrecedes", &[Hands::One, Hands::One]),
    ("max", &[Hands::One, Hands::One]),
    ("min", &[Hands::One, Hands::One]),
    ("reduce", &[Hands::Start, Hands::One]),
    ("sort", &[Hands::One, Hands::One]),
    ("sorted", &[Hands::One, Hands::One]),
];
