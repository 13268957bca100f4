//! Arguments and names as other callers write them.

use serde_json::{Value, json};
use test_fixture::Repo;

use crate::kit::{Kit, string};

const REPO: &str = "
//- /src/walk.rs
pub fn walk_files() {}
pub fn list_dirs() {}
//- /src/walk.py
def walk_files(): pass
//- /tests/walk.rs
fn walk_files_works() {}
";

#[test]
fn spellings_of_one_call_get_one_answer() {
    let repo = Repo::new(REPO);
    let kit = Kit::new(&repo.root());
    let root = repo.root();
    let root = root.to_str().unwrap();
    kit.json("index_repository", json!({ "session": "walks" }));
    let groups: &[(&str, &[(&str, Value)])] = &[
        (
            "search_code",
            &[
                (
                    "search_code",
                    json!({ "query": "walk", "k": 2, "context_lines": 1, "exclude_tests": true }),
                ),
                (
                    "search_code",
                    json!({ "query": "walk", "k": "2", "contextLines": "1", "excludeTests": "true" }),
                ),
                (
                    "search_code",
                    json!({ "keyword": "walk", "max_results": 2.0, "context-lines": 1, "exclude_tests": 1 }),
                ),
                (
                    "search_code",
                    json!({ "query": "walk", "limit": 2, "context_lines": 1, "exclude_tests": "yes", "mode": null }),
                ),
                (
                    "search_code",
                    json!({ "query": "walk", "k": 2, "context_lines": 1, "exclude_tests": true, "session": "walks" }),
                ),
                (
                    "search_code",
                    json!({ "query": "walk", "k": 2, "context_lines": 1, "exclude_tests": true, "workspace": root }),
                ),
                (
                    "search_code",
                    json!({ "query": "walk", "k": 2, "context_lines": 1, "exclude_tests": true, "directory": root }),
                ),
                (
                    "fast_search",
                    json!({ "query": "walk", "limit": 2, "context_lines": 1, "exclude_tests": true, "search_target": "content" }),
                ),
            ],
        ),
        (
            "paths as text, as a list, as JSON in a text",
            &[
                ("grep", json!({ "pattern": "walk", "paths": ["src"] })),
                ("grep", json!({ "pattern": "walk", "paths": "src" })),
                ("grep", json!({ "pattern": "walk", "path": "[\"src\"]" })),
                ("grep", json!({ "query": "walk", "include": ["src/**"] })),
                ("grep", json!({ "pattern": "walk", "paths": format!("{root}/src") })),
            ],
        ),
        (
            "read_file",
            &[
                ("read_file", json!({ "path": "src/walk.rs" })),
                ("read_file", json!({ "filePath": "./src//walk.rs" })),
                ("read_file_content", json!({ "file_path": "src/../src/walk.rs" })),
                ("read_file", json!({ "path": format!("{root}/src/walk.rs") })),
            ],
        ),
        (
            "list_files",
            &[
                ("list_files", json!({ "language": "rust", "sort": "alpha" })),
                ("list_dir", json!({ "lang": "RS", "sort": "Alpha" })),
            ],
        ),
        (
            "a place as other tools take it",
            &[
                ("extract_code", json!({ "targets": ["src/walk.rs:2"] })),
                ("extract_code", json!({ "file": "src/walk.rs", "line": 2 })),
                (
                    "extract_code",
                    json!({ "filePath": "src/walk.rs", "start_line": "2", "end_line": 2 }),
                ),
                ("extract_code", json!({ "targets": "src/walk.rs:2" })),
            ],
        ),
        (
            "a symbol of a file",
            &[
                ("extract_code", json!({ "targets": ["src/walk.rs#list_dirs"] })),
                ("extract_code", json!({ "file": "src/walk.rs", "symbol": "list_dirs" })),
            ],
        ),
        (
            "a symbol in an outline",
            &[
                (
                    "get_symbols",
                    json!({ "file_path": "src/walk.rs", "target": "list_dirs" }),
                ),
                ("get_symbols", json!({ "file_path": "src/walk.rs#list_dirs" })),
            ],
        ),
        (
            "what is searched for, and where",
            &[
                ("search_code", json!({ "query": "walk", "path": "src/walk.rs" })),
                ("search_code", json!({ "pattern": "walk", "file": "src/walk.rs" })),
                ("search_code", json!({ "q": "walk", "glob": "src/walk.rs" })),
            ],
        ),
        (
            "what an outline shows",
            &[
                ("get_symbols", json!({ "file_path": "src/walk.rs", "mode": "minimal" })),
                (
                    "get_symbols",
                    json!({ "file_path": "src/walk.rs", "mode": "Signatures" }),
                ),
            ],
        ),
        (
            "how deep, as a word or a number",
            &[
                ("deep_dive", json!({ "symbol": "list_dirs", "depth": "full" })),
                ("deep_dive", json!({ "symbol": "list_dirs", "depth": 3 })),
                ("deep_dive", json!({ "symbol": "list_dirs", "depth": "7" })),
            ],
        ),
        (
            "whose callers, and how far",
            &[
                ("find_callers", json!({ "symbol": "list_dirs", "depth": 2 })),
                ("find_callers", json!({ "function": "list_dirs", "max_depth": 2 })),
            ],
        ),
        (
            "which way",
            &[
                ("get_call_graph", json!({ "symbol": "list_dirs", "direction": "in" })),
                (
                    "get_call_graph",
                    json!({ "symbol": "list_dirs", "direction": "callers" }),
                ),
            ],
        ),
        (
            "how many lines, and of what",
            &[
                (
                    "grep",
                    json!({ "pattern": "WALK", "ignore_case": true, "context": 1, "limit": 1, "language": "rust" }),
                ),
                (
                    "grep",
                    json!({ "pattern": "WALK", "-i": true, "-C": 1, "head_limit": 1, "type": "rust" }),
                ),
            ],
        ),
        (
            "files of a directory",
            &[
                ("list_files", json!({ "path": ["src"] })),
                ("list_files", json!({ "pattern": "src/**" })),
            ],
        ),
        (
            "a name of a file",
            &[
                ("find_symbol", json!({ "name": "walk_files", "path": "src/walk.py" })),
                ("find_symbol", json!({ "name": "src/walk.py#walk_files" })),
                ("find_symbol", json!({ "name": "walk.py:walk_files" })),
            ],
        ),
        (
            "a list of one for one",
            &[
                ("search_code", json!({ "query": "walk", "language": "rust" })),
                ("search_code", json!({ "query": ["walk"], "language": ["rust"] })),
            ],
        ),
        (
            "a budget beyond the cap is the cap",
            &[
                ("search_code", json!({ "query": "walk", "max_tokens": 20000 })),
                ("search_code", json!({ "query": "walk", "maxTokens": 1_000_000_000 })),
            ],
        ),
    ];
    for (what, calls) in groups {
        let answers: Vec<String> = calls
            .iter()
            .map(|(tool, arguments)| kit.text(tool, arguments.clone()))
            .collect();
        for (answer, call) in answers.iter().zip(*calls) {
            assert_eq!(*answer, answers[0], "{what}: {call:?}");
        }
    }
}

