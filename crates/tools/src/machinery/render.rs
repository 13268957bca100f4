//! An answer as text and as JSON.

use std::fmt::Write;

use serde_json::{Map, Value};

use crate::machinery::{
    answer::{Answer, Groups, PagingMode, Resumed, Row},
    visible::{fenced, make_visible, visible},
};

pub(crate) fn text(answer: &Answer, offset: usize, rows: &[Row], more: usize, cursor: Option<(&str, &str)>) -> String {
    let above = [answer.warning.as_str(), answer.head.as_str()];
    let above = above.into_iter().filter(|part| !part.is_empty());
    let mut out = above.collect::<Vec<_>>().join("\n");
    if answer.warn && rows.len() < answer.total {
        let hidden = answer.total - rows.len();
        let _ = write!(
            out,
            "\nWARNING: truncated to {} of {}; not shown: {hidden}",
            rows.len(),
            answer.total
        );
    }
    let mut shared: Vec<&str> = Vec::new();
    let order = answer.order(offset, rows.len());
    for (place, at) in order.iter().copied().enumerate() {
        let row = &rows[at - offset];
        let resumed = answer.resumed.get(&at);
        let resumed = resumed.filter(|resumed| place > 0 && order[place - 1] == resumed.behind);
        if let Some(title) = title(answer, at, at == offset, resumed) {
            let _ = write!(out, "\n\n{title}");
        }
        let behind = answer.behind.get(&at).filter(|_| at > offset);
        if let Some(text) = behind.or(resumed.and_then(|resumed| resumed.text.as_ref())) {
            out.push_str(text);
            continue;
        }
        let repeated = answer.repeated.get(&at).filter(|_| at > offset);
        let row_text = repeated.map_or(row.text.as_str(), |lines| behind_lines(&row.text, *lines));
        if !out.is_empty() && !row_text.is_empty() {
            // Rows with a body are blocks, others lines.
            out.push_str(if row.body.is_some() && shared.is_empty() {
                "\n\n"
            } else {
                "\n"
            });
        }
        out.push_str(row_text);
        if let Some(body) = &row.body {
            if body.numbered_in.is_none() {
                let code = match body.first_line {
                    Some(first) => numbered(first, &visible(&body.text), body.is_continued),
                    None => visible(&body.text).into_owned(),
                };
                let _ = write!(out, "\n{}", fenced(body.lang, &code));
                continue;
            }
            add_lines(&mut shared, &body.text);
            let is_titled = answer.titles.iter().any(|(first, _)| *first == at + 1);
            let next = rows.get(at + 1 - offset).filter(|_| !is_titled);
            if next.is_some_and(|next| goes_on_in(row, next)) {
                continue;
            }
            let _ = write!(out, "\n{}", fenced(body.lang, &visible(&shared.join("\n"))));
            shared.clear();
        }
    }
    if let Some(cursor) = cursor {
        let more = match answer.is_ranked {
            true => "More".to_owned(),
            false => format!("{more} more"),
        };
        let (name, cursor) = cursor;
        let _ = write!(out, "\n\n{more}: {name} \"{cursor}\"");
        if !answer.narrower.is_empty() {
            // What the budget cut off is not had by asking for more rows.
            let narrower = match rows.len() < answer.rows.len() {
                true => answer.narrower.replace("max_results", "max_tokens"),
                false => answer.narrower.to_string(),
            };
            let _ = write!(out, ", or {narrower}");
        }
    }
    if answer.mode == PagingMode::Report && more > 0 {
        let _ = write!(out, "\n\n{more} more; {}", answer.narrower);
    }
    if !answer.tail.is_empty() {
        let _ = write!(out, "\n\n{}", answer.tail);
    }
    visible(&out).into_owned()
}

/// The title above a row, if it needs one.
fn title<'a>(answer: &'a Answer, at: usize, is_first: bool, resumed: Option<&'a Resumed>) -> Option<&'a str> {
    if let Some(resumed) = resumed {
        return resumed.title.as_deref();
    }
    let begun = answer.titles.partition_point(|(first, _)| *first <= at);
    let (first, title) = &answer.titles[begun.checked_sub(1)?];
    (*first == at || is_first).then_some(title.as_str())
}

/// A text without its first lines.
fn behind_lines(text: &str, lines: usize) -> &str {
    let end = text.match_indices('\n').nth(lines.saturating_sub(1));
    end.map_or(text, |(at, _)| &text[at + 1..])
}

/// Lines as `12: code`. The note on what was cut off behind them has no number, nor the end of a line that the page before
/// has shown.
pub(crate) fn numbered(first: u32, code: &str, is_continued: bool) -> String {
    let lines: Vec<&str> = code.trim_end_matches('\n').split('\n').collect();
    let shown = (first..).zip(&lines).enumerate().filter_map(|(at, (number, line))| {
        if is_continued && at == 0 && line.is_empty() {
            return None;
        }
        let is_note = at > 0 && at + 1 == lines.len() && line.starts_with("... (");
        Some(if is_note {
            (*line).to_owned()
        } else {
            format!("{number}: {line}")
        })
    });
    shown.collect::<Vec<_>>().join("\n")
}

