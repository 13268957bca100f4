//! rust-analyzer as what knows Rust exactly, and where sources that it can use are on this machine. They are read, and
//! nothing is run to find them.

use std::{
    env, fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use rust_ide::{Analysis, Meaning, Outside};
use workspace::{ExactAnalysis, ExactEngine, ExactLoaded, ExactMeaning};

/// What a byte of source costs in memory once it has been asked about, roughly; see `docs/rust.md`.
const MEMORY_PER_BYTE: u64 = 12;

struct RustAnalyzer {
    outside: Outside,
}

pub(crate) fn engine(max_bytes: u64) -> Arc<dyn ExactEngine> {
    let home = |variable: &str, name: &str| {
        let set = env::var_os(variable)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from);
        set.or_else(|| Some(env::home_dir()?.join(name)))
    };
    let registries = home("CARGO_HOME", ".cargo").map(|home| entries(&home.join("registry/src")));
    Arc::new(RustAnalyzer {
        outside: Outside {
            registries: registries.unwrap_or_default(),
            sysroots: sysroots(home("RUSTUP_HOME", ".rustup")),
            max_bytes,
        },
    })
}

/// What is in a directory, in order.
fn entries(dir: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    found.sort();
    found
}

/// Where the standard library's sources may be: of rustup's toolchains stable ones first and then the newest, and where
/// distributions put them.
fn sysroots(rustup: Option<PathBuf>) -> Vec<PathBuf> {
    const BELOW: &str = "lib/rustlib/src/rust/library";
    let mut toolchains = rustup.map(|home| entries(&home.join("toolchains"))).unwrap_or_default();
    let is_stable = |dir: &PathBuf| {
        dir.file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with("stable"))
    };
    toolchains.sort_by_key(|dir| (is_stable(dir), dir.clone()));
    toolchains.reverse();
    let installed = ["/usr", "/usr/local", "/opt/homebrew"].map(PathBuf::from);
    let mut found: Vec<PathBuf> = toolchains.iter().chain(&installed).map(|dir| dir.join(BELOW)).collect();
    found.extend(
        entries(Path::new("/usr/src"))
            .into_iter()
            .map(|dir| dir.join("library")),
    );
    found
}

impl ExactEngine for RustAnalyzer {
    fn name(&self) -> &'static str {
        "rust-analyzer"
    }

    fn lang(&self) -> &'static str {
        "rust"
    }

    fn reads(&self, path: &str) -> bool {
        Analysis::reads(path)
    }

    fn fingerprint(&self) -> String {
        let packages = self.outside.registries.iter().flat_map(|dir| entries(dir));
        let libraries = self.outside.sysroots.iter().filter(|dir| dir.is_dir()).cloned();
        let all: Vec<String> = packages
            .chain(libraries)
            .map(|path| path.display().to_string())
            .collect();
        format!("{} {}", env!("CARGO_PKG_VERSION"), all.join("\n"))
    }

    fn load(&self, files: Vec<(String, String)>) -> Box<dyn ExactAnalysis> {
        Box::new(Loaded(Analysis::load(files, &self.outside)))
    }
}

struct Loaded(Analysis);

impl ExactAnalysis for Loaded {
    fn change(&mut self, files: Vec<(String, Option<String>)>) {
        self.0.change(files);
    }

    fn meanings(&self, path: &str, places: &[u32]) -> Option<Vec<ExactMeaning>> {
        let meanings = self.0.meanings(path, places)?.into_iter();
        let own = |meaning| match meaning {
            Meaning::Definitions(places) => {
                ExactMeaning::Definitions(places.into_iter().map(|place| (place.path, place.at)).collect())
            }
            Meaning::Elsewhere => ExactMeaning::Elsewhere,
            Meaning::Unknown => ExactMeaning::Unknown,
        };
        Some(meanings.map(own).collect())
    }

    fn stop(&self) -> Box<dyn Fn() + Send> {
        let stop = self.0.stop();
        Box::new(move || stop.stop())
    }

    fn loaded(&self) -> ExactLoaded {
        let summary = self.0.summary();
        ExactLoaded {
            crates: summary.crates,
            files: summary.files,
            library_files: summary.library_files,
            memory: summary.bytes * MEMORY_PER_BYTE,
            missing: summary.missing.clone(),
            has_standard_library: summary.has_standard_library,
        }
    }
}
