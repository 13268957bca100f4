//! What becomes of an entry that is there already.

use expect_test::{Expect, expect};
use install::Action;

use crate::kit::Sandbox;

fn check(client: &str, path: &str, before: &str, after: Expect) {
    let machine = Sandbox::linux();
    machine.write(path, before);
    let told = machine.told(&machine.run(Action::Install, &[client]));
    after.assert_eq(&(machine.read(path) + "---\n" + &told));
}

#[test]
fn an_old_entry_gets_the_new_program_and_keeps_the_rest() {
    check(
        "cursor",
        "home/.cursor/mcp.json",
        "{\n  \"mcpServers\": {\n    \"portolan\": {\n      \"command\": \"/old/portolan\", // here\n      \"args\": [\"serve\", \"--toolsets\", \"all\"],\n      \"env\": { \"A\": \"b\" }\n    }\n  }\n}\n",
        expect![[r#"
            {
              "mcpServers": {
                "portolan": {
                  "command": "/opt/bin/portolan", // here
                  "args": ["serve", "--toolsets", "all"],
                  "env": { "A": "b" },
                  "type": "stdio"
                }
              }
            }
            ---
            Cursor: updated home/.cursor/mcp.json
        "#]],
    );
    check(
        "opencode",
        "home/.config/opencode/opencode.jsonc",
        "{\n  \"mcp\": {\n    \"portolan\": { \"type\": \"local\", \"command\": [\"old\", \"serve\", \"--read-only\"], \"enabled\": false }\n  }\n}\n",
        expect![[r#"
            {
              "mcp": {
                "portolan": { "type": "local", "command": ["/opt/bin/portolan", "serve", "--read-only"], "enabled": false }
              }
            }
            ---
            OpenCode: updated home/.config/opencode/opencode.jsonc
        "#]],
    );
    check(
        "codex",
        "home/.codex/config.toml",
        "[mcp_servers.portolan]\ncommand = \"old\" # where it was\nargs = [\"mcp\"]\nstartup_timeout_sec = 20\n",
        expect![[r#"
            [mcp_servers.portolan]
            command = "/opt/bin/portolan" # where it was
            args = ["serve"]
            startup_timeout_sec = 20
            ---
            Codex: updated home/.codex/config.toml
        "#]],
    );
}

#[test]
fn what_is_not_understood_is_left_alone() {
    let (cursor, codex) = ("home/.cursor/mcp.json", "home/.codex/config.toml");
    let remote = r#"{ "mcpServers": { "portolan": { "url": "http://x" } } }"#;
    let both = &[Action::Install, Action::Uninstall][..];
    let deep = "[".repeat(100_000);
    let deep_toml = format!("a = {deep}");
    for (client, path, text, reason, actions) in [
        ("cursor", cursor, r#"{ "a": "#, "not valid JSON: ", both),
        ("cursor", cursor, "{ 'a': 1 }", "not valid JSON: ", both),
        ("cursor", cursor, r#"{ "a": 1 "b": 2 }"#, "not valid JSON: ", both),
        ("cursor", cursor, r#"{ "mcpServers": [] }"#, "`mcpServers` is not", both),
        (
            "cursor",
            cursor,
            r#"{ "mcpServers": {}, "mcpServers": {} }"#,
            "`mcpServers` is not",
            both,
        ),
        ("cursor", cursor, deep.as_str(), "not valid JSON: ", both),
        ("codex", codex, deep_toml.as_str(), "not valid TOML: ", both),
        ("codex", codex, "a = ", "not valid TOML: ", both),
        ("codex", codex, "mcp_servers = 1\n", "`mcp_servers` is not", both),
        // These can be taken out, or have nothing to take out.
        ("cursor", cursor, "[]", "`{` is not what it should be", &both[..1]),
        (
            "cursor",
            cursor,
            r#"{ "mcpServers": { "portolan": 1 } }"#,
            "`portolan` is not",
            &both[..1],
        ),
        ("cursor", cursor, remote, "starts no program", &both[..1]),
        (
            "codex",
            codex,
            "[mcp_servers.portolan]\nurl = \"http://x\"\n",
            "starts no program",
            &both[..1],
        ),
    ] {
        for action in actions {
            let machine = Sandbox::linux();
            machine.write(path, text);
            let before = machine.all();
            let told = machine.told(&machine.run(*action, &[client]));
            assert!(told.contains(": error ") && told.contains(reason), "{text}: {told}");
            assert_eq!(machine.all(), before);
        }
    }
}
