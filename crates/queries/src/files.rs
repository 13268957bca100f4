//! Listing, finding and reading the files of a snapshot.

use std::path::Path;

use index::FileRow;
use refresh::SkippedFile;
use sandbox::Unreadable;
use source::{LineIndex, PathGlobs, RepoPath};
use workspace::Error;

use crate::{chunk_view::ChunkView, snapshot::Snapshot};

/// Larger files are not read whole, not even in parts.
const READ_LIMIT: u64 = 64 << 20;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SortFiles {
    Alpha,
    Size,
    Indexed,
}

/// Paths that match, of how many.
#[derive(Debug, Default)]
pub struct FoundFiles {
    /// What they were looked for by.
    pub pattern: String,
    pub paths: Vec<String>,
    pub of: usize,
    /// Where none matches: files that do and are not indexed, and what was probably meant.
    pub skipped: Vec<SkippedFile>,
    pub nearest: Option<String>,
}

/// A piece of a file. Offsets count characters from 0.
#[derive(Debug)]
pub struct FileSlice {
    pub path: String,
    pub lang: &'static str,
    pub bytes: u64,
    pub lines: u32,
    pub chars: usize,
    pub offset: usize,
    pub text: String,
    pub first_line: u32,
    /// Set when some bytes were not text.
    pub note: Option<&'static str>,
}

impl Snapshot {
    /// Path and number of chunks of each indexed file.
    pub fn list_files(&self, filter: &search::FilterSpec, sort: SortFiles) -> Vec<(String, u32)> {
        let mut rows: Vec<&FileRow> = self
            .reader()
            .files()
            .indexed()
            .filter(|row| filter.allows(row))
            .collect();
        match sort {
            SortFiles::Alpha => {}
            SortFiles::Size => rows.sort_by(|a, b| b.stat.size.cmp(&a.stat.size).then_with(|| a.path.cmp(&b.path))),
            SortFiles::Indexed => rows.sort_by_key(|row| row.id),
        }
        rows.into_iter()
            .map(|row| (row.path.to_string(), row.chunks()))
            .collect()
    }

    /// Files whose path matches a glob (as in `PathGlobs`).
    pub fn find_by_glob(&self, glob: &str) -> Result<FoundFiles, Error> {
        // A path as it is read elsewhere, or the end of one.
        let relative = Path::new(glob)
            .is_absolute()
            .then(|| self.repo_path(glob).ok())
            .flatten();
        let pattern = relative.map_or_else(|| glob.to_owned(), |path| path.to_string());
        let globs = PathGlobs::new(&[&pattern])?;
        let found = self.find_by(&pattern, |path| globs.matches(path));
        if !found.paths.is_empty() || pattern.starts_with("**/") {
            return Ok(found);
        }
        // A word is a part of a name.
        let anywhere = match (pattern.contains('/'), is_glob(&pattern)) {
            (true, _) => format!("**/{pattern}"),
            (false, false) => format!("*{pattern}*"),
            (false, true) => return Ok(found),
        };
        let globs = PathGlobs::new(&[&anywhere])?;
        let deeper = self.find_by(&anywhere, |path| globs.matches(path));
        Ok(if deeper.paths.is_empty() { found } else { deeper })
    }

    /// Files in whose path a regular expression matches.
    pub fn find_by_regex(&self, pattern: &str) -> Result<FoundFiles, Error> {
        let regex = regex::RegexBuilder::new(pattern)
            .size_limit(1 << 20)
            .build()
            .map_err(|error| {
                let reason = error
                    .to_string()
                    .lines()
                    .last()
                    .unwrap_or_default()
                    .trim_start_matches("error: ")
                    .to_owned();
                Error::BadRegex {
                    pattern: pattern.to_owned(),
                    reason,
                }
            })?;
        Ok(self.find_by(pattern, |path| regex.is_match(path)))
    }

    fn find_by(&self, pattern: &str, matches: impl Fn(&str) -> bool) -> FoundFiles {
        let mut found = FoundFiles {
            pattern: pattern.to_owned(),
            ..FoundFiles::default()
        };
        for row in self.reader().files().indexed() {
            found.of += 1;
            if matches(&row.path) {
                found.paths.push(row.path.to_string());
            }
        }
        if found.paths.is_empty() {
            found.skipped = self.skipped();
            found.skipped.retain(|file| matches(&file.path));
            let named = RepoPath::from_relative(Path::new(pattern)).ok();
            let named = named.filter(|_| !is_glob(pattern));
            found.nearest = named.and_then(|path| self.nearest_file(&path));
        }
        found
    }

