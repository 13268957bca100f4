//! `portolan doctor`: what is wrong on this machine, and how to put it right.

use std::{
    io::Write,
    path::{Path, PathBuf},
    process::ExitCode,
    sync::{Arc, atomic::AtomicBool},
};

use clap::{Arg, ArgAction, ArgMatches, Command};
use config::Config;
use install::{Machine, Scope};
use serde_json::{Value, json};
use tools::{Call, Listing, Toolbox};
use workspace::{FileSystem, INDEX_FORMAT, RootState, Workspaces};

use crate::{install::this_machine, settings};

/// With less, indexing a large repository fails; with much less, any.
const LITTLE_SPACE: u64 = 2 << 30;
const NO_SPACE: u64 = 100 << 20;
/// Repositories with more directories than that exist, but not on most machines.
const FEW_WATCHES: u64 = 65_536;
const FEW_WATCHERS: u64 = 64;
const FEW_FILES: u64 = 1024;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Status {
    Ok,
    Warning,
    Problem,
}

impl Status {
    fn as_str(self) -> &'static str {
        match self {
            Status::Ok => "ok",
            Status::Warning => "warning",
            Status::Problem => "problem",
        }
    }
}

struct Check {
    about: &'static str,
    status: Status,
    message: String,
    fix: Option<String>,
}

impl Check {
    fn ok(about: &'static str, message: impl Into<String>) -> Check {
        Check {
            about,
            status: Status::Ok,
            message: message.into(),
            fix: None,
        }
    }

    fn warning(about: &'static str, message: impl Into<String>, fix: impl Into<String>) -> Check {
        Check {
            status: Status::Warning,
            fix: Some(fix.into()),
            ..Check::ok(about, message)
        }
    }

    fn problem(about: &'static str, message: impl Into<String>, fix: impl Into<String>) -> Check {
        Check {
            status: Status::Problem,
            ..Check::warning(about, message, fix)
        }
    }
}

pub(crate) fn command() -> Command {
    Command::new("doctor")
        .about("Say what is wrong with this installation, and how to put it right")
        .after_help("Exit codes: 0 no problem (perhaps warnings), 1 a problem, 2 wrong usage.")
        .arg(
            Arg::new("format")
                .long("format")
                .value_name("text|json")
                .value_parser(["text", "json"])
                .default_value("text"),
        )
        .arg(
            Arg::new("detailed")
                .long("detailed")
                .action(ArgAction::SetTrue)
                .help("Also say what was found where all is well"),
        )
}

