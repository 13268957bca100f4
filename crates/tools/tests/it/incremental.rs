//! An index that was kept up to date equals one made from scratch.

use std::fs;

use proptest::prelude::*;
use serde_json::{Value, json};
use test_fixture::Repo;

use crate::kit::Kit;

const PATHS: &[&str] = &["a.rs", "b.py", "src/a.rs", "src/c.md", "lib/deep/d.ts", "plain"];
const WORDS: &[&str] = &[
    "alpha",
    "beta",
    "alphaBeta",
    "gamma_ray",
    "fn",
    "//",
    "\n",
    "\n",
    "(",
    "日本",
];
const IGNORES: &[&str] = &["", "src/\n", "*.py\nplain\n"];

#[derive(Debug, Clone)]
enum Edit {
    Write(&'static str, String),
    Remove(&'static str),
    Rename(&'static str, &'static str),
    Ignore(&'static str),
    /// Ask something, so that the index is brought up to date in between.
    Ask,
}

fn edit() -> impl Strategy<Value = Edit> {
    let path = || prop::sample::select(PATHS);
    let text = prop::collection::vec(prop::sample::select(WORDS), 0..80).prop_map(|words| words.join(" "));
    prop_oneof![
        6 => (path(), text).prop_map(|(path, text)| Edit::Write(path, text)),
        2 => path().prop_map(Edit::Remove),
        2 => (path(), path()).prop_map(|(from, to)| Edit::Rename(from, to)),
        1 => prop::sample::select(IGNORES).prop_map(Edit::Ignore),
        3 => Just(Edit::Ask),
    ]
}

impl Edit {
    fn apply(&self, repo: &Repo, kits: &[&Kit]) {
        // Edits of files that are not there, or cannot be, change nothing.
        match self {
            Edit::Write(path, text) => repo.write(path, text),
            Edit::Remove(path) => drop(fs::remove_file(repo.path(path))),
            Edit::Rename(from, to) => drop(fs::rename(repo.path(from), repo.path(to))),
            Edit::Ignore(text) => repo.write(".gitignore", text),
            Edit::Ask => {
                for kit in kits {
                    kit.json("search_code", json!({ "query": "alpha" }));
                }
            }
        }
    }
}

/// Everything that the tools say about the files, without what depends on history.
fn observed(kit: &Kit) -> Vec<Value> {
    let queries = [
        "alpha",
        "alphaBeta",
        "\"alpha beta\"",
        "gamma NOT beta",
        "fn AND path:src",
        "ray OR lang:python",
    ];
    let mut calls: Vec<(&str, Value, &str)> = queries
        .iter()
        .map(|query| {
            (
                "search_code",
                json!({ "query": query, "k": 100, "max_tokens": 20000 }),
                "results",
            )
        })
        .collect();
    calls.extend([
        (
            "search_code",
            json!({ "query": "alpha", "literal": true, "max_tokens": 20000 }),
            "results",
        ),
        (
            "find_similar",
            json!({ "code": "alpha(beta, gamma_ray)", "limit": 100, "max_tokens": 20000 }),
            "results",
        ),
        ("grep", json!({ "pattern": "a.*日", "max_tokens": 20000 }), "matches"),
        ("list_files", json!({}), "files"),
        ("find_file", json!({ "pattern": "src/*" }), "files"),
    ]);
    let rows = calls.into_iter().map(|(tool, arguments, key)| {
        let mut rows = kit.rows(tool, &arguments, key);
        for row in &mut rows {
            if let Some(fields) = row.as_object_mut() {
                fields.remove("score");
            }
        }
        // FIXME: chunks that were deleted still count in the statistics that ranking uses, until their segment is
        // merged, so an updated index may order the same chunks differently.
        if arguments["k"] == 100 {
            rows.sort_by_key(Value::to_string);
        }
        json!({ "tool": tool, "arguments": arguments, "rows": rows })
    });
    rows.collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_updated_index_is_a_fresh_index(edits in prop::collection::vec(edit(), 1..25)) {
        let repo = Repo::new("//- /a.rs\nfn alpha() {}\n//- /src/c.md\nalpha beta\n");
        let swept = Kit::with_small_chunks(&repo.root());
        let watched = Kit::with(&repo.root(), true, &[("indexing.chunk_size", "100"), ("indexing.overlap", "20")]);
        for edit in &edits {
            edit.apply(&repo, &[&swept, &watched]);
        }
        let fresh = observed(&Kit::with_small_chunks(&repo.root()));
        for (name, kit) in [("swept", &swept), ("watched", &watched)] {
            for (updated, fresh) in observed(kit).iter().zip(&fresh) {
                prop_assert_eq!(updated, fresh, "{}", name);
            }
        }
    }
}

#[test]
fn a_rebuild_changes_no_answer() {
    let repo = Repo::new("//- /a.rs\nfn alpha() {}\n//- /src/c.md\nalpha beta\n");
    let kit = Kit::with_small_chunks(&repo.root());
    let before = observed(&kit);
    kit.json("reindex_session", json!({ "session": "repo", "force": true }));
    assert_eq!(observed(&kit), before);
    kit.json("delete_session", json!({ "session": "repo", "confirm": true }));
    assert_eq!(observed(&kit), before);
}

#[test]
fn sessions_of_one_directory_are_apart() {
    let repo = Repo::new("");
    repo.write("a.txt", "word ".repeat(200));
    repo.write("b.md", "word");
    let kit = Kit::new(&repo.root());
    let root = repo.root();
    kit.json(
        "index_repository",
        json!({ "path": root, "session": "large", "chunk_size": 2000 }),
    );
    kit.json(
        "index_repository",
        json!({ "path": root, "session": "small", "chunk_size": 100, "overlap": 0, "include_patterns": ["*.txt"] }),
    );
    let counts = |session: &str| {
        let info = kit.json("get_session_info", json!({ "session": session }));
        (info["files"].as_u64().unwrap(), info["chunks"].as_u64().unwrap())
    };
    assert_eq!(counts("large"), (2, 2));
    assert_eq!(counts("small"), (1, 10));
    kit.json("delete_session", json!({ "session": "large", "confirm": true }));
    assert_eq!(counts("small"), (1, 10));
    let left = kit.json("list_sessions", json!({}));
    assert_eq!(left["total"], 1);
}
