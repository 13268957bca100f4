//! Brings an index up to date with the disk: finds out what has changed, reads it and commits it, while callers wait, watch
//! and stop the work. It answers nothing from an index, knows no session, and starts no thread that it is not asked for.
//!
//! Start at `Indexing`, which makes the index of an `IndexedDir` equal to the disk in batches that each are a commit.
//! `walk` and `Watch` say what is on disk; a `Job` is the work that others wait for, each with an `IndexWait`; processes that
//! do not write ask the one that does through `Requests`. `MissingVectors` are made after all that, by a model that is slow.

mod error;
mod index_wait;
mod indexed_dir;
mod indexing;
mod inventory;
mod job;
mod requests;
mod skipped;
mod threads;
mod tracked;
mod vectors;
mod walk;
mod watch;

pub use error::Error;
pub use index_wait::IndexWait;
pub use indexed_dir::{DiskScan, IndexedDir, ScanScope};
pub use indexing::{Indexing, Report, is_content, now_ns};
pub use inventory::Inventory;
pub use job::{Control, Job, Progress, Waited};
pub use requests::Requests;
pub use skipped::{MissedFiles, SkippedFile};
pub use threads::{NotSpawned, Threads, named};
pub use tracked::TrackedCache;
pub use vectors::{MissingVectors, Stop, model_text};
pub use walk::{Rules, WalkEntry, WalkResult, repo_file, walk};
pub use watch::{ChangeDetection, WalkReason, Watch};
