//! A segment of the text index, made in memory.
//!
//! The library's own way takes each token for itself: its letters are looked up, and what is known of its term is read and
//! written, somewhere in memory. Here a word as it is written is looked up once, what it is found by and what it means to the
//! model are worked out once a segment, and a text is the list of its words' numbers. Which documents have a term is counted
//! out when all are there.

use std::{io, ops::Range, sync::Arc};

use embed::Model;
use hashbrown::HashTable;
use rustc_hash::FxHasher;
use syntax::FileFacts;
use tantivy::{
    DocId, Segment, SegmentMeta, TantivyDocument, TantivyError, Term,
    columnar::{ColumnType, ColumnarWriter},
    directory::TerminatingWrite,
    fieldnorm::{FieldNormReaders, FieldNormsSerializer, FieldNormsWriter},
    index::SegmentComponent,
    postings::{FieldSerializer, InvertedIndexSerializer},
    schema::Field,
    store::StoreWriter,
};

use crate::{text::Fields, token};

/// A segment that takes more memory than this, with what it takes to write it, is written. Smaller ones would be merged
/// while a large repository is indexed, which takes a sixth of the whole time.
const FULL: usize = 128 << 20;
/// What a term or a word takes besides its letters.
const OF_EACH: usize = 32;
/// Of the library's documents, which have nothing in them.
const STORE_BLOCK: usize = 16_384;

/// A text that is to be found.
pub(crate) struct NewText<'a> {
    pub file: u64,
    pub lang: &'static str,
    pub path: &'a str,
    pub text: &'a str,
    pub facts: &'a FileFacts,
}

pub(crate) struct NewSegment {
    fields: Fields,
    /// Words as they are written.
    words: Numbered,
    recent: Recent,
    /// The terms of each word.
    word_terms: Lists,
    /// The model's tokens of each word, if there is a model.
    word_tokens: Lists,
    model: Option<Arc<Model>>,
    /// Where words are made for the model.
    word: String,
    terms: Numbered,
    /// The words of the file that was added last: where they begin, and which they are.
    of_file: Vec<(u32, u32)>,
    /// The words of all documents, one after the other.
    content: Vec<u32>,
    /// How many places their terms have.
    n_places: usize,
    docs: Vec<Doc>,
    files: Vec<(u64, Range<DocId>)>,
    langs: Postings,
    paths: Postings,
    symbols: Postings,
    cut: Vec<DocId>,
}

struct Doc {
    /// Where its words end in `content`.
    end: u32,
    /// How many terms its words and its symbols have.
    n_terms: u32,
    n_of_symbols: u32,
}

/// Texts, each known by the number that it got when it came first.
#[derive(Default)]
struct Numbered {
    bytes: Vec<u8>,
    ends: Vec<u32>,
    numbers: HashTable<Slot>,
}

/// Where a text is, beside its number: one look at the table, one at the text.
#[derive(Clone, Copy)]
struct Slot {
    number: u32,
    start: u32,
    end: u32,
}

/// Lists of numbers, one behind the other.
#[derive(Default)]
struct Lists {
    ends: Vec<u32>,
    all: Vec<u32>,
}

/// The numbers of words that were seen lately, each in the one place that its letters tell: the table of all words is large,
/// and slow to ask.
struct Recent(Vec<(Letters, u32)>);

const RECENT: usize = 1 << 14;
/// Longer words are looked up.
const RECENT_LETTERS: usize = 16;
type Letters = (u64, u64);

/// The words of a file that was added.
pub(crate) struct FileWords<'s>(&'s NewSegment);

/// Which documents have which terms.
#[derive(Default)]
struct Postings {
    terms: Numbered,
    /// Terms and documents, in the order of the documents.
    all: Vec<(u32, DocId)>,
}

/// Where something is said: a document, and the position of the word.
type Place = (DocId, u32);

fn hash(text: &[u8]) -> u64 {
    use std::hash::Hasher;
    let mut hasher = FxHasher::default();
    hasher.write(text);
    hasher.finish()
}

impl Numbered {
    fn text(&self, number: u32) -> &[u8] {
        let number = number as usize;
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.bytes[start as usize..self.ends[number] as usize]
    }

