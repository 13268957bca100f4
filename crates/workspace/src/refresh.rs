//! Bringing an index up to date with the disk: what changed, read it, commit it.

use std::{
    collections::VecDeque,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use index::{FileRow, FileTable, NewFile, Stat, Store, StoreErrorKind, Writer, content_hash};
use rayon::prelude::*;
use source::Encoding;
use syntax::{ChunkOptions, Lang, file_facts};

use crate::{
    error::Error,
    job::Job,
    read::{Root, Unreadable, stat_of},
    walk::{Found, Rules, Walked, list},
    watch::{Touched, Watch},
};

/// A file modified this shortly before it was checked may have been modified again without its time changing.
const CLOCK_GRANULARITY_NS: i64 = 100_000_000;
/// A commit at the latest after so many files or bytes: what an interruption loses, and what memory must hold. The first
/// commit comes sooner, so that there is something to answer from, and each other one after twice as much.
const BATCH_FILES: usize = 8_000;
const BATCH_BYTES: u64 = 256 << 20;
const FIRST_BATCH_BYTES: u64 = 16 << 20;
/// Fewer files than this are not worth starting threads for.
const FEW: usize = 16;
/// How long to wait for another process that is writing.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);
/// How often to see whether it has done our work too.
const TURN: Duration = Duration::from_millis(10);

/// What a refresh did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// Files read and indexed anew.
    pub indexed: usize,
    /// Chunks of the files indexed anew.
    pub chunks: usize,
    pub unchanged: usize,
    pub removed: usize,
    pub duration: Duration,
}

/// What is to be done with one file.
struct Work<'a> {
    found: &'a Found,
    old: Option<&'a FileRow>,
    id: u64,
}

/// How files become rows; the same for every refresh of a session.
pub(crate) struct Indexing<'a> {
    pub root: &'a Root,
    pub store: &'a Store,
    pub rules: &'a Rules,
    pub chunks: ChunkOptions,
    /// Whether code is parsed.
    pub symbols: bool,
    pub threads: usize,
    /// Index directories of other working trees of the same repository, asked for when there is much to do.
    pub kin: &'a (dyn Fn() -> Vec<PathBuf> + Sync),
    /// When this refresh began to look.
    pub since_ns: i64,
}

impl Walked {
    /// What a walk would find if nothing but what was touched had changed since the table was made. `None` if only a real
    /// walk can tell.
    pub fn assume(files: &FileTable, touched: &Touched, watch: &Watch, root: &Root, rules: &Rules) -> Option<Walked> {
        let mut walked = Walked::default();
        for dir in &touched.dirs {
            let dir = root.path().join(dir);
            let listed = list(root.path(), &dir, rules);
            if !watch.knows_subdirs(&dir, &listed.dirs) {
                return None;
            }
            walked.files.extend(listed.files);
        }
        for row in files.rows() {
            let path = row.path.to_string();
            let on_disk = || std::fs::symlink_metadata(root.path().join(&path));
            let dir = path.rsplit_once('/').map_or("", |(dir, _)| dir);
            if touched.dirs.contains(dir) {
                // It stands for a directory that could not be looked into.
                if row.skip_reason().is_some() && on_disk().is_ok_and(|metadata| metadata.is_dir()) {
                    return None;
                }
                continue;
            }
            if !touched.files.contains(&path) {
                let skip = row.skip_reason().map(str::to_owned);
                walked.files.push(Found {
                    path,
                    stat: row.stat,
                    skip,
                });
                continue;
            }
            match on_disk() {
                Ok(metadata) if metadata.is_file() => {
                    let stat = stat_of(&metadata);
                    let skip = rules.skip(&path, stat.size);
                    walked.files.push(Found { path, stat, skip });
                }
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                _ => return None,
            }
        }
        if !touched.dirs.is_empty() {
            walked.files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        }
        Some(walked)
    }
}

#[derive(PartialEq, Eq)]
enum Sameness {
    Same,
    /// Equal as far as the clock can tell.
    Unsure,
    Different,
}

