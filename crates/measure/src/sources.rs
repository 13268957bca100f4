//! The texts of a corpus in memory, and what parsing them takes: the floor of indexing.

use std::{
    collections::BTreeMap,
    fs,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use anyhow::Result;
use syntax::{ChunkOptions, FileFacts, Lang};

use crate::corpus::Corpus;

/// Facts do not depend on it much.
const CHUNKS: ChunkOptions = ChunkOptions { size: 512, overlap: 64 };

/// A file as the index takes it.
pub struct Source {
    pub path: String,
    pub lang: &'static Lang,
    pub text: String,
}

impl Source {
    pub fn facts(&self) -> FileFacts {
        syntax::file_facts(self.lang, &self.text, CHUNKS)
    }
}

/// In the order of the corpus.
pub struct Sources(pub Vec<Source>);

impl Sources {
    pub fn read(corpus: &Corpus) -> Result<Sources> {
        let mut sources = Vec::new();
        for path in &corpus.files {
            let bytes = fs::read(corpus.dir.join(path))?;
            let name = path.rsplit('/').next().unwrap_or(path);
            let lang = syntax::detect(name, &bytes);
            if let Some(decoded) = source::decode(&bytes) {
                sources.push(Source {
                    path: path.clone(),
                    lang,
                    text: decoded.text.into_owned(),
                });
            }
        }
        Ok(Sources(sources))
    }

    pub fn get(&self, path: &str) -> Option<&Source> {
        self.0.iter().find(|source| source.path == path)
    }

    /// Does something with every text, on all cores: how long that takes, and what came of it, in order.
    pub fn each<T: Send>(&self, work: impl Fn(&Source) -> T + Sync) -> (Duration, Vec<T>) {
        let next = AtomicUsize::new(0);
        let results = Mutex::new(Vec::with_capacity(self.0.len()));
        let started = Instant::now();
        thread::scope(|scope| {
            for _ in 0..n_threads() {
                scope.spawn(|| {
                    let mut own = Vec::new();
                    loop {
                        let at = next.fetch_add(1, Ordering::Relaxed);
                        let Some(source) = self.0.get(at) else { break };
                        own.push((at, work(source)));
                    }
                    results.lock().unwrap_or_else(PoisonError::into_inner).extend(own);
                });
            }
        });
        let elapsed = started.elapsed();
        let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
        results.sort_unstable_by_key(|(at, _)| *at);
        (elapsed, results.into_iter().map(|(_, result)| result).collect())
    }

    /// Every file read once, on all cores.
    pub fn bare_read(&self, corpus: &Corpus) -> Duration {
        self.each(|source| {
            fs::read(corpus.dir.join(&source.path))
                .map(|bytes| bytes.len())
                .unwrap_or_default()
        })
        .0
    }

    /// tree-sitter alone: trees are made and dropped.
    pub fn bare_parse(&self) -> Duration {
        self.each(|source| syntax::bare_parse(source.lang, &source.text)).0
    }

    /// Files and bytes of each language, most bytes first.
    pub fn languages(&self) -> Vec<(&'static str, usize, usize)> {
        let mut by_name = BTreeMap::<&str, (usize, usize)>::new();
        for source in &self.0 {
            let counts = by_name.entry(source.lang.name).or_default();
            counts.0 += 1;
            counts.1 += source.text.len();
        }
        let mut languages: Vec<_> = by_name.into_iter().map(|(name, (n, bytes))| (name, n, bytes)).collect();
        languages.sort_by_key(|(name, _, bytes)| (std::cmp::Reverse(*bytes), *name));
        languages
    }
}

pub fn n_threads() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}
