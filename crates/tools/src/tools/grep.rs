//! `grep`: every line that a regular expression matches.

use queries::{FilterSpec, LineMatch, Snapshot};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::{
    machinery::{
        answer::{Answer, Row},
        error::ToolError,
        tool::{Ctx, Effect, Tool, Toolset},
        units::plural,
        visible::{clip_line, visible_name},
    },
    parts::filter::{language, looked_at, of_paths},
};

pub(crate) struct Grep;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Params {
    /// Regular expression
    #[schemars(length(min = 1, max = 1000))]
    pattern: String,
    /// Globs or directories
    paths: Option<Vec<String>>,
    language: Option<String>,
    #[serde(default)]
    ignore_case: bool,
    /// Only counts per file
    #[serde(default)]
    count: bool,
    #[serde(default)]
    #[schemars(range(min = 0, max = 20))]
    context: u32,
    /// Lines of one answer, or files with count; default what fits
    #[schemars(range(min = 1, max = 2000))]
    limit: Option<u32>,
}

/// Rows made for one page; more never fit the budget.
const MAX_ROWS: usize = 2000;

impl Tool for Grep {
    const NAME: &'static str = "grep";
    const TITLE: &'static str = "Search by regular expression";
    const DOC: &'static str = "Every line that a regular expression matches, with exact totals.";
    const TOOLSET: Toolset = Toolset::Files;
    const EFFECT: Effect = Effect::Reads;
    const EXAMPLE: &'static str = r#"{"pattern": "fn \\w+"}"#;
    const POSITIONAL: &'static [&'static str] = &["pattern", "paths"];
    const ALIASES: &'static [(&'static str, &'static str)] = &[
        ("query", "pattern"),
        ("path", "paths"),
        ("include", "paths"),
        ("glob", "paths"),
        ("context_lines", "context"),
        ("case_insensitive", "ignore_case"),
        ("-i", "ignore_case"),
        ("-A", "context"),
        ("-B", "context"),
        ("-C", "context"),
        ("files", "paths"),
        ("type", "language"),
        ("max_results", "limit"),
        ("max_count", "limit"),
        ("head_limit", "limit"),
        ("lang", "language"),
    ];
    const VERBATIM: &'static [&'static str] = &["pattern"];
    const OUTPUT: &'static [(&'static str, &'static str)] = &[
        ("matches", "array"),
        ("total", "integer"),
        ("coverage", "object"),
        ("next_cursor", "string"),
    ];

    type Params = Params;

    fn instead_of(parameter: &str) -> Option<&'static str> {
        match parameter {
            "output_mode" | "files_with_matches" | "files_only" => {
                Some("count: true lists the files, with how many lines of each match")
            }
            _ => None,
        }
    }

    fn run(ctx: &Ctx<'_>, params: Params) -> Result<Answer, ToolError> {
        ctx.answer(|snapshot| {
            let filter = FilterSpec {
                lang: params.language.as_deref().map(language).transpose()?,
                ..of_paths(snapshot, params.paths.as_deref(), None)?
            };
            let found = snapshot.grep(&params.pattern, params.ignore_case, &filter, ctx.control.cancelled)?;
            let pattern = visible_name(&params.pattern);
            let head = match found.total {
                0 => format!("No match for `{pattern}` ({})", looked_at(snapshot, &filter)),
                total => format!(
                    "{} in {} for `{pattern}`",
                    plural(total, "line"),
                    plural(found.files.len(), "file")
                ),
            };
            let limit = params.limit.map_or(MAX_ROWS, |limit| limit as usize);
            let narrower = "narrow with paths or count".into();
            let mut answer = Answer {
                head,
                key: "matches",
                narrower,
                ..Answer::default()
            };
            answer.fact("files_total", found.files.len());
            if params.count {
                answer.fact("lines_total", found.total);
                answer.total = found.files.len();
                answer.rows = counts(&found.files, ctx.paging.offset, limit);
            } else {
                answer.total = found.total;
                answer.rows = lines(snapshot, &found.files, ctx.paging.offset, limit, params.context)?;
            }
            Ok(answer)
        })
    }
}

fn counts(files: &[(String, Vec<LineMatch>)], offset: usize, limit: usize) -> Vec<Row> {
    let rows = files.iter().skip(offset).take(limit).map(|(path, lines)| Row {
        text: format!("{}: {}", visible_name(path), lines.len()),
        json: json!({ "path": path, "count": lines.len() }),
        body: None,
    });
    rows.collect()
}

fn lines(
    snapshot: &Snapshot,
    files: &[(String, Vec<LineMatch>)],
    offset: usize,
    limit: usize,
    context: u32,
) -> Result<Vec<Row>, ToolError> {
    let all = files
        .iter()
        .flat_map(|(path, lines)| lines.iter().map(move |line| (path.as_str(), line)));
    let page: Vec<(&str, &LineMatch)> = all.skip(offset).take(limit).collect();
    let around = |line: u32| line.saturating_sub(context).max(1)..=line.saturating_add(context);
    let texts = snapshot.lines_of(page.iter().map(|(path, found)| (*path, around(found.line))))?;
    let mut rows = Vec::with_capacity(page.len());
    let mut last: Option<(&str, u32)> = None;
    for (path, found) in page {
        let texts = &texts[path];
        let line_at = |line: u32| texts.get(&line).map(String::as_str).unwrap_or_default();
        let mut shown = Vec::new();
        let printed = match last {
            Some((same, line)) if same == path => line,
            _ => {
                shown.push(visible_name(path));
                0
            }
        };
        for line in around(found.line).filter(|line| *line > printed && texts.contains_key(line)) {
            let (mark, from) = if line == found.line {
                (':', found.column)
            } else {
                ('-', 1)
            };
            shown.push(format!(
                "  {line}{mark} {}",
                clip_line(line_at(line), from as usize - 1)
            ));
        }
        last = Some((path, *around(found.line).end()));
        let mut json = json!({
            "path": path,
            "line": found.line,
            "column": found.column,
            "text": clip_line(line_at(found.line), found.column as usize - 1),
        });
        if context > 0 {
            let side = |range: std::ops::Range<u32>| -> Vec<String> {
                range
                    .filter(|line| texts.contains_key(line))
                    .map(|line| clip_line(line_at(line), 0))
                    .collect()
            };
            json["before"] = side(*around(found.line).start()..found.line).into();
            json["after"] = side(found.line + 1..*around(found.line).end() + 1).into();
        }
        rows.push(Row {
            text: shown.join("\n"),
            json,
            body: None,
        });
    }
    Ok(rows)
}
