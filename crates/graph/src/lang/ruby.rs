//! Ruby.

mod constructors;
pub(crate) mod modules;
mod open_classes;
mod receivers;
mod scope;

use syntax::{Binding, BindingIdx, LangId, Qualifier, RefIdx, Reference, Role, SymbolKind};

use crate::{engine::resolver::Global, lang::prelude::*, scope::lookup::Lookup};

/// Words for the current object, and for its class.
const OWN_TYPE: &[&str] = &["class", "self"];

/// What the name of a method ends with that an assignment calls: `size=`.
const SETTER: &str = "=";

/// What instance variables begin with.
const INSTANCE_VARIABLE: char = '@';

const NEW: &str = "new";

pub(crate) struct Ruby;

impl Language for Ruby {
    fn semantics(&self) -> &'static Semantics {
        &SEMANTICS
    }
}

impl ScopeRules for Ruby {
    fn special_meaning(
        &self,
        resolver: &Resolver<'_>,
        place: At<'_>,
        reference: &Reference,
        _: RefIdx,
    ) -> Option<Meaning> {
        receivers::special_meaning(resolver, place, reference)
    }

    /// What has arguments is a method, whatever variable has its name.
    fn local_at<'v>(&self, place: At<'v>, name: &str, role: Role) -> Option<(BindingIdx, &'v Binding)> {
        match role {
            Role::Call => None,
            _ => place.view.binding_at(name, place.at),
        }
    }

    fn global_name(&self, lookup: &Lookup<'_>) -> Meaning {
        scope::at_top_level(lookup)
    }

    fn visible_globals(&self, resolver: &Resolver<'_>, place: At<'_>, globals: &[Global]) -> Vec<SymbolId> {
        scope::in_nesting(resolver, place, globals)
    }

    fn is_foreign(&self, resolver: &Resolver<'_>, place: At<'_>, name: &str, _: Role) -> bool {
        scope::is_foreign_constant(resolver, place, name)
    }

    fn narrow_candidates(
        &self,
        resolver: &Resolver<'_>,
        place: At<'_>,
        index: RefIdx,
        found: Vec<SymbolId>,
    ) -> Option<Vec<SymbolId>> {
        let reference = &place.view.facts.references[index];
        Some(receivers::of_receiver(resolver, place, reference, found))
    }

    /// A method that no class around has is one of `Kernel`, or of a library.
    fn unmatched_call(&self, reference: &Reference) -> Meaning {
        match reference.on {
            Qualifier::Nothing => Meaning::External,
            _ => Meaning::Missing,
        }
    }

    fn constructed_type(&self, resolver: &Resolver<'_>, place: At<'_>, is_super: bool) -> Base {
        match !is_super || constructors::super_is_constructor(resolver, place) {
            true => constructors::constructed_type(resolver, place),
            false => Base::Unknown,
        }
    }

    /// What a file loads may be anywhere in it.
    fn has_fixed_exports(&self, _: &View) -> bool {
        false
    }
}

impl TypeRules for Ruby {}

impl MemberRules for Ruby {
    fn canonical_declaration(&self, resolver: &Resolver<'_>, id: SymbolId) -> SymbolId {
        open_classes::first_piece(resolver, id)
    }

    fn partial_declarations(&self, resolver: &Resolver<'_>, id: SymbolId) -> Vec<SymbolId> {
        match resolver.kind_of(id).is_some_and(open_classes::is_open) {
            true => open_classes::pieces(resolver, id).to_vec(),
            false => Vec::new(),
        }
    }

    fn declarations_of_type(&self, resolver: &Resolver<'_>, own: SymbolId) -> Vec<SymbolId> {
        open_classes::pieces(resolver, own).to_vec()
    }

    fn own_members(&self, resolver: &Resolver<'_>, own: SymbolId, name: &str) -> Option<Vec<SymbolId>> {
        open_classes::own_members(resolver, own, name)
    }

    fn members_by_convention(&self, resolver: &Resolver<'_>, own: SymbolId, name: &str) -> Vec<SymbolId> {
        open_classes::members_of_concerns(resolver, own, name)
    }

