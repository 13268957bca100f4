//! Constructors, the types that they construct, and subtypes that inherit them.

use syntax::{RefIdx, SymbolKind};

use crate::{engine::resolver::Resolver, files::FileIdx, types::ty::Base, view::SymbolId};

/// Subtypes that are checked for a constructor of their own.
const MAX_DERIVED: usize = 200;

impl Resolver<'_> {
    pub(crate) fn has_constructor(&self, id: SymbolId) -> bool {
        let has_members = self.kind_of(id).is_some_and(SymbolKind::has_members);
        let own = || self.own_members(id, &self.name_of(id));
        has_members && own().iter().any(|member| self.is_constructor(*member))
    }

    /// The subtypes of `owner` that inherit the constructor.
    pub(crate) fn constructing(&self, constructor: SymbolId, owner: SymbolId) -> impl Iterator<Item = SymbolId> {
        let name = self.name_of(constructor);
        let is_inherited = self.semantics(owner.file).constructors.contains(&name.as_str());
        let derived = if is_inherited { self.derived(owner) } else { Vec::new() };
        let derived = derived.into_iter().take(MAX_DERIVED).map(|one| one.symbol);
        derived.filter(move |id| {
            self.rules(owner.file)
                .inherits_constructor(self, *id, constructor, None)
        })
    }

    /// Whether a call of a subtype runs the constructor that it inherits from `owner`: `Circle(1)` runs
    /// `Shape.__init__`.
    pub(crate) fn is_constructed_by(
        &self,
        own: SymbolId,
        constructor: SymbolId,
        owner: SymbolId,
        call: (FileIdx, RefIdx),
    ) -> bool {
        let is_inherited = || {
            let constructors = self.semantics(owner.file).constructors;
            constructors.contains(&self.name_of(constructor).as_str())
        };
        self.kind_of(own).is_some_and(SymbolKind::has_members)
            && is_inherited()
            && self.is_derived(own, owner)
            && self
                .rules(owner.file)
                .inherits_constructor(self, own, constructor, Some(call))
    }

    /// The constructors that a call of a type may run, if a target is a constructor; otherwise the resolved symbols
    /// themselves.
    pub(crate) fn with_constructors(
        &self,
        symbols: &[SymbolId],
        targets: &[SymbolId],
        file: FileIdx,
        index: RefIdx,
    ) -> Vec<SymbolId> {
        match targets.first() {
            Some(target) if !symbols.contains(target) => {
                let rules = self.rules(target.file);
                rules.constructors_called(self, symbols, *target, file, index)
            }
            _ => symbols.to_vec(),
        }
    }

    /// The functions that may receive the arguments of a call: the function itself, or the constructors of a type.
    pub fn called_with(&self, called: SymbolId) -> Vec<SymbolId> {
        if !self.kind_of(called).is_some_and(SymbolKind::has_members) {
            return vec![called];
        }
        let own_name = self.name_of(called);
        let names = self.semantics(called.file).constructors.iter().copied();
        let names = names.chain([own_name.as_str()]);
        names.flat_map(|name| self.members(called, name)).collect()
    }

    /// The type that a constructor belongs to.
    pub fn constructed(&self, id: SymbolId) -> Option<SymbolId> {
        match self.owner(id) {
            Base::Symbol(owner) if self.is_constructor(id) => Some(owner),
            _ => None,
        }
    }

    pub(crate) fn is_constructor(&self, id: SymbolId) -> bool {
        let is_so = self.symbol(id, |view, symbol| {
            let name = view.facts.name(symbol);
            symbol.kind == SymbolKind::Constructor
                || (symbol.kind.is_function() && self.semantics(id.file).constructors.contains(&name))
        });
        is_so == Some(true)
    }
}
