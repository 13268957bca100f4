//! rust-analyzer as what knows Rust exactly, and where sources that it can use are on this machine. They are read, and
//! nothing is run to find them, but cargo where the user trusts a repository.

use std::{
    env, fs,
    path::{Path, PathBuf},
    sync::{Arc, atomic::AtomicBool},
};

use config::{Config, Trusted};
use rust_ide::{Analysis, Loading, Meaning, Outside, Told};
use workspace::{ExactAnalysis, ExactEngine, ExactLoad, ExactLoaded, ExactMeaning};

use crate::cargo;

/// What a byte of source costs in memory once it has been asked about, roughly; see `docs/rust.md`.
const MEMORY_PER_BYTE: u64 = 12;

struct RustAnalyzer {
    outside: Outside,
    trusted: Trusted,
}

pub(crate) fn engine(config: &Config) -> Arc<dyn ExactEngine> {
    let home = |variable: &str, name: &str| {
        let set = env::var_os(variable)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from);
        set.or_else(|| Some(env::home_dir()?.join(name)))
    };
    let cargo = home("CARGO_HOME", ".cargo");
    let registries = cargo.as_ref().map(|home| entries(&home.join("registry/src")));
    Arc::new(RustAnalyzer {
        outside: Outside {
            registries: registries.unwrap_or_default(),
            checkouts: cargo.map(|home| home.join("git/checkouts")).into_iter().collect(),
            sysroots: sysroots(home("RUSTUP_HOME", ".rustup")),
            max_bytes: config.exact.max_bytes,
        },
        trusted: config.trusted.clone(),
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

    fn fingerprint(&self, root: &Path) -> String {
        let repositories = self.outside.checkouts.iter().flat_map(|dir| entries(dir));
        let revisions = repositories.flat_map(|dir| entries(&dir));
        let packages = self
            .outside
            .registries
            .iter()
            .flat_map(|dir| entries(dir))
            .chain(revisions);
        let libraries = self.outside.sysroots.iter().filter(|dir| dir.is_dir()).cloned();
        let all: Vec<String> = packages
            .chain(libraries)
            .map(|path| path.display().to_string())
            .collect();
        let trusted = if self.trusted.has(root) { " trusted" } else { "" };
        format!("{}{trusted} {}", env!("CARGO_PKG_VERSION"), all.join("\n"))
    }

    fn load(&self, load: ExactLoad<'_>) -> Box<dyn ExactAnalysis> {
        let trusted = self.trusted.has(load.root).then(|| load.root.to_owned());
        let mut told = None;
        let note = trusted.as_deref().map(|root| {
            (load.progress)("asking cargo".to_owned());
            ask(root, &mut told, &load.stop)
        });
        let progress = |loading| {
            (load.progress)(match loading {
                Loading::StandardLibrary => "reading the standard library".to_owned(),
                Loading::Libraries(done, all) => format!("reading libraries, {done} of {all}"),
                Loading::Sources => "taking in the sources".to_owned(),
            });
        };
        Box::new(Loaded {
            analysis: Analysis::load_told(load.files, &self.outside, told, &progress),
            trusted,
            note,
            stop: load.stop,
        })
    }
}

/// What cargo says, and what there is to say of that.
fn ask(root: &Path, told: &mut Option<Told>, stop: &AtomicBool) -> String {
    match cargo::metadata(root, stop) {
        Ok(found) => {
            let note = format!("trusted: cargo has resolved {} packages", found.n_packages());
            *told = Some(found);
            note
        }
        Err(reason) => {
            *told = None;
            format!("trusted, but cargo does not tell ({reason}): manifests are read instead")
        }
    }
}

struct Loaded {
    analysis: Analysis,
    /// The root, if cargo may be asked.
    trusted: Option<PathBuf>,
    note: Option<String>,
    /// Set when nobody wants the analysis any more.
    stop: Arc<AtomicBool>,
}

impl ExactAnalysis for Loaded {
    fn change(&mut self, files: Vec<(String, Option<String>)>) {
        let is_manifest = |(path, _): &(String, Option<String>)| Analysis::is_manifest(path);
        if let Some(root) = self.trusted.as_deref().filter(|_| files.iter().any(is_manifest)) {
            let mut told = None;
            self.note = Some(ask(root, &mut told, &self.stop));
            self.analysis.tell(told);
        }
        self.analysis.change(files);
    }

    fn meanings(&self, path: &str, places: &[u32]) -> Option<Vec<ExactMeaning>> {
        let meanings = self.analysis.meanings(path, places)?.into_iter();
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
        let stop = self.analysis.stop();
        Box::new(move || stop.stop())
    }

    fn loaded(&self) -> ExactLoaded {
        let summary = self.analysis.summary();
        ExactLoaded {
            crates: summary.crates,
            files: summary.files,
            library_files: summary.library_files,
            memory: summary.bytes * MEMORY_PER_BYTE,
            missing: summary.missing.clone(),
            has_standard_library: summary.has_standard_library,
            notes: self.note.iter().cloned().collect(),
        }
    }
}
