//! Names as those know them who have not seen where things are written: public paths, other names that things are handed on
//! under, macros with their mark, functions as backtraces write them.

use serde_json::{Value, json};
use test_fixture::Repo;

use crate::kit::{Kit, string};

/// `path:line` of each row, or all of an answer that has none.
fn places(answer: &Value, key: &str) -> Vec<String> {
    match answer[key].as_array() {
        Some(rows) => rows
            .iter()
            .map(|row| format!("{}:{}", string(&row["path"]), row["line"]))
            .collect(),
        None => vec![answer.to_string()],
    }
}

fn defined(kit: &Kit, symbol: &str) -> Vec<String> {
    places(&kit.json("find_definition", json!({ "symbol": symbol })), "definitions")
}

fn callers(kit: &Kit, symbol: &str) -> Vec<String> {
    let answer = kit.json("find_callers", json!({ "symbol": symbol }));
    match answer["callers"].as_array() {
        Some(rows) => rows.iter().map(|row| string(&row["name"]).to_owned()).collect(),
        None => vec![answer.to_string()],
    }
}

#[test]
fn what_is_handed_on_under_another_name() {
    let repo = Repo::new(
        r#"
//- /Cargo.toml
[package]
name = "docs"
edition = "2021"
//- /src/lib.rs
mod doc;
mod front;
pub use doc::Document;

pub fn made() { let mut one = Document::default(); one.add(1); }
pub fn new() { let mut one = Document::new(); one.add(2); }
pub fn given(one: &mut Document) { one.add(3); }
pub fn other(one: &mut doc::Other) { one.add(3); }
//- /src/doc.rs
pub use Compact as Document;

pub struct Compact { all: Vec<u32> }
impl Default for Compact { fn default() -> Self { Compact { all: Vec::new() } } }
impl Compact {
    pub fn new() -> Self { Self::default() }
    pub fn add(&mut self, n: u32) { self.all.push(n) }
}
pub struct Other;
impl Other { pub fn add(&mut self, n: u32) {} }
//- /src/front.rs
use crate::doc::Other;
pub use Other as Another;
fn taken(one: &mut Another) { one.add(4); }
//- /web/shape.ts
class Round { grow() {} }
export { Round as Circle };
//- /web/use.ts
import { Circle } from './shape';
export function use(one: Circle) { one.grow(); }
"#,
    );
    let kit = Kit::new(&repo.root());
    for (symbol, expected) in [
        ("Document", "src/doc.rs:3"),
        ("docs::Document", "src/doc.rs:3"),
        ("Document::add", "src/doc.rs:7"),
        ("docs::Document::add", "src/doc.rs:7"),
        ("front::Another", "src/doc.rs:9"),
        ("Circle", "web/shape.ts:1"),
    ] {
        assert_eq!(defined(&kit, symbol), [expected], "{symbol}");
    }
    for symbol in ["Compact::add", "Document::add", "docs::Document::add"] {
        assert_eq!(callers(&kit, symbol), ["made", "new", "given"], "{symbol}");
    }
    assert_eq!(callers(&kit, "Other::add"), ["taken", "other"]);
    assert_eq!(callers(&kit, "Circle.grow"), ["use"]);
    let uses = kit.json("find_references", json!({ "symbol": "Compact", "max_results": 50 }));
    let uses = places(&uses, "references");
    for place in ["src/lib.rs:3", "src/lib.rs:5", "src/lib.rs:6", "src/lib.rs:7"] {
        assert!(uses.iter().any(|used| used == place), "{place}: {uses:?}");
    }
    let renamed = kit.text(
        "rename_symbol",
        json!({ "old_name": "Compact::add", "new_name": "put" }),
    );
    assert!(
        renamed.starts_with("`Compact::add` -> `put`: 4 sites in 2 files"),
        "{renamed}"
    );
}

