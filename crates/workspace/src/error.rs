//! Why a workspace could not answer.

use std::{
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use refresh::NotSpawned;
use sandbox::{BlobError, WriteError};

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("no workspace or session `{name}`")]
    NoSuchSession { name: String, nearest: Option<String> },
    #[error("what says which session {} is cannot be read", dir.display())]
    UnreadableSession { dir: PathBuf },
    #[error("{} is not a directory", path.display())]
    NotADirectory { path: PathBuf },
    #[error("{} does not exist", path.display())]
    NoSuchDirectory { path: PathBuf },
    #[error("{} is no longer there", path.display())]
    RootGone { path: PathBuf },
    #[error("{} is not a project directory", path.display())]
    UnlikelyRoot { path: PathBuf },
    #[error("`{name}` is not a session name: 1 to 64 letters, digits, `-` or `_`")]
    BadSessionName { name: String },
    #[error("session `{name}` already indexes {}", root.display())]
    SessionTaken { name: String, root: PathBuf },
    #[error("`{path}`: {source}")]
    BadPath { path: String, source: source::PathError },
    #[error("`{path}` is outside the workspace")]
    Outside { path: String },
    #[error("{} is outside the root that this server was started with", path.display())]
    Confined { path: PathBuf },
    #[error("`{path}` does not exist")]
    NoSuchFile { path: String, nearest: Option<String> },
    #[error("`{path}` is not indexed yet")]
    NotYetIndexed { path: String },
    #[error("`{path}` is a directory")]
    IsDirectory { path: String },
    #[error("`{path}` is not shown: {reason}")]
    Refused { path: String, reason: String },
    #[error("`{path}` has no chunk {chunk}: it has {count}")]
    NoSuchChunk { path: String, chunk: u32, count: u32 },
    #[error("`{path}` has no line {line}: it has {count}")]
    NoSuchLine { path: String, line: u32, count: u32 },
    #[error(transparent)]
    BadGlob(#[from] source::GlobError),
    #[error("bad regular expression `{pattern}`: {reason}")]
    BadRegex { pattern: String, reason: String },
    #[error("unknown language `{name}`")]
    UnknownLang {
        name: String,
        nearest: Option<&'static str>,
    },
    #[error("{0}")]
    Query(#[from] QueryProblem),
    #[error(transparent)]
    Store(#[from] index::StoreError),
    #[error("cannot read or write {}: {source}", path.display())]
    Io { path: PathBuf, source: io::Error },
    #[error("`{name}` cannot be the new name: {reason}")]
    BadName { name: String, reason: String },
    #[error(transparent)]
    Write(WriteError),
    #[error("{0}")]
    Setting(String),
    /// A bug, or an index whose contents cannot be.
    #[error("indexing failed unexpectedly")]
    IndexingPanicked,
    #[error("{} is not in a git repository", path.display())]
    NoRepository { path: PathBuf },
    #[error(transparent)]
    Git(#[from] git::Error),
    /// A file that an answer would cite is not what was indexed. Refreshing and asking again mends it.
    #[error("files are changing faster than they can be read")]
    Stale,
    #[error("the call was cancelled")]
    Cancelled,
    /// The work on a workspace was stopped.
    #[error("the workspace was closed: its session was deleted or got other settings, or the server ends")]
    Closed,
    /// A failure of background work that several callers waited for.
    #[error(transparent)]
    Shared(Arc<refresh::Error>),
}

/// What is wrong with a search query.
#[derive(Debug, thiserror::Error)]
pub enum QueryProblem {
    #[error(transparent)]
    Syntax(#[from] search::QueryError),
    #[error(transparent)]
    Keyword(#[from] search::KeywordError),
    #[error("the index cannot be read: {0}")]
    Scan(String),
}

impl Error {
    /// Whether the index could not be written or read for reasons that lie with the disk.
    pub(crate) fn is_of_the_disk(&self) -> bool {
        match self {
            Error::Store(error) => error.kind.is_of_the_disk(),
            Error::Io { .. } => true,
            Error::Shared(error) => error.is_of_the_disk(),
            _ => false,
        }
    }

    /// Whether the index may be damaged; `Workspace::mend` tells.
    pub fn is_suspect(&self) -> bool {
        match self {
            Error::Store(error) => error.kind.is_damage(),
            Error::Query(QueryProblem::Keyword(search::KeywordError::Index(_)) | QueryProblem::Scan(_)) => true,
            Error::IndexingPanicked => true,
            Error::Shared(error) => error.is_suspect(),
            _ => false,
        }
    }

    /// Why there is no thread for work on a directory.
    pub fn not_spawned(path: &Path) -> impl FnOnce(NotSpawned) -> Error {
        let path = path.to_owned();
        move |error| match error {
            NotSpawned::Stopped => Error::Closed,
            NotSpawned::Io(source) => Error::Io { path, source },
        }
    }

    /// Why git's content of a file is not given.
    pub fn blob(path: &str) -> impl FnOnce(BlobError) -> Error {
        let path = path.to_owned();
        move |error| match error {
            BlobError::Git(error) => Error::Git(error),
            private => Error::Refused {
                path,
                reason: private.to_string(),
            },
        }
    }

    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> Error {
        let path = path.to_owned();
        move |source| Error::Io { path, source }
    }
}

impl From<WriteError> for Error {
    fn from(error: WriteError) -> Error {
        match error {
            // A new answer shows the file as it is.
            WriteError::Changed { .. } => Error::Stale,
            error => Error::Write(error),
        }
    }
}

impl From<refresh::Error> for Error {
    fn from(error: refresh::Error) -> Error {
        match error {
            refresh::Error::RootGone { path } => Error::RootGone { path },
            refresh::Error::Io { path, source } => Error::Io { path, source },
            refresh::Error::Glob(error) => Error::BadGlob(error),
            refresh::Error::Store(error) => Error::Store(error),
            error @ refresh::Error::Threads(_) => Error::Setting(error.to_string()),
            refresh::Error::Cancelled => Error::Cancelled,
            refresh::Error::Panicked => Error::IndexingPanicked,
        }
    }
}
