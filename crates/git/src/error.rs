//! What can be wrong with a repository or a revision.

use std::path::PathBuf;

use crate::object::Id;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// `.git` leads somewhere that does not know of this directory.
    #[error("`{}` points to a repository that does not point back", path.display())]
    Foreign { path: PathBuf },
    #[error("{what} is not supported")]
    Unsupported { what: &'static str },
    #[error("there is no revision `{name}`")]
    NoSuchRevision { name: String },
    #[error("`{name}` is the beginning of several objects")]
    Ambiguous { name: String },
    /// A shallow or partial clone, or one that borrows from another.
    #[error("the object {id} is not in this repository")]
    Missing { id: Id },
    #[error("{what} is damaged")]
    Damaged { what: String },
    #[error("{what} is too large")]
    TooLarge { what: String },
    #[error("`{}` cannot be read", path.display())]
    Io {
        path: PathBuf,
        #[source]
        source: std::io::Error,
    },
}

impl Error {
    pub(crate) fn damaged(what: impl Into<String>) -> Error {
        Error::Damaged { what: what.into() }
    }
}
