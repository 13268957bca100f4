//! One workspace: its index, the work of keeping it current, and snapshots of it.

use std::{
    any::Any,
    cell::OnceCell,
    panic::AssertUnwindSafe,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use config::IndexConfig;
use index::{Counts, FileState, FileSystem, Reader, Store};
use refresh::{
    ChangeDetection, Control, IndexWait, IndexedDir, Indexing, Job, Progress, Report, Requests, Threads, TrackedCache,
    Waited, WalkReason, Watch, named, repo_file,
};
use sandbox::{Change, Root, Undone};

use crate::{
    cache::CacheSlots,
    embedding::Embedding,
    error::Error,
    exact::{Exact, ExactState, ExactUse},
    langs::LangCounts,
    session::{Entry, Session, Sessions},
    snapshot::IndexSnapshot,
    unparsed::NotLookedInto,
    vectoring::Vectoring,
};

/// For whoever has nothing else to do than to wait.
pub const FOREVER: Duration = Duration::from_secs(365 * 24 * 60 * 60);

pub struct Workspace {
    pub(crate) entry: Entry,
    pub(crate) dir: IndexedDir,
    pub(crate) embedding: Arc<Embedding>,
    change_detection: ChangeDetection,
    job: Mutex<Option<Arc<Job>>>,
    pub(crate) vectoring: Vectoring,
    caches: CacheSlots,
    pub(crate) exact: Option<Arc<Exact>>,
    pub(crate) first_answer: Duration,
    pub(crate) process: ProcessKind,
    undone: Option<Arc<Undone>>,
    path_in_repo: OnceLock<Option<String>>,
    /// Everything that works on this in the background, but the exact analysis, which has its own.
    pub(crate) background: Threads,
    is_replaced: AtomicBool,
}

/// How often this process answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ProcessKind {
    /// Until its input ends: work goes on between the answers.
    Server,
    /// Once, and ends with that.
    OneShot,
}

/// How a workspace is opened.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OpenOptions {
    pub process: ProcessKind,
    /// Whether the kernel may be asked to tell of changes.
    pub may_watch: bool,
    pub may_write: bool,
    pub first_answer: Duration,
}

/// What the index is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IndexState {
    Empty,
    Indexing(Progress),
    /// A run was interrupted: the next call goes on with it.
    Interrupted,
    Ready,
}

/// Counts of one generation.
#[derive(Debug, Clone, PartialEq)]
pub struct Stats {
    pub state: IndexState,
    pub generation: u64,
    /// Seconds since 1970.
    pub committed_at: i64,
    pub files: usize,
    pub chunks: u64,
    pub lines: u64,
    /// Bytes of the indexed files.
    pub source_bytes: u64,
    /// Bytes of the index on disk.
    pub index_bytes: u64,
    /// Files per language, most first.
    pub languages: Vec<(&'static str, usize)>,
    pub change_detection: ChangeDetection,
    /// The file system of the index.
    pub index_file_system: FileSystem,
}

/// What is told of a session in a list of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SessionStats {
    pub state: IndexState,
    pub generation: u64,
    /// Seconds since 1970.
    pub committed_at: i64,
    pub files: usize,
    pub chunks: u64,
    /// Bytes of the indexed files.
    pub source_bytes: u64,
}

impl From<Counts> for SessionStats {
    fn from(counts: Counts) -> SessionStats {
        SessionStats {
            state: match counts.complete {
                true => IndexState::Ready,
                false if counts.is_empty => IndexState::Empty,
                false => IndexState::Interrupted,
            },
            generation: counts.generation,
            committed_at: counts.committed_at,
            files: counts.files,
            chunks: counts.chunks,
            source_bytes: counts.source_bytes,
        }
    }
}

impl IndexState {
    fn of(reader: &Reader) -> IndexState {
        match reader.complete() {
            true => IndexState::Ready,
            false if reader.files().is_empty() => IndexState::Empty,
            false => IndexState::Interrupted,
        }
    }
}

