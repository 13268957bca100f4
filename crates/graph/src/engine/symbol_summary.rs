//! A cache of the properties of definitions that queries ask for again and again, apart from the views of their files: where
//! a definition is used in thousands of files, their views do not all stay in memory until the answer is complete.

use syntax::{SymbolIdx, SymbolKind};

use crate::{
    engine::resolver::Resolver,
    files::FileIdx,
    queries::{calls::running, references::Use},
    view::{SymbolId, View},
};

/// The cached properties of a definition.
#[derive(Debug, Clone, Copy)]
pub struct SymbolSummary {
    pub kind: SymbolKind,
    pub parent: Option<SymbolIdx>,
    /// It is a test or a test helper itself.
    pub is_test: bool,
    /// It is one, or is defined inside of one.
    pub is_in_test: bool,
    names_owner: bool,
}

impl SymbolSummary {
    fn of(view: &View, symbol: SymbolIdx) -> Option<SymbolSummary> {
        let own = view.facts.symbols.get(symbol.as_usize())?;
        Some(SymbolSummary {
            kind: own.kind,
            parent: own.parent,
            is_test: own.is_test,
            is_in_test: view.outwards(Some(symbol)).any(|(_, outer)| outer.is_test),
            names_owner: own.owner.is_some(),
        })
    }

    /// Whether it is top-level: neither nested in a definition nor a member of a type that is declared elsewhere.
    pub(crate) fn is_alone(&self) -> bool {
        self.parent.is_none() && !self.names_owner && self.kind != SymbolKind::Impl
    }
}

impl Resolver<'_> {
    pub fn brief(&self, id: SymbolId) -> Option<SymbolSummary> {
        if let Some(known) = self.memo.borrow().briefs.get(&id) {
            return Some(*known);
        }
        let view = self.view(id.file)?;
        self.noted_brief(&view, id)
    }

    fn noted_brief(&self, view: &View, id: SymbolId) -> Option<SymbolSummary> {
        let brief = SymbolSummary::of(view, id.symbol)?;
        self.memo.borrow_mut().briefs.insert(id, brief);
        Some(brief)
    }

    /// Whether a definition is a test or belongs to tests.
    pub fn is_test(&self, id: SymbolId) -> bool {
        self.is_test_file(id.file) || self.brief(id).is_some_and(|brief| brief.is_in_test)
    }

    pub(crate) fn is_test_file(&self, file: FileIdx) -> bool {
        source::is_test_path(self.modules.files().path(file))
    }

    /// The function that contains a use, or else the outermost definition that does.
    pub fn caller_of(&self, used: &Use) -> Option<SymbolId> {
        let place = (used.file, used.at);
        let known = self.memo.borrow().running.get(&place).copied();
        let symbol = match known {
            Some(known) => known,
            None => self.noted_caller(used.file, &*self.view(used.file)?, used.at),
        };
        let file = used.file;
        symbol.map(|symbol| SymbolId { file, symbol })
    }

    /// The same for a file whose view is at hand; caches the properties of the function, too.
    pub(crate) fn noted_caller(&self, file: FileIdx, view: &View, at: u32) -> Option<SymbolIdx> {
        let symbol = running(view, at);
        self.memo.borrow_mut().running.insert((file, at), symbol);
        if let Some(symbol) = symbol {
            self.noted_brief(view, SymbolId { file, symbol });
        }
        symbol
    }
}
