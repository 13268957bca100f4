//! Long work that callers wait for, watch and stop.

use std::{
    sync::{
        Arc, Condvar, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use crate::{error::Error, refresh::Report};

/// How often a waiting caller looks at its cancellation flag and passes progress on.
const TICK: Duration = Duration::from_millis(50);

/// The caller's side of a call: how to stop it and whom to tell how far it is.
pub struct Control<'c> {
    pub cancelled: &'c AtomicBool,
    pub progress: &'c (dyn Fn(Progress) + Sync),
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
#[derive(Default)]
pub(crate) struct Job {
    unit: &'static str,
    pub done: AtomicU64,
    /// 0 while unknown.
    pub total: AtomicU64,
    pub stop: AtomicBool,
    /// Goes on when nobody waits for it any more.
    pub detached: AtomicBool,
    outcome: Mutex<Option<Result<Report, Arc<Error>>>>,
    finished: Condvar,
    waiting: AtomicU64,
}

pub(crate) enum Waited {
    Finished(Result<Report, Arc<Error>>),
    /// The deadline passed; the job goes on.
    StillRunning,
    Cancelled,
}

impl Job {
    pub fn of(unit: &'static str) -> Job {
        Job { unit, ..Job::default() }
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

    /// Waits for the end, the deadline or the caller's cancellation. The last caller to cancel stops the job, unless
    /// it was meant to run on its own.
    pub fn wait(&self, control: &Control<'_>, deadline: Option<Instant>) -> Waited {
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
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
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
