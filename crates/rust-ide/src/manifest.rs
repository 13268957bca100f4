//! What one `Cargo.toml` says, as far as names need it. What cannot be read is as if it were not there.

use std::str::FromStr;

use cargo_platform::{Cfg, Platform};
use semver::VersionReq;
use toml::{Table, Value};

/// A package as its manifest describes it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Manifest {
    pub name: String,
    pub version: String,
    pub edition: Option<String>,
    pub dependencies: Vec<Dependency>,
    /// A feature, and what it switches on.
    pub features: Vec<(String, Vec<String>)>,
    pub targets: Targets,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Targets {
    pub lib_name: Option<String>,
    pub lib_path: Option<String>,
    pub is_proc_macro: bool,
    pub build: Option<String>,
    /// Files that are said to be the root of a program, a test, an example or a benchmark.
    pub roots: Vec<String>,
    /// Directories in which they are looked for.
    pub discovered: Vec<&'static str>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Section {
    Normal,
    Dev,
    Build,
}

#[derive(Debug, Clone)]
pub(crate) struct Dependency {
    pub section: Section,
    /// What the code calls it.
    pub key: String,
    pub package: String,
    pub req: VersionReq,
    pub path: Option<String>,
    /// It is taken from a repository.
    pub is_git: bool,
    /// The path is meant from the workspace's directory.
    pub is_shared: bool,
    pub is_optional: bool,
    pub default_features: bool,
    pub features: Vec<String>,
}

/// What members take over from the manifest of their workspace.
#[derive(Debug, Clone, Default)]
pub(crate) struct Shared {
    package: Table,
    dependencies: Table,
}

pub(crate) fn parse(text: &str) -> Option<Table> {
    text.parse().ok()
}

/// The part of a manifest that makes it a workspace's.
pub(crate) fn shared(table: &Table) -> Option<Shared> {
    let workspace = table.get("workspace")?.as_table()?;
    let part = |key: &str| {
        workspace
            .get(key)
            .and_then(Value::as_table)
            .cloned()
            .unwrap_or_default()
    };
    Some(Shared {
        package: part("package"),
        dependencies: part("dependencies"),
    })
}

/// The directory that a package says its workspace is in.
pub(crate) fn workspace_of(table: &Table) -> Option<&str> {
    table.get("package")?.get("workspace")?.as_str()
}

/// The package of a manifest, if it has one; `cfgs` decide which dependencies count.
pub(crate) fn package(table: &Table, shared: &Shared, cfgs: &[Cfg]) -> Option<Manifest> {
    let package = table.get("package")?.as_table()?;
    let text = |key: &str| {
        let own = package.get(key)?;
        let value = if is_inherited(own) {
            shared.package.get(key)?
        } else {
            own
        };
        value.as_str().map(str::to_owned)
    };
    let mut dependencies = Vec::new();
    sections(table, shared, &mut dependencies);
    for (platform, table) in tables(table.get("target")) {
        // What cannot be read as a condition is one that is not met.
        if Platform::from_str(platform).is_ok_and(|platform| platform.matches("", cfgs)) {
            sections(table, shared, &mut dependencies);
        }
    }
    let features = table.get("features").and_then(Value::as_table);
    let features = features.into_iter().flatten();
    Some(Manifest {
        name: text("name")?,
        version: text("version").unwrap_or_else(|| "0.0.0".to_owned()),
        // One that is taken over from a manifest that is not here is said, and not known.
        edition: package.get("edition").map(|_| text("edition").unwrap_or_default()),
        dependencies,
        features: features
            .map(|(name, items)| (name.clone(), strings(Some(items))))
            .collect(),
        targets: targets(table, package),
    })
}

fn is_inherited(value: &Value) -> bool {
    value.get("workspace").and_then(Value::as_bool) == Some(true)
}

