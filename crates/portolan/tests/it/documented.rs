//! The commands of the README and of docs/ are run: what a document tells to type has to work.
//!
//! Each line of a block marked `sh` or `console` is run where it would be: in a small project, or, for what the README
//! shows of this repository, in a copy of a part of it. What is shown after a command in a `console` block has to be in its
//! output, but for numbers. Commands between backticks in the text have to be known, with their flags.

use std::{
    collections::BTreeSet,
    fs,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use test_fixture::Repo;

use crate::server::{home, portolan};

/// What is not run, and why.
const NOT_RUN: &[(&str, &str)] = &[
    ("cargo test --workspace", "runs this"),
    (
        "cargo install --locked --path crates/portolan",
        "builds everything again; scripts/check-dist installs what was built",
    ),
    (
        "cargo install --path crates/portolan --features onnx",
        "builds everything again, with a runtime that takes minutes",
    ),
    (
        "cargo install --locked --path crates/portolan --features rust-analyzer",
        "builds everything again, with rust-analyzer",
    ),
    (
        "claude plugin marketplace add .",
        "needs Claude Code; scripts/check-clients does it",
    ),
    (
        "claude plugin install portolan@portolan",
        "needs Claude Code; scripts/check-clients does it",
    ),
];

/// What the README's examples are about.
const PROJECT: &str = r#"
//- /Cargo.toml
[package]
name = "project"
//- /src/main.rs
//! Reads a file of settings.

use std::fs;

mod retry;

struct Parser {
    text: String,
}

/// What goes wrong.
#[derive(Debug)]
enum Problem {
    NotFound(String),
}

impl Parser {
    fn new(text: &str) -> Parser {
        Parser { text: text.to_owned() }
    }
}

fn home_path(name: &str) -> String {
    format!("settings/{name}")
}

fn read(name: &str) -> Result<String, Problem> {
    let path = home_path(name);
    let lost = |_| Problem::NotFound(format!("{path}: not found"));
    retry::with_limit(|| fs::read_to_string(&path)).map_err(lost)
}

fn main() {
    let text = read("project.conf").unwrap_or_default();
    let settings = Parser::new(&text).parse();
    println!("{} settings", settings.len());
}

impl Parser {
    /// The words of each line.
    fn parse(&self) -> Vec<Vec<&str>> {
        let lines = self.text.lines();
        lines.map(|line| line.split('=').collect()).collect()
    }
}
//- /src/retry.rs
/// How often is tried again: the retry limit.
const LIMIT: usize = 3;

pub fn with_limit<T, E>(try_it: impl Fn() -> Result<T, E>) -> Result<T, E> {
    let mut last = try_it();
    for _ in 1..LIMIT {
        if last.is_ok() {
            break;
        }
        last = try_it();
    }
    last
}
"#;

/// The parts of this repository that the README shows answers about.
const SHOWN: &[&str] = &["crates/sandbox", "crates/workspace", "crates/queries", "crates/index"];

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Path and text of the documents.
fn documents() -> Vec<(String, String)> {
    let docs = fs::read_dir(repository().join("docs")).expect("there are documents");
    let mut paths: Vec<PathBuf> = docs.map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    paths.sort();
    paths.insert(0, repository().join("README.md"));
    let name = |path: &Path| path.file_name().expect("a name").to_string_lossy().into_owned();
    let read = |path: PathBuf| (name(&path), fs::read_to_string(&path).expect("a document"));
    paths.into_iter().map(read).collect()
}

/// A command with the lines that are shown after it.
#[derive(Debug, Clone)]
struct Shown {
    place: String,
    command: String,
    output: Vec<String>,
    is_transcript: bool,
}

/// The commands in blocks, and the text around them.
fn commands(name: &str, text: &str) -> (Vec<Shown>, String) {
    let (mut found, mut around) = (Vec::<Shown>::new(), String::new());
    // The fence of a block, and what it says that the block holds.
    let mut block: Option<(&str, &str)> = None;
    for (at, line) in text.lines().enumerate() {
        let trimmed = line.trim_start();
        let fence = &trimmed[..trimmed.len() - trimmed.trim_start_matches('`').len()];
        match block {
            None if fence.len() >= 3 => block = Some((fence, &trimmed[fence.len()..])),
            None => {
                around.push_str(line);
                around.push('\n');
            }
            Some((open, _)) if trimmed == open => block = None,
            Some((_, kind @ ("sh" | "console"))) => {
                let is_transcript = kind == "console";
                let command = match is_transcript {
                    true => line.strip_prefix("$ "),
                    false => Some(line),
                };
                match (command, found.last_mut()) {
                    (Some(command), _) if words(command).is_empty() => {}
                    (Some(command), _) => found.push(Shown {
                        place: format!("{name}:{}", at + 1),
                        command: command.to_owned(),
                        output: Vec::new(),
                        is_transcript,
                    }),
                    (None, Some(last)) => last.output.push(line.to_owned()),
                    (None, None) => panic!("{name}:{}: a transcript begins with a command", at + 1),
                }
            }
            Some(_) => {}
        }
    }
    assert!(block.is_none(), "{name}: a block does not end");
    (found, around)
}

/// As a shell takes it apart: quotes, and comments left out.
fn words(line: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let (mut word, mut quote) = (None::<String>, None::<char>);
    for c in line.chars() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), c) => word.get_or_insert_default().push(c),
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (None, '#') if word.is_none() => break,
            (None, c) => word.get_or_insert_default().push(c),
        }
    }
    assert_eq!(quote, None, "a quote is not closed: {line}");
    words.extend(word);
    words
}

