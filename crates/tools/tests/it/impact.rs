//! `impact_analysis`: what a change of a symbol reaches, and what a change that was made does.

use std::{fs, process::Command};

use expect_test::{Expect, expect};
use serde_json::{Value, json};
use test_fixture::Repo;

use crate::kit::Kit;

const REPO: &str = r#"
//- /Cargo.toml
[workspace]
members = ["crates/*"]
//- /crates/core/Cargo.toml
[package]
name = "core-lib"
//- /crates/core/src/lib.rs
pub struct Config {
    pub size: usize,
}

pub trait Sink {
    fn put(&mut self, line: &str);
}

pub fn parse(text: &str) -> Config {
    Config { size: trimmed(text).len() }
}

fn trimmed(text: &str) -> &str {
    text.trim()
}

pub fn unused() {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses() {
        assert_eq!(parse(" a ").size, 1);
    }
}
//- /crates/app/Cargo.toml
[package]
name = "app"
[dependencies]
core-lib = { path = "../core" }
//- /crates/app/src/main.rs
use core_lib::{Config, Sink, parse};

struct Lines(Vec<String>);

impl Sink for Lines {
    fn put(&mut self, line: &str) {
        self.0.push(line.to_owned());
    }
}

fn load() -> Config {
    parse("a b")
}

fn main() {
    let config = load();
    println!("{}", config.size);
}
//- /crates/app/tests/load.rs
use core_lib::parse;

fn check(text: &str, size: usize) {
    assert_eq!(parse(text).size, size);
}

#[test]
fn loads_words() {
    check("a", 1);
}

#[test]
fn loads_nothing() {
    check("", 0);
}
//- /py/shop.py
def total(items):
    return sum(price(item) for item in items)


def price(item):
    return item.cost
//- /py/test_shop.py
from py.shop import total


def test_total():
    assert total([]) == 0
"#;

fn indexed() -> (Repo, Kit) {
    let repo = Repo::new(REPO);
    let kit = Kit::new(&repo.root());
    kit.json("index_repository", json!({}));
    (repo, kit)
}

#[track_caller]
fn check(arguments: Value, expect: Expect) {
    let (_repo, kit) = indexed();
    expect.assert_eq(&kit.text("impact_analysis", arguments));
}

/// Without anything of this machine's configuration.
pub fn git(repo: &Repo, arguments: &[&str]) {
    let done = Command::new("git")
        .args([
            "-c",
            "user.name=a",
            "-c",
            "user.email=a@b",
            "-c",
            "commit.gpgsign=false",
        ])
        .args(arguments)
        .current_dir(repo.root())
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env_remove("GIT_DIR")
        .env_remove("GIT_INDEX_FILE")
        .output()
        .expect("git makes the repositories of these tests");
    assert!(
        done.status.success(),
        "git {arguments:?}: {}",
        String::from_utf8_lossy(&done.stderr)
    );
}

fn committed(fixture: &str) -> Repo {
    let repo = Repo::new(fixture);
    git(&repo, &["init", "-q", "-b", "main"]);
    commit(&repo);
    repo
}

fn commit(repo: &Repo) {
    git(repo, &["add", "-A"]);
    git(repo, &["commit", "-q", "-m", "all"]);
}

