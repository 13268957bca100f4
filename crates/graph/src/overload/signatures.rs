//! One function with several signatures (`@overload` in Python, overloads in TypeScript): which of them a call selects.

use syntax::{RefIdx, TypeRef};

use crate::{
    engine::resolver::{At, Resolver},
    files::FileIdx,
    lang::Overloads,
    overload::{
        arg_type::{ArgType, Shape},
        candidates::parameters,
    },
    view::SymbolId,
};

impl Resolver<'_> {
    /// The signatures of a function whose parameters take the arguments of a call, in their order; all if none does.
    pub(crate) fn fitting_signatures(&self, symbols: Vec<SymbolId>, file: FileIdx, call: RefIdx) -> Vec<SymbolId> {
        let Some(view) = self
            .view(file)
            .filter(|_| symbols.len() > 1 && self.semantics(file).overloads == Overloads::Signatures)
        else {
            return symbols;
        };
        let given = view.facts.given(call);
        let given: Vec<ArgType> = given
            .map(|given| self.arg_type_of_argument(file, &view, call, given))
            .collect();
        for with_guesses in [true, false] {
            let fitting = symbols
                .iter()
                .copied()
                .filter(|id| self.signature_takes(*id, &given, with_guesses));
            let fitting: Vec<SymbolId> = fitting.collect();
            if !fitting.is_empty() {
                return fitting;
            }
        }
        symbols
    }

    fn signature_takes(&self, id: SymbolId, given: &[ArgType], with_guesses: bool) -> bool {
        let Some(view) = self.view(id.file) else { return true };
        let symbol = &view.facts.symbols[id.symbol];
        if !symbol.kind.is_function() {
            return true;
        }
        let own = self.semantics(id.file).own_type;
        let taken = parameters(&view, symbol).skip_while(|one| own.contains(&view.facts.names.get(one.name)));
        given.iter().zip(taken).all(|(given, taken)| {
            let Some(ty) = taken.type_expr().map(|ty| view.type_expr(ty)) else {
                return true;
            };
            let at = symbol.end_of_signature();
            let place = At {
                file: id.file,
                view: &view,
                at,
            };
            self.is_value_of(place, (given, with_guesses), ty)
        })
    }

    /// Whether an argument is a value of a type expression.
    fn is_value_of(&self, place: At<'_>, (given, with_guesses): (&ArgType, bool), ty: TypeRef<'_>) -> bool {
        let semantics = self.semantics(place.file);
        let is_null = given.shape == Shape::Null;
        // A parameter of type `None`.
        if semantics.null_types.contains(&ty.text()) {
            return is_null;
        }
        if matches!(given.shape, Shape::Unknown | Shape::Null) || (given.is_guess && !with_guesses) {
            return true;
        }
        let conversions = &semantics.conversions;
        let all = ty.alternatives(|path| semantics.wrappers.contains(&path));
        all.is_empty()
            || all.into_iter().any(|one| {
                let wanted = self.arg_type_of_type(place, one);
                match (&given.shape, &wanted.shape) {
                    (_, Shape::Unknown | Shape::Generic | Shape::Null) => true,
                    (_, Shape::Named(wanted)) if conversions.is_top(wanted) => true,
                    (Shape::Named(given), Shape::Named(wanted)) if given == wanted => true,
                    (Shape::Named(_), Shape::Named(_)) if given.is_guess => false,
                    (Shape::Named(given), Shape::Named(wanted)) => match conversions.widened(given) {
                        Some(chain) => chain.contains(&wanted.as_str()),
                        None => !conversions.is_closed(wanted),
                    },
                    // A type parameter takes any type, and any type may conform to a protocol.
                    (Shape::Named(_), Shape::Type(wanted)) => {
                        !self.kind_of(*wanted).is_some_and(syntax::SymbolKind::has_members)
                            || self.supertypes(*wanted).has_others
                    }
                    (Shape::Type(given), Shape::Type(wanted)) => {
                        given == wanted
                            || self.is_derived(*given, *wanted)
                            || !self.kind_of(*wanted).is_some_and(syntax::SymbolKind::has_members)
                            || self.supertypes(*wanted).has_others
                    }
                    (Shape::Type(_), Shape::Named(wanted)) => !conversions.is_closed(wanted),
                    _ => true,
                }
            })
    }
}
