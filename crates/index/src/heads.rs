//! What is told of a chunk besides its text.

use std::ops::Range;

use syntax::{Chunk, FileFacts, Symbol, SymbolKind};

/// Bytes.
const MAX_PASSAGE: u32 = 2560;

/// The words that count most in a vector: what the file is called, and the signatures of the functions and types that begin
/// there. The model was trained with the same.
pub struct Heads<'a> {
    file: &'a str,
    /// Of each chunk.
    signatures: Vec<String>,
}

impl<'a> Heads<'a> {
    pub fn new(path: &'a str, facts: &FileFacts, text: &str) -> Heads<'a> {
        Heads::of_some(path, facts, text, |_| true)
    }

    /// Those of some chunks only; the others have the file's words alone.
    pub fn of_some(path: &'a str, facts: &FileFacts, text: &str, wanted: impl Fn(usize) -> bool) -> Heads<'a> {
        let told = |symbol: &&Symbol| {
            let kind = symbol.kind;
            kind.is_function() || (kind.is_type() && kind != SymbolKind::Object) || symbol.runs()
        };
        let mut signatures = vec![String::new(); facts.chunks.len()];
        for symbol in facts.symbols.iter().filter(told) {
            let first = facts.chunks.partition_point(|chunk| chunk.end <= symbol.name_at);
            if !wanted(first) {
                continue;
            }
            if let (Some(own), Some(signature)) = (signatures.get_mut(first), text.get(symbol.signature.range())) {
                own.push(' ');
                own.push_str(signature);
            }
        }
        Heads {
            file: file_words(path),
            signatures,
        }
    }

    /// That of some chunks together.
    pub fn of(&self, chunks: Range<usize>) -> String {
        let signatures = self.signatures[chunks].iter().map(String::as_str);
        std::iter::once(self.file).chain(signatures).collect()
    }
}

/// The chunks of which the built-in model makes one vector, each time: neighbours, as long as they are short together. A vector
/// of every chunk would find no more, and take six times the room.
pub(crate) fn passages(chunks: &[Chunk]) -> Vec<Range<usize>> {
    let mut passages: Vec<Range<usize>> = Vec::new();
    for (at, chunk) in chunks.iter().enumerate() {
        match passages.last_mut() {
            Some(last) if chunk.end - chunks[last.start].start <= MAX_PASSAGE => last.end = at + 1,
            _ => passages.push(at..at + 1),
        }
    }
    passages
}

/// A file's name without its extension, and the directory it is in.
pub fn file_words(path: &str) -> &str {
    let name = path.rfind('/').map_or(0, |at| at + 1);
    let dir = path[..name].trim_end_matches('/').rfind('/').map_or(0, |at| at + 1);
    let end = path[name..]
        .rfind('.')
        .filter(|dot| *dot > 0)
        .map_or(path.len(), |dot| name + dot);
    &path[dir..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passages_are_neighbours_that_are_short_together() {
        let chunk = |start, end| Chunk {
            start,
            end,
            first_line: 1,
            last_line: 1,
        };
        let chunks = [
            (0, 900),
            (836, 2560),
            (2560, 2600),
            (2600, 5200),
            (5200, 5300),
            (5300, 5400),
        ];
        let chunks = chunks.map(|(start, end)| chunk(start, end));
        assert_eq!(passages(&chunks), [0..2, 2..3, 3..4, 4..6]);
        assert_eq!(passages(&[]), [] as [Range<usize>; 0]);
    }

    #[test]
    fn words_of_a_path() {
        let words: Vec<&str> = [
            "src/http/header_map.rs",
            "lib.rs",
            ".env",
            "a/.env",
            "Makefile",
            "x/y/z.tar.gz",
        ]
        .into_iter()
        .map(file_words)
        .collect();
        assert_eq!(
            words,
            ["http/header_map", "lib", ".env", "a/.env", "Makefile", "y/z.tar"]
        );
    }
}
