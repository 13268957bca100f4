//! Why an index could not be brought up to date.

use std::{
    io,
    path::{Path, PathBuf},
};

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{} is no longer there", path.display())]
    RootGone { path: PathBuf },
    #[error("cannot read or write {}: {source}", path.display())]
    Io { path: PathBuf, source: io::Error },
    #[error(transparent)]
    Glob(#[from] source::GlobError),
    #[error(transparent)]
    Store(#[from] index::StoreError),
    #[error("cannot start threads: {0}")]
    Threads(String),
    #[error("the call was cancelled")]
    Cancelled,
    /// A bug, or an index whose contents cannot be.
    #[error("indexing failed unexpectedly")]
    Panicked,
}

impl Error {
    /// Whether the index could not be written or read for reasons that lie with the disk.
    pub fn is_of_the_disk(&self) -> bool {
        match self {
            Error::Store(error) => error.kind.is_of_the_disk(),
            Error::Io { .. } => true,
            _ => false,
        }
    }

    /// Whether the index may be damaged.
    pub fn is_suspect(&self) -> bool {
        match self {
            Error::Store(error) => error.kind.is_damage(),
            Error::Panicked => true,
            _ => false,
        }
    }

    /// Why a root could not be opened.
    pub fn root(path: &Path) -> impl FnOnce(io::Error) -> Error {
        let path = path.to_owned();
        move |source| match source.kind() {
            io::ErrorKind::NotFound => Error::RootGone { path },
            _ => Error::Io { path, source },
        }
    }
}