#[test]
fn names_from_other_servers_work() {
    let repo = Repo::new(REPO);
    let kit = Kit::watching(&repo.root());
    let root = repo.root();
    for (tool, arguments, field) in [
        (
            "search",
            json!({ "keyword": "walk", "directory": root, "limit": 1 }),
            "results",
        ),
        (
            "search",
            json!({ "query": "walk", "limit": 1, "language": "rust" }),
            "results",
        ),
        (
            "fast_search",
            json!({ "query": "walk", "file_pattern": "*.py" }),
            "results",
        ),
        ("read_file_content", json!({ "file_path": "src/walk.py" }), "text"),
        ("list_dir", json!({}), "files"),
        ("reindex", json!({}), "background"),
        (
            "index_codebase",
            json!({ "directory": root, "force_reindex": true }),
            "files_indexed",
        ),
    ] {
        let answer = kit.json(tool, arguments);
        assert!(!answer[field].is_null(), "{tool}: {answer}");
    }
}

#[test]
fn both_forms_are_one_answer() {
    let repo = Repo::new(REPO);
    let kit = Kit::new(&repo.root());
    for (tool, arguments) in [
        ("search_code", json!({ "query": "walk" })),
        ("grep", json!({ "pattern": "w.lk", "context": 1 })),
        ("list_files", json!({})),
        ("search_code", json!({ "query": "" })),
    ] {
        let text = kit.call(tool, arguments.clone());
        let mut arguments = arguments;
        arguments["format"] = "json".into();
        let json = kit.call(tool, arguments.clone());
        let steady = |value: &Value| kit.steady(&serde_json::to_string_pretty(value).unwrap());
        assert_eq!(steady(&text.structured), steady(&json.structured), "{tool} {arguments}");
        if !json.is_error() {
            assert_eq!(json.text, json.structured.to_string(), "{tool} {arguments}");
        }
    }
}

