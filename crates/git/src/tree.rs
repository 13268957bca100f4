//! Trees: which file has which content, and how two differ.

use std::collections::BTreeMap;

use crate::{
    error::Error,
    object::{Id, Kind},
    repository::Repository,
};

/// A file of a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub path: String,
    pub id: Id,
}

/// A file that is not the same in two trees; nothing where it is not there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    pub path: String,
    pub old: Option<Id>,
    pub new: Option<Id>,
}

/// Deeper directories are not real.
const MAX_DEPTH: usize = 200;
/// Trees that are in many others are read again in each: a few can be made into as many as one likes.
const MAX_TREES: usize = 300_000;
const MAX_ENTRIES: usize = 1_000_000;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Tree,
    File,
    /// Another repository; the id is that of its commit.
    Repository,
    /// A link.
    Other,
}

type Listing = BTreeMap<String, (Mode, Id)>;

impl Repository {
    /// The files of a tree below the directory that was asked about, with paths from there.
    pub fn files(&self, tree: Id) -> Result<Vec<Entry>, Error> {
        let all = self.differences(None, Some(tree), Mode::File)?;
        let entries = all.into_iter().filter_map(|change| {
            Some(Entry {
                path: change.path,
                id: change.new?,
            })
        });
        Ok(entries.collect())
    }

    /// The files that differ between two trees, below the directory that was asked about, with paths from there.
    pub fn changes(&self, old: Id, new: Id) -> Result<Vec<Change>, Error> {
        self.differences(Some(old), Some(new), Mode::File)
    }

    /// The submodules whose commits differ between two trees, one of which may be none, with their commits.
    pub fn submodule_changes(&self, old: Option<Id>, new: Option<Id>) -> Result<Vec<Change>, Error> {
        self.differences(old, new, Mode::Repository)
    }

    /// Whether a tree has the directory that was asked about.
    pub fn has_directory(&self, tree: Id) -> Result<bool, Error> {
        let mut tree = Some(tree);
        for name in self.prefix().split_terminator('/') {
            tree = self.subtree(tree, name)?;
        }
        Ok(tree.is_some())
    }

    fn differences(&self, old: Option<Id>, new: Option<Id>, wanted: Mode) -> Result<Vec<Change>, Error> {
        let (mut old, mut new) = (old, new);
        for name in self.prefix().split_terminator('/') {
            old = self.subtree(old, name)?;
            new = self.subtree(new, name)?;
        }
        let mut found = Vec::new();
        // Not by recursion: whoever made the trees says how deep they are.
        let mut open = vec![(String::new(), old, new, 0)];
        let mut trees = 0;
        while let Some((path, old, new, depth)) = open.pop() {
            if old == new {
                continue;
            }
            trees += 1;
            if depth > MAX_DEPTH || trees > MAX_TREES || found.len() > MAX_ENTRIES {
                return Err(Error::TooLarge {
                    what: "a tree".to_owned(),
                });
            }
            let (old, new) = (self.listing(old)?, self.listing(new)?);
            let mut names: Vec<&String> = old.keys().chain(new.keys()).collect();
            names.sort_unstable();
            names.dedup();
            for name in names {
                let (before, after) = (old.get(name), new.get(name));
                if before == after {
                    continue;
                }
                let of = |entry: Option<&(Mode, Id)>, wanted: Mode| {
                    entry.filter(|(mode, _)| *mode == wanted).map(|(_, id)| *id)
                };
                let path = format!("{path}{name}");
                let (was, is) = (of(before, wanted), of(after, wanted));
                if was != is {
                    found.push(Change {
                        path: path.clone(),
                        old: was,
                        new: is,
                    });
                }
                let (was, is) = (of(before, Mode::Tree), of(after, Mode::Tree));
                if was != is {
                    open.push((format!("{path}/"), was, is, depth + 1));
                }
            }
        }
        found.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(found)
    }

    fn subtree(&self, tree: Option<Id>, name: &str) -> Result<Option<Id>, Error> {
        let listing = self.listing(tree)?;
        let found = listing.get(name).filter(|(mode, _)| *mode == Mode::Tree);
        Ok(found.map(|(_, id)| *id))
    }

    /// What is directly in a tree. Names that are no text are left out: so are such files of a workspace.
    fn listing(&self, tree: Option<Id>) -> Result<Listing, Error> {
        let mut listing = Listing::new();
        let Some(tree) = tree else { return Ok(listing) };
        let object = self.object(tree)?;
        let damaged = || Error::damaged(format!("tree {tree}"));
        if object.kind != Kind::Tree {
            return Err(damaged());
        }
        let mut rest = &object.data[..];
        while !rest.is_empty() {
            let space = rest.iter().position(|byte| *byte == b' ').ok_or_else(damaged)?;
            let (mode, after) = (&rest[..space], &rest[space + 1..]);
            let end = after.iter().position(|byte| *byte == 0).ok_or_else(damaged)?;
            let (name, after) = (&after[..end], &after[end + 1..]);
            let (id, after) = after.split_at_checked(20).ok_or_else(damaged)?;
            rest = after;
            let mode = match mode {
                b"40000" | b"040000" => Mode::Tree,
                mode if mode.starts_with(b"100") => Mode::File,
                b"160000" => Mode::Repository,
                _ => Mode::Other,
            };
            let id = Id::from_bytes(id).ok_or_else(damaged)?;
            if let Ok(name) = std::str::from_utf8(name)
                && !name.is_empty()
                && !name.contains('/')
                && !matches!(name, "." | "..")
            {
                listing.insert(name.to_owned(), (mode, id));
            }
        }
        Ok(listing)
    }
}
