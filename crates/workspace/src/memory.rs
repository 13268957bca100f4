//! What was noted about a workspace: kept beside its index, found by words and by meaning.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use embed::{Model, Vector};
use git::Repository;
use index::{Memory, MemoryFilter, MemoryStore};
use refresh::now_ns;
use rustc_hash::FxHashMap;

use crate::{embedding::Embedding, error::Error, workspace::Workspace};

/// The memories of one workspace.
pub struct Memories {
    store: MemoryStore,
    /// Quick and always there, whatever makes the vectors of the code.
    model: Option<Arc<Model>>,
}

/// How much a rank counts, in the fusion of ranks.
const RANK_OFFSET: f32 = 10.0;
/// What is less alike is about something else.
const ALIKE: f32 = 0.3;

impl Workspace {
    pub fn memories(&self) -> Result<Memories, Error> {
        let model = match &*self.embedding {
            Embedding::Off => None,
            Embedding::On(model) => Some(model.clone()),
            Embedding::Failed(_) | Embedding::Later(_) => Some(Model::built_in().clone()),
        };
        let store = MemoryStore::open(&self.entry.dir)?;
        Ok(Memories { store, model })
    }

    /// The branch that is checked out and its commit, where there is git.
    pub fn checked_out(&self) -> (Option<String>, Option<String>) {
        let Ok(Some(repository)) = Repository::find(self.root().path()) else {
            return (None, None);
        };
        let commit = repository.resolve("HEAD").ok().map(|id| id.to_string());
        (repository.branch().ok().flatten(), commit)
    }
}

impl Memories {
    /// Those of a session whose directory is gone, by its own.
    pub(crate) fn left_in(session_dir: &Path) -> Result<Memories, Error> {
        let store = MemoryStore::open(session_dir)?;
        Ok(Memories { store, model: None })
    }

    /// Files with memories that could not be read and were moved aside.
    pub fn damaged(&self) -> Vec<PathBuf> {
        self.store.damaged()
    }

    pub fn get(&self, id: &str) -> Result<Option<Memory>, Error> {
        Ok(self.store.get(id)?)
    }

    /// The newest first.
    pub fn list(&self, filter: &MemoryFilter) -> Result<Vec<Memory>, Error> {
        Ok(self.store.list(filter)?)
    }

    /// Stores a memory under its id. One without an id gets one, one without a time is of now; a plan that is active is the
    /// only active one then.
    pub fn put(&mut self, mut memory: Memory) -> Result<Memory, Error> {
        let now = now_ns() / 1_000_000;
        if memory.created_ms == 0 {
            memory.created_ms = now;
        }
        if memory.updated_ms == 0 {
            memory.updated_ms = memory.created_ms;
        }
        if memory.id.is_empty() {
            let about = format!(
                "{}\0{}\0{}\0{}",
                now_ns(),
                std::process::id(),
                memory.title,
                memory.body
            );
            memory.id = blake3::hash(about.as_bytes()).to_hex()[..8].to_owned();
        }
        memory.vector = self.model.as_ref().map(|model| {
            let vector = model.query(&text_of(&memory));
            (model.id().to_owned(), vector.values().to_vec())
        });
        self.store.put(&memory)?;
        Ok(memory)
    }

    /// Memories that have words of a query or are near to it in meaning, best first, with how good they are, from 0 to 1.
    pub fn recall(&self, query: &str, filter: &MemoryFilter) -> Result<Vec<(Memory, f32)>, Error> {
        let all = self.store.list(filter)?;
        let mut scores: FxHashMap<&str, f32> = FxHashMap::default();
        let ids = self.store.with_words(query)?;
        let known: FxHashMap<&str, &Memory> = all.iter().map(|memory| (memory.id.as_str(), memory)).collect();
        let worded = ids.iter().filter_map(|id| known.get_key_value(id.as_str()));
        for (rank, (id, _)) in worded.enumerate() {
            *scores.entry(id).or_default() += RANK_OFFSET / (RANK_OFFSET + rank as f32) / 2.0;
        }
        if let Some(model) = &self.model {
            let asked = model.query(query);
            let mut near: Vec<(f32, &str)> = all
                .iter()
                .map(|memory| {
                    let vector = match &memory.vector {
                        Some((made_by, vector)) if made_by == model.id() => Vector::from_values(vector),
                        // Of another model, or of none.
                        _ => model.query(&text_of(memory)),
                    };
                    (asked.cosine(&vector), memory.id.as_str())
                })
                .filter(|(likeness, _)| *likeness >= ALIKE)
                .collect();
            near.sort_by(|a, b| b.0.total_cmp(&a.0));
            for (rank, (_, id)) in near.into_iter().enumerate() {
                *scores.entry(id).or_default() += RANK_OFFSET / (RANK_OFFSET + rank as f32) / 2.0;
            }
        }
        let scored = all
            .iter()
            .filter_map(|memory| Some((*scores.get(memory.id.as_str())?, memory)));
        let mut found: Vec<(f32, &Memory)> = scored.collect();
        // Of two that are as good the newer one, which comes first.
        found.sort_by(|a, b| b.0.total_cmp(&a.0));
        Ok(found
            .into_iter()
            .map(|(score, memory)| (memory.clone(), score))
            .collect())
    }
}

fn text_of(memory: &Memory) -> String {
    format!("{}\n{}\n{}", memory.title, memory.body, memory.tags.join(" "))
}
