//! What a text asks for: its words in all their forms, and the names among them.

use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use index::{Reader, token};
use rust_stemmers::{Algorithm, Stemmer};
use rustc_hash::{FxHashMap, FxHashSet};
use tantivy::{
    DocSet, InvertedIndexReader, SegmentReader, TERMINATED, TantivyError, postings::TermInfo, schema::IndexRecordOption,
};

use crate::{
    keyword::ITEMS,
    platform::{self, Platforms},
};

/// Words of questions that say nothing about what is asked for.
const IDLE: &[&str] = &[
    "a", "about", "all", "an", "and", "any", "are", "as", "at", "be", "been", "between", "by", "can", "code", "do",
    "does", "done", "during", "each", "for", "from", "given", "has", "have", "how", "if", "in", "inside", "into", "is",
    "it", "its", "like", "me", "not", "of", "on", "one", "or", "over", "show", "so", "some", "such", "than", "that",
    "the", "their", "them", "then", "there", "these", "they", "this", "through", "to", "under", "used", "uses",
    "using", "via", "was", "were", "what", "when", "where", "whether", "which", "while", "who", "why", "will", "with",
    "within", "without", "you", "your",
];

fn is_idle(word: &str) -> bool {
    IDLE.iter().any(|idle| idle.eq_ignore_ascii_case(word))
}

/// Whether a query is a name and nothing else.
pub(super) fn is_name(text: &str) -> bool {
    let mut words = token::words(text);
    let has_words = words.next().is_some();
    let is_one = !text.trim().contains(char::is_whitespace) && !text.contains('/');
    has_words && (is_one || words.next().is_none())
}

/// Words that ask for what would be in the way otherwise.
const TESTS: &[&str] = &[
    "test", "tests", "testing", "spec", "specs", "fixture", "fixtures", "mock", "mocks",
];
/// Before `tests` these say what something is for: a server used in tests is none.
const PURPOSE: &[&str] = &["by", "during", "for", "from", "in", "inside", "within"];
/// Between such a word and `tests`.
const OF_TESTS: &[&str] = &["all", "automated", "integration", "my", "other", "the", "unit"];
const BESIDE: &[&str] = &[
    "example",
    "examples",
    "benchmark",
    "benchmarks",
    "bench",
    "doc",
    "docs",
    "documentation",
    "readme",
    "changelog",
    "sample",
    "samples",
    "demo",
    "script",
    "scripts",
    "config",
    "configuration",
    "vendor",
    "vendored",
];

const OLD: &[&str] = &[
    "compat",
    "compatibility",
    "deprecated",
    "deprecation",
    "legacy",
    "obsolete",
    "old",
];

/// A query has so many words that matter; the rest is not looked for.
pub(super) const MAX_CONCEPTS: usize = 16;

/// See `Question::weight_of_places`.
const FEW_WORDS: f32 = 8.0;
const MANY_WORDS: f32 = 16.0;

/// A word that is written as one with another has so many letters.
const MIN_PART: usize = 3;

/// So many words have initials that people use for them: `append only file`, `aof`.
const INITIALS: std::ops::RangeInclusive<usize> = 3..=6;

/// A word in all its forms.
pub(super) struct Concept {
    pub stem: String,
    /// How much it says that something has it; known once it was looked for.
    pub idf: f32,
    /// The terms of its forms, by segment.
    pub terms: Vec<Terms>,
    /// A compound name, of which the parts are concepts too.
    pub is_whole: bool,
    /// The forms of the word that files have.
    forms: Vec<String>,
}

#[derive(Default)]
pub(super) struct Terms {
    pub content: Vec<TermInfo>,
    pub symbol: Vec<TermInfo>,
    pub path: Vec<TermInfo>,
}

/// The words of a segment, by field.
struct Dictionaries<'r> {
    segment: &'r SegmentReader,
    content: Arc<InvertedIndexReader>,
    symbol: Arc<InvertedIndexReader>,
    path: Arc<InvertedIndexReader>,
}

impl Dictionaries<'_> {
    fn of(reader: &Reader) -> Result<Vec<Dictionaries<'_>>, TantivyError> {
        let fields = reader.fields();
        let segments = reader.searcher().segment_readers().iter();
        let of_segment = |segment| {
            Ok(Dictionaries {
                segment,
                content: segment.inverted_index(fields.content)?,
                symbol: segment.inverted_index(fields.symbol)?,
                path: segment.inverted_index(fields.path)?,
            })
        };
        segments.map(of_segment).collect()
    }
}

