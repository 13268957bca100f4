//! Constructors, and the types that they make.

use syntax::SymbolKind;

use crate::{
    engine::resolver::Resolver,
    files::FileIdx,
    types::ty::Base,
    view::{SymbolId, View},
};

/// So many types are asked whether they have a constructor of their own.
const MAX_DERIVED: usize = 200;

impl Resolver<'_> {
    pub(crate) fn has_constructor(&self, id: SymbolId) -> bool {
        let has_members = self.kind_of(id).is_some_and(SymbolKind::has_members);
        let own = || self.own_members(id, &self.name_of(id));
        has_members && own().iter().any(|member| self.is_constructor(*member))
    }

    /// Types that can be made by the constructor of what they are derived from.
    pub(crate) fn constructing(&self, constructor: SymbolId, owner: SymbolId) -> impl Iterator<Item = SymbolId> {
        let name = self.name_of(constructor);
        let is_inherited = self.semantics(owner.file).constructors.contains(&name.as_str());
        let derived = if is_inherited { self.derived(owner) } else { Vec::new() };
        let derived = derived.into_iter().take(MAX_DERIVED).map(|one| one.symbol);
        derived.filter(move |id| self.has_no_other(*id, constructor, owner))
    }

    /// Whether a type is derived from another and made by that one's constructor.
    pub(crate) fn is_made_by(&self, own: SymbolId, constructor: SymbolId, owner: SymbolId) -> bool {
        let is_inherited = || {
            let constructors = self.semantics(owner.file).constructors;
            constructors.contains(&self.name_of(constructor).as_str())
        };
        self.kind_of(own).is_some_and(SymbolKind::has_members)
            && is_inherited()
            && self.is_derived(own, owner)
            && self.has_no_other(own, constructor, owner)
    }

    /// Whether no constructor of a derived type hides one; where they go by what their arguments are called, none does.
    fn has_no_other(&self, own: SymbolId, constructor: SymbolId, owner: SymbolId) -> bool {
        let has_labels = self.semantics(owner.file).has_labels;
        has_labels || self.members(own, &self.name_of(constructor)).contains(&constructor)
    }

    /// The functions that a call of a type may mean, where what its arguments are called leaves several.
    pub(crate) fn with_constructors(
        &self,
        symbols: &[SymbolId],
        targets: &[SymbolId],
        file: FileIdx,
        view: &View,
        index: u32,
    ) -> Vec<SymbolId> {
        let target = targets
            .first()
            .filter(|target| self.semantics(target.file).has_labels && !symbols.contains(target));
        let made = target.and_then(|target| Some((target, self.constructed(*target)?)));
        made.map_or(symbols.to_vec(), |(target, owner)| {
            let constructors = self.own_members(owner, &self.name_of(*target));
            self.by_arguments(constructors, file, view, index)
        })
    }

    /// What takes the arguments of a call: a function, or the constructors of a type.
    pub fn called_with(&self, called: SymbolId) -> Vec<SymbolId> {
        if !self.kind_of(called).is_some_and(SymbolKind::has_members) {
            return vec![called];
        }
        let own_name = self.name_of(called);
        let names = self.semantics(called.file).constructors.iter().copied();
        let names = names.chain([own_name.as_str()]);
        names.flat_map(|name| self.members(called, name)).collect()
    }

    /// The type that a constructor makes values of.
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
