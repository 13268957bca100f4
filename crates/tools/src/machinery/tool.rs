//! What a tool is: one definition that MCP, the command line, schemas and documents are made from.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use queries::Snapshot;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;
use workspace::{Control, Error, Workspace, Workspaces};

use crate::{
    machinery::{
        answer::Answer,
        error::{ToolError, code},
        paging::Paging,
        toolbox::{guarded, mended, with_mended_index},
    },
    profile::Profile,
};

/// Groups of tools that a server lists together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Toolset {
    Core,
    Graph,
    Files,
    Similar,
    Refactor,
    Memory,
    Index,
}

impl Toolset {
    pub const ALL: &[Toolset] = &[
        Toolset::Core,
        Toolset::Graph,
        Toolset::Files,
        Toolset::Similar,
        Toolset::Refactor,
        Toolset::Memory,
        Toolset::Index,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Toolset::Core => "core",
            Toolset::Graph => "graph",
            Toolset::Files => "files",
            Toolset::Similar => "similar",
            Toolset::Refactor => "refactor",
            Toolset::Memory => "memory",
            Toolset::Index => "index",
        }
    }
}

/// What a call changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    Reads,
    /// Changes Portolan's own state, never the repository.
    Indexes,
    /// Adds to Portolan's own state with every call.
    Notes,
    /// Changes files of the repository.
    Edits,
    Deletes,
}

/// What an answer may cost where nobody says it.
pub(crate) const DEFAULT_TOKENS: u64 = 4000;

/// The default of a parameter: `#[serde(default = "number::<20>")]`.
pub(crate) fn number<const N: u32>() -> u32 {
    N
}

pub(crate) fn yes() -> bool {
    true
}

pub(crate) fn default_tokens() -> u64 {
    DEFAULT_TOKENS
}

/// What answers come from: words of the text index, what a file's syntax says, names that are followed to what they mean.
pub(crate) const TEXT: &[&str] = &["text"];
pub(crate) const SYNTAX: &[&str] = &["syntax"];
pub(crate) const GRAPH: &[&str] = &["syntax", "graph"];

/// One tool. The doc comments of `Params` are its parameters' documentation everywhere.
pub(crate) trait Tool {
    const NAME: &'static str;
    const TITLE: &'static str;
    /// The first sentence says when to use it.
    const DOC: &'static str;
    const TOOLSET: Toolset;
    const EFFECT: Effect;
    /// The everyday name on the command line, if it is not the tool's own.
    const CLI: Option<&'static str> = None;
    /// Parameters that the command line takes by position.
    const POSITIONAL: &'static [&'static str] = &[];
    /// Other spellings of parameters.
    const ALIASES: &'static [(&'static str, &'static str)] = &[];
    /// Takes `workspace`.
    const SCOPED: bool = true;
    /// Takes `max_tokens`, and `cursor` to go on where the last page ended.
    const PAGED: bool = true;
    const DEFAULT_TOKENS: u64 = DEFAULT_TOKENS;
    /// What its answers come from, unless they say so themselves.
    const ENGINES: &'static [&'static str] = TEXT;
    /// Fields of the structured answer, with their JSON types.
    const OUTPUT: &'static [(&'static str, &'static str)];

    type Params: DeserializeOwned + JsonSchema;

    fn run(ctx: &Ctx<'_>, params: Self::Params) -> Result<Answer, ToolError>;
}

/// A tool with its types erased, for the list.
pub(crate) struct Entry {
    pub name: &'static str,
    pub title: &'static str,
    pub doc: &'static str,
    pub toolset: Toolset,
    pub effect: Effect,
    pub cli: Option<&'static str>,
    pub positional: &'static [&'static str],
    pub aliases: &'static [(&'static str, &'static str)],
    pub scoped: bool,
    pub paged: bool,
    pub default_tokens: u64,
    pub engines: &'static [&'static str],
    pub output: &'static [(&'static str, &'static str)],
    pub params: fn() -> Value,
    pub run: fn(&Ctx<'_>, Value) -> Result<Answer, ToolError>,
}

