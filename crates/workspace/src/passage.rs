//! Which lines of a file are shown for a question: not its licence and imports, if there is anything else.

use std::ops::Range;

use index::FileRow;
use source::{LineIndex, Text};
use syntax::{FileFacts, Symbol, SymbolKind, lang_by_name};

use crate::{
    error::Error,
    snapshot::{ChunkView, Snapshot, lines_between, qualified, symbol_of, view_of},
};

/// Beginnings of lines that bring in what others have written, or say what a file is part of.
const IMPORTING: &[&str] = &[
    "import",
    "export *",
    "from ",
    "use ",
    "using ",
    "open ",
    "require",
    "include",
    "package ",
    "namespace ",
    "module ",
    "declare(",
    "library",
    "extern crate",
    "#include",
    "#import",
    "#pragma",
    "#if",
    "#define",
    "#endif",
    "#!",
    "@import",
    "<?php",
    "'use ",
    "\"use ",
    ")",
    "}",
    "]",
];
/// Beginnings of lines that are comments, or texts in their place.
const COMMENTING: &[&str] = &["//", "/*", "*", "#", "--", ";", "%", "\"\"\"", "'''"];
const LICENSING: &[&str] = &["licen", "copyright", "(c)"];

impl Snapshot {
    /// The lines that are shown of some chunks, of which the best is the first. Where that is nothing but the head of its
    /// file, another one takes its place.
    pub(crate) fn passage(
        &self,
        row: &FileRow,
        facts: &FileFacts,
        chunks: &mut [Range<u32>],
        context: u32,
        nearest: impl Fn(Range<u32>) -> Result<u32, Error>,
    ) -> Result<ChunkView, Error> {
        let bytes = self.current_bytes(row)?;
        let Text { text, .. } = source::decode(&bytes).ok_or(Error::Stale)?;
        let best = view_of(row, facts, &text, nearest(chunks[0].clone())?, context, 0)?;
        if context > 0 {
            return Ok(best);
        }
        match behind_head(facts, &best) {
            Head::None => return grown(row, facts, &text, best),
            Head::Until(first) => return Ok(shown_from(row, facts, best, first)),
            Head::All => {}
        }
        for at in 0..chunks.len() {
            for chunk in chunks[at].clone() {
                let other = view_of(row, facts, &text, chunk, context, 0)?;
                let other = match behind_head(facts, &other) {
                    Head::All => continue,
                    Head::None => other,
                    Head::Until(first) => shown_from(row, facts, other, first),
                };
                chunks.swap(0, at);
                return Ok(other);
            }
        }
        Ok(best)
    }
}

/// A few lines of a definition, cut off its comments or its body, with what they belong to.
fn grown(row: &FileRow, facts: &FileFacts, text: &str, mut view: ChunkView) -> Result<ChunkView, Error> {
    let is_code = lang_by_name(row.lang).is_some_and(|lang| !lang.is_data() && !lang.is_prose());
    if view.lines.len() >= FEW_LINES || !is_code {
        return Ok(view);
    }
    let chunk = facts.chunks.get(view.chunk as usize).ok_or(Error::Stale)?;
    let Some(symbol) = symbol_of(facts, chunk, text) else {
        return Ok(view);
    };
    let (first, last) = (
        facts.lines.line(symbol.lead),
        facts.lines.line(symbol.span.end.saturating_sub(1)),
    );
    let shown_to = view.shown_from + view.lines.len() as u32 - 1;
    // From its comments on, if they are not far; then as much of it as there is room for.
    let from = first.max(shown_to.saturating_sub(GROWN_LINES - 1)).min(view.shown_from);
    let to = last.min(from + GROWN_LINES - 1).max(shown_to);
    let lines = LineIndex::new(text);
    view.lines = lines_between(text, &lines, from, to.min(lines.count()));
    view.shown_from = from;
    Ok(view)
}

/// A passage of fewer lines is mostly a part of something.
const FEW_LINES: usize = 6;
/// As many lines as are shown of one of those.
const GROWN_LINES: u32 = 14;

/// How much of a chunk is the head of its file.
enum Head<'f> {
    None,
    /// What is before this definition and its comments.
    Until(&'f Symbol),
    All,
}

fn behind_head<'f>(facts: &'f FileFacts, view: &ChunkView) -> Head<'f> {
    // `package shop;`, which holds nothing by itself.
    let is_clause = |at: u32, symbol: &Symbol| {
        matches!(symbol.kind, SymbolKind::Namespace | SymbolKind::Module)
            && !facts.symbols.iter().any(|inner| inner.parent == Some(at))
    };
    let mut symbols = (0..).zip(&facts.symbols);
    let first = symbols.find(|(at, symbol)| !is_clause(*at, symbol));
    let Some((_, first)) = first.filter(|(_, first)| view.start_byte < first.lead) else {
        return Head::None;
    };
    let n_lines = facts.lines.line(first.lead).saturating_sub(view.shown_from) as usize;
    let head = &view.lines[..n_lines.min(view.lines.len())];
    match (is_boilerplate(head), first.lead < view.end_byte) {
        (false, _) => Head::None,
        (true, true) => Head::Until(first),
        (true, false) => Head::All,
    }
}

/// Whether lines before the first definition tell nothing about the file.
fn is_boilerplate(head: &[String]) -> bool {
    let begins = |line: &str, with: &[&str]| with.iter().any(|begin| line.trim_start().starts_with(begin));
    let is_import = |line: &str| begins(line, IMPORTING) || line.starts_with([' ', '\t']) || line.contains(" require(");
    let is_comment = |line: &str| begins(line, COMMENTING) && !begins(line, IMPORTING);
    let is_licence = |line: &String| {
        let line = line.to_lowercase();
        LICENSING.iter().any(|word| line.contains(word))
    };
    let has_licence = head.iter().any(is_licence);
    let mut lines = head.iter().filter(|line| !line.trim().is_empty()).peekable();
    lines.peek().is_some()
        && lines.all(|line| match is_comment(line) {
            true => has_licence,
            false => is_import(line),
        })
}

/// The lines from a definition on.
fn shown_from(row: &FileRow, facts: &FileFacts, mut view: ChunkView, first: &Symbol) -> ChunkView {
    let line = facts.lines.line(first.lead);
    let hidden = line.saturating_sub(view.shown_from) as usize;
    if hidden < view.lines.len() {
        view.lines.drain(..hidden);
        view.shown_from = line;
        view.symbol = Some(qualified(row, facts, first));
    }
    view
}

#[cfg(test)]
mod tests {
    use super::is_boilerplate;

    #[test]
    fn licences_and_imports_tell_nothing() {
        for (head, expected) in [
            ("import os\nfrom a import (\n    b,\n)\n", true),
            (
                "/*\n * Copyright 2020\n */\n\npackage a\n\nimport (\n\t\"fmt\"\n)\n",
                true,
            ),
            ("<?php\n\n/*\n * See the LICENSE.\n */\n\nnamespace A;\n", true),
            ("//! How it is done.\nuse std::fs;\n", false),
            ("\"\"\"How it is done.\"\"\"\nimport os\n", false),
            ("#include <a.h>\n\n", true),
            ("import os\nrun()\n", false),
            ("", false),
        ] {
            let lines: Vec<String> = head.lines().map(str::to_owned).collect();
            assert_eq!(is_boilerplate(&lines), expected, "{head}");
        }
    }
}
