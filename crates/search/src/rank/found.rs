//! Where the words of a question are: every file that has any of them.
//!
//! A question has words that tens of thousands of chunks have. So what is known of a chunk or file stands in rows, by the
//! number of the document and by the position of the file in its segment, and the few files that are worth a closer look
//! are put together from these in the end.

use std::{
    ops::Range,
    sync::{Mutex, PoisonError},
};

use index::{DocFiles, Near, Reader};
use tantivy::{
    DocId, SegmentReader, TantivyError,
    fieldnorm::FieldNormReader,
    postings::TermInfo,
    schema::{Field, IndexRecordOption},
};

use super::words::{Concept, MAX_CONCEPTS, Question};
use crate::{
    filter::Filter,
    lengths::{Lengths, NAMES},
};

/// What is known of a file.
#[derive(Debug, Default)]
pub(super) struct FileFound {
    /// How often each concept is in it.
    pub counts: [f32; MAX_CONCEPTS],
    /// It has a name of the query in this very spelling.
    pub spelled: bool,
    pub n_chunks: u32,
    /// Those that have something, by their number.
    pub chunks: Vec<ChunkFound>,
    /// Chunks that are near in meaning.
    pub likened: Vec<Near>,
    /// The chunk that has the text of a message, or a token, word by word.
    pub verbatim: Option<u32>,
    /// The query is what people call it.
    pub is_called: bool,
}

#[derive(Debug, Default, Clone, Copy)]
pub(super) struct ChunkFound {
    pub chunk: u32,
    /// Of the words of its text.
    pub score: f32,
    pub names: NamesFound,
}

/// What the names of a chunk's definitions say.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct NamesFound {
    /// Of the words in them.
    pub symbols: f32,
    /// The same, and more where there are few other names.
    pub symbols_dense: f32,
    /// One of them was asked for, in this spelling.
    pub defines: f32,
    /// Words of the query are one of them.
    pub defines_phrase: f32,
}

/// A file that was found, and how much it promises.
#[derive(Debug, Clone, Copy)]
pub(super) struct Promise {
    pub score: f32,
    segment: usize,
    position: usize,
}

pub(super) struct Found<'r> {
    rows: Rows,
    segments: Vec<InSegment<'r>>,
    /// How much the length of a text weakens what is found in it, by the number that the index has for the length.
    damping: [f32; 256],
    damping_of_names: [f32; 256],
}

struct InSegment<'r> {
    segment: &'r SegmentReader,
    files: &'r DocFiles,
    /// Its documents' slots in the rows, from the first one's on.
    slots: Range<usize>,
    /// The documents of files that are gone.
    gone: Vec<Range<DocId>>,
    /// Whether each file may be answered from; all may if it is empty.
    allowed: Vec<bool>,
    /// By file.
    of_file: Vec<OfFile>,
    /// By file, one for each concept.
    counts: Vec<f32>,
}

/// What is known of all documents, by their slots.
#[derive(Default)]
struct Rows {
    /// How often they have what is being looked for.
    count: Vec<f32>,
    /// Whether they have it at all.
    has: Bits,
    /// Something was found.
    is_found: Bits,
    score: Vec<f32>,
    /// Where in `names` there is something, from 1 on.
    named: Vec<u32>,
    names: Vec<NamesFound>,
}

#[derive(Default, Clone, Copy)]
struct OfFile {
    is_found: bool,
    spelled: bool,
    /// Whether each concept is in its path, a bit each.
    in_path: u32,
    /// The most that a chunk has.
    score: f32,
    symbols: f32,
    defines: f32,
    defines_phrase: f32,
    likened: f32,
}

const WORD: usize = u64::BITS as usize;

#[derive(Default)]
struct Bits(Vec<u64>);

impl Bits {
    fn set(&mut self, slot: usize) {
        self.0[slot / WORD] |= 1 << (slot % WORD);
    }

