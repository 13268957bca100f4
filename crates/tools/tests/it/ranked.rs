//! Questions and names: which file comes first, and why.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use test_fixture::Repo;

use crate::kit::{Kit, string};

const REPO: &str = r#"
//- /src/cache.rs
//! Keeps answers for a while.

/// Drops the entries that were not used for the longest time.
pub fn evict_oldest(entries: &mut Vec<Entry>, limit: usize) {
    entries.truncate(limit);
}
//- /src/json_element.rs
pub struct JsonElement {
    pub value: String,
}

impl JsonElement {
    pub fn parse(text: &str) -> JsonElement {
        JsonElement { value: text.to_owned() }
    }
}
//- /src/tree.rs
use crate::json_element::JsonElement;

/// A tree of elements. Each element of the tree is a JSON element.
pub fn element_count(tree: &[JsonElement]) -> usize {
    tree.len()
}
//- /src/retry.rs
pub struct Policy {
    pub attempts: u32,
}

pub fn run(policy: &Policy) -> bool {
    (0..policy.attempts).any(|attempt| attempt > 3)
}
//- /src/v1/login.rs
pub fn check_password(name: &str, password: &str) -> bool {
    name == password
}
//- /src/v2/login.rs
pub fn check_password(name: &str, password: &str) -> bool {
    !name.is_empty() && name == password
}
//- /tests/cache.rs
fn evict_oldest() {
    // caching, cached, caches: evict the oldest entries of the cache, evict, evict
    cache::evict_oldest(&mut entries, 3);
}
//- /docs/cache.md
# Caching

The cache evicts the oldest entries when the cache is full. Caching is good. Evict the cache.
"#;

fn paths(kit: &Kit, arguments: &Value) -> Vec<String> {
    let rows = kit.rows("search_code", arguments, "results");
    rows.iter().map(|row| string(&row["path"])).collect()
}

#[test]
fn what_is_meant_comes_first() {
    let repo = Repo::new(REPO);
    let kit = Kit::new(&repo.root());
    for (query, first) in [
        // Other forms of the words; code before its tests and documents.
        ("how is caching done and what evicts old entries", "src/cache.rs"),
        // Words side by side name a definition.
        ("hierarchy of a json element", "src/json_element.rs"),
        // Tests and documents where they are asked for.
        ("tests that evict from the cache", "tests/cache.rs"),
        ("documentation about caching", "docs/cache.md"),
        // What is current.
        ("where is the password checked", "src/v2/login.rs"),
        ("check_password", "src/v2/login.rs"),
        // None of its words is there.
        ("how often a failed operation is tried again", "src/retry.rs"),
        ("JsonElement", "src/json_element.rs"),
    ] {
        let found = paths(&kit, &json!({ "query": query }));
        assert_eq!(found.first().map(String::as_str), Some(first), "{query}: {found:?}");
        let mut files = found.clone();
        files.sort();
        files.dedup();
        assert_eq!(files.len(), found.len(), "{query}: a file is one result");
        assert_eq!(
            paths(&kit, &json!({ "query": query })),
            found,
            "{query}: twice the same"
        );
        let again = Kit::new(&repo.root());
        assert_eq!(
            paths(&again, &json!({ "query": query })),
            found,
            "{query}: in another process"
        );
    }
}

/// Words may be written as one, and code need not be of a language that is parsed.
#[test]
fn files_are_found_by_their_names_and_whatever_they_are_written_in() {
    let repo = Repo::new(
        r#"
//- /src/threadpool.c
static int n = 4;
int start(void) { return n; }
//- /src/thread.c
static int n = 1;
int start(void) { return n; }
//- /src/pool.c
static int n = 9;
int start(void) { return n; }
//- /src/parser.y
%%
expression: term '+' term { $$ = add($1, $3); } ;
term: NUMBER | '(' expression ')' ;
//- /src/parser.c
/* expression: term plus term */
static int yyparse_expression(int expression, int term) { return expression + term; }
static int yyreduce_term(int term) { return term; }
"#,
    );
    let kit = Kit::new(&repo.root());
    for (query, first) in [
        ("how does the pool start its threads", "src/threadpool.c"),
        ("how a term of an expression is parsed", "src/parser.y"),
    ] {
        let found = paths(&kit, &json!({ "query": query }));
        assert_eq!(found.first().map(String::as_str), Some(first), "{query}: {found:?}");
    }
}

