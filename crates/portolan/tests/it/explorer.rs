//! The explorer through the real server: who gets the page, who gets data.

use serde_json::{Value, json};
use test_fixture::Repo;

use crate::http::Server;

const REPO: &str = r##"
//- /src/app.py
from shop import total
def main():
    return total("<script>boom()</script>")
//- /src/shop.py
from prices import price
def total(name):
    return price(name)
//- /src/prices.py
def price(name):
    return 1
//- /README.md
# <img src=x onerror=boom()>
"##;

/// A call as the page makes it.
fn call(server: &Server, body: Value) -> (u16, Value) {
    let (status, head, body) = server.send("POST /explorer/call", &[], &body.to_string());
    if status == 200 {
        assert!(head.contains("content-type: application/json"), "{head}");
        assert!(head.contains("x-content-type-options: nosniff"), "{head}");
        return (status, serde_json::from_str(&body).expect("JSON"));
    }
    (status, Value::String(body))
}

/// Nothing is in the page that a stranger may not see, so that no token is needed for it; by any other name it is not
/// there, so that a page that has its name point here cannot read it.
#[test]
fn the_page_is_for_everyone_on_this_machine() {
    let repo = Repo::new(REPO);
    let server = Server::start(&repo);
    for (path, kind, holds) in [
        ("/", "text/html; charset=utf-8", "<title>Portolan</title>"),
        ("/explorer.js", "text/javascript; charset=utf-8", "createElementNS"),
        ("/explorer.css", "text/css; charset=utf-8", "prefers-color-scheme"),
        (
            "/picture.js",
            "text/javascript; charset=utf-8",
            "function pictureViewer",
        ),
        ("/picture.css", "text/css; charset=utf-8", "prefers-color-scheme"),
    ] {
        let (status, head, body) = server.send(&format!("GET {path}"), &[("Authorization", "")], "");
        assert_eq!(status, 200, "{path}: {body}");
        assert!(head.contains(&format!("content-type: {kind}")), "{path}: {head}");
        assert!(body.contains(holds), "{path}: {body}");
        assert!(
            !body.contains("prices") && !body.contains(&*repo.root().to_string_lossy()),
            "{path} has data"
        );
        let policy = head
            .lines()
            .find_map(|line| line.strip_prefix("content-security-policy: "));
        let policy = policy.unwrap_or_else(|| panic!("{path} has a policy: {head}"));
        for part in [
            "default-src 'none'",
            "script-src 'self'",
            "connect-src 'self'",
            "frame-ancestors 'none'",
            "require-trusted-types-for 'script'",
        ] {
            assert!(policy.contains(part), "{path}: {policy}");
        }
        assert!(!policy.contains("unsafe"), "{path}: {policy}");
        for header in [
            "x-frame-options: deny",
            "referrer-policy: no-referrer",
            "cache-control: no-store",
        ] {
            assert!(head.contains(header), "{path}: {head}");
        }
        assert!(!head.contains("access-control"), "{path}: {head}");
        for strange in [
            ("Host", "evil.example"),
            ("Origin", "https://evil.example"),
            ("Host", ""),
        ] {
            let (status, ..) = server.send(&format!("GET {path}"), &[strange], "");
            assert!([400, 403].contains(&status), "{path} {strange:?}: {status}");
        }
    }
    for (what, status) in [("GET /nothing", 404), ("DELETE /", 405), ("GET /explorer/call", 405)] {
        assert_eq!(server.send(what, &[], "").0, status, "{what}");
    }
    assert_eq!(server.send("GET /nothing", &[("Authorization", "")], "").0, 401);
}