/// The first root is meant where nothing is said; an absolute path leads to the others, and the answer says so.
#[test]
fn a_path_in_another_root_of_the_client() {
    let (one, other) = (
        Repo::new("//- /a.py\ndef first(): pass\n"),
        Repo::new("//- /b.py\ndef second(): pass\n"),
    );
    let (root, file) = (other.root(), other.root().join("b.py"));
    let said = format!("In {}", root.display());
    let kit = Kit::of_client(&[one.root(), root.clone()]);
    for (tool, arguments) in [
        ("get_symbols", json!({ "file_path": file })),
        ("read_file", json!({ "path": file })),
        ("extract_code", json!({ "targets": [format!("{}:1", file.display())] })),
        ("find_callers", json!({ "file": file, "line": 1 })),
        ("map_code", json!({ "path": root })),
    ] {
        let answer = kit.json(tool, arguments.clone());
        assert_eq!(answer["workspace"], json!(root), "{tool}: {answer}");
        let text = kit.call(tool, arguments).text;
        assert!(text.contains("second"), "{tool}: {text}");
        assert!(text.starts_with(&said), "{tool}: {text}");
    }
    let refused = kit.call("read_file", json!({ "path": "/elsewhere/c.py" }));
    assert!(refused.text.contains("outside the workspace"), "{}", refused.text);
    let both = kit.call("extract_code", json!({ "targets": [file, one.root().join("a.py")] }));
    assert!(!both.text.starts_with("In "), "{}", both.text);
    let status = kit.call("index_status", json!({})).text;
    let roots = format!("Other roots of the client: {}", root.display());
    assert!(status.contains(&roots), "{status}");
    kit.toolbox().set_client_roots(vec![root.clone()]);
    assert_eq!(kit.files(), ["b.py"]);
}

#[test]
fn unknown_tools_name_the_nearest() {
    let repo = Repo::new(REPO);
    let kit = Kit::new(&repo.root());
    let call = tools::Call {
        cancelled: Default::default(),
        progress: Box::new(|_| {}),
    };
    for (name, nearest) in [("serch_code", Some("search_code")), ("qqq", None)] {
        let unknown = kit.toolbox().call(name, Default::default(), &call).err().unwrap();
        assert_eq!((unknown.name.as_str(), unknown.nearest.as_deref()), (name, nearest));
    }
}

