//! Who uses, calls and implements what: `find_references`, `find_callers`, `find_callees`, `find_implementations`.

use expect_test::{Expect, expect};
use serde_json::{Value, json};
use test_fixture::Repo;

use crate::kit::{Kit, string};

const REPO: &str = r#"
//- /Cargo.toml
[package]
name = "shapes"
//- /README.md
The `area` of a Circle is what it covers.
//- /src/lib.rs
pub mod circle;

/// Whatever has an area.
pub trait Shape {
    fn area(&self) -> f64;
}

pub fn total(shapes: &[Box<dyn Shape>]) -> f64 {
    shapes.iter().map(|shape| shape.area()).sum()
}
//- /src/circle.rs
use crate::Shape;

/// Round, unlike Point.
pub struct Circle {
    radius: f64,
}

impl Circle {
    pub fn new(radius: f64) -> Circle {
        Circle { radius }
    }

    pub fn grown(&self, by: f64) -> Circle {
        let circle = Circle::new(self.radius + by);
        println!("grown");
        circle
    }
}

impl Shape for Circle {
    fn area(&self) -> f64 {
        self.radius
    }
}

pub struct Point;

impl Point {
    pub fn new() -> Point {
        Point
    }
}
//- /src/main.rs
use shapes::circle::{Circle, Point};

fn main() {
    let circle = grow(Circle::new(1.0));
    Point::new();
}

fn grow(circle: Circle) -> Circle {
    circle.grown(2.0)
}
//- /tests/all.rs
use shapes::circle::Circle;

#[test]
fn circles_grow() {
    assert!(Circle::new(1.0).grown(1.0).radius > 1.0);
}
//- /web/store.py
class Store:
    def get(self, key):
        return key


def handle(request, unknown):
    store = Store()
    store.get("a")
    {}.get("b")
    unknown.get("c")
"#;

fn indexed() -> (Repo, Kit) {
    let repo = Repo::new(REPO);
    let kit = Kit::new(&repo.root());
    kit.json("index_repository", json!({}));
    (repo, kit)
}

fn check(tool: &str, arguments: Value, expected: Expect) {
    let (_repo, kit) = indexed();
    expected.assert_eq(&kit.text(tool, arguments));
}

/// `path:line` of each row.
fn places(answer: &Value, key: &str) -> Vec<String> {
    let rows = answer[key].as_array().unwrap_or_else(|| panic!("no {key}: {answer}"));
    rows.iter()
        .map(|row| format!("{}:{}", string(&row["path"]), row["line"]))
        .collect()
}

