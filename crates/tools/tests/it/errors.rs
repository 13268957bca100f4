//! Every way to ask wrongly, and what comes back: a code, what is wrong, what to do next.

use std::{fmt::Write, fs};

use expect_test::expect;
use serde_json::{Value, json};
use test_fixture::Repo;

use crate::kit::Kit;

const REPO: &str = "
//- /src/lib.rs
pub fn alpha() {}
//- /secret.pem
-----BEGIN PRIVATE KEY-----
";

/// One line a call: the arguments, the code, the message; the hint below.
fn table(kit: &Kit, calls: &[(&str, Value)]) -> String {
    let mut out = String::new();
    for (tool, arguments) in calls {
        let outcome = kit.call(tool, arguments.clone());
        let mut shown = kit.steady(&arguments.to_string());
        if shown.len() > 100 {
            let end = shown.floor_char_boundary(60);
            shown = format!("{}... ({} bytes)", &shown[..end], shown.len());
        }
        assert!(outcome.is_error(), "{tool} {shown} succeeds: {}", outcome.text);
        let error = &outcome.structured["error"];
        let (message, hint) = (error["message"].as_str().unwrap(), error["hint"].as_str().unwrap());
        let sentence = |text: &str| match text.trim_end_matches('.') {
            text if text.ends_with('?') => text.to_owned(),
            text => format!("{text}."),
        };
        assert_eq!(
            outcome.text,
            format!("Error: {}\nHint: {}", sentence(message), sentence(hint))
        );
        let row = format!("{tool} {shown}\n  {} {message}\n  {hint}\n", error["code"]);
        let _ = write!(out, "{}", kit.steady(&row));
    }
    out
}

