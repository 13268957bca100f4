//! `portolan bench`: what Portolan takes, and what it saves, on the user's own repository.

use std::{
    io::{IsTerminal, Write},
    path::PathBuf,
    process::ExitCode,
    sync::atomic::Ordering,
    time::Duration,
};

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use measure::{Options, Report, measure};
use tempfile::TempDir;

/// Interrupted, as shells count.
const INTERRUPTED: u8 = 130;

/// What is being done when that happens is waited for no longer.
const STOPPING: Duration = Duration::from_secs(2);

pub(crate) fn command() -> Command {
    Command::new("bench")
        .about("Measure indexing, answers, memory and tokens on a repository, next to bare parsing and grep")
        .after_help(
            "Works on a copy in a temporary directory that is gone afterwards: the repository is only read. No network, \
             default settings. Takes about a minute, with --quick some seconds; what is fast is measured more often.",
        )
        .arg(
            Arg::new("dir")
                .value_name("DIR")
                .help("The repository")
                .default_value(".")
                .value_parser(value_parser!(PathBuf)),
        )
        .arg(
            Arg::new("quick")
                .long("quick")
                .action(ArgAction::SetTrue)
                .help("At most 1000 files, and fewer symbols"),
        )
        .arg(
            Arg::new("files")
                .long("files")
                .value_name("N")
                .value_parser(value_parser!(u32).range(1..))
                .help("At most so many files, spread evenly over the repository [default: 10000]"),
        )
        .arg(
            Arg::new("seed")
                .long("seed")
                .value_name("N")
                .value_parser(value_parser!(u64))
                .help("Ask about other symbols [default: 1]"),
        )
        .arg(
            Arg::new("format")
                .long("format")
                .value_name("text|json")
                .value_parser(["text", "json"])
                .default_value("text"),
        )
}

pub(crate) fn run(matches: &ArgMatches) -> ExitCode {
    match measured(options(matches)) {
        Ok(Some(report)) => {
            let version = env!("CARGO_PKG_VERSION");
            let json = matches
                .get_one::<String>("format")
                .is_some_and(|format| format == "json");
            let text = if json {
                format!("{:#}", report.to_json(version))
            } else {
                report.to_text(version).trim_end().to_owned()
            };
            let _ = writeln!(std::io::stdout().lock(), "{text}");
            ExitCode::SUCCESS
        }
        Ok(None) => ExitCode::from(INTERRUPTED),
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

fn options(matches: &ArgMatches) -> Options {
    let dir = matches.get_one::<PathBuf>("dir").cloned();
    let mut options = Options::new(dir.unwrap_or_else(|| ".".into()));
    if let Some(n_files) = matches.get_one::<u32>("files") {
        options.most_files = *n_files as usize;
    }
    if let Some(seed) = matches.get_one::<u64>("seed") {
        options.seed = *seed;
    }
    if matches.get_flag("quick") {
        options = options.quick();
    }
    options
}

/// `None` if interrupted. The copy is taken away in any case: what is in it is nobody else's business.
fn measured(options: Options) -> Result<Option<Report>, String> {
    let binary = std::env::current_exe().map_err(|error| format!("cannot find this program: {error}"))?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| format!("cannot start: {error}"))?;
    let stop = options.stop.clone();
    runtime.block_on(async {
        let mut scratch = None;
        let (done, mut outcome) = tokio::sync::oneshot::channel();
        let work = async {
            // Made only when an interruption is listened for.
            let dir = scratch.insert(private_dir()?).path().to_owned();
            std::thread::spawn(move || {
                let say = |what: &str| {
                    if std::io::stderr().is_terminal() {
                        eprintln!("bench: {what}");
                    }
                };
                let _ = done.send(measure(&options, &binary, &dir, &say));
            });
            match (&mut outcome).await {
                Ok(report) => report.map(Some).map_err(|error| format!("{error:#}")),
                Err(_) => Err("the measurement ended without a result".to_owned()),
            }
        };
        tokio::select! {
            biased;
            _ = tokio::signal::ctrl_c() => {}
            measured = work => return measured,
        }
        stop.store(true, Ordering::Relaxed);
        let _ = tokio::time::timeout(STOPPING, outcome).await;
        Ok(None)
    })
}

/// A temporary directory that only its owner can enter.
fn private_dir() -> Result<TempDir, String> {
    let mut builder = tempfile::Builder::new();
    builder.prefix("portolan-bench-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    let made = builder.tempdir();
    made.map_err(|error| format!("cannot make a temporary directory: {error}"))
}