/// A file is found by what people call it, whoever else has the words; text with a hyphen where it stands as it is.
#[test]
fn one_token_finds_the_file_of_that_name() {
    let repo = Repo::new(
        r#"
//- /src/abr-controller.ts
export class Rate { estimate(): number { return 1 } }
//- /src/config.ts
import { Rate } from "./abr-controller"
// abr-controller, abr-controller: the abr controller is the controller of abr
export const abrController = new Rate()
//- /src/cmd/names.c
int rename_window(void) { return 0; }
//- /src/names.c
int first_name(void) { return 1; }
//- /lib/cmd.c
/* cmd names c: see names.c */
int cmd_names(void) { return 2; }
//- /pkg/utils/request.py
def fingerprint(): return 1
//- /pkg/spider.py
from pkg.utils.request import fingerprint
import pkg.utils.request
//- /cli/options.py
FLAGS = ["dry-run"]
//- /cli/dry.py
# run dry: a run that is dry, dry or not; run, run, dry
def dry(): return run()
//- /core/table.clj
(defn parse-query [text] text)
//- /core/use.clj
(println (parse-query "parse query, parse, query"))
"#,
    );
    let kit = Kit::new(&repo.root());
    for (query, first) in [
        ("abr-controller", "src/abr-controller.ts"),
        ("abr-controller.ts", "src/abr-controller.ts"),
        ("cmd/names.c", "src/cmd/names.c"),
        ("pkg.utils.request", "pkg/utils/request.py"),
        ("dry-run", "cli/options.py"),
    ] {
        let found = paths(&kit, &json!({ "query": query }));
        assert_eq!(found.first().map(String::as_str), Some(first), "{query}: {found:?}");
    }
    let two = paths(&kit, &json!({ "query": "names.c" }));
    assert_eq!(two[..2].iter().collect::<BTreeSet<_>>().len(), 2, "{two:?}");
    assert!(two[..2].iter().all(|path| path.ends_with("/names.c")), "{two:?}");
    let defined = kit.json("search_code", json!({ "query": "parse-query" }));
    assert_eq!(defined["definitions"][0]["path"], "core/table.clj", "{defined}");
}

/// The next page goes on where the last one ended, however many results one has.
#[test]
fn pages_of_any_size_have_one_order() {
    let repo = Repo::new("");
    for n in 0..150 {
        let text = "the journal is written before the store; ".repeat(n % 7 + 1);
        repo.write(
            &format!("src/part{n:03}.rs"),
            format!("// {text}\npub fn part{n}() {{}}\n"),
        );
    }
    let kit = Kit::new(&repo.root());
    let ask = |k: usize, mode: &str| -> Vec<String> {
        let mut arguments =
            json!({ "query": "when is the journal written", "k": k, "mode": mode, "max_tokens": 100_000 });
        let mut found = Vec::new();
        loop {
            let page = kit.json("search_code", arguments.clone());
            let rows = page["results"].as_array().expect("results");
            found.extend(rows.iter().map(|row| string(&row["path"])));
            if page["next_cursor"].is_null() {
                return found;
            }
            arguments["cursor"] = page["next_cursor"].clone();
        }
    };
    for mode in ["auto", "semantic"] {
        let whole = ask(100, mode);
        assert_eq!(whole.iter().collect::<BTreeSet<_>>().len(), whole.len(), "{mode}");
        assert_eq!(ask(30, mode), whole, "{mode}");
        assert_eq!(ask(7, mode), whole, "{mode}");
        assert!(whole.len() > 100, "{mode}: {}", whole.len());
    }
}

/// What a program printed is in its text, but for what was put into it; other files have more of the words.
#[test]
fn a_pasted_message_finds_where_it_is_made() {
    let repo = Repo::new("");
    repo.write(
        "src/store.rs",
        "fn open(path: &str) {\n    fail(format!(\"the journal of {path} is not closed: run repair\"));\n}\n",
    );
    repo.write(
        "src/journal.rs",
        "/// The journal of a store. A journal is closed, run, repaired.\nstruct Journal;\nfn run_repair() {}\nfn close_journal() {}\n",
    );
    repo.write("tests/store.rs", "fn fails() { has(\"is not closed: run repair\"); }\n");
    let kit = Kit::new(&repo.root());
    for message in [
        "the journal of /var/data/a.db is not closed: run repair",
        "Error: the journal of 'x' is not closed: run repair",
        "error: is not closed: run repair (os error 5)",
    ] {
        let found = paths(&kit, &json!({ "query": message }));
        assert_eq!(found[0], "src/store.rs", "{message}: {found:?}");
        assert!(found.contains(&"tests/store.rs".to_owned()), "{message}: {found:?}");
    }
    let row = &kit.json(
        "search_code",
        json!({ "query": "error: is not closed: run repair", "explain": true }),
    )["results"][0];
    assert_eq!(row["features"]["verbatim"], 1.0, "{row}");
}

