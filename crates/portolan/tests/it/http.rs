//! The server over HTTP, spoken to by hand.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpStream},
    process::{Child, Command, Stdio},
};

use serde_json::{Value, json};
use tempfile::TempDir;
use test_fixture::Repo;

use crate::server::{PATIENCE, home, initialize, portolan, scale, stateless};

pub const TOKEN: &str = "correct-horse";

pub struct Server {
    child: Child,
    pub addr: SocketAddr,
    _home: TempDir,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Server {
    pub fn start(repo: &Repo) -> Server {
        Server::start_with(repo, &[])
    }

    pub fn start_with(repo: &Repo, flags: &[&str]) -> Server {
        Server::start_by(repo, flags, |command| command.args(["--token", TOKEN]))
    }

    /// With the token given in some way.
    fn start_by(repo: &Repo, flags: &[&str], give: impl FnOnce(&mut Command) -> &mut Command) -> Server {
        let home = home();
        let mut command = portolan(home.path());
        command.args(["serve", "--http", "127.0.0.1:0", "--root"]);
        let mut child = give(command.arg(repo.root()).args(flags))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let stderr = BufReader::new(child.stderr.take().expect("stderr is a pipe"));
        let mut lines = stderr.lines().map_while(Result::ok);
        let addr = lines
            .find_map(|line| {
                line.strip_prefix("serving MCP at http://")?
                    .strip_suffix("/mcp")?
                    .parse()
                    .ok()
            })
            .expect("the server says where it is");
        Server {
            child,
            addr,
            _home: home,
        }
    }

    fn post(&self, headers: &[(&str, &str)], body: &str) -> (u16, String, String) {
        self.send("POST /mcp", headers, body)
    }

    /// Sends a request, as `GET /`; the status, the headers and the body.
    pub fn send(&self, what: &str, headers: &[(&str, &str)], body: &str) -> (u16, String, String) {
        let mut stream = TcpStream::connect(self.addr).expect("the server listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout can be set");
        let mut head = format!("{what} HTTP/1.1\r\n");
        let defaults = [
            ("Host", "localhost"),
            ("Authorization", "Bearer correct-horse"),
            ("Content-Type", "application/json"),
            ("Accept", "application/json, text/event-stream"),
            ("Connection", "close"),
        ];
        let given = |name: &str| headers.iter().any(|(given, _)| *given == name);
        for (name, value) in defaults.iter().filter(|(name, _)| !given(name)).chain(headers) {
            if !value.is_empty() {
                head.push_str(&format!("{name}: {value}\r\n"));
            }
        }
        head.push_str(&format!("Content-Length: {}\r\n\r\n", body.len()));
        stream.write_all(head.as_bytes()).expect("the server reads");
        // A server that refuses need not read the body.
        let _ = stream.write_all(body.as_bytes());
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8(answer).expect("UTF-8");
        let (head, body) = answer.split_once("\r\n\r\n").expect("a response");
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
        (status.expect("a status"), head.to_lowercase(), body.to_owned())
    }
}

/// The message in a body, which may be one event of a stream, in chunks.
fn message(body: &str) -> Value {
    let lines = body.lines().map(|line| line.strip_prefix("data: ").unwrap_or(line));
    let mut messages = lines.filter_map(|line| serde_json::from_str::<Value>(line).ok());
    messages
        .find(|message| message.is_object())
        .unwrap_or_else(|| panic!("no message in {body:?}"))
}

fn request(method: &str, params: Value) -> String {
    json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }).to_string()
}

#[test]
fn strangers_are_turned_away() {
    let repo = Repo::new("//- /a.rs\nfn alpha() {}\n");
    let server = Server::start(&repo);
    let hello = request("initialize", initialize("2025-11-25"));
    let big = "x".repeat(5 << 20);
    for (headers, body, status) in [
        (&[("Authorization", "")][..], &hello, 401),
        (&[("Authorization", "Bearer wrong")], &hello, 401),
        (&[("Host", "evil.example")], &hello, 403),
        (&[("Origin", "https://evil.example")], &hello, 403),
        (&[("Origin", "null")], &hello, 403),
        (&[("Content-Type", "text/plain")], &hello, 415),
        (&[], &big, 413),
        (&[("Origin", "http://localhost:3000")], &hello, 200),
    ] {
        let (got, _, answer) = server.post(headers, body);
        assert_eq!(got, status, "{headers:?}: {answer}");
    }
}

