//! `cargo xtask bench`: the real binary next to bare parsing, `git` and `rg`, on one corpus, in one run; its answers next to
//! the truth. The result is `docs/benchmarks.md`.
//!
//! Machines differ and are noisy. What is compared is therefore measured in turns, and told as a median and a ratio.
//! All state is below one temporary directory, which is gone afterwards.

mod corpus;
mod floor;
mod page;
pub(crate) mod rust;
pub(crate) mod sample;
mod table;

mod first;
mod freshness;
mod graph;
mod growth;
mod indexing;
mod promised;
mod queries;
mod repositories;
mod serving;
mod tokens;

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result, bail};
use measure::{Corpus, Definitions, Parsing, Portolan, Sample, Sources, index, n_threads, show_mb};
use serde_json::Value;

use crate::eval;
use page::{Section, Stamp};
use table::Table;

pub struct Options {
    pub corpus: Option<PathBuf>,
    pub n_files: usize,
    pub quick: bool,
    pub binary: Option<PathBuf>,
    /// These sections; all for which there is what they need, if there are none.
    pub only: Vec<String>,
    /// Queries, for relevance that is measured now.
    pub search: Option<PathBuf>,
    /// Where their repositories are.
    pub corpora: Option<PathBuf>,
    /// The truth set, for the graph.
    pub refs: Option<PathBuf>,
    /// A second repository for the section `first`, indexed in place instead of copied.
    pub large: Option<PathBuf>,
    /// For the section `repositories`, with all their files.
    pub repositories: Vec<PathBuf>,
    /// Instead of `docs/benchmarks.md`; the README is left alone then.
    pub out: Option<PathBuf>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            corpus: None,
            n_files: 5000,
            quick: false,
            binary: None,
            only: Vec::new(),
            search: None,
            corpora: None,
            refs: None,
            large: None,
            repositories: Vec::new(),
            out: None,
        }
    }
}

impl Options {
    /// What does not fit together.
    pub fn check(&self) -> Result<()> {
        if self.n_files < 100 {
            bail!("--files {}: fewer than 100 files say nothing", self.n_files);
        }
        let names: Vec<&str> = page::KINDS.iter().map(|kind| kind.name).collect();
        if let Some(unknown) = self.only.iter().find(|only| !names.contains(&only.as_str())) {
            bail!("--only {unknown}: there are {}", names.join(", "));
        }
        if cfg!(debug_assertions) && [page::INDEXING, page::GROWTH].iter().any(|kind| self.wants(kind)) {
            bail!("a floor that is not optimised flatters; `cargo xtask bench` is built with --release");
        }
        if self.only.iter().any(|only| only == page::GRAPH) && self.refs.is_none() {
            bail!("--only {} needs --refs", page::GRAPH);
        }
        if self.only.iter().any(|only| only == page::REPOSITORIES) && self.repositories.is_empty() {
            bail!("--only {} needs --repository", page::REPOSITORIES);
        }
        Ok(())
    }

    fn wants(&self, kind: &str) -> bool {
        let possible = match kind {
            page::GRAPH => self.refs.is_some(),
            page::REPOSITORIES => !self.repositories.is_empty(),
            _ => true,
        };
        possible && (self.only.is_empty() || self.only.iter().any(|only| only == kind))
    }
}

/// Which symbols are drawn.
const SEED: u64 = 1;

/// Symbols of each stratum that are asked about.
const OF_EACH: usize = 20;

/// What every measurement needs.
struct Bench<'b> {
    binary: PathBuf,
    portolan: Portolan,
    corpus: Corpus,
    sources: Sources,
    samples: Vec<Sample>,
    /// The home of an index of the corpus.
    home: PathBuf,
    /// For whatever else a measurement writes.
    scratch: &'b Path,
    /// How often what takes long is done.
    n_runs: usize,
}

