//! The same with a tenth, three tenths and all of the corpus: what grows with it, and how.

use std::{path::PathBuf, time::Duration};

use anyhow::{Context, Result};
use measure::{
    Corpus, Definitions, Parsing, QUESTIONS, Sources, Table, answer_times, change, grep_times, index, median, ms,
    ratio, size_of, status_bytes,
};

use super::{
    Bench, SEED, floor,
    freshness::look,
    indexing::{quickest, wall},
    say,
};

/// In tenths of the corpus.
const SIZES: [(&str, usize); 3] = [("1x", 1), ("3x", 3), ("10x", 10)];

/// Time for each file of all of them next to that with a tenth.
const MOST_GROWTH: f64 = 1.3;

/// Questions whose time is told.
const ASKED: &[&str] = &[
    "search_code, a name",
    "search_code, a question",
    "grep",
    "find_definition",
    "find_references",
    "find_callers",
    "impact_analysis",
    "map_code",
];

const OF_EACH: usize = 10;
const MOST: Duration = Duration::from_secs(20);

/// A row: what, its unit, one figure for each size.
pub type Figures = Vec<(String, &'static str, f64)>;

/// The table, and what misses its target.
pub fn measure(bench: &Bench<'_>) -> Result<(String, Vec<String>)> {
    let mut sizes = Vec::new();
    for (name, tenths) in SIZES {
        say(&format!("a corpus of {name}"));
        let n_files = (bench.corpus.files.len() * tenths / 10).max(1);
        let dir = bench.scratch.join(format!("corpus-{name}"));
        let home = bench.scratch.join(format!("home-{name}"));
        sizes.push(of_size(bench, &bench.corpus.part(n_files, &dir)?, home)?);
    }
    let mut table = Table::new(["", "1x", "3x", "10x", "10x next to 1x"]);
    for row in 0..sizes[0].len() {
        let (what, unit, _) = &sizes[0][row];
        let figures: Vec<f64> = sizes.iter().map(|size| size[row].2).collect();
        let [small, middle, large] = figures[..] else { continue };
        table.row([
            what.clone(),
            show(small, unit),
            show(middle, unit),
            show(large, unit),
            format!("{:.1}", large / small.max(1e-9)),
        ]);
    }
    let per_file = |size: &Figures| size.iter().find(|(what, ..)| what == PER_FILE).map(|one| one.2);
    let (small, large) = (per_file(&sizes[0]), per_file(&sizes[2]));
    let grown = large.context("no time for each file")? / small.context("no time for each file")?;
    let failed = (grown > MOST_GROWTH).then(|| format!("{PER_FILE} grows {grown:.2} times, at most {MOST_GROWTH}"));
    Ok((table.to_string(), failed.into_iter().collect()))
}

const PER_FILE: &str = "whole index, for each file";
pub const FILES: &str = "files";
pub const NEXT_TO_FLOOR: &str = "whole index / reading and bare parse";
pub const EDIT: &str = "one file changed until it is found";

pub fn show(figure: f64, unit: &str) -> String {
    let digits = match figure {
        figure if figure.fract() == 0.0 => 0,
        figure if figure < 10.0 => 2,
        _ => 1,
    };
    format!("{figure:.digits$}{unit}")
}

/// The figures of one corpus, which this puts under version control and changes.
pub fn of_size(bench: &Bench<'_>, corpus: &Corpus, home: PathBuf) -> Result<Figures> {
    let (portolan, dir) = (&bench.portolan, &corpus.dir);
    floor::commit_all(dir)?;
    let sources = Sources::read(corpus)?;
    let (mut runs, mut reads, mut parses) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..bench.n_runs {
        runs.push(index(portolan, dir, &home, Parsing::On)?);
        reads.push(sources.bare_read(corpus));
        parses.push(sources.bare_parse());
    }
    let (whole, read, parse) = (wall(&runs), quickest(&reads), quickest(&parses));
    let (n_files, n_bytes) = (corpus.files.len() as f64, corpus.n_bytes as f64);
    let mut figures = Figures::new();
    let mut figure = |what: &str, unit: &'static str, value: f64| figures.push((what.to_owned(), unit, value));
    figure(FILES, "", n_files);
    figure("text", " MB", n_bytes / 1e6);
    figure("reading", " s", read.as_secs_f64());
    figure("bare parse", " s", parse.as_secs_f64());
    figure("whole index", " s", whole.as_secs_f64());
    figure(NEXT_TO_FLOOR, "", ratio(whole, read + parse));
    figure(PER_FILE, " ms", ms(whole) / n_files);
    if let Some(peak) = runs.iter().filter_map(|run| run.peak_bytes).max() {
        figure("peak memory while indexing", " MB", peak as f64 / 1e6);
    }
    figure("size of the index / text", "", size_of(&home)? as f64 / n_bytes);

    let look = look(portolan, &home, dir, bench.n_runs.max(3))?;
    figure("git status", " ms", ms(look.git_status));
    figure(
        "nothing changed / git status",
        "",
        ratio(look.refresh(), look.git_status),
    );

    let samples = Definitions::of(&sources, SEED).sample(OF_EACH);
    let grep = median(&grep_times(dir, &samples, MOST)?);
    figure("grep -w for a name, in process", " ms", ms(grep));
    let mut server = portolan.serve(&home, dir, "all")?;
    server.initialize()?;
    server.complete()?;
    for question in QUESTIONS.iter().filter(|one| ASKED.contains(&one.name)) {
        let times = answer_times(&mut server, question, &samples, MOST)?;
        figure(&format!("{}, median", question.name), " ms", ms(median(&times)));
    }
    if let Some(own) = status_bytes(server.pid(), "RssAnon") {
        figure("own memory of a server", " MB", own as f64 / 1e6);
    }
    let files: Vec<&str> = samples.iter().map(|sample| sample.path.as_str()).take(10).collect();
    let changes = change(&mut server, corpus, &files)?;
    figure(EDIT, " ms", ms(median(&changes.times)));
    Ok(figures)
}
