//! Exact answers beside the resolved ones. An analysis lives on a thread of its own, is asked place by place, and keeps no
//! answer waiting for longer than it may: what it says later is there for the next one.

mod kept;
mod worker;

use std::{
    cell::Cell,
    collections::VecDeque,
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
    sync::{
        Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError, Weak,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use config::ExactSettings;
use index::FileRow;
use refresh::{NotSpawned, Threads, named};
use rustc_hash::{FxHashMap, FxHashSet};

use self::{kept::from_rows, worker::Worker};
use crate::{snapshot::IndexSnapshot, workspace::Workspace};

/// What knows a language as its compiler does. The binary gives it: nothing here depends on one.
pub trait ExactEngine: Send + Sync {
    /// As coverage names it.
    fn name(&self) -> &'static str;

    /// The language that it answers about.
    fn lang(&self) -> &'static str;

    /// Whether it needs a file, by its path.
    fn reads(&self, path: &str) -> bool;

    /// Changes with what its answers depend on besides the files of a workspace.
    fn fingerprint(&self, root: &Path) -> String;

    /// Loads a workspace. May take long, and may panic.
    fn load(&self, load: ExactLoad<'_>) -> Box<dyn ExactAnalysis>;
}

/// What is to be loaded.
pub struct ExactLoad<'l> {
    pub root: &'l Path,
    /// Paths and texts.
    pub files: Vec<(String, String)>,
    /// Takes what it is doing, for people. Does not return if nobody wants the analysis any more: it unwinds.
    pub progress: &'l dyn Fn(String),
    /// Set when nobody wants the analysis any more. What takes long ends soon after, with whatever result.
    pub stop: Arc<AtomicBool>,
}

/// A loaded workspace. May panic; it is then dropped.
pub trait ExactAnalysis {
    /// Files with their new texts, or without one if they are gone.
    fn change(&mut self, files: Vec<(String, Option<String>)>);

    /// What the names at some places of a file mean, one by one; `None` if the question was stopped.
    fn meanings(&self, path: &str, places: &[u32]) -> Option<Vec<ExactMeaning>>;

    /// Stops the question that is being answered, from any thread.
    fn stop(&self) -> Box<dyn Fn() + Send>;

    fn loaded(&self) -> ExactLoaded;
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExactMeaning {
    /// Definitions in the workspace, by path and where the name begins.
    Definitions(Vec<(String, u32)>),
    /// Nothing that is written in the workspace.
    Elsewhere,
    /// It does not know.
    Unknown,
}

/// What an analysis holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExactLoaded {
    pub crates: usize,
    pub files: usize,
    /// Files that are not of the workspace.
    pub library_files: usize,
    /// Roughly, in bytes.
    pub memory: u64,
    /// Dependencies whose sources are not on this machine.
    pub missing: Vec<String>,
    pub has_standard_library: bool,
    /// What else is worth knowing.
    pub notes: Vec<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum ExactState {
    /// Not loaded: nothing was asked yet, or not for a while.
    #[default]
    Idle,
    /// What it is doing.
    Loading(String),
    Ready(ExactLoaded),
    /// For the user: why there is none.
    Failed(String),
}

/// How an answer was helped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExactCoverage {
    pub engine: &'static str,
    /// Names whose meaning was told.
    pub answered: usize,
    /// Names that it was not waited for.
    pub late: usize,
    pub state: ExactState,
}

/// Deep code is analysed deeply.
const STACK_BYTES: usize = 256 << 20;

/// How often a question is stopped that goes on although it was.
const STOP_AGAIN: Duration = Duration::from_millis(20);

/// The analysis of one workspace.
pub(crate) struct Exact {
    engine: Arc<dyn ExactEngine>,
    settings: ExactSettings,
    /// Found once, by whoever needs it first; others wait for that alone.
    fingerprint: OnceLock<String>,
    /// Of the generation that was last asked about.
    key: Mutex<Option<(u64, Arc<str>)>>,
    state: Mutex<State>,
    told: Condvar,
    threads: Threads,
}

type Place = (Arc<str>, u32);

#[derive(Default)]
struct State {
    /// What the answers are about.
    about: Option<About>,
    answers: FxHashMap<Place, ExactMeaning>,
    unsaved: Vec<Place>,
    queue: VecDeque<Place>,
    queued: FxHashSet<Place>,
    phase: ExactState,
    /// An answer has waited for the analysis to be loaded, and gone without it: others do not wait for that any more.
    is_slow: bool,
    stop: Option<StopQuestion>,
    is_running: bool,
}

/// Stops the question that the analysis is answering. Never called with the state held.
#[derive(Clone)]
struct StopQuestion(Arc<Mutex<Box<dyn Fn() + Send>>>);

impl StopQuestion {
    fn new(stop: Box<dyn Fn() + Send>) -> StopQuestion {
        StopQuestion(Arc::new(Mutex::new(stop)))
    }

    fn stop(&self) {
        (self.0.lock().unwrap_or_else(PoisonError::into_inner))();
    }
}

#[derive(Clone)]
struct About {
    key: Arc<str>,
    reader: Arc<index::Reader>,
    workspace: Weak<Workspace>,
}

impl State {
    fn is_about(&self, key: &Arc<str>) -> bool {
        self.about.as_ref().is_some_and(|about| about.key == *key)
    }

    fn is_ready(&self) -> bool {
        matches!(self.phase, ExactState::Ready(_))
    }

    /// How long an answer waits that may wait for `most`.
    fn wait(&self, most: Duration) -> Duration {
        match self.is_slow && !self.is_ready() {
            true => Duration::ZERO,
            false => most,
        }
    }

    /// Nothing that was asked will be answered.
    fn give_up(&mut self) {
        self.about = None;
        self.queue.clear();
        self.queued.clear();
    }

    fn enqueue(&mut self, place: Place, is_urgent: bool) {
        let is_new = self.queued.insert(place.clone());
        match (is_urgent, is_new) {
            (true, _) => self.queue.push_front(place),
            (false, true) => self.queue.push_back(place),
            (false, false) => {}
        }
    }
}

impl Exact {
    pub fn new(engine: Arc<dyn ExactEngine>, settings: ExactSettings) -> Arc<Exact> {
        Arc::new(Exact {
            engine,
            settings,
            fingerprint: OnceLock::new(),
            key: Mutex::default(),
            state: Mutex::default(),
            told: Condvar::new(),
            threads: Threads::default(),
        })
    }

    /// Tells the thread to end, and what it is answering to stop. Nothing is answered any more.
    pub fn stop(&self) {
        self.threads.stop();
        let stop = {
            let mut state = self.state();
            state.give_up();
            state.stop.clone()
        };
        self.told.notify_all();
        stop.iter().for_each(StopQuestion::stop);
    }

    /// Waits until the thread has ended.
    pub fn join(&self) {
        let mut state = self.state();
        while state.is_running {
            // The question may have begun after it was stopped.
            let stop = state.stop.clone();
            drop(state);
            stop.iter().for_each(StopQuestion::stop);
            state = self.state();
            let waited = self.told.wait_timeout(state, STOP_AGAIN);
            state = waited.map_or_else(|poisoned| poisoned.into_inner().0, |(state, _)| state);
        }
        drop(state);
        self.threads.join();
    }

    pub fn engine(&self) -> &dyn ExactEngine {
        &*self.engine
    }

    pub fn phase(&self) -> ExactState {
        self.state().phase.clone()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stands for the contents of all files that the analysis reads.
    fn key(&self, snapshot: &IndexSnapshot) -> Arc<str> {
        let known = || self.key.lock().unwrap_or_else(PoisonError::into_inner);
        let generation = snapshot.reader.generation();
        if let Some((_, key)) = known().as_ref().filter(|(of, _)| *of == generation) {
            return key.clone();
        }
        // Nobody waits for this with the lock held: it looks at the disk.
        let find = || self.engine.fingerprint(snapshot.workspace.root().path());
        let fingerprint = self.fingerprint.get_or_init(find);
        let mut hasher = blake3::Hasher::new();
        hasher.update(fingerprint.as_bytes());
        for row in self.rows(&snapshot.reader) {
            hasher.update(row.path.as_bytes());
            hasher.update(&[0]);
            hasher.update(&row.hash);
        }
        let key: Arc<str> = hasher.finalize().to_hex().as_str().into();
        *known() = Some((generation, key.clone()));
        key
    }

    fn rows<'r>(&self, reader: &'r index::Reader) -> impl Iterator<Item = &'r FileRow> {
        reader.files().indexed().filter(|row| self.engine.reads(&row.path))
    }

    /// Makes the state be about what a snapshot has.
    fn begin(&self, snapshot: &IndexSnapshot) -> Arc<str> {
        let key = self.key(snapshot);
        if self.state().is_about(&key) {
            return key;
        }
        let kept = snapshot.workspace.store().exact(&key).unwrap_or_else(|error| {
            tracing::debug!(%error, "no exact answers are kept");
            Vec::new()
        });
        let mut state = self.state();
        if !state.is_about(&key) {
            state.give_up();
            state.unsaved.clear();
            state.answers = from_rows(kept);
            // Other contents may be ones that it can load.
            if matches!(state.phase, ExactState::Failed(_)) {
                state.phase = ExactState::Idle;
            }
            state.about = Some(About {
                key: key.clone(),
                reader: snapshot.reader.clone(),
                workspace: Arc::downgrade(&snapshot.workspace),
            });
            let stop = state.stop.clone();
            self.told.notify_all();
            // The engine may take its time; a question about the new contents that it stops is asked again.
            drop(state);
            stop.iter().for_each(StopQuestion::stop);
        }
        key
    }

    fn start(self: &Arc<Self>, state: &mut State) {
        if state.is_running {
            return;
        }
        let exact = self.clone();
        let work = move || {
            let worker = AssertUnwindSafe(|| Worker::default().run(&exact));
            if catch_unwind(worker).is_err() {
                exact.state().phase = ExactState::Failed("the analysis ended unexpectedly".to_owned());
            }
            let mut state = exact.state();
            state.is_running = false;
            state.stop = None;
            exact.told.notify_all();
        };
        let thread = named("exact").stack_size(STACK_BYTES);
        match self.threads.spawn(thread, work) {
            Ok(()) => state.is_running = true,
            Err(NotSpawned::Stopped) => state.give_up(),
            Err(NotSpawned::Io(error)) => {
                state.phase = ExactState::Failed(format!("no thread can be started: {error}"))
            }
        }
    }
}

/// The questions of one answer.
pub struct ExactQuestions<'s> {
    exact: &'s Arc<Exact>,
    snapshot: &'s IndexSnapshot,
    key: Cell<Option<Arc<str>>>,
}