#[test]
fn translations_do_not_hide_where_a_message_is_made() {
    let mut tree = String::from("//- /errors.py\nMISMATCH = \"The name and/or secret you gave are not right.\"\n");
    for language in 0..40 {
        tree.push_str(&format!(
            "//- /locale/l{language}/app.po\nmsgid \"The name and/or secret you gave are not right.\"\nmsgstr \"\"\n"
        ));
    }
    let repo = Repo::new(&tree);
    let kit = Kit::new(&repo.root());
    for query in [
        "The name and/or secret you gave are not right",
        "secret you gave are not right",
    ] {
        assert_eq!(paths(&kit, &json!({ "query": query }))[0], "errors.py", "{query}");
    }
}

#[test]
fn what_is_tested_comes_before_its_test() {
    let repo = Repo::new(
        "
//- /web/atlas.ts
export function pack(boxes: Box[]) { return boxes.sort(); }
//- /web/atlas.test.ts
// rectangles are packed tightly without overlap
test('rectangles are packed tightly without overlap', () => {
    expect(overlap(pack(rectangles))).toBe(tightly);
});
//- /web/other.ts
export function overlap(one: Box, other: Box) { return one === other; }
",
    );
    let kit = Kit::new(&repo.root());
    let asked = json!({ "query": "how rectangles are packed tightly without overlap" });
    let found = paths(&kit, &asked);
    let place = |path: &str| found.iter().position(|one| one == path);
    assert_eq!(
        place("web/atlas.ts").map(|at| at + 1),
        place("web/atlas.test.ts"),
        "{found:?}"
    );
}

#[test]
fn what_serves_tests_comes_before_its_own_test() {
    let repo = Repo::new(
        r#"
//- /web/server.ts
export class MockServer { enqueue(reply: string) { return reply; } }
//- /web/server.test.ts
// the scripted mock server is used in tests, scripted replies of the mock server
test('scripted mock server', () => { new MockServer().enqueue('scripted mock server'); });
"#,
    );
    let kit = Kit::new(&repo.root());
    for (query, first) in [
        ("scripted mock server used in tests", "web/server.ts"),
        ("scripted mock server for unit tests", "web/server.ts"),
        ("tests of the scripted mock server", "web/server.test.ts"),
    ] {
        let found = paths(&kit, &json!({ "query": query }));
        assert_eq!(found.first().map(String::as_str), Some(first), "{query}: {found:?}");
    }
}

#[test]
fn whoever_defines_a_name_comes_before_whoever_is_called_like_it() {
    let repo = Repo::new(
        r#"
//- /lib/url.c
#include "parser.h"
int url_parts(char *url) { return url_get_part(url) + url_get_part(url + 1) + url_get_part(url + 2); }
//- /lib/get.c
#include "parser.h"
int get(char *url) { return url_get_part(url); }
//- /lib/parser.h
int url_get_part(char *url);
//- /lib/parser.c
#include "parser.h"
int url_get_part(char *url) { return url[0]; }
int parse(char *text) { return text[0]; }
//- /site/page.rb
class Page
  def rendered
    page_empty? || page_empty? || page_empty?
  end
end
//- /site/helpers.rb
module Helpers
  def page_empty?
    true
  end

  def other
    false
  end
end
"#,
    );
    let kit = Kit::new(&repo.root());
    for (query, first) in [("url_get_part", "lib/parser.c"), ("page_empty?", "site/helpers.rb")] {
        let found = paths(&kit, &json!({ "query": query }));
        assert_eq!(found.first().map(String::as_str), Some(first), "{query}: {found:?}");
    }
}

