//! Sessions: named workspaces, each a directory under the home with its identity and its index.

use std::{
    collections::HashMap,
    ffi::OsString,
    io::{ErrorKind, Write},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
    time::{Duration, SystemTime},
};

use config::{IndexConfig, OwnConfig};
use index::{Counts, FORMAT, Store, StoreError, StoreErrorKind, VectorSource, create_private_dir};
use serde::{Deserialize, Serialize};

use crate::{
    error::Error,
    mount::{is_mounted, mount_point},
};

/// Who a workspace is. Kept apart from the index, so that it survives whatever happens to that.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Session {
    pub name: String,
    pub root: PathBuf,
    /// Seconds since 1970.
    pub created_at: i64,
    /// What its index is made with.
    pub config: IndexConfig,
    /// Not there in sessions of earlier versions.
    #[serde(default)]
    own: Option<OwnConfig>,
    /// Where the file system of `root` was mounted when it was last opened. Not there in sessions of earlier versions.
    #[serde(default)]
    mount_point: Option<PathBuf>,
}

/// Whether the directory of a session can be asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RootState {
    Present,
    /// It was deleted or moved.
    Gone,
    /// It cannot be reached; its drive may not be mounted.
    Unreachable,
}

impl Session {
    pub fn root_state(&self) -> RootState {
        match self.root.metadata() {
            Ok(metadata) if metadata.is_dir() => RootState::Present,
            Ok(_) => RootState::Gone,
            Err(error) if !matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                RootState::Unreachable
            }
            Err(_) => match self.mount_point.as_deref().is_some_and(is_mounted) {
                true => RootState::Gone,
                false => RootState::Unreachable,
            },
        }
    }

    /// Whether two are the same session with the same settings, wherever their file systems are mounted.
    pub(crate) fn is_same_as(&self, other: &Session) -> bool {
        let with_mount = |mount_point: &Option<PathBuf>| Session {
            mount_point: mount_point.clone(),
            ..self.clone()
        };
        with_mount(&other.mount_point) == *other
    }

    /// With the mount point as it is now.
    pub(crate) fn with_mount_point(self) -> Session {
        Session {
            mount_point: mount_point(&self.root).or(self.mount_point),
            ..self
        }
    }

    /// What it was given itself.
    pub fn own(&self) -> OwnConfig {
        self.own.clone().unwrap_or_else(|| OwnConfig::of_earlier(&self.config))
    }

    /// With what it is given, and otherwise as it is set.
    pub(crate) fn configured(self, own: OwnConfig, settings: &IndexConfig) -> Session {
        Session {
            config: own.over(settings),
            own: Some(own),
            ..self
        }
    }
}

pub(crate) fn is_session_name(name: &str) -> bool {
    (1..=64).contains(&name.len())
        && name
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
}

/// What the directory of every index but the usual one begins with: the fingerprint of its settings or its format follows.
const ALT_INDEX_PREFIX: &str = "index-";
/// How much of the fingerprint.
const ALT_INDEX_DIGITS: usize = 8;
/// After so long an index that nobody has opened is deleted, if it is not the usual one of a directory that exists.
const UNUSED_INDEX_AGE: Duration = Duration::from_secs(14 * 24 * 3600);
/// How often the sessions of directories that are gone are looked for, and the file beside them whose time says when that was.
const SWEEP_EVERY: Duration = Duration::from_secs(24 * 3600);
const LAST_SWEEP_FILE: &str = ".swept";

/// The file that says who a session is.
const SESSION: &str = "session.json";

/// A session and where it lives.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub dir: PathBuf,
    pub session: Session,
}

impl Entry {
    pub fn index_dir(&self) -> PathBuf {
        self.dir.join("index")
    }

    /// Where this version keeps its index if the other is of a newer one, which may be at work on it.
    fn index_dir_for_format(&self) -> PathBuf {
        self.dir.join(format!("index-{FORMAT}"))
    }

