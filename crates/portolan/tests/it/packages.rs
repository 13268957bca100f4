//! What registries are told, and what comes from them.

use std::{fs, path::Path, process::Command};

use serde_json::Value;

/// Every package says the version of the manifest, and the same name.
#[test]
fn packages_agree_with_the_manifest() {
    let repository = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let json = |path: &str| -> Value {
        let text = fs::read_to_string(repository.join(path)).expect("a manifest");
        serde_json::from_str(&text).expect("JSON")
    };
    let version = env!("CARGO_PKG_VERSION");
    let (npm, server) = (json("dist/npm/package.json"), json("dist/server.json"));
    for platform in npm["optionalDependencies"].as_object().expect("platforms").values() {
        assert_eq!(platform, version);
    }
    for package in server["packages"].as_array().expect("packages") {
        assert_eq!(package["version"], version);
        assert_eq!(package["identifier"], npm["name"]);
    }
    for manifest in [
        &npm,
        &server,
        &json("dist/mcpb/manifest.json"),
        &json(".claude-plugin/plugin.json"),
    ] {
        assert_eq!(manifest["version"], version, "{manifest}");
    }
    assert_eq!(server["name"], npm["mcpName"]);
    let wheel = fs::read_to_string(repository.join("dist/pypi/METADATA")).expect("metadata");
    assert!(wheel.contains(&format!("\nmcp-name: {}\n", server["name"].as_str().expect("a name"))));
    assert!(wheel.contains(&format!("\nName: {}\n", npm["name"].as_str().expect("a name"))));
}

/// What `scripts/supply-chain` checks more closely: every package is from the one registry, under a licence that
/// `deny.toml` allows.
#[test]
fn dependencies_may_be_given_away() {
    let repository = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let read = |path: &str| fs::read_to_string(repository.join(path)).expect("a file");
    let cargo = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO"))
            .args(arguments)
            .current_dir(repository)
            .output();
        let output = output.expect("cargo runs");
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{errors}");
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    let deny = read("deny.toml");
    let list = deny
        .split_once("\nallow = [")
        .and_then(|(_, rest)| rest.split_once(']'))
        .expect("a list")
        .0;
    let allowed: Vec<&str> = list
        .lines()
        .filter_map(|line| line.trim().strip_prefix('"')?.split('"').next())
        .collect();
    let version = cargo(&["--version", "--verbose"]);
    let host = version
        .lines()
        .find_map(|line| line.strip_prefix("host: "))
        .expect("a host");
    // Packages of other platforms need not be on this machine.
    let metadata = [
        "metadata",
        "--offline",
        "--locked",
        "--format-version",
        "1",
        "--filter-platform",
        host,
    ];
    let metadata: Value = serde_json::from_str(&cargo(&metadata)).expect("JSON");
    let packages = metadata["packages"].as_array().expect("packages");
    assert!(packages.len() > 100, "{}", packages.len());
    for package in packages {
        let licence = package["license"].as_str().unwrap_or_default().replace('/', " OR ");
        assert!(permits(&licence, &allowed), "{} is under `{licence}`", package["name"]);
    }
    let registry = "source = \"registry+https://github.com/rust-lang/crates.io-index\"";
    for source in read("Cargo.lock").lines().filter(|line| line.starts_with("source = ")) {
        assert_eq!(source, registry);
    }
}

/// Whether an SPDX expression can be met with these licences. `AND` binds more tightly than `OR`.
fn permits(expression: &str, allowed: &[&str]) -> bool {
    let mut depth = 0;
    let mut alternatives: Vec<Vec<String>> = vec![vec![String::new()]];
    for word in expression.replace('(', " ( ").replace(')', " ) ").split_whitespace() {
        depth += i32::from(word == "(") - i32::from(word == ")");
        let last = alternatives.last_mut().expect("there is one");
        match word {
            "OR" if depth == 0 => alternatives.push(vec![String::new()]),
            "AND" if depth == 0 => last.push(String::new()),
            word => {
                let part = last.last_mut().expect("there is one");
                part.push_str(if part.is_empty() { "" } else { " " });
                part.push_str(word);
            }
        }
    }
    let holds = |part: &String| match part.strip_prefix("( ").and_then(|part| part.strip_suffix(" )")) {
        Some(inner) => permits(inner, allowed),
        None => allowed.contains(&part.as_str()),
    };
    alternatives.iter().any(|parts| parts.iter().all(holds))
}
