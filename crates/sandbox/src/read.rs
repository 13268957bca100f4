//! Reading files of a repository that nobody vouches for: never outside its root, no private ones, never blocking, never
//! too much.

use std::{
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
    sync::Arc,
    time::UNIX_EPOCH,
};

use cap_primitives::fs::{FollowSymlinks, open as open_beneath, open_dir_nofollow};
use cap_std::{ambient_authority, fs::Dir};
use git::{Id, Repository};
use source::{SkipReason, Stat};

/// A directory that everything is opened beneath. Checking and opening are one step, so a path that is swapped for a
/// symbolic link in between leads neither out of the root nor to a private file.
pub struct Root {
    dir: Dir,
    /// The same directory, for calls that take a plain handle.
    handle: File,
    path: PathBuf,
    privacy: Privacy,
}

/// Which files of a workspace are neither indexed nor shown, whatever they contain: those of version control itself, and
/// those that usually hold secrets. It covers files on disk and what git has stored of them.
#[derive(Debug, Clone)]
pub struct Privacy {
    root: Arc<str>,
}

impl Privacy {
    fn of(root: &Path) -> Privacy {
        let root = root.to_string_lossy();
        let root = if cfg!(windows) {
            root.replace('\\', "/")
        } else {
            root.into_owned()
        };
        Privacy { root: root.into() }
    }

    /// Why a file is private. Nothing if it is not.
    pub fn reason(&self, path: &str) -> Option<SkipReason> {
        // The directories above the root count: `config.json` of the workspace `.docker` is private.
        let path = format!("{}/{path}", self.root);
        if source::is_version_control_path(&path) {
            return Some(SkipReason::VersionControl);
        }
        source::is_secret_path(&path).then_some(SkipReason::Secret)
    }
}

/// Why a file has no content for us.
#[derive(Debug)]
pub enum Unreadable {
    Gone,
    /// A link leads out of the root.
    Outside,
    Private(SkipReason),
    Because(SkipReason),
}

/// Why the content that git has stored of a file is not given.
#[derive(Debug, thiserror::Error)]
pub enum BlobError {
    #[error("it {0}")]
    Private(SkipReason),
    #[error(transparent)]
    Git(#[from] git::Error),
}

impl Root {
    pub fn open(path: &Path) -> io::Result<Root> {
        let dir = Dir::open_ambient_dir(path, ambient_authority())?;
        let handle = dir.try_clone()?.into_std_file();
        Ok(Root {
            dir,
            handle,
            path: path.to_owned(),
            privacy: Privacy::of(path),
        })
    }