    /// Where the index with these settings is, or can be made. The usual place may have one with others that another process
    /// is at work on: each would make the other's anew.
    fn index_dir_for_settings(&self) -> PathBuf {
        let (usual, fingerprint) = (self.index_dir(), self.fingerprint());
        if Store::fingerprint_in(&usual).as_ref() == Some(&fingerprint) {
            return usual;
        }
        let alternative = self.alt_index_dir();
        match alternative.exists() || Store::is_used(&usual) {
            true => alternative,
            false => usual,
        }
    }

    /// The index of this session that this version can read and write.
    pub fn open_store(&self, vectors: Option<VectorSource>) -> Result<Store, StoreError> {
        let open = |dir: &Path, vectors| Store::open(dir, &self.fingerprint(), vectors);
        match open(&self.index_dir_for_settings(), vectors.clone()) {
            Err(error) if matches!(error.kind, StoreErrorKind::Newer { .. }) => {
                open(&self.index_dir_for_format(), vectors)
            }
            store => store,
        }
    }

    /// What the index holds that has this session's settings and the current format, as `counts` reads it from a directory.
    pub fn counts(&self, counts: impl Fn(&Path) -> Option<Counts>) -> Option<Counts> {
        let fingerprint = Some(self.fingerprint());
        let dirs = [self.index_dir(), self.alt_index_dir(), self.index_dir_for_format()];
        let mut found = dirs.iter().filter_map(|dir| counts(dir));
        found.find(|counts| counts.fingerprint == fingerprint)
    }

    /// Where the index with these settings is if the usual place has one with others.
    fn alt_index_dir(&self) -> PathBuf {
        self.dir
            .join(format!("{ALT_INDEX_PREFIX}{}", &self.fingerprint()[..ALT_INDEX_DIGITS]))
    }

    /// Deletes indexes with other settings and of other formats that nobody has opened for a long time.
    pub fn sweep_indexes(&self, used: &Path) {
        for dir in self.index_dirs().into_iter().filter(|dir| dir != used) {
            remove_unused_index(&dir);
        }
    }

    /// The usual one, those with other settings, and those of other formats.
    fn index_dirs(&self) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(&self.dir).into_iter().flatten().flatten();
        let names = entries.map(|entry| entry.file_name());
        let is_index = |name: &OsString| {
            let name = name.to_string_lossy();
            name == "index" || name.starts_with(ALT_INDEX_PREFIX)
        };
        names.filter(is_index).map(|name| self.dir.join(name)).collect()
    }

    /// The format of the index that this version would open, if it can be told.
    pub fn index_format(&self) -> Option<u32> {
        let found = Store::format_in(&self.index_dir_for_settings());
        let is_newer = found.is_some_and(|found| found > FORMAT);
        let own = is_newer
            .then(|| Store::format_in(&self.index_dir_for_format()))
            .flatten();
        own.or(found)
    }

    /// Stands for everything that shapes the content of the index.
    pub fn fingerprint(&self) -> String {
        let config = serde_json::to_string(&self.session.config).unwrap_or_default();
        blake3::hash(config.as_bytes()).to_hex()[..16].to_owned()
    }

    /// The session that a directory belongs to; `None` if it has no readable identity, as when it was deleted.
    pub fn read(dir: &Path) -> Option<Entry> {
        let text = std::fs::read_to_string(dir.join(SESSION)).ok()?;
        Some(Entry {
            dir: dir.to_owned(),
            session: serde_json::from_str(&text).ok()?,
        })
    }

    /// Whole or not at all: a reader sees the old file or the new one.
    pub fn save(&self) -> Result<(), Error> {
        let fail = Error::io;
        create_private_dir(&self.dir).map_err(fail(&self.dir))?;
        // A home inside of a repository is not its code. Not a cache's tag: memories are worth a backup.
        let rules = self.dir.join(".gitignore");
        if !rules.exists() {
            std::fs::write(&rules, "*\n").map_err(fail(&rules))?;
        }
        let mut file = tempfile::NamedTempFile::new_in(&self.dir).map_err(fail(&self.dir))?;
        let text = serde_json::to_string_pretty(&self.session).unwrap_or_default();
        file.write_all(text.as_bytes()).map_err(fail(&self.dir))?;
        let path = self.dir.join(SESSION);
        file.persist(&path).map_err(|error| Error::Io {
            path,
            source: error.error,
        })?;
        Ok(())
    }
}

