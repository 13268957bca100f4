//! Ranked places: functions, types and sections that a question is about, with the lines that match.
//!
//! `search::rank` orders files by the index. Blocks of them are read, and `search::places` compares their places with the
//! question, which decides the order inside a block and what is listed of each file.

use std::{collections::BTreeMap, ops::RangeInclusive};

use embed::{Encoder, Vector};
use index::FileRow;
use search::{FilePlaces, Place, PlaceFeatures, PlaceFile, Question, Ranked};
use source::{Span, Text};
use syntax::{FileFacts, SymbolIdx, SymbolKind};
use workspace::{Embedding, Error};

use crate::{
    chunk_view::{lines_between, qualified},
    snapshot::Snapshot,
    text_search::RankedHit,
};

/// Files whose places are compared with each other. Where a page begins must not change what is in a block.
pub(crate) const BLOCK: usize = 14;

/// Consecutive lines of a file that a question may be about.
#[derive(Debug)]
pub struct PlaceView {
    pub first_line: u32,
    pub last_line: u32,
    /// The chunk that its best line is in.
    pub chunk: u32,
    /// Qualified names and kinds of the symbols that it consists of or is a part of, best first.
    pub symbols: Vec<(String, SymbolKind)>,
    /// The lines of the first of them, which may be more than the place; all of the place if it has none.
    pub best: RangeInclusive<u32>,
    /// Of the first of them.
    pub signature: Option<String>,
    /// The line that names the first of them, if it is here.
    pub named_at: Option<u32>,
    /// Numbers of the lines that match, best first.
    pub matching: Vec<u32>,
    /// Its text, line by line, and as many lines around the matching ones as were asked for.
    pub lines: BTreeMap<u32, String>,
    /// Its first symbol if that is a function: the id of the file's row, and its index.
    pub(crate) function: Option<(u64, SymbolIdx)>,
    /// How likely it is next to the best place of all, which has 1.
    pub odds: f32,
    pub features: PlaceFeatures,
}

struct Read<'s> {
    row: &'s FileRow,
    facts: FileFacts,
    text: String,
}

/// What a question means, to compare texts with.
pub(crate) struct Meaning<'a> {
    vector: &'a Vector,
    encoder: Encoder<'a>,
}

impl Snapshot {
    /// The built-in model compares texts within microseconds; others do not.
    pub(crate) fn meaning<'a>(&'a self, vector: &'a Vector) -> Option<Meaning<'a>> {
        match self.workspace().embedding() {
            Embedding::On(model) => Some(Meaning {
                vector,
                encoder: model.encoder(),
            }),
            _ => None,
        }
    }

    /// A block of files by their places, best first.
    pub(crate) fn block(
        &self,
        question: &Question,
        files: &[Ranked],
        meaning: Option<&mut Meaning<'_>>,
        context: u32,
    ) -> Result<Vec<RankedHit>, Error> {
        let half = files.len() / 2;
        let read = |files: &[Ranked]| {
            files
                .iter()
                .map(|ranked| self.read_ranked(ranked))
                .collect::<Result<Vec<_>, _>>()
        };
        let (first, second) = search::beside(|| read(&files[half..]), || read(&files[..half]));
        let mut read = first?;
        read.extend(second?);
        let texts: Vec<PlaceFile<'_>> = read
            .iter()
            .zip(files)
            .map(|(read, ranked)| PlaceFile::new(&read.row.path, ranked, &read.facts, &read.text))
            .collect();
        let found = match meaning {
            Some(Meaning { vector, encoder }) => {
                let mut likeness = |head: &str, body: &str| vector.cosine(&encoder.code(head, body));
                search::places(question, &texts, Some(&mut likeness))
            }
            None => search::places(question, &texts, None),
        };
        let scores = found
            .iter()
            .flat_map(|of_file| &of_file.places)
            .map(|place| place.score);
        let best = scores.fold(f32::MIN, f32::max);
        let hit = |FilePlaces { file, score, places }| {
            let (read, ranked) = (&read[file], &files[file]);
            RankedHit {
                path: read.row.path.to_string(),
                lang: read.row.lang,
                score,
                features: ranked.features,
                places: places
                    .into_iter()
                    .map(|place| read.view(place, best, context))
                    .collect(),
            }
        };
        Ok(found.into_iter().map(hit).collect())
    }

    fn read_ranked(&self, ranked: &Ranked) -> Result<Read<'_>, Error> {
        let row = self.row(ranked.file)?;
        let facts = self.reader().definitions(row)?.ok_or(Error::Stale)?;
        let bytes = self.current_bytes(row)?;
        let Text { text, .. } = source::decode(&bytes).ok_or(Error::Stale)?;
        Ok(Read {
            row,
            facts,
            text: text.into_owned(),
        })
    }
}

impl Read<'_> {
    fn view(&self, place: Place, top: f32, context: u32) -> PlaceView {
        let Read { row, facts, text } = self;
        let within = place.first_line..=place.last_line;
        let symbols = || place.symbols.iter().map(|at| &facts.symbols[*at]);
        let first = symbols().next();
        let named_at = first.map(|symbol| facts.lines.line(symbol.name_at));
        let named_at = named_at.filter(|line| within.contains(line));
        let best = first.map_or(within.clone(), |symbol| {
            let Span { start, end } = symbol.span;
            facts.lines.line(start)..=facts.lines.line(end.saturating_sub(1))
        });
        let matching: Vec<u32> = place.lines.iter().map(|(line, _)| *line).collect();
        let around = |line: u32| -> RangeInclusive<u32> {
            line.saturating_sub(context).max(1)..=line.saturating_add(context).min(facts.lines.count())
        };
        let mut lines = BTreeMap::new();
        let all = lines_between(text, &facts.lines, place.first_line, place.last_line);
        lines.extend((place.first_line..).zip(all));
        for line in matching.iter().copied().chain(named_at).chain([place.first_line]) {
            let shown = around(line);
            lines.extend(
                shown
                    .clone()
                    .zip(lines_between(text, &facts.lines, *shown.start(), *shown.end())),
            );
        }
        let matches_best = matching.first().copied().unwrap_or(place.first_line);
        let chunk = facts.chunks.partition_point(|chunk| chunk.last_line < matches_best);
        PlaceView {
            first_line: place.first_line,
            last_line: place.last_line,
            chunk: chunk.min(facts.chunks.len().saturating_sub(1)) as u32,
            symbols: symbols().map(|symbol| qualified(row, facts, symbol)).collect(),
            best,
            signature: first.and_then(|symbol| text.get(symbol.signature.range()).map(str::to_owned)),
            named_at,
            matching,
            lines,
            function: first
                .filter(|symbol| symbol.kind.is_function())
                .map(|_| (row.id, place.symbols[0])),
            odds: (place.score - top).exp(),
            features: place.features,
        }
    }
}
