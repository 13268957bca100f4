//! Several processes on one repository, and what is left of those that end.

use std::{
    collections::BTreeMap,
    fs::{self, File, TryLockError},
    path::Path,
    process::Command,
    time::Duration,
};

use serde_json::{Value, json};
use test_fixture::Repo;

use crate::server::{Server, home, portolan, scale};

const REPO: &str = "
//- /src/lib.rs
pub fn shared() -> u32 { 1 }
//- /README.md
# Many
";

fn paths_with(answer: &Value) -> Vec<String> {
    let rows = answer["structuredContent"]["results"].as_array();
    let rows = rows.unwrap_or_else(|| panic!("an answer, not {answer}"));
    let mut paths: Vec<String> = rows
        .iter()
        .map(|row| row["path"].as_str().unwrap().to_owned())
        .collect();
    paths.sort();
    paths.dedup();
    paths
}

fn literal(server: &mut Server, text: &str) -> Vec<String> {
    paths_with(&server.call("search_code", json!({ "query": text, "literal": true, "k": 100 })))
}

fn on_the_command_line(home: &Path, root: &Path, text: &str) -> Value {
    let arguments = json!({ "query": text, "literal": true, "workspace": root, "format": "json" });
    let output = portolan(home)
        .args(["call", "search_code", &arguments.to_string()])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success(),
        "{text}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    serde_json::from_str(&text).unwrap()
}

/// Five servers edit, ask and are killed; each sees its own change at once, and at the end all say the same.
#[test]
fn servers_on_one_repository_answer_and_take_over() {
    let repo = Repo::new(REPO);
    let (home, root) = (home(), repo.root());
    let rounds = 3 * scale();
    std::thread::scope(|scope| {
        for number in 0..5 {
            let (repo, home, root) = (&repo, &home, &root);
            scope.spawn(move || {
                let mut server = Server::at_home(home.path(), root);
                for round in 0..rounds {
                    let (path, text) = (format!("own{number}.rs"), format!("server{number}round{round}"));
                    repo.write(&path, format!("fn {text}() {{ shared(); }}\n"));
                    assert_eq!(literal(&mut server, &text), [path], "{text}");
                    if (round + number) % 3 == 0 {
                        // Killed without warning, maybe while it writes; another one takes its place.
                        repo.write(&format!("more{number}.rs"), format!("fn more{round}() {{}}\n"));
                        server.request(
                            "tools/call",
                            json!({ "name": "search_code", "arguments": { "query": "more" } }),
                        );
                        server.kill();
                        server = Server::at_home(home.path(), root);
                    }
                    if number == 0 {
                        // What nobody edits can be asked for at any time.
                        on_the_command_line(home.path(), root, "# Many");
                    }
                }
            });
        }
    });
    let mut last = Server::at_home(home.path(), &root);
    let fresh = crate::server::home();
    let mut other = Server::at_home(fresh.path(), &root);
    for text in ["shared", "more", "server1round1"] {
        assert_eq!(literal(&mut last, text), literal(&mut other, text), "{text}");
    }
    let health = last.call("health_check", json!({}));
    assert_eq!(health["structuredContent"]["overall"], "healthy", "{health}");
}

/// Agents that are started together all find an index that is not there yet.
#[test]
fn servers_that_begin_together_all_answer() {
    let repo = Repo::new(REPO);
    let root = repo.root();
    for _ in 0..4 * scale() {
        let home = home();
        let answers = std::thread::scope(|scope| {
            let ask = || {
                let mut server = Server::at_home(home.path(), &root);
                let found = literal(&mut server, "shared");
                let noted = server.call("checkpoint", json!({ "description": "All began at once." }));
                assert_eq!(noted["isError"], json!(false), "{noted}");
                found
            };
            let servers: Vec<_> = (0..6).map(|_| scope.spawn(ask)).collect();
            let answers = servers.into_iter().map(|server| server.join().unwrap());
            answers.collect::<Vec<_>>()
        });
        assert_eq!(answers, vec![answers[0].clone(); 6]);
        assert!(!answers[0].is_empty());
    }
}

