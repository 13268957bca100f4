//! What a tool answers: rows and what stands around them, once, for text and JSON; and pages that fit a budget.

use std::{collections::BTreeMap, fmt::Write};

use serde_json::{Map, Value, json};
use workspace::{Coverage, ExactState, MissedFiles, Snapshot};

use crate::{
    error::ToolError,
    tokens,
    units::count,
    visible::{fenced, make_visible, visible, visible_name},
};

/// Rows from the page's first on, and everything around them.
#[derive(Debug, Default)]
pub(crate) struct Answer {
    /// Lines before the rows.
    pub head: String,
    /// The field of the rows in JSON; empty for answers that are not a list.
    pub key: &'static str,
    pub rows: Vec<Row>,
    /// The fields of an answer of several lists. Each row then says which it is in: `{"callers": {...}}`.
    pub lists: Vec<&'static str>,
    /// Lines above groups of rows, with the number of the first row among those of all pages. Repeated where a page
    /// begins inside a group.
    pub titles: Vec<(usize, String)>,
    /// How many lines of a row only say what it goes on with, by its number among those of all pages. Behind the row before
    /// it they are not needed.
    pub repeated: BTreeMap<usize, usize>,
    /// How many rows there are on all pages.
    pub total: usize,
    /// Lines after the rows.
    pub tail: String,
    /// Further fields in JSON.
    pub facts: Map<String, Value>,
    pub coverage: Option<Value>,
    /// See `Made`.
    pub files: u16,
    /// Say as of when it is.
    pub says_age: bool,
    /// What answered; empty means what its tool says.
    pub engines: &'static [&'static str],
    /// How to ask for less, shown when not everything fits.
    pub narrower: &'static str,
    /// Say at the top that not everything is shown, not only at the end.
    pub warn: bool,
    /// A body that does not fit goes on on the next page: it is what was asked for.
    pub goes_on: bool,
    /// The text is the JSON, whatever the format.
    pub only_json: bool,
}

/// One item of the list.
#[derive(Debug, Default)]
pub(crate) struct Row {
    /// The text, without a final line break.
    pub text: String,
    pub json: Value,
    /// A longer text, shown fenced below `text` and as this field of `json`. It may be cut to fit.
    pub body: Option<Body>,
}

#[derive(Debug)]
pub(crate) struct Body {
    pub field: &'static str,
    pub lang: &'static str,
    pub text: String,
    /// Lines with their numbers, some of which the row before or behind it may show too: the text has them once.
    pub is_numbered: bool,
}

impl Answer {
    /// The least that can be said: the lines before the rows.
    pub fn brief(&self) -> Answer {
        let mut brief = Answer {
            head: self.head.clone(),
            tail: "The rest does not fit: raise max_tokens.".to_owned(),
            coverage: self.coverage.clone(),
            ..Answer::default()
        };
        brief.fact("head", self.head.as_str());
        brief
    }

    /// An answer that is not a list.
    pub fn of(head: impl Into<String>, facts: Value) -> Answer {
        let facts = match facts {
            Value::Object(facts) => facts,
            other => Map::from_iter([("value".to_owned(), other)]),
        };
        Answer {
            head: head.into(),
            facts,
            ..Answer::default()
        }
    }

    fn made(&self) -> Made {
        Made {
            total: self.total,
            files: self.files,
        }
    }

    pub fn fact(&mut self, key: &str, value: impl Into<Value>) {
        self.facts.insert(key.to_owned(), value.into());
    }

