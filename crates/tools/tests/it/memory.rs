//! `checkpoint`, `recall` and `plan`: what is noted is found again, whatever happens to the index.

use std::fs;

use expect_test::{Expect, expect};
use serde_json::{Value, json};
use test_fixture::Repo;

use crate::kit::{Kit, string};

const REPO: &str = r#"
//- /src/parser.py
class Parser:
    def parse_query(self, text):
        return text
//- /src/store.py
def open_store(path):
    return path
"#;

/// Without what differs from run to run.
fn steady(kit: &Kit, text: &str) -> String {
    let ids = regex::Regex::new(r"\[[0-9a-f]{8}\]").expect("the pattern is valid");
    ids.replace_all(&kit.steady(text), "[<id>]").into_owned()
}

#[track_caller]
fn check(kit: &Kit, tool: &str, arguments: Value, expected: Expect) {
    let outcome = kit.call(tool, arguments);
    expected.assert_eq(&format!("{}\n", steady(kit, &outcome.text)));
}

#[test]
fn what_is_noted_is_recalled_with_the_code_that_it_is_about() {
    let repo = Repo::new(REPO);
    let kit = Kit::new(&repo.root());
    check(
        &kit,
        "checkpoint",
        json!({
            "description": "Queries are split by `parse_query` in src/parser.py, never by a regular expression.",
            "tags": ["search", "#search", "parser, query"],
            "type": "decision",
        }),
        expect![[r#"
            Remembered [<id>] decision <time>, #search #parser #query
            about: `parse_query` src/parser.py:2, src/parser.py (2 places linked)
        "#]],
    );
    kit.json(
        "checkpoint",
        json!({ "description": "The database is opened lazily by open_store(); nothing_here is no name." }),
    );
    kit.json(
        "checkpoint",
        json!({ "description": "Deployment needs a token.", "type": "learning" }),
    );
    check(
        &kit,
        "recall",
        json!({ "query": "parse query" }),
        expect![[r#"
        1 memory

        [<id>] decision <time>, score 1.00, #search #parser #query
        about: `parse_query` src/parser.py:2, src/parser.py
        ```markdown
        Queries are split by `parse_query` in src/parser.py, never by a regular expression.
        ```
    "#]],
    );
    // By meaning: no word in common.
    let found = kit.json("recall", json!({ "query": "connecting to sqlite storage" }));
    assert!(string(&found["memories"][0]["text"]).contains("database"), "{found}");
    // The newest first, and by type.
    let all = kit.json("recall", json!({}));
    assert_eq!(all["total"], 3);
    assert!(string(&all["memories"][0]["text"]).starts_with("Deployment"));
    let learnt = kit.json("recall", json!({ "type": "learning" }));
    assert_eq!(learnt["total"], 1);
    assert_eq!(
        kit.json("recall", json!({ "limit": 2 }))["memories"]
            .as_array()
            .unwrap()
            .len(),
        2
    );
    // By time.
    assert_eq!(kit.json("recall", json!({ "since": "1h" }))["total"], 3);
    assert_eq!(
        kit.json("recall", json!({ "since": "2020-01-01", "until": "2020-12-31" }))["total"],
        0
    );
    check(
        &kit,
        "recall",
        json!({ "since": "soon" }),
        expect![[r#"
            Error: `since` is not a valid time: `soon`.
            Hint: times are `2026-01-31`, `<time>`, or how long ago: `3h`, `2d`, `1w`.
        "#]],
    );
    check(
        &kit,
        "recall",
        json!({ "query": "zzzz qqqq" }),
        expect![[r#"
            No memory matches (3 memories in all): leave out query, type and dates for the newest.
        "#]],
    );
    check(
        &kit,
        "checkpoint",
        json!({ "description": "  " }),
        expect![[r#"
        Error: `description` is empty.
        Hint: give a non-empty `description`.
    "#]],
    );
    // What it spoke of has moved and gone.
    fs::write(repo.root().join("src/parser.py"), "").unwrap();
    fs::write(
        repo.root().join("src/other.py"),
        "class Parser:\n    def parse_query(self, text):\n        return text\n",
    )
    .unwrap();
    fs::remove_file(repo.root().join("src/store.py")).unwrap();
    check(
        &kit,
        "recall",
        json!({ "query": "parse_query or open_store" }),
        expect![[r#"
        2 memories, best first

        [<id>] decision <time>, score 1.00, #search #parser #query
        about: `parse_query` src/other.py:2 (moved), src/parser.py
        ```markdown
        Queries are split by `parse_query` in src/parser.py, never by a regular expression.
        ```

        [<id>] checkpoint <time>, score 0.91
        about: `open_store` src/store.py (gone)
        ```markdown
        The database is opened lazily by open_store(); nothing_here is no name.
        ```
    "#]],
    );
}

#[test]
fn memories_outlive_the_index() {
    let repo = Repo::new(REPO);
    let kit = Kit::new(&repo.root());
    let noted = kit.json("checkpoint", json!({ "description": "Kept `parse_query`." }));
    kit.json("index_repository", json!({ "path": repo.root(), "force": true }));
    let kit = kit.reopened_with(&[("indexing.chunk_size", "200")]);
    let all = kit.json("recall", json!({}));
    assert_eq!(all["memories"][0]["id"], noted["id"]);
    // Deleting a session says what it keeps.
    let session = string(&kit.json("list_sessions", json!({}))["sessions"][0]["session"]);
    check(
        &kit,
        "delete_session",
        json!({ "session": session, "confirm": false }),
        expect![[r#"
            Error: deleting `repo` needs confirm: true.
            Hint: set confirm to true to delete it for good; it has 1 memory, which are kept unless delete_memory is true.
        "#]],
    );
    let deleted = kit.json("delete_session", json!({ "session": session, "confirm": true }));
    assert_eq!(
        (&deleted["memories"], &deleted["memories_deleted"]),
        (&json!(1), &json!(false))
    );
    assert_eq!(kit.json("list_sessions", json!({}))["sessions"], json!([]));
    let all = kit.json("recall", json!({}));
    assert_eq!(all["memories"][0]["id"], noted["id"]);
    let session = string(&kit.json("list_sessions", json!({}))["sessions"][0]["session"]);
    let asked = json!({ "session": session, "confirm": true, "delete_memory": true });
    let deleted = kit.json("delete_session", asked);
    assert_eq!(deleted["memories_deleted"], true);
    assert_eq!(kit.json("recall", json!({}))["total"], 0);
}

#[test]
fn plans() {
    let repo = Repo::new(REPO);
    let kit = Kit::new(&repo.root());
    check(
        &kit,
        "plan",
        json!({ "action": "get" }),
        expect![[r#"
        Error: there is no active plan.
        Hint: give its id, or activate it; plan with action list shows all.
    "#]],
    );
    check(
        &kit,
        "plan",
        json!({ "action": "save" }),
        expect![[r#"
        Error: `title` is missing.
        Hint: give the plan a title.
    "#]],
    );
    check(
        &kit,
        "plan",
        json!({ "action": "save", "title": "Faster parser", "content": "1. measure `parse_query`\n2. cut" }),
        expect![[r#"
            Saved

            [faster-parser] plan <time>, active, the active one
            Faster parser
            about: `parse_query` src/parser.py:2
            ```markdown
            1. measure `parse_query`
            2. cut
            ```
        "#]],
    );
    kit.json("plan", json!({ "action": "save", "title": "Later", "activate": false }));
    kit.json("plan", json!({ "action": "save", "title": "Faster parser" }));
    check(
        &kit,
        "plan",
        json!({ "action": "list" }),
        expect![[r#"
        3 plans

        [faster-parser-2] plan <time>, active, the active one
        Faster parser
        ```markdown

        ```

        [later] plan <time>, active
        Later
        ```markdown

        ```

        [faster-parser] plan <time>, active
        Faster parser
        about: `parse_query` src/parser.py:2
        ```markdown
        1. measure `parse_query`
        2. cut
        ```
    "#]],
    );
    check(
        &kit,
        "plan",
        json!({ "action": "activate", "id": "faster-parser" }),
        expect![[r#"
        Activated

        [faster-parser] plan <time>, active, the active one
        Faster parser
        about: `parse_query` src/parser.py:2
        ```markdown
        1. measure `parse_query`
        2. cut
        ```
    "#]],
    );
    check(
        &kit,
        "plan",
        json!({ "action": "update", "content": "1. measured\n2. cut" }),
        expect![[r#"
            Updated

            [faster-parser] plan <time>, active, the active one
            Faster parser
            ```markdown
            1. measured
            2. cut
            ```
        "#]],
    );
    check(
        &kit,
        "plan",
        json!({ "action": "complete" }),
        expect![[r#"
        Completed

        [faster-parser] plan <time>, completed
        Faster parser
        ```markdown
        1. measured
        2. cut
        ```
    "#]],
    );
    check(
        &kit,
        "plan",
        json!({ "action": "get" }),
        expect![[r#"
        Error: there is no active plan.
        Hint: give its id, or activate it; plan with action list shows all.
    "#]],
    );
    check(
        &kit,
        "plan",
        json!({ "action": "get", "id": "fastr-parser" }),
        expect![[r#"
        Error: there is no plan `fastr-parser`.
        Hint: did you mean `faster-parser`?
    "#]],
    );
    check(
        &kit,
        "plan",
        json!({ "action": "update", "id": "later" }),
        expect![[r#"
        Error: there is nothing to update.
        Hint: give `content`, `title` or `status`.
    "#]],
    );
    let open = kit.json("plan", json!({ "action": "list", "status": "active" }));
    assert_eq!(open["total"], 2);
    assert_eq!(
        kit.json("recall", json!({ "query": "measured", "type": "plan" }))["total"],
        1
    );
}

#[test]
fn markdown_out_and_in_again() {
    let repo = Repo::new(REPO);
    let kit = Kit::new(&repo.root());
    kit.json(
        "checkpoint",
        json!({ "description": "# A `parse_query`\n\n<!-- x -->\n", "tags": ["a"] }),
    );
    kit.json("plan", json!({ "action": "save", "title": "Plan", "content": "Do." }));
    let text = kit.toolbox().export_memories(None).unwrap();
    let other = Kit::new(&repo.root());
    assert_eq!(other.toolbox().import_memories(None, &text), Ok(2));
    // Twice is once.
    assert_eq!(other.toolbox().import_memories(None, &text), Ok(2));
    assert_eq!(other.toolbox().export_memories(None).unwrap(), text);
    assert_eq!(
        kit.json("recall", json!({}))["memories"],
        other.json("recall", json!({}))["memories"]
    );
    assert_eq!(other.toolbox().import_memories(None, "# nothing"), Ok(0));
    let cut = text.replace("\"type\":\"plan\"", "\"type\":");
    let error = other.toolbox().import_memories(None, &cut).unwrap_err();
    assert!(error.contains("memory 2 of the document cannot be read"), "{error}");
}

/// A home that cannot be: one process keeps what it is told for itself, and says so.
#[test]
fn what_is_not_kept_is_not_said_to_be() {
    let repo = Repo::new(REPO);
    let home = repo.path("src/parser.py/home").display().to_string();
    let notes = [
        ("checkpoint", json!({ "description": "a note" })),
        ("plan", json!({ "action": "save", "title": "a plan" })),
    ];
    for (tool, arguments) in notes {
        let once = Kit::with(&repo.root(), false, &[("storage.home", &home)]);
        let refused = once.call(tool, arguments.clone());
        assert!(
            refused.is_error() && refused.text.contains("nothing would be kept"),
            "{}",
            refused.text
        );
        let imported = once.toolbox().import_memories(None, "# nothing").unwrap_err();
        assert!(imported.contains("nothing would be kept"), "{imported}");
        let server = Kit::with(&repo.root(), true, &[("storage.home", &home)]);
        for (tool, arguments) in [(tool, arguments), ("recall", json!({}))] {
            let answer = server.json(tool, arguments);
            let warning = string(&answer["warning"]);
            assert!(warning.contains("only until this process ends"), "{tool}: {warning}");
        }
    }
}

/// Memories belong to a directory. Who finds none where it was moved to is told where they are.
#[test]
fn a_repository_that_was_moved() {
    let repo = Repo::new("//- /before/a.py\ndef f(): pass\n");
    let (before, after) = (repo.path("before"), repo.path("after"));
    let kit = Kit::new(&before);
    kit.json("checkpoint", json!({ "description": "why `f` is there" }));
    fs::rename(&before, &after).unwrap();
    let home = kit.home().display().to_string();
    let moved = Kit::with(&after, false, &[("storage.home", &home)]);
    let recalled = moved.json("recall", json!({ "query": "why" }));
    assert_eq!(
        recalled["left"],
        json!([{ "session": "before", "root": before, "memories": 1 }])
    );
    for named in ["before", before.to_str().unwrap()] {
        let text = moved.toolbox().export_memories(Some(named)).unwrap();
        assert_eq!(moved.toolbox().import_memories(None, &text), Ok(1));
    }
    let recalled = moved.json("recall", json!({ "query": "why" }));
    assert_eq!((&recalled["total"], &recalled["left"]), (&json!(1), &Value::Null));
}

#[test]
fn many_write_at_once() {
    let repo = Repo::new(REPO);
    let kit = Kit::new(&repo.root());
    kit.json("recall", json!({}));
    std::thread::scope(|scope| {
        for writer in 0..4 {
            let kit = &kit;
            scope.spawn(move || {
                for number in 0..5 {
                    let text = format!("note {number} of {writer}");
                    kit.json("checkpoint", json!({ "description": text }));
                }
            });
        }
    });
    assert_eq!(kit.json("recall", json!({}))["total"], 20);
}

#[test]
fn a_damaged_file_is_moved_aside_and_told() {
    let repo = Repo::new(REPO);
    let kit = Kit::new(&repo.root());
    kit.json("checkpoint", json!({ "description": "lost?" }));
    let file = kit.index_dir().with_file_name("memory.db");
    for suffix in ["-wal", "-shm"] {
        let _ = fs::remove_file(file.with_file_name(format!("memory.db{suffix}")));
    }
    fs::write(&file, b"this is no database, whatever it may have been before").unwrap();
    let noted = kit.json("checkpoint", json!({ "description": "after" }));
    assert!(string(&noted["warning"]).contains("memory.db.damaged-1"), "{noted}");
    let all = kit.json("recall", json!({}));
    assert_eq!(all["total"], 1);
    assert!(string(&all["warning"]).contains("memory.db.damaged-1"));
    let aside = fs::read(file.with_file_name("memory.db.damaged-1")).unwrap();
    assert!(aside.starts_with(b"this is no database"));
}
