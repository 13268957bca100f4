//! What it costs to know that nothing changed, and how soon a change is found.

use std::{path::Path, time::Duration};

use anyhow::Result;
use measure::{Portolan, change, median, ms, ratio, show_ms, show_times};
use serde_json::json;

use super::{
    Bench,
    floor::{git, time},
    sample::Sampler,
    say,
    serving::warm_server,
    table::{Row, Table, Target},
};

const N_RUNS: usize = 15;
const N_EDITS: usize = 20;

/// A word that no corpus has, so that little but the look at the files is measured.
const ABSENT: &str = "xqzjvkwyabsent";

pub fn measure(bench: &Bench<'_>, table: &mut Table) -> Result<()> {
    say("looking for changes");
    let look = look(&bench.portolan, &bench.home, &bench.corpus.dir, N_RUNS)?;
    let floor = format!("git status {}", show_ms(look.git_status));
    let slower = ratio(look.refresh(), look.git_status);
    let what = "nothing changed: without the start of a process";
    let row = Row::new(what, show_ms(look.refresh())).next_to(&floor, slower);
    table.push(row.must(Target::AtMost(2.0, "x"), slower));
    let row = Row::new("nothing changed: the whole process", show_ms(look.whole));
    table.push(row.next_to(&floor, ratio(look.whole, look.git_status)));

    // The same in a server, which may rely on events.
    let mut server = warm_server(bench)?;
    let mut times = Vec::new();
    for _ in 0..200 {
        times.push(server.call("search_code", &json!({ "query": ABSENT }))?.0);
    }
    let row = Row::new(
        "nothing changed: a search without hits, server warm",
        show_times(&times),
    );
    table.push(row.next_to(&floor, ratio(median(&times), look.git_status)));

    say("changing files");
    let skipped = server.skipped_files()?;
    let mut sampler = Sampler::new(&bench.corpus, 8);
    let files: Vec<&str> = (0..N_EDITS)
        .map(|_| sampler.file_that(|file| !skipped.contains(file)))
        .collect();
    let changes = change(&mut server, &bench.corpus, &files)?;
    let row = Row::new("one file changed until it is found", show_times(&changes.times));
    table.push(row.must(Target::AtMost(50.0, " ms"), ms(median(&changes.times))));
    let n_missed = changes.missed.len();
    for (word, file) in changes.missed {
        table.note(format!("`{word}`, just appended to `{file}`, was not found"));
    }
    let row = Row::new(
        "changes that were not found at once",
        format!("{n_missed} of {N_EDITS}"),
    );
    table.push(row.must(Target::AtMost(0.0, ""), n_missed as f64));
    Ok(())
}

/// Medians of a command that looks at every file, as it does without a watcher.
pub struct Look {
    pub whole: Duration,
    start: Duration,
    pub git_status: Duration,
}

impl Look {
    /// Without the start of a process.
    pub fn refresh(&self) -> Duration {
        self.whole.saturating_sub(self.start)
    }
}

/// The command line, which has no watcher to rely on: it looks at every file, as `git status` does.
pub fn look(portolan: &Portolan, home: &Path, dir: &Path, n_runs: usize) -> Result<Look> {
    let arguments = json!({ "workspace": dir }).to_string();
    let command = |args: &[&str]| {
        let mut command = portolan.command(home);
        command.args(args);
        command
    };
    let (mut whole, mut start, mut git_status) = (Vec::new(), Vec::new(), Vec::new());
    for run in 0..=n_runs {
        let times = [
            time(&mut command(&["call", "index_status", &arguments]))?,
            time(&mut command(&["--version"]))?,
            time(git(dir).arg("status"))?,
        ];
        // The first round fills caches, and has git refresh its own index.
        if run > 0 {
            whole.push(times[0]);
            start.push(times[1]);
            git_status.push(times[2]);
        }
    }
    Ok(Look {
        whole: median(&whole),
        start: median(&start),
        git_status: median(&git_status),
    })
}