    /// Says what answered, if that is not said yet.
    pub fn by(mut self, engines: &'static [&'static str]) -> Answer {
        if self.engines.is_empty() {
            self.engines = engines;
        }
        self
    }

    /// Says what was looked at; in the text only what a reader must know.
    pub fn covering(self, snapshot: &Snapshot) -> Answer {
        self.covered_by(&snapshot.coverage())
    }

    pub fn covered_by(mut self, coverage: &Coverage) -> Answer {
        self.files = coverage.digest as u16;
        let partly = coverage.vectors.filter(|_| self.engines.contains(&"vectors"));
        let vectors = partly.map(|(chunks, of)| {
            format!(
                "Partial: vectors: {} of {} chunks; the others are not compared by meaning.",
                count(chunks),
                count(of)
            )
        });
        let part = coverage.part.as_ref().filter(|_| self.engines.contains(&"graph"));
        let part = part.map(|part| {
            let part = visible_name(part);
            format!("This workspace is `{part}` of its repository: nothing outside of that was looked at.")
        });
        let is_current = self.says_age && coverage.behind.is_none() && coverage.complete;
        let age = is_current.then(|| format!("Index: generation {}, up to date", coverage.generation));
        let undone = coverage.undone.as_ref().filter(|undone| undone.is_news());
        let undone = undone.map(|undone| visible_name(&undone.text()));
        for line in coverage_lines(coverage)
            .into_iter()
            .chain(vectors)
            .chain(undone.clone())
            .chain(part)
            .chain(age)
        {
            if !self.tail.is_empty() {
                self.tail.push('\n');
            }
            self.tail.push_str(&line);
        }
        let mut json = coverage_json(coverage);
        if let Some(undone) = undone {
            json["undone"] = undone.into();
        }
        if let Some((chunks, of)) = partly {
            json["vectors"] = json!({ "chunks": chunks, "of": of });
        }
        let mut engines = self.engines.to_vec();
        engines.extend(
            coverage
                .exact
                .iter()
                .filter(|exact| exact.answered > 0)
                .map(|exact| exact.engine),
        );
        json["engines"] = json!(engines);
        self.coverage = Some(json);
        self
    }
}

fn coverage_lines(coverage: &Coverage) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(reason) = &coverage.behind {
        lines.push(format!(
            "Behind: the index could not be brought up to date ({reason}); this is as of generation {}.",
            coverage.generation
        ));
        return lines;
    }
    match (coverage.complete, coverage.pending) {
        (true, _) => {}
        (false, Some(pending)) => {
            lines.push(format!(
                "Partial: {pending} files are still being indexed, those with words of the question first; ask again for the \
                 rest."
            ));
        }
        (false, None) => lines.push("Partial: the index is still being built; ask again for the rest.".into()),
    }
    let MissedFiles { shown, total } = &coverage.missed;
    if !shown.is_empty() {
        let named = shown
            .iter()
            .map(|file| format!("{} ({})", visible_name(&file.path), file.reason));
        let named: Vec<String> = named.collect();
        let more = match total - shown.len() {
            0 => String::new(),
            more => format!(" and {more} more; see index_status"),
        };
        lines.push(format!("Not searched: {}{more}.", named.join(", ")));
    }
    if let Some(exact) = coverage.exact.as_ref().filter(|exact| exact.late > 0) {
        let line = match &exact.state {
            ExactState::Failed(reason) => format!("{} does not help here: {reason}.", exact.engine),
            _ => format!(
                "{} is still at work: a server that is asked again has exact rows.",
                exact.engine
            ),
        };
        lines.push(line);
    }
    lines
}

fn coverage_json(coverage: &Coverage) -> Value {
    let mut json = json!({ "generation": coverage.generation, "complete": coverage.complete });
    if let Some(pending) = coverage.pending {
        json["pending"] = pending.into();
    }
    let missed = coverage.missed.shown.iter();
    let missed: Vec<Value> = missed
        .map(|file| json!({ "path": file.path, "reason": file.reason }))
        .collect();
    if !missed.is_empty() {
        json["skipped"] = missed.into();
    }
    if let Some(part) = &coverage.part {
        json["part"] = json!(part);
    }
    if let Some(exact) = &coverage.exact {
        json["exact"] = json!({ "engine": exact.engine, "answered": exact.answered, "late": exact.late });
        if let ExactState::Ready(loaded) = &exact.state {
            json["exact"]["missing"] = json!(loaded.missing.len());
            json["exact"]["standard_library"] = json!(loaded.has_standard_library);
        }
    }
    json
}

/// An answer made into its two forms.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Page {
    pub text: String,
    pub json: Value,
}

/// What a page needs from the call that it answers.
pub(crate) struct Paging<'p> {
    pub offset: usize,
    pub max_tokens: u64,
    pub sent: Sent,
    /// Characters of the first row's body that the page before has shown.
    pub skip: usize,
    /// What the page before was made of, if there was one.
    pub before: Option<Made>,
    /// Stands for the call.
    pub identity: &'p str,
}

/// Which forms of an answer its reader gets; each of them has to fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sent {
    Text,
    Json,
    Both,
}

