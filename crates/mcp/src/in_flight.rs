//! The requests that still owe an answer.
//!
//! One table, consulted at the two ends of the stdio transport, keeps three
//! promises whatever happens in between: the work taken in is bounded, an id
//! is answered once, and nothing follows a cancellation.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use rmcp::model::{ProgressToken, RequestId};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};

/// The budget that unanswered requests share, in KiB of request text.
const BUDGET: usize = 64 * 1024;

/// What even the smallest request takes of the budget: at most 256 requests
/// wait at a time, and their answers with them.
const LEAST_SHARE: usize = BUDGET / 256;

/// A request's share of the budget; given back when dropped.
pub(crate) type Share = OwnedSemaphorePermit;

pub(crate) struct InFlight {
    budget: Arc<Semaphore>,
    requests: Mutex<HashMap<RequestId, Request>>,
    settled: Notify,
}

struct Request {
    progress: Option<ProgressToken>,
    share: Share,
}

impl InFlight {
    pub(crate) fn new() -> Self {
        InFlight {
            budget: Arc::new(Semaphore::new(BUDGET)),
            requests: Mutex::new(HashMap::new()),
            settled: Notify::new(),
        }
    }

    /// Waits until there is room for a request of this many bytes.
    pub(crate) async fn room_for(&self, bytes: usize) -> Share {
        let share = (LEAST_SHARE + bytes / 1024).min(BUDGET);
        let share = u32::try_from(share).unwrap_or(u32::MAX);
        let room = self.budget.clone().acquire_many_owned(share).await;
        room.expect("nothing closes the budget's semaphore")
    }

    /// Takes a request in; false if its id already waits for an answer.
    pub(crate) fn admit(&self, id: RequestId, progress: Option<ProgressToken>, share: Share) -> bool {
        let mut requests = self.lock();
        if requests.contains_key(&id) {
            return false;
        }
        requests.insert(id, Request { progress, share });
        true
    }

    /// Takes a request out, because it is answered or cancelled. `None` means
    /// that nobody waits for an answer (any more).
    pub(crate) fn settle(&self, id: &RequestId) -> Option<Share> {
        let request = self.lock().remove(id)?;
        self.settled.notify_waiters();
        Some(request.share)
    }

    /// Waits until a request is answered or cancelled.
    pub(crate) async fn settled(&self, id: &RequestId) {
        loop {
            // Made before the look, so that nothing is missed in between.
            let settled = self.settled.notified();
            if !self.lock().contains_key(id) {
                return;
            }
            settled.await;
        }
    }

    pub(crate) fn awaits_progress(&self, token: &ProgressToken) -> bool {
        self.lock()
            .values()
            .any(|request| request.progress.as_ref() == Some(token))
    }

    /// Waits until every share is back: all that was asked is answered, and
    /// the answers are written.
    pub(crate) async fn idle(&self) {
        let all = u32::try_from(BUDGET).unwrap_or(u32::MAX);
        let _ = self.budget.acquire_many(all).await;
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<RequestId, Request>> {
        // No code panics while it holds the lock; the map is whole regardless.
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
