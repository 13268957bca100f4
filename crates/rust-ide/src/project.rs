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
    checkouts::{self, Checkouts},
    manifest::{self, Dependency, Manifest, Section, Shared},
    outside::{Lock, Registry},
    told::Told,
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
    checkouts: &'a Checkouts,
    told: Option<&'a Told>,
    cfgs: &'a [Cfg],
    by_home: BTreeMap<Home, usize>,
    /// Features that are asked of a dependency only if it is used anyway.
    perhaps: Vec<(usize, String, String)>,
    /// What follows from what was switched on. A list and no recursion: how deep it goes is the repository's choice.
    open: Vec<Open>,
}

/// To be switched on, or used: a package with a feature, or with one of its dependencies.
enum Open {
    Feature(usize, String),
    Dependency(usize, usize),
}

/// Reads the manifests and lock files of a workspace, by path.
pub(crate) fn read<'t>(
    manifests: impl Iterator<Item = (&'t str, &'t str)>,
    (registry, checkouts): (&Registry, &Checkouts),
    told: Option<&Told>,
    cfgs: &[Cfg],
) -> Project {
    let mut model = Model {
        project: Project::default(),
        locks: Vec::new(),
        registry,
        checkouts,
        told,
        cfgs,
        by_home: BTreeMap::new(),
        perhaps: Vec::new(),
        open: Vec::new(),
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
                model.open.push(Open::Feature(package, dependency.key.clone()));
            }
            model.open.push(Open::Dependency(package, at));
        }
        let features = manifest.features.into_iter();
        model
            .open
            .extend(features.map(|(feature, _)| Open::Feature(package, feature)));
    }
    while let Some(open) = model.open.pop() {
        match open {
            Open::Feature(package, feature) => model.enable(package, feature),
            Open::Dependency(package, at) => {
                model.use_dependency(package, at);
            }
        }
    }
    model.project
}

/// Where cargo has found a package's dependency.
fn told_dir(told: &Told, home: &Home, dependency: &Dependency) -> Option<PathBuf> {
    let of = match home {
        Home::Workspace(dir) => told.absolute(dir),
        Home::Library(dir) => dir.clone(),
    };
    // Code calls a dependency by its own name for it, or as its library is called, which a manifest may say.
    let names = [dependency.key.replace('-', "_"), dependency.package.replace('-', "_")];
    let found = names.iter().find_map(|name| told.dependency(&of, name));
    found.map(Path::to_path_buf)
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

    fn enable(&mut self, package: usize, feature: String) {
        let one = &mut self.project.packages[package];
        let listed = one.manifest.features.iter().find(|(name, _)| *name == feature);
        let is_dependency = |dependency: &Dependency| dependency.key == feature && dependency.section != Section::Dev;
        let items = match listed {
            Some((_, items)) => items.clone(),
            None if one.manifest.dependencies.iter().any(is_dependency) => vec![format!("dep:{feature}")],
            None => return,
        };
        if !one.features.insert(feature) {
            return;
        }
        for item in items {
            if let Some((name, feature)) = item.split_once('/') {
                let weak = name.strip_suffix('?');
                let name = weak.unwrap_or(name);
                for at in self.named(package, name) {
                    let used = match weak {
                        Some(_) => self.project.packages[package].used.get(&at).copied(),
                        None => self.use_dependency(package, at),
                    };
                    match used {
                        Some(used) => self.open.push(Open::Feature(used, feature.to_owned())),
                        None => self.perhaps.push((package, name.to_owned(), feature.to_owned())),
                    }
                }
            } else if let Some(name) = item.strip_prefix("dep:") {
                let named = self.named(package, name).into_iter();
                self.open.extend(named.map(|at| Open::Dependency(package, at)));
            } else {
                self.open.push(Open::Feature(package, item));
            }
        }
    }

    /// A package's dependencies that it calls by a name.
    fn named(&self, package: usize, name: &str) -> Vec<usize> {
        let all = self.project.packages[package].manifest.dependencies.iter().enumerate();
        all.filter(|(_, dependency)| dependency.key == name)
            .map(|(at, _)| at)
            .collect()
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
        let default = dependency.default_features.then(|| "default".to_owned());
        let features = dependency.features.into_iter().chain(default);
        self.open.extend(features.map(|feature| Open::Feature(used, feature)));
        // What a library needs itself; of its tests nothing is read.
        let other = &self.project.packages[used];
        if !other.is_local() {
            let own = other.manifest.dependencies.iter().enumerate();
            let own = own.filter(|(_, one)| one.section == Section::Normal && !one.is_optional);
            self.open.extend(own.map(|(at, _)| Open::Dependency(used, at)));
        }
        let asked = std::mem::take(&mut self.perhaps);
        let is_it = |(of, name, _): &(usize, String, String)| *of == package && *name == dependency.key;
        let (asked, rest): (Vec<_>, Vec<_>) = asked.into_iter().partition(is_it);
        self.perhaps = rest;
        self.open
            .extend(asked.into_iter().map(|(_, _, feature)| Open::Feature(used, feature)));
        Some(used)
    }

    fn find(&mut self, from: usize, dependency: &Dependency) -> Option<usize> {
        let package = &self.project.packages[from];
        if let Some(told) = self.told
            && let Some(dir) = told_dir(told, &package.home, dependency)
        {
            let lock = package.lock;
            return match told
                .relative(&dir)
                .and_then(|dir| self.by_home.get(&Home::Workspace(dir)))
            {
                Some(local) => Some(*local),
                None => {
                    let shared = checkouts::shared(dir.ancestors().last()?, &dir);
                    self.library(dir, &shared, lock)
                }
            };
        }
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
            Some(locked) if locked.source.as_ref().is_some_and(|source| source.starts_with("git+")) => {
                let source = locked.source.as_deref().unwrap_or_default();
                if let Some((dir, root)) = self.checkouts.find(source, &dependency.package) {
                    let shared = checkouts::shared(&root, &dir);
                    return self.library(dir, &shared, lock);
                }
                None
            }
            Some(locked) => self.registry.exactly(&dependency.package, &locked.version),
            // Which revision is not said anywhere.
            None if dependency.is_git => None,
            None => self.registry.matching(&dependency.package, &dependency.req),
        };
        match dir.map(Path::to_path_buf) {
            Some(dir) => self.library(dir, &Shared::default(), lock),
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

    fn library(&mut self, dir: PathBuf, shared: &Shared, lock: Option<usize>) -> Option<usize> {
        let home = Home::Library(dir);
        if let Some(known) = self.by_home.get(&home) {
            return Some(*known);
        }
        let Home::Library(dir) = &home else { return None };
        let text = fs::read_to_string(dir.join("Cargo.toml")).ok()?;
        let manifest = manifest::package(&manifest::parse(&text)?, shared, self.cfgs)?;
        Some(self.add(home, manifest, lock, String::new()))
    }
}
