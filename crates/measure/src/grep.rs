//! What an agent without an index uses: a search as `rg` does it, by the same libraries and without the start of a process.

use std::{
    path::Path,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use anyhow::Result;
use grep_regex::RegexMatcherBuilder;
use grep_searcher::{BinaryDetection, SearcherBuilder, sinks::Lossy};
use ignore::{WalkBuilder, WalkState};

use crate::sources::n_threads;

/// A line that matches.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Line {
    /// Below the directory, with `/`.
    pub path: String,
    pub number: u64,
    pub text: String,
}

/// What is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pattern<'p> {
    /// `-F`
    Literal(&'p str),
    Regex(&'p str),
    /// `-F -w`
    Word(&'p str),
}

/// Every line below a directory that matches, by path and number, and how long that took. Ignore rules count, hidden and
/// binary files do not.
pub fn grep(dir: &Path, pattern: Pattern<'_>) -> Result<(Duration, Vec<Line>)> {
    let started = Instant::now();
    let mut matcher = RegexMatcherBuilder::new();
    matcher.line_terminator(Some(b'\n'));
    let matcher = match pattern {
        Pattern::Literal(text) => matcher.fixed_strings(true).build(text),
        Pattern::Regex(regex) => matcher.build(regex),
        Pattern::Word(word) => matcher.fixed_strings(true).word(true).build(word),
    }?;
    let found = Mutex::new(Vec::new());
    WalkBuilder::new(dir).threads(n_threads()).build_parallel().run(|| {
        let mut searcher = SearcherBuilder::new()
            .binary_detection(BinaryDetection::quit(0))
            .line_number(true)
            .build();
        let (matcher, found) = (&matcher, &found);
        Box::new(move |entry| {
            let Ok(entry) = entry else { return WalkState::Continue };
            if !entry.file_type().is_some_and(|kind| kind.is_file()) {
                return WalkState::Continue;
            }
            let below = entry.path().strip_prefix(dir).unwrap_or(entry.path());
            let path = below.to_string_lossy().replace('\\', "/");
            let mut lines = Vec::new();
            let sink = Lossy(|number, text| {
                lines.push(Line {
                    path: path.clone(),
                    number,
                    text: text.trim_end().to_owned(),
                });
                Ok(true)
            });
            // What cannot be read has no lines, as for `grep -s`.
            if searcher.search_path(matcher, entry.path(), sink).is_ok() && !lines.is_empty() {
                found.lock().unwrap_or_else(PoisonError::into_inner).append(&mut lines);
            }
            WalkState::Continue
        })
    });
    let elapsed = started.elapsed();
    let mut lines = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    lines.sort();
    Ok((elapsed, lines))
}
