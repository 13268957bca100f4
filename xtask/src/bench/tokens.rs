//! Tokens of four tasks, next to grep and reading.

use anyhow::Result;
use measure::{tokens, tokens_text};

use super::{Bench, say, serving::warm_server};

/// The table with what stands behind it, and what misses its target: a question without an answer.
pub fn measure(bench: &Bench<'_>) -> Result<(String, Vec<String>)> {
    say("counting tokens");
    let mut server = warm_server(bench)?;
    let all = tokens(&mut server, &bench.corpus.dir, &bench.sources, &bench.samples)?;
    let mut text = tokens_text(&all);
    text.push_str("Tokens are counted as for the budgets of answers (`crates/tools/src/machinery/tokens.rs`).\n");
    let failed = all.iter().flat_map(|tokens| tokens.failures.iter().cloned());
    Ok((text, failed.collect()))
}
