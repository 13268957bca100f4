//! Exact answers from the real binary, about a repository that would like to be run.

use std::fs;

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
