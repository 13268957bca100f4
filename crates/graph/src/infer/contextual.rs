//! Contextual typing: types that literals and callbacks get from the parameter, variable or member that they are passed
//! or assigned to: `run({ retries: 3 })`, `on((event) => ..)`.

use syntax::{
    ArgumentSlot, Binding, BindingIdx, CallbackParameter, Context, ContextId, FunctionType, LocalKind, Qualifier,
    RefIdx, Reference, Role, Symbol, SymbolIdx, SymbolKind, TypeExpr, TypeKind, TypeRef, TypeSource,
};

use crate::{
    engine::{
        meaning::{Meaning, Rule},
        resolver::{At, Resolver},
    },
    types::{
        function_type::function_type,
        generics::StandsFor,
        ty::{Base, Ty, UNKNOWN},
    },
    view::{SymbolId, View},
};

/// A parameter of a function or, after `results` calls, of the function that it returns: in `(a) => (b) => c`, `b` is
/// the parameter 0 after one call.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct ParameterIndex {
    results: usize,
    nth: usize,
}

impl From<usize> for ParameterIndex {
    fn from(nth: usize) -> ParameterIndex {
        ParameterIndex { results: 0, nth }
    }
}

impl ParameterIndex {
    /// The same parameter seen from the returned function; `None` if it is one of the function itself.
    fn of_result(self) -> Option<ParameterIndex> {
        let results = self.results.checked_sub(1)?;
        Some(ParameterIndex { results, ..self })
    }
}

/// Unwraps `Context::Result`: the number of calls, and the context of the function that is called first.
fn result_of(place: At<'_>, context: ContextId) -> (usize, ContextId) {
    let (mut results, mut context) = (0, context);
    while let Context::Result(of) = place.view.facts.context(context) {
        results += 1;
        context = of;
    }
    (results, context)
}

/// The call that an argument is passed to.
pub(crate) fn call_of(place: At<'_>, context: Context) -> Option<RefIdx> {
    match context {
        Context::Argument { callee_at, .. } => called_at(place.view, callee_at),
        _ => None,
    }
}

/// Whether a reference is a key of the object literal in a context: `retries` in `run({ retries: 3 })`. If the literal
/// has a declared type, the facts have that type as the qualifier of the key.
pub(crate) fn is_key_of(place: At<'_>, reference: &Reference, context: Context) -> bool {
    let is_of = match reference.on {
        Qualifier::Path(ty) => Context::Type(ty) == context,
        Qualifier::Context(id) => place.view.facts.context(id) == context,
        _ => false,
    };
    is_of && reference.role == Role::Member
}

/// The member name of a call signature: `(url: string): Reply`.
const CALL_SIGNATURE: &str = "()";

