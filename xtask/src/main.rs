//! Developer tasks: `cargo xtask docs` writes the generated documents, `cargo xtask bench` measures the product,
//! `cargo xtask eval` compares its answers with the truth, `cargo xtask ctags` and `cargo xtask lizard` ask other tools what
//! they see in the same files, `cargo xtask load` asks for too much, `cargo xtask pairs` prints what the embedding model learns from, `cargo xtask dist` makes
//! packages.

mod bench;
mod ctags;
mod dist;
mod docs;
mod eval;
mod lizard;
mod load;
mod pairs;
mod parsed;

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::{Result, bail};

const USAGE: &str = "\
usage: cargo xtask docs [--check]
       cargo xtask bench [--only SECTION]... [--corpus DIR] [--files N] [--quick] [--search QUERIES [--corpora DIR]]
                         [--refs TRUTH] [--large DIR] [--repository DIR]... [--out FILE] [--binary PATH]
       cargo xtask bench rust DIR... [--count N] [--binary PATH]
       cargo xtask eval refs TRUTH [--by-name] [--misses N] [--layer] [--binary PATH]
       cargo xtask eval search QUERIES [--mode MODE] [--only REPO]... [--misses N] [--golden FILE [--update]] [--tune]
                               [--results FILE] [--depth N] [--corpora DIR] [--binary PATH]
       cargo xtask eval locate TASKS [--tokens N] [--results FILE] [--against FILE] [--binary PATH] [--tune]
       cargo xtask eval rename DIR... [--locals] [--count N] [--show] [--binary PATH]
       cargo xtask eval passages DIR... [--count N] [--show] [--binary PATH]
       cargo xtask ctags DIR [--lang NAME] [--show N]
       cargo xtask lizard DIR [--lang NAME] [--show N] [--cognitive]
       cargo xtask load [--files N] [--big-file MB] [--dir DIR] [--binary PATH]
       cargo xtask load --commits N REPOSITORY [--dir DIR] [--binary PATH]
       cargo xtask load --requests N [--clients N] REPOSITORY [--dir DIR] [--binary PATH]
       cargo xtask pairs [--whole] DIR...
       cargo xtask dist [--binary PATH] [--target TRIPLE] [--out DIR]

docs   writes docs/tools.md and docs/languages.md from the code; --check only says whether it is up to date
bench  measures the release binary next to bare parsing, git and rg, writes docs/benchmarks.md and the figures of the
       README, and prints the page; fails if a target is missed. What is not measured stays on the page and is marked
       --only SECTION   indexing, first, freshness, answers, server, promised, growth, repositories, tokens, relevance or
                        graph; by default all that can be
       --corpus DIR     take the files from here, by default from the sources of our dependencies
       --files N        how many files, by default 5000; growth is measured with a tenth, three tenths and all of them
       --quick          index once
       --search QUERIES ask the queries of `eval search` again, with their repositories in --corpora DIR
       --refs TRUTH     measure the graph with the truth set of `eval refs`
       --large DIR      ask a repository that was never indexed about itself where it lies, as well
       --repository DIR measure a copy of this repository with all its files; can be given several times
       --out FILE       write the page there, and leave the README alone
       --binary PATH    measure this binary instead of building one
bench rust
       loads each Rust workspace DIR for exact answers and prints how long that takes, what memory it needs, and how long
       further answers about random functions take
       --count N      how many functions of each, by default 60
eval refs
       asks the release binary for definitions, references, callers and implementations of symbols whose answers are
       known, and prints precision, recall, F1, and how far confidence can be trusted; fails if a target is missed
       TRUTH          the directory of the truth set: queries.jsonl, manifest.json, score.py (needs python3), and its
                      sources as corpora.tar.xz; without that they are fetched by name and version (cargo, pip, npm, apt)
       --by-name      ask by qualified name, by default by the place of the definition; of an answer in groups that
                      of the definition in question counts. Callers by dispatch alone are never counted
       --misses N     list the N worst answers
       --layer        ask about Rust only, with and without its exact analysis, and list where the two differ
