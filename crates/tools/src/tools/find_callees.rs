//! `find_callees`: what a function calls, level by level.

use queries::{Callee, CodeGraph, Subject};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    machinery::{
        answer::{Answer, Row},
        error::ToolError,
        tool::{Ctx, Effect, Engine, GRAPH, Tool, Toolset, number},
        units::plural,
        visible::visible_name,
    },
    parts::{
        definition,
        groups::{self, Fields, Part},
        subject::{self, Each, SymbolSelector, level, origin_json, origin_text},
    },
};

pub(crate) struct FindCallees;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Params {
    #[serde(flatten)]
    target: SymbolSelector,
    #[serde(default = "number::<1>")]
    #[schemars(range(min = 1, max = 10))]
    depth: u32,
    #[serde(default = "number::<30>")]
    #[schemars(range(min = 1, max = 200))]
    max_results: u32,
}

impl Tool for FindCallees {
    const NAME: &'static str = "find_callees";
    const TITLE: &'static str = "Find callees";
    const DOC: &'static str = "What a function calls, by level.";
    const TOOLSET: Toolset = Toolset::Graph;
    const EFFECT: Effect = Effect::Reads;
    const EXAMPLE: &'static str = r#"{"symbol": "parse_query"}"#;
    const ENGINES: &'static [Engine] = GRAPH;
    const CLI: Option<&'static str> = Some("callees");
    const POSITIONAL: &'static [&'static str] = &["symbol", "workspace"];
    const ALIASES: &'static [(&'static str, &'static str)] = subject::ALIASES;
    const OUTPUT: &'static [(&'static str, &'static str)] = &[
        ("callees", "array"),
        ("groups", "array"),
        ("total", "integer"),
        ("symbol", "object"),
        ("candidates", "array"),
        ("nearest", "array"),
        ("coverage", "object"),
        ("next_cursor", "string"),
    ];

    type Params = Params;

    fn run(ctx: &Ctx<'_>, params: Params) -> Result<Answer, ToolError> {
        ctx.answer(|snapshot| {
            snapshot.graph(|graph| match params.target.each_called(snapshot, graph, "callees")? {
                Each::One(subject) => Callees::new(graph, &subject, &params).answer(ctx),
                Each::Local(local) => Err(params.target.local_refused(graph, &local)),
                Each::Several(several) => {
                    let all = several.subjects.iter();
                    let all: Vec<Callees<'_>> = all.map(|subject| Callees::new(graph, subject, &params)).collect();
                    let parts: Vec<Part<'_>> = all.iter().map(Callees::part).collect();
                    let max_rows = params.max_results as usize;
                    groups::answer(ctx, &several, &parts, Fields::Key("callees"), max_rows)
                }
                Each::Undefined(answer) | Each::Other(answer) => Ok(answer),
            })
        })
    }
}

/// What one definition calls.
struct Callees<'c> {
    graph: &'c CodeGraph<'c>,
    subject: &'c Subject,
    params: &'c Params,
    found: Vec<Callee>,
}

impl<'c> Callees<'c> {
    fn new(graph: &'c CodeGraph<'c>, subject: &'c Subject, params: &'c Params) -> Callees<'c> {
        let mut found = graph.callees(subject, params.depth);
        // What is here before what comes from elsewhere.
        found.sort_by_key(|callee| (callee.depth, callee.symbols.is_empty()));
        for callee in found.iter().filter(|callee| callee.symbols.is_empty()) {
            graph.depends_on_name(&callee.name, subject.hit.lang);
        }
        Callees {
            graph,
            subject,
            params,
            found,
        }
    }

    fn answer(&self, ctx: &Ctx<'_>) -> Result<Answer, ToolError> {
        let mut rows = Vec::new();
        for at in (ctx.paging.offset..self.found.len()).take(self.params.max_results as usize) {
            rows.push(self.row(at)?);
        }
        let mut answer = Answer {
            head: format!("{}\n{}", subject::heading(self.subject), self.counted_line()),
            key: "callees",
            total: self.found.len(),
            rows,
            narrower: "raise max_results".into(),
            ..Answer::default()
        };
        answer.fact("symbol", subject::json_of(self.subject));
        Ok(answer)
    }

    /// The same as one of several definitions.
    fn part(&self) -> Part<'_> {
        let total = self.found.len();
        let counted = (total, plural(total, "callee"));
        Part::new(self.subject, counted, &self.counted_line(), total, |at| {
            Ok((self.row(at)?, None))
        })
    }

    fn row(&self, at: usize) -> Result<Row, ToolError> {
        row(self.graph, self.subject, &self.found[at], self.params.depth > 1)
    }

    fn counted_line(&self) -> String {
        let found = &self.found;
        let local = found.iter().filter(|callee| !callee.symbols.is_empty()).count();
        let none = if found.is_empty() { ": it calls nothing" } else { "" };
        format!("{} ({local} of this workspace){none}", plural(found.len(), "callee"))
    }
}

fn row(graph: &CodeGraph<'_>, subject: &Subject, callee: &Callee, by_level: bool) -> Result<Row, ToolError> {
    let sites: Vec<u32> = callee
        .sites
        .iter()
        .map(|at| graph.line(callee.caller.file, *at))
        .collect();
    let mut lines: Vec<String> = sites.iter().map(u32::to_string).collect();
    lines.dedup();
    // One definition may be in several files: a function and what stands in for it in tests.
    let elsewhere = Some(graph.path(callee.caller.file)).filter(|path| *path != subject.hit.path);
    let (by, at) = match (subject.ids.contains(&callee.caller), elsewhere) {
        (true, None) => (String::new(), String::new()),
        (true, Some(path)) => (String::new(), format!(" of {}", visible_name(path))),
        (false, _) => {
            let caller = graph.hit(callee.caller)?;
            (format!(" by {}", visible_name(&caller.qualified_name)), String::new())
        }
    };
    let level = level(callee.depth, by_level);
    let verb = match callee.symbols.first().is_some_and(|id| graph.is_property(*id)) {
        true => "accessed",
        false => "called",
    };
    let how = format!("{level}{verb}{by} in line {}{at}", lines.join(", "));
    let mut hits = Vec::new();
    for id in &callee.symbols {
        hits.push(graph.hit(*id)?);
    }
    // A definition stands for its declarations.
    let main = hits.iter().find(|hit| !hit.is_declaration).or(hits.first());
    let (text, mut json) = match main {
        Some(hit) => {
            let json = definition::short_json(hit);
            let known = origin_text(callee.origin, callee.confidence);
            let text = format!(
                "{}:{} {} {how} [{known}]\n  {}",
                visible_name(&hit.path),
                hit.line,
                visible_name(&hit.qualified_name),
                definition::signature(hit)
            );
            (text, json)
        }
        None => {
            let from = if callee.is_external {
                "external"
            } else {
                "of several definitions"
            };
            let json = json!({ "name": callee.name, "external": callee.is_external });
            (format!("{} ({from}) {how}", visible_name(&callee.name)), json)
        }
    };
    json["sites"] = sites.into_iter().map(Value::from).collect();
    if let Some(path) = elsewhere {
        json["sites_path"] = path.into();
    }
    json["depth"] = callee.depth.into();
    origin_json(&mut json, callee.origin, callee.confidence);
    Ok(Row { text, json, body: None })
}
