//! `read_file`: a file's text, in pieces of 20,000 characters.

use std::ops::RangeInclusive;

use queries::{FileSlice, Snapshot};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::machinery::{
    alias::{Alias, PLAIN},
    answer::Answer,
    error::ToolError,
    render::numbered,
    tool::{Ctx, Effect, Tool, Toolset},
    units::{bytes, plural},
    visible::{fenced, visible, visible_name},
};

pub(crate) struct ReadFile;

/// Characters in one answer at most.
const MAX_CHARS: usize = 20_000;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Params {
    #[schemars(length(min = 1, max = 4096))]
    path: String,
    /// First character
    #[serde(default)]
    #[schemars(range(min = 0))]
    offset: u64,
    /// Characters
    #[serde(default = "max_chars")]
    #[schemars(range(min = 1, max = 20000))]
    length: u64,
    /// Lines instead of characters
    #[schemars(range(min = 1))]
    start_line: Option<u32>,
    #[schemars(range(min = 1))]
    end_line: Option<u32>,
    /// Each line behind its number
    #[serde(default)]
    line_numbers: bool,
}

fn max_chars() -> u64 {
    MAX_CHARS as u64
}

const BY_LINES: &str = "start_line and end_line take lines; `length` counts characters";

impl Tool for ReadFile {
    const NAME: &'static str = "read_file";
    const TITLE: &'static str = "Read a file";
    const DOC: &'static str = "Text of a file as it is on disk now, up to 20,000 characters per answer.";
    const TOOLSET: Toolset = Toolset::Files;
    const EFFECT: Effect = Effect::Reads;
    const EXAMPLE: &'static str = r#"{"path": "src/query.rs"}"#;
    const CLI: Option<&'static str> = Some("read");
    const POSITIONAL: &'static [&'static str] = &["path"];
    const ALIASES: &'static [(&'static str, &'static str)] = &[
        ("file_path", "path"),
        ("file", "path"),
        ("start", "offset"),
        ("line", "start_line"),
        ("line_start", "start_line"),
        ("from_line", "start_line"),
        ("line_end", "end_line"),
        ("to_line", "end_line"),
        ("number", "line_numbers"),
        ("numbered", "line_numbers"),
    ];
    const DEFAULT_TOKENS: u64 = 20_000;
    const OTHER_NAMES: &'static [Alias] = &[Alias {
        name: "read_file_content",
        to: Self::NAME,
        rename: &[("file_path", "path")],
        ..PLAIN
    }];
    const OUTPUT: &'static [(&'static str, &'static str)] = &[
        ("path", "string"),
        ("text", "string"),
        ("characters", "integer"),
        ("next_offset", "integer"),
    ];

    type Params = Params;

    fn instead_of(parameter: &str) -> Option<&'static str> {
        match parameter {
            // Characters are not what was meant.
            "limit" => Some(BY_LINES),
            parameter if parameter.contains("line") => Some(BY_LINES),
            _ => None,
        }
    }

    fn run(ctx: &Ctx<'_>, params: Params) -> Result<Answer, ToolError> {
        let snapshot = Snapshot::new(ctx.workspace()?.committed()?);
        let (offset, length) = (params.offset as usize, (params.length as usize).min(MAX_CHARS));
        let given = params.start_line.or(params.end_line).is_some();
        let mut lines = given.then(|| params.start_line.unwrap_or(1)..=params.end_line.unwrap_or(u32::MAX));
        let mut read = snapshot.read_file(&params.path, offset, length);
        // As other tools write a place: `src/a.rs:10-20`.
        if let (Err(workspace::Error::NoSuchFile { .. }), Some((path, named))) = (&read, path_and_lines(&params.path)) {
            read = snapshot.read_file(path, offset, length);
            lines = Some(named);
        }
        let mut slice = read.map_err(|error| of_symbol(error, &params.path))?;
        if let Some(lines) = &lines {
            slice = of_lines(&snapshot, &slice, lines)?;
        } else if offset > slice.chars || (offset == slice.chars && offset > 0) {
            let message = format!(
                "offset {offset} is behind the end: `{}` has {} characters",
                slice.path, slice.chars
            );
            return Err(ToolError {
                hint: "use a smaller offset".into(),
                ..ToolError::invalid(message)
            });
        }
        let asked = lines.as_ref().map(|_| slice.text.chars().count());
        if asked.is_some_and(|asked| asked > MAX_CHARS) {
            slice.text = slice.text.chars().take(MAX_CHARS).collect();
        }
        // Dense text may need more tokens than its characters let expect.
        while !ctx.paging.fits_whole(&answer(&slice, asked, params.line_numbers)) && slice.text.chars().count() > 1 {
            let keep = slice.text.chars().count() * 4 / 5;
            slice.text = slice.text.chars().take(keep.max(1)).collect();
        }
        Ok(answer(&slice, asked, params.line_numbers))
    }
}

