//! The command line, made from the list of tools.

use std::{ffi::OsString, io::Read, path::Path};

use clap::{
    Arg, ArgAction, ArgMatches, Command,
    builder::PossibleValue,
    error::{ContextKind, ContextValue, ErrorKind},
    value_parser,
};
use serde_json::{Map, Value};
use tools::ToolInfo;

use crate::{bench, doctor, graph, install, manual};

/// For who starts the program to see what it is.
pub(crate) const FIRST_STEPS: &str = "\
Portolan finds code, explains it and says what a change breaks. In a directory with code:

  portolan search \"where is a request parsed\"   ask; the first question indexes the directory
  portolan map                                   what is where
  portolan callers NAME                          who calls it; refs, impact, graph and rename likewise
  portolan install                               have Claude Code, Cursor, Codex and others ask it
  portolan doctor                                is anything wrong here?
  portolan --help                                all commands";

pub(crate) fn command() -> Command {
    let mut command = Command::new("portolan")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Code intelligence for AI agents and people: find the code, understand it, know what breaks.")
        .after_help("Exit codes: 0 answered (also with no hit), 1 the tool failed, 2 wrong usage.")
        .arg(
            Arg::new("log_level")
                .long("log-level")
                .global(true)
                .value_name("LEVEL")
                .help("error, warn, info, debug or trace; to stderr"),
        )
        .subcommand(serve_command())
        .subcommand(install::command())
        .subcommand(doctor::command())
        .subcommand(bench::command())
        .subcommand(manual::completions_command())
        .subcommand(manual::man_command())
        .subcommand(crate::memory::command())
        .subcommand(call_command());
    for tool in tools::all_tools() {
        let subcommand = tool_command(&tool);
        command = command.subcommand(match tool.cli {
            Some("graph") => graph::command(subcommand),
            _ => subcommand,
        });
    }
    command
}

fn serve_command() -> Command {
    let value = |id: &'static str, name: &'static str, help: &'static str| {
        Arg::new(id).long(id.replace('_', "-")).value_name(name).help(help)
    };
    let flag = |id: &'static str, help: &'static str| {
        Arg::new(id)
            .long(id.replace('_', "-"))
            .action(ArgAction::SetTrue)
            .help(help)
    };
    Command::new("serve")
        .about("Serve MCP on stdio, or over HTTP with --http")
        .arg(value(
            "root",
            "DIR",
            "The repository that calls without `workspace` mean; default: the client's, else here",
        ))
        .arg(value(
            "toolsets",
            "LIST",
            "What tools/list shows: core, graph, files, similar, refactor, memory, index, or all",
        ))
        .arg(value(
            "profile",
            "NAME",
            "Stand in for another server, tool by tool: claudevil, rust-code-mcp, probe, shebe or julie",
        ))
        .arg(flag("read_only", "Leave out the tools that write"))
        .arg(flag(
            "no_structured",
            "Answer with text alone, without structuredContent",
        ))
        .arg(
            value("http", "ADDR", "Listen here, e.g. 127.0.0.1:7700, instead of stdio")
                .value_parser(value_parser!(std::net::SocketAddr)),
        )
        .arg(
            value(
                "token",
                "TOKEN",
                "Bearer token for HTTP; default: PORTOLAN_TOKEN, else one is made and printed",
            )
            .requires("http"),
        )
        .arg(flag("no_token", "Serve HTTP without a token; only on a loopback address").requires("http"))
        .arg(
            value("allow_host", "NAME", "Further Host names to answer to")
                .action(ArgAction::Append)
                .requires("http"),
        )
        .arg(
            value("allow_origin", "ORIGIN", "Further Origins to answer to")
                .action(ArgAction::Append)
                .requires("http"),
        )
        // Not for users: see `scripts/conformance`.
        .arg(flag("conformance_fixtures", "").hide(true).requires("http"))
}

fn call_command() -> Command {
    Command::new("call")
        .about("Call any tool with JSON arguments, as MCP's tools/call does")
        .arg(Arg::new("tool").required(true))
        .arg(
            Arg::new("arguments")
                .help("A JSON object; `-` reads it from stdin")
                .default_value("{}"),
        )
        .args(EVERYWHERE.map(|(name, value, help)| {
            let long = name.replace('_', "-");
            Arg::new(name).long(long).value_name(value).help(help)
        }))
}

/// What every tool takes, and what is the same said in its JSON.
const EVERYWHERE: [(&str, &str, &str); 3] = [
    ("workspace", "TEXT", "Session or directory; default: the root"),
    ("max_tokens", "N", "How long the answer may be"),
    ("format", "text|json", "json is the structuredContent"),
];

/// What hands that have typed `grep` for years type.
const SHORT: &[(&str, char)] = &[("grep.ignore_case", 'i'), ("grep.count", 'c'), ("grep.context", 'C')];