/// Deletes an index that nobody has open, and that nobody has opened for a long time.
fn remove_unused_index(dir: &Path) {
    let is_old = |used: SystemTime| used.elapsed().is_ok_and(|age| age > UNUSED_INDEX_AGE);
    if Store::used_at(dir).is_some_and(is_old)
        && !Store::is_used(dir)
        && let Err(error) = std::fs::remove_dir_all(dir)
    {
        tracing::debug!(dir = %dir.display(), %error, "an index that nobody uses is not deleted");
    }
}

/// The directory of sessions.
pub(crate) struct Sessions {
    dir: PathBuf,
    /// What was read of each directory, and when its file was written: every call looks for a session, and few change.
    known: Mutex<HashMap<PathBuf, (Written, Session)>>,
}

/// What a directory says of a file without its being read. A session is replaced whole, so that it is another file then.
#[derive(Debug, PartialEq)]
struct Written {
    at: Option<SystemTime>,
    length: u64,
    inode: u64,
}

impl Written {
    fn of(file: &Path) -> Option<Written> {
        let metadata = std::fs::metadata(file).ok().filter(std::fs::Metadata::is_file)?;
        #[cfg(unix)]
        let inode = std::os::unix::fs::MetadataExt::ino(&metadata);
        #[cfg(not(unix))]
        let inode = 0;
        Some(Written {
            at: metadata.modified().ok(),
            length: metadata.len(),
            inode,
        })
    }
}

impl Sessions {
    pub fn new(home: &Path) -> Sessions {
        Sessions::in_dir(home.join("workspaces"))
    }

    /// Those that an entry is one of.
    pub fn around(entry: &Entry) -> Sessions {
        Sessions::in_dir(entry.dir.parent().unwrap_or(&entry.dir).to_owned())
    }

    fn in_dir(dir: PathBuf) -> Sessions {
        Sessions {
            dir,
            known: Mutex::default(),
        }
    }

    /// Deletes the indexes of directories that are gone, if nobody has opened them for a long time. Sessions and memories
    /// stay. Done once a day, since it looks at every session.
    pub fn sweep_vanished(&self) {
        let swept = self.dir.with_file_name(LAST_SWEEP_FILE);
        let last = std::fs::metadata(&swept).and_then(|metadata| metadata.modified());
        if last.is_ok_and(|last| last.elapsed().is_ok_and(|age| age < SWEEP_EVERY)) {
            return;
        }
        // Also where it is there: a file that nothing is written to keeps its time.
        if let Err(error) = std::fs::write(&swept, "swept") {
            return tracing::debug!(dir = %self.dir.display(), %error, "cannot note when indexes were last swept");
        }
        for entry in self.list() {
            if entry.session.root_state() == RootState::Gone {
                entry.index_dirs().iter().for_each(|dir| remove_unused_index(dir));
            }
        }
    }

    /// Every session, by name. Directories without a readable identity are not sessions.
    pub fn list(&self) -> Vec<Entry> {
        self.read().0
    }

    /// Directories with the file that says which session they are, which cannot be read.
    pub fn unreadable(&self) -> Vec<PathBuf> {
        self.read().1
    }

    /// The sessions by name, and directories whose file that says which session they are cannot be read.
    pub fn read(&self) -> (Vec<Entry>, Vec<PathBuf>) {
        let (mut entries, unreadable) = self.read_those(|_| true);
        entries.sort_by(|a, b| a.session.name.cmp(&b.session.name));
        (entries, unreadable)
    }

