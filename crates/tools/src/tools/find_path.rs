//! `find_path`: how one symbol reaches another, call by call.

use queries::{CodeGraph, Role, Snapshot, Step, Subject, SymbolHit, UseOrigin, Way};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::{
    machinery::{
        answer::{Answer, Row},
        error::ToolError,
        tool::{Ctx, Effect, Engine, GRAPH, Tool, Toolset, number},
        units::plural,
        visible::visible_name,
    },
    parts::subject::{self, Found, SymbolSelector, origin_json, origin_text},
};

pub(crate) struct FindPath;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Params {
    /// Symbol; or from_file and from_line
    #[schemars(length(min = 1, max = 500))]
    from: Option<String>,
    #[schemars(length(min = 1, max = 500))]
    to: Option<String>,
    from_file: Option<String>,
    #[schemars(range(min = 1))]
    from_line: Option<u32>,
    to_file: Option<String>,
    #[schemars(range(min = 1))]
    to_line: Option<u32>,
    #[serde(default = "number::<6>")]
    #[schemars(range(min = 1, max = 20))]
    max_hops: u32,
}

impl Tool for FindPath {
    const NAME: &'static str = "find_path";
    const TITLE: &'static str = "Find a path";
    const DOC: &'static str = "Shortest path of calls from one symbol to another, else of any references.";
    const TOOLSET: Toolset = Toolset::Graph;
    const EFFECT: Effect = Effect::Reads;
    const EXAMPLE: &'static str = r#"{"from": "main", "to": "split"}"#;
    const ENGINES: &'static [Engine] = GRAPH;
    const CLI: Option<&'static str> = Some("path");
    const POSITIONAL: &'static [&'static str] = &["from", "to"];
    const ALIASES: &'static [(&'static str, &'static str)] = &[
        ("source", "from"),
        ("start", "from"),
        ("from_symbol", "from"),
        ("target", "to"),
        ("end", "to"),
        ("to_symbol", "to"),
        ("depth", "max_hops"),
        ("max_depth", "max_hops"),
    ];
    const OUTPUT: &'static [(&'static str, &'static str)] = &[
        ("steps", "array"),
        ("total", "integer"),
        ("hops", "integer"),
        ("kind", "string"),
        ("looked_at", "integer"),
        ("from", "object"),
        ("to", "object"),
        ("candidates", "array"),
        ("nearest", "array"),
        ("coverage", "object"),
        ("next_cursor", "string"),
    ];

    type Params = Params;

    fn run(ctx: &Ctx<'_>, params: Params) -> Result<Answer, ToolError> {
        let end = |symbol: &Option<String>, file: &Option<String>, line: Option<u32>| SymbolSelector {
            symbol: symbol.clone(),
            file: file.clone(),
            line,
            column: None,
        };
        let from = end(&params.from, &params.from_file, params.from_line);
        let to = end(&params.to, &params.to_file, params.to_line);
        for (target, name) in [(&from, "from"), (&to, "to")] {
            if target.symbol.is_none() && (target.line.is_none() || target.file.is_none()) {
                return Err(ToolError {
                    hint: format!("give a symbol, or `{name}_file` and `{name}_line`").into(),
                    ..ToolError::invalid(format!("`{name}` is missing"))
                });
            }
        }
        ctx.answer(|snapshot| {
            snapshot.graph(|graph| {
                let from = match from.find_called(snapshot, graph, "steps")? {
                    Found::One(subject) => subject,
                    Found::Other(answer) => return Ok(about("from", *answer)),
                };
                let to = match to.find_called(snapshot, graph, "steps")? {
                    Found::One(subject) => subject,
                    Found::Other(answer) => return Ok(about("to", *answer)),
                };
                path(ctx, snapshot, graph, &from, &to, params.max_hops)
            })
        })
    }
}

/// Says which of the two ends an answer is about.
fn about(end: &str, mut answer: Answer) -> Answer {
    answer.head = format!("{end}: {}", answer.head);
    answer.fact("end", end);
    answer
}

fn path(
    ctx: &Ctx<'_>,
    snapshot: &Snapshot,
    graph: &CodeGraph<'_>,
    from: &Subject,
    to: &Subject,
    max_hops: u32,
) -> Result<Answer, ToolError> {
    let way = graph.way(from, to, max_hops);
    let mut answer = match &way.steps {
        Some(steps) => found(ctx, graph, steps, to, way.by_calls)?,
        None => none(snapshot, graph, from, to, &way, max_hops),
    };
    for (end, subject) in [("from", from), ("to", to)] {
        if let Some(others) = subject::not_namesakes(subject) {
            answer
                .head
                .push_str(&format!("\n{end} is {}, {others}", subject::named_place(&subject.hit)));
        }
    }
    answer.fact("looked_at", way.looked_at);
    answer.fact("from", subject::json_of(from));
    answer.fact("to", subject::json_of(to));
    Ok(answer)
}

