//! A directory of a workspace, named where another system takes the directory of a repository.

use std::{cell::Cell, path::Path};

use queries::{FilterSpec, Snapshot};
use serde_json::{Map, Value};
use source::PathGlobs;
use workspace::{Control, Workspaces};

use crate::machinery::{answer::Answer, args, tool::Entry, visible::visible_name};

/// A part of a workspace. Its session answers: one for the part alone would hold the same files once more, and know of no
/// use outside of it.
#[derive(Debug)]
pub(crate) struct Within {
    /// The root of the workspace.
    pub root: String,
    /// The directory, from there.
    dir: String,
    /// Whether the tool has looked at its files alone.
    is_limit: Cell<bool>,
}

impl Within {
    /// `None` for a directory without a file that the workspace has, such as what a build makes: it is a workspace of its own.
    pub fn of(workspaces: &Workspaces, named: &str, control: &Control<'_>) -> Option<Within> {
        let (root, dir) = workspaces.holding(named)?;
        let root = root.to_str()?.to_owned();
        let is_limit = Cell::new(false);
        let within = Within { root, dir, is_limit };
        let workspace = workspaces.resolve(Some(&within.root)).ok()?;
        let snapshot = Snapshot::new(workspace.snapshot(control).ok()?);
        snapshot.has_files(&within.files()).then_some(within)
    }

    /// The files in it, for a tool that looks at them alone.
    pub fn filter(&self) -> FilterSpec {
        self.is_limit.set(true);
        self.files()
    }

    fn files(&self) -> FilterSpec {
        FilterSpec {
            include: PathGlobs::new(&[self.glob("**")]).ok(),
            ..FilterSpec::default()
        }
    }

    fn glob(&self, rest: &str) -> String {
        let mut glob = String::new();
        for c in self.dir.chars() {
            match c {
                '*' | '?' | '[' | ']' | '{' | '}' => glob.extend(['[', c, ']']),
                c => glob.push(c),
            }
        }
        format!("{glob}/{rest}")
    }

    /// Paths and globs are meant from the directory on.
    pub fn apply(&self, entry: &Entry, arguments: &mut Map<String, Value>) {
        if let Some(name) = paths_of(entry) {
            let given = arguments.get(name).and_then(Value::as_array);
            let globs = given.into_iter().flatten().filter_map(Value::as_str);
            let mut globs: Vec<String> = globs.map(|glob| self.moved(glob)).collect();
            if globs.iter().all(|glob| glob.starts_with('!')) {
                globs.push(self.glob("**"));
            }
            arguments.insert(name.to_owned(), globs.into());
            self.is_limit.set(true);
        }
        for place in args::places_mut(arguments) {
            let end = place.find([':', '#']).unwrap_or(place.len());
            let below = format!("{}/{}", self.dir, place.trim_start_matches("./"));
            let below_end = below.len() - (place.len() - end);
            if Path::new(&self.root).join(&below[..below_end]).exists() {
                *place = below;
            }
        }
    }

    fn moved(&self, glob: &str) -> String {
        let (without, glob) = match glob.strip_prefix('!') {
            Some(glob) => ("!", glob),
            None => ("", glob),
        };
        let glob = match (glob.starts_with('/'), glob.contains('/')) {
            (true, _) => glob.to_owned(),
            (false, true) => self.glob(glob),
            (false, false) => self.glob(&format!("**/{glob}")),
        };
        format!("{without}{glob}")
    }

    /// Says what has answered. What is about symbols and how they hang together does not end with a directory.
    pub fn tell(&self, answer: &mut Answer) {
        let (root, dir) = (visible_name(&self.root), visible_name(&self.dir));
        let what = match self.is_limit.get() {
            true => format!("In {dir} of {root}"),
            false => format!("In {root}, which has {dir}"),
        };
        answer.head = format!("{what}: {}", answer.head);
        answer.fact("workspace", self.root.as_str());
        answer.fact("directory", self.dir.as_str());
    }
}

/// The parameter of a tool that takes globs.
fn paths_of(entry: &Entry) -> Option<&'static str> {
    let properties = (entry.params)();
    ["path", "paths"].into_iter().find(|name| {
        let property = properties.pointer(&format!("/properties/{name}"));
        property.is_some_and(|property| property.to_string().contains("array"))
    })
}
