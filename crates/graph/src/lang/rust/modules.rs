//! Rust: modules are files below the root of their crate; other crates of the workspace are known by `Cargo.toml`.

use rustc_hash::{FxHashMap, FxHashSet};
use syntax::{FileFacts, Import, LangId, SymbolKind};
use toml::{Table, Value};

use crate::{
    files::{FileIdx, Files, dir_of, joined, name_of, upwards},
    modules::{Declared, Manifests, Resolve, Rules, Site, Target},
};

pub(crate) const RULES: Rules = Rules {
    languages: &[LangId::Rust],
    is_manifest: |name| name == "Cargo.toml",
    outline: false,
    directory_files: &["lib", "mod"],
    new: |files, manifests| Box::new(Rust::new(files, manifests)),
};

const STANDARD: &[&str] = &["std", "core", "alloc", "proc_macro", "test"];

struct Rust {
    packages: Vec<Package>,
    by_dir: FxHashMap<Box<str>, usize>,
    by_name: FxHashMap<Box<str>, Vec<usize>>,
    /// Files that a manifest names as the root of a crate.
    roots: FxHashSet<FileIdx>,
}

struct Package {
    dir: Box<str>,
    /// As code names it.
    name: Box<str>,
    lib: Option<FileIdx>,
    /// Before 2018, paths begin at the root of the crate.
    is_2015: bool,
    dependencies: FxHashMap<Box<str>, Dependency>,
}

enum Dependency {
    /// The directory of its package.
    Path(String),
    Registry,
}

impl Rust {
    fn new(files: &Files, manifests: &Manifests<'_>) -> Rust {
        let tables: Vec<(&str, Table)> = manifests
            .named("Cargo.toml")
            .filter_map(|(dir, text)| Some((dir, text.parse().ok()?)))
            .collect();
        let shared: FxHashMap<&str, FxHashMap<Box<str>, Dependency>> = tables
            .iter()
            .filter_map(|(dir, table)| Some((*dir, table.get("workspace")?.as_table()?)))
            .map(|(dir, table)| (dir, dependencies(dir, table, &FxHashMap::default())))
            .collect();
        let mut rust = Rust {
            packages: Vec::new(),
            by_dir: FxHashMap::default(),
            by_name: FxHashMap::default(),
            roots: FxHashSet::default(),
        };
        for (dir, table) in &tables {
            let Some(package) = table.get("package").and_then(Value::as_table) else {
                continue;
            };
            let text = |table: &Table, key: &str| table.get(key).and_then(Value::as_str).map(str::to_owned);
            let target = table.get("lib").and_then(Value::as_table);
            let name = target
                .and_then(|lib| text(lib, "name"))
                .or_else(|| text(package, "name"));
            let lib = target.and_then(|lib| text(lib, "path"));
            let lib = joined(dir, lib.as_deref().unwrap_or("src/lib.rs")).and_then(|path| files.at(&path));
            rust.roots.extend(lib);
            let build = text(package, "build").unwrap_or_else(|| "build.rs".to_owned());
            rust.roots.extend(joined(dir, &build).and_then(|path| files.at(&path)));
            for kind in ["bin", "test", "example", "bench"] {
                let targets = table.get(kind).and_then(Value::as_array);
                for target in targets.into_iter().flatten().filter_map(Value::as_table) {
                    let path = text(target, "path").and_then(|path| joined(dir, &path));
                    rust.roots.extend(path.and_then(|path| files.at(&path)));
                }
            }
            let inherited = upwards(dir).find_map(|dir| shared.get(dir));
            let nothing = FxHashMap::default();
            let at = rust.packages.len();
            let name: Box<str> = name.unwrap_or_default().replace('-', "_").into();
            rust.by_dir.insert((*dir).into(), at);
            rust.by_name.entry(name.clone()).or_default().push(at);
            rust.packages.push(Package {
                dir: (*dir).into(),
                name,
                lib,
                // An inherited edition is a table.
                is_2015: package
                    .get("edition")
                    .is_none_or(|edition| edition.as_str() == Some("2015")),
                dependencies: dependencies(dir, table, inherited.unwrap_or(&nothing)),
            });
        }
        rust
    }

