//! Code that is like a piece of code.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use embed::{Model, Vector};
use index::{FileRow, Near, file_words, token};
use rustc_hash::{FxHashMap, FxHashSet};
use search::{Expr, Filter, FilterSpec, Leaf};
use source::LineIndex;
use syntax::{ChunkOptions, FileFacts, Lang, Symbol, file_facts, lang_by_name};
use workspace::{Embedding, Error, NoVector, QueryProblem};

use crate::{
    chunk_view::{ChunkView, qualified, symbol_of},
    snapshot::Snapshot,
};

/// Words that are looked for where there is no model; the longest tell the most.
const MAX_WORDS: usize = 60;
/// Shorter words are everywhere.
const MIN_WORD: usize = 3;
/// Chunks that are compared word by word, for each one that is wanted.
const COMPARED: usize = 5;
/// Passages that are looked into, for each part that is wanted and at the least.
const PASSAGES: usize = 4;
const FEWEST: usize = 60;

/// What others are compared with.
#[derive(Debug, Clone, Copy)]
pub enum SimilarTo<'a> {
    /// A piece of code, or a sentence about some.
    Text { text: &'a str },
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
struct SymbolLocator<'s> {
    text: String,
    is_prose: bool,
    vector: Result<Vector, NoVector>,
    place: Option<Place<'s>>,
}

/// A place in a file that was asked about.
struct Place<'s> {
    row: &'s FileRow,
    part: Part,
    chunks: FxHashSet<u32>,
    lines: (u32, u32),
}

impl Snapshot {
    /// At most `limit` chunks that are like something, of files that the filter allows, and not of the place itself. By
    /// meaning where there is a model, else by the words that they have in common.
    pub fn find_similar(&self, to: SimilarTo<'_>, filter: &FilterSpec, limit: usize) -> Result<SimilarHits, Error> {
        let asked = match to {
            SimilarTo::Text { text } => SymbolLocator {
                text: text.to_owned(),
                is_prose: is_prose(text),
                vector: match is_prose(text) {
                    true => self.embed_query(text),
                    false => self.embed_code(text, self.lang_of_snippet(text)),
                },
                place: None,
            },
            SimilarTo::Place { path, line } => self.asked_at(path, line)?,
        };
        let filter = Filter::new(self.reader(), filter);
        let (hits, model) = match &asked.vector {
            Ok(vector) => {
                let model = self.reader().vector_model().unwrap_or_default().to_owned();
                (self.by_vector(vector, &asked, &filter, limit)?, Ok(model))
            }
            Err(reason) => (self.by_words(&asked, &filter, limit)?, Err(reason.clone())),
        };
        let asked = asked
            .place
            .map(|place| (place.row.path.to_string(), place.lines.0, place.lines.1));
        Ok(SimilarHits { hits, model, asked })
    }

