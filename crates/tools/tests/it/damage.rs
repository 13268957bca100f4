//! Bytes of the index that are not what was written: flipped, cut off, written over. The next answer is the right one.

use std::{
    fs::{self, File},
    io::{Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use serde_json::{Value, json};
use test_fixture::Repo;

use crate::kit::{Kit, scale};

const REPO: &str = "
//- /src/lib.rs
mod shapes;
use shapes::Shape;
/// Doubles the area.
pub fn alpha(shape: &Shape) -> u32 { beta(shape.area()) }
fn beta(n: u32) -> u32 { n * 2 }
//- /src/shapes.rs
pub struct Shape { side: u32 }
impl Shape {
    pub fn area(&self) -> u32 { self.side * self.side }
}
//- /app/main.py
def alpha(n):
    return n
//- /README.md
# Shapes
The area of a shape.
";

/// The same numbers on every machine.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n.max(1)
    }
}

fn answers(kit: &Kit, what: &str) -> Vec<Value> {
    let asked = [
        ("search_code", json!({ "query": "alpha" }), "results"),
        ("search_code", json!({ "query": "area of shapes" }), "results"),
        (
            "search_code",
            json!({ "query": "beta OR area", "mode": "keyword" }),
            "results",
        ),
        ("search_code", json!({ "query": "area", "literal": true }), "results"),
        ("find_symbol", json!({ "name": "area" }), "definitions"),
        ("find_references", json!({ "symbol": "Shape" }), "references"),
        ("get_symbols", json!({ "file_path": "src/shapes.rs" }), "symbols"),
        ("find_similar", json!({ "code": "fn area(&self) -> u32" }), "results"),
        ("list_files", json!({}), "files"),
    ];
    asked
        .into_iter()
        .map(|(tool, arguments, key)| {
            let answer = kit.call(tool, arguments);
            assert!(!answer.is_error(), "{what}: {tool}: {}", answer.text);
            answer.structured[key].clone()
        })
        .collect()
}

