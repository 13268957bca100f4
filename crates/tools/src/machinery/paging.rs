//! Pages of an answer that fit a budget, and cursors from one to the next.

use std::fmt::Write;

use serde_json::Value;

use crate::machinery::{
    answer::{Answer, PagingMode},
    error::{ErrorCode, ToolError},
    render, tokens,
};

/// An answer made into its two forms.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Page {
    pub text: String,
    pub json: Value,
}

/// What a page needs from the call that it answers.
#[derive(Clone, Copy)]
pub(crate) struct Paging<'p> {
    pub offset: usize,
    pub max_tokens: u64,
    pub sent: Sent,
    /// Characters of the first row's body that the page before has shown.
    pub skip: usize,
    /// What the page before was made of, if there was one.
    pub before: Option<ResultFingerprint>,
    /// Stands for the call.
    pub identity: &'p str,
    /// What the parameter is called that takes a cursor.
    pub cursor_name: &'static str,
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
        let now = answer.fingerprint();
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
            let skipped = body.text.chars().take(self.skip);
            let lines = skipped.filter(|one| *one == '\n').count() as u32;
            body.first_line = body.first_line.map(|first| first + lines);
            body.text = body.text.chars().skip(self.skip).collect();
            body.is_continued = true;
        }
        let page = match self.sent {
            // Each form has as many rows as it has room for, and its own cursor: its reader sees one of them.
            Sent::Both => {
                let text = self.fitted::<Text>(&mut answer.clone());
                let json = self.fitted::<Json>(&mut answer);
                match (text, json) {
                    (Ok((_, text)), Ok((_, json))) => Ok(Page { text, json }),
                    (text, json) => Err(text.err().max(json.err()).unwrap_or_default()),
                }
            }
            Sent::Text => self.fitted::<Text>(&mut answer).map(|(part, text)| Page {
                text,
                json: part.json(&answer),
            }),
            Sent::Json => self.fitted::<Json>(&mut answer).map(|(part, json)| Page {
                text: part.text(&answer),
                json,
            }),
        };
        page.map_err(|needed| self.too_small(needed))
    }

    /// As many rows as fit in one form, or how many tokens the least takes.
    fn fitted<F: Form>(&self, answer: &mut Answer) -> Result<(Part, F::Output), u64> {
        let all = answer.rows.len();
        let mut best = match self.probe::<F>(answer, all, None) {
            Ok(whole) => return Ok(whole),
            Err(tokens) => Err(tokens),
        };
        let rows = most_below(all, |rows| {
            let probe = self.probe::<F>(answer, rows, None);
            let fits = probe.is_ok();
            if fits {
                best = probe;
            }
            fits
        });
        match rows {
            0 if all > 0 => self.cut_first::<F>(answer),
            _ => best,
        }
    }

    /// A page of some rows, if it fits; else what it costs.
    fn probe<F: Form>(&self, answer: &Answer, rows: usize, cut: Option<usize>) -> Result<(Part, F::Output), u64> {
        let part = self.part(answer, rows, cut);
        let rendered = F::render(&part, answer);
        match F::tokens(&rendered) {
            tokens if tokens <= self.max_tokens => Ok((part, rendered)),
            tokens => Err(tokens),
        }
    }

    fn too_small(&self, needed: u64) -> ToolError {
        ToolError::new(
            ErrorCode::InvalidParams,
            format!("max_tokens {} is too small for this answer", self.max_tokens),
            format!("give at least {}", needed.next_multiple_of(100) + 100),
        )
    }

    /// The first row with the longest beginning of its body that fits.
    fn cut_first<F: Form>(&self, answer: &mut Answer) -> Result<(Part, F::Output), u64> {
        let Some(body) = &mut answer.rows[0].body else {
            return self.probe::<F>(answer, 1, None);
        };
        let whole = std::mem::take(&mut body.text);
        let ends: Vec<usize> = whole.char_indices().map(|(at, _)| at).collect();
        let is_continued = answer.mode == PagingMode::Body;
        let rest = match is_continued {
            true => "on the next page",
            false => "raise max_tokens or read the file",
        };
        let shorten = |answer: &mut Answer, kept: usize| {
            let hidden = ends.len() - kept;
            if let Some(body) = &mut answer.rows[0].body {
                body.text = format!("{}\n... ({hidden} more characters: {rest})", &whole[..ends[kept]]);
            }
            is_continued.then_some(kept)
        };
        let most = most_below(ends.len(), |kept| {
            let cut = shorten(answer, kept);
            self.probe::<F>(answer, 1, cut).is_ok()
        });
        if most == 0 {
            return Err(F::tokens(&F::render(&self.part(answer, 1, None), answer)));
        }
        // At the end of a line, if there is one.
        let line = whole[..ends[most]].rfind('\n').map(|end| whole[..end].chars().count());
        let kept = line.filter(|kept| *kept > 0).unwrap_or(most);
        let cut = shorten(answer, kept);
        self.probe::<F>(answer, 1, cut)
    }

    /// An answer as it is, whether it fits or not.
    pub fn whole(&self, answer: &Answer) -> Page {
        let part = self.part(answer, answer.rows.len(), None);
        Page {
            text: part.text(answer),
            json: part.json(answer),
        }
    }

    /// Whether an answer fits as it is, for tools that shorten their answer themselves.
    pub fn fits_whole(&self, answer: &Answer) -> bool {
        let rows = answer.rows.len();
        let text = || self.probe::<Text>(answer, rows, None).is_ok();
        let json = || self.probe::<Json>(answer, rows, None).is_ok();
        match self.sent {
            Sent::Text => text(),
            Sent::Json => json(),
            Sent::Both => text() && json(),
        }
    }

    /// Some rows, of which the only one may be cut behind so many characters.
    fn part(&self, answer: &Answer, rows: usize, cut: Option<usize>) -> Part {
        let next = self.offset + rows - usize::from(cut.is_some());
        let more = answer.total.saturating_sub(next);
        let is_list = !answer.key.is_empty() || !answer.lists.is_empty();
        let next_cursor = (more > 0 && is_list && answer.mode != PagingMode::Report).then(|| PageStart {
            offset: next,
            skip: cut.map_or(0, |cut| self.skip + cut),
            before: Some(answer.fingerprint()),
        });
        Part {
            offset: self.offset,
            rows,
            more,
            next_cursor: next_cursor.map(|start| start.cursor(self.identity)),
            cursor_name: self.cursor_name,
        }
    }
}

