//! Places inside files that a question is about: functions, headers of types, sections, and the code between them.
//!
//! `rank` orders files by what the index knows of them. Here the texts of the first files are compared: `region` cuts them
//! along their symbols, `count` counts the question's words, `features` describes each region. The score of a place is the
//! logarithm of its odds, so that a file's score is that of all its places together. Opens no files: the caller passes texts.

mod count;
mod features;
mod region;

use std::ops::RangeInclusive;

use source::is_test_path;
use syntax::{FileFacts, SymbolIdx};

pub use self::features::{PLACE_FEATURES, PlaceFeatures};
use self::{
    count::{Candidate, Names, count},
    region::{MAX_LINES, Region},
};
use crate::{
    platform::{self, Platforms},
    rank::{Features, Fitting, Question, Ranked},
};

/// A file that was found, with its text.
pub struct PlaceFile<'f> {
    pub path: &'f str,
    /// Its score among the files, by the index.
    pub score: f32,
    /// What the index knows of its chunks.
    pub chunks: &'f [Fitting],
    pub facts: &'f FileFacts,
    pub text: &'f str,
    /// The features that it was ranked by as a file.
    features: &'f Features,
    is_test: bool,
    platforms: Platforms,
    /// Lines of the documentation of its symbols.
    documented: Vec<RangeInclusive<u32>>,
}

impl<'f> PlaceFile<'f> {
    pub fn new(path: &'f str, ranked: &'f Ranked, facts: &'f FileFacts, text: &'f str) -> PlaceFile<'f> {
        let docs = facts.symbols.iter().filter_map(|symbol| symbol.doc);
        let lines = docs.map(|doc| facts.lines.line(doc.start)..=facts.lines.line(doc.end.saturating_sub(1)));
        PlaceFile {
            path,
            score: ranked.score,
            chunks: &ranked.chunks,
            facts,
            text,
            features: &ranked.features,
            is_test: is_test_path(path),
            platforms: platform::of_path(path),
            documented: lines.collect(),
        }
    }
}

/// Consecutive lines of a file that the question may be about.
#[derive(Debug, Clone)]
pub struct Place {
    pub first_line: u32,
    pub last_line: u32,
    /// The innermost functions, types or sections that it consists of, best first; none for code outside of all.
    pub symbols: Vec<SymbolIdx>,
    pub score: f32,
    /// Of its best region.
    pub features: PlaceFeatures,
    /// Its lines that match, with the share of the question that each has; best first.
    pub lines: Vec<(u32, f32)>,
}

/// A file with the places that are listed of it, best first.
#[derive(Debug)]
pub struct FilePlaces {
    /// Its number among the files that were passed.
    pub file: usize,
    pub score: f32,
    pub places: Vec<Place>,
}

/// Compares a text with the question by meaning: a head (path, signature), and a body.
pub type Likeness<'l> = &'l mut dyn FnMut(&str, &str) -> f32;

/// Places that are listed for all files together, apart from the best of each.
const MAX_PLACES: usize = 10;
const MAX_PLACES_OF_FILE: usize = 5;
/// Regions that may join a place that they touch.
const MAX_REGIONS: usize = 40;
/// A further place of a file is listed if its odds are within e^3.2 of the best.
const MARGIN: f32 = 3.2;
/// Lines between two regions that are listed as one place.
const MAX_GAP: u32 = 3;
/// Lines of a place that are known by their match.
const MAX_MATCHING_LINES: usize = 8;

/// A point of a file's score next to one of its places.
const FILE_SCORE: f32 = 3.0;

