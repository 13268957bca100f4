//! Every workspace that this process can reach: found by session name or directory, opened once.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
    time::{Duration, SystemTime},
};

use config::{Config, ConfigEntry, OwnConfig};
use index::{Counts, Store, create_private_dir, dir_size};
use refresh::now_ns;
use source::PathGlobs;
use tempfile::TempDir;

use crate::{
    embedding::Embedding,
    error::Error,
    exact::{Exact, ExactEngine},
    memory::Memories,
    projects::{is_working_tree, project_of},
    session::{Entry, RootState, Session, Sessions, is_session_name},
    workspace::{OpenOptions, ProcessKind, SessionStats, Workspace},
};

pub struct Workspaces {
    config: Config,
    sessions: Sessions,
    /// Used instead where the home cannot be written to.
    temporary: OnceLock<Temporary>,
    /// Loaded when the first workspace is opened.
    embedding: OnceLock<Arc<Embedding>>,
    exact: Option<Arc<dyn ExactEngine>>,
    has_exact_engine: bool,
    /// Whether to watch what is opened: worth it for a process that answers more than once.
    watch: bool,
    /// Whether only what is below the root, and what has a session already, may be indexed.
    confined: bool,
    explicit_root: Option<PathBuf>,
    client_roots: Mutex<Vec<PathBuf>>,
    open: Mutex<Open>,
    /// What indexes hold that are not open, by directory, each with the stamp that it was counted at.
    counted: Mutex<HashMap<PathBuf, (Stamp, Counts)>>,
}

type Stamp = Vec<(u64, Option<SystemTime>)>;

/// A session with what is stored of it.
pub struct StoredSession {
    pub session: Session,
    /// Bytes on disk.
    pub size: u64,
    /// `None` if the index has another format than this build's or cannot be read.
    pub stats: Option<SessionStats>,
}

/// The workspaces that are open, or have been.
#[derive(Default)]
struct Open {
    /// By the session's directory. Held only to find a slot.
    slots: HashMap<PathBuf, Arc<Slot>>,
    is_closed: bool,
}

/// The place of one session's workspace. Opening and deleting it keep nobody waiting who means another session.
#[derive(Default)]
struct Slot {
    /// Held by whoever opens, closes or deletes, which may take long.
    turn: Mutex<()>,
    /// Held only to look at it or to replace it.
    current: Mutex<Option<Arc<Workspace>>>,
}

impl Slot {
    fn turn(&self) -> MutexGuard<'_, ()> {
        self.turn.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn current(&self) -> Option<Arc<Workspace>> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Stops all work on the workspace and waits for its end. Needs the turn.
    fn close(&self) {
        let open = self.current.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(workspace) = open {
            workspace.close();
        }
    }

    fn set(&self, workspace: Arc<Workspace>) {
        *self.current.lock().unwrap_or_else(PoisonError::into_inner) = Some(workspace);
    }
}

/// A home that lives as long as this process.
struct Temporary {
    sessions: Sessions,
    /// Why it is needed.
    reason: String,
    _dir: TempDir,
}

impl Workspaces {
    pub fn new(config: Config, root: Option<PathBuf>, watch: bool) -> Workspaces {
        let sessions = Sessions::new(&config.home);
        Workspaces {
            config,
            sessions,
            temporary: OnceLock::new(),
            embedding: OnceLock::new(),
            exact: None,
            has_exact_engine: false,
            watch,
            confined: false,
            explicit_root: root,
            client_roots: Mutex::new(Vec::new()),
            open: Mutex::default(),
            counted: Mutex::default(),
        }
    }

    /// With an analysis that knows a language better than its rules tell.
    pub fn with_exact(mut self, engine: Arc<dyn ExactEngine>) -> Workspaces {
        self.exact = self.config.exact.is_enabled.then_some(engine);
        self.has_exact_engine = true;
        self
    }

    /// Every setting that means something in this build, with its value and source, in a fixed order.
    pub fn settings(&self) -> Vec<ConfigEntry> {
        let mut entries = self.config.entries();
        entries.retain(|entry| self.has_exact_engine || !entry.key.starts_with("rust."));
        entries
    }

    /// For callers who are not the user: they may not have a directory read that the user has not named.
    pub fn confined(mut self) -> Workspaces {
        self.confined = true;
        self
    }

    pub fn config(&self) -> &Config {
        &self.config
    }

    pub fn has_explicit_root(&self) -> bool {
        self.explicit_root.is_some()
    }

