//! The model file: a vocabulary, a vector a word, and how much each word counts.

use std::borrow::Cow;
use std::hash::BuildHasher;
use std::ops::Range;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, OnceLock, PoisonError};

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use serde::Deserialize;

use crate::encoder::Buffers;
use crate::words::words;
use crate::{Encoder, Vector};

const MAGIC: &[u8] = b"PTLNEMB1";

/// What an entry of the vocabulary begins with that is a piece of words, not a word.
const PIECE: &[u8] = b"##";

/// The most characters that a piece has. The fewest are two.
const LONGEST_PIECE: usize = 5;

static BUILT_IN: LazyLock<Arc<Model>> = LazyLock::new(|| {
    let parsed = Model::parse_as(BUILT_IN_BYTES.into(), Some(BUILT_IN_ID));
    Arc::new(parsed.expect("a test reads the built-in model"))
});

const BUILT_IN_BYTES: &[u8] = include_bytes!("../model.bin");

/// Known beforehand: to find it out takes as long as a look at a small repository.
const BUILT_IN_ID: &str = "portolan-static-1-8454546d2e9b";

#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    #[error("not a model file")]
    Foreign,
    #[error("the model file is not as long as it should be")]
    Length,
    #[error("the model's header cannot be read")]
    Header(#[from] serde_json::Error),
    #[error("the model's vocabulary is not what its header says")]
    Vocabulary,
}

/// Other fields are for people. Rows for pairs of words are not known here: a model that has some is too long.
#[derive(Deserialize)]
struct Header {
    name: String,
    dim: usize,
    vocabulary: usize,
    boost: f32,
    max_bytes: usize,
}

/// Questions are written in other words than code, so words count differently.
#[derive(Clone, Copy)]
pub(crate) enum Side {
    Query,
    Code,
}

/// A table of int8 rows, one a word, and two weights for each: in questions and in code. The bytes of the file are used
/// where they lie; only an index of the words is made.
pub struct Model {
    bytes: Cow<'static, [u8]>,
    header: Header,
    id: String,
    /// Where in `bytes` each entry of the vocabulary begins, and where the last one's newline ends.
    entries: Vec<u32>,
    /// The entries by their hash, made when a word is first looked up.
    table: OnceLock<HashTable<u32>>,
    query_weights: Range<usize>,
    code_weights: Range<usize>,
    rows: Range<usize>,
    /// Of the last encoder that is gone.
    spare: Mutex<Option<Buffers>>,
}

