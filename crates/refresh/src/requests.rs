//! Asking the process that writes for files that are waited for in this one.
//!
//! A request is a file in a directory beside the index, with paths in it. Whoever has much to index looks there now and
//! then, takes those files first, and removes the request when they are committed.

use std::{
    collections::BTreeSet,
    io::{self, Write},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use index::create_private_dir;

use crate::job::Job;

/// How often the writer looks for requests.
const EVERY: Duration = Duration::from_millis(50);
const SUFFIX: &str = "paths";
/// In names of files it is in none.
const BETWEEN: char = '\0';

pub struct Requests {
    dir: PathBuf,
}

/// Taken back when it is dropped.
pub struct Request {
    path: PathBuf,
}

impl Requests {
    pub fn beside(session_dir: &Path) -> Requests {
        Requests {
            dir: session_dir.join("asked"),
        }
    }

    pub fn send(&self, paths: &BTreeSet<String>) -> io::Result<Request> {
        create_private_dir(&self.dir)?;
        let mut file = tempfile::NamedTempFile::new_in(&self.dir)?;
        for path in paths {
            write!(file, "{path}{BETWEEN}")?;
        }
        let (_, unfinished) = file.keep().map_err(|error| error.error)?;
        let path = unfinished.with_extension(SUFFIX);
        std::fs::rename(&unfinished, &path)?;
        Ok(Request { path })
    }

    fn all(&self) -> impl Iterator<Item = PathBuf> {
        let entries = std::fs::read_dir(&self.dir).into_iter().flatten().flatten();
        let paths = entries.map(|entry| entry.path());
        paths.filter(|path| path.extension().is_some_and(|suffix| suffix == SUFFIX))
    }
}

impl Request {
    pub fn is_met(&self) -> bool {
        !self.path.exists()
    }
}

impl Drop for Request {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

/// The writer's side: the requests of other processes that it knows of.
pub struct PeerQueue<'r> {
    requests: &'r Requests,
    job: &'r Job,
    known: Mutex<KnownRequests>,
}

struct KnownRequests {
    polled: Instant,
    open: Vec<PeerRequest>,
}

struct PeerRequest {
    request: Request,
    rescan: u64,
    ticket: u64,
}

impl<'r> PeerQueue<'r> {
    pub fn new(requests: &'r Requests, job: &'r Job) -> PeerQueue<'r> {
        let (polled, open) = (Instant::now(), Vec::new());
        PeerQueue {
            requests,
            job,
            known: Mutex::new(KnownRequests { polled, open }),
        }
    }

    /// Looks for new ones, if it is time to.
    pub fn poll(&self) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.polled.elapsed() < EVERY {
            return;
        }
        known.polled = Instant::now();
        for path in self.requests.all() {
            if known.open.iter().any(|peer| peer.request.path == path) {
                continue;
            }
            // Who has taken it back does not wait for it.
            let Ok(text) = std::fs::read_to_string(&path) else {
                continue;
            };
            let paths = text.split(BETWEEN).filter(|path| !path.is_empty());
            let rescan = self.job.request_rescan();
            let ticket = self.job.prioritize(paths.map(str::to_owned).collect());
            let request = Request { path };
            known.open.push(PeerRequest {
                request,
                rescan,
                ticket,
            });
        }
    }

    /// Removes the requests whose files are committed, which tells those who wait.
    pub fn complete(&self) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let is_open = |peer: &PeerRequest| !(self.job.is_rescanned(peer.rescan) && self.job.is_committed(peer.ticket));
        known.open.retain(is_open);
    }
}
