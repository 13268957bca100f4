//! `portolan graph`: the call graph as the tool prints it, or a picture of it, or of the modules, in a file.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::{Arg, ArgAction, ArgMatches, Command};
use config::Config;
use picture::{Drawing, Graph};
use serde_json::{Map, Value};

use crate::{call, cli, usage};

/// The everyday name of the tool, and its own.
pub(crate) const NAMES: [&str; 2] = ["graph", "get-call-graph"];

/// A picture has room for more than an agent wants to read.
const PICTURE_TOKENS: u64 = 20_000;

/// The tool's command line with pictures in it.
pub(crate) fn command(tool: Command) -> Command {
    tool.about("Who calls whom around a symbol, or in a file; or how modules import each other. As text or a picture.")
        .mut_arg("output", |arg| {
            arg.short('o')
                .value_name("text|mermaid|dot|json|FILE")
                .help("A file that ends in .svg or .html gets a picture [default: text]")
        })
        .mut_arg("at_symbol", |arg| {
            arg.help("`name`, `Owner::name` or a file; a directory with --modules")
        })
        .mut_arg("at_file_path", |arg| arg.help("The file that defines the symbol"))
        .arg(
            Arg::new("modules")
                .long("modules")
                .action(ArgAction::SetTrue)
                .help("The modules of a directory, by default all, and their imports"),
        )
}

/// What a file is to hold, by the end of its name.
#[derive(Clone, Copy)]
enum Format {
    Svg,
    Html,
}

enum Output {
    /// The tool's own word for it.
    Printed,
    File(PathBuf, Format),
}

impl Output {
    fn of(text: Option<&str>) -> Result<Output, String> {
        let Some(text) = text.filter(|text| !["text", "mermaid", "dot", "json"].contains(text)) else {
            return Ok(Output::Printed);
        };
        let path = PathBuf::from(text);
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let format = match ending.to_ascii_lowercase().as_str() {
            "svg" => Format::Svg,
            "html" | "htm" => Format::Html,
            _ => {
                return Err(format!(
                    "`{text}` ends in neither .svg nor .html; text, mermaid, dot and json are printed"
                ));
            }
        };
        Ok(Output::File(path, format))
    }
}

pub(crate) fn run(config: Config, matches: &ArgMatches) -> ExitCode {
    match requested(matches) {
        Err(message) => usage(&message),
        Ok((tool, arguments, Output::Printed)) => call(config, tool, arguments, None),
        Ok((tool, arguments, Output::File(path, format))) => draw(config, tool, arguments, &path, format),
    }
}

/// The tool to call, its arguments, and where the answer goes.
fn requested(matches: &ArgMatches) -> Result<(&'static str, Map<String, Value>, Output), String> {
    let (tool, mut arguments) = cli::tool_arguments("graph", matches)?;
    let text =
        |arguments: &Map<String, Value>, key: &str| arguments.get(key).and_then(Value::as_str).map(str::to_owned);
    let output = text(&arguments, "output");
    let to = Output::of(output.as_deref())?;
    if let Output::File(..) = to {
        arguments.insert("output".to_owned(), "json".into());
        arguments.entry("max_tokens").or_insert(PICTURE_TOKENS.into());
    }
    if matches.get_flag("modules") {
        let mut asked = Map::new();
        for key in ["depth", "workspace", "max_tokens", "format"] {
            asked.extend(arguments.remove_entry(key));
        }
        let dir = text(&arguments, "symbol").or_else(|| text(&arguments, "file_path"));
        asked.insert("file_path".to_owned(), dir.unwrap_or_else(|| ".".to_owned()).into());
        match output.as_deref() {
            Some("mermaid" | "dot") => return Err("--modules has text, json, .svg and .html".to_owned()),
            Some("json") => {
                asked.insert("format".to_owned(), "json".into());
            }
            _ => {}
        }
        return Ok(("get_dependencies", asked, to));
    }
    // A person gives a file where the tool wants to be told that it is one, alone or before the symbol.
    if let Some(given) = text(&arguments, "symbol")
        && Path::new(&given).is_file()
    {
        arguments.remove("symbol");
        if let Some(symbol) = arguments.insert("file_path".to_owned(), given.into()) {
            arguments.insert("symbol".to_owned(), symbol);
        }
    }
    Ok((tool, arguments, to))
}

fn draw(config: Config, tool: &str, arguments: Map<String, Value>, path: &Path, format: Format) -> ExitCode {
    let outcome = match crate::ask(config, tool, arguments) {
        Ok(outcome) => outcome,
        Err(message) => return usage(&message),
    };
    let answer = &outcome.structured;
    let Some(graph) = Graph::of_calls(answer).or_else(|| Graph::of_modules(answer)) else {
        match answer["file"].as_str() {
            Some(file) => eprintln!("error: {file} is a file; --modules is about a directory"),
            None => eprintln!("{}", outcome.text),
        }
        return ExitCode::FAILURE;
    };
    let drawing = Drawing::new(&graph);
    let drawn = match format {
        Format::Svg => drawing.to_svg(),
        Format::Html => drawing.to_html(),
    };
    if let Err(error) = write(path, &drawn) {
        eprintln!("error: cannot write {}: {error}", path.display());
        return ExitCode::FAILURE;
    }
    let (told, notes) = (path.display(), graph.notes.join(" "));
    let _ = writeln!(io::stdout().lock(), "{told}: {}. {notes}", graph.title);
    ExitCode::SUCCESS
}

/// All of it or nothing: a viewer that watches the file never sees a half.
fn write(path: &Path, text: &str) -> io::Result<()> {
    let dir = match path.parent() {
        Some(dir) if !dir.as_os_str().is_empty() => dir,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".portolan-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // As any file that is made: the user's mask takes from these.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(dir)?;
    file.write_all(text.as_bytes())?;
    file.persist(path)?;
    Ok(())
}
