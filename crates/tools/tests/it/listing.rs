//! What a client is told before it calls anything.

use std::{collections::BTreeSet, path::Path};

use config::{Config, Sources};
use serde_json::{Value, json};
use test_fixture::Repo;
use tools::{Listing, ToolInfo, Toolbox};
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
    let mut annotations = json!({ "readOnlyHint": tool.read_only, "openWorldHint": false });
    if !tool.read_only {
        annotations["destructiveHint"] = tool.destructive.into();
        annotations["idempotentHint"] = tool.idempotent.into();
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
fn the_order_is_fixed() {
    assert_eq!(
        names(&listed("core", false)),
        [
            "map_code",
            "search_code",
            "find_symbol",
            "get_symbols",
            "deep_dive",
            "find_references",
            "find_callers",
            "impact_analysis",
            "extract_code",
            "index_status"
        ]
    );
    let all = [
        "map_code",
        "search_code",
        "find_symbol",
        "get_symbols",
        "deep_dive",
        "find_references",
        "find_callers",
        "impact_analysis",
        "extract_code",
        "index_status",
        "find_definition",
        "find_callees",
        "find_implementations",
        "get_call_graph",
        "find_path",
        "get_dependencies",
        "analyze_complexity",
        "grep",
        "read_file",
        "find_file",
        "list_files",
        "preview_chunk",
        "find_similar",
        "rename_symbol",
        "checkpoint",
        "recall",
        "plan",
        "index_repository",
        "list_sessions",
        "get_session_info",
        "reindex_session",
        "upgrade_session",
        "delete_session",
        "manage_workspace",
        "health_check",
        "get_server_info",
        "get_config",
    ];
    assert_eq!(names(&listed("all", false)), all);
    assert_eq!(
        names(&listed("index,memory,refactor,similar,graph,files,core", false)),
        all
    );
    assert_eq!(names(&tools::all_tools()), all);
}

#[test]
fn a_read_only_server_neither_lists_nor_runs_what_writes() {
    let writing = [
        "rename_symbol",
        "checkpoint",
        "plan",
        "index_repository",
        "reindex_session",
        "upgrade_session",
        "delete_session",
        "manage_workspace",
    ];
    let all = listed("all", false);
    let shown = names(&listed("all", true));
    for tool in &all {
        assert_eq!(writing.contains(&tool.name), !tool.read_only, "{}", tool.name);
        assert_eq!(shown.contains(&tool.name), tool.read_only, "{}", tool.name);
        assert!(!tool.destructive || !tool.read_only, "{}", tool.name);
    }
}

#[test]
fn instructions_name_what_can_be_called() {
    for (toolsets, read_only) in [("core", false), ("core", true), ("all", false), ("all", true)] {
        let instructions = toolbox(toolsets, read_only).instructions();
        let listed = names(&listed(toolsets, read_only));
        let (told, unlisted) = instructions.split_once("not listed").unwrap_or((&instructions, ""));
        for tool in tools::all_tools() {
            let is_there = tool.read_only || !read_only;
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
fn answers_hold_what_their_schemas_promise() {
    let repo = Repo::new("//- /a.rs\nfn alpha() {}\n");
    let kit = Kit::new(&repo.root());
    let calls = [
        ("index_repository", json!({ "session": "alpha" })),
        ("map_code", json!({})),
        ("search_code", json!({ "query": "alpha" })),
        ("get_symbols", json!({ "file_path": "a.rs" })),
        ("find_symbol", json!({ "name": "alpha" })),
        ("find_definition", json!({ "symbol": "alpha" })),
        ("deep_dive", json!({ "symbol": "alpha" })),
        ("find_references", json!({ "symbol": "alpha" })),
        ("find_callers", json!({ "symbol": "alpha" })),
        ("impact_analysis", json!({ "symbol": "alpha" })),
        ("find_callees", json!({ "symbol": "alpha" })),
        ("find_implementations", json!({ "symbol": "alpha" })),
        ("get_call_graph", json!({ "symbol": "alpha" })),
        ("find_path", json!({ "from": "alpha", "to": "alpha" })),
        ("extract_code", json!({ "targets": ["alpha"] })),
        ("analyze_complexity", json!({})),
        ("get_dependencies", json!({ "file_path": "a.rs" })),
        ("index_status", json!({})),
        ("grep", json!({ "pattern": "alpha" })),
        ("read_file", json!({ "path": "a.rs" })),
        ("find_file", json!({ "pattern": "*" })),
        ("list_files", json!({})),
        ("preview_chunk", json!({ "file_path": "a.rs", "chunk_index": 0 })),
        ("find_similar", json!({ "code": "fn alpha() {}" })),
        ("rename_symbol", json!({ "old_name": "alpha", "new_name": "beta" })),
        ("checkpoint", json!({ "description": "`alpha`" })),
        ("recall", json!({ "query": "alpha" })),
        ("plan", json!({ "action": "list" })),
        ("list_sessions", json!({})),
        ("get_session_info", json!({ "session": "alpha" })),
        ("reindex_session", json!({ "session": "alpha", "force": true })),
        ("upgrade_session", json!({ "session": "alpha" })),
        ("manage_workspace", json!({ "operation": "list" })),
        ("health_check", json!({})),
        ("get_server_info", json!({})),
        ("get_config", json!({})),
        ("delete_session", json!({ "session": "alpha", "confirm": true })),
    ];
    let tools = tools::all_tools();
    assert_eq!(calls.len(), tools.len());
    for (name, arguments) in calls {
        let tool = tools.iter().find(|tool| tool.name == name).unwrap();
        let answer = kit.json(name, arguments);
        for (field, schema) in tool.output_schema["properties"].as_object().unwrap() {
            let kind = match &answer[field] {
                // Fields may be absent: the last page has no cursor.
                Value::Null => continue,
                Value::Bool(_) => "boolean",
                Value::Number(_) => "integer",
                Value::String(_) => "string",
                Value::Array(_) => "array",
                Value::Object(_) => "object",
            };
            assert_eq!(schema["type"], kind, "{name}.{field}");
        }
    }
}
