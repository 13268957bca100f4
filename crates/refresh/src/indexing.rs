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

use config::IndexConfig;
use index::{FileRow, FileTable, NOTES, NewFile, StoreErrorKind, TEXT_ONLY, Writer, content_hash};
use rayon::prelude::*;
use sandbox::Unreadable;
use source::{Encoding, SkipReason, Stat};
use syntax::{ChunkOptions, FileFacts, Lang, file_facts};

use crate::{
    error::Error,
    indexed_dir::{DiskScan, IndexedDir, ScanScope},
    job::Job,
    requests::PeerQueue,
    walk::{Rules, WalkEntry, WalkResult},
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
pub const PATIENCE: Duration = Duration::from_secs(60);
/// How often to see whether it has done our work too.
pub const TURN: Duration = Duration::from_millis(10);

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

/// A file that is to be read, with the id of what the index has of it.
#[derive(Clone, Copy)]
struct ToDo<'l> {
    found: &'l WalkEntry,
    old: Option<u64>,
}

/// A file that is being read.
struct Work<'a> {
    found: &'a WalkEntry,
    old: Option<&'a FileRow>,
    /// The id that it gets.
    id: u64,
    checked_ns: i64,
}

/// How files become rows of an index.
pub struct Indexing<'a> {
    pub dir: &'a IndexedDir,
    pub config: &'a IndexConfig,
    /// Index directories that may know contents already, asked for when there is much to do.
    pub sibling_index_dirs: &'a (dyn Fn() -> Vec<PathBuf> + Sync),
    /// Everything is indexed anew.
    pub force: bool,
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