impl Stats {
    /// What a commit alone tells; its size on disk is not part of that.
    pub(crate) fn of(reader: &Reader) -> Stats {
        let mut languages = LangCounts::default();
        let (mut files, mut chunks, mut lines, mut source_bytes) = (0, 0, 0, 0);
        for row in reader.files().rows() {
            if let FileState::Indexed {
                lines: n, chunks: m, ..
            } = &row.state
            {
                files += 1;
                chunks += u64::from(*m);
                lines += u64::from(*n);
                source_bytes += row.stat.size;
                languages.add(row.lang, &row.path);
            }
        }
        Stats {
            state: IndexState::of(reader),
            generation: reader.generation(),
            committed_at: reader.committed_at(),
            files,
            chunks,
            lines,
            source_bytes,
            index_bytes: 0,
            languages: languages.most_first(),
            change_detection: ChangeDetection::Walk(WalkReason::OneShot),
            index_file_system: FileSystem::Local,
        }
    }
}

impl Workspace {
    pub(crate) fn open(
        entry: Entry,
        embedding: Arc<Embedding>,
        exact: Option<Arc<Exact>>,
        options: OpenOptions,
    ) -> Result<Workspace, Error> {
        let OpenOptions {
            process,
            may_watch,
            may_write,
            first_answer,
        } = options;
        let root = Root::open(&entry.session.root).map_err(refresh::Error::root(&entry.session.root))?;
        let undone = sandbox::recover(&entry.dir, &root, may_write).map(Arc::new);
        let store = entry.open_store(embedding.vector_source())?;
        if may_write {
            entry.sweep_indexes(store.dir());
            Sessions::around(&entry).sweep_vanished();
        }
        let started = match (process, may_watch) {
            (ProcessKind::OneShot, _) => Err(WalkReason::OneShot),
            (ProcessKind::Server, false) => Err(WalkReason::Setting),
            (ProcessKind::Server, true) => Watch::start(&root, &entry.dir),
        };
        let (watch, change_detection) = match started {
            Ok(watch) => (Some(watch), ChangeDetection::Events),
            Err(reason) => (None, ChangeDetection::Walk(reason)),
        };
        let threads = std::thread::available_parallelism().map_or(1, usize::from).min(8);
        Ok(Workspace {
            dir: IndexedDir {
                root,
                store,
                watch,
                requests: Requests::beside(&entry.dir),
                threads,
                tracked: TrackedCache::default(),
            },
            entry,
            embedding,
            change_detection,
            job: Mutex::new(None),
            vectoring: Vectoring::default(),
            caches: CacheSlots::default(),
            exact,
            first_answer,
            process,
            undone,
            path_in_repo: OnceLock::new(),
            background: Threads::default(),
            is_replaced: AtomicBool::new(false),
        })
    }

    /// Tells all work in the background to end, and starts no more. Calls that wait for it fail with `Error::Closed`.
    pub(crate) fn stop(&self) {
        self.background.stop();
        // What was started before is in its place by now.
        if let Some(job) = &*self.job() {
            job.stop.store(true, Ordering::SeqCst);
        }
        self.vectoring.stop();
        if let Some(exact) = &self.exact {
            exact.stop();
        }
    }

    /// The same, and waits until no thread works on this any more.
    pub(crate) fn close(&self) {
        self.stop();
        self.background.join();
        if let Some(exact) = &self.exact {
            exact.join();
        }
    }

    /// Says that another one of the same session is about to take its place.
    pub(crate) fn replace(&self) {
        self.is_replaced.store(true, Ordering::SeqCst);
    }

    /// Whether what was asked of this one can be asked of another one by now.
    pub fn is_replaced(&self) -> bool {
        self.is_replaced.load(Ordering::SeqCst)
    }

    /// Whether its index is where that of a session is unless a process with other settings is at work on it.
    pub(crate) fn is_in_usual_place(&self) -> bool {
        self.dir.store.dir() == self.entry.index_dir()
    }

    /// What the repository's own `.portolan.toml` has that is not its to set: whoever wrote it is not whoever runs this.
    pub fn refused_settings(&self) -> Vec<String> {
        repo_file(&self.dir.root).map_or_else(Vec::new, |text| config::refused_keys(&text))
    }

    /// A rename that was cut off before this was opened.
    pub fn undone(&self) -> Option<&Arc<Undone>> {
        self.undone.as_ref()
    }

    /// Writes every change or none, even if this process is killed: then whoever opens the workspace next undoes it.
    pub fn write_all(&self, changes: &[Change]) -> Result<(), Error> {
        Ok(self.dir.root.write_all(&self.entry.dir, changes)?)
    }