eval search
       asks the release binary for the code that sentences and names are about, and prints NDCG@10 by repository, language
       and category, and how long answers take; fails if a target is missed. The repositories are fetched by name and
       version (cargo, pip, npm, apt) and checked; queries whose files are not to be had are left out and counted
       QUERIES        queries.json, or the directory it is in
       --mode MODE    the mode of search_code, by default its own
       --only REPO    queries about this repository only; can be given several times
       --misses N     list the N worst answers
       --golden FILE  compare the rank of each target with that file and fail where one differs; --update writes it
       --tune         find the weights of the ranking, and what they are worth on repositories they were not fitted to
       --results FILE write what was found as score.py reads it, and the queries that were asked beside it
       --depth N      ask for N results, by default 10; only ten count
       --corpora DIR  keep the repositories here, by default in target/search-corpora
eval locate
       asks the release binary where requests of real commits must be implemented, and prints how often a changed file comes
       first or among five, how many of the changed lines are in the answer, and how much of the answer was changed; fails
       if a target is missed
       TASKS          the directory of the tasks: tasks.jsonl, and the sources as trees or trees.tar.xz
       --tokens N     the budget of an answer, by default 2000
       --results FILE write the scores of each request
       --against FILE compare with such a file: the differences, and how far chance could have made them
       --tune         find the weights of places from the open half, and what they are worth on repositories that they were
                      not fitted to
eval rename
       renames symbols of copies of the repositories DIR and renames them back; fails if a byte differs afterwards, or if
       a site that was known leads nowhere in between
       --locals       parameters and local variables, by default definitions
       --count N      how many symbols of each, by default 40
       --show         list what was refused, and why
eval passages
       takes the documentation out of copies of the repositories DIR and asks for functions by its sentences: whether their
       file is found, and whether their lines are shown
       --count N      how many sentences of each, by default 60
       --show         list those for which other lines are shown
ctags  compares our definitions with those of Universal Ctags, for every file below DIR: which of theirs we have too
       (same file, same name, a line apart at most), which we call something else, and which only one side has;
       tags known to be mistakes of ctags are set aside and counted
       --lang NAME    files of this language only
       --show N       list the first N disagreements of each kind, by default 10
lizard compares the complexity of functions with what lizard (pip install lizard) says of the files below DIR
       --lang NAME    files of this language only
       --show N       list the N greatest differences of each language, by default 10
       --cognitive    compare cognitive complexity, by default cyclomatic
load   indexes a repository of N generated files (by default 100000) and one of MB megabytes (by default 2000), asks about
       it meanwhile and afterwards, and prints times and memory; fails if a file is missing, or told wrongly
       --commits N    instead: changes some files of a copy of REPOSITORY N times, each time a commit, and compares the size
                      of the index with a fresh one; fails if it is more than 1.3 times as large
       --requests N   instead: so many requests of all kinds by --clients N (by default 8), each with a server of its
                      own, about a copy of REPOSITORY whose files change meanwhile; fails if an answer is wrong
       --dir DIR      write below DIR, by default where temporary files are
pairs  prints the definitions and files of each package DIR as lines of JSON, documentation apart from code: what
       model/pairs.py makes training data of
       --whole        all chunks of every file, by default some, and none of what is generated
