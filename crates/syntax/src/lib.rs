//! Bytes to `FileFacts`. A pure function of (language, text): nothing here reads a file or can fail.

mod chunk;
mod facts;
mod lang;

pub use chunk::{Chunk, ChunkOptions};
pub use facts::{FileFacts, file_facts};
pub use lang::{LANGS, Lang, PLAINTEXT, detect, lang_by_name, nearest_lang};
