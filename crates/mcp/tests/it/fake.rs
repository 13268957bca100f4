//! Tools whose behaviour a test can foresee.

use std::{
    path::PathBuf,
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use mcp::{Identity, Tools};
use serde_json::{Map, Value, json};
use tools::{Call, Effect, ErrorCode, Outcome, Progress, ToolError, ToolInfo, Toolset, UnknownTool};

pub const IDENTITY: Identity = Identity {
    name: "portolan",
    title: "Portolan",
    version: "1.2.3",
    description: "Finds its way in code.",
    website: Some("https://portolan.example"),
};

#[derive(Default)]
pub struct Fake {
    pub explicit_root: bool,
    pub roots: Mutex<Vec<Vec<PathBuf>>>,
    /// Calls that have started.
    pub started: AtomicUsize,
    /// Calls that have found their flag set.
    pub gave_up: AtomicUsize,
    /// Lets the tool `wait` end by itself.
    pub release: AtomicBool,
}

impl Fake {
    fn wait(&self, call: &Call) {
        while !self.release.load(Ordering::Relaxed) {
            if call.cancelled.load(Ordering::Relaxed) {
                self.gave_up.fetch_add(1, Ordering::Relaxed);
                return;
            }
            thread::sleep(Duration::from_millis(1));
        }
    }
}

/// Reports that neither always advance nor keep the pace.
fn report(call: &Call) {
    let step = |done| {
        (call.progress)(Progress {
            done,
            total: Some(9),
            message: format!("step {done}"),
        });
        thread::sleep(Duration::from_millis(3));
    };
    [1, 1, 0, 2, 3, 4, 5, 4].into_iter().for_each(step);
    thread::sleep(Duration::from_millis(90));
    [8, 9].into_iter().for_each(step);
}

impl Tools for Fake {
    fn listed(&self) -> Vec<ToolInfo> {
        ["echo", "wait", "report", "fail", "panic", "large"]
            .into_iter()
            .map(|name| ToolInfo {
                name,
                title: "A tool",
                description: "Does what its name says.",
                input_schema: object(json!({ "type": "object" })),
                output_schema: object(json!({ "type": "object" })),
                listed_input: object(json!({ "type": "object" })),
                listed_output: object(json!({ "type": "object" })),
                toolset: Toolset::Core,
                effect: if name == "wait" {
                    Effect::WritesIndex
                } else {
                    Effect::Reads
                },
                always_load: name == "echo",
                example: "{}",
                cli: None,
                positional: &[],
                aliases: &[],
            })
            .collect()
    }

    fn instructions(&self) -> String {
        "Ask away.".to_owned()
    }

    fn structured(&self) -> bool {
        true
    }

    fn set_client_roots(&self, roots: Vec<PathBuf>) {
        self.roots.lock().unwrap().push(roots);
    }

    fn has_explicit_root(&self) -> bool {
        self.explicit_root
    }

    fn call(&self, name: &str, arguments: Map<String, Value>, call: &Call) -> Result<Outcome, UnknownTool> {
        self.started.fetch_add(1, Ordering::Relaxed);
        let mut text = Value::Object(arguments.clone()).to_string();
        match name {
            "echo" | "fail" => {}
            "wait" => self.wait(call),
            "report" => report(call),
            "panic" => panic!("a tool that panics"),
            "large" => text = "x".repeat(20_000),
            _ => {
                return Err(UnknownTool {
                    name: name.to_owned(),
                    nearest: Some("echo".to_owned()),
                });
            }
        }
        Ok(Outcome {
            text,
            structured: Value::Object(arguments),
            error: (name == "fail").then(|| ToolError::new(ErrorCode::Internal, "it fails", "call another")),
            protocol_error: false,
            elapsed: Duration::from_millis(7),
        })
    }
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(object) => object,
        _ => Map::new(),
    }
}

/// Waits until something is true that happens on another thread. Other tasks run meanwhile; the test's clock may stand.
pub async fn eventually(what: &str, mut condition: impl FnMut() -> bool) {
    for _ in 0..30_000 {
        if condition() {
            return;
        }
        tokio::task::yield_now().await;
        thread::sleep(Duration::from_millis(1));
    }
    panic!("never happened: {what}");
}
