//! Names and kinds of objects.

use std::fmt;

/// The name of an object: the SHA-1 of its content.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id(pub [u8; 20]);

impl Id {
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Id> {
        Some(Id(bytes.try_into().ok()?))
    }

    /// Forty hexadecimal digits.
    pub(crate) fn from_hex(text: &str) -> Option<Id> {
        let digits = text.as_bytes();
        if digits.len() != 40 {
            return None;
        }
        let mut id = [0; 20];
        for (byte, pair) in id.iter_mut().zip(digits.chunks(2)) {
            *byte = digit(pair[0])? << 4 | digit(pair[1])?;
        }
        Some(Id(id))
    }

    /// Whether the name begins with some hexadecimal digits.
    pub(crate) fn begins_with(&self, digits: &str) -> bool {
        let hex = self.to_string();
        hex.len() >= digits.len() && hex[..digits.len()].eq_ignore_ascii_case(digits)
    }
}

pub(crate) fn digit(byte: u8) -> Option<u8> {
    (byte as char).to_digit(16).map(|digit| digit as u8)
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Commit,
    Tree,
    Blob,
    Tag,
}

impl Kind {
    pub fn from_word(word: &[u8]) -> Option<Kind> {
        match word {
            b"commit" => Some(Kind::Commit),
            b"tree" => Some(Kind::Tree),
            b"blob" => Some(Kind::Blob),
            b"tag" => Some(Kind::Tag),
            _ => None,
        }
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Object {
    pub kind: Kind,
    pub data: std::rc::Rc<[u8]>,
}
