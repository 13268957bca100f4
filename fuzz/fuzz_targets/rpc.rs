//! Any bytes as the input of a server: it lives, writes nothing but JSON-RPC, and answers each request once.

#![no_main]

use std::{
    collections::BTreeMap,
    sync::{Arc, LazyLock},
    time::Duration,
};

use libfuzzer_sys::fuzz_target;
use mcp::Identity;
use serde_json::Value;
use tempfile::TempDir;
use test_fixture::Repo;
use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};
use tokio_util::sync::CancellationToken;
use tools::{Listing, Toolbox};
use config::{Config, Sources};
use workspace::Workspaces;

const IDENTITY: Identity = Identity {
    name: "portolan",
    title: "Portolan",
    version: "0",
    description: "Fuzzed.",
    website: None,
};

const PING: &str = r#"{"jsonrpc":"2.0","id":"last","method":"ping"}"#;

struct Fixture {
    _repo: Repo,
    _home: TempDir,
    toolbox: Arc<Toolbox>,
    runtime: tokio::runtime::Runtime,
}

static FIXTURE: LazyLock<Fixture> = LazyLock::new(|| {
    let repo = Repo::new("//- /a.rs\nfn alpha() { beta() }\nfn beta() {}\n//- /b.py\ndef alpha(): pass\n");
    let home = TempDir::with_prefix("home-").expect("a temporary directory can be made");
    let sources = Sources {
        default_home: home.path().to_owned(),
        ..Sources::default()
    };
    let config = Config::load(&sources).expect("the settings are valid");
    // The fuzzer must not have this machine indexed, nor its fixture changed.
    let workspaces = Workspaces::new(config, Some(repo.root()), false).confined();
    let listing = Listing::new("all", true, true).expect("the toolset exists");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    Fixture {
        _repo: repo,
        _home: home,
        toolbox: Arc::new(Toolbox::new(workspaces, listing)),
        runtime: runtime.expect("a runtime can be made"),
    }
});

fuzz_target!(|data: &[u8]| {
    let output = FIXTURE.runtime.block_on(served(data));
    let output = String::from_utf8(output).expect("answers are UTF-8");
    let mut answered: BTreeMap<String, u32> = BTreeMap::new();
    for line in output.lines() {
        let message: Value = serde_json::from_str(line).expect("answers are JSON");
        assert_eq!(message["jsonrpc"], "2.0", "{line}");
        if message.get("method").is_none() {
            assert!(
                message.get("result").is_some() != message.get("error").is_some(),
                "{line}"
            );
            *answered.entry(message["id"].to_string()).or_default() += 1;
        }
    }
    let (mut asked, mut cancels) = (BTreeMap::new(), false);
    for line in data.split(|byte| *byte == b'\n').chain([PING.as_bytes()]) {
        let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
        // The server takes a form feed for the end of a line's text, which JSON does not.
        let Ok(Value::Object(message)) = serde_json::from_slice(line.trim_ascii()) else {
            continue;
        };
        let method = message.get("method");
        cancels |= method.is_some_and(|method| method == "notifications/cancelled");
        // Never answer an answer.
        let is_answer = method.is_none() && (message.contains_key("result") || message.contains_key("error"));
        let id = message.get("id").filter(|id| id.is_i64() || id.is_string());
        if let Some(id) = id.filter(|_| !is_answer) {
            *asked.entry(id.to_string()).or_insert(0u32) += 1;
        }
    }
    for (id, times) in asked {
        let answers = answered.get(&id).copied().unwrap_or(0);
        // Whoever cancels gets no answer, or one that was on its way.
        assert!(
            answers == times || cancels && answers <= times,
            "{id}: asked {times} times, answered {answers}: {output}"
        );
    }
});

/// What the server writes until it ends by itself.
async fn served(data: &[u8]) -> Vec<u8> {
    let (mut to_server, input) = duplex(1 << 16);
    let (output, mut from_server) = duplex(1 << 16);
    let stop = CancellationToken::new();
    let server = mcp::serve_streams(
        FIXTURE.toolbox.clone(),
        IDENTITY,
        Box::new(input),
        Box::new(output),
        stop,
    );
    let server = tokio::spawn(server);
    let data = data.to_owned();
    let client = tokio::spawn(async move {
        for bytes in [data.as_slice(), b"\n", PING.as_bytes(), b"\n"] {
            to_server.write_all(bytes).await.expect("the server reads to the end");
        }
    });
    let mut written = Vec::new();
    let read = from_server.read_to_end(&mut written);
    let ended = tokio::time::timeout(Duration::from_secs(15), read).await;
    ended.expect("the server ends").expect("its output can be read");
    client.await.expect("the client has said everything");
    server.await.expect("the server ends well");
    written
}