impl Entry {
    pub const fn of<T: Tool>() -> Entry {
        Entry {
            name: T::NAME,
            title: T::TITLE,
            doc: T::DOC,
            toolset: T::TOOLSET,
            effect: T::EFFECT,
            cli: T::CLI,
            positional: T::POSITIONAL,
            aliases: T::ALIASES,
            scoped: T::SCOPED,
            paged: T::PAGED,
            default_tokens: T::DEFAULT_TOKENS,
            engines: T::ENGINES,
            output: T::OUTPUT,
            params: || schemars::schema_for!(T::Params).to_value(),
            run: |ctx, arguments| {
                let params = serde_json::from_value(arguments)
                    .map_err(|error| ToolError::invalid(format!("the arguments do not fit: {error}")))?;
                T::run(ctx, params)
            },
        }
    }
}

/// What a running tool has at hand.
pub(crate) struct Ctx<'c> {
    pub workspaces: &'c Workspaces,
    pub control: Control<'c>,
    /// The `workspace` argument.
    pub workspace: Option<&'c str>,
    /// Which page is wanted and how long it may be.
    pub paging: Paging<'c>,
    /// Every tool, for `get_server_info`.
    pub tools: &'static [Entry],
    /// The one that was called.
    pub tool: &'static str,
    /// What its answers come from.
    pub engines: &'static [&'static str],
    pub profile: Option<&'static Profile>,
}

/// Refreshing and asking again helps unless files change all the time.
const ATTEMPTS: usize = 4;
/// So long it is tried in any case: several agents at work on one repository come to rest now and then.
const PATIENCE: Duration = Duration::from_secs(3);

impl Ctx<'_> {
    /// How many of a list beside the rows are shown: fewer where an answer must be short.
    pub fn share(&self, most: usize) -> usize {
        let share = most as u64 * self.paging.max_tokens / DEFAULT_TOKENS;
        (share as usize).clamp(1, most)
    }

    pub fn workspace(&self) -> Result<Arc<Workspace>, ToolError> {
        Ok(self.workspaces.resolve(self.workspace)?)
    }

    /// Answers from an up-to-date snapshot, and says what it has looked at.
    pub fn answer(&self, ask: impl Fn(&Snapshot) -> Result<Answer, ToolError>) -> Result<Answer, ToolError> {
        self.ask(|snapshot| Ok(ask(snapshot)?.by(self.engines).covering(snapshot)))
    }

    /// Looks at what this call has done. That is told whatever comes of the look, so that a panic is an error to tell as
    /// well; a damaged index is looked at again when it was made anew.
    pub fn look_afterwards<T>(&self, look: impl Fn() -> Result<T, ToolError>) -> Result<T, ToolError> {
        with_mended_index(
            Effect::Reads,
            || guarded(self.tool, &look),
            || mended(self.workspaces, self.workspace),
        )
    }

    /// Asks an up-to-date snapshot. If a cited file turns out to have changed since, everything is brought up to date and
    /// asked again.
    pub fn ask<T>(&self, ask: impl Fn(&Snapshot) -> Result<T, ToolError>) -> Result<T, ToolError> {
        let workspace = self.workspace()?;
        match self.ask_of(&workspace, &ask) {
            Err(error) if error.closed && workspace.is_replaced() => self.ask_of(&self.workspace()?, &ask),
            asked => asked,
        }
    }

    fn ask_of<T>(
        &self,
        workspace: &Arc<Workspace>,
        ask: &impl Fn(&Snapshot) -> Result<T, ToolError>,
    ) -> Result<T, ToolError> {
        let mut attempt = 1;
        let deadline = Instant::now() + PATIENCE;
        loop {
            let snapshot = Snapshot::new(workspace.snapshot(&self.control)?);
            match ask(&snapshot) {
                Err(error) if error.stale && snapshot.behind().is_some() => {
                    let reason = snapshot.behind().unwrap_or_default();
                    return Err(ToolError::new(
                        code::INDEX,
                        format!("a file has changed, and the index could not be brought up to date: {reason}"),
                        "check free space and permissions of the index directory; read_file and grep read the disk",
                    ));
                }
                Err(error) if error.stale && (attempt < ATTEMPTS || Instant::now() < deadline) => {
                    workspace.distrust_watch();
                    attempt += 1;
                }
                done => return done,
            }
        }
    }
}

/// `Error::Stale` never reaches a caller that goes through `Ctx::answer`, so tools can use `?`.
impl From<Error> for ToolError {
    fn from(error: Error) -> ToolError {
        ToolError::from_workspace(&error)
    }
}
