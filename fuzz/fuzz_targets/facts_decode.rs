//! Any bytes as stored facts: an error, or facts whose indexes all lead somewhere.

#![no_main]

use libfuzzer_sys::fuzz_target;
use syntax::{FileFacts, chunks_from_bytes, chunks_to_bytes};

fuzz_target!(|data: &[u8]| {
    if let Ok(facts) = FileFacts::from_bytes(data) {
        sound::walk(&facts);
        let again = FileFacts::from_bytes(&facts.to_bytes()).expect("what was stored can be read");
        assert!(again == facts, "facts change when stored");
    }
    if let Ok(facts) = FileFacts::definitions_from_bytes(data) {
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
