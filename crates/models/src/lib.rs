//! Models that are not part of the binary: a server with OpenAI's interface, or an ONNX file with its tokenizer.
//!
//! They are slow next to the built-in one, and a server may not be there: whoever uses one must be able to wait, to stop,
//! and to do without. This is the only crate that speaks to a server, and it speaks only to the one that it is given.

#[cfg(feature = "endpoint")]
mod endpoint;
#[cfg(feature = "onnx")]
mod onnx;

use std::{fmt, path::Path, sync::Arc, sync::atomic::AtomicBool, time::Duration};

use embed::Vector;

/// What is read of a text: longer ones are cut.
pub const MAX_TEXT_BYTES: usize = 4_000;

/// How long a question may take; its answer can do without.
pub const QUERY_TIMEOUT: Duration = Duration::from_secs(2);

/// A model that takes its time, and may fail.
pub trait Embedder: Send + Sync {
    /// Vectors of models with different ids cannot be compared; nor can those of different lengths.
    fn id(&self) -> &str;

    /// A vector for each text, all of one length. May take minutes, and ends early when told to stop.
    fn code(&self, texts: &[String], stop: &AtomicBool) -> Result<Vec<Vector>, Failure>;

    /// The vector of a question.
    fn query(&self, text: &str) -> Result<Vector, Failure>;
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    #[error("it was stopped")]
    Stopped,
    /// For the user, as what follows the model's name.
    #[error("{0}")]
    Because(String),
}

/// A key for a server. It is shown nowhere.
#[derive(Clone, PartialEq, Eq)]
pub struct Key(pub String);

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(..)")
    }
}

/// What a server is asked with.
#[derive(Debug, Clone, Default)]
pub struct Access {
    /// The model's name on the server.
    pub name: Option<String>,
    pub key: Option<Key>,
    /// The environment variable that the key is read from, for messages.
    pub key_from: String,
}

pub fn is_address(text: &str) -> bool {
    text.starts_with("http://") || text.starts_with("https://")
}

/// An address without what may be secret in it: who asks, and what stands behind the path.
pub fn shown_address(address: &str) -> String {
    let (scheme, rest) = address.split_once("://").unwrap_or(("", address));
    let (host, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let host = host.rsplit('@').next().unwrap_or(host);
    let path = path.split(['?', '#']).next().unwrap_or(path);
    format!("{scheme}://{host}{path}")
}

/// A server at `http(s)://host/v1`, or its whole address that ends in `/embeddings`. Nothing is asked yet.
#[cfg(feature = "endpoint")]
pub fn endpoint(address: &str, access: Access) -> Result<Arc<dyn Embedder>, Failure> {
    Ok(Arc::new(endpoint::Endpoint::new(address, access)?))
}

#[cfg(not(feature = "endpoint"))]
pub fn endpoint(_address: &str, _access: Access) -> Result<Arc<dyn Embedder>, Failure> {
    let reason = "cannot be used: this build asks no servers (it was made without the feature `endpoint`)";
    Err(Failure::Because(reason.to_owned()))
}

/// An ONNX file; its `tokenizer.json` is the one that is given, or lies next to it.
#[cfg(feature = "onnx")]
pub fn onnx(model: &Path, tokenizer: Option<&Path>) -> Result<Arc<dyn Embedder>, Failure> {
    Ok(Arc::new(onnx::Onnx::open(model, tokenizer)?))
}

#[cfg(not(feature = "onnx"))]
pub fn onnx(_model: &Path, _tokenizer: Option<&Path>) -> Result<Arc<dyn Embedder>, Failure> {
    let reason = "cannot be used: this build has no ONNX runtime (it was made without the feature `onnx`)";
    Err(Failure::Because(reason.to_owned()))
}

/// The beginning of a text that is read.
#[cfg(any(feature = "endpoint", feature = "onnx"))]
fn beginning(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}
