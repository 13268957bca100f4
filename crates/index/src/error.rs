//! What can go wrong with a store.

use std::path::{Path, PathBuf};

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
    #[error("catalog: {0}")]
    Catalog(#[from] rusqlite::Error),
    #[error("text index: {0}")]
    Text(#[from] tantivy::TantivyError),
    #[error(transparent)]
    Facts(#[from] syntax::Malformed),
    #[error("it was written by a newer Portolan (format {found}, this one reads {known})")]
    Newer { found: u32, known: u32 },
    #[error("another process is writing to it")]
    Busy,
}

impl StoreErrorKind {
    /// The same failure, told with the directory where it happened.
    pub(crate) fn at(self, dir: &Path) -> StoreError {
        StoreError {
            dir: dir.to_owned(),
            kind: self,
        }
    }
}

impl From<tantivy::directory::error::OpenDirectoryError> for StoreErrorKind {
    fn from(error: tantivy::directory::error::OpenDirectoryError) -> Self {
        StoreErrorKind::Text(error.into())
    }
}
