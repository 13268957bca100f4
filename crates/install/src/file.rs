//! Reading and replacing one file: whole or not at all, with what was there kept beside it.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};

use crate::Problem;

fn io(doing: &'static str) -> impl FnOnce(io::Error) -> Problem {
    move |source| Problem::Io { doing, source }
}

/// Where a path really leads. A link is followed as long as that stays below `base`: an editor's settings may be
/// gathered in one directory, but a repository must not lead us to another place.
pub(crate) fn resolve(base: &Path, path: &Path) -> Result<PathBuf, Problem> {
    let Ok(real_base) = base.canonicalize() else {
        // Nothing is there yet, so nothing leads elsewhere.
        return Ok(path.to_owned());
    };
    // The part that is there, and the names that are not yet.
    let mut there = path;
    let mut missing = Vec::new();
    while there.symlink_metadata().is_err() {
        let (Some(parent), Some(name)) = (there.parent(), there.file_name()) else {
            break;
        };
        missing.push(name);
        there = parent;
    }
    let real = there.canonicalize().map_err(io("follow the link"))?;
    if !real.starts_with(&real_base) {
        return Err(Problem::LeadsElsewhere {
            to: real,
            base: base.to_owned(),
        });
    }
    Ok(missing.into_iter().rev().fold(real, |path, name| path.join(name)))
}

/// `None`: there is no such file.
pub(crate) fn read(path: &Path) -> Result<Option<String>, Problem> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(Problem::Io {
            doing: "read it",
            source,
        }),
    }
}

pub(crate) fn backup_of(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".portolan-backup");
    path.with_file_name(name)
}

/// Replaces what is in a file. Returns where that is kept now.
pub(crate) fn replace(path: &Path, old: Option<&str>, new: Option<&str>) -> Result<Option<PathBuf>, Problem> {
    let dir = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(dir).map_err(io("make its directory"))?;
    let permissions = match fs::metadata(path) {
        Ok(metadata) if metadata.permissions().readonly() => return Err(Problem::ReadOnly),
        Ok(metadata) => Some(metadata.permissions()),
        Err(_) => None,
    };
    let backup = backup_of(path);
    // What was there before us needs no second copy once it is back, and what is all ours needs none.
    let is_back = new.is_some() && read(&backup)?.as_deref() == new;
    let backup = match old {
        Some(old) if new.is_some() && !is_back => {
            write(dir, &backup, old, permissions.clone())?;
            Some(backup)
        }
        _ => {
            let _ = is_back.then(|| fs::remove_file(&backup));
            None
        }
    };
    if read(path)?.as_deref() != old {
        return Err(Problem::Raced);
    }
    match new {
        Some(new) => write(dir, path, new, permissions)?,
        None => fs::remove_file(path).map_err(io("remove it"))?,
    }
    Ok(backup)
}

/// `permissions` are those of the file that is replaced or copied.
fn write(dir: &Path, path: &Path, text: &str, permissions: Option<fs::Permissions>) -> Result<(), Problem> {
    let mut temporary = new_file(dir, permissions.is_some()).map_err(io("write beside it"))?;
    let written = temporary.write_all(text.as_bytes());
    written
        .and_then(|()| temporary.as_file().sync_all())
        .map_err(io("write it"))?;
    if let Some(permissions) = permissions {
        temporary
            .as_file()
            .set_permissions(permissions)
            .map_err(io("keep its permissions"))?;
    }
    temporary.persist(path).map_err(|error| io("replace it")(error.error))?;
    // The name is on the disk once its directory is; where directories cannot be opened, that is not in our hands.
    if let Ok(dir) = File::open(dir) {
        let _ = dir.sync_all();
    }
    Ok(())
}

/// A private file may be read by its owner alone from the moment it exists: it gets the permissions of the one that it
/// replaces once it is whole. Others are as any program makes files, since a project's files are for everyone.
fn new_file(dir: &Path, is_private: bool) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".portolan");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = if is_private { 0o600 } else { 0o666 };
        builder.permissions(fs::Permissions::from_mode(mode));
    }
    #[cfg(not(unix))]
    let _ = is_private;
    builder.tempfile_in(dir)
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn what_replaces_a_file_is_private_until_it_is_whole() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(mode(new_file(dir.path(), true).unwrap().path()), 0o600);
        // As any program makes files, whatever the mask of this process is.
        let usual = dir.path().join("usual");
        fs::write(&usual, "").unwrap();
        assert_eq!(mode(new_file(dir.path(), false).unwrap().path()), mode(&usual));
        for wanted in [0o600, 0o640, 0o644, 0o666] {
            let path = dir.path().join("settings.json");
            fs::write(&path, "old").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(wanted)).unwrap();
            let backup = replace(&path, Some("old"), Some("new")).unwrap().expect("a backup");
            assert_eq!((mode(&path), mode(&backup)), (wanted, wanted));
            fs::remove_file(backup).unwrap();
        }
    }
}