impl Resolver<'_> {
    /// Narrows a discriminated union to the types whose member `key` can have one of `values` (`holds`), or another
    /// value: `shape.kind === "circle"`.
    pub(crate) fn narrow_by_literal_member(&self, ty: Ty, key: &str, values: &[&str], holds: bool) -> Ty {
        let is_said = |tag: &String| values.contains(&tag.as_str());
        only(ty, |own| {
            let tags = self.literal_values_of(own, key);
            tags.is_none_or(|tags| tags.iter().any(|tag| is_said(tag) == holds))
        })
    }

    /// The values that a member can have, if its type is made of literal types: `kind: "circle" | "disc"`.
    fn literal_values_of(&self, own: SymbolId, key: &str) -> Option<Vec<String>> {
        // A union of object types declares the member once in each of them.
        let members = self.members(own, key);
        let mut tags = Vec::new();
        for member in &members {
            let values = self.symbol(*member, |view, symbol| {
                let ty = view.type_expr(symbol.type_expr()?);
                match ty.is(TypeKind::Union) {
                    true => ty.items().map(tag_value).collect(),
                    false => tag_value(ty).map(|value| vec![value]),
                }
            });
            tags.extend(values.flatten()?);
        }
        (!members.is_empty()).then_some(tags)
    }

    /// The contextual type of a literal: the type of the parameter, variable or member it is passed or assigned to.
    pub(crate) fn contextual_type(&self, place: At<'_>, context: Context) -> Ty {
        let name = |id| place.view.facts.names.get(id);
        let outer = |of| {
            let of = place.view.facts.context(of);
            self.trail.deeper(UNKNOWN, || self.contextual_type(place, of))
        };
        match context {
            Context::Type(ty) => self.type_from(place, place.view.type_expr(ty)),
            Context::Argument { callee_at, slot } => self.parameter_type_at(place, callee_at, slot),
            Context::AssignedTo(at) => {
                let named = place.view.reference_at(at);
                named.map_or(UNKNOWN, |named| self.value(place.file, named))
            }
            Context::ReturnedFrom(_) => UNKNOWN,
            Context::Member { of, key } => self.type_of_member(&outer(of), name(key)),
            Context::Element(of) => self.indexed(outer(of)),
            Context::Result(of) => self.type_of_member(&outer(of), CALL_SIGNATURE),
            Context::Parameter(parameter) => self.pattern_source_type(place, parameter),
        }
    }

    /// The type of a member.
    pub(crate) fn type_of_member(&self, of: &Ty, name: &str) -> Ty {
        let Meaning::Symbols(members, Rule::Member | Rule::Inherited) = self.member_of(of, name) else {
            // Any name is a key of a map: `Record<string, Shape>`.
            return match of.head {
                Base::External => self.indexed(of.clone()),
                _ => UNKNOWN,
            };
        };
        let types = members.iter().map(|id| self.value_of_symbol(*id, Some(of)));
        types.reduce(Ty::or).unwrap_or(UNKNOWN)
    }

    /// The type of a callback's parameter that is destructured: `on(({ name }) => ..)`.
    fn pattern_source_type(&self, place: At<'_>, parameter: CallbackParameter) -> Ty {
        let known = self.callback_parameter_at(place, parameter);
        if known != UNKNOWN || parameter.key.is_some() {
            return known;
        }
        let nth = parameter.index as usize;
        let call = call_of(place, place.view.facts.context(parameter.of));
        let call = call.filter(|call| self.meaning(place.file, *call).is_decided());
        call.map_or(UNKNOWN, |call| {
            self.callback_parameter_by_call(place.file, place.view, call, Some(nth))
        })
    }

    /// The type of a callback's parameter, by the function type that is expected where the callback is written.
    pub(crate) fn callback_parameter_at(&self, place: At<'_>, parameter: CallbackParameter) -> Ty {
        let rules = self.rules(place.file);
        let facts = &place.view.facts;
        let (results, of) = result_of(place, parameter.of);
        let which = ParameterIndex {
            results,
            nth: parameter.index as usize,
        };
        let context = facts.context(of);
        if let Some(key) = parameter.key {
            let taken = self.parameter_of_member(&self.contextual_type(place, context), facts.names.get(key), which);
            let taken = taken.or_else(|| rules.contextual_parameter(self, place, (Some(key), context), which));
            return taken.unwrap_or(UNKNOWN);
        }
        let known = match context {
            Context::Type(ty) => self.parameter_of_type(place, place.view.type_expr(ty), which, &[]),
            Context::Argument { callee_at, slot } => self.callback_parameter_of_call(place, callee_at, slot, which),
            Context::AssignedTo(at) => self.callback_parameter_by_assignment(place, at, which),
            Context::Member { of, key } => {
                let outer = self.contextual_type(place, facts.context(of));
                self.parameter_of_member(&outer, facts.names.get(key), which)
            }
            Context::Element(_) | Context::Result(_) | Context::ReturnedFrom(_) | Context::Parameter(_) => None,
        };
        let known = known.or_else(|| rules.contextual_parameter(self, place, (None, context), which));
        known.unwrap_or(UNKNOWN)
    }

    /// The type of a parameter of a member that is a method or has a function type.
    fn parameter_of_member(&self, of: &Ty, key: &str, which: ParameterIndex) -> Option<Ty> {
        let Meaning::Symbols(members, _) = self.member_of(of, key) else {
            return None;
        };
        let types = members.iter().filter_map(|id| {
            self.trail.deeper(None, || {
                let view = self.view(id.file)?;
                let symbol = view.facts.symbols.get(id.symbol.as_usize())?;
                let member = At::signature(id.file, &view, symbol);
                let known = self.seen_from(of, *id);
                let written = || symbol.type_expr().map(|ty| view.type_expr(ty));
                match (symbol.kind.is_function(), which.of_result()) {
                    (true, None) => self.parameter_type(*id, which.nth, &known),
                    (true, Some(inner)) => self.parameter_of_type(member, written()?, inner, &known),
                    (false, _) => self.parameter_of_type(member, written()?, which, &known),
                }
            })
        });
        types.reduce(Ty::or)
    }

    /// The type of a parameter of a function that is assigned to a variable or member with a declared type.
    fn callback_parameter_by_assignment(&self, place: At<'_>, at: u32, which: ParameterIndex) -> Option<Ty> {
        let named = place.view.reference_at(at)?;
        match self.meaning(place.file, named) {
            Meaning::Symbols(symbols, _) => symbols.iter().find_map(|id| {
                let view = self.view(id.file)?;
                let symbol = &view.facts.symbols[id.symbol];
                let file = id.file;
                let declared = At::signature(file, &view, symbol);
                self.parameter_of_type(declared, view.type_expr(symbol.type_expr()?), which, &[])
            }),
            Meaning::Local(binding) => {
                let binding = &place.view.facts.bindings[binding];
                let declared = At {
                    at: binding.at,
                    ..place
                };
                self.parameter_of_type(declared, place.view.type_expr(binding.type_expr()?), which, &[])
            }
            _ => None,
        }
    }

    /// The type of a parameter by the function's type: `(shape: Shape) => void`, or an alias of it. `known` are type
    /// arguments that are already known.
    pub(crate) fn parameter_of_type(
        &self,
        place: At<'_>,
        ty: TypeRef<'_>,
        which: ParameterIndex,
        known: &[StandsFor],
    ) -> Option<Ty> {
        if which.results == 0
            && self.semantics(place.file).has_function_types
            && let Some(function) = function_type(ty)
        {
            let ty = self.type_with(place, *function.parameters.get(which.nth)?, known);
            // A library type is a result too: the parameter has no type of this workspace.
            return (ty != UNKNOWN).then_some(ty);
        }
        ty.alternatives(|_| false).into_iter().find_map(|one| {
            if let Some(result) = one.result_of_fat_arrow() {
                return match which.of_result() {
                    Some(inner) => self.parameter_of_type(place, result, inner, known),
                    None => self.parameter_of_function_type(place, one, which.nth, known),
                };
            }
            if let Some((outer, member)) = one.member_by_name() {
                let outer = self.type_with(place, outer, known);
                return self
                    .trail
                    .deeper(None, || self.parameter_of_member(&outer, member, which));
            }
            let Meaning::Symbols(symbols, _) = self.lookup(place, one.first_name()?, Role::Type) else {
                return None;
            };
            symbols.iter().find_map(|id| {
                self.trail
                    .deeper(None, || self.parameter_of_named_type(place, (*id, one), which, known))
            })
        })
    }

    /// The same for a function type expression: `(shape: Shape) => void`.
    fn parameter_of_function_type(
        &self,
        place: At<'_>,
        ty: TypeRef<'_>,
        nth: usize,
        known: &[StandsFor],
    ) -> Option<Ty> {
        let FunctionType {
            type_parameters,
            parameters,
            ..
        } = ty.function()?;
        let has_this = parameters.first().and_then(|first| first.label_text()) == Some("this");
        let nth = nth + usize::from(has_this);
        // `(...all: Shape[]) => void`
        let rest = || parameters.last().filter(|last| last.is_rest());
        let parameter = parameters
            .get(nth)
            .or_else(rest)
            .filter(|one| one.is(TypeKind::Labelled))?;
        let ty = parameter.unlabelled();
        let ty = ty.element().filter(|_| parameter.is_rest()).unwrap_or(ty);
        let first = ty.first_name().unwrap_or(ty.text());
        if let Some(bound) = bound_of(&type_parameters, first) {
            return Some(self.type_from(place, bound)).filter(Ty::is_known);
        }
        // A type parameter without a known type argument says nothing.
        let local = place.view.binding_at(first, place.at);
        let is_open = local.is_some_and(|(_, binding)| binding.kind == LocalKind::Generic);
        if is_open && !known.iter().any(|(name, _)| name == first) {
            return None;
        }
        let ty = self.type_with(place, ty, known);
        ty.is_known().then_some(ty)
    }

    /// The same for a named type: an alias, a type with a call signature, or a function: `typeof draw`.
    fn parameter_of_named_type(
        &self,
        place: At<'_>,
        (id, ty): (SymbolId, TypeRef<'_>),
        which: ParameterIndex,
        known: &[StandsFor],
    ) -> Option<Ty> {
        let view = self.view(id.file)?;
        let symbol = view.facts.symbols.get(id.symbol.as_usize())?;
        if symbol.kind.is_function() && which.results == 0 {
            return self.parameter_type(id, which.nth, known);
        }
        let aliased = symbol.type_expr().filter(|_| symbol.kind == SymbolKind::Type);
        let aliased = aliased.map(|aliased| view.type_expr(aliased));
        let Some(aliased) = aliased.filter(|aliased| !aliased.begins_with(TypeKind::Object)) else {
            return self.parameter_of_called_value(&self.type_with(place, ty, known), which);
        };
        let alias = At::signature(id.file, &view, symbol);
        let names = self.parameters_of_type(id).into_iter();
        let arguments = ty.arguments().map(|argument| self.type_with(place, argument, known));
        let arguments: Vec<StandsFor> = names.zip(arguments).collect();
        let spelled = self.with_string_arguments(id, aliased, ty);
        let spelled = spelled.as_ref().map_or(aliased, TypeExpr::root);
        self.parameter_of_type(alias, spelled, which, &arguments)
    }

    /// The type of a parameter of a callable value, by the call member of its type.
    fn parameter_of_called_value(&self, ty: &Ty, which: ParameterIndex) -> Option<Ty> {
        let types = ty.heads().flat_map(|own| {
            let called = self.semantics(own.file).call_member;
            let called = called.map_or_else(Vec::new, |name| self.members(own, name));
            let head = Base::Symbol(own);
            let one = Ty { head, ..ty.clone() };
            called.into_iter().filter_map(move |id| {
                let known = self.seen_from(&one, id);
                let taken = self.trail.deeper(None, || match which.of_result() {
                    None => self.parameter_type(id, which.nth, &known),
                    Some(inner) => {
                        let view = self.view(id.file)?;
                        let symbol = &view.facts.symbols[id.symbol];
                        let called = At::signature(id.file, &view, symbol);
                        self.parameter_of_type(called, view.type_expr(symbol.type_expr()?), inner, &known)
                    }
                });
                taken.filter(Ty::is_known)
            })
        });
        types.reduce(Ty::or)
    }

    /// The type of a callback's parameter, by the signature of the function that the callback is passed to.
    fn callback_parameter_of_call(
        &self,
        place: At<'_>,
        callee_at: u32,
        slot: ArgumentSlot,
        which: ParameterIndex,
    ) -> Option<Ty> {
        let functions = self.functions_called(place, callee_at);
        let call = called_at(place.view, callee_at);
        let types = functions.into_iter().filter_map(|id| {
            self.trail.deeper(None, || {
                let view = self.view(id.file)?;
                let semantics = self.semantics(id.file);
                if semantics.has_functional_interfaces && self.kind_of(id) == Some(SymbolKind::Interface) {
                    return self.parameter_of_method(&Ty::new(Base::Symbol(id)), which.nth);
                }
                let slot = self.slot_for(place, call, id, slot);
                let Parameter::Written(at, written) = parameter_at(&view, id, slot)? else {
                    return None;
                };
                let file = id.file;
                let taken = At { file, view: &view, at };
                let names_receiver = || semantics.receiver_type.is_some_and(|name| written.has_name(name));
                let is_open = semantics.has_function_types || is_open_at(taken, written) || names_receiver();
                let ty = match call.filter(|_| is_open) {
                    Some(call) => {
                        let known = self.type_arguments_where_called(id, place, call);
                        let spelled = self
                            .rules(id.file)
                            .with_literal_types(self, id, written, (place.file, call));
                        let spelled = spelled.as_ref().map_or(written, TypeExpr::root);
                        self.parameter_of_type(taken, spelled, which, &known)
                    }
                    None => self.parameter_of_type(taken, written, which, &[]),
                };
                ty.or_else(|| self.parameter_of_only_method(taken, written, which.nth))
            })
        });
        types.reduce(Ty::or)
    }

    /// The type arguments of a call, inferred from its receiver and its arguments.
    fn type_arguments_where_called(&self, id: SymbolId, place: At<'_>, call: RefIdx) -> Vec<StandsFor> {
        let reference = &place.view.facts.references[call];
        let here = At {
            at: reference.at,
            ..place
        };
        let on = match reference.on {
            Qualifier::Value(value) => Some(self.value(place.file, value)),
            Qualifier::This => Some(self.this(here)),
            Qualifier::Nothing if self.semantics(id.file).has_function_types => Some(self.this(here)),
            _ => None,
        };
        let mut known = self.type_arguments_in_call(id, on.as_ref(), place.file, call);
        // `fun <T> T.with(..)`
        if let Some(on) = on {
            // `with(change: (self: this) => void)`
            if let Some(name) = self.semantics(id.file).receiver_type {
                known.push((name.to_owned(), on.clone()));
            }
            let owner = self.symbol(id, |view, symbol| Some(view.facts.names.get(symbol.owner?).to_owned()));
            let names = self.parameters_of_type(id);
            if let Some(owner) = owner.flatten().filter(|owner| names.contains(owner)) {
                known.insert(0, (owner, on));
            }
        }
        if self.kind_of(id) == Some(SymbolKind::Constructor) {
            let made = self.value(place.file, call);
            known.extend(self.seen_from(&made, id));
        }
        known.retain(|(_, ty)| *ty != UNKNOWN);
        known
    }

    /// The parameter of an argument. If an extension declares its receiver as the first parameter, arguments start at
    /// the second.
    fn slot_for(&self, place: At<'_>, call: Option<RefIdx>, id: SymbolId, slot: ArgumentSlot) -> ArgumentSlot {
        let passes_receiver = call.is_some_and(|call| {
            let reference = &place.view.facts.references[call];
            self.rules(id.file).passes_receiver(self, id, place.file, reference)
        });
        match slot {
            ArgumentSlot::Nth(nth) => ArgumentSlot::Nth(nth + u32::from(passes_receiver)),
            ArgumentSlot::Trailing => ArgumentSlot::Trailing,
        }
    }

    /// The same for a functional interface, by its only method.
    fn parameter_of_only_method(&self, place: At<'_>, ty: TypeRef<'_>, nth: usize) -> Option<Ty> {
        if !self.semantics(place.file).has_functional_interfaces {
            return None;
        }
        self.parameter_of_method(&self.type_from(place, ty), nth)
    }

    fn parameter_of_method(&self, ty: &Ty, nth: usize) -> Option<Ty> {
        let Base::Symbol(own) = ty.head else { return None };
        let id = self.only_method(own)?;
        self.parameter_type(id, nth, &self.seen_from(ty, id))
    }

    /// The number of parameters of a lambda that implements a functional interface.
    pub(crate) fn arity_of_functional_interface(&self, own: SymbolId) -> Option<usize> {
        Some(self.parameter_types(self.only_method(own)?).len())
    }

    /// The only method of a functional interface.
    fn only_method(&self, own: SymbolId) -> Option<SymbolId> {
        if !self.semantics(own.file).has_functional_interfaces {
            return None;
        }
        let view = self.view(own.file)?;
        let methods = SymbolIdx::enumerate(&view.facts.symbols);
        let mut methods = methods.filter(|(_, one)| one.parent == Some(own.symbol) && one.kind == SymbolKind::Method);
        let (symbol, _) = methods.next()?;
        if methods.next().is_some() || self.kind_of(own) == Some(SymbolKind::Class) {
            return None;
        }
        Some(SymbolId { symbol, ..own })
    }

    /// The functions and constructors that the call with its name at `callee_at` may resolve to.
    fn functions_called(&self, place: At<'_>, callee_at: u32) -> Vec<SymbolId> {
        let call = called_at(place.view, callee_at);
        let Some(Meaning::Symbols(symbols, _)) = call.map(|call| self.meaning(place.file, call)) else {
            return Vec::new();
        };
        let constructors = symbols
            .iter()
            .filter(|id| self.kind_of(**id).is_some_and(SymbolKind::has_members));
        let names = self.semantics(place.file).constructors;
        let constructors = constructors.flat_map(|id| names.iter().flat_map(|name| self.members(*id, name)));
        symbols.iter().copied().chain(constructors).collect()
    }

    /// The type of the parameter that an argument of a call is passed to.
    pub(crate) fn parameter_type_at(&self, place: At<'_>, callee_at: u32, slot: ArgumentSlot) -> Ty {
        let call = called_at(place.view, callee_at);
        let functions = self.functions_called(place, callee_at);
        let functions = match call {
            Some(call) => self
                .rules(place.file)
                .narrow_by_labels(self, functions, place.file, call),
            None => functions,
        };
        let rules = self.rules(place.file);
        let of_element = call.and_then(|call| rules.element_properties(self, place, call, &functions));
        let types = of_element.unwrap_or_else(|| {
            let types = functions.into_iter().filter_map(|id| {
                let places = call.and_then(|call| rules.labelled_parameters(self, place.file, call, id));
                let slot = match (places, slot) {
                    (Some(places), ArgumentSlot::Nth(nth)) => ArgumentSlot::Nth(*places.get(nth as usize)? as u32),
                    (Some(_), ArgumentSlot::Trailing) => return None,
                    (None, slot) => slot,
                };
                self.trail
                    .deeper(None, || self.parameter_in_call(id, slot, place, call))
            });
            types.collect()
        });
        let known = types.into_iter().reduce(Ty::or);
        known
            .or_else(|| match slot {
                ArgumentSlot::Nth(nth) => self.parameter_of_value(place, call?, nth as usize),
                ArgumentSlot::Trailing => None,
            })
            .unwrap_or(UNKNOWN)
    }

    /// The same for a call that resolves to no function: a callable value, by its type; a member that inserts into a
    /// library container (`shapes.push(..)`), by the element type.
    fn parameter_of_value(&self, place: At<'_>, call: RefIdx, nth: usize) -> Option<Ty> {
        let facts = &place.view.facts;
        let called = &facts.references[call];
        match (self.meaning(place.file, call), called.on) {
            (Meaning::Local(index), Qualifier::Nothing) => {
                // Narrowing a callable does not change its parameters.
                let is_test = |(_, binding): &(BindingIdx, &Binding)| binding.ty.is_some_and(TypeSource::is_test);
                let first = Some((index, &facts.bindings[index]));
                let mut all = std::iter::successors(first, |(index, _)| self.shadowed_binding(place.view, *index));
                let (index, binding) = all.find(|one| !is_test(one))?;
                let at = binding.at;
                match binding.ty {
                    Some(ty) => {
                        let ty = place.view.type_expr(ty.expr()?);
                        self.parameter_of_type(At { at, ..place }, ty, nth.into(), &[])
                    }
                    None => self.parameter_of_called_value(&self.binding(place.file, index), nth.into()),
                }
            }
            (Meaning::Symbols(symbols, _), _) => symbols.iter().find_map(|id| {
                let view = self.view(id.file)?;
                let symbol = &view.facts.symbols[id.symbol];
                let at = symbol.end_of_signature();
                let written = symbol.type_expr().filter(|_| !symbol.kind.is_function())?;
                let file = id.file;
                self.parameter_of_type(At { file, view: &view, at }, view.type_expr(written), nth.into(), &[])
            }),
            (Meaning::External | Meaning::Missing, Qualifier::Value(on)) => {
                let name = facts.names.get(called.name);
                let holder = self.value(place.file, on);
                let semantics = self.semantics(place.file);
                let mut out_arguments = semantics.library.out_argument_prefixes.iter();
                let takes_out = out_arguments.any(|prefix| name.starts_with(prefix));
                if takes_out && holder.head == Base::External {
                    return Some(self.indexed(holder)).filter(Ty::is_known);
                }
                let puts = semantics.library.inserting.contains(&name) && holder.head == Base::External;
                puts.then(|| self.indexed(holder)).filter(Ty::is_known)
            }
            _ => None,
        }
    }

    /// The type of a function's parameter, with type arguments inferred from a call.
    fn parameter_in_call(&self, id: SymbolId, slot: ArgumentSlot, place: At<'_>, call: Option<RefIdx>) -> Option<Ty> {
        let view = self.view(id.file)?;
        let Some((call, Parameter::Written(at, written))) = call.zip(parameter_at(&view, id, slot)) else {
            return self.type_of_slot(id, slot, &[]);
        };
        // The argument itself decides what `T` is, so it is typed by the bound: `<T extends Options>(options: T)`.
        let is_whole = self.parameters_of_type(id).iter().any(|name| name == written.text());
        let taken = At {
            file: id.file,
            view: &view,
            at,
        };
        if is_whole || !is_open_at(taken, written) {
            return self.type_of_slot(id, slot, &[]);
        }
        let known = self.type_arguments_where_called(id, place, call);
        if let Some(spelled) = self
            .rules(id.file)
            .with_literal_types(self, id, written, (place.file, call))
        {
            return Some(self.type_with(taken, spelled.root(), &known));
        }
        self.type_of_slot(id, slot, &known)
    }

    /// The type of a function's parameter. `known` are type arguments that are already known.
    pub(crate) fn parameter_type(&self, id: SymbolId, nth: usize, known: &[StandsFor]) -> Option<Ty> {
        self.type_of_slot(id, ArgumentSlot::Nth(nth as u32), known)
    }

    fn type_of_slot(&self, id: SymbolId, slot: ArgumentSlot, known: &[StandsFor]) -> Option<Ty> {
        let view = self.view(id.file)?;
        match parameter_at(&view, id, slot)? {
            Parameter::Written(at, ty) => {
                let file = id.file;
                let place = At { file, view: &view, at };
                Some(self.type_with(place, ty, known))
            }
            Parameter::Destructured(of) => Some(self.value(id.file, of)),
        }
    }
}

