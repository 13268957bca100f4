//! What the documents behind the profiles promise of speed and memory, as they state it: the median, and what 95 of 100 stay
//! below, where they give both.

use std::{collections::BTreeSet, time::Duration};

use anyhow::{Context, Result, bail};
use measure::{Sample, Server, median, ms, percentile, show_ms, status_bytes};
use serde_json::{Value, json};

use super::{
    Bench,
    sample::Sampler,
    say,
    table::{Row, Table, Target},
};

/// Calls of each tool.
const N_CALLS: usize = 100;
/// So many of `PROMISES` come first, which no index is opened for.
const N_WITHOUT_INDEX: usize = 4;
/// Sessions that are listed: that of the corpus, and those of directories in it.
const N_SESSIONS: usize = 10;
/// The session of the corpus.
const SESSION: &str = "corpus";
/// Lines of a snippet that is compared.
const SNIPPET: usize = 12;

/// One promise.
struct Promise {
    /// Whose it is.
    system: &'static str,
    tool: &'static str,
    arguments: fn(&Sample) -> Value,
    /// In ms: of the median, and of 95 of 100 calls where the document says that too.
    p50: f64,
    p95: Option<f64>,
    /// What a call may add to the server's own memory, in MB.
    memory: Option<f64>,
}

const PROMISES: &[Promise] = &[
    Promise {
        system: "Shebe",
        tool: "list_sessions",
        arguments: |_| json!({}),
        p50: 5.0,
        p95: Some(10.0),
        memory: Some(5.0),
    },
    Promise {
        system: "Shebe",
        tool: "get_session_info",
        arguments: |_| json!({ "session": SESSION }),
        p50: 3.0,
        p95: Some(5.0),
        memory: Some(5.0),
    },
    Promise {
        system: "Shebe",
        tool: "get_server_info",
        arguments: |_| json!({}),
        p50: 1.0,
        p95: None,
        memory: Some(1.0),
    },
    Promise {
        system: "Shebe",
        tool: "get_config",
        arguments: |_| json!({}),
        p50: 1.0,
        p95: None,
        memory: Some(1.0),
    },
    Promise {
        system: "Shebe",
        tool: "list_files",
        arguments: |_| json!({ "limit": 100 }),
        p50: 200.0,
        p95: None,
        memory: Some(10.0),
    },
    Promise {
        system: "Shebe",
        tool: "find_file",
        arguments: |sample| json!({ "pattern": format!("**/{}", sample.path.rsplit('/').next().unwrap_or_default()) }),
        p50: 20.0,
        p95: None,
        memory: Some(5.0),
    },
    Promise {
        system: "Shebe",
        tool: "read_file",
        arguments: |sample| json!({ "path": sample.path }),
        p50: 50.0,
        p95: None,
        memory: Some(5.0),
    },
    Promise {
        system: "Shebe",
        tool: "preview_chunk",
        arguments: |sample| json!({ "file_path": sample.path, "chunk_index": 0 }),
        p50: 15.0,
        p95: None,
        memory: None,
    },
    Promise {
        system: "Shebe",
        tool: "search_code",
        arguments: |sample| json!({ "query": sample.name, "mode": "keyword" }),
        p50: 10.0,
        p95: Some(50.0),
        memory: Some(5.0),
    },
    Promise {
        system: "Shebe",
        tool: "find_references",
        arguments: Sample::place,
        p50: 500.0,
        p95: None,
        memory: Some(10.0),
    },
];

/// The same of the systems that promise more than searching.
const OTHERS: &[Promise] = &[
    Promise {
        system: "rust-code-mcp",
        tool: "search_code",
        arguments: |sample| json!({ "query": sample.name, "mode": "hybrid" }),
        p50: 50.0,
        p95: None,
        memory: None,
    },
    Promise {
        system: "rust-code-mcp",
        tool: "find_definition",
        arguments: Sample::place,
        p50: 10.0,
        p95: None,
        memory: None,
    },
    Promise {
        system: "rust-code-mcp",
        tool: "find_references",
        arguments: Sample::place,
        p50: 200.0,
        p95: None,
        memory: None,
    },
    Promise {
        system: "Probe",
        tool: "map_code",
        arguments: |_| json!({}),
        p50: 1000.0,
        p95: None,
        memory: None,
    },
    Promise {
        system: "Probe",
        tool: "find_callers",
        arguments: Sample::place,
        p50: 2000.0,
        p95: None,
        memory: None,
    },
    Promise {
        system: "Probe",
        tool: "find_callees",
        arguments: Sample::place,
        p50: 2000.0,
        p95: None,
        memory: None,
    },
    Promise {
        system: "Probe",
        tool: "find_implementations",
        arguments: Sample::place,
        p50: 2000.0,
        p95: None,
        memory: None,
    },
    Promise {
        system: "Probe",
        tool: "impact_analysis",
        arguments: Sample::place,
        p50: 5000.0,
        p95: None,
        memory: None,
    },
];

