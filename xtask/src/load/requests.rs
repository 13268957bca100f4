//! Many clients, each with a server of its own, ask about one repository while its files change. Every answer is compared
//! with what was on disk when it was given.

use std::{
    collections::BTreeMap,
    path::Path,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use anyhow::{Result, bail};
use serde_json::{Value, json};

use super::{
    MemoryWatch,
    disk::{Disk, Window},
    mb, show_times, text_files,
};
use measure::{Portolan, Server};

use crate::bench::sample::XorShift;

/// Between two changes.
const PAUSE: Duration = Duration::from_millis(100);
/// Larger files are not edited: writing them in place takes more than one step.
const MAX_EDITED_BYTES: usize = 32 * 1024;
/// How many of the last names that were written are asked for.
const RECENT: usize = 40;
const SHOWN: usize = 10;

struct Load {
    disk: Disk,
    files: Vec<(String, String)>,
    /// Names of functions that were written for this, and where.
    markers: Mutex<Vec<(String, String)>>,
    left: AtomicUsize,
    done: AtomicBool,
    wrong: Mutex<Vec<String>>,
}

/// What a client has seen.
#[derive(Default)]
struct Seen {
    times: BTreeMap<&'static str, Vec<Duration>>,
    rows: usize,
    judged: usize,
    partial: usize,
    anonymous: u64,
}

pub fn run(portolan: &Portolan, scratch: &Path, repository: &Path, n_requests: usize, n_clients: usize) -> Result<()> {
    let files = text_files(repository)?;
    let (root, home) = (scratch.join("repo"), scratch.join("home"));
    let load = Load {
        disk: Disk::new(&root, &files)?,
        files,
        markers: Mutex::default(),
        left: AtomicUsize::new(n_requests),
        done: AtomicBool::new(false),
        wrong: Mutex::default(),
    };
    let started = Instant::now();
    let mut first = portolan.serve(&home, &root, "all")?;
    first.initialize()?;
    while first.call("index_status", &json!({}))?.1["state"] != "ready" {
        first.call("index_repository", &json!({ "path": root }))?;
    }
    println!(
        "{} files indexed in {:.1} s",
        load.files.len(),
        started.elapsed().as_secs_f64()
    );
    drop(first);
    let started = Instant::now();
    let (seen, edits) = std::thread::scope(|scope| -> Result<(Vec<Seen>, usize)> {
        let editor = scope.spawn(|| edit(&load));
        let clients: Vec<_> = (0..n_clients)
            .map(|number| {
                let (load, home, root) = (&load, &home, &root);
                scope.spawn(move || client(load, portolan.serve(home, root, "all")?, number as u64))
            })
            .collect();
        let seen: Result<Vec<Seen>> = clients
            .into_iter()
            .map(|client| client.join().expect("no client panics"))
            .collect();
        load.done.store(true, Ordering::Relaxed);
        let edits = editor.join().expect("the editor does not panic")?;
        Ok((seen?, edits))
    })?;
    report(&seen, edits, started.elapsed());
    let wrong = load.wrong.into_inner().unwrap_or_else(PoisonError::into_inner);
    println!("wrong answers: {}", wrong.len());
    if !wrong.is_empty() {
        bail!(
            "wrong: {}",
            wrong.iter().take(SHOWN).cloned().collect::<Vec<_>>().join("\n")
        );
    }
    Ok(())
}

fn report(seen: &[Seen], edits: usize, took: Duration) {
    let mut times: BTreeMap<&str, Vec<Duration>> = BTreeMap::new();
    for (tool, more) in seen.iter().flat_map(|seen| &seen.times) {
        times.entry(tool).or_default().extend(more);
    }
    let all: Vec<Duration> = times.values().flatten().copied().collect();
    for (tool, times) in &times {
        show_times(tool, times);
    }
    show_times("all", &all);
    let sum = |of: fn(&Seen) -> usize| seen.iter().map(of).sum::<usize>();
    println!(
        "{} clients, {edits} edits, {:.0} s, {:.0} requests a second; {} rows compared with the disk, {} answers about a \
         name just written or removed, {} partial answers; at most {} anonymous a server",
        seen.len(),
        took.as_secs_f64(),
        all.len() as f64 / took.as_secs_f64(),
        sum(|seen| seen.rows),
        sum(|seen| seen.judged),
        sum(|seen| seen.partial),
        mb(seen.iter().map(|seen| seen.anonymous).max().unwrap_or(0)),
    );
}

/// How a function without a body is written, by the ending of a file, and what begins a comment.
fn marker_text(path: &str, name: &str) -> Option<(String, &'static str)> {
    Some(match path.rsplit('.').next()? {
        "rs" => (format!("fn {name}() {{}}\n"), "//"),
        "py" => (format!("def {name}(): pass\n"), "#"),
        "js" | "ts" => (format!("function {name}() {{}}\n"), "//"),
        "go" => (format!("func {name}() {{}}\n"), "//"),
        "c" | "h" | "cc" | "cpp" => (format!("void {name}(void) {{}}\n"), "//"),
        _ => return None,
    })
}

/// Changes files until all is asked: lines before everything else, so that all others move, and a function behind it.
fn edit(load: &Load) -> Result<usize> {
    let edited: Vec<&(String, String)> = load
        .files
        .iter()
        .filter(|(path, text)| marker_text(path, "").is_some() && text.len() < MAX_EDITED_BYTES && text.ends_with('\n'))
        .collect();
    if edited.is_empty() {
        bail!("no file of the repository can be edited");
    }
    let mut random = XorShift::new(99);
    let mut made: Vec<String> = Vec::new();
    let mut number = 0;
    while !load.done.load(Ordering::Relaxed) {
        number += 1;
        let (path, text) = edited[random.below(edited.len())];
        let name = format!("zz_marker_{number}");
        let (marker, comment) = marker_text(path, &name).unwrap_or_default();
        let lines = format!("{comment} edit {number}\n").repeat(random.below(4));
        let by_renaming = random.below(2) == 0;
        match random.below(6) {
            0 => load.disk.write(path, Some(text.as_str().into()), by_renaming)?,
            1 if made.len() > 4 => {
                let gone = made.swap_remove(random.below(made.len()));
                load.disk.write(&gone, None, false)?;
            }
            2 => {
                let (dir, ending) = (
                    path.rsplit_once('/').map_or("", |(dir, _)| dir),
                    path.rsplit('.').next(),
                );
                let new = format!("{dir}/zz_new_{number}.{}", ending.unwrap_or_default());
                let new = new.trim_start_matches('/').to_owned();
                load.disk
                    .write(&new, Some(format!("{lines}{marker}").into()), by_renaming)?;
                load.mark(name, &new);
                made.push(new);
            }
            _ => {
                load.disk
                    .write(path, Some(format!("{lines}{text}{marker}").into()), by_renaming)?;
                load.mark(name, path);
            }
        }
        std::thread::sleep(PAUSE);
    }
    Ok(number)
}

impl Load {
    fn mark(&self, name: String, path: &str) {
        let mut markers = self.markers.lock().unwrap_or_else(PoisonError::into_inner);
        markers.push((name, path.to_owned()));
    }

    fn recent_marker(&self, random: &mut XorShift) -> Option<(String, String)> {
        let markers = self.markers.lock().unwrap_or_else(PoisonError::into_inner);
        let recent = &markers[markers.len().saturating_sub(RECENT)..];
        recent.get(random.below(recent.len())).cloned()
    }

    fn wrong(&self, what: String) {
        self.wrong.lock().unwrap_or_else(PoisonError::into_inner).push(what);
    }

    /// A word of some file that looks like a name.
    fn name(&self, random: &mut XorShift) -> String {
        loop {
            let (_, text) = &self.files[random.below(self.files.len())];
            let mut words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
            let named =
                |word: &&str| word.len() > 4 && word.len() < 40 && word.starts_with(|c: char| c.is_ascii_alphabetic());
            let count = words.clone().filter(named).count();
            if count > 0
                && let Some(word) = words.by_ref().filter(named).nth(random.below(count))
            {
                return word.to_owned();
            }
        }
    }

    fn code_file(&self, random: &mut XorShift) -> &str {
        let (path, _) = &self.files[random.below(self.files.len())];
        path
    }
}

fn client(load: &Load, mut server: Server, number: u64) -> Result<Seen> {
    server.initialize()?;
    let memory = MemoryWatch::of(server.pid());
    let mut random = XorShift::new(number + 1);
    let mut seen = Seen::default();
    let take_one = || {
        load.left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1))
    };
    while take_one().is_ok() {
        let marker = load.recent_marker(&mut random).filter(|_| random.below(3) == 0);
        let name = load.name(&mut random);
        let (tool, arguments) = match (&marker, random.below(9)) {
            (Some((name, _)), 0..5) => ("find_symbol", json!({ "name": name })),
            (Some((name, _)), _) => ("search_code", json!({ "query": format!("{name}("), "literal": true })),
            (None, 0) => ("search_code", json!({ "query": name })),
            (None, 1) => (
                "search_code",
                json!({ "query": format!("{name} {}", load.name(&mut random)), "mode": "keyword" }),
            ),
            (None, 2) => ("find_symbol", json!({ "name": name })),
            (None, 3) => ("find_references", json!({ "symbol": name })),
            (None, 4) => ("find_callers", json!({ "symbol": name })),
            (None, 5) => ("grep", json!({ "pattern": format!("\\b{name}\\b") })),
            (None, 6) => (
                "read_file",
                json!({ "path": load.code_file(&mut random), "length": 4000 }),
            ),
            (None, 7) => ("extract_code", json!({ "targets": [name] })),
            (None, _) => ("get_symbols", json!({ "file_path": load.code_file(&mut random) })),
        };
        let from = Instant::now();
        let params = json!({ "name": tool, "arguments": arguments });
        let (took, result) = server.request("tools/call", params)?;
        let window = Window {
            from,
            until: Instant::now(),
        };
        seen.times.entry(tool).or_default().push(took);
        let answer = &result["structuredContent"];
        let asked = format!("{tool} {arguments}");
        seen.partial += usize::from(answer["coverage"]["complete"] == false);
        if let Some(marker) = &marker {
            seen.judged += usize::from(judge(load, marker, answer, window, &asked));
        }
        if result["isError"] == true {
            let text = result["content"][0]["text"].as_str().unwrap_or_default();
            // That a name means nothing, or several things, is an answer.
            if text.contains("unexpectedly") || answer["error"]["code"] == -32603 {
                load.wrong(format!("{asked}: {text}"));
            }
            continue;
        }
        seen.rows += cited(load, &name, answer, window, &asked);
    }
    seen.anonymous = memory.peak();
    Ok(seen)
}

