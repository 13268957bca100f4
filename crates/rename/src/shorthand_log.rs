//! Members that renames have written out: `{ name }` became `{ name: other }`. Renamed back they are to be short again, and
//! the text cannot tell them from those that were written out all along.

use std::{collections::VecDeque, io::Write, path::Path};

use serde::{Deserialize, Serialize};

const FILE: &str = "written-out.json";
/// Beyond this the oldest are forgotten.
const MAX_TEXTS: usize = 500;

/// Of texts that renames have left behind, as long as nothing else changes them.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct ShorthandLog {
    texts: VecDeque<FileShorthands>,
}

/// The members of one text that would be short if the names were the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FileShorthands {
    /// Of the content.
    hash: String,
    /// Where their names are.
    at: Vec<u32>,
}

impl FileShorthands {
    pub fn new(hash: &[u8; 32], at: Vec<u32>) -> FileShorthands {
        let hash = blake3::Hash::from_bytes(*hash).to_hex().to_string();
        FileShorthands { hash, at }
    }

    pub fn at(&self) -> &[u32] {
        &self.at
    }
}

impl ShorthandLog {
    /// What cannot be read is not known.
    pub fn load(dir: &Path) -> ShorthandLog {
        let text = std::fs::read(dir.join(FILE)).unwrap_or_default();
        serde_json::from_slice(&text).unwrap_or_default()
    }

    /// Nothing if the text is not one that a rename has left behind.
    pub fn of(&self, hash: &[u8; 32]) -> Option<&FileShorthands> {
        let hash = blake3::Hash::from_bytes(*hash).to_hex();
        self.texts.iter().find(|text| text.hash == hash.as_str())
    }

    /// Adds what a rename has left behind to what is kept in the directory.
    pub fn keep(dir: &Path, texts: impl Iterator<Item = FileShorthands>) -> std::io::Result<()> {
        let mut kept = ShorthandLog::load(dir);
        for text in texts {
            kept.texts.retain(|known| known.hash != text.hash);
            kept.texts.push_back(text);
        }
        let too_many = kept.texts.len().saturating_sub(MAX_TEXTS);
        kept.texts.drain(..too_many);
        let mut file = tempfile::NamedTempFile::new_in(dir)?;
        file.write_all(&serde_json::to_vec(&kept)?)?;
        file.persist(dir.join(FILE)).map_err(|error| error.error)?;
        Ok(())
    }
}
