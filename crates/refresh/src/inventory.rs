//! What would be indexed of a directory, told without making an index.

use std::{path::Path, sync::atomic::AtomicBool, thread::available_parallelism};

use config::IndexConfig;
use sandbox::Root;

use crate::{
    error::Error,
    walk::{Rules, WalkEntry, walk},
};

/// The files of a directory that an index of it would look into, by the same rules.
pub struct Inventory {
    root: Root,
    max_file_bytes: u64,
    files: Vec<WalkEntry>,
}

impl Inventory {
    pub fn of(dir: &Path, config: &IndexConfig) -> Result<Inventory, Error> {
        let root = Root::open(dir).map_err(Error::root(dir))?;
        let rules = Rules::new(&root, config)?;
        let threads = available_parallelism().map_or(1, usize::from);
        let mut files = walk(dir, &rules, threads, &AtomicBool::new(false)).files;
        files.retain(|found| found.skip.is_none());
        Ok(Inventory {
            root,
            max_file_bytes: rules.max_file_bytes,
            files,
        })
    }

    /// Paths below the directory with `/`, in their order, and sizes in bytes.
    pub fn files(&self) -> impl ExactSizeIterator<Item = (&str, u64)> {
        self.files.iter().map(|found| (found.path.as_str(), found.stat.size))
    }

    /// `None` for what is gone, cannot be read, or leads out of the directory by now.
    pub fn read(&self, path: &str) -> Option<Vec<u8>> {
        Some(self.root.read(path, self.max_file_bytes).ok()?.0)
    }
}