fn is_racy(stat: Stat, checked_ns: i64) -> bool {
    stat.mtime_ns.max(stat.ctime_ns) >= checked_ns - CLOCK_GRANULARITY_NS
}

fn same(row: &FileRow, found: &Found) -> Sameness {
    if *row.path != *found.path || row.stat != found.stat {
        return Sameness::Different;
    }
    match (&found.skip, row.skip_reason()) {
        // Known from the walk alone: nothing to read.
        (Some(reason), known) => {
            if known == Some(reason) {
                Sameness::Same
            } else {
                Sameness::Different
            }
        }
        (None, _) if is_racy(row.stat, row.checked_ns) => Sameness::Unsure,
        (None, _) => Sameness::Same,
    }
}

pub(crate) fn now_ns() -> i64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |now| now.as_nanos() as i64)
}

impl Indexing<'_> {
    /// Makes the index equal to what was found, in batches that each are a whole commit.
    pub fn run(&self, walked: &Arc<Walked>, force: bool, job: &Job) -> Result<Report, Error> {
        let started = Instant::now();
        let reader = self.store.reader()?;
        if !force && reader.complete() && self.is_current(reader.files(), walked) {
            let unchanged = reader.files().indexed().count();
            return Ok(Report {
                unchanged,
                duration: started.elapsed(),
                ..Report::default()
            });
        }
        let is_new = |found: &&Found| {
            let known = reader.files().by_path(&found.path);
            known.is_none_or(|row| same(row, found) == Sameness::Different)
        };
        let are_few = walked.files.iter().filter(is_new).nth(FEW).is_none();
        let threads = if are_few && !force { 1 } else { self.threads };
        let Some(mut writer) = self.turn(threads, walked, force, reader.generation())? else {
            let unchanged = self.store.reader()?.files().indexed().count();
            return Ok(Report {
                unchanged,
                duration: started.elapsed(),
                ..Report::default()
            });
        };
        let mut report = self.fill(&mut writer, walked, force, job)?;
        writer.finish()?;
        report.duration = started.elapsed();
        Ok(report)
    }

    /// The right to write, or nothing if another process has done the work meanwhile: several servers of one repository
    /// see each change, and one of them is enough.
    fn turn(&self, threads: usize, walked: &Walked, force: bool, before: u64) -> Result<Option<Writer<'_>>, Error> {
        let deadline = Instant::now() + PATIENCE;
        let mut looked_at = before;
        loop {
            match self.store.writer(threads, TURN) {
                Err(error) if matches!(error.kind, StoreErrorKind::Busy) && Instant::now() < deadline => {}
                writer => return Ok(Some(writer?)),
            }
            // What cannot be read now is no reason to stop waiting.
            if let Ok(reader) = self.store.reader()
                && !force
                && reader.generation() != looked_at
            {
                looked_at = reader.generation();
                if reader.complete() && self.is_current(reader.files(), walked) {
                    return Ok(None);
                }
            }
        }
    }

    /// Whether there is nothing to commit. Files that may have changed within the clock's granularity are compared by
    /// content; once enough time has passed to settle the question for good, that is worth a commit.
    fn is_current(&self, files: &FileTable, walked: &Walked) -> bool {
        let unchanged = |row: &FileRow, found: &Found| match same(row, found) {
            Sameness::Same => true,
            Sameness::Different => false,
            Sameness::Unsure => {
                let content = self.root.read(&found.path, self.rules.max_file_bytes);
                is_racy(found.stat, now_ns())
                    && content.is_ok_and(|(bytes, _)| row.hash == hash_of(&found.path, &bytes).1)
            }
        };
        files.rows().len() == walked.files.len()
            && files
                .rows()
                .iter()
                .zip(&walked.files)
                .all(|(row, found)| unchanged(row, found))
    }

    fn fill(&self, writer: &mut Writer<'_>, walked: &Arc<Walked>, force: bool, job: &Job) -> Result<Report, Error> {
        // A second look under the lock: another process may have done the work meanwhile.
        let mut report = Report::default();
        let mut work: VecDeque<(&Found, Option<u64>)> = VecDeque::new();
        // What another process has seen later than we have looked is not gone because we do not know it.
        let is_news = |row: &&FileRow| {
            row.checked_ns >= self.since_ns && self.root.path().join(&*row.path).symlink_metadata().is_ok()
        };
        let rows = writer.files().rows();
        let mut known = rows.iter().peekable();
        let mut unknown = Vec::new();
        for found in &walked.files {
            while let Some(row) = known.next_if(|row| *row.path < *found.path) {
                unknown.push(row);
            }
            let old = known.next_if(|row| *row.path == *found.path);
            match old {
                Some(row) if !force && same(row, found) == Sameness::Same => {
                    report.unchanged += usize::from(row.is_indexed());
                }
                old => work.push_back((found, old.map(|row| row.id))),
            }
        }
        unknown.extend(known);
        for gone in unknown.into_iter().filter(|row| !is_news(row)) {
            writer.remove(gone);
            report.removed += 1;
        }
        job.total.store(work.len() as u64, Ordering::Relaxed);
        if work.len() > FEW && !force {
            writer.learn_from(&(self.kin)());
        }
        let pool = (work.len() > FEW).then(|| rayon::ThreadPoolBuilder::new().num_threads(self.threads).build());
        let pool = pool
            .transpose()
            .map_err(|error| Error::Setting(format!("cannot start threads: {error}")))?;
        if pool.is_some() {
            job.offer(walked.clone());
        }
        let mut batch_bytes = FIRST_BATCH_BYTES;
        while !work.is_empty() {
            let (asked, ticket) = job.take_queue();
            let mut batch: Vec<(&Found, Option<u64>)> = Vec::new();
            if !asked.is_empty() {
                work.retain(|item| {
                    let goes_first = asked.contains(&item.0.path);
                    batch.extend(goes_first.then_some(*item));
                    !goes_first
                });
            }
            let is_asked = !batch.is_empty();
            if !is_asked {
                if !asked.is_empty() {
                    self.store.await_commit();
                }
                job.serve(ticket);
                batch.extend(work.drain(..batch_len(&work, batch_bytes)));
                batch_bytes = (batch_bytes * 2).min(BATCH_BYTES);
            }
            let first_id = writer.reserve_ids(batch.len());
            let one = |(at, (found, old)): (usize, &(&Found, Option<u64>))| {
                if !is_asked && job.is_hurried() {
                    return Ok(Outcome::PutOff);
                }
                let old = old.and_then(|id| writer.files().by_id(id));
                let work = Work {
                    found,
                    old,
                    id: first_id + at as u64,
                };
                self.index_one(writer, &work, force, &job.stop).inspect(|_| {
                    job.done.fetch_add(1, Ordering::Relaxed);
                })
            };
            let outcomes: Vec<Result<Outcome, Error>> = match &pool {
                Some(pool) => pool.install(|| batch.par_iter().enumerate().map(one).collect()),
                None => batch.iter().enumerate().map(one).collect(),
            };
            for (outcome, item) in outcomes.into_iter().zip(batch).rev() {
                match outcome? {
                    Outcome::Indexed { chunks } => {
                        report.indexed += 1;
                        report.chunks += chunks;
                    }
                    Outcome::Unchanged => report.unchanged += 1,
                    Outcome::Skipped => {}
                    Outcome::PutOff => work.push_front(item),
                }
            }
            if !work.is_empty() && writer.has_changes() {
                writer.commit(false, now_ns() / 1_000_000_000)?;
            }
            if is_asked {
                self.store.await_commit();
                job.serve(ticket);
            }
        }
        if writer.has_changes() || !writer.was_complete() {
            writer.commit(true, now_ns() / 1_000_000_000)?;
        }
        Ok(report)
    }

    fn index_one(
        &self,
        writer: &Writer<'_>,
        work: &Work<'_>,
        force: bool,
        stop: &AtomicBool,
    ) -> Result<Outcome, Error> {
        if stop.load(Ordering::Relaxed) {
            return Err(Error::Cancelled);
        }
        let path = work.found.path.as_str();
        let checked_ns = now_ns();
        let read = match &work.found.skip {
            Some(reason) => Err(Unreadable::Because(reason.clone())),
            None => self.root.read(path, self.rules.max_file_bytes),
        };
        let replace = || {
            if let Some(old) = work.old {
                writer.remove(old);
            }
        };
        let skip = |stat: Stat, hash: [u8; 32], reason: String| {
            replace();
            let lang = syntax::PLAINTEXT.name;
            writer.add(NewFile {
                id: work.id,
                path,
                lang,
                stat,
                checked_ns,
                hash,
                body: Err(reason),
            })?;
            Ok(Outcome::Skipped)
        };
        let (bytes, stat) = match read {
            Ok(read) => read,
            Err(Unreadable::Gone) => {
                replace();
                return Ok(Outcome::Skipped);
            }
            Err(Unreadable::Outside) => {
                return skip(work.found.stat, [0; 32], "it leads out of the workspace".into());
            }
            Err(Unreadable::Because(reason)) => return skip(work.found.stat, [0; 32], reason),
        };
        let (lang, hash) = hash_of(path, &bytes);
        if let Some(old) = work.old.filter(|old| !force && old.hash == hash) {
            // What would still be unsure is not worth a commit.
            if stat != old.stat || !is_racy(stat, checked_ns) {
                writer.touch(old, stat, checked_ns);
            }
            return Ok(if old.is_indexed() {
                Outcome::Unchanged
            } else {
                Outcome::Skipped
            });
        }
        let Some(decoded) = source::decode(&bytes) else {
            return skip(stat, hash, "binary: it contains NUL bytes".into());
        };
        let parsed_as = if self.symbols { lang } else { &syntax::PLAINTEXT };
        let known = (!force).then(|| writer.known_facts(&hash)).flatten();
        let facts = known.unwrap_or_else(|| file_facts(parsed_as, &decoded.text, self.chunks));
        let encoding = match decoded.encoding {
            Encoding::Utf8 => None,
            Encoding::Utf16 => Some("decoded from UTF-16"),
            Encoding::Unknown => Some("not valid UTF-8: some characters are replaced"),
        };
        let problem = facts
            .problem
            .map(|problem| format!("searched as text only: {}", problem.as_str()));
        let notes: Vec<String> = encoding.map(str::to_owned).into_iter().chain(problem).collect();
        let note = (!notes.is_empty()).then(|| notes.join("; "));
        replace();
        let body = Ok((&*decoded.text, &facts, note));
        writer.add(NewFile {
            id: work.id,
            path,
            lang: lang.name,
            stat,
            checked_ns,
            hash,
            body,
        })?;
        Ok(Outcome::Indexed {
            chunks: facts.chunks.len(),
        })
    }
}

/// The language and the identity of a file's content.
fn hash_of(path: &str, bytes: &[u8]) -> (&'static Lang, [u8; 32]) {
    let name = path.rsplit('/').next().unwrap_or(path);
    let lang = syntax::detect(name, bytes);
    (lang, content_hash(lang.name, bytes))
}

/// Whether bytes read from disk are those that were indexed. An equal stat says so too, unless the clock could not tell.
pub(crate) fn is_content(row: &FileRow, bytes: &[u8], stat: Stat) -> bool {
    (stat == row.stat && !is_racy(stat, row.checked_ns)) || content_hash(row.lang, bytes) == row.hash
}

enum Outcome {
    Indexed {
        chunks: usize,
    },
    Unchanged,
    Skipped,
    /// Others are waited for.
    PutOff,
}

fn batch_len(work: &VecDeque<(&Found, Option<u64>)>, max_bytes: u64) -> usize {
    let mut bytes = 0;
    let within = work.iter().take(BATCH_FILES).take_while(|(found, _)| {
        bytes += found.stat.size;
        bytes <= max_bytes
    });
    within.count().max(1)
}
