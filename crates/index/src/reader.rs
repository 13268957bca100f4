//! One commit, as it was made.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};

use syntax::{Chunk, FileFacts, Malformed, chunks_from_bytes};
use tantivy::Searcher;

use crate::{
    catalog::{Catalog, FileRow, FileTable, Head},
    error::{StoreError, StoreErrorKind},
    text::Fields,
    vocabulary::SegmentWords,
};

/// An immutable view of one generation. Later commits do not change it.
pub struct Reader {
    pub(crate) head: Head,
    pub(crate) files: Arc<FileTable>,
    pub(crate) searcher: Searcher,
    pub(crate) fields: Fields,
    /// Of the searcher's segments, in their order.
    pub(crate) words: Vec<Arc<SegmentWords>>,
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

    /// The chunks of a file; `None` if a later commit has replaced it.
    pub fn chunks(&self, row: &FileRow) -> Result<Option<Vec<Chunk>>, StoreError> {
        let chunks = || {
            let catalog = self.catalog.lock().unwrap_or_else(PoisonError::into_inner);
            let stored = catalog.chunks(&row.hash)?;
            Ok(stored.map(|stored| chunks_from_bytes(&stored)).transpose()?)
        };
        chunks().map_err(|kind: StoreErrorKind| kind.at(&self.dir))
    }

    /// The facts of a file; `None` if a later commit has replaced it.
    pub fn facts(&self, row: &FileRow) -> Result<Option<FileFacts>, StoreError> {
        let facts = || {
            let stored = self
                .catalog
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .facts(&row.hash)?;
            // Without the lock: several threads may be at it.
            Ok(stored.map(|stored| unpack(&stored)).transpose()?)
        };
        facts().map_err(|kind: StoreErrorKind| kind.at(&self.dir))
    }
}

/// No file has larger facts; a damaged length must not ask for more memory.
const MAX_FACTS_BYTES: usize = 64 << 20;

/// Facts as `Writer` has packed them.
fn unpack(stored: &[u8]) -> Result<FileFacts, Malformed> {
    let (size, packed) = lz4_flex::block::uncompressed_size(stored).map_err(|_| Malformed)?;
    if size > MAX_FACTS_BYTES {
        return Err(Malformed);
    }
    let bytes = lz4_flex::decompress(packed, size).map_err(|_| Malformed)?;
    FileFacts::from_bytes(&bytes)
}