    fn package(&self, files: &Files, file: FileIdx) -> Option<&Package> {
        let at = upwards(files.dir(file)).find_map(|dir| self.by_dir.get(dir))?;
        Some(&self.packages[*at])
    }

    /// Whether a file begins a crate.
    fn is_root(&self, files: &Files, file: FileIdx) -> bool {
        let path = files.path(file);
        if self.roots.contains(&file) || matches!(name_of(path), "lib.rs" | "main.rs") {
            return true;
        }
        let dir = dir_of(path);
        let inside = self.package(files, file).and_then(|package| match &*package.dir {
            "" => Some(dir),
            own => dir.strip_prefix(own)?.strip_prefix('/'),
        });
        matches!(inside, Some("src/bin" | "tests" | "examples" | "benches"))
    }

    /// The directory of a module's own modules.
    fn inner_dir(&self, files: &Files, file: FileIdx) -> String {
        let path = files.path(file);
        if name_of(path) == "mod.rs" || self.is_root(files, file) {
            return dir_of(path).to_owned();
        }
        path.strip_suffix(".rs").unwrap_or(path).to_owned()
    }

    /// The file of the module that a file's module is in, and the modules around it that are written in that file.
    fn parent<'f>(&self, files: &'f Files, file: FileIdx) -> Option<(FileIdx, Vec<&'f str>)> {
        if self.is_root(files, file) {
            return None;
        }
        let path = files.path(file);
        let dir = if name_of(path) == "mod.rs" {
            dir_of(dir_of(path))
        } else {
            dir_of(path)
        };
        let package = self.package(files, file);
        // A directory without a file of its own is a module written inside another.
        let mut inside = Vec::new();
        let within = |mut inside: Vec<&'f str>| {
            inside.reverse();
            inside
        };
        for dir in upwards(dir) {
            let named = [format!("{dir}.rs"), format!("{dir}/mod.rs")];
            let named = named.iter().find_map(|path| files.at(path.trim_start_matches('/')));
            if let Some(found) = named.filter(|found| *found != file) {
                return Some((found, within(inside)));
            }
            let lib = package.and_then(|package| package.lib);
            if let Some(lib) = lib.filter(|lib| files.dir(*lib) == dir) {
                return Some((lib, within(inside)));
            }
            let root = ["lib.rs", "main.rs"].map(|name| joined(dir, name).and_then(|path| files.at(&path)));
            if let Some(root) = root.into_iter().flatten().next() {
                return Some((root, within(inside)));
            }
            inside.push(name_of(dir));
            if package.is_some_and(|package| &*package.dir == dir) {
                break;
            }
        }
        None
    }

    fn root(&self, files: &Files, file: FileIdx) -> Option<FileIdx> {
        let mut at = file;
        for _ in 0..64 {
            if self.is_root(files, at) {
                return Some(at);
            }
            at = self.parent(files, at)?.0;
        }
        None
    }

    /// As far down from a module as there are files: the rest are items of the last one.
    fn walk(&self, files: &Files, from: FileIdx, inside: &[&str], names: &[&str]) -> FileIdx {
        let mut file = from;
        let mut dir = self.inner_dir(files, from);
        for name in inside {
            dir = format!("{dir}/{name}");
        }
        for name in names {
            let name = name.trim_start_matches("r#");
            let inner = format!("{dir}/{name}");
            let inner = inner.trim_start_matches('/');
            let found = files
                .at(&format!("{inner}.rs"))
                .or_else(|| files.at(&format!("{inner}/mod.rs")));
            match found {
                Some(found) => file = found,
                None if files.is_dir(inner) => {}
                None => break,
            }
            dir = inner.to_owned();
        }
        file
    }

    /// The file that a path from a module leads to. Of the importing file it is known what it has.
    fn below(&self, site: &Site<'_>, from: FileIdx, inside: &[&str], names: &[&str]) -> Target {
        let found = self.walk(site.files, from, inside, names);
        let facts = site.facts;
        let is_missing = found == site.file && from == found && inside.is_empty() && names.len() > 1 && {
            let is_it = |id| facts.names.get(id) == names[0];
            let brings = |import: &Import| import.wildcard || import.alias.or(import.item).is_some_and(is_it);
            !facts.symbols.iter().any(|symbol| is_it(symbol.name)) && !facts.imports.iter().any(brings)
        };
        if is_missing {
            Target::Unknown
        } else {
            Target::Local(vec![found])
        }
    }

    fn resolve_path(&self, site: &Site<'_>, names: &[&str], depth: usize) -> Target {
        let files = site.files;
        let mut inside = modules_around(site.facts, site.at);
        let Some((first, rest)) = names.split_first() else {
            return Target::Unknown;
        };
        match *first {
            "crate" | "$crate" => match self.root(files, site.file) {
                Some(root) => self.below(site, root, &[], rest),
                None => Target::Unknown,
            },
            "self" => self.below(site, site.file, &inside, rest),
            "super" => {
                let mut file = site.file;
                let mut names = names;
                while let ["super", rest @ ..] = names {
                    names = rest;
                    if inside.pop().is_none() {
                        match self.parent(files, file) {
                            Some((parent, around)) => (file, inside) = (parent, around),
                            None => return Target::Unknown,
                        }
                    }
                }
                self.below(site, file, &inside, names)
            }
            "" => self.other_crate(site, rest),
            first => {
                let below = self.walk(files, site.file, &inside, &[first]);
                if below != site.file {
                    return Target::Local(vec![self.walk(files, site.file, &inside, names)]);
                }
                // A name that another import brought in, or that is defined here: `use Kind::*`.
                if depth < 8
                    && let Some(other) = imported(site, first)
                {
                    let names: Vec<&str> = other.split("::").chain(rest.iter().copied()).collect();
                    return self.resolve_path(site, &names, depth + 1);
                }
                let name = site.facts.names.find(first);
                if name.is_some_and(|name| {
                    site.facts
                        .symbols
                        .iter()
                        .any(|symbol| symbol.name == name && is_scope(symbol.kind))
                }) {
                    return Target::Local(vec![site.file]);
                }
                let is_2015 = self.package(files, site.file).is_some_and(|package| package.is_2015);
                if let Some(root) = self.root(files, site.file).filter(|_| is_2015) {
                    let found = self.walk(files, root, &[], names);
                    if found != root {
                        return Target::Local(vec![found]);
                    }
                }
                self.other_crate(site, names)
            }
        }
    }

    fn other_crate(&self, site: &Site<'_>, names: &[&str]) -> Target {
        let Some((first, rest)) = names.split_first() else {
            return Target::Unknown;
        };
        let name = first.trim_start_matches("r#");
        let external = || Target::External(name.to_owned());
        let in_lib = |package: &Package| match package.lib {
            Some(lib) => Target::Local(vec![self.walk(site.files, lib, &[], rest)]),
            None => Target::Unknown,
        };
        if STANDARD.contains(&name) {
            return external();
        }
        let own = self.package(site.files, site.file);
        if let Some(own) = own {
            if *own.name == *name {
                return in_lib(own);
            }
            match own.dependencies.get(name) {
                Some(Dependency::Path(dir)) => {
                    return match self.by_dir.get(dir.as_str()) {
                        Some(at) => in_lib(&self.packages[*at]),
                        None => external(),
                    };
                }
                Some(Dependency::Registry) => return external(),
                None => {}
            }
        }
        match self.by_name.get(name).map(Vec::as_slice) {
            Some([only]) => in_lib(&self.packages[*only]),
            Some(several) => {
                let libs: Vec<FileIdx> = several.iter().filter_map(|at| self.packages[*at].lib).collect();
                site.candidates(&libs, external())
            }
            None => external(),
        }
    }
}

