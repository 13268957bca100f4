//! `checkpoint`: notes what was done, decided or learnt, for later sessions.

use schemars::JsonSchema;
use serde::Deserialize;
use workspace::Memory;

use crate::{
    machinery::{
        answer::Answer,
        error::ToolError,
        tool::{Ctx, Effect, Tool, Toolset},
        units::plural,
    },
    parts::memory,
};

pub(crate) struct Checkpoint;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Params {
    /// What to remember, in Markdown; `names` and paths in it are tied to the code
    #[schemars(length(min = 1, max = 50000))]
    description: String,
    #[serde(default)]
    tags: Vec<String>,
    #[serde(default, rename = "type")]
    kind: Kind,
}

#[derive(Deserialize, JsonSchema, Clone, Copy, Default)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub(crate) enum Kind {
    #[default]
    Checkpoint,
    Decision,
    Learning,
    Observation,
}

impl Kind {
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Checkpoint => "checkpoint",
            Kind::Decision => "decision",
            Kind::Learning => "learning",
            Kind::Observation => "observation",
        }
    }
}

impl Tool for Checkpoint {
    const NAME: &'static str = "checkpoint";
    const TITLE: &'static str = "Remember";
    const DOC: &'static str = "Note what was done, decided or learnt, with commit and branch, for later sessions to recall. \
         Kept outside of the repository.";
    const TOOLSET: Toolset = Toolset::Memory;
    const EFFECT: Effect = Effect::WritesMemory;
    const EXAMPLE: &'static str = r#"{"description": "`parse_query` keeps the order of the words"}"#;
    const POSITIONAL: &'static [&'static str] = &["description", "workspace"];
    const ALIASES: &'static [(&'static str, &'static str)] = &[
        ("content", "description"),
        ("text", "description"),
        ("message", "description"),
        ("note", "description"),
    ];
    const PAGED: bool = false;
    const OUTPUT: &'static [(&'static str, &'static str)] = &[
        ("id", "string"),
        ("type", "string"),
        ("created", "string"),
        ("branch", "string"),
        ("commit", "string"),
        ("tags", "array"),
        ("links", "array"),
        ("warning", "string"),
    ];

    type Params = Params;

    fn run(ctx: &Ctx<'_>, params: Params) -> Result<Answer, ToolError> {
        memory::may_note(ctx)?;
        let memory = Memory {
            kind: params.kind.as_str().to_owned(),
            body: params.description.trim().to_owned(),
            tags: tags(&params.tags),
            ..memory::noted(ctx, &params.description)?
        };
        let mut memories = ctx.workspace()?.memories()?;
        let memory = memories.put(memory)?;
        // It is noted by now, whatever can be told of what it speaks of.
        let row = ctx.look_afterwards(|| ctx.ask(|snapshot| memory::row(snapshot, &memory, None)));
        let row = row.unwrap_or_else(|_| memory::row_as_noted(&memory));
        let head = format!(
            "Remembered {} ({} linked)",
            row.text,
            plural(memory.links.len(), "place")
        );
        let mut answer = Answer::of(head, row.json);
        memory::warn(&mut answer, &[memory::fleeting(ctx), memory::damage(&memories)]);
        Ok(answer)
    }
}

/// Each once, without a leading `#`.
fn tags(given: &[String]) -> Vec<String> {
    let mut tags: Vec<String> = Vec::new();
    for tag in given.iter().flat_map(|tag| tag.split([',', '\n'])) {
        let tag = tag.trim().trim_start_matches('#').to_owned();
        if !tag.is_empty() && !tags.contains(&tag) {
            tags.push(tag);
        }
    }
    tags
}
