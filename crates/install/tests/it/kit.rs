//! A machine in a temporary directory.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use install::{Action, Client, Machine, Os, Outcome, Report, Request, Scope};
use tempfile::TempDir;

pub const COMMAND: &str = "/opt/bin/portolan";

pub struct Sandbox {
    pub dir: TempDir,
    pub machine: Machine,
}

impl Sandbox {
    pub fn new(os: Os) -> Sandbox {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let home = dir.path().join("home");
        fs::create_dir_all(&home).expect("a home");
        fs::create_dir_all(dir.path().join("project")).expect("a project");
        let machine = Machine {
            os,
            home,
            env: BTreeMap::new(),
        };
        Sandbox { dir, machine }
    }

    pub fn linux() -> Sandbox {
        Sandbox::new(Os::Linux)
    }

    pub fn project(&self) -> PathBuf {
        self.dir.path().join("project")
    }

    pub fn write(&self, path: &str, text: &str) {
        let path = self.dir.path().join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
        fs::write(path, text).expect("a file");
    }

    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.dir.path().join(path)).expect("a file")
    }

    pub fn run(&self, action: Action, names: &[&str]) -> Vec<Report> {
        install::run(&self.machine, &self.request(action, names))
    }

    pub fn request(&self, action: Action, names: &[&str]) -> Request {
        Request {
            action,
            scope: Scope::User,
            clients: names
                .iter()
                .map(|name| Client::named(name).expect("a client"))
                .collect(),
            instructions: None,
            dry_run: false,
            command: COMMAND.to_owned(),
        }
    }

    /// The reports as a user would be told, paths from the temporary directory.
    pub fn told(&self, reports: &[Report]) -> String {
        let mut told = String::new();
        for report in reports {
            let path = report.path.as_deref().map(|path| self.short(path)).unwrap_or_default();
            told += &format!("{}: {} {path}", report.about, report.outcome.as_str());
            if let Outcome::Failed(problem) = &report.outcome {
                told += &format!(": {problem}");
            }
            told += "\n";
        }
        let there = self.dir.path().canonicalize().expect("it is there");
        told.replace(&format!("{}", there.display()), "")
            .replace(&format!("{}", self.dir.path().display()), "")
    }

    fn short(&self, path: &Path) -> String {
        let short = path
            .strip_prefix(self.dir.path())
            .expect("below the temporary directory");
        short.to_string_lossy().replace('\\', "/")
    }

    /// Every file with what is in it.
    pub fn all(&self) -> BTreeMap<String, String> {
        let mut all = BTreeMap::new();
        let mut dirs = vec![self.dir.path().to_owned()];
        while let Some(dir) = dirs.pop() {
            for entry in fs::read_dir(dir).expect("a directory").flatten() {
                match entry.file_type().expect("a kind").is_dir() {
                    true => dirs.push(entry.path()),
                    false => {
                        let text = fs::read_to_string(entry.path()).unwrap_or_default();
                        all.insert(self.short(&entry.path()), text);
                    }
                }
            }
        }
        all
    }
}
