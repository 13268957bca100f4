//! A snapshot as resolution sees it: views of files, kept by content, and what the text index knows of names.

use std::{
    cell::RefCell,
    hash::Hash,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use graph::{Exact, FileIdx, View, World};
use index::FileRow;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use workspace::{Error, ExactMeaning, ExactQuestions, QueryProblem};

use crate::{dependencies::ImportGraph, snapshot::Snapshot};

/// What views of one generation of the cache may weigh, in bytes, roughly.
const CACHE_BYTES: usize = 6 << 20;

/// The same for those that one answer holds on to. Where a name is in a thousand files, each leads to others again and
/// again.
const HELD_BYTES: usize = 32 << 20;

/// Bytes of files that are read ahead at a time. What is known of a file takes up several times as much.
const AHEAD_BYTES: u64 = 2 << 20;

/// So many files are worth reading side by side.
const MANY_AHEAD: usize = 1_000;

/// Views in two generations: when the young one is full the old one is dropped, so that what is asked for often stays.
struct TwoGenCache<K> {
    young: FxHashMap<K, Arc<View>>,
    old: FxHashMap<K, Arc<View>>,
    weight: usize,
    /// What one generation may weigh.
    most: usize,
}

impl<K: Hash + Eq + Copy> TwoGenCache<K> {
    fn new(most: usize) -> TwoGenCache<K> {
        TwoGenCache {
            young: FxHashMap::default(),
            old: FxHashMap::default(),
            weight: 0,
            most,
        }
    }

    fn get(&mut self, key: &K) -> Option<Arc<View>> {
        if let Some(view) = self.young.get(key) {
            return Some(view.clone());
        }
        let view = self.old.remove(key)?;
        self.put(*key, view.clone());
        Some(view)
    }

    fn has(&self, key: &K) -> bool {
        self.young.contains_key(key) || self.old.contains_key(key)
    }

    fn put(&mut self, key: K, view: Arc<View>) {
        self.weight += weight(&view);
        self.young.insert(key, view);
        if self.weight > self.most {
            self.old = std::mem::take(&mut self.young);
            self.weight = 0;
        }
    }
}

/// Views of files by content, so that a commit only costs what has changed.
pub(crate) struct ViewCache(TwoGenCache<[u8; 32]>);

impl Default for ViewCache {
    fn default() -> ViewCache {
        ViewCache(TwoGenCache::new(CACHE_BYTES))
    }
}

/// What a view takes up, in bytes, roughly.
fn weight(view: &View) -> usize {
    let facts = &view.facts;
    1024 + facts.names.len() * 64
        + facts.symbols.len() * 160
        + facts.references.len() * 32
        + facts.bindings.len() * 40
        + facts.annotations.len() * 24
        + facts.lines.count() as usize * 4
}

/// Kept from answer to answer.
pub(crate) type Views = Mutex<ViewCache>;

/// A snapshot as resolution sees it.
pub(crate) struct Stored<'s> {
    snapshot: &'s Snapshot,
    graph: &'s ImportGraph,
    asking: Option<ExactQuestions<'s>>,
    /// What this answer has asked for.
    held: RefCell<TwoGenCache<FileIdx>>,
    /// The first thing that went wrong; what is answered after it is not to be trusted.
    error: RefCell<Option<Error>>,
}

impl<'s> Stored<'s> {
    pub fn new(snapshot: &'s Snapshot, graph: &'s ImportGraph) -> Stored<'s> {
        Stored {
            snapshot,
            graph,
            asking: ExactQuestions::new(snapshot),
            held: RefCell::new(TwoGenCache::new(HELD_BYTES)),
            error: RefCell::default(),
        }
    }

    /// What went wrong, if anything did.
    pub fn error(&self) -> Option<Error> {
        self.error.take()
    }

    pub fn row(&self, file: FileIdx) -> Option<&'s FileRow> {
        self.snapshot.reader().files().by_id(self.graph.id(file)?)
    }

    fn cache(&self) -> MutexGuard<'s, ViewCache> {
        let views = &self.snapshot.caches.views;
        views.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A view of a file that earlier answers may have read.
    fn cached(&self, file: FileIdx) -> Option<Arc<View>> {
        let row = self.row(file)?;
        if let Some(view) = self.cache().0.get(&row.hash) {
            return Some(view);
        }
        let view = self.noted(view_at(self.snapshot, row).map(Some))?;
        self.cache().0.put(row.hash, view.clone());
        Some(view)
    }

    /// The rows of those of some files that no view is at hand of.
    fn not_at_hand(&self, files: &[FileIdx]) -> Vec<(FileIdx, &'s FileRow)> {
        let (held, cache) = (self.held.borrow(), self.cache());
        let rows = files.iter().filter_map(|file| Some((*file, self.row(*file)?)));
        rows.filter(|(file, row)| !held.has(file) && !cache.0.has(&row.hash))
            .collect()
    }

    /// What knows a file's language exactly, and how it calls the file.
    fn asked_of(&self, file: FileIdx) -> Option<(&ExactQuestions<'s>, &str)> {
        let files = self.graph.modules.files();
        let asking = self
            .asking
            .as_ref()
            .filter(|asking| asking.lang() == files.lang(file).name())?;
        Some((asking, files.path(file)))
    }

    fn files(&self, ids: &FxHashSet<u64>) -> Vec<FileIdx> {
        let mut files: Vec<FileIdx> = ids.iter().filter_map(|id| self.graph.file(*id)).collect();
        files.sort_unstable();
        files
    }

    fn noted<T: Default>(&self, result: Result<T, Error>) -> T {
        result.unwrap_or_else(|error| {
            self.error.borrow_mut().get_or_insert(error);
            T::default()
        })
    }

    /// The files in which a type of that name has such a member.
    pub fn members(&self, owner: &str, name: &str) -> Vec<FileIdx> {
        let found = self.snapshot.reader().files_with_member(owner, name);
        self.files(&self.noted(found.map_err(|error| QueryProblem::Scan(error.to_string()).into())))
    }

    fn naming(&self, name: &str) -> (FxHashSet<u64>, FxHashSet<u64>) {
        let found = self.snapshot.reader().files_naming(name);
        self.noted(found.map_err(|error| QueryProblem::Scan(error.to_string()).into()))
    }
}

