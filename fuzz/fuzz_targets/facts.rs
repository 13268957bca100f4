//! Any text in any language: the first line is the language, or picks one, the rest is the text.

#![no_main]

use libfuzzer_sys::fuzz_target;
use syntax::{ChunkOptions, FileFacts, LANGS, file_facts, lang_by_name, compare_trees};

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let (lang, text) = text.split_once('\n').unwrap_or(("", &text));
    let number = lang.bytes().map(usize::from).sum::<usize>();
    let lang = lang_by_name(lang).unwrap_or(&LANGS[number % LANGS.len()]);
    let options = ChunkOptions { size: 64, overlap: 8 };
    let facts = file_facts(lang, text, options);
    sound::check(&facts, text, options);
    let stored = FileFacts::from_bytes(&facts.to_bytes(), facts.chunks.clone()).expect("what was stored can be read");
    assert!(stored == facts, "facts change when stored");
    if facts.problem.is_none() {
        assert_eq!(compare_trees(lang, text).difference, None);
    }
});

#[allow(dead_code, reason = "each target checks a part")]
#[path = "../../crates/syntax/tests/it/sound.rs"]
mod sound;
