//! `rename_symbol` in each language: what it changes and what it leaves, and that a way back leads back.

use std::{collections::BTreeMap, fs, path::Path};

use expect_test::{Expect, expect};
use serde_json::{Value, json};
use test_fixture::Repo;

use crate::kit::Kit;

/// Every file of a directory.
pub(crate) fn tree(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut open = vec![root.to_owned()];
    while let Some(dir) = open.pop() {
        for entry in fs::read_dir(dir).expect("the directory can be read") {
            let path = entry.expect("the entry can be read").path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(root).expect("it is below the root").to_string_lossy();
                files.insert(name.replace('\\', "/"), fs::read(&path).expect("the file can be read"));
            }
        }
    }
    files
}

/// The lines that differ, as they are now.
pub(crate) fn changed(before: &BTreeMap<String, Vec<u8>>, after: &BTreeMap<String, Vec<u8>>) -> String {
    assert!(before.keys().eq(after.keys()), "files came or went");
    let mut out = String::new();
    for (path, old) in before {
        let (old, new) = (String::from_utf8_lossy(old), String::from_utf8_lossy(&after[path]));
        for (at, (old, new)) in old.lines().zip(new.lines()).enumerate() {
            if old != new {
                out.push_str(&format!("{path}:{} {}\n", at + 1, new.trim()));
            }
        }
    }
    out
}

/// Renames, compares the changed lines, renames back, and compares every byte.
#[track_caller]
pub(crate) fn check(fixture: &str, asked: Value, expected: Expect) {
    let repo = Repo::new(fixture);
    let kit = Kit::new(&repo.root());
    let before = tree(&repo.root());
    let mut arguments = asked.clone();
    arguments["dry_run"] = false.into();
    let renamed = kit.json("rename_symbol", arguments.clone());
    let after = tree(&repo.root());
    let sites = renamed["sites"].as_u64().expect("a number");
    let notes = |key: &str, what: &str| -> String {
        let rows = renamed[key].as_array().into_iter().flatten();
        let rows = rows.map(|row| format!("{what} {}:{}\n", row["path"].as_str().unwrap_or("?"), row["line"]));
        rows.collect()
    };
    let shown = format!(
        "{}{}{}{sites} sites, {} of {} resolved\n",
        changed(&before, &after),
        notes("left", "left"),
        notes("mentions", "text"),
        renamed["check"]["resolved"],
        renamed["check"]["sites"],
    );
    expected.assert_eq(&shown);
    let old = renamed["symbol"]["name"].clone();
    let qualified = renamed["symbol"]["qualified_name"].as_str().expect("a name");
    let new = arguments["new_name"].as_str().expect("a name");
    let qualified = match qualified.rfind(old.as_str().expect("a name")) {
        Some(at) => format!("{}{new}", &qualified[..at]),
        None => new.to_owned(),
    };
    let mut back = arguments.clone();
    back.as_object_mut().expect("arguments").remove("symbol");
    back["old_name"] = qualified.into();
    back["new_name"] = old;
    let again = kit.json("rename_symbol", back);
    assert_eq!(again["sites"].as_u64(), Some(sites), "{again}");
    assert!(
        tree(&repo.root()) == before,
        "{}",
        changed(&before, &tree(&repo.root()))
    );
}

