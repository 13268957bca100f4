//! From what a caller wrote to what a tool takes: spellings, types, ranges. Lenient where the meaning is plain,
//! and exact about what is wrong where it is not.

use serde_json::{Map, Value};

use crate::machinery::{error::ToolError, schema, tool::Entry};

/// The arguments of every tool, taken out of the rest.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Common {
    pub workspace: Option<String>,
    pub json: bool,
    pub max_tokens: Option<u64>,
    pub cursor: Option<String>,
    /// What was understood otherwise than it was written.
    pub notes: Vec<String>,
}

/// Parameters that limit an answer: one that is too large means as much as there may be.
const LIMITS: &[&str] = &["max_results", "limit", "k", "depth"];

/// Spellings that mean `workspace` wherever the tool has no parameter of that name.
const WORKSPACE_NAMES: &[&str] = &["session", "directory", "workspace_id"];

pub(crate) fn normalise(entry: &Entry, given: Map<String, Value>) -> Result<(Map<String, Value>, Common), ToolError> {
    let schema = schema::input(entry);
    let takes_workspace = entry.aliases.iter().any(|(alias, _)| *alias == "workspace")
        || schema
            .get("properties")
            .is_some_and(|all| all.get("workspace").is_some());
    let mut given = given;
    if let Some(target) = joined_place(&schema, &given) {
        given.retain(|key, _| !PLACE_KEYS.contains(&snake_case(key).as_str()));
        given.insert("targets".to_owned(), target.into());
    }
    // Every tool takes one, also where it makes no difference.
    if !takes_workspace {
        given.shift_remove("workspace");
    }
    let notes = clamp_limits(entry, &schema, &mut given)?;
    let mut arguments = checked(entry.name, entry.aliases, &schema, given)?;
    let mut take = |name: &str| arguments.shift_remove(name);
    let own = |name: &str| (entry.params)().pointer(&format!("/properties/{name}")).is_some();
    let text = |value: Option<Value>| value.and_then(|value| value.as_str().map(str::to_owned));
    let common = Common {
        workspace: if entry.scoped && !own("workspace") {
            text(take("workspace"))
        } else {
            None
        },
        json: text(take("format")).as_deref() == Some("json"),
        max_tokens: take("max_tokens").and_then(|value| value.as_u64()),
        cursor: text(take("cursor")),
        notes,
    };
    Ok((arguments, common))
}

/// Lowers limits that are too large to the most that is allowed, and tells so.
fn clamp_limits(
    entry: &Entry,
    schema: &Map<String, Value>,
    given: &mut Map<String, Value>,
) -> Result<Vec<String>, ToolError> {
    let empty = Map::new();
    let properties = schema.get("properties").and_then(Value::as_object).unwrap_or(&empty);
    let mut notes = Vec::new();
    for (key, value) in given.iter_mut() {
        let name = canonical(entry.name, entry.aliases, properties, key)?;
        let most = properties[name].get("maximum").and_then(Value::as_i64);
        let Some(most) = most.filter(|_| LIMITS.contains(&name)) else {
            continue;
        };
        let number = match &*value {
            Value::Number(number) => number.as_f64(),
            Value::String(text) => text.trim().parse().ok(),
            _ => None,
        };
        if number.is_some_and(|number| number.fract() == 0.0 && number > most as f64) {
            notes.push(format!("`{name}` is at most {most}: {most} was used"));
            *value = most.into();
        }
    }
    Ok(notes)
}

/// How other tools take a place.
const PLACE_KEYS: &[&str] = &[
    "file",
    "file_path",
    "symbol",
    "line",
    "start_line",
    "line_number",
    "end_line",
];

