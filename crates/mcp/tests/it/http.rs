//! Requests in, responses out, over real sockets.

use std::{
    net::SocketAddr,
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use mcp::{HttpLimits, HttpOptions};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    sync::oneshot,
    task::JoinHandle,
    time::timeout,
};

use crate::fake::{Fake, IDENTITY, eventually};

const TOKEN: &str = "correct-horse";
const MAX_BODY: usize = 64 * 1024;

struct Server {
    addr: SocketAddr,
    tools: Arc<Fake>,
    serving: JoinHandle<()>,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

impl Server {
    async fn start(token: Option<&str>) -> Server {
        let limits = HttpLimits {
            max_body_bytes: MAX_BODY,
            ..HttpLimits::default()
        };
        Server::start_with(token, limits).await
    }

    async fn start_with(token: Option<&str>, limits: HttpLimits) -> Server {
        let tools = Arc::new(Fake::default());
        let options = HttpOptions {
            addr: ([127, 0, 0, 1], 0).into(),
            token: token.map(str::to_owned),
            allowed_hosts: vec!["code.example".to_owned(), "port.example:8443".to_owned()],
            allowed_origins: vec!["https://code.example".to_owned()],
            limits,
            conformance_fixtures: false,
        };
        let (bound, addr) = oneshot::channel();
        let shared = tools.clone();
        let serving = tokio::spawn(async move {
            let on_bound = |addr| bound.send(addr).unwrap();
            mcp::serve_http(shared, IDENTITY, options, on_bound).await.unwrap();
        });
        Server {
            addr: addr.await.unwrap(),
            tools,
            serving,
        }
    }

    async fn send(&self, request: &str) -> Response {
        rest_of(self.visit(request).await).await
    }

    /// A connection on which this much was said.
    async fn visit(&self, said: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.addr).await.unwrap();
        stream.write_all(said.as_bytes()).await.unwrap();
        stream
    }

    async fn post(&self, headers: &str, message: &Value) -> Response {
        self.send(&post(headers, &message.to_string())).await
    }
}

/// All that still comes, until the server hangs up.
async fn rest_of(mut stream: TcpStream) -> Response {
    let mut answer = Vec::new();
    let read = timeout(Duration::from_secs(10), stream.read_to_end(&mut answer)).await;
    read.expect("a response in time").unwrap();
    Response(String::from_utf8(answer).unwrap())
}

struct Response(String);

impl Response {
    fn status(&self) -> u16 {
        self.0
            .split(' ')
            .nth(1)
            .and_then(|status| status.parse().ok())
            .expect("a status line")
    }

    fn header(&self, name: &str) -> Option<&str> {
        let head = self.0.split("\r\n\r\n").next()?;
        let mut lines = head.lines().filter_map(|line| line.split_once(": "));
        lines
            .find(|(given, _)| given.eq_ignore_ascii_case(name))
            .map(|(_, value)| value)
    }

    fn json(&self) -> Value {
        let body = self.0.split_once("\r\n\r\n").expect("a body").1;
        serde_json::from_str(body).expect("JSON")
    }
}

const STATELESS: &str = "MCP-Protocol-Version: 2026-07-28\r\n";

fn post(headers: &str, body: &str) -> String {
    let host = if headers.contains("Host:") {
        ""
    } else {
        "Host: localhost\r\n"
    };
    let content_type = if headers.contains("Content-Type:") {
        ""
    } else {
        "Content-Type: application/json; charset=utf-8\r\n"
    };
    format!(
        "POST /mcp HTTP/1.1\r\n{host}{content_type}{headers}Accept: application/json, text/event-stream\r\n\
         Connection: close\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
}

fn discover() -> Value {
    stateless("server/discover", json!({}))
}

fn stateless(method: &str, mut params: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params })
}

fn with_method(method: &str) -> String {
    format!("{STATELESS}Mcp-Method: {method}\r\n")
}

#[tokio::test]
async fn the_host_must_be_this_machine_or_allowed() {
    let server = Server::start(None).await;
    let cases = [
        ("localhost", 200),
        ("LocalHost:8080", 200),
        ("127.0.0.1", 200),
        ("127.8.8.8:1", 200),
        ("[::1]:9", 200),
        ("code.example", 200),
        ("code.example:9", 200),
        ("port.example:8443", 200),
        ("port.example", 403),
        ("port.example:8444", 403),
        ("evil.example", 403),
        ("localhost.evil.example", 403),
        ("127.0.0.1.evil.example", 403),
        ("192.168.1.1", 403),
        ("0.0.0.0", 403),
        ("evil.example@localhost", 403),
        ("", 403),
        ("localhost\r\nHost: evil.example", 403),
    ];
    for (host, status) in cases {
        let headers = format!("Host: {host}\r\n{}", with_method("server/discover"));
        let response = server.post(&headers, &discover()).await;
        assert_eq!(response.status(), status, "{host}: {}", response.0);
    }
}

