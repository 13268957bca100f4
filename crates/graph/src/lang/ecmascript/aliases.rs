//! Type aliases with type parameters, and string literals that stand for type parameters.

use std::borrow::Cow;

use syntax::{ArgValue, LocalKind, RefIdx, Role, SymbolKind};

use crate::{
    engine::{
        meaning::Meaning,
        resolver::{At, Resolver},
    },
    files::FileIdx,
    types::{
        generics::StandsFor,
        ty::{Base, Ty, UNKNOWN},
        type_text::{is_string_literal, substituted, type_arguments, type_paths},
    },
    view::{SymbolId, View},
};

impl Resolver<'_> {
    /// The type of an alias with type arguments: `Named<Shape>`, where `type Named<T> = T & { name: string }`.
    pub(super) fn alias_with_arguments(
        &self,
        place: At<'_>,
        path: &str,
        text: &str,
        known: &[StandsFor],
    ) -> Option<Ty> {
        type_arguments(text).next()?;
        let Meaning::Symbols(symbols, _) = self.type_meaning(place, path) else {
            return None;
        };
        let id = *symbols.iter().find(|id| self.kind_of(**id) == Some(SymbolKind::Type))?;
        let given = type_arguments(text).map(|text| match is_string_literal(text) {
            true => Ty::new(Base::External),
            false => self.type_with(place, text, known),
        });
        let given: Vec<StandsFor> = self.parameters_of_type(id).into_iter().zip(given).collect();
        self.instantiated(id, &given, text).filter(Ty::is_known)
    }

    /// The aliased type where its type parameters stand for types. `expression` is the alias as it is named there.
    fn instantiated(&self, id: SymbolId, given: &[StandsFor], expression: &str) -> Option<Ty> {
        let view = self.view(id.file)?;
        let symbol = &view.facts.symbols[id.symbol as usize];
        // A long one was cut off in the facts: only its members say what it is.
        let written = Some(view.facts.names.get(symbol.type_expr()?)).filter(|written| is_whole(written))?;
        if !given
            .iter()
            .any(|(name, _)| type_paths(written).any(|path| path == name))
        {
            return None;
        }
        let declared = At::signature(id.file, &view, symbol);
        let written = self.with_string_arguments(id, written, expression);
        Some(self.trail.deeper(UNKNOWN, || self.type_with(declared, &written, given)))
    }

    /// The type that an alias in a clause of supertypes stands for: `interface Shape extends Named<Box>`.
    pub(super) fn alias_of_clause(&self, id: SymbolId, view: &View, clause: RefIdx, alias: SymbolId) -> Option<Ty> {
        let name = self.parameters_of_type(alias).into_iter().next()?;
        let references = &view.facts.references;
        let inner = references.get(clause.next().as_usize())?;
        let symbol = &view.facts.symbols[id.symbol as usize];
        let behind = references[clause].at;
        // Nothing is written out before it.
        let mut between = view.facts.symbols[id.symbol as usize + 1..].iter();
        let is_first = !between.any(|one| behind < one.name_at && one.name_at < inner.at);
        if inner.role != Role::Type || inner.at >= symbol.signature.end || !is_first {
            return None;
        }
        let given = match self.meaning(id.file, clause.next()) {
            Meaning::Symbols(found, _) => Ty::new(Base::Symbol(*found.first()?)),
            _ => return None,
        };
        let ty = self.instantiated(alias, &[(name, given)], "")?;
        ty.is_known().then_some(ty)
    }

    /// A type expression of a function's signature with the string arguments of a call put in for the type parameters that
    /// they are of: in `on('close', ..)` of `on<K>(event: K, ..)`, `Events[K]` is `Events['close']`.
    pub(super) fn with_string_parameters<'t>(
        &self,
        id: SymbolId,
        text: &'t str,
        (file, call): (FileIdx, RefIdx),
    ) -> Cow<'t, str> {
        let unchanged = Cow::Borrowed(text);
        let names = self.parameters_of_type(id);
        if !type_paths(text).any(|path| names.iter().any(|name| name == path)) {
            return unchanged;
        }
        let (Some(callee), Some(view)) = (self.view(id.file), self.view(file)) else {
            return unchanged;
        };
        let symbol = &callee.facts.symbols[id.symbol as usize];
        let parameters = callee.parameters(symbol).filter(|one| one.kind != LocalKind::Generic);
        let parameters = parameters.filter(|one| callee.facts.names.get(one.name) != "this");
        let mut known: Vec<(&str, Cow<'_, str>)> = Vec::new();
        for (parameter, given) in parameters.zip(view.facts.given(call)) {
            let ArgValue::Written(written) = given else { continue };
            let literal = view.facts.names.get(written);
            let ty = parameter.type_expr().map_or("", |ty| callee.facts.names.get(ty));
            if is_string_literal(literal) && names.iter().any(|name| name == ty) {
                known.push((ty, literal.into()));
            }
        }
        if known.is_empty() {
            return unchanged;
        }
        // A type parameter that is known by its bound alone is that bound: `<K extends Code, T extends Coded<K>>(code: K, info: Info<T>)`.
        for name in &names {
            let bound = callee.binding_at(name, symbol.end_of_signature());
            let bound = bound.and_then(|(_, binding)| Some(callee.facts.names.get(binding.type_expr()?)));
            let speaks = |bound: &&str| type_paths(bound).any(|path| known.iter().any(|(name, _)| *name == path));
            let is_told = known.iter().any(|(known, _)| known == name);
            if let Some(bound) = bound.filter(|bound| !is_told && speaks(bound)) {
                let bound = substituted(bound, &known).into_owned();
                known.push((name, bound.into()));
            }
        }
        substituted(text, &known)
    }
}

/// Whether every bracket of a type expression is closed.
fn is_whole(text: &str) -> bool {
    let depth = text.bytes().fold(0, |depth, byte| match byte {
        b'(' | b'[' | b'{' => depth + 1,
        b')' | b']' | b'}' => depth - 1,
        _ => depth,
    });
    depth == 0
}
