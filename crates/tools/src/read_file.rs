//! `read_file`: a file's text, in pieces of 20,000 characters.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use workspace::FileSlice;

use crate::{
    answer::Answer,
    error::ToolError,
    tool::{Ctx, Effect, Tool, Toolset},
    units::{bytes, count},
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
}

fn max_chars() -> u64 {
    MAX_CHARS as u64
}

impl Tool for ReadFile {
    const NAME: &'static str = "read_file";
    const TITLE: &'static str = "Read a file";
    const DOC: &'static str = "Text of a file as it is on disk now, up to 20,000 characters per answer.";
    const TOOLSET: Toolset = Toolset::Files;
    const EFFECT: Effect = Effect::Reads;
    const CLI: Option<&'static str> = Some("read");
    const POSITIONAL: &'static [&'static str] = &["path"];
    const ALIASES: &'static [(&'static str, &'static str)] =
        &[("file_path", "path"), ("file", "path"), ("start", "offset")];
    const DEFAULT_TOKENS: u64 = 20_000;
    const OUTPUT: &'static [(&'static str, &'static str)] = &[
        ("path", "string"),
        ("text", "string"),
        ("characters", "integer"),
        ("next_offset", "integer"),
    ];

    type Params = Params;

    fn run(ctx: &Ctx<'_>, params: Params) -> Result<Answer, ToolError> {
        let snapshot = ctx.workspace()?.committed()?;
        let (offset, length) = (params.offset as usize, params.length as usize);
        let read = snapshot.read_file(&params.path, offset, length.min(MAX_CHARS));
        let mut slice = read.map_err(|error| of_lines(error, &params.path))?;
        if offset > slice.chars || (offset == slice.chars && offset > 0) {
            let message = format!(
                "offset {offset} is behind the end: `{}` has {} characters",
                slice.path, slice.chars
            );
            return Err(ToolError {
                hint: "use a smaller offset".into(),
                ..ToolError::invalid(message)
            });
        }
        // Dense text may need more tokens than its characters let expect.
        while !ctx.paging.fits_whole(&answer(&slice)) && slice.text.chars().count() > 1 {
            let keep = slice.text.chars().count() * 4 / 5;
            slice.text = slice.text.chars().take(keep.max(1)).collect();
        }
        Ok(answer(&slice))
    }
}

/// Why there is no such file, where a part of one may be meant.
pub(crate) fn of_lines(error: workspace::Error, path: &str) -> ToolError {
    let mut error = ToolError::from(error);
    let what = match (has_lines(path), path.contains('#')) {
        (true, _) => "lines are",
        (false, true) => "a symbol is",
        (false, false) => return error,
    };
    error.hint = format!("{what} for extract_code: targets [\"{path}\"]");
    error
}

/// Whether a path ends with lines: `src/a.rs:10`, `src/a.rs:10-20`.
fn has_lines(path: &str) -> bool {
    let Some((before, lines)) = path.rsplit_once(':') else {
        return false;
    };
    !before.is_empty() && !lines.is_empty() && lines.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
}

fn answer(slice: &FileSlice) -> Answer {
    let shown = slice.text.chars().count();
    let end = slice.offset + shown;
    let mut head = format!(
        "{} ({}, {}, {} lines)",
        visible_name(&slice.path),
        slice.lang,
        bytes(slice.bytes),
        count(u64::from(slice.lines))
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
    if shown < slice.chars {
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
    if end < slice.chars {
        head.push_str(&format!(
            " Next: offset {end}; or search_code, grep or preview_chunk to go to the place."
        ));
        facts["next_offset"] = end.into();
    }
    if let Some(note) = slice.note {
        head.push_str(&format!("\nNote: {note}."));
        facts["note"] = note.into();
    }
    if slice.chars > 0 {
        head.push('\n');
        head.push_str(&fenced(slice.lang, &visible(&slice.text)));
    } else {
        head.push_str("\nThe file is empty.");
    }
    Answer::of(head, facts)
}
