//! The files that the product is measured with: sources of our dependencies, or of a directory that is given.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use measure::Corpus;
use serde_json::Value;

use super::{floor, say};

/// Larger files are mostly generated tables, and few of them would outweigh all others.
const MAX_BYTES: u64 = 60_000;

/// Left out: bindings to whole operating systems and browsers, thousands of declarations of one shape.
const GIANTS: &[&str] = &["windows", "winapi", "web-sys", "js-sys", "libc", "linux-raw-sys"];

/// Build output; a copy carries no ignore rules that would say so.
const OUTPUT_DIRS: &[&str] = &["target", "node_modules", "__pycache__"];

/// Where the sources of our dependencies lie on this machine: by name and version, as `Cargo.lock` has them.
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
    let corpus = Corpus::copy(taken.map(|(from, to)| (from.as_path(), to.as_str())), into)?;
    floor::commit_all(into)?;
    Ok(corpus)
}

/// Text files below `dir`, in the order of their names, each with its path in the corpus.
fn collect(dir: &Path, relative: &Path, found: &mut Vec<(PathBuf, String)>) -> Result<()> {
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
            found.push((path, relative.to_string_lossy().replace('\\', "/")));
        }
    }
    Ok(())
}

/// UTF-8 only: anything else is searched as it is shown, which is not how `rg` sees it.
fn is_text(path: &Path) -> Result<bool> {
    let size = fs::metadata(path)?.len();
    if size == 0 || size > MAX_BYTES {
        return Ok(false);
    }
    let bytes = fs::read(path)?;
    Ok(!bytes.contains(&0) && std::str::from_utf8(&bytes).is_ok())
}
