//! Blocks of code by place, by name, and from what compilers, traces and diffs say.

use expect_test::{Expect, expect};
use serde_json::{Value, json};
use test_fixture::Repo;

use crate::kit::{Kit, string};

const REPO: &str = r#"
//- /src/shapes.rs
use std::fmt;

/// A circle.
#[derive(Debug)]
pub struct Circle {
    radius: f64,
}

impl Circle {
    pub fn new(radius: f64) -> Circle {
        Circle { radius }
    }

    /// How large it is.
    pub fn area(&self) -> f64 {
        if self.radius < 0.0 {
            return 0.0;
        }
        self.radius * self.radius * 3.0
    }
}

pub const LIMIT: usize = 10;

#[cfg(test)]
mod tests {
    #[test]
    fn area() {
        super::Circle::new(1.0).area();
    }
}
//- /src/square.rs
pub struct Square;

impl Square {
    pub fn new() -> Square {
        Square
    }
}
//- /web/app/main.py
import os


def load(path):
    with open(path) as file:
        return file.read()


class Loader:
    size = 3

    def run(self):
        return load("x")
//- /java/com/acme/Foo.java
package com.acme;

class Foo {
    Foo() {}

    int bar() {
        return 1;
    }
}
//- /notes.txt
one
two
three
//- /empty.rs
"#;

fn indexed() -> (Repo, Kit) {
    let repo = Repo::new(REPO);
    let kit = Kit::new(&repo.root());
    kit.json("index_repository", json!({ "session": "shapes" }));
    (repo, kit)
}

fn check(kit: &Kit, arguments: Value, expected: Expect) {
    expected.assert_eq(&kit.text("extract_code", arguments));
}

