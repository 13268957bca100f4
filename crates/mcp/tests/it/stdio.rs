//! Lines in, lines out.

use std::{
    path::PathBuf,
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, duplex},
    task::JoinHandle,
    time::{Instant, timeout},
};
use tokio_util::sync::CancellationToken;

use crate::fake::{Fake, IDENTITY, eventually};

const PIPE_BYTES: usize = 64 * 1024;

struct Client {
    to_server: DuplexStream,
    from_server: Lines<BufReader<DuplexStream>>,
    server: JoinHandle<()>,
    stop: CancellationToken,
}

impl Client {
    fn of(tools: &Arc<Fake>) -> Client {
        let (to_server, input) = duplex(PIPE_BYTES);
        let (output, from_server) = duplex(PIPE_BYTES);
        let stop = CancellationToken::new();
        let serving = mcp::serve_streams(tools.clone(), IDENTITY, Box::new(input), Box::new(output), stop.clone());
        let from_server = BufReader::new(from_server).lines();
        Client {
            to_server,
            from_server,
            server: tokio::spawn(serving),
            stop,
        }
    }

    fn new() -> Client {
        Client::of(&Arc::new(Fake::default()))
    }

    /// A client that has shaken hands.
    async fn initialized(tools: &Arc<Fake>) -> Client {
        let mut client = Client::of(tools);
        let answer = client.ask(initialize("2025-11-25", json!({}))).await;
        assert_eq!(answer["result"]["protocolVersion"], "2025-11-25");
        client.tell("notifications/initialized", json!({})).await;
        client
    }

    async fn send_bytes(&mut self, bytes: &[u8]) {
        self.to_server.write_all(bytes).await.unwrap();
    }

    async fn send(&mut self, message: Value) {
        self.send_bytes(format!("{message}\n").as_bytes()).await;
    }

    async fn tell(&mut self, method: &str, params: Value) {
        self.send(json!({ "jsonrpc": "2.0", "method": method, "params": params }))
            .await;
    }

    async fn receive(&mut self) -> Value {
        let line = timeout(Duration::from_secs(10), self.from_server.next_line()).await;
        let line = line
            .expect("an answer in time")
            .unwrap()
            .expect("a line before the end");
        serde_json::from_str(&line).expect("nothing but JSON")
    }

    async fn ask(&mut self, message: Value) -> Value {
        self.send(message).await;
        self.receive().await
    }

    async fn call(&mut self, id: Value, tool: &str, arguments: Value) -> Value {
        self.ask(call(id, tool, arguments)).await
    }

    /// The server is up, and owes no other answer.
    async fn assert_alive(&mut self) {
        let answer = self
            .ask(json!({ "jsonrpc": "2.0", "id": "alive", "method": "ping" }))
            .await;
        assert_eq!(answer, json!({ "jsonrpc": "2.0", "id": "alive", "result": {} }));
    }

    /// Closes the input; returns what still comes, and how long it takes by the clock of the test.
    async fn end(self) -> (Vec<Value>, Duration) {
        let Client {
            to_server,
            mut from_server,
            server,
            ..
        } = self;
        let start = Instant::now();
        drop(to_server);
        let mut rest = Vec::new();
        while let Some(line) = from_server.next_line().await.unwrap() {
            rest.push(serde_json::from_str(&line).unwrap());
        }
        server.await.unwrap();
        (rest, start.elapsed())
    }
}

/// Lets every task run until it waits for something. Takes no time by the clock of the test.
async fn settle() {
    for _ in 0..1000 {
        tokio::task::yield_now().await;
    }
}

fn request(id: Value, method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

fn call(id: Value, tool: &str, arguments: Value) -> Value {
    request(id, "tools/call", json!({ "name": tool, "arguments": arguments }))
}

fn initialize(version: &str, capabilities: Value) -> Value {
    let client = json!({ "name": "test", "version": "1" });
    let params = json!({ "protocolVersion": version, "capabilities": capabilities, "clientInfo": client });
    request(json!(0), "initialize", params)
}

/// Parameters that carry their own context, as the stateless protocol has it.
fn stateless(mut params: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
    });
    params
}