/// Whether a type mentions a type parameter.
fn is_open_at(place: At<'_>, ty: TypeRef<'_>) -> bool {
    ty.names().any(|name| {
        let local = place.view.binding_at(name, place.at);
        local.is_some_and(|(_, binding)| binding.kind == LocalKind::Generic)
    })
}

/// Keeps the alternatives of a union that fit, or all of them if none does.
pub(crate) fn only(ty: Ty, fits: impl Fn(SymbolId) -> bool) -> Ty {
    let Base::Any(all) = &ty.head else { return ty };
    let (fitting, others): (Vec<SymbolId>, Vec<SymbolId>) = all.iter().partition(|own| fits(**own));
    let head = match fitting[..] {
        [] => return ty,
        [one] => Base::Symbol(one),
        _ => Base::Any(fitting),
    };
    let mut rest = ty.rest;
    rest.retain(|other| !others.contains(other));
    Ty { head, rest, ..ty }
}

/// The bound of a type parameter of a function type: `Shape` for `T` in `<T extends Shape>(shape: T) => void`.
fn bound_of<'t>(type_parameters: &[TypeRef<'t>], name: &str) -> Option<TypeRef<'t>> {
    type_parameters.iter().find_map(|one| {
        let mut parts = one.is(TypeKind::Bounded).then(|| one.items())?;
        parts.next().filter(|own| own.text() == name)?;
        parts.next()
    })
}

