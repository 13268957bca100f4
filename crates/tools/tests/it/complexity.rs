//! Sizes and complexities of files and directories.

use expect_test::{Expect, expect};
use serde_json::{Value, json};
use test_fixture::Repo;

use crate::kit::Kit;

const REPO: &str = r#"
//- /src/walk.rs
//! Walking.

/// A walker.
pub struct Walker;

pub trait Walks {
    fn walk(&self);
}

enum Mode {
    Fast,
}

impl Walker {
    /// Runs.
    pub fn run(&self, deep: bool, n: u32) -> u32 {
        if deep && n > 3 {
            for _ in 0..n {
                if n == 4 {
                    helper();
                }
            }
        }
        helper()
    }
}

fn helper() -> u32 {
    // One.
    1
}
//- /src/load.py
class Loader:
    def load(self, path):
        return open(path) if path else None
//- /data.json
{ "a": 1 }
//- /notes.txt
one

two
"#;

fn check(kit: &Kit, arguments: Value, expected: Expect) {
    expected.assert_eq(&kit.text("analyze_complexity", arguments));
}

#[test]
fn of_files_and_directories() {
    let repo = Repo::new(REPO);
    let kit = Kit::new(&repo.root());
    check(
        &kit,
        json!({ "file_path": "src/walk.rs" }),
        expect![[r#"
        src/walk.rs
        Lines: 31 total, 26 non-empty, 4 comment, 22 code
        Symbols: 2 functions, 1 structs/classes, 1 enums, 1 traits/interfaces
        Cyclomatic: 6 total, 3.00 average; cognitive: 7 total, 3.50 average
        Calls: 2

        Worst functions (cyclomatic, cognitive, lines)
        Walker::run line 16: 5, 7, 10
        helper line 28: 1, 0, 4"#]],
    );
    check(
        &kit,
        json!({ "directory": "src" }),
        expect![[r#"
        src: 2 code files
        Lines: 34 total, 29 non-empty, 4 comment, 25 code
        Symbols: 3 functions, 2 structs/classes, 1 enums, 1 traits/interfaces
        Cyclomatic: 8 total, 2.67 average; cognitive: 8 total, 2.67 average
        Calls: 3

        Worst files (cyclomatic, cognitive, functions, code lines)
        src/walk.rs: 6, 7, 2, 22
        src/load.py: 2, 1, 1, 3

        Worst functions (cyclomatic, cognitive, lines)
        Walker::run src/walk.rs:16: 5, 7, 10
        Loader.load src/load.py:2: 2, 1, 2
        helper src/walk.rs:28: 1, 0, 4"#]],
    );
    check(
        &kit,
        json!({ "path": ".", "limit": 1 }),
        expect![[r#"
            workspace: 2 code files (and 2 of text or data, not counted)
            Lines: 34 total, 29 non-empty, 4 comment, 25 code
            Symbols: 3 functions, 2 structs/classes, 1 enums, 1 traits/interfaces
            Cyclomatic: 8 total, 2.67 average; cognitive: 8 total, 2.67 average
            Calls: 3

            Worst files (cyclomatic, cognitive, functions, code lines)
            src/walk.rs: 6, 7, 2, 22
            src/load.py: 2, 1, 1, 3

            Worst functions (cyclomatic, cognitive, lines)
            Walker::run src/walk.rs:16: 5, 7, 10

            2 more: cursor "p1.f43fcfbd.3.147c", or narrow with file_path"#]],
    );
    check(
        &kit,
        json!({ "file": "notes.txt" }),
        expect![[r#"
            notes.txt
            Lines: 3 total, 2 non-empty

            Comments and functions not known: notes.txt (read as text only)."#]],
    );
    check(
        &kit,
        json!({ "file": "data.json" }),
        expect![[r#"
        data.json
        Lines: 1 total, 1 non-empty, 0 comment, 1 code
        Symbols: 0 functions, 0 structs/classes, 0 enums, 0 traits/interfaces
        Cyclomatic: 0 total, 0.00 average; cognitive: 0 total, 0.00 average
        Calls: 0
        No functions."#]],
    );
    let answer = kit.json("analyze_complexity", json!({ "file_path": "src", "limit": 1 }));
    let pretty = serde_json::to_string_pretty(&answer).unwrap();
    expect![[r#"
        {
          "functions": [
            {
              "name": "Walker::run",
              "kind": "method",
              "path": "src/walk.rs",
              "line": 16,
              "lines": 10,
              "cyclomatic": 5,
              "cognitive": 7
            }
          ],
          "total": 3,
          "lines": {
            "total": 34,
            "non_empty": 29,
            "comment": 4,
            "code": 25
          },
          "symbols": {
            "functions": 3,
            "structs": 2,
            "enums": 1,
            "traits": 1
          },
          "complexity": {
            "cyclomatic": 8,
            "cyclomatic_average": 2.67,
            "cognitive": 8,
            "cognitive_average": 2.67
          },
          "calls": 3,
          "files_total": 2,
          "other_files": 0,
          "files": [
            {
              "path": "src/walk.rs",
              "cyclomatic": 6,
              "cognitive": 7,
              "functions": 2,
              "code_lines": 22
            },
            {
              "path": "src/load.py",
              "cyclomatic": 2,
              "cognitive": 1,
              "functions": 1,
              "code_lines": 3
            }
          ],
          "next_cursor": "p1.efbb6f2c.3.147c",
          "coverage": {
            "generation": <n>,
            "complete": true,
            "engines": [
              "syntax"
            ]
          }
        }"#]]
    .assert_eq(&kit.steady(&pretty));
    let root = repo.root();
    for path in [".", "", root.to_str().unwrap()] {
        let text = kit.text("analyze_complexity", json!({ "file_path": path }));
        assert_eq!(text, kit.text("analyze_complexity", json!({})), "{path}");
    }
}

#[test]
fn pages_join_and_are_sorted() {
    let repo = Repo::new("");
    for n in 0..40 {
        let branches = "if x { y() } ".repeat(n % 9);
        repo.write(&format!("src/m{n}.rs"), format!("fn f{n}(x: bool) {{ {branches} }}\n"));
    }
    let kit = Kit::new(&repo.root());
    for max_tokens in [900, 4000] {
        let arguments = json!({ "limit": 7, "max_tokens": max_tokens });
        let (rows, pages) = kit
            .pages("analyze_complexity", &arguments, "functions")
            .unwrap_or_else(|page| panic!("{}", page.text));
        assert_eq!(rows.len(), 40);
        assert!(
            pages
                .iter()
                .all(|page| tools::count_tokens(&page.structured.to_string()) <= max_tokens)
        );
        let worst: Vec<u64> = rows.iter().map(|row| row["cyclomatic"].as_u64().unwrap()).collect();
        assert!(worst.is_sorted_by(|a, b| a >= b), "{worst:?}");
    }
}

#[test]
fn what_is_refused() {
    let repo = Repo::new(REPO);
    let kit = Kit::new(&repo.root());
    let mut table = String::new();
    for arguments in [
        json!({ "file_path": "src/wlak.rs" }),
        json!({ "file_path": "../x" }),
        json!({ "file_path": "src", "limit": 0 }),
    ] {
        let outcome = kit.call("analyze_complexity", arguments.clone());
        assert!(outcome.is_error(), "{arguments}: {}", outcome.text);
        table.push_str(&format!("{arguments}\n{}\n", kit.steady(&outcome.text)));
    }
    expect![[r#"
        {"file_path":"src/wlak.rs"}
        Error: `src/wlak.rs` does not exist.
        Hint: did you mean `src/walk.rs`?
        {"file_path":"../x"}
        Error: `../x` is outside the workspace.
        Hint: give a path inside the workspace, or the absolute path of a file in another repository.
        {"file_path":"src","limit":0}
        Error: `limit` is 0, it must be from 1 to 500.
        Hint: use a value from 1 to 500.
    "#]]
    .assert_eq(&table);
    let most = kit.json("analyze_complexity", json!({ "file_path": "src", "limit": 501 }));
    assert_eq!(most["notes"], json!(["`limit` is at most 500: 500 was used"]));
}
