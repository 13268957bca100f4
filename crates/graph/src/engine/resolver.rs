//! The resolver: everything is computed on demand and memoised for as long as the resolver lives.
//!
//! It never guesses: where no rule decides, `Meaning::Unknown` says so, and `queries::likelihood` weighs the candidates.

use std::{cell::RefCell, rc::Rc, sync::Arc};

use rustc_hash::FxHashMap;
use syntax::{BindingIdx, ImportIdx, LangId, RefIdx, Symbol, SymbolIdx, SymbolKind};

use crate::{
    engine::meaning::{Meaning, Rule},
    engine::symbol_summary::SymbolSummary,
    engine::{
        memo::{MemoTable, QueryStack},
        occurrences::OccurrenceCache,
    },
    files::FileIdx,
    lang::{self, LanguageRules, Semantics, c_family},
    modules::Modules,
    types::ty::{Base, Ty},
    view::{Exact, SymbolId, View, World},
};

/// A name that more files than this define is too common to identify a definition.
pub(crate) const MANY_FILES: usize = 200;

/// Views that are cached at a time; views in use are kept by those who use them.
const MAX_VIEWS: usize = 512;

pub(crate) type MembersWithTypes = Rc<[(SymbolId, SymbolId)]>;

#[derive(Default)]
pub(crate) struct Memo {
    pub views: FxHashMap<FileIdx, Option<Arc<View>>>,
    pub defining: FxHashMap<Box<str>, Rc<[FileIdx]>>,
    pub c_family: c_family::Memo,
    /// Definitions that other files may see, by language and name.
    pub globals: FxHashMap<LangId, FxHashMap<Box<str>, Rc<[Global]>>>,
    pub added: FxHashMap<Box<str>, Option<SymbolId>>,
    /// Blocks that stand for types which no file defines.
    pub undefined: FxHashMap<Box<str>, Option<SymbolId>>,
    pub members: FxHashMap<(LangId, Box<str>), MembersWithTypes>,
    /// Whether a trait is implemented for external types.
    pub extending: FxHashMap<SymbolId, bool>,
    /// Aliases of types, by the first declaration of the type.
    pub aliases: FxHashMap<SymbolId, Rc<[SymbolId]>>,
    pub spots: OccurrenceCache,
    pub briefs: FxHashMap<SymbolId, SymbolSummary>,
    /// The function that contains each use, by offset.
    pub running: FxHashMap<(FileIdx, u32), Option<SymbolIdx>>,
}

/// A definition that other files may see.
pub(crate) struct Global {
    pub id: SymbolId,
    /// Only files that include its file see it.
    pub needs_include: bool,
}

/// The memoised queries that may be cyclic.
#[derive(Default)]
pub(crate) struct Known {
    pub meanings: MemoTable<(FileIdx, RefIdx), Meaning>,
    pub imports: MemoTable<(FileIdx, ImportIdx), Meaning>,
    pub values: MemoTable<(FileIdx, RefIdx), Ty>,
    pub bindings: MemoTable<(FileIdx, BindingIdx), Ty>,
    pub exported: MemoTable<(FileIdx, Box<str>), Meaning>,
    /// Types of the values whose members imports bind: `import static`, `const { area } = require(..)`.
    pub opened: MemoTable<(FileIdx, ImportIdx), Ty>,
    /// Private imports of modules.
    pub private: MemoTable<(FileIdx, Box<str>), Meaning>,
    pub members: MemoTable<(SymbolId, Box<str>), Vec<SymbolId>>,
    pub supertypes: MemoTable<SymbolId, Rc<Supertypes>>,
    pub same: MemoTable<SymbolId, Vec<SymbolId>>,
    pub owners: MemoTable<SymbolId, Base>,
    pub pieces: MemoTable<SymbolId, Rc<[SymbolId]>>,
    pub types: MemoTable<SymbolId, Ty>,
}

/// The supertypes of a type.
#[derive(Debug, Default)]
pub(crate) struct Supertypes {
    pub known: Vec<SymbolId>,
    /// Some are external, or were not resolved.
    pub has_others: bool,
}

pub struct Resolver<'w> {
    pub(crate) world: &'w dyn World,
    pub(crate) modules: &'w Modules,
    pub(crate) memo: RefCell<Memo>,
    pub(crate) known: Known,
    pub(crate) trail: QueryStack,
}

/// A place in a file.
#[derive(Clone, Copy)]
pub(crate) struct At<'v> {
    pub file: FileIdx,
    pub view: &'v View,
    pub at: u32,
}

impl<'v> At<'v> {
    /// The end of a definition's signature, from where its parameters are visible.
    pub(crate) fn signature(file: FileIdx, view: &'v View, symbol: &Symbol) -> At<'v> {
        let at = symbol.end_of_signature();
        At { file, view, at }
    }
}

impl<'w> Resolver<'w> {
    pub fn new(world: &'w dyn World, modules: &'w Modules) -> Resolver<'w> {
        Resolver {
            world,
            modules,
            memo: RefCell::default(),
            known: Known::default(),
            trail: QueryStack::default(),
        }
    }

