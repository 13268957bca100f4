//! Rows of references: line numbers by function, or each with its code.

use queries::{CodeGraph, Use, UseHit};
use serde_json::json;
use workspace::Error;

use super::HIGH;
use crate::{
    machinery::{
        answer::{Body, Row},
        error::ToolError,
        visible::{clip_line, visible_name},
    },
    parts::{
        groups::MadeRow,
        risk::role_word,
        subject::{origin_json, origin_mark, origin_text},
    },
};

/// Makes the rows of one list of uses.
pub(super) struct RowMaker<'m> {
    graph: &'m CodeGraph<'m>,
    uses: &'m [&'m Use],
    /// Lines of code around each; nothing for line numbers alone.
    context: Option<u32>,
}

/// What a row of line numbers says.
pub(super) struct Line {
    path: String,
    /// `Checker.check (method)`
    container: String,
    /// `12 call`
    place: String,
}

impl<'m> RowMaker<'m> {
    pub fn new(graph: &'m CodeGraph<'m>, uses: &'m [&'m Use], context: Option<u32>) -> RowMaker<'m> {
        RowMaker { graph, uses, context }
    }

    pub fn row(&self, at: usize) -> Result<MadeRow, ToolError> {
        let used = self.uses[at];
        if let Some(context) = self.context {
            return Ok((row_with_code(self.graph, used, context)?, None));
        }
        let hit = self.graph.use_hit(used)?;
        let line = self.line(used, &hit)?;
        let before = match at.checked_sub(1) {
            Some(before) => {
                let used = self.uses[before];
                Some(self.line(used, &self.graph.use_hit(used)?)?)
            }
            None => None,
        };
        let Line { path, container, place } = &line;
        let behind =
            before
                .filter(|before| before.path == line.path)
                .map(|before| match before.container == line.container {
                    true if before.place == line.place => String::new(),
                    true => format!(", {place}"),
                    false => format!("\n  {container}  {place}"),
                });
        let text = format!("{path}\n  {container}  {place}");
        let row = Row {
            text,
            json: reference_json(used, &hit),
            body: None,
        };
        Ok((row, behind))
    }

    fn line(&self, used: &Use, hit: &UseHit) -> Result<Line, ToolError> {
        let container = match self.graph.container(used) {
            Some(id) => {
                let hit = self.graph.hit(id)?;
                format!("{} ({})", visible_name(&hit.qualified_name), hit.kind.as_str())
            }
            None => "(top level)".to_owned(),
        };
        let mark = match used.confidence < HIGH {
            true => format!(" [{}]", origin_text(used.origin, used.confidence)),
            false => origin_mark(used.origin, used.confidence),
        };
        Ok(Line {
            path: visible_name(&hit.path),
            container,
            place: format!("{} {}{mark}", hit.line, visible_name(role_word(&hit.role_text))),
        })
    }
}

fn reference_json(used: &Use, hit: &UseHit) -> serde_json::Value {
    let mut json = json!({
        "path": hit.path,
        "line": hit.line,
        "column": hit.column,
        "role": hit.role_text,
        "kind": hit.role.as_str(),
    });
    if let Some((name, ..)) = &hit.enclosing {
        json["enclosing"] = name.clone().into();
    }
    if hit.is_test {
        json["test"] = true.into();
    }
    origin_json(&mut json, used.origin, used.confidence);
    json
}

fn row_with_code(graph: &CodeGraph<'_>, used: &Use, context: u32) -> Result<Row, Error> {
    let hit = graph.use_hit(used)?;
    let mut json = reference_json(used, &hit);
    let (first, lines) = graph.lines_around(used.file, hit.line, context)?;
    let mut text = format!(
        "{}:{}:{} {} [{}]",
        visible_name(&hit.path),
        hit.line,
        hit.column,
        visible_name(&hit.role_text),
        origin_text(used.origin, used.confidence)
    );
    let body = match context {
        0 => {
            let line = lines.first().map_or("", |line| line.trim_end());
            let indent = line.len() - line.trim_start().len();
            let line = clip_line(line.trim_start(), (hit.column as usize).saturating_sub(1 + indent));
            // Columns of declarations are of no use in a list.
            let line = line
                .split('\t')
                .filter(|part| !part.is_empty())
                .collect::<Vec<_>>()
                .join(" ");
            text.push_str(&format!("\n  {}", visible_name(&line)));
            json["text"] = line.into();
            None
        }
        _ => Some(Body {
            field: "context",
            first_line: None,
            is_continued: false,
            numbered_in: json["path"].as_str().map(str::to_owned),
            lang: graph.source(used.file)?.lang.name,
            text: (first..)
                .zip(&lines)
                .map(|(number, line)| {
                    let at = if number == hit.line { hit.column as usize - 1 } else { 0 };
                    format!("{number}: {}", clip_line(line, at))
                })
                .collect::<Vec<_>>()
                .join("\n"),
        }),
    };
    Ok(Row { text, json, body })
}
