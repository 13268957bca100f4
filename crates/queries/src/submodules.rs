//! Submodules: other repositories whose files are here too. Each is compared in its own history, from the commit that the
//! repository around it names.

use std::{collections::BTreeMap, path::Path};

use git::{Id, Index, Repository};

use workspace::Error;

/// What is compared in one repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Range {
    /// A tree, else that of the last commit, and the disk.
    Disk(Option<Id>),
    /// The last commit and git's list of the next one.
    Staged,
    Trees(Id, Id),
}

/// One repository of several that lie in each other.
pub(crate) struct Part {
    pub repository: Repository,
    /// Where it is below the root: `` or `a/b/`.
    pub at: String,
    pub range: Range,
}

/// A submodule that may differ, with the commits that are named of it.
struct Link {
    path: String,
    old: Option<Id>,
    new: Option<Id>,
}

/// More are not looked into.
const MAX_PARTS: usize = 200;

/// The tree of the last commit; nothing before the first.
pub(crate) fn last_commit(repository: &Repository) -> Result<Option<Id>, Error> {
    match repository.resolve("HEAD") {
        Ok(head) => Ok(Some(repository.tree(head)?)),
        Err(git::Error::NoSuchRevision { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// What is checked out; nothing if that is written in a way that is not understood.
pub(crate) fn index_of(repository: &Repository) -> Result<Index, Error> {
    match repository.index() {
        Err(git::Error::Unsupported { .. }) => Ok(Index::default()),
        other => Ok(other?),
    }
}

impl Part {
    /// This and all that lie in it, and how many of those cannot be looked into.
    pub fn with_submodules(self, root: &Path) -> Result<(Vec<Part>, usize), Error> {
        let (mut parts, mut open, mut unread) = (Vec::new(), vec![self], 0);
        while let Some(part) = open.pop() {
            for link in part.links(root)? {
                match part.submodule(root, &link) {
                    Some(submodule) if parts.len() + open.len() < MAX_PARTS => open.push(submodule),
                    _ => unread += 1,
                }
            }
            parts.push(part);
        }
        Ok((parts, unread))
    }

    fn links(&self, root: &Path) -> Result<Vec<Link>, Error> {
        let from = match self.range {
            Range::Trees(old, new) => {
                let changes = self.repository.submodule_changes(Some(old), Some(new))?.into_iter();
                let links = changes.map(|change| Link {
                    path: change.path,
                    old: change.old,
                    new: change.new,
                });
                return Ok(links.collect());
            }
            Range::Disk(from) => from,
            Range::Staged => None,
        };
        let index = index_of(&self.repository)?;
        let listed: Vec<_> = index.entries.iter().filter(|entry| entry.is_repository).collect();
        // Most repositories have none, and their trees need not be read.
        if listed.is_empty() {
            return Ok(Vec::new());
        }
        let from = from.map_or_else(|| last_commit(&self.repository), |from| Ok(Some(from)))?;
        let committed = self.repository.submodule_changes(None, from)?.into_iter();
        let committed: BTreeMap<String, Option<Id>> = committed.map(|change| (change.path, change.new)).collect();
        let links = listed.into_iter().map(|entry| Link {
            path: entry.path.clone(),
            old: committed.get(&entry.path).copied().flatten(),
            new: Some(entry.id),
        });
        let is_staged = self.range == Range::Staged;
        let may_differ = |link: &Link| match is_staged {
            true => link.old != link.new,
            // One that is not checked out has nothing on disk.
            false => root
                .join(&self.at)
                .join(&link.path)
                .join(".git")
                .symlink_metadata()
                .is_ok(),
        };
        Ok(links.filter(may_differ).collect())
    }

    /// What is to be compared of a submodule; nothing if its history is not here.
    fn submodule(&self, root: &Path, link: &Link) -> Option<Part> {
        let dir = root.join(&self.at).join(&link.path);
        // Whoever wrote git's list may have named a way out of the root.
        if dir.canonicalize().ok()? != dir {
            return None;
        }
        let repository = Repository::find(&dir).ok()??;
        let is_its_own = repository.prefix().is_empty();
        let tree = |commit: Id| repository.tree(commit).ok();
        let range = match (self.range, link.old, link.new) {
            (Range::Disk(_), Some(old), _) => Range::Disk(Some(tree(old)?)),
            (Range::Disk(_), None, _) => Range::Disk(None),
            (_, old, new) => Range::Trees(tree(old?)?, tree(new?)?),
        };
        is_its_own.then(|| Part {
            at: format!("{}{}/", self.at, link.path),
            range,
            repository,
        })
    }
}
