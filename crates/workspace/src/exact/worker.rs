//! The thread that an analysis lives on: loads it, tells it of changes, asks it what is in the queue.

use std::{
    collections::BTreeMap,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::Arc,
    time::{Duration, Instant},
};

use index::ExactRow;

use super::{
    About, Exact, ExactAnalysis, ExactLoad, ExactMeaning, ExactState, ExactUse, Place, StopQuestion,
    kept::{save, unsaved},
};
use crate::{error::Error, snapshot::IndexSnapshot, unparsed::NotLookedInto};

/// How soon after the last question answers are stored.
const SETTLED: Duration = Duration::from_millis(300);

/// The thread looks so often whether its workspace is still there.
const TICK: Duration = Duration::from_secs(5);

/// An analysis that fails so often is not loaded again until something changes.
const MAX_FAILURES: usize = 6;

/// Questions about one file that are asked at once: much of the work is the file's.
const MAX_TOGETHER: usize = 64;

/// What the thread has loaded.
#[derive(Default)]
pub(super) struct Worker {
    analysis: Option<Box<dyn ExactAnalysis>>,
    key: Option<Arc<str>>,
    hashes: BTreeMap<Box<str>, [u8; 32]>,
    /// How often it has failed on these contents.
    failures: usize,
    /// So many questions are asked one by one, to find the one that it fails on.
    careful: usize,
}

enum Task {
    /// Places of one file.
    Answer(About, Vec<Place>),
    Save(About, Vec<ExactRow>),
    End,
}

impl Worker {
    pub fn run(&mut self, exact: &Exact) {
        loop {
            let most = if self.careful > 0 { 1 } else { MAX_TOGETHER };
            self.careful = self.careful.saturating_sub(1);
            match next(exact, most) {
                Task::End => return,
                Task::Save(about, rows) => save(&about, &rows),
                Task::Answer(about, places) => self.answer(exact, &about, places),
            }
        }
    }

    fn answer(&mut self, exact: &Exact, about: &About, places: Vec<Place>) {
        if self.key.as_ref() != Some(&about.key) || self.analysis.is_none() {
            let synced = catch_unwind(AssertUnwindSafe(|| self.sync(exact, about)));
            let failed = match synced {
                Ok(Ok(())) => None,
                // What is on disk is not what was indexed any more: who asks next has a newer snapshot.
                Ok(Err(Error::Stale)) => {
                    exact.state().give_up();
                    exact.told.notify_all();
                    return;
                }
                Ok(Err(error)) => Some(error.to_string()),
                Err(_) => Some("loading failed unexpectedly".to_owned()),
            };
            if let Some(reason) = failed {
                return self.fail(exact, reason);
            }
        }
        let Some(analysis) = &self.analysis else { return };
        let path = places[0].0.clone();
        let offsets: Vec<u32> = places.iter().map(|(_, at)| *at).collect();
        let asked = catch_unwind(AssertUnwindSafe(|| analysis.meanings(&path, &offsets)));
        let meanings = match asked {
            Ok(Some(meanings)) => meanings,
            // Stopped for newer contents, or just before this question began.
            Ok(None) => return again(exact, about, places),
            Err(_) => {
                self.drop_analysis();
                self.failures += 1;
                if self.failures >= MAX_FAILURES {
                    return self.fail(exact, "the analysis has failed several times".to_owned());
                }
                if places.len() > 1 {
                    self.careful = places.len();
                    return again(exact, about, places);
                }
                tracing::warn!(%path, at = offsets[0], "the analysis failed here and is loaded anew");
                vec![ExactMeaning::Unknown]
            }
        };
        let mut state = exact.state();
        if state.is_about(&about.key) {
            for (place, meaning) in places.into_iter().zip(meanings) {
                state.queued.remove(&place);
                state.unsaved.push(place.clone());
                state.answers.insert(place, meaning);
            }
            exact.told.notify_all();
        }
    }

    fn drop_analysis(&mut self) {
        self.analysis = None;
        self.hashes.clear();
    }

    fn fail(&mut self, exact: &Exact, reason: String) {
        self.drop_analysis();
        let mut state = exact.state();
        state.queue.clear();
        state.queued.clear();
        state.phase = ExactState::Failed(reason);
        exact.told.notify_all();
    }