/// The value of a literal type: a string, a number, a boolean, or a qualified enumeration member (`Kind.Circle`).
fn tag_value(ty: TypeRef<'_>) -> Option<String> {
    let text = ty.text();
    let is_value = ty.is(TypeKind::Number) || matches!(text, "true" | "false") || (ty.is_name() && text.contains('.'));
    match ty.string() {
        Some(value) => Some(value.to_owned()),
        None => is_value.then(|| text.to_owned()),
    }
}

/// The call whose name is at an offset.
pub(crate) fn called_at(view: &View, at: u32) -> Option<RefIdx> {
    let references = &view.facts.references;
    let first = references.partition_point(|reference| reference.at < at);
    let mut calls = RefIdx::enumerate_from(references, first).take_while(|(_, reference)| reference.at == at);
    calls.find_map(|(call, reference)| (reference.role == Role::Call).then_some(call))
}

/// Where the type of a parameter comes from.
enum Parameter<'v> {
    /// The offset of the parameter, and its declared type.
    Written(u32, TypeRef<'v>),
    /// The parameter is destructured, and its type is that of this reference.
    Destructured(RefIdx),
}

/// The first declared parameter of a function.
pub(crate) fn first_parameter<'v>(view: &'v View, symbol: &Symbol) -> Option<&'v Binding> {
    let mut taken = view.facts.parameters(symbol);
    taken.find(|one| one.kind != LocalKind::Generic && view.facts.names.get(one.name) != view.facts.name(symbol))
}

