//! The numbers that the analysis knows files by.

use std::collections::{BTreeMap, BTreeSet};

use ra_ap_base_db::{FileId, FileSet, SourceRoot, VfsPath};
use rustc_hash::FxHashMap;

use crate::project::{self, Home, Package, Project};

/// Which of three trees a path is from is its first step.
const LOCAL: &str = "/workspace/";
const STANDARD: &str = "/standard/";

/// A file keeps its number for as long as the analysis lives, also when it is gone.
#[derive(Default)]
pub(crate) struct Files {
    paths: Vec<String>,
    ids: FxHashMap<String, FileId>,
    /// The Rust files of the workspace that are there now.
    local: BTreeMap<String, FileId>,
    /// Libraries that were read, with the number that is in the paths of their files.
    libraries: BTreeMap<Home, usize>,
}

impl Files {
    fn id(&mut self, path: String) -> FileId {
        if let Some(id) = self.ids.get(&path) {
            return *id;
        }
        let id = FileId::from_raw(self.paths.len() as u32);
        self.paths.push(path.clone());
        self.ids.insert(path, id);
        id
    }

    /// A file of the workspace that is there; and whether it was not before.
    pub fn add_local(&mut self, path: String) -> (FileId, bool) {
        let id = self.id(format!("{LOCAL}{path}"));
        (id, self.local.insert(path, id).is_none())
    }

    /// A file of the workspace that is gone, if it was there.
    pub fn remove_local(&mut self, path: &str) -> Option<FileId> {
        self.local.remove(path)
    }

    pub fn add_standard(&mut self, path: &str) -> FileId {
        self.id(format!("{STANDARD}{path}"))
    }

    /// Whether a library has been read; it has from now on.
    pub fn add_library(&mut self, home: &Home) -> Option<usize> {
        let number = self.libraries.len();
        let is_new = !self.libraries.contains_key(home);
        is_new.then(|| *self.libraries.entry(home.clone()).or_insert(number))
    }

    pub fn add_of_library(&mut self, number: usize, path: &str) -> FileId {
        self.id(format!("/{number}/{path}"))
    }

    /// The path of a file of the workspace.
    pub fn local_path(&self, id: FileId) -> Option<&str> {
        self.paths.get(id.index() as usize)?.strip_prefix(LOCAL)
    }

    pub fn n_local(&self) -> usize {
        self.local.len()
    }

    pub fn n_others(&self) -> usize {
        self.paths.iter().filter(|path| !path.starts_with(LOCAL)).count()
    }

    /// Each package has its files for itself: a question about one then needs no other that it does not depend on.
    pub fn roots(&self, project: &Project) -> Vec<SourceRoot> {
        let packages = project.packages.iter();
        let dirs: BTreeSet<&str> = packages
            .filter_map(|package| match &package.home {
                Home::Workspace(dir) => Some(dir.as_str()),
                Home::Library(_) => None,
            })
            .collect();
        let mut sets: BTreeMap<(bool, &str), FileSet> = BTreeMap::new();
        for (at, path) in self.paths.iter().enumerate() {
            let (is_library, owner) = match path.strip_prefix(LOCAL) {
                // What is gone is in no package, but it has to be somewhere.
                Some(local) if !self.local.contains_key(local) => (false, "/"),
                Some(local) => {
                    let mut around = project::outwards(project::parent(local));
                    (false, around.find(|dir| dirs.contains(dir)).unwrap_or("/"))
                }
                None => (true, path[1..].split('/').next().unwrap_or_default()),
            };
            let set = sets.entry((is_library, owner)).or_default();
            set.insert(FileId::from_raw(at as u32), VfsPath::new_virtual_path(path.clone()));
        }
        let sets = sets.into_iter();
        sets.map(|((is_library, _), set)| match is_library {
            true => SourceRoot::new_library(set),
            false => SourceRoot::new_local(set),
        })
        .collect()
    }

    /// A file of the workspace, if it is there.
    pub fn local(&self, path: &str) -> Option<FileId> {
        self.local.get(path).copied()
    }

    pub fn library(&self, package: &Package, path: &str) -> Option<FileId> {
        let number = self.libraries.get(&package.home)?;
        self.ids.get(&format!("/{number}/{path}")).copied()
    }

    pub fn standard(&self, path: &str) -> Option<FileId> {
        self.ids.get(&format!("{STANDARD}{path}")).copied()
    }

    /// The files of the workspace that are in a directory or one below it, by path from it.
    pub fn below(&self, dir: &str) -> Vec<String> {
        let prefix = format!("{dir}/");
        let below = self.local.range(prefix.clone()..);
        let below = below.map_while(|(path, _)| path.strip_prefix(&prefix));
        below.map(str::to_owned).collect()
    }
}
