//! An index from nothing: how fast, how much memory, how large, and whether it grows with the corpus.

use std::{
    fs,
    path::Path,
    process::Stdio,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Result, bail};

use super::{
    Bench,
    corpus::{Corpus, size_of},
    say,
    serving::status_bytes,
    table::{Row, Table, Target, median},
};

/// One run of `portolan index`.
struct Run {
    wall: Duration,
    /// Processor time of all threads, where the system tells.
    cpu: Option<Duration>,
    /// The highest resident memory seen, where the system tells.
    peak_bytes: Option<u64>,
}

pub fn measure(bench: &Bench<'_>, table: &mut Table) -> Result<()> {
    say("indexing");
    let n_runs = if bench.quick { 1 } else { 3 };
    let quarter = match bench.quick {
        true => None,
        false => Some(bench.corpus.thinned(4, &bench.scratch.join("quarter"))?),
    };
    let sources = Sources::read(&bench.corpus)?;
    let (mut text_runs, mut whole_runs, mut quarter_runs) = (Vec::new(), Vec::new(), Vec::new());
    let (mut parse_runs, mut facts_runs) = (Vec::new(), Vec::new());
    for _ in 0..n_runs {
        text_runs.push(index(
            bench,
            &bench.corpus,
            &bench.scratch.join("text-home"),
            Parsing::Off,
        )?);
        parse_runs.push(sources.each(|lang, text| _ = syntax::bare_parse(lang, text)));
        facts_runs.push(sources.each(|lang, text| _ = syntax::file_facts(lang, text, CHUNKS)));
        whole_runs.push(index(bench, &bench.corpus, &bench.home, Parsing::On)?);
        if let Some(quarter) = &quarter {
            quarter_runs.push(index(bench, quarter, &bench.scratch.join("quarter-home"), Parsing::On)?);
        }
    }
    speed(&text_runs, bench.corpus.files.len(), table);
    let parse = median(&parse_runs);
    let next_to_parse = |name: &str, ours: Duration, at_most: f64| {
        let ratio = ours.as_secs_f64() / parse.as_secs_f64();
        Row::new(name, format!("{:.2} s", ours.as_secs_f64()))
            .next_to(format!("{:.2} s", parse.as_secs_f64()), ratio)
            .must(Target::AtMost(at_most, "x"), ratio)
    };
    table.push(next_to_parse("facts next to the bare parse", median(&facts_runs), 1.3));
    table.push(next_to_parse(
        "index with facts from nothing next to the bare parse",
        wall(&whole_runs),
        1.5,
    ));
    if let Some(peak) = whole_runs.iter().filter_map(|run| run.peak_bytes).max() {
        table.push(Row::new(
            "index from nothing: peak memory",
            format!("{:.0} MB", peak as f64 / 1e6),
        ));
    }
    size(bench, table)?;
    if let Some(quarter) = &quarter {
        let per_file = |runs: &[Run], corpus: &Corpus| wall(runs).as_secs_f64() * 1e6 / corpus.files.len() as f64;
        let (small, large) = (per_file(&quarter_runs, quarter), per_file(&whole_runs, &bench.corpus));
        let row = Row::new(
            "index: time per file, all files next to a quarter",
            format!("{large:.0} us"),
        );
        table.push(
            row.next_to(format!("{small:.0} us"), large / small)
                .must(Target::AtMost(1.3, "x"), large / small),
        );
    }
    Ok(())
}

fn wall(runs: &[Run]) -> Duration {
    median(&runs.iter().map(|run| run.wall).collect::<Vec<_>>())
}

fn speed(runs: &[Run], n_files: usize, table: &mut Table) {
    let wall = wall(runs);
    let per_second = n_files as f64 / wall.as_secs_f64();
    let cpu: Vec<Duration> = runs.iter().filter_map(|run| run.cpu).collect();
    // Much less processor time than two cores offer means that others were at work on this machine.
    let cpu = match cpu.as_slice() {
        [] => String::new(),
        cpu => format!(", {:.2} s of CPU", median(cpu).as_secs_f64()),
    };
    let ours = format!("{per_second:.0} files/s ({:.2} s{cpu})", wall.as_secs_f64());
    table.push(Row::new("text index from nothing: speed", ours).must(Target::AtLeast(3000.0, " files/s"), per_second));
}

