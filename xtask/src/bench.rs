//! `cargo xtask bench`: the real binary next to `git` and `rg`, on one corpus, in one run.
//!
//! Machines differ and are noisy. What is compared is therefore measured in turns, and told as a median and a ratio.
//! All state is below one temporary directory, which is gone afterwards.

mod corpus;
mod floor;
pub(crate) mod portolan;
pub(crate) mod sample;
pub(crate) mod table;

mod freshness;
mod graph;
mod indexing;
mod queries;
mod serving;

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use corpus::Corpus;
use portolan::Portolan;
pub(crate) use serving::status_bytes;
use table::Table;

pub struct Options {
    pub corpus: Option<PathBuf>,
    pub n_files: usize,
    pub quick: bool,
    pub binary: Option<PathBuf>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            corpus: None,
            n_files: 5000,
            quick: false,
            binary: None,
        }
    }
}

/// What every measurement needs.
struct Bench<'b> {
    portolan: Portolan,
    corpus: Corpus,
    /// The home of an index of the corpus.
    home: PathBuf,
    /// For whatever else a measurement writes.
    scratch: &'b Path,
    quick: bool,
}

pub fn run(options: &Options) -> Result<()> {
    let state = tempfile::Builder::new().prefix("portolan-bench-").tempdir()?;
    let scratch = state.path().canonicalize()?;
    let metadata = cargo_metadata()?;
    let sources = match &options.corpus {
        Some(dir) => vec![
            dir.canonicalize()
                .with_context(|| format!("--corpus {}", dir.display()))?,
        ],
        None => corpus::dependency_sources(&metadata),
    };
    say("copying the corpus");
    let bench = Bench {
        portolan: Portolan::new(&built(options.binary.as_deref())?, &scratch)?,
        corpus: Corpus::copy(&sources, options.n_files, &scratch.join("corpus"))?,
        home: scratch.join("home"),
        scratch: &scratch,
        quick: options.quick,
    };
    let mut table = Table::default();
    // Indexing leaves the index that the rest works on; edits come last, since they change the corpus.
    indexing::measure(&bench, &mut table)?;
    let git_status = freshness::nothing_changed(&bench, &mut table)?;
    let mut server = serving::warm_server(&bench)?;
    freshness::nothing_changed_warm(&mut server, git_status, &mut table)?;
    queries::keyword(&bench, &mut server, &mut table)?;
    queries::question(&bench, &mut server, &mut table)?;
    queries::literal(&bench, &mut server, &mut table)?;
    queries::regex(&bench, &mut server, &mut table)?;
    graph::measure(&bench, &mut server, &mut table)?;
    serving::memory(&server, &mut table);
    freshness::one_file_changed(&bench, &mut server, &mut table)?;
    drop(server);
    serving::first_answer(&bench, &mut table)?;
    serving::listing_tokens(&bench, &mut table)?;

    println!(
        "{} files, {:.1} MB of text, {} threads, without rust-analyzer\n\n{table}",
        bench.corpus.files.len(),
        bench.corpus.n_bytes as f64 / 1e6,
        std::thread::available_parallelism().map_or(1, usize::from),
    );
    let failed = table.failed();
    if !failed.is_empty() {
        bail!("missed: {}", failed.join("; "));
    }
    Ok(())
}

/// Progress, apart from the table on stdout.
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
    command.args(["metadata", "--format-version", "1", "--offline"]);
    Ok(serde_json::from_slice(&floor::stdout_of(&mut command)?)?)
}

/// The binary to ask: the given one, or one that is built now.
pub(crate) fn built(given: Option<&Path>) -> Result<PathBuf> {
    if let Some(path) = given {
        return path
            .canonicalize()
            .with_context(|| format!("--binary {}", path.display()));
    }
    let built = cargo().args(["build", "--release", "--package", "portolan"]).status()?;
    if !built.success() {
        bail!("the release binary does not build");
    }
    let metadata = cargo_metadata()?;
    let target = metadata["target_directory"].as_str().context("no target directory")?;
    let name = format!("portolan{}", std::env::consts::EXE_SUFFIX);
    Ok(Path::new(target).join("release").join(name))
}
