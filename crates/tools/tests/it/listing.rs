//! What a client is told before it calls anything.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use config::{Config, Sources};
use serde_json::{Value, json};
use test_fixture::Repo;
use tools::{Effect, Listing, ToolInfo, Toolbox, Toolset};
use workspace::Workspaces;

use crate::kit::Kit;

/// A listing needs no directory.
fn toolbox(toolsets: &str, read_only: bool) -> Toolbox {
    let sources = Sources {
        default_home: "never-made".into(),
        ..Sources::default()
    };
    let config = Config::load(&sources).unwrap();
    let listing = Listing::new(toolsets, read_only, true).unwrap();
    Toolbox::new(Workspaces::new(config, None, false), listing)
}

fn listed(toolsets: &str, read_only: bool) -> Vec<ToolInfo> {
    toolbox(toolsets, read_only).listed()
}

fn names(tools: &[ToolInfo]) -> Vec<&'static str> {
    tools.iter().map(|tool| tool.name).collect()
}

/// As `tools/list` shows a tool.
fn shown(tool: &ToolInfo) -> Value {
    let effect = tool.effect;
    let mut annotations = json!({ "readOnlyHint": effect.is_read_only(), "openWorldHint": false });
    if !effect.is_read_only() {
        annotations["destructiveHint"] = effect.is_destructive().into();
        annotations["idempotentHint"] = effect.is_idempotent().into();
    }
    json!({
        "name": tool.name,
        "description": tool.description,
        "inputSchema": tool.listed_input,
        "outputSchema": tool.listed_output,
        "annotations": annotations,
    })
}

#[test]
fn listings_are_in_the_order_of_the_list() {
    let all = tools::all_tools();
    let of = |toolsets: &[Toolset]| -> Vec<&str> {
        let shown = all.iter().filter(|tool| toolsets.contains(&tool.toolset));
        shown.map(|tool| tool.name).collect()
    };
    assert_eq!(names(&listed("core", false)), of(&[Toolset::Core]));
    assert_eq!(
        names(&listed("graph,core", false)),
        of(&[Toolset::Core, Toolset::Graph])
    );
    assert_eq!(names(&listed("all", false)), names(&all));
    // What an agent should read first comes first, and toolsets stay together.
    let mut toolsets: Vec<Toolset> = all.iter().map(|tool| tool.toolset).collect();
    toolsets.dedup();
    assert_eq!(toolsets, Toolset::ALL);
}

#[test]
fn a_read_only_server_neither_lists_nor_runs_what_writes() {
    let repo = Repo::new(test_fixture::EXAMPLE);
    let kit = Kit::read_only(&repo.root());
    let shown = names(&listed("all", true));
    for tool in tools::all_tools() {
        let is_read_only = tool.effect.is_read_only();
        assert_eq!(shown.contains(&tool.name), is_read_only, "{}", tool.name);
        if !is_read_only {
            let refused = kit.call(tool.name, example(&tool));
            assert!(refused.text.contains("--read-only"), "{}: {}", tool.name, refused.text);
        }
    }
}

/// The safeguard is a flag that a caller must give, and nobody else has one.
#[test]
fn what_may_be_lost_is_safeguarded() {
    let safeguards: BTreeSet<&str> = Effect::ALL
        .iter()
        .filter_map(|effect| effect.safeguard())
        .map(|(name, _)| name)
        .collect();
    for tool in tools::all_tools() {
        assert_eq!(
            tool.effect.safeguard().is_some(),
            tool.effect.is_destructive(),
            "{}",
            tool.name
        );
        let properties = tool.input_schema["properties"].as_object().unwrap();
        for name in &safeguards {
            let expected = tool.effect.safeguard().filter(|(own, _)| own == name);
            let property = properties.get(*name);
            assert_eq!(property.is_some(), expected.is_some(), "{} {name}", tool.name);
            if let (Some(property), Some((_, goes_ahead))) = (property, expected) {
                assert_eq!(property["type"], "boolean", "{} {name}", tool.name);
                assert_ne!(property["default"], goes_ahead, "{} {name}", tool.name);
            }
        }
    }
}