/// The concepts that a word of a path has, and how much: two where two words were written as one, `threadpool`.
type Alike = [Option<(usize, f32)>; 2];

/// A parsed question.
pub struct Question {
    pub(super) concepts: Vec<Concept>,
    /// All that the concepts say.
    pub(super) weight: f32,
    /// Terms of definitions that have a name of the query, by segment, with how much that counts.
    pub(super) names: Vec<Vec<(f32, TermInfo)>>,
    /// Terms of the names in this very spelling, by segment.
    pub(super) spelled: Vec<Vec<TermInfo>>,
    /// Terms of definitions that are named by words side by side: `json element`, `JsonElement`.
    pub(super) phrases: Vec<Vec<(f32, TermInfo)>>,
    pub(super) asks_tests: bool,
    /// And not only for what serves them.
    pub(super) means_tests: bool,
    pub(super) asks_beside: bool,
    /// For what is on its way out.
    pub(super) asks_old: bool,
    /// The operating systems that it names.
    platforms: Platforms,
    /// The number of a version that it names, `v3`.
    pub(super) version: Option<u32>,
    /// The query is a name and nothing else.
    pub(super) is_name: bool,
    /// That name is one word of several parts.
    pub(super) is_compound: bool,
    /// A word of it is nowhere.
    lacks_part: bool,
    /// Folded.
    last_word: Option<String>,
    /// Identifiers in it, as written.
    identifiers: FxHashSet<String>,
    /// Compound names in it that no file has.
    unknown_names: Vec<String>,
    /// Concepts of words side by side.
    pairs: Vec<(u8, u8)>,
    /// The concepts of its first words, a bit each: a title comes first.
    title: u32,
    n_words: usize,
    /// Concepts by the forms of their words.
    by_form: Forms,
    /// Initials of words side by side, with their concepts.
    initials: Vec<(String, Vec<usize>)>,
    stemmer: Stemmer,
}

impl Question {
    pub fn new(reader: &Reader, text: &str) -> Result<Question, TantivyError> {
        let stemmer = Stemmer::create(Algorithm::English);
        let words: Vec<&str> = token::words(text).collect();
        // Each word once, and the parts of a compound one besides the whole.
        let mut singles: Vec<(String, bool, &str)> = Vec::new();
        let has_content = words.iter().any(|word| !is_idle(word));
        for word in &words {
            if has_content && is_idle(word) {
                continue;
            }
            let parts: Vec<&str> = token::parts(word).collect();
            if parts.len() > 1 {
                singles.push((token::fold(word), true, word));
            }
            singles.extend(parts.iter().map(|part| (token::fold(part), false, *part)));
        }
        let segments = Dictionaries::of(reader)?;
        let mut concepts: Vec<Concept> = Vec::new();
        let (mut lacks_part, mut unknown_names) = (false, Vec::new());
        for (word, is_whole, written) in singles {
            let stem = stemmer.stem(&word).into_owned();
            if word.is_empty() || concepts.len() == MAX_CONCEPTS || concepts.iter().any(|known| known.stem == stem) {
                continue;
            }
            let concept = Concept::new(&segments, &stemmer, &word, stem, is_whole)?;
            lacks_part |= concept.is_none() && !is_whole;
            if concept.is_none() && is_whole {
                unknown_names.push(written.to_owned());
            }
            concepts.extend(concept);
        }
        let asks = |any: &[&str]| has_any(words.iter().copied(), any);
        let mut question = Question {
            concepts,
            weight: 0.0,
            names: Vec::new(),
            spelled: Vec::new(),
            phrases: Vec::new(),
            asks_tests: asks(TESTS),
            means_tests: means_tests(&words),
            asks_beside: asks(BESIDE),
            asks_old: asks(OLD),
            platforms: platform::of_question(words.iter().copied()),
            version: words
                .iter()
                .find_map(|word| word.strip_prefix(['v', 'V'])?.parse().ok()),
            is_name: is_name(text),
            is_compound: matches!(words[..], [word] if token::parts(word).nth(1).is_some()),
            lacks_part,
            last_word: words.last().map(|word| token::fold(word)),
            identifiers: FxHashSet::default(),
            unknown_names,
            by_form: Forms::default(),
            pairs: Vec::new(),
            title: 0,
            n_words: words.iter().collect::<FxHashSet<_>>().len(),
            initials: Vec::new(),
            stemmer,
        };
        for (at, concept) in question.concepts.iter_mut().enumerate() {
            let forms = std::mem::take(&mut concept.forms);
            forms.iter().for_each(|form| question.by_form.insert(form, at));
        }
        question.find_pairs(&words);
        question.find_initials(&words);
        question.find_names(&segments, text, &words)?;
        question.find_phrases(&segments, &words)?;
        Ok(question)
    }

