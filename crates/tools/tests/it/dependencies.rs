//! What a file imports, and who imports it.

use expect_test::{Expect, expect};
use serde_json::{Value, json};
use test_fixture::Repo;

use crate::kit::Kit;

const REPO: &str = r#"
//- /Cargo.toml
[workspace]
members = ["crates/*"]
//- /crates/shapes/Cargo.toml
[package]
name = "shapes"
edition = "2024"
//- /crates/shapes/src/lib.rs
mod circle;
pub mod square;
pub use circle::{Circle, RADIUS as R};
//- /crates/shapes/src/circle.rs
use std::{fmt, io::Read};
use crate::square::Square;
pub struct Circle;
pub const RADIUS: u32 = 1;
//- /crates/shapes/src/square.rs
pub struct Square;
//- /crates/app/Cargo.toml
[package]
name = "app"
edition = "2024"
[dependencies]
shapes = { path = "../shapes" }
//- /crates/app/src/main.rs
use shapes::{Circle, R, square::{self, Square}};
use serde::Deserialize;
use crate::nowhere::x;
use super::y;
//- /web/a.ts
import { b, c as d } from "./b";
import * as all from "./b";
import gone from "./gone";
import React from "react";
//- /web/b.ts
export const b = 1;
//- /c/a.c
#include "x.h"
//- /c/one/x.h
//- /c/two/x.h
//- /go.mod
module m
//- /pkg/a.go
package pkg
//- /pkg/b.go
package pkg
//- /main.go
package main
import "m/pkg"
//- /notes.txt
import this
//- /alone.py
x = 1
"#;

#[track_caller]
fn check(kit: &Kit, arguments: Value, expect: Expect) {
    expect.assert_eq(&kit.text("get_dependencies", arguments));
}

