//! Python: modules below the directories that a program is started or installed from.

use rustc_hash::FxHashMap;
use syntax::LangId;
use toml::{Table, Value};

use crate::{
    files::{FileIdx, Files, dir_of, joined, name_of, upwards},
    modules::{Manifests, Resolve, Rules, Site, Target},
};

pub(crate) const RULES: Rules = Rules {
    languages: &[LangId::Python],
    is_manifest: |name| matches!(name, "pyproject.toml" | "setup.py" | "setup.cfg"),
    outline: false,
    directory_files: &["__init__"],
    new: |files, manifests| Box::new(Python::new(files, manifests)),
};

/// The parts of the standard library that others are likely to have a file of the same name for.
const STANDARD: &[&str] = &[
    "abc",
    "argparse",
    "array",
    "ast",
    "asyncio",
    "base64",
    "bisect",
    "builtins",
    "calendar",
    "cmd",
    "code",
    "codecs",
    "collections",
    "concurrent",
    "configparser",
    "contextlib",
    "copy",
    "csv",
    "ctypes",
    "curses",
    "dataclasses",
    "datetime",
    "decimal",
    "difflib",
    "dis",
    "distutils",
    "email",
    "encodings",
    "enum",
    "errno",
    "functools",
    "gc",
    "glob",
    "gzip",
    "hashlib",
    "heapq",
    "html",
    "http",
    "importlib",
    "inspect",
    "io",
    "ipaddress",
    "itertools",
    "json",
    "keyword",
    "logging",
    "lzma",
    "math",
    "mimetypes",
    "multiprocessing",
    "numbers",
    "operator",
    "os",
    "pathlib",
    "pickle",
    "platform",
    "pprint",
    "profile",
    "queue",
    "random",
    "re",
    "secrets",
    "select",
    "shutil",
    "signal",
    "socket",
    "sqlite3",
    "ssl",
    "stat",
    "statistics",
    "string",
    "struct",
    "subprocess",
    "sys",
    "tempfile",
    "test",
    "textwrap",
    "threading",
    "time",
    "token",
    "tokenize",
    "traceback",
    "types",
    "typing",
    "unicodedata",
    "unittest",
    "urllib",
    "uuid",
    "warnings",
    "weakref",
    "xml",
    "xmlrpc",
    "zipfile",
    "zlib",
    "zoneinfo",
];

struct Python {
    /// For the first part of a module's name, the directories that it is found in, the likeliest first.
    tops: FxHashMap<Box<str>, Vec<Box<str>>>,
}

impl Python {
    fn new(files: &Files, manifests: &Manifests<'_>) -> Python {
        let mut roots: Vec<String> = Vec::new();
        for (path, text) in manifests
            .0
            .iter()
            .filter(|(path, _)| (RULES.is_manifest)(name_of(path)))
        {
            let dir = dir_of(path);
            let mut found: Vec<String> = declared(name_of(path), text)
                .iter()
                .filter_map(|inner| joined(dir, inner))
                .collect();
            found.extend(["src", "lib"].iter().filter_map(|inner| joined(dir, inner)));
            found.push(dir.to_owned());
            roots.extend(found);
        }
        roots.extend(["", "src"].map(str::to_owned));
        let order: FxHashMap<&str, usize> = roots
            .iter()
            .enumerate()
            .rev()
            .map(|(at, root)| (root.as_str(), at))
            .collect();
        let mut tops: FxHashMap<Box<str>, Vec<(usize, Box<str>)>> = FxHashMap::default();
        let mut add = |name: &str, root: &str| {
            if let Some(at) = order.get(root) {
                let places = tops.entry(name.into()).or_default();
                if !places.iter().any(|(_, known)| **known == *root) {
                    places.push((*at, root.into()));
                }
            }
        };
        for dir in files.dirs().filter(|dir| !dir.is_empty()) {
            add(name_of(dir), dir_of(dir));
        }
        for file in files.all().filter(|file| files.lang(*file) == LangId::Python) {
            add(files.stem(file), files.dir(file));
        }
        let sorted = |mut places: Vec<(usize, Box<str>)>| {
            places.sort_unstable();
            places.into_iter().map(|(_, root)| root).collect()
        };
        Python {
            tops: tops.into_iter().map(|(name, places)| (name, sorted(places))).collect(),
        }
    }

