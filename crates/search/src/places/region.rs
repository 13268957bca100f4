//! Cuts a file into the regions that a search answers with.

use syntax::{FileFacts, Symbol, SymbolIdx, SymbolKind};

/// Consecutive lines that belong to the same symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Region {
    pub first_line: u32,
    pub last_line: u32,
    /// The innermost function, type or section that holds them; none for code outside of all.
    pub symbol: Option<SymbolIdx>,
}

/// A region of more lines is cut where its chunks begin.
pub const MAX_LINES: u32 = 60;
/// A constant or field of fewer lines is no region of its own: it stays with its neighbours.
const MIN_VALUE_LINES: u32 = 4;

/// The regions of a file in the order of its lines. Every line with code or text is in one of them.
pub fn regions(facts: &FileFacts, text: &str) -> Vec<Region> {
    let n_lines = facts.lines.count();
    // By line: the symbol that owns it, plus one.
    let mut owners = vec![0u32; n_lines as usize + 2];
    // By symbol: whether it is inside of a function that is a region as a whole.
    let mut is_covered = vec![false; facts.symbols.len()];
    for (at, symbol) in facts.symbols.iter().enumerate() {
        let (first, last) = lines_of(facts, symbol);
        let parent = symbol.parent.map(SymbolIdx::as_usize);
        let covered = parent.is_some_and(|parent| is_covered[parent]);
        let is_small_function = symbol.kind.is_function() && last - first < MAX_LINES;
        is_covered[at] = covered || is_small_function;
        if covered || !owns_lines(symbol, first, last) {
            continue;
        }
        owners[first as usize..=last as usize].fill(at as u32 + 1);
    }
    let has_text = |line: u32| {
        let line = text[facts.lines.span(line).range()].trim();
        line.chars().any(|c| c.is_alphanumeric())
    };
    let mut regions = Vec::new();
    let mut line = 1;
    while line <= n_lines {
        let owner = owners[line as usize];
        let mut end = line;
        while end < n_lines && owners[end as usize + 1] == owner {
            end += 1;
        }
        let next = end + 1;
        let (mut first, mut last) = (line, end);
        while first <= last && !has_text(first) {
            first += 1;
        }
        while last > first && text[facts.lines.span(last).range()].trim().is_empty() {
            last -= 1;
        }
        if first <= last {
            push(
                facts,
                &mut regions,
                Region {
                    first_line: first,
                    last_line: last,
                    symbol: owner.checked_sub(1).map(|at| SymbolIdx::new(at as usize)),
                },
            );
        }
        line = next;
    }
    regions
}

fn lines_of(facts: &FileFacts, symbol: &Symbol) -> (u32, u32) {
    let first = facts.lines.line(symbol.lead);
    let last = facts.lines.line(symbol.span.end.saturating_sub(1)).max(first);
    (first, last)
}

/// Whether lines inside a symbol belong to it rather than to what is around it.
fn owns_lines(symbol: &Symbol, first: u32, last: u32) -> bool {
    let kind = symbol.kind;
    match kind {
        // A whole file, as a rule.
        SymbolKind::Namespace | SymbolKind::Module => false,
        _ if kind.is_function() || kind.is_type() || symbol.runs() => true,
        SymbolKind::Impl | SymbolKind::Heading => true,
        _ => last - first + 1 >= MIN_VALUE_LINES,
    }
}

fn push(facts: &FileFacts, regions: &mut Vec<Region>, region: Region) {
    let mut rest = region;
    while rest.last_line - rest.first_line >= MAX_LINES {
        // The last chunk that begins in reach; without one, as many lines as a region may have.
        let most = rest.first_line + MAX_LINES;
        let cut = facts
            .chunks
            .iter()
            .map(|chunk| chunk.first_line)
            .filter(|line| (rest.first_line + MAX_LINES / 4..=most).contains(line))
            .max();
        let cut = cut.unwrap_or(most);
        regions.push(Region {
            last_line: cut - 1,
            ..rest
        });
        rest.first_line = cut;
    }
    regions.push(rest);
}
