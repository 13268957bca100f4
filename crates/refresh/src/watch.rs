//! Knowing that nothing changed without looking at every file.
//!
//! The kernel's events are trusted where they can be waited for: before an answer a cookie file is written to a
//! directory of ours that the same watcher watches; once its event has come, every earlier event has. That order
//! holds for Linux's inotify and for files that only this kernel writes to. Elsewhere, on file systems that other machines
//! or programs share, and wherever watching fails, each call walks the tree instead.

use std::{
    collections::{BTreeSet, HashSet},
    path::{Path, PathBuf},
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant, SystemTime},
};

use crate::{tracked::TrackedWatch, walk::WalkResult};
use index::FileSystem;
use notify::{Config, Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher, event::ModifyKind};
use sandbox::Root;

/// Events are delivered in well under a millisecond; this is for machines that stall.
const COOKIE_PATIENCE: Duration = Duration::from_secs(2);
/// For so long nobody waits again for events that did not come in time, unless they come. They may be lost.
const STILL_LATE: Duration = Duration::from_secs(5);

/// More directories than this are not listed one by one.
const MAX_LISTED: usize = 64;

/// How a workspace notices that files have changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeDetection {
    /// The kernel's events, waited for before each answer.
    Events,
    /// Each answer compares size and times of every file.
    Walk(WalkReason),
}

/// Why the kernel's events are not used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WalkReason {
    /// The process answers once.
    OneShot,
    /// `indexing.watch` is off.
    Setting,
    /// The order of this system's events tells nothing.
    System,
    /// Files change there without an event of this kernel.
    FileSystem(&'static str),
    /// The system has no watcher for it, or nowhere to write cookies.
    Unavailable,
}

impl ChangeDetection {
    pub fn as_str(self) -> &'static str {
        match self {
            ChangeDetection::Events => "events",
            ChangeDetection::Walk(_) => "walk",
        }
    }
}

/// For people: why every call looks at every file.
impl std::fmt::Display for WalkReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            WalkReason::OneShot => f.write_str("this process answers once"),
            WalkReason::Setting => f.write_str("indexing.watch is off"),
            WalkReason::System => f.write_str("this system's file events cannot be waited for"),
            WalkReason::FileSystem(name) => write!(f, "{name} does not report every change"),
            WalkReason::Unavailable => f.write_str("the system gave no file watcher"),
        }
    }
}

/// What may have changed since it was last taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Dirty {
    Some(Touched),
    Everything,
}

/// Paths relative to the root.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Touched {
    /// Their contents may be others.
    pub files: BTreeSet<String>,
    /// Files in them may have come, gone or been renamed; what is in their subdirectories is as it was.
    pub dirs: BTreeSet<String>,
}

impl Dirty {
    fn nothing() -> Dirty {
        Dirty::Some(Touched::default())
    }
}

/// When and how large a file was last seen; nothing if there is none.
pub type Seen = Option<(SystemTime, u64)>;

struct Shared {
    root: PathBuf,
    cookies: PathBuf,
    state: Mutex<State>,
    cookie_seen: Condvar,
}

struct State {
    dirty: Dirty,
    last_cookie: u64,
    /// The cookie that did not come in time, and since when that is known.
    late: Option<(u64, Instant)>,
    watched: HashSet<PathBuf>,
    /// Those of them in which only what git tracks counts.
    tracked_only_dirs: HashSet<PathBuf>,
    tracked: TrackedWatch,
    /// What says from outside of the tree which of its files count.
    rules: Vec<(PathBuf, Seen)>,
    /// Were watched and are not where they were: a watch goes with its directory, whatever that is called.
    moved: Vec<PathBuf>,
}

pub struct Watch {
    shared: Arc<Shared>,
    watcher: Mutex<RecommendedWatcher>,
    /// The directory of cookies, as it was when it began to be watched.
    cookies: Mutex<Root>,
    next_cookie: AtomicU64,
}

impl Watch {
    /// The reason where events cannot be relied on. `state_dir` is a private directory outside the repository.
    pub fn start(root: &Root, state_dir: &Path) -> Result<Watch, WalkReason> {
        if !cfg!(target_os = "linux") {
            return Err(WalkReason::System);
        }
        for dir in [root.path(), state_dir] {
            if let FileSystem::Shared { name } = FileSystem::of_tree(dir) {
                return Err(WalkReason::FileSystem(name));
            }
        }
        Self::start_on_local_disk(root, state_dir).ok_or(WalkReason::Unavailable)
    }

