//! Handshakes, refusals, cancellation and the end.

use std::{
    fs::{self, File},
    path::Path,
    process::Command,
};

use serde_json::json;
use test_fixture::Repo;

use crate::server::{Server, home, initialize, stateless};

const REPO: &str = "//- /src/lib.rs\npub fn alpha() {}\n";

#[test]
fn both_eras_shake_hands() {
    let repo = Repo::new(REPO);
    let mut server = Server::start(&repo.root(), &[]);
    let found = server.ask("server/discover", stateless(json!({})));
    let versions = found["result"]["supportedVersions"].as_array().expect("versions");
    assert!(
        versions.contains(&json!("2026-07-28")) && versions.contains(&json!("2024-11-05")),
        "{found}"
    );
    let listed = server.ask("tools/list", stateless(json!({})));
    assert_eq!(listed["result"]["tools"][0]["name"], "map_code");
    let call = json!({ "name": "search_code", "arguments": { "query": "alpha" } });
    let answer = server.ask("tools/call", stateless(call));
    assert_eq!(answer["result"]["structuredContent"]["total"], 1, "{answer}");
    for version in ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] {
        let mut server = Server::start(&repo.root(), &[]);
        let answer = server.ask("initialize", initialize(version));
        assert_eq!(answer["result"]["protocolVersion"], version);
        assert_eq!(answer["result"]["serverInfo"]["name"], "portolan");
        let instructions = answer["result"]["instructions"].as_str().expect("instructions");
        assert!(instructions.chars().count() <= 1900);
        server.tell("notifications/initialized", json!({}));
        let listed = server.ask("tools/list", json!({}));
        assert_eq!(listed["result"]["tools"][0]["name"], "map_code", "{version}");
    }
}

#[test]
fn listings_are_fixed_and_within_their_budgets() {
    let repo = Repo::new(REPO);
    for (toolsets, budget) in [("core", 3000), ("all", 9000)] {
        let mut server = Server::initialized(&repo.root(), &["--toolsets", toolsets]);
        let first = server.ask("tools/list", json!({}))["result"].clone();
        let again = server.ask("tools/list", json!({}))["result"].clone();
        assert_eq!(first, again);
        let listed: Vec<&str> = first["tools"]
            .as_array()
            .expect("tools")
            .iter()
            .filter_map(|tool| tool["name"].as_str())
            .collect();
        let all = tools::all_tools();
        let shown = all
            .iter()
            .filter(|tool| toolsets == "all" || tool.toolset.name() == toolsets);
        assert_eq!(listed, shown.map(|tool| tool.name).collect::<Vec<_>>());
        let tokens = tools::count_tokens(&first.to_string());
        assert!(tokens <= budget, "{toolsets}: {tokens} of {budget} tokens");
        for tool in first["tools"].as_array().expect("tools") {
            assert!(tool["annotations"]["readOnlyHint"].is_boolean(), "{tool}");
            assert_eq!(tool["inputSchema"]["type"], "object", "{tool}");
            assert_eq!(tool["outputSchema"]["type"], "object", "{tool}");
        }
    }
    let mut server = Server::initialized(&repo.root(), &["--toolsets", "all", "--read-only"]);
    let listed = server.ask("tools/list", json!({}))["result"]["tools"].clone();
    for tool in listed.as_array().expect("tools") {
        assert_eq!(tool["annotations"]["readOnlyHint"], true, "{tool}");
    }
    let refused = server.call("delete_session", json!({ "session": "repo", "confirm": true }));
    assert_eq!(refused["structuredContent"]["error"]["code"], -32001, "{refused}");
}

#[test]
fn unknown_names_are_protocol_errors() {
    let repo = Repo::new(REPO);
    let mut server = Server::initialized(&repo.root(), &[]);
    for (method, params, code) in [
        ("tools/call", json!({ "name": "serch_code", "arguments": {} }), -32602),
        ("tools/call", json!({ "arguments": {} }), -32602),
        ("no/such/method", json!({}), -32601),
    ] {
        let answer = server.ask(method, params.clone());
        assert_eq!(answer["error"]["code"], code, "{method} {params}: {answer}");
    }
    server.assert_alive();
}

#[test]
fn garbage_is_survived() {
    let repo = Repo::new(REPO);
    let mut server = Server::initialized(&repo.root(), &[]);
    for (garbage, code) in [
        (&b"not json\n"[..], -32700),
        (b"{\"jsonrpc\":\"2.0\",\n", -32700),
        (b"\xFF\xFE\x00\n", -32700),
        (b"[]\n", -32600),
        (b"42\n", -32600),
        (b"{}\n", -32600),
    ] {
        server.send_bytes(garbage);
        let answer = server.receive();
        assert_eq!(
            answer["error"]["code"],
            code,
            "{}: {answer}",
            String::from_utf8_lossy(garbage)
        );
        server.assert_alive();
    }
    server.send_bytes(b"\n  \n\r\n");
    server.assert_alive();
}

#[test]
fn a_line_of_20_megabytes_is_refused() {
    let repo = Repo::new(REPO);
    let mut server = Server::initialized(&repo.root(), &[]);
    let mut line = br#"{"jsonrpc":"2.0","id":77,"method":"ping","params":{"pad":""#.to_vec();
    line.extend(std::iter::repeat_n(b'x', 20 << 20));
    line.extend(b"\"}}\n");
    server.send_bytes(&line);
    let answer = server.receive();
    assert!(answer["error"]["code"].is_i64(), "{answer}");
    server.assert_alive();
    let found = server.call("search_code", json!({ "query": "alpha" }));
    assert_eq!(found["structuredContent"]["total"], 1);
}

