//! Which files a workspace has: ignore rules honoured, links not followed, each file with its stat.

use std::{
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use ignore::{DirEntry, WalkBuilder, WalkState};
use index::Stat;
use search::PathGlobs;
use source::{RepoPath, is_secret_name};

use crate::{
    config::{DEFAULT_EXCLUDE, IndexConfig},
    error::Error,
    read::{Root, stat_of, too_large},
};

/// A file that was found and is not searched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkippedFile {
    pub path: String,
    pub reason: String,
}

/// Skipped files that could have held what was asked for: the first few, and how many there are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MissedFiles {
    pub shown: Vec<SkippedFile>,
    pub total: usize,
}

/// Missed files that an answer names.
const MISSED_SHOWN: usize = 5;
/// Beginnings of reasons for which nobody misses a file: it is a picture or a link, or left out on purpose.
const NOT_MISSED: [&str; 4] = ["binary", "a symbolic link", "not a regular file", "may hold secrets"];

impl MissedFiles {
    /// Those among skipped files, each with its reason.
    pub(crate) fn among<'f>(skipped: impl Iterator<Item = (&'f str, &'f str)>) -> MissedFiles {
        let mut missed = MissedFiles::default();
        for (path, reason) in skipped {
            if NOT_MISSED.iter().any(|other| reason.starts_with(other)) {
                continue;
            }
            missed.total += 1;
            if missed.shown.len() < MISSED_SHOWN {
                missed.shown.push(SkippedFile {
                    path: path.to_owned(),
                    reason: reason.to_owned(),
                });
            }
        }
        missed
    }
}

/// A file on disk: to be indexed, or known beforehand not to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    pub path: String,
    pub stat: Stat,
    pub skip: Option<String>,
}

impl Found {
    /// Known by its name alone.
    fn skipped(path: String, reason: &str) -> Found {
        let stat = Stat {
            size: 0,
            mtime_ns: 0,
            ctime_ns: 0,
            inode: 0,
        };
        Found {
            path,
            stat,
            skip: Some(reason.to_owned()),
        }
    }
}

#[derive(Debug, Default)]
pub(crate) struct Walked {
    /// Ordered by path.
    pub files: Vec<Found>,
    pub dirs: Vec<PathBuf>,
}

/// What is in and what is out, compiled once per refresh.
#[derive(Debug, Clone)]
pub(crate) struct Rules {
    include: Option<PathGlobs>,
    exclude: PathGlobs,
    /// Leave out directories with a `CACHEDIR.TAG`, as cargo and others put into their output.
    skip_caches: bool,
    pub max_file_bytes: u64,
}

impl Rules {
    pub fn new(root: &Root, config: &IndexConfig) -> Result<Rules, Error> {
        let (config, repo_exclude) = config.narrowed(root);
        let skip_caches = config.exclude.is_none();
        let mut exclude = config
            .exclude
            .unwrap_or_else(|| DEFAULT_EXCLUDE.iter().map(|glob| (*glob).to_owned()).collect());
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
    pub fn skip(&self, path: &str, size: u64) -> Option<String> {
        let name = path.rsplit('/').next().unwrap_or(path);
        if is_secret_name(name) {
            return Some("may hold secrets, by its name".into());
        }
        let is_large = size > self.max_file_bytes;
        is_large.then(|| match is_binary_name(name) {
            true => "binary: by its name".to_owned(),
            false => too_large(size, self.max_file_bytes),
        })
    }
}

/// Endings of files that nobody would search.
const BINARY: &str = "7z a avi bin bz2 class db dll dylib exe gguf gif gz iso jar jpeg jpg lib mov mp3 mp4 npy npz o onnx \
otf parquet pdf pkl png pt rlib safetensors so sqlite tar tgz tif tiff ttf wasm wav webp whl woff woff2 xz zip zst";

/// Whether a file that is too large to look into is nothing to miss.
fn is_binary_name(name: &str) -> bool {
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    BINARY.split(' ').any(|one| ending.eq_ignore_ascii_case(one))
}

/// Whether reading a directory's ignore rules could take forever: a pipe or device in the place of a file.
fn has_endless_rules(dir: &Path) -> bool {
    [".gitignore", ".ignore", ".git/info/exclude"]
        .iter()
        .any(|name| std::fs::metadata(dir.join(name)).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir()))
}

