//! Truth: the answers of the built binary next to those of compilers and language servers, and `search`: the files that it
//! finds next to those that people would have wanted; `locate`: the places that it names next to those that commits changed.

mod fetch;
mod graph;
mod layers;
pub mod locate;
pub mod passages;
pub mod rename;
pub mod search;
mod sources;
mod tune;

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use anyhow::{Context, Result, bail};
use measure::{Portolan, Server};
use serde_json::{Value, json};
use tempfile::TempDir;

pub use graph::section as graph_section;

pub struct Options {
    /// `queries.jsonl`, `manifest.json`, `score.py`, and the sources if they are not to be fetched.
    pub truth: PathBuf,
    pub binary: Option<PathBuf>,
    /// Ask by qualified name; by default by the place of the definition.
    pub by_name: bool,
    /// How many of the worst answers are listed.
    pub n_misses: usize,
    /// Compare the exact layer with the resolved one, for what has both.
    pub layers: bool,
}

/// Repositories of which some things are asked for.
pub struct Sampled {
    pub repositories: Vec<PathBuf>,
    /// How many of each.
    pub count: usize,
    pub binary: Option<PathBuf>,
    /// List what is not as it should be.
    pub show: bool,
}

/// Answers are to be as exact as they get, however long the first one takes.
const EXACT: &str = "[rust]\nwait_ms = 600000\n";

/// What must be reached: relation, the least F1 of all languages together, and of each.
const TARGETS: &[(&str, f64, f64)] = &[
    ("references", 0.93, 0.90),
    ("callers", 0.90, 0.0),
    ("implementations", 0.95, 0.0),
    ("definition", 0.97, 0.0),
];

/// Rows that claim to be this sure must be right this often.
const SURE: f64 = 0.8;
const SURE_IS_RIGHT: f64 = 0.85;

/// The questions with their answers, and what they are about.
struct Truth {
    queries: Vec<Value>,
    manifest: Value,
}

impl Truth {
    fn read(dir: &Path) -> Result<Truth> {
        let read = |name: &str| {
            let path = dir.join(name);
            fs::read_to_string(&path).with_context(|| format!("{} cannot be read", path.display()))
        };
        let queries = read("queries.jsonl")?;
        Ok(Truth {
            queries: queries.lines().map(serde_json::from_str).collect::<Result<_, _>>()?,
            manifest: serde_json::from_str(&read("manifest.json")?)?,
        })
    }

    fn by_repo(&self) -> Result<BTreeMap<&str, Vec<&Value>>> {
        let mut by_repo = BTreeMap::<&str, Vec<&Value>>::new();
        for query in &self.queries {
            let repo = query["repo"].as_str().context("a question without a repository")?;
            by_repo.entry(repo).or_default().push(query);
        }
        Ok(by_repo)
    }
}

/// The binary that is asked, and a directory for all that is written meanwhile.
fn product(binary: Option<&Path>) -> Result<(Portolan, TempDir)> {
    let binary = crate::bench::built(binary)?;
    let scratch = tempfile::tempdir()?;
    Ok((Portolan::new(&binary, scratch.path())?, scratch))
}

pub fn refs(options: &Options) -> Result<()> {
    let truth = Truth::read(&options.truth)?;
    let mut binary = options.binary.clone();
    if options.layers {
        binary = Some(crate::bench::built_with(binary.as_deref(), &["rust-analyzer"])?);
    }
    let (portolan, scratch) = product(binary.as_deref())?;
    if options.layers {
        return layers::compare(options, truth, &portolan, scratch.path());
    }
    portolan.configure(EXACT)?;
    let (results, times) = asked(options, &truth, &portolan, scratch.path(), "home")?;
    let scores = scored(options, &truth.queries, &results, scratch.path())?;
    let setting = if options.by_name { "qualified name" } else { "position" };
    println!("\nAsked by {setting}. Time of an answer, median and 95 of 100, in ms:");
    print_times(times);
    let mut missed = calibration(&truth.queries, &results, &truth.manifest);
    missed.extend(below_target(&scores));
    if !missed.is_empty() {
        bail!("missed: {}", missed.join("; "));
    }
    Ok(())
}

type Times = BTreeMap<&'static str, Vec<Duration>>;

fn print_times(times: Times) {
    for (tool, mut times) in times {
        times.sort();
        let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
        println!("  {tool:<22} {:6.1} {:6.1}", at(0.5), at(0.95));
    }
}

