//! Mount points: whether a directory that is missing was deleted, or is on a drive that is not mounted.

use std::path::{Path, PathBuf};

/// The topmost directory on the file system that a directory is on. `None` if that cannot be told.
#[cfg(unix)]
pub(crate) fn mount_point(path: &Path) -> Option<PathBuf> {
    use std::os::unix::fs::MetadataExt;

    let device = |path: &Path| path.metadata().map(|metadata| metadata.dev()).ok();
    let own = device(path)?;
    let on_it = path.ancestors().take_while(|path| device(path) == Some(own));
    on_it.last().map(Path::to_owned)
}

/// The drive of a directory.
#[cfg(not(unix))]
pub(crate) fn mount_point(path: &Path) -> Option<PathBuf> {
    let drive = path.ancestors().last()?;
    drive.exists().then(|| drive.to_owned())
}

/// Whether something is mounted where a mount point was.
pub(crate) fn is_mounted(mount: &Path) -> bool {
    mount_point(mount).as_deref() == Some(mount)
}
