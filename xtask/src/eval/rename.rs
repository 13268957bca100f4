//! Renames symbols of real repositories and renames them back: every byte must be as it was.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use anyhow::{Result, bail};
use measure::{Server, median, ms};
use serde_json::{Value, json};
use syntax::{ChunkOptions, SymbolKind, detect, file_facts, homes};

use super::Sampled;

pub struct Options {
    pub sampled: Sampled,
    /// Parameters and local variables rather than definitions.
    pub locals: bool,
}

/// A symbol by its place.
struct Sample {
    path: String,
    name: String,
    line: u32,
    column: u32,
}

#[derive(Default)]
struct Tally {
    applied: usize,
    refused: usize,
    sites: u64,
    unresolved: u64,
    left: u64,
    /// Files that no compiler would read any more.
    unreadable: usize,
    /// Symbols that did not come back to every byte.
    differing: usize,
    times: Vec<Duration>,
}

pub fn run(options: &Options) -> Result<()> {
    let (portolan, scratch) = super::product(options.sampled.binary.as_deref())?;
    println!(
        "| repository | renamed and back | refused | sites | unresolved | left | unreadable | not as before | median ms |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    let mut failed = Vec::new();
    for repository in &options.sampled.repositories {
        let name = repository
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let root = scratch.path().join("repositories").join(&name);
        copy(repository, &root)?;
        let before = super::contents(&root)?;
        let mut server = portolan.serve(&scratch.path().join("home"), &root, "all")?;
        server.initialize()?;
        server.complete()?;
        let mut tally = Tally::default();
        for sample in samples(&before, options.sampled.count, options.locals) {
            if let Err(error) = there_and_back(&mut server, &root, &before, &sample, options.sampled.show, &mut tally) {
                bail!("{name} {}:{} {}: {error:#}", sample.path, sample.line, sample.name);
            }
        }
        println!(
            "| {name} | {} | {} | {} | {} | {} | {} | {} | {:.0} |",
            tally.applied,
            tally.refused,
            tally.sites,
            tally.unresolved,
            tally.left,
            tally.unreadable,
            tally.differing,
            ms(median(&tally.times))
        );
        if tally.differing + tally.unreadable > 0 || tally.unresolved > 0 {
            failed.push(name);
        }
    }
    if !failed.is_empty() {
        bail!("not as it should be: {}", failed.join(", "));
    }
    Ok(())
}

fn there_and_back(
    server: &mut Server,
    root: &Path,
    before: &BTreeMap<String, Vec<u8>>,
    sample: &Sample,
    show: bool,
    tally: &mut Tally,
) -> Result<()> {
    let new = format!("{}Renamed", sample.name);
    let asked = json!({
        "file": sample.path, "line": sample.line, "column": sample.column,
        "old_name": sample.name, "new_name": new, "dry_run": false, "max_tokens": 20000,
    });
    let (elapsed, result) = rename(server, &asked)?;
    let answer = &result["structuredContent"];
    if answer["applied"] != true {
        tally.refused += 1;
        if show {
            let text = result["content"][0]["text"].as_str().unwrap_or_default();
            eprintln!("{}:{} {}: {text}\n", sample.path, sample.line, sample.name);
        }
        return Ok(());
    }
    tally.applied += 1;
    tally.times.push(elapsed);
    tally.sites += answer["sites"].as_u64().unwrap_or_default();
    tally.left += answer["left_total"].as_u64().unwrap_or_default();
    let (known, resolved) = (answer["check"]["sites"].as_u64(), answer["check"]["resolved"].as_u64());
    let lost = known.unwrap_or_default() - resolved.unwrap_or_default();
    tally.unresolved += lost;
    if show && lost > 0 {
        eprintln!("{} -> {new}: unresolved {}", sample.name, answer["check"]["unresolved"]);
    }
    let after = super::contents(root)?;
    let changed: Vec<&String> = after.keys().filter(|path| after[*path] != before[*path]).collect();
    tally.unreadable += unreadable(root, &changed)?;
    let column = sample_column(before, &after, sample);
    let back = json!({
        "file": sample.path, "line": sample.line, "column": column,
        "old_name": new, "new_name": sample.name, "dry_run": false, "max_tokens": 20000,
    });
    let (_, result) = rename(server, &back)?;
    let now = super::contents(root)?;
    if now != *before {
        tally.differing += 1;
        if show {
            let text = result["content"][0]["text"].as_str().unwrap_or_default();
            let paths: Vec<&String> = now.keys().filter(|path| now[*path] != before[*path]).collect();
            eprintln!(
                "{}:{} {} did not come back: {paths:?}\n{text}\n",
                sample.path, sample.line, sample.name
            );
        }
        for (path, bytes) in before.iter().filter(|(path, bytes)| now.get(*path) != Some(*bytes)) {
            fs::write(root.join(path), bytes)?;
        }
    }
    Ok(())
}

/// Where the name begins once it is renamed: an earlier one in its line may have grown.
fn sample_column(before: &BTreeMap<String, Vec<u8>>, after: &BTreeMap<String, Vec<u8>>, sample: &Sample) -> u32 {
    let line = |files: &BTreeMap<String, Vec<u8>>| {
        let text = String::from_utf8_lossy(&files[&sample.path]).into_owned();
        text.lines()
            .nth(sample.line as usize - 1)
            .unwrap_or_default()
            .to_owned()
    };
    let (old, new) = (line(before), line(after));
    let start: String = old.chars().take(sample.column as usize - 1).collect();
    let earlier = start.matches(&sample.name).count();
    let renamed = format!("{}Renamed", sample.name);
    let mut places = new.match_indices(&renamed);
    let found = places.find(|(at, _)| new[..*at].matches(&sample.name).count() >= earlier);
    found.map_or(sample.column, |(at, _)| new[..at].chars().count() as u32 + 1)
}

/// A call that may fail.
fn rename(server: &mut Server, arguments: &Value) -> Result<(Duration, Value)> {
    server.request("tools/call", json!({ "name": "rename_symbol", "arguments": arguments }))
}

/// Definitions of all kinds or local names, spread over the files in an order that says nothing.
fn samples(files: &BTreeMap<String, Vec<u8>>, count: usize, locals: bool) -> Vec<Sample> {
    let mut all = Vec::new();
    for (path, bytes) in files {
        let lang = detect(path.rsplit('/').next().unwrap_or(path), bytes);
        let Ok(text) = std::str::from_utf8(bytes) else { continue };
        let facts = file_facts(lang, text, ChunkOptions { size: 512, overlap: 64 });
        let is_code = |kind: SymbolKind| {
            kind.is_function()
                || kind.is_type()
                || matches!(
                    kind,
                    SymbolKind::Field | SymbolKind::Property | SymbolKind::Constant | SymbolKind::Variable
                )
        };
        let names: Vec<(&str, u32)> = if locals {
            let declared = facts.bindings.iter().zip(homes(lang, text));
            let declared = declared.filter(|(_, home)| home.is_declared && home.frame.is_some());
            declared
                .map(|(binding, _)| (facts.names.get(binding.name), binding.at))
                .collect()
        } else {
            let symbols = facts.symbols.iter().filter(|symbol| is_code(symbol.kind));
            symbols.map(|symbol| (facts.name(symbol), symbol.name_at)).collect()
        };
        for (name, at) in names {
            let is_plain = name.len() > 2 && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            if !is_plain || lang.is_data() || !text[at as usize..].starts_with(name) {
                continue;
            }
            let line = facts.lines.line(at);
            let start = facts.lines.span(line).start as usize;
            let column = text[start..at as usize].chars().count() as u32 + 1;
            let order = blake3::hash(format!("{path}\0{name}\0{line}").as_bytes());
            all.push((*order.as_bytes(), path, name.to_owned(), line, column));
        }
    }
    all.sort();
    let chosen = all.into_iter().take(count);
    chosen
        .map(|(_, path, name, line, column)| Sample {
            path: path.clone(),
            name,
            line,
            column,
        })
        .collect()
}

/// How many of some files their own language does not read; only where that is quickly asked.
fn unreadable(root: &Path, changed: &[&String]) -> Result<usize> {
    let python: Vec<PathBuf> = changed
        .iter()
        .filter(|path| path.ends_with(".py"))
        .map(|path| root.join(path))
        .collect();
    if python.is_empty() {
        return Ok(0);
    }
    let script = "import ast, sys\nbad = 0\nfor path in sys.argv[1:]:\n    try: ast.parse(open(path, 'rb').read())\n    except SyntaxError: bad += 1\nprint(bad)";
    let output = Command::new("python3").arg("-c").arg(script).args(&python).output()?;
    Ok(String::from_utf8_lossy(&output.stdout)
        .trim()
        .parse()
        .unwrap_or(python.len()))
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    for (path, bytes) in super::contents(from)? {
        let target = to.join(&path);
        fs::create_dir_all(target.parent().unwrap_or(to))?;
        fs::write(target, bytes)?;
    }
    Ok(())
}
