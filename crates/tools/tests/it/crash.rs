//! Whatever happens to the files of an index, the next call answers.

use std::{fs, path::Path};

use serde_json::json;
use test_fixture::Repo;

use crate::kit::Kit;

const REPO: &str = "
//- /a.rs
fn alpha() {}
//- /b.rs
fn beta() {}
";

fn assert_answers(kit: &Kit, what: &str) {
    for (text, path) in [("alpha", "a.rs"), ("beta", "b.rs")] {
        assert_eq!(kit.paths_with(text), [path], "{what}");
        let rows = kit.rows("search_code", &json!({ "query": text }), "results");
        assert_eq!(rows.len(), 1, "{what}");
    }
    assert_eq!(kit.files(), ["a.rs", "b.rs"], "{what}");
    let similar = kit.json("find_similar", json!({ "code": "fn alpha() {}" }));
    assert_eq!(similar["coverage"]["engines"], json!(["vectors"]), "{what}");
    assert_eq!(similar["results"][0]["path"], "a.rs", "{what}");
}

fn each_file(dir: &Path, change: &dyn Fn(&Path)) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            change(&path);
        } else {
            each_file(&path, change);
        }
    }
}

fn each_segment(dir: &Path, change: &dyn Fn(&Path)) {
    each_file(&dir.join("text"), &|path| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if !name.ends_with(".json") && !name.starts_with('.') {
            change(path);
        }
    });
}

fn remove_if_there(path: &Path) {
    if path.is_dir() {
        fs::remove_dir_all(path).unwrap();
    } else if path.exists() {
        fs::remove_file(path).unwrap();
    }
}

