//! Vectors of a model that is slow: made beside the answers, after text and facts are committed.
//!
//! The server or the runtime is asked without the lock of the store; what it has made is then one short commit. A
//! failure ends the work and is told with every answer that lacks vectors for it; a later call goes on.

use std::{
    panic::AssertUnwindSafe,
    sync::{Arc, Mutex, PoisonError, atomic::AtomicBool, atomic::Ordering},
    time::{Duration, Instant},
};

use embed::Vector;
use index::{FileRow, Reader, StoreErrorKind};
use models::{Embedder, Failure};

use crate::{
    embedding::Embedding,
    error::Error,
    job::{Control, Job, Waited},
    refresh::{PATIENCE, Report, TURN, is_content, now_ns},
    threads::named,
    workspace::Workspace,
};

/// Texts that are given to the model at once.
const ROUND: usize = 256;
/// A commit at the latest after so many chunks or so long: what an interruption loses.
const COMMIT_CHUNKS: usize = 4_096;
const COMMIT_EVERY: Duration = Duration::from_secs(5);
/// A process that answers once makes no more than so many, and waits so long for them: what it cannot finish would be
/// made in vain.
const FEW: u32 = 64;
const BRIEFLY: Duration = Duration::from_millis(500);
/// A model that has failed is left alone for so long, unless someone asks for an index.
const REST: Duration = Duration::from_secs(10);

#[derive(Default)]
pub(crate) struct Vectoring {
    job: Mutex<Option<Arc<Job>>>,
    /// When it last failed, and why.
    failed: Mutex<Option<(Instant, String)>>,
    /// The model's vectors are not what they were: all are made anew.
    renew: AtomicBool,
}

impl Vectoring {
    /// Why missing vectors are not being made.
    pub fn why_not(&self) -> Option<String> {
        if self.is_busy() {
            return None;
        }
        let failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        let failure = failed.as_ref().map(|(_, reason)| reason.clone());
        Some(failure.unwrap_or_else(|| "this process makes no more; index_repository does".to_owned()))
    }

    fn set_failure(&self, reason: Option<String>) {
        let failure = reason.map(|reason| (Instant::now(), reason));
        *self.failed.lock().unwrap_or_else(PoisonError::into_inner) = failure;
    }

    pub fn failed_lately(&self) -> bool {
        let failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        failed.as_ref().is_some_and(|(at, _)| at.elapsed() < REST)
    }

    pub fn is_busy(&self) -> bool {
        let job = self.job.lock().unwrap_or_else(PoisonError::into_inner);
        job.as_ref().is_some_and(|job| !job.is_finished())
    }

    pub fn renew(&self) {
        self.renew.store(true, Ordering::SeqCst);
    }

    /// Ends what is under way, as far as it is not committed.
    pub fn stop(&self) {
        if let Some(job) = &*self.job.lock().unwrap_or_else(PoisonError::into_inner) {
            job.stop.store(true, Ordering::SeqCst);
        }
    }
}

impl Workspace {
    /// Sees to it that missing vectors are made, without waiting for many.
    pub(crate) fn catch_up(self: &Arc<Self>, control: &Control<'_>) -> Result<(), Error> {
        if !matches!(*self.embedding, Embedding::Later(_)) || self.vectoring.failed_lately() {
            return Ok(());
        }
        if self.lasts {
            return self.start_vectors().map(|_| ());
        }
        let reader = self.store.reader()?;
        let missing: u32 = reader.without_vectors().iter().map(|row| row.chunks()).sum();
        if missing <= FEW {
            self.make_vectors(control, Instant::now() + BRIEFLY)?;
        }
        Ok(())
    }

    /// Makes missing vectors and waits for them until the deadline. They come later if that passes, and not all of them
    /// if the model fails.
    pub(crate) fn make_vectors(self: &Arc<Self>, control: &Control<'_>, deadline: Instant) -> Result<(), Error> {
        match self
            .start_vectors()?
            .map(|job| job.wait(control, Some(deadline), &|| false))
        {
            Some(Waited::Cancelled) => Err(Error::Cancelled),
            _ => Ok(()),
        }
    }

