//! The text index: one document a chunk.

use std::path::{Path, PathBuf};

use tantivy::{
    Index, IndexWriter, TantivyDocument, TantivyError,
    directory::MmapDirectory,
    index::SegmentComponent,
    indexer::PreparedCommit,
    schema::{FAST, Field, IndexRecordOption, NumericOptions, Schema, TextFieldIndexing, TextOptions},
};

use crate::{catalog::CommitId, error::StoreErrorKind, segment::NewSegment};

/// The least that the library takes for documents that it would have to take apart itself.
const WRITER_BUDGET: usize = 15_000_000;

/// The fields of a document.
#[derive(Debug, Clone, Copy)]
pub struct Fields {
    /// The file's id.
    pub file: Field,
    pub chunk: Field,
    pub lang: Field,
    /// The terms of the words, with positions; see `token`.
    pub content: Field,
    /// The terms of the path's words, in the first document of a file alone.
    pub path: Field,
    /// The terms of the symbols that begin in the chunk; see `token`.
    pub symbol: Field,
    /// Set if a word of the file may not be whole in `content`.
    pub cut: Field,
}

pub(crate) fn schema() -> (Schema, Fields) {
    // `NewSegment` says what the terms are: the library takes no text apart.
    let text = |record: IndexRecordOption, norms: bool| {
        let indexing = TextFieldIndexing::default().set_index_option(record);
        TextOptions::default().set_indexing_options(indexing.set_fieldnorms(norms))
    };
    // How many numbers a document has in a field says nothing: no norms.
    let number = || NumericOptions::default().set_indexed();
    let mut schema = Schema::builder();
    let fields = Fields {
        file: schema.add_u64_field("file", number().set_fast()),
        chunk: schema.add_u64_field("chunk", FAST),
        lang: schema.add_text_field("lang", text(IndexRecordOption::Basic, false)),
        content: schema.add_text_field("content", text(IndexRecordOption::WithFreqsAndPositions, true)),
        path: schema.add_text_field("path", text(IndexRecordOption::Basic, false)),
        symbol: schema.add_text_field("symbol", text(IndexRecordOption::WithFreqs, true)),
        cut: schema.add_bool_field("cut", number()),
    };
    (schema.build(), fields)
}

/// Opens the text index in `dir`, or begins an empty one.
pub(crate) fn open(dir: &Path) -> Result<(Index, Fields), StoreErrorKind> {
    std::fs::create_dir_all(dir)?;
    let (schema, fields) = schema();
    let index = Index::builder()
        .schema(schema)
        .open_or_create(MmapDirectory::open(dir)?)?;
    Ok((index, fields))
}

/// What tells the text index of new segments and of documents that are gone.
pub(crate) fn writer(index: &Index) -> Result<IndexWriter, StoreErrorKind> {
    Ok(index.writer_with_num_threads(1, WRITER_BUDGET)?)
}

/// Writes what the segment has; it is empty after that. Nobody sees it before the next commit.
pub(crate) fn add_segment(writer: &IndexWriter, segment: &mut NewSegment) -> Result<(), StoreErrorKind> {
    if !segment.is_empty() {
        writer.add_segment(segment.write(writer.new_segment())?)?;
    }
    Ok(())
}

/// Writes the segments side by side, and all else that the next commit is to have.
pub(crate) fn prepare(
    writer: &mut IndexWriter,
    segments: Vec<NewSegment>,
) -> Result<PreparedCommit<'_, TantivyDocument>, StoreErrorKind> {
    let shared = &*writer;
    std::thread::scope(|scope| {
        let add = |mut segment| scope.spawn(move || add_segment(shared, &mut segment));
        let added: Vec<_> = segments.into_iter().map(add).collect();
        let died = |_| TantivyError::ErrorInThread("writing a segment".into());
        added.into_iter().try_for_each(|added| added.join().map_err(died)?)
    })?;
    Ok(writer.prepare_commit()?)
}

/// The file that says which segments there are; it is written after them. `dir` is the store's.
pub(crate) fn meta(dir: &Path) -> PathBuf {
    dir.join("text").join("meta.json")
}

/// The files that the last commit's segments may have. Others of the same segments belong to a commit that is being made.
pub(crate) fn files(index: &Index, dir: &Path) -> Result<Vec<PathBuf>, StoreErrorKind> {
    use SegmentComponent::{Delete, FastFields, FieldNorms, Positions, Postings, Store, Terms};
    let mut files = Vec::new();
    for segment in index.load_metas()?.segments {
        let written = [Postings, Positions, FastFields, FieldNorms, Terms, Store];
        let deleted = segment.has_deletes().then_some(Delete);
        let names = written
            .into_iter()
            .chain(deleted)
            .map(|part| segment.relative_path(part));
        files.extend(names.map(|name| dir.join("text").join(name)));
    }
    Ok(files)
}

/// Whether a file of a segment is what was written.
pub(crate) fn is_sound(index: &Index, path: &Path) -> bool {
    let name = path.file_name().map(Path::new).unwrap_or(path);
    contained(|| Ok(index.directory().validate_checksum(name)?)).unwrap_or(false)
}

/// The text index takes what it reads for what it wrote, and panics if that cannot be.
pub(crate) fn contained<T>(work: impl FnOnce() -> tantivy::Result<T>) -> Result<T, StoreErrorKind> {
    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
    Ok(outcome.map_err(|_| StoreErrorKind::Damaged { what: "the text index" })??)
}

/// The id of the text index's last commit. One that cannot be read is that of no commit.
pub(crate) fn commit_id(index: &Index) -> Result<CommitId, StoreErrorKind> {
    let payload = index.load_metas()?.payload;
    Ok(payload.and_then(|payload| payload.parse().ok()).unwrap_or_default())
}
