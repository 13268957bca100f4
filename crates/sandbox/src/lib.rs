//! Reads and writes files of a repository that nobody vouches for. Nothing outside of a root is opened, no private file is
//! read, nothing of a repository is executed, and nothing is written but whole sets of changes whose files are still what a
//! caller was shown.
//!
//! Start at `Root`: `Root::read` and `Root::read_blob` are the only ways to a content, on disk and in git, and
//! `Root::write_all` the only way to change one. What a killed process left half done, `recover` undoes.

mod journal;
mod read;
mod write;

pub use journal::{Undone, recover};
pub use read::{BlobError, Privacy, Root, Unreadable, stat_of};
pub use write::{Change, WriteError};
