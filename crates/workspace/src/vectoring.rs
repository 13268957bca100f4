//! When vectors of a model that is slow are made: beside the answers. A failure ends the work and is told with every answer
//! that lacks vectors for it; a later call goes on.

use std::{
    panic::AssertUnwindSafe,
    sync::{Arc, Mutex, PoisonError, atomic::AtomicBool, atomic::Ordering},
    time::{Duration, Instant},
};

use refresh::{Control, Job, MissingVectors, Report, Stop, Waited, named};

use crate::{embedding::Embedding, error::Error, workspace::Workspace};

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
        if self.is_server() {
            return self.start_vectors().map(|_| ());
        }
        let reader = self.store().reader()?;
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
            && let Some(dim) = self.store().reader()?.vector_dim()
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
        if !renew && self.store().reader()?.without_vectors().is_empty() {
            self.vectoring.set_failure(None);
            return Ok(None);
        }
        let job = Arc::new(Job::of("chunks"));
        let (workspace, model, shared) = (self.clone(), model.clone(), job.clone());
        let work = move || {
            let missing = MissingVectors {
                dir: &workspace.dir,
                max_file_bytes: workspace.session().config.max_file_bytes,
                model: &*model,
                renew: &workspace.vectoring.renew,
            };
            let work = AssertUnwindSafe(|| missing.run(&shared));
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
        spawned.map_err(Error::not_spawned(self.root().path()))?;
        *current = Some(job.clone());
        Ok(Some(job))
    }
}
