//! JavaScript and TypeScript: relative paths with endings left out, the paths of `tsconfig.json`, the packages of the
//! workspace by `package.json`; everything else comes from the registry or from Node.

use rustc_hash::FxHashMap;
use serde_json::Value;
use syntax::LangId;

use crate::{
    files::{FileIdx, Files, dir_of, joined, name_of, upwards},
    lang::ecmascript::json,
    modules::{Manifests, Resolve, Rules, Site, Target},
};

pub(crate) const RULES: Rules = Rules {
    languages: &[
        LangId::JavaScript,
        LangId::TypeScript,
        LangId::Vue,
        LangId::Svelte,
        LangId::Html,
        LangId::Astro,
    ],
    is_manifest: |name| name == "package.json" || is_config(name),
    outline: false,
    directory_files: &["index"],
    new: |_, manifests| Box::new(EcmaScript::new(manifests)),
};

fn is_config(name: &str) -> bool {
    let named = name.starts_with("tsconfig") || name.starts_with("jsconfig") || name.ends_with(".tsconfig.json");
    named && name.ends_with(".json")
}

/// In the order of TypeScript: what was written by hand before what was made from it.
const ENDINGS: &[&str] = &[
    ".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mts", ".cts", ".mjs", ".cjs", ".vue", ".svelte", ".json",
];

const NODE: &[&str] = &[
    "assert",
    "async_hooks",
    "buffer",
    "child_process",
    "cluster",
    "console",
    "constants",
    "crypto",
    "dgram",
    "diagnostics_channel",
    "dns",
    "domain",
    "events",
    "fs",
    "http",
    "http2",
    "https",
    "inspector",
    "module",
    "net",
    "os",
    "path",
    "perf_hooks",
    "process",
    "punycode",
    "querystring",
    "readline",
    "repl",
    "stream",
    "string_decoder",
    "timers",
    "tls",
    "tty",
    "url",
    "util",
    "v8",
    "vm",
    "wasi",
    "worker_threads",
    "zlib",
];

struct EcmaScript {
    /// By directory, the file of that name first.
    configs: FxHashMap<Box<str>, Vec<Config>>,
    packages: Vec<Package>,
    by_name: FxHashMap<Box<str>, usize>,
    by_dir: FxHashMap<Box<str>, usize>,
}

#[derive(Debug, Default, Clone)]
struct Config {
    base: Option<String>,
    /// What stands before and behind the `*`, the directory that the targets are relative to, and the targets.
    paths: Vec<(String, Option<String>, String, Vec<String>)>,
}

struct Package {
    dir: Box<str>,
    json: Value,
}

impl EcmaScript {
    fn new(manifests: &Manifests<'_>) -> EcmaScript {
        let mut packages = Vec::new();
        let (mut by_name, mut by_dir) = (FxHashMap::default(), FxHashMap::default());
        for (dir, text) in manifests.named("package.json") {
            let Some(json) = json::parse(text) else { continue };
            by_dir.insert(dir.into(), packages.len());
            if let Some(name) = json["name"].as_str() {
                by_name.entry(name.into()).or_insert(packages.len());
            }
            packages.push(Package { dir: dir.into(), json });
        }
        let mut this = EcmaScript {
            configs: FxHashMap::default(),
            packages,
            by_name,
            by_dir,
        };
        let texts: FxHashMap<&str, Value> = manifests
            .0
            .iter()
            .filter(|(path, _)| is_config(name_of(path)))
            .filter_map(|(path, text)| Some((*path, json::parse(text)?)))
            .collect();
        let mut paths: Vec<&&str> = texts.keys().collect();
        paths.sort_unstable();
        for path in paths
            .into_iter()
            .filter(|path| matches!(name_of(path), "tsconfig.json" | "jsconfig.json"))
        {
            let mut configs = vec![this.config(path, &texts, 0)];
            // A file that only refers to others: each of them is for some of the files.
            let others = texts[*path]["references"].as_array();
            for other in others.into_iter().flatten().filter_map(|other| other["path"].as_str()) {
                let other = joined(dir_of(path), other).filter(|other| other.ends_with(".json"));
                configs.extend(other.map(|other| this.config(&other, &texts, 0)));
            }
            configs.retain(|config| config.base.is_some() || !config.paths.is_empty());
            this.configs.entry(dir_of(path).into()).or_default().extend(configs);
        }
        this
    }

