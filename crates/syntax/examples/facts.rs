//! Shows what Portolan understands of a file: `cargo run -p syntax --example facts -- FILE [--tree | --chunks]`.
//! With `--tree` the syntax tree that queries are written against.

use std::process::ExitCode;

use syntax::{ChunkOptions, describe, describe_tree, detect, file_facts};

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let Some(path) = args.first() else {
        eprintln!("usage: facts FILE [--tree | --chunks]");
        return ExitCode::FAILURE;
    };
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) => {
            eprintln!("{path}: {error}");
            return ExitCode::FAILURE;
        }
    };
    let text = String::from_utf8_lossy(&bytes);
    let lang = detect(path.rsplit('/').next().unwrap_or(path), &bytes);
    let options = ChunkOptions { size: 512, overlap: 64 };
    match args.get(1).map(String::as_str) {
        Some("--tree") => match describe_tree(lang, &text) {
            Some(tree) => print!("{tree}"),
            None => println!("{} has no grammar", lang.name),
        },
        Some("--chunks") => {
            for chunk in file_facts(lang, &text, options).chunks {
                println!("==== {}-{}", chunk.first_line, chunk.last_line);
                print!("{}", &text[chunk.range()]);
            }
        }
        _ => print!("{}", describe(&file_facts(lang, &text, options), &text)),
    }
    ExitCode::SUCCESS
}
