//! Ranking files for a sentence or a name: what its words say about each file, as named features, weighed by one table.
//!
//! What is found is a file, with the chunk of it that fits best. Words are looked for in all their forms (`caching` finds
//! `cache`), in texts, in the names of definitions and in paths; a vector says what is meant by words that are not there.

mod features;
mod words;

use std::cmp::Ordering;

use index::{FileRow, Reader};
use rustc_hash::FxHashMap;
use tantivy::{
    DocId, SegmentReader, TantivyError,
    columnar::Column,
    postings::{Postings, TermInfo},
    schema::IndexRecordOption,
};

pub use self::features::{FEATURES, Features, Versions};
use self::{
    features::describe,
    words::{Concept, MAX_CONCEPTS, Wanted},
};
use crate::{
    filter::Filter,
    keyword::KeywordError,
    lengths::{Lengths, NAMES},
};

/// A file that fits, and where it fits best.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranked {
    pub file: u64,
    pub chunk: u32,
    pub score: f32,
    /// Other chunks of the file that fit, best first.
    pub also: Vec<u32>,
    pub features: Features,
}

/// A page of files, best first, and how many there are in all.
#[derive(Debug, Default)]
pub struct RankedFiles {
    pub files: Vec<Ranked>,
    pub total: usize,
    /// None of the words is anywhere: what is here is only near in meaning.
    pub is_guess: bool,
}

/// How much a vector likes a chunk: the file, the chunk, the cosine.
pub type Likened = (u64, u32, f32);

/// Files that are looked at closely.
const CANDIDATES: usize = 120;
/// Chunks of a file that say something about it.
const CHUNKS: usize = 4;
/// How often a word may be, in the manner of BM25.
const SATURATION: f32 = 1.2;
const LENGTH: f32 = 0.75;

/// The files from `offset` on that fit a text, at most `limit` of them. `likened` gives the chunks nearest in meaning, if
/// that is known; a name has none: something is called so, or it is not. Order is total: by score, then path.
pub fn rank(
    reader: &Reader,
    text: &str,
    likened: impl FnOnce() -> Vec<Likened> + Send,
    filter: &Filter,
    offset: usize,
    limit: usize,
) -> Result<RankedFiles, KeywordError> {
    let lengths = &Lengths::of(reader);
    let look_for_words = || -> Result<(Wanted, Found), TantivyError> {
        let (mut wanted, mut found) = (Wanted::new(reader, text)?, Found::new(reader)?);
        for (at, concept) in wanted.concepts.iter_mut().enumerate() {
            found.concept(reader, filter, at, concept, lengths)?;
        }
        wanted.weigh();
        found.names(reader, filter, &wanted)?;
        Ok((wanted, found))
    };
    // Vectors are compared while the words are looked for.
    let (words, likened) = if words::is_name(text) {
        (look_for_words(), Vec::new())
    } else {
        std::thread::scope(|scope| {
            let likened = scope.spawn(likened);
            let words = look_for_words();
            let likened = likened.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            (words, likened)
        })
    };
    let (wanted, mut found) = words?;
    if wanted.is_name {
        let is_it = |file: &FileFound| {
            let defines = file.chunks.iter().any(|chunk| chunk.defines > 0.0);
            defines || wanted.is_named(|at| file.is_in_path(at)) || wanted.is_named(|at| file.counts[at] > 0.0)
        };
        found.files.retain(|_, file| is_it(file));
    }
    let top = found.files.values().map(|file| file.best()).fold(0.0, f32::max);
    let cosines = || likened.iter().map(|(_, _, cosine)| *cosine);
    let (far, near) = (cosines().fold(f32::MAX, f32::min), cosines().fold(f32::MIN, f32::max));
    for (file, chunk, cosine) in &likened {
        // What has none of the words must be nearer than most.
        let of = match *cosine >= (far + near) / 2.0 {
            true => Some(found.file(*file)),
            false => found.files.get_mut(file),
        };
        if let Some(of) = of {
            of.likened.push((*cosine, *chunk));
        }
    }
    let total = found.files.len();
    let mut candidates: Vec<(f32, &FileRow, &FileFound)> = Vec::with_capacity(total);
    for (id, file) in &found.files {
        if let Some(row) = reader.files().by_id(*id) {
            candidates.push((file.promise(&wanted, top), row, file));
        }
    }
    let by_promise = |a: &(f32, &FileRow, &FileFound), b: &(f32, &FileRow, &FileFound)| {
        b.0.total_cmp(&a.0).then_with(|| a.1.path.cmp(&b.1.path))
    };
    // Who turns pages far enough sees the rest by what was promised.
    let close = CANDIDATES.max(offset.saturating_add(limit)).min(candidates.len());
    if close < candidates.len() {
        candidates.select_nth_unstable_by(close, by_promise);
        candidates.truncate(close);
    }
    candidates.sort_by(by_promise);
    let described = describe(lengths, (far, near), &wanted, &candidates);
    let mut files: Vec<(Ranked, &FileRow)> = candidates
        .iter()
        .zip(described)
        .map(|((_, row, file), features)| {
            let mut chunks = file.ordered();
            let chunk = if chunks.is_empty() { 0 } else { chunks.remove(0) };
            let ranked = Ranked {
                file: row.id,
                chunk,
                score: features.score(),
                also: chunks,
                features,
            };
            (ranked, *row)
        })
        .collect();
    files.sort_by(|(a, one), (b, other)| b.score.total_cmp(&a.score).then_with(|| one.path.cmp(&other.path)));
    let page = files.into_iter().map(|(ranked, _)| ranked).skip(offset).take(limit);
    Ok(RankedFiles {
        files: page.collect(),
        total,
        is_guess: wanted.concepts.is_empty(),
    })
}