fn same(row: &FileRow, found: &WalkEntry) -> Sameness {
    if *row.path != *found.path || row.stat != found.stat || row.is_outdated {
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

pub fn now_ns() -> i64 {
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
    before: Option<Arc<WalkResult>>,
    /// The number of the last rescan, for those who requested one.
    rescan: u64,
    peers: PeerQueue<'r>,
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
        let mut scan = match self.force {
            true => self.dir.scan_everything(self.config, &job.stop)?,
            false => self.scan_disk(None, job)?,
        };
        let started = Instant::now();
        let reader = self.dir.store.reader()?;
        let nothing_to_do = |unchanged| Report {
            unchanged,
            duration: started.elapsed(),
            ..Report::default()
        };
        if !self.force && reader.complete() && self.is_current(reader.files(), &scan, job)? {
            return Ok(nothing_to_do(reader.files().indexed().count()));
        }
        let Some(mut writer) = self.turn(&scan, reader.generation(), job)? else {
            return Ok(nothing_to_do(self.dir.store.reader()?.files().indexed().count()));
        };
        // Another process has begun something and not ended it: what events say to this one is not all that is missing.
        if scan.scope != ScanScope::Everything && !writer.was_complete() {
            scan = self.dir.scan_everything(self.config, &job.stop)?;
        }
        let mut run = Run {
            job,
            began_ns,
            report: Report::default(),
            pool: None,
            batch_bytes: FIRST_BATCH_BYTES,
            before: None,
            rescan: 0,
            peers: PeerQueue::new(&self.dir.requests, job),
        };
        while self.fill(&mut writer, &scan, &mut run)? != Filled::All {
            // Counted before the disk is looked at: who asks meanwhile asks again.
            run.rescan = job.requested_rescans();
            let before = scan.whole(writer.files());
            scan = self.scan_disk(Some(&before), job)?;
            run.before = Some(before);
            writer.reload_files()?;
        }
        writer.finish()?;
        Ok(Report {
            duration: started.elapsed(),
            ..run.report
        })
    }

    fn scan_disk(&self, before: Option<&WalkResult>, job: &Job) -> Result<DiskScan, Error> {
        self.dir.scan_disk(self.config, before, &job.stop)
    }

    fn chunk_options(&self) -> ChunkOptions {
        ChunkOptions {
            size: self.config.chunk_size,
            overlap: self.config.overlap,
        }
    }

    /// The right to write, or nothing if another process has done the work meanwhile: several servers of one repository
    /// see each change, and one of them is enough.
    fn turn(&self, scan: &DiskScan, before: u64, job: &Job) -> Result<Option<Writer<'_>>, Error> {
        let deadline = Instant::now() + PATIENCE;
        let mut known = before;
        loop {
            if job.stop.load(Ordering::Relaxed) {
                return Err(Error::Cancelled);
            }
            match self.dir.store.writer(TURN) {
                Err(error) if matches!(error.kind, StoreErrorKind::Busy) && Instant::now() < deadline => {}
                writer => {
                    job.is_waiting.store(false, Ordering::SeqCst);
                    return Ok(Some(writer?));
                }
            }
            job.publish_walk(scan.walked.clone());
            job.is_waiting.store(true, Ordering::SeqCst);
            // What cannot be read now is no reason to stop waiting.
            if let Ok(reader) = self.dir.store.reader()
                && !self.force
                && reader.generation() != known
            {
                known = reader.generation();
                if reader.complete() && self.is_current(reader.files(), scan, job)? {
                    return Ok(None);
                }
            }
        }
    }

    /// Whether there is nothing to commit. Files that may have changed within the clock's granularity are compared by
    /// content; once enough time has passed to settle the question for good, that is worth a commit.
    fn is_current(&self, files: &FileTable, scan: &DiskScan, job: &Job) -> Result<bool, Error> {
        let found = &scan.walked.files;
        let unchanged = |row: &FileRow, found: &WalkEntry| match same(row, found) {
            Sameness::Same => true,
            Sameness::Different => false,
            Sameness::Unsure if job.stop.load(Ordering::Relaxed) => false,
            Sameness::Unsure => {
                let content = self.dir.root.read(&found.path, scan.rules.max_file_bytes);
                is_racy(found.stat, now_ns())
                    && content.is_ok_and(|(bytes, _)| row.hash == hash_of(&found.path, &bytes).1)
            }
        };
        let is_current = match &scan.scope {
            ScanScope::Everything => {
                files.len() == found.len() && files.rows().zip(found).all(|(row, found)| unchanged(row, found))
            }
            ScanScope::Changes { gone } => {
                let is_as_found =
                    |found: &WalkEntry| files.by_path(&found.path).is_some_and(|row| unchanged(row, found));
                found.iter().all(is_as_found) && gone.iter().all(|path| files.by_path(path).is_none())
            }
        };
        match job.stop.load(Ordering::Relaxed) {
            true => Err(Error::Cancelled),
            false => Ok(is_current),
        }
    }

    fn fill(&self, writer: &mut Writer<'_>, scan: &DiskScan, run: &mut Run<'_>) -> Result<Filled, Error> {
        let job = run.job;
        let (mut work, again) = self.compare(writer, scan, run);
        self.prepare(writer, scan, run, work.len())?;
        // A first look is what was asked for; of a later one the news go before all else.
        let mut unseen = run.before.is_some().then_some(again);
        let mut batches = 0;
        while !work.is_empty() {
            let news = unseen.take();
            let is_seen = news.is_none();
            // Other processes, which cannot ask for it, see what changes between two batches.
            let is_behind = batches > 0 && self.dir.has_news();
            if is_seen && (is_behind || !job.is_rescanned(job.requested_rescans())) {
                if writer.has_changes() {
                    commit(writer, false)?;
                }
                return Ok(Filled::AsFarAsSeen);
            }
            let (asked, ticket) = news.map_or_else(|| job.take_priority_paths(), |news| (news, 0));
            let mut batch = take_named(&mut work, &asked);
            let is_asked = !batch.is_empty();
            if is_seen && !is_asked {
                if !asked.is_empty() {
                    self.dir.store.await_commit();
                }
                job.mark_committed(ticket);
                run.peers.complete();
                batches += 1;
                batch.extend(work.drain(..batch_len(&work, run.batch_bytes)));
                run.batch_bytes = (run.batch_bytes * 2).min(BATCH_BYTES);
            }
            let outcomes = self.index_all(writer, &batch, is_asked, scan, run);
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
                commit(writer, false)?;
            }
            if !is_seen {
                self.dir.store.await_commit();
                job.mark_rescanned(run.rescan);
            } else if is_asked {
                self.dir.store.await_commit();
                job.mark_committed(ticket);
            }
            run.peers.complete();
        }
        if writer.has_changes() || !writer.was_complete() {
            commit(writer, true)?;
        }
        Ok(Filled::All)
    }

    /// What there is to do, and the paths of what goes first: files that this run has read before and that may be others
    /// by now, and those that came since. What is gone is taken out at once.
    ///
    /// This is a second look, under the lock: another process may have done the work meanwhile.
    fn compare<'l>(
        &self,
        writer: &Writer<'_>,
        scan: &'l DiskScan,
        run: &mut Run<'_>,
    ) -> (VecDeque<ToDo<'l>>, BTreeSet<String>) {
        let is_first = run.before.is_none();
        let mut work = VecDeque::new();
        let mut again = BTreeSet::new();
        let Compared { found, unknown, others } = Compared::new(writer.files(), scan);
        run.report.unchanged += if is_first { others } else { 0 };
        let is_done = |row: &FileRow| !self.force || row.checked_ns >= run.began_ns;
        for (found, old) in found {
            match old {
                Some(row) if is_done(row) && same(row, found) == Sameness::Same => {
                    run.report.unchanged += usize::from(is_first && row.is_indexed());
                }
                old => {
                    let was_done = old.is_some_and(|row| !is_first && row.checked_ns >= run.began_ns);
                    again.extend(was_done.then(|| found.path.clone()));
                    work.push_back(ToDo {
                        found,
                        old: old.map(|row| row.id),
                    });
                }
            }
        }
        // What another process has seen later than we have looked is not gone because we do not know it.
        let is_news = |row: &&FileRow| {
            row.checked_ns >= scan.since_ns && self.dir.root.path().join(&*row.path).symlink_metadata().is_ok()
        };
        for gone in unknown.into_iter().filter(|row| !is_news(row)) {
            writer.remove(gone);
            run.report.removed += 1;
        }
        if let Some(before) = &run.before {
            again.extend(scan.walked.news(before).map(|found| found.path.clone()));
        }
        (work, again)
    }

    /// Says how much there is to do, and gets help where it is much.
    fn prepare(
        &self,
        writer: &mut Writer<'_>,
        scan: &DiskScan,
        run: &mut Run<'_>,
        n_files: usize,
    ) -> Result<(), Error> {
        let done = run.job.done.load(Ordering::Relaxed);
        run.job.total.store(done + n_files as u64, Ordering::Relaxed);
        if run.before.is_none() && n_files > FEW {
            if !self.force {
                writer.learn_from(&(self.sibling_index_dirs)());
            }
            let pool = rayon::ThreadPoolBuilder::new().num_threads(self.dir.threads).build();
            run.pool = Some(pool.map_err(|error| Error::Threads(error.to_string()))?);
        }
        if run.pool.is_some() {
            run.job.publish_walk(scan.walked.clone());
        }
        Ok(())
    }

    /// What is not asked for is put off when someone is in a hurry.
    fn index_all(
        &self,
        writer: &Writer<'_>,
        batch: &[ToDo<'_>],
        is_asked: bool,
        scan: &DiskScan,
        run: &Run<'_>,
    ) -> Vec<Result<Outcome, Error>> {
        let (job, peers) = (run.job, &run.peers);
        let first_id = writer.reserve_ids(batch.len());
        let one = |(at, to_do): (usize, &ToDo<'_>)| {
            peers.poll();
            if !is_asked && job.has_priority_paths() {
                return Ok(Outcome::PutOff);
            }
            let work = Work {
                found: to_do.found,
                old: to_do.old.and_then(|id| writer.files().by_id(id)),
                id: first_id + at as u64,
                checked_ns: now_ns(),
            };
            self.index_one(writer, &work, &scan.rules, &job.stop).inspect(|_| {
                job.done.fetch_add(1, Ordering::Relaxed);
            })
        };
        match &run.pool {
            // Whoever is done takes the next file: one that takes long keeps no others waiting behind it.
            Some(pool) => pool.install(|| batch.par_iter().with_max_len(1).enumerate().map(one).collect()),
            None => batch.iter().enumerate().map(one).collect(),
        }
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
        let read = match &work.found.skip {
            Some(reason) => Err(Unreadable::Because(reason.clone())),
            None => self.dir.root.read(path, rules.max_file_bytes),
        };
        let (bytes, stat) = match read {
            Ok(read) => read,
            Err(Unreadable::Gone) => {
                work.take_out(writer);
                return Ok(Outcome::Skipped);
            }
            Err(Unreadable::Outside) => {
                return work.skip(writer, work.found.stat, [0; 32], SkipReason::LeadsOutside);
            }
            Err(Unreadable::Private(reason) | Unreadable::Because(reason)) => {
                return work.skip(writer, work.found.stat, [0; 32], reason);
            }
        };
        let (lang, hash) = hash_of(path, &bytes);
        let is_known = |old: &&FileRow| !self.force && !old.is_outdated && old.hash == hash;
        if let Some(old) = work.old.filter(is_known) {
            // What would still be unsure is not worth a commit.
            if stat != old.stat || !is_racy(stat, work.checked_ns) {
                writer.touch(old, stat, work.checked_ns);
            }
            return Ok(if old.is_indexed() {
                Outcome::Unchanged
            } else {
                Outcome::Skipped
            });
        }
        let Some(decoded) = source::decode(&bytes) else {
            return work.skip(writer, stat, hash, SkipReason::BinaryContent);
        };
        let parsed_as = if self.config.symbols { lang } else { &syntax::PLAINTEXT };
        let known = (!self.force).then(|| writer.known_facts(&hash)).flatten();
        let facts = known.unwrap_or_else(|| file_facts(parsed_as, &decoded.text, self.chunk_options()));
        let body = Ok((&*decoded.text, &facts, note_on(&facts, decoded.encoding)));
        work.put(writer, lang, stat, hash, body)?;
        Ok(Outcome::Indexed {
            chunks: facts.chunks.len(),
        })
    }
}

