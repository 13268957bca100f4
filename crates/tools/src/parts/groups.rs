//! Several definitions of one name, answered side by side: some rows of each on the first page, then the rest of each.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::{
    machinery::{
        answer::{Answer, Groups, Resumed, Row},
        error::ToolError,
        tool::Ctx,
        units::first_few,
        visible::visible_name,
    },
    parts::{
        definition,
        subject::{self, Several, named_place},
    },
};

/// Definitions beyond those that are answered are named in the text up to so many.
const SHOWN_FURTHER: usize = 10;

/// An answer with more rows says first what there is of each definition: a page may end before the last of them begins.
const FEW_ROWS: usize = 40;

/// A row, and its text behind the row before it where that is another.
pub(crate) type MadeRow = (Row, Option<String>);

/// What is answered about one of the definitions.
pub(crate) struct Part<'p> {
    /// `3 callers`
    pub counted: String,
    /// The lines above its rows.
    pub title: String,
    /// Its fields in JSON, but for its rows.
    pub facts: Map<String, Value>,
    pub n_rows: usize,
    /// Makes one row.
    pub row: Box<dyn Fn(usize) -> Result<MadeRow, ToolError> + 'p>,
    /// Further titles inside of it, by its own rows.
    pub titles: Vec<(usize, String)>,
    /// See `Answer`, by its own rows.
    pub resumed: BTreeMap<usize, Resumed>,
}

impl<'p> Part<'p> {
    /// A definition with a line of what was found, and the rows below.
    pub fn new(
        subject: &queries::Subject,
        (total, counted): (usize, String),
        lines: &str,
        n_rows: usize,
        row: impl Fn(usize) -> Result<MadeRow, ToolError> + 'p,
    ) -> Part<'p> {
        let mut facts = Map::new();
        facts.insert("symbol".to_owned(), subject::json_of(subject));
        facts.insert("total".to_owned(), total.into());
        Part {
            counted,
            title: format!("{}\n  {}", subject::heading(subject), lines.replace('\n', "\n  ")),
            facts,
            n_rows,
            row: Box::new(row),
            titles: Vec::new(),
            resumed: BTreeMap::new(),
        }
    }
}

