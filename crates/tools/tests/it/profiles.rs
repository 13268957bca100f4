//! Servers that stand in for others: what they list, and how they fail.

use std::{path::Path, sync::Arc};

use config::{Config, Sources};
use serde_json::{Value, json};
use tempfile::TempDir;
use test_fixture::Repo;
use tools::{Call, Listing, Outcome, Toolbox};
use workspace::Workspaces;

use crate::kit::object;

/// Every tool with its parameters: `name!` is needed, `name=default`.
#[test]
fn each_lists_what_its_system_does() {
    let mut shown = String::new();
    for profile in tools::profiles() {
        shown.push_str(&format!("{profile}\n"));
        let home = TempDir::new().unwrap();
        for tool in toolbox(&home, None, profile).listed() {
            let needed = tool.input_schema["required"].as_array().unwrap();
            let params = tool.input_schema["properties"].as_object().unwrap().iter();
            let params: Vec<String> = params
                .map(|(name, schema)| {
                    let mark = if needed.contains(&json!(name)) { "!" } else { "" };
                    let default = schema.get("default").map_or(String::new(), |value| format!("={value}"));
                    format!("{name}{mark}{default}")
                })
                .collect();
            shown.push_str(&format!("  {}({})\n", tool.name, params.join(", ")));
        }
    }
    expect_test::expect_file!["profiles/listed.txt"].assert_eq(&shown);
}

/// What is said of tools and parameters is about those that are listed.
#[test]
fn everything_listed_is_described() {
    let known: Vec<String> = tools::all_tools()
        .iter()
        .flat_map(|tool| tool.input_schema["properties"].as_object().unwrap().keys().cloned())
        .chain(tools::all_tools().iter().map(|tool| tool.name.to_owned()))
        .filter(|name| name.contains('_'))
        .collect();
    for profile in tools::profiles() {
        let home = TempDir::new().unwrap();
        let listed = toolbox(&home, None, profile).listed();
        let names: Vec<&str> = listed.iter().map(|tool| tool.name).collect();
        for tool in &listed {
            let params = tool.input_schema["properties"].as_object().unwrap();
            let mut texts = vec![tool.description];
            for (name, schema) in params {
                let described = schema["description"].as_str().unwrap_or_default();
                assert!(!described.is_empty(), "{profile}: {} {name}", tool.name);
                texts.push(described);
            }
            let words = texts
                .iter()
                .flat_map(|text| text.split(|c: char| !(c.is_alphanumeric() || c == '_')));
            for word in words.filter(|word| known.iter().any(|name| name == word)) {
                let is_listed = params.contains_key(word) || names.contains(&word) || word == "next_cursor";
                assert!(is_listed, "{profile}: {} speaks of {word}", tool.name);
            }
        }
    }
}

#[test]
fn a_read_only_stand_in_has_nothing_that_writes() {
    let home = TempDir::new().unwrap();
    let sources = sources(&home);
    let listing = Listing::new("core", true, true).unwrap().with_profile("julie").unwrap();
    let config = Config::load(&sources).unwrap();
    let listed = Toolbox::new(Workspaces::new(config, None, false), listing).listed();
    let names: Vec<&str> = listed.iter().map(|tool| tool.name).collect();
    assert_eq!(
        names,
        ["fast_search", "get_symbols", "fast_refs", "deep_dive", "recall"]
    );
}

#[test]
fn unknown_profiles_are_refused() {
    let listing = Listing::new("core", false, true).unwrap();
    assert_eq!(listing.with_profile("nope").unwrap_err().name, "nope");
}

fn call(toolbox: &Toolbox, tool: &str, arguments: Value) -> Outcome {
    let call = Call {
        cancelled: Arc::default(),
        progress: Box::new(|_| {}),
    };
    toolbox.call(tool, object(arguments), &call).expect("the tool exists")
}

fn sources(home: &TempDir) -> Sources {
    Sources {
        default_home: home.path().to_owned(),
        ..Sources::default()
    }
}

fn toolbox(home: &TempDir, root: Option<&Path>, profile: &str) -> Toolbox {
    let config = Config::load(&sources(home)).unwrap();
    let listing = Listing::new("core", false, true)
        .unwrap()
        .with_profile(profile)
        .unwrap();
    Toolbox::new(Workspaces::new(config, root.map(Path::to_owned), true), listing)
}