#[test]
fn imports_are_resolved_and_grouped() {
    let repo = Repo::new(REPO);
    let kit = Kit::new(&repo.root());
    for (path, expect) in [
        (
            "crates/app/src/main.rs",
            expect![[r#"
                crates/app/src/main.rs: 7 imports (4 local, 1 external, 2 unresolved)
                crates/shapes/src/circle.rs via crates/shapes/src/lib.rs: shapes {Circle, R} (1)
                crates/shapes/src/square.rs: shapes {square} (1), shapes::square {Square} (1)
                external: serde {Deserialize} (2)
                unresolved: crate::nowhere {x} (3)
                unresolved: super {y} (4)"#]],
        ),
        (
            "crates/shapes/src/lib.rs",
            expect![[r#"
            crates/shapes/src/lib.rs: 4 imports (4 local)
            crates/shapes/src/circle.rs: mod circle (1), circle {Circle, RADIUS as R} (3)
            crates/shapes/src/square.rs: mod square (2)"#]],
        ),
        (
            "crates/shapes/src/circle.rs",
            expect![[r#"
                crates/shapes/src/circle.rs: 3 imports (1 local, 2 external)
                crates/shapes/src/square.rs: crate::square {Square} (2)
                external: std {fmt} (1), std::io {Read} (1)"#]],
        ),
        (
            "web/a.ts",
            expect![[r#"
                web/a.ts: 5 imports (2 local, 1 external, 2 unresolved)
                web/b.ts: ./b {b} (1), ./b as all (2)
                external: react {default as React} (4)
                unresolved: ./b {c as d} (1), not in web/b.ts
                unresolved: ./gone {default as gone} (3)"#]],
        ),
        (
            "c/a.c",
            expect![[r#"
                c/a.c: 1 import (1 probably local)
                perhaps c/one/x.h, c/two/x.h: x.h (1)"#]],
        ),
        (
            "main.go",
            expect![[r#"
            main.go: 1 import (1 local)
            pkg/a.go, pkg/b.go: m/pkg (2)"#]],
        ),
    ] {
        check(&kit, json!({ "file_path": path }), expect);
    }
}

#[test]
fn importers_are_found_through_what_hands_names_on() {
    let repo = Repo::new(REPO);
    let kit = Kit::new(&repo.root());
    for (path, expect) in [
        (
            "crates/shapes/src/circle.rs",
            expect![[r#"
                2 files import crates/shapes/src/circle.rs (5 imports); re-exported by crates/shapes/src/lib.rs
                crates/app/src/main.rs: shapes {Circle, R} (1) re-exported
                crates/shapes/src/lib.rs: mod circle (1), circle {Circle, RADIUS as R} (3)"#]],
        ),
        (
            "crates/shapes/src/square.rs",
            expect![[r#"
                3 files import crates/shapes/src/square.rs (4 imports)
                crates/app/src/main.rs: shapes {square} (1), shapes::square {Square} (1)
                crates/shapes/src/circle.rs: crate::square {Square} (2)
                crates/shapes/src/lib.rs: mod square (2)"#]],
        ),
        (
            "web/b.ts",
            expect![[r#"
                1 file imports web/b.ts (3 imports)
                web/a.ts: ./b {b, c as d} (1), ./b as all (2)"#]],
        ),
        (
            "c/one/x.h",
            expect![[r#"
                1 file imports c/one/x.h (1 import)
                perhaps c/a.c: x.h (1)"#]],
        ),
        (
            "pkg/a.go",
            expect![[r#"
            1 file imports pkg/a.go (1 import)
            main.go: m/pkg (2)

            Note: files of the same package use it without an import in go."#]],
        ),
        ("alone.py", expect!["No file imports alone.py (18 files looked at)"]),
    ] {
        check(&kit, json!({ "file_path": path, "reverse": true }), expect);
    }
}

/// Of a directory those count that are not in it.
#[test]
fn who_imports_what_is_in_a_directory() {
    let repo = Repo::new(REPO);
    let kit = Kit::new(&repo.root());
    for (path, expect) in [
        (
            "crates/shapes",
            expect![[r#"
                1 file outside of it imports crates/shapes (4 imports)
                crates/app/src/main.rs: shapes {Circle, R, square} (1), shapes::square {Square} (1)"#]],
        ),
        (
            "pkg",
            expect![[r#"
                1 file outside of it imports pkg (1 import)
                main.go: m/pkg (2)"#]],
        ),
        (
            "crates",
            expect!["No file outside of it imports crates (18 files looked at)"],
        ),
        (
            ".",
            expect!["No file outside of it imports the workspace (18 files looked at)"],
        ),
    ] {
        check(&kit, json!({ "file_path": path, "reverse": true }), expect);
    }
}

#[test]
fn nothing_and_not_known_are_different() {
    let repo = Repo::new(REPO);
    let kit = Kit::new(&repo.root());
    check(
        &kit,
        json!({ "file_path": "alone.py" }),
        expect!["alone.py imports nothing"],
    );
    check(
        &kit,
        json!({ "file_path": "notes.txt" }),
        expect!["The imports of notes.txt are not known (read as text only, plaintext)"],
    );
}

#[test]
fn structured_answers_say_the_same() {
    let repo = Repo::new(REPO);
    let kit = Kit::new(&repo.root());
    let answer = kit.json("get_dependencies", json!({ "file_path": "web/a.ts" }));
    let shown = serde_json::to_string(&answer["dependencies"]).unwrap();
    expect![[r#"[{"resolved":"local","files":["web/b.ts"],"imports":[{"line":1,"path":"./b","item":"b"},{"line":2,"path":"./b","alias":"all"}]},{"resolved":"external","package":"react","imports":[{"line":4,"path":"react","item":"default","alias":"React"}]},{"resolved":"unresolved","missing_in":["web/b.ts"],"imports":[{"line":1,"path":"./b","item":"c","alias":"d"}]},{"resolved":"unresolved","imports":[{"line":3,"path":"./gone","item":"default","alias":"gone"}]}]"#]].assert_eq(&shown);
    assert_eq!(answer["file"], "web/a.ts");
    assert_eq!(answer["imports_total"], 5);
    let answer = kit.json(
        "get_dependencies",
        json!({ "path": "crates/shapes/src/circle.rs", "reverse": true }),
    );
    let shown = serde_json::to_string(&answer["importers"]).unwrap();
    expect![[r#"[{"path":"crates/app/src/main.rs","imports":[{"line":1,"path":"shapes","item":"Circle","via":["crates/shapes/src/lib.rs"]},{"line":1,"path":"shapes","item":"R","via":["crates/shapes/src/lib.rs"]}]},{"path":"crates/shapes/src/lib.rs","imports":[{"line":1,"path":"mod circle"},{"line":3,"path":"circle","item":"Circle","reexport":true},{"line":3,"path":"circle","item":"RADIUS","alias":"R","reexport":true}]}]"#]].assert_eq(&shown);
}

#[test]
fn a_macro_that_opens_a_namespace_imports_nothing() {
    let repo = Repo::new(
        "//- /a.cpp\n#include <string>\n#define BEGIN_SHAPES namespace shapes {\nBEGIN_SHAPES\nint area();\n",
    );
    let kit = Kit::new(&repo.root());
    let answer = kit.json("get_dependencies", json!({ "file_path": "a.cpp" }));
    assert_eq!(answer["imports_total"], 1, "{answer}");
}

#[test]
fn answers_follow_the_disk() {
    let repo = Repo::new(REPO);
    let kit = Kit::new(&repo.root());
    let importers = |path: &str| {
        let rows = kit.rows(
            "get_dependencies",
            &json!({ "file_path": path, "reverse": true }),
            "importers",
        );
        rows.iter()
            .map(|row| crate::kit::string(&row["path"]))
            .collect::<Vec<_>>()
    };
    assert_eq!(importers("web/b.ts"), ["web/a.ts"]);
    repo.write("web/c.ts", "\nimport { b } from './b.js';\n");
    repo.write("web/a.ts", "export {};\n");
    assert_eq!(importers("web/b.ts"), ["web/c.ts"]);
    // A manifest decides what a name means.
    assert_eq!(importers("pkg/a.go"), ["main.go"]);
    repo.write("go.mod", "module other\n");
    assert_eq!(importers("pkg/a.go"), [""; 0]);
}

#[test]
fn long_answers_are_paged() {
    let repo = Repo::new("//- /b.py\nx = 1\n");
    let many: String = (0..400)
        .map(|n| format!("from b import name_{n}\nimport package_{n}\n"))
        .collect();
    repo.write("a.py", many);
    let kit = Kit::new(&repo.root());
    let arguments = json!({ "file_path": "a.py", "max_tokens": 2000 });
    let (rows, pages) = kit
        .pages("get_dependencies", &arguments, "dependencies")
        .unwrap_or_else(|page| panic!("{}", page.text));
    assert!(pages.len() > 1);
    assert!(pages.iter().all(|page| tools::count_tokens(&page.text) <= 2000));
    let imports: usize = rows.iter().map(|row| row["imports"].as_array().unwrap().len()).sum();
    assert_eq!(imports, 800);
}

#[test]
fn importers_that_are_many_are_paged() {
    let repo = Repo::new("//- /all.h\nint all(void);\n");
    for n in 0..300 {
        repo.write(&format!("src/f{n:03}.c"), "#include \"../all.h\"\n");
    }
    let kit = Kit::new(&repo.root());
    let arguments = json!({ "file_path": "all.h", "reverse": true, "max_tokens": 700 });
    let (rows, pages) = kit
        .pages("get_dependencies", &arguments, "importers")
        .unwrap_or_else(|page| panic!("{}", page.text));
    assert!(pages.len() > 3);
    assert!(
        pages
            .iter()
            .all(|page| page.text.contains("300 files import all.h (300 imports)"))
    );
    let expected: Vec<String> = (0..300).map(|n| format!("src/f{n:03}.c")).collect();
    let paths: Vec<String> = rows.iter().map(|row| crate::kit::string(&row["path"])).collect();
    assert_eq!(paths, expected);
}

#[test]
fn mistakes_are_explained() {
    let repo = Repo::new(REPO);
    let kit = Kit::new(&repo.root());
    for (arguments, expect) in [
        (
            json!({}),
            expect![[r#"
            -32602 Error: `file_path` is missing.
            Hint: see the tool's schema for what it takes."#]],
        ),
        (
            json!({ "file_path": "web/bb.ts" }),
            expect![[r#"
            -32001 Error: `web/bb.ts` does not exist.
            Hint: did you mean `web/b.ts`?"#]],
        ),
        (
            json!({ "file_path": "webb" }),
            expect![[r#"
            -32001 Error: `webb` does not exist.
            Hint: did you mean `web`?"#]],
        ),
        (
            json!({ "file_path": "../x.ts" }),
            expect![[r#"
                -32001 Error: `../x.ts` is outside the workspace.
                Hint: give a path inside the workspace, or the absolute path of a file in another repository."#]],
        ),
        (
            json!({ "file_path": "web/b.ts", "revers": true }),
            expect![[r#"
            -32602 Error: get_dependencies has no parameter `revers`.
            Hint: did you mean `reverse`?"#]],
        ),
    ] {
        let outcome = kit.call("get_dependencies", arguments);
        assert!(outcome.is_error());
        expect.assert_eq(&format!(
            "{} {}",
            outcome.structured["error"]["code"],
            kit.steady(&outcome.text)
        ));
    }
}

#[test]
fn directories_are_modules() {
    let repo = Repo::new(REPO);
    let kit = Kit::new(&repo.root());
    for (arguments, expect) in [
        // As deep as it takes for some modules to be linked; where no level does, the modules are files.
        (
            json!({ "file_path": "." }),
            expect![[r#"
            The workspace by directory: 7 modules, 4 links, 7 imports
            crates/app -> crates/shapes: 4 imports in 1 file
            perhaps c -> c/one: 1 import in 1 file
            perhaps c -> c/two: 1 import in 1 file
            . -> pkg: 1 import in 1 file

            1 more module without such imports."#]],
        ),
        (
            json!({ "file_path": ".", "depth": 1 }),
            expect![[r#"
            The workspace by directory: 2 modules, 1 link, 1 import
            . -> pkg: 1 import in 1 file

            3 more modules without such imports."#]],
        ),
        (
            json!({ "file_path": "./crates", "depth": 1 }),
            expect![[r#"
            crates by directory: 2 modules, 1 link, 4 imports
            crates/app -> crates/shapes: 4 imports in 1 file"#]],
        ),
        (
            json!({ "file_path": "crates/shapes" }),
            expect![[r#"
            crates/shapes by file: 3 modules, 3 links, 5 imports
            crates/shapes/src/lib.rs -> crates/shapes/src/circle.rs: 3 imports in 1 file
            crates/shapes/src/circle.rs -> crates/shapes/src/square.rs: 1 import in 1 file
            crates/shapes/src/lib.rs -> crates/shapes/src/square.rs: 1 import in 1 file"#]],
        ),
        (
            json!({ "file_path": "c", "depth": 1 }),
            expect![[r#"
            c by directory: 3 modules, 2 links, 2 imports
            perhaps c -> c/one: 1 import in 1 file
            perhaps c -> c/two: 1 import in 1 file"#]],
        ),
        (
            json!({ "file_path": "c/one" }),
            expect!["c/one: no part imports another"],
        ),
    ] {
        check(&kit, arguments, expect);
    }
    let mut answer = kit.json("get_dependencies", json!({ "file_path": "crates", "depth": 1 }));
    answer["coverage"].take();
    expect![[r#"{"links":[{"from":"crates/app","to":"crates/shapes","imports":4,"files":1}],"total":1,"path":"crates","modules":[{"path":"crates/app","files":2},{"path":"crates/shapes","files":4}],"modules_total":2,"links_total":1,"without_links":0,"coverage":null}"#]].assert_eq(&answer.to_string());
    for (arguments, said) in [
        (json!({ "file_path": "crates/none" }), "does not exist"),
        (json!({ "file_path": "../other" }), "outside"),
    ] {
        let outcome = kit.call("get_dependencies", arguments);
        assert!(outcome.is_error() && outcome.text.contains(said), "{}", outcome.text);
    }
}

/// The largest first, so that what is left out is the least.
#[test]
fn of_many_modules_the_largest_are_shown() {
    let mut fixture = String::from("//- /base/all.py\nx = 1\n");
    for n in 0..60 {
        let imports = "from base.all import x\n".repeat(1 + n % 7);
        fixture.push_str(&format!("//- /m{n:02}/a.py\n{imports}"));
    }
    let repo = Repo::new(&fixture);
    let kit = Kit::new(&repo.root());
    let text = kit.text("get_dependencies", json!({ "file_path": ".", "max_tokens": 20000 }));
    let mut lines = text.lines();
    assert_eq!(
        lines.next(),
        Some("The workspace by directory: 61 modules, 60 links, 234 imports; here the 40 with the most imports")
    );
    assert_eq!(lines.next(), Some("m06 -> base: 7 imports in 1 file"));
    assert_eq!(lines.count(), 38);
    // Pages go on where the last one ended.
    let mut links = Vec::new();
    let mut arguments = json!({ "file_path": ".", "max_tokens": 1500 });
    loop {
        let page = kit.json("get_dependencies", arguments.clone());
        links.extend(page["links"].as_array().expect("links").clone());
        assert_eq!(page["modules"].as_array().map(Vec::len), Some(40));
        assert_eq!(page["links_total"], 60);
        match page.get("next_cursor") {
            Some(cursor) => arguments["cursor"] = cursor.clone(),
            None => break,
        }
    }
    assert_eq!(links.len(), 39);
}

/// A module that is there may not have what is taken from it.
#[test]
fn what_is_taken_from_a_module_and_not_there() {
    let repo = Repo::new(
        "
//- /pkg/__init__.py
//- /pkg/util.py
def rest(): pass
//- /pkg/app.py
from pkg import gone
from pkg.util import helper, rest
from pkg import util
//- /web/a.ts
import { gone, b } from './b';
import data from './data.json';
//- /web/b.ts
export const b = 1;
//- /web/data.json
{ \"a\": 1 }
",
    );
    let kit = Kit::new(&repo.root());
    expect![[r#"
        pkg/app.py: 4 imports (2 local, 2 unresolved)
        pkg/util.py: pkg.util {rest} (2), pkg {util} (3)
        unresolved: pkg {gone} (1), not in pkg/__init__.py
        unresolved: pkg.util {helper} (2), not in pkg/util.py"#]]
    .assert_eq(&kit.text("get_dependencies", json!({ "file_path": "pkg/app.py" })));
    expect![[r#"
        web/a.ts: 3 imports (2 local, 1 unresolved)
        web/b.ts: ./b {b} (1)
        web/data.json: ./data.json {default as data} (2)
        unresolved: ./b {gone} (1), not in web/b.ts"#]]
    .assert_eq(&kit.text("get_dependencies", json!({ "file_path": "web/a.ts" })));
    let found = kit.json("get_dependencies", json!({ "file_path": "web/a.ts" }));
    assert_eq!(found["dependencies"][2]["missing_in"], json!(["web/b.ts"]));
}
