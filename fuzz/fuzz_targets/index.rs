//! Any change of the files of an index: what is answered next is what was answered before.

#![no_main]

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{LazyLock, Mutex, PoisonError},
    time::Duration,
};

use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};
use test_fixture::Repo;

#[allow(dead_code, reason = "the tools' own tests use the rest")]
#[path = "../../crates/tools/tests/it/kit.rs"]
mod kit;

const REPO: &str = "
//- /src/lib.rs
mod shapes;
/// Doubles the area.
pub fn alpha(shape: &shapes::Shape) -> u32 { beta(shape.area()) }
fn beta(n: u32) -> u32 { n * 2 }
//- /src/shapes.rs
pub struct Shape { side: u32 }
impl Shape { pub fn area(&self) -> u32 { self.side * self.side } }
//- /README.md
# Shapes
The area of a shape.
";

struct Fixture {
    _repo: Repo,
    kit: Option<kit::Kit>,
    /// The files of a sound index.
    files: Vec<(PathBuf, Vec<u8>)>,
    right: Vec<Value>,
}

static FIXTURE: LazyLock<Mutex<Fixture>> = LazyLock::new(|| {
    // The text index panics at what it has not written; `index` catches that, and any other panic fails a call or the run.
    std::panic::set_hook(Box::new(|panic| eprintln!("{panic}")));
    let repo = Repo::new(REPO);
    // Not checked again and again because they are so new.
    std::thread::sleep(Duration::from_millis(300));
    let kit = kit::Kit::new(&repo.root());
    let right = answers(&kit, &[]);
    let dir = kit.index_dir();
    let kit = kit.reopened();
    let files = files_below(&dir);
    Mutex::new(Fixture {
        _repo: repo,
        kit: Some(kit),
        files,
        right,
    })
});

fuzz_target!(|data: &[u8]| {
    let mut fixture = FIXTURE.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(kit) = fixture.kit.take() else { return };
    let dir = kit.index_dir();
    // Closed, restored, spoilt, and opened again.
    let kit = kit.reopened();
    fs::remove_dir_all(&dir).expect("the index can be deleted");
    for (path, bytes) in &fixture.files {
        fs::create_dir_all(path.parent().expect("a file is in a directory")).expect("directories can be made");
        fs::write(path, bytes).expect("files can be written");
    }
    let mut told = Vec::new();
    for change in data.chunks_exact(8).take(8) {
        let [file, what, at @ ..] = change else { continue };
        let (path, bytes) = &fixture.files[*file as usize % fixture.files.len()];
        let at = u32::from_le_bytes([at[0], at[1], at[2], 0]) as usize % bytes.len();
        let mut bytes = fs::read(path).unwrap_or_default();
        bytes.resize(bytes.len().max(at + 1), 0);
        match what % 4 {
            0 => bytes[at] ^= change[5] | 1,
            1 => bytes.truncate(at),
            2 => drop(bytes.splice(at..at, change[5..].iter().copied())),
            _ => bytes[at..].fill(change[5]),
        }
        told.push(format!("{} {what} at {at}", path.display()));
        fs::write(path, bytes).expect("files can be written");
    }
    assert_eq!(answers(&kit, &told), fixture.right, "{told:?}");
    fixture.kit = Some(kit);
});

fn answers(kit: &kit::Kit, told: &[String]) -> Vec<Value> {
    let asked = [
        ("search_code", json!({ "query": "alpha" }), "results"),
        (
            "search_code",
            json!({ "query": "beta OR area", "mode": "keyword" }),
            "results",
        ),
        ("search_code", json!({ "query": "area", "literal": true }), "results"),
        ("find_symbol", json!({ "name": "area" }), "definitions"),
        ("find_references", json!({ "symbol": "Shape" }), "references"),
        ("find_similar", json!({ "code": "fn area(&self) -> u32" }), "results"),
        ("list_files", json!({}), "files"),
    ];
    let answer = |(tool, arguments, key): (&str, Value, &str)| {
        let answer = kit.call(tool, arguments);
        assert!(!answer.is_error(), "{told:?}: {}", answer.text);
        answer.structured[key].clone()
    };
    asked.into_iter().map(answer).collect()
}

fn files_below(dir: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files = Vec::new();
    for entry in fs::read_dir(dir).expect("the directory exists") {
        let path = entry.expect("it can be listed").path();
        if path.is_dir() {
            files.extend(files_below(&path));
        } else if let Ok(bytes) = fs::read(&path)
            && !bytes.is_empty()
        {
            files.push((path, bytes));
        }
    }
    // Names are made up anew each time; what they end in says what they are.
    files.sort_by_key(|(path, bytes)| (path.extension().map(ToOwned::to_owned), bytes.len(), path.clone()));
    files
}