fn files_below(dir: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(files_below(&path));
        } else if path.metadata().is_ok_and(|metadata| metadata.len() > 0) {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// Does something to a file; says what. A closing database takes some of its files away by itself.
fn spoil(path: &Path, dice: &mut Dice) -> Option<String> {
    let mut file = File::options().read(true).write(true).open(path).ok()?;
    let size = file.metadata().ok()?.len();
    let at = dice.below(size);
    Some(match dice.below(4) {
        0 => {
            file.set_len(at).unwrap();
            format!("cut at {at} of {size}")
        }
        1 => {
            file.seek(SeekFrom::Start(at)).unwrap();
            file.write_all(&vec![0; dice.below(64) as usize + 1]).unwrap();
            format!("zeros at {at} of {size}")
        }
        _ => {
            let mut byte = [0];
            file.seek(SeekFrom::Start(at)).unwrap();
            file.read_exact(&mut byte).unwrap();
            byte[0] ^= 1 << dice.below(8);
            file.seek(SeekFrom::Start(at)).unwrap();
            file.write_all(&byte).unwrap();
            format!("a bit at {at} of {size}")
        }
    })
}

fn check(seed: u64, rounds: u64, open: bool) {
    let repo = Repo::new(REPO);
    let mut kit = Kit::new(&repo.root());
    let right = answers(&kit, "before");
    let mut dice = Dice(seed);
    for round in 0..rounds {
        let dir = kit.index_dir();
        if !open {
            kit = kit.reopened();
        }
        // What SQLite has open it guards itself, or has in memory.
        let is_meant = |path: &PathBuf| !open || path.parent() != Some(&dir);
        let files: Vec<PathBuf> = files_below(&dir).into_iter().filter(is_meant).collect();
        let path = &files[dice.below(files.len() as u64) as usize];
        let Some(what) = spoil(path, &mut dice) else { continue };
        let what = format!("round {round}, {}: {what}", path.strip_prefix(&dir).unwrap().display());
        assert_eq!(answers(&kit, &what), right, "{what}");
        let health = kit.json("health_check", json!({}));
        assert_ne!(health["overall"], "unhealthy", "{what}: {health}");
        assert_eq!(answers(&kit, &what), right, "{what}, after a health check");
    }
}

#[test]
fn before_a_process_opens_it() {
    check(0x9E37_79B9_7F4A_7C15, 40 * u64::from(scale()), false);
}

/// A head that says what follows, and nothing that does; and everything there, but not in its place.
#[test]
fn a_catalog_of_which_the_beginning_is_left() {
    let repo = Repo::new(REPO);
    let mut kit = Kit::new(&repo.root());
    let right = answers(&kit, "before");
    for (left, moved) in [100, 4096, 5000, 8192, 12288, 25137, 30000, 40000]
        .into_iter()
        .flat_map(|left| [(left, false), (left, true)])
    {
        let path = kit.index_dir().join("catalog.db");
        kit = kit.reopened();
        let mut bytes = fs::read(&path).unwrap();
        let left = left.min(bytes.len());
        match moved {
            true => drop(bytes.splice(left..left, [7; 3])),
            false => bytes[left..].fill(b'z'),
        }
        fs::write(&path, bytes).unwrap();
        let what = format!("{left} bytes are left, others are moved: {moved}");
        assert_eq!(answers(&kit, &what), right, "{what}");
    }
}

/// Cutting a file that is mapped ends a process that reads on.
#[test]
fn while_a_process_has_it_open() {
    check(0xD1B5_4A32_D192_ED03, 40 * u64::from(scale()), true);
}

/// What is deleted beneath a running server is made anew by the next answer.
#[test]
fn parts_that_are_deleted_while_a_process_has_them_open() {
    let repo = Repo::new(REPO);
    let kit = Kit::watching(&repo.root());
    let right = answers(&kit, "before");
    let remove = |part: &str| fs::remove_dir_all(kit.index_dir().parent().unwrap().join(part)).unwrap();
    for part in ["index", "index/vectors", "index/text", "cookies", ""] {
        remove(part);
        let what = format!("without `{part}`");
        assert_eq!(answers(&kit, &what), right, "{what}");
        let report = kit.json("index_repository", json!({ "force": true }));
        assert_eq!(report["files_indexed"], 4, "{what}: {report}");
        let health = kit.json("health_check", json!({}));
        assert_eq!(health["overall"], "healthy", "{what}: {health}");
        let cookies = kit.index_dir().parent().unwrap().join("cookies");
        assert!(
            cfg!(not(target_os = "linux")) || cookies.is_dir(),
            "{what}: changes are not watched"
        );
    }
    for keeps_memories in [false, true] {
        if keeps_memories {
            kit.json("checkpoint", json!({ "description": "something to keep" }));
        }
        let status = kit.json("index_status", json!({}));
        let name = &status["session"];
        kit.beside(false)
            .json("delete_session", json!({ "session": name, "confirm": true }));
        let what = format!("its session deleted, memories: {keeps_memories}");
        assert_eq!(answers(&kit, &what), right, "{what}");
    }
}

/// Writes into the head of the catalog which format it has, as another version would.
fn set_format(index_dir: &Path, format: u32, is_said_twice: bool) {
    let mut file = File::options().write(true).open(index_dir.join("catalog.db")).unwrap();
    let places = if is_said_twice {
        &[(60, 0), (68, 0x504f_0000)][..]
    } else {
        &[(60, 0)]
    };
    for (at, mark) in places {
        file.seek(SeekFrom::Start(*at)).unwrap();
        file.write_all(&(mark | format).to_be_bytes()).unwrap();
    }
}

/// An older format is made anew, a newer one is left to whoever wrote it; what only looks like one is damage.
#[test]
fn an_index_of_another_version() {
    for (format, is_said_twice, stays) in [(1, true, false), (200, true, true), (200, false, false)] {
        let what = format!("format {format}, said twice: {is_said_twice}");
        let repo = Repo::new(REPO);
        let kit = Kit::new(&repo.root());
        let right = answers(&kit, &what);
        let kit = kit.reopened();
        let dir = kit.index_dir();
        set_format(&dir, format, is_said_twice);
        let before = fs::read(dir.join("catalog.db")).unwrap();
        assert_eq!(answers(&kit, &what), right, "{what}");
        // Again, from what was made then.
        let kit = kit.reopened();
        assert_eq!(answers(&kit, &what), right, "{what}");
        let status = kit.json("index_repository", json!({}));
        assert_eq!(status["files_indexed"], 0, "{what}: {status}");
        assert_eq!(fs::read(dir.join("catalog.db")).unwrap() == before, stays, "{what}");
    }
}
