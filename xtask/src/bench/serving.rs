//! The server itself: its start, its memory, and what its tool list costs a client.

use std::{
    fs,
    path::Path,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use super::{
    Bench,
    portolan::Server,
    say,
    table::{Row, Table, Target, median, ms, show_ms},
};

const N_STARTS: usize = 9;

/// A server with a complete index of the corpus, which has answered before.
pub fn warm_server(bench: &Bench<'_>) -> Result<Server> {
    let mut server = bench.portolan.serve(&bench.home, &bench.corpus.dir, "all")?;
    server.initialize()?;
    for _ in 0..10 {
        let (_, answer) = server.call("search_code", &json!({ "query": "warm" }))?;
        if answer["coverage"]["complete"] == true {
            check_complete(bench, &mut server)?;
            return Ok(server);
        }
    }
    bail!("the index does not become complete");
}

/// Speed means nothing if files were left out without a word.
fn check_complete(bench: &Bench<'_>, server: &mut Server) -> Result<()> {
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
    Ok(())
}

/// Memory that is the process's own; pages of the mapped index belong to the system's cache.
pub fn memory(server: &Server, table: &mut Table) {
    match status_bytes(server.pid(), "RssAnon") {
        Some(n_bytes) => {
            let mb = n_bytes as f64 / 1e6;
            let row = Row::new("anonymous memory after the queries", format!("{mb:.1} MB"));
            table.push(row.must(Target::AtMost(60.0, " MB"), mb));
        }
        None => table.note("anonymous memory: not measured, because this system does not tell it"),
    }
}

/// A field of `/proc/PID/status`; `None` on other systems, and for a process that has ended.
pub fn status_bytes(pid: u32, field: &str) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix(field)?.strip_prefix(':'))?;
    let kib: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kib * 1024)
}

/// From starting the process to its first answer, in both eras of the protocol, with an index and without.
pub fn first_answer(bench: &Bench<'_>, table: &mut Table) -> Result<()> {
    say("starting servers");
    let cases: [(&str, Ask, bool); 4] = [
        ("initialize, with an index", Server::initialize, true),
        ("initialize, without an index", Server::initialize, false),
        ("server/discover, with an index", Server::discover, true),
        ("server/discover, without an index", Server::discover, false),
    ];
    let mut times = vec![Vec::new(); cases.len()];
    for _ in 0..N_STARTS {
        for ((_, ask, indexed), times) in cases.iter().zip(&mut times) {
            let empty = tempfile::tempdir_in(bench.scratch)?;
            let home = if *indexed { bench.home.as_path() } else { empty.path() };
            times.push(start(bench, home, *ask)?);
        }
    }
    for ((name, ..), times) in cases.iter().zip(&times) {
        let p50 = median(times);
        let row = Row::new(format!("start to first answer: {name}"), show_ms(p50));
        table.push(row.must(Target::AtMost(30.0, " ms"), ms(p50)));
    }
    Ok(())
}

type Ask = fn(&mut Server) -> Result<Value>;

fn start(bench: &Bench<'_>, home: &Path, ask: Ask) -> Result<Duration> {
    let started = Instant::now();
    let mut server = bench.portolan.serve(home, &bench.corpus.dir, "core")?;
    ask(&mut server)?;
    Ok(started.elapsed())
}

/// What a client pays for knowing the tools, in our own measure of tokens.
pub fn listing_tokens(bench: &Bench<'_>, table: &mut Table) -> Result<()> {
    for (toolsets, limit) in [("core", 3000.0), ("all", 9000.0)] {
        let mut server = bench.portolan.serve(&bench.home, &bench.corpus.dir, toolsets)?;
        server.initialize()?;
        let (_, listed) = server.request("tools/list", json!({}))?;
        let n_tools = listed["tools"].as_array().context("no list of tools")?.len();
        let n_tokens = tools::count_tokens(&listed.to_string()) as f64;
        let ours = format!("{n_tokens} tokens ({n_tools} tools)");
        table.push(Row::new(format!("tools/list, {toolsets}"), ours).must(Target::AtMost(limit, " tokens"), n_tokens));
    }
    Ok(())
}
