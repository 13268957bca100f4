//! Bringing an index up to date with the disk: what changed, read it, commit it.

use std::{
    collections::{BTreeSet, VecDeque},
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
    requests::{Promises, Requests},
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

/// What was on disk at a time.
pub(crate) struct Looked {
    pub walked: Arc<Walked>,
    pub rules: Rules,
    /// When the look began.
    pub since_ns: i64,
}

/// How files become rows; the same for every refresh of a session.
pub(crate) struct Indexing<'a> {
    pub root: &'a Root,
    pub store: &'a Store,
    pub chunks: ChunkOptions,
    /// Whether code is parsed.
    pub symbols: bool,
    pub threads: usize,
    /// Index directories of other working trees of the same repository, asked for when there is much to do.
    pub kin: &'a (dyn Fn() -> Vec<PathBuf> + Sync),
    /// Looks at the disk; what was found there before may help.
    pub look: &'a (dyn Fn(Option<&Walked>) -> Result<Looked, Error> + Sync),
    /// What other processes ask the one for that writes.
    pub requests: &'a Requests,
    /// Whether something is known to have changed since the last look.
    pub is_behind: &'a (dyn Fn() -> bool + Sync),
    /// Everything is indexed anew.
    pub force: bool,
}

impl Found {
    pub fn of_row(row: &FileRow) -> Found {
        Found {
            path: row.path.to_string(),
            stat: row.stat,
            skip: row.skip_reason().map(str::to_owned),
        }
    }
}

