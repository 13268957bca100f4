//! Localisation: requests of real commits, the lines that these commits changed, and how many of those are in an answer.
//!
//! Half of the repositories are open: their requests may be read, and weights are fitted to them. The other half was chosen
//! by lot and is locked: it says what a change is worth elsewhere.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Context, Result, bail};
use measure::Server;
use serde_json::{Value, json};

use super::{
    fetch::unpack,
    tune::{self, Candidate, Example},
};

pub struct Options {
    /// `tasks.jsonl`, and the sources as `trees/` or `trees.tar.xz`.
    pub tasks: PathBuf,
    pub binary: Option<PathBuf>,
    /// The budget of an answer.
    pub max_tokens: u64,
    /// Where each task's scores are written.
    pub results: Option<PathBuf>,
    /// Results of another binary to compare with.
    pub against: Option<PathBuf>,
    /// Fit the weights of places to the open half instead.
    pub tune: bool,
}

/// A measure, and what of a score it is.
type Measure = (&'static str, fn(&Score) -> f64, f64);

/// What must be reached over all repositories.
const TARGETS: &[Measure] = &[
    ("file@1", |score| score.first, 0.58),
    ("file@5", |score| score.five, 0.86),
    ("lines", |score| score.lines, 0.60),
    ("aim", |score| score.aim, 0.12),
];

/// A place covers a changed line that is so many lines away.
const NEAR: u64 = 3;
/// A place counts with so many lines, so that naming whole files wins nothing.
const COUNTED_LINES: u64 = 60;

#[derive(Default, Clone)]
struct Score {
    /// A changed file is first, or among the first five.
    first: f64,
    five: f64,
    /// The share of the changed places that the answer has.
    lines: f64,
    /// The share of the answer's places that were changed.
    aim: f64,
    kilobytes: f64,
    time: Duration,
}

struct Place<'a> {
    path: &'a str,
    first: u64,
    last: u64,
}

/// The repositories that were drawn to be open.
const OPEN: &[&str] = &[
    "Seldaek+monolog",
    "axios+axios",
    "gin-gonic+gin",
    "pallets+werkzeug",
    "prometheus+prometheus",
    "pydantic+pydantic",
    "redis+redis",
    "serde-rs+serde",
];

fn is_open(repo: &str) -> bool {
    OPEN.contains(&repo)
}

pub fn run(options: &Options) -> Result<()> {
    let path = options.tasks.join("tasks.jsonl");
    let text = fs::read_to_string(&path).with_context(|| format!("{} cannot be read", path.display()))?;
    let tasks: Vec<Value> = text.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    let (portolan, scratch) = super::product(options.binary.as_deref())?;
    let mut trees = options.tasks.join("trees");
    if !trees.is_dir() {
        trees = scratch.path().join("trees");
        unpack(&options.tasks.join("trees.tar.xz"), &trees)?;
    }
    let mut by_repo: BTreeMap<&str, Vec<&Value>> = BTreeMap::new();
    for task in &tasks {
        let repo = task["repo"].as_str().context("a task without a repository")?;
        by_repo.entry(repo).or_default().push(task);
    }
    let mut scored: BTreeMap<&str, Vec<(String, Score)>> = BTreeMap::new();
    let mut examples = Vec::new();
    by_repo.retain(|repo, _| !options.tune || is_open(repo));
    for (repo, tasks) in &by_repo {
        eprintln!("eval: {repo}, {} requests", tasks.len());
        let mut server = portolan.serve(&scratch.path().join("home"), &trees.join(repo), "all")?;
        server.initialize()?;
        server.complete()?;
        if options.tune {
            for task in tasks {
                examples.extend(example(&mut server, repo, task));
            }
            continue;
        }
        for task in tasks {
            let commit = task["commit"].as_str().unwrap_or_default().to_owned();
            let score = ask(&mut server, task, options.max_tokens)?;
            scored.entry(repo).or_default().push((commit, score));
        }
    }
    if options.tune {
        tune::tune(&examples);
        return Ok(());
    }
    if let Some(path) = &options.results {
        write(path, &scored)?;
    }
    report(&scored, options)
}

