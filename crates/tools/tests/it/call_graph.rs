//! Calls as a whole: `get_call_graph` around a symbol or in a file, `find_path` from one symbol to another.

use expect_test::{Expect, expect};
use serde_json::{Value, json};
use test_fixture::Repo;

use crate::kit::{Kit, string};

const REPO: &str = r#"
//- /Cargo.toml
[package]
name = "shop"
//- /src/main.rs
mod store;

use store::{Store, open};

fn main() {
    let store = open("a");
    serve(&store);
}

fn serve(store: &Store) {
    store.put(1);
    store.put(2);
    println!("{}", helper(3));
}

fn helper(n: u32) -> u32 {
    if n == 0 { 0 } else { helper(n - 1) }
}

fn idle() {}
//- /src/store.rs
pub trait Sink {
    fn emit(&self, n: u32);
}

pub struct Store {
    sink: Box<dyn Sink>,
}

impl Store {
    pub fn put(&self, n: u32) {
        check(n);
        self.sink.emit(n);
    }
}

pub struct File;

impl Sink for File {
    fn emit(&self, n: u32) {
        flush(n);
    }
}

fn flush(n: u32) {
    std::fs::write("a", n.to_string()).unwrap();
}

fn check(n: u32) {
    assert!(n > 0);
}

pub fn open(path: &str) -> Store {
    Store { sink: Box::new(File) }
}

pub struct Limits {
    pub most: u32,
}

pub fn limits() -> Limits {
    Limits { most: 3 }
}

#[cfg(test)]
mod tests {
    #[test]
    fn checks() {
        super::check(1);
    }
}
//- /app/job.py
from app.queue import Queue

def run(text):
    queue = Queue(text)
    queue.push(1)
    print(text)

def guess(thing):
    thing.push_quietly(2)

run("now")
//- /app/queue.py
class Queue:
    def __init__(self, text):
        self.items = parse(text)

    def push(self, item):
        self.items.append(item)

    def push_quietly(self, item):
        self.push(item)

def parse(text):
    return text.split()
//- /web/odd.js
const table = {
  'a"]; evil --> n0["': function () { return target(); },
};

function target() {}

function $start() { target(); }
//- /notes.md
# helper
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

