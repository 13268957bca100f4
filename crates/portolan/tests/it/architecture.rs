//! What ARCHITECTURE.md and CONTRIBUTING.md name must be there: documents that name things rot silently.

use std::{collections::BTreeSet, fs, path::Path};

fn repository() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// Every word of every source file and manifest.
fn words_of(dir: &Path, words: &mut BTreeSet<String>) {
    for entry in fs::read_dir(dir).expect("a directory of the repository").flatten() {
        let path = entry.path();
        if path.is_dir() {
            words_of(&path, words);
        } else if path
            .extension()
            .is_some_and(|extension| extension == "rs" || extension == "toml")
        {
            let text = fs::read_to_string(&path).expect("a source file");
            words.extend(
                text.split(|c: char| !c.is_alphanumeric() && c != '_')
                    .map(str::to_owned),
            );
        }
    }
}

fn is_name(text: &str) -> bool {
    text.split("::")
        .all(|part| !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || c == '_'))
}

#[test]
fn names_in_the_documents_exist() {
    let mut words = BTreeSet::new();
    words_of(&repository().join("crates"), &mut words);
    words_of(&repository().join("xtask"), &mut words);
    words_of(&repository().join("fuzz/fuzz_targets"), &mut words);
    let mut checked = 0;
    for document in ["ARCHITECTURE.md", "CONTRIBUTING.md"] {
        let text = fs::read_to_string(repository().join(document)).expect("a document");
        for line in text.lines() {
            for quoted in line.split('`').skip(1).step_by(2) {
                if is_name(quoted) {
                    let missing = quoted.split("::").find(|part| !words.contains(*part));
                    assert_eq!(missing, None, "{document} names `{quoted}`");
                    checked += 1;
                } else if quoted.starts_with("crates/") && !quoted.contains('<') {
                    assert!(repository().join(quoted).exists(), "{document} names `{quoted}`");
                    checked += 1;
                }
            }
        }
    }
    assert!(
        checked > 40,
        "only {checked} names were found: the documents' form has changed"
    );
}

/// The crates in the order of the document's table.
fn crates_of(document: &str) -> Vec<&str> {
    let section = document.split("\n## ").find(|section| section.starts_with("Crates"));
    let rows = section.unwrap_or_default().lines();
    let names = rows.filter_map(|row| row.strip_prefix("| `")?.split_once('`'));
    names.map(|(name, _)| name).collect()
}

#[test]
fn dependencies_point_down_the_table() {
    let document = fs::read_to_string(repository().join("ARCHITECTURE.md")).expect("a document");
    let crates = crates_of(&document);
    let n_crates = fs::read_dir(repository().join("crates")).expect("a directory").count();
    assert_eq!(crates.len(), n_crates, "each crate has one row: {crates:?}");
    for (at, name) in crates.iter().enumerate() {
        let manifest = repository().join("crates").join(name).join("Cargo.toml");
        let manifest = fs::read_to_string(manifest).expect("a manifest");
        let of_build = manifest
            .split("\n[")
            .find_map(|section| section.strip_prefix("dependencies]\n"));
        for line in of_build.unwrap_or_default().lines() {
            let dependency = line.split(['.', ' ', '=']).next().unwrap_or_default();
            let is_above = crates[..=at].contains(&dependency);
            assert!(
                !is_above,
                "`{name}` depends on `{dependency}`, which is above it in ARCHITECTURE.md"
            );
        }
    }
}
