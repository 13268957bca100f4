//! The sources that a truth set is about: unpacked from its own archive, or fetched by name and version.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::fetch::{fetch, unpack};

/// The archive of a truth set that has its sources with it: a directory for each repository.
const ARCHIVE: &str = "corpora.tar.xz";

/// A directory with the sources of one repository, checked to be the version that the truth is about.
pub fn of(repo: &str, manifest: &Value, truth: &Path, scratch: &Path) -> Result<PathBuf> {
    let archive = truth.join(ARCHIVE);
    let root = if archive.is_file() {
        let dir = scratch.join("sources");
        if !dir.is_dir() {
            unpack(&archive, &dir)?;
        }
        dir.join(repo)
    } else {
        let version = manifest["version"].as_str().context("a repository without a version")?;
        // `crates.io bat 0.25.0`
        let mut words = version.split_whitespace();
        let (Some(registry), Some(name), Some(number)) = (words.next(), words.next(), words.next()) else {
            bail!("{version}: no registry, name and version");
        };
        fetch(registry, name, number, &scratch.join(repo), scratch)
            .with_context(|| format!("{version} cannot be fetched"))?
            .dir
    };
    check(&root, manifest)?;
    Ok(root)
}

/// Lines are what the truth speaks of: each file must be there and have as many as it had.
fn check(root: &Path, manifest: &Value) -> Result<()> {
    for (path, known) in manifest["files"].as_object().into_iter().flatten() {
        let text = fs::read(root.join(path)).with_context(|| format!("{path} is missing"))?;
        let breaks = text.iter().filter(|byte| **byte == b'\n').count() as u64;
        let wanted = known[0].as_u64().unwrap_or(0);
        if breaks.abs_diff(wanted) > 1 {
            bail!("{path} has {breaks} lines where the truth has {wanted}: another version");
        }
    }
    Ok(())
}
