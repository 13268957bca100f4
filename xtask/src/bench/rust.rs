//! `cargo xtask bench rust`: what exact answers about Rust cost, workspace by workspace: loading, memory, warm answers.

use std::{
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};
use measure::{Portolan, Server, percentile, show_ms, status_bytes};
use serde_json::{Value, json};

use super::{built_with, say};

pub struct Options {
    pub workspaces: Vec<PathBuf>,
    /// Functions that are asked about.
    pub count: usize,
    pub binary: Option<PathBuf>,
}

/// However long it takes.
const SETTINGS: &str = "[rust]\nwait_ms = 1800000\nidle_secs = 36000\n[limits]\nrequest_timeout_secs = 3600\n";

const TOOLS: &[&str] = &["find_definition", "find_references", "find_callers", "find_callees"];

pub fn run(options: &Options) -> Result<()> {
    let state = tempfile::Builder::new().prefix("portolan-bench-").tempdir()?;
    let scratch = state.path().canonicalize()?;
    let portolan = Portolan::new(&built_with(options.binary.as_deref(), &["rust-analyzer"])?, &scratch)?;
    portolan.configure(SETTINGS)?;
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    println!("{threads} threads, load {} before\n", load());
    println!(
        "| workspace | lines of Rust | library files | first exact answer | of it CPU | memory before | after it | after all | answers | median | 95 of 100 |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|");
    for (number, root) in options.workspaces.iter().enumerate() {
        let root = root.canonicalize().with_context(|| root.display().to_string())?;
        println!(
            "{}",
            measured(&portolan, &scratch.join(number.to_string()), &root, options.count)?
        );
    }
    println!("\nload {} after", load());
    Ok(())
}

/// The row of one workspace.
fn measured(portolan: &Portolan, home: &Path, root: &Path, count: usize) -> Result<String> {
    let name = root.file_name().unwrap_or_default().to_string_lossy().into_owned();
    say(&format!("{name}: indexing"));
    let mut server = portolan.serve(home, root, "all")?;
    server.initialize()?;
    while server.call("list_files", &json!({ "limit": 1 }))?.1["coverage"]["complete"] != true {
        std::thread::sleep(Duration::from_millis(200));
    }
    let functions = functions(&mut server, root, count)?;
    let before = memory(&server);
    say(&format!("{name}: the first answer"));
    let started = (Instant::now(), cpu(server.pid()));
    // One that nobody uses needs no analysis.
    let mut first = 0;
    loop {
        let Some(function) = functions.get(first) else {
            bail!("{name}: no answer is exact");
        };
        let (_, answer) = server.call("find_references", function)?;
        let mut engines = answer["coverage"]["engines"].as_array().into_iter().flatten();
        first += 1;
        if engines.any(|engine| engine == "rust-analyzer") {
            break;
        }
    }
    let (elapsed, used) = (started.0.elapsed(), cpu(server.pid()) - started.1);
    let loaded = memory(&server);
    say(&format!("{name}: {} more", (functions.len() - first) * TOOLS.len()));
    let mut times = Vec::new();
    for function in &functions[first..] {
        for tool in TOOLS {
            times.push(server.call(tool, function)?.0);
        }
    }
    times.sort();
    let (_, status) = server.call("index_status", &json!({}))?;
    let after = memory(&server);
    let gigabytes = |bytes: Option<u64>| bytes.map_or("?".to_owned(), |bytes| format!("{:.2} GB", bytes as f64 / 1e9));
    Ok(format!(
        "| {name} | {} | {} | {:.1} s | {:.1} s | {} | {} | {} | {} | {} | {} |",
        lines(root),
        status["exact"]["library_files"],
        elapsed.as_secs_f64(),
        used.as_secs_f64(),
        gigabytes(before),
        gigabytes(loaded),
        gigabytes(after),
        times.len(),
        show_ms(percentile(&times, 0.5)),
        show_ms(percentile(&times, 0.95)),
    ))
}

/// Functions of the workspace by their places, spread over its files in an order that says nothing.
fn functions(server: &mut Server, root: &Path, count: usize) -> Result<Vec<Value>> {
    let mut all = Vec::new();
    for path in rust_files(root) {
        let Ok(text) = fs::read_to_string(root.join(&path)) else {
            continue;
        };
        let options = syntax::ChunkOptions { size: 512, overlap: 64 };
        let facts = syntax::file_facts(syntax::detect("a.rs", b""), &text, options);
        for symbol in facts.symbols.iter().filter(|symbol| symbol.kind.is_function()) {
            let line = facts.lines.line(symbol.name_at);
            let name = facts.name(symbol).to_owned();
            let order = blake3::hash(format!("{path}\0{name}\0{line}").as_bytes());
            let place = json!({ "file": path, "line": line, "symbol": name });
            all.push((*order.as_bytes(), place));
        }
    }
    all.sort_by_key(|(order, _)| *order);
    let mut chosen: Vec<Value> = all.into_iter().map(|(_, place)| place).collect();
    // What the index leaves out cannot be asked about.
    chosen.retain({
        let mut wanted = count + 1;
        move |place| {
            let is_there = wanted > 0
                && server
                    .call("get_symbols", &json!({ "file": place["file"], "max_tokens": 500 }))
                    .is_ok();
            wanted -= usize::from(is_there);
            is_there
        }
    });
    if chosen.len() < 2 {
        bail!("{} has too few functions", root.display());
    }
    Ok(chosen)
}

fn rust_files(root: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![root.to_owned()];
    while let Some(dir) = open.pop() {
        for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() && name != "target" && !name.to_string_lossy().starts_with('.') {
                open.push(path);
            } else if kind.is_file() && path.extension().is_some_and(|extension| extension == "rs") {
                let relative = path.strip_prefix(root).unwrap_or(&path);
                found.push(relative.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    found.sort();
    found
}

fn lines(root: &Path) -> usize {
    let texts = rust_files(root)
        .into_iter()
        .filter_map(|path| fs::read(root.join(path)).ok());
    texts
        .map(|bytes| bytes.iter().filter(|byte| **byte == b'\n').count())
        .sum()
}

fn memory(server: &Server) -> Option<u64> {
    status_bytes(server.pid(), "VmRSS")
}

/// What a process has used of the processors.
fn cpu(pid: u32) -> Duration {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default();
    let mut ticks = fields.split_whitespace().skip(11);
    let mut next = || ticks.next().and_then(|ticks| ticks.parse::<u64>().ok()).unwrap_or(0);
    // A hundred a second wherever this file is.
    Duration::from_millis((next() + next()) * 10)
}

/// How many others want the processors.
fn load() -> String {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ')
        .next()
        .filter(|load| !load.is_empty())
        .unwrap_or("?")
        .to_owned()
}