fn ask(server: &mut Server, task: &Value, max_tokens: u64) -> Result<Score> {
    let asked = json!({ "query": task["request"], "max_tokens": max_tokens });
    // An error is no answer.
    let Ok((time, text, answer)) = server.call_with_text("search_code", &asked) else {
        return Ok(Score::default());
    };
    let truth: Vec<Place<'_>> = task["truth"].as_array().into_iter().flatten().map(place).collect();
    let rows = answer["results"].as_array().into_iter().flatten();
    let mut found: Vec<Place<'_>> = Vec::new();
    for row in rows {
        let own = Place {
            first: row["start_line"].as_u64().unwrap_or_default(),
            last: row["end_line"].as_u64().unwrap_or_default(),
            ..place(row)
        };
        let also = row["also"].as_array().into_iter().flatten().map(|lines| Place {
            first: lines[0].as_u64().unwrap_or_default(),
            last: lines[1].as_u64().unwrap_or_default(),
            ..own
        });
        let also: Vec<Place<'_>> = also.collect();
        found.push(own);
        found.extend(also);
    }
    Ok(Score {
        kilobytes: text.len() as f64 / 1e3,
        time,
        ..score(&truth, &found)
    })
}

/// All places that are found for a request, with what they are like and which changed lines they have.
fn example(server: &mut Server, repo: &str, task: &Value) -> Option<Example> {
    let asked = json!({ "query": task["request"], "k": TUNED_FILES, "max_tokens": 20_000, "explain": true });
    let (_, answer) = server.call("search_code", &asked).ok()?;
    let truth: Vec<Place<'_>> = task["truth"].as_array().into_iter().flatten().map(place).collect();
    let mut candidates = Vec::new();
    for row in answer["results"].as_array().into_iter().flatten() {
        for found in row["places"].as_array().into_iter().flatten() {
            let place = Place {
                first: found["start_line"].as_u64().unwrap_or_default(),
                last: found["end_line"].as_u64().unwrap_or_default(),
                ..place(row)
            };
            let hit = (0..truth.len()).filter(|at| covers(&place, &truth[*at]));
            candidates.push(Candidate::new(&found["features"], hit.collect()));
        }
    }
    Some(Example {
        repo: repo.to_owned(),
        candidates,
        n_targets: truth.len(),
    })
}

/// Files whose places are compared with each other.
const TUNED_FILES: usize = 14;

fn place(value: &Value) -> Place<'_> {
    Place {
        path: value["path"].as_str().unwrap_or_default(),
        first: value["start"].as_u64().unwrap_or_default(),
        last: value["end"].as_u64().unwrap_or_default(),
    }
}

fn covers(place: &Place<'_>, changed: &Place<'_>) -> bool {
    let last = place.last.min(place.first + COUNTED_LINES - 1);
    place.path == changed.path && place.first <= changed.last + NEAR && last + NEAR >= changed.first
}

fn score(truth: &[Place<'_>], found: &[Place<'_>]) -> Score {
    let share = |n: usize, of: usize| n as f64 / of.max(1) as f64;
    let mut files: Vec<&str> = Vec::new();
    for place in found {
        if !files.contains(&place.path) {
            files.push(place.path);
        }
    }
    let is_changed = |path: &&str| truth.iter().any(|changed| changed.path == *path);
    let yes = |is: bool| f64::from(u8::from(is));
    let hit = truth
        .iter()
        .filter(|changed| found.iter().any(|place| covers(place, changed)));
    let good = found
        .iter()
        .filter(|place| truth.iter().any(|changed| covers(place, changed)));
    Score {
        first: yes(files.first().is_some_and(is_changed)),
        five: yes(files.iter().take(5).any(is_changed)),
        lines: share(hit.count(), truth.len()),
        aim: share(good.count(), found.len()),
        ..Score::default()
    }
}

fn mean<'s>(scores: impl Iterator<Item = &'s Score>) -> Score {
    let mut sum = Score::default();
    let mut n: u32 = 0;
    for one in scores {
        sum.first += one.first;
        sum.five += one.five;
        sum.lines += one.lines;
        sum.aim += one.aim;
        sum.kilobytes += one.kilobytes;
        n += 1;
    }
    let n = f64::from(n.max(1));
    Score {
        first: sum.first / n,
        five: sum.five / n,
        lines: sum.lines / n,
        aim: sum.aim / n,
        kilobytes: sum.kilobytes / n,
        time: Duration::ZERO,
    }
}

fn row(name: &str, n: usize, score: &Score) {
    println!(
        "| {name} | {n} | {:.3} | {:.3} | {:.3} | {:.3} | {:.2} |",
        score.first, score.five, score.lines, score.aim, score.kilobytes
    );
}

