//! The files that a question is about, each with its places.

use std::{collections::BTreeSet, ops::RangeInclusive};

use queries::{
    FEATURES, Neighbour, Neighbours, PLACE_FEATURES, PlaceView, RankedHit, RankedHits, Snapshot, SymbolKind,
};
use serde_json::{Map, Value, json};

use super::Params;
use crate::machinery::{
    answer::Row,
    error::ToolError,
    tool::Ctx,
    units::rounded,
    visible::{clip, clip_line, visible_name},
};

/// Characters of a signature.
const SIGNATURE_CHARS: usize = 300;

/// A place that is this likely next to the best one is shown whole, or its best symbol is, if that is not too long and it
/// is among the first.
const SHOWN_WHOLE: f32 = 0.4;
const WHOLE_PLACES: usize = 3;
/// What has so few lines is shown whole before lines are picked.
const SHORT: usize = 14;
/// So many tokens of the budget allow for a line of it.
const TOKENS_OF_WHOLE_LINE: u64 = 60;
/// A place that is less likely is named, without its code.
const SHOWN_WITH_LINES: f32 = 0.08;
/// Of other places so many lines.
const LINES: usize = 5;
/// A larger budget shows no more code of a file.
const MOST_FOR_CODE: u64 = 4000;
/// So many tokens of the budget allow for a place of the same file.
const TOKENS_OF_PLACE: u64 = 250;

/// How much of the code of a place is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Code {
    /// Consecutive lines: all of the place, or its best symbol.
    Whole(RangeInclusive<u32>),
    /// So many lines, those that match best.
    Lines(usize),
}

/// A place, and how much of it is shown.
struct Shown<'h> {
    place: &'h PlaceView,
    code: Code,
    /// Of the first, and of what is likely enough to be shown whole.
    neighbours: Neighbours,
}

pub(super) fn rows(
    ctx: &Ctx<'_>,
    snapshot: &Snapshot,
    params: &Params,
    found: &RankedHits,
) -> Result<Vec<Row>, ToolError> {
    // More room is for more files, not for more of each.
    let max_tokens = ctx.paging.max_tokens.min(MOST_FOR_CODE);
    let mut n_whole = 0;
    // A name that nothing has: what follows shares some of its parts at best.
    let is_unknown_name = !found.question.unknown_names().is_empty() && params.query.split_whitespace().count() == 1;
    let mut shown: Vec<Vec<Shown<'_>>> = Vec::new();
    for (rank, hit) in (ctx.paging.offset..).zip(&found.hits) {
        let n_places = match rank > 0 && is_unlikely(hit) {
            true => 1,
            false if is_unknown_name => 1,
            false => (max_tokens / TOKENS_OF_PLACE).max(1) as usize,
        };
        let of_hit = hit.places.iter().take(n_places).map(|place| Shown {
            place,
            code: match is_unknown_name {
                true => Code::Lines(1),
                false => code_shown(place, rank, max_tokens, &mut n_whole),
            },
            neighbours: Neighbours::default(),
        });
        shown.push(of_hit.collect());
    }
    let shown_code = shown.iter_mut().flatten().enumerate();
    let likely =
        shown_code.filter(|(at, one)| !is_unknown_name && (one.is_whole() || (*at == 0 && ctx.paging.offset == 0)));
    let mut likely: Vec<&mut Shown<'_>> = likely.map(|(_, one)| one).collect();
    let places: Vec<&PlaceView> = likely.iter().map(|one| one.place).collect();
    let neighbours = snapshot.neighbours(&found.question, &places)?;
    for (one, neighbours) in likely.iter_mut().zip(neighbours) {
        one.neighbours = neighbours;
    }
    let rows = (ctx.paging.offset..).zip(&found.hits).zip(&shown);
    Ok(rows
        .map(|((rank, hit), shown)| row(ctx, params, rank, hit, shown))
        .collect())
}

/// An unlikely file is worth one line.
fn is_unlikely(hit: &RankedHit) -> bool {
    hit.places.iter().all(|place| place.odds < SHOWN_WITH_LINES)
}

