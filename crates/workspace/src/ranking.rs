//! Which names a workspace leans on: the order of its map.
//!
//! Every file has to be looked at for it. A small workspace has it at once; of a larger one it is computed beside the
//! answers, which use the last one until then and say so.

use std::sync::{
    Arc, Mutex, MutexGuard, PoisonError,
    atomic::{AtomicBool, Ordering},
};

use graph::{Centrality, Mentioned, NameKey};
use index::FileState;
use rustc_hash::FxHashMap;
use source::{is_beside_path, is_test_path, is_vendored_path};

use crate::{error::Error, exact::ExactUse, snapshot::Snapshot};

/// What is ranked while its caller waits: some milliseconds.
const FEW_FILES: usize = 400;
const FEW_BYTES: u64 = 4 << 20;

/// Of one generation.
pub(crate) struct Ranking {
    pub generation: u64,
    by_path: FxHashMap<Box<str>, Vec<(NameKey, f32)>>,
}

impl Ranking {
    /// How many other files refer to a name that a file defines, by their own ranks.
    pub fn of(&self, path: &str, name: &str) -> f64 {
        let names = self.by_path.get(path).map_or(&[][..], Vec::as_slice);
        let found = names.binary_search_by_key(&NameKey::of(name), |(name, _)| *name);
        found.map_or(0.0, |at| f64::from(names[at].1))
    }
}

/// The last ranking of a workspace, and whether another one is being computed.
#[derive(Default)]
pub(crate) struct Rankings {
    last: Mutex<Option<Arc<Ranking>>>,
    is_busy: AtomicBool,
}

impl Rankings {
    fn last(&self) -> MutexGuard<'_, Option<Arc<Ranking>>> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An older one never takes the place of a newer one.
    fn publish(&self, ranking: Ranking) -> Arc<Ranking> {
        let mut last = self.last();
        match last.as_ref().filter(|last| last.generation > ranking.generation) {
            Some(newer) => newer.clone(),
            None => last.insert(Arc::new(ranking)).clone(),
        }
    }
}

/// Says that the work is over, whatever comes of it.
struct Busy(Snapshot);

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.workspace.rankings.is_busy.store(false, Ordering::SeqCst);
    }
}

impl Snapshot {
    /// The ranking of this generation, or an older one while this one's is being computed; none if there is none yet.
    pub(crate) fn ranking(&self) -> Result<Option<Arc<Ranking>>, Error> {
        let rankings = &self.workspace.rankings;
        let last = rankings.last().clone();
        let is_current = last
            .as_ref()
            .is_some_and(|last| last.generation == self.reader.generation());
        if is_current || !self.reader.complete() {
            return Ok(last);
        }
        if self.is_small() {
            return Ok(Some(rankings.publish(self.compute_ranking()?)));
        }
        if !rankings.is_busy.swap(true, Ordering::SeqCst) {
            let busy = Busy(Snapshot {
                reader: self.reader.clone(),
                workspace: self.workspace.clone(),
                pending: None,
                behind: None,
                exact_use: ExactUse::default(),
            });
            // Nobody waits for it, and it ends with the process.
            let work = move || match busy.0.compute_ranking() {
                Ok(ranking) => {
                    busy.0.workspace.rankings.publish(ranking);
                }
                // A file has changed: whoever asks next begins again.
                Err(error) => tracing::debug!(%error, "no ranking"),
            };
            let started = std::thread::Builder::new().name("ranking".into()).spawn(work);
            started.map_err(Error::io(self.workspace.root.path()))?;
        }
        Ok(last)
    }

    fn is_small(&self) -> bool {
        let rows = || self.reader.files().indexed();
        rows().nth(FEW_FILES).is_none() && rows().map(|row| row.stat.size).sum::<u64>() <= FEW_BYTES
    }

    fn compute_ranking(&self) -> Result<Ranking, Error> {
        let graph = self.import_graph()?;
        let modules = &graph.modules;
        let mut mentioned = Vec::with_capacity(modules.files().len());
        for (file, row) in modules.files().all().zip(self.reader.files().indexed()) {
            let is_code = matches!(row.state, FileState::Indexed { .. });
            mentioned.push(if is_code && has_names(row.lang) {
                Mentioned::of(modules, file, &self.facts_at(row)?)
            } else {
                Mentioned::default()
            });
        }
        let is_aside = |file| {
            let path = modules.files().path(file);
            is_test_path(path) || is_vendored_path(path) || is_beside_path(path)
        };
        let centrality = Centrality::new(modules, &mentioned, is_aside);
        let by_path = modules
            .files()
            .all()
            .zip(centrality.names)
            .filter(|(_, names)| !names.is_empty())
            .map(|(file, names)| {
                let names = names.into_iter().map(|(name, count)| (name, count as f32));
                (modules.files().path(file).into(), names.collect())
            });
        Ok(Ranking {
            generation: self.reader.generation(),
            by_path: by_path.collect(),
        })
    }
}

/// Whether files of a language can refer to each other's names.
fn has_names(lang: &str) -> bool {
    syntax::lang_by_name(lang).is_some_and(|lang| lang.has_symbols() && !lang.is_prose())
}
