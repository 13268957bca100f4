//! `portolan install`: what is told, and the exit code. What is written is tested in the crate `install`.

use std::fs;

use crate::server::{home, portolan};

/// Standard output and error with the home as `~`, and the exit code.
fn run(home: &std::path::Path, arguments: &[&str]) -> (String, i32) {
    let project = home.join("project");
    fs::create_dir_all(&project).expect("a project");
    let output = portolan(home)
        .current_dir(&project)
        .arg("install")
        .args(arguments)
        .output();
    let output = output.expect("the binary starts");
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    let text = text.replace(&home.display().to_string(), "~").replace('\\', "/");
    (text, output.status.code().expect("an exit code"))
}

#[test]
fn install_tells_one_line_a_client() {
    let home = home();
    let (told, code) = run(home.path(), &[]);
    assert_eq!(code, 1, "{told}");
    assert!(
        told.starts_with("error: no client was found; name one with --client: claude-code, "),
        "{told}"
    );

    fs::create_dir_all(home.path().join(".cursor")).expect("a directory");
    for (arguments, expected) in [
        (&["--dry-run"][..], "Cursor: would be created ~/.cursor/mcp.json\n"),
        (
            &[],
            "Cursor: created ~/.cursor/mcp.json; switch it on under Settings, MCP\n",
        ),
        (&[], "Cursor: unchanged ~/.cursor/mcp.json\n"),
        (
            &["--uninstall", "--dry-run"],
            "Cursor: would be removed from ~/.cursor/mcp.json\n",
        ),
        (&["--uninstall"], "Cursor: removed from ~/.cursor/mcp.json\n"),
        (&["--uninstall"], "No client is told to start Portolan.\n"),
        (
            &["--scope", "project", "--client", "codex", "--instructions"],
            "Codex: created ~/project/.codex/config.toml; start a new session; Codex reads this file in projects that it \
             trusts\nAGENTS.md: created ~/project/AGENTS.md\n",
        ),
    ] {
        assert_eq!(run(home.path(), arguments), (expected.to_owned(), 0), "{arguments:?}");
    }
    let config = fs::read_to_string(home.path().join("project/.codex/config.toml")).expect("a file");
    assert!(
        config.contains(env!("CARGO_BIN_EXE_portolan").rsplit('/').next().expect("a name")),
        "{config}"
    );
}

#[test]
fn install_says_what_it_left_undone() {
    let home = home();
    fs::create_dir_all(home.path().join(".cursor")).expect("a directory");
    fs::write(home.path().join(".cursor/mcp.json"), "{").expect("a file");
    let (told, code) = run(home.path(), &[]);
    assert_eq!(code, 1);
    assert!(
        told.starts_with("Cursor: error ~/.cursor/mcp.json not valid JSON: "),
        "{told}"
    );
    let (told, code) = run(home.path(), &["--scope", "project", "--client", "windsurf"]);
    assert_eq!(
        (told.as_str(), code),
        (
            "Windsurf: error has no configuration in projects; use --scope user\n",
            1
        )
    );
    let (told, code) = run(home.path(), &["--client", "emacs"]);
    assert_eq!(code, 2);
    assert!(told.contains("possible values: claude-code"), "{told}");
}

/// Installing must work where the settings do not.
#[test]
fn install_needs_no_settings() {
    let home = home();
    let mut command = portolan(home.path());
    command.env("PORTOLAN_CONFIG", "/no/such/file.toml");
    let output = command.args(["install", "--client", "zed"]).output();
    assert!(output.expect("the binary starts").status.success());
}
