//! `portolan bench`: it prints what it has counted, and leaves everything as it was.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Output,
    sync::LazyLock,
    time::SystemTime,
};

use serde_json::Value;
use test_fixture::Repo;

use crate::server::{home, portolan};

const REPO: &str = r#"
//- /src/shapes.py
class Circle:
    """Round."""

    def area(self):
        return square(self.radius) * 3


class Box:
    def area(self):
        return square(self.side)


def square(number):
    return number * number
//- /src/report.py
from shapes import Circle


def print_report():
    print(Circle().area())


def print_twice():
    print_report()
    print_report()
//- /src/lib.rs
pub struct Shelf;

impl Shelf {
    pub fn area(&self) -> u32 {
        1
    }
}
pub fn area(shelf: &Shelf) -> u32 {
    shelf.area()
}
//- /.env
AREA=secret
//- /notes.md
# Notes

The area of a shelf.
"#;

fn bench(dir: &Path, more: &[&str]) -> Output {
    let scratch = home();
    let mut command = portolan(scratch.path());
    let command = command
        .arg("bench")
        .arg(dir)
        .args(more)
        .env("TMPDIR", scratch.path())
        .env("TEMP", scratch.path())
        .env("TMP", scratch.path());
    let output = command.output().expect("the binary starts");
    let left: Vec<_> = fs::read_dir(scratch.path()).expect("the directory is there").collect();
    assert_eq!(left.len(), 0, "left behind: {left:?}");
    output
}

