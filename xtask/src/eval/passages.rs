//! Takes the documentation out of copies of repositories and asks for functions by what it says of them: whether their file
//! is found, and whether it is their lines that are shown.

use std::{collections::BTreeMap, fs};

use anyhow::{Result, bail};
use measure::Server;
use serde_json::{Value, json};
use source::is_test_path;
use syntax::{ChunkOptions, FileFacts, Symbol, detect, file_facts};

use super::Sampled;

/// Shorter functions are shown with others, whatever is chosen.
const MIN_LINES: u32 = 6;
/// Words of a sentence that says something, and that somebody would type.
const WORDS: std::ops::RangeInclusive<usize> = 5..=22;
/// Of one file, so that a long one does not stand for all.
const MOST_OF_FILE: usize = 5;
/// How many files are asked for.
const DEPTH: usize = 10;

/// What a function is said to do, and where it is.
struct Sample {
    sentence: String,
    path: String,
    name: String,
    lines: (u32, u32),
}

#[derive(Default)]
struct Tally {
    asked: usize,
    /// Its file comes first, or among all.
    first: usize,
    found: usize,
    /// The lines that are shown of its file are the function's, or those of a place that is named beside them.
    shown: usize,
    named: usize,
    /// Places that are shown or named.
    places: usize,
}

impl Tally {
    fn add(&mut self, other: &Tally) {
        self.asked += other.asked;
        self.first += other.first;
        self.found += other.found;
        self.shown += other.shown;
        self.named += other.named;
        self.places += other.places;
    }

    fn row(&self, name: &str) -> String {
        let share = |n: usize, of: usize| n as f64 / of.max(1) as f64;
        format!(
            "| {name} | {} | {:.3} | {:.3} | {:.3} | {:.3} | {:.1} |",
            self.asked,
            share(self.first, self.asked),
            share(self.found, self.asked),
            share(self.shown, self.found),
            share(self.named, self.found),
            share(self.places, self.found)
        )
    }
}

pub fn run(options: &Sampled) -> Result<()> {
    let (portolan, scratch) = super::product(options.binary.as_deref())?;
    println!(
        "| repository | sentences | file first | file in {DEPTH} | of those: lines shown | or named | places of a file |"
    );
    println!("|---|---|---|---|---|---|---|");
    let mut all = Tally::default();
    for repository in &options.repositories {
        let name = repository.file_name().unwrap_or_default().to_string_lossy();
        let root = scratch.path().join("repositories").join(&*name);
        let mut samples = Vec::new();
        for (path, bytes) in super::contents(repository)? {
            let (bytes, found) = without_documentation(&path, bytes);
            samples.extend(found);
            let target = root.join(&path);
            fs::create_dir_all(target.parent().unwrap_or(&root))?;
            fs::write(target, bytes)?;
        }
        let mut server = portolan.serve(&scratch.path().join("home"), &root, "all")?;
        server.initialize()?;
        server.complete()?;
        let mut tally = Tally::default();
        for sample in chosen(samples, options.count) {
            ask(&mut server, &sample, options.show, &mut tally)?;
        }
        println!("{}", tally.row(&name));
        all.add(&tally);
    }
    if all.asked == 0 {
        bail!("no function of these repositories is documented by a sentence");
    }
    println!("{}", all.row("all"));
    Ok(())
}

/// The file with its lines and nothing that documents a definition, and what was said of functions.
fn without_documentation(path: &str, bytes: Vec<u8>) -> (Vec<u8>, Vec<Sample>) {
    let lang = detect(path.rsplit('/').next().unwrap_or(path), &bytes);
    let Ok(text) = std::str::from_utf8(&bytes) else {
        return (bytes, Vec::new());
    };
    if !lang.has_symbols() || lang.is_prose() || lang.is_data() {
        return (bytes, Vec::new());
    }
    let facts = file_facts(lang, text, ChunkOptions { size: 512, overlap: 64 });
    let documented = facts.symbols.iter().filter(|symbol| symbol.kind.is_function());
    let samples = match is_test_path(path) {
        true => Vec::new(),
        false => documented
            .filter_map(|symbol| sample(path, &facts, symbol, text))
            .collect(),
    };
    let mut is_documentation = vec![false; text.len()];
    for doc in facts.symbols.iter().filter_map(|symbol| symbol.doc) {
        is_documentation[doc.range()].fill(true);
    }
    let kept = bytes.iter().zip(is_documentation);
    let kept = kept
        .filter(|(byte, is_gone)| !is_gone || **byte == b'\n')
        .map(|(byte, _)| *byte);
    (kept.collect(), samples)
}