#[test]
fn friends_are_served() {
    let repo = Repo::new("//- /a.rs\nfn alpha() {}\n");
    let server = Server::start(&repo);
    let (status, head, body) = server.post(&[], &request("initialize", initialize("2025-11-25")));
    assert_eq!(status, 200, "{body}");
    assert_eq!(message(&body)["result"]["serverInfo"]["name"], "portolan");
    let session = head.lines().find_map(|line| line.strip_prefix("mcp-session-id: "));
    let mut headers = vec![("MCP-Protocol-Version", "2025-11-25")];
    headers.extend(session.map(|session| ("Mcp-Session-Id", session)));
    let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string();
    let (status, _, body) = server.post(&headers, &ready);
    assert!((200..300).contains(&status), "{status} {body}");
    let call = request(
        "tools/call",
        json!({ "name": "search_code", "arguments": { "query": "alpha" } }),
    );
    let (status, _, body) = server.post(&headers, &call);
    assert_eq!(status, 200, "{body}");
    assert_eq!(message(&body)["result"]["structuredContent"]["total"], 1, "{body}");
}

/// A token often comes out of a file or a command, with a line break behind it.
#[test]
fn a_token_is_trimmed_wherever_it_comes_from() {
    let repo = Repo::new("//- /a.rs\nfn alpha() {}\n");
    let spaced = format!(" {TOKEN}\r\n");
    for is_flag in [true, false] {
        let server = Server::start_by(&repo, &[], |command| match is_flag {
            true => command.args(["--token", &spaced]),
            false => command.env("PORTOLAN_TOKEN", &spaced),
        });
        let headers = [("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", "tools/list")];
        let (status, _, body) = server.post(&headers, &request("tools/list", stateless(json!({}))));
        assert_eq!(status, 200, "{body}");
        let wrong = [("Authorization", "Bearer wrong")];
        assert_eq!(server.post(&wrong, "").0, 401);
    }
}

/// One that no client could send would lock everybody out without a word.
#[test]
fn a_token_that_cannot_be_sent_is_refused_at_the_start() {
    let repo = Repo::new("//- /a.rs\nfn alpha() {}\n");
    for (token, reason) in [
        (" \n", "the token is empty"),
        ("two words", "visible ASCII"),
        ("schl\u{fc}ssel", "visible ASCII"),
        ("line\nbreak", "visible ASCII"),
    ] {
        for is_flag in [true, false] {
            let home = home();
            let mut command = portolan(home.path());
            command
                .args(["serve", "--http", "127.0.0.1:0", "--root"])
                .arg(repo.root());
            match is_flag {
                true => command.args(["--token", token]),
                false => command.env("PORTOLAN_TOKEN", token),
            };
            let child = command
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::piped());
            let mut child = child.spawn().expect("the binary starts");
            let stderr = BufReader::new(child.stderr.take().expect("stderr is a pipe"));
            let mut text = String::new();
            for line in stderr.lines().map_while(Result::ok) {
                text.push_str(&line);
                // One that starts all the same never ends by itself.
                if line.starts_with("serving") {
                    let _ = child.kill();
                }
            }
            let status = child.wait().expect("it has ended");
            assert_eq!(status.code(), Some(2), "{token:?}: {text}");
            assert!(text.contains(reason), "{token:?}: {text}");
        }
    }
}

