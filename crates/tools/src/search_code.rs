//! `search_code`: ranked chunks for a query, or every place of an exact text.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use workspace::{ChunkView, Expr, FilterSpec, PathGlobs, QueryProblem, Snapshot, lang_by_name, parse_query};

use crate::{
    answer::{Answer, Body, Row},
    error::ToolError,
    tool::{Ctx, Effect, Tool, Toolset},
    units::{count, plural},
    visible::visible_name,
};

pub(crate) struct SearchCode;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Params {
    /// Words, identifiers, "phrases", AND/OR/NOT, (groups), content: path: lang:
    #[schemars(length(min = 1, max = 500))]
    query: String,
    /// auto decides by the query
    #[serde(default)]
    mode: Mode,
    /// Exact substring: case and punctuation count, no hit is missed
    #[serde(default)]
    literal: bool,
    /// Results per page
    #[serde(default = "ten")]
    #[schemars(range(min = 1, max = 100))]
    k: u32,
    /// Name or extension
    language: Option<String>,
    /// Only these globs or directories
    path: Option<Vec<String>>,
    /// Not these globs
    exclude: Option<Vec<String>>,
    #[serde(default)]
    exclude_tests: bool,
    /// Lines around each chunk
    #[serde(default)]
    #[schemars(range(min = 0, max = 50))]
    context_lines: u32,
}

fn ten() -> u32 {
    10
}

#[derive(Deserialize, JsonSchema, Default, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
enum Mode {
    #[default]
    Auto,
    Hybrid,
    Keyword,
    Semantic,
    Definitions,
}

impl Tool for SearchCode {
    const NAME: &'static str = "search_code";
    const TITLE: &'static str = "Search code";
    const DOC: &'static str = "Find code by words, identifiers or an exact string; ranked chunks with path, lines and \
                               code. Use first, instead of grep. Code needs no escaping: `foo.bar()`, `a::b`, `/x/{id}`.";
    const TOOLSET: Toolset = Toolset::Core;
    const EFFECT: Effect = Effect::Reads;
    const CLI: Option<&'static str> = Some("search");
    const POSITIONAL: &'static [&'static str] = &["query", "workspace"];
    const ALIASES: &'static [(&'static str, &'static str)] = &[
        ("keyword", "query"),
        ("limit", "k"),
        ("max_results", "k"),
        ("exact", "literal"),
        ("lang", "language"),
        ("include", "path"),
        ("file_pattern", "path"),
        ("paths", "path"),
    ];
    const OUTPUT: &'static [(&'static str, &'static str)] = &[
        ("results", "array"),
        ("total", "integer"),
        ("coverage", "object"),
        ("next_cursor", "string"),
    ];

    type Params = Params;

    fn run(ctx: &Ctx<'_>, params: Params) -> Result<Answer, ToolError> {
        ctx.answer(|snapshot| {
            let filter = filter(snapshot, &params)?;
            if params.literal {
                return literal(ctx, snapshot, &params, &filter, None);
            }
            let expr =
                parse_query(&params.query).map_err(|error| workspace::Error::Query(QueryProblem::from(error)))?;
            match expr.filter(has_words) {
                Some(expr) => keyword(ctx, snapshot, &params, &filter, &expr),
                // Nothing but punctuation: the text itself is what can be found.
                None => literal(
                    ctx,
                    snapshot,
                    &params,
                    &filter,
                    Some("no words in the query, so it is taken literally"),
                ),
            }
        })
    }
}

fn has_words(expr: &Expr) -> bool {
    match expr {
        Expr::Leaf(leaf) => leaf.field != workspace::Field::Content || !leaf.words().is_empty(),
        Expr::Not(item) => has_words(item),
        Expr::And(items) | Expr::Or(items) | Expr::Seq(items) => items.iter().any(has_words),
    }
}

fn filter(snapshot: &Snapshot, params: &Params) -> Result<FilterSpec, ToolError> {
    Ok(FilterSpec {
        lang: params.language.as_deref().map(language).transpose()?,
        include: globs(snapshot, params.path.as_deref())?,
        exclude: globs(snapshot, params.exclude.as_deref())?,
        exclude_tests: params.exclude_tests,
    })
}

/// A language by any of its names.
pub(crate) fn language(name: &str) -> Result<&'static str, ToolError> {
    let found = lang_by_name(name).map(|lang| lang.name);
    let nearest = workspace::nearest_lang(name, strsim::jaro_winkler);
    Ok(found.ok_or_else(|| workspace::Error::UnknownLang {
        name: name.to_owned(),
        nearest,
    })?)
}