fn json(dir: &Path, more: &[&str]) -> Value {
    let output = bench(dir, &[&["--quick", "--format", "json"], more].concat());
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

type Entry = (PathBuf, Vec<u8>, SystemTime);

/// Everything below a directory, with contents and times.
fn state(dir: &Path) -> Vec<Entry> {
    let mut all = Vec::new();
    for entry in fs::read_dir(dir).expect("a directory") {
        let path = entry.expect("an entry").path();
        let modified = fs::metadata(&path).and_then(|metadata| metadata.modified());
        if path.is_dir() {
            all.extend(state(&path));
            all.push((path, Vec::new(), modified.expect("a time")));
        } else {
            let bytes = fs::read(&path).expect("a file");
            all.push((path, bytes, modified.expect("a time")));
        }
    }
    all.sort();
    all
}

/// One run says everything; others are compared with it. With what the repository was before and afterwards.
static RUN: LazyLock<(Value, [Vec<Entry>; 2])> = LazyLock::new(|| {
    let repo = Repo::new(REPO);
    let before = state(&repo.root());
    let report = json(&repo.root(), &[]);
    (report, [before, state(&repo.root())])
});

#[test]
fn counts_are_those_of_the_repository() {
    let (report, [before, after]) = &*RUN;
    assert_eq!(after, before, "the repository is only read");

    let repository = &report["repository"];
    assert_eq!(repository["name"], "repo");
    for field in ["files", "measured_files", "indexed_files"] {
        assert_eq!(repository[field], 4, "{field}");
    }
    let bytes: u64 = before
        .iter()
        .filter(|(path, ..)| !path.ends_with(".env"))
        .map(|(_, bytes, _)| bytes.len() as u64)
        .sum();
    assert_eq!(repository["bytes"], bytes);
    let languages: Vec<(&str, u64)> = repository["languages"]
        .as_array()
        .expect("languages")
        .iter()
        .map(|row| {
            (
                row["language"].as_str().unwrap_or_default(),
                row["files"].as_u64().unwrap_or(0),
            )
        })
        .collect();
    assert_eq!(languages, [("python", 2), ("rust", 1), ("markdown", 1)]);

    let samples = report["samples"].as_array().expect("samples");
    let of = |stratum: &str| {
        let mut names: Vec<&str> = samples
            .iter()
            .filter(|sample| sample["stratum"] == stratum)
            .map(|sample| sample["symbol"].as_str().unwrap_or_default())
            .collect();
        names.sort_unstable();
        names
    };
    assert_eq!(of("common name"), ["area", "area", "area"]);
    assert_eq!(of("unique name"), ["print_report", "print_twice", "square"]);
    assert_eq!(of("type"), ["Box", "Circle", "Shelf"]);

    let tokens = report["tokens"].as_array().expect("tokens");
    assert_eq!(tokens.len(), 4);
    for task in tokens {
        let is_about_functions = task["task"] == "who calls it";
        let types = if is_about_functions { 3 } else { 0 };
        assert_eq!(task["count"].as_u64(), Some((samples.len() - types) as u64), "{task}");
        assert_eq!(task["failures"], Value::Array(Vec::new()), "{task}");
        for side in ["portolan", "grep"] {
            assert!(task[side]["total"].as_u64() > Some(0), "{task}");
        }
        assert!(task["ratio"].as_f64() > Some(0.0), "{task}");
    }
    assert_eq!(report["changes_not_found"], 0);
}

#[test]
fn times_are_measured() {
    let report = &RUN.0;
    let times = &report["times"];
    for figure in ["index_s", "parse_s", "index_ratio"] {
        assert!(times[figure].as_f64() > Some(0.0), "{figure}: {times}");
    }
    let tools = times["tools"].as_array().expect("tools");
    assert!(tools.len() > 10, "{times}");
    for row in tools.iter().chain(["change", "start", "grep"].map(|name| &times[name])) {
        assert!(row["count"].as_u64() > Some(0), "{row}");
        assert!(row["p50_ms"].as_f64() > Some(0.0), "{row}");
        assert!(row["p95_ms"].as_f64() >= row["p50_ms"].as_f64(), "{row}");
    }
    assert!(report["size"]["ratio"].as_f64() > Some(0.0));
    #[cfg(target_os = "linux")]
    for figure in ["index_peak_bytes", "server_anonymous_bytes"] {
        assert!(report["memory"][figure].as_u64() > Some(1 << 20), "{figure}");
    }
}

#[test]
fn only_what_is_measured_differs_between_runs() {
    let (first, repo) = (&RUN.0, Repo::new(REPO));
    let counted = |mut report: Value| {
        for measured in ["times", "memory", "size"] {
            assert!(report[measured].take().is_object(), "{measured}");
        }
        report
    };
    assert_eq!(counted(json(&repo.root(), &[])), counted(first.clone()));
    assert_eq!(first["seed"], 1);
    let other = json(&repo.root(), &["--seed", "7", "--files", "2"]);
    assert_eq!(other["seed"], 7);
    assert_eq!(other["repository"]["files"], 4);
    assert_eq!(other["repository"]["measured_files"], 2);
}

#[test]
fn the_page_says_what_was_done() {
    let output = bench(&Repo::new(REPO).root(), &["--quick"]);
    let page = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    for expected in [
        "on `repo`\n",
        "4 files, ",
        "(seed 1): 3 common name, 3 unique name, ",
        "| whole index from nothing ",
        "| find_callers ",
        "| (grep -w) ",
        "| what breaks ",
        "- who calls it: those, and 5 lines either side of the first 20 matches outside of the definition\n",
    ] {
        assert!(page.contains(expected), "{expected:?} is missing in\n{page}");
    }
}

/// The copy is nobody else's business, and does not stay.
#[test]
#[cfg(unix)]
fn an_interruption_leaves_nothing_behind() {
    use std::{os::unix::fs::PermissionsExt, process::Stdio, thread::sleep, time::Duration};
    let (repo, scratch) = (Repo::new(REPO), home());
    let mut command = portolan(scratch.path());
    let command = command.arg("bench").arg(repo.root()).env("TMPDIR", scratch.path());
    let mut child = command.stdout(Stdio::null()).spawn().expect("the binary starts");
    let entries = || -> Vec<PathBuf> {
        let entries = fs::read_dir(scratch.path()).expect("the directory is there").flatten();
        entries.map(|entry| entry.path()).collect()
    };
    let made = loop {
        match entries().pop() {
            Some(made) => break made,
            None => sleep(Duration::from_millis(1)),
        }
    };
    let mode = fs::metadata(&made).expect("it is still there").permissions().mode();
    assert_eq!(mode & 0o077, 0, "{mode:o}");
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).expect("the signal is sent");
    assert_eq!(child.wait().expect("the binary ends").code(), Some(130));
    assert_eq!(entries(), Vec::<PathBuf>::new());
}

#[test]
fn what_cannot_be_measured_is_refused() {
    let empty = Repo::new("//- /.hidden\nx\n");
    let prose = Repo::new("//- /a.md\n# A\n//- /b.json\n{ \"a\": 1 }\n");
    for (dir, more, code, message) in [
        (empty.beside("absent"), &[][..], 1, "cannot be measured"),
        (prose.path("a.md"), &[], 1, "is not a directory"),
        (empty.root(), &[], 1, "has no files to index"),
        (
            prose.root(),
            &[],
            1,
            "has no functions or types to ask about: 2 files, all json, markdown",
        ),
        (prose.root(), &["--files", "0"], 2, "--files"),
        (prose.root(), &["--seed", "x"], 2, "--seed"),
        (prose.root(), &["--format", "xml"], 2, "--format"),
    ] {
        let output = bench(&dir, more);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{said}");
        assert!(said.contains(message), "{said}");
        assert!(output.stdout.is_empty());
    }
}