fn capabilities() -> Value {
    json!({ "tools": {}, "prompts": {}, "resources": {}, "completions": {} })
}

fn error_of(answer: &Value) -> (i64, &str) {
    let error = &answer["error"];
    (
        error["code"].as_i64().expect("an error"),
        error["message"].as_str().expect("a message"),
    )
}

#[tokio::test]
async fn both_lifecycles_on_one_connection() {
    let mut client = Client::new();
    let probe = request(
        json!("server-discover-probe-1"),
        "server/discover",
        stateless(json!({})),
    );
    let found = client.ask(probe).await;
    assert_eq!(found["id"], "server-discover-probe-1");
    let versions = found["result"]["supportedVersions"].as_array().unwrap();
    assert_eq!(versions.last().unwrap(), "2026-07-28");
    assert_eq!(versions.len(), 5);
    assert_eq!(found["result"]["instructions"], "Ask away.");
    assert_eq!(found["result"]["capabilities"], capabilities());
    let server_info = &found["result"]["_meta"]["io.modelcontextprotocol/serverInfo"];
    assert_eq!(
        (&server_info["name"], &server_info["version"]),
        (&json!("portolan"), &json!("1.2.3"))
    );

    let hello = client.ask(initialize("2025-11-25", json!({}))).await;
    assert_eq!(hello["result"]["serverInfo"]["name"], "portolan");
    assert_eq!(hello["result"]["instructions"], "Ask away.");
    assert_eq!(hello["result"]["capabilities"], capabilities());
    client.tell("notifications/initialized", json!({})).await;

    let old = client.ask(request(json!(1), "tools/list", json!({}))).await;
    let new = client.ask(request(json!(2), "tools/list", stateless(json!({})))).await;
    assert_eq!(old["result"]["tools"], new["result"]["tools"]);
    assert_eq!(old["result"].as_object().unwrap().len(), 1, "{old}");
    assert_eq!(new["result"]["resultType"], "complete");
    assert_eq!(new["result"]["cacheScope"], "private");
    assert!(new["result"]["ttlMs"].is_u64());
    client.assert_alive().await;
}

#[tokio::test]
async fn old_versions_are_agreed_to_and_unknown_ones_are_not() {
    for version in ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] {
        let answer = Client::new().ask(initialize(version, json!({}))).await;
        assert_eq!(answer["result"]["protocolVersion"], version);
    }
    let answer = Client::new().ask(initialize("1999-01-01", json!({}))).await;
    assert_eq!(answer["result"]["protocolVersion"], "2025-11-25");
    let mut params = stateless(json!({}));
    params["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!("2099-01-01");
    let answer = Client::new().ask(request(json!(1), "tools/list", params)).await;
    assert_eq!(error_of(&answer).0, -32022);
}

/// As a shell pipeline asks, which does not wait for answers.
#[tokio::test]
async fn requests_right_behind_initialize_are_answered() {
    for round in 0..50 {
        let mut client = Client::new();
        let all = [
            initialize("2025-11-25", json!({})),
            json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
            request(json!(1), "tools/list", json!({})),
        ];
        let text: String = all.iter().map(|message| format!("{message}\n")).collect();
        client.send_bytes(text.as_bytes()).await;
        assert_eq!(
            client.receive().await["result"]["protocolVersion"],
            "2025-11-25",
            "round {round}"
        );
        let answer = client.receive().await;
        assert!(answer["result"]["tools"].is_array(), "round {round}: {answer}");
    }
}

