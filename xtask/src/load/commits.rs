//! A long life: one repository whose files change many times, each time a commit. Is the index as small as a fresh one
//! afterwards?

use std::{collections::BTreeMap, fs, path::Path};

use anyhow::{Result, bail};
use serde_json::json;

use super::{mb, show_times, text_files};
use measure::{Portolan, Server, size_of};

use crate::bench::sample::XorShift;

/// How much larger than a fresh index the one of so many commits may be.
const MOST_GROWTH: f64 = 1.3;
/// Files that one commit changes, at most.
const MOST_FILES: usize = 5;
/// One in so many changes deletes a file, or brings one back.
const DELETED: usize = 10;

pub fn run(portolan: &Portolan, scratch: &Path, repository: &Path, n_commits: usize) -> Result<()> {
    let files = text_files(repository)?;
    let root = scratch.join("tree");
    let mut texts: BTreeMap<usize, String> = BTreeMap::new();
    for (number, (path, text)) in files.iter().enumerate() {
        write(&root.join(path), text)?;
        texts.insert(number, text.clone());
    }
    let home = scratch.join("home");
    let mut server = indexed(portolan, &home, &root)?;
    let before = size_of(&home)?;
    let mut dice = XorShift::new(1);
    let mut times = Vec::new();
    for commit in 0..n_commits {
        for _ in 0..=dice.below(MOST_FILES) {
            let number = dice.below(files.len());
            let path = root.join(&files[number].0);
            if dice.below(DELETED) == 0 && texts.remove(&number).is_some() {
                fs::remove_file(&path)?;
                continue;
            }
            let other = &files[dice.below(files.len())].1;
            let text = texts.entry(number).or_insert_with(|| files[number].1.clone());
            change(text, other, commit, &mut dice);
            write(&path, text)?;
        }
        times.push(
            server
                .call("find_symbol", &json!({ "name": "nothing_is_called_this" }))?
                .0,
        );
    }
    show_times("a commit and a question", &times);
    server.finish()?;
    let after = size_of(&home)?;
    let fresh = scratch.join("fresh");
    indexed(portolan, &fresh, &root)?.finish()?;
    let fresh = size_of(&fresh)?;
    let ratio = after as f64 / fresh as f64;
    println!(
        "{} files; the index took {} at first and takes {} after {n_commits} commits, {} if made anew: {ratio:.2} times",
        files.len(),
        mb(before),
        mb(after),
        mb(fresh)
    );
    if ratio > MOST_GROWTH {
        bail!("the index is {ratio:.2} times as large as a fresh one, at most {MOST_GROWTH}");
    }
    Ok(())
}

fn indexed(portolan: &Portolan, home: &Path, root: &Path) -> Result<Server> {
    let mut server = portolan.serve(home, root, "all")?;
    server.initialize()?;
    server.complete()?;
    Ok(server)
}

fn write(path: &Path, text: &str) -> Result<()> {
    if let Some(dir) = path.parent() {
        fs::create_dir_all(dir)?;
    }
    Ok(fs::write(path, text)?)
}

/// Puts some lines of another file in the place of some of this one, and one that no file has.
fn change(text: &mut String, other: &str, commit: usize, dice: &mut XorShift) {
    let other: Vec<&str> = other.lines().collect();
    let mut lines: Vec<&str> = text.lines().collect();
    let at = dice.below(lines.len() + 1);
    let end = (at + dice.below(20)).min(lines.len());
    let from = dice.below(other.len() + 1);
    let until = (from + dice.below(20)).min(other.len());
    let own = format!("changed_by_commit_{commit}");
    lines.splice(at..end, other[from..until].iter().copied().chain([own.as_str()]));
    *text = lines.join("\n") + "\n";
}
