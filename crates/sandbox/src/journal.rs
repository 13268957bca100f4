//! What a rename is about to change, so that one that was cut off between two files is undone by whoever comes next.
//!
//! A journal lies in the directory of the session. It is locked as long as its rename goes on, whole before it has its
//! name, and empty when the rename is done: whatever is found unlocked and not empty was cut off.

use std::{
    fs::{File, OpenOptions, TryLockError},
    io::{self, Read, Write},
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
};

use crate::{
    read::Root,
    write::{Change, remove_staged, restore},
};

const MAGIC: &[u8] = b"portolan rename 1\n";
const PREFIX: &str = "rename-";
const SUFFIX: &str = ".journal";
const UNNAMED: &str = ".journal-tmp";

/// A rename that goes on.
pub(crate) struct Journal {
    file: File,
    path: PathBuf,
}

/// A rename that was cut off, and what became of it.
#[derive(Debug, Default)]
pub struct Undone {
    /// Files that are as they were before it.
    pub restored: Vec<String>,
    /// Files that are neither what they were nor what it wrote: they were left.
    pub others: Vec<String>,
    /// Files that could not be put back, with the reason; they are tried again next time.
    pub failed: Vec<String>,
    told: AtomicBool,
}

impl Undone {
    /// For people, in one sentence; to be told once.
    pub fn text(&self) -> String {
        let list = |paths: &[String]| {
            let shown: Vec<&str> = paths.iter().take(5).map(String::as_str).collect();
            let more = paths.len() - shown.len();
            let more = if more > 0 {
                format!(" and {more} more")
            } else {
                String::new()
            };
            format!("{}{more}", shown.join(", "))
        };
        let mut parts = Vec::new();
        if !self.restored.is_empty() {
            parts.push(format!("undone in {}", list(&self.restored)));
        }
        if !self.others.is_empty() {
            let files = list(&self.others);
            parts.push(format!("left in {files}, changed by something else since"));
        }
        if !self.failed.is_empty() {
            parts.push(format!("not undone in {}", list(&self.failed)));
        }
        format!("A rename was cut off before it was finished: {}.", parts.join("; "))
    }

    /// Whether it is to be told: the first time.
    pub fn is_news(&self) -> bool {
        !self.told.swap(true, Ordering::Relaxed)
    }
}

impl Journal {
    /// Keeps what files are and what they will be. Nothing may be written to them before this returns.
    pub fn begin(dir: &Path, changes: &[Change]) -> io::Result<Journal> {
        let named = |suffix| tempfile::Builder::new().prefix(PREFIX).suffix(suffix).tempfile_in(dir);
        let (mut file, unnamed) = named(UNNAMED)?.keep().map_err(|error| error.error)?;
        let path = unnamed.with_extension(&SUFFIX[1..]);
        let begun = (|| {
            file.lock()?;
            file.write_all(&to_bytes(changes))?;
            file.sync_all()?;
            std::fs::rename(&unnamed, &path)
        })();
        if let Err(error) = begun {
            let _ = std::fs::remove_file(&unnamed);
            return Err(error);
        }
        // A system that cannot do that for a directory does it by itself.
        if let Ok(dir) = File::open(dir) {
            let _ = dir.sync_all();
        }
        Ok(Journal { file, path })
    }

    /// The rename is done, or undone already. Emptied before it is unlocked: nobody may take it for one that was cut off.
    pub fn finish(self) {
        let emptied = self.file.set_len(0).and_then(|()| self.file.sync_all());
        if let Err(error) = emptied {
            tracing::warn!(%error, "the journal of a rename is still there");
        }
        drop(self.file);
        let _ = std::fs::remove_file(&self.path);
    }
}

