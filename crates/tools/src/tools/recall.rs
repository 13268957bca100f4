//! `recall`: what was noted before, by words, meaning and time.

use std::path::Path;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use workspace::{Memory, MemoryFilter, Session};

use crate::{
    machinery::{
        answer::{Answer, PagingMode},
        error::ToolError,
        tool::{Ctx, Effect, Engine, Tool, Toolset, number},
        visible::visible_name,
    },
    parts::memory,
    tools::delete_session::memories_text,
};

pub(crate) struct Recall;

/// Directories that are gone and were noted in, as far as they are named.
const LEFT_SHOWN: usize = 5;

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
    const EXAMPLE: &'static str = r#"{"query": "order of the words"}"#;
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
        let warnings = [memory::fleeting(ctx), memory::damage(&memories)];
        let noted = memories.list(&MemoryFilter::default())?.len();
        let left = match noted {
            0 => ctx.workspaces.left_memories(),
            _ => Vec::new(),
        };
        ctx.answer(|snapshot| {
            let page = found.iter().skip(ctx.paging.offset).take(params.limit as usize);
            let rows = page.map(|(memory, score)| memory::row(snapshot, memory, *score));
            let mut answer = Answer {
                mode: PagingMode::Body,
                head: match (found.len(), query) {
                    (0, _) if noted == 0 => "No memory matches.".to_owned(),
                    (0, _) => format!(
                        "No memory matches ({} in all): leave out query, type and dates for the newest.",
                        memories_text(noted)
                    ),
                    (1, _) => "1 memory".to_owned(),
                    (n, Some(_)) => format!("{n} memories, best first"),
                    (n, None) => format!("{n} memories, newest first"),
                },
                key: "memories",
                rows: rows.collect::<Result<_, _>>()?,
                total: found.len(),
                narrower: "a query, since or type".into(),
                engines: &[Engine::Memory],
                ..Answer::default()
            };
            memory::warn(&mut answer, &warnings);
            tell_left(&mut answer, &left, &snapshot.session().root);
            Ok(answer)
        })
    }
}

/// Where nothing was noted, it may have been in a directory that was moved here.
fn tell_left(answer: &mut Answer, left: &[(Session, usize)], root: &Path) {
    if left.is_empty() {
        return;
    }
    let told = left.iter().take(LEFT_SHOWN).map(|(session, memories)| {
        let (name, gone) = (&session.name, visible_name(&session.root.display().to_string()));
        format!(
            "\n- {gone}, which is gone: {}, session `{name}`",
            memories_text(*memories)
        )
    });
    answer
        .head
        .push_str("\nNothing at all was noted in this directory, but in others:");
    answer.head.extend(told);
    let root = visible_name(&root.display().to_string());
    answer.head.push_str(&format!(
        "\nIf one of them was moved here: `portolan memory export --workspace SESSION | portolan memory import --workspace {root}`."
    ));
    let listed = left
        .iter()
        .take(LEFT_SHOWN)
        .map(|(session, memories)| json!({ "session": session.name, "root": session.root, "memories": memories }));
    answer.fact("left", listed.collect::<Vec<_>>());
}
