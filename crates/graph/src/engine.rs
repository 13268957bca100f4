//! The resolver, its caches and memoised queries, and `Meaning`, the result of resolving a reference.

pub(crate) mod meaning;
pub(crate) mod memo;
pub(crate) mod occurrences;
pub(crate) mod resolver;
pub(crate) mod symbol_summary;
