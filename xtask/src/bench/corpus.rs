//! The files that are searched: copies, so that they can be changed and put under version control.

use std::{
    fs::{self, File},
    io::Write,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::{floor, say};

/// Larger files are mostly generated tables, and few of them would outweigh all others.
const MAX_BYTES: u64 = 60_000;

/// Left out: bindings to whole operating systems and browsers, thousands of declarations of one shape.
const GIANTS: &[&str] = &["windows", "winapi", "web-sys", "js-sys", "libc", "linux-raw-sys"];

/// Build output; a copy carries no ignore rules that would say so.
const OUTPUT_DIRS: &[&str] = &["target", "node_modules", "__pycache__"];

pub struct Corpus {
    pub dir: PathBuf,
    /// Relative to `dir`, with forward slashes.
    pub files: Vec<String>,
    pub n_bytes: u64,
}

/// Where the sources of our dependencies lie on this machine.
pub fn dependency_sources(metadata: &Value) -> Vec<PathBuf> {
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let mut dirs: Vec<PathBuf> = packages
        .filter(|package| !package["source"].is_null())
        .filter(|package| {
            let name = package["name"].as_str().unwrap_or_default();
            !GIANTS.iter().any(|giant| name.starts_with(giant))
        })
        .filter_map(|package| Some(Path::new(package["manifest_path"].as_str()?).parent()?.to_owned()))
        .collect();
    dirs.sort();
    dirs
}

impl Corpus {
    /// Copies at most `n_files` text files, spread evenly over all there are, and commits them.
    pub fn copy(sources: &[PathBuf], n_files: usize, into: &Path) -> Result<Corpus> {
        let mut found = Vec::new();
        for source in sources {
            let name = source.file_name().map(PathBuf::from).unwrap_or_default();
            collect(source, &name, &mut found)?;
        }
        let n_taken = found.len().min(n_files);
        if n_taken < n_files {
            say(&format!("only {n_taken} files of text are there"));
        }
        let taken = (0..n_taken).map(|i| &found[i * found.len() / n_taken]);
        let corpus = Corpus::write(taken.map(|(from, to)| (from.as_path(), to.as_path())), into)?;
        floor::commit_all(into)?;
        Ok(corpus)
    }

    /// Every `n`th file, below another directory.
    pub fn thinned(&self, n: usize, into: &Path) -> Result<Corpus> {
        let files: Vec<(PathBuf, &Path)> = self
            .files
            .iter()
            .step_by(n)
            .map(|file| (self.dir.join(file), Path::new(file)))
            .collect();
        Corpus::write(files.iter().map(|(from, to)| (from.as_path(), *to)), into)
    }

    fn write<'p>(files: impl Iterator<Item = (&'p Path, &'p Path)>, into: &Path) -> Result<Corpus> {
        let mut corpus = Corpus {
            dir: into.to_owned(),
            files: Vec::new(),
            n_bytes: 0,
        };
        // Files as young as an index must be read again to know whether they changed; that is not the usual case.
        let an_hour_ago = SystemTime::now() - Duration::from_secs(3600);
        for (from, relative) in files {
            let to = into.join(relative);
            fs::create_dir_all(to.parent().unwrap_or(into))?;
            // Not `fs::copy`: the sources may be read-only, and the copies are edited.
            let bytes = fs::read(from)?;
            let mut copy = File::create(&to).with_context(|| format!("cannot write {}", to.display()))?;
            copy.write_all(&bytes)?;
            copy.set_modified(an_hour_ago)?;
            corpus.n_bytes += bytes.len() as u64;
            corpus.files.push(relative.to_string_lossy().replace('\\', "/"));
        }
        if corpus.files.is_empty() {
            bail!("no text files to measure with");
        }
        Ok(corpus)
    }

    pub fn read(&self, file: &str) -> Result<String> {
        let bytes = fs::read(self.dir.join(file))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// Text files below `dir`, in the order of their names, each with its path in the corpus.
fn collect(dir: &Path, relative: &Path, found: &mut Vec<(PathBuf, PathBuf)>) -> Result<()> {
    let mut entries = fs::read_dir(dir)
        .with_context(|| format!("cannot list {}", dir.display()))?
        .collect::<Result<Vec<_>, _>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let kind = entry.file_type()?;
        let Some(name) = entry.file_name().to_str().map(str::to_owned) else {
            continue;
        };
        if name.starts_with('.') {
            continue;
        }
        let (path, relative) = (entry.path(), relative.join(&name));
        if kind.is_dir() && !OUTPUT_DIRS.contains(&name.as_str()) {
            collect(&path, &relative, found)?;
        } else if kind.is_file() && is_text(&path)? {
            found.push((path, relative));
        }
    }
    Ok(())
}

fn is_text(path: &Path) -> Result<bool> {
    let size = fs::metadata(path)?.len();
    Ok(size > 0 && size <= MAX_BYTES && !fs::read(path)?.contains(&0))
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