#[test]
fn a_file_may_be_called_by_initials() {
    let repo = Repo::new(
        r#"
//- /src/wal.c
/* Each write goes to the log ahead of the table. */
int put(int page) { return page; }
//- /src/journal.c
/* Read ahead in the log, write ahead to the log: write, ahead, log. */
int turn(int page) { return page; }
//- /src/table.c
/* A table of pages, to write and to read. */
int table_write(int page) { return page; }
"#,
    );
    let kit = Kit::new(&repo.root());
    let found = paths(&kit, &json!({ "query": "write ahead log" }));
    assert_eq!(found.first().map(String::as_str), Some("src/wal.c"), "{found:?}");
}

#[test]
fn a_former_version_comes_last_unless_it_is_asked_for() {
    let repo = Repo::new(
        r#"
//- /app/v1/login.py
def check_password(name, password):
    return name == password
//- /app/v2/login.py
def check_password(name, password):
    return bool(name) and name == password
//- /app/legacy/session.py
def end_session(name):
    return name
//- /app/session.py
def end_session(name):
    return bool(name)
//- /kit/fields.py
def constrain_field(field):
    return bool(field)
//- /kit/v1/fields.py
def constrain_field(field):
    return field
"#,
    );
    let kit = Kit::new(&repo.root());
    for (query, first) in [
        ("where is the password checked", "app/v2/login.py"),
        ("where does v1 check the password", "app/v1/login.py"),
        ("where does v2 check the password", "app/v2/login.py"),
        ("how is a session ended", "app/session.py"),
        ("how does legacy code end a session", "app/legacy/session.py"),
        // A package that has its former self in itself.
        ("how are fields constrained", "kit/fields.py"),
        ("how were fields constrained in v1", "kit/v1/fields.py"),
    ] {
        assert_eq!(paths(&kit, &json!({ "query": query }))[0], first, "{query}");
    }
}

#[test]
fn a_name_that_nothing_has_is_no_match() {
    let repo = Repo::new(REPO);
    let kit = Kit::new(&repo.root());
    for query in ["cachet", "JsonElementFactory", "evict_newest"] {
        assert_eq!(
            kit.json("search_code", json!({ "query": query }))["total"],
            0,
            "{query}"
        );
    }
}

#[test]
fn an_answer_without_the_words_says_so() {
    let repo = Repo::new(REPO);
    let kit = Kit::new(&repo.root());
    let guess = kit.json("search_code", json!({ "query": "repeat upon failure" }));
    assert!(string(&guess["note"]).contains("none of these words"), "{guess}");
    assert_eq!(guess["coverage"]["engines"], json!(["text", "vectors"]));
    let known = kit.json("search_code", json!({ "query": "evict the cache" }));
    assert_eq!(known["note"], Value::Null);
}

#[test]
fn pages_of_files_follow_each_other() {
    let repo = Repo::new(REPO);
    let kit = Kit::new(&repo.root());
    let query = "evict the oldest entries of the cache";
    let all = paths(&kit, &json!({ "query": query, "k": 100 }));
    assert_eq!(paths(&kit, &json!({ "query": query, "k": 1 })), all);
    let rust = paths(
        &kit,
        &json!({ "query": query, "language": "rust", "exclude_tests": true }),
    );
    assert!(!rust.is_empty());
    assert!(rust.iter().all(|path| path.starts_with("src/")), "{rust:?}");
}

#[test]
fn results_explain_themselves() {
    let repo = Repo::new(REPO);
    let kit = Kit::new(&repo.root());
    let answer = kit.json(
        "search_code",
        json!({ "query": "evict cache entries", "explain": true }),
    );
    let features = |path: &str| {
        let rows = answer["results"].as_array().unwrap();
        rows.iter().find(|row| row["path"] == path).unwrap()["features"].clone()
    };
    assert_eq!(features("tests/cache.rs")["test"], 1.0);
    assert_eq!(features("docs/cache.md")["prose"], 1.0);
    assert!(features("src/cache.rs")["name"].as_f64() > Some(0.0));
    assert!(features("src/cache.rs")["meaning"].as_f64() > Some(0.0));
    assert_eq!(features("src/cache.rs")["test"], Value::Null);
    let plain = kit.json("search_code", json!({ "query": "evict cache entries" }));
    assert_eq!(plain["results"][0]["features"], Value::Null);
}

