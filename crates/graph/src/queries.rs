//! Queries about definitions: uses, callers, implementations, overrides, renames, and the impact of a change.

pub(crate) mod anonymous_classes;
pub(crate) mod call_graph;
pub(crate) mod calls;
pub(crate) mod centrality;
pub(crate) mod contract;
pub(crate) mod likelihood;
pub(crate) mod locals;
pub(crate) mod reach;
pub(crate) mod references;
pub(crate) mod rename;
pub(crate) mod surface;
pub(crate) mod type_outline;