/// Code is shown where it is likely to be what is wanted, since what is not shown has to be asked for. `n_whole` counts the
/// places that are shown whole.
fn code_shown(place: &PlaceView, rank: usize, max_tokens: u64, n_whole: &mut usize) -> Code {
    let all = place.first_line..=place.last_line;
    let is_here = all.contains(place.best.start()) && all.contains(place.best.end());
    let best = Some(place.best.clone()).filter(|_| is_here);
    let of_length = |most: usize| {
        let ranges = [Some(all.clone()), best.clone()].into_iter().flatten();
        ranges.into_iter().find(|range| range.clone().count() <= most)
    };
    let most = (max_tokens / TOKENS_OF_WHOLE_LINE) as usize;
    if place.odds >= SHOWN_WHOLE
        && *n_whole < WHOLE_PLACES
        && let Some(lines) = of_length(most)
    {
        *n_whole += 1;
        return Code::Whole(lines);
    }
    if place.odds < SHOWN_WITH_LINES && rank > 0 {
        return Code::Lines(0);
    }
    match of_length(SHORT.min(most)) {
        Some(lines) => Code::Whole(lines),
        None => Code::Lines(LINES.min(2 + (max_tokens / 500) as usize)),
    }
}

impl Shown<'_> {
    fn is_whole(&self) -> bool {
        matches!(self.code, Code::Whole(_)) && self.place.odds >= SHOWN_WHOLE
    }

    /// Range and symbols, its lines, its neighbours.
    fn text(&self, path: &str, context: u32) -> String {
        let place = self.place;
        let mut text = format!("{}-{}{}", place.first_line, place.last_line, named(&place.symbols));
        if *place.best.start() < place.first_line || *place.best.end() > place.last_line {
            text.push_str(&format!(" (of {}-{})", place.best.start(), place.best.end()));
        }
        if self.code != Code::Lines(0) || context > 0 {
            for (line, code) in lines_of_place(place, &self.code, context) {
                text.push_str(&format!("\n    {line}: {}", clip_line(code, 0)));
            }
        }
        let Neighbours { callers, callees, .. } = &self.neighbours;
        let directions = [
            ("called by", callers, self.neighbours.callers_total),
            ("calls", callees, self.neighbours.callees_total),
        ];
        for (verb, listed, total) in directions {
            if listed.is_empty() {
                continue;
            }
            let mut names: Vec<String> = listed.iter().map(|one| neighbour(one, path)).collect();
            if total > listed.len() {
                names.push(format!("{} more", total - listed.len()));
            }
            text.push_str(&format!("\n    {verb} {}", names.join(", ")));
        }
        text
    }
}

fn neighbour(one: &Neighbour, path: &str) -> String {
    let name = visible_name(&one.qualified_name);
    match one.path == path {
        true => format!("{name} (line {})", one.line),
        false => format!("{name} ({}:{})", visible_name(&one.path), one.line),
    }
}

fn row(ctx: &Ctx<'_>, params: &Params, rank: usize, hit: &RankedHit, shown: &[Shown<'_>]) -> Row {
    let mut text = visible_name(&hit.path);
    if let Some(first) = hit.places.first().filter(|_| ctx.profile.is_some()) {
        text.push_str(&format!(" (chunk {}, score {:.2})", first.chunk, rounded(hit.score)));
    }
    let separator = if rank > 0 && is_unlikely(hit) { ":" } else { "\n  " };
    for one in shown {
        text.push_str(separator);
        text.push_str(&one.text(&hit.path, params.context_lines));
    }
    let mut json = json!({ "path": hit.path });
    if let Some(first) = shown.first() {
        place_json(&mut json, hit, first, params.context_lines);
    }
    // An unlikely file has one place in both.
    let others = match shown.len() {
        1 if is_unlikely(hit) && rank > 0 => &[],
        _ => hit.places.get(1..).unwrap_or_default(),
    };
    if !others.is_empty() {
        let also = others.iter().map(|place| match place.symbols.first() {
            Some((name, _)) => json!([place.first_line, place.last_line, name]),
            None => json!([place.first_line, place.last_line]),
        });
        json["also"] = also.collect();
    }
    if params.explain {
        explain(hit, &mut text, &mut json);
    }
    Row { text, json, body: None }
}

