//! Servers that stand in for others: what they list, and the requests of their documents.

use std::{fs, path::Path, sync::Arc};

use serde_json::{Value, json};
use tempfile::TempDir;
use tools::{Call, Listing, Outcome, Toolbox};
use workspace::{Config, Sources, Workspaces};

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

/// Every request of the systems' documents, and of each what the document promises.
#[test]
fn requests_are_answered_with_what_was_promised() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/profiles");
    let requests = fs::read_to_string(folder.join("requests.json")).unwrap();
    let requests: Vec<Value> = serde_json::from_str(&requests).unwrap();
    let mut failed = Vec::new();
    for profile in tools::profiles() {
        let repo = repository(&fs::read_to_string(folder.join("repo.txt")).unwrap());
        let root = repo.path().canonicalize().unwrap();
        let home = TempDir::new().unwrap();
        let toolbox = toolbox(&home, Some(&root), profile);
        for request in requests.iter().filter(|request| request["profile"] == profile) {
            let text = request["arguments"].to_string();
            let text = text.replace("$ROOT", &root.to_string_lossy().replace('\\', "/"));
            let tool = request["tool"].as_str().unwrap();
            assert!(
                toolbox.listed().iter().any(|listed| listed.name == tool),
                "{profile} does not list {tool}"
            );
            let outcome = call(&toolbox, tool, serde_json::from_str(&text).unwrap());
            if let Some(reason) = broken(request, profile, &outcome) {
                failed.push(format!("{profile} {tool} {text}: {reason}\n{}\n", outcome.text));
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// Which promise an answer does not keep.
fn broken(request: &Value, profile: &str, outcome: &Outcome) -> Option<String> {
    let patterns = |key: &str| {
        let patterns = request[key].as_array().cloned().unwrap_or_default();
        let patterns = patterns.into_iter().map(|pattern| pattern.as_str().unwrap().to_owned());
        patterns.collect::<Vec<String>>()
    };
    let is_in = |pattern: &String| {
        let pattern = regex::RegexBuilder::new(pattern).multi_line(true).build().unwrap();
        pattern.is_match(&outcome.text)
    };
    let wanted = request["error"].as_i64();
    let code = outcome.structured["error"]["code"].as_i64();
    if wanted != code {
        return Some(format!("error {code:?} instead of {wanted:?}"));
    }
    if outcome.protocol_error != (wanted.is_some() && profile == "shebe") {
        return Some("it does not fail as its system does".to_owned());
    }
    if let Some(lacking) = patterns("has").into_iter().find(|pattern| !is_in(pattern)) {
        return Some(format!("no {lacking:?}"));
    }
    patterns("lacks")
        .into_iter()
        .find(is_in)
        .map(|found| format!("there is {found:?}"))
}

fn call(toolbox: &Toolbox, tool: &str, arguments: Value) -> Outcome {
    let call = Call {
        cancelled: Arc::default(),
        progress: Box::new(|_| {}),
    };
    toolbox.call(tool, object(arguments), &call).expect("the tool exists")
}

/// A fixture in which `//LINES n` stands for so many lines.
fn repository(fixture: &str) -> TempDir {
    let mut text = String::new();
    for line in fixture.split_inclusive('\n') {
        match line
            .strip_prefix("//LINES ")
            .and_then(|count| count.trim().parse().ok())
        {
            Some(count) => text.push_str(&"// one of many\n".repeat(count)),
            None => text.push_str(line),
        }
    }
    let dir = TempDir::with_prefix("repo-").unwrap();
    let fixture = test_fixture::Fixture::parse(&text);
    test_fixture::write_to(dir.path(), &fixture.revisions[0]).unwrap();
    dir
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
