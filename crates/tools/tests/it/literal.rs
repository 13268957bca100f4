//! Literal search and grep find what looking at every line finds: nothing missed, nothing else.

use proptest::prelude::*;
use serde_json::{Value, json};
use test_fixture::Repo;

use crate::kit::{Kit, string};

/// Pieces that matter to tokenizers, regular expressions, escapes and encodings.
const PIECES: &[&str] = &[
    "foo",
    "Foo",
    "bar_baz",
    "fooBar",
    "a",
    "aa",
    "aaa",
    " ",
    "  ",
    "\t",
    "\n",
    "\n\n",
    "\r\n",
    "(",
    ")",
    "[",
    "]",
    "{id}",
    "\\",
    "\\n",
    "\"",
    "'",
    ".",
    ".*",
    "^",
    "$",
    "|",
    "?",
    "+",
    "é",
    "e\u{301}",
    "ß",
    "日本",
    "🦀",
    "\u{200b}",
    "\u{1b}[0m",
    "http://x/",
    "::",
    "->",
    "0",
    "42",
    "/*",
    "*/",
    "İ",
    "ſ",
];

fn piece() -> impl Strategy<Value = &'static str> {
    prop::sample::select(PIECES)
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => prop::collection::vec(piece(), 0..120).prop_map(|pieces| pieces.concat()),
        // One line that is longer than a chunk.
        1 => prop::collection::vec(piece(), 40..200).prop_map(|pieces| pieces.concat().replace(['\n', '\r'], " ")),
    ]
}

/// A text to look for: made up, or cut out of a file.
#[derive(Debug, Clone)]
enum Needle {
    Made(String),
    Cut {
        file: prop::sample::Index,
        from: prop::sample::Index,
        length: usize,
    },
}

fn needle() -> impl Strategy<Value = Needle> {
    let index = any::<prop::sample::Index>;
    prop_oneof![
        1 => prop::collection::vec(piece(), 1..3).prop_map(|pieces| Needle::Made(pieces.concat())),
        3 => (index(), index(), 1usize..40).prop_map(|(file, from, length)| Needle::Cut { file, from, length }),
    ]
}

impl Needle {
    /// A text without line breaks, as long as there is anything but white space in it.
    fn of(&self, texts: &[String]) -> Option<String> {
        let whole: String = match self {
            Needle::Made(text) => text.clone(),
            Needle::Cut { file, from, length } => {
                let chars: Vec<char> = file.get(texts).chars().collect();
                let from = if chars.is_empty() {
                    return None;
                } else {
                    from.index(chars.len())
                };
                chars[from..].iter().take(*length).collect()
            }
        };
        let line = whole.split('\n').find(|line| !line.trim().is_empty())?;
        Some(line.to_owned())
    }
}

/// Path and line (from 1) of every line that contains the text.
fn naive(files: &[(String, String)], needle: &str) -> Vec<(String, u64)> {
    let mut found = Vec::new();
    for (path, text) in files {
        for (line, number) in text.split('\n').zip(1..) {
            if line.contains(needle) {
                found.push((path.clone(), number));
            }
        }
    }
    found
}

fn literal(kit: &Kit, needle: &str) -> Vec<(String, u64)> {
    let arguments = json!({ "query": needle, "literal": true, "k": 7, "max_tokens": 20000 });
    let rows = kit.rows("search_code", &arguments, "results");
    let mut found: Vec<(String, u64)> = rows
        .iter()
        .map(|row| (string(&row["path"]), row["start_line"].as_u64().expect("a number")))
        .collect();
    found.sort();
    found
}

fn grep(kit: &Kit, arguments: Value) -> Vec<(String, u64)> {
    let rows = kit.rows("grep", &arguments, "matches");
    rows.iter()
        .map(|row| (string(&row["path"]), row["line"].as_u64().expect("a number")))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_line_that_contains_the_text_is_found(
        texts in prop::collection::vec(text(), 1..5),
        needles in prop::collection::vec(needle(), 10),
    ) {
        let repo = Repo::new("");
        let files: Vec<(String, String)> = texts
            .iter()
            .enumerate()
            .map(|(n, text)| (format!("{n}.txt"), text.clone()))
            .collect();
        for (path, text) in &files {
            repo.write(path, text);
        }
        let kit = Kit::with_small_chunks(&repo.root());
        for needle in needles.iter().filter_map(|needle| needle.of(&texts)) {
            let expected = naive(&files, &needle);
            prop_assert_eq!(literal(&kit, &needle), expected.clone(), "literal {:?}", needle);
            let escaped = regex::escape(&needle);
            let found = grep(&kit, json!({ "pattern": escaped, "max_tokens": 20000 }));
            prop_assert_eq!(found, expected, "grep {:?}", escaped);
        }
    }
}