/// Undoes the renames that were cut off; nothing if there are none. Where nothing may be written they are only told.
pub fn recover(dir: &Path, root: &Root, may_write: bool) -> Option<Undone> {
    let mut found: Option<Undone> = None;
    let entries = std::fs::read_dir(dir).ok()?.flatten().map(|entry| entry.path());
    let is_one = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with(PREFIX) && (name.ends_with(SUFFIX) || name.ends_with(UNNAMED))
    };
    let mut journals: Vec<PathBuf> = entries.filter(is_one).collect();
    journals.sort();
    for path in journals {
        let Ok(mut file) = OpenOptions::new().read(true).write(true).open(&path) else {
            continue;
        };
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => continue,
            // A file system without locks: better undone than half done.
            Err(TryLockError::Error(error)) => tracing::debug!(%error, "journals cannot be locked"),
        }
        let mut bytes = Vec::new();
        if let Err(error) = file.read_to_end(&mut bytes) {
            tracing::warn!(%error, "the journal of a rename cannot be read");
            continue;
        }
        // What has no name yet, or is not whole, is of a rename that had not begun to write.
        let is_named = path.extension().is_some_and(|extension| extension == &SUFFIX[1..]);
        let Some((process, changes)) = from_bytes(&bytes).filter(|_| is_named) else {
            drop(file);
            let _ = std::fs::remove_file(&path);
            continue;
        };
        let undone = found.get_or_insert_with(Undone::default);
        let n_failed = undone.failed.len();
        for change in &changes {
            undo(root, change, process, may_write, undone);
        }
        if undone.failed.len() == n_failed {
            let _ = file.set_len(0);
            drop(file);
            let _ = std::fs::remove_file(&path);
        }
    }
    found.filter(|undone| !(undone.restored.is_empty() && undone.others.is_empty() && undone.failed.is_empty()))
}

fn undo(root: &Root, change: &Change, process: u32, may_write: bool, undone: &mut Undone) {
    let limit = change.before.len().max(change.after.len()) as u64;
    let is_plain = root.resolve(&change.path).as_deref() == Some(change.path.as_str());
    let now = root.read(&change.path, limit).ok().filter(|_| is_plain);
    match now {
        Some((now, _)) if now == change.before => {}
        Some((now, _)) if now == change.after => {
            let restored = match may_write {
                true => restore(root.dir(), change).map_err(|error| error.to_string()),
                false => Err("started with --read-only".to_owned()),
            };
            match restored {
                Ok(()) => undone.restored.push(change.path.clone()),
                Err(reason) => undone.failed.push(format!("{} ({reason})", change.path)),
            }
        }
        _ => undone.others.push(change.path.clone()),
    }
    if may_write {
        remove_staged(root, change, process);
    }
}

fn to_bytes(changes: &[Change]) -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    out.extend(std::process::id().to_le_bytes());
    for change in changes {
        for part in [change.path.as_bytes(), &change.before, &change.after] {
            out.extend((part.len() as u64).to_le_bytes());
            out.extend(part);
        }
    }
    let seal = blake3::hash(&out);
    out.extend(seal.as_bytes());
    out
}

/// The process that wrote a journal, and its changes; nothing if it is not whole.
fn from_bytes(bytes: &[u8]) -> Option<(u32, Vec<Change>)> {
    let (body, seal) = bytes.split_last_chunk::<32>()?;
    if blake3::hash(body).as_bytes() != seal {
        return None;
    }
    let rest = body.strip_prefix(MAGIC)?;
    let (process, mut rest) = rest.split_first_chunk::<4>()?;
    let mut changes = Vec::new();
    while !rest.is_empty() {
        let mut part = || {
            let (length, behind) = rest.split_first_chunk::<8>()?;
            let (part, behind) = behind.split_at_checked(u64::from_le_bytes(*length) as usize)?;
            rest = behind;
            Some(part.to_vec())
        };
        changes.push(Change {
            path: String::from_utf8(part()?).ok()?,
            before: part()?,
            after: part()?,
        });
    }
    Some((u32::from_le_bytes(*process), changes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_journal_is_read_as_written_or_not_at_all() {
        let change = |path: &str, before: &[u8], after: &[u8]| Change {
            path: path.to_owned(),
            before: before.to_owned(),
            after: after.to_owned(),
        };
        let changes = [
            change("a/b.rs", b"fn old() {}", b"fn new() {}"),
            change("\u{e4}.py", b"", b"x"),
        ];
        let bytes = to_bytes(&changes);
        let (process, read) = from_bytes(&bytes).expect("it is whole");
        assert_eq!((process, read.as_slice()), (std::process::id(), changes.as_slice()));
        for cut in 0..bytes.len() {
            assert!(from_bytes(&bytes[..cut]).is_none(), "cut at {cut}");
        }
    }
}