/// What the index has beside what was found.
struct Compared<'f, 's> {
    /// What was found, each with its row.
    found: Vec<(&'s WalkEntry, Option<&'f FileRow>)>,
    /// Rows of what was looked for and not found.
    unknown: Vec<&'f FileRow>,
    /// How many indexed files were not looked at.
    others: usize,
}

impl<'f, 's> Compared<'f, 's> {
    fn new(files: &'f FileTable, scan: &'s DiskScan) -> Compared<'f, 's> {
        let mut compared = Compared {
            found: Vec::with_capacity(scan.walked.files.len()),
            unknown: Vec::new(),
            others: 0,
        };
        match &scan.scope {
            ScanScope::Everything => {
                let mut known = files.rows().peekable();
                for found in &scan.walked.files {
                    while let Some(row) = known.next_if(|row| *row.path < *found.path) {
                        compared.unknown.push(row);
                    }
                    let old = known.next_if(|row| *row.path == *found.path);
                    compared.found.push((found, old));
                }
                compared.unknown.extend(known);
            }
            ScanScope::Changes { gone } => {
                let found = scan.walked.files.iter();
                compared
                    .found
                    .extend(found.map(|found| (found, files.by_path(&found.path))));
                compared
                    .unknown
                    .extend(gone.iter().filter_map(|path| files.by_path(path)));
                let looked_at = compared.found.iter().filter_map(|(_, row)| *row);
                let looked_at = looked_at.chain(compared.unknown.iter().copied());
                let n_looked_at = looked_at.filter(|row| row.is_indexed()).count();
                compared.others = files.totals().files as usize - n_looked_at;
            }
        }
        compared
    }
}

