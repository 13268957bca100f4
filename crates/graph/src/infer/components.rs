//! What components of a user interface take, where elements are written in the code: `<Box dense />` gives the function `Box`
//! an object of its attributes.

use syntax::{ArgValue, Qualifier, Role, SymbolKind};

use crate::{
    engine::{
        meaning::Meaning,
        resolver::{At, Resolver},
    },
    infer::contextual::{called_at, first_parameter},
    types::{
        generics::StandsFor,
        ty::{Ty, UNKNOWN},
        type_text::{last_part, type_arguments, type_paths},
    },
    view::{SymbolId, View},
};

/// Types of components, and classes that they are derived from: what is written in brackets last, or first, is what they take.
const TYPES: &[&str] = &[
    "FC",
    "VFC",
    "SFC",
    "FunctionComponent",
    "ComponentType",
    "ForwardRefRenderFunction",
    "NextPage",
];
const CLASSES: &[&str] = &["Component", "PureComponent"];
/// Functions that make components of functions, with what those take in brackets last.
const MAKING: &[&str] = &["forwardRef", "memo"];

/// How long ` & ` is.
const JOINT: u32 = 3;

impl Resolver<'_> {
    /// What a component takes, where the function does not say it itself: by its type, by the call that makes it, or by the
    /// class that it is derived from.
    pub(crate) fn props_of(&self, id: SymbolId) -> Option<Ty> {
        let view = self.view(id.file)?;
        let facts = &view.facts;
        let symbol = facts.symbols.get(id.symbol as usize)?;
        if symbol.kind == SymbolKind::Class {
            return self.props_of_class(id, &[]);
        }
        let place = At::signature(id.file, &view, symbol);
        if symbol.kind.is_function() {
            let first = first_parameter(&view, symbol)?;
            // One that is taken apart says it by each of its names.
            let apart = || match facts.references[first.value? as usize].on {
                Qualifier::Path(path) => Some(path),
                _ => None,
            };
            let (key, nth, path) = syntax::handed_from(facts.names.get(first.ty.or_else(apart)?))?;
            if !key.is_empty() || nth > 0 {
                return None;
            }
            return self.props_handed(place, path);
        }
        if let Some(ty) = symbol.ty {
            return self.props_of_type(place, facts.names.get(ty));
        }
        // `memo(Inner)`, `forwardRef<Element, Props>(..)`
        let call = symbol.value?;
        if facts.references[call as usize].role != Role::Call {
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

    /// The same of a class, by what it gives the library's class at the end of those that it is derived from.
    fn props_of_class(&self, id: SymbolId, known: &[StandsFor]) -> Option<Ty> {
        let view = self.view(id.file)?;
        let facts = &view.facts;
        let clause = *self.clauses(id, &view).first()?;
        let (given, _) = self.behind(id.file, &view, clause, known);
        let base = &facts.references[clause as usize];
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

    /// Adds the other types that a clause names behind the first, which may be part of it: `extends Base<Shape & Box, State>`.
    /// What joins them is not at hand, but what stands a joint away is part of it.
    fn add_beside(&self, first: &mut Ty, id: SymbolId, view: &View, clause: u32) {
        let references = &view.facts.references;
        let end = view.facts.symbols[id.symbol as usize].signature.end;
        let behind = (clause + 1..).zip(&references[clause as usize + 1..]);
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
            match gap == Some(JOINT) && first.is_known() {
                true => *first = std::mem::replace(first, UNKNOWN).or(ty),
                false => first.rest.extend(ty.heads()),
            }
        }
    }

    /// What a component takes first, said by itself or otherwise.
    pub(crate) fn taken_by_component(&self, id: SymbolId) -> Option<Ty> {
        self.parameter_type(id, 0, &[])
            .filter(Ty::is_known)
            .or_else(|| self.props_of(id))
    }

    /// What a function is handed first that is made a component where it stands.
    pub(crate) fn props_handed(&self, place: At<'_>, path: &str) -> Option<Ty> {
        if !self.semantics(place.file).has_elements {
            return None;
        }
        match syntax::taken_by(path) {
            Some((call, _)) => {
                let call = called_at(place.view, call)?;
                let made = place.view.facts.references[call as usize].name;
                let is_made = MAKING.contains(&place.view.facts.names.get(made));
                is_made.then(|| self.behind(place.file, place.view, call, &[]).0.pop())?
            }
            None => self.props_of_type(place, path),
        }
    }

    fn props_of_type(&self, place: At<'_>, text: &str) -> Option<Ty> {
        let head = type_paths(text).next()?;
        if !TYPES.contains(&last_part(head)) {
            return None;
        }
        let props = type_arguments(text).last()?;
        Some(self.type_from(place, props.trim()))
    }
}