/// A file and what of it, as other tools take them, in one text for a tool that takes `targets`: `src/a.rs:12`.
fn joined_place(schema: &Map<String, Value>, given: &Map<String, Value>) -> Option<String> {
    let properties = schema.get("properties")?;
    properties.get("targets").filter(|_| properties.get("line").is_none())?;
    let one = |names: &[&str]| {
        let found = given.iter().find(|(key, _)| names.contains(&snake_case(key).as_str()));
        found.and_then(|(_, value)| match value {
            Value::String(text) if !text.trim().is_empty() => Some(text.trim().to_owned()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        })
    };
    let file = one(&["file", "file_path"])?;
    let line = one(&["line", "start_line", "line_number"]);
    match (line, one(&["end_line"]), one(&["symbol"])) {
        (Some(line), Some(end), _) => Some(format!("{file}:{line}-{end}")),
        (Some(line), None, _) => Some(format!("{file}:{line}")),
        (None, _, Some(symbol)) => Some(format!("{file}#{symbol}")),
        (None, _, None) => None,
    }
}

/// Parameters that say where something is.
const PLACES: &[&str] = &["file", "file_path", "path", "paths", "targets"];

/// Where a call looks, as far as its arguments say it.
pub(crate) fn places(arguments: &Map<String, Value>) -> impl Iterator<Item = &str> {
    let given = PLACES.iter().filter_map(|name| arguments.get(*name));
    let items = given.flat_map(|value| match value {
        Value::Array(items) => items.as_slice(),
        one => std::slice::from_ref(one),
    });
    items.filter_map(Value::as_str)
}

/// Arguments as a schema wants them, by the names that it has.
pub(crate) fn checked(
    tool: &str,
    aliases: &[(&str, &str)],
    schema: &Map<String, Value>,
    given: Map<String, Value>,
) -> Result<Map<String, Value>, ToolError> {
    let empty = Map::new();
    let properties = schema.get("properties").and_then(Value::as_object).unwrap_or(&empty);
    let required = schema.get("required").and_then(Value::as_array);
    let required: Vec<&str> = required.into_iter().flatten().filter_map(Value::as_str).collect();
    let mut arguments: Map<String, Value> = Map::new();
    for (key, value) in given {
        let name = canonical(tool, aliases, properties, &key)?;
        let property = &properties[name];
        if value.is_null() || (!required.contains(&name) && name != "content" && says_nothing(&value)) {
            continue;
        }
        let value = coerce(name, property, value)?;
        if arguments.get(name).is_some_and(|other| *other != value) {
            let hint = format!("`{key}` is another name of `{name}`: give one of them");
            return Err(ToolError {
                hint: if key == name {
                    format!("give one `{name}`, and none of its other names")
                } else {
                    hint
                },
                ..ToolError::invalid(format!("`{name}` is given twice, and not the same"))
            });
        }
        arguments.insert(name.to_owned(), value);
    }
    for name in required {
        if !arguments.contains_key(name) {
            return Err(ToolError::invalid(format!("`{name}` is missing")));
        }
    }
    Ok(arguments)
}

/// Whether it says no more than if it were left out: callers fill in what they have no value for.
fn says_nothing(value: &Value) -> bool {
    value.as_str().is_some_and(|text| text.trim().is_empty())
}

/// The parameter that a key means.
fn canonical<'p>(
    tool: &str,
    aliases: &[(&str, &str)],
    properties: &'p Map<String, Value>,
    key: &str,
) -> Result<&'p str, ToolError> {
    let known = |name: &str| properties.get_key_value(name).map(|(name, _)| name.as_str());
    let aliased = |name: &str| {
        let own = aliases
            .iter()
            .find(|(alias, _)| *alias == name)
            .and_then(|(_, to)| known(to));
        own.or_else(|| WORKSPACE_NAMES.contains(&name).then(|| known("workspace")).flatten())
    };
    let snake = snake_case(key);
    let found = known(key)
        .or_else(|| aliased(key))
        .or_else(|| known(&snake))
        .or_else(|| aliased(&snake));
    found.ok_or_else(|| {
        let names = properties.keys().map(String::as_str);
        let accepted = aliases.iter().filter(|(_, to)| properties.contains_key(*to));
        let nearest = nearest(&snake, names.clone().chain(accepted.map(|(alias, _)| *alias)));
        let hint = match (meant_otherwise(tool, &snake), nearest) {
            (Some(hint), _) => hint.to_owned(),
            (None, Some(nearest)) => format!("did you mean `{nearest}`?"),
            (None, None) => format!("it takes {}", names.collect::<Vec<_>>().join(", ")),
        };
        ToolError {
            hint,
            ..ToolError::invalid(format!("{tool} has no parameter `{key}`"))
        }
    })
}

/// What to do about a parameter whose likeness to one of the tool's says nothing.
fn meant_otherwise(tool: &str, key: &str) -> Option<&'static str> {
    match (tool, key) {
        // Characters are not what was meant.
        ("read_file", key) if key.contains("line") || key == "limit" => {
            Some("start_line and end_line take lines; `length` counts characters")
        }
        ("grep", "output_mode" | "files_with_matches" | "files_only") => {
            Some("count: true lists the files, with how many lines of each match")
        }
        ("search_code" | "find_references" | "find_callers", "include_tests") => {
            Some("exclude_tests: true leaves tests out")
        }
        (_, "include_tests" | "exclude_tests") => {
            Some("it has no filter for tests; search_code, find_references and find_callers have exclude_tests")
        }
        ("search_code", "regex" | "regexp" | "is_regex") => Some("grep takes regular expressions"),
        ("impact_analysis", "commit" | "sha") => Some("diff takes revisions: `HEAD^!` is one commit"),
        ("get_dependencies", "direction") => Some("reverse: true lists who imports the file"),
        ("rename_symbol", "apply" | "write" | "confirm") => Some("dry_run: false writes it"),
        (_, "page" | "offset" | "skip") => Some("give `cursor` with the next_cursor of the page before"),
        _ => None,
    }
}