    fn remove(&mut self, slots: Range<usize>) {
        slots.for_each(|slot| self.0[slot / WORD] &= !(1 << (slot % WORD)));
    }

    /// Those of a segment, whose slots begin with a word.
    fn words(&self, slots: &Range<usize>) -> &[u64] {
        &self.0[slots.start / WORD..slots.end.div_ceil(WORD)]
    }

    /// The documents of a segment that are set.
    fn docs(&self, slots: &Range<usize>) -> impl Iterator<Item = DocId> {
        self.words(slots).iter().enumerate().flat_map(|(at, word)| {
            let mut rest = *word;
            std::iter::from_fn(move || {
                let bit = rest.trailing_zeros();
                rest &= rest.wrapping_sub(1);
                (bit < u64::BITS).then_some(at as DocId * u64::BITS + bit)
            })
        })
    }

    fn has(&self, slot: usize) -> bool {
        self.0[slot / WORD] & (1 << (slot % WORD)) != 0
    }
}

/// The rows of the last question, so that the next one need not ask the system for memory.
static KEPT: Mutex<Option<Rows>> = Mutex::new(None);
/// More are not kept.
const MAX_KEPT: usize = 1 << 20;

impl Rows {
    fn new(n: usize) -> Rows {
        let kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(rows) = kept.filter(|rows| rows.count.len() == n) {
            debug_assert!(rows.count.iter().chain(&rows.score).all(|number| *number == 0.0));
            debug_assert!(rows.has.0.iter().chain(&rows.is_found.0).all(|word| *word == 0));
            return rows;
        }
        Rows {
            count: vec![0.0; n],
            has: Bits(vec![0; n.div_ceil(WORD)]),
            is_found: Bits(vec![0; n.div_ceil(WORD)]),
            score: vec![0.0; n],
            named: vec![0; n],
            names: Vec::new(),
        }
    }

    /// Forgets what was found. What was counted has been told, and is forgotten.
    fn clear(&mut self) {
        let found: usize = self.is_found.0.iter().map(|word| word.count_ones() as usize).sum();
        if found > self.score.len() / 8 {
            self.score.fill(0.0);
            self.named.fill(0);
        } else {
            for slot in self.is_found.docs(&(0..self.score.len())) {
                self.score[slot as usize] = 0.0;
                self.named[slot as usize] = 0;
            }
        }
        self.is_found.0.fill(0);
        self.names.clear();
    }

    fn names_of(&mut self, slot: usize) -> &mut NamesFound {
        let at = &mut self.named[slot];
        if *at == 0 {
            self.names.push(NamesFound::default());
            *at = self.names.len() as u32;
        }
        self.is_found.set(slot);
        &mut self.names[*at as usize - 1]
    }

    fn chunk(&self, slot: usize, chunk: u32) -> ChunkFound {
        let names = self.named[slot].checked_sub(1);
        ChunkFound {
            chunk,
            score: self.score[slot],
            names: names.map_or_else(NamesFound::default, |at| self.names[at as usize]),
        }
    }
}

impl Drop for Found<'_> {
    fn drop(&mut self) {
        if self.rows.count.len() <= MAX_KEPT {
            self.rows.clear();
            *KEPT.lock().unwrap_or_else(PoisonError::into_inner) = Some(std::mem::take(&mut self.rows));
        }
    }
}

/// A document that has what was looked for.
struct At {
    slot: usize,
    doc: DocId,
    /// Of its file.
    position: usize,
    count: f32,
}

