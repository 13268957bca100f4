//! Other systems' tools, name by name and parameter by parameter, as data over our own: a server with a profile can stand
//! in for such a system.

mod page;
mod tables;
mod wording;

use std::path::Path;

use serde_json::{Map, Value, json};

use crate::{
    machinery::{
        alias::Alias,
        args::{self, Spellings},
        error::ToolError,
        listing::ToolInfo,
        tool::Entry,
    },
    tools::TOOLS,
};

pub use page::profiles_md;
pub(crate) use tables::PROFILES;
pub(crate) use wording::Wording;

/// One system.
#[derive(Debug)]
pub(crate) struct Profile {
    pub name: &'static str,
    pub tools: &'static [ProfileTool],
    /// In which order its document asks for them.
    order: &'static str,
    /// A tool that fails is an error of the protocol there, not of the call.
    pub fails_by_protocol: bool,
    /// An expression that is no expression is an error there, not words; and a phrase that nothing has is not found.
    pub checks_queries: bool,
    /// References have headings by confidence there.
    pub by_confidence: bool,
}

impl Profile {
    pub fn by_name(name: &str) -> Option<&'static Profile> {
        PROFILES.iter().find(|profile| profile.name == name)
    }

    pub fn tool(&self, name: &str) -> Option<&'static ProfileTool> {
        self.tools.iter().find(|tool| tool.alias.name == name)
    }

    /// A text about our tools with the names that are listed here, and how to go without the others.
    pub fn worded(&self, text: &str) -> String {
        let mut worded = text.to_owned();
        let mut missing = Vec::new();
        for entry in &TOOLS {
            let ours = format!("`{}`", entry.name);
            if !worded.contains(&ours) {
                continue;
            }
            match self.tools.iter().find(|tool| tool.alias.to == entry.name) {
                Some(tool) => worded = worded.replace(&ours, &format!("`{}`", tool.alias.name)),
                None => missing.push(ours),
            }
        }
        if !missing.is_empty() {
            worded.push_str(&format!(
                "\n\nThis server does not list {}: it answers calls of them all the same; where they cannot be called, search \
                 and read instead.",
                missing.join(", ")
            ));
        }
        worded
    }

    /// What the model behind a client is told.
    pub fn instructions(&self) -> String {
        let names: Vec<&str> = self.tools.iter().map(|tool| tool.alias.name).collect();
        format!(
            "Portolan with the tools of {}: {}. Answers come from an index that is brought up to date before each of them. {}",
            self.name,
            names.join(", "),
            self.order
        )
    }
}

/// One of its tools: what it is called and takes, and what it is here.
#[derive(Debug)]
pub(crate) struct ProfileTool {
    pub alias: Alias,
    /// What it does, where ours does more than can be asked for here.
    doc: &'static str,
    pub params: &'static [Param],
}

impl ProfileTool {
    const fn about(mut self, doc: &'static str) -> ProfileTool {
        self.doc = doc;
        self
    }

    pub fn description(&self, entry: &'static Entry) -> &'static str {
        match self.doc {
            "" => entry.doc,
            doc => doc,
        }
    }

    pub fn info(&self, entry: &'static Entry) -> ToolInfo {
        let schema = self.schema(entry);
        ToolInfo {
            name: self.alias.name,
            description: self.description(entry),
            input_schema: schema.clone(),
            listed_input: schema,
            cli: None,
            positional: &[],
            ..ToolInfo::of(entry)
        }
    }

    /// What it takes, with our own descriptions of the same parameters where those have none of their own.
    fn schema(&self, entry: &Entry) -> Map<String, Value> {
        let own = &entry.schema().input;
        let mut properties = Map::new();
        for param in self.params {
            let mut schema = param.schema();
            let ours = &own["properties"][self.ours(param, entry)]["description"];
            let described = match param.doc {
                "" => ours.as_str().unwrap_or_default(),
                doc => doc,
            };
            if !described.is_empty() {
                schema["description"] = described.into();
            }
            properties.insert(param.name.to_owned(), schema);
        }
        if entry.paged && !properties.contains_key("cursor") && !self.has(entry, "cursor") {
            properties.insert("cursor".to_owned(), own["properties"]["cursor"].clone());
        }
        let required: Vec<&str> = self
            .params
            .iter()
            .filter(|param| param.required)
            .map(|param| param.name)
            .collect();
        let mut schema = Map::new();
        schema.insert("type".into(), "object".into());
        schema.insert("properties".into(), properties.into());
        schema.insert("required".into(), json!(required));
        schema
    }

    /// Whether it takes one of our parameters, whatever it is called there.
    fn has(&self, entry: &Entry, name: &str) -> bool {
        self.params.iter().any(|param| self.ours(param, entry) == name)
    }

    /// Names of parameters are its own; what their values may be called is ours.
    fn spellings(&self, entry: &Entry) -> Spellings<'static> {
        let is_ours = self.alias.name == entry.name;
        let of_ours = Spellings::of(entry);
        Spellings {
            tool: self.alias.name,
            aliases: &[],
            instead_of: if is_ours { of_ours.instead_of } else { |_| None },
            ..of_ours
        }
    }