/// The best place of a file, as fields of its row.
fn place_json(json: &mut Value, hit: &RankedHit, shown: &Shown<'_>, context: u32) {
    let place = shown.place;
    json["start_line"] = place.first_line.into();
    json["end_line"] = place.last_line.into();
    json["score"] = rounded(hit.score).into();
    json["language"] = hit.lang.into();
    if let Some((name, kind)) = place.symbols.first() {
        json["symbol"] = name.clone().into();
        json["kind"] = kind.as_str().into();
    }
    if place.symbols.len() > 1 {
        json["symbols"] = place.symbols.iter().map(|(name, _)| name.as_str()).collect();
    }
    if let Some(signature) = &place.signature {
        json["signature"] = clip(signature, SIGNATURE_CHARS).into();
    }
    let lines = lines_of_place(place, &Code::Lines(LINES), context).into_iter();
    json["lines"] = lines
        .map(|(line, text)| json!({ "line": line, "text": clip_line(text, 0) }))
        .collect();
    json["chunk_index"] = place.chunk.into();
    let Neighbours { callers, callees, .. } = &shown.neighbours;
    for (key, listed) in [("callers", callers), ("callees", callees)] {
        if !listed.is_empty() {
            let listed = listed.iter();
            json[key] = listed
                .map(|one| json!([one.path, one.line, one.qualified_name]))
                .collect();
        }
    }
}

/// The symbols of a place: the best one whole, of the others what differs from it.
fn named(symbols: &[(String, SymbolKind)]) -> String {
    let Some(((first, kind), others)) = symbols.split_first() else {
        return String::new();
    };
    let mut text = format!(" {} {}", kind.as_str(), visible_name(first));
    for (other, _) in others {
        let last = other.rsplit(['.', ':', '#', '\\', '/']).next().unwrap_or(other);
        text.push_str(&format!(", {}", visible_name(last)));
    }
    text
}

/// The lines that are shown of a place, in their order, with the lines around them that were asked for. Of some lines the
/// one that names it is the first; a place of no more lines is shown whole.
fn lines_of_place<'p>(place: &'p PlaceView, code: &Code, context: u32) -> Vec<(u32, &'p str)> {
    let all = place.first_line..=place.last_line;
    let wanted: BTreeSet<u32> = match code {
        Code::Whole(lines) => lines.clone().collect(),
        Code::Lines(n_lines) if all.clone().count() <= *n_lines => all.collect(),
        Code::Lines(n_lines) => {
            let mut best = place.named_at.iter().chain(&place.matching).copied();
            let mut picked = BTreeSet::new();
            while picked.len() < *n_lines
                && let Some(line) = best.next()
            {
                picked.insert(line);
            }
            if picked.is_empty() {
                picked.insert(place.first_line);
            }
            picked
        }
    };
    let is_near = |line: &u32| wanted.iter().any(|shown| shown.abs_diff(*line) <= context);
    let lines = place
        .lines
        .iter()
        .filter(|(line, text)| is_near(line) && !text.trim().is_empty());
    lines.map(|(line, text)| (*line, text.as_str())).collect()
}

/// What a file and its places were ranked by. The text says it of the best place.
fn explain(hit: &RankedHit, text: &mut String, json: &mut Value) {
    let of_file = known(FEATURES, hit.features.values());
    text.push_str(&format!("\n  file: {}", terms(&of_file)));
    json["features"] = by_name(&of_file);
    let places = hit.places.iter().enumerate().map(|(at, place)| {
        let of_place = known(PLACE_FEATURES, place.features.values());
        if at == 0 {
            text.push_str(&format!("\n  place: {}", terms(&of_place)));
        }
        json!({ "start_line": place.first_line, "end_line": place.last_line, "features": by_name(&of_place) })
    });
    json["places"] = places.collect();
}

/// A feature with its value and its weight.
type Feature = (&'static str, f32, f32);

fn known(features: &'static [(&'static str, f32)], values: Vec<f32>) -> Vec<Feature> {
    let all = features.iter().zip(values).filter(|(_, value)| *value != 0.0);
    all.map(|((name, weight), value)| (*name, value, *weight)).collect()
}

fn terms(known: &[Feature]) -> String {
    let terms = known.iter();
    let terms = terms.map(|(name, value, weight)| format!("{name} {value:.2} x {weight}"));
    terms.collect::<Vec<_>>().join(" + ")
}

fn by_name(known: &[Feature]) -> Value {
    let features = known.iter().map(|(name, value, _)| ((*name).to_owned(), json!(value)));
    features.collect::<Map<String, Value>>().into()
}
