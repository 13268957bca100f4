//! `delete_session`: forget a workspace. The repository itself is never touched.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::{
    answer::Answer,
    error::{ToolError, code},
    tool::{Ctx, Effect, Tool, Toolset},
    units::{bytes, count},
};

pub(crate) struct DeleteSession;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Params {
    #[schemars(length(min = 1, max = 64))]
    pub session: String,
    /// Must be true
    pub confirm: bool,
}

impl Tool for DeleteSession {
    const NAME: &'static str = "delete_session";
    const TITLE: &'static str = "Delete a session";
    const DOC: &'static str = "Delete a session's index for good. The repository is not touched.";
    const TOOLSET: Toolset = Toolset::Index;
    const EFFECT: Effect = Effect::Deletes;
    const POSITIONAL: &'static [&'static str] = &["session"];
    const SCOPED: bool = false;
    const PAGED: bool = false;
    const ALIASES: &'static [(&'static str, &'static str)] = &[("workspace", "session"), ("name", "session")];
    const OUTPUT: &'static [(&'static str, &'static str)] = &[
        ("session", "string"),
        ("files", "integer"),
        ("chunks", "integer"),
        ("freed_bytes", "integer"),
    ];

    type Params = Params;

    fn run(ctx: &Ctx<'_>, params: Params) -> Result<Answer, ToolError> {
        let session = ctx.workspaces.session(&params.session)?;
        if !params.confirm {
            let message = format!("deleting `{}` needs confirm: true", session.name);
            return Err(ToolError::new(
                code::NOT_FOUND,
                message,
                "set confirm to true to delete it for good",
            ));
        }
        delete(ctx, &session.name)
    }
}

pub(crate) fn delete(ctx: &Ctx<'_>, name: &str) -> Result<Answer, ToolError> {
    let stats = ctx.workspaces.stats_of(name).ok().flatten();
    let (files, chunks) = stats.map_or((0, 0), |stats| (stats.files, stats.chunks));
    let freed = ctx.workspaces.size_of(name)?;
    ctx.workspaces.delete(name)?;
    let head = format!(
        "Deleted session `{name}` for good: {} files, {} chunks, {} freed. The repository was not touched.",
        count(files as u64),
        count(chunks),
        bytes(freed)
    );
    Ok(Answer::of(
        head,
        json!({ "session": name, "files": files, "chunks": chunks, "freed_bytes": freed }),
    ))
}
