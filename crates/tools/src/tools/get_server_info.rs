//! `get_server_info`: which Portolan this is and what it can do.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use workspace::INDEX_FORMAT;

use crate::machinery::{
    answer::{Answer, Row},
    error::ToolError,
    tool::{Ctx, Effect, Entry, Tool, Toolset},
};

pub(crate) struct GetServerInfo;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Params {}

/// Newest first.
const PROTOCOLS: &[&str] = &["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

impl Tool for GetServerInfo {
    const NAME: &'static str = "get_server_info";
    const TITLE: &'static str = "Server information";
    const DOC: &'static str = "Version, protocol versions, index format and every tool of this server.";
    const TOOLSET: Toolset = Toolset::Index;
    const EFFECT: Effect = Effect::Reads;
    const EXAMPLE: &'static str = "{}";
    const IN_INSTRUCTIONS: bool = false;
    const SCOPED: bool = false;
    const OUTPUT: &'static [(&'static str, &'static str)] = &[
        ("name", "string"),
        ("version", "string"),
        ("protocols", "array"),
        ("tools", "array"),
    ];

    type Params = Params;

    fn run(ctx: &Ctx<'_>, _params: Params) -> Result<Answer, ToolError> {
        let version = env!("CARGO_PKG_VERSION");
        let rust = env!("COMPILER_VERSION");
        let head = format!(
            "Portolan {version}: code intelligence over MCP and on the command line\n- protocol: MCP {}\n- index format: {INDEX_FORMAT}\n- Rust: {rust}\nTools:",
            PROTOCOLS.join(", ")
        );
        let find = |name: &str| ctx.tools.iter().find(|entry| entry.name == name);
        let tools: Vec<(&str, &Entry, &str)> = match ctx.profile {
            Some(profile) => {
                let tools = profile.tools.iter();
                let tools = tools.filter_map(|tool| {
                    let entry = find(tool.alias.to)?;
                    Some((tool.alias.name, entry, tool.description(entry)))
                });
                tools.collect()
            }
            None => ctx.tools.iter().map(|entry| (entry.name, entry, entry.doc)).collect(),
        };
        let rows = tools.iter().skip(ctx.paging.offset).map(|(name, entry, doc)| Row {
            text: format!("- {name} [{}]: {}", entry.toolset.name(), first_sentence(doc)),
            json: json!({ "name": name, "toolset": entry.toolset.name(), "description": first_sentence(doc) }),
            body: None,
        });
        let rows = rows.collect();
        let mut answer = Answer {
            head,
            key: "tools",
            rows,
            total: tools.len(),
            ..Answer::default()
        };
        answer.fact("name", "portolan");
        answer.fact("version", version);
        answer.fact("protocols", json!(PROTOCOLS));
        answer.fact("index_format", INDEX_FORMAT);
        answer.fact("rust_version", rust);
        Ok(answer)
    }
}

fn first_sentence(doc: &str) -> &str {
    doc.split_once(". ")
        .map_or(doc, |(first, _)| first)
        .trim_end_matches('.')
}