fn tool_command(tool: &ToolInfo) -> Command {
    let dashed = tool.name.replace('_', "-");
    let name = tool.cli.map_or_else(|| dashed.clone(), str::to_owned);
    let mut command = Command::new(name).about(tool.description);
    if tool.cli.is_some() {
        command = command.visible_alias(dashed);
    }
    // As agents and documents write it.
    if tool.name.contains('_') {
        command = command.alias(tool.name);
    }
    let empty = Map::new();
    let properties = tool
        .input_schema
        .get("properties")
        .and_then(Value::as_object)
        .unwrap_or(&empty);
    for (at, name) in tool.positional.iter().enumerate() {
        let Some(property) = properties.get(*name) else {
            continue;
        };
        let mut arg = Arg::new(format!("at_{name}"))
            .index(at + 1)
            .value_name(name.to_uppercase())
            .help(help(property));
        if kind(property) == "array" {
            arg = arg.num_args(0..).action(ArgAction::Append);
        }
        command = command.arg(arg);
    }
    // A tool that is about no workspace takes one all the same.
    let takes_workspace =
        |name: &str| properties.contains_key(name) || tool.aliases.iter().any(|(alias, _)| *alias == name);
    if !takes_workspace("workspace") {
        command = command.arg(Arg::new("workspace").long("workspace").hide(true));
    }
    for (name, property) in properties {
        let mut arg = Arg::new(name.clone()).help(help(property));
        arg = match name.as_str() {
            // One letter is a short flag: `-k 5`.
            letter if letter.len() == 1 => arg.short(letter.chars().next()).alias(letter.to_owned()),
            name => arg.long(name.replace('_', "-")),
        };
        let others = tool.aliases.iter().filter(|(alias, to)| to == name && alias.len() > 1);
        let others = others.filter(|(alias, _)| !properties.contains_key(*alias));
        arg = arg.aliases(others.map(|(alias, _)| alias.replace('_', "-")));
        if let Some((_, letter)) = SHORT.iter().find(|(of, _)| *of == format!("{}.{name}", tool.name)) {
            arg = arg.short(*letter);
        }
        arg = match kind(property) {
            "boolean" => arg
                .num_args(0..=1)
                .require_equals(true)
                .default_missing_value("true")
                .value_parser([PossibleValue::new("true"), PossibleValue::new("false")])
                .hide_possible_values(true),
            // `impact --files a.rs b.rs`
            "array" if name == "files" => arg.num_args(1..).action(ArgAction::Append).value_name("FILE"),
            "array" => arg.action(ArgAction::Append).value_name("VALUE"),
            // `impact --diff`: the one that is being made.
            "string" if name == "diff" => arg
                .value_name(value_name(property))
                .num_args(0..=1)
                .default_missing_value("uncommitted"),
            // `--content '- [ ] first step'`
            "string" => arg.value_name(value_name(property)).allow_hyphen_values(true),
            _ => arg.value_name(value_name(property)),
        };
        command = command.arg(arg);
    }
    command
}

/// The words of a command line with `--flag false` as `--flag=false`, which could be a flag and a name otherwise.
pub(crate) fn with_joined_flags(words: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut words: Vec<OsString> = words.collect();
    let tools = tools::all_tools();
    let tool = words.iter().skip(1).find_map(|word| {
        let word = word.to_str()?;
        let is_named =
            |tool: &&ToolInfo| tool.cli == Some(word) || tool.name == word || tool.name.replace('_', "-") == word;
        tools.iter().find(is_named)
    });
    let Some(tool) = tool else { return words };
    let properties = tool.input_schema.get("properties").and_then(Value::as_object);
    let is_flag = |word: &str| {
        let name = word.strip_prefix("--")?.replace('-', "_");
        let alias = tool.aliases.iter().find(|(alias, _)| *alias == name);
        let name = alias.map_or(name.as_str(), |(_, to)| *to);
        let property = properties?.get(name)?;
        Some(kind(property) == "boolean")
    };
    let end = words.iter().position(|word| word == "--").unwrap_or(words.len());
    for at in (1..end).rev() {
        let (Some(word), Some(value)) = (words[at - 1].to_str(), words[at].to_str()) else {
            continue;
        };
        if matches!(value, "true" | "false") && is_flag(word) == Some(true) {
            let joined = format!("{word}={value}");
            words[at - 1] = joined.into();
            words.remove(at);
        }
    }
    words
}

fn kind(property: &Value) -> &str {
    property.get("type").and_then(Value::as_str).unwrap_or("string")
}

fn value_name(property: &Value) -> String {
    match property.get("enum").and_then(Value::as_array) {
        Some(values) => values.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("|"),
        None if kind(property) == "integer" => "N".to_owned(),
        None => "TEXT".to_owned(),
    }
}

fn help(property: &Value) -> String {
    let mut help = property
        .get("description")
        .and_then(Value::as_str)
        .unwrap_or_default()
        .to_owned();
    let bound = |key: &str| property.get(key).and_then(Value::as_u64);
    let range = match (bound("minimum"), bound("maximum")) {
        (low, Some(high)) => Some(format!("{} to {high}", low.unwrap_or(0))),
        _ => None,
    };
    if let Some(range) = range.filter(|_| kind(property) == "integer") {
        help.push_str(&format!(" [{range}]"));
    }
    let is_empty = |default: &&Value| default.as_array().is_some_and(Vec::is_empty);
    if let Some(default) = property.get("default").filter(|default| !is_empty(default)) {
        help.push_str(&format!(" [default: {}]", default.to_string().trim_matches('"')));
    }
    help.trim_start().to_owned()
}