/// Asks all questions, each repository of a server of its own.
fn asked(
    options: &Options,
    truth: &Truth,
    portolan: &Portolan,
    scratch: &Path,
    home: &str,
) -> Result<(Vec<Value>, Times)> {
    let mut results = Vec::new();
    let mut times = Times::new();
    for (repo, queries) in truth.by_repo()? {
        let root = sources::of(repo, &truth.manifest[repo], &options.truth, scratch)?;
        eprintln!("eval: {repo}, {} questions", queries.len());
        let mut server = portolan.serve(&scratch.join(home), &root, "all")?;
        server.initialize()?;
        server.complete()?;
        for query in queries {
            results.push(answer(&mut server, query, options.by_name, &mut times)?);
        }
    }
    Ok((results, times))
}

/// What the program says to one question, as the scorer reads it.
fn answer(server: &mut Server, query: &Value, by_name: bool, times: &mut Times) -> Result<Value> {
    let place = |place: &Value| json!({ "file": place["path"], "line": place["line"], "column": place["col"] });
    let asked = if by_name {
        json!({ "symbol": query["qualified_name"] })
    } else {
        let mut asked = place(&query["def"]);
        asked["symbol"] = query["symbol"].clone();
        asked
    };
    let used_at = place(&query["use_site"]);
    let asked_definition = match (by_name, query["use_site"].is_object()) {
        (true, _) => json!({ "symbol": query["qualified_name"] }),
        (false, true) => used_at,
        (false, false) => asked.clone(),
    };
    let mut result = json!({ "repo": query["repo"], "id": query["id"] });
    for (tool, key, field, arguments) in [
        ("find_definition", "definitions", "definition", &asked_definition),
        ("find_references", "references", "references", &asked),
        ("find_callers", "callers", "callers", &asked),
        ("find_implementations", "implementations", "implementations", &asked),
    ] {
        let mut arguments = arguments.clone();
        arguments["max_tokens"] = 20_000.into();
        if tool == "find_references" {
            arguments["context_lines"] = 0.into();
            arguments["include_text"] = false.into();
        }
        if tool != "find_definition" {
            arguments["max_results"] = 200.into();
        }
        let mut rows = Vec::new();
        let answered = loop {
            // An error is no answer; the scorer counts it as such.
            let Ok((elapsed, mut page)) = server.call(tool, &arguments) else {
                break false;
            };
            times.entry(tool).or_default().push(elapsed);
            // Of several definitions in groups, that of the question counts.
            let list = match page["groups"].take() {
                Value::Array(groups) => of_meant(groups, query, key),
                _ => Some(page[key].take()),
            };
            match list {
                Some(Value::Array(more)) => rows.extend(more),
                // A later page may have no rows of it.
                None if arguments["cursor"].is_string() => {}
                _ => break false,
            }
            if page["next_cursor"].is_null() {
                break true;
            }
            arguments["cursor"] = page["next_cursor"].take();
        };
        // Who may reach it by dispatch is told apart from who calls it.
        rows.retain(|row| row["via"] != "dispatch");
        if answered {
            result[field] = rows.into();
        }
    }
    Ok(result)
}

/// The rows of the group whose definition a question is about.
fn of_meant(groups: Vec<Value>, query: &Value, key: &str) -> Option<Value> {
    let is_meant = |place: &Value| {
        let alternatives = query["def_alt"].as_array().into_iter().flatten();
        let mut places = alternatives.chain([&query["def"]]);
        places.any(|known| known["path"] == place["path"] && known["line"] == place["line"])
    };
    let also = |symbol: &Value| symbol["also"].as_array().is_some_and(|also| also.iter().any(is_meant));
    let mut meant = groups
        .into_iter()
        .filter(|group| is_meant(&group["symbol"]) || also(&group["symbol"]));
    meant.next().map(|mut group| group[key].take())
}

/// Has the truth's own scorer print its tables; what it says by relation and language.
fn scored(options: &Options, queries: &[Value], results: &[Value], scratch: &Path) -> Result<Value> {
    let json = scratch.join("scores.json");
    let lines = |name: &str, values: &[Value]| -> Result<PathBuf> {
        let path = scratch.join(name);
        let lines: Vec<String> = values.iter().map(Value::to_string).collect();
        fs::write(&path, lines.join("\n"))?;
        Ok(path)
    };
    let mut command = Command::new("python3");
    command
        .arg(options.truth.join("score.py"))
        .arg("--truth")
        .arg(lines("truth.jsonl", queries)?)
        .arg("--manifest")
        .arg(options.truth.join("manifest.json"))
        .arg("--results")
        .arg(lines("results.jsonl", results)?)
        .args([
            "--by",
            "language,stratum",
            "--misses",
            &options.n_misses.to_string(),
            "--json",
        ])
        .arg(&json);
    if !command.status().context("python3 runs the scorer")?.success() {
        bail!("the scorer fails");
    }
    // It writes NaN where there is nothing to divide by.
    let text = fs::read_to_string(json)?.replace("NaN", "null");
    Ok(serde_json::from_str(&text)?)
}

