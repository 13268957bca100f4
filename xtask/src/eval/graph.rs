//! The truth of the graph as a section of the benchmarks: asked by place and by name, and next to grep.

use std::{collections::BTreeMap, path::Path};

use anyhow::{Context, Result};
use measure::{Pattern, Table, grep};
use serde_json::{Value, json};

use super::{EXACT, Options, Truth, asked, below_target, product, scored, sources};

const RELATIONS: &[&str] = &["definition", "references", "callers", "implementations"];

/// The tables, and what misses its target when asked by place.
pub fn section(truth: &Path, binary: &Path) -> Result<(String, Vec<String>)> {
    let mut options = Options {
        truth: truth.to_owned(),
        binary: Some(binary.to_owned()),
        by_name: false,
        n_misses: 0,
        layers: false,
    };
    let set = Truth::read(truth)?;
    let (portolan, scratch) = product(Some(binary))?;
    portolan.configure(EXACT)?;
    let mut of = |by_name: bool| -> Result<Value> {
        options.by_name = by_name;
        let (results, _) = asked(&options, &set, &portolan, scratch.path(), "home")?;
        scored(&options, &set.queries, &results, scratch.path())
    };
    let (by_place, by_name) = (of(false)?, of(true)?);
    let by_grep = scored(
        &options,
        &set.queries,
        &grepped(&set, truth, scratch.path())?,
        scratch.path(),
    )?;
    let f1 = |scores: &Value, key: &str| match scores[key]["f1"].as_f64() {
        Some(f1) if scores[key]["truth"] != 0 => format!("{f1:.3}"),
        _ => String::new(),
    };
    let mut all = Table::new(["F1 of all languages", "asked by place", "by qualified name", "grep -w"]);
    for relation in RELATIONS {
        let key = format!("ALL/all/{relation}");
        // Of grep's lines nobody has said which are what.
        let by_grep = if *relation == "references" {
            f1(&by_grep, &key)
        } else {
            String::new()
        };
        all.row([(*relation).to_owned(), f1(&by_place, &key), f1(&by_name, &key), by_grep]);
    }
    let mut each = Table::new(["F1 of references", "asked by place", "by qualified name", "grep -w"]);
    for key in by_place.as_object().context("no scores")?.keys() {
        let Some(value) = key.strip_suffix("/references") else {
            continue;
        };
        let Some((by, value)) = value.split_once('/').filter(|(by, _)| *by != "ALL") else {
            continue;
        };
        let figures = [&by_place, &by_name, &by_grep].map(|scores| f1(scores, key));
        if figures.iter().any(|figure| !figure.is_empty()) {
            let [by_place, by_name, by_grep] = figures;
            each.row([format!("{by} {}", value.replace('_', " ")), by_place, by_name, by_grep]);
        }
    }
    let n_repositories = set.by_repo()?.len();
    let text = format!(
        "{} symbols of {n_repositories} repositories.\n\n{all}\n{each}",
        set.queries.len()
    );
    Ok((text, below_target(&by_place)))
}

/// Every line with the name, in the files that the truth is about.
fn grepped(set: &Truth, truth: &Path, scratch: &Path) -> Result<Vec<Value>> {
    let mut results = Vec::new();
    for (repo, queries) in set.by_repo()? {
        let known = &set.manifest[repo]["files"];
        let root = sources::of(repo, &set.manifest[repo], truth, scratch)?;
        let mut by_name = BTreeMap::new();
        for query in queries {
            let name = query["symbol"].as_str().context("a question without a symbol")?;
            if !by_name.contains_key(name) {
                by_name.insert(name, grep(&root, Pattern::Word(name))?.1);
            }
            let lines = by_name[name].iter().filter(|line| !known[&line.path].is_null());
            let lines: Vec<Value> = lines
                .map(|line| json!({ "path": line.path, "line": line.number }))
                .collect();
            results.push(json!({ "repo": query["repo"], "id": query["id"], "references": lines }));
        }
    }
    Ok(results)
}