    /// What a configuration says, with what it extends.
    fn config(&self, path: &str, texts: &FxHashMap<&str, Value>, depth: usize) -> Config {
        let Some(json) = texts.get(path).filter(|_| depth < 16) else {
            return Config::default();
        };
        let dir = dir_of(path);
        let mut config = Config::default();
        let one = json["extends"].as_str().into_iter();
        let several = json["extends"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str);
        for extended in one.chain(several) {
            let found = self.extended(dir, extended);
            let found = found
                .into_iter()
                .flat_map(|found| [format!("{found}.json"), format!("{found}/tsconfig.json"), found]);
            let Some(found) = found.into_iter().find(|found| texts.contains_key(found.as_str())) else {
                continue;
            };
            let inherited = self.config(&found, texts, depth + 1);
            config.base = inherited.base.or(config.base);
            if !inherited.paths.is_empty() {
                config.paths = inherited.paths;
            }
        }
        let options = &json["compilerOptions"];
        if let Some(base) = options["baseUrl"].as_str().and_then(|base| joined(dir, base)) {
            config.base = Some(base);
        }
        if let Some(paths) = options["paths"].as_object() {
            let base = config.base.clone().unwrap_or_else(|| dir.to_owned());
            let paths = paths.iter().map(|(pattern, targets)| {
                let targets = targets.as_array().into_iter().flatten().filter_map(Value::as_str);
                let targets = targets.map(str::to_owned).collect();
                match pattern.split_once('*') {
                    Some((before, behind)) => (before.to_owned(), Some(behind.to_owned()), base.clone(), targets),
                    None => (pattern.clone(), None, base.clone(), targets),
                }
            });
            config.paths = paths.collect();
            // The most exact pattern decides.
            config
                .paths
                .sort_by_key(|(before, behind, ..)| (behind.is_some(), std::cmp::Reverse(before.len())));
        }
        config
    }

    fn extended(&self, dir: &str, extended: &str) -> Option<String> {
        if extended.starts_with('.') {
            return joined(dir, extended);
        }
        let (name, inner) = split_package(extended);
        let package = &self.packages[*self.by_name.get(name)?];
        joined(&package.dir, if inner.is_empty() { "tsconfig.json" } else { inner })
    }

    fn by_config(&self, site: &Site<'_>, written: &str) -> Option<FileIdx> {
        // The nearest configuration is the one that counts.
        let configs = upwards(site.dir()).find_map(|dir| self.configs.get(dir))?;
        for config in configs {
            for (before, behind, dir, targets) in &config.paths {
                let star = match behind {
                    None => (written == before).then_some(""),
                    Some(behind) => written
                        .strip_prefix(before.as_str())
                        .and_then(|rest| rest.strip_suffix(behind.as_str())),
                };
                let Some(star) = star else { continue };
                let mut targets = targets
                    .iter()
                    .filter_map(|target| joined(dir, &target.replacen('*', star, 1)));
                if let Some(found) = targets.find_map(|target| self.file(site.files, &target)) {
                    return Some(found);
                }
            }
            let base = config.base.as_ref().and_then(|base| joined(base, written));
            if let Some(found) = base.and_then(|base| self.file(site.files, &base)) {
                return Some(found);
            }
        }
        None
    }

