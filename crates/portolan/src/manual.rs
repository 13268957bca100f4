//! What shells and `man` want to know: completions and the manual page, made from the same command line.

use std::{io::Write, path::Path, process::ExitCode};

use clap::{Arg, ArgMatches, Command, value_parser};
use clap_complete::Shell;

use crate::{cli, usage};

pub(crate) fn completions_command() -> Command {
    Command::new("completions")
        .about("Print what a shell needs to complete this command line")
        .after_help("bash: portolan completions bash > ~/.local/share/bash-completion/completions/portolan")
        .arg(
            Arg::new("shell")
                .required(true)
                .value_parser(value_parser!(Shell))
                .help("Which shell"),
        )
}

pub(crate) fn man_command() -> Command {
    Command::new("man")
        .about("Print the manual page, or write one for each command into a directory")
        .after_help("portolan man | man -l -")
        .arg(
            Arg::new("dir")
                .value_name("DIR")
                .help("Write portolan.1, portolan-search.1, ... here"),
        )
}

pub(crate) fn completions(matches: &ArgMatches) -> ExitCode {
    let Some(shell) = matches.get_one::<Shell>("shell") else {
        return usage("which shell?");
    };
    let mut text = Vec::new();
    clap_complete::generate(*shell, &mut cli::command(), "portolan", &mut text);
    let _ = std::io::stdout().lock().write_all(&text);
    ExitCode::SUCCESS
}

pub(crate) fn man(matches: &ArgMatches) -> ExitCode {
    let written = match matches.get_one::<String>("dir") {
        Some(dir) => {
            std::fs::create_dir_all(dir).and_then(|()| clap_mangen::generate_to(cli::command(), Path::new(dir)))
        }
        None => {
            let mut page = Vec::new();
            let rendered = clap_mangen::Man::new(cli::command()).render(&mut page);
            rendered.map(|()| {
                let _ = std::io::stdout().lock().write_all(&page);
            })
        }
    };
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: cannot write the manual: {error}");
            ExitCode::FAILURE
        }
    }
}
