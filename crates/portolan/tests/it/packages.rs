//! What registries are told.

use std::{fs, path::Path};

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