#[tokio::test]
async fn the_origin_must_be_this_machine_or_allowed() {
    let server = Server::start(None).await;
    let cases = [
        ("http://localhost:3000", 200),
        ("https://127.0.0.1", 200),
        ("http://[::1]:5173", 200),
        ("https://code.example", 200),
        ("http://code.example", 403),
        ("https://code.example:444", 403),
        ("http://evil.example", 403),
        ("http://localhost.evil.example", 403),
        ("null", 403),
        ("localhost", 403),
        ("file://localhost", 403),
        ("", 403),
    ];
    for (origin, status) in cases {
        let headers = format!("Origin: {origin}\r\n{}", with_method("server/discover"));
        let response = server.post(&headers, &discover()).await;
        assert_eq!(response.status(), status, "{origin}: {}", response.0);
        assert!(response.header("access-control-allow-origin").is_none());
    }
}

#[tokio::test]
async fn a_token_is_asked_for_after_host_and_origin_and_before_all_else() {
    let server = Server::start(Some(TOKEN)).await;
    let with = |headers: &str| format!("{headers}{}", with_method("server/discover"));
    for headers in [
        "",
        "Authorization: Bearer wrong\r\n",
        "Authorization: Basic correct-horse\r\n",
    ] {
        let response = server.post(&with(headers), &discover()).await;
        assert_eq!(response.status(), 401);
        assert!(response.header("www-authenticate").unwrap().starts_with("Bearer"));
    }
    let token = format!("Authorization: bearer {TOKEN}\r\n");
    assert_eq!(server.post(&with(&token), &discover()).await.status(), 200);
    assert_eq!(
        server
            .post(&with(&format!("Host: evil.example\r\n{token}")), &discover())
            .await
            .status(),
        403
    );
    assert_eq!(server.post("Origin: null\r\n", &discover()).await.status(), 403);
    assert_eq!(
        server.send(&post("Content-Type: text/plain\r\n", "")).await.status(),
        401
    );
    let elsewhere = "GET /admin HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    assert_eq!(server.send(elsewhere).await.status(), 401);
}

#[tokio::test]
async fn what_is_not_a_message_does_not_get_in() {
    let server = Server::start(None).await;
    for method in ["PUT", "OPTIONS", "PATCH", "HEAD"] {
        let request = format!("{method} /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        let response = server.send(&request).await;
        assert_eq!(
            (response.status(), response.header("allow")),
            (405, Some("GET, POST, DELETE")),
            "{method}"
        );
    }
    let elsewhere = "GET /other HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    assert_eq!(server.send(elsewhere).await.status(), 404);
    for content_type in ["text/plain", "application/jsonp", "application/x-www-form-urlencoded"] {
        let request = post(&format!("Content-Type: {content_type}\r\n"), "{}");
        assert_eq!(server.send(&request).await.status(), 415);
    }
    for (body, code) in [("{", -32700), ("", -32600), ("[]", -32600), (r#"{"id":1}"#, -32600)] {
        let response = server.send(&post("", body)).await;
        assert_eq!(
            (response.status(), &response.json()["error"]["code"]),
            (400, &json!(code)),
            "{body}"
        );
    }
}

#[tokio::test]
async fn bodies_are_bounded_announced_or_not() {
    let server = Server::start(None).await;
    let head = post("", "").replace("Content-Length: 0", &format!("Content-Length: {}", MAX_BODY + 1));
    assert_eq!(server.send(&head).await.status(), 413);
    let chunk = "x".repeat(MAX_BODY / 2);
    let chunked = format!("{:x}\r\n{chunk}\r\n", chunk.len()).repeat(3);
    let head = post("", "").replace("Content-Length: 0", "Transfer-Encoding: chunked");
    assert_eq!(server.send(&format!("{head}{chunked}0\r\n\r\n")).await.status(), 413);
}

#[tokio::test]
async fn the_stateless_protocol_is_served() {
    let server = Server::start(None).await;
    let found = server.post(&with_method("server/discover"), &discover()).await.json();
    assert_eq!(found["result"]["instructions"], "Ask away.");
    let list = server
        .post(&with_method("tools/list"), &stateless("tools/list", json!({})))
        .await
        .json();
    assert_eq!(list["result"]["tools"][0]["name"], "echo");
    assert!(list["result"]["ttlMs"].is_u64());
    let headers = format!("{}Mcp-Name: echo\r\n", with_method("tools/call"));
    let call = stateless("tools/call", json!({ "name": "echo", "arguments": { "a": 1 } }));
    let answer = server.post(&headers, &call).await;
    assert_eq!(answer.header("content-type"), Some("application/json"));
    assert_eq!(answer.json()["result"]["structuredContent"], json!({ "a": 1 }));
    let response = server
        .post(&with_method("no/such"), &stateless("no/such", json!({})))
        .await;
    assert_eq!(
        (response.status(), &response.json()["error"]["code"]),
        (404, &json!(-32601))
    );
}

#[tokio::test]
async fn older_protocol_versions_get_a_session() {
    let server = Server::start(None).await;
    let params = json!({
        "protocolVersion": "2025-11-25",
        "capabilities": { "roots": {} },
        "clientInfo": { "name": "test", "version": "1" },
    });
    let hello = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params });
    let response = server.post("", &hello).await;
    assert_eq!(response.status(), 200);
    assert!(response.0.contains("\"name\":\"portolan\""), "{}", response.0);
    let session = response.header("mcp-session-id").expect("a session");
    let headers = format!("Mcp-Session-Id: {session}\r\nMCP-Protocol-Version: 2025-11-25\r\n");
    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" });
    let response = server.post(&headers, &ping).await;
    assert!(response.0.contains("\"id\":1,\"result\":{}"), "{}", response.0);
    let stale = headers.replace(session, "made-up");
    assert_eq!(server.post(&stale, &ping).await.status(), 404);
}

