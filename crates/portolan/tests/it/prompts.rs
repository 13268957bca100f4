//! Prompts, and the plugin that ships the same texts as skills.

use std::{collections::BTreeSet, fs, path::Path};

use serde_json::{Value, json};
use test_fixture::Repo;

use crate::server::{Server, stateless};

const REPO: &str = "//- /src/lib.rs\npub fn alpha() {}\npub fn alphabet() {}\n";

fn repository() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn skills() -> BTreeSet<String> {
    let dirs = fs::read_dir(repository().join("skills")).expect("the skills");
    let name = |dir: fs::DirEntry| dir.file_name().into_string().expect("a name");
    dirs.flatten().map(name).collect()
}

#[test]
fn every_skill_is_a_prompt_in_both_eras() {
    let repo = Repo::new(REPO);
    let mut server = Server::initialized(&repo.root(), &[]);
    let old = server.ask("prompts/list", json!({}))["result"].clone();
    let new = server.ask("prompts/list", stateless(json!({})))["result"].clone();
    assert_eq!(old["prompts"], new["prompts"]);
    assert_eq!(
        (&new["resultType"], &new["cacheScope"]),
        (&json!("complete"), &json!("private"))
    );
    let prompts = old["prompts"].as_array().expect("prompts");
    let names: BTreeSet<String> = prompts
        .iter()
        .map(|prompt| prompt["name"].as_str().expect("a name").to_owned())
        .collect();
    assert_eq!(names, skills());
    let tools: BTreeSet<&str> = tools::all_tools().iter().map(|tool| tool.name).collect();
    for prompt in prompts {
        let name = prompt["name"].as_str().expect("a name");
        let text = fs::read_to_string(repository().join("skills").join(name).join("SKILL.md")).expect("a skill");
        assert!(text.starts_with(&format!("---\nname: {name}\ndescription: ")), "{name}");
        let description = prompt["description"].as_str().expect("a description");
        assert!((40..1024).contains(&description.len()), "{name}: {description}");
        let mut named: Vec<&str> = text
            .split('`')
            .skip(1)
            .step_by(2)
            .filter(|word| word.contains('_'))
            .collect();
        named.retain(|word| !["max_hops", "reference_kind", "type_usage"].contains(word));
        assert!(
            !named.is_empty() && named.iter().all(|word| tools.contains(word)),
            "{name}: {named:?}"
        );
    }
}

#[test]
fn a_prompt_says_what_it_is_asked_about() {
    let repo = Repo::new(REPO);
    let mut server = Server::initialized(&repo.root(), &[]);
    let given = json!({ "from": "main", "to": " Parser::parse\nand more " });
    for params in [
        json!({ "name": "trace-call-path", "arguments": given }),
        stateless(json!({ "name": "trace-call-path", "arguments": given })),
    ] {
        let answer = server.ask("prompts/get", params);
        let message = &answer["result"]["messages"][0];
        assert_eq!(message["role"], "user", "{answer}");
        let text = message["content"]["text"].as_str().expect("a text");
        assert!(text.starts_with("Trace calls "), "{text}");
        assert!(text.ends_with("\n\nfrom: main\n\nto: Parser::parse and more"), "{text}");
    }
    let answer = server.ask("prompts/get", json!({ "name": "review-change" }));
    let text = answer["result"]["messages"][0]["content"]["text"]
        .as_str()
        .expect("a text");
    assert!(text.ends_with("what you looked at."), "{text}");
    for (params, reason) in [
        (json!({ "name": "nope" }), "there is no prompt `nope`"),
        (json!({ "name": "trace-call-path" }), "needs the argument `from`"),
        (
            json!({ "name": "trace-call-path", "arguments": { "from": " " } }),
            "needs the argument `from`",
        ),
        (
            json!({ "name": "trace-call-path", "arguments": { "form": "a" } }),
            "takes no argument `form`",
        ),
        (
            json!({ "name": "review-change", "arguments": { "diff": 7 } }),
            "`diff` must be a string",
        ),
        (
            json!({ "name": "review-change", "arguments": { "diff": "a".repeat(600) } }),
            "longer than 500",
        ),
        (json!({}), "invalid params for `prompts/get`"),
        (json!({ "name": 7 }), "invalid params for `prompts/get`"),
    ] {
        let answer = server.ask("prompts/get", params.clone());
        assert_eq!(answer["error"]["code"], -32602, "{params}: {answer}");
        let message = answer["error"]["message"].as_str().expect("a message");
        assert!(message.contains(reason), "{params}: {message}");
    }
    let answer = server.ask("prompts/list", json!({ "cursor": "x" }));
    assert_eq!(answer["error"]["code"], -32602);
}

#[test]
fn the_plugin_and_its_marketplace_agree() {
    let json = |path: &str| -> Value {
        let text = fs::read_to_string(repository().join(path)).expect("a file of the plugin");
        serde_json::from_str(&text).expect("JSON")
    };
    let plugin = json(".claude-plugin/plugin.json");
    let marketplace = json(".claude-plugin/marketplace.json");
    assert_eq!(marketplace["plugins"][0]["name"], plugin["name"]);
    assert_eq!(marketplace["plugins"][0]["description"], plugin["description"]);
    assert_eq!(marketplace["plugins"][0]["source"], "./");
    let server = &plugin["mcpServers"]["portolan"];
    assert_eq!(server, &json!({ "command": "portolan", "args": ["serve"] }));
}

/// Under a profile a prompt uses the tools that are listed, and says how to go without the others.
#[test]
fn prompts_are_in_the_words_of_a_profile() {
    let repo = Repo::new(REPO);
    let mut server = Server::initialized(&repo.root(), &["--profile", "julie"]);
    let arguments = json!({ "symbol": "alpha" });
    let prompt = server.ask(
        "prompts/get",
        json!({ "name": "explore-type-hierarchy", "arguments": arguments }),
    );
    let text = prompt["result"]["messages"][0]["content"]["text"].as_str().unwrap();
    assert!(
        text.contains("`fast_refs`") && !text.contains("`find_references`"),
        "{text}"
    );
    assert!(text.contains("This server does not list `find_symbol`, "), "{text}");
}