/// What is known of a file.
#[derive(Debug, Default)]
struct FileFound {
    /// How often each concept is in it.
    counts: [f32; MAX_CONCEPTS],
    /// Whether each concept is in its path, a bit each.
    in_path: u32,
    /// It has a name of the query in this very spelling.
    spelled: bool,
    chunks: Vec<ChunkFound>,
    likened: Vec<(f32, u32)>,
}

/// In `FileFound`, by their number.
#[derive(Debug, Default, Clone, Copy)]
struct ChunkFound {
    chunk: u32,
    /// Of the words of its text.
    score: f32,
    /// Of the words in the names of its definitions.
    symbols: f32,
    /// The same, and more where there are few other names.
    symbols_dense: f32,
    /// It defines a name that was asked for, in this spelling.
    defines: f32,
    /// It defines what words of the query are the name of.
    defines_phrase: f32,
}

impl FileFound {
    fn is_in_path(&self, concept: usize) -> bool {
        self.in_path & (1 << concept) != 0
    }

    fn chunk(&mut self, chunk: u32) -> &mut ChunkFound {
        // Nearly always the next one, or one that is there.
        let at = self.chunks.partition_point(|one| one.chunk < chunk);
        if self.chunks.get(at).is_none_or(|one| one.chunk != chunk) {
            let new = ChunkFound {
                chunk,
                ..ChunkFound::default()
            };
            self.chunks.insert(at, new);
        }
        &mut self.chunks[at]
    }

    fn best(&self) -> f32 {
        self.chunks.iter().map(|chunk| chunk.score).fold(0.0, f32::max)
    }

    /// Enough to tell which files are worth a closer look.
    fn promise(&self, wanted: &Wanted, top: f32) -> f32 {
        let concepts = || wanted.concepts.iter().enumerate();
        let path: f32 = concepts()
            .filter(|(at, _)| self.is_in_path(*at))
            .map(|(_, one)| one.idf)
            .sum();
        let covered: f32 = concepts()
            .filter(|(at, _)| self.counts[*at] > 0.0)
            .map(|(_, one)| one.idf)
            .sum();
        let symbols = self.chunks.iter().map(|chunk| chunk.symbols).fold(0.0, f32::max);
        let defines = self.chunks.iter().map(|chunk| chunk.defines).fold(0.0, f32::max);
        let likened = self.likened.iter().map(|(cosine, _)| *cosine).fold(0.0, f32::max);
        self.best() / top.max(f32::MIN_POSITIVE)
            + (path + covered + symbols) / wanted.weight.max(f32::MIN_POSITIVE)
            + defines
            + self.chunks.iter().map(|chunk| chunk.defines_phrase).fold(0.0, f32::max)
            + 2.0 * likened
    }

