//! Blocks to show, put together where they overlap and cut where they are long.

use queries::{Block, Likeness, SourceFile, SymbolHit, SymbolIdx, SymbolKind};
use serde_json::{Value, json};

use crate::{
    machinery::{
        answer::{Body, Row},
        tokens,
        visible::visible_name,
    },
    parts::{definition, locations::SourceLocation},
};

/// A longer block comes in parts, so that each fits a page.
const PART_TOKENS: u64 = 3000;

/// A block to show, and what it was asked for by.
pub(super) struct Piece {
    pub path: String,
    pub block: Block,
    /// Further symbols, where blocks that overlap were put together.
    pub others: Vec<SymbolIdx>,
    pub targets: Vec<String>,
    /// Lines that were asked for.
    pub lines: Vec<u32>,
    pub notes: Vec<String>,
}

impl Piece {
    pub fn new(target: &SourceLocation, path: &str, block: Block) -> Piece {
        Piece {
            path: path.to_owned(),
            block,
            others: Vec::new(),
            targets: vec![target.written.clone()],
            lines: Vec::new(),
            notes: Vec::new(),
        }
    }

    pub fn overlaps(&self, other: &Piece) -> bool {
        self.path == other.path
            && self.block.first_line <= other.block.last_line
            && other.block.first_line <= self.block.last_line
    }

    fn holds(&self, other: &Piece) -> bool {
        self.block.first_line <= other.block.first_line && other.block.last_line <= self.block.last_line
    }

    /// Both together, as one that is shown where the first was.
    pub fn join(mut self, mut later: Piece) -> Piece {
        self.targets.append(&mut later.targets);
        self.lines.append(&mut later.lines);
        self.notes.append(&mut later.notes);
        let mut seen = Vec::new();
        self.notes.retain(|note| {
            !seen.contains(note) && {
                seen.push(note.clone());
                true
            }
        });
        self.targets.dedup();
        self.lines.sort_unstable();
        self.lines.dedup();
        if self.holds(&later) {
            return self;
        }
        if later.holds(&self) {
            return Piece {
                block: later.block,
                others: later.others,
                ..self
            };
        }
        self.others.extend(
            later
                .block
                .symbol
                .filter(|symbol| later.block.is_symbol && Some(*symbol) != self.block.symbol),
        );
        self.others.append(&mut later.others);
        self.block = Block {
            first_line: self.block.first_line.min(later.block.first_line),
            last_line: self.block.last_line.max(later.block.last_line),
            is_symbol: self.block.is_symbol || later.block.is_symbol,
            symbol: self.block.symbol.or(later.block.symbol),
        };
        self
    }
}

/// Lines that are shown before one that was asked for, in a long piece.
const LINES_BEFORE: u32 = 8;

/// A comment before a definition that is longer may be all that a page shows of it.
const LINES_OF_COMMENT: u32 = 15;

/// A piece as rows: one, or several if it is long. Parts with the lines that were asked for come before the others.
pub(super) fn parts(piece: &Piece, file: &SourceFile) -> Vec<Row> {
    let (first, last) = (piece.block.first_line, piece.block.last_line);
    let lines = file.lines(first, last);
    let costs = lines
        .iter()
        .map(|line| tokens::count(line).max(tokens::count(&Value::from(line.as_str()).to_string())) + 1);
    let costs: Vec<u64> = costs.collect();
    // A page may be too small for a part: one begins just before a line that was asked for.
    let is_long = costs.iter().sum::<u64>() > PART_TOKENS;
    let begins = |at: usize| {
        let line = first + at as u32 + LINES_BEFORE;
        is_long && piece.lines.contains(&line)
    };
    let mut ends = Vec::new();
    let mut tokens = 0;
    for (at, cost) in costs.into_iter().enumerate() {
        if tokens > 0 && (tokens + cost > PART_TOKENS || begins(at)) {
            ends.push(at);
            tokens = 0;
        }
        tokens += cost;
    }
    ends.push(lines.len());
    let count = ends.len();
    let mut start = 0;
    let mut parts = Vec::with_capacity(count);
    for (number, end) in (1..).zip(ends) {
        let range = (first + start as u32, first + (end as u32).saturating_sub(1));
        let asked = piece.lines.iter().copied();
        parts.push(Part {
            number,
            count,
            range,
            lines: asked.filter(|line| (range.0..=range.1).contains(line)).collect(),
            code: lines[start..end].join("\n"),
        });
        start = end;
    }
    parts.sort_by_key(|part| part.lines.is_empty());
    let rows = parts.into_iter().enumerate();
    rows.map(|(at, part)| row(piece, file, part, at == 0)).collect()
}