#[tokio::test]
async fn a_client_that_hangs_up_cancels_its_call() {
    let server = Server::start(None).await;
    let headers = format!("{}Mcp-Name: wait\r\n", with_method("tools/call"));
    let call = stateless("tools/call", json!({ "name": "wait" }));
    let mut stream = TcpStream::connect(server.addr).await.unwrap();
    stream
        .write_all(post(&headers, &call.to_string()).as_bytes())
        .await
        .unwrap();
    eventually("the call starts", || server.tools.started.load(Ordering::Relaxed) == 1).await;
    drop(stream);
    eventually("the call gives up", || {
        server.tools.gave_up.load(Ordering::Relaxed) == 1
    })
    .await;
}

/// Whoever sends slowly, or nothing at all, is not waited for.
#[tokio::test]
async fn slow_heads_and_bodies_are_given_up() {
    let limits = HttpLimits {
        head_timeout: Duration::from_millis(200),
        body_timeout: Duration::from_millis(200),
        ..HttpLimits::default()
    };
    let server = Server::start_with(Some(TOKEN), limits).await;
    let token = format!("Authorization: Bearer {TOKEN}\r\n{}", with_method("server/discover"));
    let whole = post(&token, &discover().to_string());
    let half = &whole[..whole.len() - 20];
    let kept_open = whole.replace("Connection: close\r\n", "");
    for (said, status) in [
        ("", None),
        ("POST /mcp HTTP/1.1\r\nHost: local", None),
        (half, Some(408)),
        (&kept_open, Some(200)),
    ] {
        let answer = rest_of(server.visit(said).await).await;
        let got = (!answer.0.is_empty()).then(|| answer.status());
        assert_eq!(got, status, "{said:?}: {}", answer.0);
    }
    // Without the token nothing is waited for at all.
    let stranger = half.replace(TOKEN, "wrong");
    assert_eq!(server.send(&stranger).await.status(), 401);
}

#[tokio::test]
async fn silent_connections_make_room() {
    let limits = HttpLimits {
        max_connections: 8,
        ..HttpLimits::default()
    };
    let server = Server::start_with(None, limits).await;
    let headers = format!("{}Mcp-Name: wait\r\n", with_method("tools/call"));
    let call = stateless("tools/call", json!({ "name": "wait" }));
    let waiting = server.visit(&post(&headers, &call.to_string())).await;
    eventually("the call starts", || server.tools.started.load(Ordering::Relaxed) == 1).await;
    let mut silent = Vec::new();
    for number in 0..100 {
        silent.push(server.visit(["", "POST /mcp HTTP/1.1\r\n"][number % 2]).await);
        if number % 10 == 9 {
            let response = server.post(&with_method("server/discover"), &discover()).await;
            assert_eq!(response.status(), 200, "{}", response.0);
        }
    }
    // Who has asked is not among them.
    server.tools.release.store(true, Ordering::Relaxed);
    assert_eq!(rest_of(waiting).await.status(), 200);
}

/// What a browser sends for the explorer, on a connection that it keeps.
const PAGE: &str = "GET /explorer.css HTTP/1.1\r\nHost: localhost\r\n\r\n";

