//! Exact answers from the real binary, about a repository that would like to be run.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use serde_json::{Value, json};
use test_fixture::Repo;

use crate::server::Server;

const HOSTILE: &str = r#"
//- /Cargo.toml
[package]
name = "hostile"
edition = "2021"
[dependencies]
evil = { path = "evil" }
//- /build.rs
fn main() { std::fs::write("CANARY", "build script").unwrap(); }
//- /.cargo/config.toml
[build]
rustc-wrapper = "./canary.sh"
//- /rust-toolchain.toml
[toolchain]
path = "."
//- /canary.sh
#!/bin/sh
echo wrapper > CANARY
//- /evil/Cargo.toml
[package]
name = "evil"
[lib]
proc-macro = true
//- /evil/src/lib.rs
#[proc_macro_attribute]
pub fn attribute(_: TokenStream, item: TokenStream) -> TokenStream { std::fs::write("CANARY", "macro").unwrap(); item }
//- /src/lib.rs
mod a;
mod b;
#[evil::attribute]
fn both(a: a::Thing, b: b::Thing) {
    first(a.itself()).touch();
    first(b.itself()).touch();
}
/// Gives [`b::Thing::touch`] its receiver.
fn first<T>(one: T) -> T { one }
//- /src/a.rs
pub struct Thing;
impl Thing {
    pub fn itself(self) -> Thing { self }
    pub fn touch(&self) {}
}
//- /src/b.rs
pub struct Thing;
impl Thing {
    pub fn itself(self) -> Thing { self }
    pub fn touch(&self) {}
}
"#;

const PATIENT: &[(&str, &str)] = &[
    ("PORTOLAN_RUST_ENABLED", "true"),
    ("PORTOLAN_RUST_WAIT_MS", "25000"),
    ("CARGO_HOME", "/nowhere"),
    ("RUSTUP_HOME", "/nowhere"),
];

fn rows(answer: &Value, key: &str) -> Vec<String> {
    let rows = answer["structuredContent"][key].as_array().expect("a list");
    let shown = rows
        .iter()
        .map(|row| format!("{}:{} {}", row["path"], row["line"], row["origin"]));
    shown.map(|row| row.replace('"', "")).collect()
}

#[test]
fn exact_and_nothing_is_run() {
    let repo = Repo::new(HOSTILE);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(repo.path("canary.sh"), fs::Permissions::from_mode(0o755)).expect("it is there");
    }
    let mut server = Server::initialized_with(&repo.root(), &["--toolsets", "all"], PATIENT);
    for (path, line) in [("src/a.rs", 5), ("src/b.rs", 6)] {
        let asked = json!({ "file": path, "line": 4, "symbol": "touch", "include_text": false });
        let answer = server.call("find_references", asked);
        assert_eq!(
            rows(&answer, "references"),
            [format!("src/lib.rs:{line} exact")],
            "{answer}"
        );
    }
    let used = json!({ "file": "src/lib.rs", "line": 6, "symbol": "touch" });
    let answer = server.call("find_definition", used);
    assert_eq!(rows(&answer, "definitions"), ["src/b.rs:4 exact"]);
    let answer = server.call("find_callees", json!({ "symbol": "both" }));
    assert_eq!(rows(&answer, "callees").len(), 5, "{answer}");
    // Local names too.
    let asked = json!({ "file": "src/lib.rs", "line": 9, "old_name": "one", "new_name": "it" });
    let answer = server.call("rename_symbol", asked);
    let renamed = &answer["structuredContent"];
    assert_eq!(
        (&renamed["sites"], &renamed["conflicts"]),
        (&json!(2), &json!([])),
        "{answer}"
    );
    assert!(
        renamed["coverage"]["engines"].to_string().contains("rust-analyzer"),
        "{answer}"
    );
    // An edit is seen by the next answer.
    repo.write(
        "src/b.rs",
        "pub struct Thing;\nimpl Thing {\n    pub fn itself(self) -> crate::a::Thing { crate::a::Thing }\n}\n",
    );
    let answer = server.call("find_references", json!({ "symbol": "touch", "include_text": false }));
    assert_eq!(
        rows(&answer, "references"),
        ["src/lib.rs:5 exact", "src/lib.rs:6 exact"],
        "{answer}"
    );
    let status = server.call("index_status", json!({}));
    assert_eq!(status["structuredContent"]["exact"]["state"], "ready", "{status}");
    assert_eq!(children(server.pid()), 0, "no process was started");
    assert!(!repo.path("CANARY").exists() && !repo.path("evil/CANARY").exists());
    server.assert_alive();
}

