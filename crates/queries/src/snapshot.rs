//! One moment of a workspace, and every question that can be asked of it.

use std::{
    ops::Deref,
    sync::{Arc, atomic::AtomicU64},
};

use search::FilterSpec;
use syntax::ChunkOptions;
use workspace::IndexSnapshot;

use crate::{code_graph::Views, dependencies::ImportGraphs, ranking::Rankings};

/// A snapshot of the index, and what earlier questions have left for later ones.
pub struct Snapshot {
    index: IndexSnapshot,
    pub(crate) caches: Arc<QueryCaches>,
}

/// What is derived from the commits of one workspace and kept from question to question. The workspace owns it, and knows
/// nothing of it.
pub(crate) struct QueryCaches {
    pub import_graphs: ImportGraphs,
    /// The generation whose module graph is being built, or was, in the background; `u64::MAX` if none.
    pub modules_begun: AtomicU64,
    pub views: Views,
    pub rankings: Rankings,
}

impl Default for QueryCaches {
    fn default() -> QueryCaches {
        QueryCaches {
            import_graphs: ImportGraphs::default(),
            modules_begun: AtomicU64::new(u64::MAX),
            views: Views::default(),
            rankings: Rankings::default(),
        }
    }
}

impl Snapshot {
    pub fn new(index: IndexSnapshot) -> Snapshot {
        let caches = index.workspace().cache();
        Snapshot { index, caches }
    }

    /// The same state of the workspace, for work in the background.
    pub(crate) fn detached(&self) -> Snapshot {
        Snapshot {
            index: self.index.detached(),
            caches: self.caches.clone(),
        }
    }

    /// Whether any of them passes a filter.
    pub fn has_files(&self, filter: &FilterSpec) -> bool {
        self.reader().files().indexed().any(|row| filter.allows(row))
    }

    /// How the index cuts files.
    pub fn chunk_options(&self) -> ChunkOptions {
        let config = &self.session().config;
        ChunkOptions {
            size: config.chunk_size,
            overlap: config.overlap,
        }
    }
}

impl Deref for Snapshot {
    type Target = IndexSnapshot;

    fn deref(&self) -> &IndexSnapshot {
        &self.index
    }
}
