//! What a file may have held at a time, so that answers can be judged while files change.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Instant,
};

use anyhow::Result;

/// From asking to having the answer.
#[derive(Clone, Copy)]
pub struct Window {
    pub from: Instant,
    pub until: Instant,
}

struct Version {
    /// `None`: there is no file.
    text: Option<Arc<str>>,
    /// When it began to be written, and was.
    began: Instant,
    done: Instant,
}

/// A directory whose changes are all made here.
pub struct Disk {
    root: PathBuf,
    files: Mutex<BTreeMap<String, Vec<Version>>>,
}

impl Disk {
    /// Writes files into an empty directory.
    pub fn new(root: &Path, files: &[(String, String)]) -> Result<Disk> {
        let disk = Disk {
            root: root.to_owned(),
            files: Mutex::default(),
        };
        for (path, text) in files {
            disk.write(path, Some(text.as_str().into()), false)?;
        }
        Ok(disk)
    }

    /// Writes or deletes a file, in place or by renaming another one, as editors do.
    pub fn write(&self, path: &str, text: Option<Arc<str>>, by_renaming: bool) -> Result<()> {
        let to = self.root.join(path);
        fs::create_dir_all(to.parent().unwrap_or(&self.root))?;
        let aside = self.root.with_extension("aside");
        if let Some(text) = text.as_deref().filter(|_| by_renaming) {
            fs::write(&aside, text)?;
        }
        // Known before it is so: whoever answers meanwhile may have seen either.
        let began = Instant::now();
        let version = Version {
            text: text.clone(),
            began,
            done: began,
        };
        self.files().entry(path.to_owned()).or_default().push(version);
        match text.as_deref() {
            Some(_) if by_renaming => fs::rename(&aside, &to)?,
            Some(text) => fs::write(&to, text)?,
            None => fs::remove_file(&to)?,
        }
        if let Some(version) = self.files().get_mut(path).and_then(|versions| versions.last_mut()) {
            version.done = Instant::now();
        }
        Ok(())
    }

    /// Everything that the file may have been in that time; nothing where it did not exist.
    pub fn possible(&self, path: &str, window: Window) -> Vec<Option<Arc<str>>> {
        let files = self.files();
        let Some(versions) = files.get(path) else {
            return Vec::new();
        };
        let replaced = |at: usize| {
            let next: Option<&Version> = versions.get(at + 1);
            // A write that is under way has not replaced anything yet.
            next.is_some_and(|next| next.done > next.began && next.done < window.from)
        };
        let at_the_time = versions
            .iter()
            .enumerate()
            .filter(|(at, version)| version.began <= window.until && !replaced(*at));
        at_the_time.map(|(_, version)| version.text.clone()).collect()
    }

    fn files(&self) -> MutexGuard<'_, BTreeMap<String, Vec<Version>>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