    /// The language of a piece of code: of those in the index the one whose grammar finds most definitions in it. It does not
    /// depend on which files are looked at, so that a filter leaves scores as they are. `None` if it defines nothing.
    fn lang_of_snippet(&self, code: &str) -> Option<&'static Lang> {
        let mut files: BTreeMap<&'static str, usize> = BTreeMap::new();
        for row in self.reader().files().indexed() {
            *files.entry(row.lang).or_default() += 1;
        }
        let options = ChunkOptions {
            size: u32::try_from(code.len()).unwrap_or(u32::MAX).max(1),
            overlap: 0,
        };
        let langs = files
            .into_iter()
            .filter_map(|(name, files)| Some((lang_by_name(name)?, files)));
        let parsed = langs
            .filter(|(lang, _)| lang.has_symbols())
            .filter_map(|(lang, files)| {
                let facts = file_facts(lang, code, options);
                let is_definition = |symbol: &&Symbol| symbol.kind.is_function() || symbol.kind.is_type();
                let definitions = facts.symbols.iter().filter(is_definition).count();
                let names = facts.references.len() + facts.bindings.len();
                (definitions > 0).then_some(((definitions, names, files), lang))
            });
        parsed.max_by_key(|(found, _)| *found).map(|(_, lang)| lang)
    }

    fn asked_at(&self, path: &str, line: u32) -> Result<SymbolLocator<'_>, Error> {
        let row = self.indexed_row_ending(path)?;
        let facts = self.reader().facts(row)?.ok_or(Error::Stale)?;
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
        // The built-in model has one for neighbours together, and is quick enough to be asked about this one alone.
        let is_own = function.is_none() && !matches!(self.workspace().embedding(), Embedding::On(_));
        let stored = chunks.iter().min().filter(|_| is_own);
        let stored = stored.and_then(|chunk| self.reader().vector_of(row.id, *chunk));
        let vector = match (function, stored) {
            (_, Some(vector)) if !vector.is_zero() => Ok(vector),
            (Some(function), _) => self.embed_body(&facts.signature(function, &text), &body),
            (None, _) => self.embed_body("", &body),
        };
        Ok(SymbolLocator {
            vector,
            is_prose: false,
            text: body,
            place: Some(Place {
                row,
                part: Part {
                    start: range.start,
                    end: range.end,
                    function: None,
                },
                chunks,
                lines: (index.line(range.start), index.line(range.end.max(range.start + 1) - 1)),
            }),
        })
    }

    fn by_vector(
        &self,
        vector: &Vector,
        asked: &SymbolLocator<'_>,
        filter: &Filter,
        limit: usize,
    ) -> Result<Vec<(f32, ChunkView)>, Error> {
        let allowed = |file: u64| filter.allows(file);
        if let Embedding::On(model) = self.workspace().embedding() {
            let near = self.reader().similar(vector, &allowed, FEWEST + limit * PASSAGES);
            return self.by_parts(vector, asked, model, near, limit);
        }
        let own = asked.place.as_ref().map_or(0, |place| place.chunks.len());
        let near = self.reader().similar(vector, &allowed, limit + own);
        let is_asked = |near: &Near| near.chunks.clone().any(|chunk| asked.has_chunk(near.file, chunk));
        let near = near.into_iter().filter(|near| near.score > 0.0 && !is_asked(near));
        near.take(limit)
            .map(|near| {
                let view = self.view(self.row(near.file)?, near.chunks.start, 0)?;
                Ok((near.score.min(1.0), view))
            })
            .collect()
    }

    /// A passage may hold more than what was asked for, or less: the functions in it are compared, and what is outside of any.
    fn by_parts(
        &self,
        vector: &Vector,
        asked: &SymbolLocator<'_>,
        model: &Model,
        near: Vec<Near>,
        limit: usize,
    ) -> Result<Vec<(f32, ChunkView)>, Error> {
        let mut by_file: BTreeMap<&str, (&FileRow, Vec<Range<u32>>)> = BTreeMap::new();
        for near in near.into_iter().filter(|near| near.score > 0.0) {
            let row = self.row(near.file)?;
            by_file
                .entry(&row.path)
                .or_insert((row, Vec::new()))
                .1
                .push(near.chunks);
        }
        let mut encoder = model.encoder();
        let mut found: Vec<(f32, &str, Part)> = Vec::new();
        let mut texts: FxHashMap<&str, (FileFacts, String)> = FxHashMap::default();
        for (path, (row, passages)) in &by_file {
            let facts = self.reader().definitions(row)?.ok_or(Error::Stale)?;
            let text = source::decode(&self.current_bytes(row)?)
                .ok_or(Error::Stale)?
                .text
                .into_owned();
            let mut parts: BTreeSet<Part> = BTreeSet::new();
            for passage in passages {
                parts.extend(parts_of(&facts, passage));
            }
            for part in parts.into_iter().filter(|part| !asked.overlaps(row.id, part)) {
                let body = text.get(part.start as usize..part.end as usize).ok_or(Error::Stale)?;
                let signature = part.function.map_or("", |at| {
                    text.get(facts.symbols[at].signature.range()).unwrap_or_default()
                });
                // What a file is called tells a sentence more than it tells a piece of code, which is not called anything.
                let head = match asked.is_prose {
                    true => format!("{} {signature}", file_words(path)),
                    false => signature.to_owned(),
                };
                let score = vector.cosine(&encoder.code(&head, body));
                if score > 0.0 {
                    found.push((score.min(1.0), path, part));
                }
            }
            texts.insert(path, (facts, text));
        }
        found.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then_with(|| (a.1, a.2).cmp(&(b.1, b.2))));
        let mut shown: Vec<(f32, &str, Part)> = Vec::new();
        for (score, path, part) in found {
            // A function inside of another one that is like it as a whole.
            let is_known = shown
                .iter()
                .any(|(_, other, known)| *other == path && known.overlaps(&part));
            if !is_known && shown.len() < limit {
                shown.push((score, path, part));
            }
        }
        let views = shown.into_iter().map(|(score, path, part)| {
            let (facts, text) = &texts[path];
            (score, view_of_part(by_file[path].0, facts, text, part))
        });
        Ok(views.collect())
    }

    /// How alike chunks are is then the share of the words asked for that they have.
    fn by_words(
        &self,
        asked: &SymbolLocator<'_>,
        filter: &Filter,
        limit: usize,
    ) -> Result<Vec<(f32, ChunkView)>, Error> {
        let mut wanted: Vec<String> = folded_words(&asked.text).into_iter().collect();
        wanted.sort_unstable_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        wanted.truncate(MAX_WORDS);
        if wanted.is_empty() {
            return Ok(Vec::new());
        }
        let leaf = |word: &String| Expr::Leaf(Leaf::of_content(word.as_str()));
        let any = Expr::Or(wanted.iter().map(leaf).collect());
        let own = asked.place.as_ref().map_or(0, |place| place.chunks.len());
        let found =
            search::keyword(self.reader(), &any, filter, 0, limit * COMPARED + own).map_err(QueryProblem::from)?;
        let mut hits = Vec::new();
        for hit in found.hits.iter().filter(|hit| !asked.has_chunk(hit.file, hit.chunk)) {
            let view = self.view(self.row(hit.file)?, hit.chunk, 0)?;
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

impl SymbolLocator<'_> {
    fn has_chunk(&self, file: u64, chunk: u32) -> bool {
        let place = self.place.as_ref();
        place.is_some_and(|place| place.row.id == file && place.chunks.contains(&chunk))
    }

    fn overlaps(&self, file: u64, part: &Part) -> bool {
        let place = self.place.as_ref();
        place.is_some_and(|place| place.row.id == file && place.part.overlaps(part))
    }
}

/// A piece of a text that is compared as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Part {
    start: u32,
    end: u32,
    /// The symbol that it is.
    function: Option<usize>,
}