/// `matches` are those of the whole command line: settings come from there, too.
pub(crate) fn run(matches: &ArgMatches) -> ExitCode {
    let mut checks = vec![version()];
    match settings::load(matches) {
        Ok(config) => {
            checks.push(Check::ok(
                "settings",
                "can be read; `portolan config` shows each with its source",
            ));
            let unknown = config.unknown_variables.iter();
            checks.extend(unknown.map(|unknown| {
                Check::warning(
                    "settings",
                    unknown.clone(),
                    "`portolan config --detailed` has the names of all",
                )
            }));
            checks.push(home(&config.home));
            checks.push(space(&config.home));
            checks.extend(indexes(config));
        }
        Err(message) => checks.push(Check::problem(
            "settings",
            message,
            "correct the file or the variable that it names; no command works until then",
        )),
    }
    checks.extend(watching());
    checks.extend(open_files());
    checks.push(repository());
    checks.extend(clients());

    let own = matches.subcommand_matches("doctor");
    let format = own.and_then(|own| own.get_one::<String>("format"));
    let text = match format.is_some_and(|format| format == "json") {
        true => as_json(&checks),
        false => as_text(&checks, own.is_some_and(|own| own.get_flag("detailed"))),
    };
    let _ = writeln!(std::io::stdout().lock(), "{text}");
    match count(&checks, Status::Problem) {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

fn count(checks: &[Check], status: Status) -> usize {
    checks.iter().filter(|check| check.status == status).count()
}

/// Said though nothing is wrong: which program this is, and how changes are noticed here.
const ALWAYS_SHOWN: &[&str] = &["version", "watching"];

fn as_text(checks: &[Check], detailed: bool) -> String {
    let mut text = String::new();
    let is_named = |check: &&Check| !detailed && check.status == Status::Ok && !ALWAYS_SHOWN.contains(&check.about);
    for check in checks.iter().filter(|check| !is_named(check)) {
        text += &format!("{:8} {:10} {}\n", check.status.as_str(), check.about, check.message);
        if let Some(fix) = &check.fix {
            text += &format!("{:19} fix: {fix}\n", "");
        }
    }
    let mut named: Vec<&str> = checks.iter().filter(is_named).map(|check| check.about).collect();
    named.dedup();
    if !named.is_empty() {
        text += &format!("{:8} {} (--detailed says more)\n", "ok", named.join(", "));
    }
    let some = |n: usize, noun: &str| format!("{n} {noun}{}", if n == 1 { "" } else { "s" });
    let (problems, warnings) = (count(checks, Status::Problem), count(checks, Status::Warning));
    let next = match problems {
        0 => "; in a directory with code, ask: portolan search \"where is a request parsed\"",
        _ => "",
    };
    text + &format!("{}, {}{next}", some(problems, "problem"), some(warnings, "warning"))
}

fn as_json(checks: &[Check]) -> String {
    let check = |check: &Check| {
        let mut fields = json!({ "about": check.about, "status": check.status.as_str(), "message": check.message });
        if let Some(fix) = &check.fix {
            fields["fix"] = fix.as_str().into();
        }
        fields
    };
    json!({
        "checks": checks.iter().map(check).collect::<Vec<_>>(),
        "problems": count(checks, Status::Problem),
        "warnings": count(checks, Status::Warning),
    })
    .to_string()
}

fn version() -> Check {
    let executable = std::env::current_exe().unwrap_or_default();
    let version = env!("CARGO_PKG_VERSION");
    Check::ok(
        "version",
        format!(
            "Portolan {version}, index format {INDEX_FORMAT}, {}",
            executable.display()
        ),
    )
}

/// The part of a path that is there: the home is made by the first index, not by looking for it.
fn there(path: &Path) -> &Path {
    path.ancestors().find(|dir| dir.exists()).unwrap_or(path)
}

fn home(home: &Path) -> Check {
    let shown = home.display();
    let probe = there(home).join(format!(".portolan-doctor-{}", std::process::id()));
    let written = std::fs::write(&probe, "").and_then(|()| std::fs::remove_file(&probe));
    if let Err(error) = written {
        return Check::problem(
            "home",
            format!("{shown} cannot be written to: {error}; each start indexes anew"),
            "make it writable, or set PORTOLAN_HOME to another directory",
        );
    }
    if let FileSystem::Shared { name } = FileSystem::of(there(home)) {
        return Check::warning(
            "home",
            format!("{shown} is on {name}: indexes do without SQLite's WAL there, and commits wait for readers"),
            "set PORTOLAN_HOME to a directory on a local disk",
        );
    }
    match open_to_others(home) {
        true => Check::warning(
            "home",
            format!("{shown} holds what is indexed, and others on this machine can read it"),
            format!("chmod 700 '{shown}'"),
        ),
        false => Check::ok("home", format!("{shown} can be written to")),
    }
}

#[cfg(unix)]
fn open_to_others(home: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(home).is_ok_and(|metadata| metadata.permissions().mode() & 0o077 != 0)
}

/// Elsewhere the data directory is the user's own by its place.
#[cfg(not(unix))]
fn open_to_others(_home: &Path) -> bool {
    false
}

fn space(home: &Path) -> Check {
    let free = match fs4::available_space(there(home)) {
        Ok(free) => free,
        Err(error) => {
            let message = format!("it cannot be told how much is free at {}: {error}", home.display());
            return Check::warning("disk", message, "look at it with df");
        }
    };
    let message = format!("{:.1} GB free at {}", free as f64 / 1e9, home.display());
    let fix = "free some, or set PORTOLAN_HOME to another disk; `portolan sessions` lists what can be deleted";
    match free {
        0..NO_SPACE => Check::problem("disk", message, fix),
        NO_SPACE..LITTLE_SPACE => Check::warning("disk", message, fix),
        _ => Check::ok("disk", message),
    }
}

/// One check a session.
fn indexes(config: Config) -> Vec<Check> {
    let sessions = Workspaces::new(config.clone(), None, false).sessions();
    if sessions.is_empty() {
        return vec![Check::ok("index", "nothing is indexed yet; the first question does it")];
    }
    let Ok(listing) = Listing::new("all", true, true) else {
        return Vec::new();
    };
    let toolbox = Toolbox::new(Workspaces::new(config, None, false), listing);
    let check = |session: &workspace::Session| {
        let (name, root) = (&session.name, session.root.display());
        match session.root_state() {
            RootState::Present => {}
            RootState::Gone => {
                let fix = format!("portolan delete-session {name} --confirm");
                return Check::warning("index", format!("{name}: {root} is gone"), fix);
            }
            RootState::Unreachable => {
                let fix = format!("mount its drive, or portolan delete-session {name} --confirm");
                return Check::warning("index", format!("{name}: {root} cannot be reached"), fix);
            }
        }
        let again = format!("portolan reindex-session {name} --force");
        match health(&toolbox, name) {
            Ok((overall, parts)) => match overall.as_str() {
                "healthy" => Check::ok("index", format!("{name}: healthy ({root})")),
                "degraded" => Check::warning("index", format!("{name}: {parts}"), format!("portolan index '{root}'")),
                _ => Check::problem("index", format!("{name}: {parts}"), again),
            },
            Err(message) => Check::problem("index", format!("{name}: {message}"), again),
        }
    };
    sessions.iter().map(check).collect()
}

/// What `health_check` says of a session: its verdict, and the parts that are not healthy.
fn health(toolbox: &Toolbox, session: &str) -> Result<(String, String), String> {
    let call = Call {
        cancelled: Arc::new(AtomicBool::new(false)),
        progress: Box::new(|_| {}),
    };
    let Value::Object(arguments) = json!({ "workspace": session }) else {
        return Err("no arguments".to_owned());
    };
    let outcome = toolbox
        .call("health_check", arguments, &call)
        .map_err(|unknown| format!("there is no tool {}", unknown.name))?;
    if outcome.is_error() {
        return Err(outcome.text);
    }
    let text = |value: &Value, key: &str| value[key].as_str().unwrap_or_default().to_owned();
    let parts = outcome.structured["parts"].as_object().cloned().unwrap_or_default();
    let ill = parts
        .iter()
        .filter(|(_, part)| !["healthy", "absent"].contains(&text(part, "status").as_str()))
        .map(|(name, part)| format!("{name}: {}", text(part, "message")));
    Ok((text(&outcome.structured, "overall"), ill.collect::<Vec<_>>().join("; ")))
}

/// Whether changes here are noticed by events, and the limits of inotify; other systems are walked, and need none.
fn watching() -> Option<Check> {
    let here = std::env::current_dir().unwrap_or_default();
    if let FileSystem::Shared { name } = FileSystem::of_tree(&here) {
        return Some(Check::ok(
            "watching",
            format!(
                "{} has files on {name}, which does not report every change: every call looks at every file",
                here.display()
            ),
        ));
    }
    let limit = |name: &str| -> Option<u64> {
        let text = std::fs::read_to_string(format!("/proc/sys/fs/inotify/{name}")).ok()?;
        text.trim().parse().ok()
    };
    let (watches, watchers) = (limit("max_user_watches")?, limit("max_user_instances")?);
    Some(if watches < FEW_WATCHES {
        Check::warning(
            "watching",
            format!("at most {watches} directories can be watched; beyond that every call looks at every file"),
            "sudo sysctl fs.inotify.max_user_watches=524288, and the same in /etc/sysctl.d to keep it",
        )
    } else if watchers < FEW_WATCHERS {
        Check::warning(
            "watching",
            format!("at most {watchers} programs can watch at a time; the next one looks at every file in every call"),
            "sudo sysctl fs.inotify.max_user_instances=512, and the same in /etc/sysctl.d to keep it",
        )
    } else {
        Check::ok("watching", format!("{watches} directories can be watched"))
    })
}

#[cfg(unix)]
fn open_files() -> Option<Check> {
    let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
    Some(match limit {
        Some(limit) if limit < FEW_FILES => Check::warning(
            "files",
            format!("at most {limit} files can be open at a time, which large indexes need more than"),
            "ulimit -n 4096 where the client is started",
        ),
        Some(limit) => Check::ok("files", format!("{limit} files can be open at a time")),
        None => Check::ok("files", "any number of files can be open"),
    })
}

#[cfg(not(unix))]
fn open_files() -> Option<Check> {
    None
}

/// Git is not run, so there is nothing to find on the `PATH`; but changes are told from what it has stored.
fn repository() -> Check {
    let here = std::env::current_dir().unwrap_or_default();
    match here.ancestors().find(|dir| dir.join(".git").exists()) {
        Some(root) => Check::ok("git", format!("{} is a repository", root.display())),
        None => Check::ok(
            "git",
            format!(
                "{} is in no repository; only impact_analysis of a diff needs one",
                here.display()
            ),
        ),
    }
}

/// What clients are told to start.
fn clients() -> Vec<Check> {
    let Some(machine) = this_machine() else {
        return vec![Check::warning("clients", "there is no home directory", "set HOME")];
    };
    let here = std::env::current_dir().unwrap_or_default();
    let mut checks = Vec::new();
    for (scope, flag) in [(Scope::User, ""), (Scope::Project(here), " --scope project")] {
        for found in install::inspect(&machine, &scope) {
            let (title, path) = (found.client.title, found.path.display());
            let again = format!("portolan install --client {}{flag}", found.client.name);
            match found.command {
                Ok(None) => {}
                Ok(Some(command)) => checks.push(started(&machine, &command, &format!("{title} ({path})"), again)),
                Err(problem) => {
                    let fix = format!("correct {path} by hand");
                    checks.push(Check::warning("clients", format!("{title}: {path} {problem}"), fix));
                }
            }
        }
    }
    if checks.is_empty() {
        checks.push(Check::warning(
            "clients",
            "no client is told to start Portolan",
            "portolan install",
        ));
    }
    checks
}

fn started(machine: &Machine, command: &str, who: &str, again: String) -> Check {
    let path = PathBuf::from(command);
    let program = match path.components().count() {
        1 => machine.program(command),
        _ => Some(path).filter(|path| path.is_file()),
    };
    let Some(program) = program else {
        let message = format!("{who} starts {}, which is not there", visible(command));
        return Check::problem("clients", message, again);
    };
    let same = match (
        program.canonicalize(),
        std::env::current_exe().and_then(|own| own.canonicalize()),
    ) {
        (Ok(theirs), Ok(own)) => theirs == own,
        _ => false,
    };
    match same {
        true => Check::ok("clients", format!("{who} starts this program")),
        false => Check::warning(
            "clients",
            format!(
                "{who} starts {}, which is another program than this one",
                visible(&program.to_string_lossy())
            ),
            again,
        ),
    }
}

/// A project's configuration is anybody's text, and must not speak to the terminal.
fn visible(text: &str) -> String {
    let shown = |c: char| match c {
        '\\' | '\'' | '"' => c.to_string(),
        c => c.escape_debug().to_string(),
    };
    text.chars().map(shown).collect()
}