/// Processes that a process has started and that are still there, or that it has not waited for.
fn children(pid: u32) -> usize {
    let tasks = fs::read_dir(format!("/proc/{pid}/task"))
        .into_iter()
        .flatten()
        .flatten();
    let lists = tasks.filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
    lists.map(|list| list.split_whitespace().count()).sum()
}

/// A workspace whose dependency lies outside of its root, where manifests alone lead to nothing.
const OPEN: &str = r#"
//- /app/Cargo.toml
[package]
name = "app"
version = "0.1.0"
edition = "2021"
[dependencies]
near = { path = "../near" }
//- /app/Cargo.lock
version = 4

[[package]]
name = "app"
version = "0.1.0"
dependencies = [
 "near",
]

[[package]]
name = "near"
version = "0.1.0"
//- /app/.cargo/config.toml
[build]
rustc-wrapper = "./canary.sh"
//- /app/canary.sh
#!/bin/sh
echo wrapper > "$(dirname "$0")/CANARY"
exec "$@"
//- /app/src/lib.rs
pub struct Own;
impl Own { pub fn done(&self) {} }
pub struct Other;
impl Other { pub fn done(&self) {} }
pub fn f() { near::same(Own).done() }
//- /near/Cargo.toml
[package]
name = "near"
version = "0.1.0"
edition = "2021"
//- /near/src/lib.rs
pub fn same<T>(one: T) -> T { one }
"#;

/// Where a tool of this machine has its files.
fn tool_home(variable: &str, name: &str) -> String {
    let home = std::env::home_dir().unwrap_or_default();
    let set = std::env::var(variable).ok();
    set.unwrap_or_else(|| home.join(name).to_string_lossy().into_owned())
}

#[cfg(unix)]
#[test]
fn only_the_user_can_trust_a_repository() {
    use std::os::unix::fs::PermissionsExt;

    let path = std::env::var("PATH").unwrap_or_default();
    let (cargo_home, rustup_home) = (tool_home("CARGO_HOME", ".cargo"), tool_home("RUSTUP_HOME", ".rustup"));
    // Its own words count for nothing; the user's for the directory that they name.
    for (name, is_trusted) in [
        ("its own words", false),
        ("another directory", false),
        ("the user's words", true),
    ] {
        let repo = Repo::new(OPEN);
        let app = repo.root().join("app");
        fs::set_permissions(app.join("canary.sh"), fs::Permissions::from_mode(0o755)).expect("it is there");
        let settings = "[rust]\ntrusted = [\"/\"]\nenabled = true\n";
        repo.write("app/.portolan.toml", settings);
        repo.write("app/portolan.toml", settings);
        let trusted = match (name, is_trusted) {
            (_, true) => app.to_string_lossy().into_owned(),
            ("another directory", _) => format!("{}/elsewhere,{}/*/app/deeper", app.display(), repo.root().display()),
            _ => String::new(),
        };
        let env = [
            ("PORTOLAN_RUST_ENABLED", "true"),
            ("PORTOLAN_RUST_WAIT_MS", "25000"),
            ("PORTOLAN_RUST_TRUSTED", trusted.as_str()),
            ("PATH", path.as_str()),
            ("CARGO_HOME", cargo_home.as_str()),
            ("RUSTUP_HOME", rustup_home.as_str()),
        ];
        let mut server = Server::initialized_with(&app, &["--toolsets", "all"], &env);
        let answer = server.call(
            "find_definition",
            json!({ "file": "src/lib.rs", "line": 5, "symbol": "done" }),
        );
        let exact = rows(&answer, "definitions") == ["src/lib.rs:2 exact"];
        let status = server.call("index_status", json!({}));
        let text = status["content"][0]["text"].as_str().unwrap_or_default();
        assert_eq!(exact, is_trusted, "{name}: {answer} {text}");
        assert_eq!(app.join("CANARY").exists(), is_trusted, "{name}: {text}");
        assert_eq!(
            text.contains("cargo has resolved 2 packages"),
            is_trusted,
            "{name}: {text}"
        );
        assert!(text.contains("rust.enabled, rust.trusted ignored"), "{name}: {text}");
    }
}

