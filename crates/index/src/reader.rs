//! One commit, as it was made.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};

use embed::Vector;
use syntax::{Chunk, FileFacts};
use tantivy::Searcher;

use crate::{
    catalog::{Catalog, FileRow, Head},
    error::{StoreError, StoreErrorKind},
    file_table::FileTable,
    mapped::MappedFiles,
    packed::{Packed, unpack_chunks},
    text::Fields,
    vectors::{Near, ReaderVectors, without_vectors},
    vocabulary::SegmentMemo,
};

/// An immutable view of one generation. Later commits do not change it.
pub struct Reader {
    pub(crate) head: Head,
    pub(crate) files: Arc<FileTable>,
    pub(crate) mapped: MappedFiles,
    pub(crate) searcher: Searcher,
    pub(crate) fields: Fields,
    /// Of the searcher's segments, in their order.
    pub(crate) memos: Vec<Arc<SegmentMemo>>,
    pub(crate) vectors: Option<ReaderVectors>,
    pub(crate) catalog: Arc<Mutex<Catalog>>,
    pub(crate) dir: PathBuf,
}

impl Reader {
    pub fn generation(&self) -> u64 {
        self.head.id.generation
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

    /// Whether there are vectors to ask. They may not be those of all chunks: see `without_vectors`.
    pub fn has_vectors(&self) -> bool {
        let vectors = self.vectors.as_ref();
        vectors.is_some_and(|vectors| !vectors.source.is_later() || !vectors.segments.is_empty())
    }

    /// Indexed files whose vectors have not been made yet, by path.
    pub fn without_vectors(&self) -> Vec<&FileRow> {
        let vectors = self.vectors.as_ref().filter(|vectors| vectors.source.is_later());
        let Some(vectors) = vectors else {
            return Vec::new();
        };
        let missing = without_vectors(&self.files, &vectors.segments);
        let rows = self.files.indexed();
        rows.filter(|row| missing.contains(&row.id)).collect()
    }

    /// How many components vectors have, if that is known.
    pub fn vector_dim(&self) -> Option<usize> {
        self.vectors.as_ref()?.dim()
    }

    /// The id of the model that the vectors are from.
    pub fn vector_model(&self) -> Option<&str> {
        self.vectors.as_ref().map(|vectors| vectors.source.id())
    }

    /// How many vectors there are.
    pub fn vector_count(&self) -> u64 {
        self.vectors.as_ref().map_or(0, |vectors| vectors.n_rows(&self.files))
    }

    /// The vector that a chunk has, maybe with its neighbours.
    pub fn vector_of(&self, file: u64, chunk: u32) -> Option<Vector> {
        self.files.by_id(file)?;
        self.vectors.as_ref()?.vector(file, chunk)
    }

    /// The `k` vectors most like another one, of files that are allowed. The best first; of equal ones by path and chunk.
    pub fn similar(&self, query: &Vector, allowed: &dyn Fn(u64) -> bool, k: usize) -> Vec<Near> {
        let vectors = self.vectors.as_ref();
        vectors.map_or_else(Vec::new, |vectors| vectors.similar(&self.files, query, allowed, k))
    }

    /// The chunks of a file; `None` if a later commit has replaced it.
    pub fn chunks(&self, row: &FileRow) -> Result<Option<Vec<Chunk>>, StoreError> {
        let chunks = || {
            let stored = self.stored(row, Catalog::chunks)?;
            Ok(stored.map(|stored| unpack_chunks(&stored)).transpose()?)
        };
        chunks().map_err(|kind: StoreErrorKind| kind.at(&self.dir))
    }

    /// The facts of a file; `None` if a later commit has replaced it.
    pub fn facts(&self, row: &FileRow) -> Result<Option<FileFacts>, StoreError> {
        self.unpacked(row, Packed::facts)
    }

    /// Of the facts of a file what it defines, see `FileFacts::definitions_from_bytes`.
    pub fn definitions(&self, row: &FileRow) -> Result<Option<FileFacts>, StoreError> {
        self.unpacked(row, Packed::definitions)
    }

    fn unpacked(
        &self,
        row: &FileRow,
        unpack: fn(&Packed) -> Result<FileFacts, syntax::Malformed>,
    ) -> Result<Option<FileFacts>, StoreError> {
        let facts = || {
            // Unpacked without the lock: several threads may be at it.
            let stored = self.stored(row, Catalog::facts)?;
            Ok(stored.map(|stored| unpack(&stored)).transpose()?)
        };
        facts().map_err(|kind: StoreErrorKind| kind.at(&self.dir))
    }

    fn stored<T>(&self, row: &FileRow, get: Get<T>) -> Result<Option<T>, StoreErrorKind> {
        let catalog = self.catalog.lock().unwrap_or_else(PoisonError::into_inner);
        let stored = get(&catalog, &row.hash)?;
        // What the newest commit has cannot have been replaced.
        if stored.is_none() && row.is_indexed() && catalog.head()? == self.head {
            return Err(syntax::Malformed.into());
        }
        Ok(stored)
    }
}

type Get<T> = fn(&Catalog, &[u8; 32]) -> Result<Option<T>, StoreErrorKind>;
