//! Why settings cannot be used.

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("configuration: {0}")]
    Invalid(String),
    #[error(transparent)]
    Glob(#[from] source::GlobError),
}
