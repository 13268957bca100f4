//! From what a caller wrote to what a tool takes: spellings, types, ranges. Lenient where the meaning is plain,
//! and exact about what is wrong where it is not.

use serde_json::{Map, Value};

use crate::{
    machinery::{
        error::{Hint, ToolError},
        schema,
        tool::Entry,
        units::listed,
    },
    tools::TOOLS,
};

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

/// What a tool lets callers write otherwise than its schema says.
pub(crate) struct Spellings<'t> {
    /// What the tool is called.
    pub tool: &'t str,
    pub aliases: &'t [(&'t str, &'t str)],
    pub value_words: &'t [(&'t str, &'t str, &'t str)],
    pub steps: &'t [&'t str],
    pub verbatim: &'t [&'t str],
    pub instead_of: fn(&str) -> Option<&'static str>,
}

impl Spellings<'_> {
    pub fn of(entry: &Entry) -> Spellings<'static> {
        Spellings {
            tool: entry.name,
            aliases: entry.aliases,
            value_words: entry.value_words,
            steps: entry.steps,
            verbatim: entry.verbatim,
            instead_of: entry.instead_of,
        }
    }
}

pub(crate) fn normalise(
    entry: &Entry,
    mut given: Map<String, Value>,
) -> Result<(Map<String, Value>, Common), ToolError> {
    let schema = entry.schema();
    let spellings = Spellings::of(entry);
    (entry.adapt)(&mut given);
    let takes_workspace = entry.aliases.iter().any(|(alias, _)| *alias == "workspace") || schema.has("workspace");
    // Every tool takes one, also where it makes no difference.
    if !takes_workspace {
        given.shift_remove("workspace");
    }
    let notes = clamp_limits(&spellings, &schema.input, &mut given)?;
    let mut arguments = checked(&spellings, &schema.input, given)?;
    let mut take = |name: &str| arguments.shift_remove(name);
    let text = |value: Option<Value>| value.and_then(|value| value.as_str().map(str::to_owned));
    let common = Common {
        workspace: if entry.scoped && !schema.is_own("workspace") {
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
    spellings: &Spellings<'_>,
    schema: &Map<String, Value>,
    given: &mut Map<String, Value>,
) -> Result<Vec<String>, ToolError> {
    let empty = Map::new();
    let properties = schema::properties(schema).unwrap_or(&empty);
    let mut notes = Vec::new();
    for (key, value) in given.iter_mut() {
        let name = canonical(spellings, properties, key)?;
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

/// The same, to be changed; globs are none.
pub(crate) fn places_mut(arguments: &mut Map<String, Value>) -> impl Iterator<Item = &mut String> {
    let given = arguments.iter_mut();
    let given = given.filter(|(name, _)| ["file", "file_path", "targets"].contains(&name.as_str()));
    let items = given.flat_map(|(_, value)| match value {
        Value::Array(items) => items.as_mut_slice(),
        one => std::slice::from_mut(one),
    });
    items.filter_map(|value| match value {
        Value::String(text) => Some(text),
        _ => None,
    })
}

/// Arguments as a schema wants them, by the names that it has.
pub(crate) fn checked(
    spellings: &Spellings<'_>,
    schema: &Map<String, Value>,
    given: Map<String, Value>,
) -> Result<Map<String, Value>, ToolError> {
    let empty = Map::new();
    let properties = schema::properties(schema).unwrap_or(&empty);
    let required = schema::required(schema);
    let mut arguments: Map<String, Value> = Map::new();
    for (key, value) in given {
        let name = canonical(spellings, properties, &key)?;
        let property = &properties[name];
        let may_be_empty = required.contains(&name) || spellings.verbatim.contains(&name);
        if value.is_null() || (!may_be_empty && says_nothing(&value)) {
            continue;
        }
        let value = spellings.coerce(name, property, value)?;
        if arguments.get(name).is_some_and(|other| *other != value) {
            let hint = match key == name {
                true => format!("give one `{name}`, and none of its other names"),
                false => format!("`{key}` is another name of `{name}`: give one of them"),
            };
            return Err(ToolError {
                hint: hint.into(),
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
    Spellings {
        tool,
        aliases,
        instead_of,
        ..
    }: &Spellings<'_>,
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
        let nearest = source::nearest(&snake, names.clone().chain(accepted.map(|(alias, _)| *alias)));
        let instead = instead_of(&snake).map(Hint::from).or_else(|| elsewhere(&snake));
        let takes = || format!("it takes {}", names.collect::<Vec<_>>().join(", ")).into();
        ToolError {
            hint: instead.or_else(|| Hint::did_you_mean(nearest)).unwrap_or_else(takes),
            ..ToolError::invalid(format!("{tool} has no parameter `{key}`"))
        }
    })
}

/// What to do about a parameter that only some tools have, and whose likeness to one of another tool says nothing.
fn elsewhere(parameter: &str) -> Option<Hint> {
    const TEST_FILTER: &str = "exclude_tests";
    match parameter {
        "include_tests" | TEST_FILTER => {
            let tools = TOOLS.iter().filter(|entry| entry.schema().has(TEST_FILTER));
            let names: Vec<&str> = tools.map(|entry| entry.name).collect();
            let names = listed(&names);
            Some(format!("it has no filter for tests; {names} have {TEST_FILTER}").into())
        }
        "page" | "offset" | "skip" => Some("give `cursor` with the next_cursor of the page before".into()),
        _ => None,
    }
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
        source::likeness(name, &wanted) + common as f64 / most as f64
    };
    let named = |entry: &Entry| entry.cli.filter(|cli| *cli == wanted).map(|_| entry.name);
    let scored = tools.iter().map(|entry| (likeness(entry.name), entry.name));
    let best = scored
        .filter(|(score, _)| *score > source::ALIKE)
        .max_by(|a, b| a.0.total_cmp(&b.0));
    tools.iter().find_map(named).or(best.map(|(_, name)| name))
}

pub(crate) fn snake_case(key: &str) -> String {
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

impl Spellings<'_> {
    /// A value as the schema of its parameter wants it.
    fn coerce(&self, name: &str, property: &Value, value: Value) -> Result<Value, ToolError> {
        let kind = property.get("type").and_then(Value::as_str).unwrap_or("string");
        match kind {
            "integer" | "number" => integer(name, property, &value),
            "boolean" => boolean(name, &value),
            "array" => self.array(name, property, value),
            _ => self.string(name, property, value),
        }
    }

    fn string(&self, name: &str, property: &Value, value: Value) -> Result<Value, ToolError> {
        let text = match value {
            Value::String(text) => text,
            Value::Number(number) => number.to_string(),
            // A list of one, where there can be no more.
            Value::Array(mut items) if items.len() == 1 => {
                return self.string(name, property, items.remove(0));
            }
            Value::Bool(flag) if self.word(name, "true").is_some() => flag.to_string(),
            other => return Err(wrong(name, "a text", &other)),
        };
        if let Some(Value::Array(values)) = property.get("enum") {
            let values: Vec<&str> = values.iter().filter_map(Value::as_str).collect();
            let found = self.one_of(name, &values, text.trim());
            return found.map(Value::from).ok_or_else(|| {
                let nearest = source::nearest(&text, values.iter().copied());
                ToolError {
                    hint: Hint::did_you_mean(nearest).unwrap_or(Hint::SeeSchema),
                    ..ToolError::invalid(format!("`{name}` must be one of {}, not `{text}`", values.join(", ")))
                }
            });
        }
        let length = text.chars().count() as u64;
        let bound = |key: &str| property.get(key).and_then(Value::as_u64);
        let is_empty = text.is_empty() || (text.trim().is_empty() && !self.verbatim.contains(&name));
        if bound("minLength").is_some_and(|low| low > 0) && is_empty {
            return Err(ToolError {
                hint: format!("give a non-empty `{name}`").into(),
                ..ToolError::invalid(format!("`{name}` is empty"))
            });
        }
        if let Some(low) = bound("minLength").filter(|low| length < *low) {
            return Err(ToolError {
                hint: format!("give at least {low} characters").into(),
                ..ToolError::invalid(format!("`{name}` is too short: {low} characters at least"))
            });
        }
        if let Some(high) = bound("maxLength").filter(|high| length > *high) {
            return Err(ToolError {
                hint: format!("shorten it to {high} characters").into(),
                ..ToolError::invalid(format!(
                    "`{name}` is {length} characters long, at most {high} are allowed"
                ))
            });
        }
        Ok(text.into())
    }

    /// The value that is meant by a text: in any case, in the singular or plural, or how many of the steps of a depth.
    fn one_of<'v>(&self, name: &str, values: &[&'v str], text: &str) -> Option<&'v str> {
        let find = |text: &str| {
            let is = |value: &str| {
                value
                    .trim_end_matches('s')
                    .eq_ignore_ascii_case(text.trim_end_matches('s'))
            };
            values.iter().copied().find(|value| is(value))
        };
        let steps = text
            .parse::<usize>()
            .ok()
            .filter(|steps| self.steps.contains(&name) && *steps > 0);
        find(text)
            .or_else(|| steps.and_then(|steps| values.get(steps.min(values.len()) - 1).copied()))
            .or_else(|| self.word(name, text).and_then(find))
    }

    /// The value that another word stands for.
    fn word(&self, name: &str, text: &str) -> Option<&str> {
        let mut words = self.value_words.iter();
        words
            .find(|(of, word, _)| *of == name && word.eq_ignore_ascii_case(text))
            .map(|(_, _, value)| *value)
    }

    fn array(&self, name: &str, property: &Value, value: Value) -> Result<Value, ToolError> {
        let items = match value {
            Value::Array(items) => items,
            Value::String(text) if text.trim_start().starts_with('[') => {
                match serde_json::from_str(&text) {
                    Ok(Value::Array(items)) => items,
                    // A glob may begin with a bracket.
                    _ => vec![Value::String(text)],
                }
            }
            Value::String(text) => vec![Value::String(text)],
            other => return Err(wrong(name, "a list", &other)),
        };
        let item = property.get("items").cloned().unwrap_or_default();
        let items = items.into_iter().filter(|value| value.as_str() != Some(""));
        items.map(|value| self.coerce(name, &item, value)).collect()
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
            hint: format!("use a value {range}").into(),
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