/// The arguments of a tool's example.
fn example(tool: &ToolInfo) -> Value {
    serde_json::from_str(tool.example).unwrap_or_else(|error| panic!("{}: {error}", tool.name))
}

#[test]
fn every_definition_is_complete() {
    for tool in tools::all_tools() {
        let name = tool.name;
        assert!(tool.description.ends_with('.'), "{name}: {}", tool.description);
        assert!(!tool.title.is_empty(), "{name}");
        assert!(
            !tool.output_schema["properties"].as_object().unwrap().is_empty(),
            "{name}"
        );
        let properties = tool.input_schema["properties"].as_object().unwrap();
        for parameter in example(&tool).as_object().unwrap().keys() {
            assert!(
                properties.contains_key(parameter),
                "{name}: its example has `{parameter}`"
            );
        }
        // What could also be a mistyped name is a name of the tool's own parameter.
        for (alias, parameter) in tool.aliases {
            assert!(
                !properties.contains_key(*alias) || alias == parameter,
                "{name}: {alias}"
            );
        }
    }
}

#[test]
fn instructions_name_what_can_be_called() {
    for (toolsets, read_only) in [("core", false), ("core", true), ("all", false), ("all", true)] {
        let instructions = toolbox(toolsets, read_only).instructions();
        let listed = names(&listed(toolsets, read_only));
        let (told, unlisted) = instructions.split_once("not listed").unwrap_or((&instructions, ""));
        for tool in tools::all_tools() {
            let is_there = tool.effect.is_read_only() || !read_only;
            assert!(
                is_there || !instructions.contains(tool.name),
                "{read_only} {}",
                tool.name
            );
            assert!(
                !unlisted.contains(tool.name) || !listed.contains(&tool.name),
                "{toolsets} {}",
                tool.name
            );
        }
        assert!(
            told.contains("map_code") && !instructions.contains(['{', '}']),
            "{instructions}"
        );
        assert_eq!(unlisted.is_empty(), toolsets == "all");
    }
}

#[test]
fn unknown_toolsets_are_refused() {
    assert_eq!(Listing::new("core,nope", false, true).unwrap_err().name, "nope");
}

#[test]
fn every_file_with_a_tool_is_listed_once() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tools");
    let mut in_files = BTreeSet::new();
    for entry in std::fs::read_dir(source).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() && std::fs::read_to_string(&path).unwrap().contains("\nimpl Tool for ") {
            in_files.insert(path.file_stem().unwrap().to_str().unwrap().to_owned());
        }
    }
    let all = tools::all_tools();
    let listed: BTreeSet<String> = all.iter().map(|tool| tool.name.to_owned()).collect();
    assert_eq!(in_files, listed);
    assert_eq!(all.len(), listed.len(), "a name is used twice");
    let commands: BTreeSet<&str> = all.iter().map(|tool| tool.cli.unwrap_or(tool.name)).collect();
    assert_eq!(commands.len(), all.len(), "a command is used twice");
}

#[test]
fn the_documents_are_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/tools.md");
    let written = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        written == tools::tools_md(),
        "docs/tools.md is out of date: run `cargo xtask docs`"
    );
}

#[test]
fn listings_keep_to_their_budgets() {
    for (toolsets, budget) in [("core", 3000), ("all", 9000)] {
        let tools: Vec<Value> = listed(toolsets, false).iter().map(shown).collect();
        let tokens = tools::count_tokens(&json!({ "tools": tools }).to_string());
        assert!(tokens <= budget, "{toolsets}: {tokens} of {budget} tokens");
    }
    let repo = Repo::new("");
    let instructions = Kit::new(&repo.root()).toolbox().instructions();
    let length = instructions.chars().count();
    assert!(length <= 1900, "{length} characters");
}