    /// Makes the analysis be about these contents.
    fn sync(&mut self, exact: &Exact, about: &About) -> Result<(), Error> {
        if self.analysis.is_none() {
            exact.state().phase = ExactState::Loading("reading files".to_owned());
        }
        if self.key.as_ref() != Some(&about.key) {
            self.failures = 0;
        }
        let workspace = about.workspace.upgrade().ok_or(Error::Stale)?;
        let size: u64 = exact.rows(&about.reader).map(|row| row.stat.size).sum();
        if size > exact.settings.max_bytes {
            let (has, may) = (size >> 20, exact.settings.max_bytes >> 20);
            let reason = format!("{has} MB of sources; rust.max_source_mb allows {may}");
            return Err(Error::Setting(reason));
        }
        let snapshot = IndexSnapshot {
            reader: about.reader.clone(),
            workspace,
            pending: None,
            behind: None,
            exact_use: ExactUse::default(),
            not_looked_into: NotLookedInto::default(),
        };
        let mut changed: Vec<(String, Option<String>)> = Vec::new();
        let mut hashes = BTreeMap::new();
        for row in exact.rows(&about.reader) {
            if self.hashes.get(&row.path) != Some(&row.hash) {
                let bytes = snapshot.current_bytes(row)?;
                let text = source::decode(&bytes).ok_or(Error::Stale)?.text.into_owned();
                changed.push((row.path.to_string(), Some(text)));
            }
            hashes.insert(row.path.clone(), row.hash);
        }
        let gone = self.hashes.keys().filter(|path| !hashes.contains_key(*path));
        changed.extend(gone.map(|path| (path.to_string(), None)));
        let root = snapshot.workspace.root().path().to_owned();
        drop(snapshot);
        match &mut self.analysis {
            Some(analysis) => analysis.change(changed),
            None => {
                let files = changed.into_iter().filter_map(|(path, text)| Some((path, text?)));
                self.analysis = Some(exact.engine.load(ExactLoad {
                    root: &root,
                    files: files.collect(),
                    progress: &|doing| {
                        if exact.threads.is_stopped() {
                            // Caught where loading was begun; no panic, so that none is reported.
                            resume_unwind(Box::new("nobody wants the analysis any more"));
                        }
                        exact.state().phase = ExactState::Loading(doing);
                    },
                    stop: exact.threads.stop_flag().clone(),
                }));
            }
        }
        self.hashes = hashes;
        self.key = Some(about.key.clone());
        let analysis = self.analysis.as_ref().ok_or(Error::Stale)?;
        let mut state = exact.state();
        state.phase = ExactState::Ready(analysis.loaded());
        state.is_slow = false;
        state.stop = Some(StopQuestion::new(analysis.stop()));
        Ok(())
    }
}

/// Puts questions back to where they were.
fn again(exact: &Exact, about: &About, places: Vec<Place>) {
    let mut state = exact.state();
    if state.is_about(&about.key) {
        for place in places.into_iter().rev() {
            state.queue.push_front(place);
        }
    }
}

/// What there is to do, at most so many questions; waits for it.
fn next(exact: &Exact, most: usize) -> Task {
    let mut state = exact.state();
    let mut waited = Duration::ZERO;
    loop {
        let gone = state
            .about
            .as_ref()
            .is_some_and(|about| about.workspace.strong_count() == 0);
        if gone || exact.threads.is_stopped() || waited >= exact.settings.idle {
            state.phase = ExactState::Idle;
            return Task::End;
        }
        if let Some(about) = state.about.clone() {
            let mut places: Vec<Place> = Vec::new();
            while let Some(place) = state.queue.pop_front() {
                if places.first().is_some_and(|first| first.0 != place.0) || places.len() == most {
                    state.queue.push_front(place);
                    break;
                }
                // What was urgent may be in the queue twice.
                if !state.answers.contains_key(&place) && !places.contains(&place) {
                    places.push(place);
                }
            }
            if !places.is_empty() {
                return Task::Answer(about, places);
            }
            if waited >= SETTLED && !state.unsaved.is_empty() {
                return Task::Save(about, unsaved(&mut state));
            }
        }
        let patience = match state.unsaved.is_empty() {
            true => TICK.min(exact.settings.idle.saturating_sub(waited)),
            false => SETTLED,
        };
        let started = Instant::now();
        let result = exact.told.wait_timeout(state, patience);
        state = result.map_or_else(|poisoned| poisoned.into_inner().0, |(state, _)| state);
        waited += started.elapsed();
    }
}
