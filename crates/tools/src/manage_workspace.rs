//! `manage_workspace`: the session tools behind one name.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use workspace::Workspaces;

use crate::{
    answer::Answer,
    delete_session,
    error::ToolError,
    get_session_info::{self, GetSessionInfo},
    health_check::{self, HealthCheck},
    index_repository::{self, IndexRepository},
    list_sessions::{self, ListSessions},
    tool::{Ctx, Effect, Tool, Toolset},
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
                delete_session::delete(ctx, name, false)
            }
            Operation::Stats => {
                let session = match &params.name {
                    Some(name) => name.clone(),
                    None => ctx.workspace()?.session().name.clone(),
                };
                GetSessionInfo::run(ctx, get_session_info::Params { session })
            }
            Operation::Clean => clean(ctx),
            Operation::Refresh => index_repository::index(ctx, &ctx.workspace()?, params.force),
            Operation::Health => HealthCheck::run(ctx, health_check::Params {}),
        }
    }
}

fn clean(ctx: &Ctx<'_>) -> Result<Answer, ToolError> {
    let sessions = ctx.workspaces.sessions();
    let gone: Vec<String> = sessions
        .into_iter()
        .filter(|session| !Workspaces::root_exists(session))
        .map(|session| session.name)
        .collect();
    for name in &gone {
        ctx.workspaces.delete(name, false)?;
    }
    let head = match gone.as_slice() {
        [] => "Nothing to clean: every session's directory exists.".to_owned(),
        gone => format!(
            "Forgot {} whose directory is gone: {}",
            crate::units::plural(gone.len(), "session"),
            gone.join(", ")
        ),
    };
    Ok(Answer::of(head, json!({ "removed": gone })))
}