/// What is a part of a workspace is answered by that, and gets no session. What the workspace leaves out has its own.
#[test]
fn a_directory_of_a_workspace_is_a_part_of_it() {
    let repo = Repo::new(
        "//- /.gitignore\nmade/\n//- /Cargo.toml\n[package]\nname = \"all\"\n//- /src/lib.rs\nmod a;\nmod b;\n\
         //- /src/a.rs\nuse crate::b::beta;\npub fn alpha() { beta() }\n//- /src/b/mod.rs\npub fn beta() {}\n\
         //- /made/c.rs\npub fn gamma() {}\n",
    );
    let home = TempDir::new().unwrap();
    let root = repo.root();
    let sessions = |toolbox: &Toolbox| {
        let call = Call {
            cancelled: Arc::default(),
            progress: Box::new(|_| {}),
        };
        let outcome = toolbox.call_own("list_sessions", object(json!({})), &call).unwrap();
        outcome.structured["sessions"].as_array().unwrap().len()
    };
    let other = toolbox(&home, Some(&root), "rust-code-mcp");
    for directory in [json!(root.join("src/b")), json!("src/b"), json!("src/b/")] {
        let found = call(&other, "search", json!({ "keyword": "beta", "directory": directory }));
        assert!(found.text.starts_with("In src/b of "), "{}", found.text);
        assert_eq!(found.structured["results"][0]["path"], "src/b/mod.rs");
        assert_eq!(found.structured["directory"], "src/b");
        let none = call(&other, "search", json!({ "keyword": "alpha", "directory": directory }));
        assert!(!none.text.contains("src/a.rs"), "{}", none.text);
        let uses = call(
            &other,
            "find_references",
            json!({ "symbol_name": "beta", "directory": directory }),
        );
        assert!(uses.text.contains("src/a.rs"), "{}", uses.text);
    }
    assert_eq!(sessions(&other), 1);
    let made = call(
        &other,
        "search",
        json!({ "keyword": "gamma", "directory": root.join("made") }),
    );
    assert_eq!(made.structured["results"][0]["path"], "c.rs", "{}", made.text);
    assert_eq!(sessions(&other), 2);
    // Its files are named from there on.
    let probe = toolbox(&home, Some(&root), "probe");
    let code = call(
        &probe,
        "extract_code",
        json!({ "path": root.join("src/b"), "files": ["mod.rs:1", "src/a.rs#alpha"] }),
    );
    assert!(code.text.contains("src/b/mod.rs:1"), "{}", code.text);
    assert!(code.text.contains("src/a.rs:2"), "{}", code.text);
    assert_eq!(sessions(&probe), 2);
}

/// Every tool that takes a path takes the absolute one of another repository.
#[test]
fn other_repositories_are_read_by_absolute_path() {
    let root = Repo::new("//- /src/here.rs\npub fn here() {}\n");
    let other = Repo::new(
        "//- /Cargo.toml\n[package]\nname = \"other\"\n//- /src/lib.rs\nmod far;\npub fn near() { far::away() }\n\
         //- /src/far.rs\npub fn away() {}\n//- /.env\nKEY=secret\n",
    );
    let (root, other) = (root.root(), other.root());
    let file = |path: &str| json!(other.join(path));
    let dir = json!(other);
    for (profile, tool, arguments, has) in [
        (
            "rust-code-mcp",
            "search",
            json!({ "keyword": "away", "directory": dir }),
            "src/far.rs",
        ),
        (
            "rust-code-mcp",
            "read_file_content",
            json!({ "file_path": file("src/far.rs") }),
            "pub fn away",
        ),
        (
            "rust-code-mcp",
            "get_dependencies",
            json!({ "file_path": file("src/lib.rs") }),
            "src/far.rs",
        ),
        (
            "rust-code-mcp",
            "get_call_graph",
            json!({ "file_path": file("src/lib.rs") }),
            "near",
        ),
        (
            "rust-code-mcp",
            "analyze_complexity",
            json!({ "file_path": file("src/lib.rs") }),
            "near",
        ),
        (
            "claudevil",
            "read_file",
            json!({ "path": file("src/far.rs") }),
            "pub fn away",
        ),
        ("probe", "map_code", json!({ "path": dir }), "far.rs"),
        ("probe", "map_code", json!({ "path": file("src") }), "far.rs"),
        (
            "probe",
            "search_code",
            json!({ "path": dir, "query": "away" }),
            "src/far.rs",
        ),
        (
            "probe",
            "extract_code",
            json!({ "path": dir, "files": ["src/far.rs:1"] }),
            "pub fn away",
        ),
        (
            "probe",
            "grep",
            json!({ "pattern": "away", "paths": [dir] }),
            "src/far.rs",
        ),
        (
            "probe",
            "find_callers",
            json!({ "file": file("src/far.rs"), "line": 1 }),
            "near",
        ),
        (
            "julie",
            "get_symbols",
            json!({ "file_path": file("src/far.rs") }),
            "away",
        ),
        (
            "julie",
            "deep_dive",
            json!({ "symbol": "away", "workspace": dir }),
            "near",
        ),
    ] {
        let home = TempDir::new().unwrap();
        let toolbox = toolbox(&home, Some(&root), profile);
        let outcome = call(&toolbox, tool, arguments.clone());
        let what = format!("{profile} {tool} {arguments}: {}", outcome.text);
        assert!(!outcome.is_error() && outcome.text.contains(has), "{what}");
        assert!(outcome.text.starts_with(&format!("In {}", other.display())), "{what}");
    }
    let home = TempDir::new().unwrap();
    let toolbox = toolbox(&home, Some(&root), "rust-code-mcp");
    for (path, said) in [
        (file(".env"), "may hold secrets"),
        (file("src/nope.rs"), "does not exist"),
        (json!("/etc/hosts"), "outside the workspace"),
    ] {
        let refused = call(&toolbox, "read_file_content", json!({ "file_path": path }));
        assert!(
            refused.is_error() && refused.text.contains(said),
            "{path}: {}",
            refused.text
        );
    }
}

