//! Which files a workspace has: ignore rules honoured, links not followed, each file with its stat.

use std::{
    collections::HashSet,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use config::{IndexConfig, REPO_FILE, REPO_FILE_LIMIT};
use ignore::{DirEntry, WalkBuilder, WalkState};
use sandbox::{Privacy, Root, stat_of};
use source::{PathGlobs, RepoPath, SkipReason, Stat, is_binary_name};

use crate::{error::Error, tracked::Tracked};

/// A file on disk: to be indexed, or known beforehand not to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WalkEntry {
    pub path: String,
    pub stat: Stat,
    /// Why it is not to be read.
    pub skip: Option<SkipReason>,
}

impl WalkEntry {
    /// Known by its name alone.
    fn skipped(path: String, reason: SkipReason) -> WalkEntry {
        let stat = Stat {
            size: 0,
            mtime_ns: 0,
            ctime_ns: 0,
            inode: 0,
        };
        WalkEntry {
            path,
            stat,
            skip: Some(reason),
        }
    }
}

#[derive(Debug, Default)]
pub struct WalkResult {
    /// Ordered by path.
    pub files: Vec<WalkEntry>,
    pub dirs: Vec<PathBuf>,
    /// Those of `dirs` that only files that git tracks lead to: nothing else in them counts.
    pub tracked_only_dirs: Vec<PathBuf>,
}

/// What is in and what is out, compiled once per refresh.
#[derive(Debug, Clone)]
pub struct Rules {
    include: Option<PathGlobs>,
    exclude: PathGlobs,
    /// Leave out directories with a `CACHEDIR.TAG`, as cargo and others put into their output.
    skip_caches: bool,
    tracked: Arc<Tracked>,
    privacy: Privacy,
    pub max_file_bytes: u64,
}

impl Rules {
    pub fn new(root: &Root, config: &IndexConfig) -> Result<Rules, Error> {
        Rules::with_tracked(root, config, Arc::new(Tracked::of(root.path())))
    }

    /// The same where it is known what git tracks.
    pub(crate) fn with_tracked(root: &Root, config: &IndexConfig, tracked: Arc<Tracked>) -> Result<Rules, Error> {
        let (config, repo_exclude) = match repo_file(root).map(|text| config.narrowed(&text)) {
            None => (config.clone(), Vec::new()),
            Some(Ok(narrowed)) => narrowed,
            Some(Err(error)) => {
                tracing::warn!(root = %root.path().display(), "ignoring {REPO_FILE}: {error}");
                (config.clone(), Vec::new())
            }
        };
        let skip_caches = config.leaves_out_built_in();
        let mut exclude = config.excluded();
        // A repository's own mistake must not keep it from being indexed.
        exclude.extend(repo_exclude.into_iter().filter(|glob| PathGlobs::new(&[glob]).is_ok()));
        let everything = config.include.is_empty() || config.include.iter().any(|glob| glob == "**/*");
        Ok(Rules {
            include: if everything {
                None
            } else {
                Some(PathGlobs::new(&config.include)?)
            },
            exclude: PathGlobs::new(&exclude)?,
            skip_caches,
            tracked,
            privacy: root.privacy().clone(),
            max_file_bytes: config.max_file_bytes,
        })
    }

    fn allows_dir(&self, path: &str, on_disk: &Path) -> bool {
        // Whatever excludes a file of an arbitrary name excludes the whole directory.
        let arbitrary = format!("{path}/\u{1}arbitrary\u{1}");
        let excluded = self.exclude.matches(path) || self.exclude.matches(&arbitrary);
        let cache = self.skip_caches && on_disk.join("CACHEDIR.TAG").is_file();
        !excluded && !cache
    }

    fn allows_file(&self, path: &str) -> bool {
        !self.exclude.matches(path) && self.include.as_ref().is_none_or(|globs| globs.matches(path))
    }

    /// Why a file is not even opened.
    pub fn skip(&self, path: &str, size: u64) -> Option<SkipReason> {
        if let Some(reason) = self.privacy.reason(path) {
            return Some(reason);
        }
        let name = path.rsplit('/').next().unwrap_or(path);
        let is_large = size > self.max_file_bytes;
        is_large.then(|| match is_binary_name(name) {
            true => SkipReason::BinaryName,
            false => SkipReason::too_large(size, self.max_file_bytes),
        })
    }
}

/// The settings that the repository brings along, if any.
pub fn repo_file(root: &Root) -> Option<String> {
    let (bytes, _) = root.read(REPO_FILE, REPO_FILE_LIMIT).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Whether reading a directory's ignore rules could take forever: a pipe or device in the place of a file.
fn has_endless_rules(dir: &Path) -> bool {
    [".gitignore", ".ignore", ".git/info/exclude"]
        .iter()
        .any(|name| std::fs::metadata(dir.join(name)).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir()))
}

