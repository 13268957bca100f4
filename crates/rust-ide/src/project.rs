//! The packages of a workspace and what they are made of, from manifests alone: cargo is not asked.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use cargo_platform::Cfg;
use semver::Version;
use toml::Table;

use crate::{
    manifest::{self, Dependency, Manifest, Section, Shared},
    outside::{Lock, Registry},
};

/// Where a package is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Home {
    /// A directory of the workspace, by its path from the root; empty for the root.
    Workspace(String),
    Library(PathBuf),
}

#[derive(Debug)]
pub(crate) struct Package {
    pub home: Home,
    pub manifest: Manifest,
    /// Those that are on.
    pub features: BTreeSet<String>,
    /// For each dependency that is used, the package that it is.
    pub used: BTreeMap<usize, usize>,
    lock: Option<usize>,
    workspace: String,
}

impl Package {
    pub fn is_local(&self) -> bool {
        matches!(self.home, Home::Workspace(_))
    }

    /// What other packages call its library, if they do not say otherwise.
    pub fn lib_name(&self) -> String {
        let name = self.manifest.targets.lib_name.as_ref();
        name.unwrap_or(&self.manifest.name).replace('-', "_")
    }
}

#[derive(Debug, Default)]
pub(crate) struct Project {
    pub packages: Vec<Package>,
    /// Dependencies whose sources are not on this machine.
    pub missing: BTreeSet<String>,
    /// Manifests that cannot be read.
    pub broken: Vec<String>,
}

/// The path of a place, seen from a directory of the workspace; none if it is not below the root.
pub(crate) fn join(dir: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = dir.split('/').filter(|part| !part.is_empty()).collect();
    if path.starts_with('/') || path.contains('\\') || path.contains(':') {
        return None;
    }
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// The directory that a file is in.
pub(crate) fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(dir, _)| dir)
}

/// A directory and those around it, innermost first.
pub(crate) fn outwards(dir: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(dir), |dir| (!dir.is_empty()).then(|| parent(dir)))
}

struct Model<'a> {
    project: Project,
    locks: Vec<Lock>,
    registry: &'a Registry,
    cfgs: &'a [Cfg],
    by_home: BTreeMap<Home, usize>,
    /// Features that are asked of a dependency only if it is used anyway.
    perhaps: Vec<(usize, String, String)>,
}

/// Reads the manifests and lock files of a workspace, by path.
pub(crate) fn read<'t>(
    manifests: impl Iterator<Item = (&'t str, &'t str)>,
    registry: &Registry,
    cfgs: &[Cfg],
) -> Project {
    let mut model = Model {
        project: Project::default(),
        locks: Vec::new(),
        registry,
        cfgs,
        by_home: BTreeMap::new(),
        perhaps: Vec::new(),
    };
    let mut locks: BTreeMap<&str, usize> = BTreeMap::new();
    let mut tables: BTreeMap<&str, Table> = BTreeMap::new();
    for (path, text) in manifests {
        if path.ends_with("Cargo.lock") {
            if let Some(lock) = Lock::parse(text) {
                locks.insert(parent(path), model.locks.len());
                model.locks.push(lock);
            }
        } else if let Some(table) = manifest::parse(text) {
            tables.insert(parent(path), table);
        } else {
            model.project.broken.push(path.to_owned());
        }
    }
    let shared: BTreeMap<&str, Shared> = tables
        .iter()
        .filter_map(|(dir, table)| Some((*dir, manifest::shared(table)?)))
        .collect();
    let none = Shared::default();
    for (dir, table) in &tables {
        let named = manifest::workspace_of(table).and_then(|path| join(dir, path));
        let nearest = || outwards(dir).find(|dir| shared.contains_key(dir)).map(str::to_owned);
        let workspace = named.or_else(nearest).unwrap_or_else(|| (*dir).to_owned());
        let inherited = shared.get(workspace.as_str()).unwrap_or(&none);
        if let Some(manifest) = manifest::package(table, inherited, cfgs) {
            let lock = outwards(dir).find_map(|dir| locks.get(dir)).copied();
            model.add(Home::Workspace((*dir).to_owned()), manifest, lock, workspace);
        }
    }
    // All that can be switched on is on: nothing in the workspace is to be dead code.
    for package in 0..model.project.packages.len() {
        let manifest = model.project.packages[package].manifest.clone();
        for (at, dependency) in manifest.dependencies.iter().enumerate() {
            if dependency.is_optional {
                model.enable(package, &dependency.key);
            }
            model.use_dependency(package, at);
        }
        for (feature, _) in &manifest.features {
            model.enable(package, feature);
        }
    }
    model.project
}

