//! The text index: one document a chunk.

use std::{
    array,
    iter::{Empty, Flatten},
    ops::Range,
    path::{Path, PathBuf},
    sync::Arc,
};

use tantivy::{
    Index,
    directory::MmapDirectory,
    index::SegmentComponent,
    schema::{
        Document, FAST, Field, INDEXED, IndexRecordOption, Schema, TextFieldIndexing, TextOptions, Value,
        document::{ReferenceValue, ReferenceValueLeaf},
    },
    tokenizer::{TextAnalyzer, TokenizerManager},
};

use crate::{
    error::StoreErrorKind,
    queue::Place,
    token::{SymbolTokenizer, WordTokenizer},
};

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
    /// Set if a word of the file may not be whole in `content`; see `Writer`.
    pub cut: Field,
}

/// A chunk to be indexed. All chunks of a file share its text, so that many may wait without holding copies.
#[derive(Debug)]
pub(crate) struct NewChunk {
    pub fields: Fields,
    pub file: u64,
    pub index: u64,
    pub lang: &'static str,
    pub path: Arc<str>,
    pub text: Arc<str>,
    pub range: Range<usize>,
    /// Written by `token::write_symbol`; empty if there are none.
    pub symbols: String,
    pub cut: bool,
    /// Given up once the chunks of the file are indexed.
    pub _place: Arc<Place>,
}

impl Document for NewChunk {
    type Value<'a> = Leaf<'a>;
    type FieldsValuesIter<'a> = Flatten<array::IntoIter<Option<(Field, Leaf<'a>)>, 7>>;

    fn iter_fields_and_values(&self) -> Self::FieldsValuesIter<'_> {
        let fields = &self.fields;
        let values = [
            Some((fields.file, Leaf::Number(self.file))),
            Some((fields.chunk, Leaf::Number(self.index))),
            Some((fields.lang, Leaf::Text(self.lang))),
            Some((fields.content, Leaf::Text(&self.text[self.range.clone()]))),
            (self.index == 0).then_some((fields.path, Leaf::Text(&self.path))),
            (!self.symbols.is_empty()).then_some((fields.symbol, Leaf::Text(&self.symbols))),
            self.cut.then_some((fields.cut, Leaf::Flag(true))),
        ];
        values.into_iter().flatten()
    }
}

/// The value of a field.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Leaf<'a> {
    Number(u64),
    Text(&'a str),
    Flag(bool),
}

impl<'a> Value<'a> for Leaf<'a> {
    type ArrayIter = Empty<Self>;
    type ObjectIter = Empty<(&'a str, Self)>;

    fn as_value(&self) -> ReferenceValue<'a, Self> {
        ReferenceValue::Leaf(match *self {
            Leaf::Number(number) => ReferenceValueLeaf::U64(number),
            Leaf::Text(text) => ReferenceValueLeaf::Str(text),
            Leaf::Flag(flag) => ReferenceValueLeaf::Bool(flag),
        })
    }
}

pub(crate) fn schema() -> (Schema, Fields) {
    let text = |tokenizer: &str, record: IndexRecordOption, norms: bool| {
        let indexing = TextFieldIndexing::default()
            .set_tokenizer(tokenizer)
            .set_index_option(record);
        TextOptions::default().set_indexing_options(indexing.set_fieldnorms(norms))
    };
    let mut schema = Schema::builder();
    let fields = Fields {
        file: schema.add_u64_field("file", FAST | INDEXED),
        chunk: schema.add_u64_field("chunk", FAST),
        lang: schema.add_text_field("lang", text("raw", IndexRecordOption::Basic, false)),
        content: schema.add_text_field("content", text("words", IndexRecordOption::WithFreqsAndPositions, true)),
        path: schema.add_text_field("path", text("words", IndexRecordOption::Basic, false)),
        symbol: schema.add_text_field("symbol", text("symbols", IndexRecordOption::WithFreqs, true)),
        cut: schema.add_bool_field("cut", INDEXED),
    };
    (schema.build(), fields)
}

/// Opens the text index in `dir`, or begins an empty one.
pub(crate) fn open(dir: &Path) -> Result<(Index, Fields), StoreErrorKind> {
    std::fs::create_dir_all(dir)?;
    let (schema, fields) = schema();
    let index = Index::builder()
        .schema(schema)
        .tokenizers(tokenizers())
        .open_or_create(MmapDirectory::open(dir)?)?;
    Ok((index, fields))
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

fn tokenizers() -> TokenizerManager {
    let manager = TokenizerManager::default();
    manager.register("words", TextAnalyzer::builder(WordTokenizer::default()).build());
    manager.register("symbols", TextAnalyzer::builder(SymbolTokenizer::default()).build());
    manager
}

/// The generation of the text index's last commit.
pub(crate) fn generation(index: &Index) -> Result<u64, StoreErrorKind> {
    let payload = index.load_metas()?.payload;
    Ok(payload.and_then(|payload| payload.parse().ok()).unwrap_or(0))
}