/// The number that a line begins with: `12: code`.
fn number_of(line: &str) -> Option<u32> {
    line.split_once(':')?.0.parse().ok()
}

/// The lines of a body behind those that are there already.
fn add_lines<'b>(shown: &mut Vec<&'b str>, body: &'b str) {
    let last = shown.last().and_then(|line| number_of(line));
    let is_new = |line: &&str| last.is_none_or(|last| number_of(line).is_none_or(|number| number > last));
    shown.extend(body.lines().filter(is_new));
}

/// Whether the lines of the next row touch those of this one.
fn goes_on_in(row: &Row, next: &Row) -> bool {
    let (Some(body), Some(behind)) = (&row.body, &next.body) else {
        return false;
    };
    let last = body.text.lines().last().and_then(number_of);
    let first = behind.text.lines().next().and_then(number_of);
    let touches = last.zip(first).is_some_and(|(last, first)| first <= last + 1);
    let is_behind = number_of(&body.text) <= number_of(&behind.text);
    let is_same_file = body.numbered_in.is_some() && body.numbered_in == behind.numbered_in;
    is_same_file && touches && is_behind
}

pub(crate) fn json(answer: &Answer, offset: usize, rows: &[Row], next_cursor: Option<String>) -> Value {
    let mut fields = Map::new();
    let is_grouped = answer.groups.is_some();
    if let Some(groups) = &answer.groups {
        fields.insert("groups".to_owned(), groups_json(answer, groups, offset, rows));
    } else if !answer.key.is_empty() {
        fields.insert(answer.key.to_owned(), list_json(answer, answer.key, rows.iter()));
    }
    let is_list = !answer.key.is_empty() || !answer.lists.is_empty();
    if is_list {
        fields.insert("total".to_owned(), answer.counted.unwrap_or(answer.total).into());
    }
    fields.extend(answer.facts.clone());
    if !is_grouped {
        for list in &answer.lists {
            fields.insert((*list).to_owned(), items_json(answer, list, rows.iter()));
        }
        if !answer.lists.is_empty() {
            // Behind the lists.
            let total = fields.shift_remove("total");
            fields.extend(total.map(|total| ("total".to_owned(), total)));
        }
    }
    if let Some(cursor) = next_cursor {
        fields.insert("next_cursor".to_owned(), cursor.into());
    }
    if let Some(coverage) = &answer.coverage {
        fields.insert("coverage".to_owned(), coverage.clone());
    }
    let mut json = Value::Object(fields);
    make_visible(&mut json);
    json
}

/// The rows of a list. A definition says all that it is called, and other rows what their name does not say.
fn list_json<'r>(answer: &Answer, key: &str, rows: impl Iterator<Item = &'r Row>) -> Value {
    rows.map(|row| with_body(item_json(answer, key, row.json.clone()), row))
        .collect()
}

fn item_json(answer: &Answer, list: &str, json: Value) -> Value {
    match answer.definitions.contains(&list) {
        true => json,
        false => lean(json),
    }
}

/// The items of one of several lists.
fn items_json<'r>(answer: &Answer, list: &str, rows: impl Iterator<Item = &'r Row>) -> Value {
    let items = rows.filter_map(|row| {
        let item = row.json.get(list)?.clone();
        Some(with_body(item_json(answer, list, item), row))
    });
    items.collect()
}

/// All groups on the first page, and on others those that have rows there.
fn groups_json(answer: &Answer, groups: &Groups, offset: usize, rows: &[Row]) -> Value {
    let mut of_group: Vec<Vec<&Row>> = groups.facts.iter().map(|_| Vec::new()).collect();
    let mut has_rows = vec![offset == 0; groups.facts.len()];
    for (at, row) in (offset..).zip(rows) {
        let run = groups.starts.partition_point(|(first, _)| *first <= at);
        if let Some((_, group)) = run.checked_sub(1).map(|run| groups.starts[run]) {
            has_rows[group] = true;
            // The row of a group without results has none.
            of_group[group].extend(Some(row).filter(|row| !row.json.is_null()));
        }
    }
    let groups = groups.facts.iter().zip(of_group).zip(has_rows);
    let groups = groups.filter(|(_, has_rows)| *has_rows).map(|((facts, rows), _)| {
        let mut fields = facts.clone();
        if !answer.key.is_empty() {
            fields.insert(
                answer.key.to_owned(),
                list_json(answer, answer.key, rows.iter().copied()),
            );
        }
        for list in &answer.lists {
            fields.insert((*list).to_owned(), items_json(answer, list, rows.iter().copied()));
        }
        Value::Object(fields)
    });
    groups.collect()
}

/// A row without a qualified name that is its name.
fn lean(mut json: Value) -> Value {
    if let Some(fields) = json.as_object_mut()
        && fields.contains_key("name")
        && fields.get("qualified_name") == fields.get("name")
    {
        fields.shift_remove("qualified_name");
    }
    json
}

fn with_body(mut json: Value, row: &Row) -> Value {
    if let (Some(body), Some(fields)) = (&row.body, json.as_object_mut()) {
        fields.insert(body.field.to_owned(), Value::String(body.text.clone()));
    }
    json
}