fn sample(path: &str, facts: &FileFacts, symbol: &Symbol, text: &str) -> Option<Sample> {
    let doc = facts.doc(symbol, text)?;
    let paragraph = doc.trim().split("\n\n").next()?.replace('\n', " ");
    let end = paragraph.find(". ").unwrap_or(paragraph.len());
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '\'' | '(' | ')' | ',' | '/' | ' ');
    let plain: String = paragraph[..end]
        .chars()
        .map(|c| if is_word(c) { c } else { ' ' })
        .collect();
    let name = facts.name(symbol);
    let words: Vec<&str> = plain.split_whitespace().filter(|word| *word != name).collect();
    let (first, last) = (symbol.span.start, symbol.span.end.saturating_sub(1));
    let lines = (facts.lines.line(first), facts.lines.line(last));
    let code = lines.1 - lines.0 + 1
        - symbol
            .doc
            .map_or(0, |doc| lines_inside(facts, doc.start, doc.end, lines));
    (WORDS.contains(&words.len()) && !paragraph.starts_with('@') && code >= MIN_LINES).then(|| Sample {
        sentence: words.join(" "),
        path: path.to_owned(),
        name: name.to_owned(),
        lines,
    })
}

/// How many of some lines a text covers.
fn lines_inside(facts: &FileFacts, start: u32, end: u32, lines: (u32, u32)) -> u32 {
    let first = facts.lines.line(start).max(lines.0);
    let last = facts.lines.line(end.saturating_sub(1)).min(lines.1);
    (last + 1).saturating_sub(first)
}

/// Some of them, in an order that says nothing, each sentence once.
fn chosen(samples: Vec<Sample>, count: usize) -> Vec<Sample> {
    let order = |sample: &Sample| {
        let (path, name) = (&sample.path, &sample.name);
        *blake3::hash(format!("{path}\0{name}\0{}", sample.lines.0).as_bytes()).as_bytes()
    };
    let mut times: BTreeMap<String, usize> = BTreeMap::new();
    for sample in &samples {
        *times.entry(sample.sentence.clone()).or_default() += 1;
    }
    let mut samples: Vec<Sample> = samples.into_iter().filter(|one| times[&one.sentence] == 1).collect();
    samples.sort_by_key(order);
    let mut of_file: BTreeMap<String, usize> = BTreeMap::new();
    samples.retain(|sample| {
        let n = of_file.entry(sample.path.clone()).or_default();
        *n += 1;
        *n <= MOST_OF_FILE
    });
    samples.truncate(count);
    samples
}

fn ask(server: &mut Server, sample: &Sample, show: bool, tally: &mut Tally) -> Result<()> {
    let asked = json!({ "query": sample.sentence, "k": DEPTH, "max_tokens": 20_000 });
    let (_, answer) = server.call("search_code", &asked)?;
    let rows = answer["results"].as_array().cloned().unwrap_or_default();
    tally.asked += 1;
    let is_its = |row: &Value| row["path"] == *sample.path;
    tally.first += usize::from(rows.first().is_some_and(is_its));
    let Some(row) = rows.iter().find(|row| is_its(row)) else {
        return Ok(());
    };
    tally.found += 1;
    let number = |value: &Value| value.as_u64().unwrap_or_default() as u32;
    let overlaps = |(first, last): (u32, u32)| first <= sample.lines.1 && sample.lines.0 <= last;
    let shown = (number(&row["start_line"]), number(&row["end_line"]));
    let also = row["also"].as_array().into_iter().flatten();
    let also: Vec<(u32, u32)> = also.map(|lines| (number(&lines[0]), number(&lines[1]))).collect();
    tally.shown += usize::from(overlaps(shown));
    tally.named += usize::from(overlaps(shown) || also.iter().copied().any(overlaps));
    tally.places += 1 + also.len();
    if show && !overlaps(shown) {
        let (first, last) = sample.lines;
        eprintln!(
            "{}: {} {}:{first}-{last}, shown {shown:?}",
            sample.sentence, sample.name, sample.path
        );
    }
    Ok(())
}
