//! What a tool is: one definition that MCP, the command line, schemas and documents are made from.

use std::{
    sync::{Arc, OnceLock},
    time::{Duration, Instant},
};

use queries::Snapshot;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use workspace::{Control, Workspace, Workspaces};

use crate::{
    machinery::{
        alias::Alias,
        answer::Answer,
        error::{Cause, ErrorCode, ToolError},
        paging::Paging,
        schema::Schema,
        toolbox::{guarded, mended, with_mended_index},
        within::Within,
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

/// What a tool changes at most. Annotations, the read-only mode, retries and safeguards follow from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    Reads,
    /// Brings Portolan's own index up to date: once more changes nothing.
    WritesIndex,
    /// Adds to Portolan's own store with every call.
    WritesMemory,
    /// Writes files of the repository.
    WritesRepository,
    /// Deletes from Portolan's own store.
    Deletes,
}

impl Effect {
    pub const ALL: &[Effect] = &[
        Effect::Reads,
        Effect::WritesIndex,
        Effect::WritesMemory,
        Effect::WritesRepository,
        Effect::Deletes,
    ];

    /// What a server with `--read-only` may do.
    pub fn is_read_only(self) -> bool {
        self == Effect::Reads
    }

    /// Whether what it changes may be lost.
    pub fn is_destructive(self) -> bool {
        matches!(self, Effect::WritesRepository | Effect::Deletes)
    }

    /// Whether calling it twice is the same as calling it once.
    pub fn is_idempotent(self) -> bool {
        matches!(self, Effect::Reads | Effect::WritesIndex)
    }

    /// Whether the dispatcher may call it again by itself after a failure. What writes may have done so before it failed.
    pub fn is_retried(self) -> bool {
        self == Effect::Reads
    }

    /// The parameter without which nothing is lost: its name, and the value that lets the tool go ahead, which a caller must
    /// give.
    pub fn safeguard(self) -> Option<(&'static str, bool)> {
        match self {
            Effect::Deletes => Some(("confirm", true)),
            Effect::WritesRepository => Some(("dry_run", false)),
            Effect::Reads | Effect::WritesIndex | Effect::WritesMemory => None,
        }
    }

    /// For the documents; nothing for what only reads.
    pub fn text(self) -> &'static str {
        match self {
            Effect::Reads => "",
            Effect::WritesIndex | Effect::WritesMemory => "Writes to Portolan's own store.",
            Effect::WritesRepository => "Can change files of the repository.",
            Effect::Deletes => "Can delete from Portolan's own store.",
        }
    }
}

/// That a caller has given the safeguard of `Effect::Deletes`: a function that deletes takes one.
pub(crate) struct Confirmed(());

impl Confirmed {
    /// `action` is what needs it, such as `deleting x`.
    pub fn by(confirm: bool, action: &str, hint: impl FnOnce() -> String) -> Result<Confirmed, ToolError> {
        match confirm {
            true => Ok(Confirmed(())),
            false => {
                let message = format!("{action} needs confirm: true");
                Err(ToolError::new(ErrorCode::NotFound, message, hint()))
            }
        }
    }
}

/// What an answer comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Engine {
    /// Words of the text index.
    Text,
    /// Vectors of passages.
    Vectors,
    /// What the syntax of a file says.
    Syntax,
    /// Names that are resolved across files.
    Graph,
    /// What was noted.
    Memory,
}

impl Engine {
    pub fn name(self) -> &'static str {
        match self {
            Engine::Text => "text",
            Engine::Vectors => "vectors",
            Engine::Syntax => "syntax",
            Engine::Graph => "graph",
            Engine::Memory => "memory",
        }
    }
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

pub(crate) const TEXT: &[Engine] = &[Engine::Text];
pub(crate) const SYNTAX: &[Engine] = &[Engine::Syntax];
pub(crate) const GRAPH: &[Engine] = &[Engine::Syntax, Engine::Graph];

