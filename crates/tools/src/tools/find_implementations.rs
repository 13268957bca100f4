//! `find_implementations`: what implements an interface or overrides a method.

use queries::{CodeGraph, Implementation, Rule, Subject};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::{
    machinery::{
        answer::{Answer, Row},
        error::ToolError,
        tool::{Ctx, Effect, Engine, GRAPH, Tool, Toolset, number},
        units::{count, first_few, plural},
        visible::visible_name,
    },
    parts::{
        definition,
        groups::{self, Fields, Part},
        subject::{self, Each, SymbolSelector},
    },
};

pub(crate) struct FindImplementations;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Params {
    #[serde(flatten)]
    target: SymbolSelector,
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
    const EXAMPLE: &'static str = r#"{"symbol": "Shown"}"#;
    const ENGINES: &'static [Engine] = GRAPH;
    const CLI: Option<&'static str> = Some("implementations");
    const POSITIONAL: &'static [&'static str] = &["symbol", "workspace"];
    const ALIASES: &'static [(&'static str, &'static str)] = subject::ALIASES;
    const OUTPUT: &'static [(&'static str, &'static str)] = &[
        ("implementations", "array"),
        ("groups", "array"),
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
            snapshot.graph(|graph| match params.target.each(snapshot, graph, "implementations")? {
                Each::One(subject) => Implementations::new(graph, &subject)?.answer(ctx, &params),
                Each::Local(local) => Err(params.target.local_refused(graph, &local)),
                Each::Several(several) => {
                    let all = several.subjects.iter();
                    let all = all.map(|subject| Implementations::new(graph, subject));
                    let all: Vec<Implementations<'_>> = all.collect::<Result<_, _>>()?;
                    let parts: Vec<Part<'_>> = all.iter().map(Implementations::part).collect();
                    let fields = Fields::Key("implementations");
                    groups::answer(ctx, &several, &parts, fields, params.max_results as usize)
                }
                Each::Undefined(answer) | Each::Other(answer) => Ok(answer),
            })
        })
    }
}

/// What implements or overrides one definition.
struct Implementations<'i> {
    graph: &'i CodeGraph<'i>,
    subject: &'i Subject,
    found: Vec<Implementation>,
    /// Lines of those that have no name.
    unnamed: Vec<(String, u32)>,
}

impl<'i> Implementations<'i> {
    fn new(graph: &'i CodeGraph<'i>, subject: &'i Subject) -> Result<Implementations<'i>, ToolError> {
        Ok(Implementations {
            found: graph.implementations(subject),
            unnamed: graph.unnamed(subject)?,
            graph,
            subject,
        })
    }

    fn answer(&self, ctx: &Ctx<'_>, params: &Params) -> Result<Answer, ToolError> {
        let mut rows = Vec::new();
        for one in self
            .found
            .iter()
            .skip(ctx.paging.offset)
            .take(params.max_results as usize)
        {
            rows.push(row(self.graph, one)?);
        }
        let mut answer = Answer {
            head: format!("{}\n{}", subject::heading(self.subject), self.counted_lines()),
            key: "implementations",
            total: self.found.len(),
            rows,
            narrower: "raise max_results".into(),
            ..Answer::default()
        };
        answer.fact("symbol", subject::json_of(self.subject));
        self.tell(&mut answer.facts);
        Ok(answer)
    }

    /// The same as one of several definitions.
    fn part(&self) -> Part<'_> {
        let total = self.found.len();
        let counted = (total, plural(total + self.unnamed.len(), "implementation"));
        let mut part = Part::new(self.subject, counted, &self.counted_lines(), total, |at| {
            Ok((row(self.graph, &self.found[at])?, None))
        });
        self.tell(&mut part.facts);
        part
    }

    fn counted_lines(&self) -> String {
        let Implementations { found, unnamed, .. } = self;
        let is_functional = self.graph.is_functional(self.subject);
        let none = if found.is_empty() && unnamed.is_empty() && !is_functional {
            format!(": none in {}", subject::looked_at(self.graph))
        } else {
            String::new()
        };
        let mut lines = format!("{}{none}", plural(found.len() + unnamed.len(), "implementation"));
        if !unnamed.is_empty() {
            let places = unnamed.iter();
            let places = places.map(|(path, line)| format!("{}:{line}", visible_name(path)));
            let with_names = match found.len() {
                0 => String::new(),
                named => format!(": {} below", count(named as u64)),
            };
            lines.push_str(&format!(
                "{with_names}\n{} without a name: {}",
                count(unnamed.len() as u64),
                first_few(places, SHOWN_UNNAMED)
            ));
        }
        if is_functional {
            lines.push_str("\nLambdas and references to methods that stand in for it are not listed.");
        }
        lines
    }

    fn tell(&self, facts: &mut Map<String, Value>) {
        if !self.unnamed.is_empty() {
            let places = self.unnamed.iter();
            let places = places.map(|(path, line)| json!({ "path": path, "line": line }));
            facts.insert("unnamed".to_owned(), places.take(SHOWN_UNNAMED).collect());
            facts.insert("unnamed_total".to_owned(), self.unnamed.len().into());
        }
    }
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
