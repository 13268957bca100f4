//! What git keeps of a directory. It belongs to the workspace even where its name begins with a dot or an ignore rule
//! of git matches it: git itself ignores nothing that it tracks.

use std::{
    hash::{Hash, Hasher},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use git::Repository;

use crate::watch::{Seen, seen};

/// The files of a working tree that git tracks, below the directory that was asked about, ordered by path.
#[derive(Debug, Default)]
pub struct Tracked {
    paths: Vec<String>,
}

impl Tracked {
    /// Nothing where there is no repository, or none that can be read: then names and ignore rules alone decide.
    pub fn of(root: &Path) -> Tracked {
        let index = match Repository::find(root) {
            Ok(Some(repository)) => repository.index(),
            Ok(None) => return Tracked::default(),
            Err(error) => Err(error),
        };
        let entries = index.map(|index| index.entries).unwrap_or_else(|error| {
            tracing::debug!(%error, "what git tracks is not known");
            Vec::new()
        });
        // Git never tracks what is its own; a list that says so was not written by it.
        let is_own = |path: &str| path.split('/').any(|part| part.eq_ignore_ascii_case(".git"));
        let plain = entries
            .into_iter()
            .filter(|entry| entry.is_plain && !is_own(&entry.path));
        let mut paths: Vec<String> = plain.map(|entry| entry.path).collect();
        // They are in order, unless someone else than git wrote them.
        paths.sort_unstable();
        Tracked { paths }
    }

    /// Those in a directory and its subdirectories; `dir` is `` or `a/b/`.
    fn below(&self, dir: &str) -> &[String] {
        let from = self.paths.partition_point(|path| path.as_str() < dir);
        let count = self.paths[from..].partition_point(|path| path.starts_with(dir));
        &self.paths[from..from + count]
    }

    /// Those below `dir` of which, by all of their path, it is not so.
    pub fn unless(&self, dir: &str, mut is_so: impl FnMut(&str) -> bool) -> Tracked {
        let paths = self.below(dir).iter().filter(|path| !is_so(path));
        Tracked {
            paths: paths.cloned().collect(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.paths.is_empty()
    }

    pub fn has_file(&self, path: &str) -> bool {
        self.paths.binary_search_by(|known| known.as_str().cmp(path)).is_ok()
    }

    pub fn has_dir(&self, dir: &str) -> bool {
        !self.below(&format!("{dir}/")).is_empty()
    }

    /// The same for the same paths.
    fn digest(&self) -> u64 {
        let mut hasher = rustc_hash::FxHasher::default();
        self.paths.hash(&mut hasher);
        hasher.finish()
    }
}

/// What git tracks, read again when git has written its list.
#[derive(Debug, Default)]
pub struct TrackedCache {
    last: Mutex<Option<(PathBuf, Seen, Arc<Tracked>)>>,
}

impl TrackedCache {
    pub fn of(&self, root: &Path) -> Arc<Tracked> {
        let Some(list) = Repository::find(root).ok().flatten().map(|found| found.index_file()) else {
            return Arc::default();
        };
        // Looked at before it is read: what is written meanwhile is read the next time.
        let now = seen(&list);
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, then, tracked)) = &*last
            && (known, then) == (&list, &now)
        {
            return tracked.clone();
        }
        let tracked = Arc::new(Tracked::of(root));
        *last = Some((list, now, tracked.clone()));
        tracked
    }
}

/// Notices when git tracks other files than before. Most of what git writes into its index says nothing of that.
pub struct TrackedWatch {
    root: PathBuf,
    /// Where git keeps the list, and how it was when last looked at.
    list: Option<(PathBuf, Seen)>,
    /// Of what was tracked then.
    digest: u64,
}

impl TrackedWatch {
    pub fn new(root: &Path) -> TrackedWatch {
        let repository = Repository::find(root).ok().flatten();
        let list = repository.map(|repository| repository.index_file());
        TrackedWatch {
            root: root.to_owned(),
            // Looked at before it is read: what is written meanwhile is news.
            list: list.map(|path| (path.clone(), seen(&path))),
            digest: Tracked::of(root).digest(),
        }
    }

    pub fn changed(&mut self) -> bool {
        let Some((path, known)) = &mut self.list else {
            // It may have become a repository.
            if self.root.join(".git").exists() {
                *self = TrackedWatch::new(&self.root);
            }
            return self.list.is_some();
        };
        let now = seen(path);
        if now == *known {
            return false;
        }
        *known = now;
        let digest = Tracked::of(&self.root).digest();
        std::mem::replace(&mut self.digest, digest) != digest
    }
}