    /// A server may have another model under the same name: then the length of its vectors tells.
    pub(crate) fn notice_other_vectors(&self) -> Result<(), Error> {
        if let Embedding::Later(model) = &*self.embedding
            && let Some(dim) = self.store.reader()?.vector_dim()
            && let Ok(vector) = model.query("length")
            && vector.values().len() != dim
        {
            self.vectoring.renew();
        }
        Ok(())
    }

    /// The work that is under way, or has been begun by this; `None` if there is nothing to do.
    pub(crate) fn start_vectors(self: &Arc<Self>) -> Result<Option<Arc<Job>>, Error> {
        let Embedding::Later(model) = &*self.embedding else {
            return Ok(None);
        };
        let mut current = self.vectoring.job.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(job) = current.as_ref().filter(|job| !job.is_finished()) {
            return Ok(Some(job.clone()));
        }
        let renew = self.vectoring.renew.load(Ordering::SeqCst);
        if !renew && self.store.reader()?.without_vectors().is_empty() {
            self.vectoring.set_failure(None);
            return Ok(None);
        }
        let job = Arc::new(Job::of("chunks"));
        let (workspace, model, shared) = (self.clone(), model.clone(), job.clone());
        let work = move || {
            let work = AssertUnwindSafe(|| workspace.vectorize(&*model, &shared));
            let outcome = std::panic::catch_unwind(work);
            let reason = match outcome {
                Ok(Ok(()) | Err(Stop::Stopped)) => None,
                Ok(Err(Stop::Failed(reason))) => Some(reason),
                Err(_) => Some("making vectors failed unexpectedly".to_owned()),
            };
            if let Some(reason) = &reason {
                tracing::warn!("{reason}; vectors are missing");
            }
            workspace.vectoring.set_failure(reason);
            drop(workspace);
            // What went wrong is told by the vectors' state: an index without them is an index.
            shared.finish(Ok(Report::default()));
        };
        let spawned = self.background.spawn(named("vectors"), work);
        spawned.map_err(|error| error.at(self.root.path()))?;
        *current = Some(job.clone());
        Ok(Some(job))
    }

    fn vectorize(&self, model: &dyn Embedder, job: &Job) -> Result<(), Stop> {
        // Several processes may serve one directory; the model is asked once.
        let Some(_turn) = self.store.vector_turn().map_err(Stop::failed)? else {
            return Ok(());
        };
        let mut last = u64::MAX;
        loop {
            let renew = self.vectoring.renew.load(Ordering::SeqCst);
            let reader = self.store.reader().map_err(Stop::failed)?;
            let total: u64 = reader.files().indexed().map(|row| u64::from(row.chunks())).sum();
            let missing: Vec<&FileRow> = match renew {
                true => reader.files().indexed().filter(|row| row.chunks() > 0).collect(),
                false => reader.without_vectors(),
            };
            let to_do: u64 = missing.iter().map(|row| u64::from(row.chunks())).sum();
            // Files may have come or changed meanwhile; what cannot be made is left until the next call.
            if to_do == 0 || to_do >= last {
                return Ok(());
            }
            last = to_do;
            job.done.store(total - to_do, Ordering::Relaxed);
            job.total.store(total, Ordering::Relaxed);
            let mut made = Made::new(self, model, job);
            for row in missing {
                if job.stop.load(Ordering::SeqCst) {
                    return Err(Stop::Stopped);
                }
                // What has changed since gets another row, with vectors of its own.
                if let Some(texts) = self.texts(&reader, row) {
                    made.add(row, texts)?;
                }
            }
            made.finish()?;
        }
    }

    /// What the model reads of each chunk, with the same head as the built-in one.
    fn texts(&self, reader: &Reader, row: &FileRow) -> Option<Vec<String>> {
        let facts = reader.facts(row).ok()??;
        let limit = self.session().config.max_file_bytes;
        let (bytes, stat) = self.root.read(&row.path, limit).ok()?;
        let text = source::decode(&bytes).filter(|_| is_content(row, &bytes, stat))?.text;
        let heads = index::Heads::new(&row.path, &facts, &text);
        let chunks = facts.chunks.iter().enumerate();
        let texts = chunks.map(|(at, chunk)| Some(model_text(&heads.of(at..at + 1), text.get(chunk.range())?)));
        let texts: Vec<String> = texts.collect::<Option<_>>()?;
        (texts.len() == row.chunks() as usize).then_some(texts)
    }
}

