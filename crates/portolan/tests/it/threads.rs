//! A server has as many threads as its sessions need, and ends when it is told to.

use std::{
    fs,
    time::{Duration, Instant},
};

use serde_json::json;
use test_fixture::Repo;

use crate::server::{PATIENCE, Server, home};

const REPO: &str = "
//- /src/lib.rs
pub fn shared() {}
//- /src/own.rs
pub fn own() { shared(); }
";

/// Names of the threads that a server has now, in order. `tokio-rt-worker` comes and goes with calls.
fn threads(pid: u32) -> Vec<String> {
    let tasks = fs::read_dir(format!("/proc/{pid}/task")).expect("the server runs");
    let names = tasks
        .flatten()
        .filter_map(|task| fs::read_to_string(task.path().join("comm")).ok());
    let names = names.map(|name| name.trim().to_owned());
    let mut names: Vec<String> = names.filter(|name| !name.starts_with("tokio-")).collect();
    names.sort();
    names
}

/// Waits until the names of a server's threads are as wanted, and returns them: the kernel takes a moment to bury threads.
#[track_caller]
fn wait_for(pid: u32, what: &str, is_so: impl Fn(&[String]) -> bool) -> Vec<String> {
    let begun = Instant::now();
    loop {
        let now = threads(pid);
        if is_so(&now) {
            return now;
        }
        assert!(begun.elapsed() < PATIENCE, "{what}: {now:?}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Whether a thread works for a session.
fn is_of_session(name: &str) -> bool {
    ["refresh", "reindex", "ranking", "vectors", "exact"].contains(&name) || name.starts_with("notify")
}

/// A tree whose first index takes some seconds.
fn large() -> Repo {
    let repo = Repo::new(REPO);
    let body: String = (0..300)
        .map(|n| {
            format!("pub fn filler_{n}(left: u32, right: u32) -> u32 {{\n    left.wrapping_mul(right) + {n}\n}}\n")
        })
        .collect();
    for n in 0..400 {
        repo.write(&format!("large/f{n}.rs"), format!("// {n}\n{body}"));
    }
    repo
}

#[test]
fn sessions_that_are_deleted_leave_no_threads() {
    let (repo, large, home) = (Repo::new(REPO), large(), home());
    let mut server = Server::at_home(home.path(), &repo.root());
    let round = |server: &mut Server, n: u32| {
        for (session, root, background) in [("small", repo.root(), false), ("large", large.root(), true)] {
            let session = format!("{session}{n}");
            let arguments = json!({ "path": root, "session": session, "background": background });
            server.call("index_repository", arguments);
            if !background {
                server.call("map_code", json!({ "workspace": session }));
                server.call("find_references", json!({ "workspace": session, "symbol": "shared" }));
            }
            let deleted = server.call("delete_session", json!({ "session": session, "confirm": true }));
            assert_ne!(deleted["isError"], true, "{deleted}");
        }
    };
    // Some threads of the process begin with its first work and stay.
    round(&mut server, 0);
    let pid = server.pid();
    let is_quiet = |names: &[String]| !names.iter().any(|name| is_of_session(name));
    let before = wait_for(pid, "after the first sessions were deleted", is_quiet);
    for n in 1..4 {
        round(&mut server, n);
    }
    let are_no_more = |names: &[String]| is_quiet(names) && names.len() <= before.len();
    wait_for(pid, "after all sessions were deleted", are_no_more);
    server.assert_alive();
    let (_, status) = server.finish();
    assert!(status.success());
}

/// Whether its input ends or a signal comes: the work stops, and what was committed stays.
#[test]
fn a_server_ends_in_the_middle_of_the_first_index() {
    let repo = large();
    for by_signal in [false, true] {
        let home = home();
        let mut server = Server::at_home(home.path(), &repo.root());
        let arguments = json!({ "path": repo.root(), "background": true });
        server.call("index_repository", arguments);
        let pid = server.pid();
        // A thread has the name of the one that started it until it runs.
        let is_indexing = |names: &[String]| names.iter().any(|name| name == "refresh");
        wait_for(pid, "it does not index", is_indexing);
        let (_, status) = match by_signal {
            false => server.finish(),
            true => {
                let pid = rustix::process::Pid::from_raw(pid as i32).expect("it has one");
                rustix::process::kill_process(pid, rustix::process::Signal::TERM).expect("it runs");
                server.ended()
            }
        };
        assert!(status.success(), "by a signal: {by_signal}, {status}");
        // The next one goes on.
        let mut next = Server::patient(home.path(), &repo.root());
        let found = next.call("find_symbol", json!({ "query": "shared" }));
        assert_eq!(found["structuredContent"]["definitions"][0]["path"], "src/lib.rs");
    }
}
