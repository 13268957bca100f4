//! Links, permissions, backups.

use std::fs;

use install::{Action, Machine, Os, Scope};

use crate::kit::{COMMAND, Sandbox};

#[cfg(unix)]
#[test]
fn a_link_is_followed_only_where_it_stays_inside() {
    use std::os::unix::fs::symlink;
    let machine = Sandbox::linux();
    machine.write("home/dotfiles/cursor.json", "{}\n");
    machine.write("elsewhere/config.toml", "a = 1\n");
    machine.write("elsewhere/zed/settings.json", "{}\n");
    let home = &machine.machine.home;
    for dir in [".cursor", ".codex", ".config"] {
        fs::create_dir_all(home.join(dir)).expect("a directory");
    }
    symlink("../dotfiles/cursor.json", home.join(".cursor/mcp.json")).expect("a link");
    symlink("../../elsewhere/config.toml", home.join(".codex/config.toml")).expect("a link");
    symlink("../../elsewhere/zed", home.join(".config/zed")).expect("a link");
    let told = machine.told(&machine.run(Action::Install, &["cursor", "codex", "zed"]));
    expect_test::expect![[r#"
        Cursor: updated home/.cursor/mcp.json
        Codex: error home/.codex/config.toml: is a link that leads to /elsewhere/config.toml, outside of /home; change that file by hand
        Zed: error home/.config/zed/settings.json: is a link that leads to /elsewhere/zed/settings.json, outside of /home; change that file by hand
    "#]]
    .assert_eq(&told);
    assert!(machine.read("home/dotfiles/cursor.json").contains(COMMAND));
    assert!(home.join(".cursor/mcp.json").is_symlink());
    assert_eq!(machine.read("elsewhere/config.toml"), "a = 1\n");
    assert_eq!(machine.read("elsewhere/zed/settings.json"), "{}\n");
}

#[cfg(unix)]
#[test]
fn permissions_are_kept_for_the_file_and_its_backup() {
    use std::os::unix::fs::PermissionsExt;
    let machine = Sandbox::linux();
    machine.write("home/.claude.json", "{ \"secret\": 1 }\n");
    let path = machine.machine.home.join(".claude.json");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("permissions");
    let reports = machine.run(Action::Install, &["claude-code"]);
    let backup = reports[0].backup.as_ref().expect("a backup");
    for path in [&path, backup] {
        let mode = fs::metadata(path).expect("it is there").permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{}", path.display());
    }
}

#[test]
fn a_read_only_file_is_refused() {
    let machine = Sandbox::linux();
    machine.write("home/.cursor/mcp.json", "{}\n");
    let path = machine.machine.home.join(".cursor/mcp.json");
    let mut permissions = fs::metadata(&path).expect("it is there").permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&path, permissions).expect("permissions");
    let told = machine.told(&machine.run(Action::Install, &["cursor"]));
    assert_eq!(told, "Cursor: error home/.cursor/mcp.json: is read-only\n");
    assert_eq!(machine.read("home/.cursor/mcp.json"), "{}\n");
}

#[test]
fn what_is_no_text_is_refused() {
    let machine = Sandbox::linux();
    machine.write("home/.cursor/mcp.json", "");
    fs::write(machine.machine.home.join(".cursor/mcp.json"), b"{\xff}").expect("a file");
    fs::create_dir_all(machine.machine.home.join(".codex/config.toml")).expect("a directory");
    let told = machine.told(&machine.run(Action::Install, &["cursor", "codex"]));
    assert_eq!(told.matches("cannot read it").count(), 2, "{told}");
}

#[test]
fn the_program_is_named_as_the_user_finds_it() {
    let machine = Sandbox::linux();
    machine.write("bin/portolan", "");
    machine.write("store/1.2.3/portolan", "");
    let (on_path, in_store) = (
        machine.dir.path().join("bin/portolan"),
        machine.dir.path().join("store/1.2.3/portolan"),
    );
    let mut with_path = machine.machine.clone();
    with_path.env.insert("PATH", machine.dir.path().join("bin").into());
    let project = Scope::Project(machine.project());
    let command = |machine: &Machine, executable, scope| install::command_for(machine, executable, scope);
    assert_eq!(command(&with_path, &on_path, &Scope::User), on_path.to_string_lossy());
    assert_eq!(command(&with_path, &on_path, &project), "portolan");
    assert_eq!(command(&with_path, &in_store, &Scope::User), in_store.to_string_lossy());
    assert_eq!(command(&machine.machine, &on_path, &project), on_path.to_string_lossy());
}

#[test]
fn what_is_configured_can_be_asked() {
    let machine = Sandbox::new(Os::Linux);
    machine.run(Action::Install, &["codex", "opencode"]);
    machine.write("home/.cursor/mcp.json", "{}");
    machine.write("home/.gemini/settings.json", "{");
    let found = install::inspect(&machine.machine, &Scope::User);
    let told: Vec<String> = found
        .iter()
        .map(|found| match &found.command {
            Ok(command) => format!("{} {command:?}", found.client.name),
            Err(_) => format!("{} is broken", found.client.name),
        })
        .collect();
    expect_test::expect![[r#"
        cursor None
        codex Some("/opt/bin/portolan")
        gemini is broken
        opencode Some("/opt/bin/portolan")"#]]
    .assert_eq(&told.join("\n"));
}
