//! One huge repository: is memory bounded, is progress told, are calls answered while it is indexed, and is the whole of
//! it there afterwards?

use std::{
    fs::{self, File},
    io::{BufWriter, Write},
    path::Path,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use super::{MemoryWatch, mb, show_times};
use measure::{Portolan, Server, show_ms, status_bytes};

const PER_DIRECTORY: usize = 1000;
const BIG_FILE: &str = "big.c";
/// How long a call may wait for the index before it answers from what there is.
const FIRST_ANSWER: &str = "[limits]\nfirst_answer_secs = 1\n";
const PROBES: &[&str] = &["health_check", "index_status", "find_symbol", "search_code"];

pub fn run(portolan: &Portolan, scratch: &Path, n_files: usize, big_bytes: u64) -> Result<()> {
    portolan.configure(FIRST_ANSWER)?;
    let (root, home) = (scratch.join("tree"), scratch.join("home"));
    let started = Instant::now();
    let n_bytes = generate(&root, n_files, big_bytes)?;
    println!(
        "{n_files} files of {} and one of {}, written in {:.0} s",
        mb(n_bytes),
        mb(big_bytes),
        started.elapsed().as_secs_f64()
    );
    index(portolan, &root, &home, n_files, big_bytes)?;
    restart(portolan, &root, &home, n_files)
}

/// The first index, asked about while it is made.
fn index(portolan: &Portolan, root: &Path, home: &Path, n_files: usize, big_bytes: u64) -> Result<()> {
    let mut server = portolan.serve(home, root, "all")?;
    server.initialize()?;
    let memory = MemoryWatch::of(server.pid());
    let started = Instant::now();
    server.call("index_repository", &json!({ "path": root, "background": true }))?;
    let mut times = vec![Vec::new(); PROBES.len()];
    let mut told = Vec::new();
    let mut last_line = Instant::now();
    for turn in 0.. {
        let which = turn % PROBES.len();
        let (elapsed, answer) = server.call(PROBES[which], &probe(PROBES[which], 7))?;
        times[which].push(elapsed);
        if PROBES[which] == "index_status" {
            if answer["state"] == "ready" {
                break;
            }
            told.extend(answer["done"].as_u64());
        }
        if last_line.elapsed() > Duration::from_secs(10) {
            last_line = Instant::now();
            eprintln!(
                "load: {:.0} s, {} files, {} resident, {} anonymous",
                started.elapsed().as_secs_f64(),
                told.last().copied().unwrap_or(0),
                mb(status_bytes(server.pid(), "VmRSS").unwrap_or(0)),
                mb(status_bytes(server.pid(), "RssAnon").unwrap_or(0)),
            );
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    let took = started.elapsed().as_secs_f64();
    println!("indexed in {took:.0} s, {:.0} files a second", n_files as f64 / took);
    println!(
        "memory: at most {} resident, {} anonymous; {} anonymous afterwards",
        mb(status_bytes(server.pid(), "VmHWM").unwrap_or(0)),
        mb(memory.peak()),
        mb(status_bytes(server.pid(), "RssAnon").unwrap_or(0))
    );
    for (probe, times) in PROBES.iter().zip(&times) {
        show_times(&format!("{probe} meanwhile"), times);
    }
    told.dedup();
    if (took > 20.0 && told.len() < 3) || !told.is_sorted() {
        bail!("progress is not told: {told:?}");
    }
    check_whole(&mut server, n_files, big_bytes)?;
    let mut afterwards = vec![Vec::new(); PROBES.len()];
    for turn in 0..10 * PROBES.len() {
        let which = turn % PROBES.len();
        let arguments = probe(PROBES[which], turn * n_files / (10 * PROBES.len()));
        afterwards[which].push(server.call(PROBES[which], &arguments)?.0);
    }
    for (probe, times) in PROBES.iter().zip(&afterwards) {
        show_times(&format!("{probe} afterwards"), times);
    }
    one_change(&mut server, root)
}

/// What is asked about the file of that number.
fn probe(tool: &str, number: usize) -> Value {
    match tool {
        "find_symbol" => json!({ "name": symbol(number) }),
        "search_code" => json!({ "query": symbol(number) }),
        _ => json!({}),
    }
}

/// Every file is there, and the one that is too large is told with its reason.
fn check_whole(server: &mut Server, n_files: usize, big_bytes: u64) -> Result<()> {
    let (_, status) = server.call("index_status", &json!({}))?;
    let skipped = status["skipped"].as_array().context("no list of skipped files")?;
    let expected = usize::from(big_bytes > 0);
    if status["files"] != n_files || skipped.len() != expected {
        bail!(
            "{} files are indexed and {skipped:?} skipped, of {n_files}",
            status["files"]
        );
    }
    for row in skipped {
        println!("skipped: {}: {}", row["path"], row["reason"]);
        if row["path"] != BIG_FILE {
            bail!("{row} is skipped");
        }
    }
    println!(
        "the index takes {}; {}",
        mb(status["index_bytes"].as_u64().unwrap_or(0)),
        status["freshness"]
    );
    for number in [0, n_files / 2, n_files - 1] {
        let (_, found) = server.call("find_symbol", &json!({ "name": symbol(number) }))?;
        if found["definitions"][0]["path"] != path(number) {
            bail!("{} is not found: {found}", symbol(number));
        }
        let query = json!({ "query": format!("fn {}()", symbol(number)), "literal": true });
        let (_, found) = server.call("search_code", &query)?;
        if found["total"] != 1 {
            bail!("{query} is not found once: {found}");
        }
    }
    Ok(())
}

fn one_change(server: &mut Server, root: &Path) -> Result<()> {
    // One in Rust.
    let changed = path(3);
    fs::write(root.join(&changed), "pub fn changed_once() {}\n")?;
    let written = Instant::now();
    // An answer that came too soon says so.
    loop {
        let (_, found) = server.call("find_symbol", &json!({ "name": "changed_once" }))?;
        if found["definitions"][0]["path"] == changed.as_str() {
            break;
        }
        if found["coverage"]["complete"] == true {
            bail!("a change is not found: {found}");
        }
    }
    let took = written.elapsed();
    println!("one file changed until found: {}", show_ms(took));
    Ok(())
}

/// Another process, which has to see that nothing has changed.
fn restart(portolan: &Portolan, root: &Path, home: &Path, n_files: usize) -> Result<()> {
    let mut server = portolan.serve(home, root, "all")?;
    let started = Instant::now();
    server.initialize()?;
    println!("restarted: first answer after {}", show_ms(started.elapsed()));
    let memory = MemoryWatch::of(server.pid());
    let mut first = None;
    loop {
        let (took, found) = server.call("find_symbol", &json!({ "name": symbol(n_files / 3) }))?;
        first.get_or_insert(took);
        if found["definitions"][0]["path"] != path(n_files / 3) {
            bail!("after a restart: {found}");
        }
        if found["coverage"]["complete"] == true {
            break;
        }
    }
    println!(
        "restarted: first symbol after {}, known to be current after {}, {} anonymous",
        show_ms(first.unwrap_or_default()),
        show_ms(started.elapsed()),
        mb(memory.peak())
    );
    Ok(())
}

/// No name is a part of another.
fn symbol(number: usize) -> String {
    format!("loaded_{number:07}")
}

fn path(number: usize) -> String {
    let ending = ["rs", "py", "go"][number % 3];
    format!("d{:04}/f{number:07}.{ending}", number / PER_DIRECTORY)
}

fn text(number: usize) -> String {
    let (own, other) = (symbol(number), symbol(number / 2));
    match path(number).rsplit('.').next() {
        Some("py") => {
            format!("class Holder{number}:\n    pass\n\ndef {own}():\n    # fn {own}()\n    return {other}()\n")
        }
        Some("go") => format!("package d\n\n// fn {own}()\nfunc {own}() int {{\n\treturn {other}()\n}}\n"),
        _ => format!("pub struct Holder{number};\n\npub fn {own}() -> u32 {{\n    {other}() + {number}\n}}\n"),
    }
}

fn generate(root: &Path, n_files: usize, big_bytes: u64) -> Result<u64> {
    let mut n_bytes = 0;
    for number in 0..n_files {
        let path = root.join(path(number));
        if number % PER_DIRECTORY == 0 {
            fs::create_dir_all(path.parent().context("a file is in a directory")?)?;
        }
        let text = text(number);
        n_bytes += text.len() as u64;
        fs::write(path, text)?;
    }
    if big_bytes > 0 {
        let mut big = BufWriter::with_capacity(1 << 20, File::create(root.join(BIG_FILE))?);
        let mut written = 0;
        for number in 0.. {
            let line = format!("static const char *line_{number} = \"{:040}\";\n", number);
            big.write_all(line.as_bytes())?;
            written += line.len() as u64;
            if written >= big_bytes {
                break;
            }
        }
        big.flush()?;
    }
    Ok(n_bytes)
}
