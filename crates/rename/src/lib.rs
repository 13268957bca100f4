//! Another name for a definition: every place that must change, what cannot be proven, and what is in the way. It guesses
//! nothing: a use that is not proven is left and told. Files are written only by `apply`, all of them or none, through the
//! sandbox of the workspace.
//!
//! `plan` (or `plan_local`, for a parameter or local variable) says what would change, `apply` does it, `check` looks at the
//! result. Whether the new name is free is not told by rules of its own: the changed files are read and resolved as if they
//! were on disk, and every use of either name must mean what it meant before.

mod apply;
mod edits;
mod locals;
mod overlay;
mod plan;
mod shorthand_log;

pub use apply::{apply, check};
pub use locals::{Local, local_uses, locals, plan_local};
pub use plan::{
    Conflict, LeftUse, PROVEN, RenameCheck, RenameRequest, RenameScope, RenamedFile, RenamedSite, Renaming, SiteKind,
    plan,
};
