//! Resolves names across files: what an import of one file means in a workspace.
//!
//! Nothing here reads a file: paths, facts and the texts of manifests are given.

mod files;
mod modules;
mod outline;
mod surface;

pub use files::{FileIdx, Files};
pub use modules::{Declared, Modules, Target, is_manifest, needs_outline};
pub use outline::Outline;
pub use surface::{Surface, Surfaces};
