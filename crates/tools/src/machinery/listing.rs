//! Which tools a server shows, and what it says about them.

use serde_json::{Map, Value};

use crate::{
    machinery::{
        schema,
        tool::{Effect, Entry, Toolset},
        units,
    },
    profile::{self, Profile},
    tools::{self, INSTRUCTIONS, TOOLS},
};

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

impl Listing {
    /// Whether a tool may be called, listed or not.
    pub(crate) fn allows(&self, entry: &Entry) -> bool {
        !self.read_only || entry.effect.is_read_only()
    }

    fn shows(&self, entry: &Entry) -> bool {
        self.toolsets.contains(&entry.toolset) && self.allows(entry)
    }

    /// The tools that `tools/list` shows.
    pub(crate) fn tools(&self) -> Vec<ToolInfo> {
        match self.profile {
            Some(profile) => {
                let tools = profile.tools.iter().filter_map(|tool| {
                    let entry = tools::entry_of(tool.alias.to).filter(|entry| self.allows(entry))?;
                    Some(tool.info(entry))
                });
                tools.collect()
            }
            None => TOOLS
                .iter()
                .filter(|entry| self.shows(entry))
                .map(ToolInfo::of)
                .collect(),
        }
    }

    /// What the server tells a client about itself on connecting.
    pub(crate) fn instructions(&self) -> String {
        if let Some(profile) = self.profile {
            return profile.instructions();
        }
        let unlisted = TOOLS
            .iter()
            .filter(|entry| entry.in_instructions && self.allows(entry) && !self.shows(entry));
        let unlisted: Vec<&str> = unlisted.map(|entry| entry.name).collect();
        let unlisted = match &unlisted[..] {
            [] => String::new(),
            names => format!(
                " Tools that are not listed can be called by name: {}.",
                names.join(", ")
            ),
        };
        let writing = TOOLS
            .iter()
            .filter(|entry| entry.effect == Effect::WritesRepository && self.allows(entry));
        let writing: Vec<&str> = writing.map(|entry| entry.name).collect();
        let changes = match (&writing[..], Effect::WritesRepository.safeguard()) {
            ([], _) | (_, None) => "nothing changes it".to_owned(),
            (names, Some((parameter, value))) => {
                format!(
                    "nothing but {} with {parameter}: {value} changes it",
                    units::listed(names)
                )
            }
        };
        INSTRUCTIONS
            .replace("{changes}", &changes)
            .replace("{unlisted}", &unlisted)
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
    pub toolset: Toolset,
    /// What it changes at most: annotations follow from it.
    pub effect: Effect,
    /// One of the few tools that a client with deferred loading should load at once.
    pub always_load: bool,
    /// The everyday name on the command line.
    pub cli: Option<&'static str>,
    /// Parameters that the command line takes by position.
    pub positional: &'static [&'static str],
    /// Arguments of a call, as JSON, in the repository that the tests of all tools use.
    pub example: &'static str,
    /// Other names of parameters, with what each means.
    pub aliases: &'static [(&'static str, &'static str)],
}

impl ToolInfo {
    pub(crate) fn of(entry: &Entry) -> ToolInfo {
        ToolInfo {
            name: entry.name,
            title: entry.title,
            description: entry.doc,
            input_schema: entry.schema().input.clone(),
            output_schema: schema::output(entry),
            listed_input: schema::listed(entry),
            listed_output: schema::listed_output(),
            toolset: entry.toolset,
            effect: entry.effect,
            always_load: entry.always_loaded,
            example: entry.example,
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
