//! Any text in any language: the first byte picks the language, the rest is the text.

#![no_main]

use libfuzzer_sys::fuzz_target;
use syntax::{ChunkOptions, FileFacts, LANGS, file_facts};

fuzz_target!(|data: &[u8]| {
    let Some((pick, rest)) = data.split_first() else { return };
    let lang = &LANGS[*pick as usize % LANGS.len()];
    let text = String::from_utf8_lossy(rest);
    let options = ChunkOptions { size: 64, overlap: 8 };
    let facts = file_facts(lang, &text, options);
    sound::check(&facts, &text, options);
    let stored = FileFacts::from_bytes(&facts.to_bytes()).expect("what was stored can be read");
    assert!(stored == facts, "facts change when stored");
});

#[allow(dead_code, reason = "each target checks a part")]
#[path = "../../crates/syntax/tests/it/sound.rs"]
mod sound;
