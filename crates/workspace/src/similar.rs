//! Code that is like a piece of code.

use embed::Vector;
use index::token;
use rustc_hash::FxHashSet;
use search::{Expr, Field, Filter, FilterSpec, Leaf};
use source::LineIndex;
use syntax::{Lang, PLAINTEXT, Symbol};

use crate::{
    embedding::NoVector,
    error::{Error, QueryProblem},
    snapshot::{ChunkView, Snapshot},
};

/// Words that are looked for where there is no model; the longest tell the most.
const MAX_WORDS: usize = 60;
/// Shorter words are everywhere.
const MIN_WORD: usize = 3;
/// Chunks that are compared word by word, for each one that is wanted.
const COMPARED: usize = 5;

/// What others are compared with.
#[derive(Debug, Clone, Copy)]
pub enum SimilarTo<'a> {
    /// A piece of code, of the language if it is known, or a sentence about some.
    Text { text: &'a str, lang: Option<&'static Lang> },
    /// The function around a line, or else the chunk that it is in.
    Place { path: &'a str, line: u32 },
}

/// Chunks, the most similar first.
#[derive(Debug)]
pub struct SimilarHits {
    /// How alike they are, from 0 to 1.
    pub hits: Vec<(f32, ChunkView)>,
    /// The id of the model that found them; or why they are those with words in common.
    pub model: Result<String, NoVector>,
    /// Path and lines of the place that was asked about.
    pub asked: Option<(String, u32, u32)>,
}

/// What was asked about, found.
struct Asked<'s> {
    text: String,
    vector: Result<Vector, NoVector>,
    /// The file and which of its chunks are what was asked about.
    place: Option<(&'s index::FileRow, FxHashSet<u32>)>,
    lines: (u32, u32),
}

impl Snapshot {
    /// At most `limit` chunks that are like something, of files that the filter allows, and not of the place itself. By
    /// meaning where there is a model, else by the words that they have in common.
    pub fn find_similar(&self, to: SimilarTo<'_>, filter: &FilterSpec, limit: usize) -> Result<SimilarHits, Error> {
        let asked = match to {
            SimilarTo::Text { text, lang } => Asked {
                text: text.to_owned(),
                vector: if is_prose(text) {
                    self.embed_query(text)
                } else {
                    self.embed_code(text, lang.unwrap_or(&PLAINTEXT))
                },
                place: None,
                lines: (0, 0),
            },
            SimilarTo::Place { path, line } => self.asked_at(path, line)?,
        };
        let filter = Filter::new(&self.reader, filter);
        let (hits, model) = match &asked.vector {
            Ok(vector) => {
                let model = self.reader.vector_model().unwrap_or_default().to_owned();
                (self.by_vector(vector, &asked, &filter, limit)?, Ok(model))
            }
            Err(reason) => (self.by_words(&asked, &filter, limit)?, Err(reason.clone())),
        };
        let asked = asked
            .place
            .map(|(row, _)| (row.path.to_string(), asked.lines.0, asked.lines.1));
        Ok(SimilarHits { hits, model, asked })
    }

