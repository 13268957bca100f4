//! Searching a snapshot as text: ranked keywords, exact substrings, regular expressions.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{
        OnceLock,
        atomic::{AtomicBool, Ordering},
    },
};

use search::{Expr, Features, FileMatches, Filter, FilterSpec, LineMatch, Pattern, Question};
use source::{LineIndex, Text, is_test_path};
use syntax::SymbolKind;
use workspace::{Error, NoVector, QueryProblem};

use crate::{
    chunk_view::{ChunkView, lines_between, qualified},
    on_disk::OnDisk,
    places::{BLOCK, PlaceView},
    snapshot::Snapshot,
};

/// A page of ranked chunks.
#[derive(Debug)]
pub struct SearchHits {
    pub hits: Vec<(f32, ChunkView)>,
    pub total: usize,
    pub relaxed: bool,
}

/// A line where an exact text begins.
#[derive(Debug)]
pub struct LiteralLine {
    pub path: String,
    pub lang: &'static str,
    pub score: f32,
    pub line: u32,
    /// In bytes, from 1.
    pub column: u32,
    pub chunk: u32,
    /// The innermost symbol around it.
    pub symbol: Option<(String, SymbolKind)>,
    /// The lines of the match, and as many around it as were asked for.
    pub lines: BTreeMap<u32, String>,
}

/// A page of the lines that contain a text, and how many there are.
#[derive(Debug)]
pub struct LiteralLines {
    pub lines: Vec<LiteralLine>,
    pub total: usize,
    pub files: usize,
}

/// Every match of a pattern; the text of a page of them.
#[derive(Debug)]
pub struct GrepMatches {
    /// Path and matching lines, by path.
    pub files: Vec<(String, Vec<LineMatch>)>,
    pub total: usize,
}

/// A page of ranked files.
pub struct RankedHits {
    pub hits: Vec<RankedHit>,
    /// Files in all.
    pub total: usize,
    /// Why no vectors were asked, if that is so.
    pub no_meaning: Option<NoVector>,
    /// None of the words is anywhere: what is here is only near in meaning.
    pub is_guess: bool,
    /// What was asked for.
    pub question: Question,
}

/// Passages that are nearest in meaning and are looked at, whatever the page: the order must not depend on it.
const LIKENED: usize = 80;
/// Where nothing but the meaning is looked at.
const LIKENED_ALONE: usize = 300;

/// A file that was found, with its places.
#[derive(Debug)]
pub struct RankedHit {
    pub path: String,
    pub lang: &'static str,
    /// How near it is to the first of its block, which has 1.
    pub score: f32,
    pub features: Features,
    /// Best first; at least one.
    pub places: Vec<PlaceView>,
}

