//! Finding where names are defined: `find_symbol`, `find_definition`, and the definitions that lead a search.

use expect_test::{Expect, expect};
use serde_json::{Value, json};
use test_fixture::Repo;

use crate::kit::{Kit, string};

const REPO: &str = r#"
//- /README.md
# Parser

Parses.
//- /include/walk.h
int walk(int depth);
//- /lib/parser.py
from lib.text import cut as cut_text

class Parser:
    limit = 3

    def parse(self, text):
        words = cut_text(text)
        return self.accept(words)

    def accept(self, words):
        return words
//- /lib/text.py
def cut(text):
    return text.split()
//- /src/main.rs
use crate::query::{Parser, parse_query};

fn main() {
    let parser = Parser::new("a");
    let found = parse_query(parser);
    println!("{found}");
}
//- /src/query.rs
/// Reads queries.
pub struct Parser {
    text: String,
}

impl Parser {
    pub fn new(text: &str) -> Parser {
        Parser { text: text.to_owned() }
    }

    fn parse(&self) -> usize {
        self.text.len()
    }
}

pub fn parse_query(parser: Parser) -> usize {
    parser.parse()
}

#[cfg(test)]
mod tests {
    #[test]
    fn parse_query() {}
}
//- /src/walk.c
#include "walk.h"

int walk(int depth) {
    return depth > 0 ? walk(depth - 1) : 0;
}
//- /tests/query.rs
fn parse_query() {}
"#;

fn indexed() -> (Repo, Kit) {
    let repo = Repo::new(REPO);
    let kit = Kit::new(&repo.root());
    kit.json("index_repository", json!({}));
    (repo, kit)
}

fn check(kit: &Kit, tool: &str, arguments: Value, expected: Expect) {
    expected.assert_eq(&kit.text(tool, arguments));
}

/// `path:line` of each definition, with how it is known.
fn places(answer: &Value) -> Vec<String> {
    let rows = answer["definitions"].as_array().expect("definitions");
    rows.iter()
        .map(|row| {
            let origin = row["origin"].as_str().unwrap_or_default();
            format!("{}:{} {origin}", string(&row["path"]), row["line"])
                .trim()
                .to_owned()
        })
        .collect()
}

