//! What every tool has and none repeats: arguments, schemas, paging, rendering, errors, and the dispatcher that calls a tool.
//!
//! Nothing here knows a single tool: what is particular about one is in its definition (`Tool`). Begin with `Toolbox::call`.

pub(crate) mod alias;
pub(crate) mod answer;
pub(crate) mod args;
pub(crate) mod docs;
pub(crate) mod error;
pub(crate) mod listing;
pub(crate) mod paging;
pub(crate) mod render;
pub(crate) mod schema;
pub(crate) mod tokens;
pub(crate) mod tool;
pub(crate) mod toolbox;
pub(crate) mod units;
pub(crate) mod visible;
pub(crate) mod within;
