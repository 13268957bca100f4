//! Where clients keep their files on one machine.

use std::{collections::BTreeMap, ffi::OsString, path::PathBuf};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Os {
    Linux,
    MacOs,
    Windows,
}

/// What is asked of a machine, as values.
#[derive(Debug, Clone)]
pub struct Machine {
    pub os: Os,
    pub home: PathBuf,
    /// Those of `VARIABLES` that are set.
    pub env: BTreeMap<&'static str, OsString>,
}

/// A directory that clients put theirs into.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Dir {
    Home,
    /// `XDG_CONFIG_HOME`, else `.config`, on every system.
    Xdg,
    /// Where desktop programs of the system keep their settings.
    App,
    /// As `App`, but `.config` on macOS.
    AppDotted,
    /// Named by a variable, else by its path below the home directory.
    Var(&'static str, &'static str),
}

impl Machine {
    /// Every variable that says where something is.
    pub const VARIABLES: &[&str] = &[
        "APPDATA",
        "CLAUDE_CONFIG_DIR",
        "CODEX_HOME",
        "COPILOT_HOME",
        "PATH",
        "XDG_CONFIG_HOME",
    ];

    /// An empty variable says nothing.
    fn var(&self, name: &str) -> Option<&OsString> {
        self.env.get(name).filter(|value| !value.is_empty())
    }

    /// A variable that must be an absolute path to count, as the XDG specification has it.
    fn dir_var(&self, name: &str) -> Option<PathBuf> {
        self.var(name).map(PathBuf::from).filter(|path| path.is_absolute())
    }

    pub(crate) fn dir(&self, dir: Dir) -> PathBuf {
        let xdg = || {
            self.dir_var("XDG_CONFIG_HOME")
                .unwrap_or_else(|| self.home.join(".config"))
        };
        match (dir, self.os) {
            (Dir::Home, _) => self.home.clone(),
            (Dir::Xdg, _) | (Dir::App | Dir::AppDotted, Os::Linux) => xdg(),
            (Dir::App, Os::MacOs) => self.home.join("Library").join("Application Support"),
            (Dir::AppDotted, Os::MacOs) => self.home.join(".config"),
            (Dir::App | Dir::AppDotted, Os::Windows) => {
                let default = || self.home.join("AppData").join("Roaming");
                self.dir_var("APPDATA").unwrap_or_else(default)
            }
            (Dir::Var(name, below_home), _) => self.dir_var(name).unwrap_or_else(|| match below_home {
                "" => self.home.clone(),
                below => self.home.join(below),
            }),
        }
    }

    /// The program that this name starts.
    pub fn program(&self, name: &str) -> Option<PathBuf> {
        let endings: &[&str] = match self.os {
            Os::Windows => &[".exe", ".cmd", ".bat"],
            Os::Linux | Os::MacOs => &[""],
        };
        std::env::split_paths(self.var("PATH")?)
            .filter(|dir| dir.is_absolute())
            .flat_map(|dir| endings.iter().map(move |ending| dir.join(format!("{name}{ending}"))))
            .find(|path| path.is_file())
    }
}
