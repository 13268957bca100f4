//! A repository that was never indexed: how long a client waits for its first answer, and for the whole index.

use std::{
    path::Path,
    sync::atomic::AtomicBool,
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};
use measure::{Corpus, Definitions, Sample, Server, Sources, Stratum, median, ratio, show_ms};
use serde_json::json;

use super::{
    Bench, OF_EACH, SEED, say,
    table::{Row, Table},
};

/// How many files of the `--large` repository are sampled for function names to search for.
const SAMPLED_FILES: usize = 2000;

/// How long to wait for a complete index.
const TIMEOUT: Duration = Duration::from_secs(3600);

pub fn measure(bench: &Bench<'_>, large: Option<&Path>, table: &mut Table) -> Result<()> {
    of_repository(bench, &bench.corpus.dir, &bench.samples, table)?;
    let Some(root) = large else {
        return Ok(());
    };
    let into = tempfile::tempdir_in(bench.scratch)?;
    let copied = Corpus::of_repository(root, SAMPLED_FILES, into.path(), &AtomicBool::new(false))?;
    let samples = Definitions::of(&Sources::read(&copied.corpus)?, SEED).sample(OF_EACH);
    of_repository(bench, root, &samples, table)
}

/// Each run searches for another function, with an empty home.
fn of_repository(bench: &Bench<'_>, dir: &Path, samples: &[Sample], table: &mut Table) -> Result<()> {
    say("asking where nothing is indexed");
    let unique = samples.iter().filter(|sample| sample.stratum == Stratum::UniqueName);
    let (mut first, mut whole) = (Vec::new(), Vec::new());
    let (mut n_found, mut n_partial, mut n_files) = (0, 0, 0);
    for sample in unique.take(bench.n_runs) {
        let home = tempfile::tempdir_in(bench.scratch)?;
        let mut server = bench.portolan.serve(home.path(), dir, "all")?;
        server.initialize()?;
        let started = Instant::now();
        let (_, answer) = server.call("search_code", &json!({ "query": sample.name }))?;
        first.push(started.elapsed());
        let results = answer["results"].as_array().into_iter().flatten();
        n_found += usize::from(results.into_iter().any(|result| result["path"] == *sample.path));
        n_partial += usize::from(answer["coverage"]["complete"] == false);
        n_files = wait_for_index(&mut server)?;
        whole.push(started.elapsed());
    }
    if first.is_empty() {
        bail!("{} has no function whose name is its own", dir.display());
    }
    let (first, whole, n_runs) = (median(&first), median(&whole), first.len());
    let has = format!(
        "{} (has the definition in {n_found} of {n_runs}, partial in {n_partial})",
        show_ms(first)
    );
    table.push(
        Row::new(format!("{n_files} files: first answer"), has)
            .next_to(format!("whole index {:.1} s", whole.as_secs_f64()), ratio(first, whole)),
    );
    Ok(())
}

/// Waits for the complete index and returns its number of files. Polls `index_status`: a search would reorder the indexing.
fn wait_for_index(server: &mut Server) -> Result<u64> {
    let started = Instant::now();
    while started.elapsed() < TIMEOUT {
        let (_, status) = server.call("index_status", &json!({}))?;
        if status["state"] == "ready" {
            return status["files"].as_u64().context("index_status counts no files");
        }
        thread::sleep(Duration::from_millis(100));
    }
    bail!("the index does not become complete");
}
