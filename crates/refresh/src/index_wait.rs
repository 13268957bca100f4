//! While much is to be indexed: the files that a caller asks about go first.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeSet,
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    time::{Duration, Instant},
};

use aho_corasick::AhoCorasick;
use sandbox::Root;

use crate::{indexed_dir::IndexedDir, job::Job, requests::Request, walk::WalkEntry, watch::Watch};

/// So long after the beginning the whole index is waited for.
const SOON: Duration = Duration::from_secs(1);
/// Longer than that, if the end is nearer than this.
const NEARLY: Duration = Duration::from_secs(2);
/// So long files are looked through for what was asked about.
const LOOKING: Duration = Duration::from_secs(4);
/// What goes first is little enough to be there at once.
const MAX_FILES: usize = 256;
const MAX_BYTES: u64 = 4 << 20;
/// Words of a question that are looked for.
const MAX_WORDS: usize = 24;
const MIN_WORD: usize = 3;
/// A word in a file's path says more than one in its text.
const IN_PATH: f64 = 2.0;

/// One caller's wait for an index that is being brought up to date.
pub struct IndexWait<'w> {
    dir: &'w IndexedDir,
    job: &'w Job,
    about: &'w str,
    /// The job began before the caller asked: it may have looked at a file before the caller wrote it.
    is_late: bool,
    /// So long the whole index is waited for.
    whole_index_wait: Duration,
    /// The number of the rescan that the caller waits for.
    rescan: Cell<Option<u64>>,
    /// What the job calls the files that go first, once they are known.
    ticket: Cell<Option<u64>>,
    /// What was asked of the process that writes, if this one does not.
    request: RefCell<Option<Request>>,
}

impl<'w> IndexWait<'w> {
    pub fn new(
        dir: &'w IndexedDir,
        job: &'w Job,
        about: &'w str,
        is_late: bool,
        whole_index_wait: Duration,
    ) -> IndexWait<'w> {
        IndexWait {
            dir,
            job,
            about,
            is_late,
            whole_index_wait: whole_index_wait.max(SOON),
            rescan: Cell::new(None),
            ticket: Cell::new(None),
            request: RefCell::default(),
        }
    }

    /// Whether it makes no sense to wait any longer: what was asked about is indexed, if not everything is.
    pub fn is_there(&self, stop: &AtomicBool) -> bool {
        if let Some(ticket) = self.ticket.get() {
            return self.job.is_committed(ticket);
        }
        if let Some(request) = &*self.request.borrow() {
            let is_met = request.is_met();
            if is_met {
                self.dir.store.await_commit();
            }
            return is_met;
        }
        if self.job.walk().is_none() || self.ends_soon() {
            return false;
        }
        let is_written_elsewhere = self.job.is_waiting.load(Ordering::SeqCst);
        // The writer looks before it meets a request.
        if !(is_written_elsewhere || self.is_seen()) || self.about.is_empty() {
            return false;
        }
        let Some(walked) = self.job.walk() else { return false };
        let Ok(reader) = self.dir.store.reader() else {
            return false;
        };
        let is_new = |found: &&WalkEntry| {
            let known = reader.files().by_path(&found.path);
            found.skip.is_none() && known.is_none_or(|row| row.stat != found.stat)
        };
        let new: Vec<&WalkEntry> = walked.files.iter().filter(is_new).collect();
        let wanted = wanted(&self.dir.root, &new, self.about, self.dir.threads, stop);
        if is_written_elsewhere {
            match self.dir.requests.send(&wanted) {
                Ok(request) => *self.request.borrow_mut() = Some(request),
                // Then nothing but time helps.
                Err(_) => self.ticket.set(Some(u64::MAX)),
            }
        } else {
            self.ticket.set(Some(self.job.prioritize(wanted)));
        }
        false
    }

    /// Whether the index has every change, of the files that are in it, that the caller knows of.
    fn is_seen(&self) -> bool {
        if !self.is_late {
            return true;
        }
        let rescan = self.rescan.get().unwrap_or_else(|| {
            // In this order: events that a look has taken are then those of a look that is waited for, or is done.
            let is_clean = self.dir.watch.as_ref().is_some_and(Watch::is_clean);
            let rescan = if is_clean {
                self.job.requested_rescans()
            } else {
                self.job.request_rescan()
            };
            self.rescan.set(Some(rescan));
            rescan
        });
        self.job.is_rescanned(rescan)
    }

    fn ends_soon(&self) -> bool {
        let progress = self.job.progress();
        let (done, total) = (progress.done as f64, progress.total.unwrap_or(u64::MAX) as f64);
        let elapsed = self.job.began().elapsed();
        elapsed < self.whole_index_wait || (done > 0.0 && elapsed.mul_f64((total - done).max(0.0) / done) < NEARLY)
    }
}

