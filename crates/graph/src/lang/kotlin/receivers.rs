//! Receivers that the code does not name: of lambdas with receiver (`with(shape) { area() }`), and of enclosing extension
//! functions.

use syntax::{ArgValue, NameId, Qualifier, RefIdx, Symbol, SymbolKind};

use crate::{
    engine::{
        meaning::{Meaning, Rule},
        resolver::{At, MANY_FILES, Resolver, ids},
    },
    files::FileIdx,
    lang::related,
    types::{
        ty::{Base, Ty, UNKNOWN},
        type_names::last_part,
    },
    view::View,
};

/// The binding that facts have for every lambda without declared parameters; its value is the call that takes the lambda.
const LAMBDA_PARAMETER: &str = "it";

impl Resolver<'_> {
    /// An extension of the type that an enclosing function extends as well: `fun Shape.draw() { outline() }`.
    pub(crate) fn extension_of_same_type(&self, place: At<'_>, index: RefIdx) -> Option<Meaning> {
        let name = name_of_reference(place.view, index);
        let bare = |view: &View, owner: NameId| {
            let owner = view.type_expr(owner).unmarked();
            last_part(owner.path().unwrap_or(owner.text())).to_owned()
        };
        let around = place.view.around(place.at).filter_map(|(_, outer)| outer.owner);
        let around: Vec<String> = around.map(|owner| bare(place.view, owner)).collect();
        let defining = self.defining(name);
        if around.is_empty() || defining.len() > MANY_FILES {
            return None;
        }
        let mut found = Vec::new();
        for other in defining
            .iter()
            .filter(|other| related(self.lang(place.file), self.lang(**other)))
        {
            let Some(view) = self.view(*other) else { continue };
            let adds = view
                .symbols_named(name)
                .filter(|(_, symbol)| symbol.owner.is_some_and(|owner| around.contains(&bare(&view, owner))));
            let adds = ids(*other, adds);
            if !adds.is_empty() && self.sees(place, *other, name) {
                found.extend(adds);
            }
        }
        Meaning::of(found, Rule::Member)
    }

    /// A bare name as a member of the receiver of an enclosing lambda: `with(shape) { area() }`.
    pub(crate) fn member_of_lambda_receiver(&self, place: At<'_>, name: &str) -> Option<Meaning> {
        let At { file, view, at } = place;
        if self.defining(name).is_empty() {
            return None;
        }
        for (_, binding) in view.bindings_over(LAMBDA_PARAMETER, at) {
            let Some(call) = binding.value else { continue };
            let Ty {
                head: Base::Symbol(own),
                ..
            } = self.receiver_in_lambda(file, view, call)
            else {
                continue;
            };
            if let Some(found) = Meaning::of(self.members(own, name), Rule::Member) {
                return Some(found);
            }
        }
        None
    }

    /// The receiver of the innermost enclosing lambda that has one, within the enclosing method.
    pub(crate) fn lambda_receiver(&self, place: At<'_>) -> Option<Ty> {
        let At { file, view, at } = place;
        let has_this = |outer: &Symbol| {
            self.has_members(file, outer.kind) || outer.owner.is_some() || outer.kind == SymbolKind::Method
        };
        let own = view.around(at).find(|(_, outer)| has_this(outer));
        let inside = own.map_or(0, |(_, own)| own.span.start);
        let blocks = view
            .bindings_over(LAMBDA_PARAMETER, at)
            .filter(|(_, binding)| binding.at > inside);
        let mut types = blocks.filter_map(|(_, binding)| Some(self.receiver_in_lambda(file, view, binding.value?)));
        types.find(Ty::is_known)
    }

    /// An extension of the type of an enclosing lambda's receiver: `shape.apply { outline() }`.
    pub(crate) fn extension_of_lambda_receiver(&self, place: At<'_>, index: RefIdx) -> Option<Meaning> {
        let At { file, view, at } = place;
        let name = name_of_reference(view, index);
        if self.defining(name).is_empty() {
            return None;
        }
        let mut calls = view
            .bindings_over(LAMBDA_PARAMETER, at)
            .filter_map(|(_, block)| block.value);
        let found = calls.find_map(|call| {
            let is_ours = matches!(self.meaning(file, call), Meaning::Symbols(..));
            let value = library_receiver(view, call).filter(|_| !is_ours)?;
            self.extension(place, Qualifier::Value(value), name)
        })?;
        match &found {
            Meaning::Symbols(added, _) if !self.some_may_convert(added, file, view, index) => None,
            _ => Some(found),
        }
    }

    /// The receiver that a call gives to its lambda.
    fn receiver_in_lambda(&self, file: FileIdx, view: &View, call: RefIdx) -> Ty {
        if let Meaning::Symbols(symbols, _) = self.meaning(file, call) {
            // `build: Builder.() -> Unit`
            for id in symbols {
                let Some(callee) = self.view(id.file) else { continue };
                let symbol = &callee.facts.symbols[id.symbol];
                let last = callee.parameters(symbol).last();
                let ty = last.and_then(|last| last.type_expr()).map(|ty| callee.type_expr(ty));
                if let Some(receiver) = ty.and_then(|ty| ty.function()?.receiver) {
                    let place = At::signature(id.file, &callee, symbol);
                    return self.type_from(place, receiver);
                }
            }
            return UNKNOWN;
        }
        library_receiver(view, call).map_or(UNKNOWN, |value| self.value(file, value))
    }
}

fn name_of_reference(view: &View, index: RefIdx) -> &str {
    view.facts.names.get(view.facts.references[index].name)
}

/// The argument or receiver that a scope function of the library makes the receiver of its lambda.
fn library_receiver(view: &View, call: RefIdx) -> Option<RefIdx> {
    let reference = &view.facts.references[call];
    match (view.facts.names.get(reference.name), reference.on) {
        ("apply" | "run", Qualifier::Value(value)) => Some(value),
        ("with", Qualifier::Nothing) => match view.facts.given(call).next() {
            Some(ArgValue::Value(value)) => Some(value),
            _ => None,
        },
        _ => None,
    }
}