#[test]
fn a_line_ends_before_its_carriage_return() {
    let repo = Repo::new("");
    repo.write("dos.txt", "return true;\r\nreturn true; // why\r\n\r\nend");
    repo.write("unix.txt", "return true;\nreturn true; // why\n");
    let kit = Kit::new(&repo.root());
    let cases: [(&str, &[(&str, u64)]); 4] = [
        ("true;$", &[("dos.txt", 1), ("unix.txt", 1)]),
        ("^return true; // why$", &[("dos.txt", 2), ("unix.txt", 2)]),
        ("^$", &[("dos.txt", 3)]),
        ("true;\\r$", &[("dos.txt", 1)]),
    ];
    for (pattern, expected) in cases {
        let expected: Vec<(String, u64)> = expected
            .iter()
            .map(|(path, line)| ((*path).to_owned(), *line))
            .collect();
        assert_eq!(grep(&kit, json!({ "pattern": pattern })), expected, "{pattern}");
    }
}

/// `regex` line by line is what `grep` promises.
#[test]
fn patterns_match_line_by_line() {
    let texts = [
        (
            "a.rs",
            "fn alpha() {}\nfn beta(x: u8) {}\n\n// Alpha ALPHA\nstruct Größe;\n",
        ),
        ("b.py", "def alpha():\r\n\tpass # x\n"),
        ("c.txt", "no newline at the end: alpha"),
    ];
    let repo = Repo::new("");
    for (path, text) in texts {
        repo.write(path, text);
    }
    let kit = Kit::with_small_chunks(&repo.root());
    for (pattern, ignore_case) in [
        ("alpha", false),
        ("alpha", true),
        (r"^fn \w+", false),
        (r"\bx\b", false),
        (r"^$", false),
        (r"[a-z]+\(.*\)", false),
        (r"größe", true),
        (r"(alpha|beta)", false),
        (r"(?i)ALPHA\s*$", false),
        (r".", false),
        (r"z{3}", false),
        (r"\p{Lu}", false),
        (r"a?", false),
        (r"(alp|pass)", false),
        (r"e\z", false),
    ] {
        let regex = regex::RegexBuilder::new(pattern)
            .case_insensitive(ignore_case)
            .build()
            .unwrap();
        let mut expected = Vec::new();
        for (path, text) in texts {
            for (line, number) in text.split_inclusive('\n').zip(1..) {
                if regex.is_match(line.strip_suffix('\n').unwrap_or(line)) {
                    expected.push((path.to_owned(), number));
                }
            }
        }
        let arguments = json!({ "pattern": pattern, "ignore_case": ignore_case });
        assert_eq!(grep(&kit, arguments), expected, "{pattern}");
    }
}