/// Where a hint is about a tool that is not listed, one that is listed helps.
#[test]
fn hints_name_what_is_listed() {
    let mut fixture = String::from("//- /src/lib.rs\nfn one() {}\n");
    for file in 0..80 {
        fixture.push_str(&format!(
            "//- /src/part{file}.rs\npub fn part{file}() {{}}\npub fn other{file}() {{}}\n"
        ));
    }
    let repo = Repo::new(&fixture);
    let home = TempDir::new().unwrap();
    for (profile, tool, arguments, has) in [
        (
            "claudevil",
            "read_file",
            json!({ "path": "nope.rs" }),
            "Hint: `list_files` lists the files.",
        ),
        (
            "rust-code-mcp",
            "read_file_content",
            json!({ "file_path": "nope.rs" }),
            "Hint: `search` finds files by what they are about.",
        ),
        (
            "julie",
            "manage_workspace",
            json!({ "operation": "remove", "name": "zz", "confirm": true }),
            "Hint: `manage_workspace` with operation list shows what there is.",
        ),
        (
            "probe",
            "map_code",
            json!({ "path": ".", "maxTokens": 400 }),
            "path, depth, language, detail files or a larger maxTokens.",
        ),
    ] {
        let outcome = call(&toolbox(&home, Some(&repo.root()), profile), tool, arguments);
        assert!(outcome.text.contains(has), "{profile} {tool}: {}", outcome.text);
    }
}

/// Whoever follows what the answers say has read all of a file in the end.
#[test]
fn a_file_can_be_read_to_its_end() {
    let long: String = (0..5000).map(|line| format!("// line {line} of the file\n")).collect();
    let repo = Repo::new(&format!("//- /long.rs\n{long}"));
    let root = repo.root();
    let next = regex::Regex::new(r"Next: (\w+) (\d+)\.").unwrap();
    for (profile, tool, path) in [
        ("claudevil", "read_file", "path"),
        ("rust-code-mcp", "read_file_content", "file_path"),
        ("shebe", "read_file", "file_path"),
    ] {
        let home = TempDir::new().unwrap();
        let toolbox = toolbox(&home, Some(&root), profile);
        let mut arguments = json!({ path: "long.rs" });
        if profile == "shebe" {
            call(&toolbox, "index_repository", json!({ "path": root, "session": "it" }));
            arguments["session"] = "it".into();
        }
        let mut text = String::new();
        loop {
            let outcome = call(&toolbox, tool, arguments.clone());
            assert!(!outcome.is_error(), "{profile}: {}", outcome.text);
            text.push_str(outcome.structured["text"].as_str().unwrap());
            let Some(next) = next.captures(&outcome.text) else {
                break;
            };
            arguments[&next[1]] = next[2].parse::<u64>().unwrap().into();
        }
        assert!(text == long, "{profile}: {} of {} bytes", text.len(), long.len());
    }
}