    /// The file that a path without its ending means.
    fn file(&self, files: &Files, base: &str) -> Option<FileIdx> {
        plain_file(files, base).or_else(|| {
            let main = self.by_dir.get(base).map(|at| &self.packages[*at]);
            main.and_then(|package| package.entry(files, ""))
                .or_else(|| with_ending(files, &joined(base, "index")?))
        })
    }

    fn package_around(&self, dir: &str) -> Option<&Package> {
        let at = upwards(dir).find_map(|dir| self.by_dir.get(dir))?;
        Some(&self.packages[*at])
    }
}

impl Resolve for EcmaScript {
    fn resolve(&self, site: &Site<'_>) -> Target {
        // `./a.svg?raw`, `raw-loader!./a`
        let written = site.path.rsplit('!').next().unwrap_or(site.path);
        let written = written.split_once('?').map_or(written, |(path, _)| path);
        let local = |found: Option<FileIdx>| found.map_or(Target::Unknown, |found| Target::Local(vec![found]));
        if written.starts_with("./") || written.starts_with("../") || matches!(written, "." | "..") {
            return local(joined(site.dir(), written).and_then(|base| self.file(site.files, &base)));
        }
        if let Some(package) = self.package_around(site.dir()).filter(|_| written.starts_with('#')) {
            let found = package.mapped(&package.json["imports"], written);
            let found = found.iter().find_map(|path| package.built(site.files, path));
            // Those of a project may begin with it too.
            return local(found.or_else(|| self.by_config(site, written)));
        }
        if let Some(found) = self.by_config(site, written) {
            return Target::Local(vec![found]);
        }
        if let Some(name) = written.strip_prefix("node:") {
            return Target::External(format!("node:{name}"));
        }
        if written.contains("://") {
            return Target::External(written.to_owned());
        }
        let (name, inner) = split_package(written);
        if let Some(at) = self.by_name.get(name) {
            return local(self.packages[*at].entry(site.files, inner));
        }
        if NODE.contains(&name) {
            return Target::External(format!("node:{written}"));
        }
        // Habits of bundlers, which configure them in code: `@/a`, `~/a`, `/a` are below the sources.
        let inner = ["@/", "~/", "/"].iter().find_map(|prefix| written.strip_prefix(prefix));
        if let Some(inner) = inner {
            let root = self.package_around(site.dir()).map_or("", |package| &*package.dir);
            let bases = ["src", "", "app", "public"].map(|dir| joined(&joined(root, dir)?, inner));
            let found = bases
                .into_iter()
                .flatten()
                .find_map(|base| self.file(site.files, &base));
            return found.map_or(Target::Unknown, |found| Target::Candidates(vec![found]));
        }
        Target::External(name.to_owned())
    }
}

impl Package {
    /// The file of the package itself, or of a path inside of it.
    fn entry(&self, files: &Files, inner: &str) -> Option<FileIdx> {
        let wanted = if inner.is_empty() {
            ".".to_owned()
        } else {
            format!("./{inner}")
        };
        let exported = self.mapped(&self.json["exports"], &wanted);
        if let Some(found) = exported.iter().find_map(|path| self.built(files, path)) {
            return Some(found);
        }
        if !inner.is_empty() {
            let bases = [inner.to_owned(), format!("src/{inner}"), format!("lib/{inner}")];
            return bases.iter().find_map(|base| self.built(files, base));
        }
        let fields = ["source", "types", "typings", "module", "main", "svelte", "browser"];
        let named = fields.iter().filter_map(|field| self.json[*field].as_str());
        named
            .chain(["src/index", "index", "lib/index", "src/main"])
            .find_map(|path| self.built(files, path))
    }

