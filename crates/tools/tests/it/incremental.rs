//! An index that was kept up to date equals one made from scratch: every tool, after any history of edits.

use std::{
    fs,
    time::{Duration, Instant},
};

use proptest::prelude::*;
use serde_json::{Value, json};
use test_fixture::Repo;

use crate::kit::{Kit, scale};

/// Files, each with pieces that may stand in it. The pieces speak of each other, so that edits change what names mean.
const FILES: &[(&str, &[&str])] = &[
    (
        "src/lib.rs",
        &[
            "mod shapes;\n",
            "pub mod walk;\n",
            "use shapes::Shape;\n",
            "use crate::walk::{walk, Walker as W};\n",
            "pub fn alpha(shape: &Shape) -> u32 { beta(shape.area()) }\n",
            "/// Doubles.\nfn beta(n: u32) -> u32 { n * 2 }\n",
            "fn gamma_ray() { W::new().run(); walk(); }\n",
            "#[test]\nfn alpha_is_even() { assert_eq!(alpha(&Shape::new()) % 2, 0); }\n",
        ],
    ),
    (
        "src/shapes.rs",
        &[
            "pub struct Shape { side: u32 }\n",
            "impl Shape {\n    pub fn new() -> Shape { Shape { side: 1 } }\n    pub fn area(&self) -> u32 { self.side * self.side }\n}\n",
            "pub trait Draw { fn draw(&self); }\n",
            "impl Draw for Shape { fn draw(&self) { crate::walk::walk(); } }\n",
            "// alpha beta\n",
        ],
    ),
    (
        "src/walk.rs",
        &[
            "pub struct Walker;\n",
            "impl Walker { pub fn new() -> Walker { Walker } pub fn run(&self) { walk() } }\n",
            "pub fn walk() { if beta() { walk() } }\n",
            "fn beta() -> bool { false }\n",
        ],
    ),
    (
        "app/main.py",
        &[
            "from app.util import beta, Shape\n",
            "def alpha(n):\n    return beta(n)\n",
            "class Round(Shape):\n    def area(self):\n        return alpha(self.side)\n",
            "日本 = 'alpha beta'\n",
        ],
    ),
    (
        "app/util.py",
        &[
            "class Shape:\n    side = 1\n    def area(self):\n        return self.side\n",
            "def beta(n):\n    return Shape().area() + n\n",
            "import app.main\n",
        ],
    ),
    (
        "web/index.ts",
        &[
            "import { area } from './area';\n",
            "export function alpha() { return area(1); }\n",
        ],
    ),
    (
        "web/area.ts",
        &[
            "export const area = (side: number) => side * side;\n",
            "export { alpha } from './index';\n",
        ],
    ),
    (
        "README.md",
        &[
            "# Shapes\n",
            "`alpha` doubles the area of a shape.\n",
            "## beta gamma_ray\n",
        ],
    ),
    ("plain", &["alpha\n", "beta gamma_ray\n", "日本\n"]),
];
const IGNORES: &[&str] = &["", "app/\n", "*.ts\nplain\n"];

#[derive(Debug, Clone)]
enum Edit {
    Write(usize, Vec<usize>),
    /// The same number of other bytes, at once.
    SameSize(usize),
    Remove(usize),
    Rename(usize, usize),
    /// A directory of the same name takes a file's place.
    Directory(usize),
    Touch(usize),
    Mode(usize, bool),
    Ignore(&'static str),
    /// The whole tree becomes what it was before, as with a change of branches.
    Back,
    /// Ask something, so that the index is brought up to date in between.
    Ask,
}

fn edit() -> impl Strategy<Value = Edit> {
    let file = || 0..FILES.len();
    prop_oneof![
        10 => (file(), prop::collection::vec(0..8usize, 0..6)).prop_map(|(file, pieces)| Edit::Write(file, pieces)),
        2 => file().prop_map(Edit::SameSize),
        2 => file().prop_map(Edit::Remove),
        2 => (file(), file()).prop_map(|(from, to)| Edit::Rename(from, to)),
        1 => file().prop_map(Edit::Directory),
        1 => file().prop_map(Edit::Touch),
        1 => (file(), any::<bool>()).prop_map(|(file, readable)| Edit::Mode(file, readable)),
        1 => prop::sample::select(IGNORES).prop_map(Edit::Ignore),
        1 => Just(Edit::Back),
        4 => Just(Edit::Ask),
    ]
}

fn text_of(file: usize, pieces: &[usize]) -> String {
    let known = FILES[file].1;
    pieces.iter().map(|piece| known[piece % known.len()]).collect()
}

/// Writes a file, whatever is in its place.
fn put(repo: &Repo, file: usize, text: &str) {
    let path = repo.path(FILES[file].0);
    if path.is_dir() {
        fs::remove_dir_all(&path).unwrap();
    }
    repo.write(FILES[file].0, text);
}

fn set_mode(repo: &Repo, file: usize, readable: bool) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::Permissions::from_mode(if readable { 0o644 } else { 0o600 });
        let _ = fs::set_permissions(repo.path(FILES[file].0), mode);
    }
    #[cfg(not(unix))]
    let _ = (repo, file, readable);
}

