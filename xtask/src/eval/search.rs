//! Relevance: sentences and names, the files that answer them, and how early the built binary finds those.

mod corpora;
pub mod score;

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    fs,
    io::ErrorKind,
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Context, Result, bail};
use measure::{Server, Table};
use serde_json::{Value, json};

use super::tune::{self, Candidate, Example};

#[derive(Default)]
pub struct Options {
    /// `queries.json`.
    pub queries: PathBuf,
    pub binary: Option<PathBuf>,
    /// Where the repositories are kept; by default in `target`.
    pub corpora: Option<PathBuf>,
    /// The mode of `search_code`, by default its own.
    pub mode: Option<String>,
    /// These repositories only.
    pub only: Vec<String>,
    /// How many of the worst answers are listed.
    pub n_misses: usize,
    /// How many results are asked for. Ten count.
    pub depth: Option<usize>,
    /// Where what was found is written, as the scorer of the queries reads it.
    pub results: Option<PathBuf>,
    /// Ranks to compare with.
    pub golden: Option<PathBuf>,
    /// Write them instead.
    pub update: bool,
    /// Find the weights of the ranking.
    pub tune: bool,
}

/// Files that a query is tuned on.
const TUNED: usize = 100;

/// What must be reached: NDCG@10 of all, of queries for a symbol, and of each language.
const OVERALL: f64 = 0.88;
const SYMBOL: f64 = 0.97;
const LANGUAGE: f64 = 0.80;

/// A query and what came of it.
struct Answered<'q> {
    query: &'q Value,
    results: Vec<Value>,
    ranks: Vec<Option<usize>>,
    ndcg: f64,
    elapsed: Duration,
}

impl Answered<'_> {
    fn text(&self, key: &str) -> &str {
        self.query[key].as_str().unwrap_or_default()
    }

    /// Ranks of the targets, best first; what is not among the first ten has none.
    fn shown_ranks(&self) -> String {
        let mut ranks = self.ranks.clone();
        ranks.sort_by_key(|rank| rank.unwrap_or(usize::MAX));
        let ranks = ranks
            .iter()
            .map(|rank| rank.map_or("-".to_owned(), |rank| rank.to_string()));
        ranks.collect::<Vec<_>>().join(",")
    }
}

/// What is not as it should be after asking.
#[derive(Default)]
pub struct Faults {
    /// Repositories that could not be had.
    missing: Vec<String>,
    /// How the ranks differ from those of the golden file.
    pub changed: Option<String>,
    /// Figures below their targets.
    pub missed: Vec<String>,
}

impl Faults {
    pub fn list(&self) -> Vec<String> {
        let mut all = self.missing.clone();
        all.extend(self.changed.clone());
        if !self.missed.is_empty() {
            all.push(format!("missed: {}", self.missed.join("; ")));
        }
        all
    }
}

pub fn run(options: &Options) -> Result<()> {
    let faults = ask(options)?.list();
    if !faults.is_empty() {
        bail!("{}", faults.join("\n"));
    }
    Ok(())
}

