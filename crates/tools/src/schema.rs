//! JSON schemas of tools: plain types only, since some clients reject unions and references.

use serde_json::{Map, Value, json};

use crate::tool::Entry;

/// The schema that a client sees: the tool's own parameters, then those that every tool of its kind takes.
pub(crate) fn input(entry: &Entry) -> Map<String, Value> {
    let Value::Object(own) = (entry.params)() else {
        return Map::new();
    };
    let mut properties = Map::new();
    if let Some(Value::Object(fields)) = own.get("properties") {
        for (name, property) in fields {
            properties.insert(name.clone(), plain(property));
        }
    }
    for (name, property) in common(entry) {
        properties.entry(name).or_insert(property);
    }
    let mut schema = Map::new();
    schema.insert("type".into(), "object".into());
    schema.insert("properties".into(), properties.into());
    if let Some(required) = own.get("required") {
        schema.insert("required".into(), required.clone());
    }
    schema.insert("additionalProperties".into(), false.into());
    schema
}

fn common(entry: &Entry) -> Vec<(String, Value)> {
    let mut fields = Vec::new();
    let mut add = |name: &str, property: Value| fields.push((name.to_owned(), property));
    if entry.scoped {
        add(
            "workspace",
            json!({ "type": "string", "description": "Session or directory; default: the root" }),
        );
    }
    if entry.paged {
        add(
            "max_tokens",
            json!({ "type": "integer", "default": entry.default_tokens, "minimum": 1, "maximum": 20000 }),
        );
        add(
            "cursor",
            json!({ "type": "string", "description": "next_cursor of the last page" }),
        );
    }
    add("format", json!({ "type": "string", "enum": ["text", "json"] }));
    fields
}

/// One property without unions with null, number formats and titles.
fn plain(property: &Value) -> Value {
    let Some(fields) = property.as_object() else {
        return property.clone();
    };
    if let Some(Value::Array(variants)) = fields.get("anyOf") {
        let real = variants
            .iter()
            .find(|variant| variant.get("type") != Some(&json!("null")));
        let mut merged = plain(real.unwrap_or(&Value::Null));
        if let (Some(merged), Some(doc)) = (merged.as_object_mut(), fields.get("description")) {
            merged.insert("description".into(), doc.clone());
        }
        return merged;
    }
    let mut out = Map::new();
    for (key, value) in fields {
        let value = match (key.as_str(), value) {
            ("format" | "title", _) => continue,
            ("default", Value::Null) => continue,
            ("type", Value::Array(types)) => types
                .iter()
                .find(|kind| **kind != json!("null"))
                .cloned()
                .unwrap_or_else(|| json!("string")),
            ("enum", Value::Array(values)) => values.iter().filter(|value| !value.is_null()).cloned().collect(),
            ("items", items) => plain(items),
            ("description", Value::String(doc)) => doc.replace('\n', " ").into(),
            (_, value) => value.clone(),
        };
        out.insert(key.clone(), value);
    }
    out.into()
}

/// What the structured answer is, by its first field: enough to tell answers apart, and cheap to list. The documents
/// have them all.
pub(crate) fn output(entry: &Entry) -> Map<String, Value> {
    let first = entry
        .output
        .first()
        .map(|(name, kind)| ((*name).to_owned(), json!({ "type": kind })));
    let mut schema = Map::new();
    schema.insert("type".into(), "object".into());
    schema.insert("properties".into(), Map::from_iter(first).into());
    schema
}
