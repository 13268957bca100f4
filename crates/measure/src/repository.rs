//! All measurements of one repository, on a copy of its files.

use std::{
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};
use serde_json::json;

use crate::{
    corpus::{Copied, Corpus, size_of},
    indexing::{Parsing, Run, index, status_bytes},
    product::{Portolan, Server},
    report::{Indexing, Report, ToolTimes},
    sample::Definitions,
    serving::{QUESTIONS, answer_times, change, grep_times, start},
    sources::Sources,
    tasks::{listing, tokens},
};

pub struct Options {
    /// The repository.
    pub dir: PathBuf,
    /// Decides which symbols are asked about.
    pub seed: u64,
    /// More files than that are not measured with.
    pub most_files: usize,
    /// Symbols of each stratum.
    pub of_each: usize,
    /// For the answers of one tool.
    pub most_time: Duration,
    /// How often what is quickly done is done.
    pub n_runs: usize,
    /// Set by whoever has seen enough.
    pub stop: Arc<AtomicBool>,
}

impl Options {
    pub fn new(dir: PathBuf) -> Options {
        Options {
            dir,
            seed: 1,
            most_files: 10_000,
            of_each: 10,
            most_time: Duration::from_secs(3),
            n_runs: 9,
            stop: Arc::default(),
        }
    }

    /// In a few seconds instead of about a minute.
    pub fn quick(mut self) -> Options {
        self.most_files = self.most_files.min(1000);
        self.of_each = 3;
        self.most_time = Duration::from_secs(1);
        self.n_runs = 3;
        self
    }
}

/// More indexes are made as long as they have not taken so long.
const INDEXING: Duration = Duration::from_secs(5);

/// Measures `binary` with what is in a repository. Writes only below `scratch`; `say` is told what is being done.
pub fn measure(options: &Options, binary: &Path, scratch: &Path, say: &dyn Fn(&str)) -> Result<Report> {
    let next = |what: &str| {
        if options.stop.load(Ordering::Relaxed) {
            bail!("stopped");
        }
        say(what);
        Ok(())
    };
    let root = directory(&options.dir)?;
    let scratch = scratch.canonicalize()?;
    next("copying files")?;
    let name = root.file_name().map_or_else(|| "root".into(), |name| name.to_owned());
    let Copied { corpus, n_files } = copied(options, &root, &scratch.join("copy").join(&name))?;
    let sources = Sources::read(&corpus)?;
    next("drawing symbols")?;
    let definitions = Definitions::of(&sources, options.seed);
    let samples = definitions.sample(options.of_each);
    if samples.is_empty() {
        bail!(nothing_to_ask(&options.dir, &corpus, &sources));
    }

    next("indexing")?;
    let portolan = Portolan::new(binary, &scratch)?;
    let home = scratch.join("home");
    let indexing = indexed(&portolan, &corpus, &sources, &home, options.n_runs)?;

    next("starting servers")?;
    let starts = (0..options.n_runs).map(|_| start(&portolan, &home, &corpus.dir, Server::initialize));
    let starts = starts.collect::<Result<Vec<_>>>()?;
    let (n_tools, listing_tokens) = {
        let mut server = portolan.serve(&home, &corpus.dir, "core")?;
        server.initialize()?;
        listing(&mut server)?
    };
    let mut server = portolan.serve(&home, &corpus.dir, "all")?;
    server.initialize()?;
    server.complete()?;
    let n_indexed = indexed_files(&mut server)?;

    next("asking")?;
    let grep = grep_times(&corpus.dir, &samples, options.most_time)?;
    let mut tools = Vec::new();
    for question in QUESTIONS {
        tools.push(ToolTimes {
            name: question.name,
            times: answer_times(&mut server, question, &samples, options.most_time)?,
        });
    }
    next("counting tokens")?;
    let tokens = tokens(&mut server, &corpus.dir, &sources, &samples)?;
    let anonymous_bytes = status_bytes(server.pid(), "RssAnon");

    // Edits come last: they change the files.
    next("changing files")?;
    let changed: Vec<&str> = samples.iter().map(|sample| sample.path.as_str()).collect();
    let changes = change(&mut server, &corpus, &changed)?;

    Ok(Report {
        name: name.to_string_lossy().into_owned(),
        seed: options.seed,
        n_files,
        n_copied: corpus.files.len(),
        n_indexed,
        n_bytes: corpus.n_bytes,
        languages: sources.languages(),
        n_definitions: definitions.n_all,
        samples,
        indexing,
        starts,
        grep,
        tools,
        tokens,
        n_tools,
        listing_tokens,
        anonymous_bytes,
        changes,
    })
}

/// The directory that is measured, if it is one.
fn directory(dir: &Path) -> Result<PathBuf> {
    match dir.canonicalize() {
        Ok(root) if root.is_dir() => Ok(root),
        Ok(_) => bail!("{} is not a directory", dir.display()),
        Err(error) => bail!("{} cannot be measured: {error}", dir.display()),
    }
}

fn copied(options: &Options, root: &Path, to: &Path) -> Result<Copied> {
    let copied = Corpus::of_repository(root, options.most_files, to, &options.stop)?;
    if copied.corpus.files.is_empty() {
        bail!(
            "{} has no files to index: empty, binary, ignored and hidden ones are left out",
            options.dir.display()
        );
    }
    Ok(copied)
}

fn nothing_to_ask(dir: &Path, corpus: &Corpus, sources: &Sources) -> String {
    let languages = sources.languages();
    let names: Vec<&str> = languages.iter().map(|(name, ..)| *name).take(5).collect();
    format!(
        "{} has no functions or types to ask about: {} files, all {}",
        dir.display(),
        corpus.files.len(),
        names.join(", ")
    )
}

fn indexed_files(server: &mut Server) -> Result<u64> {
    let (_, status) = server.call("index_status", &json!({}))?;
    status["files"]
        .as_u64()
        .context("index_status tells no number of files")
}

fn indexed(portolan: &Portolan, corpus: &Corpus, sources: &Sources, home: &Path, most_runs: usize) -> Result<Indexing> {
    let (mut runs, mut parses) = (Vec::<Run>::new(), Vec::new());
    let started = Instant::now();
    while runs.len() < most_runs && (runs.is_empty() || started.elapsed() < INDEXING) {
        runs.push(index(portolan, &corpus.dir, home, Parsing::On)?);
        parses.push(sources.bare_parse());
    }
    Ok(Indexing {
        peak_bytes: runs.iter().filter_map(|run| run.peak_bytes).max(),
        walls: runs.iter().map(|run| run.wall).collect(),
        parses,
        index_bytes: size_of(home)?,
    })
}
