//! Resources by URI, and completion of paths and names.

use serde_json::{Value, json};
use test_fixture::Repo;

use crate::server::{Server, stateless};

const REPO: &str = "
//- /src/lib.rs
pub struct Chart;
impl Chart {
    pub fn plot() {}
}
//- /src/plan.rs
pub fn plan_route() {}
//- /docs/größe.md
# Plan
";

fn text(answer: &Value) -> &str {
    answer["result"]["contents"][0]["text"]
        .as_str()
        .unwrap_or_else(|| panic!("a text, not {answer}"))
}

/// Another system's tools may have the names of ours, and other parameters.
#[test]
fn resources_and_completions_are_the_same_with_every_profile() {
    let repo = Repo::new(REPO);
    for profile in ["julie", "claudevil", "shebe", "probe", "rust-code-mcp"] {
        let mut server = Server::initialized(&repo.root(), &["--profile", profile]);
        for (uri, part) in [
            ("portolan://map", "plan_route"),
            ("portolan://outline/src/lib.rs", "pub fn plot()"),
        ] {
            let read = server.ask("resources/read", json!({ "uri": uri }));
            assert!(text(&read).contains(part), "{profile}: {read}");
        }
        let template = json!({ "type": "ref/resource", "uri": "portolan://outline/{path}" });
        let completed = server.ask(
            "completion/complete",
            json!({ "ref": template, "argument": { "name": "path", "value": "src/l" } }),
        );
        let values = &completed["result"]["completion"]["values"];
        assert_eq!(*values, json!(["src/lib.rs"]), "{profile}: {completed}");
    }
}

#[test]
fn the_map_and_outlines_are_resources_in_both_eras() {
    let repo = Repo::new(REPO);
    let mut server = Server::initialized(&repo.root(), &[]);
    for (method, key, item) in [
        ("resources/list", "resources", "portolan://map"),
        (
            "resources/templates/list",
            "resourceTemplates",
            "portolan://outline/{path}",
        ),
    ] {
        let old = server.ask(method, json!({}))["result"].clone();
        let new = server.ask(method, stateless(json!({})))["result"].clone();
        assert_eq!(old[key], new[key]);
        assert!(new["ttlMs"].is_u64() && new["cacheScope"] == "private", "{new}");
        assert!(old[key][0].to_string().contains(item), "{old}");
        assert_eq!(server.ask(method, json!({ "cursor": "x" }))["error"]["code"], -32602);
    }
    let map = server.ask("resources/read", json!({ "uri": "portolan://map" }));
    assert_eq!(map["result"]["contents"][0]["uri"], "portolan://map");
    assert_eq!(map["result"]["contents"][0]["mimeType"], "text/plain");
    assert!(text(&map).contains("pub fn plan_route()"), "{map}");
    for (uri, part) in [
        ("portolan://outline/src/lib.rs", "pub fn plot()"),
        ("portolan://outline/src%2Flib.rs", "pub fn plot()"),
        ("portolan://outline/src", "plan_route"),
        ("portolan://outline/docs%2Fgr%C3%B6%C3%9Fe.md", "Plan"),
    ] {
        let outline = server.ask("resources/read", json!({ "uri": uri }));
        assert!(text(&outline).contains(part), "{uri}: {outline}");
        let again = server.ask("resources/read", stateless(json!({ "uri": uri })));
        assert_eq!(text(&again), text(&outline));
        assert_eq!(
            (&again["result"]["ttlMs"], &again["result"]["resultType"]),
            (&json!(0), &json!("complete"))
        );
    }
}

/// A resource is as fresh as an answer.
#[test]
fn a_resource_shows_what_is_on_disk() {
    let repo = Repo::new(REPO);
    let mut server = Server::initialized(&repo.root(), &[]);
    let uri = json!({ "uri": "portolan://outline/src/plan.rs" });
    assert!(text(&server.ask("resources/read", uri.clone())).contains("plan_route"));
    std::fs::write(repo.root().join("src/plan.rs"), "pub fn plan_again() {}\n").expect("a file");
    assert!(text(&server.ask("resources/read", uri)).contains("plan_again"));
}

#[test]
fn what_is_no_resource_is_told() {
    let repo = Repo::new(REPO);
    let mut server = Server::initialized(&repo.root(), &[]);
    for uri in [
        "portolan://nope",
        "portolan://outline/",
        "portolan://outline/src/absent.rs",
        "portolan://outline/%zz",
        "portolan://outline/../../etc/passwd",
        "portolan://outline/%2e%2e%2f%2e%2e%2fetc%2fpasswd",
        "file:///etc/passwd",
        "",
    ] {
        let old = server.ask("resources/read", json!({ "uri": uri }));
        assert_eq!(old["error"]["code"], -32002, "{uri}: {old}");
        let new = server.ask("resources/read", stateless(json!({ "uri": uri })));
        assert_eq!(new["error"]["code"], -32602, "{uri}: {new}");
    }
    let answer = server.ask("resources/read", json!({}));
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
}

#[test]
fn paths_and_names_are_completed() {
    let repo = Repo::new(REPO);
    let mut server = Server::initialized(&repo.root(), &[]);
    let template = json!({ "type": "ref/resource", "uri": "portolan://outline/{path}" });
    let prompt = |name: &str| json!({ "type": "ref/prompt", "name": name });
    for (reference, argument, begun, values) in [
        (
            template.clone(),
            "path",
            "",
            json!(["docs/größe.md", "src/lib.rs", "src/plan.rs"]),
        ),
        (template.clone(), "path", "src/p", json!(["src/plan.rs"])),
        (template.clone(), "path", "SRC/P", json!(["src/plan.rs"])),
        (template.clone(), "path", "(", json!([])),
        (prompt("analyze-dependencies"), "path", "docs", json!(["docs/größe.md"])),
        (prompt("trace-call-path"), "from", "plan_r", json!(["plan_route"])),
        (prompt("trace-call-path"), "to", "plo", json!(["Chart::plot"])),
        (prompt("trace-call-path"), "to", "", json!([])),
        (prompt("review-change"), "diff", "HEAD", json!([])),
    ] {
        let params = json!({ "ref": reference, "argument": { "name": argument, "value": begun } });
        let answer = server.ask("completion/complete", params.clone());
        assert_eq!(answer["result"]["completion"]["values"], values, "{params}: {answer}");
        assert_eq!(answer["result"]["completion"]["hasMore"], false, "{params}: {answer}");
        let again = server.ask("completion/complete", stateless(params));
        assert_eq!(again["result"]["completion"], answer["result"]["completion"]);
    }
    for (reference, argument) in [
        (template, "nope"),
        (prompt("nope"), "path"),
        (prompt("review-change"), "nope"),
        (json!({ "type": "ref/resource", "uri": "portolan://map" }), "path"),
        (json!({ "type": "ref/what" }), "path"),
    ] {
        let params = json!({ "ref": reference, "argument": { "name": argument, "value": "" } });
        let answer = server.ask("completion/complete", params.clone());
        assert_eq!(answer["error"]["code"], -32602, "{params}: {answer}");
    }
}
