//! Questions about the code of a workspace, answered from a `Snapshot`: texts and names, definitions and their uses, changes,
//! maps, imports, what is alike. It writes nothing, starts no indexing, and keeps nothing that is not derived from a commit;
//! a `Snapshot` that was given an answer gives the same one again.
//!
//! One file a question. `Snapshot` has a method for each; those about how definitions hang together are asked of a `CodeGraph`,
//! which `Snapshot::graph` makes for one answer.

mod blocks;
mod changes;
mod chunk_view;
mod code_graph;
mod definition;
mod dependencies;
mod description;
mod files;
mod map;
mod memory_links;
mod module_map;
mod neighbours;
mod on_disk;
mod places;
mod ranking;
mod similar;
mod snapshot;
mod submodules;
mod symbols;
mod text_search;

pub use blocks::Block;
pub use changes::{ChangeKind, ChangeSet, ChangedFile, ChangedSymbol, Revisions};
pub use chunk_view::ChunkView;
pub use code_graph::{
    CodeGraph, Mention, MentionPlace, Overlay, Package, ResolvesTo, Subject, SymbolLocator, UndefinedName,
    UndefinedUse, UseHit, is_code, mention_place, places_of,
};
pub use definition::{Definition, DefinitionsAt, Evidence, Spot, What};
pub use dependencies::{Dependency, DependencyTarget, Dependent, Dependents, FileDependencies};
pub use files::{FileSlice, FoundFiles, SortFiles};
pub use map::{CodeMap, DirFacts, MapDir, MapFile, MapItem, MapPart, MapRequest, MapSymbol, map_unindexed};
pub use memory_links::LinkState;
pub use module_map::{Module, ModuleLink, ModuleMap};
pub use neighbours::{Neighbour, Neighbours};
pub use places::PlaceView;
pub use similar::{SimilarHits, SimilarTo};
pub use snapshot::Snapshot;
pub use symbols::{SourceFile, SymbolHit, SymbolHits, SymbolQuery};
pub use text_search::{GrepMatches, LiteralLine, LiteralLines, RankedHit, RankedHits, SearchHits};

pub use graph::{
    Bounds, CallGraph, Callee, Caller, Drawing, Edge, FileIdx, Gone, Implementation, LIKELY, Named, Node,
    Origin as UseOrigin, Reach, Rule, Step, SymbolId, Use, Uses, Way,
};
pub use search::{
    Expr, FEATURES, Features, Field, FilterSpec, KeywordError, KindFilter, Leaf, Likeness, LineMatch, PLACE_FEATURES,
    QueryError, SymbolName, Versions, check as check_query, parse as parse_query,
};
pub use source::{PathError, is_test_path};
pub use syntax::{
    Complexity, FileFacts, Import, LANGS, Lang, Qualifier, RefIdx, Reference, Role, Symbol, SymbolIdx, SymbolKind,
    Visibility, lang_by_name, lang_id, nearest_lang,
};