impl Walked {
    /// What a walk would find if nothing but what was touched had changed since these were known. `None` if only a real
    /// walk can tell.
    pub fn assume(
        known: impl Iterator<Item = Found>,
        touched: &Touched,
        watch: &Watch,
        root: &Root,
        rules: &Rules,
    ) -> Option<Walked> {
        let mut walked = Walked::default();
        for dir in &touched.dirs {
            let dir = root.path().join(dir);
            let listed = list(root.path(), &dir, rules);
            if !watch.knows_subdirs(&dir, &listed.dirs) {
                return None;
            }
            walked.files.extend(listed.files);
        }
        for found in known {
            let on_disk = || std::fs::symlink_metadata(root.path().join(&found.path));
            let dir = found.path.rsplit_once('/').map_or("", |(dir, _)| dir);
            if touched.dirs.contains(dir) {
                // It stands for a directory that could not be looked into.
                if found.skip.is_some() && on_disk().is_ok_and(|metadata| metadata.is_dir()) {
                    return None;
                }
                continue;
            }
            if !touched.files.contains(&found.path) {
                walked.files.push(found);
                continue;
            }
            match on_disk() {
                Ok(metadata) if metadata.is_file() => {
                    let stat = stat_of(&metadata);
                    let skip = rules.skip(&found.path, stat.size);
                    let path = found.path;
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

    /// Those that were not there before, or not as they are now.
    fn news<'w>(&'w self, before: &Walked) -> impl Iterator<Item = &'w Found> {
        let mut before = before.files.iter().peekable();
        self.files.iter().filter(move |found| {
            while before.next_if(|old| old.path < found.path).is_some() {}
            before.next_if(|old| old.path == found.path) != Some(found)
        })
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

/// Indexing as far as it has come.
struct Run<'r> {
    job: &'r Job,
    began_ns: i64,
    report: Report,
    /// There is none where there is little to do.
    pool: Option<rayon::ThreadPool>,
    batch_bytes: u64,
    /// What was there when the disk was last looked at, if it was more than once.
    before: Option<Arc<Walked>>,
    /// The number of the last look, for those who asked for one.
    look: u64,
    promises: Promises<'r>,
}

#[derive(PartialEq, Eq)]
enum Filled {
    All,
    /// Something has changed meanwhile, or someone wants to know whether.
    AsFarAsSeen,
}

impl Indexing<'_> {
    /// Makes the index equal to what is on disk, in batches that each are a whole commit.
    pub fn run(&self, job: &Job) -> Result<Report, Error> {
        let began_ns = now_ns();
        let mut looked = (self.look)(None)?;
        let started = Instant::now();
        let reader = self.store.reader()?;
        let nothing_to_do = |unchanged| Report {
            unchanged,
            duration: started.elapsed(),
            ..Report::default()
        };
        if !self.force && reader.complete() && self.is_current(reader.files(), &looked) {
            return Ok(nothing_to_do(reader.files().indexed().count()));
        }
        let is_new = |found: &&Found| {
            let known = reader.files().by_path(&found.path);
            known.is_none_or(|row| same(row, found) == Sameness::Different)
        };
        let are_few = looked.walked.files.iter().filter(is_new).nth(FEW).is_none();
        let threads = if are_few && !self.force { 1 } else { self.threads };
        let Some(mut writer) = self.turn(threads, &looked, reader.generation(), job)? else {
            return Ok(nothing_to_do(self.store.reader()?.files().indexed().count()));
        };
        let mut run = Run {
            job,
            began_ns,
            report: Report::default(),
            pool: None,
            batch_bytes: FIRST_BATCH_BYTES,
            before: None,
            look: 0,
            promises: Promises::new(self.requests, job),
        };
        while self.fill(&mut writer, &looked, &mut run)? != Filled::All {
            // Counted before the disk is looked at: who asks meanwhile asks again.
            run.look = job.looks();
            let now = (self.look)(Some(&looked.walked))?;
            run.before = Some(std::mem::replace(&mut looked, now).walked);
            writer.reload_files()?;
        }
        writer.finish()?;
        Ok(Report {
            duration: started.elapsed(),
            ..run.report
        })
    }

    /// The right to write, or nothing if another process has done the work meanwhile: several servers of one repository
    /// see each change, and one of them is enough.
    fn turn(&self, threads: usize, looked: &Looked, before: u64, job: &Job) -> Result<Option<Writer<'_>>, Error> {
        let deadline = Instant::now() + PATIENCE;
        let mut looked_at = before;
        loop {
            match self.store.writer(threads, TURN) {
                Err(error) if matches!(error.kind, StoreErrorKind::Busy) && Instant::now() < deadline => {}
                writer => {
                    job.is_waiting.store(false, Ordering::SeqCst);
                    return Ok(Some(writer?));
                }
            }
            job.offer(looked.walked.clone());
            job.is_waiting.store(true, Ordering::SeqCst);
            // What cannot be read now is no reason to stop waiting.
            if let Ok(reader) = self.store.reader()
                && !self.force
                && reader.generation() != looked_at
            {
                looked_at = reader.generation();
                if reader.complete() && self.is_current(reader.files(), looked) {
                    return Ok(None);
                }
            }
        }
    }

    /// Whether there is nothing to commit. Files that may have changed within the clock's granularity are compared by
    /// content; once enough time has passed to settle the question for good, that is worth a commit.
    fn is_current(&self, files: &FileTable, looked: &Looked) -> bool {
        let found = &looked.walked.files;
        let unchanged = |row: &FileRow, found: &Found| match same(row, found) {
            Sameness::Same => true,
            Sameness::Different => false,
            Sameness::Unsure => {
                let content = self.root.read(&found.path, looked.rules.max_file_bytes);
                is_racy(found.stat, now_ns())
                    && content.is_ok_and(|(bytes, _)| row.hash == hash_of(&found.path, &bytes).1)
            }
        };
        files.rows().len() == found.len() && files.rows().iter().zip(found).all(|(row, found)| unchanged(row, found))
    }

    fn fill(&self, writer: &mut Writer<'_>, looked: &Looked, run: &mut Run<'_>) -> Result<Filled, Error> {
        let job = run.job;
        let is_first = run.before.is_none();
        let mut work: VecDeque<(&Found, Option<u64>)> = VecDeque::new();
        // Files that this run has read before and that may be others by now.
        let mut again: BTreeSet<String> = BTreeSet::new();
        // A second look under the lock: another process may have done the work meanwhile.
        let rows = writer.files().rows();
        let mut known = rows.iter().peekable();
        let mut unknown = Vec::new();
        for found in &looked.walked.files {
            while let Some(row) = known.next_if(|row| *row.path < *found.path) {
                unknown.push(row);
            }
            let old = known.next_if(|row| *row.path == *found.path);
            let is_done = |row: &FileRow| !self.force || row.checked_ns >= run.began_ns;
            match old {
                Some(row) if is_done(row) && same(row, found) == Sameness::Same => {
                    run.report.unchanged += usize::from(is_first && row.is_indexed());
                }
                old => {
                    let was_done = old.is_some_and(|row| !is_first && row.checked_ns >= run.began_ns);
                    again.extend(was_done.then(|| found.path.clone()));
                    work.push_back((found, old.map(|row| row.id)));
                }
            }
        }
        unknown.extend(known);
        // What another process has seen later than we have looked is not gone because we do not know it.
        let is_news = |row: &&FileRow| {
            row.checked_ns >= looked.since_ns && self.root.path().join(&*row.path).symlink_metadata().is_ok()
        };
        for gone in unknown.into_iter().filter(|row| !is_news(row)) {
            writer.remove(gone);
            run.report.removed += 1;
        }
        if let Some(before) = &run.before {
            again.extend(looked.walked.news(before).map(|found| found.path.clone()));
        }
        let done = job.done.load(Ordering::Relaxed);
        job.total.store(done + work.len() as u64, Ordering::Relaxed);
        if is_first && work.len() > FEW {
            if !self.force {
                writer.learn_from(&(self.kin)());
            }
            let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build();
            run.pool = Some(pool.map_err(|error| Error::Setting(format!("cannot start threads: {error}")))?);
        }
        if run.pool.is_some() {
            job.offer(looked.walked.clone());
        }
        let mut is_seen = is_first;
        let mut batches = 0;
        while !work.is_empty() {
            // Other processes, which cannot ask for it, see what changes between two batches.
            let is_behind = batches > 0 && (self.is_behind)();
            if is_seen && (is_behind || !job.has_looked(job.looks())) {
                if writer.has_changes() {
                    writer.commit(false, now_ns() / 1_000_000_000)?;
                }
                return Ok(Filled::AsFarAsSeen);
            }
            let (asked, ticket) = if is_seen {
                job.take_queue()
            } else {
                (std::mem::take(&mut again), 0)
            };
            let mut batch: Vec<(&Found, Option<u64>)> = Vec::new();
            if !asked.is_empty() {
                work.retain(|item| {
                    let goes_first = asked.contains(&item.0.path);
                    batch.extend(goes_first.then_some(*item));
                    !goes_first
                });
            }
            let is_asked = !batch.is_empty();
            if is_seen && !is_asked {
                if !asked.is_empty() {
                    self.store.await_commit();
                }
                job.serve(ticket);
                run.promises.keep();
                batches += 1;
                batch.extend(work.drain(..batch_len(&work, run.batch_bytes)));
                run.batch_bytes = (run.batch_bytes * 2).min(BATCH_BYTES);
            }
            let first_id = writer.reserve_ids(batch.len());
            let one = |(at, (found, old)): (usize, &(&Found, Option<u64>))| {
                run.promises.make();
                if !is_asked && job.is_hurried() {
                    return Ok(Outcome::PutOff);
                }
                let old = old.and_then(|id| writer.files().by_id(id));
                let work = Work {
                    found,
                    old,
                    id: first_id + at as u64,
                };
                self.index_one(writer, &work, &looked.rules, &job.stop).inspect(|_| {
                    job.done.fetch_add(1, Ordering::Relaxed);
                })
            };
            let outcomes: Vec<Result<Outcome, Error>> = match &run.pool {
                Some(pool) => pool.install(|| batch.par_iter().enumerate().map(one).collect()),
                None => batch.iter().enumerate().map(one).collect(),
            };
            for (outcome, item) in outcomes.into_iter().zip(batch).rev() {
                match outcome? {
                    Outcome::Indexed { chunks } => {
                        run.report.indexed += 1;
                        run.report.chunks += chunks;
                    }
                    // What is read again was counted before.
                    Outcome::Unchanged => run.report.unchanged += usize::from(is_seen),
                    Outcome::Skipped => {}
                    Outcome::PutOff => work.push_front(item),
                }
            }
            if !work.is_empty() && writer.has_changes() {
                writer.commit(false, now_ns() / 1_000_000_000)?;
            }
            if !is_seen {
                self.store.await_commit();
                job.looked(run.look);
                is_seen = true;
            } else if is_asked {
                self.store.await_commit();
                job.serve(ticket);
            }
            run.promises.keep();
        }
        if writer.has_changes() || !writer.was_complete() {
            writer.commit(true, now_ns() / 1_000_000_000)?;
        }
        Ok(Filled::All)
    }

    fn index_one(
        &self,
        writer: &Writer<'_>,
        work: &Work<'_>,
        rules: &Rules,
        stop: &AtomicBool,
    ) -> Result<Outcome, Error> {
        if stop.load(Ordering::Relaxed) {
            return Err(Error::Cancelled);
        }
        let path = work.found.path.as_str();
        let checked_ns = now_ns();
        let read = match &work.found.skip {
            Some(reason) => Err(Unreadable::Because(reason.clone())),
            None => self.root.read(path, rules.max_file_bytes),
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
        if let Some(old) = work.old.filter(|old| !self.force && old.hash == hash) {
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
        let known = (!self.force).then(|| writer.known_facts(&hash)).flatten();
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