    /// Whether what has some concepts, a bit each, has what a name means: the whole of it, or all its parts.
    pub fn is_named(&self) -> impl Fn(u32) -> bool {
        let of = |is_whole: bool| {
            let concepts = self.concepts.iter().enumerate();
            let which = concepts.filter(|(_, one)| one.is_whole == is_whole);
            which.fold(0, |bits, (at, _)| bits | 1 << at)
        };
        let (whole, parts, lacks_part) = (of(true), of(false), self.lacks_part);
        move |has| has & whole != 0 || (!lacks_part && has & parts == parts)
    }

    pub fn n_concepts(&self) -> usize {
        self.concepts.len()
    }

    /// What each concept says: how rare it is.
    pub fn weights(&self) -> impl Iterator<Item = f32> {
        self.concepts.iter().map(|concept| concept.idf)
    }

    /// What all of them say together.
    pub fn weight(&self) -> f32 {
        self.weight.max(f32::MIN_POSITIVE)
    }

    /// The share of the whole that some concepts say, a bit each.
    pub fn weight_of(&self, mask: u32) -> f32 {
        let has = |at: usize| mask & (1 << at) != 0;
        let known = self.concepts.iter().enumerate().filter(|(at, _)| has(*at));
        known.map(|(_, concept)| concept.idf).sum::<f32>() / self.weight()
    }

    /// The concepts that a word is a form of, or that its parts are. For texts of megabytes: nothing is allocated.
    pub(crate) fn match_word(&self, word: &str) -> WordMatch {
        let whole = self.by_form.find(word).map_or(0, |at| 1 << at);
        if !token::has_parts(word) {
            return WordMatch {
                concepts: whole,
                first: whole,
                last: whole,
                pairs: 0,
            };
        }
        let mut found = WordMatch {
            concepts: whole,
            ..WordMatch::default()
        };
        for (at, part) in token::parts(word).enumerate() {
            let concept = self.by_form.find(part).filter(|at| !self.concepts[*at].is_whole);
            let part = concept.map_or(0, |at| 1 << at);
            match at {
                0 => found.first = part,
                _ => found.pairs |= self.pair(found.last, part),
            }
            found.last = part;
            found.concepts |= part;
        }
        found
    }

    /// Whether it has a word as an identifier, written like this.
    pub fn has_identifier(&self, word: &str) -> bool {
        self.identifiers.contains(word)
    }

    /// Compound names in it that no file has, as written.
    pub fn unknown_names(&self) -> &[String] {
        &self.unknown_names
    }

    pub(crate) fn platforms(&self) -> Platforms {
        self.platforms
    }

    pub fn asks_tests(&self) -> bool {
        self.asks_tests
    }

    /// Whether all that it asks for is this name: `Cache::get` asks for `get`.
    pub(crate) fn is_name_of(&self, name: &str) -> bool {
        self.is_name && !name.is_empty() && self.last_word.as_deref() == Some(token::fold(name).as_str())
    }

    /// Whether a name or a part of it is a word of the question in some form.
    pub(crate) fn has_word_of(&self, name: &str) -> bool {
        token::words(name).any(|word| self.match_word(word).concepts != 0)
    }

    /// The share of the question that the words of a name are.
    pub fn weight_of_name(&self, name: &str) -> f32 {
        let concepts = token::words(name).map(|word| self.match_word(word).concepts);
        self.weight_of(concepts.fold(0, |all, one| all | one))
    }

    /// How much of the question a name is, and how much of the name the question has.
    pub(crate) fn agreement_of_name(&self, known: &mut Known, name: &str, counts: &[f32]) -> (f32, f32) {
        self.agreement(known, token::words(name).flat_map(token::parts), counts)
    }

