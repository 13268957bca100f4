//! One moment of a workspace, and reading from it. Every file that an answer cites is checked against the disk.

use std::sync::Arc;

use index::{FileRow, Reader};
use refresh::{MissedFiles, Progress, SkippedFile, is_content};
use sandbox::Undone;
use search::Contents;
use source::{LineIndex, Text};
use syntax::{Chunk, FileFacts, Symbol, SymbolKind, lang_by_name};

use crate::{
    error::Error,
    exact::{ExactCoverage, ExactUse},
    session::Session,
    unparsed::NotLookedInto,
    workspace::Workspace,
};

pub struct Snapshot {
    pub(crate) reader: Arc<Reader>,
    pub(crate) workspace: Arc<Workspace>,
    /// How far indexing is, if the index is behind the disk.
    pub(crate) pending: Option<Progress>,
    /// Why the index could not be brought up to date, if so.
    pub(crate) behind: Option<String>,
    pub(crate) exact_use: ExactUse,
    pub(crate) not_looked_into: NotLookedInto,
}

/// What an answer has looked at.
#[derive(Debug, Clone)]
pub struct Coverage {
    pub generation: u64,
    /// The same where the files and what is in them are the same.
    pub digest: u64,
    pub complete: bool,
    /// How many files are indexed, of how many that have to be, while that goes on.
    pub pending: Option<Progress>,
    /// Why the index could not be brought up to date: the answer is about an earlier state of the disk.
    pub behind: Option<String>,
    pub missed: MissedFiles,
    /// Files that could not be parsed and may define or use what was asked about.
    pub unparsed: MissedFiles,
    /// How many chunks have vectors, and of how many, while some have none that should.
    pub vectors: Option<(u64, u64)>,
    /// How exact it is; nothing where that was not asked for.
    pub exact: Option<ExactCoverage>,
    /// A rename that was cut off earlier.
    pub undone: Option<Arc<Undone>>,
    /// Where the root is in its repository, if it is not all of it: `packages/a`.
    pub part: Option<String>,
    /// There are files, and none of them counts.
    pub all_left_out: bool,
}

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
    pub fn session(&self) -> &Session {
        self.workspace.session()
    }

    /// Why the index could not be brought up to date, if so.
    pub fn behind(&self) -> Option<&str> {
        self.behind.as_deref()
    }

    pub fn workspace(&self) -> &Arc<Workspace> {
        &self.workspace
    }

    /// Whether every file is indexed as it is on disk.
    pub fn is_complete(&self) -> bool {
        self.reader.complete() && self.pending.is_none() && self.behind.is_none()
    }

    pub fn coverage(&self) -> Coverage {
        let rows = self.reader.files().rows();
        Coverage {
            generation: self.reader.generation(),
            digest: self.reader.files().digest(),
            complete: self.is_complete(),
            pending: self.pending,
            behind: self.behind.clone(),
            missed: MissedFiles::among(rows.filter_map(|row| Some((&*row.path, row.skip_reason()?)))),
            unparsed: self.not_looked_into(),
            vectors: self.vector_progress(),
            exact: self.exact_coverage(),
            undone: self.workspace.undone().cloned(),
            part: self.workspace.path_in_repo().map(str::to_owned),
            all_left_out: self.leaves_out_all(),
        }
    }

    /// Whether there is something in the directory, and none of it counts.
    pub fn leaves_out_all(&self) -> bool {
        if !self.reader.complete() || !self.reader.files().is_empty() {
            return false;
        }
        let mut entries = std::fs::read_dir(self.workspace.root().path())
            .into_iter()
            .flatten()
            .flatten();
        entries.any(|entry| entry.file_name() != ".git")
    }

    /// How many files are searched.
    pub fn file_count(&self) -> usize {
        self.reader.files().indexed().count()
    }

    /// Whether any of them passes a filter.
    pub fn has_files(&self, filter: &search::FilterSpec) -> bool {
        self.reader.files().indexed().any(|row| filter.allows(row))
    }

    /// Every file that was found and is not searched.
    pub fn skipped(&self) -> Vec<SkippedFile> {
        let rows = self.reader.files().rows();
        rows.filter_map(|row| {
            Some(SkippedFile {
                path: row.path.to_string(),
                reason: row.skip_reason()?.to_owned(),
            })
        })
        .collect()
    }

    /// The file's bytes, if they are still the ones that were indexed.
    pub(crate) fn current_bytes(&self, row: &FileRow) -> Result<Vec<u8>, Error> {
        let limit = self.session().config.max_file_bytes;
        match self.workspace.root().read(&row.path, limit) {
            Ok((bytes, stat)) if is_content(row, &bytes, stat) => Ok(bytes),
            _ => Err(Error::Stale),
        }
    }

    pub(crate) fn row(&self, id: u64) -> Result<&FileRow, Error> {
        self.reader.files().by_id(id).ok_or(Error::Stale)
    }

    /// A chunk, with `context` more lines before and after.
    pub(crate) fn view(&self, row: &FileRow, chunk: u32, context: u32) -> Result<ChunkView, Error> {
        let facts = self.reader.definitions(row)?.ok_or(Error::Stale)?;
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

/// For scanning: the bytes on disk now, whatever was indexed. Lines and text then always agree with the disk.
pub(crate) struct OnDisk<'s>(pub &'s Snapshot);

impl Contents for OnDisk<'_> {
    fn read(&self, row: &FileRow) -> Option<String> {
        let (bytes, _) = self
            .0
            .workspace
            .root()
            .read(&row.path, self.0.session().config.max_file_bytes)
            .ok()?;
        // Valid UTF-8 without a mark, as nearly every file is, needs no copy.
        let plain = !bytes.contains(&0) && !bytes.starts_with(b"\xEF\xBB\xBF");
        match String::from_utf8(bytes) {
            Ok(text) if plain => Some(text),
            Ok(text) => source::decode(text.as_bytes()).map(|text| text.text.into_owned()),
            Err(error) => source::decode(error.as_bytes()).map(|text| text.text.into_owned()),
        }
    }
}
