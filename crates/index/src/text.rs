//! The text index: one document a chunk for ranked search, one document a file for substring search.

use std::{cell::RefCell, path::Path};

use tantivy::{
    Index, TantivyDocument,
    directory::MmapDirectory,
    schema::{FAST, Field, INDEXED, IndexRecordOption, Schema, TextFieldIndexing, TextOptions},
    tokenizer::{TextAnalyzer, Token, TokenStream, Tokenizer, TokenizerManager},
};

use crate::{error::StoreErrorKind, token::WordTokenizer};

/// The fields of both kinds of document.
#[derive(Debug, Clone, Copy)]
pub struct Fields {
    /// Chunk documents: the file's id. Every chunk document has one and no other document does.
    pub file: Field,
    pub chunk: Field,
    pub lang: Field,
    /// The terms of the words, with positions; see `token`.
    pub content: Field,
    /// The terms of the path's words.
    pub path: Field,
    /// File documents: the file's id.
    pub grams_file: Field,
    /// The distinct runs of three bytes inside the file's words, in ASCII lower case.
    pub grams: Field,
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
        grams_file: schema.add_u64_field("grams_file", FAST | INDEXED),
        grams: schema.add_text_field("grams", text("grams", IndexRecordOption::Basic, false)),
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
    manager.register("grams", TextAnalyzer::builder(GramTokenizer::default()).build());
    manager
}

/// The generation of the text index's last commit.
pub(crate) fn generation(index: &Index) -> Result<u64, StoreErrorKind> {
    let payload = index.load_metas()?.payload;
    Ok(payload.and_then(|payload| payload.parse().ok()).unwrap_or(0))
}

impl Fields {
    pub(crate) fn chunk_document(&self, id: u64, chunk: u64, lang: &str, path: &str, text: &str) -> TantivyDocument {
        let mut document = TantivyDocument::new();
        document.add_u64(self.file, id);
        document.add_u64(self.chunk, chunk);
        document.add_text(self.lang, lang);
        document.add_text(self.path, path);
        document.add_text(self.content, text);
        document
    }

    pub(crate) fn file_document(&self, id: u64, text: &str) -> TantivyDocument {
        let mut document = TantivyDocument::new();
        document.add_u64(self.grams_file, id);
        document.add_text(self.grams, text);
        document
    }
}

/// The term under which three bytes (ASCII letters in lower case) are found; `None` for those that are not indexed.
pub fn trigram_term(bytes: [u8; 3]) -> Option<String> {
    let mut term = String::with_capacity(4);
    write_gram(gram_number(bytes), &mut term);
    bytes.iter().all(|byte| is_gram_byte(*byte)).then_some(term)
}

/// Only trigrams inside words are indexed. Those with white space or punctuation are three in five, cost as much each,
/// and are rarely needed: what people search for has a word in it.
fn is_gram_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

fn gram_number(bytes: [u8; 3]) -> u32 {
    u32::from(bytes[0]) << 16 | u32::from(bytes[1]) << 8 | u32::from(bytes[2])
}

/// Terms must be UTF-8 and three bytes of a text need not be: four characters of six bits each are.
fn write_gram(gram: u32, out: &mut String) {
    const DIGITS: &[u8; 64] = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_";
    out.clear();
    for shift in [18, 12, 6, 0] {
        out.push(DIGITS[(gram >> shift & 63) as usize] as char);
    }
}

thread_local! {
    /// One bit for each possible trigram; all zero between two texts.
    static SEEN: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) };
}

/// The distinct trigrams of a text, each once.
fn distinct_grams(text: &[u8], out: &mut Vec<u32>) {
    out.clear();
    SEEN.with_borrow_mut(|seen| {
        seen.resize(1 << 18, 0);
        let mut gram = 0;
        // Bytes since the last that is not part of a word.
        let mut run = 0;
        for byte in text {
            gram = (gram << 8 | u32::from(byte.to_ascii_lowercase())) & 0xFF_FFFF;
            run = if is_gram_byte(*byte) { run + 1 } else { 0 };
            if run < 3 {
                continue;
            }
            let bit = 1u64 << (gram & 63);
            let slot = &mut seen[(gram >> 6) as usize];
            if *slot & bit == 0 {
                *slot |= bit;
                out.push(gram);
            }
        }
        for gram in out.iter() {
            seen[(gram >> 6) as usize] = 0;
        }
    });
}

#[derive(Debug, Clone, Default)]
struct GramTokenizer {
    grams: Vec<u32>,
    token: Token,
}

impl Tokenizer for GramTokenizer {
    type TokenStream<'a> = GramStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> GramStream<'a> {
        distinct_grams(text.as_bytes(), &mut self.grams);
        self.token.reset();
        self.token.position = 0;
        GramStream {
            grams: self.grams.iter(),
            token: &mut self.token,
        }
    }
}

struct GramStream<'a> {
    grams: std::slice::Iter<'a, u32>,
    token: &'a mut Token,
}

impl TokenStream for GramStream<'_> {
    fn advance(&mut self) -> bool {
        let Some(gram) = self.grams.next() else { return false };
        write_gram(*gram, &mut self.token.text);
        true
    }

    fn token(&self) -> &Token {
        self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        self.token
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grams_are_distinct_and_caseless() {
        let mut grams = Vec::new();
        for _ in 0..2 {
            distinct_grams("abABab a\nb".as_bytes(), &mut grams);
            assert_eq!(grams, [gram_number(*b"aba"), gram_number(*b"bab")]);
        }
        distinct_grams(b"ab", &mut grams);
        assert!(grams.is_empty());
    }

    #[test]
    fn gram_terms_are_one_to_one() {
        assert_ne!(trigram_term(*b"abc"), trigram_term(*b"abd"));
        assert_eq!(trigram_term([255, 255, 255]).as_deref(), Some("____"));
        assert_eq!(trigram_term(*b"a b"), None);
        assert_eq!(trigram_term(*b"a::"), None);
    }
}
