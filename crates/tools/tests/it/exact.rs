//! An exact analysis beside the resolved answers. The one here reads what a name means in the comment behind it:
//! `/*to FILE*/`, `/*out*/` for elsewhere, `/*wait*/` until it may, `/*fail*/`; a file with
//! `/*slow*/` is loaded when it may be.

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use expect_test::{Expect, expect};
use serde_json::{Value, json};
use test_fixture::Repo;
use workspace::{ExactAnalysis, ExactEngine, ExactLoad, ExactLoaded, ExactMeaning};

use crate::kit::Kit;

#[derive(Default)]
struct Oracle {
    may_load: AtomicBool,
    may_answer: AtomicBool,
    loads: AtomicUsize,
    changes: AtomicUsize,
}

struct Reading(Arc<Oracle>, BTreeMap<String, String>);

struct Engine(Arc<Oracle>);

impl ExactEngine for Engine {
    fn name(&self) -> &'static str {
        "oracle"
    }

    fn lang(&self) -> &'static str {
        "rust"
    }

    fn reads(&self, path: &str) -> bool {
        path.ends_with(".rs")
    }

    fn fingerprint(&self, _root: &std::path::Path) -> String {
        "1".to_owned()
    }

    fn load(&self, load: ExactLoad<'_>) -> Box<dyn ExactAnalysis> {
        let files = load.files;
        self.0.loads.fetch_add(1, Ordering::SeqCst);
        assert!(
            !files.iter().any(|(_, text)| text.contains("/*unloadable*/")),
            "as wanted"
        );
        let is_slow = files.iter().any(|(_, text)| text.contains("/*slow*/"));
        while is_slow && !self.0.may_load.load(Ordering::SeqCst) {
            std::thread::sleep(Duration::from_millis(2));
        }
        Box::new(Reading(self.0.clone(), files.into_iter().collect()))
    }
}

impl ExactAnalysis for Reading {
    fn change(&mut self, files: Vec<(String, Option<String>)>) {
        self.0.changes.fetch_add(files.len(), Ordering::SeqCst);
        for (path, text) in files {
            match text {
                Some(text) => self.1.insert(path, text),
                None => self.1.remove(&path),
            };
        }
    }

    fn meanings(&self, path: &str, places: &[u32]) -> Option<Vec<ExactMeaning>> {
        Some(places.iter().map(|at| self.meaning(path, *at)).collect())
    }

    fn stop(&self) -> Box<dyn Fn() + Send> {
        Box::new(|| {})
    }

    fn loaded(&self) -> ExactLoaded {
        ExactLoaded {
            crates: 1,
            files: self.1.len(),
            memory: 3 << 20,
            missing: vec!["serde".to_owned()],
            ..ExactLoaded::default()
        }
    }
}

impl Reading {
    fn meaning(&self, path: &str, at: u32) -> ExactMeaning {
        let text = &self.1[path][at as usize..];
        let name: String = text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        let said = text[name.len()..]
            .strip_prefix("/*")
            .and_then(|rest| rest.split_once("*/"));
        let Some((said, _)) = said else {
            return ExactMeaning::Unknown;
        };
        let said = match said.strip_prefix("wait ") {
            Some(said) => {
                while !self.0.may_answer.load(Ordering::SeqCst) {
                    std::thread::sleep(Duration::from_millis(2));
                }
                said
            }
            None => said,
        };
        assert_ne!(said, "fail", "as wanted");
        match said.strip_prefix("to ") {
            Some(path) => {
                let at = self.1[path].find(&format!("fn {name}(")).map(|at| at as u32 + 3);
                ExactMeaning::Definitions(at.map(|at| (path.to_owned(), at)).into_iter().collect())
            }
            None => ExactMeaning::Elsewhere,
        }
    }
}

struct Asked {
    repo: Repo,
    oracle: Arc<Oracle>,
    kit: Kit,
}

