//! Puts Portolan into the configurations of MCP clients, and takes it out again.
//!
//! A client is a row of `CLIENTS`. Its file is edited as text, so that comments, order and foreign keys stay as they
//! are; it is written whole or not at all. What cannot be understood is left alone and told. Nothing here prints or
//! reads the environment: `Machine` says where things are.

mod block;
mod clients;
mod file;
mod json;
mod machine;
mod toml;

use std::path::{Path, PathBuf};

use crate::clients::{Format, Place};

pub use clients::{CLIENTS, Client};
pub use machine::{Machine, Os};

/// What the server is called in every configuration.
pub const SERVER: &str = "portolan";

/// What the command is started with, unless the user has written something else behind it.
const ARGUMENTS: &[&str] = &["serve"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    Install,
    Uninstall,
}

/// Whose configuration is meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    User,
    /// What a repository brings along for everyone who works on it.
    Project(PathBuf),
}

pub struct Request {
    pub action: Action,
    pub scope: Scope,
    /// Empty: those that are on this machine.
    pub clients: Vec<&'static Client>,
    /// The project whose AGENTS.md and the like get the block of instructions, or lose it.
    pub instructions: Option<PathBuf>,
    /// Find out what would be done, and do not do it.
    pub dry_run: bool,
    /// The program that clients start.
    pub command: String,
}

/// What was done for one client, or to one file of instructions.
#[derive(Debug)]
pub struct Report {
    /// The client's title, or the file's name.
    pub about: &'static str,
    pub path: Option<PathBuf>,
    pub outcome: Outcome,
    /// What was in the file before, if it had anything.
    pub backup: Option<PathBuf>,
    /// What is left to the user.
    pub next: Option<&'static str>,
}

#[derive(Debug)]
pub enum Outcome {
    Created,
    Updated,
    Unchanged,
    Removed,
    Failed(Problem),
}

impl Outcome {
    pub fn as_str(&self) -> &'static str {
        match self {
            Outcome::Created => "created",
            Outcome::Updated => "updated",
            Outcome::Unchanged => "unchanged",
            Outcome::Removed => "removed",
            Outcome::Failed(_) => "error",
        }
    }
}

/// Why a file was left alone.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    #[error("not valid {format}: {reason}; left as it is")]
    Syntax { format: &'static str, reason: String },
    #[error("`{0}` is not what it should be; left as it is")]
    Shape(String),
    #[error("has a server `{SERVER}` that starts no program; remove it first")]
    Foreign,
    #[error("has the begin or the end of Portolan's block alone; repair that first")]
    HalfBlock,
    #[error("is a link that leads to {}, outside of {}; change that file by hand", to.display(), base.display())]
    LeadsElsewhere { to: PathBuf, base: PathBuf },
    #[error("is read-only")]
    ReadOnly,
    #[error("was changed by another program at the same time; run this again")]
    Raced,
    #[error("has no configuration in projects; use --scope user")]
    NoProjectFile,
    #[error("cannot {doing}: {source}")]
    Io {
        doing: &'static str,
        #[source]
        source: std::io::Error,
    },
}

/// One report for each client that is meant, in the order of `CLIENTS`, then one for each file of instructions.
pub fn run(machine: &Machine, request: &Request) -> Vec<Report> {
    let named = |client: &&Client| request.clients.iter().any(|named| named.name == client.name);
    let mut reports = Vec::new();
    let mut meant = Vec::new();
    for client in CLIENTS {
        if request.clients.is_empty() {
            // A client that is gone may have left its configuration.
            if request.action == Action::Install && !client.is_here(machine) {
                continue;
            }
        } else if !named(&client) {
            continue;
        }
        meant.push(client);
        let places = client.places(machine, &request.scope);
        if places.is_empty() {
            if named(&client) {
                reports.push(Report::failed(client.title, None, Problem::NoProjectFile));
            }
            continue;
        }
        match request.action {
            Action::Install => reports.push(install(client, &places, request)),
            Action::Uninstall => reports.extend(places.iter().filter_map(|place| uninstall(client, place, request))),
        }
    }
    if let Some(project) = &request.instructions {
        reports.extend(block::apply(project, &meant, request));
    }
    reports
}

fn install(client: &'static Client, places: &[Place], request: &Request) -> Report {
    let place = client.chosen(places);
    let edit = |text: Option<&str>| Ok(Some(client.format.put(text, client, &request.command)?));
    let mut report = change(client.title, place, request.dry_run, edit);
    report.next = match (&report.outcome, &request.scope) {
        (Outcome::Failed(_) | Outcome::Unchanged, _) => None,
        (_, Scope::User) => Some(client.next),
        (_, Scope::Project(_)) => Some(client.next_in_project),
    };
    report
}

/// `None`: there was nothing to remove.
fn uninstall(client: &'static Client, place: &Place, request: &Request) -> Option<Report> {
    let mut found = false;
    let edit = |text: Option<&str>| {
        let Some(text) = text else { return Ok(None) };
        let Some(left) = client.format.take(text, client)? else {
            return Ok(Some(text.to_owned()));
        };
        found = true;
        Ok(before_us(client, place, text).or(left))
    };
    let report = change(client.title, place, request.dry_run, edit);
    match report.outcome {
        Outcome::Failed(_) => Some(report),
        _ => found.then_some(Report {
            outcome: Outcome::Removed,
            ..report
        }),
    }
}