impl<'r> InSegment<'r> {
    fn new(
        segment: &'r SegmentReader,
        files: &'r DocFiles,
        first_slot: usize,
        filter: &Filter,
        n_concepts: usize,
    ) -> InSegment<'r> {
        let n_files = files.ids().len();
        let gone = segment.alive_bitset().map_or_else(Vec::new, |alive| {
            let docs = (0..n_files).map(|at| files.docs(at));
            docs.filter(|docs| alive.is_deleted(docs.start)).collect()
        });
        let allowed = match filter.allows_all() {
            true => Vec::new(),
            false => files.ids().iter().map(|id| filter.allows(*id)).collect(),
        };
        InSegment {
            segment,
            files,
            slots: first_slot..first_slot + segment.max_doc() as usize,
            gone,
            allowed,
            of_file: vec![OfFile::default(); n_files],
            counts: vec![0.0; n_files * n_concepts],
        }
    }

    /// Counts how often documents have any of some terms. How many documents that are.
    fn count(
        &self,
        rows: &mut Rows,
        field: Field,
        terms: &[TermInfo],
        record: IndexRecordOption,
    ) -> Result<usize, TantivyError> {
        if terms.is_empty() {
            return Ok(0);
        }
        let inverted = self.segment.inverted_index(field)?;
        let first = self.slots.start;
        for term in terms {
            let mut postings = inverted.read_block_postings_from_terminfo(term, record)?;
            while postings.block_len() > 0 {
                let slots = postings.docs().iter().map(|doc| first + *doc as usize);
                if record == IndexRecordOption::Basic {
                    slots.for_each(|slot| rows.has.set(slot));
                } else {
                    for (slot, n) in slots.zip(postings.freqs()) {
                        rows.count[slot] += *n as f32;
                        rows.has.set(slot);
                    }
                }
                postings.advance();
            }
        }
        for docs in &self.gone {
            let slots = first + docs.start as usize..first + docs.end as usize;
            rows.has.remove(slots.clone());
            rows.count[slots].fill(0.0);
        }
        let words = rows.has.words(&self.slots).iter();
        Ok(words.map(|word| word.count_ones() as usize).sum())
    }

    /// Tells of each document that was counted and may be answered from. Nothing is counted then.
    fn tell(&mut self, rows: &mut Rows, mut tell: impl FnMut(&mut Rows, &mut OfFile, At)) {
        let mut positions = self.files.in_order();
        let has = std::mem::take(&mut rows.has);
        for doc in has.docs(&self.slots) {
            let position = positions.position(doc);
            let slot = self.slots.start + doc as usize;
            let count = std::mem::take(&mut rows.count[slot]);
            if self.allowed.get(position).is_none_or(|allowed| *allowed) {
                let of_file = &mut self.of_file[position];
                of_file.is_found = true;
                let at = At {
                    slot,
                    doc,
                    position,
                    count,
                };
                tell(rows, of_file, at);
            }
        }
        rows.has = has;
        rows.has.0[self.slots.start / WORD..self.slots.end.div_ceil(WORD)].fill(0);
    }
}