dist   makes the packages of one platform from the release binary: an archive with manual and completions, npm packages, a
       wheel, an MCP bundle; scripts/check-dist installs them
       --target TRIPLE  what the binary was built for, by default this machine
       --out DIR        by default target/dist";

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
        Some("bench") => {
            let mut args = args.peekable();
            match args.next_if(|arg| arg == "rust") {
                Some(_) => bench::rust::run(&rust_options(args)?),
                None => bench::run(&bench_options(args)?),
            }
        }
        Some("eval") => match args.next().as_deref() {
            Some("refs") => eval::refs(&refs_options(args)?),
            Some("search") => eval::search::run(&search_options(args)?),
            Some("locate") => eval::locate::run(&locate_options(args)?),
            Some("rename") => eval::rename::run(&rename_options(args)?),
            Some("passages") => eval::passages::run(&sampled_options("passages", 60, args, |_| false)?),
            other => bail!("eval does not know `{}`\n{USAGE}", other.unwrap_or_default()),
        },
        Some("ctags") => match comparison_options("ctags", args)? {
            (options, false) => ctags::run(&options),
            (_, true) => bail!("ctags does not take `--cognitive`\n{USAGE}"),
        },
        Some("lizard") => {
            let (options, cognitive) = comparison_options("lizard", args)?;
            lizard::run(&options, cognitive)
        }
        Some("load") => load::run(&load_options(args)?),
        Some("pairs") => pairs::run(&args.map(PathBuf::from).collect::<Vec<_>>()),
        Some("dist") => dist::run(&dist_options(args)?),
        Some("--help" | "-h") | None => {
            println!("{USAGE}");
            Ok(())
        }
        Some(other) => bail!("there is no task `{other}`\n{USAGE}"),
    }
}

/// What stands behind a flag.
fn value_of(args: &mut impl Iterator<Item = String>, flag: &str) -> Result<String> {
    args.next()
        .ok_or_else(|| anyhow::anyhow!("{flag} needs a value\n{USAGE}"))
}

fn bench_options(mut args: impl Iterator<Item = String>) -> Result<bench::Options> {
    let mut options = bench::Options::default();
    while let Some(flag) = args.next() {
        let mut value = || value_of(&mut args, &flag);
        match flag.as_str() {
            "--corpus" => options.corpus = Some(PathBuf::from(value()?)),
            "--binary" => options.binary = Some(PathBuf::from(value()?)),
            "--files" => options.n_files = value()?.parse()?,
            "--quick" => options.quick = true,
            "--only" => options.only.push(value()?),
            "--search" => options.search = Some(PathBuf::from(value()?)),
            "--corpora" => options.corpora = Some(PathBuf::from(value()?)),
            "--refs" => options.refs = Some(PathBuf::from(value()?)),
            "--large" => options.large = Some(PathBuf::from(value()?)),
            "--repository" => options.repositories.push(PathBuf::from(value()?)),
            "--out" => options.out = Some(PathBuf::from(value()?)),
            other => bail!("bench does not take `{other}`\n{USAGE}"),
        }
    }
    options.check()?;
    Ok(options)
}

fn rust_options(mut args: impl Iterator<Item = String>) -> Result<bench::rust::Options> {
    let mut options = bench::rust::Options {
        workspaces: Vec::new(),
        count: 60,
        binary: None,
    };
    while let Some(arg) = args.next() {
        let mut value = || value_of(&mut args, &arg);
        match arg.as_str() {
            "--count" => options.count = value()?.parse()?,
            "--binary" => options.binary = Some(PathBuf::from(value()?)),
            other if other.starts_with('-') => bail!("bench rust does not take `{other}`\n{USAGE}"),
            other => options.workspaces.push(PathBuf::from(other)),
        }
    }
    if options.workspaces.is_empty() {
        bail!("bench rust needs a workspace\n{USAGE}");
    }
    Ok(options)
}

fn dist_options(mut args: impl Iterator<Item = String>) -> Result<dist::Options> {
    let mut options = dist::Options::default();
    while let Some(flag) = args.next() {
        let mut value = || value_of(&mut args, &flag);
        match flag.as_str() {
            "--binary" => options.binary = Some(PathBuf::from(value()?)),
            "--out" => options.out = Some(PathBuf::from(value()?)),
            "--target" => options.target = Some(value()?),
            other => bail!("dist does not take `{other}`\n{USAGE}"),
        }
    }
    Ok(options)
}

