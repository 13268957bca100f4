//! A store takes the room that its files need, however many others it has had.

use index::Store;
use tempfile::tempdir;

use crate::kit::{PATIENCE, commit, open, put};

fn text(number: usize, version: usize) -> String {
    let function = |at: usize| format!("pub fn of_{number}_{version}_{at}(n: u32) -> u32 {{ n + {at} }}\n");
    (0..40).map(function).collect()
}

fn fill(store: &Store, versions: impl Fn(usize) -> usize, n_files: usize) {
    let mut writer = store.writer(PATIENCE).unwrap();
    for number in 0..n_files {
        put(&writer, &format!("{number:03}.rs"), &text(number, versions(number)));
    }
    writer.commit(true, 0).unwrap();
    writer.finish().unwrap();
}

fn size(store: Store) -> u64 {
    let dir = store.dir().to_owned();
    // The log of the catalog goes into it when the last connection ends.
    drop(store);
    index::dir_size(&dir)
}

#[test]
fn many_commits_leave_little_behind() {
    const FILES: usize = 40;
    let (old, fresh) = (tempdir().unwrap(), tempdir().unwrap());
    let store = open(old.path());
    fill(&store, |_| 0, FILES);
    let mut versions = [0; FILES];
    for n in 1..=120 {
        let number = n * 7919 % FILES;
        versions[number] = n;
        commit(&store, &format!("{number:03}.rs"), &text(number, n));
    }
    let other = open(fresh.path());
    fill(&other, |number| versions[number], FILES);
    let (old, fresh) = (size(store), size(other));
    assert!(old * 10 < fresh * 13, "{old} bytes, {fresh} in a fresh one");
}

#[test]
fn what_is_deleted_gives_its_room_back() {
    let (old, fresh) = (tempdir().unwrap(), tempdir().unwrap());
    let store = open(old.path());
    fill(&store, |_| 0, 1000);
    let mut writer = store.writer(PATIENCE).unwrap();
    for row in writer.files().rows().skip(20) {
        writer.remove(row);
    }
    writer.commit(true, 0).unwrap();
    writer.finish().unwrap();
    let other = open(fresh.path());
    fill(&other, |_| 0, 20);
    let (old, fresh) = (size(store), size(other));
    assert!(old < fresh + (1 << 20), "{old} bytes, {fresh} in a fresh one");
}
