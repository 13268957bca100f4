//! The types of local names: variables, parameters, and what tests have found out about them.

use syntax::{BindingIdx, Context, LocalKind, Qualifier, RefIdx, Role, SymbolKind, Tag, TypeKind, TypeRef, TypeSource};

use crate::{
    engine::{
        meaning::Meaning,
        resolver::{At, Resolver},
    },
    files::FileIdx,
    infer::{containers::of_list, contextual::called_at},
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
        // What a parameter of type is known to be may speak of it: `B extends Builder<B>`.
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
                let put_in = self.put_in(file, view, index);
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
            Some(TypeSource::Range(index)) => return self.ranged_over(file, value, index),
            Some(TypeSource::Entered) => return self.entered(file, value),
            Some(TypeSource::Not(_) | TypeSource::Guarded(_) | TypeSource::Tagged { .. }) => {
                return self.tested(place, index);
            }
            Some(TypeSource::Element) | None => {}
        }
        if let Some(value) = value {
            let is_element = binding.ty == Some(TypeSource::Element);
            return self.local_type_by_value(place, index, value, (is_element, handed));
        }
        let known = self.undeclared(place, own);
        match known == UNKNOWN {
            true => self.put_in(file, view, index).unwrap_or(known),
            false => known,
        }
    }

    /// `with session() as s`: what a function hands out one by one.
    fn entered(&self, file: FileIdx, value: Option<RefIdx>) -> Ty {
        let ty = value.map_or(UNKNOWN, |value| self.value(file, value));
        let entered = || self.rules(file).entered_type(self, &ty);
        of_list(&ty).or_else(entered).unwrap_or(ty)
    }

    /// By the type expression that is written beside the name, or that a test asked for.
    fn declared_local_type(&self, place: At<'_>, index: BindingIdx, ty: TypeRef<'_>) -> Ty {
        let At { file, view, .. } = place;
        let binding = &view.facts.bindings[index];
        // What is left open is as the value says: `let all: Vec<_> = ..`.
        let is_open = ty.has_name("_");
        if let Some(value) = binding.value.filter(|_| is_open) {
            let known = self.value(file, value);
            let is_empty = known.head == Base::External && known.rest.is_empty();
            let put_in = is_empty.then(|| self.put_in(file, view, index)).flatten();
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

    /// By its value: an element of it, or what a call hands to a function as the parameter at this place.
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
        // The parameter of a function that is handed to a call, which is written around it.
        let is_handed = !semantics.binds_behind_values && given.role == Role::Call && given.at < binding.at;
        if is_handed && let Some(item) = self.rules(file).callback_parameter(self, place, value) {
            return item;
        }
        if is_element {
            return self.rules(file).loop_variable(self, place, index, value);
        }
        let makes = semantics.library.maps_elements(view.facts.names.get(given.name));
        if is_handed && (makes || self.meaning(file, value).is_decided()) {
            return self.passed_by(file, view, value, nth);
        }
        let known = self.any_of(file, view, value, binding.at);
        self.type_by_value_or_inserts(place, index, known)
    }

    /// The type of a variable by its value, or else by what is put into it or what it was declared to be before.
    pub(crate) fn type_by_value_or_inserts(&self, place: At<'_>, index: BindingIdx, known: Ty) -> Ty {
        let is_open = matches!(known.head, Base::External | Base::Unknown) && known.rest.is_empty();
        if !is_open {
            return known;
        }
        let put_in = self.put_in(place.file, place.view, index);
        put_in.or_else(|| self.declared_before(place, index)).unwrap_or(known)
    }

    /// What a name was declared to be that is given something else here, of which nothing is known.
    fn declared_before(&self, place: At<'_>, index: BindingIdx) -> Option<Ty> {
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

    /// What a call passes to a function that it is given, as one of its parameters.
    pub(crate) fn passed_by(&self, file: FileIdx, view: &View, call: RefIdx, nth: Option<usize>) -> Ty {
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
            (Meaning::Symbols(symbols, _), _) => self.handed_by(&symbols, file, call),
            // What gives back what it is asked of hands on just that.
            (Meaning::External | Meaning::Missing, Qualifier::Value(on))
                if semantics.library.may_return(name, LibraryResult::Receiver) =>
            {
                self.value(file, on)
            }
            (Meaning::External | Meaning::Missing | Meaning::Unknown, Qualifier::Value(on)) => {
                let held = self.held(file, on, semantics.library.container_types);
                let held = held.or_else(|| self.held(file, on, semantics.library.option_types));
                // What is taken out is one of what the function is handed.
                let takes_out = semantics.library.may_return(name, LibraryResult::Element);
                let held = held.or_else(|| takes_out.then(|| self.element_of(self.value(file, on))));
                // What comes of the call is none of what it hands over.
                let makes = semantics.library.maps_elements(name);
                let asked = || self.value(file, if makes { on } else { call });
                // Something of what the call is on, and not that itself.
                held.unwrap_or_else(|| {
                    let of = asked();
                    let own = of.heads().filter(|_| makes).collect::<Vec<_>>();
                    Ty::holding(Base::Unknown, own.into_iter().chain(of.rest).collect())
                })
            }
            _ => Ty::holding(Base::Unknown, self.value(file, call).rest),
        }
    }

    /// What a name is after a test, which is a binding of its own: one of its types without some, or what a function's
    /// signature says of it.
    fn tested(&self, place: At<'_>, index: BindingIdx) -> Ty {
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
                // By what the call is given: `is<T>(value: any, type: T): value is InstanceType<T>`.
                let said = self.written_in_call(*id, ty, None, place.file, call);
                let signature = At::signature(id.file, &view, symbol);
                Some(said.unwrap_or_else(|| self.type_from(signature, ty)))
            });
            if let Some(says) = says {
                return says;
            }
        }
        let view = place.view;
        let mut around = self.beneath(view, index);
        if let Some(TypeSource::Tagged { tag, holds }) = found {
            let known = around.map_or(UNKNOWN, |(outer, _)| {
                self.trail.deeper(UNKNOWN, || self.binding(place.file, outer))
            });
            let Tag { member, values } = facts.tag(tag);
            let values: Vec<&str> = values.iter().map(|value| facts.names.get(*value)).collect();
            return self.tagged(known, facts.names.get(*member), &values, holds);
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
            around = self.beneath(view, outer);
        }
        UNKNOWN
    }

    /// The binding of the same name that one is inside of.
    pub(crate) fn beneath<'v>(&self, view: &'v View, index: BindingIdx) -> Option<(BindingIdx, &'v syntax::Binding)> {
        let inner = &view.facts.bindings[index];
        let all = view.bindings_over(view.facts.names.get(inner.name), inner.scope.start);
        let key = |at: BindingIdx, binding: &syntax::Binding| (binding.scope.start, binding.at, at);
        let own = key(index, inner);
        all.filter(|(at, binding)| key(*at, binding) < own)
            .max_by_key(|(at, binding)| key(*at, binding))
    }

    /// The type of a local name that says neither its type nor its value.
    pub(crate) fn undeclared(&self, place: At<'_>, name: &str) -> Ty {
        let semantics = self.semantics(place.file);
        if semantics.own_type.contains(&name) {
            return Ty::new(self.own_type(place));
        }
        let known = self.rules(place.file).undeclared_type(self, place, name);
        known.unwrap_or(UNKNOWN)
    }

    /// What a function hands to the functions it is given: one of the types in its signature, or what it is asked of.
    pub(crate) fn handed_by(&self, symbols: &[SymbolId], file: FileIdx, call: RefIdx) -> Ty {
        let mut rest = Vec::new();
        // What the result is declared to be says more: `const a: Box<Point> = boxed((point) => ..)`.
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
        // What makes a type hands on what its constructor says.
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
