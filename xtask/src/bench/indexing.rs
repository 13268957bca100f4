//! An index from nothing: how fast, how much memory, how large.

use std::time::Duration;

use anyhow::Result;
use measure::{Parsing, Run, Source, index, ratio, show_mb, size_of};

use super::{
    Bench, say,
    table::{Row, Table, Target},
};

pub fn measure(bench: &Bench<'_>, table: &mut Table) -> Result<()> {
    say("indexing");
    let text_home = bench.scratch.join("text-home");
    let dir = &bench.corpus.dir;
    let (mut text_runs, mut whole_runs) = (Vec::new(), Vec::new());
    let (mut parse_runs, mut facts_runs) = (Vec::new(), Vec::new());
    for _ in 0..bench.n_runs {
        text_runs.push(index(&bench.portolan, dir, &text_home, Parsing::Off)?);
        parse_runs.push(bench.sources.bare_parse());
        facts_runs.push(bench.sources.each(Source::facts).0);
        whole_runs.push(index(&bench.portolan, dir, &bench.home, Parsing::On)?);
    }
    speed(&text_runs, bench.corpus.files.len(), table);
    let parse = quickest(&parse_runs);
    let next_to_parse = |name: &str, ours: Duration, at_most: f64| {
        let ratio = ratio(ours, parse);
        Row::new(name, format!("{:.2} s", ours.as_secs_f64()))
            .next_to(format!("bare parse {:.2} s", parse.as_secs_f64()), ratio)
            .must(Target::AtMost(at_most, "x"), ratio)
    };
    table.push(next_to_parse("facts of all files", quickest(&facts_runs), 1.3));
    table.push(next_to_parse("whole index from nothing", wall(&whole_runs), 1.5));
    if let Some(peak) = whole_runs.iter().filter_map(|run| run.peak_bytes).max() {
        table.push(Row::new("peak memory while indexing", show_mb(peak)));
    }
    let n_bytes = size_of(&bench.home)?;
    let ratio = n_bytes as f64 / bench.corpus.n_bytes as f64;
    let row = Row::new("size of the index", show_mb(n_bytes));
    table.push(
        row.next_to(format!("files {}", show_mb(bench.corpus.n_bytes)), ratio)
            .must(Target::AtMost(1.2, "x"), ratio),
    );
    Ok(())
}

pub fn wall(runs: &[Run]) -> Duration {
    quickest(&runs.iter().map(|run| run.wall).collect::<Vec<_>>())
}

/// What else a machine does only ever adds.
pub fn quickest(runs: &[Duration]) -> Duration {
    runs.iter().copied().min().unwrap_or_default()
}

fn speed(runs: &[Run], n_files: usize, table: &mut Table) {
    let wall = wall(runs);
    let per_second = n_files as f64 / wall.as_secs_f64();
    let cpu: Vec<Duration> = runs.iter().filter_map(|run| run.cpu).collect();
    // Much less processor time than two cores offer means that others were at work on this machine.
    let cpu = match cpu.as_slice() {
        [] => String::new(),
        cpu => format!(", {:.2} s of CPU", quickest(cpu).as_secs_f64()),
    };
    let ours = format!("{per_second:.0} files/s ({:.2} s{cpu})", wall.as_secs_f64());
    table.push(Row::new("index of text alone", ours).must(Target::AtLeast(3000.0, " files/s"), per_second));
}