impl Model<'_> {
    fn add(&mut self, home: Home, manifest: Manifest, lock: Option<usize>, workspace: String) -> usize {
        let at = self.project.packages.len();
        self.by_home.insert(home.clone(), at);
        self.project.packages.push(Package {
            home,
            manifest,
            features: BTreeSet::new(),
            used: BTreeMap::new(),
            lock,
            workspace,
        });
        at
    }

    fn enable(&mut self, package: usize, feature: &str) {
        // Features are a graph that the repository draws.
        let mut open = vec![(package, feature.to_owned())];
        while let Some((package, feature)) = open.pop() {
            let one = &mut self.project.packages[package];
            let listed = one.manifest.features.iter().find(|(name, _)| *name == feature);
            let items = listed.map(|(_, items)| items.clone());
            let optional = |name: &str| {
                let all = one.manifest.dependencies.iter();
                all.enumerate()
                    .filter(|(_, dependency)| dependency.key == name && dependency.section != Section::Dev)
                    .map(|(at, _)| at)
                    .collect::<Vec<usize>>()
            };
            let items = match items {
                Some(items) => items,
                None if !optional(&feature).is_empty() => vec![format!("dep:{feature}")],
                None => continue,
            };
            if !one.features.insert(feature) {
                continue;
            }
            for item in items {
                let one = &self.project.packages[package];
                let find = |name: &str| {
                    let all = one.manifest.dependencies.iter().enumerate();
                    let named = all.filter(|(_, dependency)| dependency.key == name);
                    named.map(|(at, _)| at).collect::<Vec<usize>>()
                };
                if let Some((name, feature)) = item.split_once('/') {
                    let (name, is_weak) = match name.strip_suffix('?') {
                        Some(name) => (name, true),
                        None => (name, false),
                    };
                    for at in find(name) {
                        let used = match is_weak {
                            true => self.project.packages[package].used.get(&at).copied(),
                            false => self.use_dependency(package, at),
                        };
                        match used {
                            Some(used) => open.push((used, feature.to_owned())),
                            None => self.perhaps.push((package, name.to_owned(), feature.to_owned())),
                        }
                    }
                } else if let Some(name) = item.strip_prefix("dep:") {
                    for at in find(name) {
                        self.use_dependency(package, at);
                    }
                } else {
                    open.push((package, item));
                }
            }
        }
    }

    /// The package that a dependency is, which is in use from now on.
    fn use_dependency(&mut self, package: usize, at: usize) -> Option<usize> {
        if let Some(used) = self.project.packages[package].used.get(&at) {
            return Some(*used);
        }
        let dependency = self.project.packages[package].manifest.dependencies[at].clone();
        let Some(used) = self.find(package, &dependency) else {
            self.project.missing.insert(dependency.package);
            return None;
        };
        self.project.packages[package].used.insert(at, used);
        for feature in &dependency.features {
            self.enable(used, feature);
        }
        if dependency.default_features {
            self.enable(used, "default");
        }
        // What a library needs itself; of its tests nothing is read.
        let own = self.project.packages[used].manifest.dependencies.clone();
        if !self.project.packages[used].is_local() {
            for (at, dependency) in own.iter().enumerate() {
                if dependency.section == Section::Normal && !dependency.is_optional {
                    self.use_dependency(used, at);
                }
            }
        }
        let asked = std::mem::take(&mut self.perhaps);
        let (asked, rest) = asked
            .into_iter()
            .partition::<Vec<_>, _>(|(of, name, _)| *of == package && *name == dependency.key);
        self.perhaps.extend(rest);
        for (_, _, feature) in asked {
            self.enable(used, &feature);
        }
        Some(used)
    }

    fn find(&mut self, from: usize, dependency: &Dependency) -> Option<usize> {
        let package = &self.project.packages[from];
        if let (Home::Workspace(dir), Some(path)) = (&package.home, &dependency.path) {
            let base = if dependency.is_shared { &package.workspace } else { dir };
            let home = Home::Workspace(join(base, path)?);
            return self.by_home.get(&home).copied();
        }
        let lock = package.lock;
        let of = (package.manifest.name.as_str(), package.manifest.version.as_str());
        let locked = lock.and_then(|lock| self.locks[lock].dependency(of, &dependency.package, &dependency.req));
        let dir = match locked {
            Some(locked) if locked.source.is_none() => return self.local(&dependency.package, Some(&locked.version)),
            Some(locked) => self.registry.exactly(&dependency.package, &locked.version),
            None => self.registry.matching(&dependency.package, &dependency.req),
        };
        match dir.map(Path::to_path_buf) {
            Some(dir) => self.library(dir, lock),
            // Perhaps its sources were copied into the repository.
            None => self.local(&dependency.package, locked.map(|locked| &locked.version)),
        }
    }

    fn local(&self, name: &str, version: Option<&Version>) -> Option<usize> {
        let version = version.map(Version::to_string);
        let is_it = |package: &Package| {
            package.is_local()
                && package.manifest.name == name
                && version
                    .as_ref()
                    .is_none_or(|version| *version == package.manifest.version)
        };
        self.project.packages.iter().position(is_it)
    }

    fn library(&mut self, dir: PathBuf, lock: Option<usize>) -> Option<usize> {
        let home = Home::Library(dir);
        if let Some(known) = self.by_home.get(&home) {
            return Some(*known);
        }
        let Home::Library(dir) = &home else { return None };
        let text = fs::read_to_string(dir.join("Cargo.toml")).ok()?;
        let manifest = manifest::package(&manifest::parse(&text)?, &Shared::default(), self.cfgs)?;
        Some(self.add(home, manifest, lock, String::new()))
    }
}
