//! Sessions, their workspaces and snapshots.

use std::{path::Path, sync::atomic::AtomicBool};

use config::{Config, Sources};
use test_fixture::Repo;
use workspace::{Control, Error, IndexSnapshot, IndexState, Workspaces};

fn workspaces(home: &Path, root: &Path) -> Workspaces {
    let sources = Sources {
        default_home: home.to_owned(),
        ..Sources::default()
    };
    Workspaces::new(Config::load(&sources).unwrap(), Some(root.to_owned()), false)
}

fn snapshot(workspaces: &Workspaces) -> IndexSnapshot {
    let control = Control {
        cancelled: &AtomicBool::new(false),
        progress: &|_| {},
        about: "",
    };
    workspaces.resolve(None).unwrap().snapshot(&control).unwrap()
}

#[test]
fn a_snapshot_is_the_disk_as_it_was() {
    let (repo, home) = (Repo::new("//- /a.rs\nfn a() {}\n"), tempfile::tempdir().unwrap());
    let workspaces = workspaces(home.path(), &repo.root());
    let before = snapshot(&workspaces);
    assert!(before.is_complete());
    assert_eq!(before.file_count(), 1);

    repo.write("b.rs", "fn b() {}");
    let after = snapshot(&workspaces);
    assert_eq!((before.file_count(), after.file_count()), (1, 2));
    assert!(after.coverage().generation > before.coverage().generation);

    // Of a file that has changed since nothing is given that was not indexed.
    repo.write("a.rs", "fn changed() {}");
    let row = after.reader().files().by_path("a.rs").unwrap();
    assert!(matches!(after.current_bytes(row), Err(Error::Stale)));
}

#[test]
fn a_session_is_found_by_its_name_until_it_is_deleted() {
    let (repo, home) = (Repo::new("//- /a.rs\nfn a() {}\n"), tempfile::tempdir().unwrap());
    let workspaces = workspaces(home.path(), &repo.root());
    let made = workspaces.create(&repo.root(), Some("mine"), |own| own.chunk_size = Some(200));
    assert_eq!(made.unwrap().session().config.chunk_size, 200);
    snapshot(&workspaces);
    let found = workspaces.resolve(Some("mine")).unwrap();
    assert_eq!(found.stats().unwrap().state, IndexState::Ready);
    workspaces.delete("mine", true).unwrap();
    let gone = workspaces.resolve(Some("mine"));
    assert!(matches!(gone, Err(Error::NoSuchSession { .. })));
}
