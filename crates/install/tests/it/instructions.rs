//! The block in AGENTS.md and the like.

use std::collections::BTreeMap;

use expect_test::expect;
use install::{Action, Request};

use crate::kit::Sandbox;

fn with_block(machine: &Sandbox, action: Action, names: &[&str]) -> String {
    let request = Request {
        instructions: Some(machine.project()),
        ..machine.request(action, names)
    };
    let reports = install::run(&machine.machine, &request);
    let told = machine.told(&reports);
    told.lines()
        .filter(|line| line.contains(".md"))
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn one_block_a_file_and_one_file_a_name() {
    let machine = Sandbox::linux();
    machine.write("project/AGENTS.md", "# Mine\n");
    let told = with_block(&machine, Action::Install, &["claude-code", "codex", "cursor", "gemini"]);
    expect![[r#"
        AGENTS.md: updated project/AGENTS.md
        CLAUDE.md: created project/CLAUDE.md
        GEMINI.md: created project/GEMINI.md
        .claude/agents/portolan.md: created project/.claude/agents/portolan.md"#]]
    .assert_eq(&told);
    expect![[r#"
        # Mine

        <!-- portolan:begin -->
        Ask the `portolan` MCP server about this code before you grep or read whole files: `map_code` shows what is here,
        `search_code` finds it by a question, a name or an exact text, `extract_code` shows whole definitions.
        `deep_dive` tells all about one symbol, `find_references` and `find_callers` where it is used.
        Before a change ask `impact_analysis` what it breaks, and before a commit which tests to run.
        Subagents have the same tools: tell them so when you send them to look for something.
        <!-- portolan:end -->
    "#]]
    .assert_eq(&machine.read("project/AGENTS.md"));
    let told = with_block(&machine, Action::Install, &["codex"]);
    assert_eq!(told, "AGENTS.md: unchanged project/AGENTS.md");
}

#[test]
fn what_was_there_comes_back() {
    for before in ["# Mine\n", "# Mine", "a\r\nb\r\n", "\n", "a\n\n\n"] {
        let machine = Sandbox::linux();
        machine.write("project/AGENTS.md", before);
        with_block(&machine, Action::Install, &["codex"]);
        let told = with_block(&machine, Action::Uninstall, &["codex"]);
        assert_eq!(told, "AGENTS.md: removed project/AGENTS.md");
        let left: BTreeMap<_, _> = machine
            .all()
            .into_iter()
            .filter(|(path, _)| path.ends_with("md"))
            .collect();
        if !before.trim().is_empty() {
            assert_eq!(
                left,
                BTreeMap::from([("project/AGENTS.md".to_owned(), before.to_owned())])
            );
        }
    }
    let machine = Sandbox::linux();
    with_block(&machine, Action::Install, &["codex"]);
    with_block(&machine, Action::Uninstall, &[]);
    assert!(!machine.project().join("AGENTS.md").exists());
    assert_eq!(with_block(&machine, Action::Uninstall, &[]), "");
}

/// The file of a subagent is gone again, unless somebody has written into it.
#[test]
fn a_subagent_comes_and_goes() {
    const AGENT: &str = "project/.claude/agents/portolan.md";
    let machine = Sandbox::linux();
    with_block(&machine, Action::Install, &["claude-code"]);
    let made = machine.read(AGENT);
    assert!(made.starts_with("---\nname: portolan\n"), "{made}");
    assert!(made.contains("`search_code`"), "{made}");
    with_block(&machine, Action::Uninstall, &["claude-code"]);
    assert!(!machine.project().join(".claude/agents/portolan.md").exists());
    let own = made.replace("nothing else.", "nothing else. In French.");
    machine.write(AGENT, &own);
    with_block(&machine, Action::Install, &["claude-code"]);
    assert_eq!(machine.read(AGENT), own);
    with_block(&machine, Action::Uninstall, &["claude-code"]);
    let left = machine.read(AGENT);
    assert!(left.contains("In French.") && !left.contains("search_code"), "{left}");
}

#[test]
fn a_block_is_renewed_where_it_stands() {
    let machine = Sandbox::linux();
    let old = "before\n<!-- portolan:begin -->\nold words\n<!-- portolan:end -->\nafter\n";
    machine.write("project/AGENTS.md", old);
    with_block(&machine, Action::Install, &["codex"]);
    let text = machine.read("project/AGENTS.md");
    assert!(text.starts_with("before\n<!-- portolan:begin -->\nAsk "), "{text}");
    assert!(text.ends_with("<!-- portolan:end -->\nafter\n"), "{text}");
    machine.write("project/AGENTS.md", "<!-- portolan:begin -->\nno end\n");
    let told = with_block(&machine, Action::Install, &["codex"]);
    assert!(told.contains("repair that first"), "{told}");
}

#[cfg(unix)]
#[test]
fn a_link_to_agents_md_is_written_once() {
    let machine = Sandbox::linux();
    machine.write("project/AGENTS.md", "# Mine\n");
    let link = machine.project().join("CLAUDE.md");
    std::os::unix::fs::symlink("AGENTS.md", link).expect("a link");
    with_block(&machine, Action::Install, &["claude-code", "codex"]);
    assert_eq!(machine.read("project/AGENTS.md").matches("portolan:begin").count(), 1);
}
