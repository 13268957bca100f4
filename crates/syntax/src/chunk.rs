//! The pieces of a file that search ranks and shows.

use std::ops::Range;

use source::{LineIndex, Span};

/// Sizes in characters. `overlap` is smaller than `size`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ChunkOptions {
    pub size: u32,
    pub overlap: u32,
}

/// A piece of a file: byte offsets, and the lines (from 1, inclusive) that it touches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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

/// A line where the tree begins something.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cut {
    /// The line's first byte.
    pub at: u32,
    /// Of the node that begins there: the lower, the better the place.
    pub depth: u32,
    pub is_definition: bool,
}

/// Deeper nesting than this is cut at lines.
const MAX_DEPTH: usize = 64;

/// Cuts a text where its syntax tree begins something: whole definitions where they fit into `size`, small neighbours
/// together, large ones between their parts. Each chunk is at most `size` characters and every byte is in some chunk.
pub(crate) fn by_cuts(text: &str, lines: &LineIndex, cuts: &[Cut], options: ChunkOptions) -> Vec<Chunk> {
    let options = ChunkOptions {
        size: options.size.max(1),
        overlap: options.overlap.min(options.size.max(1) - 1),
    };
    let mut chunker = Chunker {
        text,
        is_ascii: text.is_ascii(),
        lines,
        options,
        chunks: Vec::new(),
    };
    let whole = Span {
        start: 0,
        end: text.len() as u32,
    };
    // Embedded texts come after what is around them, and a node without text may begin where the file ends.
    let mut cuts: Vec<Cut> = cuts
        .iter()
        .copied()
        .filter(|cut| (1..whole.end).contains(&cut.at))
        .collect();
    cuts.sort_by_key(|cut| (cut.at, cut.depth));
    cuts.dedup_by_key(|cut| cut.at);
    if !text.is_empty() {
        chunker.split(whole, &cuts, true, 0);
    }
    chunker.chunks
}

struct Chunker<'t> {
    text: &'t str,
    is_ascii: bool,
    lines: &'t LineIndex,
    options: ChunkOptions,
    chunks: Vec<Chunk>,
}

impl Chunker<'_> {
    /// `cuts` are inside the region; `is_definition` tells whether it begins with one.
    fn split(&mut self, region: Span, cuts: &[Cut], is_definition: bool, depth: usize) {
        if self.fits(region) {
            return self.push(region, is_definition);
        }
        let Some(level) = cuts.iter().map(|cut| cut.depth).min().filter(|_| depth < MAX_DEPTH) else {
            return self.push_lines(region);
        };
        let mut rest = cuts;
        // What is collected and not yet a chunk.
        let mut open: Option<(Span, bool)> = None;
        let mut start = (region.start, is_definition);
        loop {
            let next = rest.iter().position(|cut| cut.depth == level);
            let (inner, behind) = rest.split_at(next.unwrap_or(rest.len()));
            let end = behind.first().map_or(region.end, |cut| cut.at);
            let part = Span { start: start.0, end };
            let joined = open.map(|(open, first)| (Span { start: open.start, end }, first));
            match joined.filter(|(joined, _)| self.fits(*joined)) {
                Some(joined) => open = Some(joined),
                None if self.fits(part) => {
                    if let Some((full, first)) = open.replace((part, start.1)) {
                        self.push(full, first);
                    }
                }
                None => {
                    // The few lines that introduce something large stay with it.
                    let intro = open.take_if(|(open, _)| (open.end - open.start) * 4 <= self.options.size);
                    if let Some((full, first)) = open.take() {
                        self.push(full, first);
                    }
                    let (from, first) = intro.map_or(start, |(intro, first)| (intro.start, first));
                    self.split(Span { start: from, end }, inner, first, depth + 1);
                }
            }
            let Some((cut, behind)) = behind.split_first() else {
                break;
            };
            start = (cut.at, cut.is_definition);
            rest = behind;
        }
        if let Some((full, first)) = open {
            self.push(full, first);
        }
    }

    fn fits(&self, span: Span) -> bool {
        let size = self.options.size as usize;
        let text = &self.text[span.range()];
        text.len() <= size || (!self.is_ascii && text.len() <= size * 4 && text.chars().count() <= size)
    }

    /// What does not begin with a definition continues something: it repeats the last lines of the chunk before.
    fn push(&mut self, span: Span, is_definition: bool) {
        let mut start = span.start;
        if let Some(before) = self.chunks.last().filter(|_| !is_definition) {
            let first_line = before.first_line;
            let mut line = self.lines.line(start);
            while line > first_line + 1 {
                line -= 1;
                let longer = Span {
                    start: self.lines.span(line).start,
                    end: span.end,
                };
                let repeated = &self.text[longer.start as usize..span.start as usize];
                if longer.start <= before.start
                    || repeated.chars().count() > self.options.overlap as usize
                    || !self.fits(longer)
                {
                    break;
                }
                start = longer.start;
            }
        }
        self.chunks.push(Chunk {
            start,
            end: span.end,
            first_line: self.lines.line(start),
            last_line: self.lines.line(span.end.max(1) - 1),
        });
    }

    fn push_lines(&mut self, region: Span) {
        let base = self.lines.line(region.start) - 1;
        let inner = by_lines(&self.text[region.range()], self.options);
        self.chunks.extend(inner.into_iter().map(|chunk| Chunk {
            start: chunk.start + region.start,
            end: chunk.end + region.start,
            first_line: chunk.first_line + base,
            last_line: chunk.last_line + base,
        }));
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
pub(crate) fn by_lines(text: &str, options: ChunkOptions) -> Vec<Chunk> {
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
            split_line(line, start, number, ChunkOptions { size, overlap }, &mut pieces);
        }
        start = end;
    }
    pieces
}

/// A long line becomes windows of `size` characters, each repeating the last `overlap` of the one before.
fn split_line(line: &str, base: u32, number: u32, options: ChunkOptions, out: &mut Vec<Piece>) {
    let ChunkOptions { size, overlap } = options;
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

    fn shown(text: &str, size: u32, overlap: u32) -> Vec<String> {
        by_lines(text, ChunkOptions { size, overlap })
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
            let chunks = by_lines(&text, ChunkOptions { size, overlap });
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