/// Walks the tree in parallel. Directories that cannot be read are passed over and told as skipped files.
pub(crate) fn walk(root: &Path, rules: &Rules, threads: usize, stop: &AtomicBool) -> Walked {
    walk_at(root, root, None, rules, threads, stop)
}

/// What a walk finds in one directory that it comes to, without what is in its subdirectories.
pub(crate) fn list(root: &Path, dir: &Path, rules: &Rules) -> Walked {
    let mut listed = walk_at(root, dir, Some(1), rules, 1, &AtomicBool::new(false));
    listed.dirs.retain(|subdir| subdir != dir);
    listed
}

fn walk_at(
    root: &Path,
    start: &Path,
    depth: Option<usize>,
    rules: &Rules,
    threads: usize,
    stop: &AtomicBool,
) -> Walked {
    let shared = Mutex::new(Walked::default());
    let endless = Arc::new(Mutex::new(Vec::new()));
    let root_owned = root.to_owned();
    let (dir_rules, passed_over) = (rules.clone(), endless.clone());
    let mut walker = WalkBuilder::new(start);
    walker.max_depth(depth);
    if has_endless_rules(start) {
        walker.ignore(false).git_ignore(false).git_exclude(false);
        lock(&endless).push(".gitignore".to_owned());
    }
    let walker = walker
        .threads(threads)
        // A tree without `.git`, such as an unpacked archive, means its `.gitignore` all the same.
        .require_git(false)
        .filter_entry(move |entry| {
            let is_dir = entry.file_type().is_some_and(|kind| kind.is_dir());
            let Some(path) = relative(&root_owned, entry.path()).filter(|_| is_dir) else {
                return true;
            };
            if !dir_rules.allows_dir(&path, entry.path()) {
                return false;
            }
            let endless = has_endless_rules(entry.path());
            if endless {
                lock(&passed_over).push(path);
            }
            !endless
        })
        .build_parallel();
    walker.run(|| {
        let mut own = Collected {
            walked: Walked::default(),
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
            .push(Found::skipped(path, "its ignore rules are not in a regular file"));
    }
    walked.files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    // Two names that differ only in bytes that are not UTF-8 look the same to us; one row stands for both.
    walked.files.dedup_by(|a, b| a.path == b.path);
    walked
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
struct Collected<'s> {
    walked: Walked,
    shared: &'s Mutex<Walked>,
}

impl Collected<'_> {
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
            return self.skipped(path, "its name is not valid UTF-8");
        };
        if !rules.allows_file(&path) {
            return;
        }
        match kind {
            Some(kind) if kind.is_symlink() => return self.skipped(path, "a symbolic link"),
            Some(kind) if kind.is_file() => {}
            _ => return self.skipped(path, "not a regular file"),
        }
        match entry.metadata() {
            Ok(metadata) => {
                let stat = stat_of(&metadata);
                let skip = rules.skip(&path, stat.size);
                self.walked.files.push(Found { path, stat, skip });
            }
            Err(error)
                if error
                    .io_error()
                    .is_some_and(|e| e.kind() == std::io::ErrorKind::NotFound) => {}
            Err(error) => self.skipped(path, &error.to_string()),
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
            self.skipped(path, &format!("cannot be listed: {inner}"));
        }
    }

    fn skipped(&mut self, path: String, reason: &str) {
        self.walked.files.push(Found::skipped(path, reason));
    }
}

impl Drop for Collected<'_> {
    fn drop(&mut self) {
        let mut shared = lock(self.shared);
        shared.files.append(&mut self.walked.files);
        shared.dirs.append(&mut self.walked.dirs);
    }
}
