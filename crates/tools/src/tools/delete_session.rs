//! `delete_session`: forget a workspace. The repository itself is never touched.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::machinery::{
    answer::Answer,
    error::ToolError,
    tool::{Confirmed, Ctx, Effect, Tool, Toolset},
    units::{bytes, count, plural},
};

pub(crate) struct DeleteSession;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Params {
    #[schemars(length(min = 1, max = 64))]
    pub session: String,
    /// Must be true
    pub confirm: bool,
    /// What was noted with checkpoint and plan too
    #[serde(default)]
    pub delete_memory: bool,
}

impl Tool for DeleteSession {
    const NAME: &'static str = "delete_session";
    const TITLE: &'static str = "Delete a session";
    const DOC: &'static str =
        "Delete a session's index for good. The repository is not touched, and memories are kept unless told.";
    const TOOLSET: Toolset = Toolset::Index;
    const EFFECT: Effect = Effect::Deletes;
    const EXAMPLE: &'static str = r#"{"session": "example", "confirm": true}"#;
    const IN_INSTRUCTIONS: bool = false;
    const POSITIONAL: &'static [&'static str] = &["session"];
    const SCOPED: bool = false;
    const PAGED: bool = false;
    const ALIASES: &'static [(&'static str, &'static str)] = &[("workspace", "session"), ("name", "session")];
    const OUTPUT: &'static [(&'static str, &'static str)] = &[
        ("session", "string"),
        ("files", "integer"),
        ("chunks", "integer"),
        ("freed_bytes", "integer"),
        ("memories", "integer"),
        ("memories_deleted", "boolean"),
    ];

    type Params = Params;

    fn run(ctx: &Ctx<'_>, params: Params) -> Result<Answer, ToolError> {
        let session = ctx.workspaces.session(&params.session)?;
        let confirmed = confirmed(ctx, &session.name, params.confirm)?;
        delete(ctx, &session.name, params.delete_memory, confirmed)
    }
}

/// That the caller has said that a session is to be deleted.
pub(crate) fn confirmed(ctx: &Ctx<'_>, name: &str, confirm: bool) -> Result<Confirmed, ToolError> {
    Confirmed::by(confirm, &format!("deleting `{name}`"), || {
        match ctx.workspaces.memories_of(name) {
            Ok(0) | Err(_) => "set confirm to true to delete it for good".to_owned(),
            Ok(n) => format!(
                "set confirm to true to delete it for good; it has {}, which are kept unless delete_memory is true",
                memories_text(n)
            ),
        }
    })
}

pub(crate) fn delete(
    ctx: &Ctx<'_>,
    name: &str,
    with_memories: bool,
    _confirmed: Confirmed,
) -> Result<Answer, ToolError> {
    let stats = ctx.workspaces.stats_of(name).ok().flatten();
    let (files, chunks) = stats.map_or((0, 0), |stats| (stats.files, stats.chunks));
    // Memories that cannot be read are kept as well.
    let memories = ctx.workspaces.memories_of(name).unwrap_or(0);
    let before = ctx.workspaces.size_of(name)?;
    let kept = ctx.workspaces.delete(name, with_memories)?;
    let freed = before.saturating_sub(kept);
    let mut head = format!(
        "Deleted session `{name}` for good: {}, {}, {} freed. The repository was not touched.",
        plural(files, "file"),
        plural(chunks as usize, "chunk"),
        bytes(freed)
    );
    match (memories, with_memories) {
        (0, _) => {}
        (n, true) => head.push_str(&format!("\nDeleted with it: {}.", memories_text(n))),
        (n, false) => head.push_str(&format!(
            "\nKept: {}, found again when the directory is indexed again; delete_memory: true deletes them too.",
            memories_text(n)
        )),
    }
    Ok(Answer::of(
        head,
        json!({
            "session": name,
            "files": files,
            "chunks": chunks,
            "freed_bytes": freed,
            "memories": memories,
            "memories_deleted": with_memories && memories > 0,
        }),
    ))
}

pub(crate) fn memories_text(n: usize) -> String {
    match n {
        1 => "1 memory".to_owned(),
        n => format!("{} memories", count(n as u64)),
    }
}
