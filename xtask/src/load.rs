//! `cargo xtask load`: more files, and more callers at once, than anybody has. What is printed is what it took; what is
//! wrong ends the run with an error.

mod commits;
mod disk;
mod files;
mod requests;

use std::{
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread::JoinHandle,
    time::Duration,
};

use anyhow::Result;

use measure::{Portolan, median, percentile, show_ms, status_bytes};

use crate::bench::built;

pub struct Options {
    pub what: What,
    /// Where everything is written; a temporary directory if not given.
    pub dir: Option<PathBuf>,
    pub binary: Option<PathBuf>,
}

pub enum What {
    /// So many generated files, and one of so many bytes.
    Files { n_files: usize, big_bytes: u64 },
    /// So many commits of changes to a copy of a repository.
    Commits { n_commits: usize, repository: PathBuf },
    /// So many requests by so many clients about a copy of a repository.
    Requests {
        n_requests: usize,
        n_clients: usize,
        repository: PathBuf,
    },
}

pub fn run(options: &Options) -> Result<()> {
    let binary = built(options.binary.as_deref())?;
    let mut builder = tempfile::Builder::new();
    builder.prefix("portolan-load-");
    let state = match &options.dir {
        Some(dir) => builder.tempdir_in(dir)?,
        None => builder.tempdir()?,
    };
    let scratch = state.path().canonicalize()?;
    let portolan = Portolan::new(&binary, &scratch)?;
    match &options.what {
        What::Files { n_files, big_bytes } => files::run(&portolan, &scratch, *n_files, *big_bytes),
        What::Commits { n_commits, repository } => commits::run(&portolan, &scratch, repository, *n_commits),
        What::Requests {
            n_requests,
            n_clients,
            repository,
        } => requests::run(&portolan, &scratch, repository, *n_requests, *n_clients),
    }
}

/// Looks at a process's memory until it is dropped.
struct MemoryWatch {
    stop: Arc<AtomicBool>,
    anonymous: Arc<AtomicU64>,
    thread: Option<JoinHandle<()>>,
}

impl MemoryWatch {
    fn of(pid: u32) -> MemoryWatch {
        let (stop, anonymous) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
        let (stopped, most) = (stop.clone(), anonymous.clone());
        let thread = std::thread::spawn(move || {
            while !stopped.load(Ordering::Relaxed) {
                most.fetch_max(status_bytes(pid, "RssAnon").unwrap_or(0), Ordering::Relaxed);
                std::thread::sleep(Duration::from_millis(50));
            }
        });
        MemoryWatch {
            stop,
            anonymous,
            thread: Some(thread),
        }
    }

    /// The most that was the process's own so far, in bytes. The system itself keeps no such peak.
    fn peak(&self) -> u64 {
        self.anonymous.load(Ordering::Relaxed)
    }
}

impl Drop for MemoryWatch {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// One line of what calls took.
fn show_times(what: &str, times: &[Duration]) {
    let longest = times.iter().max().copied().unwrap_or_default();
    println!(
        "{what}: {} calls, p50 {}, p99 {}, longest {}",
        times.len(),
        show_ms(median(times)),
        show_ms(percentile(times, 0.99)),
        show_ms(longest)
    );
}

fn mb(n_bytes: u64) -> String {
    format!("{:.0} MB", n_bytes as f64 / 1e6)
}

/// Files of text below a directory, by their path in it.
fn text_files(dir: &Path) -> Result<Vec<(String, String)>> {
    let mut found = Vec::new();
    let mut dirs = vec![dir.to_owned()];
    while let Some(next) = dirs.pop() {
        for entry in std::fs::read_dir(&next)? {
            let entry = entry?;
            let (path, kind) = (entry.path(), entry.file_type()?);
            if entry.file_name().to_string_lossy().starts_with('.') {
                continue;
            }
            if kind.is_dir() {
                dirs.push(path);
            } else if kind.is_file()
                && let Ok(text) = std::fs::read_to_string(&path)
            {
                let relative = path.strip_prefix(dir)?.to_string_lossy().replace('\\', "/");
                found.push((relative, text));
            }
        }
    }
    found.sort();
    Ok(found)
}