impl Work<'_> {
    /// Takes out what the index has of the file.
    fn take_out(&self, writer: &Writer<'_>) {
        if let Some(old) = self.old {
            writer.remove(old);
        }
    }

    /// Puts the file in the place of what the index has of it.
    fn put(
        &self,
        writer: &Writer<'_>,
        lang: &'static Lang,
        stat: Stat,
        hash: [u8; 32],
        body: Result<(&str, &FileFacts, Option<String>), SkipReason>,
    ) -> Result<(), Error> {
        self.take_out(writer);
        writer.add(NewFile {
            id: self.id,
            path: &self.found.path,
            lang,
            stat,
            checked_ns: self.checked_ns,
            hash,
            body,
        })?;
        Ok(())
    }

    /// Puts in that the file is there and not indexed.
    fn skip(&self, writer: &Writer<'_>, stat: Stat, hash: [u8; 32], reason: SkipReason) -> Result<Outcome, Error> {
        self.put(writer, &syntax::PLAINTEXT, stat, hash, Err(reason))?;
        Ok(Outcome::Skipped)
    }
}

/// What a reader of the file has to know.
fn note_on(facts: &FileFacts, encoding: Encoding) -> Option<String> {
    let encoding = match encoding {
        Encoding::Utf8 => None,
        Encoding::Utf16 => Some("decoded from UTF-16".to_owned()),
        Encoding::Unknown => Some("not valid UTF-8: some characters are replaced".to_owned()),
    };
    let problem = facts.problem.map(|problem| format!("{TEXT_ONLY}{}", problem.as_str()));
    let notes: Vec<String> = encoding.into_iter().chain(problem).collect();
    (!notes.is_empty()).then(|| notes.join(NOTES))
}

fn commit(writer: &mut Writer<'_>, is_complete: bool) -> Result<(), Error> {
    writer.commit(is_complete, now_ns() / 1_000_000_000)?;
    Ok(())
}

/// Takes those with some paths out of what there is to do.
fn take_named<'l>(work: &mut VecDeque<ToDo<'l>>, paths: &BTreeSet<String>) -> Vec<ToDo<'l>> {
    let mut taken = Vec::new();
    if !paths.is_empty() {
        work.retain(|to_do| {
            let is_named = paths.contains(&to_do.found.path);
            taken.extend(is_named.then_some(*to_do));
            !is_named
        });
    }
    taken
}

/// The language and the identity of a file's content.
fn hash_of(path: &str, bytes: &[u8]) -> (&'static Lang, [u8; 32]) {
    let name = path.rsplit('/').next().unwrap_or(path);
    let lang = syntax::detect(name, bytes);
    (lang, content_hash(lang, bytes))
}

/// Whether bytes read from disk are those that were indexed. An equal stat says so too, unless the clock could not tell.
pub fn is_content(row: &FileRow, bytes: &[u8], stat: Stat) -> bool {
    (stat == row.stat && !is_racy(stat, row.checked_ns)) || row.is_content(bytes)
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

fn batch_len(work: &VecDeque<ToDo<'_>>, max_bytes: u64) -> usize {
    let mut bytes = 0;
    let within = work.iter().take(BATCH_FILES).take_while(|to_do| {
        bytes += to_do.found.stat.size;
        bytes <= max_bytes
    });
    within.count().max(1)
}
