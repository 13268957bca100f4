//! Two layers that answer the same questions: by the rules of the language, and by its analysis. Where they differ one of
//! them is wrong, mostly the first.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use anyhow::{Result, bail};
use measure::Portolan;
use serde_json::Value;

use super::{EXACT, Options, Truth, asked, print_times, scored};

/// What the exact layer must reach: relation and least F1. One of the 65 definitions in the open truth set is that of a function
/// where a local variable is meant (`strip_ansi` in bat's printer), which nobody can have right.
const TARGETS: &[(&str, f64)] = &[
    ("references", 0.98),
    ("callers", 0.98),
    ("implementations", 0.98),
    ("definition", 0.98),
];

const FIELDS: &[&str] = &["definition", "references", "callers", "implementations"];

pub fn compare(options: &Options, mut truth: Truth, portolan: &Portolan, scratch: &Path) -> Result<()> {
    truth.queries.retain(|query| query["language"] == "rust");
    let mut layers = Vec::new();
    for (name, settings) in [("resolved", "[rust]\nenabled = false\n"), ("exact", EXACT)] {
        portolan.configure(settings)?;
        let (results, times) = asked(options, &truth, portolan, scratch, name)?;
        println!("\n{name} layer");
        let scores = scored(options, &truth.queries, &results, scratch)?;
        println!("time of an answer, median and 95 of 100, in ms:");
        print_times(times);
        layers.push((results, scores));
    }
    let [(resolved, _), (exact, scores)] = layers.as_slice() else {
        bail!("there are two layers");
    };
    differences(&truth.queries, resolved, exact);
    let f1 = |relation: &str| scores[format!("ALL/all/{relation}")]["f1"].as_f64().unwrap_or(0.0);
    let missed = TARGETS.iter().filter(|(relation, least)| f1(relation) < *least);
    let missed: Vec<String> = missed
        .map(|(relation, least)| format!("{relation} {:.3}, wanted {least:.2}", f1(relation)))
        .collect();
    if !missed.is_empty() {
        bail!("missed: {}", missed.join("; "));
    }
    Ok(())
}

/// Prints the rows that only one of the layers has, by question, with whether the truth has them.
fn differences(queries: &[Value], resolved: &[Value], exact: &[Value]) {
    let by_id = |results: &[Value]| -> BTreeMap<String, Value> {
        results.iter().map(|one| (one["id"].to_string(), one.clone())).collect()
    };
    let (resolved, exact) = (by_id(resolved), by_id(exact));
    println!(
        "\nwhere the layers differ (+ only the exact one has it, - only the resolved one; ! the truth says otherwise)"
    );
    for query in queries {
        let id = query["id"].to_string();
        let (Some(one), Some(other)) = (resolved.get(&id), exact.get(&id)) else {
            continue;
        };
        for field in FIELDS {
            let (before, after, truth) = (places(&one[field]), places(&other[field]), places(&query[field]));
            let only = |mark: char, these: &BTreeSet<String>, those: &BTreeSet<String>| {
                for place in these.difference(those) {
                    let is_right = truth.contains(place) == (mark == '+');
                    let odd = if is_right || *field == "definition" { ' ' } else { '!' };
                    println!("  {mark}{odd} {field} of {} {place}", query["qualified_name"]);
                }
            };
            only('-', &before, &after);
            only('+', &after, &before);
        }
    }
}

fn places(rows: &Value) -> BTreeSet<String> {
    let rows = rows.as_array().into_iter().flatten();
    rows.map(|row| format!("{}:{}", row["path"].as_str().unwrap_or_default(), row["line"]))
        .collect()
}
