//! The types of local names: variables and parameters, also as narrowed by tests (`if isinstance(shape, Circle):`).

use syntax::{BindingIdx, Context, LocalKind, Qualifier, RefIdx, Role, SymbolKind, Tag, TypeKind, TypeRef, TypeSource};

use crate::{
    engine::{
        meaning::Meaning,
        resolver::{At, Resolver},
    },
    files::FileIdx,
    infer::{containers::list_element, contextual::called_at},
    lang::LibraryResult,
    types::{
        ty::{Base, Ty, UNKNOWN},
        type_names::last_part,
    },
    view::{SymbolId, View},
};

impl Resolver<'_> {
    /// The type of a local name.
    pub(crate) fn binding(&self, file: FileIdx, index: BindingIdx) -> Ty {
        let known = &self.known.bindings;
        known.get(&self.trail, (file, index), UNKNOWN, || match self.view(file) {
            Some(view) => self.type_of_binding(file, &view, index).bounded(),
            None => UNKNOWN,
        })
    }

    fn type_of_binding(&self, file: FileIdx, view: &View, index: BindingIdx) -> Ty {
        let binding = &view.facts.bindings[index];
        let written = binding.type_expr().map(|ty| view.type_expr(ty));
        // The bound of a type parameter may mention the parameter: `B extends Builder<B>`.
        let own = view.facts.names.get(binding.name);
        let speaks_of_it = binding.kind == LocalKind::Generic && written.is_some_and(|ty| ty.has_name(own));
        let at = if speaks_of_it { binding.scope.start } else { binding.at };
        let place = At { file, view, at };
        if let Some(bounds) = self.rules(file).type_parameter_bounds(self, place, index) {
            return bounds;
        }
        let value = binding.value;
        let part = |pattern, nth| self.part(place, pattern, nth, value);
        let mut handed = None;
        match binding.ty {
            Some(TypeSource::Expr(expr)) if view.facts.names.get(expr) == "this" => return self.this(place),
            Some(TypeSource::Expr(expr)) => return self.declared_local_type(place, index, view.type_expr(expr)),
            Some(TypeSource::Literal) => {
                let put_in = self.container_type_by_inserts(file, view, index);
                return put_in.unwrap_or(Ty::new(Base::External));
            }
            Some(TypeSource::Destructured(pattern)) => return self.type_by_pattern_steps(place, pattern, value),
            Some(TypeSource::Expected(context)) => match view.facts.context(context) {
                Context::Parameter(parameter) => {
                    let known = self.callback_parameter_at(place, parameter);
                    if known != UNKNOWN {
                        return known;
                    }
                    if self.semantics(file).has_function_types {
                        return self.callback_parameter_whole(place, parameter);
                    }
                    handed = Some(parameter.index as usize);
                }
                context => return self.contextual_type(place, context),
            },
            Some(TypeSource::Component(index)) => return part("", Some(index as usize)),
            Some(TypeSource::NamedComponent { pattern, index }) => {
                return part(view.facts.names.get(pattern), Some(usize::from(index)));
            }
            Some(TypeSource::ElementComponent(_)) => {
                return value.map_or(UNKNOWN, |value| self.value(file, value));
            }
            Some(TypeSource::Held) => return part("", None),
            Some(TypeSource::Range(index)) => return self.range_variable_type(file, value, index),
            Some(TypeSource::Entered) => return self.context_manager_type(file, value),
            Some(TypeSource::Not(_) | TypeSource::Guarded(_) | TypeSource::Tagged { .. }) => {
                return self.narrowed_type(place, index);
            }
            Some(TypeSource::Element) | None => {}
        }
        if let Some(value) = value {
            let is_element = binding.ty == Some(TypeSource::Element);
            return self.local_type_by_value(place, index, value, (is_element, handed));
        }
        let known = self.undeclared(place, own);
        match known == UNKNOWN {
            true => self.container_type_by_inserts(file, view, index).unwrap_or(known),
            false => known,
        }
    }

    /// The type of `s` in `with session() as s`: the element type of a generator, or what entering a context manager
    /// returns.
    fn context_manager_type(&self, file: FileIdx, value: Option<RefIdx>) -> Ty {
        let ty = value.map_or(UNKNOWN, |value| self.value(file, value));
        let entered = || self.rules(file).entered_type(self, &ty);
        list_element(&ty).or_else(entered).unwrap_or(ty)
    }

    /// By the declared type, or by the type that a test names: `isinstance(shape, Circle)`.
    fn declared_local_type(&self, place: At<'_>, index: BindingIdx, ty: TypeRef<'_>) -> Ty {
        let At { file, view, .. } = place;
        let binding = &view.facts.bindings[index];
        // `_` is inferred from the value: `let all: Vec<_> = ..`.
        let is_open = ty.has_name("_");
        if let Some(value) = binding.value.filter(|_| is_open) {
            let known = self.value(file, value);
            let is_empty = known.head == Base::External && known.rest.is_empty();
            let put_in = is_empty
                .then(|| self.container_type_by_inserts(file, view, index))
                .flatten();
            return put_in.unwrap_or(known);
        }
        let known = self.type_from(place, ty);
        let known = match binding.kind {
            LocalKind::Rest => self.rules(file).rest_parameter(known),
            _ => known,
        };
        match known.head {
            Base::External if known.rest.is_empty() => self.rules(file).narrowed_to_library(self, place, index, known),
            _ => known,
        }
    }

    /// By its value: the element type for a loop variable; the parameter type if the binding is a parameter of a
    /// callback and the value is the call that takes the callback.
    fn local_type_by_value(
        &self,
        place: At<'_>,
        index: BindingIdx,
        value: RefIdx,
        (is_element, nth): (bool, Option<usize>),
    ) -> Ty {
        let At { file, view, .. } = place;
        let semantics = self.semantics(file);
        let binding = &view.facts.bindings[index];
        let given = &view.facts.references[value];
        // A parameter of a callback: the call that takes the callback encloses it.
        let is_handed = !semantics.binds_behind_values && given.role == Role::Call && given.at < binding.at;
        if is_handed && let Some(item) = self.rules(file).callback_parameter(self, place, value) {
            return item;
        }
        if is_element {
            return self.rules(file).loop_variable(self, place, index, value);
        }
        let makes = semantics.library.maps_elements(view.facts.names.get(given.name));
        if is_handed && (makes || self.meaning(file, value).is_decided()) {
            return self.callback_parameter_by_call(file, view, value, nth);
        }
        let known = self.type_of_all_values(file, view, value, binding.at);
        self.type_by_value_or_inserts(place, index, known)
    }

    /// The type of a variable by its value, or else by the elements inserted into it or by its earlier declaration.
    pub(crate) fn type_by_value_or_inserts(&self, place: At<'_>, index: BindingIdx, known: Ty) -> Ty {
        let is_open = matches!(known.head, Base::External | Base::Unknown) && known.rest.is_empty();
        if !is_open {
            return known;
        }
        let put_in = self.container_type_by_inserts(place.file, place.view, index);
        put_in
            .or_else(|| self.earlier_declared_type(place, index))
            .unwrap_or(known)
    }

    /// The earlier declared type of a variable that is assigned a value of unknown type here: `shape: Shape = None`,
    /// and later `shape = load()`.
    fn earlier_declared_type(&self, place: At<'_>, index: BindingIdx) -> Option<Ty> {
        let facts = &place.view.facts;
        let binding = &facts.bindings[index];
        let before = place.view.bindings_named(facts.names.get(binding.name)).iter().rev();
        let mut before = before.map(|at| &facts.bindings[*at]);
        let declared = before.find(|one| {
            let is_type = one.ty.is_some_and(|ty| ty != TypeSource::Literal);
            let is_declared = is_type && place.view.reference_at(one.at).is_none();
            is_declared && one.at < binding.at && one.scope.end == binding.scope.end
        })?;
        let ty = place.view.type_expr(declared.type_expr()?);
        let is_type = ty
            .text()
            .starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '"'));
        let written = At {
            at: declared.at,
            ..place
        };
        is_type.then(|| self.type_from(written, ty))
    }

    /// The type of the `nth` parameter of a callback, by the call that the callback is passed to.
    pub(crate) fn callback_parameter_by_call(
        &self,
        file: FileIdx,
        view: &View,
        call: RefIdx,
        nth: Option<usize>,
    ) -> Ty {
        let semantics = self.semantics(file);
        let given = &view.facts.references[call];
        let name = view.facts.names.get(given.name);
        if let Some(handed) = nth.and_then(|nth| self.library_callback_parameter(file, view, call, nth)) {
            return handed;
        }
        let rules = self.rules(file);
        if let Some(element) = nth.and_then(|nth| rules.callback_argument(self, file, call, nth)) {
            return element;
        }
        match (self.meaning(file, call), given.on) {
            (Meaning::Symbols(symbols, _), _) => self.candidates_from_signature(&symbols, file, call),
            // A library function that returns its receiver also passes it to the callback: `shape.also { it.draw() }`.
            (Meaning::External | Meaning::Missing, Qualifier::Value(on))
                if semantics.library.may_return(name, LibraryResult::Receiver) =>
            {
                self.value(file, on)
            }
            (Meaning::External | Meaning::Missing | Meaning::Unknown, Qualifier::Value(on)) => {
                let held = self.held(file, on, semantics.library.container_types);
                let held = held.or_else(|| self.held(file, on, semantics.library.option_types));
                // A member that returns an element passes elements to its callback: `shapes.find((shape) => ..)`.
                let takes_out = semantics.library.may_return(name, LibraryResult::Element);
                let held = held.or_else(|| takes_out.then(|| self.element_of(self.value(file, on))));
                // The result of a call of `map` says nothing of what the callback receives; the receiver of the call
                // does.
                let makes = semantics.library.maps_elements(name);
                let asked = || self.value(file, if makes { on } else { call });
                // The parameter is something contained in that value, not the value itself.
                held.unwrap_or_else(|| {
                    let of = asked();
                    let own = of.heads().filter(|_| makes).collect::<Vec<_>>();
                    Ty::holding(Base::Unknown, own.into_iter().chain(of.rest).collect())
                })
            }
            _ => Ty::holding(Base::Unknown, self.value(file, call).rest),
        }
    }

    /// The narrowed type of a name after a test, for which the facts have a separate binding: the declared union
    /// without the excluded alternatives, or the type of a type predicate (`isCircle(value): value is Circle`).
    fn narrowed_type(&self, place: At<'_>, index: BindingIdx) -> Ty {
        let facts = &place.view.facts;
        let found = facts.bindings[index].ty;
        if let Some(TypeSource::Guarded(function)) = found
            && let Some(call) = called_at(place.view, function)
            && let Meaning::Symbols(symbols, _) = self.meaning(place.file, call)
        {
            let says = symbols.iter().find_map(|id| {
                let view = self.view(id.file)?;
                let symbol = &view.facts.symbols[id.symbol];
                let ty = view.type_expr(symbol.type_expr()?);
                let predicate = ty.result_of_fat_arrow().unwrap_or(ty);
                let ty = predicate.items().nth(1).filter(|_| predicate.is(TypeKind::Predicate))?;
                // The predicate may depend on the arguments: `is<T>(value: any, type: T): value is InstanceType<T>`.
                let said = self.written_in_call(*id, ty, None, place.file, call);
                let signature = At::signature(id.file, &view, symbol);
                Some(said.unwrap_or_else(|| self.type_from(signature, ty)))
            });
            if let Some(says) = says {
                return says;
            }
        }
        let view = place.view;
        let mut around = self.shadowed_binding(view, index);
        if let Some(TypeSource::Tagged { tag, holds }) = found {
            let known = around.map_or(UNKNOWN, |(outer, _)| {
                self.trail.deeper(UNKNOWN, || self.binding(place.file, outer))
            });
            let Tag { member, values } = facts.tag(tag);
            let values: Vec<&str> = values.iter().map(|value| facts.names.get(*value)).collect();
            return self.narrow_by_literal_member(known, facts.names.get(*member), &values, holds);
        }
        let mut without: Vec<TypeRef<'_>> = match found {
            Some(TypeSource::Not(expr)) => vec![view.type_expr(expr)],
            _ => Vec::new(),
        };
        while let Some((outer, binding)) = around {
            match binding.ty {
                Some(TypeSource::Guarded(_) | TypeSource::Tagged { .. }) => {}
                Some(TypeSource::Not(expr)) => without.push(view.type_expr(expr)),
                Some(TypeSource::Expr(expr)) if !without.is_empty() => {
                    let is_wrapper = |name: &str| self.semantics(place.file).wrappers.contains(&last_part(name));
                    let all = view.type_expr(expr).alternatives(is_wrapper);
                    let gone: Vec<TypeRef<'_>> = without.iter().flat_map(|not| not.alternatives(|_| false)).collect();
                    let named = |one: TypeRef<'_>| last_part(one.first_name().unwrap_or(one.text())).to_owned();
                    let is_left = |one: &TypeRef<'_>| !gone.iter().any(|gone| named(*gone) == named(*one));
                    let left: Vec<TypeRef<'_>> = all.iter().copied().filter(is_left).collect();
                    let declared = At {
                        at: binding.at,
                        ..place
                    };
                    return match left.is_empty() || left.len() == all.len() {
                        true => self.trail.deeper(UNKNOWN, || self.binding(place.file, outer)),
                        false => {
                            let types = left.into_iter().map(|one| self.type_from(declared, one));
                            types.reduce(Ty::or).unwrap_or(UNKNOWN)
                        }
                    };
                }
                _ => return self.trail.deeper(UNKNOWN, || self.binding(place.file, outer)),
            }
            around = self.shadowed_binding(view, outer);
        }
        UNKNOWN
    }

    /// The next outer binding of the same name, which this one shadows or narrows.
    pub(crate) fn shadowed_binding<'v>(
        &self,
        view: &'v View,
        index: BindingIdx,
    ) -> Option<(BindingIdx, &'v syntax::Binding)> {
        let inner = &view.facts.bindings[index];
        let all = view.bindings_over(view.facts.names.get(inner.name), inner.scope.start);
        let key = |at: BindingIdx, binding: &syntax::Binding| (binding.scope.start, binding.at, at);
        let own = key(index, inner);
        all.filter(|(at, binding)| key(*at, binding) < own)
            .max_by_key(|(at, binding)| key(*at, binding))
    }

    /// The type of a local name with neither a declared type nor a value: `self`.
    pub(crate) fn undeclared(&self, place: At<'_>, name: &str) -> Ty {
        let semantics = self.semantics(place.file);
        if semantics.own_type.contains(&name) {
            return Ty::new(self.own_type(place));
        }
        let known = self.rules(place.file).undeclared_type(self, place, name);
        known.unwrap_or(UNKNOWN)
    }

    /// Candidates for the type of a callback's parameter where its function type is unknown: the types in the called
    /// function's signature, and the receiver's type.
    pub(crate) fn candidates_from_signature(&self, symbols: &[SymbolId], file: FileIdx, call: RefIdx) -> Ty {
        let mut rest = Vec::new();
        // The declared type of the result is more precise: `const a: Box<Point> = boxed((point) => ..)`.
        if let Some(view) = self.view(file) {
            let at = view.facts.references[call].at;
            let around = view.around(at).next().map(|(_, symbol)| symbol);
            let declared = around.filter(|symbol| symbol.value == Some(call) && !symbol.kind.is_function());
            if let Some(ty) = declared.and_then(|symbol| symbol.type_expr()) {
                let place = At { file, view: &view, at };
                rest = self.type_from(place, view.type_expr(ty)).rest;
            }
        }
        if !rest.is_empty() {
            return Ty::holding(Base::Unknown, rest);
        }
        // A call of a class calls its constructors, so their signatures count as well.
        let constructors = symbols
            .iter()
            .filter(|id| self.kind_of(**id).is_some_and(SymbolKind::has_members));
        let constructors = constructors.flat_map(|id| {
            let names = self.semantics(id.file).constructors.iter();
            names.flat_map(|name| self.members(*id, name))
        });
        let constructors: Vec<SymbolId> = constructors.collect();
        for id in symbols.iter().chain(&constructors) {
            let Some(view) = self.view(id.file) else { continue };
            let signature = view.facts.symbols[id.symbol].signature;
            let references = &view.facts.references;
            let first = references.partition_point(|reference| reference.at < signature.start);
            let inside = RefIdx::enumerate_from(references, first);
            for (index, reference) in inside.take_while(|(_, reference)| reference.at < signature.end) {
                if reference.role == Role::Type
                    && let Meaning::Symbols(types, _) = self.meaning(id.file, index)
                {
                    rest.extend(self.in_position(types, Role::Type));
                }
            }
        }
        let on = self.view(file).and_then(|view| match view.facts.references[call].on {
            Qualifier::Value(value) => Some(self.value(file, value)),
            _ => None,
        });
        if let Some(on) = on {
            if let Base::Symbol(own) = on.head {
                rest.push(own);
            }
            rest.extend(on.rest);
        }
        Ty::holding(Base::Unknown, rest)
    }
}
