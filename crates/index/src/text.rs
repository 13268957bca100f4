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

/// The term under which three bytes of a word are found; `None` if they are not indexed.
pub fn trigram_term(bytes: [u8; 3]) -> Option<String> {
    let codes = bytes.map(|byte| u32::from(GRAM_CODE[byte as usize]));
    let gram = codes[0] << 12 | codes[1] << 6 | codes[2];
    let mut term = String::with_capacity(3);
    write_gram(gram, &mut term);
    (codes.iter().all(|code| *code != 0) && is_kept(gram)).then_some(term)
}

/// Every second trigram, spread evenly: half the work of indexing them, and a word of eight letters still has three on
/// average. A text without any is looked for in all files.
fn is_kept(gram: u32) -> bool {
    gram.wrapping_mul(0x9E37_79B1) >> 31 == 0
}

/// Six bits for each byte of a word, in any case; 0 for all other bytes. Only trigrams inside words are indexed: those
/// with white space or punctuation are three in five, cost as much each, and are rarely needed, since what people search
/// for has a word in it. Bytes beyond ASCII share codes: that lets in a few candidates too many, never one too few, and
/// keeps the table of what was seen small enough for the fastest memory.
static GRAM_CODE: [u8; 256] = {
    let mut codes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        codes[byte] = match byte as u8 {
            letter @ (b'a'..=b'z' | b'A'..=b'Z') => letter.to_ascii_lowercase() - b'a' + 1,
            digit @ b'0'..=b'9' => digit - b'0' + 27,
            b'_' => 37,
            other @ 128.. => 38 + other % 26,
            _ => 0,
        };
        byte += 1;
    }
    codes
};

const GRAMS: usize = 1 << 18;

/// Terms are text: a character for each code.
fn write_gram(gram: u32, out: &mut String) {
    const DIGITS: &[u8; 64] = b"-abcdefghijklmnopqrstuvwxyz0123456789_ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    out.clear();
    for shift in [12, 6, 0] {
        out.push(DIGITS[(gram >> shift & 63) as usize] as char);
    }
}

thread_local! {
    /// One bit for each possible trigram; all zero between two texts.
    static SEEN: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) };
}

/// The distinct trigrams of a text's words, each once.
fn distinct_grams(text: &[u8], out: &mut Vec<u32>) {
    out.clear();
    SEEN.with_borrow_mut(|seen| {
        seen.resize(GRAMS / 64, 0);
        let mut gram = 0;
        // Bytes since the last that is not part of a word.
        let mut run = 0;
        for byte in text {
            let code = GRAM_CODE[*byte as usize];
            gram = (gram << 6 | u32::from(code)) & (GRAMS as u32 - 1);
            run = if code == 0 { 0 } else { run + 1 };
            let bit = 1u64 << (gram & 63);
            let slot = &mut seen[(gram >> 6) as usize];
            if run >= 3 && *slot & bit == 0 && is_kept(gram) {
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

    /// The terms that a text is indexed under.
    fn terms(text: &str) -> Vec<String> {
        let mut grams = Vec::new();
        distinct_grams(text.as_bytes(), &mut grams);
        let mut term = String::new();
        let terms = grams.iter().map(|gram| {
            write_gram(*gram, &mut term);
            term.clone()
        });
        terms.collect()
    }

    #[test]
    fn grams_are_distinct_caseless_and_inside_words() {
        for _ in 0..2 {
            assert_eq!(terms("abABab a\nb::c_1"), ["aba", "c_1"]);
        }
        assert!(terms("ab").is_empty());
        assert_eq!(terms("parseGRÖSSE"), terms("PARSEgrÖsse"));
    }

    #[test]
    fn what_is_looked_up_is_what_was_indexed() {
        let text = "fn parse_query(größe: &str) -> Result<Query, Error> { walk_files::<Größe>(\"a b\") }";
        let indexed = terms(text);
        let looked_up = text
            .as_bytes()
            .windows(3)
            .filter_map(|gram| trigram_term([gram[0], gram[1], gram[2]]));
        let looked_up: std::collections::BTreeSet<String> = looked_up.collect();
        assert_eq!(looked_up, indexed.iter().cloned().collect());
        assert!(indexed.len() > 10);
    }
}
