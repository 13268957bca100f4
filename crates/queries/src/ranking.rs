//! Which names a workspace leans on: the order of its map.
//!
//! Every file has to be looked at for it. A small workspace has it at once; of a larger one it is computed beside the
//! answers, which use the last one until then and say so.

use std::{
    io::Write,
    path::Path,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use graph::{Centrality, FileIdx, Mentioned, NameKey};
use index::{FileRow, FileState};
use refresh::named;
use rustc_hash::FxHashMap;
use source::{is_beside_path, is_test_path, is_vendored_path};
use workspace::{Error, FOREVER};

use crate::{map, snapshot::Snapshot};

/// What is ranked while its caller waits: some milliseconds.
const FEW_FILES: usize = 400;
const FEW_BYTES: u64 = 4 << 20;

/// How long an answer waits for the ranking of a larger workspace, where others will come after it.
const PATIENCE: Duration = Duration::from_millis(400);

/// Kept beside the index: what it says holds for the same files with the same contents, whoever has counted.
const FILE: &str = "ranking.bin";
/// What it begins with.
const MARK: &[u8; 8] = b"ranking3";

/// Of one generation.
#[derive(Clone)]
pub(crate) struct Ranking {
    pub generation: u64,
    /// Stands for what is in all files.
    digest: u64,
    by_path: Arc<ByPath>,
    by_dir: Arc<ByDir>,
}

type ByPath = FxHashMap<Box<str>, Ranked>;
/// How many files outside of a directory import something in it; tests, examples and vendored files are not counted.
type ByDir = FxHashMap<Box<str>, u32>;

/// A file among the others.
#[derive(Debug, Default)]
pub(crate) struct Ranked {
    /// Stands for its contents.
    content: u64,
    /// How many of its symbols have a place on a map, and what none of them weighs more than.
    pub n_symbols: u32,
    pub heaviest: f32,
    /// Whether a program starts in it.
    pub has_main: bool,
    /// By name, how many other files refer to what has it, by their own ranks.
    names: Vec<(NameKey, f32)>,
}

impl Ranked {
    pub fn of(&self, name: &str) -> f64 {
        let found = self.names.binary_search_by_key(&NameKey::of(name), |(name, _)| *name);
        found.map_or(0.0, |at| f64::from(self.names[at].1))
    }

    /// Whether it is about what is in the file now.
    pub fn is_current(&self, row: &FileRow) -> bool {
        self.content == content(row)
    }

    fn write(&self, out: &mut Vec<u8>) {
        out.extend((self.names.len() as u32).to_le_bytes());
        out.extend(self.content.to_le_bytes());
        out.extend(self.n_symbols.to_le_bytes());
        out.extend(self.heaviest.to_le_bytes());
        out.push(u8::from(self.has_main));
        for (name, rank) in &self.names {
            out.extend(name.to_bits().to_le_bytes());
            out.extend(rank.to_le_bytes());
        }
    }

    /// With what comes after it.
    fn read(bytes: &[u8]) -> Option<(Ranked, &[u8])> {
        let (n_names, rest) = bytes.split_first_chunk()?;
        let (content, rest) = rest.split_first_chunk()?;
        let (n_symbols, rest) = rest.split_first_chunk()?;
        let (heaviest, rest) = rest.split_first_chunk()?;
        let (has_main, rest) = rest.split_first()?;
        let size = (u32::from_le_bytes(*n_names) as usize).checked_mul(12)?;
        let (names, rest) = rest.split_at_checked(size)?;
        let names = names.as_chunks::<12>().0.iter().filter_map(|entry| {
            let (name, rank) = entry.split_first_chunk()?;
            let rank = f32::from_le_bytes(*rank.first_chunk()?);
            Some((NameKey::from_bits(u64::from_le_bytes(*name)), rank))
        });
        let ranked = Ranked {
            content: u64::from_le_bytes(*content),
            n_symbols: u32::from_le_bytes(*n_symbols),
            heaviest: f32::from_le_bytes(*heaviest),
            has_main: *has_main != 0,
            names: names.collect(),
        };
        Some((ranked, rest))
    }
}

/// Stands for what is in a file.
fn content(row: &FileRow) -> u64 {
    row.hash.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

impl Ranking {
    /// Nothing of a file that was not there, or has no symbols.
    pub fn of(&self, path: &str) -> Option<&Ranked> {
        self.by_path.get(path)
    }

    /// How many files outside of a directory import something in it.
    pub fn importers(&self, dir: &str) -> u32 {
        self.by_dir.get(dir).copied().unwrap_or_default()
    }

    fn to_bytes(&self) -> Vec<u8> {
        let mut out = MARK.to_vec();
        out.extend(self.generation.to_le_bytes());
        out.extend(self.digest.to_le_bytes());
        let mut dirs: Vec<_> = self.by_dir.iter().collect();
        dirs.sort_unstable();
        out.extend((dirs.len() as u32).to_le_bytes());
        for (dir, importers) in dirs {
            out.extend((dir.len() as u32).to_le_bytes());
            out.extend(dir.as_bytes());
            out.extend(importers.to_le_bytes());
        }
        let mut paths: Vec<_> = self.by_path.iter().collect();
        paths.sort_unstable_by_key(|(path, _)| *path);
        for (path, ranked) in paths {
            out.extend((path.len() as u32).to_le_bytes());
            out.extend(path.as_bytes());
            ranked.write(&mut out);
        }
        let seal = blake3::hash(&out);
        out.extend(seal.as_bytes());
        out
    }

    /// What was kept; nothing where that is not whole.
    fn from_bytes(bytes: &[u8]) -> Option<Ranking> {
        let (kept, seal) = bytes.split_last_chunk::<32>()?;
        if blake3::hash(kept) != *seal {
            return None;
        }
        let (generation, rest) = kept.strip_prefix(MARK)?.split_first_chunk()?;
        let (digest, rest) = rest.split_first_chunk()?;
        let (n_dirs, mut rest) = rest.split_first_chunk()?;
        let mut by_dir = ByDir::default();
        for _ in 0..u32::from_le_bytes(*n_dirs) {
            let (dir, behind) = rest.split_first_chunk()?;
            let (dir, behind) = behind.split_at_checked(u32::from_le_bytes(*dir) as usize)?;
            let (importers, behind) = behind.split_first_chunk()?;
            by_dir.insert(std::str::from_utf8(dir).ok()?.into(), u32::from_le_bytes(*importers));
            rest = behind;
        }
        let mut by_path = ByPath::default();
        while !rest.is_empty() {
            let (path, behind) = rest.split_first_chunk()?;
            let (path, behind) = behind.split_at_checked(u32::from_le_bytes(*path) as usize)?;
            let (ranked, behind) = Ranked::read(behind)?;
            by_path.insert(std::str::from_utf8(path).ok()?.into(), ranked);
            rest = behind;
        }
        Some(Ranking {
            generation: u64::from_le_bytes(*generation),
            digest: u64::from_le_bytes(*digest),
            by_path: Arc::new(by_path),
            by_dir: Arc::new(by_dir),
        })
    }

    fn keep(&self, dir: &Path) -> std::io::Result<()> {
        let mut file = tempfile::NamedTempFile::new_in(dir)?;
        file.write_all(&self.to_bytes())?;
        file.persist(dir.join(FILE)).map_err(|error| error.error)?;
        Ok(())
    }
}

/// The last ranking of a workspace, and whether another one is being computed.
#[derive(Default)]
pub(crate) struct Rankings {
    last: Mutex<Last>,
    done: Condvar,
}

#[derive(Default)]
struct Last {
    ranking: Option<Ranking>,
    is_busy: bool,
    /// What was kept has been read.
    is_read: bool,
}

impl Last {
    fn is_of(&self, digest: u64) -> bool {
        self.ranking.as_ref().is_some_and(|last| last.digest == digest)
    }

    /// An older one never takes the place of a newer one.
    fn publish(&mut self, ranking: Ranking) {
        let is_newer = |last: &Ranking| last.generation > ranking.generation;
        if !self.ranking.as_ref().is_some_and(is_newer) {
            self.ranking = Some(ranking);
        }
    }
}

impl Rankings {
    fn last(&self) -> MutexGuard<'_, Last> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Says that the work is over, whatever comes of it.
struct Busy(Snapshot);

impl Drop for Busy {
    fn drop(&mut self) {
        let rankings = &self.0.caches.rankings;
        rankings.last().is_busy = false;
        rankings.done.notify_all();
    }
}

impl Snapshot {
    /// The ranking of this generation, or an older one while this one's is being computed; none if there is none yet.
    pub(crate) fn ranking(&self) -> Result<Option<Ranking>, Error> {
        let rankings = &self.caches.rankings;
        let (generation, digest) = (self.reader().generation(), self.reader().files().digest());
        let mut last = rankings.last();
        if !std::mem::replace(&mut last.is_read, true) {
            let kept = std::fs::read(self.workspace().session_dir().join(FILE));
            let kept = kept.ok().and_then(|bytes| Ranking::from_bytes(&bytes));
            // An index that was made anew counts its generations anew.
            last.ranking = kept.filter(|kept| kept.digest == digest || kept.generation < generation);
        }
        if !last.is_of(digest) && self.reader().complete() {
            if self.is_small() {
                drop(last);
                let ranking = self.compute_ranking()?;
                last = rankings.last();
                last.publish(ranking);
            } else {
                if !std::mem::replace(&mut last.is_busy, true) {
                    drop(last);
                    self.rank_beside()?;
                    last = rankings.last();
                }
                let waits = |last: &mut Last| last.is_busy && !last.is_of(digest);
                // A process that ends with the answer would begin anew each time.
                let patience = match self.workspace().is_server() || last.ranking.is_some() {
                    true => PATIENCE,
                    false => FOREVER,
                };
                let waited = rankings.done.wait_timeout_while(last, patience, waits);
                last = waited.unwrap_or_else(PoisonError::into_inner).0;
            }
        }
        // The same contents can come back.
        Ok(last.ranking.clone().map(|last| Ranking {
            generation: if last.digest == digest {
                generation
            } else {
                last.generation
            },
            ..last
        }))
    }

    /// Computes the ranking on a thread that no answer has to wait for.
    fn rank_beside(&self) -> Result<(), Error> {
        let busy = Busy(self.detached());
        let work = move || match busy.0.compute_ranking() {
            Ok(ranking) => {
                let Snapshot { caches, .. } = &busy.0;
                // First: who waits for it may be all that the process is there for.
                if let Err(error) = ranking.keep(busy.0.workspace().session_dir()) {
                    tracing::debug!(%error, "the ranking is not kept");
                }
                caches.rankings.last().publish(ranking);
                caches.rankings.done.notify_all();
            }
            // A file has changed: whoever asks next begins again.
            Err(error) => tracing::debug!(%error, "no ranking"),
        };
        let workspace = self.workspace();
        let spawned = workspace.background().spawn(named("ranking"), work);
        spawned.map_err(Error::not_spawned(workspace.root().path()))
    }

    fn is_small(&self) -> bool {
        let rows = || self.reader().files().indexed();
        rows().nth(FEW_FILES).is_none() && rows().map(|row| row.stat.size).sum::<u64>() <= FEW_BYTES
    }

    fn compute_ranking(&self) -> Result<Ranking, Error> {
        let graph = self.import_graph()?;
        let modules = &graph.modules;
        let mut mentioned = Vec::with_capacity(modules.files().len());
        for (file, row) in modules.files().all().zip(self.reader().files().indexed()) {
            self.check_open()?;
            let is_code = matches!(row.state, FileState::Indexed { .. });
            mentioned.push(if is_code && has_names(row.lang) {
                Mentioned::of(modules, file, &self.facts_at(row)?)
            } else {
                Mentioned::default()
            });
        }
        let is_aside = |file| {
            let path = modules.files().path(file);
            is_test_path(path) || is_vendored_path(path) || is_beside_path(path)
        };
        let by_dir = importers_by_dir(modules.files(), &mentioned, is_aside);
        let centrality = Centrality::new(modules, mentioned, is_aside);
        let mut by_path = ByPath::default();
        for (row, names) in self.reader().files().indexed().zip(centrality.names) {
            self.check_open()?;
            if !map::lang_of(row).has_symbols() {
                continue;
            }
            let facts = self.reader().definitions(row)?.ok_or(Error::Stale)?;
            let mut ranked = Ranked {
                content: content(row),
                names: names.into_iter().map(|(name, count)| (name, count as f32)).collect(),
                ..Ranked::default()
            };
            ranked.has_main = map::has_main(&row.path, &facts);
            (ranked.n_symbols, ranked.heaviest) = map::symbols_on_map(row, &facts, &ranked);
            by_path.insert(row.path.clone(), ranked);
        }
        Ok(Ranking {
            generation: self.reader().generation(),
            digest: self.reader().files().digest(),
            by_path: Arc::new(by_path),
            by_dir: Arc::new(by_dir),
        })
    }
}

/// For each directory, how many files outside of it import a file in it.
fn importers_by_dir(files: &graph::Files, mentioned: &[Mentioned], is_aside: impl Fn(FileIdx) -> bool) -> ByDir {
    let mut by_dir = ByDir::default();
    for (importer, mentioned) in files.all().zip(mentioned) {
        if is_aside(importer) {
            continue;
        }
        let own = files.path(importer);
        let is_outside = |dir: &&str| !own.strip_prefix(dir).is_some_and(|rest| rest.starts_with('/'));
        let imported = mentioned.imports().iter().flat_map(|file| {
            let path = files.path(*file);
            path.match_indices('/').map(|(at, _)| &path[..at])
        });
        let mut dirs: Vec<&str> = imported.filter(is_outside).collect();
        dirs.sort_unstable();
        dirs.dedup();
        for dir in dirs {
            *by_dir.entry(dir.into()).or_default() += 1;
        }
    }
    by_dir
}

/// Whether files of a language can refer to each other's names.
fn has_names(lang: &str) -> bool {
    syntax::lang_by_name(lang).is_some_and(|lang| lang.has_symbols() && !lang.is_prose())
}
