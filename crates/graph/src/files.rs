//! The files of a workspace, found by path, by directory and by how a path ends.

use std::{cmp::Ordering, ops::Range, sync::Arc};

use rustc_hash::{FxHashMap, FxHashSet};

use syntax::LangId;

use crate::outline::Outline;

/// A file of `Files`: its place in the list that they were made from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileIdx(pub u32);

#[derive(Debug, Default)]
pub struct Files {
    list: Vec<File>,
    by_path: FxHashMap<Arc<str>, FileIdx>,
    /// The files directly in each directory; directories of directories only are there too.
    dirs: FxHashMap<Arc<str>, Vec<FileIdx>>,
    /// Ordered by their paths read from the end, so that all that end alike are neighbours.
    files_from_end: Vec<FileIdx>,
    dirs_from_end: Vec<Arc<str>>,
}

#[derive(Debug)]
struct File {
    path: Arc<str>,
    lang: LangId,
    outline: Outline,
}

impl Files {
    /// Paths relative to the root, with `/`; the language; what the file declares.
    pub fn new<'p>(files: impl IntoIterator<Item = (&'p str, LangId, Outline)>) -> Files {
        let mut all = Files::default();
        let mut dirs: FxHashSet<Arc<str>> = FxHashSet::default();
        for (path, lang, outline) in files {
            let file = FileIdx(all.list.len() as u32);
            let path: Arc<str> = path.into();
            all.by_path.insert(path.clone(), file);
            let mut dir = dir_of(&path);
            match all.dirs.get_mut(dir) {
                Some(files) => files.push(file),
                None => {
                    all.dirs.insert(dir.into(), vec![file]);
                }
            }
            while !dirs.contains(dir) {
                dirs.insert(dir.into());
                dir = dir_of(dir);
            }
            all.list.push(File { path, lang, outline });
        }
        for dir in &dirs {
            all.dirs.entry(dir.clone()).or_default();
        }
        all.files_from_end = (0..all.list.len() as u32).map(FileIdx).collect();
        all.files_from_end.sort_unstable_by(|a, b| {
            let [a, b] = [a, b].map(|file| all.list[file.0 as usize].path.rsplit('/'));
            a.cmp(b)
        });
        all.dirs_from_end = dirs.into_iter().collect();
        all.dirs_from_end
            .sort_unstable_by(|a, b| a.rsplit('/').cmp(b.rsplit('/')));
        all
    }

    pub fn len(&self) -> usize {
        self.list.len()
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub fn all(&self) -> impl Iterator<Item = FileIdx> + use<> {
        (0..self.list.len() as u32).map(FileIdx)
    }

    pub fn path(&self, file: FileIdx) -> &str {
        &self.list[file.0 as usize].path
    }

    pub fn lang(&self, file: FileIdx) -> LangId {
        self.list[file.0 as usize].lang
    }

    pub fn outline(&self, file: FileIdx) -> &Outline {
        &self.list[file.0 as usize].outline
    }

    /// The directory of a file; the root's is empty.
    pub(crate) fn dir(&self, file: FileIdx) -> &str {
        dir_of(self.path(file))
    }

    /// A word that whoever imports the file writes, most likely: of its name, or of its directory's if that is what it
    /// goes by.
    pub fn word(&self, file: FileIdx) -> &str {
        let name = match self.stem(file) {
            "index" => name_of(self.dir(file)),
            stem => stem,
        };
        let words = name.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'));
        words.max_by_key(|word| word.len()).unwrap_or(name)
    }

    /// The files that can call one by dots alone, since it stands for its directory: those in it and next below.
    pub(crate) fn around(&self, file: FileIdx) -> Vec<FileIdx> {
        if self.stem(file) != "index" {
            return Vec::new();
        }
        let dir = self.dir(file);
        let below = self.dirs().filter(|below| !below.is_empty() && dir_of(below) == dir);
        let dirs = below.chain([dir]);
        dirs.flat_map(|dir| self.in_dir(dir)).copied().collect()
    }

    /// The name of a file without its directory and its last extension.
    pub(crate) fn stem(&self, file: FileIdx) -> &str {
        stem_of(self.path(file))
    }

    pub fn at(&self, path: &str) -> Option<FileIdx> {
        self.by_path.get(path).copied()
    }

    pub(crate) fn is_dir(&self, dir: &str) -> bool {
        self.dirs.contains_key(dir)
    }

    /// The files directly in a directory.
    pub(crate) fn in_dir(&self, dir: &str) -> &[FileIdx] {
        self.dirs.get(dir).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn dirs(&self) -> impl Iterator<Item = &str> {
        self.dirs_from_end.iter().map(|dir| &**dir)
    }

    /// The files whose paths end with this path, whole components only.
    pub(crate) fn ending(&self, path: &str) -> &[FileIdx] {
        let end = path.trim_matches('/');
        &self.files_from_end[alike(&self.files_from_end, |file| against(self.path(*file), end))]
    }

    /// The directories whose paths end with this path.
    pub(crate) fn dirs_ending(&self, path: &str) -> &[Arc<str>] {
        let end = path.trim_matches('/');
        &self.dirs_from_end[alike(&self.dirs_from_end, |dir| against(dir, end))]
    }

    /// Those that share most of their directory with a file. What is in another corner of a repository is hardly ever
    /// meant while there is one nearby.
    pub(crate) fn nearest(&self, file: FileIdx, found: &[FileIdx]) -> Vec<FileIdx> {
        let own = self.dir(file);
        let shared = |other: FileIdx| {
            let parts = own.split('/').zip(self.dir(other).split('/'));
            parts.take_while(|(a, b)| a == b).count()
        };
        let others = found.iter().copied().filter(|other| *other != file);
        let most = others.clone().map(shared).max().unwrap_or(0);
        let mut nearest: Vec<FileIdx> = others.filter(|other| shared(*other) == most).collect();
        nearest.sort_unstable();
        nearest.dedup();
        nearest
    }
}

/// The neighbours that are equal.
fn alike<T>(sorted: &[T], against: impl Fn(&T) -> Ordering) -> Range<usize> {
    let from = sorted.partition_point(|item| against(item) == Ordering::Less);
    let count = sorted[from..].partition_point(|item| against(item) == Ordering::Equal);
    from..from + count
}

/// The last components of a path, compared with as many as `end` has; no path ends with nothing.
fn against(path: &str, end: &str) -> Ordering {
    let mut own = path.rsplit('/');
    for part in end.rsplit('/') {
        match own.next().map(|own| own.cmp(part)) {
            _ if part.is_empty() => return Ordering::Greater,
            None => return Ordering::Less,
            Some(Ordering::Equal) => {}
            Some(other) => return other,
        }
    }
    Ordering::Equal
}

pub(crate) fn dir_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(dir, _)| dir)
}