type Tree = Vec<Option<Vec<u8>>>;

fn tree(repo: &Repo) -> Tree {
    FILES.iter().map(|(path, _)| fs::read(repo.path(path)).ok()).collect()
}

impl Edit {
    /// Edits of files that are not there, or cannot be, change nothing.
    fn apply(&self, repo: &Repo, kits: &[&Kit], before: &mut Tree) {
        let path = |file: &usize| repo.path(FILES[*file].0);
        match self {
            Edit::Write(file, pieces) => put(repo, *file, &text_of(*file, pieces)),
            Edit::SameSize(file) => {
                if let Ok(text) = fs::read_to_string(path(file)) {
                    fs::write(path(file), text.replace("beta", "zeta")).unwrap();
                }
            }
            Edit::Remove(file) => drop(fs::remove_file(path(file))),
            Edit::Rename(from, to) => drop(fs::rename(path(from), path(to))),
            Edit::Directory(file) => {
                if path(file).is_file() {
                    fs::remove_file(path(file)).unwrap();
                }
                repo.write(&format!("{}/inner.rs", FILES[*file].0), "fn beta() { alpha() }\n");
            }
            Edit::Touch(file) => {
                if let Ok(open) = fs::File::options().append(true).open(path(file)) {
                    open.set_modified(std::time::SystemTime::now()).unwrap();
                }
            }
            Edit::Mode(file, readable) => set_mode(repo, *file, *readable),
            Edit::Ignore(text) => repo.write(".gitignore", text),
            Edit::Back => {
                let now = tree(repo);
                for (file, content) in std::mem::replace(before, now).into_iter().enumerate() {
                    match content {
                        Some(content) => put(repo, file, &String::from_utf8(content).unwrap()),
                        None => drop(fs::remove_file(repo.path(FILES[file].0))),
                    }
                }
            }
            Edit::Ask => {
                for kit in kits {
                    kit.json("search_code", json!({ "query": "alpha" }));
                }
            }
        }
    }
}

/// What is asked of every index: each tool that reads.
fn questions() -> Vec<(&'static str, Value)> {
    let mut calls: Vec<(&str, Value)> = Vec::new();
    for query in [
        "alpha",
        "area of a shape",
        "\"alpha beta\"",
        "gamma NOT beta",
        "fn AND path:src",
        "ray OR lang:python",
        "symbol:area",
        "how does walking stop",
    ] {
        calls.push(("search_code", json!({ "query": query, "k": 100 })));
        calls.push(("search_code", json!({ "query": query, "k": 3, "mode": "keyword" })));
    }
    for symbol in ["alpha", "beta", "area", "Shape", "Shape::new", "walk", "Walker", "zeta"] {
        for tool in [
            "find_definition",
            "find_references",
            "find_callers",
            "find_callees",
            "find_implementations",
        ] {
            calls.push((tool, json!({ "symbol": symbol })));
        }
        calls.push(("find_symbol", json!({ "name": symbol })));
        calls.push(("deep_dive", json!({ "symbol": symbol, "depth": "full" })));
        calls.push(("impact_analysis", json!({ "symbol": symbol, "depth": 2 })));
        calls.push((
            "get_call_graph",
            json!({ "symbol": symbol, "direction": "both", "depth": 2 }),
        ));
        calls.push(("extract_code", json!({ "targets": [symbol] })));
    }
    for (path, _) in FILES {
        calls.push(("get_symbols", json!({ "file_path": path, "max_depth": 3 })));
        calls.push(("get_dependencies", json!({ "file_path": path })));
        calls.push(("read_file", json!({ "path": path })));
        calls.push(("preview_chunk", json!({ "file_path": path, "chunk_index": 0 })));
    }
    calls.extend([
        ("search_code", json!({ "query": "alpha", "literal": true })),
        (
            "find_similar",
            json!({ "code": "fn area(&self) -> u32 { self.side }", "limit": 100 }),
        ),
        ("grep", json!({ "pattern": "a.*日|beta" })),
        ("list_files", json!({})),
        ("find_file", json!({ "pattern": "src/*" })),
        ("map_code", json!({ "detail": "full" })),
        ("find_path", json!({ "from": "gamma_ray", "to": "beta" })),
        ("analyze_complexity", json!({ "file_path": "." })),
    ]);
    for (_, arguments) in &mut calls {
        arguments["max_tokens"] = json!(20000);
    }
    calls
}