/// What an answer leaves out because it is not sure of it can be asked for.
#[test]
fn unsure_references_can_be_listed() {
    let mut fixture = String::from("//- /target.py\nclass Target:\n    def close(self): pass\n");
    for file in 0..12 {
        fixture.push_str(&format!("//- /use{file}.py\ndef run(one):\n    one.close()\n"));
    }
    fixture.push_str("//- /other.py\nclass Other:\n    def close(self): pass\n");
    let repo = Repo::new(&fixture);
    let root = repo.root();
    for (profile, tool, symbol, needed) in [
        (
            "rust-code-mcp",
            "find_references",
            "symbol_name",
            json!({ "directory": root }),
        ),
        ("probe", "find_references", "symbol", json!({})),
        ("shebe", "find_references", "symbol", json!({ "session": "it" })),
        ("julie", "fast_refs", "symbol", json!({})),
    ] {
        let home = TempDir::new().unwrap();
        let toolbox = toolbox(&home, Some(&root), profile);
        if profile == "shebe" {
            call(&toolbox, "index_repository", json!({ "path": root, "session": "it" }));
        }
        let mut arguments = needed;
        arguments[symbol] = "Target.close".into();
        let told = call(&toolbox, tool, arguments.clone());
        assert!(
            told.text.contains("include_unsure lists them"),
            "{profile}: {}",
            told.text
        );
        arguments["include_unsure"] = true.into();
        let all = call(&toolbox, tool, arguments);
        for file in 0..12 {
            assert!(all.text.contains(&format!("use{file}.py")), "{profile}: {}", all.text);
        }
    }
}

/// What a caller is told can be done with what the profile lists, in its names.
#[test]
fn hints_are_in_the_words_of_the_system() {
    let files =
        (0..30).map(|n| format!("//- /src/m{n}.rs\npub fn run() -> u32 {{ {n} }}\npub fn use{n}() {{ run(); }}\n"));
    let repo = Repo::new(&files.collect::<String>());
    let root = repo.root();
    for (profile, tool, arguments, said) in [
        (
            "julie",
            "deep_dive",
            json!({ "symbol": "run" }),
            "Ask again with its place, `path:line`",
        ),
        (
            "julie",
            "fast_search",
            json!({ "query": "run", "search_target": "definitions", "limit": 3 }),
            "narrow with file_pattern",
        ),
        (
            "probe",
            "search_code",
            json!({ "path": root, "query": "run", "session": "zzz" }),
            "`session` was not issued",
        ),
        (
            "rust-code-mcp",
            "search",
            json!({ "keyword": " ", "directory": root }),
            "give a non-empty `keyword`",
        ),
        (
            "claudevil",
            "find_symbol",
            json!({ "name": "run", "limit": 2 }),
            "28 more: cursor",
        ),
    ] {
        let home = TempDir::new().unwrap();
        let outcome = call(&toolbox(&home, Some(&root), profile), tool, arguments.clone());
        let what = format!("{profile} {tool} {arguments}: {}", outcome.text);
        assert!(outcome.text.contains(said), "{what}");
    }
    // No name of ours that the profile does not have.
    let lacks = |profile: &str, text: &str| {
        let home = TempDir::new().unwrap();
        let listed = toolbox(&home, None, profile).listed();
        let all = tools::all_tools();
        let ours = all.iter().filter(|tool| tool.name.contains('_')).map(|tool| tool.name);
        let missing: Vec<&str> = ours
            .filter(|name| {
                text.split(|c: char| !c.is_alphanumeric() && c != '_')
                    .any(|word| word == *name)
            })
            .filter(|name| !listed.iter().any(|tool| tool.name == *name))
            .collect();
        assert!(missing.is_empty(), "{profile} names {missing:?}: {text}");
    };
    for profile in tools::profiles() {
        let home = TempDir::new().unwrap();
        let toolbox = toolbox(&home, Some(&root), profile);
        lacks(profile, &toolbox.instructions());
        for tool in toolbox.listed() {
            // With nothing, with what is not there, and with what is ambiguous.
            for value in ["", "nosuch", "run", "src/m1.rs", "/nowhere/else"] {
                let params = tool.input_schema["properties"].as_object().unwrap().iter();
                let texts = params.filter(|(name, schema)| {
                    schema["type"] == "string" && schema.get("enum").is_none() && *name != "cursor"
                });
                let arguments: serde_json::Map<String, Value> =
                    texts.map(|(name, _)| (name.clone(), json!(value))).collect();
                if matches!(tool.name, "delete_session" | "rename_symbol" | "checkpoint" | "plan") {
                    continue;
                }
                lacks(profile, &call(&toolbox, tool.name, json!(arguments)).text);
            }
        }
    }
}