/// Walks the tree in parallel. Directories that cannot be read are passed over and told as skipped files.
pub fn walk(root: &Path, rules: &Rules, threads: usize, stop: &AtomicBool) -> WalkResult {
    let mut walked = Walker::all(root, rules).run(threads, stop);
    let missed = walked.missed(&rules.tracked);
    if !missed.is_empty() {
        walked.add(Walker::only(missed, root, root, rules).run(threads, stop));
    }
    walked
}

/// What a walk finds in one directory that it comes to, without what is in its subdirectories. Not for one that only
/// tracked files lead to.
pub fn list(root: &Path, dir: &Path, rules: &Rules) -> WalkResult {
    let stop = AtomicBool::new(false);
    let walking = Walker {
        start: dir,
        depth: Some(1),
        ..Walker::all(root, rules)
    };
    let mut listed = walking.run(1, &stop);
    let prefix = relative(root, dir).map_or(String::new(), |dir| format!("{dir}/"));
    let files: HashSet<&str> = listed.files.iter().map(|found| found.path.as_str()).collect();
    let subdirs: HashSet<String> = listed.dirs.iter().filter_map(|dir| relative(root, dir)).collect();
    let missed = rules
        .tracked
        .unless(&prefix, |path| match path[prefix.len()..].find('/') {
            Some(end) => subdirs.contains(&path[..prefix.len() + end]),
            None => files.contains(path),
        });
    if !missed.is_empty() {
        let mut more = Walker::only(missed, root, dir, rules).run(1, &stop);
        more.files.retain(|found| !found.path[prefix.len()..].contains('/'));
        more.dirs.retain(|subdir| subdir.parent() == Some(dir));
        listed.add(more);
    }
    listed.dirs.retain(|subdir| subdir != dir);
    listed
}

impl WalkResult {
    /// What git tracks and was not found.
    fn missed(&self, tracked: &Tracked) -> Tracked {
        let mut found = self.files.iter().peekable();
        tracked.unless("", |path| {
            while found.next_if(|found| found.path.as_str() < path).is_some() {}
            found.peek().is_some_and(|found| found.path == path)
        })
    }

    /// What was found where only tracked files are looked at.
    fn add(&mut self, tracked: WalkResult) {
        let known: HashSet<&PathBuf> = self.dirs.iter().collect();
        let tracked_only_dirs: Vec<PathBuf> = tracked.dirs.into_iter().filter(|dir| !known.contains(dir)).collect();
        self.dirs.extend(tracked_only_dirs.iter().cloned());
        self.tracked_only_dirs.extend(tracked_only_dirs);
        self.files.extend(tracked.files);
        self.put_in_order();
    }

    fn put_in_order(&mut self) {
        self.files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        // Two names that differ only in bytes that are not UTF-8 look the same to us; one row stands for both.
        self.files.dedup_by(|a, b| a.path == b.path);
    }
}

/// One way through the tree.
struct Walker<'w> {
    root: &'w Path,
    start: &'w Path,
    depth: Option<usize>,
    rules: &'w Rules,
    /// Nothing but these is looked at, and then neither dots nor rules of git keep anything out.
    only: Option<Arc<Tracked>>,
}

