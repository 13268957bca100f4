//! `preview_chunk`: a search result with the lines around it.

use queries::ChunkView;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::machinery::{
    answer::{Answer, Body, Row},
    error::ToolError,
    tool::{Ctx, Effect, Engine, SYNTAX, Tool, Toolset, number},
    visible::visible_name,
};

pub(crate) struct PreviewChunk;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Params {
    #[schemars(length(min = 1, max = 4096))]
    file_path: String,
    /// From search results
    #[schemars(range(min = 0, max = 4294967295u64))]
    chunk_index: u32,
    #[serde(default = "number::<10>")]
    #[schemars(range(min = 0, max = 100))]
    context_lines: u32,
}

impl Tool for PreviewChunk {
    const NAME: &'static str = "preview_chunk";
    const TITLE: &'static str = "Preview a chunk";
    const DOC: &'static str = "A search result with numbered lines around it.";
    const TOOLSET: Toolset = Toolset::Files;
    const EFFECT: Effect = Effect::Reads;
    const EXAMPLE: &'static str = r#"{"file_path": "src/query.rs", "chunk_index": 0}"#;
    const ENGINES: &'static [Engine] = SYNTAX;
    const CLI: Option<&'static str> = Some("preview");
    const POSITIONAL: &'static [&'static str] = &["file_path", "chunk_index"];
    const ALIASES: &'static [(&'static str, &'static str)] = &[
        ("path", "file_path"),
        ("file", "file_path"),
        ("chunk", "chunk_index"),
        ("context", "context_lines"),
    ];
    const OUTPUT: &'static [(&'static str, &'static str)] = &[("chunks", "array"), ("coverage", "object")];

    type Params = Params;

    fn run(ctx: &Ctx<'_>, params: Params) -> Result<Answer, ToolError> {
        ctx.answer(|snapshot| {
            let view = snapshot.preview_chunk(&params.file_path, params.chunk_index, params.context_lines)?;
            let row = row(&view);
            Ok(Answer {
                key: "chunks",
                rows: vec![row],
                total: 1,
                ..Answer::default()
            })
        })
    }
}

fn row(view: &ChunkView) -> Row {
    let last = view.shown_from + (view.lines.len() as u32).saturating_sub(1);
    let text = format!(
        "{}:{}-{} (chunk {} of {}, bytes {}-{}; lines {}-{last} shown)",
        visible_name(&view.path),
        view.first_line,
        view.last_line,
        view.chunk,
        view.chunk_count,
        view.start_byte,
        view.end_byte,
        view.shown_from,
    );
    let width = last.to_string().len();
    let numbered: Vec<String> = view
        .lines
        .iter()
        .zip(view.shown_from..)
        .map(|(line, number)| {
            let mark = match (number == view.first_line, number == view.last_line) {
                (true, true) => "  <-- chunk starts and ends here",
                (true, false) => "  <-- chunk starts here",
                (false, true) => "  <-- chunk ends here",
                (false, false) => "",
            };
            format!("{number:>width$} | {line}{mark}")
        })
        .collect();
    let json = json!({
        "path": view.path,
        "language": view.lang,
        "chunk_index": view.chunk,
        "chunk_count": view.chunk_count,
        "start_line": view.first_line,
        "end_line": view.last_line,
        "start_byte": view.start_byte,
        "end_byte": view.end_byte,
        "shown_from": view.shown_from,
    });
    Row {
        text,
        json,
        body: Some(Body {
            field: "text",
            first_line: None,
            is_continued: false,
            numbered_in: None,
            lang: view.lang,
            text: numbered.join("\n"),
        }),
    }
}
