//! A name that is changed everywhere.

use std::{fs, path::Path, sync::atomic::AtomicBool};

use config::{Config, Sources};
use queries::{Snapshot, SymbolLocator, SymbolName};
use rename::{PROVEN, RenameRequest, RenameScope, Renaming};
use test_fixture::Repo;
use workspace::{Control, Error, Workspaces};

fn workspaces(home: &Path, root: &Path) -> Workspaces {
    let sources = Sources {
        default_home: home.to_owned(),
        ..Sources::default()
    };
    Workspaces::new(Config::load(&sources).unwrap(), Some(root.to_owned()), false)
}

fn snapshot(workspaces: &Workspaces) -> Snapshot {
    let control = Control {
        cancelled: &AtomicBool::new(false),
        progress: &|_| {},
        about: "",
    };
    Snapshot::new(workspaces.resolve(None).unwrap().snapshot(&control).unwrap())
}

fn plan(snapshot: &Snapshot, old: &str, new: &str) -> Result<Renaming, Error> {
    let old = SymbolName::parse(old).unwrap();
    let request = RenameRequest {
        name: new,
        scope: RenameScope::Workspace,
        least: PROVEN,
    };
    snapshot.graph(|graph| {
        let locator = SymbolLocator::Name { name: &old, path: None };
        let (subjects, _) = graph.subjects(locator, 10)?;
        rename::plan(graph, &subjects[0], &request)
    })
}

const FILES: &str = "//- /src/store.py
def load():
    return 1

def save():
    return 2
//- /src/app.py
from store import load

def main():
    return load()
";

#[test]
fn a_plan_is_applied_and_checked() {
    let (repo, home) = (Repo::new(FILES), tempfile::tempdir().unwrap());
    let workspaces = workspaces(home.path(), &repo.root());
    let before = snapshot(&workspaces);
    let renaming = plan(&before, "load", "read").unwrap();
    assert!(renaming.conflicts.is_empty(), "{:?}", renaming.conflicts);
    assert!(
        fs::read_to_string(repo.path("src/app.py")).unwrap().contains("load()"),
        "a plan writes nothing"
    );

    rename::apply(&before, &renaming).unwrap();
    assert_eq!(
        fs::read_to_string(repo.path("src/app.py")).unwrap(),
        "from store import read\n\ndef main():\n    return read()\n"
    );
    let check = snapshot(&workspaces)
        .graph(|graph| rename::check(graph, &renaming))
        .unwrap();
    assert_eq!((check.known, check.resolved), (3, 3));
}

#[test]
fn a_name_that_is_taken_is_a_conflict() {
    let (repo, home) = (Repo::new(FILES), tempfile::tempdir().unwrap());
    let workspaces = workspaces(home.path(), &repo.root());
    let renaming = plan(&snapshot(&workspaces), "load", "save").unwrap();
    assert!(!renaming.conflicts.is_empty());
    let bad = plan(&snapshot(&workspaces), "load", "two words");
    assert!(matches!(bad, Err(Error::BadName { .. })));
}

/// What a caller was shown is all that may be overwritten.
#[test]
fn a_file_that_has_changed_since_is_left() {
    let (repo, home) = (Repo::new(FILES), tempfile::tempdir().unwrap());
    let workspaces = workspaces(home.path(), &repo.root());
    let before = snapshot(&workspaces);
    let renaming = plan(&before, "load", "read").unwrap();
    repo.write("src/app.py", "print('other')\n");
    assert!(matches!(rename::apply(&before, &renaming), Err(Error::Stale)));
    assert!(
        fs::read_to_string(repo.path("src/store.py"))
            .unwrap()
            .contains("def load")
    );
}
