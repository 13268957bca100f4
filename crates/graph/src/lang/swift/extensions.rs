//! Extensions of types that are not in the workspace: `extension Int { .. }`.

use syntax::SymbolKind;

use crate::{engine::resolver::Resolver, files::FileIdx, view::SymbolId};

impl Resolver<'_> {
    /// The first extension of a library type, which stands for the type.
    pub(crate) fn first_extension(&self, file: FileIdx, name: &str) -> Option<SymbolId> {
        if let Some(known) = self.memo.borrow().added.get(name) {
            return *known;
        }
        let is_ours = self.defining(name).iter().any(|other| {
            self.view(*other)
                .is_some_and(|view| view.symbols_named(name).any(|(_, symbol)| symbol.kind.is_type()))
        });
        let files = self.world.extending(name).into_iter();
        let mut blocks = files
            .filter(|other| self.lang(*other) == self.lang(file))
            .filter_map(|other| {
                let view = self.view(other)?;
                let symbol = view.impls_of(name).next()?.0;
                Some(SymbolId { file: other, symbol })
            });
        let found = blocks.next().filter(|_| !is_ours);
        self.memo.borrow_mut().added.insert(name.into(), found);
        found
    }

    /// Whether an extension adds a member of this name.
    pub(crate) fn is_added(&self, file: FileIdx, name: &str) -> bool {
        self.members_named(file, name)
            .iter()
            .any(|(_, owner)| self.kind_of(*owner) == Some(SymbolKind::Impl))
    }
}