    pub fn root(&self) -> &Root {
        &self.dir.root
    }

    pub fn store(&self) -> &Store {
        &self.dir.store
    }

    /// The private directory with everything that is stored of the session.
    pub fn session_dir(&self) -> &Path {
        &self.entry.dir
    }

    /// How many threads work on one thing at most.
    pub fn threads(&self) -> usize {
        self.dir.threads
    }

    /// Everything that works on this in the background, but the exact analysis, which has its own.
    pub fn background(&self) -> &Threads {
        &self.background
    }

    pub fn embedding(&self) -> &Embedding {
        &self.embedding
    }

    /// What the crates above have derived from this and keep here, one value of each type. It is dropped with the workspace.
    pub fn cache<T: Any + Default + Send + Sync>(&self) -> Arc<T> {
        self.caches.get()
    }

    pub fn session(&self) -> &Session {
        &self.entry.session
    }

    /// A view of the workspace as it is on disk now. If that takes longer than the time for a first answer, a view of
    /// what is indexed so far, which says so.
    pub fn snapshot(self: &Arc<Self>, control: &Control<'_>) -> Result<IndexSnapshot, Error> {
        // Where the whole is waited for first, what was asked about comes after that.
        let patience = if self.is_server() { 1 } else { 2 };
        let deadline = Instant::now() + self.first_answer * patience;
        let (mut pending, mut behind) = (None, None);
        let mut is_clean = self.is_clean();
        let reader = loop {
            if !is_clean {
                match self.bring_up(false, control, Some(deadline), true) {
                    Ok(outcome) => pending = outcome.err(),
                    // What was committed is still there to be asked.
                    Err(error) if error.is_of_the_disk() && self.has_commit() => behind = Some(error.to_string()),
                    Err(error) => return Err(error),
                }
            }
            if pending.is_none() && behind.is_none() {
                self.catch_up(control)?;
            }
            let reader = self.dir.store.reader()?;
            // Damage was found since, here or by another process, and what there was thrown away.
            let is_lost = !reader.complete() && pending.is_none() && behind.is_none();
            if !is_lost || Instant::now() >= deadline {
                break reader;
            }
            is_clean = false;
        };
        Ok(IndexSnapshot {
            reader,
            workspace: self.clone(),
            pending,
            behind,
            exact_use: ExactUse::default(),
            not_looked_into: NotLookedInto::default(),
        })
    }

    fn has_commit(&self) -> bool {
        self.dir.store.reader().is_ok_and(|reader| reader.generation() > 0)
    }

    /// Compares everything that is stored with its checksums. True if it was damaged: then it is thrown away, and the
    /// next snapshot makes it anew.
    pub fn mend(&self) -> Result<bool, Error> {
        let was_damaged = self.dir.store.mend()?;
        if was_damaged {
            self.distrust_watch();
        }
        Ok(was_damaged)
    }

    /// Whether a file of vectors was missing or damaged, and what it held is not made anew yet.
    pub fn has_lost_vectors(&self) -> bool {
        self.store().has_lost_vectors()
    }

    /// A view of the last commit, whatever is on disk.
    pub fn committed(self: &Arc<Self>) -> Result<IndexSnapshot, Error> {
        Ok(IndexSnapshot {
            reader: self.dir.store.reader()?,
            workspace: self.clone(),
            pending: None,
            behind: None,
            exact_use: ExactUse::default(),
            not_looked_into: NotLookedInto::default(),
        })
    }

    /// Whether this process answers more than once. If not, what it leaves to the background ends with it.
    pub fn is_server(&self) -> bool {
        self.process == ProcessKind::Server
    }

    /// Brings the index up to date and waits for it, at most for `patience` where the process is a server. `Err(progress)`
    /// inside means that it goes on in the background.
    pub fn index(
        self: &Arc<Self>,
        force: bool,
        control: &Control<'_>,
        patience: Duration,
    ) -> Result<Result<Report, Progress>, Error> {
        let deadline = Instant::now() + if self.is_server() { patience } else { FOREVER };
        let outcome = self.bring_up(force, control, Some(deadline), false)?;
        if outcome.is_ok() {
            self.notice_other_vectors()?;
            self.make_vectors(control, deadline)?;
        }
        Ok(outcome)
    }

