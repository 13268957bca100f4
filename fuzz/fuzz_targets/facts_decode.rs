//! Any bytes as stored facts: an error, or facts whose indexes all lead somewhere.

#![no_main]

use libfuzzer_sys::fuzz_target;
use syntax::FileFacts;

fuzz_target!(|data: &[u8]| {
    if let Ok(facts) = FileFacts::from_bytes(data) {
        sound::walk(&facts);
        let again = FileFacts::from_bytes(&facts.to_bytes()).expect("what was stored can be read");
        assert!(again == facts, "facts change when stored");
    }
});

#[allow(dead_code, reason = "each target checks a part")]
#[path = "../../crates/syntax/tests/it/sound.rs"]
mod sound;