#[test]
fn a_public_path_means_one_thing() {
    let repo = Repo::new(
        r#"
//- /Cargo.toml
[package]
name = "rt"
edition = "2021"
//- /src/lib.rs
pub mod task;
pub mod time;
mod blocking;
mod macros;
pub use task::spawn;
//- /src/task/mod.rs
mod spawn;
pub use spawn::spawn;
pub mod list;
//- /src/task/spawn.rs
pub fn spawn() { super::list::Handle::spawn(); }
//- /src/task/list.rs
pub struct Handle { pub frames: u32 }
impl Handle {
    pub fn spawn() {}
    pub fn frames(&self) -> u32 { self.frames }
}
fn shown(handle: &Handle) -> u32 { handle.frames() }
//- /src/time/mod.rs
mod sleep;
pub use sleep::sleep;
//- /src/time/sleep.rs
pub fn sleep() { crate::spawn(); }
//- /src/blocking.rs
pub(crate) fn spawn() {}
pub(crate) fn sleep() {}
//- /src/macros/mod.rs
mod select;
mod join;
//- /src/macros/select.rs
docs! {macro_rules! select {
    ($all:expr) => { $all };
}}
//- /src/macros/join.rs
pub fn join() {}
//- /repo/repo.go
package repo

type Saver interface { Save(name string) error }

type Repository struct{}

func (r *Repository) Save(name string) error { return nil }
//- /repo/sub/repository.go
package sub

type Repository interface { Save(name string) error }

func Use(r Repository) { r.Save("x") }
"#,
    );
    let kit = Kit::new(&repo.root());
    for (symbol, expected) in [
        ("rt::spawn", "src/task/spawn.rs:1"),
        ("rt::task::spawn", "src/task/spawn.rs:1"),
        ("rt::time::sleep", "src/time/sleep.rs:1"),
        ("rt::task::list::Handle::spawn", "src/task/list.rs:3"),
        ("rt::select!", "src/macros/select.rs:1"),
        ("select!", "src/macros/select.rs:1"),
        ("join!", "src/macros/join.rs:1"),
    ] {
        assert_eq!(defined(&kit, symbol), [expected], "{symbol}");
    }
    assert_eq!(callers(&kit, "rt::spawn"), ["sleep"]);
    assert_eq!(callers(&kit, "Handle::frames"), ["shown"]);
    let found = kit.json("find_callers", json!({ "symbol": "(*Repository).Save" }));
    assert_eq!(found["symbol"]["path"], "repo/repo.go", "{found}");
    // No module is called like that.
    let none = kit.json("find_definition", json!({ "symbol": "time!" }));
    assert_eq!(none["definitions"], json!([]), "{none}");
}

#[test]
fn functions_as_backtraces_write_them() {
    let repo = Repo::new(
        r#"
//- /Cargo.toml
[package]
name = "rt"
//- /src/lib.rs
pub mod sync;
//- /src/sync.rs
pub struct Notified<'a, T> { one: &'a T }
impl<T> Future for Notified<'_, T> {
    fn poll(self) -> u32 { 1 }
}
pub struct Harness<T, S> { one: T, other: S }
impl<T, S> Harness<T, S> {
    fn poll(self) -> u32 { 2 }
}
"#,
    );
    let kit = Kit::new(&repo.root());
    for (symbol, expected) in [
        ("<Notified as Future>::poll", "src/sync.rs:3"),
        (
            "<rt::sync::Notified<'_, T> as core::future::future::Future>::poll",
            "src/sync.rs:3",
        ),
        ("Harness<T, S>::poll", "src/sync.rs:7"),
        ("rt::sync::Harness<T,S>::poll", "src/sync.rs:7"),
        ("rt::sync::Harness::<Vec<T>, S>::poll", "src/sync.rs:7"),
    ] {
        assert_eq!(defined(&kit, symbol), [expected], "{symbol}");
        assert_eq!(callers(&kit, symbol), Vec::<String>::new(), "{symbol}");
    }
}

#[test]
fn what_only_heads_of_macros_use_is_used() {
    let repo = Repo::new(
        r#"
//- /Cargo.toml
[package]
name = "sizes"
//- /src/lib.rs
fn sizes() -> u32 { 1 }
fn few(n: u32) -> u32 { n }
fn pairs() -> u32 { 1 }

proptest! {
    #![proptest_config(few(2))]
    #[test]
    fn small(size in sizes(), all in vec(sizes(), 0..2)) {
        check(size);
    }
}

prop_compose! {
    fn pair()(a in pairs()) -> u32 { a }
}

fn check(n: u32) {}
"#,
    );
    let kit = Kit::new(&repo.root());
    assert_eq!(callers(&kit, "sizes"), ["small"]);
    assert_eq!(callers(&kit, "pairs"), ["pair"]);
    assert_eq!(callers(&kit, "check"), ["small"]);
    let few = kit.json("find_references", json!({ "symbol": "few" }));
    assert_eq!(places(&few, "references"), ["src/lib.rs:6"]);
}