    /// Brings the index up to date with the disk as it is now. False if that takes longer than `patience`; it goes on then.
    pub fn catch_up_with_disk(self: &Arc<Self>, control: &Control<'_>, patience: Duration) -> Result<bool, Error> {
        let deadline = Instant::now() + if self.is_server() { patience } else { FOREVER };
        Ok(self.bring_up(false, control, Some(deadline), false)?.is_ok())
    }

    /// Starts bringing the index up to date, and returns at once.
    pub fn index_in_background(self: &Arc<Self>, force: bool) -> Result<(), Error> {
        let (job, own) = self.join_or_start(force)?;
        job.detached.store(true, Ordering::SeqCst);
        if own || !force {
            return Ok(());
        }
        // The one that is under way need not read everything; the next one does.
        let workspace = self.clone();
        let read_everything = move || {
            let control = Control {
                cancelled: workspace.background.stop_flag(),
                progress: &|_| {},
                about: "",
            };
            match workspace.bring_up(true, &control, None, false) {
                Ok(_) | Err(Error::Cancelled | Error::Closed) => {}
                Err(error) => tracing::warn!(%error, "indexing in the background failed"),
            }
        };
        self.background
            .spawn(named("reindex"), read_everything)
            .map_err(Error::not_spawned(self.dir.root.path()))
    }

    /// Whether there is a whole index, and no work on it. The disk may be ahead of it.
    pub fn is_ready(&self) -> Result<bool, Error> {
        let is_idle = self.job().as_ref().is_none_or(|job| job.is_finished());
        Ok(is_idle && self.dir.store.is_complete()?)
    }

    pub fn stats(&self) -> Result<Stats, Error> {
        let reader = self.dir.store.reader()?;
        let state = self.state(&reader);
        Ok(Stats {
            state,
            index_bytes: self.dir.store.size(),
            change_detection: self.change_detection,
            index_file_system: FileSystem::of(self.dir.store.dir()),
            ..Stats::of(&reader)
        })
    }

    /// The part of its statistics that a list of sessions tells.
    pub fn session_stats(&self) -> Result<SessionStats, Error> {
        let reader = self.dir.store.reader()?;
        let mut stats = SessionStats {
            state: self.state(&reader),
            generation: reader.generation(),
            committed_at: reader.committed_at(),
            files: 0,
            chunks: 0,
            source_bytes: 0,
        };
        for row in reader.files().indexed() {
            stats.files += 1;
            stats.chunks += u64::from(row.chunks());
            stats.source_bytes += row.stat.size;
        }
        Ok(stats)
    }

    /// The exact analysis: what it is called, and how far it is. `None` if there is none for any language.
    pub fn exact(&self) -> Option<(&'static str, ExactState)> {
        let exact = self.exact.as_ref()?;
        Some((exact.engine().name(), exact.phase()))
    }

    fn state(&self, reader: &Reader) -> IndexState {
        match &*self.job() {
            Some(job) if !job.is_finished() => IndexState::Indexing(job.progress()),
            _ => IndexState::of(reader),
        }
    }

    /// Makes the next call look at every file.
    pub fn distrust_watch(&self) {
        self.dir.distrust_watch();
    }

    fn job(&self) -> MutexGuard<'_, Option<Arc<Job>>> {
        self.job.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_clean(&self) -> bool {
        // In this order: a refresh that has taken the events of a change is then seen running, or has committed it.
        self.dir.watch.as_ref().is_some_and(Watch::is_clean)
            && self.job().as_ref().is_none_or(|job| job.is_finished())
            && self.dir.store.reader().is_ok_and(|r| r.complete())
    }

    /// Runs a refresh that began after this call, or waits for as long as allowed; an answer, only until it has what it is
    /// about.
    fn bring_up(
        self: &Arc<Self>,
        force: bool,
        control: &Control<'_>,
        deadline: Option<Instant>,
        answers: bool,
    ) -> Result<Result<Report, Progress>, Error> {
        // A process that ends with its answer ends the indexing too: it had better be done.
        let whole_index_wait = if self.is_server() {
            Duration::ZERO
        } else {
            self.first_answer
        };
        loop {
            let (job, own) = self.join_or_start(force)?;
            // It is needed next, and can be opened while files are looked at.
            self.dir.store.open_ahead();
            let wait = IndexWait::new(&self.dir, &job, control.about, !own, whole_index_wait);
            let is_enough = || answers && wait.is_there(control.cancelled);
            match job.wait(control, deadline, &is_enough) {
                Waited::Cancelled => return Err(Error::Cancelled),
                Waited::StillRunning => return Ok(Err(job.progress())),
                Waited::Finished(Err(_)) if self.background.is_stopped() => return Err(Error::Closed),
                // Someone else's refresh may have begun before the change that this caller knows of.
                Waited::Finished(_) if !own => {}
                Waited::Finished(Ok(report)) => return Ok(Ok(report)),
                Waited::Finished(Err(error)) => return Err(Error::Shared(error)),
            }
        }
    }