/// What depends on history, not on the files.
fn forget_history(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            for key in ["generation", "order_generation", "index_age", "indexed_at"] {
                fields.remove(key);
            }
            fields.values_mut().for_each(forget_history);
        }
        Value::Array(items) => items.iter_mut().for_each(forget_history),
        _ => {}
    }
}

fn observed(kit: &Kit) -> Vec<(String, Value)> {
    let unpaged = ["read_file", "preview_chunk"];
    let ask = |(tool, mut arguments): (&'static str, Value)| {
        if unpaged.contains(&tool) {
            arguments.as_object_mut().unwrap().remove("max_tokens");
        }
        let mut answer = kit.call(tool, arguments.clone()).structured;
        forget_history(&mut answer);
        (format!("{tool} {arguments}"), answer)
    };
    questions().into_iter().map(ask).collect()
}

const SMALL: &[(&str, &str)] = &[("indexing.chunk_size", "100"), ("indexing.overlap", "20")];

proptest! {
    #![proptest_config(ProptestConfig { cases: 8 * scale(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_updated_index_is_a_fresh_index(edits in prop::collection::vec(edit(), 1..30)) {
        let repo = Repo::new("");
        for (file, (_, pieces)) in FILES.iter().enumerate() {
            put(&repo, file, &pieces.concat());
        }
        let swept = Kit::with_small_chunks(&repo.root());
        let watched = Kit::with(&repo.root(), true, SMALL);
        let mut before = tree(&repo);
        for edit in &edits {
            edit.apply(&repo, &[&swept, &watched], &mut before);
        }
        let fresh = observed(&Kit::with_small_chunks(&repo.root()));
        for (name, kit) in [("swept", &swept), ("watched", &watched)] {
            for ((asked, updated), (_, fresh)) in observed(kit).iter().zip(&fresh) {
                prop_assert_eq!(updated, fresh, "{}: {}", name, asked);
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

/// One that is asked for while files are being indexed comes after that.
#[test]
fn a_rebuild_in_the_background_is_not_forgotten() {
    let repo = Repo::new("");
    for n in 0..200 {
        repo.write(&format!("{n}.rs"), format!("fn alpha{n}() {{}}\n"));
    }
    // What was written just now would be looked at twice in any case.
    std::thread::sleep(Duration::from_millis(200));
    let kit = Kit::new(&repo.root());
    for force in [false, true] {
        let arguments = json!({ "path": repo.root(), "background": true, "force": force });
        kit.json("index_repository", arguments);
    }
    let started = Instant::now();
    while kit.json("index_status", json!({}))["generation"].as_u64() < Some(2) {
        assert!(started.elapsed() < Duration::from_secs(60), "it never comes");
        std::thread::sleep(Duration::from_millis(20));
    }
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

/// A build that understands one language otherwise than the last one indexes its files again, and no others.
#[test]
fn a_new_extraction_of_a_language_replaces_its_facts() {
    let repo = Repo::new(
        "//- /a.rs\nfn a() { b() }\nfn b() {}\n//- /b.rs\nfn e() {}\n//- /c.py\ndef c(): pass\n//- /d.txt\nd\n",
    );
    let kit = Kit::new(&repo.root());
    let indexed = |kit: &Kit| kit.json("index_repository", json!({}))["files_indexed"].clone();
    assert_eq!(indexed(&kit), 4);
    let catalog = rusqlite::Connection::open(kit.index_dir().join("catalog.db")).unwrap();
    let n_rows = catalog.execute("UPDATE files SET extraction = extraction - 1 WHERE lang = 'rust'", []);
    assert_eq!(n_rows, Ok(2));
    let kit = kit.reopened();
    assert_eq!(indexed(&kit), 2);
    assert_eq!(indexed(&kit), 0);
    assert_eq!(kit.json("find_references", json!({ "symbol": "b" }))["total"], 1);
}