/// Orders files by their places, and lists these. Order is total: by score, then in the order that was passed.
pub fn places(question: &Question, files: &[PlaceFile<'_>], likeness: Option<Likeness<'_>>) -> Vec<FilePlaces> {
    let mut candidates: Vec<Candidate<'_>> = Vec::new();
    for (file, of) in files.iter().enumerate() {
        let is_found = found_lines(of);
        let regions = region::regions(of.facts, of.text).into_iter();
        let regions = regions.filter(|one| is_found[one.first_line as usize..=one.last_line as usize].contains(&true));
        candidates.extend(regions.map(|region| Candidate::new(file, of, region)));
    }
    let names = Names::of(&candidates);
    let masks = count(question, files, &names, &mut candidates);
    let features = features::describe(question, files, &candidates, &masks, &names, likeness);
    let mut scored: Vec<(f32, usize)> = features.iter().map(PlaceFeatures::score).zip(0..).collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let is_head = |at: usize| features[at].head > 0.0;
    let listed = listed(&scored, &candidates, is_head, files.len());
    let mut found = order(question, files, &scored, &candidates);
    for of_file in &mut found {
        of_file.places = listed[of_file.file]
            .iter()
            .map(|one| Place {
                first_line: one.first_line,
                last_line: one.last_line,
                symbols: one.symbols.clone(),
                score: one.score,
                features: features[one.best],
                lines: matching_lines(question, &masks[of_file.file], one.first_line..=one.last_line),
            })
            .collect();
    }
    found
}

/// By line number: whether the index has found something in its chunk. A file of thousands of lines is not read for a few.
fn found_lines(of: &PlaceFile<'_>) -> Vec<bool> {
    let mut is_found = vec![false; of.facts.lines.count() as usize + 2];
    for fitting in of.chunks {
        if let Some(chunk) = of.facts.chunks.get(fitting.chunk as usize) {
            is_found[chunk.first_line as usize..=chunk.last_line as usize].fill(true);
        }
    }
    is_found
}

/// Files by the odds of all their places together; for short questions by their own scores.
fn order(
    question: &Question,
    files: &[PlaceFile<'_>],
    scored: &[(f32, usize)],
    candidates: &[Candidate<'_>],
) -> Vec<FilePlaces> {
    let best = scored.first().map_or(0.0, |(score, _)| *score);
    let mut odds = vec![0.0; files.len()];
    for (score, at) in scored {
        odds[candidates[*at].file] += (score - best).exp();
    }
    let by_places = question.weight_of_places();
    let mut found: Vec<FilePlaces> = files
        .iter()
        .zip(odds)
        .enumerate()
        .map(|(file, (of, odds))| FilePlaces {
            file,
            score: by_places * odds.max(f32::MIN_POSITIVE).ln() + (1.0 - by_places) * FILE_SCORE * of.score,
            places: Vec::new(),
        })
        .collect();
    found.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.file.cmp(&b.file)));
    found
}

/// Regions of one file that are listed as one place.
struct Listed {
    first_line: u32,
    last_line: u32,
    symbols: Vec<SymbolIdx>,
    score: f32,
    best: usize,
}

impl Listed {
    fn touches(&self, region: Region) -> bool {
        let (first, last) = (
            self.first_line.min(region.first_line),
            self.last_line.max(region.last_line),
        );
        region.first_line <= self.last_line + MAX_GAP
            && self.first_line <= region.last_line + MAX_GAP
            && last - first < MAX_LINES
    }

    fn join(&mut self, region: Region) {
        self.first_line = self.first_line.min(region.first_line);
        self.last_line = self.last_line.max(region.last_line);
        self.symbols
            .extend(region.symbol.filter(|symbol| !self.symbols.contains(symbol)));
    }
}

/// The places of each file: the best of all, with the neighbours that nearly are; at least the best one of each file. The
/// head of a file, its licence and imports, is listed only if nothing else of it is better.
fn listed(
    scored: &[(f32, usize)],
    candidates: &[Candidate<'_>],
    is_head: impl Fn(usize) -> bool,
    n_files: usize,
) -> Vec<Vec<Listed>> {
    let mut by_file: Vec<Vec<Listed>> = Vec::new();
    by_file.resize_with(n_files, Vec::new);
    let best = scored.first().map_or(0.0, |(score, _)| *score);
    let mut n_places = 0;
    for (rank, (score, at)) in scored.iter().enumerate() {
        let candidate = &candidates[*at];
        let own = &mut by_file[candidate.file];
        let is_near = rank < MAX_REGIONS && best - score <= MARGIN;
        let mut joined = own
            .iter_mut()
            .filter(|place| !is_head(*at) && !is_head(place.best) && place.touches(candidate.region));
        if is_near && let Some(place) = joined.next() {
            place.join(candidate.region);
            continue;
        }
        let has_room = is_near && !is_head(*at) && n_places < MAX_PLACES && own.len() < MAX_PLACES_OF_FILE;
        if own.is_empty() || has_room {
            n_places += 1;
            own.push(Listed {
                first_line: candidate.region.first_line,
                last_line: candidate.region.last_line,
                symbols: candidate.region.symbol.into_iter().collect(),
                score: *score,
                best: *at,
            });
        }
    }
    by_file
}

/// The lines of a place that have most of the question.
fn matching_lines(question: &Question, masks: &[u32], place: RangeInclusive<u32>) -> Vec<(u32, f32)> {
    let mut lines: Vec<(u32, f32)> = place
        .filter_map(|line| {
            let mask = *masks.get(line as usize)?;
            (mask != 0).then(|| (line, question.weight_of(mask)))
        })
        .collect();
    lines.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    lines.truncate(MAX_MATCHING_LINES);
    lines
}