/// A piece of code as a model that reads text is given it.
pub(crate) fn model_text(head: &str, body: &str) -> String {
    format!("{}\n{body}", head.trim())
}

enum Stop {
    Stopped,
    Failed(String),
}

impl Stop {
    fn failed(error: impl std::fmt::Display) -> Stop {
        Stop::Failed(error.to_string())
    }
}

/// Vectors on their way into the store.
struct Made<'m> {
    workspace: &'m Workspace,
    model: &'m dyn Embedder,
    job: &'m Job,
    files: Vec<FileRow>,
    texts: Vec<String>,
    ready: Vec<(FileRow, Vec<Vector>)>,
    n_ready: usize,
    committed: Instant,
}

impl<'m> Made<'m> {
    fn new(workspace: &'m Workspace, model: &'m dyn Embedder, job: &'m Job) -> Made<'m> {
        Made {
            workspace,
            model,
            job,
            files: Vec::new(),
            texts: Vec::new(),
            ready: Vec::new(),
            n_ready: 0,
            committed: Instant::now(),
        }
    }

    fn add(&mut self, row: &FileRow, texts: Vec<String>) -> Result<(), Stop> {
        self.files.push(row.clone());
        self.texts.extend(texts);
        if self.texts.len() >= ROUND { self.ask() } else { Ok(()) }
    }

    /// Makes the vectors of the files that wait. Those that were made before a failure are kept.
    fn ask(&mut self) -> Result<(), Stop> {
        let mut vectors = Vec::with_capacity(self.texts.len());
        for texts in self.texts.chunks(ROUND) {
            match self.model.code(texts, &self.job.stop) {
                Ok(made) => vectors.extend(made),
                Err(failure) => {
                    self.commit()?;
                    return Err(match failure {
                        Failure::Stopped => Stop::Stopped,
                        Failure::Because(reason) => Stop::Failed(format!("the model `{}` {reason}", self.model.id())),
                    });
                }
            }
            self.job.done.fetch_add(texts.len() as u64, Ordering::Relaxed);
        }
        self.texts.clear();
        self.n_ready += vectors.len();
        let mut vectors = vectors.into_iter();
        for row in self.files.drain(..) {
            let own = vectors.by_ref().take(row.chunks() as usize).collect();
            self.ready.push((row, own));
        }
        if self.n_ready >= COMMIT_CHUNKS || self.committed.elapsed() >= COMMIT_EVERY {
            self.commit()?;
        }
        Ok(())
    }

    fn commit(&mut self) -> Result<(), Stop> {
        if self.ready.is_empty() {
            return Ok(());
        }
        let store = &self.workspace.store;
        let deadline = Instant::now() + PATIENCE;
        let mut writer = loop {
            match store.writer(TURN) {
                Err(_) if self.job.stop.load(Ordering::SeqCst) => return Err(Stop::Stopped),
                Err(error) if matches!(error.kind, StoreErrorKind::Busy) && Instant::now() < deadline => {}
                writer => break writer.map_err(Stop::failed)?,
            }
        };
        for (row, vectors) in self.ready.drain(..) {
            writer.add_vectors(&row, &vectors);
        }
        let complete = writer.was_complete();
        writer
            .commit(complete, now_ns() / 1_000_000_000)
            .map_err(Stop::failed)?;
        writer.finish().map_err(Stop::failed)?;
        self.n_ready = 0;
        self.committed = Instant::now();
        // Those of another length were dropped with the first commit; what is missing then is to be made.
        self.workspace.vectoring.renew.store(false, Ordering::SeqCst);
        Ok(())
    }

    fn finish(mut self) -> Result<(), Stop> {
        if !self.texts.is_empty() {
            self.ask()?;
        }
        self.commit()
    }
}
