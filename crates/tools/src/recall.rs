//! `recall`: what was noted before, by words, meaning and time.

use schemars::JsonSchema;
use serde::Deserialize;
use workspace::{Memory, MemoryFilter};

use crate::{
    answer::Answer,
    error::ToolError,
    memory,
    tool::{Ctx, Effect, Tool, Toolset, number},
};

pub(crate) struct Recall;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Params {
    /// Left out: the newest
    #[schemars(length(max = 500))]
    query: Option<String>,
    #[serde(default = "number::<10>")]
    #[schemars(range(min = 1, max = 100))]
    limit: u32,
    /// `2026-01-31`, or how long ago: `3d`
    since: Option<String>,
    until: Option<String>,
    #[serde(rename = "type")]
    kind: Option<Kind>,
}

#[derive(Deserialize, JsonSchema, Clone, Copy)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
enum Kind {
    Checkpoint,
    Decision,
    Learning,
    Observation,
    Plan,
}

impl Tool for Recall {
    const NAME: &'static str = "recall";
    const TITLE: &'static str = "Recall";
    const DOC: &'static str = "What checkpoint and plan noted in earlier sessions, by words and meaning, with whether the \
         code that it speaks of is still there.";
    const TOOLSET: Toolset = Toolset::Memory;
    const EFFECT: Effect = Effect::Reads;
    const POSITIONAL: &'static [&'static str] = &["query", "workspace"];
    const OUTPUT: &'static [(&'static str, &'static str)] = &[
        ("memories", "array"),
        ("total", "integer"),
        ("warning", "string"),
        ("coverage", "object"),
        ("next_cursor", "string"),
    ];

    type Params = Params;

    fn run(ctx: &Ctx<'_>, params: Params) -> Result<Answer, ToolError> {
        let kind = params.kind.map(|kind| match kind {
            Kind::Checkpoint => "checkpoint",
            Kind::Decision => "decision",
            Kind::Learning => "learning",
            Kind::Observation => "observation",
            Kind::Plan => "plan",
        });
        let time = |name: &str, text: &Option<String>, end: bool| {
            let text = text.as_deref();
            text.map(|text| memory::parse_time(name, text, end)).transpose()
        };
        let filter = MemoryFilter {
            kinds: kind.map(str::to_owned).into_iter().collect(),
            since_ms: time("since", &params.since, false)?,
            until_ms: time("until", &params.until, true)?,
        };
        let memories = ctx.workspace()?.memories()?;
        let query = params.query.as_deref().map(str::trim).filter(|query| !query.is_empty());
        let found: Vec<(Memory, Option<f32>)> = match query {
            Some(query) => {
                let found = memories.recall(query, &filter)?;
                found.into_iter().map(|(memory, score)| (memory, Some(score))).collect()
            }
            None => memories
                .list(&filter)?
                .into_iter()
                .map(|memory| (memory, None))
                .collect(),
        };
        let damage = memory::damage(&memories);
        ctx.answer(|snapshot| {
            let page = found.iter().skip(ctx.paging.offset).take(params.limit as usize);
            let rows = page.map(|(memory, score)| memory::row(snapshot, memory, *score));
            let mut answer = Answer {
                goes_on: true,
                head: match (found.len(), query) {
                    (0, _) => "Nothing was noted that fits.".to_owned(),
                    (1, _) => "1 memory".to_owned(),
                    (n, Some(_)) => format!("{n} memories, best first"),
                    (n, None) => format!("{n} memories, newest first"),
                },
                key: "memories",
                rows: rows.collect::<Result<_, _>>()?,
                total: found.len(),
                narrower: "a query, since or type",
                engines: &["memory"],
                ..Answer::default()
            };
            memory::warn(&mut answer, damage.as_deref());
            Ok(answer)
        })
    }
}
