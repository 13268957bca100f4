//! One small file for each language, and what Portolan understands of it.
//!
//! `tests/fixtures/rust.rs` goes in, `tests/fixtures/rust.rs.txt` comes out. `UPDATE_EXPECT=1` writes the latter.

use std::{collections::BTreeSet, fs, path::Path};

use syntax::{ChunkOptions, LANGS, describe, detect, file_facts};

const CHUNKS: ChunkOptions = ChunkOptions { size: 512, overlap: 64 };

#[test]
fn every_language_is_understood_as_its_fixture_says() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let mut seen = BTreeSet::new();
    let mut paths: Vec<_> = fs::read_dir(&dir).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        if path.extension().is_some_and(|extension| extension == "txt") && path.file_name().unwrap() != "CMakeLists.txt"
        {
            continue;
        }
        let name = path.file_name().unwrap().to_str().unwrap();
        let text = fs::read_to_string(&path).unwrap();
        let lang = detect(name, text.as_bytes());
        seen.insert(lang.name);
        let facts = file_facts(lang, &text, CHUNKS);
        assert_eq!(facts.problem, None, "{name}");
        let stored = syntax::FileFacts::from_bytes(&facts.to_bytes(), facts.chunks.clone()).unwrap();
        assert!(stored == facts, "{name}: facts change when stored");
        expect_test::expect_file![dir.join(format!("{name}.txt"))].assert_eq(&describe(&facts, &text));
    }
    let expected: BTreeSet<&str> = LANGS
        .iter()
        .filter(|lang| lang.has_symbols())
        .map(|lang| lang.name)
        .collect();
    assert_eq!(seen, expected, "languages with a fixture, languages with symbols");
}

#[test]
fn every_query_fits_its_grammar() {
    for lang in LANGS {
        lang.check_query()
            .unwrap_or_else(|error| panic!("{}: {error}", lang.name));
    }
}
