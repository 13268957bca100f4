//! Every client: where its file is and what stands in it.

use std::{collections::BTreeMap, fmt::Write, fs};

use expect_test::{Expect, expect, expect_file};
use install::{Action, CLIENTS, Os, Request, Scope};

use crate::kit::{COMMAND, Sandbox};

fn names() -> Vec<&'static str> {
    CLIENTS.iter().map(|client| client.name).collect()
}

fn dump(files: &BTreeMap<String, String>) -> String {
    let mut out = String::new();
    for (path, text) in files {
        let _ = write!(out, "//- {path}\n{text}");
    }
    out
}

#[test]
fn what_each_client_gets() {
    let machine = Sandbox::linux();
    machine.run(Action::Install, &names());
    expect_file!["user.txt"].assert_eq(&dump(&machine.all()));

    let machine = Sandbox::linux();
    let request = Request {
        scope: Scope::Project(machine.project()),
        ..machine.request(Action::Install, &names())
    };
    let reports = install::run(&machine.machine, &request);
    expect_file!["project.txt"].assert_eq(&(dump(&machine.all()) + &machine.told(&reports)));
}

#[test]
fn where_it_is_on_other_systems_and_with_variables() {
    let paths = |os: Os, env: &[(&'static str, &str)]| {
        let mut machine = Sandbox::new(os);
        for (name, below) in env {
            let dir = machine.dir.path().join(below);
            machine.machine.env.insert(name, dir.into());
        }
        machine.run(Action::Install, &names());
        machine.all().into_keys().collect::<Vec<_>>().join("\n")
    };
    let check = |found: String, expected: Expect| expected.assert_eq(&found);
    check(
        paths(Os::MacOs, &[]),
        expect![[r#"
            home/.claude.json
            home/.codeium/windsurf/mcp_config.json
            home/.codex/config.toml
            home/.config/opencode/opencode.json
            home/.config/zed/settings.json
            home/.copilot/mcp-config.json
            home/.cursor/mcp.json
            home/.gemini/settings.json
            home/Library/Application Support/Claude/claude_desktop_config.json
            home/Library/Application Support/Code/User/mcp.json"#]],
    );
    check(
        paths(Os::Windows, &[("APPDATA", "roaming")]),
        expect![[r#"
            home/.claude.json
            home/.codeium/windsurf/mcp_config.json
            home/.codex/config.toml
            home/.config/opencode/opencode.json
            home/.copilot/mcp-config.json
            home/.cursor/mcp.json
            home/.gemini/settings.json
            roaming/Claude/claude_desktop_config.json
            roaming/Code/User/mcp.json
            roaming/zed/settings.json"#]],
    );
    check(
        paths(
            Os::Linux,
            &[
                ("XDG_CONFIG_HOME", "xdg"),
                ("CODEX_HOME", "codex"),
                ("CLAUDE_CONFIG_DIR", "claude"),
                ("COPILOT_HOME", "copilot"),
            ],
        ),
        expect![[r#"
            claude/.claude.json
            codex/config.toml
            copilot/mcp-config.json
            home/.codeium/windsurf/mcp_config.json
            home/.cursor/mcp.json
            home/.gemini/settings.json
            xdg/Claude/claude_desktop_config.json
            xdg/Code/User/mcp.json
            xdg/opencode/opencode.json
            xdg/zed/settings.json"#]],
    );
}

#[test]
fn variables_that_are_empty_or_relative_do_not_count() {
    let mut machine = Sandbox::linux();
    machine.machine.env.insert("XDG_CONFIG_HOME", "".into());
    machine.machine.env.insert("CODEX_HOME", "relative".into());
    let reports = machine.run(Action::Install, &["codex", "zed"]);
    expect![[r#"
        Codex: created home/.codex/config.toml
        Zed: created home/.config/zed/settings.json
    "#]]
    .assert_eq(&machine.told(&reports));
}

#[test]
fn clients_are_found_by_directory_or_program() {
    let mut machine = Sandbox::linux();
    assert_eq!(machine.told(&machine.run(Action::Install, &[])), "");
    for dir in [".claude", ".cursor", ".config/zed"] {
        fs::create_dir_all(machine.machine.home.join(dir)).expect("a directory");
    }
    machine.write("bin/codex", "");
    machine
        .machine
        .env
        .insert("PATH", machine.dir.path().join("bin").into());
    let reports = machine.run(Action::Install, &[]);
    expect![[r#"
        Claude Code: created home/.claude.json
        Cursor: created home/.cursor/mcp.json
        Codex: created home/.codex/config.toml
        Zed: created home/.config/zed/settings.json
    "#]]
    .assert_eq(&machine.told(&reports));
    let reports = machine.run(Action::Install, &[]);
    assert!(
        machine.told(&reports).lines().all(|line| line.contains(": unchanged ")),
        "{reports:?}"
    );
}

/// Comments, foreign servers, odd formatting: what was there comes back, byte by byte.
#[test]
fn uninstall_gives_back_what_was_there() {
    for client in CLIENTS {
        let empty = Sandbox::linux();
        empty.run(Action::Install, &[client.name]);
        let path = empty.all().into_keys().next().expect("one file");
        let removed = empty.told(&empty.run(Action::Uninstall, &[]));
        assert_eq!(removed.matches(": removed ").count(), 1, "{removed}");
        assert_eq!(empty.all(), BTreeMap::new(), "{}", client.name);

        for before in before(client.name) {
            let machine = Sandbox::linux();
            machine.write(&path, &before);
            let told = machine.told(&machine.run(Action::Install, &[client.name]));
            assert!(told.contains(": updated "), "{told}{before}");
            let with = machine.read(&path);
            assert!(with.contains(COMMAND), "{with}");
            assert_eq!(machine.read(&format!("{path}.portolan-backup")), before);
            let again = machine.told(&machine.run(Action::Install, &[client.name]));
            assert!(again.contains(": unchanged "), "{again}");
            assert_eq!(machine.read(&path), with, "idempotent");
            machine.run(Action::Uninstall, &[client.name]);
            assert_eq!(
                machine.all(),
                BTreeMap::from([(path.clone(), before.clone())]),
                "{with}"
            );
            // Without its backup, and in a file that went on to change, the entry alone is taken out.
            machine.write(&path, &with);
            machine.run(Action::Uninstall, &[client.name]);
            let left = fs::read_to_string(machine.dir.path().join(&path)).unwrap_or_default();
            assert!(!left.contains("portolan"), "{left}");
            let words = |text: &str| text.replace([' ', '\t', '\r', '\n', ','], "");
            if before != "{}" {
                assert_eq!(words(&left), words(&before), "{with}");
            }
        }
    }
}

/// Files as people write them.
fn before(client: &str) -> Vec<String> {
    if client == "codex" {
        return [
            "model = \"x\" # mine\n\n[profiles.a]\nb = 1\n",
            "model = \"x\"\n\n[mcp_servers.other] # keep\ncommand = \"o\"\n\n[tui]\nx = true\n",
            "mcp_servers = { other = { command = \"o\" } }\n",
            "[mcp_servers.other]\r\ncommand = \"o\"\r\n",
            "mcp_servers.other.command = \"o\"\n",
            "# nothing but this\n",
        ]
        .map(str::to_owned)
        .into();
    }
    let key = match client {
        "vscode" => "servers",
        "opencode" => "mcp",
        "zed" => "context_servers",
        _ => "mcpServers",
    };
    [
        "{\n  // mine\n  \"theme\": \"dark\", /* x */\n  \"KEY\": {\n    // keep\n    \"other\": { \"command\": \"o\" } // and this\n  },\n  \"z\": 1\n}\n",
        "{\n\t\"a\": [1, 2,\n\t3],\n\t\"KEY\": {\n\t\t\"other\": {\n\t\t\t\"command\": \"o\",\n\t\t},\n\t},\n}",
        "{\"a\":1,\"KEY\":{\"other\":{\"command\":\"o\"}},\"b\":2}",
        "{\r\n    \"KEY\": {\r\n        \"other\": { \"command\": \"o\" }\r\n    }\r\n}\r\n",
        "{\n  \"a\": 1\n}\n",
        "{\n  \"a\": 1,\n}\n",
        "{ \"a\": 1 }",
        "// only this\n{\n  // and that\n}\n",
        "\u{feff}{\n  \"a\": 1\n}\n",
        "{}",
    ]
    .map(|text| text.replace("KEY", key))
    .into()
}

#[test]
fn dry_run_writes_nothing() {
    let machine = Sandbox::linux();
    machine.write("home/.cursor/mcp.json", "{}\n");
    let before = machine.all();
    let request = Request {
        dry_run: true,
        instructions: Some(machine.project()),
        ..machine.request(Action::Install, &["cursor", "codex", "claude-code"])
    };
    let reports = install::run(&machine.machine, &request);
    expect![[r#"
        Claude Code: created home/.claude.json
        Cursor: updated home/.cursor/mcp.json
        Codex: created home/.codex/config.toml
        AGENTS.md: created project/AGENTS.md
        CLAUDE.md: created project/CLAUDE.md
        .claude/agents/portolan.md: created project/.claude/agents/portolan.md
    "#]]
    .assert_eq(&machine.told(&reports));
    assert_eq!(machine.all(), before);
}
