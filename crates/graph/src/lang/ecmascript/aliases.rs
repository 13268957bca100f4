//! Type aliases with type parameters, and string literals that stand for type parameters.

use syntax::{ArgValue, LocalKind, RefIdx, Role, SymbolKind, TypeExpr, TypeRef};

use crate::{
    engine::{
        meaning::Meaning,
        resolver::{At, Resolver},
    },
    files::FileIdx,
    types::{
        generics::StandsFor,
        ty::{Base, Ty, UNKNOWN},
    },
    view::{SymbolId, View},
};

impl Resolver<'_> {
    /// The type of an alias with type arguments: `Named<Shape>`, where `type Named<T> = T & { name: string }`.
    pub(super) fn alias_with_arguments(
        &self,
        place: At<'_>,
        path: &str,
        written: TypeRef<'_>,
        known: &[StandsFor],
    ) -> Option<Ty> {
        written.arguments().next()?;
        let Meaning::Symbols(symbols, _) = self.type_meaning(place, path) else {
            return None;
        };
        let id = *symbols.iter().find(|id| self.kind_of(**id) == Some(SymbolKind::Type))?;
        let given = written.arguments().map(|argument| match argument.string() {
            Some(_) => Ty::new(Base::External),
            None => self.type_with(place, argument, known),
        });
        let given: Vec<StandsFor> = self.parameters_of_type(id).into_iter().zip(given).collect();
        self.instantiated(id, &given, Some(written)).filter(Ty::is_known)
    }

    /// The aliased type where its type parameters stand for types. `expression` is the alias as it is named there.
    fn instantiated(&self, id: SymbolId, given: &[StandsFor], expression: Option<TypeRef<'_>>) -> Option<Ty> {
        let view = self.view(id.file)?;
        let symbol = &view.facts.symbols[id.symbol];
        // A long one was cut off in the facts: only its members say what it is.
        let aliased = Some(view.type_expr(symbol.type_expr()?)).filter(|aliased| aliased.is_complete())?;
        if !given.iter().any(|(name, _)| aliased.has_name(name)) {
            return None;
        }
        let declared = At::signature(id.file, &view, symbol);
        let spelled = expression.and_then(|expression| self.with_string_arguments(id, aliased, expression));
        let spelled = spelled.as_ref().map_or(aliased, TypeExpr::root);
        Some(self.trail.deeper(UNKNOWN, || self.type_with(declared, spelled, given)))
    }

    /// The type that an alias in a clause of supertypes stands for: `interface Shape extends Named<Box>`.
    pub(super) fn alias_of_clause(&self, id: SymbolId, view: &View, clause: RefIdx, alias: SymbolId) -> Option<Ty> {
        let name = self.parameters_of_type(alias).into_iter().next()?;
        let references = &view.facts.references;
        let inner = references.get(clause.next().as_usize())?;
        let symbol = &view.facts.symbols[id.symbol];
        let behind = references[clause].at;
        // Nothing is written out before it.
        let mut between = view.facts.symbols[id.symbol.next().as_usize()..].iter();
        let is_first = !between.any(|one| behind < one.name_at && one.name_at < inner.at);
        if inner.role != Role::Type || inner.at >= symbol.signature.end || !is_first {
            return None;
        }
        let given = match self.meaning(id.file, clause.next()) {
            Meaning::Symbols(found, _) => Ty::new(Base::Symbol(*found.first()?)),
            _ => return None,
        };
        let ty = self.instantiated(alias, &[(name, given)], None)?;
        ty.is_known().then_some(ty)
    }

    /// A type expression of a function's signature with the string arguments of a call put in for the type parameters that
    /// they are of: in `on('close', ..)` of `on<K>(event: K, ..)`, `Events[K]` is `Events['close']`. None, if there are none.
    pub(super) fn with_string_parameters(
        &self,
        id: SymbolId,
        ty: TypeRef<'_>,
        (file, call): (FileIdx, RefIdx),
    ) -> Option<TypeExpr> {
        let names = self.parameters_of_type(id);
        if !ty.names().any(|path| names.iter().any(|name| name == path)) {
            return None;
        }
        let (callee, view) = (self.view(id.file)?, self.view(file)?);
        let symbol = &callee.facts.symbols[id.symbol];
        let parameters = callee.parameters(symbol).filter(|one| one.kind != LocalKind::Generic);
        let parameters = parameters.filter(|one| callee.facts.names.get(one.name) != "this");
        let mut known: Vec<(&str, TypeRef<'_>)> = Vec::new();
        for (parameter, given) in parameters.zip(view.facts.given(call)) {
            let ArgValue::Written(written) = given else { continue };
            let literal = view.type_expr(written);
            let ty = parameter.type_expr().map_or("", |ty| callee.facts.names.get(ty));
            if literal.string().is_some() && names.iter().any(|name| name == ty) {
                known.push((ty, literal));
            }
        }
        if known.is_empty() {
            return None;
        }
        // A type parameter that is known by its bound alone is that bound: `<K extends Code, T extends Coded<K>>(code: K, info: Info<T>)`.
        let bounds = names.iter().filter_map(|name| {
            let (_, binding) = callee.binding_at(name, symbol.end_of_signature())?;
            let bound = callee.type_expr(binding.type_expr()?);
            let is_told = known.iter().any(|(known, _)| known == name);
            Some((name.as_str(), bound.substituted(&known).filter(|_| !is_told)?))
        });
        let bounds: Vec<(&str, TypeExpr)> = bounds.collect();
        known.extend(bounds.iter().map(|(name, bound)| (*name, bound.root())));
        ty.substituted(&known)
    }
}
