//! Long work that callers wait for, watch and stop.

use std::{
    collections::BTreeSet,
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use crate::{error::Error, indexing::Report, walk::WalkResult};

/// How often a waiting caller looks at its cancellation flag and passes progress on.
const TICK: Duration = Duration::from_millis(50);

/// The caller's side of a call: how to stop it and whom to tell how far it is.
pub struct Control<'c> {
    pub cancelled: &'c AtomicBool,
    pub progress: &'c (dyn Fn(Progress) + Sync),
    /// The words of the question: while much is to be indexed, files that have them go first.
    pub about: &'c str,
}

impl Control<'_> {
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    pub done: u64,
    /// `None` while files are still being counted.
    pub total: Option<u64>,
    /// What is counted: files, or chunks that get vectors.
    pub unit: &'static str,
}

/// Work under way. Shared by the thread that does it and everyone who waits for it.
pub struct Job {
    unit: &'static str,
    began: Instant,
    pub done: AtomicU64,
    /// 0 while unknown.
    pub total: AtomicU64,
    pub stop: AtomicBool,
    /// Goes on when nobody waits for it any more.
    pub detached: AtomicBool,
    outcome: Mutex<Option<Result<Report, Arc<Error>>>>,
    finished: Condvar,
    waiting: AtomicU64,
    /// The files to index, where that is many.
    walk: Mutex<Option<Arc<WalkResult>>>,
    queue: Mutex<Queue>,
    /// Something in the queue was not taken yet.
    has_priority_paths: AtomicBool,
    /// Another process is writing.
    pub is_waiting: AtomicBool,
}

/// Files that someone waits for.
#[derive(Default)]
struct Queue {
    paths: BTreeSet<String>,
    /// How often files were added, and of these how many are committed.
    tickets: u64,
    committed: u64,
    /// How often another scan of the disk was requested, and up to which of these requests the index has what was found.
    requested_rescans: u64,
    rescanned: u64,
}

pub enum Waited {
    Finished(Result<Report, Arc<Error>>),
    /// The deadline passed or enough is done; the job goes on.
    StillRunning,
    Cancelled,
}

impl Job {
    pub fn of(unit: &'static str) -> Job {
        Job {
            unit,
            began: Instant::now(),
            done: AtomicU64::default(),
            total: AtomicU64::default(),
            stop: AtomicBool::default(),
            detached: AtomicBool::default(),
            outcome: Mutex::default(),
            finished: Condvar::default(),
            waiting: AtomicU64::default(),
            walk: Mutex::default(),
            queue: Mutex::default(),
            has_priority_paths: AtomicBool::default(),
            is_waiting: AtomicBool::default(),
        }
    }

    pub fn began(&self) -> Instant {
        self.began
    }

    /// Lets callers say which of these files they wait for.
    pub fn publish_walk(&self, walk: Arc<WalkResult>) {
        *self.walk.lock().unwrap_or_else(PoisonError::into_inner) = Some(walk);
    }

    pub fn walk(&self) -> Option<Arc<WalkResult>> {
        self.walk.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Requests what has changed since the job last scanned the disk. The number is for `is_rescanned`.
    pub fn request_rescan(&self) -> u64 {
        let mut queue = self.queue();
        queue.requested_rescans += 1;
        self.has_priority_paths.store(true, Ordering::SeqCst);
        queue.requested_rescans
    }

    /// The number of the last rescan that was requested.
    pub fn requested_rescans(&self) -> u64 {
        self.queue().requested_rescans
    }

    pub fn mark_rescanned(&self, rescan: u64) {
        self.queue().rescanned = rescan;
    }

    pub fn is_rescanned(&self, rescan: u64) -> bool {
        self.queue().rescanned >= rescan
    }

    /// Requests these files before all others. The number is for `is_committed`.
    pub fn prioritize(&self, paths: BTreeSet<String>) -> u64 {
        let mut queue = self.queue();
        queue.paths.extend(paths);
        queue.tickets += 1;
        self.has_priority_paths.store(true, Ordering::SeqCst);
        queue.tickets
    }

    pub fn has_priority_paths(&self) -> bool {
        self.has_priority_paths.load(Ordering::Relaxed)
    }

    /// The files that are asked for, and what to tell `mark_committed` when they are committed.
    pub fn take_priority_paths(&self) -> (BTreeSet<String>, u64) {
        let mut queue = self.queue();
        self.has_priority_paths.store(false, Ordering::SeqCst);
        (std::mem::take(&mut queue.paths), queue.tickets)
    }

    pub fn mark_committed(&self, ticket: u64) {
        self.queue().committed = ticket;
    }

    pub fn is_committed(&self, ticket: u64) -> bool {
        self.queue().committed >= ticket
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn progress(&self) -> Progress {
        let total = self.total.load(Ordering::Relaxed);
        Progress {
            done: self.done.load(Ordering::Relaxed),
            total: (total > 0).then_some(total),
            unit: self.unit,
        }
    }

    pub fn is_finished(&self) -> bool {
        self.outcome.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    pub fn finish(&self, outcome: Result<Report, Error>) {
        *self.outcome.lock().unwrap_or_else(PoisonError::into_inner) = Some(outcome.map_err(Arc::new));
        self.finished.notify_all();
    }

    /// Waits for the end, for enough to be done, for the deadline or the caller's cancellation. The last caller to cancel
    /// stops the job, unless it was meant to run on its own.
    pub fn wait(&self, control: &Control<'_>, deadline: Option<Instant>, is_enough: &dyn Fn() -> bool) -> Waited {
        self.waiting.fetch_add(1, Ordering::SeqCst);
        let mut told = None;
        let waited = loop {
            let outcome = self.outcome.lock().unwrap_or_else(PoisonError::into_inner);
            let wait = deadline.map_or(TICK, |deadline| {
                TICK.min(deadline.saturating_duration_since(Instant::now()))
            });
            let waited = self
                .finished
                .wait_timeout_while(outcome, wait, |outcome| outcome.is_none());
            let outcome = waited.unwrap_or_else(PoisonError::into_inner).0.clone();
            if let Some(outcome) = outcome {
                break Waited::Finished(outcome);
            }
            if control.is_cancelled() {
                break Waited::Cancelled;
            }
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) || is_enough() {
                break Waited::StillRunning;
            }
            // Told without the lock held: the listener may be slow and the job must be able to finish.
            let progress = self.progress();
            if progress.total.is_some() && told != Some(progress) {
                told = Some(progress);
                (control.progress)(progress);
            }
        };
        let others = self.waiting.fetch_sub(1, Ordering::SeqCst) - 1;
        match waited {
            Waited::Cancelled if others == 0 && !self.detached.load(Ordering::SeqCst) => {
                self.stop.store(true, Ordering::SeqCst);
            }
            Waited::StillRunning => self.detached.store(true, Ordering::SeqCst),
            _ => {}
        }
        waited
    }
}
