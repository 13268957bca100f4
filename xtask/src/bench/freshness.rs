//! What it costs to know that nothing changed, and how soon a change is found.

use std::{
    fs::OpenOptions,
    io::Write,
    time::{Duration, Instant},
};

use anyhow::{Result, bail};
use serde_json::json;

use super::{
    Bench,
    floor::{git, time},
    portolan::Server,
    sample::Sampler,
    say,
    table::{Row, Table, Target, median, ms, percentile, ratio, show_ms},
};

const N_RUNS: usize = 15;
const N_EDITS: usize = 20;

/// A word that no corpus has, so that little but the look at the files is measured.
const ABSENT: &str = "xqzjvkwyabsent";

/// The command line, which has no watcher to rely on: it looks at every file, as `git status` does. Returns how long
/// the latter takes.
pub fn nothing_changed(bench: &Bench<'_>, table: &mut Table) -> Result<Duration> {
    say("looking for changes");
    let arguments = json!({ "workspace": bench.corpus.dir }).to_string();
    let command = |args: &[&str]| {
        let mut command = bench.portolan.command(&bench.home);
        command.args(args);
        command
    };
    let (mut ours, mut start, mut status) = (Vec::new(), Vec::new(), Vec::new());
    for run in 0..=N_RUNS {
        let times = [
            time(&mut command(&["call", "index_status", &arguments]))?,
            time(&mut command(&["--version"]))?,
            time(git(&bench.corpus.dir).arg("status"))?,
        ];
        // The first round fills caches, and has git refresh its own index.
        if run > 0 {
            ours.push(times[0]);
            start.push(times[1]);
            status.push(times[2]);
        }
    }
    let (ours, start, status) = (median(&ours), median(&start), median(&status));
    let refresh = ours.saturating_sub(start);
    let floor = format!("git status {}", show_ms(status));
    let what = "nothing changed: refresh without the start of a process";
    let row = Row::new(what, show_ms(refresh)).next_to(&floor, ratio(refresh, status));
    table.push(row.must(Target::AtMost(2.0, "x"), ratio(refresh, status)));
    let row = Row::new("nothing changed: the whole process", show_ms(ours));
    table.push(row.next_to(&floor, ratio(ours, status)));
    Ok(status)
}

/// The same in a server, which may rely on events.
pub fn nothing_changed_warm(server: &mut Server, status: Duration, table: &mut Table) -> Result<()> {
    let arguments = json!({ "query": ABSENT });
    let mut times = Vec::new();
    for _ in 0..200 {
        times.push(server.call("search_code", &arguments)?.0);
    }
    let ours = format!(
        "{} (p95 {})",
        show_ms(median(&times)),
        show_ms(percentile(&times, 0.95))
    );
    let row = Row::new("nothing changed: a search without hits, server warm", ours);
    table.push(row.next_to(format!("git status {}", show_ms(status)), ratio(median(&times), status)));
    Ok(())
}

/// Appends a new word to a file and asks for it at once.
pub fn one_file_changed(bench: &Bench<'_>, server: &mut Server, table: &mut Table) -> Result<()> {
    say("changing files");
    let skipped = server.skipped_files()?;
    let mut sampler = Sampler::new(&bench.corpus, 8);
    let mut times = Vec::new();
    let mut n_missed = 0;
    for edit in 0..N_EDITS {
        let file = sampler.file_that(|file| !skipped.contains(file));
        let word = format!("xqzjvkwyedit{edit}");
        let mut opened = OpenOptions::new().append(true).open(bench.corpus.dir.join(file))?;
        writeln!(opened, "\n{word}")?;
        drop(opened);
        let started = Instant::now();
        let (_, answer) = server.call("search_code", &json!({ "query": word }))?;
        times.push(started.elapsed());
        let Some(results) = answer["results"].as_array() else {
            bail!("search_code answers without results");
        };
        if !results.iter().any(|result| result["path"] == *file) {
            n_missed += 1;
            table.note(format!("`{word}`, just appended to `{file}`, was not found"));
        }
    }
    let p50 = median(&times);
    let ours = format!("{} (p95 {})", show_ms(p50), show_ms(percentile(&times, 0.95)));
    table.push(Row::new("one file changed until found, server warm", ours).must(Target::AtMost(50.0, " ms"), ms(p50)));
    let row = Row::new("changes not found at once", format!("{n_missed} of {N_EDITS}"));
    table.push(row.must(Target::AtMost(0.0, ""), f64::from(n_missed)));
    Ok(())
}