/// The tool that a subcommand means, and its arguments.
pub(crate) fn tool_arguments(name: &str, matches: &ArgMatches) -> Result<(&'static str, Map<String, Value>), String> {
    let tools = tools::all_tools();
    let tool = tools
        .iter()
        .find(|tool| tool.cli == Some(name) || tool.name.replace('_', "-") == name);
    let tool = tool.ok_or_else(|| format!("there is no command `{name}`"))?;
    let empty = Map::new();
    let properties = tool
        .input_schema
        .get("properties")
        .and_then(Value::as_object)
        .unwrap_or(&empty);
    let mut arguments = Map::new();
    for (name, property) in properties {
        let given: Vec<&String> = [format!("at_{name}"), name.clone()]
            .iter()
            .filter_map(|id| matches.try_get_many::<String>(id).ok().flatten())
            .flatten()
            .collect();
        let value = match (kind(property), given.as_slice()) {
            (_, []) => continue,
            // `git diff --name-only | portolan impact --tests-only --files -`
            ("array", [dash]) if name == "files" && *dash == "-" => lines_of_stdin()?.into(),
            ("array", given) => Value::from_iter(given.iter().map(|text| text.as_str())),
            // By its place and by its name: who has written both means two things.
            (_, [one, .., other]) if one != other => {
                return Err(format!(
                    "<{}> is given twice: `{one}` and `{other}`",
                    name.to_uppercase()
                ));
            }
            (_, [.., last]) => Value::from(last.as_str()),
        };
        arguments.insert(name.clone(), absolute(tool, name, value));
    }
    let required = tool
        .input_schema
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten();
    for name in required.filter_map(Value::as_str) {
        if !arguments.contains_key(name) {
            let shown = match tool.positional.contains(&name) {
                true => format!("<{}>", name.to_uppercase()),
                false => format!("--{}", name.replace('_', "-")),
            };
            let command = tool.cli.unwrap_or(tool.name).replace('_', "-");
            return Err(format!("{shown} is missing; see portolan {command} --help"));
        }
    }
    Ok((tool.name, arguments))
}

/// The lines of stdin that are not empty.
fn lines_of_stdin() -> Result<Vec<String>, String> {
    let mut text = String::new();
    std::io::stdin()
        .read_to_string(&mut text)
        .map_err(|error| format!("cannot read stdin: {error}"))?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    Ok(lines.map(str::to_owned).collect())
}

/// What is said to who has not quoted a text of several words.
pub(crate) const QUOTES: &str = "put a text of several words in quotes";

/// Whether the workspace is only where it stands, and so may be the second word of a text.
pub(crate) fn has_second_word(matches: &ArgMatches) -> bool {
    let second = matches.try_get_one::<String>("at_workspace").ok().flatten();
    second.is_some_and(|word| !word.contains(['/', '.']))
}

/// Says how several words are given, where one of them is what cannot be understood.
pub(crate) fn explained(mut error: clap::Error) -> clap::Error {
    let unknown = error.get(ContextKind::InvalidArg).map(ToString::to_string);
    let is_word = unknown.is_some_and(|word| !word.starts_with('-'));
    if error.kind() == ErrorKind::UnknownArgument && is_word {
        let tips = ContextValue::StyledStrs(vec![QUOTES.into()]);
        error.insert(ContextKind::Suggested, tips);
    }
    error
}

/// A person means directories from where they stand; the tools that register one want them absolute.
fn absolute(tool: &ToolInfo, name: &str, value: Value) -> Value {
    let registers = !tool.effect.is_read_only() && name == "path";
    let path = value
        .as_str()
        .filter(|_| registers)
        .and_then(|path| std::path::absolute(Path::new(path)).ok());
    path.map_or(value, |path| path.to_string_lossy().into_owned().into())
}

/// The tool and arguments of `portolan call`.
pub(crate) fn call_arguments(matches: &ArgMatches) -> Result<(String, Map<String, Value>), String> {
    let text = |id: &str| matches.get_one::<String>(id).cloned().unwrap_or_default();
    let mut json = text("arguments");
    if json == "-" {
        json.clear();
        std::io::stdin()
            .read_to_string(&mut json)
            .map_err(|error| format!("cannot read stdin: {error}"))?;
    }
    match serde_json::from_str(&json) {
        Ok(Value::Object(mut arguments)) => {
            for (name, ..) in EVERYWHERE {
                if let Some(given) = matches.get_one::<String>(name) {
                    arguments.insert(name.to_owned(), given.as_str().into());
                }
            }
            Ok((text("tool"), arguments))
        }
        Ok(_) => Err("the arguments must be a JSON object".to_owned()),
        Err(error) => Err(format!("the arguments are not JSON: {error}")),
    }
}
