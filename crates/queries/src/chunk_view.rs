//! A chunk of a file as it is shown: its lines and the symbol that it is part of.

use index::FileRow;
use source::{LineIndex, Text};
use syntax::{Chunk, FileFacts, Symbol, SymbolKind, lang_by_name};
use workspace::Error;

use crate::snapshot::Snapshot;

/// A piece of a file as it is on disk.
#[derive(Debug, Clone, PartialEq)]
pub struct ChunkView {
    pub path: String,
    pub lang: &'static str,
    pub chunk: u32,
    pub chunk_count: u32,
    /// The chunk itself: lines from 1, inclusive; bytes of the decoded text.
    pub first_line: u32,
    pub last_line: u32,
    pub start_byte: u32,
    pub end_byte: u32,
    /// The qualified name and kind of the symbol that the chunk is part of, or that it is mostly of, or else of the first that
    /// it defines.
    pub symbol: Option<(String, SymbolKind)>,
    /// The lines shown, which may reach beyond the chunk.
    pub shown_from: u32,
    pub lines: Vec<String>,
}

impl Snapshot {
    /// A chunk, with `context` more lines before and after.
    pub(crate) fn view(&self, row: &FileRow, chunk: u32, context: u32) -> Result<ChunkView, Error> {
        let facts = self.reader().definitions(row)?.ok_or(Error::Stale)?;
        let bytes = self.current_bytes(row)?;
        let Text { text, .. } = source::decode(&bytes).ok_or(Error::Stale)?;
        view_of(row, &facts, &text, chunk, context)
    }
}

/// The view of a chunk of a file whose facts and text are at hand.
fn view_of(row: &FileRow, facts: &FileFacts, text: &str, chunk: u32, context: u32) -> Result<ChunkView, Error> {
    let count = facts.chunks.len() as u32;
    let Some(found) = facts.chunks.get(chunk as usize) else {
        return Err(Error::NoSuchChunk {
            path: row.path.to_string(),
            chunk,
            count,
        });
    };
    // Without context the chunk is shown as it is: it may be a part of one very long line.
    let shown = text.get(found.range()).ok_or(Error::Stale)?;
    let shown_from = found.first_line.saturating_sub(context).max(1);
    let lines = if context == 0 {
        shown.lines().map(str::to_owned).collect()
    } else {
        let index = LineIndex::new(text);
        lines_between(
            text,
            &index,
            shown_from,
            found.last_line.saturating_add(context).min(index.count()),
        )
    };
    Ok(ChunkView {
        path: row.path.to_string(),
        lang: row.lang,
        chunk,
        chunk_count: count,
        first_line: found.first_line,
        last_line: found.last_line,
        start_byte: found.start,
        end_byte: found.end,
        symbol: symbol_of(facts, found, text).map(|symbol| qualified(row, facts, symbol)),
        shown_from,
        lines,
    })
}

/// The innermost symbol that holds the first code of a chunk, be it the comments before it; what only closes something
/// does not count. Another that is named in the chunk, if that has most of it, or if nothing holds its first code.
pub(crate) fn symbol_of<'f>(facts: &'f FileFacts, chunk: &Chunk, text: &str) -> Option<&'f Symbol> {
    let code = text.get(chunk.range())?;
    let closing = |c: char| c.is_whitespace() || matches!(c, '}' | ')' | ']' | ';' | ',');
    let at = chunk.start + (code.len() - code.trim_start_matches(closing).len()) as u32;
    let holds = |symbol: &&Symbol| symbol.lead <= at && at < symbol.span.end;
    let mut named = facts
        .symbols
        .iter()
        .filter(|symbol| chunk.start <= symbol.name_at && symbol.name_at < chunk.end);
    let has_most = |symbol: &&Symbol| {
        let shared = symbol
            .span
            .end
            .min(chunk.end)
            .saturating_sub(symbol.lead.max(chunk.start));
        2 * shared > chunk.end - chunk.start
    };
    // Inner symbols come after those that they are inside of.
    let first = facts.symbols.iter().rev().find(holds);
    match first {
        Some(first) if has_most(&first) => Some(first),
        Some(first) => named.find(has_most).or(Some(first)),
        None => named.clone().find(has_most).or_else(|| named.next()),
    }
}

/// The name of a symbol with what it is in, and its kind.
pub(crate) fn qualified(row: &FileRow, facts: &FileFacts, symbol: &Symbol) -> (String, SymbolKind) {
    let name = match lang_by_name(row.lang) {
        Some(lang) => lang.qualified_name(facts, symbol),
        None => facts.path_of(symbol).join("."),
    };
    (name, symbol.kind)
}

/// Lines `from` to `to`, without their line breaks.
pub(crate) fn lines_between(text: &str, index: &LineIndex, from: u32, to: u32) -> Vec<String> {
    (from..=to)
        .map(|line| text[index.span(line).range()].trim_end_matches(['\n', '\r']).to_owned())
        .collect()
}
