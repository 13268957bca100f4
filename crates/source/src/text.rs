//! Bytes to text, offsets to lines.

use std::{borrow::Cow, ops::Range};

/// A half-open range of byte offsets into a file's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

impl Span {
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    Utf8,
    Utf16,
    /// Some other single-byte encoding: what is not UTF-8 was replaced by U+FFFD.
    Unknown,
}

/// A file's bytes as text.
#[derive(Debug)]
pub struct Text<'a> {
    pub text: Cow<'a, str>,
    pub encoding: Encoding,
}

/// Decodes UTF-8 and, by their byte order mark, UTF-16 files. `None` means binary: a NUL byte is in it.
pub fn decode(bytes: &[u8]) -> Option<Text<'_>> {
    if let Some(text) = decode_utf16(bytes) {
        return Some(Text {
            text: Cow::Owned(text),
            encoding: Encoding::Utf16,
        });
    }
    if memchr::memchr(0, bytes).is_some() {
        return None;
    }
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    Some(match std::str::from_utf8(bytes) {
        Ok(text) => Text {
            text: Cow::Borrowed(text),
            encoding: Encoding::Utf8,
        },
        Err(_) => Text {
            text: String::from_utf8_lossy(bytes),
            encoding: Encoding::Unknown,
        },
    })
}

fn decode_utf16(bytes: &[u8]) -> Option<String> {
    let (unit, body): (fn([u8; 2]) -> u16, _) = match bytes {
        [0xFF, 0xFE, body @ ..] => (u16::from_le_bytes, body),
        [0xFE, 0xFF, body @ ..] => (u16::from_be_bytes, body),
        _ => return None,
    };
    let units = body.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    let text: String = char::decode_utf16(units)
        .map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect();
    (!text.contains('\0')).then_some(text)
}

/// How many lines a text has; what follows the last line break counts as one if it is not empty.
pub fn count_lines(text: &str) -> u32 {
    let breaks = memchr::memchr_iter(b'\n', text.as_bytes()).count() as u32;
    breaks + u32::from(!text.is_empty() && !text.ends_with('\n'))
}

/// Where each line starts. Lines count from 1 and end at `\n`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LineIndex {
    starts: Vec<u32>,
    len: u32,
}

impl LineIndex {
    pub fn new(text: &str) -> LineIndex {
        let ends = memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at as u32 + 1);
        let mut starts: Vec<u32> = std::iter::once(0).chain(ends).collect();
        // A final newline ends the last line, it does not begin another.
        if starts.len() > 1 && starts.last() == Some(&(text.len() as u32)) {
            starts.pop();
        }
        LineIndex {
            starts,
            len: text.len() as u32,
        }
    }

    /// The same index from what it consists of: where each line starts, and the length of the text.
    pub fn from_starts(starts: Vec<u32>, len: u32) -> LineIndex {
        LineIndex { starts, len }
    }

    /// The length of the text in bytes.
    pub fn len(&self) -> u32 {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// How many lines there are; an empty text has none.
    pub fn count(&self) -> u32 {
        if self.len == 0 { 0 } else { self.starts.len() as u32 }
    }

    /// The line that holds the byte at `offset`.
    pub fn line(&self, offset: u32) -> u32 {
        self.starts.partition_point(|start| *start <= offset).max(1) as u32
    }

    /// The bytes of a line, its line break included. Lines beyond the end are empty.
    pub fn span(&self, line: u32) -> Span {
        let at = |line: u32| self.starts.get(line as usize).copied().unwrap_or(self.len);
        Span {
            start: at(line.max(1) - 1),
            end: at(line.max(1)),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn decoding_survives_every_encoding() {
        let text = |bytes: &[u8]| decode(bytes).map(|t| (t.text.into_owned(), t.encoding));
        assert_eq!(text("é\n".as_bytes()), Some(("é\n".into(), Encoding::Utf8)));
        assert_eq!(text(b"\xEF\xBB\xBFa"), Some(("a".into(), Encoding::Utf8)));
        assert_eq!(text(b"\xFF\xFEa\0b\0"), Some(("ab".into(), Encoding::Utf16)));
        assert_eq!(text(b"\xFE\xFF\0a"), Some(("a".into(), Encoding::Utf16)));
        assert_eq!(text(b"caf\xE9"), Some(("caf\u{FFFD}".into(), Encoding::Unknown)));
        assert_eq!(text(b"a\0b"), None);
        assert_eq!(text(b""), Some((String::new(), Encoding::Utf8)));
    }

    proptest! {
        #[test]
        fn lines_agree_with_split(text in "[ab\n\r]{0,40}") {
            let index = LineIndex::new(&text);
            let lines: Vec<&str> = text.split_inclusive('\n').collect();
            prop_assert_eq!(index.count() as usize, lines.len());
            prop_assert_eq!(count_lines(&text) as usize, lines.len());
            for (at, line) in lines.iter().enumerate() {
                let span = index.span(at as u32 + 1);
                prop_assert_eq!(&text[span.range()], *line);
                prop_assert_eq!(index.line(span.start), at as u32 + 1);
            }
        }
    }
}
