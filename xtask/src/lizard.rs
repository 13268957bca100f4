//! `cargo xtask lizard DIR`: the complexity of functions as lizard and as `syntax` count it.
//!
//! The two do not mean quite the same: lizard counts tokens, `syntax` nodes. What matters is that most functions agree,
//! and that those that do not can be explained.

use std::{collections::BTreeMap, fs, path::Path, process::Command};

use anyhow::{Context, Result, bail};

use crate::parsed::{Definition, Options, Parsed, bare, parse_dir, share};

/// A function that lizard measured.
#[derive(Debug, PartialEq, Eq)]
struct Measured {
    path: String,
    name: String,
    line: u32,
    cyclomatic: u32,
    cognitive: u32,
}

struct Difference {
    place: String,
    theirs: u32,
    ours: u32,
}

#[derive(Default)]
struct Comparison {
    /// Functions that only lizard knows.
    only_theirs: Vec<String>,
    /// One for each function that both know.
    differences: Vec<Difference>,
}

pub fn run(options: &Options, cognitive: bool) -> Result<()> {
    let parsed = parse_dir(&options.dir, options.lang)?;
    let measured = measure(&options.dir, &parsed)?;
    let mut by_lang: BTreeMap<&str, Comparison> = BTreeMap::new();
    let files: BTreeMap<&str, &Parsed> = parsed.iter().map(|file| (file.path.as_str(), file)).collect();
    for function in &measured {
        let Some(file) = files.get(function.path.as_str()) else {
            continue;
        };
        let comparison = by_lang.entry(file.lang.name).or_default();
        let place = format!("{}:{} {}", function.path, function.line, function.name);
        let Some(own) = own(file, function) else {
            comparison.only_theirs.push(place);
            continue;
        };
        let (theirs, ours) = if cognitive {
            (function.cognitive, own.cognitive)
        } else {
            (function.cyclomatic, own.cyclomatic)
        };
        comparison.differences.push(Difference { place, theirs, ours });
    }
    if by_lang.is_empty() {
        bail!("{}: no function that both know", options.dir.display());
    }
    for (lang, comparison) in &mut by_lang {
        comparison
            .differences
            .sort_by_key(|one| std::cmp::Reverse(one.theirs.abs_diff(one.ours)));
        let worst = comparison.differences.iter().filter(|one| one.theirs != one.ours);
        let worst: Vec<_> = worst.take(options.n_shown).collect();
        if !worst.is_empty() {
            println!("## {lang}, the greatest differences\n\nlizard  ours");
            for one in worst {
                println!("{:6} {:5}  {}", one.theirs, one.ours, one.place);
            }
            println!();
        }
        let only_theirs = &comparison.only_theirs;
        if !only_theirs.is_empty() && options.n_shown > 0 {
            println!("## {lang}, only lizard knows ({})\n", only_theirs.len());
            for place in only_theirs.iter().take(options.n_shown) {
                println!("    {place}");
            }
            println!();
        }
    }
    println!(
        "## All\n\n| language | lizard | both | equal | within 1 | ours higher | ours lower | mean lizard | mean ours |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|--:|--:|");
    for (lang, comparison) in &by_lang {
        println!("{}", comparison.row(lang));
    }
    Ok(())
}

impl Comparison {
    fn row(&self, lang: &str) -> String {
        let both = self.differences.len();
        let count = |test: fn(&Difference) -> bool| self.differences.iter().filter(|one| test(one)).count();
        let mean = |of: fn(&Difference) -> u32| {
            let sum: u64 = self.differences.iter().map(|one| u64::from(of(one))).sum();
            sum as f64 / both.max(1) as f64
        };
        format!(
            "| {lang} | {} | {both} | {} | {} | {} | {} | {:.2} | {:.2} |",
            both + self.only_theirs.len(),
            share(count(|one| one.theirs == one.ours), both),
            share(count(|one| one.theirs.abs_diff(one.ours) <= 1), both),
            count(|one| one.ours > one.theirs),
            count(|one| one.ours < one.theirs),
            mean(|one| one.theirs),
            mean(|one| one.ours),
        )
    }
}

/// Our function of that name nearest to where lizard saw it. Lizard starts at the return type, the name or a decorator.
fn own<'p>(file: &'p Parsed, function: &Measured) -> Option<&'p Definition> {
    let name = bare(&function.name);
    let distance = |one: &Definition| {
        let to_name = one.line.abs_diff(function.line);
        to_name.min(one.first_line.abs_diff(function.line))
    };
    let functions = file
        .definitions
        .iter()
        .filter(|one| one.kind.is_function() && bare(&one.name) == name);
    functions
        .filter(|one| distance(one) <= 1)
        .min_by_key(|one| distance(one))
}

/// Lizard gives up altogether at a file that it fails to parse, so it gets few at a time, and those again one by one.
fn measure(dir: &Path, files: &[Parsed]) -> Result<Vec<Measured>> {
    const AT_ONCE: usize = 100;
    let mut all = Vec::new();
    for files in files.chunks(AT_ONCE) {
        if let Some(measured) = lizard(dir, files)? {
            all.extend(measured);
            continue;
        }
        for file in files {
            match lizard(dir, std::slice::from_ref(file))? {
                Some(measured) => all.extend(measured),
                None => println!("lizard fails at {}\n", file.path),
            }
        }
    }
    Ok(all)
}

/// `None` if lizard fails.
fn lizard(dir: &Path, files: &[Parsed]) -> Result<Option<Vec<Measured>>> {
    let list = tempfile::NamedTempFile::new()?;
    let paths: String = files.iter().map(|file| format!("{}\n", file.path)).collect();
    fs::write(list.path(), paths)?;
    let output = Command::new("lizard")
        .current_dir(dir)
        .args(["--csv", "-Ecognitive", "-f"])
        .arg(list.path())
        .output()
        .context("cannot run lizard; install it with `pip install lizard`")?;
    // Its exit status only says whether something is too complex for its taste.
    if String::from_utf8_lossy(&output.stderr).contains("Traceback") {
        return Ok(None);
    }
    let rows = String::from_utf8_lossy(&output.stdout);
    Ok(Some(rows.lines().filter_map(measured).collect()))
}

/// One row of lizard's table about a function with a name: lines, cyclomatic, tokens, parameters, length, "where", "path", "name", "signature",
/// first line, last line, cognitive. A signature may contain anything, so what follows it is read from the end.
fn measured(row: &str) -> Option<Measured> {
    let (numbers, texts) = row.split_once(",\"")?;
    let mut texts = texts.split("\",\"");
    let (_, path, name) = (texts.next()?, texts.next()?, texts.next()?);
    let behind: Vec<&str> = row.rsplit(',').take(3).collect();
    let [cognitive, _, line] = behind[..] else { return None };
    let is_named = !name.starts_with("(anonymous") && !name.starts_with("anonymous__");
    is_named.then_some(())?;
    Some(Measured {
        path: path.trim_start_matches("./").to_owned(),
        name: name.to_owned(),
        line: line.parse().ok()?,
        cyclomatic: numbers.split(',').nth(1)?.parse().ok()?,
        cognitive: cognitive.trim().parse().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_read_from_both_ends() {
        let row = r#"4,2,7,1,5,"a::b@3-7@a.cpp","a.cpp","a::b","a::b( char c = '"', int d)",3,7,1"#;
        let expected = Measured {
            path: "a.cpp".into(),
            name: "a::b".into(),
            line: 3,
            cyclomatic: 2,
            cognitive: 1,
        };
        assert_eq!(measured(row), Some(expected));
    }
}