    /// The first is meant where nothing is said; with none it is as if there never were any.
    pub fn set_client_roots(&self, roots: Vec<PathBuf>) {
        *self.client_roots() = roots;
    }

    /// The client's roots that are not meant where nothing is said.
    pub fn other_roots(&self) -> Vec<PathBuf> {
        if self.has_explicit_root() {
            return Vec::new();
        }
        let others: Vec<PathBuf> = self.client_roots().iter().skip(1).cloned().collect();
        others.iter().filter_map(|root| project_dir(root).ok()).collect()
    }

    /// The root of the other repository that an absolute path is in: one of the client's, one that has a session, or the
    /// project around it. `None` if the path is in the default root, or if this caller may not look outside.
    pub fn other_root_of(&self, path: &Path) -> Option<PathBuf> {
        if !path.is_absolute() {
            return None;
        }
        if let Ok(root) = self.default_root() {
            let resolved = path.ancestors().find_map(|path| path.canonicalize().ok());
            if path.starts_with(&root) || resolved.is_some_and(|path| path.starts_with(&root)) {
                return None;
            }
        }
        let of_client = self.other_roots().into_iter().find(|root| path.starts_with(root));
        if of_client.is_some() || self.confined {
            return of_client;
        }
        let sessions = self.sessions().into_iter().map(|session| session.root);
        let around = sessions.filter(|root| path.starts_with(root));
        around
            .max_by_key(|root| root.components().count())
            .or_else(|| project_of(path))
    }

    /// The workspace that a directory is a part of: its root, and the path below that. `None` if the directory has a session
    /// of its own, or is a working tree.
    pub fn holding(&self, given: &str) -> Option<(PathBuf, String)> {
        let default = self.default_root().ok();
        let path = default.as_deref().unwrap_or(Path::new("")).join(given);
        let path = canonical_dir(&path).ok()?;
        let is_root = |dir: &Path| default.as_deref() == Some(dir) || self.stored().by_root(dir).is_some();
        let is_session = is_session_name(given) && self.stored().by_name(given).is_some();
        if is_session || is_root(&path) {
            return None;
        }
        let around = path.ancestors().take_while(|dir| !is_working_tree(dir) || is_root(dir));
        let root = around.skip(1).find(|dir| is_root(dir))?;
        let inside = path.strip_prefix(root).ok()?.to_str()?;
        Some((root.to_owned(), inside.replace('\\', "/")))
    }

    fn client_roots(&self) -> MutexGuard<'_, Vec<PathBuf>> {
        self.client_roots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The directory that calls without a workspace mean.
    pub fn default_root(&self) -> Result<PathBuf, Error> {
        let client = self.client_roots().first().cloned();
        match self.explicit_root.clone().or(client) {
            Some(root) => canonical_dir(&root),
            None => {
                let cwd = std::env::current_dir().map_err(Error::io(Path::new(".")))?;
                let cwd = canonical_dir(&cwd)?;
                // Clients without roots start servers wherever they were started themselves.
                let unlikely = cwd.parent().is_none() || std::env::home_dir().is_some_and(|home| home == cwd);
                if unlikely {
                    Err(Error::UnlikelyRoot { path: cwd })
                } else {
                    Ok(cwd)
                }
            }
        }
    }

    /// The workspace that a caller means: a session's name, a directory, or nothing at all. A directory without a
    /// session gets one.
    pub fn resolve(&self, wanted: Option<&str>) -> Result<Arc<Workspace>, Error> {
        let Some(wanted) = wanted.map(str::trim).filter(|wanted| !wanted.is_empty()) else {
            return self.for_root(&self.default_root()?);
        };
        if is_session_name(wanted)
            && let Some(entry) = self.stored().by_name(wanted)
        {
            return self.opened(entry);
        }
        let path = Path::new(wanted);
        let path = if path.is_absolute() {
            path.to_owned()
        } else {
            self.default_root()?.join(path)
        };
        self.check_confined(Path::new(wanted))?;
        if path.is_dir() {
            return self.for_root(&project_dir(&path)?);
        }
        // What other servers call the one that they were started with.
        if wanted == "primary" {
            return self.for_root(&self.default_root()?);
        }
        Err(match wanted.contains(['/', '\\']) {
            true if path.exists() => Error::NotADirectory { path },
            true => Error::NoSuchDirectory { path },
            false => self.no_such_session(wanted),
        })
    }