    /// The arguments of our own tool.
    pub fn arguments(&self, entry: &Entry, mut given: Map<String, Value>) -> Result<Map<String, Value>, ToolError> {
        for param in self.params.iter().filter(|param| param.is_lowered) {
            let most = param.range.map(|(_, most)| most);
            let is_above = |value: &&mut Value| value.as_u64() > most;
            if let Some(value) = given.get_mut(param.name).filter(is_above) {
                *value = most.into();
            }
        }
        let mut arguments = args::checked(&self.spellings(entry), &self.schema(entry), given)?;
        // Where nobody can say how long an answer may be it is as long as the number of rows that was asked for.
        let is_fixed = |name: &str| self.alias.fixed.iter().any(|(fixed, _)| *fixed == name);
        let mut counts = ["k", "limit", "max_results"].into_iter();
        let counts = counts.any(|name| self.has(entry, name) || is_fixed(name));
        if counts && !self.has(entry, "max_tokens") {
            arguments.insert("max_tokens".to_owned(), MAX_TOKENS.into());
        }
        for param in self.params {
            match arguments.shift_remove(param.name) {
                None => arguments.extend(param.default().map(|default| (param.name.to_owned(), default))),
                Some(given) => arguments.extend(param.meant(given)),
            }
        }
        Ok(self.alias.applied(arguments))
    }
}

/// The most that any answer may have.
const MAX_TOKENS: u64 = 20_000;

/// One parameter, as the system documents it.
#[derive(Debug)]
pub(crate) struct Param {
    name: &'static str,
    /// What it means, where our own parameter says something else.
    doc: &'static str,
    kind: &'static str,
    required: bool,
    /// As JSON.
    default: &'static str,
    /// Of a number its range, of a text its length.
    range: Option<(u64, u64)>,
    one_of: &'static [&'static str],
    means: Means,
    /// More than the most is taken for the most.
    is_lowered: bool,
}

/// What a text stands for, where that is not the text itself.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Means {
    Itself,
    /// A directory: the workspace if it is told in full, else what is in it.
    Directory,
    /// A path that begins at the workspace's root, whatever it begins with.
    Rooted,
}

const fn param(name: &'static str, kind: &'static str) -> Param {
    Param {
        name,
        doc: "",
        kind,
        required: false,
        default: "",
        range: None,
        one_of: &[],
        means: Means::Itself,
        is_lowered: false,
    }
}

const fn text(name: &'static str) -> Param {
    param(name, "string")
}

const fn whole(name: &'static str) -> Param {
    param(name, "integer")
}

const fn number(name: &'static str) -> Param {
    param(name, "number")
}

const fn flag(name: &'static str, default: bool) -> Param {
    param(name, "boolean").or(if default { "true" } else { "false" })
}

const fn texts(name: &'static str) -> Param {
    param(name, "array")
}

const fn choice(name: &'static str, one_of: &'static [&'static str]) -> Param {
    Param {
        one_of,
        ..param(name, "string")
    }
}

impl Param {
    const fn needed(mut self) -> Param {
        self.required = true;
        self
    }

    const fn says(mut self, doc: &'static str) -> Param {
        self.doc = doc;
        self
    }

    const fn or(mut self, default: &'static str) -> Param {
        self.default = default;
        self
    }

    const fn within(mut self, least: u64, most: u64) -> Param {
        self.range = Some((least, most));
        self
    }

    const fn lowered(mut self) -> Param {
        self.is_lowered = true;
        self
    }

    const fn directory(mut self) -> Param {
        self.means = Means::Directory;
        self
    }

    const fn rooted(mut self) -> Param {
        self.means = Means::Rooted;
        self
    }

    fn default(&self) -> Option<Value> {
        serde_json::from_str(self.default).ok()
    }

    /// An argument as our tools take it.
    fn meant(&self, given: Value) -> Option<(String, Value)> {
        let text = given.as_str().unwrap_or_default();
        match self.means {
            Means::Directory if matches!(text.trim_end_matches('/'), "" | ".") => None,
            Means::Directory if Path::new(text).is_absolute() => Some(("workspace".to_owned(), given)),
            Means::Rooted if text.starts_with('/') && !Path::new(text).exists() => {
                Some((self.name.to_owned(), text.trim_start_matches('/').into()))
            }
            _ => Some((self.name.to_owned(), given)),
        }
    }

    fn schema(&self) -> Value {
        let mut schema = json!({ "type": self.kind });
        if self.kind == "array" {
            schema["items"] = json!({ "type": "string" });
        }
        if let Some(default) = self.default() {
            schema["default"] = default;
        }
        if let Some((least, most)) = self.range {
            let (low, high) = match self.kind {
                "string" => ("minLength", "maxLength"),
                _ => ("minimum", "maximum"),
            };
            schema[low] = least.into();
            schema[high] = most.into();
        }
        if !self.one_of.is_empty() {
            schema["enum"] = json!(self.one_of);
        }
        schema
    }
}
