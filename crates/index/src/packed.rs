//! What is known of a file, as the catalog keeps it: with a seal that tells whether it is what was written.

use syntax::{Chunk, FileFacts, Malformed, chunks_from_bytes, chunks_to_bytes};

/// A file's facts as they are stored, and its chunks apart: searches need those of many files and nothing else of them.
#[derive(Debug, Default)]
pub(crate) struct Packed {
    pub chunks: Vec<u8>,
    pub facts: Vec<u8>,
}

const SEAL: usize = 8;
/// No file has larger facts; a length must not ask for more memory.
const MAX_FACTS_BYTES: usize = 64 << 20;

impl Packed {
    pub fn new(facts: &FileFacts) -> Packed {
        Packed {
            chunks: sealed(&chunks_to_bytes(&facts.chunks)),
            facts: sealed(&lz4_flex::compress_prepend_size(&facts.to_bytes())),
        }
    }

    pub fn facts(&self) -> Result<FileFacts, Malformed> {
        FileFacts::from_bytes(&unpack(&self.facts)?, unpack_chunks(&self.chunks)?)
    }

    /// See `FileFacts::definitions_from_bytes`.
    pub fn definitions(&self) -> Result<FileFacts, Malformed> {
        FileFacts::definitions_from_bytes(&unpack(&self.facts)?, unpack_chunks(&self.chunks)?)
    }
}

pub(crate) fn unpack_chunks(stored: &[u8]) -> Result<Vec<Chunk>, Malformed> {
    chunks_from_bytes(unsealed(stored)?)
}

fn unpack(stored: &[u8]) -> Result<Vec<u8>, Malformed> {
    let (size, packed) = lz4_flex::block::uncompressed_size(unsealed(stored)?).map_err(|_| Malformed)?;
    if size > MAX_FACTS_BYTES {
        return Err(Malformed);
    }
    lz4_flex::decompress(packed, size).map_err(|_| Malformed)
}

fn seal(bytes: &[u8]) -> [u8; SEAL] {
    let hash = blake3::hash(bytes);
    std::array::from_fn(|at| hash.as_bytes()[at])
}

fn sealed(bytes: &[u8]) -> Vec<u8> {
    [&seal(bytes), bytes].concat()
}

fn unsealed(stored: &[u8]) -> Result<&[u8], Malformed> {
    let (first, bytes) = stored.split_first_chunk::<SEAL>().ok_or(Malformed)?;
    if *first == seal(bytes) {
        Ok(bytes)
    } else {
        Err(Malformed)
    }
}