impl<'s> ExactQuestions<'s> {
    pub fn new(snapshot: &'s IndexSnapshot) -> Option<ExactQuestions<'s>> {
        let exact = snapshot.workspace.exact.as_ref()?;
        // Half an index would be analysed once more for each part that is added.
        snapshot.reader.complete().then(|| ExactQuestions {
            exact,
            snapshot,
            key: Cell::default(),
        })
    }

    pub fn lang(&self) -> &'static str {
        self.exact.engine().lang()
    }

    fn begun(&self) -> Arc<str> {
        let key = self.key.take().unwrap_or_else(|| self.exact.begin(self.snapshot));
        self.key.set(Some(key.clone()));
        key
    }

    /// Says what will be asked, so that it is being found out meanwhile.
    pub fn expect(&self, path: &str, places: &mut dyn Iterator<Item = u32>) {
        let key = self.begun();
        let path: Arc<str> = path.into();
        let mut state = self.exact.state();
        if !state.is_about(&key) || matches!(state.phase, ExactState::Failed(_)) {
            return;
        }
        for at in places {
            let place = (path.clone(), at);
            if !state.answers.contains_key(&place) {
                state.enqueue(place, false);
            }
        }
        if !state.queue.is_empty() {
            self.exact.start(&mut state);
            self.exact.told.notify_all();
        }
    }

