//! A chunk that was found, as a row.

use queries::ChunkView;
use serde_json::json;

use crate::machinery::{
    answer::{Body, Row},
    units::rounded,
    visible::visible_name,
};

pub(crate) fn row(score: f32, view: ChunkView) -> Row {
    let score = rounded(score);
    let (from, to) = (
        view.shown_from,
        view.shown_from + (view.lines.len() as u32).saturating_sub(1),
    );
    let symbol = view.symbol.as_ref().map_or(String::new(), |(name, kind)| {
        format!("{} {}, ", kind.as_str(), visible_name(name))
    });
    let text = format!(
        "{}:{from}-{to} ({symbol}chunk {}, score {score:.2})",
        visible_name(&view.path),
        view.chunk,
    );
    let mut json = json!({
        "path": view.path,
        "start_line": from,
        "end_line": to,
        "score": score,
        "language": view.lang,
    });
    if let Some((name, kind)) = &view.symbol {
        json["symbol"] = name.clone().into();
        json["kind"] = kind.as_str().into();
    }
    json["chunk_index"] = view.chunk.into();
    let body = Body {
        field: "snippet",
        first_line: None,
        is_continued: false,
        numbered_in: None,
        lang: view.lang,
        text: view.lines.join("\n"),
    };
    Row {
        text,
        json,
        body: Some(body),
    }
}

/// The same with the numbers of its lines in the text.
pub(crate) fn numbered_row(score: f32, view: ChunkView) -> Row {
    let first = view.shown_from;
    let mut row = row(score, view);
    if let Some(body) = &mut row.body {
        body.first_line = Some(first);
    }
    row
}
