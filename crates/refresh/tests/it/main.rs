//! An index that follows a directory.

use std::{fs, path::Path};

use config::IndexConfig;
use index::Store;
use refresh::{IndexedDir, Indexing, Inventory, Job, MissedFiles, Report, Requests, TrackedCache};
use sandbox::Root;
use source::SkipReason;
use test_fixture::Repo;

fn indexed(root: &Path, state: &Path) -> IndexedDir {
    IndexedDir {
        root: Root::open(root).unwrap(),
        store: Store::open(&state.join("index"), "settings", None).unwrap(),
        watch: None,
        requests: Requests::beside(state),
        threads: 2,
        tracked: TrackedCache::default(),
    }
}

fn run(dir: &IndexedDir) -> Report {
    let indexing = Indexing {
        dir,
        config: &IndexConfig::default(),
        sibling_index_dirs: &Vec::new,
        force: false,
    };
    indexing.run(&Job::of("files")).unwrap()
}

fn rows(dir: &IndexedDir) -> Vec<(String, bool)> {
    let reader = dir.store.reader().unwrap();
    assert!(reader.complete());
    let rows = reader.files().rows();
    rows.map(|row| (row.path.to_string(), row.is_indexed())).collect()
}

const FILES: &str = "//- /.gitignore
ignored/
//- /ignored/a.rs
fn ignored() {}
//- /src/a.rs
fn a() {}
//- /src/b.rs
fn b() {}
//- /.env
TOKEN=1
";

#[test]
fn an_index_becomes_equal_to_the_disk() {
    let (repo, state) = (Repo::new(FILES), tempfile::tempdir().unwrap());
    let dir = indexed(&repo.root(), state.path());
    assert_eq!(run(&dir).indexed, 2);
    let two = [("src/a.rs", true), ("src/b.rs", true)].map(|(path, is)| (path.to_owned(), is));
    assert_eq!(rows(&dir), two);

    let again = run(&dir);
    assert_eq!((again.indexed, again.unchanged), (0, 2));

    repo.write("src/a.rs", "fn other_name() {}");
    repo.write("src/c.rs", "fn c() {}");
    fs::remove_file(repo.path("src/b.rs")).unwrap();
    let changed = run(&dir);
    assert_eq!((changed.indexed, changed.removed), (2, 1));
    let two = [("src/a.rs", true), ("src/c.rs", true)].map(|(path, is)| (path.to_owned(), is));
    assert_eq!(rows(&dir), two);
}

#[test]
fn what_is_not_indexed_is_told_with_its_reason() {
    let (repo, state) = (Repo::new("//- /a.rs\nfn a() {}\n"), tempfile::tempdir().unwrap());
    fs::write(repo.path("data.txt"), b"a\0b").unwrap();
    fs::write(repo.path("large.txt"), vec![b'x'; 3 << 20]).unwrap();
    repo.write(".portolan.toml", "[index]\nmax_file_size_mb = 2\n");
    let dir = indexed(&repo.root(), state.path());
    run(&dir);
    let reader = dir.store.reader().unwrap();
    let skipped: Vec<(&str, &SkipReason)> = reader
        .files()
        .rows()
        .filter_map(|row| Some((&*row.path, row.skip_reason()?)))
        .collect();
    let too_large = SkipReason::too_large(3 << 20, 2 << 20);
    assert_eq!(
        skipped,
        [("data.txt", &SkipReason::BinaryContent), ("large.txt", &too_large)]
    );
    // Nobody misses what is no text.
    let missed = MissedFiles::of_skipped(skipped.into_iter());
    assert_eq!((missed.total, missed.shown[0].path.as_str()), (1, "large.txt"));
}

#[test]
fn an_inventory_has_what_an_index_would_have() {
    let repo = Repo::new(FILES);
    let inventory = Inventory::of(&repo.root(), &IndexConfig::default()).unwrap();
    let files: Vec<&str> = inventory.files().map(|(path, _)| path).collect();
    assert_eq!(files, ["src/a.rs", "src/b.rs"]);
    assert_eq!(inventory.read("src/a.rs").unwrap(), b"fn a() {}\n");
    assert_eq!(inventory.read(".env"), None);
}
