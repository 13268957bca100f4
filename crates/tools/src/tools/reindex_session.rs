//! `reindex_session`: a session with other chunk sizes, or all over again.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::{
    machinery::{
        answer::Answer,
        error::{ErrorCode, ToolError},
        tool::{Ctx, Effect, Tool, Toolset},
    },
    tools::index_repository,
};

pub(crate) struct ReindexSession;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Params {
    #[schemars(length(min = 1, max = 64))]
    session: String,
    #[schemars(range(min = 100, max = 2000))]
    chunk_size: Option<u32>,
    /// Less than chunk_size
    #[schemars(range(min = 0, max = 1999))]
    overlap: Option<u32>,
    /// Also when nothing changes
    #[serde(default)]
    force: bool,
}

impl Tool for ReindexSession {
    const NAME: &'static str = "reindex_session";
    const TITLE: &'static str = "Re-index a session";
    const DOC: &'static str = "Index a session again with other chunk sizes, or from scratch with force.";
    const TOOLSET: Toolset = Toolset::Index;
    const EFFECT: Effect = Effect::WritesIndex;
    const EXAMPLE: &'static str = r#"{"session": "example", "chunk_size": 1000}"#;
    const IN_INSTRUCTIONS: bool = false;
    const POSITIONAL: &'static [&'static str] = &["session"];
    const SCOPED: bool = false;
    const ALIASES: &'static [(&'static str, &'static str)] = &[("workspace", "session"), ("name", "session")];
    const OUTPUT: &'static [(&'static str, &'static str)] = &[
        ("session", "string"),
        ("files_indexed", "integer"),
        ("chunks_created", "integer"),
        ("changes", "array"),
    ];

    type Params = Params;

    fn run(ctx: &Ctx<'_>, params: Params) -> Result<Answer, ToolError> {
        let session = ctx.workspaces.session(&params.session)?;
        let old = session.config.clone();
        let configure = |own: &mut config::OwnConfig| {
            own.chunk_size = params.chunk_size.or(own.chunk_size);
            own.overlap = params.overlap.or(own.overlap);
        };
        let mut own = session.own();
        configure(&mut own);
        let new = own.over(&ctx.workspaces.config().index);
        if new == old && !params.force {
            return Err(ToolError::new(
                ErrorCode::NotFound,
                format!("the configuration of `{}` is unchanged", session.name),
                "give another chunk_size or overlap, or force: true to index it all again",
            ));
        }
        if !session.root.is_dir() {
            return Err(workspace::Error::RootGone { path: session.root }.into());
        }
        let workspace = ctx.workspaces.create(&session.root, Some(&session.name), configure)?;
        let mut answer = index_repository::index(ctx, &workspace, params.force)?;
        let mut changes = Vec::new();
        for (name, old, new) in [
            ("chunk_size", old.chunk_size, new.chunk_size),
            ("overlap", old.overlap, new.overlap),
        ] {
            if old != new {
                changes.push(format!("{name}: {old} -> {new}"));
            }
        }
        if !changes.is_empty() {
            answer
                .head
                .push_str(&format!("\nConfiguration changes:\n- {}", changes.join("\n- ")));
        }
        answer.fact("changes", json!(changes));
        Ok(answer)
    }
}
