//! What components of a user interface take, where elements are written in the code: `<Box dense />` gives the function `Box`
//! an object of its attributes.

use syntax::{Given, Role, SymbolKind};

use super::{
    At, Meaning, Resolver, Ty,
    handed::{called_at, first_parameter},
    types::{last_part, type_arguments, type_paths},
};
use crate::view::SymbolId;

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

impl Resolver<'_> {
    /// What a component takes, where the function does not say it itself: by its type, by the call that makes it, or by the
    /// class that it is derived from.
    pub(super) fn props_of(&self, id: SymbolId) -> Option<Ty> {
        let view = self.view(id.file)?;
        let facts = &view.facts;
        let symbol = facts.symbols.get(id.symbol as usize)?;
        if symbol.kind == SymbolKind::Class {
            let first = facts.references.partition_point(|one| one.at < symbol.name_at);
            let header = facts.references.iter().enumerate().skip(first);
            let mut header = header.take_while(|(_, one)| one.at < symbol.signature.end);
            let (clause, _) = header
                .find(|(_, one)| one.role == Role::Implementation && CLASSES.contains(&facts.names.get(one.name)))?;
            return self.behind(id.file, &view, clause as u32, &[]).0.into_iter().next();
        }
        let place = At::signature(id.file, &view, symbol);
        if symbol.kind.is_function() {
            let handed = first_parameter(&view, symbol).and_then(|one| one.ty);
            let (key, nth, path) = syntax::handed_from(facts.names.get(handed?))?;
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
        let Given::Value(inner) = first.given else { return None };
        match self.meaning(id.file, inner) {
            Meaning::Symbols(symbols, _) => {
                let mut inner = symbols.into_iter().filter(|inner| *inner != id);
                inner.find_map(|inner| self.trail.deeper(None, || self.taken_by_component(inner)))
            }
            _ => None,
        }
    }

    /// What a component takes first, said by itself or otherwise.
    pub(super) fn taken_by_component(&self, id: SymbolId) -> Option<Ty> {
        self.parameter_type(id, 0, &[])
            .filter(Ty::is_known)
            .or_else(|| self.props_of(id))
    }

    /// What a function is handed first that is made a component where it stands.
    pub(super) fn props_handed(&self, place: At<'_>, path: &str) -> Option<Ty> {
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
