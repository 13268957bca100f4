//! What Rust alone does with the definitions that a reference may mean.

use syntax::{LocalKind, Qualifier, Reference, Role, SymbolKind};

use crate::{
    engine::{
        meaning::Meaning,
        resolver::{At, Resolver},
    },
    types::ty::Base,
};

impl Resolver<'_> {
    /// `impl Trait for Foreign { fn m(&self) { self.m() } }`: the inner call is the inherent method of `Foreign`, or it would
    /// recurse for ever. In an `impl<T> Trait for T` it is the method of whatever `T` is.
    pub(crate) fn inherent_member(&self, place: At<'_>, reference: &Reference, found: Meaning) -> Meaning {
        let semantics = self.semantics(place.file);
        let is_own = match reference.on {
            Qualifier::This => true,
            Qualifier::Path(path) => semantics.own_type.contains(&place.view.facts.names.get(path)),
            _ => false,
        };
        if !is_own || reference.role != Role::Call {
            return found;
        }
        let Meaning::Symbols(symbols, rule) = &found else {
            return found;
        };
        let Some(method) = symbols.iter().copied().find(|id| self.is_around(place, *id)) else {
            return found;
        };
        let block = match self.owner(method) {
            Base::Symbol(block) if self.kind_of(block) == Some(SymbolKind::Impl) => block,
            _ => return found,
        };
        let implemented = self.block_of(method).unwrap_or_default();
        let is_any = self.symbol(block, |view, symbol| {
            let local = view.binding_at(view.facts.name(symbol), symbol.end_of_signature());
            local.is_some_and(|(_, local)| local.kind == LocalKind::Generic)
        });
        let name = place.view.facts.names.get(reference.name);
        match (implemented.known.first(), is_any) {
            (None, _) if !implemented.has_others => found,
            (Some(outer), Some(true)) => Meaning::of(self.members(*outer, name), *rule).unwrap_or(found),
            _ => Meaning::External,
        }
    }

    /// A constant where a type may stand: `Buffer<SIZE>`.
    pub(crate) fn const_argument(&self, place: At<'_>, reference: &Reference, found: Meaning) -> Meaning {
        let name = place.view.facts.names.get(reference.name);
        let may_be = reference.role == Role::Type && reference.on == Qualifier::Nothing && !found.is_found();
        if !may_be || name.contains(char::is_lowercase) {
            return found;
        }
        match self.lookup(place, name, Role::Variable) {
            Meaning::Symbols(constants, rule)
                if constants
                    .iter()
                    .all(|id| self.kind_of(*id) == Some(SymbolKind::Constant)) =>
            {
                Meaning::Symbols(constants, rule)
            }
            _ => found,
        }
    }
}
