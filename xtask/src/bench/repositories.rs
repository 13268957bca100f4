//! Real repositories, with all that they have beside code: data, translations, minified scripts, vendored packages.

use std::{path::PathBuf, sync::atomic::AtomicBool};

use anyhow::{Context, Result};
use measure::{Corpus, Table};

use super::{
    Bench,
    growth::{EDIT, FILES, Figures, NEXT_TO_FLOOR, of_size, show},
    say,
};

/// Files of one repository that are measured with.
const MOST_FILES: usize = 1_000_000;

/// The whole index next to reading all files and parsing those that have a grammar.
const MOST_OF_FLOOR: f64 = 1.7;

/// How long an edit may take until it is found, in milliseconds, in a repository of up to so many files.
const MOST_FOR_EDIT: &[(f64, f64)] = &[(7_000.0, 50.0), (27_000.0, 100.0), (f64::INFINITY, 200.0)];

/// A column for each repository, and what misses its target.
pub fn measure(bench: &Bench<'_>, repositories: &[PathBuf]) -> Result<(String, Vec<String>)> {
    let mut columns: Vec<(String, Figures)> = Vec::new();
    for dir in repositories {
        let dir = dir
            .canonicalize()
            .with_context(|| format!("--repository {}", dir.display()))?;
        let name = dir.file_name().unwrap_or_default().to_string_lossy().into_owned();
        say(&format!("the repository {name}"));
        // Gone before the next one: copies and indexes of large repositories would fill the disk.
        let scratch = tempfile::tempdir_in(bench.scratch)?;
        let copy = scratch.path().join("corpus");
        let copied = Corpus::of_repository(&dir, MOST_FILES, &copy, &AtomicBool::new(false))?;
        columns.push((name, of_size(bench, &copied.corpus, scratch.path().join("home"))?));
    }
    let heads = [""].into_iter().chain(columns.iter().map(|(name, _)| name.as_str()));
    let mut table = Table::new(heads);
    let first = columns.first().map(|(_, figures)| figures.as_slice());
    for (what, unit, _) in first.unwrap_or_default() {
        let cells = columns.iter().map(|(_, figures)| {
            let figure = figures.iter().find(|(name, ..)| name == what);
            figure.map_or_else(String::new, |(.., figure)| show(*figure, unit))
        });
        table.row([what.clone()].into_iter().chain(cells));
    }
    let failed = columns.iter().flat_map(|(name, figures)| missed(name, figures));
    Ok((table.to_string(), failed.collect()))
}

fn missed(name: &str, figures: &Figures) -> Vec<String> {
    let figure = |what: &str| figures.iter().find(|(name, ..)| name == what).map(|one| one.2);
    let n_files = figure(FILES).unwrap_or_default();
    let edit = MOST_FOR_EDIT.iter().find(|(files, _)| n_files <= *files);
    let targets = [
        (NEXT_TO_FLOOR, MOST_OF_FLOOR),
        (EDIT, edit.map_or(f64::INFINITY, |edit| edit.1)),
    ];
    let missed = targets.into_iter().filter_map(|(what, most)| {
        let figure = figure(what).filter(|figure| *figure > most)?;
        Some(format!("{name}: {what} is {figure:.2}, at most {most}"))
    });
    missed.collect()
}