/// The lock of the only index below a home.
fn index_lock(home: &Path) -> File {
    let mut sessions = fs::read_dir(home.join("workspaces")).unwrap();
    let session = sessions.next().expect("there is a session").unwrap();
    let lock = session.path().join("index/lock");
    File::options().write(true).open(lock).unwrap()
}

/// A lock goes with the process that has it, also where that is killed while it writes.
#[test]
fn a_killed_writer_leaves_no_lock() {
    let repo = Repo::new("");
    for n in 0..400 {
        repo.write(
            &format!("{n:03}.rs"),
            format!("pub fn number_{n}() -> u32 {{ {n} }}\n").repeat(20),
        );
    }
    let home = home();
    assert_eq!(
        literal(&mut Server::at_home(home.path(), &repo.root()), "number_399()"),
        ["399.rs"]
    );
    let lock = index_lock(home.path());
    let mut killed = 0;
    for _ in 0..50 * scale() {
        let mut writer = Server::at_home(home.path(), &repo.root());
        let id = writer.request(
            "tools/call",
            json!({ "name": "index_repository", "arguments": { "force": true } }),
        );
        let is_done = loop {
            match lock.try_lock() {
                // Nobody else is there who could have it.
                Err(TryLockError::WouldBlock) => break false,
                Err(TryLockError::Error(error)) => panic!("{error}"),
                Ok(()) => lock.unlock().unwrap(),
            }
            if writer
                .receive_within(Duration::from_millis(1))
                .is_some_and(|message| message["id"] == id)
            {
                break true;
            }
        };
        // A quick machine may be done before it is looked at; then there is nothing to kill.
        if is_done {
            continue;
        }
        writer.kill();
        lock.try_lock().expect("the lock has gone with its owner");
        lock.unlock().unwrap();
        killed += 1;
        if killed == 3 * scale() {
            break;
        }
    }
    assert_eq!(killed, 3 * scale(), "no writer was met at work");
    let mut next = Server::at_home(home.path(), &repo.root());
    assert_eq!(literal(&mut next, "number_399()"), ["399.rs"]);
    let status = next.call("index_status", json!({}));
    assert_eq!(status["isError"], json!(false), "{status}");
}

#[test]
fn workspaces_inside_each_other() {
    let repo = Repo::new("//- /a.rs\nfn outer() { inner() }\n//- /sub/b.rs\nfn inner() {}\n");
    let home = home();
    let mut outer = Server::at_home(home.path(), &repo.root());
    let mut inner = Server::at_home(home.path(), &repo.path("sub"));
    assert_eq!(literal(&mut outer, "inner"), ["a.rs", "sub/b.rs"]);
    assert_eq!(literal(&mut inner, "inner"), ["b.rs"]);
    repo.write("sub/c.rs", "fn inner_too() {}\n");
    assert_eq!(literal(&mut inner, "inner_too"), ["c.rs"]);
    assert_eq!(literal(&mut outer, "inner_too"), ["sub/c.rs"]);
}

/// What one working tree knows of a content, another of the same repository need not find out.
#[test]
fn working_trees_share_what_is_known() {
    let repo = Repo::new("");
    let git = |arguments: &[&str], dir: &Path| {
        let ran = Command::new("git")
            .args([
                "-c",
                "user.name=a",
                "-c",
                "user.email=a@b",
                "-c",
                "init.defaultBranch=main",
            ])
            .args(arguments)
            .current_dir(dir)
            .output();
        ran.is_ok_and(|output| output.status.success())
    };
    for n in 0..40 {
        repo.write(&format!("{n:03}.rs"), format!("pub fn number_{n}() -> u32 {{ {n} }}\n"));
    }
    let root = repo.root();
    if !git(&["init", "-q"], &root) {
        // Without git there are no working trees.
        return;
    }
    assert!(git(&["add", "."], &root) && git(&["commit", "-qm", "a"], &root));
    let beside = tempfile::TempDir::with_prefix("tree-").unwrap();
    let second = beside.path().canonicalize().unwrap().join("second");
    assert!(git(&["worktree", "add", "-q", second.to_str().unwrap()], &root));
    let home = home();
    let parsed = |root: &Path| on_the_command_line(home.path(), root, "number_7()")["results"].clone();
    assert_eq!(parsed(&root), parsed(&second));
    // The second one still has its facts when the first is gone.
    fs::remove_dir_all(&root).unwrap();
    assert_eq!(parsed(&second)[0]["path"], "007.rs");
}

