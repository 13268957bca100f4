//! Files that are not searched, and why.

/// A file that was found and is not searched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkippedFile {
    pub path: String,
    pub reason: String,
}

/// Skipped files that could have held what was asked for: the first few, and how many there are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MissedFiles {
    pub shown: Vec<SkippedFile>,
    pub total: usize,
}

/// Missed files that an answer names.
const MISSED_SHOWN: usize = 2;
/// Beginnings of reasons for which nobody misses a file: it is a picture or a link, or left out on purpose.
const NOT_MISSED: [&str; 5] = [
    "binary",
    "a symbolic link",
    "not a regular file",
    "may hold secrets",
    "belongs to version control",
];

impl MissedFiles {
    /// Those among skipped files, each with its reason.
    pub fn among<'f>(skipped: impl Iterator<Item = (&'f str, &'f str)>) -> MissedFiles {
        let mut missed = MissedFiles::default();
        for (path, reason) in skipped {
            if NOT_MISSED.iter().any(|other| reason.starts_with(other)) {
                continue;
            }
            missed.total += 1;
            if missed.shown.len() < MISSED_SHOWN {
                missed.shown.push(SkippedFile {
                    path: path.to_owned(),
                    reason: reason.to_owned(),
                });
            }
        }
        missed
    }
}
