//! One session keeps no other waiting, and what works in the background ends with its session and with the toolbox.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, RecvTimeoutError, channel},
    },
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use test_fixture::Repo;
use workspace::{ExactAnalysis, ExactEngine, ExactLoad, ExactLoaded, ExactMeaning};

use crate::kit::Kit;

/// Turns a hang into a failure.
const PATIENCE: Duration = Duration::from_secs(60);

#[track_caller]
fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < PATIENCE, "not in time: {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// What a call answers, asked on a thread of its own.
fn asked_beside(kit: &Arc<Kit>, tool: &'static str, arguments: Value) -> Receiver<(bool, String)> {
    let (sender, answer) = channel();
    let kit = kit.clone();
    std::thread::spawn(move || {
        let outcome = kit.call(tool, arguments);
        let _ = sender.send((outcome.is_error(), outcome.text));
    });
    answer
}

#[track_caller]
fn in_time(answer: &Receiver<(bool, String)>) -> String {
    let (is_error, text) = answer.recv_timeout(PATIENCE).expect("an answer in time");
    assert!(!is_error, "{text}");
    text
}

/// The opening of one workspace is held up where it notes that it has looked for sessions to sweep: a pipe that nobody reads.
#[cfg(unix)]
#[test]
fn opening_one_workspace_keeps_no_other_waiting() {
    let (here, there) = (
        Repo::new("//- /here.rs\nfn here() {}\n"),
        Repo::new("//- /there.rs\nfn there() {}\n"),
    );
    let kit = Arc::new(Kit::watching(&here.root()));
    assert_eq!(kit.paths_with("fn here"), ["here.rs"]);
    let home = std::fs::read_dir(kit.home()).expect("there is a home").flatten();
    let is_note = |path: &std::path::PathBuf| path.is_file() && path.to_string_lossy().ends_with("swept");
    let swept = home.map(|entry| entry.path()).find(is_note).expect("it was swept");
    std::fs::remove_file(&swept).expect("it can be deleted");
    let run = |program: &str, arguments: &[&str]| {
        let done = std::process::Command::new(program).args(arguments).arg(&swept).status();
        assert!(done.expect("the system has it").success(), "{program}");
    };
    run("mkfifo", &[]);
    run("touch", &["-t", "202001010000"]);
    let arguments = json!({ "workspace": there.root(), "query": "fn there", "literal": true });
    let held = asked_beside(&kit, "search_code", arguments);
    let n_indexes = || {
        let sessions = std::fs::read_dir(kit.home().join("workspaces")).expect("there are sessions");
        let index =
            |session: std::io::Result<std::fs::DirEntry>| session.ok().map(|session| session.path().join("index"));
        sessions.filter_map(index).filter(|index| index.exists()).count()
    };
    wait_until("the other one is being opened", || n_indexes() == 2);
    for (tool, arguments) in [
        ("search_code", json!({ "query": "fn here", "literal": true })),
        ("index_status", json!({})),
        ("list_sessions", json!({})),
    ] {
        in_time(&asked_beside(&kit, tool, arguments));
    }
    assert_eq!(
        held.try_recv(),
        Err(std::sync::mpsc::TryRecvError::Empty),
        "it is held up"
    );
    // Whoever reads the pipe lets it go on.
    std::fs::read(&swept).expect("it can be read");
    assert!(in_time(&held).contains("there.rs"));
}

/// An analysis whose steps wait until they may go on.
#[derive(Default)]
struct Gate {
    is_loading: AtomicBool,
    is_stopping: AtomicBool,
    may_stop: AtomicBool,
    never_loads: bool,
    n_analyses: Arc<()>,
}

struct Engine(Arc<Gate>);