    /// That a caller may name this directory: one below the root, or one that has a session. All others are refused in
    /// the caller's own words and alike, so that nobody learns what exists outside or where a link leads.
    fn check_confined(&self, given: &Path) -> Result<(), Error> {
        if !self.confined {
            return Ok(());
        }
        let root = self.default_root()?;
        let path = root.join(given);
        let has_session = |path: &Path| self.stored().by_root(path).is_some();
        if path.canonicalize().is_ok_and(|path| has_session(&path)) {
            return Ok(());
        }
        // A path that does not exist is judged by the part of it that does.
        let existing = path.ancestors().find_map(|path| path.canonicalize().ok());
        match existing.is_some_and(|path| path.starts_with(&root)) {
            true => Ok(()),
            false => Err(Error::Confined { path: given.to_owned() }),
        }
    }

    /// A stored session, by name; with the settings of this process if it works with it.
    pub fn session(&self, name: &str) -> Result<Session, Error> {
        Ok(self.with_settings(self.entry(name)?))
    }

    fn with_settings(&self, Entry { dir, session }: Entry) -> Session {
        match self.current(&dir).is_some() {
            true => {
                let own = session.own();
                session.configured(own, &self.config.index)
            }
            false => session,
        }
    }

    /// The same with what is stored of it.
    pub fn stored_session(&self, name: &str) -> Result<StoredSession, Error> {
        self.described(self.entry(name)?)
    }

    /// Every stored session by name with what is stored of it, and the directories of sessions that cannot be read.
    pub fn stored_sessions(&self) -> Result<(Vec<StoredSession>, Vec<PathBuf>), Error> {
        let (entries, unreadable) = self.stored().read();
        let described = entries.into_iter().map(|entry| self.described(entry));
        Ok((described.collect::<Result<_, Error>>()?, unreadable))
    }

    fn described(&self, entry: Entry) -> Result<StoredSession, Error> {
        Ok(StoredSession {
            size: dir_size(&entry.dir),
            stats: self.stats_at(&entry)?,
            session: self.with_settings(entry),
        })
    }

    /// The workspace of a stored session.
    pub fn by_session(&self, name: &str) -> Result<Arc<Workspace>, Error> {
        self.opened(self.entry(name)?)
    }

    /// Every stored session, by name.
    pub fn sessions(&self) -> Vec<Session> {
        self.stored().list().into_iter().map(|entry| entry.session).collect()
    }

    /// Bytes that a session occupies on disk.
    pub fn size_of(&self, name: &str) -> Result<u64, Error> {
        Ok(dir_size(&self.entry(name)?.dir))
    }

    /// What is stored of a session, without looking at its directory, which may be gone, and without opening its index.
    /// `None` if that has another format than this build's or cannot be read.
    pub fn stats_of(&self, name: &str) -> Result<Option<SessionStats>, Error> {
        self.stats_at(&self.entry(name)?)
    }

    fn stats_at(&self, entry: &Entry) -> Result<Option<SessionStats>, Error> {
        if let Some(workspace) = self.current(&entry.dir) {
            return workspace.session_stats().map(Some);
        }
        Ok(entry.counts(|dir| self.counts_in(dir)).map(SessionStats::from))
    }

