//! The binary: every tool on the command line, and the servers. The only crate that prints or exits.

mod bench;
#[cfg(feature = "rust-analyzer")]
mod cargo;
mod cli;
mod doctor;
mod graph;
mod install;
mod manual;
mod memory;
#[cfg(feature = "rust-analyzer")]
mod rust;
mod serve;
mod settings;

use std::{
    io::{IsTerminal, Write},
    path::PathBuf,
    process::ExitCode,
    sync::{Arc, Mutex, PoisonError, atomic::AtomicBool},
    time::Duration,
};

use config::{Config, ExactSettings};
use serde_json::{Map, Value};
use tools::{Call, Cause, ErrorCode, Listing, Outcome, Progress, Toolbox};
use workspace::Workspaces;

/// Each commit works on threads of its own; the C library's allocator keeps what they have freed, for each of them.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Memory goes back to the system when it is freed, not when something is allocated next: a server rests most of the time.
#[allow(unsafe_code)]
fn give_memory_back_at_once() {
    /// `mi_option_purge_delay` of mimalloc's header; its bindings do not name it.
    const PURGE_DELAY: libmimalloc_sys::mi_option_t = 15;
    // SAFETY: an option is a number that the allocator reads; it may be set at any time.
    unsafe { libmimalloc_sys::mi_option_set(PURGE_DELAY, 0) };
}

/// Where the system limits the size of files, writing more is an error like that of a full disk, not the end.
#[cfg(unix)]
#[allow(unsafe_code)]
fn survive_limits() {
    // SAFETY: ignoring a signal installs no handler, and nothing else in this program asks for this one.
    unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
}

/// Wrong usage: of the command line, or of the configuration.
const USAGE: u8 = 2;

fn main() -> ExitCode {
    give_memory_back_at_once();
    #[cfg(unix)]
    survive_limits();
    let matches = match cli::command().try_get_matches_from(cli::with_joined_flags(std::env::args_os())) {
        Ok(matches) => matches,
        Err(error) => {
            let error = cli::explained(error);
            let _ = error.print();
            return ExitCode::from(error.exit_code() as u8);
        }
    };
    let Some((name, own)) = matches.subcommand() else {
        eprintln!("{}", cli::FIRST_STEPS);
        return ExitCode::from(USAGE);
    };
    // What helps when the settings are wrong must not need them.
    match name {
        "install" => return install::run(own),
        "doctor" => return doctor::run(&matches),
        // It measures with default settings, in processes of its own.
        "bench" => return bench::run(own),
        "completions" => return manual::completions(own),
        "man" => return manual::man(own),
        _ => {}
    }
    let config = match settings::load(&matches) {
        Ok(config) => config,
        Err(message) => return usage(&message),
    };
    log_to_stderr(&config.log_level);
    for unknown in &config.unknown_variables {
        eprintln!("warning: {unknown}");
    }
    match name {
        "serve" => serve::run(config, own),
        "memory" => memory::run(config, own),
        "call" => match cli::call_arguments(own) {
            Ok((tool, arguments)) => call(config, &tool, arguments, None),
            Err(message) => usage(&message),
        },
        name if graph::NAMES.contains(&name) => graph::run(config, own),
        name => match cli::tool_arguments(name, own) {
            Ok((tool, arguments)) => {
                let tip = cli::has_second_word(own).then_some(cli::QUOTES);
                call(config, tool, arguments, tip)
            }
            Err(message) => usage(&message),
        },
    }
}

/// A process that answers once has no next answer that an analysis could still be ready for: it waits so long for an exact
/// one, unless it was told how long to.
const ONE_SHOT_WAIT: Duration = Duration::from_millis(300);