    pub fn view(&self, file: FileIdx) -> Option<Arc<View>> {
        if let Some(known) = self.memo.borrow().views.get(&file) {
            return known.clone();
        }
        let view = self.world.view(file);
        let views = &mut self.memo.borrow_mut().views;
        // One query may look at every file; it must not keep them all.
        if views.len() >= MAX_VIEWS {
            views.clear();
        }
        views.insert(file, view.clone());
        view
    }

    /// Iterates over files whose views are asked for one after the other: those that come next are fetched in parallel.
    pub(crate) fn in_turn(&self, files: impl IntoIterator<Item = FileIdx>) -> impl Iterator<Item = FileIdx> {
        let files: Vec<FileIdx> = files.into_iter().collect();
        let mut fetched = 0;
        (0..files.len()).map(move |at| {
            if at >= fetched {
                fetched = at + self.world.fetch(&files[at..]).max(1);
            }
            files[at]
        })
    }

    /// The aliases of a type, memoised.
    pub(crate) fn known_aliases(&self, of: SymbolId, find: impl FnOnce() -> Vec<SymbolId>) -> Rc<[SymbolId]> {
        if let Some(known) = self.memo.borrow().aliases.get(&of) {
            return known.clone();
        }
        let found: Rc<[SymbolId]> = find().into();
        self.memo.borrow_mut().aliases.insert(of, found.clone());
        found
    }

    pub(crate) fn defining(&self, name: &str) -> Rc<[FileIdx]> {
        if let Some(known) = self.memo.borrow().defining.get(name) {
            return known.clone();
        }
        let files: Rc<[FileIdx]> = self.world.defining(name).into();
        self.memo.borrow_mut().defining.insert(name.into(), files.clone());
        files
    }

    pub(crate) fn lang(&self, file: FileIdx) -> LangId {
        self.modules.files().lang(file)
    }

    pub(crate) fn rules(&self, file: FileIdx) -> &'static dyn LanguageRules {
        lang::rules(self.lang(file))
    }

    pub(crate) fn semantics(&self, file: FileIdx) -> &'static Semantics {
        lang::of(self.lang(file))
    }

    /// Reads a definition, with the view of its file.
    pub(crate) fn symbol<T>(&self, id: SymbolId, read: impl FnOnce(&View, &Symbol) -> T) -> Option<T> {
        let view = self.view(id.file)?;
        let symbol = view.facts.symbols.get(id.symbol.as_usize())?;
        Some(read(&view, symbol))
    }

    pub(crate) fn name_of(&self, id: SymbolId) -> String {
        self.symbol(id, |view, symbol| view.facts.name(symbol).to_owned())
            .unwrap_or_default()
    }

    pub(crate) fn kind_of(&self, id: SymbolId) -> Option<SymbolKind> {
        self.symbol(id, |_, symbol| symbol.kind)
    }

    /// The result of resolving a reference.
    pub fn meaning(&self, file: FileIdx, reference: RefIdx) -> Meaning {
        self.known
            .meanings
            .get(&self.trail, (file, reference), Meaning::Unknown, || {
                let Some(view) = self.view(file) else {
                    return Meaning::Unknown;
                };
                match view.facts.references.get(reference.as_usize()) {
                    Some(found) => self
                        .exactly(file, &view, found.at)
                        .unwrap_or_else(|| self.meaning_of(file, &view, found, reference)),
                    None => Meaning::Unknown,
                }
            })
    }

    /// The exact engine's result; `None` if it names a definition that the facts do not have.
    pub(crate) fn exactly(&self, file: FileIdx, view: &View, at: u32) -> Option<Meaning> {
        let names = match self.world.exact(file, at)? {
            Exact::Elsewhere => return Some(Meaning::External),
            Exact::Names(names) => names,
        };
        let named = names.iter().filter_map(|(file, at)| {
            let symbol = self.view(*file)?.symbol_named_at(*at)?;
            Some(SymbolId { file: *file, symbol })
        });
        Meaning::of(sorted(named.collect()), Rule::Exact).or_else(|| {
            let (_, own) = names.iter().find(|(other, _)| *other == file)?;
            let binding = view.facts.bindings.binary_search_by_key(own, |binding| binding.at);
            binding.ok().map(|binding| Meaning::Local(BindingIdx::new(binding)))
        })
    }
}

pub(crate) fn ids<'v>(file: FileIdx, symbols: impl Iterator<Item = (SymbolIdx, &'v Symbol)>) -> Vec<SymbolId> {
    symbols.map(|(symbol, _)| SymbolId { file, symbol }).collect()
}

pub(crate) fn sorted(mut symbols: Vec<SymbolId>) -> Vec<SymbolId> {
    symbols.sort_unstable();
    symbols.dedup();
    symbols
}