    /// What an index holds: counted again only when something was written to it.
    fn counts_in(&self, dir: &Path) -> Option<Counts> {
        let stamp = Store::stamp_of(dir);
        if stamp.is_empty() {
            return None;
        }
        let counted = || self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, counts)) = counted().get(dir).filter(|(known, _)| *known == stamp) {
            return Some(counts.clone());
        }
        let counts = Store::counts_in(dir)?;
        counted().insert(dir.to_owned(), (stamp, counts.clone()));
        Some(counts)
    }

    /// The index format of a stored session; `None` if there is no readable index.
    pub fn format_of(&self, name: &str) -> Result<Option<u32>, Error> {
        Ok(self.entry(name)?.index_format())
    }

    /// Makes sure that a session of this name (or the directory's own) exists, with what it is given. A name that
    /// another directory has is refused.
    pub fn create(
        &self,
        root: &Path,
        name: Option<&str>,
        configure: impl FnOnce(&mut OwnConfig),
    ) -> Result<Arc<Workspace>, Error> {
        self.check_confined(root)?;
        let root = project_dir(root)?;
        if let Some(name) = name.filter(|name| !is_session_name(name)) {
            return Err(Error::BadSessionName { name: name.to_owned() });
        }
        let existing = match name {
            Some(name) => self.stored().by_name(name),
            None => self.stored().by_root(&root),
        };
        let entry = match existing {
            Some(entry) if entry.session.root == root => entry,
            Some(taken) => {
                return Err(Error::SessionTaken {
                    name: taken.session.name,
                    root: taken.session.root,
                });
            }
            None => {
                let now = now_ns() / 1_000_000_000;
                let mut entry = self.stored().make(&root, name, self.config.index.clone(), now);
                entry.session = entry.session.configured(OwnConfig::default(), &self.config.index);
                entry
            }
        };
        let mut own = entry.session.own();
        configure(&mut own);
        let session = entry.session.configured(own, &self.config.index).with_mount_point();
        let entry = Entry { session, ..entry };
        entry.session.config.check().map_err(Error::Setting)?;
        // Bad globs must be refused before they are stored.
        PathGlobs::new(&entry.session.config.include)?;
        PathGlobs::new(entry.session.config.exclude.as_deref().unwrap_or_default())?;
        entry.save()?;
        self.opened(entry)
    }

    /// Forgets a session and deletes what is stored of it; its memories only if told. How many bytes are left.
    pub fn delete(&self, name: &str, memories: bool) -> Result<u64, Error> {
        let entry = self.entry(name)?;
        let slot = self.slot(&entry.dir)?;
        let _turn = slot.turn();
        slot.close();
        self.stored().delete(&entry, memories)?;
        Ok(dir_size(&entry.dir))
    }

    /// The memories of the workspace that a caller means, also of one whose directory is not there.
    pub fn memories(&self, wanted: Option<&str>) -> Result<Memories, Error> {
        let left = wanted.and_then(|wanted| {
            let stored = self.stored();
            let entry = stored.by_name(wanted).or_else(|| stored.by_root(Path::new(wanted)))?;
            (entry.session.root_state() != RootState::Present).then_some(entry)
        });
        match left {
            Some(entry) => Memories::left_in(&entry.dir),
            None => self.resolve(wanted)?.memories(),
        }
    }

    /// Sessions with memories whose directory is not there, and how many those are.
    pub fn left_memories(&self) -> Vec<(Session, usize)> {
        let gone = self
            .stored()
            .list()
            .into_iter()
            .filter(|entry| entry.session.root_state() != RootState::Present);
        let counted = gone.map(|entry| {
            let count = index::MemoryStore::count_in(&entry.dir).unwrap_or(0);
            (entry.session, count)
        });
        counted.filter(|(_, count)| *count > 0).collect()
    }

    /// How many memories a session has.
    pub fn memories_of(&self, name: &str) -> Result<usize, Error> {
        Ok(index::MemoryStore::count_in(&self.entry(name)?.dir)?)
    }

    fn entry(&self, name: &str) -> Result<Entry, Error> {
        self.stored().by_name(name).ok_or_else(|| self.no_such_session(name))
    }

    fn no_such_session(&self, name: &str) -> Error {
        let sessions = self.sessions();
        let nearest = source::nearest(name, sessions.iter().map(|session| session.name.as_str()));
        let nearest = nearest.map(str::to_owned);
        match (nearest, self.stored().unreadable().pop()) {
            // It may be that one.
            (None, Some(dir)) => Error::UnreadableSession { dir },
            (nearest, _) => Error::NoSuchSession {
                name: name.to_owned(),
                nearest,
            },
        }
    }

    fn for_root(&self, root: &Path) -> Result<Arc<Workspace>, Error> {
        match self.for_root_at_home(root) {
            Err(error) if error.is_of_the_disk() && self.resort_to_temporary() => self.for_root_at_home(root),
            workspace => workspace,
        }
    }

    fn stored(&self) -> &Sessions {
        self.temporary
            .get()
            .map_or(&self.sessions, |temporary| &temporary.sessions)
    }

    /// Why indexes are kept only as long as this process, if so.
    pub fn temporary(&self) -> Option<&str> {
        self.temporary.get().map(|temporary| temporary.reason.as_str())
    }

    /// Goes on with a temporary home if nothing can be written to the real one. False if that is not the trouble.
    fn resort_to_temporary(&self) -> bool {
        let home = &self.config.home;
        let probe = || {
            create_private_dir(home)?;
            tempfile::tempfile_in(home)
        };
        let (Err(error), None) = (probe(), self.temporary.get()) else {
            return false;
        };
        let Ok(dir) = TempDir::with_prefix("portolan-") else {
            return false;
        };
        let reason = format!("{} cannot be written to: {error}", home.display());
        tracing::warn!(reason, "indexes are kept only as long as this process");
        let temporary = Temporary {
            sessions: Sessions::new(dir.path()),
            reason,
            _dir: dir,
        };
        self.temporary.set(temporary).is_ok()
    }

    fn for_root_at_home(&self, root: &Path) -> Result<Arc<Workspace>, Error> {
        match self.stored().by_root(root) {
            Some(entry) => self.opened(entry),
            None => self.create(root, None, |_| {}),
        }
    }

    /// The open workspace of a session, opened anew if what it is given was changed, by whomever.
    fn opened(&self, stored: Entry) -> Result<Arc<Workspace>, Error> {
        let configured = |stored: &Entry| {
            stored
                .session
                .clone()
                .configured(stored.session.own(), &self.config.index)
        };
        let open = |slot: &Slot, session: &Session| {
            let is_it = |open: &Arc<Workspace>| open.entry.session.is_same_as(session) && open.root().is_in_place();
            slot.current().filter(is_it)
        };
        let slot = self.slot(&stored.dir)?;
        if let Some(workspace) = open(&slot, &configured(&stored)) {
            return Ok(workspace);
        }
        let _turn = slot.turn();
        // While this thread waited, another one may have deleted the session, changed its settings, or opened it.
        let stored = Entry::read(&stored.dir).ok_or_else(|| self.no_such_session(&stored.session.name))?;
        let session = configured(&stored);
        if let Some(workspace) = open(&slot, &session) {
            return Ok(workspace);
        }
        let session = session.with_mount_point();
        let (is_as_stored, has_same_config) = (session == stored.session, session.config == stored.session.config);
        let entry = Entry { session, ..stored };
        if !has_same_config {
            entry.session.config.check().map_err(Error::Setting)?;
        }
        // Closed before the new one is opened, so that it does not occupy the default index directory.
        if let Some(before) = slot.current() {
            before.replace();
        }
        slot.close();
        let options = OpenOptions {
            process: match self.watch {
                true => ProcessKind::Server,
                false => ProcessKind::OneShot,
            },
            may_watch: self.config.watch,
            may_write: !self.config.read_only,
            first_answer: Duration::from_secs(self.config.first_answer_secs),
        };
        let embedding = self.embedding.get_or_init(|| Arc::new(Embedding::load(&self.config)));
        let exact = self.exact.clone();
        let exact = exact.map(|engine| Exact::new(engine, self.config.exact));
        let workspace = Workspace::open(entry, embedding.clone(), exact, options)?;
        // What is stored is about the index in the usual place.
        if !is_as_stored && workspace.is_in_usual_place() {
            let saved = workspace.entry.save();
            // Where the directory is mounted can be noted another time.
            if !has_same_config {
                saved?;
            }
        }
        let workspace = Arc::new(workspace);
        slot.set(workspace.clone());
        Ok(workspace)
    }

    /// Ends all work in the background and waits for it. Nothing is opened any more.
    pub fn close(&self) {
        let slots: Vec<Arc<Slot>> = {
            let mut open = self.open();
            open.is_closed = true;
            open.slots.values().cloned().collect()
        };
        // All are told first, so that they end at the same time.
        for workspace in slots.iter().filter_map(|slot| slot.current()) {
            workspace.stop();
        }
        for slot in slots {
            let _turn = slot.turn();
            slot.close();
        }
    }

    fn slot(&self, dir: &Path) -> Result<Arc<Slot>, Error> {
        let mut open = self.open();
        match open.is_closed {
            true => Err(Error::Closed),
            false => Ok(open.slots.entry(dir.to_owned()).or_default().clone()),
        }
    }

    /// The workspace of a session's directory, if it is open. Waits for nobody who opens it.
    fn current(&self, dir: &Path) -> Option<Arc<Workspace>> {
        let slot = self.open().slots.get(dir).cloned();
        slot?.current()
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A directory that somebody asks about: not the whole disk.
fn project_dir(path: &Path) -> Result<PathBuf, Error> {
    let path = canonical_dir(path)?;
    match path.parent() {
        Some(_) => Ok(path),
        None => Err(Error::UnlikelyRoot { path }),
    }
}

fn canonical_dir(path: &Path) -> Result<PathBuf, Error> {
    let canonical = path
        .canonicalize()
        .map_err(|_| Error::NoSuchDirectory { path: path.to_owned() })?;
    if canonical.is_dir() {
        Ok(canonical)
    } else {
        Err(Error::NotADirectory { path: path.to_owned() })
    }
}
