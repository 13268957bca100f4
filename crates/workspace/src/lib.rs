//! The facade: which workspaces there are, keeping each up to date, and answering from a snapshot of it.
//!
//! `Workspaces` knows the sessions, `Workspace` mutates, `Snapshot` answers. Nothing here prints, and nothing is ever
//! written inside an indexed repository.

mod config;
mod error;
mod files;
mod job;
mod read;
mod refresh;
mod session;
mod snapshot;
mod text_search;
mod walk;
mod watch;
mod workspace;
mod workspaces;

pub use config::{Config, ConfigEntry, DEFAULT_EXCLUDE, IndexConfig, Origin, Sources};
pub use error::{Error, QueryProblem};
pub use files::{FileSlice, FoundFiles, SortFiles};
pub use job::{Control, Progress};
pub use refresh::Report;
pub use session::{Session, is_session_name};
pub use snapshot::{ChunkView, Coverage, Snapshot};
pub use text_search::{GrepMatches, LiteralHit, LiteralHits, SearchHits};
pub use walk::SkippedFile;
pub use workspace::{IndexState, Stats, Workspace};
pub use workspaces::Workspaces;

pub use index::FORMAT as INDEX_FORMAT;
pub use search::{
    Expr, Field, FilterSpec, GlobError, KeywordError, LineMatch, PathGlobs, QueryError, parse as parse_query,
};
pub use source::{PathError, is_test_path};
pub use syntax::{LANGS, lang_by_name, nearest_lang};