impl Resolve for Rust {
    fn resolve(&self, site: &Site<'_>) -> Target {
        let names: Vec<&str> = site.path.split("::").chain(site.item).collect();
        self.resolve_path(site, &names, 0)
    }

    fn declared<'f>(&self, files: &Files, file: FileIdx, facts: &'f FileFacts) -> Vec<Declared<'f>> {
        let modules = facts.symbols.iter().filter(|symbol| symbol.kind == SymbolKind::Module);
        let found = modules.filter_map(|symbol| {
            let mut inside = modules_around(facts, symbol.name_at);
            let name = inside.pop()?;
            let held = self.walk(files, file, &inside, &[name]);
            (held != file).then_some(Declared {
                name,
                at: symbol.name_at,
                file: held,
            })
        });
        found.collect()
    }

    fn packages(&self) -> Vec<(&str, &str)> {
        let packages = self.packages.iter();
        packages.map(|package| (&*package.name, &*package.dir)).collect()
    }

    fn roots(&self) -> Vec<(&str, FileIdx)> {
        let packages = self.packages.iter();
        packages
            .filter_map(|package| Some((&*package.name, package.lib?)))
            .collect()
    }
}

fn is_scope(kind: SymbolKind) -> bool {
    kind.is_type() || kind == SymbolKind::Module
}

