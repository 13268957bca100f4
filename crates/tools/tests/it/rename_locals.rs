//! `rename_symbol` of parameters and local variables: one variable, all of it and nothing else.

use expect_test::{Expect, expect};
use serde_json::{Value, json};
use test_fixture::Repo;

use crate::{
    kit::Kit,
    rename::{changed, tree},
};

/// Renames what is marked with `$0` and back.
#[track_caller]
fn check(fixture: &str, new: &str, expected: Expect) {
    let (fixture, asked) = marked(fixture, new);
    let repo = Repo::new(&fixture);
    let kit = Kit::new(&repo.root());
    let before = tree(&repo.root());
    let renamed = kit.json("rename_symbol", asked.clone());
    let after = tree(&repo.root());
    let left = renamed["left"].as_array().into_iter().flatten();
    let left = left.map(|row| format!("left {}:{}\n", row["path"].as_str().unwrap_or("?"), row["line"]));
    let mentions = renamed["mentions"].as_array().into_iter().flatten();
    let mentions = mentions.map(|row| format!("{} {}\n", row["role"].as_str().unwrap_or("?"), row["line"]));
    let shown = format!(
        "{}{}{}{} sites, {} of {} resolved\n",
        changed(&before, &after),
        left.collect::<String>(),
        mentions.collect::<String>(),
        renamed["sites"],
        renamed["check"]["resolved"],
        renamed["check"]["sites"],
    );
    expected.assert_eq(&shown);
    let mut back = asked.clone();
    back["new_name"] = asked["old_name"].clone();
    back["old_name"] = new.into();
    back["column"] = Value::Null;
    let again = kit.json("rename_symbol", back);
    assert_eq!(again["sites"], renamed["sites"], "{again}");
    assert!(
        tree(&repo.root()) == before,
        "{}",
        changed(&before, &tree(&repo.root()))
    );
}

/// That a rename is refused, and why.
#[track_caller]
fn refused(fixture: &str, new: &str, expected: Expect) {
    let (fixture, asked) = marked(fixture, new);
    let repo = Repo::new(&fixture);
    let kit = Kit::new(&repo.root());
    let before = tree(&repo.root());
    let outcome = kit.call("rename_symbol", asked);
    assert!(outcome.is_error(), "{}", outcome.text);
    assert!(tree(&repo.root()) == before, "something was written");
    expected.assert_eq(outcome.structured["error"]["message"].as_str().unwrap_or_default());
}

/// The fixture without its mark, and the question about the name behind it.
fn marked(fixture: &str, new: &str) -> (String, Value) {
    let at = fixture.find("$0").expect("a mark");
    let header = fixture[..at].rfind("//- /").expect("a file");
    let path: String = fixture[header + 5..]
        .chars()
        .take_while(|c| !c.is_whitespace())
        .collect();
    let body = header + fixture[header..].find('\n').expect("a line") + 1;
    let before = &fixture[body..at];
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    let name: String = fixture[at + 2..]
        .chars()
        .take_while(|c| c.is_alphanumeric() || *c == '_')
        .collect();
    let asked = json!({
        "file": path,
        "line": before.matches('\n').count() + 1,
        "column": column,
        "old_name": name,
        "new_name": new,
        "dry_run": false,
    });
    (fixture.replacen("$0", "", 1), asked)
}

