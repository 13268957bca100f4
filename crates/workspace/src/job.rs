//! Long work that callers wait for, watch and stop.

use std::{
    collections::BTreeSet,
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use crate::{error::Error, refresh::Report, walk::Walked};

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
pub(crate) struct Job {
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
    /// What there is to be indexed, where that is much.
    found: Mutex<Option<Arc<Walked>>>,
    queue: Mutex<Queue>,
    /// Something in the queue was not taken yet.
    hurried: AtomicBool,
    /// Another process is writing.
    pub is_waiting: AtomicBool,
}

/// Files that someone waits for.
#[derive(Default)]
struct Queue {
    paths: BTreeSet<String>,
    /// How often files were added, and of these how many are done.
    tickets: u64,
    served: u64,
    /// How often a new look at the disk was asked for, and up to which of these the index has what was seen.
    looks: u64,
    looked: u64,
}

pub(crate) enum Waited {
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
            found: Mutex::default(),
            queue: Mutex::default(),
            hurried: AtomicBool::default(),
            is_waiting: AtomicBool::default(),
        }
    }

    pub fn began(&self) -> Instant {
        self.began
    }

    /// Lets callers say which of these files they wait for.
    pub fn offer(&self, found: Arc<Walked>) {
        *self.found.lock().unwrap_or_else(PoisonError::into_inner) = Some(found);
    }

    pub fn found(&self) -> Option<Arc<Walked>> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Asks for what has changed since the job last looked at the disk. The answer is for `has_looked`.
    pub fn ask_look(&self) -> u64 {
        let mut queue = self.queue();
        queue.looks += 1;
        self.hurried.store(true, Ordering::SeqCst);
        queue.looks
    }

    /// The number of the last look that was asked for.
    pub fn looks(&self) -> u64 {
        self.queue().looks
    }

    pub fn looked(&self, look: u64) {
        self.queue().looked = look;
    }

    pub fn has_looked(&self, look: u64) -> bool {
        self.queue().looked >= look
    }

    /// Asks for these files before all others. The answer is for `has_served`.
    pub fn hurry(&self, paths: BTreeSet<String>) -> u64 {
        let mut queue = self.queue();
        queue.paths.extend(paths);
        queue.tickets += 1;
        self.hurried.store(true, Ordering::SeqCst);
        queue.tickets
    }

    pub fn is_hurried(&self) -> bool {
        self.hurried.load(Ordering::Relaxed)
    }

    /// The files that are asked for, and what to tell `serve` when they are committed.
    pub fn take_queue(&self) -> (BTreeSet<String>, u64) {
        let mut queue = self.queue();
        self.hurried.store(false, Ordering::SeqCst);
        (std::mem::take(&mut queue.paths), queue.tickets)
    }

    pub fn serve(&self, ticket: u64) {
        self.queue().served = ticket;
    }

    pub fn has_served(&self, ticket: u64) -> bool {
        self.queue().served >= ticket
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