    fn start_on_local_disk(root: &Root, state_dir: &Path) -> Option<Watch> {
        let cookies = state_dir.join("cookies");
        std::fs::create_dir_all(&cookies).ok()?;
        let shared = Arc::new(Shared {
            root: root.path().to_owned(),
            cookies: cookies.clone(),
            state: Mutex::new(State {
                dirty: Dirty::Everything,
                last_cookie: 0,
                late: None,
                watched: HashSet::new(),
                tracked_only_dirs: HashSet::new(),
                tracked: TrackedWatch::new(root.path()),
                rules: outer_rules(root.path()),
                moved: Vec::new(),
            }),
            cookie_seen: Condvar::new(),
        });
        let handler = shared.clone();
        let config = Config::default().with_follow_symlinks(false);
        let mut watcher = RecommendedWatcher::new(move |event| handler.on_event(event), config).ok()?;
        watcher.watch(&cookies, RecursiveMode::NonRecursive).ok()?;
        Some(Watch {
            shared,
            watcher: Mutex::new(watcher),
            cookies: Mutex::new(Root::open(&cookies).ok()?),
            next_cookie: AtomicU64::new(1),
        })
    }

    /// Watches exactly the directories of a walk. `Ok(true)` when some were not watched before: what happened in them before
    /// this call is unknown, so the tree must be walked again.
    pub fn cover(&self, walked: &WalkResult) -> notify::Result<bool> {
        let dirs = &walked.dirs;
        // The watcher is not asked while the state is held: it may wait for a handler that waits for the state.
        let mut watcher = self.watcher.lock().unwrap_or_else(PoisonError::into_inner);
        let (moved, watched) = {
            let mut state = self.shared.state();
            state.tracked_only_dirs = walked.tracked_only_dirs.iter().cloned().collect();
            (std::mem::take(&mut state.moved), state.watched.clone())
        };
        let wanted: HashSet<&PathBuf> = dirs.iter().collect();
        for dir in moved.iter().chain(watched.iter().filter(|dir| !wanted.contains(dir))) {
            // A directory that is gone has no watch to take away.
            let _ = watcher.unwatch(dir);
            self.shared.state().watched.remove(dir);
        }
        let mut added = false;
        for dir in dirs.iter().filter(|dir| !watched.contains(*dir)) {
            match watcher.watch(dir, RecursiveMode::NonRecursive) {
                Ok(()) => {
                    self.shared.state().watched.insert(dir.clone());
                    added = true;
                }
                // It vanished since the walk: its parent's event tells.
                Err(error) if !dir.exists() => tracing::debug!(%error, "a directory vanished"),
                Err(error) => return Err(error),
            }
        }
        Ok(added)
    }

    /// Whether exactly these directories are watched of those right below `dir`.
    pub fn knows_subdirs(&self, dir: &Path, subdirs: &[PathBuf]) -> bool {
        let state = self.shared.state();
        let known = state.watched.iter().filter(|known| known.parent() == Some(dir)).count();
        known == subdirs.len() && subdirs.iter().all(|subdir| state.watched.contains(subdir))
    }

    /// Takes everything that may have changed before this call, leaving nothing.
    pub fn take(&self) -> Dirty {
        self.sync();
        std::mem::replace(&mut self.shared.state().dirty, Dirty::nothing())
    }

    pub fn distrust(&self) {
        self.shared.state().dirty = Dirty::Everything;
    }

    /// True when nothing at all has changed before this call began.
    pub fn is_clean(&self) -> bool {
        self.sync();
        self.shared.state().dirty == Dirty::nothing()
    }

    /// True when it is known what has changed, and that something has.
    pub fn has_news(&self) -> bool {
        self.sync();
        let state = self.shared.state();
        state.dirty != Dirty::nothing() && state.dirty != Dirty::Everything
    }

    /// Waits until every event of the past has been seen.
    fn sync(&self) {
        if let Err(error) = self.keep_cookies() {
            tracing::warn!(%error, "file events cannot be waited for");
        }
        let number = self.next_cookie.fetch_add(1, Ordering::Relaxed);
        let path = self.shared.cookies.join(cookie_name(number));
        let written = std::fs::write(&path, []);
        let mut state = self.shared.state();
        if written.is_ok() {
            let patience = if state.are_late() {
                Duration::ZERO
            } else {
                COOKIE_PATIENCE
            };
            let waiting = self
                .shared
                .cookie_seen
                .wait_timeout_while(state, patience, |state| state.last_cookie < number)
                .unwrap_or_else(PoisonError::into_inner);
            state = waiting.0;
        }
        if state.rules_changed() || state.tracked.changed() {
            state.dirty = Dirty::Everything;
        }
        if state.last_cookie < number {
            if !state.are_late() {
                tracing::warn!("file events are late; looking at every file instead");
                state.late = Some((number, Instant::now()));
            }
            state.dirty = Dirty::Everything;
        }
        drop(state);
        let _ = std::fs::remove_file(&path);
    }

