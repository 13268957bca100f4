//! Where a name is in files, kept apart from them: who uses a name, what is derived from it and what else it is called is
//! asked of the same files, and where there are thousands their views do not all stay.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use syntax::{Role, SymbolKind};

use crate::{engine::resolver::Resolver, files::FileIdx, view::View};

/// A reference, with what tells whether it matters.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spot {
    /// The place in the file's list of references.
    pub index: u32,
    pub at: u32,
    pub role: Role,
    /// It is in the description of a type by another name.
    pub is_in_alias: bool,
    /// It is all that a variable is given.
    pub is_value: bool,
}

impl Spot {
    pub fn of(view: &View, index: u32) -> Spot {
        let reference = &view.facts.references[index as usize];
        let around = view.facts.enclosing(reference.at);
        let around = around.map(|around| &view.facts.symbols[around as usize]);
        Spot {
            index,
            at: reference.at,
            role: reference.role,
            is_in_alias: around.is_some_and(|alias| alias.kind == SymbolKind::Type && alias.ty.is_some()),
            is_value: around.is_some_and(|variable| variable.value == Some(index)),
        }
    }
}

/// Where a name is in one file.
#[derive(Debug, Default)]
pub(crate) struct Spots {
    pub spots: Box<[Spot]>,
    /// An import takes it under another name.
    pub is_renamed: bool,
}

impl Spots {
    fn of(view: &View, name: &str) -> Spots {
        let facts = &view.facts;
        let is_name = |id| facts.names.get(id) == name;
        let mut imports = facts.imports.iter();
        Spots {
            spots: view
                .references_named(name)
                .iter()
                .map(|index| Spot::of(view, *index))
                .collect(),
            is_renamed: imports
                .any(|import| is_name(import.taken()) && import.alias.is_some_and(|alias| !is_name(alias))),
        }
    }
}

/// Spots that are kept at a time.
const MAX_SPOTS: usize = 500_000;

#[derive(Default)]
pub(crate) struct SpotMemo {
    by_name: FxHashMap<Box<str>, FxHashMap<FileIdx, Rc<Spots>>>,
    kept: usize,
}

impl SpotMemo {
    fn get(&self, name: &str, file: FileIdx) -> Option<Rc<Spots>> {
        self.by_name.get(name)?.get(&file).cloned()
    }

    fn put(&mut self, name: &str, file: FileIdx, spots: Rc<Spots>) {
        self.kept += spots.spots.len() + 1;
        if self.kept > MAX_SPOTS {
            *self = SpotMemo::default();
        }
        if let Some(known) = self.by_name.get_mut(name) {
            known.insert(file, spots);
        } else {
            let known = FxHashMap::from_iter([(file, spots)]);
            self.by_name.insert(name.into(), known);
        }
    }
}

impl Resolver<'_> {
    /// Where a name is in each of some files, in their order. Those that cannot be read are left out.
    pub(crate) fn spots<'r>(
        &'r self,
        name: &'r str,
        files: Vec<FileIdx>,
    ) -> impl Iterator<Item = (FileIdx, Rc<Spots>)> + 'r {
        let is_new = |file: &FileIdx| self.memo.borrow().spots.get(name, *file).is_none();
        let new: Vec<FileIdx> = files.iter().copied().filter(is_new).collect();
        let mut new = self.in_turn(new).peekable();
        files.into_iter().filter_map(move |file| {
            if new.next_if_eq(&file).is_none()
                && let Some(known) = self.memo.borrow().spots.get(name, file)
            {
                return Some((file, known));
            }
            let spots = Rc::new(Spots::of(&*self.view(file)?, name));
            self.memo.borrow_mut().spots.put(name, file, spots.clone());
            Some((file, spots))
        })
    }
}