impl Paging<'_> {
    /// As many rows as fit, in both forms. If not even one does, its body is cut, and the next page goes on there; never the
    /// list of rows.
    pub fn page(&self, mut answer: Answer) -> Result<Page, ToolError> {
        let now = answer.made();
        if let Some(then) = self.before.filter(|then| *then != now) {
            let what = match then.total == now.total {
                true => "Files changed since the page before".to_owned(),
                false => format!("Changed since the page before, of {}", then.total),
            };
            let note = format!(
                "{what}: rows may be missing here, or come again. Ask without the cursor for a list that is whole."
            );
            answer.head = format!("{note}\n{}", answer.head);
            if let Some(coverage) = &mut answer.coverage {
                coverage["note"] = note.into();
            }
        }
        if let Some(body) = answer.rows.first_mut().and_then(|row| row.body.as_mut())
            && self.skip > 0
        {
            body.text = body.text.chars().skip(self.skip).collect();
        }
        let whole = self.render(&answer, answer.rows.len(), None);
        if self.fits(&whole) {
            return Ok(whole);
        }
        let rows = most_below(answer.rows.len(), |rows| self.fits(&self.render(&answer, rows, None)));
        if rows == 0 && !answer.rows.is_empty() {
            return self.cut_first(&mut answer);
        }
        let page = self.render(&answer, rows, None);
        if self.fits(&page) {
            Ok(page)
        } else {
            Err(self.too_small(&page))
        }
    }

    fn fits(&self, page: &Page) -> bool {
        self.cost(page) <= self.max_tokens
    }

    fn cost(&self, page: &Page) -> u64 {
        let text = || tokens::count(&page.text);
        let json = || tokens::count(&page.json.to_string());
        match self.sent {
            Sent::Text => text(),
            Sent::Json => json(),
            Sent::Both => text().max(json()),
        }
    }

    fn too_small(&self, page: &Page) -> ToolError {
        let needed = self.cost(page);
        ToolError::new(
            crate::error::code::INVALID_PARAMS,
            format!("max_tokens {} is too small for this answer", self.max_tokens),
            format!("give at least {}", needed.next_multiple_of(100) + 100),
        )
    }

    /// The first row with the longest beginning of its body that fits.
    fn cut_first(&self, answer: &mut Answer) -> Result<Page, ToolError> {
        let Some(body) = &mut answer.rows[0].body else {
            return Err(self.too_small(&self.render(answer, 1, None)));
        };
        let whole = std::mem::take(&mut body.text);
        let ends: Vec<usize> = whole.char_indices().map(|(at, _)| at).collect();
        let cut = |answer: &mut Answer, kept: usize| {
            let hidden = ends.len() - kept;
            let rest = match answer.goes_on {
                true => "on the next page",
                false => "raise max_tokens or use read_file",
            };
            if let Some(body) = &mut answer.rows[0].body {
                body.text = format!("{}\n... ({hidden} more characters: {rest})", &whole[..ends[kept]]);
            }
            self.render(answer, 1, answer.goes_on.then_some(kept))
        };
        let most = most_below(ends.len(), |kept| self.fits(&cut(answer, kept)));
        if most == 0 {
            return Err(self.too_small(&self.render(answer, 1, None)));
        }
        // At the end of a line, if there is one.
        let line = whole[..ends[most]].rfind('\n').map(|end| whole[..end].chars().count());
        let kept = line.filter(|kept| *kept > 0).unwrap_or(most);
        Ok(cut(answer, kept))
    }

    /// An answer as it is, whether it fits or not.
    pub fn whole(&self, answer: &Answer) -> Page {
        self.render(answer, answer.rows.len(), None)
    }

    /// Whether an answer fits as it is, for tools that shorten their answer themselves.
    pub fn fits_whole(&self, answer: &Answer) -> bool {
        self.fits(&self.render(answer, answer.rows.len(), None))
    }

    /// Some rows, of which the only one may be cut behind so many characters.
    fn render(&self, answer: &Answer, rows: usize, cut: Option<usize>) -> Page {
        let shown = &answer.rows[..rows];
        let next = self.offset + rows - usize::from(cut.is_some());
        let more = answer.total.saturating_sub(next);
        let is_list = !answer.key.is_empty() || !answer.lists.is_empty();
        let next_cursor = (more > 0 && is_list).then(|| Place {
            offset: next,
            skip: cut.map_or(0, |cut| self.skip + cut),
            before: Some(answer.made()),
        });
        let next_cursor = next_cursor.map(|place| place.cursor(self.identity));
        Page {
            text: text(answer, self.offset, shown, more, next_cursor.as_deref()),
            json: json(answer, shown, next_cursor),
        }
    }
}

