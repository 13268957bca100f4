//! What is read outside of the workspace: sources of dependencies and of the standard library that are on the disk already.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs, io,
    path::{Path, PathBuf},
};

use semver::{Version, VersionReq};

/// Where sources that many workspaces share are looked for. Nothing is written or run there.
#[derive(Debug, Clone, Default)]
pub struct Outside {
    /// Directories of unpacked packages, each named `name-version`.
    pub registries: Vec<PathBuf>,
    /// Directories of repositories that are checked out, each as `name-hash/revision`.
    pub checkouts: Vec<PathBuf>,
    /// Directories that may have the standard library's sources; the first that has them counts.
    pub sysroots: Vec<PathBuf>,
    /// What may be loaded, with the workspace's own files, which come first; libraries beyond that are left out.
    pub max_bytes: u64,
}

/// A file that is larger is data.
const MAX_FILE_BYTES: u64 = 4 << 20;

/// Deeper than sources are.
const MAX_DEPTH: usize = 24;

/// What a package has besides its library.
const APART: &[&str] = &["tests", "examples", "benches", "target", "fuzz", ".git"];

/// The packages of all registries.
#[derive(Debug, Default)]
pub(crate) struct Registry {
    packages: BTreeMap<String, Vec<(Version, PathBuf)>>,
}

impl Registry {
    pub fn open(dirs: &[PathBuf]) -> Registry {
        let mut registry = Registry::default();
        for dir in dirs {
            for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
                let name = entry.file_name();
                if let Some((name, version)) = name.to_str().and_then(name_and_version) {
                    let versions = registry.packages.entry(name.to_owned()).or_default();
                    versions.push((version, entry.path()));
                }
            }
        }
        for versions in registry.packages.values_mut() {
            versions.sort();
        }
        registry
    }

    pub fn exactly(&self, name: &str, version: &Version) -> Option<&Path> {
        let mut versions = self.packages.get(name)?.iter();
        versions.find(|(one, _)| one == version).map(|(_, dir)| dir.as_path())
    }

    /// The newest that will do.
    pub fn matching(&self, name: &str, req: &VersionReq) -> Option<&Path> {
        let mut versions = self.packages.get(name)?.iter().rev();
        versions.find(|(one, _)| req.matches(one)).map(|(_, dir)| dir.as_path())
    }
}

/// `serde-json-1.0.0-rc.1`: the version begins behind the first dash after which everything is one.
fn name_and_version(text: &str) -> Option<(&str, Version)> {
    let dashes = text.match_indices('-').map(|(at, _)| at);
    dashes
        .filter_map(|at| Some((&text[..at], Version::parse(&text[at + 1..]).ok()?)))
        .next()
}

/// The Rust files of a library, by path below its directory; those beyond the limit are left out.
pub(crate) fn sources(dir: &Path, left: &mut u64) -> Vec<(String, String)> {
    let mut found = Vec::new();
    // What cannot be read is not there.
    let _ = walk(dir, String::new(), 0, left, &mut found);
    found
}

fn walk(dir: &Path, below: String, depth: usize, left: &mut u64, found: &mut Vec<(String, String)>) -> io::Result<()> {
    let mut entries: Vec<fs::DirEntry> = fs::read_dir(dir)?.collect::<Result<_, _>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let name = entry.file_name();
        let Some(name) = name.to_str() else { continue };
        let kind = entry.file_type()?;
        if kind.is_dir() {
            if depth < MAX_DEPTH && !(depth == 0 && APART.contains(&name)) {
                walk(&entry.path(), format!("{below}{name}/"), depth + 1, left, found)?;
            }
        } else if kind.is_file() && name.ends_with(".rs") {
            let bytes = entry.metadata()?.len();
            if bytes > MAX_FILE_BYTES.min(*left) {
                continue;
            }
            if let Ok(text) = fs::read_to_string(entry.path()) {
                *left -= bytes.min(*left);
                found.push((format!("{below}{name}"), text));
            }
        }
    }
    Ok(())
}

/// The crates of the standard library and what they need of each other, dependencies first.
pub(crate) const STANDARD: &[(&str, &[&str])] = &[
    ("core", &[]),
    ("alloc", &["core"]),
    ("unwind", &["core"]),
    ("panic_abort", &["core", "alloc"]),
    ("panic_unwind", &["core", "alloc", "unwind"]),
    ("std_detect", &["core", "alloc"]),
    (
        "std",
        &["core", "alloc", "unwind", "panic_abort", "panic_unwind", "std_detect"],
    ),
    ("proc_macro", &["core", "alloc", "std"]),
    ("test", &["core", "alloc", "std"]),
];

/// The standard library's sources, by path below its directory.
pub(crate) fn standard_library(sysroots: &[PathBuf], left: &mut u64) -> Option<Vec<(String, String)>> {
    let has_core = |dir: &&PathBuf| dir.join("core/src/lib.rs").is_file();
    let dir = sysroots.iter().find(has_core)?;
    let mut found = Vec::new();
    for (name, _) in STANDARD {
        let files = sources(&dir.join(name), left);
        found.extend(files.into_iter().map(|(path, text)| (format!("{name}/{path}"), text)));
    }
    Some(found)
}

/// What a lock file has settled.
#[derive(Debug, Default)]
pub(crate) struct Lock {
    packages: BTreeMap<String, Vec<Locked>>,
}

#[derive(Debug)]
pub(crate) struct Locked {
    pub version: Version,
    /// None for what is in the workspace.
    pub source: Option<String>,
    /// `name`, or `name version` where there are several.
    dependencies: Vec<String>,
}

impl Lock {
    pub fn parse(text: &str) -> Option<Lock> {
        let table: toml::Table = text.parse().ok()?;
        let mut lock = Lock::default();
        for package in table.get("package")?.as_array()? {
            let text = |key: &str| package.get(key).and_then(toml::Value::as_str);
            let (Some(name), Some(Ok(version))) = (text("name"), text("version").map(Version::parse)) else {
                continue;
            };
            let dependencies = package.get("dependencies").and_then(toml::Value::as_array);
            let dependencies = dependencies.into_iter().flatten();
            lock.packages.entry(name.to_owned()).or_default().push(Locked {
                version,
                source: text("source").map(str::to_owned),
                dependencies: dependencies
                    .filter_map(|item| Some(item.as_str()?.to_owned()))
                    .collect(),
            });
        }
        Some(lock)
    }

    /// What a package's dependency was settled to be.
    pub fn dependency(&self, (of, version): (&str, &str), name: &str, req: &VersionReq) -> Option<&Locked> {
        let all = self.packages.get(name)?;
        let named: BTreeSet<&str> = self
            .packages
            .get(of)
            .into_iter()
            .flatten()
            .filter(|one| one.version.to_string() == version)
            .flat_map(|one| &one.dependencies)
            .filter_map(|item| {
                let mut words = item.split(' ');
                (words.next() == Some(name)).then(|| words.next().unwrap_or_default())
            })
            .collect();
        let is_named =
            |one: &&Locked| named.is_empty() || named.contains("") || named.contains(one.version.to_string().as_str());
        let mut fitting = all.iter().filter(is_named);
        let first = fitting.clone().next();
        fitting.find(|one| req.matches(&one.version)).or(first)
    }
}