#[test]
fn the_head_of_a_file_is_not_what_is_shown() {
    let repo = Repo::new(
        r#"
//- /src/sessions.py
# Copyright 2020 the authors of sessions.
# See the LICENSE for what may be done with sessions.
import os
import re

from store import session_store, session_limit


def opened(path):
    """Opens what was kept before."""
    return os.path.join(path, "kept")
//- /docs/other.md
# Other
"#,
    );
    let kit = Kit::new(&repo.root());
    let answer = kit.text("search_code", json!({ "query": "how are sessions opened" }));
    assert!(answer.contains("def opened(path):"), "{answer}");
    assert!(
        !answer.contains("import re") && !answer.contains("Copyright"),
        "{answer}"
    );
}

#[test]
fn of_a_file_the_lines_are_shown_that_a_sentence_is_about() {
    let repo = Repo::new(
        r#"
//- /src/locks.py
class Semaphore:
    def __init__(self, value, max_value):
        if not isinstance(value, int):
            raise TypeError("the first value must be an int")
        if value < 0:
            raise ValueError("the first value must not be negative")
        if max_value is not None and max_value < value:
            raise ValueError("the first value must not be above the last")
        self._value = value
        self._max_value = max_value

    def acquire(self, task):
        if self._value > 0:
            self._value -= 1
            return True
        if task in self._parked:
            raise RuntimeError("parked already: " + task.name)
        self._parked.append(task)
        task.state = "parked"
        task.since = self._clock.now()
        return False

    def release(self):
        if self._parked:
            task = self._parked.pop(0)
            task.state = "runnable"
            task.since = self._clock.now()
            task.wake()
            return
        if self._max_value is not None and self._value == self._max_value:
            raise ValueError("released more often than acquired")
        self._value += 1
//- /docs/other.md
# Other
"#,
    );
    let kit = Kit::new(&repo.root());
    for (query, shown) in [
        ("Semaphore", "class Semaphore"),
        (
            "increments the value of a Semaphore, or wakes a parked task",
            "def release",
        ),
    ] {
        let answer = kit.json("search_code", json!({ "query": query, "k": 1 }));
        let first = string(&answer["results"][0]["signature"]);
        assert!(first.starts_with(shown), "{query}: {answer:#}");
    }
}

