//! Packages in repositories that cargo has checked out: `checkouts/<name>-<hash>/<revision>`.

use std::{
    cell::RefCell,
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use crate::manifest::{self, Shared};

/// Deeper than repositories keep their packages.
const MAX_DEPTH: usize = 8;

/// Directories of one repository that are looked into.
const MAX_DIRS: usize = 5000;

/// The packages of one checkout: their names and directories.
type Packages = Vec<(String, PathBuf)>;

/// What is checked out, by the name of its repository.
#[derive(Debug, Default)]
pub(crate) struct Checkouts {
    revisions: BTreeMap<String, Vec<PathBuf>>,
    packages: RefCell<BTreeMap<PathBuf, Packages>>,
}

impl Checkouts {
    pub fn open(dirs: &[PathBuf]) -> Checkouts {
        let mut checkouts = Checkouts::default();
        for repository in dirs.iter().flat_map(|dir| inside(dir)) {
            let name = repository
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            // The rest stands for the address it came from, in a way that is cargo's own.
            if let Some((name, _)) = name.rsplit_once('-') {
                let revisions = checkouts.revisions.entry(name.to_lowercase()).or_default();
                revisions.extend(inside(&repository));
            }
        }
        checkouts
    }

    /// The directory of a package whose source a lock file gives as `git+ADDRESS#REVISION`, and that of its repository.
    pub fn find(&self, source: &str, package: &str) -> Option<(PathBuf, PathBuf)> {
        let (address, revision) = source.strip_prefix("git+")?.split_once('#')?;
        let address = address.split_once('?').map_or(address, |(address, _)| address);
        let name = address.trim_end_matches('/').rsplit('/').next()?;
        let name = name.strip_suffix(".git").unwrap_or(name).to_lowercase();
        let is_it = |dir: &&PathBuf| {
            let short = dir.file_name().unwrap_or_default().to_string_lossy();
            short.len() >= 4 && revision.starts_with(&*short)
        };
        let mut revisions = self.revisions.get(&name)?.iter().filter(is_it);
        revisions.find_map(|root| {
            let mut known = self.packages.borrow_mut();
            let packages = known.entry(root.clone()).or_insert_with(|| packages(root));
            let (_, dir) = packages.iter().find(|(name, _)| name == package)?;
            Some((dir.clone(), root.clone()))
        })
    }
}

/// What the packages of a repository take over from the manifest around them.
pub(crate) fn shared(root: &Path, package: &Path) -> Shared {
    let around = package.ancestors().take_while(|dir| dir.starts_with(root));
    let shared = |dir: &Path| manifest::shared(&manifest::parse(&manifest_in(dir)?)?);
    around.into_iter().find_map(shared).unwrap_or_default()
}

/// The directories in one, in order. Links are not followed: what is in them is the repository's choice.
fn inside(dir: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten();
    let dirs = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    let mut dirs: Vec<PathBuf> = dirs.map(|entry| entry.path()).collect();
    dirs.sort();
    dirs
}

fn manifest_in(dir: &Path) -> Option<String> {
    let path = dir.join("Cargo.toml");
    let is_file = fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_file());
    is_file.then(|| fs::read_to_string(path).ok()).flatten()
}

fn packages(root: &Path) -> Packages {
    let mut found = Packages::new();
    let mut open = vec![(root.to_owned(), 0)];
    let mut seen = 0;
    while let Some((dir, depth)) = open.pop() {
        seen += 1;
        if seen > MAX_DIRS {
            break;
        }
        let name = manifest_in(&dir).and_then(|text| {
            let table = manifest::parse(&text)?;
            Some(table.get("package")?.get("name")?.as_str()?.to_owned())
        });
        found.extend(name.map(|name| (name, dir.clone())));
        if depth < MAX_DEPTH {
            let hidden = |dir: &PathBuf| {
                dir.file_name()
                    .is_some_and(|name| name.to_string_lossy().starts_with('.'))
            };
            open.extend(
                inside(&dir)
                    .into_iter()
                    .filter(|dir| !hidden(dir))
                    .map(|dir| (dir, depth + 1)),
            );
        }
    }
    // Of two of one name the outer one is meant: the other belongs to a test.
    found.sort_by_key(|(_, dir)| dir.components().count());
    found
}