/// The files that have most of what was asked about, rare words before common ones.
fn wanted(root: &Root, files: &[&WalkEntry], about: &str, threads: usize, stop: &AtomicBool) -> BTreeSet<String> {
    let words = words_of(about);
    let Ok(matcher) = AhoCorasick::builder().ascii_case_insensitive(true).build(&words) else {
        return BTreeSet::new();
    };
    let deadline = Instant::now() + LOOKING;
    // Those that are called like what was asked about are looked at in any case, and of the others as many as time allows.
    let mut files: Vec<(&WalkEntry, u32)> = files
        .iter()
        .map(|found| (*found, seen_in(&matcher, found.path.as_bytes())))
        .collect();
    files.sort_by_key(|(found, path)| (path.count_zeros(), found.stat.size));
    let next = AtomicUsize::new(0);
    let look = || {
        let mut seen = Vec::new();
        while !stop.load(Ordering::Relaxed) && Instant::now() < deadline {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some((found, path)) = files.get(at) else { break };
            let Ok((bytes, _)) = root.read(&found.path, MAX_BYTES) else {
                continue;
            };
            let text = seen_in(&matcher, &bytes);
            if text | path != 0 {
                seen.push((at, text, *path));
            }
        }
        seen
    };
    let mut seen: Vec<(usize, u32, u32)> = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(look)).collect();
        let own = look();
        let others = others.into_iter().flat_map(|thread| thread.join().unwrap_or_default());
        own.into_iter().chain(others).collect()
    });
    let weight: Vec<f64> = (0..words.len())
        .map(|word| {
            let having = seen.iter().filter(|(_, text, path)| (text | path) >> word & 1 == 1);
            (files.len() as f64 / (1.0 + having.count() as f64)).ln().max(0.01)
        })
        .collect();
    let sum = |bits: u32| -> f64 {
        (0..words.len())
            .filter(|word| bits >> word & 1 == 1)
            .map(|word| weight[word])
            .sum()
    };
    let score = |&(at, text, path): &(usize, u32, u32)| {
        let named = about.contains(files[at].0.path.as_str());
        sum(text) + IN_PATH * sum(path) + if named { 1000.0 } else { 0.0 }
    };
    seen.sort_by(|a, b| {
        score(b)
            .total_cmp(&score(a))
            .then_with(|| files[a.0].0.path.cmp(&files[b.0].0.path))
    });
    let mut bytes = 0;
    let first = seen
        .iter()
        .map(|(at, ..)| files[*at])
        .take(MAX_FILES)
        .take_while(|found| {
            bytes += found.0.stat.size;
            bytes <= MAX_BYTES
        });
    first.map(|found| found.0.path.clone()).collect()
}

/// Which of the words are in a text, one bit each.
fn seen_in(matcher: &AhoCorasick, text: &[u8]) -> u32 {
    let all = (1 << matcher.patterns_len()) - 1;
    let mut seen = 0;
    for found in matcher.find_overlapping_iter(text) {
        seen |= 1 << found.pattern().as_usize();
        if seen == all {
            break;
        }
    }
    seen
}

fn words_of(about: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in about.split(|c: char| !source_word(c)) {
        let word = word.to_lowercase();
        if word.chars().count() >= MIN_WORD && !words.contains(&word) {
            words.push(word);
        }
    }
    words.truncate(MAX_WORDS);
    words
}

fn source_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
