//! One small file for each language, and what Portolan understands of it.
//!
//! `tests/fixtures/rust.rs` goes in, `tests/fixtures/rust.rs.txt` comes out. `UPDATE_EXPECT=1` writes the latter.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use syntax::{ChunkOptions, FileFacts, LANGS, Lang, describe, detect, file_facts};

const CHUNKS: ChunkOptions = ChunkOptions { size: 512, overlap: 64 };

struct Fixture {
    name: String,
    lang: &'static Lang,
    text: String,
    facts: FileFacts,
}

fn fixture_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

fn fixtures() -> Vec<Fixture> {
    let paths = fs::read_dir(fixture_dir()).unwrap().map(|entry| entry.unwrap().path());
    let mut names: Vec<String> = paths
        .map(|path| path.file_name().unwrap().to_str().unwrap().to_owned())
        .filter(|name| name == "CMakeLists.txt" || !name.ends_with(".txt"))
        .collect();
    names.sort();
    let fixture = |name: String| {
        let text = fs::read_to_string(fixture_dir().join(&name)).unwrap();
        let lang = detect(&name, text.as_bytes());
        let facts = file_facts(lang, &text, CHUNKS);
        Fixture {
            name,
            lang,
            text,
            facts,
        }
    };
    names.into_iter().map(fixture).collect()
}

#[test]
fn every_language_is_understood_as_its_fixture_says() {
    let mut seen = BTreeSet::new();
    for Fixture {
        name,
        lang,
        text,
        facts,
    } in fixtures()
    {
        seen.insert(lang.name);
        assert_eq!(facts.problem, None, "{name}");
        let stored = FileFacts::from_bytes(&facts.to_bytes(), facts.chunks.clone()).unwrap();
        assert!(stored == facts, "{name}: facts change when stored");
        expect_test::expect_file![fixture_dir().join(format!("{name}.txt"))].assert_eq(&describe(&facts, &text));
    }
    let expected: BTreeSet<&str> = LANGS
        .iter()
        .filter(|lang| lang.has_symbols())
        .map(|lang| lang.name)
        .collect();
    assert_eq!(seen, expected, "languages with a fixture, languages with symbols");
}

/// An index keeps facts for as long as their language's `extraction` is the same. `extraction.txt` has that number and a
/// digest of the facts of every fixture, as they were when the number was raised last.
#[test]
fn facts_do_not_change_without_a_new_extraction() {
    let path = fixture_dir().join("extraction.txt");
    let known = fs::read_to_string(&path).unwrap_or_default();
    let known: BTreeMap<&str, (&str, &str)> = known
        .lines()
        .filter_map(|line| {
            let mut words = line.split(' ');
            Some((words.next()?, (words.next()?, words.next()?)))
        })
        .collect();
    let mut lines = String::new();
    for Fixture { name, lang, facts, .. } in fixtures() {
        let extraction = lang.extraction().to_string();
        let chunks = syntax::chunks_to_bytes(&facts.chunks);
        let digest = format!("{:016x}", fnv1a([facts.to_bytes(), chunks].concat()));
        if let Some((before, facts)) = known.get(name.as_str()) {
            assert!(
                *facts == digest || *before != extraction,
                "what is extracted from {name} has changed: raise the version of {} in crates/syntax/src/lang/, or \
                 EXTRACTION in crates/syntax/src/lang.rs if it is so for all languages; then UPDATE_EXPECT=1",
                lang.name
            );
        }
        lines += &format!("{name} {extraction} {digest}\n");
    }
    expect_test::expect_file![path].assert_eq(&lines);
}

fn fnv1a(bytes: Vec<u8>) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[test]
fn every_query_fits_its_grammar() {
    for lang in LANGS {
        lang.check_query()
            .unwrap_or_else(|error| panic!("{}: {error}", lang.name));
    }
}
