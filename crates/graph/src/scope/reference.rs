//! Resolution of a reference: candidates by its role and qualifier, then those that can be used in its place.

use syntax::{Context, NameId, Qualifier, RefIdx, Reference, Role, SymbolKind};

use crate::{
    engine::{
        meaning::{Meaning, Rule},
        resolver::{At, Resolver, sorted},
    },
    files::FileIdx,
    lang::FieldNames,
    lang::Namespaces,
    types::ty::{Base, Ty},
    view::{SymbolId, View},
};

impl Resolver<'_> {
    pub(crate) fn meaning_of(&self, file: FileIdx, view: &View, reference: &Reference, index: RefIdx) -> Meaning {
        let place = At {
            file,
            view,
            at: reference.at,
        };
        let found = self.by_position(place, reference, index);
        let rules = self.rules(file);
        let found = rules.related_language_member(self, place, reference, found);
        let found = self.apply_extensions(place, reference, index, found);
        let found = rules.replace_candidates(self, place, reference, found);
        let found = self.usable_candidates(place, reference, index, found);
        rules.fallback(self, place, reference, found)
    }

    /// Whether a place is inside of a definition.
    pub(crate) fn is_around(&self, place: At<'_>, id: SymbolId) -> bool {
        let span = self.symbol(id, |_, symbol| symbol.span);
        id.file == place.file && span.is_some_and(|span| span.start <= place.at && place.at < span.end)
    }

    /// The candidates of a reference by its role and qualifier.
    pub(crate) fn by_position(&self, place: At<'_>, reference: &Reference, index: RefIdx) -> Meaning {
        let name = place.view.facts.names.get(reference.name);
        if let Some(found) = self.rules(place.file).special_meaning(self, place, reference, index) {
            return found;
        }
        match (reference.role, reference.on) {
            (Role::Import, _) => self.imported_at(place, name),
            (_, Qualifier::Literal) => Meaning::External,
            (_, Qualifier::Other) => Meaning::Unknown,
            (role, Qualifier::This) => self.on_this(place, name, role),
            (Role::Call, Qualifier::Super) if self.delegates(place.file, name) => self.delegated(place, name),
            (_, Qualifier::Super) => self
                .of_named_supertype(place, index, name)
                .unwrap_or_else(|| self.of_supertypes(place, name)),
            (role, Qualifier::Value(value)) => self.on_value(place, value, name, role),
            (role, Qualifier::Path(path)) => self.behind_path(place, path, name, role),
            (role, Qualifier::Context(context)) => {
                self.in_context(place, place.view.facts.context(context), name, role)
            }
            (role, Qualifier::Nothing) => self.on_nothing(place, index, name, role),
        }
    }

    pub(crate) fn on_this(&self, place: At<'_>, name: &str, role: Role) -> Meaning {
        let semantics = self.semantics(place.file);
        let ty = self.this(place);
        match self.member_of(&ty, name) {
            found @ (Meaning::Missing | Meaning::Unknown) => {
                match semantics.module_is_receiver.then(|| self.lookup(place, name, role)) {
                    Some(found @ Meaning::Symbols(..)) => found,
                    Some(_) => self.of_modules_above(place.file, name),
                    None => found,
                }
            }
            found => found,
        }
    }

    pub(crate) fn on_value(&self, place: At<'_>, value: RefIdx, name: &str, role: Role) -> Meaning {
        let file = place.file;
        let semantics = self.semantics(file);
        let library = &semantics.library;
        // `Arc<Shape>` is cloned without its shape.
        if role == Role::Call
            && semantics.wrapper_members.contains(&name)
            && self.held(file, value, semantics.wrappers).is_some()
        {
            return Meaning::External;
        }
        let ty = self.value(file, value);
        match self.member_of(&ty, name) {
            found @ Meaning::Symbols(..) => found,
            // A constant of the switched type, or a name in scope.
            _ if role == Role::Variable => self.lookup(place, name, role),
            // A member of the wrapped value: `shape?.area()`.
            Meaning::External if !library.option_types.is_empty() && !library.option_members.contains(&name) => {
                let held = self.held(file, value, library.option_types);
                held.map_or(Meaning::External, |held| self.member_of(&held, name))
            }
            found @ (Meaning::External | Meaning::Unknown) if semantics.dotted_packages => {
                self.in_package(place, value, name).unwrap_or(found)
            }
            found => found,
        }
    }

    /// The meaning of a name that its context determines: a key of an object literal, a designator in a nested
    /// initialiser.
    fn in_context(&self, place: At<'_>, context: Context, name: &str, role: Role) -> Meaning {
        let key = match role {
            Role::Member => self.rules(place.file).key_of_literal(self, place, context, name),
            _ => None,
        };
        key.unwrap_or_else(|| self.member_of(&self.contextual_type(place, context), name))
    }

    fn behind_path(&self, place: At<'_>, written: NameId, name: &str, role: Role) -> Meaning {
        let semantics = self.semantics(place.file);
        let path = place.view.facts.names.get(written);
        if role == Role::Member
            && let Some(key) = self
                .rules(place.file)
                .key_of_literal(self, place, Context::Type(written), name)
        {
            return key;
        }
        match role {
            Role::Member if semantics.field_names == FieldNames::OfArguments => {
                self.field_by_named_argument(place, path, name)
            }
            Role::Type if semantics.has_impl_blocks && semantics.own_type.contains(&path) => {
                self.as_declared(place, self.at_path(place, path, name, role))
            }
            _ => self.at_path(place, path, name, role),
        }
    }

    pub(crate) fn on_nothing(&self, place: At<'_>, index: RefIdx, name: &str, role: Role) -> Meaning {
        let semantics = self.semantics(place.file);
        match role {
            Role::Member if semantics.field_names == FieldNames::OfArguments => Meaning::External,
            Role::Member if semantics.field_names == FieldNames::InInitialiser => {
                self.member_in_initialiser(place, index, name)
            }
            Role::Member => Meaning::Unknown,
            Role::Call if self.delegates(place.file, name) => self.delegated(place, name),
            role => self.lookup(place, name, role),
        }
    }

    /// The associated type of an interface, where candidates are its declarations in implementing blocks: `Self::Item`
    /// inside an `impl`. The interface may be external.
    pub(crate) fn as_declared(&self, place: At<'_>, found: Meaning) -> Meaning {
        let Meaning::Symbols(symbols, rule) = found else {
            return found;
        };
        let is_own = |id: &SymbolId| {
            let block = self.symbol(*id, |view, symbol| view.parent(symbol).map(|block| block.span));
            let block = block.flatten();
            id.file == place.file && block.is_some_and(|block| block.start <= place.at && place.at < block.end)
        };
        let has_own = symbols.iter().any(is_own);
        let mut declared = Vec::new();
        for id in symbols.into_iter().filter(|id| !has_own || is_own(id)) {
            let name = self.name_of(id);
            let block = self.block_of(id).unwrap_or_default();
            let outer = block.known.iter().flat_map(|outer| self.members(*outer, &name));
            let outer: Vec<SymbolId> = outer.collect();
            match outer.is_empty() {
                true if block.has_others => {}
                true => declared.push(id),
                false => declared.extend(outer),
            }
        }
        Meaning::of(sorted(declared), rule).unwrap_or(Meaning::External)
    }

    /// An extension member, where the type has no member that takes the arguments.
    pub(crate) fn apply_extensions(
        &self,
        place: At<'_>,
        reference: &Reference,
        index: RefIdx,
        found: Meaning,
    ) -> Meaning {
        let At { file, view, .. } = place;
        let name = view.facts.names.get(reference.name);
        let semantics = self.semantics(file);
        match found {
            // A member comes before an extension if it takes the arguments.
            Meaning::Symbols(symbols, rule)
                if semantics.has_extensions
                    && reference.role == Role::Call
                    && matches!(reference.on, Qualifier::Value(_) | Qualifier::This)
                    && !self.some_converts(&symbols, file, view, index) =>
            {
                let extension = self.fitting_extension(place, index, name, true);
                let extension = extension.filter(Meaning::is_found);
                extension.unwrap_or(Meaning::Symbols(symbols, rule))
            }
            Meaning::External | Meaning::Unknown | Meaning::Missing
                if semantics.has_extensions
                    && !matches!(
                        reference.on,
                        Qualifier::Nothing | Qualifier::Path(_) | Qualifier::Context(_) | Qualifier::Super
                    ) =>
            {
                match self.fitting_extension(place, index, name, false) {
                    Some(extension) if extension.is_found() || found == Meaning::External => extension,
                    _ => found,
                }
            }
            Meaning::External | Meaning::Unknown | Meaning::Missing
                if semantics.has_extensions && reference.on == Qualifier::Nothing =>
            {
                let rules = self.rules(file);
                rules.implicit_receiver_extension(self, place, index).unwrap_or(found)
            }
            found => found,
        }
    }

    /// The candidates that can be used in this role with these arguments.
    pub(crate) fn usable_candidates(
        &self,
        place: At<'_>,
        reference: &Reference,
        index: RefIdx,
        found: Meaning,
    ) -> Meaning {
        let At { file, view, .. } = place;
        let semantics = self.semantics(file);
        match found {
            // The element type of a container is a guess, which the argument count must support.
            Meaning::Symbols(symbols, Rule::Element) if !self.any_accepts_count(&symbols, reference) => {
                Meaning::External
            }
            Meaning::Symbols(symbols, rule) => {
                let is_member = matches!(reference.on, Qualifier::Value(_) | Qualifier::This | Qualifier::Super);
                let fitting = self.fitting(file, symbols, reference.role, is_member);
                let Some(fitting) = self.rules(file).narrow_candidates(self, place, index, fitting) else {
                    return Meaning::External;
                };
                // An overload that cannot accept the arguments is not meant if the type may inherit another one.
                if semantics.has_overloads()
                    && reference.role == Role::Call
                    && matches!(rule, Rule::Member | Rule::Inherited | Rule::Scope)
                    && self.may_inherit_another(&fitting)
                    && !self.some_may_convert(&fitting, file, view, index)
                {
                    return Meaning::External;
                }
                let fitting = self.select_by_block(fitting, file, view, index);
                let found = self.by_arguments(fitting, file, view, index);
                Meaning::of(found, rule).unwrap_or_else(|| self.rules(file).unmatched_call(reference))
            }
            Meaning::External => self.rules(file).external_use(self, place, index),
            found => found,
        }
    }

    /// Whether functions are methods of a type with a supertype outside of this workspace, which may have overloads of them.
    pub(crate) fn may_inherit_another(&self, functions: &[SymbolId]) -> bool {
        let mut functions = functions
            .iter()
            .filter(|id| self.kind_of(**id) == Some(SymbolKind::Method));
        functions.any(|id| matches!(self.owner(*id), Base::Symbol(own) if self.has_other_supertypes(own)))
    }

    /// The type of `this`: the enclosing type, or that of a parameter named `this`.
    pub(crate) fn this(&self, place: At<'_>) -> Ty {
        let says = place
            .view
            .binding_at("this", place.at)
            .filter(|(_, binding)| binding.ty.is_some());
        match says {
            Some((binding, _)) => self.binding(place.file, binding),
            None => self
                .rules(place.file)
                .type_of_this(self, place)
                .unwrap_or_else(|| Ty::new(self.own_type(place))),
        }
    }

    /// Whether code runs in a static context: in a static method or (`in_body`) in the body of a class.
    pub(crate) fn is_in_static(&self, place: At<'_>, in_body: bool) -> bool {
        let around = place.view.around(place.at);
        let mut methods = around.filter(|(_, outer)| {
            matches!(
                outer.kind,
                SymbolKind::Method | SymbolKind::Constructor | SymbolKind::Function
            )
        });
        let file = place.file;
        methods
            .next()
            .map_or(in_body, |(symbol, _)| self.is_static(SymbolId { file, symbol }))
    }

    pub(crate) fn delegates(&self, file: FileIdx, name: &str) -> bool {
        let (outer, own) = self.semantics(file).constructor_words;
        outer.contains(&name) || own.contains(&name)
    }

    /// The constructors that a constructor may delegate to: `super(..)`.
    pub(crate) fn delegated(&self, place: At<'_>, name: &str) -> Meaning {
        let semantics = self.semantics(place.file);
        let rules = self.rules(place.file);
        let is_outer = !semantics.constructor_words.1.contains(&name);
        let Base::Symbol(own) = rules.constructed_type(self, place, is_outer) else {
            return Meaning::Unknown;
        };
        let supertypes = self.supertypes(own);
        let types = match !is_outer {
            true => &[own][..],
            false => &supertypes.known,
        };
        let found = types.iter().flat_map(|one| {
            let name = self.name_of(*one);
            let names = semantics.constructors.iter().copied().chain([name.as_str()]);
            let mut found: Vec<SymbolId> = names.flat_map(|name| self.members(*one, name)).collect();
            found.retain(|id| self.is_constructor(*id));
            found
        });
        Meaning::of(found.collect(), Rule::Inherited).unwrap_or(Meaning::External)
    }

    /// The candidates that can be used in a role.
    pub(crate) fn fitting(
        &self,
        file: FileIdx,
        mut symbols: Vec<SymbolId>,
        role: Role,
        is_member: bool,
    ) -> Vec<SymbolId> {
        let semantics = self.semantics(file);
        if semantics.namespaces == Namespaces::ByUse && is_member && matches!(role, Role::Call | Role::Member) {
            let is_called = role == Role::Call;
            let fits = |kind: SymbolKind| kind.is_function() == is_called || (is_called && kind.is_type());
            // A property of another language is called by its accessor.
            let is_other = |id: &SymbolId| self.lang(id.file) != self.lang(file);
            let with_accessors = match is_called {
                true => self.rules(file).fields_with_accessors(self, &symbols),
                false => Vec::new(),
            };
            symbols.retain(|id| is_other(id) || self.kind_of(*id).is_none_or(fits));
            if symbols.is_empty() {
                symbols = with_accessors;
            }
        }
        self.rules(file).in_namespace(self, symbols, role, is_member)
    }
}
