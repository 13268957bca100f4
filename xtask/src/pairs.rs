//! `cargo xtask pairs DIR...`: what the embedding model learns from. One line of JSON per definition and per file, with the
//! documentation taken out of the code, so that one can be searched for with the other.

use std::{
    fs,
    io::Write as _,
    ops::Range,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use serde_json::json;
use syntax::{Chunk, ChunkOptions, FileFacts, Symbol, SymbolKind};

/// As the product cuts files.
const CHUNKS: ChunkOptions = ChunkOptions {
    size: 1500,
    overlap: 150,
};
/// More of a definition says nothing new to the model.
const MAX_BODY: usize = 4096;
const MAX_DOC: usize = 1500;
/// Larger ones are generated, or data.
const MAX_FILE: u64 = 200_000;

/// So many chunks of a file are enough to learn from.
const N_CHUNKS: usize = 12;

/// Every directory is a package, named by its last two components. With `--whole` before them, files are printed with all
/// their chunks, to be searched.
pub fn run(args: &[PathBuf]) -> Result<()> {
    let (n_chunks, dirs) = match args.split_first() {
        Some((first, rest)) if first.as_os_str() == "--whole" => (usize::MAX, rest),
        _ => (N_CHUNKS, args),
    };
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for dir in dirs {
        let package = package_name(dir);
        for path in files(dir)? {
            let below = path.strip_prefix(dir).unwrap_or(&path).to_string_lossy().into_owned();
            if let Err(error) = file(&package, &path, &below, n_chunks, &mut out) {
                eprintln!("{}: {error:#}", path.display());
            }
        }
    }
    out.flush()?;
    Ok(())
}

fn package_name(dir: &Path) -> String {
    let mut parts: Vec<_> = dir.components().rev().take(2).collect();
    parts.reverse();
    let parts: Vec<_> = parts.iter().map(|part| part.as_os_str().to_string_lossy()).collect();
    parts.join("/")
}

fn files(dir: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut dirs = vec![dir.to_owned()];
    while let Some(dir) = dirs.pop() {
        for entry in fs::read_dir(&dir).with_context(|| format!("cannot list {}", dir.display()))? {
            let entry = entry?;
            let kind = entry.file_type()?;
            if kind.is_dir() {
                dirs.push(entry.path());
            } else if kind.is_file() && entry.metadata()?.len() <= MAX_FILE {
                files.push(entry.path());
            }
        }
    }
    files.sort();
    Ok(files)
}

fn file(package: &str, path: &Path, below: &str, n_chunks: usize, out: &mut impl std::io::Write) -> Result<()> {
    let bytes = fs::read(path)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let lang = syntax::detect(&name, &bytes);
    let Some(decoded) = source::decode(&bytes) else {
        return Ok(());
    };
    let text = &*decoded.text;
    if n_chunks == N_CHUNKS && matches!(lang.name, "markdown" | "restructuredtext") {
        let text = cut(text, 20_000);
        let line = json!({"genre": "readme", "package": package, "lang": lang.name, "path": below, "text": text});
        writeln!(out, "{line}")?;
        return Ok(());
    }
    let is_wanted = n_chunks > N_CHUNKS || (lang.has_symbols() && !is_generated(text));
    if !is_wanted {
        return Ok(());
    }
    let facts = syntax::file_facts(lang, text, CHUNKS);
    let line = json!({
        "genre": "file", "package": package, "lang": lang.name, "path": below,
        "doc": module_doc(&facts, text),
        "names": facts.symbols.iter().filter(|symbol| is_told(symbol)).take(120)
            .map(|symbol| facts.name(symbol)).collect::<Vec<_>>(),
        "chunks": facts.chunks.iter().take(n_chunks).map(|chunk| json!({
            "head": head(&facts, chunk, text), "text": text.get(chunk.range()),
        })).collect::<Vec<_>>(),
    });
    writeln!(out, "{line}")?;
    for symbol in facts.symbols.iter().filter(|symbol| is_told(symbol)) {
        let body = body(&facts, symbol, text);
        if body.len() < 24 {
            continue;
        }
        let doc = facts.doc(symbol, text);
        let line = json!({
            "genre": "symbol", "package": package, "lang": lang.name, "path": below,
            "name": facts.name(symbol), "within": facts.path_of(symbol), "kind": symbol.kind.as_str(),
            "test": symbol.is_test,
            "signature": cut(&facts.signature(symbol, text), 400),
            "body": cut(&body, MAX_BODY),
            "doc": doc.as_deref().map(|doc| cut(doc, MAX_DOC)),
        });
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// The signatures of what begins in a chunk.
fn head(facts: &FileFacts, chunk: &Chunk, text: &str) -> String {
    let begin = facts
        .symbols
        .iter()
        .filter(|symbol| is_told(symbol) && chunk.range().contains(&(symbol.name_at as usize)));
    let signatures = begin.map(|symbol| facts.signature(symbol, text));
    cut(&signatures.collect::<Vec<_>>().join(" "), MAX_DOC).to_owned()
}

/// What a person would ask for: things that run, and types.
fn is_told(symbol: &Symbol) -> bool {
    symbol.kind.is_function() || (symbol.kind.is_type() && symbol.kind != SymbolKind::Object) || symbol.runs()
}

fn is_generated(text: &str) -> bool {
    let head = cut(text, 400).to_ascii_lowercase();
    let is_long = text.lines().take(40).any(|line| line.len() > 1000);
    is_long || head.contains("generated by") || head.contains("do not edit") || head.contains("@generated")
}

/// The definition without its documentation and without that of what is inside.
fn body(facts: &FileFacts, symbol: &Symbol, text: &str) -> String {
    let whole = symbol.span.range();
    let inside = |span: &Range<usize>| span.start >= whole.start && span.end <= whole.end;
    let mut docs: Vec<Range<usize>> = facts
        .symbols
        .iter()
        .filter_map(|other| Some(other.doc?.range()))
        .collect();
    docs.retain(inside);
    docs.sort_by_key(|span| span.start);
    let (mut body, mut at) = (String::new(), whole.start);
    for doc in docs {
        body.push_str(text.get(at..doc.start).unwrap_or_default());
        at = at.max(doc.end);
    }
    body.push_str(text.get(at..whole.end).unwrap_or_default());
    body
}

/// The comment that a file begins with, if it belongs to nothing else and is no licence.
fn module_doc(facts: &FileFacts, text: &str) -> Option<String> {
    let first = facts
        .symbols
        .iter()
        .map(|symbol| symbol.lead)
        .min()
        .unwrap_or(text.len() as u32);
    let head = cut(text.get(..first as usize)?, 6000);
    let mut blocks: Vec<String> = vec![String::new()];
    let mut is_open = false;
    for line in head.lines() {
        let line = line.trim();
        let quotes = line.matches("\"\"\"").count() + line.matches("'''").count();
        let is_comment =
            is_open || quotes > 0 || line.starts_with(['/', '*', '#', ';', '%', '{']) || line.starts_with("--");
        if quotes % 2 == 1 {
            is_open = !is_open;
        }
        let is_directive = line.starts_with("#!") && !line.starts_with("#![")
            || line.starts_with("#include")
            || line.starts_with("#[")
            || line.starts_with("#![")
            || line.starts_with("#if")
            || line.starts_with("#define")
            || line.starts_with("{-#")
            || line.contains("-*-");
        let words = line.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '.' | '(' | ')'));
        if is_comment && !is_directive && !words.is_empty() {
            let block = blocks.last_mut()?;
            block.push_str(words);
            block.push('\n');
        } else if !blocks.last()?.is_empty() {
            blocks.push(String::new());
        }
    }
    let licences = [
        "licen",
        "copyright",
        "(c)",
        "warranty",
        "all rights",
        "spdx",
        "permission",
        "author",
    ];
    let is_licence = |block: &String| {
        let block = block.to_lowercase();
        licences.iter().any(|word| block.contains(word))
    };
    let block = blocks
        .into_iter()
        .find(|block| block.len() > 24 && !is_licence(block))?;
    Some(cut(&block, MAX_DOC).to_owned())
}

fn cut(text: &str, limit: usize) -> &str {
    &text[..text.floor_char_boundary(limit)]
}