    /// Whoever deletes a session deletes the cookies too, and another process may have made the directory anew: events of
    /// that one come only if it is watched.
    fn keep_cookies(&self) -> Result<(), Box<dyn std::error::Error>> {
        let mut opened = self.cookies.lock().unwrap_or_else(PoisonError::into_inner);
        if opened.is_in_place() {
            return Ok(());
        }
        let path = &self.shared.cookies;
        index::create_private_dir(path)?;
        let mut watcher = self.watcher.lock().unwrap_or_else(PoisonError::into_inner);
        // A directory that is gone has no watch to take away.
        let _ = watcher.unwatch(path);
        watcher.watch(path, RecursiveMode::NonRecursive)?;
        *opened = Root::open(path)?;
        Ok(())
    }
}

fn cookie_name(number: u64) -> String {
    format!("{}-{number}", std::process::id())
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn on_event(&self, event: notify::Result<Event>) {
        let event = match event {
            Ok(event) if !event.need_rescan() => event,
            _ => {
                self.state().dirty = Dirty::Everything;
                return;
            }
        };
        if matches!(event.kind, EventKind::Access(_)) && !self.is_cookie(&event) {
            return;
        }
        let mut state = self.state();
        for path in &event.paths {
            if path.parent() == Some(&self.cookies) {
                let own = path
                    .file_name()
                    .and_then(|name| name.to_str())
                    .and_then(|name| name.split_once('-'));
                if let Some((_, number)) = own.filter(|(pid, _)| *pid == std::process::id().to_string()) {
                    state.last_cookie = state.last_cookie.max(number.parse().unwrap_or(0));
                    self.cookie_seen.notify_all();
                }
                continue;
            }
            state.note(&self.root, path, &event.kind);
        }
    }

    fn is_cookie(&self, event: &Event) -> bool {
        event.paths.iter().any(|path| path.parent() == Some(&self.cookies))
    }
}

/// Files that say what git and others ignore, and are in no directory that is watched: above the root, git's own, the user's.
fn outer_rules(root: &Path) -> Vec<(PathBuf, Seen)> {
    let above = root.ancestors().skip(1);
    let mut paths: Vec<PathBuf> = above
        .flat_map(|dir| [".gitignore", ".ignore"].map(|name| dir.join(name)))
        .collect();
    paths.push(root.join(".git/info/exclude"));
    paths.extend(ignore::gitignore::gitconfig_excludes_path());
    paths
        .into_iter()
        .map(|path| {
            let seen = seen(&path);
            (path, seen)
        })
        .collect()
}

pub fn seen(path: &Path) -> Seen {
    let metadata = std::fs::metadata(path).ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}

impl State {
    /// Whether a cookie that was waited for in vain is still to come: so much happens that waiting for each call would be all
    /// that is done.
    fn are_late(&self) -> bool {
        let late = self.late.filter(|(_, since)| since.elapsed() < STILL_LATE);
        late.is_some_and(|(number, _)| self.last_cookie < number)
    }

    fn rules_changed(&mut self) -> bool {
        let mut changed = false;
        for (path, known) in &mut self.rules {
            let now = seen(path);
            changed |= now != *known;
            *known = now;
        }
        changed
    }

    fn note(&mut self, root: &Path, path: &Path, kind: &EventKind) {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let rules_changed = matches!(name, ".gitignore" | ".ignore" | ".portolan.toml" | "CACHEDIR.TAG");
        let contents_only =
            matches!(kind, EventKind::Modify(kind) if !matches!(kind, ModifyKind::Name(_) | ModifyKind::Any));
        let relative = path.strip_prefix(root).ok().and_then(|path| path.to_str());
        if !contents_only && self.watched.contains(path) {
            self.moved.extend(self.watched.extract_if(|dir| dir.starts_with(path)));
            self.dirty = Dirty::Everything;
        }
        let is_tracked_only = !contents_only && path.parent().is_some_and(|dir| self.tracked_only_dirs.contains(dir));
        let must_walk = rules_changed || is_tracked_only;
        let (Dirty::Some(touched), Some(relative), false) = (&mut self.dirty, relative, must_walk) else {
            self.dirty = Dirty::Everything;
            return;
        };
        match relative.rsplit_once('/').map_or("", |(dir, _)| dir) {
            // The root's own change of attributes concerns no file.
            _ if contents_only && relative.is_empty() => {}
            _ if contents_only => {
                touched.files.insert(relative.to_owned());
            }
            _ if relative.is_empty() => self.dirty = Dirty::Everything,
            dir => {
                touched.dirs.insert(dir.to_owned());
                if touched.dirs.len() > MAX_LISTED {
                    self.dirty = Dirty::Everything;
                }
            }
        }
    }
}