pub fn measure(bench: &Bench<'_>, table: &mut Table) -> Result<()> {
    say("asking what was promised");
    let home = bench.scratch.join("home-of-sessions");
    let serve = || -> Result<Server> {
        let mut server = bench.portolan.serve(&home, &bench.corpus.dir, "all")?;
        server.initialize()?;
        Ok(server)
    };
    let mut server = serve()?;
    let dirs: BTreeSet<&str> = bench
        .corpus
        .files
        .iter()
        .filter_map(|file| Some(file.split_once('/')?.0))
        .collect();
    server.call(
        "index_repository",
        &json!({ "path": bench.corpus.dir, "session": SESSION }),
    )?;
    let mut others = Vec::new();
    for (number, dir) in dirs.into_iter().take(N_SESSIONS - 1).enumerate() {
        let session = format!("part-{number}");
        let path = bench.corpus.dir.join(dir);
        server.call("index_repository", &json!({ "path": path, "session": session }))?;
        others.push(session);
    }
    if others.is_empty() {
        bail!("the corpus has no directories");
    }
    server.finish()?;
    // A new one, so that sessions are listed which are not open.
    let mut server = serve()?;
    let (about_sessions, about_code) = PROMISES.split_at(N_WITHOUT_INDEX);
    for promise in about_sessions {
        promise.measure(bench, &mut server, table)?;
    }
    if let Some(own) = own_memory(&server) {
        let row = Row::new("Shebe: memory of a server that has no index open", shown(own));
        table.push(row.must(Target::AtMost(50.0, " MB"), own));
    }
    for promise in about_code {
        promise.measure(bench, &mut server, table)?;
    }
    match own_memory(&server) {
        // How much an index takes is not promised.
        Some(own) => table.push(Row::new(
            "Shebe: the same with an index of all files, after these questions",
            shown(own),
        )),
        None => table.note("memory: not measured, because this system does not tell it"),
    }
    for promise in OTHERS {
        promise.measure(bench, &mut server, table)?;
    }
    similar(bench, &mut server, table)?;
    let mut times = Vec::new();
    for session in &others {
        times.push(
            server
                .call("delete_session", &json!({ "session": session, "confirm": true }))?
                .0,
        );
    }
    push(table, "Shebe: delete_session", &times, 100.0, None);
    server.finish()
}

impl Promise {
    fn measure(&self, bench: &Bench<'_>, server: &mut Server, table: &mut Table) -> Result<()> {
        let samples = bench.samples.iter().cycle().take(N_CALLS);
        let (mut times, mut grown) = (Vec::new(), Vec::new());
        let mut before = own_memory(server);
        for sample in samples {
            times.push(server.call(self.tool, &(self.arguments)(sample))?.0);
            let after = own_memory(server);
            grown.extend(before.zip(after).map(|(before, after)| (after - before).max(0.0)));
            before = after;
        }
        let what = format!("{}: {}", self.system, self.tool);
        push(table, &what, &times, self.p50, self.p95);
        if let Some(limit) = self.memory.filter(|_| !grown.is_empty()) {
            grown.sort_by(f64::total_cmp);
            let most = grown[(grown.len() - 1) * 95 / 100];
            let row = Row::new(format!("{what}, memory that a call adds, 95 of 100"), shown(most));
            table.push(row.must(Target::AtMost(limit, " MB"), most));
        }
        Ok(())
    }
}

/// A server's own memory in MB, where the system tells it: pages of the mapped index belong to the system's cache.
fn own_memory(server: &Server) -> Option<f64> {
    Some(status_bytes(server.pid(), "RssAnon")? as f64 / 1e6)
}

fn shown(mb: f64) -> String {
    format!("{mb:.1} MB")
}

fn push(table: &mut Table, what: &str, times: &[Duration], p50: f64, p95: Option<f64>) {
    let middle = median(times);
    table.push(Row::new(format!("{what}, median"), show_ms(middle)).must(Target::AtMost(p50, " ms"), ms(middle)));
    if let Some(limit) = p95 {
        let most = percentile(times, 0.95);
        table.push(Row::new(format!("{what}, 95 of 100"), show_ms(most)).must(Target::AtMost(limit, " ms"), ms(most)));
    }
}

/// Snippets of the corpus, which are not in the index as such.
fn similar(bench: &Bench<'_>, server: &mut Server, table: &mut Table) -> Result<()> {
    let mut sampler = Sampler::new(&bench.corpus, 9);
    let mut times = Vec::new();
    for _ in 0..N_CALLS {
        let path = bench.corpus.dir.join(sampler.file_that(|_| true));
        let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let snippet: Vec<&str> = text.lines().take(SNIPPET).collect();
        let snippet = snippet.join("\n");
        if snippet.trim().is_empty() {
            continue;
        }
        times.push(server.call("find_similar", &json!({ "code": snippet, "limit": 5 }))?.0);
    }
    push(table, "rust-code-mcp: find_similar", &times, 100.0, None);
    Ok(())
}
