//! Edits: an analysis that was kept up to date answers like one that was loaded then.

use expect_test::expect;
use rust_ide::{Analysis, Outside};
use test_fixture::Fixture;

use crate::kit::{answers, meaning, unmarked};

const EDITS: &str = r#"
//- /Cargo.toml
[package]
name = "edited"
edition = "2021"
//- /src/lib.rs
mod one;
fn f() { one::$0target() }
//- /src/one.rs
pub fn target() {}
//- edit
//- /src/one.rs
//! Moved down.
pub fn target() {}
//- edit
//- /src/lib.rs
mod two;
fn f() { two::$0target() }
//- /src/two.rs
pub use dep::$0target;
//- /src/one.rs deleted
//- edit
//- /Cargo.toml
[package]
name = "edited"
edition = "2021"
[dependencies]
dep = { path = "dep" }
//- /dep/Cargo.toml
[package]
name = "dep"
//- /dep/src/lib.rs
pub fn target() {}
"#;

#[test]
fn follows_edits() {
    let fixture = Fixture::parse(EDITS);
    let mut tree: Vec<test_fixture::File> = Vec::new();
    let mut analysis = Analysis::load([], &Outside::default());
    let mut shown = String::new();
    for revision in &fixture.revisions {
        let (texts, _) = unmarked(revision);
        let changes = revision.iter().zip(texts);
        let changes = changes.map(|(file, (path, text))| (path, (!file.is_deleted()).then_some(text)));
        analysis.change(changes.collect());
        for file in revision {
            tree.retain(|known| known.path != file.path);
            if !file.is_deleted() {
                tree.push(file.clone());
            }
        }
        tree.sort_by(|a, b| a.path.cmp(&b.path));
        let (texts, places) = unmarked(&tree);
        let kept = answers(&analysis, &texts, &places);
        let fresh = Analysis::load(texts.clone(), &Outside::default());
        assert_eq!(kept, answers(&fresh, &texts, &places));
        assert_eq!(analysis.summary().crates, fresh.summary().crates);
        shown.push_str(&format!("{kept}\n"));
    }
    expect![[r#"
        src/lib.rs:2 target = src/one.rs:1 pub fn target() {}

        src/lib.rs:2 target = src/one.rs:2 pub fn target() {}

        src/lib.rs:2 target = unknown
        src/two.rs:1 target = unknown

        src/lib.rs:2 target = dep/src/lib.rs:1 pub fn target() {}
        src/two.rs:1 target = dep/src/lib.rs:1 pub fn target() {}

    "#]]
    .assert_eq(&shown);
}

#[test]
fn places_that_are_not_there() {
    let texts = [
        ("Cargo.toml".to_owned(), "[package]\nname = \"x\"\n".to_owned()),
        ("src/lib.rs".to_owned(), "fn é() {}".to_owned()),
    ];
    let analysis = Analysis::load(texts, &Outside::default());
    for (path, at) in [("src/lib.rs", 1000), ("src/gone.rs", 0), ("Cargo.toml", 0)] {
        assert_eq!(meaning(&analysis, path, at), rust_ide::Meaning::Unknown, "{path} {at}");
    }
}