/// A parameter that another tool has, or that is said otherwise here, is told so.
#[test]
fn parameters_that_are_meant_otherwise() {
    let repo = Repo::new(REPO);
    let kit = Kit::new(&repo.root());
    for (tool, arguments, said) in [
        (
            "read_file",
            json!({ "path": "src/walk.rs", "limit": 20 }),
            "start_line and end_line",
        ),
        (
            "grep",
            json!({ "pattern": "walk", "output_mode": "count" }),
            "count: true",
        ),
        (
            "search_code",
            json!({ "query": "walk", "include_tests": false }),
            "exclude_tests: true",
        ),
        (
            "find_references",
            json!({ "symbol": "walk_files", "include_tests": false }),
            "exclude_tests: true",
        ),
        (
            "find_similar",
            json!({ "code": "walk", "include_tests": false }),
            "no filter for tests",
        ),
        ("impact_analysis", json!({ "commit": "HEAD" }), "`HEAD^!` is one commit"),
        (
            "impact_analysis",
            json!({ "diff": "--- a/src/walk.rs\n+++ b/src/walk.rs\n" }),
            "the text of one",
        ),
        (
            "index_repository",
            json!({ "path": "/a", "workspace": "/b" }),
            "`path` is given twice",
        ),
        (
            "find_symbol",
            json!({ "limit": 2, "name": "walk", "k": 3 }),
            "`limit` is given twice",
        ),
    ] {
        let refused = kit.call(tool, arguments.clone());
        assert!(
            refused.is_error() && refused.text.contains(said),
            "{tool} {arguments}: {}",
            refused.text
        );
    }
    for (tool, arguments) in [
        ("grep", json!({ "pattern": "walk", "glob": "*.rs" })),
        ("find_symbol", json!({ "limit": 2, "name": "walk", "k": "2" })),
        ("list_sessions", json!({ "workspace": "anything" })),
        ("get_config", json!({ "workspace": "." })),
    ] {
        kit.json(tool, arguments);
    }
}

#[test]
fn what_is_left_empty_is_left_out() {
    let repo = Repo::new(REPO);
    let kit = Kit::new(&repo.root());
    let calls = [
        (
            "search_code",
            json!({ "query": "walk" }),
            vec!["language", "mode", "cursor"],
        ),
        ("find_symbol", json!({ "name": "walk_files" }), vec!["kind", "language"]),
        (
            "find_callers",
            json!({ "symbol": "list_dirs" }),
            vec!["file", "cursor", "workspace"],
        ),
        (
            "impact_analysis",
            json!({ "symbol": "list_dirs" }),
            vec!["diff", "file"],
        ),
    ];
    for (tool, arguments, empty) in calls {
        let mut filled = arguments.clone();
        for name in empty {
            filled[name] = "".into();
        }
        assert_eq!(kit.text(tool, filled), kit.text(tool, arguments), "{tool}");
    }
    let wanted = kit.text("search_code", json!({ "query": "walk" }));
    for exclude in [json!(""), json!([""])] {
        let found = kit.text("search_code", json!({ "query": "walk", "exclude": exclude }));
        assert_eq!(found, wanted);
    }
    let outcome = kit.call("search_code", json!({ "query": "" }));
    assert!(
        outcome.is_error() && outcome.text.contains("`query` is empty"),
        "{}",
        outcome.text
    );
}

#[test]
fn paths_as_they_are_written_elsewhere() {
    let repo = Repo::new(REPO);
    let kit = Kit::new(&repo.root());
    let wanted = kit.text("get_symbols", json!({ "file_path": "src/walk.rs" }));
    assert_eq!(kit.text("get_symbols", json!({ "file_path": "src\\walk.rs" })), wanted);
    let found = |pattern: &str| kit.text("find_file", json!({ "pattern": pattern }));
    let absolute = repo.root().join("src/walk.rs");
    assert!(found(absolute.to_str().unwrap()).ends_with("\nsrc/walk.rs"));
    repo.write("src/deep/inner/urls.py", "a = 1\n");
    repo.write("logo.dat", [0u8, 1, 2, 0]);
    assert!(found("inner/urls.py").ends_with("\nsrc/deep/inner/urls.py"));
    assert!(found("src/deep/inner/url.py").contains("did you mean `src/deep/inner/urls.py`?"));
    assert!(found("*.dat").contains("there and not indexed: logo.dat"));
    let searched = |path: &str| kit.text("search_code", json!({ "query": "walk_files", "path": [path] }));
    for path in ["src\\walk.rs", "src\\", "src\\*.rs", ".\\src\\walk.rs"] {
        assert!(searched(path).contains("src/walk.rs:"), "{path}: {}", searched(path));
    }
}