/// Words that the index does not know whole, pieces of words, and words that fold to others.
#[test]
fn pieces_of_words_are_found_wherever_they_are() {
    let long_word = format!("start{}middle{}end", "x".repeat(200), "y".repeat(200));
    let minified: String = (1..80u32)
        .map(|n| format!("f{:x}$", n.wrapping_mul(0x9E37_79B1)))
        .collect();
    let texts = [
        (
            "names.rs",
            "let parse_query = Parser::parseHTTPQuery(__self__, _x);".to_owned(),
        ),
        ("long_word.txt", format!("a {long_word} b")),
        ("minified.js", minified.clone()),
        ("one_word.b64", "QUJDREVGaGlqa2xtbm9w".repeat(40)),
        (
            "letters.txt",
            "Größenwahn GRÖSSE straße İstanbul ſtraße 日本語の文字 \u{212A}elvin x²".to_owned(),
        ),
        ("cjk.txt", "日本語の文字".repeat(30)),
        ("empty.txt", String::new()),
        ("lines.txt", "one_two\nthree\r\n__\nfour".to_owned()),
    ];
    let repo = Repo::new("");
    for (path, text) in &texts {
        repo.write(path, text);
    }
    let files: Vec<(String, String)> = {
        let mut files: Vec<_> = texts
            .iter()
            .map(|(path, text)| (path.to_string(), text.clone()))
            .collect();
        files.sort();
        files
    };
    for (size, overlap) in [("100", "20"), ("100", "0"), ("2000", "200")] {
        let flags = [("indexing.chunk_size", size), ("indexing.overlap", overlap)];
        let kit = Kit::with(&repo.root(), false, &flags);
        let windows = (0..minified.len() - 12)
            .step_by(7)
            .map(|from| &minified[from..from + 12]);
        let needles = [
            "rse_que",
            "arsequer",
            "parse_query =",
            "_query",
            "parse_",
            "HTTPQ",
            "::parseH",
            "(__self",
            "__",
            "_x)",
            " _x",
            "self__,",
            "(self",
            "middle",
            "xmid",
            "yend b",
            "a start",
            "start b",
            "QUJD",
            "hlqa2x",
            "m9wQUJDRE",
            "röße",
            "Größenw",
            "GRÖ",
            "ÖSS",
            "İst",
            "istanbul",
            "ſtr",
            "straße ",
            "本語",
            "文字日本",
            "語の文字 ",
            "\u{212A}elv",
            "kelvin",
            "x²",
            "²",
            "wo",
            "three\r",
            "four",
            "ofour",
        ];
        for needle in needles.into_iter().chain(windows) {
            assert_eq!(literal(&kit, needle), naive(&files, needle), "{needle}");
        }
        for (pattern, ignore_case) in [
            ("parse_?(query|http)", true),
            ("(query|nothing)", false),
            ("(f9e3779b1|nothing)", false),
            ("MIDDLE", true),
            ("k?elvin", true),
            ("kelvin", true),
            ("STRASSE|straße", true),
            (r"\bself", false),
            (r"\b_?x\b", false),
            (r"^one_two$", false),
            (r"[Qq]UJDR", false),
            (r"o\w*r$", false),
            (r"(?-u:\x9Fe)", false),
            ("größe", true),
            (r"語\w文字$", false),
            ("(?:日本語の文字){25}", false),
            (r"(?:QUJDREVGaGlqa2xtbm9w){35}", false),
            ("İSTANBUL", true),
        ] {
            let regex = regex::bytes::RegexBuilder::new(pattern)
                .case_insensitive(ignore_case)
                .build()
                .unwrap();
            let mut expected = Vec::new();
            for (path, text) in &files {
                for (line, number) in text.split_inclusive('\n').zip(1..) {
                    if regex.is_match(line.strip_suffix('\n').unwrap_or(line).as_bytes()) {
                        expected.push((path.clone(), number));
                    }
                }
            }
            let found = grep(&kit, json!({ "pattern": pattern, "ignore_case": ignore_case }));
            assert_eq!(found, expected, "{pattern}");
        }
    }
}

#[test]
fn columns_and_totals_are_exact() {
    let repo = Repo::new("//- /a.txt\nx é needle needle\nneedle\n//- /b.txt\nnothing\n");
    let kit = Kit::new(&repo.root());
    let answer = kit.json("grep", json!({ "pattern": "needle" }));
    assert_eq!((&answer["total"], &answer["files_total"]), (&json!(2), &json!(1)));
    let columns: Vec<&Value> = answer["matches"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| &row["column"])
        .collect();
    assert_eq!(columns, [&json!(6), &json!(1)]);
    let counted = kit.json("grep", json!({ "pattern": "needle", "count": true }));
    assert_eq!(counted["matches"], json!([{ "path": "a.txt", "count": 2 }]));
    assert_eq!(counted["lines_total"], 2);
    let found = kit.json("search_code", json!({ "query": "needle", "literal": true }));
    assert_eq!((&found["total"], &found["files_total"]), (&json!(2), &json!(1)));
}

/// A match that crosses the end of its chunk, or of its line, is shown whole.
#[test]
fn matches_across_chunks_are_shown_whole() {
    let repo = Repo::new("");
    let long: String = (0..100).map(|n| format!("word{n:03} ")).collect();
    repo.write("long.txt", &long);
    repo.write("lines.txt", "first line\nsecond line\n");
    let kit = Kit::with_small_chunks(&repo.root());
    for from in (0..700).step_by(37) {
        let needle = long[from..from + 70].trim();
        let rows = kit.rows("search_code", &json!({ "query": needle, "literal": true }), "results");
        assert_eq!(rows.len(), 1, "{needle}");
        let line = string(&rows[0]["lines"][0]["text"]);
        assert!(line.contains(needle), "{needle}: {line}");
    }
    let across = json!({ "query": "line\nsecond", "literal": true });
    let rows = kit.rows("search_code", &across, "results");
    let lines = json!([{ "line": 1, "text": "first line" }, { "line": 2, "text": "second line" }]);
    assert_eq!(rows[0]["lines"], lines);
}
