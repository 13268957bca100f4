//! A bound on what waits to be indexed: the text index takes files faster than it indexes them.

use std::{
    sync::{Arc, Condvar, Mutex, PoisonError},
    time::Duration,
};

/// How much waits.
#[derive(Debug)]
pub(crate) struct Queue {
    max: usize,
    waiting: Mutex<usize>,
    left: Condvar,
}

/// Of something that waits; gives its room back when dropped.
#[derive(Debug)]
pub(crate) struct Place {
    queue: Arc<Queue>,
    size: usize,
}

/// Something that waits for ever, behind a thread that has died, is found out elsewhere: nobody stands here for it.
const PATIENCE: Duration = Duration::from_secs(5);

impl Queue {
    pub fn new(max: usize) -> Queue {
        Queue {
            max,
            waiting: Mutex::new(0),
            left: Condvar::new(),
        }
    }

    /// Waits until there is room. One thing always has room, however large it is.
    pub fn enter(self: &Arc<Queue>, size: usize) -> Place {
        let waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let is_full = |waiting: &mut usize| *waiting > 0 && *waiting + size > self.max;
        let room = self.left.wait_timeout_while(waiting, PATIENCE, is_full);
        let (mut waiting, _) = room.unwrap_or_else(PoisonError::into_inner);
        *waiting += size;
        Place {
            queue: self.clone(),
            size,
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut waiting = self.queue.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        *waiting = waiting.saturating_sub(self.size);
        self.queue.left.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn who_does_not_fit_waits_for_room() {
        let queue = Arc::new(Queue::new(10));
        // However large, the first one need not wait.
        let large = queue.enter(50);
        let (entered, was_entered) = mpsc::channel();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let place = queue.enter(4);
                entered.send(()).unwrap();
                drop(place);
            });
            assert!(was_entered.recv_timeout(Duration::from_millis(50)).is_err());
            drop(large);
            was_entered.recv().unwrap();
        });
        assert_eq!(*queue.waiting.lock().unwrap(), 0);
    }
}
