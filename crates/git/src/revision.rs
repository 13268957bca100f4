//! Names of commits: `HEAD`, branches, tags, the beginning of an id, and `~2`, `^` behind them.

use std::collections::BinaryHeap;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    error::Error,
    object::{Id, Kind},
    repository::Repository,
};

/// References that name each other.
const MAX_STEPS: usize = 8;
/// Commits that are looked at for a common ancestor.
const MAX_COMMITS: usize = 100_000;
const PACKED_REFS: u64 = 256 << 20;

impl Repository {
    /// The commit that a revision names.
    pub fn resolve(&self, revision: &str) -> Result<Id, Error> {
        let none = || Error::NoSuchRevision {
            name: revision.to_owned(),
        };
        let end = revision.find(['~', '^']).unwrap_or(revision.len());
        let (name, mut rest) = revision.split_at(end);
        let mut commit = self.peeled(self.named(name)?.ok_or_else(none)?)?.ok_or_else(none)?;
        while !rest.is_empty() {
            let mark = rest.as_bytes()[0];
            rest = &rest[1..];
            if mark == b'^'
                && let Some(after) = rest.strip_prefix('{')
            {
                let (what, after) = after.split_once('}').ok_or_else(none)?;
                // A commit is a commit already.
                if !matches!(what, "" | "commit") {
                    return Err(none());
                }
                rest = after;
                continue;
            }
            let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            let count = match &rest[..digits] {
                "" => 1,
                digits => digits.parse::<usize>().map_err(|_| none())?,
            };
            rest = &rest[digits..];
            match mark {
                b'~' => {
                    for _ in 0..count {
                        let parents = self.commit(commit)?.parents;
                        commit = *parents.first().ok_or_else(none)?;
                    }
                }
                b'^' if count == 0 => {}
                b'^' => commit = *self.commit(commit)?.parents.get(count - 1).ok_or_else(none)?,
                _ => return Err(none()),
            }
        }
        Ok(commit)
    }

    /// The branch that is checked out; nothing if a commit is.
    pub fn branch(&self) -> Result<Option<String>, Error> {
        let head = self.own.line("HEAD")?.unwrap_or_default();
        let name = head.strip_prefix("ref:").map(str::trim);
        Ok(name.map(|name| name.strip_prefix("refs/heads/").unwrap_or(name).to_owned()))
    }

    fn named(&self, name: &str) -> Result<Option<Id>, Error> {
        let name = if name == "@" { "HEAD" } else { name };
        if !is_name(name) {
            return Ok(None);
        }
        // In git's order; what it keeps beside `HEAD` has no name that looks like a branch.
        let is_special = name.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
        if is_special && let Some(id) = self.reference(name, 0)? {
            return Ok(Some(id));
        }
        let places = [
            name.to_owned(),
            format!("refs/{name}"),
            format!("refs/tags/{name}"),
            format!("refs/heads/{name}"),
            format!("refs/remotes/{name}"),
            format!("refs/remotes/{name}/HEAD"),
        ];
        for place in places.iter().filter(|place| place.starts_with("refs/")) {
            if let Some(id) = self.reference(place, 0)? {
                return Ok(Some(id));
            }
        }
        let is_hex = name.len() >= 4 && name.len() <= 40 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !is_hex {
            return Ok(None);
        }
        let mut found = self.beginning_with(name)?;
        if found.len() > 1 {
            // Of several only a commit can be meant.
            let mut commits = Vec::new();
            for id in found.iter().take(64) {
                if self.object(*id)?.kind == Kind::Commit {
                    commits.push(*id);
                }
            }
            found = commits;
        }
        match found.as_slice() {
            [] => Ok(None),
            [id] => Ok(Some(*id)),
            _ => Err(Error::Ambiguous { name: name.to_owned() }),
        }
    }

    fn reference(&self, name: &str, steps: usize) -> Result<Option<Id>, Error> {
        let written = match self.own.line(name) {
            Ok(Some(line)) => Some(line),
            // A directory of references has the name.
            Ok(None) | Err(Error::Io { .. }) => self.common.line(name).ok().flatten(),
            Err(error) => return Err(error),
        };
        let Some(line) = written else {
            return self.packed_reference(name);
        };
        match line.strip_prefix("ref:").map(str::trim) {
            Some(other) if steps < MAX_STEPS && is_name(other) && other.starts_with("refs/") => {
                self.reference(other, steps + 1)
            }
            Some(_) => Err(Error::damaged(name.to_owned())),
            None if line.len() == 64 => Err(Error::Unsupported {
                what: "a repository with SHA-256 names",
            }),
            None => Ok(Id::from_hex(&line)),
        }
    }

    fn packed_reference(&self, name: &str) -> Result<Option<Id>, Error> {
        let Some(bytes) = self.common.read("packed-refs", PACKED_REFS)? else {
            return Ok(None);
        };
        let lines = bytes.split(|byte| *byte == b'\n');
        for line in lines.filter(|line| line.len() > 41 && line[40] == b' ') {
            if line[41..] == *name.as_bytes() {
                let id = std::str::from_utf8(&line[..40]).ok().and_then(Id::from_hex);
                return Ok(id);
            }
        }
        Ok(None)
    }

    /// The commit behind tags.
    fn peeled(&self, mut id: Id) -> Result<Option<Id>, Error> {
        for _ in 0..MAX_STEPS {
            let object = self.object(id)?;
            match object.kind {
                Kind::Commit => return Ok(Some(id)),
                Kind::Tag => {
                    let first = object.data.split(|byte| *byte == b'\n').next().unwrap_or_default();
                    let line = String::from_utf8_lossy(first);
                    let target = line.strip_prefix("object ").and_then(Id::from_hex);
                    id = target.ok_or_else(|| Error::damaged(format!("tag {id}")))?;
                }
                _ => return Ok(None),
            }
        }
        Ok(None)
    }

    /// The nearest commit that both are made from: the youngest that is reached from each.
    pub fn merge_base(&self, one: Id, other: Id) -> Result<Option<Id>, Error> {
        let mut marks: FxHashMap<Id, u8> = FxHashMap::default();
        let mut open = BinaryHeap::new();
        let mut seen = FxHashSet::default();
        for (id, mark) in [(one, 1), (other, 2)] {
            *marks.entry(id).or_default() |= mark;
            open.push((self.commit(id)?.seconds, id));
        }
        while let Some((_, id)) = open.pop() {
            let mark = marks[&id];
            if mark == 3 {
                return Ok(Some(id));
            }
            if !seen.insert((id, mark)) || seen.len() > MAX_COMMITS {
                continue;
            }
            for parent in self.commit(id)?.parents {
                // The history of a shallow clone ends somewhere.
                let Ok(commit) = self.commit(parent) else { continue };
                let known = marks.entry(parent).or_default();
                if *known | mark != *known {
                    *known |= mark;
                    open.push((commit.seconds, parent));
                }
            }
        }
        Ok(None)
    }
}

/// Git's own rules for names of references, as far as a path could be made of one that breaks them.
fn is_name(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= 1000
        && !name.starts_with(['-', '/'])
        && !name.contains("..")
        && !name.contains("@{")
        && !name.contains(|c: char| c.is_control() || c.is_whitespace() || "~^:?*[\\".contains(c))
        && name.split('/').all(|part| !part.is_empty() && !part.starts_with('.'))
}