fn tables(value: Option<&Value>) -> impl Iterator<Item = (&String, &Table)> {
    let table = value.and_then(Value::as_table);
    table
        .into_iter()
        .flatten()
        .filter_map(|(key, value)| Some((key, value.as_table()?)))
}

fn strings(value: Option<&Value>) -> Vec<String> {
    let items = value.and_then(Value::as_array).into_iter().flatten();
    items.filter_map(|item| item.as_str().map(str::to_owned)).collect()
}

fn sections(table: &Table, shared: &Shared, found: &mut Vec<Dependency>) {
    for (section, keys) in [
        (Section::Normal, &["dependencies"][..]),
        (Section::Dev, &["dev-dependencies", "dev_dependencies"]),
        (Section::Build, &["build-dependencies", "build_dependencies"]),
    ] {
        let tables = keys.iter().filter_map(|key| table.get(*key)?.as_table());
        found.extend(
            tables
                .flatten()
                .filter_map(|(key, value)| dependency(section, key, value, shared)),
        );
    }
}

fn dependency(section: Section, key: &str, own: &Value, shared: &Shared) -> Option<Dependency> {
    let value = if is_inherited(own) {
        shared.dependencies.get(key)?
    } else {
        own
    };
    let text = |key: &str| value.get(key).and_then(Value::as_str);
    let req = value.as_str().or_else(|| text("version")).unwrap_or("*");
    let flag = |value: &Value, names: [&str; 2]| names.iter().find_map(|name| value.get(name)?.as_bool());
    let default_features = ["default-features", "default_features"];
    let mut features = strings(value.get("features"));
    features.extend(strings(own.get("features")));
    Some(Dependency {
        section,
        key: key.to_owned(),
        package: text("package").unwrap_or(key).to_owned(),
        req: VersionReq::parse(req).unwrap_or(VersionReq::STAR),
        path: text("path").map(str::to_owned),
        is_git: text("git").is_some(),
        is_shared: is_inherited(own),
        is_optional: own.get("optional").and_then(Value::as_bool) == Some(true),
        default_features: flag(value, default_features).or_else(|| flag(own, default_features)) != Some(false),
        features,
    })
}

fn targets(table: &Table, package: &Table) -> Targets {
    let lib = table.get("lib");
    let text = |key: &str| lib.and_then(|lib| lib.get(key)?.as_str()).map(str::to_owned);
    let flag = |key: &str| lib.and_then(|lib| lib.get(key)?.as_bool()) == Some(true);
    let kinds = strings(lib.and_then(|lib| lib.get("crate-type")));
    let mut targets = Targets {
        lib_name: text("name"),
        lib_path: text("path"),
        is_proc_macro: flag("proc-macro") || flag("proc_macro") || kinds.iter().any(|kind| kind == "proc-macro"),
        build: match package.get("build") {
            Some(Value::Boolean(false)) => None,
            Some(Value::String(path)) => Some(path.clone()),
            _ => Some("build.rs".to_owned()),
        },
        ..Targets::default()
    };
    for (kind, auto, dir) in [
        ("bin", "autobins", "src/bin"),
        ("test", "autotests", "tests"),
        ("example", "autoexamples", "examples"),
        ("bench", "autobenches", "benches"),
    ] {
        if package.get(auto).and_then(Value::as_bool) != Some(false) {
            targets.discovered.push(dir);
        }
        for target in table.get(kind).and_then(Value::as_array).into_iter().flatten() {
            let name = target.get("name").and_then(Value::as_str);
            match target.get("path").and_then(Value::as_str) {
                Some(path) => targets.roots.push(path.to_owned()),
                // Where it would be found by itself.
                None => targets.roots.extend(
                    name.into_iter()
                        .flat_map(|name| [format!("{dir}/{name}.rs"), format!("{dir}/{name}/main.rs")]),
                ),
            }
        }
    }
    if targets.discovered.contains(&"src/bin") || table.get("bin").is_some() {
        targets.roots.push("src/main.rs".to_owned());
    }
    targets
}