/// Every file below a directory, with its content.
fn contents(dir: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut dirs = vec![dir.to_owned()];
    while let Some(dir) = dirs.pop() {
        for entry in fs::read_dir(&dir).unwrap().map(Result::unwrap) {
            match entry.file_type().unwrap().is_dir() {
                true => dirs.push(entry.path()),
                false => drop(found.insert(entry.path(), fs::read(entry.path()).unwrap())),
            }
        }
    }
    found
}

/// Cargo is asked, and nothing that the repository has is written, made or removed.
#[test]
fn a_trusted_repository_stays_as_it_is() {
    const STALE: &str = "version = 4\n\n[[package]]\nname = \"app\"\nversion = \"0.0.1\"\n";
    let path = std::env::var("PATH").unwrap_or_default();
    let (cargo_home, rustup_home) = (tool_home("CARGO_HOME", ".cargo"), tool_home("RUSTUP_HOME", ".rustup"));
    let no_wrapper = ("app/.cargo/config.toml", "[build]\n");
    for (name, lock, is_told) in [
        ("it fits", None, true),
        ("it is missing", Some(""), false),
        ("it is stale", Some(STALE), false),
        ("it is broken", Some("<<<<<<< HEAD\n"), false),
    ] {
        let repo = Repo::new(OPEN);
        let app = repo.root().join("app");
        repo.write(no_wrapper.0, no_wrapper.1);
        match lock {
            None => {}
            Some("") => repo.remove("app/Cargo.lock"),
            Some(text) => repo.write("app/Cargo.lock", text),
        }
        // Where cargo would keep what it finds out about the compiler.
        repo.write("app/target/CACHEDIR.TAG", "Signature: 8a477f597d28d172789f06886806bc55");
        let before = contents(&repo.root());
        let trusted = app.to_string_lossy().into_owned();
        let env = [
            ("PORTOLAN_RUST_ENABLED", "true"),
            ("PORTOLAN_RUST_WAIT_MS", "25000"),
            ("PORTOLAN_RUST_TRUSTED", trusted.as_str()),
            ("PATH", path.as_str()),
            ("CARGO_HOME", cargo_home.as_str()),
            ("RUSTUP_HOME", rustup_home.as_str()),
        ];
        let mut server = Server::initialized_with(&app, &["--toolsets", "all"], &env);
        server.call("find_references", json!({ "symbol": "Own" }));
        let status = server.call("index_status", json!({}));
        let text = status["content"][0]["text"].as_str().unwrap_or_default();
        assert_eq!(
            text.contains("cargo has resolved 2 packages"),
            is_told,
            "{name}: {text}"
        );
        assert_eq!(text.contains("cargo does not tell"), !is_told, "{name}: {text}");
        if lock.is_some_and(|lock| !lock.starts_with('<')) {
            assert!(text.contains("run `cargo generate-lockfile`"), "{name}: {text}");
        }
        assert_eq!(contents(&repo.root()), before, "{name}");
    }
}
