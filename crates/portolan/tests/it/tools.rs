//! Every tool once, and every odd input of the contract, over real stdio.

use std::path::Path;

use serde_json::{Value, json};
use test_fixture::Repo;

use crate::server::Server;

const REPO: &str = "
//- /src/lib.rs
pub fn foo() { a::b([1]) }
// see http://x/{id}
//- /docs/notes.md
Notes on foo.
";

/// Every tool with arguments that it has an answer to where `src/lib.rs` defines `foo`, and a field of that answer.
pub fn calls(root: &Path) -> Vec<(&'static str, Value, &'static str)> {
    vec![
        ("index_repository", json!({ "path": root, "session": "here" }), "files"),
        ("map_code", json!({}), "files"),
        ("search_code", json!({ "query": "foo" }), "results"),
        ("find_symbol", json!({ "name": "foo" }), "definitions"),
        ("get_symbols", json!({ "file_path": "src/lib.rs" }), "symbols"),
        ("extract_code", json!({ "targets": ["src/lib.rs:1"] }), "blocks"),
        ("find_definition", json!({ "symbol": "foo" }), "definitions"),
        ("deep_dive", json!({ "symbol": "foo" }), "symbol"),
        ("find_references", json!({ "symbol": "foo" }), "references"),
        ("find_callers", json!({ "symbol": "foo" }), "callers"),
        ("find_callees", json!({ "symbol": "foo" }), "callees"),
        ("find_implementations", json!({ "symbol": "foo" }), "implementations"),
        ("impact_analysis", json!({ "symbol": "foo" }), "summary"),
        ("get_call_graph", json!({ "symbol": "foo" }), "nodes"),
        ("find_path", json!({ "from": "foo", "to": "foo" }), "steps"),
        ("get_dependencies", json!({ "file_path": "src/lib.rs" }), "dependencies"),
        ("analyze_complexity", json!({ "file_path": "src/lib.rs" }), "functions"),
        ("index_status", json!({}), "state"),
        ("grep", json!({ "pattern": "fo+" }), "matches"),
        ("read_file", json!({ "path": "src/lib.rs" }), "text"),
        ("find_file", json!({ "pattern": "*.md" }), "files"),
        ("list_files", json!({}), "files"),
        (
            "preview_chunk",
            json!({ "file_path": "src/lib.rs", "chunk_index": 0 }),
            "chunks",
        ),
        ("find_similar", json!({ "code": "fn foo() {}" }), "results"),
        (
            "rename_symbol",
            json!({ "old_name": "foo", "new_name": "fresh" }),
            "files",
        ),
        ("checkpoint", json!({ "description": "`foo` is a name" }), "id"),
        ("recall", json!({ "query": "name" }), "memories"),
        ("plan", json!({ "action": "list" }), "plans"),
        ("list_sessions", json!({}), "sessions"),
        ("get_session_info", json!({ "session": "here" }), "status"),
        (
            "reindex_session",
            json!({ "session": "here", "chunk_size": 1000 }),
            "changes",
        ),
        ("upgrade_session", json!({ "session": "here" }), "upgraded"),
        ("manage_workspace", json!({ "operation": "refresh" }), "unchanged"),
        ("health_check", json!({}), "overall"),
        ("get_server_info", json!({}), "tools"),
        ("get_config", json!({}), "settings"),
        (
            "delete_session",
            json!({ "session": "here", "confirm": true }),
            "freed_bytes",
        ),
    ]
}

#[test]
fn every_tool_answers() {
    let repo = Repo::new(REPO);
    let mut server = Server::initialized(&repo.root(), &[]);
    let calls = calls(&repo.root());
    assert_eq!(calls.len(), tools::all_tools().len());
    for (tool, arguments, field) in calls {
        let result = server.call(tool, arguments);
        assert_ne!(result["isError"], true, "{tool}: {result}");
        assert!(!result["structuredContent"][field].is_null(), "{tool}: {result}");
        let content = result["content"].as_array().expect("content");
        assert_eq!(content.len(), 1, "{tool}");
        assert_eq!(content[0]["type"], "text", "{tool}");
        assert!(!content[0]["text"].as_str().expect("a text").is_empty(), "{tool}");
    }
}

