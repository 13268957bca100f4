//! Writing into a repository: all files or none, and nothing but what a caller was shown.

use std::{
    io::{self, Write},
    path::Path,
};

use cap_std::fs::{Dir, File, OpenOptions};

use crate::{journal::Journal, read::Root};

/// A file as it is and as it is to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    pub path: String,
    pub before: Vec<u8>,
    pub after: Vec<u8>,
}

/// Why changes were not written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// A file is not what it was when the change was made.
    #[error("`{path}` has changed")]
    Changed { path: String },
    #[error("nothing was changed: `{path}` cannot be written: {reason}")]
    NotWritten { path: String, reason: String },
    #[error(
        "`{path}` cannot be written: {reason}; {lost} could not be put back, which is tried again at the next start"
    )]
    HalfWritten { path: String, reason: String, lost: String },
}

/// A new content that lies beside the file that it will replace. Removed again if it never does.
struct Staged<'d> {
    dir: &'d Dir,
    path: String,
    is_placed: bool,
}

impl Drop for Staged<'_> {
    fn drop(&mut self) {
        if !self.is_placed {
            let _ = self.dir.remove_file(&self.path);
        }
    }
}

impl Root {
    /// Writes every change or none, even if this process is killed: then `recover` undoes it. The journal is kept in a
    /// directory outside of the root.
    pub fn write_all(&self, journal_dir: &Path, changes: &[Change]) -> Result<(), WriteError> {
        let journal = Journal::begin(journal_dir, changes).map_err(|error| WriteError::NotWritten {
            path: changes.first().map(|change| change.path.clone()).unwrap_or_default(),
            reason: format!("what it was cannot be kept in {}: {error}", journal_dir.display()),
        })?;
        let written = self.replace_all(changes);
        // What could not be put back is tried again by `recover`.
        if !matches!(&written, Err(WriteError::HalfWritten { .. })) {
            journal.finish();
        }
        written
    }

    /// Writes every change, or none: each file must still be what it was, new contents are on disk before the first is
    /// put in place, and what was put in place is undone if a later one fails.
    fn replace_all(&self, changes: &[Change]) -> Result<(), WriteError> {
        let dir = self.dir();
        let mut staged = Vec::with_capacity(changes.len());
        for change in changes {
            self.check(change)?;
            staged.push(stage(dir, &change.path, &change.after).map_err(not_written(&change.path))?);
        }
        // Staging takes a while; from here on there is nothing but renames.
        for change in changes {
            self.check(change)?;
        }
        for (done, change) in changes.iter().enumerate() {
            let placed = dir.rename(&staged[done].path, dir, &change.path);
            staged[done].is_placed = placed.is_ok();
            if let Err(error) = placed {
                let lost: Vec<&str> = changes[..done]
                    .iter()
                    .filter(|change| restore(dir, change).is_err())
                    .map(|change| change.path.as_str())
                    .collect();
                let (path, reason) = (change.path.clone(), error.to_string());
                return Err(match lost.is_empty() {
                    true => WriteError::NotWritten { path, reason },
                    false => WriteError::HalfWritten {
                        path,
                        reason,
                        lost: lost.join(", "),
                    },
                });
            }
        }
        for change in changes {
            sync_dir(dir, &change.path);
        }
        Ok(())
    }

    /// That a file is the one that is to be changed: a regular file that may be written, not reached through a link, with
    /// the content that it had.
    fn check(&self, change: &Change) -> Result<(), WriteError> {
        let refused = |reason: &str| WriteError::NotWritten {
            path: change.path.clone(),
            reason: reason.to_owned(),
        };
        if self.resolve(&change.path).as_deref() != Some(change.path.as_str()) {
            return Err(refused("it is reached through a symbolic link, or gone"));
        }
        let metadata = self.dir().symlink_metadata(&change.path);
        let metadata = metadata.map_err(not_written(&change.path))?;
        if !metadata.is_file() {
            return Err(refused("it is not a regular file"));
        }
        if metadata.permissions().readonly() {
            return Err(refused("it is read-only"));
        }
        match self.read(&change.path, change.before.len() as u64) {
            Ok((bytes, _)) if bytes == change.before => Ok(()),
            _ => Err(WriteError::Changed {
                path: change.path.clone(),
            }),
        }
    }
}

