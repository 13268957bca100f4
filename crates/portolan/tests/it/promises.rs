//! Runs the promises of each profile (`crates/tools/src/profile/promises/*.json`) as requests to a server with that profile,
//! over stdio, and checks its answers.

use std::{fs, path::Path};

use regex::{Regex, RegexBuilder};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::server::Server;

/// Another repository than the server's own, `$OTHER` in the tables.
const OTHER: &str = "\
//- /Cargo.toml
[package]
name = \"other\"
//- /src/lib.rs
mod far;
pub fn near() { far::away() }
//- /src/far.rs
pub fn away() {}
";

#[test]
fn claudevil() {
    check("claudevil");
}

#[test]
fn rust_code_mcp() {
    check("rust-code-mcp");
}

#[test]
fn probe() {
    check("probe");
}

#[test]
fn shebe() {
    check("shebe");
}

#[test]
fn julie() {
    check("julie");
}

#[test]
fn the_page_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/profiles.md");
    let written = fs::read_to_string(path).unwrap_or_default();
    assert!(
        written == tools::profiles_md(),
        "docs/profiles.md is out of date: run `cargo xtask docs`"
    );
}

/// Asks for everything in the table of a profile, in its order, of one server.
fn check(profile: &str) {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/promises");
    let table = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tools/src/profile/promises");
    let table = fs::read_to_string(table.join(format!("{profile}.json"))).unwrap();
    let promises: Vec<Value> = serde_json::from_str(&table).unwrap_or_else(|error| panic!("{profile}: {error}"));
    let repo = repository(&fs::read_to_string(tests.join("repo.txt")).unwrap());
    let other = repository(OTHER);
    let (root, other) = (real(&repo), real(&other));
    let mut server = Server::initialized_with(
        root.as_ref(),
        &["--profile", profile],
        &[("PORTOLAN_FIRST_ANSWER_SECS", "60")],
    );
    let listed = server.ask("tools/list", json!({}))["result"]["tools"].clone();
    let mut failed = Vec::new();
    for promise in &promises {
        let text = promise.to_string().replace("$ROOT", &root).replace("$OTHER", &other);
        let promise: Value = serde_json::from_str(&text).unwrap();
        if let Some(reason) = broken(&mut server, &listed, root.as_ref(), &promise) {
            failed.push(format!("{}: {reason}\n  {promise}\n", promise["promise"]));
        }
    }
    assert!(
        failed.is_empty(),
        "{} of {} promises of {profile}:\n{}",
        failed.len(),
        promises.len(),
        failed.join("\n")
    );
}

/// Why a promise is not kept.
fn broken(server: &mut Server, listed: &Value, root: &Path, promise: &Value) -> Option<String> {
    // Told to users, with the reason.
    if promise.get("deviates").is_some() || promise.get("measured").is_some() {
        return None;
    }
    for (path, text) in promise["write"].as_object().into_iter().flatten() {
        let path = root.join(path);
        fs::create_dir_all(path.parent()?).unwrap();
        fs::write(path, text.as_str()?).unwrap();
    }
    let Some(name) = promise["tool"].as_str() else {
        return Some("it names no tool".to_owned());
    };
    let Some(tool) = listed.as_array()?.iter().find(|tool| tool["name"] == name) else {
        return Some("the tool is not listed".to_owned());
    };
    for (param, wanted) in promise["schema"].as_object().into_iter().flatten() {
        let schema = &tool["inputSchema"]["properties"][param];
        let is_required = tool["inputSchema"]["required"].as_array()?.contains(&json!(param));
        for (key, value) in wanted.as_object()? {
            let known = match key.as_str() {
                "required" => json!(is_required),
                _ => schema[key].clone(),
            };
            if known != *value {
                return Some(format!("`{param}` has {key} {known}"));
            }
        }
    }
    let Some(symbols) = promise["symbols"].as_array() else {
        return broken_answer(server, name, promise.get("arguments")?, promise).err();
    };
    // The same of several symbols: how long the answers are is told by the median.
    let mut tokens = Vec::new();
    for symbol in symbols {
        let mut arguments = promise.get("arguments")?.clone();
        arguments["symbol"] = symbol.clone();
        match broken_answer(server, name, &arguments, promise) {
            Ok(text) => tokens.push((tools::count_tokens(&text), symbol)),
            Err(reason) => return Some(format!("{symbol}: {reason}")),
        }
    }
    tokens.sort_unstable_by_key(|(tokens, _)| *tokens);
    let most = promise["tokens"].as_u64()?;
    (tokens[tokens.len() / 2].0 > most).then(|| format!("the answers have {tokens:?} tokens"))
}

/// The text of an answer that is as promised, or why it is not. With `pages` all of its pages are one text.
fn broken_answer(server: &mut Server, name: &str, arguments: &Value, promise: &Value) -> Result<String, String> {
    let mut answer = server.ask("tools/call", json!({ "name": name, "arguments": arguments }));
    if promise["pages"] == true {
        let whole = pages(server, name, arguments, &answer);
        answer["result"]["content"][0]["text"] = whole.into();
    }
    let is_protocol = answer.get("error").is_some();
    let (text, code) = match is_protocol {
        true => (answer["error"]["message"].clone(), answer["error"]["code"].as_i64()),
        false => (
            answer["result"]["content"][0]["text"].clone(),
            answer["result"]["structuredContent"]["error"]["code"].as_i64(),
        ),
    };
    let text = text.as_str().unwrap_or_default();
    let wanted = promise["error"].as_i64();
    if wanted != code {
        return Err(format!("error {code:?} instead of {wanted:?}\n{text}"));
    }
    let patterns = |key: &str| promise[key].as_array().cloned().unwrap_or_default();
    let is_in = |pattern: &Value| {
        let pattern = RegexBuilder::new(pattern.as_str().unwrap()).multi_line(true).build();
        pattern.unwrap().is_match(text)
    };
    if let Some(lacking) = patterns("has").iter().find(|pattern| !is_in(pattern)) {
        return Err(format!("no {lacking}\n{text}"));
    }
    match patterns("lacks").into_iter().find(is_in) {
        Some(found) => Err(format!("there is {found}\n{text}")),
        None => Ok(text.to_owned()),
    }
}

/// A first page and those that follow it.
fn pages(server: &mut Server, name: &str, arguments: &Value, first: &Value) -> String {
    let cursor = Regex::new(r#"cursor "([^"]+)""#).unwrap();
    let text = |answer: &Value| {
        answer["result"]["content"][0]["text"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    let mut whole = text(first);
    let mut last = whole.clone();
    while let Some(next) = cursor.captures(&last) {
        let mut arguments = arguments.clone();
        arguments["cursor"] = next[1].into();
        last = text(&server.ask("tools/call", json!({ "name": name, "arguments": arguments })));
        whole.push('\n');
        whole.push_str(&last);
    }
    whole
}

fn real(dir: &TempDir) -> String {
    let path = dir.path().canonicalize().unwrap();
    path.to_string_lossy().replace('\\', "/")
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