#[test]
fn places() {
    let (repo, kit) = indexed();
    // A line gives the definition around it, with what stands before it.
    check(
        &kit,
        json!({ "targets": ["src/shapes.rs:18"] }),
        expect![[r#"
            src/shapes.rs:14-20 method Circle::area (line 18)
            ```rust
            14:     /// How large it is.
            15:     pub fn area(&self) -> f64 {
            16:         if self.radius < 0.0 {
            17:             return 0.0;
            18:         }
            19:         self.radius * self.radius * 3.0
            20:     }
            ```"#]],
    );
    // So does the comment before it, a member of a type, and an absolute path.
    check(
        &kit,
        json!({ "targets": ["src/shapes.rs:14:5", repo.path("src/shapes.rs").to_str().unwrap().to_owned() + ":6", "web/app/main.py:10"] }),
        expect![[r#"
            3 blocks for 3 targets

            src/shapes.rs:14-20 method Circle::area (line 14)
            ```rust
            14:     /// How large it is.
            15:     pub fn area(&self) -> f64 {
            16:         if self.radius < 0.0 {
            17:             return 0.0;
            18:         }
            19:         self.radius * self.radius * 3.0
            20:     }
            ```

            src/shapes.rs:3-7 struct Circle (line 6)
            ```rust
            3: /// A circle.
            4: #[derive(Debug)]
            5: pub struct Circle {
            6:     radius: f64,
            7: }
            ```

            web/app/main.py:9-13 class Loader (line 10)
            ```python
            9: class Loader:
            10:     size = 3
            11: 
            12:     def run(self):
            13:         return load("x")
            ```"#]],
    );
    // Outside of everything: the chunk.
    check(
        &kit,
        json!({ "targets": "notes.txt:2" }),
        expect![[r#"
            notes.txt:1-3 (line 2)
            ```
            1: one
            2: two
            3: three
            ```"#]],
    );
    // Ranges: inside one definition, across several, behind the end.
    check(
        &kit,
        json!({ "targets": ["src/shapes.rs:16-17"] }),
        expect![[r#"
            src/shapes.rs:14-20 method Circle::area
            ```rust
            14:     /// How large it is.
            15:     pub fn area(&self) -> f64 {
            16:         if self.radius < 0.0 {
            17:             return 0.0;
            18:         }
            19:         self.radius * self.radius * 3.0
            20:     }
            ```"#]],
    );
    check(
        &kit,
        json!({ "targets": ["web/app/main.py:5-10"] }),
        expect![[r#"
            web/app/main.py:5-10
            ```python
            5:     with open(path) as file:
            6:         return file.read()
            7: 
            8: 
            9: class Loader:
            10:     size = 3
            ```"#]],
    );
    check(
        &kit,
        json!({ "targets": ["notes.txt:2-99"], "context_lines": 5 }),
        expect![[r#"
            notes.txt:1-3
            ```
            1: one
            2: two
            3: three
            ```"#]],
    );
    // A range may be given from its end.
    check(
        &kit,
        json!({ "targets": ["notes.txt:3-2"] }),
        expect![[r#"
            notes.txt:2-3
            ```
            2: two
            3: three
            ```"#]],
    );
    // Whole files, by the end of their path too.
    check(
        &kit,
        json!({ "files": ["square.rs"] }),
        expect![[r#"
            src/square.rs:1-7
            ```rust
            1: pub struct Square;
            2: 
            3: impl Square {
            4:     pub fn new() -> Square {
            5:         Square
            6:     }
            7: }
            ```"#]],
    );
}

#[test]
fn names() {
    let (_repo, kit) = indexed();
    // Tests and other blocks of a type do not make a name ambiguous.
    check(
        &kit,
        json!({ "targets": ["area"] }),
        expect![[r#"
            src/shapes.rs:14-20 method Circle::area (also function src/shapes.rs:28)
            ```rust
            14:     /// How large it is.
            15:     pub fn area(&self) -> f64 {
            16:         if self.radius < 0.0 {
            17:             return 0.0;
            18:         }
            19:         self.radius * self.radius * 3.0
            20:     }
            ```"#]],
    );
    check(
        &kit,
        json!({ "targets": ["Circle"] }),
        expect![[r#"
            src/shapes.rs:3-7 struct Circle (impl at 9-21)
            ```rust
            3: /// A circle.
            4: #[derive(Debug)]
            5: pub struct Circle {
            6:     radius: f64,
            7: }
            ```"#]],
    );
    check(
        &kit,
        json!({ "targets": ["com.acme.Foo", "Loader.run", "src/shapes.rs#new", "LIMIT"] }),
        expect![[r#"
            4 blocks for 4 targets

            java/com/acme/Foo.java:3-9 class Foo
            ```java
            3: class Foo {
            4:     Foo() {}
            5: 
            6:     int bar() {
            7:         return 1;
            8:     }
            9: }
            ```

            web/app/main.py:12-13 method Loader.run
            ```python
            12:     def run(self):
            13:         return load("x")
            ```

            src/shapes.rs:10-12 method Circle::new
            ```rust
            10:     pub fn new(radius: f64) -> Circle {
            11:         Circle { radius }
            12:     }
            ```

            src/shapes.rs:23 constant LIMIT
            ```rust
            23: pub const LIMIT: usize = 10;
            ```"#]],
    );
    // Several that are meant equally are all shown, if they are few.
    check(
        &kit,
        json!({ "targets": ["new", "Square::new"] }),
        expect![[r#"
            2 blocks for 2 targets

            src/shapes.rs:10-12 method Circle::new (one of 2 definitions of this name)
            ```rust
            10:     pub fn new(radius: f64) -> Circle {
            11:         Circle { radius }
            12:     }
            ```

            src/square.rs:4-6 method Square::new (one of 2 definitions of this name)
            ```rust
            4:     pub fn new() -> Square {
            5:         Square
            6:     }
            ```"#]],
    );
}

/// Many that are meant equally are listed, to choose from; those in a file that is shown already are meant first.
#[test]
fn a_name_that_many_have() {
    let files =
        (0..5).map(|n| format!("//- /src/m{n}.rs\npub fn run() -> u32 {{\n    {n}\n}}\npub fn start{n}() {{}}\n"));
    let repo = Repo::new(&files.collect::<String>());
    let kit = Kit::new(&repo.root());
    let listed = kit.json("extract_code", json!({ "targets": ["run"], "workspace": repo.root() }));
    assert_eq!(listed["blocks"], json!([]));
    assert_eq!(listed["unresolved"][0]["candidates"].as_array().map(Vec::len), Some(5));
    let targets = ["start3", "run", "src/m4.rs:run"];
    let found = kit.json("extract_code", json!({ "targets": targets, "workspace": repo.root() }));
    let places = found["blocks"].as_array().unwrap().iter();
    let places: Vec<String> = places
        .map(|row| format!("{}:{}", string(&row["path"]), row["start_line"]))
        .collect();
    assert_eq!(places, ["src/m3.rs:4", "src/m3.rs:1", "src/m4.rs:1"]);
}

/// All blocks that add to a type have its name; what each adds tells them apart.
#[test]
fn blocks_of_one_type_are_told_apart() {
    let repo = Repo::new(
        "//- /a.rs\nstruct A;\nimpl Clone for A {\n    fn clone(&self) -> A { A }\n}\nimpl Drop for A {\n    fn drop(&mut self) {}\n}\n",
    );
    let kit = Kit::new(&repo.root());
    let text = kit.text(
        "extract_code",
        json!({ "targets": ["a.rs:2", "a.rs:5"], "context_lines": 1 }),
    );
    assert!(text.contains("impl Clone for A, impl Drop for A"), "{text}");
}

#[test]
fn what_overlaps_is_shown_once() {
    let (_repo, kit) = indexed();
    let targets = [
        "src/shapes.rs:17",
        "src/shapes.rs:19",
        "Circle::area",
        "src/shapes.rs:12-17",
        "src/square.rs:5",
    ];
    check(
        &kit,
        json!({ "targets": targets }),
        expect![[r#"
            2 blocks for 5 targets

            src/shapes.rs:12-20 method Circle::area (lines 17, 19)
            ```rust
            12:     }
            13: 
            14:     /// How large it is.
            15:     pub fn area(&self) -> f64 {
            16:         if self.radius < 0.0 {
            17:             return 0.0;
            18:         }
            19:         self.radius * self.radius * 3.0
            20:     }
            ```

            src/square.rs:4-6 method Square::new (line 5)
            ```rust
            4:     pub fn new() -> Square {
            5:         Square
            6:     }
            ```"#]],
    );
    let answer = kit.json("extract_code", json!({ "targets": targets }));
    let pretty = serde_json::to_string_pretty(&answer).unwrap();
    expect![[r#"
        {
          "blocks": [
            {
              "path": "src/shapes.rs",
              "start_line": 12,
              "end_line": 20,
              "language": "rust",
              "targets": [
                "src/shapes.rs:17",
                "src/shapes.rs:19",
                "Circle::area",
                "src/shapes.rs:12-17"
              ],
              "symbol": "Circle::area",
              "kind": "method",
              "signature": "pub fn area(&self) -> f64",
              "lines": [
                17,
                19
              ],
              "code": "    }\n\n    /// How large it is.\n    pub fn area(&self) -> f64 {\n        if self.radius < 0.0 {\n            return 0.0;\n        }\n        self.radius * self.radius * 3.0\n    }"
            },
            {
              "path": "src/square.rs",
              "start_line": 4,
              "end_line": 6,
              "language": "rust",
              "targets": [
                "src/square.rs:5"
              ],
              "symbol": "Square::new",
              "kind": "method",
              "signature": "pub fn new() -> Square",
              "lines": [
                5
              ],
              "code": "    pub fn new() -> Square {\n        Square\n    }"
            }
          ],
          "total": 2,
          "coverage": {
            "generation": <n>,
            "complete": true,
            "engines": [
              "syntax"
            ]
          }
        }"#]].assert_eq(&kit.steady(&pretty));
}

#[test]
fn output_of_programs() {
    let (_repo, kit) = indexed();
    let output = "error[E0308]: mismatched types\n  --> src/shapes.rs:17:20\n   |\n\
                  \x20 ::: /rustc/90b35a/library/core/src/ops.rs:9:1\n\
                  Traceback (most recent call last):\n  File \"/usr/src/app/web/app/main.py\", line 6, in load\n\
                  \x20 File \"/usr/lib/python3/json.py\", line 9, in load\n\
                  \tat com.acme.Foo.bar(Foo.java:7)\n\tat org.other.Foo.bar(Foo.java:7)\n";
    check(
        &kit,
        json!({ "text": output }),
        expect![[r#"
            3 blocks for 6 targets
            Not in this workspace: /rustc/90b35a/library/core/src/ops.rs:9, /usr/lib/python3/json.py:9, org/other/Foo.java:7

            src/shapes.rs:14-20 method Circle::area (line 17)
            ```rust
            14:     /// How large it is.
            15:     pub fn area(&self) -> f64 {
            16:         if self.radius < 0.0 {
            17:             return 0.0;
            18:         }
            19:         self.radius * self.radius * 3.0
            20:     }
            ```

            web/app/main.py:4-6 function load (line 6; for /usr/src/app/web/app/main.py)
            ```python
            4: def load(path):
            5:     with open(path) as file:
            6:         return file.read()
            ```

            java/com/acme/Foo.java:6-8 method Foo.bar (line 7)
            ```java
            6:     int bar() {
            7:         return 1;
            8:     }
            ```"#]],
    );
    // As a target, it is the same.
    assert_eq!(
        kit.json("extract_code", json!({ "targets": [output] }))["blocks"],
        kit.json("extract_code", json!({ "input": output }))["blocks"]
    );
}

#[test]
fn traces_of_browsers_of_installed_packages_and_of_other_versions() {
    let (_repo, kit) = indexed();
    for (output, expected) in [
        (
            "    at load (webpack-internal:///./web/app/main.py:5:1)",
            "web/app/main.py:4-6 function load (line 5)",
        ),
        (
            "    at load (http://localhost:5173/web/app/main.py?t=1699:5:1)",
            "web/app/main.py:4-6 function load (line 5)",
        ),
        (
            "  File \"/usr/lib/python3/dist-packages/web/app/main.py\", line 5, in load",
            "web/app/main.py:4-6 function load (line 5; for /usr/lib/python3/dist-packages/web/app/main.py)",
        ),
        (
            "  File \"web/app/main.py\", line 5, in run",
            "web/app/main.py:12-13 method Loader.run (the trace says `run`, in which line 5 is not any more)",
        ),
        (
            "main.area(0xc000)\n\tsrc/square.rs:5",
            "src/square.rs:4-6 method Square::new (line 5)",
        ),
    ] {
        let answer = kit.text("extract_code", json!({ "text": output }));
        assert!(answer.contains(expected), "{output}: {answer}");
    }
}

#[test]
fn traces_through_an_installed_version_of_the_workspace() {
    let repo = Repo::new(
        "\
//- /go.mod
module example.com/shop/v2
//- /cart/cart.go
package cart

func Total() int {
\treturn 1
}
//- /web/package.json
{ \"name\": \"@acme/web\" }
//- /web/src/main.ts
export function load() {
    return 1;
}
//- /core/Cargo.toml
[package]
name = \"core-store\"
//- /core/src/lib.rs
pub fn save() {
    panic!()
}
//- /till/till.gemspec
Gem::Specification.new do |s|
  s.name = \"till\"
end
//- /till/lib/till/drawer.rb
def open_drawer
  raise
end
",
    );
    let kit = Kit::new(&repo.root());
    for (output, expected) in [
        (
            "/usr/lib/ruby/gems/3.1.0/gems/till-5.6.5/lib/till/drawer.rb:2:in `open_drawer'",
            "till/lib/till/drawer.rb:1-3 function open_drawer",
        ),
        (
            "shop/cart.Total(...)\n\t/home/me/go/pkg/mod/example.com/shop/v2@v2.1.0/cart/cart.go:4 +0x1d",
            "cart/cart.go:3-5 function Total",
        ),
        (
            "    at load (/srv/node_modules/@acme/web/src/main.ts:2:5)",
            "web/src/main.ts:1-3 function load",
        ),
        (
            "   at /home/me/.cargo/registry/src/index-1cd66030c949c28d/core-store-1.2.0/src/lib.rs:2:5",
            "core/src/lib.rs:1-3 function save",
        ),
    ] {
        let answer = kit.text("extract_code", json!({ "text": output }));
        assert!(answer.contains(expected), "{output}: {answer}");
    }
    let other = "   at /home/me/.cargo/registry/src/index-1cd66030c949c28d/other-1.2.0/src/lib.rs:2:5";
    assert!(kit.call("extract_code", json!({ "text": other })).is_error());
}

#[test]
fn traces_of_compiled_code_lead_to_its_sources() {
    let repo = Repo::new(
        "\
//- /package.json
{ \"name\": \"store\" }
//- /src/pool/connections.ts
export class Connections {
    close(): void {}

    take(): number {
        return 1;
    }
}
//- /src/other/connections.ts
export class Connections {
    take(): number {
        return 2;
    }
}
//- /src/index.ts
export function start() {}
",
    );
    let kit = Kit::new(&repo.root());
    for (frame, expected) in [
        (
            "at Connections.take (/app/node_modules/store/lib/pool/connections.js:250:11)",
            "src/pool/connections.ts:4-6 method Connections.take (by name: /app/node_modules/store/lib/pool/connections.js is compiled, its lines are others)",
        ),
        (
            "at async start (/srv/dist/index.js:9:3)",
            "src/index.ts:1 function start (by name",
        ),
    ] {
        let answer = kit.text("extract_code", json!({ "targets": [frame] }));
        assert!(answer.contains(expected), "{frame}: {answer}");
    }
    for (frame, expected) in [
        (
            "at Object.<anonymous> (/app/node_modules/store/lib/pool/connections.js:250:11)",
            "compiled from `src/pool/connections.ts`",
        ),
        (
            "at Connections.take (/app/node_modules/others/lib/pool/connections.js:250:11)",
            "outside",
        ),
        ("at start (/srv/web/index.js:9:3)", "outside"),
    ] {
        let answer = kit.call("extract_code", json!({ "targets": [frame] }));
        assert!(
            answer.is_error() && answer.text.contains(expected),
            "{frame}: {}",
            answer.text
        );
    }
}

#[test]
fn diffs_applied_and_not() {
    let (repo, kit) = indexed();
    let diff = "diff --git a/web/app/main.py b/web/app/main.py\n--- a/web/app/main.py\n+++ b/web/app/main.py\n\
                @@ -3,4 +3,5 @@\n \n def load(path):\n+    path = path.strip()\n     with open(path) as file:\n         return file.read()\n";
    check(
        &kit,
        json!({ "text": diff }),
        expect![[r#"
            web/app/main.py:4-6 function load (the diff is not applied)
            ```python
            4: def load(path):
            5:     with open(path) as file:
            6:         return file.read()
            ```"#]],
    );
    let text = std::fs::read_to_string(repo.path("web/app/main.py")).unwrap();
    repo.write(
        "web/app/main.py",
        text.replace("    with", "    path = path.strip()\n    with"),
    );
    check(
        &kit,
        json!({ "diff": diff }),
        expect![[r#"
            web/app/main.py:4-7 function load
            ```python
            4: def load(path):
            5:     path = path.strip()
            6:     with open(path) as file:
            7:         return file.read()
            ```"#]],
    );
    repo.write("web/app/main.py", "import os\n");
    check(
        &kit,
        json!({ "diff": diff }),
        expect![[r#"
            web/app/main.py:1 (the file is not as the diff has it: lines may have moved)
            ```python
            1: import os
            ```"#]],
    );
}

#[test]
fn what_cannot_be_found() {
    let (_repo, kit) = indexed();
    check(
        &kit,
        json!({ "targets": ["src/shaps.rs:3", "Circle::aera", "src/square.rs:99", "src/shapes.rs#are", "web/app", "../x.rs:1", "zzz", "LIMIT"] }),
        expect![[r#"
            1 block for 8 targets
            Not resolved:
            - `src/shaps.rs:3`: there is no file `src/shaps.rs` (near: `src/shapes.rs`)
            - `Circle::aera`: no symbol or file has this name (near: `Circle`, `Circle::area`)
            - `src/square.rs:99`: `src/square.rs` has 7 lines
            - `src/shapes.rs#are`: `src/shapes.rs` defines no `are` (near: `area`)
            - `web/app`: it is a directory: map_code shows what is in it
            - `../x.rs:1`: `../x.rs` is outside the workspace
            - `zzz`: no symbol or file has this name

            src/shapes.rs:23 constant LIMIT
            ```rust
            23: pub const LIMIT: usize = 10;
            ```"#]],
    );
    let refusals = [
        json!({}),
        json!({ "targets": [] }),
        json!({ "targets": [" "] }),
        json!({ "text": "all is well" }),
        json!({ "targets": ["Cirle"] }),
        json!({ "targets": ["src/nothing.rs:3"] }),
        json!({ "targets": ["src/shapes.rs:99"] }),
        json!({ "targets": ["empty.rs:1"] }),
        json!({ "targets": ["src"] }),
        json!({ "targets": ["/etc/passwd"] }),
        json!({ "targets": ["/etc/passwd:1"] }),
        json!({ "targets": ["LIMIT"], "context_lines": 101 }),
        json!({ "targets": ["LIMIT"], "max_tokens": 5 }),
    ];
    let mut table = String::new();
    for arguments in refusals {
        let outcome = kit.call("extract_code", arguments.clone());
        assert!(outcome.is_error(), "{arguments}: {}", outcome.text);
        let code = &outcome.structured["error"]["code"];
        table.push_str(&format!("{arguments} {code}\n{}\n", kit.steady(&outcome.text)));
    }
    expect![[r#"
        {} -32602
        Error: `targets` is missing.
        Hint: give `targets`, e.g. ["src/lib.rs:10", "Type::method"], or `text` with compiler output.
        {"targets":[]} -32602
        Error: `targets` is missing.
        Hint: give `targets`, e.g. ["src/lib.rs:10", "Type::method"], or `text` with compiler output.
        {"targets":[" "]} -32602
        Error: `targets` is missing.
        Hint: give `targets`, e.g. ["src/lib.rs:10", "Type::method"], or `text` with compiler output.
        {"text":"all is well"} -32602
        Error: `text` names no place in a file.
        Hint: give output with places such as `src/lib.rs:10`, a diff, or `targets`.
        {"targets":["Cirle"]} -32001
        Error: `Cirle`: no symbol or file has this name (near: `Circle`).
        Hint: did you mean `Circle`?
        {"targets":["src/nothing.rs:3"]} -32001
        Error: `src/nothing.rs:3`: there is no file `src/nothing.rs`.
        Hint: search_code and find_file find places; give `path:line`, `file#symbol` or a symbol's name.
        {"targets":["src/shapes.rs:99"]} -32001
        Error: `src/shapes.rs:99`: `src/shapes.rs` has 31 lines.
        Hint: search_code and find_file find places; give `path:line`, `file#symbol` or a symbol's name.
        {"targets":["empty.rs:1"]} -32001
        Error: `empty.rs:1`: `empty.rs` has 0 lines.
        Hint: search_code and find_file find places; give `path:line`, `file#symbol` or a symbol's name.
        {"targets":["src"]} -32001
        Error: `src`: it is a directory: map_code shows what is in it.
        Hint: search_code and find_file find places; give `path:line`, `file#symbol` or a symbol's name.
        {"targets":["/etc/passwd"]} -32001
        Error: `/etc/passwd`: `/etc/passwd` is outside the workspace.
        Hint: search_code and find_file find places; give `path:line`, `file#symbol` or a symbol's name.
        {"targets":["/etc/passwd:1"]} -32001
        Error: `/etc/passwd:1`: `/etc/passwd` is outside the workspace.
        Hint: search_code and find_file find places; give `path:line`, `file#symbol` or a symbol's name.
        {"targets":["LIMIT"],"context_lines":101} -32602
        Error: `context_lines` is 101, it must be from 0 to 100.
        Hint: use a value from 0 to 100.
        {"targets":["LIMIT"],"max_tokens":5} -32602
        Error: max_tokens 5 is too small for this answer.
        Hint: give at least 300.
    "#]]
    .assert_eq(&table);
}

/// Long definitions come in parts that join to the whole, whatever the budget; the part with the line that was asked for
/// comes first, the others in their order when each block has been seen.
#[test]
fn long_blocks_come_in_parts() {
    let repo = Repo::new("");
    let body: String = (0..900).map(|n| format!("    step_{n}(\"größe {n}\");\n")).collect();
    let whole = format!("fn long() {{\n{body}}}");
    repo.write("a.rs", format!("{whole}\n\nfn short() {{}}\n"));
    let kit = Kit::new(&repo.root());
    for max_tokens in [3500, 4000, 20000] {
        let arguments = json!({ "targets": ["a.rs:400", "short"], "max_tokens": max_tokens });
        let (rows, pages) = kit
            .pages("extract_code", &arguments, "blocks")
            .unwrap_or_else(|page| panic!("{}", page.text));
        for page in &pages {
            assert!(tools::count_tokens(&page.text) <= max_tokens);
        }
        let mut parts: Vec<&Value> = rows.iter().filter(|row| row["symbol"] == "long").collect();
        let span = |row: &Value| (row["start_line"].as_u64().unwrap(), row["end_line"].as_u64().unwrap());
        let (first, last) = span(parts[0]);
        assert!(first > 1 && (first..=last).contains(&400), "{first}-{last}");
        assert_eq!(parts[0]["lines"], json!([400]));
        assert!(parts[1..].iter().all(|row| row.get("lines").is_none()));
        assert!(parts[1..].is_sorted_by_key(|row| span(row)));
        parts.sort_by_key(|row| span(row));
        let mut line = 1;
        let mut code = Vec::new();
        for row in parts {
            assert_eq!(row["start_line"], line);
            line = row["end_line"].as_u64().unwrap() + 1;
            code.push(string(&row["code"]));
        }
        assert!(code.len() > 1);
        assert_eq!(code.join("\n"), whole, "{max_tokens}");
        assert_eq!(rows[1]["symbol"], "short");
    }
}

/// Whatever the line, the block holds it and is what the disk has.
#[test]
fn every_line_is_in_its_block() {
    let (repo, kit) = indexed();
    for path in [
        "src/shapes.rs",
        "src/square.rs",
        "web/app/main.py",
        "java/com/acme/Foo.java",
        "notes.txt",
    ] {
        let text = std::fs::read_to_string(repo.path(path)).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        for line in 1..=lines.len() {
            let answer = kit.json("extract_code", json!({ "targets": [format!("{path}:{line}")] }));
            let block = &answer["blocks"][0];
            let (first, last) = (
                block["start_line"].as_u64().unwrap(),
                block["end_line"].as_u64().unwrap(),
            );
            assert!((first..=last).contains(&(line as u64)), "{path}:{line}: {block}");
            let shown = lines[first as usize - 1..last as usize].join("\n");
            assert_eq!(block["code"], shown, "{path}:{line}");
        }
    }
}

#[test]
fn a_line_of_a_long_function_is_on_a_small_page() {
    let body: String = (2..400)
        .map(|n| format!("    step_{n}(\"argument number {n}\");\n"))
        .collect();
    let repo = Repo::new("");
    repo.write("big.c", format!("void big(void) {{\n{body}}}\n"));
    let kit = Kit::new(&repo.root());
    for line in [3, 150, 300, 399] {
        let text = kit.text(
            "extract_code",
            json!({ "targets": [format!("big.c:{line}")], "max_tokens": 600 }),
        );
        assert!(text.contains(&format!("step_{line}(")), "{line}: {text}");
    }
}

/// A small page would have nothing but its comment.
#[test]
fn what_has_a_long_comment_is_told_before_it() {
    let comment: String = (0..40).map(|n| format!("/// Line {n} of what it does.\n")).collect();
    let repo = Repo::new("");
    repo.write(
        "a.rs",
        format!("{comment}pub fn long(n: u32) -> u32 {{\n    n\n}}\n\n/// Short.\nfn short() {{}}\n"),
    );
    let kit = Kit::new(&repo.root());
    let head = |symbol: &str| {
        let text = kit.text("extract_code", json!({ "targets": [symbol], "max_tokens": 300 }));
        text.lines().next().unwrap_or_default().to_owned()
    };
    assert_eq!(
        head("long"),
        "a.rs:1-43 function long: pub fn long(n: u32) -> u32 (from line 41)"
    );
    assert_eq!(head("short"), "a.rs:45-46 function short");
}

#[test]
fn places_that_only_one_file_can_have() {
    let repo = Repo::new(
        "
//- /src/dict.c
int one;
int two;
int find(int key) {
    return key;
}
//- /deps/dict.c
int other;
//- /App/Core/Context.swift
class Context {
    func run() {}
}
//- /Cart.cs
namespace Shop {
    class Cart {
        public void Add(int item) { }
    }
}
",
    );
    let kit = Kit::new(&repo.root());
    let shown = |text: &str| {
        let found = kit.json("extract_code", json!({ "text": text }));
        let blocks = found["blocks"].as_array().cloned().unwrap_or_default();
        let places = blocks
            .iter()
            .map(|block| format!("{}:{}", string(&block["path"]), block["start_line"]));
        places.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(shown("#1  0x0055 in find (key=1) at dict.c:4"), "src/dict.c:3");
    assert_eq!(
        shown("AppCore/Context.swift:2: Fatal error: no"),
        "App/Core/Context.swift:2"
    );
    assert_eq!(
        shown("Unhandled exception.\n   at Shop.Cart.Add(Int32 item)\n   at System.Main(String[] args)"),
        "Cart.cs:3"
    );
}