/// Asks all queries and prints what comes of it.
pub fn ask(options: &Options) -> Result<Faults> {
    let queries = fs::read_to_string(&options.queries)
        .with_context(|| format!("{} cannot be read", options.queries.display()))?;
    let queries: Vec<Value> = serde_json::from_str(&queries)?;
    let mut by_repo: BTreeMap<&str, Vec<&Value>> = BTreeMap::new();
    for query in &queries {
        let repo = query["repo"].as_str().context("a query without a repository")?;
        if options.only.is_empty() || options.only.iter().any(|only| only == repo) {
            by_repo.entry(repo).or_default().push(query);
        }
    }
    if let Some(unknown) = options.only.iter().find(|only| !by_repo.contains_key(only.as_str())) {
        bail!("no query is about `{unknown}`");
    }
    let (portolan, scratch) = super::product(options.binary.as_deref())?;
    let dir = options.corpora.clone();
    let dir = dir.unwrap_or_else(|| crate::workspace_root().join("target/search-corpora"));
    fs::create_dir_all(&dir)?;
    let dir = dir.canonicalize()?;
    let (mut answered, mut left_out, mut faults) = (Vec::new(), Vec::new(), Faults::default());
    for (repo, queries) in by_repo {
        let root = match corpora::of(repo, &dir) {
            Ok(Some(root)) => root,
            Ok(None) => {
                left_out.push(format!("{repo} (all {}: no registry has it)", queries.len()));
                continue;
            }
            // The rest still says something, but not the same as with it.
            Err(error) => {
                faults.missing.push(format!("{repo}: {error:#}"));
                continue;
            }
        };
        let n_queries = queries.len();
        let kept: Vec<&Value> = queries.into_iter().filter(|query| has_targets(query, &root)).collect();
        if kept.len() < n_queries {
            left_out.push(format!(
                "{repo} ({} of {n_queries}: a target is not there)",
                n_queries - kept.len()
            ));
        }
        let Some(first) = kept.first() else { continue };
        eprintln!("eval: {repo}, {} queries", kept.len());
        let below = first["root"].as_str().filter(|root| *root != ".");
        let indexed = below.map_or(root.clone(), |below| root.join(below));
        let home = scratch.path().join("home").join(repo);
        let mut server = portolan.serve(&home, &indexed, "all")?;
        server.initialize()?;
        server.complete()?;
        for query in kept {
            answered.push(answer(&mut server, query, below, options)?);
        }
    }
    if answered.is_empty() {
        left_out.extend(faults.missing);
        bail!("nothing to ask: {}", left_out.join("; "));
    }
    if let Some(path) = &options.results {
        write_results(path, &answered)?;
    }
    if options.tune {
        tune::tune(&answered.iter().map(example).collect::<Vec<_>>());
        return Ok(faults);
    }
    let missed = report(&answered, options.n_misses);
    if !left_out.is_empty() {
        println!("\nleft out: {}", left_out.join("; "));
    }
    if let Some(path) = &options.golden {
        faults.changed = golden(path, &answered, options)?;
    }
    // A part says nothing of the whole.
    if options.only.is_empty() {
        faults.missed = missed;
    }
    Ok(faults)
}

fn example(answered: &Answered<'_>) -> Example {
    let targets = targets(answered.query);
    let candidates = answered.results.iter().map(|row| {
        let hit = (0..targets.len()).filter(|at| score::hits(row, targets[*at]));
        Candidate::new(&row["features"], hit.collect())
    });
    Example {
        repo: answered.text("repo").to_owned(),
        candidates: candidates.collect(),
        n_targets: targets.len(),
    }
}

fn targets(query: &Value) -> Vec<&Value> {
    let of = |key: &str| query[key].as_array().into_iter().flatten();
    of("relevant").chain(of("secondary")).collect()
}

fn has_targets(query: &Value, root: &Path) -> bool {
    let is_there = |target: &&Value| target["path"].as_str().is_some_and(|path| root.join(path).is_file());
    targets(query).iter().all(is_there)
}

/// What is found, in the order in which a reader sees it: definitions of the name that was asked for come first.
fn answer<'q>(server: &mut Server, query: &'q Value, below: Option<&str>, options: &Options) -> Result<Answered<'q>> {
    let depth = options.depth.unwrap_or(if options.tune { TUNED } else { score::N });
    let mut arguments = json!({ "query": query["query"], "k": depth, "max_tokens": 20_000 });
    if options.tune {
        arguments["explain"] = true.into();
        arguments["mode"] = "hybrid".into();
    }
    if let Some(mode) = &options.mode {
        arguments["mode"] = mode.as_str().into();
    }
    let (mut results, mut elapsed) = (Vec::new(), None);
    loop {
        let (time, mut page) = match server.call("search_code", &arguments) {
            Ok(answer) => answer,
            // An error is no answer: nothing is found.
            Err(error) => {
                eprintln!("eval: {error:#}");
                break;
            }
        };
        elapsed.get_or_insert(time);
        for key in ["definitions", "results"] {
            let rows = page[key].as_array_mut().into_iter().flatten();
            results.extend(rows.map(|row| result(row, below)));
        }
        if results.len() >= depth || page["next_cursor"].is_null() {
            break;
        }
        arguments["cursor"] = page["next_cursor"].take();
    }
    results.truncate(depth);
    let ranks = score::ranks(&results, &targets(query));
    Ok(Answered {
        query,
        ndcg: score::ndcg(&ranks),
        ranks,
        results,
        elapsed: elapsed.unwrap_or_default(),
    })
}

