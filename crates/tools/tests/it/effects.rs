//! Calls that change something: done once, told as done, and never more than was asked for.

use std::{
    fs::{self, File},
    path::Path,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use test_fixture::Repo;

use crate::kit::{Kit, string};

const REPO: &str = "
//- /a.rs
pub fn alpha() {}
//- /b.rs
use crate::a::alpha;
fn beta() { alpha() }
";

/// While another process writes the index for long, what was renamed cannot be checked.
#[test]
fn a_rename_that_cannot_be_checked_is_told_as_written() {
    let repo = Repo::new("//- /a.py\ndef alpha(): pass\n//- /b.py\nfrom a import alpha\ndef beta(): alpha()\n");
    let limits = [("limits.first_answer_secs", "1"), ("limits.request_timeout_secs", "1")];
    let kit = Kit::with(&repo.root(), true, &limits);
    let renamed = json!({ "old_name": "alpha", "new_name": "gamma", "dry_run": false });
    // Planned first, so that everything is indexed when the lock is taken.
    kit.json("rename_symbol", json!({ "old_name": "alpha", "new_name": "gamma" }));
    until_settled(&kit);
    let lock = File::options().write(true).open(kit.index_dir().join("lock")).unwrap();
    lock.lock().unwrap();
    let answer = kit.call("rename_symbol", renamed);
    assert!(!answer.is_error(), "{}", answer.text);
    let written = fs::read_to_string(repo.root().join("a.py")).unwrap();
    assert_eq!(written, "def gamma(): pass\n");
    assert!(
        answer.text.starts_with("Renamed `alpha` -> `gamma`: 3 sites"),
        "{}",
        answer.text
    );
    assert!(answer.text.contains("All of them are written. "), "{}", answer.text);
    assert_eq!(answer.structured["applied"], true);
    assert_eq!(answer.structured["check"]["failed"], "files are still being indexed");
    drop(lock);
    assert_eq!(kit.json("find_references", json!({ "symbol": "gamma" }))["total"], 2);
}

/// A file that was just written is looked at again, and committed, once the clock has moved on.
fn until_settled(kit: &Kit) {
    let deadline = Instant::now() + Duration::from_secs(60);
    let generation = || kit.json("index_status", json!({}))["generation"].clone();
    let mut last = generation();
    let mut calm = Instant::now();
    while calm.elapsed() < Duration::from_millis(1500) {
        assert!(Instant::now() < deadline, "the index never comes to rest");
        std::thread::sleep(Duration::from_millis(50));
        let now = generation();
        if now != last {
            (last, calm) = (now, Instant::now());
        }
    }
}

/// Of everything that is noted while the index is damaged there is one memory.
#[test]
fn notes_are_taken_once_from_a_damaged_index() {
    let repo = Repo::new(REPO);
    let kit = Kit::new(&repo.root());
    kit.files();
    let names = ["catalog.db", "catalog.db-wal"];
    let mut kept = Vec::new();
    for round in 0..4 {
        for name in names {
            spoil(&kit.index_dir().join(name));
        }
        let description = format!("round {round}: `alpha` in a.rs");
        let noted = kit.call("checkpoint", json!({ "description": description }));
        let plan = kit.call(
            "plan",
            json!({ "action": "save", "title": format!("plan {round}"), "content": "`alpha`" }),
        );
        for answer in [noted, plan] {
            // Where it is an error, nothing was noted.
            match answer.is_error() {
                true => assert!(answer.text.contains("call again"), "{}", answer.text),
                false => kept.push(answer),
            }
        }
        // Then the index is whole.
        assert_eq!(kit.files(), ["a.rs", "b.rs"]);
    }
    assert!(!kept.is_empty());
    let all = kit.json("recall", json!({ "limit": 100 }))["total"].as_u64();
    assert_eq!(all, Some(kept.len() as u64));
}

/// Writes over all pages of a file but the first, which says what it is.
fn spoil(path: &Path) {
    let Ok(mut bytes) = fs::read(path) else { return };
    for byte in bytes.iter_mut().skip(4096) {
        *byte ^= 0x5a;
    }
    fs::write(path, bytes).unwrap();
}

#[test]
fn a_session_is_not_taken_from_another_directory() {
    let (one, other) = (Repo::new(REPO), Repo::new("//- /c.rs\nfn c() {}\n"));
    let kit = Kit::new(&one.root());
    kit.json("index_repository", json!({ "path": one.root(), "session": "mine" }));
    for tool in ["index_repository", "manage_workspace"] {
        let mut arguments = json!({ "path": other.root(), "session": "mine", "force": true });
        if tool == "manage_workspace" {
            arguments["operation"] = "add".into();
        }
        let refused = kit.call(tool, arguments);
        assert!(refused.is_error(), "{}", refused.text);
        assert!(
            refused.text.contains("session `mine` already indexes"),
            "{}",
            refused.text
        );
        let kept = kit.json("get_session_info", json!({ "session": "mine" }));
        assert_eq!((&kept["root"], &kept["files"]), (&json!(one.root()), &json!(2)));
    }
    // Its own directory reads every file again.
    let again = json!({ "path": one.root(), "session": "mine", "force": true });
    assert_eq!(kit.json("index_repository", again)["files_indexed"], 2);
}

fn sessions(kit: &Kit) -> Vec<Value> {
    let rows = kit.rows("list_sessions", &json!({}), "sessions");
    rows.into_iter().map(|row| row["session"].clone()).collect()
}

#[test]
fn what_deletes_asks_first() {
    let (one, gone) = (Repo::new(REPO), Repo::new(REPO));
    let kit = Kit::new(&one.root());
    kit.json("index_repository", json!({ "path": one.root(), "session": "here" }));
    kit.json("index_repository", json!({ "path": gone.root(), "session": "gone" }));
    drop(gone);
    for (tool, arguments) in [
        ("delete_session", json!({ "session": "here", "confirm": false })),
        ("manage_workspace", json!({ "operation": "remove", "name": "here" })),
        ("manage_workspace", json!({ "operation": "clean" })),
    ] {
        let refused = kit.call(tool, arguments);
        assert_eq!(refused.structured["error"]["code"], -32001, "{}", refused.text);
        assert!(refused.text.contains("needs confirm: true"), "{}", refused.text);
        assert_eq!(sessions(&kit), ["gone", "here"]);
    }
    let cleaned = kit.json("manage_workspace", json!({ "operation": "clean", "confirm": true }));
    assert_eq!(cleaned["removed"], json!(["gone"]));
    assert_eq!(sessions(&kit), ["here"]);
    // What deletes nothing needs no word.
    let cleaned = kit.json("manage_workspace", json!({ "operation": "clean" }));
    assert_eq!(cleaned["removed"], json!([]));
    kit.json(
        "manage_workspace",
        json!({ "operation": "remove", "name": "here", "confirm": true }),
    );
    assert!(sessions(&kit).is_empty());
}

/// The mount point that a session remembers is an ordinary directory again.
#[test]
fn a_directory_whose_drive_is_not_mounted_is_not_gone() {
    let (one, away) = (Repo::new(REPO), Repo::new(REPO));
    let kit = Kit::new(&one.root());
    kit.json("index_repository", json!({ "path": away.root(), "session": "away" }));
    let identity = kit.index_dir().with_file_name("session.json");
    let mut session: Value = serde_json::from_str(&fs::read_to_string(&identity).unwrap()).unwrap();
    assert!(session["mount_point"].is_string(), "{session}");
    let drive = tempfile::tempdir().unwrap();
    session["mount_point"] = json!(drive.path());
    fs::write(&identity, session.to_string()).unwrap();
    drop(away);
    let kit = kit.reopened();
    let cleaned = kit.call("manage_workspace", json!({ "operation": "clean", "confirm": true }));
    assert_eq!(cleaned.structured["removed"], json!([]));
    assert_eq!(cleaned.structured["unreachable"], json!(["away"]));
    assert!(cleaned.text.contains("may not be mounted: away"), "{}", cleaned.text);
    assert_eq!(sessions(&kit), ["away"]);
    let listed = kit.text("list_sessions", json!({}));
    assert!(listed.contains("its drive may not be mounted"), "{listed}");
    // Whoever knows better deletes it by name.
    kit.json("delete_session", json!({ "session": "away", "confirm": true }));
    assert!(sessions(&kit).is_empty());
}

#[test]
fn a_list_of_sessions_opens_none_and_knows_what_others_write() {
    let repo = Repo::new(REPO);
    let kit = Kit::new(&repo.root());
    kit.json("index_repository", json!({ "path": repo.root() }));
    let other = kit.beside(false);
    let listed = || {
        let sessions = other.rows("list_sessions", &json!({}), "sessions");
        let info = other.json(
            "get_session_info",
            json!({ "session": string(&sessions[0]["session"]) }),
        );
        assert_eq!(info["files"], sessions[0]["files"]);
        assert_eq!(info["chunks"], sessions[0]["chunks"]);
        sessions[0]["files"].as_u64().unwrap()
    };
    let before = listed();
    assert_eq!(before, kit.json("index_status", json!({}))["files"].as_u64().unwrap());
    let used = kit.index_dir().join("used");
    let opened = fs::metadata(&used).and_then(|file| file.modified()).ok();
    assert_eq!(listed(), before);
    assert_eq!(fs::metadata(&used).and_then(|file| file.modified()).ok(), opened);
    repo.write("more.py", "def more():\n    pass\n");
    kit.json("index_repository", json!({ "path": repo.root() }));
    assert_eq!(listed(), before + 1);
}

/// Another process has given the session other settings, and is about to index anew.
#[test]
fn who_looks_at_sessions_leaves_their_indexes_alone() {
    let repo = Repo::new(REPO);
    let kit = Kit::new(&repo.root());
    kit.json("index_repository", json!({ "path": repo.root() }));
    let dir = kit.index_dir();
    let identity = dir.with_file_name("session.json");
    let mut session: Value = serde_json::from_str(&fs::read_to_string(&identity).unwrap()).unwrap();
    assert!(session["config"]["chunk_size"].is_u64(), "{session}");
    session["config"]["chunk_size"] = 4000.into();
    fs::write(&identity, session.to_string()).unwrap();
    let files = || {
        let names = fs::read_dir(dir.join("text"))
            .unwrap()
            .map(|file| file.unwrap().file_name());
        names.collect::<std::collections::BTreeSet<_>>()
    };
    let before = files();
    let kit = kit.reopened();
    let listed = kit.json("list_sessions", json!({}));
    assert_eq!(listed["sessions"].as_array().unwrap().len(), 1);
    assert_eq!(files(), before);
    let beside: Vec<_> = fs::read_dir(dir.parent().unwrap())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.starts_with("index-"))
        .collect();
    assert!(beside.is_empty(), "{beside:?}");
}
