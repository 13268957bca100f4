//! `manage_workspace`: the session tools behind one name.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use workspace::RootState;

use crate::{
    machinery::{
        answer::Answer,
        error::ToolError,
        tool::{Confirmed, Ctx, Effect, Tool, Toolset},
    },
    tools::{
        delete_session,
        get_session_info::{self, GetSessionInfo},
        health_check::{self, HealthCheck},
        index_repository::{self, IndexRepository},
        list_sessions::{self, ListSessions},
    },
};

pub(crate) struct ManageWorkspace;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Params {
    operation: Operation,
    /// Directory, for index and add
    path: Option<String>,
    /// Session, for add and remove
    name: Option<String>,
    /// Read every file again
    #[serde(default)]
    force: bool,
    /// Must be true for remove and clean
    #[serde(default)]
    confirm: bool,
}

#[derive(Deserialize, JsonSchema, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
enum Operation {
    Index,
    List,
    Add,
    Remove,
    Stats,
    Clean,
    Refresh,
    Health,
}

impl Tool for ManageWorkspace {
    const NAME: &'static str = "manage_workspace";
    const TITLE: &'static str = "Manage workspaces";
    const DOC: &'static str =
        "Workspaces: index, list, add, remove, refresh, stats, health; clean forgets those whose directory is gone.";
    const TOOLSET: Toolset = Toolset::Index;
    const EFFECT: Effect = Effect::Deletes;
    const EXAMPLE: &'static str = r#"{"operation": "stats"}"#;
    const IN_INSTRUCTIONS: bool = false;
    const CLI: Option<&'static str> = Some("workspace");
    const POSITIONAL: &'static [&'static str] = &["operation"];
    const ALIASES: &'static [(&'static str, &'static str)] = &[("session", "name"), ("workspace_path", "path")];
    const OUTPUT: &'static [(&'static str, &'static str)] = &[("session", "string"), ("sessions", "array")];

    type Params = Params;

    fn run(ctx: &Ctx<'_>, params: Params) -> Result<Answer, ToolError> {
        match params.operation {
            Operation::Index | Operation::Add => {
                if params.operation == Operation::Add && params.path.is_none() {
                    return Err(ToolError::invalid("`path` is missing: which directory is to be added?"));
                }
                let index = index_repository::Params {
                    path: params.path,
                    session: params.name,
                    force: params.force,
                    ..index_repository::Params::default()
                };
                IndexRepository::run(ctx, index)
            }
            Operation::List => ListSessions::run(ctx, list_sessions::Params {}),
            Operation::Remove => {
                let named = params.name.as_deref().or(ctx.workspace);
                let name =
                    named.ok_or_else(|| ToolError::invalid("`name` is missing: which session is to be removed?"))?;
                let session = ctx.workspaces.session(name)?;
                let confirmed = delete_session::confirmed(ctx, &session.name, params.confirm)?;
                delete_session::delete(ctx, &session.name, false, confirmed)
            }
            Operation::Stats => {
                let session = match &params.name {
                    Some(name) => name.clone(),
                    None => ctx.workspace()?.session().name.clone(),
                };
                GetSessionInfo::run(ctx, get_session_info::Params { session })
            }
            Operation::Clean => clean(ctx, params.confirm),
            Operation::Refresh => index_repository::index(ctx, &ctx.workspace()?, params.force),
            Operation::Health => HealthCheck::run(ctx, health_check::Params {}),
        }
    }
}

/// Forgets every session whose directory was deleted or moved. One that cannot be reached may come back.
fn clean(ctx: &Ctx<'_>, confirm: bool) -> Result<Answer, ToolError> {
    let names = |state: RootState| -> Vec<String> {
        let sessions = ctx.workspaces.sessions().into_iter();
        let wanted = sessions.filter(|session| session.root_state() == state);
        wanted.map(|session| session.name).collect()
    };
    let (gone, unreachable) = (names(RootState::Gone), names(RootState::Unreachable));
    let plural = |names: &[String]| crate::machinery::units::plural(names.len(), "session");
    if !gone.is_empty() {
        let hint = || format!("set confirm to true to delete for good: {}", gone.join(", "));
        Confirmed::by(confirm, &format!("forgetting {}", plural(&gone)), hint)?;
    }
    let (mut removed, mut failed) = (Vec::new(), Vec::new());
    for name in gone {
        match ctx.workspaces.delete(&name, false) {
            Ok(_) => removed.push(name),
            Err(error) => failed.push((name, ToolError::from(error))),
        }
    }
    if let Some((_, error)) = failed.pop_if(|_| removed.is_empty()) {
        return Err(error);
    }
    let mut head = match removed.as_slice() {
        [] => "Nothing to clean: no session's directory was deleted or moved.".to_owned(),
        removed => format!(
            "Forgot {} whose directory is gone: {}",
            plural(removed),
            removed.join(", ")
        ),
    };
    for (name, error) in &failed {
        head.push_str(&format!("\nCould not forget {name}: {}", error.message));
    }
    let failed: Vec<String> = failed.into_iter().map(|(name, _)| name).collect();
    if !unreachable.is_empty() {
        head.push_str(&format!(
            "\nKept {} whose directory cannot be reached, as its drive may not be mounted: {}. delete_session deletes one all the same.",
            plural(&unreachable),
            unreachable.join(", ")
        ));
    }
    let mut facts = json!({ "removed": removed, "unreachable": unreachable });
    if !failed.is_empty() {
        facts["failed"] = json!(failed);
    }
    Ok(Answer::of(head, facts))
}
