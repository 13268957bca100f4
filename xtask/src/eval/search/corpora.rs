//! The repositories that the queries are about, from registries: fetched once, checked, and laid out as the queries name
//! their files.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail};

use super::super::fetch::fetch;

const SOURCES: &str = include_str!("sources.tsv");

/// A part of a repository: the directory `from` of a package is its `to`, but for what is `without`.
struct Source {
    line: &'static str,
    registry: &'static str,
    name: &'static str,
    version: &'static str,
    sha256: &'static str,
    from: &'static str,
    to: &'static str,
    without: &'static str,
}

fn sources() -> BTreeMap<&'static str, Vec<Source>> {
    let mut sources: BTreeMap<_, Vec<Source>> = BTreeMap::new();
    for line in SOURCES.lines().filter(|line| !line.starts_with('#')) {
        let mut fields = line.split('\t');
        let mut next = || fields.next().unwrap_or_default();
        sources.entry(next()).or_default().push(Source {
            line,
            registry: next(),
            name: next(),
            version: next(),
            sha256: next(),
            from: next(),
            to: next(),
            without: next(),
        });
    }
    sources
}

/// The directory of a repository below `dir`, fetched if this version of it is not there. None if no registry has it.
pub fn of(repo: &str, dir: &Path) -> Result<Option<PathBuf>> {
    let sources = sources();
    let Some(sources) = sources.get(repo) else {
        return Ok(None);
    };
    let root = dir.join(repo);
    // What it was made from stands beside it, not in it: everything in it is searched.
    let receipt = dir.join(format!("{repo}.tsv"));
    let lines: Vec<&str> = sources.iter().map(|source| source.line).collect();
    let lines = lines.join("\n");
    if fs::read_to_string(&receipt).is_ok_and(|known| known == lines) {
        return Ok(Some(root));
    }
    eprintln!("eval: fetching {repo}");
    let scratch = dir.join("fetching");
    for stale in [&scratch, &root] {
        if stale.exists() {
            fs::remove_dir_all(stale)?;
        }
    }
    for (i, source) in sources.iter().enumerate() {
        let package = format!("{} {} of {}", source.name, source.version, source.registry);
        let fetched = fetch(
            source.registry,
            source.name,
            source.version,
            &scratch.join(i.to_string()),
            &dir.join("apt"),
        )
        .with_context(|| format!("{package} cannot be fetched"))?;
        if fetched.sha256 != source.sha256 {
            bail!(
                "{package} has the checksum {}, wanted {}",
                fetched.sha256,
                source.sha256
            );
        }
        let below = |dir: &Path, part: &str| if part == "." { dir.to_owned() } else { dir.join(part) };
        let (from, to) = (below(&fetched.dir, source.from), below(&root, source.to));
        fs::create_dir_all(to.parent().unwrap_or(dir))?;
        fs::rename(&from, &to).with_context(|| format!("{} of {package} cannot be moved", source.from))?;
        if !source.without.is_empty() {
            fs::remove_dir_all(to.join(source.without))?;
        }
    }
    fs::remove_dir_all(&scratch)?;
    fs::write(receipt, lines)?;
    Ok(Some(root))
}