#[test]
fn references_are_about_one_symbol() {
    check(
        "find_references",
        json!({ "symbol": "Circle::new", "context_lines": 0 }),
        expect![[r#"
            src/circle.rs:9:12 Circle::new (method, public)
              pub fn new(radius: f64) -> Circle
            3 references in 3 files
            Exact: every use of the name is resolved
            src/circle.rs:14:30 call in grown() [path]
              let circle = Circle::new(self.radius + by);
            src/main.rs:4:31 call in main() [path]
              let circle = grow(Circle::new(1.0));
            tests/all.rs:5:21 call in circles_grow() [path]
              assert!(Circle::new(1.0).grown(1.0).radius > 1.0);

            Uses of the name that mean something else: 1 (1 of Point::new src/circle.rs:29); include_other lists them"#]],
    );
}

#[test]
fn references_show_their_lines() {
    check(
        "find_references",
        json!({ "symbol": "total", "include_definition": true }),
        expect![[r#"
            src/lib.rs:8:8 total (function, public)
              pub fn total(shapes: &[Box<dyn Shape>]) -> f64
            Nothing in this workspace uses it
            src/lib.rs:8:8 definition"#]],
    );
    check(
        "find_references",
        json!({ "file": "src/main.rs", "line": 8, "symbol": "grow", "context_lines": 1 }),
        expect![[r#"
            src/main.rs:8:4 grow (function, private)
              fn grow(circle: Circle) -> Circle
            1 reference in 1 file
            Exact: every use of the name is resolved

            src/main.rs:4:18 call in main() [scope]
            ```rust
            3: fn main() {
            4:     let circle = grow(Circle::new(1.0));
            5:     Point::new();
            ```"#]],
    );
}

#[test]
fn long_lines_are_shown_around_the_use() {
    let filler = "0 + ".repeat(200);
    let repo = Repo::new(&format!(
        "//- /src/lib.rs\npub fn far() -> u32 {{ 1 }}\npub fn near() -> u32 {{ {filler}far() + {filler}0 }}\n"
    ));
    let kit = Kit::new(&repo.root());
    for context_lines in [0, 1] {
        let answer = kit.text(
            "find_references",
            json!({ "symbol": "far", "context_lines": context_lines }),
        );
        assert!(answer.contains("+ far() +"), "{answer}");
        assert!(answer.len() < 1_500, "{answer}");
    }
}

#[test]
fn a_place_means_what_is_used_there() {
    let (_repo, kit) = indexed();
    let by_use = kit.json(
        "find_references",
        json!({ "file": "src/main.rs", "line": 9, "symbol": "grown" }),
    );
    let by_name = kit.json("find_references", json!({ "symbol": "Circle::grown" }));
    assert_eq!(by_use["symbol"], by_name["symbol"]);
    assert_eq!(places(&by_use, "references"), ["src/main.rs:9", "tests/all.rs:5"]);
}

#[test]
fn references_can_be_narrowed() {
    let (_repo, kit) = indexed();
    let lines = |arguments: Value| places(&kit.json("find_references", arguments), "references");
    let all = lines(json!({ "symbol": "Circle" }));
    assert_eq!(
        all,
        [
            "src/circle.rs:8",
            "src/circle.rs:9",
            "src/circle.rs:10",
            "src/circle.rs:13",
            "src/circle.rs:14",
            "src/circle.rs:20",
            "src/main.rs:1",
            "src/main.rs:4",
            "src/main.rs:8",
            "src/main.rs:8",
            "tests/all.rs:1",
            "tests/all.rs:5",
        ]
    );
    assert_eq!(
        lines(json!({ "symbol": "Circle", "reference_kind": "import" })),
        ["src/main.rs:1", "tests/all.rs:1"]
    );
    assert_eq!(
        lines(json!({ "symbol": "Circle", "defined_in": "src/circle.rs", "reference_kind": "type_usage" })),
        ["src/main.rs:8", "src/main.rs:8"]
    );
    // Pages joined are the whole.
    let narrow = json!({ "symbol": "Circle", "max_results": 5 });
    let rows = kit.rows("find_references", &narrow, "references");
    let pages = places(&json!({ "references": rows }), "references");
    assert_eq!(pages, all);
}

#[test]
fn what_a_filter_leaves_out_is_told() {
    let (_repo, kit) = indexed();
    let answer = kit.text(
        "find_references",
        json!({ "symbol": "Circle::new", "reference_kind": "import" }),
    );
    assert!(answer.contains("No such reference; "), "{answer}");
    assert!(!answer.contains("Nothing in this workspace uses it"), "{answer}");
}

#[test]
fn what_is_not_known_is_told_apart() {
    let (_repo, kit) = indexed();
    let answer = kit.json("find_references", json!({ "symbol": "Store.get" }));
    assert_eq!(places(&answer, "references"), ["web/store.py:8"]);
    assert_eq!(places(&answer, "possible"), ["web/store.py:10"]);
    let all = kit.json(
        "find_references",
        json!({ "symbol": "Store.get", "include_unsure": true }),
    );
    assert_eq!(places(&all, "references"), ["web/store.py:8", "web/store.py:10"]);
    assert_eq!(all["possible"], Value::Null);
    let mentions = kit.json("find_references", json!({ "symbol": "Point", "include_text": true }));
    assert_eq!(places(&mentions, "mentions"), ["src/circle.rs:3"]);
    // Text is listed on request only.
    let default = kit.json("find_references", json!({ "symbol": "Point" }));
    assert_eq!(default["mentions"], Value::Null);
    let none = kit.json("find_references", json!({ "symbol": "Point", "include_text": false }));
    assert_eq!(none["mentions"], Value::Null);
}

/// A change of the product asks for those first; that there are others is said.
#[test]
fn tests_can_be_left_out() {
    check(
        "find_references",
        json!({ "symbol": "Circle::grown", "exclude_tests": true, "context_lines": 0, "include_text": false }),
        expect![[r#"
            src/circle.rs:13:12 Circle::grown (method, public)
              pub fn grown(&self, by: f64) -> Circle
            1 reference in 1 file; 1 in tests left out
            Exact: every use of the name is resolved
            src/main.rs:9:12 call in grow() [receiver's type]
              circle.grown(2.0)

            Files to update also: src/circle.rs (its definition)"#]],
    );
    check(
        "find_callers",
        json!({ "symbol": "Circle::grown", "exclude_tests": true }),
        expect![[r#"
            src/circle.rs:13:12 Circle::grown (method, public)
              pub fn grown(&self, by: f64) -> Circle
            1 caller; 1 in tests left out
            Exact: every use of the name is resolved
            src/main.rs:8 grow calls in line 9 [receiver's type]
              fn grow(circle: Circle) -> Circle"#]],
    );
}

#[test]
fn ambiguous_and_unknown_names_are_not_answered() {
    check(
        "find_references",
        json!({ "symbol": "new" }),
        expect![[r#"
            `new` has 2 definitions, most used first

            src/circle.rs:9:12 Circle::new (method, public)
              pub fn new(radius: f64) -> Circle
              3 references in 3 files
              Exact: every use of the name is resolved
            src/circle.rs
              Circle::grown (method)  14 call
            src/main.rs
              main (function)  4 call
            tests/all.rs
              circles_grow (function)  5 call

            src/circle.rs:29:12 Point::new (method, public)
              pub fn new() -> Point
              1 reference in 1 file
              Exact: every use of the name is resolved
            src/main.rs
              main (function)  5 call

            Files to update, impact and other meanings of the name: find_references of one place, such as src/circle.rs:9"#]],
    );
    check(
        "find_callers",
        json!({ "symbol": "totla" }),
        expect![[r#"
        No definition of `totla` (7 files indexed). Nearest names:
        - src/lib.rs:8:8 total (function, public)"#]],
    );
}

#[test]
fn a_template_is_one_with_what_is_written_for_some_types() {
    let repo = Repo::new(
        r#"
//- /traits.h
template <typename T> struct traits { static int size(); };
template <typename T> struct traits<T *> { static int size(); };
//- /point.h
#include "traits.h"
struct Point {};
template <> struct traits<Point> { static int size(); };
//- /use.cpp
#include "point.h"
int use() { return traits<Point>::size(); }
int more() { return traits<int>::size(); }
"#,
    );
    let kit = Kit::new(&repo.root());
    let answer = kit.json("find_references", json!({ "symbol": "traits" }));
    assert_eq!(places(&answer, "references"), ["use.cpp:2", "use.cpp:3"]);
}

#[test]
fn bad_questions_are_refused() {
    let (_repo, kit) = indexed();
    for (arguments, expected) in [
        (json!({}), "give `symbol`, or `file` and `line`"),
        (json!({ "line": 3 }), "`file` is missing"),
        (json!({ "file": "src/main.rs" }), "`line` or `symbol` is missing"),
        (json!({ "file": "src/main.rs", "line": 2 }), "nothing of this workspace"),
        (json!({ "file": "src/main.rs", "line": 99 }), "has no line 99"),
        (json!({ "file": "src/nain.rs", "line": 1 }), "does not exist"),
        (json!({ "symbol": "total", "max_results": 0 }), "max_results"),
        (
            json!({ "symbol": "total", "defined_in": "nowhere.rs" }),
            "does not exist",
        ),
    ] {
        let outcome = kit.call("find_references", arguments.clone());
        assert!(
            outcome.is_error() && outcome.text.contains(expected),
            "{arguments}: {}",
            outcome.text
        );
    }
}

#[test]
fn callers_by_level() {
    check(
        "find_callers",
        json!({ "symbol": "Circle::new", "depth": 2 }),
        expect![[r#"
            src/circle.rs:9:12 Circle::new (method, public)
              pub fn new(radius: f64) -> Circle
            4 callers (level 1: 3, level 2: 1)
            Exact: every use of the name is resolved
            src/circle.rs:13 Circle::grown level 1, calls in line 14 [path]
              pub fn grown(&self, by: f64) -> Circle
            src/main.rs:3 main level 1, calls in line 4 [path]
              fn main()
            tests/all.rs:4 circles_grow level 1, calls in line 5 [path]
              fn circles_grow()
            src/main.rs:8 grow level 2, calls Circle::grown in line 9 [receiver's type]
              fn grow(circle: Circle) -> Circle"#]],
    );
    check(
        "find_callers",
        json!({ "symbol": "main" }),
        expect![[r#"
            src/main.rs:3:4 main (function, private)
              fn main()
            0 callers: no call of it in this workspace, and it is not handed on as a value"#]],
    );
}

#[test]
fn calls_that_may_be_of_it_are_not_denied() {
    let repo = Repo::new(
        r#"
//- /a.js
class Reader { send() { return 1 } }
class Writer { send() { return 2 } }
class Sender { send() { return 3 } }
function all(list) {
  return list.map((one) => one.send())
}
"#,
    );
    let kit = Kit::new(&repo.root());
    let callers = kit.text("find_callers", json!({ "symbol": "Reader.send" }));
    assert!(
        callers.contains("0 callers: no call is sure to be of it, 1 may be: a.js:5"),
        "{callers}"
    );
    let impact = kit.text("impact_analysis", json!({ "symbol": "Reader.send" }));
    assert!(
        impact.contains("Risk medium: no use is sure, 1 use may be of it"),
        "{impact}"
    );
}

#[test]
fn a_call_by_name_is_as_sure_from_either_end() {
    let repo = Repo::new(
        r#"
//- /clock.py
class Clock:
    def wind(self):
        return 1

class Winch:
    def wind(self):
        return 2

//- /user.py
from clock import Clock

def go(thing):
    thing.wind()
"#,
    );
    let kit = Kit::new(&repo.root());
    let callers = kit.json("find_callers", json!({ "symbol": "Clock.wind" }));
    let callees = kit.json("find_callees", json!({ "symbol": "go" }));
    let (caller, callee) = (&callers["callers"][0], &callees["callees"][0]);
    assert_eq!(caller["path"], "user.py", "{callers}");
    assert_eq!(callee["path"], "clock.py", "{callees}");
    assert_eq!(caller["confidence"], callee["confidence"]);
}

#[test]
fn calls_through_a_trait_may_reach_it() {
    check(
        "find_callers",
        json!({ "symbol": "Circle::area" }),
        expect![[r#"
            src/circle.rs:21:8 Circle::area (method)
              fn area(&self) -> f64
            No function calls it; 1 caller of what it overrides may reach it
            Exact: every use of the name is resolved

            May reach it by dispatch (1):
            src/lib.rs:8 total calls in line 9 [may reach it through what it overrides]
              pub fn total(shapes: &[Box<dyn Shape>]) -> f64"#]],
    );
    check(
        "find_callers",
        json!({ "symbol": "Shape::area" }),
        expect![[r#"
            src/lib.rs:5:8 Shape::area (method, declaration)
              fn area(&self) -> f64
            1 caller
            Exact: every use of the name is resolved
            src/lib.rs:8 total calls in line 9 [element's type]
              pub fn total(shapes: &[Box<dyn Shape>]) -> f64"#]],
    );
}

#[test]
fn callees_say_what_comes_from_elsewhere() {
    check(
        "find_callees",
        json!({ "symbol": "Circle::grown" }),
        expect![[r#"
            src/circle.rs:13:12 Circle::grown (method, public)
              pub fn grown(&self, by: f64) -> Circle
            2 callees (1 of this workspace)
            src/circle.rs:9 Circle::new called in line 14 [path]
              pub fn new(radius: f64) -> Circle
            println (external) called in line 15"#]],
    );
    check(
        "find_callees",
        json!({ "symbol": "main", "depth": 2 }),
        expect![[r#"
            src/main.rs:3:4 main (function, private)
              fn main()
            4 callees (4 of this workspace)
            src/main.rs:8 grow level 1, called in line 4 [scope]
              fn grow(circle: Circle) -> Circle
            src/circle.rs:9 Circle::new level 1, called in line 4 [path]
              pub fn new(radius: f64) -> Circle
            src/circle.rs:29 Point::new level 1, called in line 5 [path]
              pub fn new() -> Point
            src/circle.rs:13 Circle::grown level 2, called by grow in line 9 [receiver's type]
              pub fn grown(&self, by: f64) -> Circle"#]],
    );
}

#[test]
fn callees_go_on_into_constructors() {
    let repo = Repo::new(
        r#"
//- /A.java
class A {
    A() {}
    A(int n) { B.go(); }
    C made = C.make();
}
//- /B.java
class B {
    static void go() {}
}
//- /C.java
class C {
    static C make() { return null; }
    void f() { new A(1); }
}
"#,
    );
    let kit = Kit::new(&repo.root());
    let callees = kit.text("find_callees", json!({ "symbol": "C.f", "depth": 3 }));
    expect![[r#"
        C.java:3:10 C.f (method, internal)
          void f()
        3 callees (3 of this workspace)
        A.java:3 A.A level 1, called in line 3 [package]
          A(int n)
        B.java:2 B.go level 2, called by A.A in line 3 [receiver's type]
          static void go()
        C.java:2 C.make level 2, called by A in line 4 [receiver's type]
          static C make()"#]]
    .assert_eq(&callees);
}

#[test]
fn implementations_of_types_and_members() {
    check(
        "find_implementations",
        json!({ "symbol": "Shape" }),
        expect![[r#"
        src/lib.rs:4:11 Shape (trait, public)
          pub trait Shape
        1 implementation
        src/circle.rs:20:16 Circle (impl)
          impl Shape for Circle"#]],
    );
    check(
        "find_implementations",
        json!({ "symbol": "Shape::area" }),
        expect![[r#"
            src/lib.rs:5:8 Shape::area (method, declaration)
              fn area(&self) -> f64
            1 implementation
            src/circle.rs:21:8 Circle::area (method)
              fn area(&self) -> f64"#]],
    );
    check(
        "find_implementations",
        json!({ "symbol": "Point" }),
        expect![[r#"
        src/circle.rs:26:12 Point (struct, public)
          pub struct Point
        0 implementations: none in this workspace"#]],
    );
}

/// A block for any type of some form is called like that form.
#[test]
fn implementations_for_forms_of_types() {
    let repo = Repo::new(
        r#"
//- /src/lib.rs
pub trait Read { fn read(&self) -> usize; }
impl<T: Read> Read for Box<T> { fn read(&self) -> usize { (**self).read() } }
impl<T: Read> Read for &T { fn read(&self) -> usize { (**self).read() } }
impl<T: Read> Read for Vec<T> { fn read(&self) -> usize { 0 } }
"#,
    );
    let kit = Kit::new(&repo.root());
    let answer = kit.json("find_implementations", json!({ "symbol": "Read::read" }));
    let rows = answer["implementations"].as_array().unwrap();
    let names: Vec<String> = rows.iter().map(|row| string(&row["qualified_name"])).collect();
    assert_eq!(names, ["Box<T>::read", "&T::read", "Vec::read"], "{answer}");
}

/// An edit is seen by the next question, and costs no more than itself.
#[test]
fn edits_are_seen() {
    let (repo, kit) = indexed();
    let callers = |kit: &Kit| places(&kit.json("find_callers", json!({ "symbol": "grow" })), "callers");
    assert_eq!(callers(&kit), ["src/main.rs:3"]);
    repo.write(
        "src/main.rs",
        "fn grow() {}\n\nfn other() {\n    grow();\n}\n\nfn third() { grow() }\n",
    );
    assert_eq!(callers(&kit), ["src/main.rs:3", "src/main.rs:7"]);
    repo.remove("src/main.rs");
    let answer = kit.json("find_callers", json!({ "symbol": "grow" }));
    assert_eq!(answer["total"], 0);
}

/// A decorator is called where the function is made: by what is around it.
#[test]
fn a_decorator_is_called_by_what_is_around() {
    let repo = Repo::new(
        r#"
//- /marks.py
def marked(function):
    return function

@marked
def top():
    return 1

class Box:
    @marked
    def open(self):
        return marked(2)

def build():
    @marked
    def inner():
        return 3
    return inner
"#,
    );
    let kit = Kit::new(&repo.root());
    let answer = kit.json("find_callers", json!({ "symbol": "marked" }));
    let callers = answer["callers"].as_array().unwrap();
    let mut names: Vec<String> = callers.iter().map(|row| string(&row["name"])).collect();
    names.sort();
    assert_eq!(names, ["", "Box", "build", "open"], "{answer}");
}

/// Whoever changes a member changes what stands in for it: those files are named too.
#[test]
fn files_to_update_have_what_stands_in() {
    let repo = Repo::new(
        r#"
//- /base.ts
export interface Part { run: () => number }
//- /one.ts
import { Part } from "./base";
export class One implements Part { run() { return 1; } }
//- /use.ts
import { Part } from "./base";
export function use(part: Part) { return part.run(); }
"#,
    );
    let kit = Kit::new(&repo.root());
    let answer = kit.json("find_references", json!({ "symbol": "Part.run" }));
    assert_eq!(answer["files"], json!(["use.ts", "base.ts", "one.ts"]), "{answer}");
}

#[test]
fn what_is_known_of_all_is_said_once() {
    let uses: String = (0..40).map(|at| format!("fn use{at}() {{ wanted(); }}\n")).collect();
    let repo = Repo::new("");
    repo.write("src/lib.rs", format!("fn wanted() {{}}\n{uses}"));
    let kit = Kit::new(&repo.root());
    let arguments = json!({ "symbol": "wanted", "max_results": 15, "context_lines": 0 });
    let Ok((rows, pages)) = kit.pages("find_references", &arguments, "references") else {
        panic!("every page is an answer");
    };
    assert_eq!((rows.len(), pages.len()), (40, 3));
    let says = pages
        .iter()
        .map(|page| page.structured["summary"].is_object() || page.structured["files"].is_array());
    assert_eq!(says.collect::<Vec<bool>>(), [true, false, false]);
}

#[test]
fn a_small_budget_has_fewer_files_and_not_none() {
    let repo = Repo::new("");
    repo.write("src/wanted.py", "def wanted():\n    pass\n");
    for at in 0..60 {
        let text = "from src.wanted import wanted\n# wanted\ndef use():\n    wanted()\n";
        repo.write(&format!("src/some/longer/directory/user_number_{at}.py"), text);
    }
    let kit = Kit::new(&repo.root());
    let arguments = json!({ "symbol": "wanted", "file": "src/wanted.py", "max_tokens": 600 });
    let answer = kit.json("find_references", arguments);
    assert!(!answer["references"].as_array().unwrap().is_empty());
    assert_eq!(answer["files_total"], 61);
    assert!(answer["files"].as_array().unwrap().len() < 10);
}

const FIXTURES: &str = r#"
//- /conftest.py
import pytest

class Client:
    def get(self): ...

@pytest.fixture
def client():
    return Client()

@pytest.fixture
def signed_in(client):
    return client
//- /tests/test_shop.py
def test_buys(client):
    client.get()

def test_sells(signed_in, client):
    pass

def helper(client):
    return client
"#;

#[test]
fn what_a_fixture_is_given_to() {
    let repo = Repo::new(FIXTURES);
    let kit = Kit::new(&repo.root());
    expect![[r#"
        conftest.py:7:5 client (function, public)
          def client()
        Nothing in this workspace names it but those that it is given to

        Given by its name to 3 parameters: conftest.py:11, tests/test_shop.py:1, tests/test_shop.py:4
        Uses of the name that mean something else: 3 (3 of local names); include_other lists them
        Files to update also: conftest.py, tests/test_shop.py"#]]
    .assert_eq(&kit.text("find_references", json!({"symbol": "client"})));
    let answer = kit.json("impact_analysis", json!({"symbol": "client"}));
    expect![[r#"
        [
          {
            "name": "test_buys",
            "path": "tests/test_shop.py",
            "line": 1,
            "depth": 1,
            "origin": "resolved",
            "confidence": 0.95
          },
          {
            "name": "test_sells",
            "path": "tests/test_shop.py",
            "line": 4,
            "depth": 1,
            "origin": "resolved",
            "confidence": 0.95
          }
        ]"#]]
    .assert_eq(&format!("{:#}", answer["tests"]));
}

#[test]
fn lambdas_are_said_to_be_missing() {
    let repo = Repo::new(
        "
//- /Shop.java
interface Price { int of(int n); }
interface Wide { int a(); int b(); }
class Named implements Price { public int of(int n) { return n; } }
class Shop { Price cheap = n -> 1; }
",
    );
    let kit = Kit::new(&repo.root());
    let says = |symbol: &str| {
        let text = kit.text("find_implementations", json!({ "symbol": symbol }));
        text.contains("Lambdas and references to methods that stand in for it are not listed")
    };
    assert!(says("Price") && !says("Wide") && !says("Named"));
}

/// Rows beside each other share the lines around them.
#[test]
fn lines_that_two_rows_have_are_shown_once() {
    let repo = Repo::new(
        "//- /a.py\ndef f(): pass\n\nf()\nf()\n\n\n\n\n\nf()\n//- /lib/Shop/Base.pm\npackage Shop::Base;\nsub new { 1 }\n",
    );
    let kit = Kit::new(&repo.root());
    expect![[r#"
        a.py:1:5 f (function, public)
          def f()
        3 references in 1 file
        Exact: every use of the name is resolved

        a.py:3:1 call at top level [scope]
        a.py:4:1 call at top level [scope]
        ```python
        1: def f(): pass
        2: 
        3: f()
        4: f()
        5: 
        6: 
        ```

        a.py:10:1 call at top level [scope]
        ```python
        8: 
        9: 
        10: f()
        ```"#]]
    .assert_eq(&kit.text("find_references", json!({ "symbol": "f", "context_lines": 2 })));
    let answer = kit.json("find_references", json!({ "symbol": "f", "context_lines": 2 }));
    let contexts = answer["references"].as_array().unwrap().iter();
    let lines: Vec<usize> = contexts
        .map(|row| row["context"].as_str().unwrap().lines().count())
        .collect();
    assert_eq!(lines, [5, 5, 3]);
    // Modules are called by all of their name.
    let module = kit.json("find_references", json!({ "symbol": "Shop::Base" }));
    assert_eq!(module["symbol"]["path"], "lib/Shop/Base.pm");
}

/// What is used by a sign is not said to be used by nobody.
#[test]
fn uses_as_an_operator_are_not_denied() {
    let repo = Repo::new(
        "//- /V.kt\nclass V {\n  operator fun plus(o: V) = o\n  fun unused() = 1\n}\nfun f(a: V, b: V) = a + b\n\
         //- /v.py\nclass W:\n    def __add__(self, o): return o\n",
    );
    let kit = Kit::new(&repo.root());
    for (symbol, is_operator) in [("V.plus", true), ("W.__add__", true), ("V.unused", false)] {
        for tool in ["find_references", "find_callers", "impact_analysis"] {
            let text = kit.text(tool, json!({ "symbol": symbol }));
            let says_so = text.contains("used as an operator, or by the language, is not looked for");
            assert_eq!(says_so, is_operator, "{tool} {symbol}: {text}");
            assert!(!is_operator || !text.contains("risk low"), "{text}");
        }
    }
}

/// A parameter or local variable is addressed by its place, or by its file where it is the only one of its name.
#[test]
fn local_names_have_references() {
    let repo = Repo::new(
        r#"
//- /a.py
def total(items, limit):
    total = 0
    for item in items:
        total += item.size
        if total > limit:
            break
    return total


def other(items):
    return len(items)
//- /b.py
from a import total

total([], limit=3)
"#,
    );
    let kit = Kit::new(&repo.root());
    let lines = |arguments: Value| -> Vec<String> {
        let answer = kit.json("find_references", arguments);
        let rows = answer["references"].as_array().unwrap().iter();
        rows.map(|row| format!("{}:{}", string(&row["path"]), row["line"]))
            .collect()
    };
    let at = |line: u32, column: u32| json!({ "file": "a.py", "line": line, "column": column });
    assert_eq!(lines(at(2, 5)), ["a.py:4", "a.py:5", "a.py:7"]);
    assert_eq!(lines(at(5, 12)), ["a.py:4", "a.py:5", "a.py:7"]);
    assert_eq!(lines(at(1, 18)), ["a.py:5", "b.py:3"]);
    assert_eq!(lines(at(1, 5)), ["b.py:1", "b.py:3"]);
    assert_eq!(
        lines(json!({ "file": "a.py", "symbol": "limit" })),
        ["a.py:5", "b.py:3"]
    );
    let several = kit.json("find_references", json!({ "file": "a.py", "symbol": "items" }));
    assert_eq!(several["candidates"].as_array().unwrap().len(), 2, "{several}");
    expect![[r#"
        Error: `limit` at a.py:1 is a local name, and no symbol.
        Hint: the line is in total a.py:1; ask about that with its line; find_references lists the uses of a local name."#]]
    .assert_eq(&kit.call("find_callers", at(1, 18)).text);
}

#[test]
fn tabs_inside_of_a_line_are_spaces() {
    let mut text = "//- /a.c\nstruct pane { int x; };\n".to_owned();
    (0..20).for_each(|n| text.push_str(&format!("struct pane\t\t*p{n};\n")));
    let repo = Repo::new(&text);
    let answer = Kit::new(&repo.root()).text("find_references", json!({ "symbol": "pane", "context_lines": 0 }));
    assert!(answer.contains("\n  struct pane *p3;\n"), "{answer}");
}

#[test]
fn callers_tell_where_a_function_is_handed_on() {
    let repo = Repo::new(
        "//- /a.c\nstatic int run(int x) { return x; }\nstatic int unused(int x) { return x; }\nstruct op { int (*exec)(int); };\nstruct op table = { .exec = run };\n",
    );
    let kit = Kit::new(&repo.root());
    let callers = |symbol: &str| kit.text("find_callers", json!({ "symbol": symbol }));
    assert!(
        callers("run").contains("0 callers: no call of it in this workspace; handed on as a value in 1 place: a.c:4"),
        "{}",
        callers("run")
    );
    assert!(
        callers("unused").contains("no call of it in this workspace, and it is not handed on as a value"),
        "{}",
        callers("unused")
    );
    // What only has the name is not said to be it.
    let repo = Repo::new(
        "//- /a.js\nfunction Reply() {}\nReply.prototype.code = function () { return this }\n\
         function go() { return new Reply().code() }\nfunction failed(error) { return error.code }\n",
    );
    let answer = Kit::new(&repo.root()).text("find_callers", json!({ "symbol": "Reply.code" }));
    assert!(answer.contains("1 caller\n"), "{answer}");
}

#[test]
fn members_that_a_list_fills_are_of_the_type_before_it() {
    let repo = Repo::new(
        "\
//- /a.c
struct op { int (*exec)(int); int size; };
struct other { int exec; };
static int run(int x) { return x; }
const struct op table = { .exec = run, .size = 1 };
struct op list[] = { { .exec = run }, [1] = { .exec = run } };
int f(void) {
  struct other o = { .exec = 1 };
  return ((struct op){ .exec = run }).size;
}
",
    );
    let kit = Kit::new(&repo.root());
    let lines = |symbol: &str| -> Vec<u64> {
        let rows = kit.rows("find_references", &json!({ "symbol": symbol }), "references");
        rows.iter().map(|row| row["line"].as_u64().unwrap()).collect()
    };
    assert_eq!(lines("op.exec"), [4, 5, 5, 8]);
    assert_eq!(lines("other.exec"), [7]);
}

#[test]
fn of_several_the_kind_that_is_asked_for() {
    let repo = Repo::new(
        r#"
//- /a.py
class Task:
    pass
//- /b.py
class Task:
    pass

class App:
    def Task(self):
        return Task()
"#,
    );
    let kit = Kit::new(&repo.root());
    let ask = |kind: &str| kit.json("find_references", json!({ "symbol": "Task", "symbol_type": kind }));
    assert_eq!(ask("any")["candidates_total"], 3);
    assert_eq!(ask("type")["candidates_total"], 2);
    assert_eq!(ask("function")["symbol"]["qualified_name"], "App.Task");
    assert_eq!(ask("constant")["candidates_total"], 3);
}

/// What is asked for as something that it is not: its uses as such, and the answer says so.
#[test]
fn a_type_that_is_asked_for_as_a_function() {
    let repo = Repo::new(
        "//- /lock.py\nclass Locker:\n    pass\n//- /use.py\nfrom lock import Locker\n\ndef make() -> Locker:\n    return Locker()\n",
    );
    let kit = Kit::new(&repo.root());
    let asked = json!({ "symbol": "Locker", "symbol_type": "function" });
    let answer = kit.json("find_references", asked.clone());
    assert_eq!(places(&answer, "references"), ["use.py:4"]);
    let text = kit.text("find_references", asked);
    assert!(
        text.contains("it is a class: only its uses as a function count"),
        "{text}"
    );
}

/// Three types with a method of one name, used by others; `Box.get` overrides `Base.get`.
const NAMESAKES: &str = r#"
//- /store.py
class Store:
    def get(self):
        return 1

def load(store: Store):
    store.get()
    return store.get()

def keep(store: Store):
    return store.get()
//- /cache.py
class Cache:
    def get(self):
        return 2

def warm(cache: Cache, other):
    other.get()
    return cache.get()
//- /base.py
class Base:
    def get(self):
        return 3

class Box(Base):
    def get(self):
        return 4

def any_of(base: Base):
    return base.get()

def of_box(box: Box):
    return box.get()
"#;

#[test]
fn several_definitions_are_answered_in_groups() {
    let repo = Repo::new(NAMESAKES);
    let kit = Kit::new(&repo.root());
    let answer = kit.json("find_references", json!({ "symbol": "get" }));
    let groups = answer["groups"].as_array().unwrap();
    let told: Vec<String> = groups
        .iter()
        .map(|group| {
            format!(
                "{} {} {:?}",
                string(&group["symbol"]["qualified_name"]),
                group["total"],
                places(group, "references")
            )
        })
        .collect();
    expect![[r#"
        Store.get 3 ["store.py:6", "store.py:7", "store.py:10"]
        Base.get 1 ["base.py:10"]
        Box.get 1 ["base.py:13"]
        Cache.get 1 ["cache.py:7"]"#]]
    .assert_eq(&told.join("\n"));
    assert_eq!(answer["total"], 6);
    assert_eq!(answer["references"], Value::Null);
    for (tool, list) in [
        ("find_callers", "callers"),
        ("find_callees", "callees"),
        ("find_implementations", "implementations"),
        ("impact_analysis", "direct"),
    ] {
        let answer = kit.json(tool, json!({ "symbol": "get" }));
        let groups = answer["groups"].as_array().unwrap();
        assert_eq!(groups.len(), 4, "{tool}: {answer}");
        assert!(groups.iter().all(|group| group[list].is_array()), "{tool}: {answer}");
    }
    // The flat list stays where one definition is meant.
    let one = kit.json("find_references", json!({ "symbol": "Store.get" }));
    assert_eq!(one["groups"], Value::Null);
    assert_eq!(one["total"], 3);
}

#[test]
fn names_in_another_case_are_found() {
    let (_repo, kit) = indexed();
    for (written, meant) in [
        ("circle::NEW", "Circle::new"),
        ("CIRCLE.grown", "Circle::grown"),
        ("Total", "total"),
        ("src/circle.rs#GROWN", "Circle::grown"),
    ] {
        let answer = kit.json("find_callers", json!({ "symbol": written }));
        assert_eq!(answer["symbol"]["qualified_name"], meant, "{written}: {answer}");
    }
    // Two spellings are no answer.
    let repo = Repo::new("//- /a.py\ndef runAll(): pass\ndef RunAll(): pass\n");
    let text = Kit::new(&repo.root()).text("find_callers", json!({ "symbol": "RUNALL" }));
    assert!(text.starts_with("No definition of `RUNALL`"), "{text}");
}

#[test]
fn a_limit_that_is_too_large_is_lowered() {
    let (_repo, kit) = indexed();
    for (arguments, note) in [
        (
            json!({ "symbol": "grow", "max_results": 300 }),
            "`max_results` is at most 200: 200 was used",
        ),
        (
            json!({ "symbol": "grow", "limit": "500" }),
            "`max_results` is at most 200: 200 was used",
        ),
        (
            json!({ "symbol": "grow", "depth": 99 }),
            "`depth` is at most 10: 10 was used",
        ),
    ] {
        let text = kit.text("find_callers", arguments.clone());
        assert!(text.starts_with(note), "{text}");
        assert_eq!(kit.json("find_callers", arguments)["notes"], json!([note]));
    }
    let outcome = kit.call("find_callers", json!({ "symbol": "grow", "max_results": 0 }));
    assert!(outcome.is_error(), "{}", outcome.text);
}

#[test]
fn groups_have_pages() {
    let uses = |name: &str| -> String {
        let functions = (0..30).map(|at| format!("def {name}{at}(one: {name}):\n    one.run()\n"));
        functions.collect()
    };
    let repo = Repo::new("//- /README.md\n# pages\n");
    for name in ["First", "Second"] {
        let file = format!("class {name}:\n    def run(self):\n        pass\n\n{}", uses(name));
        repo.write(&format!("{}.py", name.to_lowercase()), file);
    }
    let kit = Kit::new(&repo.root());
    let mut arguments = json!({ "symbol": "run", "max_results": 20 });
    let mut found: Vec<(String, u64)> = Vec::new();
    let mut n_pages = 0;
    loop {
        let page = kit.json("find_references", arguments.clone());
        n_pages += 1;
        assert_eq!(page["total"], 60);
        for group in page["groups"].as_array().unwrap() {
            let rows = group["references"].as_array().unwrap();
            // The first page has some of each.
            assert!(n_pages > 1 || rows.len() == 10, "{page}");
            let rows = rows.iter();
            found.extend(rows.map(|row| (string(&row["path"]), row["line"].as_u64().unwrap())));
        }
        match page["next_cursor"].as_str() {
            Some(cursor) => arguments["cursor"] = cursor.into(),
            None => break,
        }
    }
    let n_found = found.len();
    found.sort();
    found.dedup();
    assert_eq!((n_pages, n_found, found.len()), (3, 60, 60));
}

#[test]
fn of_many_definitions_the_most_used_are_answered() {
    let mut text = String::new();
    for at in 0..8 {
        let uses: String = (0..at)
            .map(|n| format!("def f{n}(one: T{at}):\n    one.run()\n"))
            .collect();
        text.push_str(&format!(
            "//- /t{at}.py\nclass T{at}:\n    def run(self):\n        pass\n\n{uses}"
        ));
    }
    let repo = Repo::new(&text);
    let answer = Kit::new(&repo.root()).json("find_callers", json!({ "symbol": "run" }));
    let names = |list: &Value, of: &dyn Fn(&Value) -> String| -> Vec<String> {
        list.as_array().unwrap().iter().map(of).collect()
    };
    let answered = names(&answer["groups"], &|group| string(&group["symbol"]["qualified_name"]));
    assert_eq!(answered, ["T7.run", "T6.run", "T5.run", "T4.run", "T3.run"]);
    let others = names(&answer["candidates"], &|one| string(&one["qualified_name"]));
    assert_eq!(others, ["T2.run", "T1.run", "T0.run"]);
    assert_eq!(answer["candidates_total"], 8);
}

#[test]
fn what_is_no_reference_can_be_listed() {
    let repo = Repo::new(NAMESAKES);
    let kit = Kit::new(&repo.root());
    let arguments = json!({ "symbol": "Box.get", "include_other": true });
    expect![[r#"
        base.py:6:9 Box.get (method, public)
          def get(self)
        1 reference in 1 file
        Lower bound: 1 use of the name is not proven (probably of something else, confidence at most 0.04)
        base.py
          of_box (function)  13 call

        Not proven to be of it (1):
          cache.py: 6

        May reach it: of Base.get base.py:2 (1):
          base.py: 10

        Something else: of Store.get store.py:2 (3):
          store.py: 6, 7, 10

        Something else: of Cache.get cache.py:2 (1):
          cache.py: 7

        1 use of Base.get base.py:2 may reach it, and is not among these; find_references of base.py:2 lists them
        1 further use of that name below confidence 0.5, where the receiver's type or the overload is not known:
          cache.py:6: other.get()
        Uses of the name that mean something else: 4 (3 of Store.get store.py:2, 1 of Cache.get cache.py:2)"#]]
    .assert_eq(&kit.text("find_references", arguments.clone()));
    let answer = kit.json("find_references", arguments);
    assert_eq!(answer["total"], 1);
    let other: Vec<String> = answer["other"]
        .as_array()
        .unwrap()
        .iter()
        .map(Value::to_string)
        .collect();
    assert_eq!(other.len(), 4);
    assert_eq!(
        other[2],
        r#"{"category":"definition","path":"store.py","lines":[6,7,10],"resolves_to":{"qualified_name":"Store.get","path":"store.py","line":2}}"#
    );
}

#[test]
fn callers_by_dispatch_are_told_apart() {
    let repo = Repo::new(NAMESAKES);
    let answer = Kit::new(&repo.root()).json("find_callers", json!({ "symbol": "Box.get" }));
    let via: Vec<String> = answer["callers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| format!("{} {}", string(&row["name"]), row["via"]))
        .collect();
    assert_eq!(via, ["of_box null", "any_of \"dispatch\""]);
    assert_eq!(
        (&answer["direct_total"], &answer["dispatch_total"]),
        (&json!(1), &json!(1))
    );
    assert_eq!(answer["completeness"], "lower_bound");
}

#[test]
fn a_file_is_no_symbol() {
    let repo = Repo::new("//- /lib/a.py\ndef f():\n    pass\n");
    let kit = Kit::new(&repo.root());
    for arguments in [json!({ "symbol": "lib/a.py" }), json!({ "file": "lib/a.py" })] {
        let hint = string(&kit.call("impact_analysis", arguments).structured["error"]["hint"]);
        assert_eq!(
            hint,
            "get_symbols lists what lib/a.py defines; get_dependencies with reverse tells who imports it"
        );
    }
}

#[test]
fn places_are_taken_as_they_are_told() {
    let repo = Repo::new(REPO);
    let kit = Kit::new(&repo.root());
    let meant = |arguments: Value| {
        let answer = kit.json("find_callers", arguments);
        format!("{}:{}", string(&answer["symbol"]["path"]), answer["symbol"]["line"])
    };
    let of_circle = "src/circle.rs:9";
    for arguments in [
        // As answers write places, and as other tools do.
        json!({ "symbol": "src/circle.rs:9" }),
        json!({ "symbol": "src/circle.rs:9:12" }),
        json!({ "symbol": "src/circle.rs#Circle::new" }),
        json!({ "symbol": "src/circle.rs::Circle::new" }),
        json!({ "file": "src/circle.rs:9" }),
        json!({ "file": "circle.rs", "line": 9 }),
        // A line beside it, or inside.
        json!({ "symbol": "Circle::new", "file": "src/circle.rs", "line": 7 }),
        json!({ "symbol": "new", "file": "src/circle.rs", "line": 11 }),
        // A file that uses it.
        json!({ "symbol": "Circle::new", "file": "src/main.rs" }),
    ] {
        assert_eq!(meant(arguments.clone()), of_circle, "{arguments}");
    }
    // What a comment is about.
    assert_eq!(meant(json!({ "file": "src/circle.rs", "line": 3 })), "src/circle.rs:4");
    let far = json!({ "symbol": "grown", "file": "src/circle.rs", "line": 1 });
    assert_eq!(
        kit.call("find_callers", far).text,
        "Error: `grown` is not defined or used at src/circle.rs:1.\n\
         Hint: the name means Circle::grown src/circle.rs:13; ask without `line`."
    );
}

/// What was moved is still asked for where it was: that is no use of something else.
#[test]
fn what_is_imported_from_where_it_was() {
    let moved = |fixture: &str, symbol: &str, callers: &[&str]| {
        let repo = Repo::new(fixture);
        let kit = Kit::new(&repo.root());
        let found = kit.json("find_callers", json!({ "symbol": symbol }));
        let rows = found["callers"].as_array().unwrap();
        let names: Vec<String> = rows.iter().map(|row| string(&row["name"])).collect();
        assert_eq!(names, callers, "{fixture}");
        for row in rows {
            let known = (row["origin"].as_str(), row["rule"].as_str());
            assert_eq!(known, (Some("name"), Some("imported from where it was")), "{row}");
            assert!(row["confidence"].as_f64().unwrap() < 0.75, "{row}");
        }
        let text = kit.text("find_references", json!({ "symbol": symbol }));
        assert!(!text.contains("mean something else"), "{text}");
    };
    const PYTHON: &str = "
//- /pkg/__init__.py
//- /pkg/moved.py
def helper(x): return x
class Shape:
    @staticmethod
    def unit(): return 1
//- /pkg/app.py
from pkg.util import helper, Shape
def go(): return helper(1)
def make(): return Shape.unit()
//- /pkg/app2.py
from pkg import util
def go2(): return util.helper(1)
//- /pkg/app3.py
from .util import helper as h
def go3(): return h(1)
";
    let there = format!("{PYTHON}//- /pkg/util.py\ndef rest(): pass\n");
    for fixture in [PYTHON, &there] {
        moved(fixture, "helper", &["go", "go2", "go3"]);
        moved(fixture, "Shape.unit", &["make"]);
    }
    const TYPESCRIPT: &str = "
//- /src/moved.ts
export function helper(x: number) { return x; }
//- /src/app.ts
import { helper } from './util';
import * as util from './util';
export function go() { return helper(1); }
export function go2() { return util.helper(1); }
";
    let there = format!("{TYPESCRIPT}//- /src/util.ts\nexport const rest = 1;\n");
    for fixture in [TYPESCRIPT, &there] {
        moved(fixture, "helper", &["go", "go2"]);
    }
    const GO: &str = "
//- /go.mod
module example.com/m
//- /moved/moved.go
package moved
func Helper(x int) int { return x }
//- /app/app.go
package app
import \"example.com/m/util\"
func Go() int { return util.Helper(1) }
";
    let there = format!("{GO}//- /util/util.go\npackage util\nfunc Rest() {{}}\n");
    for fixture in [GO, &there] {
        moved(fixture, "Helper", &["Go"]);
    }
    const JAVA: &str = "
//- /src/com/acme/moved/Util.java
package com.acme.moved;
public class Util { public static int helper(int x) { return x; } }
//- /src/com/acme/app/App.java
package com.acme.app;
import com.acme.util.Util;
import static com.acme.util.Util.helper;
class App {
  int go() { return Util.helper(1); }
  int go2() { return helper(1); }
}
";
    let there = format!("{JAVA}//- /src/com/acme/util/Rest.java\npackage com.acme.util;\nclass Rest {{}}\n");
    // A package that is not there may be one of others.
    moved(&there, "Util.helper", &["go", "go2"]);
    const RUST: &str = "
//- /Cargo.toml
[package]
name = \"m\"
//- /src/lib.rs
mod app;
mod moved;
//- /src/moved.rs
pub fn helper(x: u32) -> u32 { x }
//- /src/app.rs
use crate::util::helper;
pub fn go() -> u32 { helper(1) }
";
    let there = RUST.replace("mod moved;", "mod moved;\nmod util;") + "//- /src/util.rs\npub fn rest() {}\n";
    for fixture in [RUST, &there] {
        moved(fixture, "helper", &["go"]);
    }
}

/// Where several have the name, or the module may have it after all, nothing is taken for moved.
#[test]
fn what_may_be_something_else_is_not_taken_for_moved() {
    let rule = |fixture: &str| {
        let repo = Repo::new(fixture);
        let kit = Kit::new(&repo.root());
        let found = kit.json("find_callers", json!({ "file": "pkg/moved.py", "line": 1 }));
        let rules = found["callers"].as_array().unwrap().iter();
        rules
            .map(|row| row["rule"].as_str().unwrap_or("none").to_owned())
            .collect::<Vec<_>>()
    };
    const MOVED: &str = "
//- /pkg/__init__.py
//- /pkg/moved.py
def helper(x): return x
//- /pkg/app.py
from pkg.util import helper
def go(): return helper(1)
";
    let with = |path: &str, text: &str| rule(&format!("{MOVED}//- {path}\n{text}\n"));
    assert_eq!(with("/pkg/util.py", ""), ["imported from where it was"]);
    let none: [&str; 0] = [];
    for (path, text) in [
        ("/pkg/util.py", "from outside import helper"),
        ("/pkg/util.py", "from outside import *"),
        ("/pkg/util.py", "def __getattr__(name): return name"),
        ("/pkg/other.py", "def helper(x): return x"),
    ] {
        assert_eq!(with(path, text), none, "{path} {text}");
    }
    // Who wraps what another module has under the same name does not call itself.
    let wrapped = "
//- /pkg/__init__.py
//- /pkg/moved.py
def helper(x): return _native.helper(x)
from pkg import _native
";
    assert_eq!(rule(wrapped), none);
}

#[test]
fn a_type_in_a_signature_is_taken_or_given() {
    let repo = Repo::new(
        r#"
//- /a.rs
pub struct One;
pub fn pair(a: One) -> (One, One) { make() }
pub fn made<F: Fn(One)>(f: F) -> Vec<One> { make() }
//- /a.go
package a

type Two struct{}

func (t Two) Both(a Two) (Two, error) { return t, nil }
//- /a.scala
class Three
def both(a: Three)(b: Three): (Three, Int) = (a, 1)
//- /a.c
struct four { int a; };
struct four pair(struct four a, int (*f)(struct four));
"#,
    );
    let kit = Kit::new(&repo.root());
    for (symbol, expected) in [
        ("One", &["parameter", "return", "return", "parameter", "return"][..]),
        ("Two", &["parameter", "parameter", "return"]),
        ("Three", &["parameter", "parameter", "return"]),
        ("four", &["return", "parameter", "parameter"]),
    ] {
        let answer = kit.json("find_references", json!({ "symbol": symbol }));
        let rows = answer["references"].as_array().unwrap().iter();
        let roles = rows.map(|row| string(&row["role"]).split(' ').next().unwrap().to_owned());
        assert_eq!(roles.collect::<Vec<_>>(), expected, "{symbol}: {answer}");
    }
}

#[test]
fn a_value_that_is_called_like_several_types_is_of_none_for_sure() {
    let repo = Repo::new(
        r#"
//- /Cargo.toml
[package]
name = "rt"
//- /src/lib.rs
mod one;
mod two;
mod three;
fn run(rt: impl Sized) { let handle = unknown(rt); handle.enter_now(); handle.leave_now(); }
//- /src/one.rs
pub struct Handle;
impl Handle { pub fn enter_now(&self) {} pub fn leave_now(&self) {} }
//- /src/two.rs
pub struct Handle;
impl Handle { pub fn enter_now(&self) {} }
//- /src/three.rs
pub struct Handle;
impl Handle { pub fn enter_now(&self) {} }
"#,
    );
    let kit = Kit::new(&repo.root());
    let confidence = |file: &str, symbol: &str| {
        let asked = json!({ "file": file, "line": 2, "symbol": symbol, "include_unsure": true });
        let answer = kit.json("find_references", asked);
        answer["references"][0]["confidence"].as_f64().unwrap_or_default()
    };
    assert!(confidence("src/one.rs", "leave_now") > 0.7);
    for file in ["src/one.rs", "src/two.rs", "src/three.rs"] {
        let told = confidence(file, "enter_now");
        assert!(0.1 < told && told < 0.5, "{file}: {told}");
    }
}

/// Who asks for a property has it computed: those are its callers, and what it calls is called by them.
#[test]
fn callers_of_a_property() {
    let repo = Repo::new(
        r#"
//- /shapes.py
from functools import cached_property

class Shape:
    limit = 3

    @property
    def size(self): return measured()

    @cached_property
    def outline(self): return measured()

def measured(): return 1

def read(shape: Shape):
    return shape.size + shape.outline + shape.limit
"#,
    );
    let kit = Kit::new(&repo.root());
    let callers = |arguments: Value| kit.text("find_callers", arguments);
    expect![[r#"
        shapes.py:7:9 Shape.size (property, public)
          def size(self)
        1 caller
        Exact: every use of the name is resolved
        shapes.py:14 read accesses in line 15 [receiver's type]
          def read(shape: Shape)"#]]
    .assert_eq(&callers(json!({ "symbol": "Shape.size" })));
    expect![[r#"
        shapes.py:10:9 Shape.outline (property, public)
          def outline(self)
        1 caller
        Exact: every use of the name is resolved
        shapes.py:14 read accesses in line 15 [receiver's type]
          def read(shape: Shape)"#]]
    .assert_eq(&callers(json!({ "symbol": "Shape.outline" })));
    expect![[r#"
        shapes.py:4:5 Shape.limit (field, public)
          limit = 3
        0 callers: it is not called, but used in 1 place: shapes.py:15; find_references lists them"#]]
    .assert_eq(&callers(json!({ "symbol": "Shape.limit" })));
    expect![[r#"
        shapes.py:12:5 measured (function, public)
          def measured()
        3 callers (level 1: 2, level 2: 1)
        Exact: every use of the name is resolved
        shapes.py:7 Shape.size level 1, calls in line 7 [scope]
          def size(self)
        shapes.py:10 Shape.outline level 1, calls in line 10 [scope]
          def outline(self)
        shapes.py:14 read level 2, accesses Shape.size in line 15 [receiver's type]
          def read(shape: Shape)"#]]
    .assert_eq(&callers(json!({ "symbol": "measured", "depth": 2 })));
    expect![[r#"
        shapes.py:14:5 read (function, public)
          def read(shape: Shape)
        2 callees (2 of this workspace)
        shapes.py:7 Shape.size accessed in line 15 [receiver's type]
          def size(self)
        shapes.py:10 Shape.outline accessed in line 15 [receiver's type]
          def outline(self)"#]]
    .assert_eq(&kit.text("find_callees", json!({ "symbol": "read" })));
}

/// A string that is the path to a definition breaks with its name: it is told before prose.
#[test]
fn strings_that_are_the_path_to_it() {
    let repo = Repo::new(
        r#"
//- /pyproject.toml
[project.scripts]
retry = "shop.jobs.retry:Retry"
//- /shop/__init__.py
//- /shop/jobs/__init__.py
//- /shop/jobs/retry.py
class Retry:
    def run(self): ...
//- /shop/settings.py
JOBS = {"shop.jobs.retry.Retry": 550}
LOG = "see shop.jobs.retry.Retry for more"
OTHER = "other.jobs.retry.Retry"
METHOD = 'shop.jobs.retry.Retry.run'
//- /docs/news.md
`shop.jobs.retry.Retry` and Retry are new.
"#,
    );
    let kit = Kit::new(&repo.root());
    let symbol = json!({ "symbol": "Retry" });
    expect![[r#"
        shop/jobs/retry.py:1:7 Retry (class, public)
          class Retry
        Nothing in this workspace uses it

        Named by its path in strings or settings, 3 places: pyproject.toml:2; shop/settings.py:1,4
        Files to update also: pyproject.toml, shop/jobs/retry.py, shop/settings.py"#]]
    .assert_eq(&kit.text("find_references", symbol));
    let method = kit.json("find_references", json!({ "symbol": "Retry.run" }));
    assert_eq!(
        (&method["mentions"][0]["line"], &method["mentions"][0]["role"]),
        (&json!(4), &json!("path"))
    );
    let renamed = json!({ "old_name": "Retry", "new_name": "Again" });
    let renamed = kit.text("rename_symbol", renamed);
    let told: Vec<&str> = renamed.lines().filter(|line| line.contains("left as it is")).collect();
    expect![[r#"
        Named by its path in strings or settings, left as it is: pyproject.toml:2, shop/settings.py:1, shop/settings.py:4
        Also in text, left as it is: docs/news.md:1 (document), shop/settings.py:2 (string), shop/settings.py:3 (string)"#]].assert_eq(&told.join("\n"));
}

#[test]
fn a_function_is_told_for_the_namespace_beside_it() {
    let repo = Repo::new(
        r#"
//- /hooks.ts
export declare namespace useFragment {
  export interface Options { id: string }
}
export function useFragment(options: useFragment.Options) {}
//- /user.ts
import { useFragment } from './hooks';
export function show() { useFragment({ id: 'a' }); }
"#,
    );
    let kit = Kit::new(&repo.root());
    let called = kit.json("find_callers", json!({ "symbol": "useFragment", "file": "hooks.ts" }));
    let (symbol, caller) = (&called["symbol"], &called["callers"][0]);
    expect![[r#"useFragment function 4 called by "show""#]].assert_eq(&format!(
        "{} {} {} called by {}",
        symbol["qualified_name"].as_str().unwrap_or_default(),
        symbol["kind"].as_str().unwrap_or_default(),
        symbol["line"],
        caller["name"]
    ));
}

const LIBRARIES: &str = r#"
//- /Cargo.toml
[package]
name = "shop"
//- /src/lib.rs
use std::collections::HashMap;
use std::{fmt::Write as _, io::Read as Input};

pub fn counted(words: &[String]) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    counts.insert(String::new(), words.len());
    counts
}

pub fn read(input: &mut dyn Input) -> String {
    std::fs::read_to_string("a").unwrap_or_default()
}

pub fn bare(map: HashSet<u32>) {}
//- /web/app.ts
import { useState as state, useEffect } from "react";
import * as path from "path";

export function App() {
  const [open, setOpen] = state(false);
  useEffect(() => {});
  return path.join("a", "b");
}
//- /java/Cart.java
package shop;

import java.util.*;

class Cart {
    List<String> lines = new ArrayList<>();
}
//- /py/app.py
import numpy as np

def grid():
    return np.zeros(3)
"#;

#[test]
fn names_of_libraries_are_found_by_import_and_path() {
    let repo = Repo::new(LIBRARIES);
    let kit = Kit::new(&repo.root());
    expect![[r#"
        `HashMap` is not defined in this workspace. 3 references, imported from std::collections

        From std::collections (3):
        src/lib.rs
          (top level)  1 import
          counted (function)  4 return type, 5 use

        search_code with literal finds the name in comments and strings as well."#]]
    .assert_eq(&kit.text("find_references", json!({ "symbol": "HashMap" })));
    let of = |symbol: &str| {
        let answer = kit.json("find_references", json!({ "symbol": symbol }));
        let rows = answer["references"].as_array().cloned().unwrap_or_default();
        let rows = rows.iter().map(|row| {
            format!(
                "{}:{} {} {}",
                row["path"].as_str().unwrap(),
                row["line"],
                row["module"].as_str().unwrap_or("-"),
                row["origin"].as_str().unwrap()
            )
        });
        rows.collect::<Vec<_>>()
    };
    assert_eq!(of("std::collections::HashMap").len(), 3);
    assert!(of("hashbrown::HashMap").is_empty());
    assert_eq!(of("HashSet"), ["src/lib.rs:14 - name"]);
    // What it is called in a file does not matter.
    assert_eq!(
        of("Read"),
        ["src/lib.rs:2 std::io resolved", "src/lib.rs:10 std::io resolved"]
    );
    assert_eq!(
        of("useState"),
        ["web/app.ts:1 react resolved", "web/app.ts:5 react resolved"]
    );
    assert_eq!(of("read_to_string"), ["src/lib.rs:11 std::fs resolved"]);
    assert_eq!(of("join"), ["web/app.ts:7 path resolved"]);
    assert_eq!(of("zeros"), ["py/app.py:4 numpy resolved"]);
    // One import of everything may bring it.
    assert_eq!(of("ArrayList"), ["java/Cart.java:6 java.util name"]);
    let none = kit.text("find_references", json!({ "symbol": "nowhere_zz" }));
    assert!(none.starts_with("No definition of `nowhere_zz`"), "{none}");
}

/// A place where a library's name is used is as good as the name with its module.
#[test]
fn what_a_library_defines_by_a_place() {
    let repo = Repo::new(
        r#"
//- /a.py
import re
from os import path

def one(text):
    return re.compile(text)

def two(text):
    return path.join(re.compile(text).pattern, "x")
//- /b.py
class Rule:
    def compile(self):
        return 1

def three(rule: Rule):
    return rule.compile()
"#,
    );
    let kit = Kit::new(&repo.root());
    let lines = |tool: &str, arguments: Value| {
        let answer = kit.json(tool, arguments);
        let key = if tool == "find_callers" {
            "callers"
        } else {
            "references"
        };
        let rows = answer[key].as_array().cloned().unwrap_or_default();
        let rows = rows
            .iter()
            .map(|row| format!("{}:{}", row["path"].as_str().unwrap(), row["line"]));
        rows.collect::<Vec<_>>().join(" ")
    };
    let by_place = json!({ "file": "a.py", "line": 5, "symbol": "compile" });
    assert_eq!(lines("find_references", by_place.clone()), "a.py:5 a.py:8");
    assert_eq!(lines("find_callers", by_place), "a.py:4 a.py:7");
    assert_eq!(
        lines("find_references", json!({ "file": "a.py", "line": 8, "column": 17 })),
        "a.py:8"
    );
    assert_eq!(
        lines("find_references", json!({ "file": "a.py", "line": 2 })),
        "a.py:2 a.py:8"
    );
    assert_eq!(
        lines("find_references", json!({ "file": "a.py", "symbol": "path" })),
        "a.py:2 a.py:8"
    );
    let text = kit.text(
        "find_references",
        json!({ "file": "a.py", "line": 5, "symbol": "compile" }),
    );
    assert!(
        text.starts_with("`re.compile` is not defined in this workspace."),
        "{text}"
    );
    let other = kit.text("deep_dive", json!({ "file": "a.py", "line": 5, "symbol": "compile" }));
    assert!(
        other.starts_with("`re.compile` is not defined in this workspace; find_references"),
        "{other}"
    );
    // What is defined here is meant by its places.
    assert_eq!(lines("find_references", json!({ "file": "b.py", "line": 6 })), "b.py:6");
}

#[test]
fn callers_of_what_a_library_defines() {
    let repo = Repo::new(LIBRARIES);
    let kit = Kit::new(&repo.root());
    expect![[r#"
        `read_to_string` is not defined in this workspace. 1 call, imported from std::fs; 1 caller
        src/lib.rs:10 read calls in line 11 [path, from std::fs]
          pub fn read(input: &mut dyn Input) -> String

        search_code with literal finds the name in comments and strings as well."#]]
    .assert_eq(&kit.text("find_callers", json!({ "symbol": "read_to_string" })));
    let callers = kit.json("find_callers", json!({ "symbol": "useState" }));
    assert_eq!(callers["callers"][0]["name"], "App");
    assert_eq!(callers["callers"][0]["sites"], json!([5]));
    let none = kit.text("find_callers", json!({ "symbol": "HashSet" }));
    assert!(none.contains("None is a call; find_references lists them."), "{none}");
}
