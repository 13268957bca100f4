//! Questions about a small workspace.

use std::{path::Path, sync::atomic::AtomicBool};

use config::{Config, Sources};
use queries::{FilterSpec, LIKELY, Snapshot, SymbolLocator, SymbolName, SymbolQuery};
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

/// Where a function is called, as `path:line`.
fn callers(snapshot: &Snapshot, name: &str) -> Vec<String> {
    let name = SymbolName::parse(name).unwrap();
    let found = snapshot.graph(|graph| {
        let locator = SymbolLocator::Name {
            name: &name,
            path: None,
        };
        let (subjects, _) = graph.subjects(locator, 10)?;
        let uses = graph.uses(&subjects[0]).uses;
        let sure = uses.iter().filter(|used| used.confidence >= LIKELY);
        let places = sure.map(|used| graph.use_hit(used).map(|hit| format!("{}:{}", hit.path, hit.line)));
        places.collect::<Result<Vec<_>, Error>>()
    });
    found.unwrap()
}

const FILES: &str = "//- /src/store.py
def load():
    return 1
//- /src/app.py
from store import load

def main():
    return load()
";

#[test]
fn names_are_found_and_followed() {
    let (repo, home) = (Repo::new(FILES), tempfile::tempdir().unwrap());
    let workspaces = workspaces(home.path(), &repo.root());
    let before = snapshot(&workspaces);
    let (name, filter) = (SymbolName::parse("load").unwrap(), FilterSpec::default());
    let query = SymbolQuery {
        name: &name,
        exact: true,
        filter: &filter,
    };
    let found = before.find_symbols(&query, 0, 10).unwrap();
    let hits: Vec<(&str, u32)> = found.hits.iter().map(|hit| (hit.path.as_str(), hit.line)).collect();
    assert_eq!(hits, [("src/store.py", 1)]);
    let uses = ["src/app.py:1", "src/app.py:4"];
    assert_eq!(callers(&before, "load"), uses);

    // What one answer has left for the next is never about another commit.
    repo.write("src/app.py", "def main():\n    return 1\n");
    let after = snapshot(&workspaces);
    assert!(callers(&after, "load").is_empty());
}

#[test]
fn texts_are_found_line_by_line() {
    let (repo, home) = (Repo::new(FILES), tempfile::tempdir().unwrap());
    let workspaces = workspaces(home.path(), &repo.root());
    let found = snapshot(&workspaces)
        .grep("load\\(\\)", false, &FilterSpec::default(), &AtomicBool::new(false))
        .unwrap();
    let lines: Vec<(&str, u32)> = found
        .files
        .iter()
        .flat_map(|(path, lines)| lines.iter().map(|line| (path.as_str(), line.line)))
        .collect();
    assert_eq!(lines, [("src/app.py", 4), ("src/store.py", 1)]);
}
