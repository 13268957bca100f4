//! The parts of a commit agree, whoever made the last one and however that ended.

use tempfile::tempdir;

use crate::kit::{PATIENCE, commit, open, put, replace, searchable};

/// The first process dies when the catalog has its commit and the text index does not; the second takes the lock without
/// having read anything since.
#[test]
fn a_writer_brings_together_what_the_last_one_left_apart() {
    let dir = tempdir().unwrap();
    let (store, before) = (dir.path().join("store"), dir.path().join("text-before"));
    let (first, second) = (open(&store), open(&store));
    commit(&first, "one.rs", "fn one() {}");
    assert_eq!(searchable(&second), ["one.rs"]);
    replace(&store.join("text"), &before);
    commit(&first, "two.rs", "fn two() {}");
    replace(&before, &store.join("text"));

    let mut writer = second.writer(PATIENCE).unwrap();
    let known: Vec<&str> = writer.files().rows().map(|row| &*row.path).collect();
    assert_eq!(known, ["one.rs"], "what has no text is to be indexed again");
    put(&writer, "three.rs", "fn three() {}");
    writer.commit(true, 0).unwrap();
    writer.finish().unwrap();
    assert_eq!(searchable(&second), ["one.rs", "three.rs"]);
    assert_eq!(searchable(&open(&store)), ["one.rs", "three.rs"]);
}

/// A disk that does not keep what it was told to keep may bring back the text of one commit beside the catalog of another
/// one that has the same number, and whose files have the same ids.
#[test]
fn commits_with_the_same_number_are_told_apart() {
    let dir = tempdir().unwrap();
    let (store, other) = (dir.path().join("store"), dir.path().join("other"));
    commit(&open(&store), "one.rs", "fn one() {}");
    replace(&store, &other);
    commit(&open(&store), "two.rs", "fn two() {}");
    commit(&open(&other), "three.rs", "fn three() {}");
    replace(&other.join("text"), &store.join("text"));
    let mixed = open(&store);
    assert_eq!(searchable(&mixed), [""; 0]);
    assert!(
        !mixed.reader().unwrap().complete(),
        "what was lost is to be indexed again"
    );
    commit(&mixed, "two.rs", "fn two() {}");
    assert_eq!(searchable(&mixed), ["two.rs"]);
}