    /// Its chunks, best first: words, definitions and meaning together.
    fn ordered(&self) -> Vec<u32> {
        let top = self.best().max(f32::MIN_POSITIVE);
        let symbols = self.chunks.iter().map(|chunk| chunk.symbols).fold(0.0, f32::max);
        let symbols = symbols.max(f32::MIN_POSITIVE);
        let mut scores: Vec<(f32, u32)> = self
            .chunks
            .iter()
            .map(|one| {
                (
                    one.score / top + 0.5 * one.symbols / symbols + 2.0 * one.defines + one.defines_phrase,
                    one.chunk,
                )
            })
            .collect();
        for (cosine, chunk) in &self.likened {
            match scores.iter_mut().find(|(_, known)| known == chunk) {
                Some((score, _)) => *score += cosine,
                None => scores.push((*cosine, *chunk)),
            }
        }
        let best = |a: &(f32, u32), b: &(f32, u32)| -> Ordering { b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)) };
        scores.sort_by(best);
        let least = scores.first().map_or(0.0, |(score, _)| score * 0.5);
        let good = scores.iter().take(CHUNKS).filter(|(score, _)| *score >= least);
        good.map(|(_, chunk)| *chunk).collect()
    }
}

/// What it says that something is there so often, in a text that is so long compared with others.
fn saturated(count: f32, length: f32) -> f32 {
    count * (SATURATION + 1.0) / (count + SATURATION * (1.0 - LENGTH + LENGTH * length))
}

struct Found {
    files: FxHashMap<u64, FileFound>,
    /// The file and the chunk of each document, by segment: to open a column costs more than to read it.
    columns: Vec<(Column<u64>, Column<u64>)>,
}

impl Found {
    fn new(reader: &Reader) -> Result<Found, TantivyError> {
        let segments = reader.searcher().segment_readers().iter();
        let columns = segments.map(|segment| {
            let columns = segment.fast_fields();
            Ok((columns.u64("file")?, columns.u64("chunk")?))
        });
        Ok(Found {
            files: FxHashMap::default(),
            columns: columns.collect::<Result<_, TantivyError>>()?,
        })
    }

    fn file(&mut self, id: u64) -> &mut FileFound {
        self.files.entry(id).or_default()
    }

    /// Tells what was found in each document to its file. Those of one file follow each other.
    fn each(
        &mut self,
        filter: &Filter,
        file: &Column<u64>,
        docs: Vec<(DocId, f32)>,
        mut tell: impl FnMut(&mut FileFound, DocId, f32),
    ) {
        let mut last: Option<(u64, Option<&mut FileFound>)> = None;
        for (doc, count) in docs {
            let id = file.first(doc).unwrap_or(0);
            if last.as_ref().is_none_or(|(known, _)| *known != id) {
                let allowed = filter.allows(id);
                last = Some((id, allowed.then(|| self.files.entry(id).or_default())));
            }
            if let Some((_, Some(of))) = &mut last {
                tell(of, doc, count);
            }
        }
    }