fn found(
    ctx: &Ctx<'_>,
    graph: &CodeGraph<'_>,
    steps: &[Step],
    to: &Subject,
    by_calls: bool,
) -> Result<Answer, ToolError> {
    let last = steps.len().saturating_sub(1);
    let hops = hops(steps);
    let names = [steps.first(), steps.last()]
        .into_iter()
        .flatten()
        .map(|step| Ok(visible_name(&graph.hit(step.symbol)?.qualified_name)))
        .collect::<Result<Vec<String>, ToolError>>()?;
    let kind = if by_calls { "calls" } else { "references" };
    let only = if by_calls { "" } else { " (no path of calls alone)" };
    let mut rows = Vec::new();
    for (at, step) in steps.iter().enumerate().skip(ctx.paging.offset) {
        // It ends where what was asked for is defined, though a prototype may be what is called.
        let hit = if at == last {
            to.hit.clone()
        } else {
            graph.hit(step.symbol)?
        };
        rows.push(row(graph, at, step, &hit, at == last));
    }
    let mut answer = Answer {
        head: format!("{}: {} by {kind}{only}", names.join(" to "), plural(hops, "hop")),
        key: "steps",
        total: steps.len(),
        rows,
        ..Answer::default()
    };
    answer.fact("hops", hops);
    answer.fact("kind", kind);
    Ok(answer)
}

/// From a declaration to what implements it is no hop.
fn hops(steps: &[Step]) -> usize {
    steps.iter().filter(|step| step.site.is_some()).count()
}

fn row(graph: &CodeGraph<'_>, at: usize, step: &Step, hit: &SymbolHit, is_last: bool) -> Row {
    let mut json = json!({
        "name": hit.name,
        "qualified_name": hit.qualified_name,
        "kind": hit.kind.as_str(),
        "path": hit.path,
        "line": hit.line,
    });
    let mut text = format!(
        "{}. {} ({}) {}:{}",
        at + 1,
        visible_name(&hit.qualified_name),
        hit.kind.as_str(),
        visible_name(&hit.path),
        hit.line
    );
    let known = origin_text(step.origin, step.confidence);
    match (step.site, step.role) {
        (Some(site), role) => {
            let line = graph.line(step.symbol.file, site);
            let role = role.map_or("use", verb);
            text.push_str(&format!("\n   {role} at {}:{line} [{known}]", visible_name(&hit.path)));
            json["site"] = json!({ "path": hit.path, "line": line });
            json["role"] = role.into();
            origin_json(&mut json, step.origin, step.confidence);
        }
        (None, _) if is_last => {}
        (None, _) => {
            let role = match step.origin {
                UseOrigin::Dispatch => "implemented by",
                _ => "constructed by",
            };
            text.push_str(&format!("\n   {role}"));
            json["role"] = role.into();
            origin_json(&mut json, step.origin, step.confidence);
        }
    }
    Row { text, json, body: None }
}

fn verb(role: Role) -> &'static str {
    match role {
        Role::Call => "calls",
        Role::Type => "names the type",
        Role::Import => "imports",
        Role::Member => "accesses",
        Role::Variable => "uses",
        Role::Implementation => "derives from",
    }
}

fn none(snapshot: &Snapshot, graph: &CodeGraph<'_>, from: &Subject, to: &Subject, way: &Way, max_hops: u32) -> Answer {
    let name = |subject: &Subject| visible_name(&subject.hit.qualified_name);
    let mut head = format!(
        "No path from {} ({}:{}) to {} ({}:{}) within {}.\nFollowed calls, what overrides what they call, and other references of {}{} in {}.",
        name(from),
        visible_name(&from.hit.path),
        from.hit.line,
        name(to),
        visible_name(&to.hit.path),
        to.hit.line,
        plural(max_hops as usize, "hop"),
        plural(way.looked_at, "definition"),
        if way.is_cut { ", not all that are reached," } else { "" },
        plural(snapshot.file_count(), "indexed file"),
    );
    let mut answer = Answer {
        key: "steps",
        ..Answer::default()
    };
    if let Some(open) = subject::left_open(&way.open) {
        head.push_str(&format!("\n{open}."));
        answer.fact("open", json!(way.open));
    }
    answer.fact("complete", !way.is_cut && way.open.is_empty());
    // A common mistake, and cheap to notice.
    let back = graph.way(to, from, max_hops);
    if let Some(steps) = back.steps.filter(|_| back.by_calls) {
        let hops = hops(&steps);
        head.push_str(&format!(
            "\nThe other way round there is one: {} reaches {} in {}.",
            name(to),
            name(from),
            plural(hops, "hop")
        ));
        answer.fact("reverse_hops", hops);
    }
    answer.head = head;
    answer
}