#[test]
fn of_a_file_that_tests_itself_the_tests_are_shown_when_they_are_asked_for() {
    let repo = Repo::new(
        r#"
//- /src/pool.rs
use std::time::{Duration, Instant};

/// Connections that wait to be used again.
pub struct Pool {
    idle: Vec<(Instant, Connection)>,
    limit: Duration,
}

impl Pool {
    pub fn new(limit: Duration) -> Pool {
        Pool { idle: Vec::new(), limit }
    }

    pub fn give_back(&mut self, connection: Connection) {
        self.idle.push((Instant::now(), connection));
    }

    pub fn sweep(&mut self) {
        let limit = self.limit;
        let (old, kept): (Vec<_>, Vec<_>) = self.idle.drain(..).partition(|(since, _)| since.elapsed() > limit);
        self.idle = kept;
        for (_, connection) in old {
            connection.close();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn idle_connections_are_closed_after_the_limit() {
        let mut pool = Pool::new(Duration::ZERO);
        pool.give_back(Connection::open());
        pool.sweep();
        assert!(pool.idle.is_empty());
    }

    #[test]
    fn connections_below_the_limit_stay_idle() {
        let mut pool = Pool::new(Duration::MAX);
        pool.give_back(Connection::open());
        pool.sweep();
        assert_eq!(pool.idle.len(), 1);
    }
}
//- /docs/other.md
# Other
"#,
    );
    let kit = Kit::new(&repo.root());
    for (query, shown) in [
        ("connections that are idle too long are closed", "pub fn sweep"),
        ("the latest connections that are idle are closed", "pub fn sweep"),
        ("test that idle connections are closed", "#[test]"),
    ] {
        let answer = kit.json("search_code", json!({ "query": query, "k": 1 }));
        let lines = answer["results"][0]["lines"].as_array().cloned().unwrap_or_default();
        let is_shown = lines.iter().any(|line| string(&line["text"]).contains(shown));
        assert!(is_shown, "{query}: {answer:#}");
    }
}

#[test]
fn what_is_in_quotes_must_be_there() {
    let repo = Repo::new(
        r#"
//- /src/web.py
def missing(path):
    return "Not found: " + path
//- /src/other.py
def returned(found):
    # where a value is not what was found, it is returned
    return not found
//- /src/where.py
def where_is_it():
    return "returned"
"#,
    );
    let kit = Kit::new(&repo.root());
    let found = |query: &str| paths(&kit, &json!({ "query": query }));
    assert_eq!(
        found("where is \"not found\" returned"),
        ["src/other.py", "src/web.py"],
        "`not found` is code there"
    );
    assert_eq!(found("\"not found\" path"), ["src/web.py", "src/other.py"]);
    // What is nowhere is not asked for.
    let answer = kit.text("search_code", json!({ "query": "path \"found nowhere\"" }));
    assert!(answer.contains("no chunk has these words side by side"), "{answer}");
}

#[test]
fn headers_belong_to_the_language_of_their_sources() {
    let repo = Repo::new(
        r#"
//- /a.c
int run(void) { return 1; }
//- /a.h
int run(void);
"#,
    );
    let kit = Kit::new(&repo.root());
    assert!(kit.text("map_code", json!({})).contains("2 files (c 2)"));
    let listed = kit.rows("list_files", &json!({ "language": "c" }), "files");
    assert_eq!(listed.len(), 2);
    assert_eq!(paths(&kit, &json!({ "query": "run AND lang:c" })), ["a.h", "a.c"]);
    assert_eq!(paths(&kit, &json!({ "query": "run AND NOT lang:c" })), [""; 0]);
    // One file for the compiler of another language does not make it a program of that language.
    repo.write("b.c", "int stop(void) { return 0; }\n");
    repo.write("tests/compiles.cpp", "#include \"../a.h\"\n");
    assert!(kit.text("map_code", json!({})).contains("4 files (c 3, cpp 1)"));
}

#[test]
fn a_passage_is_shown_with_what_it_is_part_of() {
    let repo = Repo::new(
        r#"
//- /src/share.ts
export interface Config {
  /**
   * What the connector is made by.
   */
  connector?: () => void;
  /**
   * If true, everything is forgotten when nobody listens any more.
   */
  resetOnZero?: boolean;
}
"#,
    );
    let kit = Kit::with_small_chunks(&repo.root());
    let answer = kit.text("search_code", json!({ "query": "how does reset on zero work" }));
    assert!(answer.contains("everything is forgotten"), "{answer}");
    assert!(answer.contains("  resetOnZero?: boolean;"), "{answer}");
}

#[test]
fn a_chunk_is_called_what_most_of_it_is() {
    let repo = Repo::new(
        r#"
//- /retry.py
log = make_log("retry")

def again(request, times):
    """Gives the request once more, unless it was given often."""
    left = times - request.tries
    if left <= 0:
        log.debug("gave up")
        return None
    return request.copy(tries=request.tries + 1)
"#,
    );
    let kit = Kit::new(&repo.root());
    let found = kit.json("search_code", json!({ "query": "gave up on a request" }));
    let chunk = &found["results"][0];
    assert_eq!(chunk["chunk_index"], 0, "one chunk has both: {chunk}");
    assert_eq!(chunk["symbol"], "again");
}

/// The likeliest place has its neighbours: those first that the question is about.
#[test]
fn the_likeliest_place_has_callers_and_callees() {
    let repo = Repo::new(
        r#"
//- /src/session.rs
use crate::store::{load_token, save_token};

pub fn refresh_session(user: &str) -> bool {
    audit(user);
    let token = load_token(user);
    save_token(user, &token)
}

fn audit(_user: &str) {}
//- /src/store.rs
pub fn load_token(user: &str) -> String { user.to_owned() }
pub fn save_token(_user: &str, token: &str) -> bool { !token.is_empty() }
//- /src/main.rs
mod session;
mod store;
fn main() { session::refresh_session("a"); }
#[test]
fn refreshes() { assert!(session::refresh_session("a")); }
"#,
    );
    let kit = Kit::new(&repo.root());
    let question = json!({ "query": "refresh the session of a user and save its token" });
    let first = &kit.json("search_code", question.clone())["results"][0];
    assert_eq!(first["symbol"], "refresh_session");
    assert_eq!(first["callers"], json!([["src/main.rs", 3, "main"]]));
    assert_eq!(
        first["callees"],
        json!([
            ["src/store.rs", 2, "save_token"],
            ["src/store.rs", 1, "load_token"],
            ["src/session.rs", 9, "audit"]
        ])
    );
    let text = kit.text("search_code", question);
    for line in [
        "    called by main (src/main.rs:3)",
        "    calls save_token (src/store.rs:2), load_token (src/store.rs:1), audit (line 9)",
    ] {
        assert!(text.lines().any(|one| one == line), "{text}");
    }
}