    /// Sums up what the concepts say.
    pub fn weigh(&mut self) {
        self.weight = self.concepts.iter().map(|concept| concept.idf).sum();
    }

    /// So many words are taken for a title.
    const TITLE_WORDS: usize = 8;

    /// Which concepts stand side by side, and which the question begins with.
    fn find_pairs(&mut self, words: &[&str]) {
        let mut last: Option<u8> = None;
        for (n, word) in words.iter().filter(|word| !is_idle(word)).enumerate() {
            for part in token::parts(word) {
                let found = self.by_form.find(part);
                if let Some(at) = found
                    && n < Question::TITLE_WORDS
                {
                    self.title |= 1 << at;
                }
                let found = found.map(|at| at as u8);
                if let (Some(one), Some(other)) = (last, found)
                    && one != other
                    && !self.pairs.contains(&(one, other))
                    && self.pairs.len() < u64::BITS as usize
                {
                    self.pairs.push((one, other));
                }
                last = found;
            }
        }
    }

    /// The pair that two concepts are, as a bit; none if either is empty.
    pub(crate) fn pair(&self, one: u32, other: u32) -> u64 {
        if one == 0 || other == 0 {
            return 0;
        }
        let is = |mask: u32, at: u8| mask == 1 << at;
        let found = self.pairs.iter().position(|(a, b)| is(one, *a) && is(other, *b));
        found.map_or(0, |at| 1 << at)
    }

    /// The share of all pairs that some have, a bit each.
    pub(crate) fn weight_of_pairs(&self, found: u64) -> f32 {
        let idf = |at: u8| self.concepts[usize::from(at)].idf;
        let all: f32 = self.pairs.iter().map(|(a, b)| idf(*a) + idf(*b)).sum();
        let has = self.pairs.iter().enumerate().filter(|(at, _)| found & (1 << at) != 0);
        has.map(|(_, (a, b))| idf(*a) + idf(*b)).sum::<f32>() / all.max(f32::MIN_POSITIVE)
    }

    /// The concepts of its first words, a bit each.
    pub(crate) fn title(&self) -> u32 {
        self.title
    }

    /// How much the places of a file decide next to the file's own score, from 0 to 1. A question of few words is about a
    /// file: its name, what it defines. One of many describes a change.
    pub(crate) fn weight_of_places(&self) -> f32 {
        ((self.n_words as f32 - FEW_WORDS) / (MANY_WORDS - FEW_WORDS)).clamp(0.0, 1.0)
    }

    fn find_initials(&mut self, words: &[&str]) {
        let concept = |word: &&&str| {
            let stem = self.stemmer.stem(&token::fold(word)).into_owned();
            self.concepts.iter().position(|concept| concept.stem == stem)
        };
        let mut initials = Vec::new();
        for n in INITIALS {
            for side_by_side in words.windows(n) {
                let content: Vec<&&str> = side_by_side.iter().filter(|word| !is_idle(word)).collect();
                let concepts: Option<Vec<usize>> = content.iter().map(concept).collect();
                if !is_idle(side_by_side[0])
                    && !is_idle(side_by_side[n - 1])
                    && let Some(concepts) = concepts
                {
                    let firsts = side_by_side.iter().filter_map(|word| word.chars().next());
                    initials.push((token::fold(&firsts.collect::<String>()), concepts));
                }
            }
        }
        self.initials = initials;
    }

