//! Exact matching of lines, as ripgrep does it: its own matcher and searcher over the candidate files.

use std::sync::atomic::{AtomicBool, Ordering};

use grep_matcher::Matcher;
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder, Sink, SinkMatch};
use index::{FileRow, Reader};
use rayon::prelude::*;

use crate::{
    candidates::{Need, candidates},
    filter::Filter,
};

/// The files' decoded text as it is on disk now. `None` if a file cannot be read (any more).
pub trait Contents: Sync {
    fn read(&self, row: &FileRow) -> Option<String>;
}

/// What to look for.
pub struct Pattern {
    matcher: RegexMatcher,
    need: Need,
    /// Whether a match may cross the end of a line.
    across_lines: bool,
}

#[derive(Debug, thiserror::Error)]
#[error("{reason}")]
pub struct PatternError {
    pub reason: String,
}

/// Compiled patterns larger than this are refused: `\pL{1000}{1000}` asks for gigabytes.
const SIZE_LIMIT: usize = 10 << 20;

impl Pattern {
    /// Exactly this text, every character for itself.
    pub fn literal(text: &str) -> Result<Pattern, PatternError> {
        let across_lines = text.contains('\n');
        let mut builder = RegexMatcherBuilder::new();
        builder.fixed_strings(true);
        if !across_lines {
            builder.line_terminator(Some(b'\n'));
        }
        let matcher = builder.build(text).map_err(|error| PatternError {
            reason: error.to_string(),
        })?;
        Ok(Pattern {
            matcher,
            need: Need::literal(text.as_bytes()),
            across_lines,
        })
    }

    /// A regular expression, matched line by line.
    pub fn regex(pattern: &str, ignore_case: bool) -> Result<Pattern, PatternError> {
        let fail = |reason: String| PatternError {
            reason: gist_of(&reason),
        };
        let mut builder = RegexMatcherBuilder::new();
        // The end of a line is before its `\r\n`, unless that is what is looked for.
        match pattern.contains("\\r") || pattern.contains('\r') {
            true => builder.line_terminator(Some(b'\n')),
            false => builder.crlf(true),
        };
        let matcher = builder
            .multi_line(true)
            .case_insensitive(ignore_case)
            .size_limit(SIZE_LIMIT)
            .dfa_size_limit(SIZE_LIMIT)
            .build(pattern)
            .map_err(|error| fail(error.to_string()))?;
        let hir = regex_syntax::ParserBuilder::new()
            .multi_line(true)
            .case_insensitive(ignore_case)
            .utf8(false)
            .build()
            .parse(pattern)
            .map_err(|error| fail(error.to_string()))?;
        Ok(Pattern {
            matcher,
            need: Need::regex(&hir),
            across_lines: false,
        })
    }
}

/// The parser's errors draw the pattern with a marker over several lines; the last line says what is wrong.
fn gist_of(message: &str) -> String {
    let line = message
        .lines()
        .rev()
        .find(|line| !line.trim().is_empty())
        .unwrap_or(message);
    line.trim().trim_start_matches("error: ").to_owned()
}

/// The matching lines of one file, in their order.
#[derive(Debug)]
pub struct FileMatches<'r> {
    pub row: &'r FileRow,
    pub lines: Vec<LineMatch>,
}

/// A matching line (from 1) and the first match in it: byte offsets into the text, byte column from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineMatch {
    pub line: u32,
    pub column: u32,
    pub start: u32,
    pub end: u32,
    /// Neither end of the first match of this line is inside a longer word.
    pub whole_word: bool,
}

/// Every matching line of every allowed file, in the order of paths. Stops early, with what it has, when `cancelled`.
pub fn scan<'r>(
    reader: &'r Reader,
    contents: &impl Contents,
    pattern: &Pattern,
    filter: &Filter,
    cancelled: &AtomicBool,
) -> tantivy::Result<Vec<FileMatches<'r>>> {
    let possible = candidates(reader, &pattern.need)?;
    let rows: Vec<&FileRow> = reader
        .files()
        .indexed()
        .filter(|row| filter.allows(row.id) && possible.as_ref().is_none_or(|ids| ids.contains(&row.id)))
        .collect();
    let found = rows.par_iter().with_min_len(8).filter_map(|row| {
        if cancelled.load(Ordering::Relaxed) {
            return None;
        }
        let lines = matching_lines(pattern, contents.read(row)?.as_bytes());
        (!lines.is_empty()).then_some(FileMatches { row, lines })
    });
    Ok(found.collect())
}

fn matching_lines(pattern: &Pattern, bytes: &[u8]) -> Vec<LineMatch> {
    let mut builder = SearcherBuilder::new();
    if let Some(end) = pattern.matcher.line_terminator() {
        builder.line_terminator(end);
    }
    let mut searcher = builder
        .line_number(true)
        .multi_line(pattern.across_lines)
        .binary_detection(BinaryDetection::none())
        .build();
    let mut sink = Lines {
        matcher: &pattern.matcher,
        found: Vec::new(),
    };
    // The sink cannot fail and the bytes are in memory.
    let _ = searcher.search_slice(&pattern.matcher, bytes, &mut sink);
    sink.found
}

struct Lines<'m> {
    matcher: &'m RegexMatcher,
    found: Vec<LineMatch>,
}

impl Sink for Lines<'_> {
    type Error = std::io::Error;

    fn matched(&mut self, _searcher: &Searcher, found: &SinkMatch<'_>) -> Result<bool, Self::Error> {
        let bytes = found.bytes();
        let first = self.matcher.find(bytes).ok().flatten();
        let (start, end) = first.map_or((0, 0), |found| (found.start(), found.end()));
        let base = found.absolute_byte_offset();
        let line_start = bytes[..start]
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |at| at + 1);
        let line =
            found.line_number().unwrap_or(1) as usize + bytes[..line_start].iter().filter(|b| **b == b'\n').count();
        let word = |at: Option<usize>| {
            let byte = at.and_then(|at| bytes.get(at));
            byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
        };
        // A match that ends in punctuation ends a word whatever follows.
        let cut_left = word(Some(start)) && word(start.checked_sub(1));
        let cut_right = word(end.checked_sub(1)) && word(Some(end));
        self.found.push(LineMatch {
            line: line as u32,
            column: (start - line_start) as u32 + 1,
            start: base as u32 + start as u32,
            end: base as u32 + end as u32,
            whole_word: !cut_left && !cut_right,
        });
        Ok(true)
    }
}
