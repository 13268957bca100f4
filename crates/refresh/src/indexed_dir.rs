//! A directory with the index that follows it, and how to find out what is on its disk now.

use std::{
    collections::HashSet,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use config::IndexConfig;
use index::{FileRow, FileTable, Store};
use sandbox::{Root, stat_of};

use crate::{
    error::Error,
    indexing::now_ns,
    requests::Requests,
    tracked::TrackedCache,
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
    pub tracked: TrackedCache,
}

/// What was on disk at a time.
pub struct DiskScan {
    /// The files that were looked at and are there.
    pub walked: Arc<WalkResult>,
    pub scope: ScanScope,
    pub rules: Rules,
    /// When the scan began.
    pub since_ns: i64,
}

/// What a scan has looked at.
#[derive(Debug, PartialEq, Eq)]
pub enum ScanScope {
    Everything,
    /// What events say may have changed since a complete index was made. All else is as the index has it.
    Changes {
        /// Paths that the index has, and the disk no longer.
        gone: Vec<String>,
    },
}

impl DiskScan {
    /// What a scan of everything would have found, where `files` is what the index had.
    pub fn whole(&self, files: &FileTable) -> Arc<WalkResult> {
        let ScanScope::Changes { gone } = &self.scope else {
            return self.walked.clone();
        };
        let looked_at: HashSet<&str> = self.walked.files.iter().map(|found| found.path.as_str()).collect();
        let looked_at: HashSet<&str> = looked_at.into_iter().chain(gone.iter().map(String::as_str)).collect();
        let others = files.rows().filter(|row| !looked_at.contains(&*row.path));
        let mut whole = WalkResult::default();
        whole.files.extend(others.map(WalkEntry::of_row));
        whole.files.extend(self.walked.files.iter().cloned());
        whole.files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        Arc::new(whole)
    }
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
        self.scan(config, stop, |watch, rules| {
            let Dirty::Some(touched) = watch.take() else {
                return Ok(None);
            };
            if let Some(before) = before {
                let known = before.files.iter().cloned();
                let walked = WalkResult::assume(known, &touched, watch, &self.root, rules);
                return Ok(walked.map(|walked| (walked, ScanScope::Everything)));
            }
            let reader = self.store.reader()?;
            let changes = || self.changes(&touched, watch, rules, reader.files());
            Ok(reader.complete().then(changes).flatten())
        })
    }

    /// The same, whatever events say.
    pub fn scan_everything(&self, config: &IndexConfig, stop: &AtomicBool) -> Result<DiskScan, Error> {
        self.scan(config, stop, |_, _| Ok(None))
    }

    fn scan(
        &self,
        config: &IndexConfig,
        stop: &AtomicBool,
        by_events: impl FnOnce(&Watch, &Rules) -> Result<Option<(WalkResult, ScanScope)>, Error>,
    ) -> Result<DiskScan, Error> {
        let since_ns = now_ns();
        let rules = Rules::with_tracked(&self.root, config, self.tracked.of(self.root.path()))?;
        let (walked, scope) = match &self.watch {
            None => (self.walked(&rules, stop)?, ScanScope::Everything),
            Some(watch) => match by_events(watch, &rules)? {
                Some(found) => found,
                None => (self.walked_and_watched(watch, &rules, stop)?, ScanScope::Everything),
            },
        };
        Ok(DiskScan {
            walked: Arc::new(walked),
            scope,
            rules,
            since_ns,
        })
    }

    /// Looks at what was touched since the index had all of `files`. `None` if only a walk can tell.
    fn changes(
        &self,
        touched: &Touched,
        watch: &Watch,
        rules: &Rules,
        files: &FileTable,
    ) -> Option<(WalkResult, ScanScope)> {
        let mut walked = WalkResult::default();
        let mut gone = Vec::new();
        for dir in &touched.dirs {
            let listed = listed(dir, watch, &self.root, rules)?;
            let names: HashSet<&str> = listed.files.iter().map(|found| found.path.as_str()).collect();
            for row in files.in_dir(dir).filter(|row| !names.contains(&*row.path)) {
                if row.skip_reason().is_some() && is_dir(&self.root, &row.path) {
                    return None;
                }
                gone.push(row.path.to_string());
            }
            walked.files.extend(listed.files);
        }
        for path in touched.files.iter().filter(|path| !touched.dirs.contains(dir_of(path))) {
            if files.by_path(path).is_some() {
                match on_disk(&self.root, path, rules)? {
                    Some(found) => walked.files.push(found),
                    None => gone.push(path.clone()),
                }
            }
        }
        walked.files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        Some((walked, ScanScope::Changes { gone }))
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
            skip: row.skip_reason().cloned(),
        }
    }
}

/// The directory of a path.
fn dir_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(dir, _)| dir)
}

/// What is right in a directory. `None` if it has subdirectories that are not watched, or no longer one that is.
fn listed(dir: &str, watch: &Watch, root: &Root, rules: &Rules) -> Option<WalkResult> {
    let dir = root.path().join(dir);
    let listed = list(root.path(), &dir, rules);
    watch.knows_subdirs(&dir, &listed.dirs).then_some(listed)
}

/// Whether a skipped row stands for a directory that could not be looked into.
fn is_dir(root: &Root, path: &str) -> bool {
    std::fs::symlink_metadata(root.path().join(path)).is_ok_and(|metadata| metadata.is_dir())
}

/// A file as it is now, or that it is gone. `None` if it is something else, or cannot be looked at.
fn on_disk(root: &Root, path: &str, rules: &Rules) -> Option<Option<WalkEntry>> {
    match std::fs::symlink_metadata(root.path().join(path)) {
        Ok(metadata) if metadata.is_file() => {
            let stat = stat_of(&metadata);
            let skip = rules.skip(path, stat.size);
            let path = path.to_owned();
            Some(Some(WalkEntry { path, stat, skip }))
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Some(None),
        _ => None,
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
            walked.files.extend(listed(dir, watch, root, rules)?.files);
        }
        for found in known {
            if touched.dirs.contains(dir_of(&found.path)) {
                if found.skip.is_some() && is_dir(root, &found.path) {
                    return None;
                }
                continue;
            }
            match touched.files.contains(&found.path) {
                true => walked.files.extend(on_disk(root, &found.path, rules)?),
                false => walked.files.push(found),
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
