//! Where things end in the text, and what is written over it.

use std::ops::Range;

use super::{AHEAD, Scan, words::is_word};

/// As far as comments go before what comes next.
const AHEAD_COMMENTS: usize = 4000;

impl Scan<'_> {
    /// Behind a name with all that is before it, and whether it is that of a constructor or destructor: `Shape::~Shape`.
    pub(super) fn end_of_path(&self, start: usize) -> (usize, bool) {
        let (mut at, mut is_made) = (start, false);
        loop {
            let end = self.end_of_word(at);
            let mut behind = end;
            if self.bytes.get(end) == Some(&b'<') {
                let limit = self.bytes.len().min(end + AHEAD);
                let mut depth = 0;
                let close = self.bytes[end..limit].iter().position(|byte| {
                    depth += i32::from(*byte == b'<') - i32::from(*byte == b'>');
                    depth == 0
                });
                let Some(close) = close else { return (end, false) };
                behind = end + close + 1;
            }
            if !self.bytes[behind..].starts_with(b"::") {
                return (behind, is_made);
            }
            let is_destroyed = self.bytes.get(behind + 2) == Some(&b'~');
            let next = behind + 2 + usize::from(is_destroyed);
            is_made = self.bytes[at..end] == self.bytes[next..self.end_of_word(next)];
            at = next;
        }
    }

    /// Comments in a macro of several lines, where the grammar would end it.
    pub(super) fn hide_comments(&mut self, directive: Range<usize>) {
        let bytes = self.bytes;
        let text = &bytes[directive.clone()];
        let is_macro = text[1..].trim_ascii_start().starts_with(b"define");
        if !is_macro || !text.contains(&b'\n') {
            return;
        }
        let mut at = directive.start;
        while let Some(open) = memchr::memmem::find(&bytes[at..directive.end], b"/*") {
            let start = at + open;
            let Some(length) = memchr::memmem::find(&bytes[start + 2..directive.end], b"*/") else {
                return;
            };
            at = start + 2 + length + 2;
            let masked = self.masked.get_or_insert_with(|| bytes.to_vec());
            for place in start..at {
                // What joins the lines stays.
                let joins = bytes[place] == b'\\' && matches!(bytes.get(place + 1), Some(b'\n' | b'\r'));
                if !joins && !matches!(bytes[place], b'\n' | b'\r') {
                    masked[place] = b' ';
                }
            }
        }
    }

    pub(super) fn blank(&mut self, range: Range<usize>) -> bool {
        self.at = self.at.max(range.end);
        let bytes = self.bytes;
        let masked = self.masked.get_or_insert_with(|| bytes.to_vec());
        for byte in &mut masked[range] {
            if !matches!(byte, b'\n' | b'\r') {
                *byte = b' ';
            }
        }
        true
    }

    pub(super) fn write(&mut self, at: usize, word: &[u8]) {
        let bytes = self.bytes;
        let masked = self.masked.get_or_insert_with(|| bytes.to_vec());
        masked[at..at + word.len()].copy_from_slice(word);
    }

    /// Where something comes behind space and comments, and its first byte; 0 at the end, and far away.
    pub(super) fn next(&self, from: usize) -> (usize, u8) {
        let mut at = from;
        let limit = self.bytes.len().min(from + AHEAD_COMMENTS);
        while at < limit {
            match self.bytes[at] {
                b' ' | b'\t' | b'\r' | b'\n' => at += 1,
                b'/' if self.bytes.get(at + 1) == Some(&b'/') => at = self.end_of_line(at),
                b'/' if self.bytes.get(at + 1) == Some(&b'*') => at = self.end_of_comment(at),
                byte => return (at, byte),
            }
        }
        (at.min(self.bytes.len()), 0)
    }

    pub(super) fn is_path(&self, at: usize) -> bool {
        let (at, _) = self.next(at);
        self.bytes[at..].starts_with(b"::")
    }

    /// Nothing else is on the line.
    pub(super) fn is_line(&self, at: usize) -> bool {
        let rest = self.bytes[at..]
            .iter()
            .find(|byte| !matches!(byte, b' ' | b'\t' | b'\r'));
        matches!(rest, None | Some(b'\n' | b'/'))
    }

    pub(super) fn end_of_word(&self, at: usize) -> usize {
        let rest = self.bytes.get(at..).unwrap_or_default();
        at + rest.iter().position(|byte| !is_word(*byte)).unwrap_or(rest.len())
    }

    /// Behind the arguments of a macro, if it has any.
    pub(super) fn end_of_arguments(&self, at: usize) -> Option<usize> {
        let limit = self.bytes.len().min(at + AHEAD);
        let open = (at..limit).find(|at| !matches!(self.bytes[*at], b' ' | b'\t'))?;
        if self.bytes[open] != b'(' {
            return None;
        }
        let mut depth = 0;
        let mut at = open;
        while at < limit {
            match self.bytes[at] {
                b'(' => depth += 1,
                b')' => depth -= 1,
                b';' | b'{' => return None,
                // What is in quotes means nothing here.
                b'"' => {
                    let mut inner = at + 1;
                    while inner < limit && !matches!(self.bytes[inner], b'"' | b'\n') {
                        inner += 1 + usize::from(self.bytes[inner] == b'\\');
                    }
                    at = inner;
                }
                _ => {}
            }
            at += 1;
            if depth == 0 {
                return Some(at);
            }
        }
        None
    }

    pub(super) fn end_of_line(&self, at: usize) -> usize {
        let rest = &self.bytes[at..];
        at + rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len())
    }

    /// Of a preprocessor line, with those that it goes on in.
    pub(super) fn end_of_directive(&self) -> usize {
        let mut at = self.at;
        loop {
            let end = self.end_of_line(at);
            let line = self.bytes[at..end].trim_ascii_end();
            if !line.ends_with(b"\\") || end == self.bytes.len() {
                return end;
            }
            at = end + 1;
        }
    }

    pub(super) fn end_of_comment(&self, start: usize) -> usize {
        let rest = &self.bytes[start..];
        let end = rest.windows(2).skip(2).position(|pair| pair == b"*/");
        start + end.map_or(rest.len(), |at| at + 4)
    }

    pub(super) fn end_of_quoted(&self, quote: u8) -> usize {
        let rest = &self.bytes[self.at + 1..];
        let is_raw =
            quote == b'"' && !self.last.is_empty() && self.last.end == self.at && self.bytes[self.at - 1] == b'R';
        if is_raw && let Some(open) = rest.iter().take(20).position(|byte| *byte == b'(') {
            let mut close = vec![b')'];
            close.extend_from_slice(&rest[..open]);
            close.push(b'"');
            let end = rest[open..].windows(close.len()).position(|end| end == close);
            return end.map_or(self.bytes.len(), |end| self.at + 1 + open + end + close.len());
        }
        let mut at = 0;
        while let Some(&byte) = rest.get(at) {
            match byte {
                b'\\' => at += 1,
                // Unfinished: an apostrophe in some text.
                b'\n' => break,
                _ if byte == quote => {
                    at += 1;
                    break;
                }
                _ => {}
            }
            at += 1;
        }
        (self.at + 1 + at).min(self.bytes.len())
    }
}
