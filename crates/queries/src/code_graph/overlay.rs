//! The workspace with other versions of some files.

use std::sync::Arc;

use graph::{FileIdx, View, World};
use rustc_hash::FxHashMap;

use super::Stored;

pub struct Overlay<'o> {
    pub(super) stored: &'o Stored<'o>,
    pub(super) changed: FxHashMap<FileIdx, Arc<View>>,
    /// Imports lead to other files than they do in the store.
    pub(super) has_other_modules: bool,
}

impl Overlay<'_> {
    /// The files of the store, and of the changed ones those that are so.
    fn files(&self, stored: Vec<FileIdx>, is_so: impl Fn(&View) -> bool) -> Vec<FileIdx> {
        let mut files = stored;
        files.retain(|file| !self.changed.contains_key(file));
        let changed = self.changed.iter().filter(|(_, view)| is_so(view));
        files.extend(changed.map(|(file, _)| *file));
        files.sort_unstable();
        files
    }
}

impl World for Overlay<'_> {
    fn view(&self, file: FileIdx) -> Option<Arc<View>> {
        match self.changed.get(&file) {
            Some(view) => Some(view.clone()),
            None => self.stored.view(file),
        }
    }

    fn fetch(&self, next: &[FileIdx]) -> usize {
        self.stored.fetch(next)
    }

    fn included(&self, file: FileIdx, work_out: &dyn Fn() -> Vec<FileIdx>) -> Arc<[FileIdx]> {
        match self.has_other_modules || self.changed.contains_key(&file) {
            true => work_out().into(),
            false => self.stored.included(file, work_out),
        }
    }

    fn defining(&self, name: &str) -> Vec<FileIdx> {
        self.files(self.stored.defining(name), |view| {
            view.symbols_named(name).next().is_some()
        })
    }

    fn extending(&self, name: &str) -> Vec<FileIdx> {
        self.files(self.stored.extending(name), |view| view.impls_of(name).next().is_some())
    }

    fn mentioning(&self, name: &str) -> Vec<FileIdx> {
        self.files(self.stored.mentioning(name), |view| view.has_name(name))
    }
}