/// The most similar name, if any is similar at all.
pub(crate) fn nearest<'n>(wanted: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let scored = names.map(|name| (strsim::jaro_winkler(name, wanted), name));
    scored
        .filter(|(score, _)| *score > 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name)
}

/// The tool that was probably meant: more by what it is about than by `get`, `find` or `search` before that, or as the
/// command line calls it.
pub(crate) fn nearest_tool(wanted: &str, tools: &[Entry]) -> Option<&'static str> {
    const VERBS: &[&str] = &["get", "find", "list", "search", "show", "read", "code"];
    let wanted = snake_case(wanted);
    let subjects = |name: &str| -> Vec<String> {
        let words = name.split('_').map(|word| word.trim_end_matches('s').to_owned());
        words.filter(|word| !VERBS.contains(&word.as_str())).collect()
    };
    let of_wanted = subjects(&wanted);
    let likeness = |name: &str| {
        let own = subjects(name);
        let common = own.iter().filter(|word| of_wanted.contains(word)).count();
        let most = own.len().max(of_wanted.len()).max(1);
        strsim::jaro_winkler(name, &wanted) + common as f64 / most as f64
    };
    let named = |entry: &Entry| entry.cli.filter(|cli| *cli == wanted).map(|_| entry.name);
    let scored = tools.iter().map(|entry| (likeness(entry.name), entry.name));
    let best = scored
        .filter(|(score, _)| *score > 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0));
    tools.iter().find_map(named).or(best.map(|(_, name)| name))
}

fn snake_case(key: &str) -> String {
    let mut out = String::with_capacity(key.len() + 4);
    for c in key.chars() {
        match c {
            '-' | ' ' => out.push('_'),
            c if c.is_ascii_uppercase() => {
                if !out.is_empty() && !out.ends_with('_') {
                    out.push('_');
                }
                out.push(c.to_ascii_lowercase());
            }
            c => out.push(c),
        }
    }
    out
}

fn coerce(name: &str, property: &Value, value: Value) -> Result<Value, ToolError> {
    let kind = property.get("type").and_then(Value::as_str).unwrap_or("string");
    match kind {
        "integer" | "number" => integer(name, property, &value),
        "boolean" => boolean(name, &value),
        "array" => array(name, property, value),
        _ => string(name, property, value),
    }
}

fn wrong(name: &str, wanted: &str, value: &Value) -> ToolError {
    let mut shown = value.to_string();
    if shown.chars().count() > 60 {
        shown = shown.chars().take(57).collect::<String>() + "...";
    }
    ToolError::invalid(format!("`{name}` must be {wanted}, not {shown}"))
}

