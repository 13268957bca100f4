//! The shape of code: `map_code` over a repository, `get_symbols` over a file.

use std::fmt::Write;

use expect_test::{Expect, expect};
use serde_json::{Value, json};
use test_fixture::Repo;
use tools::Outcome;

use crate::kit::{Kit, string};

const REPO: &str = r#"
//- /README.md
# Store

Keeps things.

## Use

### Detail
//- /Cargo.toml
[package]
name = "store"
//- /src/lib.rs
//! A store.

/// Opens a store.
///
/// Slowly.
pub fn open(path: &Path) -> Store {
    Store { path: check(path) }
}

fn check(path: &Path) -> PathBuf {
    path.to_owned()
}
//- /src/store.rs
/// Keeps things.
pub struct Store {
    pub path: PathBuf,
}

impl Store {
    /// Puts a thing in.
    pub fn put(&mut self, thing: Thing) -> Result<(), Error> {
        open(&self.path)
    }

    fn flush(&self) {}
}

mod inner {
    pub enum Thing {
        Small,
        Large(u64),
    }
}
//- /src/data.json
{ "open": { "key": 1 } }
//- /tests/open.rs
#[test]
fn open_twice() {
    open(Path::new("a"));
    open(Path::new("a"));
}
//- /web/static/app.py
class App(Base):
    """Serves the store."""

    def open(self, path):
        return path
//- /notes.txt
Nothing to parse.
//- /tls.key
hush
"#;

fn indexed() -> (Repo, Kit) {
    let repo = Repo::new(REPO);
    let kit = Kit::new(&repo.root());
    kit.json("index_repository", json!({ "session": "store" }));
    (repo, kit)
}

fn check(kit: &Kit, tool: &str, arguments: Value, expected: Expect) {
    expected.assert_eq(&kit.text(tool, arguments));
}

fn check_json(kit: &Kit, tool: &str, arguments: Value, expected: Expect) {
    let pretty = serde_json::to_string_pretty(&kit.json(tool, arguments)).unwrap();
    expected.assert_eq(&kit.steady(&pretty));
}

/// One line a call: what was asked, the message, the hint.
fn errors(kit: &Kit, tool: &str, calls: &[Value]) -> String {
    let mut out = String::new();
    for arguments in calls {
        let outcome = kit.call(tool, arguments.clone());
        assert!(outcome.is_error(), "{arguments} succeeds: {}", outcome.text);
        let error = &outcome.structured["error"];
        let (message, hint) = (string(&error["message"]), string(&error["hint"]));
        let _ = writeln!(out, "{arguments}\n  {} {message}\n  {hint}", error["code"]);
    }
    kit.steady(&out)
}

