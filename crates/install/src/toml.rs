//! Servers in TOML. What is not ours keeps its bytes.

use toml_edit::{Array, DocumentMut, Item, Table, TableLike, value};

use crate::{ARGUMENTS, Problem, SERVER, clients::Client};

pub(crate) fn put(text: &str, client: &Client, command: &str) -> Result<String, Problem> {
    let mut document = parse(text)?;
    let servers = document.entry(client.key).or_insert_with(|| {
        let mut servers = Table::new();
        servers.set_implicit(true);
        Item::Table(servers)
    });
    let servers = as_table(servers, client.key)?;
    if servers.get(SERVER).is_none() {
        let mut entry = Table::new();
        entry.insert("command", value(command));
        entry.insert("args", value(arguments()));
        servers.insert(SERVER, Item::Table(entry));
        return Ok(finished(text, &document));
    }
    let entry = as_table(servers.entry(SERVER).or_insert(Item::None), SERVER)?;
    if program(entry)?.as_deref() != Some(command) {
        replace(entry, "command", value(command));
        let first = entry
            .get("args")
            .and_then(Item::as_array)
            .and_then(|list| list.get(0)?.as_str());
        if !first.is_some_and(|first| ARGUMENTS.contains(&first)) {
            replace(entry, "args", value(arguments()));
        }
    }
    Ok(finished(text, &document))
}

pub(crate) fn take(text: &str, client: &Client) -> Result<Option<Option<String>>, Problem> {
    let mut document = parse(text)?;
    let Some(servers) = document.get_mut(client.key) else {
        return Ok(None);
    };
    let servers = as_table(servers, client.key)?;
    if servers.remove(SERVER).is_none() {
        return Ok(None);
    }
    if servers.is_empty() {
        document.remove(client.key);
    }
    let left = finished(text, &document);
    Ok(Some((!left.trim().is_empty()).then_some(left)))
}

pub(crate) fn command(text: &str, client: &Client) -> Result<Option<String>, Problem> {
    let mut document = parse(text)?;
    let Some(servers) = document.get_mut(client.key) else {
        return Ok(None);
    };
    match as_table(servers, client.key)?.get_mut(SERVER) {
        Some(entry) => program(as_table(entry, SERVER)?),
        None => Ok(None),
    }
}

fn parse(text: &str) -> Result<DocumentMut, Problem> {
    text.parse::<DocumentMut>().map_err(|error| Problem::Syntax {
        format: "TOML",
        reason: error.message().to_owned(),
    })
}

fn as_table<'i>(item: &'i mut Item, key: &str) -> Result<&'i mut dyn TableLike, Problem> {
    item.as_table_like_mut().ok_or_else(|| Problem::Shape(key.to_owned()))
}

fn program(entry: &dyn TableLike) -> Result<Option<String>, Problem> {
    match entry.get("command") {
        Some(command) => Ok(command.as_str().map(str::to_owned)),
        None => Err(Problem::Foreign),
    }
}

/// Puts a value where the old one was, with the comment behind it.
fn replace(entry: &mut dyn TableLike, key: &str, mut new: Item) {
    let old = entry.get(key).and_then(Item::as_value);
    if let (Some(old), Some(new)) = (old, new.as_value_mut()) {
        *new.decor_mut() = old.decor().clone();
    }
    entry.insert(key, new);
}

fn arguments() -> Array {
    ARGUMENTS.iter().copied().collect()
}

/// With the line ends of the text that it was made from.
fn finished(old: &str, document: &DocumentMut) -> String {
    let text = document.to_string();
    match old.contains("\r\n") {
        true => text.replace("\r\n", "\n").replace('\n', "\r\n"),
        false => text,
    }
}