/// The lines of a file of which any part was read.
fn of_lines(snapshot: &Snapshot, slice: &FileSlice, lines: &RangeInclusive<u32>) -> Result<FileSlice, ToolError> {
    let (first, last) = (*lines.start(), (*lines.end()).min(slice.lines));
    if first > last {
        let message = match first > slice.lines {
            true => format!("`{}` has no line {first}: it has {}", slice.path, slice.lines),
            false => format!("line {last} is before line {first}"),
        };
        return Err(ToolError {
            hint: "lines count from 1; the first one comes first".into(),
            ..ToolError::invalid(message)
        });
    }
    let whole = snapshot.read_file(&slice.path, 0, usize::MAX)?;
    let mut all = whole.text.split_inclusive('\n');
    let before = all.by_ref().take(first as usize - 1).map(|line| line.chars().count());
    Ok(FileSlice {
        offset: before.sum(),
        first_line: first,
        text: all.take((last - first) as usize + 1).collect(),
        ..whole
    })
}

/// Why there is no such file, where a part of one may be meant.
pub(crate) fn of_symbol(error: workspace::Error, path: &str) -> ToolError {
    let mut error = ToolError::from(error);
    let what = match (path_and_lines(path), path.contains('#')) {
        (Some(_), _) => "lines are",
        (None, true) => "a symbol is",
        (None, false) => return error,
    };
    error.hint = format!("{what} for extract_code: targets [\"{path}\"]").into();
    error
}

/// A path and the lines behind it: `src/a.rs:10`, `src/a.rs:10-20`.
fn path_and_lines(path: &str) -> Option<(&str, RangeInclusive<u32>)> {
    let (before, lines) = path.rsplit_once(':').filter(|(before, _)| !before.is_empty())?;
    let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
    Some((before, first.parse().ok()?..=last.parse().ok()?))
}

/// `asked` for so many characters, if lines were.
fn answer(slice: &FileSlice, asked: Option<usize>, line_numbers: bool) -> Answer {
    let shown = slice.text.chars().count();
    let end = slice.offset + shown;
    let mut head = format!(
        "{} ({}, {}, {})",
        visible_name(&slice.path),
        slice.lang,
        bytes(slice.bytes),
        plural(slice.lines as usize, "line")
    );
    let mut facts = json!({
        "path": slice.path,
        "language": slice.lang,
        "bytes": slice.bytes,
        "lines": slice.lines,
        "characters": slice.chars,
        "offset": slice.offset,
        "length": shown,
        "first_line": slice.first_line,
        "text": slice.text,
    });
    let is_all = asked.is_some_and(|asked| shown >= asked);
    if is_all {
        let n_lines = slice.text.lines().count().max(1) as u32;
        let last = slice.first_line + n_lines - 1;
        head.push_str(&format!("\nLines {}-{last}:", slice.first_line));
    } else if shown < slice.chars {
        let percent = 100.0 * shown as f64 / slice.chars as f64;
        head.push_str(&format!(
            "\nWARNING: truncated: showing characters {}-{} of {} ({percent:.1}%), from line {}; not shown: {}.",
            slice.offset + 1,
            end,
            slice.chars,
            slice.first_line,
            slice.chars - shown
        ));
    }
    if end < slice.chars && !is_all {
        head.push_str(&format!(" Next: offset {end}."));
        facts["next_offset"] = end.into();
    }
    if let Some(note) = slice.note {
        head.push_str(&format!("\nNote: {note}."));
        facts["note"] = note.into();
    }
    if slice.chars > 0 {
        head.push('\n');
        let text = visible(&slice.text);
        let code = match line_numbers {
            true => numbered(slice.first_line, &text, false),
            false => text.into_owned(),
        };
        head.push_str(&fenced(slice.lang, &code));
    } else {
        head.push_str("\nThe file is empty.");
    }
    Answer::of(head, facts)
}
