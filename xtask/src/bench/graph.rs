//! Questions about the graph: who uses, calls and implements definitions drawn from the corpus.

use std::time::Duration;

use anyhow::Result;
use serde_json::{Value, json};
use syntax::{ChunkOptions, SymbolKind, detect, file_facts};

use super::{
    Bench,
    portolan::Server,
    sample::Sampler,
    say,
    table::{Row, Table, Target, median, ms, percentile, show_ms},
};

const N_SYMBOLS: usize = 80;

/// Each tool, and the median that it must keep to in ms.
const TOOLS: &[(&str, f64)] = &[
    ("find_definition", 20.0),
    ("find_references", 20.0),
    ("find_callers", 20.0),
    ("find_callees", 20.0),
    ("find_implementations", 20.0),
    ("get_call_graph", 20.0),
    ("deep_dive", 20.0),
    ("impact_analysis", 300.0),
];

pub fn measure(bench: &Bench<'_>, server: &mut Server, table: &mut Table) -> Result<()> {
    say("asking the graph");
    let symbols = symbols(bench)?;
    for (tool, most) in TOOLS {
        let mut times: Vec<Duration> = Vec::new();
        for (at, symbol) in symbols.iter().enumerate() {
            let (elapsed, _) = server.call(tool, symbol)?;
            // The first call of a server finds out about modules.
            if at > 0 {
                times.push(elapsed);
            }
        }
        let p50 = median(&times);
        let row = Row::new(
            format!("{tool}, server warm"),
            format!("{} (p95 {})", show_ms(p50), show_ms(percentile(&times, 0.95))),
        );
        table.push(row.must(Target::AtMost(*most, " ms"), ms(p50)));
    }
    Ok(())
}

/// Functions and types by their places, the same in every run.
fn symbols(bench: &Bench<'_>) -> Result<Vec<Value>> {
    let mut sampler = Sampler::new(&bench.corpus, 5);
    let mut found = Vec::new();
    while found.len() < N_SYMBOLS {
        let path = sampler.file();
        let text = bench.corpus.read(path)?;
        let name = path.rsplit('/').next().unwrap_or(path);
        let facts = file_facts(
            detect(name, text.as_bytes()),
            &text,
            ChunkOptions { size: 512, overlap: 64 },
        );
        let wanted: Vec<_> = facts
            .symbols
            .iter()
            .filter(|symbol| symbol.kind.is_function() || (symbol.kind.is_type() && symbol.kind != SymbolKind::Type))
            .collect();
        if let Some(symbol) = sampler.one_of(&wanted) {
            found.push(json!({
                "file": path,
                "line": facts.lines.line(symbol.name_at),
                "symbol": facts.name(symbol),
            }));
        }
    }
    Ok(found)
}
