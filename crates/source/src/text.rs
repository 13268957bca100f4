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

/// A place in a text that is written anew.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    pub at: u32,
    pub len: u32,
    pub text: String,
}

/// A text with edits, which are in the order of the text and do not overlap.
pub fn edited(text: &str, edits: &[Edit]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for edit in edits {
        out.push_str(&text[done..edit.at as usize]);
        out.push_str(&edit.text);
        done = (edit.at + edit.len) as usize;
    }
    out.push_str(&text[done..]);
    out
}

/// A file's bytes with edits of its decoded text. What is not edited stays as it is, whatever its encoding; `None` if
/// that cannot be.
pub fn edited_bytes(bytes: &[u8], edits: &[Edit]) -> Option<Vec<u8>> {
    let Text { text, encoding } = decode(bytes)?;
    if encoding == Encoding::Utf16 {
        let is_little = bytes.starts_with(&[0xFF, 0xFE]);
        let encode = |text: &str| -> Vec<u8> {
            let units = std::iter::once(0xFEFF).chain(text.encode_utf16());
            let pair = |unit: u16| {
                if is_little {
                    unit.to_le_bytes()
                } else {
                    unit.to_be_bytes()
                }
            };
            units.flat_map(pair).collect()
        };
        return (encode(&text) == bytes).then(|| encode(&edited(&text, edits)));
    }
    let mark = if bytes.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
    // Where what was replaced is in the bytes: a sequence that is not UTF-8 is one character of three bytes in the text.
    let mut pieces = Vec::new();
    let (mut in_text, mut in_bytes) = (0, mark);
    for chunk in bytes[mark..].utf8_chunks() {
        pieces.push((in_text, in_bytes, chunk.valid().len()));
        in_text += chunk.valid().len();
        in_bytes += chunk.valid().len() + chunk.invalid().len();
        in_text += if chunk.invalid().is_empty() {
            0
        } else {
            char::REPLACEMENT_CHARACTER.len_utf8()
        };
    }
    let place = |edit: &Edit| {
        let at = edit.at as usize;
        let piece = pieces.partition_point(|(start, ..)| *start <= at).checked_sub(1)?;
        let (start, begin, len) = pieces[piece];
        (at + edit.len as usize <= start + len).then(|| begin + at - start)
    };
    let mut out = Vec::with_capacity(bytes.len());
    let mut done = 0;
    for edit in edits {
        let at = place(edit)?;
        out.extend_from_slice(&bytes[done..at]);
        out.extend_from_slice(edit.text.as_bytes());
        done = at + edit.len as usize;
    }
    out.extend_from_slice(&bytes[done..]);
    Some(out)
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

    #[test]
    fn edits_leave_the_rest_of_the_bytes_alone() {
        let edit = |at: u32| Edit {
            at,
            len: 1,
            text: "xé".into(),
        };
        let cases: &[(&[u8], u32, &[u8])] = &[
            (b"a b\r\n", 2, b"a x\xC3\xA9\r\n"),
            (b"\xEF\xBB\xBFa b", 2, b"\xEF\xBB\xBFa x\xC3\xA9"),
            (b"caf\xE9 b\xE9", 7, b"caf\xE9 x\xC3\xA9\xE9"),
            (b"\xFF\xFEa\0b\0", 1, b"\xFF\xFEa\0x\0\xE9\0"),
            (b"\xFE\xFF\0a\0b", 1, b"\xFE\xFF\0a\0x\0\xE9"),
        ];
        for (bytes, at, after) in cases {
            assert_eq!(edited_bytes(bytes, &[edit(*at)]).as_deref(), Some(*after));
        }
        // What is no text cannot be edited, nor a file that would not come out as it was.
        assert_eq!(edited_bytes(b"caf\xE9", &[edit(3)]), None);
        assert_eq!(edited_bytes(b"\xFF\xFEa\0b", &[edit(0)]), None);
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
