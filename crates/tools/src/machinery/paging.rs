//! Pages of an answer that fit a budget, and cursors from one to the next.

use std::fmt::Write;

use serde_json::Value;

use crate::machinery::{
    answer::Answer,
    error::{ToolError, code},
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
    pub before: Option<Made>,
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
            let skipped = body.text.chars().take(self.skip);
            let lines = skipped.filter(|one| *one == '\n').count() as u32;
            body.first_line = body.first_line.map(|first| first + lines);
            body.text = body.text.chars().skip(self.skip).collect();
            body.is_continued = true;
        }
        match self.sent {
            // Each form has as many rows as it has room for, and its own cursor: its reader sees one of them.
            Sent::Both => {
                let text = self.of_form(Sent::Text).fitted(answer.clone());
                let json = self.of_form(Sent::Json).fitted(answer);
                match (text, json) {
                    (Ok(text), Ok(json)) => Ok(Page {
                        text: text.text,
                        json: json.json,
                    }),
                    (text, json) => {
                        let needed = text.err().max(json.err());
                        Err(self.too_small(needed.unwrap_or_default()))
                    }
                }
            }
            Sent::Text | Sent::Json => self.fitted(answer).map_err(|needed| self.too_small(needed)),
        }
    }

    fn of_form(&self, sent: Sent) -> Paging<'_> {
        Paging { sent, ..*self }
    }

    /// As many rows as fit, or how many tokens the least takes.
    fn fitted(&self, mut answer: Answer) -> Result<Page, u64> {
        let all = answer.rows.len();
        if self.fits(&answer, all, None) {
            return Ok(self.render(&answer, all, None));
        }
        let rows = most_below(all, |rows| self.fits(&answer, rows, None));
        if rows == 0 && !answer.rows.is_empty() {
            return self.cut_first(&mut answer);
        }
        if self.fits(&answer, rows, None) {
            Ok(self.render(&answer, rows, None))
        } else {
            Err(self.cost(&answer, rows, None))
        }
    }

    fn fits(&self, answer: &Answer, rows: usize, cut: Option<usize>) -> bool {
        self.cost(answer, rows, cut) <= self.max_tokens
    }

    fn cost(&self, answer: &Answer, rows: usize, cut: Option<usize>) -> u64 {
        let page = self.part(answer, rows, cut);
        let text = || tokens::count(&page.text(answer));
        let json = || tokens::count(&page.json(answer).to_string());
        match self.sent {
            Sent::Text => text(),
            Sent::Json => json(),
            Sent::Both => text().max(json()),
        }
    }

    fn too_small(&self, needed: u64) -> ToolError {
        ToolError::new(
            code::INVALID_PARAMS,
            format!("max_tokens {} is too small for this answer", self.max_tokens),
            format!("give at least {}", needed.next_multiple_of(100) + 100),
        )
    }

    /// The first row with the longest beginning of its body that fits.
    fn cut_first(&self, answer: &mut Answer) -> Result<Page, u64> {
        let Some(body) = &mut answer.rows[0].body else {
            return Err(self.cost(answer, 1, None));
        };
        let whole = std::mem::take(&mut body.text);
        let ends: Vec<usize> = whole.char_indices().map(|(at, _)| at).collect();
        let rest = match answer.goes_on {
            true => "on the next page",
            false => "raise max_tokens or use read_file",
        };
        let shorten = |answer: &mut Answer, kept: usize| {
            let hidden = ends.len() - kept;
            if let Some(body) = &mut answer.rows[0].body {
                body.text = format!("{}\n... ({hidden} more characters: {rest})", &whole[..ends[kept]]);
            }
            answer.goes_on.then_some(kept)
        };
        let most = most_below(ends.len(), |kept| {
            let cut = shorten(answer, kept);
            self.fits(answer, 1, cut)
        });
        if most == 0 {
            return Err(self.cost(answer, 1, None));
        }
        // At the end of a line, if there is one.
        let line = whole[..ends[most]].rfind('\n').map(|end| whole[..end].chars().count());
        let kept = line.filter(|kept| *kept > 0).unwrap_or(most);
        let cut = shorten(answer, kept);
        Ok(self.render(answer, 1, cut))
    }

    /// An answer as it is, whether it fits or not.
    pub fn whole(&self, answer: &Answer) -> Page {
        self.render(answer, answer.rows.len(), None)
    }

    /// Whether an answer fits as it is, for tools that shorten their answer themselves.
    pub fn fits_whole(&self, answer: &Answer) -> bool {
        self.fits(answer, answer.rows.len(), None)
    }

    /// Some rows, of which the only one may be cut behind so many characters.
    fn part(&self, answer: &Answer, rows: usize, cut: Option<usize>) -> Part {
        let next = self.offset + rows - usize::from(cut.is_some());
        let more = answer.total.saturating_sub(next);
        let is_list = !answer.key.is_empty() || !answer.lists.is_empty();
        let next_cursor = (more > 0 && is_list && !answer.is_done).then(|| Place {
            offset: next,
            skip: cut.map_or(0, |cut| self.skip + cut),
            before: Some(answer.made()),
        });
        Part {
            offset: self.offset,
            rows,
            more,
            next_cursor: next_cursor.map(|place| place.cursor(self.identity)),
            cursor_name: self.cursor_name,
        }
    }

    fn render(&self, answer: &Answer, rows: usize, cut: Option<usize>) -> Page {
        let part = self.part(answer, rows, cut);
        Page {
            text: part.text(answer),
            json: part.json(answer),
        }
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