fn integer(name: &str, property: &Value, value: &Value) -> Result<Value, ToolError> {
    let number = match value {
        Value::Number(number) => number.as_i64().map(i128::from).or_else(|| whole(number.as_f64()?)),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    let number = number.ok_or_else(|| wrong(name, "a whole number", value))?;
    let bound = |key: &str| property.get(key).and_then(Value::as_i64).map(i128::from);
    let (low, high) = (bound("minimum"), bound("maximum"));
    // A budget beyond the cap means as much as there may be.
    if name == "max_tokens"
        && let Some(high) = high.filter(|high| number > *high)
    {
        return Ok(Value::from(high as i64));
    }
    if low.is_some_and(|low| number < low) || high.is_some_and(|high| number > high) {
        let range = match (low, high) {
            (Some(low), Some(high)) => format!("from {low} to {high}"),
            (Some(low), None) => format!("{low} or more"),
            (_, high) => format!("at most {}", high.unwrap_or_default()),
        };
        return Err(ToolError {
            hint: format!("use a value {range}"),
            ..ToolError::invalid(format!("`{name}` is {number}, it must be {range}"))
        });
    }
    i64::try_from(number)
        .map(Value::from)
        .map_err(|_| wrong(name, "a smaller number", value))
}

fn whole(number: f64) -> Option<i128> {
    (number.fract() == 0.0 && number.abs() < 1e18).then_some(number as i128)
}

fn boolean(name: &str, value: &Value) -> Result<Value, ToolError> {
    let flag = match value {
        Value::Bool(flag) => Some(*flag),
        Value::Number(number) => match number.as_i64() {
            Some(0) => Some(false),
            Some(1) => Some(true),
            _ => None,
        },
        Value::String(text) => match text.trim().to_ascii_lowercase().as_str() {
            "true" | "yes" | "1" => Some(true),
            "false" | "no" | "0" => Some(false),
            _ => None,
        },
        _ => None,
    };
    flag.map(Value::Bool).ok_or_else(|| wrong(name, "true or false", value))
}

fn string(name: &str, property: &Value, value: Value) -> Result<Value, ToolError> {
    let text = match value {
        Value::String(text) => text,
        Value::Number(number) => number.to_string(),
        // A list of one, where there can be no more.
        Value::Array(mut items) if items.len() == 1 => return string(name, property, items.remove(0)),
        // Which difference, or only that there is one.
        Value::Bool(flag) if name == "diff" => flag.to_string(),
        other => return Err(wrong(name, "a text", &other)),
    };
    if let Some(Value::Array(values)) = property.get("enum") {
        let values: Vec<&str> = values.iter().filter_map(Value::as_str).collect();
        let found = one_of(name, &values, text.trim());
        return found.map(Value::from).ok_or_else(|| {
            let hint = nearest(&text, values.iter().copied()).map(|nearest| format!("did you mean `{nearest}`?"));
            let error = ToolError::invalid(format!("`{name}` must be one of {}, not `{text}`", values.join(", ")));
            ToolError {
                hint: hint.unwrap_or_else(|| error.hint.clone()),
                ..error
            }
        });
    }
    let length = text.chars().count() as u64;
    let bound = |key: &str| property.get(key).and_then(Value::as_u64);
    // White space can be looked for.
    let is_text = matches!(name, "pattern" | "query");
    let is_empty = text.is_empty() || (text.trim().is_empty() && !is_text);
    if bound("minLength").is_some_and(|low| low > 0) && is_empty {
        return Err(ToolError {
            hint: format!("give a non-empty `{name}`"),
            ..ToolError::invalid(format!("`{name}` is empty"))
        });
    }
    if let Some(low) = bound("minLength").filter(|low| length < *low) {
        return Err(ToolError {
            hint: format!("give at least {low} characters"),
            ..ToolError::invalid(format!("`{name}` is too short: {low} characters at least"))
        });
    }
    if let Some(high) = bound("maxLength").filter(|high| length > *high) {
        return Err(ToolError {
            hint: format!("shorten it to {high} characters"),
            ..ToolError::invalid(format!(
                "`{name}` is {length} characters long, at most {high} are allowed"
            ))
        });
    }
    Ok(text.into())
}

/// Other words for values, by parameter.
const OTHER_WORDS: &[(&str, &str, &str)] = &[
    ("direction", "callers", "in"),
    ("direction", "incoming", "in"),
    ("direction", "callees", "out"),
    ("direction", "outgoing", "out"),
    ("mode", "signatures", "minimal"),
];

/// The value that is meant by a text: in any case, in the singular or plural, or how many of the steps of a depth.
fn one_of<'v>(name: &str, values: &[&'v str], text: &str) -> Option<&'v str> {
    let find = |text: &str| {
        let is = |value: &str| {
            value
                .trim_end_matches('s')
                .eq_ignore_ascii_case(text.trim_end_matches('s'))
        };
        values.iter().copied().find(|value| is(value))
    };
    let steps = text.parse::<usize>().ok().filter(|steps| name == "depth" && *steps > 0);
    let other = OTHER_WORDS
        .iter()
        .find(|(of, word, _)| *of == name && word.eq_ignore_ascii_case(text));
    find(text)
        .or_else(|| steps.and_then(|steps| values.get(steps.min(values.len()) - 1).copied()))
        .or_else(|| other.and_then(|(_, _, value)| find(value)))
}

fn array(name: &str, property: &Value, value: Value) -> Result<Value, ToolError> {
    let items = match value {
        Value::Array(items) => items,
        Value::String(text) if text.trim_start().starts_with('[') => match serde_json::from_str(&text) {
            Ok(Value::Array(items)) => items,
            // A glob may begin with a bracket.
            _ => vec![Value::String(text)],
        },
        Value::String(text) => vec![Value::String(text)],
        other => return Err(wrong(name, "a list", &other)),
    };
    let item = property.get("items").cloned().unwrap_or_default();
    let items = items.into_iter().filter(|value| value.as_str() != Some(""));
    items.map(|value| coerce(name, &item, value)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_meet_in_snake_case() {
        assert_eq!(snake_case("maxTokens"), "max_tokens");
        assert_eq!(snake_case("max-tokens"), "max_tokens");
        assert_eq!(snake_case("k"), "k");
    }

    #[test]
    fn a_value_is_cut_by_its_characters() {
        let shown = |value: &str| wrong("k", "a whole number", &value.into()).message;
        let short = "\u{3042}".repeat(30);
        assert_eq!(shown(&short), format!("`k` must be a whole number, not \"{short}\""));
        assert!(shown(&"\u{3042}".repeat(60)).ends_with("\u{3042}..."));
    }
}
