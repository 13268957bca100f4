//! Servers in JSON with comments and trailing commas. What is not ours keeps its bytes.

use jsonc_parser::{
    ParseOptions,
    cst::{CstInputValue, CstNode, CstObject, CstRootNode},
};

use crate::{
    ARGUMENTS, Problem, SERVER,
    clients::{Client, CommandShape, Field},
};

/// What the clients' own readers take: anything looser would be accepted here and refused there.
const OPTIONS: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_loose_object_property_names: false,
    allow_trailing_commas: true,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

const BOM: char = '\u{feff}';

pub(crate) fn put(text: &str, client: &Client, command: &str) -> Result<String, Problem> {
    let root = parse(text)?;
    if root.value().is_none() {
        root.set_value(CstInputValue::Object(Vec::new()));
    }
    let object = root.object_value().ok_or_else(|| Problem::Shape("{".to_owned()))?;
    let servers = match member(&object, client.key)? {
        Some(servers) => as_object(&servers, client.key)?,
        None => object.object_value_or_set(client.key),
    };
    let entry = match member(&servers, SERVER)? {
        Some(entry) => as_object(&entry, SERVER)?,
        None => {
            let all = new_entry(client, command);
            servers.append(SERVER, CstInputValue::Object(all));
            return Ok(finished(text, &root));
        }
    };
    match program(&entry, client)? {
        Some(known) if known == command => {}
        _ => set_program(&entry, client, command),
    }
    for (name, field) in client.shape.fields {
        if member(&entry, name)?.is_none() {
            entry.append(name, value(*field));
        }
    }
    Ok(finished(text, &root))
}

pub(crate) fn take(text: &str, client: &Client) -> Result<Option<Option<String>>, Problem> {
    let root = parse(text)?;
    let Some(object) = root.object_value() else {
        return Ok(None);
    };
    let Some(servers) = member(&object, client.key)? else {
        return Ok(None);
    };
    let servers = as_object(&servers, client.key)?;
    let Some(entry) = servers.get(SERVER) else {
        return Ok(None);
    };
    entry.remove();
    if is_bare(&servers)
        && let Some(servers) = object.get(client.key)
    {
        servers.remove();
    }
    // A file with nothing in it was made for the entry.
    let nothing_left = is_bare(&object) && !root.children().iter().any(CstNode::is_comment);
    Ok(Some((!nothing_left).then(|| finished(text, &root))))
}

pub(crate) fn command(text: &str, client: &Client) -> Result<Option<String>, Problem> {
    let root = parse(text)?;
    let Some(object) = root.object_value() else {
        return Ok(None);
    };
    let Some(servers) = member(&object, client.key)? else {
        return Ok(None);
    };
    match member(&as_object(&servers, client.key)?, SERVER)? {
        Some(entry) => program(&as_object(&entry, SERVER)?, client),
        None => Ok(None),
    }
}

fn parse(text: &str) -> Result<CstRootNode, Problem> {
    let text = text.strip_prefix(BOM).unwrap_or(text);
    CstRootNode::parse(text, &OPTIONS).map_err(|error| Problem::Syntax {
        format: "JSON",
        reason: error.to_string(),
    })
}

fn finished(old: &str, root: &CstRootNode) -> String {
    let mut text = root.to_string();
    if old.starts_with(BOM) {
        text.insert(0, BOM);
    }
    if old.trim().is_empty() {
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    text
}

/// The value of a key. Readers differ in which of two equal keys they take.
fn member(object: &CstObject, key: &str) -> Result<Option<CstNode>, Problem> {
    let mut with_name = object
        .properties()
        .into_iter()
        .filter(|property| property.decoded_name().as_deref() == Some(key));
    let first = with_name.next();
    match with_name.next() {
        Some(_) => Err(Problem::Shape(key.to_owned())),
        None => Ok(first.and_then(|property| property.value())),
    }
}

fn as_object(node: &CstNode, key: &str) -> Result<CstObject, Problem> {
    node.as_object().ok_or_else(|| Problem::Shape(key.to_owned()))
}

fn is_bare(object: &CstObject) -> bool {
    object.properties().is_empty() && !object.children().iter().any(CstNode::is_comment)
}

/// The program that an entry starts.
fn program(entry: &CstObject, client: &Client) -> Result<Option<String>, Problem> {
    let Some(command) = member(entry, "command")? else {
        return Err(Problem::Foreign);
    };
    let first = match client.shape.command {
        CommandShape::Apart => Some(command),
        CommandShape::Joined => command.as_array().and_then(|list| list.elements().into_iter().next()),
    };
    Ok(first.as_ref().and_then(text_of))
}

fn text_of(node: &CstNode) -> Option<String> {
    node.as_string_lit()?.decoded_value().ok()
}

/// Changes the program; what the user has written behind `serve` stays.
fn set_program(entry: &CstObject, client: &Client, command: &str) {
    let set = |name: &str, value: CstInputValue| match entry.get(name) {
        Some(property) => property.set_value(value),
        None => {
            entry.append(name, value);
        }
    };
    let list = |name: &str| -> Vec<String> {
        let array = entry.get(name).and_then(|property| property.array_value());
        let elements = array.map(|array| array.elements()).unwrap_or_default();
        elements.iter().filter_map(text_of).collect()
    };
    let kept = |given: &[String]| match given.first().is_some_and(|first| ARGUMENTS.contains(&first.as_str())) {
        true => given.to_vec(),
        false => ARGUMENTS.iter().map(|argument| (*argument).to_owned()).collect(),
    };
    match client.shape.command {
        CommandShape::Apart => {
            let (given, wanted) = (list("args"), kept(&list("args")));
            set("command", command.into());
            if given != wanted {
                set("args", texts(wanted));
            }
        }
        CommandShape::Joined => {
            let rest = kept(list("command").get(1..).unwrap_or_default());
            set("command", texts([command.to_owned()].into_iter().chain(rest)));
        }
    }
}

fn new_entry(client: &Client, command: &str) -> Vec<(String, CstInputValue)> {
    let arguments = || ARGUMENTS.iter().map(|argument| (*argument).to_owned());
    let fields = client.shape.fields.iter();
    let mut entry: Vec<_> = fields
        .map(|(name, field)| ((*name).to_owned(), value(*field)))
        .collect();
    // The kind of a server comes first and what it is allowed last, as the clients write it themselves.
    let at = entry.len().min(1);
    match client.shape.command {
        CommandShape::Apart => {
            entry.insert(at, ("command".to_owned(), command.into()));
            entry.insert(at + 1, ("args".to_owned(), texts(arguments())));
        }
        CommandShape::Joined => {
            let all = [command.to_owned()].into_iter().chain(arguments());
            entry.insert(at, ("command".to_owned(), texts(all)));
        }
    }
    entry
}

fn value(field: Field) -> CstInputValue {
    match field {
        Field::Text(text) => text.into(),
        Field::Yes => true.into(),
    }
}

fn texts(items: impl IntoIterator<Item = String>) -> CstInputValue {
    CstInputValue::Array(items.into_iter().map(CstInputValue::String).collect())
}
