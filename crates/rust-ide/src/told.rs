//! What cargo itself has said of a workspace, where the user lets it be asked.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use serde_json::Value;

/// Which package each dependency of each package is, by the directories that they are in.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Told {
    /// By the name that code calls a dependency.
    packages: BTreeMap<PathBuf, BTreeMap<String, PathBuf>>,
    root: PathBuf,
}

impl Told {
    /// Reads what `cargo metadata --format-version 1` has printed, of a workspace in a directory.
    pub fn parse(json: &str, root: &Path) -> Option<Told> {
        let json: Value = serde_json::from_str(json).ok()?;
        let text = |value: &Value, key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
        let dirs: BTreeMap<String, PathBuf> = json
            .get("packages")?
            .as_array()?
            .iter()
            .filter_map(|package| {
                let manifest = PathBuf::from(text(package, "manifest_path")?);
                Some((text(package, "id")?, manifest.parent()?.to_owned()))
            })
            .collect();
        let mut told = Told {
            packages: BTreeMap::new(),
            root: root.to_owned(),
        };
        for node in json.get("resolve")?.get("nodes")?.as_array()? {
            let Some(dir) = text(node, "id").and_then(|id| dirs.get(&id)) else {
                continue;
            };
            let used = told.packages.entry(dir.clone()).or_default();
            for dependency in node.get("deps").and_then(Value::as_array).into_iter().flatten() {
                let of = text(dependency, "pkg").and_then(|id| dirs.get(&id));
                used.extend(text(dependency, "name").zip(of.cloned()));
            }
        }
        Some(told)
    }

    pub fn n_packages(&self) -> usize {
        self.packages.len()
    }

    /// The directory of a package's dependency, by the name that code calls it.
    pub(crate) fn dependency(&self, of: &Path, name: &str) -> Option<&Path> {
        Some(self.packages.get(of)?.get(name)?.as_path())
    }

    /// The directory of a package of the workspace.
    pub(crate) fn absolute(&self, dir: &str) -> PathBuf {
        match dir.is_empty() {
            true => self.root.clone(),
            false => dir.split('/').fold(self.root.clone(), |path, part| path.join(part)),
        }
    }

    /// A directory as the workspace names it, if it is inside.
    pub(crate) fn relative(&self, dir: &Path) -> Option<String> {
        let inside = dir.strip_prefix(&self.root).ok()?;
        let parts: Option<Vec<&str>> = inside.iter().map(|part| part.to_str()).collect();
        Some(parts?.join("/"))
    }
}