#[test]
fn symbols_by_name() {
    let (_repo, kit) = indexed();
    check(
        &kit,
        "find_symbol",
        json!({ "name": "parse_query" }),
        expect![[r#"
        3 definitions of `parse_query`
        src/query.rs:16:8 parse_query (function, public)
          pub fn parse_query(parser: Parser) -> usize
        src/query.rs:23:8 tests::parse_query (function, private, test)
          fn parse_query()
        tests/query.rs:1:4 parse_query (function, private, test)
          fn parse_query()"#]],
    );
    check(
        &kit,
        "find_symbol",
        json!({ "name": "Parser" }),
        expect![[r#"
        3 definitions of `Parser`
        lib/parser.py:3:7 Parser (class, public)
          class Parser
        src/query.rs:2:12 Parser (struct, public)
          pub struct Parser
        README.md:1:3 Parser (heading)
          # Parser"#]],
    );
    check(
        &kit,
        "find_symbol",
        json!({ "name": "pars", "limit": 2 }),
        expect![[r#"
            No `pars`, but 8 similar names
            lib/parser.py:6:9 Parser.parse (method, public)
              def parse(self, text)
            src/query.rs:11:8 Parser::parse (method, private)
              fn parse(&self) -> usize

            6 more: cursor "p2.881365cf.8.bffb", or narrow with kind, path or language"#]],
    );
    check(
        &kit,
        "find_symbol",
        json!({ "name": "walk" }),
        expect![[r#"
        2 definitions of `walk`
        src/walk.c:3:5 walk (function, public)
          int walk(int depth)
        include/walk.h:1:5 walk (function, public, declaration)
          int walk(int depth)"#]],
    );
    check(
        &kit,
        "find_symbol",
        json!({ "name": "prase_query" }),
        expect![[r#"
        No symbol like `prase_query` (8 files indexed). Nearest names:
        - src/query.rs:16:8 parse_query (function, public)"#]],
    );
    check(
        &kit,
        "find_symbol",
        json!({ "name": "Walker::parse" }),
        expect![[r#"
        No symbol like `Walker::parse` (8 files indexed). Nearest names:
        - lib/parser.py:6:9 Parser.parse (method, public)
        - src/query.rs:11:8 Parser::parse (method, private)
        - lib/parser.py:3:7 Parser (class, public)"#]],
    );
    check(
        &kit,
        "find_symbol",
        json!({ "name": "zzzzzzzz" }),
        expect!["No symbol like `zzzzzzzz` (8 files indexed)."],
    );
    let answer = kit.json("find_symbol", json!({ "name": "Parser::new" }));
    let mut pretty = serde_json::to_string_pretty(&answer).unwrap();
    pretty = kit.steady(&pretty);
    expect![[r#"
        {
          "definitions": [
            {
              "name": "new",
              "qualified_name": "Parser::new",
              "kind": "method",
              "visibility": "public",
              "signature": "pub fn new(text: &str) -> Parser",
              "path": "src/query.rs",
              "line": 7,
              "column": 12,
              "end_line": 9
            }
          ],
          "total": 1,
          "exact": 1,
          "coverage": {
            "generation": <n>,
            "complete": true,
            "engines": [
              "syntax"
            ]
          }
        }"#]]
    .assert_eq(&pretty);
}

#[test]
fn names_in_every_spelling_and_filters() {
    let (_repo, kit) = indexed();
    for (arguments, expected) in [
        (
            json!({ "name": "Parser::parse" }),
            vec!["lib/parser.py:6", "src/query.rs:11"],
        ),
        (
            json!({ "name": "Parser.parse", "language": "python" }),
            vec!["lib/parser.py:6"],
        ),
        (
            json!({ "name": "Parser#parse", "path": "src" }),
            vec!["src/query.rs:11"],
        ),
        (json!({ "name": "query::Parser::parse()" }), vec!["src/query.rs:11"]),
        (json!({ "name": "Parser#struct" }), vec!["src/query.rs:2"]),
        (json!({ "name": "Parser", "kind": "class" }), vec!["lib/parser.py:3"]),
        (
            json!({ "name": "pQ", "path": "src", "kind": "fn" }),
            vec!["src/query.rs:16", "src/query.rs:23"],
        ),
        (
            json!({ "name": "ARSER", "kind": "type" }),
            vec!["lib/parser.py:3", "src/query.rs:2"],
        ),
        (json!({ "name": "query::Parser::prase" }), vec![]),
        (json!({ "name": "Parser", "kind": "enum" }), vec![]),
    ] {
        assert_eq!(
            places(&kit.json("find_symbol", arguments.clone())),
            expected,
            "{arguments}"
        );
    }
    // What is not there of one kind may be there of another.
    let answer = kit.json("find_symbol", json!({ "name": "Parser", "kind": "enum" }));
    assert_eq!(answer["nearest"][0]["path"], "lib/parser.py");
}

#[test]
fn definitions_of_a_name() {
    let (repo, kit) = indexed();
    check(
        &kit,
        "find_definition",
        json!({ "symbol": "Parser" }),
        expect![[r#"
        3 definitions of `Parser`
        lib/parser.py:3:7 Parser (class, public)
          class Parser
        src/query.rs:2:12 Parser (struct, public)
          pub struct Parser
        README.md:1:3 Parser (heading)
          # Parser"#]],
    );
    check(
        &kit,
        "find_definition",
        json!({ "symbol": "parser" }),
        expect![[r#"
            No definition of `parser` (8 files indexed). The name is in 4 files: search_code with literal shows where. Nearest names:
            - lib/parser.py:3:7 Parser (class, public)
            - lib/parser.py:6:9 Parser.parse (method, public)
            - src/query.rs:16:8 parse_query (function, public)"#]],
    );
    for (arguments, expected) in [
        (
            json!({ "symbol_name": "parse_query", "directory": repo.root() }),
            vec![
                "src/query.rs:16 resolved",
                "src/query.rs:23 resolved",
                "tests/query.rs:1 resolved",
            ],
        ),
        // A prototype after what it announces.
        (
            json!({ "symbol": "walk" }),
            vec!["src/walk.c:3 resolved", "include/walk.h:1 resolved"],
        ),
    ] {
        assert_eq!(
            places(&kit.json("find_definition", arguments.clone())),
            expected,
            "{arguments}"
        );
    }
}

#[test]
fn definitions_of_what_is_used_somewhere() {
    let (_repo, kit) = indexed();
    for (file, line, column, expected) in [
        // A local name, and the same with the caret behind it.
        ("src/main.rs", 5, Some(29), vec!["src/main.rs:4 resolved"]),
        ("src/main.rs", 5, Some(35), vec!["src/main.rs:4 resolved"]),
        // By an import, by a path.
        ("src/main.rs", 5, Some(17), vec!["src/query.rs:16 resolved"]),
        ("src/main.rs", 4, Some(26), vec!["src/query.rs:7 resolved"]),
        // In the same file.
        ("src/query.rs", 16, Some(28), vec!["src/query.rs:2 resolved"]),
        ("src/query.rs", 12, Some(14), vec!["src/query.rs:3 resolved"]),
        // The definition before its prototype.
        (
            "src/walk.c",
            4,
            Some(26),
            vec!["src/walk.c:3 resolved", "include/walk.h:1 resolved"],
        ),
        ("lib/parser.py", 8, Some(21), vec!["lib/parser.py:10 resolved"]),
        // Under another name.
        ("lib/parser.py", 7, Some(20), vec!["lib/text.py:1 resolved"]),
        // A method, by the type of what it is asked of.
        ("src/query.rs", 17, Some(13), vec!["src/query.rs:11 resolved"]),
        // A definition is its own.
        ("src/query.rs", 11, Some(8), vec!["src/query.rs:11 resolved"]),
    ] {
        let arguments = json!({ "file": file, "line": line, "column": column });
        assert_eq!(
            places(&kit.json("find_definition", arguments.clone())),
            expected,
            "{arguments}"
        );
    }
    check(
        &kit,
        "find_definition",
        json!({ "file": "src/main.rs", "line": 5 }),
        expect![[r#"
            2 definitions for what is used at src/main.rs:5
            src/query.rs:16:8 parse_query (function, public)
              pub fn parse_query(parser: Parser) -> usize
            src/main.rs:4:9 parser (variable)
              let parser = Parser::new("a");"#]],
    );
    check(
        &kit,
        "find_definition",
        json!({ "file": "src/main.rs", "line": 6, "symbol": "println" }),
        expect![[r#"
            No definition in this workspace for what is used at src/main.rs:6
            Not defined in this workspace: `println`"#]],
    );
}

/// What is said of a name later on is not where it is declared, and steps that have no name are nothing to ask for.
#[test]
fn a_tested_name_is_declared_where_it_was() {
    let repo = Repo::new(
        r#"
//- /a.ts
class A { go() {} }
async function run(one: unknown, all: A[]) {
  if (one instanceof A) {
    one.go();
  }
  (await all[0]).go();
}
//- /a.go
package a

type Box struct{ all []int }

func (b Box) First(at int) int { return b.all[at] }
//- /a.cc
struct Box { int first(int at) const { return at; } };
//- /b.ts
interface Point { x: number }
function move(to: Point) {}
function run(x: number) {
  move({ x });
}
//- /c.ts
const key = Symbol();
class Keyed { [key] = 1; }
"#,
    );
    let kit = Kit::new(&repo.root());
    for (file, line, column, expected) in [
        ("a.ts", 4, Some(5), vec!["a.ts:2 resolved"]),
        ("a.ts", 3, Some(7), vec!["a.ts:2 resolved"]),
        ("a.ts", 6, None, vec!["a.ts:2 resolved", "a.ts:1 resolved"]),
        ("a.go", 5, Some(19), vec!["a.go:5 resolved"]),
        ("a.cc", 1, Some(18), vec!["a.cc:1 resolved"]),
        // What is read, and what is given it.
        ("b.ts", 4, Some(10), vec!["b.ts:3 resolved", "b.ts:1 resolved"]),
        // A name in brackets, and the member that is called so.
        ("c.ts", 2, Some(16), vec!["c.ts:1 resolved"]),
        ("c.ts", 2, Some(15), vec!["c.ts:2 resolved"]),
    ] {
        let arguments = json!({ "file": file, "line": line, "column": column });
        assert_eq!(
            places(&kit.json("find_definition", arguments.clone())),
            expected,
            "{arguments}"
        );
    }
    let answer = kit.text("find_definition", json!({ "file": "a.go", "line": 5 }));
    assert!(
        answer.starts_with("5 definitions for what is used at a.go:5\n"),
        "{answer}"
    );
    assert!(!answer.contains(" () ") && !answer.contains('`'), "{answer}");
}

/// What comes from elsewhere is told with where from; a member that is called like it is not.
#[test]
fn what_is_not_of_the_workspace_says_where_it_comes_from() {
    let repo = Repo::new(
        r#"
//- /a.js
const split = require("split2");
import { readFile as read } from "node:fs";
read(split(","), "a b".split(" "));
//- /b.py
from os.path import join
print(join("a"))
"#,
    );
    let kit = Kit::new(&repo.root());
    let asked = |file: &str, line: u32, column: u32| {
        let answer = kit.text(
            "find_definition",
            json!({ "file": file, "line": line, "column": column }),
        );
        answer.lines().nth(1).unwrap_or_default().to_owned()
    };
    let answers = [
        asked("a.js", 3, 1),
        asked("a.js", 3, 6),
        asked("a.js", 3, 24),
        asked("b.py", 2, 7),
        asked("b.py", 2, 1),
    ];
    expect![[r#"
        Not defined in this workspace: `read` (from `node:fs`, line 2)
        Not defined in this workspace: `split` (from `split2`, line 1)
        Not defined in this workspace: `split`
        Not defined in this workspace: `join` (from `os.path`, line 1)
        Not defined in this workspace: `print`"#]]
    .assert_eq(&answers.join("\n"));
}

/// A signature without a name is used by calls of what has it, which are not looked for: nothing else is said of it.
#[test]
fn what_is_called_itself_is_not_said_to_be_unused() {
    let repo = Repo::new(
        r#"
//- /a.ts
export interface Ajax {
  (url: string): string;
}
export function go(ajax: Ajax) { return ajax("x"); }
"#,
    );
    let kit = Kit::new(&repo.root());
    let at = json!({ "file": "a.ts", "line": 2, "column": 3 });
    for tool in ["find_references", "find_callers", "impact_analysis"] {
        let answer = kit.text(tool, at.clone()).to_lowercase();
        assert!(answer.contains("no use by its name"), "{tool}: {answer}");
        assert!(!answer.contains("uses it"), "{tool}: {answer}");
    }
}

/// What editors call the place of a name begins at its sign.
#[test]
fn a_sign_before_a_name_belongs_to_it() {
    let repo = Repo::new(
        r#"
//- /a.php
<?php
class Level {
    private $level = 1;
    function above($other) { return $this->level > $other; }
}
//- /Node/Leaf.php
<?php
namespace App\Node;
class Leaf {}
//- /make.php
<?php
namespace App;
function make() { return new Node\Leaf(); }
//- /a.js
class Queue {
  #items = [];
  size() { return this.#items.length; }
}
"#,
    );
    let kit = Kit::new(&repo.root());
    for (file, line, column, expected) in [
        ("a.php", 3, 13, vec!["a.php:3 resolved"]),
        ("a.php", 4, 52, vec!["a.php:4 resolved"]),
        ("make.php", 3, 30, vec!["Node/Leaf.php:3 resolved"]),
        ("make.php", 3, 35, vec!["Node/Leaf.php:3 resolved"]),
        ("a.js", 2, 3, vec!["a.js:2 resolved"]),
        ("a.js", 3, 24, vec!["a.js:2 resolved"]),
    ] {
        let arguments = json!({ "file": file, "line": line, "column": column });
        assert_eq!(
            places(&kit.json("find_definition", arguments.clone())),
            expected,
            "{arguments}"
        );
    }
}

#[test]
fn without_symbols_nothing_is_known() {
    let repo = Repo::new(REPO);
    let kit = Kit::with(&repo.root(), false, &[("indexing.symbols", "false")]);
    for (tool, arguments) in [
        ("find_symbol", json!({ "name": "Parser" })),
        ("find_definition", json!({ "symbol": "Parser" })),
        ("search_code", json!({ "query": "Parser", "mode": "definitions" })),
    ] {
        let answer = kit.call(tool, arguments);
        assert_eq!(answer.structured["error"]["code"], -32002, "{tool}: {}", answer.text);
    }
    assert_ne!(kit.json("search_code", json!({ "query": "Parser" }))["total"], 0);
}

#[test]
fn searching_for_a_name_leads_with_its_definition() {
    let (_repo, kit) = indexed();
    check(
        &kit,
        "search_code",
        json!({ "query": "parse_query", "k": 1 }),
        expect![[r#"
            Definition found: parse_query (1 of 3; find_symbol lists all)
              src/query.rs:16:8 parse_query (function, public)
                pub fn parse_query(parser: Parser) -> usize

            Other matches:
            src/query.rs
              16-18 function parse_query
                16: pub fn parse_query(parser: Parser) -> usize {
                17:     parser.parse()
                18: }
                called by main (src/main.rs:5)
                calls Parser::parse (line 11)
              22-23 function tests::parse_query
                22:     #[test]
                23:     fn parse_query() {}

            More: cursor "p1.6ebb6bc0.3.bffb", or narrow with path, language or AND"#]],
    );
    for (query, expected) in [
        ("Parser", vec!["lib/parser.py:3", "src/query.rs:2"]),
        // In another spelling, for want of this one.
        ("parser", vec!["lib/parser.py:3", "src/query.rs:2"]),
        ("parseQuery", vec!["src/query.rs:16"]),
        ("Parser::new", vec!["src/query.rs:7"]),
        ("parser.parse()", vec![]),
        ("Parser#class", vec!["lib/parser.py:3"]),
        ("limit", vec!["lib/parser.py:4"]),
        ("\"Parser\"", vec![]),
        ("parse query", vec![]),
        ("Parser AND parse", vec![]),
        ("content:Parser", vec![]),
        ("lib/parser", vec![]),
        ("println", vec![]),
    ] {
        let answer = kit.json("search_code", json!({ "query": query }));
        let found = answer.get("definitions").map_or(Vec::new(), |_| places(&answer));
        assert_eq!(found, expected, "{query}");
    }
    // Filters count, and other modes do not promote.
    let in_python = kit.json("search_code", json!({ "query": "Parser", "language": "python" }));
    assert_eq!(places(&in_python), ["lib/parser.py:3"]);
    for mode in ["keyword", "hybrid", "semantic"] {
        let answer = kit.json("search_code", json!({ "query": "Parser", "mode": mode }));
        assert_eq!(answer["definitions"], Value::Null, "{mode}");
    }
    // Later pages are without.
    let mut arguments = json!({ "query": "Parser", "k": 1 });
    let first = kit.json("search_code", arguments.clone());
    arguments["cursor"] = first["next_cursor"].clone();
    assert_eq!(kit.json("search_code", arguments)["definitions"], Value::Null);
}

#[test]
fn only_definitions() {
    let (_repo, kit) = indexed();
    check(
        &kit,
        "search_code",
        json!({ "query": "parse_query", "mode": "definitions", "k": 1 }),
        expect![[r#"
            Definition found: parse_query (3 exact)

            src/query.rs:16:8 parse_query (function, public)
            ```rust
            pub fn parse_query(parser: Parser) -> usize {
                parser.parse()
            }
            ```

            2 more: cursor "p1.e113f9f3.3.bffb", or narrow with path, language or `name#kind`"#]],
    );
    let symbols = |query: &str| -> Vec<String> {
        let rows = kit.rows(
            "search_code",
            &json!({ "query": query, "mode": "definitions" }),
            "results",
        );
        rows.iter()
            .map(|row| {
                format!(
                    "{}:{} {}",
                    string(&row["path"]),
                    row["start_line"],
                    string(&row["symbol"])
                )
            })
            .collect()
    };
    assert_eq!(symbols("parse query")[0], "src/query.rs:16 parse_query");
    assert_eq!(symbols("acc"), ["lib/parser.py:10 Parser.accept"]);
    assert_eq!(
        symbols("parser AND NOT lang:rust"),
        ["README.md:1 Parser", "lib/parser.py:1 Parser"]
    );
    check(
        &kit,
        "search_code",
        json!({ "query": "prser", "mode": "definitions" }),
        expect![[r#"
            No definition like `prser` (8 files indexed). Nearest names:
            - lib/parser.py:3:7 Parser (class, public)
            - lib/parser.py:6:9 Parser.parse (method, public)"#]],
    );
}

/// In a real repository most chunks with a name are uses of it.
#[test]
fn chunks_that_define_a_name_rank_before_those_that_use_it() {
    let repo = Repo::new("");
    for n in 0..6 {
        repo.write(
            &format!("src/use_{n}.rs"),
            format!("fn user_{n}() {{ frobnicate(frobnicate({n})); }}\n"),
        );
    }
    repo.write(
        "src/def.rs",
        format!(
            "/// Does it.\npub fn frobnicate(n: u32) -> u32 {{\n{}    n\n}}\n",
            "    let x = n + 1;\n".repeat(20)
        ),
    );
    let kit = Kit::new(&repo.root());
    for query in ["frobnicate", "frobnicate AND n", "how to frobnicate"] {
        let rows = kit.rows("search_code", &json!({ "query": query, "mode": "keyword" }), "results");
        assert_eq!(rows[0]["path"], "src/def.rs", "{query}");
        assert_eq!(rows[0]["symbol"], "frobnicate", "{query}");
    }
}

#[test]
fn names_in_the_words_of_their_languages() {
    let repo = Repo::new(
        r#"
//- /app.go
package cli

type App struct{}

func (a *App) Run() {}
//- /src/Environment.php
<?php
namespace Twig\Sub;

class Environment
{
    public function render() {}
    private $cache;
}
//- /lib/reply.js
function Reply () {}
Reply.prototype.send = function (payload) { return payload }
const $reply = 1
"#,
    );
    let kit = Kit::new(&repo.root());
    for (symbol, expected) in [
        ("cli.App", "app.go:3"),
        ("cli.App.Run", "app.go:5"),
        ("(*App).Run", "app.go:5"),
        (r"Twig\Sub\Environment", "src/Environment.php:4"),
        (r"Sub\Environment::render", "src/Environment.php:6"),
        (r"Environment::$cache", "src/Environment.php:7"),
        ("$cache", "src/Environment.php:7"),
        ("$reply", "lib/reply.js:3"),
        (r"Twig\Environment", ""),
        ("other.App", ""),
        ("Reply.prototype.send", "lib/reply.js:2"),
    ] {
        let answer = kit.json("find_definition", json!({ "symbol": symbol }));
        let found = answer["definitions"].as_array().map_or(String::new(), |found| {
            let places = found
                .iter()
                .map(|one| format!("{}:{}", string(&one["path"]), one["line"]));
            places.collect::<Vec<_>>().join(" ")
        });
        assert_eq!(found, expected, "{symbol}: {answer}");
    }
    // At a place too, with or without the mark, on the mark or behind it.
    for (symbol, column) in [("$cache", 13), ("$cache", 14), ("cache", 13)] {
        let place = json!({ "symbol": symbol, "file": "src/Environment.php", "line": 7, "column": column });
        let answer = kit.json("find_references", place);
        assert_eq!(string(&answer["symbol"]["name"]), "cache", "{symbol}: {answer}");
    }
}

#[test]
fn a_path_that_no_file_has_is_told() {
    let repo = Repo::new(
        r#"
//- /app/[slug]/page.tsx
export function Page() { return 1 }
//- /app/s/page.tsx
export function Other() { return 2 }
"#,
    );
    let kit = Kit::new(&repo.root());
    for (tool, arguments, expected) in [
        (
            "grep",
            json!({ "pattern": "return", "paths": ["nosuch/**"] }),
            "No match for `return` (no indexed file matches the path)",
        ),
        (
            "search_code",
            json!({ "query": "Page", "path": ["nosuch/**"] }),
            "No match for `Page` (no indexed file matches the path)",
        ),
        (
            "grep",
            json!({ "pattern": "return", "language": "kotlin" }),
            "No match for `return` (no kotlin file is indexed)",
        ),
        (
            "search_code",
            json!({ "query": "Page", "language": "tsx", "path": ["nosuch/**"] }),
            "No match for `Page` (no indexed typescript file matches the path)",
        ),
        (
            "search_code",
            json!({ "query": "Page", "mode": "definitions", "language": "kotlin" }),
            "No definition like `Page`: no kotlin file is indexed",
        ),
        (
            "find_symbol",
            json!({ "name": "Page", "path": ["nosuch"] }),
            "No symbol like `Page`: no indexed file matches the path",
        ),
        (
            "grep",
            json!({ "pattern": "absent", "paths": ["app/**"] }),
            "No match for `absent` (2 files indexed)",
        ),
        // The name of a file before it is a pattern, and a pattern besides.
        (
            "grep",
            json!({ "pattern": "return", "paths": ["app/[slug]/page.tsx"] }),
            "2 lines in 2 files for `return`",
        ),
        (
            "grep",
            json!({ "pattern": "Page", "paths": ["app/[slug]/*.tsx"] }),
            "1 line in 1 file for `Page`",
        ),
    ] {
        let text = kit.text(tool, arguments.clone());
        assert!(text.starts_with(expected), "{tool} {arguments}: {text}");
    }
}

/// A definition may leave out the namespaces that its file opens; others of the same end are not it.
#[test]
fn a_full_name_finds_what_is_written_with_less() {
    let repo = Repo::new(
        r#"
//- /crypto.h
namespace Crypto { class Session { public: int encrypt(int text); }; }
//- /crypto.cc
#include "crypto.h"
using namespace Crypto;
int Session::encrypt(int text) { return text + 1; }
//- /shell.h
namespace Shell { class Session { public: int encrypt(int text); }; }
//- /shell.cc
#include "shell.h"
using namespace Shell;
int Session::encrypt(int text) { return text + 2; }
"#,
    );
    let kit = Kit::new(&repo.root());
    let found = kit.rows(
        "find_definition",
        &json!({ "symbol": "Crypto::Session::encrypt" }),
        "definitions",
    );
    let paths: Vec<String> = found.iter().map(|row| string(&row["path"])).collect();
    assert_eq!(paths, ["crypto.cc", "crypto.h"]);
}

#[test]
fn members_are_called_as_their_language_calls_them() {
    let repo = Repo::new(
        r#"
//- /shop.php
<?php
namespace Acme\Shop {
class Cart { public function total() {} }
function open() {}
}
//- /shop.rs
pub struct Cart;
impl Cart { pub fn total(&self) {} }
"#,
    );
    let kit = Kit::new(&repo.root());
    let names = |name: &str| -> Vec<String> {
        let rows = kit.rows("find_symbol", &json!({ "name": name }), "definitions");
        rows.iter().map(|row| string(&row["qualified_name"])).collect()
    };
    assert_eq!(names("total"), ["Acme\\Shop\\Cart::total", "Cart::total"]);
    assert_eq!(names("open"), ["Acme\\Shop\\open"]);
}

/// A name is a member's by what its owner has, and not only by what it is written in.
#[test]
fn members_of_variables_and_inherited_ones() {
    let repo = Repo::new(
        r#"
//- /src/notifier.ts
export function createNotifier() {
    const flush = (): void => {};
    function later() {}
    return { batch: (run: () => void): void => run(), flush, later } as const;
}
export const notifier = createNotifier();
export const log = { write(text: string) {}, inner: { close() {} } };
class Store { read(): number { return 1; } }
export const store: Store = new Store();
class Holder { store: Store = new Store(); }
export const holder = new Holder();
//- /src/use.ts
import { notifier, store } from './notifier';
export function use() { notifier.batch(() => {}); notifier.later(); store.read(); }
//- /src/Shape.java
class Shape { int area() { return 0; } }
class Square extends Shape { }
class Tile extends Square { }
//- /lib/app.py
class App:
    def task(self):
        return 1

def make():
    return App()

app = make()
//- /lib/server.rb
module Handling
  def handle; end
end
class Server
  include Handling
end
"#,
    );
    let kit = Kit::new(&repo.root());
    for (asked, meant) in [
        ("notifier.batch", "createNotifier.batch"),
        ("notifier.flush", "createNotifier.flush"),
        ("notifier.later", "createNotifier.later"),
        ("log.inner.close", "log.inner.close"),
        ("store.read", "Store.read"),
        ("holder.store.read", "Store.read"),
        ("Square.area", "Shape.area"),
        ("Tile#area", "Shape.area"),
        ("app.task", "App.task"),
        ("Server#handle", "Handling::handle"),
    ] {
        for (tool, argument) in [("find_symbol", "name"), ("find_definition", "symbol")] {
            let mut arguments = json!({});
            arguments[argument] = asked.into();
            let rows = kit.rows(tool, &arguments, "definitions");
            let names: Vec<String> = rows.iter().map(|row| string(&row["qualified_name"])).collect();
            assert_eq!(names, [meant], "{tool} {asked}");
        }
        let answer = kit.json("find_references", json!({ "symbol": asked }));
        assert_eq!(answer["symbol"]["qualified_name"], meant, "{asked}");
    }
    // A function does not have what it gives back, and nothing is taken for what it is not.
    for asked in ["make.task", "app.tusk", "Shape.handle", "store.area", "log.close.write"] {
        let answer = kit.json("find_definition", json!({ "symbol": asked }));
        assert_eq!(answer["total"], 0, "{asked}: {answer}");
    }
    let elsewhere = json!({ "name": "notifier.batch", "path": "lib" });
    assert_eq!(kit.json("find_symbol", elsewhere)["total"], 0);
}

/// A package and a type that is called like it can have the same name in them.
#[test]
fn a_name_of_a_package_that_many_define() {
    let repo = Repo::new(
        "//- /go.mod\nmodule a\n//- /storage/api.go\npackage storage\n\ntype Appender interface{ Append() }\n\
         //- /remote/storage.go\npackage remote\n\ntype Storage struct{}\n\nfunc (s *Storage) Appender() {}\n",
    );
    for n in 0..9 {
        let text = format!("package other\n\ntype T{n} struct{{}}\n\nfunc (t *T{n}) Appender() {{}}\n");
        repo.write(&format!("other/t{n}.go"), text);
    }
    let kit = Kit::new(&repo.root());
    let meant = |symbol: &str| {
        let answer = kit.json("find_references", json!({ "symbol": symbol }));
        string(&answer["symbol"]["path"])
    };
    assert_eq!(meant("storage.Appender"), "storage/api.go");
    assert_eq!(meant("Storage.Appender"), "remote/storage.go");
}

/// Where `find_definition` finds a name.
fn places_of(kit: &Kit, symbol: &str) -> Vec<String> {
    let rows = kit.rows("find_definition", &json!({ "symbol": symbol }), "definitions");
    let places = rows
        .iter()
        .map(|row| format!("{}:{}", string(&row["path"]), row["line"]));
    places.collect()
}

#[test]
fn modules_are_named_as_their_languages_do() {
    let repo = Repo::new(
        r#"
//- /src/shop.erl
-module(shop).
-export([open/1]).
open(X) -> X.
//- /src/other.erl
-module(other).
open(X) -> shop:open(X).
//- /src/path.ml
let relative x = x
module Build = struct let relative x = x end
//- /lib/cart.ex
defmodule Shop.Cart do
  def open(x), do: x
end
//- /lib/Cart.pm
package Shop::Item;
sub price { return 1; }
1;
//- /package.json
{ "scripts": { "build:prod": "make" } }
"#,
    );
    let kit = Kit::new(&repo.root());
    for (asked, place) in [
        ("shop:open/1", "src/shop.erl:3"),
        ("other:open", "src/other.erl:2"),
        ("Path.relative", "src/path.ml:1"),
        ("Path.Build.relative", "src/path.ml:2"),
        ("Shop.Cart.open/1", "lib/cart.ex:2"),
        ("Shop::Item::price", "lib/Cart.pm:2"),
        ("build:prod", "package.json:1"),
    ] {
        assert_eq!(places_of(&kit, asked), [place], "{asked}");
    }
}

/// A package is where its files say, not where their directory is; what it defines once for each system is one thing.
#[test]
fn a_name_of_a_package() {
    let repo = Repo::new(
        r#"
//- /go.mod
module a
//- /render/config.go
package render

type Config struct{}

func Open() { read() }
//- /render/html/config.go
package html

type Config struct{ Open bool }

func (c Config) Open() {}
//- /render/read_linux.go
package render

func read() {}
//- /render/read_windows.go
package render

func read() {}
//- /other/read.go
package other

func read() {}
"#,
    );
    let kit = Kit::new(&repo.root());
    for asked in ["render.Config", "render.read"] {
        let rows = kit.rows("find_definition", &json!({ "symbol": asked }), "definitions");
        let paths: Vec<String> = rows.iter().map(|row| string(&row["path"])).collect();
        assert!(
            paths.iter().all(|path| path.matches('/').count() == 1),
            "{asked}: {paths:?}"
        );
    }
    let answer = kit.json("find_references", json!({ "symbol": "render.Config" }));
    assert_eq!(answer["symbol"]["path"], "render/config.go");
    // What is of no type comes before what is.
    let rows = kit.rows("find_definition", &json!({ "symbol": "Open" }), "definitions");
    assert_eq!(string(&rows[0]["path"]), "render/config.go");
    expect![[r#"
        render/read_linux.go:3:6 read (function, internal)
          func read()
          also render/read_windows.go:3
        1 caller
        Exact: every use of the name is resolved
        render/config.go:5 Open calls in line 5 [package]
          func Open()"#]]
    .assert_eq(&kit.text("find_callers", json!({ "symbol": "render.read" })));
    expect![[r#"
        `read` has 2 definitions, most used first

        render/read_linux.go:3:6 read (function, internal)
          func read()
          also render/read_windows.go:3
          1 caller
          Exact: every use of the name is resolved
        render/config.go:5 Open calls in line 5 [package]
          func Open()

        other/read.go:3:6 read (function, internal)
          func read()
          0 callers: no call of it in this workspace, and it is not handed on as a value"#]]
    .assert_eq(&kit.text("find_callers", json!({ "symbol": "read" })));
    // A position says which.
    let there = json!({ "file": "render/read_windows.go", "line": 3 });
    assert_eq!(kit.json("find_references", there)["symbol"]["also"], Value::Null);
}

/// What a program made of the sources is not asked about, and still told of.
#[test]
fn sources_come_before_what_is_made_of_them() {
    let repo = Repo::new(
        r#"
//- /dist/index.js
export function load() { return parse(); }
function parse() { return 1; }
//- /dist/index.d.ts
export declare function load(): number;
//- /src/index.ts
import { parse } from './parse';
export function load(): number { return parse(); }
//- /src/parse.ts
export function parse(): number { return 1; }
"#,
    );
    let kit = Kit::new(&repo.root());
    let rows = kit.rows("find_symbol", &json!({ "name": "load" }), "definitions");
    let paths: Vec<String> = rows.iter().map(|row| string(&row["path"])).collect();
    assert_eq!(paths, ["src/index.ts", "dist/index.js", "dist/index.d.ts"]);
    expect![[r#"
        src/parse.ts:1:17 parse (function, public)
          export function parse(): number
          not parse dist/index.js:2
        1 caller
        Exact: every use of the name is resolved
        src/index.ts:2 load calls in line 2 [import]
          export function load(): number"#]]
    .assert_eq(&kit.text("find_callers", json!({ "symbol": "parse" })));
    // Who asks for that gets it.
    let there = kit.json("find_callers", json!({ "symbol": "parse", "file": "dist/index.js" }));
    assert_eq!(there["symbol"]["path"], "dist/index.js");
}

#[test]
fn the_type_is_offered_where_it_has_no_such_member() {
    let repo = Repo::new(
        r#"
//- /a/db.go
package a

type DB struct{}

func (db *DB) Head() int { return 1 }
//- /a/head.go
package a

type Head struct{}
"#,
    );
    let kit = Kit::new(&repo.root());
    let answer = kit.json("find_definition", json!({ "symbol": "Head.append" }));
    assert_eq!(answer["nearest"][0]["kind"], "struct", "{answer}");
}

#[test]
fn nearest_names_are_of_the_type_and_of_the_kind_that_was_asked_for() {
    let repo = Repo::new(
        "
//- /paging.rs
pub struct Page;
pub struct Paging;
impl Paging {
    pub fn page(&self) {}
}
//- /other.rs
pub fn paging_of() {}
pub struct Pages;
pub fn pag_e() {}
pub fn pages_of() {}
",
    );
    let kit = Kit::new(&repo.root());
    let nearest = |arguments: Value| {
        let answer = kit.json("find_symbol", arguments);
        let rows = answer["nearest"].as_array().cloned().unwrap_or_default();
        let names = rows.iter().map(|row| string(&row["qualified_name"]));
        names.collect::<Vec<String>>()
    };
    assert_eq!(nearest(json!({ "name": "Pagin::pagx" }))[0], "Paging::page");
    assert_eq!(
        nearest(json!({ "name": "Paging::pgae" }))[..2],
        ["Paging", "Paging::page"]
    );
    assert_eq!(
        nearest(json!({ "name": "Pagesx", "kind": "struct" })),
        ["Pages", "Page"]
    );
}

#[test]
fn what_begins_or_ends_with_an_underscore_is_a_part() {
    let repo = Repo::new(
        "//- /a.py\ndef process(): pass\ndef processes(): pass\ndef process_request(): pass\ndef process_all(): pass\ndef allow(): pass\n",
    );
    let kit = Kit::new(&repo.root());
    let names = |name: &str| {
        let rows = kit.rows("find_symbol", &json!({ "name": name }), "definitions");
        rows.iter().map(|row| string(&row["name"])).collect::<Vec<String>>()
    };
    assert_eq!(
        names("process_"),
        ["process_all", "process_request", "process", "processes"]
    );
    assert_eq!(names("process")[0], "process");
    assert_eq!(names("*_all")[..1], ["process_all"]);
}

#[test]
fn the_word_that_declares_a_name_is_not_searched_for() {
    let repo = Repo::new(
        "
//- /a.py
def retry_policy(): pass
def retry(): pass
class Retry: pass
//- /b.md
def retry
",
    );
    let kit = Kit::new(&repo.root());
    let found = |query: &str| {
        let answer = kit.json("search_code", json!({ "query": query }));
        let definitions = answer["definitions"].as_array().cloned();
        places(&json!({ "definitions": definitions.unwrap_or_default() }))
    };
    assert_eq!(found("def retry"), ["a.py:2"]);
    assert_eq!(found("class Retry"), ["a.py:3"]);
    for query in ["some retry", "def retry now", "\"def retry\"", "struct Retry"] {
        assert!(found(query).is_empty(), "{query}");
    }
}

#[test]
fn paths_are_left_out_with_a_mark_before_them() {
    let repo = Repo::new(
        "
//- /src/a.py
def work(): pass
//- /docs/b.md
work
//- /tests/test_work.py
def test_work(): pass
",
    );
    let kit = Kit::new(&repo.root());
    let paths = |tool: &str, arguments: Value, key: &str| {
        let rows = kit.rows(tool, &arguments, key);
        rows.iter().map(|row| string(&row["path"])).collect::<Vec<String>>()
    };
    for path in [json!(["!docs", "!tests/**"]), json!("!{docs,tests}/**")] {
        let search = json!({ "query": "work", "path": path });
        assert_eq!(paths("search_code", search, "results"), ["src/a.py"], "{path}");
        let grep = json!({ "pattern": "work", "paths": path });
        assert_eq!(paths("grep", grep, "matches"), ["src/a.py"], "{path}");
        let named = json!({ "name": "work", "path": path });
        assert_eq!(paths("find_symbol", named, "definitions"), ["src/a.py"], "{path}");
    }
    for query in ["work -path:docs -path:tests", "work NOT path:docs NOT path:tests"] {
        assert_eq!(
            paths("search_code", json!({ "query": query }), "results"),
            ["src/a.py"],
            "{query}"
        );
    }
    let text = |path: &str| {
        kit.text(
            "search_code",
            json!({ "query": "work", "path": path, "exclude_tests": true }),
        )
    };
    assert!(
        text("tests").contains("all files that match the path are tests"),
        "{}",
        text("tests")
    );
    assert!(
        text("test").contains("no indexed file matches the path"),
        "{}",
        text("test")
    );
}

/// A name may begin with that of the package, which no directory has.
#[test]
fn names_that_begin_with_their_package() {
    let repo = Repo::new(
        r#"
//- /Cargo.toml
[package]
name = "web-shop"
//- /src/lib.rs
pub mod cart;
pub struct Error;
impl Error { pub fn is_timeout(&self) -> bool { false } }
pub fn open() {}
//- /src/cart.rs
pub struct Cart;
impl Cart { pub fn open(&self) {} }
//- /other/Cargo.toml
[package]
name = "other"
//- /other/src/lib.rs
pub struct Error;
//- /store/go.mod
module example.com/acme/till
//- /store/drawer/drawer.go
package drawer

type Drawer struct{}

func (d *Drawer) Open() {}
"#,
    );
    let kit = Kit::new(&repo.root());
    for (asked, place) in [
        ("web_shop::Error::is_timeout", "src/lib.rs:3"),
        ("web_shop::cart::Cart::open", "src/cart.rs:2"),
        ("web_shop::open", "src/lib.rs:4"),
        ("other::Error", "other/src/lib.rs:1"),
        ("example.com/acme/till/drawer.Drawer", "store/drawer/drawer.go:3"),
        (
            "example.com/acme/till/drawer.(*Drawer).Open",
            "store/drawer/drawer.go:5",
        ),
        ("till/drawer.Drawer.Open", "store/drawer/drawer.go:5"),
    ] {
        assert_eq!(places_of(&kit, asked), [place], "{asked}");
        let answer = kit.json("find_references", json!({ "symbol": asked }));
        let subject = &answer["symbol"];
        assert_eq!(
            format!("{}:{}", string(&subject["path"]), subject["line"]),
            place,
            "{asked}: {answer}"
        );
    }
    for asked in ["other::Error::is_timeout", "elsewhere::Error"] {
        let answer = kit.json("find_definition", json!({ "symbol": asked }));
        assert_eq!(answer["total"], 0, "{asked}: {answer}");
    }
}

/// Who has to choose reads first what is most likely meant.
#[test]
fn several_definitions_are_listed_with_the_likeliest_first() {
    let repo = Repo::new(
        r#"
//- /a/unused.py
class One:
    def load(self):
        return 1
//- /b/used.py
class Two:
    def load(self):
        return 2


def run():
    two = Two()
    return two.load()
//- /tests/helper.py
class Fake:
    def load(self):
        return 3


def fake():
    one = Fake()
    one.load()
    return one.load()
"#,
    );
    let kit = Kit::new(&repo.root());
    expect![[r#"
        `load` has 3 definitions, most used first

        tests/helper.py:2:9 Fake.load (method, public, test)
          def load(self)
          2 references in 1 file
          Exact: every use of the name is resolved
        tests/helper.py
          fake (function)  8 call, 9 call

        b/used.py:2:9 Two.load (method, public)
          def load(self)
          1 reference in 1 file
          Exact: every use of the name is resolved
        b/used.py
          run (function)  8 call

        a/unused.py:2:9 One.load (method, public)
          def load(self)
          Nothing in this workspace uses it

        Files to update, impact and other meanings of the name: find_references of one place, such as tests/helper.py:2"#]]
    .assert_eq(&kit.text("find_references", json!({ "symbol": "load" })));
}

/// What a module has by itself is meant by the module's name, whatever variables of tests are called.
#[test]
fn a_name_in_a_module_is_the_type_and_no_variable_of_a_test() {
    let repo = Repo::new(
        r#"
//- /kale/app/base.py
class Kale:
    pass
//- /kale/contrib/testing/fake.py
Kale = None
"#,
    );
    let kit = Kit::new(&repo.root());
    expect![[r#"
        kale/app/base.py:1:7 Kale (class, public)
          class Kale
          not Kale kale/contrib/testing/fake.py:1
        Nothing in this workspace uses it"#]]
    .assert_eq(
        kit.text(
            "find_references",
            json!({ "symbol": "kale.Kale", "include_text": false }),
        )
        .split("\nRisk")
        .next()
        .unwrap(),
    );
}

/// The head of a definition, as it is copied from the code or from an answer, names it.
#[test]
fn a_pasted_declaration_is_its_name() {
    let repo = Repo::new(
        r#"
//- /go.mod
module m
//- /repo.go
package m

type Repo struct{}
type Other struct{}

func (r *Repo) Save(ctx string, n int) (int, error) {
	return 0, nil
}

func (o *Other) Save(ctx string, n int) (int, error) {
	return 0, nil
}
//- /src/lib.rs
pub struct Cart<T> {
    items: Vec<T>,
}

pub(crate) async fn load<T: Into<String>>(url: T) -> Option<String> {
    Some(url.into())
}
//- /web/a.ts
export class Shop {
    private async open(door: string): Promise<void> {}
}
export const shut = async (door: string) => {};
//- /J.java
class J {
    @Override public static java.util.Map<String, Integer> count(String all) throws java.io.IOException { return null; }
}
//- /c.c
static struct node *node__new(struct list *list, int n) { return 0; }
"#,
    );
    let kit = Kit::new(&repo.root());
    for (pasted, expected) in [
        ("func (r *Repo) Save(ctx string, n int) (int, error) {", "repo.go:6"),
        ("func (o *Other) Save(ctx string, n int) (int, error)", "repo.go:10"),
        ("pub struct Cart<T> {", "src/lib.rs:1"),
        (
            "pub(crate) async fn load<T: Into<String>>(url: T) -> Option<String>",
            "src/lib.rs:5",
        ),
        ("private async open(door: string): Promise<void> {", "web/a.ts:2"),
        ("export const shut = async (door: string) => {", "web/a.ts:4"),
        ("export class Shop {", "web/a.ts:1"),
        (
            "@Override public static java.util.Map<String, Integer> count(String all) throws java.io.IOException {",
            "J.java:2",
        ),
        ("static struct node *node__new(struct list *list, int n) {", "c.c:1"),
    ] {
        let rows = kit.rows("find_definition", &json!({ "symbol": pasted }), "definitions");
        let places: Vec<String> = rows
            .iter()
            .map(|row| format!("{}:{}", string(&row["path"]), row["line"]))
            .collect();
        assert_eq!(places, [expected], "{pasted}");
    }
}

/// What a module of Ruby has is called on it, as what a class has is.
#[test]
fn a_method_of_a_module_is_not_meant_before_those_of_classes() {
    let repo = Repo::new(
        r#"
//- /lib/client.rb
class Client
  def push(item)
    item
  end
end

Client.new.push(1)
Client.new.push(2)
//- /lib/queues.rb
module Queues
  class << self
    def push(queue)
      queue
    end
  end
end

Queues.push(3)
"#,
    );
    let kit = Kit::new(&repo.root());
    expect![[r#"
        `push` has 2 definitions, most used first

        lib/client.rb:2:7 Client::push (method, public)
          def push(item)
          2 references in 1 file
          Exact: every use of the name is resolved
        lib/client.rb
          (top level)  7 call, 8 call

        lib/queues.rb:3:9 Queues::push (method, public)
          def push(queue)
          1 reference in 1 file
          Exact: every use of the name is resolved
        lib/queues.rb
          (top level)  9 call

        Files to update, impact and other meanings of the name: find_references of one place, such as lib/client.rb:2"#]]
    .assert_eq(&kit.text("find_references", json!({ "symbol": "push" })));
}
