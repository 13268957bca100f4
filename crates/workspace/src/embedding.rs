//! The model that makes vectors: which one is wanted, and whether it is there.

use std::{path::Path, sync::Arc};

use config::{Config, ModelChoice};
use embed::{Model, Vector};
use index::VectorSource;
use models::{Access, Embedder, Failure, is_address};
use refresh::model_text;
use syntax::{ChunkOptions, Lang, file_facts};

use crate::snapshot::IndexSnapshot;

/// No model that this build can use is larger.
const MAX_MODEL_BYTES: u64 = 1 << 30;

/// The model as it was found.
pub enum Embedding {
    Off,
    /// For the user: what is wrong with it.
    Failed(String),
    /// Quick and always there.
    On(Arc<Model>),
    /// Slow, or not always there: its vectors follow the index, see `Vectoring`.
    Later(Arc<dyn Embedder>),
}

impl Embedding {
    pub fn load(config: &Config) -> Embedding {
        let loaded = match &config.model {
            ModelChoice::BuiltIn => return Embedding::On(Model::built_in().clone()),
            ModelChoice::None => return Embedding::Off,
            ModelChoice::Other(wanted) => load(wanted, config),
        };
        loaded.unwrap_or_else(|reason| {
            let reason = format!("the model `{}` {reason}", config.model);
            tracing::warn!("{reason}; only words are searched");
            Embedding::Failed(reason)
        })
    }

    pub fn vector_source(&self) -> Option<VectorSource> {
        match self {
            Embedding::On(model) => Some(VectorSource::Model(model.clone())),
            Embedding::Later(model) => Some(VectorSource::Later {
                id: model.id().to_owned(),
            }),
            Embedding::Off | Embedding::Failed(_) => None,
        }
    }
}

fn load(wanted: &str, config: &Config) -> Result<Embedding, String> {
    let because = |failure: Failure| failure.to_string();
    if is_address(wanted) {
        let access = Access {
            name: config.model_name.clone(),
            key: config.model_key.clone(),
            key_from: config.model_key_env.clone(),
        };
        return models::endpoint(wanted, access).map(Embedding::Later).map_err(because);
    }
    let path = Path::new(wanted);
    if !path.is_absolute() {
        return Err("is neither `built-in`, `none`, the address of a server nor an absolute path".to_owned());
    }
    if path.extension().is_some_and(|extension| extension == "onnx") {
        let tokenizer = config.tokenizer.as_deref();
        return models::onnx(path, tokenizer).map(Embedding::Later).map_err(because);
    }
    let read = || -> std::io::Result<Vec<u8>> {
        if std::fs::metadata(path)?.len() > MAX_MODEL_BYTES {
            return Err(std::io::ErrorKind::FileTooLarge.into());
        }
        std::fs::read(path)
    };
    let bytes = read().map_err(|error| format!("cannot be read: {error}"))?;
    let model = Model::parse(bytes).map_err(|error| format!("cannot be used: {error}"))?;
    Ok(Embedding::On(Arc::new(model)))
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
    /// Some chunks have none yet.
    Partial {
        /// The model's id.
        model: String,
        chunks: u64,
        of: u64,
        /// Why no more are being made.
        reason: Option<String>,
    },
    Ready {
        /// The model's id.
        model: String,
        chunks: u64,
        /// Fewer than the chunks where small neighbours have one together.
        vectors: u64,
    },
}

/// Why a question has no vector, or none that can be compared.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoVector {
    #[error("search.model is none")]
    Off,
    #[error("the model knows none of its words")]
    Unknown,
    #[error("{0}")]
    Because(String),
}

impl IndexSnapshot {
    pub fn vectors(&self) -> VectorState {
        match (&*self.workspace.embedding, self.reader.vector_model()) {
            (Embedding::Off, _) => VectorState::Off,
            (Embedding::Failed(reason), _) => VectorState::Failed(reason.clone()),
            (Embedding::On(_) | Embedding::Later(_), None) => VectorState::Pending,
            (_, Some(model)) => {
                let model = model.to_owned();
                match self.vector_progress() {
                    Some((chunks, of)) => VectorState::Partial {
                        model,
                        chunks,
                        of,
                        reason: self.workspace.vectoring.why_not(),
                    },
                    None => VectorState::Ready {
                        model,
                        chunks: self.reader.files().indexed().map(|row| u64::from(row.chunks())).sum(),
                        vectors: self.reader.vector_count(),
                    },
                }
            }
        }
    }

