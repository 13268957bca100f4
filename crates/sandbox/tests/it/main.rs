//! Writing through a root, and undoing what was cut off.

use std::{fs, path::Path};

use sandbox::{Change, Root, WriteError, recover};

fn change(path: &str, before: &str, after: &str) -> Change {
    Change {
        path: path.to_owned(),
        before: before.into(),
        after: after.into(),
    }
}

fn files(dir: &Path) -> Vec<(String, String)> {
    let entries = fs::read_dir(dir).unwrap().flatten();
    let mut files: Vec<(String, String)> = entries
        .map(|entry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            (name, fs::read_to_string(entry.path()).unwrap())
        })
        .collect();
    files.sort();
    files
}

#[test]
fn all_changes_are_written_or_none() {
    let (dir, journals) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for name in ["a", "b"] {
        fs::write(dir.path().join(name), "old").unwrap();
    }
    let root = Root::open(dir.path()).unwrap();
    let before = files(dir.path());
    let changed = root.write_all(
        journals.path(),
        &[change("a", "old", "new"), change("b", "other", "new")],
    );
    assert!(matches!(changed, Err(WriteError::Changed { path }) if path == "b"));
    let gone = root.write_all(journals.path(), &[change("a", "old", "new"), change("c", "old", "new")]);
    assert!(matches!(gone, Err(WriteError::NotWritten { path, .. }) if path == "c"));
    assert_eq!(files(dir.path()), before);

    root.write_all(
        journals.path(),
        &[change("a", "old", "new"), change("b", "old", "newer")],
    )
    .unwrap();
    let expected = [("a", "new"), ("b", "newer")].map(|(name, text)| (name.to_owned(), text.to_owned()));
    assert_eq!(files(dir.path()), expected);
    assert!(files(journals.path()).is_empty(), "a finished write leaves no journal");
    assert!(recover(journals.path(), &root, true).is_none());
}

#[test]
fn nothing_outside_of_the_root_is_read_or_written() {
    let outer = tempfile::tempdir().unwrap();
    fs::create_dir(outer.path().join("root")).unwrap();
    fs::write(outer.path().join("file"), "old").unwrap();
    let journals = tempfile::tempdir().unwrap();
    let root = Root::open(&outer.path().join("root")).unwrap();
    assert!(root.read("../file", 100).is_err());
    let written = root.write_all(journals.path(), &[change("../file", "old", "new")]);
    assert!(matches!(written, Err(WriteError::NotWritten { .. })));
    assert_eq!(fs::read_to_string(outer.path().join("file")).unwrap(), "old");
}
