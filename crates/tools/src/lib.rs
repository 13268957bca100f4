//! One file per tool, the list of them, and the dispatcher that calls them.
//!
//! `tools` has the tools and nothing else, `machinery` what every one of them has (`Toolbox::call` is the way of a call),
//! `parts` what several of them are made of, `profile` the lists of other systems.

mod machinery;
mod parts;
mod profile;
mod tools;

pub use machinery::{
    docs::tools_md,
    error::{Cause, ErrorCode, Hint, ToolError},
    listing::{Listing, ToolInfo, UnknownProfile, UnknownToolset, all_tools, profiles},
    tokens::count as count_tokens,
    tool::{Effect, Toolset},
    toolbox::{Call, Outcome, Progress, Toolbox, UnknownTool},
};
pub use profile::profiles_md;
