//! Looking up names of C, C++ and Objective-C: tags beside ordinary identifiers, using-declarations, friends, and which
//! of the program's definitions a file sees.

use syntax::{Qualifier, RefIdx, Reference, Role, Symbol, SymbolIdx, SymbolKind, Visibility};

use crate::{
    engine::{
        meaning::{Meaning, Rule},
        resolver::{At, Global, Resolver, ids},
    },
    files::FileIdx,
    lang::{c_family::includes::is_header, related},
    scope::{bare_names::can_be_named, lookup::Lookup},
    types::ty::{Base, Ty},
    view::{SymbolId, View},
};

impl Lookup<'_> {
    /// Of the candidates of one step those that the name can mean. Tags have a namespace of their own in C: `struct stat`
    /// stands beside a function `stat`, and a call means the function.
    pub(super) fn applicable_in_c(&self, found: Vec<SymbolId>, rule: Rule) -> Option<Meaning> {
        if self.role == Role::Type && !found.is_empty() && !found.iter().any(|id| self.names_type(id)) {
            let mut types = self.resolver.global(self.place, self.name);
            types.retain(|id| self.names_type(id));
            if !types.is_empty() {
                return Meaning::of(types, Rule::Global);
            }
        }
        let mut found = self.resolver.fitting(self.place.file, found, self.role, false);
        if self.role == Role::Call && found.iter().any(|id| self.is_function(id)) {
            found.retain(|id| !self.resolver.kind_of(*id).is_some_and(SymbolKind::is_type));
        }
        Meaning::of(found, rule)
    }

    fn names_type(&self, id: &SymbolId) -> bool {
        let is = |kind: SymbolKind| {
            kind.is_type() || matches!(kind, SymbolKind::Namespace | SymbolKind::Module | SymbolKind::Macro)
        };
        self.resolver.kind_of(*id).is_some_and(is)
    }

    fn is_function(&self, id: &SymbolId) -> bool {
        self.resolver.kind_of(*id).is_some_and(SymbolKind::is_function)
    }

    /// A using-declaration in a block hides members of the class: `using std::swap; swap(a, b);`.
    pub(super) fn by_using_declaration(&self) -> Option<Meaning> {
        if !self.resolver.is_imported_inside(self.place, self.name) {
            return None;
        }
        match self.resolver.by_import(self.place, self.name) {
            Meaning::External => Some(Meaning::External),
            Meaning::Symbols(found, rule) => self.fitting(found, rule),
            _ => None,
        }
    }

    /// A member of a type that no file declares, as where a build generates its header: another definition of the file
    /// with the same qualifier.
    pub(super) fn member_of_undeclared(&self, (index, outer): (SymbolIdx, &Symbol)) -> Option<Meaning> {
        let At { file, view, .. } = self.place;
        let owner = outer.owner.filter(|_| !self.is_clause(outer))?;
        let body = SymbolId { file, symbol: index };
        if let Base::Symbol(_) = self.resolver.type_of_body(body) {
            return None;
        }
        let beside = view.symbols_named(self.name);
        let beside =
            beside.filter(|(_, one)| one.owner == Some(owner) && one.parent == outer.parent && can_be_named(one));
        self.fitting(self.belonging(ids(file, beside)), Rule::Scope)
    }

    /// Overloads are spread over files: if no function of this file takes the arguments of a call, all that are seen.
    pub(super) fn with_overloads_elsewhere(&self, own: Vec<SymbolId>) -> Vec<SymbolId> {
        let At { view, at, .. } = self.place;
        if self.role != Role::Call || !own.iter().any(|id| self.is_function(id)) {
            return own;
        }
        let Some(index) = view.reference_at(at) else { return own };
        let call = &view.facts.references[index];
        if self.resolver.any_accepts_count(&own, call) {
            return own;
        }
        let all = self.resolver.global(self.place, self.name);
        match self.resolver.any_accepts_count(&all, call) {
            true => all,
            false => own,
        }
    }

    /// A function that a class defines as its friend, which argument-dependent lookup finds: `friend void swap(..) {}`.
    pub(super) fn friend(&self) -> Option<Meaning> {
        if self.role != Role::Call {
            return None;
        }
        let (resolver, file) = (self.resolver, self.place.file);
        let defining = resolver.defining(self.name);
        let files = defining.iter().copied();
        let files = files.filter(|other| related(resolver.lang(file), resolver.lang(*other)));
        let friends = files.filter_map(|other| {
            let view = resolver.view(other)?;
            let inside = view.symbols_named(self.name).filter(|(_, one)| {
                let is_in_class = || view.parent(one).is_some_and(|outer| outer.kind.has_members());
                one.kind == SymbolKind::Function && !one.is_declaration && one.owner.is_none() && is_in_class()
            });
            Some(ids(other, inside))
        });
        Meaning::of(
            resolver.seen_through_includes(file, friends.flatten().collect()),
            Rule::Global,
        )
    }

    /// A definition of another file. A type that is defined in a source file can be declared anywhere, but is no value
    /// where its definition is not seen.
    pub(super) fn of_program(&self) -> Option<Meaning> {
        let resolver = self.resolver;
        let mut found = resolver.global(self.place, self.name);
        if self.role == Role::Variable {
            found.retain(|id| {
                let is_type = resolver.kind_of(*id).is_some_and(SymbolKind::is_type);
                !is_type
                    || is_header(resolver.modules.files().path(id.file))
                    || resolver.is_included(self.place.file, id.file)
            });
        }
        Meaning::of(found, Rule::Global)
    }

    /// `::connect(..)` inside of a method `connect` is the system's: members and what is in a namespace are skipped.
    pub(super) fn in_global_namespace(&self) -> Meaning {
        let resolver = self.resolver;
        let mut found = resolver.outermost_named(self.place.file, self.name);
        let seen = resolver.global(self.place, self.name);
        found.retain(|id| seen.contains(id));
        if let Some(found) = Meaning::of(found, Rule::Global) {
            return found;
        }
        match self.meaning() {
            Meaning::Symbols(mut found, rule) => {
                found.retain(|id| resolver.is_outermost(*id));
                Meaning::of(found, rule).unwrap_or(Meaning::External)
            }
            found => found,
        }
    }

    /// A path again without the namespaces in it that a macro opens, which no definition is seen to be in.
    pub(super) fn without_namespaces_of_macros(&self, path: &str, found: Meaning) -> Meaning {
        let parts = path.split("::").map(str::trim).filter(|part| !part.is_empty());
        let (hidden, seen): (Vec<&str>, Vec<&str>) =
            parts.partition(|part| self.resolver.is_namespace_of_macro(self.place.file, part));
        match hidden.is_empty() {
            true => found,
            false => self.resolver.trail.deeper(found, || {
                self.resolver
                    .at_whole_path(self.place, &seen.join("::"), self.name, self.role)
            }),
        }
    }
}

