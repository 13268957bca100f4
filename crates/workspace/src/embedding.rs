//! The model that makes vectors: which one is wanted, and whether it is there.

use std::{fmt, path::Path, str::FromStr, sync::Arc};

use embed::{Model, Vector};
use syntax::{ChunkOptions, Lang, file_facts};

use crate::snapshot::Snapshot;

/// No model that this build can use is larger.
const MAX_MODEL_BYTES: u64 = 1 << 30;

/// The setting `search.model`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ModelChoice {
    BuiltIn,
    /// Words only.
    None,
    /// A file, or the address of a server.
    Other(String),
}

impl FromStr for ModelChoice {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<ModelChoice, Self::Err> {
        Ok(match text {
            "" | "built-in" => ModelChoice::BuiltIn,
            "none" => ModelChoice::None,
            other => ModelChoice::Other(other.to_owned()),
        })
    }
}

impl fmt::Display for ModelChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ModelChoice::BuiltIn => "built-in",
            ModelChoice::None => "none",
            ModelChoice::Other(other) => other,
        })
    }
}

/// The model as it was found.
pub(crate) enum Embedding {
    Off,
    /// For the user: what is wrong with it.
    Failed(String),
    On(Arc<Model>),
}

impl Embedding {
    pub fn load(choice: &ModelChoice) -> Embedding {
        let loaded = match choice {
            ModelChoice::BuiltIn => return Embedding::On(Model::built_in().clone()),
            ModelChoice::None => return Embedding::Off,
            ModelChoice::Other(wanted) => load(wanted).map_err(|reason| format!("the model `{wanted}` {reason}")),
        };
        loaded.map_or_else(
            |reason| {
                tracing::warn!("{reason}; only words are searched");
                Embedding::Failed(reason)
            },
            |model| Embedding::On(Arc::new(model)),
        )
    }

    pub fn model(&self) -> Option<&Arc<Model>> {
        match self {
            Embedding::On(model) => Some(model),
            Embedding::Off | Embedding::Failed(_) => None,
        }
    }
}

fn load(wanted: &str) -> Result<Model, String> {
    if wanted.starts_with("http://") || wanted.starts_with("https://") {
        return Err("cannot be used: this build asks no servers".to_owned());
    }
    let path = Path::new(wanted);
    if path.extension().is_some_and(|extension| extension == "onnx") {
        return Err("cannot be used: this build has no ONNX runtime".to_owned());
    }
    if !path.is_absolute() {
        return Err("is neither `built-in`, `none` nor an absolute path".to_owned());
    }
    let read = || -> std::io::Result<Vec<u8>> {
        if std::fs::metadata(path)?.len() > MAX_MODEL_BYTES {
            return Err(std::io::ErrorKind::FileTooLarge.into());
        }
        std::fs::read(path)
    };
    let bytes = read().map_err(|error| format!("cannot be read: {error}"))?;
    Model::parse(bytes).map_err(|error| format!("cannot be used: {error}"))
}

/// Whether answers can come from vectors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VectorState {
    /// Switched off by `search.model = none`.
    Off,
    /// Wanted, and not to be had.
    Failed(String),
    /// Another process is at work that makes none; the next call sees to it.
    Pending,
    Ready {
        /// The model's id.
        model: String,
        chunks: u64,
    },
}

impl Snapshot {
    pub fn vectors(&self) -> VectorState {
        match (&*self.workspace.embedding, self.reader.vector_model()) {
            (Embedding::Off, _) => VectorState::Off,
            (Embedding::Failed(reason), _) => VectorState::Failed(reason.clone()),
            (Embedding::On(_), None) => VectorState::Pending,
            (Embedding::On(_), Some(model)) => VectorState::Ready {
                model: model.to_owned(),
                chunks: self.reader.vector_count(),
            },
        }
    }

    /// The vector of a question; `None` if there is no model.
    pub fn embed_query(&self, text: &str) -> Option<Vector> {
        Some(self.workspace.embedding.model()?.query(text))
    }

    /// The vector of a piece of code, made as those of chunks are; `None` if there is no model.
    pub fn embed_code(&self, code: &str, lang: &'static Lang) -> Option<Vector> {
        let model = self.workspace.embedding.model()?;
        // One chunk: what is asked about is one thing.
        let options = ChunkOptions {
            size: u32::try_from(code.len()).unwrap_or(u32::MAX).max(1),
            overlap: 0,
        };
        let facts = file_facts(lang, code, options);
        Some(model.code(&index::chunk_heads("", &facts, code).join(" "), code))
    }
}