/// Globs as users write them: relative to the root, or absolute below it. The root itself means everything.
pub(crate) fn globs(snapshot: &Snapshot, patterns: Option<&[String]>) -> Result<Option<PathGlobs>, ToolError> {
    let root = snapshot.session().root.to_string_lossy().into_owned();
    let mut relative = Vec::new();
    for pattern in patterns.unwrap_or_default() {
        let inside = pattern
            .strip_prefix(root.as_str())
            .filter(|rest| rest.is_empty() || rest.starts_with('/'));
        let inside = inside.map_or(pattern.as_str(), |rest| rest.trim_start_matches('/'));
        if matches!(inside.trim_end_matches('/'), "" | "." | "**" | "**/*") {
            return Ok(None);
        }
        if inside.starts_with("..") {
            return Err(workspace::Error::Outside { path: pattern.clone() }.into());
        }
        relative.push(inside.to_owned());
    }
    if relative.is_empty() {
        Ok(None)
    } else {
        Ok(Some(PathGlobs::new(&relative).map_err(workspace::Error::from)?))
    }
}

fn keyword(
    ctx: &Ctx<'_>,
    snapshot: &Snapshot,
    params: &Params,
    filter: &FilterSpec,
    expr: &Expr,
) -> Result<Answer, ToolError> {
    let found = snapshot.search(expr, filter, ctx.paging.offset, params.k as usize, params.context_lines)?;
    let mut notes = Vec::new();
    if found.relaxed {
        notes.push("no chunk has these words side by side; showing chunks with any of them");
    }
    match params.mode {
        Mode::Semantic | Mode::Hybrid => notes.push("answered by keywords: this index holds no vectors"),
        Mode::Definitions => notes.push("answered from text: this index holds no symbols"),
        Mode::Auto | Mode::Keyword => {}
    }
    let mut answer = list(ctx, snapshot, params, found.total, &notes);
    answer.rows = found
        .hits
        .into_iter()
        .map(|(score, view)| row(score, view, None))
        .collect();
    Ok(answer)
}

fn literal(
    ctx: &Ctx<'_>,
    snapshot: &Snapshot,
    params: &Params,
    filter: &FilterSpec,
    note: Option<&str>,
) -> Result<Answer, ToolError> {
    let (offset, k) = (ctx.paging.offset, params.k as usize);
    let text = params.query.as_str();
    let found = snapshot.search_literal(text, filter, offset, k, params.context_lines, ctx.control.cancelled)?;
    let mut notes: Vec<&str> = note.into_iter().collect();
    let places = format!("{} in {}", plural(found.lines, "line"), plural(found.files, "file"));
    if found.total > 0 {
        notes.push(&places);
    }
    let mut answer = list(ctx, snapshot, params, found.total, &notes);
    answer.fact("lines_total", found.lines);
    answer.rows = found
        .hits
        .into_iter()
        .map(|hit| row(hit.score, hit.view, Some(hit.lines)))
        .collect();
    Ok(answer)
}

fn list(ctx: &Ctx<'_>, snapshot: &Snapshot, params: &Params, total: usize, notes: &[&str]) -> Answer {
    let query = visible_name(&params.query);
    let offset = ctx.paging.offset;
    let mut head = match total {
        0 => format!(
            "No match for `{query}` ({} indexed)",
            plural(snapshot.file_count(), "file")
        ),
        total if offset == 0 => format!("{} for `{query}`", plural(total, "chunk")),
        total => format!(
            "{} for `{query}`, from number {}",
            plural(total, "chunk"),
            count(offset as u64 + 1)
        ),
    };
    for note in notes {
        head.push_str(&format!(" ({note})"));
    }
    let mut answer = Answer {
        head,
        key: "results",
        total,
        narrower: "narrow with path, language or AND",
        ..Answer::default()
    };
    if !notes.is_empty() {
        answer.fact("note", notes.join("; "));
    }
    answer
}

fn row(score: f32, view: ChunkView, lines: Option<Vec<u32>>) -> Row {
    let score = (f64::from(score) * 100.0).round() / 100.0;
    let (from, to) = (
        view.shown_from,
        view.shown_from + (view.lines.len() as u32).saturating_sub(1),
    );
    let matching = lines.as_ref().map(|lines| {
        let lines: Vec<String> = lines.iter().take(20).map(u32::to_string).collect();
        format!(", match in line {}", lines.join(", "))
    });
    let text = format!(
        "{}:{from}-{to} (chunk {}, score {score:.2}{})",
        visible_name(&view.path),
        view.chunk,
        matching.unwrap_or_default()
    );
    let mut json = json!({
        "path": view.path,
        "start_line": from,
        "end_line": to,
        "score": score,
        "language": view.lang,
        "chunk_index": view.chunk,
    });
    if let Some(lines) = lines {
        json["lines"] = lines.into();
    }
    let body = Body {
        field: "snippet",
        lang: view.lang,
        text: view.lines.join("\n"),
    };
    Row {
        text,
        json,
        body: Some(body),
    }
}
