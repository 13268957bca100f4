//! Searching a snapshot as text: ranked keywords, exact substrings, regular expressions.

use std::{
    collections::HashMap,
    sync::{
        OnceLock,
        atomic::{AtomicBool, Ordering},
    },
};

use embed::Vector;
use index::FileRow;
use search::{Expr, Features, FileMatches, Filter, FilterSpec, LineMatch, Pattern, Ranked};
use source::{LineIndex, is_test_path};

use crate::{
    embedding::NoVector,
    error::{Error, QueryProblem},
    snapshot::{ChunkView, OnDisk, Snapshot, lines_between},
};

/// A page of ranked chunks.
#[derive(Debug)]
pub struct SearchHits {
    pub hits: Vec<(f32, ChunkView)>,
    pub total: usize,
    pub relaxed: bool,
}

/// A page of chunks that contain a text.
#[derive(Debug)]
pub struct LiteralHits {
    pub hits: Vec<LiteralHit>,
    /// Chunks in all.
    pub total: usize,
    /// Lines in all.
    pub lines: usize,
    pub files: usize,
}

#[derive(Debug)]
pub struct LiteralHit {
    pub score: f32,
    pub view: ChunkView,
    /// The lines where a match begins.
    pub lines: Vec<u32>,
}

/// Every match of a pattern; the text of a page of them.
#[derive(Debug)]
pub struct GrepMatches {
    /// Path and matching lines, by path.
    pub files: Vec<(String, Vec<LineMatch>)>,
    pub total: usize,
}

/// A page of ranked files.
#[derive(Debug)]
pub struct RankedHits {
    pub hits: Vec<RankedHit>,
    /// Files in all.
    pub total: usize,
    /// Why no vectors were asked, if that is so.
    pub no_meaning: Option<NoVector>,
    /// None of the words is anywhere: what is here is only near in meaning.
    pub is_guess: bool,
}

/// Passages that are nearest in meaning and are looked at, whatever the page: the order must not depend on it.
const LIKENED: usize = 80;
/// Where nothing but the meaning is looked at.
const LIKENED_ALONE: usize = 300;

/// The first files are what is read: texts are compared there. Each takes some ten microseconds.
const READ: usize = 4;

/// A file that fits, by its best chunk.
#[derive(Debug)]
pub struct RankedHit {
    pub score: f32,
    pub view: ChunkView,
    /// The lines of other chunks of the file that fit.
    pub also: Vec<(u32, u32)>,
    pub features: Features,
}

impl Snapshot {
    /// Files that fit a text, best first: by its words and its meaning, or by its meaning alone where there is a model.
    pub fn rank(
        &self,
        text: &str,
        by_meaning: bool,
        filter: &FilterSpec,
        (offset, limit): (usize, usize),
        context: u32,
    ) -> Result<RankedHits, Error> {
        let filter = Filter::new(&self.reader, filter);
        // A slow model is not asked about a name, which is found by its words.
        let vector = OnceLock::new();
        let embedded = || vector.get_or_init(|| self.embed_query(text));
        // Chunks without vectors are still found by their words.
        let words = match by_meaning && embedded().is_ok() && self.vector_progress().is_none() {
            true => "",
            false => text,
        };
        let likened = || {
            let allowed = |file: u64| filter.allows(file);
            let wanted = if words.is_empty() { LIKENED_ALONE } else { LIKENED };
            match embedded() {
                Ok(vector) => self.reader.similar(vector, &allowed, wanted),
                Err(_) => Vec::new(),
            }
        };
        let found = search::rank(&self.reader, words, likened, &filter, offset, limit).map_err(QueryProblem::from)?;
        let asked = (text, vector.get().and_then(|vector| vector.as_ref().ok()));
        let (read, rest) = found.files.split_at(READ.saturating_sub(offset).min(found.files.len()));
        let (hits, rest) = search::beside(
            || self.shown(asked, offset + read.len(), rest, context),
            || self.shown(asked, offset, read, context),
        );
        let mut hits = hits?;
        hits.extend(rest?);
        Ok(RankedHits {
            hits,
            total: found.total,
            no_meaning: vector.into_inner().map_or_else(|| self.no_vectors(), Result::err),
            is_guess: found.is_guess && !by_meaning,
        })
    }