impl<'r> Found<'r> {
    /// Looks for everything that is question, and learns how rare that is.
    pub fn new(
        reader: &'r Reader,
        filter: &Filter,
        question: &mut Question,
        lengths: &Lengths<'_>,
    ) -> Result<Found<'r>, TantivyError> {
        let n_concepts = question.concepts.len();
        let mut segments = Vec::new();
        let mut n_slots = 0;
        for (at, segment) in reader.searcher().segment_readers().iter().enumerate() {
            segments.push(InSegment::new(
                segment,
                reader.doc_files(at)?,
                n_slots,
                filter,
                n_concepts,
            ));
            n_slots += (segment.max_doc() as usize).next_multiple_of(WORD);
        }
        let damping = |average: f32| {
            std::array::from_fn(|id| super::damping(FieldNormReader::id_to_fieldnorm(id as u8) as f32 / average))
        };
        let mut found = Found {
            rows: Rows::new(n_slots),
            segments,
            damping: damping(lengths.words),
            damping_of_names: damping(NAMES),
        };
        for (at, concept) in question.concepts.iter_mut().enumerate() {
            found.concept(reader, at, n_concepts, concept, lengths)?;
        }
        question.weigh();
        found.names(reader, question)?;
        for segment in &mut found.segments {
            let mut positions = segment.files.in_order();
            for doc in found.rows.is_found.docs(&segment.slots) {
                let of_file = &mut segment.of_file[positions.position(doc)];
                let chunk = found.rows.chunk(segment.slots.start + doc as usize, 0);
                of_file.score = of_file.score.max(chunk.score);
                of_file.symbols = of_file.symbols.max(chunk.names.symbols);
                of_file.defines = of_file.defines.max(chunk.names.defines);
                of_file.defines_phrase = of_file.defines_phrase.max(chunk.names.defines_phrase);
            }
        }
        Ok(found)
    }

    /// Everything that has the concept, of which it is learned how rare it is.
    fn concept(
        &mut self,
        reader: &Reader,
        at: usize,
        n_concepts: usize,
        concept: &mut Concept,
        lengths: &Lengths<'_>,
    ) -> Result<(), TantivyError> {
        let fields = reader.fields();
        // Of the chunks that are there; the index still counts those that were.
        let mut n = 0;
        for (segment, terms) in self.segments.iter_mut().zip(&concept.terms) {
            n += segment.count(
                &mut self.rows,
                fields.content,
                &terms.content,
                IndexRecordOption::WithFreqs,
            )?;
        }
        let (n, all) = (n as f32, (lengths.chunks as f32).max(n as f32));
        concept.idf = (1.0 + (all - n + 0.5) / (n + 0.5)).ln();
        let idf = concept.idf;
        let rows = &mut self.rows;
        for (segment, terms) in self.segments.iter_mut().zip(&concept.terms) {
            let norms = segment.segment.get_fieldnorms_reader(fields.content)?;
            let mut counts = std::mem::take(&mut segment.counts);
            segment.tell(rows, |rows, _, found| {
                counts[found.position * n_concepts + at] += found.count;
                let damping = self.damping[norms.fieldnorm_id(found.doc) as usize];
                rows.score[found.slot] += idf * super::saturated(found.count, damping);
                rows.is_found.set(found.slot);
            });
            segment.counts = counts;
            let norms = segment.segment.get_fieldnorms_reader(fields.symbol)?;
            segment.count(rows, fields.symbol, &terms.symbol, IndexRecordOption::WithFreqs)?;
            segment.tell(rows, |rows, _, found| {
                let damping = self.damping_of_names[norms.fieldnorm_id(found.doc) as usize];
                let names = rows.names_of(found.slot);
                names.symbols += idf;
                names.symbols_dense += idf * super::saturated(found.count, damping);
            });
            segment.count(rows, fields.path, &terms.path, IndexRecordOption::Basic)?;
            segment.tell(rows, |_, of_file, _| of_file.in_path |= 1 << at);
        }
        Ok(())
    }

    /// Marks the chunks that define a name in the spelling of the query.
    fn names(&mut self, reader: &Reader, question: &Question) -> Result<(), TantivyError> {
        let fields = reader.fields();
        let rows = &mut self.rows;
        for (segment, terms) in self.segments.iter_mut().zip(&question.spelled) {
            segment.count(rows, fields.content, terms, IndexRecordOption::Basic)?;
            segment.tell(rows, |_, of_file, _| of_file.spelled = true);
        }
        let terms = question.names.iter().zip(&question.phrases);
        for (segment, (names, phrases)) in self.segments.iter_mut().zip(terms) {
            for (weight, term) in names {
                let term = std::slice::from_ref(term);
                segment.count(rows, fields.symbol, term, IndexRecordOption::Basic)?;
                segment.tell(rows, |rows, _, found| {
                    let defines = &mut rows.names_of(found.slot).defines;
                    *defines = defines.max(*weight);
                });
            }
            for (weight, term) in phrases {
                let term = std::slice::from_ref(term);
                segment.count(rows, fields.symbol, term, IndexRecordOption::Basic)?;
                segment.tell(rows, |rows, _, found| {
                    let defines = &mut rows.names_of(found.slot).defines_phrase;
                    *defines = defines.max(*weight);
                });
            }
        }
        Ok(())
    }

    /// Forgets all files but those that a name means.
    pub fn keep_named(&mut self, question: &Question) {
        let n_concepts = question.concepts.len();
        let is_named = question.is_named();
        for segment in &mut self.segments {
            let found = segment.of_file.iter_mut().enumerate().filter(|(_, of)| of.is_found);
            for (position, of) in found {
                let counts = &segment.counts[position * n_concepts..][..n_concepts];
                let has = |(at, count): (usize, &f32)| u32::from(*count > 0.0) << at;
                let in_text = counts.iter().enumerate().map(has).fold(0, |bits, bit| bits | bit);
                of.is_found = of.defines > 0.0 || is_named(of.in_path) || is_named(in_text);
            }
        }
    }

    /// Learns that a chunk of a file is so near in meaning. Without `is_enough` that says nothing about a file which has none
    /// of the words.
    pub fn liken(&mut self, file: u64, cosine: f32, is_enough: bool) {
        let found = self.segments.iter_mut().find_map(|segment| {
            let position = segment.files.position(file)?;
            segment.of_file.get_mut(position)
        });
        if let Some(of) = found.filter(|of| of.is_found || is_enough) {
            of.is_found = true;
            of.likened = of.likened.max(cosine);
        }
    }

    /// How much each file promises: enough to tell which are worth a closer look. In no order.
    pub fn promises(&self, question: &Question) -> Vec<Promise> {
        let n_concepts = question.concepts.len();
        let files = || {
            self.segments
                .iter()
                .flat_map(|segment| &segment.of_file)
                .filter(|of| of.is_found)
        };
        let top = files().map(|of| of.score).fold(0.0, f32::max).max(f32::MIN_POSITIVE);
        let weight = question.weight.max(f32::MIN_POSITIVE);
        let mut promises = Vec::with_capacity(files().count());
        for (number, segment) in self.segments.iter().enumerate() {
            for (position, of) in segment.of_file.iter().enumerate().filter(|(_, of)| of.is_found) {
                let counts = &segment.counts[position * n_concepts..][..n_concepts];
                let (mut path, mut covered) = (0.0, 0.0);
                for (at, concept) in question.concepts.iter().enumerate() {
                    if of.in_path & (1 << at) != 0 {
                        path += concept.idf;
                    }
                    if counts[at] > 0.0 {
                        covered += concept.idf;
                    }
                }
                let words = of.score / top + (path + covered + of.symbols) / weight;
                promises.push(Promise {
                    score: words + of.defines + of.defines_phrase + 2.0 * of.likened,
                    segment: number,
                    position,
                });
            }
        }
        promises
    }

    pub fn id(&self, promise: &Promise) -> u64 {
        self.segments[promise.segment].files.ids()[promise.position]
    }

    /// All that is known of a file, but for what its chunks mean.
    pub fn file(&self, promise: &Promise, n_concepts: usize) -> FileFound {
        let segment = &self.segments[promise.segment];
        let docs = segment.files.docs(promise.position);
        let slots = segment.slots.start + docs.start as usize..segment.slots.start + docs.end as usize;
        let n_chunks = docs.len() as u32;
        let found = (0..).zip(slots).filter(|(_, slot)| self.rows.is_found.has(*slot));
        let mut counts = [0.0; MAX_CONCEPTS];
        counts[..n_concepts].copy_from_slice(&segment.counts[promise.position * n_concepts..][..n_concepts]);
        FileFound {
            counts,
            spelled: segment.of_file[promise.position].spelled,
            n_chunks,
            chunks: found.map(|(chunk, slot)| self.rows.chunk(slot, chunk)).collect(),
            likened: Vec::new(),
            verbatim: None,
            is_called: false,
        }
    }
}
