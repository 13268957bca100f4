//! The text index: one document a chunk.

use std::path::Path;

use tantivy::{
    Index, TantivyDocument,
    directory::MmapDirectory,
    schema::{FAST, Field, INDEXED, IndexRecordOption, Schema, TextFieldIndexing, TextOptions},
    tokenizer::{TextAnalyzer, TokenizerManager},
};

use crate::{error::StoreErrorKind, token::WordTokenizer};

/// The fields of a document.
#[derive(Debug, Clone, Copy)]
pub struct Fields {
    /// The file's id.
    pub file: Field,
    pub chunk: Field,
    pub lang: Field,
    /// The terms of the words, with positions; see `token`.
    pub content: Field,
    /// The terms of the path's words.
    pub path: Field,
    /// Set if a word of the file may not be whole in `content`; see `Writer`.
    pub cut: Field,
}

/// A chunk to be indexed.
pub(crate) struct NewChunk<'a> {
    pub file: u64,
    pub index: u64,
    pub lang: &'a str,
    pub path: &'a str,
    pub text: &'a str,
    pub cut: bool,
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

fn tokenizers() -> TokenizerManager {
    let manager = TokenizerManager::default();
    manager.register("words", TextAnalyzer::builder(WordTokenizer::default()).build());
    manager
}

/// The generation of the text index's last commit.
pub(crate) fn generation(index: &Index) -> Result<u64, StoreErrorKind> {
    let payload = index.load_metas()?.payload;
    Ok(payload.and_then(|payload| payload.parse().ok()).unwrap_or(0))
}

impl Fields {
    pub(crate) fn document(&self, chunk: &NewChunk<'_>) -> TantivyDocument {
        let mut document = TantivyDocument::new();
        document.add_u64(self.file, chunk.file);
        document.add_u64(self.chunk, chunk.index);
        document.add_text(self.lang, chunk.lang);
        document.add_text(self.path, chunk.path);
        document.add_text(self.content, chunk.text);
        if chunk.cut {
            document.add_bool(self.cut, true);
        }
        document
    }
}