impl Model {
    /// The model that is part of the binary.
    pub fn built_in() -> &'static Arc<Model> {
        &BUILT_IN
    }

    pub fn parse(bytes: impl Into<Cow<'static, [u8]>>) -> Result<Model, ModelError> {
        Model::parse_as(bytes.into(), None)
    }

    fn parse_as(bytes: Cow<'static, [u8]>, id: Option<&str>) -> Result<Model, ModelError> {
        if !bytes.starts_with(MAGIC) {
            return Err(ModelError::Foreign);
        }
        let mut end = MAGIC.len();
        let mut next = |len: usize| {
            let start = end;
            end = start
                .checked_add(len)
                .filter(|end| *end <= bytes.len())
                .ok_or(ModelError::Length)?;
            Ok::<_, ModelError>(start..end)
        };
        let len = u32_at(&bytes, next(4)?.start);
        let header: Header = serde_json::from_slice(&bytes[next(len as usize)?])?;
        let len = u32_at(&bytes, next(4)?.start);
        let vocabulary = next(len as usize)?;
        let query_weights = next(header.vocabulary.saturating_mul(4))?;
        let code_weights = next(header.vocabulary.saturating_mul(4))?;
        let rows = next(header.vocabulary.saturating_mul(header.dim))?;
        if rows.end != bytes.len() || bytes.len() > u32::MAX as usize {
            return Err(ModelError::Length);
        }

        let newlines = bytes[vocabulary.clone()]
            .iter()
            .enumerate()
            .filter(|(_, byte)| **byte == b'\n');
        let ends = newlines.map(|(at, _)| (vocabulary.start + at + 1) as u32);
        let entries: Vec<u32> = [vocabulary.start as u32].into_iter().chain(ends).collect();
        if entries.len() != header.vocabulary + 1 || entries.last() != Some(&(vocabulary.end as u32)) {
            return Err(ModelError::Vocabulary);
        }
        let id = id.map_or_else(
            || format!("{}-{}", header.name, &blake3::hash(&bytes).to_hex()[..12]),
            str::to_owned,
        );
        Ok(Model {
            bytes,
            header,
            id,
            entries,
            table: OnceLock::new(),
            query_weights,
            code_weights,
            rows,
            spare: Mutex::default(),
        })
    }

    /// The model's name and a hash of all of it: vectors of models with different ids cannot be compared.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// How many components its vectors have.
    pub fn dim(&self) -> usize {
        self.header.dim
    }

    pub(crate) fn spare(&self) -> MutexGuard<'_, Option<Buffers>> {
        self.spare.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn encoder(&self) -> Encoder<'_> {
        Encoder::new(self)
    }

    /// The vector of a question. An [`Encoder`] is quicker when there are many.
    pub fn query(&self, text: &str) -> Vector {
        self.encoder().query(text)
    }

    /// The vector of a piece of code, see [`Encoder::code`].
    pub fn code(&self, head: &str, body: &str) -> Vector {
        self.encoder().code(head, body)
    }

    pub(crate) fn boost(&self) -> f32 {
        self.header.boost
    }

    pub(crate) fn rows(&self) -> &[u8] {
        &self.bytes[self.rows.clone()]
    }

    /// How much a token counts in a question or in code.
    pub(crate) fn weight(&self, side: Side, token: u32) -> f32 {
        let weights = match side {
            Side::Query => &self.query_weights,
            Side::Code => &self.code_weights,
        };
        f32::from_bits(u32_at(&self.bytes, weights.start + 4 * token as usize))
    }

    pub(crate) fn n_tokens(&self) -> usize {
        self.header.vocabulary
    }

    /// The part of a text that counts.
    pub(crate) fn beginning<'t>(&self, text: &'t str) -> &'t str {
        &text[..text.floor_char_boundary(self.header.max_bytes)]
    }

    /// Calls `found` with the tokens of a text, in order, however long that is. `word` is where words are made.
    pub fn each_token(&self, text: &str, word: &mut String, mut found: impl FnMut(u32)) {
        words(text, word, |word| self.tokens_of_word(word, &mut found));
    }

    /// Calls `found` with what the model has for a word: itself, or the longest piece that it begins with, and so on. A
    /// letter with which no piece begins is left out.
    pub(crate) fn tokens_of_word(&self, word: &str, mut found: impl FnMut(u32)) {
        if let Some(id) = self.find(false, word) {
            return found(id);
        }
        let mut rest = word;
        while !rest.is_empty() {
            let mut ends = [0; LONGEST_PIECE];
            let mut n = 0;
            for (at, c) in rest.char_indices().take(LONGEST_PIECE) {
                ends[n] = at + c.len_utf8();
                n += 1;
            }
            let piece = ends[1..n]
                .iter()
                .rev()
                .find_map(|end| Some((self.find(true, &rest[..*end])?, *end)));
            if let Some((id, _)) = piece {
                found(id);
            }
            rest = &rest[piece.map_or(ends[0], |(_, end)| end)..];
        }
    }

    fn find(&self, piece: bool, word: &str) -> Option<u32> {
        let key = (piece, word.as_bytes());
        let same = |id: &u32| entry(&self.bytes, &self.entries, *id) == key;
        self.table().find(FxBuildHasher.hash_one(key), same).copied()
    }

    fn table(&self) -> &HashTable<u32> {
        self.table.get_or_init(|| {
            let mut table = HashTable::with_capacity(self.header.vocabulary);
            let hash = |id: &u32| FxBuildHasher.hash_one(entry(&self.bytes, &self.entries, *id));
            for id in 0..self.header.vocabulary as u32 {
                table.insert_unique(hash(&id), id, hash);
            }
            table
        })
    }
}

/// An entry of the vocabulary: whether it is a piece, and its text.
fn entry<'b>(bytes: &'b [u8], entries: &[u32], id: u32) -> (bool, &'b [u8]) {
    let id = id as usize;
    let text = &bytes[entries[id] as usize..entries[id + 1] as usize - 1];
    text.strip_prefix(PIECE).map_or((false, text), |piece| (true, piece))
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(std::array::from_fn(|i| bytes[at + i]))
}
