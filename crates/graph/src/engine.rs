//! The machinery of resolution: the resolver with its caches, what a reference means step by step.

pub(crate) mod meaning;
pub(crate) mod memo;
pub(crate) mod occurrences;
pub(crate) mod resolver;
pub(crate) mod symbol_summary;