    /// What is shown of files, the first of which has this rank.
    fn shown(
        &self,
        (text, vector): (&str, Option<&Vector>),
        first: usize,
        files: &[Ranked],
        context: u32,
    ) -> Result<Vec<RankedHit>, Error> {
        let mut meant = None;
        let mut hits = Vec::with_capacity(files.len());
        for (rank, ranked) in (first..).zip(files) {
            let row = self.row(ranked.file)?;
            let facts = self.reader.definitions(row)?.ok_or(Error::Stale)?;
            let is_compared = rank < READ || ranked.is_unknown();
            if let (true, None, Some(vector)) = (is_compared, &meant, vector) {
                meant = self.meant(text, vector);
            }
            let meant = meant.as_mut().filter(|_| is_compared);
            let (view, also) = self.passage(row, &facts, &ranked.chunks, context, meant)?;
            hits.push(RankedHit {
                score: ranked.score,
                view,
                also,
                features: ranked.features,
            });
        }
        Ok(hits)
    }

    /// Whether a file is called by a token like `names.c` or `exp-golomb`.
    pub fn has_file_called(&self, token: &str) -> bool {
        self.reader
            .files()
            .indexed()
            .any(|row| search::is_called(&row.path, token))
    }

    /// Chunks that match the expression, best first.
    pub fn search(
        &self,
        expr: &Expr,
        filter: &FilterSpec,
        offset: usize,
        limit: usize,
        context: u32,
    ) -> Result<SearchHits, Error> {
        let filter = Filter::new(&self.reader, filter);
        let found = search::keyword(&self.reader, expr, &filter, offset, limit).map_err(QueryProblem::from)?;
        let views = found
            .hits
            .iter()
            .map(|hit| Ok((hit.score, self.view(self.row(hit.file)?, hit.chunk, context, 0)?)))
            .collect::<Result<Vec<_>, Error>>()?;
        Ok(SearchHits {
            hits: views,
            total: found.total,
            relaxed: found.relaxed,
        })
    }

    /// Chunks that contain exactly this text. A match that reaches beyond its chunk is shown whole.
    pub fn search_literal(
        &self,
        text: &str,
        filter: &FilterSpec,
        offset: usize,
        limit: usize,
        context: u32,
        cancelled: &AtomicBool,
    ) -> Result<LiteralHits, Error> {
        let pattern = Pattern::literal(text).map_err(|error| QueryProblem::Scan(error.reason))?;
        let found = self.scan(&pattern, filter, cancelled)?;
        let mut places = Vec::new();
        let (mut lines, files) = (0, found.len());
        for file in &found {
            lines += file.lines.len();
            places.extend(self.by_chunk(file)?);
        }
        places.sort_by(|a, b| {
            b.score
                .total_cmp(&a.score)
                .then_with(|| (&a.row.path, a.chunk).cmp(&(&b.row.path, b.chunk)))
        });
        let total = places.len();
        let hits = places
            .iter()
            .skip(offset)
            .take(limit)
            .map(|place| self.literal_view(place, context));
        Ok(LiteralHits {
            hits: hits.collect::<Result<_, _>>()?,
            total,
            lines,
            files,
        })
    }

