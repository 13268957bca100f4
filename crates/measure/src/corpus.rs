//! The files that are measured with: copies, so that they can be changed and the originals are only read.

use std::{
    fs::{self, File},
    io::Write,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, SystemTime},
};

use anyhow::{Context, Result, bail};
use config::IndexConfig;
use refresh::Inventory;

/// More than that is not copied, whatever the number of files.
const MAX_BYTES: u64 = 1 << 30;

pub struct Corpus {
    pub dir: PathBuf,
    /// Relative to `dir`, with forward slashes.
    pub files: Vec<String>,
    pub n_bytes: u64,
}

/// A repository's files, or as many of them as may be measured with.
pub struct Copied {
    pub corpus: Corpus,
    /// How many files there are to index.
    pub n_files: usize,
}

impl Corpus {
    /// Copies what would be indexed of a repository: at most so many files, spread evenly over all there are.
    pub fn of_repository(root: &Path, most_files: usize, into: &Path, stop: &AtomicBool) -> Result<Copied> {
        let inventory = Inventory::of(root, &IndexConfig::default())?;
        let files: Vec<(&str, u64)> = inventory.files().collect();
        let n_taken = files.len().min(most_files);
        let (mut corpus, mut left) = (Corpus::new(into), MAX_BYTES);
        for i in 0..n_taken {
            if stop.load(Ordering::Relaxed) {
                bail!("stopped");
            }
            let (path, size) = files[i * files.len() / n_taken];
            let Some(bytes) = inventory.read(path).filter(|bytes| source::decode(bytes).is_some()) else {
                continue;
            };
            match left.checked_sub(size) {
                Some(rest) => left = rest,
                None => break,
            }
            corpus.add(path, &bytes)?;
        }
        Ok(Copied {
            corpus,
            n_files: files.len(),
        })
    }

    /// An empty one.
    pub fn new(dir: &Path) -> Corpus {
        Corpus {
            dir: dir.to_owned(),
            files: Vec::new(),
            n_bytes: 0,
        }
    }

    /// Copies of files, each to its path in the corpus.
    pub fn copy<'p>(files: impl Iterator<Item = (&'p Path, &'p str)>, into: &Path) -> Result<Corpus> {
        let mut corpus = Corpus::new(into);
        for (from, path) in files {
            corpus.add(path, &fs::read(from)?)?;
        }
        if corpus.files.is_empty() {
            bail!("no text files to measure with");
        }
        Ok(corpus)
    }

    /// `n` of its files, spread evenly, below another directory.
    pub fn part(&self, n: usize, into: &Path) -> Result<Corpus> {
        let n = n.min(self.files.len());
        let taken = (0..n).map(|i| &self.files[i * self.files.len() / n]);
        let files: Vec<(PathBuf, &str)> = taken.map(|file| (self.dir.join(file), file.as_str())).collect();
        Corpus::copy(files.iter().map(|(from, to)| (from.as_path(), *to)), into)
    }

    fn add(&mut self, path: &str, bytes: &[u8]) -> Result<()> {
        let to = self.dir.join(path);
        fs::create_dir_all(to.parent().unwrap_or(&self.dir))?;
        let mut copy = File::create(&to).with_context(|| format!("cannot write {}", to.display()))?;
        copy.write_all(bytes)?;
        // Files as young as an index must be read again to know whether they changed; that is not the usual case.
        copy.set_modified(SystemTime::now() - Duration::from_secs(3600))?;
        self.n_bytes += bytes.len() as u64;
        self.files.push(path.to_owned());
        Ok(())
    }

    pub fn read(&self, file: &str) -> Result<String> {
        let bytes = fs::read(self.dir.join(file))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// Bytes of all files below a directory.
pub fn size_of(dir: &Path) -> Result<u64> {
    let mut total = 0;
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        total += if entry.file_type()?.is_dir() {
            size_of(&entry.path())?
        } else {
            entry.metadata()?.len()
        };
    }
    Ok(total)
}
