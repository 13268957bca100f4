//! `find_similar`: code like a piece of code, by meaning.

use queries::{FilterSpec, SimilarHits, SimilarTo, Snapshot, SymbolName, SymbolQuery};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use source::PathGlobs;

use crate::{
    machinery::{
        alias::{Alias, PLAIN},
        answer::{Answer, Row},
        error::ToolError,
        tool::{Ctx, Effect, Engine, Tool, Toolset, number},
        units::plural,
        visible::visible_name,
        within::Within,
    },
    parts::{
        chunk,
        filter::language,
        locations::{self, Place},
    },
};

/// Lines of each place that are shown.
const SHOWN_LINES: usize = 40;

pub(crate) struct FindSimilar;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Params {
    /// A snippet, or a sentence about one
    #[schemars(length(min = 1, max = 20000))]
    code: Option<String>,
    /// With line, instead of code
    #[schemars(length(min = 1))]
    file: Option<String>,
    #[schemars(range(min = 1))]
    line: Option<u32>,
    language: Option<String>,
    #[serde(default = "number::<10>")]
    #[schemars(range(min = 1, max = 100))]
    limit: u32,
}

impl Tool for FindSimilar {
    const NAME: &'static str = "find_similar";
    const TITLE: &'static str = "Find similar code";
    const DOC: &'static str = "Code that does something like a snippet, or like the function at file and line.";
    const TOOLSET: Toolset = Toolset::Similar;
    const EFFECT: Effect = Effect::Reads;
    const EXAMPLE: &'static str = r#"{"code": "fn split(text: &str)"}"#;
    const CLI: Option<&'static str> = Some("similar");
    const POSITIONAL: &'static [&'static str] = &["code", "workspace"];
    const ALIASES: &'static [(&'static str, &'static str)] = &[
        ("query", "code"),
        ("snippet", "code"),
        ("symbol", "code"),
        ("file_path", "file"),
        ("path", "file"),
        ("line_number", "line"),
        ("lang", "language"),
        ("k", "limit"),
        ("max_results", "limit"),
    ];
    const OTHER_NAMES: &'static [Alias] = &[Alias {
        name: "get_similar_code",
        to: Self::NAME,
        rename: &[("query", "code")],
        fixed: &[("limit", "5")],
        ..PLAIN
    }];
    const OUTPUT: &'static [(&'static str, &'static str)] = &[
        ("results", "array"),
        ("total", "integer"),
        ("engine", "string"),
        ("asked", "object"),
        ("note", "string"),
        ("coverage", "object"),
        ("next_cursor", "string"),
    ];

    type Params = Params;

    fn run(ctx: &Ctx<'_>, params: Params) -> Result<Answer, ToolError> {
        let lang = params.language.as_deref().map(language).transpose()?;
        let to = match (&params.file, params.line, &params.code) {
            (Some(path), Some(line), _) => SimilarTo::Place { path, line },
            (Some(_), None, None) => {
                return Err(missing("`line` is missing: which line of the file?"));
            }
            (None, Some(_), _) => {
                return Err(missing("`file` is missing: which file is the line in?"));
            }
            (Some(_), None, Some(_)) => {
                return Err(missing("give `code`, or `file` and `line`, not both"));
            }
            (None, None, None) => return Err(missing("give `code`, or `file` and `line`")),
            (None, None, Some(code)) => SimilarTo::Text { text: code },
        };
        let filter = FilterSpec {
            lang,
            ..ctx.within.map(Within::filter).unwrap_or_default()
        };
        ctx.answer(|snapshot| {
            let place = params.code.as_deref().filter(|_| params.file.is_none());
            let place = place.map(|code| place_of(snapshot, code)).transpose()?.flatten();
            let to = match &place {
                Some((path, line)) => SimilarTo::Place { path, line: *line },
                None => to,
            };
            let found = snapshot.find_similar(to, &filter, params.limit as usize)?;
            Ok(answer(ctx, snapshot, found))
        })
    }
}

/// The place that was given instead of code: `src/a.rs:12`, `src/a.rs#parse`, or the only symbol of that name.
fn place_of(snapshot: &Snapshot, code: &str) -> Result<Option<(String, u32)>, ToolError> {
    if code.contains(|c: char| c.is_whitespace() || c == '(') {
        return Ok(None);
    }
    let (name, path) = match locations::parse(code).pop().map(|target| target.place) {
        Some(Place::Lines { path, first, .. }) => {
            return Ok(snapshot.has_file(&path).then_some((path, first)));
        }
        Some(Place::Member { path, symbol }) => (symbol, Some(path)),
        Some(Place::Name(name)) => (name, None),
        _ => return Ok(None),
    };
    let Some(name) = SymbolName::parse(&name) else {
        return Ok(None);
    };
    let filter = FilterSpec {
        include: path
            .map(|path| PathGlobs::new(&[path]))
            .transpose()
            .map_err(workspace::Error::from)?,
        ..FilterSpec::default()
    };
    let query = SymbolQuery {
        name: &name,
        exact: true,
        filter: &filter,
    };
    let found = snapshot.find_symbols(&query, 0, 1)?;
    let only = found.hits.into_iter().next().filter(|_| found.total == 1);
    Ok(only.map(|hit| (hit.path, hit.line)))
}

fn missing(message: &str) -> ToolError {
    ToolError {
        hint: "`code` is a snippet or a sentence; `file` and `line` are a place in this workspace".into(),
        ..ToolError::invalid(message)
    }
}

/// A place is named whole and shown as far as it takes to know it: one long function would be all of a page.
fn clipped(mut row: Row) -> Row {
    if let Some(body) = &mut row.body {
        let mut ends = body.text.match_indices('\n').map(|(at, _)| at);
        if let Some(end) = ends.nth(SHOWN_LINES - 1) {
            let more = 1 + ends.count();
            let lines = if more == 1 { "line" } else { "lines" };
            body.text.truncate(end);
            body.text.push_str(&format!("\n... ({more} more {lines})"));
        }
    }
    row
}

fn answer(ctx: &Ctx<'_>, snapshot: &Snapshot, found: SimilarHits) -> Answer {
    let total = found.hits.len();
    let what = match &found.asked {
        Some((path, from, to)) => format!("{}:{from}-{to}", visible_name(path)),
        None => "this".to_owned(),
    };
    let by = match &found.model {
        Ok(model) => format!("by meaning, model {model}"),
        Err(reason) => format!("by words in common: {reason}"),
    };
    let head = match total {
        0 => format!(
            "Nothing like {what} ({by}; {} indexed)",
            plural(snapshot.file_count(), "file")
        ),
        total => format!("{} like {what} ({by})", plural(total, "place")),
    };
    let hits = found.hits.into_iter().skip(ctx.paging.offset);
    let rows = hits.map(|(score, view)| clipped(chunk::numbered_row(score, view)));
    let mut answer = Answer {
        head,
        key: "results",
        rows: rows.collect(),
        total,
        narrower: "a lower limit".into(),
        engines: if found.model.is_ok() {
            &[Engine::Vectors]
        } else {
            &[Engine::Text]
        },
        ..Answer::default()
    };
    let note = found.model.as_ref().err().map(ToString::to_string);
    answer.fact("engine", found.model.unwrap_or_else(|_| "keywords".to_owned()));
    if let Some((path, from, to)) = found.asked {
        answer.fact("asked", json!({ "path": path, "start_line": from, "end_line": to }));
    }
    if let Some(note) = note {
        answer.fact("note", note);
    }
    answer
}
