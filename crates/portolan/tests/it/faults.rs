//! Kills, I/O errors and full disks at every point where the index is written, by a shim before the C library.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use serde_json::{Value, json};
use tempfile::TempDir;
use test_fixture::Repo;

use crate::server::{home, portolan, scale};

const REPO: &str = "
//- /src/lib.rs
mod shapes;
pub fn alpha(shape: &shapes::Shape) -> u32 { beta(shape.area()) }
fn beta(n: u32) -> u32 { n * 2 }
//- /src/shapes.rs
pub struct Shape { side: u32 }
impl Shape { pub fn area(&self) -> u32 { self.side } }
//- /old.py
def gone(): pass
//- /README.md
# Shapes
";

/// What is done to the repository between two commits.
fn edit(repo: &Repo) {
    repo.write("src/lib.rs", "fn beta() { alpha() }\nfn alpha() {}\n");
    repo.write("new.py", "def fresh():\n    return beta()\n");
    repo.remove("old.py");
}

const QUESTIONS: &[(&str, &str, &str)] = &[
    ("search_code", r#"{"query": "beta"}"#, "results"),
    ("find_references", r#"{"symbol": "beta"}"#, "references"),
    ("list_files", "{}", "files"),
];

struct Shim {
    dir: TempDir,
}

impl Shim {
    fn build() -> Shim {
        let dir = TempDir::with_prefix("shim-").unwrap();
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/faults/shim.c");
        let built = Command::new("cc")
            .args(["-shared", "-fPIC", "-O1", "-o"])
            .arg(dir.path().join("shim.so"))
            .arg(source)
            .arg("-ldl")
            .status();
        assert!(
            built.is_ok_and(|status| status.success()),
            "a C compiler builds the shim"
        );
        Shim { dir }
    }

    /// Asks the first question with a fault; and how many operations there were.
    fn run(&self, home: &Path, root: &Path, fault: &str, at: u64) -> (Output, u64) {
        let count = self.dir.path().join("count");
        let output = question(home, root, 0)
            .env("LD_PRELOAD", self.dir.path().join("shim.so"))
            .env("FAULT_DIR", home)
            .env("FAULT", fault)
            .env("FAULT_AT", at.to_string())
            .env("FAULT_COUNT", &count)
            .output()
            .unwrap();
        let counted = fs::read_to_string(&count).ok().and_then(|n| n.trim().parse().ok());
        (output, counted.unwrap_or(0))
    }
}

fn question(home: &Path, root: &Path, which: usize) -> Command {
    let (tool, arguments, _) = QUESTIONS[which];
    let mut arguments: Value = serde_json::from_str(arguments).unwrap();
    arguments["workspace"] = json!(root);
    arguments["format"] = json!("json");
    let mut command = portolan(home);
    command.args(["call", tool, &arguments.to_string()]);
    command
}

/// The answers of processes to which nothing happens.
fn answers(home: &Path, root: &Path, what: &str) -> Vec<Value> {
    let answer = |which: usize| {
        let output = question(home, root, which).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{what}: {text}{errors}");
        let answer: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(answer["coverage"]["complete"], true, "{what}: {text}");
        answer[QUESTIONS[which].2].clone()
    };
    (0..QUESTIONS.len()).map(answer).collect()
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let to = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &to);
        } else {
            fs::copy(&path, &to).unwrap();
        }
    }
}

/// Numbers from 1 to `n`, at most `wanted` of them, spread evenly.
fn spread(n: u64, wanted: u64) -> impl Iterator<Item = u64> {
    let wanted = wanted.min(n);
    (0..wanted).map(move |at| 1 + at * n / wanted)
}

/// A home that the faults of one run happen to, begun as a copy of another.
struct Trial {
    home: TempDir,
}

impl Trial {
    fn new(from: Option<&Path>) -> Trial {
        let home = home();
        if let Some(from) = from {
            copy(from, home.path());
        }
        Trial { home }
    }

    fn path(&self) -> PathBuf {
        self.home.path().canonicalize().unwrap()
    }
}

const FAULTS: &[&str] = &["kill", "EIO", "ENOSPC", "short", "full"];

#[test]
fn a_fault_anywhere_loses_nothing() {
    let shim = Shim::build();
    let mut tried: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    for (scenario, begun) in [("first index", false), ("an update", true)] {
        let repo = Repo::new(REPO);
        let base = Trial::new(None);
        let from = begun.then(|| {
            answers(&base.path(), &repo.root(), "before");
            edit(&repo);
            base.path()
        });
        let right = answers(&Trial::new(from.as_deref()).path(), &repo.root(), "no fault");
        let (_, n) = shim.run(&Trial::new(from.as_deref()).path(), &repo.root(), "count", 0);
        assert!(n > 10, "{scenario}: the shim sees {n} operations");
        for fault in FAULTS {
            for at in spread(n, 6 * u64::from(scale())) {
                let what = format!("{scenario}, {fault} at {at} of {n}");
                let trial = Trial::new(from.as_deref());
                let (output, _) = shim.run(&trial.path(), &repo.root(), fault, at);
                check_outcome(&output, &right[0], &what);
                assert_eq!(answers(&trial.path(), &repo.root(), &what), right, "{what}");
                *tried.entry((scenario, fault)).or_default() += 1;
            }
        }
    }
    println!("{tried:?}");
}

/// A process that was not killed has answered rightly, has said that it could not, or that it knows only a part.
fn check_outcome(output: &Output, right: &Value, what: &str) {
    let Some(code) = output.status.code() else {
        assert!(what.contains("kill"), "{what}: ended by a signal: {:?}", output.status);
        return;
    };
    let text = String::from_utf8_lossy(&output.stdout);
    let answer: Value = serde_json::from_str(&text).unwrap_or_default();
    match code {
        0 if answer["coverage"]["complete"] == true => assert_eq!(answer["results"], *right, "{what}"),
        0 => assert_eq!(answer["coverage"]["complete"], false, "{what}: {text}"),
        1 => {
            let message = answer["error"]["message"].as_str().unwrap_or_default();
            assert!(
                !message.is_empty() && !message.contains("unexpectedly"),
                "{what}: {text}"
            );
        }
        code => panic!("{what}: exit code {code}: {text}"),
    }
}

/// The system ends who writes past such a limit, unless it asks to be told.
#[cfg(unix)]
#[test]
fn a_limit_to_the_size_of_files_is_an_error() {
    let repo = Repo::new(REPO);
    let home = tempfile::tempdir().unwrap();
    let output = Command::new("sh")
        .args([
            "-c",
            "ulimit -f 1; exec \"$0\" find-symbol alpha",
            env!("CARGO_BIN_EXE_portolan"),
        ])
        .current_dir(repo.root())
        .env("PORTOLAN_HOME", home.path())
        .output()
        .unwrap();
    assert!(output.status.code().is_some(), "{output:?}");
}