    /// How many chunks have vectors, and of how many, while some have none that should.
    pub fn vector_progress(&self) -> Option<(u64, u64)> {
        let missing = self.reader.without_vectors();
        if missing.is_empty() {
            return None;
        }
        let missing: u64 = missing.iter().map(|row| u64::from(row.chunks())).sum();
        let chunks = self.reader.vector_count();
        Some((chunks, chunks + missing))
    }

    /// The vector of a question.
    pub fn embed_query(&self, text: &str) -> Result<Vector, NoVector> {
        self.embed(|model| model.query(text), |model| model.query(text))
    }

    /// The vector of a piece of code, made as those of chunks are.
    pub fn embed_code(&self, code: &str, lang: Option<&'static Lang>) -> Result<Vector, NoVector> {
        // What it defines is told by its first line, mostly.
        let Some(lang) = lang else {
            let head = code.lines().find(|line| !line.trim().is_empty());
            return self.embed_body(head.unwrap_or_default(), code);
        };
        // One chunk: what is asked about is one thing.
        let options = ChunkOptions {
            size: u32::try_from(code.len()).unwrap_or(u32::MAX).max(1),
            overlap: 0,
        };
        let facts = file_facts(lang, code, options);
        let head = index::Heads::new("", &facts, code).of(0..facts.chunks.len());
        self.embed_body(&head, code)
    }

    /// The vector of a piece of code with what it defines.
    pub fn embed_body(&self, head: &str, body: &str) -> Result<Vector, NoVector> {
        // A model that reads text takes this as a question: there is one, and it cannot wait for long.
        self.embed(
            |model| model.code(head, body),
            |model| model.query(&model_text(head, body)),
        )
    }

    fn embed(
        &self,
        now: impl FnOnce(&Model) -> Vector,
        later: impl FnOnce(&dyn Embedder) -> Result<Vector, Failure>,
    ) -> Result<Vector, NoVector> {
        let because = |reason: &str| NoVector::Because(reason.to_owned());
        if let Some(reason) = self.no_vectors() {
            return Err(reason);
        }
        let vector = match &*self.workspace.embedding {
            Embedding::On(model) => now(model),
            Embedding::Later(model) => {
                let failed = |failure| NoVector::Because(format!("the model `{}` {failure}", model.id()));
                later(&**model).map_err(failed)?
            }
            Embedding::Off | Embedding::Failed(_) => return Err(NoVector::Off),
        };
        if self.reader.vector_dim().is_some_and(|dim| dim != vector.values().len()) {
            self.workspace.vectoring.renew();
            return Err(because(
                "the model gives vectors of another length than before; they are made anew",
            ));
        }
        if vector.is_zero() {
            Err(NoVector::Unknown)
        } else {
            Ok(vector)
        }
    }

    /// Why there are no vectors to compare with, as far as the model need not be asked.
    pub fn no_vectors(&self) -> Option<NoVector> {
        let reason = match &*self.workspace.embedding {
            Embedding::Off => return Some(NoVector::Off),
            Embedding::Failed(reason) => reason.clone(),
            Embedding::On(_) | Embedding::Later(_) if self.reader.has_vectors() => return None,
            Embedding::On(_) => "another process is at work on the index; ask again".to_owned(),
            Embedding::Later(_) => match (self.vector_progress(), self.workspace.vectoring.why_not()) {
                (Some((chunks, of)), None) => format!("vectors: {chunks} of {of} chunks so far"),
                (Some((chunks, of)), Some(reason)) => format!("vectors: {chunks} of {of} chunks; {reason}"),
                (None, _) => "there are no vectors yet".to_owned(),
            },
        };
        Some(NoVector::Because(reason))
    }

    /// Asks a model that may not be there; the reason if it does not answer.
    pub fn verify_model(&self) -> Result<(), String> {
        let Embedding::Later(model) = &*self.workspace.embedding else {
            return Ok(());
        };
        let asked = model.query("is anyone there");
        asked
            .map(|_| ())
            .map_err(|failure| format!("the model `{}` {failure}", model.id()))
    }
}