#[test]
fn a_function() {
    check(
        json!({ "symbol": "parse" }),
        expect![[r#"
        crates/core/src/lib.rs:9:8 parse (function, public)
          pub fn parse(text: &str) -> Config
        Risk medium: used in 3 files; public: others may use it too
        Affected: 3 files, 1 function, 3 tests

        Direct use (2, and 1 by tests below)
        crates/app/src (1):
        crates/app/src/main.rs:12 load(): call

        tests (1):
        crates/app/tests/load.rs:4 check(): call

        Tests to run (3):
        crates/core/src/lib.rs:24 tests::parses
        crates/app/tests/load.rs:8 loads_words through check (level 2)
        crates/app/tests/load.rs:13 loads_nothing through check (level 2)

        2 imports in these files not listed."#]],
    );
}

#[test]
fn levels_of_callers() {
    check(
        json!({ "symbol": "trimmed", "depth": 3 }),
        expect![[r#"
            crates/core/src/lib.rs:13:4 trimmed (function, private)
              fn trimmed(text: &str) -> &str
            Risk low: used in 2 files
            Affected: 3 files, 3 functions, 3 tests

            Direct use (1)
            crates/core/src (1):
            crates/core/src/lib.rs:10 parse(): call

            Callers, level 2 (1):
            crates/app/src/main.rs:11 load through parse

            Callers, level 3 (1):
            crates/app/src/main.rs:15 main through load

            Tests to run (3):
            crates/core/src/lib.rs:24 tests::parses through parse (level 2)
            crates/app/tests/load.rs:8 loads_words through check (level 3)
            crates/app/tests/load.rs:13 loads_nothing through check (level 3)"#]],
    );
}

#[test]
fn a_type_and_a_trait() {
    check(
        json!({ "symbol": "Config" }),
        expect![[r#"
            crates/core/src/lib.rs:1:12 Config (struct, public)
              pub struct Config
            Risk medium: used in 2 files of 2 subsystems (crates/app, crates/core); public: others may use it too
            Affected: 3 files, 2 functions, 3 tests

            Direct use (3)
            crates/app (1):
            crates/app/src/main.rs:11 load(): return type

            crates/core (2):
            crates/core/src/lib.rs:9,10 parse(): return type, type

            Tests to run (3):
            crates/core/src/lib.rs:24 tests::parses through parse (level 2)
            crates/app/tests/load.rs:8 loads_words through check (level 3)
            crates/app/tests/load.rs:13 loads_nothing through check (level 3)

            Uses of its members are not among these: ask for them by name.
            1 import in these files not listed."#]],
    );
    check(
        json!({ "symbol": "Sink" }),
        expect![[r#"
            crates/core/src/lib.rs:5:11 Sink (trait, public)
              pub trait Sink
            Risk medium: used in 1 file; 1 implementation; public: others may use it too
            Affected: 1 file, 0 functions, 0 tests

            Implementations (1):
            crates/app/src/main.rs:5 Lines (impl)

            Uses of its members are not among these: ask for them by name.
            1 import in these files not listed."#]],
    );
}

#[test]
fn nothing_uses_it() {
    check(
        json!({ "symbol": "unused" }),
        expect![[r#"
        crates/core/src/lib.rs:17:8 unused (function, public)
          pub fn unused()
        Risk low: nothing here uses it; public: others may use it too
        Affected: 0 files, 0 functions, 0 tests"#]],
    );
}

#[test]
fn by_position() {
    check(
        json!({ "file": "py/shop.py", "line": 5 }),
        expect![[r#"
            py/shop.py:5:5 price (function, public)
              def price(item)
            Risk medium: used in 1 file; public: others may use it too
            Affected: 2 files, 1 function, 1 test

            Direct use (1)
            py (1):
            py/shop.py:2 total(): call

            Tests to run (1):
            py/test_shop.py:4 test_total through total (level 2)"#]],
    );
}

#[test]
fn the_structured_answer_has_every_list() {
    let (_repo, kit) = indexed();
    let answer = kit.json("impact_analysis", json!({ "symbol": "parse", "depth": 2 }));
    for list in ["direct", "callers", "types", "implementations", "tests"] {
        assert!(answer[list].is_array(), "{list}: {answer}");
    }
    for list in ["direct", "callers", "tests"] {
        for row in answer[list].as_array().unwrap() {
            assert!(row["path"].is_string() && row["line"].is_u64(), "{list}: {row}");
            assert!(
                row["origin"].is_string() && row["confidence"].is_number(),
                "{list}: {row}"
            );
        }
    }
    let levels: Vec<&Value> = answer["callers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| &row["depth"])
        .collect();
    assert!(levels.contains(&&json!(1)) && levels.contains(&&json!(2)), "{answer}");
    for field in ["files", "functions", "tests", "risk", "reason"] {
        assert!(!answer["summary"][field].is_null(), "{field}: {answer}");
    }
    let types = kit.json("impact_analysis", json!({ "symbol": "Config" }));
    assert!(!types["types"].as_array().unwrap().is_empty());
    let traits = kit.json("impact_analysis", json!({ "symbol": "Sink" }));
    assert_eq!(traits["implementations"][0]["name"], "Lines");
}

#[test]
fn a_small_budget_has_some_of_everything_and_pages_the_rest() {
    let repo = Repo::new("//- /a.py\ndef used():\n    pass\n");
    for n in 0..60 {
        repo.write(
            &format!("pkg/m{n:02}.py"),
            format!("from a import used\n\ndef f{n}():\n    used()\n"),
        );
        repo.write(
            &format!("tests/test_m{n:02}.py"),
            format!("from pkg.m{n:02} import f{n}\n\ndef test_{n}():\n    f{n}()\n"),
        );
    }
    let kit = Kit::new(&repo.root());
    let first = kit.json("impact_analysis", json!({ "symbol": "used" }));
    assert_eq!(first["summary"]["tests"], 60);
    assert_eq!(first["summary"]["functions"], 60);
    assert!(!first["direct"].as_array().unwrap().is_empty());
    assert!(!first["tests"].as_array().unwrap().is_empty());
    // Rows that go on with a list that is on the page are below its title.
    for max_tokens in [1500, 3000, 4000, 6000] {
        let text = kit.text("impact_analysis", json!({ "symbol": "used", "max_tokens": max_tokens }));
        assert_eq!(text.matches("Direct use (").count(), 1, "{text}");
        assert!(text.matches("Tests to run (").count() <= 1, "{text}");
    }
    let mut seen = [Vec::new(), Vec::new()];
    let mut arguments = json!({ "symbol": "used", "max_tokens": 1500 });
    loop {
        let call = kit.call("impact_analysis", arguments.clone());
        assert!(!call.is_error() && tools::count_tokens(&call.text) <= 1500);
        assert!(tools::count_tokens(&call.structured.to_string()) <= 1500);
        for (list, seen) in ["direct", "tests"].iter().zip(&mut seen) {
            let rows = call.structured[list].as_array().unwrap();
            seen.extend(rows.iter().map(|row| row["path"].as_str().unwrap().to_owned()));
        }
        match call.structured["next_cursor"].clone() {
            Value::Null => break,
            cursor => arguments["cursor"] = cursor,
        }
    }
    for mut paths in seen {
        paths.sort();
        let count = paths.len();
        paths.dedup();
        assert_eq!((count, paths.len()), (60, 60));
    }
}

#[test]
fn an_uncommitted_change() {
    let repo = committed(REPO);
    let kit = Kit::new(&repo.root());
    assert!(
        kit.text("impact_analysis", json!({ "diff": true }))
            .contains("nothing differs")
    );
    let text = std::fs::read_to_string(repo.path("crates/core/src/lib.rs")).unwrap();
    let text = text
        .replace("text.trim()", "text.trim_end()")
        .replace("pub fn unused() {}\n", "pub fn added() {}\n");
    repo.write("crates/core/src/lib.rs", text);
    repo.write("py/new.py", "def fresh():\n    pass\n");
    repo.remove("py/shop.py");
    expect![[r#"
        Uncommitted change: 3 files (+4 -8 lines), 6 definitions
        Risk high: 2 uses of what is gone; used in 2 files
        Affected: 3 files, 1 function, 4 tests

        Changed (6):
        py/shop.py:1 total (function) removed, still used in 1 place: py/test_shop.py:5
        crates/core/src/lib.rs:17 unused (function) removed
        py/shop.py:5 price (function) removed
        crates/core/src/lib.rs:13 trimmed (function) body modified, 1 use
        crates/core/src/lib.rs:17 added (function) added
        py/new.py:1 fresh (function) added

        Direct use (2, and 1 by tests below)
        tests (1):
        py/test_shop.py:1: import of py/shop.py [by name, 0.85]

        crates/core/src (1):
        crates/core/src/lib.rs:10 parse(): call of trimmed

        Tests to run (4):
        py/test_shop.py:4 test_total [by name, 0.85]
        crates/core/src/lib.rs:24 tests::parses through parse (level 2)
        crates/app/tests/load.rs:8 loads_words through check (level 3)
        crates/app/tests/load.rs:13 loads_nothing through check (level 3)"#]]
    .assert_eq(&kit.text("impact_analysis", json!({ "diff": "uncommitted" })));
    // Every way to ask for it.
    let answer = |diff: Value| kit.json("impact_analysis", json!({ "diff": diff }))["changed"].clone();
    let expected = answer(json!("uncommitted"));
    assert_eq!(expected.as_array().unwrap().len(), 6);
    for diff in [json!(true), json!("true"), json!("HEAD"), json!("@")] {
        assert_eq!(answer(diff.clone()), expected, "{diff}");
    }
    // Staged or not makes no difference.
    git(&repo, &["add", "-A"]);
    assert_eq!(answer(json!(true)), expected);
    git(&repo, &["gc", "-q"]);
    assert_eq!(answer(json!(true)), expected);
    let one = kit.json("impact_analysis", json!({ "diff": true, "file": "py/new.py" }));
    assert_eq!(one["changed"].as_array().unwrap().len(), 1);
}

#[test]
fn what_is_gone_from_where_it_was() {
    let repo = committed(
        r#"
//- /pkg/__init__.py
from .sig import alpha
//- /pkg/sig.py
def alpha(): return 1
//- /pkg/app.py
from pkg.sig import alpha
def run(): return alpha()
//- /pkg/views.py
class View:
    def label(self): return 1
    def use(self): return self.label()
class Other:
    def label(self): return 2
    def use(self): return self.label()
//- /tests/test_app.py
from pkg.sig import alpha
class Own:
    def alpha(self): return 1
def test_alpha(): assert alpha() == Own().alpha()
"#,
    );
    let kit = Kit::new(&repo.root());
    let text = std::fs::read_to_string(repo.path("pkg/sig.py")).unwrap();
    repo.write("pkg/signals.py", text);
    repo.remove("pkg/sig.py");
    let text = std::fs::read_to_string(repo.path("pkg/views.py")).unwrap();
    repo.write(
        "pkg/views.py",
        text.replacen("def label", "def title", 1)
            .replace("def label(self)", "def label(self, wide)"),
    );
    expect![[r#"
        Uncommitted change: 3 files (+3 -3 lines), 4 definitions
        Risk high: 6 uses of what is gone; used in 4 files; public: others may use it too
        Affected: 4 files, 3 functions, 1 test

        Changed (4):
        pkg/views.py:2 View.label (method) removed, still used in 1 place: pkg/views.py:3
        pkg/views.py:5 Other.label (method) signature modified, 1 use
        pkg/sig.py:1 alpha (function) moved to pkg/signals.py:1, still used in 2 places: pkg/app.py:2, tests/test_app.py:4
        pkg/views.py:2 View.title (method) added

        Direct use (6, and 1 by tests below)
        pkg (5):
        pkg/__init__.py:1: import of pkg/sig.py [by name, 0.85]
        pkg/app.py:1: import of pkg/sig.py [by name, 0.85]
        pkg/views.py:3 View.use(): call of label [by name, 0.85]
        pkg/views.py:6 Other.use(): call of label
        pkg/app.py:2 run(): call of alpha [by name, 0.85]

        tests (1):
        tests/test_app.py:1: import of pkg/sig.py [by name, 0.85]

        Tests to run (1):
        tests/test_app.py:4 test_alpha [by name, 0.85]"#]]
    .assert_eq(&kit.text("impact_analysis", json!({ "diff": "uncommitted" })));
}

/// What is asked of the module that something was in is left over as well, whether the module is there or not.
#[test]
fn what_is_asked_of_the_module_that_it_was_in() {
    const FIXTURE: &str = "
//- /pkg/__init__.py
//- /pkg/util.py
def helper(x): return x
def rest(): return 1
//- /pkg/app.py
from pkg.util import helper
def go(): return helper(1)
//- /pkg/app2.py
from pkg import util
def go2(): return util.helper(1)
";
    let uses = |repo: &Repo| {
        let kit = Kit::new(&repo.root());
        let found = kit.json("impact_analysis", json!({ "diff": "uncommitted" }));
        let direct = found["direct"].as_array().unwrap().iter();
        let places = direct.map(|row| format!("{}:{}", row["path"].as_str().unwrap(), row["line"]));
        (places.collect::<Vec<_>>(), found["changed"][0]["uses"].clone())
    };
    let all = ["pkg/app.py:1", "pkg/app.py:2", "pkg/app2.py:2"].map(str::to_owned);
    // Removed, and moved.
    for other in ["", "def helper(x): return x\n"] {
        let repo = committed(FIXTURE);
        repo.write("pkg/util.py", "def rest(): return 1\n");
        repo.write("pkg/moved.py", other);
        assert_eq!(uses(&repo), (all.to_vec(), json!(3)), "{other:?}");
    }
    let repo = committed(FIXTURE);
    git(&repo, &["mv", "pkg/util.py", "pkg/helpers.py"]);
    let (mut places, _) = uses(&repo);
    places.sort();
    assert_eq!(
        places,
        ["pkg/app.py:1", "pkg/app.py:2", "pkg/app2.py:1", "pkg/app2.py:2"]
    );
}

/// A clause that says of which package a file is defines nothing: its change is that of what moves with it.
#[test]
fn a_class_that_goes_to_another_package() {
    let repo = committed(
        r#"
//- /src/old/Box.java
package old;
public class Box { public int size() { return 1; } }
//- /src/app/Main.java
package app;
import old.Box;
class Main { int run() { return new Box().size(); } }
"#,
    );
    let kit = Kit::new(&repo.root());
    let text = std::fs::read_to_string(repo.path("src/old/Box.java")).unwrap();
    repo.write("src/fresh/Box.java", text.replace("package old", "package fresh"));
    repo.remove("src/old/Box.java");
    expect![[r#"
        Uncommitted change: 2 files (+2 -2 lines), 1 definition
        Risk high: 2 uses of what is gone; used in 1 file; no test found that reaches it
        Affected: 1 file, 1 function, 0 tests

        Changed (1):
        src/old/Box.java:2 Box (class) moved to src/fresh/Box.java:2, still used in 1 place: src/app/Main.java:3

        Direct use (2)
        src/app (2):
        src/app/Main.java:2: import of src/old/Box.java [by name, 0.85]
        src/app/Main.java:3 Main.run(): call of Box [by name, 0.85]"#]]
    .assert_eq(&kit.text("impact_analysis", json!({ "diff": "uncommitted" })));
}

#[test]
fn what_a_change_outside_of_definitions_breaks() {
    let fixture = r#"
//- /ts/util.ts
export function fit(a: number) { return a; }
export const near = 1;
//- /ts/index.ts
export { fit, near } from './util';
export * from './style.css';
register(near);
//- /ts/view.ts
import { fit } from '.';
export function view() { return fit(1); }
//- /ts/style.css
a { color: red }
//- /src/lib.rs
mod shape;
pub fn area() -> u32 { shape::side() * 2 }
//- /src/shape.rs
pub fn side() -> u32 { 2 }
//- /Point.java
class Point { Point(int x) {} }
class Use { Point p() { return new Point(1); } }
//- /pkg/text.py
import os
def slug(a): return a
//- /pkg/other.py
import os
from email import text
def other(): return os.name, text
//- /pkg/page.py
from pkg.text import slug
def page(): return slug(1)
"#;
    let changed = |edit: &dyn Fn(&Repo)| {
        let repo = committed(fixture);
        edit(&repo);
        Kit::new(&repo.root()).text("impact_analysis", json!({ "diff": "uncommitted" }))
    };
    let replaced = |file: &'static str, from: &'static str, to: &'static str| {
        move |repo: &Repo| {
            let text = std::fs::read_to_string(repo.path(file)).unwrap();
            assert!(text.contains(from), "{file}: {from}");
            repo.write(file, text.replacen(from, to, 1));
        }
    };
    let moved = |from: &'static str, to: &'static str| {
        move |repo: &Repo| {
            let text = std::fs::read_to_string(repo.path(from)).unwrap();
            repo.write(to, text);
            repo.remove(from);
        }
    };
    // Not handed on any more.
    expect![[r#"
        Uncommitted change: 1 file (+1 -1 lines), 0 definitions
        No definition changed in ts/index.ts
        Risk high: 1 use of what is gone; used in 1 file
        Affected: 1 file, 0 functions, 0 tests

        Direct use (1)
        ts (1):
        ts/view.ts:1: import of fit [by name, 0.85]

        ts/index.ts:1 does not hand on `fit` any more, imported in 1 place."#]]
    .assert_eq(&changed(&replaced("ts/index.ts", "{ fit, near }", "{ near }")));
    // What others have from elsewhere they do not miss.
    let text = changed(&replaced("pkg/text.py", "import os\n", ""));
    assert!(text.contains("nothing here uses it"), "{text}");
    // A statement that runs when the file is loaded.
    expect![[r#"
        Uncommitted change: 1 file (+1 -1 lines), 0 definitions
        No definition changed in ts/index.ts
        Risk low: used in 1 file
        Affected: 1 file, 0 functions, 0 tests

        Direct use (1)
        ts (1):
        ts/view.ts:1: import of ts/index.ts"#]]
    .assert_eq(&changed(&replaced(
        "ts/index.ts",
        "register(near)",
        "register(near + 1)",
    )));
    // Files that others ask for by name.
    expect![[r#"
        Uncommitted change: 1 file (+0 -1 lines), 0 definitions
        No definition changed in ts/style.css
        Risk high: 1 use of what is gone; used in 1 file
        Affected: 1 file, 0 functions, 0 tests

        Direct use (1)
        ts (1):
        ts/index.ts:2: import of ts/style.css [by name, 0.85]"#]]
    .assert_eq(&changed(&|repo: &Repo| repo.remove("ts/style.css")));
    expect![[r#"
        Uncommitted change: 2 files (+1 -1 lines), 1 definition
        Risk high: 1 use of what is gone; used in 1 file; no test found that reaches it
        Affected: 1 file, 1 function, 0 tests

        Changed (1):
        src/shape.rs:1 side (function) moved to src/form.rs:1, 1 use

        Direct use (2)
        src (2):
        src/lib.rs:1: import of src/shape.rs [by name, 0.85]
        src/lib.rs:2 area(): call of side [by name, 0.75]"#]]
    .assert_eq(&changed(&moved("src/shape.rs", "src/form.rs")));
    // What its constructor takes.
    expect![[r#"
        Uncommitted change: 1 file (+1 -1 lines), 2 definitions
        Risk low: used in 1 file; no test found that reaches it
        Affected: 1 file, 1 function, 0 tests

        Changed (2):
        Point.java:1 Point.Point (constructor) signature modified, 1 use
        Point.java:1 Point (class) body modified, 2 uses

        Direct use (2)
        (root) (2):
        Point.java:2 Use.p(): return type of Point, call of Point"#]]
    .assert_eq(&changed(&replaced("Point.java", "Point(int x)", "Point(int x, int y)")));
    // Moved, and everybody knows.
    expect![[r#"
        Uncommitted change: 3 files (+3 -3 lines), 1 definition
        No definition changed in pkg/page.py
        Risk low: used in 1 file; no test found that reaches it
        Affected: 1 file, 1 function, 0 tests

        Changed (1):
        pkg/text.py:2 slug (function) moved to pkg/words.py:2, 2 uses

        Direct use (1)
        pkg (1):
        pkg/page.py:2 page(): call of slug

        1 import in these files not listed."#]]
    .assert_eq(&changed(&|repo: &Repo| {
        moved("pkg/text.py", "pkg/words.py")(repo);
        replaced("pkg/page.py", "pkg.text", "pkg.words")(repo);
    }));
}

#[test]
fn what_tests_share_is_no_test() {
    let repo = Repo::new(
        r#"
//- /hook.ts
export function useThing(a: number) { return a; }
//- /tests/hook.test.ts
import { useThing } from '../hook';
type Given = ReturnType<typeof useThing>;
function helper() { return useThing(1); }
it('works', () => { useThing(2); });
//- /Conv.cs
public class Conv { public virtual bool Can(int t) { return true; } }
//- /Tests/Help.cs
public class Help { public bool Write(Conv c) { return c.Can(1); } }
"#,
    );
    let kit = Kit::new(&repo.root());
    let tests = |symbol: &str| {
        let answer = kit.json("impact_analysis", json!({ "symbol": symbol }));
        let tests = answer["tests"].as_array().cloned().unwrap_or_default();
        let names = tests.iter().map(|test| test["name"].as_str().unwrap().to_owned());
        names.collect::<Vec<_>>()
    };
    assert_eq!(tests("useThing"), ["works"]);
    assert_eq!(tests("Conv.Can"), Vec::<String>::new());
}

#[test]
fn uses_of_implementations_change_with_an_interface() {
    let repo = Repo::new(
        "
//- /M.java
interface Runner { int run(int a); }
class Fast implements Runner { public int run(int a) { return a; } }
class Other { int run(int a) { return a; } }
class Use {
    int viaInterface(Runner r) { return r.run(1); }
    int viaClass(Fast f) { return f.run(1); }
    int viaOther(Other o) { return o.run(1); }
}
",
    );
    let kit = Kit::new(&repo.root());
    let asked = json!({ "symbol": "Runner.run" });
    expect![[r#"
        M.java:1:24 Runner.run (method, public, declaration)
          int run(int a)
        Risk medium: used in 1 file; 1 implementation; public: others may use it too; no test found that reaches it
        Affected: 1 file, 2 functions, 0 tests

        Direct use (2)
        (root) (2):
        M.java:5 Use.viaInterface(): call of run
        M.java:6 Use.viaClass(): call of Fast.run

        Implementations (1):
        M.java:2 Fast.run (method)"#]]
    .assert_eq(&kit.text("impact_analysis", asked.clone()));
    let references = kit.json("find_references", asked);
    assert_eq!(
        (&references["total"], &references["through_implementations"]),
        (&json!(1), &json!(1))
    );
}

#[test]
fn what_types_owe_to_an_interface() {
    const FILES: &str = r#"
//- /store.go
package store

type Saver interface {
	Save(name string) error
	Close() error
}

type Store struct{ path string }

func (s *Store) Save(name string) error { return nil }
func (s *Store) Close() error           { return nil }

type Other struct{}

func (o Other) Save(name string, much int) error { return nil }
//- /Saver.java
interface Saver { void save(String name); }
class Store implements Saver { public void save(String name) {} }
//- /saver.ts
export interface Saver { save(name: string): void }
export class Store implements Saver { save(name: string): void {} }
//- /saver.rs
pub trait Saver { fn save(&self, name: &str); }
pub struct Store;
impl Saver for Store { fn save(&self, name: &str) {} }
"#;
    let changed = |edits: &[(&str, &str, &str)]| {
        let repo = committed(FILES);
        for (file, from, to) in edits {
            let text = std::fs::read_to_string(repo.path(file)).unwrap();
            assert!(text.contains(from), "{file}: {from}");
            repo.write(file, text.replacen(from, to, 1));
        }
        Kit::new(&repo.root()).text("impact_analysis", json!({ "diff": "uncommitted" }))
    };
    // New members: what need not be there or is given is owed by nobody.
    expect![[r#"
        Uncommitted change: 4 files (+4 -3 lines), 10 definitions
        Risk high: 4 definitions do not fit the type derived from; used in 3 files; 4 implementations; public: others may use it too
        Affected: 4 files, 0 functions, 0 tests

        Changed (10):
        Saver.java:1 Saver (interface) body modified, 1 use
        saver.rs:1 Saver (trait) body modified, 1 use
        saver.ts:1 Saver (interface) body modified, 1 use
        Saver.java:1 Saver.flush (method) added
        Saver.java:1 Saver.given (method) added
        saver.rs:1 Saver::flush (method) added
        saver.rs:1 Saver::given (method) added
        saver.ts:1 Saver.flush (method) added
        saver.ts:1 Saver.may (method) added
        store.go:6 Saver.Flush (method) added

        Implementations (4):
        Saver.java:2 Store (class): has no flush
        saver.rs:3 Store (impl): has no flush
        saver.ts:2 Store (class): has no flush
        store.go:9 Store (struct): has no Flush"#]].assert_eq(&changed(&[
        ("store.go", "\tClose() error\n", "\tClose() error\n\tFlush() error\n"),
        (
            "Saver.java",
            "{ void save",
            "{ void flush(); default void given() {} void save",
        ),
        (
            "saver.ts",
            "save(name: string): void }",
            "save(name: string): void; flush(): void; may?(): void }",
        ),
        ("saver.rs", "fn save", "fn flush(&self); fn given(&self) {} fn save"),
    ]));
    // The interface takes something else.
    expect![[r#"
        Uncommitted change: 3 files (+3 -3 lines), 5 definitions
        Risk high: 3 definitions do not fit the type derived from; used in 2 files; 5 implementations; public: others may use it too
        Affected: 3 files, 0 functions, 0 tests

        Changed (5):
        Saver.java:1 Saver.save (method) signature modified
        saver.rs:1 Saver::save (method) signature modified
        store.go:4 Saver.Save (method) signature modified
        Saver.java:1 Saver (interface) body modified, 1 use
        saver.rs:1 Saver (trait) body modified, 1 use

        Implementations (5):
        Saver.java:2 Store (class)
        Saver.java:2 Store.save (method): does not fit any more
        saver.rs:3 Store (impl)
        saver.rs:3 Store::save (method): does not fit any more
        store.go:10 Store.Save (method): does not fit any more"#]].assert_eq(&changed(&[
        ("store.go", "\tSave(name string)", "\tSave(name string, much int)"),
        (
            "Saver.java",
            "{ void save(String name)",
            "{ void save(String name, int much)",
        ),
        ("saver.rs", "fn save(&self, name: &str);", "fn save(&self, name: &str, much: u32);"),
    ]));
    // The type does.
    expect![[r#"
        Uncommitted change: 2 files (+2 -2 lines), 3 definitions
        Risk high: 2 definitions do not fit the type derived from; public: others may use it too
        Affected: 0 files, 0 functions, 0 tests

        Changed (3):
        Saver.java:2 Store.save (method) signature modified; does not stand in any more for Saver.save Saver.java:1
        store.go:10 Store.Save (method) signature modified; does not stand in any more for Saver.Save store.go:4
        Saver.java:2 Store (class) body modified"#]]
    .assert_eq(&changed(&[
        (
            "store.go",
            "(s *Store) Save(name string)",
            "(s *Store) Save(name string, much int)",
        ),
        (
            "Saver.java",
            "public void save(String name)",
            "public void save(String name, int much)",
        ),
    ]));
    let repo = committed(FILES);
    let kit = Kit::new(&repo.root());
    for (file, line, expected) in [
        ("store.go", 10, "Saver.Save store.go:4"),
        ("Saver.java", 2, "Saver.save Saver.java:1"),
    ] {
        let column = std::fs::read_to_string(repo.path(file)).unwrap();
        let column = column
            .lines()
            .nth(line - 1)
            .unwrap()
            .to_lowercase()
            .find("save(")
            .unwrap()
            + 1;
        let place = json!({ "file": file, "line": line, "column": column });
        for tool in ["impact_analysis", "deep_dive"] {
            let text = kit.text(tool, place.clone());
            assert!(
                text.contains(&format!("stands in for {expected}")),
                "{tool} {file}: {text}"
            );
        }
    }
}

#[test]
fn what_a_changed_interface_leaves_behind() {
    let repo = committed(
        "
//- /Visitor.java
interface Visitor {
    void head(String name);
}
//- /Named.java
class Named implements Visitor {
    public void head(String name) {}
}
",
    );
    repo.write(
        "Visitor.java",
        "interface Visitor {\n    void head(String name, int depth);\n}\n",
    );
    let kit = Kit::new(&repo.root());
    let answer = kit.text("impact_analysis", json!({ "diff": "uncommitted" }));
    assert!(answer.contains("Implementations (1):\nNamed.java:2"), "{answer}");

    // A changed body leaves nothing behind, and an overload below is none of its business.
    let repo = committed(
        "
//- /Base.java
class Base {
    void head(String name) {}
}
//- /Derived.java
class Derived extends Base {
    void head(int depth) {}
}
",
    );
    repo.write(
        "Base.java",
        "class Base {\n    void head(String name) { name.trim(); }\n}\n",
    );
    let kit = Kit::new(&repo.root());
    let answer = kit.text("impact_analysis", json!({ "diff": "uncommitted" }));
    assert!(!answer.contains("Derived"), "{answer}");
}

/// Calls that give what a function took before are the ones that break: they are its users still, whatever else has the name.
#[test]
fn calls_of_the_old_signature_are_told() {
    for (path, other, from, to, expected) in [
        (
            "pool.h",
            "use.cpp",
            "int take(int size);",
            "int take(int size, int align);",
            ["use.cpp:2", "use.cpp:3"],
        ),
        (
            "src/Pool.java",
            "src/Use.java",
            "int take(int size) {",
            "int take(int size, int align) {",
            ["src/Use.java:1", "src/Use.java:2"],
        ),
        (
            "Pool.cs",
            "Use.cs",
            "int Take(int size) {",
            "int Take(int size, int align) {",
            ["Use.cs:1", "Use.cs:2"],
        ),
        (
            "Pond.kt",
            "Use.kt",
            "fun take(size: Int): Int",
            "fun take(size: Int, align: Int): Int",
            ["Use.kt:1", "Use.kt:2"],
        ),
    ] {
        let repo = committed(
            r#"
//- /pool.h
struct Pool {
    int take(int size);
    int take(const char *name, int a, int b);
};
inline int twice(Pool &pool) { return pool.take(2) + pool.take("two", 2, 2); }
//- /use.cpp
#include "pool.h"
int one(Pool &pool) { return pool.take(1); }
int two(Pool *pool) { return pool->take(2); }
int three(Pool &pool) { return pool.take("three", 1, 2); }
//- /src/Pool.java
class Pool {
    int take(int size) { return size; }
    int take(String name, int a, int b) { return a; }
}
//- /src/Use.java
class One { int one(Pool pool) { return pool.take(1); } }
class Two { int two(Pool pool) { return pool.take(2); } }
class Three { int three(Pool pool) { return pool.take("three", 1, 2); } }
//- /Pool.cs
class Pool {
    public int Take(int size) { return size; }
    public int Take(string name, int a, int b) { return a; }
}
//- /Use.cs
class One { int Go(Pool pool) { return pool.Take(1); } }
class Two { int Go(Pool pool) { return pool.Take(2); } }
class Three { int Go(Pool pool) { return pool.Take("three", 1, 2); } }
//- /Pond.kt
class Pond {
    fun take(size: Int): Int = size
    fun take(name: String, a: Int, b: Int): Int = a
}
//- /Use.kt
fun one(pond: Pond) = pond.take(1)
fun two(pond: Pond) = pond.take(2)
fun three(pond: Pond) = pond.take("three", 1, 2)
"#,
        );
        let text = fs::read_to_string(repo.root().join(path)).expect("the file can be read");
        repo.write(path, format!("// More room.\n{}", text.replace(from, to)));
        let answer = Kit::new(&repo.root()).json("impact_analysis", json!({ "diff": "uncommitted" }));
        let direct = answer["direct"].as_array().expect("a list");
        let places = direct
            .iter()
            .map(|row| format!("{}:{}", row["path"].as_str().unwrap_or("?"), row["line"]));
        let places: Vec<String> = places.filter(|place| place.starts_with(other)).collect();
        assert_eq!(places, expected, "{answer}");
        // In the file that was changed itself, at the line where it is now.
        if path == "pool.h" {
            assert!(answer.to_string().contains("\"line\":6"), "{answer}");
        }
    }
}

#[test]
fn tests_are_what_can_be_run() {
    let repo = Repo::new(
        "
//- /store.go
package ex

type Store struct{}

func (s *Store) Save(b []byte) error { return nil }
//- /testing.go
package ex

import \"testing\"

func TestCreate(t testing.TB, s *Store) { s.Save(nil) }
//- /store_test.go
package ex

import \"testing\"

func all(t *testing.T, f func(t *testing.T, v int)) { f(t, 1) }

func TestSave(t *testing.T) { all(t, testSave) }

func testSave(t *testing.T, v int) { (&Store{}).Save(nil) }

func TestUser(t *testing.T) { TestCreate(t, &Store{}) }
",
    );
    let kit = Kit::new(&repo.root());
    let answer = kit.json("impact_analysis", json!({ "symbol": "Store.Save" }));
    let tests = answer["tests"].as_array().expect("a list");
    let mut names: Vec<&str> = tests.iter().filter_map(|test| test["name"].as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["TestSave", "TestUser"], "{answer}");
}

#[test]
fn a_range_of_commits() {
    let repo = committed(REPO);
    git(&repo, &["checkout", "-q", "-b", "topic"]);
    let text = std::fs::read_to_string(repo.path("py/shop.py")).unwrap();
    repo.write("py/shop.py", text.replace("item.cost", "item.cost * 2"));
    commit(&repo);
    git(&repo, &["checkout", "-q", "main"]);
    repo.write("py/other.py", "def other():\n    pass\n");
    commit(&repo);
    git(&repo, &["checkout", "-q", "topic"]);
    let kit = Kit::new(&repo.root());
    expect![[r#"
        Change main...HEAD: 1 file (+1 -1 lines), 1 definition
        Risk medium: used in 1 file; public: others may use it too
        Affected: 2 files, 1 function, 1 test

        Changed (1):
        py/shop.py:5 price (function) body modified, 1 use

        Direct use (1)
        py (1):
        py/shop.py:2 total(): call

        Tests to run (1):
        py/test_shop.py:4 test_total through total (level 2)"#]]
    .assert_eq(&kit.text("impact_analysis", json!({ "diff": "main...HEAD" })));
    let changed = |diff: &str| -> Vec<String> {
        let answer = kit.json("impact_analysis", json!({ "diff": diff }));
        let rows = answer["changed"].as_array().unwrap().clone();
        let shown = rows.iter().map(|row| {
            format!(
                "{} {}",
                row["change"].as_str().unwrap(),
                row["qualified_name"].as_str().unwrap()
            )
        });
        shown.collect()
    };
    assert_eq!(changed("main...HEAD"), ["modified price"]);
    assert_eq!(changed("main...topic"), ["modified price"]);
    assert_eq!(changed("HEAD~1..HEAD"), ["modified price"]);
    assert_eq!(changed("HEAD~1.."), ["modified price"]);
    assert_eq!(changed("topic^!"), ["modified price"]);
    assert_eq!(changed("main^!"), ["added other"]);
    assert_eq!(changed("HEAD~1"), ["modified price"]);
    // Without the third dot what the other branch has is gone.
    assert_eq!(changed("main..HEAD"), ["removed other", "modified price"]);
    // Further changes on top: the lines of the commit are not those of the disk.
    let text = std::fs::read_to_string(repo.path("py/shop.py")).unwrap();
    repo.write("py/shop.py", format!("# A comment.\n\n\n{text}"));
    let answer = kit.json("impact_analysis", json!({ "diff": "HEAD~1..HEAD" }));
    assert_eq!(answer["changed"][0]["line"], 8);
    assert_eq!(changed("HEAD~1"), ["modified price"]);
    assert!(changed("HEAD").is_empty());
}

#[test]
fn what_the_next_commit_holds() {
    let repo =
        committed("//- /a.py\ndef kept(): return 1\ndef other(): return 1\n//- /gone.py\ndef gone(): return 1\n");
    let kit = Kit::new(&repo.root());
    let changed = || -> Vec<String> {
        let answer = kit.json("impact_analysis", json!({ "diff": "staged" }));
        let rows = answer["changed"].as_array().unwrap().iter();
        rows.map(|row| format!("{} {}", row["change"].as_str().unwrap(), row["name"].as_str().unwrap()))
            .collect()
    };
    assert!(changed().is_empty());
    repo.write("a.py", "def kept(): return 2\ndef other(): return 1\n");
    repo.write("new.py", "def new(): return 1\n");
    assert!(changed().is_empty());
    git(&repo, &["add", "-A"]);
    git(&repo, &["rm", "-q", "gone.py"]);
    // What is written afterwards is not part of it.
    repo.write("a.py", "def kept(): return 2\ndef other(): return 2\n");
    assert_eq!(changed(), ["removed gone", "modified kept", "added new"]);
    assert!(
        kit.text("impact_analysis", json!({ "diff": "--cached" }))
            .starts_with("Staged change: 3 files")
    );
}

#[test]
fn line_ends_are_no_change() {
    let repo = committed("//- /a.py\ndef f():\n    return 1\n");
    repo.write("a.py", "def f():\r\n    return 1\r\n");
    let kit = Kit::new(&repo.root());
    let answer = kit.json("impact_analysis", json!({ "diff": true }));
    assert_eq!(answer["diff"]["files_total"], 0);
}

#[test]
fn a_change_of_the_same_size_in_the_same_moment_is_seen() {
    for _ in 0..5 {
        let repo = committed("//- /a.py\ndef f():\n    return 1\n");
        repo.write("a.py", "def f():\n    return 2\n");
        let kit = Kit::new(&repo.root());
        let answer = kit.json("impact_analysis", json!({ "diff": true }));
        assert_eq!(answer["changed"][0]["name"], "f");
    }
}

#[test]
fn a_part_of_a_repository() {
    let repo = committed("//- /outside.py\ndef a():\n    pass\n//- /part/inside.py\ndef b():\n    pass\n");
    repo.write("outside.py", "def a():\n    return 1\n");
    repo.write("part/inside.py", "def b():\n    return 1\n");
    let kit = Kit::new(&repo.path("part"));
    let answer = kit.json("impact_analysis", json!({ "diff": true }));
    assert_eq!(answer["changed"].as_array().unwrap().len(), 1);
    assert_eq!(answer["changed"][0]["path"], "inside.py");
}

#[test]
fn before_the_first_commit_everything_is_new() {
    let repo = Repo::new("//- /a.py\ndef f():\n    pass\n");
    git(&repo, &["init", "-q"]);
    let kit = Kit::new(&repo.root());
    let answer = kit.json("impact_analysis", json!({ "diff": true }));
    assert_eq!(answer["changed"][0]["change"], "added");
}

#[test]
fn what_cannot_be_answered_says_why() {
    let (repo, kit) = indexed();
    let error = |kit: &Kit, arguments: Value| kit.call("impact_analysis", arguments).structured["error"].clone();
    let without = error(&kit, json!({ "diff": true }));
    assert_eq!(without["code"], -32001);
    assert!(without["message"].as_str().unwrap().contains("not in a git repository"));
    assert_eq!(error(&kit, json!({ "diff": true, "symbol": "parse" }))["code"], -32602);
    assert_eq!(error(&kit, json!({}))["code"], -32602);
    assert_eq!(error(&kit, json!({ "symbol": "parse", "depth": 0 }))["code"], -32602);
    git(&repo, &["init", "-q"]);
    commit(&repo);
    for diff in [
        "nope",
        "main..nope",
        "--output=x",
        "HEAD~9",
        "HEAD@{1}",
        "$(touch x)",
        "../..",
        "....",
    ] {
        assert_eq!(error(&kit, json!({ "diff": diff }))["code"], -32602, "{diff}");
    }
    assert!(!repo.path("x").exists());
    // `false` is as if it were not there.
    assert!(error(&kit, json!({ "diff": false, "symbol": "parse" })).is_null());
    let unknown = kit.json("impact_analysis", json!({ "symbol": "parze" }));
    assert_eq!(unknown["nearest"][0]["name"], "parse");
}

/// Git's configuration and attributes can name commands for nearly everything. Nothing of that is ever started.
#[test]
fn nothing_in_a_repository_is_run() {
    let repo = committed("//- /a.py\ndef f():\n    return 1\n//- /b.py\ndef g():\n    return 1\n");
    let canary = repo.beside("canary");
    let script = repo.beside("evil.sh");
    std::fs::write(
        &script,
        format!("#!/bin/sh\necho \"$0 $*\" >> '{}'\ncat\n", canary.display()),
    )
    .unwrap();
    let mut permissions = std::fs::metadata(&script).unwrap().permissions();
    std::os::unix::fs::PermissionsExt::set_mode(&mut permissions, 0o755);
    std::fs::set_permissions(&script, permissions).unwrap();
    let script = script.to_str().unwrap();
    repo.write(".gitattributes", "*.py diff=evil filter=evil merge=evil\n");
    std::fs::create_dir_all(repo.path(".git/hooks")).unwrap();
    for hook in [
        "post-index-change",
        "fsmonitor-watchman",
        "pre-commit",
        "post-checkout",
        "reference-transaction",
    ] {
        let path = repo.path(&format!(".git/hooks/{hook}"));
        std::fs::copy(script, path).unwrap();
    }
    let config = std::fs::read_to_string(repo.path(".git/config")).unwrap();
    let config = format!(
        "{config}\
         \tfsmonitor = {script}\n\tpager = {script}\n\tsshCommand = {script}\n\teditor = {script}\n\
         [diff]\n\texternal = {script}\n\
         [diff \"evil\"]\n\ttextconv = {script}\n\tcommand = {script}\n\
         [filter \"evil\"]\n\tclean = {script}\n\tsmudge = {script}\n\tprocess = {script}\n\
         [pager]\n\tdiff = {script}\n\
         [alias]\n\tdiff = !{script}\n\
         [include]\n\tpath = {script}\n"
    );
    repo.write(".git/config", config);
    repo.write("a.py", "def f():\n    return 2\n");
    let kit = Kit::new(&repo.root());
    for diff in ["uncommitted", "HEAD", "HEAD..HEAD", "main...HEAD"] {
        let answer = kit.call("impact_analysis", json!({ "diff": diff }));
        assert!(!answer.is_error(), "{}", answer.text);
    }
    let answer = kit.json("impact_analysis", json!({ "diff": true }));
    assert_eq!(answer["changed"][0]["name"], "f");
    assert!(!canary.exists(), "{:?}", std::fs::read_to_string(&canary));
    // The trap works: git itself falls into it.
    repo.write(
        ".git/config",
        std::fs::read_to_string(repo.path(".git/config"))
            .unwrap()
            .replace("[include]", "[x]"),
    );
    let _ = Command::new("git").args(["status"]).current_dir(repo.root()).output();
    assert!(canary.exists());
}

#[test]
fn a_workspace_below_the_top_says_so() {
    let repo = committed(
        r#"
//- /lib/a.py
def helper():
    return 1

//- /app.py
from lib.a import helper


def main():
    return helper()

//- /.gitignore
out/

//- /out/a.py
def made():
    return 1
"#,
    );
    let text = |part: &str, symbol: &str| {
        let kit = Kit::new(&repo.root().join(part));
        kit.text("find_callers", json!({ "symbol": symbol }))
    };
    assert!(!text("", "helper").contains("of its repository"));
    expect![[r#"
        a.py:1:5 helper (function, public)
          def helper()
        0 callers: no call of it in this workspace, and it is not handed on as a value

        This workspace is `lib` of its repository: nothing outside of that was looked at."#]]
    .assert_eq(&text("lib", "helper"));
    // What git does not keep is a directory like any other.
    assert!(!text("out", "made").contains("of its repository"));
}

#[test]
fn a_branch_that_is_not_checked_out() {
    let repo = committed(
        r#"
//- /a.py
def f(x):
    return x

def gone(x):
    return x

def dropped(x):
    return x
//- /b.py
from a import f, gone

def use():
    return f(1) + gone(2)
//- /c.py
from a import dropped

def other():
    return dropped(1)
"#,
    );
    git(&repo, &["checkout", "-q", "-b", "feature"]);
    repo.write("a.py", "def f(x):\n    return x\n\ndef added(x):\n    return f(x)\n");
    repo.write("c.py", "def other():\n    return 1\n");
    repo.write("n.py", "def new():\n    return 1\n");
    commit(&repo);
    git(&repo, &["checkout", "-q", "main"]);
    let kit = Kit::new(&repo.root());
    let changed = |diff: &str| -> Vec<String> {
        let answer = kit.json("impact_analysis", json!({ "diff": diff }));
        let rows = answer["changed"].as_array().unwrap().iter();
        let row = |row: &Value| {
            format!(
                "{} {} {}",
                row["change"].as_str().unwrap(),
                row["name"].as_str().unwrap(),
                row["uses"]
            )
        };
        rows.map(row).collect()
    };
    let expected = [
        "removed gone 2",
        // Who used it does not where the change leads.
        "removed dropped 0",
        "modified other 0",
        "added added 0",
        "added new 0",
    ];
    for diff in ["main..feature", "main...feature"] {
        assert_eq!(changed(diff), expected);
        let text = kit.text("impact_analysis", json!({ "diff": diff }));
        assert!(text.contains("Risk high: 2 uses of what is gone"), "{text}");
        assert!(text.contains("The working tree is another"), "{text}");
    }
    // From there it is the change that was made.
    git(&repo, &["checkout", "-q", "feature"]);
    let text = kit.text("impact_analysis", json!({ "diff": "main..feature" }));
    assert!(!text.contains("The working tree is another"), "{text}");
    assert_eq!(changed("main..feature"), expected);
}

#[test]
fn what_is_staged_and_not_on_disk() {
    let repo = committed("//- /a.py\ndef f(): return 1\n//- /b.py\nfrom a import f\ndef use(): return f()\n");
    let before = std::fs::read_to_string(repo.root().join("a.py")).unwrap();
    repo.write("a.py", "def g(): return 1\n");
    git(&repo, &["add", "-A"]);
    repo.write("a.py", before);
    let kit = Kit::new(&repo.root());
    let text = kit.text("impact_analysis", json!({ "diff": "staged" }));
    assert!(
        text.contains("f (function) removed, still used in 2 places") && text.contains("g (function) added"),
        "{text}"
    );
}

/// What is there and not indexed is not gone.
#[test]
fn a_changed_file_that_is_not_indexed() {
    let repo = committed(
        r#"
//- /.portolan.toml
[index]
exclude = ["gen/**"]
//- /src/a.js
import { helper } from '../gen/b.js';
export function run() { return helper(1); }
//- /gen/b.js
export function helper(x) { return x; }
"#,
    );
    repo.write("gen/b.js", "export function helper(x) { return x + 1; }\n");
    commit(&repo);
    let kit = Kit::new(&repo.root());
    expect![[r#"
        Change HEAD~1..HEAD: 0 files (+0 -0 lines), 0 definitions; 1 further file not looked into: not in the index
        Risk medium: 1 changed file not looked into; no use found so far
        Affected: 0 files, 0 functions, 0 tests"#]]
    .assert_eq(&kit.text("impact_analysis", json!({ "diff": "HEAD~1..HEAD" })));
}

#[test]
fn changed_files_without_definitions_are_named() {
    let repo = committed("//- /src/a.js\nexport function run() { return 1; }\n//- /README.md\nOne.\n//- /logo.png\n\n");
    repo.write("README.md", "Two.\n");
    repo.write("logo.png", [0u8, 1, 2, 0]);
    repo.write("src/a.js", "export function run() { return 2; }\n");
    let kit = Kit::new(&repo.root());
    let text = kit.text("impact_analysis", json!({ "diff": "uncommitted" }));
    assert!(text.contains("\nNo definition changed in README.md\n"), "{text}");
}

/// Names that are not handed on any more, and files, take no place from definitions.
#[test]
fn users_are_looked_for_of_as_many_definitions_as_can_be() {
    let definitions = |body: &str| -> String {
        let functions = (0..80).map(|n| format!("export function work{n}() {{ return {body}; }}\n"));
        functions.collect()
    };
    let names: Vec<String> = (0..30).map(|n| format!("name{n}")).collect();
    let names = names.join(", ");
    let users: String = (0..80).map(|n| format!("  work{n}();\n")).collect();
    let imported: Vec<String> = (0..80).map(|n| format!("work{n}")).collect();
    let repo = Repo::new("");
    let exported: String = (0..30).map(|n| format!("export const name{n} = {n};\n")).collect();
    repo.write("names.js", exported);
    repo.write("all.js", format!("export {{ {names} }} from './names.js';\n"));
    repo.write("uses_names.js", format!("import {{ {names} }} from './all.js';\n"));
    repo.write("work.js", definitions("1"));
    repo.write(
        "main.js",
        format!(
            "import {{ {} }} from './work.js';\nfunction main() {{\n{users}}}\n",
            imported.join(", ")
        ),
    );
    git(&repo, &["init", "-q"]);
    commit(&repo);
    repo.write("all.js", "");
    repo.write("work.js", definitions("2"));
    let kit = Kit::new(&repo.root());
    let answer = kit.call("impact_analysis", json!({ "diff": true, "max_tokens": 20000 }));
    let changed = answer.structured["changed"].as_array().unwrap();
    assert_eq!(changed.len(), 80, "{}", answer.text);
    for one in changed {
        assert_eq!(one["uses"], 2, "{one}");
    }
    // What was not looked for is told.
    let told = "10 further changed files or names may be imported: who does was not looked for.";
    assert!(answer.text.contains(told), "{}", answer.text);
}

#[test]
fn uses_that_are_not_sure_are_told_of() {
    let text = r#"class Job:
    def start(self):
        return 1

class Other:
    def start(self):
        return 2

def sure():
    return Job().start()

def unsure(one):
    return one.start()
"#;
    let repo = committed(&format!("//- /a.py\n{text}"));
    repo.write("a.py", text.replace("return 1", "return 3"));
    let kit = Kit::new(&repo.root());
    expect![[r#"
        Uncommitted change: 1 file (+1 -1 lines), 1 definition
        Risk medium: used in 1 file; 1 further use may be of it too; public: others may use it too; no test found that reaches it
        Affected: 1 file, 1 function, 0 tests

        Changed (1):
        a.py:2 Job.start (method) body modified, 1 use

        Direct use (1)
        (root) (1):
        a.py:10 sure(): call

        1 further use of the name below confidence 0.5: a.py:13; find_references with include_unsure lists them."#]].assert_eq(&kit.text("impact_analysis", json!({ "diff": true })));
}

#[test]
fn a_diff_of_one_file_or_directory() {
    let repo = committed(
        "//- /a/one.py\ndef f():\n    pass\n//- /a/two.py\ndef g():\n    pass\n//- /b.py\ndef h():\n    pass\n",
    );
    for path in ["a/one.py", "a/two.py"] {
        repo.write(path, "def changed():\n    return 1\n");
    }
    let kit = Kit::new(&repo.root());
    let files = |file: &str| {
        let answer = kit.json("impact_analysis", json!({ "diff": true, "file": file }));
        answer["diff"]["files"].as_array().unwrap().len()
    };
    assert_eq!([files("a/one.py"), files("./a/"), files("b.py")], [1, 2, 0]);
    expect![[r#"
        Uncommitted change: 0 files (+0 -0 lines), 0 definitions: nothing differs
        `b.py` is not changed; changed are a/one.py, a/two.py
        Risk low: nothing is changed
        Affected: 0 files, 0 functions, 0 tests"#]]
    .assert_eq(&kit.text("impact_analysis", json!({ "diff": true, "file": "b.py" })));
}

/// A submodule is compared with the commit that the repository around it names, whatever was done to it since.
#[test]
fn changes_in_submodules() {
    let library = committed("//- /lib.py\ndef in_sub():\n    return 1\n");
    let repo = committed("//- /app.py\nfrom sub.lib import in_sub\n\ndef run():\n    return in_sub()\n");
    let root = library.root();
    let from = root.to_str().unwrap();
    git(
        &repo,
        &[
            "-c",
            "protocol.file.allow=always",
            "submodule",
            "add",
            "-q",
            from,
            "sub",
        ],
    );
    commit(&repo);
    let kit = Kit::new(&repo.root());
    let told = |diff: &str| {
        let answer = kit.json("impact_analysis", json!({ "diff": diff }));
        (answer["diff"]["files"].clone(), answer["summary"]["functions"].clone())
    };
    assert_eq!(told("uncommitted"), (json!([]), json!(0)));
    let changed = (json!([{ "path": "sub/lib.py", "change": "modified" }]), json!(1));
    repo.write("sub/lib.py", "def in_sub(x, y):\n    return 1\n");
    for diff in ["uncommitted", "HEAD"] {
        assert_eq!(told(diff), changed, "{diff}");
    }
    git(&repo, &["-C", "sub", "commit", "-q", "-a", "-m", "another signature"]);
    assert_eq!(told("uncommitted"), changed, "committed in the submodule");
    assert_eq!(told("staged"), (json!([]), json!(0)));
    git(&repo, &["add", "sub"]);
    assert_eq!(told("staged").0, changed.0);
    commit(&repo);
    assert_eq!(told("uncommitted"), (json!([]), json!(0)));
    assert_eq!(told("HEAD~1..HEAD"), changed, "between commits");
    // Without its history nothing is known of it.
    std::fs::rename(repo.path(".git/modules"), repo.path(".git/away")).unwrap();
    let text = kit.text("impact_analysis", json!({ "diff": "HEAD~1..HEAD" }));
    assert!(text.contains("1 submodule not looked into"), "{text}");
    let text = kit.text("impact_analysis", json!({ "diff": "uncommitted" }));
    assert!(!text.contains("nothing differs"), "{text}");
}

#[test]
fn what_breaks_others_is_told_before_what_was_only_moved() {
    let repo = committed(
        "
//- /Cargo.toml
[package]
name = \"a\"
//- /src/lib.rs
mod scale;
mod gone;
pub fn size(a: u32) -> u32 { a }
pub fn body(a: u32) -> u32 { a }
fn used() -> u32 { size(1) + body(2) + gone::gone() }
//- /src/scale.rs
pub struct Scale;
impl Scale { pub fn one(&self) {} pub fn two(&self) {} }
//- /src/gone.rs
pub fn gone() -> u32 { 1 }
",
    );
    let text = std::fs::read_to_string(repo.path("src/lib.rs")).unwrap();
    let text = text.replacen("size(a: u32)", "size(a: u64)", 1);
    repo.write(
        "src/lib.rs",
        text.replacen("u32 { a }\nfn used", "u32 { a + 1 }\nfn used", 1),
    );
    let scale = std::fs::read_to_string(repo.path("src/scale.rs")).unwrap();
    repo.write("src/scales.rs", scale);
    std::fs::remove_file(repo.path("src/scale.rs")).unwrap();
    std::fs::remove_file(repo.path("src/gone.rs")).unwrap();
    let answer = Kit::new(&repo.root()).json("impact_analysis", json!({ "diff": "uncommitted" }));
    let rows = answer["changed"].as_array().unwrap().iter();
    let told: Vec<String> = rows.map(|row| row["name"].as_str().unwrap().to_owned()).collect();
    assert_eq!(told, ["size", "gone", "body", "Scale", "one", "two"], "{answer}");
}

/// Comments, documentation and white space say nothing to who uses a definition; what looks like them inside of a text, and
/// how far a line is set in where that says what it belongs to, does.
#[test]
fn comments_and_layout_are_told_apart() {
    let cases = [
        (
            "py",
            "def f(x):\n    return x\n",
            "def f(x):\n    # why\n    return  x  # how\n",
            true,
        ),
        (
            "py",
            "def f(x):\n    return x\n",
            "def f(x):\n    \"\"\"Doc.\"\"\"\n\n    return x\n",
            true,
        ),
        (
            "py",
            "def f(x):\n    \"\"\"Doc.\"\"\"\n    return x\n",
            "def f(x):\n    \"\"\"Other.\"\"\"\n    return x\n",
            true,
        ),
        (
            "py",
            "def f(x):\n    return \"# a\"\n",
            "def f(x):\n    return \"# b\"\n",
            false,
        ),
        (
            "py",
            "def f(x):\n    return \" \"\n",
            "def f(x):\n    return \"  \"\n",
            false,
        ),
        // A text that is no documentation.
        (
            "py",
            "def f(x):\n    y = \"\"\"a\"\"\"\n    return y\n",
            "def f(x):\n    y = \"\"\"b\"\"\"\n    return y\n",
            false,
        ),
        (
            "py",
            "def f(x):\n    if x:\n        a()\n        b()\n",
            "def f(x):\n    if x:\n        a()\n    b()\n",
            false,
        ),
        (
            "rs",
            "fn f(x: u8) -> u8 {\n    x\n}\n",
            "fn f(x: u8) -> u8 {\n    // why\n    x /* how */\n}\n",
            true,
        ),
        (
            "rs",
            "fn f(x: u8) -> u8 {\n    x\n}\n",
            "#[inline]\nfn f(x: u8) -> u8 {\n    x\n}\n",
            false,
        ),
        (
            "js",
            "function f(x) {\n  return x;\n}\n",
            "function f(x)\n{\n  return x; // same\n}\n",
            true,
        ),
        (
            "js",
            "function f(x) {\n  return `a b`;\n}\n",
            "function f(x) {\n  return `a  b`;\n}\n",
            false,
        ),
        (
            "go",
            "package p\n\nfunc f(x int) int {\n\treturn x\n}\n",
            "package p\n\nfunc f(x int) int {\n\n\t// why\n\treturn x\n}\n",
            true,
        ),
        (
            "go",
            "package p\n\nfunc f(x int) int {\n\treturn x\n}\n",
            "package p\n\nfunc f(x int) int {\n\treturn -x\n}\n",
            false,
        ),
        (
            "java",
            "class A {\n  int f(int x) {\n    return x;\n  }\n}\n",
            "class A {\n  int f(int x) { /* why */\n    return x;\n  }\n}\n",
            true,
        ),
        (
            "c",
            "int f(int x) {\n  return x;\n}\n",
            "int f(int x) {\n  return x; /* x */\n}\n",
            true,
        ),
        (
            "c",
            "int f(int x) {\n  return x;\n}\n",
            "int f(int x) {\n  return x; /* x */ g();\n}\n",
            false,
        ),
        ("rb", "def f(x)\n  x\nend\n", "def f(x)\n  # why\n  x\nend\n", true),
        (
            "ts",
            "export class A {\n  f(x: number) {\n    return x;\n  }\n}\n",
            "export class A {\n  // here\n\n  f(x: number) {\n    return -x;\n  }\n}\n",
            false,
        ),
    ];
    for (extension, before, after, is_layout) in cases {
        let path = format!("a.{extension}");
        let repo = committed(&format!("//- /{path}\n{before}"));
        let kit = Kit::new(&repo.root());
        repo.write(&path, after);
        let answer = kit.json("impact_analysis", json!({ "diff": true }));
        let changed: Vec<&Value> = answer["changed"].as_array().unwrap().iter().collect();
        let modified = changed.iter().any(|one| one["layout_only"] != true);
        assert_eq!(modified, !is_layout, "{after}\n{changed:#?}");
    }
}

#[test]
fn a_change_of_comments_alone_concerns_nobody() {
    let repo = committed(REPO);
    let kit = Kit::new(&repo.root());
    let text = std::fs::read_to_string(repo.path("crates/core/src/lib.rs")).unwrap();
    repo.write(
        "crates/core/src/lib.rs",
        text.replace("    text.trim()", "    // Both ends.\n    text.trim()"),
    );
    expect![[r#"
        Uncommitted change: 1 file (+1 -0 lines), 1 definition
        Risk low: only comments or layout changed
        Affected: 0 files, 0 functions, 0 tests

        Changed (1):
        crates/core/src/lib.rs:13 trimmed (function) comment or layout only"#]]
    .assert_eq(&kit.text("impact_analysis", json!({ "diff": true })));
    let text = std::fs::read_to_string(repo.path("py/shop.py")).unwrap();
    repo.write("py/shop.py", text.replace("item.cost", "item.cost + 1"));
    expect![[r#"
        Uncommitted change: 2 files (+2 -1 lines), 2 definitions
        Risk medium: used in 1 file; public: others may use it too
        Affected: 2 files, 1 function, 1 test

        Changed (2):
        py/shop.py:5 price (function) body modified, 1 use
        crates/core/src/lib.rs:13 trimmed (function) comment or layout only

        Direct use (1)
        py (1):
        py/shop.py:2 total(): call

        Tests to run (1):
        py/test_shop.py:4 test_total through total (level 2)"#]]
    .assert_eq(&kit.text("impact_analysis", json!({ "diff": true })));
}

/// What is gone comes first with the places that miss it, then what is asked for in another way, then what does something
/// else; and each has some of its tests on the page.
#[test]
fn what_breaks_comes_first() {
    let repo = committed(
        r#"
//- /shop/a.py
def plain(x):
    return x
//- /shop/b.py
def asked(x):
    return x
def gone(x):
    return x
//- /shop/use_a.py
from shop.a import plain
def one(): return plain(1)
//- /zoo/use_b.py
from shop.b import asked, gone
def two(): return asked(1)
def three(): return gone(1)
//- /tests/test_a.py
from shop.a import plain
def test_a1(): assert plain(1)
def test_a2(): assert plain(2)
def test_a3(): assert plain(3)
//- /tests/test_b.py
from zoo.use_b import two
def test_b(): assert two()
"#,
    );
    let kit = Kit::new(&repo.root());
    repo.write("shop/a.py", "def plain(x):\n    return x + 1\n");
    repo.write("shop/b.py", "def asked(x, y):\n    return x\n");
    expect![[r#"
        Uncommitted change: 2 files (+2 -4 lines), 3 definitions
        Risk high: 2 uses of what is gone; used in 3 files of 2 subsystems (zoo, shop); public: others may use it too
        Affected: 4 files, 3 functions, 4 tests

        Changed (3):
        shop/b.py:3 gone (function) removed, still used in 2 places: zoo/use_b.py:1, zoo/use_b.py:3
        shop/b.py:1 asked (function) signature modified, 2 uses
        shop/a.py:1 plain (function) body modified, 6 uses

        Direct use (4, and 3 by tests below)
        zoo (3):
        zoo/use_b.py:1: import of gone [by name, 0.85]
        zoo/use_b.py:3 three(): call of gone [by name, 0.85]
        zoo/use_b.py:2 two(): call of asked

        shop (1):
        shop/use_a.py:2 one(): call of plain

        Tests to run (4):
        tests/test_b.py:2 test_b through two (level 2)
        tests/test_a.py:2 test_a1
        tests/test_a.py:3 test_a2
        tests/test_a.py:4 test_a3

        3 imports in these files not listed."#]]
    .assert_eq(&kit.text("impact_analysis", json!({ "diff": true })));
    let answer = kit.json("impact_analysis", json!({ "diff": true }));
    assert_eq!(
        answer["changed"][0]["used_at"],
        json!([{ "path": "zoo/use_b.py", "line": 1 }, { "path": "zoo/use_b.py", "line": 3 }])
    );
}

const TESTED: &str = r#"
//- /shop/price.py
def price(item):
    return item.cost
//- /shop/cart.py
from shop.price import price

def total(items):
    return sum(price(item) for item in items)
//- /shop/other.py
def unused():
    return 0
//- /tests/test_cart.py
from shop.cart import total

def test_total():
    assert total([]) == 0
//- /tests/test_price.py
from shop.price import price

def test_price():
    assert price(None) == 0
//- /tests/test_other.py
def test_nothing():
    assert True
//- /README.md
# Shop
"#;

#[test]
fn tests_alone() {
    let repo = Repo::new(TESTED);
    let kit = Kit::new(&repo.root());
    let tests = |files: &[&str]| kit.text("impact_analysis", json!({ "files": files, "tests_only": true }));
    for (files, expected) in [
        (&["shop/price.py"][..], "tests/test_cart.py\ntests/test_price.py"),
        (&["shop/cart.py"], "tests/test_cart.py"),
        (
            &["shop/cart.py", "shop/price.py"],
            "tests/test_cart.py\ntests/test_price.py",
        ),
        // A test that was changed is run.
        (&["tests/test_other.py"], "tests/test_other.py"),
        (&["shop/other.py"], ""),
        // Who lists changed files lists those that are gone and documents as well.
        (&["README.md", "shop/gone.py"], ""),
    ] {
        assert_eq!(tests(files), expected, "{files:?}");
    }
    let answer = kit.json(
        "impact_analysis",
        json!({ "files": ["shop/cart.py", "shop/gone.py"], "tests_only": true }),
    );
    assert_eq!(answer["tests"], json!([{ "path": "tests/test_cart.py" }]));
    assert_eq!(answer["not_indexed"], json!(["shop/gone.py"]));
    let of_symbol = kit.text("impact_analysis", json!({ "symbol": "total", "tests_only": true }));
    assert_eq!(of_symbol, "tests/test_cart.py");
}

#[test]
fn files_have_an_impact() {
    let repo = Repo::new(TESTED);
    let kit = Kit::new(&repo.root());
    let text = kit.text("impact_analysis", json!({ "files": ["shop/price.py"] }));
    assert!(text.starts_with("Any change of 1 file: 1 definition\n"), "{text}");
    assert!(text.contains("shop/cart.py:4 total(): call"), "{text}");
    for (arguments, message) in [
        (
            json!({ "files": ["a.py"], "symbol": "total" }),
            "are different questions",
        ),
        (json!({ "files": ["gone.py"] }), "not indexed: gone.py"),
    ] {
        let outcome = kit.call("impact_analysis", arguments);
        assert!(outcome.is_error() && outcome.text.contains(message), "{}", outcome.text);
    }
}
