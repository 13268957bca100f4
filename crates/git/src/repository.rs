//! Where git keeps what it knows about a directory.

use std::path::{Path, PathBuf};

use crate::{
    error::Error,
    object::{Id, Kind, Object},
    store::{Beneath, Store},
};

/// The history of a directory, read only.
pub struct Repository {
    /// `HEAD` and what else belongs to this working tree.
    pub(crate) own: Beneath,
    /// What all working trees share: objects and references.
    pub(crate) common: Beneath,
    /// The directory that was asked about, below the top of the working tree: `` or `a/b/`.
    prefix: String,
    store: Store,
}

impl Repository {
    /// The repository that a directory is in; nothing if it is in none.
    pub fn find(directory: &Path) -> Result<Option<Repository>, Error> {
        let directory = directory.canonicalize().map_err(|source| Error::Io {
            path: directory.to_owned(),
            source,
        })?;
        for top in directory.ancestors() {
            let marker = top.join(".git");
            let Ok(metadata) = marker.symlink_metadata() else {
                continue;
            };
            let Some(own) = git_dir(&marker, &metadata)? else {
                continue;
            };
            let below = directory.strip_prefix(top).unwrap_or(Path::new(""));
            let Some(below) = below.to_str() else {
                return Err(Error::Unsupported {
                    what: "a path that is not UTF-8",
                });
            };
            let below = below.replace(std::path::MAIN_SEPARATOR, "/");
            let prefix = if below.is_empty() { below } else { format!("{below}/") };
            return Repository::open(&own, prefix).map(Some);
        }
        Ok(None)
    }

    fn open(own: &Path, prefix: String) -> Result<Repository, Error> {
        let own = Beneath::open(own)?;
        let common = match own.line("commondir")? {
            Some(common) => {
                let path = own.path.join(common);
                let path = path.canonicalize().map_err(|source| Error::Io { path, source })?;
                // A working tree of its own is listed below the repository that it belongs to.
                if !own.path.starts_with(path.join("worktrees")) {
                    return Err(Error::Foreign { path: own.path });
                }
                Beneath::open(&path)?
            }
            None => Beneath::open(&own.path)?,
        };
        if common.dir.exists("reftable") {
            return Err(Error::Unsupported {
                what: "a repository whose references are a reftable",
            });
        }
        Ok(Repository {
            own,
            common,
            prefix,
            store: Store::new(),
        })
    }

    /// The directory that was asked about, below the top of the working tree: `` or `a/b/`.
    pub fn prefix(&self) -> &str {
        &self.prefix
    }

    /// Where all working trees of the repository keep what they share.
    pub fn common_dir(&self) -> &Path {
        &self.common.path
    }

    pub(crate) fn object(&self, id: Id) -> Result<Object, Error> {
        self.store.object(&self.common, id)
    }

    pub(crate) fn beginning_with(&self, digits: &str) -> Result<Vec<Id>, Error> {
        self.store.beginning_with(&self.common, digits)
    }

    /// The content of a file.
    pub fn blob(&self, id: Id) -> Result<Vec<u8>, Error> {
        let object = self.object(id)?;
        match object.kind {
            Kind::Blob => Ok(object.data.to_vec()),
            _ => Err(Error::damaged(format!("object {id}"))),
        }
    }

    /// What a commit names as its tree and parents.
    pub(crate) fn commit(&self, id: Id) -> Result<Commit, Error> {
        let object = self.object(id)?;
        let damaged = || Error::damaged(format!("commit {id}"));
        if object.kind != Kind::Commit {
            return Err(damaged());
        }
        let mut commit = Commit::default();
        for line in object.data.split(|byte| *byte == b'\n') {
            let line = String::from_utf8_lossy(line);
            match line.split_once(' ') {
                Some(("tree", tree)) => commit.tree = Id::from_hex(tree),
                Some(("parent", parent)) => commit.parents.extend(Id::from_hex(parent)),
                Some(("committer", who)) => {
                    let seconds = who.rsplit(' ').nth(1).and_then(|seconds| seconds.parse().ok());
                    commit.seconds = seconds.unwrap_or(0);
                    break;
                }
                _ if line.is_empty() => break,
                _ => {}
            }
        }
        if commit.tree.is_none() {
            return Err(damaged());
        }
        Ok(commit)
    }

    /// The tree of a commit.
    pub fn tree(&self, commit: Id) -> Result<Id, Error> {
        let tree = self.commit(commit)?.tree;
        tree.ok_or_else(|| Error::damaged(format!("commit {commit}")))
    }
}

#[derive(Debug, Default)]
pub(crate) struct Commit {
    pub tree: Option<Id>,
    pub parents: Vec<Id>,
    pub seconds: i64,
}

/// Git's directory for a working tree, by its `.git`. A file there names another directory, as in working trees made by
/// `git worktree` and in submodules: that one must point back, or be below the `.git` of a directory around. Otherwise
/// whoever made the file could have us read any repository of this machine.
fn git_dir(marker: &Path, metadata: &std::fs::Metadata) -> Result<Option<PathBuf>, Error> {
    let is_git_dir = |path: &Path| {
        path.join("HEAD").is_file() && path.join("commondir").is_file()
            || path.join("HEAD").symlink_metadata().is_ok() && path.join("objects").is_dir()
    };
    if metadata.is_dir() {
        return Ok(is_git_dir(marker).then(|| marker.to_owned()));
    }
    let foreign = || Error::Foreign {
        path: marker.to_owned(),
    };
    if !metadata.is_file() || metadata.len() > 16 << 10 {
        return Err(foreign());
    }
    let failed = |source| Error::Io {
        path: marker.to_owned(),
        source,
    };
    let text = std::fs::read_to_string(marker).map_err(failed)?;
    let named = text.trim().strip_prefix("gitdir:").map(str::trim).ok_or_else(foreign)?;
    let top = marker.parent().unwrap_or(Path::new("/"));
    let own = top.join(named).canonicalize().map_err(failed)?;
    if !is_git_dir(&own) {
        return Err(foreign());
    }
    let of_outer = top.ancestors().skip(1).any(|outer| {
        let outer = outer.join(".git");
        outer.symlink_metadata().is_ok_and(|metadata| metadata.is_dir()) && own.starts_with(outer)
    });
    let back = Beneath::open(&own)?.line("gitdir")?;
    let points_back = back.is_some_and(|back| own.join(back).canonicalize().is_ok_and(|back| back == *marker));
    if of_outer || points_back {
        Ok(Some(own))
    } else {
        Err(foreign())
    }
}