pub(crate) fn name_of(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

pub(crate) fn stem_of(path: &str) -> &str {
    let name = name_of(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// A relative path from a directory, without `.` and `..`; nothing if it leaves the root.
pub(crate) fn joined(dir: &str, relative: &str) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    for part in dir.split('/').chain(relative.split('/')) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// The directories from one up to the root.
pub(crate) fn upwards(dir: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(dir), |dir| (!dir.is_empty()).then(|| dir_of(dir)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_by_their_ends() {
        let paths = ["a.h", "lib/a.h", "lib/xa.h", "src/lib/a.h", "src/b/c.h"];
        let files = Files::new(paths.map(|path| (path, LangId::C, Outline::default())));
        let ending = |end: &str| {
            let mut found: Vec<&str> = files.ending(end).iter().map(|file| files.path(*file)).collect();
            found.sort_unstable();
            found
        };
        assert_eq!(ending("a.h"), ["a.h", "lib/a.h", "src/lib/a.h"]);
        assert_eq!(ending("lib/a.h"), ["lib/a.h", "src/lib/a.h"]);
        assert_eq!(ending("src/lib/a.h"), ["src/lib/a.h"]);
        assert_eq!(ending("x/src/lib/a.h"), [""; 0]);
        assert_eq!(ending(""), [""; 0]);
        assert_eq!(files.dirs_ending("lib").len(), 2);
        assert!(files.is_dir("src") && files.in_dir("src").is_empty() && files.is_dir(""));
    }

    #[test]
    fn paths_are_joined() {
        assert_eq!(joined("a/b", "../c/./d").as_deref(), Some("a/c/d"));
        assert_eq!(joined("", "x").as_deref(), Some("x"));
        assert_eq!(joined("a", "../../x"), None);
        assert_eq!(upwards("a/b").collect::<Vec<_>>(), ["a/b", "a", ""]);
    }
}
