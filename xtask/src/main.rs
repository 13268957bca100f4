//! Developer tasks: `cargo xtask docs` writes the generated documents, `cargo xtask bench` measures the product.

mod bench;
mod docs;

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::{Result, bail};

const USAGE: &str = "\
usage: cargo xtask docs [--check]
       cargo xtask bench [--corpus DIR] [--files N] [--quick] [--binary PATH]

docs   writes docs/tools.md from the tool definitions; --check only says whether it is up to date
bench  measures the release binary next to git and rg and prints a Markdown table; fails if a target is missed
       --corpus DIR   take the files from here, by default from the sources of our dependencies
       --files N      how many files, by default 5000
       --quick        index once, and do not ask whether indexing is linear
       --binary PATH  measure this binary instead of building one";

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    let mut args = std::env::args().skip(1);
    match args.next().as_deref() {
        Some("docs") => match args.next().as_deref() {
            None => docs::write(),
            Some("--check") => docs::check(),
            Some(other) => bail!("docs does not take `{other}`\n{USAGE}"),
        },
        Some("bench") => bench::run(&bench_options(args)?),
        Some("--help" | "-h") | None => {
            println!("{USAGE}");
            Ok(())
        }
        Some(other) => bail!("there is no task `{other}`\n{USAGE}"),
    }
}

fn bench_options(mut args: impl Iterator<Item = String>) -> Result<bench::Options> {
    let mut options = bench::Options::default();
    while let Some(flag) = args.next() {
        let mut value = || {
            args.next()
                .ok_or_else(|| anyhow::anyhow!("{flag} needs a value\n{USAGE}"))
        };
        match flag.as_str() {
            "--corpus" => options.corpus = Some(PathBuf::from(value()?)),
            "--binary" => options.binary = Some(PathBuf::from(value()?)),
            "--files" => options.n_files = value()?.parse()?,
            "--quick" => options.quick = true,
            other => bail!("bench does not take `{other}`\n{USAGE}"),
        }
    }
    if options.n_files < 100 {
        bail!("--files {}: fewer than 100 files say nothing", options.n_files);
    }
    Ok(options)
}

/// The directory of the workspace, wherever the task is started from.
fn workspace_root() -> &'static Path {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own)
}