/// The offset and the declared type of a function's parameter.
pub(crate) fn written_parameter(view: &View, id: SymbolId, nth: usize) -> Option<(u32, TypeRef<'_>)> {
    match parameter_at(view, id, ArgumentSlot::Nth(nth as u32))? {
        Parameter::Written(at, ty) => Some((at, ty)),
        Parameter::Destructured(_) => None,
    }
}

/// A parameter of a function. A destructured one counts once, though it binds several names.
fn parameter_at(view: &View, id: SymbolId, slot: ArgumentSlot) -> Option<Parameter<'_>> {
    let symbol = view.facts.symbols.get(id.symbol.as_usize());
    let symbol = symbol.filter(|symbol| symbol.kind.is_function())?;
    let ArgumentSlot::Nth(nth) = slot else {
        let last = view
            .parameters(symbol)
            .filter(|one| one.kind != LocalKind::Generic)
            .last()?;
        return Some(Parameter::Written(last.at, view.type_expr(last.type_expr()?)));
    };
    let (mut whole, mut at) = (None, 0);
    for binding in view.parameters(symbol).filter(|one| one.kind != LocalKind::Generic) {
        let on = binding.value.map(|value| view.facts.references[value].on);
        let is_of = |on: &Qualifier| matches!(on, Qualifier::Value(_) | Qualifier::Path(_) | Qualifier::Context(_));
        let on = on.filter(|on| binding.ty.is_none() && is_of(on));
        if view.facts.names.get(binding.name) == "this" || (on.is_some() && on == whole) {
            continue;
        }
        whole = on;
        let (of, whole) = match on {
            Some(Qualifier::Value(of)) => (Some(of), None),
            // `{ width }: { width: number }`
            Some(Qualifier::Path(whole)) => (None, Some(whole)),
            _ => (None, None),
        };
        if at == nth {
            let written = binding.ty.map_or(whole, TypeSource::expr);
            let written = written.map(|ty| view.type_expr(ty));
            return match (written, of) {
                (Some(ty), _) => Some(Parameter::Written(binding.at, ty)),
                (None, Some(of)) => Some(Parameter::Destructured(of)),
                _ => None,
            };
        }
        at += 1;
    }
    None
}