struct Part {
    number: usize,
    count: usize,
    range: (u32, u32),
    /// Of those that were asked for.
    lines: Vec<u32>,
    code: String,
}

/// `method Parser.parse`; a block that adds to a type by what it adds, since all of them have the type's name.
fn titled(symbol: &SymbolHit) -> String {
    match symbol.kind {
        SymbolKind::Impl => definition::signature(symbol),
        kind => format!("{} {}", kind.as_str(), visible_name(&symbol.qualified_name)),
    }
}

fn row(piece: &Piece, file: &SourceFile, part: Part, is_first: bool) -> Row {
    let hit = |symbol: SymbolIdx| file.hit(&file.facts.symbols[symbol], Likeness::Exact);
    let symbol = piece.block.symbol.map(hit);
    let (from, to) = part.range;
    let place = match from == to {
        true => from.to_string(),
        false => format!("{from}-{to}"),
    };
    let mut text = format!("{}:{place}", visible_name(&piece.path));
    let mut json = json!({
        "path": piece.path,
        "start_line": from,
        "end_line": to,
        "language": file.lang.name,
        "targets": piece.targets,
    });
    if let Some(symbol) = &symbol {
        // The code itself begins with the signature if it is the symbol, unless a long comment is before it.
        let name = visible_name(&symbol.qualified_name);
        let is_soon = symbol.line.saturating_sub(from) <= LINES_OF_COMMENT;
        match piece.block.is_symbol && part.number == 1 && is_soon {
            true => text.push_str(&format!(" {}", titled(symbol))),
            false => {
                let is_of_it = piece.block.is_symbol && part.number == 1;
                let within = if is_of_it { "" } else { "in " };
                text.push_str(&format!(
                    " {within}{} {name}: {}",
                    symbol.kind.as_str(),
                    definition::signature(symbol)
                ));
                if is_of_it {
                    text.push_str(&format!(" (from line {})", symbol.line));
                }
            }
        }
        json["symbol"] = symbol.qualified_name.clone().into();
        json["kind"] = symbol.kind.as_str().into();
        json["signature"] = definition::signature(symbol).into();
    }
    for other in &piece.others {
        text.push_str(&format!(", {}", titled(&hit(*other))));
    }
    if !piece.others.is_empty() {
        let others = piece.others.iter().map(|other| Value::from(hit(*other).qualified_name));
        json["other_symbols"] = others.collect();
    }
    let mut notes = Vec::new();
    if part.count > 1 {
        notes.push(format!("part {} of {}", part.number, part.count));
        json["part"] = part.number.into();
        json["parts"] = part.count.into();
    }
    if !part.lines.is_empty() {
        let lines: Vec<String> = part.lines.iter().take(10).map(u32::to_string).collect();
        let noun = if lines.len() == 1 { "line" } else { "lines" };
        notes.push(format!("{noun} {}", lines.join(", ")));
        json["lines"] = part.lines.into();
    }
    if is_first {
        notes.extend(piece.notes.iter().cloned());
        if !piece.notes.is_empty() {
            json["notes"] = piece.notes.clone().into();
        }
    }
    if !notes.is_empty() {
        text.push_str(&format!(" ({})", notes.join("; ")));
    }
    Row {
        text,
        json,
        body: Some(Body {
            field: "code",
            first_line: Some(from),
            is_continued: false,
            numbered_in: None,
            lang: file.lang.name,
            text: part.code,
        }),
    }
}
