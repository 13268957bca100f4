//! Components of a user interface (React, Preact): `<Box dense />` calls the function `Box` with an object of its attributes,
//! its props. This file finds the type of the props where the function does not declare it.

use syntax::{ArgValue, CallbackParameter, Context, Qualifier, RefIdx, Role, SymbolKind, TypeRef, TypeSource};

use crate::{
    engine::{
        meaning::Meaning,
        resolver::{At, Resolver},
    },
    infer::contextual::{call_of, called_at, first_parameter},
    types::{
        generics::StandsFor,
        ty::{Ty, UNKNOWN},
        type_names::last_part,
    },
    view::{SymbolId, View},
};

/// Types of components; their last type argument is the type of the props. `NextPage` is Next.js's.
const TYPES: &[&str] = &[
    "FC",
    "VFC",
    "SFC",
    "FunctionComponent",
    "ComponentType",
    "ForwardRefRenderFunction",
    "NextPage",
];
/// Base classes of components; their first type argument is the type of the props.
const CLASSES: &[&str] = &["Component", "PureComponent"];
/// Functions that make a component of a function; their last type argument is the type of the props.
const MAKING: &[&str] = &["forwardRef", "memo"];

/// The length of ` & `.
const INTERSECTION: u32 = 3;

impl Resolver<'_> {
    /// The props of a component whose first parameter has no declared type: by its own declared type, by the call that makes
    /// it, or by the class that it is derived from.
    pub(super) fn props_of(&self, id: SymbolId) -> Option<Ty> {
        let view = self.view(id.file)?;
        let facts = &view.facts;
        let symbol = facts.symbols.get(id.symbol.as_usize())?;
        if symbol.kind == SymbolKind::Class {
            return self.props_of_class(id, &[]);
        }
        let place = At::signature(id.file, &view, symbol);
        if symbol.kind.is_function() {
            let first = first_parameter(&view, symbol)?;
            // One that is taken apart says it by each of its names.
            let context = match first.ty {
                Some(TypeSource::Expected(context)) => context,
                Some(_) => return None,
                None => match facts.references[first.value?].on {
                    Qualifier::Context(context) => context,
                    _ => return None,
                },
            };
            return match place.view.facts.context(context) {
                Context::Parameter(CallbackParameter {
                    of,
                    key: None,
                    index: 0,
                }) => self.props_handed(place, place.view.facts.context(of)),
                _ => None,
            };
        }
        if let Some(ty) = symbol.ty {
            return self.props_of_type(place, place.view.type_expr(ty.expr()?));
        }
        // `memo(Inner)`, `forwardRef<Element, Props>(..)`
        let call = symbol.value?;
        if facts.references[call].role != Role::Call {
            return None;
        }
        if let Some(last) = self.behind(id.file, &view, call, &[]).0.pop() {
            return Some(last);
        }
        let first = facts.arguments.iter().find(|argument| argument.call == call)?;
        let ArgValue::Value(inner) = first.value else {
            return None;
        };
        match self.meaning(id.file, inner) {
            Meaning::Symbols(symbols, _) => {
                let mut inner = symbols.into_iter().filter(|inner| *inner != id);
                inner.find_map(|inner| self.trail.deeper(None, || self.taken_by_component(inner)))
            }
            _ => None,
        }
    }

    /// The props of a class component: the type argument of the library's class that it is derived from in the end.
    fn props_of_class(&self, id: SymbolId, known: &[StandsFor]) -> Option<Ty> {
        let view = self.view(id.file)?;
        let facts = &view.facts;
        let clause = *self.clauses(id, &view).first()?;
        let (given, _) = self.behind(id.file, &view, clause, known);
        let base = &facts.references[clause];
        if !CLASSES.contains(&facts.names.get(base.name)) {
            let Meaning::Symbols(found, _) = self.meaning(id.file, clause) else {
                return None;
            };
            let mut bases = found.into_iter();
            let base = bases.find(|base| *base != id && self.kind_of(*base) == Some(SymbolKind::Class))?;
            let given = given.into_iter().chain([UNKNOWN]);
            let mut known: Vec<StandsFor> = self.parameters_of_type(base).into_iter().zip(given).collect();
            if let Some((_, first)) = known.first_mut() {
                self.add_beside(first, id, &view, clause);
            }
            return self.trail.deeper(None, || self.props_of_class(base, &known));
        }
        let mut props = given.into_iter().next().unwrap_or(UNKNOWN);
        self.add_beside(&mut props, id, &view, clause);
        (props != UNKNOWN).then_some(props)
    }

    /// Adds the other types of a clause to the first: `extends Base<Shape & Box, State>`. The facts do not have the operator
    /// between two types, but only ` & ` is as long as the gap before a part of an intersection.
    fn add_beside(&self, first: &mut Ty, id: SymbolId, view: &View, clause: RefIdx) {
        let references = &view.facts.references;
        let end = view.facts.symbols[id.symbol].signature.end;
        let behind = RefIdx::enumerate_from(references, clause.next().as_usize());
        let mut last = None;
        for (at, one) in behind.take_while(|(_, one)| one.role == Role::Type && one.at < end) {
            let gap = last.replace(one.at + view.facts.names.get(one.name).len() as u32);
            let gap = gap.map(|last| one.at.wrapping_sub(last));
            let Meaning::Symbols(named, _) = self.meaning(id.file, at) else {
                continue;
            };
            let types = named.into_iter().map(|own| self.value_of_symbol(own, None));
            let ty = self.trail.deeper(UNKNOWN, || types.reduce(Ty::or).unwrap_or(UNKNOWN));
            if ty.heads().any(|new| first.heads().any(|head| head == new)) {
                continue;
            }
            match gap == Some(INTERSECTION) && first.is_known() {
                true => *first = std::mem::replace(first, UNKNOWN).or(ty),
                false => first.rest.extend(ty.heads()),
            }
        }
    }

    /// What components take whose attributes an element lists: `<Box dense />`. None if the call is no element.
    pub(super) fn props_of_element(&self, place: At<'_>, call: RefIdx, components: &[SymbolId]) -> Option<Vec<Ty>> {
        if !is_element(place, call) {
            return None;
        }
        let types = components.iter();
        let types = types.filter_map(|id| self.trail.deeper(None, || self.taken_by_component(*id)));
        Some(types.collect())
    }

    /// Whether the keys of a literal are the attributes of an element.
    pub(super) fn are_attributes(&self, place: At<'_>, context: Context) -> bool {
        let call = call_of(place, context);
        call.is_some_and(|call| is_element(place, call))
    }

    /// The type of a component's first parameter: declared by itself or by what makes it a component.
    fn taken_by_component(&self, id: SymbolId) -> Option<Ty> {
        self.parameter_type(id, 0, &[])
            .filter(Ty::is_known)
            .or_else(|| self.props_of(id))
    }

    /// The props of a function that is made a component where it stands: `memo<Props>((props) => ..)`, `const Box: FC<Props> = ..`.
    pub(super) fn props_handed(&self, place: At<'_>, context: Context) -> Option<Ty> {
        match context {
            Context::Argument { callee_at, .. } => {
                let call = called_at(place.view, callee_at)?;
                let made = place.view.facts.references[call].name;
                let is_made = MAKING.contains(&place.view.facts.names.get(made));
                is_made.then(|| self.behind(place.file, place.view, call, &[]).0.pop())?
            }
            Context::Type(ty) => self.props_of_type(place, place.view.type_expr(ty)),
            _ => None,
        }
    }

    fn props_of_type(&self, place: At<'_>, ty: TypeRef<'_>) -> Option<Ty> {
        if !TYPES.contains(&last_part(ty.first_name()?)) {
            return None;
        }
        Some(self.type_from(place, ty.arguments().last()?))
    }
}

/// Whether a call is an element: it has attributes and yet no list of arguments.
fn is_element(place: At<'_>, call: RefIdx) -> bool {
    place.view.facts.references[call].arguments.is_none()
}