/// One of the two forms of a page.
trait Form {
    type Output;

    fn render(part: &Part, answer: &Answer) -> Self::Output;
    fn tokens(rendered: &Self::Output) -> u64;
}

struct Text;

impl Form for Text {
    type Output = String;

    fn render(part: &Part, answer: &Answer) -> String {
        part.text(answer)
    }

    fn tokens(rendered: &String) -> u64 {
        tokens::count(rendered)
    }
}

struct Json;

impl Form for Json {
    type Output = Value;

    fn render(part: &Part, answer: &Answer) -> Value {
        part.json(answer)
    }

    fn tokens(rendered: &Value) -> u64 {
        tokens::count(&rendered.to_string())
    }
}

/// The rows of one page, and where the next one begins.
struct Part {
    offset: usize,
    rows: usize,
    more: usize,
    next_cursor: Option<String>,
    cursor_name: &'static str,
}

impl Part {
    fn text(&self, answer: &Answer) -> String {
        let rows = &answer.rows[..self.rows];
        let cursor = self.next_cursor.as_deref().map(|cursor| (self.cursor_name, cursor));
        render::text(answer, self.offset, rows, self.more, cursor)
    }

    fn json(&self, answer: &Answer) -> Value {
        render::json(answer, self.offset, &answer.rows[..self.rows], self.next_cursor.clone())
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
pub(crate) struct ResultFingerprint {
    pub total: usize,
    /// Stands for what is in all files; 0 where the answer comes from elsewhere.
    pub files: u16,
}

/// Where a page begins. Its cursor also says of which call the page before was, and what that was made of.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct PageStart {
    pub offset: usize,
    pub skip: usize,
    pub before: Option<ResultFingerprint>,
}

impl PageStart {
    fn cursor(&self, identity: &str) -> String {
        let mut out = format!("p{}", self.offset);
        if self.skip > 0 {
            let _ = write!(out, "+{}", self.skip);
        }
        let _ = write!(out, ".{identity}");
        if let Some(ResultFingerprint { total, files }) = self.before {
            let _ = write!(out, ".{total}.{files:x}");
        }
        out
    }

    /// The place and the identity that a cursor has, if it is one.
    pub fn parse(cursor: &str) -> Option<(PageStart, &str)> {
        let (place, rest) = cursor.strip_prefix('p')?.split_once('.')?;
        let (offset, skip) = place.split_once('+').unwrap_or((place, "0"));
        let (identity, before) = match rest.split_once('.') {
            Some((identity, made)) => (identity, Some(ResultFingerprint::parse(made)?)),
            None => (rest, None),
        };
        let place = PageStart {
            offset: offset.parse().ok()?,
            skip: skip.parse().ok()?,
            before,
        };
        Some((place, identity))
    }
}

impl ResultFingerprint {
    fn parse(text: &str) -> Option<ResultFingerprint> {
        let (total, files) = text.split_once('.')?;
        Some(ResultFingerprint {
            total: total.parse().ok()?,
            files: u16::from_str_radix(files, 16).ok()?,
        })
    }
}
