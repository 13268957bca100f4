//! Which languages are known, and how well.

use std::{fs, path::Path};

#[test]
fn the_list_of_languages_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/languages.md");
    let written = fs::read_to_string(path).unwrap_or_default();
    assert!(
        written == syntax::languages_md(graph::has_rules),
        "docs/languages.md is old: run `cargo xtask docs`"
    );
}
