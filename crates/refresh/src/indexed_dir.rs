//! A directory with the index that follows it, and how to find out what is on its disk now.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use config::IndexConfig;
use index::{FileRow, Store};
use sandbox::{Root, stat_of};

use crate::{
    error::Error,
    indexing::now_ns,
    requests::Requests,
    walk::{Rules, WalkEntry, WalkResult, list, walk},
    watch::{Dirty, Touched, Watch},
};

/// Walks that keep finding new directories are given up on: something creates them faster than we look.
const MAX_WALKS: usize = 4;

/// A directory, its index, and what is known of changes.
pub struct IndexedDir {
    pub root: Root,
    pub store: Store,
    /// None where each scan walks.
    pub watch: Option<Watch>,
    /// What other processes ask the one for that writes.
    pub requests: Requests,
    /// How many work on it at most.
    pub threads: usize,
}

/// What was on disk at a time.
pub struct DiskScan {
    pub walked: Arc<WalkResult>,
    pub rules: Rules,
    /// When the scan began.
    pub since_ns: i64,
}

impl IndexedDir {
    /// Makes the next scan look at every file.
    pub fn distrust_watch(&self) {
        if let Some(watch) = &self.watch {
            watch.distrust();
        }
    }

    /// Whether something is known to have changed since the last scan.
    pub fn has_news(&self) -> bool {
        self.watch.as_ref().is_some_and(Watch::has_news)
    }

    /// What is on disk now: from events if they tell what may differ from what was there before, else by walking.
    pub fn scan_disk(
        &self,
        config: &IndexConfig,
        before: Option<&WalkResult>,
        stop: &AtomicBool,
    ) -> Result<DiskScan, Error> {
        let since_ns = now_ns();
        let rules = Rules::new(&self.root, config)?;
        let walked = match &self.watch {
            None => self.walked(&rules, stop)?,
            Some(watch) => match self.assumed(watch, &rules, before)? {
                Some(walked) => walked,
                None => self.walked_and_watched(watch, &rules, stop)?,
            },
        };
        Ok(DiskScan {
            walked: Arc::new(walked),
            rules,
            since_ns,
        })
    }

    fn assumed(&self, watch: &Watch, rules: &Rules, before: Option<&WalkResult>) -> Result<Option<WalkResult>, Error> {
        let Dirty::Some(touched) = watch.take() else {
            return Ok(None);
        };
        if let Some(before) = before {
            let known = before.files.iter().cloned();
            return Ok(WalkResult::assume(known, &touched, watch, &self.root, rules));
        }
        let reader = self.store.reader()?;
        let known = reader.files().rows().map(WalkEntry::of_row);
        Ok(reader
            .complete()
            .then(|| WalkResult::assume(known, &touched, watch, &self.root, rules))
            .flatten())
    }

    fn walked_and_watched(&self, watch: &Watch, rules: &Rules, stop: &AtomicBool) -> Result<WalkResult, Error> {
        for _ in 0..MAX_WALKS {
            watch.take();
            let walked = self.walked(rules, stop)?;
            match watch.cover(&walked) {
                Ok(false) => return Ok(walked),
                Ok(true) => {}
                Err(error) => {
                    tracing::warn!(%error, "cannot watch every directory; looking at every file instead");
                    watch.distrust();
                    return Ok(walked);
                }
            }
        }
        watch.distrust();
        self.walked(rules, stop)
    }

    fn walked(&self, rules: &Rules, stop: &AtomicBool) -> Result<WalkResult, Error> {
        let walked = walk(self.root.path(), rules, self.threads, stop);
        match stop.load(Ordering::Relaxed) {
            true => Err(Error::Cancelled),
            false => Ok(walked),
        }
    }
}

impl WalkEntry {
    pub fn of_row(row: &FileRow) -> WalkEntry {
        WalkEntry {
            path: row.path.to_string(),
            stat: row.stat,
            skip: row.skip_reason().map(str::to_owned),
        }
    }
}

impl WalkResult {
    /// What a walk would find if nothing but what was touched had changed since these were known. `None` if only a real
    /// walk can tell.
    pub fn assume(
        known: impl Iterator<Item = WalkEntry>,
        touched: &Touched,
        watch: &Watch,
        root: &Root,
        rules: &Rules,
    ) -> Option<WalkResult> {
        let mut walked = WalkResult::default();
        for dir in &touched.dirs {
            let dir = root.path().join(dir);
            let listed = list(root.path(), &dir, rules);
            if !watch.knows_subdirs(&dir, &listed.dirs) {
                return None;
            }
            walked.files.extend(listed.files);
        }
        for found in known {
            let on_disk = || std::fs::symlink_metadata(root.path().join(&found.path));
            let dir = found.path.rsplit_once('/').map_or("", |(dir, _)| dir);
            if touched.dirs.contains(dir) {
                // It stands for a directory that could not be looked into.
                if found.skip.is_some() && on_disk().is_ok_and(|metadata| metadata.is_dir()) {
                    return None;
                }
                continue;
            }
            if !touched.files.contains(&found.path) {
                walked.files.push(found);
                continue;
            }
            match on_disk() {
                Ok(metadata) if metadata.is_file() => {
                    let stat = stat_of(&metadata);
                    let skip = rules.skip(&found.path, stat.size);
                    let path = found.path;
                    walked.files.push(WalkEntry { path, stat, skip });
                }
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                _ => return None,
            }
        }
        if !touched.dirs.is_empty() {
            walked.files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        }
        Some(walked)
    }

    /// Those that were not there before, or not as they are now.
    pub fn news<'w>(&'w self, before: &WalkResult) -> impl Iterator<Item = &'w WalkEntry> {
        let mut before = before.files.iter().peekable();
        self.files.iter().filter(move |found| {
            while before.next_if(|old| old.path < found.path).is_some() {}
            before.next_if(|old| old.path == found.path) != Some(found)
        })
    }
}