#[test]
fn a_file_is_read_by_its_lines() {
    let repo = Repo::new("//- /a.txt\none\ntwo\nthree\nfour\n");
    let kit = Kit::new(&repo.root());
    let read = |arguments: Value| kit.json("read_file", arguments);
    for (arguments, text, first) in [
        (
            json!({ "path": "a.txt", "start_line": 2, "end_line": 3 }),
            "two\nthree\n",
            2,
        ),
        (json!({ "path": "a.txt:2-3" }), "two\nthree\n", 2),
        (json!({ "path": "a.txt:4" }), "four\n", 4),
        (json!({ "path": "a.txt", "line": "3" }), "three\nfour\n", 3),
        (json!({ "path": "a.txt", "end_line": 1 }), "one\n", 1),
        (
            json!({ "path": "a.txt", "start_line": 4, "end_line": 400 }),
            "four\n",
            4,
        ),
    ] {
        let answer = read(arguments.clone());
        assert_eq!(
            (string(&answer["text"]), answer["first_line"].as_u64()),
            (text.to_owned(), Some(first)),
            "{arguments}"
        );
    }
    for (arguments, said) in [
        (json!({ "path": "a.txt", "start_line": 9 }), "it has 4"),
        (json!({ "path": "a.txt:3-2" }), "line 2 is before line 3"),
    ] {
        let refused = kit.call("read_file", arguments);
        assert!(refused.is_error() && refused.text.contains(said), "{}", refused.text);
    }
}

#[test]
fn modules_are_found_by_their_names() {
    let repo = Repo::new(
        "
//- /app/core/__init__.py
import os
//- /app/core/store.py
def put(): pass
//- /app/store.py
def get(): pass
//- /src/rank/words.rs
pub fn split() {}
",
    );
    let kit = Kit::new(&repo.root());
    for (path, file) in [
        ("app.core.store", "app/core/store.py"),
        ("core.store", "app/core/store.py"),
        ("rank::words", "src/rank/words.rs"),
        ("app.core", "app/core"),
    ] {
        let outline = kit.json("get_symbols", json!({ "file_path": path }));
        assert_eq!(string(&outline["file"]), file, "{path}");
    }
    let read = kit.json("read_file", json!({ "path": "app.store" }));
    assert_eq!(string(&read["path"]), "app/store.py");
    assert!(kit.call("read_file", json!({ "path": "app.shop" })).is_error());
}

#[test]
fn the_end_of_a_path_is_enough_where_one_path_ends_so() {
    let repo = Repo::new(
        "
//- /app/core/store.py
import os
def save(item):
    return os.write(1, item)
//- /app/web/view.py
from app.core import store
//- /lib/web/main.py
def main(): pass
//- /build/view.py
def generated(): pass
//- /.gitignore
build/
",
    );
    repo.write("app/web/.gitignore", "");
    let kit = Kit::new(&repo.root());
    for (tool, key, arguments) in [
        ("get_symbols", "file_path", json!({})),
        ("map_code", "path", json!({})),
        ("read_file", "path", json!({})),
        ("get_dependencies", "file_path", json!({})),
        ("get_dependencies", "file_path", json!({ "reverse": true })),
        ("analyze_complexity", "file_path", json!({})),
        ("preview_chunk", "file_path", json!({ "chunk_index": 0 })),
        ("find_similar", "file", json!({ "line": 2 })),
        ("get_call_graph", "file_path", json!({})),
    ] {
        let asked = |path: &str| {
            let mut arguments = arguments.clone();
            arguments[key] = path.into();
            kit.call(tool, arguments)
        };
        let whole = asked("app/core/store.py").text;
        for path in ["store.py", "core/store.py", "./core/store.py"] {
            assert_eq!(asked(path).text, whole, "{tool} {path}");
        }
        assert!(asked("tore.py").is_error(), "{tool}");
    }
    let asked = |tool: &str, arguments: Value| kit.call(tool, arguments).text;
    let core = asked("map_code", json!({ "path": "app/core" }));
    assert_eq!(asked("map_code", json!({ "path": "core" })), core);
    // Several end so, and none is chosen.
    let several = asked("map_code", json!({ "path": "web" }));
    assert!(several.contains("did you mean `app/web`, `lib/web`?"), "{several}");
    // What is there and not indexed is not another file.
    for tool in ["get_symbols", "get_dependencies"] {
        let ignored = asked(tool, json!({ "file_path": "build/view.py" }));
        assert!(ignored.contains("it is not indexed"), "{tool}: {ignored}");
    }
}