    /// A path as a user gives it, relative or absolute, made relative to the root.
    pub fn repo_path(&self, path: &str) -> Result<RepoPath, Error> {
        repo_path(self.workspace().root().path(), path)
    }

    /// At most `length` characters of a file from `offset` on.
    pub fn read_file(&self, path: &str, offset: usize, length: usize) -> Result<FileSlice, Error> {
        let path = self.repo_path(path)?;
        let refuse = |reason: &str| Error::Refused {
            path: path.to_string(),
            reason: reason.to_owned(),
        };
        self.check_is_file(&path)?;
        let read = self.workspace().root().read(path.as_str(), READ_LIMIT);
        if let Err(Unreadable::Gone) = read
            && let Some(row) = self.only_ending(path.as_str())
        {
            return self.read_file(&row.path, offset, length);
        }
        let (bytes, _) = read.map_err(|error| match error {
            Unreadable::Gone => Error::NoSuchFile {
                path: path.to_string(),
                nearest: self.nearest_file(&path),
            },
            Unreadable::Outside => Error::Outside { path: path.to_string() },
            Unreadable::Private(reason) => refuse(&format!("it {reason}")),
            Unreadable::Because(reason) => refuse(&reason.to_string()),
        })?;
        let text = source::decode(&bytes).ok_or_else(|| refuse("it is a binary file"))?;
        let note = (text.encoding == source::Encoding::Unknown)
            .then_some("not valid UTF-8: characters that could not be decoded are shown as U+FFFD");
        let text = text.text;
        let chars = text.chars().count();
        let start = text.char_indices().nth(offset).map_or(text.len(), |(at, _)| at);
        let end = text[start..]
            .char_indices()
            .nth(length)
            .map_or(text.len(), |(at, _)| start + at);
        let index = LineIndex::new(&text);
        Ok(FileSlice {
            lang: syntax::detect(path.file_name(), &bytes).name,
            path: path.to_string(),
            bytes: bytes.len() as u64,
            lines: index.count(),
            chars,
            offset,
            first_line: index.line(start as u32),
            text: text[start..end].to_owned(),
            note,
        })
    }

    /// A chunk of an indexed file with the lines around it.
    pub fn preview_chunk(&self, path: &str, chunk: u32, context: u32) -> Result<ChunkView, Error> {
        let row = self.indexed_row_ending(path)?;
        self.view(row, chunk, context.max(1))
            .map(|view| if context == 0 { only_chunk(view) } else { view })
    }

    /// A file that is indexed, by a path as a user gives it.
    pub(crate) fn indexed_row(&self, path: &str) -> Result<&FileRow, Error> {
        let path = self.repo_path(path)?;
        let row = self.reader().files().by_path(path.as_str());
        if row.is_none() {
            self.check_is_file(&path)?;
            self.check_is_gone(&path)?;
        }
        let row = row.ok_or_else(|| Error::NoSuchFile {
            path: path.to_string(),
            nearest: self.nearest_file(&path),
        })?;
        match row.skip_reason() {
            None => Ok(row),
            Some(reason) => Err(Error::Refused {
                path: path.to_string(),
                reason: format!("it is not indexed: {reason}"),
            }),
        }
    }

    /// The same, where what is given may begin below the root if only one path ends so.
    pub(crate) fn indexed_row_ending(&self, path: &str) -> Result<&FileRow, Error> {
        match self.indexed_row(path) {
            Err(error @ Error::NoSuchFile { .. }) => {
                let given = self.repo_path(path)?;
                self.only_ending(given.as_str()).ok_or(error)
            }
            found => found,
        }
    }

    /// Whether a path, or the end of one, means an indexed file.
    pub fn has_file(&self, path: &str) -> bool {
        self.indexed_row_ending(path).is_ok()
    }

    /// The only file whose path ends so, or that is a module of this name.
    fn only_ending(&self, path: &str) -> Option<&FileRow> {
        let only = |is: fn(&str, &str) -> bool| {
            let mut found = self.reader().files().indexed().filter(|row| is(&row.path, path));
            found.next().filter(|_| found.next().is_none())
        };
        only(is_end).or_else(|| only(is_module))
    }