/// Whether a name that was written for this is found if it is there, and not if it is not. False if it came or went
/// meanwhile, so that both would be right.
fn judge(load: &Load, (name, path): &(String, String), answer: &Value, window: Window, asked: &str) -> bool {
    let versions = load.disk.possible(path, window);
    let has =
        |text: &Option<std::sync::Arc<str>>| text.as_deref().is_some_and(|text| text.contains(&format!("{name}(")));
    let rows = ["definitions", "results"]
        .iter()
        .find_map(|key| answer[*key].as_array());
    let found = rows.is_some_and(|rows| {
        rows.iter().any(|row| {
            row["path"] == *path
                && (row["name"] == *name || row["snippet"].as_str().is_some_and(|text| text.contains(name.as_str())))
        })
    });
    let complete = answer["coverage"]["complete"] != false;
    let expected = match versions.as_slice() {
        [only] if has(only) => true,
        versions if !versions.iter().any(has) => false,
        _ => return false,
    };
    if found != expected && (complete || found) {
        load.wrong(format!(
            "{asked}: found {found}, expected {expected} in {path}: {answer}"
        ));
    }
    true
}

/// Compares every line that is shown with the disk; how many rows that were.
fn cited(load: &Load, name: &str, answer: &Value, window: Window, asked: &str) -> usize {
    let list = |key: &str| answer[key].as_array().cloned().unwrap_or_default();
    let mut rows = 0;
    let mut check = |row: &Value, holds: &dyn Fn(&str) -> bool| {
        let path = row["path"].as_str().unwrap_or_default();
        rows += 1;
        if !load
            .disk
            .possible(path, window)
            .iter()
            .flatten()
            .any(|text| holds(text))
        {
            load.wrong(format!("{asked}: not on disk: {row}"));
        }
    };
    let number = |row: &Value, key: &str| row[key].as_u64().unwrap_or(0) as usize;
    let line = |text: &str, number: usize| {
        text.split('\n')
            .nth(number.wrapping_sub(1))
            .unwrap_or("")
            .trim_end_matches('\r')
            .to_owned()
    };
    for (key, code) in [("results", "snippet"), ("blocks", "code")] {
        for row in list(key) {
            let first = number(&row, "start_line");
            let shown = row[code].as_str().unwrap_or_default();
            // What is too long for a page ends anywhere, and says how much there is more of it.
            let whole = shown.rsplit_once("\n... (").filter(|(_, more)| more.ends_with(')'));
            let shown: Vec<&str> = match whole {
                Some((begun, _)) => begun.split('\n').collect(),
                None => shown.trim_end_matches('\n').split('\n').collect(),
            };
            check(&row, &|text| {
                shown.iter().enumerate().all(|(at, shown_line)| {
                    let line = line(text, first + at);
                    let is_cut = whole.is_some() && at + 1 == shown.len();
                    is_line(shown_line, &line) || is_cut && line.starts_with(shown_line)
                })
            });
        }
    }
    for row in list("matches") {
        let shown = row["text"].as_str().unwrap_or_default();
        check(&row, &|text| is_line(shown, &line(text, number(&row, "line"))));
    }
    for row in list("references") {
        let at = number(&row, "line");
        // Alone, or among lines that each begin with their number.
        let shown = match row["context"].as_str() {
            Some(context) => context.lines().find_map(|shown| shown.strip_prefix(&format!("{at}: "))),
            None => row["text"].as_str(),
        };
        check(&row, &|text| {
            let line = line(text, at);
            line.contains(name) && is_line(shown.unwrap_or_default().trim(), line.trim())
        });
    }
    for row in list("definitions").iter().chain(&list("callers")) {
        let own = row["name"].as_str().unwrap_or_default();
        check(row, &|text| line(text, number(row, "line")).contains(own));
    }
    if answer["path"].is_string() && answer["text"].is_string() {
        let shown = answer["text"].as_str().unwrap_or_default();
        check(answer, &|text| !is_plain(text) || text.starts_with(shown));
    }
    rows
}

/// Text that is shown as it is.
fn is_plain(text: &str) -> bool {
    text.chars().all(|c| matches!(c, ' '..='~' | '\n' | '\t'))
}

/// Whether this is how a line is shown: long ones in part, and not all characters as they are.
fn is_line(shown: &str, line: &str) -> bool {
    shown == line || line.chars().count() > 200 || !is_plain(line)
}
