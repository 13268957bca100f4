//! Running one tool call: off the async threads, a few at a time, with
//! cancellation and progress.

use std::{
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use serde_json::{Map, Value};
use tokio::{
    sync::{Semaphore, watch},
    time::Instant,
};
use tokio_util::sync::CancellationToken;
use tools::{Call, Outcome, Progress, UnknownTool};

use crate::Tools;

/// Calls that run at once; the others wait, and can be cancelled waiting.
const MAX_RUNNING: usize = 16;

/// The least time between two progress reports of one call.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

pub(crate) struct Calls {
    tools: Arc<dyn Tools>,
    running: Arc<Semaphore>,
    stop: CancellationToken,
}

/// What a call's name means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Names {
    /// A tool as it is shown to clients.
    Listed,
    /// One of ours, whatever a profile shows instead.
    Own,
}

/// Why a call has no outcome.
pub(crate) enum NoOutcome {
    UnknownTool(UnknownTool),
    /// The tool panicked; the panic was caught.
    Crashed,
    Cancelled,
    /// The server is stopping.
    Stopping,
}

impl Calls {
    /// `stop` ends the calls that run and refuses new ones.
    pub(crate) fn new(tools: Arc<dyn Tools>, stop: CancellationToken) -> Self {
        Calls {
            tools,
            running: Arc::new(Semaphore::new(MAX_RUNNING)),
            stop,
        }
    }

    /// Runs a tool until it answers, `cancelled` fires, or this future is
    /// dropped. A call that is given up finds its flag set and ends by itself;
    /// until then it keeps its place among the running ones.
    pub(crate) async fn run<F, Fut>(
        &self,
        names: Names,
        name: String,
        arguments: Map<String, Value>,
        cancelled: &CancellationToken,
        report: Option<F>,
    ) -> Result<Outcome, NoOutcome>
    where
        F: Fn(Progress) -> Fut,
        Fut: Future<Output = ()>,
    {
        let slot = tokio::select! {
            biased;
            () = self.stop.cancelled() => return Err(NoOutcome::Stopping),
            () = cancelled.cancelled() => return Err(NoOutcome::Cancelled),
            slot = self.running.clone().acquire_owned() => slot,
        };
        let abandoned = Arc::new(AtomicBool::new(false));
        let _abandon = SetOnDrop(abandoned.clone());
        let (progress, reports) = watch::channel(None);
        let call = Call {
            cancelled: abandoned,
            progress: Box::new(move |step| {
                progress.send_replace(Some(step));
            }),
        };
        let tools = self.tools.clone();
        let work = tokio::task::spawn_blocking(move || {
            let _slot = slot;
            match names {
                Names::Listed => tools.call(&name, arguments, &call),
                Names::Own => tools.call_own(&name, arguments, &call),
            }
        });
        tokio::select! {
            biased;
            done = with_progress(work, reports, report) => match done {
                Ok(Ok(outcome)) => Ok(outcome),
                Ok(Err(unknown)) => Err(NoOutcome::UnknownTool(unknown)),
                Err(_) => Err(NoOutcome::Crashed),
            },
            () = cancelled.cancelled() => Err(NoOutcome::Cancelled),
            () = self.stop.cancelled() => Err(NoOutcome::Stopping),
        }
    }
}

/// Awaits `work` and passes its progress on. Each report is awaited, so that
/// the answer cannot overtake it.
async fn with_progress<T, F, Fut>(
    work: impl Future<Output = T>,
    mut steps: watch::Receiver<Option<Progress>>,
    report: Option<F>,
) -> T
where
    F: Fn(Progress) -> Fut,
    Fut: Future<Output = ()>,
{
    let Some(report) = report else { return work.await };
    let mut work = pin!(work);
    let mut last = None;
    let mut earliest = Instant::now();
    loop {
        tokio::select! {
            biased;
            done = &mut work => return done,
            step = next_step(&mut steps, last, earliest) => {
                last = Some(step.done);
                earliest = Instant::now() + PROGRESS_INTERVAL;
                report(step).await;
            }
        }
    }
}

/// The latest step beyond `last`, not before `earliest`. Steps that come
/// faster are skipped, and so are those that do not advance.
async fn next_step(steps: &mut watch::Receiver<Option<Progress>>, last: Option<u64>, earliest: Instant) -> Progress {
    let advances = |step: &Option<Progress>| {
        step.as_ref()
            .is_some_and(|step| last.is_none_or(|last| step.done > last))
    };
    loop {
        if steps.wait_for(advances).await.is_err() {
            // The tool is done; its answer is about to end the wait.
            return std::future::pending().await;
        }
        tokio::time::sleep_until(earliest).await;
        let latest = steps.borrow().clone();
        if advances(&latest)
            && let Some(step) = latest
        {
            return step;
        }
    }
}

struct SetOnDrop(Arc<AtomicBool>);

impl Drop for SetOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
