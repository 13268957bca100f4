//! Resolves names across files: what an import of one file means in a workspace, what a use of a name means, who uses a
//! definition.
//!
//! Nothing here reads a file: paths, facts and the texts of manifests are given.

mod call_graph;
mod calls;
mod centrality;
mod contract;
mod files;
mod locals;
mod members;
pub mod memory;
mod modules;
mod outline;
mod reach;
mod references;
mod rename;
mod resolve;
mod semantics;
mod surface;
mod unnamed;
mod view;
mod weigh;

pub use call_graph::{CallGraph, Drawing, Edge, Node};
pub use calls::{Callee, Caller, Step, Wanted, Way};
pub use centrality::{Centrality, Mentioned, NameKey};
pub use files::{FileIdx, Files};
pub use locals::{LocalUse, Locals};
pub use members::Named;
pub use modules::{Declared, Modules, Target, is_manifest, needs_outline};
pub use outline::Outline;
pub use reach::{Bounds, Gone, Reach};
pub use references::{Implementation, LIKELY, Origin, Use, Uses};
pub use rename::Family;
pub use resolve::{Brief, Meaning, Resolver, Rule};
pub use semantics::{counts_arguments, has_rules, imports_are_exports, related};
pub use surface::{Surface, Surfaces};
pub use view::{Exact, SymbolId, View, World};
