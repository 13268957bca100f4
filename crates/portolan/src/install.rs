//! `portolan install`: into the configurations of MCP clients, and out of them.

use std::{io::Write, process::ExitCode};

use clap::{Arg, ArgAction, ArgMatches, Command};
use install::{Action, CLIENTS, Client, Machine, Os, Outcome, Report, Request, Scope};

use crate::usage;

pub(crate) fn command() -> Command {
    let flag = |id: &'static str, help: &'static str| {
        Arg::new(id)
            .long(id.replace('_', "-"))
            .action(ArgAction::SetTrue)
            .help(help)
    };
    Command::new("install")
        .about("Tell MCP clients on this machine to start Portolan, or no longer to")
        .after_help(
            "Files keep their comments, order and other keys. What was in one is kept beside it as \
             NAME.portolan-backup. Exit codes: 0 done, 1 something was left undone, 2 wrong usage.",
        )
        .arg(
            Arg::new("client")
                .long("client")
                .value_name("NAME")
                .num_args(1..)
                .action(ArgAction::Append)
                .value_parser(CLIENTS.iter().map(|client| client.name).collect::<Vec<_>>())
                .help("Only these; default: those that are found"),
        )
        .arg(
            Arg::new("scope")
                .long("scope")
                .value_name("SCOPE")
                .value_parser(["user", "project"])
                .default_value("user")
                .help("Your own configuration, or that of the project in the current directory"),
        )
        .arg(flag(
            "instructions",
            "Also put four lines on when to ask Portolan into the AGENTS.md, CLAUDE.md or GEMINI.md of the current directory",
        ))
        .arg(flag("uninstall", "Take everything out again"))
        .arg(flag("dry_run", "Say what would be done, and do nothing"))
}

pub(crate) fn run(matches: &ArgMatches) -> ExitCode {
    let Some(machine) = this_machine() else {
        return usage("there is no home directory; set HOME");
    };
    let (here, executable) = match (std::env::current_dir(), std::env::current_exe()) {
        (Ok(here), Ok(executable)) => (here, executable),
        (Err(error), _) | (_, Err(error)) => return usage(&format!("cannot tell where this is: {error}")),
    };
    let scope = match matches.get_one::<String>("scope").map(String::as_str) {
        Some("project") => Scope::Project(here.clone()),
        _ => Scope::User,
    };
    let clients: Vec<&'static Client> = matches
        .get_many::<String>("client")
        .into_iter()
        .flatten()
        .filter_map(|name| Client::named(name))
        .collect();
    let action = match matches.get_flag("uninstall") {
        true => Action::Uninstall,
        false => Action::Install,
    };
    let request = Request {
        action,
        command: install::command_for(&machine, &executable, &scope),
        scope,
        clients,
        instructions: matches.get_flag("instructions").then_some(here),
        dry_run: matches.get_flag("dry_run"),
    };
    let reports = install::run(&machine, &request);
    let lines: Vec<String> = reports.iter().map(|report| line(report, request.dry_run)).collect();
    let _ = write!(std::io::stdout().lock(), "{}", lines.concat());
    if reports.is_empty() {
        return match action {
            Action::Install => nothing_found(&request),
            Action::Uninstall => {
                eprintln!("No client is told to start Portolan.");
                ExitCode::SUCCESS
            }
        };
    }
    match reports
        .iter()
        .any(|report| matches!(report.outcome, Outcome::Failed(_)))
    {
        true => ExitCode::FAILURE,
        false => ExitCode::SUCCESS,
    }
}

fn nothing_found(request: &Request) -> ExitCode {
    let names: Vec<&str> = CLIENTS.iter().map(|client| client.name).collect();
    eprintln!(
        "error: no client was found; name one with --client: {}. Any other client starts the command `{} serve`.",
        names.join(", "),
        request.command
    );
    ExitCode::FAILURE
}

fn line(report: &Report, dry_run: bool) -> String {
    let outcome = match (&report.outcome, dry_run) {
        (Outcome::Created | Outcome::Updated | Outcome::Removed, true) => {
            format!("would be {}", report.outcome.as_str())
        }
        (outcome, _) => outcome.as_str().to_owned(),
    };
    let mut line = format!("{}: {outcome}", report.about);
    if let Some(path) = &report.path {
        let from = if matches!(report.outcome, Outcome::Removed) {
            " from"
        } else {
            ""
        };
        line += &format!("{from} {}", path.display());
    }
    if let Outcome::Failed(problem) = &report.outcome {
        line += &format!(" {problem}");
    }
    if let Some(backup) = &report.backup {
        line += &format!(" (before: {})", backup.file_name().unwrap_or_default().display());
    }
    if let Some(next) = report.next.filter(|_| !dry_run) {
        line += &format!("; {next}");
    }
    line + "\n"
}

/// Where clients keep their files here.
pub(crate) fn this_machine() -> Option<Machine> {
    let home = etcetera::home_dir().ok()?;
    let env = Machine::VARIABLES
        .iter()
        .filter_map(|name| Some((*name, std::env::var_os(name)?)))
        .collect();
    let os = match std::env::consts::OS {
        "windows" => Os::Windows,
        "macos" => Os::MacOs,
        _ => Os::Linux,
    };
    Some(Machine { os, home, env })
}
