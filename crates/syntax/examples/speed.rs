//! Facts next to the bare parse of the same files, one thread: `cargo run --release -p syntax --example speed -- DIR`.

use std::{collections::BTreeMap, path::Path, time::Instant};

use syntax::{ChunkOptions, Lang, bare_parse, detect, file_facts};

fn main() {
    let dir = std::env::args().nth(1).expect("usage: speed DIR");
    let mut files = Vec::new();
    collect(Path::new(&dir), &mut files);
    let mut times: BTreeMap<&str, [f64; 4]> = BTreeMap::new();
    let options = ChunkOptions { size: 512, overlap: 64 };
    for round in 0..2 {
        for (lang, text) in &files {
            let row = times.entry(lang.name).or_default();
            let started = Instant::now();
            bare_parse(lang, text);
            let parsed = started.elapsed().as_secs_f64();
            let started = Instant::now();
            let facts = file_facts(lang, text, options);
            let whole = started.elapsed().as_secs_f64();
            if round == 1 {
                row[0] += text.len() as f64;
                row[1] += parsed;
                row[2] += whole;
                row[3] += facts.to_bytes().len() as f64;
            }
        }
    }
    println!(
        "{:12} {:>8} {:>8} {:>8} {:>6} {:>6}",
        "", "MB", "parse s", "facts s", "ratio", "bytes"
    );
    let mut all = [0.0; 4];
    for (name, row) in times.iter().chain([(&"all", &[0.0; 4])]) {
        let row = if *name == "all" { all } else { *row };
        (0..4).for_each(|at| all[at] += row[at]);
        println!(
            "{name:12} {:8.2} {:8.3} {:8.3} {:6.2} {:6.2}",
            row[0] / 1e6,
            row[1],
            row[2],
            row[2] / row[1],
            row[3] / row[0]
        );
    }
}

fn collect(dir: &Path, files: &mut Vec<(&'static Lang, String)>) {
    let mut entries: Vec<_> = std::fs::read_dir(dir)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            collect(&path, files);
        } else if let Ok(text) = std::fs::read_to_string(&path) {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let lang = detect(name, text.as_bytes());
            if lang.has_symbols() && text.len() < 1 << 20 {
                files.push((lang, text));
            }
        }
    }
}
