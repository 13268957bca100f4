//! Which lines of a file are shown for a question: not its licence and imports, if there is anything else.

use embed::{Encoder, Vector};
use index::{FileRow, Heads};
use search::Fitting;
use source::{LineIndex, Text};
use syntax::{FileFacts, Symbol, SymbolKind, lang_by_name};

use crate::{
    embedding::Embedding,
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

/// Chunks of a file that are shown or named, at most.
const CHUNKS: usize = 4;
/// What is not this near to the best is not worth a mention: where texts were compared, and where only words were.
const NEAR_BEST: f32 = 0.75;
const NEAR_BEST_BY_WORDS: f32 = 0.5;
/// What the meaning of a chunk counts next to its words, and what that of the name of its function does. Sentences that
/// describe functions find two of three by it, where they find two of five without.
const MEANING: f32 = 24.0;
const NAME: f32 = 4.0;

/// Of the words of the other chunks of its function.
const BESIDE: f32 = 0.6;

/// Of a test beside what it tests.
const TEST: f32 = -8.0;

/// A sentence asks for what is done more often than for what there is: functions before the types that they are about, and
/// before their own ends.
const DONE: f32 = 2.0;

/// What a question means, to compare texts with.
pub(crate) struct Meant<'a> {
    vector: &'a Vector,
    encoder: Encoder<'a>,
    /// It asks for tests.
    is_of_tests: bool,
}

impl Snapshot {
    /// What it takes to compare texts with a question, where that is a matter of microseconds.
    pub(crate) fn meant<'a>(&'a self, text: &str, vector: &'a Vector) -> Option<Meant<'a>> {
        match &*self.workspace.embedding {
            Embedding::On(model) => Some(Meant {
                vector,
                encoder: model.encoder(),
                is_of_tests: search::asks_tests(text),
            }),
            _ => None,
        }
    }

    /// The lines that are shown of a file, and those of others that fit. Where the best are nothing but the head of the
    /// file, others take their place.
    pub(crate) fn passage(
        &self,
        row: &FileRow,
        facts: &FileFacts,
        fitting: &[Fitting],
        context: u32,
        meant: Option<&mut Meant<'_>>,
    ) -> Result<(ChunkView, Vec<(u32, u32)>), Error> {
        let bytes = self.current_bytes(row)?;
        let Text { text, .. } = source::decode(&bytes).ok_or(Error::Stale)?;
        let near_best = if meant.is_some() { NEAR_BEST } else { NEAR_BEST_BY_WORDS };
        let mut chunks = best_first(row, facts, &text, fitting, meant);
        let least = chunks
            .first()
            .map_or(0.0, |(score, _)| score - (1.0 - near_best) * score.abs());
        let view = |chunk: u32| view_of(row, facts, &text, chunk, context, 0);
        let mut shown = view(chunks.first().ok_or(Error::Stale)?.1)?;
        if context == 0 {
            match behind_head(facts, &shown) {
                Head::None => shown = grown(row, facts, &text, shown)?,
                Head::Until(first) => shown = shown_from(row, facts, shown, first),
                Head::All => {
                    for at in 1..chunks.len() {
                        let other = view(chunks[at].1)?;
                        shown = match behind_head(facts, &other) {
                            Head::All => continue,
                            Head::None => other,
                            Head::Until(first) => shown_from(row, facts, other, first),
                        };
                        chunks.swap(0, at);
                        break;
                    }
                }
            }
        }
        let told = |chunk: u32| fitting.iter().any(|one| one.chunk == chunk && one.score() > 0.0);
        let others = chunks[1..]
            .iter()
            .filter(|(score, chunk)| *score >= least && told(*chunk));
        let lines = others
            .take(CHUNKS - 1)
            .filter_map(|(_, chunk)| facts.chunks.get(*chunk as usize));
        let mut also: Vec<(u32, u32)> = lines.map(|chunk| (chunk.first_line, chunk.last_line)).collect();
        also.sort_unstable();
        Ok((shown, also))
    }
}

/// The chunks that fit, best first, each with how well it does.
fn best_first(
    row: &FileRow,
    facts: &FileFacts,
    text: &str,
    fitting: &[Fitting],
    meant: Option<&mut Meant<'_>>,
) -> Vec<(f32, u32)> {
    let mut best: Vec<(f32, u32)> = match meant {
        Some(meant) if fitting.len() > 1 => {
            let Meant { vector, encoder, .. } = meant;
            let heads = Heads::of_some(&row.path, facts, text, |chunk| {
                fitting.iter().any(|one| one.chunk as usize == chunk)
            });
            let parts: Vec<Part<'_>> = fitting.iter().filter_map(|one| Part::of(facts, text, *one)).collect();
            let score = |part: &Part<'_>| {
                let at = part.fitting.chunk as usize;
                let mut score =
                    part.fitting.words + MEANING * vector.cosine(&encoder.code(&heads.of(at..at + 1), part.body));
                if let Some(function) = part.function {
                    score += NAME * vector.cosine(&encoder.code("", facts.name(function)));
                    let is_beside =
                        |other: &&Part<'_>| other.is_of(function) && other.fitting.chunk != part.fitting.chunk;
                    score += BESIDE
                        * parts
                            .iter()
                            .filter(is_beside)
                            .map(|other| other.fitting.words)
                            .sum::<f32>();
                }
                if part.is_test && !meant.is_of_tests {
                    score += TEST;
                }
                let done = if part.begins { DONE } else { 0.0 };
                (score + done, part.fitting.chunk)
            };
            parts.iter().map(score).collect()
        }
        _ => fitting.iter().map(|one| (one.score(), one.chunk)).collect(),
    };
    best.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    best
}

/// A chunk that fits, as a part of a function.
struct Part<'f> {
    fitting: Fitting,
    body: &'f str,
    /// The innermost that it is in.
    function: Option<&'f Symbol>,
    /// The function, and no class or local one, begins with it.
    begins: bool,
    is_test: bool,
}

impl<'f> Part<'f> {
    fn of(facts: &'f FileFacts, text: &'f str, fitting: Fitting) -> Option<Part<'f>> {
        let chunk = facts.chunks.get(fitting.chunk as usize)?;
        let symbol = symbol_of(facts, chunk, text);
        let outer = |symbol: &&'f Symbol| facts.symbols.get(symbol.parent? as usize);
        let mut around = std::iter::successors(symbol, outer);
        let function = around.find(|symbol| symbol.kind.is_function());
        let is_inside = |symbol: &&Symbol| chunk.range().contains(&(symbol.name_at as usize));
        let mut inside = facts.symbols.iter().filter(is_inside);
        let first = function.or_else(|| inside.find(|symbol| symbol.kind.is_function()));
        Some(Part {
            fitting,
            body: text.get(chunk.range())?,
            function,
            begins: symbol.is_some_and(|symbol| symbol.kind.is_function() && is_inside(&symbol)),
            is_test: first.is_some_and(|first| first.is_test),
        })
    }

    fn is_of(&self, function: &Symbol) -> bool {
        self.function.is_some_and(|own| own.name_at == function.name_at)
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
