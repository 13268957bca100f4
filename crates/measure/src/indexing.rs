//! An index from nothing: how long it takes, and how much memory.

use std::{
    fs,
    path::Path,
    process::Stdio,
    thread,
    time::{Duration, Instant},
};

use anyhow::{Result, bail};

use crate::product::Portolan;

/// Whether code is parsed while it is indexed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Parsing {
    On,
    Off,
}

/// One run of `portolan index`.
pub struct Run {
    pub wall: Duration,
    /// Processor time of all threads, where the system tells.
    pub cpu: Option<Duration>,
    /// The highest resident memory seen, where the system tells.
    pub peak_bytes: Option<u64>,
}

/// Indexes a directory into a home that is emptied first.
pub fn index(portolan: &Portolan, dir: &Path, home: &Path, parsing: Parsing) -> Result<Run> {
    if home.exists() {
        fs::remove_dir_all(home)?;
    }
    let mut command = portolan.command(home);
    command.env("PORTOLAN_SYMBOLS", (parsing == Parsing::On).to_string());
    command.arg("index").arg(dir).stdin(Stdio::null()).stdout(Stdio::null());
    let cpu_before = children_cpu();
    let started = Instant::now();
    let mut child = command.spawn()?;
    let pid = child.id();
    let peak = thread::spawn(move || watch_peak(pid));
    let status = child.wait()?;
    let wall = started.elapsed();
    if !status.success() {
        bail!("portolan index fails");
    }
    let cpu = children_cpu()
        .zip(cpu_before)
        .map(|(after, before)| after.saturating_sub(before));
    let peak_bytes = peak.join().ok().flatten();
    Ok(Run { wall, cpu, peak_bytes })
}

/// Follows the high-water mark of a process for as long as it runs: std does not tell a child's resource usage.
fn watch_peak(pid: u32) -> Option<u64> {
    let mut peak = None;
    while let Some(now) = status_bytes(pid, "VmHWM") {
        peak = Some(now);
        thread::sleep(Duration::from_millis(2));
    }
    peak
}

/// A field of `/proc/PID/status`; `None` on other systems, and for a process that has ended.
pub fn status_bytes(pid: u32, field: &str) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix(field)?.strip_prefix(':'))?;
    let kib: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kib * 1024)
}

/// Processor time of the children that have been waited for.
fn children_cpu() -> Option<Duration> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // Names may hold spaces; numbers start after the name's bracket, with the third field of proc(5).
    let (_, fields) = stat.rsplit_once(')')?;
    let mut ticks = fields.split_whitespace().skip(13).take(2).map(str::parse::<u64>);
    let (user, system) = (ticks.next()?.ok()?, ticks.next()?.ok()?);
    // Linux tells hundredths of a second, whatever the kernel itself counts in.
    Some(Duration::from_millis((user + system) * 10))
}
