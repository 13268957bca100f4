//! JSON schemas of tools: plain types only, since some clients reject unions and references.

use serde_json::{Map, Value, json};

use crate::machinery::tool::{DEFAULT_TOKENS, Entry};

/// What a tool takes.
#[derive(Debug)]
pub(crate) struct Schema {
    /// The tool's own parameters, then those that every tool of its kind takes.
    pub input: Map<String, Value>,
    /// Parameters that the tool declares itself.
    own: Vec<String>,
}

impl Schema {
    pub fn of(entry: &Entry) -> Schema {
        let declared = (entry.params)();
        let declared_properties = declared.get("properties").and_then(Value::as_object);
        let mut properties = Map::new();
        for (name, property) in declared_properties.into_iter().flatten() {
            properties.insert(name.clone(), plain(property));
        }
        let own = properties.keys().cloned().collect();
        for (name, property) in common(entry) {
            properties.entry(name).or_insert(property);
        }
        let mut input = Map::new();
        input.insert("type".into(), "object".into());
        input.insert("properties".into(), properties.into());
        if let Some(required) = declared.get("required") {
            input.insert("required".into(), required.clone());
        }
        input.insert("additionalProperties".into(), false.into());
        Schema { input, own }
    }

    pub fn has(&self, parameter: &str) -> bool {
        properties(&self.input).is_some_and(|all| all.contains_key(parameter))
    }

    /// Whether the tool declares a parameter itself.
    pub fn is_own(&self, parameter: &str) -> bool {
        self.own.iter().any(|own| own == parameter)
    }
}

pub(crate) fn properties(schema: &Map<String, Value>) -> Option<&Map<String, Value>> {
    schema.get("properties").and_then(Value::as_object)
}

pub(crate) fn required(schema: &Map<String, Value>) -> Vec<&str> {
    let required = schema.get("required").and_then(Value::as_array);
    required.into_iter().flatten().filter_map(Value::as_str).collect()
}

/// Parameters that are taken and not listed: a model gets the text and its client the JSON, whatever the format.
const UNLISTED: &[&str] = &["format", "column"];

/// The schema as `tools/list` shows it. Every listed word is paid for in every conversation: what goes without saying is
/// left out, and checked all the same.
pub(crate) fn listed(entry: &Entry) -> Map<String, Value> {
    let mut schema = entry.schema().input.clone();
    // What is not listed is allowed.
    schema.shift_remove("additionalProperties");
    let common: Vec<String> = common(entry).into_iter().map(|(name, _)| name).collect();
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        properties.retain(|name, _| !UNLISTED.contains(&name.as_str()));
        for (name, property) in properties {
            let Some(property) = property.as_object_mut() else {
                continue;
            };
            let is_common = common.contains(name) || name == "max_tokens";
            property.retain(|key, value| match key.as_str() {
                "minLength" | "maxLength" | "minItems" | "maxItems" => false,
                "minimum" => value.as_u64().is_none_or(|least| least > 1),
                "maximum" | "description" => !is_common,
                "default" => *value != Value::Bool(false) && !(is_common && *value == DEFAULT_TOKENS),
                _ => true,
            });
        }
    }
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

/// The fields of the structured answer.
pub(crate) fn output(entry: &Entry) -> Map<String, Value> {
    let fields = entry.output.iter();
    let fields = fields.map(|(name, kind)| ((*name).to_owned(), json!({ "type": kind })));
    let mut schema = Map::new();
    schema.insert("type".into(), "object".into());
    schema.insert("properties".into(), fields.collect::<Map<String, Value>>().into());
    schema
}

/// An answer is an object: what is in it is in the documents, and in the answer itself.
pub(crate) fn listed_output() -> Map<String, Value> {
    Map::from_iter([("type".to_owned(), "object".into())])
}