#[test]
fn rust() {
    check(
        r#"
//- /Cargo.toml
[package]
name = "shapes"
//- /src/lib.rs
pub mod circle;
pub use circle::Circle as Round;
pub use circle::Circle;

/// A `Circle` is a `Shape`.
pub trait Shape {
    fn area(&self) -> f64;
}
//- /src/circle.rs
use crate::Shape;

pub struct Circle {
    pub radius: f64,
}

impl Circle {
    pub fn new(radius: f64) -> Circle {
        Circle { radius }
    }
}

impl Shape for Circle {
    fn area(&self) -> f64 {
        let Circle { radius } = self;
        radius * radius
    }
}
//- /src/main.rs
use shapes::{Circle, Round, Shape};

fn main() {
    let circle: Circle = Circle::new(1.0);
    println!("Circle {} {}", circle.area(), Round::new(2.0).radius);
}
"#,
        json!({ "old_name": "Circle", "new_name": "Disc" }),
        expect![[r#"
            src/circle.rs:3 pub struct Disc {
            src/circle.rs:7 impl Disc {
            src/circle.rs:8 pub fn new(radius: f64) -> Disc {
            src/circle.rs:9 Disc { radius }
            src/circle.rs:13 impl Shape for Disc {
            src/circle.rs:15 let Disc { radius } = self;
            src/lib.rs:2 pub use circle::Disc as Round;
            src/lib.rs:3 pub use circle::Disc;
            src/main.rs:1 use shapes::{Disc, Round, Shape};
            src/main.rs:4 let circle: Disc = Disc::new(1.0);
            text src/lib.rs:5
            text src/main.rs:5
            11 sites, 11 of 11 resolved
        "#]],
    );
}

#[test]
fn rust_fields_and_trait_methods() {
    let fixture = r#"
//- /Cargo.toml
[package]
name = "shapes"
//- /src/lib.rs
pub trait Shape {
    fn area(&self) -> f64;
    fn double(&self) -> f64 { self.area() * 2.0 }
}
pub struct Circle { pub radius: f64 }
pub struct Square { pub side: f64 }
impl Circle {
    pub fn new(radius: f64) -> Circle { Circle { radius } }
}
impl Shape for Circle {
    fn area(&self) -> f64 {
        let Circle { radius } = self;
        radius * self.radius
    }
}
impl Shape for Square {
    fn area(&self) -> f64 { self.side }
}
impl Square {
    fn unrelated(&self) -> f64 { Shape::area(self) }
}
"#;
    check(
        fixture,
        json!({ "old_name": "Circle::radius", "new_name": "r" }),
        expect![[r#"
            src/lib.rs:5 pub struct Circle { pub r: f64 }
            src/lib.rs:8 pub fn new(radius: f64) -> Circle { Circle { r: radius } }
            src/lib.rs:12 let Circle { r: radius } = self;
            src/lib.rs:13 radius * self.r
            4 sites, 4 of 4 resolved
        "#]],
    );
    check(
        fixture,
        json!({ "old_name": "Shape::area", "new_name": "surface" }),
        expect![[r#"
            src/lib.rs:2 fn surface(&self) -> f64;
            src/lib.rs:3 fn double(&self) -> f64 { self.surface() * 2.0 }
            src/lib.rs:11 fn surface(&self) -> f64 {
            src/lib.rs:17 fn surface(&self) -> f64 { self.side }
            src/lib.rs:20 fn unrelated(&self) -> f64 { Shape::surface(self) }
            5 sites, 5 of 5 resolved
        "#]],
    );
}

#[test]
fn python() {
    let fixture = r#"
//- /shapes/__init__.py
from .circle import Circle, area_of
__all__ = ["Circle", "area_of"]
//- /shapes/base.py
class Shape:
    def area(self) -> float:
        raise NotImplementedError
//- /shapes/circle.py
from .base import Shape

class Circle(Shape):
    """A Circle."""
    def __init__(self, radius: float):
        self.radius = radius

    def area(self) -> float:
        return self.radius

def area_of(shape: Shape) -> float:
    return shape.area()
//- /main.py
from shapes import Circle
from shapes.circle import area_of as measure, Circle as Round
import shapes.circle as c

def main(thing) -> None:
    circle = Circle(1)
    print(circle.area(), measure(circle), c.area_of(Round(2)), thing.area())
"#;
    check(
        fixture,
        json!({ "old_name": "Circle", "new_name": "Disc" }),
        expect![[r#"
        main.py:1 from shapes import Disc
        main.py:2 from shapes.circle import area_of as measure, Disc as Round
        main.py:6 circle = Disc(1)
        shapes/__init__.py:1 from .circle import Disc, area_of
        shapes/__init__.py:2 __all__ = ["Disc", "area_of"]
        shapes/circle.py:3 class Disc(Shape):
        text shapes/circle.py:4
        6 sites, 6 of 6 resolved
    "#]],
    );
    check(
        fixture,
        json!({ "old_name": "area_of", "new_name": "size_of" }),
        expect![[r#"
            main.py:2 from shapes.circle import size_of as measure, Circle as Round
            main.py:7 print(circle.area(), measure(circle), c.size_of(Round(2)), thing.area())
            shapes/__init__.py:1 from .circle import Circle, size_of
            shapes/__init__.py:2 __all__ = ["Circle", "size_of"]
            shapes/circle.py:11 def size_of(shape: Shape) -> float:
            5 sites, 5 of 5 resolved
        "#]],
    );
    check(
        fixture,
        json!({ "old_name": "Circle.area", "new_name": "surface" }),
        expect![[r#"
            main.py:7 print(circle.surface(), measure(circle), c.area_of(Round(2)), thing.area())
            shapes/base.py:2 def surface(self) -> float:
            shapes/circle.py:8 def surface(self) -> float:
            shapes/circle.py:12 return shape.surface()
            left main.py:7
            4 sites, 4 of 4 resolved
        "#]],
    );
}

#[test]
fn typescript() {
    let fixture = r#"
//- /src/shapes.ts
export interface Shape { label: string; area(): number; }
export class Circle implements Shape {
  constructor(public label: string, private radius: number) {}
  area(): number { return this.radius; }
}
export function describe(shape: Shape): string {
  const { label } = shape;
  return label + shape.area();
}
export default function main() { return describe(new Circle("c", 1)); }
//- /src/index.ts
export { Circle, describe as tell } from "./shapes";
export * from "./shapes";
//- /src/app.ts
import main, { Circle as Round, describe, Shape } from "./shapes";
import { tell } from ".";
import * as shapes from "./shapes";

export function run(label: string): Shape {
  const api = { describe };
  api.describe(new Round("a", 2));
  tell(new shapes.Circle("b", 3));
  return { label, area: () => shapes.describe.length };
}
"#;
    check(
        fixture,
        json!({ "old_name": "describe", "new_name": "explain", "file": "src/shapes.ts" }),
        expect![[r#"
            src/app.ts:1 import main, { Circle as Round, explain, Shape } from "./shapes";
            src/app.ts:6 const api = { describe: explain };
            src/app.ts:9 return { label, area: () => shapes.explain.length };
            src/index.ts:1 export { Circle, explain as tell } from "./shapes";
            src/shapes.ts:6 export function explain(shape: Shape): string {
            src/shapes.ts:10 export default function main() { return explain(new Circle("c", 1)); }
            left src/app.ts:7
            6 sites, 6 of 6 resolved
        "#]],
    );
    check(
        fixture,
        json!({ "old_name": "Circle", "new_name": "Disc" }),
        expect![[r#"
        src/app.ts:1 import main, { Disc as Round, describe, Shape } from "./shapes";
        src/app.ts:8 tell(new shapes.Disc("b", 3));
        src/index.ts:1 export { Disc, describe as tell } from "./shapes";
        src/shapes.ts:2 export class Disc implements Shape {
        src/shapes.ts:10 export default function main() { return describe(new Disc("c", 1)); }
        5 sites, 5 of 5 resolved
    "#]],
    );
    check(
        fixture,
        json!({ "old_name": "Shape.area", "new_name": "surface" }),
        expect![[r#"
            src/app.ts:9 return { label, surface: () => shapes.describe.length };
            src/shapes.ts:1 export interface Shape { label: string; surface(): number; }
            src/shapes.ts:4 surface(): number { return this.radius; }
            src/shapes.ts:8 return label + shape.surface();
            4 sites, 4 of 4 resolved
        "#]],
    );
    check(
        fixture,
        json!({ "old_name": "Shape.label", "new_name": "title" }),
        expect![[r#"
            src/app.ts:9 return { title: label, area: () => shapes.describe.length };
            src/shapes.ts:1 export interface Shape { title: string; area(): number; }
            src/shapes.ts:3 constructor(public title: string, private radius: number) {}
            src/shapes.ts:7 const { title: label } = shape;
            4 sites, 4 of 4 resolved
        "#]],
    );
}

#[test]
fn javascript() {
    check(
        r#"
//- /lib.js
function load(path) { return path; }
class Store { get(key) { return load(key); } }
module.exports = { load, Store };
//- /main.js
const { load, Store } = require("./lib");
const lib = require("./lib");
function go() { return load("a") + lib.load("b") + new Store().get("c"); }
"#,
        json!({ "old_name": "load", "new_name": "read", "file": "lib.js" }),
        expect![[r#"
            lib.js:1 function read(path) { return path; }
            lib.js:2 class Store { get(key) { return read(key); } }
            lib.js:3 module.exports = { read, Store };
            main.js:1 const { read, Store } = require("./lib");
            main.js:3 function go() { return read("a") + lib.read("b") + new Store().get("c"); }
            6 sites, 6 of 6 resolved
        "#]],
    );
}

#[test]
fn javascript_comments() {
    let fixture = r#"
//- /lib.js
class Store { get(key) { return key; } }
class Pool {}
module.exports = { Store, Pool };
//- /other.js
class Store { get(key) { return null; } }
module.exports = { Store };
//- /main.js
/** @import { Store, Pool } from "./lib" */
/** @typedef {import("./lib").Store} Kept */
/**
 * Takes a Store.
 * @param {Store} store one
 * @param {import("./lib").Store | undefined} second another
 * @param {Kept} third one more
 * @returns {Map<string, Store>} all
 */
function go(store, second, third) {
  /** @type {Store} */
  let last = third.any;
  return store.get("a") + second.get("b") + third.get("c") + last.get("d") + /** @type {Store} */ (store.any).get("e");
}
"#;
    check(
        fixture,
        json!({ "old_name": "Store", "new_name": "Shop", "file": "lib.js" }),
        expect![[r#"
            lib.js:1 class Shop { get(key) { return key; } }
            lib.js:3 module.exports = { Shop, Pool };
            main.js:1 /** @import { Shop, Pool } from "./lib" */
            main.js:2 /** @typedef {import("./lib").Shop} Kept */
            main.js:5 * @param {Shop} store one
            main.js:6 * @param {import("./lib").Shop | undefined} second another
            main.js:8 * @returns {Map<string, Shop>} all
            main.js:11 /** @type {Shop} */
            main.js:13 return store.get("a") + second.get("b") + third.get("c") + last.get("d") + /** @type {Shop} */ (store.any).get("e");
            text main.js:4
            9 sites, 9 of 9 resolved
        "#]],
    );
    check(
        fixture,
        json!({ "old_name": "Store.get", "new_name": "take", "file": "lib.js" }),
        expect![[r#"
            lib.js:1 class Store { take(key) { return key; } }
            main.js:13 return store.take("a") + second.take("b") + third.take("c") + last.take("d") + /** @type {Store} */ (store.any).take("e");
            6 sites, 6 of 6 resolved
        "#]],
    );
}

/// What a package tells others of its code is no other thing of that name.
#[test]
fn declarations_of_code_are_told() {
    let repo = Repo::new(
        r#"
//- /package.json
{ "name": "shop", "types": "types.d.ts" }
//- /lib/store.js
class Store { get(key) { return key; } }
module.exports = Store;
//- /types.d.ts
declare class Store { get: (key: string) => string; }
declare namespace exports { export { Store }; }
export = exports;
"#,
    );
    let kit = Kit::new(&repo.root());
    let asked = |name: &str| json!({ "old_name": name, "new_name": "other" });
    for (name, line) in [("Store.get", 1), ("Store", 1)] {
        let renamed = kit.json("rename_symbol", asked(name));
        assert_eq!(renamed["symbol"]["path"], "lib/store.js", "{renamed}");
        let note = format!("Declared for others at types.d.ts:{line}, which stays as it is.");
        let notes = renamed["notes"].as_array().expect("a list");
        assert!(notes.contains(&note.as_str().into()), "{renamed}");
    }
    let found = kit.json("find_references", json!({ "symbol": "Store.get" }));
    assert_eq!(found["symbol"]["also"][0]["path"], "types.d.ts", "{found}");
    let declared = kit.json(
        "find_references",
        json!({ "symbol": "Store.get", "file": "types.d.ts" }),
    );
    assert_eq!(declared["symbol"]["path"], "types.d.ts", "{declared}");
}

#[test]
fn go() {
    let fixture = r#"
//- /go.mod
module example.com/shapes
//- /shape/shape.go
package shape

type Shape interface { Area() float64 }
type Circle struct { Radius float64 }
func (c *Circle) Area() float64 { return c.Radius }
func New(r float64) *Circle { return &Circle{Radius: r} }
//- /shape/more.go
package shape

func Total(all []Shape) (sum float64) {
	for _, s := range all { sum += s.Area() }
	return
}
//- /main.go
package main

import "example.com/shapes/shape"

func main() {
	var s shape.Shape = shape.New(1)
	c := shape.Circle{Radius: 2}
	println(s.Area(), c.Area(), c.Radius)
}
"#;
    check(
        fixture,
        json!({ "old_name": "Circle", "new_name": "Disc" }),
        expect![[r#"
        main.go:7 c := shape.Disc{Radius: 2}
        shape/shape.go:4 type Disc struct { Radius float64 }
        shape/shape.go:5 func (c *Disc) Area() float64 { return c.Radius }
        shape/shape.go:6 func New(r float64) *Disc { return &Disc{Radius: r} }
        5 sites, 5 of 5 resolved
    "#]],
    );
    // What is built for another system has the name as well.
    check(
        "//- /a.go\npackage a\n\nfunc f() { open() }\n//- /open_linux.go\npackage a\n\nfunc open() {}\n\
         //- /open_windows.go\npackage a\n\nfunc open() {}\n",
        json!({ "file": "open_linux.go", "line": 3, "new_name": "connect" }),
        expect![[r#"
            a.go:3 func f() { connect() }
            open_linux.go:3 func connect() {}
            open_windows.go:3 func connect() {}
            3 sites, 3 of 3 resolved
        "#]],
    );
    check(
        fixture,
        json!({ "old_name": "Circle.Area", "new_name": "Surface" }),
        expect![[r#"
        main.go:8 println(s.Surface(), c.Surface(), c.Radius)
        shape/more.go:4 for _, s := range all { sum += s.Surface() }
        shape/shape.go:3 type Shape interface { Surface() float64 }
        shape/shape.go:5 func (c *Circle) Surface() float64 { return c.Radius }
        5 sites, 5 of 5 resolved
    "#]],
    );
    check(
        fixture,
        json!({ "old_name": "Radius", "new_name": "R" }),
        expect![[r#"
        main.go:7 c := shape.Circle{R: 2}
        main.go:8 println(s.Area(), c.Area(), c.R)
        shape/shape.go:4 type Circle struct { R float64 }
        shape/shape.go:5 func (c *Circle) Area() float64 { return c.R }
        shape/shape.go:6 func New(r float64) *Circle { return &Circle{R: r} }
        5 sites, 5 of 5 resolved
    "#]],
    );
}

#[test]
fn java() {
    let fixture = r#"
//- /src/shapes/Shape.java
package shapes;
public interface Shape { double area(); }
//- /src/shapes/Circles.java
package shapes;
class Circle implements Shape {
    private final double radius;
    Circle(double radius) { this.radius = radius; }
    @Override public double area() { return radius; }
    static Circle unit() { return new Circle(1); }
}
//- /src/app/Main.java
package app;
import shapes.Shape;
class Main {
    double total(java.util.List<Shape> all) {
        double sum = 0;
        for (Shape shape : all) sum += shape.area();
        return sum;
    }
}
"#;
    check(
        fixture,
        json!({ "old_name": "Circle", "new_name": "Disc" }),
        expect![[r#"
        src/shapes/Circles.java:2 class Disc implements Shape {
        src/shapes/Circles.java:4 Disc(double radius) { this.radius = radius; }
        src/shapes/Circles.java:6 static Disc unit() { return new Disc(1); }
        4 sites, 4 of 4 resolved
    "#]],
    );
    check(
        fixture,
        json!({ "old_name": "Shape.area", "new_name": "surface" }),
        expect![[r#"
        src/app/Main.java:6 for (Shape shape : all) sum += shape.surface();
        src/shapes/Circles.java:5 @Override public double surface() { return radius; }
        src/shapes/Shape.java:2 public interface Shape { double surface(); }
        3 sites, 3 of 3 resolved
    "#]],
    );
    check(
        fixture,
        json!({ "old_name": "Circle.radius", "new_name": "r" }),
        expect![[r#"
        src/shapes/Circles.java:3 private final double r;
        src/shapes/Circles.java:4 Circle(double radius) { this.r = radius; }
        src/shapes/Circles.java:5 @Override public double area() { return r; }
        3 sites, 3 of 3 resolved
    "#]],
    );
}

#[test]
fn c_and_cpp() {
    check(
        r#"
//- /list.h
struct list { int size; };
int list_size(struct list *l);
//- /list.c
#include "list.h"
int list_size(struct list *l) { return l->size; }
//- /main.c
#include "list.h"
int main(void) { struct list l; return list_size(&l) + l.size; }
"#,
        json!({ "old_name": "list_size", "new_name": "list_len" }),
        expect![[r#"
            list.c:2 int list_len(struct list *l) { return l->size; }
            list.h:2 int list_len(struct list *l);
            main.c:2 int main(void) { struct list l; return list_len(&l) + l.size; }
            3 sites, 3 of 3 resolved
        "#]],
    );
    check(
        r#"
//- /item.h
typedef struct item {
    struct item *next;
} item;
item *last(item *first);
"#,
        json!({ "old_name": "item", "new_name": "entry" }),
        expect![[r#"
            item.h:1 typedef struct entry {
            item.h:2 struct entry *next;
            item.h:3 } entry;
            item.h:4 entry *last(entry *first);
            5 sites, 5 of 5 resolved
        "#]],
    );
    let fixture = r#"
//- /shape.hpp
#pragma once
namespace geo {
class Shape {
public:
    Shape(int size);
    virtual ~Shape();
    virtual int area() const;
    static Shape unit();
};
}
//- /shape.cpp
#include "shape.hpp"
namespace geo {
Shape::Shape(int size) {}
Shape::~Shape() {}
int Shape::area() const { return 1; }
Shape Shape::unit() { return Shape(1); }
class Round : public Shape {
public:
    Round() : Shape(2) {}
    int area() const override { return Shape::area(); }
};
}
//- /main.cpp
#include "shape.hpp"
int main() { geo::Shape s(3); return s.area() + geo::Shape::unit().area(); }
"#;
    check(
        fixture,
        json!({ "old_name": "Shape", "new_name": "Figure" }),
        expect![[r#"
            main.cpp:2 int main() { geo::Figure s(3); return s.area() + geo::Figure::unit().area(); }
            shape.cpp:3 Figure::Figure(int size) {}
            shape.cpp:4 Figure::~Figure() {}
            shape.cpp:5 int Figure::area() const { return 1; }
            shape.cpp:6 Figure Figure::unit() { return Figure(1); }
            shape.cpp:7 class Round : public Figure {
            shape.cpp:9 Round() : Figure(2) {}
            shape.cpp:10 int area() const override { return Figure::area(); }
            shape.hpp:3 class Figure {
            shape.hpp:5 Figure(int size);
            shape.hpp:6 virtual ~Figure();
            shape.hpp:8 static Figure unit();
            17 sites, 17 of 17 resolved
        "#]],
    );
    check(
        fixture,
        json!({ "old_name": "Shape::area", "new_name": "surface" }),
        expect![[r#"
        main.cpp:2 int main() { geo::Shape s(3); return s.surface() + geo::Shape::unit().surface(); }
        shape.cpp:5 int Shape::surface() const { return 1; }
        shape.cpp:10 int surface() const override { return Shape::surface(); }
        shape.hpp:7 virtual int surface() const;
        6 sites, 6 of 6 resolved
    "#]],
    );
}

#[test]
fn csharp() {
    let fixture = r#"
//- /Shapes.cs
namespace Shapes;
public class FastAttribute : System.Attribute { }
public interface IShape { double Area(); }
[Fast]
public class Circle : IShape {
    public double Radius { get; set; }
    public Circle(double radius) { Radius = radius; }
    public double Area() => Radius;
}
//- /Main.cs
using Shapes;
namespace App;
class Program {
    double Run(IShape shape) {
        var circle = new Circle(1) { Radius = 2 };
        return shape.Area() + circle.Area() + circle.Radius;
    }
}
"#;
    check(
        fixture,
        json!({ "old_name": "Circle", "new_name": "Disc" }),
        expect![[r#"
        Main.cs:5 var circle = new Disc(1) { Radius = 2 };
        Shapes.cs:5 public class Disc : IShape {
        Shapes.cs:7 public Disc(double radius) { Radius = radius; }
        3 sites, 3 of 3 resolved
    "#]],
    );
    check(
        fixture,
        json!({ "old_name": "IShape.Area", "new_name": "Surface" }),
        expect![[r#"
        Main.cs:6 return shape.Surface() + circle.Surface() + circle.Radius;
        Shapes.cs:3 public interface IShape { double Surface(); }
        Shapes.cs:8 public double Surface() => Radius;
        4 sites, 4 of 4 resolved
    "#]],
    );
    check(
        fixture,
        json!({ "old_name": "Circle.Radius", "new_name": "R" }),
        expect![[r#"
        Main.cs:5 var circle = new Circle(1) { R = 2 };
        Main.cs:6 return shape.Area() + circle.Area() + circle.R;
        Shapes.cs:6 public double R { get; set; }
        Shapes.cs:7 public Circle(double radius) { R = radius; }
        Shapes.cs:8 public double Area() => R;
        5 sites, 5 of 5 resolved
    "#]],
    );
    check(
        fixture,
        json!({ "old_name": "FastAttribute", "new_name": "QuickAttribute" }),
        expect![[r#"
            Shapes.cs:2 public class QuickAttribute : System.Attribute { }
            Shapes.cs:4 [Quick]
            2 sites, 2 of 2 resolved
        "#]],
    );
}

#[test]
fn ruby_and_php() {
    check(
        r#"
//- /lib/shape.rb
class Shape
  attr_reader :size
  def initialize(size)
    @size = size
  end
  def area
    size
  end
end
class Square < Shape
  def area
    super * 2
  end
end
//- /main.rb
require_relative "lib/shape"
shape = Shape.new(1)
puts shape.area, Square.new(2).area
"#,
        json!({ "old_name": "Shape", "new_name": "Figure" }),
        expect![[r#"
            lib/shape.rb:1 class Figure
            lib/shape.rb:10 class Square < Figure
            main.rb:2 shape = Figure.new(1)
            3 sites, 3 of 3 resolved
        "#]],
    );
    check(
        r#"
//- /src/Shapes.php
<?php
namespace Shapes;
class Circle {
    public function __construct(private float $radius) {}
    public function area(): float { return $this->radius; }
}
//- /main.php
<?php
use Shapes\Circle;
function run(): float {
    $circle = new Circle(1);
    return $circle->area();
}
"#,
        json!({ "old_name": "Circle", "new_name": "Disc" }),
        expect![[r#"
            main.php:2 use Shapes\Disc;
            main.php:4 $circle = new Disc(1);
            src/Shapes.php:3 class Disc {
            3 sites, 3 of 3 resolved
        "#]],
    );
}

#[test]
fn kotlin_scala_and_swift() {
    check(
        r#"
//- /src/Shapes.kt
package shapes
interface Shape { fun area(): Double }
open class Circle(val radius: Double) : Shape {
    override fun area(): Double = radius
}
//- /src/Main.kt
package app
import shapes.Circle
import shapes.Shape
fun run(shape: Shape): Double = shape.area() + Circle(2.0).area()
"#,
        json!({ "old_name": "Shape.area", "new_name": "surface" }),
        expect![[r#"
            src/Main.kt:4 fun run(shape: Shape): Double = shape.surface() + Circle(2.0).surface()
            src/Shapes.kt:2 interface Shape { fun surface(): Double }
            src/Shapes.kt:4 override fun surface(): Double = radius
            4 sites, 4 of 4 resolved
        "#]],
    );
    check(
        r#"
//- /Shapes.scala
package shapes
trait Shape { def area: Double }
class Circle(val radius: Double) extends Shape { def area: Double = radius }
//- /Main.scala
package app
import shapes.{Circle, Shape}
object Main { def run(shape: Shape): Double = shape.area + new Circle(1).area }
"#,
        json!({ "old_name": "Circle", "new_name": "Disc" }),
        expect![[r#"
            Main.scala:2 import shapes.{Disc, Shape}
            Main.scala:3 object Main { def run(shape: Shape): Double = shape.area + new Disc(1).area }
            Shapes.scala:3 class Disc(val radius: Double) extends Shape { def area: Double = radius }
            3 sites, 3 of 3 resolved
        "#]],
    );
    check(
        r#"
//- /Shapes.swift
protocol Shape { func area() -> Double }
struct Circle: Shape {
    let radius: Double
    func area() -> Double { radius }
}
//- /main.swift
func run(shape: Shape) -> Double {
    let circle = Circle(radius: 1)
    return shape.area() + circle.area()
}
"#,
        json!({ "old_name": "Shape.area", "new_name": "surface" }),
        expect![[r#"
            Shapes.swift:1 protocol Shape { func surface() -> Double }
            Shapes.swift:4 func surface() -> Double { radius }
            main.swift:3 return shape.surface() + circle.surface()
            4 sites, 4 of 4 resolved
        "#]],
    );
}

#[test]
fn clauses_of_a_function() {
    check(
        r#"
//- /src/Shape.hs
module Shape (area) where
area :: Int -> Int
area 0 = 0
area n = area (n - 1)
//- /src/Main.hs
module Main where
import Shape
main = print (area 2)
"#,
        json!({ "symbol": "area", "new_name": "surface" }),
        expect![[r#"
            src/Main.hs:3 main = print (surface 2)
            src/Shape.hs:1 module Shape (surface) where
            src/Shape.hs:2 surface :: Int -> Int
            src/Shape.hs:3 surface 0 = 0
            src/Shape.hs:4 surface n = surface (n - 1)
            6 sites, 6 of 6 resolved
        "#]],
    );
    check(
        r#"
//- /src/shop.erl
-module(shop).
-export([open/1]).
-spec open(integer()) -> integer().
open(0) -> 0;
open(X) -> shop:open(X - 1).
//- /src/other.erl
-module(other).
open(X) -> shop:open(X).
"#,
        json!({ "symbol": "shop:open", "new_name": "unlock" }),
        expect![[r#"
            src/other.erl:2 open(X) -> shop:unlock(X).
            src/shop.erl:2 -export([unlock/1]).
            src/shop.erl:3 -spec unlock(integer()) -> integer().
            src/shop.erl:4 unlock(0) -> 0;
            src/shop.erl:5 unlock(X) -> shop:unlock(X - 1).
            6 sites, 6 of 6 resolved
        "#]],
    );
    check(
        r#"
//- /lib/cart.ex
defmodule Shop.Cart do
  @spec open(integer()) :: integer()
  def open(0), do: 0
  def open(x), do: __MODULE__.open(x - 1)
end
//- /lib/item.ex
defmodule Shop.Item do
  alias Shop.Cart
  def open(x), do: Cart.open(x)
end
"#,
        json!({ "symbol": "Shop.Cart.open", "new_name": "unlock" }),
        expect![[r#"
            lib/cart.ex:2 @spec unlock(integer()) :: integer()
            lib/cart.ex:3 def unlock(0), do: 0
            lib/cart.ex:4 def unlock(x), do: __MODULE__.unlock(x - 1)
            lib/item.ex:3 def open(x), do: Cart.unlock(x)
            5 sites, 5 of 5 resolved
        "#]],
    );
}

#[test]
fn what_has_the_name_for_the_same_reason() {
    check(
        r#"
//- /go.mod
module shapes
//- /a.go
package shapes
type Base struct{ Depth int }
func (b Base) Hello() {}
type Derived struct{ Base }
func use() {
	d := Derived{Base: Base{Depth: 1}}
	d.Base.Hello()
}
"#,
        json!({ "symbol": "Base", "new_name": "Root" }),
        expect![[r#"
            a.go:2 type Root struct{ Depth int }
            a.go:3 func (b Root) Hello() {}
            a.go:4 type Derived struct{ Root }
            a.go:6 d := Derived{Root: Root{Depth: 1}}
            a.go:7 d.Root.Hello()
            6 sites, 6 of 6 resolved
        "#]],
    );
    check(
        r#"
//- /a.tsx
export function Card({ children }: any) { return <div>{children}</div>; }
export const page = <Card title="x">
  <b>inside</b>
</Card>;
"#,
        json!({ "symbol": "Card", "new_name": "Panel" }),
        expect![[r#"
            a.tsx:1 export function Panel({ children }: any) { return <div>{children}</div>; }
            a.tsx:2 export const page = <Panel title="x">
            a.tsx:4 </Panel>;
            3 sites, 3 of 3 resolved
        "#]],
    );
    check(
        r#"
//- /a.php
<?php
class Bus {
    public function __construct(private int $seats) { $this->seats = $seats + 1; }
    public function all() { return $this->seats; }
}
"#,
        json!({ "symbol": "Bus.seats", "new_name": "places" }),
        expect![[r#"
            a.php:3 public function __construct(private int $places) { $this->places = $places + 1; }
            a.php:4 public function all() { return $this->places; }
            4 sites, 4 of 4 resolved
        "#]],
    );
    check(
        r#"
//- /a.ts
export class Bus {
  constructor(private seats: number) { this.seats = seats + 1; }
}
"#,
        json!({ "symbol": "Bus.seats", "new_name": "places" }),
        expect![[r#"
            a.ts:2 constructor(private places: number) { this.places = places + 1; }
            3 sites, 3 of 3 resolved
        "#]],
    );
    check(
        r#"
//- /a.rb
class Box
  attr_accessor :size
  def initialize(size)
    @size = size
  end
  def grow
    self.size = @size + 1
  end
end
"#,
        json!({ "symbol": "Box.size", "new_name": "extent" }),
        expect![[r#"
            a.rb:2 attr_accessor :extent
            a.rb:4 @extent = size
            a.rb:7 self.extent = @extent + 1
            4 sites, 4 of 4 resolved
        "#]],
    );
    check(
        r#"
//- /a.kt
data class Pt(val wide: Int, val tall: Int = 1)
fun area(p: Pt): Int = p.wide * p.tall
val q = Pt(wide = 2)
val r = q.copy(wide = 3)
"#,
        json!({ "symbol": "Pt.wide", "new_name": "broad" }),
        expect![[r#"
            a.kt:1 data class Pt(val broad: Int, val tall: Int = 1)
            a.kt:2 fun area(p: Pt): Int = p.broad * p.tall
            a.kt:3 val q = Pt(broad = 2)
            a.kt:4 val r = q.copy(broad = 3)
            4 sites, 4 of 4 resolved
        "#]],
    );
    check(
        r#"
//- /A.cs
class Mark {
    public Mark(int level) { }
    ~Mark() { }
}
class User { Mark mark = new Mark(1); }
"#,
        json!({ "symbol": "Mark", "new_name": "Sign" }),
        expect![[r#"
            A.cs:1 class Sign {
            A.cs:2 public Sign(int level) { }
            A.cs:3 ~Sign() { }
            A.cs:5 class User { Sign mark = new Sign(1); }
            5 sites, 5 of 5 resolved
        "#]],
    );
}

#[test]
fn an_overload_may_have_the_name() {
    let repo = Repo::new(
        r#"
//- /a.h
struct Box {
  int find(char c) const { return 0; }
  int seek(const char* s) const { return 1; }
};
inline int use(Box b) { return b.find('x') + b.seek("x"); }
"#,
    );
    let kit = Kit::new(&repo.root());
    let before = tree(&repo.root());
    let arguments = json!({ "symbol": "Box.seek", "new_name": "find", "dry_run": false });
    kit.json("rename_symbol", arguments);
    expect![[r#"
        a.h:3 int find(const char* s) const { return 1; }
        a.h:5 inline int use(Box b) { return b.find('x') + b.find("x"); }
    "#]]
    .assert_eq(&changed(&before, &tree(&repo.root())));
}

#[test]
fn a_fixture_with_those_that_it_is_given_to() {
    check(
        r#"
//- /conftest.py
import pytest

@pytest.fixture
def client():
    return object()

@pytest.fixture
def signed_in(client):
    return client
//- /tests/test_shop.py
def test_buys(client):
    client.get()

def helper(client):
    return client
"#,
        json!({"symbol": "client", "new_name": "customer"}),
        expect![[r#"
            conftest.py:4 def customer():
            conftest.py:8 def signed_in(customer):
            conftest.py:9 return customer
            tests/test_shop.py:1 def test_buys(customer):
            tests/test_shop.py:2 customer.get()
            5 sites, 1 of 5 resolved
        "#]],
    );
}