/// The inline modules around a place, outermost first.
fn modules_around(facts: &FileFacts, at: u32) -> Vec<&str> {
    let mut around = Vec::new();
    let mut inner = facts.enclosing(at);
    while let Some(index) = inner {
        let symbol = &facts.symbols[index];
        if symbol.kind == SymbolKind::Module {
            around.push(facts.name(symbol));
        }
        inner = symbol.parent;
    }
    around.reverse();
    around
}

/// The path of the import that gives a name, if it is not the one at this place.
fn imported(site: &Site<'_>, name: &str) -> Option<String> {
    let facts = site.facts;
    let found = facts.imports.iter().find(|import| {
        let brings = import.alias.or(import.item);
        import.at != site.at && !import.wildcard && brings.is_some_and(|brings| facts.names.get(brings) == name)
    })?;
    let path = facts.names.get(found.path);
    let item = found.item.map(|item| facts.names.get(item));
    // `use anyhow::{self}` and the like name the crate by itself.
    (path != name || item.is_some()).then(|| item.map_or(path.to_owned(), |item| format!("{path}::{item}")))
}

/// What a manifest's dependencies are called in code.
fn dependencies(dir: &str, table: &Table, shared: &FxHashMap<Box<str>, Dependency>) -> FxHashMap<Box<str>, Dependency> {
    let targets = table.get("target").and_then(Value::as_table);
    let targets = targets.into_iter().flat_map(Table::values).filter_map(Value::as_table);
    let kinds = ["dependencies", "dev-dependencies", "build-dependencies"];
    let all = [table].into_iter().chain(targets);
    let all = all.flat_map(|table| kinds.iter().filter_map(|kind| table.get(*kind)?.as_table()));
    let mut found = FxHashMap::default();
    for (name, value) in all.flatten() {
        let key: Box<str> = name.replace('-', "_").into();
        let value = value.as_table();
        let path = value.and_then(|value| value.get("path")).and_then(Value::as_str);
        let is_shared = value.and_then(|value| value.get("workspace")).and_then(Value::as_bool) == Some(true);
        let dependency = match (path.and_then(|path| joined(dir, path)), is_shared) {
            (Some(path), _) => Dependency::Path(path),
            (None, true) => match shared.get(&key) {
                Some(Dependency::Path(path)) => Dependency::Path(path.clone()),
                _ => Dependency::Registry,
            },
            (None, false) => Dependency::Registry,
        };
        found.insert(key, dependency);
    }
    found
}
