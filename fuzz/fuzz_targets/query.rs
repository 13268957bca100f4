//! Any text as a query, a pattern or a filter: an answer or an error that says what is wrong, and every hit of an exact
//! search, compared with a look at every line.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};
use test_fixture::Repo;

#[allow(dead_code, reason = "the tools' own tests use the rest")]
#[path = "../../crates/tools/tests/it/kit.rs"]
mod kit;

const FILES: &[(&str, &str)] = &[
    (
        "src/lib.rs",
        "pub fn parse_query(text: &str) -> Query {\n    lex(text).parse()\n}\n\nstruct Query;\n",
    ),
    (
        "app/main.py",
        "class HTTPServer:\n    def handle(self, größe):\n        return self.größe[0]\n",
    ),
    (
        "README.md",
        "# Queries\n\nGET /api/users/{id}\tand `a::b`, foo.bar().\n\u{2028}\u{212a}elvin ſharp İ\n",
    ),
];

static FIXTURE: LazyLock<(Repo, kit::Kit)> = LazyLock::new(|| {
    let repo = Repo::new("");
    for (path, text) in FILES {
        repo.write(path, text);
    }
    let kit = kit::Kit::new(&repo.root());
    (repo, kit)
});

fuzz_target!(|data: &[u8]| {
    let Some((pick, rest)) = data.split_first() else { return };
    let Ok(text) = std::str::from_utf8(rest) else { return };
    let kit = &FIXTURE.1;
    let ask = |tool: &str, arguments: Value| {
        let outcome = kit.call(tool, arguments);
        assert!(!outcome.text.is_empty());
        (!outcome.is_error()).then_some(outcome.structured)
    };
    let modes = ["auto", "hybrid", "keyword", "semantic", "definitions"];
    let glob = |key: &str| json!({ "query": "text", key: [text] });
    match pick % 13 {
        at @ 0..5 => {
            ask("search_code", json!({ "query": text, "mode": modes[at as usize] }));
        }
        5 => exact(
            text,
            text.contains('\n'),
            |line| line.contains(text),
            || ask("search_code", json!({ "query": text, "literal": true, "k": 100 })),
        ),
        at @ (6 | 7) => {
            let regex = regex::RegexBuilder::new(text).case_insensitive(at == 7).build();
            // What is said of the whole text, or of more than one line, is not said of a line.
            let whole = ["\\A", "\\z", "(?", "\\x", "\\u", "\\U", "\\b", "\\B"]
                .iter()
                .any(|part| text.contains(part));
            let skip = whole || regex.is_err();
            let matches = |line: &str| regex.as_ref().is_ok_and(|regex| regex.is_match(line));
            exact(text, skip, matches, || {
                ask("grep", json!({ "pattern": text, "ignore_case": at == 7 }))
            });
        }
        8 => drop(ask("search_code", glob("include"))),
        9 => drop(ask("search_code", glob("exclude"))),
        10 => drop(ask("find_file", json!({ "pattern": text, "pattern_type": "regex" }))),
        11 => drop(ask("find_file", json!({ "pattern": text }))),
        _ => drop(ask("find_symbol", json!({ "name": text }))),
    }
});

/// As many lines as a look at every one of them finds.
fn exact(text: &str, skip: bool, matches: impl Fn(&str) -> bool, ask: impl FnOnce() -> Option<Value>) {
    let Some(answer) = ask().filter(|_| !skip) else { return };
    let lines = FILES.iter().flat_map(|(_, text)| text.split_terminator('\n'));
    let expected = lines.filter(|line| matches(line)).count();
    let found = answer["lines_total"].as_u64().or_else(|| answer["total"].as_u64());
    assert_eq!(found, Some(expected as u64), "{text:?}: {answer}");
}