fn load_options(mut args: impl Iterator<Item = String>) -> Result<load::Options> {
    let (mut n_files, mut big_mb, mut n_requests, mut n_clients) = (100_000, 2000, None, 8);
    let mut n_commits = None;
    let (mut repository, mut dir, mut binary) = (None, None, None);
    while let Some(arg) = args.next() {
        let mut value = || value_of(&mut args, &arg);
        match arg.as_str() {
            "--files" => n_files = value()?.parse()?,
            "--big-file" => big_mb = value()?.parse()?,
            "--commits" => n_commits = Some(value()?.parse()?),
            "--requests" => n_requests = Some(value()?.parse()?),
            "--clients" => n_clients = value()?.parse()?,
            "--dir" => dir = Some(PathBuf::from(value()?)),
            "--binary" => binary = Some(PathBuf::from(value()?)),
            other if other.starts_with('-') || repository.is_some() => bail!("load does not take `{other}`\n{USAGE}"),
            other => repository = Some(PathBuf::from(other)),
        }
    }
    let what = match (n_requests, n_commits, repository) {
        (None, None, None) if n_files > 0 => load::What::Files {
            n_files,
            big_bytes: big_mb * 1_000_000,
        },
        (None, Some(n_commits), Some(repository)) => load::What::Commits { n_commits, repository },
        (Some(n_requests), None, Some(repository)) if n_clients > 0 => load::What::Requests {
            n_requests,
            n_clients,
            repository,
        },
        _ => bail!("load needs some files, or --requests or --commits and a repository\n{USAGE}"),
    };
    Ok(load::Options { what, dir, binary })
}

fn rename_options(args: impl Iterator<Item = String>) -> Result<eval::rename::Options> {
    let mut locals = false;
    let sampled = sampled_options("rename", 40, args, |flag| {
        locals |= flag == "--locals";
        flag == "--locals"
    })?;
    Ok(eval::rename::Options { sampled, locals })
}

/// What every measurement of samples takes; `takes` is asked about further flags.
fn sampled_options(
    name: &str,
    count: usize,
    mut args: impl Iterator<Item = String>,
    mut takes: impl FnMut(&str) -> bool,
) -> Result<eval::Sampled> {
    let mut sampled = eval::Sampled {
        repositories: Vec::new(),
        count,
        binary: None,
        show: false,
    };
    while let Some(arg) = args.next() {
        let mut value = || value_of(&mut args, &arg);
        match arg.as_str() {
            "--count" => sampled.count = value()?.parse()?,
            "--show" => sampled.show = true,
            "--binary" => sampled.binary = Some(PathBuf::from(value()?)),
            other if takes(other) => {}
            other if other.starts_with('-') => bail!("eval {name} does not take `{other}`\n{USAGE}"),
            other => sampled.repositories.push(PathBuf::from(other)),
        }
    }
    if sampled.repositories.is_empty() {
        bail!("eval {name} needs a repository\n{USAGE}");
    }
    Ok(sampled)
}

fn refs_options(mut args: impl Iterator<Item = String>) -> Result<eval::Options> {
    let mut truth = None;
    let (mut binary, mut by_name, mut n_misses, mut layers) = (None, false, 0, false);
    while let Some(arg) = args.next() {
        let mut value = || value_of(&mut args, &arg);
        match arg.as_str() {
            "--by-name" => by_name = true,
            "--layer" => layers = true,
            "--misses" => n_misses = value()?.parse()?,
            "--binary" => binary = Some(PathBuf::from(value()?)),
            other if other.starts_with('-') || truth.is_some() => bail!("eval does not take `{other}`\n{USAGE}"),
            other => truth = Some(PathBuf::from(other)),
        }
    }
    let Some(truth) = truth else {
        bail!("eval needs the directory of the truth\n{USAGE}")
    };
    Ok(eval::Options {
        truth,
        binary,
        by_name,
        n_misses,
        layers,
    })
}

