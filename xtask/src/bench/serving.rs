//! The server itself: its start, its memory, its size, and what its tool list costs a client.

use std::{fs, time::Duration};

use anyhow::{Result, bail};
use measure::{Greeting, QUESTIONS, Server, answer_times, listing, median, ms, show_mb, show_ms, start, status_bytes};
use serde_json::json;

use super::{
    Bench, say,
    table::{Row, Table, Target},
};

const N_STARTS: usize = 9;

/// For the questions of one kind before memory is looked at.
const ASKING: Duration = Duration::from_secs(5);

/// A server with a complete index of the corpus, which has answered before.
pub fn warm_server(bench: &Bench<'_>) -> Result<Server> {
    let mut server = bench.portolan.serve(&bench.home, &bench.corpus.dir, "all")?;
    server.initialize()?;
    server.complete()?;
    // Speed means nothing if files were left out without a word.
    let (_, status) = server.call("index_status", &json!({}))?;
    let known = ["files", "total"].map(|field| status[field].as_u64().unwrap_or(0));
    if known.iter().sum::<u64>() != bench.corpus.files.len() as u64 {
        bail!(
            "{} files are indexed and {} skipped, of {}",
            known[0],
            known[1],
            bench.corpus.files.len()
        );
    }
    Ok(server)
}

pub fn measure(bench: &Bench<'_>, table: &mut Table) -> Result<()> {
    memory(bench, table)?;
    first_answer(bench, table)?;
    listing_tokens(bench, table)?;
    let size = fs::metadata(&bench.binary)?.len();
    table.push(Row::new("the program", show_mb(size)));
    Ok(())
}

/// Memory that is the process's own; pages of the mapped index belong to the system's cache.
fn memory(bench: &Bench<'_>, table: &mut Table) -> Result<()> {
    say("asking everything once");
    let mut server = warm_server(bench)?;
    for question in QUESTIONS {
        answer_times(&mut server, question, &bench.samples, ASKING)?;
    }
    match status_bytes(server.pid(), "RssAnon") {
        Some(n_bytes) => {
            let row = Row::new("own memory of a server after the questions", show_mb(n_bytes));
            table.push(row.must(Target::AtMost(60.0, " MB"), n_bytes as f64 / 1e6));
        }
        None => table.note("own memory of a server: not measured, because this system does not tell it"),
    }
    Ok(())
}

/// In both eras of the protocol, with an index and without.
fn first_answer(bench: &Bench<'_>, table: &mut Table) -> Result<()> {
    say("starting servers");
    let cases: [(&str, Greeting, bool); 4] = [
        ("initialize, with an index", Server::initialize, true),
        ("initialize, without an index", Server::initialize, false),
        ("server/discover, with an index", Server::discover, true),
        ("server/discover, without an index", Server::discover, false),
    ];
    let mut times = vec![Vec::new(); cases.len()];
    for _ in 0..N_STARTS {
        for ((_, greeting, indexed), times) in cases.iter().zip(&mut times) {
            let empty = tempfile::tempdir_in(bench.scratch)?;
            let home = if *indexed { bench.home.as_path() } else { empty.path() };
            times.push(start(&bench.portolan, home, &bench.corpus.dir, *greeting)?);
        }
    }
    for ((name, ..), times) in cases.iter().zip(&times) {
        let p50 = median(times);
        let row = Row::new(format!("start to first answer: {name}"), show_ms(p50));
        table.push(row.must(Target::AtMost(30.0, " ms"), ms(p50)));
    }
    Ok(())
}

/// What a client pays for knowing the tools, in our own measure of tokens.
fn listing_tokens(bench: &Bench<'_>, table: &mut Table) -> Result<()> {
    for (toolsets, limit) in [("core", 3000.0), ("all", 9000.0)] {
        let mut server = bench.portolan.serve(&bench.home, &bench.corpus.dir, toolsets)?;
        server.initialize()?;
        let (n_tools, n_tokens) = listing(&mut server)?;
        let ours = format!("{n_tokens} tokens ({n_tools} tools)");
        table.push(
            Row::new(format!("tools/list, {toolsets}"), ours).must(Target::AtMost(limit, " tokens"), n_tokens as f64),
        );
    }
    Ok(())
}