#[test]
fn arguments_that_do_not_fit() {
    let repo = Repo::new(REPO);
    let kit = Kit::new(&repo.root());
    let calls = [
        ("search_code", json!({})),
        ("search_code", json!({ "query": "" })),
        ("search_code", json!({ "query": " \t " })),
        ("search_code", json!({ "query": "é".repeat(20_001) })),
        ("search_code", json!({ "query": ["a", "b"] })),
        ("search_code", json!({ "query": "a", "k": 0 })),
        ("search_code", json!({ "query": "a", "k": -1 })),
        ("search_code", json!({ "query": "a", "k": 1.5 })),
        ("search_code", json!({ "query": "a", "k": "five" })),
        ("search_code", json!({ "query": "a", "literal": "perhaps" })),
        ("search_code", json!({ "query": "a", "mode": "keyward" })),
        ("search_code", json!({ "query": "a", "context_lines": 51 })),
        ("search_code", json!({ "query": "a", "langage": "rust" })),
        ("search_code", json!({ "query": "a", "maxTokns": 5 })),
        ("search_code", json!({ "query": "a", "zzz": 5 })),
        ("search_code", json!({ "query": "a", "language": "rustt" })),
        ("search_code", json!({ "query": "a", "language": "%" })),
        ("search_code", json!({ "query": "a", "path": "src/[" })),
        ("search_code", json!({ "query": "a", "exclude": ["{a"] })),
        ("search_code", json!({ "query": "a", "path": "../elsewhere" })),
        ("search_code", json!({ "query": "a", "max_tokens": 0 })),
        ("search_code", json!({ "query": "alpha", "max_tokens": 5 })),
        ("search_code", json!({ "query": "a", "format": "xml" })),
        ("search_code", json!({ "query": "a", "cursor": "x" })),
        ("search_code", json!({ "query": "a", "cursor": "p1.00000000" })),
        (
            "search_code",
            json!({ "query": "a", "cursor": "p99999999999999999999999.0" }),
        ),
        ("find_symbol", json!({})),
        ("find_symbol", json!({ "name": " " })),
        ("find_symbol", json!({ "name": "a", "kind": "functon" })),
        ("find_symbol", json!({ "name": "a", "kind": "%" })),
        ("find_symbol", json!({ "name": "a", "language": "rustt" })),
        ("find_symbol", json!({ "name": "a", "path": "src/[" })),
        ("find_symbol", json!({ "name": "a", "limit": 0 })),
        ("find_definition", json!({})),
        ("find_definition", json!({ "symbol": "a", "line": 1 })),
        ("find_definition", json!({ "file": "src/lib.rs" })),
        ("find_definition", json!({ "file": "src/lob.rs", "line": 1 })),
        ("find_definition", json!({ "file": "src/lib.rs", "line": 9 })),
        ("find_definition", json!({ "file": "src/lib.rs", "line": 0 })),
        (
            "find_definition",
            json!({ "file": "src/lib.rs", "line": 1, "column": 1 }),
        ),
        (
            "find_definition",
            json!({ "file": "src/lib.rs", "line": 1, "symbol": "beta" }),
        ),
        ("grep", json!({ "pattern": "a(" })),
        ("grep", json!({ "pattern": "[z-a]" })),
        ("grep", json!({ "pattern": r"\pL{1000}{1000}" })),
        ("grep", json!({ "pattern": "a", "context": 21 })),
        ("grep", json!({ "pattern": "a", "paths": ["x{"] })),
        ("find_file", json!({ "pattern": "a[" })),
        ("find_file", json!({ "pattern": "a(", "pattern_type": "regex" })),
        ("list_files", json!({ "sort": "date" })),
        ("manage_workspace", json!({ "operation": "indx" })),
        ("manage_workspace", json!({ "operation": "add" })),
        ("manage_workspace", json!({ "operation": "remove" })),
    ];
    let expected = expect![[r#"
        search_code {}
          -32602 `query` is missing
          see the tool's schema for what it takes
        search_code {"query":""}
          -32602 `query` is empty
          give a non-empty `query`
        search_code {"query":" \t "}
          -32602 `query` is empty
          give a non-empty `query`
        search_code {"query":"ééééééééééééééééééééééééé... (40014 bytes)
          -32602 `query` is 20001 characters long, at most 20000 are allowed
          shorten it to 20000 characters
        search_code {"query":["a","b"]}
          -32602 `query` must be a text, not ["a","b"]
          see the tool's schema for what it takes
        search_code {"query":"a","k":0}
          -32602 `k` is 0, it must be from 1 to 100
          use a value from 1 to 100
        search_code {"query":"a","k":-1}
          -32602 `k` is -1, it must be from 1 to 100
          use a value from 1 to 100
        search_code {"query":"a","k":1.5}
          -32602 `k` must be a whole number, not 1.5
          see the tool's schema for what it takes
        search_code {"query":"a","k":"five"}
          -32602 `k` must be a whole number, not "five"
          see the tool's schema for what it takes
        search_code {"query":"a","literal":"perhaps"}
          -32602 `literal` must be true or false, not "perhaps"
          see the tool's schema for what it takes
        search_code {"query":"a","mode":"keyward"}
          -32602 `mode` must be one of auto, hybrid, keyword, semantic, definitions, not `keyward`
          did you mean `keyword`?
        search_code {"query":"a","context_lines":51}
          -32602 `context_lines` is 51, it must be from 0 to 50
          use a value from 0 to 50
        search_code {"query":"a","langage":"rust"}
          -32602 search_code has no parameter `langage`
          did you mean `language`?
        search_code {"query":"a","maxTokns":5}
          -32602 search_code has no parameter `maxTokns`
          did you mean `max_tokens`?
        search_code {"query":"a","zzz":5}
          -32602 search_code has no parameter `zzz`
          it takes query, mode, literal, k, language, path, exclude, exclude_tests, context_lines, explain, workspace, max_tokens, cursor, format
        search_code {"query":"a","language":"rustt"}
          -32602 unknown language `rustt`
          did you mean `rust`?
        search_code {"query":"a","language":"%"}
          -32602 unknown language `%`
          index_status lists this workspace's languages
        search_code {"query":"a","path":"src/["}
          -32602 bad glob `src/[`: unclosed character class; missing ']'
          globs look like `src/**/*.rs` or `*.{ts,tsx}`
        search_code {"query":"a","exclude":["{a"]}
          -32602 bad glob `{a`: unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?)
          globs look like `src/**/*.rs` or `*.{ts,tsx}`
        search_code {"query":"a","path":"../elsewhere"}
          -32001 `../elsewhere` is outside the workspace
          give a path inside the workspace, or the absolute path of a file in another repository
        search_code {"query":"a","max_tokens":0}
          -32602 `max_tokens` is 0, it must be from 1 to 20000
          use a value from 1 to 20000
        search_code {"query":"alpha","max_tokens":5}
          -32602 max_tokens 5 is too small for this answer
          give at least 300
        search_code {"query":"a","format":"xml"}
          -32602 `format` must be one of text, json, not `xml`
          see the tool's schema for what it takes
        search_code {"query":"a","cursor":"x"}
          -32602 `cursor` was not issued by this server
          repeat the call that gave the cursor with the same arguments, or leave the cursor out
        search_code {"query":"a","cursor":"p1.00000000"}
          -32602 `cursor` belongs to a call with other arguments
          repeat the call that gave the cursor with the same arguments, or leave the cursor out
        search_code {"query":"a","cursor":"p99999999999999999999999.0"}
          -32602 `cursor` was not issued by this server
          repeat the call that gave the cursor with the same arguments, or leave the cursor out
        find_symbol {}
          -32602 `name` is missing
          see the tool's schema for what it takes
        find_symbol {"name":" "}
          -32602 `name` is empty
          give a non-empty `name`
        find_symbol {"name":"a","kind":"functon"}
          -32602 `functon` is not a kind of symbol
          did you mean `function`?
        find_symbol {"name":"a","kind":"%"}
          -32602 `%` is not a kind of symbol
          kinds are function, method, constructor, class, struct, enum, interface, trait, union, object, type, module, namespace, constant, variable, field, property, variant, macro, event, test, impl, heading, key, selector, element, table, view, index, target, stage, block
        find_symbol {"name":"a","language":"rustt"}
          -32602 unknown language `rustt`
          did you mean `rust`?
        find_symbol {"name":"a","path":"src/["}
          -32602 bad glob `src/[`: unclosed character class; missing ']'
          globs look like `src/**/*.rs` or `*.{ts,tsx}`
        find_symbol {"name":"a","limit":0}
          -32602 `limit` is 0, it must be from 1 to 500
          use a value from 1 to 500
        find_definition {}
          -32602 give `symbol`, or `file` and `line`
          a symbol is `parse` or `Parser::parse`; a position is `file` and `line`, and `column` if known
        find_definition {"symbol":"a","line":1}
          -32602 `file` is missing: which file is the position in?
          a symbol is `parse` or `Parser::parse`; a position is `file` and `line`, and `column` if known
        find_definition {"file":"src/lib.rs"}
          -32602 `line` is missing: where in the file is the name used?
          a symbol is `parse` or `Parser::parse`; a position is `file` and `line`, and `column` if known
        find_definition {"file":"src/lob.rs","line":1}
          -32001 `src/lob.rs` does not exist
          did you mean `src/lib.rs`?
        find_definition {"file":"src/lib.rs","line":9}
          -32602 `src/lib.rs` has no line 9: it has 1
          lines count from 1; read_file shows the file
        find_definition {"file":"src/lib.rs","line":0}
          -32602 `line` is 0, it must be 1 or more
          use a value 1 or more
        find_definition {"file":"src/lib.rs","line":1,"column":1}
          -32602 no name is used at src/lib.rs:1:1
          the names on that line are alpha (column 8)
        find_definition {"file":"src/lib.rs","line":1,"symbol":"beta"}
          -32602 `beta` is not used at src/lib.rs:1
          the names on that line are alpha (column 8)
        grep {"pattern":"a("}
          -32602 bad regular expression `a(`: unclosed group
          escape special characters with `\`, or use search_code with literal: true
        grep {"pattern":"[z-a]"}
          -32602 bad regular expression `[z-a]`: invalid character class range, the start must be <= the end
          escape special characters with `\`, or use search_code with literal: true
        grep {"pattern":"\\pL{1000}{1000}"}
          -32602 bad regular expression `\pL{1000}{1000}`: compiled regex exceeds size limit of 10485760
          escape special characters with `\`, or use search_code with literal: true
        grep {"pattern":"a","context":21}
          -32602 `context` is 21, it must be from 0 to 20
          use a value from 0 to 20
        grep {"pattern":"a","paths":["x{"]}
          -32602 bad glob `x{`: unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?)
          globs look like `src/**/*.rs` or `*.{ts,tsx}`
        find_file {"pattern":"a["}
          -32602 bad glob `a[`: unclosed character class; missing ']'
          globs look like `src/**/*.rs` or `*.{ts,tsx}`
        find_file {"pattern":"a(","pattern_type":"regex"}
          -32602 bad regular expression `a(`: unclosed group
          escape special characters with `\`, or use search_code with literal: true
        list_files {"sort":"date"}
          -32602 `sort` must be one of alpha, size, indexed, not `date`
          see the tool's schema for what it takes
        manage_workspace {"operation":"indx"}
          -32602 `operation` must be one of index, list, add, remove, stats, clean, refresh, health, not `indx`
          did you mean `index`?
        manage_workspace {"operation":"add"}
          -32602 `path` is missing: which directory is to be added?
          see the tool's schema for what it takes
        manage_workspace {"operation":"remove"}
          -32602 `name` is missing: which session is to be removed?
          see the tool's schema for what it takes
    "#]];
    expected.assert_eq(&table(&kit, &calls));
}

#[test]
fn queries_that_cannot_be_meant() {
    let repo = Repo::new(REPO);
    let kit = Kit::new(&repo.root());
    let calls = [
        "\"unbalanced",
        "a \"b c",
        "code:alpha",
        "pth:src",
        "class:alpha",
        "lang:rustt",
        "path:src/[",
        "kind:functon",
        "kind:%",
        "alpha AND [",
    ]
    .map(|query| ("search_code", json!({ "query": query })));
    let expected = expect![[r#"
        search_code {"query":"\"unbalanced"}
          -32004 the quote at character 1 is not closed
          close the quote, or use literal: true to search for the text as it is
        search_code {"query":"a \"b c"}
          -32004 the quote at character 3 is not closed
          close the quote, or use literal: true to search for the text as it is
        search_code {"query":"code:alpha"}
          -32602 `code:` is not a search field
          did you mean `content:`? Valid are content:, file_path:, path:, symbol:, lang:, kind:. In quotes it is plain text
        search_code {"query":"pth:src"}
          -32602 `pth:` is not a search field
          did you mean `path:`? Valid are content:, file_path:, path:, symbol:, lang:, kind:. In quotes it is plain text
        search_code {"query":"class:alpha"}
          -32602 `class:` is not a search field
          did you mean `kind:`? Valid are content:, file_path:, path:, symbol:, lang:, kind:. In quotes it is plain text
        search_code {"query":"lang:rustt"}
          -32602 unknown language `rustt`
          did you mean `rust`?
        search_code {"query":"path:src/["}
          -32602 bad glob `src/[`: unclosed character class; missing ']'
          globs look like `src/**/*.rs` or `*.{ts,tsx}`
        search_code {"query":"kind:functon"}
          -32602 `functon` is not a kind of symbol
          did you mean `function`?
        search_code {"query":"kind:%"}
          -32602 `%` is not a kind of symbol
          kinds are function, method, constructor, class, struct, enum, interface, trait, union, object, type, module, namespace, constant, variable, field, property, variant, macro, event, test, impl, heading, key, selector, element, table, view, index, target, stage, block
        search_code {"query":"alpha AND ["}
          -32004 `[` holds no word to search for
          use literal: true to search for punctuation
    "#]];
    expected.assert_eq(&table(&kit, &calls));
}

/// Over HTTP the root is all that there is; on the user's own machine other repositories are read by absolute path.
#[test]
fn a_confined_server_reads_nothing_outside() {
    let repo = Repo::new(REPO);
    let other = repo.beside("other");
    fs::create_dir_all(other.join(".git")).unwrap();
    fs::write(other.join("a.rs"), "fn other() {}").unwrap();
    let file = other.join("a.rs");
    let calls = [
        ("read_file", json!({ "path": file })),
        ("get_symbols", json!({ "file_path": file })),
        ("extract_code", json!({ "targets": [format!("{}:1", file.display())] })),
        ("map_code", json!({ "path": other })),
        ("grep", json!({ "pattern": "other", "paths": [other] })),
        ("search_code", json!({ "query": "other", "workspace": other })),
    ];
    let (kit, confined) = (Kit::new(&repo.root()), Kit::confined(&repo.root()));
    for (tool, arguments) in calls {
        let shown = |text: &str| text.contains("other()");
        let read = kit.call(tool, arguments.clone());
        assert!(!read.is_error() && shown(&read.text), "{tool}: {}", read.text);
        let refused = confined.call(tool, arguments);
        assert!(!shown(&refused.text), "{tool}: {}", refused.text);
    }
    assert_eq!(confined.rows("list_sessions", &json!({}), "sessions").len(), 1);
}

#[test]
fn paths_that_are_not_for_reading() {
    let repo = Repo::new(REPO);
    let evil = repo.beside("repo-evil");
    fs::create_dir(&evil).unwrap();
    fs::write(evil.join("loot.txt"), "loot").unwrap();
    repo.write("blob.bin", b"a\0b");
    repo.write(".git/config", "[core]");
    #[cfg(unix)]
    std::os::unix::fs::symlink(evil.join("loot.txt"), repo.path("link.txt")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(&evil, repo.path("linked")).unwrap();
    let kit = Kit::new(&repo.root());
    let root = repo.root().to_str().unwrap().to_owned();
    let mut calls = Vec::new();
    for path in [
        "../repo-evil/loot.txt",
        "src/../../repo-evil/loot.txt",
        "/etc/passwd",
        &format!("{root}/../repo-evil/loot.txt"),
        "link.txt",
        "linked/loot.txt",
        "secret.pem",
        ".git/config",
        "blob.bin",
        "src",
        "src/lob.rs",
        "nothing.like.it",
        "",
        ".",
        "a\0b",
    ] {
        calls.push(("read_file", json!({ "path": path })));
    }
    calls.extend([
        ("read_file", json!({ "path": "src/lib.rs", "offset": 1000 })),
        ("read_file", json!({ "path": "src/lib.rs", "offset": -1 })),
        ("read_file", json!({ "path": "src/lib.rs", "length": 20001 })),
        ("read_file", json!({ "path": "src/lib.rs", "max_tokens": 3 })),
        ("preview_chunk", json!({ "file_path": "src/lib.rs" })),
        ("preview_chunk", json!({ "file_path": "src/lib.rs", "chunk_index": -1 })),
        ("preview_chunk", json!({ "file_path": "src/lib.rs", "chunk_index": 1 })),
        (
            "preview_chunk",
            json!({ "file_path": "src/lib.rs", "chunk_index": 0, "context_lines": 101 }),
        ),
        ("preview_chunk", json!({ "file_path": "src/lob.rs", "chunk_index": 0 })),
        ("preview_chunk", json!({ "file_path": "blob.bin", "chunk_index": 0 })),
        (
            "preview_chunk",
            json!({ "file_path": "../repo-evil/loot.txt", "chunk_index": 0 }),
        ),
        ("preview_chunk", json!({ "file_path": "secret.pem", "chunk_index": 0 })),
        (
            "preview_chunk",
            json!({ "file_path": "linked/loot.txt", "chunk_index": 0 }),
        ),
    ]);
    let expected = expect![[r#"
        read_file {"path":"../repo-evil/loot.txt"}
          -32001 `../repo-evil/loot.txt` is outside the workspace
          give a path inside the workspace, or the absolute path of a file in another repository
        read_file {"path":"src/../../repo-evil/loot.txt"}
          -32001 `src/../../repo-evil/loot.txt` is outside the workspace
          give a path inside the workspace, or the absolute path of a file in another repository
        read_file {"path":"/etc/passwd"}
          -32001 `/etc/passwd` is outside the workspace
          give a path inside the workspace, or the absolute path of a file in another repository
        read_file {"path":"$ROOT/../repo-evil/loot.txt"}
          -32001 `$ROOT/../repo-evil/loot.txt` is outside the workspace
          give a path inside the workspace, or the absolute path of a file in another repository
        read_file {"path":"link.txt"}
          -32001 `link.txt` is outside the workspace
          give a path inside the workspace, or the absolute path of a file in another repository
        read_file {"path":"linked/loot.txt"}
          -32001 `linked/loot.txt` is outside the workspace
          give a path inside the workspace, or the absolute path of a file in another repository
        read_file {"path":"secret.pem"}
          -32001 `secret.pem` is not shown: it may hold secrets, by its name
          choose another file; index_status lists skipped files
        read_file {"path":".git/config"}
          -32001 `.git/config` is not shown: it belongs to version control itself
          choose another file; index_status lists skipped files
        read_file {"path":"blob.bin"}
          -32001 `blob.bin` is not shown: it is a binary file
          choose another file; index_status lists skipped files
        read_file {"path":"src"}
          -32001 `src` is a directory
          map_code and get_symbols take directories; find_file lists what is in one: `dir/**`
        read_file {"path":"src/lob.rs"}
          -32001 `src/lob.rs` does not exist
          find_file finds paths by pattern
        read_file {"path":"nothing.like.it"}
          -32001 `nothing.like.it` does not exist
          find_file finds paths by pattern
        read_file {"path":""}
          -32602 `path` is empty
          give a non-empty `path`
        read_file {"path":"."}
          -32602 `.`: the path is empty
          give a path relative to the workspace root
        read_file {"path":"a\u0000b"}
          -32602 `a\u{0}b`: the path contains a NUL character
          give a path relative to the workspace root
        read_file {"path":"src/lib.rs","offset":1000}
          -32602 offset 1000 is behind the end: `src/lib.rs` has 18 characters
          use a smaller offset
        read_file {"path":"src/lib.rs","offset":-1}
          -32602 `offset` is -1, it must be 0 or more
          use a value 0 or more
        read_file {"path":"src/lib.rs","length":20001}
          -32602 `length` is 20001, it must be from 1 to 20000
          use a value from 1 to 20000
        read_file {"path":"src/lib.rs","max_tokens":3}
          -32602 max_tokens 3 is too small for this answer
          give at least 200
        preview_chunk {"file_path":"src/lib.rs"}
          -32602 `chunk_index` is missing
          see the tool's schema for what it takes
        preview_chunk {"file_path":"src/lib.rs","chunk_index":-1}
          -32602 `chunk_index` is -1, it must be from 0 to 4294967295
          use a value from 0 to 4294967295
        preview_chunk {"file_path":"src/lib.rs","chunk_index":1}
          -32001 `src/lib.rs` has no chunk 1: it has 1
          chunk indexes count from 0; search_code shows them
        preview_chunk {"file_path":"src/lib.rs","chunk_index":0,"context_lines":101}
          -32602 `context_lines` is 101, it must be from 0 to 100
          use a value from 0 to 100
        preview_chunk {"file_path":"src/lob.rs","chunk_index":0}
          -32001 `src/lob.rs` does not exist
          did you mean `src/lib.rs`?
        preview_chunk {"file_path":"blob.bin","chunk_index":0}
          -32001 `blob.bin` is not shown: it is not indexed: binary: it contains NUL bytes
          choose another file; index_status lists skipped files
        preview_chunk {"file_path":"../repo-evil/loot.txt","chunk_index":0}
          -32001 `../repo-evil/loot.txt` is outside the workspace
          give a path inside the workspace, or the absolute path of a file in another repository
        preview_chunk {"file_path":"secret.pem","chunk_index":0}
          -32001 `secret.pem` is not shown: it is not indexed: may hold secrets, by its name
          choose another file; index_status lists skipped files
        preview_chunk {"file_path":"linked/loot.txt","chunk_index":0}
          -32001 `linked/loot.txt` does not exist
          find_file finds paths by pattern
    "#]];
    expected.assert_eq(&table(&kit, &calls));
    // Nothing of what is outside or secret is in any answer.
    for needle in ["loot", "PRIVATE"] {
        assert_eq!(kit.paths_with(needle), Vec::<String>::new());
    }
}

/// Taking over a name with settings that are refused leaves the session that has it as it is.
#[test]
fn what_is_refused_costs_no_index() {
    let (repo, other) = (Repo::new("//- /a.txt\nalpha\n"), Repo::new("//- /b.txt\nbeta\n"));
    let kit = Kit::new(&repo.root());
    kit.json("index_repository", json!({ "path": repo.root(), "session": "alpha" }));
    let refused = kit.call(
        "index_repository",
        json!({ "path": other.root(), "session": "alpha", "force": true, "exclude_patterns": ["a[b"] }),
    );
    assert!(refused.is_error(), "{}", refused.text);
    let info = kit.json("get_session_info", json!({ "session": "alpha" }));
    assert_eq!(
        (&info["files"], &info["root"]),
        (&json!(1), &json!(repo.root())),
        "{info}"
    );
}

#[test]
fn sessions_that_are_not_there_or_not_allowed() {
    let repo = Repo::new(REPO);
    let kit = Kit::new(&repo.root());
    let other = repo.beside("other");
    fs::create_dir(&other).unwrap();
    let gone = repo.beside("gone");
    fs::create_dir(&gone).unwrap();
    let root = repo.root();
    kit.json("index_repository", json!({ "path": root, "session": "alpha" }));
    kit.json("index_repository", json!({ "path": gone, "session": "gone" }));
    fs::remove_dir(&gone).unwrap();
    let calls = [
        ("search_code", json!({ "query": "a", "workspace": "alpah" })),
        ("search_code", json!({ "query": "a", "workspace": "qqq" })),
        ("search_code", json!({ "query": "a", "workspace": "/no/such/dir" })),
        (
            "search_code",
            json!({ "query": "a", "workspace": root.join("src/lib.rs") }),
        ),
        ("search_code", json!({ "query": "a", "workspace": "gone" })),
        ("get_session_info", json!({ "session": "alpah" })),
        ("get_session_info", json!({})),
        ("index_repository", json!({ "path": "relative/dir" })),
        ("index_repository", json!({ "path": "/no/such/dir" })),
        ("index_repository", json!({ "path": root.join("src/lib.rs") })),
        ("index_repository", json!({ "path": root, "session": "a b" })),
        ("index_repository", json!({ "path": root, "session": "x".repeat(65) })),
        ("index_repository", json!({ "path": other, "session": "alpha" })),
        ("index_repository", json!({ "path": root, "chunk_size": 99 })),
        ("index_repository", json!({ "path": root, "chunk_size": 2001 })),
        (
            "index_repository",
            json!({ "path": root, "chunk_size": 200, "overlap": 200 }),
        ),
        ("index_repository", json!({ "path": root, "exclude_patterns": ["a[b"] })),
        ("reindex_session", json!({ "session": "alpha" })),
        (
            "reindex_session",
            json!({ "session": "alpha", "chunk_size": 512, "overlap": 64 }),
        ),
        ("reindex_session", json!({ "session": "alpha", "chunk_size": 99 })),
        ("reindex_session", json!({ "session": "alpha", "chunk_size": 2001 })),
        (
            "reindex_session",
            json!({ "session": "alpha", "chunk_size": 100, "overlap": 100 }),
        ),
        ("reindex_session", json!({ "session": "nope" })),
        ("reindex_session", json!({ "session": "gone", "force": true })),
        ("upgrade_session", json!({ "session": "nope" })),
        ("delete_session", json!({ "session": "alpha" })),
        ("delete_session", json!({ "session": "alpha", "confirm": false })),
        ("delete_session", json!({ "session": "nope", "confirm": true })),
        ("manage_workspace", json!({ "operation": "remove", "name": "nope" })),
    ];
    let expected = expect![[r#"
        search_code {"query":"a","workspace":"alpah"}
          -32001 no workspace or session `alpah`
          did you mean `alpha`?
        search_code {"query":"a","workspace":"qqq"}
          -32001 no workspace or session `qqq`
          list_sessions shows what there is; a directory path works too
        search_code {"query":"a","workspace":"/no/such/dir"}
          -32602 /no/such/dir does not exist
          give the absolute path of an existing directory
        search_code {"query":"a","workspace":"$ROOT/src/lib.rs"}
          -32602 $ROOT/src/lib.rs is not a directory
          the workspace is a directory; to look at one file of it give that as `path`
        search_code {"query":"a","workspace":"gone"}
          -32001 $PARENT/gone is no longer there
          the repository was moved or deleted: index it where it is now, or delete_session; `portolan memory export` has what was noted
        get_session_info {"session":"alpah"}
          -32001 no workspace or session `alpah`
          did you mean `alpha`?
        get_session_info {}
          -32602 `session` is missing
          see the tool's schema for what it takes
        index_repository {"path":"relative/dir"}
          -32602 `path` must be absolute, not `relative/dir`
          give the absolute path of the directory, or no `path` for the server's own root
        index_repository {"path":"/no/such/dir"}
          -32602 /no/such/dir does not exist
          give the absolute path of an existing directory
        index_repository {"path":"$ROOT/src/lib.rs"}
          -32602 $ROOT/src/lib.rs is not a directory
          the workspace is a directory; to look at one file of it give that as `path`
        index_repository {"path":"$ROOT","session":"a b"}
          -32602 `a b` is not a session name: 1 to 64 letters, digits, `-` or `_`
          choose another name, e.g. `my-project`
        index_repository {"path":"$ROOT","session":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}
          -32602 `xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx` is not a session name: 1 to 64 letters, digits, `-` or `_`
          choose another name, e.g. `my-project`
        index_repository {"path":"$PARENT/other","session":"alpha"}
          -32602 session `alpha` already indexes $ROOT
          choose another session name, or delete_session that one first
        index_repository {"path":"$ROOT","chunk_size":99}
          -32602 `chunk_size` is 99, it must be from 100 to 2000
          use a value from 100 to 2000
        index_repository {"path":"$ROOT","chunk_size":2001}
          -32602 `chunk_size` is 2001, it must be from 100 to 2000
          use a value from 100 to 2000
        index_repository {"path":"$ROOT","chunk_size":200,"overlap":200}
          -32602 overlap is 200, it must be from 0 to 199 (less than chunk_size)
          correct the value and try again
        index_repository {"path":"$ROOT","exclude_patterns":["a[b"]}
          -32602 bad glob `a[b`: unclosed character class; missing ']'
          globs look like `src/**/*.rs` or `*.{ts,tsx}`
        reindex_session {"session":"alpha"}
          -32001 the configuration of `alpha` is unchanged
          give another chunk_size or overlap, or force: true to index it all again
        reindex_session {"session":"alpha","chunk_size":512,"overlap":64}
          -32001 the configuration of `alpha` is unchanged
          give another chunk_size or overlap, or force: true to index it all again
        reindex_session {"session":"alpha","chunk_size":99}
          -32602 `chunk_size` is 99, it must be from 100 to 2000
          use a value from 100 to 2000
        reindex_session {"session":"alpha","chunk_size":2001}
          -32602 `chunk_size` is 2001, it must be from 100 to 2000
          use a value from 100 to 2000
        reindex_session {"session":"alpha","chunk_size":100,"overlap":100}
          -32602 overlap is 100, it must be from 0 to 99 (less than chunk_size)
          correct the value and try again
        reindex_session {"session":"nope"}
          -32001 no workspace or session `nope`
          list_sessions shows what there is; a directory path works too
        reindex_session {"session":"gone","force":true}
          -32001 $PARENT/gone is no longer there
          the repository was moved or deleted: index it where it is now, or delete_session; `portolan memory export` has what was noted
        upgrade_session {"session":"nope"}
          -32001 no workspace or session `nope`
          list_sessions shows what there is; a directory path works too
        delete_session {"session":"alpha"}
          -32602 `confirm` is missing
          see the tool's schema for what it takes
        delete_session {"session":"alpha","confirm":false}
          -32001 deleting `alpha` needs confirm: true
          set confirm to true to delete it for good
        delete_session {"session":"nope","confirm":true}
          -32001 no workspace or session `nope`
          list_sessions shows what there is; a directory path works too
        manage_workspace {"operation":"remove","name":"nope"}
          -32001 no workspace or session `nope`
          list_sessions shows what there is; a directory path works too
    "#]];
    expected.assert_eq(&table(&kit, &calls));
    // A refused change is no change.
    let info = kit.json("get_session_info", json!({ "session": "alpha" }));
    assert_eq!((&info["chunk_size"], &info["overlap"]), (&json!(512), &json!(64)));
    let excluded = info["exclude_patterns"].as_array().expect("a list");
    assert!(!excluded.contains(&json!("a[b")), "{info}");
}