/// One tool: everything that is particular about it. The doc comments of `Params` are its parameters' documentation
/// everywhere.
pub(crate) trait Tool {
    const NAME: &'static str;
    const TITLE: &'static str;
    /// The first sentence says when to use it.
    const DOC: &'static str;
    /// A section of `docs/tools.md` for what does not go into a sentence, as Markdown.
    const GUIDE: Option<&'static str> = None;
    const TOOLSET: Toolset;
    const EFFECT: Effect;
    /// Arguments of a call, as JSON: for the documents, and for the tests of all tools. They ask about the repository
    /// `test_fixture::EXAMPLE`, indexed as the session `example`.
    const EXAMPLE: &'static str;
    /// The server's instructions name it where it is not listed.
    const IN_INSTRUCTIONS: bool = true;
    /// One of the few tools that a client with deferred loading should load at once: most tasks begin with one of these, and a
    /// client that has to look for them uses grep.
    const ALWAYS_LOADED: bool = false;
    /// Tools of other servers that mean this one.
    const OTHER_NAMES: &'static [Alias] = &[];
    /// The everyday name on the command line, if it is not the tool's own.
    const CLI: Option<&'static str> = None;
    /// Parameters that the command line takes by position.
    const POSITIONAL: &'static [&'static str] = &[];
    /// Other spellings of parameters.
    const ALIASES: &'static [(&'static str, &'static str)] = &[];
    /// Other words for values: parameter, word, value. A text parameter that has one for `true` takes flags.
    const VALUE_WORDS: &'static [(&'static str, &'static str, &'static str)] = &[];
    /// Parameters whose values are steps: a number means one of them.
    const STEPS: &'static [&'static str] = &[];
    /// Parameters whose text means what it is: white space too, and where it may be left out also an empty one.
    const VERBATIM: &'static [&'static str] = &[];
    /// Takes `workspace`.
    const SCOPED: bool = true;
    /// Takes `max_tokens`, and `cursor` to go on where the last page ended.
    const PAGED: bool = true;
    const DEFAULT_TOKENS: u64 = DEFAULT_TOKENS;
    /// What its answers come from, unless they say so themselves.
    const ENGINES: &'static [Engine] = TEXT;
    /// Fields of the structured answer, with their JSON types.
    const OUTPUT: &'static [(&'static str, &'static str)];

    type Params: DeserializeOwned + JsonSchema;

    /// Arguments that callers write otherwise than in other words, as the tool takes them.
    fn adapt(_arguments: &mut Map<String, Value>) {}

    /// What to do about a parameter that there is not, where the most similar name would mislead. `parameter` is in snake case.
    fn instead_of(_parameter: &str) -> Option<&'static str> {
        None
    }

    fn run(ctx: &Ctx<'_>, params: Self::Params) -> Result<Answer, ToolError>;
}

/// A tool with its types erased, for the list.
pub(crate) struct Entry {
    pub name: &'static str,
    pub title: &'static str,
    pub doc: &'static str,
    pub guide: Option<&'static str>,
    pub toolset: Toolset,
    pub effect: Effect,
    pub example: &'static str,
    pub in_instructions: bool,
    pub always_loaded: bool,
    pub other_names: &'static [Alias],
    pub cli: Option<&'static str>,
    pub positional: &'static [&'static str],
    pub aliases: &'static [(&'static str, &'static str)],
    pub value_words: &'static [(&'static str, &'static str, &'static str)],
    pub steps: &'static [&'static str],
    pub verbatim: &'static [&'static str],
    pub scoped: bool,
    pub paged: bool,
    pub default_tokens: u64,
    pub engines: &'static [Engine],
    pub output: &'static [(&'static str, &'static str)],
    pub params: fn() -> Value,
    pub adapt: fn(&mut Map<String, Value>),
    pub instead_of: fn(&str) -> Option<&'static str>,
    schema: OnceLock<Schema>,
    pub run: fn(&Ctx<'_>, Value) -> Result<Answer, ToolError>,
}

impl Entry {
    pub const fn of<T: Tool>() -> Entry {
        Entry {
            name: T::NAME,
            title: T::TITLE,
            doc: T::DOC,
            guide: T::GUIDE,
            toolset: T::TOOLSET,
            effect: T::EFFECT,
            example: T::EXAMPLE,
            in_instructions: T::IN_INSTRUCTIONS,
            always_loaded: T::ALWAYS_LOADED,
            other_names: T::OTHER_NAMES,
            cli: T::CLI,
            positional: T::POSITIONAL,
            aliases: T::ALIASES,
            value_words: T::VALUE_WORDS,
            steps: T::STEPS,
            verbatim: T::VERBATIM,
            scoped: T::SCOPED,
            paged: T::PAGED,
            default_tokens: T::DEFAULT_TOKENS,
            engines: T::ENGINES,
            output: T::OUTPUT,
            params: || schemars::schema_for!(T::Params).to_value(),
            adapt: T::adapt,
            instead_of: T::instead_of,
            schema: OnceLock::new(),
            run: |ctx, arguments| {
                let params = serde_json::from_value(arguments)
                    .map_err(|error| ToolError::invalid(format!("the arguments do not fit: {error}")))?;
                T::run(ctx, params)
            },
        }
    }

    /// What it takes; made once.
    pub fn schema(&self) -> &Schema {
        self.schema.get_or_init(|| Schema::of(self))
    }
}

/// What a running tool has at hand.
pub(crate) struct Ctx<'c> {
    pub workspaces: &'c Workspaces,
    pub control: Control<'c>,
    /// The `workspace` argument.
    pub workspace: Option<&'c str>,
    /// The directory of it that the call has named: see `Within`.
    pub within: Option<&'c Within>,
    /// Which page is wanted and how long it may be.
    pub paging: Paging<'c>,
    /// Every tool, for one that lists them.
    pub tools: &'static [Entry],
    /// The one that was called.
    pub tool: &'static str,
    /// What its answers come from.
    pub engines: &'static [Engine],
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
            Err(error) if error.cause == Cause::Closed && workspace.is_replaced() => {
                self.ask_of(&self.workspace()?, &ask)
            }
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
                Err(error) if error.cause == Cause::Stale && snapshot.behind().is_some() => {
                    let reason = snapshot.behind().unwrap_or_default();
                    return Err(ToolError::behind(reason));
                }
                Err(error) if error.cause == Cause::Stale && (attempt < ATTEMPTS || Instant::now() < deadline) => {
                    workspace.distrust_watch();
                    attempt += 1;
                }
                done => return done,
            }
        }
    }
}
