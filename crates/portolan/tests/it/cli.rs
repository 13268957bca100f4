//! The command line: the same answers, exit codes, and nothing but data on stdout.

use std::{
    io::Write,
    path::Path,
    process::{Output, Stdio},
};

use serde_json::{Value, json};
use test_fixture::Repo;

use crate::server::{Server, home, portolan};

const REPO: &str = "
//- /src/walk.rs
pub fn walk_files() {}
//- /src/other.py
def walk_files(): pass
";

fn run(home: &Path, dir: &Path, arguments: &[&str]) -> Output {
    let output = portolan(home).current_dir(dir).args(arguments).output();
    output.expect("the binary starts")
}

fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).expect("stdout is UTF-8")
}

fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).expect("stderr is UTF-8")
}

#[test]
fn who_gives_no_command_is_told_the_first_steps() {
    let home = home();
    let output = run(home.path(), home.path(), &[]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(stdout(&output), "");
    let steps = stderr(&output);
    assert!(steps.lines().count() < 10, "{steps}");
    for command in ["search", "map", "callers", "install", "doctor", "--help"] {
        assert!(steps.contains(&format!("  portolan {command} ")), "{command}: {steps}");
    }
}

#[test]
fn a_home_may_be_given_from_where_one_is() {
    let (repo, home) = (Repo::new(REPO), home());
    let output = portolan(home.path())
        .current_dir(repo.root())
        .env("PORTOLAN_HOME", "../near")
        .args(["call", "get_config", "{}"])
        .output()
        .unwrap();
    let shown = stdout(&output);
    let line = shown.lines().find(|line| line.contains("storage.home"));
    assert!(
        line.is_some_and(|line| line.contains(": /") || line.contains(":\\")),
        "{shown}"
    );
}

#[test]
fn exit_codes_tell_what_happened() {
    let (repo, home) = (Repo::new(REPO), home());
    let root = repo.root();
    for (arguments, code, on_stdout, on_stderr) in [
        (&["search", "walk_files", "."][..], 0, "src/walk.rs\n  1-1 ", ""),
        (&["search-code", "walk_files"], 0, "src/walk.rs\n  1-1 ", ""),
        (&["search_code", "walk_files"], 0, "src/walk.rs\n  1-1 ", ""),
        (&["plan", "save", "Walk", "--content", "- [ ] first"], 0, "Walk", ""),
        (
            &["search", "walk", "-k", "1", "--language=python"],
            0,
            "src/other.py",
            "",
        ),
        (
            &["search", "walk", "--path", "*.rs", "--path=*.py", "--exclude-tests"],
            0,
            "src/other.py\n",
            "",
        ),
        // A flag with its value apart.
        (
            &["refs", "--exclude-tests", "false", "walk_files", "--include-text=false"],
            0,
            "`walk_files` has 2 definitions",
            "",
        ),
        (
            &["impact", "--tests-only", "--files", "src/walk.rs", "src/other.py"],
            0,
            "",
            "",
        ),
        (&["search", "absent"], 0, "No match for `absent`", ""),
        (&["grep", "walk_.*", "src/other.py"], 0, "1 line in 1 file", ""),
        (&["read", "src/walk.rs"], 0, "pub fn walk_files", ""),
        (&["find-file", "*.py"], 0, "src/other.py", ""),
        (&["list-files"], 0, "2 files", ""),
        (&["preview", "src/walk.rs", "0"], 0, "chunk starts and ends here", ""),
        (&["status"], 0, "Ready", ""),
        (&["index", "."], 0, "Indexed", ""),
        (&["sessions"], 0, "repo", ""),
        (&["config"], 0, "storage.home", ""),
        (&["health"], 0, "HEALTHY", ""),
        (&["workspace", "list"], 0, "repo", ""),
        (&["get-server-info"], 0, "Portolan", ""),
        (&["call", "search_code", r#"{"query":"walk"}"#], 0, "Best places", ""),
        (&["call", "get_server_info"], 0, "Portolan", ""),
        (&["--version"], 0, "portolan", ""),
        (&["search", "--help"], 0, "--max-tokens", ""),
        (&["search", ""], 2, "", "Error: `query` is empty"),
        (&["search", "walk", "nowhere/at/all"], 2, "", "does not exist"),
        (&["read", "../outside"], 1, "", "outside the workspace"),
        (&["grep", "a("], 2, "", "bad regular expression"),
        (&["delete-session", "repo"], 2, "", ""),
        (
            &["call", "delete_session", r#"{"session":"repo"}"#],
            2,
            "",
            "`confirm` is missing",
        ),
        (&["search"], 2, "", "QUERY"),
        (
            &["impact", "--diff", "--depth", "1"],
            1,
            "",
            "is not in a git repository",
        ),
        (
            &["search", "walk", "files"],
            1,
            "",
            "put a text of several words in quotes",
        ),
        (
            &["search", "where", "are", "files"],
            2,
            "",
            "put a text of several words in quotes",
        ),
        (
            &["delete-session", "repo"],
            2,
            "",
            "--confirm is missing; see portolan delete-session --help",
        ),
        (&["search", "x", "-k", "abc"], 2, "", "`k` must be a whole number"),
        (&["refs"], 2, "", "Error"),
        (
            &["index", ".", "--workspace", "elsewhere"],
            2,
            "",
            "<PATH> is given twice",
        ),
        (&["config", "--log-level", "foo"], 2, "", "must be one of off, error"),
        (&["serve", "--token", "x"], 2, "", "--http"),
        (&["sessions", "--workspace", "."], 0, "repo", ""),
        (&["grep", "-i", "WALK_FILES", "-c"], 0, "src/walk.rs", ""),
        (&["search", "x", "--nope"], 2, "", "--nope"),
        (&["nope"], 2, "", "nope"),
        (&["call", "nope"], 2, "", "no tool"),
        (&["call", "serch_code"], 2, "", "did you mean `search_code`?"),
        (&["call", "search_code", "{"], 2, "", "not JSON"),
        (&["call", "search_code", "[]"], 2, "", "JSON object"),
        (&["serve", "--root", "/no/such/dir"], 2, "", "not a directory"),
        (&["serve", "--toolsets", "nope"], 2, "", "no toolset `nope`"),
    ] {
        let output = run(home.path(), &root, arguments);
        let context = format!("{arguments:?}: {} {}", stdout(&output), stderr(&output));
        assert_eq!(output.status.code(), Some(code), "{context}");
        assert!(stdout(&output).contains(on_stdout), "{context}");
        assert!(stderr(&output).contains(on_stderr), "{context}");
        match code {
            0 => assert_eq!(stderr(&output), "", "{context}"),
            _ => assert_eq!(stdout(&output), "", "{context}"),
        }
    }
}

/// Text and JSON are the same bytes, whichever way a call comes.
#[test]
fn the_command_line_and_the_server_answer_alike() {
    let (repo, home) = (Repo::new(REPO), home());
    let root = repo.root();
    let mut server = Server::initialized(&root, &[]);
    // Files that were just written settle, so that both see the same generation.
    std::thread::sleep(std::time::Duration::from_millis(150));
    for (tool, arguments) in [
        ("search_code", json!({ "query": "walk_files" })),
        ("search_code", json!({ "query": "walk", "k": 1 })),
        ("search_code", json!({ "query": "walk_files", "literal": true })),
        ("grep", json!({ "pattern": "walk", "context": 1 })),
        ("list_files", json!({})),
        ("read_file", json!({ "path": "src/walk.rs" })),
        ("preview_chunk", json!({ "file_path": "src/walk.rs", "chunk_index": 0 })),
        ("find_file", json!({ "pattern": "*.rs" })),
    ] {
        let result = server.call(tool, arguments.clone());
        let output = run(home.path(), &root, &["call", tool, &arguments.to_string()]);
        let text = result["content"][0]["text"].as_str().expect("a text");
        assert_eq!(stdout(&output), format!("{text}\n"), "{tool} {arguments}");
        let mut as_json = arguments.clone();
        as_json["format"] = "json".into();
        let output = run(home.path(), &root, &["call", tool, &as_json.to_string()]);
        let printed: Value = serde_json::from_str(stdout(&output)).expect("JSON");
        assert_eq!(printed, result["structuredContent"], "{tool} {arguments}");
        let flagged = ["call", tool, &arguments.to_string(), "--format", "json"];
        assert_eq!(
            stdout(&run(home.path(), &root, &flagged)),
            stdout(&output),
            "{flagged:?}"
        );
        let over_mcp = server.call(tool, as_json);
        let text = over_mcp["content"][0]["text"].as_str().expect("a text");
        assert_eq!(stdout(&output), format!("{text}\n"), "{tool} {arguments}");
    }
    let arguments = json!({ "query": "", "format": "json" });
    let result = server.call("search_code", arguments.clone());
    let output = run(home.path(), &root, &["call", "search_code", &arguments.to_string()]);
    assert_eq!(output.status.code(), Some(2));
    let printed: Value = serde_json::from_str(stdout(&output)).expect("JSON");
    assert_eq!(printed, result["structuredContent"]);
}

#[test]
fn subcommands_and_calls_answer_alike() {
    let (repo, home) = (Repo::new(REPO), home());
    let root = repo.root();
    run(home.path(), &root, &["index"]);
    for (command, tool, arguments) in [
        (
            &["search", "walk", "-k1", "--format", "json"][..],
            "search_code",
            json!({ "query": "walk", "k": 1, "format": "json" }),
        ),
        (
            &["grep", "walk", "--count"],
            "grep",
            json!({ "pattern": "walk", "count": true }),
        ),
        (
            &["read", "src/walk.rs", "--max-tokens", "500"],
            "read_file",
            json!({ "path": "src/walk.rs", "max_tokens": 500 }),
        ),
    ] {
        let one = run(home.path(), &root, command);
        let other = run(home.path(), &root, &["call", tool, &arguments.to_string()]);
        assert!(one.status.success(), "{command:?}: {}", stderr(&one));
        // Cursors are made from the arguments, which come as texts from the command line.
        let without_cursor = |output: &Output| {
            let lines = stdout(output).split("\"next_cursor\"").next().map(str::to_owned);
            lines.expect("there is always a first piece")
        };
        assert_eq!(without_cursor(&one), without_cursor(&other), "{command:?}");
    }
}

/// Nothing goes on in the background of a process that ends.
#[test]
fn indexing_is_waited_for() {
    let (repo, home) = (Repo::new(REPO), home());
    for arguments in [&["index"][..], &["index", "--background", "--force"]] {
        let mut command = portolan(home.path());
        command.env("PORTOLAN_REQUEST_TIMEOUT_SECS", "0");
        let output = command.current_dir(repo.root()).args(arguments).output();
        let output = output.expect("the binary starts");
        let text = stdout(&output);
        assert!(text.contains("- files: 2 (2 indexed now"), "{arguments:?}: {text}");
    }
}

#[test]
fn arguments_come_from_stdin_too() {
    let (repo, home) = (Repo::new(REPO), home());
    let mut child = portolan(home.path())
        .current_dir(repo.root())
        .args(["call", "search_code", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut stdin = child.stdin.take().expect("stdin is a pipe");
    stdin.write_all(br#"{"query": "walk"}"#).expect("the binary reads");
    drop(stdin);
    let output = child.wait_with_output().expect("the binary ends");
    assert!(
        stdout(&output).starts_with("Best places for `walk`"),
        "{}",
        stdout(&output)
    );
}

#[test]
fn settings_come_from_the_environment_and_are_checked() {
    let (repo, home) = (Repo::new(REPO), home());
    let with = |name: &str, value: &str| {
        let mut command = portolan(home.path());
        command.current_dir(repo.root()).env(name, value).arg("config");
        command.output().expect("the binary starts")
    };
    let output = with("PORTOLAN_CHUNK_SIZE", "700");
    assert!(
        stdout(&output).contains("indexing.chunk_size: 700 characters (environment)"),
        "{}",
        stdout(&output)
    );
    let output = with("PORTOLAN_CHUNK_SIZE", "7");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("chunk_size is 7"), "{}", stderr(&output));
    let output = with("PORTOLAN_INDEXING_CHUNK_SIZE", "700");
    assert!(
        stdout(&output).contains("700 characters (environment)"),
        "{}",
        stdout(&output)
    );
    let output = with("PORTOLAN_READ_ONLY", "1");
    assert!(
        stdout(&output).contains("server.read_only: true (environment)"),
        "{}",
        stdout(&output)
    );
    let output = with("PORTOLAN_READ_ONLY", "perhaps");
    let said = "server.read_only (PORTOLAN_READ_ONLY) cannot be `perhaps`: it must be true or false";
    assert!(stderr(&output).contains(said), "{}", stderr(&output));
    let output = with("PORTOLAN_CHUNKSIZE", "700");
    assert!(output.status.success());
    let said = "PORTOLAN_CHUNKSIZE is not a setting; did you mean PORTOLAN_CHUNK_SIZE?";
    assert!(stderr(&output).contains(said), "{}", stderr(&output));
    let file = home.path().join("portolan.toml");
    std::fs::write(&file, "[indexing]\nchunksize = 300\n").expect("the settings can be written");
    let output = with("PORTOLAN_CONFIG", file.to_str().expect("a text"));
    let said = format!(
        "{}: `indexing.chunksize` is not a setting; did you mean indexing.chunk_size?",
        file.display()
    );
    assert!(stderr(&output).contains(&said), "{}", stderr(&output));
    let output = with("PORTOLAN_CONFIG", "/no/such/file.toml");
    assert_eq!(output.status.code(), Some(2));
    // What a person leaves empty in a client's form is not set.
    for (variable, setting) in [
        ("PORTOLAN_READ_ONLY", "server.read_only"),
        ("PORTOLAN_CONFIG", "server.profile"),
    ] {
        let output = with(variable, "");
        let (shown, setting) = (stdout(&output), format!("{setting}: "));
        let line = shown.lines().find(|line| line.contains(&setting));
        assert!(
            line.is_some_and(|line| line.contains("default")),
            "{shown}{}",
            stderr(&output)
        );
    }
}

/// It would be inside of the repository.
#[test]
fn a_home_that_is_empty_is_none() {
    let (repo, home) = (Repo::new(REPO), home());
    let file = home.path().join("portolan.toml");
    let with = |settings: &str| {
        std::fs::write(&file, settings).expect("the settings can be written");
        portolan(home.path())
            .current_dir(repo.root())
            .env("PORTOLAN_HOME", "")
            .env("PORTOLAN_CONFIG", &file)
            .args(["call", "get_config", "{}"])
            .output()
            .unwrap()
    };
    let output = with("");
    let line = stdout(&output).lines().find(|line| line.contains("storage.home"));
    let inside = repo.root().display().to_string();
    assert!(
        line.is_some_and(|line| line.contains("default") && !line.contains(&inside)),
        "{}",
        stdout(&output)
    );
    let output = with("[storage]\nhome = \"\"\n");
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("storage.home cannot be ``"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn a_home_inside_of_a_repository_is_not_its_code() {
    let repo = Repo::new(REPO);
    let root = repo.root();
    let home = root.join("own");
    run(&home, &root, &["checkpoint", "created at noon"]);
    for _ in 0..2 {
        run(&home, &root, &["index"]);
    }
    let shown = run(&home, &root, &["status"]);
    let shown = stdout(&shown);
    assert!(home.join("workspaces").exists() && shown.contains("2 files"), "{shown}");
}

/// Nothing is ever written into a repository.
#[test]
fn the_repository_is_left_alone() {
    let (repo, home) = (Repo::new(REPO), home());
    let root = repo.root();
    run(home.path(), &root, &["search", "walk"]);
    let mut names: Vec<_> = std::fs::read_dir(&root)
        .expect("the root can be listed")
        .map(|entry| entry.expect("an entry").file_name())
        .collect();
    names.sort();
    assert_eq!(names, ["src"]);
}

#[test]
fn changed_files_come_from_stdin() {
    let (repo, home) = (
        Repo::new(
            "\
//- /shop.py
def price(): return 1
//- /test_shop.py
from shop import price
def test_price(): assert price() == 1
",
        ),
        home(),
    );
    let mut child = portolan(home.path())
        .current_dir(repo.root())
        .args(["impact", "--tests-only", "--files", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut stdin = child.stdin.take().expect("stdin is piped");
    stdin.write_all(b"shop.py\ngone.py\n").expect("stdin takes text");
    drop(stdin);
    let output = child.wait_with_output().expect("the binary ends");
    assert_eq!(stdout(&output), "test_shop.py\n");
}