#[test]
fn schemas_are_plain() {
    for tool in tools::all_tools() {
        for schema in [
            &tool.input_schema,
            &tool.output_schema,
            &tool.listed_input,
            &tool.listed_output,
        ] {
            assert_eq!(schema["type"], "object", "{}", tool.name);
            assert_plain(tool.name, &Value::Object(schema.clone()));
        }
        let properties = tool.input_schema["properties"].as_object().unwrap();
        assert!(properties.contains_key("format"), "{}", tool.name);
        // What is listed is taken.
        for (name, listed) in tool.listed_input["properties"].as_object().unwrap() {
            assert_eq!(listed["type"], properties[name]["type"], "{} {name}", tool.name);
        }
        for positional in tool.positional {
            assert!(properties.contains_key(*positional), "{} {positional}", tool.name);
        }
        for name in properties.keys() {
            let snake = name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
            assert!(snake, "{} {name}", tool.name);
        }
    }
}

fn assert_plain(tool: &str, schema: &Value) {
    match schema {
        Value::Object(fields) => {
            for (key, value) in fields {
                // A property may have the name of a keyword.
                if let ("properties", Some(properties)) = (key.as_str(), value.as_object()) {
                    properties.values().for_each(|property| assert_plain(tool, property));
                    continue;
                }
                let refused = ["anyOf", "oneOf", "allOf", "not", "$ref", "$defs", "definitions"];
                assert!(!refused.contains(&key.as_str()), "{tool}: {key} in {schema}");
                assert!(key != "type" || value.is_string(), "{tool}: {schema}");
                assert_plain(tool, value);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| assert_plain(tool, item)),
        _ => {}
    }
}

#[test]
fn examples_are_answered_as_schemas_promise() {
    let repo = Repo::new(test_fixture::EXAMPLE);
    let kit = Kit::new(&repo.root());
    let before = files_of(&repo.root());
    kit.json("index_repository", json!({ "session": "example" }));
    let mut tools = tools::all_tools();
    // The session is gone then.
    tools.sort_by_key(|tool| tool.effect == Effect::Deletes);
    for tool in tools {
        let answer = kit.json(tool.name, example(&tool));
        let promised = tool.output_schema["properties"].as_object().unwrap();
        assert!(
            promised.keys().any(|field| !answer[field].is_null()),
            "{}: {answer}",
            tool.name
        );
        for (field, schema) in promised {
            let kind = match &answer[field] {
                // Fields may be absent: the last page has no cursor.
                Value::Null => continue,
                Value::Bool(_) => "boolean",
                Value::Number(_) => "integer",
                Value::String(_) => "string",
                Value::Array(_) => "array",
                Value::Object(_) => "object",
            };
            assert_eq!(schema["type"], kind, "{}.{field}", tool.name);
        }
        // No example gives the safeguard of what writes there.
        assert!(files_of(&repo.root()) == before, "{} wrote", tool.name);
    }
}

/// Paths and contents below a directory.
fn files_of(dir: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => files.extend(files_of(&path)),
            false => files.push((path.clone(), std::fs::read(&path).unwrap())),
        }
    }
    files.sort();
    files
}

/// What is particular about a tool is in its definition.
#[test]
fn the_machinery_knows_no_tool() {
    let machinery = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/machinery");
    let mut knowing = Vec::new();
    for entry in std::fs::read_dir(machinery).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let file = path.file_name().unwrap().to_str().unwrap();
        let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
        let words: BTreeSet<&str> = words.collect();
        let tools = tools::all_tools();
        let named = tools
            .iter()
            .filter(|tool| tool.name.contains('_') && words.contains(tool.name));
        knowing.extend(named.map(|tool| format!("{file}: {}", tool.name)));
    }
    assert!(knowing.is_empty(), "{knowing:#?}");
}