type Damage = (&'static str, fn(&Path));

/// Done to the directory of the index while no process has it open.
const DAMAGES: &[Damage] = &[
    ("nothing", |_| {}),
    ("no catalog", |dir| {
        for name in ["catalog.db", "catalog.db-wal", "catalog.db-shm"] {
            remove_if_there(&dir.join(name));
        }
    }),
    ("an empty catalog", |dir| {
        remove_if_there(&dir.join("catalog.db-wal"));
        fs::write(dir.join("catalog.db"), "").unwrap();
    }),
    ("half a catalog", |dir| {
        remove_if_there(&dir.join("catalog.db-wal"));
        let file = fs::File::options().write(true).open(dir.join("catalog.db")).unwrap();
        file.set_len(file.metadata().unwrap().len() / 2).unwrap();
    }),
    ("garbage for a catalog", |dir| {
        remove_if_there(&dir.join("catalog.db-wal"));
        fs::write(dir.join("catalog.db"), "garbage ".repeat(2000)).unwrap();
    }),
    ("a catalog of a format that SQLite does not know", |dir| {
        remove_if_there(&dir.join("catalog.db-wal"));
        let mut bytes = fs::read(dir.join("catalog.db")).unwrap();
        bytes[47] = 160;
        fs::write(dir.join("catalog.db"), bytes).unwrap();
    }),
    ("no text index", |dir| remove_if_there(&dir.join("text"))),
    ("no meta.json", |dir| remove_if_there(&dir.join("text/meta.json"))),
    ("an empty meta.json", |dir| {
        fs::write(dir.join("text/meta.json"), "").unwrap()
    }),
    ("garbage for a meta.json", |dir| {
        fs::write(dir.join("text/meta.json"), "{\"garbage\": [").unwrap();
    }),
    ("a meta.json of something else", |dir| {
        fs::write(dir.join("text/meta.json"), "{\"a\": 1}").unwrap();
    }),
    ("no segments", |dir| {
        each_segment(dir, &|path| fs::remove_file(path).unwrap())
    }),
    ("segments cut short", |dir| {
        each_segment(dir, &|path| {
            fs::File::options().write(true).open(path).unwrap().set_len(3).unwrap();
        });
    }),
    ("no vectors", |dir| remove_if_there(&dir.join("vectors"))),
    ("no file of vectors", |dir| {
        each_file(&dir.join("vectors"), &|path| fs::remove_file(path).unwrap())
    }),
    ("vectors cut short", |dir| {
        each_file(&dir.join("vectors"), &|path| {
            fs::File::options().write(true).open(path).unwrap().set_len(99).unwrap();
        });
    }),
    ("empty vectors", |dir| {
        each_file(&dir.join("vectors"), &|path| fs::write(path, "").unwrap());
    }),
    ("garbage for vectors", |dir| {
        each_file(&dir.join("vectors"), &|path| {
            fs::write(path, "garbage ".repeat(100)).unwrap()
        });
    }),
    ("a vector that is another", |dir| {
        each_file(&dir.join("vectors"), &|path| {
            let mut bytes = fs::read(path).unwrap();
            bytes[7] ^= 1;
            fs::write(path, bytes).unwrap();
        });
    }),
    ("no index at all", |dir| remove_if_there(dir)),
    ("files left over", |dir| {
        fs::write(dir.join("text/leftover.tmp"), "x").unwrap();
        fs::write(dir.join("leftover"), "x").unwrap();
        fs::write(dir.join("vectors/9-leftover.vec"), "x").unwrap();
        fs::write(dir.join("vectors/new.vec"), "x").unwrap();
    }),
];

#[test]
fn a_damaged_index_is_mended_by_the_next_call() {
    for (what, damage) in DAMAGES {
        let repo = Repo::new(REPO);
        let kit = Kit::new(&repo.root());
        assert_answers(&kit, "before");
        let dir = kit.index_dir();
        let kit = kit.reopened();
        damage(&dir);
        assert_answers(&kit, what);
        assert_answers(&kit.reopened(), what);
    }
}

/// Each part of a health check says what is wrong with it, in the process that has the files open and in a new one.
#[test]
fn health_tells_of_vectors_that_are_gone() {
    let repo = Repo::new(REPO);
    let mut kit = Kit::new(&repo.root());
    let part = |kit: &Kit| kit.json("health_check", json!({}))["parts"]["vector_index"].clone();
    assert_eq!(part(&kit)["message"], "no vectors yet; the first search makes them");
    let gone = json!("a file of vectors was missing or damaged; the next search makes it anew");
    for is_reopened in [false, true] {
        assert_answers(&kit, "before");
        assert_eq!(part(&kit)["status"], "healthy");
        each_file(&kit.index_dir().join("vectors"), &|path| fs::remove_file(path).unwrap());
        if is_reopened {
            kit = kit.reopened();
        }
        for _ in 0..2 {
            let part = part(&kit);
            assert_eq!((&part["status"], &part["message"]), (&json!("degraded"), &gone));
        }
        assert_answers(&kit, "afterwards");
        assert_eq!(part(&kit)["status"], "healthy");
    }
}

#[test]
fn a_session_without_identity_is_made_anew() {
    let repo = Repo::new(REPO);
    let kit = Kit::new(&repo.root());
    assert_answers(&kit, "before");
    let session = kit.index_dir().with_file_name("session.json");
    for text in ["", "{", "null"] {
        fs::write(&session, text).unwrap();
        assert_answers(&kit, text);
    }
    fs::remove_file(&session).unwrap();
    assert_answers(&kit.reopened(), "no session.json");
}

/// The home may be taken away under a running server.
#[test]
fn a_home_that_is_deleted_is_made_anew() {
    let repo = Repo::new(REPO);
    let kit = Kit::new(&repo.root());
    assert_answers(&kit, "before");
    fs::remove_dir_all(kit.home().join("workspaces")).unwrap();
    assert_answers(&kit.reopened(), "no workspaces");
}

/// A home below a file can never be.
#[test]
fn a_home_that_cannot_be_written_is_done_without() {
    let repo = Repo::new(REPO);
    let kit = Kit::with(
        &repo.root(),
        false,
        &[("storage.home", &repo.path("a.rs").join("home").to_string_lossy())],
    );
    assert_answers(&kit, "no home");
    assert_answers(&kit, "no home, again");
    let status = kit.text("index_status", json!({}));
    assert!(status.contains("temporary: "), "{status}");
    let health = kit.json("health_check", json!({}));
    assert_eq!(health["overall"], "degraded", "{health}");
}

#[test]
fn cancelling_leaves_an_index_that_is_finished_later() {
    let repo = Repo::new("");
    for n in 0..300 {
        repo.write(&format!("{n:03}.rs"), format!("fn number_{n}() {{}}\n"));
    }
    // However slow the machine is, the first answer is one of everything.
    let kit = Kit::with(&repo.root(), false, &[("limits.first_answer_secs", "300")]);
    let cancelled = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
    let call = tools::Call {
        cancelled,
        progress: Box::new(|_| {}),
    };
    let outcome = kit
        .toolbox()
        .call("index_repository", Default::default(), &call)
        .unwrap();
    assert!(outcome.is_error(), "{}", outcome.text);
    assert_eq!(kit.paths_with("number_299()"), ["299.rs"]);
    assert_eq!(kit.files().len(), 300);
}
