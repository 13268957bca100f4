//! The facade: which workspaces there are, keeping each up to date, and answering from a snapshot of it.
//!
//! `Workspaces` knows the sessions, `Workspace` mutates, `Snapshot` answers. Nothing here prints, and files of an indexed
//! repository are read and written through the crate `sandbox` alone.

mod blocks;
mod changes;
mod code_graph;
mod definition;
mod dependencies;
mod description;
mod embedding;
mod error;
mod exact;
mod files;
mod langs;
mod map;
mod memory;
mod module_map;
mod mount;
mod neighbours;
mod places;
mod projects;
mod ranking;
mod rename;
mod session;
mod similar;
mod snapshot;
mod submodules;
mod symbols;
mod text_search;
mod unparsed;
mod vectoring;
mod workspace;
mod workspaces;

pub use blocks::Block;
pub use changes::{ChangeKind, ChangeSet, ChangedFile, ChangedSymbol, Revisions};
pub use code_graph::{Asked, CodeGraph, Mention, MentionPlace, Package, ResolvesTo, Subject, UndefinedUse, UseHit};
pub use definition::{Definition, DefinitionsAt, Evidence};
pub use dependencies::{Dependency, DependencyTarget, Dependent, Dependents, FileDependencies};
pub use embedding::{NoVector, VectorState};
pub use error::{Error, QueryProblem};
pub use exact::{ExactAnalysis, ExactCoverage, ExactEngine, ExactLoad, ExactLoaded, ExactMeaning, ExactState};
pub use files::{FileSlice, FoundFiles, SortFiles};
pub use map::{CodeMap, DirFacts, MapDir, MapFile, MapItem, MapPart, MapRequest, MapSymbol};
pub use memory::{LinkState, Memories};
pub use module_map::{Module, ModuleLink, ModuleMap};
pub use neighbours::{Neighbour, Neighbours};
pub use places::PlaceView;
pub use refresh::{
    ChangeDetection, Control, Error as RefreshError, MissedFiles, Progress, Report, SkippedFile, WalkReason,
};
pub use rename::{
    Conflict, LeftUse, Local, PROVEN, RenameCheck, RenameRequest, RenameScope, RenamedFile, RenamedSite, Renaming,
    SiteKind,
};
pub use session::{RootState, Session};
pub use similar::{SimilarHits, SimilarTo};
pub use snapshot::{ChunkView, Coverage, Snapshot};
pub use symbols::{SourceFile, SymbolHit, SymbolHits, SymbolQuery};
pub use text_search::{GrepMatches, LiteralLine, LiteralLines, RankedHit, RankedHits, SearchHits};
pub use workspace::{IndexState, SessionStats, Stats, Workspace};
pub use workspaces::{StoredSession, Workspaces};

pub use git::Error as GitError;
pub use graph::{
    Bounds, CallGraph, Callee, Caller, Drawing, Edge, FileIdx, Gone, Implementation, LIKELY, Named, Node,
    Origin as UseOrigin, Reach, Rule, Step, SymbolId, Use, Uses, Way,
};
pub use index::{FORMAT as INDEX_FORMAT, FileSystem, Memory, MemoryFilter, MemoryLink};
pub use search::{
    Expr, FEATURES, Features, Field, FilterSpec, KeywordError, KindFilter, Leaf, Likeness, LineMatch, PLACE_FEATURES,
    QueryError, SymbolName, Versions, check as check_query, parse as parse_query,
};
pub use source::{PathError, is_test_path};
pub use syntax::{
    Complexity, FileFacts, Import, LANGS, Lang, Qualifier, Reference, Role, Symbol, SymbolKind, Visibility,
    lang_by_name, lang_id, nearest_lang,
};
