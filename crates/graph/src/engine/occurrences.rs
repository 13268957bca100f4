//! A cache of the occurrences of names, apart from the views of files: the uses of a name, its subtypes and its aliases are
//! looked for in the same files, and where there are thousands their views do not all stay in memory.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use syntax::{RefIdx, Role, SymbolKind};

use crate::{engine::resolver::Resolver, files::FileIdx, view::View};

/// An occurrence of a name, with what decides whether it matters to a query.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Occurrence {
    /// The index in the references of the file.
    pub index: RefIdx,
    pub at: u32,
    pub role: Role,
    /// It is in the declaration of a type alias.
    pub is_in_alias: bool,
    /// It is the whole initialiser of a variable.
    pub is_value: bool,
}

impl Occurrence {
    pub fn of(view: &View, index: RefIdx) -> Occurrence {
        let reference = &view.facts.references[index];
        let around = view.facts.enclosing(reference.at);
        let around = around.map(|around| &view.facts.symbols[around]);
        Occurrence {
            index,
            at: reference.at,
            role: reference.role,
            is_in_alias: around.is_some_and(|alias| alias.kind == SymbolKind::Type && alias.ty.is_some()),
            is_value: around.is_some_and(|variable| variable.value == Some(index)),
        }
    }
}

/// The occurrences of a name in one file.
#[derive(Debug, Default)]
pub(crate) struct Occurrences {
    pub spots: Box<[Occurrence]>,
    /// An import gives it an alias.
    pub is_renamed: bool,
}

impl Occurrences {
    fn of(view: &View, name: &str) -> Occurrences {
        let facts = &view.facts;
        let is_name = |id| facts.names.get(id) == name;
        let mut imports = facts.imports.iter();
        Occurrences {
            spots: view
                .references_named(name)
                .iter()
                .map(|index| Occurrence::of(view, *index))
                .collect(),
            is_renamed: imports
                .any(|import| is_name(import.taken()) && import.alias.is_some_and(|alias| !is_name(alias))),
        }
    }
}

/// Occurrences that are cached at a time.
const MAX_SPOTS: usize = 500_000;

#[derive(Default)]
pub(crate) struct OccurrenceCache {
    by_name: FxHashMap<Box<str>, FxHashMap<FileIdx, Rc<Occurrences>>>,
    kept: usize,
}

impl OccurrenceCache {
    fn get(&self, name: &str, file: FileIdx) -> Option<Rc<Occurrences>> {
        self.by_name.get(name)?.get(&file).cloned()
    }

    fn put(&mut self, name: &str, file: FileIdx, spots: Rc<Occurrences>) {
        self.kept += spots.spots.len() + 1;
        if self.kept > MAX_SPOTS {
            *self = OccurrenceCache::default();
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
    /// The occurrences of a name in each of some files, in their order, without files that cannot be read.
    pub(crate) fn spots<'r>(
        &'r self,
        name: &'r str,
        files: Vec<FileIdx>,
    ) -> impl Iterator<Item = (FileIdx, Rc<Occurrences>)> + 'r {
        let is_new = |file: &FileIdx| self.memo.borrow().spots.get(name, *file).is_none();
        let new: Vec<FileIdx> = files.iter().copied().filter(is_new).collect();
        let mut new = self.in_turn(new).peekable();
        files.into_iter().filter_map(move |file| {
            if new.next_if_eq(&file).is_none()
                && let Some(known) = self.memo.borrow().spots.get(name, file)
            {
                return Some((file, known));
            }
            let spots = Rc::new(Occurrences::of(&*self.view(file)?, name));
            self.memo.borrow_mut().spots.put(name, file, spots.clone());
            Some((file, spots))
        })
    }
}
