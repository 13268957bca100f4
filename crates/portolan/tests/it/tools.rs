//! Every tool once, and every odd input of the contract, over real stdio.

use serde_json::{Value, json};
use test_fixture::Repo;
use tools::Effect;

use crate::server::Server;

const REPO: &str = "
//- /src/lib.rs
pub fn foo() { a::b([1]) }
// see http://x/{id}
//- /docs/notes.md
Notes on foo.
";

/// Every tool with the arguments of its example; what deletes comes last.
pub fn examples() -> Vec<(&'static str, Value)> {
    let mut tools = tools::all_tools();
    tools.sort_by_key(|tool| tool.effect == Effect::Deletes);
    let example = |text: &str| serde_json::from_str(text).expect("an example is JSON");
    tools.iter().map(|tool| (tool.name, example(tool.example))).collect()
}

#[test]
fn every_tool_answers() {
    let repo = Repo::new(test_fixture::EXAMPLE);
    let mut server = Server::initialized(&repo.root(), &[]);
    server.call("index_repository", json!({ "session": "example" }));
    for (tool, arguments) in examples() {
        let result = server.call(tool, arguments);
        assert_ne!(result["isError"], true, "{tool}: {result}");
        assert!(result["structuredContent"].is_object(), "{tool}: {result}");
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