fn not_written(path: &str) -> impl FnOnce(io::Error) -> WriteError {
    let path = path.to_owned();
    move |source| WriteError::NotWritten {
        path,
        reason: source.to_string(),
    }
}

const ATTEMPTS: u32 = 100;

/// Where a new content lies until it replaces a file.
fn beside(path: &str, process: u32, attempt: u32) -> String {
    let (parent, name) = path
        .rsplit_once('/')
        .map_or(("", path), |(parent, name)| (parent, name));
    let slash = if parent.is_empty() { "" } else { "/" };
    format!("{parent}{slash}.{name}.{process}-{attempt}.tmp")
}

/// Removes what another process has left beside a file that it was about to replace: what begins as its new content does.
pub(crate) fn remove_staged(root: &Root, change: &Change, process: u32) {
    for attempt in 0..=ATTEMPTS {
        let path = beside(&change.path, process, attempt);
        let Ok((bytes, _)) = root.read(&path, change.after.len() as u64) else {
            // They are numbered as they are made.
            break;
        };
        if change.after.starts_with(&bytes) {
            let _ = root.dir().remove_file(&path);
        }
    }
}

/// Writes a new content beside the file that it will replace. It is its owner's alone until it is whole: the file may be
/// private, and whoever opened it earlier would keep it open.
fn stage<'d>(dir: &'d Dir, path: &str, bytes: &[u8]) -> io::Result<Staged<'d>> {
    let permissions = dir.metadata(path)?.permissions();
    let mut attempt = 0;
    let (mut file, staged) = loop {
        let beside = beside(path, std::process::id(), attempt);
        match create_private(dir, &beside) {
            Ok(file) => {
                let staged = Staged {
                    dir,
                    path: beside,
                    is_placed: false,
                };
                break (file, staged);
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && attempt < ATTEMPTS => attempt += 1,
            Err(error) => return Err(error),
        }
    };
    file.write_all(bytes)?;
    file.set_permissions(permissions)?;
    file.sync_all()?;
    Ok(staged)
}

/// Makes a file that only its owner may read. On Windows the directory decides who may.
fn create_private(dir: &Dir, path: &str) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    cap_std::fs::OpenOptionsExt::mode(&mut options, 0o600);
    dir.open_with(path, &options)
}

pub(crate) fn restore(dir: &Dir, change: &Change) -> io::Result<()> {
    let mut staged = stage(dir, &change.path, &change.before)?;
    dir.rename(&staged.path, dir, &change.path)?;
    staged.is_placed = true;
    Ok(())
}

/// Makes a rename last. A system that cannot do that for a directory does it by itself.
fn sync_dir(dir: &Dir, path: &str) {
    let parent = path.rsplit_once('/').map_or(".", |(parent, _)| parent);
    if let Ok(parent) = dir.open_dir(parent) {
        let _ = parent.into_std_file().sync_all();
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::{fs, os::unix::fs::PermissionsExt, path::Path};

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn a_new_content_is_private_until_it_is_whole() {
        let temp = tempfile::tempdir().unwrap();
        let dir = Dir::open_ambient_dir(temp.path(), cap_std::ambient_authority()).unwrap();
        create_private(&dir, "new").unwrap();
        assert_eq!(mode(&temp.path().join("new")), 0o600);
        assert!(create_private(&dir, "new").is_err(), "nothing is replaced");
        // Then it is as open as what it replaces.
        for wanted in [0o600, 0o640, 0o755, 0o666] {
            let file = temp.path().join("file");
            fs::write(&file, "old").unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(wanted)).unwrap();
            let staged = stage(&dir, "file", b"new").unwrap();
            assert_eq!(mode(&temp.path().join(&staged.path)), wanted);
        }
    }
}