#[test]
fn what_another_tool_or_parameter_does_is_told() {
    let repo = Repo::new(REPO);
    let kit = Kit::new(&repo.root());
    for (tool, arguments, hint) in [
        (
            "search_code",
            json!({ "query": "walk", "regex": true }),
            "grep takes regular expressions",
        ),
        ("search_code", json!({ "query": "walk", "page": 2 }), "next_cursor"),
        (
            "rename_symbol",
            json!({ "old_name": "list_dirs", "new_name": "x", "apply": true }),
            "dry_run: false",
        ),
        (
            "get_dependencies",
            json!({ "file_path": "src/walk.rs", "direction": "in" }),
            "reverse: true",
        ),
        ("get_symbols", json!({ "file_path": "src/*.rs" }), "find_file lists"),
        ("get_symbols", json!({ "file_path": "src/walk.rs:2" }), "extract_code"),
        ("read_file", json!({ "path": "src/walk.rs#list_dirs" }), "extract_code"),
    ] {
        let outcome = kit.call(tool, arguments.clone());
        assert!(
            outcome.is_error() && outcome.text.contains(hint),
            "{tool} {arguments}: {}",
            outcome.text
        );
    }
}

#[test]
fn the_nearest_tool_is_about_the_same() {
    let repo = Repo::new(REPO);
    let kit = Kit::new(&repo.root());
    for (name, expected) in [
        ("search_cod", Some("search_code")),
        ("get_definition", Some("find_definition")),
        ("list_references", Some("find_references")),
        ("getCallers", Some("find_callers")),
        ("refs", Some("find_references")),
        ("impact", Some("impact_analysis")),
        ("frobnicate", None),
    ] {
        assert_eq!(kit.nearest_tool(name).as_deref(), expected, "{name}");
    }
}

#[test]
fn a_word_is_a_part_of_a_file_name() {
    let repo = Repo::new(REPO);
    let kit = Kit::new(&repo.root());
    let found = |pattern: &str| kit.rows("find_file", &json!({ "name": pattern }), "files");
    assert_eq!(found("wal"), ["src/walk.py", "src/walk.rs", "tests/walk.rs"]);
    assert_eq!(found("k.py"), ["src/walk.py"]);
    assert!(found("wal?").is_empty());
}

#[test]
fn a_line_means_the_definition_that_begins_there_or_is_around_it() {
    let repo = Repo::new(
        "//- /a.py\ndef logged(f):\n    return f\n\n@logged\ndef work(x):\n    y = x + 1\n    return y\n\ndef use():\n    return work(1)\n",
    );
    let kit = Kit::new(&repo.root());
    let at = |line: u32| kit.call("find_callers", json!({ "file": "a.py", "line": line }));
    assert!(at(4).text.starts_with("a.py:5:5 work"), "{}", at(4).text);
    assert!(
        at(6).is_error() && at(6).text.contains("the line is in work a.py:5"),
        "{}",
        at(6).text
    );
}

