//! Renaming, memories and profiles through the real binary.

use std::{fs, process::Stdio};

use serde_json::json;
use test_fixture::Repo;

use crate::server::{Server, home, portolan};

const REPO: &str = "
//- /src/walk.py
def walk_files(): pass
//- /src/other.py
from walk import walk_files
walk_files()
";

#[test]
fn a_name_is_changed_on_the_command_line() {
    let (repo, home) = (Repo::new(REPO), home());
    let rename = |more: &[&str]| {
        let mut command = portolan(home.path());
        let command = command
            .current_dir(repo.root())
            .args(["rename", "walk_files", "visit_files"]);
        command.args(more).output().expect("the binary starts")
    };
    let preview = rename(&[]);
    assert!(preview.status.success());
    assert!(String::from_utf8_lossy(&preview.stdout).contains("+visit_files()"));
    let other = repo.root().join("src/other.py");
    let text = || fs::read_to_string(&other).expect("the file can be read");
    assert_eq!(text(), "from walk import walk_files\nwalk_files()\n");
    assert!(rename(&["--dry-run=false"]).status.success());
    assert_eq!(text(), "from walk import visit_files\nvisit_files()\n");
}

#[test]
fn memories_go_out_and_in_as_markdown() {
    let (repo, one, other) = (Repo::new(REPO), home(), home());
    let run = |home: &std::path::Path, arguments: &[&str]| {
        let mut command = portolan(home);
        let command = command.current_dir(repo.root()).args(arguments).stdin(Stdio::null());
        let output = command.output().expect("the binary starts");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    let noted = run(one.path(), &["checkpoint", "`walk_files` is slow", "--type=learning"]);
    assert_eq!(noted.0, Some(0), "{}", noted.2);
    let exported = run(one.path(), &["memory", "export"]).1;
    assert!(exported.contains("`walk_files` is slow"), "{exported}");
    let file = other.path().join("memories.md");
    fs::write(&file, &exported).expect("the file can be written");
    let file = file.to_string_lossy().into_owned();
    assert_eq!(
        run(other.path(), &["memory", "import", &file]).1,
        "Memories imported: 1\n"
    );
    assert_eq!(run(other.path(), &["memory", "export"]).1, exported);
    assert!(
        run(other.path(), &["recall", "slow"])
            .1
            .contains("`walk_files` is slow")
    );
    assert_eq!(run(other.path(), &["memory", "import", "absent.md"]).0, Some(2));
    assert_eq!(run(other.path(), &["memory"]).0, Some(2));
}

#[test]
fn a_stand_in_fails_as_its_system_does() {
    let repo = Repo::new(REPO);
    let mut server = Server::initialized(&repo.root(), &["--profile", "shebe"]);
    let listed = server.ask("tools/list", json!({}));
    assert_eq!(listed["result"]["tools"].as_array().map(Vec::len), Some(14));
    let missing = json!({ "name": "search_code", "arguments": { "query": "walk", "session": "nonexistent-session" } });
    let answer = server.ask("tools/call", missing);
    assert_eq!(answer["error"]["code"], -32001, "{answer}");
    let short = json!({ "name": "find_references", "arguments": { "symbol": "w", "session": "x" } });
    assert_eq!(server.ask("tools/call", short)["error"]["code"], -32602);

    let unknown = portolan(home().path()).args(["serve", "--profile", "nope"]).output();
    let unknown = unknown.expect("the binary starts");
    assert_eq!(unknown.status.code(), Some(2));
    let said = String::from_utf8_lossy(&unknown.stderr).into_owned();
    assert!(
        said.contains("there is no profile `nope`; there are claudevil"),
        "{said}"
    );
}