    /// Two or three words side by side, the last one in the singular too.
    fn find_phrases(&mut self, segments: &[Dictionaries<'_>], words: &[&str]) -> Result<(), TantivyError> {
        let mut phrases: Vec<(f32, String)> = Vec::new();
        for n in [2, 3] {
            for phrase in words
                .windows(n)
                .filter(|phrase| !is_idle(phrase[0]) && !is_idle(phrase[n - 1]))
            {
                let weight = if n == 2 { 0.7 } else { 1.0 };
                let joined: String = phrase.iter().map(|word| token::fold(word)).collect();
                let single = joined
                    .strip_suffix("es")
                    .or(joined.strip_suffix('s'))
                    .map(str::to_owned);
                let plain = joined.strip_suffix('s').map(str::to_owned);
                phrases.extend(
                    [Some(joined), single, plain]
                        .into_iter()
                        .flatten()
                        .map(|name| (weight, name)),
                );
            }
        }
        phrases.sort_by(|a, b| a.1.cmp(&b.1));
        phrases.dedup_by(|a, b| a.1 == b.1);
        for segment in segments {
            let mut found = Vec::new();
            for (weight, name) in &phrases {
                found.extend(segment.symbol.terms().get(name)?.map(|info| (*weight, info)));
            }
            self.phrases.push(found);
        }
        Ok(())
    }

    /// Names are words that nobody would write in a sentence: `parse_query`, `HandlerStack`, or the whole query.
    fn find_names(&mut self, segments: &[Dictionaries<'_>], text: &str, words: &[&str]) -> Result<(), TantivyError> {
        let last = words.last().copied();
        let is_name = |at: usize, word: &str| {
            let compound = token::parts(word).nth(1).is_some() || word.contains('_');
            let capital = word.starts_with(char::is_uppercase) && at > 0;
            compound || capital || (self.is_name && Some(word) == last)
        };
        let names: Vec<&str> = words
            .iter()
            .enumerate()
            .filter(|(at, word)| is_name(*at, word))
            .flat_map(|(_, word)| [Some(*word), with_sign(text, word)])
            .flatten()
            .collect();
        self.identifiers = names.iter().map(|name| (*name).to_owned()).collect();
        for segment in segments {
            let symbols = segment.symbol.terms();
            let mut found = Vec::new();
            for name in &names {
                for kind in ITEMS {
                    let term = token::named_term(name, *kind);
                    found.extend(symbols.get(term)?.map(|info| (1.0, info)));
                }
                // In another spelling, or a lesser thing; but what is short for words is not what has its letters.
                let is_short = !self.is_name && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit());
                if !is_short {
                    found.extend(symbols.get(token::fold(name))?.map(|info| (0.5, info)));
                }
            }
            self.names.push(found);
            let mut spelled = Vec::new();
            for name in &names {
                spelled.extend(segment.content.terms().get(token::cased_term(name))?);
            }
            self.spelled.push(spelled);
        }
        Ok(())
    }

    /// The concept that a word is a form of, and how much.
    fn most_alike(&self, word: &str) -> Alike {
        let folded = token::fold(word);
        // A stem begins as its word does: most words are told apart by that.
        let first = folded.chars().next();
        let begins = |concept: &Concept| first.is_some_and(|first| concept.stem.starts_with(first));
        if !self.concepts.iter().any(begins) {
            return [None, None];
        }
        let stem = self.stemmer.stem(&folded);
        let alike = self.concepts.iter().map(|concept| likeness(&concept.stem, &stem));
        let best = alike.enumerate().max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
        match best.filter(|(_, likeness)| *likeness > 0.0) {
            Some((_, 1.0)) => [best, None],
            best => self
                .two_in_one(&folded)
                .map_or([best, None], |both| both.map(|at| Some((at, 1.0)))),
        }
    }

    /// The concepts of two words that a word is made of.
    fn two_in_one(&self, word: &str) -> Option<[usize; 2]> {
        let is_form =
            |at: usize, part: &str| !self.concepts[at].is_whole && self.stemmer.stem(part) == self.concepts[at].stem;
        for (at, concept) in self.concepts.iter().enumerate() {
            // What a stem ends with may be another letter in the word: `polici`, `policy`.
            let begin = concept.stem.strip_suffix('i').unwrap_or(&concept.stem);
            if begin.len() < MIN_PART || !word.starts_with(begin) {
                continue;
            }
            for cut in begin.len()..=word.len().saturating_sub(MIN_PART) {
                let Some((_, other)) = word.split_at_checked(cut).filter(|(one, _)| is_form(at, one)) else {
                    continue;
                };
                let second = (0..self.concepts.len()).find(|second| *second != at && is_form(*second, other));
                if let Some(second) = second {
                    return Some([at, second]);
                }
            }
        }
        None
    }

    /// How much of what is asked for some words are, and how much of the words is asked for. `counts` tells how often each
    /// concept is in what has that name.
    pub fn agreement<'w>(&self, known: &mut Known, words: impl Iterator<Item = &'w str>, counts: &[f32]) -> (f32, f32) {
        let mut hit = [0.0f32; MAX_CONCEPTS];
        let (mut matching, mut all) = (0.0, 0.0);
        for word in words {
            let alike = match known.get(word) {
                Some(alike) => *alike,
                None => {
                    let alike = self.most_alike(word);
                    known.insert(word.to_owned(), alike);
                    alike
                }
            };
            all += if alike[1].is_some() { 2.0 } else { 1.0 };
            for (at, likeness) in alike.into_iter().flatten() {
                hit[at] = hit[at].max(likeness);
                matching += likeness;
            }
            let is_short_for = |(initials, concepts): &&(String, Vec<usize>)| {
                initials.eq_ignore_ascii_case(word) && concepts.iter().all(|at| counts[*at] > 0.0)
            };
            if let Some((_, concepts)) = self.initials.iter().find(is_short_for) {
                concepts.iter().for_each(|at| hit[*at] = 1.0);
                matching += 1.0;
            }
        }
        let covered: f32 = self.concepts.iter().zip(&hit).map(|(one, hit)| one.idf * hit).sum();
        let precision = if all == 0.0 { 0.0 } else { matching / all };
        (covered / self.weight.max(f32::MIN_POSITIVE), precision)
    }
}