    fn asked_at(&self, path: &str, line: u32) -> Result<Asked<'_>, Error> {
        let row = self.indexed_row(path)?;
        let facts = self.reader.facts(row)?.ok_or(Error::Stale)?;
        let bytes = self.current_bytes(row)?;
        let text = source::decode(&bytes).ok_or(Error::Stale)?.text;
        let index = LineIndex::new(&text);
        if line == 0 || line > index.count() {
            return Err(Error::NoSuchLine {
                path: row.path.to_string(),
                line,
                count: index.count(),
            });
        }
        let at = index.span(line);
        let holds = |symbol: &&Symbol| {
            let is_function = symbol.kind.is_function() || symbol.runs();
            is_function && symbol.lead < at.end.max(at.start + 1) && at.start < symbol.span.end
        };
        // Inner symbols come after those that they are inside of.
        let function = facts.symbols.iter().rev().find(holds);
        let chunk = facts
            .chunks
            .iter()
            .find(|chunk| (chunk.first_line..=chunk.last_line).contains(&line));
        let range = match (function, chunk) {
            (Some(function), _) => function.lead..function.span.end,
            (None, Some(chunk)) => chunk.start..chunk.end,
            // An empty line, say: there is nothing to be like.
            (None, None) => at.start..at.end,
        };
        let overlaps = |n: &u32| {
            let chunk = facts.chunks[*n as usize];
            chunk.start < range.end && range.start < chunk.end
        };
        let chunks: FxHashSet<u32> = match (function, chunk) {
            (None, Some(chunk)) => (0..)
                .zip(&facts.chunks)
                .filter(|(_, one)| *one == chunk)
                .map(|(n, _)| n)
                .collect(),
            _ => (0..facts.chunks.len() as u32).filter(overlaps).collect(),
        };
        let body = text
            .get(range.start as usize..range.end as usize)
            .ok_or(Error::Stale)?
            .to_owned();
        let stored = chunks.iter().min().filter(|_| function.is_none());
        let stored = stored.and_then(|chunk| self.reader.vector_of(row.id, *chunk));
        let vector = match (function, stored) {
            (_, Some(vector)) if !vector.is_zero() => Ok(vector),
            (Some(function), _) => self.embed_body(&facts.signature(function, &text), &body),
            (None, _) => self.embed_body("", &body),
        };
        Ok(Asked {
            vector,
            lines: (index.line(range.start), index.line(range.end.max(range.start + 1) - 1)),
            text: body,
            place: Some((row, chunks)),
        })
    }

    fn by_vector(
        &self,
        vector: &Vector,
        asked: &Asked<'_>,
        filter: &Filter,
        limit: usize,
    ) -> Result<Vec<(f32, ChunkView)>, Error> {
        let own = asked.place.as_ref().map_or(0, |(_, chunks)| chunks.len());
        let found = self.reader.similar(vector, &|file| filter.allows(file), limit + own);
        let found = found
            .into_iter()
            .filter(|(file, chunk, score)| *score > 0.0 && !asked.is_at(*file, *chunk))
            .take(limit);
        found
            .map(|(file, chunk, score)| Ok((score.min(1.0), self.view(self.row(file)?, chunk, 0, 0)?)))
            .collect()
    }

    /// How alike chunks are is then the share of the words asked for that they have.
    fn by_words(&self, asked: &Asked<'_>, filter: &Filter, limit: usize) -> Result<Vec<(f32, ChunkView)>, Error> {
        let mut wanted: Vec<String> = folded_words(&asked.text).into_iter().collect();
        wanted.sort_unstable_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        wanted.truncate(MAX_WORDS);
        if wanted.is_empty() {
            return Ok(Vec::new());
        }
        let leaf = |word: &String| {
            Expr::Leaf(Leaf {
                field: Field::Content,
                text: word.clone(),
            })
        };
        let any = Expr::Or(wanted.iter().map(leaf).collect());
        let own = asked.place.as_ref().map_or(0, |(_, chunks)| chunks.len());
        let found =
            search::keyword(&self.reader, &any, filter, 0, limit * COMPARED + own).map_err(QueryProblem::from)?;
        let mut hits = Vec::new();
        for hit in found.hits.iter().filter(|hit| !asked.is_at(hit.file, hit.chunk)) {
            let view = self.view(self.row(hit.file)?, hit.chunk, 0, 0)?;
            let there = folded_words(&view.lines.join("\n"));
            let common = wanted.iter().filter(|word| there.contains(*word)).count();
            hits.push((common as f32 / wanted.len() as f32, view));
        }
        // Of equal ones the better match of the words first, as they come.
        hits.sort_by(|a, b| b.0.total_cmp(&a.0));
        hits.retain(|(score, _)| *score > 0.0);
        hits.truncate(limit);
        Ok(hits)
    }
}

impl Asked<'_> {
    fn is_at(&self, file: u64, chunk: u32) -> bool {
        let place = self.place.as_ref();
        place.is_some_and(|(row, chunks)| row.id == file && chunks.contains(&chunk))
    }
}

fn folded_words(text: &str) -> FxHashSet<String> {
    let words = token::words(text).map(token::fold);
    words.filter(|word| word.chars().count() >= MIN_WORD).collect()
}

/// Whether a text is written for people: several words, and nothing that only code has.
fn is_prose(text: &str) -> bool {
    text.split_whitespace().nth(1).is_some() && !text.contains(['{', '}', '(', ')', ';', '=', '<', '>', '[', ']', '\n'])
}
