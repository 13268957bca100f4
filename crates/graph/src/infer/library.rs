//! Types that flow through library containers: results of their members, and parameters of the callbacks passed to
//! them: `shapes.filter { .. }.map { .. }.first()`.

use syntax::{ArgValue, CallbackParameter, Pattern, PatternId, PatternStep, Qualifier, RefIdx, Role};

use crate::{
    engine::resolver::{At, Resolver},
    files::FileIdx,
    infer::{containers::part_of_tuple, contextual::call_of},
    lang::{CallbackArg, Construction, LibraryResult},
    types::ty::{Base, Ty, UNKNOWN},
    view::{SymbolId, View},
};

impl Resolver<'_> {
    /// The result type of a library call or member, by its name and the receiver's type: `shapes.first()`.
    pub(crate) fn library_result_type(&self, file: FileIdx, view: &View, index: RefIdx, on: Option<&Ty>) -> Option<Ty> {
        let library = &self.semantics(file).library;
        let reference = &view.facts.references[index];
        let name = view.facts.names.get(reference.name);
        if reference.role == Role::Call
            && let Some(construction) = library.construction(name)
        {
            return self.constructed_container(file, view, index, construction);
        }
        // In `new List<Shape>()` the qualifier is the word `new`, not a path.
        let is_at_path = match reference.on {
            Qualifier::Path(path) => view.facts.names.get(path) != "new",
            on => matches!(on, Qualifier::Context(_)),
        };
        let may_say = matches!(reference.role, Role::Call | Role::Member) && !is_at_path;
        if may_say && library.infers_type_arguments {
            let (types, _) = self.behind(file, view, index, &[]);
            if types.iter().any(Ty::is_known) {
                return Some(Ty::list(types));
            }
        }
        let result = library.result(name)?;
        let on = match on {
            Some(on) => self.as_library_container(on),
            None if reference.on == Qualifier::Nothing && result == LibraryResult::CallbackResult => UNKNOWN,
            None => return None,
        };
        let made = || {
            let made = view.also(reference.at).next()?;
            let made = self.trail.deeper(UNKNOWN, || self.value(file, made));
            Some(made).filter(|made| *made != UNKNOWN)
        };
        Some(match result {
            LibraryResult::External => Ty::new(Base::External),
            LibraryResult::Receiver | LibraryResult::SameElements => on,
            LibraryResult::FirstOrElement => match &on.given[..] {
                [first, _, ..] if reference.role == Role::Member => first.clone(),
                _ => self.element_or_self(&on),
            },
            LibraryResult::Values => Ty::list(vec![on.given.last()?.clone()]),
            LibraryResult::Element | LibraryResult::OptionalElement | LibraryResult::OptionValue => {
                self.element_or_self(&on)
            }
            LibraryResult::Value => match on.head {
                Base::Symbol(_) => on,
                _ => self.indexed(on),
            },
            LibraryResult::CallbackResult => made()?,
            LibraryResult::CallbackResults => Ty::list(vec![made().unwrap_or(UNKNOWN)]),
            LibraryResult::TypeArgument(nth) => on.given.get(nth)?.clone(),
            LibraryResult::TypeArguments(nth) => Ty::list(vec![on.given.get(nth)?.clone()]),
            LibraryResult::MapByCallback => {
                let second = view.also(reference.at).nth(1);
                let value = second.map(|second| self.trail.deeper(UNKNOWN, || self.value(file, second)));
                Ty::list(vec![
                    made().unwrap_or(UNKNOWN),
                    value.unwrap_or_else(|| self.element_or_self(&on)),
                ])
            }
            LibraryResult::MapToCallback => Ty::list(vec![self.element_or_self(&on), made().unwrap_or(UNKNOWN)]),
            LibraryResult::Groups => Ty::list(vec![
                made().unwrap_or(UNKNOWN),
                Ty::list(vec![self.element_or_self(&on)]),
            ]),
            LibraryResult::MappedValues => Ty::list(vec![on.given.first()?.clone(), made().unwrap_or(UNKNOWN)]),
            LibraryResult::Pair => Ty::list(vec![on.clone(), on]),
            LibraryResult::Zipped => {
                let other = self.element_of_other_argument(file, view, index).unwrap_or(UNKNOWN);
                Ty::list(vec![Ty::list(vec![self.element_or_self(&on), other])])
            }
            LibraryResult::IndexFirst => {
                Ty::list(vec![Ty::list(vec![Ty::new(Base::External), self.element_or_self(&on)])])
            }
            LibraryResult::IndexLast => {
                Ty::list(vec![Ty::list(vec![self.element_or_self(&on), Ty::new(Base::External)])])
            }
            LibraryResult::Nested => Ty::list(vec![on]),
        })
    }

    /// The type of a parameter of a callback passed to a member of a library container: `shape` in
    /// `shapes.map { shape -> .. }`.
    pub(crate) fn library_callback_parameter(
        &self,
        file: FileIdx,
        view: &View,
        call: RefIdx,
        nth: usize,
    ) -> Option<Ty> {
        let library = &self.semantics(file).library;
        let reference = &view.facts.references[call];
        let name = view.facts.names.get(reference.name);
        if !library.infers_type_arguments || self.meaning(file, call).is_found() {
            return None;
        }
        let on = match reference.on {
            Qualifier::Value(value) => self.value(file, value),
            Qualifier::This => {
                let at = reference.at;
                self.this(At { file, view, at })
            }
            _ => return None,
        };
        let argument = library.callback_arg(name, nth);
        if argument == CallbackArg::Receiver {
            return Some(on);
        }
        let on = self.as_library_container(&on);
        let one = self.element_or_self(&on);
        if matches!(argument, CallbackArg::Element | CallbackArg::Unknown)
            && let Some(part) = self.rules(file).element_part(&one, nth)
        {
            return Some(part);
        }
        match (argument, &on.given[..]) {
            (CallbackArg::Element, _) => Some(one),
            (CallbackArg::Key, [key, _]) => Some(key.clone()),
            (CallbackArg::OtherElement, _) => self.element_of_other_argument(file, view, call),
            (CallbackArg::Initial, _) => Some(self.first_argument_type(file, view, call)),
            // Callbacks of a map take the key, then the value.
            (CallbackArg::Unknown, [_, value]) if nth == 1 && library.result(name).is_none() => Some(value.clone()),
            _ => Some(Ty::new(Base::External)),
        }
    }

    /// A class that extends a library container, as that container: `List<Shape>` for `class Shapes : List<Shape>`.
    fn as_library_container(&self, ty: &Ty) -> Ty {
        match ty.head {
            Base::Symbol(own) if self.has_other_supertypes(own) => {
                let known = self.as_library_base(own);
                if known.given.iter().any(Ty::is_known) {
                    known
                } else {
                    ty.clone()
                }
            }
            _ => ty.clone(),
        }
    }

    /// The element type of a container. A map stays as it is (its element is a key with a value), and so does a type
    /// that is no container.
    pub(crate) fn element_or_self(&self, ty: &Ty) -> Ty {
        match (&ty.head, &ty.given[..], &ty.rest[..]) {
            (Base::External, [one], _) => one.clone(),
            (Base::External, [_, _], _) => ty.clone(),
            (Base::External | Base::Unknown, [], [one]) => Ty::new(Base::Symbol(*one)),
            (Base::External | Base::Unknown, _, _) => Ty::holding(Base::Unknown, ty.rest.clone()),
            _ => ty.clone(),
        }
    }

    /// The type of the loop variable when a value of this type is iterated over.
    pub(crate) fn each_of(&self, ty: Ty) -> Ty {
        if let Base::Symbol(own) = ty.head {
            let iteration = self.semantics(own.file).library.iteration;
            let iterator = iteration.and_then(|(iterator, _)| self.member_result_type(&ty, &[iterator]));
            match (iterator, iteration) {
                (Some(iterator), _) if iterator.head == Base::External => return self.element_or_self(&iterator),
                (Some(iterator), Some((_, next))) if matches!(iterator.head, Base::Symbol(id) if id != own) => {
                    if let Some(element) = self.member_result_type(&iterator, &[next]) {
                        return element;
                    }
                }
                _ => {}
            }
            let holder = self.as_library_container(&ty);
            // With `has_array_types`, an array is inferred as the type of its elements.
            if holder.head == ty.head && !self.semantics(own.file).has_array_types {
                return self.element_of(ty);
            }
            return self.element_or_self(&holder);
        }
        match ty.given[..] {
            [] => self.element_of(ty),
            _ => self.element_or_self(&ty),
        }
    }

    /// The type of a call's first argument.
    fn first_argument_type(&self, file: FileIdx, view: &View, call: RefIdx) -> Ty {
        let at = view.facts.references[call].at;
        match view.facts.given(call).next() {
            Some(ArgValue::Value(value)) => self.trail.deeper(UNKNOWN, || self.value(file, value)),
            Some(ArgValue::This) => self.this(At { file, view, at }),
            Some(ArgValue::Literal(_)) => Ty::new(Base::External),
            _ => UNKNOWN,
        }
    }

    /// The element type of the first argument that is a value: of `shapes` in `names.zip(shapes)`.
    fn element_of_other_argument(&self, file: FileIdx, view: &View, call: RefIdx) -> Option<Ty> {
        let mut given = view.facts.given(call);
        given.find_map(|given| match given {
            ArgValue::Value(value) => Some(self.element_or_self(&self.as_library_container(&self.value(file, value)))),
            _ => None,
        })
    }

    /// The type of a container created by a call: `listOf(a, b)`, `mapOf(a to b)`, `List[Shape]()`.
    fn constructed_container(
        &self,
        file: FileIdx,
        view: &View,
        call: RefIdx,
        construction: Construction,
    ) -> Option<Ty> {
        let (types, _) = self.behind(file, view, call, &[]);
        if !types.is_empty() {
            return Some(Ty::list(types));
        }
        let given = view.facts.given(call).take(crate::infer::symbol::MAX_VALUES);
        let values: Vec<Ty> = given
            .filter_map(|given| match given {
                ArgValue::Value(value) => Some(self.trail.deeper(UNKNOWN, || self.value(file, value))),
                _ => None,
            })
            .collect();
        if let (Construction::Zip, [one, other]) = (construction, &values[..]) {
            return Some(Ty::list(vec![Ty::list(vec![
                self.element_or_self(one),
                self.element_or_self(other),
            ])]));
        }
        if construction == Construction::Tuple {
            let at = view.facts.references[call].on;
            let first = match at {
                Qualifier::Value(first) => Some(self.value(file, first)),
                _ => None,
            };
            return Some(Ty::list(first.into_iter().chain(values).collect()));
        }
        let one = values.into_iter().reduce(Ty::or_new)?;
        Some(match construction == Construction::Map && one.given.len() == 2 {
            true => one,
            false => Ty::list(vec![one]),
        })
    }

    /// The type of a name bound by a pattern: follows the steps from the matched value down to the name.
    pub(crate) fn type_by_pattern_steps(&self, place: At<'_>, pattern: PatternId, value: Option<RefIdx>) -> Ty {
        let Pattern { steps, of } = place.view.facts.pattern(pattern);
        let whole = match (of, value) {
            (Some(parameter), _) => self.callback_parameter_whole(place, *parameter),
            (None, Some(value)) => self.value(place.file, value),
            (None, None) => UNKNOWN,
        };
        steps.iter().fold(whole, |whole, step| self.step(place, whole, *step))
    }

    /// The type of a callback's parameter, by the function type that is expected of the callback, or else by the call
    /// that the callback is passed to.
    pub(crate) fn callback_parameter_whole(&self, place: At<'_>, parameter: CallbackParameter) -> Ty {
        let known = self.callback_parameter_at(place, parameter);
        let call = call_of(place, place.view.facts.context(parameter.of));
        match call {
            Some(call) if known == UNKNOWN => {
                self.callback_parameter_by_call(place.file, place.view, call, Some(parameter.index as usize))
            }
            _ => known,
        }
    }

    fn step(&self, place: At<'_>, whole: Ty, step: PatternStep) -> Ty {
        let rules = self.rules(place.file);
        let name = |id| place.view.facts.names.get(id);
        let unpacked = match step {
            PatternStep::Component(nth) => rules.unpacked(self, &whole, nth as usize, false),
            PatternStep::ElementComponent(nth) => rules.unpacked(self, &whole, nth as usize, true),
            _ => None,
        };
        if let Some(part) = unpacked {
            return part;
        }
        match step {
            PatternStep::Component(nth) => self.component_of(&whole, nth as usize),
            PatternStep::ElementComponent(_) => UNKNOWN,
            PatternStep::ListElement(nth) => {
                part_of_tuple(&whole, nth as usize).unwrap_or_else(|| self.element_of(whole))
            }
            PatternStep::NamedComponent { pattern, index } => {
                let part = rules.named_component(self, place, &whole, (name(pattern), index as usize));
                part.unwrap_or(UNKNOWN)
            }
            PatternStep::Element => self.each_of(whole),
            PatternStep::As(ty) => self.type_from(place, place.view.type_expr(ty)),
            PatternStep::Member(member) => self.type_of_member(&whole, name(member)),
        }
    }

    /// The type of a destructured component: a tuple's by position, a class's by its own declaration (`component1()`).
    fn component_of(&self, whole: &Ty, nth: usize) -> Ty {
        let Base::Symbol(own) = whole.head else {
            return whole.given.get(nth).cloned().unwrap_or(match whole.rest.is_empty() {
                true => Ty::new(Base::External),
                false => Ty::holding(Base::Unknown, whole.rest.clone()),
            });
        };
        let rules = self.rules(own.file);
        rules.component_type(self, whole, own, nth).unwrap_or(UNKNOWN)
    }

    /// The type of a field declared in a primary constructor, by its index: `case class Circle(center: Point)`.
    pub(crate) fn field_in_head(&self, whole: &Ty, own: SymbolId, nth: usize) -> Option<Ty> {
        let view = self.view(own.file)?;
        let symbol = &view.facts.symbols[own.symbol];
        let inside = view.facts.symbols[own.symbol.next().as_usize()..].iter();
        let mut inside = inside.take_while(|inner| inner.name_at < symbol.signature.end);
        let field = inside.nth(nth).filter(|field| field.parent == Some(own.symbol))?;
        let ty = view.type_expr(field.type_expr()?);
        let names = self.parameters_of_type(own).into_iter();
        let known: Vec<_> = names.zip(whole.given.iter().cloned()).collect();
        let at = field.name_at;
        let file = own.file;
        Some(
            self.trail
                .deeper(UNKNOWN, || self.type_with(At { file, view: &view, at }, ty, &known)),
        )
    }

    /// The result type of an operator, by the operand type's operator member (`plus`, `+`).
    pub(crate) fn operator_result(&self, file: FileIdx, view: &View, step: RefIdx) -> Ty {
        let semantics = self.semantics(file);
        let operator = view.facts.names.get(view.facts.references[step].name);
        let values = view.facts.given(step).map(|given| match given {
            ArgValue::Value(value) => self.value(file, value),
            _ => Ty::new(Base::External),
        });
        let values: Vec<Ty> = values.collect();
        // `name -> shape`
        if semantics.library.construction(operator) == Some(Construction::Tuple) {
            return Ty::list(values);
        }
        let member = (semantics.operator_member)(operator).unwrap_or(operator);
        let mut said = values
            .iter()
            .filter_map(|value| self.member_result_type(value, &[member]));
        said.next().unwrap_or_else(|| match values.first() {
            Some(first) if first.head == Base::External && !first.given.is_empty() => first.clone(),
            Some(first) if first.is_known() => UNKNOWN,
            _ => Ty::new(Base::External),
        })
    }
}
