//! Parsing within a budget.

use std::time::{Duration, Instant};

use tree_sitter::Range;

use crate::{facts::Problem, lang::Syntax, parsed::Parsed, plain, tree::Tree};

/// Larger files are indexed as text: their trees would take hundreds of megabytes.
const MAX_PARSED_BYTES: usize = 4 << 20;

/// How often the parser may report progress for this many bytes, and in all for short files, before it is stopped. It
/// reports after a fixed number of steps, so that the outcome depends on the text alone and not on the machine. The
/// most that an ordinary file of megabytes was seen to need is a ninth of this.
const BYTES_PER_STEP: usize = 8;
const FREE_STEPS: usize = 50_000;

/// Where nothing fits the grammar the parser tries every token of it at every word, and a step takes a hundred times as
/// long. Only time can tell; the most that an ordinary file was seen to need is a fifth of this.
const PATIENCE: Duration = Duration::from_secs(3);
const PATIENCE_PER_BYTE: Duration = Duration::from_micros(1);

/// What is parsed in place of a text, if anything.
pub(super) fn masked(syntax: &Syntax, text: &str) -> Option<String> {
    let masked = syntax.hooks.masked?(text)?;
    (masked.len() == text.len()).then_some(masked)
}

/// What the parser may still spend on a file and the texts inside it.
pub(super) struct Budget {
    steps: usize,
    until: Instant,
}

impl Budget {
    pub(super) fn new(text: &str) -> Budget {
        Budget {
            steps: FREE_STEPS + text.len() / BYTES_PER_STEP,
            until: Instant::now() + PATIENCE + PATIENCE_PER_BYTE * text.len().min(MAX_PARSED_BYTES) as u32,
        }
    }

    pub(super) fn is_spent(&mut self) -> bool {
        self.steps = self.steps.saturating_sub(1);
        self.steps == 0 || Instant::now() > self.until
    }
}

/// Parses a text, or a range of it, and has the tree read: it is gone afterwards.
pub(super) fn read<T>(
    syntax: &'static Syntax,
    text: &str,
    range: Option<Range>,
    budget: &mut Budget,
    read: impl FnOnce(&Tree<'_>) -> T,
) -> Result<T, Problem> {
    if text.len() > MAX_PARSED_BYTES {
        return Err(Problem::TooLarge);
    }
    let compiled = syntax.compiled();
    let parsed = Parsed::new(&compiled.language, text, range, || budget.is_spent());
    // The list of nodes takes the place of the parser's tree.
    let tree = parsed.and_then(|parsed| Tree::new(&parsed, &compiled.vocabulary, text));
    Ok(read(&tree.ok_or(Problem::TooComplex)?))
}

/// What the `tree-sitter` crate makes of a text, or a range of it.
pub(super) fn bare(syntax: &'static Syntax, text: &str, range: Option<Range>) -> Option<tree_sitter::Tree> {
    if text.len() > MAX_PARSED_BYTES {
        return None;
    }
    let mut budget = Budget::new(text);
    plain::parse(&syntax.compiled().language, text, range, || budget.is_spent())
}

/// What is between the braces at a text's ends.
pub(super) fn between(mut range: Range) -> Range {
    range.start_byte += 1;
    range.start_point.column += 1;
    range.end_byte -= 1;
    range.end_point.column = range.end_point.column.saturating_sub(1);
    range
}