/// A server that nobody asks does nothing: no thread of it is woken, and nothing is written.
#[cfg(target_os = "linux")]
#[test]
fn an_idle_server_rests() {
    let repo = Repo::new(REPO);
    let home = home();
    let mut server = Server::at_home(home.path(), &repo.root());
    literal(&mut server, "shared");
    // How often each thread has come to run, and how much was written.
    let activity = |pid: u32| {
        let mut switches = BTreeMap::new();
        for task in fs::read_dir(format!("/proc/{pid}/task")).unwrap().flatten() {
            // A thread may end meanwhile.
            let Ok(status) = fs::read_to_string(task.path().join("status")) else {
                continue;
            };
            let counts = status.lines().filter(|line| line.contains("voluntary_ctxt_switches"));
            switches.insert(task.file_name(), counts.map(str::to_owned).collect::<Vec<_>>());
        }
        let io = fs::read_to_string(format!("/proc/{pid}/io")).unwrap();
        let written = io.lines().find(|line| line.starts_with("wchar")).unwrap().to_owned();
        (switches, written)
    };
    // What the answer has left to do ends at some time, however slow the machine is. Whoever looks at something again and
    // again is never seen at rest.
    let mut before = activity(server.pid());
    assert!(!before.0.is_empty());
    let rests = (0..40).any(|_| {
        std::thread::sleep(Duration::from_millis(1500));
        let now = activity(server.pid());
        std::mem::replace(&mut before, now.clone()) == now
    });
    assert!(rests, "{before:?}");
    server.assert_alive();
    // The question itself is worth something: a server that is asked is seen at work.
    assert_ne!(activity(server.pid()), before);
}

/// Thousands of calls and edits later there are as many threads and descriptors as before, and about as much memory.
#[cfg(target_os = "linux")]
#[test]
fn a_long_life_leaves_nothing_behind() {
    let repo = Repo::new(REPO);
    let home = home();
    let mut server = Server::at_home(home.path(), &repo.root());
    let pid = server.pid();
    let held = || {
        let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
        let number = |name: &str| -> u64 {
            let line = status.lines().find(|line| line.starts_with(name)).unwrap();
            line.split_whitespace().nth(1).unwrap().parse().unwrap()
        };
        let open = fs::read_dir(format!("/proc/{pid}/fd")).unwrap().count() as u64;
        (number("Threads:"), open, number("RssAnon:"))
    };
    let mut live = |rounds: u32| {
        for round in 0..rounds {
            repo.write("src/own.rs", format!("pub fn round{round}() {{ shared(); }}\n"));
            assert_eq!(literal(&mut server, &format!("round{round}()")), ["src/own.rs"]);
            server.call("find_references", json!({ "symbol": "shared" }));
        }
    };
    live(40);
    let (threads, open, memory) = held();
    live(60 * scale());
    let (threads_now, open_now, memory_now) = held();
    assert!(threads_now <= threads + 4, "{threads} threads, then {threads_now}");
    // Segments come and go with merges.
    assert!(open_now <= open + 60, "{open} descriptors, then {open_now}");
    assert!(memory_now <= memory + 20_000, "{memory} kB, then {memory_now}");
    assert!(memory_now <= 60_000, "{memory_now} kB");
}

/// A repository that takes a while to index, and one function that is last in it.
fn slow_repo(n_files: usize) -> Repo {
    let repo = Repo::new("//- /zz/last.rs\npub fn needle_of_the_last() -> u32 { 7 }\n");
    let body: String = (0..300)
        .map(|n| {
            format!("pub fn filler_{n}(left: u32, right: u32) -> u32 {{\n    left.wrapping_mul(right) + {n}\n}}\n")
        })
        .collect();
    for n in 0..n_files {
        repo.write(&format!("a{n:03}.rs"), format!("// file {n}\n{body}"));
    }
    repo
}

