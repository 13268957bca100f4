//! Boolean queries answer exactly what they say: compared with an evaluator that looks at every chunk.

use std::{collections::BTreeSet, ops::RangeInclusive};

use proptest::prelude::*;
use serde_json::{Value, json};
use test_fixture::Repo;

use crate::kit::{Kit, string};

const PATHS: &[(&str, &str)] = &[
    ("src/auth.rs", "rust"),
    ("src/parse_query.py", "python"),
    ("lib/Login.java", "java"),
    ("docs/guide.md", "markdown"),
    ("web/app.ts", "typescript"),
];

const WORDS: &[&str] = &[
    "parse",
    "query",
    "parseQuery",
    "parse_query",
    "PARSE_QUERY",
    "ParseQueryFast",
    "HTTPServer",
    "http_server",
    "server",
    "http",
    "userLogin",
    "login",
    "user",
    "x2",
    "größeBar",
    "Größe",
    "_private",
    "__init__",
    "foo2Bar",
    "foo",
    "bar",
    "the",
];

/// Kind, and what is written before and after the name.
const DEFINITIONS: &[(&str, &str, &str)] = &[
    ("function", "fn", "() {}"),
    ("struct", "struct", ";"),
    ("enum", "enum", " {}"),
    ("constant", "const", ": u8 = 1;"),
];

const BETWEEN: &[&str] = &[" ", " ", "\n", ".", "::", "(", ") { ", ", ", " = \"", "-", "/", " _ "];