impl<'w> Walker<'w> {
    fn all(root: &'w Path, rules: &'w Rules) -> Walker<'w> {
        Walker {
            root,
            start: root,
            depth: None,
            rules,
            only: None,
        }
    }

    fn only(tracked: Tracked, root: &'w Path, start: &'w Path, rules: &'w Rules) -> Walker<'w> {
        Walker {
            start,
            only: Some(Arc::new(tracked)),
            ..Walker::all(root, rules)
        }
    }

    fn run(&self, threads: usize, stop: &AtomicBool) -> WalkResult {
        let &Walker { root, start, rules, .. } = self;
        let shared = Mutex::new(WalkResult::default());
        let endless = Arc::new(Mutex::new(Vec::new()));
        let mut walker = WalkBuilder::new(start);
        walker.max_depth(self.depth);
        if self.only.is_some() {
            walker
                .hidden(false)
                .git_ignore(false)
                .git_exclude(false)
                .git_global(false);
        }
        if has_endless_rules(start) {
            walker.ignore(false).git_ignore(false).git_exclude(false);
            lock(&endless).push(".gitignore".to_owned());
        }
        let walker = walker
            .threads(threads)
            // A tree without `.git`, such as an unpacked archive, means its `.gitignore` all the same.
            .require_git(false)
            .filter_entry(self.filter(endless.clone()))
            .build_parallel();
        walker.run(|| {
            let mut own = EntryCollector {
                walked: WalkResult::default(),
                shared: &shared,
            };
            Box::new(move |entry| {
                if stop.load(Ordering::Relaxed) {
                    return WalkState::Quit;
                }
                own.visit(root, rules, entry);
                WalkState::Continue
            })
        });
        let mut walked = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
        for path in lock(&endless).drain(..) {
            walked
                .files
                .push(WalkEntry::skipped(path, SkipReason::EndlessIgnoreRules));
        }
        walked.put_in_order();
        walked
    }

    /// Whether to look at a file, or into a directory. Those with ignore rules that could take forever are noted.
    fn filter(&self, endless: Arc<Mutex<Vec<String>>>) -> impl Fn(&DirEntry) -> bool + Send + Sync + 'static {
        let (root, rules, only) = (self.root.to_owned(), self.rules.clone(), self.only.clone());
        move |entry| {
            let is_dir = entry.file_type().is_some_and(|kind| kind.is_dir());
            if entry.depth() == 0 || (!is_dir && only.is_none()) {
                return true;
            }
            let Some(path) = relative(&root, entry.path()) else {
                return only.is_none();
            };
            let is_wanted = match &only {
                Some(only) if is_dir => only.has_dir(&path),
                Some(only) => only.has_file(&path),
                None => true,
            };
            if !is_dir || !is_wanted {
                return is_wanted;
            }
            if !rules.allows_dir(&path, entry.path()) {
                return false;
            }
            let is_endless = has_endless_rules(entry.path());
            if is_endless {
                lock(&endless).push(path);
            }
            !is_endless
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn relative(root: &Path, path: &Path) -> Option<String> {
    // A walk makes paths of the root and of names that were listed: nothing in them is to be resolved.
    if !cfg!(windows)
        && let (Some(root), Some(path)) = (root.to_str(), path.to_str())
        && let Some(below) = path.strip_prefix(root).and_then(|path| path.strip_prefix('/'))
        && is_plain(below)
    {
        return Some(below.to_owned());
    }
    let path = path.strip_prefix(root).ok()?;
    RepoPath::from_relative(path).ok().map(|path| path.as_str().to_owned())
}

/// Whether a path is written as we write it.
fn is_plain(path: &str) -> bool {
    path.bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'_' | b'-' | b'.'))
        && !path.contains("//")
        && !path.contains("..")
        && !path.contains("/./")
        && !path.is_empty()
        && !path.ends_with(['/', '.'])
        && !path.starts_with(['/', '.'])
}

/// What one thread has found; handed over when the thread is done.
struct EntryCollector<'s> {
    walked: WalkResult,
    shared: &'s Mutex<WalkResult>,
}

impl EntryCollector<'_> {
    fn visit(&mut self, root: &Path, rules: &Rules, entry: Result<DirEntry, ignore::Error>) {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => return self.failed(root, &error),
        };
        let kind = entry.file_type();
        if kind.is_some_and(|kind| kind.is_dir()) {
            self.walked.dirs.push(entry.into_path());
            return;
        }
        let Some(path) = relative(root, entry.path()) else {
            let path = entry
                .path()
                .strip_prefix(root)
                .unwrap_or(entry.path())
                .to_string_lossy()
                .into_owned();
            return self.skipped(path, SkipReason::NotUtf8Name);
        };
        if !rules.allows_file(&path) {
            return;
        }
        match kind {
            Some(kind) if kind.is_symlink() => return self.skipped(path, SkipReason::SymbolicLink),
            Some(kind) if kind.is_file() => {}
            _ => return self.skipped(path, SkipReason::NotRegular),
        }
        match entry.metadata() {
            Ok(metadata) => {
                let stat = stat_of(&metadata);
                let skip = rules.skip(&path, stat.size);
                self.walked.files.push(WalkEntry { path, stat, skip });
            }
            Err(error)
                if error
                    .io_error()
                    .is_some_and(|e| e.kind() == std::io::ErrorKind::NotFound) => {}
            Err(error) => self.skipped(path, SkipReason::Other(error.to_string().into())),
        }
    }

    fn failed(&mut self, root: &Path, error: &ignore::Error) {
        // Errors come wrapped: in the path, the depth or the line where they happened.
        let mut path = None;
        let mut inner = error;
        loop {
            inner = match inner {
                ignore::Error::WithPath { path: at, err } => {
                    path = Some(at);
                    err
                }
                ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => err,
                _ => break,
            };
        }
        if let Some(path) = path.and_then(|path| relative(root, path)) {
            self.skipped(path, SkipReason::Other(format!("cannot be listed: {inner}").into()));
        }
    }

    fn skipped(&mut self, path: String, reason: SkipReason) {
        self.walked.files.push(WalkEntry::skipped(path, reason));
    }
}

impl Drop for EntryCollector<'_> {
    fn drop(&mut self) {
        let mut shared = lock(self.shared);
        shared.files.append(&mut self.walked.files);
        shared.dirs.append(&mut self.walked.dirs);
    }
}