    /// Sessions that are wanted, in no order; and directories whose file cannot be read. Only files that have changed are read.
    fn read_those(&self, wanted: impl Fn(&Session) -> bool) -> (Vec<Entry>, Vec<PathBuf>) {
        let dirs = std::fs::read_dir(&self.dir).into_iter().flatten().flatten();
        let (mut entries, mut unreadable) = (Vec::new(), Vec::new());
        let mut before = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let mut now = HashMap::new();
        for dir in dirs.map(|dir| dir.path()) {
            let Some(written) = Written::of(&dir.join(SESSION)) else {
                continue;
            };
            let known = before.remove(&dir).filter(|(then, _)| *then == written);
            match known
                .map(|(_, session)| session)
                .or_else(|| Some(Entry::read(&dir)?.session))
            {
                Some(session) => {
                    if wanted(&session) {
                        let (dir, session) = (dir.clone(), session.clone());
                        entries.push(Entry { dir, session });
                    }
                    now.insert(dir, (written, session));
                }
                None => unreadable.push(dir),
            }
        }
        *before = now;
        unreadable.sort();
        (entries, unreadable)
    }

    pub fn by_name(&self, name: &str) -> Option<Entry> {
        let (named, _) = self.read_those(|session| session.name == name);
        named.into_iter().next()
    }

    /// The session that a directory means: the one made for it without a name, else the first by name.
    pub fn by_root(&self, root: &Path) -> Option<Entry> {
        let key = root_key(root);
        let (mut of_root, _) = self.read_those(|session| session.root == root);
        of_root.sort_by(|a, b| a.session.name.cmp(&b.session.name));
        let plain = of_root
            .iter()
            .position(|entry| entry.dir.file_name().is_some_and(|name| name == key.as_str()));
        (!of_root.is_empty()).then(|| of_root.swap_remove(plain.unwrap_or(0)))
    }

    /// A session that is not stored yet. The directory's name follows from the root alone for its first session.
    pub fn make(&self, root: &Path, name: Option<&str>, config: IndexConfig, now: i64) -> Entry {
        let key = root_key(root);
        let name = name.map_or_else(|| self.free_name(root), str::to_owned);
        let dir = match self.by_root(root) {
            Some(first) if first.session.name != name => self.dir.join(format!("{key}-{name}")),
            _ => self.dir.join(key),
        };
        Entry {
            dir,
            session: Session {
                name,
                root: root.to_owned(),
                created_at: now,
                config,
                own: None,
                mount_point: None,
            },
        }
    }

    /// A name from the directory's, made unique if another root has it.
    fn free_name(&self, root: &Path) -> String {
        let base = root
            .file_name()
            .map(|name| name.to_string_lossy().into_owned())
            .unwrap_or_default();
        let mut name: String = base
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
            .take(48)
            .collect();
        if name.trim_matches('-').is_empty() {
            name = "workspace".into();
        }
        match self.by_name(&name) {
            Some(taken) if taken.session.root != root => format!("{name}-{}", &root_key(root)[..6]),
            _ => name,
        }
    }

    /// Deletes a session, with its memories or without them. The session is gone in one step; what is left over of an
    /// interrupted deletion is none.
    pub fn delete(&self, entry: &Entry, memories: bool) -> Result<(), Error> {
        let doomed = self
            .dir
            .join(format!(".deleted-{}-{}", std::process::id(), entry.session.name));
        if memories || !entry.dir.join(index::MEMORY_FILE).exists() {
            std::fs::rename(&entry.dir, &doomed).map_err(Error::io(&entry.dir))?;
            return std::fs::remove_dir_all(&doomed).map_err(Error::io(&doomed));
        }
        // A session of the same directory finds its memories where they are.
        let identity = entry.dir.join(SESSION);
        std::fs::remove_file(&identity).map_err(Error::io(&identity))?;
        std::fs::create_dir_all(&doomed).map_err(Error::io(&doomed))?;
        for part in std::fs::read_dir(&entry.dir).map_err(Error::io(&entry.dir))?.flatten() {
            let name = part.file_name();
            if !name.to_string_lossy().starts_with("memory.") {
                std::fs::rename(part.path(), doomed.join(name)).map_err(Error::io(&part.path()))?;
            }
        }
        std::fs::remove_dir_all(&doomed).map_err(Error::io(&doomed))
    }
}

/// An explicit, stable hash: the directory must be found again by any later build.
fn root_key(root: &Path) -> String {
    blake3::hash(root.as_os_str().as_encoded_bytes()).to_hex()[..16].to_owned()
}