#[tokio::test]
async fn messages_before_initialize_do_no_harm() {
    let mut client = Client::new();
    client.tell("notifications/initialized", json!({})).await;
    client.tell("notifications/cancelled", json!({ "requestId": 5 })).await;
    client.send(json!({ "jsonrpc": "2.0", "id": 9, "result": {} })).await;
    let answer = client.ask(request(json!(1), "tools/list", json!({}))).await;
    assert_eq!(error_of(&answer).0, -32602);
    let answer = client.call(json!(2), "echo", json!({})).await;
    assert_eq!(error_of(&answer).0, -32602);
    client.assert_alive().await;
    let hello = client.ask(initialize("2025-06-18", json!({}))).await;
    assert_eq!(hello["result"]["protocolVersion"], "2025-06-18");
    let answer = client.call(json!(3), "echo", json!({})).await;
    assert_eq!(answer["result"]["isError"], false);
}

#[tokio::test]
async fn every_bad_line_is_answered_and_survived() {
    let deep = "[".repeat(100_000);
    let cases: [(&[u8], i64, Value); 17] = [
        (b"hello", -32700, Value::Null),
        (b"{\"jsonrpc\":\"2.0\",", -32700, Value::Null),
        (b"\xff\xfe{}", -32700, Value::Null),
        (
            b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}",
            -32700,
            Value::Null,
        ),
        (deep.as_bytes(), -32700, Value::Null),
        (b"[]", -32600, Value::Null),
        (br#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, -32600, Value::Null),
        (b"7", -32600, Value::Null),
        (b"{}", -32600, Value::Null),
        (br#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600, Value::Null),
        (br#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, -32600, Value::Null),
        (br#"{"jsonrpc":"2.0","id":[1],"method":"ping"}"#, -32600, Value::Null),
        (br#"{"jsonrpc":"1.0","id":4,"method":"ping"}"#, -32600, json!(4)),
        (br#"{"jsonrpc":"2.0","id":"a"}"#, -32600, json!("a")),
        (br#"{"jsonrpc":"2.0","id":5,"method":7}"#, -32600, json!(5)),
        (
            br#"{"jsonrpc":"2.0","id":6,"method":"ping","result":{}}"#,
            -32600,
            json!(6),
        ),
        (
            br#"{"jsonrpc":"2.0","id":7,"method":"ping","params":[1]}"#,
            -32602,
            json!(7),
        ),
    ];
    let mut client = Client::initialized(&Arc::default()).await;
    for (line, code, id) in cases {
        client.send_bytes(line).await;
        client.send_bytes(b"\n").await;
        let answer = client.receive().await;
        let line = String::from_utf8_lossy(&line[..line.len().min(80)]);
        assert_eq!(error_of(&answer).0, code, "{line}");
        assert_eq!(answer.as_object().unwrap().get("id"), Some(&id), "{line}");
    }
    client.assert_alive().await;
}

#[tokio::test]
async fn halves_of_characters_are_replaced() {
    let mut client = Client::initialized(&Arc::default()).await;
    let asked = br#"{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"echo","arguments":{"a":"x\ud83d","b":"\ude00\\ud83d \ud83d\ude00"}}}"#;
    client.send_bytes(asked).await;
    client.send_bytes(b"\n").await;
    let answer = client.receive().await;
    assert_eq!(answer["id"], 8);
    assert_eq!(
        answer["result"]["structuredContent"],
        json!({ "a": "x\u{fffd}", "b": "\u{fffd}\\ud83d \u{1f600}" })
    );
}

#[tokio::test]
async fn blank_lines_carriage_returns_and_strange_notifications_are_fine() {
    let mut client = Client::initialized(&Arc::default()).await;
    client.send_bytes(b"\n\r\n   \n").await;
    client.tell("notifications/unheard_of", json!({})).await;
    client.tell("$/lsp", json!({})).await;
    client
        .send_bytes(b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":3}\n")
        .await;
    client
        .send_bytes(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":null}\r\n")
        .await;
    assert_eq!(
        client.receive().await,
        json!({ "jsonrpc": "2.0", "id": 1, "result": {} })
    );
}

#[tokio::test]
async fn a_line_over_the_limit_is_refused_once_and_skipped() {
    let mut client = Client::initialized(&Arc::default()).await;
    let chunk = vec![b'x'; 1024 * 1024];
    for _ in 0..17 {
        client.send_bytes(&chunk).await;
    }
    // The refusal does not wait for the end of the line.
    let answer = client.receive().await;
    assert_eq!(error_of(&answer).0, -32600);
    assert_eq!(answer["id"], Value::Null);
    client.send_bytes(&chunk).await;
    client.send_bytes(b"\n").await;
    client.assert_alive().await;
}

#[tokio::test]
async fn methods_and_parameters_that_do_not_exist() {
    let mut client = Client::initialized(&Arc::default()).await;
    let answer = client.ask(request(json!(1), "tools/destroy", json!({}))).await;
    assert_eq!(error_of(&answer).0, -32601);
    for params in [
        json!({}),
        json!({ "name": 7 }),
        json!({ "name": "echo", "arguments": "text" }),
    ] {
        let answer = client.ask(request(json!(2), "tools/call", params)).await;
        assert_eq!(error_of(&answer).0, -32602, "{answer}");
    }
    let answer = client
        .ask(json!({ "jsonrpc": "2.0", "id": 3, "method": "tools/call" }))
        .await;
    assert_eq!(error_of(&answer).0, -32602);
    let answer = client.call(json!(4), "eco", json!({})).await;
    let (code, message) = error_of(&answer);
    assert_eq!(code, -32602);
    assert!(message.contains("`eco`") && message.contains("`echo`"), "{message}");
    let answer = client
        .ask(request(json!(5), "tools/list", json!({ "cursor": "next" })))
        .await;
    assert_eq!(error_of(&answer).0, -32602);
    let answer = client
        .ask(request(json!(6), "logging/setLevel", json!({ "level": "debug" })))
        .await;
    assert_eq!(error_of(&answer).0, -32601);
}

#[tokio::test]
async fn the_list_says_all_there_is_to_a_tool() {
    let mut client = Client::initialized(&Arc::default()).await;
    let answer = client
        .ask(json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" }))
        .await;
    let listed = answer["result"]["tools"].as_array().unwrap();
    let names: Vec<_> = listed.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["echo", "wait", "report", "fail", "panic", "large"]);
    let expected = json!({
        "name": "echo",
        "description": "Does what its name says.",
        "inputSchema": { "type": "object" },
        "outputSchema": { "type": "object" },
        "annotations": { "readOnlyHint": true, "openWorldHint": false },
        "_meta": { "anthropic/alwaysLoad": true },
    });
    assert_eq!(listed[0], expected);
    assert!(listed[1].get("_meta").is_none());
    let writes =
        json!({ "readOnlyHint": false, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false });
    assert_eq!(listed[1]["annotations"], writes);
}

#[tokio::test]
async fn answers_carry_text_structure_and_time() {
    let mut client = Client::initialized(&Arc::default()).await;
    let answer = client.call(json!("c"), "echo", json!({ "a": 1 })).await;
    let expected = json!({
        "content": [{ "type": "text", "text": "{\"a\":1}" }],
        "structuredContent": { "a": 1 },
        "isError": false,
        "_meta": { "portolan/elapsed_ms": 7 },
    });
    assert_eq!(answer["result"], expected);
    let answer = client.call(json!(2), "fail", json!({})).await;
    assert_eq!(answer["result"]["isError"], true);
    assert_eq!(answer["result"]["structuredContent"], json!({}));
    let answer = client
        .ask(request(json!(3), "tools/call", stateless(json!({ "name": "echo" }))))
        .await;
    assert_eq!(answer["result"]["resultType"], "complete");
    assert_eq!(
        answer["result"]["_meta"]["io.modelcontextprotocol/serverInfo"]["name"],
        "portolan"
    );
}

#[tokio::test]
async fn a_panic_is_one_failed_call() {
    let mut client = Client::initialized(&Arc::default()).await;
    let answer = client.call(json!(1), "panic", json!({})).await;
    assert_eq!(answer["result"]["isError"], true);
    client.assert_alive().await;
}

#[tokio::test]
async fn a_cancelled_call_stops_and_is_not_answered() {
    let tools = Arc::new(Fake::default());
    let mut client = Client::initialized(&tools).await;
    // More than run at once, so that some are cancelled while they wait.
    let ids = 1..=20;
    for id in ids.clone() {
        client.send(call(json!(id), "wait", json!({}))).await;
    }
    eventually("the first calls start", || tools.started.load(Ordering::Relaxed) == 16).await;
    // Those that wait go first, or they would start in the places of the others.
    for id in ids.rev() {
        client
            .tell(
                "notifications/cancelled",
                json!({ "requestId": id, "reason": "enough" }),
            )
            .await;
    }
    client
        .tell("notifications/cancelled", json!({ "requestId": "unknown" }))
        .await;
    client.assert_alive().await;
    eventually("every running call gives up", || {
        tools.gave_up.load(Ordering::Relaxed) == 16
    })
    .await;
    assert_eq!(tools.started.load(Ordering::Relaxed), 16);
    let (rest, _) = client.end().await;
    assert!(rest.is_empty(), "{rest:?}");
}

#[tokio::test]
async fn an_id_in_use_is_refused() {
    let tools = Arc::new(Fake::default());
    let mut client = Client::initialized(&tools).await;
    client.send(call(json!(1), "wait", json!({}))).await;
    let refused = client.call(json!(1), "echo", json!({})).await;
    assert_eq!((error_of(&refused).0, &refused["id"]), (-32600, &json!(1)));
    tools.release.store(true, Ordering::Relaxed);
    assert_eq!(client.receive().await["result"]["isError"], false);
    let again = client.call(json!(1), "echo", json!({})).await;
    assert_eq!(again["result"]["isError"], false);
}

#[tokio::test]
async fn progress_rises_keeps_its_pace_and_precedes_the_answer() {
    let mut client = Client::initialized(&Arc::default()).await;
    let mut asked = call(json!(1), "report", json!({}));
    asked["params"]["_meta"] = json!({ "progressToken": "p" });
    let start = Instant::now();
    client.send(asked).await;
    let mut steps = Vec::new();
    loop {
        let message = client.receive().await;
        if message.get("id").is_some() {
            break;
        }
        assert_eq!(message["method"], "notifications/progress");
        assert_eq!(message["params"]["progressToken"], "p");
        assert_eq!(message["params"]["total"], 9.0);
        steps.push(message["params"]["progress"].as_f64().unwrap());
    }
    assert_eq!(steps[0], 1.0);
    assert!(steps.is_sorted_by(|one, next| one < next), "{steps:?}");
    let at_most = 1 + start.elapsed().as_millis() / 100;
    assert!(steps.len() as u128 <= at_most, "{steps:?}");

    let silent = client.call(json!(2), "report", json!({})).await;
    assert_eq!(silent["id"], 2);
}

/// The clock stands as long as anything can be done, so that not a moment of the grace is waited for.
#[tokio::test(start_paused = true)]
async fn what_was_asked_before_the_end_is_answered() {
    let mut client = Client::new();
    client.send(initialize("2025-11-25", json!({}))).await;
    client.tell("notifications/initialized", json!({})).await;
    for id in 1..=50 {
        client.send(call(json!(id), "echo", json!({}))).await;
    }
    // The last line of a stream needs no newline.
    client
        .send_bytes(call(json!(51), "echo", json!({})).to_string().as_bytes())
        .await;
    let (answers, took) = client.end().await;
    let mut ids: Vec<_> = answers.iter().map(|answer| answer["id"].as_i64().unwrap()).collect();
    ids.sort_unstable();
    assert_eq!(ids, (0..=51).collect::<Vec<_>>());
    assert_eq!(took, Duration::ZERO);
}

/// The clock stands while a call runs: it is moved by hand.
#[tokio::test(start_paused = true)]
async fn a_call_that_does_not_end_cannot_hold_the_end_up() {
    const STEP: Duration = Duration::from_millis(100);
    let tools = Arc::new(Fake::default());
    let mut client = Client::initialized(&tools).await;
    client.send(call(json!(1), "wait", json!({}))).await;
    eventually("the call starts", || tools.started.load(Ordering::Relaxed) == 1).await;
    let ending = tokio::spawn(client.end());
    settle().await;
    assert!(!ending.is_finished(), "the call had no time to end");
    assert_eq!(tools.gave_up.load(Ordering::Relaxed), 0);
    let mut took = Duration::ZERO;
    while !ending.is_finished() {
        assert!(took < Duration::from_secs(3), "it does not end");
        tokio::time::advance(STEP).await;
        settle().await;
        took += STEP;
    }
    let (answers, _) = ending.await.unwrap();
    assert_eq!(error_of(&answers[0]).0, -32603);
    eventually("the call gives up", || tools.gave_up.load(Ordering::Relaxed) == 1).await;
}

#[tokio::test(start_paused = true)]
async fn a_client_that_does_not_read_is_made_to_wait() {
    const ASKED: usize = 2000;
    let tools = Arc::new(Fake::default());
    let Client {
        mut to_server,
        mut from_server,
        server,
        stop: _stop,
    } = Client::initialized(&tools).await;
    let asking = tokio::spawn(async move {
        for id in 0..ASKED {
            let line = format!("{}\n", call(json!(id), "large", json!({})));
            to_server.write_all(line.as_bytes()).await.unwrap();
        }
    });
    // The clock moves by itself only when no call runs and every task waits: then nothing goes on any more.
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert!(!asking.is_finished(), "the client is not made to wait");
    let started = tools.started.load(Ordering::Relaxed);
    assert!(
        (1..=300).contains(&started),
        "{started} calls ran for a client that reads nothing"
    );
    let mut answers = 0;
    while let Some(line) = from_server.next_line().await.unwrap() {
        answers += 1;
        assert!(line.starts_with('{') && line.len() > 20_000);
    }
    asking.await.unwrap();
    server.await.unwrap();
    assert_eq!(answers, ASKED);
}

#[tokio::test]
async fn a_closed_output_ends_the_server() {
    let mut client = Client::initialized(&Arc::default()).await;
    client.send(call(json!(1), "echo", json!({}))).await;
    drop(client.from_server);
    timeout(Duration::from_secs(5), client.server)
        .await
        .expect("it ends")
        .unwrap();
}

/// The clock stands while the call runs, so that nothing can wait for a time to pass.
#[tokio::test(start_paused = true)]
async fn stopping_is_immediate_and_cancels_the_calls() {
    let tools = Arc::new(Fake::default());
    let mut client = Client::initialized(&tools).await;
    client.send(call(json!(1), "wait", json!({}))).await;
    eventually("the call starts", || tools.started.load(Ordering::Relaxed) == 1).await;
    settle().await;
    assert!(!client.server.is_finished());
    client.stop.cancel();
    settle().await;
    assert!(client.server.is_finished(), "the server waits for something");
    client.server.await.unwrap();
    eventually("the call gives up", || tools.gave_up.load(Ordering::Relaxed) == 1).await;
}

#[tokio::test]
async fn the_client_is_asked_for_its_root() {
    let tools = Arc::new(Fake::default());
    let mut client = Client::of(&tools);
    client
        .ask(initialize("2025-11-25", json!({ "roots": { "listChanged": true } })))
        .await;
    client.tell("notifications/initialized", json!({})).await;
    let uris = [
        json!([{ "uri": "https://example.org/" }, { "uri": "file:///tmp/a%20b%C3%A9" }]),
        json!([{ "uri": "file://elsewhere/tmp" }, { "uri": "file:///bad%2" }, { "uri": "file://localhost/tmp/c" }]),
    ];
    for (n, roots) in uris.into_iter().enumerate() {
        let asked = client.receive().await;
        assert_eq!(asked["method"], "roots/list");
        // The question is open, and nothing waits for its answer.
        client.assert_alive().await;
        client
            .send(json!({ "jsonrpc": "2.0", "id": asked["id"], "result": { "roots": roots } }))
            .await;
        eventually("the root is adopted", || tools.roots.lock().unwrap().len() > n).await;
        client.tell("notifications/roots/list_changed", json!({})).await;
    }
    let expected = ["/tmp/a bé", "/tmp/c"].map(|root| vec![PathBuf::from(root)]);
    assert_eq!(*tools.roots.lock().unwrap(), expected);
}

#[tokio::test]
async fn the_first_question_is_about_the_clients_root() {
    for (method, params) in [
        ("tools/call", json!({ "name": "echo", "arguments": {} })),
        ("resources/read", json!({ "uri": "portolan://map" })),
    ] {
        let tools = Arc::new(Fake::default());
        let mut client = Client::of(&tools);
        client.ask(initialize("2025-11-25", json!({ "roots": {} }))).await;
        client.tell("notifications/initialized", json!({})).await;
        client
            .send(json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params }))
            .await;
        let asked = client.receive().await;
        assert_eq!(asked["method"], "roots/list");
        assert!(tools.roots.lock().unwrap().is_empty());
        let roots = json!({ "roots": [{ "uri": "file:///tmp/a" }] });
        client
            .send(json!({ "jsonrpc": "2.0", "id": asked["id"], "result": roots }))
            .await;
        assert_eq!(client.receive().await["id"], 7);
        assert_eq!(tools.roots.lock().unwrap().len(), 1);
    }
}

#[tokio::test]
async fn the_question_after_a_change_of_roots_is_about_the_new_ones() {
    let tools = Arc::new(Fake::default());
    let mut client = Client::of(&tools);
    client
        .ask(initialize("2025-11-25", json!({ "roots": { "listChanged": true } })))
        .await;
    client.tell("notifications/initialized", json!({})).await;
    for (id, roots) in [&["a"][..], &["b", "a"], &[], &["c"]].into_iter().enumerate() {
        if id > 0 {
            client.tell("notifications/roots/list_changed", json!({})).await;
        }
        client
            .send(json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": { "name": "echo", "arguments": {} } }))
            .await;
        let asked = client.receive().await;
        assert_eq!(asked["method"], "roots/list", "{id}: {asked}");
        let told: Vec<Value> = roots
            .iter()
            .map(|root| json!({ "uri": format!("file:///{root}") }))
            .collect();
        client
            .send(json!({ "jsonrpc": "2.0", "id": asked["id"], "result": { "roots": told } }))
            .await;
        assert_eq!(client.receive().await["id"], id);
        let expected: Vec<PathBuf> = roots.iter().map(|root| PathBuf::from(format!("/{root}"))).collect();
        assert_eq!(tools.roots.lock().unwrap().last(), Some(&expected));
    }
}

#[tokio::test]
async fn a_client_that_keeps_its_roots_to_itself_is_answered() {
    let tools = Arc::new(Fake::default());
    let mut client = Client::of(&tools);
    client.ask(initialize("2025-11-25", json!({ "roots": {} }))).await;
    client.tell("notifications/initialized", json!({})).await;
    assert_eq!(client.receive().await["method"], "roots/list");
    for id in [7, 8] {
        client
            .send(json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": { "name": "echo", "arguments": {} } }))
            .await;
        assert_eq!(client.receive().await["id"], id);
    }
}

#[tokio::test]
async fn roots_are_not_asked_for_without_need() {
    let tools = Arc::new(Fake {
        explicit_root: true,
        ..Fake::default()
    });
    let mut client = Client::of(&tools);
    client.ask(initialize("2025-11-25", json!({ "roots": {} }))).await;
    client.tell("notifications/initialized", json!({})).await;
    client.assert_alive().await;
    let (rest, _) = client.end().await;
    assert!(rest.is_empty(), "{rest:?}");
}
