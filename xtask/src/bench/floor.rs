//! The tools that we are measured against.

use std::{
    collections::BTreeSet,
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};
use measure::{Pattern, grep};

/// A path and a line number.
pub type Place = (String, u64);

pub fn git(dir: &Path) -> Command {
    let mut git = Command::new("git");
    // A user's own settings, such as a file system monitor, are not what is compared.
    git.env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null");
    git.args([
        "-c",
        "user.email=bench@example.com",
        "-c",
        "user.name=bench",
        "-c",
        "gc.auto=0",
    ]);
    git.arg("-C").arg(dir);
    git
}

/// Puts everything below `dir` under version control.
pub fn commit_all(dir: &Path) -> Result<()> {
    stdout_of(git(dir).args(["init", "--quiet"]))?;
    stdout_of(git(dir).args(["add", "--all", "--force"]))?;
    stdout_of(git(dir).args(["commit", "--quiet", "--message", "corpus"]))?;
    Ok(())
}

/// What searches without an index.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Searcher {
    Rg,
    /// The same libraries, in this process.
    InProcess,
}

impl Searcher {
    /// `rg` if it is there.
    pub fn found() -> Searcher {
        let probe = Command::new("rg").arg("--version").stdout(Stdio::null()).status();
        match probe.is_ok_and(|status| status.success()) {
            true => Searcher::Rg,
            false => Searcher::InProcess,
        }
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Searcher::Rg => "rg",
            Searcher::InProcess => "rg's libraries",
        }
    }

    /// Every place that it finds, and how long it took.
    pub fn places(self, dir: &Path, pattern: &str, literal: bool) -> Result<(Duration, BTreeSet<Place>)> {
        if self == Searcher::Rg {
            return rg(dir, pattern, literal);
        }
        let pattern = if literal {
            Pattern::Literal(pattern)
        } else {
            Pattern::Regex(pattern)
        };
        let (elapsed, lines) = grep(dir, pattern)?;
        Ok((
            elapsed,
            lines.into_iter().map(|line| (line.path, line.number)).collect(),
        ))
    }
}

fn rg(dir: &Path, pattern: &str, literal: bool) -> Result<(Duration, BTreeSet<Place>)> {
    let mut rg = Command::new("rg");
    rg.current_dir(dir)
        .args(["--no-config", "--no-messages", "--color=never", "--no-heading"])
        .args(["--line-number", "--null"]);
    if literal {
        rg.arg("--fixed-strings");
    }
    // Without a directory it would read its standard input.
    rg.arg("--regexp").arg(pattern).arg("./").stdin(Stdio::null());
    let started = Instant::now();
    let output = rg.output().context("cannot run rg")?;
    let elapsed = started.elapsed();
    // 1 says that nothing was found.
    if !matches!(output.status.code(), Some(0 | 1)) {
        bail!("rg fails for `{pattern}`");
    }
    let lines = output
        .stdout
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty());
    let places = lines.map(|line| place(line).with_context(|| format!("cannot read rg's answer to `{pattern}`")));
    Ok((elapsed, places.collect::<Result<_>>()?))
}

/// `./path`, NUL, `line:text`.
fn place(line: &[u8]) -> Option<Place> {
    let line = String::from_utf8_lossy(line);
    let (path, rest) = line.split_once('\0')?;
    let (number, _) = rest.split_once(':')?;
    let path = path.strip_prefix("./").unwrap_or(path);
    Some((path.replace('\\', "/"), number.parse().ok()?))
}

/// What a command prints; failing if it does.
pub fn stdout_of(command: &mut Command) -> Result<Vec<u8>> {
    let output = command
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("cannot run {:?}", command.get_program()))?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        bail!("{:?} fails: {}", command.get_program(), message.trim());
    }
    Ok(output.stdout)
}

/// How long a command takes.
pub fn time(command: &mut Command) -> Result<Duration> {
    let started = Instant::now();
    stdout_of(command)?;
    Ok(started.elapsed())
}
