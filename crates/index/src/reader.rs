//! One commit, as it was made.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use syntax::FileFacts;
use tantivy::Searcher;

use crate::{
    catalog::{Catalog, FileRow, FileTable, Head},
    error::StoreError,
    text::Fields,
    vocabulary::Vocabulary,
};

/// An immutable view of one generation. Later commits do not change it.
pub struct Reader {
    pub(crate) head: Head,
    pub(crate) files: Arc<FileTable>,
    pub(crate) searcher: Searcher,
    pub(crate) fields: Fields,
    /// Of the searcher's segments, in their order.
    pub(crate) vocabularies: Vec<Arc<OnceLock<Vocabulary>>>,
    pub(crate) catalog: Arc<Mutex<Catalog>>,
    pub(crate) dir: PathBuf,
}

impl Reader {
    pub fn generation(&self) -> u64 {
        self.head.generation
    }

    /// Whether every file that was found has been indexed or skipped for a reason.
    pub fn complete(&self) -> bool {
        self.head.complete
    }

    /// When the commit was made, in seconds since 1970.
    pub fn committed_at(&self) -> i64 {
        self.head.committed_at
    }

    pub fn files(&self) -> &FileTable {
        &self.files
    }

    pub fn searcher(&self) -> &Searcher {
        &self.searcher
    }

    pub fn fields(&self) -> &Fields {
        &self.fields
    }

    /// The facts of a file; `None` if a later commit has replaced it.
    pub fn facts(&self, row: &FileRow) -> Result<Option<FileFacts>, StoreError> {
        let catalog = self.catalog.lock().unwrap_or_else(PoisonError::into_inner);
        catalog.facts(&row.hash).map_err(|kind| kind.at(&self.dir))
    }
}