fn size(bench: &Bench<'_>, table: &mut Table) -> Result<()> {
    let n_bytes = size_of(&bench.home)?;
    let ratio = n_bytes as f64 / bench.corpus.n_bytes as f64;
    let mb = |n_bytes: u64| format!("{:.1} MB", n_bytes as f64 / 1e6);
    let row = Row::new("index size next to the corpus", mb(n_bytes));
    table.push(
        row.next_to(mb(bench.corpus.n_bytes), ratio)
            .must(Target::AtMost(1.2, "x"), ratio),
    );
    Ok(())
}

/// Whether code is parsed while it is indexed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Parsing {
    On,
    Off,
}

/// Facts do not depend on it much.
const CHUNKS: syntax::ChunkOptions = syntax::ChunkOptions { size: 512, overlap: 64 };

/// The texts of the corpus in memory, as the index takes them.
struct Sources(Vec<(&'static syntax::Lang, String)>);

impl Sources {
    fn read(corpus: &Corpus) -> Result<Sources> {
        let mut sources = Vec::new();
        for file in &corpus.files {
            let bytes = fs::read(corpus.dir.join(file))?;
            let name = file.rsplit('/').next().unwrap_or(file);
            let lang = syntax::detect(name, &bytes);
            if let Some(decoded) = source::decode(&bytes) {
                sources.push((lang, decoded.text.into_owned()));
            }
        }
        Ok(Sources(sources))
    }

    /// Does something with every text, on all cores; how long that takes.
    fn each(&self, work: impl Fn(&'static syntax::Lang, &str) + Sync) -> Duration {
        let next = AtomicUsize::new(0);
        let started = Instant::now();
        thread::scope(|scope| {
            for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
                scope.spawn(|| {
                    while let Some((lang, text)) = self.0.get(next.fetch_add(1, Ordering::Relaxed)) {
                        work(lang, text);
                    }
                });
            }
        });
        started.elapsed()
    }
}

/// Indexes a corpus into a home that is emptied first.
fn index(bench: &Bench<'_>, corpus: &Corpus, home: &Path, parsing: Parsing) -> Result<Run> {
    if home.exists() {
        fs::remove_dir_all(home)?;
    }
    let mut command = bench.portolan.command(home);
    command.env("PORTOLAN_SYMBOLS", (parsing == Parsing::On).to_string());
    command
        .arg("index")
        .arg(&corpus.dir)
        .stdin(Stdio::null())
        .stdout(Stdio::null());
    let cpu_before = children_cpu();
    let started = Instant::now();
    let mut child = command.spawn()?;
    let pid = child.id();
    let peak = thread::spawn(move || watch_peak(pid));
    let status = child.wait()?;
    let wall = started.elapsed();
    if !status.success() {
        bail!("portolan index fails");
    }
    let cpu = children_cpu()
        .zip(cpu_before)
        .map(|(after, before)| after.saturating_sub(before));
    let peak_bytes = peak.join().ok().flatten();
    Ok(Run { wall, cpu, peak_bytes })
}

/// Follows the high-water mark of a process for as long as it runs: std does not tell a child's resource usage.
fn watch_peak(pid: u32) -> Option<u64> {
    let mut peak = None;
    while let Some(now) = status_bytes(pid, "VmHWM") {
        peak = Some(now);
        thread::sleep(Duration::from_millis(2));
    }
    peak
}

/// Processor time of the children that have been waited for.
fn children_cpu() -> Option<Duration> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // Names may hold spaces; numbers start after the name's bracket, with the third field of proc(5).
    let (_, fields) = stat.rsplit_once(')')?;
    let mut ticks = fields.split_whitespace().skip(13).take(2).map(str::parse::<u64>);
    let (user, system) = (ticks.next()?.ok()?, ticks.next()?.ok()?);
    // Linux tells hundredths of a second, whatever the kernel itself counts in.
    Some(Duration::from_millis((user + system) * 10))
}