impl Snapshot {
    /// Files that match a text, best first: by its words and its meaning, or by its meaning alone where there is a model.
    pub fn rank(
        &self,
        text: &str,
        by_meaning: bool,
        filter: &FilterSpec,
        (offset, limit): (usize, usize),
        context: u32,
    ) -> Result<RankedHits, Error> {
        let filter = Filter::new(self.reader(), filter);
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
                Ok(vector) => self.reader().similar(vector, &allowed, wanted),
                Err(_) => Vec::new(),
            }
        };
        // Whole blocks: the order inside of one must not depend on the page.
        let first = offset / BLOCK * BLOCK;
        let end = offset.saturating_add(limit).next_multiple_of(BLOCK);
        let found =
            search::rank(self.reader(), words, likened, &filter, first, end - first).map_err(QueryProblem::from)?;
        let mut meaning = match vector.get() {
            Some(Ok(vector)) => self.meaning(vector),
            _ => None,
        };
        let mut hits: Vec<RankedHit> = Vec::with_capacity(found.files.len());
        for (block, files) in ((first / BLOCK + 1) as u16..).zip(found.files.chunks(BLOCK)) {
            let mut found = self.block(&found.question, files, meaning.as_mut(), context)?;
            // What a point is worth differs between questions: only how far a file is behind the first one can be compared.
            let best = found.first().map_or(0.0, |hit| hit.score);
            for hit in &mut found {
                hit.score = 1.0 / (1.0 + best - hit.score) / f32::from(block);
            }
            hits.extend(found);
        }
        drop(meaning);
        let hits: Vec<RankedHit> = hits.into_iter().skip(offset - first).take(limit).collect();
        Ok(RankedHits {
            hits,
            total: found.total,
            no_meaning: vector.into_inner().map_or_else(|| self.no_vectors(), Result::err),
            is_guess: found.is_guess && !by_meaning,
            question: found.question,
        })
    }

    /// Whether a file is called by a token like `names.c` or `exp-golomb`.
    pub fn has_file_called(&self, token: &str) -> bool {
        self.reader()
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
        let filter = Filter::new(self.reader(), filter);
        let found = search::keyword(self.reader(), expr, &filter, offset, limit).map_err(QueryProblem::from)?;
        let views = found
            .hits
            .iter()
            .map(|hit| Ok((hit.score, self.view(self.row(hit.file)?, hit.chunk, context)?)))
            .collect::<Result<Vec<_>, Error>>()?;
        Ok(SearchHits {
            hits: views,
            total: found.total,
            relaxed: found.relaxed,
        })
    }

    /// Lines where exactly this text begins. Files in which it is a word of its own come before those where it is a part of
    /// one, code before its tests, and both before documents and data.
    pub fn search_literal(
        &self,
        text: &str,
        filter: &FilterSpec,
        offset: usize,
        limit: usize,
        context: u32,
        cancelled: &AtomicBool,
    ) -> Result<LiteralLines, Error> {
        let pattern = Pattern::literal(text).map_err(|error| QueryProblem::Scan(error.reason))?;
        let mut found = self.scan(&pattern, filter, cancelled)?;
        let score = |file: &FileMatches<'_>| -> f32 {
            let lang = syntax::lang_by_name(file.row.lang);
            let whole = if file.lines.iter().any(|line| line.whole_word) {
                1.0
            } else {
                0.75
            };
            let test = if is_test_path(&file.row.path) { 0.2 } else { 0.0 };
            let no_code = lang.is_none_or(|lang| lang.is_prose() || lang.is_data());
            whole - test - if no_code { 0.3 } else { 0.0 }
        };
        found.sort_by(|a, b| score(b).total_cmp(&score(a)).then_with(|| a.row.path.cmp(&b.row.path)));
        let total = found.iter().map(|file| file.lines.len()).sum();
        let more_lines = text.trim_end_matches('\n').matches('\n').count() as u32;
        let (mut lines, mut skipped) = (Vec::new(), 0);
        for file in &found {
            let own = file.lines.len();
            if skipped + own <= offset {
                skipped += own;
                continue;
            }
            let page = file.lines.iter().skip(offset - skipped).take(limit - lines.len());
            skipped = offset;
            self.literal_lines(file, score(file), page, (more_lines, context), &mut lines)?;
            if lines.len() >= limit {
                break;
            }
        }
        Ok(LiteralLines {
            lines,
            total,
            files: found.len(),
        })
    }

    fn literal_lines<'m>(
        &self,
        file: &FileMatches<'_>,
        score: f32,
        page: impl Iterator<Item = &'m LineMatch>,
        (more_lines, context): (u32, u32),
        found: &mut Vec<LiteralLine>,
    ) -> Result<(), Error> {
        let row = file.row;
        let facts = self.reader().definitions(row)?.ok_or(Error::Stale)?;
        let bytes = self.current_bytes(row)?;
        let Text { text, .. } = source::decode(&bytes).ok_or(Error::Stale)?;
        let index = LineIndex::new(&text);
        for one in page {
            let first = one.line.saturating_sub(context).max(1);
            let last = (one.line + more_lines).saturating_add(context).min(index.count());
            let symbol = facts.enclosing(one.start).map(|at| &facts.symbols[at]);
            let chunk = facts.chunks.partition_point(|chunk| chunk.end <= one.start);
            found.push(LiteralLine {
                path: row.path.to_string(),
                lang: row.lang,
                score,
                line: one.line,
                column: one.column,
                chunk: chunk.min(facts.chunks.len().saturating_sub(1)) as u32,
                symbol: symbol.map(|symbol| qualified(row, &facts, symbol)),
                lines: (first..=last).zip(lines_between(&text, &index, first, last)).collect(),
            });
        }
        Ok(())
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
        let filter = Filter::new(self.reader(), filter);
        let found = search::scan(self.reader(), &OnDisk(self), pattern, &filter, cancelled)
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
                let row = self.reader().files().by_path(path).ok_or(Error::Stale)?;
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