pub fn run(options: &Options) -> Result<()> {
    let binary = built(options.binary.as_deref())?;
    let mut sections = Sections::default();
    let with_corpus = |kind: &&page::Kind| !matches!(kind.name, page::RELEVANCE | page::GRAPH);
    if page::KINDS
        .iter()
        .filter(with_corpus)
        .any(|kind| options.wants(kind.name))
    {
        of_corpus(options, &binary, &mut sections)?;
    }
    if options.wants(page::RELEVANCE) {
        relevance(options, &binary, &mut sections)?;
    }
    if let Some(truth) = options.refs.as_ref().filter(|_| options.wants(page::GRAPH)) {
        say("asking for references");
        let (body, failed) = eval::graph_section(truth, &binary)?;
        sections.add(page::GRAPH, " --refs TRUTH", String::new(), body, failed);
    }
    let stamp = Stamp {
        version: env!("CARGO_PKG_VERSION"),
        date: jiff::Timestamp::now().strftime("%Y-%m-%d").to_string(),
        machine: machine(),
    };
    let root = crate::workspace_root();
    let readme = options.out.is_none().then(|| root.join("README.md"));
    let out = options.out.clone().unwrap_or_else(|| root.join("docs/benchmarks.md"));
    print!("{}", page::write(&out, readme.as_deref(), &sections.made, &stamp)?);
    if !sections.failed.is_empty() {
        bail!("missed: {}", sections.failed.join("; "));
    }
    Ok(())
}

#[derive(Default)]
struct Sections {
    made: Vec<Section>,
    failed: Vec<String>,
}

impl Sections {
    /// `flags` are what the command needs, `with` is what it measured with.
    fn add(&mut self, kind: &'static str, flags: &str, with: String, body: String, failed: Vec<String>) {
        self.made.push(Section {
            kind,
            body,
            made: format!("`cargo xtask bench --only {kind}{flags}`{with}"),
        });
        self.failed.extend(failed);
    }
}

/// What is measured with a corpus.
fn of_corpus(options: &Options, binary: &Path, sections: &mut Sections) -> Result<()> {
    let state = tempfile::Builder::new().prefix("portolan-bench-").tempdir()?;
    let scratch = state.path().canonicalize()?;
    let sources = match &options.corpus {
        Some(dir) => vec![
            dir.canonicalize()
                .with_context(|| format!("--corpus {}", dir.display()))?,
        ],
        None => corpus::dependency_sources(&cargo_metadata()?),
    };
    say("copying the corpus");
    let corpus = corpus::copy(&sources, options.n_files, &scratch.join("corpus"))?;
    let sources = Sources::read(&corpus)?;
    let bench = Bench {
        binary: binary.to_owned(),
        portolan: Portolan::new(binary, &scratch)?,
        samples: Definitions::of(&sources, SEED).sample(OF_EACH),
        corpus,
        sources,
        home: scratch.join("home"),
        scratch: &scratch,
        n_runs: if options.quick { 1 } else { 3 },
    };
    let with = format!(
        ", {} files and {} of {}",
        bench.corpus.files.len(),
        show_mb(bench.corpus.n_bytes),
        if options.corpus.is_some() {
            "a directory"
        } else {
            "this program's dependencies"
        },
    );
    let mut flags = String::new();
    if options.quick {
        flags.push_str(" --quick");
    }
    if options.n_files != Options::default().n_files {
        flags.push_str(&format!(" --files {}", options.n_files));
    }
    let add = |sections: &mut Sections, kind, (body, failed)| sections.add(kind, &flags, with.clone(), body, failed);
    if options.wants(page::INDEXING) {
        add(
            sections,
            page::INDEXING,
            tabled(|table| indexing::measure(&bench, table))?,
        );
    } else {
        index(&bench.portolan, &bench.corpus.dir, &bench.home, Parsing::On)?;
    }
    if options.wants(page::FIRST) {
        let large = options.large.as_deref();
        add(
            sections,
            page::FIRST,
            tabled(|table| first::measure(&bench, large, table))?,
        );
    }
    if options.wants(page::ANSWERS) {
        add(sections, page::ANSWERS, tabled(|table| answers(&bench, table))?);
    }
    if options.wants(page::SERVER) {
        add(sections, page::SERVER, tabled(|table| serving::measure(&bench, table))?);
    }
    if options.wants(page::PROMISED) {
        add(
            sections,
            page::PROMISED,
            tabled(|table| promised::measure(&bench, table))?,
        );
    }
    if options.wants(page::TOKENS) {
        add(sections, page::TOKENS, tokens::measure(&bench)?);
    }
    if options.wants(page::GROWTH) {
        add(sections, page::GROWTH, growth::measure(&bench)?);
    }
    if options.wants(page::REPOSITORIES) {
        let (body, failed) = repositories::measure(&bench, &options.repositories)?;
        let flags = format!("{flags}{}", " --repository DIR".repeat(options.repositories.len()));
        sections.add(page::REPOSITORIES, &flags, String::new(), body, failed);
    }
    // Edits come last, since they change the corpus.
    if options.wants(page::FRESHNESS) {
        add(
            sections,
            page::FRESHNESS,
            tabled(|table| freshness::measure(&bench, table))?,
        );
    }
    Ok(())
}