    /// Everything that has the concept, of which it is learned how rare it is.
    fn concept(
        &mut self,
        reader: &Reader,
        filter: &Filter,
        at: usize,
        concept: &mut Concept,
        lengths: &Lengths<'_>,
    ) -> Result<(), TantivyError> {
        let fields = reader.fields();
        let segments = reader.searcher().segment_readers();
        let columns = std::mem::take(&mut self.columns);
        let mut in_content = Vec::with_capacity(segments.len());
        for (segment, terms) in segments.iter().zip(&concept.terms) {
            in_content.push(collect(
                segment,
                fields.content,
                &terms.content,
                IndexRecordOption::WithFreqs,
            )?);
        }
        // Of the chunks that are there; the index still counts those that were.
        let n = in_content.iter().map(Vec::len).sum::<usize>() as f32;
        let all = (lengths.chunks as f32).max(n);
        concept.idf = (1.0 + (all - n + 0.5) / (n + 0.5)).ln();
        for (((segment, terms), docs), (file, chunk)) in
            segments.iter().zip(&concept.terms).zip(in_content).zip(&columns)
        {
            let norms = segment.get_fieldnorms_reader(fields.content)?;
            self.each(filter, file, docs, |of, doc, count| {
                let length = norms.fieldnorm(doc) as f32 / lengths.words;
                of.counts[at] += count;
                of.chunk(chunk.first(doc).unwrap_or(0) as u32).score += concept.idf * saturated(count, length);
            });
            let norms = segment.get_fieldnorms_reader(fields.symbol)?;
            let docs = collect(segment, fields.symbol, &terms.symbol, IndexRecordOption::WithFreqs)?;
            self.each(filter, file, docs, |of, doc, count| {
                let length = norms.fieldnorm(doc) as f32 / NAMES;
                let one = of.chunk(chunk.first(doc).unwrap_or(0) as u32);
                one.symbols += concept.idf;
                one.symbols_dense += concept.idf * saturated(count, length);
            });
            let docs = collect(segment, fields.path, &terms.path, IndexRecordOption::Basic)?;
            self.each(filter, file, docs, |of, _, _| of.in_path |= 1 << at);
        }
        self.columns = columns;
        Ok(())
    }

    /// Marks the chunks that define a name in the spelling of the query.
    fn names(&mut self, reader: &Reader, filter: &Filter, wanted: &Wanted) -> Result<(), TantivyError> {
        let fields = reader.fields();
        let columns = std::mem::take(&mut self.columns);
        let segments = || reader.searcher().segment_readers().iter().zip(&columns);
        for ((segment, (file, _)), terms) in segments().zip(&wanted.spelled) {
            let docs = collect(segment, fields.content, terms, IndexRecordOption::Basic)?;
            self.each(filter, file, docs, |of, _, _| of.spelled = true);
        }
        let terms = wanted.names.iter().zip(&wanted.phrases);
        for ((segment, (file, chunk)), (names, phrases)) in segments().zip(terms) {
            let names = names.iter().map(|name| (false, name));
            for (is_phrase, (weight, term)) in names.chain(phrases.iter().map(|phrase| (true, phrase))) {
                let term = std::slice::from_ref(term);
                let docs = collect(segment, fields.symbol, term, IndexRecordOption::Basic)?;
                self.each(filter, file, docs, |of, doc, _| {
                    let one = of.chunk(chunk.first(doc).unwrap_or(0) as u32);
                    let known = if is_phrase {
                        &mut one.defines_phrase
                    } else {
                        &mut one.defines
                    };
                    *known = known.max(*weight);
                });
            }
        }
        self.columns = columns;
        Ok(())
    }
}

/// The documents that have any of some terms, and how often they have them.
fn collect(
    segment: &SegmentReader,
    field: tantivy::schema::Field,
    terms: &[TermInfo],
    record: IndexRecordOption,
) -> Result<Vec<(DocId, f32)>, TantivyError> {
    let mut found: Vec<(DocId, f32)> = Vec::new();
    if terms.is_empty() {
        return Ok(found);
    }
    let inverted = segment.inverted_index(field)?;
    for term in terms {
        let mut postings = inverted.read_postings_from_terminfo(term, record)?;
        let mut doc = tantivy::DocSet::doc(&postings);
        while doc != tantivy::TERMINATED {
            if segment.alive_bitset().is_none_or(|alive| alive.is_alive(doc)) {
                found.push((doc, postings.term_freq() as f32));
            }
            doc = tantivy::DocSet::advance(&mut postings);
        }
    }
    if terms.len() > 1 {
        found.sort_unstable_by_key(|(doc, _)| *doc);
        found.dedup_by(|later, first| {
            let is_same = later.0 == first.0;
            if is_same {
                first.1 += later.1;
            }
            is_same
        });
    }
    Ok(found)
}
