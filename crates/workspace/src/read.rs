//! Reading files of a repository that nobody vouches for: never outside its root, never blocking, never too much.

use std::{
    io::Read,
    path::{Path, PathBuf},
    time::UNIX_EPOCH,
};

use cap_std::{ambient_authority, fs::Dir};
use index::Stat;

use crate::error::Error;

/// A directory that everything is opened beneath. Checking and opening are one step, so a path that is swapped for a
/// symbolic link in between still cannot lead out.
pub(crate) struct Root {
    dir: Dir,
    path: PathBuf,
}

/// Why a file has no content for us; the text is a recorded reason.
#[derive(Debug)]
pub(crate) enum Unreadable {
    Gone,
    /// A link leads out of the root.
    Outside,
    Because(String),
}

impl Root {
    pub fn open(path: &Path) -> Result<Root, Error> {
        let dir = Dir::open_ambient_dir(path, ambient_authority()).map_err(|source| match source.kind() {
            std::io::ErrorKind::NotFound => Error::RootGone { path: path.to_owned() },
            _ => Error::Io {
                path: path.to_owned(),
                source,
            },
        })?;
        Ok(Root {
            dir,
            path: path.to_owned(),
        })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether the directory that was opened is still the one at its path.
    pub fn is_in_place(&self) -> bool {
        #[cfg(unix)]
        {
            use cap_std::fs::MetadataExt as _;
            use std::os::unix::fs::MetadataExt as _;
            match (self.dir.dir_metadata(), std::fs::metadata(&self.path)) {
                (Ok(opened), Ok(there)) => (opened.dev(), opened.ino()) == (there.dev(), there.ino()),
                _ => false,
            }
        }
        #[cfg(not(unix))]
        self.path.is_dir()
    }

    pub fn dir(&self) -> &Dir {
        &self.dir
    }

    /// The path without links, if it is inside the root.
    pub fn resolve(&self, path: &str) -> Option<String> {
        let real = self.dir.canonicalize(path).ok()?;
        Some(source::RepoPath::from_relative(&real).ok()?.as_str().to_owned())
    }

    /// The bytes of a regular file of at most `limit` bytes, and its stat at that moment.
    pub fn read(&self, path: &str, limit: u64) -> Result<(Vec<u8>, Stat), Unreadable> {
        let mut options = cap_std::fs::OpenOptions::new();
        options.read(true);
        // Opening a pipe must not wait for its writer.
        #[cfg(target_os = "linux")]
        cap_std::fs::OpenOptionsExt::custom_flags(&mut options, 0o4000);
        #[cfg(all(unix, not(target_os = "linux")))]
        cap_std::fs::OpenOptionsExt::custom_flags(&mut options, 0x0004);
        let file = self.dir.open_with(path, &options).map_err(unreadable)?.into_std();
        let metadata = file.metadata().map_err(unreadable)?;
        if !metadata.is_file() {
            return Err(Unreadable::Because("not a regular file".into()));
        }
        if metadata.len() > limit {
            return Err(Unreadable::Because(too_large(metadata.len(), limit)));
        }
        let mut bytes = Vec::with_capacity(metadata.len() as usize);
        // A file may grow while it is read; one byte more than allowed tells.
        file.take(limit + 1).read_to_end(&mut bytes).map_err(unreadable)?;
        if bytes.len() as u64 > limit {
            return Err(Unreadable::Because(too_large(bytes.len() as u64, limit)));
        }
        Ok((bytes, stat_of(&metadata)))
    }
}

pub(crate) fn too_large(size: u64, limit: u64) -> String {
    format!(
        "too large: {:.1} MB, the limit is {} MB",
        size as f64 / f64::from(1 << 20),
        limit >> 20
    )
}

fn unreadable(error: std::io::Error) -> Unreadable {
    match error.kind() {
        std::io::ErrorKind::NotFound => Unreadable::Gone,
        // The system's own refusals have a number; this one is the sandbox's.
        std::io::ErrorKind::PermissionDenied if error.raw_os_error().is_none() => Unreadable::Outside,
        std::io::ErrorKind::PermissionDenied => Unreadable::Because("permission denied".into()),
        _ => Unreadable::Because(format!("cannot be read: {error}")),
    }
}

pub(crate) fn stat_of(metadata: &std::fs::Metadata) -> Stat {
    let mtime_ns = metadata
        .modified()
        .map_or(0, |time| match time.duration_since(UNIX_EPOCH) {
            Ok(after) => after.as_nanos() as i64,
            Err(before) => -(before.duration().as_nanos() as i64),
        });
    #[cfg(unix)]
    let (ctime_ns, inode) = {
        use std::os::unix::fs::MetadataExt;
        (metadata.ctime() * 1_000_000_000 + metadata.ctime_nsec(), metadata.ino())
    };
    #[cfg(not(unix))]
    let (ctime_ns, inode) = (0, 0);
    Stat {
        size: metadata.len(),
        mtime_ns,
        ctime_ns,
        inode,
    }
}
