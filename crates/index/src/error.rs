//! What can go wrong with a store.

use std::path::{Path, PathBuf};

use tantivy::{TantivyError, directory::error::OpenReadError};

#[derive(Debug, thiserror::Error)]
#[error("index at {}: {kind}", dir.display())]
pub struct StoreError {
    pub dir: PathBuf,
    #[source]
    pub kind: StoreErrorKind,
}

#[derive(Debug, thiserror::Error)]
pub enum StoreErrorKind {
    #[error("cannot read or write: {0}")]
    Io(#[from] std::io::Error),
    #[error("catalog: {error}{}", extended(error))]
    Catalog {
        #[from]
        error: rusqlite::Error,
    },
    #[error("text index: {0}")]
    Text(#[from] tantivy::TantivyError),
    #[error("{what} is damaged")]
    Damaged { what: &'static str },
    #[error("it was written by a newer Portolan (format {found}, this one reads {known})")]
    Newer { found: u32, known: u32 },
    #[error("another process is writing to it")]
    Busy,
}

impl StoreErrorKind {
    /// Whether what is stored cannot be what was written. A file that ends too early is an I/O error to SQLite.
    pub fn is_damage(&self) -> bool {
        use rusqlite::{
            ErrorCode::{ConstraintViolation, DatabaseCorrupt, NotADatabase, TypeMismatch},
            ffi::SQLITE_IOERR_SHORT_READ,
        };
        let damage = [DatabaseCorrupt, NotADatabase, ConstraintViolation, TypeMismatch];
        match self {
            StoreErrorKind::Damaged { .. } => true,
            StoreErrorKind::Catalog {
                error: rusqlite::Error::SqliteFailure(error, message),
            } => {
                // Errors that have no code of their own: a table that is lost, and a number of the format that is none.
                let message = message.as_deref().unwrap_or_default();
                let is_told = message.starts_with("no such") || message.starts_with("unsupported file format");
                damage.contains(&error.code) || error.extended_code == SQLITE_IOERR_SHORT_READ || is_told
            }
            // A value of another type than was stored, or none at all.
            StoreErrorKind::Catalog { error } => error.sqlite_error_code().is_none(),
            StoreErrorKind::Text(error) => is_text_damage(error),
            _ => false,
        }
    }

    /// Whether it is not the store but where it is: a disk that is full, slow or not to be written to.
    pub fn is_of_the_disk(&self) -> bool {
        match self {
            StoreErrorKind::Io(_) | StoreErrorKind::Busy => true,
            StoreErrorKind::Catalog { .. } | StoreErrorKind::Text(_) => !self.is_damage(),
            StoreErrorKind::Damaged { .. } | StoreErrorKind::Newer { .. } => false,
        }
    }

    /// The same failure, told with the directory where it happened.
    pub(crate) fn at(self, dir: &Path) -> StoreError {
        StoreError {
            dir: dir.to_owned(),
            kind: self,
        }
    }
}

/// SQLite's own number of an error says more than its text.
fn extended(error: &rusqlite::Error) -> String {
    let code = error.sqlite_error().map(|error| error.extended_code);
    code.map_or_else(String::new, |code| format!(" ({code})"))
}

fn is_text_damage(error: &TantivyError) -> bool {
    match error {
        TantivyError::OpenReadError(OpenReadError::IoError { .. })
        | TantivyError::OpenDirectoryError(_)
        | TantivyError::OpenWriteError(_)
        | TantivyError::LockFailure(..)
        | TantivyError::ErrorInThread(_)
        | TantivyError::SystemError(_) => false,
        // What is not as long as it says ends too early; what it names was there when it was named.
        TantivyError::IoError(error) => {
            use std::io::ErrorKind::{InvalidData, NotFound, UnexpectedEof};
            [InvalidData, NotFound, UnexpectedEof].contains(&error.kind())
        }
        _ => true,
    }
}

impl From<syntax::Malformed> for StoreErrorKind {
    fn from(_: syntax::Malformed) -> Self {
        StoreErrorKind::Damaged {
            what: "what is known of a file",
        }
    }
}

impl From<tantivy::directory::error::OpenDirectoryError> for StoreErrorKind {
    fn from(error: tantivy::directory::error::OpenDirectoryError) -> Self {
        StoreErrorKind::Text(error.into())
    }
}
