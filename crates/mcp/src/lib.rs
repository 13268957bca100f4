//! MCP over stdio and streamable HTTP.
//!
//! This is the only crate that names `rmcp`, and it knows nothing about how
//! the tools do their work: it lists them, runs them, and carries their answers. `rmcp`
//! supplies the message types, both lifecycles (`server/discover` with
//! per-request metadata, and `initialize`) and the HTTP sessions. Framing,
//! limits, cancellation and the HTTP defences are ours.
//!
//! In reading order: [`Tools`] is what is served, `server` answers the
//! protocol's requests, `calls` runs one tool call, `prompts` and `resources`
//! are tables over the same tools, `stdio` and `http` are the two transports,
//! `explorer` is a page for people on the latter.

mod calls;
mod conformance;
mod explorer;
mod guard;
mod http;
mod in_flight;
mod lines;
mod message;
mod prompts;
mod resources;
mod roots;
mod server;
mod signals;
mod stdio;
mod uri;

use std::{io, net::SocketAddr, path::PathBuf};

use serde_json::{Map, Value};
use tools::{Call, Outcome, ToolInfo, Toolbox, UnknownTool};

pub use crate::{
    http::{HttpLimits, HttpOptions, serve_http},
    stdio::{Input, Output, serve_stdio, serve_streams},
};

/// How the server introduces itself.
#[derive(Debug, Clone, Copy)]
pub struct Identity {
    pub name: &'static str,
    pub title: &'static str,
    pub version: &'static str,
    pub description: &'static str,
    pub website: Option<&'static str>,
}

/// What is served: a [`Toolbox`], or in tests a few tools that need no index.
///
/// A trait object rather than a type parameter, so that `rmcp`'s generics are
/// instantiated here, once, and not in the binary.
pub trait Tools: Send + Sync + 'static {
    fn listed(&self) -> Vec<ToolInfo>;
    fn instructions(&self) -> String;
    fn structured(&self) -> bool;
    /// A text about the tools, in the names that are listed.
    fn worded(&self, text: &str) -> String {
        text.to_owned()
    }
    fn set_client_roots(&self, roots: Vec<PathBuf>);
    fn has_explicit_root(&self) -> bool;
    fn call(&self, name: &str, arguments: Map<String, Value>, call: &Call) -> Result<Outcome, UnknownTool>;

    /// A tool by its own name and parameters, whatever is shown to clients instead.
    fn call_own(&self, name: &str, arguments: Map<String, Value>, call: &Call) -> Result<Outcome, UnknownTool> {
        self.call(name, arguments, call)
    }
}

impl Tools for Toolbox {
    fn listed(&self) -> Vec<ToolInfo> {
        self.listed()
    }

    fn instructions(&self) -> String {
        self.instructions()
    }

    fn worded(&self, text: &str) -> String {
        Toolbox::worded(self, text)
    }

    fn structured(&self) -> bool {
        self.structured()
    }

    fn set_client_roots(&self, roots: Vec<PathBuf>) {
        self.set_client_roots(roots);
    }

    fn has_explicit_root(&self) -> bool {
        self.has_explicit_root()
    }

    fn call(&self, name: &str, arguments: Map<String, Value>, call: &Call) -> Result<Outcome, UnknownTool> {
        self.call(name, arguments, call)
    }

    fn call_own(&self, name: &str, arguments: Map<String, Value>, call: &Call) -> Result<Outcome, UnknownTool> {
        self.call_own(name, arguments, call)
    }
}

/// Why serving could not start.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    #[error("failed to listen on {addr}")]
    Bind {
        addr: SocketAddr,
        #[source]
        source: io::Error,
    },
    #[error("failed to watch for termination signals")]
    Signals(#[source] io::Error),
}
