//! Background threads with an owner: it can tell them to stop, and waits for them before it is gone.

use std::{
    io,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, Builder, JoinHandle},
};

/// Named threads that end with their owner. Long work looks at the stop flag now and then.
#[derive(Default)]
pub struct Threads {
    stop: Arc<AtomicBool>,
    running: Mutex<Vec<JoinHandle<()>>>,
}

impl Threads {
    /// Starts a thread; refused once `stop` was called.
    pub fn spawn(&self, thread: Builder, work: impl FnOnce() + Send + 'static) -> Result<(), NotSpawned> {
        // Held until the handle is in the list, so that `join` misses none.
        let mut running = self.running();
        if self.is_stopped() {
            return Err(NotSpawned::Stopped);
        }
        running.retain(|thread| !thread.is_finished());
        running.push(thread.spawn(work).map_err(NotSpawned::Io)?);
        Ok(())
    }

    /// Set when the threads are to end.
    pub fn stop_flag(&self) -> &Arc<AtomicBool> {
        &self.stop
    }

    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::SeqCst)
    }

    /// Tells the threads to end, and starts no more. Does not wait for them.
    pub fn stop(&self) {
        let _running = self.running();
        self.stop.store(true, Ordering::SeqCst);
    }

    /// Waits for all threads to end, except for the one that calls this: a thread may be the last that holds its owner.
    pub fn join(&self) {
        let running = std::mem::take(&mut *self.running());
        for thread in running {
            if thread.thread().id() != thread::current().id() && thread.join().is_err() {
                tracing::warn!("a background thread has panicked");
            }
        }
    }

    fn running(&self) -> MutexGuard<'_, Vec<JoinHandle<()>>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        self.stop();
        self.join();
    }
}

/// Why there is no thread.
#[derive(Debug)]
pub enum NotSpawned {
    Stopped,
    Io(io::Error),
}

/// A thread with this name.
pub fn named(name: &str) -> Builder {
    Builder::new().name(name.to_owned())
}

#[cfg(test)]
mod tests {
    use std::{
        sync::{Arc, mpsc::channel},
        time::Duration,
    };

    use super::{NotSpawned, Threads, named};

    #[test]
    fn threads_end_before_their_owner() {
        let threads = Threads::default();
        let (sender, ended) = channel();
        for _ in 0..3 {
            let (sender, stop) = (sender.clone(), threads.stop_flag().clone());
            let work = move || {
                while !stop.load(std::sync::atomic::Ordering::SeqCst) {
                    std::thread::sleep(Duration::from_millis(1));
                }
                sender.send(()).unwrap();
            };
            threads.spawn(named("waiting"), work).unwrap();
        }
        threads.stop();
        let refused = threads.spawn(named("late"), || {});
        assert!(matches!(refused, Err(NotSpawned::Stopped)));
        drop(threads);
        assert_eq!(ended.try_iter().count(), 3);
    }

    /// A thread that panics keeps nobody waiting, nor does one that drops its owner.
    #[test]
    fn a_thread_may_hold_its_owner_last() {
        let threads = Arc::new(Threads::default());
        let (go, may_go) = channel::<()>();
        let (own, (done, is_done)) = (threads.clone(), channel());
        let work = move || {
            let _ = may_go.recv();
            drop(own);
            done.send(()).unwrap();
        };
        threads.spawn(named("last"), work).unwrap();
        threads.spawn(named("panics"), || panic!("as wanted")).unwrap();
        drop(threads);
        drop(go);
        is_done.recv_timeout(Duration::from_secs(60)).expect("it ends");
    }
}
