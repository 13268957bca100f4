//! One file per tool, and the dispatcher that calls them.

use std::{
    path::PathBuf,
    sync::{Arc, atomic::AtomicBool},
    time::Duration,
};

use serde_json::{Map, Value};

/// Every tool over one set of workspaces.
pub struct Toolbox {}

impl Toolbox {
    /// The tools that `tools/list` shows, in the order an agent should read them.
    pub fn listed(&self) -> Vec<ToolInfo> {
        Vec::new()
    }

    /// What the server tells a client about itself on connecting.
    pub fn instructions(&self) -> String {
        String::new()
    }

    /// Whether results carry `structuredContent` next to the text.
    pub fn structured(&self) -> bool {
        true
    }

    /// The client's own root; used when the server was started without `--root`.
    pub fn set_client_root(&self, _root: PathBuf) {}

    /// True when `--root` was given, so that the client need not be asked for roots.
    pub fn has_explicit_root(&self) -> bool {
        false
    }

    /// Runs one tool. Blocking; never panics.
    pub fn call(&self, name: &str, _arguments: Map<String, Value>, _call: &Call) -> Result<Outcome, UnknownTool> {
        Err(UnknownTool {
            name: name.to_owned(),
            nearest: None,
        })
    }
}

/// What a listing says about one tool.
pub struct ToolInfo {
    pub name: &'static str,
    pub title: &'static str,
    pub description: &'static str,
    pub input_schema: Map<String, Value>,
    pub output_schema: Map<String, Value>,
    pub read_only: bool,
    pub destructive: bool,
    pub idempotent: bool,
    /// One of the few tools that a client with deferred loading should load at once.
    pub always_load: bool,
}

/// The caller's side of one call.
pub struct Call {
    pub cancelled: Arc<AtomicBool>,
    pub progress: Box<dyn Fn(Progress) + Send + Sync>,
}

#[derive(Debug, Clone)]
pub struct Progress {
    pub done: u64,
    pub total: Option<u64>,
    pub message: String,
}

/// What one call answered.
pub struct Outcome {
    pub text: String,
    pub structured: Value,
    pub is_error: bool,
    pub elapsed: Duration,
}

/// The one failure that is the protocol's business, not the tool's.
#[derive(Debug)]
pub struct UnknownTool {
    pub name: String,
    pub nearest: Option<String>,
}
