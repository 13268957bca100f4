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

/// Files in which languages are named: their own, the list of them, and the tables in which several share a row each.
const NAMING: &[&str] = &[
    "graph/src/lang",
    "graph/src/modules/declared.rs",
    "graph/src/modules/paths.rs",
    "syntax/src/lang",
];

/// Shared code asks for what a language can do, never which one it is.
#[test]
fn no_shared_code_names_a_language() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = Vec::new();
    for name in ["graph", "syntax"] {
        let src = crates.join(name).join("src");
        each_source(&src, &mut |path| {
            let path_in_crates = path.strip_prefix(&crates).unwrap().to_string_lossy().replace('\\', "/");
            if NAMING.iter().any(|naming| path_in_crates.starts_with(naming)) {
                return;
            }
            let text = fs::read_to_string(path).unwrap();
            let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
            for lang in syntax::LANGS
                .iter()
                .filter(|lang| lang.has_symbols() && lang.name.len() > 2)
            {
                for sign in [format!("\"{}\"", lang.name), format!("LangId::{:?}", lang.id)] {
                    if code.contains(&sign) {
                        found.push(format!("{path_in_crates}: {sign}"));
                    }
                }
            }
        });
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

fn each_source(dir: &Path, see: &mut impl FnMut(&Path)) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => each_source(&path, see),
            false if path.extension().is_some_and(|extension| extension == "rs") => see(&path),
            false => {}
        }
    }
}
