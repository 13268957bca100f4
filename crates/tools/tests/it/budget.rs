//! No answer is longer than asked for, and the pages together are the whole.

use std::sync::OnceLock;

use proptest::prelude::*;
use serde_json::{Value, json};
use test_fixture::Repo;
use tools::Outcome;

use crate::kit::{Kit, string};

/// Files of many kinds and lengths, some of them skipped. Made once: no case changes it.
fn kit() -> &'static (Repo, Kit) {
    static KIT: OnceLock<(Repo, Kit)> = OnceLock::new();
    KIT.get_or_init(|| {
        let repo = Repo::new("");
        for n in 0..14 {
            let line = format!(
                "fn needle_{n}(x: Größe) -> \"日本{n}\" {{ /* {} */ }}\n",
                "pad ".repeat(n)
            );
            repo.write(&format!("src/deep/file_{n:02}.rs"), line.repeat(1 + n % 7));
            if n % 3 == 0 {
                repo.write(&format!("keys/{n}.pem"), "secret");
                repo.write(&format!("bin/{n}.dat"), b"\0needle");
            }
        }
        write_program(&repo);
        repo.write("one_line.txt", "needle ".repeat(300));
        repo.write("dense.txt", "日本🦀".repeat(60) + " needle");
        repo.write("escapes.txt", "needle \u{1b}[31m\u{202e}\"\\\t".repeat(10));
        let kit = Kit::with_small_chunks(&repo.root());
        kit.json("index_repository", json!({}));
        (repo, kit)
    })
}

/// Files that use each other, with something that is used by many, uses many and is derived from by many.
fn write_program(repo: &Repo) {
    let mut fan = "from lib.hub import *\n\n\ndef fan():\n".to_owned();
    let mut hub = "class Base:\n    def work(self):\n        return 0\n\n\ndef hub():\n    return 1\n".to_owned();
    for n in 0..12 {
        hub.push_str(&format!("\n\ndef spoke_{n}():\n    return hub() + {n}\n"));
        fan.push_str(&format!("    spoke_{n}()\n"));
        let user = format!(
            "from lib.hub import Base, hub\n\n\nclass Derived{n}(Base):\n    def work(self):\n        return hub()\n\n\n\
             def user_{n}(one):\n    one.work()\n    return hub() + hub()\n\n\ndef outer_{n}(one):\n    return user_{n}(one)\n"
        );
        repo.write(&format!("lib/user_{n:02}.py"), user);
    }
    repo.write("lib/hub.py", hub);
    repo.write("lib/fan.py", fan);
}

