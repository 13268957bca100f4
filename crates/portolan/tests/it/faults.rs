//! Kills, I/O errors and full disks at every point where the index is written, by a shim before the C library.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use serde_json::{Value, json};
use tempfile::TempDir;
use test_fixture::Repo;

use crate::server::{Server, home, portolan, scale};

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

    /// The first question, by a process that has a fault.
    fn command(&self, home: &Path, root: &Path, fault: &str, at: u64) -> Command {
        let mut command = question(home, root, 0);
        command
            .env("LD_PRELOAD", self.dir.path().join("shim.so"))
            .env("FAULT_DIR", home)
            .env("FAULT", fault)
            .env("FAULT_AT", at.to_string())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Asks the first question with a fault; and how many operations there were.
    fn run(&self, home: &Path, root: &Path, fault: &str, at: u64) -> (Output, u64) {
        let count = self.dir.path().join("count");
        let mut command = self.command(home, root, fault, at);
        let output = command.env("FAULT_COUNT", &count).output().unwrap();
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

/// Files that a commit no longer names are deleted when a power failure can no longer bring back the one that named them:
/// the catalog's log is on the disk by then.
#[test]
fn a_commit_lasts_before_what_it_replaces_is_deleted() {
    let shim = Shim::build();
    let (repo, home) = (Repo::new(REPO), home());
    let home = home.path().canonicalize().unwrap();
    answers(&home, &repo.root(), "before");
    edit(&repo);
    let log = shim.dir.path().join("log");
    let mut command = shim.command(&home, &repo.root(), "count", 0);
    assert!(command.env("FAULT_LOG", &log).status().unwrap().success());
    let log = fs::read_to_string(log).unwrap();
    let mut is_written = false;
    let mut n_deleted = 0;
    for line in log.lines() {
        let (operation, path) = line.split_once(' ').unwrap();
        match operation {
            "write" if path.ends_with("catalog.db-wal") => is_written = true,
            "sync" if path.ends_with("catalog.db-wal") => is_written = false,
            "unlink" if path.contains("/vectors/") || path.contains("/text/") => {
                assert!(!is_written, "{line}, before the catalog is on the disk:\n{log}");
                n_deleted += usize::from(path.ends_with(".vec"));
            }
            _ => {}
        }
    }
    assert!(n_deleted > 0, "a file of vectors is replaced:\n{log}");
}

/// One question for each tool that reads the index, in what `edit` and `edit_again` leave.
const EVERY_TOOL: &[(&str, &str)] = &[
    ("search_code", r#"{"query": "beta", "literal": true, "k": 100}"#),
    ("search_code", r#"{"query": "where is the area of a shape"}"#),
    ("search_code", r#"{"query": "beta AND fresh"}"#),
    ("grep", r#"{"pattern": "be.a"}"#),
    ("find_symbol", r#"{"name": "beta"}"#),
    ("find_definition", r#"{"symbol": "fresh"}"#),
    ("find_references", r#"{"symbol": "beta", "include_text": true}"#),
    ("find_callers", r#"{"symbol": "beta"}"#),
    ("find_callees", r#"{"symbol": "third"}"#),
    ("find_implementations", r#"{"symbol": "Solid"}"#),
    ("impact_analysis", r#"{"symbol": "area"}"#),
    ("get_call_graph", r#"{"symbol": "third"}"#),
    ("find_path", r#"{"from": "third", "to": "beta"}"#),
    ("deep_dive", r#"{"symbol": "Shape"}"#),
    ("get_dependencies", r#"{"file_path": "src/lib.rs"}"#),
    ("map_code", "{}"),
    ("list_files", "{}"),
    ("find_file", r#"{"pattern": "**/*.rs"}"#),
    ("find_similar", r#"{"code": "fn area(&self) -> u32 { self.side }"}"#),
    ("analyze_complexity", r#"{"directory": "src"}"#),
    ("index_status", "{}"),
];

/// What another process commits after the one that was killed.
fn edit_again(repo: &Repo) {
    repo.write(
        "src/shapes.rs",
        "pub trait Solid {}\npub struct Shape { side: u32 }\nimpl Solid for Shape {}\n\
         impl Shape { pub fn area(&self) -> u32 { self.side } }\n",
    );
    repo.write("src/third.rs", "pub fn third() -> u32 { crate::beta() }\n");
}

/// The answers of a server to all of these, without what tells when they were given and by whom.
fn every_answer(server: &mut Server) -> Vec<(String, Value)> {
    let ask = |(tool, arguments): &(&str, &str)| {
        let result = server.call(tool, serde_json::from_str(arguments).unwrap());
        let mut answer = result["structuredContent"].clone();
        for volatile in ["root", "generation", "indexed_at", "index_bytes", "session", "sessions"] {
            answer.as_object_mut().unwrap().remove(volatile);
        }
        if let Some(coverage) = answer.get_mut("coverage").and_then(Value::as_object_mut) {
            coverage.remove("generation");
        }
        (format!("{tool} {arguments}"), answer)
    };
    EVERY_TOOL.iter().map(ask).collect()
}

/// The state of a process as the system has it: `T` is stopped, `Z` has ended.
fn state(pid: u32) -> char {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let behind_name = stat.rsplit(')').next().and_then(|rest| rest.trim().chars().next());
    behind_name.unwrap_or('Z')
}

/// A process is killed before each step of its commit, while another one that has been running all along waits to write.
/// That one takes over, commits something else, and must know as much as a new index.
#[test]
fn a_process_that_takes_over_a_commit_loses_nothing() {
    let shim = Shim::build();
    let right = {
        let repo = Repo::new(REPO);
        edit(&repo);
        edit_again(&repo);
        let home = home();
        every_answer(&mut Server::patient(home.path(), &repo.root()))
    };
    // Most of a commit's steps are like the one before.
    let stride = u64::from(4 / scale()).max(1);
    let next = AtomicU64::new(1);
    let last = AtomicU64::new(u64::MAX);
    let trial = |at: u64| {
        let (repo, home) = (Repo::new(REPO), home());
        let home = home.path().canonicalize().unwrap();
        let mut heir = Server::patient(&home, &repo.root());
        heir.call("search_code", json!({ "query": "beta" }));
        edit(&repo);
        let mut writer = shim.command(&home, &repo.root(), "stop", at).spawn().unwrap();
        while !matches!(state(writer.id()), 'T' | 'Z') {
            std::thread::sleep(Duration::from_millis(1));
        }
        let is_stopped = state(writer.id()) == 'T';
        if is_stopped {
            edit_again(&repo);
            // Asked while the lock is taken, so that it waits for it.
            let waiting = heir.request("tools/call", json!({ "name": "index_status", "arguments": {} }));
            let search = json!({ "name": "search_code", "arguments": { "query": "third" } });
            let searching = heir.request("tools/call", search);
            std::thread::sleep(Duration::from_millis(20));
            writer.kill().unwrap();
            heir.answer(waiting);
            heir.answer(searching);
            for ((question, own), (_, expected)) in every_answer(&mut heir).iter().zip(&right) {
                assert_eq!(own, expected, "killed at step {at}: {question}");
            }
            let health = heir.call("health_check", json!({}));
            assert_eq!(health["structuredContent"]["overall"], "healthy", "{health}");
        }
        writer.wait().unwrap();
        is_stopped
    };
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(stride, Ordering::SeqCst);
                    if at > last.load(Ordering::SeqCst) {
                        return;
                    }
                    if !trial(at) {
                        last.fetch_min(at, Ordering::SeqCst);
                    }
                }
            });
        }
    });
    let steps = last.into_inner() - 1;
    assert!(steps > 30, "a commit has {steps} steps");
    println!("{steps} steps");
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