/// The workspaces, with all that this build can tell of them.
fn workspaces(mut config: Config, root: Option<PathBuf>, watch: bool) -> Workspaces {
    if !watch && config.exact.wait == ExactSettings::DEFAULT_WAIT {
        config.exact.wait = ONE_SHOT_WAIT;
    }
    let workspaces = Workspaces::new(config, root, watch);
    #[cfg(feature = "rust-analyzer")]
    let engine = rust::engine(workspaces.config());
    #[cfg(feature = "rust-analyzer")]
    let workspaces = workspaces.with_exact(engine);
    workspaces
}

fn usage(message: &str) -> ExitCode {
    eprintln!("error: {message}");
    ExitCode::from(USAGE)
}

fn log_to_stderr(level: &str) {
    // The protocol library reports each refused request as a warning; the client has been told already.
    let filter = tracing_subscriber::EnvFilter::try_new(format!("{level},rmcp=error"));
    let filter = filter.unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("warn"));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(false)
        .init();
}

/// One call, its answer on stdout. `tip` is for who is told that there is no such workspace.
fn call(config: Config, tool: &str, arguments: Map<String, Value>, tip: Option<&str>) -> ExitCode {
    let json = arguments.get("format").and_then(Value::as_str) == Some("json");
    let outcome = match ask(config, tool, arguments) {
        Ok(outcome) => outcome,
        Err(message) => return usage(&message),
    };
    let (text, exit) = match outcome.error {
        None => (outcome.text, ExitCode::SUCCESS),
        Some(error) => {
            let exit = match error.code {
                ErrorCode::InvalidParams => ExitCode::from(USAGE),
                _ => ExitCode::FAILURE,
            };
            if !json {
                let help = format!("see portolan {} --help for what it takes", tool.replace('_', "-"));
                eprintln!("{}", error.text_where(&help));
                if let Some(tip) = tip.filter(|_| error.cause == Cause::UnknownSession) {
                    eprintln!("Or {tip}.");
                }
                return exit;
            }
            (outcome.structured.to_string(), exit)
        }
    };
    // A reader that has seen enough closes the pipe; that is no failure of ours.
    let _ = writeln!(std::io::stdout().lock(), "{text}");
    exit
}

/// One call, with a progress bar. What is wrong with the call itself is told as a text.
fn ask(config: Config, tool: &str, arguments: Map<String, Value>) -> Result<Outcome, String> {
    let listing = Listing::new("all", config.read_only, false);
    let listing = listing.map_err(|unknown| format!("there is no toolset `{}`", unknown.name))?;
    let toolbox = Toolbox::new(workspaces(config, None, false), listing);
    let bar = Bar::default();
    let hide = bar.clone();
    let call = Call {
        cancelled: Arc::new(AtomicBool::new(false)),
        progress: Box::new(move |progress| bar.show(&progress)),
    };
    let outcome = toolbox.call(tool, arguments, &call).map_err(|unknown| {
        let nearest = unknown
            .nearest
            .map(|name| format!("; did you mean `{name}`?"))
            .unwrap_or_default();
        format!("there is no tool `{}`{nearest}", unknown.name)
    })?;
    hide.clear();
    Ok(outcome)
}

/// A progress bar on a terminal, nothing elsewhere.
#[derive(Clone, Default)]
struct Bar(Arc<Mutex<Option<indicatif::ProgressBar>>>);

impl Bar {
    fn show(&self, progress: &Progress) {
        let Some(total) = progress.total.filter(|_| std::io::stderr().is_terminal()) else {
            return;
        };
        let mut bar = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let bar = bar.get_or_insert_with(|| {
            let style = indicatif::ProgressStyle::with_template(
                "indexing {wide_bar} {human_pos}/{human_len}, {per_sec}, {eta} left",
            );
            let bar = indicatif::ProgressBar::new(total);
            bar.set_style(style.unwrap_or_else(|_| indicatif::ProgressStyle::default_bar()));
            bar
        });
        bar.set_length(total);
        bar.set_position(progress.done);
    }

    fn clear(&self) {
        if let Some(bar) = &*self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            bar.finish_and_clear();
        }
    }
}