#[test]
fn rust() {
    check(
        r#"
//- /src/lib.rs
pub struct Point { pub x: u32, pub y: u32 }
/// Takes x.
pub fn make($0x: u32, y: u32) -> Point {
    println!("{x} {y:>x$} {{x}}");
    let add = |x: u32| x + 1;
    let x = x + add(x);
    if let Some(x) = Some(x) { drop(x); }
    Point { x, y }
}
pub fn other(x: u32) -> u32 { x }
"#,
        "width",
        expect![[r#"
            src/lib.rs:3 pub fn make(width: u32, y: u32) -> Point {
            src/lib.rs:4 println!("{width} {y:>width$} {{x}}");
            src/lib.rs:6 let x = width + add(width);
            comment 2
            string 4
            5 sites, 5 of 5 resolved
        "#]],
    );
    check(
        r#"
//- /src/lib.rs
pub struct Point { pub x: u32, pub y: u32 }
pub fn make(a: u32, y: u32) -> Point {
    let $0x = a + 1;
    let point = Point { x, y };
    let Point { x, .. } = point;
    Point { x: x + 1, y: x }
}
"#,
        "width",
        expect![[r#"
            src/lib.rs:3 let width = a + 1;
            src/lib.rs:4 let point = Point { x: width, y };
            2 sites, 2 of 2 resolved
        "#]],
    );
    check(
        r#"
//- /src/lib.rs
pub enum Shape { Round(u32), Square(u32), Flat }
pub fn size(shape: Shape) -> u32 {
    match shape {
        Shape::Round($0n) | Shape::Square(n) if n > 1 => n * 2,
        Shape::Round(n) | Shape::Square(n) => n,
        Shape::Flat => 0,
    }
}
"#,
        "side",
        expect![[r#"
            src/lib.rs:4 Shape::Round(side) | Shape::Square(side) if side > 1 => side * 2,
            4 sites, 4 of 4 resolved
        "#]],
    );
    check(
        r#"
//- /src/lib.rs
pub fn first<$0T, U>(all: Vec<T>, other: U) -> Option<T> where T: Clone, U: Into<T> { all.first().cloned() }
pub fn second<T>(one: T) -> T { one }
"#,
        "Item",
        expect![[r#"
            src/lib.rs:1 pub fn first<Item, U>(all: Vec<Item>, other: U) -> Option<Item> where Item: Clone, U: Into<Item> { all.first().cloned() }
            5 sites, 5 of 5 resolved
        "#]],
    );
}

#[test]
fn python() {
    check(
        r#"
//- /lib.py
def area(width, $0height=1):
    """The height."""
    for row in range(height):
        print(f"{row} of {height}")
    inner = [height for height in range(3)]
    def nested():
        return height
    height = height + 1
    return width * height + nested()

def other(height, *more: int):
    return area(1, height=height, *more)
//- /main.py
from lib import area
import lib

def main(thing):
    area(1, height=2)
    lib.area(3, height=4)
    thing.area(5, height=6)
    return dict(height=7)
"#,
        "tall",
        expect![[r#"
            lib.py:1 def area(width, tall=1):
            lib.py:3 for row in range(tall):
            lib.py:4 print(f"{row} of {tall}")
            lib.py:7 return tall
            lib.py:8 tall = tall + 1
            lib.py:9 return width * tall + nested()
            lib.py:12 return area(1, tall=height, *more)
            main.py:5 area(1, tall=2)
            main.py:6 lib.area(3, tall=4)
            left main.py:7
            comment 2
            10 sites, 10 of 10 resolved
        "#]],
    );
    check(
        r#"
//- /lib.py
class Box:
    def __init__(self, $0side):
        self.side = side

    def grow(self, side):
        return Box(side=side)
//- /main.py
from lib import Box
box = Box(side=3)
"#,
        "edge",
        expect![[r#"
            lib.py:2 def __init__(self, edge):
            lib.py:3 self.side = edge
            lib.py:6 return Box(edge=side)
            main.py:2 box = Box(edge=3)
            4 sites, 4 of 4 resolved
        "#]],
    );
    check(
        r#"
//- /lib.py
def run(items):
    def later():
        return total
    for item in items:
        if item:
            $0total = item
        else:
            total = 0
    total += 1
    return later, total

total = 5
"#,
        "sum_of",
        expect![[r#"
            lib.py:3 return sum_of
            lib.py:6 sum_of = item
            lib.py:8 sum_of = 0
            lib.py:9 sum_of += 1
            lib.py:10 return later, sum_of
            5 sites, 5 of 5 resolved
        "#]],
    );
    // A parameter with a type that is given something in one branch, and one of another function.
    let branches = r#"
//- /lib.py
def capped($0limit: int = 0) -> int:
    if not limit:
        limit = 3
    return limit

def other(§limit):
    return limit
"#;
    check(
        &branches.replace('§', ""),
        "cap",
        expect![[r#"
        lib.py:1 def capped(cap: int = 0) -> int:
        lib.py:2 if not cap:
        lib.py:3 cap = 3
        lib.py:4 return cap
        4 sites, 4 of 4 resolved
    "#]],
    );
    check(
        &branches.replace("$0", "").replace('§', "$0"),
        "cap",
        expect![[r#"
        lib.py:6 def other(cap):
        lib.py:7 return cap
        2 sites, 2 of 2 resolved
    "#]],
    );
}

#[test]
fn typescript() {
    check(
        r#"
//- /src/a.ts
export function draw({ $0width, height }: { width: number; height: number }) {
  const size = { width, height, w: width || 1 };
  const scale = (width: number) => width * 2;
  return `${width}x${size.width}` + scale(width);
}
"#,
        "w",
        expect![[r#"
            src/a.ts:1 export function draw({ width: w, height }: { width: number; height: number }) {
            src/a.ts:2 const size = { width: w, height, w: w || 1 };
            src/a.ts:4 return `${w}x${size.width}` + scale(w);
            5 sites, 5 of 5 resolved
        "#]],
    );
    check(
        r#"
//- /src/a.ts
export function run(flag: boolean) {
  const go = () => $0later + 1;
  if (flag) {
    var count = 1;
  }
  const later = 2;
  return go() + later + count!;
}
export function pick<T>(all: T[]): T { return all[0]; }
"#,
        "after",
        expect![[r#"
            src/a.ts:2 const go = () => after + 1;
            src/a.ts:6 const after = 2;
            src/a.ts:7 return go() + after + count!;
            3 sites, 3 of 3 resolved
        "#]],
    );
    check(
        r#"
//- /src/a.js
function run(flag) {
  if (flag) { var $0count = 1; } else { var count = 2; }
  for (let count of [1]) { flag(count); }
  return { count };
}
module.exports = { run };
"#,
        "n",
        expect![[r#"
            src/a.js:2 if (flag) { var n = 1; } else { var n = 2; }
            src/a.js:4 return { count: n };
            3 sites, 3 of 3 resolved
        "#]],
    );
}

#[test]
fn go_and_java() {
    check(
        r#"
//- /main.go
package main

func load(path string) (n int, err error) {
	data, $0err := read(path)
	if err != nil { return 0, err }
	if more, err := read(path); err == nil { data += more }
	size, err := count(data)
	return size, err
}
func read(path string) (int, error) { return 0, nil }
func count(n int) (int, error) { return n, nil }
"#,
        "failure",
        expect![[r#"
            main.go:4 data, failure := read(path)
            main.go:5 if failure != nil { return 0, failure }
            main.go:7 size, failure := count(data)
            main.go:8 return size, failure
            5 sites, 5 of 5 resolved
        "#]],
    );
    check(
        r#"
//- /A.java
class A {
    int count;
    int sum(int[] $0all) {
        int total = 0;
        for (int one : all) { total += one; }
        Runnable later = () -> System.out.println(all.length);
        return total + this.count;
    }
    int other(int all) { return all; }
}
"#,
        "numbers",
        expect![[r#"
            A.java:3 int sum(int[] numbers) {
            A.java:5 for (int one : numbers) { total += one; }
            A.java:6 Runnable later = () -> System.out.println(numbers.length);
            3 sites, 3 of 3 resolved
        "#]],
    );
}

#[test]
fn other_languages() {
    check(
        r##"
//- /a.rb
def total(items)
  $0sum = 0
  items.each { |item| sum += item }
  items.each { |sum| puts sum }
  puts "#{sum}"
  sum
end
"##,
        "all",
        expect![[r##"
            a.rb:2 all = 0
            a.rb:3 items.each { |item| all += item }
            a.rb:5 puts "#{all}"
            a.rb:6 all
            4 sites, 4 of 4 resolved
        "##]],
    );
    check(
        r#"
//- /a.php
<?php
function total(array $items, int $$0start = 0): int {
    foreach ($items as $item) { $start += $item; }
    $add = function ($n) use ($start) { return $n + $start; };
    echo "from $start";
    return $add($start);
}
total([1], start: 3);
"#,
        "first",
        expect![[r#"
            a.php:2 function total(array $items, int $first = 0): int {
            a.php:3 foreach ($items as $item) { $first += $item; }
            a.php:4 $add = function ($n) use ($first) { return $n + $first; };
            a.php:5 echo "from $first";
            a.php:6 return $add($first);
            a.php:8 total([1], first: 3);
            7 sites, 7 of 7 resolved
        "#]],
    );
    check(
        r#"
//- /a.kt
fun total(items: List<Int>, $0start: Int = 0): Int {
    var sum = start
    items.forEach { item -> sum += item + start }
    println("$start and ${start + 1}")
    return sum
}
fun main() { total(listOf(1), start = 2) }
"#,
        "first",
        expect![[r#"
            a.kt:1 fun total(items: List<Int>, first: Int = 0): Int {
            a.kt:2 var sum = first
            a.kt:3 items.forEach { item -> sum += item + first }
            a.kt:4 println("$first and ${first + 1}")
            a.kt:7 fun main() { total(listOf(1), first = 2) }
            6 sites, 6 of 6 resolved
        "#]],
    );
    check(
        r#"
//- /a.cs
class A {
    int Total(int[] items, int $0start = 0) {
        var sum = start;
        foreach (var item in items) { sum += item + start; }
        System.Console.WriteLine($"{start}");
        return sum;
    }
    int Use() { return Total(new int[0], start: 2); }
}
"#,
        "first",
        expect![[r#"
            a.cs:2 int Total(int[] items, int first = 0) {
            a.cs:3 var sum = first;
            a.cs:4 foreach (var item in items) { sum += item + first; }
            a.cs:5 System.Console.WriteLine($"{first}");
            a.cs:8 int Use() { return Total(new int[0], first: 2); }
            5 sites, 5 of 5 resolved
        "#]],
    );
    check(
        r#"
//- /a.cpp
int total(const int *items, int $0start) {
    int sum = start;
    auto add = [&](int n) { return n + start; };
    for (int i = 0; i < start; i++) { int start = i; sum += start; }
    return add(sum);
}
"#,
        "first",
        expect![[r#"
            a.cpp:1 int total(const int *items, int first) {
            a.cpp:2 int sum = first;
            a.cpp:3 auto add = [&](int n) { return n + first; };
            a.cpp:4 for (int i = 0; i < first; i++) { int start = i; sum += start; }
            4 sites, 4 of 4 resolved
        "#]],
    );
    check(
        r#"
//- /a.swift
func total(items: [Int], $0start: Int) -> Int {
    var sum = start
    for item in items { sum += item + start }
    print("\(start)")
    return sum
}
func use() -> Int { return total(items: [1], start: 2) }
"#,
        "first",
        expect![[r#"
            a.swift:1 func total(items: [Int], first: Int) -> Int {
            a.swift:2 var sum = first
            a.swift:3 for item in items { sum += item + first }
            a.swift:4 print("\(first)")
            a.swift:7 func use() -> Int { return total(items: [1], first: 2) }
            5 sites, 5 of 5 resolved
        "#]],
    );
    check(
        r#"
//- /A.scala
object A {
  def total(items: List[Int], $0start: Int): Int = {
    val sum = items.map(item => item + start).sum
    println(s"$start and ${start + 1}")
    sum + start
  }
  def use(): Int = total(List(1), start = 2)
}
"#,
        "first",
        expect![[r#"
            A.scala:2 def total(items: List[Int], first: Int): Int = {
            A.scala:3 val sum = items.map(item => item + first).sum
            A.scala:4 println(s"$first and ${first + 1}")
            A.scala:5 sum + first
            A.scala:7 def use(): Int = total(List(1), first = 2)
            6 sites, 6 of 6 resolved
        "#]],
    );
    check(
        r#"
//- /a.c
int total(const int *items, int $0start) {
    int sum = start;
    for (int i = 0; i < start; i++) sum += items[i];
    return sum;
}
"#,
        "first",
        expect![[r#"
            a.c:1 int total(const int *items, int first) {
            a.c:2 int sum = first;
            a.c:3 for (int i = 0; i < first; i++) sum += items[i];
            3 sites, 3 of 3 resolved
        "#]],
    );
}

#[test]
fn conflicts_are_found_before_writing() {
    let fixture = r#"
//- /lib.py
def run(items, limit):
    $0count = len(items)
    for item in items:
        print(item, count)
    return [limit for limit in items] + [limit, count]
"#;
    // Used for something else, declared already, captured by an inner one, a keyword.
    refused(
        fixture,
        "len",
        expect![[r#"
        nothing was changed, for 1 reason:
        - lib.py:2 `len` is used here for something else, and would mean the renamed one"#]],
    );
    refused(
        fixture,
        "limit",
        expect![[r#"
        nothing was changed, for 3 reasons:
        - lib.py:2 `limit` is declared here already, or would be another variable
        - lib.py:4 `limit` means something else here
        - lib.py:5 `limit` means something else here"#]],
    );
    refused(
        fixture,
        "item",
        expect![[r#"
        nothing was changed, for 2 reasons:
        - lib.py:3 `item` is declared here already, or would be another variable
        - lib.py:4 `item` means something else here"#]],
    );
    refused(
        "\n//- /lib.py\nclass Box:\n    def grow($0self):\n        return self\n",
        "this",
        expect![[r#"
            nothing was changed, for 1 reason:
            - lib.py:2 it stands for what the method is called on: its uses are not looked at"#]],
    );
    refused(
        fixture,
        "class",
        expect!["`class` cannot be the new name: it is a reserved word in python"],
    );
    refused(
        r#"
//- /src/lib.rs
pub fn run($0a: u32) -> u32 {
    let b = 1;
    let c = |b: u32| a + b;
    c(b)
}
"#,
        "b",
        expect![[r#"
            nothing was changed, for 1 reason:
            - src/lib.rs:3 `b` means something else here"#]],
    );
    refused(
        r#"
//- /A.java
class A {
    int count;
    int run(int $0n) { return n + count; }
}
"#,
        "count",
        expect![[r#"
            nothing was changed, for 1 reason:
            - A.java:3 `count` is used here for something else, and would mean the renamed one"#]],
    );
}

#[test]
fn a_local_name_needs_a_place() {
    let repo = Repo::new(
        r#"
//- /lib.py
def one(value):
    return value

def two(value, other):
    return value + other
"#,
    );
    let kit = Kit::new(&repo.root());
    // By its file alone where there is one of the name, else by a choice.
    let other = kit.json(
        "rename_symbol",
        json!({ "file": "lib.py", "old_name": "other", "new_name": "more" }),
    );
    assert_eq!(other["sites"], 2, "{other}");
    let value = kit.json(
        "rename_symbol",
        json!({ "file": "lib.py", "old_name": "value", "new_name": "more" }),
    );
    let lines: Vec<&Value> = value["candidates"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["line"])
        .collect();
    assert_eq!(lines, [1, 4], "{value}");
    let asked = json!({ "file": "lib.py", "line": 5, "old_name": "value", "new_name": "more" });
    assert_eq!(kit.json("rename_symbol", asked)["symbol"]["line"], 4);
    let nobody = kit.json(
        "rename_symbol",
        json!({ "file": "lib.py", "old_name": "nobody", "new_name": "more" }),
    );
    assert_eq!(nobody["total"], 0, "{nobody}");
}

/// Which of them were short before cannot be seen in between.
#[test]
fn short_and_written_out_members_side_by_side() {
    check(
        "
//- /src/mixed.js
export function build($0name, other) {
    const short = { name, other: other };
    const long = { name: name, other };
    return [short, long, { other, name }, { name : name }];
}
",
        "label",
        expect![[r#"
            src/mixed.js:1 export function build(label, other) {
            src/mixed.js:2 const short = { name: label, other: other };
            src/mixed.js:3 const long = { name: label, other };
            src/mixed.js:4 return [short, long, { other, name: label }, { name : label }];
            5 sites, 5 of 5 resolved
        "#]],
    );
}

/// By way of a third name, and after another process has taken over.
#[test]
fn a_long_way_back_leads_back_too() {
    let repo = Repo::new(
        "
//- /src/mixed.js
export function build(name, other) {
    return [{ name, other: other }, { name: name, other }];
}
",
    );
    let before = tree(&repo.root());
    let mut kit = Kit::new(&repo.root());
    for (old, new) in [
        ("name", "label"),
        ("other", "one"),
        ("label", "title"),
        ("one", "other"),
        ("title", "name"),
    ] {
        let asked = json!({ "file": "src/mixed.js", "line": 1, "old_name": old, "new_name": new, "dry_run": false });
        kit.json("rename_symbol", asked);
        kit = kit.reopened();
    }
    assert!(
        tree(&repo.root()) == before,
        "{}",
        changed(&before, &tree(&repo.root()))
    );
}