    /// The refresh that is under way, or a new one; and whether it is new.
    fn join_or_start(self: &Arc<Self>, force: bool) -> Result<(Arc<Job>, bool), Error> {
        let mut current = self.job();
        if let Some(job) = current.as_ref().filter(|job| !job.is_finished()) {
            return Ok((job.clone(), false));
        }
        let job = Arc::new(Job::of("files"));
        let (workspace, shared) = (self.clone(), job.clone());
        let work = move || {
            let refresh = AssertUnwindSafe(|| workspace.refresh(force, &shared));
            // Whoever waits must be told even if there is a bug; the store undoes what was not committed.
            let outcome = std::panic::catch_unwind(refresh);
            let outcome = outcome.unwrap_or(Err(refresh::Error::Panicked));
            // Also where nobody asks for long, as after an index in the background.
            if workspace.is_server()
                && outcome.is_ok()
                && !workspace.background.is_stopped()
                && !workspace.vectoring.failed_lately()
                && let Err(error) = workspace.start_vectors()
            {
                tracing::warn!(%error, "vectors cannot be made");
            }
            // Whoever waits may be the last to hold the workspace, and then closes its files.
            drop(workspace);
            shared.finish(outcome);
        };
        let spawned = self.background.spawn(named("refresh"), work);
        spawned.map_err(Error::not_spawned(self.dir.root.path()))?;
        *current = Some(job.clone());
        Ok((job, true))
    }

    fn refresh(&self, force: bool, job: &Job) -> Result<Report, refresh::Error> {
        if !self.dir.root.path().is_dir() {
            return Err(refresh::Error::RootGone {
                path: self.dir.root.path().to_owned(),
            });
        }
        let indexing = Indexing {
            dir: &self.dir,
            config: &self.session().config,
            sibling_index_dirs: &|| self.sibling_index_dirs(),
            force,
        };
        let outcome = indexing.run(job);
        if outcome.is_err() {
            self.distrust_watch();
        }
        outcome
    }

    /// Where the root is in its repository, if it is not all of it. What git does not keep there is no part of it.
    pub fn path_in_repo(&self) -> Option<&str> {
        let find = || {
            let repository = git::Repository::find(self.dir.root.path()).ok()??;
            let path = repository.prefix().strip_suffix('/')?;
            let tree = repository.tree(repository.resolve("HEAD").ok()?).ok()?;
            repository.has_directory(tree).ok()?.then(|| path.to_owned())
        };
        self.path_in_repo.get_or_init(find).as_deref()
    }

    /// The index directories of other working trees of the same repository, and of this one with other settings: what they
    /// know of a content holds here too.
    fn sibling_index_dirs(&self) -> Vec<PathBuf> {
        let common = |root: &Path| Some(git::Repository::find(root).ok()??.common_dir().to_owned());
        let own = OnceCell::new();
        let is_sibling = |other: &Entry| match other.dir == self.entry.dir {
            true => !self.is_in_usual_place(),
            false => {
                let own = own.get_or_init(|| common(self.dir.root.path()));
                own.is_some() && common(&other.session.root) == *own
            }
        };
        let parsed = |config: &IndexConfig| (config.chunk_size, config.overlap, config.symbols);
        let others = Sessions::around(&self.entry).list().into_iter();
        let others = others
            .filter(|other| parsed(&other.session.config) == parsed(&self.session().config))
            .filter(is_sibling);
        others.map(|other| other.index_dir()).collect()
    }
}

impl Drop for Workspace {
    fn drop(&mut self) {
        // Its thread holds the analysis, not the workspace, and may be loading it.
        if let Some(exact) = &self.exact {
            exact.stop();
        }
    }
}
