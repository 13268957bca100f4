//! Lookup of an unqualified name: one step after the other, from the innermost scope outwards, then imports, then files
//! that need no import. `Lookup::meaning` is the order of the steps.

use std::cell::OnceCell;

use syntax::{LocalKind, Role, Symbol, SymbolIdx, SymbolKind};

use crate::{
    engine::{
        meaning::{Meaning, Rule},
        resolver::{At, Resolver, ids},
    },
    lang::Namespaces,
    lang::{LanguageRules, Semantics, related},
    scope::bare_names::can_be_named,
    types::ty::Base,
    view::SymbolId,
};

impl Resolver<'_> {
    /// The meaning of an unqualified name at a place.
    pub(crate) fn lookup(&self, place: At<'_>, name: &str, role: Role) -> Meaning {
        Lookup::new(self, place, name, role).meaning()
    }
}

/// The lookup of one unqualified name.
pub(crate) struct Lookup<'s> {
    pub resolver: &'s Resolver<'s>,
    pub place: At<'s>,
    pub name: &'s str,
    pub role: Role,
    rules: &'static dyn LanguageRules,
    semantics: &'static Semantics,
    /// The function of an inner scope that was skipped because it cannot accept the arguments.
    passed: OnceCell<Meaning>,
}

impl<'s> Lookup<'s> {
    pub(crate) fn new(resolver: &'s Resolver<'s>, place: At<'s>, name: &'s str, role: Role) -> Lookup<'s> {
        Lookup {
            resolver,
            place,
            name,
            role,
            rules: resolver.rules(place.file),
            semantics: resolver.semantics(place.file),
            passed: OnceCell::new(),
        }
    }
}

