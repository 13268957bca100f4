//! Which tools a server shows, and what it says about them.

use serde_json::{Map, Value};

use crate::{
    machinery::{
        schema,
        tool::{Effect, Entry, Toolset},
    },
    profile::{self, Profile},
    tools::TOOLS,
};

/// What a server says about itself to the model behind the client.
pub(crate) const INSTRUCTIONS: &str = "\
Portolan answers questions about the code in this workspace from an index that is brought up to date before every \
answer. Nothing in the repository is run, and {changes}. Use it before shell grep, find and cat:

- Where is something done, or where must a request be implemented: search_code with the whole request, issue or error \
message as `query`. Functions, types and sections, best first, with line ranges and code; the likeliest with who calls \
them and what they call. A name leads with its definition. literal: true lists every line with an exact text.
- Every use of a symbol: find_references, best by `file` and `line` of its definition. Resolved by the rules of the \
language, so uses of a namesake are not among them; include_other lists those. No second search is needed.
- Code: extract_code shows whole definitions with line numbers, several in one call: by name, `file:line`, range, or from \
pasted compiler output, stack trace or diff. get_symbols outlines a file, find_symbol finds a definition by part of its name.
- What a change affects: find_callers, impact_analysis (tests_only: the tests to run), deep_dive.
- An unknown repository: map_code.

\"No match\" with a complete index means there is none; \"Partial\" means ask again later. What does not fit is counted, \
with a cursor; max_tokens sets the size.{unlisted} All take `workspace` (a session name or a directory) to ask about \
another repository.";

/// Tools that are worth knowing of where they are not listed.
pub(crate) const UNLISTED: &[&str] = &[
    "find_definition",
    "find_callees",
    "find_implementations",
    "get_call_graph",
    "find_path",
    "find_similar",
    "get_dependencies",
    "analyze_complexity",
    "grep",
    "read_file",
    "find_file",
    "list_files",
    "preview_chunk",
    "rename_symbol",
    "checkpoint",
    "recall",
    "plan",
    "index_repository",
    "list_sessions",
    "health_check",
];

/// Which tools a server shows.
#[derive(Debug, Clone)]
pub struct Listing {
    pub(crate) toolsets: Vec<Toolset>,
    pub(crate) read_only: bool,
    pub(crate) structured: bool,
    pub(crate) profile: Option<&'static Profile>,
}

/// A toolset that does not exist.
#[derive(Debug)]
pub struct UnknownToolset {
    pub name: String,
}

impl Listing {
    /// `toolsets` is a comma-separated list, or `all`.
    pub fn new(toolsets: &str, read_only: bool, structured: bool) -> Result<Listing, UnknownToolset> {
        let mut chosen = Vec::new();
        for name in toolsets.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            if name == "all" {
                chosen.extend(Toolset::ALL);
                continue;
            }
            let known = Toolset::ALL.iter().find(|toolset| toolset.name() == name);
            chosen.push(*known.ok_or_else(|| UnknownToolset { name: name.to_owned() })?);
        }
        Ok(Listing {
            toolsets: chosen,
            read_only,
            structured,
            profile: None,
        })
    }

    /// The tools of another system instead.
    pub fn with_profile(mut self, name: &str) -> Result<Listing, UnknownProfile> {
        let known = Profile::by_name(name).ok_or_else(|| UnknownProfile { name: name.to_owned() })?;
        self.profile = Some(known);
        Ok(self)
    }
}

/// A profile that does not exist.
#[derive(Debug)]
pub struct UnknownProfile {
    pub name: String,
}

/// The systems that a server can stand in for.
pub fn profiles() -> Vec<&'static str> {
    profile::PROFILES.iter().map(|profile| profile.name).collect()
}

/// What a listing says about one tool.
pub struct ToolInfo {
    pub name: &'static str,
    pub title: &'static str,
    pub description: &'static str,
    pub input_schema: Map<String, Value>,
    pub output_schema: Map<String, Value>,
    /// Both as `tools/list` shows them.
    pub listed_input: Map<String, Value>,
    pub listed_output: Map<String, Value>,
    pub read_only: bool,
    pub destructive: bool,
    pub idempotent: bool,
    /// One of the few tools that a client with deferred loading should load at once.
    pub always_load: bool,
    /// The everyday name on the command line.
    pub cli: Option<&'static str>,
    /// Parameters that the command line takes by position.
    pub positional: &'static [&'static str],
    /// Other names of parameters, with what each means.
    pub aliases: &'static [(&'static str, &'static str)],
}

/// Most tasks begin with one of these; a client that has to look for them uses grep.
const ALWAYS_LOADED: &[&str] = &["search_code", "find_references", "extract_code"];

impl ToolInfo {
    pub(crate) fn of(entry: &Entry) -> ToolInfo {
        ToolInfo {
            name: entry.name,
            title: entry.title,
            description: entry.doc,
            input_schema: schema::input(entry),
            output_schema: schema::output(entry),
            listed_input: schema::listed(entry),
            listed_output: schema::listed_output(),
            read_only: entry.effect == Effect::Reads,
            destructive: matches!(entry.effect, Effect::Deletes | Effect::Edits),
            idempotent: !matches!(entry.effect, Effect::Deletes | Effect::Edits | Effect::Notes),
            always_load: ALWAYS_LOADED.contains(&entry.name),
            cli: entry.cli,
            positional: entry.positional,
            aliases: entry.aliases,
        }
    }
}

/// Every tool there is, listed or not.
pub fn all_tools() -> Vec<ToolInfo> {
    TOOLS.iter().map(ToolInfo::of).collect()
}