/// Which fields the rows are in.
pub(crate) enum Fields {
    /// One list.
    Key(&'static str),
    /// Several; each row says which.
    Lists(Vec<&'static str>),
}

/// A row of a part; nothing where a part has none.
type Entry = (usize, Option<usize>);

/// The answer that has all of the parts.
pub(crate) fn answer(
    ctx: &Ctx<'_>,
    several: &Several,
    parts: &[Part<'_>],
    fields: Fields,
    max_rows: usize,
) -> Result<Answer, ToolError> {
    let plan = plan(parts, max_rows);
    let mut answer = Answer {
        head: head(several, parts, plan.len()),
        total: plan.len(),
        counted: Some(
            parts
                .iter()
                .filter_map(|part| part.facts["total"].as_u64())
                .sum::<u64>() as usize,
        ),
        narrower: "ask about one of them by file and line".into(),
        ..Answer::default()
    };
    match fields {
        Fields::Key(key) => answer.key = key,
        Fields::Lists(lists) => answer.lists = lists,
    }
    let mut groups = Groups {
        facts: parts.iter().map(|part| part.facts.clone()).collect(),
        starts: Vec::new(),
    };
    let mut last: Option<usize> = None;
    // Where each row of each part is.
    let mut places: Vec<Vec<usize>> = vec![Vec::new(); parts.len()];
    for (at, (part, row)) in plan.iter().enumerate() {
        let is_new = last.is_none_or(|last| last != *part);
        if is_new {
            groups.starts.push((at, *part));
        }
        let own = &parts[*part];
        let has_begun = !places[*part].is_empty();
        if let Some(title) = title(own, *row, is_new, has_begun) {
            answer.titles.push((at, title));
        }
        let resumed = match row {
            Some(row) => own.resumed.get(row).cloned(),
            None => None,
        };
        if let Some(resumed) = resumed {
            let behind = places[*part][resumed.behind];
            answer.resumed.insert(at, Resumed { behind, ..resumed });
        } else if let (true, true, Some(row), Some(behind)) = (is_new, has_begun, row, places[*part].last()) {
            let title = own.titles.iter().find(|(first, _)| first == row);
            answer.resumed.insert(
                at,
                Resumed {
                    behind: *behind,
                    title: title.map(|(_, title)| title.clone()),
                    text: None,
                },
            );
        }
        places[*part].push(at);
        last = Some(*part);
    }
    for (at, (part, row)) in plan.iter().enumerate().skip(ctx.paging.offset).take(max_rows) {
        let (row, behind) = match row {
            Some(row) => (parts[*part].row)(*row)?,
            None => (Row::default(), None),
        };
        answer.rows.push(row);
        let is_titled = answer.titles.binary_search_by_key(&at, |(first, _)| *first).is_ok();
        match (answer.resumed.get_mut(&at), behind) {
            (Some(resumed), Some(behind)) if resumed.title.is_none() => resumed.text = Some(behind),
            (None, Some(behind)) if !is_titled => {
                answer.behind.insert(at, behind);
            }
            _ => {}
        }
    }
    answer.groups = Some(Box::new(groups));
    answer.fact("candidates_total", several.total);
    if !several.further.is_empty() {
        let further = several.further.iter().map(definition::json);
        answer.fact("candidates", further.collect::<Vec<Value>>());
        let more = several.total - parts.len();
        answer.tail = format!(
            "{more} more defined, not answered: {}{}",
            first_few(several.further.iter().map(named_place), SHOWN_FURTHER),
            match more - several.further.len() {
                0 => String::new(),
                _ => "; find_symbol lists all".to_owned(),
            }
        );
    }
    Ok(answer)
}

fn head(several: &Several, parts: &[Part<'_>], rows: usize) -> String {
    let answered = match several.total - parts.len() {
        0 => ", most used first".to_owned(),
        _ => format!("; the {} most used are answered", parts.len()),
    };
    let mut head = format!("{} has {} definitions{answered}", several.asked, several.total);
    if rows > FEW_ROWS {
        for (part, subject) in parts.iter().zip(&several.subjects) {
            head.push_str(&format!("\n- {}: {}", named_place(&subject.hit), part.counted));
        }
    }
    head
}

/// The title where a part, or a list inside of it, begins or goes on.
fn title(part: &Part<'_>, row: Option<usize>, is_new: bool, has_begun: bool) -> Option<String> {
    let inner = row.and_then(|row| {
        let begun = part.titles.partition_point(|(first, _)| *first <= row);
        let (first, title) = part.titles[..begun].last()?;
        (is_new || *first == row).then(|| title.clone())
    });
    let outer = is_new.then(|| match has_begun {
        false => part.title.clone(),
        true => format!("{}, further", part.title.lines().next().unwrap_or_default()),
    });
    match (outer, inner) {
        (Some(outer), Some(inner)) => Some(format!("{outer}\n{inner}")),
        (outer, inner) => outer.or(inner),
    }
}

/// Which row comes when: all of each part where they are few, otherwise as many of each as fit on a page, then the rest.
fn plan(parts: &[Part<'_>], max_rows: usize) -> Vec<Entry> {
    let sum = |quota: usize| -> usize { parts.iter().map(|part| part.n_rows.clamp(1, quota.max(1))).sum() };
    let most = parts.iter().map(|part| part.n_rows).max().unwrap_or(0);
    let mut quota = 1;
    while quota < most && sum(quota + 1) <= max_rows {
        quota += 1;
    }
    let entries = |part: usize, rows: std::ops::Range<usize>| rows.map(move |row| (part, Some(row)));
    let first = parts.iter().enumerate().flat_map(|(at, part)| {
        let none = (part.n_rows == 0).then_some((at, None));
        none.into_iter().chain(entries(at, 0..part.n_rows.min(quota)))
    });
    let rest = parts.iter().enumerate();
    let rest = rest.flat_map(|(at, part)| entries(at, part.n_rows.min(quota)..part.n_rows));
    first.chain(rest).collect()
}

/// `Store.get src/store.py:12` as a call of a tool takes it: `src/store.py:12`.
pub(crate) fn place_argument(hit: &queries::SymbolHit) -> String {
    format!("{}:{}", visible_name(&hit.path), hit.line)
}