#[derive(Debug, Clone)]
enum Query {
    /// As written, without quotes: code is several words side by side.
    Bare(Vec<&'static str>, &'static str),
    Phrase(Vec<&'static str>),
    Path(&'static str),
    Lang(&'static str),
    /// A name, and a kind behind it.
    Symbol(&'static str, Option<&'static str>),
    Kind(&'static str),
    Not(Box<Query>),
    And(Vec<Query>),
    Or(Vec<Query>),
    Seq(Vec<Query>),
}

impl Query {
    /// How tightly it binds: `OR`, then operands side by side, then `AND`, then `NOT`.
    fn rank(&self) -> u8 {
        match self {
            Query::Or(_) => 0,
            Query::Seq(_) => 1,
            Query::And(_) => 2,
            Query::Not(_) => 3,
            _ => 4,
        }
    }

    /// With no more parentheses than needed, so that precedence is tested too.
    fn written(&self) -> String {
        let inside = |query: &Query, rank: u8| match query.rank() > rank {
            true => query.written(),
            false => format!("({})", query.written()),
        };
        let list = |items: &[Query], between: &str| {
            let items: Vec<String> = items.iter().map(|item| inside(item, self.rank())).collect();
            items.join(between)
        };
        match self {
            Query::Bare(words, between) => words.join(between),
            Query::Phrase(words) => format!("\"{}\"", words.join(" ")),
            Query::Path(text) => format!("path:{text}"),
            Query::Lang(name) => format!("lang:{name}"),
            Query::Symbol(name, None) => format!("symbol:{name}"),
            Query::Symbol(name, Some(kind)) => format!("symbol:{name}#{kind}"),
            Query::Kind(kind) => format!("kind:{kind}"),
            Query::Not(item) => format!("NOT {}", inside(item, 2)),
            Query::And(items) => list(items, " AND "),
            Query::Or(items) => list(items, " OR "),
            Query::Seq(items) => list(items, " "),
        }
    }

    fn is_structured(&self) -> bool {
        match self {
            Query::Bare(..) | Query::Phrase(_) => false,
            query if query.is_field() => false,
            Query::Seq(items) => items.iter().any(Query::is_structured),
            _ => true,
        }
    }

    fn is_field(&self) -> bool {
        matches!(
            self,
            Query::Path(_) | Query::Lang(_) | Query::Symbol(..) | Query::Kind(_)
        )
    }

    fn matches(&self, chunk: &Chunk, relaxed: bool) -> bool {
        let holds = |query: &Query| query.matches(chunk, relaxed);
        match self {
            Query::Bare(words, _) | Query::Phrase(words) => match words.as_slice() {
                [word] => chunk.has_word(word),
                words if relaxed => words.iter().any(|word| chunk.has_word(word)),
                words => chunk.has_phrase(words),
            },
            Query::Path(text) => chunk.path.to_lowercase().contains(&text.to_lowercase()),
            Query::Lang(name) => chunk.lang == *name,
            Query::Symbol(name, kind) => chunk.symbols.iter().any(|(own, own_kind)| match kind {
                Some(kind) => own == name && is_kind(own_kind, kind),
                None => fold(own) == fold(name) || (parts(own).len() > 1 && parts(own).contains(&fold(name))),
            }),
            Query::Kind(kind) => chunk.symbols.iter().any(|(_, own)| is_kind(own, kind)),
            Query::Not(item) => !holds(item),
            Query::And(items) => items.iter().all(holds),
            Query::Or(items) => items.iter().any(holds),
            Query::Seq(items) => {
                let (required, words): (Vec<_>, Vec<_>) = items
                    .iter()
                    .partition(|item| matches!(item, Query::Not(_)) || item.is_field());
                let is_quoted = |query: &&Query| matches!(query, Query::Phrase(_)) && !relaxed;
                let (quoted, words): (Vec<_>, Vec<_>) = words.into_iter().partition(is_quoted);
                let is_free = words.is_empty() || !quoted.is_empty();
                (is_free || words.into_iter().any(holds)) && required.into_iter().chain(quoted).all(holds)
            }
        }
    }
}

/// What a chunk holds, found out independently of the index.
struct Chunk {
    path: String,
    index: u64,
    lines: RangeInclusive<u64>,
    lang: String,
    words: Vec<String>,
    parts: BTreeSet<String>,
    /// Name and kind of what is defined here and in no chunk before it.
    symbols: Vec<(&'static str, &'static str)>,
}

fn is_kind(own: &str, wanted: &str) -> bool {
    own == wanted || (wanted == "type" && matches!(own, "struct" | "enum"))
}

impl Chunk {
    /// From a row of an answer.
    fn new(row: &Value) -> Chunk {
        let number = |key: &str| row[key].as_u64().expect("a number");
        let text = string(&row["snippet"]);
        let words: Vec<&str> = text
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .filter(|word| word.chars().any(|c| c != '_'))
            .collect();
        let parts = words
            .iter()
            .map(|word| parts(word))
            .filter(|parts| parts.len() > 1)
            .flatten()
            .collect();
        Chunk {
            path: string(&row["path"]),
            index: number("chunk_index"),
            lines: number("start_line")..=number("end_line"),
            lang: string(&row["language"]),
            words: words.into_iter().map(fold).collect(),
            parts,
            symbols: Vec::new(),
        }
    }

    fn has(&self, folded: &str) -> bool {
        self.words.iter().any(|word| word == folded) || self.parts.contains(folded)
    }

    fn has_word(&self, word: &str) -> bool {
        let parts = parts(word);
        match parts.len() {
            0 | 1 => self.has(&fold(word)),
            _ => self.words.contains(&fold(word)) || parts.iter().all(|part| self.has(part)),
        }
    }

    fn has_phrase(&self, words: &[&str]) -> bool {
        let folded: Vec<String> = words.iter().map(|word| fold(word)).collect();
        self.words.windows(folded.len()).any(|window| window == folded)
    }
}

fn fold(word: &str) -> String {
    word.to_lowercase().replace('_', "")
}

/// `parseHTTPQuery_v2` is `parse`, `http`, `query`, `v2`.
fn parts(word: &str) -> Vec<String> {
    let mut parts = Vec::new();
    for piece in word.split('_').filter(|piece| !piece.is_empty()) {
        let chars: Vec<char> = piece.chars().collect();
        let mut part = String::new();
        for (at, c) in chars.iter().enumerate() {
            let after_lower = at > 0 && !chars[at - 1].is_uppercase();
            let before_lower = at > 0 && chars.get(at + 1).is_some_and(|next| next.is_lowercase());
            if c.is_uppercase() && (after_lower || before_lower) && !part.is_empty() {
                parts.push(std::mem::take(&mut part));
            }
            part.extend(c.to_lowercase());
        }
        parts.push(part);
    }
    parts
}

fn word() -> impl Strategy<Value = &'static str> {
    prop::sample::select(WORDS)
}

fn leaf() -> impl Strategy<Value = Query> {
    let few = |n| prop::collection::vec(word(), n);
    prop_oneof![
        6 => word().prop_map(|word| Query::Bare(vec![word], "")),
        1 => (few(2..4), prop::sample::select(&[".", "::", "/"])).prop_map(|(words, between)| Query::Bare(words, between)),
        2 => few(1..4).prop_map(Query::Phrase),
        1 => prop::sample::select(&["src", "lib/login", "QUERY", ".md", "nowhere"]).prop_map(Query::Path),
        1 => prop::sample::select(&["rust", "python", "markdown", "go"]).prop_map(Query::Lang),
    ]
}

fn symbol_leaf() -> impl Strategy<Value = Query> {
    let kind = || prop::sample::select(&["function", "struct", "enum", "constant", "type"]);
    prop_oneof![
        2 => word().prop_map(|word| Query::Bare(vec![word], "")),
        4 => (word(), prop::option::weighted(0.4, kind())).prop_map(|(name, kind)| Query::Symbol(name, kind)),
        2 => kind().prop_map(Query::Kind),
        1 => prop::sample::select(&["one", "two.rs"]).prop_map(Query::Path),
    ]
}

fn query(leaf: impl Strategy<Value = Query> + 'static) -> impl Strategy<Value = Query> {
    leaf.prop_recursive(3, 12, 3, |inner| {
        let several = prop::collection::vec(inner.clone(), 2..4);
        prop_oneof![
            several.clone().prop_map(Query::And),
            several.clone().prop_map(Query::Or),
            several.prop_map(Query::Seq),
            inner.prop_map(|query| Query::Not(Box::new(query))),
        ]
    })
}

fn text() -> impl Strategy<Value = String> {
    let piece = (word(), prop::sample::select(BETWEEN));
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.iter().flat_map(|(word, sep)| [*word, *sep]).collect())
}

/// Every chunk, as the tool shows it; checked to be as many as the index says there are.
fn chunks(kit: &Kit) -> Vec<Chunk> {
    let arguments = json!({ "query": "NOT zzzznowhere", "k": 100, "max_tokens": 20000 });
    let rows = kit.rows("search_code", &arguments, "results");
    let listed = kit.rows("list_files", &json!({}), "files");
    let in_files: u64 = listed.iter().filter_map(|file| file["chunks"].as_u64()).sum();
    assert_eq!(rows.len() as u64, in_files);
    rows.iter().map(Chunk::new).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn boolean_queries_are_exact(
        texts in prop::collection::vec(text(), 1..=PATHS.len()),
        queries in prop::collection::vec(query(leaf()), 12),
    ) {
        let repo = Repo::new("");
        for (text, (path, _)) in texts.iter().zip(PATHS) {
            repo.write(path, text);
        }
        let kit = Kit::with_small_chunks(&repo.root());
        let chunks = chunks(&kit);
        for chunk in &chunks {
            let (_, lang) = PATHS.iter().find(|(path, _)| *path == chunk.path).expect("a file of ours");
            prop_assert_eq!(&chunk.lang, lang);
        }
        for query in queries {
            compare(&kit, &chunks, &query)?;
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn queries_for_symbols_are_exact(
        files in prop::collection::vec(prop::collection::vec((word(), prop::sample::select(DEFINITIONS)), 0..12), 2),
        queries in prop::collection::vec(query(symbol_leaf()), 12),
    ) {
        let repo = Repo::new("");
        let mut defined = Vec::new();
        for (path, symbols) in ["src/one.rs", "src/two.rs"].into_iter().zip(&files) {
            let lines = symbols.iter().map(|(name, (_, before, after))| format!("{before} {name}{after}\n"));
            repo.write(path, lines.collect::<String>());
            for (at, (name, (kind, ..))) in symbols.iter().enumerate() {
                defined.push((path, at as u64 + 1, (*name, *kind)));
            }
        }
        let kit = Kit::with_small_chunks(&repo.root());
        let mut chunks = chunks(&kit);
        chunks.sort_by(|a, b| (&a.path, a.index).cmp(&(&b.path, b.index)));
        for (path, line, symbol) in defined {
            let chunk = chunks.iter_mut().find(|chunk| chunk.path == path && chunk.lines.contains(&line));
            chunk.expect("every line is in a chunk").symbols.push(symbol);
        }
        for query in queries {
            compare(&kit, &chunks, &query)?;
        }
    }
}

/// The search finds the chunks that match, each once.
fn compare(kit: &Kit, chunks: &[Chunk], query: &Query) -> Result<(), TestCaseError> {
    let matching = |relaxed: bool| -> BTreeSet<(String, u64)> {
        let matching = chunks.iter().filter(|chunk| query.matches(chunk, relaxed));
        matching.map(|chunk| (chunk.path.clone(), chunk.index)).collect()
    };
    let mut expected = matching(false);
    // Words side by side that are nowhere side by side are looked for apart.
    if expected.is_empty() && !query.is_structured() {
        expected = matching(true);
    }
    let written = query.written();
    let arguments = json!({ "query": written, "mode": "keyword", "k": 100, "max_tokens": 20000 });
    let rows = kit.rows("search_code", &arguments, "results");
    let found: BTreeSet<(String, u64)> = rows
        .iter()
        .map(|row| {
            let index = row["chunk_index"].as_u64().expect("a number");
            (string(&row["path"]), index)
        })
        .collect();
    prop_assert_eq!(&found, &expected, "{}", written);
    prop_assert_eq!(rows.len(), expected.len(), "a chunk is found twice by {}", written);
    Ok(())
}

#[test]
fn the_evaluator_knows_the_parts_of_words() {
    for (word, expected) in [
        ("parseHTTPQuery_v2", "parse http query v2"),
        ("__init__", "init"),
        ("größe2Bar", "größe2 bar"),
        ("XMLHttpRequest", "xml http request"),
        ("PARSE_QUERY", "parse query"),
    ] {
        assert_eq!(parts(word).join(" "), expected);
    }
}

#[test]
fn exact_spelling_ranks_first() {
    let repo = Repo::new(
        "
//- /a.rs
parse the query
//- /b.rs
let PARSE_QUERY = 1;
//- /c.rs
let parseQuery = 1;
//- /d.rs
let parse_query = 1;
",
    );
    let kit = Kit::new(&repo.root());
    for (query, first) in [("PARSE_QUERY", "b.rs"), ("parseQuery", "c.rs"), ("parse_query", "d.rs")] {
        let rows = kit.rows("search_code", &json!({ "query": query }), "results");
        let paths: Vec<String> = rows.iter().map(|row| string(&row["path"])).collect();
        assert_eq!(paths.len(), 4, "{query}");
        assert_eq!(paths[0], first, "{query}");
    }
}

#[test]
fn filters_come_before_the_best_k() {
    let repo = Repo::new("");
    for n in 0..30 {
        repo.write(&format!("many/{n}.py"), "needle ".repeat(20));
    }
    repo.write("src/one.rs", "a single needle among much other text ".repeat(8));
    repo.write("tests/one.rs", "needle");
    let kit = Kit::new(&repo.root());
    for (arguments, expected) in [
        (
            json!({ "query": "needle", "k": 1, "language": "rust", "exclude_tests": true }),
            1,
        ),
        (json!({ "query": "needle", "k": 1, "path": ["src", "tests"] }), 2),
        (json!({ "query": "needle", "k": 1, "exclude": ["many", "tests/**"] }), 1),
        (json!({ "query": "needle AND lang:rust", "k": 1 }), 2),
        (json!({ "query": "needle AND path:src", "k": 1 }), 1),
        (json!({ "query": "needle AND path:*/one.rs", "k": 1 }), 2),
        (json!({ "query": "needle", "literal": true, "k": 1, "path": "src" }), 1),
    ] {
        let answer = kit.json("search_code", arguments.clone());
        assert_eq!(answer["results"].as_array().map(Vec::len), Some(1), "{arguments}");
        assert_eq!(answer["total"], expected, "{arguments}");
    }
}

#[test]
fn code_is_searched_for_unescaped() {
    let repo = Repo::new(
        "
//- /a.rs
let text = std::fs::read(path);
foo.bar(baz)[0];
get(\"http://x/{id}\");
",
    );
    let kit = Kit::new(&repo.root());
    for query in [
        "foo(",
        "foo.bar()",
        "std::fs::read",
        "fs::read(",
        "[",
        "http://x/{id}",
        "GET /x/{id}",
        "{id}",
        "pkg:scope:read",
        "AND",
        "text AND",
        "(((",
        ") text",
        "a* text?",
        "text^2 ~",
        "\\",
        "x:\"text\"",
    ] {
        let ranked = kit.call("search_code", json!({ "query": query }));
        assert!(!ranked.is_error(), "{query}: {}", ranked.text);
        let answer = kit.call("search_code", json!({ "query": query, "mode": "keyword" }));
        assert!(!answer.is_error(), "{query}: {}", answer.text);
        let nothing = ["AND", "(((", "\\"].contains(&query);
        assert_eq!(
            answer.structured["total"],
            u64::from(!nothing),
            "{query}: {}",
            answer.text
        );
    }
}