struct Analysis(Arc<Gate>, #[allow(dead_code)] Arc<()>);

impl ExactEngine for Engine {
    fn name(&self) -> &'static str {
        "gate"
    }

    fn lang(&self) -> &'static str {
        "rust"
    }

    fn reads(&self, path: &str) -> bool {
        path.ends_with(".rs")
    }

    fn fingerprint(&self, _root: &std::path::Path) -> String {
        "1".to_owned()
    }

    fn load(&self, load: ExactLoad<'_>) -> Box<dyn ExactAnalysis> {
        let analysis = Analysis(self.0.clone(), self.0.n_analyses.clone());
        self.0.is_loading.store(true, Ordering::SeqCst);
        if !self.0.never_loads {
            return Box::new(analysis);
        }
        loop {
            (load.progress)("waiting".to_owned());
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

impl ExactAnalysis for Analysis {
    fn change(&mut self, _files: Vec<(String, Option<String>)>) {}

    fn meanings(&self, _path: &str, places: &[u32]) -> Option<Vec<ExactMeaning>> {
        Some(places.iter().map(|_| ExactMeaning::Unknown).collect())
    }

    fn stop(&self) -> Box<dyn Fn() + Send> {
        let gate = self.0.clone();
        Box::new(move || {
            gate.is_stopping.store(true, Ordering::SeqCst);
            while !gate.may_stop.load(Ordering::SeqCst) {
                std::thread::sleep(Duration::from_millis(2));
            }
        })
    }

    fn loaded(&self) -> ExactLoaded {
        ExactLoaded::default()
    }
}

fn with_gate(repo: &Repo, gate: &Arc<Gate>) -> Arc<Kit> {
    let engine: Arc<dyn ExactEngine> = Arc::new(Engine(gate.clone()));
    let flags = [("rust.wait_ms", "50")];
    Arc::new(Kit::with_engine(&repo.root(), true, &flags, Some(engine)))
}

const CALL: &str = "//- /a.rs\npub fn a() {}\npub fn b() { a(); }\n";

/// An engine that takes long to stop keeps those waiting who need it, and nobody else.
#[test]
fn an_analysis_that_takes_long_to_stop_keeps_no_state() {
    let repo = Repo::new(CALL);
    let gate = Arc::new(Gate::default());
    let kit = with_gate(&repo, &gate);
    let status = || in_time(&asked_beside(&kit, "index_status", json!({})));
    wait_until("it is loaded", || {
        kit.call("find_references", json!({ "symbol": "a" }));
        status().contains("gate: ready")
    });
    repo.write("a.rs", "pub fn a() {}\npub fn c() { a(); }\n");
    let held = asked_beside(&kit, "find_references", json!({ "symbol": "a" }));
    wait_until("it is being stopped", || gate.is_stopping.load(Ordering::SeqCst));
    assert!(status().contains("gate: ready"));
    assert_eq!(held.recv_timeout(Duration::ZERO), Err(RecvTimeoutError::Timeout));
    gate.may_stop.store(true, Ordering::SeqCst);
    in_time(&held);
}

/// An analysis that is loaded for ever ends with its session, and with the toolbox.
#[test]
fn loading_ends_with_the_session() {
    for is_deleted in [true, false] {
        let repo = Repo::new(CALL);
        let gate = Arc::new(Gate {
            never_loads: true,
            ..Gate::default()
        });
        let kit = with_gate(&repo, &gate);
        in_time(&asked_beside(&kit, "find_references", json!({ "symbol": "a" })));
        wait_until("it is loading", || gate.is_loading.load(Ordering::SeqCst));
        match is_deleted {
            true => {
                let session = kit.json("index_status", json!({}))["session"].clone();
                let arguments = json!({ "session": session, "confirm": true });
                in_time(&asked_beside(&kit, "delete_session", arguments));
            }
            false => kit.toolbox().close(),
        }
        assert_eq!(Arc::strong_count(&gate.n_analyses), 1, "deleted: {is_deleted}");
    }
}

/// Nothing is answered any more, and nobody waits for an answer.
#[test]
fn a_closed_toolbox_opens_nothing() {
    let repo = Repo::new(CALL);
    let kit = Kit::watching(&repo.root());
    kit.json("index_status", json!({}));
    kit.toolbox().close();
    kit.toolbox().close();
    let refused = kit.call("find_symbol", json!({ "query": "a" }));
    assert!(
        refused.is_error() && refused.text.contains("closed"),
        "{}",
        refused.text
    );
}

/// Other tests of this process have threads of the same names: this one looks at a process of its own.
#[cfg(target_os = "linux")]
#[test]
fn no_thread_outlives_its_session() {
    const CHILD: &str = "PORTOLAN_TEST_CLOSING";
    if std::env::var_os(CHILD).is_some() {
        return sessions_come_and_go();
    }
    let test = std::env::current_exe().expect("this is a program");
    let child = std::process::Command::new(test)
        .args(["closing::no_thread_outlives_its_session", "--exact", "--nocapture"])
        .env(CHILD, "1")
        .output()
        .expect("it starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(child.status.success(), "{}{}", text(&child.stdout), text(&child.stderr));
    assert!(text(&child.stdout).contains("1 passed"), "{}", text(&child.stdout));
}

/// The threads of this process that are ours, by name.
#[cfg(target_os = "linux")]
fn own_threads() -> Vec<String> {
    const OURS: [&str; 5] = ["refresh", "reindex", "ranking", "vectors", "exact"];
    let tasks = std::fs::read_dir("/proc/self/task").expect("Linux has it").flatten();
    let names = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("comm")).ok());
    let names = names.map(|name| name.trim().to_owned());
    names.filter(|name| OURS.contains(&name.as_str())).collect()
}

#[cfg(target_os = "linux")]
fn sessions_come_and_go() {
    let repo = Repo::new(CALL);
    let body: String = (0..40)
        .map(|n| format!("pub fn filler_{n}(x: u32) -> u32 {{ x + {n} }}\n"))
        .collect();
    for n in 0..600 {
        repo.write(&format!("src/f{n}.rs"), format!("// {n}\n{body}"));
    }
    let gate = Arc::new(Gate {
        never_loads: true,
        ..Gate::default()
    });
    let engine: Arc<dyn ExactEngine> = Arc::new(Engine(gate.clone()));
    let flags = [("rust.wait_ms", "0"), ("limits.first_answer_secs", "0")];
    let kit = Kit::with_engine(&repo.root(), true, &flags, Some(engine));
    let begin = |session: &str| {
        let arguments = json!({ "path": repo.root(), "session": session, "background": true });
        kit.json("index_repository", arguments.clone());
        // The one that is under way goes on, and another one follows.
        let mut again = arguments;
        again["force"] = json!(true);
        kit.json("index_repository", again);
    };
    let delete = |session: &str| kit.json("delete_session", json!({ "session": session, "confirm": true }));
    // In the middle of the first index.
    begin("first");
    // A thread has the name of the one that started it until it runs.
    wait_until("it is being indexed", || !own_threads().is_empty());
    delete("first");
    wait_until("no thread is left of a session", || own_threads().is_empty());
    let left = std::fs::read_dir(kit.home().join("workspaces")).expect("there were sessions");
    assert_eq!(left.count(), 0, "something was written after it was deleted");
    // Behind it: a map is ranked beside the answers, an analysis is loaded.
    begin("second");
    begin("third");
    let ask = |session: &str, tool: &str, arguments: Value| {
        let mut arguments = arguments;
        arguments["workspace"] = json!(session);
        kit.call(tool, arguments)
    };
    for session in ["second", "third"] {
        wait_until("it is indexed", || {
            let status = ask(session, "index_status", json!({}));
            status.structured["state"] == "ready"
        });
        ask(session, "map_code", json!({}));
        wait_until("an analysis is loading", || {
            ask(session, "find_references", json!({ "symbol": "a" }));
            own_threads().contains(&"exact".to_owned())
        });
    }
    delete("second");
    begin("fourth");
    kit.toolbox().close();
    wait_until("no thread is left of a toolbox", || own_threads().is_empty());
    assert_eq!(Arc::strong_count(&gate.n_analyses), 1);
}
