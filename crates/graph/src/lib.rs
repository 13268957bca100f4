//! Resolves names across files: what an import of one file means in a workspace, what a use of a name means, who uses a
//! definition.
//!
//! Nothing here reads a file: paths, facts and the texts of manifests are given.

mod engine;
mod files;
mod infer;
mod lang;
mod members;
pub mod memory;
mod modules;
mod outline;
mod overload;
mod queries;
mod scope;
mod types;
mod view;

pub use engine::{
    meaning::{Meaning, Rule},
    resolver::Resolver,
    symbol_summary::SymbolSummary,
};
pub use files::{FileIdx, Files};
pub use lang::{counts_arguments, has_rules, imports_are_exports, related};
pub use modules::{Declared, Modules, Target, is_manifest, needs_outline};
pub use outline::Outline;
pub use queries::{
    call_graph::{CallGraph, Drawing, Edge, Node},
    calls::{Callee, Caller, Step, Wanted, Way},
    centrality::{Centrality, Mentioned, NameKey},
    locals::{LocalUse, Locals},
    reach::{Bounds, Gone, Reach},
    references::{LIKELY, Origin, Use, Uses, implementations::Implementation},
    rename::Family,
    surface::{Surface, Surfaces},
    type_outline::Named,
};
pub use view::{Exact, SymbolId, View, World};