/// Who is refused learns nothing about what is outside: neither whether it exists nor where a link leads.
#[cfg(unix)]
#[test]
fn what_is_outside_of_the_root_is_refused_alike() {
    let repo = Repo::new("//- /a.rs\nfn alpha() {}\n");
    let outside = repo.beside("outside-canary");
    std::fs::create_dir_all(outside.join("dir")).unwrap();
    std::fs::write(outside.join("file"), "text").unwrap();
    std::os::unix::fs::symlink(&outside, repo.path("link")).unwrap();
    let server = Server::start(&repo);
    let call = |tool: &str, arguments: Value| {
        let headers = [
            ("MCP-Protocol-Version", "2026-07-28"),
            ("Mcp-Method", "tools/call"),
            ("Mcp-Name", tool),
        ];
        let params = stateless(json!({ "name": tool, "arguments": arguments }));
        let (_, _, body) = server.post(&headers, &request("tools/call", params));
        message(&body)["result"]["structuredContent"]["error"].clone()
    };
    for (base, name) in [
        (outside.display().to_string(), "in full"),
        ("link".to_owned(), "through a link"),
        (format!("{}/link", repo.root().display()), "through a link, in full"),
    ] {
        // These two take absolute paths only.
        let others = ["index_repository", "manage_workspace"];
        let others = others.into_iter().filter(|_| base.starts_with('/'));
        for tool in others.chain(["find_symbol"]) {
            // The same answer for each of these, but for the path that was asked for.
            let refused = |path: &str| {
                let arguments = match tool {
                    "find_symbol" => json!({ "name": "alpha", "workspace": path }),
                    "index_repository" => json!({ "path": path, "session": "loot" }),
                    _ => json!({ "operation": "add", "path": path }),
                };
                let error = call(tool, arguments);
                assert_eq!(error["code"], -32001, "{tool} {path}: {error}");
                let text = error.to_string();
                assert!(text.contains("outside the root"), "{tool} {path}: {text}");
                text.replace(path, "PATH")
            };
            let first = refused(&format!("{base}/dir"));
            assert!(!first.contains("outside-canary"), "{name}: {first}");
            for other in ["file", "missing", "missing/deeper"] {
                assert_eq!(refused(&format!("{base}/{other}")), first, "{name}: {other}");
            }
        }
    }
}

/// Whoever may call does not choose what the server's user has read.
#[test]
fn callers_stay_below_the_root() {
    let repo = Repo::new("//- /a.rs\nfn alpha() {}\n//- /nested/b.rs\nfn beta() {}\n");
    let outside = repo.beside("outside");
    std::fs::create_dir(&outside).unwrap();
    std::fs::write(outside.join("loot.rs"), "fn canary() {}\n").unwrap();
    let server = Server::start(&repo);
    let call = |tool: &str, arguments: Value| {
        let headers = [
            ("MCP-Protocol-Version", "2026-07-28"),
            ("Mcp-Method", "tools/call"),
            ("Mcp-Name", tool),
        ];
        let params = stateless(json!({ "name": tool, "arguments": arguments }));
        let (_, _, body) = server.post(&headers, &request("tools/call", params));
        message(&body)["result"].clone()
    };
    for workspace in [json!(outside), json!("/"), json!("../outside"), json!("nested/../..")] {
        for (tool, arguments) in [
            ("read_file", json!({ "path": "loot.rs", "workspace": workspace })),
            ("find_symbol", json!({ "name": "canary", "workspace": workspace })),
            ("index_repository", json!({ "path": workspace, "session": "loot" })),
            ("manage_workspace", json!({ "operation": "add", "path": workspace })),
        ] {
            let answer = call(tool, arguments);
            assert_eq!(answer["isError"], true, "{tool} {workspace}: {answer}");
            assert!(
                !answer.to_string().contains("fn canary"),
                "{tool} {workspace}: {answer}"
            );
        }
    }
    // Nor by a path in full, which leads to another repository where the caller is the user.
    let loot = outside.join("loot.rs");
    for path in [
        json!(loot),
        json!(format!("/{}", loot.display())),
        json!(format!("/proc/self/root{}", loot.display())),
        json!(format!("{}/../outside/loot.rs", repo.root().display())),
    ] {
        for (tool, arguments) in [
            ("read_file", json!({ "path": path })),
            ("get_symbols", json!({ "file_path": path })),
            ("extract_code", json!({ "targets": [path] })),
            ("map_code", json!({ "path": path })),
            ("grep", json!({ "pattern": "canary", "paths": [path] })),
        ] {
            let answer = call(tool, arguments);
            assert!(!answer.to_string().contains("fn canary"), "{tool} {path}: {answer}");
        }
    }
    let refused = call("find_symbol", json!({ "name": "canary", "workspace": outside }));
    assert_eq!(refused["structuredContent"]["error"]["code"], -32001, "{refused}");
    for workspace in [json!(repo.root()), json!("nested"), json!(repo.path("nested"))] {
        let found = call("find_symbol", json!({ "name": "beta", "workspace": workspace }));
        assert_eq!(found["structuredContent"]["total"], 1, "{found}");
    }
}

