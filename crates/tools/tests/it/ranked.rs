//! Questions and names: which file comes first, and why.

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
        let mut found = paths(&kit, &json!({ "query": message }));
        found.truncate(2);
        found.sort();
        assert_eq!(found, ["src/store.rs", "tests/store.rs"], "{message}");
    }
    let row = &kit.json(
        "search_code",
        json!({ "query": "error: is not closed: run repair", "explain": true }),
    )["results"][0];
    assert_eq!(row["features"]["verbatim"], 1.0, "{row}");
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
