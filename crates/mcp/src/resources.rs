//! The resources: answers of tools that can be read by URI. And what completes a path or the name of a symbol.

use rmcp::model::{Resource, ResourceTemplate};
use serde_json::{Map, Value, json};

use crate::{prompts::Means, uri};

const MAP: &str = "portolan://map";
const OUTLINE: &str = "portolan://outline/";
pub(crate) const OUTLINE_TEMPLATE: &str = "portolan://outline/{path}";
pub(crate) const MIME_TYPE: &str = "text/plain";

/// What the protocol lets a completion have.
pub(crate) const MAX_COMPLETIONS: usize = 100;

pub(crate) fn list() -> Vec<Resource> {
    vec![
        Resource::new(MAP, "map")
            .with_title("Map of the workspace")
            .with_description("The directory tree with the signatures that matter most")
            .with_mime_type(MIME_TYPE),
    ]
}

pub(crate) fn templates() -> Vec<ResourceTemplate> {
    vec![
        ResourceTemplate::new(OUTLINE_TEMPLATE, "outline")
            .with_title("Outline of a file")
            .with_description("The symbols of a file or directory with signatures and lines")
            .with_mime_type(MIME_TYPE),
    ]
}

/// A call of a tool.
pub(crate) struct ToolCall {
    pub tool: &'static str,
    pub arguments: Map<String, Value>,
}

impl ToolCall {
    fn new(tool: &'static str, arguments: Value) -> ToolCall {
        let Value::Object(arguments) = arguments else {
            unreachable!("arguments are written as objects below")
        };
        ToolCall { tool, arguments }
    }
}

/// The call that answers for a resource; `None` if there is no such URI.
pub(crate) fn call_for(uri: &str) -> Option<ToolCall> {
    if uri == MAP {
        return Some(ToolCall::new("map_code", json!({})));
    }
    // The variable of the template is encoded by some clients and not by others.
    let path = String::from_utf8(uri::percent_decoded(uri.strip_prefix(OUTLINE)?)?).ok()?;
    let arguments = json!({ "file_path": path, "max_depth": 10, "limit": 500, "max_tokens": 20_000 });
    (!path.is_empty()).then(|| ToolCall::new("get_symbols", arguments))
}

/// The call whose answer has what an argument can be; `None` if nothing is known of it.
pub(crate) fn completion(means: Means, begun: &str) -> Option<ToolCall> {
    match means {
        Means::Path => {
            let pattern = format!("(?i)^{}", regex_escaped(begun));
            let arguments =
                json!({ "pattern": pattern, "pattern_type": "regex", "limit": MAX_COMPLETIONS, "max_tokens": 20_000 });
            Some(ToolCall::new("find_file", arguments))
        }
        Means::Symbol if begun.trim().is_empty() => None,
        Means::Symbol => {
            let arguments = json!({ "name": begun, "limit": MAX_COMPLETIONS, "max_tokens": 20_000 });
            Some(ToolCall::new("find_symbol", arguments))
        }
        Means::Other => None,
    }
}

/// The values in the structured answer to such a call, without repetitions, and how many there are in all.
pub(crate) fn completed(answer: &Value) -> (Vec<String>, Option<u64>) {
    let rows = |key: &str| answer.get(key).and_then(Value::as_array).cloned().unwrap_or_default();
    let text = |row: &Value| {
        let named = row
            .as_str()
            .or_else(|| row.get("path")?.as_str().filter(|_| row.get("name").is_none()));
        named.or_else(|| row.get("qualified_name")?.as_str()).map(str::to_owned)
    };
    let mut values: Vec<String> = Vec::new();
    for value in rows("files").iter().chain(&rows("definitions")).filter_map(text) {
        if !values.contains(&value) && values.len() < MAX_COMPLETIONS {
            values.push(value);
        }
    }
    (values, answer.get("total").and_then(Value::as_u64))
}

fn regex_escaped(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        if !c.is_alphanumeric() && c.is_ascii() {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}