/// Reads one whole answer with a `Content-Length`, and leaves the connection open. Nothing if the server has hung up.
async fn next_answer(stream: &mut TcpStream) -> Option<Response> {
    let mut answer = Vec::new();
    let whole = |answer: &[u8]| {
        let text = std::str::from_utf8(answer).ok()?;
        let (head, body) = text.split_once("\r\n\r\n")?;
        let mut lengths = head.lines().filter_map(|line| line.split_once(": "));
        let length = lengths.find(|(name, _)| name.eq_ignore_ascii_case("content-length"));
        (body.len() >= length.expect("a length").1.parse().expect("a number")).then(|| text.to_owned())
    };
    loop {
        if let Some(text) = whole(&answer) {
            return Some(Response(text));
        }
        if stream.read_buf(&mut answer).await.unwrap_or(0) == 0 {
            return None;
        }
    }
}

/// Pages need no token, so whoever asks for them has shown none.
#[tokio::test]
async fn connections_without_a_token_make_room_whatever_they_ask() {
    let limits = HttpLimits {
        max_connections: 8,
        // None ends by itself here.
        authentication_timeout: Duration::from_secs(3600),
        head_timeout: Duration::from_secs(3600),
        ..HttpLimits::default()
    };
    let server = Server::start_with(Some(TOKEN), limits).await;
    let token = format!("Authorization: Bearer {TOKEN}\r\n{}", with_method("server/discover"));
    let kept = post(&token, &discover().to_string()).replace("Connection: close\r\n", "");
    // The oldest of all, but one with the token.
    let mut client = server.visit(&kept).await;
    assert_eq!(next_answer(&mut client).await.unwrap().status(), 200);
    let mut strangers = Vec::new();
    for number in 0..20 {
        let mut stranger = server.visit(PAGE).await;
        assert_eq!(next_answer(&mut stranger).await.unwrap().status(), 200, "{number}");
        strangers.push(stranger);
    }
    assert_eq!(server.post(&token, &discover()).await.status(), 200);
    client.write_all(kept.as_bytes()).await.unwrap();
    assert_eq!(next_answer(&mut client).await.unwrap().status(), 200);
    // The newest of the strangers are still there: no more were ended than there had to be.
    let newest = strangers.last_mut().unwrap();
    newest.write_all(PAGE.as_bytes()).await.unwrap();
    assert_eq!(next_answer(newest).await.unwrap().status(), 200);
    // The first of them is gone.
    assert!(next_answer(&mut strangers[0]).await.is_none());
}

#[tokio::test]
async fn a_connection_that_never_authenticates_ends() {
    let limits = HttpLimits {
        authentication_timeout: Duration::from_millis(100),
        head_timeout: Duration::from_secs(3600),
        ..HttpLimits::default()
    };
    let server = Server::start_with(Some(TOKEN), limits).await;
    let token = format!("Authorization: Bearer {TOKEN}\r\n{}", with_method("server/discover"));
    let kept = post(&token, &discover().to_string()).replace("Connection: close\r\n", "");
    let mut client = server.visit(&kept).await;
    assert_eq!(next_answer(&mut client).await.unwrap().status(), 200);
    let mut idle = server.visit(PAGE).await;
    let mut busy = server.visit("").await;
    // Both end without a word of the client: one rests after an answer, the other never stops asking.
    assert!(next_answer(&mut idle).await.is_some());
    assert!(next_answer(&mut idle).await.is_none());
    loop {
        if busy.write_all(PAGE.as_bytes()).await.is_err() || next_answer(&mut busy).await.is_none() {
            break;
        }
    }
    // One with the token outlives them.
    client.write_all(kept.as_bytes()).await.unwrap();
    assert_eq!(next_answer(&mut client).await.unwrap().status(), 200);
}

/// Clients of the older versions that leave without a word do not keep others out.
#[tokio::test]
async fn sessions_make_room() {
    let server = Server::start(None).await;
    let params = json!({
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": { "name": "test", "version": "1" },
    });
    let hello = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params });
    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" });
    let in_session = |session: &str| format!("Mcp-Session-Id: {session}\r\nMCP-Protocol-Version: 2025-11-25\r\n");
    let mut sessions: Vec<String> = Vec::new();
    for number in 0..300 {
        let response = server.post("", &hello).await;
        assert_eq!(response.status(), 200, "{number}: {}", response.0);
        sessions.push(response.header("mcp-session-id").expect("a session").to_owned());
        if number % 50 == 0 {
            // The first one stays in use.
            assert_eq!(server.post(&in_session(&sessions[0]), &ping).await.status(), 200);
        }
    }
    for (number, status) in [(0, 200), (1, 404), (20, 404), (299, 200)] {
        let response = server.post(&in_session(&sessions[number]), &ping).await;
        assert_eq!(response.status(), status, "{number}: {}", response.0);
    }
}
