//! Exact answers about Rust: rust-analyzer's own analysis, over a project model that is made from manifests.
//!
//! Nothing is run: no cargo, no compiler, no build script, no procedural macro. What those would have told is not known
//! here, and a question about it gets no answer rather than a guess. Who has asked cargo can say what it said (`Told`).

#![cfg(feature = "analysis")]

mod analysis;
mod checkouts;
mod crates;
mod depth;
mod docs;
mod files;
mod manifest;
mod outside;
mod project;
mod told;

pub use analysis::{Analysis, Loading, Meaning, Place, Stop, Summary};
pub use outside::Outside;
pub use told::Told;
