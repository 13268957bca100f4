//! `find_implementations`: what implements an interface or overrides a method.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use workspace::{CodeGraph, Implementation, Rule, Subject};

use crate::{
    answer::{Answer, Row},
    definition,
    error::ToolError,
    subject::{self, Found, Target},
    tool::{Ctx, Effect, GRAPH, Tool, Toolset, number},
    units::{count, first_few, plural},
    visible::visible_name,
};

pub(crate) struct FindImplementations;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Params {
    #[serde(flatten)]
    target: Target,
    #[serde(default = "number::<20>")]
    #[schemars(range(min = 1, max = 200))]
    max_results: u32,
}

impl Tool for FindImplementations {
    const NAME: &'static str = "find_implementations";
    const TITLE: &'static str = "Find implementations";
    const DOC: &'static str = "What implements or extends a type, or overrides a method.";
    const TOOLSET: Toolset = Toolset::Graph;
    const EFFECT: Effect = Effect::Reads;
    const ENGINES: &'static [&'static str] = GRAPH;
    const CLI: Option<&'static str> = Some("implementations");
    const POSITIONAL: &'static [&'static str] = &["symbol", "workspace"];
    const ALIASES: &'static [(&'static str, &'static str)] = subject::ALIASES;
    const OUTPUT: &'static [(&'static str, &'static str)] = &[
        ("implementations", "array"),
        ("total", "integer"),
        ("symbol", "object"),
        ("unnamed", "array"),
        ("candidates", "array"),
        ("nearest", "array"),
        ("coverage", "object"),
        ("next_cursor", "string"),
    ];

    type Params = Params;

    fn run(ctx: &Ctx<'_>, params: Params) -> Result<Answer, ToolError> {
        ctx.answer(|snapshot| {
            snapshot.graph(|graph| match params.target.find(snapshot, graph, "implementations")? {
                Found::One(subject) => implementations(ctx, graph, &subject, &params),
                Found::Other(answer) => Ok(answer),
            })
        })
    }
}

fn implementations(
    ctx: &Ctx<'_>,
    graph: &CodeGraph<'_>,
    subject: &Subject,
    params: &Params,
) -> Result<Answer, ToolError> {
    let found = graph.implementations(subject);
    let mut rows = Vec::new();
    for one in found.iter().skip(ctx.paging.offset).take(params.max_results as usize) {
        rows.push(row(graph, one)?);
    }
    let unnamed = graph.unnamed(subject)?;
    let is_functional = graph.is_functional(subject);
    let none = if found.is_empty() && unnamed.is_empty() && !is_functional {
        format!(": none in {}", subject::looked_at(graph))
    } else {
        String::new()
    };
    let mut head = format!(
        "{}\n{}{none}",
        subject::heading(subject),
        plural(found.len(), "implementation")
    );
    if !unnamed.is_empty() {
        let places = unnamed.iter();
        let places = places.map(|(path, line)| format!("{}:{line}", visible_name(path)));
        head.push_str(&format!(
            "\n{} without a name: {}",
            count(unnamed.len() as u64),
            first_few(places, SHOWN_UNNAMED)
        ));
    }
    if is_functional {
        head.push_str("\nLambdas and references to methods that stand in for it are not listed.");
    }
    let mut answer = Answer {
        head,
        key: "implementations",
        total: found.len(),
        rows,
        narrower: "raise max_results",
        ..Answer::default()
    };
    answer.fact("symbol", subject::json_of(subject));
    if !unnamed.is_empty() {
        let places = unnamed.iter().map(|(path, line)| json!({ "path": path, "line": line }));
        answer.fact("unnamed", places.take(SHOWN_UNNAMED).collect::<Vec<_>>());
    }
    Ok(answer)
}

/// What has no name and is listed.
const SHOWN_UNNAMED: usize = 20;

fn row(graph: &CodeGraph<'_>, one: &Implementation) -> Result<Row, ToolError> {
    let hit = graph.hit(one.symbol)?;
    let mut json = json!({
        "name": hit.name,
        "qualified_name": hit.qualified_name,
        "kind": hit.kind.as_str(),
        "path": hit.path,
        "line": hit.line,
        "end_line": hit.last_line,
        "signature": definition::signature(&hit),
        "origin": if one.rule == Rule::Exact { "exact" } else { "resolved" },
    });
    let mut through = String::new();
    if one.distance > 1 {
        json["distance"] = one.distance.into();
        through = format!(", through {}", plural(one.distance as usize - 1, "other"));
    }
    Ok(Row {
        text: format!(
            "{}{through}\n  {}",
            definition::place(&hit),
            definition::signature(&hit)
        ),
        json,
        body: None,
    })
}