    /// A module that is included later comes before those that are included earlier, and all before the superclass.
    fn order_supertypes(&self, _: &Resolver<'_>, supertypes: &mut [SymbolId]) {
        supertypes.reverse();
    }

    fn backing_fields(&self, resolver: &Resolver<'_>, property: SymbolId) -> Vec<SymbolId> {
        receivers::instance_variables(resolver, property)
    }
}

impl InferRules for Ruby {
    /// `new` in a method of a class itself.
    fn special_type(&self, resolver: &Resolver<'_>, place: At<'_>, reference: RefIdx, on: Option<&Ty>) -> Option<Ty> {
        let facts = &place.view.facts;
        let reference = &facts.references[reference];
        let is_new = on.is_none() && reference.role == Role::Call && facts.names.get(reference.name) == NEW;
        is_new.then(|| Ty::new(constructors::constructed_type(resolver, place)))
    }
}

impl OverloadRules for Ruby {}

impl QueryRules for Ruby {
    fn has_self_receiver(&self, reference: &Reference) -> bool {
        matches!(reference.on, Qualifier::This | Qualifier::Nothing)
    }

    fn is_setter_call(&self, resolver: &Resolver<'_>, reference: &Reference, targets: &[SymbolId]) -> bool {
        let is_function = |id: &SymbolId| resolver.kind_of(*id).is_some_and(SymbolKind::is_function);
        reference.role == Role::Member && targets.iter().all(is_function)
    }

    fn constructor_callers(&self, resolver: &Resolver<'_>, owner: SymbolId) -> Vec<FileIdx> {
        constructors::callers(resolver, owner)
    }

    fn symbolic_receiver<'v>(&self, view: &'v View, reference: &Reference) -> Option<&'v str> {
        receivers::symbolic_receiver(view, reference)
    }

    fn is_class_name(&self, receiver: &str) -> bool {
        receiver.starts_with(char::is_uppercase)
    }

    /// `Job#run` is a method of values, `Job.run` one of the class.
    fn fits_separator(&self, resolver: &Resolver<'_>, id: SymbolId, mark: char) -> bool {
        (mark == '.') == resolver.is_static(id)
    }
}

static SEMANTICS: Semantics = Semantics {
    languages: &[LangId::Ruby],
    implicit_this: true,
    visibility: Visibility::GlobalAfterImports,
    has_open_types: true,
    has_scoped_modules: true,
    kinds_with_members: &[SymbolKind::Module],
    sets_outer_variables: true,
    separates_static_members: true,
    implied_suffix: Some(SETTER),
    constructor_words: (&["super"], &[NEW]),
    own_type: OWN_TYPE,
    constructors: &["initialize"],
    common_members: &[
        "<<",
        "all?",
        "any?",
        "begin",
        "bytes",
        "call",
        "chars",
        "clear",
        "clone",
        "compact",
        "concat",
        "day",
        "delete",
        "dig",
        "drop",
        "dup",
        "each",
        "empty?",
        "end",
        "end_with?",
        "fetch",
        "first",
        "flatten",
        "freeze",
        "group_by",
        "gsub",
        "hash",
        "hour",
        "include?",
        "inject",
        "insert",
        "inspect",
        "join",
        "key?",
        "keys",
        "last",
        "length",
        "lines",
        "map",
        "max",
        "merge",
        "min",
        "month",
        "name",
        "new",
        "nil?",
        "pop",
        "push",
        "puts",
        "read",
        "reduce",
        "reject",
        "reverse",
        "sec",
        "select",
        "send",
        "shift",
        "size",
        "slice",
        "sort",
        "split",
        "start_with?",
        "strip",
        "sum",
        "synchronize",
        "take",
        "tap",
        "then",
        "to_a",
        "to_date",
        "to_f",
        "to_h",
        "to_i",
        "to_proc",
        "to_s",
        "to_sym",
        "to_time",
        "uniq",
        "unshift",
        "utc",
        "values",
        "wday",
        "write",
        "yday",
        "year",
        "zip",
    ],
    library: Library {
        results: &[(LibraryResult::Receiver, &["clone", "dup", "freeze", "itself", "tap"])],
        ..Library::NONE
    },
    ..DEFAULT
};