#[test]
fn a_map_shows_everything_that_fits() {
    let (_repo, kit) = indexed();
    check(
        &kit,
        "map_code",
        json!({}),
        expect![[r#"
            store: 8 files (rust 3, json 1, markdown 1, plaintext 1, python 1, other 1)
            A store
            Entry points: src/lib.rs, web/static/app.py
            src/: A store
              lib.rs
                pub fn open(path: &Path) -> Store
                fn check(path: &Path) -> PathBuf
              store.rs
                pub struct Store
                  pub path: PathBuf
                impl Store
                  pub fn put(&mut self, thing: Thing) -> Result<(), Error>
                  fn flush(&self)
                mod inner
                  pub enum Thing
                    Small
                    Large(u64)
              data.json
            tests/ (1 file, 5 lines)
            web/static/
              app.py
                class App(Base)
                  def open(self, path)
            Cargo.toml, README.md, notes.txt
            [7 files, 13 symbols, 238 tokens]"#]],
    );
    check(
        &kit,
        "map_code",
        json!({ "detail": "files" }),
        expect![[r#"
            store: 8 files (rust 3, json 1, markdown 1, plaintext 1, python 1, other 1)
            Cargo.toml (2 lines)
            README.md (7 lines)
            notes.txt (1 line)
            src/
              data.json (1 line)
              lib.rs (12 lines)
              store.rs (20 lines)
            tests/
              open.rs (5 lines)
            web/static/
              app.py (5 lines)
            [8 files, 0 symbols, 142 tokens]"#]],
    );
    check(
        &kit,
        "map_code",
        json!({ "path": "src", "detail": "full" }),
        expect![[r#"
            src: 3 files (rust 2, json 1)
            A store
            Entry points: src/lib.rs
            lib.rs
              pub fn open(path: &Path) -> Store // Opens a store.
              fn check(path: &Path) -> PathBuf
            store.rs
              pub struct Store // Keeps things.
                pub path: PathBuf
              impl Store
                pub fn put(&mut self, thing: Thing) -> Result<(), Error> // Puts a thing in.
                fn flush(&self)
              mod inner
                pub enum Thing
                  Small
                  Large(u64)
            data.json
            [3 files, 11 symbols, 174 tokens]"#]],
    );
    check(
        &kit,
        "map_code",
        json!({ "depth": 1, "detail": "files" }),
        expect![[r#"
            store: 8 files (rust 3, json 1, markdown 1, plaintext 1, python 1, other 1)
            Cargo.toml (2 lines)
            README.md (7 lines)
            notes.txt (1 line)
            src/ (3 files, 32 lines)
            tests/ (1 file, 5 lines)
            web/ (1 file, 5 lines)
            [3 files, 0 symbols, 117 tokens]"#]],
    );
    check(
        &kit,
        "map_code",
        json!({ "path": "src/lib.rs" }),
        expect![[r#"
            src/lib.rs: 1 file (rust 1)
            A store
            lib.rs
              pub fn open(path: &Path) -> Store
              fn check(path: &Path) -> PathBuf
            [1 file, 2 symbols, 64 tokens]"#]],
    );
    check(
        &kit,
        "map_code",
        json!({ "language": "py" }),
        expect![[r#"
            store: 1 file (python 1)
            A store
            Entry points: web/static/app.py
            web/static/
              app.py
                class App(Base)
                  def open(self, path)
            [1 file, 2 symbols, 67 tokens]"#]],
    );
    check(
        &kit,
        "map_code",
        json!({ "language": "go", "path": "src/" }),
        expect![[r#"
            src: no files
            [0 files, 0 symbols, 19 tokens]"#]],
    );
    check_json(
        &kit,
        "map_code",
        json!({ "path": "src", "depth": 1 }),
        expect![[r#"
            {
              "path": "src",
              "files": [
                {
                  "path": "src/data.json"
                },
                {
                  "path": "src/lib.rs",
                  "symbols": [
                    "pub fn open(path: &Path) -> Store",
                    "fn check(path: &Path) -> PathBuf"
                  ]
                },
                {
                  "path": "src/store.rs",
                  "symbols": [
                    "pub struct Store",
                    "  pub path: PathBuf",
                    "impl Store",
                    "  pub fn put(&mut self, thing: Thing) -> Result<(), Error>",
                    "  fn flush(&self)",
                    "mod inner",
                    "  pub enum Thing",
                    "    Small",
                    "    Large(u64)"
                  ]
                }
              ],
              "shown": {
                "files": 3,
                "symbols": 11
              },
              "hidden": {
                "files": 0,
                "symbols": 0
              },
              "tokens": 151,
              "about": "A store",
              "entry_points": [
                "src/lib.rs"
              ],
              "coverage": {
                "generation": <n>,
                "complete": true,
                "engines": [
                  "syntax"
                ]
              }
            }"#]],
    );
}

#[test]
fn a_small_map_shows_what_matters_and_counts_the_rest() {
    let (_repo, kit) = indexed();
    check(
        &kit,
        "map_code",
        json!({ "max_tokens": 200 }),
        expect![[r#"
            store: 8 files (rust 3, json 1, markdown 1, plaintext 1, python 1, other 1)
            A store
            Entry points: src/lib.rs, web/static/app.py
            src/ (+2): A store
              lib.rs (+1)
                pub fn open(path: &Path) -> Store
            web/static/
              app.py (+1)
                class App(Base)
            Cargo.toml, README.md
            ... (4 more files, 11 more symbols; not opened: tests/)
            [4 files, 2 symbols, 198 tokens]
            (+n) counts what is not shown. For more: path, depth, language, detail files, get_symbols or a larger max_tokens."#]],
    );
}

fn within(answer: &Outcome, budget: u64) {
    assert!(!answer.is_error(), "{budget}: {}", answer.text);
    for text in [&answer.text, &answer.structured.to_string()] {
        let tokens = tools::count_tokens(text);
        assert!(tokens <= budget, "{tokens} of {budget}: {text}");
    }
}

#[test]
fn maps_keep_to_their_budget_and_count_everything() {
    let repo = Repo::new("");
    let mut symbols = 0;
    for n in 0..60_usize {
        let mut text = String::new();
        for m in 0..n % 7 {
            let _ = write!(
                text,
                "/// Does {m}.\npub fn does_{n}_{m}(größe: &str) -> Option<u64> {{ shared_{m}() }}\n"
            );
            symbols += 1;
        }
        repo.write(&format!("src/part_{}/deep/file_{n}.rs", n % 5), text);
    }
    let kit = Kit::new(&repo.root());
    kit.json("index_repository", json!({}));
    for detail in ["files", "signatures", "full"] {
        let all = if detail == "files" { 0 } else { symbols };
        let mut before = 0;
        for budget in [120, 150, 200, 300, 500, 800, 1300, 2500, 4000, 20000_u64] {
            let arguments = json!({ "detail": detail, "max_tokens": budget });
            let answer = kit.call("map_code", arguments.clone());
            within(&answer, budget);
            assert_eq!(answer.text, kit.call("map_code", arguments).text, "not stable");
            let count = |group: &str, key: &str| answer.structured[group][key].as_u64().unwrap();
            assert_eq!(count("shown", "files") + count("hidden", "files"), 60);
            assert_eq!(count("shown", "symbols") + count("hidden", "symbols"), all);
            let files = answer.structured["files"].as_array().unwrap();
            assert_eq!(files.len() as u64, count("shown", "files"));
            let lines = files.iter().filter_map(|file| file["symbols"].as_array()).map(Vec::len);
            assert_eq!(lines.sum::<usize>() as u64, count("shown", "symbols"));
            assert!(
                count("shown", "files") + count("shown", "symbols") >= before,
                "{budget} shows less"
            );
            before = count("shown", "files") + count("shown", "symbols");
        }
        assert_eq!(before, 60 + all, "{detail}");
    }
    let refusal = kit.call("map_code", json!({ "max_tokens": 5 }));
    let hint = string(&refusal.structured["error"]["hint"]);
    let wanted: u64 = hint.rsplit(' ').next().unwrap().parse().unwrap();
    within(&kit.call("map_code", json!({ "max_tokens": wanted })), wanted);
}

#[test]
fn what_is_used_comes_before_what_is_not() {
    let repo = Repo::new(
        "
//- /src/aardvark.rs
pub fn unused_one() {}
pub fn unused_two() {}
//- /src/zebra.rs
pub fn central() {}
fn secluded() {}
//- /vendor/copy.rs
pub fn borrowed() {}
//- /src/one.rs
fn a() { central(); borrowed() }
//- /src/two.rs
fn b() { central(); borrowed() }
//- /tests/three.rs
pub fn c() { central(); borrowed() }
",
    );
    let kit = Kit::new(&repo.root());
    kit.json("index_repository", json!({}));
    check(
        &kit,
        "map_code",
        json!({ "max_tokens": 160 }),
        expect![[r#"
            repo: 6 files (rust 6)
            src/
              aardvark.rs
                pub fn unused_one()
                pub fn unused_two()
              one.rs
                fn a()
              two.rs
                fn b()
              zebra.rs (+1)
                pub fn central()
            ... (2 more files, 1 more symbol; not opened: tests/ vendor/)
            [4 files, 5 symbols, 146 tokens]
            (+n) counts what is not shown. For more: path, depth, language, detail files, get_symbols or a larger max_tokens."#]],
    );
}

#[test]
fn a_map_does_not_wait_for_an_index() {
    let repo = Repo::new(REPO);
    let kit = Kit::new(&repo.root());
    let first = kit.json("map_code", json!({}));
    assert_eq!(first["coverage"]["complete"], false);
    kit.json("index_repository", json!({}));
    let second = kit.json("map_code", json!({}));
    assert_eq!(second["coverage"]["complete"], true);
    for key in ["files", "shown", "hidden", "path"] {
        assert_eq!(first[key], second[key], "{key}");
    }
    let fresh = Kit::new(&repo.root());
    check(
        &fresh,
        "map_code",
        json!({ "path": "web" }),
        expect![[r#"
            Partial: the index is still being built; ask again for the rest.
            web: 1 file (python 1)
            Entry points: web/static/app.py
            static/
              app.py
                class App(Base)
                  def open(self, path)
            [1 file, 2 symbols, 60 tokens]"#]],
    );
}

#[test]
fn maps_that_cannot_be_made() {
    let (_repo, kit) = indexed();
    let calls = [
        json!({ "path": "scr" }),
        json!({ "path": "src/stoer.rs" }),
        json!({ "path": "../x" }),
        json!({ "path": "/nowhere/else" }),
        json!({ "depth": 0 }),
        json!({ "detail": "sinatures" }),
        json!({ "language": "rustt" }),
        json!({ "cursor": "p1.00000000" }),
    ];
    expect![[r#"
        {"path":"scr"}
          -32001 `scr` does not exist
          find_file finds paths by pattern
        {"path":"src/stoer.rs"}
          -32001 `src/stoer.rs` does not exist
          did you mean `src/store.rs`?
        {"path":"../x"}
          -32001 `../x` is outside the workspace
          give the absolute path of the other repository's directory
        {"path":"/nowhere/else"}
          -32001 `/nowhere/else` is outside the workspace
          give the absolute path of the other repository's directory
        {"depth":0}
          -32602 `depth` is 0, it must be from 1 to 1000
          use a value from 1 to 1000
        {"detail":"sinatures"}
          -32602 `detail` must be one of files, signatures, full, not `sinatures`
          did you mean `signatures`?
        {"language":"rustt"}
          -32602 unknown language `rustt`
          did you mean `rust`?
        {"cursor":"p1.00000000"}
          -32602 map_code has no parameter `cursor`
          it takes path, depth, detail, language, max_tokens, workspace, format
    "#]]
    .assert_eq(&errors(&kit, "map_code", &calls));
}

#[test]
fn outlines_have_the_detail_that_is_asked_for() {
    let (_repo, kit) = indexed();
    let file = "src/store.rs";
    check(
        &kit,
        "get_symbols",
        json!({ "file_path": file }),
        expect![[r#"
        src/store.rs (rust, 20 lines), 7 symbols
        2-4 pub struct Store
          3 pub path: PathBuf
        6-13 impl Store
          8-10 pub fn put(&mut self, thing: Thing) -> Result<(), Error>
          12 fn flush(&self)
        15-20 mod inner
          16-19 pub enum Thing (+2 inside)"#]],
    );
    check(
        &kit,
        "get_symbols",
        json!({ "file_path": file, "mode": "structure", "max_depth": 0 }),
        expect![[r#"
            src/store.rs (rust, 20 lines), 3 symbols
            2-4 struct Store (+1 inside)
            6-13 impl Store (+2 inside)
            15-20 module inner (+1 inside)"#]],
    );
    check(
        &kit,
        "get_symbols",
        json!({ "file_path": file, "mode": "full", "max_depth": 2 }),
        expect![[r#"
            src/store.rs (rust, 20 lines), 9 symbols
            2-4 pub struct Store // Keeps things.
              3 pub path: PathBuf
            6-13 impl Store
              8-10 pub fn put(&mut self, thing: Thing) -> Result<(), Error> // Puts a thing in.
              12 fn flush(&self)
            15-20 mod inner
              16-19 pub enum Thing
                17 Small
                18 Large(u64)"#]],
    );
    check(
        &kit,
        "get_symbols",
        json!({ "file_path": file, "target": "Thing" }),
        expect![[r#"
            src/store.rs (rust, 20 lines), 3 symbols at `Thing`
            16-19 pub enum Thing (in inner)
              17 Small
              18 Large(u64)"#]],
    );
    check(
        &kit,
        "get_symbols",
        json!({ "file_path": file, "target": "Store::put", "mode": "full" }),
        expect![[r#"
            src/store.rs (rust, 20 lines), 1 symbol at `Store::put`

            8-10 method put // Puts a thing in. (in Store)
            ```rust
                pub fn put(&mut self, thing: Thing) -> Result<(), Error> {
                    open(&self.path)
                }
            ```"#]],
    );
    check(
        &kit,
        "get_symbols",
        json!({ "file_path": "src", "limit": 3 }),
        expect![[r#"
            src: 3 files, 11 symbols
            src/data.json (json, 1 line)
              1 "open"
                1 "key": 1
            src/lib.rs (rust, 12 lines)
              6-8 pub fn open(path: &Path) -> Store
              10-12 fn check(path: &Path) -> PathBuf

            3 more: cursor "p3.031a0fba.6.495a", or narrow with target, max_depth or mode structure"#]],
    );
    check(
        &kit,
        "get_symbols",
        json!({ "file_path": ".", "target": "open", "max_depth": 0 }),
        expect![[r#"
            .: 8 files, 3 symbols at `open`
            src/data.json (json, 1 line)
              1 "open" (+1 inside)
            src/lib.rs (rust, 12 lines)
              6-8 pub fn open(path: &Path) -> Store
            web/static/app.py (python, 5 lines)
              4-5 def open(self, path) (in App)"#]],
    );
    check(
        &kit,
        "get_symbols",
        json!({ "file_path": "notes.txt" }),
        expect![[r#"
            notes.txt (plaintext, 1 line); no symbols

            Not parsed, so its symbols are not known: notes.txt (plaintext is searched as text only)."#]],
    );
    check_json(
        &kit,
        "get_symbols",
        json!({ "file_path": "web/static/app.py", "mode": "full" }),
        expect![[r#"
            {
              "symbols": [
                {
                  "name": "App",
                  "kind": "class",
                  "visibility": "public",
                  "signature": "class App(Base)",
                  "start_line": 1,
                  "end_line": 5,
                  "doc": "Serves the store.",
                  "children": [
                    {
                      "name": "open",
                      "kind": "method",
                      "visibility": "public",
                      "signature": "def open(self, path)",
                      "start_line": 4,
                      "end_line": 5,
                      "children": []
                    }
                  ]
                }
              ],
              "total": 1,
              "file": "web/static/app.py",
              "coverage": {
                "generation": <n>,
                "complete": true,
                "engines": [
                  "syntax"
                ]
              }
            }"#]],
    );
}

#[test]
fn outlines_that_cannot_be_made() {
    let (_repo, kit) = indexed();
    let calls = [
        json!({}),
        json!({ "file_path": "src/stor.rs" }),
        json!({ "file_path": "webb" }),
        json!({ "file_path": "zzz" }),
        json!({ "file_path": "tls.key" }),
        json!({ "file_path": "../x" }),
        json!({ "file_path": "src/store.rs", "target": "stoer" }),
        json!({ "file_path": "src/store.rs", "target": "Other::put" }),
        json!({ "file_path": "src", "target": "zzz" }),
        json!({ "file_path": "src/store.rs", "target": "::" }),
        json!({ "file_path": "src/store.rs", "mode": "sketch" }),
        json!({ "file_path": "src/store.rs", "max_depth": 11 }),
        json!({ "file_path": "src/store.rs", "limit": 0 }),
    ];
    expect![[r#"
        {}
          -32602 `file_path` is missing
          see the tool's schema for what it takes
        {"file_path":"src/stor.rs"}
          -32001 `src/stor.rs` does not exist
          did you mean `src/store.rs`?
        {"file_path":"webb"}
          -32001 `webb` does not exist
          did you mean `web`?
        {"file_path":"zzz"}
          -32001 `zzz` does not exist
          find_file finds paths by pattern
        {"file_path":"tls.key"}
          -32001 `tls.key` is not shown: it is not indexed: may hold secrets, by its name
          choose another file; index_status lists skipped files
        {"file_path":"../x"}
          -32001 `../x` is outside the workspace
          give a path inside the workspace, or the absolute path of a file in another repository
        {"file_path":"src/store.rs","target":"stoer"}
          -32001 no symbol `stoer` in src/store.rs
          did you mean `Store`?
        {"file_path":"src/store.rs","target":"Other::put"}
          -32001 no symbol `Other::put` in src/store.rs
          did you mean `Store::put`?
        {"file_path":"src","target":"zzz"}
          -32001 no symbol `zzz` in src
          leave target out to see all; find_symbol looks everywhere
        {"file_path":"src/store.rs","target":"::"}
          -32001 no symbol `::` in src/store.rs
          leave target out to see all; find_symbol looks everywhere
        {"file_path":"src/store.rs","mode":"sketch"}
          -32602 `mode` must be one of structure, minimal, full, not `sketch`
          see the tool's schema for what it takes
        {"file_path":"src/store.rs","max_depth":11}
          -32602 `max_depth` is 11, it must be from 0 to 10
          use a value from 0 to 10
        {"file_path":"src/store.rs","limit":0}
          -32602 `limit` is 0, it must be from 1 to 500
          use a value from 1 to 500
    "#]]
    .assert_eq(&errors(&kit, "get_symbols", &calls));
}

/// Names of symbols in the order of an outline, each once.
fn names(symbols: &[Value], out: &mut Vec<String>) {
    for symbol in symbols {
        if symbol["continued"] != true {
            out.push(string(&symbol["name"]));
        }
        names(symbol["children"].as_array().unwrap(), out);
    }
}

#[test]
fn a_large_symbol_is_told_piece_by_piece() {
    let repo = Repo::new("");
    let mut text = String::from("class Large:\n");
    let mut expected = vec!["Large".to_owned()];
    for n in 0..70 {
        let _ = write!(
            text,
            "    def method_{n}(self, größe: int) -> str:\n        return ''\n"
        );
        expected.push(format!("method_{n}"));
    }
    // Signatures so long that few of them fill a page.
    for n in 0..20 {
        let argument = "a_rather_long_parameter: dict[str, list[int]], ".repeat(5);
        let _ = write!(text, "    def long_{n}(self, {argument}*rest):\n        pass\n");
        expected.push(format!("long_{n}"));
    }
    text.push_str("def behind(): pass\n");
    expected.push("behind".to_owned());
    repo.write("large.py", text);
    let kit = Kit::new(&repo.root());
    for (limit, max_tokens) in [(50, 20000), (50, 4000), (1, 4000), (2, 20000), (50, 1800)] {
        let arguments = json!({ "file_path": "large.py", "limit": limit, "max_tokens": max_tokens });
        let (rows, pages) = kit
            .pages("get_symbols", &arguments, "symbols")
            .unwrap_or_else(|page| panic!("{}", page.text));
        let mut found = Vec::new();
        names(&rows, &mut found);
        assert_eq!(found, expected, "{arguments}");
        for page in pages {
            within(&page, max_tokens);
        }
    }
    let arguments =
        json!({ "file_path": "large.py", "target": "Large", "mode": "full", "max_depth": 0, "max_tokens": 600 });
    let answer = kit.call("get_symbols", arguments);
    within(&answer, 600);
    assert!(
        answer.text.contains("more characters: raise max_tokens"),
        "{}",
        answer.text
    );
}

#[test]
fn nothing_in_a_name_or_a_signature_stays_hidden() {
    let repo = Repo::new("");
    repo.write(
        "a.py",
        "def f(x='\u{202e}```'):\n    '''Doc \u{1b}[31m```.'''\n    return 1\n",
    );
    let kit = Kit::new(&repo.root());
    kit.json("index_repository", json!({}));
    for (tool, arguments) in [
        ("map_code", json!({ "detail": "full" })),
        (
            "get_symbols",
            json!({ "file_path": "a.py", "mode": "full", "target": "f" }),
        ),
    ] {
        let answer = kit.call(tool, arguments);
        for text in [answer.text, answer.structured.to_string()] {
            assert!(
                !text.contains(['\u{1b}', '\u{202e}']) && text.contains("u{202e}"),
                "{tool}: {text}"
            );
        }
    }
}

/// An outline shows the lines on disk at that moment.
#[test]
fn outlines_are_fresh() {
    let (repo, kit) = indexed();
    repo.write("src/lib.rs", "\n\npub fn moved() {}\n");
    let outline = kit.json("get_symbols", json!({ "file_path": "src/lib.rs" }));
    assert_eq!(outline["symbols"][0]["name"], "moved");
    assert_eq!(outline["symbols"][0]["start_line"], 3);
    assert!(kit.text("map_code", json!({})).contains("pub fn moved()"));
}

#[test]
fn a_namespace_around_everything_is_no_level() {
    let repo = Repo::new("");
    repo.write(
        "Shapes.cs",
        "namespace A.B {\n  class Circle {\n    int radius;\n    int Area() { return radius; }\n  }\n}\n",
    );
    let kit = Kit::new(&repo.root());
    check(
        &kit,
        "get_symbols",
        json!({ "file_path": "Shapes.cs" }),
        expect![[r#"
            Shapes.cs (csharp, 6 lines), 4 symbols
            1-6 namespace A.B
              2-5 class Circle
                3 int radius
                4 int Area()"#]],
    );
}

/// Who refers to whom is counted beside the answers where there is much of it, and kept for other processes; what was kept
/// may be damaged.
#[test]
fn an_order_that_is_not_final_says_so() {
    let mut tree = String::new();
    for n in 0..500 {
        tree.push_str(&format!("//- /src/m{n}.py\ndef own_{n}(): return shared()\n"));
    }
    let repo = Repo::new(&tree);
    let mut kit = Kit::new(&repo.root());
    kit.json("index_repository", json!({}));
    let kept = kit.index_dir().with_file_name("ranking.bin");
    let mut maps = Vec::new();
    for damage in ["", "no ranking"] {
        if !damage.is_empty() {
            std::fs::write(&kept, damage).unwrap();
            kit = kit.reopened();
        }
        let is_final = |map: &String| !map.contains("The order is by names and paths so far");
        let is_kept = || std::fs::read(&kept).is_ok_and(|bytes| bytes != damage.as_bytes());
        let mut asked = (0..600).map(|_| {
            std::thread::sleep(std::time::Duration::from_millis(20));
            kit.text("map_code", json!({}))
        });
        maps.push(asked.find(|map| is_final(map) && is_kept()).expect("a final order"));
    }
    assert_eq!(maps[0], maps[1]);
}

#[test]
fn what_goes_on_is_named_once_a_page() {
    let methods: String = (0..60).map(|n| format!("    def method_{n}(self): ...\n")).collect();
    let repo = Repo::new(&format!("//- /a.py\nclass Large:\n{methods}"));
    let kit = Kit::new(&repo.root());
    let page = |cursor: &str| {
        let arguments = json!({ "file_path": "a.py", "limit": 2, "cursor": cursor });
        kit.call("get_symbols", arguments)
    };
    let first = page("");
    assert_eq!(first.text.matches("class Large").count(), 1, "{}", first.text);
    let second = page(first.structured["next_cursor"].as_str().unwrap());
    assert_eq!(
        second.text.matches("class Large (continued)").count(),
        1,
        "{}",
        second.text
    );
}

/// Packages that describe themselves each in their own way, between what only takes room.
const PACKAGES: &str = r#"
//- /README.md
# Post

[![build](https://example.org/badge.svg)](https://example.org)

Post is a [mail](https://example.org) server for small teams. It needs no database.

## Install
//- /Makefile
all: build
build:
\tgo build ./...
//- /go.mod
module example.org/post
//- /cmd/post/main.go
package main

import "example.org/post/queue"

func main() { queue.Open() }
//- /queue/doc.go
// Copyright 2024 The Authors. All rights reserved.

// Package queue keeps letters until they are delivered, e.g. over night. It is not safe for
// concurrent use.
package queue
//- /queue/queue.go
package queue

// Queue holds letters.
type Queue struct{}

func Open() *Queue { return nil }
func (q *Queue) Close() {}
//- /queue/queue_test.go
package queue

func TestOpen(t *testing.T) {}
//- /web/package.json
{ "name": "web", "description": "The mailbox in the browser" }
//- /web/src/index.ts
export function render(): string { return "" }
//- /tools/importer/__init__.py
"""Imports mailboxes of other programs.

Slowly.
"""
def run(): pass
//- /native/README.rst
Native
======

Parses headers with as few copies as possible.
//- /native/parse.c
/* Copyright (c) somebody */
/* Header parser without allocations. */
int parse(void) { return 0; }
//- /benchmarks/bench.go
package benchmarks

func BenchmarkOpen() {}
"#;

#[test]
fn a_map_orients() {
    let repo = Repo::new(PACKAGES);
    let kit = Kit::new(&repo.root());
    kit.json("index_repository", json!({ "session": "post" }));
    check(
        &kit,
        "map_code",
        json!({ "depth": 1 }),
        expect![[r#"
            post: 13 files (go 5, c 1, json 1, make 1, markdown 1, other 4)
            Post is a mail server for small teams
            Entry points: cmd/post/main.go
            benchmarks/ (1 file, 3 lines)
            cmd/ (1 file, 5 lines)
              post/ [main]
            native/ (2 files, 3 lines): Parses headers with as few copies as possible
              parse.c: Header parser without allocations [parse]
            queue/ (3 files, 15 lines; imported by 1 file): Package queue keeps letters until they are delivered, e.g. over night
              queue.go [Open, Queue]
              doc.go
            tools/ (1 file, 5 lines)
              importer/: Imports mailboxes of other programs [run]
            web/ (2 files, 1 line): The mailbox in the browser
              src/ [render]
            Makefile, README.md, go.mod
            [3 files, 0 symbols, 276 tokens]"#]],
    );
    check(
        &kit,
        "map_code",
        json!({ "depth": 2 }),
        expect![[r#"
            post: 13 files (go 5, c 1, json 1, make 1, markdown 1, other 4)
            Post is a mail server for small teams
            Entry points: cmd/post/main.go
            benchmarks/ (1 file, 3 lines)
            cmd/
              post/ (1 file, 5 lines)
                main.go [main]
            native/: Parses headers with as few copies as possible
              parse.c
                int parse(void)
              README.rst
            queue/ (imported by 1 file; +1): Package queue keeps letters until they are delivered, e.g. over night
              doc.go
                package queue
              queue.go
                package queue
                type Queue struct
                func Open() *Queue
                func (q *Queue) Close()
            tools/
              importer/ (1 file, 5 lines): Imports mailboxes of other programs
                __init__.py [run]
            web/: The mailbox in the browser
              src/ (1 file, 1 line)
                index.ts [render]
              package.json
            Makefile, README.md, go.mod
            ... (1 more file, 2 more symbols)
            [8 files, 6 symbols, 364 tokens]
            (+n) counts what is not shown. For more: path, depth, language, detail files, get_symbols or a larger max_tokens."#]],
    );
    // What is left out otherwise is shown to those who ask for it.
    check(
        &kit,
        "map_code",
        json!({ "path": "benchmarks" }),
        expect![[r#"
        benchmarks: 1 file (go 1)
        bench.go
          package benchmarks
          func BenchmarkOpen()
        [1 file, 2 symbols, 42 tokens]"#]],
    );
    check(
        &kit,
        "map_code",
        json!({ "path": "Makefile" }),
        expect![[r#"
        Makefile: 1 file (make 1)
        Makefile
          all: build
          build
        [1 file, 2 symbols, 34 tokens]"#]],
    );
    check(
        &kit,
        "map_code",
        json!({ "path": "queue/queue_test.go" }),
        expect![[r#"
            queue/queue_test.go: 1 file (go 1)
            queue_test.go
              package queue
              func TestOpen(t *testing.T)
            [1 file, 2 symbols, 55 tokens]"#]],
    );
    check_json(
        &kit,
        "map_code",
        json!({ "path": "queue", "depth": 1 }),
        expect![[r#"
            {
              "path": "queue",
              "files": [
                {
                  "path": "queue/doc.go",
                  "symbols": [
                    "package queue"
                  ]
                },
                {
                  "path": "queue/queue.go",
                  "symbols": [
                    "package queue",
                    "type Queue struct",
                    "func Open() *Queue",
                    "func (q *Queue) Close()"
                  ]
                }
              ],
              "shown": {
                "files": 2,
                "symbols": 5
              },
              "hidden": {
                "files": 1,
                "symbols": 2
              },
              "tokens": 151,
              "about": "Package queue keeps letters until they are delivered, e.g. over night",
              "coverage": {
                "generation": <n>,
                "complete": true,
                "engines": [
                  "syntax"
                ]
              }
            }"#]],
    );
}
