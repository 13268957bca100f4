//! What several tools are made of: how a symbol is asked for, how a definition, a place or the coverage of an answer is shown.

pub(crate) mod chunk;
pub(crate) mod completeness;
pub(crate) mod coverage;
pub(crate) mod definition;
pub(crate) mod filter;
pub(crate) mod groups;
pub(crate) mod locations;
pub(crate) mod memory;
pub(crate) mod risk;
pub(crate) mod subject;
pub(crate) mod workspace_errors;