/// What an input gets: so many hits, or an error with this code that says this.
enum Gets {
    Hits(u64),
    Error(i64, &'static str),
}

use Gets::{Error, Hits};

#[test]
fn odd_inputs_get_their_documented_answers() {
    let repo = Repo::new(REPO);
    std::fs::create_dir(repo.beside("repo-evil")).unwrap();
    std::fs::write(repo.beside("repo-evil").join("loot.txt"), "loot").unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(repo.beside("repo-evil").join("loot.txt"), repo.path("link.txt")).unwrap();
    let mut server = Server::initialized(&repo.root(), &[]);
    let search = |query: &str| ("search_code", json!({ "query": query }));
    let cases: Vec<((&str, Value), Gets)> = vec![
        (search("foo("), Hits(2)),
        (search("a::b"), Hits(1)),
        (search("["), Hits(1)),
        (search("http://x/{id}"), Hits(1)),
        (search("\"unbalanced"), Error(-32004, "quote")),
        (search(""), Error(-32602, "empty")),
        (search(&"x".repeat(20_001)), Error(-32602, "20001")),
        (search(&"x".repeat(20_000)), Hits(0)),
        (
            ("search_code", json!({ "query": "foo", "k": 0 })),
            Error(-32602, "from 1 to 100"),
        ),
        (
            ("search_code", json!({ "query": "foo", "k": 1_000_000_000u64 })),
            Hits(2),
        ),
        (
            ("read_file", json!({ "path": "../repo-evil/loot.txt" })),
            Error(-32001, "outside"),
        ),
        (
            ("read_file", json!({ "path": "/etc/passwd" })),
            Error(-32001, "outside"),
        ),
        #[cfg(unix)]
        (("read_file", json!({ "path": "link.txt" })), Error(-32001, "outside")),
        (
            ("search_code", json!({ "query": "foo", "session": "nope" })),
            Error(-32001, "nope"),
        ),
        (
            ("get_session_info", json!({ "session": "nope" })),
            Error(-32001, "nope"),
        ),
        (("find_file", json!({ "pattern": "a[" })), Error(-32602, "bad glob")),
        (
            ("grep", json!({ "pattern": "a(" })),
            Error(-32602, "bad regular expression"),
        ),
    ];
    for ((tool, arguments), gets) in cases {
        let result = server.call(tool, arguments.clone());
        let answer = &result["structuredContent"];
        match gets {
            Hits(total) => {
                assert_ne!(result["isError"], true, "{arguments}: {result}");
                assert_eq!(answer["total"], total, "{arguments}: {result}");
            }
            Error(code, word) => {
                assert_eq!(result["isError"], true, "{arguments}: {result}");
                assert_eq!(answer["error"]["code"], code, "{arguments}: {result}");
                let message = answer["error"]["message"].as_str().expect("a message");
                assert!(message.contains(word), "{arguments}: {message}");
                let text = result["content"][0]["text"].as_str().expect("a text");
                assert!(text.starts_with("Error: ") && text.contains("\nHint: "), "{text}");
            }
        }
    }
    server.assert_alive();
}

#[test]
fn answers_are_as_fresh_as_the_disk() {
    let repo = Repo::new(REPO);
    let mut server = Server::initialized(&repo.root(), &[]);
    for round in 0..5 {
        let text = format!("round{round}");
        repo.write("src/new.rs", format!("fn {text}() {{}}\n"));
        let found = server.call("search_code", json!({ "query": text }));
        assert_eq!(
            found["structuredContent"]["results"][0]["path"], "src/new.rs",
            "{found}"
        );
    }
    repo.remove("src/new.rs");
    let found = server.call("search_code", json!({ "query": "round4" }));
    assert_eq!(found["structuredContent"]["total"], 0, "{found}");
}

#[test]
fn structured_content_can_be_turned_off() {
    let repo = Repo::new(REPO);
    let mut server = Server::initialized(&repo.root(), &["--no-structured"]);
    let result = server.call("search_code", json!({ "query": "foo" }));
    assert!(result.get("structuredContent").is_none(), "{result}");
    let listed = server.ask("tools/list", json!({}))["result"]["tools"].clone();
    assert!(listed[0].get("outputSchema").is_none(), "{listed}");
}
