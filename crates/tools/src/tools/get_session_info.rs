//! `get_session_info`: one workspace in detail.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use workspace::{IndexState, Session, StoredSession};

use crate::{
    machinery::{
        answer::Answer,
        error::ToolError,
        tool::{Ctx, Effect, Tool, Toolset},
        units::{bytes, count, time},
    },
    tools::{
        index_status::{indexed_at, state_text},
        list_sessions::missing_root,
    },
};

pub(crate) struct GetSessionInfo;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Params {
    #[schemars(length(min = 1, max = 64))]
    pub session: String,
}

impl Tool for GetSessionInfo {
    const NAME: &'static str = "get_session_info";
    const TITLE: &'static str = "Session details";
    const DOC: &'static str = "One session: status, counts, configuration, averages.";
    const TOOLSET: Toolset = Toolset::Index;
    const EFFECT: Effect = Effect::Reads;
    const EXAMPLE: &'static str = r#"{"session": "example"}"#;
    const IN_INSTRUCTIONS: bool = false;
    const POSITIONAL: &'static [&'static str] = &["session"];
    const SCOPED: bool = false;
    const PAGED: bool = false;
    const ALIASES: &'static [(&'static str, &'static str)] = &[("workspace", "session"), ("name", "session")];
    const OUTPUT: &'static [(&'static str, &'static str)] = &[
        ("session", "string"),
        ("status", "string"),
        ("files", "integer"),
        ("chunks", "integer"),
    ];

    type Params = Params;

    fn run(ctx: &Ctx<'_>, params: Params) -> Result<Answer, ToolError> {
        let StoredSession { session, size, stats } = ctx.workspaces.stored_session(&params.session)?;
        let Some(stats) = stats else {
            let head = format!(
                "The index format of session `{}` is outdated; upgrade_session rebuilds it.",
                session.name
            );
            return Ok(Answer::of(
                head,
                json!({ "session": session.name, "status": "outdated" }),
            ));
        };
        let status = match (stats.state, missing_root(&session)) {
            (IndexState::Ready, Some(missing)) => missing.to_owned(),
            (state, _) => state_text(state),
        };
        let per_file = stats.chunks as f64 / stats.files.max(1) as f64;
        let per_chunk = stats.source_bytes / stats.chunks.max(1);
        let config = &session.config;
        let head = format!(
            "Session: {}\n- root: {}\n- status: {status}\n- files: {}\n- chunks: {}\n- size: {}\n- created: {}\n- indexed: {} (generation {})\n\
             Configuration{}\n- chunk size: {} characters\n- overlap: {} characters\n- include: {}\n- exclude: {}\n\
             Statistics\n- chunks per file: {per_file:.2}\n- chunk size on average: {}",
            session.name,
            session.root.display(),
            count(stats.files as u64),
            count(stats.chunks),
            bytes(size),
            time(session.created_at),
            indexed_at(stats.generation, stats.committed_at).unwrap_or_else(|| "not yet".to_owned()),
            stats.generation,
            own_text(&session),
            config.chunk_size,
            config.overlap,
            config.include.join(", "),
            exclude_text(config.exclude.as_deref()),
            bytes(per_chunk),
        );
        Ok(Answer::of(
            head,
            json!({
                "session": session.name,
                "root": session.root,
                "status": status,
                "files": stats.files,
                "chunks": stats.chunks,
                "size_bytes": size,
                "created": time(session.created_at),
                "indexed": indexed_at(stats.generation, stats.committed_at),
                "generation": stats.generation,
                "chunk_size": config.chunk_size,
                "overlap": config.overlap,
                "include_patterns": config.include,
                "exclude_patterns": config.excluded(),
                "own": session.own().names(),
                "chunks_per_file": (per_file * 100.0).round() / 100.0,
                "average_chunk_bytes": per_chunk,
            }),
        ))
    }
}

fn exclude_text(given: Option<&[String]>) -> String {
    match given {
        None => "default".to_owned(),
        Some([]) => "nothing".to_owned(),
        Some(globs) => format!("default, {}", globs.join(", ")),
    }
}

/// What the settings do not decide.
fn own_text(session: &Session) -> String {
    match session.own().names().as_slice() {
        [] => String::new(),
        names => format!(" (its own: {}; the rest as get_config has it)", names.join(", ")),
    }
}