    fn check_is_file(&self, path: &RepoPath) -> Result<(), Error> {
        let root = self.workspace().root();
        // What is outside is not looked at, whatever links lead there.
        let is_no_file = matches!(root.read(path.as_str(), 0), Err(Unreadable::Because(_)));
        match is_no_file && root.path().join(path.as_str()).is_dir() {
            true => Err(Error::IsDirectory { path: path.to_string() }),
            false => Ok(()),
        }
    }

    /// That a file which is not in the index is not on disk either.
    fn check_is_gone(&self, path: &RepoPath) -> Result<(), Error> {
        let read = self.workspace().root().read(path.as_str(), 0);
        match read {
            Err(Unreadable::Gone | Unreadable::Outside) => return Ok(()),
            Err(Unreadable::Private(reason)) => {
                return Err(Error::Refused {
                    path: path.to_string(),
                    reason: format!("it {reason}"),
                });
            }
            _ => {}
        }
        if !self.is_complete() {
            return Err(Error::NotYetIndexed { path: path.to_string() });
        }
        Err(Error::Refused {
            path: path.to_string(),
            reason: "it is not indexed: left out by `.gitignore`, or by what is configured".to_owned(),
        })
    }

    /// The indexed file that was probably meant; several, with quotes between them, where they have the same name.
    pub(crate) fn nearest_file(&self, path: &RepoPath) -> Option<String> {
        let name = path.file_name();
        let likeness = |row: &FileRow| {
            let is_end = f64::from(u8::from(is_end(&row.path, path.as_str())));
            source::path_likeness(&row.path, path.as_str()).map(|likeness| likeness + is_end)
        };
        let best = self.reader().files().indexed();
        let mut best: Vec<(f64, &FileRow)> = best.filter_map(|row| Some((likeness(row)?, row))).collect();
        best.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.path.cmp(&b.1.path)));
        let has_name = |row: &FileRow| {
            row.path
                .rsplit('/')
                .next()
                .is_some_and(|own| own.eq_ignore_ascii_case(name))
        };
        let n_named = best.iter().filter(|(_, row)| has_name(row)).count();
        let shown: Vec<&str> = best
            .iter()
            .take(n_named.clamp(1, 3))
            .map(|(_, row)| &*row.path)
            .collect();
        (!shown.is_empty()).then(|| shown.join("`, `"))
    }
}

fn is_glob(pattern: &str) -> bool {
    pattern.contains(['*', '?', '[', '{', '\\'])
}

/// Whether a path has this one in its end, by whole names.
pub(crate) fn is_end(path: &str, end: &str) -> bool {
    path.strip_suffix(end).is_some_and(|outer| outer.ends_with('/'))
}

/// Whether a file or directory is the module of a name as programs write it: `app.store` is `app/store.py`.
pub(crate) fn is_module(path: &str, name: &str) -> bool {
    let is_name = !name.contains('/') && (name.contains('.') || name.contains("::"));
    is_name && search::is_called(path, name)
}

/// A path as a user gives it, relative or absolute, made relative to the root.
pub(crate) fn repo_path(root: &Path, path: &str) -> Result<RepoPath, Error> {
    let given = Path::new(path);
    let bad = |source| match source {
        source::PathError::Escapes => Error::Outside { path: path.to_owned() },
        source => Error::BadPath {
            path: path.to_owned(),
            source,
        },
    };
    if path.contains('\0') {
        return Err(bad(source::PathError::Nul));
    }
    if !given.is_absolute() {
        // As it is written on Windows, unless there is a file of that name.
        if path.contains('\\') && root.join(given).symlink_metadata().is_err() {
            return RepoPath::from_relative(Path::new(&path.replace('\\', "/"))).map_err(bad);
        }
        return RepoPath::from_relative(given).map_err(bad);
    }
    // The root may have been named through a link; then only the resolved paths compare.
    let inside = match given.strip_prefix(root) {
        Ok(inside) => inside.to_owned(),
        Err(_) => {
            let resolved = given.canonicalize().ok();
            let inside = resolved.as_deref().and_then(|path| path.strip_prefix(root).ok());
            inside
                .ok_or_else(|| Error::Outside { path: path.to_owned() })?
                .to_owned()
        }
    };
    RepoPath::from_relative(&inside).map_err(bad)
}

/// Whole lines of the chunk and nothing around them.
fn only_chunk(mut view: ChunkView) -> ChunkView {
    let skip = (view.first_line - view.shown_from) as usize;
    let take = (view.last_line - view.first_line + 1) as usize;
    view.lines = view.lines.into_iter().skip(skip).take(take).collect();
    view.shown_from = view.first_line;
    view
}