#[test]
fn data_is_for_those_who_have_the_token() {
    let repo = Repo::new(REPO);
    let server = Server::start(&repo);
    let status = json!({ "tool": "index_status" }).to_string();
    let big = "x".repeat(5 << 20);
    for (headers, body, code) in [
        (&[][..], status.as_str(), 200),
        (&[("Authorization", "")], &status, 401),
        (&[("Authorization", "Bearer wrong")], &status, 401),
        (&[("Host", "evil.example")], &status, 403),
        (&[("Origin", "https://evil.example")], &status, 403),
        (&[("Origin", "null")], &status, 403),
        (&[("Content-Type", "text/plain")], &status, 415),
        (&[], &big, 413),
        (&[], "{", 400),
        (&[], "[]", 400),
        (&[], r#"{"tool":"rename_symbol","arguments":{}}"#, 404),
        (&[], r#"{"tool":"delete_session","arguments":{}}"#, 404),
        (&[], r#"{"tool":"nope"}"#, 404),
    ] {
        let (got, _, answer) = server.send("POST /explorer/call", headers, body);
        assert_eq!(got, code, "{headers:?} {answer}");
    }
}

#[test]
fn what_the_page_shows_can_be_asked_for() {
    let repo = Repo::new(REPO);
    // Whatever clients are shown, the page asks by our own names and gets JSON.
    for flags in [&[][..], &["--profile", "shebe"], &["--no-structured", "--read-only"]] {
        let server = Server::start_with(&repo, flags);
        for (tool, arguments, pointer, expected) in [
            (
                "search_code",
                json!({ "query": "total" }),
                "/definitions/0/name",
                json!("total"),
            ),
            (
                "deep_dive",
                json!({ "symbol": "total" }),
                "/callers/0/name",
                json!("main"),
            ),
            ("map_code", json!({}), "/shown/files", json!(4)),
            (
                "get_symbols",
                json!({ "file_path": "src/shop.py" }),
                "/symbols/0/name",
                json!("total"),
            ),
            (
                "read_file",
                json!({ "path": "README.md" }),
                "/text",
                json!("# <img src=x onerror=boom()>\n"),
            ),
            ("index_status", json!({}), "/files", json!(4)),
            ("deep_dive", json!({}), "/error/code", json!(-32602)),
        ] {
            let (status, answer) = call(&server, json!({ "tool": tool, "arguments": arguments }));
            assert_eq!(status, 200, "{tool}: {answer}");
            assert_eq!(answer.pointer(pointer), Some(&expected), "{flags:?} {tool}: {answer}");
        }
        let drawn = json!({ "symbol": "total", "direction": "both" });
        let (_, answer) = call(
            &server,
            json!({ "tool": "get_call_graph", "arguments": drawn, "draw": true }),
        );
        let boxes = answer["drawing"]["boxes"].as_array().expect("boxes");
        let names: Vec<&str> = boxes.iter().filter_map(|one| one["name"].as_str()).collect();
        assert_eq!(names, ["total", "main", "price"], "{answer}");
        let (_, answer) = call(
            &server,
            json!({ "tool": "get_dependencies", "arguments": { "file_path": "." }, "draw": true }),
        );
        assert_eq!(
            answer["drawing"]["arrows"].as_array().map(Vec::len),
            Some(2),
            "{answer}"
        );
        let unknown = json!({ "tool": "get_call_graph", "arguments": { "symbol": "nope" }, "draw": true });
        let (_, answer) = call(&server, unknown);
        assert_eq!(answer["total"], 0, "{answer}");
    }
}

/// By a name that the server was told to answer to, the page's own calls are its own.
#[test]
fn the_page_works_by_an_allowed_name() {
    let repo = Repo::new(REPO);
    let server = Server::start_with(&repo, &["--allow-host", "code.example"]);
    let status = json!({ "tool": "index_status" }).to_string();
    for (host, origin, code) in [
        ("code.example", "http://code.example", 200),
        ("code.example:7700", "http://code.example:7700", 200),
        ("code.example", "http://code.example:7700", 403),
        ("code.example", "http://evil.example", 403),
        ("evil.example", "http://evil.example", 403),
        ("code.example", "code.example", 403),
    ] {
        let headers = [("Host", host), ("Origin", origin)];
        let (got, _, answer) = server.send("POST /explorer/call", &headers, &status);
        assert_eq!(got, code, "{host} {origin}: {answer}");
    }
}

/// What the page is made of cannot turn text into markup; its own policy would stop it, but not in every browser.
#[test]
fn the_page_only_sets_text() {
    let script = include_str!("../../../mcp/src/explorer/explorer.js");
    let viewer = include_str!("../../../picture/src/viewer.js");
    for forbidden in [
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "DOMParser",
        "eval(",
        "new Function",
        "srcdoc",
        "javascript:",
    ] {
        assert!(
            !script.contains(forbidden) && !viewer.contains(forbidden),
            "{forbidden}"
        );
    }
}