/// What a word of a text has of a question: concepts and pairs, a bit each.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct WordMatch {
    pub concepts: u32,
    /// The concept of its first part and of its last.
    pub first: u32,
    pub last: u32,
    /// Pairs of the question inside of it.
    pub pairs: u64,
}

/// Concepts by the forms of their words, found without folding a word into memory: by a hash of its folded form.
#[derive(Default)]
struct Forms {
    by_hash: FxHashMap<u64, usize>,
    /// Which hashes there may be, by their lowest bits: most words are of no concept.
    may_have: [u64; Forms::WORDS],
}

impl Forms {
    const WORDS: usize = 16;

    fn insert(&mut self, form: &str, concept: usize) {
        let hash = token::fold_hash(form);
        self.may_have[hash as usize / 64 % Forms::WORDS] |= 1 << (hash % 64);
        self.by_hash.insert(hash, concept);
    }

    fn find(&self, word: &str) -> Option<usize> {
        let hash = token::fold_hash(word);
        let may_have = self.may_have[hash as usize / 64 % Forms::WORDS] & (1 << (hash % 64)) != 0;
        may_have.then(|| self.by_hash.get(&hash).copied()).flatten()
    }
}

/// The concepts that words of names are most like: names have the same words again and again.
pub type Known = FxHashMap<String, Alike>;

/// A name with the sign behind it that is a part of it in some languages: `empty?`, `save!`, `fold'`.
fn with_sign<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let begins = text.find(word)?;
    let ends = begins + word.len();
    let is_sign = matches!(text.as_bytes().get(ends), Some(b'?' | b'!' | b'\''));
    is_sign.then(|| &text[begins..=ends])
}

fn has_any<'w>(mut words: impl Iterator<Item = &'w str>, any: &[&str]) -> bool {
    words.any(|word| any.iter().any(|one| one.eq_ignore_ascii_case(word)))
}

/// Whether a text asks for tests, or for what serves them.
pub fn asks_tests(text: &str) -> bool {
    has_any(token::words(text), TESTS)
}

/// Whether words ask for tests, and not for what serves these.
fn means_tests(words: &[&str]) -> bool {
    let is = |any: &[&str], word: &str| any.iter().any(|one| one.eq_ignore_ascii_case(word));
    words.iter().enumerate().any(|(at, word)| {
        let before = words[..at].iter().rev().find(|before| !is(OF_TESTS, before));
        is(&["test", "tests", "testing"], word) && !before.is_some_and(|before| is(PURPOSE, before))
    })
}

/// Whether two stems are of one word: the same, or one short for the other, as `impl` is for `implement`.
fn likeness(one: &str, other: &str) -> f32 {
    let (short, long) = if one.len() < other.len() {
        (one, other)
    } else {
        (other, one)
    };
    match long.strip_prefix(short) {
        Some("") => 1.0,
        Some(_) if short.len() > 3 => 0.7,
        _ => 0.0,
    }
}