    /// What a name means, if that is known in time.
    pub fn meaning(&self, path: &str, at: u32) -> Option<ExactMeaning> {
        let key = self.begun();
        let place: Place = (path.into(), at);
        let used = &self.snapshot.exact_use;
        let mut state = self.exact.state();
        let mut is_asked = false;
        loop {
            // Another answer is about newer contents, or there is nothing to wait for.
            if !state.is_about(&key) || matches!(state.phase, ExactState::Failed(_)) {
                used.late.fetch_add(1, Ordering::Relaxed);
                return None;
            }
            if let Some(found) = state.answers.get(&place) {
                used.answered.fetch_add(1, Ordering::Relaxed);
                return Some(found.clone());
            }
            let wait = state.wait(self.exact.settings.wait);
            let deadline = used.deadline.get_or_init(|| Instant::now() + wait);
            let left = deadline.saturating_duration_since(Instant::now());
            if !is_asked {
                is_asked = true;
                state.enqueue(place.clone(), !left.is_zero());
                self.exact.start(&mut state);
                self.exact.told.notify_all();
            }
            if left.is_zero() {
                state.is_slow |= !state.is_ready();
                used.late.fetch_add(1, Ordering::Relaxed);
                return None;
            }
            let waited = self.exact.told.wait_timeout(state, left);
            state = waited.map_or_else(|poisoned| poisoned.into_inner().0, |(state, _)| state);
        }
    }
}

/// What of an answer came from where; counted while it is made.
#[derive(Debug, Default)]
pub(crate) struct ExactUse {
    /// One call waits once, however many answers it is made of.
    deadline: OnceLock<Instant>,
    answered: AtomicUsize,
    late: AtomicUsize,
}

impl IndexSnapshot {
    /// How exact the answers are that this snapshot has given; nothing if it was not asked about such a language.
    pub(crate) fn exact_coverage(&self) -> Option<ExactCoverage> {
        let exact = self.workspace.exact.as_ref()?;
        let (answered, late) = (&self.exact_use.answered, &self.exact_use.late);
        let coverage = ExactCoverage {
            engine: exact.engine().name(),
            answered: answered.load(Ordering::Relaxed),
            late: late.load(Ordering::Relaxed),
            state: exact.phase(),
        };
        (coverage.answered + coverage.late > 0).then_some(coverage)
    }
}

#[cfg(test)]
mod tests {
    use super::{Duration, ExactLoaded, ExactState, State};

    /// One answer waits for an analysis to be loaded; once that was in vain, others wait for loaded ones only.
    #[test]
    fn nobody_waits_again_for_what_loads_slowly() {
        let most = Duration::from_secs(1);
        let loading = ExactState::Loading("sources".to_owned());
        let ready = ExactState::Ready(ExactLoaded::default());
        for (is_slow, phase, expected) in [
            (false, ExactState::Idle, most),
            (false, loading.clone(), most),
            (true, ExactState::Idle, Duration::ZERO),
            (true, loading, Duration::ZERO),
            (true, ready, most),
        ] {
            let state = State {
                is_slow,
                phase,
                ..State::default()
            };
            assert_eq!(state.wait(most), expected, "{is_slow} {:?}", state.phase);
        }
    }
}