/// The most that fits of what is known not to fit as a whole: a number below `all`. It is not asked whether nothing fits.
pub(crate) fn most_below(all: usize, mut fits: impl FnMut(usize) -> bool) -> usize {
    // Invariant: `high` does not fit; `low` does, unless it is nothing.
    let (mut low, mut high) = (0, all);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if fits(middle) { low = middle } else { high = middle }
    }
    low
}

/// What an answer is made of: two that differ in this need not have the same rows in the same places.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Made {
    pub total: usize,
    /// Stands for what is in all files; 0 where the answer comes from elsewhere.
    pub files: u16,
}

/// Where a page begins. Its cursor also says of which call the page before was, and what that was made of.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Place {
    pub offset: usize,
    pub skip: usize,
    pub before: Option<Made>,
}

impl Place {
    fn cursor(&self, identity: &str) -> String {
        let mut out = format!("p{}", self.offset);
        if self.skip > 0 {
            let _ = write!(out, "+{}", self.skip);
        }
        let _ = write!(out, ".{identity}");
        if let Some(Made { total, files }) = self.before {
            let _ = write!(out, ".{total}.{files:x}");
        }
        out
    }

    /// The place and the identity that a cursor has, if it is one.
    pub fn parse(cursor: &str) -> Option<(Place, &str)> {
        let (place, rest) = cursor.strip_prefix('p')?.split_once('.')?;
        let (offset, skip) = place.split_once('+').unwrap_or((place, "0"));
        let (identity, before) = match rest.split_once('.') {
            Some((identity, made)) => (identity, Some(Made::parse(made)?)),
            None => (rest, None),
        };
        let place = Place {
            offset: offset.parse().ok()?,
            skip: skip.parse().ok()?,
            before,
        };
        Some((place, identity))
    }
}

impl Made {
    fn parse(text: &str) -> Option<Made> {
        let (total, files) = text.split_once('.')?;
        Some(Made {
            total: total.parse().ok()?,
            files: u16::from_str_radix(files, 16).ok()?,
        })
    }
}

fn text(answer: &Answer, offset: usize, rows: &[Row], more: usize, cursor: Option<&str>) -> String {
    let mut out = answer.head.clone();
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
    for (at, row) in (offset..).zip(rows) {
        let title = match answer.titles.partition_point(|(first, _)| *first <= at) {
            0 => None,
            last => Some(&answer.titles[last - 1]),
        };
        if let Some((_, title)) = title.filter(|(first, _)| *first == at || at == offset) {
            let _ = write!(out, "\n\n{title}");
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
            if !body.is_numbered {
                let _ = write!(out, "\n{}", fenced(body.lang, &visible(&body.text)));
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
        let _ = write!(out, "\n\n{more} more: cursor \"{cursor}\"");
        if !answer.narrower.is_empty() {
            // What the budget cut off is not had by asking for more rows.
            let narrower = match rows.len() < answer.rows.len() {
                true => answer.narrower.replace("max_results", "max_tokens"),
                false => answer.narrower.to_owned(),
            };
            let _ = write!(out, ", or {narrower}");
        }
    }
    if !answer.tail.is_empty() {
        let _ = write!(out, "\n\n{}", answer.tail);
    }
    visible(&out).into_owned()
}

/// A text without its first lines.
fn behind_lines(text: &str, lines: usize) -> &str {
    let end = text.match_indices('\n').nth(lines.saturating_sub(1));
    end.map_or(text, |(at, _)| &text[at + 1..])
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
    body.is_numbered && behind.is_numbered && touches && is_behind && row.json["path"] == next.json["path"]
}

fn json(answer: &Answer, rows: &[Row], next_cursor: Option<String>) -> Value {
    let mut fields = Map::new();
    if !answer.key.is_empty() {
        // A definition says all that it is called, and other rows what their name does not say.
        let is_definition = matches!(answer.key, "definitions" | "candidates");
        let rows = rows.iter().map(|row| match is_definition {
            true => with_body(row.json.clone(), row),
            false => with_body(lean(row.json.clone()), row),
        });
        fields.insert(answer.key.to_owned(), rows.collect());
        fields.insert("total".to_owned(), answer.total.into());
    }
    fields.extend(answer.facts.clone());
    for list in &answer.lists {
        let items = rows.iter().filter_map(|row| {
            let item = row.json.get(list)?;
            let item = match *list {
                "changed" => item.clone(),
                _ => lean(item.clone()),
            };
            Some(with_body(item, row))
        });
        fields.insert((*list).to_owned(), items.collect());
    }
    if !answer.lists.is_empty() {
        fields.insert("total".to_owned(), answer.total.into());
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