    /// The number of a text, and whether it is new.
    fn number(&mut self, text: &[u8]) -> (u32, bool) {
        let Numbered { bytes, ends, numbers } = self;
        let text_at = |slot: &Slot| &bytes[slot.start as usize..slot.end as usize];
        match numbers.entry(hash(text), |slot| text_at(slot) == text, |slot| hash(text_at(slot))) {
            hashbrown::hash_table::Entry::Occupied(known) => (known.get().number, false),
            hashbrown::hash_table::Entry::Vacant(place) => {
                let number = ends.len() as u32;
                let start = bytes.len() as u32;
                let end = start + text.len() as u32;
                place.insert(Slot { number, start, end });
                bytes.extend_from_slice(text);
                ends.push(end);
                (number, true)
            }
        }
    }

    fn len(&self) -> usize {
        self.ends.len()
    }

    fn size(&self) -> usize {
        self.bytes.len() + self.len() * OF_EACH
    }

    /// All numbers in the order of the texts.
    fn sorted(&self) -> Vec<u32> {
        // Most pairs differ in their first letters, which are compared without being looked for.
        let start = |text: &[u8]| {
            let mut first = [0; 8];
            let n = text.len().min(first.len());
            first[..n].copy_from_slice(&text[..n]);
            u64::from_be_bytes(first)
        };
        let mut all: Vec<(u64, u32)> = (0..self.len() as u32)
            .map(|number| (start(self.text(number)), number))
            .collect();
        all.sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| self.text(a.1).cmp(self.text(b.1))));
        all.into_iter().map(|(_, number)| number).collect()
    }

    fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
        self.numbers.clear();
    }
}

impl Lists {
    fn of(&self, number: u32) -> Range<usize> {
        let number = number as usize;
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        start as usize..self.ends[number] as usize
    }

    fn get(&self, number: u32) -> &[u32] {
        &self.all[self.of(number)]
    }

    fn close(&mut self) {
        self.ends.push(self.all.len() as u32);
    }

    fn size(&self) -> usize {
        (self.ends.len() + self.all.len()) * size_of::<u32>()
    }

    fn clear(&mut self) {
        self.ends.clear();
        self.all.clear();
    }
}

impl Default for Recent {
    fn default() -> Recent {
        Recent(vec![Default::default(); RECENT])
    }
}

impl Recent {
    /// The place of a word that is short enough, and what is to be there, filled up with zeros.
    fn place(&mut self, text: &[u8], word: &Range<usize>) -> Option<(&mut (Letters, u32), Letters)> {
        let missing = RECENT_LETTERS.checked_sub(word.len())?;
        // Most words have enough behind them to be read in one piece.
        let letters = match text.get(word.start..word.start + RECENT_LETTERS) {
            Some(more) => {
                let more = u128::from_le_bytes(more.try_into().expect("it has that many bytes"));
                more & (u128::MAX >> (8 * missing))
            }
            None => {
                let mut letters = [0; RECENT_LETTERS];
                letters[..word.len()].copy_from_slice(&text[word.clone()]);
                u128::from_le_bytes(letters)
            }
        };
        let hash = letters.wrapping_mul(0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835);
        let place = &mut self.0[(hash >> (u128::BITS - RECENT.ilog2())) as usize];
        Some((place, (letters as u64, (letters >> u64::BITS) as u64)))
    }
}

impl FileWords<'_> {
    /// The model's tokens of the words that begin in a range of the text.
    pub fn tokens(&self, range: Range<usize>) -> impl Iterator<Item = u32> {
        let words = self.0.words_in(&range);
        let of_each = self.0.of_file[words]
            .iter()
            .map(|(_, word)| self.0.word_tokens.get(*word));
        of_each.flatten().copied()
    }
}

impl Postings {
    fn add(&mut self, term: &str, doc: DocId) {
        let (number, _) = self.terms.number(term.as_bytes());
        self.all.push((number, doc));
    }

    fn size(&self) -> usize {
        self.terms.size() + self.all.len() * size_of::<(u32, DocId)>()
    }

    fn clear(&mut self) {
        self.terms.clear();
        self.all.clear();
    }

    fn by_term(&self) -> ByTerm<DocId> {
        let mut counts = vec![0; self.terms.len()];
        for (term, _) in &self.all {
            counts[*term as usize] += 1;
        }
        let mut by_term = ByTerm::new(&self.terms, counts);
        for (term, doc) in &self.all {
            by_term.put(*term, *doc);
        }
        by_term
    }
}

/// Where each term is, terms in their order.
struct ByTerm<T> {
    sorted: Vec<u32>,
    /// Where what is next put of each term goes; in the end, where its places end.
    next: Vec<u32>,
    places: Vec<T>,
}