fn report(scored: &BTreeMap<&str, Vec<(String, Score)>>, options: &Options) -> Result<()> {
    println!("| repository | requests | file first | file in 5 | changed lines | to the point | kB |");
    println!("|---|---|---|---|---|---|---|");
    for (repo, rows) in scored {
        let half = if is_open(repo) { "open" } else { "locked" };
        row(
            &format!("{repo} ({half})"),
            rows.len(),
            &mean(rows.iter().map(|(_, score)| score)),
        );
    }
    let of = |wanted: &dyn Fn(&str) -> bool| -> Vec<&Score> {
        let rows = scored.iter().filter(|(repo, _)| wanted(repo));
        rows.flat_map(|(_, rows)| rows.iter().map(|(_, score)| score)).collect()
    };
    for (name, rows) in [("open half", of(&is_open)), ("locked half", of(&|repo| !is_open(repo)))] {
        row(name, rows.len(), &mean(rows.iter().copied()));
    }
    let all = of(&|_| true);
    let overall = mean(all.iter().copied());
    row("all", all.len(), &overall);
    let mut times: Vec<Duration> = all.iter().map(|score| score.time).collect();
    times.sort();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
    println!(
        "\np50 {:.1} ms, p95 {:.1} ms, max_tokens {}",
        at(0.5),
        at(0.95),
        options.max_tokens
    );
    if let Some(path) = &options.against {
        compare(path, scored)?;
    }
    let missed: Vec<String> = TARGETS
        .iter()
        .filter(|(_, of, least)| of(&overall) < *least)
        .map(|(name, of, least)| format!("{name} {:.3}, wanted {least:.2}", of(&overall)))
        .collect();
    if !missed.is_empty() {
        bail!("missed: {}", missed.join("; "));
    }
    Ok(())
}

fn write(path: &Path, scored: &BTreeMap<&str, Vec<(String, Score)>>) -> Result<()> {
    let mut lines = String::new();
    for (commit, score) in scored.values().flatten() {
        let line = json!({ "commit": commit, "values": values(score) });
        writeln!(lines, "{line}")?;
    }
    fs::write(path, lines).with_context(|| format!("{} cannot be written", path.display()))
}

fn values(score: &Score) -> Vec<f64> {
    TARGETS.iter().map(|(_, of, _)| of(score)).collect()
}

/// How often the differences are drawn anew.
const DRAWS: u64 = 2000;

/// The differences to other results, with the range in which 95 of 100 draws of requests lie: a paired bootstrap.
fn compare(path: &Path, scored: &BTreeMap<&str, Vec<(String, Score)>>) -> Result<()> {
    let text = fs::read_to_string(path).with_context(|| format!("{} cannot be read", path.display()))?;
    let mut before: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for line in text.lines() {
        let known: Value = serde_json::from_str(line)?;
        let values = known["values"].as_array().into_iter().flatten();
        let values = values.filter_map(Value::as_f64).collect();
        before.insert(known["commit"].as_str().unwrap_or_default().to_owned(), values);
    }
    println!("\n| | difference | 95 of 100 draws |\n|---|---|---|");
    for (at, (name, ..)) in TARGETS.iter().enumerate() {
        let differences: Vec<f64> = scored
            .values()
            .flatten()
            .filter_map(|(commit, score)| Some(values(score)[at] - before.get(commit)?.get(at)?))
            .collect();
        if differences.is_empty() {
            bail!("{} has none of these requests", path.display());
        }
        let n = differences.len();
        let mut random = 0x9E37_79B9_7F4A_7C15u64;
        let mut draws: Vec<f64> = (0..DRAWS)
            .map(|_| {
                let draw = (0..n).map(|_| {
                    // xorshift: the same draws in every run.
                    random ^= random << 13;
                    random ^= random >> 7;
                    random ^= random << 17;
                    differences[(random % n as u64) as usize]
                });
                draw.sum::<f64>() / n as f64
            })
            .collect();
        draws.sort_by(f64::total_cmp);
        let mean = differences.iter().sum::<f64>() / n as f64;
        let (low, high) = (draws[DRAWS as usize / 40], draws[DRAWS as usize * 39 / 40]);
        println!("| {name} | {mean:+.3} | {low:+.3} to {high:+.3} |");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Place, score};

    #[test]
    fn places_count_with_their_first_lines() {
        let place = |path: &'static str, first: u64, last: u64| Place { path, first, last };
        let truth = [place("a.rs", 100, 100), place("a.rs", 10, 12), place("b.rs", 5, 5)];
        let found = [place("c.rs", 1, 9), place("a.rs", 30, 400), place("a.rs", 15, 20)];
        let scored = score(&truth, &found);
        // Line 100 is behind the first sixty lines from 30 on; 12 is three lines before 15.
        assert_eq!((scored.first, scored.five), (0.0, 1.0));
        assert_eq!((scored.lines, scored.aim), (1.0 / 3.0, 1.0 / 3.0));
    }
}