impl Resolver<'_> {
    /// A macro call in the body of a class reads like a type: `TEST_METHOD(testSize);`.
    pub(super) fn name_in_macro_call(&self, place: At<'_>, reference: &Reference, found: Meaning) -> Meaning {
        if reference.role != Role::Type || reference.on != Qualifier::Nothing || found.is_found() {
            return found;
        }
        match self.own_type(place) {
            Base::Symbol(own) => {
                let named = self.members(own, place.view.facts.names.get(reference.name));
                Meaning::of(named, Rule::Member).unwrap_or(found)
            }
            _ => found,
        }
    }

    /// A name before its value: a member in a designated initialiser or constructor initialiser, or the base class or
    /// constructor that the latter calls: `Circle(int r) : Shape(1), radius(r) {}`.
    pub(super) fn initialised_name(&self, place: At<'_>, name: &str) -> Meaning {
        let Base::Symbol(own) = self.own_type(place) else {
            return Meaning::Unknown;
        };
        if self.name_of(own) == name {
            return Meaning::Symbols(vec![own], Rule::Scope);
        }
        let mut found = self.members(own, name);
        found.retain(|id| self.kind_of(*id) != Some(SymbolKind::Constructor));
        if found.is_empty() {
            found = self.supertypes(own).known.clone();
            found.retain(|outer| self.name_of(*outer) == name);
        }
        Meaning::of(found, Rule::Scope).unwrap_or(Meaning::Unknown)
    }

    /// A variable: an argument of a macro may be the name of a member, whatever else has the name.
    pub(super) fn variable_or_macro_argument(&self, place: At<'_>, index: RefIdx, name: &str) -> Meaning {
        let by_macro = self.member_for_macro_argument(place, index, name);
        if let Some(found @ Meaning::Symbols(..)) = by_macro {
            return found;
        }
        match (self.lookup(place, name, Role::Variable), by_macro) {
            (Meaning::External | Meaning::Missing | Meaning::Unknown, Some(found)) => found,
            (found, _) => found,
        }
    }

    /// A member of a type or of the types around it, or the type itself. Constructors have no name to call them by.
    pub(super) fn in_nested_types(&self, own: SymbolId, name: &str) -> Vec<SymbolId> {
        let mut inner = own;
        for _ in 0..MAX_NESTING {
            let mut found = self.members(inner, name);
            found.retain(|id| self.kind_of(*id) != Some(SymbolKind::Constructor));
            // The instance variable of a property of Objective-C: `_name`.
            if let (true, Some(property)) = (found.is_empty(), name.strip_prefix('_')) {
                found = self.members(inner, property);
                found.retain(|id| self.kind_of(*id) == Some(SymbolKind::Property));
            }
            if !found.is_empty() {
                return found;
            }
            let is_itself = self.symbol(inner, |view, symbol| {
                view.facts.name(symbol) == name && symbol.kind.has_members()
            });
            if is_itself == Some(true) {
                return vec![inner];
            }
            match self.owner(inner) {
                Base::Symbol(outer) if outer != inner => inner = outer,
                _ => break,
            }
        }
        Vec::new()
    }

    /// Whether a definition is seen only by files that include the one it is in: `#include "table.c"`.
    pub(super) fn is_local_to_source(&self, file: FileIdx, view: &View, symbol: &Symbol) -> bool {
        !is_header(self.modules.files().path(file))
            && (symbol.visibility == Some(Visibility::Private)
                || matches!(symbol.kind, SymbolKind::Macro | SymbolKind::Variant)
                || self.is_unit_local(file, view, symbol))
    }

    /// Of the program's definitions those that a place sees: in the nearest namespace, and included if any is.
    pub(super) fn seen_globals(&self, place: At<'_>, globals: &[Global]) -> Vec<SymbolId> {
        let file = place.file;
        let is_seen = |one: &&Global| !one.needs_include || self.is_included(file, one.id.file);
        let found: Vec<SymbolId> = globals.iter().filter(is_seen).map(|one| one.id).collect();
        if found.len() < 2 {
            return found;
        }
        let found = self.in_nearest_namespace(place, found);
        self.seen_through_includes(file, found)
    }

    /// A member at the end of a path. A namespace is in many files, so that its members are found by their paths.
    pub(super) fn member_behind_scope(&self, base: &Ty, name: &str) -> Option<Meaning> {
        if let Base::Symbol(own) = base.head
            && self.kind_of(own) == Some(SymbolKind::Namespace)
        {
            return None;
        }
        match self.member_of(base, name) {
            // A type inside of a library type is none of its type arguments: `std::vector<Shape>::iterator`.
            Meaning::Symbols(_, Rule::Element) => Some(Meaning::External),
            found => Some(found).filter(|found| found.is_found() || *found == Meaning::Missing),
        }
    }
}

/// Types are seldom nested deeper than that.
const MAX_NESTING: usize = 8;

/// In C a type inside of a structure is as visible as the structure.
pub(super) fn is_type_in_structure(view: &View, symbol: &Symbol) -> bool {
    let is_type = || symbol.kind.is_type() && symbol.owner.is_none() && has_no_classes(view);
    view.is_member(symbol) && is_type()
}

/// Whether an enumerator is one of an enumeration in a class, and so named by way of the class.
pub(super) fn is_enumerator_of_class(view: &View, symbol: &Symbol) -> bool {
    let enumeration = view.parent(symbol).filter(|_| symbol.kind == SymbolKind::Variant);
    enumeration.is_some_and(|enumeration| !view.is_outer(enumeration) && !has_no_classes(view))
}

/// Whether a header may be one of C: it has nothing that only C++ has.
fn has_no_classes(view: &View) -> bool {
    let is_of_cpp = |symbol: &Symbol| match symbol.kind {
        SymbolKind::Class | SymbolKind::Namespace | SymbolKind::Constructor => true,
        // Without a type it is a macro.
        SymbolKind::Method => symbol.ty.is_some(),
        _ => false,
    };
    !view.facts.symbols.iter().any(is_of_cpp)
}