impl Concept {
    /// `None` if no file has the word in any form.
    fn new(
        segments: &[Dictionaries<'_>],
        stemmer: &Stemmer,
        word: &str,
        stem: String,
        is_whole: bool,
    ) -> Result<Option<Concept>, TantivyError> {
        let mut terms: Vec<Terms> = Vec::new();
        terms.resize_with(segments.len(), Terms::default);
        let (mut is_known, mut forms) = (false, Vec::new());
        let others = known_forms(stemmer, word, &stem);
        for (at, form) in std::iter::once(word)
            .chain(others.iter().map(String::as_str))
            .enumerate()
        {
            let mut is_there = false;
            for (segment, terms) in segments.iter().zip(&mut terms) {
                let fields = [(&segment.content, &mut terms.content), (&segment.path, &mut terms.path)];
                for (inverted, terms) in fields {
                    let found = inverted.terms().get(form)?;
                    is_there = is_there || is_alive(segment.segment, inverted, found.as_slice())?;
                    terms.extend(found);
                }
            }
            // Nobody writes it, unless it is the word itself: then it is no part of a name either.
            if at > 0 && !is_there {
                continue;
            }
            is_known |= is_there;
            forms.push(form.to_owned());
            for (segment, terms) in segments.iter().zip(&mut terms) {
                terms.symbol.extend(segment.symbol.terms().get(form)?);
                if is_whole {
                    continue;
                }
                let part = token::part_term(form);
                let all = [
                    (&segment.content, &mut terms.content),
                    (&segment.symbol, &mut terms.symbol),
                    (&segment.path, &mut terms.path),
                ];
                for (inverted, terms) in all {
                    terms.extend(inverted.terms().get(&part)?);
                }
            }
        }
        for (segment, of) in segments.iter().zip(&terms) {
            is_known = is_known
                || is_alive(segment.segment, &segment.content, &of.content)?
                || is_alive(segment.segment, &segment.path, &of.path)?;
        }
        Ok(is_known.then_some(Concept {
            stem,
            idf: 0.0,
            terms,
            is_whole,
            forms,
        }))
    }
}

/// Whether a document that is still there has one of the terms.
fn is_alive(segment: &SegmentReader, inverted: &InvertedIndexReader, terms: &[TermInfo]) -> Result<bool, TantivyError> {
    let Some(alive) = segment.alive_bitset() else {
        return Ok(!terms.is_empty());
    };
    for term in terms {
        let mut postings = inverted.read_postings_from_terminfo(term, IndexRecordOption::Basic)?;
        while postings.doc() != TERMINATED {
            if alive.is_alive(postings.doc()) {
                return Ok(true);
            }
            postings.advance();
        }
    }
    Ok(false)
}

/// Endings of English words; what a stem and one of them make is a form of the word if its stem is that stem.
const ENDINGS: &str = "|e|s|es|d|ed|ing|ings|er|ers|or|ors|y|ies|ied|ion|ions|ation|ations|ment|ments|able|ive|al|ly";

/// The other forms of words that were asked for: people ask about the same things again and again.
static KNOWN_FORMS: LazyLock<Mutex<FxHashMap<String, Arc<[String]>>>> = LazyLock::new(Mutex::default);
const MAX_KNOWN: usize = 4096;

fn known_forms(stemmer: &Stemmer, word: &str, stem: &str) -> Arc<[String]> {
    let lock = || KNOWN_FORMS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = lock().get(word) {
        return known.clone();
    }
    let forms: Arc<[String]> = other_forms(stemmer, word, stem).into();
    let mut known = lock();
    if known.len() >= MAX_KNOWN {
        known.clear();
    }
    known.insert(word.to_owned(), forms.clone());
    forms
}

/// Other forms of a word. They follow from the word alone, so that the same question means the same in every index.
fn other_forms(stemmer: &Stemmer, word: &str, stem: &str) -> Vec<String> {
    let mut forms = Vec::new();
    if word.len() < 4 || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return forms;
    }
    // `policy` has the stem `polici`, and `running` doubles the end of its own.
    let doubled = stem.chars().last().map(|last| format!("{stem}{last}"));
    let bases = [
        Some(stem.to_owned()),
        stem.strip_suffix('i').map(str::to_owned),
        doubled,
    ];
    for base in bases.into_iter().flatten() {
        for ending in ENDINGS.split('|') {
            let form = format!("{base}{ending}");
            if form != word && stemmer.stem(&form) == stem && !forms.contains(&form) {
                forms.push(form);
            }
        }
    }
    forms
}
