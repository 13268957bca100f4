//! What is asked: words, phrases and strings drawn from the corpus, the same in every run.

use anyhow::Result;
use measure::Corpus;

/// Marsaglia's xorshift; good enough to pick lines, and needs no dependency.
pub(crate) struct XorShift(u64);

impl XorShift {
    pub fn new(seed: u64) -> XorShift {
        XorShift(0x9E37_79B9_7F4A_7C15 ^ seed)
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n.max(1) as u64) as usize
    }
}

pub struct Sampler<'c> {
    corpus: &'c Corpus,
    random: XorShift,
}

impl<'c> Sampler<'c> {
    pub fn new(corpus: &'c Corpus, seed: u64) -> Sampler<'c> {
        Sampler {
            corpus,
            random: XorShift::new(seed),
        }
    }

    fn file(&mut self) -> &'c str {
        &self.corpus.files[self.random.below(self.corpus.files.len())]
    }

    fn line(&mut self) -> Result<String> {
        let text = self.corpus.read(self.file())?;
        let lines: Vec<&str> = text.lines().collect();
        Ok(lines
            .get(self.random.below(lines.len()))
            .copied()
            .unwrap_or_default()
            .to_owned())
    }

    /// `n` words as they follow each other in some line.
    pub fn words(&mut self, n: usize) -> Result<Vec<String>> {
        loop {
            let line = self.line()?;
            let words: Vec<&str> = line.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).collect();
            let words: Vec<&str> = words.into_iter().filter(|word| is_word(word)).collect();
            if words.len() >= n {
                let from = self.random.below(words.len() - n + 1);
                return Ok(words[from..from + n].iter().map(|word| (*word).to_owned()).collect());
            }
        }
    }

    /// One to three words; every eighth query each a phrase, a conjunction and another boolean.
    pub fn keyword_query(&mut self, number: usize) -> Result<String> {
        Ok(match number % 8 {
            0 | 1 => self.words(1)?.join(" "),
            2 | 3 => self.words(2)?.join(" "),
            4 => self.words(3)?.join(" "),
            5 => format!("\"{}\"", self.words(2)?.join(" ")),
            6 => self.words(2)?.join(" AND "),
            _ => {
                let words = self.words(3)?;
                format!("({} OR {}) NOT {}", words[0], words[1], words[2])
            }
        })
    }

    /// 6 to 30 characters as they stand in some line, spaces at the ends included.
    pub fn literal(&mut self) -> Result<String> {
        loop {
            let line: Vec<char> = self.line()?.chars().collect();
            let length = 6 + self.random.below(25);
            if line.len() < length {
                continue;
            }
            let from = self.random.below(line.len() - length + 1);
            let text: String = line[from..from + length].iter().collect();
            // Rulers and indentation say little; what is not valid UTF-8 cannot be asked for.
            let n_letters = text.chars().filter(|c| c.is_alphanumeric()).count();
            if n_letters >= 3 && !text.contains(char::REPLACEMENT_CHARACTER) {
                return Ok(text);
            }
        }
    }

    /// A file of the corpus that will do.
    pub fn file_that(&mut self, will_do: impl Fn(&str) -> bool) -> &'c str {
        loop {
            let file = &self.corpus.files[self.random.below(self.corpus.files.len())];
            if will_do(file) {
                return file;
            }
        }
    }
}

fn is_word(word: &str) -> bool {
    // Longer ones are data, such as hashes, and a query has at most 500 characters.
    (3..=60).contains(&word.len())
        && word.starts_with(|c: char| c.is_ascii_alphabetic())
        && !matches!(word, "AND" | "NOT")
}
