//! The pieces of a file that search ranks and shows.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::lang::Lang;

/// Sizes in characters. `overlap` is smaller than `size`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ChunkOptions {
    pub size: u32,
    pub overlap: u32,
}

/// A piece of a file: byte offsets, and the lines (from 1, inclusive) that it touches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chunk {
    pub start: u32,
    pub end: u32,
    pub first_line: u32,
    pub last_line: u32,
}

impl Chunk {
    pub fn range(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// One line, or a part of one that is too long for a chunk.
struct Piece {
    start: u32,
    end: u32,
    chars: u32,
    line: u32,
}

/// Cuts a text into chunks of whole lines, each at most `size` characters; the last lines of a chunk that fit into
/// `overlap` begin the next one too. Only a line longer than a chunk is cut inside. Every byte is in some chunk.
///
/// The language is not used yet: boundaries are lines, whatever the language.
pub(crate) fn chunks(_lang: &'static Lang, text: &str, options: ChunkOptions) -> Vec<Chunk> {
    let size = options.size.max(1);
    let overlap = options.overlap.min(size - 1);
    let pieces = pieces(text, size, overlap);
    let mut chunks = Vec::new();
    let mut first = 0;
    while first < pieces.len() {
        let mut chars = 0;
        let mut next = first;
        while next < pieces.len() && (next == first || chars + pieces[next].chars <= size) {
            chars += pieces[next].chars;
            next += 1;
        }
        let (head, tail) = (&pieces[first], &pieces[next - 1]);
        chunks.push(Chunk {
            start: head.start,
            end: tail.end,
            first_line: head.line,
            last_line: tail.line,
        });
        first = next
            - repeated(
                &pieces[first..next],
                overlap,
                pieces.get(next).map_or(size, |piece| piece.chars),
                size,
            );
        if next == pieces.len() {
            break;
        }
    }
    chunks
}

/// How many of the last pieces the next chunk begins with: those that fit into `overlap` and leave room for the
/// piece that follows. Never all of them, so that each chunk brings something new.
fn repeated(pieces: &[Piece], overlap: u32, following: u32, size: u32) -> usize {
    let mut chars = 0;
    pieces
        .iter()
        .skip(1)
        .rev()
        .take_while(|piece| {
            chars += piece.chars;
            chars <= overlap && chars + following <= size
        })
        .count()
}

fn pieces(text: &str, size: u32, overlap: u32) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut start = 0u32;
    for (at, line) in text.split_inclusive('\n').enumerate() {
        let number = at as u32 + 1;
        let end = start + line.len() as u32;
        // Bytes bound characters, so most lines need no counting.
        let chars = if line.len() as u32 <= size {
            line.chars().count() as u32
        } else {
            u32::MAX
        };
        if chars != u32::MAX {
            pieces.push(Piece {
                start,
                end,
                chars,
                line: number,
            });
        } else {
            split_line(line, start, number, size, overlap, &mut pieces);
        }
        start = end;
    }
    pieces
}

/// A long line becomes windows of `size` characters, each repeating the last `overlap` of the one before.
fn split_line(line: &str, base: u32, number: u32, size: u32, overlap: u32, out: &mut Vec<Piece>) {
    let mut window = 0;
    loop {
        let rest = &line[window..];
        let cut = rest.char_indices().nth(size as usize).map_or(rest.len(), |(at, _)| at);
        let chars = if cut == rest.len() {
            rest.chars().count() as u32
        } else {
            size
        };
        out.push(Piece {
            start: base + window as u32,
            end: base + (window + cut) as u32,
            chars,
            line: number,
        });
        if cut == rest.len() {
            return;
        }
        let step = rest
            .char_indices()
            .nth((size - overlap) as usize)
            .map_or(cut, |(at, _)| at);
        window += step;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::lang::PLAINTEXT;

    fn shown(text: &str, size: u32, overlap: u32) -> Vec<String> {
        chunks(&PLAINTEXT, text, ChunkOptions { size, overlap })
            .iter()
            .map(|chunk| format!("{}-{} {:?}", chunk.first_line, chunk.last_line, &text[chunk.range()]))
            .collect()
    }

    #[test]
    fn whole_lines_with_overlap() {
        assert_eq!(
            shown("aaaa\nbb\ncc\ndddd\n", 11, 3),
            [r#"1-3 "aaaa\nbb\ncc\n""#, r#"3-4 "cc\ndddd\n""#]
        );
    }

    #[test]
    fn a_long_line_is_cut_at_characters() {
        assert_eq!(shown("ééééé\n", 4, 1), [r#"1-1 "éééé""#, r#"1-1 "éé\n""#]);
    }

    #[test]
    fn nothing_from_nothing() {
        assert!(shown("", 100, 10).is_empty());
    }

    proptest! {
        #[test]
        fn chunks_cover_the_text_within_the_size(text in "[aé\n]{0,200}", size in 1u32..40, overlap in 0u32..40) {
            let overlap = overlap.min(size - 1);
            let chunks = chunks(&PLAINTEXT, &text, ChunkOptions { size, overlap });
            let mut covered = 0;
            let mut last_start = None;
            for chunk in &chunks {
                prop_assert!(text[chunk.range()].chars().count() as u32 <= size);
                prop_assert!(chunk.start as usize <= covered && chunk.end as usize > covered);
                prop_assert!(last_start.is_none_or(|start| start < chunk.start));
                let index = source::LineIndex::new(&text);
                prop_assert_eq!(index.line(chunk.start), chunk.first_line);
                prop_assert_eq!(index.line(chunk.end - 1), chunk.last_line);
                covered = chunk.end as usize;
                last_start = Some(chunk.start);
            }
            prop_assert_eq!(covered, text.len());
        }
    }
}