impl<T: Copy + Default> ByTerm<T> {
    /// `counts` says how many places each term has.
    fn new(terms: &Numbered, mut counts: Vec<u32>) -> ByTerm<T> {
        let sorted = terms.sorted();
        let mut sum = 0;
        for term in &sorted {
            let count = &mut counts[*term as usize];
            sum += std::mem::replace(count, sum);
        }
        ByTerm {
            sorted,
            next: counts,
            places: vec![T::default(); sum as usize],
        }
    }

    fn put(&mut self, term: u32, place: T) {
        let next = &mut self.next[term as usize];
        self.places[*next as usize] = place;
        *next += 1;
    }

    fn each(&self) -> impl Iterator<Item = (u32, &[T])> {
        let mut start = 0;
        self.sorted.iter().map(move |term| {
            let end = self.next[*term as usize] as usize;
            (*term, &self.places[std::mem::replace(&mut start, end)..end])
        })
    }
}

impl NewSegment {
    /// With a model, the tokens of words are known too.
    pub fn new(fields: Fields, model: Option<Arc<Model>>) -> NewSegment {
        NewSegment {
            fields,
            words: Numbered::default(),
            recent: Recent::default(),
            word_terms: Lists::default(),
            word_tokens: Lists::default(),
            model,
            word: String::new(),
            terms: Numbered::default(),
            of_file: Vec::new(),
            content: Vec::new(),
            n_places: 0,
            docs: Vec::new(),
            files: Vec::new(),
            langs: Postings::default(),
            paths: Postings::default(),
            symbols: Postings::default(),
            cut: Vec::new(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.docs.is_empty()
    }

    pub fn is_full(&self) -> bool {
        let lists = size_of::<u32>() * self.content.len() + size_of::<Place>() * self.n_places;
        let of_words = self.words.size() + self.terms.size() + self.word_terms.size() + self.word_tokens.size();
        let postings = [&self.langs, &self.paths, &self.symbols].map(Postings::size);
        lists + of_words + postings.iter().sum::<usize>() > FULL
    }

    /// The chunks of a file become documents that follow each other; `DocFiles` relies on it.
    pub fn add(&mut self, new: &NewText<'_>) -> FileWords<'_> {
        let first = self.docs.len() as DocId;
        self.number_words(new.text);
        let mut symbols = symbols_by_chunk(new.facts).into_iter().peekable();
        for (doc, (at, chunk)) in (first..).zip(new.facts.chunks.iter().enumerate()) {
            let n_terms = self.add_words(new.text, chunk.range());
            let before = self.symbols.all.len();
            while let Some((_, symbol)) = symbols.next_if(|(chunk, _)| *chunk == at) {
                let path = new.facts.path_of(symbol);
                let owner = path.len().checked_sub(2).map(|owner| path[owner]);
                let name = new.facts.name(symbol);
                token::each_symbol_term(name, symbol.kind, owner, |term| self.symbols.add(term, doc));
            }
            self.langs.add(new.lang, doc);
            if at == 0 {
                for word in token::words(new.path) {
                    token::each_term(word, |term| self.paths.add(term, doc));
                }
            }
            if cuts_word(new.text, chunk.range()) {
                self.cut.push(doc);
            }
            self.docs.push(Doc {
                end: self.content.len() as u32,
                n_terms,
                n_of_symbols: (self.symbols.all.len() - before) as u32,
            });
        }
        let end = self.docs.len() as DocId;
        if first < end {
            self.files.push((new.file, first..end));
        }
        FileWords(self)
    }

    /// Finds out the words of a file.
    fn number_words(&mut self, text: &str) {
        self.of_file.clear();
        for place in token::places_of_words(text) {
            let start = place.start as u32;
            let number = self.number_of(text, place);
            self.of_file.push((start, number));
        }
    }

    fn number_of(&mut self, text: &str, place: Range<usize>) -> u32 {
        if let Some((seen, letters)) = self.recent.place(text.as_bytes(), &place)
            && seen.0 == letters
        {
            return seen.1;
        }
        let word = &text[place.clone()];
        let (number, is_new) = self.words.number(word.as_bytes());
        if is_new {
            let (terms, own) = (&mut self.terms, &mut self.word_terms);
            token::each_term(word, |term| own.all.push(terms.number(term.as_bytes()).0));
            own.close();
            if let Some(model) = &self.model {
                let own = &mut self.word_tokens;
                model.each_token(word, &mut self.word, |token| own.all.push(token));
                own.close();
            }
        }
        if let Some((seen, letters)) = self.recent.place(text.as_bytes(), &place) {
            *seen = (letters, number);
        }
        number
    }

    /// Which of the file's words begin in a range of its text.
    fn words_in(&self, range: &Range<usize>) -> Range<usize> {
        let before = |end: usize| self.of_file.partition_point(|(start, _)| (*start as usize) < end);
        before(range.start)..before(range.end)
    }

    /// Adds the words of a chunk of the file. How many terms they have.
    fn add_words(&mut self, text: &str, chunk: Range<usize>) -> u32 {
        let before = self.content.len();
        if is_inside_word(text, chunk.start) || is_inside_word(text, chunk.end) {
            // What it has of these words is not what the file has.
            for place in token::places_of_words(&text[chunk.clone()]) {
                let number = self.number_of(&text[chunk.clone()], place);
                self.content.push(number);
            }
        } else {
            let words = self.words_in(&chunk);
            self.content
                .extend(self.of_file[words].iter().map(|(_, number)| *number));
        }
        let n_terms = self.content[before..]
            .iter()
            .map(|word| self.word_terms.of(*word).len());
        let n_terms = n_terms.sum::<usize>();
        self.n_places += n_terms;
        n_terms as u32
    }

    /// Writes everything into the files of a segment, and is empty after it.
    pub fn write(&mut self, segment: Segment) -> tantivy::Result<SegmentMeta> {
        let n_docs = self.docs.len() as u32;
        // Most memory is taken while postings are written, which do not need these.
        self.word_tokens = Lists::default();
        self.of_file = Vec::new();
        let norms = self.write_norms(&segment)?;
        self.write_postings(&segment, &norms)?;
        self.write_columns(&segment, n_docs)?;
        let store = segment.open_write(SegmentComponent::Store)?;
        let mut store = StoreWriter::new(
            store,
            segment.index().settings().docstore_compression,
            STORE_BLOCK,
            false,
        )?;
        let (nothing, schema) = (TantivyDocument::default(), segment.schema());
        for _ in 0..n_docs {
            store.store(&nothing, &schema)?;
        }
        store.close()?;
        self.clear();
        let segment = segment.with_max_doc(n_docs);
        segment.meta().untrack_temp_docstore();
        Ok(segment.meta().clone())
    }

    /// How many terms the documents have.
    fn write_norms(&self, segment: &Segment) -> tantivy::Result<FieldNormReaders> {
        let mut norms = FieldNormsWriter::for_schema(&segment.schema());
        for (at, doc) in (0..).zip(&self.docs) {
            norms.record(at, self.fields.content, doc.n_terms);
            norms.record(at, self.fields.symbol, doc.n_of_symbols);
        }
        norms.fill_up_to_max_doc(self.docs.len() as u32);
        let to = segment.open_write(SegmentComponent::FieldNorms)?;
        norms.serialize(FieldNormsSerializer::from_write(to)?, None)?;
        FieldNormReaders::open(segment.open_read(SegmentComponent::FieldNorms)?)
    }

    fn write_postings(&self, segment: &Segment, norms: &FieldNormReaders) -> tantivy::Result<()> {
        let Fields {
            file,
            lang,
            content,
            path,
            symbol,
            cut,
            ..
        } = self.fields;
        let mut serializer = InvertedIndexSerializer::open(segment)?;
        let mut in_field = |field: Field, n_terms: u64, write: &dyn Fn(&mut FieldSerializer<'_>) -> io::Result<()>| {
            if n_terms == 0 {
                return Ok(());
            }
            let mut to = serializer.new_field(field, n_terms, norms.get_field(field)?)?;
            write(&mut to)?;
            Ok::<(), TantivyError>(to.close()?)
        };
        in_field(file, self.docs.len() as u64, &|to| self.write_files(to))?;
        in_field(content, self.n_places as u64, &|to| self.write_content(to))?;
        for (field, postings) in [(lang, &self.langs), (path, &self.paths), (symbol, &self.symbols)] {
            let has_counts = field == symbol;
            in_field(field, postings.all.len() as u64, &|to| {
                let by_term = postings.by_term();
                by_term
                    .each()
                    .try_for_each(|(term, docs)| write_docs(to, postings.terms.text(term), docs, has_counts))
            })?;
        }
        let is_cut = Term::from_field_bool(cut, true);
        in_field(cut, self.cut.len() as u64, &|to| {
            write_docs(to, is_cut.serialized_value_bytes(), &self.cut, false)
        })?;
        Ok(serializer.close()?)
    }

    fn write_files(&self, to: &mut FieldSerializer<'_>) -> io::Result<()> {
        let mut files = self.files.clone();
        files.sort_unstable_by_key(|(id, _)| *id);
        for (id, docs) in files {
            let docs: Vec<DocId> = docs.collect();
            let term = Term::from_field_u64(self.fields.file, id);
            write_docs(to, term.serialized_value_bytes(), &docs, false)?;
        }
        Ok(())
    }

    fn write_content(&self, to: &mut FieldSerializer<'_>) -> io::Result<()> {
        let by_term = self.content_by_term();
        let mut deltas = Vec::new();
        // A word that no chunk has whole is nowhere.
        for (term, places) in by_term.each().filter(|(_, places)| !places.is_empty()) {
            let in_docs = || places.chunk_by(|a, b| a.0 == b.0);
            to.new_term(self.terms.text(term), in_docs().count() as u32, true)?;
            for places in in_docs() {
                let mut before = 0;
                deltas.clear();
                deltas.extend(places.iter().map(|(_, at)| at - std::mem::replace(&mut before, *at)));
                to.write_doc(places[0].0, deltas.len() as u32, &deltas);
            }
            to.close_term()?;
        }
        Ok(())
    }

    fn content_by_term(&self) -> ByTerm<Place> {
        let mut of_word = vec![0_u32; self.words.len()];
        for word in &self.content {
            of_word[*word as usize] += 1;
        }
        let mut counts = vec![0; self.terms.len()];
        for (word, n) in (0..).zip(of_word) {
            for term in self.word_terms.get(word) {
                counts[*term as usize] += n;
            }
        }
        let mut by_term = ByTerm::new(&self.terms, counts);
        let mut start = 0;
        for (doc, Doc { end, .. }) in (0..).zip(&self.docs) {
            let words = std::mem::replace(&mut start, *end as usize)..*end as usize;
            for (at, word) in (0..).zip(&self.content[words]) {
                for term in self.word_terms.get(*word) {
                    by_term.put(*term, (doc, at));
                }
            }
        }
        by_term
    }

    fn write_columns(&self, segment: &Segment, n_docs: u32) -> tantivy::Result<()> {
        let schema = segment.schema();
        let [file, chunk] = [self.fields.file, self.fields.chunk].map(|field| schema.get_field_name(field));
        let mut columns = ColumnarWriter::default();
        for name in [file, chunk] {
            columns.record_column_type(name, ColumnType::U64, false);
        }
        for (id, docs) in &self.files {
            for (at, doc) in (0_u64..).zip(docs.clone()) {
                columns.record_numerical(doc, file, *id);
                columns.record_numerical(doc, chunk, at);
            }
        }
        let mut to = segment.open_write(SegmentComponent::FastFields)?;
        columns.serialize(n_docs, None, &mut to)?;
        Ok(to.terminate()?)
    }

    /// What it has taken from the system stays for what comes next.
    fn clear(&mut self) {
        for numbered in [&mut self.words, &mut self.terms] {
            numbered.clear();
        }
        self.word_terms.clear();
        self.content.clear();
        self.cut.clear();
        self.recent = Recent::default();
        for postings in [&mut self.langs, &mut self.paths, &mut self.symbols] {
            postings.clear();
        }
        self.docs.clear();
        self.files.clear();
        self.n_places = 0;
    }
}

/// `docs` may have a document several times, one after the other.
fn write_docs(to: &mut FieldSerializer<'_>, term: &[u8], docs: &[DocId], has_counts: bool) -> io::Result<()> {
    let each = || docs.chunk_by(|a, b| a == b);
    to.new_term(term, each().count() as u32, has_counts)?;
    for same in each() {
        to.write_doc(same[0], same.len() as u32, &[]);
    }
    to.close_term()
}

/// The symbols with the chunk that each belongs to: the first that holds its name. In the order of the chunks.
fn symbols_by_chunk(facts: &FileFacts) -> Vec<(usize, &syntax::Symbol)> {
    let chunk_of = |symbol: &syntax::Symbol| facts.chunks.partition_point(|chunk| chunk.end <= symbol.name_at);
    let mut symbols: Vec<_> = facts.symbols.iter().map(|symbol| (chunk_of(symbol), symbol)).collect();
    symbols.sort_by_key(|(chunk, _)| *chunk);
    symbols
}

/// Whether a word of the chunk is not known whole: it goes on beyond the chunk, or is too long.
fn cuts_word(text: &str, chunk: Range<usize>) -> bool {
    is_inside_word(text, chunk.start) || is_inside_word(text, chunk.end) || token::has_clipped_word(&text[chunk])
}

fn is_inside_word(text: &str, at: usize) -> bool {
    let (before, after) = text.split_at(at);
    before.chars().next_back().is_some_and(token::is_word_char) && after.chars().next().is_some_and(token::is_word_char)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use syntax::ChunkOptions;
    use tantivy::{
        DocSet, Index, TERMINATED, directory::RamDirectory, postings::Postings as _, schema::IndexRecordOption,
    };

    use super::*;
    use crate::text;

    /// Each term of a field with its documents, how often they have it and where.
    fn shown(index: &Index, field: Field) -> Vec<String> {
        let searcher = index.reader().unwrap().searcher();
        let mut out = Vec::new();
        for segment in searcher.segment_readers() {
            let postings = segment.inverted_index(field).unwrap();
            let mut terms = postings.terms().stream().unwrap();
            while let Some((term, info)) = terms.next() {
                let mut line = format!("{}:", String::from_utf8_lossy(term).escape_debug());
                let option = IndexRecordOption::WithFreqsAndPositions;
                let mut postings = postings.read_postings_from_terminfo(info, option).unwrap();
                while postings.doc() != TERMINATED {
                    let mut positions = Vec::new();
                    postings.positions(&mut positions);
                    line += &format!(" {}x{}{positions:?}", postings.doc(), postings.term_freq());
                    postings.advance();
                }
                out.push(line);
            }
        }
        out
    }

    fn facts(lang: &str, text: &str) -> FileFacts {
        let lang = syntax::lang_by_name(lang).unwrap();
        syntax::file_facts(lang, text, ChunkOptions { size: 100, overlap: 0 })
    }

    #[test]
    fn terms_have_documents_counts_and_positions() {
        let (schema, fields) = text::schema();
        let index = Index::create(RamDirectory::create(), schema, Default::default()).unwrap();
        let mut writer = text::writer(&index).unwrap();
        let mut segment = NewSegment::new(fields, None);
        for (file, text) in [(7, "fn get_it(it: It) {}\n"), (3, "// it, it_it\n"), (9, "")] {
            let facts = facts("rust", text);
            let (path, lang) = ("src/it.rs", "rust");
            segment.add(&NewText {
                file,
                lang,
                path,
                text,
                facts: &facts,
            });
        }
        text::prepare(&mut writer, vec![segment]).unwrap().commit().unwrap();
        expect_test::expect![[r#"
            \u{1}get: 0x1[1]
            \u{1}it: 0x1[1] 1x2[1, 1]
            \u{2}It: 0x1[3]
            \u{2}get_it: 0x1[1]
            \u{2}it_it: 1x1[1]
            fn: 0x1[0]
            getit: 0x1[1]
            it: 0x2[2, 3] 1x1[0]
            itit: 1x1[1]"#]]
        .assert_eq(&shown(&index, fields.content).join("\n"));
        expect_test::expect![[r#"
            \u{1}get: 0x1[]
            \u{1}it: 0x1[]
            \u{4}get_it#A: 0x1[]
            \u{5}function: 0x1[]
            getit: 0x1[]"#]]
        .assert_eq(&shown(&index, fields.symbol).join("\n"));
        let columns = index
            .reader()
            .unwrap()
            .searcher()
            .segment_reader(0)
            .fast_fields()
            .u64("file")
            .unwrap();
        assert_eq!([0, 1].map(|doc| columns.first(doc)), [Some(7), Some(3)]);
    }

    /// Words are looked for once a file, chunks overlap, and some begin or end inside of a word.
    #[test]
    fn chunks_have_the_words_that_their_texts_have() {
        let long = "x".repeat(300);
        let line = "let größe = parse_query(größe, HTTPServer::new(a_b));";
        let text = format!(
            "{line} {line} {long}{line}\n{line} {line}\n_ __ {long} {}\n{line}",
            "é".repeat(200)
        );
        let lang = &syntax::PLAINTEXT;
        let facts = syntax::file_facts(lang, &text, ChunkOptions { size: 100, overlap: 30 });
        let (schema, fields) = text::schema();
        let index = Index::create(RamDirectory::create(), schema, Default::default()).unwrap();
        let mut writer = text::writer(&index).unwrap();
        let mut segment = NewSegment::new(fields, None);
        let new = NewText {
            file: 1,
            lang: lang.name,
            path: "a.txt",
            text: &text,
            facts: &facts,
        };
        segment.add(&new);
        text::prepare(&mut writer, vec![segment]).unwrap().commit().unwrap();
        let mut expected: BTreeMap<String, BTreeMap<usize, Vec<u32>>> = BTreeMap::new();
        for (doc, chunk) in facts.chunks.iter().enumerate() {
            for (at, word) in (0..).zip(token::words(&text[chunk.range()])) {
                token::each_term(word, |term| {
                    expected
                        .entry(term.to_owned())
                        .or_default()
                        .entry(doc)
                        .or_default()
                        .push(at);
                });
            }
        }
        let expected = expected.into_iter().map(|(term, docs)| {
            let docs = docs.into_iter().map(|(doc, at)| format!(" {doc}x{}{at:?}", at.len()));
            format!("{}:{}", term.escape_debug(), docs.collect::<String>())
        });
        let n_cut = facts
            .chunks
            .iter()
            .filter(|chunk| cuts_word(&text, chunk.range()))
            .count();
        assert!(
            n_cut > 3 && n_cut < facts.chunks.len(),
            "{n_cut} of {}",
            facts.chunks.len()
        );
        assert_eq!(shown(&index, fields.content), expected.collect::<Vec<_>>());
    }

    /// The documents of a file as `NewSegment` has them, to be taken apart by the library.
    fn documents(new: &NewText<'_>, fields: Fields) -> Vec<TantivyDocument> {
        use tantivy::tokenizer::{PreTokenizedString, Token};
        let tokens = |terms: &mut dyn Iterator<Item = (usize, String)>| {
            let token = |(position, text)| Token {
                position,
                text,
                ..Token::default()
            };
            PreTokenizedString {
                text: String::new(),
                tokens: terms.map(token).collect(),
            }
        };
        let of_words = |text: &str| {
            let mut terms = Vec::new();
            for (at, word) in token::words(text).enumerate() {
                token::each_term(word, |term| terms.push((at, term.to_owned())));
            }
            terms
        };
        let symbols = symbols_by_chunk(new.facts);
        let document = |(at, chunk): (usize, &syntax::Chunk)| {
            let mut document = TantivyDocument::default();
            document.add_u64(fields.file, new.file);
            document.add_u64(fields.chunk, at as u64);
            document.add_pre_tokenized_text(fields.lang, tokens(&mut [(0, new.lang.to_owned())].into_iter()));
            let words = of_words(&new.text[chunk.range()]);
            document.add_pre_tokenized_text(fields.content, tokens(&mut words.into_iter()));
            if at == 0 {
                document.add_pre_tokenized_text(fields.path, tokens(&mut of_words(new.path).into_iter()));
            }
            let mut of_symbols = Vec::new();
            for (_, symbol) in symbols.iter().filter(|(chunk, _)| *chunk == at) {
                let path = new.facts.path_of(symbol);
                let owner = path.len().checked_sub(2).map(|owner| path[owner]);
                token::each_symbol_term(new.facts.name(symbol), symbol.kind, owner, |term| {
                    of_symbols.push((0, term.to_owned()));
                });
            }
            document.add_pre_tokenized_text(fields.symbol, tokens(&mut of_symbols.into_iter()));
            if cuts_word(new.text, chunk.range()) {
                document.add_bool(fields.cut, true);
            }
            document
        };
        new.facts.chunks.iter().enumerate().map(document).collect()
    }

    /// Everything that queries can read of an index, segment by segment.
    fn dumped(index: &Index, fields: Fields) -> Vec<String> {
        let mut out = Vec::new();
        for field in [
            fields.file,
            fields.lang,
            fields.content,
            fields.path,
            fields.symbol,
            fields.cut,
        ] {
            let name = index.schema().get_field_name(field).to_owned();
            out.push(name.clone());
            out.extend(shown(index, field));
            for segment in index.reader().unwrap().searcher().segment_readers() {
                let terms = segment.inverted_index(field).unwrap();
                out.push(format!(
                    "{name}: {} terms, {} tokens",
                    terms.terms().num_terms(),
                    terms.total_num_tokens()
                ));
                if index.schema().get_field_entry(field).has_fieldnorms() {
                    let norms = segment.get_fieldnorms_reader(field).unwrap();
                    let of_docs = (0..segment.max_doc()).map(|doc| norms.fieldnorm_id(doc));
                    out.push(format!("{name}: norms {:?}", of_docs.collect::<Vec<_>>()));
                }
            }
        }
        for segment in index.reader().unwrap().searcher().segment_readers() {
            let column = |name: &str| {
                let column = segment.fast_fields().u64(name).unwrap();
                (0..segment.max_doc()).map(|doc| column.first(doc)).collect::<Vec<_>>()
            };
            out.push(format!("{} of {} documents", segment.num_docs(), segment.max_doc()));
            out.push(format!("{:?} {:?}", column("file"), column("chunk")));
        }
        out
    }

    /// The fixtures of all languages, as three commits of an index whose segments are made here, and of one that the library
    /// makes of the same documents.
    #[test]
    fn segments_are_those_that_the_library_makes() {
        let dir = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../syntax/tests/fixtures");
        let mut paths: Vec<_> = std::fs::read_dir(dir)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        paths.sort();
        let file = |path: &std::path::PathBuf| {
            let text = std::fs::read_to_string(path).unwrap();
            let path = format!("src/{}", path.file_name().unwrap().to_str().unwrap());
            let lang = syntax::detect(&path, text.as_bytes());
            let facts = syntax::file_facts(lang, &text, ChunkOptions { size: 200, overlap: 20 });
            (path, lang, text, facts)
        };
        let files: Vec<_> = paths.iter().map(file).collect();
        let (schema, fields) = text::schema();
        let empty = || Index::create(RamDirectory::create(), schema.clone(), Default::default()).unwrap();
        let (own, library) = (empty(), empty());
        let mut writers = [&own, &library].map(|index| {
            let writer = text::writer(index).unwrap();
            writer.set_merge_policy(Box::new(tantivy::indexer::NoMergePolicy));
            writer
        });
        for (at, files) in files.chunks(files.len().div_ceil(3)).enumerate() {
            let mut segment = NewSegment::new(fields, None);
            for (n, (path, lang, text, facts)) in files.iter().enumerate() {
                let new = NewText {
                    file: (100 * at + n) as u64,
                    lang: lang.name,
                    path,
                    text,
                    facts,
                };
                segment.add(&new);
                for document in documents(&new, fields) {
                    writers[1].add_document(document).unwrap();
                }
            }
            text::prepare(&mut writers[0], vec![segment]).unwrap().commit().unwrap();
            writers[1].commit().unwrap();
        }
        assert_eq!(own.searchable_segment_ids().unwrap().len(), 3);
        let by_first_file = |index: &Index| {
            let mut segments: Vec<_> = index
                .reader()
                .unwrap()
                .searcher()
                .segment_readers()
                .iter()
                .map(|segment| {
                    (
                        segment.fast_fields().u64("file").unwrap().first(0),
                        segment.segment_id(),
                    )
                })
                .collect();
            segments.sort_by_key(|(file, _)| *file);
            segments.into_iter().map(|(_, id)| id).collect::<Vec<_>>()
        };
        // Segments of one index are listed in any order: their lines are compared as a set.
        let sorted = |index: &Index| {
            let mut lines = dumped(index, fields);
            lines.sort();
            lines
        };
        let (ours, theirs) = (sorted(&own), sorted(&library));
        assert!(ours.len() > 5_000, "{} lines", ours.len());
        let differ = ours.iter().zip(&theirs).find(|(ours, theirs)| ours != theirs);
        assert_eq!((ours.len(), differ), (theirs.len(), None));
        for (index, writer) in [&own, &library].into_iter().zip(&mut writers) {
            for file in [3, 101, 102, 205] {
                writer.delete_term(Term::from_field_u64(fields.file, file));
            }
            writer.commit().unwrap();
            writer.merge(&by_first_file(index)).wait().unwrap();
        }
        let (ours, theirs) = (dumped(&own, fields), dumped(&library, fields));
        assert_eq!(own.searchable_segment_ids().unwrap().len(), 1);
        let differ = ours.iter().zip(&theirs).find(|(ours, theirs)| ours != theirs);
        assert_eq!((ours.len(), differ), (theirs.len(), None));
    }
}