#[test]
fn the_end_of_input_ends_the_server() {
    let repo = Repo::new(REPO);
    let mut server = Server::initialized(&repo.root(), &[]);
    // A call that was made before the end is still answered.
    let id = server.request(
        "tools/call",
        json!({ "name": "search_code", "arguments": { "query": "alpha" } }),
    );
    let (rest, status) = server.finish();
    assert_eq!(status.code(), Some(0));
    assert!(rest.iter().any(|message| message["id"] == id), "{rest:?}");
}

#[cfg(unix)]
#[test]
fn a_signal_ends_the_server() {
    let repo = Repo::new(REPO);
    for signal in ["TERM", "INT"] {
        let mut server = Server::initialized(&repo.root(), &[]);
        server.assert_alive();
        let pid = server.pid().to_string();
        let sent = Command::new("kill").args([&format!("-{signal}"), &pid]).status();
        assert!(sent.is_ok_and(|status| status.success()));
        // By the signal alone: its input stays open.
        let (rest, status) = server.ended();
        assert_eq!(status.code(), Some(0), "{signal}");
        assert!(rest.is_empty(), "{rest:?}");
    }
}

/// Keeps everybody from writing the only index below a home.
fn hold_index(home: &Path) -> File {
    let mut sessions = fs::read_dir(home.join("workspaces")).unwrap();
    let session = sessions.next().expect("there is a session").unwrap();
    let lock = File::options()
        .write(true)
        .open(session.path().join("index/lock"))
        .unwrap();
    lock.lock().unwrap();
    lock
}

fn index_with_progress(server: &mut Server) -> u64 {
    let arguments = json!({ "force": true });
    let params = json!({ "name": "index_repository", "arguments": arguments, "_meta": { "progressToken": "tok" } });
    server.request("tools/call", params)
}

/// The index is held, so that the call cannot be done before it is cancelled.
#[test]
fn a_long_index_can_be_cancelled() {
    let repo = Repo::new(REPO);
    let home = home();
    let mut server = Server::at_home(home.path(), &repo.root());
    server.call("search_code", json!({ "query": "alpha" }));
    repo.write("src/new.rs", "pub fn beta() {}\n");
    let lock = hold_index(home.path());
    let id = index_with_progress(&mut server);
    server.assert_alive();
    server.tell(
        "notifications/cancelled",
        json!({ "requestId": id, "reason": "enough" }),
    );
    server.assert_alive();
    lock.unlock().unwrap();
    // The work can be done later, and the cancelled call is never answered.
    let found = server.call("search_code", json!({ "query": "beta", "literal": true }));
    assert_eq!(found["structuredContent"]["total"], 1, "{found}");
    let (rest, status) = server.finish();
    assert_eq!(status.code(), Some(0));
    let answer = rest.iter().find(|message| message["id"] == id);
    assert!(answer.is_none(), "a cancelled call is answered: {answer:?}");
}

#[test]
fn a_long_index_reports_progress() {
    let repo = Repo::new(REPO);
    let mut server = Server::initialized(&repo.root(), &[]);
    let mut files = 0;
    // How many files take long depends on the machine.
    for more in [1000, 2000, 4000, 8000, 16_000, 32_000] {
        for n in files..files + more {
            repo.write(&format!("d{}/f{n}.rs", n % 50), format!("pub fn number_{n}() {{}}\n"));
        }
        files += more;
        let id = index_with_progress(&mut server);
        let mut seen: Vec<f64> = Vec::new();
        loop {
            let message = server.receive();
            if message["id"] == id {
                assert_eq!(message["result"]["isError"], false, "{message}");
                break;
            }
            assert_eq!(message["method"], "notifications/progress", "{message}");
            assert_eq!(message["params"]["progressToken"], "tok");
            seen.push(message["params"]["progress"].as_f64().expect("a number"));
        }
        assert!(seen.is_sorted_by(|a, b| a < b), "progress does not increase: {seen:?}");
        if seen.len() >= 2 {
            return;
        }
    }
    panic!("{files} files are indexed without a word");
}

/// Old clients start several servers over one home, and list before they ask.
#[test]
fn listing_waits_for_no_index() {
    let repo = Repo::new(REPO);
    let home = home();
    let mut server = Server::at_home(home.path(), &repo.root());
    let listed = server.ask("tools/list", json!({}))["result"].clone();
    assert!(!listed["tools"].as_array().expect("tools").is_empty());
    let sessions = fs::read_dir(home.path().join("workspaces"))
        .into_iter()
        .flatten()
        .count();
    assert_eq!(sessions, 0, "listing has begun an index");
    server.call("search_code", json!({ "query": "alpha" }));
    // A call that has to wait for the index, and a listing that overtakes it.
    let lock = hold_index(home.path());
    repo.write("src/new.rs", "pub fn beta() {}\n");
    let params = json!({ "name": "search_code", "arguments": { "query": "beta", "literal": true } });
    let waiting = server.request("tools/call", params);
    let list = server.request("tools/list", json!({}));
    let first = server.receive();
    assert_eq!(first["id"], list, "{first}");
    assert_eq!(first["result"], listed);
    lock.unlock().unwrap();
    let found = server.answer(waiting)["result"].clone();
    assert_eq!(found["structuredContent"]["total"], 1, "{found}");
}