/// A row as the scorer reads it, with the path from the root of the repository.
fn result(row: &mut Value, below: Option<&str>) -> Value {
    let path = row["path"].as_str().unwrap_or_default();
    let path = below.map_or(path.to_owned(), |below| format!("{below}/{path}"));
    let line = |keys: [&str; 2]| keys.iter().find_map(|key| row[key].as_u64());
    let start = line(["start_line", "line"]);
    json!({ "path": path, "start": start, "end": line(["end_line", "line"]).max(start), "score": row["score"], "features": row["features"].take() })
}

/// The results, and beside them the queries that were asked: the scorer counts what has no line as not found.
fn write_results(path: &Path, answered: &[Answered<'_>]) -> Result<()> {
    let mut lines = String::new();
    for one in answered {
        let ms = one.elapsed.as_secs_f64() * 1e3;
        let line = json!({ "repo": one.query["repo"], "query": one.query["query"], "results": one.results, "ms": ms });
        writeln!(lines, "{line}")?;
    }
    fs::write(path, lines)?;
    let asked: Vec<&Value> = answered.iter().map(|one| one.query).collect();
    fs::write(path.with_extension("queries.json"), serde_json::to_string(&asked)?)?;
    Ok(())
}

/// Prints the figures; what is below its target.
fn report(answered: &[Answered<'_>], n_misses: usize) -> Vec<String> {
    let mut by_repo: BTreeMap<&str, Vec<&Answered<'_>>> = BTreeMap::new();
    for one in answered {
        by_repo.entry(one.text("repo")).or_default().push(one);
    }
    let of = |rows: &[&Answered<'_>]| score::mean(rows.iter().map(|one| one.ndcg));
    println!(
        "{:<20} {:<11} {:>4} {:>8} {:>6} {:>8}",
        "repository", "language", "n", "NDCG@10", "hit@1", "p50 ms"
    );
    let (mut by_language, mut by_category) = (BTreeMap::<_, Vec<f64>>::new(), BTreeMap::<_, Vec<f64>>::new());
    for (repo, rows) in &by_repo {
        let (ndcg, language) = (of(rows), rows[0].text("language"));
        let first = score::mean(rows.iter().map(|one| f64::from(u8::from(one.ranks.contains(&Some(1))))));
        let times = times(rows.iter().copied());
        let (n, p50) = (rows.len(), percentile(&times, 0.5));
        println!("{repo:<20} {language:<11} {n:>4} {ndcg:>8.3} {first:>6.2} {p50:>8.2}");
        by_language.entry(language).or_default().push(ndcg);
        let mut categories: BTreeMap<&str, Vec<&Answered<'_>>> = BTreeMap::new();
        for one in rows {
            categories.entry(one.text("category")).or_default().push(one);
        }
        for (category, rows) in categories {
            by_category.entry(category).or_default().push(of(&rows));
        }
    }
    let mut missed = Vec::new();
    let mut below = |what: &str, ndcg: f64, least: f64| {
        if ndcg < least {
            missed.push(format!("{what} {ndcg:.3}, wanted {least:.2}"));
        }
    };
    println!("\nby language:");
    for (language, values) in by_language {
        let ndcg = score::mean(values);
        println!("  {language:<13} {ndcg:.3}");
        below(language, ndcg, LANGUAGE);
    }
    println!("by category (of repositories | of queries):");
    for (category, values) in by_category {
        let ndcg = score::mean(values);
        let alike: Vec<_> = answered.iter().filter(|one| one.text("category") == category).collect();
        println!("  {category:<13} {ndcg:.3} | {:.3}  n={}", of(&alike), alike.len());
        if category == "symbol" {
            below("symbol", ndcg, SYMBOL);
        }
    }
    let overall = score::mean(by_repo.values().map(|rows| of(rows)));
    below("overall", overall, OVERALL);
    let times = times(answered);
    println!(
        "\nNDCG@10 {overall:.4} (of {} repositories), {:.4} (of {} queries); p50 {:.2} ms, p90 {:.2} ms",
        by_repo.len(),
        of(&answered.iter().collect::<Vec<_>>()),
        answered.len(),
        percentile(&times, 0.5),
        percentile(&times, 0.9),
    );
    let mut worst: Vec<&Answered<'_>> = answered.iter().filter(|one| one.ndcg < 1.0).collect();
    worst.sort_by(|a, b| a.ndcg.total_cmp(&b.ndcg));
    for one in worst.into_iter().take(n_misses) {
        println!(
            "\n{} [{}] {}",
            one.text("repo"),
            one.text("category"),
            one.text("query")
        );
        for (target, rank) in targets(one.query).iter().zip(&one.ranks) {
            let rank = rank.map_or("-".to_owned(), |rank| rank.to_string());
            println!("  wanted {rank:>2}  {}", target["path"].as_str().unwrap_or_default());
        }
        for (i, row) in one.results.iter().take(3).enumerate() {
            let path = row["path"].as_str().unwrap_or_default();
            println!("  found  {:>2}  {path}:{}-{}", i + 1, row["start"], row["end"]);
        }
    }
    missed
}

/// In milliseconds, sorted.
fn times<'q>(answered: impl IntoIterator<Item = &'q Answered<'q>>) -> Vec<f64> {
    let mut times: Vec<f64> = answered
        .into_iter()
        .map(|one| one.elapsed.as_secs_f64() * 1e3)
        .collect();
    times.sort_by(f64::total_cmp);
    times
}

fn percentile(sorted: &[f64], share: f64) -> f64 {
    sorted[((sorted.len() - 1) as f64 * share) as usize]
}

/// Compares the ranks of the targets with those of the file, or writes them there. A line for each query, so that a change
/// of the ranking is a diff that can be read. What is wrong, if anything.
fn golden(path: &Path, answered: &[Answered<'_>], options: &Options) -> Result<Option<String>> {
    const HEAD: &str = "repository\tcategory\tquery\tranks\n";
    let text = match fs::read_to_string(path) {
        Err(error) if options.update && error.kind() == ErrorKind::NotFound => String::new(),
        text => text.with_context(|| format!("--golden {}", path.display()))?,
    };
    let known = text.lines().skip(1).filter_map(|line| line.rsplit_once('\t'));
    // With `--only` the lines of the others stay as they are.
    let of_asked = |key: &str| {
        let repo = key.split('\t').next();
        options.only.is_empty() || options.only.iter().any(|only| repo == Some(only))
    };
    let (mut before, others): (BTreeMap<&str, &str>, BTreeMap<&str, &str>) = known.partition(|(key, _)| of_asked(key));
    let mut now = BTreeMap::new();
    for one in answered {
        let key = ["repo", "category", "query"].map(|key| one.text(key)).join("\t");
        now.insert(key, one.shown_ranks());
    }
    let (mut better, mut worse, mut new) = (0, 0, 0);
    let mut changes = String::new();
    for (key, ranks) in &now {
        match before.remove(key.as_str()) {
            Some(before) if before == ranks => {}
            Some(before) => {
                writeln!(changes, "  {before} -> {ranks}\t{key}")?;
                let is_better = gain(before) < gain(ranks);
                *(if is_better { &mut better } else { &mut worse }) += 1;
            }
            None => new += 1,
        }
    }
    if !changes.is_empty() {
        print!("\nranks that changed, {better} better and {worse} worse:\n{changes}");
    }
    if options.update {
        let mut lines = others;
        lines.extend(now.iter().map(|(key, ranks)| (key.as_str(), ranks.as_str())));
        let lines = lines.iter().map(|(key, ranks)| format!("{key}\t{ranks}\n"));
        fs::write(path, HEAD.to_owned() + &lines.collect::<String>())?;
        return Ok(None);
    }
    let (changed, gone) = (better + worse, before.len());
    Ok((changed + new + gone > 0).then(|| {
        let path = path.display();
        format!("{path}: {changed} ranks changed, {new} queries are new, {gone} were not asked; --update writes it")
    }))
}

/// `queries.json`, or the directory it is in.
pub fn queries_in(path: &Path) -> PathBuf {
    match path.is_dir() {
        true => path.join("queries.json"),
        false => path.to_owned(),
    }
}

/// What the ranks of a golden file are worth. Figures of several repositories are means over them, as everywhere.
pub fn golden_figures(golden: &str) -> String {
    let queries: Vec<[&str; 3]> = golden
        .lines()
        .skip(1)
        .filter_map(|line| match line.split('\t').collect::<Vec<_>>()[..] {
            [repo, category, _, ranks] => Some([repo, category, ranks]),
            _ => None,
        })
        .collect();
    let row = |table: &mut Table, name: &str, is_in: &dyn Fn(&[&str; 3]) -> bool| {
        let mut by_repo = BTreeMap::<&str, Vec<&str>>::new();
        for query in queries.iter().filter(|query| is_in(query)) {
            by_repo.entry(query[0]).or_default().push(query[2]);
        }
        let mean = |of: fn(&str) -> f64| {
            let of_repo = |ranks: &Vec<&str>| score::mean(ranks.iter().map(|ranks| of(ranks)));
            score::mean(by_repo.values().map(of_repo))
        };
        let is_first = |ranks: &str| f64::from(u8::from(ranks.split(',').any(|rank| rank == "1")));
        table.row([
            name.to_owned(),
            format!("{:.3}", mean(gain)),
            format!("{:.0}%", 100.0 * mean(is_first)),
            by_repo.values().map(Vec::len).sum::<usize>().to_string(),
        ]);
    };
    let head = |what| Table::new([what, "NDCG@10", "a target is first", "queries"]);
    let values = |at: usize| queries.iter().map(|query| query[at]).collect::<BTreeSet<_>>();
    let mut all = head("queries for");
    for category in values(1) {
        row(&mut all, category, &|query| query[1] == category);
    }
    row(&mut all, "all", &|_| true);
    let mut each = head("repository");
    for repo in values(0) {
        row(&mut each, repo, &|query| query[0] == repo);
    }
    format!("{all}\n{each}")
}

fn gain(ranks: &str) -> f64 {
    let ranks: Vec<Option<usize>> = ranks.split(',').map(|rank| rank.parse().ok()).collect();
    score::ndcg(&ranks)
}

#[cfg(test)]
mod tests {
    use super::golden_figures;

    #[test]
    fn figures_are_means_over_repositories() {
        let golden = "repository\tcategory\tquery\tranks\na\tsymbol\tq1\t1\na\tsymbol\tq2\t-\nb\tsemantic\tq3\t3\n";
        let expected = "\
| queries for | NDCG@10 | a target is first | queries |
| ----------- | ------- | ----------------- | ------- |
| semantic    | 0.500   | 0%                | 1       |
| symbol      | 0.500   | 50%               | 2       |
| all         | 0.500   | 25%               | 3       |

| repository | NDCG@10 | a target is first | queries |
| ---------- | ------- | ----------------- | ------- |
| a          | 0.500   | 50%               | 2       |
| b          | 0.500   | 0%                | 1       |
";
        assert_eq!(golden_figures(golden), expected);
    }
}