fn search_options(mut args: impl Iterator<Item = String>) -> Result<eval::search::Options> {
    let mut options = eval::search::Options::default();
    let mut queries = None;
    while let Some(arg) = args.next() {
        let mut value = || value_of(&mut args, &arg);
        match arg.as_str() {
            "--mode" => options.mode = Some(value()?),
            "--only" => options.only.push(value()?),
            "--misses" => options.n_misses = value()?.parse()?,
            "--golden" => options.golden = Some(PathBuf::from(value()?)),
            "--update" => options.update = true,
            "--tune" => options.tune = true,
            "--results" => options.results = Some(PathBuf::from(value()?)),
            "--depth" => options.depth = Some(value()?.parse()?),
            "--corpora" => options.corpora = Some(PathBuf::from(value()?)),
            "--binary" => options.binary = Some(PathBuf::from(value()?)),
            other if other.starts_with('-') || queries.is_some() => bail!("eval does not take `{other}`\n{USAGE}"),
            other => queries = Some(PathBuf::from(other)),
        }
    }
    let Some(queries) = queries else {
        bail!("eval needs the queries\n{USAGE}")
    };
    options.queries = eval::search::queries_in(&queries);
    if options.update && options.golden.is_none() {
        bail!("--update needs --golden\n{USAGE}");
    }
    if options.depth.is_some_and(|depth| depth < 10) {
        bail!("--depth: ten results count\n{USAGE}");
    }
    Ok(options)
}

fn locate_options(mut args: impl Iterator<Item = String>) -> Result<eval::locate::Options> {
    let (mut tasks, mut binary, mut max_tokens) = (None, None, 2000);
    let (mut results, mut against, mut tune) = (None, None, false);
    while let Some(arg) = args.next() {
        let mut value = || value_of(&mut args, &arg);
        match arg.as_str() {
            "--tokens" => max_tokens = value()?.parse()?,
            "--results" => results = Some(PathBuf::from(value()?)),
            "--against" => against = Some(PathBuf::from(value()?)),
            "--binary" => binary = Some(PathBuf::from(value()?)),
            "--tune" => tune = true,
            other if other.starts_with('-') || tasks.is_some() => bail!("eval does not take `{other}`\n{USAGE}"),
            other => tasks = Some(PathBuf::from(other)),
        }
    }
    let Some(tasks) = tasks else {
        bail!("eval locate needs the directory of the tasks\n{USAGE}")
    };
    Ok(eval::locate::Options {
        tasks,
        binary,
        max_tokens,
        results,
        against,
        tune,
    })
}

/// What both comparisons take, and whether `--cognitive` was among it.
fn comparison_options(task: &str, mut args: impl Iterator<Item = String>) -> Result<(parsed::Options, bool)> {
    let mut dir = None;
    let (mut lang, mut n_shown, mut cognitive) = (None, 10, false);
    while let Some(arg) = args.next() {
        let mut value = || value_of(&mut args, &arg);
        match arg.as_str() {
            "--lang" => {
                let name = value()?;
                let known = syntax::lang_by_name(&name);
                lang = Some(known.ok_or_else(|| anyhow::anyhow!("there is no language `{name}`"))?);
            }
            "--show" => n_shown = value()?.parse()?,
            "--cognitive" => cognitive = true,
            other if other.starts_with('-') || dir.is_some() => bail!("{task} does not take `{other}`\n{USAGE}"),
            other => dir = Some(PathBuf::from(other)),
        }
    }
    let Some(dir) = dir else {
        bail!("{task} needs a directory\n{USAGE}")
    };
    Ok((parsed::Options { dir, lang, n_shown }, cognitive))
}

/// The directory of the workspace, wherever the task is started from.
fn workspace_root() -> &'static Path {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own)
}
