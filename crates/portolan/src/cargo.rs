//! Asks cargo what a workspace is made of, for one that the user has said to trust (`rust.trusted`): it then runs what the
//! repository's configuration names, as it would in the user's own hands. Nothing else here starts a process.

use std::{
    io::Read,
    path::Path,
    process::{Command, Stdio},
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

use rust_ide::Told;

/// Resolving takes a second or two; what takes longer waits for something.
const PATIENCE: Duration = Duration::from_secs(60);

/// What is printed of a large workspace is some megabytes.
const MAX_OUTPUT: u64 = 256 << 20;

/// What cargo says of a workspace, or why it says nothing. Nothing is fetched, and nothing is written: a lock file that is
/// missing or does not fit is for the user to make. `stop` ends cargo.
pub(crate) fn metadata(root: &Path, stop: &AtomicBool) -> Result<Told, String> {
    if !root.join("Cargo.toml").is_file() {
        return Err("there is no Cargo.toml in its root".to_owned());
    }
    let json = run(root, stop)?;
    Told::parse(&json, root).ok_or_else(|| "what it printed cannot be read".to_owned())
}

fn run(root: &Path, stop: &AtomicBool) -> Result<String, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["metadata", "--format-version", "1", "--offline", "--locked"]);
    // Otherwise what the compiler says of itself would be kept in the target directory.
    command.env("CARGO_CACHE_RUSTC_INFO", "0");
    // A toolchain that the repository asks for is used if it is there.
    command.env("RUSTUP_AUTO_INSTALL", "0").current_dir(root);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| error.to_string())?;
    let (out, err) = (child.stdout.take(), child.stderr.take());
    let out = thread::spawn(move || text(out));
    let err = thread::spawn(move || text(err));
    let started = Instant::now();
    let status = loop {
        match child.try_wait().map_err(|error| error.to_string())? {
            Some(status) => break status,
            None => {
                let why = match (stop.load(Ordering::SeqCst), started.elapsed() > PATIENCE) {
                    (true, _) => "it was stopped".to_owned(),
                    (_, true) => format!("it did not answer within {} s", PATIENCE.as_secs()),
                    _ => {
                        thread::sleep(Duration::from_millis(10));
                        continue;
                    }
                };
                let _ = child.kill();
                let _ = child.wait();
                return Err(why);
            }
        }
    };
    let err = err.join().unwrap_or_default();
    if status.success() {
        return Ok(out.join().unwrap_or_default());
    }
    // Versions of cargo word it differently, but all name the option.
    if err.contains("--locked") {
        return Err("Cargo.lock is missing or does not fit: run `cargo generate-lockfile` there".to_owned());
    }
    let reason = err.lines().find(|line| line.starts_with("error"));
    Err(reason.unwrap_or("it failed").to_owned())
}

fn text(stream: Option<impl Read>) -> String {
    let mut bytes = Vec::new();
    if let Some(stream) = stream {
        let _ = stream.take(MAX_OUTPUT).read_to_end(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
