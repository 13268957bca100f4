//! `portolan doctor`, completions and the manual.

use std::{fs, path::Path, process::Output};

use serde_json::Value;
use test_fixture::Repo;

use crate::server::{home, portolan};

fn doctor(home: &Path, env: &[(&str, &str)], arguments: &[&str]) -> Output {
    let mut command = portolan(home);
    command
        .current_dir(home)
        .envs(env.iter().copied())
        .arg("doctor")
        .args(arguments);
    command.output().expect("the binary starts")
}

/// The exit code, and every check as `status about: message | fix`.
fn checks(home: &Path, env: &[(&str, &str)]) -> (i32, Vec<String>) {
    let output = doctor(home, env, &["--format", "json"]);
    let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let text = |check: &Value, key: &str| check[key].as_str().unwrap_or_default().to_owned();
    let line = |check: &Value| {
        let parts = ["status", "about", "message", "fix"].map(|key| text(check, key));
        format!("{} {}: {} | {}", parts[0], parts[1], parts[2], parts[3])
    };
    let lines = answer["checks"].as_array().expect("checks").iter().map(line).collect();
    (output.status.code().expect("an exit code"), lines)
}

fn has(lines: &[String], start: &str, parts: &[&str]) -> bool {
    lines
        .iter()
        .any(|line| line.starts_with(start) && parts.iter().all(|part| line.contains(part)))
}

#[test]
fn a_new_installation_has_no_problem() {
    let home = home();
    let (code, lines) = checks(
        home.path(),
        &[("PORTOLAN_HOME", &home.path().join("new").to_string_lossy())],
    );
    assert_eq!(code, 0, "{lines:#?}");
    assert!(!home.path().join("new").exists(), "looking changes nothing");
    for start in [
        "ok version: Portolan ",
        "ok settings: ",
        "ok home: ",
        "ok index: nothing is indexed",
        "ok git: ",
    ] {
        assert!(has(&lines, start, &[]), "{start} in {lines:#?}");
    }
    assert!(
        has(&lines, "warning clients: no client", &["| portolan install"]),
        "{lines:#?}"
    );
    let text = String::from_utf8(doctor(home.path(), &[], &[]).stdout).expect("UTF-8");
    assert!(text.lines().count() < 10, "{text}");
    assert!(text.contains("fix: portolan install\n"), "{text}");
    assert!(text.contains("settings, disk, index"), "{text}");
    let detailed = String::from_utf8(doctor(home.path(), &[], &["--detailed"]).stdout).expect("UTF-8");
    assert!(detailed.contains("nothing is indexed"), "{detailed}");
    assert!(!text.contains("nothing is indexed"), "{text}");
    assert!(
        text.trim_end()
            .lines()
            .last()
            .expect("a line")
            .starts_with("0 problems, "),
        "{text}"
    );
}

#[test]
fn clients_that_start_something_else_are_told() {
    let home = home();
    let install = |arguments: &[&str]| {
        let output = portolan(home.path())
            .current_dir(home.path())
            .arg("install")
            .args(arguments)
            .output();
        assert!(output.expect("the binary starts").status.success());
    };
    install(&["--client", "cursor", "codex", "zed"]);
    let (code, lines) = checks(home.path(), &[]);
    assert_eq!(code, 0, "{lines:#?}");
    assert!(has(&lines, "ok clients: Codex", &["starts this program"]), "{lines:#?}");

    let edit = |path: &str, to: &str| {
        let path = home.path().join(path);
        let text = fs::read_to_string(&path).expect("a configuration");
        let line = text
            .lines()
            .find(|line| line.contains("command"))
            .expect("a command")
            .to_owned();
        fs::write(&path, text.replace(&line, to)).expect("a configuration");
    };
    edit(".cursor/mcp.json", r#"      "command": "/no/such/portolan\u001b[2J","#);
    fs::write(home.path().join("other"), "").expect("a file");
    edit(
        ".codex/config.toml",
        &format!("command = '{}'", home.path().join("other").display()),
    );
    fs::write(home.path().join("config/zed/settings.json"), "{").expect("a file");
    let (code, lines) = checks(home.path(), &[]);
    assert_eq!(code, 1, "{lines:#?}");
    let missing = &[
        r"/no/such/portolan\u{1b}[2J, which is not there",
        "| portolan install --client cursor",
    ];
    assert!(has(&lines, "problem clients: Cursor", missing), "{lines:#?}");
    assert!(
        has(&lines, "warning clients: Codex", &["another program"]),
        "{lines:#?}"
    );
    assert!(
        has(&lines, "warning clients: Zed", &["not valid JSON", "by hand"]),
        "{lines:#?}"
    );
}

#[test]
fn settings_homes_and_sessions_that_are_wrong_are_told() {
    let home = home();
    let (code, lines) = checks(home.path(), &[("PORTOLAN_CHUNK_SIZE", "7")]);
    assert_eq!(code, 1);
    assert!(has(&lines, "problem settings: ", &["chunk_size is 7"]), "{lines:#?}");

    fs::write(home.path().join("file"), "").expect("a file");
    let inside_a_file = home.path().join("file/home");
    let (code, lines) = checks(home.path(), &[("PORTOLAN_HOME", &inside_a_file.to_string_lossy())]);
    assert_eq!(code, 1);
    assert!(
        has(&lines, "problem home: ", &["cannot be written to", "set PORTOLAN_HOME"]),
        "{lines:#?}"
    );

    let repo = Repo::new("//- /a.rs\nfn a() {}\n");
    let indexed = portolan(home.path()).current_dir(repo.root()).arg("index").output();
    assert!(indexed.expect("the binary starts").status.success());
    let (code, lines) = checks(home.path(), &[]);
    assert_eq!(code, 0, "{lines:#?}");
    assert!(has(&lines, "ok index: ", &["healthy"]), "{lines:#?}");
    fs::remove_dir_all(repo.root()).expect("the repository can go");
    let (_, lines) = checks(home.path(), &[]);
    assert!(
        has(&lines, "warning index: ", &["is gone", "| portolan delete-session "]),
        "{lines:#?}"
    );
}

#[cfg(unix)]
#[test]
fn a_home_that_others_can_read_is_told() {
    use std::os::unix::fs::PermissionsExt;
    let home = home();
    fs::set_permissions(home.path(), fs::Permissions::from_mode(0o755)).expect("permissions");
    let (code, lines) = checks(home.path(), &[]);
    assert_eq!(code, 0);
    assert!(has(&lines, "warning home: ", &["| chmod 700 "]), "{lines:#?}");
}

#[test]
fn completions_and_the_manual_know_every_command() {
    let home = home();
    let run = |arguments: &[&str]| {
        let output = portolan(home.path())
            .args(arguments)
            .output()
            .expect("the binary starts");
        assert!(output.status.success(), "{arguments:?}");
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let text = run(&["completions", shell]);
        for word in ["search", "find-callers", "install", "doctor", "max-tokens"] {
            assert!(text.contains(word), "{shell} does not know {word}");
        }
    }
    assert!(run(&["man"]).contains(".TH portolan 1"));
    let dir = home.path().join("man1");
    run(&["man", &dir.to_string_lossy()]);
    assert!(
        fs::read_to_string(dir.join("portolan-search.1"))
            .expect("a page")
            .contains("QUERY")
    );
    let output = portolan(home.path())
        .args(["completions", "cmd"])
        .output()
        .expect("the binary starts");
    assert_eq!(output.status.code(), Some(2));
}
