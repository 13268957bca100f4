//! Directories that several stores have open at a time.

use tempfile::tempdir;

use crate::kit::{commit, open, searchable};

#[test]
fn each_store_sees_what_the_other_commits() {
    let dir = tempdir().unwrap();
    let (first, second) = (open(dir.path()), open(dir.path()));
    commit(&first, "one.rs", "fn one() {}");
    commit(&second, "two.rs", "fn two() {}");
    commit(&first, "one.rs", "fn other() {}");
    for store in [&first, &second] {
        assert_eq!(searchable(store), ["one.rs", "two.rs"]);
    }
    let reader = first.reader().unwrap();
    assert!(reader.files().rows().all(|row| !row.is_outdated));
    assert!(reader.files().by_path("one.rs").unwrap().is_content(b"fn other() {}"));
}