impl Asked {
    fn new(fixture: &str, flags: &[(&'static str, &str)]) -> Asked {
        let repo = Repo::new(fixture);
        let oracle = Arc::new(Oracle::default());
        let engine: Arc<dyn ExactEngine> = Arc::new(Engine(oracle.clone()));
        let kit = Kit::with_engine(&repo.root(), false, flags, Some(engine));
        Asked { repo, oracle, kit }
    }

    fn references(&self) -> Value {
        self.kit
            .json("find_references", json!({ "symbol": "A::go", "include_text": false }))
    }

    #[track_caller]
    fn check(&self, expected: Expect) {
        expected.assert_eq(&shown(&self.references()));
    }
}

/// Rows as `place origin confidence`, and what is said of exactness.
fn shown(answer: &Value) -> String {
    let rows = answer["references"].as_array().expect("a list");
    let mut lines: Vec<String> = rows
        .iter()
        .map(|row| {
            format!(
                "{}:{} {} {}",
                row["path"], row["line"], row["origin"], row["confidence"]
            )
            .replace('"', "")
        })
        .collect();
    let coverage = &answer["coverage"];
    lines.push(format!("{} late {}", coverage["engines"], coverage["exact"]["late"]));
    lines.join("\n") + "\n"
}

const TWO: &str = r#"
//- /a.rs
pub struct A;
impl A { pub fn go(&self) {} }
//- /b.rs
pub struct B;
impl B { pub fn go(&self) {} }
//- /lib.rs
mod a;
mod b;
use a::A;
use b::B;
fn f(x: A, y: B) {
    first(x).go/*to a.rs*/();
    first(y).go/*to b.rs*/();
    x.go/*out*/();
    x.go();
}
"#;

#[test]
fn exact_rows_replace_resolved_ones() {
    let asked = Asked::new(TWO, &[]);
    asked.check(expect![[r#"
        lib.rs:6 exact 1.0
        lib.rs:9 resolved 0.95
        ["syntax","graph","oracle"] late 0
    "#]]);
    let callers = asked.kit.json("find_callers", json!({ "symbol": "B::go" }));
    assert_eq!(callers["callers"][0]["origin"], "exact");
    let place = json!({ "file": "lib.rs", "line": 7, "symbol": "go" });
    let definition = asked.kit.json("find_definition", place);
    assert_eq!(definition["definitions"][0]["path"], "b.rs");
    assert_eq!(definition["definitions"][0]["origin"], "exact");
    let status = asked.kit.call("index_status", json!({}));
    let line = status.text.lines().find(|line| line.contains("oracle"));
    expect!["- oracle: ready, 1 crate of 3 files and 0 of libraries, about 3.00 MB of memory; sources not on this machine: the standard library, serde"].assert_eq(line.expect("it is told"));
    let health = asked.kit.json("health_check", json!({}));
    assert_eq!(health["parts"]["exact"]["status"], "healthy");
}

#[test]
fn what_comes_late_is_there_for_the_next() {
    let fixture = TWO.replace("/*to b.rs*/", "/*wait to b.rs*/");
    let asked = Asked::new(&fixture, &[("rust.wait_ms", "30")]);
    let early = asked
        .kit
        .call("find_references", json!({ "symbol": "B::go", "include_text": false }));
    assert!(
        early
            .text
            .contains("oracle is still loading: repeat the call for exact results."),
        "{}",
        early.text
    );
    asked.oracle.may_answer.store(true, Ordering::SeqCst);
    let deadline = Instant::now() + Duration::from_secs(20);
    let late = |answer: &Value| answer["coverage"]["exact"]["late"] != 0;
    let mut answer = asked.references();
    while late(&answer) && Instant::now() < deadline {
        answer = asked.references();
    }
    assert!(!late(&answer), "{answer}");
    assert_eq!(asked.oracle.loads.load(Ordering::SeqCst), 1);
}

/// That only the first one waits is tested where it is decided, without a clock.
#[test]
fn answers_wait_for_loading_no_longer_than_they_may() {
    let fixture = TWO.replacen("fn f(", "/*slow*/ fn f(", 1);
    assert_ne!(fixture, TWO);
    let wait = Duration::from_millis(200);
    let asked = Asked::new(&fixture, &[("rust.wait_ms", "200")]);
    let begun = Instant::now();
    for _ in 0..3 {
        assert_ne!(asked.references()["coverage"]["exact"]["late"], 0);
        // Whoever waits takes so long at least, however fast the machine is.
        assert!(begun.elapsed() >= wait, "the first one waits");
    }
    asked.oracle.may_load.store(true, Ordering::SeqCst);
    let deadline = Instant::now() + Duration::from_secs(20);
    while asked.references()["coverage"]["exact"]["late"] != 0 {
        assert!(Instant::now() < deadline, "it is never exact");
    }
}

#[test]
fn edits_reach_it_before_the_answer() {
    let asked = Asked::new(TWO, &[]);
    asked.references();
    let text = "mod a;\nfn f(x: A, y: B) {\n\n\n    first(y).go/*to a.rs*/();\n}\n";
    asked.repo.write("lib.rs", text);
    asked.repo.remove("b.rs");
    asked.check(expect![[r#"
        lib.rs:5 exact 1.0
        ["syntax","graph","oracle"] late 0
    "#]]);
    let counts = [&asked.oracle.loads, &asked.oracle.changes].map(|count| count.load(Ordering::SeqCst));
    assert_eq!(counts, [1, 2], "loaded once, and told of two files");
}

#[test]
fn a_failure_costs_one_row() {
    let asked = Asked::new(&TWO.replace("/*to b.rs*/", "/*fail*/"), &[]);
    asked.check(expect![[r#"
        lib.rs:6 exact 1.0
        lib.rs:9 resolved 0.95
        ["syntax","graph","oracle"] late 0
    "#]]);
    assert_eq!(
        asked.oracle.loads.load(Ordering::SeqCst),
        3,
        "loaded anew after it, twice to find it"
    );
}

#[test]
fn one_that_cannot_be_loaded_is_told() {
    let asked = Asked::new(&TWO.replace("/*out*/", "/*unloadable*/"), &[]);
    asked.check(expect![[r#"
        lib.rs:8 resolved 0.95
        lib.rs:9 resolved 0.95
        ["syntax","graph"] late 8
    "#]]);
    let told = asked.kit.call("find_callers", json!({ "symbol": "A::go" }));
    assert!(
        told.text
            .contains("oracle does not help here: loading failed unexpectedly."),
        "{}",
        told.text
    );
    assert_eq!(
        asked.oracle.loads.load(Ordering::SeqCst),
        1,
        "not once more before something changes"
    );
    asked.repo.write("lib.rs", "fn f(x: A) { g(x).go/*to a.rs*/(); }\n");
    asked.check(expect![[r#"
        lib.rs:1 exact 1.0
        ["syntax","graph","oracle"] late 0
    "#]]);
}

#[test]
fn limits_and_switches() {
    let small = Asked::new(TWO, &[("rust.max_source_mb", "0")]);
    let told = small.kit.call("find_callers", json!({ "symbol": "A::go" }));
    assert!(told.text.contains("rust.max_source_mb allows 0"), "{}", told.text);
    let off = Asked::new(TWO, &[("rust.enabled", "false")]);
    off.references();
    for asked in [small, off] {
        assert_eq!(asked.oracle.loads.load(Ordering::SeqCst), 0);
    }
}

#[test]
fn answers_survive_a_restart() {
    let asked = Asked::new(TWO, &[]);
    let before = shown(&asked.references());
    let Asked { repo, oracle, kit } = asked;
    let kit = kit.reopened();
    let asked = Asked { repo, oracle, kit };
    assert_eq!(shown(&asked.references()), before);
    assert_eq!(asked.oracle.loads.load(Ordering::SeqCst), 1, "not loaded a second time");
    asked.repo.write("lib.rs", "fn f(x: A) { g(x).go/*to a.rs*/(); }\n");
    asked.references();
    assert_eq!(
        asked.oracle.loads.load(Ordering::SeqCst),
        2,
        "other contents have other answers"
    );
}