/// Where a name is defined.
fn defined(server: &mut Server, name: &str) -> Vec<String> {
    let answer = server.call("find_symbol", json!({ "query": name }));
    let found = answer["structuredContent"]["definitions"].as_array().cloned();
    let exact = found.into_iter().flatten().filter(|row| row["name"] == name);
    exact.map(|row| row["path"].as_str().unwrap().to_owned()).collect()
}

/// What is asked about goes first: an answer that does not wait for the rest has it all the same.
#[test]
fn a_first_question_is_answered_before_every_file_is_indexed() {
    let (repo, home) = (slow_repo(150), home());
    let mut server = Server::patient(home.path(), &repo.root());
    let answer = server.call("find_symbol", json!({ "query": "needle_of_the_last" }));
    let found = &answer["structuredContent"]["definitions"][0];
    assert_eq!(found["path"], "zz/last.rs", "{answer}");
    let coverage = &answer["structuredContent"]["coverage"];
    assert!(
        coverage["complete"] == true || coverage["pending"].as_u64() > Some(0),
        "{coverage}"
    );
}

/// The command line ends with its answer, and the indexing with it: it waits for the whole.
#[test]
fn the_command_line_waits_for_the_whole_index() {
    let (repo, home) = (slow_repo(60), home());
    let answer = on_the_command_line(home.path(), &repo.root(), "needle_of_the_last");
    assert_eq!(answer["coverage"]["complete"], true, "{answer}");
}

/// Whatever is written while a first index runs is in the next answer, be it a file that was indexed before.
#[test]
fn a_change_during_the_first_index_is_seen_at_once() {
    let (repo, home) = (slow_repo(300), home());
    let mut server = Server::patient(home.path(), &repo.root());
    assert_eq!(defined(&mut server, "needle_of_the_last"), ["zz/last.rs"]);
    repo.write("zz/last.rs", "pub fn needle_of_the_edit() -> u32 { 8 }\n");
    assert_eq!(defined(&mut server, "needle_of_the_edit"), ["zz/last.rs"]);
    assert_eq!(defined(&mut server, "needle_of_the_last"), Vec::<String>::new());
    repo.write("zz/new.rs", "pub fn needle_of_the_new() -> u32 { 9 }\n");
    assert_eq!(defined(&mut server, "needle_of_the_new"), ["zz/new.rs"]);
    fs::rename(repo.path("zz/new.rs"), repo.path("zz/renamed.rs")).unwrap();
    assert_eq!(defined(&mut server, "needle_of_the_new"), ["zz/renamed.rs"]);
    fs::remove_file(repo.path("zz/renamed.rs")).unwrap();
    assert_eq!(defined(&mut server, "needle_of_the_new"), Vec::<String>::new());
    fs::create_dir(repo.path("zz/deep")).unwrap();
    repo.write("zz/deep/er.rs", "pub fn needle_of_the_deep() -> u32 { 10 }\n");
    assert_eq!(defined(&mut server, "needle_of_the_deep"), ["zz/deep/er.rs"]);
}

/// Who does not write asks the one that does for what has changed.
#[test]
fn a_server_that_does_not_write_sees_changes_during_the_first_index() {
    let (repo, home) = (slow_repo(300), home());
    let mut writer = Server::patient(home.path(), &repo.root());
    let first = defined(&mut writer, "needle_of_the_last");
    assert_eq!(first, ["zz/last.rs"]);
    let mut other = Server::patient(home.path(), &repo.root());
    repo.write("zz/last.rs", "pub fn needle_of_the_edit() -> u32 { 8 }\n");
    repo.write("zz/new.rs", "pub fn needle_of_the_new() -> u32 { 9 }\n");
    assert_eq!(defined(&mut other, "needle_of_the_new"), ["zz/new.rs"]);
    assert_eq!(defined(&mut other, "needle_of_the_edit"), ["zz/last.rs"]);
}