/// The text of a table, and the rows that miss their target.
fn tabled(measure: impl FnOnce(&mut Table) -> Result<()>) -> Result<(String, Vec<String>)> {
    let mut table = Table::default();
    measure(&mut table)?;
    let failed = table.failed().into_iter().map(str::to_owned).collect();
    Ok((table.to_string(), failed))
}

fn answers(bench: &Bench<'_>, table: &mut Table) -> Result<()> {
    let mut server = serving::warm_server(bench)?;
    queries::keyword(bench, &mut server, table)?;
    queries::question(bench, &mut server, table)?;
    queries::literal(bench, &mut server, table)?;
    queries::regex(bench, &mut server, table)?;
    graph::measure(bench, &mut server, table)
}

/// By the ranks that are written down; whether the binary has them still is asked only with the queries.
fn relevance(options: &Options, binary: &Path, sections: &mut Sections) -> Result<()> {
    let golden = crate::workspace_root().join("xtask/src/eval/search/golden.tsv");
    let mut body = eval::search::golden_figures(&fs::read_to_string(&golden)?);
    let mut failed = Vec::new();
    let (flags, with) = match &options.search {
        None => (
            "",
            ", by the ranks that are written down; not asked again, which `--search QUERIES` does",
        ),
        Some(queries) => {
            say("searching");
            let faults = eval::search::ask(&eval::search::Options {
                queries: eval::search::queries_in(queries),
                binary: Some(binary.to_owned()),
                corpora: options.corpora.clone(),
                golden: Some(golden),
                ..eval::search::Options::default()
            })?;
            body.push_str(match faults.changed {
                None => "\nAsked again: every rank is as it is written down.\n",
                Some(_) => "\nAsked again: NOT every rank is as it is written down.\n",
            });
            if !faults.missed.is_empty() {
                body.push_str(&format!("Below its target: {}.\n", faults.missed.join("; ")));
            }
            failed.extend(faults.list().into_iter().map(|fault| format!("relevance: {fault}")));
            (" --search QUERIES", "")
        }
    };
    sections.add(page::RELEVANCE, flags, with.to_owned(), body, failed);
    Ok(())
}

/// In general terms.
fn machine() -> String {
    let memory = fs::read_to_string("/proc/meminfo").ok().and_then(|text| {
        let kib: f64 = text
            .lines()
            .find_map(|line| line.strip_prefix("MemTotal:"))?
            .trim()
            .strip_suffix(" kB")?
            .parse()
            .ok()?;
        Some(format!(", {:.0} GB of memory", kib * 1024.0 / 1e9))
    });
    let system = std::env::consts::OS;
    format!("{} cores{}, {system}", n_threads(), memory.unwrap_or_default())
}

/// Progress, apart from the page on stdout.
fn say(what: &str) {
    eprintln!("bench: {what}");
}

fn cargo() -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(crate::workspace_root());
    cargo
}

fn cargo_metadata() -> Result<Value> {
    let mut command = cargo();
    command.args(["metadata", "--format-version", "1", "--locked"]);
    Ok(serde_json::from_slice(&floor::stdout_of(&mut command)?)?)
}

/// The binary to ask: the given one, or one that is built now.
pub(crate) fn built(given: Option<&Path>) -> Result<PathBuf> {
    built_with(given, &[])
}

/// The given binary, or a release build with these optional cargo features.
pub(crate) fn built_with(given: Option<&Path>, features: &[&str]) -> Result<PathBuf> {
    if let Some(path) = given {
        return path
            .canonicalize()
            .with_context(|| format!("--binary {}", path.display()));
    }
    let mut build = cargo();
    build.args(["build", "--release", "--package", "portolan"]);
    for feature in features {
        build.args(["--features", feature]);
    }
    let built = build.status()?;
    if !built.success() {
        bail!("the release binary does not build");
    }
    let metadata = cargo_metadata()?;
    let target = metadata["target_directory"].as_str().context("no target directory")?;
    let name = format!("portolan{}", std::env::consts::EXE_SUFFIX);
    Ok(Path::new(target).join("release").join(name))
}