    /// Sorts a file's matches into its chunks: each belongs to the first that holds all of it, else its beginning.
    fn by_chunk<'f>(&self, file: &FileMatches<'f>) -> Result<Vec<Place<'f>>, Error> {
        let chunks = self.reader.chunks(file.row)?.ok_or(Error::Stale)?;
        let test = is_test_path(&file.row.path);
        let prose = syntax::lang_by_name(file.row.lang).is_some_and(|lang| lang.is_prose());
        let mut places: Vec<Place<'f>> = Vec::new();
        for found in &file.lines {
            let whole = chunks
                .iter()
                .position(|chunk| chunk.start <= found.start && found.end <= chunk.end);
            let begun = || chunks.iter().position(|chunk| found.start < chunk.end);
            let chunk = whole.or_else(begun).ok_or(Error::Stale)? as u32;
            // A word on its own before a part of a longer one, code before its tests, both before prose.
            let whole = if found.whole_word { 1.0 } else { 0.75 };
            let score = whole - if test { 0.2 } else { 0.0 } - if prose { 0.3 } else { 0.0 };
            match places.last_mut().filter(|place| place.chunk == chunk) {
                Some(place) => {
                    place.matches.push(*found);
                    place.score = place.score.max(score);
                }
                None => places.push(Place {
                    row: file.row,
                    chunk,
                    matches: vec![*found],
                    score,
                }),
            }
        }
        Ok(places)
    }

    fn literal_view(&self, place: &Place<'_>, context: u32) -> Result<LiteralHit, Error> {
        let reach = place.matches.iter().map(|found| found.end).max().unwrap_or(0);
        let view = self.view(place.row, place.chunk, context, reach)?;
        let lines = place.matches.iter().map(|found| found.line).collect();
        Ok(LiteralHit {
            score: place.score,
            view,
            lines,
        })
    }

    /// Every line that a regular expression matches, in the order of paths.
    pub fn grep(
        &self,
        pattern: &str,
        ignore_case: bool,
        filter: &FilterSpec,
        cancelled: &AtomicBool,
    ) -> Result<GrepMatches, Error> {
        let compiled = Pattern::regex(pattern, ignore_case).map_err(|error| Error::BadRegex {
            pattern: pattern.to_owned(),
            reason: error.reason,
        })?;
        let found = self.scan(&compiled, filter, cancelled)?;
        let total = found.iter().map(|file| file.lines.len()).sum();
        let files = found
            .into_iter()
            .map(|file| (file.row.path.to_string(), file.lines))
            .collect();
        Ok(GrepMatches { files, total })
    }

    fn scan(
        &self,
        pattern: &Pattern,
        filter: &FilterSpec,
        cancelled: &AtomicBool,
    ) -> Result<Vec<FileMatches<'_>>, Error> {
        let filter = Filter::new(&self.reader, filter);
        let found = search::scan(&self.reader, &OnDisk(self), pattern, &filter, cancelled)
            .map_err(|error| QueryProblem::Scan(error.to_string()))?;
        if cancelled.load(Ordering::Relaxed) {
            Err(Error::Cancelled)
        } else {
            Ok(found)
        }
    }

    /// The given lines of files as they are now, each file read once: path to line number to text.
    pub fn lines_of<'p>(
        &self,
        wanted: impl Iterator<Item = (&'p str, std::ops::RangeInclusive<u32>)>,
    ) -> Result<HashMap<&'p str, HashMap<u32, String>>, Error> {
        let mut by_file: HashMap<&'p str, Vec<std::ops::RangeInclusive<u32>>> = HashMap::new();
        for (path, lines) in wanted {
            by_file.entry(path).or_default().push(lines);
        }
        by_file
            .into_iter()
            .map(|(path, ranges)| {
                let row = self.reader.files().by_path(path).ok_or(Error::Stale)?;
                let bytes = self.current_bytes(row)?;
                let text = source::decode(&bytes).map(|text| text.text).unwrap_or_default();
                let index = LineIndex::new(&text);
                let lines = ranges
                    .into_iter()
                    .flatten()
                    .filter(|line| *line <= index.count())
                    .map(|line| {
                        let shown = lines_between(&text, &index, line, line).pop().unwrap_or_default();
                        (line, shown)
                    });
                Ok((path, lines.collect()))
            })
            .collect()
    }
}

/// Matches inside one chunk.
struct Place<'f> {
    row: &'f FileRow,
    chunk: u32,
    matches: Vec<LineMatch>,
    score: f32,
}
