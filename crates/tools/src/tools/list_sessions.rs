//! `list_sessions`: every workspace that is stored.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use workspace::{RootState, Session, StoredSession};

use crate::machinery::{
    answer::{Answer, Row},
    error::ToolError,
    tool::{Ctx, Effect, Tool, Toolset},
    units::{bytes, plural, time},
    visible::visible_name,
};

pub(crate) struct ListSessions;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Params {}

impl Tool for ListSessions {
    const NAME: &'static str = "list_sessions";
    const TITLE: &'static str = "List sessions";
    const DOC: &'static str = "Indexed workspaces: files, chunks, size, when created.";
    const TOOLSET: Toolset = Toolset::Index;
    const EFFECT: Effect = Effect::Reads;
    const EXAMPLE: &'static str = "{}";
    const CLI: Option<&'static str> = Some("sessions");
    const SCOPED: bool = false;
    const OUTPUT: &'static [(&'static str, &'static str)] =
        &[("sessions", "array"), ("total", "integer"), ("next_cursor", "string")];

    type Params = Params;

    fn run(ctx: &Ctx<'_>, _params: Params) -> Result<Answer, ToolError> {
        let (sessions, unreadable) = ctx.workspaces.stored_sessions()?;
        let total = sessions.len();
        let mut head = match total {
            0 => "No sessions yet: the first search in a directory makes one.".to_owned(),
            total => format!("Sessions ({total}):"),
        };
        if !unreadable.is_empty() {
            let dirs: Vec<String> = unreadable.iter().map(|dir| dir.display().to_string()).collect();
            head.push_str(&format!(
                "\nNot readable, index their directories again: {}",
                visible_name(&dirs.join(", "))
            ));
        }
        let rows = sessions.iter().skip(ctx.paging.offset).map(row).collect();
        Ok(Answer {
            head,
            key: "sessions",
            rows,
            total,
            ..Answer::default()
        })
    }
}

fn row(stored: &StoredSession) -> Row {
    let StoredSession { session, size, stats } = stored;
    let size = *size;
    let mut json = json!({
        "session": session.name,
        "root": session.root,
        "size_bytes": size,
        "created": time(session.created_at),
    });
    let mut text = format!("- {} ({})", session.name, session.root.display());
    match stats {
        Some(stats) => {
            json["files"] = stats.files.into();
            json["chunks"] = stats.chunks.into();
            text.push_str(&format!(
                ": {}, {}",
                plural(stats.files, "file"),
                plural(stats.chunks as usize, "chunk")
            ));
        }
        None => text.push_str(": index format is outdated, see upgrade_session"),
    }
    text.push_str(&format!(", {}, created {}", bytes(size), time(session.created_at)));
    if let Some(missing) = missing_root(session) {
        json["root_missing"] = true.into();
        text.push_str(&format!(", {missing}"));
    }
    Row { text, json, body: None }
}

/// That the directory of a session is not there, and whether that is for good.
pub(crate) fn missing_root(session: &Session) -> Option<&'static str> {
    match session.root_state() {
        RootState::Present => None,
        RootState::Gone => Some("directory is gone"),
        RootState::Unreachable => Some("directory cannot be reached: its drive may not be mounted"),
    }
}