fn below_target(scores: &Value) -> Vec<String> {
    let mut missed = Vec::new();
    let scores = scores.as_object().into_iter().flatten();
    for (key, score) in scores {
        let mut parts = key.split('/');
        let (title, value, relation) = (parts.next(), parts.next().unwrap_or_default(), parts.next());
        let Some((_, of_all, of_each)) = TARGETS.iter().find(|(name, ..)| relation == Some(name)) else {
            continue;
        };
        let least = match title {
            Some("ALL") => *of_all,
            Some("language") => *of_each,
            _ => continue,
        };
        let f1 = score["f1"].as_f64().unwrap_or(0.0);
        if f1 < least && score["truth"] != 0 {
            missed.push(format!(
                "{} of {value} {f1:.3}, wanted {least:.2}",
                relation.unwrap_or_default()
            ));
        }
    }
    missed
}

/// How often references are right, by how sure they claim to be.
fn calibration(queries: &[Value], results: &[Value], manifest: &Value) -> Vec<String> {
    const STEPS: &[f64] = &[0.95, 0.9, 0.8, 0.7, 0.6, 0.5, 0.0];
    let place = |place: &Value| (place["path"].to_string(), place["line"].to_string());
    let mut counts = vec![(0usize, 0usize); STEPS.len()];
    for (query, result) in results_with(queries, results) {
        let list = |key: &str| {
            query[key]
                .as_array()
                .into_iter()
                .flatten()
                .map(place)
                .collect::<Vec<_>>()
        };
        let right = list("references");
        let mut neutral = list("references_neutral");
        neutral.extend(list("def_alt"));
        neutral.push(place(&query["def"]));
        for row in result["references"].as_array().into_iter().flatten() {
            let known = &manifest[query["repo"].as_str().unwrap_or_default()]["files"];
            let here = place(row);
            if neutral.contains(&here) || known[row["path"].as_str().unwrap_or_default()].is_null() {
                continue;
            }
            let confidence = row["confidence"].as_f64().unwrap_or(0.0);
            let step = STEPS
                .iter()
                .position(|least| confidence >= *least)
                .unwrap_or(STEPS.len() - 1);
            counts[step].0 += usize::from(right.contains(&here));
            counts[step].1 += 1;
        }
    }
    println!("\nconfidence of references: how many are right");
    let (mut right, mut all) = (0, 0);
    for (least, (good, count)) in STEPS.iter().zip(counts) {
        if count > 0 {
            println!(
                "  >= {least:.2}  {good:>5} of {count:>5}  {:.3}",
                good as f64 / count as f64
            );
        }
        if *least >= SURE {
            right += good;
            all += count;
        }
    }
    let share = right as f64 / (all as f64).max(1.0);
    if share < SURE_IS_RIGHT {
        return vec![format!(
            "rows with confidence >= {SURE} are right in {share:.3}, wanted {SURE_IS_RIGHT}"
        )];
    }
    Vec::new()
}

fn results_with<'a>(queries: &'a [Value], results: &'a [Value]) -> impl Iterator<Item = (&'a Value, &'a Value)> {
    let by_id: BTreeMap<&str, &Value> = results
        .iter()
        .filter_map(|one| Some((one["id"].as_str()?, one)))
        .collect();
    queries
        .iter()
        .filter_map(move |query| Some((query, *by_id.get(query["id"].as_str()?)?)))
}

/// All files below a directory, by their paths.
fn contents(root: &Path) -> Result<BTreeMap<String, Vec<u8>>> {
    let mut files = BTreeMap::new();
    let mut open = vec![root.to_owned()];
    while let Some(dir) = open.pop() {
        for entry in fs::read_dir(dir)? {
            let path = entry?.path();
            if path.is_symlink() {
                continue;
            }
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(root)?.to_string_lossy().replace('\\', "/");
                files.insert(name, fs::read(&path)?);
            }
        }
    }
    Ok(files)
}