    /// What `exports` or `imports` maps a name to, in the order of its conditions.
    fn mapped(&self, map: &Value, wanted: &str) -> Vec<String> {
        let mut found = Vec::new();
        let Some(entries) = map
            .as_object()
            .filter(|entries| entries.keys().any(|key| key.starts_with(['.', '#'])))
        else {
            if wanted == "." {
                targets(map, &mut found, 0);
            }
            return found;
        };
        if let Some(exact) = entries.get(wanted) {
            targets(exact, &mut found, 0);
            return found;
        }
        let mut patterns: Vec<(&str, &str, &Value)> = entries
            .iter()
            .filter_map(|(key, value)| key.split_once('*').map(|(before, behind)| (before, behind, value)))
            .collect();
        patterns.sort_by_key(|(before, ..)| std::cmp::Reverse(before.len()));
        for (before, behind, value) in patterns {
            let star = wanted.strip_prefix(before).and_then(|rest| rest.strip_suffix(behind));
            if let Some(star) = star {
                targets(value, &mut found, 0);
                for target in &mut found {
                    *target = target.replace('*', star);
                }
                return found;
            }
        }
        found
    }

    /// A file of the package; if it is made by a build and not there, what it is made from.
    fn built(&self, files: &Files, path: &str) -> Option<FileIdx> {
        let file = |path: &str| {
            let base = joined(&self.dir, path)?;
            plain_file(files, &base).or_else(|| with_ending(files, &joined(&base, "index")?))
        };
        let path = path.trim_start_matches("./");
        let from_source = || {
            let (first, rest) = path.split_once('/')?;
            let is_output = matches!(
                first,
                "dist" | "build" | "lib" | "out" | "es" | "esm" | "cjs" | "types" | "dts"
            );
            let rest = rest
                .strip_suffix(".d.ts")
                .map(|rest| format!("{rest}.ts"))
                .unwrap_or(rest.to_owned());
            // `dist/esm/a.js` is made from `src/a.ts`, as `dist/a.js` is.
            let inner = rest.split_once('/').map_or(rest.as_str(), |(_, inner)| inner);
            let sources = [format!("src/{rest}"), format!("src/{inner}"), rest.clone()];
            is_output.then(|| sources.iter().find_map(|path| file(path)))?
        };
        file(path).or_else(from_source)
    }
}

/// The strings in a value of `exports`: conditions may be nested, and alternatives listed.
fn targets(value: &Value, found: &mut Vec<String>, depth: usize) {
    match value {
        Value::String(path) => found.push(path.clone()),
        Value::Array(values) if depth < 8 => values.iter().for_each(|value| targets(value, found, depth + 1)),
        Value::Object(values) if depth < 8 => values.values().for_each(|value| targets(value, found, depth + 1)),
        _ => {}
    }
}

/// A path as it is, or with another ending.
fn plain_file(files: &Files, base: &str) -> Option<FileIdx> {
    if let Some(found) = files.at(base) {
        return Some(found);
    }
    // TypeScript names what it will be compiled to.
    for (written, meant) in [
        (".js", &[".ts", ".tsx", ".d.ts", ".jsx"][..]),
        (".jsx", &[".tsx"]),
        (".mjs", &[".mts", ".d.mts"]),
        (".cjs", &[".cts", ".d.cts"]),
        (".d.ts", &[".ts", ".tsx"]),
    ] {
        if let Some(stem) = base.strip_suffix(written) {
            let found = meant.iter().find_map(|ending| files.at(&format!("{stem}{ending}")));
            if found.is_some() {
                return found;
            }
        }
    }
    with_ending(files, base)
}

fn with_ending(files: &Files, base: &str) -> Option<FileIdx> {
    if base.is_empty() {
        return None;
    }
    let mut path = base.to_owned();
    ENDINGS.iter().find_map(|ending| {
        path.truncate(base.len());
        path.push_str(ending);
        files.at(&path)
    })
}

/// `@scope/name/inner` as name and inner path.
fn split_package(written: &str) -> (&str, &str) {
    let slashes = if written.starts_with('@') { 1 } else { 0 };
    match written.match_indices('/').nth(slashes) {
        Some((at, _)) => (&written[..at], &written[at + 1..]),
        None => (written, ""),
    }
}
