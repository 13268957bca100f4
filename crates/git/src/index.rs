//! What is checked out: for each file its content, and the size and time that it had on disk when git last looked.

use std::path::PathBuf;

use crate::{error::Error, object::Id, repository::Repository};

/// What `git add` fills and a commit is made from.
#[derive(Debug, Default)]
pub struct Index {
    /// By path, below the directory that was asked about.
    pub entries: Vec<IndexEntry>,
    /// The tree that all of it would make, if git has noted it.
    pub tree: Option<Id>,
    /// When it was written, in nanoseconds of the file system's clock. A file as young as this may have changed since
    /// without a trace.
    pub written_ns: i64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexEntry {
    pub path: String,
    pub id: Id,
    pub size: u32,
    pub seconds: u32,
    pub nanoseconds: u32,
    /// It is a file, and neither in conflict nor to be left alone.
    pub is_plain: bool,
    /// It is another repository.
    pub is_repository: bool,
}

impl IndexEntry {
    /// Whether a file of this size and time is as it was when git last looked.
    pub fn is_as_on_disk(&self, index: &Index, size: u64, mtime_ns: i64) -> bool {
        let seen_ns = i64::from(self.seconds) * 1_000_000_000 + i64::from(self.nanoseconds);
        self.is_plain && self.size == size as u32 && seen_ns == mtime_ns && seen_ns < index.written_ns
    }
}

const MAX_INDEX: u64 = 512 << 20;

impl Repository {
    /// Where git keeps it; it changes whenever this does.
    pub fn index_file(&self) -> PathBuf {
        self.own.path.join("index")
    }

    /// Nothing is checked out if there is none.
    pub fn index(&self) -> Result<Index, Error> {
        let Some(bytes) = self.own.read("index", MAX_INDEX)? else {
            return Ok(Index::default());
        };
        let written = self
            .own
            .file("index")?
            .and_then(|file| file.metadata().ok()?.modified().ok());
        let since = written.and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
        Ok(Index {
            written_ns: since.map_or(0, |since| since.as_nanos() as i64),
            ..parse(&bytes, self.prefix())?
        })
    }
}

fn parse(bytes: &[u8], prefix: &str) -> Result<Index, Error> {
    let unsupported = || Error::Unsupported {
        what: "this version of git's index",
    };
    if bytes.get(..4) != Some(b"DIRC") {
        return Err(damaged());
    }
    let version = number(bytes, 4)?;
    if !(2..=4).contains(&version) {
        return Err(unsupported());
    }
    let mut entries = Entries {
        bytes,
        version,
        at: 12,
        path: Vec::new(),
    };
    let mut index = Index::default();
    for _ in 0..number(bytes, 8)? {
        let entry = entries.next()?;
        if let Ok(whole) = std::str::from_utf8(&entries.path)
            && let Some(below) = whole.strip_prefix(prefix)
        {
            let path = below.to_owned();
            index.entries.push(IndexEntry { path, ..entry });
        }
    }
    let mut at = entries.at;
    // Further parts; the one that says which tree this is is of use, one that splits the index is not understood.
    while bytes.len() >= at + 8 + 20 {
        let length = number(bytes, at + 4)? as usize;
        let content = bytes.get(at + 8..(at + 8).checked_add(length).ok_or_else(damaged)?);
        let content = content.ok_or_else(damaged)?;
        match &bytes[at..at + 4] {
            b"TREE" => index.tree = root_of(content),
            b"link" | b"sdir" => return Err(unsupported()),
            _ => {}
        }
        at += 8 + length;
    }
    Ok(index)
}

fn damaged() -> Error {
    Error::damaged("git's index")
}

fn number(bytes: &[u8], at: usize) -> Result<u32, Error> {
    let four = bytes.get(at..at + 4).and_then(|four| <[u8; 4]>::try_from(four).ok());
    four.map(u32::from_be_bytes).ok_or_else(damaged)
}

/// The entries of an index, one after the other.
struct Entries<'b> {
    bytes: &'b [u8],
    version: u32,
    at: usize,
    /// Of the last entry. Version 4 says only how the next one differs.
    path: Vec<u8>,
}

impl Entries<'_> {
    /// The next entry, all but its path.
    fn next(&mut self) -> Result<IndexEntry, Error> {
        let (bytes, begin) = (self.bytes, self.at);
        let field = |at: usize| number(bytes, begin + at);
        let (seconds, nanoseconds) = (field(8)?, field(12)?);
        let mode = field(24)?;
        let size = field(36)?;
        let id = bytes.get(begin + 40..begin + 60).and_then(Id::from_bytes);
        let flags = field(60)? >> 16;
        let is_extended = flags & 0x4000 != 0;
        let extended = if is_extended { field(62)? >> 16 } else { 0 };
        self.path(if is_extended { 64 } else { 62 })?;
        let stage = flags >> 12 & 3;
        let skipped = flags & 0x8000 != 0 || extended & 0x4000 != 0;
        Ok(IndexEntry {
            path: String::new(),
            id: id.ok_or_else(damaged)?,
            size,
            seconds,
            nanoseconds,
            is_plain: mode >> 12 == 0o10 && stage == 0 && !skipped,
            is_repository: mode >> 12 == 0o16,
        })
    }

    /// Reads a path, and goes on to what is behind the entry.
    fn path(&mut self, offset_in_entry: usize) -> Result<(), Error> {
        let begin = self.at;
        let mut at = begin + offset_in_entry;
        if self.version == 4 {
            let (dropped, used) = offset(self.bytes.get(at..).unwrap_or_default()).ok_or_else(damaged)?;
            at += used;
            let kept = self.path.len().checked_sub(dropped).ok_or_else(damaged)?;
            self.path.truncate(kept);
        } else {
            self.path.clear();
        }
        let rest = self.bytes.get(at..).ok_or_else(damaged)?;
        let length = rest.iter().position(|byte| *byte == 0).ok_or_else(damaged)?;
        self.path.extend_from_slice(&rest[..length]);
        let end = at + length;
        // Up to version 3 an entry is filled with zeros, one at least, to a multiple of eight.
        self.at = match self.version {
            4 => end + 1,
            _ => begin + (end - begin) / 8 * 8 + 8,
        };
        Ok(())
    }
}

/// The first entry of the noted trees is the whole.
fn root_of(noted: &[u8]) -> Option<Id> {
    let end = noted.iter().position(|byte| *byte == 0)?;
    let line = noted[end + 1..].iter().position(|byte| *byte == b'\n')? + end + 1;
    let counts = std::str::from_utf8(&noted[end + 1..line]).ok()?;
    let is_valid = !counts.starts_with('-');
    Id::from_bytes(noted.get(line + 1..line + 21)?).filter(|_| is_valid)
}

/// A number as version 4 writes it, and how long it is.
fn offset(bytes: &[u8]) -> Option<(usize, usize)> {
    let mut value = 0usize;
    for (at, byte) in bytes.iter().enumerate().take(8) {
        value = value << 7 | usize::from(byte & 0x7f);
        if byte & 0x80 == 0 {
            return Some((value, at + 1));
        }
        value += 1;
    }
    None
}
