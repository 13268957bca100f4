//! What takes forever, or all there is: files, patterns.

use std::{fs, os::unix::fs::symlink, time::Instant};

use serde_json::json;
use test_fixture::Repo;

use super::{AT_ONCE, REPO, everything};
use crate::server::Server;

#[test]
fn files_that_grow_when_they_are_understood_are_passed_over() {
    let repo = Repo::new(REPO);
    for (name, open, close) in [
        ("deep.js", "(", ")"),
        ("deep.rs", "{", "}"),
        ("deep.py", "[", "]"),
        ("deep.c", "(", ""),
        ("deep.json", "[", ""),
        ("deep.html", "<b>", ""),
        ("deep.md", "> ", ""),
        ("deep.yaml", "- ", ""),
    ] {
        // Deep enough for any stack; what takes long in a build without optimisation is less deep.
        let depth = match name {
            "deep.js" => 100_000,
            "deep.html" => 2_000,
            _ => 10_000,
        };
        repo.write(name, open.repeat(depth) + &close.repeat(depth));
    }
    repo.write(
        "insert.sql",
        format!("INSERT INTO t VALUES {}", "(1, 'x'),".repeat(20_000)),
    );
    repo.write("min.js", "function a(){return function(){return a()}};".repeat(4_000));
    let mut state = 1u32;
    let mut noise = || {
        let next = |_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            // Without NUL, which would make it binary.
            (state >> 24) as u8 | 1
        };
        (0..5_000).map(next).collect::<Vec<u8>>()
    };
    for ending in [
        "rs", "py", "ts", "go", "java", "c", "cpp", "rb", "php", "hs", "sql", "toml", "vue", "pl",
    ] {
        repo.write(&format!("noise.{ending}"), noise());
    }
    let sparse = fs::File::create(repo.path("sparse.txt")).unwrap();
    sparse.set_len(10 << 30).unwrap();
    symlink("/dev/zero", repo.path("zero.txt")).unwrap();
    let mut server = Server::initialized(&repo.root(), &[]);
    let start = Instant::now();
    let indexed = server.call("index_repository", json!({}));
    assert_ne!(indexed["isError"], true, "{indexed}");
    assert!(start.elapsed() < 3 * AT_ONCE, "{:?}", start.elapsed());
    let paths = [
        "deep.js",
        "deep.rs",
        "deep.md",
        "noise.rs",
        "noise.hs",
        "insert.sql",
        "sparse.txt",
        "zero.txt",
    ];
    let answers = everything(&mut server, &repo.root(), &paths);
    let found = answers.iter().find(|(what, _)| what.starts_with("find_symbol"));
    let found = &found.expect("a symbol is looked for").1["structuredContent"];
    assert_eq!(found["definitions"][0]["path"], "src/lib.rs", "{found}");
    let status = server.call("index_status", json!({ "max_tokens": 20_000 })).to_string();
    assert!(
        status.contains("sparse.txt") && status.contains("too large"),
        "{status}"
    );
}

#[test]
fn types_that_hold_each_other_over_and_over_are_given_up() {
    let repo = Repo::new(REPO);
    let levels = 24;
    let aliases = (1..levels).map(|n| {
        let inner = n - 1;
        format!("type P{n}<T> = P{inner}<P{inner}<T> & {{ x{n}: P{inner}<T> }}> | P{inner}<T[]>\n")
    });
    let aliases: String = aliases.collect();
    repo.write(
        "a.ts",
        format!(
            "type P0<T> = {{ v: T; w: T }}\n{aliases}declare function make<T>(x: T): P{}<T>\n\
             export function go(shape: Shape) {{ make(shape).v.area(); shape.area() }}\n\
             export class Shape {{ area() {{ return 1 }} }}\n",
            levels - 1
        ),
    );
    let mut server = Server::initialized(&repo.root(), &[]);
    let paths = ["a.ts"];
    everything(&mut server, &repo.root(), &paths);
    for tool in ["find_references", "find_callers", "deep_dive", "impact_analysis"] {
        let start = Instant::now();
        let answer = server.call(tool, json!({ "symbol": "Shape.area" })).to_string();
        assert!(answer.contains("a.ts") && answer.contains("go"), "{tool}: {answer}");
        assert!(start.elapsed() < AT_ONCE, "{tool} took {:?}", start.elapsed());
    }
}

#[test]
fn patterns_that_explode_are_answered_or_refused() {
    let repo = Repo::new(REPO);
    repo.write("a.txt", "a".repeat(1_000_000) + "!\n");
    let mut server = Server::initialized(&repo.root(), &[]);
    server.call("index_repository", json!({}));
    let long = "x|".repeat(500_000);
    for pattern in [
        "(a+)+$",
        "(a|a)*b",
        "(a*)*(a*)*(a*)*z",
        "^(([a-z])+.)+[A-Z]([a-z])+$",
        r"\pL{1000}{1000}",
        "a{1000}{1000}{1000}",
        "((((((((((a?){30}){30}){30}){30}){30}){30}){30}){30}){30})",
        ".*.*.*.*=.*",
        &"(".repeat(100_000),
        &long,
    ] {
        for (tool, arguments) in [
            ("grep", json!({ "pattern": pattern })),
            (
                "grep",
                json!({ "pattern": pattern, "ignore_case": true, "count": true }),
            ),
            ("find_file", json!({ "pattern": pattern, "pattern_type": "regex" })),
            ("find_file", json!({ "pattern": pattern })),
            ("search_code", json!({ "query": pattern })),
            ("find_symbol", json!({ "name": pattern })),
        ] {
            let start = Instant::now();
            server.call(tool, arguments);
            let pattern: String = pattern.chars().take(40).collect();
            assert!(start.elapsed() < AT_ONCE, "{tool} {pattern}: {:?}", start.elapsed());
        }
    }
    let globs = [
        "{".repeat(10_000),
        "{a,b}".repeat(30),
        "**/".repeat(1000),
        "[!".repeat(1000),
    ];
    for glob in globs {
        server.call("find_file", json!({ "pattern": glob }));
        server.call("search_code", json!({ "query": "foo", "path": [glob] }));
    }
    server.assert_alive();
}
