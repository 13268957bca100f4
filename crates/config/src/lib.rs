//! Settings: what they are, and which source decided each. Texts go in, settings come out: nothing here reads a file or
//! the environment, or knows what a setting does.
//!
//! flag > environment (`PORTOLAN_*`) > `portolan.toml` in the configuration directory > default. A repository's own
//! `.portolan.toml` may only narrow what is indexed; see `IndexConfig::narrowed`.

mod error;
mod exact;
mod index;
mod load;
mod model;
mod trusted;

pub use error::Error;
pub use exact::ExactSettings;
pub use index::{IndexConfig, OwnConfig, REPO_FILE, REPO_FILE_LIMIT, refused_keys};
pub use load::{Config, ConfigEntry, Origin, Sources};
pub use model::ModelChoice;
pub use trusted::Trusted;
