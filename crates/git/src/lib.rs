//! Reads what git has stored about a directory: revisions, trees, the contents of files.
//!
//! The `git` program is not run. A repository's configuration can name commands that it would run on the simplest of
//! questions (`core.fsmonitor`, external and textual diffs, filters, hooks, the pager), and each new version may learn
//! more of them; what is never started needs no list of what to switch off. No configuration is read here, so none of it
//! can mean anything. `gix` would do too, but brings 42 crates, 32 CPU seconds of build and code that starts programs,
//! for the few formats needed: references, loose and packed objects, and the list of what is checked out.
//!
//! Everything is opened beneath git's own directory, links that lead out of it are not followed, and sizes are bounded:
//! whoever made the repository may have made those files too.

mod error;
mod index;
mod object;
mod pack;
mod repository;
mod revision;
mod store;
mod tree;

pub use error::Error;
pub use index::{Index, IndexEntry};
pub use object::Id;
pub use repository::Repository;
pub use tree::{Change, Entry};
