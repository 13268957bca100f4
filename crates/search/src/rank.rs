//! Ranking files for a sentence or a name: what its words say about each file, as named features, weighed by one table.
//!
//! What is found is a file, with the chunk of it that fits best. Words are looked for in all their forms (`caching` finds
//! `cache`), in texts, in the names of definitions and in paths; a vector says what is meant by words that are not there.

mod called;
mod features;
mod found;
mod message;
mod words;

use std::{collections::BTreeMap, sync::LazyLock};

use index::{FileRow, Near, Reader};
use rayon::{ThreadPool, ThreadPoolBuilder};
use rustc_hash::FxHashMap;

pub(crate) use self::words::Known;
pub use self::words::Question;
pub use self::{
    called::is_called,
    features::{FEATURES, Features, Versions},
    words::asks_tests,
};
use self::{
    features::{describe, lift_tested},
    found::{ChunkFound, FileFound, Found, NamesFound},
};
use crate::{filter::Filter, keyword::KeywordError, lengths::Lengths};

/// A file that fits.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranked {
    pub file: u64,
    pub score: f32,
    /// Where it fits, best first as far as that is known; its beginning, if only its path does.
    pub chunks: Vec<Fitting>,
    pub features: Features,
}

impl Ranked {
    /// Whether nothing tells its chunks apart so far.
    pub fn is_unknown(&self) -> bool {
        let first = self.chunks.first();
        first.is_none_or(|first| first.words == 0.0)
    }
}

/// A chunk that may be what was asked for.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Fitting {
    pub chunk: u32,
    /// What its words and the names of its definitions say.
    pub words: f32,
    /// How near the meaning of its passage is, which it shares with its neighbours; 0 if others are nearer.
    pub meaning: f32,
}

impl Fitting {
    /// How well it fits, as far as is known without a look at its text.
    pub fn score(&self) -> f32 {
        self.words + 2.0 * self.meaning
    }
}

/// A page of files, best first, and how many there are in all.
pub struct RankedFiles {
    pub files: Vec<Ranked>,
    pub total: usize,
    /// None of the words is anywhere: what is here is only near in meaning.
    pub is_guess: bool,
    /// To look for places inside the files.
    pub question: Question,
}

/// Files that are looked at closely.
const CANDIDATES: usize = 120;
/// Chunks of a file in which places are looked for: the best by what the index knows.
const CHUNKS: usize = 48;
/// The same for a file that nothing but its path speaks for.
const LOOKED_THROUGH: u32 = 32;
/// More than any other promise.
const SURE: f32 = 1e6;
/// How often a word may be, in the manner of BM25.
const SATURATION: f32 = 1.2;
const LENGTH: f32 = 0.75;

/// The files from `offset` on that fit a text, at most `limit` of them. `likened` gives the chunks nearest in meaning, if
/// that is known; a name has none: something is called so, or it is not. Order is total: by score, then path.
pub fn rank(
    reader: &Reader,
    text: &str,
    likened: impl FnOnce() -> Vec<Near> + Send,
    filter: &Filter,
    offset: usize,
    limit: usize,
) -> Result<RankedFiles, KeywordError> {
    let lengths = &Lengths::of(reader);
    let look_for_words = || {
        let mut question = Question::new(reader, text)?;
        let found = Found::new(reader, filter, &mut question, lengths)?;
        let verbatim = match called::token_of(text) {
            Some(token) => called::places(reader, token, filter)?,
            None => message::places(reader, text, filter)?,
        };
        Ok::<_, KeywordError>((question, found, verbatim))
    };
    // Vectors are compared while the words are looked for.
    let (words, likened) = if words::is_name(text) {
        (look_for_words(), Vec::new())
    } else {
        beside(likened, look_for_words)
    };
    let (question, mut found, verbatim) = words?;
    let verbatim: FxHashMap<u64, u32> = verbatim.into_iter().rev().collect();
    if question.is_name {
        found.keep_named(&question);
    }
    let cosines = || likened.iter().map(|near| near.score);
    let (far, near) = (cosines().fold(f32::MAX, f32::min), cosines().fold(f32::MIN, f32::max));
    for Near { file, score, .. } in &likened {
        // What has none of the words must be nearer than most.
        found.liken(*file, *score, *score >= (far + near) / 2.0);
    }
    let mut promises = found.promises(&question);
    let total = promises.len();
    let token = called::token_of(text);
    let is_called = |row: &FileRow| token.is_some_and(|token| is_called(&row.path, token));
    if !verbatim.is_empty() || token.is_some() {
        for promise in &mut promises {
            let id = found.id(promise);
            if verbatim.contains_key(&id) {
                promise.score += SURE;
            }
            if token.is_some() && reader.files().by_id(id).is_some_and(is_called) {
                promise.score += 2.0 * SURE;
            }
        }
    }
    let seen = CANDIDATES.max(offset.saturating_add(limit)).min(total);
    if seen < total {
        let (_, last, _) = promises.select_nth_unstable_by(seen, |a, b| b.score.total_cmp(&a.score));
        let least = last.score;
        promises.retain(|promise| promise.score >= least);
    }
    let mut candidates: Vec<(f32, &FileRow, FileFound)> = Vec::with_capacity(promises.len());
    for promise in &promises {
        if let Some(row) = reader.files().by_id(found.id(promise)) {
            candidates.push((promise.score, row, found.file(promise, question.concepts.len())));
        }
    }
    candidates.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.path.cmp(&b.1.path)));
    candidates.truncate(seen);
    let mut by_file: FxHashMap<u64, Vec<Near>> = FxHashMap::default();
    for near in likened {
        by_file.entry(near.file).or_default().push(near);
    }
    for (_, row, file) in &mut candidates {
        file.likened = by_file.remove(&row.id).unwrap_or_default();
        file.verbatim = verbatim.get(&row.id).copied();
        file.is_called = is_called(row);
    }
    // Whoever turns the pages far enough sees the rest by what was promised: the first ones stay where they are.
    let (close, far_off) = candidates.split_at(CANDIDATES.min(candidates.len()));
    let (mut described, are_tests) = describe(lengths, (far, near), &question, close);
    if !question.means_tests {
        let paths: Vec<&str> = close.iter().map(|(_, row, _)| &*row.path).collect();
        lift_tested(&mut described, &paths, &are_tests);
    }
    let mut order: Vec<(f32, usize)> = described.iter().map(Features::score).zip(0..).collect();
    let path = |at: usize| &candidates[at].1.path;
    order.sort_by(|(a, one), (b, other)| b.total_cmp(a).then_with(|| path(*one).cmp(path(*other))));
    let least = order.last().map_or(0.0, |(score, _)| *score);
    let (rest, _) = describe(lengths, (far, near), &question, far_off);
    order.extend(
        rest.iter()
            .zip(close.len()..)
            .map(|(features, at)| (features.score().min(least), at)),
    );
    described.extend(rest);
    let page = order.into_iter().skip(offset).take(limit).map(|(score, at)| {
        let (_, row, file) = &candidates[at];
        Ranked {
            file: row.id,
            score,
            chunks: file.fitting(question.is_name),
            features: described[at],
        }
    });
    Ok(RankedFiles {
        files: page.collect(),
        total,
        is_guess: question.concepts.is_empty(),
        question,
    })
}

