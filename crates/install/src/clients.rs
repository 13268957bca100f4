//! The clients: one row each.

use std::path::PathBuf;

use crate::{
    Scope,
    machine::{Dir, Machine},
};

/// How one MCP client is configured.
#[derive(Debug)]
pub struct Client {
    /// On the command line.
    pub name: &'static str,
    /// In messages.
    pub title: &'static str,
    /// Any of these programs on the `PATH` says that it is on this machine,
    programs: &'static [&'static str],
    /// and so does this directory.
    marker: (Dir, &'static str),
    /// Several where the client reads several.
    user: &'static [(Dir, &'static str)],
    project: &'static [&'static str],
    pub(crate) format: Format,
    /// Of the table of servers.
    pub(crate) key: &'static str,
    pub(crate) shape: Shape,
    /// The file that it reads instructions from.
    pub(crate) instructions: &'static str,
    /// The file of a subagent in a project, for clients whose subagents do not read that.
    pub(crate) agent: Option<&'static str>,
    pub(crate) next: &'static str,
    pub(crate) next_in_project: &'static str,
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Format {
    Json,
    Toml,
}

/// What a server's entry looks like.
#[derive(Debug)]
pub(crate) struct Shape {
    /// Fields that must be there; what a user has put there instead stays.
    pub fields: &'static [(&'static str, Field)],
    pub command: CommandShape,
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Field {
    Text(&'static str),
    Yes,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CommandShape {
    /// `command` is the program, `args` the rest.
    Apart,
    /// `command` is a list of both.
    Joined,
}

const PLAIN: Shape = Shape {
    fields: &[],
    command: CommandShape::Apart,
};

const STDIO: Shape = Shape {
    fields: &[("type", Field::Text("stdio"))],
    command: CommandShape::Apart,
};

const NEW_SESSION: &str = "start a new session; /mcp shows it";
const APPROVE: &str = "start a new session in the project and approve the server";

pub const CLIENTS: &[Client] = &[
    Client {
        name: "claude-code",
        title: "Claude Code",
        programs: &["claude"],
        marker: (Dir::Var("CLAUDE_CONFIG_DIR", ".claude"), ""),
        user: &[(Dir::Var("CLAUDE_CONFIG_DIR", ""), ".claude.json")],
        project: &[".mcp.json"],
        format: Format::Json,
        key: "mcpServers",
        shape: STDIO,
        instructions: "CLAUDE.md",
        agent: Some(".claude/agents/portolan.md"),
        next: NEW_SESSION,
        next_in_project: APPROVE,
    },
    Client {
        name: "cursor",
        title: "Cursor",
        programs: &["cursor"],
        marker: (Dir::Home, ".cursor"),
        user: &[(Dir::Home, ".cursor/mcp.json")],
        project: &[".cursor/mcp.json"],
        format: Format::Json,
        key: "mcpServers",
        shape: STDIO,
        instructions: "AGENTS.md",
        agent: None,
        next: "switch it on under Settings, MCP",
        next_in_project: "switch it on under Settings, MCP",
    },
    Client {
        name: "vscode",
        title: "VS Code",
        programs: &["code"],
        marker: (Dir::App, "Code"),
        user: &[(Dir::App, "Code/User/mcp.json")],
        project: &[".vscode/mcp.json"],
        format: Format::Json,
        key: "servers",
        shape: STDIO,
        instructions: "AGENTS.md",
        agent: None,
        next: "run the command `MCP: List Servers` and start it",
        next_in_project: "run the command `MCP: List Servers` and start it",
    },
    Client {
        name: "codex",
        title: "Codex",
        programs: &["codex"],
        marker: (Dir::Var("CODEX_HOME", ".codex"), ""),
        user: &[(Dir::Var("CODEX_HOME", ".codex"), "config.toml")],
        project: &[".codex/config.toml"],
        format: Format::Toml,
        key: "mcp_servers",
        shape: PLAIN,
        instructions: "AGENTS.md",
        agent: None,
        next: NEW_SESSION,
        next_in_project: "start a new session; Codex reads this file in projects that it trusts",
    },
    Client {
        name: "gemini",
        title: "Gemini CLI",
        programs: &["gemini"],
        marker: (Dir::Home, ".gemini"),
        user: &[(Dir::Home, ".gemini/settings.json")],
        project: &[".gemini/settings.json"],
        format: Format::Json,
        key: "mcpServers",
        shape: PLAIN,
        instructions: "GEMINI.md",
        agent: None,
        next: NEW_SESSION,
        next_in_project: NEW_SESSION,
    },
    Client {
        name: "opencode",
        title: "OpenCode",
        programs: &["opencode"],
        marker: (Dir::Xdg, "opencode"),
        user: &[
            (Dir::Xdg, "opencode/opencode.json"),
            (Dir::Xdg, "opencode/opencode.jsonc"),
        ],
        project: &["opencode.json", "opencode.jsonc"],
        format: Format::Json,
        key: "mcp",
        shape: Shape {
            fields: &[("type", Field::Text("local")), ("enabled", Field::Yes)],
            command: CommandShape::Joined,
        },
        instructions: "AGENTS.md",
        agent: None,
        next: "start a new session; `opencode mcp list` shows it",
        next_in_project: "start a new session; `opencode mcp list` shows it",
    },
    Client {
        name: "windsurf",
        title: "Windsurf",
        programs: &["windsurf"],
        marker: (Dir::Home, ".codeium/windsurf"),
        user: &[(Dir::Home, ".codeium/windsurf/mcp_config.json")],
        project: &[],
        format: Format::Json,
        key: "mcpServers",
        shape: PLAIN,
        instructions: "AGENTS.md",
        agent: None,
        next: "refresh the list of MCP servers in Cascade",
        next_in_project: "",
    },
    Client {
        name: "zed",
        title: "Zed",
        programs: &["zed", "zeditor"],
        marker: (Dir::AppDotted, "zed"),
        user: &[(Dir::AppDotted, "zed/settings.json")],
        project: &[".zed/settings.json"],
        format: Format::Json,
        key: "context_servers",
        shape: Shape {
            fields: &[("source", Field::Text("custom"))],
            command: CommandShape::Apart,
        },
        instructions: "AGENTS.md",
        agent: None,
        next: "it is listed in the settings of the Agent panel",
        next_in_project: "it is listed in the settings of the Agent panel",
    },
    Client {
        name: "claude-desktop",
        title: "Claude Desktop",
        programs: &["claude-desktop"],
        marker: (Dir::App, "Claude"),
        user: &[(Dir::App, "Claude/claude_desktop_config.json")],
        project: &[],
        format: Format::Json,
        key: "mcpServers",
        shape: PLAIN,
        instructions: "CLAUDE.md",
        agent: None,
        next: "quit it and start it again; it has no project, so name the directory that you ask about",
        next_in_project: "",
    },
    Client {
        name: "copilot",
        title: "Copilot CLI",
        programs: &["copilot"],
        marker: (Dir::Var("COPILOT_HOME", ".copilot"), ""),
        user: &[(Dir::Var("COPILOT_HOME", ".copilot"), "mcp-config.json")],
        project: &[".mcp.json"],
        format: Format::Json,
        key: "mcpServers",
        shape: STDIO,
        instructions: "AGENTS.md",
        agent: None,
        next: NEW_SESSION,
        next_in_project: NEW_SESSION,
    },
];

/// One file, and the directory that it may not lead out of.
#[derive(Debug)]
pub(crate) struct Place {
    pub base: PathBuf,
    pub path: PathBuf,
}

impl Client {
    pub fn named(name: &str) -> Option<&'static Client> {
        CLIENTS.iter().find(|client| client.name == name)
    }

    /// Whether it has been installed or used on this machine.
    pub fn is_here(&self, machine: &Machine) -> bool {
        let (dir, below) = self.marker;
        joined(machine.dir(dir), below).is_dir() || self.programs.iter().any(|name| machine.program(name).is_some())
    }

    pub(crate) fn places(&self, machine: &Machine, scope: &Scope) -> Vec<Place> {
        let place = |dir: PathBuf, below: &str| Place {
            path: joined(dir.clone(), below),
            // Within their home users link as they like.
            base: if dir.starts_with(&machine.home) && *scope == Scope::User {
                machine.home.clone()
            } else {
                dir
            },
        };
        match scope {
            Scope::User => self
                .user
                .iter()
                .map(|(dir, below)| place(machine.dir(*dir), below))
                .collect(),
            Scope::Project(root) => self.project.iter().map(|below| place(root.clone(), below)).collect(),
        }
    }
}

/// A path of the table, in the spelling of this system.
fn joined(base: PathBuf, below: &str) -> PathBuf {
    let parts = below.split('/').filter(|part| !part.is_empty());
    parts.fold(base, |path, part| path.join(part))
}