    fn absolute(&self, site: &Site<'_>) -> Target {
        let files = site.files;
        let first = site.path.split('.').next().unwrap_or(site.path);
        let inner = site.path.replace('.', "/");
        // The directory that the file's own outermost package is in; for a script, its own.
        let own = upwards(site.dir()).find(|dir| !is_package(files, dir)).unwrap_or("");
        let mut roots: Vec<&str> = vec![own];
        // pytest adds the directories of its own files.
        let tests = upwards(site.dir()).filter(|dir| !dir.is_empty() && *dir != own);
        roots.extend(tests.filter(|dir| files.at(&format!("{dir}/conftest.py")).is_some() && !is_package(files, dir)));
        let known = self.tops.get(first).map_or(&[][..], Vec::as_slice);
        // Where several projects have a package of this name, the one around the file is meant.
        let (around, others): (Vec<&str>, Vec<&str>) = known
            .iter()
            .map(|root| &**root)
            .partition(|root| !root.is_empty() && site.dir().starts_with(root));
        roots.extend(around);
        roots.extend(others);
        for root in &roots {
            let base = if root.is_empty() {
                inner.clone()
            } else {
                format!("{root}/{inner}")
            };
            if let Some(found) = module(files, &base, site.item) {
                return Target::Local(vec![found]);
            }
        }
        if STANDARD.contains(&first) {
            return Target::External(first.to_owned());
        }
        let is_here = roots.iter().any(|root| {
            let base = if root.is_empty() {
                first.to_owned()
            } else {
                format!("{root}/{first}")
            };
            is_package(files, &base) || files.at(&format!("{base}.py")).is_some()
        });
        if is_here {
            return Target::Unknown;
        }
        // A longer name that fits a path is hardly chance.
        if inner.contains('/') || site.item.is_some() {
            let mut found = Vec::new();
            if let Some(item) = site.item {
                found.extend_from_slice(files.ending(&format!("{inner}/{item}.py")));
            }
            if found.is_empty() && inner.contains('/') {
                found.extend_from_slice(files.ending(&format!("{inner}.py")));
                found.extend_from_slice(files.ending(&format!("{inner}/__init__.py")));
            }
            return site.candidates(&found, Target::External(first.to_owned()));
        }
        Target::External(first.to_owned())
    }
}

impl Resolve for Python {
    fn resolve(&self, site: &Site<'_>) -> Target {
        let dots = site.path.len() - site.path.trim_start_matches('.').len();
        if dots == 0 {
            return self.absolute(site);
        }
        let Some(base) = upwards(site.dir()).nth(dots - 1) else {
            return Target::Unknown;
        };
        let inner = site.path[dots..].replace('.', "/");
        let base = joined(base, &inner).unwrap_or_default();
        match module(site.files, &base, site.item) {
            Some(found) => Target::Local(vec![found]),
            None => Target::Unknown,
        }
    }
}

fn is_package(files: &Files, dir: &str) -> bool {
    !dir.is_empty()
        && ["__init__.py", "__init__.pyi"]
            .iter()
            .any(|name| files.at(&format!("{dir}/{name}")).is_some())
}

/// The file of a module, or of the submodule that is taken from it.
fn module(files: &Files, base: &str, item: Option<&str>) -> Option<FileIdx> {
    let file = |base: &str| {
        let paths = ["/__init__.py", ".py", "/__init__.pyi", ".pyi"];
        let mut paths = paths.iter().map(|end| format!("{base}{end}"));
        paths.find_map(|path| files.at(path.trim_start_matches('/')))
    };
    let sub = item.and_then(|item| file(&joined(base, item)?));
    sub.or_else(|| file(base))
}

/// The directories that a manifest says packages are in.
fn declared(name: &str, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    match name {
        "pyproject.toml" => {
            let Ok(table) = text.parse::<Table>() else { return found };
            let tool = table.get("tool").and_then(Value::as_table);
            let setuptools = tool.and_then(|tool| tool.get("setuptools")).and_then(Value::as_table);
            let dirs = setuptools
                .and_then(|setuptools| setuptools.get("package-dir"))
                .and_then(Value::as_table);
            found.extend(
                dirs.and_then(|dirs| dirs.get(""))
                    .and_then(Value::as_str)
                    .map(str::to_owned),
            );
            let find = setuptools.and_then(|setuptools| setuptools.get("packages"));
            let find = find
                .and_then(|packages| packages.get("find"))
                .and_then(|find| find.get("where"));
            let find = find.and_then(Value::as_array);
            found.extend(find.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned));
            let poetry = tool
                .and_then(|tool| tool.get("poetry"))
                .and_then(|poetry| poetry.get("packages"));
            let poetry = poetry.and_then(Value::as_array);
            let from = poetry
                .into_iter()
                .flatten()
                .filter_map(|package| package.get("from")?.as_str());
            found.extend(from.map(str::to_owned));
        }
        // `package_dir={"": "src"}` and `package_dir = =src`, without running anything.
        _ => {
            for line in text.lines().filter(|line| !line.trim_start().starts_with('#')) {
                let compact: String = line
                    .chars()
                    .filter(|c| !c.is_whitespace() && !matches!(c, '"' | '\''))
                    .collect();
                if let Some((_, dir)) = compact.split_once("package_dir={:") {
                    found.extend(dir.split(['}', ',']).next().map(str::to_owned));
                } else if let Some(dir) = compact
                    .strip_prefix("package_dir==")
                    .or_else(|| compact.strip_prefix('='))
                {
                    found.push(dir.to_owned());
                } else if let Some(dir) = compact.strip_prefix("where=") {
                    found.push(dir.trim_matches(['[', ']', ',']).to_owned());
                }
            }
        }
    }
    found
}