    pub fn privacy(&self) -> &Privacy {
        &self.privacy
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

    pub(crate) fn dir(&self) -> &Dir {
        &self.dir
    }

    /// The path without links, if it is inside the root.
    pub fn resolve(&self, path: &str) -> Option<String> {
        let real = self.dir.canonicalize(path).ok()?;
        Some(source::RepoPath::from_relative(&real).ok()?.as_str().to_owned())
    }

    /// The bytes of a regular file of at most `limit` bytes that is not private, and its stat at that moment.
    pub fn read(&self, path: &str, limit: u64) -> Result<(Vec<u8>, Stat), Unreadable> {
        let file = self.open_file(path)?;
        let metadata = file.metadata().map_err(unreadable)?;
        if !metadata.is_file() {
            return Err(Unreadable::Because(SkipReason::NotRegular));
        }
        if metadata.len() > limit {
            return Err(Unreadable::Because(SkipReason::too_large(metadata.len(), limit)));
        }
        let mut bytes = Vec::with_capacity(metadata.len() as usize);
        // A file may grow while it is read; one byte more than allowed tells.
        file.take(limit + 1).read_to_end(&mut bytes).map_err(unreadable)?;
        if bytes.len() as u64 > limit {
            return Err(Unreadable::Because(SkipReason::too_large(bytes.len() as u64, limit)));
        }
        Ok((bytes, stat_of(&metadata)))
    }

    /// What git has stored of a file, by the same rules.
    pub fn read_blob(&self, repository: &Repository, path: &str, id: Id) -> Result<Vec<u8>, BlobError> {
        match self.privacy.reason(path) {
            Some(reason) => Err(BlobError::Private(reason)),
            None => Ok(repository.blob(id)?),
        }
    }

    /// Opens a file that is not private, through links if they stay inside the root. The path whose name is checked is
    /// opened without following any link, so that a link which appears after the check is an error.
    fn open_file(&self, path: &str) -> Result<File, Unreadable> {
        self.check_private(path)?;
        let error = match open_without_links(&self.handle, path) {
            Ok(file) => return Ok(file),
            Err(error) => error,
        };
        let real = self.dir.canonicalize(path).map_err(unreadable)?;
        let real = source::RepoPath::from_relative(&real).map_err(|_| Unreadable::Outside)?;
        if real.as_str() == path {
            return Err(unreadable(error));
        }
        self.check_private(real.as_str())?;
        open_without_links(&self.handle, real.as_str()).map_err(unreadable)
    }

    fn check_private(&self, path: &str) -> Result<(), Unreadable> {
        self.privacy
            .reason(path)
            .map_or(Ok(()), |reason| Err(Unreadable::Private(reason)))
    }
}

/// Opens a file beneath a directory for reading. A symbolic link anywhere in the path is an error.
fn open_without_links(dir: &File, path: &str) -> io::Result<File> {
    #[cfg(target_os = "linux")]
    if let Some(opened) = open_at_once(dir, path) {
        return opened;
    }
    open_by_components(dir, path)
}

/// In one system call. `None` if this kernel has none for it, or if the process may not use it.
#[cfg(target_os = "linux")]
fn open_at_once(dir: &File, path: &str) -> Option<io::Result<File>> {
    use rustix::{
        fs::{Mode, OFlags, ResolveFlags, openat2},
        io::Errno,
    };
    // Opening a pipe must not wait for its writer.
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS;
    match openat2(dir, path, flags, Mode::empty(), resolve) {
        Ok(file) => Some(Ok(file.into())),
        Err(Errno::NOSYS | Errno::PERM | Errno::AGAIN) => None,
        Err(error) => Some(Err(error.into())),
    }
}

/// Directory by directory, which every system can do.
fn open_by_components(dir: &File, path: &str) -> io::Result<File> {
    let mut options = cap_primitives::fs::OpenOptions::new();
    options.read(true)._cap_fs_ext_follow(FollowSymlinks::No);
    // Opening a pipe must not wait for its writer.
    #[cfg(target_os = "linux")]
    cap_primitives::fs::OpenOptionsExt::custom_flags(&mut options, 0o4000);
    #[cfg(all(unix, not(target_os = "linux")))]
    cap_primitives::fs::OpenOptionsExt::custom_flags(&mut options, 0x0004);
    let mut components = path.split('/');
    let name = components.next_back().unwrap_or(path);
    let mut parent: Option<File> = None;
    for component in components {
        let opened = open_dir_nofollow(parent.as_ref().unwrap_or(dir), Path::new(component))?;
        parent = Some(opened);
    }
    open_beneath(parent.as_ref().unwrap_or(dir), Path::new(name), &options)
}

fn unreadable(error: io::Error) -> Unreadable {
    match error.kind() {
        io::ErrorKind::NotFound => Unreadable::Gone,
        // The system's own refusals have a number; this one is the sandbox's.
        io::ErrorKind::PermissionDenied if error.raw_os_error().is_none() => Unreadable::Outside,
        io::ErrorKind::PermissionDenied => Unreadable::Because(SkipReason::PermissionDenied),
        _ => Unreadable::Because(SkipReason::Other(format!("cannot be read: {error}").into())),
    }
}

pub fn stat_of(metadata: &std::fs::Metadata) -> Stat {
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

#[cfg(all(test, unix))]
mod tests {
    use std::{fs, os::unix::fs::symlink};

    use super::*;

    /// Both ways to open a file agree, since only one of them runs on most systems.
    #[test]
    fn a_link_anywhere_in_a_path_is_an_error() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir_all(dir.path().join("a/b")).unwrap();
        fs::write(dir.path().join("a/b/file"), "text").unwrap();
        symlink("a", dir.path().join("dir_link")).unwrap();
        symlink("b/file", dir.path().join("a/file_link")).unwrap();
        let root = File::open(dir.path()).unwrap();
        for (path, is_opened) in [
            ("a/b/file", true),
            ("a/b", true),
            ("a/file_link", false),
            ("dir_link/b/file", false),
            ("dir_link", false),
            ("a/missing", false),
            ("missing/file", false),
            ("a/b/file/deeper", false),
            ("../a", false),
        ] {
            assert_eq!(open_by_components(&root, path).is_ok(), is_opened, "{path}");
            assert_eq!(open_without_links(&root, path).is_ok(), is_opened, "{path}");
        }
        for missing in ["a/missing", "missing/file"] {
            let error = open_by_components(&root, missing).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::NotFound, "{missing}");
        }
    }

    #[test]
    fn a_link_to_a_private_file_is_as_private() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().canonicalize().unwrap();
        fs::create_dir(path.join(".docker")).unwrap();
        for file in [".env", ".docker/config.json", "plain"] {
            fs::write(path.join(file), file).unwrap();
        }
        symlink(".env", path.join("to_secret")).unwrap();
        symlink("to_secret", path.join("to_link")).unwrap();
        symlink(".docker", path.join("to_dir")).unwrap();
        symlink("plain", path.join("to_plain")).unwrap();
        let root = Root::open(&path).unwrap();
        for private in [
            ".env",
            "to_secret",
            "to_link",
            ".docker/config.json",
            "to_dir/config.json",
        ] {
            assert!(
                matches!(root.read(private, 100), Err(Unreadable::Private(_))),
                "{private}"
            );
        }
        for shown in ["plain", "to_plain"] {
            assert_eq!(root.read(shown, 100).unwrap().0, b"plain", "{shown}");
        }
        // Also where the workspace is the directory that makes it private.
        let docker = Root::open(&path.join(".docker")).unwrap();
        assert!(matches!(docker.read("config.json", 100), Err(Unreadable::Private(_))));
    }
}