impl Lookup<'_> {
    pub(crate) fn meaning(&self) -> Meaning {
        let near = self
            .local()
            .or_else(|| self.own_type())
            .or_else(|| self.rules.before_members(self))
            .or_else(|| self.around())
            .or_else(|| self.imported_inside())
            .or_else(|| self.own_file())
            .or_else(|| self.imported())
            .or_else(|| self.in_package())
            .or_else(|| self.implicit());
        if let Some(found) = near {
            return found;
        }
        let all = self.resolver.by_wildcard(self.place, self.name, false);
        let leads_out = matches!(all, Meaning::External);
        let far = match all {
            Meaning::Unknown | Meaning::External => None,
            Meaning::Symbols(found, rule) => self.fitting(found, rule),
            found => Some(found),
        };
        far.or_else(|| self.rules.package_member(self.resolver, self.place, self.name))
            .or_else(|| self.elsewhere_in_file())
            .or_else(|| self.rules.without_import(self))
            .or_else(|| self.by_longer_name())
            .or_else(|| self.type_defined_by_macro())
            .unwrap_or_else(|| self.missing(leads_out))
    }

    /// Whether types and values have separate namespaces.
    fn has_types_apart(&self) -> bool {
        self.semantics.namespaces != Namespaces::One
    }

    /// The candidates of one step as a meaning, as far as the name can mean them.
    pub(crate) fn fitting(&self, candidates: Vec<SymbolId>, rule: Rule) -> Option<Meaning> {
        self.rules.usable_candidates(self, candidates, rule)
    }

    /// The members of an enclosing type that can hide outer names in this role: a function does not hide a type of its
    /// name.
    pub(crate) fn belonging(&self, mut found: Vec<SymbolId>) -> Vec<SymbolId> {
        let is_apart = self.semantics.namespaces == Namespaces::ByUse;
        let belongs = |kind: SymbolKind| match self.role {
            // A constructor is not in scope by its name, which may be that of its type.
            _ if kind == SymbolKind::Constructor => false,
            Role::Type | Role::Implementation if self.has_types_apart() => kind.is_type(),
            // A qualifier (`name::`) is no function, even where a function hides a type of that name.
            _ if !is_apart => self.rules.hides_outer(kind, self.role),
            Role::Call => kind.is_function() || kind.is_type(),
            Role::Variable => !kind.is_function(),
            _ => true,
        };
        let components = match is_apart {
            true if self.role == Role::Call => self.rules.fields_with_accessors(self.resolver, &found),
            _ => Vec::new(),
        };
        found.retain(|id| self.resolver.kind_of(*id).is_some_and(belongs));
        if found.is_empty() { components } else { found }
    }

    /// A variable or a parameter.
    fn local(&self) -> Option<Meaning> {
        let semantics = self.semantics;
        let (index, binding) = self.rules.local_at(self.place, self.name, self.role)?;
        let is_meant = match self.role {
            // A call means a method, even if a variable has its name.
            Role::Call => semantics.namespaces != Namespaces::ByUse && !self.skips(&Meaning::Local(index)),
            Role::Type | Role::Implementation => match binding.kind {
                LocalKind::Generic => true,
                _ => !self.has_types_apart(),
            },
            _ => true,
        };
        is_meant.then_some(Meaning::Local(index))
    }

    /// `Self` and the like: the enclosing type.
    fn own_type(&self) -> Option<Meaning> {
        let is_own = self.semantics.own_type.contains(&self.name);
        is_own.then(|| match self.resolver.own_type(self.place) {
            Base::Symbol(own) => Meaning::Symbols(vec![own], Rule::Scope),
            _ => Meaning::Unknown,
        })
    }

    /// The enclosing definitions, from the inside out.
    fn enclosing(&self) -> impl Iterator<Item = (SymbolIdx, &Symbol)> {
        let At { view, at, .. } = self.place;
        // A decorator is outside of the scope that it decorates.
        view.around(at)
            .filter(move |(_, outer)| outer.signature.start <= at || outer.name_at <= at)
    }

    /// A definition in one of the enclosing scopes.
    fn around(&self) -> Option<Meaning> {
        let At { file, view, at } = self.place;
        let (resolver, semantics) = (self.resolver, self.semantics);
        let mut innermost = true;
        for (index, outer) in self.enclosing() {
            let has_members = resolver.has_members(file, outer.kind);
            let found = self
                .rules
                .member_of_enclosing(self, (index, outer), innermost)
                .or_else(|| self.in_self_type(index, outer))
                .or_else(|| {
                    let found = semantics
                        .implicit_this
                        .then(|| resolver.in_unnamed(self.place, index, self.name))?;
                    self.fitting(self.belonging(found?), Rule::Scope)
                });
            match found {
                Some(found) if self.skips(&found) => drop(self.passed.set(found)),
                Some(found) => return Some(found),
                None => {}
            }
            if !has_members {
                let children = view.symbols_named(self.name).filter(|(_, symbol)| {
                    symbol.parent == Some(index) && !view.is_member(symbol) && can_be_named(symbol)
                });
                // A function may declare what another file defines: `extern int run(void);`.
                let children = resolver.own_file(self.place, ids(file, children));
                if let Some(found) = self.fitting(children, Rule::Scope) {
                    return Some(found);
                }
            }
            if semantics.isolated_scopes.contains(&outer.kind) {
                return None;
            }
            // Initialisers in the body of a type see its members, as do supertypes and parameters of nested
            // definitions.
            let is_head = at < outer.signature.end;
            innermost &= is_head || (!has_members && !outer.kind.is_function());
        }
        None
    }

    /// Whether a call skips a candidate and continues with outer scopes.
    fn skips(&self, found: &Meaning) -> bool {
        self.role == Role::Call && self.rules.skips_uncallable(self.resolver, self.place, found)
    }

    /// Whether the place is in the list of a type's supertypes, which does not see the type's members.
    pub(crate) fn is_clause(&self, outer: &Symbol) -> bool {
        self.role == Role::Implementation && self.place.at < outer.signature.end
    }

    /// A member of the type that an enclosing definition is or belongs to, named without a receiver.
    pub(crate) fn in_members(&self, (index, outer): (SymbolIdx, &Symbol), innermost: bool) -> Option<Meaning> {
        let At { file, at, .. } = self.place;
        let (resolver, semantics) = (self.resolver, self.semantics);
        let is_type = resolver.has_members(file, outer.kind) || outer.owner.is_some();
        if !is_type || self.is_clause(outer) {
            return None;
        }
        let body = SymbolId { file, symbol: index };
        let found = match semantics.implicit_this {
            true => {
                let Base::Symbol(own) = resolver.type_of_body(body) else {
                    return None;
                };
                self.rules.members_in_body(resolver, own, self.name)
            }
            false if innermost => self.rules.body_members(resolver, self.place, body, self.name),
            false => return None,
        };
        let mut found = self.belonging(found);
        // A decorator is evaluated before the definition that it decorates is bound.
        found.retain(|id| {
            let span = resolver.symbol(*id, |_, symbol| {
                (symbol.span, symbol.signature.start.min(symbol.name_at))
            });
            !span.is_some_and(|(span, head)| id.file == file && span.start <= at && at < head)
        });
        self.fitting(found, Rule::Scope)
    }

    fn in_self_type(&self, index: SymbolIdx, outer: &Symbol) -> Option<Meaning> {
        let file = self.place.file;
        if !self.resolver.has_members(file, outer.kind) || self.is_clause(outer) {
            return None;
        }
        let ty = SymbolId { file, symbol: index };
        let found = self.rules.members_of_self_type(self.resolver, ty, self.name);
        self.fitting(found, Rule::Inherited)
    }

    /// An import inside of an enclosing function comes before names of the file.
    fn imported_inside(&self) -> Option<Meaning> {
        if self.resolver.is_imported_inside(self.place, self.name)
            && let Meaning::Symbols(found, rule) = self.resolver.by_import(self.place, self.name)
            && let Some(found) = self.fitting(found, rule)
        {
            return Some(found);
        }
        self.rules.inner_import(self)
    }

    /// A definition at the top of the file.
    fn own_file(&self) -> Option<Meaning> {
        let At { file, view, .. } = self.place;
        let (resolver, semantics) = (self.resolver, self.semantics);
        let outer = view.symbols_named(self.name).filter(|(_, symbol)| {
            let is_package = semantics.hides_package && symbol.kind == SymbolKind::Namespace;
            symbol.owner.is_none()
                && can_be_named(symbol)
                && !is_package
                && (symbol.parent.is_none() || self.rules.is_visible_outside_type(view, symbol))
        });
        let in_module = self
            .enclosing()
            .any(|(_, outer)| semantics.isolated_scopes.contains(&outer.kind));
        let outer = if in_module { Vec::new() } else { ids(file, outer) };
        let mut own = self.rules.top_level_definitions(self, outer);
        // A name that is imported and defined may be either: `except ImportError: def run(): ..`.
        if semantics.imports_are_exports()
            && !own.is_empty()
            && let Meaning::Symbols(mut imported, _) = resolver.by_import(self.place, self.name)
        {
            imported.retain(|id| !own.contains(id));
            own.extend(imported);
        }
        self.fitting(own, Rule::Scope)
    }

    /// An import of the file that binds the name.
    fn imported(&self) -> Option<Meaning> {
        match self.resolver.by_import(self.place, self.name) {
            Meaning::Unknown => None,
            Meaning::Symbols(found, rule) => self.fitting(found, rule),
            found => Some(found),
        }
    }

    /// A name that is visible without a definition or import in the file.
    fn implicit(&self) -> Option<Meaning> {
        self.rules
            .implicit_name(self.resolver, self.place, self.name, self.role)
    }

    /// A definition in another file of the package.
    fn in_package(&self) -> Option<Meaning> {
        let file = self.place.file;
        let (resolver, semantics) = (self.resolver, self.semantics);
        let files = resolver.modules.files();
        let defining = resolver.defining(self.name);
        let package = defining.iter().copied().filter(|other| {
            *other != file
                && related(resolver.lang(file), resolver.lang(*other))
                && (semantics.shares_scope)(files, file, *other)
                && self.rules.in_one_program(resolver, file, *other)
        });
        let package = package.flat_map(|other| resolver.outer_symbols(other, self.name));
        let package = resolver.innermost(self.place, self.name, package.collect());
        self.fitting(package, Rule::Package)
    }

    /// A definition in another namespace of the file.
    fn elsewhere_in_file(&self) -> Option<Meaning> {
        if self.semantics.has_scoped_modules {
            return None;
        }
        let At { file, view, .. } = self.place;
        let elsewhere = view
            .symbols_named(self.name)
            .filter(|(_, symbol)| view.is_outer(symbol));
        self.fitting(ids(file, elsewhere), Rule::Scope)
    }

    /// A definition that needs no import: of any file, of a global module, or a macro.
    pub(crate) fn anywhere(&self) -> Option<Meaning> {
        if self.semantics.is_global() {
            return Meaning::of(self.resolver.global(self.place, self.name), Rule::Global);
        }
        if self.semantics.has_global_modules {
            let mut modules = self.resolver.global(self.place, self.name);
            let is_module = |kind| matches!(kind, SymbolKind::Module | SymbolKind::Namespace);
            modules.retain(|id| self.resolver.kind_of(*id).is_some_and(is_module));
            if !modules.is_empty() {
                return Meaning::of(modules, Rule::Global);
            }
        }
        // Macros are not bound by modules.
        let is_call = self.role == Role::Call;
        is_call.then(|| Meaning::of(self.resolver.macros(self.place.file, self.name), Rule::Global))?
    }

    /// A definition with a suffix that a use may leave out: `[Serializable]` names `SerializableAttribute`.
    fn by_longer_name(&self) -> Option<Meaning> {
        let suffix = self.semantics.implied_suffix?;
        if self.role != Role::Type || self.name.ends_with(suffix) {
            return None;
        }
        let longer = format!("{}{suffix}", self.name);
        let is_defined = !self.resolver.defining(&longer).is_empty();
        is_defined.then(|| self.resolver.lookup(self.place, &longer, self.role))
    }

    /// A type that only a macro defines: the first block that gives it members of its own stands for it.
    fn type_defined_by_macro(&self) -> Option<Meaning> {
        let is_type = self.role == Role::Type && self.semantics.has_impl_blocks;
        let block = is_type.then(|| self.resolver.undefined_type(self.place.file, self.name))??;
        Some(Meaning::Symbols(vec![block], Rule::Global))
    }

    /// The result when no step has found the name: `External` if it cannot be one of this workspace.
    fn missing(&self, leads_out: bool) -> Meaning {
        if let Some(passed) = self.passed.get() {
            return passed.clone();
        }
        let resolver = self.resolver;
        // An enclosing type may inherit the name from an external supertype.
        let is_call = self.role == Role::Call;
        let is_added = is_call && self.rules.adds_to_library(resolver, self.place.file, self.name);
        let is_foreign = || self.rules.is_foreign(resolver, self.place, self.name, self.role);
        if (leads_out || (!is_added && is_foreign())) && !resolver.may_be_moved(self.place, self.name) {
            Meaning::External
        } else {
            Meaning::Unknown
        }
    }
}
