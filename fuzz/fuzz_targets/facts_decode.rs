//! Any bytes as stored facts: an error, or facts whose indexes all lead somewhere.

#![no_main]

use libfuzzer_sys::fuzz_target;
use syntax::{FileFacts, chunks_from_bytes, chunks_to_bytes};

fuzz_target!(|data: &[u8]| {
    // The first byte says how long the chunks are, which are stored apart.
    let (length, data) = data.split_first().map_or((0, data), |(length, data)| (usize::from(*length), data));
    let (chunks, data) = data.split_at(length.min(data.len()));
    let chunks = chunks_from_bytes(chunks).unwrap_or_default();
    if let Ok(facts) = FileFacts::from_bytes(data, chunks.clone()) {
        sound::walk(&facts);
        let again = FileFacts::from_bytes(&facts.to_bytes(), facts.chunks.clone()).expect("what was stored can be read");
        assert!(again == facts, "facts change when stored");
    }
    if let Ok(facts) = FileFacts::definitions_from_bytes(data, chunks) {
        sound::walk(&facts);
    }
    if let Ok(chunks) = chunks_from_bytes(data) {
        let again = chunks_from_bytes(&chunks_to_bytes(&chunks)).expect("what was stored can be read");
        assert!(again == chunks, "chunks change when stored");
    }
});

#[allow(dead_code, reason = "each target checks a part")]
#[path = "../../crates/syntax/tests/it/sound.rs"]
mod sound;