impl FileFound {
    fn best(&self) -> f32 {
        self.chunks.iter().map(|chunk| chunk.score).fold(0.0, f32::max)
    }

    /// The most that the names of a chunk have of something.
    fn most(&self, of: impl Fn(&NamesFound) -> f32) -> f32 {
        self.chunks.iter().map(|chunk| of(&chunk.names)).fold(0.0, f32::max)
    }

    /// Its chunks, best first: words, definitions and meaning together.
    fn fitting(&self, is_name: bool) -> Vec<Fitting> {
        let share = |of: f32, most: f32| of / most.max(f32::MIN_POSITIVE);
        let (top, dense) = (self.best(), self.most(|names| names.symbols_dense));
        // A name asks for its definition; what a sentence names it asks something about.
        let asked_for = if is_name { 2.0 } else { 0.5 };
        let mut fitting: BTreeMap<u32, Fitting> = BTreeMap::new();
        for ChunkFound { chunk, score, names } in self.chunks.iter().copied() {
            let named = 0.6 * (share(names.symbols_dense, dense) + names.defines_phrase) + asked_for * names.defines;
            let verbatim = if self.verbatim == Some(chunk) { SURE } else { 0.0 };
            let words = share(score, top) + named + verbatim;
            let meaning = 0.0;
            fitting.insert(chunk, Fitting { chunk, words, meaning });
        }
        for Near { chunks, score, .. } in &self.likened {
            for chunk in chunks.clone() {
                let one = fitting.entry(chunk).or_default();
                *one = Fitting {
                    chunk,
                    meaning: *score,
                    ..*one
                };
            }
        }
        if fitting.is_empty() {
            let first = 0..self.n_chunks.clamp(1, LOOKED_THROUGH);
            return first
                .map(|chunk| Fitting {
                    chunk,
                    ..Fitting::default()
                })
                .collect();
        }
        let mut best: Vec<Fitting> = fitting.into_values().collect();
        best.sort_by(|a, b| b.score().total_cmp(&a.score()).then(a.chunk.cmp(&b.chunk)));
        best.truncate(CHUNKS);
        best
    }
}

/// Does one thing on a thread that is kept for that, and another one here.
pub fn beside<A: Send, B>(there: impl FnOnce() -> A + Send, here: impl FnOnce() -> B) -> (B, A) {
    static THREADS: LazyLock<Option<ThreadPool>> = LazyLock::new(|| {
        let threads = ThreadPoolBuilder::new().thread_name(|_| "meaning".to_owned());
        threads.build().ok()
    });
    let Some(threads) = &*THREADS else {
        return (here(), there());
    };
    let mut done = None;
    let here = threads.in_place_scope(|scope| {
        scope.spawn(|_| done = Some(there()));
        here()
    });
    (here, done.expect("a scope ends when all of it is done"))
}

/// What it says that something is there so often, damped by how long the text is.
pub(crate) fn saturated(count: f32, damping: f32) -> f32 {
    count * (SATURATION + 1.0) / (count + damping)
}

/// Of a text that is so long compared with others.
pub(crate) fn damping(length: f32) -> f32 {
    SATURATION * (1.0 - LENGTH + LENGTH * length)
}