/// A call, the field of its rows, and the parameter that bounds a page, if there is one.
type Paged = (&'static str, Value, &'static str, Option<&'static str>);

fn calls() -> Vec<Paged> {
    vec![
        ("search_code", json!({ "query": "needle" }), "results", Some("k")),
        (
            "search_code",
            json!({ "query": "needle NOT path:dense", "context_lines": 2 }),
            "results",
            Some("k"),
        ),
        (
            "search_code",
            json!({ "query": "needle", "literal": true }),
            "results",
            Some("k"),
        ),
        ("search_code", json!({ "query": "needle_3" }), "results", Some("k")),
        (
            "search_code",
            json!({ "query": "needle", "mode": "definitions" }),
            "results",
            Some("k"),
        ),
        (
            "find_symbol",
            json!({ "name": "needle_1" }),
            "definitions",
            Some("limit"),
        ),
        ("find_definition", json!({ "symbol": "needle_13" }), "definitions", None),
        ("grep", json!({ "pattern": "needle" }), "matches", None),
        ("grep", json!({ "pattern": "fn|日", "context": 2 }), "matches", None),
        ("grep", json!({ "pattern": "needle", "count": true }), "matches", None),
        ("get_symbols", json!({ "file_path": "src" }), "symbols", Some("limit")),
        (
            "get_symbols",
            json!({ "file_path": "src/deep/file_06.rs", "mode": "structure" }),
            "symbols",
            Some("limit"),
        ),
        ("analyze_complexity", json!({}), "functions", Some("limit")),
        ("list_files", json!({}), "files", Some("limit")),
        ("list_files", json!({ "sort": "size" }), "files", Some("limit")),
        ("find_file", json!({ "pattern": "*.rs" }), "files", Some("limit")),
        (
            "find_references",
            json!({ "symbol": "hub" }),
            "references",
            Some("max_results"),
        ),
        (
            "find_references",
            json!({ "symbol": "Base.work", "include_unsure": true, "include_definition": true, "context_lines": 4 }),
            "references",
            Some("max_results"),
        ),
        (
            "find_callers",
            json!({ "symbol": "hub", "depth": 2 }),
            "callers",
            Some("max_results"),
        ),
        (
            "find_callees",
            json!({ "symbol": "fan" }),
            "callees",
            Some("max_results"),
        ),
        (
            "find_implementations",
            json!({ "symbol": "Base" }),
            "implementations",
            Some("max_results"),
        ),
        (
            "find_implementations",
            json!({ "symbol": "Base.work" }),
            "implementations",
            Some("max_results"),
        ),
        (
            "find_definition",
            json!({ "file": "lib/user_03.py", "line": 11 }),
            "definitions",
            None,
        ),
        (
            "get_dependencies",
            json!({ "file_path": "lib/user_03.py" }),
            "dependencies",
            None,
        ),
        (
            "get_dependencies",
            json!({ "file_path": "lib/hub.py", "reverse": true }),
            "importers",
            None,
        ),
        ("index_status", json!({}), "skipped", None),
        ("get_server_info", json!({}), "tools", None),
        ("get_config", json!({ "detailed": true }), "settings", None),
    ]
}

fn with(arguments: &Value, more: &[(&str, u64)]) -> Value {
    let mut arguments = arguments.clone();
    for (key, value) in more {
        arguments[*key] = (*value).into();
    }
    arguments
}

fn assert_within(outcome: &Outcome, max_tokens: u64, what: &Value) {
    for (form, text) in [("text", &outcome.text), ("JSON", &outcome.structured.to_string())] {
        let tokens = tools::count_tokens(text);
        assert!(tokens <= max_tokens, "{what}: {tokens} tokens of {form}");
    }
}

/// The number that a refusal of a small budget asks for.
fn wanted_tokens(refusal: &Outcome, what: &Value) -> u64 {
    let error = &refusal.structured["error"];
    assert_eq!(error["code"], -32602, "{what}: {}", refusal.text);
    assert!(
        string(&error["message"]).contains("too small"),
        "{what}: {}",
        refusal.text
    );
    let hint = string(&error["hint"]);
    let number = hint.rsplit(' ').next().and_then(|number| number.parse().ok());
    number.unwrap_or_else(|| panic!("{what}: no number in {hint:?}"))
}

/// Whether a row of a page is the row of the whole; a snippet may have been cut to fit.
fn same_row(page: &Value, whole: &Value) -> bool {
    let (mut page, mut whole) = (page.clone(), whole.clone());
    let cut = page["snippet"]
        .as_str()
        .map(str::to_owned)
        .filter(|text| text.contains("more characters: raise"));
    if let (Some(cut), Some(all)) = (cut, whole["snippet"].as_str()) {
        let kept = cut.rsplit_once("\n... (").map_or("", |(kept, _)| kept);
        if !all.starts_with(kept) {
            return false;
        }
        page["snippet"] = Value::Null;
        whole["snippet"] = Value::Null;
    }
    page == whole
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn pages_join_to_the_whole_and_keep_to_the_budget(
        call in 0..calls().len(),
        size in 1u64..100,
        max_tokens in prop_oneof![1u64..100, 150u64..600, 600u64..4000, Just(20000)],
    ) {
        let (_, kit) = kit();
        let (tool, arguments, key, size_key) = calls().swap_remove(call);
        let whole = kit.rows(tool, &with(&arguments, &[("max_tokens", 20000)]), key);
        let mut wanted = with(&arguments, &[("max_tokens", max_tokens)]);
        if let Some(size_key) = size_key {
            wanted[size_key] = size.into();
        }
        match kit.pages(tool, &wanted, key) {
            Ok((rows, pages)) => {
                for page in &pages {
                    assert_within(page, max_tokens, &wanted);
                    prop_assert_eq!(&page.structured["total"], whole.len(), "{}", wanted);
                    let shown = page.structured[key].as_array().map_or(0, Vec::len) as u64;
                    prop_assert!(size_key.is_none() || shown <= size, "{}", wanted);
                }
                prop_assert_eq!(rows.len(), whole.len(), "{} {}", tool, wanted);
                for (row, expected) in rows.iter().zip(&whole) {
                    prop_assert!(same_row(row, expected), "{} {}: {} is not {}", tool, wanted, row, expected);
                }
            }
            Err(refusal) => {
                prop_assert!(max_tokens < 4000, "{} {}: {}", tool, wanted, refusal.text);
                prop_assert!(wanted_tokens(&refusal, &wanted) > max_tokens);
            }
        }
    }
}

/// Where the JSON is not sent it takes nothing from the text.
#[test]
fn only_what_is_sent_counts() {
    let (repo, both) = kit();
    let small = [("indexing.chunk_size", "100"), ("indexing.overlap", "20")];
    let text_alone = Kit::with(
        &repo.root(),
        false,
        &[small[0], small[1], ("server.structured", "false")],
    );
    let arguments = json!({ "query": "needle", "literal": true, "k": 100, "max_tokens": 1000 });
    let rows = |kit: &Kit| {
        let outcome = kit.call("search_code", arguments.clone());
        assert!(tools::count_tokens(&outcome.text) <= 1000);
        outcome.structured["results"].as_array().unwrap().len()
    };
    let (both, alone) = (rows(both), rows(&text_alone));
    assert!(alone > both, "{alone} rows of text, {both} of text and JSON");
}

/// An agent that does what the hint says gets its answer.
#[test]
fn the_budget_that_a_refusal_asks_for_suffices() {
    let (_, kit) = kit();
    let others = [
        ("read_file", json!({ "path": "dense.txt" })),
        (
            "preview_chunk",
            json!({ "file_path": "one_line.txt", "chunk_index": 3 }),
        ),
        ("list_sessions", json!({})),
        ("map_code", json!({})),
    ];
    // What was done is told in any case.
    let done = kit.call("index_repository", json!({ "max_tokens": 1 }));
    assert!(
        !done.is_error() && done.text.contains("raise max_tokens"),
        "{}",
        done.text
    );
    let paged = calls().into_iter().map(|(tool, arguments, ..)| (tool, arguments));
    for (tool, arguments) in paged.chain(others) {
        let refusal = kit.call(tool, with(&arguments, &[("max_tokens", 1)]));
        assert!(refusal.is_error(), "{tool} {arguments}: {}", refusal.text);
        let wanted = with(&arguments, &[("max_tokens", wanted_tokens(&refusal, &arguments))]);
        let answer = kit.call(tool, wanted.clone());
        assert!(!answer.is_error(), "{tool} {wanted}: {}", answer.text);
        assert_within(&answer, wanted["max_tokens"].as_u64().unwrap(), &wanted);
    }
}

#[test]
fn files_are_read_piece_by_piece() {
    let (repo, kit) = kit();
    for path in ["dense.txt", "one_line.txt", "src/deep/file_13.rs"] {
        for (length, max_tokens) in [(20000, 20000), (17, 20000), (20000, 700)] {
            let (mut text, mut offset) = (String::new(), 0);
            loop {
                let arguments = json!({ "path": path, "offset": offset, "length": length, "max_tokens": max_tokens });
                let page = kit.call("read_file", arguments.clone());
                assert!(!page.is_error(), "{arguments}: {}", page.text);
                assert_within(&page, max_tokens, &arguments);
                text.push_str(page.structured["text"].as_str().unwrap());
                match page.structured["next_offset"].as_u64() {
                    Some(next) => assert!(next > std::mem::replace(&mut offset, next), "{arguments}"),
                    None => break,
                }
                if text.len() > 3000 && length == 17 {
                    break;
                }
            }
            let whole = std::fs::read_to_string(repo.path(path)).unwrap();
            assert!(whole.starts_with(&text), "{path} {length} {max_tokens}");
            assert!(length == 17 || whole == text, "{path} {length} {max_tokens}");
        }
    }
}

/// Whatever the tool, the default budget holds.
#[test]
fn defaults_are_budgets_too() {
    let (_, kit) = kit();
    for (tool, arguments, budget) in [
        ("search_code", json!({ "query": "needle", "k": 100 }), 4000),
        ("grep", json!({ "pattern": "." }), 4000),
        ("read_file", json!({ "path": "one_line.txt" }), 20000),
        ("health_check", json!({}), 4000),
        ("get_session_info", json!({ "session": "repo" }), 4000),
    ] {
        let answer = kit.call(tool, arguments.clone());
        assert!(!answer.is_error(), "{tool}: {}", answer.text);
        assert_within(&answer, budget, &arguments);
    }
}

/// Nothing in a file can pretend to be part of the answer.
#[test]
fn hidden_characters_are_shown() {
    let (_, kit) = kit();
    for (tool, arguments) in [
        ("search_code", json!({ "query": "needle", "path": "escapes.txt" })),
        ("grep", json!({ "pattern": "needle", "paths": "escapes.txt" })),
        ("read_file", json!({ "path": "escapes.txt" })),
        ("preview_chunk", json!({ "file_path": "escapes.txt", "chunk_index": 0 })),
        ("search_code", json!({ "query": "\u{1b}[31m\u{202e}", "literal": true })),
    ] {
        let answer = kit.call(tool, arguments.clone());
        assert!(
            !answer.is_error() && answer.structured["total"] != 0,
            "{tool}: {}",
            answer.text
        );
        for text in [answer.text, answer.structured.to_string()] {
            assert!(text.contains("u{202e}"), "{tool} {arguments}: {text}");
            assert!(!text.contains(['\u{1b}', '\u{202e}']), "{tool} {arguments}");
        }
    }
}

/// What a page cuts off the next one has.
#[test]
fn the_pages_of_one_long_row_are_the_whole_of_it() {
    let repo = Repo::new("");
    let text: String = (0..400)
        .map(|n| format!("def function_{n}(größe): return {n}\n"))
        .collect();
    repo.write("long.py", &text);
    let kit = Kit::new(&repo.root());
    let arguments = json!({ "targets": ["long.py"], "max_tokens": 900, "format": "json" });
    let (rows, pages) = kit
        .pages("extract_code", &arguments, "blocks")
        .unwrap_or_else(|page| panic!("{}", page.text));
    assert!(pages.len() > 5);
    let all: String = rows.iter().map(|row| row["code"].as_str().unwrap()).collect();
    for n in 0..400 {
        assert!(all.contains(&format!("function_{n}(")), "{n}");
    }
    let body = "word ".repeat(9000);
    kit.json(
        "plan",
        json!({ "action": "save", "title": "Long", "content": body.trim() }),
    );
    let arguments = json!({ "action": "get", "title": "Long", "max_tokens": 2000 });
    let (rows, _) = kit
        .pages("plan", &arguments, "plans")
        .unwrap_or_else(|page| panic!("{}", page.text));
    let words = rows
        .iter()
        .map(|row| row["text"].as_str().unwrap().matches("word").count());
    assert_eq!(words.sum::<usize>(), 9000);
}

#[test]
fn a_page_says_that_rows_have_gone_since_the_one_before() {
    let repo = Repo::new("");
    for n in 0..6 {
        repo.write(&format!("{n}.txt"), "needle\n");
    }
    let kit = Kit::new(&repo.root());
    let ask = |cursor: Option<&str>| {
        let mut arguments = json!({ "query": "needle", "literal": true, "k": 2 });
        if let Some(cursor) = cursor {
            arguments["cursor"] = cursor.into();
        }
        kit.call("search_code", arguments)
    };
    let first = ask(None);
    let cursor = first.structured["next_cursor"].as_str().unwrap();
    assert!(!ask(Some(cursor)).text.contains("since the page before"));
    repo.remove("0.txt");
    repo.write("9.txt", "needle\n");
    let second = ask(Some(cursor));
    let note = "Files changed since the page before: rows may be missing";
    assert!(second.text.starts_with(note), "{}", second.text);
    repo.remove("1.txt");
    let second = ask(Some(cursor));
    assert!(
        second.text.starts_with("Changed since the page before, of 6:"),
        "{}",
        second.text
    );
}
