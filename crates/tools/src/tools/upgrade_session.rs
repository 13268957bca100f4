//! `upgrade_session`: an index of an older format becomes one of this version's.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use workspace::INDEX_FORMAT;

use crate::{
    machinery::{
        answer::Answer,
        error::{ErrorCode, ToolError},
        tool::{Ctx, Effect, Tool, Toolset},
    },
    tools::index_repository,
};

pub(crate) struct UpgradeSession;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Params {
    #[schemars(length(min = 1, max = 64))]
    session: String,
}

impl Tool for UpgradeSession {
    const NAME: &'static str = "upgrade_session";
    const TITLE: &'static str = "Upgrade a session";
    const DOC: &'static str = "Rebuild a session's index in the current format.";
    const TOOLSET: Toolset = Toolset::Index;
    const EFFECT: Effect = Effect::WritesIndex;
    const EXAMPLE: &'static str = r#"{"session": "example"}"#;
    const IN_INSTRUCTIONS: bool = false;
    const POSITIONAL: &'static [&'static str] = &["session"];
    const SCOPED: bool = false;
    const ALIASES: &'static [(&'static str, &'static str)] = &[("workspace", "session"), ("name", "session")];
    const OUTPUT: &'static [(&'static str, &'static str)] = &[
        ("session", "string"),
        ("previous_format", "integer"),
        ("format", "integer"),
        ("upgraded", "boolean"),
    ];

    type Params = Params;

    fn run(ctx: &Ctx<'_>, params: Params) -> Result<Answer, ToolError> {
        let session = ctx.workspaces.session(&params.session)?;
        let previous = ctx.workspaces.format_of(&session.name)?;
        let facts = json!({ "session": session.name, "previous_format": previous, "format": INDEX_FORMAT });
        match previous {
            Some(found) if found == INDEX_FORMAT => {
                let head = format!(
                    "Session `{}` already has format {INDEX_FORMAT}, the current one. Nothing to upgrade.",
                    session.name
                );
                let mut answer = Answer::of(head, facts);
                answer.fact("upgraded", false);
                Ok(answer)
            }
            Some(found) if found > INDEX_FORMAT => Err(ToolError::new(
                ErrorCode::Index,
                format!(
                    "session `{}` has format {found}, written by a newer Portolan",
                    session.name
                ),
                "it is left to that version; this one keeps an index of its own beside it, made with the next question",
            )),
            previous => {
                if !session.root.is_dir() {
                    return Err(workspace::Error::RootGone { path: session.root }.into());
                }
                let workspace = ctx.workspaces.by_session(&session.name)?;
                let mut answer = index_repository::index(ctx, &workspace, false)?;
                let previous = previous.map_or("none".to_owned(), |found| found.to_string());
                answer.head = format!(
                    "Upgraded `{}`: format {previous} -> {INDEX_FORMAT}\n{}",
                    session.name, answer.head
                );
                answer.facts.extend(Answer::of("", facts).facts);
                answer.fact("upgraded", true);
                Ok(answer)
            }
        }
    }
}
