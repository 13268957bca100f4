//! A rename that is killed anywhere leaves every file as it was, or every file renamed, once somebody looks again.

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
//- /a.py
def load(path):
    return path
//- /b.py
from a import load
def one(): return load(1)
//- /deep/c.py
from a import load
def two(): return load(2)
//- /d.py
from a import load
def three(): return load(3)
";

struct Tracer {
    dir: TempDir,
}

impl Tracer {
    fn build() -> Tracer {
        let dir = TempDir::with_prefix("tracer-").unwrap();
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/faults/tracer.c");
        let mut cc = Command::new("cc");
        let built = cc
            .arg("-O1")
            .arg("-o")
            .arg(dir.path().join("tracer"))
            .arg(source)
            .status();
        assert!(
            built.is_ok_and(|status| status.success()),
            "a C compiler builds the tracer"
        );
        Tracer { dir }
    }

    /// Renames, and is killed before the call of that number; and how many there were.
    fn rename(&self, home: &Path, root: &Path, at: u64) -> (Output, u64) {
        let plain = command(home, root, "rename_symbol", rename_arguments());
        let count = self.dir.path().join("count");
        let mut traced = Command::new(self.dir.path().join("tracer"));
        traced
            .arg(&count)
            .arg(at.to_string())
            .arg(plain.get_program())
            .args(plain.get_args());
        for (key, value) in plain.get_envs() {
            match value {
                Some(value) => traced.env(key, value),
                None => traced.env_remove(key),
            };
        }
        let output = traced.output().unwrap();
        let counted = fs::read_to_string(&count).ok().and_then(|n| n.trim().parse().ok());
        (output, counted.unwrap_or(0))
    }
}

fn rename_arguments() -> Value {
    json!({ "old_name": "load", "new_name": "fetch", "dry_run": false })
}

fn command(home: &Path, root: &Path, tool: &str, mut arguments: Value) -> Command {
    arguments["workspace"] = json!(root);
    arguments["format"] = json!("json");
    let mut command = portolan(home);
    command.args(["call", tool, &arguments.to_string()]);
    command
}

fn ask(home: &Path, root: &Path, tool: &str, arguments: Value) -> Value {
    let output = command(home, root, tool, arguments).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{tool}: {text}");
    serde_json::from_str(&text).unwrap()
}

/// Every file, hidden ones too.
fn tree(root: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut open = vec![root.to_owned()];
    while let Some(dir) = open.pop() {
        for entry in fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                files.insert(path.strip_prefix(root).unwrap().to_owned(), fs::read(&path).unwrap());
            }
        }
    }
    files
}

fn journals(home: &Path) -> usize {
    let all = tree(home);
    let is_one = |path: &&PathBuf| path.to_string_lossy().contains(".journal");
    all.keys().filter(is_one).count()
}

#[test]
fn a_rename_that_is_killed_is_undone_or_done() {
    let tracer = Tracer::build();
    let (before, after, n) = {
        let (repo, home) = (Repo::new(REPO), home());
        ask(home.path(), &repo.root(), "list_files", json!({}));
        let before = tree(&repo.root());
        let (output, n) = tracer.rename(home.path(), &repo.root(), u64::MAX >> 1);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        (before, tree(&repo.root()), n)
    };
    assert!(before.keys().eq(after.keys()), "{:?}", after.keys());
    assert!(before.iter().all(|(path, bytes)| after[path] != *bytes));
    assert!(n > 12, "the tracer sees {n} calls");
    let wanted = (12 * u64::from(scale())).min(n);
    for at in (0..wanted).map(|which| 1 + which * n / wanted) {
        let what = format!("killed before call {at} of {n}");
        let (repo, home) = (Repo::new(REPO), home());
        ask(home.path(), &repo.root(), "list_files", json!({}));
        let (output, _) = tracer.rename(home.path(), &repo.root(), at);
        let left = tree(&repo.root());
        // How many calls there are is not the same each time.
        assert!(!output.status.success() || left == after, "{what}");
        let had_journal = journals(home.path()) > 0;
        let answer = ask(home.path(), &repo.root(), "list_files", json!({}));
        let now = tree(&repo.root());
        assert!(now == before || now == after, "{what}: {:?}", now.keys());
        assert_eq!(journals(home.path()), 0, "{what}");
        let says = answer["coverage"]["undone"].as_str();
        if left
            .iter()
            .any(|(path, bytes)| before.get(path) != Some(bytes) && after.get(path) == Some(bytes))
            && now == before
        {
            assert!(says.is_some_and(|says| says.contains("undone in")), "{what}: {answer}");
        } else {
            assert_eq!(says, None, "{what}, journal {had_journal}");
        }
        // It is told once, and the rename can be made again.
        let again = ask(home.path(), &repo.root(), "list_files", json!({}));
        assert_eq!(again["coverage"]["undone"], Value::Null, "{what}");
        if now == before {
            let renamed = ask(home.path(), &repo.root(), "rename_symbol", rename_arguments());
            assert_eq!(renamed["applied"], true, "{what}: {renamed}");
            assert!(tree(&repo.root()) == after, "{what}");
        }
    }
}

#[test]
fn what_changed_since_is_left_and_told() {
    let tracer = Tracer::build();
    // The first kill that leaves two files renamed and two not; a run may have one call more or less than the last.
    for at in (1..=3).flat_map(|_| 1..80) {
        let (repo, home) = (Repo::new(REPO), home());
        ask(home.path(), &repo.root(), "list_files", json!({}));
        let before = tree(&repo.root());
        tracer.rename(home.path(), &repo.root(), at);
        let now = tree(&repo.root());
        let renamed: Vec<&PathBuf> = before.keys().filter(|path| now[*path] != before[*path]).collect();
        if renamed.len() != 2 {
            continue;
        }
        let (mine, its) = (renamed[0], renamed[1]);
        fs::write(repo.root().join(mine), "mine = 1\n").unwrap();
        // Who may not write only tells.
        let mut asked = command(home.path(), &repo.root(), "health_check", json!({}));
        let output = asked.env("PORTOLAN_READ_ONLY", "true").output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.contains("not undone in") && text.contains("--read-only"), "{text}");
        assert_eq!(fs::read(repo.root().join(its)).unwrap(), now[its]);
        let health = ask(home.path(), &repo.root(), "health_check", json!({}));
        let part = &health["parts"]["rename"];
        let says = part["message"].as_str().unwrap_or_default();
        assert_eq!(part["status"], "degraded", "{health}");
        assert!(says.contains(&format!("undone in {}", its.display())), "{says}");
        assert!(
            says.contains(&format!("left in {}, changed by something else", mine.display())),
            "{says}"
        );
        assert_eq!(fs::read_to_string(repo.root().join(mine)).unwrap(), "mine = 1\n");
        assert_eq!(fs::read(repo.root().join(its)).unwrap(), before[its]);
        return;
    }
    panic!("no kill leaves two of four");
}
