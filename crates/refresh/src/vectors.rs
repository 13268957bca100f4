//! Vectors of a model that is slow: made after text and facts are committed.
//!
//! The server or the runtime is asked without the lock of the store; what it has made is then one short commit.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use embed::Vector;
use index::{FileRow, Reader, StoreErrorKind};
use models::{Embedder, Failure};

use crate::{
    indexed_dir::IndexedDir,
    indexing::{PATIENCE, TURN, is_content, now_ns},
    job::Job,
};

/// Texts that are given to the model at once.
const ROUND: usize = 256;
/// A commit at the latest after so many chunks or so long: what an interruption loses.
const COMMIT_CHUNKS: usize = 4_096;
const COMMIT_EVERY: Duration = Duration::from_secs(5);

/// The chunks of an index that have no vectors yet, and the model that makes them.
pub struct MissingVectors<'v> {
    pub dir: &'v IndexedDir,
    pub max_file_bytes: u64,
    pub model: &'v dyn Embedder,
    /// The model's vectors are not what they were: all are made anew.
    pub renew: &'v AtomicBool,
}

impl MissingVectors<'_> {
    /// Makes what is missing until there is nothing left to do.
    pub fn run(&self, job: &Job) -> Result<(), Stop> {
        // Several processes may serve one directory; the model is asked once.
        let Some(_turn) = self.dir.store.vector_turn().map_err(Stop::failed)? else {
            return Ok(());
        };
        let mut last = u64::MAX;
        loop {
            let renew = self.renew.load(Ordering::SeqCst);
            let reader = self.dir.store.reader().map_err(Stop::failed)?;
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
            let mut batch = VectorBatch::new(self, job);
            for row in missing {
                if job.stop.load(Ordering::SeqCst) {
                    return Err(Stop::Stopped);
                }
                // What has changed since gets another row, with vectors of its own.
                if let Some(texts) = self.texts(&reader, row) {
                    batch.add(row, texts)?;
                }
            }
            batch.finish()?;
        }
    }

    /// What the model reads of each chunk, with the same head as the built-in one.
    fn texts(&self, reader: &Reader, row: &FileRow) -> Option<Vec<String>> {
        let facts = reader.facts(row).ok()??;
        let (bytes, stat) = self.dir.root.read(&row.path, self.max_file_bytes).ok()?;
        let text = source::decode(&bytes).filter(|_| is_content(row, &bytes, stat))?.text;
        let heads = index::Heads::new(&row.path, &facts, &text);
        let chunks = facts.chunks.iter().enumerate();
        let texts = chunks.map(|(at, chunk)| Some(model_text(&heads.of(at..at + 1), text.get(chunk.range())?)));
        let texts: Vec<String> = texts.collect::<Option<_>>()?;
        (texts.len() == row.chunks() as usize).then_some(texts)
    }
}

/// A piece of code as a model that reads text is given it.
pub fn model_text(head: &str, body: &str) -> String {
    format!("{}\n{body}", head.trim())
}

/// Why vectors are still missing.
#[derive(Debug)]
pub enum Stop {
    Stopped,
    Failed(String),
}

impl Stop {
    fn failed(error: impl std::fmt::Display) -> Stop {
        Stop::Failed(error.to_string())
    }
}

/// Vectors on their way into the store.
struct VectorBatch<'m> {
    missing: &'m MissingVectors<'m>,
    job: &'m Job,
    files: Vec<FileRow>,
    texts: Vec<String>,
    ready: Vec<(FileRow, Vec<Vector>)>,
    n_ready: usize,
    committed: Instant,
}

impl<'m> VectorBatch<'m> {
    fn new(missing: &'m MissingVectors<'m>, job: &'m Job) -> VectorBatch<'m> {
        VectorBatch {
            missing,
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
            match self.missing.model.code(texts, &self.job.stop) {
                Ok(made) => vectors.extend(made),
                Err(failure) => {
                    self.commit()?;
                    return Err(match failure {
                        Failure::Stopped => Stop::Stopped,
                        Failure::Because(reason) => {
                            Stop::Failed(format!("the model `{}` {reason}", self.missing.model.id()))
                        }
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
        let store = &self.missing.dir.store;
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
        self.missing.renew.store(false, Ordering::SeqCst);
        Ok(())
    }

    fn finish(mut self) -> Result<(), Stop> {
        if !self.texts.is_empty() {
            self.ask()?;
        }
        self.commit()
    }
}