fn git(dir: &Path, arguments: &[&str]) {
    let done = Command::new("git")
        .args(["-c", "user.name=test", "-c", "user.email=test@example.com"])
        .args(["-c", "commit.gpgsign=false", "-c", "init.defaultBranch=main"])
        .args(arguments)
        .current_dir(dir)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env_remove("GIT_DIR")
        .env_remove("GIT_INDEX_FILE")
        .output()
        .expect("git runs");
    assert!(done.status.success(), "git {arguments:?}: {done:?}");
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a directory can be made");
    for entry in fs::read_dir(from).expect("a directory of the repository").flatten() {
        let target = to.join(entry.file_name());
        match entry.path().is_dir() {
            true => copy(&entry.path(), &target),
            false => drop(fs::copy(entry.path(), target).expect("a file can be copied")),
        }
    }
}

/// The project, with a commit before the last one; the copy of this repository; and a home with one client.
fn places() -> (Repo, Repo, tempfile::TempDir) {
    let project = Repo::new(PROJECT);
    let root = project.root();
    git(&root, &["init", "-q"]);
    git(&root, &["add", "."]);
    git(&root, &["commit", "-q", "-m", "first"]);
    let main = fs::read_to_string(root.join("src/main.rs")).expect("a file");
    project.write("src/main.rs", main.replace("split('=')", "splitn(2, '=')"));
    git(&root, &["commit", "-q", "-a", "-m", "second"]);

    let ours = Repo::new("//- /README.md\n");
    fs::copy(repository().join("Cargo.toml"), ours.path("Cargo.toml")).expect("a file can be copied");
    for part in SHOWN {
        copy(&repository().join(part), &ours.path(part));
    }
    let home = home();
    fs::create_dir_all(home.path().join(".cursor")).expect("a directory can be made");
    (project, ours, home)
}