/// What `scripts/conformance` relies on; nobody else sees it.
#[test]
fn fixtures_of_the_conformance_suite_are_served_on_demand() {
    let repo = Repo::new("//- /a.rs\nfn alpha() {}\n");
    let ask = |server: &Server, method: &str, name: &str, mut params: Value| {
        params = stateless(params);
        params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({ "elicitation": {} });
        let headers = [
            ("MCP-Protocol-Version", "2026-07-28"),
            ("Mcp-Method", method),
            ("Mcp-Name", name),
        ];
        let (_, _, body) = server.post(&headers, &request(method, params));
        message(&body)
    };
    let greet = "test_input_required_result_elicitation";
    let simple = "test_simple_text";
    let server = Server::start_with(&repo, &["--conformance-fixtures"]);
    let cases = [
        (
            "tools/call",
            simple,
            json!({ "name": simple }),
            "/result/content/0/type",
            json!("text"),
        ),
        (
            "tools/call",
            "find_symbol",
            json!({ "name": "find_symbol", "arguments": { "name": "alpha" } }),
            "/result/structuredContent/total",
            json!(1),
        ),
        (
            "tools/call",
            greet,
            json!({ "name": greet }),
            "/result/inputRequests/user_name/method",
            json!("elicitation/create"),
        ),
        (
            "tools/call",
            greet,
            json!({ "name": greet, "inputResponses": { "user_name": { "action": "accept" } } }),
            "/result/resultType",
            json!("complete"),
        ),
        (
            "prompts/get",
            "test_prompt_with_arguments",
            json!({ "name": "test_prompt_with_arguments", "arguments": { "arg1": "x", "arg2": "y" } }),
            "/result/messages/0/content/text",
            json!("Prompt with arguments: arg1='x', arg2='y'"),
        ),
        (
            "resources/read",
            "test://template/7/data",
            json!({ "uri": "test://template/7/data" }),
            "/result/contents/0/uri",
            json!("test://template/7/data"),
        ),
    ];
    for (method, name, params, pointer, expected) in cases {
        let answer = ask(&server, method, name, params);
        assert_eq!(answer.pointer(pointer), Some(&expected), "{name}: {answer}");
    }
    let plain = Server::start(&repo);
    let answer = ask(&plain, "tools/call", simple, json!({ "name": simple }));
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
}

/// All are answered, and the server is as small afterwards as it was before.
#[test]
fn two_hundred_clients_at_once() {
    let repo = Repo::new("//- /a.rs\nfn alpha() { beta() }\nfn beta() {}\n");
    let server = Server::start(&repo);
    let ask = |server: &Server, tool: &str, arguments: Value| {
        let headers = [
            ("MCP-Protocol-Version", "2026-07-28"),
            ("Mcp-Method", "tools/call"),
            ("Mcp-Name", tool),
        ];
        let params = stateless(json!({ "name": tool, "arguments": arguments }));
        let (status, _, body) = server.post(&headers, &request("tools/call", params));
        assert_eq!(status, 200, "{body}");
        message(&body)["result"]["structuredContent"]["total"].clone()
    };
    assert_eq!(ask(&server, "find_symbol", json!({ "name": "alpha" })), 1);
    let silent: Vec<TcpStream> = (0..300).map(|_| TcpStream::connect(server.addr).unwrap()).collect();
    std::thread::scope(|scope| {
        for number in 0..200 {
            let (server, ask) = (&server, &ask);
            scope.spawn(move || {
                for _ in 0..scale() {
                    let found = match number % 3 {
                        0 => ask(server, "search_code", json!({ "query": "alpha", "mode": "keyword" })),
                        1 => ask(server, "find_symbol", json!({ "name": "alpha" })),
                        _ => ask(server, "grep", json!({ "pattern": "fn alpha" })),
                    };
                    assert_eq!(found, 1, "{number}");
                }
            });
        }
    });
    drop(silent);
    assert_eq!(ask(&server, "find_symbol", json!({ "name": "beta" })), 1);
    #[cfg(target_os = "linux")]
    {
        let status = std::fs::read_to_string(format!("/proc/{}/status", server.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let peak: u64 = line
            .and_then(|line| line.trim().strip_suffix(" kB")?.parse().ok())
            .unwrap();
        assert!(peak < 400_000, "{peak} kB");
    }
}
