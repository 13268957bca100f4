//! Files that readers have mapped into memory. They are written once, before the file that names them. One that someone
//! else has written to is compared with its checksum before it is believed, and one that was cut short since it was mapped
//! must not be touched: the system ends a process that does.

use std::{
    fs::{File, Metadata},
    io::ErrorKind,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::SystemTime,
};

use crate::error::StoreErrorKind;

/// One file, as it was when it was opened.
#[derive(Debug)]
pub(crate) struct MappedFile {
    path: PathBuf,
    file: File,
    size: u64,
    written: Option<SystemTime>,
}

impl MappedFile {
    fn open(path: PathBuf) -> std::io::Result<MappedFile> {
        let file = File::open(&path)?;
        let metadata = file.metadata()?;
        Ok(MappedFile {
            path,
            file,
            size: metadata.len(),
            written: metadata.modified().ok(),
        })
    }

    fn is_as_it_was(&self) -> bool {
        let same = |now: &Metadata| now.len() == self.size && now.modified().ok() == self.written;
        self.file.metadata().is_ok_and(|now| same(&now))
    }
}

/// The files of one reader.
#[derive(Debug, Clone, Default)]
pub(crate) struct MappedFiles(Vec<Arc<MappedFile>>);

impl MappedFiles {
    /// What another process cannot do to mapped files on the other systems need not be looked for there.
    const CAN_CHANGE: bool = cfg!(unix);

    pub fn are_as_they_were(&self) -> bool {
        self.0.iter().all(|file| file.is_as_it_was())
    }
}

/// All files of a store that were looked at.
#[derive(Debug, Default)]
pub(crate) struct Mapper {
    known: Mutex<MappedFiles>,
}

impl Mapper {
    /// Opens what was not open. A file that is newer than the one that `names` it is asked about.
    pub fn open(
        &self,
        paths: Vec<PathBuf>,
        names: &Path,
        is_sound: impl Fn(&Path) -> bool,
    ) -> Result<MappedFiles, StoreErrorKind> {
        if !MappedFiles::CAN_CHANGE {
            return Ok(MappedFiles::default());
        }
        let named = std::fs::metadata(names).and_then(|metadata| metadata.modified()).ok();
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let mut files = Vec::with_capacity(paths.len());
        for path in paths {
            if let Some(file) = known.0.iter().find(|file| file.path == path) {
                files.push(file.clone());
                continue;
            }
            // What is not there is noticed by whoever needs it; it may have been merged away just now.
            let file = match MappedFile::open(path) {
                Err(error) if error.kind() == ErrorKind::NotFound => continue,
                file => file?,
            };
            if (named.is_none() || file.written > named) && !is_sound(&file.path) {
                return Err(StoreErrorKind::Damaged {
                    what: "a file of the index",
                });
            }
            files.push(Arc::new(file));
        }
        *known = MappedFiles(files);
        Ok(known.clone())
    }

    pub fn forget(&self) {
        *self.known.lock().unwrap_or_else(PoisonError::into_inner) = MappedFiles::default();
    }
}