impl Part {
    fn overlaps(&self, other: &Part) -> bool {
        self.start < other.end && other.start < self.end
    }
}

/// The functions in some chunks of a file, and the chunks that have none.
fn parts_of(facts: &FileFacts, chunks: &Range<u32>) -> Vec<Part> {
    let is_function = |symbol: &Symbol| symbol.kind.is_function() || symbol.runs();
    let functions: Vec<Part> = (0..)
        .zip(&facts.symbols)
        .filter(|(_, symbol)| is_function(symbol))
        .map(|(at, symbol)| Part {
            start: symbol.lead,
            end: symbol.span.end,
            function: Some(at),
        })
        .collect();
    let mut parts = Vec::new();
    for chunk in chunks.clone().filter_map(|chunk| facts.chunks.get(chunk as usize)) {
        let chunk = Part {
            start: chunk.start,
            end: chunk.end,
            function: None,
        };
        let inside = functions.iter().filter(|function| function.overlaps(&chunk));
        let before = parts.len();
        parts.extend(inside);
        if parts.len() == before {
            parts.push(chunk);
        }
    }
    parts
}

fn view_of_part(row: &FileRow, facts: &FileFacts, text: &str, part: Part) -> ChunkView {
    let index = LineIndex::new(text);
    let (first_line, last_line) = (index.line(part.start), index.line(part.end.max(part.start + 1) - 1));
    // With what it is indented by.
    let before = &text[index.span(first_line).start as usize..part.start as usize];
    let start = match before.trim().is_empty() {
        true => part.start - before.len() as u32,
        false => part.start,
    };
    let chunk = facts.chunks.partition_point(|chunk| chunk.end <= part.start);
    let symbol = match part.function {
        Some(at) => facts.symbols.get(at),
        None => facts.chunks.get(chunk).and_then(|chunk| symbol_of(facts, chunk, text)),
    };
    ChunkView {
        path: row.path.to_string(),
        lang: row.lang,
        chunk: chunk as u32,
        chunk_count: facts.chunks.len() as u32,
        first_line,
        last_line,
        start_byte: start,
        end_byte: part.end,
        symbol: symbol.map(|symbol| qualified(row, facts, symbol)),
        shown_from: first_line,
        lines: text[start as usize..part.end as usize]
            .lines()
            .map(str::to_owned)
            .collect(),
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
