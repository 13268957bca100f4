//! How well and how fast the imports of a directory are resolved: `cargo run --release -p graph --example imports --
//! DIR [--unknown | --perhaps]`, the last to list those.

use std::{collections::BTreeMap, path::Path, time::Instant};

use graph::{FileIdx, Files, Modules, Outline, Target, is_manifest, needs_outline};
use syntax::{ChunkOptions, FileFacts, LangId, detect, file_facts};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let root = args.first().expect("usage: imports DIR [--unknown | --perhaps]");
    let mut files = Vec::new();
    collect(Path::new(root), Path::new(root), &mut files);
    files.sort();
    let options = ChunkOptions { size: 512, overlap: 64 };
    let facts: Vec<(LangId, FileFacts)> = files
        .iter()
        .map(|(path, text)| {
            let lang = detect(path.rsplit('/').next().unwrap_or_default(), text.as_bytes());
            (lang.id, file_facts(lang, text, options))
        })
        .collect();
    let started = Instant::now();
    let outlines = files.iter().zip(&facts).map(|((path, _), (lang, facts))| {
        let outline = if needs_outline(*lang) {
            Outline::of(facts)
        } else {
            Outline::default()
        };
        (path.as_str(), *lang, outline)
    });
    let manifests = files.iter().filter(|(path, _)| is_manifest(path));
    let manifests: Vec<(&str, &str)> = manifests.map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let modules = Modules::new(Files::new(outlines), &manifests);
    let made = started.elapsed();
    let started = Instant::now();
    let mut counts: BTreeMap<LangId, [usize; 4]> = BTreeMap::new();
    for (at, ((path, _), (lang, facts))) in files.iter().zip(&facts).enumerate() {
        for import in facts.imported() {
            let target = modules.resolve(FileIdx(at as u32), facts, import);
            let (column, flag) = match &target {
                Target::Local(_) => (0, ""),
                Target::Candidates(_) => (1, "--perhaps"),
                Target::External(_) => (2, ""),
                Target::Unknown => (3, "--unknown"),
            };
            counts.entry(*lang).or_default()[column] += 1;
            if args.iter().skip(1).any(|arg| arg == flag) {
                let name = |id| facts.names.get(id);
                let item = import.item.map_or(String::new(), |item| format!(" > {}", name(item)));
                let line = facts.lines.line(import.at);
                println!("{path}:{line}: {}{item} {target:?}", name(import.path));
            }
        }
    }
    let resolved = started.elapsed();
    println!(
        "{:12} {:>8} {:>8} {:>8} {:>8}",
        "", "local", "perhaps", "external", "unknown"
    );
    for (lang, [local, perhaps, external, unknown]) in counts {
        println!("{:12} {local:8} {perhaps:8} {external:8} {unknown:8}", lang.name());
    }
    println!("{} files: tables {made:?}, resolving {resolved:?}", files.len());
}

fn collect(root: &Path, dir: &Path, files: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        let Ok(kind) = entry.file_type() else { continue };
        if kind.is_dir() && name != ".git" && name != "node_modules" && name != "target" {
            collect(root, &path, files);
        } else if kind.is_file()
            && let Ok(text) = std::fs::read_to_string(&path)
            && let Some(path) = path.strip_prefix(root).ok().and_then(Path::to_str)
        {
            files.push((path.to_owned(), text));
        }
    }
}