#[test]
fn the_graph_of_a_symbol() {
    let (_repo, kit) = indexed();
    check(
        &kit,
        "get_call_graph",
        json!({ "symbol": "serve" }),
        expect![[r#"
        Call graph of serve src/main.rs:10 (out, depth 1): 3 nodes, 2 edges
        serve src/main.rs:10
          -> Store::put src/store.rs:10 at 11,12 [receiver's type]
          -> helper :16 at 13 [scope]
        serve also calls external functions: println"#]],
    );
    check(
        &kit,
        "get_call_graph",
        json!({ "symbol": "main", "depth": 3, "external": true }),
        expect![[r#"
            Call graph of main src/main.rs:5 (out, depth 3): 9 nodes, 9 edges
            main src/main.rs:5
              -> open src/store.rs:32 at 6 [import]
              -> serve :10 at 7 [scope]
            open src/store.rs:32
              -> new (external) at 33
            serve src/main.rs:10
              -> Store::put src/store.rs:10 at 11,12 [receiver's type]
              -> println (external) at 13
              -> helper :16 at 13 [scope]
            Store::put src/store.rs:10
              -> check :28 at 11 [scope]
              -> Sink::emit :2 at 12 [receiver's type]
            helper src/main.rs:16
              -> helper :16 at 17 [scope]"#]],
    );
    check(
        &kit,
        "get_call_graph",
        json!({ "symbol": "Store::put", "direction": "both", "depth": 2 }),
        expect![[r#"
            Call graph of Store::put src/store.rs:10 (both, depth 2): 5 nodes, 4 edges
            Store::put src/store.rs:10
              <- serve src/main.rs:10 at 11,12 [receiver's type]
            serve src/main.rs:10
              <- main :5 at 7 [scope]
            Store::put src/store.rs:10
              -> check :28 at 11 [scope]
              -> Sink::emit :2 at 12 [receiver's type]

            1 external callee left out; `external: true` shows them"#]],
    );
    // Of a type those of its methods.
    check(
        &kit,
        "get_call_graph",
        json!({ "symbol": "Queue", "direction": "both" }),
        expect![[r#"
            Call graph of Queue app/queue.py:1 (both, depth 1): 7 nodes, 6 edges
            Queue app/queue.py:1
              <- run app/job.py:3 at 4 [import]
            Queue.__init__ app/queue.py:2
              <- run app/job.py:3 at 4 [import]
            Queue.push app/queue.py:5
              <- run app/job.py:3 at 5 [receiver's type]
              <- Queue.push_quietly :8 at 9 [receiver's type]
            Queue.push_quietly app/queue.py:8
              <- guess app/job.py:8 at 9 [by name, 0.85]
            Queue.__init__ app/queue.py:2
              -> parse :11 at 3 [scope]

            1 external callee left out; `external: true` shows them"#]],
    );
    check(
        &kit,
        "get_call_graph",
        json!({ "symbol": "check", "direction": "in" }),
        expect![[r#"
            Call graph of check src/store.rs:28 (in, depth 1): 3 nodes, 2 edges
            check src/store.rs:28
              <- Store::put :10 at 11 [scope]
              <- tests::checks :47 at 48, test [path]"#]],
    );
    // By the place of a call, and by names that other servers use.
    check(
        &kit,
        "get_call_graph",
        json!({ "file": "app/job.py", "line": 11 }),
        expect![[r#"
            Call graph of run app/job.py:3 (out, depth 1): 3 nodes, 2 edges
            run app/job.py:3
              -> Queue.__init__ app/queue.py:2 at 4 [import]
              -> Queue.push app/queue.py:5 at 5 [receiver's type]
            run also calls external functions: print"#]],
    );
    check(
        &kit,
        "get_call_graph",
        json!({ "file_path": "app/queue.py", "symbol_name": "push_quietly" }),
        expect![[r#"
            Call graph of Queue.push_quietly app/queue.py:8 (out, depth 1): 2 nodes, 1 edge
            Queue.push_quietly app/queue.py:8
              -> Queue.push :5 at 9 [receiver's type]"#]],
    );
}

#[test]
fn the_graph_of_a_file() {
    let (_repo, kit) = indexed();
    check(
        &kit,
        "get_call_graph",
        json!({ "file_path": "src/main.rs" }),
        expect![[r#"
            Call graph of src/main.rs (out, depth 1): 5 nodes, 5 edges
            main src/main.rs:5
              -> open src/store.rs:32 at 6 [import]
              -> serve :10 at 7 [scope]
            serve src/main.rs:10
              -> Store::put src/store.rs:10 at 11,12 [receiver's type]
              -> helper :16 at 13 [scope]
            helper src/main.rs:16
              -> helper :16 at 17 [scope]

            1 external callee left out; `external: true` shows them
            1 without such calls: idle"#]],
    );
    check(
        &kit,
        "get_call_graph",
        json!({ "file_path": "app/job.py", "direction": "both" }),
        expect![[r#"
            Call graph of app/job.py (both, depth 1): 6 nodes, 4 edges
            run app/job.py:3
              <- (top level) :1 at 11 [scope]
            run app/job.py:3
              -> Queue.__init__ app/queue.py:2 at 4 [import]
              -> Queue.push app/queue.py:5 at 5 [receiver's type]
            guess app/job.py:8
              -> Queue.push_quietly app/queue.py:8 at 9 [by name, 0.85]

            1 external callee left out; `external: true` shows them"#]],
    );
    check(
        &kit,
        "get_call_graph",
        json!({ "file_path": "notes.md" }),
        expect!["Call graph of notes.md (out, depth 1): 0 nodes, 0 edges: no call within this workspace"],
    );
}

#[test]
fn graphs_for_other_programs() {
    let (_repo, kit) = indexed();
    check(
        &kit,
        "get_call_graph",
        json!({ "file_path": "web/odd.js", "output": "mermaid" }),
        expect![[r#"
            Call graph of web/odd.js (out, depth 1): 3 nodes, 2 edges
            ```mermaid
            flowchart LR
              n0["table.a#34;]#59; evil --#62; n0[#34;"]
              n1["target"]
              n2["$start"]
              n0 --> n1
              n2 --> n1
            ```"#]],
    );
    check(
        &kit,
        "get_call_graph",
        json!({ "file_path": "web/odd.js", "output": "dot" }),
        expect![[r#"
            Call graph of web/odd.js (out, depth 1): 3 nodes, 2 edges
            ```dot
            digraph calls {
              rankdir=LR;
              node [shape=box];
              n0 [label="table.a\"]; evil --> n0[\""];
              n1 [label="target"];
              n2 [label="$start"];
              n0 -> n1;
              n2 -> n1;
            }
            ```"#]],
    );
    check(
        &kit,
        "get_call_graph",
        json!({ "symbol": "guess", "output": "mermaid" }),
        expect![[r#"
            Call graph of guess app/job.py:8 (out, depth 1): 2 nodes, 1 edge
            ```mermaid
            flowchart LR
              n0["guess"]
              n1["Queue.push_quietly<br/>app/queue.py:8"]
              n0 -.-> n1
            ```"#]],
    );
    let as_text = kit.call("get_call_graph", json!({ "symbol": "serve", "output": "json" }));
    let parsed: Value = serde_json::from_str(&as_text.text).expect("it is JSON");
    assert_eq!(parsed, as_text.structured);
    // A commit that only settles the times of files may come in between.
    let graph_of = |mut answer: Value| {
        answer["coverage"]["generation"] = Value::Null;
        answer
    };
    let as_json = kit.json("get_call_graph", json!({ "symbol": "serve" }));
    assert_eq!(graph_of(parsed), graph_of(as_json));
}

/// Every edge is between nodes that are there, and the counts are those of what is there.
#[test]
fn small_graphs_are_parts_of_large_ones() {
    let (_repo, kit) = indexed();
    let arguments = json!({ "file_path": "src/main.rs", "depth": 4, "direction": "both", "external": true });
    let whole = kit.json("get_call_graph", arguments.clone());
    let ids = |graph: &Value, key: &str| -> Vec<Value> { graph[key].as_array().expect("a list").clone() };
    assert_eq!(whole["total"]["edges"], ids(&whole, "edges").len());
    assert_eq!(whole["total"]["nodes"], ids(&whole, "nodes").len());
    assert_eq!(whole["hidden"], json!({ "nodes": 0, "edges": 0 }));
    let mut sizes = Vec::new();
    for max_tokens in [300, 400, 600, 900, 1400] {
        for output in ["text", "mermaid", "dot", "json"] {
            let mut arguments = arguments.clone();
            arguments["max_tokens"] = max_tokens.into();
            arguments["output"] = output.into();
            let answer = kit.call("get_call_graph", arguments.clone());
            assert!(!answer.is_error(), "{arguments}: {}", answer.text);
            let graph = &answer.structured;
            for text in [&answer.text, &graph.to_string()] {
                assert!(tools::count_tokens(text) <= max_tokens, "{arguments}: {text}");
            }
            let (nodes, edges) = (ids(graph, "nodes"), ids(graph, "edges"));
            for (key, shown) in [("nodes", &nodes), ("edges", &edges)] {
                let hidden = graph["hidden"][key].as_u64().expect("a number") as usize;
                assert_eq!(graph["total"][key], shown.len() + hidden, "{arguments}");
                assert_eq!(graph["total"][key], whole["total"][key], "{arguments}");
            }
            assert!(
                edges.iter().all(|edge| ids(&whole, "edges").contains(edge)),
                "{arguments}"
            );
            for edge in &edges {
                for end in ["from", "to"] {
                    assert!(nodes.iter().any(|node| node["id"] == edge[end]), "{arguments}: {edge}");
                }
            }
            sizes.push(edges.len());
        }
    }
    assert!(sizes.first() < sizes.last(), "{sizes:?}");
}

/// The prototype is what a call names.
#[test]
fn a_path_ends_at_the_definition() {
    let repo = Repo::new(
        "
//- /lib/names.h
typedef struct {
    int length;
} name_t;
int join(name_t *name);
//- /lib/names.c
#include \"names.h\"
int join(name_t *name) { return name->length; }
//- /lib/main.c
#include \"names.h\"
int start(name_t *name) { return join(name); }
",
    );
    let kit = Kit::new(&repo.root());
    let path = kit.json("find_path", json!({ "from": "start", "to": "join" }));
    let steps = path["steps"].as_array().unwrap();
    assert_eq!(steps[1]["path"], "lib/names.c", "{path}");
    let found = kit.json("find_symbol", json!({ "name": "name_t" }));
    assert_eq!(found["definitions"][0]["signature"], "typedef struct {...} name_t");
}

#[test]
fn paths_between_symbols() {
    let (_repo, kit) = indexed();
    check(
        &kit,
        "find_path",
        json!({ "from": "main", "to": "flush" }),
        expect![[r#"
            main to flush: 4 hops by calls
            1. main (function) src/main.rs:5
               calls at src/main.rs:7 [scope]
            2. serve (function) src/main.rs:10
               calls at src/main.rs:11 [receiver's type]
            3. Store::put (method) src/store.rs:10
               calls at src/store.rs:12 [receiver's type]
            4. Sink::emit (method) src/store.rs:2
               implemented by
            5. File::emit (method) src/store.rs:19
               calls at src/store.rs:20 [scope]
            6. flush (function) src/store.rs:24"#]],
    );
    check(
        &kit,
        "find_path",
        json!({ "from": "run", "to": "app.queue.parse" }),
        expect![[r#"
            run to parse: 2 hops by calls
            1. run (function) app/job.py:3
               calls at app/job.py:4 [import]
            2. Queue (class) app/queue.py:1
               constructed by
            3. Queue.__init__ (constructor) app/queue.py:2
               calls at app/queue.py:3 [scope]
            4. parse (function) app/queue.py:11"#]],
    );
    // Only the name tells.
    check(
        &kit,
        "find_path",
        json!({ "from": "guess", "to": "Queue.push" }),
        expect![[r#"
            guess to Queue.push: 2 hops by calls
            1. guess (function) app/job.py:8
               calls at app/job.py:9 [by name, 0.85]
            2. Queue.push_quietly (method) app/queue.py:8
               calls at app/queue.py:9 [receiver's type]
            3. Queue.push (method) app/queue.py:5"#]],
    );
    // No call leads there.
    check(
        &kit,
        "find_path",
        json!({ "from": "limits", "to": "Limits" }),
        expect![[r#"
            limits to Limits: 1 hop by references (no path of calls alone)
            1. limits (function) src/store.rs:40
               names the type at src/store.rs:40 [scope]
            2. Limits (struct) src/store.rs:36"#]],
    );
    // Itself, and by places.
    check(
        &kit,
        "find_path",
        json!({ "from": "helper", "to": "helper" }),
        expect![[r#"
        helper to helper: 1 hop by calls
        1. helper (function) src/main.rs:16
           calls at src/main.rs:17 [scope]
        2. helper (function) src/main.rs:16"#]],
    );
    let by_place = kit.json(
        "find_path",
        json!({ "from_file": "src/main.rs", "from_line": 5, "to_file": "src/store.rs", "to_line": 24 }),
    );
    assert_eq!(
        by_place,
        kit.json("find_path", json!({ "from": "main", "to": "flush" }))
    );
}

#[test]
fn a_path_tells_which_of_several_it_is_about() {
    let repo = Repo::new(
        "
//- /src/lib.rs
pub fn start() { parse() }
fn parse() {}
pub struct Reader;
impl Reader {
    fn parse(&self) {}
}
",
    );
    let kit = Kit::new(&repo.root());
    check(
        &kit,
        "find_path",
        json!({ "from": "start", "to": "parse" }),
        expect![[r#"
            start to parse: 1 hop by calls
            to is parse src/lib.rs:2, not Reader::parse src/lib.rs:5
            1. start (function) src/lib.rs:1
               calls at src/lib.rs:1 [scope]
            2. parse (function) src/lib.rs:2"#]],
    );
}

/// More is called on the way than is looked at for one answer.
#[test]
fn a_path_that_is_looked_for_from_its_end() {
    let many = 0..2_100;
    let calls: String = many.clone().map(|n| format!("    f{n}();\n")).collect();
    let functions: String = many.map(|n| format!("fn f{n}() {{}}\n")).collect();
    let repo = Repo::new("//- /src/far.rs\npub fn near() { end() }\nfn end() {}\n");
    repo.write(
        "src/lib.rs",
        format!("mod far;\npub fn start() {{\n{calls}    last()\n}}\n{functions}fn last() {{ far::near() }}\n"),
    );
    let kit = Kit::new(&repo.root());
    check(
        &kit,
        "find_path",
        json!({ "from": "start", "to": "end" }),
        expect![[r#"
            start to end: 3 hops by calls
            1. start (function) src/lib.rs:2
               calls at src/lib.rs:2103 [scope]
            2. last (function) src/lib.rs:4205
               calls at src/lib.rs:4205 [path]
            3. near (function) src/far.rs:1
               calls at src/far.rs:1 [scope]
            4. end (function) src/far.rs:2"#]],
    );
}

#[test]
fn no_path_is_an_answer() {
    let (_repo, kit) = indexed();
    check(
        &kit,
        "find_path",
        json!({ "from": "flush", "to": "main" }),
        expect![[r#"
            No path from flush (src/store.rs:24) to main (src/main.rs:5) within 6 hops.
            Followed calls, what overrides what they call, and other references of 1 definition in 7 indexed files.
            The other way round there is one: main reaches flush in 4 hops."#]],
    );
    check(
        &kit,
        "find_path",
        json!({ "from": "idle", "to": "run" }),
        expect![[r#"
            No path from idle (src/main.rs:20) to run (app/job.py:3) within 6 hops.
            Followed calls, what overrides what they call, and other references of 1 definition in 7 indexed files."#]],
    );
    let near = json!({ "from": "main", "to": "flush", "max_hops": 2 });
    check(
        &kit,
        "find_path",
        near.clone(),
        expect![[r#"
            No path from main (src/main.rs:5) to flush (src/store.rs:24) within 2 hops.
            Followed calls, what overrides what they call, and other references of 8 definitions in 7 indexed files."#]],
    );
    let answer = kit.json("find_path", near);
    assert_eq!(answer["steps"], json!([]));
    assert_eq!(answer["complete"], true);
    assert_eq!(string(&answer["to"]["name"]), "flush");
    let exact = kit.json("find_path", json!({ "from": "main", "to": "flush", "max_hops": 4 }));
    assert_eq!(exact["hops"], 4);
}

#[test]
fn what_is_not_clear_is_asked_back() {
    let (_repo, kit) = indexed();
    check(
        &kit,
        "get_call_graph",
        json!({ "symbol": "emit" }),
        expect![[r#"
            `emit` is ambiguous: 2 definitions. Ask again with a qualified name, or with file and line.
            - src/store.rs:2:8 Sink::emit (method, declaration)
              1 use: src/store.rs:12
            - src/store.rs:19:8 File::emit (method)
              no sure use, 1 possible"#]],
    );
    check(
        &kit,
        "get_call_graph",
        json!({ "symbol": "serv" }),
        expect![[r#"
        No definition of `serv` (7 files indexed). Nearest names:
        - src/main.rs:10:4 serve (function, private)"#]],
    );
    check(
        &kit,
        "find_path",
        json!({ "from": "emit", "to": "main" }),
        expect![[r#"
            from: `emit` is ambiguous: 2 definitions. Ask again with a qualified name, or with file and line.
            - src/store.rs:2:8 Sink::emit (method, declaration)
              1 use: src/store.rs:12
            - src/store.rs:19:8 File::emit (method)
              no sure use, 1 possible"#]],
    );
    check(
        &kit,
        "find_path",
        json!({ "from": "main", "to": "flosh" }),
        expect![[r#"
        to: No definition of `flosh` (7 files indexed). Nearest names:
        - src/store.rs:24:4 flush (function, private)"#]],
    );
    let mut refused = String::new();
    for (tool, arguments) in [
        ("get_call_graph", json!({})),
        ("get_call_graph", json!({ "file_path": "src/none.rs" })),
        ("get_call_graph", json!({ "symbol": "main", "direction": "up" })),
        ("get_call_graph", json!({ "symbol": "main", "depth": 0 })),
        ("get_call_graph", json!({ "symbol": "main", "output": "svg" })),
        ("get_call_graph", json!({ "symbol": "main", "max_tokens": 5 })),
        ("find_path", json!({ "from": "main" })),
        ("find_path", json!({ "to": "main", "from_line": 3 })),
        ("find_path", json!({ "from": "main", "to": "flush", "max_hops": 21 })),
    ] {
        let outcome = kit.call(tool, arguments.clone());
        assert!(outcome.is_error(), "{tool} {arguments}: {}", outcome.text);
        refused += &format!("{arguments}\n  {}\n", outcome.text.replace('\n', "\n  "));
    }
    expect![[r#"
        {}
          Error: give `file_path`, `symbol` or both.
          Hint: `file_path` alone gives the graph of a file, `symbol` that of a function or type.
        {"file_path":"src/none.rs"}
          Error: `src/none.rs` does not exist.
          Hint: find_file finds paths by pattern.
        {"symbol":"main","direction":"up"}
          Error: `direction` must be one of out, in, both, not `up`.
          Hint: see the tool's schema for what it takes.
        {"symbol":"main","depth":0}
          Error: `depth` is 0, it must be from 1 to 10.
          Hint: use a value from 1 to 10.
        {"symbol":"main","output":"svg"}
          Error: `output` must be one of text, mermaid, dot, json, not `svg`.
          Hint: see the tool's schema for what it takes.
        {"symbol":"main","max_tokens":5}
          Error: max_tokens 5 is too small for this answer.
          Hint: give at least 300.
        {"from":"main"}
          Error: `to` is missing.
          Hint: give a symbol, or `to_file` and `to_line`.
        {"to":"main","from_line":3}
          Error: `from` is missing.
          Hint: give a symbol, or `from_file` and `from_line`.
        {"from":"main","to":"flush","max_hops":21}
          Error: `max_hops` is 21, it must be from 1 to 20.
          Hint: use a value from 1 to 20.
    "#]]
    .assert_eq(&kit.steady(&refused));
}

#[test]
fn calls_that_could_be_of_several_are_not_left_out_unsaid() {
    let repo = Repo::new(
        r#"
//- /a.py
def target():
    return 1

class Alpha:
    def run(self):
        return target()

class Beta:
    def run(self):
        return 2

def start(workers):
    for w in workers:
        w.run()
"#,
    );
    let kit = Kit::new(&repo.root());
    check(
        &kit,
        "find_path",
        json!({ "from": "start", "to": "target" }),
        expect![[r#"
            No path from start (a.py:12) to target (a.py:1) within 6 hops.
            Followed calls, what overrides what they call, and other references of 1 definition in 1 indexed file.
            Not followed, since several definitions have the name and nothing tells which is called: run."#]],
    );
    assert_eq!(
        kit.json("find_path", json!({ "from": "start", "to": "target" }))["complete"],
        false
    );
    check(
        &kit,
        "get_call_graph",
        json!({ "symbol": "start" }),
        expect![[r#"
        Call graph of start a.py:12 (out, depth 1): 1 node, 0 edges: no call that is known

        Not followed, since several definitions have the name and nothing tells which is called: run"#]],
    );
}

/// A namespace is named by all that is in it.
#[test]
fn no_path_leads_through_a_namespace() {
    let repo = Repo::new(
        r#"
//- /app.rb
module App
  def self.logger
    @logger ||= []
  end
end
//- /cli.rb
module App
  class Cli
    def run
      App.logger << "started"
    end
  end
end
//- /processor.rb
module App
  class Processor
    STATE = []

    def process_one
      process(1)
    end

    def process(job)
      job
    end
  end
end
//- /launcher.rb
module App
  class Launcher
    BUSY = proc { Processor::STATE.size }
  end
end
"#,
    );
    let kit = Kit::new(&repo.root());
    let between = |from: &str, to: &str| kit.text("find_path", json!({ "from": from, "to": to }));
    let none = between("Cli.run", "Processor.process");
    assert!(none.starts_with("No path"), "{none}");
    let direct = between("Cli.run", "logger");
    assert!(direct.contains("1 hop"), "{direct}");
}

/// What a test stands in with is not what the product calls.
#[test]
fn paths_lead_through_tests_only_where_nothing_else_does() {
    let repo = Repo::new(
        r#"
//- /src/Store.java
interface Store { void put(); }
class Api { static void save(Store store) { store.put(); } }
class Disk { static void write() {} }
class FileStore implements Store {
    public void put() { stage(); }
    void stage() { Disk.write(); }
}
class Probe { static void poke() {} }
//- /test/FakeStoreTest.java
class FakeStore implements Store {
    public void put() { Disk.write(); Probe.poke(); }
}
"#,
    );
    let kit = Kit::new(&repo.root());
    let way = |from: &str, to: &str| -> Vec<String> {
        let rows = kit.rows("find_path", &json!({ "from": from, "to": to }), "steps");
        rows.iter().map(|row| string(&row["qualified_name"])).collect()
    };
    let product = [
        "Api.save",
        "Store.put",
        "FileStore.put",
        "FileStore.stage",
        "Disk.write",
    ];
    assert_eq!(way("Api.save", "Disk.write"), product);
    assert_eq!(
        way("Api.save", "Probe.poke"),
        ["Api.save", "Store.put", "FakeStore.put", "Probe.poke"]
    );
    assert_eq!(way("FakeStore.put", "Disk.write"), ["FakeStore.put", "Disk.write"]);
}

/// A call through a base leads on to what overrides it, a property that is asked for to what computes it.
#[test]
fn a_path_through_what_overrides() {
    let repo = Repo::new(
        r#"
//- /shapes.py
from abc import ABC, abstractmethod

class Base(ABC):
    @property
    @abstractmethod
    def size(self): ...
    def area(self): return 0
    def label(self): return "base"

class Impl(Base):
    @property
    def size(self): return measured()
    def area(self): return counted()
    def label(self): return super().label()

class Other(Base):
    def label(self): return named()

def measured(): return 1
def counted(): return 2
def named(): return 3
def read(shape: Base): return shape.size
def called(shape: Base): return shape.area()
//- /sized.ts
interface Sized { width: number }
class Box implements Sized {
  get width(): number { return wide(); }
}
function wide(): number { return 3; }
function ask(sized: Sized): number { return sized.width; }
"#,
    );
    let kit = Kit::new(&repo.root());
    let ask = |from: &str, to: &str| kit.text("find_path", json!({ "from": from, "to": to }));
    expect![[r#"
        called to counted: 2 hops by calls
        1. called (function) shapes.py:23
           calls at shapes.py:23 [may reach it through what it overrides]
        2. Impl.area (method) shapes.py:13
           calls at shapes.py:13 [scope]
        3. counted (function) shapes.py:20"#]]
    .assert_eq(&ask("called", "counted"));
    expect![[r#"
        read to measured: 2 hops by calls
        1. read (function) shapes.py:22
           accesses at shapes.py:22 [may reach it through what it overrides]
        2. Impl.size (property) shapes.py:12
           calls at shapes.py:12 [scope]
        3. measured (function) shapes.py:19"#]]
    .assert_eq(&ask("read", "measured"));
    expect![[r#"
        ask to wide: 2 hops by calls
        1. ask (function) sized.ts:6
           accesses at sized.ts:6 [may reach it through what it overrides]
        2. Box.width (property) sized.ts:3
           calls at sized.ts:3 [scope]
        3. wide (function) sized.ts:5"#]]
    .assert_eq(&ask("ask", "wide"));
    // `super().label()` is that one, and no other.
    expect![[r#"
        No path from Impl.label (shapes.py:14) to named (shapes.py:21) within 6 hops.
        Followed calls, what overrides what they call, and other references of 2 definitions in 2 indexed files."#]]
    .assert_eq(&ask("Impl.label", "named"));
}
