//! Workspaces and their sessions: which there are, keeping each equal to the disk, and snapshots of it. `Workspaces` finds,
//! `Workspace` mutates, `IndexSnapshot` is one commit that can be read. No question about code is answered here, nothing is
//! printed, and files of a repository are read and written through `sandbox` alone.

mod cache;
mod embedding;
mod error;
mod exact;
mod langs;
mod memory;
mod mount;
mod projects;
mod session;
mod snapshot;
mod unparsed;
mod vectoring;
mod workspace;
mod workspaces;

pub use embedding::{Embedding, NoVector, VectorState};
pub use error::{Error, QueryProblem};
pub use exact::{
    ExactAnalysis, ExactCoverage, ExactEngine, ExactLoad, ExactLoaded, ExactMeaning, ExactQuestions, ExactState,
};
pub use langs::LangCounts;
pub use memory::Memories;
pub use session::{RootState, Session};
pub use snapshot::{Coverage, IndexSnapshot};
pub use workspace::{FOREVER, IndexState, SessionStats, Stats, Workspace};
pub use workspaces::{StoredSession, Workspaces};

pub use git::Error as GitError;
pub use index::{FORMAT as INDEX_FORMAT, FileSystem, Memory, MemoryFilter, MemoryLink};
pub use refresh::{
    ChangeDetection, Control, Error as RefreshError, MissedFiles, Progress, Report, SkippedFile, WalkReason,
};
