//! `portolan memory`: memories out to Markdown and in again.

use std::{
    io::{Read, Write},
    process::ExitCode,
};

use clap::{Arg, ArgMatches, Command};
use config::Config;
use tools::{Listing, Toolbox};
use workspace::Workspaces;

use crate::usage;

pub(crate) fn command() -> Command {
    let workspace = || {
        Arg::new("workspace")
            .long("workspace")
            .value_name("TEXT")
            .help("Session or directory; default: here")
    };
    Command::new("memory")
        .about("Memories of checkpoint and plan, to Markdown and back")
        .arg_required_else_help(true)
        .subcommand_required(true)
        .subcommand(
            Command::new("export")
                .about("Print every memory as one Markdown document")
                .arg(workspace()),
        )
        .subcommand(
            Command::new("import")
                .about("Add the memories of such a document; one that is there already is replaced")
                .arg(
                    Arg::new("file")
                        .value_name("FILE")
                        .help("Default: stdin")
                        .default_value("-"),
                )
                .arg(workspace()),
        )
}

pub(crate) fn run(config: Config, matches: &ArgMatches) -> ExitCode {
    let read_only = config.read_only;
    let Ok(listing) = Listing::new("all", read_only, true) else {
        return usage("there are no tools");
    };
    let toolbox = Toolbox::new(Workspaces::new(config, None, false), listing);
    let (name, matches) = matches.subcommand().unwrap_or(("", matches));
    let workspace = matches.get_one::<String>("workspace").map(String::as_str);
    let done = match name {
        "export" => toolbox.export_memories(workspace),
        _ if read_only => return usage("importing writes, and `read_only` is set"),
        _ => {
            let file = matches.get_one::<String>("file").map_or("-", String::as_str);
            let text = match read(file) {
                Ok(text) => text,
                Err(error) => return usage(&format!("cannot read {file}: {error}")),
            };
            let count = toolbox.import_memories(workspace, &text);
            count.map(|count| format!("Memories imported: {count}\n"))
        }
    };
    match done {
        Ok(text) => {
            let _ = write!(std::io::stdout().lock(), "{text}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn read(file: &str) -> std::io::Result<String> {
    if file != "-" {
        return std::fs::read_to_string(file);
    }
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text)?;
    Ok(text)
}