#[test]
fn a_line_with_local_names_means_the_one_that_it_declares() {
    let repo = Repo::new(
        "//- /a.py\ndef f(items):\n    for item in items:\n        print(item)\n    with open(\"x\") as file:\n        file.read()\n",
    );
    let kit = Kit::new(&repo.root());
    for (line, expected) in [(2, "a.py:2:9 item (variable)"), (4, "a.py:4:23 file (variable)")] {
        let answer = kit.text("find_references", json!({ "file": "a.py", "line": line }));
        assert!(answer.starts_with(expected), "{answer}");
    }
}

#[test]
fn methods_of_a_class_and_of_its_values_are_told_apart() {
    let repo = Repo::new(
        "//- /job.rb\nclass Job\n  def self.perform(x)\n    new.perform(x)\n  end\n\n  def perform(x)\n    x\n  end\n\n  def self.only(x) = x\nend\n\nJob.perform(1)\n",
    );
    let kit = Kit::new(&repo.root());
    let callers = |symbol: &str| kit.text("find_callers", json!({ "symbol": symbol }));
    assert!(
        callers("Job.perform").starts_with("job.rb:2:12"),
        "{}",
        callers("Job.perform")
    );
    assert!(callers("Job.perform").contains("(top level) calls in line 13"));
    assert!(
        callers("Job#perform").starts_with("job.rb:6:7"),
        "{}",
        callers("Job#perform")
    );
    assert!(callers("Job#perform").contains("1 caller\n"));
    // The only one of its name is meant, however it is written.
    assert!(callers("Job#only").starts_with("job.rb:10:12"));
    let both = callers("Job::perform");
    assert!(both.contains("has 2 definitions"), "{both}");
    assert!(
        both.contains("\n  def self.perform(x)\n") && both.contains("\n  def perform(x)"),
        "{both}"
    );
}

#[test]
fn a_star_stands_for_any_part_of_a_name() {
    let repo = Repo::new("//- /a.py\nclass RetryHandler: pass\nclass HandlerList: pass\nclass Retry: pass\n");
    let kit = Kit::new(&repo.root());
    let names = |name: &str| -> Vec<String> {
        let rows = kit.rows("find_symbol", &json!({ "name": name }), "definitions");
        rows.iter().map(|row| string(&row["name"])).collect()
    };
    assert_eq!(names("*Handler"), ["HandlerList", "RetryHandler"]);
    assert_eq!(names("*try*"), ["Retry", "RetryHandler"]);
}

#[test]
fn a_signature_chooses_among_functions_of_one_name() {
    let repo = Repo::new(
        r#"
//- /text.h
class Text {
public:
    Text *append(char c);
    Text *append(const char *text);
    Text *append(const char *text, int size);
};
void one(Text &to) { to.append('a'); }
void two(Text &to) { to.append("two"); }
void three(Text &to) { to.append("three", 5); }
//- /Url.java
class Url {
    void open(String name) {}
    void open(String name, int port) {}
    void one() { open("one"); }
    void two() { open("two", 2); }
}
"#,
    );
    let kit = Kit::new(&repo.root());
    for (symbol, expected) in [
        ("Text::append(char c)", &["one"][..]),
        ("Text::append(const char *)", &["two"]),
        ("Text *append(const char *text, int size);", &["three"]),
        ("Text::append()", &["one", "two", "three"]),
        ("Text::append(what, ever, it, is)", &["one", "two", "three"]),
        ("Url.open(java.lang.String)", &["one"]),
        ("Url#open(String, int)", &["two"]),
        ("void open(String name, int port) {", &["two"]),
    ] {
        let answer = kit.json("find_callers", json!({ "symbol": symbol }));
        let callers = answer["callers"].as_array().expect("a list");
        let callers: Vec<&str> = callers.iter().filter_map(|row| row["name"].as_str()).collect();
        assert_eq!(callers, expected, "{symbol}: {answer}");
    }
}
