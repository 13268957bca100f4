//! Counts the words of a question in regions of files.

use index::token;
use rustc_hash::FxHashMap;
use syntax::Symbol;

use super::{PlaceFile, region::Region};
use crate::rank::{Question, beside};

/// A region and what its text has.
pub struct Candidate<'f> {
    pub file: usize,
    pub region: Region,
    pub symbol: Option<&'f Symbol>,
    pub name: &'f str,
    /// How often it has each concept of the question.
    pub counts: Vec<f32>,
    /// Words of its text.
    pub n_words: f32,
    /// Pairs of words that stand side by side in the question and here, a bit each.
    pub pairs: u64,
    /// Names of other candidates that it mentions, as `Names` numbers them.
    pub mentions: Vec<u32>,
}

impl<'f> Candidate<'f> {
    pub fn new(file: usize, of: &PlaceFile<'f>, region: Region) -> Candidate<'f> {
        let symbol = region.symbol.map(|at| &of.facts.symbols[at]);
        Candidate {
            file,
            region,
            symbol,
            name: symbol.map_or("", |symbol| of.facts.name(symbol)),
            counts: Vec::new(),
            n_words: 0.0,
            pairs: 0,
            mentions: Vec::new(),
        }
    }
}

/// Names of candidates, to see which of them mention each other.
pub struct Names<'f> {
    ids: FxHashMap<&'f str, u32>,
    /// Which names there may be, by their ends and length: most words are none.
    may_have: [u64; 64],
    /// By number: the candidates of that name.
    pub candidates: Vec<Vec<usize>>,
}

impl<'f> Names<'f> {
    /// Shorter names are too common to say anything.
    const MIN_LENGTH: usize = 4;

    pub fn of(candidates: &[Candidate<'f>]) -> Names<'f> {
        let mut names = Names {
            ids: FxHashMap::default(),
            may_have: [0; 64],
            candidates: Vec::new(),
        };
        for (at, candidate) in candidates.iter().enumerate() {
            if candidate.name.len() >= Names::MIN_LENGTH {
                let next = names.candidates.len() as u32;
                let (word, bit) = Names::place(candidate.name);
                names.may_have[word] |= bit;
                let id = *names.ids.entry(candidate.name).or_insert(next);
                if id == next {
                    names.candidates.push(Vec::new());
                }
                names.candidates[id as usize].push(at);
            }
        }
        names
    }

    fn place(name: &str) -> (usize, u64) {
        let bytes = name.as_bytes();
        let (first, last) = (usize::from(bytes[0]), usize::from(bytes[bytes.len() - 1]));
        let hash = first * 31 + last * 7 + bytes.len() * 131;
        (hash / 64 % 64, 1 << (hash % 64))
    }

    fn find(&self, word: &str) -> Option<u32> {
        if word.len() < Names::MIN_LENGTH {
            return None;
        }
        let (at, bit) = Names::place(word);
        let may_have = self.may_have[at] & bit != 0;
        may_have.then(|| self.ids.get(word).copied()).flatten()
    }
}

struct Words<'q> {
    question: &'q Question,
    names: &'q Names<'q>,
    /// By number of a name: the last candidate that mentions it.
    mentioned_by: Vec<usize>,
    n_candidates: usize,
}

impl Words<'_> {
    /// Counts the words of a file into its candidates. Returns the concepts of each line by line number, a bit each.
    fn count(&mut self, of: &PlaceFile<'_>, candidates: &mut [Candidate<'_>]) -> Vec<u32> {
        let mut masks = vec![0; of.facts.lines.count() as usize + 2];
        for candidate in candidates {
            self.n_candidates += 1;
            candidate.counts = vec![0.0; self.question.n_concepts()];
            for line in candidate.region.first_line..=candidate.region.last_line {
                let text = &of.text[of.facts.lines.span(line).range()];
                masks[line as usize] = self.count_line(text, self.n_candidates, candidate);
            }
        }
        masks
    }

    fn count_line(&mut self, text: &str, number: usize, candidate: &mut Candidate<'_>) -> u32 {
        let (mut mask, mut before) = (0, 0);
        for word in token::words(text) {
            let found = self.question.match_word(word);
            candidate.n_words += 1.0;
            mask |= found.concepts;
            candidate.pairs |= found.pairs | self.question.pair(before, found.first);
            before = found.last;
            let mut bits = found.concepts;
            while bits != 0 {
                candidate.counts[bits.trailing_zeros() as usize] += 1.0;
                bits &= bits - 1;
            }
            if let Some(name) = self.names.find(word)
                && word != candidate.name
                && self.mentioned_by[name as usize] != number
            {
                self.mentioned_by[name as usize] = number;
                candidate.mentions.push(name);
            }
        }
        mask
    }
}

/// Counts the words of all files into their candidates, which come file by file. Returns the concepts of each line, by
/// file and line number, a bit each.
pub fn count<'t>(
    question: &Question,
    files: &[PlaceFile<'t>],
    names: &Names<'t>,
    candidates: &mut [Candidate<'_>],
) -> Vec<Vec<u32>> {
    // Two threads, with about as much text each.
    let all: usize = files.iter().map(|file| file.text.len()).sum();
    let mut seen = 0;
    let half = files.iter().position(|file| {
        seen += file.text.len();
        2 * seen >= all
    });
    let half = half.map_or(files.len(), |at| at + 1);
    let cut = candidates.partition_point(|candidate| candidate.file < half);
    let (first, second) = candidates.split_at_mut(cut);
    let some = |offset: usize, files: &[PlaceFile<'t>], mut candidates: &mut [Candidate<'_>]| -> Vec<Vec<u32>> {
        let mut words = Words {
            question,
            names,
            mentioned_by: vec![0; names.candidates.len()],
            n_candidates: 0,
        };
        let mut masks = Vec::with_capacity(files.len());
        for (file, of) in (offset..).zip(files) {
            let n = candidates.partition_point(|candidate| candidate.file <= file);
            let (own, rest) = candidates.split_at_mut(n);
            masks.push(words.count(of, own));
            candidates = rest;
        }
        masks
    };
    let (mut masks, rest) = beside(|| some(half, &files[half..], second), || some(0, &files[..half], first));
    masks.extend(rest);
    masks
}