/// The backup, if installing is all that has happened since: taking the entry out would leave traces of how the text
/// was broken into lines for it.
fn before_us(client: &Client, place: &Place, text: &str) -> Option<String> {
    let path = file::resolve(&place.base, &place.path).ok()?;
    let before = file::read(&file::backup_of(&path)).ok()??;
    let was_without = client.format.take(&before, client).ok()?.is_none();
    let command = client.format.command(text, client).ok()??;
    let with_us = client.format.put(Some(&before), client, &command).ok()?;
    (was_without && with_us == text).then_some(before)
}

/// Edits a file. `edit` gets what is in it, if it is there, and says what shall be; `None` is no file.
fn change(
    about: &'static str,
    place: &Place,
    dry_run: bool,
    edit: impl FnOnce(Option<&str>) -> Result<Option<String>, Problem>,
) -> Report {
    let attempt = || -> Result<(Outcome, Option<PathBuf>), Problem> {
        let path = file::resolve(&place.base, &place.path)?;
        let old = file::read(&path)?;
        let new = edit(old.as_deref())?;
        if old == new {
            return Ok((Outcome::Unchanged, None));
        }
        let backup = match dry_run {
            true => None,
            false => file::replace(&path, old.as_deref(), new.as_deref())?,
        };
        let outcome = match (&old, &new) {
            (None, _) => Outcome::Created,
            (_, None) => Outcome::Removed,
            _ => Outcome::Updated,
        };
        Ok((outcome, backup))
    };
    match attempt() {
        Ok((outcome, backup)) => Report {
            about,
            path: Some(place.path.clone()),
            outcome,
            backup,
            next: None,
        },
        Err(problem) => Report::failed(about, Some(place.path.clone()), problem),
    }
}

impl Report {
    fn failed(about: &'static str, path: Option<PathBuf>, problem: Problem) -> Report {
        Report {
            about,
            path,
            outcome: Outcome::Failed(problem),
            backup: None,
            next: None,
        }
    }
}

/// What a configuration says of Portolan.
#[derive(Debug)]
pub struct Found {
    pub client: &'static Client,
    pub path: PathBuf,
    /// The program that it starts, or why that cannot be told. `None`: it does not know Portolan.
    pub command: Result<Option<String>, Problem>,
}

/// The configurations that are there, of every client.
pub fn inspect(machine: &Machine, scope: &Scope) -> Vec<Found> {
    let mut found = Vec::new();
    for client in CLIENTS {
        for place in client.places(machine, scope) {
            let command = match file::read(&place.path) {
                Ok(None) => continue,
                Ok(Some(text)) => client.format.command(&text, client),
                Err(problem) => Err(problem),
            };
            found.push(Found {
                client,
                path: place.path,
                command,
            });
        }
    }
    found
}

impl Client {
    /// The file to write to: the one that knows Portolan, else the first that is there, else the first.
    fn chosen<'p>(&self, places: &'p [Place]) -> &'p Place {
        let text = |place: &Place| file::read(&place.path).ok().flatten();
        let knows = |text: String| matches!(self.format.command(&text, self), Ok(Some(_)) | Err(Problem::Foreign));
        let known = places.iter().find(|place| text(place).is_some_and(knows));
        let there = || places.iter().find(|place| place.path.exists());
        known.or_else(there).unwrap_or(&places[0])
    }
}

impl Format {
    /// The text with Portolan in it.
    fn put(self, text: Option<&str>, client: &Client, command: &str) -> Result<String, Problem> {
        match self {
            Format::Json => json::put(text.unwrap_or_default(), client, command),
            Format::Toml => toml::put(text.unwrap_or_default(), client, command),
        }
    }

    /// The text without Portolan: `None` if it was not in it, `Some(None)` if nothing is left.
    fn take(self, text: &str, client: &Client) -> Result<Option<Option<String>>, Problem> {
        match self {
            Format::Json => json::take(text, client),
            Format::Toml => toml::take(text, client),
        }
    }

    fn command(self, text: &str, client: &Client) -> Result<Option<String>, Problem> {
        match self {
            Format::Json => json::command(text, client),
            Format::Toml => toml::command(text, client),
        }
    }
}

/// The program to write into a configuration: the name by which the user finds it, if that is the same file, since the
/// file behind it may be replaced by an upgrade.
pub fn command_for(machine: &Machine, executable: &Path, scope: &Scope) -> String {
    let same = |path: &PathBuf| match (path.canonicalize(), executable.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    };
    let on_path = machine.program(SERVER).filter(same);
    match (on_path, scope) {
        // A project's configuration is shared: a path of this machine would mean nothing on the next.
        (Some(_), Scope::Project(_)) => SERVER.to_owned(),
        (Some(path), Scope::User) => path.to_string_lossy().into_owned(),
        (None, _) => executable.to_string_lossy().into_owned(),
    }
}