fn view_at(snapshot: &Snapshot, row: &FileRow) -> Result<Arc<View>, Error> {
    let facts = snapshot.facts_at(row)?;
    Ok(Arc::new(View::new(Arc::new(facts))))
}

impl World for Stored<'_> {
    fn view(&self, file: FileIdx) -> Option<Arc<View>> {
        if let Some(view) = self.held.borrow_mut().get(&file) {
            return Some(view);
        }
        let view = self.cached(file)?;
        self.held.borrow_mut().put(file, view.clone());
        Some(view)
    }

    fn fetch(&self, next: &[FileIdx]) -> usize {
        // Fewer are read when they are asked for: what other threads read is scattered over their memory.
        if next.len() < MANY_AHEAD {
            return next.len();
        }
        let mut bytes = 0;
        let fits = |file: &&FileIdx| {
            bytes += self.row(**file).map_or(0, |row| row.stat.size);
            bytes <= AHEAD_BYTES
        };
        let count = next.iter().take_while(fits).count();
        let new = self.not_at_hand(&next[..count]);
        let snapshot = self.snapshot;
        let views: Vec<_> = new.par_iter().map(|(_, row)| view_at(snapshot, row)).collect();
        for ((file, row), view) in new.into_iter().zip(views) {
            // What went wrong is told to who asks for it.
            if let Ok(view) = view {
                self.cache().0.put(row.hash, view.clone());
                self.held.borrow_mut().put(file, view);
            }
        }
        count
    }

    fn defining(&self, name: &str) -> Vec<FileIdx> {
        self.files(&self.naming(name).0)
    }

    fn extending(&self, name: &str) -> Vec<FileIdx> {
        self.files(&self.naming(name).1)
    }

    fn mentioning(&self, name: &str) -> Vec<FileIdx> {
        // `empty?`, `#items`: the word in it.
        let Some(word) = index::token::words(name).max_by_key(|word| word.len()) else {
            // `_`, `$`: there is no word to find it by.
            let all = self.snapshot.reader().files().indexed().map(|row| row.id);
            return self.files(&all.collect());
        };
        let found = self.snapshot.reader().files_mentioning(word);
        let ids = self.noted(found.map_err(|error| QueryProblem::Scan(error.to_string()).into()));
        self.files(&ids)
    }

    fn included(&self, file: FileIdx, work_out: &dyn Fn() -> Vec<FileIdx>) -> Arc<[FileIdx]> {
        let known = || self.graph.included.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(included) = known().get(&file) {
            return included.clone();
        }
        let included: Arc<[FileIdx]> = work_out().into();
        // What could not be read includes nothing for now.
        if self.error.borrow().is_none() {
            known().insert(file, included.clone());
        }
        included
    }

    fn exact(&self, file: FileIdx, at: u32) -> Option<Exact> {
        let (asking, path) = self.asked_of(file)?;
        let file_at = |path: &str| self.graph.file(self.snapshot.reader().files().by_path(path)?.id);
        match asking.meaning(path, at)? {
            ExactMeaning::Definitions(places) => {
                let names = places.iter().filter_map(|(path, at)| Some((file_at(path)?, *at)));
                Some(Exact::Names(names.collect()))
            }
            ExactMeaning::Elsewhere => Some(Exact::Elsewhere),
            ExactMeaning::Unknown => None,
        }
    }

    fn expect(&self, file: FileIdx, places: &mut dyn Iterator<Item = u32>) {
        if let Some((asking, path)) = self.asked_of(file) {
            asking.expect(path, places);
        }
    }
}
