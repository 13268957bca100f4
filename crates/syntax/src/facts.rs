//! What is known of one file from its text alone.

use serde::{Deserialize, Serialize};

use crate::{
    chunk::{Chunk, ChunkOptions, chunks},
    lang::Lang,
};

/// Everything derived from one file. A record of the index format: a change of its shape is a change of format.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileFacts {
    pub lines: u32,
    pub chunks: Vec<Chunk>,
}

pub fn file_facts(lang: &'static Lang, text: &str, options: ChunkOptions) -> FileFacts {
    FileFacts {
        lines: source::count_lines(text),
        chunks: chunks(lang, text, options),
    }
}
