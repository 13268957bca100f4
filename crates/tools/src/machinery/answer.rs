//! What a tool answers: rows and what stands around them, once, for text and JSON.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::machinery::{paging::ResultFingerprint, tool::Engine, visible::visible_name};

/// Rows from the page's first on, and everything around them.
#[derive(Debug, Default, Clone)]
pub(crate) struct Answer {
    /// The first line of the text, above `head`: that the index is incomplete or outdated. Empty if it is neither.
    pub warning: String,
    /// Lines before the rows.
    pub head: String,
    /// The field of the rows in JSON; empty for answers that are not a list.
    pub key: &'static str,
    pub rows: Vec<Row>,
    /// The fields of an answer of several lists. Each row then says which it is in: `{"callers": {...}}`.
    pub lists: Vec<&'static str>,
    /// Lists, of `key` and `lists`, whose rows are definitions that were asked for: they say all that they are called.
    pub definitions: &'static [&'static str],
    /// Lines above groups of rows, with the number of the first row among those of all pages. Repeated where a page
    /// begins inside a group.
    pub titles: Vec<(usize, String)>,
    /// Where rows begin that go on with earlier ones, by the number of their first row. On a page that has those too, the
    /// text has them behind those, below one title.
    pub resumed: BTreeMap<usize, Resumed>,
    /// How many lines of a row only say what it goes on with, by its number among those of all pages. Behind the row before
    /// it they are not needed.
    pub repeated: BTreeMap<usize, usize>,
    /// Text that a row has behind the row before it, in place of its own text. Its own text is for the beginning of a page.
    pub behind: BTreeMap<usize, String>,
    /// Several definitions that are answered side by side; `key` or `lists` are then fields of each group.
    pub groups: Option<Box<Groups>>,
    /// How many rows there are on all pages.
    pub total: usize,
    /// `total` in JSON, where that is another number than that of the rows.
    pub counted: Option<usize>,
    /// How many rows there are says nothing: what matters is their order.
    pub is_ranked: bool,
    /// Lines after the rows.
    pub tail: String,
    /// Further fields in JSON.
    pub facts: Map<String, Value>,
    pub coverage: Option<Value>,
    /// See `ResultFingerprint`.
    pub files: u16,
    /// Say as of when it is.
    pub says_age: bool,
    /// What answered; empty means what its tool says.
    pub engines: &'static [Engine],
    /// How to ask for less, shown when not everything fits.
    pub narrower: Box<str>,
    /// Say at the top that not everything is shown, not only at the end.
    pub warn: bool,
    pub mode: PagingMode,
    /// The text is the JSON, whatever the format.
    pub only_json: bool,
}

/// What comes after a page on which not everything fits.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PagingMode {
    /// The further rows. A body that does not fit by itself is cut.
    #[default]
    Rows,
    /// The same, and a body that does not fit continues on the next page: it is what was asked for.
    Body,
    /// Nothing: it reports what this call has done, which no other call can be asked for.
    Report,
}

/// Rows that go on with others, which further rows have come after.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Resumed {
    /// The number of the row that they go on behind.
    pub behind: usize,
    /// The title that is needed there.
    pub title: Option<String>,
    /// The first row's text there, if it is another.
    pub text: Option<String>,
}

/// Several definitions that an answer is about.
#[derive(Debug, Default, Clone)]
pub(crate) struct Groups {
    /// The fields of each in JSON, but for its rows.
    pub facts: Vec<Map<String, Value>>,
    /// The group of each run of rows, with the number of its first row among those of all pages.
    pub starts: Vec<(usize, usize)>,
}

/// One item of the list.
#[derive(Debug, Default, Clone)]
pub(crate) struct Row {
    /// The text, without a final line break.
    pub text: String,
    pub json: Value,
    /// A longer text, shown fenced below `text` and as this field of `json`. It may be cut to fit.
    pub body: Option<Body>,
}

#[derive(Debug, Clone)]
pub(crate) struct Body {
    pub field: &'static str,
    pub lang: &'static str,
    pub text: String,
    /// The number of its first line, where the answer's text numbers the lines. The JSON field has them plain.
    pub first_line: Option<u32>,
    /// The page before has shown its beginning.
    pub is_continued: bool,
    /// The file of which these are numbered lines. The row before or behind it may show some of them too: the text has them
    /// once.
    pub numbered_in: Option<String>,
}

impl Answer {
    /// The least that can be said: the lines before the rows.
    pub fn brief(&self) -> Answer {
        let mut brief = Answer {
            warning: self.warning.clone(),
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

    /// The numbers of the rows of a page, in the order of its text.
    pub fn order(&self, offset: usize, rows: usize) -> Vec<usize> {
        let page = offset..offset + rows;
        let mut order: Vec<usize> = Vec::with_capacity(rows);
        let mut place = None;
        for at in page {
            if let Some(resumed) = self.resumed.get(&at) {
                let before = order.iter().position(|other| *other == resumed.behind);
                place = before.map(|before| before + 1);
            } else if let Some(groups) = &self.groups
                && groups.starts.binary_search_by_key(&at, |(first, _)| *first).is_ok()
            {
                place = None;
            }
            match &mut place {
                Some(place) => {
                    order.insert(*place, at);
                    *place += 1;
                }
                None => order.push(at),
            }
        }
        order
    }

    pub fn fingerprint(&self) -> ResultFingerprint {
        ResultFingerprint {
            total: self.total,
            files: self.files,
        }
    }

    /// Says which workspace it is about, where the caller has not named it.
    pub fn tell_workspace(&mut self, root: &str) {
        let shown = visible_name(root);
        let first = match self.warning.is_empty() {
            true => &mut self.head,
            false => &mut self.warning,
        };
        *first = match first.is_empty() {
            true => format!("In {shown}"),
            false => format!("In {shown}: {first}"),
        };
        self.fact("workspace", root);
    }

    pub fn fact(&mut self, key: &str, value: impl Into<Value>) {
        self.facts.insert(key.to_owned(), value.into());
    }

    /// Says what answered, if that is not said yet.
    pub fn by(mut self, engines: &'static [Engine]) -> Answer {
        if self.engines.is_empty() {
            self.engines = engines;
        }
        self
    }
}