/// Starts a server on any free port and waits until it serves.
fn serve(home: &Path, dir: &Path, arguments: &[String]) {
    let arguments = arguments.iter().map(|word| match word.rsplit_once(':') {
        Some((host, port)) if port.parse::<u16>().is_ok() => format!("{host}:0"),
        _ => word.clone(),
    });
    let mut command = portolan(home);
    let command = command.current_dir(dir).args(arguments);
    let mut child = command
        .stdin(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let stderr = BufReader::new(child.stderr.take().expect("stderr is a pipe"));
    let said = stderr
        .lines()
        .map_while(Result::ok)
        .find(|line| line.starts_with("serving MCP at http"));
    let _ = child.kill();
    let _ = child.wait();
    assert!(said.is_some(), "the server does not say that it serves");
}

/// Numbers, and what follows from them, change with every change of the code that is shown.
fn without_numbers(line: &str) -> String {
    let line = line.split(", also ").next().unwrap_or(line);
    let line = line.split(": cursor ").next().unwrap_or(line);
    let mut out = String::new();
    for c in line.trim_end().chars() {
        match c {
            c if c.is_ascii_digit() => {
                if !out.ends_with('#') {
                    out.push('#');
                }
            }
            c => out.push(c),
        }
    }
    out
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn commands_in_documents_run() {
    let (project, ours, home) = places();
    let mut not_run: BTreeSet<&str> = NOT_RUN.iter().map(|(command, _)| *command).collect();
    let mut run = 0;
    for (name, document) in documents() {
        for shown in commands(&name, &document).0 {
            let place = format!("{}: {}", shown.place, shown.command);
            let words = words(&shown.command);
            let plain = words.join(" ");
            if let Some((known, _)) = NOT_RUN.iter().find(|(command, _)| *command == plain) {
                not_run.remove(known);
                continue;
            }
            // What cargo builds to run is the binary.
            let (arguments, is_ours) = match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
                ["portolan", ..] => (&words[1..], shown.is_transcript),
                ["cargo", "run", "--release", "--", ..] => (&words[4..], true),
                _ => panic!("{place} is neither run nor listed in NOT_RUN with the reason"),
            };
            let dir = if is_ours { ours.root() } else { project.root() };
            run += 1;
            if arguments[0] == "serve" {
                serve(home.path(), &dir, arguments);
                continue;
            }
            let output = portolan(home.path()).current_dir(&dir).args(arguments).output();
            let output = output.expect("the binary starts");
            let told = text(&output);
            assert_eq!(output.status.code(), Some(0), "{place}\n{told}");
            assert!(!told.trim().is_empty() && !told.starts_with("No "), "{place}\n{told}");
            let lines: BTreeSet<String> = told.lines().map(without_numbers).collect();
            for line in shown.output.iter().map(|line| without_numbers(line)) {
                assert!(
                    line.is_empty() || lines.contains(&line),
                    "{place}\nshows {line}\nbut prints\n{told}"
                );
            }
        }
    }
    assert_eq!(not_run, BTreeSet::new(), "listed in NOT_RUN, but in no document");
    assert!(
        run >= 15,
        "only {run} commands were found: the documents' form has changed"
    );
}

#[test]
fn commands_in_the_text_are_known() {
    let home = home();
    let mut known = BTreeSet::new();
    for (name, document) in documents() {
        let around = commands(&name, &document).1;
        for quoted in around.split('`').skip(1).step_by(2) {
            let words: Vec<&str> = quoted.split_whitespace().collect();
            // `portolan <command> --help` is about all of them.
            let ["portolan", rest @ ..] = words.as_slice() else {
                continue;
            };
            let Some(command) = rest.first().filter(|word| !word.contains('<')) else {
                continue;
            };
            let mut asked = portolan(home.path());
            match command.starts_with('-') {
                true => asked.arg(command),
                false => asked.args([*command, "--help"]),
            };
            let output = asked.output().expect("the binary starts");
            let told = text(&output);
            assert_eq!(output.status.code(), Some(0), "{name}: `{quoted}`\n{told}");
            for flag in rest.iter().filter(|word| word.starts_with("--")) {
                let flag = flag.split('=').next().unwrap_or(flag);
                assert!(told.contains(flag), "{name}: `{quoted}` has no {flag}\n{told}");
            }
            known.insert((*command).to_owned());
        }
    }
    assert!(
        known.len() > 20,
        "only {known:?} were found: the documents' form has changed"
    );
}
